/* The programs of examples/refused: each is refused for its clause, at its token, with a case
 * that shows it and a remedy; all stand in the help. */
#include "support-engine.h"

static const struct
{
  const char *name;
  const char *code;
  const char *clause;
  const char *token;
  const char *shows;  /* in the reason: the case */
  const char *remedy; /* in the reason */
} rows[] = {
  { "x-drop", "data-dependent", "clause (c)", "s > best - 50", "before any value is known", "within band" },
  { "bounds-from-data", "data-dependent", "clause (c)", "low[i]", "before any value is known", "within band" },
  { "adaptive-count", "data-dependent", "clause (c)", "adaptive(8)", "where the best cell is", "band = 15%" },
  { "matrix-chain", "not-affine", "clause (b)", "min over k (M[i,k] + M[k+1,j] + p[i] * p[k] * p[j])",
    "cell (1,2) waits for cells 1 away, cell (1,9) for cells 1 to 8", "write a closure" },
  { "tree", "not-affine", "clause (b)", "T[parent[v],s]", "cells 1 and 2 would wait for each other",
    "number the nodes" },
  { "transposed", "circular", "clause (b)", "H[j,i]", "H (1,2) waits for H (2,1), H (2,1) waits for H (1,2)",
    "Let all reads go back" },
  { "both-ways", "circular", "clause (b)", "H[i+1,j]", "H (1,1) waits for H (2,1), H (2,1) waits for H (1,1)",
    "Let all reads go back" },
  { "skewed", "not-affine", "clause (b)", "i-j", "(1,1) reads (0,1), 1 row earlier; (1,2) reads (-1,2), 2 rows earlier",
    "such as [i-1,j]" },
  { "wrapped", "circular", "clause (b)", "H[i mod 4,j]", "H (1,1) waits for itself", "Let all reads go back" },
  { "strided", "output-subscript", "clause (b)", "2*i", "2*i is never 1", "H[i,j]" },
  { "backwards", "loop-order", "clause (b)", "H[i+1,j+1]", "cell (9,9) reads (10,10)", "mirror the loop" },
  { "rounding", "not-associative", "clause (a)", "/", "1 / 2 + 1 / 2 is 0 and (1 + 1) / 2 is 1", "logarithms" },
  { "float-sums", "float-order", "clause (a)", "sum", "(16777216 + 1) + 1 is 16777216 in f32", "logarithms" },
  { "averages", "not-associative", "clause (a)", "f",
    "fails at a = 0, b = 0, c = 2: the left side is 1, the right side 0", "use an accumulation" },
  { "any-products", "not-distributive", "clause (a)", "*",
    "fails at a = -1, b = 0, c = 1: the left side is -1, the right side 0", "semiring (max, *) on 0..1" },
  { "counting-paths", "not-idempotent", "clause (d)", "+", "fails at a = 1: the left side is 2, the right side 1",
    "names of their own" },
  { "parity", "not-idempotent", "clause (d)", "x", "fails at a = 1: the left side is 0, the right side 1",
    "names of their own" },
};

/* The build of a refused program, its text into @text. */
static TlBuild *
build_refused (const char *name, char **text)
{
  g_autofree char *folder = tl_test_source_path ("examples/refused");
  g_autofree char *file = g_strconcat (name, ".gdsl", NULL);
  g_autofree char *path = g_build_filename (folder, file, NULL);
  g_autoptr (TlInputs) inputs = tl_inputs_new_folder (folder, NULL);

  ck_assert_msg (g_file_get_contents (path, text, NULL, NULL), "%s", path);
  return tl_build (file, *text, strlen (*text), inputs, NULL, NULL, NULL);
}

static gboolean
says (const TlDiag *diag, const char *text, const char *code, const char *clause, const char *token, const char *shows,
      const char *remedy)
{
  g_autofree char *at = g_strndup (text + diag->span.start, diag->span.end - diag->span.start);

  return strcmp (diag->code, code) == 0 && strcmp (at, token) == 0 && diag->reason != NULL
         && strstr (diag->reason, clause) != NULL && strstr (diag->reason, shows) != NULL
         && strstr (diag->reason, remedy) != NULL;
}

START_TEST (each_is_refused_with_clause_place_case_and_remedy)
{
  g_autofree char *text = NULL;
  g_autoptr (TlBuild) build = build_refused (rows[_i].name, &text);
  g_autofree char *said = diags_text (build->diags);
  const TlDiag    *diag = NULL;

  ck_assert (!build->complete && build->recurrence == NULL && build->grid == NULL);
  ck_assert_msg (tl_diags_errors (build->diags) == 1, "%s", said);
  for (guint d = 0; d < tl_diags_count (build->diags) && diag == NULL; d++)
    if (tl_diags_get (build->diags, d)->severity == TL_SEVERITY_ERROR)
      diag = tl_diags_get (build->diags, d);
  ck_assert_msg (says (diag, text, rows[_i].code, rows[_i].clause, rows[_i].token, rows[_i].shows, rows[_i].remedy),
                 "%s", said);
  /* Any wrong part of the row would be seen. */
  ck_assert (!says (diag, text, "no-such-code", rows[_i].clause, rows[_i].token, rows[_i].shows, rows[_i].remedy));
  ck_assert (!says (diag, text, rows[_i].code, "clause (e)", rows[_i].token, rows[_i].shows, rows[_i].remedy));
  ck_assert (!says (diag, text, rows[_i].code, rows[_i].clause, "algorithm", rows[_i].shows, rows[_i].remedy));
  ck_assert (!says (diag, text, rows[_i].code, rows[_i].clause, rows[_i].token, "fails nowhere", rows[_i].remedy));
}
END_TEST

/* Every file of the folder is a row, says its clause in its first line, and stands in the help. */
START_TEST (all_files_are_rows_and_in_the_help)
{
  g_autofree char *folder = tl_test_source_path ("examples/refused");
  g_autofree char *help_path = tl_test_source_path ("data/help/C/refused.txt");
  g_autofree char *help = NULL;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint files = 0;

  ck_assert (g_file_get_contents (help_path, &help, NULL, NULL));
  ck_assert_ptr_nonnull (dir);
  for (const char *file = g_dir_read_name (dir); file != NULL; file = g_dir_read_name (dir), files++)
    {
      guint            r = 0;
      g_autofree char *name = g_strndup (file, strcspn (file, "."));
      g_autofree char *item = g_strdup_printf ("\n- %s: ", name), *text = NULL;
      g_autoptr (TlBuild) build = NULL;

      while (r < G_N_ELEMENTS (rows) && strcmp (rows[r].name, name) != 0)
        r++;
      ck_assert_msg (r < G_N_ELEMENTS (rows), "%s", file);
      build = build_refused (name, &text);
      ck_assert_msg (g_ascii_strncasecmp (text + 2, rows[r].clause, strlen (rows[r].clause)) == 0, "%s", file);
      ck_assert_msg (strstr (help, item) != NULL, "%s is not in the help", file);
      g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
      for (guint l = 2; lines[l] != NULL && g_str_has_prefix (lines[l], " "); l++)
        ck_assert_msg (strstr (help, lines[l]) != NULL, "%s: %s", file, lines[l]);
    }
  ck_assert_uint_eq (files, G_N_ELEMENTS (rows));
  ck_assert_uint_ge (files, 12);
}
END_TEST

/* --- The same laws on other words --- */

/* Subscripts that are the loops plus numbers in other words make the same grid. */
START_TEST (subscripts_are_judged_by_value)
{
  static const char *const same[] = { "i-1",
                                      "i - (2 - 1)",
                                      "2*i - i - 1",
                                      "(i + j) - j - 1",
                                      "(2*i - 2) / 2",
                                      "(3*i + 1) // 3 - 1",
                                      "-(1 - i)",
                                      "(2*i - 1) // 2",
                                      "i + (4*j + 3) mod 4 - 4",
                                      "i - 2*1 + 1" };
  static const struct
  {
    const char *subscript;
    const char *code;
    const char *token;
    const char *shows;
  } others[] = {
    { "2*i", "not-affine", "2*i", "(1,1) reads (2,1), 1 row later; (2,1) reads (4,1), 2 rows later" },
    { "i/2", "not-affine", "i/2", "(1,1) reads (0,1), 1 row earlier; (3,1) reads (1,1), 2 rows earlier" },
    { "i*j", "circular", "H[i*j,j]", "H (1,1) waits for itself" },
    { "i - j", "not-affine", "i - j", "(1,1) reads (0,1), 1 row earlier; (1,2) reads (-1,2), 2 rows earlier" },
    { "(3*i - 1) // 2 - i - 1", "not-affine", "(3*i - 1) // 2", "a quotient is rounded" },
    { "j", "circular", "H[j,j]", "H (1,1) waits for itself" },
    { "i - i mod 3 - 1", "not-affine", "i mod 3", "a remainder jumps back" },
    { "i+1", "loop-order", "H[i+1,j]", "cell (9,9) reads (10,9)" },
    { "i-9", "not-affine", "H[i-9,j]", "anti-diagonals" },
  };
  g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();
  TlBuildOptions   options = { .until = TL_STAGE_G1, .dumps = TRUE, .no_loc = TRUE };
  g_autofree char *first = NULL;

  for (guint k = 0; k < G_N_ELEMENTS (same); k++)
    {
      g_autofree char *text = g_strdup_printf (
          "algorithm a\n  H[i,j] = max(0, H[i-1,j-1] + 1, H[%s,j])  for i, j\ndata H: i32[40, 40]\n", same[k]);
      g_autoptr (TlBuild) build = tl_build ("p.gdsl", text, strlen (text), inputs, &options, NULL, NULL);
      g_autofree char *said = diags_text (build->diags);

      ck_assert_msg (build->complete && build->grid != NULL, "%s\n%s", text, said);
      if (first == NULL)
        first = g_strdup (build->dump[TL_STAGE_G1]);
      ck_assert_str_eq (first, build->dump[TL_STAGE_G1]);
    }
  for (guint k = 0; k < G_N_ELEMENTS (others); k++)
    {
      g_autofree char *text
          = g_strdup_printf ("algorithm a\n  H[i,j] = max(0, H[i-1,j-1] + 1, H[%s,j])  for i, j\ndata H: i32[40, 40]\n",
                             others[k].subscript);
      g_autoptr (TlBuild) build = tl_build ("p.gdsl", text, strlen (text), inputs, &options, NULL, NULL);
      g_autofree char *said = diags_text (build->diags);

      ck_assert_msg (build->grid == NULL && tl_diags_errors (build->diags) == 1, "%s\n%s", text, said);
      ck_assert_msg (
          says (tl_diags_get (build->diags, 0), text, others[k].code, "", others[k].token, others[k].shows, ""),
          "%s\n%s", text, said);
    }
}
END_TEST

/* Programs that hold nothing beside what is refused. */
START_TEST (each_has_its_own_reason)
{
  static const struct
  {
    const char *body;
    const char *code;
    const char *token;
    const char *clause;
    const char *remedy;
  } others[] = {
    { "H[i,j] = max(0, floor(H[i-1,j] * 3), (q[i] == r[j]))  for i, j", "not-associative", "floor(H[i-1,j] * 3)",
      "clause (a)", "logarithms" },
    { "H[i,j] = max(0, H[i*j,j] + (q[i] == r[j]))  for i, j", "circular", "H[i*j,j]", "clause (b)", "go back" },
    { "H[i,j] = max(0, H[i/2,j] + (q[i] == r[j]))  for i, j", "not-affine", "i/2", "clause (b)", "such as [i-1,j]" },
    { "H[i,j] = max(0, H[j,i] + (q[i] == r[j]))  for i, j", "circular", "H[j,i]", "clause (b)", "go back" },
    { "H[i,j] = max(0, H[i,j] + (q[i] == r[j]))  for i, j", "loop-order", "H[i,j]", "clause (b)", "as in [i-1,j]" },
    { "H[i,j] = max(0, H[q[i],j] + (q[i] == r[j]))  for i, j", "not-affine", "H[q[i],j]", "clause (b)",
      "number the nodes" },
    { "H[i,j] = max over p (H[i,p] + (q[i] == r[j]))  for i, j\n  H[0,j] = 0", "not-affine", "H[i,p]", "clause (b)",
      "V[t-1,p]" },
    { "H[i,j] = max(0, G[i,j], H[i-1,j] + (q[i] == r[j]))  for i, j\n  G[i,j] = max(H[i,j], G[i,j-1])  for i, j",
      "circular", "H[i,j]", "clause (b)", "at a distance" },
    { "H[i] = max(0, H[i-1] + (q[i] == r[i]))  for i", "no-recurrence", "H[i]", "two subscripts", "for i, j" },
    { "H[i,j] = max((q[i] == r[j]), H[i-1,j-1] + H[i-1,j])  for i, j", "several-cells", "+", "clause (a)",
      "a closure" },
    { "H[i,j] = max(0, H[i-1,j-1] + (q[i] == r[j]) if H[i-1,j] < 9 else 0)  for i, j", "data-dependent", "H[i-1,j] < 9",
      "clause (c)", "within band" },
  };
  g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();
  TlBuildOptions   options = { .until = TL_STAGE_G1 };
  g_autofree char *text
      = g_strdup_printf ("algorithm a\n  %s\ndata q = sequence(\"q\")\ndata r = sequence(\"q\")\n", others[_i].body);
  g_autoptr (GBytes) letters = g_bytes_new_static (">q\nACGT\n", 8);

  tl_inputs_add (inputs, "q", letters);
  g_autoptr (TlBuild) build = tl_build ("p.gdsl", text, strlen (text), inputs, &options, NULL, NULL);
  g_autofree char *said = diags_text (build->diags);
  ck_assert_msg (build->grid == NULL && build->recurrence == NULL && tl_diags_errors (build->diags) == 1, "%s\n%s",
                 text, said);
  ck_assert_msg (says (tl_diags_get (build->diags, 0), text, others[_i].code, others[_i].clause, others[_i].token,
                       others[_i].clause, others[_i].remedy),
                 "%s\n%s", text, said);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("engine-refused");
  TCase *tcase = tcase_create ("refused");

  tcase_add_loop_test (tcase, each_is_refused_with_clause_place_case_and_remedy, 0, G_N_ELEMENTS (rows));
  tcase_add_test (tcase, all_files_are_rows_and_in_the_help);
  tcase_add_loop_test (tcase, each_has_its_own_reason, 0, 11);
  tcase_add_test (tcase, subscripts_are_judged_by_value);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
