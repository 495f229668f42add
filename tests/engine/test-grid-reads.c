/* Real genomes and the reads cut from them, whole files: half a billion cells each. */
#include "support-engine.h"

#include "engine/grid-run.h"

#include <stdio.h>

#define ALIGN                                                                                                          \
  "algorithm align\n  H[i,j] = max(0, H[i-1,j-1] + score(q[i], r[j]), H[i-1,j] - gap, H[i,j-1] - gap)  for i, j"
static TlGridRun *
run_grid (const char *text, TlInputs *inputs)
{
  g_autoptr (TlBuild) build = tl_build ("p.gdsl", text, strlen (text), inputs, NULL, NULL, NULL);
  TlGridRunOptions options = { .trace = TRUE };

  ck_assert_ptr_nonnull (build->grid);
  TlGridRun *run = tl_grid_run (build, &options);
  ck_assert (run->complete);
  return run;
}

static const TlGridHit *
hit_of (const TlGridRun *run, guint k)
{
  return &g_array_index (run->hits, TlGridHit, k);
}

static const struct
{
  const char *reads;
  const char *genome;
  const char *band;
} cases[] = {
  { "lambda-pacbio15", "lambda.fa", "15%" },
  { "lambda-ont2d30", "lambda.fa", "30%" },
  { "shigellaA-pacbio15", "shigellaA.fa", "15%" },
  { "shigellaA-ont2d30", "shigellaA.fa", "30%" },
  { "lambda-pacbio15", "lambda.fa", "adaptive(64, 15%)" },
  { "lambda-ont2d30", "lambda.fa", "adaptive(64, 30%)" },
  { "shigellaA-pacbio15", "shigellaA.fa", "adaptive(64, 15%)" },
  { "shigellaA-ont2d30", "shigellaA.fa", "adaptive(64, 30%)" },
};

/* Reads of @reads against @genome within @band. */
static TlGridRun *
run_reads (const char *folder, const char *reads, const char *genome, const char *band)
{
  g_autoptr (TlInputs) inputs = tl_inputs_new_folder (folder, NULL);
  g_autofree char *text = g_strdup_printf (
      ALIGN " within band\ndata q = reads(\"%s.fastq\")\ndata r = sequence(\"%s\")\ndata PTR, CAL = index(r, k = 11)\n"
            "data hits = stream(PTR, CAL, q)\nconfig target = gendram, mode = pipeline\n"
            "config score = match 2 mismatch -4, gap = 2\nconfig band = %s\n",
      reads, genome, band);

  return run_grid (text, inputs);
}

/* Real reads: at least 90 % within 50 bases of their truth; the figures are printed. */
START_TEST (simulated_reads_land_near_their_truth)
{
  g_autofree char *reads_name = g_strdup_printf ("data/%s.fastq", cases[_i].reads);
  g_autofree char *truth_name = g_strdup_printf ("data/%s.truth.tsv", cases[_i].reads);
  g_autofree char *reads = tl_test_shared_path (reads_name), *truth = tl_test_shared_path (truth_name);
  g_autofree char *genome = tl_test_shared_path ("data/lambda.fa");
  g_autofree char *table = NULL;
  guint            near = 0, seen = 0;

  if (reads == NULL || truth == NULL || genome == NULL)
    {
      tl_test_skip ("%s is not there", reads_name);
      return;
    }
  g_autofree char *folder = g_path_get_dirname (genome);
  g_autoptr (TlGridRun) run = run_reads (folder, cases[_i].reads, cases[_i].genome, cases[_i].band);
  ck_assert (g_file_get_contents (truth, &table, NULL, NULL));
  g_auto (GStrv) lines = g_strsplit (table, "\n", -1);
  for (guint l = 1; lines[l] != NULL && lines[l][0] != '\0'; l++)
    {
      g_auto (GStrv) cells = g_strsplit (lines[l], "\t", -1);
      const TlGridHit *hit = hit_of (run, seen++);

      ck_assert_str_eq (hit->query, cells[0]);
      near += hit->found && hit->reverse == (cells[3][0] == '-')
              && ABS ((gint64) hit->start_j - g_ascii_strtoll (cells[1], NULL, 10)) <= 50;
    }
  printf (
      "%s, band = %s: %u of %u reads (%.1f %%) within 50 bases of their truth; %" G_GUINT64_FORMAT " cells, %.2f s\n",
      cases[_i].reads, cases[_i].band, near, seen, 100.0 * near / MAX (seen, 1), run->cells, (double) run->ns / 1e9);
  ck_assert_uint_eq (seen, run->hits->len);
  ck_assert (near * 10 >= seen * 9);
}
END_TEST

/* Reads of a real sequencer, whose truth nobody knows: how many are found, and that a band that
 * moves finds what a fixed one does. The figures are printed. */
START_TEST (real_reads_are_found)
{
  g_autofree char *genome = tl_test_shared_path ("data/lambda.fa");
  g_autofree char *reads = tl_test_shared_path ("data/lambda-ont-real.fastq");
  guint            same = 0, near = 0, both = 0;

  if (genome == NULL || reads == NULL)
    {
      tl_test_skip ("lambda-ont-real is not there");
      return;
    }
  g_autofree char *folder = g_path_get_dirname (genome);
  g_autoptr (TlGridRun) fixed = run_reads (folder, "lambda-ont-real", "lambda.fa", "15%");
  g_autoptr (TlGridRun) moving = run_reads (folder, "lambda-ont-real", "lambda.fa", "adaptive(128, 15%)");
  for (guint k = 0; k < fixed->hits->len; k++)
    {
      const TlGridHit *one = hit_of (fixed, k), *other = hit_of (moving, k);

      if (!one->found || !other->found)
        continue;
      both++;
      same += one->value == other->value;
      near += one->reverse == other->reverse && ABS ((gint64) one->start_j - (gint64) other->start_j) <= 50;
    }
  printf ("lambda-ont-real: %" G_GUINT64_FORMAT
          " of %u reads mapped; band = adaptive(128, 15%%): %u of %u with the same "
          "score, %u within 50 bases, %.1f %% of the cells\n",
          fixed->mapped, fixed->hits->len, same, both, near, 100.0 * (double) moving->cells / (double) fixed->cells);
  ck_assert_uint_eq (both, fixed->mapped);
  ck_assert (near * 10 >= both * 9);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("engine-grid-reads");
  TCase *tcase = tcase_create ("reads");

  tcase_set_timeout (tcase, 200);
  tcase_add_loop_test (tcase, simulated_reads_land_near_their_truth, 0, G_N_ELEMENTS (cases));
  tcase_add_test (tcase, real_reads_are_found);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
