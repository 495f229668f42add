/* Every production of GRAMMAR.ebnf has an accepted and a rejected example, and
 * there is no example of a production that is not there. */
#include "dsl-test.h"

typedef enum
{
  WHOLE,      /* the text is a program */
  EXPRESSION, /* stands in a recurrence */
  LINES,      /* stand after shortest paths */
} Place;

typedef struct
{
  const char *production;
  Place       place;
  const char *accepted;
  const char *rejected;
  const char *code;
} Row;

#define APSP "algorithm apsp\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\n"
#define DATA "data D: i32 = graph(\"f.gr\")\n"
#define NEST "algorithm a\n  for k in 0..N: for i in 0..N: for j in 0..N:\n    t = D[i,k] + D[k,j]\n"

static const Row rows[] = {
  { "program", WHOLE, APSP DATA, "D[i,j] = 3 for i, j\n" DATA, "outside-algorithm" },
  { "section", WHOLE, DATA APSP, "secton apsp\n" APSP DATA, "outside-algorithm" },
  { "algorithm", WHOLE, APSP DATA, "algorithm\n  D[i,j] = D[i,j] for i, j\n" DATA, "missing-name" },
  { "block", WHOLE, "algorithm a\n\n  # c\n  D[0,j] = 1\n  D[1,j] = D[0,j]\n" DATA,
    "algorithm a\nD[i,j] = D[i,j] for i, j\n" DATA, "not-indented" },
  { "statement", WHOLE, APSP DATA, "algorithm a\n  D[i,j]\n" DATA, "missing-equals" },
  { "update", WHOLE, "algorithm a\n  D[i,j] = D[i,j] + 1  for i, j within band\n" DATA,
    "algorithm a\n  D[i,j] = D[i,j] + 1\n" DATA, "missing-loops" },
  { "loop-names", WHOLE, APSP DATA, "algorithm a\n  D[i,j] = D[i,j] for i j\n" DATA, "missing-comma" },
  { "loop-name", WHOLE, "algorithm a\n  D[i,j] = D[i,j] for i in 0..N, j\n" DATA,
    "algorithm a\n  D[i,0] = D[i,1] for i, min\n" DATA, "reserved-name" },
  { "band", WHOLE, "algorithm a\n  D[i,j] = D[i,j] for i, j within adaptive(8)\n" DATA,
    "algorithm a\n  D[i,j] = D[i,j] for i, j within bnd\n" DATA, "unknown-name" },
  { "boundary", WHOLE, "algorithm a\n  D[i,0] = i + v[i]\ndata v: i32[9]\n" DATA, "algorithm a\n  t = 3\n" DATA,
    "not-an-element" },
  { "loop", WHOLE, NEST "    if t < D[i,j]: D[i,j] = t\n" DATA, "algorithm a\n  for i, j: D[i,j] = D[i,j]\n" DATA,
    "missing-range" },
  { "body", WHOLE, "algorithm a\n  for i in 0..N: for j in 0..N: D[i,j] = D[i,j]\n" DATA,
    "algorithm a\n  for i in 0..N:\n" DATA, "empty-block" },
  { "condition", WHOLE, NEST "    if t < D[i,j]: D[i,j] = t\n" DATA, NEST "    if t = D[i,j]: D[i,j] = t\n" DATA,
    "assignment-in-condition" },
  { "alternative", WHOLE,
    NEST "    if t < 1: D[i,j] = t\n    else if t < 2: D[i,j] = 2\n    else:\n      D[i,j] = 3\n" DATA,
    NEST "    else: D[i,j] = t\n" DATA, "stray-else" },
  { "assignment", WHOLE, NEST "    D[i,j] = min(t, D[i,j])\n" DATA, NEST "    t + 1 = 3\n" DATA, "not-assignable" },
  { "result", WHOLE, APSP "  result = last D\n" DATA, APSP "  result = avg D\n" DATA, "unknown-result" },
  { "range", WHOLE, "algorithm a\n  for i in 1..=N-1: D[i,0] = D[i,1]\n" DATA,
    "algorithm a\n  for i in N: D[i,0] = D[i,1]\n" DATA, "not-a-range" },
  { "expression", EXPRESSION, "1 if i < j else 2 if i == j else 3", "1 if i < j", "missing-else" },
  { "disjunction", EXPRESSION, "i or j or k", "or j", "missing-operand" },
  { "exclusive", EXPRESSION, "i xor j", "i xor", "missing-operand" },
  { "conjunction", EXPRESSION, "i and j and k", "i && j", "foreign-spelling" },
  { "negation", EXPRESSION, "not not i", "!i", "foreign-spelling" },
  { "comparison", EXPRESSION, "i < j", "i < j < k", "chained-comparison" },
  { "relation", EXPRESSION, "(i == j) + (i != j) + (i < j) + (i <= j) + (i > j) + (i >= j)", "i => j",
    "foreign-spelling" },
  { "bit-or", EXPRESSION, "i | j | 1", "i | | j", "missing-operand" },
  { "bit-xor", EXPRESSION, "i ^ j", "i ^ ^ j", "missing-operand" },
  { "bit-and", EXPRESSION, "i & j", "& j", "missing-operand" },
  { "sum", EXPRESSION, "i + j - k", "i + ", "missing-operand" },
  { "product", EXPRESSION, "i * j / k // 2 mod 3", "i % j", "foreign-spelling" },
  { "sign", EXPRESSION, "- + -i", "-", "missing-operand" },
  { "operand", EXPRESSION, "inf", "max", "missing-bracket" },
  { "element", EXPRESSION, "A[i,j] + v[N-1]", "A[i][j]", "split-subscripts" },
  { "call", EXPRESSION, "min(i, j, k)", "min(i, j, k", "missing-bracket" },
  { "function", EXPRESSION, "f(i, j) + max(i, j)", "maxx(i, j)", "unknown-function" },
  { "argument", LINES, "data s = random(seed = 3)", "data s = random(speed = 3)", "source-arguments" },
  { "reduction", EXPRESSION, "max over p (A[i,p] + v[p])", "max over p A[i,p]", "missing-bracket" },
  { "group", EXPRESSION, "(i + j) * 2", "()", "missing-operand" },
  { "tuple", LINES, "config tile = (64, 128, 64)", "config tile = 64, 128, 64", "missing-bracket" },
  { "list", WHOLE, "op x = table([[0, 1], [1, 0]])\n" APSP DATA, "op x = table([[0, 1], [1, 0]\n" APSP DATA,
    "missing-bracket" },
  { "member", EXPRESSION, "gap.open", "gap.shut", "unknown-name" },
  { "truth", EXPRESSION, "(i < j) == true", "(i < j) == tru", "unknown-name" },
  { "data", LINES, "data s, t: i32", "data s", "missing-source" },
  { "type", LINES, "data s: bf16", "data s: int16", "unknown-type" },
  { "shape", LINES, "data s: f16[64, 2*N+1]", "data s: f16[64, 0]", "bad-extent" },
  { "source", LINES, "data s = powerlaw(1024, 7)", "data s = \"f.gr\"", "unknown-source" },
  { "semiring", WHOLE, "semiring (max, *) on 0..1: zero = 0, one = 1\n" APSP DATA, "semiring (max, *\n" APSP DATA,
    "missing-bracket" },
  { "operator", WHOLE, "semiring (or, and)\n" APSP DATA, "semiring (min, -)\n" APSP DATA, "unknown-operator" },
  { "carrier", WHOLE, "semiring (min, +) on 0..inf\n" APSP DATA, "semiring (min, +) on 1..0\n" APSP DATA,
    "empty-range" },
  { "neutrals", WHOLE, "semiring (min, +): zero = inf, one = 0\n" APSP DATA,
    "semiring (min, +): zero = inf, zero = 0\n" APSP DATA, "duplicate-key" },
  { "neutral", WHOLE, "semiring (min, +): zero = inf\n" APSP DATA, "semiring (min, +): zro = inf\n" APSP DATA,
    "unknown-key" },
  { "op", WHOLE, "op f(a, b) = a if a < b else b\n" APSP DATA, "op f(a, b)\n" APSP DATA, "missing-equals" },
  { "operands", WHOLE, "op f(x, y) = x\n" APSP DATA, "op f(x) = x\n" APSP DATA, "operand-count" },
  { "table", WHOLE, "op f = table(\"f.csv\")\n" APSP DATA, "op f = table([[0, 1], [2, 0]])\n" APSP DATA, "bad-table" },
  { "config", LINES, "config target = gendram, mode = pipeline", "config", "missing-name" },
  { "item", LINES, "config ring = free", "config ring free", "missing-equals" },
  { "key", LINES, "config target.pus = 8", "config 8 = 8", "missing-name" },
  { "value", LINES, "config owner = (i*(M|1)+j) mod P", "config ring = ", "missing-operand" },
  { "target", LINES, "config target = \"mine.xml\"", "config target = mine.xml", "unquoted-path" },
  { "target-name", LINES, "config target = cu-t8b16r12c4", "config target = 7", "missing-name" },
  { "words", LINES, "config score = match 2 mismatch -4", "config score = match mismatch -4", "missing-number" },
  { "signed", LINES, "config score = match -1 mismatch -4", "config score = match 2 mismatch 0.5", "missing-number" },
  { "ratio", LINES, "config split = 8 : 24", "config split = 8 :", "missing-operand" },
  { "quantity", LINES, "config target.tRRD = 5ns, quantum = 128 B", "config target.tRRD = 5nsec", "unknown-unit" },
  { "unit", LINES, "config target.row = 1 KiB", "config target.row = 1 KB", "unexpected-token" },
  { "place", LINES, "place D = plan", "place D", "missing-equals" },
  { "placement", LINES, "place D = packed", "place D = pakced", "unknown-placement" },
  { "tier", LINES, "place D = tier 3", "place D = tier", "missing-number" },
  { "tiers", LINES, "place D = stripe 0..3", "place D = fill 3..0", "illegal-value" },
  { "layout", LINES, "place D = layout (4,(2,2)):(1,(4,8))", "place D = layout (4,2):", "missing-operand" },
  { "layout-term", LINES, "place D = layout local(2,1)*spatial(8,4)", "place D = layout local(2,1) *",
    "missing-operand" },
  { "layout-part", LINES, "place D = layout register_layout([16,2],[2,8,2],[1,-2],[0])", "place D = layout locl(2)",
    "unknown-layout" },
  { "method", LINES, "place D = layout local(2,1).spatial(8,4)", "place D = layout local(2,1).spatial",
    "missing-bracket" },
  { "gf2", LINES, "place D = layout gf2 [domain: 4 2 | row: 8 | column: 1]",
    "place D = layout gf2 [domain: 4 2 | row: 8", "missing-bracket" },
  { "part", LINES, "place D = layout gf2 [domain: | row: 0x8 | column: 1]", "place D = layout gf2 [colum: 4]",
    "unknown-part" },
  { "name", LINES, "data größe_2 = graph(\"f\")", "data 2d = graph(\"f\")", "missing-name" },
  { "letter", LINES, "data _λ = graph(\"f\")", "data € = graph(\"f\")", "stray-character" },
  { "integer", LINES, "config tile = 1_024", "config tile = 1__024", "bad-number" },
  { "digits", LINES, "config tile = 12_8", "config tile = 128_", "bad-number" },
  { "digit", LINES, "config tile = 9", "config tile = ९", "stray-character" },
  { "real", EXPRESSION, "0.5 + 1e3 + 1.5e-3", ".5", "bad-number" },
  { "exponent", EXPRESSION, "1e+3", "1e+", "unit-not-here" },
  { "percent", LINES, "config band = 12.5%", "config band = %15", "missing-operand" },
  { "string", LINES, "data s = graph(\"a b.gr\")", "data s = graph(\"a b.gr)", "open-string" },
  { "escape", LINES, "data s = graph(\"a\\\"\\\\b\")", "data s = graph(\"a\\tb\")", "bad-escape" },
  { "comment", LINES, "# anything: ( [ \"", "// anything", "foreign-spelling" },
};

static char *
program_of (const Row *row, const char *text)
{
  return row->place == WHOLE        ? g_strdup (text)
         : row->place == EXPRESSION ? around_expression (text)
                                    : after_program (text);
}

START_TEST (each_production_is_accepted_and_rejected)
{
  const Row       *row = &rows[_i];
  g_autofree char *good = program_of (row, row->accepted), *bad = program_of (row, row->rejected);
  g_auto (Checked) accepted = check_text (good), rejected = check_text (bad);
  g_autofree char *said = diags_text (accepted.diags), *refused = diags_text (rejected.diags);
  const TlDiag    *diag = find_code (rejected.diags, row->code);

  ck_assert_msg (tl_diags_errors (accepted.diags) == 0, "%s: accepted example refused: %s", row->production, said);
  ck_assert_msg (diag != NULL && diag->severity == TL_SEVERITY_ERROR, "%s: expected %s, got: %s", row->production,
                 row->code, refused);
  ck_assert_msg (tl_diags_errors (rejected.diags) == 1, "%s: one mistake, one message: %s", row->production, refused);
}
END_TEST

/* Names before " = " at the start of a line. */
static GHashTable *
productions_of_grammar (void)
{
  g_autofree char *path = tl_test_source_path ("src/dsl/GRAMMAR.ebnf"), *text = NULL;
  GHashTable      *names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  ck_assert (g_file_get_contents (path, &text, NULL, NULL));
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      gsize length = strspn (lines[i], "abcdefghijklmnopqrstuvwxyz0123456789-");
      if (length > 0 && g_str_has_prefix (lines[i] + length + strspn (lines[i] + length, " "), "= "))
        g_hash_table_add (names, g_strndup (lines[i], length));
    }
  return names;
}

START_TEST (examples_cover_the_grammar)
{
  g_autoptr (GHashTable) names = productions_of_grammar ();
  g_autoptr (GHashTable) covered = g_hash_table_new (g_str_hash, g_str_equal);
  GHashTableIter iter;
  gpointer       name = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      ck_assert_msg (g_hash_table_add (covered, (gpointer) rows[i].production), "%s stands there twice",
                     rows[i].production);
      ck_assert_msg (g_hash_table_contains (names, rows[i].production), "the grammar has no %s", rows[i].production);
    }
  g_hash_table_iter_init (&iter, names);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    ck_assert_msg (g_hash_table_contains (covered, name), "no example of %s", (char *) name);
}
END_TEST

/* Each name on a right-hand side is a production. */
START_TEST (grammar_is_closed)
{
  g_autofree char *path = tl_test_source_path ("src/dsl/GRAMMAR.ebnf"), *text = NULL;
  g_autoptr (GHashTable) names = productions_of_grammar ();
  g_autoptr (GRegex) skipped = g_regex_new ("\\(\\*.*?\\*\\)|\\?.*?\\?|\"[^\"]*\"|'[^']*'", G_REGEX_DOTALL, 0, NULL);
  g_autoptr (GRegex) word = g_regex_new ("[a-z][a-z0-9-]*", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  ck_assert (g_file_get_contents (path, &text, NULL, NULL));
  g_autofree char *bare = g_regex_replace_literal (skipped, text, -1, 0, " ", 0, NULL);
  for (g_regex_match (word, bare, 0, &match); g_match_info_matches (match); g_match_info_next (match, NULL))
    {
      g_autofree char *name = g_match_info_fetch (match, 0);
      ck_assert_msg (g_hash_table_contains (names, name), "%s is used and not defined", name);
    }
}
END_TEST

/* The table can fail: a row with the wrong code is found out. */
START_TEST (a_wrong_row_fails)
{
  g_auto (Checked) rejected = check_text (APSP "data D\n");
  ck_assert_ptr_null (find_code (rejected.diags, "missing-bracket"));
  ck_assert_ptr_nonnull (find_code (rejected.diags, "missing-source"));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("dsl-grammar");
  TCase *tcase = tcase_create ("grammar");

  tcase_add_loop_test (tcase, each_production_is_accepted_and_rejected, 0, G_N_ELEMENTS (rows));
  tcase_add_test (tcase, examples_cover_the_grammar);
  tcase_add_test (tcase, grammar_is_closed);
  tcase_add_test (tcase, a_wrong_row_fails);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
