/* Checks of instructions on registers. All that take elements from where they are do so
 * inside a thread: each thread must hold what its elements are made of. */
#include "layout/element-code.h"
#include "layout/view.h"
#include "tile/plan-private.h"

/* From coordinates of the result to those of the operand; FALSE: the result keeps what it has. */
typedef gboolean (*Source) (const TlTileInstruction *at, const TlTileRegisterPlan *operand,
                            const TlTileRegisterPlan *result, gint64 *coords);

static gboolean
same_place (const TlTileInstruction *at, const TlTileRegisterPlan *operand, const TlTileRegisterPlan *result,
            gint64 *coords)
{
  for (guint d = 0; d < operand->n_dims; d++)
    if (operand->shape[d] == 1)
      coords[d] = 0;
  return TRUE;
}

static gboolean
slice_place (const TlTileInstruction *at, const TlTileRegisterPlan *operand, const TlTileRegisterPlan *result,
             gint64 *coords)
{
  gint64 from[TL_LAYOUT_MAX_DIMS];

  for (guint d = 0; d < operand->n_dims; d++)
    from[d] = at->starts[d];
  for (guint i = 0; i < at->n_dims; i++)
    from[at->dims[i]] += coords[i];
  for (guint d = 0; d < operand->n_dims; d++)
    coords[d] = from[d];
  return TRUE;
}

static gboolean
slice_assign_place (const TlTileInstruction *at, const TlTileRegisterPlan *operand, const TlTileRegisterPlan *result,
                    gint64 *coords)
{
  gint64 inside[TL_LAYOUT_MAX_DIMS] = { 0 };
  guint  kept = 0;

  for (guint i = 0; i < at->n_dims; i++)
    {
      inside[i] = coords[at->dims[i]] - at->starts[at->dims[i]];
      if (inside[i] < 0 || inside[i] >= operand->shape[i])
        return FALSE;
      kept |= 1u << at->dims[i];
    }
  for (guint d = 0; d < result->n_dims; d++)
    if (!(kept >> d & 1) && coords[d] != at->starts[d])
      return FALSE;
  for (guint i = 0; i < at->n_dims; i++)
    coords[i] = inside[i];
  return TRUE;
}

static gboolean
repeat_place (const TlTileInstruction *at, const TlTileRegisterPlan *operand, const TlTileRegisterPlan *result,
              gint64 *coords)
{
  coords[at->dims[0]] %= operand->shape[at->dims[0]];
  return TRUE;
}

static gboolean
interleave_place (const TlTileInstruction *at, const TlTileRegisterPlan *operand, const TlTileRegisterPlan *result,
                  gint64 *coords)
{
  coords[at->dims[0]] /= at->amount;
  return TRUE;
}

/* The local as which any thread that holds @index does. */
static guint
local_of (const TlLayout *layout, const guint64 *weights, guint64 index)
{
  guint local = 0;

  for (guint i = 0; i < layout->n_local; i++)
    {
      guint   m = (guint) layout->local[i];
      guint64 size = (guint64) layout->modes[m];
      local = local * (guint) size + (guint) (index / weights[m] % size);
    }
  return local;
}

static gboolean
fill_gather (TlTileCheck *check, guint result, guint operand, Source source, TlTileGather *gather)
{
  const TlTileInstruction  *at = tl_tile_checked (check);
  const TlTilePlan         *plan = check->plan;
  const TlTileRegisterPlan *to = &plan->registers[result], *from = &plan->registers[operand];
  const TlTileTensor       *to_tensor = tl_tile_kernel_tensor (plan->kernel, result);
  const TlTileTensor       *from_tensor = tl_tile_kernel_tensor (plan->kernel, operand);
  guint64                   weights[2 * TL_LAYOUT_MAX_MODES];

  if (source == same_place && tl_layout_equal (&to_tensor->layout, &from_tensor->layout))
    return TRUE;
  g_autofree guint32 *indices = tl_tile_indices (plan, result);
  g_autofree guint64 *held = g_new (guint64, (gsize) plan->threads * from->locals);
  tl_layout_weights (&from_tensor->layout, weights);
  tl_layout_map (&from_tensor->layout, held);
  gather->table = g_new (guint32, MAX ((gsize) plan->threads * to->locals, 1));
  gather->one_row = TRUE;
  for (guint t = 0; t < plan->threads; t++)
    for (guint l = 0; l < to->locals; l++)
      {
        gsize   i = (gsize) t * to->locals + l;
        gint64  coords[TL_LAYOUT_MAX_DIMS] = { 0 };
        guint32 rest = indices[i];
        guint64 index = 0;

        for (guint d = to->n_dims; d-- > 0;)
          {
            coords[d] = rest % (guint32) to->shape[d];
            rest /= (guint32) to->shape[d];
          }
        gather->table[i] = TL_TILE_KEEP;
        if (source (at, from, to, coords))
          {
            for (guint d = 0; d < from->n_dims; d++)
              index = index * (guint64) from->shape[d] + (guint64) coords[d];
            guint local = local_of (&from_tensor->layout, weights, index);
            if (held[(gsize) t * from->locals + local] != index)
              {
                g_autofree char *text = tl_tile_shape_text (coords, from->n_dims);
                return tl_tile_refuse (check, "thread %u needs element %s of %s and does not hold it", t, text,
                                       from_tensor->name);
              }
            gather->table[i] = local;
          }
        gather->one_row &= gather->table[i] == gather->table[l];
      }
  return TRUE;
}

/* Same rank, and each dimension the result's or 1. */
static gboolean
stretches (TlTileCheck *check, guint operand, guint result)
{
  const TlTileRegisterPlan *from = &check->plan->registers[operand], *to = &check->plan->registers[result];
  gboolean                  fine = from->n_dims == to->n_dims;

  for (guint d = 0; fine && d < to->n_dims; d++)
    fine = from->shape[d] == to->shape[d] || from->shape[d] == 1;
  if (fine)
    return TRUE;
  g_autofree char *a = tl_tile_shape_text (from->shape, from->n_dims);
  g_autofree char *b = tl_tile_shape_text (to->shape, to->n_dims);
  return tl_tile_refuse (check, "%s has shape %s, which does not stretch to %s",
                         tl_tile_kernel_tensor (check->plan->kernel, operand)->name, a, b);
}

static gboolean
same_shape (TlTileCheck *check, guint operand, const gint64 *shape, guint n)
{
  const TlTileRegisterPlan *from = &check->plan->registers[operand];
  gboolean                  fine = from->n_dims == n;

  for (guint d = 0; fine && d < n; d++)
    fine = from->shape[d] == shape[d];
  if (fine)
    return TRUE;
  g_autofree char *a = tl_tile_shape_text (from->shape, from->n_dims);
  g_autofree char *b = tl_tile_shape_text (shape, n);
  return tl_tile_refuse (check, "%s has shape %s, not %s", tl_tile_kernel_tensor (check->plan->kernel, operand)->name,
                         a, b);
}

static gboolean
same_type (TlTileCheck *check, guint operand, guint result)
{
  const TlTileTensor *a = tl_tile_kernel_tensor (check->plan->kernel, operand);
  const TlTileTensor *b = tl_tile_kernel_tensor (check->plan->kernel, result);

  if (tl_element_type_equal (a->type, b->type))
    return TRUE;
  g_autofree char *from = tl_element_type_name (a->type);
  g_autofree char *to = tl_element_type_name (b->type);
  return tl_tile_refuse (check, "%s holds %s, not %s like %s; cast it", a->name, from, to, b->name);
}

/* Whether the result's elements are the operand's, moved by @place only in name. */
static gboolean
same_elements (TlTileCheck *check, guint operand, guint result, gboolean permuted)
{
  const TlTileInstruction  *at = tl_tile_checked (check);
  const TlTilePlan         *plan = check->plan;
  const TlTileRegisterPlan *from = &plan->registers[operand], *to = &plan->registers[result];
  g_autofree guint32       *a = tl_tile_indices (plan, operand);
  g_autofree guint32       *b = tl_tile_indices (plan, result);

  if (from->locals != to->locals)
    return tl_tile_refuse (check, "a thread has %u elements and would have %u", from->locals, to->locals);
  for (gsize i = 0; i < (gsize) plan->threads * from->locals; i++)
    {
      guint32 index = b[i];

      if (permuted)
        {
          gint64  coords[TL_LAYOUT_MAX_DIMS] = { 0 };
          guint32 rest = b[i];

          for (guint d = to->n_dims; d-- > 0;)
            {
              coords[at->dims[d]] = rest % (guint32) to->shape[d];
              rest /= (guint32) to->shape[d];
            }
          index = 0;
          for (guint d = 0; d < from->n_dims; d++)
            index = index * (guint32) from->shape[d] + (guint32) coords[d];
        }
      if (index != a[i])
        return tl_tile_refuse (check, "local %u of thread %u would be another element of %s",
                               (guint) (i % from->locals), (guint) (i / from->locals),
                               tl_tile_kernel_tensor (plan->kernel, operand)->name);
    }
  return TRUE;
}

/* The result becomes another form of the operand's storage. */
static gboolean
share_storage (TlTileCheck *check, guint operand, guint result, guint bit)
{
  TlTileRegisterPlan *from = &check->plan->registers[operand], *to = &check->plan->registers[result];

  to->storage = from->storage;
  to->bit = from->bit + bit;
  return TRUE;
}

static gboolean
plan_form (TlTileCheck *check)
{
  const TlTileInstruction *at = tl_tile_checked (check);
  const TlTileKernel      *kernel = check->plan->kernel;
  guint                    operand = at->operands[0], result = at->result;

  if (!tl_tile_use_register (check, operand) || tl_tile_tensor_of (check, result, TL_TILE_REGISTER) == NULL)
    return FALSE;
  const TlTileTensor *from = tl_tile_kernel_tensor (kernel, operand), *to = tl_tile_kernel_tensor (kernel, result);
  if (check->plan->registers[result].storage != 0)
    return tl_tile_refuse (check, "%s has bits of its own already", to->name);
  if (!tl_tile_use_register (check, result))
    return FALSE;
  g_array_set_size (check->plan->storages, check->plan->storages->len - 1);
  if (at->op == TL_TILE_VIEW)
    {
      g_auto (TlView) view = { 0 };

      if (at->amount < 0 || at->amount > TL_LAYOUT_MAX_SIZE)
        return tl_tile_refuse (check, "there is no local %" G_GINT64_FORMAT, at->amount);
      guint64 bit = (guint64) at->amount * from->type.bits;
      tl_view_judge (&view, (TlViewSide) { from->type, &from->layout }, (TlViewSide) { to->type, &to->layout }, bit,
                     at->flag || at->amount > 0);
      if (view.verdict != TL_VIEW_FREE)
        return tl_tile_refuse (check, "the view is %s: %s",
                               view.verdict == TL_VIEW_NOT_FREE ? "not free" : "ill-defined", view.message);
      return share_storage (check, operand, result, (guint) bit);
    }
  if (!same_type (check, operand, result))
    return FALSE;
  const TlTileRegisterPlan *a = &check->plan->registers[operand], *b = &check->plan->registers[result];
  if (at->op == TL_TILE_TRANSPOSE)
    {
      if (at->n_dims != a->n_dims || b->n_dims != a->n_dims)
        return tl_tile_refuse (check, "%u dimensions are named for %u", at->n_dims, a->n_dims);
      if (!tl_tile_check_dims (check, at->dims, at->n_dims, a->n_dims))
        return FALSE;
      for (guint d = 0; d < b->n_dims; d++)
        if (b->shape[d] != a->shape[at->dims[d]])
          return tl_tile_refuse (check, "dimension %u of %s is not dimension %" G_GINT64_FORMAT " of %s", d, to->name,
                                 at->dims[d], from->name);
    }
  else if (at->op == TL_TILE_SQUEEZE || at->op == TL_TILE_UNSQUEEZE)
    {
      const TlTileRegisterPlan *longer = at->op == TL_TILE_SQUEEZE ? a : b,
                               *shorter = at->op == TL_TILE_SQUEEZE ? b : a;
      guint k = 0, named = 0;

      if (!tl_tile_check_dims (check, at->dims, at->n_dims, longer->n_dims))
        return FALSE;
      for (guint i = 0; i < at->n_dims; i++)
        named |= 1u << at->dims[i];
      gboolean fine = shorter->n_dims + at->n_dims == longer->n_dims;
      for (guint d = 0; fine && d < longer->n_dims; d++)
        fine = named >> d & 1 ? longer->shape[d] == 1 : longer->shape[d] == shorter->shape[k++];
      if (!fine)
        return tl_tile_refuse (check, "the shapes of %s and %s differ by more than the named dimensions of size 1",
                               from->name, to->name);
    }
  return same_elements (check, operand, result, at->op == TL_TILE_TRANSPOSE)
         && share_storage (check, operand, result, 0);
}

static gboolean
plan_part (TlTileCheck *check)
{
  const TlTileInstruction  *at = tl_tile_checked (check);
  gboolean                  assign = at->op == TL_TILE_SLICE_ASSIGN;
  const TlTileRegisterPlan *whole = &check->plan->registers[assign ? at->result : at->operands[0]];
  const TlTileRegisterPlan *part = &check->plan->registers[assign ? at->operands[0] : at->result];

  if (at->n_dims != part->n_dims)
    return tl_tile_refuse (check, "%u dimensions are named for a part of %u", at->n_dims, part->n_dims);
  if (!tl_tile_check_dims (check, at->dims, at->n_dims, whole->n_dims))
    return FALSE;
  for (guint d = 0; d < whole->n_dims; d++)
    {
      gint64 size = 1;

      for (guint i = 0; i < at->n_dims; i++)
        if (at->dims[i] == d)
          size = part->shape[i];
      if (at->starts[d] < 0 || at->starts[d] > whole->shape[d] - size)
        return tl_tile_refuse (check,
                               "%" G_GINT64_FORMAT " elements from %" G_GINT64_FORMAT
                               " on do not fit dimension %u of %" G_GINT64_FORMAT,
                               size, at->starts[d], d, whole->shape[d]);
    }
  return fill_gather (check, at->result, at->operands[0], assign ? slice_assign_place : slice_place,
                      &check->plan->steps[check->at].gather[0]);
}

static gboolean
plan_repeat (TlTileCheck *check)
{
  const TlTileInstruction  *at = tl_tile_checked (check);
  const TlTileRegisterPlan *from = &check->plan->registers[at->operands[0]], *to = &check->plan->registers[at->result];
  gint64                    shape[TL_LAYOUT_MAX_DIMS];

  if (at->n_dims != 1 || at->amount < 1 || at->amount > TL_LAYOUT_MAX_SIZE)
    return tl_tile_refuse (check, "one dimension and how often are needed");
  if (!tl_tile_check_dims (check, at->dims, 1, from->n_dims))
    return FALSE;
  for (guint d = 0; d < from->n_dims; d++)
    shape[d] = from->shape[d] * (d == at->dims[0] ? at->amount : 1);
  return to->n_dims <= from->n_dims && same_shape (check, at->result, shape, from->n_dims)
         && fill_gather (check, at->result, at->operands[0], at->op == TL_TILE_REPEAT ? repeat_place : interleave_place,
                         &check->plan->steps[check->at].gather[0]);
}

static gboolean
plan_cast (TlTileCheck *check)
{
  const TlTileInstruction *at = tl_tile_checked (check);
  const TlTileKernel      *kernel = check->plan->kernel;
  TlElementType            from = tl_tile_kernel_tensor (kernel, at->operands[0])->type;
  TlElementType            to = tl_tile_kernel_tensor (kernel, at->result)->type;

  if (from.bits > 8)
    return TRUE;
  guint32 *codes = check->plan->steps[check->at].codes = g_new (guint32, 1u << from.bits);
  for (guint code = 0; code < 1u << from.bits; code++)
    {
      double  value = tl_element_decode (from, code);
      guint64 other;

      if (!tl_element_encode (to, value, &other))
        other = tl_element_round (to, value);
      codes[code] = (guint32) other;
    }
  return TRUE;
}

static gboolean
plan_elementwise (TlTileCheck *check)
{
  const TlTileInstruction *at = tl_tile_checked (check);
  TlTileStep              *step = &check->plan->steps[check->at];
  gboolean                 any_type = at->op == TL_TILE_CAST || at->op == TL_TILE_UNARY || at->op == TL_TILE_BINARY;

  for (guint k = 0; k < tl_tile_n_operands (at->op); k++)
    if (!(stretches (check, at->operands[k], at->result)
          && (any_type || (at->op == TL_TILE_WHERE && k == 0) || same_type (check, at->operands[k], at->result))
          && fill_gather (check, at->result, at->operands[k], same_place, &step->gather[k])))
      return FALSE;
  if (at->op == TL_TILE_CLIP && !(at->low <= at->high))
    return tl_tile_refuse (check, "nothing lies between %g and %g", at->low, at->high);
  if (at->op == TL_TILE_UNARY || at->op == TL_TILE_BINARY)
    {
      if (at->function == 0)
        return tl_tile_refuse (check, "a function is missing");
      step->coords = tl_tile_coords (check->plan, at->result);
    }
  return at->op != TL_TILE_CAST || plan_cast (check);
}

static gboolean
plan_fold (TlTileCheck *check)
{
  const TlTileInstruction  *at = tl_tile_checked (check);
  const TlTileRegisterPlan *from = &check->plan->registers[at->operands[0]];
  TlTileStep               *step = &check->plan->steps[check->at];
  gint64                    shape[TL_LAYOUT_MAX_DIMS];
  guint                     n = 0;

  if (at->n_dims != 1)
    return tl_tile_refuse (check, "one dimension is needed");
  if (!tl_tile_check_dims (check, at->dims, 1, from->n_dims) || !same_type (check, at->operands[0], at->result))
    return FALSE;
  for (guint d = 0; d < from->n_dims; d++)
    if (at->op == TL_TILE_SCAN || d != at->dims[0])
      shape[n++] = from->shape[d];
    else if (at->flag)
      shape[n++] = 1;
  if (!same_shape (check, at->result, shape, n))
    return FALSE;
  step->holder[0] = tl_tile_holders (check->plan, at->operands[0]);
  step->index = tl_tile_indices (check->plan, at->result);
  return TRUE;
}

/* Where thread @t's bits come from. */
static guint
shuffle_source (const TlTileInstruction *at, guint t, guint threads)
{
  gint64 lane = t % at->width;
  gint64 from = at->op == TL_TILE_SHUFFLE_DOWN ? lane + at->amount : lane - at->amount;
  gint64 source = (gint64) t - lane + from;

  return from >= 0 && from < at->width && source < threads ? (guint) source : t;
}

static gboolean
plan_shuffle (TlTileCheck *check)
{
  const TlTileInstruction *at = tl_tile_checked (check);
  const TlTileTensor      *from = tl_tile_kernel_tensor (check->plan->kernel, at->operands[0]);
  const TlTileTensor      *to = tl_tile_kernel_tensor (check->plan->kernel, at->result);

  if (at->width < 1 || at->width > TL_TILE_WARP || (at->width & (at->width - 1)) != 0 || at->amount < 0)
    return tl_tile_refuse (check, "threads exchange in groups of 1, 2, 4, .. %d, and by 0 or more", TL_TILE_WARP);
  if (!same_type (check, at->operands[0], at->result))
    return FALSE;
  if (!tl_layout_equal (&from->layout, &to->layout))
    return tl_tile_refuse (check, "%s and %s have different layouts", from->name, to->name);
  /* Copies of an element must come from copies of an element. */
  guint               threads = check->plan->threads;
  g_autofree guint32 *came = g_new (guint32, tl_layout_elements (&to->layout));
  for (guint t = 0; t < threads; t++)
    came[tl_layout_index (&to->layout, t, 0)] = shuffle_source (at, t, threads);
  for (guint t = 0; t < threads; t++)
    {
      guint other = came[tl_layout_index (&to->layout, t, 0)], own = shuffle_source (at, t, threads);
      if (tl_layout_index (&from->layout, other, 0) != tl_layout_index (&from->layout, own, 0))
        return tl_tile_refuse (check, "thread %u holds copies, and they would come from different elements", t);
    }
  check->plan->steps[check->at].index = g_new (guint32, threads);
  for (guint t = 0; t < threads; t++)
    check->plan->steps[check->at].index[t] = shuffle_source (at, t, threads);
  return TRUE;
}

gboolean
tl_tile_plan_register (TlTileCheck *check)
{
  const TlTileInstruction *at = tl_tile_checked (check);

  if (tl_tile_is_form (at->op))
    return plan_form (check);
  if (!tl_tile_use_register (check, at->result))
    return FALSE;
  for (guint k = 0; k < tl_tile_n_operands (at->op); k++)
    if (!tl_tile_use_register (check, at->operands[k]))
      return FALSE;
  switch (at->op)
    {
    case TL_TILE_ALLOCATE_REGISTER:
      if (at->function > 0)
        check->plan->steps[check->at].coords = tl_tile_coords (check->plan, at->result);
      return TRUE;
    case TL_TILE_ASSIGN:
      return same_type (check, at->operands[0], at->result)
             && same_shape (check, at->operands[0], check->plan->registers[at->result].shape,
                            check->plan->registers[at->result].n_dims)
             && fill_gather (check, at->result, at->operands[0], same_place, &check->plan->steps[check->at].gather[0]);
    case TL_TILE_SLICE_ASSIGN:
    case TL_TILE_SLICE_REGISTER:
      return same_type (check, at->operands[0], at->result) && plan_part (check);
    case TL_TILE_REPEAT:
    case TL_TILE_REPEAT_INTERLEAVE:
      return same_type (check, at->operands[0], at->result) && plan_repeat (check);
    case TL_TILE_REDUCE:
    case TL_TILE_SCAN:
      return plan_fold (check);
    case TL_TILE_SHUFFLE_DOWN:
    case TL_TILE_SHUFFLE_UP:
      return plan_shuffle (check);
    default:
      return plan_elementwise (check);
    }
}
