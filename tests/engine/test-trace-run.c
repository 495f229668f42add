/* Traces as runs: read, replayed, refused with a reason; counts are those of a replay. */
#include "dram/replay.h"
#include "engine/trace-run.h"
#include "support/support.h"

#include <string.h>

static TlTarget *
target_of (const char *name)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  TlTarget *target = tl_target_load (name, NULL, NULL, NULL, tl_span (0, 0), diags);

  ck_assert_ptr_nonnull (target);
  return target;
}

static char *
file_of (const char *name, const char *text)
{
  char *path = g_build_filename (tl_test_folder (), name, NULL);

  ck_assert (g_file_set_contents (path, text, -1, NULL));
  return path;
}

static TlReplayRun *
run_of (const char *path, const char *target_name, gboolean wrap, TlDiags *diags)
{
  g_autoptr (TlTarget) target = target_of (target_name);
  TlTraceRunOptions options;

  tl_trace_run_options_init (&options);
  options.wrap = wrap;
  return tl_trace_run_new (path, target, &options, diags, NULL);
}

START_TEST (the_lesson_is_a_run)
{
  g_autofree char *path = tl_test_source_path ("examples/lesson.trace");
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlReplayRun) run = run_of (path, _i == 0 ? "lesson" : "lesson-c1", FALSE, diags);
  TlEngineTotals totals;

  ck_assert_ptr_nonnull (run);
  tl_engine_totals (tl_replay_run_engine (run), &totals);
  ck_assert_uint_eq (totals.share.scheduled.conflict, _i == 0 ? 7 : 1);
  ck_assert_uint_eq (totals.share.in_order.hit, _i == 0 ? 0 : 6);
  /* The moment worth looking at is that of a conflict, with its lines. */
  guint64 telling = tl_trace_run_telling (run);
  g_autoptr (TlReplayCursor) cursor = tl_replay_cursor_new (run);
  TlReplayConflict conflict;
  ck_assert (tl_replay_cursor_conflict (cursor, telling - 1, &conflict, NULL));
  TlAccess opener, closer;
  guint64  line;
  ck_assert (tl_access_log_get (tl_replay_run_log (run), conflict.cause.closer, &closer, &line, NULL));
  ck_assert_uint_eq (line, conflict.closer_line);
  ck_assert_uint_gt (conflict.closer_line, conflict.opener_line);
  ck_assert (tl_access_log_get (tl_replay_run_log (run), conflict.cause.opener, &opener, NULL, NULL));
  ck_assert_uint_ne (opener.unit, closer.unit);
}
END_TEST

/* The same counts as the engine fed at once. */
START_TEST (counts_are_those_of_a_replay)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint64 state = tl_test_seed ();

  for (guint i = 0; i < 5000; i++)
    g_string_append_printf (text, "%s 0x%x\n", tl_test_random_below (&state, 4) == 0 ? "ST" : "LD",
                            (guint) tl_test_random_below (&state, 1 << 22) * 64);
  g_autofree char *path = file_of ("random.trace", text->str);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlReplayRun) run = run_of (path, "cu-t8b16", FALSE, diags);
  g_autoptr (TlTarget) target = target_of ("cu-t8b16");
  g_autoptr (TlTrace) trace = tl_trace_open (path, diags);
  TlReplayOptions replay = { .pages = tl_target_memory (target)->pages };
  TlEngineOptions options;
  TlEngineTotals  a, b;
  tl_engine_options_init (&options, target);
  options.keep_causes = 4096;
  g_autoptr (TlEngine) engine = tl_engine_new (tl_target_memory (target), tl_target_map (target), &options);
  ck_assert (tl_replay_scheduled (trace, target, &replay, engine, diags));
  tl_engine_totals (engine, &a);
  tl_engine_totals (tl_replay_run_engine (run), &b);
  ck_assert_int_eq (memcmp (&a, &b, sizeof a), 0);
}
END_TEST

START_TEST (what_is_wrong_is_said)
{
  static const struct
  {
    const char *text, *target, *code;
  } rows[] = {
    { "LD 0x0\nLD 0x40000000000\n", "cu-t8b16", "trace-address" },
    { "LD 0x0\nsideways\n", "cu-t8b16", NULL },
    { "# nothing\n", "cu-t8b16", "trace-empty" },
    { "0x0 READ 10\n0x40 READ 5\n", "cu-t8b16", "trace-time" },
  };
  g_autofree char *path = file_of ("wrong.trace", rows[_i].text);
  g_autoptr (TlDiags) diags = tl_diags_new ();

  ck_assert_ptr_null (run_of (path, rows[_i].target, FALSE, diags));
  ck_assert_uint_eq (tl_diags_errors (diags), 1);
  if (rows[_i].code != NULL)
    ck_assert_str_eq (tl_diags_get (diags, 0)->code, rows[_i].code);
}
END_TEST

START_TEST (addresses_may_wrap)
{
  g_autofree char *path = file_of ("far.trace", "LD 0x0\nLD 0x40000000000\n");
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlReplayRun) run = run_of (path, "cu-t8b16", TRUE, diags);

  ck_assert_ptr_nonnull (run);
  ck_assert_uint_eq (tl_access_log_count (tl_replay_run_log (run)), 2);
}
END_TEST

static void
stop_soon (double done, gpointer data)
{
  g_cancellable_cancel (data);
}

START_TEST (a_cancelled_run_is_none)
{
  g_autofree char *path = tl_test_source_path ("examples/lesson.trace");
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlTarget) target = target_of ("lesson");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  TlTraceRunOptions options;

  tl_trace_run_options_init (&options);
  options.progress = stop_soon;
  options.data = cancellable;
  ck_assert_ptr_null (tl_trace_run_new (path, target, &options, diags, cancellable));
  ck_assert_uint_eq (tl_diags_count (diags), 0);
}
END_TEST

START_TEST (traces_are_known_by_their_names)
{
  ck_assert (tl_trace_run_is_trace ("a.trace") && tl_trace_run_is_trace ("b.TRC") && tl_trace_run_is_trace ("c.stl"));
  ck_assert (tl_trace_run_is_trace ("a.trace.gz") && tl_trace_run_is_trace ("x.zst"));
  ck_assert (!tl_trace_run_is_trace ("a.gdsl") && !tl_trace_run_is_trace ("a.svg"));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("engine-trace-run");
  TCase *tcase = tcase_create ("trace-run");

  tcase_add_loop_test (tcase, the_lesson_is_a_run, 0, 2);
  tcase_add_test (tcase, counts_are_those_of_a_replay);
  tcase_add_loop_test (tcase, what_is_wrong_is_said, 0, 4);
  tcase_add_test (tcase, addresses_may_wrap);
  tcase_add_test (tcase, a_cancelled_run_is_none);
  tcase_add_test (tcase, traces_are_known_by_their_names);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
