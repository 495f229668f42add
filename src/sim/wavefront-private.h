/* Shared by the two ways of filling a grid. */
#pragma once

#include "sim/wavefront.h"

/* Is cell (i,j), not a border, computed? */
static inline gboolean
tl_wave_in_band (const TlWaveProblem *problem, gint64 i, gint64 j)
{
  return j - i >= problem->low && j - i <= problem->high;
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
/* Offers all border cells that @options may pick. */
void     tl_wave_pick_borders (const TlWaveRecurrence *recurrence, const TlWaveProblem *problem,
                               const TlWaveOptions *options, TlWaveEnd *end);

/* Which alternative gave a cell its value: asked for by the walk back. */
typedef guint (*TlWaveWay) (gpointer grid, guint table, guint32 i, guint32 j);
void     tl_wave_walk        (const TlWaveRecurrence *recurrence, const TlWaveProblem *problem,
                              const TlWaveOptions *options, TlWaveWay way, gpointer grid, TlWaveEnd *end);

/* Row after row (wavefront-plain.c) and diagonal after diagonal (wavefront-fast.c). @cells:
 * where the values of table options->table go, or NULL. */
void     tl_wave_plain       (const TlWaveRecurrence *recurrence, const TlWaveProblem *problem,
                              const TlWaveOptions *options, TlScalar *cells, TlWaveEnd *end);
void     tl_wave_fast        (const TlWaveRecurrence *recurrence, const TlWaveProblem *problem,
                              const TlWaveOptions *options, TlScalar *cells, TlWaveEnd *end);
