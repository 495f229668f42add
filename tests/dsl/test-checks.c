/* What the checks say of meaning, where they say it, and that three mistakes give
 * three messages. */
#include "dsl-test.h"

#define HEAD   "algorithm a\n"
#define APSP   HEAD "  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\n"
#define DATA   "data D: i32 = graph(\"f.gr\")\n"
#define MATMUL HEAD "  C[m,n] = C[m,n] + A[m,k] * W[k,n]  for m, n, k\n"

/* Programs with one mistake: its code and place. Warnings too. */
static const struct
{
  const char *code;
  guint       line;
  guint       column;
  const char *text;
} rows[] = {
  { "several-algorithms", 4, 11, APSP DATA "algorithm b\n  D[i,j] = D[i,j] for i, j\n" },
  { "several-semirings", 2, 1, "semiring (min, +)\nsemiring (max, +)\n" APSP DATA },
  { "missing-algorithm", 1, 1, DATA },
  { "missing-algorithm", 1, 1, "" },
  { "empty-algorithm", 1, 11, HEAD DATA },
  { "missing-data", 1, 11, APSP },
  { "missing-data", 1, 11, HEAD "  E[i,j] = E[i-1,j] + 1  for i, j\n" DATA },
  { "duplicate-data", 4, 6, APSP DATA DATA },
  { "duplicate-data", 3, 9, APSP "data D, D: i32\n" },
  { "duplicate-key", 4, 30, APSP DATA "config ring = on, tile = 64, tile = 128\n" },
  { "duplicate-place", 5, 7, APSP DATA "place D = plan\nplace D = auto\n" },
  { "duplicate-op", 2, 4, "op f(a, b) = a\nop f(a, b) = b\nsemiring (f, +)\n" APSP DATA },
  { "duplicate-loop", 2, 27, HEAD "  D[i,j] = D[i,j]  for i, i, j\n" DATA },
  { "duplicate-loop", 2, 22, HEAD "  for i in 0..N: for i in 0..N: D[i,0] = D[0,i]\n" DATA },
  { "duplicate-result", 4, 3, APSP "  result = max D\n  result = last D\n" DATA },
  { "reserved-name", 3, 6, APSP "data max: i32\ndata D: i32\n" },
  { "reserved-name", 1, 11, "algorithm for\n  D[i,j] = D[i,j] for i, j\n" DATA },
  { "reserved-name", 2, 7, HEAD "  for in in 0..N: D[0,0] = D[0,1]\n" DATA },
  { "shadowed-data", 2, 27, HEAD "  D[i,j] = D[i,j]  for i, D, j\n" DATA },
  { "shadowed-data", 2, 7, HEAD "  for v in 0..N: D[v,0] = D[0,v]\n" DATA "data v: i32\n" },
  { "shadowed-data", 2, 21, HEAD "  D[i,j] = max over D (i)  for i, j\n" DATA },
  { "unknown-name", 2, 12, HEAD "  D[i,j] = Q[i,j] + D[i,j]  for i, j\n" DATA },
  { "unknown-name", 2, 12, HEAD "  D[i,j] = x + D[i,j]  for i, j\n" DATA },
  { "unknown-name", 4, 8, HEAD "  for i in 0..N:\n    D[i,0] = D[0,i]\n    if t < 1: D[i,i] = 0\n" DATA },
  { "unknown-name", 3, 16, APSP "  result = max H\n" DATA },
  { "unknown-name", 4, 7, APSP DATA "place H = plan\n" },
  { "unknown-name", 4, 19, APSP DATA "data p, c = index(qq, k = 11)\n" },
  { "unknown-name", 1, 18, "op f(a, b) = a + c\nsemiring (f, +)\n" APSP DATA },
  { "unknown-function", 2, 12, HEAD "  D[i,j] = sqrt(D[i,j])  for i, j\n" DATA },
  { "unknown-function", 1, 14, "op f(a, b) = g(a, b)\nsemiring (f, +)\n" APSP DATA },
  { "operand-count", 2, 12, HEAD "  D[i,j] = min(D[i,j])  for i, j\n" DATA },
  { "operand-count", 2, 12, HEAD "  D[i,j] = score(D[i,j])  for i, j\n" DATA },
  { "subscript-count", 2, 12, HEAD "  D[i,j] = D[i] + D[i,j]  for i, j\n" DATA },
  { "subscript-count", 2, 12, HEAD "  D[i,j] = D + D[i,j]  for i, j\n" DATA },
  { "subscript-count", 3, 5, HEAD "  for i in 0..N:\n    D = 3\n    D[i,0] = D[0,i]\n" DATA },
  { "subscript-count", 2, 30, MATMUL "data A: f16[64, 5120]\ndata W: i6[5120]\n" },
  { "not-an-array", 2, 21, HEAD "  D[i,j] = D[i,j] + i[j]  for i, j\n" DATA },
  { "assigned-loop", 2, 18, HEAD "  for i in 0..N: i = D[i,i]\n" DATA },
  { "not-an-element", 2, 3, HEAD "  t = D[0,0]\n" DATA },
  { "not-a-value", 2, 12, HEAD "  D[i,j] = \"x\"  for i, j\n" DATA },
  { "two-extents", 2, 32, MATMUL "data A: f16[64, 5120]\ndata W: i6[4096, 8192]\n" },
  { "two-extents", 2, 30,
    HEAD "  for m in 0..N: for n in 0..N: A[m,n] = A[m,n] + 1\n"
         "data A: f16[64, 5120]\n" },
  { "two-extents", 2, 25,
    HEAD "  A[i,j] = A[i,j] + B[i,j]  for i, j\n"
         "data A: f32[N, N]\n"
         "data B: f32[3, 4]\n" },
  { "outside-extent", 2, 37, HEAD "  for i in 0..N: for j in 0..N: D[i,j+1] = D[i,j]\n" DATA },
  { "outside-extent", 2, 35, HEAD "  for i in 0..N: for j in 0..N: D[i-1,j] = D[i,j]\n" DATA },
  { "outside-extent", 2, 45, HEAD "  for i in 0..=N: for j in 0..N: D[i,j] = D[i,j]\n" DATA },
  { "outside-extent", 2, 50, HEAD "  for i in 1..N+1: for j in 0..N: D[i,j] = 0 + D[i,j]\n" DATA },
  { "outside-extent", 2, 21,
    HEAD "  C[m] = C[m] + A[m,5120]  for m\n"
         "data A: f16[64, 5120]\n" },
  { "outside-extent", 2, 21,
    HEAD "  H[i] = H[i-1] + q[i-1]  for i\n"
         "data q = sequence(\"q.fa\")\n" },
  { "outside-extent", 2, 29,
    HEAD "  for i in 0..N: E[i,0] = q[i]\n"
         "data q = sequence(\"q.fa\")\n" },
  { "empty-range", 2, 12, HEAD "  for i in 5..3: D[i,0] = D[0,i]\n" DATA },
  { "unknown-result", 3, 12, APSP "  result = D[0,0]\n" DATA },
  { "unknown-type", 3, 9, APSP "data D: i12\n" },
  { "shape-rank", 3, 13, APSP "data D: i32[64] = graph(\"f\")\n" },
  { "bad-extent", 3, 17, APSP "data D: i32[64, 0]\n" },
  { "bad-extent", 3, 13, APSP "data D: i32[4_000_000_000, 4_000_000_000]\n" },
  { "name-count", 4, 6, APSP DATA "data p = index(D, k = 11)\n" },
  { "name-count", 3, 6, APSP "data D, E = graph(\"f\")\n" },
  { "source-arguments", 3, 21, APSP "data D: i32 = graph(7)\n" },
  { "source-arguments", 3, 15, APSP "data D: i32 = road(7)\n" },
  { "circular-data", 4, 19, APSP DATA "data p, c = index(p, k = 11)\n" },
  { "unknown-source", 3, 15, APSP "data D: i32 = fetch(\"f\")\n" },
  { "unused-data", 4, 6, APSP DATA "data X: i32\n" },
  { "unused-loop", 2, 27, HEAD "  D[i,j] = D[i,j]  for i, x, j\n" DATA },
  { "unused-op", 1, 4, "op f(a, b) = a\n" APSP DATA },
  { "unknown-key", 4, 8, APSP DATA "config frobnicate = 3\n" },
  { "illegal-value", 4, 15, APSP DATA "config tile = 0\n" },
  { "illegal-value", 4, 15, APSP DATA "config tile = (64, 128, 0, 4)\n" },
  { "illegal-value", 4, 19, APSP DATA "config barriers = lax\n" },
  { "illegal-value", 4, 19, APSP DATA "config owner = (i*Q + j) mod P\n" },
  { "illegal-value", 4, 18, APSP DATA "config buffers = 3\n" },
  { "illegal-value", 4, 16, APSP DATA "config split = 8\n" },
  { "illegal-value", 4, 15, APSP DATA "config band = 120%\n" },
  { "illegal-value", 4, 16, APSP DATA "config score = match 2\n" },
  { "illegal-value", 4, 14, APSP DATA "config gap = open 5\n" },
  { "illegal-value", 4, 18, APSP DATA "config quantum = 100\n" },
  { "illegal-value", 4, 16, APSP DATA "place D = tier -1\n" },
  { "outside-carrier", 1, 35, "semiring (max, *) on 0..1: zero = 2\n" APSP DATA },
  { "not-constant", 1, 27, "semiring (min, +): zero = x\n" APSP DATA },
  { "bad-table", 1, 23, "op f = table([[0, 1], [1]])\nsemiring (f, +)\n" APSP DATA },
  { "unit-not-here", 2, 21, HEAD "  D[i,j] = D[i,j] + 5ns  for i, j\n" DATA },
  { "number-too-large", 4, 15, APSP DATA "config tile = 99999999999999999999\n" },
  { "number-too-large", 2, 19, HEAD "  D[i,j] = D[i,j]*1e999  for i, j\n" DATA },
};

START_TEST (mistakes_have_their_place)
{
  g_auto (Checked) checked = check_text (rows[_i].text);
  g_autofree char *said = diags_text (checked.diags);
  const TlDiag    *diag = find_code (checked.diags, rows[_i].code);

  ck_assert_msg (diag != NULL, "no %s: %s", rows[_i].code, said);
  ck_assert_msg (tl_diags_count (checked.diags) == 1, "row %d, %s: one message: %s", _i, rows[_i].code, said);
  ck_assert_msg (diag->from.line == rows[_i].line && diag->from.column == rows[_i].column, "row %d expected %u:%u: %s",
                 _i, rows[_i].line, rows[_i].column, said);
}
END_TEST

/* The table can fail: another code or place is found out. */
START_TEST (a_wrong_row_fails)
{
  g_auto (Checked) checked = check_text (APSP DATA "config tile = 0\n");

  ck_assert_ptr_null (find_code (checked.diags, "unknown-key"));
  ck_assert_uint_ne (find_code (checked.diags, "illegal-value")->from.column, 8);
}
END_TEST

/* Columns count characters, lines any line end. */
START_TEST (places_count_characters)
{
  g_auto (Checked) checked = check_text (
      "\xef\xbb\xbf"
      "# größe\r\nalgorithm a\r\n\tD[i,j] = \"ä\" + Q[i,j]  for i, j\r\ndata D: i32 = graph(\"ü\") x\r\n");
  const TlDiag *string = find_code (checked.diags, "not-a-value"),
               *extra = find_code (checked.diags, "unexpected-token");

  ck_assert_ptr_nonnull (string);
  ck_assert_uint_eq (string->from.line, 3);
  ck_assert_uint_eq (string->from.column, 11);
  ck_assert_uint_eq (string->to.column, 14);
  ck_assert_uint_eq (extra->from.line, 4);
  ck_assert_uint_eq (extra->from.column, 26);
}
END_TEST

/* Mistakes on their own lines are reported one by one, whatever else is wrong. */
START_TEST (three_mistakes_give_three_messages)
{
  static const struct
  {
    const char *text;
    guint       lines[4];
  } programs[] = {
    { "algorithm a\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j]  for k, i, j\ndata D: i33 = graph(\"f\")\nconfig tiel = "
      "64\n",
      { 2, 3, 4 } },
    { "algoritm a\n  D[i,j] = min(D[i,j] D[i,k] + D[k,j])  for k, i, j\ndata D: i32 = graph(\"f)\n", { 1, 2, 3 } },
    { "algorithm a\n  D[i,j] = min(D[i,j], D[i,k] + )  for k, i, j\ndata 3 = graph(\"f\")\nconfig mode = none,\n",
      { 2, 3, 4 } },
    { "algorithm a\n  D[i,j] = min(D[i,j], D[i,k] +\ndata D: i32 = graph(\"f\")\nconfig = 3\nplace D = nowhere\n",
      { 2, 4, 5 } },
    { "algorithm a\n  for k in 0..N: for i in 0..N: for j in 0..N\n    t = D[i,k] + + \n    if t < D[i,j] D[i,j] = "
      "t\ndata D: i32\n",
      { 2, 3, 4 } },
    { "algorithm a\n  D[i,j] = min(D[i,j], E[i,k] + D[k,j])  for k, i, j\ndata D: i32 = grph(\"f\")\nconfig ring = 7\n",
      { 2, 3, 4 } },
    { "algorithm a\n  D[i,j] = (D[i,j]\n  E[i,0] = [3\n  F[0,j] = ))\ndata D: i32\n", { 2, 3, 4 } },
    { "algorithm a\n  D[i,j] = D[i,j]  for i, j\n data D i32\n\tconfig tile 64\nplce D = plan\n", { 3, 4, 5 } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (programs); i++)
    {
      g_auto (Checked) checked = check_text (programs[i].text);
      g_autofree char *said = diags_text (checked.diags);
      ck_assert_msg (tl_diags_count (checked.diags) == 3, "program %u: %s", i, said);
      for (guint k = 0; k < 3; k++)
        ck_assert_msg (tl_diags_get (checked.diags, k)->from.line == programs[i].lines[k], "program %u: %s", i, said);
    }
}
END_TEST

/* What is right stays in the tree. */
START_TEST (the_rest_is_kept)
{
  g_auto (Checked) checked
      = check_text ("algorithm a\n  E[0,j] = ,\n  D[i,j] = min(D[i,j], 1)  for i, j\n"
                    "data D: i32 = graph(\"f\")\ndata ) = 3\nconfig tile = , ring = free\nplace D = plan\n");
  g_autofree char *text = tl_ast_text (checked.ast);

  ck_assert (checked.ast->damaged);
  ck_assert_str_eq (text, "algorithm a\n  D[i,j] = min(D[i,j], 1)  for i, j\ndata D: i32 = graph(\"f\")\n"
                          "config ring = free\nplace D = plan\n");
}
END_TEST

START_TEST (depth_is_bounded)
{
  static const char *const units[] = { "(", "-", "f(", "D[", "not ", "1 if 1 else ", "1+", "[", "max over p (" };

  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    {
      g_autoptr (GString) text = g_string_new ("algorithm a\n  D[i,j] = ");
      for (guint k = 0; k < 200000; k++)
        g_string_append (text, units[i]);
      g_auto (Checked) checked = check_text (text->str);
      ck_assert_msg (find_code (checked.diags, "too-deep") != NULL, "%s", units[i]);
      ck_assert_uint_le (tl_diags_count (checked.diags), 3);
    }
  g_autoptr (GString) nest = g_string_new ("algorithm a\n");
  for (guint k = 0; k < 500; k++)
    g_string_append_printf (nest, "%*sfor i%u in 0..N:\n", (int) k + 1, "", k);
  g_auto (Checked) lines = check_text (nest->str);
  ck_assert_ptr_nonnull (find_code (lines.diags, "too-deep"));
  g_string_assign (nest, "algorithm a\n  ");
  for (guint k = 0; k < 5000; k++)
    g_string_append_printf (nest, "for i%u in 0..N: ", k);
  g_auto (Checked) line = check_text (nest->str);
  ck_assert_ptr_nonnull (find_code (line.diags, "too-deep"));
  g_string_assign (nest, "algorithm a\n  if 1 < 2: D[0,0] = 1\n");
  for (guint k = 0; k < 5000; k++)
    g_string_append (nest, "  else if 1 < 2: D[0,0] = 1\n");
  g_auto (Checked) chain = check_text (nest->str);
  ck_assert_ptr_nonnull (find_code (chain.diags, "too-deep"));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("dsl-checks");
  TCase *tcase = tcase_create ("checks");

  tcase_add_loop_test (tcase, mistakes_have_their_place, 0, G_N_ELEMENTS (rows));
  tcase_add_test (tcase, a_wrong_row_fails);
  tcase_add_test (tcase, places_count_characters);
  tcase_add_test (tcase, three_mistakes_give_three_messages);
  tcase_add_test (tcase, the_rest_is_kept);
  tcase_add_test (tcase, depth_is_bounded);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
