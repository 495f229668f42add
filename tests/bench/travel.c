/* Time travel in a run of the scheduled engine, in CPU time beside its budget: making it,
 * going anywhere, a command on and back, rare events sought. Prints, never judges. */
#include "dram/replay-cursor.h"
#include "figure.h"
#include "support/support.h"
#include "target/target.h"

#include <stdio.h>
#include <stdlib.h>

static TlAccessLog *
log_of (guint64 n, const char *pattern, TlAddressMap *map)
{
  TlAccessLog *log = tl_access_log_new (256 << 20);
  guint64      state = 11, mask = (G_GUINT64_CONSTANT (1) << tl_address_map_bits (map)) - 1;

  for (guint64 i = 0; i < n; i++)
    {
      TlAccess access = { .unit = pattern[0] == 'r' ? tl_test_random (&state) & mask : i & mask };
      tl_access_log_add (log, &access, NULL, 1, NULL);
    }
  tl_access_log_close (log, NULL);
  return log;
}

static void
seek_about (TlReplayRun *run)
{
  g_autoptr (TlReplayCursor) cursor = tl_replay_cursor_new (run);
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  guint64      state = 3, events = tl_replay_run_events (run), found;
  TlEventQuery query;

  for (guint i = 0; i < 200; i++)
    {
      double from = bench_cpu_seconds ();
      tl_replay_cursor_at_event (cursor, tl_test_random_below (&state, events + 1), NULL);
      bench_add_time (times, from);
    }
  bench_report ("  any moment, by event", "16", times);
  for (guint i = 0; i < 200; i++)
    {
      double from = bench_cpu_seconds ();
      tl_replay_cursor_at_time (cursor, tl_test_random_below (&state, tl_replay_run_end (run) + 1), NULL);
      bench_add_time (times, from);
    }
  bench_report ("  any moment, by time", "16", times);
  for (guint i = 0; i < 500; i++)
    {
      double from = bench_cpu_seconds ();
      tl_replay_cursor_step (cursor, TL_STEP_TO_COMMAND, FALSE, NULL);
      bench_add_time (times, from);
    }
  bench_report ("  a command back, 500 in a row", "16", times);
  tl_event_query_init (&query);
  query.classes = 1u << TL_ROW_CONFLICT;
  for (guint i = 0; i < 30; i++)
    {
      query.domain = (gint64) tl_test_random_below (&state, tl_memory_domains (tl_replay_run_memory (run)));
      query.row = (gint64) tl_test_random_below (&state, 8192);
      double from = bench_cpu_seconds ();
      tl_replay_cursor_find (cursor, &query, 0, TRUE, &found, NULL, NULL, NULL);
      bench_add_time (times, from);
    }
  bench_report ("  first conflict of a domain's row", "", times);
}

static void
bench_run (const char *pattern, guint64 n)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlTarget) target = tl_target_load ("cu-t8b16", NULL, NULL, NULL, tl_span (0, 0), diags);
  g_autoptr (TlAccessLog) log = log_of (n, pattern, tl_target_map (target));
  TlReplayRunOptions options
      = { .name = pattern, .memory = tl_target_memory (target), .map = tl_target_map (target), .log = log };
  g_autofree char *what = g_strdup_printf ("%s, %" G_GUINT64_FORMAT " requests", pattern, n);
  double           from = bench_cpu_seconds ();

  tl_engine_options_init (&options.options, target);
  g_autoptr (TlEngine) engine = tl_engine_new (options.memory, options.map, &options.options);
  g_autofree TlAccess *accesses = g_new (TlAccess, TL_ACCESS_BLOCK);
  for (guint64 block = 0; block * TL_ACCESS_BLOCK < n; block++)
    tl_engine_feed (engine, accesses, tl_access_log_read (log, block, accesses, NULL, NULL), NULL);
  tl_engine_finish (engine);
  double alone = bench_cpu_seconds () - from;
  from = bench_cpu_seconds ();
  g_autoptr (TlReplayRun) run = tl_replay_run_new (&options, NULL);
  double made = bench_cpu_seconds () - from;
  puts (what);
  bench_figure ("  events", "", "%.2f M", (double) tl_replay_run_events (run) / 1e6);
  bench_figure ("  made, the engine alone", "", "%.2f s, %.2f s", made, alone);
  bench_figure ("  checkpoints, their bytes", "32 MiB", "%u, %.1f MiB", tl_replay_run_n_spans (run),
                (double) tl_replay_run_bytes (run) / 1048576);
  bench_figure ("  accesses kept, bytes each", "", "%.2f", (double) tl_access_log_bytes (log) / (double) n);
  seek_about (run);
}

int
main (int argc, char **argv)
{
  guint64 n = argc > 1 ? g_ascii_strtoull (argv[1], NULL, 10) : 3500000;

  printf ("%-58s %12s %12s %12s\n", "CPU time", "budget, ms", "median", "worst");
  bench_run ("random", n);
  bench_run ("sequential", 3 * n);
  return EXIT_SUCCESS;
}
