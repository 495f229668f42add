/* The figures of this version beside their budgets. Prints, never judges: time on a
 * shared machine is no pass or fail. What is exact (memoised equals full) is judged. */
#include "base/number.h"
#include "dram/event-file.h"
#include "dram/replay.h"
#include "engine/grid-run.h"
#include "engine/run.h"
#include "figure.h"
#include "sim/moment.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* The i-th unit of 64 bytes of tile rows: 64 rows of two at a stride of 128, then two on. */
static guint
tile_unit (guint i)
{
  return i / 128 * 2 + i / 2 % 64 * 128 + i % 2;
}

/* Counting in order from memory, one core; then as tierc does it, reading text. */
static void
bench_in_order (void)
{
  enum
  {
    REQUESTS = 1000000,
    ROUNDS = 5
  };
  const char *const overrides[] = { "quantum=64 B", NULL };
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlTarget) target = tl_target_load ("cu-t8b16", NULL, overrides, NULL, tl_span (0, 0), diags);
  g_autoptr (TlInOrder) counter = tl_in_order_new (tl_target_map (target), TL_PAGES_OPEN);
  g_autofree guint64 *units = g_new (guint64, REQUESTS);
  g_autoptr (GString) text = g_string_new (NULL);
  double best = G_MAXDOUBLE;

  for (guint i = 0; i < REQUESTS; i++)
    {
      units[i] = tile_unit (i);
      g_string_append_printf (text, "LD 0x%" G_GINT64_MODIFIER "x\n", units[i] * 64);
    }
  for (guint round = 0; round < ROUNDS; round++)
    {
      gint64 from = g_get_monotonic_time ();
      tl_in_order_feed (counter, units, REQUESTS);
      best = MIN (best, seconds_since (from));
    }
  bench_figure ("counting in order, a million requests in memory", "300 M/s", "%.0f M/s", REQUESTS / best / 1e6);

  g_autoptr (GInputStream) stream = g_memory_input_stream_new_from_data (text->str, text->len, NULL);
  g_autoptr (TlTrace) trace = tl_trace_new (stream, "bench");
  TlReplayOptions options = { .pages = TL_PAGES_OPEN };
  TlInOrderCounts counts;
  gint64          from = g_get_monotonic_time ();
  if (tl_replay_in_order (trace, target, &options, &counts, diags))
    bench_figure ("  the same from its text", "", "%.0f M/s", REQUESTS / seconds_since (from) / 1e6);
}

static gboolean
keep_events (const TlEvent *events, gsize n, gpointer data)
{
  g_array_append_vals (data, events, (guint) n);
  return TRUE;
}

/* The engine's events of random reads into an event file in memory, and back. */
static void
bench_event_file (void)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlTarget) target = tl_target_load ("cu-t8b16", NULL, NULL, NULL, tl_span (0, 0), diags);
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (TlEvent));
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autofree TlEvent *read = g_new (TlEvent, TL_EVENT_CHUNK);
  guint64             state = 7;
  TlEngineOptions     options;

  tl_engine_options_init (&options, target);
  options.sink = keep_events;
  options.sink_data = events;
  g_autoptr (TlEngine) engine = tl_engine_new (tl_target_memory (target), tl_target_map (target), &options);
  for (guint i = 0; i < 400000; i++)
    {
      TlAccess access = { .unit = tl_test_random_below (&state, 1u << 23) };
      if (!tl_engine_feed (engine, &access, 1, NULL))
        return;
    }
  tl_engine_finish (engine);
  g_autoptr (TlEventWriter) writer = tl_event_writer_new (stream, "", tl_target_memory (target)->clock, FALSE, NULL);
  double from = bench_cpu_seconds ();
  tl_event_writer_add (writer, (const TlEvent *) (void *) events->data, events->len, NULL);
  tl_event_writer_close (writer, NULL);
  bench_figure ("event file, random reads: CPU to write an event", "40 ns", "%.0f ns",
                (bench_cpu_seconds () - from) / events->len * 1e9);
  g_output_stream_close (stream, NULL, NULL);
  g_autoptr (GBytes) bytes = g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (stream));
  bench_figure ("  its size an event", "3 bytes", "%.2f bytes", (double) g_bytes_get_size (bytes) / events->len);
  g_autoptr (TlEventFile) file = tl_event_file_new (bytes, NULL);
  from = bench_cpu_seconds ();
  for (guint c = 0; c < tl_event_file_chunks (file); c++)
    tl_event_file_read (file, c, read, NULL);
  bench_figure ("  and CPU to read it", "", "%.0f ns", (bench_cpu_seconds () - from) / events->len * 1e9);
}

/* What was measured of other simulators on such a machine: the same organisation,
 * timings and patterns, a million reads, rows with waiting hits kept, no refresh. */
typedef struct
{
  const char *pattern;
  const char *budget;
  const char *peers;
} Load;

/* The scheduled engine with all its counters and causes. */
static void
bench_scheduled (void)
{
  enum
  {
    REQUESTS = 1000000,
    ROUNDS = 5
  };
  static const Load loads[] = {
    { "sequential", "10 M/s", "other simulators 1.03 and 0.09 M/s" },
    { "random", "5 M/s", "other simulators 0.58 and 0.18 M/s" },
    { "tile", "8 M/s", "other simulators 0.62 and 0.19 M/s" },
  };
  g_autofree char  *folder = tl_test_source_path ("tests/targets");
  const char *const folders[] = { folder, NULL };
  TlTargetSearch    search = { .folders = folders };
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlTarget) target = tl_target_load ("peer-tier8", &search, NULL, NULL, tl_span (0, 0), diags);
  g_autofree TlAccess *accesses = g_new0 (TlAccess, REQUESTS);
  TlEngineOptions      options;

  tl_engine_options_init (&options, target);
  for (guint l = 0; l < G_N_ELEMENTS (loads); l++)
    {
      guint64 state = 1;
      double  best = G_MAXDOUBLE, cycles = 0;

      for (guint i = 0; i < REQUESTS; i++)
        accesses[i].unit = l == 0 ? i : l == 1 ? tl_test_random_below (&state, 1 << 23) : tile_unit (i);
      for (guint round = 0; round < ROUNDS; round++)
        {
          g_autoptr (TlEngine) engine = tl_engine_new (tl_target_memory (target), tl_target_map (target), &options);
          TlEngineTotals totals;
          double         from = bench_cpu_seconds ();
          tl_engine_feed (engine, accesses, REQUESTS, NULL);
          tl_engine_finish (engine);
          double took = bench_cpu_seconds () - from;
          best = MIN (best, took);
          tl_engine_totals (engine, &totals);
          cycles = (double) totals.makespan / 1000;
        }
      g_autofree char *what = g_strdup_printf ("scheduling a million reads, %s, of CPU time", loads[l].pattern);
      bench_figure (what, loads[l].budget, "%.2f M/s", REQUESTS / best / 1e6);
      g_autofree char *beside = g_strdup_printf ("  %s; its cycles", loads[l].peers);
      bench_figure (beside, "", "%.0f", cycles);
    }
}

/* Runs tierc on what @argv has after its name; its wall time in seconds, or a negative
 * number, and its peak memory in bytes. */
static double
run_child (const char *const *argv, double *peak)
{
  g_autofree char *tierc = g_build_filename (g_getenv ("TL_BUILD_ROOT"), "src", "cli", "tierc", NULL);
  struct rusage    usage;
  int              status;
  gint64           from = g_get_monotonic_time ();
  pid_t            child = fork ();

  if (child == 0)
    {
      if (freopen ("/dev/null", "w", stdout) != NULL)
        execv (tierc, (char *const *) argv);
      _exit (127);
    }
  if (child < 0 || wait4 (child, &status, 0, &usage) != child || !WIFEXITED (status) || WEXITSTATUS (status) != 0)
    return -1;
  *peak = (double) usage.ru_maxrss * 1024;
  return seconds_since (from);
}

/* A replay of a million requests as text, for its memory. */
static void
bench_replay_memory (void)
{
  g_autofree char  *path = g_build_filename (tl_test_folder (), "tile.trace", NULL);
  const char *const argv[] = { "tierc", "replay", "--target=cu-t8b16", "--set=quantum=64", path, NULL };
  g_autoptr (GString) text = g_string_new (NULL);
  double peak;

  for (guint i = 0; i < 1000000; i++)
    g_string_append_printf (text, "LD 0x%x\n", tile_unit (i) * 64);
  if (!g_file_set_contents (path, text->str, (gssize) text->len, NULL))
    return;
  double took = run_child (argv, &peak);
  if (took < 0)
    return;
  bench_figure ("tierc replay of a million reads as text, both counts", "", "%.2f s", took);
  bench_figure ("  its peak memory; other simulators 35 and 13 MB", "30 MB", "%.1f MB", peak / 1e6);
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
  double took = run_child (argv, &peak);
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
  g_autoptr (TlGridRun) run = tl_grid_run (aligned, &(TlGridRunOptions) { .trace = TRUE, .threads = 2 });
  bench_figure ("40 PacBio reads of lambda in their bands, two threads", "3 s", "%.2f s", (double) run->ns / 1e9);
  bench_figure ("  the same, processor time of both", "6 s", "%.2f s", bench_cpu_seconds () - cpu);
}

int
main (int argc, char **argv)
{
  gboolean full = argc < 2 || strcmp (argv[1], "--short") != 0;

  printf ("%-62s %12s %14s\n", "", "budget", "here");
  bench_compile ("compile 65,536 nodes to streams", "road(65536, 7)");
  bench_compile ("compile 5,242 nodes to streams", "graph(\"ca-GrQc.txt\")");
  bench_moments ();
  bench_in_order ();
  bench_scheduled ();
  bench_replay_memory ();
  bench_event_file ();
  bench_values ();
  bench_alignment ();
  bench_memory ();
  return bench_simulate (full) ? EXIT_SUCCESS : EXIT_FAILURE;
}
