/* Shared by the two ways of filling a grid. */
#pragma once

#include "sim/wavefront.h"

/* Is cell (i,j), not a border, computed? */
static inline gboolean
tl_wave_in_band (const TlWaveProblem *problem, gint64 i, gint64 j)
{
  return j - i >= problem->low && j - i <= problem->high;
}

/* Whether two letters' weight takes a way out: the semiring's zero. */
static inline gboolean
tl_wave_is_no_way (const TlWaveRecurrence *recurrence, TlScalar pair)
{
  return ABS (pair.i) == TL_INF && pair.i == recurrence->semiring->zero.i;
}

/* The value of a border cell; zero where absent. */
static inline TlScalar
tl_wave_border (const TlWaveRecurrence *recurrence, const TlWaveProblem *problem, guint table, guint32 i, guint32 j)
{
  if (j == 0 && problem->column[table] != NULL)
    return problem->column[table][i];
  if (i == 0 && problem->row[table] != NULL)
    return problem->row[table][j];
  return recurrence->semiring->zero;
}

/* Whether @score at (i,j) is to be picked rather than what @end holds. */
gboolean tl_wave_beats       (const TlWaveRecurrence *recurrence, const TlWaveOptions *options, const TlWaveEnd *end,
                              TlScalar score, guint32 i, guint32 j);

/* Which alternative gave a cell its value: asked for by the walk back. */
typedef guint (*TlWaveWay) (gpointer grid, guint table, guint32 i, guint32 j);
void     tl_wave_walk        (const TlWaveRecurrence *recurrence, const TlWaveProblem *problem,
                              const TlWaveOptions *options, TlWaveWay way, gpointer grid, TlWaveEnd *end);

/* Cell (i,j) of a table, zero where absent. */
typedef TlScalar (*TlWaveRead) (gconstpointer grid, guint table, gint64 i, gint64 j);
/* The value of cell (i,j) of @table with the semiring's own operators, noted in @end where it
 * is none of the carrier; *@way (may be NULL): the alternative that gave it. */
TlScalar tl_wave_value       (const TlWaveRecurrence *recurrence, const TlWaveProblem *problem, guint table,
                              guint32 i, guint32 j, TlWaveRead read, gconstpointer grid, guint8 *way, TlWaveEnd *end);
/* Notes that cell (i,j) of @table left the carrier, if it is the first that did. */
void     tl_wave_note_left   (TlWaveEnd *end, guint table, guint32 i, guint32 j, gboolean above);
/* Whether @options ask for cell (i,j). */
gboolean tl_wave_is_asked_for (const TlWaveProblem *problem, const TlWaveOptions *options, guint32 i, guint32 j);

/* Rows of diagonal @s that are inside grid and band: first > last when none is. */
void     tl_wave_diagonal    (const TlWaveProblem *problem, gint64 s, gint64 *first, gint64 *last);
/* The most cells of one diagonal inside the grid and a moving band, or the fixed one. */
guint64  tl_wave_most        (const TlWaveProblem *problem, gint64 s);

/* Where a moving band is (wavefront-steer.c). */
typedef struct
{
  gint64   centre;
  gboolean down;   /* the last move */
  gboolean floor;  /* only records move it */
} TlWaveSteer;

void     tl_wave_steer_init  (TlWaveSteer *steer, const TlWaveRecurrence *recurrence, const TlWaveProblem *problem);

/* Narrows the rows of diagonal @s, which tl_wave_diagonal gave, to those of the moving band. */
void     tl_wave_steer_enter (TlWaveSteer *steer, const TlWaveProblem *problem, gint64 s, gint64 *first, gint64 *last);
/* Moves on; @best: the best cell's row, or -1; @record: it is better than all before. */
void     tl_wave_steer_leave (TlWaveSteer *steer, gint64 best, gboolean record);
/* Notes the computed rows of diagonal s = end->rows->len, if they are kept. */
void     tl_wave_note_rows   (TlWaveEnd *end, const TlWaveOptions *options, gint64 first, gint64 last);

/* Row after row (wavefront-plain.c) and diagonal after diagonal (wavefront-fast.c). @cells:
 * where the values of table options->table go, or NULL. */
void     tl_wave_plain       (const TlWaveRecurrence *recurrence, const TlWaveProblem *problem,
                              const TlWaveOptions *options, TlScalar *cells, TlWaveEnd *end);
/* The moving band, diagonal after diagonal (wavefront-adaptive.c). */
void     tl_wave_adaptive    (const TlWaveRecurrence *recurrence, const TlWaveProblem *problem,
                              const TlWaveOptions *options, TlScalar *cells, TlWaveEnd *end);
void     tl_wave_fast        (const TlWaveRecurrence *recurrence, const TlWaveProblem *problem,
                              const TlWaveOptions *options, TlScalar *cells, TlWaveEnd *end);
