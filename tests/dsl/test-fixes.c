/* Fixes: each edit is exact, and the program is right after it. */
#include "dsl-test.h"

#define HEAD  "algorithm apsp\n"
#define APSP  HEAD "  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\n"
#define DATA  "data D: i32 = graph(\"f.gr\")\n"
#define LOOPS "  for k in 0..N: for i in 0..N: for j in 0..N:\n"

/* The first @code diagnostic of @text; its first fix gives @fixed. */
static const struct
{
  const char *code;
  const char *text;
  const char *fixed;
} rows[] = {
  { "unknown-keyword", "algoritm apsp\n  D[i,j] = D[i,j] for i, j\n" DATA,
    "algorithm apsp\n  D[i,j] = D[i,j] for i, j\n" DATA },
  { "unknown-keyword", APSP "dta D: i32\n", APSP "data D: i32\n" },
  { "unknown-keyword", APSP DATA "Config tile = 64\n", APSP DATA "config tile = 64\n" },
  { "unknown-keyword", APSP DATA "plce D = plan\n", APSP DATA "place D = plan\n" },
  { "unknown-keyword", "semirng (min, +)\n" APSP DATA, "semiring (min, +)\n" APSP DATA },
  { "unknown-keyword", HEAD "  fro i in 0..N: D[i,0] = D[0,i]\n" DATA, HEAD "  for i in 0..N: D[i,0] = D[0,i]\n" DATA },
  { "unknown-keyword", APSP "  resutl = max D\n" DATA, APSP "  result = max D\n" DATA },
  { "unknown-keyword", HEAD LOOPS "    if D[i,k] < 1: D[i,j] = 1\n    esle: D[i,j] = 2\n" DATA,
    HEAD LOOPS "    if D[i,k] < 1: D[i,j] = 1\n    else: D[i,j] = 2\n" DATA },
  { "unknown-keyword", HEAD LOOPS "    if D[i,k] < 1: D[i,j] = 1\n    elif D[k,j] < 2: D[i,j] = 2\n" DATA,
    HEAD LOOPS "    if D[i,k] < 1: D[i,j] = 1\n    else if D[k,j] < 2: D[i,j] = 2\n" DATA },
  { "missing-bracket", HEAD "  D[i,j] = min(D[i,j], D[i,k] + D[k,j]  for k, i, j\n" DATA, APSP DATA },
  { "missing-bracket", HEAD "  D[i,j = min(D[i,j], 1)  for i, j\n" DATA,
    HEAD "  D[i,j] = min(D[i,j], 1)  for i, j\n" DATA },
  { "missing-bracket", HEAD "  D[i,j] = max(0,\n    min(D[i,j], 1  for i, j\n" DATA,
    HEAD "  D[i,j] = max(0,\n    min(D[i,j], 1))  for i, j\n" DATA },
  { "missing-bracket", HEAD "  D[i,j] = min(1, (D[i,j] + 2  for i, j\n" DATA,
    HEAD "  D[i,j] = min(1, (D[i,j] + 2))  for i, j\n" DATA },
  { "missing-bracket", APSP DATA "config tile = 64, 128, 64\n", APSP DATA "config tile = (64, 128, 64)\n" },
  { "wrong-bracket", HEAD "  D[i,j) = D[i,j]  for i, j\n" DATA, HEAD "  D[i,j] = D[i,j]  for i, j\n" DATA },
  { "wrong-bracket", HEAD "  D[i,j] = D(i,j) + 1  for i, j\n" DATA, HEAD "  D[i,j] = D[i,j] + 1  for i, j\n" DATA },
  { "stray-bracket", HEAD "  D[i,j] = (D[i,j] + 1))  for i, j\n" DATA,
    HEAD "  D[i,j] = (D[i,j] + 1)  for i, j\n" DATA },
  { "split-subscripts", HEAD "  D[i,j] = D[i][j] + 1  for i, j\n" DATA, HEAD "  D[i,j] = D[i,j] + 1  for i, j\n" DATA },
  { "comparison-as-statement", HEAD "  D[i,j] == D[i,j] + 1  for i, j\n" DATA,
    HEAD "  D[i,j] = D[i,j] + 1  for i, j\n" DATA },
  { "assignment-in-condition", HEAD LOOPS "    if D[i,k] = 1: D[i,j] = 1\n" DATA,
    HEAD LOOPS "    if D[i,k] == 1: D[i,j] = 1\n" DATA },
  { "assignment-in-condition", HEAD "  D[i,j] = 1 if i = j else D[i,j]  for i, j\n" DATA,
    HEAD "  D[i,j] = 1 if i == j else D[i,j]  for i, j\n" DATA },
  { "assignment-in-condition", HEAD "  D[i,j] = min(D[i,j], i = j)  for i, j\n" DATA,
    HEAD "  D[i,j] = min(D[i,j], i == j)  for i, j\n" DATA },
  { "chained-comparison", HEAD "  D[i,j] = D[i,j] + (0 < i < j)  for i, j\n" DATA,
    HEAD "  D[i,j] = D[i,j] + (0 < i and i < j)  for i, j\n" DATA },
  { "foreign-spelling", HEAD "  D[i,j] += D[i,k] * 2  for k, i, j\n" DATA,
    HEAD "  D[i,j] = D[i,j] + D[i,k] * 2  for k, i, j\n" DATA },
  { "foreign-spelling", HEAD "  D[i,j] *= D[i,k] + 2  for k, i, j\n" DATA,
    HEAD "  D[i,j] = D[i,j] * (D[i,k] + 2)  for k, i, j\n" DATA },
  { "foreign-spelling", HEAD "  D[i,j] = D[i,j]||D[j,i]  for i, j\n" DATA,
    HEAD "  D[i,j] = D[i,j] or D[j,i]  for i, j\n" DATA },
  { "foreign-spelling", HEAD "  D[i,j] = D[i,j] − 1  for i, j\n" DATA, HEAD "  D[i,j] = D[i,j] - 1  for i, j\n" DATA },
  { "foreign-spelling", HEAD "  D[i,j] = D[i,j] * (i ≤ j)  for i, j\n" DATA,
    HEAD "  D[i,j] = D[i,j] * (i <= j)  for i, j\n" DATA },
  { "foreign-spelling", APSP DATA "config owner = (i*21+j)%P\n", APSP DATA "config owner = (i*21+j) mod P\n" },
  { "foreign-spelling", APSP DATA "// a remark\n", APSP DATA "# a remark\n" },
  { "missing-comma", HEAD "  D[i,j] = min(D[i,j] 1)  for i, j\n" DATA,
    HEAD "  D[i,j] = min(D[i,j], 1)  for i, j\n" DATA },
  { "missing-comma", HEAD "  D[i,j] = D[i,j]  for i j\n" DATA, HEAD "  D[i,j] = D[i,j]  for i, j\n" DATA },
  { "missing-comma", APSP DATA "config ring = free tile = 64\n", APSP DATA "config ring = free, tile = 64\n" },
  { "missing-operand", HEAD "  D[i,j] = min(D[i,j], , 1)  for i, j\n" DATA, NULL },
  { "missing-operand", HEAD "  D[i,j] = min(D[i,j], 1,)  for i, j\n" DATA,
    HEAD "  D[i,j] = min(D[i,j], 1)  for i, j\n" DATA },
  { "missing-in", HEAD "  for i = 0..N: D[i,0] = D[0,i]\n" DATA, HEAD "  for i in 0..N: D[i,0] = D[0,i]\n" DATA },
  { "missing-in", HEAD "  for i 0..N: D[i,0] = D[0,i]\n" DATA, HEAD "  for i in 0..N: D[i,0] = D[0,i]\n" DATA },
  { "not-a-range", HEAD "  for i in range(N): D[i,0] = D[0,i]\n" DATA, HEAD "  for i in 0..N: D[i,0] = D[0,i]\n" DATA },
  { "missing-colon", HEAD "  for i in 0..N\n    D[i,0] = D[0,i]\n" DATA,
    HEAD "  for i in 0..N:\n    D[i,0] = D[0,i]\n" DATA },
  { "missing-colon", APSP "data D i32 = graph(\"f\")\n", APSP "data D: i32 = graph(\"f\")\n" },
  { "missing-equals", APSP "data D: i32 graph(\"f\")\n", APSP "data D: i32 = graph(\"f\")\n" },
  { "missing-equals", APSP "data D graph(\"f\")\n", APSP "data D = graph(\"f\")\n" },
  { "missing-equals", APSP DATA "config tile 64\n", APSP DATA "config tile = 64\n" },
  { "missing-equals", APSP DATA "config tile: 64\n", APSP DATA "config tile = 64\n" },
  { "missing-equals", APSP DATA "place D plan\n", APSP DATA "place D = plan\n" },
  { "open-string", APSP "data D = graph(\"f.gr)\n", APSP "data D = graph(\"f.gr\")\n" },
  { "single-quotes", APSP "data D = graph('f.gr')\n", APSP "data D = graph(\"f.gr\")\n" },
  { "bad-escape", APSP "data D = graph(\"a\\b.gr\")\n", APSP "data D = graph(\"a\\\\b.gr\")\n" },
  { "stray-character", APSP DATA "config tile = 64;\n", APSP DATA "config tile = 64\n" },
  { "bad-number", APSP DATA "config tile = 1__024\n", APSP DATA "config tile = 1024\n" },
  { "bad-number", HEAD "  D[i,j] = D[i,j] * .5  for i, j\n" DATA, HEAD "  D[i,j] = D[i,j] * 0.5  for i, j\n" DATA },
  { "bad-number", HEAD "  D[i,j] = D[i,j] * 2.  for i, j\n" DATA, HEAD "  D[i,j] = D[i,j] * 2  for i, j\n" DATA },
  { "unknown-unit", APSP DATA "config target.tRRD = 5nss\n", APSP DATA "config target.tRRD = 5ns\n" },
  { "unknown-type", APSP "data D: int32\n", APSP "data D: i32\n" },
  { "unknown-type", APSP "data D: float\n", APSP "data D: f32\n" },
  { "unknown-source", APSP "data D: i32 = grahp(\"f\")\n", APSP "data D: i32 = graph(\"f\")\n" },
  { "unknown-source", APSP "data D: i32 = \"f.mtx\"\n", APSP "data D: i32 = graph(\"f.mtx\")\n" },
  { "unknown-key", APSP DATA "config tiel = 64\n", APSP DATA "config tile = 64\n" },
  { "unknown-key", APSP DATA "config B = 64\n", APSP DATA "config tile = 64\n" },
  { "unknown-key", APSP DATA "config copy-writes = free\n", NULL },
  { "illegal-value", APSP DATA "config mode = brodcast\n", APSP DATA "config mode = broadcast\n" },
  { "illegal-value", APSP DATA "config owner = skewd\n", APSP DATA "config owner = skewed\n" },
  { "illegal-value", APSP DATA "config band = 0.15\n", APSP DATA "config band = 15%\n" },
  { "illegal-value", APSP DATA "config gap = -2\n", APSP DATA "config gap = 2\n" },
  { "unquoted-path", APSP DATA "config target = mine.xml\n", APSP DATA "config target = \"mine.xml\"\n" },
  { "unknown-placement", APSP DATA "place D = paln\n", APSP DATA "place D = plan\n" },
  { "unknown-layout", APSP DATA "place D = layout locl(2,1)\n", APSP DATA "place D = layout local(2,1)\n" },
  { "unknown-operator", "semiring (mn, +)\n" APSP DATA, "semiring (min, +)\n" APSP DATA },
  { "operand-count", "op f = a + b\n" APSP DATA, "op f(a, b) = a + b\n" APSP DATA },
  { "unknown-name", HEAD "  D[i,j] = min(D[i,j], Dd[i,k])  for k, i, j\n" DATA,
    HEAD "  D[i,j] = min(D[i,j], D[i,k])  for k, i, j\n" DATA },
  { "unknown-name", HEAD "  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for i, j\n" DATA, APSP DATA },
  { "unknown-function", HEAD "  D[i,j] = mn(D[i,j], 1)  for i, j\n" DATA,
    HEAD "  D[i,j] = min(D[i,j], 1)  for i, j\n" DATA },
  { "missing-loops", HEAD "  D[i,j] = min(D[i,j], D[i,k] + D[k,j])\n" DATA, APSP DATA },
  { "shadowed-data", HEAD "  D[i,Q] = D[Q,i]  for i, Q\n" DATA "data Q: i32\n",
    HEAD "  D[i,q] = D[q,i]  for i, q\n" DATA "data Q: i32\n" },
  { "not-indented", "algorithm a\nD[i,j] = D[i,j]  for i, j\n" DATA,
    "algorithm a\n  D[i,j] = D[i,j]  for i, j\n" DATA },
  { "outside-extent", HEAD "  for i in 0..=N: for j in 0..N: D[i,j] = D[j,0]\n" DATA,
    HEAD "  for i in 0..N: for j in 0..N: D[i,j] = D[j,0]\n" DATA },
  { "outside-extent", HEAD "  for i in 0..N+1: for j in 0..N: D[i,j] = D[j,0]\n" DATA,
    HEAD "  for i in 0..N: for j in 0..N: D[i,j] = D[j,0]\n" DATA },
  { "missing-data", APSP, APSP "data D: i32 = graph(\"FILE\")\n" },
};

START_TEST (fixes_are_exact)
{
  g_auto (Checked) checked = check_text (rows[_i].text);
  const TlDiag    *diag = find_code (checked.diags, rows[_i].code);
  g_autofree char *said = diags_text (checked.diags);

  ck_assert_msg (diag != NULL, "no %s in: %s", rows[_i].code, said);
  ck_assert_msg (tl_diags_errors (checked.diags) == 1, "one mistake, one message: %s", said);
  ck_assert_msg (diag->fixes->len > 0, "no fix: %s", said);
  g_autofree char *fixed = apply_fix (&checked, diag, 0);
  if (rows[_i].fixed != NULL)
    ck_assert_str_eq (fixed, rows[_i].fixed);
  g_auto (Checked) again = check_text (fixed);
  g_autofree char *left = diags_text (again.diags);
  ck_assert_msg (tl_diags_errors (again.diags) == 0, "after the fix:\n%s%s", fixed, left);
}
END_TEST

/* The table can fail: a fix for something else does not do. */
START_TEST (a_wrong_fix_fails)
{
  g_auto (Checked) checked = check_text (APSP DATA "config tiel = 64\n");
  const TlDiag    *diag = find_code (checked.diags, "unknown-key");
  g_autofree char *fixed = apply_fix (&checked, diag, 0);

  ck_assert_str_ne (fixed, APSP DATA "config title = 64\n");
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("dsl-fixes");
  TCase *tcase = tcase_create ("fixes");

  tcase_add_loop_test (tcase, fixes_are_exact, 0, G_N_ELEMENTS (rows));
  tcase_add_test (tcase, a_wrong_fix_fails);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
