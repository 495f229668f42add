/* Grid recurrences in a moving band, cell by cell with the semiring's own operators: for all
 * carriers, and the measure of the vector kernels. Only the last diagonals are kept. */
#include "sim/wavefront-private.h"

typedef struct
{
  const TlWaveRecurrence *recurrence;
  const TlWaveProblem    *problem;
  guint32                 depth;                      /* diagonals kept: those a cell looks back to, and its own */
  guint64                 room;                       /* cells of one */
  TlScalar               *values[TL_WAVE_MAX_TABLES]; /* depth * room each, diagonal s at s mod depth */
  TlWaveRows             *rows;                       /* of the kept diagonals */
  GByteArray             *ways[TL_WAVE_MAX_TABLES];   /* all computed cells, or NULL */
  guint64                *from;                       /* of ways: where each diagonal begins, minus its first row */
  gboolean                any;                        /* a cell of the steered table was there: */
  TlScalar                record;                     /* the best of them */
} Grid;

static TlScalar *
place_of (const Grid *grid, guint table, gint64 s, gint64 i)
{
  gint64 kept = s % grid->depth;

  return &grid->values[table][(guint64) kept * grid->room + (guint64) (i - grid->rows[kept].first)];
}

static TlScalar
read_cell (gconstpointer data, guint table, gint64 i, gint64 j)
{
  const Grid          *grid = data;
  const TlWaveProblem *problem = grid->problem;

  if (i < 0 || j < 0 || i > problem->rows || j > problem->columns)
    return grid->recurrence->semiring->zero;
  if (i == 0 || j == 0)
    return tl_wave_border (grid->recurrence, problem, table, (guint32) i, (guint32) j);
  const TlWaveRows *rows = &grid->rows[(i + j) % grid->depth];
  if (i < rows->first || i > rows->last)
    return grid->recurrence->semiring->zero;
  return *place_of (grid, table, i + j, i);
}

/* As the vector kernels find it: see best_near in wavefront-fast.c. */
static gint64
best_row (Grid *grid, gint64 s, gint64 first, gint64 last, gint64 centre, gboolean *is_record)
{
  const TlSemiring *semiring = grid->recurrence->semiring;
  int               better = semiring->plus.kind == TL_OPERATOR_MAX ? 1 : -1;
  gint64            best = -1;
  TlScalar          value = semiring->zero;

  for (gint64 i = first; i <= last; i++)
    {
      TlScalar other = *place_of (grid, grid->problem->steered, s, i);

      if (tl_scalar_equal (&semiring->carrier, other, semiring->zero))
        continue;
      int order = best < 0 ? better : tl_scalar_compare (&semiring->carrier, other, value);
      if (order == better || (order == 0 && ABS (i - centre) < ABS (best - centre)))
        {
          best = i;
          value = other;
        }
    }
  *is_record = best >= 0 && (!grid->any || tl_scalar_compare (&semiring->carrier, value, grid->record) == better);
  if (*is_record)
    grid->record = value;
  grid->any |= best >= 0;
  return best;
}

static guint
way_back (gpointer data, guint table, guint32 i, guint32 j)
{
  Grid *grid = data;

  return grid->ways[table]->data[grid->from[(guint64) i + j] + i];
}

static gboolean
open_ways (Grid *grid, const TlWaveOptions *options)
{
  guint64 limit = options->trace_limit != 0 ? options->trace_limit : TL_WAVE_TRACE_LIMIT;
  guint64 s_end = (guint64) grid->problem->rows + grid->problem->columns, cells = 0;

  for (guint64 s = 0; s <= s_end; s++)
    cells += tl_wave_most (grid->problem, (gint64) s);
  if (cells > limit / grid->recurrence->n_tables)
    return FALSE;
  grid->from = g_new (guint64, s_end + 1);
  for (guint t = 0; t < grid->recurrence->n_tables; t++)
    grid->ways[t] = g_byte_array_new ();
  return TRUE;
}

static void
grid_open (Grid *grid)
{
  const TlWaveRecurrence *recurrence = grid->recurrence;
  const TlWaveProblem    *problem = grid->problem;

  grid->depth = 1;
  for (guint t = 0; t < recurrence->n_tables; t++)
    for (guint a = 0; a < recurrence->tables[t].n_alternatives; a++)
      {
        const TlWaveAlternative *step = &recurrence->tables[t].alternatives[a];
        if (step->table != TL_WAVE_NONE)
          grid->depth = MAX (grid->depth, (guint32) (step->di + step->dj) + 1);
      }
  grid->room = MAX (MIN (problem->adaptive, MIN (problem->rows, problem->columns)), 1);
  grid->rows = g_new (TlWaveRows, grid->depth);
  for (guint32 d = 0; d < grid->depth; d++)
    grid->rows[d] = (TlWaveRows) { 1, 0 };
  for (guint t = 0; t < recurrence->n_tables; t++)
    grid->values[t] = g_new (TlScalar, grid->depth * grid->room);
}

static void
grid_close (Grid *grid)
{
  for (guint t = 0; t < grid->recurrence->n_tables; t++)
    {
      g_free (grid->values[t]);
      g_clear_pointer (&grid->ways[t], g_byte_array_unref);
    }
  g_free (grid->rows);
  g_free (grid->from);
}

/* All tables of one cell; offers it and notes its ways. */
static void
fill_cell (Grid *grid, const TlWaveOptions *options, gint64 s, gint64 i, TlWaveEnd *end)
{
  const TlWaveRecurrence *recurrence = grid->recurrence;
  gint64                  j = s - i;

  for (guint t = 0; t < recurrence->n_tables; t++)
    {
      guint8 way;

      *place_of (grid, t, s, i)
          = tl_wave_value (recurrence, grid->problem, t, (guint32) i, (guint32) j, read_cell, grid, &way, end);
      if (grid->ways[t] != NULL)
        g_byte_array_append (grid->ways[t], &way, 1);
    }
  TlScalar value = *place_of (grid, options->table, s, i);
  if (tl_wave_is_asked_for (grid->problem, options, (guint32) i, (guint32) j)
      && tl_wave_beats (recurrence, options, end, value, (guint32) i, (guint32) j))
    {
      end->found = TRUE;
      end->score = value;
      end->end_i = (guint32) i;
      end->end_j = (guint32) j;
    }
}

void
tl_wave_adaptive (const TlWaveRecurrence *recurrence, const TlWaveProblem *problem, const TlWaveOptions *options,
                  TlScalar *cells, TlWaveEnd *end)
{
  Grid        grid = { .recurrence = recurrence, .problem = problem };
  gint64      s_end = (gint64) problem->rows + problem->columns;
  TlWaveSteer steer;
  gboolean    traces, record;

  tl_wave_steer_init (&steer, recurrence, problem);
  grid_open (&grid);
  traces = options->trace && open_ways (&grid, options);
  for (gint64 s = 0; s <= s_end && !end->cancelled && !end->left.found; s++)
    {
      gint64 first, last;

      tl_wave_diagonal (problem, s, &first, &last);
      tl_wave_steer_enter (&steer, problem, s, &first, &last);
      grid.rows[s % grid.depth]
          = last < first ? (TlWaveRows) { 1, 0 } : (TlWaveRows) { (guint32) first, (guint32) last };
      if (traces)
        grid.from[s] = end->cells - (guint64) first;
      for (gint64 i = first; i <= last; i++)
        {
          fill_cell (&grid, options, s, i, end);
          if (cells != NULL)
            cells[(guint64) i * ((guint64) problem->columns + 1) + (guint64) (s - i)]
                = *place_of (&grid, options->table, s, i);
        }
      end->cells += (guint64) MAX (last - first + 1, 0);
      gint64 best = best_row (&grid, s, first, last, steer.centre, &record);
      tl_wave_steer_leave (&steer, best, record);
      tl_wave_note_rows (end, options, first, last);
      end->cancelled = s % 256 == 0 && g_cancellable_is_cancelled (options->cancellable);
    }
  if (traces && end->found && !end->cancelled && !end->left.found)
    tl_wave_walk (recurrence, problem, options, way_back, &grid, end);
  grid_close (&grid);
}
