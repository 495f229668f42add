/* Checks of instructions on memory: ranks, shapes, and how shared tensors lie. */
#include "tile/plan-private.h"

static gboolean
define_global (TlTileCheck *check, guint tensor, guint n_dims, gint64 buffer)
{
  const TlTileTensor *found = tl_tile_tensor_of (check, tensor, TL_TILE_GLOBAL);
  TlTileGlobalPlan   *plan;

  if (found == NULL)
    return FALSE;
  plan = &check->plan->globals[tensor];
  if (plan->defined)
    return tl_tile_refuse (check, "%s is defined already", found->name);
  if (found->type.bits == 0 || found->type.bits > 32)
    return tl_tile_refuse (check, "%s has elements of %u bits; up to 32 can be computed with", found->name,
                           found->type.bits);
  *plan = (TlTileGlobalPlan) { TRUE, n_dims, buffer, buffer < 0 };
  return TRUE;
}

static const TlTileGlobalPlan *
defined_global (TlTileCheck *check, guint tensor)
{
  const TlTileTensor *found = tl_tile_tensor_of (check, tensor, TL_TILE_GLOBAL);

  if (found == NULL)
    return NULL;
  if (check->plan->globals[tensor].defined)
    return &check->plan->globals[tensor];
  tl_tile_refuse (check, "%s is not defined yet", found->name);
  return NULL;
}

static const TlTileSharedPlan *
defined_shared (TlTileCheck *check, guint tensor)
{
  const TlTileTensor *found = tl_tile_tensor_of (check, tensor, TL_TILE_SHARED);

  if (found == NULL)
    return NULL;
  if (check->plan->shared[tensor].defined)
    return &check->plan->shared[tensor];
  tl_tile_refuse (check, "%s is not defined yet", found->name);
  return NULL;
}

/* Offset of each coordinate of each dimension, without the swizzle. */
static gboolean
add_root (TlTileCheck *check, const TlShared *layout, guint *number)
{
  TlTileRoot root = { .layout = *layout };
  TlShared   bare = *layout;
  guint64    weight = 1, elements = tl_shared_elements (layout);

  if (elements > TL_LAYOUT_MAX_SIZE || tl_shared_size (layout) > TL_LAYOUT_MAX_SIZE)
    return tl_tile_refuse (check, "a shared tensor of %" G_GUINT64_FORMAT " elements is too large", elements);
  bare.swizzle.bits = 0;
  for (guint d = layout->n_dims; d-- > 0;)
    {
      root.tables[d] = g_new (gint64, layout->shape[d]);
      for (gint32 c = 0; c < layout->shape[d]; c++)
        root.tables[d][c] = (gint64) tl_shared_offset (&bare, (guint64) c * weight);
      weight *= (guint64) layout->shape[d];
    }
  for (guint64 x = 0; x < elements; x++)
    root.size = MAX (root.size, tl_shared_offset (layout, x) + 1);
  *number = check->plan->roots->len;
  g_array_append_val (check->plan->roots, root);
  return TRUE;
}

static gboolean
define_shared (TlTileCheck *check, guint tensor, TlTileSharedPlan plan)
{
  const TlTileTensor *found = tl_tile_tensor_of (check, tensor, TL_TILE_SHARED);

  if (found == NULL)
    return FALSE;
  if (check->plan->shared[tensor].defined)
    return tl_tile_refuse (check, "%s is defined already", found->name);
  plan.defined = TRUE;
  check->plan->shared[tensor] = plan;
  return TRUE;
}

/* A tensor that is all of @layout. */
static gboolean
define_whole (TlTileCheck *check, guint tensor, const TlShared *layout)
{
  TlTileSharedPlan plan = { .whole = TRUE, .n_dims = layout->n_dims };

  for (guint d = 0; d < layout->n_dims; d++)
    {
      plan.dims[d] = d;
      plan.shape[d] = layout->shape[d];
    }
  return add_root (check, layout, &plan.root) && define_shared (check, tensor, plan);
}

static gboolean
same_type (TlTileCheck *check, guint a, guint b)
{
  const TlTileTensor *x = tl_tile_kernel_tensor (check->plan->kernel, a);
  const TlTileTensor *y = tl_tile_kernel_tensor (check->plan->kernel, b);

  return tl_element_type_equal (x->type, y->type)
         || tl_tile_refuse (check, "%s and %s hold elements of different types", x->name, y->name);
}

static gboolean
plan_allocate_shared (TlTileCheck *check)
{
  guint               tensor = tl_tile_checked (check)->result;
  const TlTileTensor *found = tl_tile_tensor_of (check, tensor, TL_TILE_SHARED);

  if (found == NULL)
    return FALSE;
  if (found->type.bits == 0 || found->type.bits > 32)
    return tl_tile_refuse (check, "%s has elements of %u bits; up to 32 can be computed with", found->name,
                           found->type.bits);
  return define_whole (check, tensor, &found->shared);
}

static gboolean
plan_slice_shared (TlTileCheck *check)
{
  const TlTileInstruction *at = tl_tile_checked (check);
  const TlTileSharedPlan  *from = defined_shared (check, at->operands[0]);
  TlTileSharedPlan         to = { 0 };

  if (from == NULL || tl_tile_tensor_of (check, at->result, TL_TILE_SHARED) == NULL
      || !same_type (check, at->operands[0], at->result)
      || !tl_tile_check_dims (check, at->dims, at->n_dims, from->n_dims))
    return FALSE;
  if (at->n_offsets != from->n_dims)
    return tl_tile_refuse (check, "%u offsets are given for %u dimensions", at->n_offsets, from->n_dims);
  if (at->n_sizes != at->n_dims)
    return tl_tile_refuse (check, "%u sizes are given for %u dimensions", at->n_sizes, at->n_dims);
  to.root = from->root;
  to.n_dims = at->n_dims;
  for (guint i = 0; i < at->n_dims; i++)
    {
      double size;

      if (!tl_tile_expr_constant (check->plan->kernel, at->sizes[i], &size) || size < 1
          || size > from->shape[at->dims[i]])
        return tl_tile_refuse (check, "size %u must be a number from 1 to %" G_GINT64_FORMAT, i,
                               from->shape[at->dims[i]]);
      to.dims[i] = from->dims[at->dims[i]];
      to.shape[i] = (gint64) size;
    }
  return define_shared (check, at->result, to);
}

static gboolean
plan_reform_shared (TlTileCheck *check)
{
  const TlTileInstruction *at = tl_tile_checked (check);
  const TlTileSharedPlan  *from = defined_shared (check, at->operands[0]);
  g_autofree char         *reason = NULL;
  TlShared                 layout;

  if (from == NULL || tl_tile_tensor_of (check, at->result, TL_TILE_SHARED) == NULL
      || !same_type (check, at->operands[0], at->result))
    return FALSE;
  if (at->op == TL_TILE_PERMUTE_SHARED)
    {
      TlTileSharedPlan to = { .root = from->root, .n_dims = from->n_dims };

      if (at->n_dims != from->n_dims)
        return tl_tile_refuse (check, "%u dimensions are named for %u", at->n_dims, from->n_dims);
      if (!tl_tile_check_dims (check, at->dims, at->n_dims, from->n_dims))
        return FALSE;
      for (guint d = 0; d < to.n_dims; d++)
        {
          to.dims[d] = from->dims[at->dims[d]];
          to.shape[d] = from->shape[at->dims[d]];
        }
      return define_shared (check, at->result, to);
    }
  if (!from->whole)
    return tl_tile_refuse (check, "only a whole shared tensor can be given another shape");
  if (!tl_shared_reshape (&layout, &g_array_index (check->plan->roots, TlTileRoot, from->root).layout, at->dims,
                          at->n_dims, &reason))
    return tl_tile_refuse (check, "%s", reason);
  return define_whole (check, at->result, &layout);
}

/* Offsets, before the swizzle, of @n elements at @coords of a part that begins at 0. */
static guint32 *
raw_offsets (const TlTilePlan *plan, guint shared, const guint32 *coords, gsize n)
{
  const TlTileSharedPlan *part = &plan->shared[shared];
  const TlTileRoot       *root = &g_array_index (plan->roots, TlTileRoot, part->root);
  guint32                *raw = g_new0 (guint32, MAX (n, 1));

  for (gsize i = 0; i < n; i++)
    for (guint d = 0; d < part->n_dims; d++)
      raw[i] += (guint32) root->tables[part->dims[d]][coords[i * part->n_dims + d]];
  return raw;
}

/* Register @reg and shared @shared: type and shape; the step gets the coordinates. */
static gboolean
plan_shared_move (TlTileCheck *check, guint reg, guint shared)
{
  const TlTileSharedPlan *from = defined_shared (check, shared);

  if (from == NULL || !tl_tile_use_register (check, reg) || !same_type (check, reg, shared))
    return FALSE;
  const TlTileRegisterPlan *to = &check->plan->registers[reg];
  gboolean                  fine = to->n_dims == from->n_dims;
  for (guint d = 0; fine && d < to->n_dims; d++)
    fine = to->shape[d] == from->shape[d];
  if (!fine)
    {
      g_autofree char *a = tl_tile_shape_text (to->shape, to->n_dims);
      g_autofree char *b = tl_tile_shape_text (from->shape, from->n_dims);
      return tl_tile_refuse (check, "%s has shape %s and %s has %s",
                             tl_tile_kernel_tensor (check->plan->kernel, reg)->name, a,
                             tl_tile_kernel_tensor (check->plan->kernel, shared)->name, b);
    }
  TlTileStep *step = &check->plan->steps[check->at];
  step->coords = tl_tile_coords (check->plan, reg);
  step->raw = raw_offsets (check->plan, shared, step->coords, (gsize) check->plan->threads * to->locals);
  return TRUE;
}

/* Offsets for each dimension of @global; dimension i of the tile, of @rank, runs along dims[i]. */
static gboolean
check_window (TlTileCheck *check, const TlTileGlobalPlan *global, guint rank)
{
  const TlTileInstruction *at = tl_tile_checked (check);

  if (at->n_offsets != global->n_dims)
    return tl_tile_refuse (check, "%u offsets are given for %u dimensions", at->n_offsets, global->n_dims);
  if (at->n_dims != rank)
    return tl_tile_refuse (check, "%u dimensions are named for a tile of %u", at->n_dims, rank);
  return tl_tile_check_dims (check, at->dims, at->n_dims, global->n_dims);
}

static void
mark_stored (TlTilePlan *plan, guint global)
{
  if (plan->globals[global].buffer >= 0)
    plan->stored[plan->globals[global].buffer] = TRUE;
}

static gboolean
plan_global_move (TlTileCheck *check, guint reg, guint global, gboolean store)
{
  const TlTileInstruction *at = tl_tile_checked (check);
  const TlTileGlobalPlan  *memory = defined_global (check, global);
  gboolean                 generic = at->op == TL_TILE_LOAD_GLOBAL_GENERIC || at->op == TL_TILE_STORE_GLOBAL_GENERIC;

  if (memory == NULL || !tl_tile_use_register (check, reg) || !same_type (check, reg, global))
    return FALSE;
  if (generic ? at->function == 0 && !tl_tile_refuse (check, "the function of the offset is missing")
              : !check_window (check, memory, check->plan->registers[reg].n_dims))
    return FALSE;
  if (store)
    mark_stored (check->plan, global);
  check->plan->steps[check->at].coords = tl_tile_coords (check->plan, reg);
  return TRUE;
}

/* Coordinates of all elements of a shared tensor, row-major. */
static guint32 *
shared_coords (const TlTileSharedPlan *plan, gsize *n)
{
  *n = 1;
  for (guint d = 0; d < plan->n_dims; d++)
    *n *= (gsize) plan->shape[d];
  guint32 *coords = g_new (guint32, MAX (*n * plan->n_dims, 1));
  for (gsize i = 0; i < *n; i++)
    {
      gsize rest = i;

      for (guint d = plan->n_dims; d-- > 0;)
        {
          coords[i * plan->n_dims + d] = (guint32) (rest % (gsize) plan->shape[d]);
          rest /= (gsize) plan->shape[d];
        }
    }
  return coords;
}

static gboolean
plan_copy (TlTileCheck *check)
{
  const TlTileInstruction *at = tl_tile_checked (check);
  const TlTileGlobalPlan  *from = defined_global (check, at->operands[0]);
  const TlTileSharedPlan  *to = from != NULL ? defined_shared (check, at->operands[1]) : NULL;

  if (to == NULL || !same_type (check, at->operands[0], at->operands[1]))
    return FALSE;
  TlTileStep *step = &check->plan->steps[check->at];
  gsize       n;
  step->coords = shared_coords (to, &n);
  step->raw = raw_offsets (check->plan, at->operands[1], step->coords, n);
  if (at->op == TL_TILE_COPY_ASYNC)
    return check_window (check, from, to->n_dims);
  return at->function > 0 || tl_tile_refuse (check, "the function of the offset is missing");
}

static gboolean
plan_global (TlTileCheck *check)
{
  const TlTileInstruction *at = tl_tile_checked (check);

  if (at->op == TL_TILE_SLICE_GLOBAL)
    {
      const TlTileGlobalPlan *from = defined_global (check, at->operands[0]);

      return from != NULL && check_window (check, from, at->n_dims)
             && tl_tile_tensor_of (check, at->result, TL_TILE_GLOBAL) != NULL
             && same_type (check, at->operands[0], at->result)
             && define_global (check, at->result, at->n_dims, from->buffer);
    }
  if (at->n_sizes == 0)
    return tl_tile_refuse (check, "the sizes are missing");
  if (at->op == TL_TILE_ALLOCATE_GLOBAL)
    return define_global (check, at->result, at->n_sizes, -1);
  if (at->n_strides != 0 && at->n_strides != at->n_sizes)
    return tl_tile_refuse (check, "%u strides are given for %u dimensions", at->n_strides, at->n_sizes);
  if (at->amount < 0 || at->amount >= check->plan->kernel->buffers->len)
    return tl_tile_refuse (check, "there is no buffer %" G_GINT64_FORMAT, at->amount);
  return define_global (check, at->result, at->n_sizes, at->amount);
}

static gboolean
plan_semaphore (TlTileCheck *check)
{
  const TlTileInstruction *at = tl_tile_checked (check);
  const TlTileGlobalPlan  *memory = defined_global (check, at->operands[0]);
  const TlElementType      i32 = { TL_ELEMENT_INT, 32, 0, 0 };

  if (memory == NULL)
    return FALSE;
  if (!tl_element_type_equal (tl_tile_kernel_tensor (check->plan->kernel, at->operands[0])->type, i32))
    return tl_tile_refuse (check, "semaphores are i32");
  if (at->n_offsets != memory->n_dims)
    return tl_tile_refuse (check, "%u offsets are given for %u dimensions", at->n_offsets, memory->n_dims);
  if (at->function == 0 || tl_tile_expr_varies (check->plan->kernel, at->function))
    return tl_tile_refuse (check, "a value for the whole block is needed");
  mark_stored (check->plan, at->operands[0]);
  return TRUE;
}

gboolean
tl_tile_plan_memory (TlTileCheck *check)
{
  const TlTileInstruction *at = tl_tile_checked (check);

  switch (at->op)
    {
    case TL_TILE_ALLOCATE_SHARED:
      return plan_allocate_shared (check);
    case TL_TILE_FREE_SHARED:
      return defined_shared (check, at->operands[0]) != NULL;
    case TL_TILE_SLICE_SHARED:
      return plan_slice_shared (check);
    case TL_TILE_RESHAPE_SHARED:
    case TL_TILE_PERMUTE_SHARED:
      return plan_reform_shared (check);
    case TL_TILE_LOAD_SHARED:
      return plan_shared_move (check, at->result, at->operands[0]);
    case TL_TILE_STORE_SHARED:
      return plan_shared_move (check, at->operands[0], at->operands[1]);
    case TL_TILE_LOAD_GLOBAL:
    case TL_TILE_LOAD_GLOBAL_GENERIC:
      return plan_global_move (check, at->result, at->operands[0], FALSE);
    case TL_TILE_STORE_GLOBAL:
    case TL_TILE_STORE_GLOBAL_GENERIC:
      return plan_global_move (check, at->operands[0], at->operands[1], TRUE);
    case TL_TILE_COPY_ASYNC:
    case TL_TILE_COPY_ASYNC_GENERIC:
      return plan_copy (check);
    case TL_TILE_LOCK_SEMAPHORE:
    case TL_TILE_RELEASE_SEMAPHORE:
      return plan_semaphore (check);
    default:
      return plan_global (check);
    }
}
