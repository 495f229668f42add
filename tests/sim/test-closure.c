/* The functional closure against references that share no code with it: the oracle, scalar loops, Bellman-Ford. */
#include "closure-matrices.h"

#include <math.h>
#include <string.h>

/* --- The oracle's function rows --- */

static const struct
{
  const char    *problem;
  TlOperatorKind plus;
  TlOperatorKind times;
  const char    *element;
} problems[] = {
  { "apsp", TL_OPERATOR_MIN, TL_OPERATOR_ADD, "i32" },
  { "closure", TL_OPERATOR_OR, TL_OPERATOR_AND, "bool" },
  { "widest", TL_OPERATOR_MAX, TL_OPERATOR_MIN, "i32" },
  { "minimax", TL_OPERATOR_MIN, TL_OPERATOR_MAX, "i32" },
};

static TlMatrix *
parse_matrix (const char *text, const char *element, guint64 n)
{
  TlMatrix *matrix = matrix_of (element, n);
  g_auto (GStrv) rows = g_strsplit (text, "/", -1);

  ck_assert_uint_eq (g_strv_length (rows), n);
  for (guint64 i = 0; i < n; i++)
    {
      g_auto (GStrv) cells = g_strsplit (rows[i], " ", -1);
      ck_assert_uint_eq (g_strv_length (cells), n);
      for (guint64 j = 0; j < n; j++)
        {
          gint64   whole = strcmp (cells[j], "inf") == 0 ? TL_INF : g_ascii_strtoll (cells[j], NULL, 10);
          TlScalar value = { .i = whole };
          if (is_real (element))
            value.r = whole == TL_INF ? INFINITY : (double) whole;
          tl_matrix_set (matrix, i, j, value);
        }
    }
  return matrix;
}

/* Checks one row with one element type; returns whether the results agree. */
static gboolean
check_row (const char *inputs, const char *expected, guint problem, const char *element, gboolean careful)
{
  g_autofree char *n_text = tl_test_pair (inputs, "N"), *tile = tl_test_pair (inputs, "B");
  g_autofree char *before = tl_test_pair (inputs, "matrix"), *after = tl_test_pair (expected, "result");
  guint64          n = g_ascii_strtoull (n_text, NULL, 10);
  g_autoptr (TlSemiring) semiring = semiring_of (problems[problem].plus, problems[problem].times, element);
  g_autoptr (TlMatrix) matrix = parse_matrix (before, element, n);
  g_autoptr (TlMatrix) wanted = parse_matrix (after, element, n);

  TlClosureResult result = close_with (matrix, semiring, (guint) g_ascii_strtoull (tile, NULL, 10), 2, careful);
  ck_assert_int_eq (result.end, TL_CLOSURE_DONE);
  return tl_matrix_equal (matrix, wanted);
}

START_TEST (oracle_rows_are_equal)
{
  g_autofree char *path = tl_test_shared_path ("oracle/gendram-oracle.csv");

  if (path == NULL)
    {
      tl_test_skip ("oracle/gendram-oracle.csv not there");
      return;
    }
  static const char *const elements[] = { "i16", "i32", "i64", "f32", "f64" };
  g_autoptr (GPtrArray) table = tl_test_read_csv (path);
  guint seen = 0;

  for (guint row = 1; row < table->len; row++)
    {
      const char      *inputs = tl_test_cell (table, row, "inputs"), *expected = tl_test_cell (table, row, "expected");
      g_autofree char *problem = tl_test_pair (inputs, "problem");
      for (guint p = 0; p < G_N_ELEMENTS (problems); p++)
        {
          if (problem == NULL || strcmp (problem, problems[p].problem) != 0)
            continue;
          seen++;
          if (strcmp (problems[p].element, "bool") == 0)
            {
              ck_assert_msg (check_row (inputs, expected, p, "bool", FALSE), "row %u", row);
              ck_assert_msg (check_row (inputs, expected, p, "bool", TRUE), "row %u, plain", row);
              continue;
            }
          for (guint e = 0; e < G_N_ELEMENTS (elements); e++)
            {
              ck_assert_msg (check_row (inputs, expected, p, elements[e], FALSE), "row %u %s", row, elements[e]);
              ck_assert_msg (check_row (inputs, expected, p, elements[e], TRUE), "row %u %s plain", row, elements[e]);
            }
          /* The wrong problem's operators must not give this row's result. */
          if (p > 1)
            ck_assert_msg (!check_row (inputs, expected, p == 2 ? 3 : 2, "i32", FALSE), "row %u passes as another",
                           row);
        }
    }
  ck_assert_uint_ge (seen, 8);
}
END_TEST

START_TEST (wrong_row_fails)
{
  const char *inputs = "problem=apsp;N=3;B=2;matrix=0 1 inf/inf 0 1/inf inf 0";

  ck_assert (check_row (inputs, "result=0 1 2/inf 0 1/inf inf 0", 0, "i32", FALSE));
  ck_assert (!check_row (inputs, "result=0 1 3/inf 0 1/inf inf 0", 0, "i32", FALSE));
}
END_TEST

/* --- Random graphs against scalar loops written here --- */

/* (op, value) of the four problems on doubles with IEEE infinities: exact for the
 * integers used. */
static double
reference_combine (guint problem, double a, double b)
{
  switch (problem)
    {
    case 0:
      return isinf (a) || isinf (b) ? INFINITY : a + b;
    case 1:
    case 2:
      return a < b ? a : b;
    default:
      return a > b ? a : b;
    }
}

static void
reference_closure (guint problem, double *d, guint n)
{
  for (guint k = 0; k < n; k++)
    for (guint i = 0; i < n; i++)
      for (guint j = 0; j < n; j++)
        {
          double t = reference_combine (problem, d[i * n + k], d[k * n + j]);
          if (problem == 0 || problem == 3 ? t < d[i * n + j] : t > d[i * n + j])
            d[i * n + j] = t;
        }
}

static void
fill_random (guint problem, guint n, double *d, guint64 *state, guint64 top, guint64 every)
{
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < n; j++)
      {
        gboolean arc = tl_test_random_below (state, every) == 0;
        double   weight = problem == 1 ? 1 : (double) tl_test_random_below (state, top + 1);
        double none = problem == 0 || problem == 3 ? INFINITY : 0, one = problem == 1 ? 1 : problem == 2 ? INFINITY : 0;
        d[i * n + j] = i == j ? one : arc ? weight : none;
      }
}

static void
compare_with_reference (guint problem, const char *element, guint n, const double *d, const double *wanted, guint tile,
                        guint threads)
{
  gboolean real = is_real (element);
  g_autoptr (TlSemiring) semiring = semiring_of (problems[problem].plus, problems[problem].times, element);
  g_autoptr (TlMatrix) matrix = matrix_of (element, n);

  for (guint c = 0; c < n * n; c++)
    {
      TlScalar value = { .i = isinf (d[c]) ? (d[c] > 0 ? TL_INF : -TL_INF) : (gint64) d[c] };
      if (real)
        value.r = d[c];
      tl_matrix_set (matrix, c / n, c % n, value);
    }
  TlClosureResult result = close_with (matrix, semiring, tile, threads, FALSE);
  ck_assert_int_eq (result.end, TL_CLOSURE_DONE);
  ck_assert_msg (strcmp (result.kernel, "plain") != 0 && strcmp (result.kernel, "table") != 0,
                 "%s on %s ran the slow kernel", problems[problem].problem, element);
  for (guint c = 0; c < n * n; c++)
    {
      TlScalar value = tl_matrix_get (matrix, c / n, c % n);
      double   got = real ? value.r : value.i == TL_INF ? INFINITY : value.i == -TL_INF ? -INFINITY : (double) value.i;
      /* check writes to a file at every assertion: not in inner loops. */
      if (got != wanted[c])
        ck_abort_msg ("%s %s n %u tile %u threads %u: (%u,%u) is %g, not %g", problems[problem].problem, element, n,
                      tile, threads, c / n, c % n, got, wanted[c]);
    }
}

START_TEST (random_graphs_equal_scalar_loops)
{
  static const char *const elements[] = { "i32", "i64", "i16", "f32", "f64", "i8", "u8", "u16", "f16", "bf16" };
  static const guint       sizes[] = { 1, 2, 3, 7, 63, 64, 65, 130, 257, 300 };
  guint64                  state = tl_test_seed () + (guint64) _i;
  guint                    n_sizes = MIN (G_N_ELEMENTS (sizes), tl_test_rounds (70)); /* not the largest when slow */

  for (guint problem = 0; problem < 4; problem++)
    for (guint s = 0; s < n_sizes; s++)
      {
        guint              n = sizes[s];
        /* Small enough for every type: sums of at most n - 1 arcs, all exact. */
        guint64            top = problem == 0 ? MAX (1, 100 / n) : 100;
        g_autofree double *d = g_new (double, n *n), *wanted = g_new (double, n *n);
        fill_random (problem, n, d, &state, top, 1 + tl_test_random_below (&state, 2 * n));
        memcpy (wanted, d, n * n * sizeof *d);
        reference_closure (problem, wanted, n);
        for (guint e = 0; e < G_N_ELEMENTS (elements); e++)
          {
            const char *element = problem == 1 ? "bool" : elements[e];
            guint       tile = 1 + (guint) tl_test_random_below (&state, n + 20);
            if (problem == 0 && n > 128 && (e == 5 || e == 6))
              continue; /* n - 1 unit arcs pass i8 */
            if (n > 130 && e % 3 != (guint) _i && problem != 1)
              continue; /* the large ones are shared out over the rounds */
            compare_with_reference (problem, element, n, d, wanted, MAX (tile, n / 16), 1 + e % 3);
            if (problem == 1)
              break;
          }
      }
}
END_TEST

/* --- Negative weights --- */

/* Potentials make negative arcs without negative cycles: w + p[i] - p[j], w >= 0. */
static void
negative_graph (guint n, gint64 *d, guint64 *state)
{
  g_autofree gint64 *p = g_new (gint64, n);

  for (guint i = 0; i < n; i++)
    p[i] = (gint64) tl_test_random_below (state, 500);
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < n; j++)
      d[i * n + j] = i == j                                 ? 0
                     : tl_test_random_below (state, 4) == 0 ? (gint64) tl_test_random_below (state, 300) + p[i] - p[j]
                                                            : TL_INF;
}

static TlMatrix *
matrix_from (const char *element, guint n, const gint64 *d)
{
  TlMatrix *matrix = matrix_of (element, n);

  for (guint c = 0; c < n * n; c++)
    tl_matrix_set (matrix, c / n, c % n, (TlScalar) { .i = d[c] });
  return matrix;
}

START_TEST (negative_weights_equal_bellman_ford)
{
  guint64            state = tl_test_seed () + (guint64) _i * 31;
  guint              n = 2 + (guint) tl_test_random_below (&state, 90);
  g_autofree gint64 *d = g_new (gint64, n * n);
  g_autoptr (TlSemiring) semiring = semiring_of (TL_OPERATOR_MIN, TL_OPERATOR_ADD, "i32");

  negative_graph (n, d, &state);
  g_autoptr (TlMatrix) matrix = matrix_from ("i32", n, d);
  ck_assert_int_eq (close_with (matrix, semiring, 16, 2, FALSE).end, TL_CLOSURE_DONE);
  for (guint source = 0; source < n; source++)
    {
      g_autofree gint64 *distance = g_new (gint64, n);
      for (guint v = 0; v < n; v++)
        distance[v] = v == source ? 0 : TL_INF;
      for (gboolean nearer = TRUE; nearer;)
        {
          nearer = FALSE;
          for (guint u = 0; u < n; u++)
            for (guint v = 0; v < n; v++)
              if (distance[u] != TL_INF && d[u * n + v] != TL_INF && distance[u] + d[u * n + v] < distance[v])
                {
                  distance[v] = distance[u] + d[u * n + v];
                  nearer = TRUE;
                }
        }
      for (guint v = 0; v < n; v++)
        if (tl_matrix_get (matrix, source, v).i != distance[v])
          ck_abort_msg ("(%u,%u) is not Bellman-Ford's", source, v);
    }
}
END_TEST

/* The node reported: the first k whose D[k,k] is below 0 in the scalar loop. */
static gint64
first_negative (guint n, const gint64 *start)
{
  g_autofree gint64 *d = g_memdup2 (start, sizeof (gint64) * n * n);

  for (guint k = 0; k < n; k++)
    {
      if (d[k * n + k] < 0)
        return k;
      for (guint i = 0; i < n; i++)
        for (guint j = 0; j < n; j++)
          if (d[i * n + k] != TL_INF && d[k * n + j] != TL_INF)
            d[i * n + j] = MIN (d[i * n + j], d[i * n + k] + d[k * n + j]);
    }
  return -1;
}

START_TEST (negative_cycles_are_found)
{
  static const char *const elements[] = { "i32", "i64", "f64" };
  guint64                  state = tl_test_seed () + (guint64) _i * 7;
  guint                    n = 3 + (guint) tl_test_random_below (&state, _i % 5 == 0 ? 400 : 60);
  g_autofree gint64       *d = g_new (gint64, n * n);
  const char              *element = elements[_i % 3];

  negative_graph (n, d, &state);
  /* A cycle of three arcs with sum -1. */
  guint a = (guint) tl_test_random_below (&state, n), b = (a + 1) % n, c = (a + 2) % n;
  d[a * n + b] = -500;
  d[b * n + c] = 250;
  d[c * n + a] = 249;
  gint64 node = first_negative (n, d);
  ck_assert_int_ge (node, 0);
  for (guint careful = 0; careful < (n < 70 ? 2 : 1); careful++)
    for (guint mirrored = 0; mirrored < 2; mirrored++)
      {
        g_autoptr (TlSemiring) semiring
            = semiring_of (mirrored ? TL_OPERATOR_MAX : TL_OPERATOR_MIN, TL_OPERATOR_ADD, element);
        g_autoptr (TlMatrix) matrix = matrix_of (element, n);
        for (guint e = 0; e < n * n; e++)
          {
            TlScalar value = { .i = mirrored ? -d[e] : d[e] };
            if (is_real (element))
              value.r = d[e] == TL_INF ? (mirrored ? -INFINITY : INFINITY) : mirrored ? -(double) d[e] : (double) d[e];
            tl_matrix_set (matrix, e / n, e % n, value);
          }
        TlClosureResult result = close_with (matrix, semiring, 24, 2, careful != 0);
        ck_assert_int_eq (result.end, TL_CLOSURE_CYCLE);
        ck_assert_int_eq ((gint64) result.node, node);
      }
}
END_TEST

START_TEST (honest_infinity)
{
  /* inf + (-5) is inf: an unreachable node stays unreachable past negative arcs. */
  static const gint64 d[9] = { 0, TL_INF, TL_INF, TL_INF, 0, -5, TL_INF, TL_INF, 0 };

  for (guint careful = 0; careful < 2; careful++)
    {
      g_autoptr (TlSemiring) semiring = semiring_of (TL_OPERATOR_MIN, TL_OPERATOR_ADD, "i32");
      g_autoptr (TlMatrix) matrix = matrix_from ("i32", 3, d);
      close_with (matrix, semiring, 2, 1, careful != 0);
      ck_assert_int_eq (tl_matrix_get (matrix, 0, 2).i, TL_INF);
      ck_assert_int_eq (tl_matrix_get (matrix, 0, 1).i, TL_INF);
      ck_assert_int_eq (tl_matrix_get (matrix, 1, 2).i, -5);
    }
}
END_TEST

/* The greatest finite value and inf are different things. */
START_TEST (greatest_value_is_not_inf)
{
  static const struct
  {
    const char *element;
    gint64      top;
  } rows[] = { { "i8", 127 },         { "u8", 255 },         { "i16", 32767 },          { "u16", 65535 },
               { "i32", 2147483647 }, { "u32", 4294967295 }, { "i64", G_MAXINT64 - 1 }, { "i4", 7 } };
  gint64 d[9] = { 0, rows[_i].top - 1, TL_INF, TL_INF, 0, 1, TL_INF, TL_INF, 0 };
  g_autoptr (TlSemiring) semiring = semiring_of (TL_OPERATOR_MIN, TL_OPERATOR_ADD, rows[_i].element);
  g_autoptr (TlMatrix) matrix = matrix_from (rows[_i].element, 3, d);

  TlClosureOptions options = { .tile = 2, .threads = 1 };
  ck_assert_int_eq (tl_closure_run (matrix, semiring, &options).end, TL_CLOSURE_DONE);
  ck_assert_int_eq (tl_matrix_get (matrix, 0, 2).i, rows[_i].top);
  ck_assert_int_eq (tl_matrix_get (matrix, 2, 0).i, TL_INF);
}
END_TEST

/* --- Bounds, progress, cancelling --- */

START_TEST (reach_and_fit)
{
  g_autoptr (TlSemiring) sums = semiring_of (TL_OPERATOR_MIN, TL_OPERATOR_ADD, "i32");
  g_autoptr (TlSemiring) widest = semiring_of (TL_OPERATOR_MAX, TL_OPERATOR_MIN, "i32");
  TlElementType needed;

  ck_assert_uint_eq (tl_closure_reach (sums, 10, 5), 45);
  ck_assert_uint_eq (tl_closure_reach (widest, 10, 5), 5);
  ck_assert_uint_eq (tl_closure_reach (sums, 10, G_MAXUINT64), G_MAXUINT64);
  ck_assert (tl_closure_fits (sums, type_of ("i8"), 128, 1, 0, &needed));
  ck_assert (!tl_closure_fits (sums, type_of ("i8"), 129, 1, 0, &needed));
  ck_assert (tl_element_type_equal (needed, type_of ("i16")));
  ck_assert (tl_closure_fits (sums, type_of ("i32"), 2, G_MAXINT32, 0, NULL));
  ck_assert (!tl_closure_fits (sums, type_of ("i32"), 3, G_MAXINT32, 0, &needed));
  ck_assert (tl_element_type_equal (needed, type_of ("i64")));
  ck_assert (!tl_closure_fits (sums, type_of ("i64"), 3, G_MAXINT64 - 1, 0, &needed));
  ck_assert_uint_eq (needed.bits, 0);
  ck_assert (!tl_closure_fits (sums, type_of ("f16"), 3, 0, 40000, &needed));
  ck_assert (tl_element_type_equal (needed, type_of ("f32")));
}
END_TEST

static void
note_progress (double fraction, gpointer data)
{
  double *last = data;

  ck_assert (fraction >= *last && fraction <= 1);
  *last = fraction;
}

START_TEST (progress_rises_and_cancelling_stops)
{
  guint64 state = tl_test_seed ();
  g_autoptr (TlSemiring) semiring = semiring_of (TL_OPERATOR_MIN, TL_OPERATOR_ADD, "f32");
  g_autoptr (TlMatrix) matrix = random_matrix (semiring, "f32", 100, 0, 100, &state);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  double           last = 0;
  TlClosureOptions options
      = { .tile = 10, .progress = note_progress, .progress_data = &last, .cancellable = cancellable };

  ck_assert_int_eq (tl_closure_run (matrix, semiring, &options).end, TL_CLOSURE_DONE);
  ck_assert (last == 1);
  g_cancellable_cancel (cancellable);
  last = 0;
  ck_assert_int_eq (tl_closure_run (matrix, semiring, &options).end, TL_CLOSURE_CANCELLED);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("sim-closure");
  TCase *tcase = tcase_create ("closure");

  tcase_set_timeout (tcase, 300);
  tcase_add_test (tcase, oracle_rows_are_equal);
  tcase_add_test (tcase, wrong_row_fails);
  tcase_add_loop_test (tcase, random_graphs_equal_scalar_loops, 0, 3);
  tcase_add_loop_test (tcase, negative_weights_equal_bellman_ford, 0, 20);
  tcase_add_loop_test (tcase, negative_cycles_are_found, 0, 30);
  tcase_add_test (tcase, honest_infinity);
  tcase_add_loop_test (tcase, greatest_value_is_not_inf, 0, 8);
  tcase_add_test (tcase, reach_and_fit);
  tcase_add_test (tcase, progress_rises_and_cancelling_stops);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
