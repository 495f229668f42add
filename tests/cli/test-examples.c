/* Every program in examples/ does what it is there to show. */
#include "support/support.h"
#include "tierc.h"

#include <string.h>

/* Programs that are wrong on purpose, and what check must say of them. */
static const struct
{
  const char *name;
  gint64      errors;
} mistakes[] = { { "mistakes.gdsl", 3 } };

static GPtrArray *
programs (void)
{
  g_autofree char *folder = tl_test_source_path ("examples");
  GPtrArray       *names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);

  for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir))
    if (g_str_has_suffix (name, ".gdsl"))
      g_ptr_array_add (names, g_strdup (name));
  return names;
}

static int
expected_errors (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (mistakes); i++)
    if (strcmp (mistakes[i].name, name) == 0)
      return (int) mistakes[i].errors;
  return 0;
}

START_TEST (examples_run)
{
  g_autoptr (GPtrArray) names = programs ();

  ck_assert_uint_ge (names->len, 15);
  for (guint i = 0; i < names->len; i++)
    {
      const char      *name = g_ptr_array_index (names, i);
      g_autofree char *relative = g_build_filename ("examples", name, NULL);
      g_autofree char *path = tl_test_source_path (relative);
      int              wrong = expected_errors (name);

      if (wrong > 0)
        {
          g_auto (Tierc) check = tierc (NULL, "check", "--json", path, NULL);
          g_autoptr (JsonNode) root = json_of (check.out);
          ck_assert_int_eq (check.status, 1);
          ck_assert_msg ((int) json_array_get_length (json_node_get_array (json_at (root, "diagnostics"))) == wrong,
                         "%s", check.out);
          continue;
        }
      g_auto (Tierc) memo = tierc (NULL, "run", "--json", path, NULL);
      g_auto (Tierc) full = tierc (NULL, "run", "--json", "--full", path, NULL);
      ck_assert_msg (memo.status == 0, "%s: %s", name, memo.err);
      ck_assert_str_eq (memo.out, full.out);
      g_autoptr (JsonNode) root = json_of (memo.out);
      ck_assert_uint_eq (strlen (json_text_at (root, "result.hash")), 16);
      ck_assert_int_gt (json_int_at (root, "makespan_ps"), json_int_at (root, "bound_ps") - 1);
    }
}
END_TEST

/* Values of the recurrences over constant distances, computed elsewhere. */
START_TEST (grids_have_their_scores)
{
  static const struct
  {
    const char *name;
    gint64      score;
  } rows[] = { { "affine-gaps", 154 }, { "edit-distance", 6 }, { "viterbi", -1393 } };
  g_autofree char *relative = g_strdup_printf ("examples/%s.gdsl", rows[_i].name);
  g_autofree char *path = tl_test_source_path (relative);
  g_auto (Tierc) run = tierc (NULL, "run", "--json", path, NULL);
  g_auto (Tierc) check = tierc (NULL, "check", path, NULL);

  ck_assert_int_eq (check.status, 0);
  ck_assert_msg (run.status == 0, "%s", run.err);
  g_autoptr (JsonNode) root = json_of (run.out);
  ck_assert_int_eq (json_int_at (root, "result.summary.score"), rows[_i].score);
}
END_TEST

/* Each read's header says where it was cut from: the alignment lies there. */
START_TEST (reads_lie_where_they_were_cut)
{
  g_autofree char *path = tl_test_source_path ("examples/align-reads.gdsl");
  g_autofree char *reads_path = tl_test_source_path ("examples/reads.fastq");
  g_autofree char *paf_path = g_build_filename (tl_test_folder (), "reads.paf", NULL);
  g_autofree char *reads = NULL, *paf = NULL;
  g_auto (Tierc) run = tierc (NULL, "run", path, "--result", paf_path, NULL);
  g_auto (Tierc) wrong = tierc (NULL, "run", path, "--result=x.npy", NULL);

  ck_assert_msg (run.status == 0, "%s", run.err);
  ck_assert_str_eq (run.err, "");
  ck_assert_ptr_nonnull (strstr (run.out, "\nQueue\n  10 candidates through "));
  ck_assert_int_eq (wrong.status, 2);
  ck_assert (g_file_get_contents (reads_path, &reads, NULL, NULL));
  ck_assert (g_file_get_contents (paf_path, &paf, NULL, NULL));
  g_auto (GStrv) lines = g_strsplit (reads, "\n", -1);
  g_auto (GStrv) rows = g_strsplit (paf, "\n", -1);
  for (guint k = 0; k < 10; k++)
    {
      g_auto (GStrv) words = g_strsplit (lines[4 * k], " ", -1);
      g_auto (GStrv) cells = g_strsplit (rows[k], "\t", -1);

      ck_assert_str_eq (words[0] + 1, cells[0]);
      ck_assert_str_eq (words[6], cells[4]);
      ck_assert (ABS (g_ascii_strtoll (words[2], NULL, 10) - g_ascii_strtoll (cells[7], NULL, 10)) <= 20);
      ck_assert (ABS (g_ascii_strtoll (words[4], NULL, 10) - g_ascii_strtoll (cells[8], NULL, 10)) <= 20);
    }
}
END_TEST

/* What each spelling of a shortest path says it is. */
START_TEST (the_scalar_nest_is_the_same_program)
{
  g_autofree char *nest_path = tl_test_source_path ("examples/scalar-nest.gdsl");
  g_autofree char *form_path = tl_test_source_path ("examples/shortest-roads.gdsl");
  g_autofree char *other_path = tl_test_source_path ("examples/widest-roads.gdsl");
  g_auto (Tierc) nest = tierc (NULL, "build", "--dump=g1", "--no-loc", nest_path, NULL);
  g_auto (Tierc) form = tierc (NULL, "build", "--dump=g1", "--no-loc", form_path, NULL);
  g_auto (Tierc) other = tierc (NULL, "build", "--dump=g1", "--no-loc", other_path, NULL);

  ck_assert_int_eq (nest.status, 0);
  ck_assert_str_eq (nest.out, form.out);
  ck_assert_str_ne (nest.out, other.out);
}
END_TEST

START_TEST (reliability_by_hand)
{
  g_autofree char *path = tl_test_source_path ("examples/reliability.gdsl");
  g_auto (Tierc) run = tierc (NULL, "run", "--result=r.csv", path, NULL);
  g_autofree char *text = get_file ("r.csv", NULL);

  ck_assert_msg (run.status == 0, "%s", run.err);
  /* From the first node: 0.875, 0.875 0.9375, 0.82 0.75 0.625 0.96875 against 0.82 0.5, 0.25 or 0.82 0.75 0.625, ... */
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  ck_assert_str_eq (lines[0], "1,0.875,0.8203125,0.41015625,0.3973388671875,0.615234375");
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("cli-examples");
  TCase *tcase = tcase_create ("examples");

  tcase_set_timeout (tcase, 300);
  tcase_add_test (tcase, examples_run);
  tcase_add_test (tcase, the_scalar_nest_is_the_same_program);
  tcase_add_loop_test (tcase, grids_have_their_scores, 0, 3);
  tcase_add_test (tcase, reads_lie_where_they_were_cut);
  tcase_add_test (tcase, reliability_by_hand);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
