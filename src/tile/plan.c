/* The order of checks, control flow, and what all of them need. */
#include "tile/plan-private.h"

#include "base/number.h"

gboolean
tl_tile_refuse (TlTileCheck *check, const char *format, ...)
{
  va_list arguments;

  if (check->reason == NULL)
    return FALSE;
  va_start (arguments, format);
  *check->reason = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return FALSE;
}

const TlTileTensor *
tl_tile_tensor_of (TlTileCheck *check, guint tensor, TlTileSpace space)
{
  static const char *const spaces[] = { "register", "shared", "global" };
  const GArray            *tensors = check->plan->kernel->tensors;

  if (tensor == 0 || tensor >= tensors->len)
    {
      tl_tile_refuse (check, "a %s tensor is missing", spaces[space]);
      return NULL;
    }
  const TlTileTensor *found = &g_array_index (tensors, TlTileTensor, tensor);
  if (found->space == space)
    return found;
  tl_tile_refuse (check, "%s is a %s tensor, and a %s one is needed", found->name, spaces[found->space], spaces[space]);
  return NULL;
}

gboolean
tl_tile_use_register (TlTileCheck *check, guint tensor)
{
  const TlTileTensor *found = tl_tile_tensor_of (check, tensor, TL_TILE_REGISTER);
  TlTileRegisterPlan *plan;

  if (found == NULL)
    return FALSE;
  plan = &check->plan->registers[tensor];
  if (plan->storage != 0)
    return TRUE;
  if (found->type.bits == 0 || found->type.bits > 32)
    return tl_tile_refuse (check, "%s has elements of %u bits; up to 32 can be computed with", found->name,
                           found->type.bits);
  if (tl_layout_threads (&found->layout) != check->plan->threads)
    return tl_tile_refuse (check, "%s lies in %u threads, and the block has %u", found->name,
                           tl_layout_threads (&found->layout), check->plan->threads);
  plan->locals = tl_layout_locals (&found->layout);
  if ((guint64) plan->locals * check->plan->threads > TL_LAYOUT_MAX_SIZE)
    return tl_tile_refuse (check, "%s has %u locals in each of %u threads, more than %d in all", found->name,
                           plan->locals, check->plan->threads, TL_LAYOUT_MAX_SIZE);
  plan->n_dims = found->layout.n_dims;
  for (guint d = 0; d < plan->n_dims; d++)
    plan->shape[d] = found->layout.shape[d];
  guint bits = plan->locals * found->type.bits;
  plan->storage = check->plan->storages->len;
  g_array_append_val (check->plan->storages, bits);
  return TRUE;
}

gboolean
tl_tile_check_dims (TlTileCheck *check, const gint64 *dims, guint n, guint rank)
{
  guint seen = 0;

  for (guint i = 0; i < n; i++)
    {
      if (dims[i] < 0 || dims[i] >= rank)
        return tl_tile_refuse (check, "there is no dimension %" G_GINT64_FORMAT " among %u", dims[i], rank);
      if (seen >> dims[i] & 1)
        return tl_tile_refuse (check, "dimension %" G_GINT64_FORMAT " is named twice", dims[i]);
      seen |= 1u << dims[i];
    }
  return TRUE;
}

char *
tl_tile_shape_text (const gint64 *shape, guint n)
{
  GString *text = g_string_new ("[");

  for (guint d = 0; d < n; d++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, d > 0 ? ", " : "", shape[d]);
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

guint32 *
tl_tile_indices (const TlTilePlan *plan, guint tensor)
{
  const TlTileTensor *found = tl_tile_kernel_tensor (plan->kernel, tensor);
  gsize               n = (gsize) plan->threads * plan->registers[tensor].locals;
  g_autofree guint64 *map = g_new (guint64, n);
  guint32            *indices = g_new (guint32, n);

  tl_layout_map (&found->layout, map);
  for (gsize i = 0; i < n; i++)
    indices[i] = (guint32) map[i];
  return indices;
}

guint32 *
tl_tile_coords (const TlTilePlan *plan, guint tensor)
{
  const TlTileRegisterPlan *reg = &plan->registers[tensor];
  g_autofree guint32       *indices = tl_tile_indices (plan, tensor);
  gsize                     n = (gsize) plan->threads * reg->locals;
  guint32                  *coords = g_new (guint32, n * MAX (reg->n_dims, 1));

  for (gsize i = 0; i < n; i++)
    {
      guint32 rest = indices[i];
      for (guint d = reg->n_dims; d-- > 0;)
        {
          coords[i * reg->n_dims + d] = rest % (guint32) reg->shape[d];
          rest /= (guint32) reg->shape[d];
        }
    }
  return coords;
}

guint32 *
tl_tile_holders (const TlTilePlan *plan, guint tensor)
{
  const TlTileTensor *found = tl_tile_kernel_tensor (plan->kernel, tensor);
  g_autofree guint32 *indices = tl_tile_indices (plan, tensor);
  guint32            *holders = g_new (guint32, tl_layout_elements (&found->layout));

  for (gsize i = (gsize) plan->threads * plan->registers[tensor].locals; i-- > 0;)
    holders[indices[i]] = (guint32) i;
  return holders;
}

static gboolean
check_expr (TlTileCheck *check, guint expr, const char *what)
{
  if (expr == 0 || expr >= check->plan->kernel->exprs->len)
    return tl_tile_refuse (check, "%s is missing", what);
  if (g_array_index (check->plan->kernel->exprs, TlTileExpr, expr).size > TL_TILE_MAX_EXPR)
    return tl_tile_refuse (check, "%s has more than %d parts", what, TL_TILE_MAX_EXPR);
  return TRUE;
}

static gboolean
check_scalar (TlTileCheck *check, guint expr, const char *what)
{
  if (!check_expr (check, expr, what))
    return FALSE;
  if (tl_tile_expr_varies (check->plan->kernel, expr))
    return tl_tile_refuse (check, "%s must be the same for all threads, and names an index or an element", what);
  return TRUE;
}

/* Loops and branches, matched; @open holds the instructions that wait for their end. */
static gboolean
plan_control (TlTileCheck *check, GArray *open)
{
  const TlTileInstruction *at = tl_tile_checked (check);
  const GArray            *code = check->plan->kernel->code;
  guint                    begin = open->len > 0 ? g_array_index (open, guint, open->len - 1) : 0;
  const TlTileInstruction *opener = open->len > 0 ? &g_array_index (code, TlTileInstruction, begin) : NULL;

  switch (at->op)
    {
    case TL_TILE_FOR:
      if (at->n_offsets != 3)
        return tl_tile_refuse (check, "a loop needs where to begin, where to end and a step");
      if (at->amount < 0 || at->amount >= check->plan->kernel->variables->len
          || g_array_index (check->plan->kernel->variables, TlTileVariable, at->amount).kind != TL_TILE_VARIABLE_LOOP)
        return tl_tile_refuse (check, "a loop needs a variable of its own");
      for (guint i = 0; i < open->len; i++)
        {
          const TlTileInstruction *outer = &g_array_index (code, TlTileInstruction, g_array_index (open, guint, i));
          if (outer->op == TL_TILE_FOR && outer->amount == at->amount)
            return tl_tile_refuse (check, "the loop around it has the same variable");
        }
      g_array_append_val (open, check->at);
      return TRUE;
    case TL_TILE_IF:
      g_array_append_val (open, check->at);
      return check_scalar (check, at->function, "the condition");
    case TL_TILE_ELSE:
      if (opener == NULL || opener->op != TL_TILE_IF)
        return tl_tile_refuse (check, "there is no if that it belongs to");
      check->plan->steps[begin].jump = check->at + 1;
      g_array_index (open, guint, open->len - 1) = check->at;
      return TRUE;
    case TL_TILE_END:
      if (opener == NULL)
        return tl_tile_refuse (check, "there is no loop or if that it ends");
      check->plan->steps[begin].jump = check->at + 1;
      check->plan->steps[check->at].jump = opener->op == TL_TILE_FOR ? begin : check->at + 1;
      g_array_set_size (open, open->len - 1);
      return TRUE;
    default:
      return TRUE;
    }
}

static gboolean
plan_other (TlTileCheck *check)
{
  const TlTileInstruction *at = tl_tile_checked (check);

  switch (at->op)
    {
    case TL_TILE_WAIT_GROUP:
      return at->amount >= 0 || tl_tile_refuse (check, "there are no %" G_GINT64_FORMAT " groups", at->amount);
    case TL_TILE_PRINT_TENSOR:
      return tl_tile_use_register (check, at->operands[0]);
    case TL_TILE_FORMAT_PRINT:
      return (at->text != NULL || tl_tile_refuse (check, "there is no text"))
             && (at->function == 0 || check_scalar (check, at->function, "the value"));
    case TL_TILE_ANNOTATE_LAYOUT:
      if (!tl_tile_use_register (check, at->operands[0]) || !tl_tile_use_register (check, at->result))
        return FALSE;
      return tl_layout_equal (&tl_tile_kernel_tensor (check->plan->kernel, at->operands[0])->layout,
                              &tl_tile_kernel_tensor (check->plan->kernel, at->result)->layout)
             || tl_tile_refuse (check, "%s has another layout",
                                tl_tile_kernel_tensor (check->plan->kernel, at->operands[0])->name);
    case TL_TILE_COMMIT_GROUP:
    case TL_TILE_WAIT_ALL:
    case TL_TILE_SYNC_THREADS:
    case TL_TILE_EXIT:
    case TL_TILE_FOR:
    case TL_TILE_IF:
    case TL_TILE_ELSE:
    case TL_TILE_END:
      return TRUE;
    default:
      return tl_tile_refuse (check, "there is no such instruction");
    }
}

static gboolean
check_exprs (TlTileCheck *check)
{
  const TlTileInstruction *at = tl_tile_checked (check);

  if (at->n_offsets > TL_LAYOUT_MAX_DIMS || at->n_sizes > TL_LAYOUT_MAX_DIMS || at->n_strides > TL_LAYOUT_MAX_DIMS
      || at->n_dims > TL_LAYOUT_MAX_DIMS)
    return tl_tile_refuse (check, "there are at most %d dimensions", TL_LAYOUT_MAX_DIMS);
  if ((at->function > 0 && !check_expr (check, at->function, "a function"))
      || (at->mask > 0 && !check_expr (check, at->mask, "a mask")))
    return FALSE;
  for (guint i = 0; i < at->n_offsets; i++)
    if (!check_scalar (check, at->offsets[i], "an offset"))
      return FALSE;
  for (guint i = 0; i < at->n_sizes; i++)
    if (!check_scalar (check, at->sizes[i], "a size"))
      return FALSE;
  for (guint i = 0; i < at->n_strides; i++)
    if (!check_scalar (check, at->strides[i], "a stride"))
      return FALSE;
  return TRUE;
}

static gboolean
plan_step (TlTileCheck *check, GArray *open)
{
  TlTileOp op = tl_tile_checked (check)->op;

  if (!check_exprs (check) || !plan_control (check, open))
    return FALSE;
  if (op >= TL_TILE_ALLOCATE_REGISTER && op <= TL_TILE_SHUFFLE_UP)
    return tl_tile_plan_register (check);
  if (op == TL_TILE_DOT)
    return tl_tile_plan_dot (check);
  if ((op >= TL_TILE_ALLOCATE_GLOBAL && op <= TL_TILE_COPY_ASYNC_GENERIC) || op == TL_TILE_LOCK_SEMAPHORE
      || op == TL_TILE_RELEASE_SEMAPHORE)
    return tl_tile_plan_memory (check);
  return plan_other (check);
}

/* Bits that no access of any tensor of the space cuts. */
static void
find_granules (TlTilePlan *plan)
{
  plan->shared_granule = plan->global_granule = 128;
  for (guint i = 1; i < plan->kernel->tensors->len; i++)
    {
      const TlTileTensor *tensor = &g_array_index (plan->kernel->tensors, TlTileTensor, i);

      if (tensor->space == TL_TILE_SHARED)
        plan->shared_granule = (guint) tl_gcd_u64 (plan->shared_granule, tensor->type.bits);
      else if (tensor->space == TL_TILE_GLOBAL)
        plan->global_granule = (guint) tl_gcd_u64 (plan->global_granule, tensor->type.bits);
    }
}

/* Whether a buffer is written to is known only when all instructions have been seen. */
static void
find_stored (TlTilePlan *plan)
{
  for (guint i = 1; i < plan->kernel->tensors->len; i++)
    if (plan->globals[i].defined && plan->globals[i].buffer >= 0)
      plan->globals[i].stored = plan->stored[plan->globals[i].buffer];
}

TlTilePlan *
tl_tile_plan_new (const TlTileKernel *kernel, guint *instruction, char **reason)
{
  TlTilePlan *plan = g_new0 (TlTilePlan, 1);
  guint       n_tensors = kernel->tensors->len, filler = 0;
  TlTileCheck check = { plan, 0, reason };
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (guint));

  plan->kernel = kernel;
  plan->threads = kernel->threads;
  plan->steps = g_new0 (TlTileStep, MAX (kernel->code->len, 1));
  plan->registers = g_new0 (TlTileRegisterPlan, n_tensors);
  plan->shared = g_new0 (TlTileSharedPlan, n_tensors);
  plan->globals = g_new0 (TlTileGlobalPlan, n_tensors);
  plan->storages = g_array_new (FALSE, FALSE, sizeof (guint));
  plan->roots = g_array_new (FALSE, TRUE, sizeof (TlTileRoot));
  plan->stored = g_new0 (gboolean, MAX (kernel->buffers->len, 1));
  g_array_append_val (plan->storages, filler);
  find_granules (plan);

  gboolean fine = TRUE;
  for (; fine && check.at < kernel->code->len; check.at += fine)
    fine = plan_step (&check, open);
  if (fine && open->len > 0)
    {
      check.at = g_array_index (open, guint, open->len - 1);
      fine = tl_tile_refuse (&check, "it has no end");
    }
  if (!fine)
    {
      if (instruction != NULL)
        *instruction = check.at;
      tl_tile_plan_free (plan);
      return NULL;
    }
  find_stored (plan);
  return plan;
}

void
tl_tile_plan_free (TlTilePlan *plan)
{
  if (plan == NULL)
    return;
  for (guint i = 0; i < plan->kernel->code->len; i++)
    {
      TlTileStep *step = &plan->steps[i];

      for (guint k = 0; k < G_N_ELEMENTS (step->gather); k++)
        g_free (step->gather[k].table);
      g_free (step->coords);
      g_free (step->raw);
      g_free (step->index);
      g_free (step->holder[0]);
      g_free (step->holder[1]);
      g_free (step->codes);
    }
  for (guint i = 0; i < plan->roots->len; i++)
    for (guint d = 0; d < TL_LAYOUT_MAX_DIMS; d++)
      g_free (g_array_index (plan->roots, TlTileRoot, i).tables[d]);
  g_free (plan->steps);
  g_free (plan->registers);
  g_free (plan->shared);
  g_free (plan->globals);
  g_free (plan->stored);
  g_array_unref (plan->storages);
  g_array_unref (plan->roots);
  g_free (plan);
}

guint64
tl_tile_plan_atoms (const TlTilePlan *plan, guint instruction)
{
  g_return_val_if_fail (instruction < plan->kernel->code->len, 0);
  return plan->steps[instruction].atoms;
}
