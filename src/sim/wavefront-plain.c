/* Grid recurrences cell by cell in row order, with the semiring's own operators: for all
 * carriers and operators, and the measure of the vector kernels. */
#include "sim/exact.h"
#include "sim/wavefront-private.h"

typedef struct
{
  const TlWaveRecurrence *recurrence;
  const TlWaveProblem    *problem;
  guint64                 width;                    /* columns + 1 */
  guint32                 depth;                    /* rows kept: those a cell looks back to, and its own */
  TlScalar               *rows[TL_WAVE_MAX_TABLES]; /* depth * width each, row i at i mod depth */
  guint8                 *ways[TL_WAVE_MAX_TABLES]; /* columns a row inside the band, or NULL */
  guint64                 stride;                   /* of ways: cells a row */
} Grid;

static TlScalar
read_cell (gconstpointer data, guint table, gint64 i, gint64 j)
{
  const Grid          *grid = data;
  const TlWaveProblem *problem = grid->problem;

  if (i < 0 || j < 0 || j > problem->columns)
    return grid->recurrence->semiring->zero;
  if (i == 0 || j == 0)
    return tl_wave_border (grid->recurrence, problem, table, (guint32) i, (guint32) j);
  if (!tl_wave_in_band (problem, i, j))
    return grid->recurrence->semiring->zero;
  return grid->rows[table][(guint64) (i % grid->depth) * grid->width + (guint64) j];
}

static TlExact
evaluate (const TlWaveRecurrence *recurrence, const TlWaveProblem *problem, const TlWaveAlternative *step, guint32 i,
          guint32 j, TlWaveRead read, gconstpointer grid)
{
  const TlSemiring *semiring = recurrence->semiring;
  TlExact           value = tl_exact (step->weight);

  if (step->table != TL_WAVE_NONE)
    {
      value.value = read (grid, (guint) step->table, (gint64) i - step->di, (gint64) j - step->dj);
      if (tl_scalar_equal (&semiring->carrier, value.value, semiring->zero))
        return value;
      value = tl_exact_times (semiring, value, step->weight);
    }
  if (step->pair == TL_WAVE_NONE)
    return value;
  guint place = problem->q[i - 1] * recurrence->n_codes + problem->r[j - 1];
  return tl_exact_times (semiring, value, recurrence->pairs[step->pair][place]);
}

TlScalar
tl_wave_value (const TlWaveRecurrence *recurrence, const TlWaveProblem *problem, guint table, guint32 i, guint32 j,
               TlWaveRead read, gconstpointer grid, guint8 *way, TlWaveEnd *end)
{
  const TlSemiring  *semiring = recurrence->semiring;
  const TlWaveTable *steps = &recurrence->tables[table];
  TlExact            value = evaluate (recurrence, problem, &steps->alternatives[0], i, j, read, grid);
  guint8             taken = 0;
  gboolean           second;
  int                left;

  for (guint a = 1; a < steps->n_alternatives; a++)
    {
      TlExact other = evaluate (recurrence, problem, &steps->alternatives[a], i, j, read, grid);

      /* The first of equals stays; in an accumulation that selects, the sum is one of both. */
      value = tl_exact_plus (semiring, value, other, &second);
      if (second)
        taken = (guint8) a;
    }
  if (way != NULL)
    *way = taken;
  TlScalar result = tl_exact_bring (semiring, value, &left);
  if (left != 0)
    tl_wave_note_left (end, table, i, j, left > 0);
  return result;
}

/* First column of row @i inside the band, and last: none when it is past that. */
static void
bounds_of (const TlWaveProblem *problem, guint32 i, gint64 *first, gint64 *last)
{
  *first = MAX (1, problem->low > G_MININT32 ? i + problem->low : 1);
  *last = MIN ((gint64) problem->columns, problem->high < G_MAXINT32 ? i + problem->high : problem->columns);
}

static void
fill_cell (Grid *grid, guint table, guint32 i, guint32 j, guint64 place, TlWaveEnd *end)
{
  guint8 *way = grid->ways[table] != NULL ? &grid->ways[table][place] : NULL;

  grid->rows[table][(guint64) (i % grid->depth) * grid->width + j]
      = tl_wave_value (grid->recurrence, grid->problem, table, i, j, read_cell, grid, way, end);
}

static guint
way_back (gpointer data, guint table, guint32 i, guint32 j)
{
  Grid  *grid = data;
  gint64 first, last;

  bounds_of (grid->problem, i, &first, &last);
  return grid->ways[table][(guint64) (i - 1) * grid->stride + (guint64) (j - first)];
}

static void
grid_open (Grid *grid, const TlWaveOptions *options, gboolean *traces)
{
  const TlWaveRecurrence *recurrence = grid->recurrence;
  guint64                 limit = options->trace_limit != 0 ? options->trace_limit : TL_WAVE_TRACE_LIMIT;
  gint64                  first, last;

  grid->depth = 1;
  for (guint t = 0; t < recurrence->n_tables; t++)
    for (guint a = 0; a < recurrence->tables[t].n_alternatives; a++)
      grid->depth = MAX (grid->depth, (guint32) recurrence->tables[t].alternatives[a].di + 1);
  for (guint32 i = 1; i <= grid->problem->rows; i++)
    {
      bounds_of (grid->problem, i, &first, &last);
      grid->stride = MAX (grid->stride, (guint64) MAX (last - first + 1, 0));
    }
  *traces = options->trace && grid->stride * grid->problem->rows <= limit / recurrence->n_tables;
  for (guint t = 0; t < recurrence->n_tables; t++)
    {
      grid->rows[t] = g_new0 (TlScalar, grid->depth * grid->width);
      grid->ways[t] = *traces ? g_malloc0 (MAX (grid->stride * grid->problem->rows, 1)) : NULL;
    }
}

gboolean
tl_wave_is_asked_for (const TlWaveProblem *problem, const TlWaveOptions *options, guint32 i, guint32 j)
{
  return options->pick == TL_WAVE_BEST
         || ((options->pick == TL_WAVE_LAST_COLUMN || i == problem->rows)
             && (options->pick == TL_WAVE_LAST_ROW || j == problem->columns));
}

void
tl_wave_plain (const TlWaveRecurrence *recurrence, const TlWaveProblem *problem, const TlWaveOptions *options,
               TlScalar *cells, TlWaveEnd *end)
{
  Grid     grid = { .recurrence = recurrence, .problem = problem, .width = (guint64) problem->columns + 1 };
  gboolean traces;

  grid_open (&grid, options, &traces);
  for (guint32 i = 1; i <= problem->rows && !end->cancelled && !end->left.found; i++)
    {
      gint64 first, last;

      bounds_of (problem, i, &first, &last);
      for (gint64 j = first; j <= last; j++)
        {
          for (guint t = 0; t < recurrence->n_tables; t++)
            fill_cell (&grid, t, i, (guint32) j, (guint64) (i - 1) * grid.stride + (guint64) (j - first), end);
          TlScalar value = read_cell (&grid, options->table, i, j);
          if (cells != NULL)
            cells[(guint64) i * grid.width + (guint64) j] = value;
          if (tl_wave_is_asked_for (problem, options, i, (guint32) j)
              && tl_wave_beats (recurrence, options, end, value, i, (guint32) j))
            {
              end->found = TRUE;
              end->score = value;
              end->end_i = i;
              end->end_j = (guint32) j;
            }
        }
      end->cells += (guint64) MAX (last - first + 1, 0);
      end->cancelled = i % 64 == 0 && g_cancellable_is_cancelled (options->cancellable);
    }
  if (traces && end->found && !end->cancelled && !end->left.found)
    tl_wave_walk (recurrence, problem, options, way_back, &grid, end);
  for (guint t = 0; t < recurrence->n_tables; t++)
    {
      g_free (grid.rows[t]);
      g_free (grid.ways[t]);
    }
}
