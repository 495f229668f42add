/* Every fast kernel of the closure against the plain one, and semirings of one's own against scalar loops. */
#include "closure-matrices.h"

#include <math.h>
#include <string.h>

/* --- Fast kernels against the plain one --- */

START_TEST (fast_kernels_equal_the_plain_one)
{
  static const struct
  {
    TlOperatorKind plus, times;
    const char    *element;
    gint64         low, high;
    const char    *kernel;
  } rows[] = {
    { TL_OPERATOR_MIN, TL_OPERATOR_ADD, "i32", 0, 1000, "min-plus i32, sentinel" },
    { TL_OPERATOR_MIN, TL_OPERATOR_ADD, "i32", 0, 20000000, "min-plus i64, sentinel" },
    { TL_OPERATOR_MIN, TL_OPERATOR_ADD, "i64", 0, 1000, "min-plus i64, sentinel" },
    { TL_OPERATOR_MIN, TL_OPERATOR_ADD, "i64", 0, G_MAXINT64 / 128, "min-plus i64, careful" },
    { TL_OPERATOR_MAX, TL_OPERATOR_ADD, "i64", -(G_MAXINT64 / 128), 0, "max-plus i64, careful" },
    { TL_OPERATOR_MAX, TL_OPERATOR_ADD, "i32", -1000, 0, "max-plus i32, sentinel" },
    { TL_OPERATOR_MIN, TL_OPERATOR_ADD, "f32", 0, 100000, "min-plus f32" },
    { TL_OPERATOR_MIN, TL_OPERATOR_ADD, "f64", 0, 100000, "min-plus f64" },
    { TL_OPERATOR_MAX, TL_OPERATOR_ADD, "f32", -100000, 0, "max-plus f32" },
    { TL_OPERATOR_MIN, TL_OPERATOR_ADD, "f16", 0, 2000, "min-plus narrow float" },
    { TL_OPERATOR_MIN, TL_OPERATOR_ADD, "bf16", 0, 100000, "min-plus narrow float" },
    { TL_OPERATOR_MIN, TL_OPERATOR_ADD, "f8e5m2", 0, 900, "min-plus narrow float" },
    { TL_OPERATOR_MIN, TL_OPERATOR_ADD, "f6e3m2", 0, 1, "min-plus narrow float" },
    { TL_OPERATOR_MAX, TL_OPERATOR_ADD, "bf16", -100000, 0, "max-plus narrow float" },
    { TL_OPERATOR_MAX, TL_OPERATOR_MIN, "i32", 0, 2147483646, "max-min i32" },
    { TL_OPERATOR_MIN, TL_OPERATOR_MAX, "i32", 0, 2147483646, "min-max i32" },
    { TL_OPERATOR_MIN, TL_OPERATOR_MAX, "i32", 0, 2147483647, "min-max i64" },
    { TL_OPERATOR_MAX, TL_OPERATOR_MIN, "i8", 0, 127, "max-min i16" },
    { TL_OPERATOR_MAX, TL_OPERATOR_MIN, "u8", 0, 255, "max-min i16" },
    { TL_OPERATOR_MIN, TL_OPERATOR_MAX, "f64", 0, 1000, "min-max f64" },
    { TL_OPERATOR_MAX, TL_OPERATOR_MIN, "f32", 0, 1000, "max-min f32" },
  };
  guint64 state = tl_test_seed () + (guint64) _i;
  g_autoptr (TlSemiring) semiring = semiring_of (rows[_i].plus, rows[_i].times, rows[_i].element);

  for (guint round = 0; round < 4; round++)
    {
      guint n = 20 + (guint) tl_test_random_below (&state, 60), tile = 1 + (guint) tl_test_random_below (&state, 40);
      g_autoptr (TlMatrix) start = random_matrix (semiring, rows[_i].element, n, rows[_i].low, rows[_i].high, &state);
      g_autoptr (TlMatrix) plain = tl_matrix_copy (start);
      TlClosureResult slow = close_with (plain, semiring, tile, 1, TRUE);
      ck_assert_int_eq (slow.end, TL_CLOSURE_DONE);
      ck_assert_str_eq (slow.kernel, "plain");
      for (guint threads = 1; threads <= 3; threads++)
        {
          g_autoptr (TlMatrix) fast = tl_matrix_copy (start);
          TlClosureResult result = close_with (fast, semiring, tile, threads, FALSE);
          ck_assert_int_eq (result.end, TL_CLOSURE_DONE);
          if (strcmp (rows[_i].kernel, "min-plus i64, sentinel") != 0 || strcmp (rows[_i].element, "i64") == 0
              || n > 30)
            ck_assert_str_eq (result.kernel, rows[_i].kernel);
          ck_assert_msg (tl_matrix_equal (plain, fast), "n %u tile %u round %u", n, tile, round);
          ck_assert_uint_eq (tl_matrix_hash (plain), tl_matrix_hash (fast));
        }
    }
}
END_TEST
#define N_FAST_ROWS 21

/* Break one entry: the comparison must notice. */
START_TEST (equality_notices_a_change)
{
  guint64 state = tl_test_seed ();
  g_autoptr (TlSemiring) semiring = semiring_of (TL_OPERATOR_MIN, TL_OPERATOR_ADD, "i32");
  g_autoptr (TlMatrix) one = random_matrix (semiring, "i32", 40, 0, 1000, &state);
  g_autoptr (TlMatrix) two = tl_matrix_copy (one);

  close_with (one, semiring, 8, 1, FALSE);
  close_with (two, semiring, 8, 1, FALSE);
  ck_assert (tl_matrix_equal (one, two));
  tl_matrix_set (two, 3, 5, (TlScalar) { .i = 123456 });
  ck_assert (!tl_matrix_equal (one, two));
  ck_assert_uint_ne (tl_matrix_hash (one), tl_matrix_hash (two));
}
END_TEST

/* More than one thread starts at 128 nodes: results must not depend on how many. */
START_TEST (threads_do_not_matter)
{
  guint64 state = tl_test_seed () + 77;
  static const struct
  {
    TlOperatorKind plus, times;
    const char    *element;
    gint64         high;
  } rows[] = { { TL_OPERATOR_MIN, TL_OPERATOR_ADD, "f32", 100000 },
               { TL_OPERATOR_MIN, TL_OPERATOR_ADD, "i32", 1000 },
               { TL_OPERATOR_OR, TL_OPERATOR_AND, "bool", 1 } };

  for (guint r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      g_autoptr (TlSemiring) semiring = semiring_of (rows[r].plus, rows[r].times, rows[r].element);
      g_autoptr (TlMatrix) start = random_matrix (semiring, rows[r].element, 197, 0, rows[r].high, &state);
      g_autoptr (TlMatrix) first = tl_matrix_copy (start);
      close_with (first, semiring, 50, 1, FALSE);
      for (guint threads = 2; threads <= 5; threads++)
        {
          g_autoptr (TlMatrix) other = tl_matrix_copy (start);
          close_with (other, semiring, 50, threads, FALSE);
          ck_assert (tl_matrix_equal (first, other));
        }
    }
}
END_TEST

/* --- Semirings of one's own --- */

/* The plain kernel in another spelling: scalar loops over tl_operator_evaluate. */
static void
scalar_loop (TlMatrix *matrix, const TlSemiring *semiring)
{
  guint64 n = matrix->rows;

  for (guint64 k = 0; k < n; k++)
    for (guint64 i = 0; i < n; i++)
      for (guint64 j = 0; j < n; j++)
        {
          TlScalar t = tl_operator_evaluate (&semiring->times, &semiring->carrier, tl_matrix_get (matrix, i, k),
                                             tl_matrix_get (matrix, k, j));
          t = tl_operator_evaluate (&semiring->plus, &semiring->carrier, tl_matrix_get (matrix, i, j), t);
          tl_matrix_set (matrix, i, j, t);
        }
}

/* Bounded difference: a (x) b = max (0, a + b - top) with max, the Lukasiewicz
 * semiring on 0..top: absorptive, and different from every built-in pair. */
START_TEST (tables_equal_the_scalar_loop)
{
  guint64     state = tl_test_seed () + (guint64) _i;
  guint       size = 2 + (guint) tl_test_random_below (&state, 254);
  TlSemiring  semiring = { 0 };
  const guint n = 50;

  semiring.carrier.element = type_of ("u8");
  semiring.carrier.high.i = size - 1;
  semiring.plus = (TlOperator) { .kind = TL_OPERATOR_TABLE, .size = size, .table = g_malloc ((gsize) size * size) };
  semiring.times = (TlOperator) { .kind = TL_OPERATOR_TABLE, .size = size, .table = g_malloc ((gsize) size * size) };
  semiring.one.i = size - 1;
  for (guint a = 0; a < size; a++)
    for (guint b = 0; b < size; b++)
      {
        semiring.plus.table[a * size + b] = (guint8) MAX (a, b);
        semiring.times.table[a * size + b] = (guint8) (a + b >= size - 1 ? a + b - (size - 1) : 0);
      }
  g_autoptr (TlMatrix) matrix = matrix_of ("u8", n);
  for (guint c = 0; c < n * n; c++)
    tl_matrix_set (matrix, c / n, c % n,
                   (TlScalar) { .i = c / n == c % n ? size - 1 : (gint64) tl_test_random_below (&state, size) });
  g_autoptr (TlMatrix) plain = tl_matrix_copy (matrix);
  g_autoptr (TlMatrix) scalar = tl_matrix_copy (matrix);
  TlClosureResult fast = close_with (matrix, &semiring, 13, 2, FALSE);
  close_with (plain, &semiring, 13, 2, TRUE);
  scalar_loop (scalar, &semiring);
  ck_assert_str_eq (fast.kernel, "table");
  ck_assert (tl_matrix_equal (matrix, plain));
  ck_assert (tl_matrix_equal (matrix, scalar));
  tl_operator_clear (&semiring.plus);
  tl_operator_clear (&semiring.times);
}
END_TEST

/* (max, *) on 0..1 of f32: products round, so the blocked order is the definition. */
START_TEST (products_equal_the_plain_kernel)
{
  guint64                  state = tl_test_seed () + (guint64) _i;
  static const char *const elements[] = { "f32", "f64", "f16", "bf16" };
  TlSemiring               semiring = { 0 };
  const guint              n = 70;

  semiring.carrier.element = type_of (elements[_i]);
  semiring.carrier.high.r = 1;
  semiring.plus.kind = TL_OPERATOR_MAX;
  semiring.times.kind = TL_OPERATOR_MUL;
  semiring.one.r = 1;
  g_autoptr (TlMatrix) matrix = matrix_of (elements[_i], n);
  for (guint c = 0; c < n * n; c++)
    {
      TlScalar value = { .r = c / n == c % n ? 1 : (double) tl_test_random_below (&state, 1000) / 1000 };
      value = tl_operator_evaluate (&semiring.plus, &semiring.carrier, value, semiring.zero);
      tl_matrix_set (matrix, c / n, c % n, value);
    }
  g_autoptr (TlMatrix) plain = tl_matrix_copy (matrix);
  TlClosureResult fast = close_with (matrix, &semiring, 17, 2, FALSE);
  close_with (plain, &semiring, 17, 1, TRUE);
  ck_assert (g_str_has_prefix (fast.kernel, "max-times"));
  ck_assert (tl_matrix_equal (matrix, plain));
}
END_TEST

/* A carrier that ends at 100: longer sums are inf there, whatever kernel runs. */
START_TEST (short_carriers_saturate)
{
  guint64    state = tl_test_seed ();
  TlSemiring semiring = { 0 };

  semiring.carrier = (TlCarrier) { .element = type_of ("u8"), .has_inf = TRUE, .high.i = 100 };
  semiring.plus.kind = TL_OPERATOR_MIN;
  semiring.times.kind = TL_OPERATOR_ADD;
  semiring.zero.i = TL_INF;
  g_autoptr (TlMatrix) matrix = random_matrix (&semiring, "u8", 40, 30, 100, &state);
  g_autoptr (TlMatrix) scalar = tl_matrix_copy (matrix);
  TlClosureResult result = close_with (matrix, &semiring, 7, 1, FALSE);
  scalar_loop (scalar, &semiring);
  ck_assert_str_eq (result.kernel, "table");
  ck_assert (tl_matrix_equal (matrix, scalar));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("sim-closure-kernels");
  TCase *tcase = tcase_create ("kernels");

  tcase_set_timeout (tcase, 300);
  tcase_add_loop_test (tcase, fast_kernels_equal_the_plain_one, 0, N_FAST_ROWS);
  tcase_add_test (tcase, equality_notices_a_change);
  tcase_add_test (tcase, threads_do_not_matter);
  tcase_add_loop_test (tcase, tables_equal_the_scalar_loop, 0, 6);
  tcase_add_loop_test (tcase, products_equal_the_plain_kernel, 0, 4);
  tcase_add_test (tcase, short_carriers_saturate);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
