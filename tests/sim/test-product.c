/* Values of products against one written down plainly: exact whole numbers, floats with k rising and one rounding of
 * each product and each sum, for every type, order of the weights and number of threads. */
#include "sim/product.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

static TlElementType
type_of (const char *name)
{
  TlElementType type = { 0 };

  ck_assert_msg (tl_element_type_parse (name, &type), "%s", name);
  return type;
}

/* A value that the type has. Floats are whole multiples of their least step, so that every one of them is exact. */
static TlScalar
value_of (TlElementType type, guint64 *state)
{
  if (!tl_element_type_is_float (type))
    {
      gint64  least = tl_element_type_min (type), most = tl_element_type_max (type);
      guint64 span = (guint64) most - (guint64) least + 1;

      /* Wide ones are kept from the ends, so that most sums fit. */
      if (type.bits > 16)
        return (TlScalar) { .i = (gint64) tl_test_random_below (state, 1u << 30) - (least < 0 ? 1 << 29 : 0) };
      return (TlScalar) { .i = least + (gint64) tl_test_random_below (state, span) };
    }
  guint64 digits = (guint64) 1 << MIN (type.mantissa, 52);
  double  step = ldexp (1, -(int) type.mantissa) * ldexp (1, (int) tl_test_random_below (state, 3) - 1);
  double  real = (double) (digits + tl_test_random_below (state, digits)) * step;
  return (TlScalar) { .r = tl_test_random_below (state, 2) ? real : -real };
}

static TlMatrix *
matrix_of (TlElementType type, guint64 rows, guint64 columns, guint64 *state)
{
  TlMatrix *matrix = tl_matrix_new (type, G_MAXUINT64, rows, columns, 0, NULL);

  ck_assert_ptr_nonnull (matrix);
  for (guint64 i = 0; state != NULL && i < rows; i++)
    for (guint64 j = 0; j < columns; j++)
      tl_matrix_set (matrix, i, j, value_of (type, state));
  return matrix;
}

/* A product of two operands' values rounded to f32 or f64 at once. Of whole numbers through their exact product in
 * halves; of floats through long double, whose 64 digits hold two of 32 and fewer. */
static double
times_of (const TlMatrix *a, TlScalar left, const TlMatrix *b, TlScalar right, gboolean narrow)
{
  gboolean whole = !tl_element_type_is_float (a->element) && !tl_element_type_is_float (b->element);

  if (whole)
    {
      __int128 exact = (__int128) left.i * right.i;
      return narrow ? (float) exact : (double) exact;
    }
  long double x = tl_element_type_is_float (a->element) ? (long double) left.r : (long double) left.i;
  long double y = tl_element_type_is_float (b->element) ? (long double) right.r : (long double) right.i;
  long double exact = x * y;
  return narrow ? (float) exact : (double) exact;
}

typedef struct
{
  const char *a, *b, *c;
} Types;

static const Types types[] = {
  { "u1", "u1", "i32" },      { "u2", "i2", "i32" },      { "u3", "i3", "i64" },      { "u4", "i4", "i32" },
  { "u5", "i5", "i32" },      { "u6", "i6", "i32" },      { "u7", "i7", "i64" },      { "u8", "i8", "i32" },
  { "i16", "i8", "i64" },     { "i32", "i16", "i64" },    { "f16", "u1", "f32" },     { "f16", "i6", "f32" },
  { "bf16", "u7", "f32" },    { "f16", "f16", "f32" },    { "bf16", "bf16", "f64" },  { "f16", "f8e4m3", "f32" },
  { "f16", "f8e5m2", "f32" }, { "f16", "f6e3m2", "f32" }, { "f16", "f4e2m1", "f32" }, { "f16", "f3e1m1", "f32" },
  { "f32", "f32", "f32" },    { "f32", "i8", "f64" },     { "f64", "f16", "f64" },    { "i32", "i32", "f32" },
  { "i32", "i32", "f64" },    { "i8", "i8", "f32" },      { "i16", "f16", "f32" },    { "i32", "f16", "f32" },
  { "f32", "i32", "f32" },    { "bool", "i8", "i32" },
};

static void
one_case (const Types *row, guint64 *state)
{
  TlElementType c_type = type_of (row->c);
  gboolean      narrow = c_type.bits == 32, real = tl_element_type_is_float (c_type);
  guint64       m = 1 + tl_test_random_below (state, 5), n = 1 + tl_test_random_below (state, 150);
  guint64       k = 1 + tl_test_random_below (state, 40);
  gboolean      turned = tl_test_random_below (state, 2) == 1;
  g_autoptr (TlMatrix) a = matrix_of (type_of (row->a), m, k, state);
  g_autoptr (TlMatrix) b = matrix_of (type_of (row->b), turned ? n : k, turned ? k : n, state);
  g_autoptr (TlMatrix) c = matrix_of (c_type, m, n, NULL);

  for (guint64 i = 0; i < m; i++)
    for (guint64 j = 0; j < n; j++)
      tl_matrix_set (c, i, j, real ? (TlScalar) { .r = (double) (i + 2 * j) } : (TlScalar) { .i = (gint64) (i + j) });
  g_autoptr (TlMatrix) start = tl_matrix_copy (c);
  TlProductEnd end = tl_product_values (a, b, turned, c, 1 + (guint) tl_test_random_below (state, 4), NULL);
  gboolean     fits = TRUE;

  for (guint64 i = 0; i < m && fits; i++)
    for (guint64 j = 0; j < n && fits; j++)
      {
        TlScalar        first = tl_matrix_get (start, i, j);
        volatile double sum = first.r;
        __int128        whole = first.i;

        for (guint64 x = 0; x < k; x++)
          {
            TlScalar left = tl_matrix_get (a, i, x), right = turned ? tl_matrix_get (b, j, x) : tl_matrix_get (b, x, j);

            if (!real)
              {
                whole += (__int128) left.i * right.i;
                fits &= whole >= tl_element_type_min (c_type) && whole <= tl_element_type_max (c_type);
                continue;
              }
            double         times = times_of (a, left, b, right, narrow);
            volatile float single = narrow ? (float) sum : 0;
            single = narrow ? single + (float) times : 0;
            sum = narrow ? (double) single : sum + times;
          }
        if (!fits)
          break;
        ck_assert_msg (end == TL_PRODUCT_DONE, "%s x %s -> %s", row->a, row->b, row->c);
        if (real)
          ck_assert_msg (tl_matrix_get (c, i, j).r == sum, "%s x %s -> %s: %.17g, not %.17g", row->a, row->b, row->c,
                         tl_matrix_get (c, i, j).r, (double) sum);
        else
          ck_assert (tl_matrix_get (c, i, j).i == (gint64) whole);
      }
  if (!fits)
    ck_assert_int_eq (end, TL_PRODUCT_OVERFLOW);
}

START_TEST (products_are_plain_ones)
{
  guint64 state = tl_test_seed () + (guint64) _i;

  for (guint round = 0; round < tl_test_rounds (40); round++)
    one_case (&types[_i], &state);
}
END_TEST

/* The next one is refused, not wrapped. */
START_TEST (sums_end_at_their_type)
{
  static const struct
  {
    const char  *c;
    gint64       first, left, right;
    TlProductEnd end;
  } rows[] = {
    { "i32", G_MAXINT32 - 12, 3, 4, TL_PRODUCT_DONE },         { "i32", G_MAXINT32 - 11, 3, 4, TL_PRODUCT_OVERFLOW },
    { "i32", G_MININT32 + 12, -3, 4, TL_PRODUCT_DONE },        { "i32", G_MININT32 + 11, -3, 4, TL_PRODUCT_OVERFLOW },
    { "i32", 0, G_MAXINT32, G_MAXINT32, TL_PRODUCT_OVERFLOW }, { "i64", 0, G_MAXINT32, G_MAXINT32, TL_PRODUCT_DONE },
  };

  for (guint r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      g_autoptr (TlMatrix) a = matrix_of (type_of ("i32"), 1, 1, NULL);
      g_autoptr (TlMatrix) b = matrix_of (type_of ("i32"), 1, 1, NULL);
      g_autoptr (TlMatrix) c = matrix_of (type_of (rows[r].c), 1, 1, NULL);

      tl_matrix_set (a, 0, 0, (TlScalar) { .i = rows[r].left });
      tl_matrix_set (b, 0, 0, (TlScalar) { .i = rows[r].right });
      tl_matrix_set (c, 0, 0, (TlScalar) { .i = rows[r].first });
      ck_assert_msg (tl_product_values (a, b, FALSE, c, 1, NULL) == rows[r].end, "row %u", r);
      if (rows[r].end == TL_PRODUCT_DONE)
        ck_assert (tl_matrix_get (c, 0, 0).i == rows[r].first + rows[r].left * rows[r].right);
    }
}
END_TEST

/* Roundings that a second one would spoil: a product half way between two floats, by a rest that only the exact one has. */
START_TEST (roundings_are_single)
{
  g_autoptr (TlMatrix) a = matrix_of (type_of ("i32"), 1, 1, NULL);
  g_autoptr (TlMatrix) b = matrix_of (type_of ("i32"), 1, 1, NULL);
  g_autoptr (TlMatrix) c = matrix_of (type_of ("f32"), 1, 1, NULL);

  /* 33554435 = 2^25 + 3 lies between 2^25 and 2^25 + 4 as a float; times 3 it is 100663305, of which floats have every
   * eighth: 100663304. With the factor rounded first to 33554436 it would be 100663308, which rounds to ...312. */
  tl_matrix_set (a, 0, 0, (TlScalar) { .i = 33554435 });
  tl_matrix_set (b, 0, 0, (TlScalar) { .i = 3 });
  ck_assert_int_eq (tl_product_values (a, b, FALSE, c, 1, NULL), TL_PRODUCT_DONE);
  ck_assert (tl_matrix_get (c, 0, 0).r == 100663304);
  /* 1 + 2^-12 squared is 1 + 2^-11 + 2^-24: the sum with -1 keeps no 2^-24, for the product was rounded before. */
  g_autoptr (TlMatrix) x = matrix_of (type_of ("f32"), 1, 1, NULL);
  tl_matrix_set (x, 0, 0, (TlScalar) { .r = 1 + 1.0 / 4096 });
  tl_matrix_set (c, 0, 0, (TlScalar) { .r = -1 });
  ck_assert_int_eq (tl_product_values (x, x, FALSE, c, 1, NULL), TL_PRODUCT_DONE);
  ck_assert (tl_matrix_get (c, 0, 0).r == 1.0 / 2048);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("sim-product");
  TCase *tcase = tcase_create ("product");

  tcase_set_timeout (tcase, 60);
  tcase_add_loop_test (tcase, products_are_plain_ones, 0, G_N_ELEMENTS (types));
  tcase_add_test (tcase, sums_end_at_their_type);
  tcase_add_test (tcase, roundings_are_single);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
