/* Near misses are not recognised: each says why, at its token, and where there is
 * a fix the fixed program is the recurrence that was meant. */
#include "dsl/edit.h"
#include "g1-spellings.h"
#include "g1-support.h"

#include <string.h>

/* Per semiring: the combination of two cells, "t is better", the whole value. */
static const struct
{
  const char *combine[3]; /* before, between, after */
  const char *better;
  const char *value[3];
  const char *type;
  const char *worse; /* the cell keeps the other one */
  const char *worse_code;
  const char *mixed[4]; /* values that mix semirings */
  const char *mixed_token[4];
} semirings[N_SPELLED] = {
  { { "", " + ", "" },
    "t < D[i,j]",
    { "min(D[i,j], ", "", ")" },
    "i32",
    "if t < D[i,j]: D[i,j] = max(D[i,k], D[k,j])",
    "keeps-other",
    { "min(D[i,j], D[i,k] + D[k,j], max(D[i,k], D[k,j]))", "min(D[i,j], D[i,k]) + D[k,j]",
      "max(min(D[i,j], D[i,k] + D[k,j]), D[i,k])", "min(D[i,j], D[i,k] + max(D[i,k], D[k,j]))" },
    { "min", "min", "min", "+" } },
  { { "", " and ", "" },
    "t",
    { "D[i,j] or (", "", ")" },
    "bool",
    "if not t: D[i,j] = true",
    "not-distributive",
    { "(D[i,j] or D[i,k]) and D[k,j]", "D[i,j] and D[i,k] or D[k,j]", "D[i,j] == (D[i,k] and D[k,j])",
      "D[i,j] xor (D[i,k] or D[k,j])" },
    { NULL, NULL, NULL, NULL } },
  { { "min(", ", ", ")" },
    "t > D[i,j]",
    { "max(D[i,j], ", "", ")" },
    "i32",
    "if t < D[i,j]: D[i,j] = t",
    "not-absorptive",
    { "max(D[i,j], min(D[i,k], D[k,j]), D[i,k] + D[k,j])", "max(min(D[i,j], D[i,k]), D[k,j])",
      "min(D[i,j], D[i,k]) + max(D[i,j], D[k,j])", "max(D[i,j], D[i,k] * min(D[k,j], 1))" },
    { NULL, NULL, NULL, NULL } },
  { { "max(", ", ", ")" },
    "t < D[i,j]",
    { "min(D[i,j], ", "", ")" },
    "i32",
    "if t > D[i,j]: D[i,j] = t",
    "not-absorptive",
    { "min(D[i,j], max(D[i,k], D[k,j]), D[i,k] - D[k,j])", "min(max(D[i,j], D[i,k]), D[k,j])",
      "max(D[i,j], D[i,k]) - min(D[i,j], D[k,j])", "min(D[i,j], D[i,k] + max(D[k,j], 1))" },
    { NULL, NULL, NULL, NULL } },
};

/* Bodies with $T(cell, cell) the combination, $B "t is better", $V(cell, cell) the
 * whole value; K the three headers in the right order. */
typedef struct
{
  const char *body;
  const char *code;
  const char *token; /* what the diagnostic underlines, NULL: not looked at */
  gboolean    fixed; /* the fix gives the reference */
} Miss;

#define HEAD "  for k in 0..N: for i in 0..N: for j in 0..N:\n"
#define BODY "    t = $T(D[i,k]; D[k,j])\n    if $B: D[i,j] = t\n"

static const Miss misses[] = {
  { "  for i in 0..N: for j in 0..N: for k in 0..N:\n" BODY, "loop-order", "k", TRUE },
  { "  for i in 0..N: for k in 0..N: for j in 0..N:\n" BODY, "loop-order", "k", TRUE },
  { "  for j in 0..N:\n   for i in 0..N:\n    for k in 0..N:\n     D[i,j] = $V(D[i,k]; D[k,j])\n", "loop-order", "k",
    TRUE },
  { "  D[i,j] = $V(D[i,k]; D[k,j])  for i, j, k\n", "loop-order", "k", TRUE },
  { "  D[i,j] = $V(D[i,k]; D[k,j])  for j, k, i\n", "loop-order", "k", TRUE },
  { HEAD "    t = $T(D[j,k]; D[k,j])\n    if $B: D[i,j] = t\n", "operand-subscripts", "D[j,k]", TRUE },
  { HEAD "    t = $T(D[k,i]; D[k,j])\n    if $B: D[i,j] = t\n", "operand-subscripts", "D[k,i]", TRUE },
  { HEAD "    t = $T(D[i,k]; D[j,k])\n    if $B: D[i,j] = t\n", "operand-subscripts", "D[j,k]", TRUE },
  { HEAD "    t = $T(D[i,k]; D[k,k])\n    if $B: D[i,j] = t\n", "operand-subscripts", "D[k,k]", TRUE },
  { HEAD "    t = $T(D[j,i]; D[k,j])\n    if $B: D[i,j] = t\n", "operand-subscripts", "D[j,i]", TRUE },
  { "  D[i,j] = $V(D[k,i]; D[j,k])  for k, i, j\n", "operand-subscripts", NULL, FALSE },
  { HEAD "    t = $T(D[i,k-1]; D[k,j])\n    if $B: D[i,j] = t\n", "offset-subscript", "k-1", TRUE },
  { HEAD "    t = $T(D[i,k]; D[k+1,j])\n    if $B: D[i,j] = t\n", "offset-subscript", "k+1", TRUE },
  { "  for k in 1..N+1: for i in 0..N: for j in 0..N:\n    t = $T(D[i,k]; D[k - 1,j])\n    if $B: D[i,j] = t\n",
    "offset-subscript", "k", TRUE },
  { HEAD "    t = $T(D[i,0]; D[k,j])\n    if $B: D[i,j] = t\n", "offset-subscript", "0", FALSE },
  { "  for k in 0..N-1: for i in 0..N: for j in 0..N:\n" BODY, "loop-bound", "0..N-1", TRUE },
  { "  for k in 0..N: for i in 1..N: for j in 0..N:\n" BODY, "loop-bound", "1..N", TRUE },
  { "  for k in 0..N: for i in 0..N: for j in 0..=N:\n" BODY, "loop-bound", "0..=N", TRUE },
  { "  for k in 0..N: for i in 0..N: for j in i..N:\n" BODY, "loop-bound", "i..N", TRUE },
  { "  for k in 0..N: for i in 0..N: for j in 0..2*N:\n" BODY, "loop-bound", "0..2*N", TRUE },
  { HEAD BODY "    P[i,j] = 1\n", "second-statement", "P[i,j] = 1", FALSE },
  { HEAD "    D[i,j] = $V(D[i,k]; D[k,j])\n    D[i,j] = $V(D[i,k]; D[k,j])\n", "second-statement", "D[i,k]", FALSE },
  { HEAD BODY "  for p in 0..N: for q in 0..N: for r in 0..N:\n    D[q,r] = D[q,r]\n", "second-statement", NULL,
    FALSE },
  { "  for k in 0..N:\n   for i in 0..N: for j in 0..N:\n" BODY "   for s in 0..N:\n    u = 1\n", "second-statement",
    "for s in 0..N:", FALSE },
  { "  for k in 0..N:\n   D[k,k] = D[k,k]\n   for i in 0..N: for j in 0..N:\n" BODY, "second-statement",
    "D[k,k] = D[k,k]", FALSE },
  { HEAD "    if $B: D[i,j] = t\n    t = $T(D[i,k]; D[k,j])\n", "stale-temporary", "t", FALSE },
  { "  for k in 0..N: for i in 0..N:\n   t = D[i,k]\n   for j in 0..N:\n    t = $T(t; D[k,j])\n    if $B: D[i,j] = t\n",
    "stale-temporary", NULL, FALSE },
  { HEAD "    if D[i,k] == D[k,j]: t = $T(D[i,k]; D[k,j])\n    if $B: D[i,j] = t\n", "stale-temporary", NULL, FALSE },
  { HEAD "    u = $T(D[i,k]; D[k,j])\n    if $B: D[i,j] = u\n", "unknown-temporary", "t", FALSE },
  { HEAD "    t = $T(D[i,k]; D[k,j])\n    D[i,j] = t\n", "not-accumulated", "D[i,j]", FALSE },
  { HEAD "    t = $T(D[i,k]; D[k,j])\n    if $B: D[i,j] = D[i,j]\n", "no-update", "D[i,j]", FALSE },
  { HEAD "    t = $T(D[i,k]; D[i,k])\n    if $B: D[i,j] = t\n", "operand-missing", NULL, FALSE },
  { HEAD "    if i < j:\n     t = $T(D[i,k]; D[k,j])\n     if $B: D[i,j] = t\n", "guard-changes", "i < j", FALSE },
  { HEAD "    if i != j:\n     t = $T(D[i,k]; D[k,j])\n     if $B: D[i,j] = t\n", "guard-changes", "i != j", FALSE },
  { HEAD "    if k > 0:\n     t = $T(D[i,k]; D[k,j])\n     if $B: D[i,j] = t\n", "depends-on-index", "k", FALSE },
  { HEAD "    t = $T(D[i,k]; D[k,j])\n    if $B: D[i,i] = t\n", "output-subscript", "D[i,i]", FALSE },
  { "  for k in 0..N: for i in 0..N:\n    t = $T(D[i,k]; D[k,i])\n    if $B: D[i,k] = t\n", "loop-count", NULL, FALSE },
  { "  for h in 0..N: for k in 0..N: for i in 0..N: for j in 0..N:\n" BODY, "loop-count", NULL, FALSE },
  { HEAD "    t = $T(D[i,k]; D[k,j])\n    if $B: D[i,j] = $T(D[i,k]; D[k,i])\n", "operand-subscripts", "D[k,i]",
    FALSE },
  { HEAD "    t = $T(D[i,k]; E[k,j])\n    if $B: D[i,j] = t\n", "operand-names", "D[i,k]", FALSE },
  { HEAD "    t = $T(D[i,D[k,0]]; D[k,j])\n    if $B: D[i,j] = t\n", "not-affine", NULL, FALSE },
};

static void
fill (GString *text, const char *format, guint which)
{
  for (; *format != '\0'; format++)
    {
      if (format[0] != '$')
        {
          g_string_append_c (text, *format);
          continue;
        }
      format++;
      if (*format == 'B')
        {
          g_string_append (text, semirings[which].better);
          continue;
        }
      gboolean    value = *format == 'V';
      const char *middle = strchr (format, ';'), *start = format + 2;
      const char *end = middle;
      for (int depth = 0; *end != '\0' && !(depth == 0 && *end == ')'); end++)
        depth += (*end == '(') - (*end == ')');
      if (value)
        g_string_append (text, semirings[which].value[0]);
      g_string_append (text, semirings[which].combine[0]);
      g_string_append_len (text, start, middle - start);
      g_string_append (text, semirings[which].combine[1]);
      g_string_append_len (text, middle + 2, end - middle - 2);
      g_string_append (text, semirings[which].combine[2]);
      if (value)
        g_string_append (text, semirings[which].value[2]);
      format = end;
    }
}

static char *
program (const char *body, guint which)
{
  GString *text = g_string_new ("algorithm near\n");

  fill (text, body, which);
  g_string_append_printf (text, "data D: %s\n", semirings[which].type);
  if (strstr (text->str, "E[") != NULL)
    g_string_append_printf (text, "data E: %s\n", semirings[which].type);
  return g_string_free (text, FALSE);
}

static gboolean
fix_gives_reference (const char *text, const TlDiag *diag, guint which)
{
  g_autoptr (TlSource) source = tl_source_new ("near.gdsl", text, -1);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  const TlFix     *fix = diag->fixes->len > 0 ? diag->fixes->pdata[0] : NULL;
  g_autofree char *fixed = fix ? tl_edit_apply (source, fix->edits, NULL) : NULL;
  g_autoptr (TlRecurrence) reference = recognise_text (spelled_reference (which), NULL, diags);
  g_autoptr (TlRecurrence) recurrence = fixed ? recognise_text (fixed, NULL, diags) : NULL;

  if (recurrence != NULL && same_recurrence (recurrence, reference))
    return TRUE;
  g_autofree char *said = diags_text (diags);
  g_printerr ("fixed:\n%s%s", fixed ? fixed : "(no fix)\n", said);
  return FALSE;
}

/* Whether @text is refused with one error of that code at that token. */
static gboolean
is_refused (const char *text, const char *code, const char *token, gboolean fixed, guint which, gboolean loud)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlRecurrence) recurrence = recognise_text (text, NULL, diags);
  const TlDiag *diag = tl_diags_count (diags) == 1 ? tl_diags_get (diags, 0) : NULL;
  gboolean      right = recurrence == NULL && diag != NULL && diag->severity == TL_SEVERITY_ERROR
                   && g_str_equal (diag->code, code) && diag->span.end > diag->span.start;

  if (right && token != NULL)
    {
      g_autofree char *at = g_strndup (text + diag->span.start, diag->span.end - diag->span.start);
      right = g_str_equal (at, token);
    }
  if (right && diag->reason == NULL && !g_str_equal (code, "loop-count") && !g_str_equal (code, "output-subscript"))
    right = FALSE;
  if (right && fixed)
    right = fix_gives_reference (text, diag, which);
  if (!right && loud)
    {
      g_autofree char *said = diags_text (diags);
      g_printerr ("expected %s at \"%s\"%s:\n%s%s\n", code, token ? token : "(anywhere)", fixed ? " with its fix" : "",
                  text, recurrence ? "(recognised)\n" : said);
    }
  return right;
}

START_TEST (near_misses_are_refused)
{
  guint wrong = 0;

  for (guint i = 0; i < G_N_ELEMENTS (misses); i++)
    {
      g_autofree char *text = program (misses[i].body, _i);
      wrong += !is_refused (text, misses[i].code, misses[i].token, misses[i].fixed, _i, TRUE);
    }
  ck_assert_uint_ge (G_N_ELEMENTS (misses), 20);
  ck_assert_uint_eq (wrong, 0);
}
END_TEST

/* The other of two values kept, and two semirings in one update. */
START_TEST (other_operations_are_refused)
{
  g_autofree char *body = g_strconcat (HEAD "    t = $T(D[i,k]; D[k,j])\n    ", semirings[_i].worse, "\n", NULL);
  g_autofree char *text = program (body, _i);

  ck_assert (is_refused (text, semirings[_i].worse_code, NULL, FALSE, _i, TRUE));
  for (guint m = 0; m < 4; m++)
    {
      g_autoptr (TlDiags) diags = tl_diags_new ();
      g_autofree char *update = g_strconcat ("  D[i,j] = ", semirings[_i].mixed[m], "  for k, i, j\n", NULL);
      g_autofree char *mixed = program (update, _i);
      g_autoptr (TlRecurrence) recurrence = recognise_text (mixed, NULL, diags);
      g_autofree char *said = diags_text (diags);

      if (recurrence != NULL || tl_diags_errors (diags) != 1)
        g_printerr ("not refused once:\n%s%s", mixed, said);
      ck_assert_ptr_null (recurrence);
      ck_assert_uint_eq (tl_diags_errors (diags), 1);
      const TlDiag *diag = tl_diags_get (diags, 0);
      if (_i != SPELL_CLOSURE)
        {
          if (!g_str_equal (diag->code, "mixed-semirings"))
            g_printerr ("%s%s", mixed, said);
          ck_assert_str_eq (diag->code, "mixed-semirings");
        }
      ck_assert_ptr_nonnull (diag->reason);
    }
}
END_TEST

/* A larger sum kept is another recurrence, and is said to be. */
START_TEST (larger_sums_are_longest_paths)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlRecurrence) reference = recognise_text (spelled_reference (SPELL_SHORTEST), NULL, diags);
  g_autofree char *text = program (HEAD "    t = $T(D[i,k]; D[k,j])\n    if t > D[i,j]: D[i,j] = t\n", SPELL_SHORTEST);
  g_autoptr (TlRecurrence) recurrence = recognise_text (text, NULL, diags);

  ck_assert_ptr_nonnull (recurrence);
  ck_assert (!same_recurrence (recurrence, reference));
  ck_assert_int_eq (recurrence->semiring->plus.kind, TL_OPERATOR_MAX);
  ck_assert (recurrence->cycle_check);
  g_autofree char *said = diags_text (diags);
  if (tl_diags_count (diags) != 1)
    g_printerr ("%s", said);
  ck_assert_uint_eq (tl_diags_count (diags), 1);
  ck_assert_str_eq (tl_diags_get (diags, 0)->code, "keeps-larger");
}
END_TEST

/* Rows that must fail: a right program, a wrong code, a wrong token. */
START_TEST (wrong_rows_fail)
{
  g_autofree char *right = program (HEAD BODY, SPELL_SHORTEST);
  g_autofree char *near = program (misses[5].body, SPELL_SHORTEST);

  ck_assert (!is_refused (right, "operand-subscripts", NULL, FALSE, SPELL_SHORTEST, FALSE));
  ck_assert (!is_refused (near, "loop-order", NULL, FALSE, SPELL_SHORTEST, FALSE));
  ck_assert (!is_refused (near, "operand-subscripts", "D[k,j]", FALSE, SPELL_SHORTEST, FALSE));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("passes-g1-near");
  TCase *tcase = tcase_create ("near");

  tcase_add_loop_test (tcase, near_misses_are_refused, 0, N_SPELLED);
  tcase_add_loop_test (tcase, other_operations_are_refused, 0, N_SPELLED);
  tcase_add_test (tcase, larger_sums_are_longest_paths);
  tcase_add_test (tcase, wrong_rows_fail);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
