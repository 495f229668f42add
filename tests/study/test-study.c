/* Suites, their store, and the figures made of rows. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/study.h"
#include "support/support.h"

static GArray *
new_rows (void)
{
  GArray *rows = g_array_new (FALSE, TRUE, sizeof (TlStudyRow));

  g_array_set_clear_func (rows, tl_study_row_clear);
  return rows;
}

static void
add (GArray *rows, const char *name, const char *layout, guint64 requests, guint64 conflict, guint64 kernel)
{
  TlStudyRow row = { .name = g_strdup (name),
                     .layout = g_strdup (layout),
                     .requests = requests,
                     .conflict = conflict,
                     .hit = requests - conflict,
                     .replayed = requests / 2,
                     .replay_conflict = conflict / 2,
                     .replay_hit = requests / 2 - conflict / 2,
                     .kernel = kernel,
                     .compute = 10,
                     .latency = 40 };

  g_array_append_val (rows, row);
}

START_TEST (suites)
{
  static const guint sizes[] = { 108, 36, 1 };
  const char *const *names = tl_study_suites ();

  for (guint s = 0; names[s] != NULL; s++)
    {
      g_autoptr (GPtrArray) cases = tl_study_cases (names[s]);
      g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

      ck_assert_uint_eq (cases->len, sizes[s]);
      for (guint i = 0; i < cases->len; i++)
        {
          const TlStudyCase *one = g_ptr_array_index (cases, i);
          ck_assert (g_hash_table_add (seen, one->name));
          ck_assert_uint_ne (tl_study_case_key (one, 16, NULL), 0);
          ck_assert_uint_ne (tl_study_case_key (one, 16, NULL), tl_study_case_key (one, 8, NULL));
        }
    }
  ck_assert_ptr_null (tl_study_cases ("moe109"));
}
END_TEST

/* Rates weighted by requests, speed-ups by geometric mean. */
START_TEST (totals)
{
  g_autoptr (GArray) rows = new_rows ();

  add (rows, "a", "conventional", 100, 80, 400);
  add (rows, "a", "planned", 100, 10, 100);
  add (rows, "b", "conventional", 300, 120, 100);
  add (rows, "b", "planned", 300, 30, 100);
  add (rows, "c", "planned", 900, 900, 1); /* nothing to compare with */
  g_autoptr (GArray) all = tl_study_totals (rows);
  ck_assert_uint_eq (all->len, 2);
  const TlStudyTotal *plain = &g_array_index (all, TlStudyTotal, 0), *planned = &g_array_index (all, TlStudyTotal, 1);
  ck_assert_str_eq (plain->layout, "conventional");
  ck_assert (fabs (plain->conflict - 0.5) < 1e-12 && plain->speed_up == 1);
  ck_assert_uint_eq (planned->cases, 2);
  ck_assert (fabs (planned->conflict - 0.1) < 1e-12);
  ck_assert (fabs (planned->speed_up - 2) < 1e-12 && planned->least == 1 && planned->most == 4);
  ck_assert_str_eq (planned->least_case, "b");
}
END_TEST

START_TEST (the_store)
{
  g_autofree char *path = g_build_filename (tl_test_folder (), "store.db", NULL);
  g_autofree char *other = g_build_filename (tl_test_folder (), "no.db", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) rows = new_rows ();

  add (rows, "a", "conventional", 100, 80, 400);
  add (rows, "a", "planned", 100, 10, 100);
  for (guint round = 0; round < 2; round++)
    {
      g_autoptr (TlStudyStore) store = tl_study_store_open (path, &error);

      ck_assert_msg (store != NULL, "%s", error != NULL ? error->message : "");
      ck_assert_int_eq (tl_study_store_has (store, "s", "a", G_MAXUINT64 - 5), round == 1);
      ck_assert (!tl_study_store_has (store, "s", "a", 7) && !tl_study_store_has (store, "t", "a", G_MAXUINT64 - 5));
      ck_assert (tl_study_store_put (store, "s", G_MAXUINT64 - 5, rows, &error));
      g_autoptr (GArray) back = tl_study_store_rows (store, "s", &error);
      ck_assert_uint_eq (back->len, 2);
      const TlStudyRow *row = &g_array_index (back, TlStudyRow, 1);
      ck_assert_str_eq (row->layout, "planned");
      ck_assert (row->requests == 100 && row->conflict == 10 && row->kernel == 100 && row->latency == 40
                 && row->compute == 10);
    }
  ck_assert (g_file_set_contents (other, "no database at all, and long enough to be told from one", -1, NULL));
  ck_assert_ptr_null (tl_study_store_open (other, &error));
  ck_assert_ptr_nonnull (error);
}
END_TEST

/* A whole case: the rates of OLMoE up in tiles of 32 x 64 x 64 are known, 83.5 and 12.4 %. */
START_TEST (a_case)
{
  g_autoptr (GPtrArray) cases = tl_study_cases ("moe108");
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (GArray) rows = new_rows ();
  guint found = 0;

  for (guint i = 0; i < cases->len; i++)
    {
      const TlStudyCase *one = g_ptr_array_index (cases, i);

      if (strcmp (one->name, "OLMoE up 32x64x64 cu-t8b16") != 0)
        continue;
      found++;
      ck_assert (tl_study_run_case (one, 2, NULL, rows, NULL, diags));
    }
  ck_assert_uint_eq (found, 1);
  ck_assert_uint_eq (rows->len, 3);
  const TlStudyRow *plain = &g_array_index (rows, TlStudyRow, 0), *packed = &g_array_index (rows, TlStudyRow, 1);
  const TlStudyRow *planned = &g_array_index (rows, TlStudyRow, 2);
  ck_assert_uint_eq (plain->requests, 98304);
  ck_assert_uint_eq ((plain->conflict * 2000 + plain->requests) / (2 * plain->requests), 835);
  ck_assert_uint_ne ((plain->conflict * 2000 + plain->requests) / (2 * plain->requests), 836);
  ck_assert_uint_eq ((packed->conflict * 2000 + packed->requests) / (2 * packed->requests), 124);
  ck_assert_uint_le (planned->conflict, packed->conflict + packed->requests / 500);
  ck_assert (planned->kernel * 50 <= plain->kernel * 51 && plain->replayed == planned->replayed);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("study");
  TCase *cases = tcase_create ("study");

  tcase_set_timeout (cases, 60);
  tcase_add_test (cases, suites);
  tcase_add_test (cases, totals);
  tcase_add_test (cases, the_store);
  tcase_add_test (cases, a_case);
  suite_add_tcase (suite, cases);
  return tl_test_run (suite);
}
