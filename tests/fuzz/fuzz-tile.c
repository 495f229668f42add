/* Tile kernels made of arbitrary bytes: each is refused with a reason, or runs to its end or a
 * fault without touching what is not its own. */
#include "tile/run.h"

int LLVMFuzzerTestOneInput (const guint8 *data, size_t size);

typedef struct
{
  const guint8 *data;
  size_t        size;
} Bytes;

static guint
next (Bytes *bytes, guint below)
{
  if (bytes->size == 0)
    return 0;
  bytes->size--;
  return *bytes->data++ % below;
}

static const char *const layouts[] = {
  "spatial(4)",
  "replicated(4,num_workers=4)",
  "spatial(4).local(2)",
  "local(2).spatial(4)",
  "spatial(2,2).local(2,3)",
  "reduce(spatial(2,2),[0],keepdims=True).local(1,3)",
  "permute(spatial(2,2).local(2,3),[1,0])",
  "column_spatial(4,1).column_local(1,6)",
  "local(3).spatial(4)",
  "spatial(4,1)",
  "spatial(2).replicated(1,num_workers=2)",
  "replicated(1,num_workers=4)",
};
static const char *const shared_layouts[]
    = { "row_major(4)", "row_major(8)", "row_major(4,6)", "row_major_swizzle([8,16],2)", "column_major(4,6)" };
static const char *const types[] = { "u8", "i32", "f32", "f16", "u3", "i6", "f6e3m2", "u1" };

enum
{
  N_REGISTERS = 14,
  N_SHARED = 5,
  N_GLOBAL = 4,
  N_TENSORS = N_REGISTERS + N_SHARED + N_GLOBAL,
};

static TlElementType
any_type (Bytes *bytes)
{
  TlElementType type;

  g_assert_true (tl_element_type_parse (types[next (bytes, G_N_ELEMENTS (types))], &type));
  return type;
}

static void
add_tensors (TlTileKernel *kernel, Bytes *bytes)
{
  for (guint i = 0; i < N_REGISTERS; i++)
    {
      TlLayout layout;

      g_assert_true (tl_layout_parse (&layout, layouts[next (bytes, G_N_ELEMENTS (layouts))], -1, NULL, NULL));
      tl_tile_register (kernel, "r", any_type (bytes), &layout);
    }
  for (guint i = 0; i < N_SHARED; i++)
    {
      TlShared layout;

      g_assert_true (
          tl_shared_parse (&layout, shared_layouts[next (bytes, G_N_ELEMENTS (shared_layouts))], -1, NULL, NULL));
      tl_tile_shared (kernel, "s", any_type (bytes), &layout);
    }
  for (guint i = 0; i < N_GLOBAL; i++)
    tl_tile_global (kernel, "g", any_type (bytes));
}

/* A number, an index, an element, a variable, or two of the expressions before in one. */
static guint
any_expr (TlTileKernel *kernel, Bytes *bytes, guint *exprs, guint *n, gboolean varies)
{
  guint how = next (bytes, varies ? 7 : 4), expr;

  if (how <= 1 || *n == 0)
    expr = tl_tile_number (kernel, (double) next (bytes, 12) - 2);
  else if (how == 2)
    expr = tl_tile_block_index (kernel, next (bytes, 3));
  else if (how == 4)
    expr = tl_tile_index (kernel, next (bytes, 3));
  else if (how == 5)
    expr = tl_tile_element (kernel, next (bytes, 2));
  else
    expr = tl_tile_binary (kernel, (TlTileExprKind) (TL_TILE_PLUS + next (bytes, TL_TILE_SELECT - TL_TILE_PLUS)),
                           exprs[next (bytes, *n)], exprs[next (bytes, *n)]);
  exprs[(*n)++] = expr;
  return expr;
}

static void
add_instruction (TlTileKernel *kernel, Bytes *bytes, guint *exprs, guint *n, gint64 variable)
{
  TlTileInstruction at = { .op = (TlTileOp) next (bytes, TL_TILE_N_OPS + 1) };

  at.result = next (bytes, N_TENSORS + 1);
  for (guint k = 0; k < 3; k++)
    at.operands[k] = next (bytes, N_TENSORS + 1);
  at.n_offsets = next (bytes, 4);
  at.n_sizes = next (bytes, 3);
  at.n_strides = next (bytes, 8) == 0 ? at.n_sizes : 0;
  at.n_dims = next (bytes, 3);
  if (at.op == TL_TILE_FOR)
    {
      at.n_offsets = 3;
      at.amount = variable;
    }
  else
    at.amount = (gint64) next (bytes, 8) - 1;
  for (guint i = 0; i < at.n_offsets; i++)
    at.offsets[i] = any_expr (kernel, bytes, exprs, n, FALSE);
  for (guint i = 0; i < at.n_sizes; i++)
    at.sizes[i] = any_expr (kernel, bytes, exprs, n, FALSE);
  for (guint i = 0; i < at.n_strides; i++)
    at.strides[i] = any_expr (kernel, bytes, exprs, n, FALSE);
  for (guint i = 0; i < at.n_dims; i++)
    {
      at.dims[i] = (gint64) next (bytes, 9) - 1;
      at.starts[i] = (gint64) next (bytes, 4) - 1;
    }
  if (next (bytes, 2) == 1)
    at.function = any_expr (kernel, bytes, exprs, n, TRUE);
  if (next (bytes, 4) == 1)
    at.mask = any_expr (kernel, bytes, exprs, n, TRUE);
  at.width = next (bytes, 9);
  at.low = -1;
  at.high = next (bytes, 5);
  at.fold = (TlTileFold) next (bytes, 5);
  at.flag = next (bytes, 2) == 1;
  at.text = next (bytes, 2) == 1 ? "text" : NULL;
  tl_tile_add (kernel, at);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  Bytes            bytes = { data, MIN (size, 2048) };
  guint            exprs[4096], n = 0, at = 0;
  gint64           variable;
  guint8           memory[2][64] = { { 1, 2, 3 }, { 0 } };
  g_autofree char *reason = NULL;
  g_autoptr (TlTileKernel) kernel = tl_tile_kernel_new ("fuzz", 4);
  g_auto (TlTileReport) report = { 0 };

  add_tensors (kernel, &bytes);
  exprs[n++] = tl_tile_loop_variable (kernel, "i", &variable);
  tl_tile_buffer (kernel, "a");
  tl_tile_buffer (kernel, "b");
  /* What most kernels begin with, so that more of them go on. */
  for (guint i = 0; i < 4 && next (&bytes, 4) > 0; i++)
    tl_tile_add (kernel, (TlTileInstruction) { .op = TL_TILE_ALLOCATE_REGISTER, .result = 1 + i });
  for (guint i = 0; i < 2 && next (&bytes, 4) > 0; i++)
    tl_tile_add (kernel, (TlTileInstruction) { .op = TL_TILE_ALLOCATE_SHARED, .result = N_REGISTERS + 1 + i });
  for (guint i = 0; i < 2 && next (&bytes, 4) > 0; i++)
    tl_tile_add (kernel, (TlTileInstruction) { .op = TL_TILE_GLOBAL_VIEW,
                                               .result = N_REGISTERS + N_SHARED + 1 + i,
                                               .amount = i,
                                               .n_sizes = 1,
                                               .sizes = { tl_tile_number (kernel, 8) } });
  while (bytes.size > 0 && n < G_N_ELEMENTS (exprs) - 64)
    add_instruction (kernel, &bytes, exprs, &n, variable);
  g_autofree char *text = tl_tile_kernel_to_text (kernel);
  g_assert_nonnull (text);

  g_autoptr (TlTilePlan) plan = tl_tile_plan_new (kernel, &at, &reason);
  if (plan == NULL)
    {
      g_assert_nonnull (reason);
      g_assert_cmpuint (at, <, tl_tile_kernel_length (kernel));
      return 0;
    }
  TlTileBuffer buffers[] = { { memory[0], sizeof memory[0] }, { memory[1], sizeof memory[1] } };
  TlTileLaunch launch = { .grid = { 2, 1, 1 },
                          .buffers = buffers,
                          .n_buffers = 2,
                          .most_steps = 500,
                          .shared_bytes = 4096,
                          .unchecked = size % 8 == 7 };
  if (!tl_tile_run (plan, &launch, &report))
    g_assert_true (report.faulty && report.fault.message != NULL);
  return 0;
}
