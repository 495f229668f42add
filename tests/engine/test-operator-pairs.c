/* The 500 pairs of operators: what is admitted and what is refused against trying everything, and what is admitted
 * computed as closure, grid, trellis and product against plain loops. */
#include "operator-pairs.h"

#include "engine/grid-run.h"
#include "sim/closure.h"

/* --- The four forms --- */

#define CLOSURE "algorithm a\n  D[i,j] = f(D[i,j], g(D[i,k], D[k,j]))  for k, i, j\n"

static gboolean
admits_closure (const Pair *p, const Truth *truth, TlBuild **out)
{
  g_autofree char *text = program_of (p, CLOSURE, "data D: u8[16, 16] = random(3, low = 0, high = 7)\n");
  TlBuildOptions   options = { .until = TL_STAGE_G1 };
  g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();
  g_autoptr (TlBuild) build = tl_build ("p.gdsl", text, strlen (text), inputs, &options, NULL, NULL);
  const TlDiag *diag = first_error (build->diags);

  ck_assert_int_eq (diag == NULL, build->recurrence != NULL);
  if (diag != NULL)
    check_refusal (p, truth, diag, (1 << N_LAWS) - 1);
  *out = diag == NULL ? g_steal_pointer (&build) : NULL;
  return diag == NULL;
}

/* The tiled closure of the library against three plain loops. */
static gboolean
closure_is_scalar (const Pair *p, const TlSemiring *semiring, guint64 *state)
{
  guint  n = 2 + below (state, 16);
  guint8 scalar[18 * 18];
  g_autoptr (TlMatrix) matrix = tl_matrix_new (semiring->carrier.element, 255, n, n, 0, NULL);
  TlClosureOptions options = { .tile = 1 + below (state, n), .threads = 1, .careful = below (state, 2) };
  gboolean         same = TRUE;

  for (guint k = 0; k < n * n; k++)
    {
      scalar[k] = (guint8) below (state, N);
      tl_matrix_set (matrix, k / n, k % n, (TlScalar) { .i = scalar[k] });
    }
  for (guint k = 0; k < n; k++)
    for (guint i = 0; i < n; i++)
      for (guint j = 0; j < n; j++)
        scalar[i * n + j] = p->plus[scalar[i * n + j]][p->times[scalar[i * n + k]][scalar[k * n + j]]];
  ck_assert_int_eq (tl_closure_run (matrix, semiring, &options).end, TL_CLOSURE_DONE);
  for (guint k = 0; k < n * n; k++)
    same &= tl_matrix_get (matrix, k / n, k % n).i == scalar[k];
  return same;
}

/* A product in tiles, the tiles in any order, against three loops, with the tables alone. */
static gboolean
product_is_scalar (const Pair *p, guint zero, guint64 *state)
{
  enum
  {
    SIDE = 12,
    TILE = 4,
    TILES = SIDE / TILE
  };
  guint8 a[SIDE][SIDE], b[SIDE][SIDE], scalar[SIDE][SIDE], tiled[SIDE][SIDE];
  guint  order[TILES * TILES * TILES];

  for (guint k = 0; k < SIDE * SIDE; k++)
    {
      a[k / SIDE][k % SIDE] = (guint8) below (state, N);
      b[k / SIDE][k % SIDE] = (guint8) below (state, N);
      scalar[k / SIDE][k % SIDE] = tiled[k / SIDE][k % SIDE] = (guint8) zero;
    }
  for (guint i = 0; i < SIDE; i++)
    for (guint j = 0; j < SIDE; j++)
      for (guint k = 0; k < SIDE; k++)
        scalar[i][j] = p->plus[scalar[i][j]][p->times[a[i][k]][b[k][j]]];
  for (guint t = 0; t < G_N_ELEMENTS (order); t++)
    {
      guint other = below (state, t + 1);
      order[t] = order[other];
      order[other] = t;
    }
  for (guint t = 0; t < G_N_ELEMENTS (order); t++)
    for (guint i = 0; i < TILE; i++)
      for (guint j = 0; j < TILE; j++)
        {
          guint row = order[t] / (TILES * TILES) * TILE + i, column = order[t] / TILES % TILES * TILE + j, sum = zero;
          for (guint k = 0; k < TILE; k++)
            {
              guint at = order[t] % TILES * TILE + k;
              sum = p->plus[sum][p->times[a[row][at]][b[at][column]]];
            }
          tiled[row][column] = p->plus[tiled[row][column]][sum];
        }
  return memcmp (scalar, tiled, sizeof scalar) == 0;
}

/* A refused product by its law; an admitted one says that it is not for this machine. */
static gboolean
admits_product (const Pair *p, const Truth *truth)
{
  g_autofree char *text = program_of (p, "algorithm a\n  C[i,j] = f(C[i,j], g(A[i,k], B[k,j]))  for i, j, k\n",
                                      "data C: u8[16, 16]\ndata A: u8[16, 16]\ndata B: u8[16, 16]\n");
  g_autoptr (TlBuild) build = build_text (text, NULL, NULL);
  const TlDiag *diag = first_error (build->diags);

  if (diag == NULL || g_str_equal (diag->code, "not-on-this-target"))
    return TRUE;
  check_refusal (p, truth, diag, CLAUSE_A);
  return FALSE;
}

static TlGridRun *
run_grid (const char *text, TlInputs *inputs, const Pair *p, const Truth *truth)
{
  g_autoptr (TlBuild) build = build_text (text, inputs, NULL);
  const TlDiag    *diag = first_error (build->diags);
  TlGridRunOptions options = { .threads = 1 };

  if (diag != NULL)
    {
      ck_assert_ptr_null (build->grid);
      check_refusal (p, truth, diag, CLAUSE_A);
      return NULL;
    }
  ck_assert_ptr_nonnull (build->grid);
  TlGridRun *run = tl_grid_run (build, &options);
  ck_assert_msg (run->complete, "%s", tl_diags_count (run->diags) > 0 ? tl_diags_get (run->diags, 0)->message : "");
  return run;
}

static guint
score_of (const TlGridRun *run, const Truth *truth)
{
  const TlGridHit *hit = &g_array_index (run->hits, TlGridHit, 0);

  return hit->found ? (guint) hit->value : truth->zero;
}

/* Weights by two letters and by themselves, borders that are given, against two loops. */
static gboolean
grid_is_scalar (const Pair *p, const Truth *truth, guint64 *state, gboolean *admitted)
{
  enum
  {
    SIDE = 9
  };
  guint    w[6], h[SIDE + 1][SIDE + 1];
  gsize    n = 1 + below (state, SIDE), m = 1 + below (state, SIDE);
  char     q[SIDE + 1] = "", r[SIDE + 1] = "";
  GString *algorithm = g_string_new (NULL);

  for (guint k = 0; k < 6; k++)
    w[k] = below (state, N);
  for (gsize k = 0; k < SIDE; k++)
    {
      q[k] = k < n ? "ACGT"[below (state, 4)] : '\0';
      r[k] = k < m ? "ACGT"[below (state, 4)] : '\0';
    }
  gboolean last = below (state, 2); /* the cell is the second operand everywhere */
  g_string_append_printf (
      algorithm,
      last
          ? "algorithm a\n  H[i,j] = f(f(g(%u if q[i] == r[j] else %u, H[i-1,j-1]), g(%u, H[i-1,j])), g(%u, H[i,j-1]))"
          : "algorithm a\n  H[i,j] = f(g(H[i-1,j-1], %u if q[i] == r[j] else %u), f(g(H[i-1,j], %u), g(H[i,j-1], %u)))",
      w[0], w[1], w[2], w[3]);
  g_string_append_printf (algorithm, "  for i, j\n  H[i,0] = %u\n  H[0,j] = %u\n", w[4], w[4]);
  g_autofree char *lines = g_string_free (algorithm, FALSE);
  g_autofree char *text = program_of (p, lines, "data q = sequence(\"q\")\ndata r = sequence(\"r\")\ndata H: u8\n");
  g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();
  for (guint side = 0; side < 2; side++)
    {
      g_autofree char *letters = g_strdup_printf (">x\n%s\n", side == 0 ? q : r);
      g_autoptr (GBytes) bytes = g_bytes_new (letters, strlen (letters));
      tl_inputs_add (inputs, side == 0 ? "q" : "r", bytes);
    }
  g_autoptr (TlGridRun) run = run_grid (text, inputs, p, truth);
  *admitted = run != NULL;
  if (run == NULL)
    return TRUE;
  for (gsize i = 0; i <= n; i++)
    for (gsize j = 0; j <= m; j++)
      if (i == 0 || j == 0)
        h[i][j] = w[4];
      else
        {
          guint by[3] = { q[i - 1] == r[j - 1] ? w[0] : w[1], w[2], w[3] };
          guint from[3] = { h[i - 1][j - 1], h[i - 1][j], h[i][j - 1] }, part[3];
          for (guint k = 0; k < 3; k++)
            part[k] = last ? p->times[by[k]][from[k]] : p->times[from[k]][by[k]];
          h[i][j] = last ? p->plus[p->plus[part[0]][part[1]]][part[2]] : p->plus[part[0]][p->plus[part[1]][part[2]]];
        }
  return score_of (run, truth) == h[n][m];
}

/* Every state from all before, against three loops; the result is one state's. */
static gboolean
trellis_is_scalar (const Pair *p, const Truth *truth, guint64 *state)
{
  enum
  {
    STATES = 4,
    STEPS = 6
  };
  guint    move[STATES][STATES], sign[STATES], v[2][STATES], greatest = 0;
  GString *moves = g_string_new (NULL), *signs = g_string_new (NULL);
  gboolean found = FALSE;

  for (guint a = 0; a < STATES; a++)
    {
      sign[a] = below (state, N);
      g_string_append_printf (signs, "%u\n", sign[a]);
      for (guint b = 0; b < STATES; b++)
        {
          move[a][b] = below (state, N);
          g_string_append_printf (moves, b + 1 < STATES ? "%u," : "%u\n", move[a][b]);
        }
    }
  g_autofree char *moves_text = g_string_free (moves, FALSE), *signs_text = g_string_free (signs, FALSE);
  g_autofree char *text
      = program_of (p, "algorithm a\n  V[t,s] = g(f over p (g(V[t-1,p], A[p,s])), B[s])  for t, s\n  V[0,s] = B[s]\n",
                    "data A = matrix(\"a\")\ndata B = matrix(\"b\")\ndata V: u8[6, 4]\n");
  g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();
  g_autoptr (GBytes) a_bytes = g_bytes_new (moves_text, strlen (moves_text));
  g_autoptr (GBytes) b_bytes = g_bytes_new (signs_text, strlen (signs_text));
  tl_inputs_add (inputs, "a", a_bytes);
  tl_inputs_add (inputs, "b", b_bytes);
  g_autoptr (TlGridRun) run = run_grid (text, inputs, p, truth);
  if (run == NULL)
    return TRUE;
  memcpy (v[0], sign, sizeof sign);
  for (guint t = 1; t < STEPS; t++)
    for (guint s = 0; s < STATES; s++)
      {
        guint sum = p->times[v[(t - 1) & 1][0]][move[0][s]];
        for (guint from = 1; from < STATES; from++)
          sum = p->plus[sum][p->times[v[(t - 1) & 1][from]][move[from][s]]];
        v[t & 1][s] = p->times[sum][sign[s]];
      }
  for (guint s = 0; s < STATES; s++)
    if (v[(STEPS - 1) & 1][s] != truth->zero && (!found || v[(STEPS - 1) & 1][s] > greatest))
      found = TRUE, greatest = v[(STEPS - 1) & 1][s];
  return score_of (run, truth) == (found ? greatest : truth->zero);
}

/* --- All of it --- */

START_TEST (pairs_are_decided_rightly)
{
  guint64 state = 20240607; /* the pairs are the same in every run */
  g_autoptr (GArray) pairs = make_pairs (&state);
  guint lawful = 0, one_law[N_LAWS] = { 0 }, grids = 0;
  guint slice = pairs->len / 5;

  for (guint k = 0; k < pairs->len; k++)
    {
      const Pair *p = &g_array_index (pairs, Pair, k);
      Truth       truth = truth_of (p);
      gboolean    neutral = truth.has_zero && truth.has_one, all = truth.failing == 0 && neutral;

      lawful += all;
      for (guint law = 0; law < N_LAWS; law++)
        one_law[law] += truth.failing == 1u << law;
      if (k / slice != (guint) _i)
        continue;
      g_autoptr (TlBuild) build = NULL;
      gboolean in_grid;
      gboolean by_a = !(truth.failing & CLAUSE_A) && neutral;

      ck_assert_int_eq (admits_closure (p, &truth, &build), all);
      for (guint round = 0; build != NULL && round < 3; round++)
        ck_assert (closure_is_scalar (p, build->recurrence->semiring, &state));
      ck_assert_int_eq (admits_product (p, &truth), by_a);
      ck_assert (!by_a || product_is_scalar (p, truth.zero, &state));
      for (guint round = 0; round < (by_a ? 3 : 1); round++)
        {
          ck_assert (grid_is_scalar (p, &truth, &state, &in_grid));
          ck_assert_int_eq (in_grid, by_a);
          ck_assert (trellis_is_scalar (p, &truth, &state));
        }
      grids += in_grid;
    }
  ck_assert_uint_eq (pairs->len, PAIRS);
  ck_assert_uint_ge (lawful, 160);
  for (guint law = 0; law < N_LAWS; law++)
    ck_assert_uint_ge (one_law[law], 20);
  ck_assert (grids > 0 || _i > 2);
}
END_TEST

/* (xor, and) is refused for clause (d) with reason: its tiled closure differs. And a pair with
 * one cell off does not pass for the one it was. */
START_TEST (wrong_decisions_would_be_seen)
{
  guint64 state = 5;
  guint   differ = 0, seen = 0;
  g_autoptr (TlSemiring) semiring = NULL;

  for (guint k = 0; k < 60; k++)
    {
      Pair p, other;
      g_autoptr (TlBuild) build = NULL;

      make_lawful (&p, &state);
      Truth truth = truth_of (&p);
      other = p;
      other.times[below (&state, N)][below (&state, N)] ^= 1;
      ck_assert (admits_closure (&p, &truth, &build));
      for (guint round = 0; round < 10; round++)
        seen += !closure_is_scalar (&other, build->recurrence->semiring, &state);
      for (guint a = 0; a < N * N; a++)
        {
          p.plus[a / N][a % N] = (guint8) (a / N ^ a % N);
          p.times[a / N][a % N] = (guint8) (a / N & a % N);
        }
      rename_values (&p, &state);
      g_clear_pointer (&semiring, tl_semiring_free);
      semiring = tl_semiring_copy (build->recurrence->semiring);
      memcpy (semiring->plus.table, p.plus, sizeof p.plus);
      memcpy (semiring->times.table, p.times, sizeof p.times);
      for (guint round = 0; round < 10; round++)
        differ += !closure_is_scalar (&p, semiring, &state);
    }
  ck_assert_uint_ge (differ, 50);
  ck_assert_uint_ge (seen, 50);
}
END_TEST

/* --- Semirings of a user's own file, no code for any of them --- */

/* The numbers of ways, mod 8 by a table: (+, *) is not idempotent, so a closure is refused and
 * a grid is not. Sums that stop; the likeliest path; the surest; subsets; distances on a ring. */
START_TEST (an_eighth_semiring_needs_no_code)
{
  static const struct
  {
    const char *lines;
    const char *type;
    gboolean    closure;
    gboolean    grid;
    int         low; /* of the closure's values */
  } rows[] = {
    { "semiring (max, *) on 0..1: zero = 0, one = 1\n", "f64", TRUE, TRUE },
    { "semiring (min, *) on 1..inf: zero = inf, one = 1\n", "i32", TRUE, TRUE, 1 },
    { "op f(a, b) = min(a, b)\nop g(a, b) = min(a + b, 100)\nsemiring (f, g) on 0..100: zero = 100, one = 0\n", "u8",
      TRUE, TRUE },
    { "op f(a, b) = max(a, b)\nop g(a, b) = a + b - 9 if a + b > 9 else 0\nsemiring (f, g) on 0..9: zero = 0, one = "
      "9\n",
      "u8", TRUE, TRUE },
    { "op f(a, b) = max(a, b)\nop g(a, b) = a + b\nsemiring (f, g) on -inf..0: zero = -inf, one = 0\n", "i32", TRUE,
      TRUE, -1 },
    { "op f(a, b) = a + b\nop g(a, b) = a * b\n", "i32", FALSE, TRUE },
    { "op f(a, b) = (a + b) mod 7\nop g(a, b) = (a * b) mod 7\nsemiring (f, g) on 0..6: zero = 0, one = 1\n", "u8",
      FALSE, TRUE },
    { "op f(a, b) = (a + b) // 2\nop g(a, b) = a + b\n", "i32", FALSE, FALSE },
  };
  const char      *plus = strstr (rows[_i].lines, "op f")                          ? "f"
                          : rows[_i].lines[10] == 'm' && rows[_i].lines[11] == 'a' ? "max"
                                                                                   : "min";
  gboolean         own = strcmp (plus, "f") == 0;
  const char      *a = own ? "g(D[i,k], D[k,j])" : "D[i,k] * D[k,j]";
  g_autofree char *closure
      = g_strdup_printf ("algorithm c\n  D[i,j] = %s(D[i,j], %s)  for k, i, j\n%sdata D: %s[8, 8] = "
                         "random(1, low = %d, high = %d)\n",
                         plus, a, rows[_i].lines, rows[_i].type, rows[_i].low, rows[_i].low + 1);
  g_autofree char *grid = g_strdup_printf (
      "algorithm w\n  H[i,j] = %s(%s, %s)  for i, j\n  H[i,0] = 1\n  H[0,j] = 1\n%sdata H: %s[6, 6]\n", plus,
      own ? "g(H[i-1,j], 1)" : "H[i-1,j] * 1", own ? "g(H[i,j-1], 1)" : "H[i,j-1] * 1", rows[_i].lines, rows[_i].type);
  g_autofree char *trellis
      = g_strdup_printf ("algorithm v\n  V[t,s] = %s over p (%s)  for t, s\n  V[0,s] = 1\n%sdata V: %s[4, 3]\n", plus,
                         own ? "g(V[t-1,p], 1)" : "V[t-1,p] * 1", rows[_i].lines, rows[_i].type);
  TlBuildOptions options = { .until = TL_STAGE_G1 };
  g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();
  const char *const texts[] = { closure, grid, trellis };

  for (guint t = 0; t < 3; t++)
    {
      g_autoptr (TlBuild) build = tl_build ("p.gdsl", texts[t], strlen (texts[t]), inputs, &options, NULL, NULL);
      g_autofree char *said = diags_text (build->diags);
      gboolean         expected = t == 0 ? rows[_i].closure : rows[_i].grid;

      /* A value of -inf..0 lacks the border 1: only the closure of that one is of use. */
      ck_assert_msg ((tl_diags_errors (build->diags) == 0) == expected, "%s\n%s", texts[t], said);
      ck_assert_msg (expected || strstr (said, "fails at") != NULL, "%s\n%s", texts[t], said);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("engine-operator-pairs");
  TCase *tcase = tcase_create ("pairs");

  tcase_set_timeout (tcase, 60);
  tcase_add_loop_test (tcase, pairs_are_decided_rightly, 0, 5);
  tcase_add_test (tcase, wrong_decisions_would_be_seen);
  tcase_add_loop_test (tcase, an_eighth_semiring_needs_no_code, 0, 8);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
