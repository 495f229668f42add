/* Codes of element types against the tables of outside values, and their laws. */
#include "layout/element-code.h"
#include "oracle.h"

#include <math.h>
#include <string.h>

static TlElementType
type_of (const char *name)
{
  TlElementType type;

  ck_assert_msg (tl_element_type_parse (name, &type), "%s", name);
  return type;
}

static gboolean
same_double (double a, double b)
{
  return memcmp (&a, &b, sizeof a) == 0 || (isnan (a) && isnan (b));
}

static gboolean
decode_row_agrees (const GPtrArray *table, guint row, const char *name)
{
  TlElementType type = type_of (name);
  g_auto (GStrv) values = g_strsplit (tl_test_cell (table, row, "value_of_code_0_to_2n_minus_1"), " ", -1);
  guint wrong = 0;

  if (g_strv_length (values) != 1u << type.bits)
    return FALSE;
  for (guint code = 0; code < 1u << type.bits; code++)
    {
      double ours = tl_element_decode (type, code), theirs = g_ascii_strtod (values[code], NULL);
      /* One row has no minus zero. */
      wrong += !(ours == theirs || same_double (ours, theirs));
    }
  wrong += tl_element_type_greatest (type) != g_ascii_strtod (tl_test_cell (table, row, "max_finite"), NULL);
  wrong += tl_element_type_smallest (type) != g_ascii_strtod (tl_test_cell (table, row, "min_positive"), NULL);
  return wrong == 0;
}

START_TEST (every_code_decodes)
{
  g_autoptr (GPtrArray) table = oracle_table ("tilus-float-subbyte-decode.csv");

  if (table == NULL)
    return;
  ck_assert_uint_eq (table->len, 16);
  for (guint row = 1; row < table->len; row++)
    ck_assert_msg (decode_row_agrees (table, row, tl_test_cell (table, row, "name")), "%s",
                   tl_test_cell (table, row, "name"));
  ck_assert (!decode_row_agrees (table, 1, "float7_e4m2"));
}
END_TEST

static gboolean
encode_row_agrees (const GPtrArray *table, guint row, const char *column)
{
  guint64 code;

  return tl_element_encode (type_of (tl_test_cell (table, row, "name")),
                            g_ascii_strtod (tl_test_cell (table, row, "x_f32"), NULL), &code)
         && code == g_ascii_strtoull (tl_test_cell (table, row, column), NULL, 10);
}

START_TEST (values_encode_nearest_even)
{
  g_autoptr (GPtrArray) table = oracle_table ("tilus-float-subbyte-encode.csv");
  guint wrong = 0, truncated = 0;

  if (table == NULL)
    return;
  for (guint row = 1; row < table->len; row++)
    {
      wrong += !encode_row_agrees (table, row, "nearest_even_saturating_code");
      truncated += !encode_row_agrees (table, row, "tilus_code");
    }
  ck_assert_uint_eq (table->len, 261);
  ck_assert_uint_eq (wrong, 0);
  ck_assert_uint_eq (truncated, 63);
}
END_TEST

/* All types of up to 8 bits, and f16, bf16. (transfer full): names */
static char **
small_types (void)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  for (guint bits = 1; bits <= 8; bits++)
    {
      g_autofree char *u = g_strdup_printf ("u%u", bits);
      g_autofree char *i = g_strdup_printf ("i%u", bits);
      g_strv_builder_add_many (names, u, i, NULL);
    }
  for (guint e = 1; e <= 5; e++)
    for (guint m = 1; 1 + e + m <= 8; m++)
      if (1 + e + m >= 3)
        {
          g_autofree char *f = g_strdup_printf ("f%ue%um%u", 1 + e + m, e, m);
          g_strv_builder_add (names, f);
        }
  g_strv_builder_add_many (names, "bool", "f16", "bf16", "u16", "i16", NULL);
  return g_strv_builder_end (names);
}

static gboolean
finite_code (TlElementType type, guint64 code)
{
  return isfinite (tl_element_decode (type, code)) != 0;
}

START_TEST (codes_go_round)
{
  g_auto (GStrv) names = small_types ();

  for (guint i = 0; names[i] != NULL; i++)
    {
      TlElementType type = type_of (names[i]);

      for (guint64 code = 0; code < G_GUINT64_CONSTANT (1) << type.bits; code++)
        {
          guint64 again;
          double  value = tl_element_decode (type, code);

          if (tl_element_decode (type, code | G_GUINT64_CONSTANT (1) << 40) != value)
            ck_assert_msg (isnan (value), "%s", names[i]);
          if (!isfinite (value))
            continue;
          if (!tl_element_encode (type, value, &again) || again != code || tl_element_round (type, value) != code)
            ck_abort_msg ("%s: %" G_GUINT64_FORMAT " became %" G_GUINT64_FORMAT, names[i], code, again);
        }
    }
}
END_TEST

/* Of random values the code chosen is, among all, the nearest, and on a tie the even one. */
START_TEST (nearest_by_brute_force)
{
  g_auto (GStrv) names = small_types ();
  guint64 state = tl_test_seed ();

  for (guint i = 0; names[i] != NULL; i++)
    {
      TlElementType type = type_of (names[i]);
      double        top = tl_element_type_greatest (type);

      if (type.bits > 8)
        continue;
      for (guint round = 0; round < 300; round++)
        {
          double  value = ((double) tl_test_random_below (&state, 1 << 20) / (1 << 19) - 1) * top * 1.2;
          guint64 code, best = 0;

          if (round % 3 == 0) /* the middle of two neighbours */
            {
              guint64 a = tl_test_random_below (&state, (1u << type.bits) - 1);
              if (!finite_code (type, a) || !finite_code (type, a + 1))
                continue;
              value = (tl_element_decode (type, a) + tl_element_decode (type, a + 1)) / 2;
            }
          ck_assert (tl_element_encode (type, value, &code));
          for (guint64 c = 1; c < 1u << type.bits; c++)
            {
              double d = fabs (tl_element_decode (type, c) - value), b = fabs (tl_element_decode (type, best) - value);
              if (finite_code (type, c) && (d < b || (d == b && (best & 1) && !(c & 1))))
                best = c;
            }
          ck_assert_msg (tl_element_decode (type, code) == tl_element_decode (type, best), "%s: %.17g: %u, not %u",
                         names[i], value, (guint) code, (guint) best);
        }
    }
}
END_TEST

/* f16 and f32 as the machine's own conversion rounds them. */
START_TEST (wide_floats_as_the_machine)
{
  TlElementType f32 = type_of ("f32"), bf16 = type_of ("bf16"), f64 = type_of ("f64");
  guint64       state = tl_test_seed ();

  for (guint round = 0; round < 40000; round++)
    {
      guint64 bits = tl_test_random (&state), code;
      double  value;
      float   narrow;
      guint32 expected;

      if (round % 2 == 0) /* near the ends of f32 */
        bits = (bits & ~(G_GUINT64_CONSTANT (0x7ff) << 52)) | (guint64) (1023 - 160 + bits % 300) << 52;
      memcpy (&value, &bits, sizeof value);
      if (isnan (value))
        continue;
      narrow = (float) value;
      memcpy (&expected, &narrow, sizeof expected);
      if (tl_element_round (f32, value) != expected || !same_double (tl_element_decode (f32, expected), narrow))
        ck_abort_msg ("%.17g", value);
      ck_assert (tl_element_encode (f64, value, &code) && code == bits);
      ck_assert (same_double (tl_element_decode (f64, bits), value));
      ck_assert (tl_element_encode (f32, value, &code));
      if (isinf (narrow) && !isinf (value))
        ck_assert_uint_eq (code, signbit (value) ? 0xff7fffff : 0x7f7fffff);
      else
        ck_assert_uint_eq (code, expected);
      ck_assert (same_double (tl_element_decode (bf16, expected >> 16), tl_element_decode (f32, expected & ~0xffffu)));
    }
}
END_TEST

START_TEST (edges)
{
  static const struct
  {
    const char *type;
    double      value;
    guint64     saturating, ieee;
  } cells[] = {
    { "f16", 65520, 0x7bff, 0x7c00 },
    { "f16", 65519, 0x7bff, 0x7bff },
    { "f16", -HUGE_VAL, 0xfc00, 0xfc00 },
    { "f8e5m2", HUGE_VAL, 0x7b, 0x7c },
    { "f8e5m2", 1e9, 0x7b, 0x7c },
    { "f8e4m3", -HUGE_VAL, 0xfe, 0xfe },
    { "f8e4m3", 464, 0x7e, 0x7e },
    { "f6e3m2", HUGE_VAL, 31, 31 },
    { "f6e3m2", -0.0, 32, 32 },
    { "f16", 5.9604644775390625e-08, 1, 1 },
    { "f16", 2.98023223876953125e-08, 0, 0 },
    { "f16", 2.9802325e-08, 1, 1 },
    { "i4", -9, 8, 8 },
    { "i4", 7.5, 7, 7 },
    { "i4", 2.5, 2, 2 },
    { "i4", -2.5, 14, 14 },
    { "i1", -0.6, 1, 1 },
    { "u1", 0.5, 0, 0 },
    { "u1", 0.75, 1, 1 },
    { "i1", 1, 0, 0 },
    { "u8", 300, 255, 255 },
    { "u32", 4294967295.0, 0xffffffff, 0xffffffff },
    { "i32", -1e12, 0x80000000, 0x80000000 },
    { "u4", -1, 0, 0 },
  };
  static const char *const no_nan[] = { "f8e4m3", "f8e5m2", "f6e3m2", "i8", "u1" };
  guint64                  code;

  for (guint i = 0; i < G_N_ELEMENTS (cells); i++)
    {
      TlElementType type = type_of (cells[i].type);

      ck_assert (tl_element_encode (type, cells[i].value, &code));
      ck_assert_msg (code == cells[i].saturating, "%s %g: %u", cells[i].type, cells[i].value, (guint) code);
      ck_assert_uint_eq (tl_element_round (type, cells[i].value), cells[i].ieee);
    }
  for (guint i = 0; i < G_N_ELEMENTS (no_nan); i++)
    ck_assert (!tl_element_encode (type_of (no_nan[i]), NAN, &code));
  ck_assert (tl_element_encode (type_of ("f16"), NAN, &code) && code == 0x7e00);
  ck_assert (tl_element_encode (type_of ("f32"), NAN, &code) && code == 0x7fc00000);
  ck_assert_uint_eq (tl_element_round (type_of ("f8e4m3"), NAN), 0x7f);
  ck_assert (!tl_element_type_exact (type_of ("i64")) && tl_element_type_exact (type_of ("i32")));
}
END_TEST

START_TEST (which_types_fit)
{
  TlElementType f16 = type_of ("f16"), bf16 = type_of ("bf16");
  g_auto (GStrv) names = small_types ();
  double value = 0;

  for (guint i = 0; names[i] != NULL; i++)
    {
      TlElementType type = type_of (names[i]);

      if (type.bits > 8)
        continue;
      ck_assert_msg (tl_element_type_fits (type, bf16, NULL), "%s", names[i]);
      ck_assert_int_eq (tl_element_type_fits (type, f16, &value), !g_str_equal (names[i], "f7e5m1"));
    }
  ck_assert (fabs (value) == 65536);
  ck_assert (!tl_element_type_fits (f16, bf16, NULL) && !tl_element_type_fits (bf16, f16, NULL));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("layout-codes");
  TCase *tcase = tcase_create ("codes");

  tcase_add_test (tcase, every_code_decodes);
  tcase_add_test (tcase, values_encode_nearest_even);
  tcase_add_test (tcase, codes_go_round);
  tcase_add_test (tcase, nearest_by_brute_force);
  tcase_add_test (tcase, wide_floats_as_the_machine);
  tcase_add_test (tcase, edges);
  tcase_add_test (tcase, which_types_fit);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
