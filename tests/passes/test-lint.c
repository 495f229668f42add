/* The ownership lint: when it fires, what it predicts, and that residue classes count
 * what counting counts. */
#include "passes/lint.h"
#include "support/support.h"

#include <string.h>

/* T by the words of the formula, operation by operation. */
static guint64
plain_steps (const guint16 *owner, guint32 m, guint32 p)
{
  guint64 steps = 0;

  for (guint32 k = 0; k < m; k++)
    {
      g_autofree guint64 *cross = g_new0 (guint64, p);
      g_autofree guint64 *internal = g_new0 (guint64, p);
      guint64             most_cross = 0;
      guint64             most_internal = 0;

      for (guint32 i = 0; i < m; i++)
        for (guint32 j = 0; j < m; j++)
          if ((i == k) != (j == k))
            cross[owner[i * m + j]]++;
          else if (i != k && j != k)
            internal[owner[i * m + j]]++;
      for (guint32 pu = 0; pu < p; pu++)
        {
          most_cross = MAX (most_cross, cross[pu]);
          most_internal = MAX (most_internal, internal[pu]);
        }
      steps += 1 + most_cross + most_internal;
    }
  return steps;
}

static TlOwnerRule *
modulo (guint32 m, guint32 p)
{
  g_autofree char *text = tl_owner_modulo_text (m, p);

  return tl_owner_rule_parse (text, m, p, NULL);
}

static const struct
{
  guint32  tiles;
  gboolean fires;
  guint32  owners;
  int      percent; /* -1: "none" */
} expected[] = {
  { 8, TRUE, 4, -1 },   { 16, TRUE, 2, 30 }, { 48, TRUE, 2, 22 },  { 256, TRUE, 1, 11 }, { 21, FALSE, 21, 0 },
  { 25, FALSE, 25, 0 }, { 1, FALSE, 1, 0 },  { 33, FALSE, 32, 0 }, { 2, FALSE, 2, 0 },
};

static const TlDiag *
say (TlOwnerLint *lint, guint32 tiles, TlBarriers barriers, TlDiags *diags)
{
  tl_lint_owner (lint, "modulo", tiles, 32, barriers, NULL, tl_span (0, 0), diags);
  return tl_diags_count (diags) > 0 ? tl_diags_get (diags, 0) : NULL;
}

START_TEST (fires_when_it_should)
{
  g_autoptr (TlOwnerRule) rule = modulo (expected[_i].tiles, 32);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  TlOwnerLint      lint = tl_owner_lint_rule (rule);
  const TlDiag    *diag = say (&lint, expected[_i].tiles, TL_BARRIERS_STRICT, diags);
  g_autofree char *percent = g_strdup_printf ("predicted loss %d %% of the run", expected[_i].percent);

  ck_assert_int_eq (lint.fires, expected[_i].fires);
  ck_assert_uint_eq (lint.owners, expected[_i].owners);
  ck_assert_int_eq (diag != NULL, expected[_i].fires);
  if (diag == NULL)
    return;
  ck_assert_str_eq (diag->code, "owner-columns");
  ck_assert_int_eq (diag->severity, TL_SEVERITY_WARNING);
  ck_assert_msg (strstr (diag->message, expected[_i].percent < 0 ? "predicted loss none" : percent) != NULL, "%s",
                 diag->message);
}
END_TEST

START_TEST (says_up_to_without_strict_barriers)
{
  for (TlBarriers barriers = TL_BARRIERS_DATAFLOW; barriers <= TL_BARRIERS_SUPERSTEP; barriers++)
    {
      g_autoptr (TlOwnerRule) rule = modulo (48, 32);
      g_autoptr (TlDiags) diags = tl_diags_new ();
      TlOwnerLint   lint = tl_owner_lint_rule (rule);
      const TlDiag *diag = say (&lint, 48, barriers, diags);

      ck_assert_ptr_nonnull (strstr (diag->message, "up to 22 % of the run"));
    }
}
END_TEST

START_TEST (fixes_edit_the_program)
{
  static const char text[] = "config target = gendram, owner = modulo";
  g_autoptr (TlSource) source = tl_source_new ("a.gdsl", text, -1);
  g_autoptr (TlOwnerRule) rule = modulo (16, 32);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  TlOwnerLint   lint = tl_owner_lint_rule (rule);
  const TlEdit *edit;

  tl_lint_owner (&lint, "modulo", 16, 32, TL_BARRIERS_STRICT, source, tl_span (33, 39), diags);
  tl_lint_owner (&lint, "modulo", 16, 32, TL_BARRIERS_STRICT, source, tl_span (0, 0), diags);
  edit = &g_array_index (((TlFix *) tl_diags_get (diags, 0)->fixes->pdata[0])->edits, TlEdit, 0);
  ck_assert_uint_eq (edit->span.start, 33);
  ck_assert_str_eq (edit->replacement, "skewed");
  edit = &g_array_index (((TlFix *) tl_diags_get (diags, 1)->fixes->pdata[0])->edits, TlEdit, 0);
  ck_assert_uint_eq (edit->span.start, strlen (text));
  ck_assert_str_eq (edit->replacement, "\nconfig owner = skewed\n");
}
END_TEST

/* Classes against counting against the formula's own words, on any linear rule. */
START_TEST (classes_equal_counting)
{
  guint64 state = tl_test_seed ();

  for (guint round = 0; round < 200; round++)
    {
      guint32          m = 1 + (guint32) tl_test_random_below (&state, round < 100 ? 12 : 60);
      guint32          p = 1 + (guint32) tl_test_random_below (&state, 40);
      g_autofree char *text
          = g_strdup_printf ("(i * %u + j * %u + %u) mod P", (guint) tl_test_random_below (&state, 2 * p),
                             (guint) tl_test_random_below (&state, 2 * p), (guint) tl_test_random_below (&state, p));
      g_autoptr (TlOwnerRule) rule = tl_owner_rule_parse (text, m, p, NULL);
      g_autofree guint16 *map = g_new (guint16, m * m);
      TlOwnerLint         by_rule;
      TlOwnerLint         by_map;
      guint64             most;
      guint64             copies = 0;
      guint64             plain_most = 0;

      tl_owner_rule_fill (rule, map);
      ck_assert_uint_eq (tl_owner_steps (rule), plain_steps (map, m, p));
      ck_assert_uint_eq (tl_owner_map_steps (map, m, p), plain_steps (map, m, p));
      by_rule = tl_owner_lint_rule (rule);
      by_map = tl_owner_lint_map (map, m, p);
      ck_assert_msg (by_rule.fires == by_map.fires && by_rule.owners == by_map.owners && by_rule.rows == by_map.rows
                         && by_rule.steps == by_map.steps && by_rule.skewed_steps == by_map.skewed_steps,
                     "%s, M = %u, P = %u", text, m, p);
      for (guint32 pu = 0; pu < p; pu++)
        {
          guint64 own = 0;

          for (guint32 x = 0; x < m; x++)
            {
              gboolean row = FALSE;
              gboolean column = FALSE;

              for (guint32 y = 0; y < m; y++)
                {
                  row |= map[x * m + y] == pu;
                  column |= map[y * m + x] == pu;
                }
              own += row + column;
            }
          copies += own;
          plain_most = MAX (plain_most, own);
        }
      ck_assert_uint_eq (tl_owner_copies (rule, &most), copies);
      ck_assert_uint_eq (most, plain_most);
    }
}
END_TEST

START_TEST (arbitrary_maps_are_counted)
{
  guint64 state = tl_test_seed ();

  for (guint round = 0; round < 100; round++)
    {
      guint32             m = 1 + (guint32) tl_test_random_below (&state, 24);
      guint32             p = 1 + (guint32) tl_test_random_below (&state, 9);
      g_autofree guint16 *map = g_new (guint16, m * m);
      g_autoptr (TlOwnerRule) rule = tl_owner_rule_parse ("0", m, p, NULL);

      for (guint32 x = 0; x < m * m; x++)
        {
          TlOwnerMove move = { x / m, x % m, (guint32) tl_test_random_below (&state, p) };

          map[x] = (guint16) move.pu;
          tl_owner_rule_move (rule, &move, 1);
        }
      ck_assert_uint_eq (tl_owner_map_steps (map, m, p), plain_steps (map, m, p));
      ck_assert_uint_eq (tl_owner_steps (rule), plain_steps (map, m, p));
    }
}
END_TEST

/* The reference: 264 tiles a PU, 2.06 GiB in all, at M = 256 on 32 PUs. */
START_TEST (copies_of_the_paper)
{
  g_autoptr (TlOwnerRule) rule = modulo (256, 32);
  guint64 most;
  guint64 all = tl_owner_copies (rule, &most);

  ck_assert_uint_eq (most, 264);
  ck_assert_uint_eq (all, 264 * 32);
  ck_assert_uint_eq (all * 256 * 256 * 4 >> 20, 2112);
}
END_TEST

START_TEST (rows_are_watched_too)
{
  g_autoptr (TlOwnerRule) rule = tl_owner_rule_parse ("i mod P", 32, 32, NULL);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  TlOwnerLint lint = tl_owner_lint_rule (rule);

  ck_assert (lint.fires && lint.rows && lint.owners == 1);
  ck_assert (tl_lint_owner (&lint, "i mod P", 32, 32, TL_BARRIERS_STRICT, NULL, tl_span (0, 0), diags));
  ck_assert_str_eq (tl_diags_get (diags, 0)->code, "owner-rows");
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("passes-lint");
  TCase *tcase = tcase_create ("lint");

  tcase_set_timeout (tcase, 60);
  tcase_add_loop_test (tcase, fires_when_it_should, 0, G_N_ELEMENTS (expected));
  tcase_add_test (tcase, says_up_to_without_strict_barriers);
  tcase_add_test (tcase, fixes_edit_the_program);
  tcase_add_test (tcase, classes_equal_counting);
  tcase_add_test (tcase, arbitrary_maps_are_counted);
  tcase_add_test (tcase, copies_of_the_paper);
  tcase_add_test (tcase, rows_are_watched_too);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
