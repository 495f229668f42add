/* Values of grids from their programs: the oracle's rows, independent loops, mapped
 * reads, and one road for all of them through G1 and G2. */
#include "support-engine.h"

#include "engine/grid-run.h"
#include "input/sequence.h"

#define ALIGN                                                                                                          \
  "algorithm align\n  H[i,j] = max(0, H[i-1,j-1] + score(q[i], r[j]), H[i-1,j] - gap, H[i,j-1] - gap)  for i, j"
#define EDIT                                                                                                           \
  "algorithm edit\n  E[i,j] = min(E[i-1,j-1] + (q[i] != r[j]), E[i-1,j] + 1, E[i,j-1] + 1)  for i, j\n"                \
  "  E[i,0] = i\n  E[0,j] = j\ndata q = sequence(\"q\")\ndata r = sequence(\"r\")\n"

static TlBuild *
build_grid (const char *text, TlInputs *inputs, const char *stage)
{
  TlBuildOptions options = { .dumps = stage != NULL, .no_loc = TRUE };

  if (stage != NULL)
    options.until = (TlStage) (TL_STAGE_G1 + stage[1] - '1');
  TlBuild         *build = tl_build ("p.gdsl", text, strlen (text), inputs, &options, NULL, NULL);
  g_autofree char *said = tl_diags_count (build->diags) > 0 ? tl_diag_to_text (tl_diags_get (build->diags, 0)) : NULL;
  ck_assert_msg (build->grid != NULL && tl_diags_errors (build->diags) == 0, "%s\n%s", text, said);
  return build;
}

static TlGridRun *
run_grid (const char *text, TlInputs *inputs, gboolean plain)
{
  g_autoptr (TlBuild) build = build_grid (text, inputs, NULL);
  TlGridRunOptions options = { .trace = TRUE, .plain = plain, .threads = 2 };
  TlGridRun       *run = tl_grid_run (build, &options);

  ck_assert_ptr_null (build->program);
  ck_assert_ptr_nonnull (build->pipe);
  ck_assert (build->complete);
  ck_assert_msg (run->complete, "%s",
                 tl_diags_count (run->diags) > 0 ? tl_diags_get (run->diags, 0)->message : "no diagnostic");
  return run;
}

static const TlGridHit *
hit_of (const TlGridRun *run, guint k)
{
  return &g_array_index (run->hits, TlGridHit, k);
}

/* --- The oracle --- */

static void
add_sequence (TlInputs *inputs, const char *name, const char *letters)
{
  g_autofree char *text = g_strdup_printf (">%s\n%s\n", name, letters);

  add_text (inputs, name, text);
}

static gint64
number_of (const char *pairs, const char *key)
{
  g_autofree char *text = tl_test_pair (pairs, key);

  return text != NULL ? g_ascii_strtoll (text, NULL, 10) : 0;
}

static gboolean
alignment_holds (const char *inputs_text, const char *expected, gint64 off)
{
  g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();
  g_autofree char *problem = tl_test_pair (inputs_text, "problem");
  g_autofree char *a = tl_test_pair (inputs_text, "a"), *b = tl_test_pair (inputs_text, "b");
  gboolean         local = strcmp (problem, "sw") == 0;
  g_autofree char *text
      = local ? g_strdup_printf (ALIGN " within band\ndata q = sequence(\"q\")\ndata r = sequence(\"r\")\n"
                                       "config score = match %d mismatch %d, gap = %d\nconfig band = %d\n",
                                 (int) number_of (inputs_text, "match"), (int) number_of (inputs_text, "mismatch"),
                                 (int) -number_of (inputs_text, "gap"), (int) number_of (inputs_text, "band"))
              : g_strdup (EDIT);

  add_sequence (inputs, "q", a);
  add_sequence (inputs, "r", b);
  g_autoptr (TlGridRun) run = run_grid (text, inputs, FALSE);
  const TlGridHit *hit = hit_of (run, 0);
  if (!local)
    return hit->value + off == number_of (expected, "distance");
  return hit->value + off == number_of (expected, "score") && (gint64) hit->end_i == number_of (expected, "end_i")
         && (gint64) hit->end_j == number_of (expected, "end_j")
         && (gint64) hit->cells == number_of (expected, "cells");
}

/* "1 2/3 4" as CSV. */
static void
add_matrix (TlInputs *inputs, const char *pairs, const char *key)
{
  g_autofree char *rows = tl_test_pair (pairs, key);
  g_autofree char *text = g_strconcat (g_strdelimit (g_strdelimit (rows, " ", ','), "/", '\n'), "\n", NULL);

  add_text (inputs, key, text);
}

static gboolean
trellis_holds (const char *inputs_text, const char *expected, gint64 off)
{
  static const char *const keys[] = { "init", "trans", "emit", "obs" };
  g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();
  g_autofree char *path = tl_test_pair (expected, "path");
  g_autoptr (GString) ours = g_string_new (NULL);

  for (guint k = 0; k < G_N_ELEMENTS (keys); k++)
    add_matrix (inputs, inputs_text, keys[k]);
  g_autoptr (TlGridRun) run
      = run_grid ("algorithm viterbi\n  V[t,s] = max over p (V[t-1,p] + logA[p,s]) + logB[s,o[t]]  for t, s\n"
                  "  V[0,s] = init[s] + logB[s,o[0]]\ndata logA = matrix(\"trans\")\ndata logB = matrix(\"emit\")\n"
                  "data init = matrix(\"init\")\ndata o = matrix(\"obs\")\n",
                  inputs, FALSE);
  for (guint t = 0; t < run->path->len; t++)
    g_string_append_printf (ours, "%s%u", t > 0 ? " " : "", g_array_index (run->path, guint32, t));
  return hit_of (run, 0)->value + off == number_of (expected, "score") && strcmp (ours->str, path) == 0;
}

START_TEST (the_oracle_agrees)
{
  g_autoptr (GPtrArray) table = tl_test_shared_csv ("oracle/gendram-oracle.csv");
  guint seen = 0;

  if (table == NULL)
    return;
  for (guint k = 1; k < table->len; k++)
    {
      const char *inputs = tl_test_cell (table, k, "inputs"), *expected = tl_test_cell (table, k, "expected");
      gboolean    trellis = g_str_has_prefix (inputs, "problem=viterbi");

      if (!trellis && !g_str_has_prefix (inputs, "problem=sw") && !g_str_has_prefix (inputs, "problem=edit"))
        continue;
      for (gint64 off = 0; off < 2; off++)
        ck_assert_msg ((trellis ? trellis_holds (inputs, expected, off) : alignment_holds (inputs, expected, off))
                           == !off,
                       "%s%s", tl_test_cell (table, k, "id"), off ? " passes with a wrong score" : "");
      seen++;
    }
  ck_assert_uint_eq (seen, 6);
}
END_TEST

/* --- Other forms --- */

START_TEST (small_programs_have_their_values)
{
  static const struct
  {
    const char *text;
    const char *score;
    guint64     end_i, end_j;
  } rows[] = {
    { ALIGN "\ndata q = sequence(\"pq\")\ndata r = sequence(\"pr\")\nconfig score = matrix \"BLOSUM62\", gap = 8\n",
      "20", 9, 5 },
    { ALIGN "\ndata q = sequence(\"pq\")\ndata r = sequence(\"pr\")\nconfig score = matrix \"own\", gap = 1\n", "10",
      10, 7 },
    /* N matches nothing by score, lower case is the same letter. */
    { ALIGN "\ndata q = sequence(\"n1\")\ndata r = sequence(\"n2\")\nconfig score = match 2 mismatch -4, gap = 9\n",
      "4", 2, 2 },
    { "algorithm d\n  D[i,j] = min(D[i-1,j-1], D[i-1,j], D[i,j-1]) + max(x[i-1] - y[j-1], y[j-1] - x[i-1])  for i, j\n"
      "  D[0,0] = 0\ndata x = matrix(\"x\")\ndata y = matrix(\"y\")\n",
      "15", 10, 10 },
    { "algorithm p\n  P[i,j] = P[i-1,j] + P[i,j-1]  for i, j\n  P[i,0] = 1\n  P[0,j] = 1\ndata P: i64[11, 11]\n",
      "184756", 10, 10 },
    /* Affine gaps, global: AAAA--CC against AAAATTCC. */
    { "algorithm g\n  H[i,j] = max(H[i-1,j-1] + score(q[i], r[j]), E[i,j], F[i,j])  for i, j\n"
      "  E[i,j] = max(H[i,j-1] - gap.open - gap.extend, E[i,j-1] - gap.extend)  for i, j\n"
      "  F[i,j] = max(H[i-1,j] - gap.open - gap.extend, F[i-1,j] - gap.extend)  for i, j\n"
      "  H[0,0] = 0\n  H[i,0] = -gap.open - gap.extend * i\n  H[0,j] = -gap.open - gap.extend * j\n"
      "data q = sequence(\"g1\")\ndata r = sequence(\"g2\")\nconfig score = match 2 mismatch -3, gap = open 4 extend "
      "1\n",
      "6", 6, 8 },
    /* The least bound that a walk along both curves needs (Frechet's), the widest narrow place. */
    { "algorithm f\n  D[i,j] = max(min(D[i-1,j-1], D[i-1,j], D[i,j-1]), max(x[i-1] - y[j-1], y[j-1] - x[i-1]))  for i, "
      "j\n  D[0,0] = 0\ndata x = matrix(\"x\")\ndata y = matrix(\"y\")\n",
      "4", 10, 10 },
    { "algorithm w\n  D[i,j] = min(max(D[i-1,j], D[i,j-1]), min(x[i-1], y[j-1]))  for i, j\n  D[i,0] = 100\n"
      "  D[0,j] = 100\ndata x = matrix(\"x\")\ndata y = matrix(\"y\")\n",
      "1", 10, 10 },
    /* With a 0 among the alternatives a border that nobody gives is 0. */
    { ALIGN "\n  H[i,0] = 0\ndata q = sequence(\"c1\")\ndata r = sequence(\"c1\")\nconfig score = match 2 mismatch -4, "
            "gap = 2\n",
      "6", 3, 3 },
    { ALIGN "\n  H[i,0] = -gap * i\n  H[0,j] = 0\ndata q = sequence(\"c1\")\ndata r = sequence(\"c1\")\nconfig score = "
            "match 2 mismatch -4, gap = 2\n",
      "6", 3, 3 },
    /* A count of 0 is a result, and so is an even one's parity. */
    { "algorithm s\n  S[i,j] = S[i,j-1] + S[i-1,j-1] * (q[i] == r[j])  for i, j\n  S[0,j] = 1\ndata S: i64\n"
      "data q = sequence(\"c1\")\ndata r = sequence(\"c2\")\n",
      "8", 3, 6 },
    { "algorithm s\n  S[i,j] = S[i,j-1] + S[i-1,j-1] * (q[i] == r[j])  for i, j\n  S[0,j] = 1\ndata S: i64\n"
      "data q = sequence(\"c3\")\ndata r = sequence(\"c2\")\n",
      "0", 3, 6 },
    { "algorithm p\n  P[i,j] = P[i-1,j] xor P[i,j-1]  for i, j\n  P[i,0] = 1\n  P[0,j] = 1\ndata P: bool[5, 5]\n", "0",
      4, 4 },
    { "algorithm lcs\n  L[i,j] = max(L[i-1,j-1] + (not q[i] != r[j]), L[i-1,j], L[i,j-1])  for i, j\n  L[i,0] = 0\n"
      "  L[0,j] = 0\ndata q = sequence(\"l1\")\ndata r = sequence(\"l2\")\n",
      "5", 8, 6 },
    /* Letters choose the cells: a longest common subsequence, in two spellings, and substring. */
    { "algorithm lcs\n  L[i,j] = L[i-1,j-1] + 1 if q[i] == r[j] else max(L[i-1,j], L[i,j-1])  for i, j\n  L[i,0] = 0\n"
      "  L[0,j] = 0\ndata q = sequence(\"l1\")\ndata r = sequence(\"l2\")\n",
      "5", 8, 6 },
    { "algorithm lcs\n  for i in 1..N+1:\n    for j in 1..M+1:\n      L[i,j] = max(L[i-1,j], L[i,j-1])\n"
      "      if q[i] == r[j]: L[i,j] = max(L[i,j], L[i-1,j-1] + 1)\n  L[i,0] = 0\n  L[0,j] = 0\n"
      "data q = sequence(\"l1\")\ndata r = sequence(\"l2\")\n",
      "5", 8, 6 },
    { "algorithm s\n  L[i,j] = L[i-1,j-1] + 1 if q[i] == r[j] else 0  for i, j\n  L[i,0] = 0\n  L[0,j] = 0\n"
      "  result = max L\ndata q = sequence(\"l1\")\ndata r = sequence(\"l2\")\n",
      "2", 4, 4 },
    { "algorithm s\n  S[i,j] = S[i-1,j-1] + S[i,j-1] if q[i] == r[j] else S[i,j-1]  for i, j\n  S[0,j] = 1\ndata S: "
      "i64\n"
      "data q = sequence(\"c1\")\ndata r = sequence(\"c2\")\n",
      "8", 3, 6 },
    { "algorithm d\n  D[i,j] = min(D[i-1,j-1], D[i-1,j], D[i,j-1]) + max(x[i-1] - y[j-1], y[j-1] - x[i-1])  for i, j\n"
      "  D[0,0] = 0\ndata x: f32 = matrix(\"fx\")\ndata y: f32 = matrix(\"fy\")\n",
      "4.875", 10, 10 },
    /* All of q somewhere in r. */
    { "algorithm s\n  E[i,j] = min(E[i-1,j-1] + (q[i] != r[j]), E[i-1,j] + 1, E[i,j-1] + 1)  for i, j\n"
      "  E[i,0] = i\n  E[0,j] = 0\n  result = min over j (E[last, j])\n"
      "data q = sequence(\"s1\")\ndata r = sequence(\"s2\")\n",
      "1", 5, 8 },
  };
  g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();

  add_sequence (inputs, "pq", "HEAGAWGHEE");
  add_sequence (inputs, "pr", "PAWHEAE");
  add_text (inputs, "own",
            "# mine\n  A E G H P W\nA 2 -1 -1 -1 -1 -1\nE -1 2 -1 -1 -1 -1\nG -1 -1 2 -1 -1 -1\n"
            "H -1 -1 -1 2 -1 -1\nP -1 -1 -1 -1 2 -1\nW -1 -1 -1 -1 -1 4\n");
  add_sequence (inputs, "n1", "acN");
  add_sequence (inputs, "n2", "ACn");
  add_sequence (inputs, "g1", "AAAACC");
  add_sequence (inputs, "g2", "AAAATTCC");
  add_sequence (inputs, "s1", "ACGTA");
  add_sequence (inputs, "s2", "TTTACGCATT");
  add_sequence (inputs, "c1", "ACG");
  add_sequence (inputs, "c2", "AACCGG");
  add_sequence (inputs, "c3", "GCA");
  add_sequence (inputs, "l1", "ACGTACGT");
  add_sequence (inputs, "l2", "AGGTCT");
  add_text (inputs, "fx", "0.125,0.375,0.5,1.125,1,0.25,0.125,0.625,0.875,0.375\n");
  add_text (inputs, "fy", "0.25\n1.5\n0.5\n0.75\n0\n2.25\n1\n0.75\n1.5\n0.75\n");
  add_text (inputs, "x", "1,3,4,9,8,2,1,5,7,3\n");
  add_text (inputs, "y", "1\n6\n2\n3\n0\n9\n4\n3\n6\n3\n");
  for (guint plain = 0; plain < 2; plain++)
    {
      g_autoptr (TlGridRun) run = run_grid (rows[_i].text, inputs, plain);
      const TlGridHit *hit = hit_of (run, 0);

      ck_assert_str_eq (hit->score, rows[_i].score);
      ck_assert_uint_eq (hit->end_i, rows[_i].end_i);
      ck_assert_uint_eq (hit->end_j, rows[_i].end_j);
    }
}
END_TEST

START_TEST (faults_of_data_are_said)
{
  static const struct
  {
    const char *text;
    const char *code;
  } rows[] = {
    { ALIGN "\ndata q = sequence(\"p\")\ndata r = sequence(\"r\")\nconfig score = matrix \"own\", gap = 1\n",
      "unknown-letter" },
    { ALIGN "\ndata q = sequence(\"p\")\ndata r = sequence(\"r\")\nconfig score = matrix \"none\", gap = 1\n",
      "missing-file" },
    { ALIGN "\ndata q = sequence(\"p\")\ndata r = sequence(\"r\")\nconfig score = matrix \"bad\", gap = 1\n",
      "bad-matrix" },
    { "algorithm e\n  E[i,j] = min(E[i-1,j-1] + (q[i] != r[j]), E[i-1,j] + 1)  for i, j\n  E[i,0] = i + 1\n  E[0,j] = "
      "j\n"
      "data q = sequence(\"p\")\ndata r = sequence(\"r\")\n",
      "border-differs" },
    { "algorithm e\n  E[i,j] = min(E[i-1,j-1] + (q[i-1] != r[j]), E[i-1,j] + 1)  for i, j\n  E[i,0] = i\n  E[0,j] = j\n"
      "data q = sequence(\"p\")\ndata r = sequence(\"r\")\n",
      "offset-subscript" },
    { "algorithm e\n  E[i,j] = max(0, E[i-1,j-1] + (x[i-1] == y[j-1]))  for i, j within band\ndata x = matrix(\"x\")\n"
      "data y = matrix(\"x\")\ndata PTR, CAL = index(y, k = 3)\ndata hits = stream(PTR, CAL, x)\nconfig band = 9\n",
      "bad-stream" },
  };
  g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();
  TlGridRunOptions options = { 0 };

  add_sequence (inputs, "p", "HEAG");
  add_sequence (inputs, "r", "HEAA");
  add_text (inputs, "own", "A E\nA 1 0\nE 0 1\n");
  add_text (inputs, "bad", "A E\nA 1\nE 0 1\n");
  add_text (inputs, "x", "1,2,3,4\n");
  TlBuild *build = tl_build ("p.gdsl", rows[_i].text, strlen (rows[_i].text), inputs, NULL, NULL, NULL);
  if (build->grid == NULL)
    ck_assert_str_eq (tl_diags_get (build->diags, 0)->code, rows[_i].code);
  else
    {
      g_autoptr (TlGridRun) run = tl_grid_run (build, &options);
      ck_assert (!run->complete);
      ck_assert_str_eq (tl_diags_get (run->diags, 0)->code, rows[_i].code);
    }
  tl_build_unref (build);
}
END_TEST

/* Values that their type does not hold are said, with the first cell, and the type that holds them. */
START_TEST (narrow_types_are_said)
{
  static const struct
  {
    const char *text;
    const char *code;
    const char *token;
    const char *says;
    const char *remedy;
  } rows[] = {
    { ALIGN "\ndata H: i8\ndata q = sequence(\"as\")\ndata r = sequence(\"as\")\nconfig score = match 2 mismatch -4, "
            "gap = 2\n",
      "sums-overflow", "i8", "cell (64,64) of H is past 127, the greatest i8", "declare data H: i16" },
    { ALIGN "\ndata H: i4\ndata q = reads(\"many\")\ndata r = sequence(\"as\")\nconfig score = match 1 mismatch -4, "
            "gap = 2\n",
      "sums-overflow", "i4", "cell (8,8) of H is past 7, the greatest i4, in second", "declare data H: i16" },
    { "algorithm p\n  P[i,j] = P[i-1,j] + P[i,j-1]  for i, j\n  P[i,0] = 1\n  P[0,j] = 1\ndata P: i32[21, 21]\n",
      "sums-overflow", "i32", "cell (15,20) of P is past 2147483647", "declare data P: i64" },
    { "algorithm p\n  P[i,j] = P[i-1,j] + P[i,j-1]  for i, j\n  P[i,0] = 1\n  P[0,j] = 1\ndata P: i64[41, 41]\n",
      "sums-overflow", "i64", "cell (28,40) of P is past", "no wider type exists" },
    { "algorithm v\n  V[t,s] = max over p (V[t-1,p] + A[p,s]) + B[s,o[t]]  for t, s\n  V[0,s] = B[s,o[0]]\n"
      "data V: i8\ndata A = matrix(\"m\")\ndata B = matrix(\"m\")\ndata o = matrix(\"o\")\n",
      "sums-overflow", "i8", "state 0 of step 2 of V is below -128, the least i8", "declare data V: i16" },
    { EDIT "data E: i8\n", "data-outside-carrier", "i", "the value 128 here is none of (min, +)",
      "declare data E: i16" },
    { ALIGN "\ndata H: i8\ndata q = sequence(\"q\")\ndata r = sequence(\"r\")\nconfig score = match 200 mismatch -4, "
            "gap = 2\n",
      "data-outside-carrier", "score(q[i], r[j])", "the value 200", "declare data H: i16" },
    { "algorithm f\n  F[i,j] = max(F[i-1,j] + 60000, F[i,j-1])  for i, j\n  F[0,j] = 0\ndata F: f16[5, 5]\n",
      "sums-overflow", "f16", "cell (2,1) of F is past 65504, the greatest f16", "declare data F: f32" },
  };
  g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();
  g_autofree char *letters = g_strnfill (200, 'A');
  TlGridRunOptions options = { .threads = 4, .trace = TRUE };

  add_sequence (inputs, "as", letters);
  add_sequence (inputs, "q", letters);
  add_sequence (inputs, "r", "ACGT");
  add_text (inputs, "many", ">first\nACA\n>second\nAAAAAAAAAAAA\n>third\nAAAAAAAAAAAAAAA\n>fourth\nAAAAAAAAAAA\n");
  add_text (inputs, "m", "-40,-40\n-45,-45\n");
  add_text (inputs, "o", "0\n1\n0\n1\n");
  g_autoptr (TlBuild) build = build_grid (rows[_i].text, inputs, NULL);
  for (guint plain = 0; plain < 2; plain++)
    {
      options.plain = plain;
      g_autoptr (TlGridRun) run = tl_grid_run (build, &options);
      g_autofree char *said = diags_text (run->diags);

      ck_assert_msg (!run->complete && tl_diags_errors (run->diags) == 1, "%s", said);
      const TlDiag    *diag = tl_diags_get (run->diags, 0);
      g_autofree char *at = g_strndup (rows[_i].text + diag->span.start, diag->span.end - diag->span.start);
      ck_assert_str_eq (diag->code, rows[_i].code);
      ck_assert_msg (strcmp (at, rows[_i].token) == 0 && strstr (diag->message, rows[_i].says) != NULL
                         && strstr (diag->reason, rows[_i].remedy) != NULL,
                     "%s", said);
    }
}
END_TEST

/* A last cell outside of the band is no result, and that is said. */
START_TEST (absent_results_are_said)
{
  static const struct
  {
    const char *text;
    const char *token;
    const char *says;
  } rows[] = {
    { "algorithm edit\n  E[i,j] = min(E[i-1,j-1] + (q[i] != r[j]), E[i-1,j] + 1, E[i,j-1] + 1)  for i, j within band\n"
      "  E[i,0] = i\n  E[0,j] = j\ndata q = sequence(\"q\")\ndata r = sequence(\"r\")\nconfig band = 3\n",
      "3", "the sides differ by 4: take a band of 4 or more" },
    { "algorithm edit\n  E[i,j] = min(E[i-1,j-1] + (q[i] != r[j]), E[i-1,j] + 1)  for i, j\n  E[0,0] = 0\n"
      "data q = sequence(\"q\")\ndata r = sequence(\"r\")\n",
      "E[i,j]", "no way leads there" },
  };
  g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();
  TlGridRunOptions options = { .threads = 1 };

  add_sequence (inputs, "q", "ACGT");
  add_sequence (inputs, "r", "ACGTACGT");
  g_autoptr (TlBuild) build = build_grid (rows[_i].text, inputs, NULL);
  g_autoptr (TlGridRun) run = tl_grid_run (build, &options);
  ck_assert (run->complete && !hit_of (run, 0)->found);
  ck_assert_uint_eq (tl_diags_count (run->diags), 1);
  const TlDiag    *diag = tl_diags_get (run->diags, 0);
  g_autofree char *at = g_strndup (rows[_i].text + diag->span.start, diag->span.end - diag->span.start);
  ck_assert_str_eq (diag->code, "no-result");
  ck_assert_str_eq (at, rows[_i].token);
  ck_assert_msg (strstr (diag->reason, rows[_i].says) != NULL, "%s", diag->reason);
}
END_TEST

/* --- Reads --- */

/* A genome, and reads cut from it with a letter changed now and then, every other one
 * turned round: all land where they came from. */
START_TEST (reads_land_where_they_came_from)
{
  g_autoptr (TlSequences) genome = tl_sequences_generate (20000, 5);
  g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();
  g_autoptr (GString) reads = g_string_new (NULL);
  guint64 state = 9;

  for (guint k = 0; k < 12; k++)
    {
      guint64          at = 300 + 1500 * (guint64) k;
      g_autofree char *letters = g_strndup (genome->letters + at, 400);
      g_autofree char *turned = g_strnfill (400, 'N');

      for (guint i = 7; i < 400; i += 11)
        letters[i] = "ACGT"[tl_test_random_below (&state, 4)];
      tl_sequence_complement (letters, 400, turned);
      g_string_append_printf (reads, ">%" G_GUINT64_FORMAT "\n%s\n", at, k & 1 ? turned : letters);
    }
  g_string_append (reads, ">nothing\nNNNNNNNNNNNNNNNNNNNNNNNNNNN\n");
  add_text (inputs, "reads", reads->str);
  g_autoptr (TlGridRun) run = run_grid (
      ALIGN " within band\ndata q = reads(\"reads\")\ndata r = genome(20000, 5)\ndata PTR, CAL = index(r, k = 11)\n"
            "data hits = stream(PTR, CAL, q)\nconfig target = gendram, mode = pipeline\n"
            "config score = match 2 mismatch -4, gap = 2\nconfig band = 10%\n",
      inputs, FALSE);
  ck_assert_uint_eq (run->hits->len, 13);
  ck_assert_uint_eq (run->mapped, 12);
  for (guint k = 0; k < 12; k++)
    {
      const TlGridHit *hit = hit_of (run, k);
      guint64          at = g_ascii_strtoull (hit->query, NULL, 10);

      ck_assert_int_eq (hit->reverse, k & 1);
      ck_assert (ABS ((gint64) hit->start_j - (gint64) at) <= 30);
      ck_assert (ABS ((gint64) hit->end_j - (gint64) at - 400) <= 30);
    }
  g_autoptr (GBytes) paf = tl_grid_run_paf (run);
  g_autofree char *text = g_strndup (g_bytes_get_data (paf, NULL), g_bytes_get_size (paf));
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  ck_assert_uint_eq (g_strv_length (lines), 13);
  g_auto (GStrv) fields = g_strsplit (lines[0], "\t", -1);
  ck_assert_uint_eq (g_strv_length (fields), 14);
  ck_assert_str_eq (fields[5], "genome");
}
END_TEST

/* --- Adaptive bands --- */

/* From the text to values: a pair whose way leaves the diagonal, and reads of a stream; both
 * evaluators and the fixed band give the same scores and ways, from fewer cells. */
START_TEST (adaptive_bands_find_the_same)
{
  static const char *const texts[][2] = {
    { "algorithm edit\n  E[i,j] = min(E[i-1,j-1] + (q[i] != r[j]), E[i-1,j] + 1, E[i,j-1] + 1)  for i, j within band\n"
      "  E[i,0] = i\n  E[0,j] = j\ndata q = sequence(\"q\")\ndata r = sequence(\"r\")\nconfig tile = 16\nconfig band "
      "= ",
      "60" },
    { ALIGN " within band\ndata q = reads(\"reads\")\ndata r = genome(20000, 5)\ndata PTR, CAL = index(r, k = 11)\n"
            "data hits = stream(PTR, CAL, q)\nconfig score = match 2 mismatch -4, gap = 2\nconfig tile = 16\nconfig "
            "band = ",
      "15%" },
  };
  g_autoptr (TlSequences) genome = tl_sequences_generate (20000, 5);
  g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();
  g_autoptr (GString) reads = g_string_new (NULL), q = g_string_new (NULL);
  g_autofree char *fixed = g_strconcat (texts[_i][0], texts[_i][1], "\n", NULL);
  g_autofree char *moving = g_strconcat (texts[_i][0], "adaptive(24, ", texts[_i][1], ")\n", NULL);

  for (guint k = 0; k < 6; k++)
    {
      g_string_append_printf (reads, ">%u\n", k);
      for (guint i = 0; i < 500; i++)
        if (i % 23 != 11)
          g_string_append_c (reads, genome->letters[900 + 3000 * k + i]);
      g_string_append_c (reads, '\n');
    }
  add_text (inputs, "reads", reads->str);
  g_autofree char *r = g_strndup (genome->letters, 400);
  for (guint i = 0; i < 400; i++)
    if (i % 19 != 3 && i % 31 != 5)
      g_string_append_c (q, genome->letters[i]);
  add_sequence (inputs, "q", q->str);
  add_sequence (inputs, "r", r);
  g_autoptr (TlGridRun) one = run_grid (fixed, inputs, FALSE);
  for (guint plain = 0; plain < 2; plain++)
    {
      g_autoptr (TlGridRun) other = run_grid (moving, inputs, plain);

      ck_assert_uint_eq (one->hits->len, other->hits->len);
      for (guint k = 0; k < one->hits->len; k++)
        {
          ck_assert_str_eq (hit_of (one, k)->score, hit_of (other, k)->score);
          ck_assert_str_eq (hit_of (one, k)->cigar, hit_of (other, k)->cigar);
          ck_assert_uint_eq (hit_of (one, k)->end_j, hit_of (other, k)->end_j);
          ck_assert_uint_eq (hit_of (other, k)->width, 24);
        }
      ck_assert_uint_eq (one->envelope_cells, 0);
      ck_assert_uint_eq (other->tile, 16);
      ck_assert_uint_eq (other->envelope_cells, one->cells);
      ck_assert_uint_lt (other->cells, one->cells);
      ck_assert_uint_lt (other->tiles, other->envelope_tiles);
    }
}
END_TEST

/* What the machine leaves out is what the values did not touch, and takes no time. */
START_TEST (adaptive_bands_take_less_time)
{
  g_autoptr (TlSequences) genome = tl_sequences_generate (9000, 5);
  g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();
  static const char *const bands[] = { "40%", "adaptive(16, 40%)" };
  guint64                  makespan[2];

  g_autofree char *r = g_strndup (genome->letters, 600), *q = g_strndup (genome->letters + 30, 500);
  g_autofree char *reads = g_strdup_printf (">a\n%s\n>b\n%.300s\n", q, genome->letters + 4000);
  add_sequence (inputs, "q", q);
  add_sequence (inputs, "r", r);
  add_text (inputs, "reads", reads);
  for (guint b = 0; b < 2; b++)
    {
      g_autofree char *text = g_strconcat (
          ALIGN " within band\n",
          _i == 0
              ? "data q = sequence(\"q\")\ndata r = sequence(\"r\")\n"
              : "data q = reads(\"reads\")\ndata r = genome(9000, 5)\ndata PTR, CAL = index(r, k = 11)\ndata hits = "
                "stream(PTR, CAL, q)\nconfig mode = pipeline\n",
          "config target.pus = 10, split = 8 : 2, tile = 16, score = match 2 mismatch -4, gap = 2\nconfig band = ",
          bands[b], "\n", NULL);
      g_autoptr (TlBuild) build = build_grid (text, inputs, NULL);
      TlGridRunOptions options = { .threads = 2, .time = TRUE };
      g_autoptr (TlGridRun) run = tl_grid_run (build, &options);

      ck_assert_msg (run->complete && run->sim != NULL, "%s", run->sim_reason);
      makespan[b] = run->sim->makespan;
      if (b == 0)
        ck_assert_uint_eq (run->sim->skipped, 0);
      else
        {
          ck_assert_uint_eq (run->sim->tiles, run->envelope_tiles);
          ck_assert_uint_eq (run->sim->skipped, run->envelope_tiles - run->tiles);
          ck_assert_uint_gt (run->sim->skipped, 0);
        }
    }
  ck_assert_uint_lt (makespan[1], makespan[0]);
}
END_TEST

/* The module says it, and a damaged one is refused. */
START_TEST (adaptive_bands_stand_in_the_module)
{
  static const char *const changes[][2] = {
    { "cells = 24", "cells = 0" },
    { "follows = 0", "follows = 1" },
    { "[1, 1], [1, 0]", "[1, 1], [1, 0], [1, -1]" },
    { "kind = \"cells\", share = 0.0e+00 : f64}, alternatives",
      "kind = \"none\", share = 0.0e+00 : f64}, alternatives" },
  };
  g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();
  TlBuildOptions options = { .from = TL_STAGE_G2, .until = TL_STAGE_G2 };

  add_sequence (inputs, "q", "ACGT");
  add_sequence (inputs, "r", "ACGGT");
  g_autoptr (TlBuild) build = build_grid (
      ALIGN " within adaptive(24, 15%)\ndata q = sequence(\"q\")\ndata r = sequence(\"r\")\nconfig score = match 2 "
            "mismatch -4, gap = 2\n",
      inputs, "g2");
  for (TlStage stage = TL_STAGE_G1; stage <= TL_STAGE_G2; stage++)
    {
      ck_assert_ptr_nonnull (strstr (build->dump[stage], "adaptive = {cells = 24"));
      ck_assert_ptr_nonnull (strstr (build->dump[stage], "kind = \"share\", share = 1.5e-01"));
    }
  g_autoptr (TlBuild) whole
      = tl_build ("x.mlir", build->dump[TL_STAGE_G2], strlen (build->dump[TL_STAGE_G2]), inputs, &options, NULL, NULL);
  ck_assert (whole->complete);
  g_auto (GStrv) parts = g_strsplit (build->dump[TL_STAGE_G2], changes[_i][0], -1);
  ck_assert_msg (g_strv_length (parts) >= 2, "%s", build->dump[TL_STAGE_G2]);
  g_autofree char *text = g_strjoinv (changes[_i][1], parts);
  g_autoptr (TlBuild) damaged = tl_build ("x.mlir", text, strlen (text), inputs, &options, NULL, NULL);
  ck_assert (!damaged->complete);
  ck_assert_str_eq (tl_diags_get (damaged->diags, 0)->code, "invalid-ir");
}
END_TEST

/* --- One road --- */

START_TEST (all_problems_share_the_passes)
{
  static const char *const texts[] = {
    ALIGN "\ndata q = sequence(\"q\")\ndata r = sequence(\"r\")\nconfig score = match 2 mismatch -4, gap = 2\n",
    EDIT,
    ("algorithm viterbi\n  V[t,s] = max over p (V[t-1,p] + A[p,s]) + B[s,o[t]]  for t, s\n  V[0,s] = B[s,o[0]]\n"
     "data A = matrix(\"m\")\ndata B = matrix(\"m\")\ndata o = matrix(\"o\")\n"),
  };
  static const char *const says[][2] = {
    { "plus = \"max\"", "deps = [[1, 1], [1, 0], [0, 1]]" },
    { "plus = \"min\"", "deps = [[1, 1], [1, 0], [0, 1]]" },
    { "plus = \"max\"", "deps = [[1, 0]]" },
  };
  g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();

  add_sequence (inputs, "q", "ACGT");
  add_sequence (inputs, "r", "ACGGT");
  add_text (inputs, "m", "0,1\n1,0\n");
  add_text (inputs, "o", "0\n1\n");
  g_autoptr (TlBuild) build = build_grid (texts[_i], inputs, "g4");
  ck_assert (build->complete);
  for (TlStage stage = TL_STAGE_G1; stage <= TL_STAGE_G2; stage++)
    for (guint s = 0; s < 2; s++)
      ck_assert_msg (strstr (build->dump[stage], says[_i][s]) != NULL, "%s", build->dump[stage]);
  ck_assert_ptr_nonnull (strstr (build->dump[TL_STAGE_G1], "\"dp.grid_update\""));
  ck_assert_ptr_null (strstr (build->dump[TL_STAGE_G2], "\"dp.grid_update\""));
  ck_assert_ptr_nonnull (
      strstr (build->dump[TL_STAGE_G2], _i < 2 ? "tile = 144 : i64, tile_order = [1, 1], traversal = \"wavefront\""
                                               : "tile = 144 : i64, tile_order = [1, 0], traversal = \"wavefront\""));
  ck_assert_ptr_nonnull (strstr (build->dump[TL_STAGE_G2], _i < 2 ? "order = [1, 1]" : "order = [1, 0]"));

  /* A dump goes on from where it is and comes to the same; after G1 nothing but a location holds the name. */
  for (TlStage from = TL_STAGE_G2; from < TL_STAGE_G4; from++)
    {
      TlBuildOptions options = { .from = from, .until = TL_STAGE_G4, .dumps = TRUE, .no_loc = TRUE };
      const char    *dump = build->dump[from];
      g_autoptr (TlBuild) again = tl_build ("x.mlir", dump, strlen (dump), inputs, &options, NULL, NULL);
      ck_assert (again->complete);
      ck_assert (strcmp (again->dump[TL_STAGE_G4], build->dump[TL_STAGE_G4]) == 0);
    }
}
END_TEST

/* Damaged modules are refused, never run. */
START_TEST (damaged_modules_are_refused)
{
  static const char *const changes[][2] = {
    { "deps = [[1, 1], [1, 0], [0, 1]]", "deps = [[1, 1], [1, 0], [0, -1]]" },
    { "deps = [[1, 1], [1, 0], [0, 1]]", "deps = [[1, 1], [1, 0]]" },
    { "order = [1, 1]", "order = [1, 0]" },
    { "tile = 144", "tile = 1440" },
    { "limit = 144", "limit = 143" },
    { "of = \"last\"", "of = \"first\"" },
    { "kind = \"none\"", "kind = \"wide\"" },
    { "[0, 1, 0, \"1\"]", "[1, 1, 0, \"1\"]" },
    { "[0, 1, 0, \"1\"]", "[0, 0, 0, \"1\"]" },
    { "borders = [{", "borders = [{}, {" },
  };
  g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();
  TlBuildOptions options = { .from = TL_STAGE_G2, .until = TL_STAGE_G2 };

  add_sequence (inputs, "q", "ACGT");
  add_sequence (inputs, "r", "ACGGT");
  g_autoptr (TlBuild) build = build_grid (EDIT, inputs, "g2");
  g_auto (GStrv) parts = g_strsplit (build->dump[TL_STAGE_G2], changes[_i][0], -1);
  ck_assert_uint_ge (g_strv_length (parts), 2);
  g_autofree char *text = g_strjoinv (changes[_i][1], parts);
  g_autoptr (TlBuild) damaged = tl_build ("x.mlir", text, strlen (text), inputs, &options, NULL, NULL);
  ck_assert (!damaged->complete);
  ck_assert_str_eq (tl_diags_get (damaged->diags, 0)->code, "invalid-ir");
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("engine-grid");
  TCase *tcase = tcase_create ("grid");

  tcase_set_timeout (tcase, 200);
  tcase_add_test (tcase, the_oracle_agrees);
  tcase_add_loop_test (tcase, small_programs_have_their_values, 0, 20);
  tcase_add_loop_test (tcase, faults_of_data_are_said, 0, 6);
  tcase_add_loop_test (tcase, narrow_types_are_said, 0, 8);
  tcase_add_loop_test (tcase, absent_results_are_said, 0, 2);
  tcase_add_test (tcase, reads_land_where_they_came_from);
  tcase_add_loop_test (tcase, adaptive_bands_find_the_same, 0, 2);
  tcase_add_loop_test (tcase, adaptive_bands_take_less_time, 0, 2);
  tcase_add_loop_test (tcase, adaptive_bands_stand_in_the_module, 0, 4);
  tcase_add_loop_test (tcase, all_problems_share_the_passes, 0, 3);
  tcase_add_loop_test (tcase, damaged_modules_are_refused, 0, 10);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
