/* Small kernels for tests. */
#include "workshop.h"

TlLayout
layout_of (const char *text)
{
  TlLayout         layout;
  g_autofree char *reason = NULL;

  if (!tl_layout_parse (&layout, text, -1, NULL, &reason))
    ck_abort_msg ("%s: %s", text, reason);
  return layout;
}

TlElementType
type_of (const char *name)
{
  TlElementType type;

  ck_assert_msg (tl_element_type_parse (name, &type), "%s", name);
  return type;
}

Workshop *
workshop_new (guint threads)
{
  Workshop *shop = g_new0 (Workshop, 1);

  shop->kernel = tl_tile_kernel_new ("test", threads);
  return shop;
}

void
workshop_free (Workshop *shop)
{
  tl_tile_report_clear (&shop->report);
  tl_tile_plan_free (shop->plan);
  tl_tile_kernel_free (shop->kernel);
  g_free (shop);
}

static char *
next_name (const Workshop *shop, char kind)
{
  return g_strdup_printf ("%c%u", kind, tl_tile_kernel_n_tensors (shop->kernel));
}

guint
reg (Workshop *shop, const char *type, const char *layout)
{
  g_autofree char *name = next_name (shop, 'r');
  TlLayout         parsed = layout_of (layout);

  return tl_tile_register (shop->kernel, name, type_of (type), &parsed);
}

guint
shared (Workshop *shop, const char *type, const char *layout)
{
  g_autofree char *name = next_name (shop, 's');
  g_autofree char *reason = NULL;
  TlShared         parsed = { 0 };

  if (layout != NULL && !tl_shared_parse (&parsed, layout, -1, NULL, &reason))
    ck_abort_msg ("%s: %s", layout, reason);
  return tl_tile_shared (shop->kernel, name, type_of (type), &parsed);
}

guint
number (Workshop *shop, double value)
{
  return tl_tile_number (shop->kernel, value);
}

guint
view (Workshop *shop, const char *type, gpointer data, gsize size, guint n, ...)
{
  g_autofree char  *name = next_name (shop, 'g');
  TlTileInstruction at = { .op = TL_TILE_GLOBAL_VIEW, .amount = tl_tile_buffer (shop->kernel, name), .n_sizes = n };
  va_list           arguments;

  va_start (arguments, n);
  for (guint d = 0; d < n; d++)
    at.sizes[d] = number (shop, va_arg (arguments, int));
  va_end (arguments);
  at.result = tl_tile_global (shop->kernel, name, type_of (type));
  shop->buffers[shop->n_buffers++] = (TlTileBuffer) { data, size };
  tl_tile_add (shop->kernel, at);
  return at.result;
}

static guint
move (Workshop *shop, guint r, gpointer data, gsize size, gboolean out)
{
  const TlTileTensor *tensor = tl_tile_kernel_tensor (shop->kernel, r);
  g_autofree char    *name = next_name (shop, 'g');
  TlElementType       type = tensor->type;
  TlLayout            layout = tensor->layout;
  TlTileInstruction   at
      = { .op = TL_TILE_GLOBAL_VIEW, .amount = tl_tile_buffer (shop->kernel, name), .n_sizes = layout.n_dims };
  TlTileInstruction go = { .op = out ? TL_TILE_STORE_GLOBAL : TL_TILE_LOAD_GLOBAL, .n_dims = layout.n_dims };

  go.n_offsets = layout.n_dims;
  for (guint d = 0; d < layout.n_dims; d++)
    {
      at.sizes[d] = number (shop, layout.shape[d]);
      go.offsets[d] = number (shop, 0);
      go.dims[d] = d;
    }
  at.result = tl_tile_global (shop->kernel, name, type);
  shop->buffers[shop->n_buffers++] = (TlTileBuffer) { data, size };
  tl_tile_add (shop->kernel, at);
  go.operands[out ? 1 : 0] = at.result;
  if (out)
    go.operands[0] = r;
  else
    go.result = r;
  return tl_tile_add (shop->kernel, go);
}

guint
load (Workshop *shop, guint r, gpointer data, gsize size)
{
  return move (shop, r, data, size, FALSE);
}

guint
store (Workshop *shop, guint r, gpointer data, gsize size)
{
  return move (shop, r, data, size, TRUE);
}

guint
add (Workshop *shop, TlTileInstruction instruction)
{
  return tl_tile_add (shop->kernel, instruction);
}

guint
op (Workshop *shop, TlTileOp what, guint result, guint a, guint b)
{
  return add (shop, (TlTileInstruction) { .op = what, .result = result, .operands = { a, b } });
}

void
plan (Workshop *shop)
{
  g_autofree char *reason = NULL;
  guint            at = 0;

  shop->plan = tl_tile_plan_new (shop->kernel, &at, &reason);
  if (shop->plan == NULL)
    {
      g_autofree char *text = tl_tile_kernel_to_text (shop->kernel);
      ck_abort_msg ("instruction %u: %s\n%s", at, reason, text);
    }
}

char *
refusal (Workshop *shop, guint *at)
{
  char *reason = NULL;

  shop->plan = tl_tile_plan_new (shop->kernel, at, &reason);
  ck_assert_msg (shop->plan == NULL, "it was not refused");
  ck_assert_ptr_nonnull (reason);
  return reason;
}

gboolean
run (Workshop *shop, guint blocks)
{
  TlTileLaunch launch
      = { .grid = { blocks, 1, 1 }, .buffers = shop->buffers, .n_buffers = shop->n_buffers, .most_steps = 100000 };

  plan (shop);
  return tl_tile_run (shop->plan, &launch, &shop->report);
}

void
run_well (Workshop *shop)
{
  if (!run (shop, 1))
    {
      g_autofree char *text = tl_tile_kernel_to_text (shop->kernel);
      ck_abort_msg ("%s\n%s", shop->report.fault.message, text);
    }
}
