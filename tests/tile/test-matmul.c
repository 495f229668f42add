/* Matrix products on the tile machine against a plain reference that shares no code with it:
 * weights are decoded by the tables of outside values, and k is looped over. */
#include "support/support.h"
#include "tile/matmul.h"
#include "tile/run.h"

#include <math.h>
#include <string.h>

/* Values of all codes of a weight type, from the table or by the meaning of integers. FALSE
 * when the table is not there. */
static gboolean
reference_values (const char *name, double *values)
{
  guint bits = (guint) (name[1] - '0');

  if (name[0] != 'f')
    {
      for (guint code = 0; code < 1u << bits; code++)
        values[code] = name[0] == 'i' && code >= 1u << (bits - 1) ? (double) code - (1 << bits) : code;
      return TRUE;
    }
  g_autofree char *path = tl_test_shared_path ("oracle/tilus-float-subbyte-decode.csv");
  g_autofree char *long_name = g_strdup_printf ("float%c_%s", name[1], name + 2);
  if (path == NULL)
    return FALSE;
  g_autoptr (GPtrArray) table = tl_test_read_csv (path);
  for (guint row = 1; row < table->len; row++)
    if (g_str_equal (tl_test_cell (table, row, "name"), long_name))
      {
        g_auto (GStrv) cells = g_strsplit (tl_test_cell (table, row, "value_of_code_0_to_2n_minus_1"), " ", -1);
        ck_assert_uint_eq (g_strv_length (cells), 1u << bits);
        for (guint code = 0; code < 1u << bits; code++)
          values[code] = g_ascii_strtod (cells[code], NULL);
        return TRUE;
      }
  ck_abort_msg ("the table lacks %s", long_name);
}

static TlElementType
type_of (const char *name)
{
  TlElementType type;

  ck_assert_msg (tl_element_type_parse (name, &type), "%s", name);
  return type;
}

/* The value of a code of f16 or bf16 without infinities. */
static float
half_value (const char *type, guint code)
{
  gboolean bf16 = type[0] == 'b';
  int      mantissa = bf16 ? 7 : 10, bias = bf16 ? 127 : 15;
  int      exponent = (int) (code & 0x7fff) >> mantissa, fraction = (int) code & ((1 << mantissa) - 1);
  double   value = exponent == 0 ? ldexp (fraction, 1 - bias - mantissa)
                                 : ldexp (fraction + (1 << mantissa), exponent - bias - mantissa);

  return (float) (code >> 15 ? -value : value);
}

typedef struct
{
  const char *weight, *activation;
  guint       m, n, k, group;
  guint       warps_m, warps_n, repeat_m, repeat_n, repeat_k, vector, stages;
  TlLoadWay   way;
} Case;

static void
fill_codes (guint64 *state, const double *values, guint bits, guint8 *codes, guint n)
{
  for (guint i = 0; i < n; i++)
    do
      codes[i] = (guint8) tl_test_random_below (state, 1u << bits);
    while (!isfinite (values[codes[i]]));
}

/* A plain f32 product, k rising, one addition each. */
static float
reference_sum (const Case *c, const float *a, const double *values, const guint8 *w, const float *scales, guint i,
               guint j)
{
  volatile float sum = 0;

  for (guint x = 0; x < c->k; x++)
    {
      float weight = (float) values[w[x * c->n + j]];
      if (c->group > 0)
        weight *= scales[x / c->group * c->n + j];
      volatile float product = a[i * c->k + x] * weight;
      sum = sum + product;
    }
  return sum;
}

/* How many elements of the machine's product differ from the reference's. */
static guint
differences (const Case *c, gboolean spoil, TlTileReport *report, gint64 *spent)
{
  TlTileMatmulSpec spec = { type_of (c->activation),
                            type_of (c->weight),
                            c->m,
                            c->n,
                            c->k,
                            c->group,
                            { c->warps_m, c->warps_n, c->repeat_m, c->repeat_n, c->repeat_k },
                            c->vector,
                            c->stages,
                            FALSE,
                            c->way };
  g_auto (TlTileMatmul) matmul = { 0 };
  g_autofree char *reason = NULL;
  double           values[256];
  guint64          state = tl_test_seed () + c->k;
  guint            groups = c->group > 0 ? (c->k + c->group - 1) / c->group : 0, at, wrong = 0;

  if (!reference_values (c->weight, values))
    {
      tl_test_skip ("no table of floats");
      return 0;
    }
  if (!tl_tile_matmul_make (&matmul, &spec, &reason))
    ck_abort_msg ("%s x %s: %s", c->activation, c->weight, reason);
  gint64 planned = g_get_monotonic_time ();
  g_autoptr (TlTilePlan) plan = tl_tile_plan_new (matmul.kernel, &at, &reason);
  planned = g_get_monotonic_time () - planned;
  if (plan == NULL)
    {
      g_autofree char *text = tl_tile_kernel_to_text (matmul.kernel);
      ck_abort_msg ("%s x %s, instruction %u: %s\n%s", c->activation, c->weight, at, reason, text);
    }

  g_autofree guint16 *a = g_new (guint16, c->m * c->k);
  g_autofree float   *a_values = g_new (float, c->m * c->k);
  g_autofree guint8  *w = g_new (guint8, c->k * c->n);
  g_autofree guint8  *packed = g_new (guint8, matmul.weight_bytes);
  g_autofree float   *result = g_new0 (float, c->m * c->n);
  g_autofree guint16 *scales = g_new0 (guint16, MAX (groups * c->n, 1));
  g_autofree float   *scale_values = g_new0 (float, MAX (groups * c->n, 1));
  for (guint i = 0; i < c->m * c->k; i++)
    {
      /* All mantissas, exponents from far below 1 to 2: sums are rounded at nearly every step. */
      guint code = (guint) tl_test_random_below (&state, 1 << 16);
      a[i] = (guint16) (c->activation[0] == 'b' ? (code & 0x87ff) | 0x3800 : code & 0xbfff);
      a_values[i] = half_value (c->activation, a[i]);
    }
  for (guint i = 0; i < groups * c->n; i++)
    {
      /* 0.5, 0.75, 1 or 1.5: products with a weight stay exact. */
      static const guint16 few[] = { 0x3800, 0x3a00, 0x3c00, 0x3e00 };
      scales[i] = few[tl_test_random_below (&state, G_N_ELEMENTS (few))];
      scale_values[i] = half_value ("f16", scales[i]);
    }
  fill_codes (&state, values, spec.weight.bits, w, c->k * c->n);
  tl_tile_matmul_pack (&matmul, w, packed);
  for (guint i = 0; i < c->m * c->k; i++)
    a[i] = GUINT16_TO_LE (a[i]);
  if (spoil)
    packed[0] ^= 1;

  TlTileBuffer buffers[] = { { (guint8 *) a, c->m * c->k * sizeof *a },
                             { packed, matmul.weight_bytes },
                             { (guint8 *) result, c->m * c->n * sizeof *result },
                             { (guint8 *) scales, groups * c->n * sizeof *scales } };
  TlTileLaunch launch
      = { .grid = { matmul.grid[0], matmul.grid[1], 1 }, .buffers = buffers, .n_buffers = c->group > 0 ? 4 : 3 };
  gint64 from = g_get_monotonic_time ();
  if (!tl_tile_run (plan, &launch, report))
    ck_abort_msg ("%s x %s: %s", c->activation, c->weight, report->fault.message);
  if (spent != NULL)
    *spent = g_get_monotonic_time () - from + planned;
  for (guint i = 0; i < c->m; i++)
    for (guint j = 0; j < c->n; j++)
      {
        float expected = reference_sum (c, a_values, values, w, scale_values, i, j);
        wrong += memcmp (&expected, &result[i * c->n + j], sizeof expected) != 0;
      }
  return wrong;
}

static const char *const weights[]
    = { "u1",     "u2",     "u3",     "u4",     "u5",     "u6",     "u7",     "u8",     "i1",     "i2",     "i3",
        "i4",     "i5",     "i6",     "i7",     "i8",     "f3e1m1", "f4e1m2", "f4e2m1", "f5e1m3", "f5e2m2", "f5e3m1",
        "f6e2m3", "f6e3m2", "f6e4m1", "f7e2m4", "f7e3m3", "f7e4m2", "f7e5m1", "f8e4m3", "f8e5m2" };

/* Odd sizes, so that tiles stick out and their number is odd; every way of loading; one atom,
 * where a thread has 4 elements (u1: 4 bits), and larger blocks. */
START_TEST (every_weight_type)
{
  const char *weight = weights[_i];
  const char *activation = g_str_equal (weight, "f7e5m1") ? "bf16" : "f16";
  const Case  cases[] = {
     { weight, activation, 19, 21, 37, 0, 1, 1, 1, 1, 1, 1, 2, TL_LOAD_REPEAT },
     { weight, activation, 19, 21, 37, 0, 1, 1, 1, 1, 1, 1, 3, TL_LOAD_SHARED_BYTE },
     { weight, activation, 19, 21, 37, 0, 1, 1, 1, 1, 1, 1, 2, TL_LOAD_PAD },
     { weight, "bf16", 33, 17, 80, 0, 2, 1, 1, 3, 1, 1, 3, TL_LOAD_SHARED_BYTE },
     { weight, activation, 40, 70, 100, 0, 2, 2, 1, 2, 1, 2, 4, TL_LOAD_REPEAT },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (TlTileReport) report = { 0 };
      guint wrong = differences (&cases[i], FALSE, &report, NULL);

      ck_assert_msg (wrong == 0, "%s, case %u: %u elements differ", weight, i, wrong);
    }
}
END_TEST

START_TEST (a_spoiled_weight_shows)
{
  const Case c = { "i6", "f16", 16, 8, 16, 0, 1, 1, 1, 1, 1, 1, 2, TL_LOAD_REPEAT };
  g_auto (TlTileReport) report = { 0 };

  ck_assert_uint_gt (differences (&c, TRUE, &report, NULL), 0);
}
END_TEST

/* Groups of several tiles, of a part of one, and that end inside one. */
START_TEST (group_scales)
{
  static const guint groups[] = { 16, 32, 8, 5, 1, 64, 1000 };

  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    {
      const Case c = { "u4", "f16", 20, 30, 75, groups[i], 1, 2, 1, 1, 1, 1, 2, TL_LOAD_REPEAT };
      g_auto (TlTileReport) report = { 0 };
      guint wrong = differences (&c, FALSE, &report, NULL);

      ck_assert_msg (wrong == 0, "groups of %u: %u elements differ", groups[i], wrong);
    }
}
END_TEST

/* i8 activations with integer weights into i32. */
START_TEST (integer_products)
{
  static const char *const names[] = { "i8", "u8", "i4", "u3", "i2", "u1" };

  for (guint x = 0; x < G_N_ELEMENTS (names); x++)
    for (guint s = 0; s < 2; s++)
      {
        TlTileMatmulSpec spec = {
          type_of (s ? "i8" : "u8"), type_of (names[x]), 21, 19, 70, 0, { 1, 1, 1, 1, 1 }, 1, 2, FALSE, TL_LOAD_REPEAT
        };
        g_auto (TlTileMatmul) matmul = { 0 };
        g_auto (TlTileReport) report = { 0 };
        g_autofree char *reason = NULL;
        double           values[256];
        guint64          state = tl_test_seed ();
        guint8           a[21 * 70], w[70 * 19];
        gint32           result[21 * 19] = { 0 };

        reference_values (names[x], values);
        if (!tl_tile_matmul_make (&matmul, &spec, &reason))
          ck_abort_msg ("%s", reason);
        g_autoptr (TlTilePlan) plan = tl_tile_plan_new (matmul.kernel, NULL, &reason);
        ck_assert_msg (plan != NULL, "%s", reason);
        for (guint i = 0; i < sizeof a; i++)
          a[i] = (guint8) tl_test_random (&state);
        fill_codes (&state, values, spec.weight.bits, w, sizeof w);
        g_autofree guint8 *packed = g_new (guint8, matmul.weight_bytes);
        tl_tile_matmul_pack (&matmul, w, packed);
        TlTileBuffer buffers[]
            = { { a, sizeof a }, { packed, matmul.weight_bytes }, { (guint8 *) result, sizeof result } };
        TlTileLaunch launch = { .grid = { matmul.grid[0], matmul.grid[1], 1 }, .buffers = buffers, .n_buffers = 3 };
        ck_assert_msg (tl_tile_run (plan, &launch, &report), "%s", report.fault.message);
        for (guint i = 0; i < 21; i++)
          for (guint j = 0; j < 19; j++)
            {
              gint32 sum = 0;
              for (guint k = 0; k < 70; k++)
                sum += (s ? (gint8) a[i * 70 + k] : a[i * 70 + k]) * (gint32) values[w[k * 19 + j]];
              ck_assert_int_eq ((gint32) GINT32_FROM_LE (result[i * 19 + j]), sum);
            }
      }
}
END_TEST

START_TEST (what_cannot_be_built)
{
  static const struct
  {
    TlTileMatmulSpec spec;
    const char      *weight, *activation, *says;
  } cases[] = {
    { { .m = 8, .n = 8, .k = 8, .tiling = { 1, 1, 1, 1, 1 }, .vector = 1, .stages = 2 }, "f7e5m1", "f16", "take bf16" },
    { { .m = 8, .n = 8, .k = 8, .tiling = { 1, 1, 1, 1, 1 }, .vector = 1, .stages = 2 }, "f16", "f16", "1 to 8 bits" },
    { { .m = 8, .n = 8, .k = 8, .tiling = { 1, 1, 1, 1, 1 }, .vector = 1, .stages = 2 }, "u4", "f32", "no atom" },
    { { .m = 8, .n = 8, .k = 8, .tiling = { 1, 1, 1, 1, 1 }, .vector = 5, .stages = 2 }, "u4", "f16", "no atom" },
    { { .m = 8, .n = 8, .k = 8, .tiling = { 1, 1, 1, 1, 1 }, .vector = 1, .stages = 1 }, "u4", "f16", "stages" },
    { { .m = 8, .n = 8, .k = 0, .tiling = { 1, 1, 1, 1, 1 }, .vector = 1, .stages = 2 }, "u4", "f16", "m, n and k" },
    { { .m = 8, .n = 8, .k = 8, .tiling = { 8, 8, 1, 1, 1 }, .vector = 1, .stages = 2 }, "u4", "f16", "warps" },
    { { .m = 8, .n = 8, .k = 8, .tiling = { 1, 1, 0, 1, 1 }, .vector = 1, .stages = 2 }, "u4", "f16", "atoms" },
    { { .m = 8, .n = 8, .k = 8, .tiling = { 1, 1, 1, 1, 1 }, .vector = 1, .stages = 2 }, "f4e2m1", "i8", "integer" },
    { { .m = 8, .n = 8, .k = 8, .group = 4, .tiling = { 1, 1, 1, 1, 1 }, .vector = 1, .stages = 2 },
      "u4",
      "i8",
      "scaled" },
  };
  TlTileMatmulSpec spec = cases[_i].spec;
  g_auto (TlTileMatmul) matmul = { 0 };
  g_autofree char *reason = NULL;

  spec.weight = type_of (cases[_i].weight);
  spec.activation = type_of (cases[_i].activation);
  ck_assert (!tl_tile_matmul_make (&matmul, &spec, &reason));
  ck_assert_msg (strstr (reason, cases[_i].says) != NULL, "%s", reason);
}
END_TEST

/* Said, not judged: the aims are 50 M thread-instructions a second, and a step that is
 * checked on each key press. */
START_TEST (speed)
{
  const Case c = { "u4", "f16", 64, 128, 512, 0, 2, 2, 2, 8, 4, 1, 3, TL_LOAD_REPEAT };
  g_auto (TlTileReport) report = { 0 };
  gint64 spent = 0;

  ck_assert_uint_eq (differences (&c, FALSE, &report, &spent), 0);
  g_print ("64x128x512 in tiles of 64x128x64: planned and run in %.1f ms, %.0f M thread-instructions a second\n",
           (double) spent / 1e3, (double) report.thread_steps / (double) spent);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("tile-matmul");
  TCase *tcase = tcase_create ("matmul");

  tcase_set_timeout (tcase, 60);
  tcase_add_loop_test (tcase, every_weight_type, 0, G_N_ELEMENTS (weights));
  tcase_add_test (tcase, a_spoiled_weight_shows);
  tcase_add_test (tcase, group_scales);
  tcase_add_test (tcase, integer_products);
  tcase_add_loop_test (tcase, what_cannot_be_built, 0, 10);
  tcase_add_test (tcase, speed);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
