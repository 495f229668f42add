/* A trace read into a log, and the log run. */
#include "engine/trace-run.h"

#include "dram/replay.h"

#include <string.h>

/* Accesses that stay in memory; what is more goes to a file without a name. */
#define LOG_CAP     (96u << 20)
#define KEEP_CAUSES 4096

void
tl_trace_run_options_init (TlTraceRunOptions *options)
{
  *options = (TlTraceRunOptions) { .pages = -1, .scheduler = -1, .refresh = -1 };
}

gboolean
tl_trace_run_is_trace (const char *path)
{
  static const char *const endings[] = { ".trace", ".trc", ".stl", ".gz", ".zst" };
  g_autofree char         *lower = g_ascii_strdown (path, -1);

  for (guint e = 0; e < G_N_ELEMENTS (endings); e++)
    if (g_str_has_suffix (lower, endings[e]))
      return TRUE;
  return FALSE;
}

typedef struct
{
  TlAccessLog             *log;
  const TlTraceRunOptions *options;
  GCancellable            *cancellable;
  GError                  *error;
  guint64                  all; /* accesses, when they have been read */
} Work;

static gboolean
gather (const TlAccess *accesses, const guint64 *lines, gsize n, gpointer data)
{
  Work *work = data;

  return !g_cancellable_is_cancelled (work->cancellable)
         && tl_access_log_add (work->log, accesses, lines, n, &work->error);
}

static gboolean
tell (guint64 accesses, gpointer data)
{
  Work *work = data;

  if (work->options->progress != NULL)
    work->options->progress ((double) accesses / (double) MAX (work->all, 1), work->options->data);
  return !g_cancellable_is_cancelled (work->cancellable);
}

static void
report (TlDiags *diags, const char *path, const GError *error)
{
  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    tl_diags_add_at (diags, TL_SEVERITY_ERROR, "trace-run", path, 0, 0, "%s", error->message);
}

TlReplayRun *
tl_trace_run_new (const char *path, const TlTarget *target, const TlTraceRunOptions *options, TlDiags *diags,
                  GCancellable *cancellable)
{
  g_autoptr (TlTrace) trace = tl_trace_open (path, diags);
  g_autoptr (TlAccessLog) log = tl_access_log_new (LOG_CAP);
  g_autoptr (GError) error = NULL;
  g_autofree char *name = g_path_get_basename (path);
  Work             work = { .log = log, .options = options, .cancellable = cancellable };

  if (trace == NULL)
    return NULL;
  if (!tl_replay_accesses (trace, target, options->wrap, gather, &work, diags)
      || !tl_access_log_close (log, &work.error))
    {
      if (work.error != NULL)
        report (diags, path, work.error);
      g_clear_error (&work.error);
      return NULL;
    }
  work.all = tl_access_log_count (log);
  if (work.all == 0)
    {
      TlDiag *diag = tl_diags_add_at (diags, TL_SEVERITY_ERROR, "trace-empty", path, 0, 0, "the trace has no requests");
      tl_diag_reason (diag, "a line is \"LD 0x2000\", \"0x2000 READ 17\" or STL; see \"Memory traces\" in the help");
      return NULL;
    }
  TlReplayRunOptions run_options = {
    .name = name,
    .memory = tl_target_memory (target),
    .map = tl_target_map (target),
    .log = log,
    .progress = tell,
    .data = &work,
  };
  tl_engine_options_init (&run_options.options, target);
  run_options.options.keep_causes = KEEP_CAUSES;
  if (options->pages >= 0)
    run_options.options.pages = (TlPages) options->pages;
  if (options->scheduler >= 0)
    run_options.options.scheduler = (TlScheduler) options->scheduler;
  if (options->refresh >= 0)
    run_options.options.refresh = (TlRefresh) options->refresh;
  if (options->window > 0)
    run_options.options.window = options->window;
  TlReplayRun *run = tl_replay_run_new (&run_options, &error);
  if (run == NULL)
    report (diags, path, error);
  return run;
}

guint64
tl_trace_run_telling (TlReplayRun *run)
{
  g_autoptr (TlReplayCursor) cursor = tl_replay_cursor_new (run);
  guint64      third = tl_replay_run_events (run) / 3, found;
  TlEventQuery query;

  tl_event_query_init (&query);
  query.classes = 1u << TL_ROW_CONFLICT;
  if (tl_replay_cursor_find (cursor, &query, third, TRUE, &found, NULL, NULL, NULL)
      || tl_replay_cursor_find (cursor, &query, third, FALSE, &found, NULL, NULL, NULL))
    return found + 1;
  return third;
}
