/* Values of grid recurrences: each cell accumulates alternatives, each a cell at a
 * constant distance combined with a weight, over a semiring. Alignment with linear and
 * affine gaps, edit distance and whatever else has this form are such recurrences; none
 * of them is known here by name. language.md, rulings 1 and 2; models.md section 4.
 *
 *   T[i,j] = (+) over alternatives of  T'[i-di,j-dj] (x) weight (x) pair (q[i], r[j])
 *
 * Row 0 and column 0 are borders, given from outside. Cells that neither the borders nor
 * the band hold are absent: their value is the semiring's zero.
 *
 * An adaptive band of w cells moves inside of the fixed one, its envelope. Of each
 * anti-diagonal s = i + j it holds the rows c - (w-1)/2 .. c + w/2 (divisions here round down)
 * that the envelope and the grid have there, which may be none. It begins on the diagonal
 * j - i = start: for s = 0, c = -start / 2. From one anti-diagonal to the next it goes down
 * (c + 1) when the best cell computed there lies below row c, right (c stays) when it lies
 * above, and else the other way than the last time, the first time right. Best is the greatest
 * value of one table where the accumulation is max, the least where it is min; of equals the
 * one nearest c, of two as near the upper one; absent cells do not count. Where that table has
 * an alternative that reads no cell (the 0 of a local alignment) new ways begin everywhere, so
 * there a best cell moves the band only when it is better than all cells of earlier
 * diagonals. After each move c is brought back to the envelope's diagonals, first at most
 * (s - low) / 2, then at least (s - high + 1) / 2, and then to the last column and the last
 * row: at least s - columns, at most rows. language.md, ruling 2. */
#pragma once

#include "ir/semiring.h"

#include <gio/gio.h>

#define TL_WAVE_MAX_TABLES       4
#define TL_WAVE_MAX_ALTERNATIVES 16
#define TL_WAVE_MAX_DISTANCE     8  /* of one step in one direction */
#define TL_WAVE_MAX_PAIRS        8
#define TL_WAVE_MAX_LETTERS      (G_MAXINT32 / 4)
#define TL_WAVE_NONE             (-1)

typedef struct
{
  int      table;  /* of the cell read; TL_WAVE_NONE: none, the weight stands alone */
  int      di;     /* it is cell [i - di, j - dj]; (di, dj) is lexicographically positive, or */
  int      dj;     /* (0, 0) for a table that stands before this one */
  int      pair;   /* function of the two letters combined too, or TL_WAVE_NONE */
  TlScalar weight; /* combined too; the semiring's one where there is none */
} TlWaveAlternative;

typedef struct
{
  guint             n_alternatives;
  TlWaveAlternative alternatives[TL_WAVE_MAX_ALTERNATIVES]; /* the first that gives a cell its value is its way back */
} TlWaveTable;

/* Read by anyone once filled. */
typedef struct
{
  TlSemiring *semiring; /* owned */
  guint       n_tables;
  TlWaveTable tables[TL_WAVE_MAX_TABLES];
  guint       n_codes;  /* letters are 0..n_codes-1, at most 256 */
  guint       n_pairs;
  TlScalar   *pairs[TL_WAVE_MAX_PAIRS]; /* owned; n_codes * n_codes each: [letter of q][letter of r] */
} TlWaveRecurrence;

/* One grid to fill. Everything is borrowed. */
typedef struct
{
  const guint8   *q;       /* letters of the rows; row i of 1..rows has q[i - 1] */
  const guint8   *r;       /* letters of the columns */
  guint32         rows;    /* at most TL_WAVE_MAX_LETTERS */
  guint32         columns;
  gint64          low;     /* the band: cells with low <= j - i <= high */
  gint64          high;
  guint32         adaptive; /* cells of an anti-diagonal that the moving band holds; 0: the band is fixed. The
                             * accumulation is then min or max, and all distances have di + dj >= 1 */
  guint           steered;  /* the table whose best cells the moving band follows */
  gint64          start;    /* j - i where it begins */
  const TlScalar *column[TL_WAVE_MAX_TABLES]; /* cells (i,0), i = 0..rows; NULL: absent */
  const TlScalar *row[TL_WAVE_MAX_TABLES];    /* cells (0,j), j = 0..columns; NULL: absent. (0,0) is column's, where there is one */
} TlWaveProblem;

typedef enum
{
  TL_WAVE_BEST,        /* of all cells, borders too, the first in row order */
  TL_WAVE_LAST,        /* (rows, columns) */
  TL_WAVE_LAST_ROW,    /* of (rows, j), the least j among equals */
  TL_WAVE_LAST_COLUMN, /* of (i, columns), the least i among equals */
} TlWavePick;

typedef struct
{
  TlWavePick    pick;
  guint         table;
  gboolean      greatest;    /* the greatest is picked, else the least */
  gboolean      trace;       /* also find the way to the picked cell, where the accumulation selects one */
  gboolean      along_row;   /* a way that ends in border row 0 goes on along it to (0,0), a letter of r a step */
  gboolean      along_column; /* the same for border column 0 and letters of q */
  gboolean      plain;       /* cell by cell, with the semiring's own operators */
  gboolean      keep_rows;   /* also say which rows of each diagonal were computed, for an adaptive band */
  guint64       trace_limit; /* bytes it may take; 0: TL_WAVE_TRACE_LIMIT */
  GCancellable *cancellable; /* may be NULL */
} TlWaveOptions;

#define TL_WAVE_TRACE_LIMIT (G_GUINT64_CONSTANT (1) << 30)

/* One step of the way, from the cell before to this one. */
typedef struct
{
  guint8 di;
  gint8  dj;
} TlWaveMove;

/* The computed rows of one anti-diagonal: none when last < first. */
typedef struct
{
  guint32 first;
  guint32 last;
} TlWaveRows;

/* A cell whose true value is none of the carrier: the first one in row order (of a moving
 * band the upper one of the first anti-diagonal that has any), and of it the first table. */
typedef struct
{
  gboolean found;
  guint    table;
  guint32  i;
  guint32  j;
  gboolean above; /* the greatest value, else below the least */
} TlWaveLeft;

typedef struct
{
  gboolean found;     /* FALSE: the picked cell is absent: an infinite zero, outside of the band, or a border not given */
  TlScalar score;
  guint32  end_i;
  guint32  end_j;
  guint64  cells;     /* computed: inside the band, borders not among them */
  gboolean traced;    /* start and moves hold; not when it was not asked for or takes more than its limit */
  guint32  start_i;   /* the cell the way begins after: a border, or one that no other cell gave its value */
  guint32  start_j;
  GArray  *moves;     /* of TlWaveMove, from start to end; owned; steps between tables of one cell are left out */
  GArray  *rows;      /* of TlWaveRows, by i + j from 0; owned; NULL unless kept */
  TlWaveLeft left;    /* where it is found nothing else holds but cancelled */
  gboolean cancelled;
} TlWaveEnd;

typedef struct
{
  guint64 envelope_cells;
  guint64 envelope_tiles;
  guint64 tiles;        /* that were touched */
  guint32 tile_columns;
  guint8 *touched;      /* a bit a tile, tile row after tile row, lowest bit first; owned; NULL without rows */
} TlWaveCost;

/* Whether the vector kernels take it: min or max with +, whole numbers, steps that do not
 * go back, and no value that could leave 30 bits, whatever the type of the cells. Others are
 * computed cell by cell. */
gboolean tl_wave_is_fast          (const TlWaveRecurrence *recurrence,
                                   const TlWaveProblem    *problem);
/* The largest size that a cell's value may have, from the steps, borders and sides alone. FALSE
 * where that is not known: other operators than min or max with +, floats, or past 64 bits. */
gboolean tl_wave_bound            (const TlWaveRecurrence *recurrence,
                                   const TlWaveProblem    *problem,
                                   guint64                *bound);
/* Fills the grid and finds what @options ask for. Both ways give the same, cell for cell.
 * Call tl_wave_end_clear when done. */
void     tl_wave_run              (const TlWaveRecurrence *recurrence,
                                   const TlWaveProblem    *problem,
                                   const TlWaveOptions    *options,
                                   TlWaveEnd              *end);
/* What a band costs, in cells and in tiles of @side by @side that hold one of them: the
 * fixed band, or the envelope of an adaptive one; and the tiles that its @rows, as
 * TlWaveEnd has them, touched (NULL: none are counted). Free cost->touched. */
void     tl_wave_cost             (const TlWaveProblem    *problem,
                                   const GArray           *rows,
                                   guint32                 side,
                                   TlWaveCost             *cost);
/* The cells of one table, row after row with both borders, (rows + 1) * (columns + 1)
 * of them, as the same run sees them: zero where absent. For small grids: pictures and
 * tests. (transfer full), NULL when they are more than 2^28. Where a value leaves the carrier
 * it and those after it mean nothing. */
TlScalar *tl_wave_cells           (const TlWaveRecurrence *recurrence,
                                   const TlWaveProblem    *problem,
                                   guint                   table,
                                   gboolean                plain);
void     tl_wave_end_clear        (TlWaveEnd              *end);
void     tl_wave_recurrence_clear (TlWaveRecurrence       *recurrence);

/* The way as CIGAR: M a letter of each, I a letter of q alone, D one of r alone. A step
 * over several letters of both is M for the pairs and I or D for the rest. @matches and
 * @columns (may be NULL): letters of M that are equal, and letters of all operations.
 * (transfer full) */
char    *tl_wave_cigar            (const TlWaveEnd        *end,
                                   const TlWaveProblem    *problem,
                                   guint64                *matches,
                                   guint64                *columns);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TlWaveEnd, tl_wave_end_clear)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TlWaveRecurrence, tl_wave_recurrence_clear)
