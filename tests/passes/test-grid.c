/* Recurrences over constant distances: one value for all spellings, waves from distance
 * vectors alone, and refusals with their clause and place. */
#include "g1-support.h"
#include "passes/grid.h"

#include <string.h>

#define LETTERS "data q = sequence(\"a.fa\")\ndata r = sequence(\"b.fa\")\n"
#define SCORES  "config score = match 2 mismatch -4, gap = 2\n"
#define EDIT    "  E[i,0] = i\n  E[0,j] = j\n" LETTERS

static TlGrid *
grid_of (const char *text, TlDiags *diags)
{
  g_autoptr (TlSource) source = tl_source_new ("p.gdsl", text, -1);
  g_autoptr (TlAst) ast = tl_parse (source, diags);
  TlGrid *grid = NULL;

  g_autoptr (TlRecurrence) recurrence = tl_recognise_any (ast, NULL, &grid, diags);
  ck_assert (recurrence == NULL || grid == NULL);
  return grid;
}

/* All that a grid is, without names of loops. */
static char *
grid_text (const TlGrid *grid)
{
  GString         *text = g_string_new (NULL);
  g_autofree char *pair = tl_semiring_text (grid->semiring);
  g_autofree char *emission = tl_grid_terms_text (grid, grid->emission, grid->n_emission);

  g_string_append_printf (text, "%s wave %d,%d pick %d of %u %s%s\n", pair, (int) grid->wave[0], (int) grid->wave[1],
                          grid->pick, grid->pick_table, grid->greatest ? "greatest" : "least", emission);
  for (guint d = 0; d < grid->n_dependences; d++)
    g_string_append_printf (text, "(%d,%d)", (int) grid->dependences[d][0], (int) grid->dependences[d][1]);
  for (guint t = 0; t < grid->n_tables; t++)
    for (guint a = 0; a < grid->tables[t].n_alternatives; a++)
      {
        const TlGridAlternative *step = &grid->tables[t].alternatives[a];
        g_autofree char         *terms = tl_grid_terms_text (grid, step->terms, step->n_terms);
        g_string_append_printf (text, "\n%u: %d [%d,%d] %s", t, step->table, step->di, step->dj, terms);
      }
  return g_string_free (text, FALSE);
}

static char *
must_be_grid (const char *program)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlGrid) grid = grid_of (program, diags);
  g_autofree char *said = diags_text (diags);

  ck_assert_msg (grid != NULL && tl_diags_count (diags) == 0, "%s\n%s", program, said);
  return grid_text (grid);
}

/* --- Spellings --- */

static const char *const edits[] = {
  "algorithm e\n  E[i,j] = min(E[i-1,j-1] + (q[i] != r[j]), E[i-1,j] + 1, E[i,j-1] + 1)  for i, j\n" EDIT,
  "algorithm x\n  E[a,b] = min(E[a,b-1] + 1, E[a-1,b] + 1, E[a-1,b-1] + (r[b] != q[a]))  for b, a\n" EDIT,
  "algorithm e\n  E[i,j] = min(min(E[i-1,j], E[i,j-1]) + 1, E[i-1,j-1] + (1 if q[i] != r[j] else 0))  for i, j\n" EDIT,
  "algorithm e\n  E[i,j] = min(1 + E[i-1,j], min(1 + E[i,j-1], (0 if q[i] == r[j] else 1) + E[i-1,j-1]))  for i, "
  "j\n" EDIT,
  "algorithm e\n  E[i,j] = -max(-E[i-1,j] - 1, -1 - E[i,j-1], -E[i-1,j-1] - (q[i] != r[j]))  for i, j\n" EDIT,
  "algorithm e\n  for i in 1..N+1: for j in 1..M+1:\n    t = E[i-1,j-1]\n    if q[i] != r[j]: t = t + 1\n"
  "    if E[i-1,j] + 1 < t: t = E[i-1,j] + 1\n    u = E[i,j-1] + 1\n    if t > u: t = u\n    E[i,j] = t\n" EDIT,
  "algorithm e\n  for j in 1..M+1:\n    for i in 1..N+1:\n      E[i,j] = E[i-1,j-1] + (q[i] != r[j])\n"
  "      if E[i,j] > E[i-1,j] + 1: E[i,j] = E[i-1,j] + 1\n      E[i,j] = min(E[i,j], E[i,j-1] + 1)\n" EDIT,
  "algorithm e\n  E[i,j] = min(E[i-1,j-1] + (not q[i] == r[j]), E[i-1,j] + 1, E[i,j-1] + 1)  for i, j\n" EDIT,
  "algorithm e\n  E[i,j] = min(E[i-1,j-1] + (0 if not q[i] != r[j] else 1), E[i-1,j] + 1, E[i,j-1] + 1)  for i, "
  "j\n" EDIT,
  "algorithm e\n  for i in 1..N+1: for j in 1..M+1:\n    t = E[i-1,j-1] + (1 if not (not q[i] != r[j]) else 0)\n"
  "    if not t <= E[i-1,j] + 1: t = E[i-1,j] + 1\n    if not (E[i,j-1] + 1 > t): t = E[i,j-1] + 1\n    E[i,j] = "
  "t\n" EDIT,
  "algorithm e\n  for i in 0..N:\n    for j in 0..M:\n      E[i+1,j+1] = min(E[i,j] + (q[i+1] != r[j+1]), E[i,j+1] + "
  "1, E[i+1,j] + "
  "1)\n" EDIT,
};

START_TEST (spellings_of_one_recurrence_are_one)
{
  g_autofree char *first = must_be_grid (edits[0]);
  g_autofree char *text = must_be_grid (edits[_i]);

  ck_assert_str_eq (text, first);
  ck_assert_ptr_nonnull (strstr (first, "(1,1)(1,0)(0,1)"));
}
END_TEST

/* One that differs must not be the same. */
START_TEST (another_recurrence_is_another)
{
  g_autofree char *first = must_be_grid (edits[0]);
  g_autofree char *other = must_be_grid (
      "algorithm e\n  E[i,j] = min(E[i-1,j-1] + (q[i] != r[j]), E[i-1,j] + 1, E[i,j-1] + 2)  for i, j\n" EDIT);

  ck_assert_str_ne (first, other);
}
END_TEST

/* --- Waves --- */

START_TEST (waves_follow_from_distances)
{
  static const struct
  {
    gint64 distances[3][2];
    guint  n;
    gint64 a, b; /* -1: none */
  } rows[] = {
    { { { 1, 1 }, { 1, 0 }, { 0, 1 } }, 3, 1, 1 },
    { { { 1, 0 } }, 1, 1, 0 },
    { { { 0, 1 } }, 1, 0, 1 },
    { { { 1, -1 }, { 0, 1 } }, 2, 2, 1 },
    { { { 1, -1 }, { 1, 0 } }, 2, 1, 0 },
    { { { 1, -3 }, { 0, 1 }, { 1, 1 } }, 3, 4, 1 },
    { { { 2, 1 }, { 1, 2 } }, 2, 1, 0 },
    { { { 0, -1 }, { 0, 1 } }, 2, -1, 0 },
  };
  gint64   wave[2] = { -1, 0 };
  gboolean found = tl_grid_wave (rows[_i].distances, rows[_i].n, wave);

  ck_assert_int_eq (found, rows[_i].a >= 0);
  ck_assert_int_eq (wave[0], rows[_i].a);
  ck_assert_int_eq (wave[1], rows[_i].b);
}
END_TEST

/* --- What is read from a program --- */

START_TEST (parts_of_programs)
{
  static const struct
  {
    const char *text;
    const char *holds;
  } rows[] = {
    { "algorithm a\n  H[i,j] = max(0, H[i-1,j-1] + score(q[i], r[j]), H[i-1,j] - gap, H[i,j-1] - gap)  for i, "
      "j\n" LETTERS SCORES,
      "(max, +) wave 1,1 pick 0 of 0 greatest" },
    { "algorithm a\n  H[i,j] = max(H[i-1,j-1] + score(q[i], r[j]), H[i-1,j] - gap, H[i,j-1] - gap)  for i, j\n"
      "  H[i,0] = -gap * i\n  H[0,j] = 0\n  result = max over j (H[last, j])\n" LETTERS SCORES,
      "pick 2 of 0 greatest" },
    { "algorithm a\n  H[i,j] = max(H[i-1,j-1] + score(q[i], r[j]), E[i,j], F[i,j])  for i, j\n"
      "  E[i,j] = max(H[i,j-1] - gap.open - gap.extend, E[i,j-1] - gap.extend)  for i, j\n"
      "  F[a,b] = max(H[a-1,b] - gap.open - gap.extend, F[a-1,b] - gap.extend)  for a, b\n"
      "  H[0,0] = 0\n  H[i,0] = -gap.open - gap.extend * i\n  H[0,j] = -gap.open - gap.extend * j\n" LETTERS
      "config score = match 1 mismatch -1, gap = open 5 extend 1\n",
      "pick 1 of 2 greatest" },
    { "algorithm v\n  V[t,s] = max over p (V[t-1,p] + A[p,s]) + B[s,o[t]]  for t, s\n  V[0,s] = I[s]\n"
      "data A = matrix(\"a.csv\")\ndata B = matrix(\"b.csv\")\ndata I = matrix(\"i.csv\")\ndata o = "
      "matrix(\"o.csv\")\n",
      "(max, +) wave 1,0 pick 2 of 0 greatestB[j, o[i]]\n(1,0)\n0: 0 [1,0] A[p, j]" },
    { "algorithm f\n  F[t,s] = sum over p (F[t-1,p])  for t, s\n  F[0,s] = 1\ndata F: i64[9, 4]\n", "(+, *) wave 1,0" },
    { "algorithm m\n  M[i,j] = (M[i-1,j-1] and q[i] == r[j]) or M[i,j-1]  for i, j\n  M[0,j] = 1\n" LETTERS,
      "(or, and) wave 0,1 pick 1" },
    { "algorithm p\n  P[i,j] = P[i-1,j] + P[i,j-1]  for i, j\n  P[i,0] = 1\n  P[0,j] = 1\ndata P: i64[9, 9]\n",
      "(+, *) wave 1,1" },
    { "algorithm w\n  W[i,j] = max(min(W[i-1,j], c[i-1]), W[i,j-1])  for i, j\n  W[0,j] = inf\ndata c = "
      "matrix(\"c.csv\")\n"
      "data W: u8[9, 9]\n",
      "(max, min) wave 1,1" },
  };
  g_autofree char *text = must_be_grid (rows[_i].text);

  ck_assert_msg (strstr (text, rows[_i].holds) != NULL, "%s", text);
}
END_TEST

/* Knobs that a wavefront has no use for are answered, once; the others are not. */
START_TEST (unused_knobs_are_said)
{
  static const struct
  {
    const char *config;
    const char *says; /* NULL: nothing */
  } rows[] = {
    { "config tile = 64, seed = 3\nconfig target.pus = 8\n", NULL },
    { "config queue = 4, split = 8 : 24\nconfig mode = none, owner = j mod 24 + 8\n", NULL },
    { "config copies = home\n", "copies does nothing for" },
    { "config buffers = 2, tile = 64\nconfig barriers = strict, skew = 1\n",
      "barriers, buffers and skew do nothing for" },
  };
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autofree char *text
      = g_strconcat ("algorithm a\n  H[i,j] = max(0, H[i-1,j-1] + score(q[i], r[j]))  for i, j\n" LETTERS SCORES,
                     rows[_i].config, NULL);
  g_autoptr (TlGrid) grid = grid_of (text, diags);
  g_autofree char *said = diags_text (diags);

  ck_assert_ptr_nonnull (grid);
  ck_assert_uint_eq (tl_diags_count (diags), rows[_i].says != NULL);
  if (rows[_i].says == NULL)
    return;
  const TlDiag *diag = tl_diags_get (diags, 0);
  ck_assert_int_eq (diag->severity, TL_SEVERITY_NOTE);
  ck_assert_str_eq (diag->code, "knob-unused");
  ck_assert_msg (strstr (diag->message, rows[_i].says) == diag->message, "%s", said);
  ck_assert_ptr_nonnull (strstr (diag->reason, "by waves"));
}
END_TEST

/* --- Adaptive bands --- */

/* Admitted with a note that says why; the envelope is a fixed band, with a derived width
 * where candidates need one. */
START_TEST (adaptive_bands_are_admitted_for_their_envelope)
{
  static const struct
  {
    const char *band;
    const char *data;
    gint64      half;  /* of 1000 rows, -1: none */
    guint32     width; /* of 1000 rows */
    const char *says;
    guint       remarks;
  } rows[] = {
    { "adaptive(64)", LETTERS, -1, 64, "the whole grid", 1 },
    { "adaptive(64, 9%)", LETTERS, 90, 64, "9 % of the rows", 1 },
    { "adaptive(5%, 300)", LETTERS, 300, 50, "300 cells on both sides", 1 },
    { "adaptive(64, 20)", LETTERS, 20, 64, "20 cells on both sides", 2 },
    { "adaptive(64)",
      "data q = reads(\"a.fa\")\ndata r = sequence(\"b.fa\")\ndata PTR, CAL = index(r, k = 11)\ndata h = stream(PTR, "
      "CAL, q)\n",
      150, 64, "15 % of the rows", 1 },
    { "adaptive(200)",
      "data q = reads(\"a.fa\")\ndata r = sequence(\"b.fa\")\ndata PTR, CAL = index(r, k = 11)\ndata h = stream(PTR, "
      "CAL, q)\n",
      150, 200, "15 % of the rows", 1 },
  };
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autofree char *text
      = g_strconcat ("algorithm a\n  H[i,j] = max(0, H[i-1,j-1] + score(q[i], r[j]))  for i, j within "
                     "band\n",
                     rows[_i].data, SCORES "config band = ", rows[_i].band, "\n", NULL);
  g_autoptr (TlGrid) grid = grid_of (text, diags);
  g_autofree char *said = diags_text (diags);

  ck_assert_msg (grid != NULL && tl_diags_count (diags) == rows[_i].remarks, "%s", said);
  ck_assert_int_eq (tl_grid_band (grid, 1000), rows[_i].half);
  ck_assert_uint_eq (tl_grid_adaptive (grid, 1000), rows[_i].width);
  const TlDiag *note = tl_diags_get (diags, 0);
  ck_assert_str_eq (note->code, "adaptive-band");
  ck_assert_int_eq (note->severity, TL_SEVERITY_NOTE);
  ck_assert_msg (strstr (note->reason, "clause (c)") != NULL && strstr (note->reason, rows[_i].says) != NULL, "%s",
                 said);
  g_autofree char *at = g_strndup (text + note->span.start, note->span.end - note->span.start);
  ck_assert_str_eq (at, rows[_i].band);
}
END_TEST

/* --- Refusals --- */

static const struct
{
  const char *text;
  const char *code;
  const char *clause; /* in the reason, or NULL */
  const char *token;  /* where it hangs */
} refused[] = {
  /* X-drop: whether a cell counts depends on scores. */
  { "algorithm a\n  H[i,j] = H[i-1,j-1] + 1 if H[i-1,j-1] > 9 else H[i-1,j]  for i, j\n  H[0,j] = 0\n" LETTERS,
    "data-dependent", "clause (c)", NULL },
  /* Adaptive bands that have nothing to follow, wait along their diagonal, or have no such width. */
  { "algorithm m\n  M[i,j] = (M[i-1,j-1] and q[i] == r[j]) or M[i,j-1]  for i, j within band\n  M[0,j] = 1\n" LETTERS
    "config band = adaptive(64)\n",
    "data-dependent", "clause (c)", "adaptive(64)" },
  { "algorithm p\n  P[i,j] = P[i-1,j] + P[i,j-1]  for i, j within adaptive(4)\n  P[i,0] = 1\n  P[0,j] = 1\n"
    "data P: i64[9, 9]\n",
    "data-dependent", "clause (c)", "adaptive(4)" },
  { "algorithm a\n  H[i,j] = max(0, H[i-1,j-1] + 1, H[i-1,j+1])  for i, j within band\n" LETTERS
    "config band = adaptive(64)\n",
    "data-dependent", "clause (c)", "H[i-1,j+1]" },
  { "algorithm a\n  H[i,j] = max(0, H[i-1,j-1] + 1)  for i, j within adaptive(0)\n" LETTERS, "bad-band", NULL, "0" },
  { "algorithm a\n  H[i,j] = max(0, H[i-1,j-1] + 1)  for i, j within adaptive(2000000)\n" LETTERS, "bad-band", NULL,
    "2000000" },
  { "algorithm v\n  V[t,s] = max over p (V[t-1,p] + A[p,s])  for t, s within band\n  V[0,s] = 0\ndata A = "
    "matrix(\"a.csv\")\nconfig band = 3\n",
    "bad-band", NULL, "band" },
  { "algorithm a\n  H[i,j] = (H[i-1,j-1] if q[i] == r[j] and H[i-1,j] > 3 else H[i-1,j])  for i, j\n  H[0,j] = "
    "0\n" LETTERS,
    "data-dependent", "clause (c)", NULL },
  /* Matrix chain and trees. */
  { "algorithm c\n  M[i,j] = min over k (M[i,k] + M[k+1,j])  for i, j\n  M[i,0] = 0\ndata q: i32\n", "not-affine",
    "clause (b)", NULL },
  { "algorithm t\n  T[i,j] = max(0, T[p[i],j] + 1)  for i, j\ndata p: i32[9]\n", "not-affine", "clause (b)", NULL },
  { "algorithm a\n  H[i,j] = max(0, H[i-1,j-1] + 1, H[i-j,j])  for i, j\n" LETTERS, "not-affine", "clause (b)", NULL },
  { "algorithm a\n  H[i,j] = max(0, H[i-1,j-1] + 1, H[i+1,j])  for i, j\n" LETTERS, "loop-order", "clause (b)",
    "H[i+1,j]" },
  { "algorithm a\n  H[i,j] = max(0, H[i-1,j-1] + 1, H[i-9,j])  for i, j\n" LETTERS, "not-affine", NULL, "H[i-9,j]" },
  /* Rounding and float reordering. */
  { "algorithm f\n  F[i,j] = max(0, round(F[i-1,j-1] * 2), F[i-1,j])  for i, j\n" LETTERS, "not-associative",
    "clause (a)", NULL },
  { "algorithm f\n  F[i,j] = F[i-1,j] + F[i,j-1]  for i, j\n  F[i,0] = 1\n  F[0,j] = 1\ndata F: f32[9, 9]\n",
    "float-order", "clause (a)", "+" },
  { "algorithm f\n  F[t,s] = sum over p (F[t-1,p] * A[p,s]) * B[s,o[t]]  for t, s\n  F[0,s] = 1\ndata A: f32 = "
    "matrix(\"a.csv\")\n"
    "data B: f32 = matrix(\"b.csv\")\ndata o = matrix(\"o.csv\")\n",
    "float-order", "clause (a)", NULL },
  /* Operators. */
  { "algorithm a\n  H[i,j] = max(min(H[i-1,j], 3), H[i,j-1] + 1)  for i, j\n  H[0,j] = 0\n" LETTERS, "mixed-semirings",
    "clause (a)", NULL },
  { "algorithm a\n  H[i,j] = max(0, H[i-1,j] + H[i,j-1])  for i, j\n" LETTERS, "several-cells", NULL, "+" },
  { "algorithm a\n  H[i,j] = max(0, 3 - H[i-1,j])  for i, j\n" LETTERS, "mixed-semirings", "clause (a)", "H[i-1,j]" },
  /* Borders, band, scores, streams. */
  { "algorithm a\n  H[i,j] = max(H[i-1,j] + 1, H[i,j-1])  for i, j\n" LETTERS, "border-missing", NULL, NULL },
  { "algorithm a\n  H[i,j] = max(0, H[i-1,j-1] + 1)  for i, j within band\n" LETTERS, "bad-band", NULL, "band" },
  { "algorithm a\n  H[i,j] = max(0, H[i-1,j-1] + score(q[i], r[j]))  for i, j\n" LETTERS, "unknown-score", NULL,
    "score(q[i], r[j])" },
  { "algorithm a\n  H[i,j] = max(0, H[i-1,j-1] - gap)  for i, j\n" LETTERS, "unknown-score", NULL, "gap" },
  { "algorithm a\n  H[i,j] = max(0, H[i-1,j-1] + i)  for i, j\n" LETTERS, "depends-on-index", NULL, "i" },
  { "algorithm a\n  A[i,j] = max(0, B[i,j], A[i-1,j])  for i, j\n  B[i,j] = max(A[i,j], B[i,j-1])  for i, j\n" LETTERS,
    "circular", NULL, NULL },
};

START_TEST (refusals_name_clause_and_place)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlGrid) grid = grid_of (refused[_i].text, diags);
  const TlDiag    *diag = NULL;
  g_autofree char *said = diags_text (diags);

  for (guint d = 0; d < tl_diags_count (diags) && diag == NULL; d++)
    if (tl_diags_get (diags, d)->severity == TL_SEVERITY_ERROR)
      diag = tl_diags_get (diags, d);
  ck_assert_msg (grid == NULL && diag != NULL, "%s", refused[_i].text);
  ck_assert_uint_eq (tl_diags_errors (diags), 1);
  ck_assert_msg (strcmp (diag->code, refused[_i].code) == 0, "%s\n%s", refused[_i].text, said);
  ck_assert_msg (diag->reason != NULL, "%s", said);
  ck_assert_msg (refused[_i].clause == NULL || strstr (diag->reason, refused[_i].clause) != NULL, "%s", said);
  if (refused[_i].token == NULL)
    return;
  g_autofree char *at = g_strndup (refused[_i].text + diag->span.start, diag->span.end - diag->span.start);
  ck_assert_msg (strcmp (at, refused[_i].token) == 0, "at \"%s\", not \"%s\"\n%s", at, refused[_i].token, said);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("passes-grid");
  TCase *tcase = tcase_create ("grid");

  tcase_add_loop_test (tcase, spellings_of_one_recurrence_are_one, 0, G_N_ELEMENTS (edits));
  tcase_add_test (tcase, another_recurrence_is_another);
  tcase_add_loop_test (tcase, waves_follow_from_distances, 0, 8);
  tcase_add_loop_test (tcase, parts_of_programs, 0, 8);
  tcase_add_loop_test (tcase, unused_knobs_are_said, 0, 4);
  tcase_add_loop_test (tcase, adaptive_bands_are_admitted_for_their_envelope, 0, 6);
  tcase_add_loop_test (tcase, refusals_name_clause_and_place, 0, G_N_ELEMENTS (refused));
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
