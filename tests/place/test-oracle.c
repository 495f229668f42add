/* Known values: domain histograms, fixed kernels, identity and free plans. */
#include <stdlib.h>
#include <string.h>

#include "place/evaluate.h"
#include "place/plan.h"
#include "place/row-kernel.h"
#include "support/support.h"

/* "7 11" -> two numbers. */
static guint
numbers (const char *text, guint16 *values, guint room)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  guint n = 0;

  for (guint i = 0; words[i] != NULL; i++)
    if (*words[i] != '\0')
      {
        ck_assert_uint_lt (n, room);
        values[n++] = (guint16) atoi (words[i]);
      }
  return n;
}

static char *
text_of (const guint16 *values, guint n)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%u", i > 0 ? " " : "", values[i]);
  return g_string_free (text, FALSE);
}

typedef struct
{
  const GPtrArray *table;
  guint            row;
  guint            wrong;
} Judge;

static void
same_text (Judge *judge, const char *name, const char *value)
{
  const char *wanted = tl_test_cell (judge->table, judge->row, name);

  if (strcmp (wanted, value) != 0)
    {
      judge->wrong++;
      g_print ("%s %s: %s, not %s\n", tl_test_cell (judge->table, judge->row, "id"), name, value, wanted);
    }
}

static void
same (Judge *judge, const char *name, guint64 value)
{
  g_autofree char *text = g_strdup_printf ("%" G_GUINT64_FORMAT, value);
  same_text (judge, name, text);
}

static void
judge_row (Judge *judge)
{
  g_autofree guint16 *units = g_new (guint16, 65536);
  guint16             rows[TL_PLACE_MAX_BITS];
  guint               n = (guint) atoi (tl_test_cell (judge->table, judge->row, "n"));
  guint               c = (guint) atoi (tl_test_cell (judge->table, judge->row, "c"));
  guint               d = (guint) atoi (tl_test_cell (judge->table, judge->row, "d"));
  guint               length = numbers (tl_test_cell (judge->table, judge->row, "seq"), units, 65536);
  guint               n_rows = numbers (tl_test_cell (judge->table, judge->row, "D"), rows, TL_PLACE_MAX_BITS);
  g_autoptr (TlSequence) sequence = tl_sequence_new (n, units, length);
  g_autoptr (TlHistogram) histogram = tl_histogram_new (n);
  g_autoptr (TlRowKernelSearch) search = tl_row_kernel_search_new (n);
  TlSubspace        domain_rows = tl_subspace_span (rows, n_rows);
  TlSubspace        domain_kernel = tl_subspace_complement (&domain_rows, n);
  TlSubspace        greedy;
  TlRowKernel       kernel;
  TlPlacement       identity;
  TlPlacementCounts counts;

  same (judge, "L", length);
  tl_histogram_count (histogram, sequence, rows, n_rows);
  tl_row_kernel_exact (search, histogram, &domain_kernel, c, 0, TL_ROW_KERNEL_NODE_LIMIT, &kernel);
  same (judge, "fixed_cov", histogram->coverage);
  same (judge, "fixed_pairs", length - histogram->coverage);
  same (judge, "exact_w", kernel.weight);
  same (judge, "greedy_w", tl_row_kernel_greedy (histogram, c, &greedy));
  same (judge, "fixed_conf", length - histogram->coverage - kernel.weight);
  ck_assert_uint_eq (tl_histogram_over (histogram, &kernel.kernel), kernel.weight);
  ck_assert_uint_eq (kernel.kernel.dim, MIN (c, domain_kernel.dim));
  ck_assert (tl_subspace_inside (&kernel.kernel, &domain_kernel) && kernel.exact);

  tl_placement_identity (n, c, d, &identity);
  ck_assert (tl_placement_evaluate (&identity, sequence, &counts));
  same (judge, "ident_hit", counts.hit);
  same (judge, "ident_miss", counts.miss);
  same (judge, "ident_conf", counts.conflict);

  TlPlanOptions options = { .columns = c, .domains = d, .step_limit = TL_PLAN_STEP_LIMIT };
  TlFreePlan    plan;
  TlLoosePlan   loose;
  tl_plan_free_domains (sequence, &options, &plan);
  tl_plan_loose (sequence, &options, &plan, &loose);
  ck_assert (plan.exact && loose.exact);
  ck_assert (tl_placement_evaluate (&plan.placement, sequence, &counts));
  ck_assert_uint_eq (counts.conflict, plan.conflicts);
  ck_assert_uint_eq (counts.coverage, plan.coverage);
  ck_assert_uint_eq (counts.hit, plan.hits);
  g_autofree char *k_text = text_of (plan.kernel.basis, plan.kernel.dim);
  g_autofree char *h_text = text_of (plan.domain_kernel.basis, plan.domain_kernel.dim);
  g_autofree char *rows_text = text_of (plan.placement.rows, n);
  same (judge, "best_conf", plan.conflicts);
  same (judge, "best_cov", plan.coverage);
  same (judge, "best_nnz", plan.placement.nonzeros);
  same_text (judge, "best_K", k_text);
  same_text (judge, "best_H", h_text);
  same_text (judge, "best_rows", rows_text);
  same (judge, "loose_conf", loose.conflicts);
  same (judge, "loose_cov", loose.coverage);
}

static GPtrArray *
read_table (void)
{
  g_autofree char *path = tl_test_shared_path ("oracle/tiledram.csv");

  if (path == NULL)
    tl_test_skip ("no oracle/tiledram.csv");
  return path != NULL ? tl_test_read_csv (path) : NULL;
}

START_TEST (kernel_rows)
{
  g_autoptr (GPtrArray) table = read_table ();
  guint rows = 0;
  Judge judge = { table };

  if (table == NULL)
    return;
  for (judge.row = 1; judge.row < table->len; judge.row++)
    if (strcmp (tl_test_cell (table, judge.row, "kind"), "kernel") == 0)
      {
        rows++;
        judge_row (&judge);
      }
  ck_assert_uint_eq (rows, 18);
  ck_assert_uint_eq (judge.wrong, 0);
}
END_TEST

/* The judge sees one wrong number of one row. */
START_TEST (a_wrong_row_fails)
{
  g_autoptr (GPtrArray) table = read_table ();
  Judge judge = { table, .row = 1 };

  if (table == NULL)
    return;
  while (strcmp (tl_test_cell (table, judge.row, "id"), "k09") != 0)
    judge.row++;
  char *cell = (char *) tl_test_cell (table, judge.row, "best_nnz");
  ck_assert_str_eq (cell, "10");
  cell[1] = '1';
  judge_row (&judge);
  ck_assert_uint_eq (judge.wrong, 1);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("place-oracle");
  TCase *cases = tcase_create ("rows");

  tcase_set_timeout (cases, 60);
  tcase_add_test (cases, kernel_rows);
  tcase_add_test (cases, a_wrong_row_fails);
  suite_add_tcase (suite, cases);
  return tl_test_run (suite);
}
