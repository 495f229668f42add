/* The moving band: its place on each anti-diagonal and how it goes on to the next. The
 * definition stands in wavefront.h. */
#include "sim/wavefront-private.h"

void
tl_wave_diagonal (const TlWaveProblem *problem, gint64 s, gint64 *first, gint64 *last)
{
  gint64 low = MAX (problem->low, -(gint64) problem->rows - 1);
  gint64 high = MIN (problem->high, (gint64) problem->columns + 1);
  gint64 least = s - high, most = s - low; /* 2 i lies between them */

  *first = MAX (MAX (1, s - (gint64) problem->columns), least > 0 ? (least + 1) / 2 : 0);
  *last = MIN (MIN ((gint64) problem->rows, s - 1), most >= 0 ? most / 2 : -1);
}

guint64
tl_wave_most (const TlWaveProblem *problem, gint64 s)
{
  gint64 first, last;

  tl_wave_diagonal (problem, s, &first, &last);
  guint64 cells = (guint64) MAX (last - first + 1, 0);
  return problem->adaptive > 0 ? MIN (cells, problem->adaptive) : cells;
}

/* a / 2 rounded down. */
static gint64
half (gint64 a)
{
  return a >= 0 ? a / 2 : -((1 - a) / 2);
}

void
tl_wave_steer_init (TlWaveSteer *steer, const TlWaveRecurrence *recurrence, const TlWaveProblem *problem)
{
  const TlWaveTable *table = &recurrence->tables[problem->steered];

  /* Down before: the first move without a better side goes right. */
  *steer = (TlWaveSteer) { .centre = half (-problem->start), .down = TRUE };
  for (guint a = 0; a < table->n_alternatives; a++)
    steer->floor |= table->alternatives[a].table == TL_WAVE_NONE;
}

void
tl_wave_steer_enter (TlWaveSteer *steer, const TlWaveProblem *problem, gint64 s, gint64 *first, gint64 *last)
{
  gint64 width = problem->adaptive, c = steer->centre;

  c = MIN (c, half (s - problem->low));
  c = MAX (c, half (s - problem->high + 1));
  c = MAX (c, s - (gint64) problem->columns);
  c = MIN (c, (gint64) problem->rows);
  steer->centre = c;
  *first = MAX (*first, c - (width - 1) / 2);
  *last = MAX (MIN (*last, c + width / 2), *first - 1);
}

void
tl_wave_steer_leave (TlWaveSteer *steer, gint64 best, gboolean record)
{
  if (steer->floor && !record)
    best = -1;
  steer->down = best < 0 || best == steer->centre ? !steer->down : best > steer->centre;
  steer->centre += steer->down;
}

void
tl_wave_note_rows (TlWaveEnd *end, const TlWaveOptions *options, gint64 first, gint64 last)
{
  const TlWaveRows rows = { (guint32) MAX (first, 1), (guint32) MAX (last, 0) };

  if (!options->keep_rows)
    return;
  if (end->rows == NULL)
    end->rows = g_array_new (FALSE, FALSE, sizeof (TlWaveRows));
  g_array_append_val (end->rows, rows);
}

/* --- Tiles --- */

/* Tiles along one row of tiles that columns first..last touch. */
static guint64
span_tiles (gint64 first, gint64 last, guint32 side)
{
  return first > last ? 0 : (guint64) ((last - 1) / side - (first - 1) / side + 1);
}

static guint64
envelope_tiles (const TlWaveProblem *problem, guint32 side)
{
  guint64 tiles = 0;

  for (gint64 top = 1; top <= problem->rows; top += side)
    {
      gint64 bottom = MIN (top + side - 1, (gint64) problem->rows);
      gint64 low = MAX (problem->low, -(gint64) problem->rows - 1);
      gint64 high = MIN (problem->high, (gint64) problem->columns + 1);

      tiles += span_tiles (MAX (1, top + low), MIN ((gint64) problem->columns, bottom + high), side);
    }
  return tiles;
}

static gboolean
is_touched (const GArray *rows, gint64 top, gint64 left, gint64 bottom, gint64 right)
{
  for (gint64 s = top + left; s <= bottom + right && s < rows->len; s++)
    {
      const TlWaveRows *at = &g_array_index (rows, TlWaveRows, s);
      gint64            first = MAX ((gint64) at->first, MAX (top, s - right));
      gint64            last = MIN ((gint64) at->last, MIN (bottom, s - left));

      if (first <= last)
        return TRUE;
    }
  return FALSE;
}

/* Of one row of tiles: the columns that the band passes lie between those of its first and
 * last rows on each diagonal, so only tiles between them are looked at. */
static void
row_tiles (const TlWaveProblem *problem, const GArray *rows, gint64 top, gint64 bottom, guint32 side, guint64 *from,
           TlWaveCost *cost)
{
  gint64 left = G_MAXINT64, right = 0;

  while (*from < rows->len && (gint64) g_array_index (rows, TlWaveRows, *from).last < top)
    ++*from;
  for (guint64 s = *from; s < rows->len; s++)
    {
      const TlWaveRows *at = &g_array_index (rows, TlWaveRows, s);
      gint64            first = MAX ((gint64) at->first, top), last = MIN ((gint64) at->last, bottom);

      if (at->last >= at->first && (gint64) at->first > bottom)
        break;
      if (first > last)
        continue;
      left = MIN (left, (gint64) s - last);
      right = MAX (right, (gint64) s - first);
    }
  for (gint64 column = left > right ? 1 : (left - 1) / side * side + 1; column <= right; column += side)
    if (is_touched (rows, top, column, bottom, MIN (column + side - 1, (gint64) problem->columns)))
      {
        guint64 bit = (guint64) ((top - 1) / side) * cost->tile_columns + (guint64) ((column - 1) / side);

        cost->touched[bit / 8] |= (guint8) (1 << bit % 8);
        cost->tiles++;
      }
}

void
tl_wave_cost (const TlWaveProblem *problem, const GArray *rows, guint32 side, TlWaveCost *cost)
{
  guint64 from = 0;
  gint64  first, last;

  g_return_if_fail (side > 0);
  *cost = (TlWaveCost) { .envelope_tiles = envelope_tiles (problem, side) };
  cost->tile_columns = (problem->columns + side - 1) / side;
  if (rows != NULL)
    cost->touched = g_malloc0 ((guint64) ((problem->rows + side - 1) / side) * cost->tile_columns / 8 + 1);
  for (gint64 s = 2; s <= (gint64) problem->rows + problem->columns; s++)
    {
      tl_wave_diagonal (problem, s, &first, &last);
      cost->envelope_cells += (guint64) MAX (last - first + 1, 0);
    }
  for (gint64 top = 1; rows != NULL && top <= problem->rows; top += side)
    row_tiles (problem, rows, top, MIN (top + side - 1, (gint64) problem->rows), side, &from, cost);
}
