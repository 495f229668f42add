/* tierc figure TRACE --target: a moment of a memory trace's run. */
#include "cli/figure.h"
#include "config.h"
#include "engine/trace-run.h"
#include "scene/replay-compose.h"

int
tl_cli_figure_replay (TlCli *cli, const TlFigureWishes *wishes, const TlPicture *picture, const char *path, char **sets,
                      int format)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_auto (GStrv) folders = tl_target_folders ();
  g_autoptr (GError) error = NULL;
  TlTargetSearch    search = { NULL, (const char *const *) folders };
  TlFigure          figure = { .width_mm = wishes->width_mm, .version = TL_VERSION };
  TlTraceRunOptions options;
  guint64           event, time = G_MAXUINT64;

  g_autoptr (TlTarget) target
      = tl_target_load (wishes->target, &search, (const char *const *) sets, NULL, tl_span (0, 0), diags);
  tl_trace_run_options_init (&options);
  options.wrap = wishes->wrap;
  g_autoptr (TlReplayRun) run
      = target != NULL ? tl_trace_run_new (path, target, &options, diags, cli->cancellable) : NULL;
  tl_cli_diags_print (diags, NULL);
  if (run == NULL)
    return g_cancellable_is_cancelled (cli->cancellable) ? TL_EXIT_INTERRUPTED : TL_EXIT_WRONG;
  g_autoptr (TlReplayCursor) cursor = tl_replay_cursor_new (run);
  if (wishes->at == NULL)
    event = tl_trace_run_telling (run);
  else if (!tl_replay_moment_parse (cursor, wishes->at, &event, &time, &error))
    return tl_cli_usage (&tl_cli_figure, "%s", error->message);
  g_autoptr (TlScene) scene = tl_replay_compose (cursor, tl_target_name (target), picture, event, time, &error);
  if (scene != NULL)
    return tl_cli_figure_write (scene, wishes, &figure, format);
  fprintf (stderr, "figure: error: %s\n", error->message);
  return TL_EXIT_WRONG;
}
