/* Instructions on registers, against plain loops over arrays. */
#include "workshop.h"

#include <math.h>
#include <string.h>

/* Ways to spread 4 x 6 over 4 threads, with a copy in each of two; the same for 1 x 6 and 4 x 1. */
static const struct
{
  const char *whole, *row, *column;
} spreads[] = {
  { "spatial(2,2).local(2,3)", "reduce(spatial(2,2),[0],keepdims=True).local(1,3)",
    "reduce(spatial(2,2),[1],keepdims=True).local(2,1)" },
  { "local(4,3).spatial(1,2).replicated(1,1,num_workers=2)", "local(1,3).spatial(1,2).replicated(1,1,num_workers=2)",
    "column_local(4,1).replicated(1,1,num_workers=4)" },
  { "column_spatial(4,1).column_local(1,6)", "replicated(1,6,num_workers=4)", "spatial(4,1)" },
};

START_TEST (integers_element_by_element)
{
  gint32  a[24], b[6], c[4], out[9][24];
  guint64 state = tl_test_seed ();
  g_autoptr (Workshop) shop = workshop_new (4);
  guint    x = reg (shop, "i32", spreads[_i].whole), y = reg (shop, "i32", spreads[_i].row);
  guint    z = reg (shop, "i32", spreads[_i].column), r[9];
  TlTileOp ops[] = { TL_TILE_ADD, TL_TILE_SUB, TL_TILE_MUL, TL_TILE_DIV, TL_TILE_MOD };

  for (guint i = 0; i < 24; i++)
    a[i] = (gint32) tl_test_random (&state);
  for (guint i = 0; i < 6; i++)
    b[i] = (gint32) tl_test_random_below (&state, 100000) - 50000 + (i == 0);
  for (guint i = 0; i < 4; i++)
    c[i] = (gint32) tl_test_random_below (&state, 2);
  load (shop, x, a, sizeof a);
  load (shop, y, b, sizeof b);
  load (shop, z, c, sizeof c);
  for (guint i = 0; i < 9; i++)
    r[i] = reg (shop, "i32", spreads[_i].whole);
  for (guint i = 0; i < 5; i++)
    op (shop, ops[i], r[i], x, y);
  op (shop, TL_TILE_NEG, r[5], x, 0);
  op (shop, TL_TILE_ABS, r[6], x, 0);
  add (shop, (TlTileInstruction) { .op = TL_TILE_CLIP, .result = r[7], .operands = { x }, .low = -1000, .high = 5e8 });
  add (shop, (TlTileInstruction) { .op = TL_TILE_WHERE, .result = r[8], .operands = { z, x, y } });
  for (guint i = 0; i < 9; i++)
    store (shop, r[i], out[i], sizeof out[i]);
  run_well (shop);
  for (guint i = 0; i < 24; i++)
    {
      gint32 u = a[i], v = b[i % 6];
      gint32 expected[] = { (gint32) ((guint32) u + (guint32) v),
                            (gint32) ((guint32) u - (guint32) v),
                            (gint32) ((guint32) u * (guint32) v),
                            u / v,
                            u % v,
                            (gint32) (0u - (guint32) u),
                            u < 0 ? (gint32) (0u - (guint32) u) : u,
                            CLAMP (u, -1000, 500000000),
                            c[i / 6] != 0 ? u : v };
      for (guint k = 0; k < 9; k++)
        ck_assert_msg (out[k][i] == expected[k], "result %u, element %u: %d, not %d", k, i, out[k][i], expected[k]);
    }
}
END_TEST

START_TEST (floats_element_by_element)
{
  float   a[24], b[24], out[7][24];
  guint64 state = tl_test_seed ();
  g_autoptr (Workshop) shop = workshop_new (4);
  guint    x = reg (shop, "f32", spreads[_i].whole), y = reg (shop, "f32", spreads[_i].whole), r[7];
  TlTileOp ops[] = { TL_TILE_ADD, TL_TILE_SUB, TL_TILE_MUL, TL_TILE_DIV, TL_TILE_MOD };

  for (guint i = 0; i < 24; i++)
    {
      a[i] = ((float) tl_test_random_below (&state, 1 << 24) - (1 << 23)) / 1000.0f;
      b[i] = ((float) tl_test_random_below (&state, 1 << 24) + 1) / 77.0f;
    }
  a[3] = 3e38f;
  b[3] = 3e38f;
  load (shop, x, a, sizeof a);
  load (shop, y, b, sizeof b);
  for (guint i = 0; i < 7; i++)
    r[i] = reg (shop, "f32", spreads[_i].whole);
  for (guint i = 0; i < 5; i++)
    op (shop, ops[i], r[i], x, y);
  op (shop, TL_TILE_ABS, r[5], x, 0);
  /* y - x * i1 + i0, in doubles, rounded once. */
  guint product = tl_tile_binary (shop->kernel, TL_TILE_TIMES, tl_tile_element (shop->kernel, 0),
                                  tl_tile_index (shop->kernel, 1));
  guint difference = tl_tile_binary (shop->kernel, TL_TILE_MINUS, tl_tile_element (shop->kernel, 1), product);
  add (shop, (TlTileInstruction) { .op = TL_TILE_BINARY,
                                   .result = r[6],
                                   .operands = { x, y },
                                   .function = tl_tile_binary (shop->kernel, TL_TILE_PLUS, difference,
                                                               tl_tile_index (shop->kernel, 0)) });
  for (guint i = 0; i < 7; i++)
    store (shop, r[i], out[i], sizeof out[i]);
  run_well (shop);
  for (guint i = 0; i < 24; i++)
    {
      float u = a[i], v = b[i];
      float expected[] = { u + v,
                           u - v,
                           u * v,
                           u / v,
                           fmodf (u, v),
                           fabsf (u),
                           (float) ((double) v - (double) u * (i % 6) + (double) (i / 6)) };
      for (guint k = 0; k < 7; k++)
        ck_assert_msg (memcmp (&out[k][i], &expected[k], sizeof (float)) == 0, "result %u, element %u: %g, not %g", k,
                       i, (double) out[k][i], (double) expected[k]);
    }
}
END_TEST

/* Five-bit elements wrap around like any others, and a thread's lie across bytes. */
START_TEST (narrow_integers)
{
  guint8 bytes[15], sums[15] = { 0 }, wide[24];
  g_autoptr (Workshop) shop = workshop_new (4);
  guint x = reg (shop, "u5", spreads[_i].whole), r = reg (shop, "u5", spreads[_i].whole);
  guint s = reg (shop, "i8", spreads[_i].whole), t = reg (shop, "i5", spreads[_i].whole);

  for (guint i = 0; i < 15; i++)
    bytes[i] = (guint8) (i * 37 + 11);
  load (shop, x, bytes, sizeof bytes);
  op (shop, TL_TILE_ADD, r, x, x);
  store (shop, r, sums, sizeof sums);
  add (shop, (TlTileInstruction) { .op = TL_TILE_VIEW, .result = t, .operands = { x } });
  op (shop, TL_TILE_CAST, s, t, 0);
  store (shop, s, wide, sizeof wide);
  run_well (shop);
  for (guint i = 0; i < 24; i++)
    {
      guint at = i * 5, pair = bytes[at / 8] | (guint) (at / 8 + 1 < 15 ? bytes[at / 8 + 1] : 0) << 8;
      guint sum = sums[at / 8] | (guint) (at / 8 + 1 < 15 ? sums[at / 8 + 1] : 0) << 8;
      guint code = pair >> at % 8 & 31;

      ck_assert_uint_eq (sum >> at % 8 & 31, 2 * code & 31);
      ck_assert_int_eq ((gint8) wide[i], code >= 16 ? (gint) code - 32 : (gint) code);
    }
}
END_TEST

START_TEST (parts_and_repeats)
{
  gint32 a[24], part[6], column[4], patched[24], again[48], each[48];
  g_autoptr (Workshop) shop = workshop_new (4);
  guint x = reg (shop, "i32", "local(4,6).replicated(1,1,num_workers=4)");
  guint p = reg (shop, "i32", "local(2,3).replicated(1,1,num_workers=4)");
  guint c = reg (shop, "i32", "replicated(4,num_workers=4)");
  guint w = reg (shop, "i32", "local(4,6).replicated(1,1,num_workers=4)");
  guint m = reg (shop, "i32", "local(4,12).replicated(1,1,num_workers=4)");
  guint n = reg (shop, "i32", "local(8,6).replicated(1,1,num_workers=4)");

  for (guint i = 0; i < 24; i++)
    a[i] = (gint32) i * 7 - 50;
  load (shop, x, a, sizeof a);
  add (shop, (TlTileInstruction) { .op = TL_TILE_SLICE_REGISTER,
                                   .result = p,
                                   .operands = { x },
                                   .starts = { 1, 2 },
                                   .n_dims = 2,
                                   .dims = { 0, 1 } });
  add (shop, (TlTileInstruction) {
                 .op = TL_TILE_SLICE_REGISTER, .result = c, .operands = { x }, .starts = { 0, 5 }, .n_dims = 1 });
  op (shop, TL_TILE_ASSIGN, w, x, 0);
  add (shop, (TlTileInstruction) { .op = TL_TILE_SLICE_ASSIGN,
                                   .result = w,
                                   .operands = { p },
                                   .starts = { 2, 3 },
                                   .n_dims = 2,
                                   .dims = { 0, 1 } });
  add (shop, (TlTileInstruction) {
                 .op = TL_TILE_REPEAT, .result = m, .operands = { x }, .n_dims = 1, .dims = { 1 }, .amount = 2 });
  add (shop,
       (TlTileInstruction) {
           .op = TL_TILE_REPEAT_INTERLEAVE, .result = n, .operands = { x }, .n_dims = 1, .dims = { 0 }, .amount = 2 });
  store (shop, p, part, sizeof part);
  store (shop, c, column, sizeof column);
  store (shop, w, patched, sizeof patched);
  store (shop, m, again, sizeof again);
  store (shop, n, each, sizeof each);
  run_well (shop);
  for (guint i = 0; i < 6; i++)
    ck_assert_int_eq (part[i], a[(1 + i / 3) * 6 + 2 + i % 3]);
  for (guint i = 0; i < 4; i++)
    ck_assert_int_eq (column[i], a[i * 6 + 5]);
  for (guint i = 0; i < 24; i++)
    {
      guint    row = i / 6, at = i % 6;
      gboolean inside = row >= 2 && at >= 3;
      ck_assert_int_eq (patched[i], inside ? part[(row - 2) * 3 + at - 3] : a[i]);
    }
  for (guint i = 0; i < 48; i++)
    {
      ck_assert_int_eq (again[i], a[i / 12 * 6 + i % 12 % 6]);
      ck_assert_int_eq (each[i], a[i / 6 / 2 * 6 + i % 6]);
    }
}
END_TEST

/* Forms of one register share its bits: what is written to one shows in all. */
START_TEST (forms_share_bits)
{
  gint32 a[24], turned[24], flat[24], long_form[24];
  g_autoptr (Workshop) shop = workshop_new (4);
  guint x = reg (shop, "i32", "spatial(2,2).local(2,3)");
  guint t = reg (shop, "i32", "permute(spatial(2,2).local(2,3),[1,0])");
  guint f = reg (shop, "i32", "flatten(spatial(2,2).local(2,3))");
  guint u = reg (shop, "i32", "unsqueeze(spatial(2,2).local(2,3),[1])");
  guint s = reg (shop, "i32", "spatial(2,2).local(2,3)");

  for (guint i = 0; i < 24; i++)
    a[i] = (gint32) i * i;
  load (shop, x, a, sizeof a);
  add (shop,
       (TlTileInstruction) { .op = TL_TILE_TRANSPOSE, .result = t, .operands = { x }, .n_dims = 2, .dims = { 1, 0 } });
  add (shop, (TlTileInstruction) { .op = TL_TILE_RESHAPE, .result = f, .operands = { x } });
  add (shop,
       (TlTileInstruction) { .op = TL_TILE_UNSQUEEZE, .result = u, .operands = { x }, .n_dims = 1, .dims = { 1 } });
  add (shop, (TlTileInstruction) { .op = TL_TILE_SQUEEZE, .result = s, .operands = { u }, .n_dims = 1, .dims = { 1 } });
  add (shop, (TlTileInstruction) { .op = TL_TILE_NEG, .result = s, .operands = { s } });
  store (shop, t, turned, sizeof turned);
  store (shop, f, flat, sizeof flat);
  store (shop, u, long_form, sizeof long_form);
  run_well (shop);
  for (guint i = 0; i < 24; i++)
    {
      ck_assert_int_eq (turned[i], -a[i % 4 * 6 + i / 4]);
      ck_assert_int_eq (flat[i], -a[i]);
      ck_assert_int_eq (long_form[i], -a[i]);
    }
}
END_TEST

/* Bytes 12 34 56 as four elements of six bits. */
START_TEST (three_bytes_as_four_sixes)
{
  static const gint8 expected[] = { 18, 16, -29, 21 };
  guint8             bytes[] = { 0x12, 0x34, 0x56 };
  gint8              out[4];
  g_autoptr (Workshop) shop = workshop_new (1);
  guint x = reg (shop, "u8", "local(3)"), y = reg (shop, "i6", "local(4)"), z = reg (shop, "i8", "local(4)");

  load (shop, x, bytes, sizeof bytes);
  op (shop, TL_TILE_VIEW, y, x, 0);
  op (shop, TL_TILE_CAST, z, y, 0);
  store (shop, z, out, sizeof out);
  run_well (shop);
  ck_assert_mem_eq (out, expected, sizeof expected);
  /* A view costs no thread anything: two moves of memory and one cast. */
  ck_assert_uint_eq (shop->report.thread_steps, 3 + 4 + 4);
}
END_TEST

START_TEST (folds)
{
  float a[24], sum[6], most[4], prefix[24], before[24], least[1];
  float row_sum[24];
  g_autoptr (Workshop) shop = workshop_new (4);
  guint64 state = tl_test_seed ();
  guint   x = reg (shop, "f32", spreads[_i].whole);
  guint   s = reg (shop, "f32", "replicated(6,num_workers=4)"), m = reg (shop, "f32", "spatial(4,1)");
  guint   p = reg (shop, "f32", spreads[_i].whole), q = reg (shop, "f32", spreads[_i].whole);
  guint   flat = reg (shop, "f32", "auto_local_spatial(4,[24])"), l = reg (shop, "f32", "replicated(1,num_workers=4)");

  for (guint i = 0; i < 24; i++)
    a[i] = (float) tl_test_random_below (&state, 1 << 24) / 999.0f - 3000.0f;
  load (shop, x, a, sizeof a);
  add (shop, (TlTileInstruction) { .op = TL_TILE_REDUCE, .result = s, .operands = { x }, .n_dims = 1 });
  add (shop, (TlTileInstruction) { .op = TL_TILE_REDUCE,
                                   .result = m,
                                   .operands = { x },
                                   .n_dims = 1,
                                   .dims = { 1 },
                                   .fold = TL_TILE_MAX,
                                   .flag = TRUE });
  add (shop, (TlTileInstruction) { .op = TL_TILE_SCAN, .result = p, .operands = { x }, .n_dims = 1, .dims = { 1 } });
  add (shop, (TlTileInstruction) {
                 .op = TL_TILE_SCAN, .result = q, .operands = { x }, .n_dims = 1, .dims = { 0 }, .flag = TRUE });
  load (shop, flat, a, sizeof a);
  add (shop,
       (TlTileInstruction) {
           .op = TL_TILE_REDUCE, .result = l, .operands = { flat }, .n_dims = 1, .fold = TL_TILE_MIN, .flag = TRUE });
  store (shop, s, sum, sizeof sum);
  store (shop, m, most, sizeof most);
  store (shop, p, prefix, sizeof prefix);
  store (shop, q, before, sizeof before);
  store (shop, l, least, sizeof least);
  run_well (shop);
  float low = a[0];
  for (guint i = 0; i < 24; i++)
    {
      low = MIN (low, a[i]);
      volatile float across = i % 6 == 0 ? 0 : row_sum[i - 1];
      row_sum[i] = across + a[i];
      ck_assert (prefix[i] == row_sum[i]);
      volatile float above = 0;
      for (guint r = 0; r < i / 6; r++)
        above = above + a[r * 6 + i % 6];
      ck_assert (before[i] == above);
      if (i / 6 == 3)
        {
          above = above + a[i];
          ck_assert (sum[i % 6] == above);
        }
    }
  for (guint r = 0; r < 4; r++)
    {
      float high = a[r * 6];
      for (guint i = 1; i < 6; i++)
        high = MAX (high, a[r * 6 + i]);
      ck_assert (most[r] == high);
    }
  ck_assert (least[0] == low);
}
END_TEST

START_TEST (logic_folds)
{
  guint8 bits = 0xb7, any = 0xff, all = 0xff;
  g_autoptr (Workshop) shop = workshop_new (2);
  guint x = reg (shop, "u1", "spatial(2,1).local(1,4)"), y = reg (shop, "u1", "spatial(2)");
  guint z = reg (shop, "u1", "spatial(2)");

  load (shop, x, &bits, 1);
  add (shop,
       (TlTileInstruction) {
           .op = TL_TILE_REDUCE, .result = y, .operands = { x }, .n_dims = 1, .dims = { 1 }, .fold = TL_TILE_ANY });
  add (shop,
       (TlTileInstruction) {
           .op = TL_TILE_REDUCE, .result = z, .operands = { x }, .n_dims = 1, .dims = { 1 }, .fold = TL_TILE_ALL });
  store (shop, y, &any, 1);
  store (shop, z, &all, 1);
  run_well (shop);
  ck_assert_uint_eq (any & 3, 3);
  ck_assert_uint_eq (all & 3, 0);
  ck_assert_uint_eq (any & ~3u, 0xfc);
}
END_TEST

START_TEST (shuffles)
{
  gint32 a[64], down[64], up[64];
  g_autoptr (Workshop) shop = workshop_new (32);
  guint x = reg (shop, "i32", "spatial(32,1).local(1,2)"), y = reg (shop, "i32", "spatial(32,1).local(1,2)");
  guint z = reg (shop, "i32", "spatial(32,1).local(1,2)");

  for (guint i = 0; i < 64; i++)
    a[i] = (gint32) i;
  load (shop, x, a, sizeof a);
  add (shop,
       (TlTileInstruction) { .op = TL_TILE_SHUFFLE_DOWN, .result = y, .operands = { x }, .amount = 3, .width = 8 });
  add (shop,
       (TlTileInstruction) { .op = TL_TILE_SHUFFLE_UP, .result = z, .operands = { x }, .amount = 5, .width = 32 });
  store (shop, y, down, sizeof down);
  store (shop, z, up, sizeof up);
  run_well (shop);
  for (guint t = 0; t < 32; t++)
    for (guint l = 0; l < 2; l++)
      {
        ck_assert_int_eq (down[2 * t + l], a[2 * (t % 8 + 3 < 8 ? t + 3 : t) + l]);
        ck_assert_int_eq (up[2 * t + l], a[2 * (t >= 5 ? t - 5 : t) + l]);
      }
}
END_TEST

/* Every code of small types to f32 and back is itself; f32 to a type saturates. */
START_TEST (casts)
{
  static const char *const names[] = { "f6e3m2", "f8e4m3", "f3e1m1", "i5", "u3", "f7e5m1", "bf16" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      TlElementType      type = type_of (names[i]);
      guint              n = type.bits > 8 ? 256 : 1u << type.bits;
      gsize              size = n * type.bits / 8;
      g_autofree char   *layout = g_strdup_printf ("local(%u).spatial(4)", n / 4);
      g_autofree guint8 *codes = g_new0 (guint8, size);
      g_autofree guint8 *again = g_new0 (guint8, size);
      g_autoptr (Workshop) shop = workshop_new (4);
      guint x = reg (shop, names[i], layout), y = reg (shop, "f32", layout), z = reg (shop, names[i], layout);

      for (guint k = 0; k < n * type.bits; k++)
        {
          guint code = type.bits > 8 ? k / 16 * 97 % 0x7f00 : k / type.bits;
          /* A NaN has one code only after a cast. */
          if (type.bits == 8 && (code & 127) == 127)
            code = 0;
          codes[k / 8] |= (guint8) ((code >> k % type.bits & 1) << k % 8);
        }
      load (shop, x, codes, size);
      op (shop, TL_TILE_CAST, y, x, 0);
      op (shop, TL_TILE_CAST, z, y, 0);
      store (shop, z, again, size);
      run_well (shop);
      ck_assert_msg (memcmp (codes, again, size) == 0, "%s", names[i]);
    }
  float  values[] = { 1e9f, -1e9f, 27, 0.3f };
  guint8 out[3] = { 0 };
  g_autoptr (Workshop) shop = workshop_new (1);
  guint x = reg (shop, "f32", "local(4)"), y = reg (shop, "f6e3m2", "local(4)");
  load (shop, x, values, sizeof values);
  op (shop, TL_TILE_CAST, y, x, 0);
  store (shop, y, out, sizeof out);
  run_well (shop);
  guint word = out[0] | (guint) out[1] << 8 | (guint) out[2] << 16;
  ck_assert_uint_eq (word & 63, 31);
  ck_assert_uint_eq (word >> 6 & 63, 63);
  ck_assert_uint_eq (word >> 12 & 63, 31); /* between 24 (30, even) and 28 (31): 26 would be the middle */
  ck_assert_uint_eq (word >> 18, 5);
}
END_TEST

/* A register made from its indices. */
START_TEST (made_from_indices)
{
  gint32 out[24];
  g_autoptr (Workshop) shop = workshop_new (4);
  guint x = reg (shop, "i32", spreads[_i].whole);
  guint big = tl_tile_binary (shop->kernel, TL_TILE_LESS, number (shop, 2), tl_tile_index (shop->kernel, 1));
  guint sum = tl_tile_binary (shop->kernel, TL_TILE_TIMES, tl_tile_index (shop->kernel, 0), number (shop, 10));

  add (shop, (TlTileInstruction) { .op = TL_TILE_ALLOCATE_REGISTER,
                                   .result = x,
                                   .function = tl_tile_select (shop->kernel, big, sum, number (shop, -1)) });
  store (shop, x, out, sizeof out);
  run_well (shop);
  for (guint i = 0; i < 24; i++)
    ck_assert_int_eq (out[i], i % 6 > 2 ? (gint) (i / 6 * 10) : -1);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("tile-registers");
  TCase *tcase = tcase_create ("registers");

  tcase_add_loop_test (tcase, integers_element_by_element, 0, G_N_ELEMENTS (spreads));
  tcase_add_loop_test (tcase, floats_element_by_element, 0, G_N_ELEMENTS (spreads));
  tcase_add_loop_test (tcase, narrow_integers, 0, G_N_ELEMENTS (spreads));
  tcase_add_test (tcase, parts_and_repeats);
  tcase_add_test (tcase, forms_share_bits);
  tcase_add_test (tcase, three_bytes_as_four_sixes);
  tcase_add_loop_test (tcase, folds, 0, G_N_ELEMENTS (spreads));
  tcase_add_test (tcase, logic_folds);
  tcase_add_test (tcase, shuffles);
  tcase_add_test (tcase, casts);
  tcase_add_loop_test (tcase, made_from_indices, 0, G_N_ELEMENTS (spreads));
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
