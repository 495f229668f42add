/* The closure of any semiring, one evaluation an update, in the machine's own order:
 * per k block the pivot tile, row and column tiles, the rest; in each tile k
 * outermost and in place. The fast kernels are tested against it. */
#include "sim/closure-private.h"

typedef struct
{
  const TlClosureRun *run;
  TlScalar           *data; /* n x n; the matrix's own elements where they are as wide */
  gsize               n;
  gsize               tile;
  gsize               from; /* of the pivot block */
  gsize               to;
} Plain;

static inline TlScalar
combine (const Plain *plain, TlScalar a, TlScalar b)
{
  return tl_operator_evaluate (&plain->run->semiring->times, &plain->run->semiring->carrier, a, b);
}

static inline TlScalar
accumulate (const Plain *plain, TlScalar a, TlScalar b)
{
  return tl_operator_evaluate (&plain->run->semiring->plus, &plain->run->semiring->carrier, a, b);
}

/* Tile operation on rows r0..r1 and columns c0..c1 for the pivot block's k. */
static void
update_tile (const Plain *plain, gsize r0, gsize r1, gsize c0, gsize c1)
{
  for (gsize k = plain->from; k < plain->to; k++)
    for (gsize i = r0; i < r1; i++)
      for (gsize j = c0; j < c1; j++)
        {
          TlScalar *cell = &plain->data[i * plain->n + j];
          *cell = accumulate (plain, *cell,
                              combine (plain, plain->data[i * plain->n + k], plain->data[k * plain->n + j]));
        }
}

static gboolean
passed_one (const Plain *plain, TlScalar value)
{
  const TlSemiring *semiring = plain->run->semiring;
  TlScalar          sum = accumulate (plain, value, semiring->one);

  return !tl_scalar_equal (&semiring->carrier, sum, semiring->one);
}

/* The pivot tile with the check before each D[k,k] is used; FALSE: *@node passed. */
static gboolean
close_pivot (const Plain *plain, gboolean check, guint64 *node)
{
  for (gsize k = plain->from; k < plain->to; k++)
    {
      if (check && passed_one (plain, plain->data[k * plain->n + k]))
        {
          *node = k;
          return FALSE;
        }
      for (gsize i = plain->from; i < plain->to; i++)
        for (gsize j = plain->from; j < plain->to; j++)
          {
            TlScalar *cell = &plain->data[i * plain->n + j];
            *cell = accumulate (plain, *cell,
                                combine (plain, plain->data[i * plain->n + k], plain->data[k * plain->n + j]));
          }
    }
  return TRUE;
}

static void
cross_tile (gpointer data, guint64 item, guint worker)
{
  Plain *plain = data;
  gsize  at = item / 2 * plain->tile, end = MIN (at + plain->tile, plain->n);

  if (at == plain->from)
    return;
  if (item % 2 == 0)
    update_tile (plain, plain->from, plain->to, at, end);
  else
    update_tile (plain, at, end, plain->from, plain->to);
}

static void
internal_tile (gpointer data, guint64 item, guint worker)
{
  Plain        *plain = data;
  GCancellable *cancellable = plain->run->options->cancellable;
  gsize         tiles = (plain->n + plain->tile - 1) / plain->tile;
  gsize         row = item / tiles * plain->tile, column = item % tiles * plain->tile;

  if (row == plain->from || column == plain->from || (cancellable != NULL && g_cancellable_is_cancelled (cancellable)))
    return;
  update_tile (plain, row, MIN (row + plain->tile, plain->n), column, MIN (column + plain->tile, plain->n));
}

/* inf and -inf are the same in the union as in these storages. */
static gboolean
same_layout (TlStorage storage)
{
  return storage == TL_STORAGE_I64 || storage == TL_STORAGE_F64;
}

TlClosureResult
tl_closure_plain (const TlClosureRun *run)
{
  TlMatrix *matrix = run->matrix;
  gsize     n = matrix->rows, count = n * n;
  gboolean  adds = run->semiring->times.kind == TL_OPERATOR_ADD
                  && (run->semiring->plus.kind == TL_OPERATOR_MIN || run->semiring->plus.kind == TL_OPERATOR_MAX);
  TlClosureResult result = { .kernel = "plain" };
  Plain           plain = { .run = run, .n = n, .tile = MIN (MAX (run->options->tile, 1), MAX (n, 1)) };

  plain.data = same_layout (matrix->storage) ? matrix->data : g_try_new (TlScalar, count);
  if (plain.data == NULL && count > 0)
    return (TlClosureResult) { TL_CLOSURE_MEMORY, 0, "plain" };
  if (!same_layout (matrix->storage))
    for (gsize i = 0; i < count; i++)
      plain.data[i] = tl_matrix_at (matrix, i);

  gsize tiles = (n + plain.tile - 1) / plain.tile;
  for (plain.from = 0; plain.from < n && result.end == TL_CLOSURE_DONE; plain.from = plain.to)
    {
      plain.to = MIN (plain.from + plain.tile, n);
      if (!tl_closure_step (run, (double) plain.from / n))
        result.end = TL_CLOSURE_CANCELLED;
      else if (!close_pivot (&plain, adds || run->options->cycle_check, &result.node))
        result.end = TL_CLOSURE_CYCLE;
      else
        {
          tl_team_run (run->team, 2 * tiles, cross_tile, &plain);
          tl_team_run (run->team, tiles * tiles, internal_tile, &plain);
        }
    }
  if (result.end == TL_CLOSURE_DONE && !tl_closure_step (run, 1.0))
    result.end = TL_CLOSURE_CANCELLED;
  if (!same_layout (matrix->storage))
    {
      for (gsize i = 0; i < count; i++)
        tl_matrix_put (matrix, i, plain.data[i]);
      g_free (plain.data);
    }
  return result;
}
