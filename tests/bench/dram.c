/* The DRAM room's figures beside their budgets and, where they were measured, those of other
 * simulators: counting, scheduling, recording, and any moment of a recorded run. Prints,
 * never judges.
 *
 *   bench-dram [--huge]   also a file of 10^8 events: 300 MB and a minute */
#include "base/number.h"
#include "dram/event-cursor.h"
#include "dram/replay.h"
#include "figure.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MILLION 1000000

static const char *const patterns[] = { "sequential", "random", "tile" };

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
      double from = bench_cpu_seconds ();
      tl_in_order_feed (counter, units, REQUESTS);
      best = MIN (best, (bench_cpu_seconds () - from));
    }
  bench_figure ("counting in order, a million requests in memory", "300 M/s", "%.0f M/s", REQUESTS / best / 1e6);

  g_autoptr (GInputStream) stream = g_memory_input_stream_new_from_data (text->str, text->len, NULL);
  g_autoptr (TlTrace) trace = tl_trace_new (stream, "bench");
  TlReplayOptions options = { .pages = TL_PAGES_OPEN };
  TlInOrderCounts counts;
  double          from = bench_cpu_seconds ();
  if (tl_replay_in_order (trace, target, &options, &counts, diags))
    bench_figure ("  the same from its text", "", "%.0f M/s", REQUESTS / (bench_cpu_seconds () - from) / 1e6);
}

/* Unit @i of a pattern. */
static guint64
unit_of (guint pattern, guint64 i, guint64 *state, guint bits)
{
  guint64 mask = (G_GUINT64_CONSTANT (1) << bits) - 1;

  return pattern == 0 ? i & mask : pattern == 1 ? tl_test_random (state) & mask : tile_unit ((guint) i) & mask;
}

/* --- scheduling --- */

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
    { "sequential", "10 M/s", "Ramulator 2.1 1.03, DRAMsim3 0.09 M/s" },
    { "random", "5 M/s", "Ramulator 2.1 0.58, DRAMsim3 0.18 M/s" },
    { "tile", "8 M/s", "Ramulator 2.1 0.62, DRAMsim3 0.19 M/s" },
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
        accesses[i].unit = unit_of (l, i, &state, 23);
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

/* --- recording --- */

typedef struct
{
  double wall;
  double cpu;  /* of the thread that runs the engine */
  double both; /* of all threads */
} Times;

static double
seconds_of (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);
  return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

static Times
times_now (void)
{
  return (Times) { seconds_of (CLOCK_MONOTONIC), seconds_of (CLOCK_THREAD_CPUTIME_ID),
                   seconds_of (CLOCK_PROCESS_CPUTIME_ID) };
}

static gboolean
write_events (const TlEvent *events, gsize n, gpointer data)
{
  return tl_event_writer_add (data, events, n, NULL);
}

/* Runs @n requests of @pattern, their events into @path (NULL: not told). */
static Times
run_and_record (const TlTarget *target, guint pattern, guint64 n, const char *path, gboolean threaded)
{
  g_autofree TlAccess *accesses = g_new0 (TlAccess, 4096);
  g_autoptr (GFile) file = path != NULL ? g_file_new_for_path (path) : NULL;
  g_autoptr (GOutputStream) stream = NULL;
  g_autoptr (TlEventWriter) writer = NULL;
  TlEngineOptions options;
  guint64         state = 7;
  guint           bits = tl_address_map_bits (tl_target_map (target));

  tl_engine_options_init (&options, target);
  if (file != NULL)
    {
      stream = G_OUTPUT_STREAM (g_file_replace (file, NULL, FALSE, G_FILE_CREATE_REPLACE_DESTINATION, NULL, NULL));
      writer = tl_event_writer_new (stream, "", tl_target_memory (target)->clock, threaded, NULL);
      options.sink = write_events;
      options.sink_data = writer;
    }
  g_autoptr (TlEngine) engine = tl_engine_new (tl_target_memory (target), tl_target_map (target), &options);
  Times from = times_now ();
  for (guint64 i = 0; i < n;)
    {
      gsize some = 0;
      for (; some < 4096 && i < n; some++, i++)
        accesses[some].unit = unit_of (pattern, i, &state, bits);
      tl_engine_feed (engine, accesses, some, NULL);
    }
  tl_engine_finish (engine);
  if (writer != NULL)
    tl_event_writer_close (writer, NULL);
  Times to = times_now ();
  if (stream != NULL)
    g_output_stream_close (stream, NULL, NULL);
  return (Times) { to.wall - from.wall, to.cpu - from.cpu, to.both - from.both };
}

/* What recording adds: pairs of runs without and with it, beside each other so that both meet the
 * same machine; the least of each time, and of the ratios the middle one. The writer alone is the
 * CPU of a run that encodes by itself, less that of the run that tells nobody. */
static void
bench_recording (void)
{
  enum
  {
    PAIRS = 7
  };
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlTarget) target = tl_target_load ("cu-t8b16", NULL, NULL, NULL, tl_span (0, 0), diags);
  g_autofree char *path = g_build_filename (tl_test_folder (), "record.events", NULL);

  for (guint p = 0; p < G_N_ELEMENTS (patterns); p++)
    {
      double ratios[PAIRS], plain = G_MAXDOUBLE, told = G_MAXDOUBLE, alone = G_MAXDOUBLE;
      double wall = G_MAXDOUBLE, wall_told = G_MAXDOUBLE;

      for (guint i = 0; i < PAIRS; i++)
        {
          Times without = run_and_record (target, p, MILLION, NULL, FALSE);
          Times with = run_and_record (target, p, MILLION, path, TRUE);
          Times both = run_and_record (target, p, MILLION, path, FALSE);
          ratios[i] = with.wall / without.wall;
          wall = MIN (wall, without.wall);
          wall_told = MIN (wall_told, with.wall);
          plain = MIN (plain, without.cpu);
          told = MIN (told, with.cpu);
          alone = MIN (alone, both.both);
        }
      double middle = bench_median (ratios, PAIRS);
      g_autoptr (TlEventFile) file = tl_event_file_open (path, NULL);
      g_autoptr (GMappedFile) bytes = g_mapped_file_new (path, FALSE, NULL);
      double           events = (double) tl_event_file_count (file);
      g_autofree char *what = g_strdup_printf ("recording %s reads: wall time, best over best", patterns[p]);
      bench_figure (what, "1.30", "%.2f", wall_told / wall);
      bench_figure ("  the middle of the pairs", "", "%.2f", middle);
      bench_figure ("  CPU of the engine's thread over that without", "1.30", "%.2f", told / plain);
      bench_figure ("  CPU to tell, encode and write an event", "40 ns", "%.0f ns", (alone - plain) / events * 1e9);
      bench_figure ("  its size", "3 bytes", "%.2f bytes", (double) g_mapped_file_get_length (bytes) / events);
    }
}

/* The same of the command, text and all. */
static void
bench_command (void)
{
  static const struct
  {
    const char *what;
    guint       pattern;
  } runs[] = { { "tierc replay --scheduled of a million random reads", 1 },
               { "tierc replay --scheduled of a million tile reads", 2 } };
  g_autofree char *path = g_build_filename (tl_test_folder (), "reads.trace", NULL);
  g_autofree char *trace = g_strdup_printf ("--trace=%s/reads.events", tl_test_folder ());

  for (guint r = 0; r < G_N_ELEMENTS (runs); r++)
    {
      const char *const plain[]
          = { "tierc", "replay", "--scheduled", "--target=cu-t8b16", "--set=quantum=64", path, NULL };
      const char *const told[]
          = { "tierc", "replay", "--scheduled", "--target=cu-t8b16", "--set=quantum=64", trace, path, NULL };
      g_autoptr (GString) text = g_string_new (NULL);
      guint64 state = 7;
      double  best = G_MAXDOUBLE, best_told = G_MAXDOUBLE, peak = 0, peak_told = 0;

      for (guint i = 0; i < MILLION; i++)
        g_string_append_printf (text, "LD 0x%" G_GINT64_MODIFIER "x\n", unit_of (runs[r].pattern, i, &state, 23) * 64);
      if (!g_file_set_contents (path, text->str, (gssize) text->len, NULL))
        return;
      g_string_free (g_steal_pointer (&text), TRUE);
      for (guint i = 0; i < 5; i++)
        {
          double without = bench_child (plain, &peak), with = bench_child (told, &peak_told);
          if (without < 0 || with < 0)
            return;
          best = MIN (best, without);
          best_told = MIN (best_told, with);
        }
      bench_figure (runs[r].what, "", "%.2f s", best);
      bench_figure ("  its peak memory; other simulators 35 and 13 MB", "30 MB", "%.1f MB", peak / 1e6);
      bench_figure ("  with --trace over without, best over best", "1.30", "%.2f", best_told / best);
      bench_figure ("  its peak memory then", "30 MB", "%.1f MB", peak_told / 1e6);
    }
}

/* --- any moment --- */

/* A file of @events events of random reads; moments of it by event and by time, each with a cursor
 * that has read nothing yet, then steps and searches with one that has. */
static void
bench_moments_of_file (guint64 events, const char *budget)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlTarget) target = tl_target_load ("cu-t8b16", NULL, NULL, NULL, tl_span (0, 0), diags);
  const TlMemory  *memory = tl_target_memory (target);
  g_autofree char *path = g_build_filename (tl_test_folder (), "moments.events", NULL);
  g_autofree char *count = tl_format_count (events);
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  guint64      state = 3, found;
  TlEventQuery query;

  run_and_record (target, 1, events / 3, path, TRUE);
  double from = bench_cpu_seconds ();
  g_autoptr (TlEventFile) file = tl_event_file_open (path, NULL);
  bench_add_time (times, from);
  if (file == NULL)
    return;
  const TlEventSummary *last = tl_event_file_summary (file, tl_event_file_chunks (file) - 1);
  printf ("%-58s %12s %12s %12s\n", count, "budget, ms", "median", "worst");
  bench_report ("  open the file", "", times);
  for (guint i = 0; i < 200; i++)
    {
      double start = bench_cpu_seconds ();
      g_autoptr (TlEventCursor) cursor = tl_event_cursor_new (file, memory);
      if (i % 2 == 0)
        tl_event_cursor_seek (cursor, tl_test_random_below (&state, tl_event_file_count (file) + 1), NULL);
      else
        tl_event_cursor_seek_time (cursor, tl_test_random_below (&state, last->to + 1), NULL);
      bench_add_time (times, start);
    }
  bench_report ("  any moment, by event or time, nothing read before", budget, times);
  g_autoptr (TlEventCursor) cursor = tl_event_cursor_new (file, memory);
  for (guint i = 0; i < 200; i++)
    {
      double start = bench_cpu_seconds ();
      tl_event_cursor_seek (cursor, tl_test_random_below (&state, tl_event_file_count (file) + 1), NULL);
      bench_add_time (times, start);
    }
  bench_report ("  any moment, with a cursor that is kept", budget, times);
  for (guint i = 0; i < 200; i++)
    {
      double start = bench_cpu_seconds ();
      tl_event_query_init (&query);
      query.classes = 1u << TL_ROW_CONFLICT;
      query.domain = (gint64) tl_test_random_below (&state, tl_memory_domains (memory));
      tl_event_cursor_find (cursor, &query, tl_test_random_below (&state, tl_event_file_count (file)), i % 2 == 0,
                            &found, NULL);
      bench_add_time (times, start);
    }
  bench_report ("  the next or previous conflict of a domain", budget, times);
  remove (path);
}

int
main (int argc, char **argv)
{
  gboolean huge = argc > 1 && strcmp (argv[1], "--huge") == 0;

  printf ("%-62s %12s %14s\n", "", "budget", "here");
  bench_command ();
  bench_in_order ();
  bench_scheduled ();
  bench_recording ();
  bench_moments_of_file (10 * MILLION, "16");
  if (huge)
    bench_moments_of_file (100 * MILLION, "50");
  return EXIT_SUCCESS;
}
