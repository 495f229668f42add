/* From a run and a wish to a figure. */
#include "app/figure.h"

#include "config.h"

#include <glib/gi18n.h>

const char *
tl_figure_suffix (TlFigureFormat format)
{
  return format == TL_FIGURE_PNG ? "png" : format == TL_FIGURE_PDF ? "pdf" : "svg";
}

TlScene *
tl_figure_scene (TlRun *run, const TlFigureWish *wish, GError **error)
{
  if (run == NULL || run->sim == NULL)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_INITIALIZED,
                   run == NULL ? _ ("There is no picture yet: the program has not run.")
                               : _ ("This flow is computed in closed form and has no moments to draw."));
      return NULL;
    }
  return tl_compose (run->sim, &wish->picture, error);
}

GBytes *
tl_figure_paint (TlScene *scene, const TlBuild *build, const TlFigureWish *wish, const char *name, GError **error)
{
  g_autofree char *state = tl_picture_state (&wish->picture);
  TlFigure         figure = {
            .width_mm = wish->width_mm,
            .program = build != NULL && build->source != NULL ? tl_source_text (build->source) : NULL,
            .name = name,
            .state = state,
            .version = TL_VERSION,
  };
  if (wish->format == TL_FIGURE_PNG)
    return tl_paint_png (scene, wish->width_px > 0 ? wish->width_px / (double) scene->width : 1, error);
  return wish->format == TL_FIGURE_PDF ? tl_paint_pdf (scene, &figure, error) : tl_paint_svg (scene, &figure, error);
}

GBytes *
tl_figure_bytes (TlRun *run, const TlFigureWish *wish, const char *name, GError **error)
{
  g_autoptr (TlScene) scene = tl_figure_scene (run, wish, error);

  return scene != NULL ? tl_figure_paint (scene, run->build, wish, name, error) : NULL;
}
