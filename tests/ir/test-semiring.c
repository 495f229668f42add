/* Carriers, operators and their texts. */
#include "ir/semiring.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

static TlElementType
type (const char *name)
{
  TlElementType element = { 0 };

  ck_assert (tl_element_type_parse (name, &element));
  return element;
}

static const TlScalar inf = { .i = TL_INF };
static const TlScalar minus_inf = { .i = -TL_INF };

static TlScalar
whole (gint64 value)
{
  return (TlScalar) { .i = value };
}

static const struct
{
  TlOperatorKind plus, times;
  const char    *element, *zero, *one, *low, *high, *text;
} known[] = {
  { TL_OPERATOR_MIN, TL_OPERATOR_ADD, "i32", "inf", "0", "-2147483648", "2147483647", "(min, +)" },
  { TL_OPERATOR_MIN, TL_OPERATOR_ADD, "u8", "inf", "0", "0", "255", "(min, +)" },
  { TL_OPERATOR_MIN, TL_OPERATOR_ADD, "i64", "inf", "0", "-9223372036854775806", "9223372036854775806", "(min, +)" },
  { TL_OPERATOR_MAX, TL_OPERATOR_ADD, "i16", "-inf", "0", "-32768", "32767", "(max, +)" },
  { TL_OPERATOR_MAX, TL_OPERATOR_MIN, "i32", "0", "inf", "0", "2147483647", "(max, min)" },
  { TL_OPERATOR_MIN, TL_OPERATOR_MAX, "i32", "inf", "0", "0", "2147483647", "(min, max)" },
  { TL_OPERATOR_OR, TL_OPERATOR_AND, "bool", "0", "1", "0", "1", "(or, and)" },
  { TL_OPERATOR_MAX, TL_OPERATOR_MIN, "bool", "0", "1", "0", "1", "(or, and)" },
  { TL_OPERATOR_OR, TL_OPERATOR_AND, "i32", "0", "1", "0", "1", "(or, and)" },
  { TL_OPERATOR_XOR, TL_OPERATOR_AND, "u1", "0", "1", "0", "1", "(xor, and)" },
  { TL_OPERATOR_ADD, TL_OPERATOR_MUL, "i32", "0", "1", "-2147483648", "2147483647", "(+, *)" },
  { TL_OPERATOR_MIN, TL_OPERATOR_ADD, "f16", "inf", "0", "-65504", "65504", "(min, +)" },
  { TL_OPERATOR_MAX, TL_OPERATOR_MIN, "f8e4m3", "0", "inf", "0", "448", "(max, min)" },
  { TL_OPERATOR_MIN, TL_OPERATOR_MAX, "f8e5m2", "inf", "0", "0", "57344", "(min, max)" },
};

START_TEST (known_semirings)
{
  g_autoptr (TlSemiring) s = tl_semiring_known (known[_i].plus, known[_i].times, type (known[_i].element));
  g_autoptr (TlSemiring) copy = NULL;
  const char *expected[] = { known[_i].zero, known[_i].one, known[_i].low, known[_i].high };

  ck_assert_ptr_nonnull (s);
  const TlScalar values[] = { s->zero, s->one, s->carrier.low, s->carrier.high };
  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *text = tl_scalar_text (&s->carrier, values[i]);
      ck_assert_str_eq (text, expected[i]);
    }
  g_autofree char *text = tl_semiring_text (s);
  ck_assert_str_eq (text, known[_i].text);
  copy = tl_semiring_copy (s);
  ck_assert (tl_semiring_equal (copy, s));
  copy->one = copy->zero;
  ck_assert (!tl_semiring_equal (copy, s));
}
END_TEST

START_TEST (there_are_no_others)
{
  ck_assert_ptr_null (tl_semiring_known (TL_OPERATOR_MAX, TL_OPERATOR_ADD, type ("u32")));
  ck_assert_ptr_null (tl_semiring_known (TL_OPERATOR_MIN, TL_OPERATOR_ADD, type ("bool")));
  ck_assert_ptr_null (tl_semiring_known (TL_OPERATOR_OR, TL_OPERATOR_AND, type ("f32")));
  ck_assert_ptr_null (tl_semiring_known (TL_OPERATOR_OR, TL_OPERATOR_AND, type ("i1")));
  ck_assert_ptr_null (tl_semiring_known (TL_OPERATOR_MIN, TL_OPERATOR_MIN, type ("i32")));
}
END_TEST

START_TEST (infinities_absorb)
{
  g_autoptr (TlSemiring) paths = tl_semiring_known (TL_OPERATOR_MIN, TL_OPERATOR_ADD, type ("i32"));
  g_autoptr (TlSemiring) longest = tl_semiring_known (TL_OPERATOR_MAX, TL_OPERATOR_ADD, type ("i32"));
  const TlCarrier *c = &paths->carrier, *l = &longest->carrier;

  ck_assert_int_eq (tl_operator_evaluate (&paths->times, c, inf, whole (-5)).i, TL_INF);
  ck_assert_int_eq (tl_operator_evaluate (&paths->times, c, whole (-5), inf).i, TL_INF);
  ck_assert_int_eq (tl_operator_evaluate (&paths->plus, c, inf, whole (7)).i, 7);
  ck_assert_int_eq (tl_operator_evaluate (&longest->times, l, minus_inf, whole (5)).i, -TL_INF);
  ck_assert_int_eq (tl_operator_evaluate (&longest->plus, l, minus_inf, whole (-9)).i, -9);
  /* Out of range: to the infinity there is, else to the end. */
  ck_assert_int_eq (tl_operator_evaluate (&paths->times, c, whole (G_MAXINT32), whole (1)).i, TL_INF);
  ck_assert_int_eq (tl_operator_evaluate (&paths->times, c, whole (G_MININT32), whole (-1)).i, G_MININT32);
  ck_assert_int_eq (tl_operator_evaluate (&longest->times, l, whole (G_MININT32), whole (-1)).i, -TL_INF);
  ck_assert_int_eq (tl_operator_raw (&paths->times, c, whole (G_MAXINT32), whole (1)).i, G_GINT64_CONSTANT (1) << 31);
}
END_TEST

START_TEST (floats_round_to_their_type)
{
  g_autoptr (TlSemiring) half = tl_semiring_known (TL_OPERATOR_ADD, TL_OPERATOR_MUL, type ("f16"));
  g_autoptr (TlSemiring) single = tl_semiring_known (TL_OPERATOR_ADD, TL_OPERATOR_MUL, type ("f32"));
  TlScalar a = { .r = 2048 }, b = { .r = 1 };

  ck_assert (tl_operator_evaluate (&half->plus, &half->carrier, a, b).r == 2048);
  b.r = 3;
  ck_assert (tl_operator_evaluate (&half->plus, &half->carrier, a, b).r == 2052);
  guint64 state = tl_test_seed ();
  for (guint i = 0; i < 10000; i++)
    {
      float x = (float) ldexp ((double) tl_test_random (&state), (int) tl_test_random_below (&state, 200) - 150);
      float y = (float) ldexp ((double) tl_test_random (&state), (int) tl_test_random_below (&state, 60) - 120);
      float sum = x + y, product = x * y;
      a.r = x;
      b.r = y;
      ck_assert (tl_operator_evaluate (&single->plus, &single->carrier, a, b).r == sum);
      ck_assert (tl_operator_evaluate (&single->times, &single->carrier, a, b).r == product || !isfinite (product));
    }
}
END_TEST

START_TEST (scalars_parse_back)
{
  static const char *const texts[] = { "0", "12", "-7", "inf", "-inf", "9223372036854775806" };
  static const char *const wrong[] = { "", "x", "1.5", "0x10", "9223372036854775807", " 1", "1 ", "nan", "--1", "+1" };
  static const double      reals[] = { 0.1, 1e300, 5e-324, -2.5, 1.0 / 3, 65504, 0 };
  TlCarrier                integers = tl_carrier_full (type ("i64")), floats = tl_carrier_full (type ("f64"));
  TlScalar                 value;

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      ck_assert (tl_scalar_parse (&integers, texts[i], &value));
      g_autofree char *text = tl_scalar_text (&integers, value);
      ck_assert_str_eq (text, texts[i]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    ck_assert_msg (!tl_scalar_parse (&integers, wrong[i], &value), "%s", wrong[i]);
  for (guint i = 0; i < G_N_ELEMENTS (reals); i++)
    {
      g_autofree char *text = tl_scalar_text (&floats, (TlScalar) { .r = reals[i] });
      ck_assert (tl_scalar_parse (&floats, text, &value));
      ck_assert (value.r == reals[i]);
    }
}
END_TEST

START_TEST (expressions_read_and_run)
{
  TlStep     steps[] = { { TL_STEP_A, { 0 } },        { TL_STEP_B, { 0 } },        { TL_STEP_ADD, { 0 } },
                         { TL_STEP_CONSTANT, { 3 } }, { TL_STEP_SUBTRACT, { 0 } }, { TL_STEP_CONSTANT, { -4 } },
                         { TL_STEP_MULTIPLY, { 0 } }, { TL_STEP_A, { 0 } },        { TL_STEP_MAX, { 0 } } };
  TlOperator op = { .kind = TL_OPERATOR_EXPRESSION, .steps = steps, .n_steps = G_N_ELEMENTS (steps) };
  TlCarrier  carrier = tl_carrier_full (type ("i32"));
  TlOperator copy = tl_operator_copy (&op);

  g_autofree char *text = tl_operator_text (&op, &carrier);
  ck_assert_str_eq (text, "max((a + b - 3) * -4, a)");
  ck_assert_int_eq (tl_operator_evaluate (&op, &carrier, whole (1), whole (1)).i, 4);
  ck_assert (tl_operator_equal (&op, &copy, &carrier));
  copy.steps[3].value.i = 2;
  ck_assert (!tl_operator_equal (&op, &copy, &carrier));
  tl_operator_clear (&copy);
}
END_TEST

START_TEST (division_is_floor)
{
  static const gint64 rows[][4]
      = { { 7, 2, 3, 1 }, { -7, 2, -4, 1 }, { 7, -2, -4, -1 }, { -7, -2, 3, -1 }, { 6, 3, 2, 0 } };
  TlCarrier  carrier = tl_carrier_full (type ("i32"));
  TlStep     steps[3] = { { TL_STEP_A, { 0 } }, { TL_STEP_B, { 0 } }, { TL_STEP_DIVIDE, { 0 } } };
  TlOperator op = { .kind = TL_OPERATOR_EXPRESSION, .steps = steps, .n_steps = 3 };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      steps[2].kind = TL_STEP_DIVIDE;
      ck_assert_int_eq (tl_operator_raw (&op, &carrier, whole (rows[i][0]), whole (rows[i][1])).i, rows[i][2]);
      steps[2].kind = TL_STEP_MODULO;
      ck_assert_int_eq (tl_operator_raw (&op, &carrier, whole (rows[i][0]), whole (rows[i][1])).i, rows[i][3]);
    }
  steps[2].kind = TL_STEP_DIVIDE;
  ck_assert_int_eq (tl_operator_raw (&op, &carrier, whole (1), whole (0)).i, TL_INF);
  steps[2].kind = TL_STEP_MODULO;
  ck_assert_int_eq (tl_operator_raw (&op, &carrier, whole (1), whole (0)).i, 0);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("ir-semiring");
  TCase *tcase = tcase_create ("semiring");

  tcase_add_loop_test (tcase, known_semirings, 0, G_N_ELEMENTS (known));
  tcase_add_test (tcase, there_are_no_others);
  tcase_add_test (tcase, infinities_absorb);
  tcase_add_test (tcase, floats_round_to_their_type);
  tcase_add_test (tcase, scalars_parse_back);
  tcase_add_test (tcase, expressions_read_and_run);
  tcase_add_test (tcase, division_is_floor);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
