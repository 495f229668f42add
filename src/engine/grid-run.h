/* A run of a build whose recurrence is a grid (passes/grid.h): scores and end cells, ways
 * as CIGAR, reads mapped by seeds of a real index; and the machine's time for them, from
 * the decoded streams. Values hang on no queue and no clock. */
#pragma once

#include "engine/build.h"
#include "sim/pipe.h"

typedef struct
{
  guint         threads;     /* 0: all cores */
  gboolean      trace;       /* find the ways too */
  gboolean      plain;       /* cell by cell, for tests */
  gboolean      time;        /* simulate the machine too */
  gboolean      skip_values; /* only the machine's time; hits then say sizes alone */
  gboolean      commands;    /* keep the DRAM commands of the simulation */
  gboolean      both_edges;  /* also the makespan with the other way to count edges of tiles */
  GCancellable *cancellable; /* may be NULL */
  void        (*progress) (guint64 done, guint64 total, gpointer user); /* reads; from the calling thread; may be NULL */
  gpointer      user;
} TlGridRunOptions;

/* One sequence of the rows against the columns. */
typedef struct
{
  char    *query;      /* its name */
  char    *target;
  guint64  rows;       /* its letters */
  guint64  columns;    /* letters of the target */
  gboolean found;      /* a cell was picked; FALSE also for a read without candidates */
  gboolean reverse;    /* its reverse complement lies there */
  char    *score;      /* as text, "" when not found */
  gint64   value;      /* of whole numbers */
  guint64  end_i;      /* the picked cell: letters of the (turned) read and of the target, from 1; 0: a border */
  guint64  end_j;
  gboolean traced;
  guint64  start_i;    /* the way goes over letters start_i + 1..end_i and start_j + 1..end_j */
  guint64  start_j;
  char    *cigar;      /* M, I and D; "" when not traced */
  guint64  matches;
  guint64  length;     /* letters of all its operations */
  guint    candidates; /* looked at */
  guint    quality;    /* 0..60: how far the second candidate is behind the first */
  guint64  cells;      /* computed, all candidates together */
  guint32  width;      /* cells of an anti-diagonal that an adaptive band held; 0: the band was fixed */
  guint64  envelope_cells; /* of an adaptive band: in its envelope, all candidates together; 0 else */
  guint64  envelope_tiles;
  guint64  tiles;      /* that it touched */
  GArray  *touched;    /* private: which, of each candidate */
} TlGridHit;

/* Read-only for everyone. */
typedef struct
{
  TlDiags  *diags;
  gboolean  complete;
  gboolean  cancelled;
  char     *program;
  char     *target;    /* the machine's name */
  gboolean  reads;     /* many rows' sequences: hits holds them in the file's order */
  GArray   *hits;      /* of TlGridHit; one where there are no reads */
  guint64   cells;     /* over all hits */
  guint32   tile;      /* side of the tiles counted for an adaptive band; 0 else */
  guint64   envelope_cells; /* over all hits, as are the next two */
  guint64   envelope_tiles;
  guint64   tiles;
  guint64   mapped;    /* hits that were found */
  guint32   states;    /* of a trellis; 0 else */
  GArray   *path;      /* of guint32, a trellis' states; NULL else */
  char    **values;    /* of a single problem of at most TL_GRID_SHOWN_CELLS: the value of each cell as text, NULL
                        * where absent, row after row: (rows + 1) * (columns + 1) with both borders, of a trellis
                        * rows * columns; NULL else */
  guint64   n_values;  /* of these */
  guint64   hash;      /* FNV-1a 64 of all scores and end cells as text */
  gint64    ns;        /* of the values */
  TlPipeRun *sim;      /* NULL: no time was asked for, or there is none */
  char     *sim_reason; /* why there is none */
  guint64   free_ps;   /* makespan with edges of tiles free, as in models.md section 4 ... */
  guint64   charged_ps; /* ... and with each on the ring; 0 where not asked for */
  gint64    sim_ns;    /* how long simulating took */
  gpointer  data;      /* private: what holds the letters */
  gconstpointer sides[2]; /* private: the letters along rows and columns */
} TlGridRun;

#define TL_GRID_SHOWN_CELLS 4096

/* @build->grid, or @build->pipe for a stream alone, must not be NULL. Such a stream has
 * values when it carries its recurrence (@build->pipe->text). What is wrong is in the
 * result's diags.
 * Returns: (transfer full) */
TlGridRun *tl_grid_run       (TlBuild                *build,
                              const TlGridRunOptions *options);
void       tl_grid_run_free  (TlGridRun              *run);
/* Letter @at, from 0, of the rows of hit @hit (@side 0; of its reverse complement when @turned) or of
 * the columns (1). '\0' where there is none, or numbers are read. */
char       tl_grid_run_letter (const TlGridRun       *run,
                               guint                  side,
                               guint                  hit,
                               gboolean               turned,
                               guint64                at);
/* One line a mapped read: the twelve columns of PAF, then AS:i: and, where traced,
 * cg:Z:. (transfer full) */
GBytes    *tl_grid_run_paf   (const TlGridRun        *run);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlGridRun, tl_grid_run_free)
