/* Closures on small carriers: values become codes of one byte, both operators become
 * tables, an update is two look-ups. The order is the machine's, as in the plain
 * kernel, so any semiring gives what the plain kernel gives. */
#include "sim/closure-private.h"

typedef struct
{
  const TlClosureRun *run;
  guint8             *codes; /* n x n */
  gsize               n;
  gsize               tile;
  gsize               from;
  gsize               to;
  guint               shift; /* a table row holds 1 << shift entries */
  guint8             *plus;
  guint8             *times;
} Table;

/* Code of a value: low first, then inf, then -inf; -1 outside the carrier. */
static int
code_of (const TlCarrier *carrier, TlScalar value)
{
  guint64 finite = (guint64) carrier->high.i - (guint64) carrier->low.i + 1;

  if (value.i == TL_INF)
    return carrier->has_inf ? (int) finite : -1;
  if (value.i == -TL_INF)
    return carrier->has_minus_inf ? (int) finite + (carrier->has_inf ? 1 : 0) : -1;
  return value.i >= carrier->low.i && value.i <= carrier->high.i ? (int) (value.i - carrier->low.i) : -1;
}

static TlScalar
value_of (const TlCarrier *carrier, guint code)
{
  guint64 finite = (guint64) carrier->high.i - (guint64) carrier->low.i + 1;

  if (code < finite)
    return (TlScalar) { .i = carrier->low.i + (gint64) code };
  return (TlScalar) { .i = code == finite && carrier->has_inf ? TL_INF : -TL_INF };
}

/* FALSE when a result leaves the carrier. */
static gboolean
fill_table (const TlOperator *op, const TlCarrier *carrier, guint n_codes, guint shift, guint8 *table)
{
  for (guint a = 0; a < n_codes; a++)
    for (guint b = 0; b < n_codes; b++)
      {
        int code = code_of (carrier, tl_operator_evaluate (op, carrier, value_of (carrier, a), value_of (carrier, b)));
        if (code < 0)
          return FALSE;
        table[a << shift | b] = (guint8) code;
      }
  return TRUE;
}

static void
update_tile (const Table *table, gsize r0, gsize r1, gsize c0, gsize c1)
{
  for (gsize k = table->from; k < table->to; k++)
    for (gsize i = r0; i < r1; i++)
      {
        guint8       *row = table->codes + i * table->n;
        const guint8 *other = table->codes + k * table->n;
        for (gsize j = c0; j < c1; j++)
          row[j]
              = table->plus[(gsize) row[j] << table->shift | table->times[(gsize) row[k] << table->shift | other[j]]];
      }
}

static gboolean
close_pivot (const Table *table, int one, guint64 *node)
{
  gsize from = table->from, to = table->to;
  Table step = *table;

  for (gsize k = from; k < to; k++)
    {
      guint8 value = table->codes[k * table->n + k];
      if (one >= 0 && table->plus[(gsize) value << table->shift | (guint) one] != one)
        {
          *node = k;
          return FALSE;
        }
      step.from = k;
      step.to = k + 1;
      update_tile (&step, from, to, from, to);
    }
  return TRUE;
}

static void
cross_tile (gpointer data, guint64 item, guint worker)
{
  Table *table = data;
  gsize  at = item / 2 * table->tile, end = MIN (at + table->tile, table->n);

  if (at == table->from)
    return;
  if (item % 2 == 0)
    update_tile (table, table->from, table->to, at, end);
  else
    update_tile (table, at, end, table->from, table->to);
}

static void
internal_tile (gpointer data, guint64 item, guint worker)
{
  Table        *table = data;
  GCancellable *cancellable = table->run->options->cancellable;
  gsize         tiles = (table->n + table->tile - 1) / table->tile;
  gsize         row = item / tiles * table->tile, column = item % tiles * table->tile;

  if (row == table->from || column == table->from || (cancellable != NULL && g_cancellable_is_cancelled (cancellable)))
    return;
  update_tile (table, row, MIN (row + table->tile, table->n), column, MIN (column + table->tile, table->n));
}

static void
run_blocks (Table *table, int one, TlClosureResult *result)
{
  gsize n = table->n, tiles = (n + table->tile - 1) / table->tile;

  for (table->from = 0; table->from < n; table->from = table->to)
    {
      table->to = MIN (table->from + table->tile, n);
      if (!tl_closure_step (table->run, (double) table->from / n))
        {
          result->end = TL_CLOSURE_CANCELLED;
          return;
        }
      if (!close_pivot (table, one, &result->node))
        {
          result->end = TL_CLOSURE_CYCLE;
          return;
        }
      tl_team_run (table->run->team, 2 * tiles, cross_tile, table);
      tl_team_run (table->run->team, tiles * tiles, internal_tile, table);
    }
  if (!tl_closure_step (table->run, 1.0))
    result->end = TL_CLOSURE_CANCELLED;
}

gboolean
tl_closure_table (const TlClosureRun *run, TlClosureResult *result)
{
  const TlCarrier *carrier = &run->semiring->carrier;
  TlMatrix        *matrix = run->matrix;
  gsize            n = matrix->rows, count = n * n;

  if (tl_element_type_is_float (matrix->element) || carrier->high.i < carrier->low.i
      || (guint64) carrier->high.i - (guint64) carrier->low.i > 255)
    return FALSE;
  guint n_codes
      = (guint) ((guint64) carrier->high.i - (guint64) carrier->low.i) + 1 + carrier->has_inf + carrier->has_minus_inf;
  if (n_codes > 256)
    return FALSE;
  Table table = { .run = run, .n = n, .tile = MIN (MAX (run->options->tile, 1), MAX (n, 1)) };
  while (1u << table.shift < n_codes)
    table.shift++;
  g_autofree guint8 *plus = g_malloc ((gsize) n_codes << table.shift);
  g_autofree guint8 *times = g_malloc ((gsize) n_codes << table.shift);
  g_autofree guint8 *codes = g_try_malloc (MAX (count, 1));
  if (codes == NULL || !fill_table (&run->semiring->plus, carrier, n_codes, table.shift, plus)
      || !fill_table (&run->semiring->times, carrier, n_codes, table.shift, times))
    return FALSE;
  for (gsize i = 0; i < count; i++)
    {
      int code = code_of (carrier, tl_matrix_at (matrix, i));
      if (code < 0)
        return FALSE;
      codes[i] = (guint8) code;
    }
  table.codes = codes;
  table.plus = plus;
  table.times = times;
  *result = (TlClosureResult) { .kernel = "table" };
  gboolean adds = run->semiring->times.kind == TL_OPERATOR_ADD
                  && (run->semiring->plus.kind == TL_OPERATOR_MIN || run->semiring->plus.kind == TL_OPERATOR_MAX);
  run_blocks (&table, adds || run->options->cycle_check ? code_of (carrier, run->semiring->one) : -1, result);
  for (gsize i = 0; i < count; i++)
    tl_matrix_put (matrix, i, value_of (carrier, codes[i]));
  return TRUE;
}
