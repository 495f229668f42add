/* Building kernels of matrix products. */
#include "tile/matmul.h"

#include "base/diag.h"
#include "base/number.h"
#include "layout/element-code.h"

#include <string.h>

typedef struct
{
  TlTileMatmul *of;
  TlTileKernel *kernel;
  char        **reason;
  TlLayout      a, b, c; /* of operands and result */
  TlLayout      bytes;   /* of loaded weights */
  TlElementType weights; /* what weights are cast to */
  guint         m0, n0;  /* expressions: where the block's tile begins */
  guint         global_a, global_w, global_c, global_s;
  guint         shared_a, shared_w;
  guint         sum;
} Builder;

static const TlElementType u8 = { TL_ELEMENT_UINT, 8, 0, 0 };

/* @layout in each of @copies groups of threads. */
static gboolean
replicate (TlLayout *result, const TlLayout *layout, guint copies, char **reason)
{
  gint64   ones[TL_LAYOUT_MAX_DIMS] = { 1, 1, 1, 1, 1, 1, 1, 1 };
  TlLayout outer;

  return tl_layout_replicated (&outer, ones, layout->n_dims, copies, reason)
         && tl_layout_compose (result, &outer, layout, reason);
}

static gboolean
check_spec (const TlTileMatmulSpec *spec, char **reason)
{
  const TlTileTiling *t = &spec->tiling;
  g_autofree char    *weight = tl_element_type_name (spec->weight);
  g_autofree char    *activation = tl_element_type_name (spec->activation);
  double              value = 0;
  guint64             threads = (guint64) t->warps_m * t->warps_n * 32;

  if (spec->weight.bits < 1 || spec->weight.bits > 8)
    return tl_refuse (reason, "weights have 1 to 8 bits, and %s has %u", weight, spec->weight.bits);
  if (threads < 32 || threads > 1024)
    return tl_refuse (reason, "a block has 1 to 32 warps, not %u x %u", t->warps_m, t->warps_n);
  if (MIN (t->repeat_m, MIN (t->repeat_n, t->repeat_k)) < 1 || MAX (t->repeat_m, MAX (t->repeat_n, t->repeat_k)) > 64)
    return tl_refuse (reason, "a warp has 1 to 64 atoms along m, n and k");
  if (spec->stages < 2 || spec->stages > 16)
    return tl_refuse (reason, "there are 2 to 16 stages, not %u", spec->stages);
  if (MIN (spec->m, MIN (spec->n, spec->k)) < 1 || MAX (spec->m, MAX (spec->n, spec->k)) > 1 << 24)
    return tl_refuse (reason, "m, n and k are 1 to %d", 1 << 24);
  if (spec->group > 0 && spec->activation.kind != TL_ELEMENT_FLOAT)
    return tl_refuse (reason, "%s cannot be scaled", activation);
  if (spec->activation.kind != TL_ELEMENT_FLOAT && spec->weight.kind == TL_ELEMENT_FLOAT)
    return tl_refuse (reason, "%s is no integer like %s", weight, activation);
  if (spec->activation.kind == TL_ELEMENT_FLOAT && !tl_element_type_fits (spec->weight, spec->activation, &value))
    return tl_refuse (reason, "%s has no %g, which is a value of %s; take bf16", activation, value, weight);
  return TRUE;
}

/* Layouts of the operands. B is the same in all warps along m, so its bytes are those of one. */
static gboolean
make_layouts (Builder *b)
{
  TlTileMatmul *of = b->of;
  TlTileTiling  tiling = of->spec.tiling, one = of->spec.tiling;
  TlTileAtom    atom;
  TlLayout      a, one_b, c;

  if (!tl_tile_atom_find (of->spec.activation, of->spec.vector, &atom))
    return tl_refuse (b->reason,
                      "no atom multiplies such elements in vectors of %u; f16, bf16, i8 and u8 in 1 to 4 can be",
                      of->spec.vector);
  one.warps_m = 1;
  if (!tl_tile_dot_layouts (&atom, &one, &a, &one_b, &c, b->reason)
      || !tl_load_recipe_make (&of->recipe, of->spec.weight.bits, &one_b, of->spec.way, 0, b->reason))
    return FALSE;
  tiling.repeat_k *= of->recipe.repeat;
  if (!tl_tile_dot_layouts (&atom, &tiling, &b->a, &one_b, &b->c, b->reason)
      || !replicate (&b->b, &of->recipe.target, tiling.warps_m, b->reason)
      || !replicate (&b->bytes, &of->recipe.load, tiling.warps_m, b->reason))
    return FALSE;
  of->a = b->a;
  of->w = b->b;
  of->c = b->c;
  of->tile_m = (guint) b->a.shape[0];
  of->tile_k = (guint) b->a.shape[1];
  of->tile_n = (guint) b->b.shape[1];
  of->tiles_m = (guint) tl_ceil_div (of->spec.m, of->tile_m);
  of->tiles_n = (guint) tl_ceil_div (of->spec.n, of->tile_n);
  of->tiles_k = (guint) tl_ceil_div (of->spec.k, of->tile_k);
  of->grid[0] = of->tiles_n;
  of->grid[1] = of->tiles_m;
  of->grid[2] = 1;
  if (!tl_mul_u64 ((guint64) of->tiles_n * of->tiles_k, of->recipe.bytes, &of->weight_bytes)
      || of->weight_bytes > G_GUINT64_CONSTANT (1) << 40)
    return tl_refuse (b->reason, "there are too many weights");
  return TRUE;
}

static guint
number (Builder *b, double value)
{
  return tl_tile_number (b->kernel, value);
}

static guint
times (Builder *b, guint expr, double by)
{
  return tl_tile_binary (b->kernel, TL_TILE_TIMES, expr, number (b, by));
}

static void
add_global (Builder *b, const char *name, guint *tensor, TlElementType type, const guint64 *sizes, guint n)
{
  TlTileInstruction view = { .op = TL_TILE_GLOBAL_VIEW, .n_sizes = n, .amount = tl_tile_buffer (b->kernel, name) };

  *tensor = view.result = tl_tile_global (b->kernel, name, type);
  for (guint d = 0; d < n; d++)
    view.sizes[d] = number (b, (double) sizes[d]);
  tl_tile_add (b->kernel, view);
}

static gboolean
add_memory (Builder *b)
{
  const TlTileMatmul *of = b->of;
  gint64              a_shape[] = { of->spec.stages, of->tile_m, of->tile_k };
  gint64              w_shape[] = { of->spec.stages, (gint64) of->recipe.bytes };
  TlShared            a, w;

  if (!tl_shared_row_major_swizzle (&a, a_shape, 3, of->spec.activation.bits / 8, b->reason)
      || !tl_shared_major (&w, w_shape, 2, FALSE, b->reason))
    return FALSE;
  add_global (b, "a", &b->global_a, of->spec.activation, (guint64[]) { of->spec.m, of->spec.k }, 2);
  add_global (b, "w", &b->global_w, u8, (guint64[]) { of->tiles_k, of->tiles_n, of->recipe.bytes }, 3);
  add_global (b, "c", &b->global_c, tl_tile_atom_result (of->spec.activation), (guint64[]) { of->spec.m, of->spec.n },
              2);
  if (of->spec.group > 0)
    add_global (b, "s", &b->global_s, of->spec.activation,
                (guint64[]) { tl_ceil_div (of->spec.k, of->spec.group), of->spec.n }, 2);
  b->shared_a = tl_tile_shared (b->kernel, "a_tiles", of->spec.activation, &a);
  b->shared_w = tl_tile_shared (b->kernel, "w_tiles", u8, &w);
  tl_tile_add (b->kernel, (TlTileInstruction) { .op = TL_TILE_ALLOCATE_SHARED, .result = b->shared_a });
  tl_tile_add (b->kernel, (TlTileInstruction) { .op = TL_TILE_ALLOCATE_SHARED, .result = b->shared_w });
  return TRUE;
}

/* Part of @tensor that is stage @stage, an expression. */
static guint
add_stage (Builder *b, const char *name, guint tensor, guint stage)
{
  const TlTileTensor *whole = tl_tile_kernel_tensor (b->kernel, tensor);
  guint               n = whole->shared.n_dims - 1;
  TlTileInstruction   slice = { .op = TL_TILE_SLICE_SHARED, .operands = { tensor }, .n_offsets = n + 1, .n_dims = n };

  slice.offsets[0] = stage;
  slice.n_sizes = n;
  for (guint d = 0; d < n; d++)
    {
      slice.offsets[d + 1] = number (b, 0);
      slice.dims[d] = d + 1;
      slice.sizes[d] = number (b, whole->shared.shape[d + 1]);
    }
  slice.result = tl_tile_shared (b->kernel, name, whole->type, &(TlShared) { 0 });
  tl_tile_add (b->kernel, slice);
  return slice.result;
}

/* Copies of tile @k of both operands to its stage, if there is such a tile; then a commit. */
static void
add_copies (Builder *b, guint k, const char *a_name, const char *w_name)
{
  const TlTileMatmul *of = b->of;
  guint               stage = tl_tile_binary (b->kernel, TL_TILE_MODULO, k, number (b, of->spec.stages));

  tl_tile_add (b->kernel, (TlTileInstruction) {
                              .op = TL_TILE_IF,
                              .function = tl_tile_binary (b->kernel, TL_TILE_LESS, k, number (b, of->tiles_k)) });
  guint a = add_stage (b, a_name, b->shared_a, stage);
  guint w = add_stage (b, w_name, b->shared_w, stage);
  tl_tile_add (b->kernel, (TlTileInstruction) { .op = TL_TILE_COPY_ASYNC,
                                                .operands = { b->global_a, a },
                                                .n_offsets = 2,
                                                .offsets = { b->m0, times (b, k, of->tile_k) },
                                                .n_dims = 2,
                                                .dims = { 0, 1 } });
  tl_tile_add (b->kernel, (TlTileInstruction) { .op = TL_TILE_COPY_ASYNC,
                                                .operands = { b->global_w, w },
                                                .n_offsets = 3,
                                                .offsets = { k, tl_tile_block_index (b->kernel, 0), number (b, 0) },
                                                .n_dims = 1,
                                                .dims = { 2 } });
  tl_tile_add (b->kernel, (TlTileInstruction) { .op = TL_TILE_END });
  tl_tile_add (b->kernel, (TlTileInstruction) { .op = TL_TILE_COMMIT_GROUP });
}

/* Bytes that threads share: each takes its piece out, by its place among those that share. */
static gboolean
add_pieces (Builder *b, guint *bytes)
{
  const TlLoadRecipe *recipe = &b->of->recipe;
  guint               n1 = recipe->piece_bits;
  TlElementType       unit = { TL_ELEMENT_UINT, (guint8) n1, 0, 0 };
  gint64              byte_shape[] = { recipe->pieces, recipe->threads / recipe->owners };
  gint64              local[] = { recipe->pieces, 1 }, spatial[] = { 1, recipe->threads };
  TlLayout            rows, outer, each;

  if (!tl_layout_reshape (&rows, &b->bytes, byte_shape, 2, b->reason)
      || !tl_layout_local (&outer, local, 2, NULL, b->reason) || !tl_layout_spatial (&each, spatial, 2, NULL, b->reason)
      || !tl_layout_compose (&each, &outer, &each, b->reason)
      || !replicate (&each, &each, b->of->spec.tiling.warps_m, b->reason))
    return FALSE;
  guint by_row = tl_tile_register (b->kernel, "w_rows", u8, &rows);
  guint by_thread = tl_tile_register (b->kernel, "w_shared", u8, &each);
  guint taken = tl_tile_register (b->kernel, "w_taken", u8, &each);
  guint pieces = tl_tile_register (b->kernel, "w_pieces", unit, &each);
  guint lane = tl_tile_binary (b->kernel, TL_TILE_MODULO, tl_tile_index (b->kernel, 1), number (b, recipe->owners));
  guint shifted = tl_tile_binary (b->kernel, TL_TILE_SHIFT_RIGHT, tl_tile_element (b->kernel, 0), times (b, lane, n1));

  tl_tile_add (b->kernel, (TlTileInstruction) { .op = TL_TILE_RESHAPE, .result = by_row, .operands = { *bytes } });
  tl_tile_add (b->kernel, (TlTileInstruction) { .op = TL_TILE_REPEAT_INTERLEAVE,
                                                .result = by_thread,
                                                .operands = { by_row },
                                                .n_dims = 1,
                                                .dims = { 1 },
                                                .amount = recipe->owners });
  tl_tile_add (b->kernel, (TlTileInstruction) { .op = TL_TILE_UNARY,
                                                .result = taken,
                                                .operands = { by_thread },
                                                .function = tl_tile_binary (b->kernel, TL_TILE_BIT_AND, shifted,
                                                                            number (b, (1u << n1) - 1)) });
  tl_tile_add (b->kernel, (TlTileInstruction) { .op = TL_TILE_CAST, .result = pieces, .operands = { taken } });
  *bytes = pieces;
  return TRUE;
}

/* Scales of the tile @k: one row where a tile lies in one group, else one for each weight. */
static gboolean
add_scales (Builder *b, guint k, guint *weights)
{
  const TlTileMatmul *of = b->of;
  gint64              row_shape[] = { 1, of->tile_n };
  TlLayout            row = b->b;
  gboolean            one_row = of->spec.group % of->tile_k == 0;
  guint               k0 = times (b, k, of->tile_k), group = number (b, (double) of->spec.group);

  if (one_row && !tl_layout_reduce_to (&row, &b->b, row_shape, 2, b->reason))
    return FALSE;
  guint scale = tl_tile_register (b->kernel, "scale", of->spec.activation, &row);
  guint scaled = tl_tile_register (b->kernel, "w_scaled", of->spec.activation, &b->b);
  if (one_row)
    tl_tile_add (b->kernel,
                 (TlTileInstruction) { .op = TL_TILE_LOAD_GLOBAL,
                                       .result = scale,
                                       .operands = { b->global_s },
                                       .n_offsets = 2,
                                       .offsets = { tl_tile_binary (b->kernel, TL_TILE_FLOOR_DIV, k0, group), b->n0 },
                                       .n_dims = 2,
                                       .dims = { 0, 1 } });
  else
    {
      guint at_k = tl_tile_binary (b->kernel, TL_TILE_PLUS, k0, tl_tile_index (b->kernel, 0));
      guint at_n = tl_tile_binary (b->kernel, TL_TILE_PLUS, b->n0, tl_tile_index (b->kernel, 1));
      guint line = tl_tile_binary (b->kernel, TL_TILE_FLOOR_DIV, at_k, group);
      guint in_k = tl_tile_binary (b->kernel, TL_TILE_LESS, at_k, number (b, (double) of->spec.k));
      guint in_n = tl_tile_binary (b->kernel, TL_TILE_LESS, at_n, number (b, (double) of->spec.n));

      tl_tile_add (b->kernel,
                   (TlTileInstruction) {
                       .op = TL_TILE_LOAD_GLOBAL_GENERIC,
                       .result = scale,
                       .operands = { b->global_s },
                       .function = tl_tile_binary (b->kernel, TL_TILE_PLUS, times (b, line, (double) of->spec.n), at_n),
                       .mask = tl_tile_binary (b->kernel, TL_TILE_BOTH, in_k, in_n) });
    }
  tl_tile_add (b->kernel, (TlTileInstruction) { .op = TL_TILE_MUL, .result = scaled, .operands = { *weights, scale } });
  *weights = scaled;
  return TRUE;
}

/* Tile @k: load, view, cast, scale, dot. */
static gboolean
add_product (Builder *b, guint k)
{
  const TlTileMatmul *of = b->of;
  guint               stage = tl_tile_binary (b->kernel, TL_TILE_MODULO, k, number (b, of->spec.stages));
  guint               a_stage = add_stage (b, "a_stage", b->shared_a, stage);
  guint               w_stage = add_stage (b, "w_stage", b->shared_w, stage);
  guint               a = tl_tile_register (b->kernel, "a_reg", of->spec.activation, &b->a);
  guint               bytes = tl_tile_register (b->kernel, "w_bytes", u8, &b->bytes);
  guint               codes = tl_tile_register (b->kernel, "w_codes", of->spec.weight, &b->b);
  guint               weights = tl_tile_register (b->kernel, "w_reg", b->weights, &b->b);

  tl_tile_add (b->kernel, (TlTileInstruction) { .op = TL_TILE_LOAD_SHARED, .result = a, .operands = { a_stage } });
  tl_tile_add (b->kernel, (TlTileInstruction) { .op = TL_TILE_LOAD_SHARED, .result = bytes, .operands = { w_stage } });
  if (of->recipe.owners > 1 && !add_pieces (b, &bytes))
    return FALSE;
  tl_tile_add (b->kernel,
               (TlTileInstruction) {
                   .op = TL_TILE_VIEW, .result = codes, .operands = { bytes }, .flag = of->spec.way == TL_LOAD_PAD });
  tl_tile_add (b->kernel, (TlTileInstruction) { .op = TL_TILE_CAST, .result = weights, .operands = { codes } });
  if (of->spec.group > 0 && !add_scales (b, k, &weights))
    return FALSE;
  tl_tile_add (b->kernel,
               (TlTileInstruction) { .op = TL_TILE_DOT, .result = b->sum, .operands = { a, weights, b->sum } });
  return TRUE;
}

static gboolean
add_body (Builder *b)
{
  const TlTileMatmul *of = b->of;
  gint64              ahead, step;
  guint               one = number (b, 1), zero = number (b, 0), last = number (b, of->spec.stages - 1);
  guint               first = tl_tile_loop_variable (b->kernel, "p", &ahead);
  guint               k = tl_tile_loop_variable (b->kernel, "kt", &step);

  b->n0 = times (b, tl_tile_block_index (b->kernel, 0), of->tile_n);
  b->m0 = times (b, tl_tile_block_index (b->kernel, 1), of->tile_m);
  if (!add_memory (b))
    return FALSE;
  b->sum = tl_tile_register (b->kernel, "sum", tl_tile_atom_result (of->spec.activation), &b->c);
  tl_tile_add (b->kernel, (TlTileInstruction) { .op = TL_TILE_ALLOCATE_REGISTER, .result = b->sum });
  tl_tile_add (b->kernel, (TlTileInstruction) {
                              .op = TL_TILE_FOR, .amount = ahead, .n_offsets = 3, .offsets = { zero, last, one } });
  add_copies (b, first, "a_first", "w_first");
  tl_tile_add (b->kernel, (TlTileInstruction) { .op = TL_TILE_END });
  tl_tile_add (b->kernel, (TlTileInstruction) { .op = TL_TILE_FOR,
                                                .amount = step,
                                                .n_offsets = 3,
                                                .offsets = { zero, number (b, of->tiles_k), one } });
  tl_tile_add (b->kernel, (TlTileInstruction) { .op = TL_TILE_WAIT_GROUP, .amount = of->spec.stages - 2 });
  tl_tile_add (b->kernel, (TlTileInstruction) { .op = TL_TILE_SYNC_THREADS });
  add_copies (b, tl_tile_binary (b->kernel, TL_TILE_PLUS, k, last), "a_next", "w_next");
  if (!add_product (b, k))
    return FALSE;
  tl_tile_add (b->kernel, (TlTileInstruction) { .op = TL_TILE_END });
  tl_tile_add (b->kernel, (TlTileInstruction) { .op = TL_TILE_STORE_GLOBAL,
                                                .operands = { b->sum, b->global_c },
                                                .n_offsets = 2,
                                                .offsets = { b->m0, b->n0 },
                                                .n_dims = 2,
                                                .dims = { 0, 1 } });
  return TRUE;
}

gboolean
tl_tile_matmul_make (TlTileMatmul *matmul, const TlTileMatmulSpec *spec, char **reason)
{
  Builder b = { .of = matmul, .reason = reason };

  *matmul = (TlTileMatmul) { .spec = *spec };
  if (!check_spec (spec, reason) || !make_layouts (&b))
    return FALSE;
  b.weights = spec->activation;
  if (spec->activation.kind != TL_ELEMENT_FLOAT)
    b.weights.kind = spec->weight.kind == TL_ELEMENT_INT ? TL_ELEMENT_INT : TL_ELEMENT_UINT;
  matmul->kernel = b.kernel = tl_tile_kernel_new ("matmul", spec->tiling.warps_m * spec->tiling.warps_n * 32);
  if (add_body (&b))
    return TRUE;
  tl_tile_matmul_clear (matmul);
  return FALSE;
}

void
tl_tile_matmul_clear (TlTileMatmul *matmul)
{
  g_clear_pointer (&matmul->kernel, tl_tile_kernel_free);
}

void
tl_tile_matmul_pack (const TlTileMatmul *matmul, const guint8 *codes, guint8 *bytes)
{
  guint64            tile_k = matmul->tile_k, tile_n = matmul->tile_n;
  guint64            k = matmul->spec.k, n = matmul->spec.n;
  g_autofree guint8 *tile = g_new (guint8, tile_k * tile_n);

  for (guint64 i = 0; i < matmul->tiles_k; i++)
    for (guint64 j = 0; j < matmul->tiles_n; j++)
      {
        for (guint64 x = 0; x < tile_k * tile_n; x++)
          {
            guint64 row = i * tile_k + x / tile_n, column = j * tile_n + x % tile_n;
            guint64 at = matmul->spec.transposed ? column * k + row : row * n + column;
            tile[x] = row < k && column < n ? codes[at] : 0;
          }
        tl_load_recipe_pack (&matmul->recipe, tile, bytes + (i * matmul->tiles_n + j) * matmul->recipe.bytes);
      }
}
