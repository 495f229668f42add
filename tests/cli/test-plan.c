/* tierc plan on bare sequences. */
#include "support/support.h"
#include "tierc.h"

#include <stdio.h>
#include <string.h>

/* The JSON members equal the table of known values, row by row. */
START_TEST (known_values)
{
  static const struct
  {
    const char *column, *member;
  } cells[] = {
    { "L", "accesses" },
    { "fixed_cov", "fixed.coverage" },
    { "fixed_pairs", "fixed.pairs" },
    { "exact_w", "fixed.weight" },
    { "greedy_w", "fixed.greedy_weight" },
    { "fixed_conf", "fixed.conflicts" },
    { "ident_hit", "identity.hit" },
    { "ident_miss", "identity.miss" },
    { "ident_conf", "identity.conflict" },
    { "best_conf", "best.conflicts" },
    { "best_cov", "best.coverage" },
    { "best_nnz", "best.nonzeros" },
    { "loose_conf", "loose.conflicts" },
    { "loose_cov", "loose.coverage" },
  };
  g_autofree char *path = tl_test_shared_path ("oracle/tiledram.csv");
  guint            rows = 0;

  if (path == NULL)
    {
      tl_test_skip ("no oracle/tiledram.csv");
      return;
    }
  g_autoptr (GPtrArray) table = tl_test_read_csv (path);
  for (guint row = 1; row < table->len; row++)
    {
      if (strcmp (tl_test_cell (table, row, "kind"), "kernel") != 0)
        continue;
      g_autofree char *bits = g_strconcat ("--bits=", tl_test_cell (table, row, "n"), NULL);
      g_autofree char *columns = g_strconcat ("--columns=", tl_test_cell (table, row, "c"), NULL);
      g_autofree char *domains = g_strconcat ("--domains=", tl_test_cell (table, row, "d"), NULL);
      g_autofree char *map = g_strconcat ("--domain-map=", tl_test_cell (table, row, "D"), NULL);
      g_strdelimit (map, " ", ',');
      g_auto (Tierc) plan = tierc (tl_test_cell (table, row, "seq"), "plan", "--sequence=-", bits, columns, domains,
                                   map, "--json", NULL);
      ck_assert_msg (plan.status == 0, "%s", plan.err);
      g_autoptr (JsonNode) root = json_of (plan.out);
      for (guint i = 0; i < G_N_ELEMENTS (cells); i++)
        ck_assert_int_eq (json_int_at (root, cells[i].member),
                          g_ascii_strtoll (tl_test_cell (table, row, cells[i].column), NULL, 10));
      rows++;
    }
  ck_assert_uint_eq (rows, 18);
}
END_TEST

START_TEST (the_example)
{
  g_autofree char *path = tl_test_source_path ("examples/two-passes.txt");
  g_autofree char *sequence = g_strconcat ("--sequence=", path, NULL);
  g_auto (Tierc) text = tierc (NULL, "plan", sequence, "--bits=5", "--columns=2", "--domains=2", NULL);

  ck_assert_msg (text.status == 0, "%s", text.err);
  ck_assert_ptr_nonnull (strstr (text.out, "b1 ^ b3"));
  ck_assert_ptr_nonnull (strstr (text.out, "exact"));
}
END_TEST

START_TEST (wrong_sequences)
{
  put_file ("s", "0 1\n2 16\n", -1);
  g_auto (Tierc) range = tierc (NULL, "plan", "--sequence=s", "--bits=4", "--columns=1", "--domains=1", NULL);
  g_auto (Tierc) word = tierc ("0 one", "plan", "--sequence=-", "--bits=4", "--columns=1", "--domains=1", NULL);
  g_auto (Tierc) none = tierc (NULL, "plan", "--sequence=nowhere", "--bits=4", "--columns=1", "--domains=1", NULL);
  g_auto (Tierc) map
      = tierc ("0", "plan", "--sequence=-", "--bits=4", "--columns=1", "--domains=1", "--domain-map=16", NULL);
  g_auto (Tierc) masks
      = tierc ("0", "plan", "--sequence=-", "--bits=4", "--columns=1", "--domains=1", "--domain-map=1,2", NULL);

  ck_assert_int_eq (range.status, 1);
  ck_assert_msg (strstr (range.err, "s:2:3") != NULL && strstr (range.err, "because") != NULL, "%s", range.err);
  ck_assert_int_eq (word.status, 1);
  ck_assert_msg (strstr (word.err, "<stdin>:1:3") != NULL, "%s", word.err);
  ck_assert_int_eq (none.status, 1);
  ck_assert_ptr_nonnull (strstr (none.err, "nowhere"));
  ck_assert_int_eq (map.status, 2);
  ck_assert_int_eq (masks.status, 2);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("cli-plan");
  TCase *cases = tcase_create ("plan");

  tcase_set_timeout (cases, 60);
  tcase_add_test (cases, known_values);
  tcase_add_test (cases, the_example);
  tcase_add_test (cases, wrong_sequences);
  suite_add_tcase (suite, cases);
  return tl_test_run (suite);
}
