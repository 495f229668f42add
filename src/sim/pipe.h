/* The machine under a program of wavefronts: Search PUs that look words up in the tables
 * of a real index, row by row through the bank rules; a bounded queue that stalls its
 * senders when it is full; Compute PUs that take candidates in their order and sweep
 * anti-diagonals of tiles, with a barrier behind each wave. Integer picoseconds. models.md
 * section 4.
 *
 * Assumptions beside that section's: each of a Search PU's lanes has one word under way;
 * a look-up sends TL_PIPE_REQUEST_BYTES to each bank group that holds rows of it, and what
 * was asked for comes back the same way (links.h); counting hits takes a cycle for as many
 * as there are lanes; a candidate goes both ways round to all PUs.
 *
 * Edges of tiles. Section 4 gives a tile ceil (B / 16) (B + 15) cycles and nothing for what
 * it hands on: copy_writes = free, the default, lets edges travel while tiles are computed.
 * copy_writes = charged sends each over the ring behind its PU's sweep of the wave, and a
 * PU sweeps the next when all edges that other PUs hand it are there. Either way they go
 * from scratchpad to scratchpad, into the two buffers that G2 reserves beside the tile, so
 * the memory sees none of them; an edge whose tile waits at the same PU stays there. */
#pragma once

#include "emit/pipe-program.h"
#include "sim/counts.h"
#include "sim/seeds.h"

#include <gio/gio.h>

/* --- What the memory holds --- */

/* One problem's rows. Without a stream letters are not looked at. */
typedef struct
{
  const char *letters;
  const char *turned;  /* its reverse complement */
  guint32     rows;
} TlPipeRead;

/* Everything is borrowed. */
typedef struct
{
  const TlPipeRead  *reads;     /* without a stream one problem each */
  guint              n_reads;
  guint64            columns;   /* letters of the second sequence, columns, or states */
  const TlSeedIndex *index;     /* of the second sequence; NULL without a stream */
} TlPipeData;

/* --- What happened --- */

typedef enum
{
  TL_PIPE_SPAN_LOOKUP,  /* a read's words; of read */
  TL_PIPE_SPAN_SEND,    /* a candidate onto the ring; of job */
  TL_PIPE_SPAN_STALL,   /* the queue is full; of job */
  TL_PIPE_SPAN_WAIT,    /* the queue is empty; of job, or the end of all */
  TL_PIPE_SPAN_SWEEP,   /* own tiles of a wave; of job */
  TL_PIPE_SPAN_BARRIER, /* waits for the wave's other PUs; of job */
  TL_PIPE_SPAN_EDGES,   /* waits for edges that are on the ring; of job; only where they are charged */
} TlPipeSpanKind;
#define TL_PIPE_N_SPANS 7

#define TL_PIPE_REQUEST_BYTES 8 /* of a look-up: where, and how much */

/* A stretch of a PU's time; stretches of one PU follow one another. */
typedef struct
{
  guint64 from; /* ps */
  guint64 to;
  guint64 wave; /* SWEEP, BARRIER, EDGES */
  guint32 subject; /* number of the read or of the job */
  guint16 pu;
  guint8  kind; /* TlPipeSpanKind */
} TlPipeSpan;

/* A candidate, or a problem without a stream, in the order in which they were sent. */
typedef struct
{
  guint32  read;
  guint32  candidate; /* of that read, from 0 */
  gboolean reverse;
  gint64   diagonal;
  guint    hits;
  guint64  column;    /* of the window's first letter, from 0 */
  guint32  rows;      /* its size and band */
  guint32  columns;
  gint64   low;
  gint64   high;
  guint16  sender;    /* Search PU */
  guint64  offered;   /* ps: ready to be sent */
  guint64  sent;      /* its place in the queue was had */
  guint64  arrived;
  guint64  taken;     /* by the last of the Compute PUs */
  guint64  done;
} TlPipeJob;

typedef struct
{
  guint16 pu;
  guint32 words;
  guint32 hits;  /* positions read, both strands */
  guint   candidates;
  guint64 from;  /* ps */
  guint64 to;    /* hits are counted */
} TlPipeSearch;

/* Of one PU, in ps; together the makespan. */
typedef struct
{
  guint64 busy;
  guint64 stall;   /* queue full */
  guint64 wait;    /* queue empty */
  guint64 barrier;
  guint64 edges;   /* on the ring */
  guint64 idle;    /* behind its last step, or no code */
} TlPipeTimes;

typedef struct
{
  guint64 time;
  guint32 level;
} TlPipeLevel;

typedef struct
{
  gatomicrefcount references; /* private */
  TlPipeProgram  *program;
  guint64         makespan;
  TlPipeTimes    *pu;         /* machine.pus of them */
  TlSimCounts     total;      /* of look-ups */
  guint64         acts_in_tier[TL_MAX_TIERS];
  guint64         lookups;    /* accesses of both tables */
  guint64         waves;
  guint64         tiles;
  guint64         skipped;    /* of these, left out by adaptive bands */
  guint64         widest;     /* tiles of the widest wave */
  guint64         edge_bytes; /* that left their PU */
  gboolean        charged;    /* they took time */
  guint64         ring_messages; /* look-ups and what they brought, candidates, edges where charged */
  guint64         ring_bytes;
  guint64         ring_busy;  /* ps, over all links */
  guint64         ring_waited; /* ps that messages waited for links that others held, over all messages */
  guint32         ring_links;
  guint64         alone;      /* ps: B0, one PU, same band, no fill */
  guint64         critical;   /* ps: B2, waves of ceil (tiles / PUs) whole tiles, one problem after the other */
  guint32         high_water; /* of the queue */
  double          mean_level;
  GArray         *searches;   /* of TlPipeSearch, by read; empty without a stream */
  GArray         *jobs;       /* of TlPipeJob */
  GArray         *spans;      /* of TlPipeSpan, by time of their ends */
  gboolean        all_spans;  /* FALSE: there were more than TL_PIPE_MAX_SPANS */
  GArray         *levels;     /* of TlPipeLevel, the queue's, at each change */
  GArray         *commands;   /* of TlCommand in order of time when asked for, else NULL */
} TlPipeRun;

typedef enum
{
  TL_PIPE_EDGES_AS_TOLD, /* by the program's copy_writes */
  TL_PIPE_EDGES_FREE,
  TL_PIPE_EDGES_CHARGED,
} TlPipeEdges;

#define TL_PIPE_MAX_SPANS (1u << 22)
#define TL_PIPE_MAX_TILES (G_GUINT64_CONSTANT (1) << 28) /* of one problem; more are refused */

typedef struct
{
  gboolean      commands;    /* keep the DRAM commands */
  TlPipeEdges   edges;       /* how their time counts, whatever the program says */
  gboolean      brief;       /* keep no stretches and no levels */
  GCancellable *cancellable; /* may be NULL */
  void        (*progress) (double fraction, gpointer data); /* may be NULL */
  gpointer      data;
  /* Whether an adaptive band leaves tile (i, j) of a job out: it then takes no time. NULL: every
   * tile of the band, an adaptive one's envelope, is computed. */
  gboolean    (*skips) (const TlPipeJob *job, guint32 i, guint32 j, gpointer data);
  gpointer      skips_data;
} TlPipeOptions;

typedef enum
{
  TL_PIPE_ERROR_DEADLOCK, /* PUs wait for each other for ever, or one goes round without end */
  TL_PIPE_ERROR_OWNER,    /* a tile belongs to no Compute PU */
  TL_PIPE_ERROR_SIZE,     /* more tiles than are run */
} TlPipeError;
#define TL_PIPE_ERROR (tl_pipe_error_quark ())
GQuark      tl_pipe_error_quark (void);

/* NULL with a TL_PIPE_ERROR, or G_IO_ERROR_CANCELLED. The same run gives the same result.
 * Returns: (transfer full) */
TlPipeRun  *tl_pipe_run         (TlPipeProgram       *program,
                                 const TlPipeData    *data,
                                 const TlPipeOptions *options, /* may be NULL */
                                 GError             **error);
TlPipeRun  *tl_pipe_run_ref     (TlPipeRun           *run);
void        tl_pipe_run_unref   (TlPipeRun           *run);
/* "look up", "send", "stalled", "wait", "sweep", "barrier". */
const char *tl_pipe_span_name   (TlPipeSpanKind       kind);
/* The tiling of a job, and who owns its tiles; free owner->rule. */
void        tl_pipe_job_tiling  (const TlPipeProgram *program,
                                 const TlPipeJob     *job,
                                 TlWaveTiling        *tiling);
void        tl_pipe_owner       (const TlPipeProgram *program,
                                 const TlWaveTiling  *tiling,
                                 TlWaveOwner         *owner);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlPipeRun, tl_pipe_run_unref)
