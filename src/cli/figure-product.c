/* tierc figure of a product on a compute unit: a moment of its requests in the stack, as one of its layouts lets them go. */
#include "cli/figure.h"
#include "cli/run-product.h"
#include "config.h"
#include "engine/product-replay.h"
#include "engine/trace-run.h"
#include "scene/replay-compose.h"

/* Requests of a run that is drawn: some 400 MB while it is made. */
#define MAX_REQUESTS (G_GUINT64_CONSTANT (1) << 24)

static int
paint (const TlScene *scene, const TlFigureWishes *wishes, const TlPicture *picture, const TlBuild *build,
       TlProductLayout layout, int format)
{
  g_autofree char *shown = tl_picture_state (picture);
  g_autofree char *state = g_strdup_printf ("%s;placement=%s", shown, tl_product_layout_name (layout));
  g_autofree char *name = g_path_get_basename (tl_source_name (build->source));
  TlFigure         figure = { .width_mm = wishes->width_mm,
                              .program = tl_source_text (build->source),
                              .name = name,
                              .state = state,
                              .version = TL_VERSION };

  return tl_cli_figure_write (scene, wishes, &figure, format);
}

/* The moment that is asked for, or one that tells something. Returns TL_GO_ON or an exit status. */
static int
find_moment (TlReplayCursor *cursor, const TlFigureWishes *wishes, TlPicture *picture, guint64 *event, guint64 *time)
{
  TlReplayRun     *run = tl_replay_cursor_run (cursor);
  g_autofree char *known
      = wishes->at == NULL && wishes->moment_known
            ? g_strdup_printf ("time:%" G_GUINT64_FORMAT "ps", MIN (picture->time, tl_replay_run_end (run)))
            : NULL;
  const char *at = wishes->at != NULL ? wishes->at : known;
  g_autoptr (GError) error = NULL;

  *time = G_MAXUINT64;
  if (at == NULL)
    *event = tl_trace_run_telling (run);
  else if (!tl_replay_moment_parse (cursor, at, event, time, &error))
    return tl_cli_usage (&tl_cli_figure, "%s", error->message);
  if (*time != G_MAXUINT64)
    {
      picture->time = *time;
      return TL_GO_ON;
    }
  const TlReplayMoment *moment = tl_replay_cursor_at_event (cursor, *event, &error);
  if (moment == NULL)
    {
      fprintf (stderr, "figure: error: %s\n", error->message);
      return TL_EXIT_WRONG;
    }
  picture->time = moment->time;
  return TL_GO_ON;
}

int
tl_cli_figure_product (TlCli *cli, const TlFigureWishes *wishes, const TlPicture *wanted, TlBuild *build, int format)
{
  TlPicture       picture = *wanted;
  TlProductLayout layout = TL_PRODUCT_PLACED;
  g_autoptr (GError) error = NULL;
  g_autoptr (TlReplayRun) replay = NULL;
  guint64 event, time;
  int     status;

  if (wishes->placement != NULL && !tl_product_layout_parse (wishes->placement, &layout))
    return tl_cli_usage (&tl_cli_figure, "--placement is placed, packed or conventional, not \"%s\"",
                         wishes->placement);
  if (!tl_view_is_of_replay (picture.kind))
    return tl_cli_usage (&tl_cli_figure, "a product has no view %s", tl_view_name (picture.kind));
  if ((status
       = tl_cli_product_replay (cli, build, (guint64) MAX (wishes->ctas, 0), layout, MAX_REQUESTS, NULL, NULL, &replay))
      != TL_GO_ON)
    return status;
  g_autoptr (TlReplayCursor) cursor = tl_replay_cursor_new (replay);
  if ((status = find_moment (cursor, wishes, &picture, &event, &time)) != TL_GO_ON)
    return status;
  g_autoptr (TlScene) scene = tl_replay_compose (cursor, build->product->target, &picture, event, time, &error);
  if (scene != NULL)
    return paint (scene, wishes, &picture, build, layout, format);
  fprintf (stderr, "figure: error: %s\n", error->message);
  return TL_EXIT_WRONG;
}
