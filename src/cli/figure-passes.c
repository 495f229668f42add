/* tierc figure --view=passes: the program beside its module after each pass group. */
#include "cli/figure.h"
#include "config.h"
#include "scene/view-passes.h"

gboolean
tl_cli_figure_is_passes (const TlFigureWishes *wishes)
{
  return g_strcmp0 (wishes->view, "passes") == 0;
}

int
tl_cli_figure_passes (TlCli *cli, const TlFigureWishes *wishes, const TlPicture *picture, const TlCliSource *source,
                      char **sets, int format)
{
  TlBuildOptions   options = { .config = (const char *const *) sets, .dumps = TRUE };
  TlPassesShown    shown = { 0 };
  g_autofree char *name = g_path_get_basename (source->name);
  TlFigure         figure = { .width_mm = wishes->width_mm, .name = name, .version = TL_VERSION };

  if (wishes->at != NULL || wishes->select != NULL)
    return tl_cli_usage (&tl_cli_figure, "the pass ladder has no moments: leave out --at and --select");
  if (source->stage != TL_STAGE_TEXT)
    return tl_cli_usage (&tl_cli_figure, "\"%s\" is compiled already; the ladder begins at a program's text",
                         source->name);
  g_autoptr (TlBuild) build = tl_cli_source_build (source, &options, cli->cancellable);
  int status = tl_cli_build_judge (build);
  /* A program that is refused shows how far it got. */
  if (status == TL_EXIT_INTERRUPTED || build->dump[TL_STAGE_G1] == NULL)
    return status == TL_GO_ON ? TL_EXIT_WRONG : status;
  shown.source = figure.program = tl_source_text (build->source);
  for (guint g = 0; g < TL_N_PASS_GROUPS; g++)
    shown.dump[g] = build->dump[TL_STAGE_G1 + g];
  float            width = picture->width > 0 ? picture->width : 1180;
  float            height = picture->height > 0 ? picture->height : tl_view_passes_height (&shown);
  g_autofree char *title = g_strdup_printf ("%s after each pass group", name);
  g_autoptr (TlScene) scene = tl_scene_new (width, height, picture->theme);
  tl_scene_describe (scene, title,
                     "The program's text and the lines that each of the four pass groups made or changed.");
  tl_view_passes (scene, tl_box (0, 0, width, height), &shown);
  int written = tl_cli_figure_write (scene, wishes, &figure, format);
  return status == TL_GO_ON ? written : status;
}
