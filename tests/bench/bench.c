/* The figures of this version beside their budgets. Prints, never judges: time on a
 * shared machine is no pass or fail. What is exact (memoised equals full) is judged. */
#include "base/number.h"
#include "engine/grid-run.h"
#include "engine/run.h"
#include "figure.h"
#include "input/sequence.h"
#include "sim/moment.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char program[] = "algorithm apsp\n"
                              "  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\n"
                              "data D: i32 = %s\n"
                              "config target = gendram%s\n";

static double
seconds_since (gint64 from)
{
  return (double) (g_get_monotonic_time () - from) / G_USEC_PER_SEC;
}

static TlBuild *
build (const char *source, const char *config)
{
  g_autofree char *text = g_strdup_printf (program, source, config);
  g_autofree char *folder = tl_test_shared_path ("data");
  g_autoptr (TlInputs) inputs = tl_inputs_new_folder (folder, NULL);
  TlBuild *result = tl_build ("bench.gdsl", text, strlen (text), inputs, NULL, NULL, NULL);

  for (guint i = 0; i < tl_diags_count (result->diags); i++)
    {
      g_autofree char *line = tl_diag_to_text (tl_diags_get (result->diags, i));
      if (tl_diags_get (result->diags, i)->severity == TL_SEVERITY_ERROR)
        fputs (line, stdout);
    }
  return result;
}

/* The file is read and N is known: everything but the inputs' stage, the best of a few. */
static void
bench_compile (const char *what, const char *source)
{
  double best = G_MAXDOUBLE;
  gsize  bytes = 0;

  for (guint i = 0; i < 20; i++)
    {
      g_autoptr (TlBuild) result = build (source, "");
      gint64 ns = 0;

      if (!result->complete)
        return;
      for (guint stage = 0; stage < TL_N_STAGES; stage++)
        if (stage != TL_STAGE_INPUTS)
          ns += result->ns[stage];
      best = MIN (best, (double) ns / 1e6);
      bytes = g_bytes_get_size (result->stream);
    }
  g_autofree char *size = tl_format_bytes (bytes);
  bench_figure (what, "2 ms", "%.2f ms", best);
  bench_figure ("  its streams", "1 MiB", "%s", size);
}

static gboolean
bench_simulate (gboolean with_full)
{
  g_autoptr (TlBuild) result = build ("road(65536, 7)", ", values = off");
  g_autoptr (TlSimRun) full = NULL;
  g_autofree char *what = NULL;

  if (!result->complete)
    return FALSE;
  gint64       from = g_get_monotonic_time ();
  TlSimOptions options = { .mode = TL_SIM_MEMO };
  g_autoptr (TlSimRun) memo = tl_sim_run (result->program, &options, NULL);
  bench_figure ("memoised run, 65,536 nodes", "0.5 s", "%.2f s", seconds_since (from));
  if (!with_full || memo == NULL)
    return memo != NULL;
  from = g_get_monotonic_time ();
  options.mode = TL_SIM_FULL;
  full = tl_sim_run (result->program, &options, NULL);
  bench_figure ("full command run, 65,536 nodes", "90 s", "%.1f s", seconds_since (from));
  gboolean equal = full != NULL && tl_sim_run_equal (memo, full, &what);
  bench_figure ("  memoised equals full to the picosecond", "equal", "%s",
                equal          ? "equal"
                : what != NULL ? what
                               : "no run");
  return equal;
}

static void
bench_values (void)
{
  g_autoptr (TlBuild) result = build ("graph(\"ca-GrQc.txt\")", "");

  if (!result->complete)
    return;
  TlRunOptions options = { .force_values = TRUE };
  g_autoptr (TlRun) run = tl_run (result, &options, NULL);
  bench_figure ("values of ca-GrQc, 5,242 nodes, 1.44 x 10^11 updates", "4 s", "%.2f s", (double) run->values_ns / 1e9);
}

/* Ten moments in each tenth of a trace of about a million events. */
static void
bench_moments (void)
{
  g_autoptr (TlBuild) result = build ("road(720, 7)", ", tile = 64, values = off");

  if (!result->complete)
    return;
  g_autoptr (TlSimRun) run = tl_sim_run (result->program, NULL, NULL);
  g_autoptr (TlSimTrace) trace = run != NULL ? tl_sim_trace_new (run, 0, G_MAXUINT64, 1u << 26, NULL, NULL) : NULL;
  if (trace == NULL)
    return;
  guint64 n = tl_sim_trace_count (trace);
  double  middle[10];
  for (guint tenth = 0; tenth < 10; tenth++)
    {
      double times[10];

      for (guint i = 0; i < 10; i++)
        {
          gint64 from = g_get_monotonic_time ();
          g_autoptr (TlSimMoment) moment = tl_sim_trace_moment (trace, n / 100 * (tenth * 10 + i) + i);
          times[i] = seconds_since (from) * 1e3;
        }
      middle[tenth] = bench_median (times, 10);
    }
  g_autofree char *count = tl_format_count (n);
  g_autofree char *what = g_strdup_printf ("any moment of %s events, median of the last tenth", count);
  bench_figure (what, "16 ms", "%.2f ms", middle[9]);
  bench_figure ("  over that of the first tenth", "1.5", "%.2f", middle[0] > 0 ? middle[9] / middle[0] : 0);
}

/* A run of the largest program, for its memory. */
static void
bench_memory (void)
{
  g_autofree char  *path = g_build_filename (tl_test_folder (), "memory.gdsl", NULL);
  g_autofree char  *text = g_strdup_printf (program, "road(65536, 7)", ", values = off");
  const char *const argv[] = { "tierc", "run", "--json", path, NULL };
  double            peak;

  if (!g_file_set_contents (path, text, -1, NULL))
    return;
  double took = bench_child (argv, &peak);
  if (took < 0)
    return;
  bench_figure ("tierc run --json, 65,536 nodes, without values", "", "%.2f s", took);
  bench_figure ("  its peak memory", "200 MB", "%.0f MB", peak / 1e6);
}

/* The nine lines on the 40 PacBio reads of lambda: compiled, seeded, aligned in their bands. */
static void
bench_alignment (void)
{
  static const char text[]
      = "algorithm align\n"
        "  H[i,j] = max(0, H[i-1,j-1] + score(q[i], r[j]), H[i-1,j] - gap, H[i,j-1] - gap)  for i, j within band\n"
        "data q = reads(\"lambda-pacbio15.fastq\")\ndata r = sequence(\"lambda.fa\")\n"
        "data PTR, CAL = index(r, k = 11)\ndata hits = stream(PTR, CAL, q)\n"
        "config target = gendram, mode = pipeline\nconfig score = match 2 mismatch -4, gap = 2\nconfig band = 15%\n";
  g_autofree char *folder = tl_test_shared_path ("data");
  double           best = G_MAXDOUBLE;

  if (folder == NULL)
    return;
  g_autoptr (TlInputs) inputs = tl_inputs_new_folder (folder, NULL);
  g_autoptr (TlBuild) aligned = NULL;
  for (guint i = 0; i < 5; i++)
    {
      g_clear_pointer (&aligned, tl_build_unref);
      aligned = tl_build ("bench.gdsl", text, strlen (text), inputs, NULL, NULL, NULL);
      gint64 ns = 0;
      for (TlStage s = TL_STAGE_TEXT; s < TL_N_STAGES; s++)
        ns += s == TL_STAGE_INPUTS ? 0 : aligned->ns[s];
      best = MIN (best, (double) ns / 1e6);
    }
  bench_figure ("compile the nine lines of alignment to wavefronts", "2 ms", "%.2f ms", best);
  double cpu = bench_cpu_seconds ();
  double begun = bench_cpu_seconds ();
  g_autoptr (TlGridRun) timed = tl_grid_run (aligned, &(TlGridRunOptions) { .time = TRUE, .skip_values = TRUE });
  if (timed->sim != NULL)
    {
      guint64 letters = 0;

      for (guint k = 0; k < timed->hits->len; k++)
        letters += g_array_index (timed->hits, TlGridHit, k).rows;
      bench_figure ("simulate 10,000 letters of these reads, processor time", "50 ms", "%.1f ms",
                    (bench_cpu_seconds () - begun) * 1e3 * 10000 / (double) MAX (letters, 1));
    }
  g_autoptr (TlGridRun) run = tl_grid_run (aligned, &(TlGridRunOptions) { .trace = TRUE, .threads = 2 });
  bench_figure ("40 PacBio reads of lambda in their bands, two threads", "3 s", "%.2f s", (double) run->ns / 1e9);
  bench_figure ("  the same, processor time of both", "6 s", "%.2f s", bench_cpu_seconds () - cpu);
}

/* Cells of a whole table in a second, of two sequences of 10,000 letters, without a way. */
static void
bench_cells (void)
{
#define TABLES(floor)                                                                                                  \
  "algorithm a\n  H[i,j] = max(" floor "H[i-1,j-1] + score(q[i], r[j]), E[i,j], F[i,j])  for i, j\n"                   \
  "  E[i,j] = max(H[i,j-1] - gap.open - gap.extend, E[i,j-1] - gap.extend)  for i, j\n"                                \
  "  F[i,j] = max(H[i-1,j] - gap.open - gap.extend, F[i-1,j] - gap.extend)  for i, j\n"
#define DATA "data q = sequence(\"q\")\ndata r = sequence(\"r\")\n"
  static const struct
  {
    const char *what;
    const char *text;
  } rows[] = {
    { "cells of edit distances, one thread",
      "algorithm e\n  E[i,j] = min(E[i-1,j-1] + (q[i] != r[j]), E[i-1,j] + 1, E[i,j-1] + 1)  for i, j\n"
      "  E[i,0] = i\n  E[0,j] = j\n" DATA },
    { "  of local alignment, linear gaps",
      "algorithm a\n  H[i,j] = max(0, H[i-1,j-1] + score(q[i], r[j]), H[i-1,j] - gap, H[i,j-1] - gap)  for i, j\n" DATA
      "config score = match 2 mismatch -4, gap = 2\n" },
    { "  of local alignment, affine gaps",
      TABLES ("0, ") DATA "config score = match 2 mismatch -4, gap = open 4 extend 1\n" },
    { "  of global alignment, affine gaps, scores of a matrix",
      TABLES ("") "  H[0,0] = 0\n  H[i,0] = -gap.open - gap.extend * i\n  H[0,j] = -gap.open - gap.extend * j\n" DATA
                  "config score = matrix \"own\", gap = open 4 extend 1\n" },
    { "  of local alignment in i16, with its range checked",
      "algorithm a\n  H[i,j] = max(0, H[i-1,j-1] + score(q[i], r[j]), H[i-1,j] - gap, H[i,j-1] - gap)  for i, j\n"
      "data H: i16\n" DATA "config score = match 2 mismatch -4, gap = 2\n" },
  };
  g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();
  g_autoptr (GBytes) own
      = g_bytes_new_static ("  A C G T\nA 2 -3 -1 -3\nC -3 2 -3 -1\nG -1 -3 2 -3\nT -3 -1 -3 2\n", 62);

  for (guint side = 0; side < 2; side++)
    {
      g_autoptr (TlSequences) letters = tl_sequences_generate (10000, 5 + side);
      g_autofree char *text = g_strdup_printf (">x\n%.10000s\n", letters->letters);
      g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
      tl_inputs_add (inputs, side == 0 ? "q" : "r", bytes);
    }
  tl_inputs_add (inputs, "own", own);
  for (guint k = 0; k < G_N_ELEMENTS (rows); k++)
    {
      g_autoptr (TlBuild) build
          = tl_build ("bench.gdsl", rows[k].text, strlen (rows[k].text), inputs, NULL, NULL, NULL);
      double best = 0;

      for (guint i = 0; i < 3; i++)
        {
          double begun = bench_cpu_seconds ();
          g_autoptr (TlGridRun) run = tl_grid_run (build, &(TlGridRunOptions) { .threads = 1 });
          best = MAX (best, (double) run->cells / 1e9 / MAX (bench_cpu_seconds () - begun, 1e-9));
        }
      bench_figure (rows[k].what, "", "%.2f G/s", best);
    }
#undef TABLES
#undef DATA
}

int
main (int argc, char **argv)
{
  gboolean full = argc < 2 || strcmp (argv[1], "--short") != 0;

  printf ("%-62s %12s %14s\n", "", "budget", "here");
  bench_compile ("compile 65,536 nodes to streams", "road(65536, 7)");
  bench_compile ("compile 5,242 nodes to streams", "graph(\"ca-GrQc.txt\")");
  bench_moments ();
  bench_values ();
  bench_alignment ();
  bench_cells ();
  bench_memory ();
  return bench_simulate (full) ? EXIT_SUCCESS : EXIT_FAILURE;
}
