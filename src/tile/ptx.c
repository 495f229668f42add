/* PTX of matrix products. Each function writes one part of the kernel; registers are numbered
 * as they come and declared at the end. */
#include "tile/ptx.h"

#include <math.h>
#include <string.h>

typedef struct
{
  const TlTileMatmul *of;
  TlTilePtxOptions    options;
  GString            *text;
  guint               n16, n32, n64, n_float, n_predicate, n_label;
  /* The tiles of A in shared memory: elements to the next row, the next column block and its
   * width, elements of a stage. */
  TlShared            a;
  gint64              row, block, width, stage;
  guint64             a_bytes; /* of all stages */
  /* Registers with what a thread is. */
  guint               tid, lane4, quad, warp_m, warp_n, m0, n0, shared_a, shared_w;
  guint               a_pointer, w_pointer, c_pointer, s_pointer;
  gboolean            by_matrix;    /* eight elements of A lie side by side on 16 bytes */
  guint               scale_column; /* of the thread's first weight in the result */
  guint               first_sum;    /* float registers of the result */
} Emitter;

static void line (Emitter *e, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
line (Emitter *e, const char *format, ...)
{
  va_list arguments;

  g_string_append_c (e->text, '\t');
  va_start (arguments, format);
  g_string_append_vprintf (e->text, format, arguments);
  va_end (arguments);
  g_string_append (e->text, ";\n");
}

/* A new 32-bit register with the value of an instruction on a register and a number. */
static guint
with_number (Emitter *e, const char *op, guint a, gint64 number)
{
  guint r = e->n32++;

  line (e, "%s %%r%u, %%r%u, %" G_GINT64_FORMAT, op, r, a, number);
  return r;
}

static guint
with_register (Emitter *e, const char *op, guint a, guint b)
{
  guint r = e->n32++;

  line (e, "%s %%r%u, %%r%u, %%r%u", op, r, a, b);
  return r;
}

static guint
special (Emitter *e, const char *name)
{
  guint r = e->n32++;

  line (e, "mov.u32 %%r%u, %s", r, name);
  return r;
}

static guint
pointer (Emitter *e, const char *name)
{
  guint d = e->n64++;

  line (e, "ld.param.u64 %%d%u, [%s]", d, name);
  line (e, "cvta.to.global.u64 %%d%u, %%d%u", d, d);
  return d;
}

static void
emit_identity (Emitter *e)
{
  const TlTileTiling *t = &e->of->spec.tiling;

  e->a_pointer = pointer (e, "a");
  e->w_pointer = pointer (e, "w");
  e->c_pointer = pointer (e, "c");
  if (e->of->spec.group > 0)
    e->s_pointer = pointer (e, "s");
  e->tid = special (e, "%tid.x");
  guint lane = with_number (e, "and.b32", e->tid, 31);
  guint warp = with_number (e, "shr.u32", e->tid, 5);
  e->quad = with_number (e, "shr.u32", lane, 2);
  e->lane4 = with_number (e, "and.b32", lane, 3);
  e->warp_n = with_number (e, "rem.u32", warp, t->warps_n);
  e->warp_m = with_number (e, "div.u32", warp, t->warps_n);
  e->n0 = with_number (e, "mul.lo.u32", special (e, "%ctaid.x"), e->of->tile_n);
  e->m0 = with_number (e, "mul.lo.u32", special (e, "%ctaid.y"), e->of->tile_m);
  e->shared_a = special (e, "tiles");
  e->shared_w = with_number (e, "add.u32", e->shared_a, (gint64) e->a_bytes);
}

/* Byte address in shared memory of an element of A at @offset, a register, plus a number. */
static guint
a_address (Emitter *e, guint offset, gint64 number)
{
  const TlSwizzle *swizzle = &e->a.swizzle;
  guint            at = with_number (e, "add.u32", offset, number);

  if (swizzle->bits > 0)
    {
      guint high = with_number (e, "shr.u32", at, swizzle->shift);
      high = with_number (e, "and.b32", high, ((1 << swizzle->bits) - 1) << swizzle->base);
      at = with_register (e, "xor.b32", at, high);
    }
  at = with_number (e, "shl.b32", at, 1);
  return with_register (e, "add.u32", at, e->shared_a);
}

/* The pieces of @bytes that the threads copy one after the other: a predicate where the last
 * round is not for all; the piece's number. Returns the label to skip to, or 0. */
static guint
begin_piece (Emitter *e, guint round, guint pieces, guint *piece)
{
  guint threads = tl_tile_kernel_threads (e->of->kernel), label = 0;

  *piece = with_number (e, "add.u32", e->tid, (gint64) round * threads);
  if ((round + 1) * threads > pieces)
    {
      guint p = e->n_predicate++;

      label = ++e->n_label;
      line (e, "setp.ge.u32 %%p%u, %%r%u, %u", p, *piece, pieces);
      line (e, "@%%p%u bra $L%u", p, label);
    }
  return label;
}

static void
end_piece (Emitter *e, guint label)
{
  if (label > 0)
    g_string_append_printf (e->text, "$L%u:\n", label);
}

/* Bytes of a copy: what the row of A is a multiple of. */
static guint
copy_bytes (guint64 bytes)
{
  return bytes % 16 == 0 ? 16 : bytes % 8 == 0 ? 8 : 4;
}

static void
emit_async (Emitter *e, guint to, guint from, guint bytes, guint size)
{
  if (size > 0)
    line (e, "cp.async.ca.shared.global [%%r%u], [%%d%u], %u, %%r%u", to, from, bytes, size);
  else
    line (e, "cp.async.ca.shared.global [%%r%u], [%%d%u], %u", to, from, bytes);
}

/* Rows and columns of A that are not there come as zeros: a copy of 0 bytes. */
static void
emit_copy_a (Emitter *e, guint k, guint stage)
{
  const TlTileMatmul *of = e->of;
  guint               bytes = copy_bytes (of->spec.k * 2), elements = bytes / 2, across = of->tile_k / elements;
  guint               pieces = of->tile_m * across, threads = tl_tile_kernel_threads (of->kernel);
  guint               k0 = with_number (e, "mul.lo.u32", k, of->tile_k);
  guint               stage_at = with_number (e, "mul.lo.u32", stage, e->stage);

  for (guint round = 0; round * threads < pieces; round++)
    {
      guint piece, skip = begin_piece (e, round, pieces, &piece);
      guint row = with_number (e, "div.u32", piece, across);
      guint column = with_number (e, "mul.lo.u32", with_number (e, "rem.u32", piece, across), elements);
      guint from_row = with_register (e, "add.u32", row, e->m0), from_column = with_register (e, "add.u32", column, k0);
      guint in_row = e->n_predicate++, in_column = e->n_predicate++, size = e->n32++;
      guint from = e->n64++, along = e->n64++;

      line (e, "setp.lt.u32 %%p%u, %%r%u, %" G_GUINT64_FORMAT, in_row, from_row, of->spec.m);
      line (e, "setp.lt.and.u32 %%p%u, %%r%u, %" G_GUINT64_FORMAT ", %%p%u", in_column, from_column, of->spec.k,
            in_row);
      line (e, "selp.u32 %%r%u, %u, 0, %%p%u", size, bytes, in_column);
      /* What is not copied must still be an address inside the matrix. */
      line (e, "selp.u32 %%r%u, %%r%u, 0, %%p%u", from_row, from_row, in_column);
      line (e, "selp.u32 %%r%u, %%r%u, 0, %%p%u", from_column, from_column, in_column);
      line (e, "mad.wide.u32 %%d%u, %%r%u, %" G_GUINT64_FORMAT ", %%d%u", from, from_row, of->spec.k * 2, e->a_pointer);
      line (e, "mul.wide.u32 %%d%u, %%r%u, 2", along, from_column);
      line (e, "add.u64 %%d%u, %%d%u, %%d%u", from, from, along);

      guint offset = with_register (e, "add.u32", with_number (e, "mul.lo.u32", row, e->row), stage_at);
      guint in_block = with_number (e, "rem.u32", column, e->width);
      guint block = with_number (e, "mul.lo.u32", with_number (e, "div.u32", column, e->width), e->block);
      offset = with_register (e, "add.u32", with_register (e, "add.u32", offset, in_block), block);
      emit_async (e, a_address (e, offset, 0), from, bytes, size);
      end_piece (e, skip);
    }
}

static void
emit_copy_w (Emitter *e, guint k, guint stage)
{
  const TlTileMatmul *of = e->of;
  guint               tile = (guint) of->recipe.bytes, bytes = copy_bytes (tile), pieces = tile / bytes;
  guint               threads = tl_tile_kernel_threads (of->kernel);
  guint               number = e->n32++, base = e->n64++, to = with_number (e, "mul.lo.u32", stage, tile);

  to = with_register (e, "add.u32", to, e->shared_w);
  line (e, "mad.lo.u32 %%r%u, %%r%u, %u, %%r%u", number, k, of->tiles_n, special (e, "%ctaid.x"));
  line (e, "mad.wide.u32 %%d%u, %%r%u, %u, %%d%u", base, number, tile, e->w_pointer);
  for (guint round = 0; round * threads < pieces; round++)
    {
      guint piece, skip = begin_piece (e, round, pieces, &piece), from = e->n64++;

      line (e, "mad.wide.u32 %%d%u, %%r%u, %u, %%d%u", from, piece, bytes, base);
      guint at = with_register (e, "add.u32", with_number (e, "mul.lo.u32", piece, bytes), to);
      emit_async (e, at, from, bytes, 0);
      end_piece (e, skip);
    }
}

/* Tile @k to its stage when there is one; a group in any case. */
static void
emit_copies (Emitter *e, guint k, guint stage)
{
  guint p = e->n_predicate++, label = ++e->n_label;

  line (e, "setp.ge.u32 %%p%u, %%r%u, %u", p, k, e->of->tiles_k);
  line (e, "@%%p%u bra $L%u", p, label);
  emit_copy_a (e, k, stage);
  emit_copy_w (e, k, stage);
  end_piece (e, label);
  line (e, "cp.async.commit_group");
}

/* @bits of @from into word @at, which is 0 for none yet, from bit @to on. */
static void
merge (Emitter *e, guint *word, guint from, guint to)
{
  guint moved = to > 0 ? with_number (e, "shl.b32", from, to) : from;

  *word = *word == 0 ? moved : with_register (e, "or.b32", *word, moved);
}

/* The thread's bits of the weights, as words. */
static void
emit_load_w (Emitter *e, guint stage, guint *words)
{
  const TlLoadRecipe *recipe = &e->of->recipe;
  guint               share = recipe->owners, width = recipe->width;
  guint               thread = with_number (e, "rem.u32", e->tid, recipe->threads);
  guint               at = with_number (e, "mul.lo.u32", stage, (gint64) recipe->bytes), shift = 0;

  at = with_register (e, "add.u32", at, e->shared_w);
  if (share > 1)
    {
      shift = with_number (e, "mul.lo.u32", with_number (e, "rem.u32", thread, share), recipe->piece_bits);
      thread = with_number (e, "div.u32", thread, share);
    }
  at = with_register (e, "add.u32", at, with_number (e, "mul.lo.u32", thread, width));
  for (guint j = 0; j < recipe->pieces; j++)
    {
      guint step = j * (recipe->threads / share) * width, bit = j * recipe->piece_bits, first = e->n32;

      if (width >= 4)
        {
          e->n32 += width / 4;
          if (width == 16)
            line (e, "ld.shared.v4.b32 {%%r%u, %%r%u, %%r%u, %%r%u}, [%%r%u+%u]", first, first + 1, first + 2,
                  first + 3, at, step);
          else if (width == 8)
            line (e, "ld.shared.v2.b32 {%%r%u, %%r%u}, [%%r%u+%u]", first, first + 1, at, step);
          else
            line (e, "ld.shared.b32 %%r%u, [%%r%u+%u]", first, at, step);
          for (guint i = 0; i < width / 4; i++)
            words[bit / 32 + i] = first + i;
          continue;
        }
      e->n32++;
      line (e, "ld.shared.u%u %%r%u, [%%r%u+%u]", 8 * width, first, at, step);
      if (share > 1)
        first = with_number (e, "and.b32", with_register (e, "shr.u32", first, shift), (1 << recipe->piece_bits) - 1);
      merge (e, &words[bit / 32], first, bit % 32);
    }
}

static void
emit_view (Emitter *e, guint *words, guint n)
{
  for (guint i = 0; i < n && e->options.view != TL_TILE_PTX_VIEW_NOTHING; i++)
    {
      guint other = e->n32++;

      if (e->options.view == TL_TILE_PTX_VIEW_COPIES)
        line (e, "mov.b32 %%r%u, %%r%u", other, words[i]);
      else
        line (e, "prmt.b32 %%r%u, %%r%u, %%r%u, 0x2143", other, words[i], words[(i + 1) % n]);
      words[i] = other;
    }
}

static void
emit_float_constant (Emitter *e, const char *op, guint to, guint from, float value)
{
  guint32 bits;

  memcpy (&bits, &value, sizeof bits);
  line (e, "%s %%f%u, %%f%u, 0f%08X", op, to, from, bits);
}

/* The value of element @local as an f32. Small floats: sign, exponent and mantissa go to their
 * places in an f32, and a product with a power of two corrects the bias, subnormals too. */
static guint
emit_decode (Emitter *e, const guint *words, guint local)
{
  TlElementType type = e->of->spec.weight;
  guint         bit = local * type.bits, word = words[bit / 32], code = e->n32++, value = e->n_float++;

  if (bit % 32 + type.bits > 32)
    {
      guint both = e->n32++;

      line (e, "shf.r.wrap.b32 %%r%u, %%r%u, %%r%u, %u", both, word, words[bit / 32 + 1], bit % 32);
      word = both;
      bit = 0;
    }
  line (e, "bfe.%s32 %%r%u, %%r%u, %u, %u", type.kind == TL_ELEMENT_INT ? "s" : "u", code, word, bit % 32, type.bits);
  if (type.kind != TL_ELEMENT_FLOAT)
    {
      line (e, "cvt.rn.f32.%s32 %%f%u, %%r%u", type.kind == TL_ELEMENT_INT ? "s" : "u", value, code);
      return value;
    }
  guint sign = with_number (e, "shl.b32", with_number (e, "shr.u32", code, type.bits - 1), 31);
  guint magnitude = with_number (e, "and.b32", code, (1 << (type.bits - 1)) - 1);
  guint placed = with_register (e, "or.b32", with_number (e, "shl.b32", magnitude, 23 - type.mantissa), sign);
  line (e, "mov.b32 %%f%u, %%r%u", value, placed);
  emit_float_constant (e, "mul.f32", value, value, ldexpf (1, 128 - (1 << (type.exponent - 1))));
  if (type.bits < 8)
    return value;
  /* Of 8 bits some codes are no numbers: all ones, and with 5 bits of exponent infinities. */
  guint p = e->n_predicate++, special_value = e->n_float++, infinite = e->n32++;
  guint top = type.exponent == 5 ? 0x7c : 0x7f;
  line (e, "setp.%s.u32 %%p%u, %%r%u, %u", type.exponent == 5 ? "ge" : "eq", p, magnitude, top);
  if (type.exponent == 5)
    {
      guint fraction = with_number (e, "shl.b32", with_number (e, "and.b32", code, 3), 21);
      line (e, "or.b32 %%r%u, %%r%u, %%r%u", infinite, with_number (e, "or.b32", fraction, 0x7f800000), sign);
    }
  else
    line (e, "or.b32 %%r%u, %%r%u, %u", infinite, sign, 0x7fc00000);
  line (e, "mov.b32 %%f%u, %%r%u", special_value, infinite);
  line (e, "selp.f32 %%f%u, %%f%u, %%f%u, %%p%u", value, special_value, value, p);
  return value;
}

/* --- Scales --- */

/* How many loads the scales of a tile need, as far as the numbers tell. */
typedef enum
{
  SCALES_NONE,
  SCALES_OF_TILE, /* one row of scales for all of a tile */
  SCALES_OF_ATOM, /* one for the 16 rows of an atom */
  SCALES_EACH,    /* one for each weight */
} Scales;

static Scales
scales_of (const TlTileMatmul *of)
{
  if (of->spec.group == 0)
    return SCALES_NONE;
  if (of->spec.group % of->tile_k == 0)
    return SCALES_OF_TILE;
  return of->spec.group % 16 == 0 && of->spec.k % 16 == 0 ? SCALES_OF_ATOM : SCALES_EACH;
}

/* The scale of row @at of W (a register), column scale_column + @across, as an f32; 0 outside of W. With @past rows
 * past the end are zeros too. */
static guint
emit_scale (Emitter *e, guint at, guint across, gboolean past)
{
  const TlTileMatmulSpec *spec = &e->of->spec;
  guint                   column = with_number (e, "add.u32", e->scale_column, across),
        row = with_number (e, "div.u32", at, (gint64) spec->group);
  guint p = e->n_predicate++, from = e->n64++, along = e->n64++, code = e->n32++, value = e->n_float++;

  line (e, "setp.lt.u32 %%p%u, %%r%u, %" G_GUINT64_FORMAT, p, column, spec->n);
  if (past)
    line (e, "setp.lt.and.u32 %%p%u, %%r%u, %" G_GUINT64_FORMAT ", %%p%u", p, at, spec->k, p);
  line (e, "mad.wide.u32 %%d%u, %%r%u, %" G_GUINT64_FORMAT ", %%d%u", from, row, spec->n * 2, e->s_pointer);
  line (e, "mul.wide.u32 %%d%u, %%r%u, 2", along, column);
  line (e, "add.u64 %%d%u, %%d%u, %%d%u", from, from, along);
  line (e, "mov.u32 %%r%u, 0", code);
  line (e, "@%%p%u ld.global.u16 %%r%u, [%%d%u]", p, code, from);
  if (spec->activation.exponent == 8)
    {
      line (e, "mov.b32 %%f%u, %%r%u", value, with_number (e, "shl.b32", code, 16));
      return value;
    }
  guint half = e->n16++;
  line (e, "cvt.u16.u32 %%h%u, %%r%u", half, code);
  line (e, "cvt.f32.f16 %%f%u, %%h%u", value, half);
  return value;
}

/* Rows of W in registers: the thread's first of atom row @k of tile kt, whose first row is @k0, and @more on. */
static guint
weight_row (Emitter *e, guint k0, guint k, guint more)
{
  guint own = with_number (e, "shl.b32", e->lane4, 1);

  return with_register (e, "add.u32", with_number (e, "add.u32", own, (gint64) k * 16 + more), k0);
}

/* --- Products --- */

/* The fragments of A of atom row @k: by matrices of 8 x 8 where they lie so, else a word at a time. */
static void
emit_load_a (Emitter *e, guint k, guint a_offset, guint first)
{
  for (guint i = 0; i < e->of->spec.tiling.repeat_m; i++)
    for (guint x = 0; x < (e->by_matrix ? 1 : 4); x++)
      {
        gint64 column = (gint64) k * 16 + x / 2 * 8;
        gint64 number = ((gint64) i * 16 + x % 2 * 8) * e->row + column / e->width * e->block + column % e->width;
        guint  at = a_address (e, a_offset, number), to = first + 4 * i + x;

        if (e->by_matrix)
          line (e, "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%%r%u, %%r%u, %%r%u, %%r%u}, [%%r%u]", to, to + 1, to + 2,
                to + 3, at);
        else
          line (e, "ld.shared.b32 %%r%u, [%%r%u]", to, at);
      }
}

/* The two words of B of atom (@k, @j). @of_tile: the tile's scales by j, or NULL. */
static void
emit_weights (Emitter *e, guint k, guint j, const guint *words, guint k0, const guint *of_tile, guint *b)
{
  const TlTileMatmulSpec *spec = &e->of->spec;
  const char             *type = spec->activation.exponent == 8 ? "bf16" : "f16";
  Scales                  scales = scales_of (e->of);
  guint                   scale = scales == SCALES_OF_TILE ? of_tile[j] : 0;

  if (scales == SCALES_OF_ATOM)
    scale = emit_scale (e, with_number (e, "add.u32", k0, (gint64) k * 16), 8 * j, TRUE);
  for (guint x = 0; x < 2; x++)
    {
      guint value[2];

      for (guint y = 0; y < 2; y++)
        {
          value[y] = emit_decode (e, words, (k * spec->tiling.repeat_n + j) * 4 + 2 * x + y);
          if (scales == SCALES_EACH)
            scale = emit_scale (e, weight_row (e, k0, k, 8 * x + y), 8 * j, TRUE);
          if (scales != SCALES_NONE)
            line (e, "mul.f32 %%f%u, %%f%u, %%f%u", value[y], value[y], scale);
        }
      b[x] = e->n32++;
      line (e, "cvt.rn.%sx2.f32 %%r%u, %%f%u, %%f%u", type, b[x], value[1], value[0]);
    }
}

/* Row k of atoms: operands and products. */
static void
emit_atoms (Emitter *e, guint k, guint a_offset, const guint *words, guint k0, const guint *of_tile)
{
  const TlTileTiling *t = &e->of->spec.tiling;
  const char         *type = e->of->spec.activation.exponent == 8 ? "bf16" : "f16";
  guint               first_a = e->n32;

  e->n32 += 4 * t->repeat_m;
  emit_load_a (e, k, a_offset, first_a);
  for (guint j = 0; j < t->repeat_n; j++)
    {
      guint b[2];

      emit_weights (e, k, j, words, k0, of_tile, b);
      for (guint i = 0; i < t->repeat_m; i++)
        {
          guint c = e->first_sum + 4 * (i * t->repeat_n + j), a = first_a + 4 * i;

          line (e,
                "mma.sync.aligned.m16n8k16.row.col.f32.%s.%s.f32 {%%f%u, %%f%u, %%f%u, %%f%u}, {%%r%u, %%r%u, %%r%u, "
                "%%r%u}, {%%r%u, %%r%u}, {%%f%u, %%f%u, %%f%u, %%f%u}",
                type, type, c, c + 1, c + 2, c + 3, a, a + 1, a + 2, a + 3, b[0], b[1], c, c + 1, c + 2, c + 3);
        }
    }
}

/* Where the thread's part of A begins in a stage: the word it multiplies, or the row of a matrix it points at. */
static guint
a_start (Emitter *e, guint stage)
{
  guint row = e->n32++, offset = e->n32++;
  guint within = e->by_matrix ? with_number (e, "and.b32", e->tid, 15) : e->quad;
  guint column = e->by_matrix ? with_number (e, "shl.b32",
                                             with_number (e, "and.b32", with_number (e, "shr.u32", e->tid, 4), 1), 3)
                              : with_number (e, "shl.b32", e->lane4, 1);

  line (e, "mad.lo.u32 %%r%u, %%r%u, %u, %%r%u", row, e->warp_m, 16 * e->of->spec.tiling.repeat_m, within);
  line (e, "mad.lo.u32 %%r%u, %%r%u, %" G_GINT64_FORMAT ", %%r%u", offset, row, e->row, column);
  return with_register (e, "add.u32", offset, with_number (e, "mul.lo.u32", stage, e->stage));
}

static void
emit_product (Emitter *e, guint kt, guint stage)
{
  const TlTileTiling *t = &e->of->spec.tiling;
  guint               n_words = (e->of->recipe.image_bits + 31) / 32, k0 = 0;
  g_autofree guint   *words = g_new0 (guint, n_words + 1);
  g_autofree guint   *of_tile = g_new0 (guint, t->repeat_n);

  emit_load_w (e, stage, words);
  emit_view (e, words, n_words);
  guint offset = a_start (e, stage);
  if (scales_of (e->of) != SCALES_NONE)
    {
      k0 = with_number (e, "mul.lo.u32", kt, e->of->tile_k);
      e->scale_column = e->n32++;
      line (e, "mad.lo.u32 %%r%u, %%r%u, %u, %%r%u", e->scale_column, e->warp_n, 8 * t->repeat_n, e->quad);
      e->scale_column = with_register (e, "add.u32", e->scale_column, e->n0);
    }
  for (guint j = 0; j < t->repeat_n && scales_of (e->of) == SCALES_OF_TILE; j++)
    of_tile[j] = emit_scale (e, k0, 8 * j, FALSE);
  for (guint k = 0; k < e->of->tile_k / 16; k++)
    emit_atoms (e, k, offset, words, k0, of_tile);
}

static void
emit_next_stage (Emitter *e, guint stage)
{
  guint p = e->n_predicate++;

  line (e, "add.u32 %%r%u, %%r%u, 1", stage, stage);
  line (e, "setp.eq.u32 %%p%u, %%r%u, %u", p, stage, e->of->spec.stages);
  line (e, "selp.u32 %%r%u, 0, %%r%u, %%p%u", stage, stage, p);
}

static void
emit_loop (Emitter *e)
{
  guint stages = e->of->spec.stages, kt = e->n32++, next = e->n32++, reading = e->n32++, writing = e->n32++;
  guint label = ++e->n_label, p = e->n_predicate++;

  for (guint s = 0; s + 1 < stages; s++)
    {
      guint k = e->n32++;
      line (e, "mov.u32 %%r%u, %u", k, s);
      emit_copies (e, k, k);
    }
  line (e, "mov.u32 %%r%u, 0", kt);
  line (e, "mov.u32 %%r%u, %u", next, stages - 1);
  line (e, "mov.u32 %%r%u, 0", reading);
  line (e, "mov.u32 %%r%u, %u", writing, stages - 1);
  g_string_append_printf (e->text, "$L%u:\n", label);
  line (e, "cp.async.wait_group %u", stages - 2);
  line (e, "bar.sync 0");
  emit_copies (e, next, writing);
  emit_product (e, kt, reading);
  emit_next_stage (e, reading);
  emit_next_stage (e, writing);
  line (e, "add.u32 %%r%u, %%r%u, 1", next, next);
  line (e, "add.u32 %%r%u, %%r%u, 1", kt, kt);
  line (e, "setp.lt.u32 %%p%u, %%r%u, %u", p, kt, e->of->tiles_k);
  line (e, "@%%p%u bra $L%u", p, label);
}

static void
emit_store (Emitter *e)
{
  const TlTileTiling *t = &e->of->spec.tiling;
  guint               row = e->n32++, column = e->n32++;

  line (e, "mad.lo.u32 %%r%u, %%r%u, %u, %%r%u", row, e->warp_m, 16 * t->repeat_m, e->quad);
  row = with_register (e, "add.u32", row, e->m0);
  line (e, "mad.lo.u32 %%r%u, %%r%u, %u, %%r%u", column, e->warp_n, 8 * t->repeat_n,
        with_number (e, "shl.b32", e->lane4, 1));
  column = with_register (e, "add.u32", column, e->n0);
  for (guint i = 0; i < t->repeat_m; i++)
    for (guint half = 0; half < 2; half++)
      {
        guint at = with_number (e, "add.u32", row, i * 16 + half * 8), in_row = e->n_predicate++, line_at = e->n64++;

        line (e, "setp.lt.u32 %%p%u, %%r%u, %" G_GUINT64_FORMAT, in_row, at, e->of->spec.m);
        line (e, "mad.wide.u32 %%d%u, %%r%u, %" G_GUINT64_FORMAT ", %%d%u", line_at, at, e->of->spec.n * 4,
              e->c_pointer);
        for (guint j = 0; j < t->repeat_n; j++)
          for (guint x = 0; x < 2; x++)
            {
              guint along = with_number (e, "add.u32", column, j * 8 + x), p = e->n_predicate++, to = e->n64++;

              line (e, "setp.lt.and.u32 %%p%u, %%r%u, %" G_GUINT64_FORMAT ", %%p%u", p, along, e->of->spec.n, in_row);
              line (e, "mad.wide.u32 %%d%u, %%r%u, 4, %%d%u", to, along, line_at);
              line (e, "@%%p%u st.global.f32 [%%d%u], %%f%u", p, to,
                    e->first_sum + 4 * (i * t->repeat_n + j) + 2 * half + x);
            }
      }
}

/* How the builder's tiles of A lie; they are rows in column blocks. */
static gboolean
read_a_tiles (Emitter *e)
{
  guint               n = tl_tile_kernel_n_tensors (e->of->kernel);
  const TlTileTensor *tensor = NULL;

  for (guint i = 1; i < n; i++)
    if (strcmp (tl_tile_kernel_tensor (e->of->kernel, i)->name, "a_tiles") == 0)
      tensor = tl_tile_kernel_tensor (e->of->kernel, i);
  g_return_val_if_fail (tensor != NULL, FALSE);
  TlShared bare = e->a = tensor->shared;
  guint64  tile_k = e->of->tile_k, tile = (guint64) e->of->tile_m * tile_k;

  bare.swizzle.bits = 0;
  e->stage = e->of->spec.stages > 1 ? (gint64) tl_shared_offset (&bare, tile) : 0;
  e->row = (gint64) tl_shared_offset (&bare, tile_k);
  e->width = 1;
  while (e->width < (gint64) tile_k && (gint64) tl_shared_offset (&bare, (guint64) e->width) == e->width)
    e->width++;
  e->block = e->width < (gint64) tile_k ? (gint64) tl_shared_offset (&bare, (guint64) e->width) : 0;
  e->a_bytes = (guint64) e->stage * e->of->spec.stages * 2;
  for (guint64 x = 0; x < tile; x++)
    {
      gint64 column = (gint64) (x % tile_k);
      if ((gint64) tl_shared_offset (&bare, x)
          != (gint64) (x / tile_k) * e->row + column / e->width * e->block + column % e->width)
        return FALSE;
    }
  return e->width % 16 == 0;
}

char *
tl_tile_matmul_to_ptx (const TlTileMatmul *matmul, const TlTilePtxOptions *options, guint64 *shared_bytes,
                       char **reason)
{
  const TlTileMatmulSpec *spec = &matmul->spec;
  g_autoptr (GString) body = g_string_new (NULL);
  Emitter     e = { .of = matmul, .options = *options, .text = body, .n32 = 1 };
  const char *why = spec->activation.kind != TL_ELEMENT_FLOAT ? "PTX is written for products of f16 and bf16"
                    : spec->vector != 1                       ? "PTX is written for vectors of 1"
                    : spec->k % 2 != 0                        ? "k is odd, and rows of A are copied 4 bytes at a time"
                    : options->sm != 80 && options->sm != 90  ? "PTX is written for sm_80 and sm_90"
                    : !read_a_tiles (&e)                      ? "the tiles of A do not lie in rows"
                                                              : NULL;
  guint       n_sums = 4 * spec->tiling.repeat_m * spec->tiling.repeat_n;

  if (why != NULL)
    {
      if (reason != NULL)
        *reason = g_strdup (why);
      return NULL;
    }
  /* Swizzling moves whole 16 bytes when its lowest bit is the eighth element's. */
  e.by_matrix
      = e.row % 8 == 0 && e.block % 8 == 0 && e.stage % 8 == 0 && (e.a.swizzle.bits == 0 || e.a.swizzle.base >= 3);
  emit_identity (&e);
  e.first_sum = e.n_float;
  e.n_float += n_sums;
  for (guint i = 0; i < n_sums; i++)
    line (&e, "mov.f32 %%f%u, 0f00000000", e.first_sum + i);
  emit_loop (&e);
  emit_store (&e);
  line (&e, "ret");
  if (shared_bytes != NULL)
    *shared_bytes = e.a_bytes + spec->stages * matmul->recipe.bytes;
  return g_strdup_printf (
      ".version 8.0\n.target sm_%u\n.address_size 64\n"
      ".extern .shared .align 16 .b8 tiles[];\n"
      ".visible .entry matmul(.param .u64 a, .param .u64 w, .param .u64 c%s)\n"
      ".maxntid %u, 1, 1\n{\n"
      "\t.reg .pred %%p<%u>;\n\t.reg .b16 %%h<%u>;\n\t.reg .b32 %%r<%u>;\n\t.reg .f32 %%f<%u>;\n\t.reg .b64 %%d<%u>;\n"
      "%s}\n",
      options->sm, spec->group > 0 ? ", .param .u64 s" : "", tl_tile_kernel_threads (matmul->kernel), e.n_predicate,
      e.n16 + 1, e.n32, e.n_float, e.n64, body->str);
}
