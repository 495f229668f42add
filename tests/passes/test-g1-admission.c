/* What is admitted and what is refused: clauses, codes, places, facts about the
 * data, and programs that other machines or later versions run. */
#include "dsl/edit.h"
#include "g1-support.h"
#include "passes/g1-laws.h"

#include <math.h>
#include <string.h>

typedef struct
{
  const char *text;
  const char *code;   /* NULL: admitted without a word */
  const char *clause; /* in the reason, or NULL */
  const char *token;
} Row;

#define CLOSURE "  for k, i, j\n"
#define SUMS    "algorithm a\n  D[i,j] = D[i,j] + D[i,k] * D[k,j]" CLOSURE
#define XOR_AND "op x = table([[0, 1], [1, 0]])\nop n = table([[0, 0], [0, 1]])\n"
#define PRODUCT(update)                                                                                                \
  "algorithm expert_up\n  C[m,n] = " update "  for m, n, k\ndata A: f16[64, 5120]\ndata W: i6[5120, 8192]\n"
#define PATHS "algorithm a\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])" CLOSURE

static const Row rows[] = {
  /* Clause (d). */
  { SUMS "data D: i32\n", "not-idempotent", "clause (d)", "+" },
  { SUMS "data D: f32\n", "not-idempotent", "clause (d)", "+" },
  { "algorithm a\n  for k in 0..N: for i in 0..N: for j in 0..N:\n    t = D[i,k] * D[k,j]\n    D[i,j] = D[i,j] + "
    "t\ndata D: i32\n",
    "not-idempotent", "clause (d)", "+" },
  { "algorithm a\n  D[i,j] = x(D[i,j], n(D[i,k], D[k,j]))" CLOSURE XOR_AND "data D: u1\n", "not-idempotent",
    "clause (d)", "x" },
  { "algorithm a\n  D[i,j] = x(D[i,j], n(D[i,k], D[k,j]))" CLOSURE XOR_AND "data D: bool\n", "not-idempotent",
    "clause (d)", "x" },
  { "algorithm a\n  D[i,j] = D[i,j] xor (D[i,k] and D[k,j])" CLOSURE "data D: bool\n", "not-idempotent", "clause (d)",
    "xor" },
  { "algorithm a\n  D[i,j] = D[i,j] != (D[i,k] and D[k,j])" CLOSURE "data D: bool\n", "not-idempotent", "clause (d)",
    "!=" },
  { "algorithm a\n  D[i,j] = min(D[i,j], min(D[i,k], D[k,j]))" CLOSURE "data D: i32\n", "not-absorptive", "clause (d)",
    NULL },
  { "algorithm a\n  D[i,j] = D[i,j] and (D[i,k] and D[k,j])" CLOSURE "data D: bool\n", "not-absorptive", "clause (d)",
    NULL },
  { "algorithm a\n  D[i,j] = max(D[i,j], g(D[i,k], D[k,j]))" CLOSURE
    "op g(a, b) = (a + b) / 2\nsemiring (max, g) on 0..100: zero = 0, one = 0\ndata D: i32\n",
    "not-associative", "clause (d)", "g" },
  /* Clause (a). */
  { "algorithm a\n  D[i,j] = max(D[i,j], D[i,k] * D[k,j])" CLOSURE "data D: f32\n", "not-distributive", "clause (a)",
    "*" },
  { "algorithm a\n  D[i,j] = max(D[i,j], D[i,k] * D[k,j])" CLOSURE "data D: i32\n", "not-distributive", "clause (a)",
    "*" },
  { "algorithm a\n  D[i,j] = f(D[i,j], D[i,k] + D[k,j])" CLOSURE "op f(a, b) = (a + b) / 2\ndata D: i32\n",
    "not-associative", "clause (a)", "f" },
  { "algorithm a\n  D[i,j] = f(D[i,j], D[i,k] + D[k,j])" CLOSURE "op f(a, b) = a - b\ndata D: i32\n", "not-associative",
    "clause (a)", "f" },
  { "algorithm a\n  D[i,j] = D[i,j] + D[i,k] * D[k,j] / 256" CLOSURE "data D: i16\n", "not-distributive", "clause (a)",
    NULL },
  { "algorithm a\n  D[i,j] = min(D[i,j], round(D[i,k] * D[k,j]))" CLOSURE "data D: f32\n", "not-associative",
    "clause (a)", "round" },
  { "algorithm a\n  F[i,j] = (F[i-1,j-1] * 200 + F[i-1,j] * 28 + F[i,j-1] * 28) / 256  for i, j\ndata q: i32\n",
    "not-associative", "clause (a)", NULL },
  { "algorithm a\n  C[i,j] = C[i,j] + A[i,k] * B[k,j]" CLOSURE "data A: f32\ndata B: f32\nconfig target = gendram\n",
    "float-order", "clause (a)", "+" },
  { "algorithm a\n  D[i,j] = max(D[i,j], g(D[i,k], D[k,j]))" CLOSURE
    "op g(a, b) = a + b\nsemiring (max, g) on 0..10: zero = 0, one = 0\ndata D: i32\n",
    "not-closed", "clause (a)", "g" },
  /* Clauses (b) and (c). */
  { "algorithm chain\n  m[i,j] = min over k (m[i,k] + m[k+1,j] + p[i] * p[k] * p[j])  for i, j\ndata p: i32\n",
    "not-affine", "clause (b)", NULL },
  { "algorithm chain\n  for l in 1..N: for i in 0..N: for k in i..l:\n    m[i,l] = min(m[i,l], m[i,k] + "
    "m[k+1,l])\ndata m: i32\n",
    "not-affine", "clause (b)", "i..l" },
  { "algorithm tree\n  T[v,s] = T[parent[v],s] + 1  for v, s\ndata parent: i32\n", "not-affine", "clause (b)",
    "T[parent[v],s]" },
  { "algorithm tree\n  D[i,j] = min(D[i,j], D[i,next[k]] + D[k,j])" CLOSURE "data D: i32\ndata next: i32\n",
    "not-affine", "clause (b)", "D[i,next[k]]" },
  { "algorithm xdrop\n  H[i,j] = max(H[i-1,j-1] + 2, H[i-1,j] - 1) if H[i-1,j-1] > best - 50 else -inf  for i, j\ndata "
    "q: i32\n",
    "data-dependent", "clause (c)", NULL },
  { "algorithm xdrop\n  for i in 0..N: for j in 0..N:\n    s = max(H[i-1,j-1] + 2, H[i-1,j] - 1)\n    if s > best - "
    "50:\n"
    "      H[i,j] = s\n      if s > best: best = s\ndata q: i32\n",
    "data-dependent", "clause (c)", "s > best - 50" },
  { "algorithm xdrop\n  for i in 0..N: for j in low[i]..high[i]:\n    H[i,j] = max(H[i-1,j-1], H[i-1,j])\ndata low: "
    "i32\ndata high: i32\n",
    "data-dependent", "clause (c)", "low[i]" },
  /* Not here. */
  { "algorithm align\n  H[i,j] = max(0, H[i-1,j-1] + score(q[i], r[j]), H[i-1,j] - gap, H[i,j-1] - gap)  for i, j "
    "within band\n"
    "data q = reads(\"lambda-pacbio15.fastq\")\ndata r = sequence(\"lambda.fa\")\ndata PTR, CAL = index(r, k = 11)\n"
    "data hits = stream(PTR, CAL, q)\nconfig target = gendram, mode = pipeline\nconfig score = match 2 mismatch -4, "
    "gap = 2\n"
    "config band = 15%\n",
    "not-on-this-target", NULL, "H[i,j]" },
  { "algorithm e\n  E[i,j] = min(E[i-1,j-1] + (q[i] != r[j]), E[i-1,j] + 1, E[i,j-1] + 1)  for i, j\n  E[i,0] = i\n  "
    "E[0,j] = j\n"
    "data q = sequence(\"a.fa\")\ndata r = sequence(\"b.fa\")\n",
    "not-on-this-target", NULL, "E[i,j]" },
  { "algorithm v\n  V[t,s] = max over p (V[t-1,p] + logA[p,s]) + logB[s,o[t]]  for t, s\n  V[0,s] = init[s] + "
    "logB[s,o[0]]\n"
    "data logA: f32\ndata logB: f32\ndata init: f32\ndata o: i32\n",
    "not-on-this-target", NULL, "max" },
  { "algorithm g\n  H[i,j] = max(0, H[i-1,j-1] + 1, E[i,j])  for i, j\n  E[i,j] = max(E[i,j-1], H[i,j-1] - 2)  for i, "
    "j\ndata q: i32\n",
    "not-on-this-target", NULL, NULL },
  { PRODUCT ("C[m,n] + A[m,k] * W[k,n]") "config target = gendram\n", "float-order", "clause (a)", "+" },
  { PRODUCT ("min(C[m,n], A[m,k] + W[k,n])") "config target = cu-t8b16\n", "not-on-this-target", NULL, "min" },
  { PRODUCT ("C[m,n] + A[m,k] * W[n,k]") "config target = gendram\n", "operand-subscripts", NULL, "W[n,k]" },
  { PRODUCT ("C[m,n] + A[k,m] * W[k,n]") "config target = cu-t8b16\n", "operand-subscripts", NULL, "A[k,m]" },
  { "algorithm p\n  C[i,j] = min(C[i,j], A[i,k] + B[k,j])  for i, j, k\ndata C: i32\ndata A: i32\ndata B: i32\n",
    "not-on-this-target", NULL, NULL },
  { PATHS "data D: i32\nplace D = plan\n", "not-on-this-target", NULL, "plan" },
  { PATHS "data D: i32\nconfig target = cu-t8b16\n", "not-on-this-target", NULL, NULL },
  { PATHS "  result = max D\ndata D: i32\n", "not-on-this-target", NULL, NULL },
  { "algorithm a\n  D[i,j] = min over k (D[i,k] + D[k,j])  for i, j\ndata D: i32\n", "loop-order", NULL, "min" },
  /* Types, declarations, operators. */
  { "algorithm a\n  D[i,j] = max(D[i,j], D[i,k] + D[k,j])" CLOSURE "data D: u32\n", "wrong-type", NULL, "u32" },
  { PATHS "semiring (max, *) on 0..1: zero = 0, one = 1\ndata D: i32\n", "bad-semiring", NULL, NULL },
  { PATHS "semiring (min, +) on 0..inf: zero = inf, one = -1\ndata D: i32\n", "bad-semiring", NULL, "-1" },
  { PATHS "semiring (min, +) on 0..inf: zero = inf, one = 1\ndata D: i32\n", "no-one", "clause (a)", NULL },
  { PATHS "semiring (min, +) on 0..inf: zero = 7, one = 0\ndata D: i32\n", "no-zero", "clause (a)", NULL },
  { PATHS "semiring (min, +) on 0..100: zero = 100, one = 0\ndata D: i32\n", "not-closed", "clause (a)", "+" },
  { "algorithm a\n  D[i,j] = f(D[i,j], D[i,k] + D[k,j])" CLOSURE "op f = table([[0, 1], [1, 2]])\ndata D: i32\n",
    "bad-operator", NULL, "2" },
  { "algorithm a\n  D[i,j] = f(D[i,j], D[i,k] + D[k,j])" CLOSURE "op f = table([[0, 1], [1]])\ndata D: i32\n",
    "bad-operator", NULL, NULL },
  { "algorithm a\n  D[i,j] = f(D[i,j], D[i,k] + D[k,j])" CLOSURE "op f = table(\"f.csv\")\ndata D: i32\n",
    "bad-operator", NULL, "\"f.csv\"" },
  { "algorithm a\n  D[i,j] = D[i,j] + D[i,k]" CLOSURE "data D: bool\n", "arithmetic-on-bool", NULL, "+" },
  { PATHS "data E: i32\n", "operand-names", NULL, "D" },
  /* Admitted. */
  { PATHS "data D: i32\n", NULL, NULL, NULL },
  { PRODUCT ("C[m,n] + A[m,k] * W[k,n]") "config target = cu-t8b16, tile = (64, 128, 64), stages = 3\nplace W = plan\n",
    NULL, NULL, NULL },
  { PRODUCT ("W[n,k] * A[m,k] + C[m,n]") "config target = cu-t8b16\n", NULL, NULL, NULL },
  { "algorithm a\n  D[i,j] = max(D[i,j], D[i,k] * D[k,j])" CLOSURE
    "semiring (max, *) on 0..1: zero = 0, one = 1\ndata D: f32\n",
    NULL, NULL, NULL },
  { "algorithm a\n  D[i,j] = max(D[i,j], min(D[i,k], D[k,j]))" CLOSURE
    "semiring (max, min) on -inf..inf: zero = -inf, one = inf\ndata D: i32\n",
    NULL, NULL, NULL },
  { "algorithm a\n  D[i,j] = min(D[i,j], D[i,k] * D[k,j])" CLOSURE
    "semiring (min, *) on 1..inf: zero = inf, one = 1\ndata D: i32\n",
    NULL, NULL, NULL },
  { "algorithm a\n  D[i,j] = f(D[i,j], g(D[i,k], D[k,j]))" CLOSURE
    "op f(x, y) = y if y < x else x\nop g(x, y) = min(x + y, 100)\nsemiring (f, g) on 0..100: zero = 100, one = "
    "0\ndata D: u8\n",
    NULL, NULL, NULL },
  { "algorithm a\n  D[i,j] = f(D[i,j], g(D[i,k], D[k,j]))" CLOSURE
    "op f = table([[0, 1, 2], [1, 1, 2], [2, 2, 2]])\nop g = table([[0, 0, 0], [0, 1, 1], [0, 1, 2]])\ndata D: u8\n",
    NULL, NULL, NULL },
};

/* Whether @row says what comes of its text. */
static gboolean
is_right (const Row *row, gboolean loud)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlRecurrence) recurrence = recognise_text (row->text, NULL, diags);
  const TlDiag *diag = tl_diags_count (diags) > 0 ? tl_diags_get (diags, 0) : NULL;
  gboolean      right;

  if (row->code == NULL)
    right = recurrence != NULL && diag == NULL;
  else
    {
      right = recurrence == NULL && tl_diags_count (diags) == 1 && g_str_equal (diag->code, row->code)
              && (row->clause == NULL || (diag->reason != NULL && strstr (diag->reason, row->clause) != NULL));
      if (right && row->token != NULL)
        {
          g_autofree char *at = g_strndup (row->text + diag->span.start, diag->span.end - diag->span.start);
          right = g_str_equal (at, row->token);
        }
    }
  if (!right && loud)
    {
      g_autofree char *said = diags_text (diags);
      g_printerr ("expected %s at \"%s\":\n%s%s\n", row->code ? row->code : "nothing", row->token ? row->token : "",
                  row->text, said);
    }
  return right;
}

START_TEST (programs_are_judged)
{
  ck_assert (is_right (&rows[_i], TRUE));
}
END_TEST

START_TEST (wrong_rows_fail)
{
  static const Row wrong[] = {
    { PATHS "data D: i32\n", "not-idempotent", NULL, NULL },
    { SUMS "data D: i32\n", NULL, NULL, NULL },
    { SUMS "data D: i32\n", "not-idempotent", "clause (b)", NULL },
    { SUMS "data D: i32\n", "not-idempotent", "clause (d)", "*" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    ck_assert (!is_right (&wrong[i], FALSE));
}
END_TEST

/* --- Counterexamples in the text --- */

static gint64
value_of (const char *reason, const char *letter)
{
  g_autofree char *key = g_strdup_printf ("%s = ", letter);
  const char      *at = strstr (strstr (reason, "fails at"), key);

  ck_assert_ptr_nonnull (at);
  return g_ascii_strtoll (at + strlen (key), NULL, 10);
}

START_TEST (counterexamples_violate)
{
  {
    g_autoptr (TlDiags) diags = tl_diags_new ();
    g_autoptr (TlRecurrence) none = recognise_text (SUMS "data D: i32\n", NULL, diags);
    gint64 a = value_of (tl_diags_get (diags, 0)->reason, "a");
    ck_assert_ptr_null (none);
    ck_assert_int_ne (a + a, a);
    ck_assert_ptr_nonnull (strstr (tl_diags_get (diags, 0)->reason, "names of their own"));
  }
  {
    g_autoptr (TlDiags) diags = tl_diags_new ();
    g_autoptr (TlRecurrence) none = recognise_text (
        "algorithm a\n  D[i,j] = x(D[i,j], n(D[i,k], D[k,j]))" CLOSURE XOR_AND "data D: u1\n", NULL, diags);
    gint64 a = value_of (tl_diags_get (diags, 0)->reason, "a");
    ck_assert_ptr_null (none);
    ck_assert (a == 0 || a == 1);
    ck_assert_int_ne (a ^ a, a);
  }
  {
    g_autoptr (TlDiags) diags = tl_diags_new ();
    g_autoptr (TlRecurrence) none
        = recognise_text ("algorithm a\n  D[i,j] = max(D[i,j], D[i,k] * D[k,j])" CLOSURE "data D: i32\n", NULL, diags);
    const char *reason = tl_diags_get (diags, 0)->reason;
    gint64      a = value_of (reason, "a"), b = value_of (reason, "b"), c = value_of (reason, "c");
    ck_assert_ptr_null (none);
    ck_assert_int_ne (a * MAX (b, c), MAX (a * b, a * c));
  }
}
END_TEST

/* --- Facts about the data --- */

static GArray *
one_fact (guint64 rows_of_data, gint64 low, gint64 high)
{
  GArray     *facts = g_array_new (FALSE, TRUE, sizeof (TlDataFacts));
  TlDataFacts fact = { .name = (char *) "D", .rows = rows_of_data, .columns = rows_of_data, .bounds_known = TRUE };

  fact.low.i = low;
  fact.high.i = high;
  g_array_append_val (facts, fact);
  return facts;
}

static const struct
{
  const char *update;
  const char *type;
  guint64     rows;
  gint64      low;
  gint64      high;
  const char *code;
  gboolean    cycle_check;
  const char *wider; /* the fix's type */
} facts_rows[] = {
  { "min(D[i,j], D[i,k] + D[k,j])", "i32", 1024, 1, 1000, NULL, FALSE, NULL },
  { "min(D[i,j], D[i,k] + D[k,j])", "i32", 1024, 0, 0, NULL, FALSE, NULL },
  { "min(D[i,j], D[i,k] + D[k,j])", "i32", 1024, -1, 1000, NULL, TRUE, NULL },
  { "min(D[i,j], D[i,k] + D[k,j])", "i16", 1024, 1, 1000, "sums-overflow", FALSE, "i32" },
  { "min(D[i,j], D[i,k] + D[k,j])", "i8", 1024, 1, 100, "sums-overflow", FALSE, "i32" },
  { "min(D[i,j], D[i,k] + D[k,j])", "i8", 70000, 1, 100, "sums-overflow", FALSE, "i32" },
  { "min(D[i,j], D[i,k] + D[k,j])", "i32", 65536, 1, 100000, "sums-overflow", FALSE, "i64" },
  { "min(D[i,j], D[i,k] + D[k,j])", "u16", 66, 1, 1008, NULL, FALSE, NULL },
  { "min(D[i,j], D[i,k] + D[k,j])", "u16", 66, 1, 1009, "sums-overflow", FALSE, "u32" },
  /* 99 x 330 = 32670 fits i16; with a check 101 x 330 = 33330 does not. */
  { "min(D[i,j], D[i,k] + D[k,j])", "i16", 100, 0, 330, NULL, FALSE, NULL },
  { "min(D[i,j], D[i,k] + D[k,j])", "i16", 100, -1, 330, "sums-overflow", FALSE, "i32" },
  { "min(D[i,j], D[i,k] + D[k,j])", "i16", 100, 0, 331, "sums-overflow", FALSE, "i32" },
  { "max(D[i,j], D[i,k] + D[k,j])", "i32", 100, -5, 0, NULL, FALSE, NULL },
  { "max(D[i,j], D[i,k] + D[k,j])", "i32", 100, -5, 1, "keeps-larger", TRUE, NULL },
  { "max(D[i,j], min(D[i,k], D[k,j]))", "i8", 100000, 0, 127, NULL, FALSE, NULL },
  { "max(D[i,j], min(D[i,k], D[k,j]))", "i32", 10, -1, 5, "data-outside-carrier", FALSE, NULL },
  { "min(D[i,j], max(D[i,k], D[k,j]))", "i32", 10, -1, 5, "data-outside-carrier", FALSE, NULL },
  { "D[i,j] or (D[i,k] and D[k,j])", "i32", 10, 0, 1, NULL, FALSE, NULL },
  { "D[i,j] or (D[i,k] and D[k,j])", "i32", 10, 0, 2, "data-outside-carrier", FALSE, NULL },
  { "min(D[i,j], D[i,k] + D[k,j])", "i64", 65536, 1, G_GINT64_CONSTANT (1) << 50, "sums-overflow", FALSE, NULL },
};

START_TEST (facts_decide)
{
  g_autofree char *text = g_strdup_printf ("algorithm a\n  D[i,j] = %s" CLOSURE "data D: %s = graph(\"g\")\n",
                                           facts_rows[_i].update, facts_rows[_i].type);
  g_autoptr (GArray) facts = one_fact (facts_rows[_i].rows, facts_rows[_i].low, facts_rows[_i].high);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlRecurrence) recurrence = recognise_text (text, facts, diags);
  g_autofree char *said = diags_text (diags);

  if (facts_rows[_i].code == NULL)
    ck_assert_msg (tl_diags_count (diags) == 0, "%s", said);
  else
    {
      ck_assert_msg (tl_diags_count (diags) == 1, "%s", said);
      ck_assert_str_eq (tl_diags_get (diags, 0)->code, facts_rows[_i].code);
      ck_assert_int_eq (recurrence == NULL, tl_diags_errors (diags) == 1);
    }
  if (recurrence != NULL)
    ck_assert_int_eq (recurrence->cycle_check, facts_rows[_i].cycle_check);
  if (facts_rows[_i].wider != NULL)
    {
      const TlFix *fix = tl_diags_get (diags, 0)->fixes->pdata[0];
      ck_assert_str_eq (g_array_index (fix->edits, TlEdit, 0).replacement, facts_rows[_i].wider);
    }
}
END_TEST

START_TEST (unknown_values_are_checked)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlRecurrence) graph = recognise_text (PATHS "data D: i32 = graph(\"g\")\n", NULL, diags);
  g_autoptr (TlRecurrence) bare = recognise_text (PATHS "data D: i32\n", NULL, diags);
  g_autoptr (TlRecurrence) whole = recognise_text (PATHS "data D: u32 = graph(\"g\")\n", NULL, diags);

  ck_assert (graph->cycle_check);
  ck_assert (!bare->cycle_check);
  ck_assert (!whole->cycle_check);
  ck_assert_uint_eq (tl_diags_count (diags), 0);
}
END_TEST

/* A type that is not written can be written in. */
START_TEST (a_missing_type_is_inserted)
{
  const char *text = PATHS "data D = graph(\"g\")\n";
  g_autoptr (GArray) facts = one_fact (65536, 1, 100000);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlRecurrence) none = recognise_text (text, facts, diags);
  g_autoptr (TlSource) source = tl_source_new ("a", text, -1);
  const TlFix *fix;

  ck_assert_ptr_null (none);
  ck_assert_str_eq (tl_diags_get (diags, 0)->code, "sums-overflow");
  fix = tl_diags_get (diags, 0)->fixes->pdata[0];
  g_autofree char *fixed = tl_edit_apply (source, fix->edits, NULL);
  ck_assert_ptr_nonnull (strstr (fixed, "data D: i64 = graph"));
}
END_TEST

/* User-written operators on a big carrier: tried, not proved, and said so; equal to
 * built-in ones where they are those. */
START_TEST (expressions_are_tried)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlDiags) none = tl_diags_new ();
  g_autoptr (TlRecurrence) tried
      = recognise_text ("algorithm a\n  D[i,j] = min(D[i,j], g(D[i,k], D[k,j]))" CLOSURE
                        "op g(a, b) = a + b + 1\nsemiring (min, g) on -1..inf: zero = inf, one = -1\n"
                        "data D: i32\n",
                        NULL, diags);
  g_autoptr (TlRecurrence) paths = recognise_text (PATHS "data D: i32\n", NULL, none);
  g_autoptr (TlRecurrence) same
      = recognise_text ("algorithm a\n  D[i,j] = f(g(D[k,j], D[i,k]), D[i,j])" CLOSURE
                        "op f(x, y) = x if not (y < x) else y\nop g(x, y) = y - (-x)\ndata D: i32\n",
                        NULL, none);

  ck_assert_ptr_nonnull (tried);
  ck_assert (tried->unproved);
  ck_assert_uint_eq (tl_diags_count (diags), 1);
  ck_assert_str_eq (tl_diags_get (diags, 0)->code, "semiring-unproved");
  ck_assert_uint_eq (tl_diags_count (none), 0);
  ck_assert (same_recurrence (paths, same));
}
END_TEST

/* The operands' order does not matter where the operator's does: the table is turned. */
START_TEST (swapped_operands_turn_the_operator)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  /* max on 0..3 with a combination that does not commute: 1 x 2 = 1, 2 x 1 = 0. */
  const char      *tables = "op f = table([[0,1,2,3], [1,1,2,3], [2,2,2,3], [3,3,3,3]])\n"
                            "op g = table([[0,0,0,0], [0,0,1,1], [0,0,2,2], [0,1,2,3]])\n"
                            "op h = table([[0,0,0,0], [0,0,0,1], [0,1,2,2], [0,1,2,3]])\ndata D: u8\n";
  g_autofree char *first = g_strconcat ("algorithm a\n  D[i,j] = f(D[i,j], g(D[i,k], D[k,j]))" CLOSURE, tables, NULL);
  g_autofree char *second = g_strconcat ("algorithm b\n  D[i,j] = f(D[i,j], h(D[k,j], D[i,k]))" CLOSURE, tables, NULL);
  g_autofree char *third = g_strconcat ("algorithm b\n  D[i,j] = f(D[i,j], g(D[k,j], D[i,k]))" CLOSURE, tables, NULL);
  g_autoptr (TlRecurrence) a = recognise_text (first, NULL, diags);
  g_autoptr (TlRecurrence) b = recognise_text (second, NULL, diags);
  g_autoptr (TlRecurrence) c = recognise_text (third, NULL, diags);

  ck_assert_ptr_nonnull (a);
  ck_assert_ptr_nonnull (b);
  ck_assert_ptr_nonnull (c);
  ck_assert (same_recurrence (a, b));
  ck_assert (!same_recurrence (a, c));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("passes-g1-admission");
  TCase *tcase = tcase_create ("admission");

  tcase_add_loop_test (tcase, programs_are_judged, 0, G_N_ELEMENTS (rows));
  tcase_add_test (tcase, wrong_rows_fail);
  tcase_add_test (tcase, counterexamples_violate);
  tcase_add_loop_test (tcase, facts_decide, 0, G_N_ELEMENTS (facts_rows));
  tcase_add_test (tcase, unknown_values_are_checked);
  tcase_add_test (tcase, a_missing_type_is_inserted);
  tcase_add_test (tcase, expressions_are_tried);
  tcase_add_test (tcase, swapped_operands_turn_the_operator);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
