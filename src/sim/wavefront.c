/* Grid recurrences: which way they are filled, what is picked, the way back. */
#include "sim/wavefront-private.h"

#include "base/number.h"
#include "sim/exact.h"

#define MAX_CELLS (G_GUINT64_CONSTANT (1) << 28)

/* --- Which way --- */

/* Values stay below 2^29 in size and absent cells near -2^30, so that sums of both are
 * told apart and never leave 32 bits. */
#define FAST_LIMIT (G_GINT64_CONSTANT (1) << 29)

static guint64
size_of (TlScalar value)
{
  return value.i < 0 ? -(guint64) value.i : (guint64) value.i;
}

/* The largest absolute value one step can add. FALSE when one is infinite. */
static gboolean
largest_step (const TlWaveRecurrence *recurrence, guint64 *largest)
{
  guint64 pair = 0, weight = 0;

  for (guint p = 0; p < recurrence->n_pairs; p++)
    for (guint k = 0; k < recurrence->n_codes * recurrence->n_codes; k++)
      if (!tl_wave_is_no_way (recurrence, recurrence->pairs[p][k]))
        pair = MAX (pair, size_of (recurrence->pairs[p][k]));
  for (guint t = 0; t < recurrence->n_tables; t++)
    for (guint a = 0; a < recurrence->tables[t].n_alternatives; a++)
      weight = MAX (weight, size_of (recurrence->tables[t].alternatives[a].weight));
  return pair < TL_INF && weight < TL_INF && tl_add_u64 (pair, weight, largest);
}

static gboolean
largest_border (const TlWaveRecurrence *recurrence, const TlWaveProblem *problem, guint64 *largest)
{
  for (guint t = 0; t < recurrence->n_tables; t++)
    for (guint side = 0; side < 2; side++)
      {
        const TlScalar *cells = side == 0 ? problem->column[t] : problem->row[t];
        guint32         n = side == 0 ? problem->rows : problem->columns;

        for (guint32 k = 0; cells != NULL && k <= n; k++)
          if (cells[k].i != recurrence->semiring->zero.i)
            *largest = MAX (*largest, size_of (cells[k]));
      }
  return *largest < TL_INF;
}

gboolean
tl_wave_bound (const TlWaveRecurrence *recurrence, const TlWaveProblem *problem, guint64 *bound)
{
  const TlSemiring *semiring = recurrence->semiring;
  guint64           step, border = 0, letters = (guint64) problem->rows + problem->columns + 2;

  if ((semiring->plus.kind != TL_OPERATOR_MAX && semiring->plus.kind != TL_OPERATOR_MIN)
      || semiring->times.kind != TL_OPERATOR_ADD || tl_carrier_is_float (&semiring->carrier))
    return FALSE;
  /* A way has a step a letter, and within a cell one a table. */
  return largest_step (recurrence, &step) && largest_border (recurrence, problem, &border)
         && tl_mul_u64 (step, letters * recurrence->n_tables, bound) && tl_add_u64 (*bound, border, bound);
}

static gboolean
has_no_ways (const TlWaveRecurrence *recurrence)
{
  for (guint p = 0; p < recurrence->n_pairs; p++)
    for (guint k = 0; k < recurrence->n_codes * recurrence->n_codes; k++)
      if (tl_wave_is_no_way (recurrence, recurrence->pairs[p][k]))
        return TRUE;
  return FALSE;
}

gboolean
tl_wave_is_fast (const TlWaveRecurrence *recurrence, const TlWaveProblem *problem)
{
  const TlSemiring *semiring = recurrence->semiring;
  guint64           bound;

  if (!tl_wave_bound (recurrence, problem, &bound) || bound >= (has_no_ways (recurrence) ? FAST_LIMIT / 4 : FAST_LIMIT)
      || semiring->zero.i != (semiring->plus.kind == TL_OPERATOR_MAX ? -TL_INF : TL_INF))
    return FALSE;
  for (guint t = 0; t < recurrence->n_tables; t++)
    for (guint a = 0; a < recurrence->tables[t].n_alternatives; a++)
      if (recurrence->tables[t].alternatives[a].dj < 0)
        return FALSE;
  return TRUE;
}

void
tl_wave_note_left (TlWaveEnd *end, guint table, guint32 i, guint32 j, gboolean above)
{
  TlWaveLeft *left = &end->left;

  if (left->found && (i > left->i || (i == left->i && (j > left->j || (j == left->j && table >= left->table)))))
    return;
  *left = (TlWaveLeft) { TRUE, table, i, j, above };
}

/* --- What is picked --- */

gboolean
tl_wave_beats (const TlWaveRecurrence *recurrence, const TlWaveOptions *options, const TlWaveEnd *end, TlScalar score,
               guint32 i, guint32 j)
{
  const TlCarrier *carrier = &recurrence->semiring->carrier;

  if (tl_exact_is_absent (recurrence->semiring, score))
    return FALSE;
  if (!end->found)
    return TRUE;
  /* A zero that is a number is the result where there is nothing else. */
  gboolean nothing = tl_scalar_equal (carrier, score, recurrence->semiring->zero);
  if (nothing != tl_scalar_equal (carrier, end->score, recurrence->semiring->zero))
    return !nothing;
  int order = tl_scalar_compare (carrier, score, end->score);
  if (order != 0)
    return (order > 0) == !!options->greatest;
  return i < end->end_i || (i == end->end_i && j < end->end_j);
}

static void
offer (const TlWaveRecurrence *recurrence, const TlWaveProblem *problem, const TlWaveOptions *options, TlWaveEnd *end,
       guint32 i, guint32 j)
{
  guint    table = options->table;
  TlScalar score = tl_wave_border (recurrence, problem, table, i, j);

  /* A border that nobody gives is no cell. */
  if ((j > 0 || problem->column[table] == NULL) && (i > 0 || problem->row[table] == NULL))
    return;
  if (!tl_wave_beats (recurrence, options, end, score, i, j))
    return;
  end->found = TRUE;
  end->score = score;
  end->end_i = i;
  end->end_j = j;
}

/* Offers all border cells that @options may pick. */
static void
pick_borders (const TlWaveRecurrence *recurrence, const TlWaveProblem *problem, const TlWaveOptions *options,
              TlWaveEnd *end)
{
  switch (options->pick)
    {
    case TL_WAVE_BEST:
      for (guint32 j = 0; j <= problem->columns; j++)
        offer (recurrence, problem, options, end, 0, j);
      for (guint32 i = 1; i <= problem->rows; i++)
        offer (recurrence, problem, options, end, i, 0);
      break;
    case TL_WAVE_LAST:
      if (problem->rows == 0 || problem->columns == 0)
        offer (recurrence, problem, options, end, problem->rows, problem->columns);
      break;
    case TL_WAVE_LAST_ROW:
      for (guint32 j = 0; j <= (problem->rows == 0 ? problem->columns : 0); j++)
        offer (recurrence, problem, options, end, problem->rows, j);
      break;
    case TL_WAVE_LAST_COLUMN:
      for (guint32 i = 0; i <= (problem->columns == 0 ? problem->rows : 0); i++)
        offer (recurrence, problem, options, end, i, problem->columns);
      break;
    }
}

/* --- The way back --- */

void
tl_wave_walk (const TlWaveRecurrence *recurrence, const TlWaveProblem *problem, const TlWaveOptions *options,
              TlWaveWay way, gpointer grid, TlWaveEnd *end)
{
  guint32          i = end->end_i, j = end->end_j;
  guint            table = options->table;
  const TlWaveMove right = { 0, 1 }, down = { 1, 0 };

  end->moves = g_array_new (FALSE, FALSE, sizeof (TlWaveMove));
  while (i > 0 && j > 0)
    {
      const TlWaveAlternative *step = &recurrence->tables[table].alternatives[way (grid, table, i, j)];
      TlWaveMove               move = { (guint8) step->di, (gint8) step->dj };

      if (step->table == TL_WAVE_NONE)
        break;
      table = (guint) step->table;
      i -= (guint32) step->di;
      j = (guint32) ((gint64) j - step->dj);
      if (step->di != 0 || step->dj != 0)
        g_array_append_val (end->moves, move);
    }
  for (; options->along_row && i == 0 && j > 0; j--)
    g_array_append_val (end->moves, right);
  for (; options->along_column && j == 0 && i > 0; i--)
    g_array_append_val (end->moves, down);
  end->start_i = i;
  end->start_j = j;
  for (guint a = 0, b = end->moves->len; a + 1 < b; a++)
    {
      TlWaveMove *moves = (TlWaveMove *) end->moves->data;
      TlWaveMove  last = moves[--b];
      moves[b] = moves[a];
      moves[a] = last;
    }
  end->traced = TRUE;
}

static void
add_run (GString *text, char *kind, guint64 *length, char next, guint64 n)
{
  if (n == 0)
    return;
  if (*kind != next && *length > 0)
    {
      g_string_append_printf (text, "%" G_GUINT64_FORMAT "%c", *length, *kind);
      *length = 0;
    }
  *kind = next;
  *length += n;
}

char *
tl_wave_cigar (const TlWaveEnd *end, const TlWaveProblem *problem, guint64 *matches, guint64 *columns)
{
  GString *text = g_string_new (NULL);
  guint64  i = end->start_i, j = end->start_j, equal = 0, all = 0, length = 0;
  char     kind = 0;

  for (guint m = 0; end->traced && m < end->moves->len; m++)
    {
      TlWaveMove move = g_array_index (end->moves, TlWaveMove, m);
      guint      down = move.di, right = (guint) MAX (move.dj, 0), both = MIN (down, right);

      for (guint k = 0; k < both; k++)
        equal += problem->q[i + k] == problem->r[j + k];
      add_run (text, &kind, &length, 'M', both);
      add_run (text, &kind, &length, 'I', down - both);
      add_run (text, &kind, &length, 'D', right - both);
      all += MAX (down, right);
      i += down;
      j = (guint64) ((gint64) j + move.dj);
    }
  if (length > 0)
    g_string_append_printf (text, "%" G_GUINT64_FORMAT "%c", length, kind);
  if (matches != NULL)
    *matches = equal;
  if (columns != NULL)
    *columns = all;
  return g_string_free (text, FALSE);
}

/* --- Doors --- */

static void
run (const TlWaveRecurrence *recurrence, const TlWaveProblem *problem, const TlWaveOptions *asked, TlScalar *cells,
     TlWaveEnd *end)
{
  const TlSemiring *semiring = recurrence->semiring;
  TlWaveOptions     wanted = *asked, *options = &wanted;

  /* A sum of all ways has no way of its own. */
  wanted.trace &= tl_operator_selects (&semiring->plus, &semiring->carrier);
  *end = (TlWaveEnd) { 0 };
  pick_borders (recurrence, problem, options, end);
  if (!options->plain && tl_wave_is_fast (recurrence, problem))
    tl_wave_fast (recurrence, problem, options, cells, end);
  else if (problem->adaptive > 0)
    tl_wave_adaptive (recurrence, problem, options, cells, end);
  else
    tl_wave_plain (recurrence, problem, options, cells, end);
}

void
tl_wave_run (const TlWaveRecurrence *recurrence, const TlWaveProblem *problem, const TlWaveOptions *options,
             TlWaveEnd *end)
{
  g_return_if_fail (options->table < recurrence->n_tables && problem->steered < recurrence->n_tables);
  run (recurrence, problem, options, NULL, end);
}

TlScalar *
tl_wave_cells (const TlWaveRecurrence *recurrence, const TlWaveProblem *problem, guint table, gboolean plain)
{
  TlWaveOptions options = { .pick = TL_WAVE_LAST, .table = table, .greatest = TRUE, .plain = plain };
  guint64       n = ((guint64) problem->rows + 1) * ((guint64) problem->columns + 1);
  TlWaveEnd     end;

  g_return_val_if_fail (table < recurrence->n_tables, NULL);
  if (n > MAX_CELLS)
    return NULL;
  TlScalar *cells = g_new (TlScalar, n);
  for (guint32 i = 0; i <= problem->rows; i++)
    for (guint32 j = 0; j <= problem->columns; j++)
      cells[(guint64) i * (problem->columns + 1) + j]
          = i == 0 || j == 0 ? tl_wave_border (recurrence, problem, table, i, j) : recurrence->semiring->zero;
  run (recurrence, problem, &options, cells, &end);
  tl_wave_end_clear (&end);
  return cells;
}

void
tl_wave_end_clear (TlWaveEnd *end)
{
  g_clear_pointer (&end->moves, g_array_unref);
  g_clear_pointer (&end->rows, g_array_unref);
}

void
tl_wave_recurrence_clear (TlWaveRecurrence *recurrence)
{
  g_clear_pointer (&recurrence->semiring, tl_semiring_free);
  for (guint p = 0; p < recurrence->n_pairs; p++)
    g_clear_pointer (&recurrence->pairs[p], g_free);
  recurrence->n_pairs = recurrence->n_tables = 0;
}
