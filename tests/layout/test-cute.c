/* The CuTe algebra against the table of outside values. */
#include "layout/cute.h"
#include "oracle.h"

#include <string.h>

static TlCute *
run (const char *op, char **operands, char **reason)
{
  g_autoptr (TlCute) a = tl_cute_parse (operands[0], NULL);
  g_autoptr (TlCute) b = operands[1] != NULL ? tl_cute_parse (operands[1], NULL) : NULL;

  ck_assert_ptr_nonnull (a);
  if (g_str_equal (op, "composition"))
    return tl_cute_compose (a, b, reason);
  if (g_str_equal (op, "complement"))
    return tl_cute_complement (a, g_ascii_strtoull (operands[1], NULL, 10), reason);
  if (g_str_equal (op, "coalesce"))
    return tl_cute_coalesce (a);
  if (g_str_equal (op, "logical_divide"))
    return tl_cute_divide (a, b, reason);
  if (g_str_equal (op, "logical_product"))
    return tl_cute_product (a, b, reason);
  if (g_str_equal (op, "right_inverse"))
    return tl_cute_right_inverse (a);
  ck_assert_str_eq (op, "left_inverse");
  return tl_cute_left_inverse (a, reason);
}

static gboolean
row_agrees (const GPtrArray *table, guint row, const char *result)
{
  g_auto (GStrv) operands = g_strsplit (tl_test_cell (table, row, "operands"), " | ", 2);
  g_autofree char *reason = NULL;
  g_autoptr (TlCute) ours = run (tl_test_cell (table, row, "op"), operands, &reason);
  g_autofree char *text = ours != NULL ? tl_cute_to_text (ours) : g_strdup (reason);
  g_autoptr (GString) values = g_string_new (NULL);

  g_strdelimit (text, ",", ' ');
  for (guint64 i = 0; ours != NULL && i < MIN (tl_cute_size (ours), 256); i++)
    oracle_append (values, (gint64) tl_cute_at (ours, i));
  if (g_str_equal (text, result) && g_str_equal (values->str, tl_test_cell (table, row, "values_by_1d_coord")))
    return TRUE;
  g_print ("%s %s: %s, not %s\n", tl_test_cell (table, row, "op"), tl_test_cell (table, row, "operands"), text, result);
  return FALSE;
}

START_TEST (rows_are_equal)
{
  g_autoptr (GPtrArray) table = oracle_table ("cute-algebra.csv");
  guint wrong = 0;

  if (table == NULL)
    return;
  for (guint row = 1; row < table->len; row++)
    wrong += !row_agrees (table, row, tl_test_cell (table, row, "result"));
  ck_assert_uint_eq (table->len, 81);
  ck_assert_uint_eq (wrong, 0);
  ck_assert (!row_agrees (table, 1, "12:1"));
}
END_TEST

START_TEST (what_does_not_divide_is_refused)
{
  static const char *const pairs[][2]
      = { { "(6,4):(1,6)", "4:4" }, { "(6,4):(1,8)", "9:1" }, { "(10,2):(1,16)", "4:3" } };

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      g_autofree char *reason = NULL;
      g_autoptr (TlCute) a = tl_cute_parse (pairs[i][0], NULL);
      g_autoptr (TlCute) b = tl_cute_parse (pairs[i][1], NULL);
      g_autoptr (TlCute) c = tl_cute_compose (a, b, &reason);

      if (i > 0)
        ck_assert_ptr_null (c);
      ck_assert (c != NULL || reason != NULL);
    }
  static const char *const bad[] = { "", "(", "(2,3):(1)", "2:x", "0:1", "(2,3):(1,2) 4", "99999999999999999999:1" };
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *reason = NULL;

      ck_assert_ptr_null (tl_cute_parse (bad[i], &reason));
      ck_assert_ptr_nonnull (reason);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("layout-cute");
  TCase *tcase = tcase_create ("cute");

  tcase_add_test (tcase, rows_are_equal);
  tcase_add_test (tcase, what_does_not_divide_is_refused);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
