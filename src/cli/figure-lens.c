/* tierc figure --view=register: a register layout, of its own or of an operand tile of a program, with the View of its
 * bits and the way of one element. --view=layout: where the units of an operand's tile lie, and what that makes of the
 * order in which they are read. */
#include "cli/chain.h"
#include "cli/figure.h"
#include "config.h"
#include "engine/operand.h"
#include "layout/convert.h"
#include "scene/operand-lens.h"
#include "scene/register-lens.h"

#include <string.h>

gboolean
tl_cli_figure_is_layout (const TlFigureWishes *wishes)
{
  return g_strcmp0 (wishes->view, "layout") == 0;
}

gboolean
tl_cli_figure_is_lens (const TlFigureWishes *wishes)
{
  return g_strcmp0 (wishes->view, "register") == 0 || tl_cli_figure_is_layout (wishes);
}

/* The product form where there is one. (transfer full) */
/* The build and the operand that is asked for. Returns TL_GO_ON or an exit status. */
static int
open_operand (TlCli *cli, const TlFigureWishes *wishes, const char *path, char **sets, TlOperandTile **tile)
{
  g_auto (TlCliSource) source = { 0 };
  g_autoptr (TlDiags) diags = tl_diags_new ();
  TlGemmOperand operand = TL_GEMM_B;
  int           status;

  if (!tl_cli_source_open (&source, path))
    return TL_EXIT_WRONG;
  if (source.stage != TL_STAGE_TEXT)
    return tl_cli_usage (&tl_cli_figure, "\"%s\" is compiled already; a layout is that of a program's text", path);
  TlBuildOptions options = { .config = (const char *const *) sets };
  g_autoptr (TlBuild) build = tl_cli_source_build (&source, &options, cli->cancellable);
  if ((status = tl_cli_build_judge (build)) != TL_GO_ON)
    return status;
  if (wishes->operand != NULL && !tl_operand_find (build, wishes->operand, &operand))
    return tl_cli_usage (&tl_cli_figure, "the program has no product with an operand \"%s\"", wishes->operand);
  *tile = tl_operand_tile_new (build, operand, NULL, NULL, diags);
  if (*tile != NULL && !(*tile)->image.told && !tl_cli_figure_is_layout (wishes))
    tl_diag_reason (tl_diags_add (diags, TL_SEVERITY_ERROR, "no-kernel", build->source, tl_span (0, 0),
                                  "no kernel holds this product's tiles in registers"),
                    "%s", (*tile)->image.why_not);
  tl_cli_diags_print (diags, build->source);
  return tl_diags_errors (diags) > 0 ? TL_EXIT_WRONG : TL_GO_ON;
}

/* An index from "3,17" or "5". Returns TL_GO_ON or an exit status. */
static int
read_element (const char *text, const TlLayout *layout, gint64 *element)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);
  guint64 index = 0;

  if (g_strv_length (parts) != layout->n_dims)
    return tl_cli_usage (&tl_cli_figure, "--element wants %u coordinates of the tile, not \"%s\"", layout->n_dims,
                         text);
  for (guint d = 0; d < layout->n_dims; d++)
    {
      guint64 value;

      if (!g_ascii_string_to_unsigned (g_strstrip (parts[d]), 10, 0, (guint64) layout->shape[d] - 1, &value, NULL))
        return tl_cli_usage (&tl_cli_figure, "coordinate %u of --element is 0 to %d, not \"%s\"", d,
                             layout->shape[d] - 1, parts[d]);
      index = index * (guint64) layout->shape[d] + value;
    }
  *element = (gint64) index;
  return TL_GO_ON;
}

/* The scene with the program that it shows, if any. Returns an exit status. */
static int
write_scene (const TlScene *scene, const TlFigureWishes *wishes, const TlBuild *build, int format)
{
  g_autofree char *name = build != NULL ? g_path_get_basename (tl_source_name (build->source)) : NULL;
  TlFigure         figure = { .width_mm = wishes->width_mm,
                              .program = build != NULL ? tl_source_text (build->source) : NULL,
                              .name = name,
                              .version = TL_VERSION };

  return tl_cli_figure_write (scene, wishes, &figure, format);
}

/* The layout lens of an operand's tile, or of the lesson. Returns an exit status. */
static int
draw_layout (const TlFigureWishes *wishes, const TlPicture *picture, const TlOperandTile *tile, int format)
{
  static const TlOperandLensNames names = { .written = "as written",
                                            .run = "of the run",
                                            .plan = "PLAN",
                                            .packed = "packed",
                                            .identity = "identity",
                                            .tie = "as good, %u" };
  float width = picture->width > 0 ? picture->width : 1120, height = picture->height > 0 ? picture->height : 620;
  TlLayoutMoment moment = { .row = -1, .bit = -1 };
  g_autoptr (TlLayoutLens) lens = NULL;

  if (width < 784 || height < 440)
    return tl_cli_usage (&tl_cli_figure, "the layout lens needs 784x440 px and more");
  if (tile == NULL)
    lens = tl_layout_lens_lesson ();
  else
    {
      const char      *operand = tile->product.operand[tile->operand];
      guint            units = (guint) tile->plan->signature[tile->operand]->units;
      g_autofree char *name = g_strdup_printf ("a tile of %s, %u units%s", operand, units,
                                               tile->unused ? "; the run leaves it row by row" : "");

      lens = tl_layout_lens_of_operand (tile, name, &names);
      moment.state = tile->written               ? "as written"
                     : !tile->unused             ? "of the run"
                     : tile->plan->way[0].packed ? "packed"
                                                 : "PLAN";
    }
  g_autoptr (TlScene) scene = tl_scene_new (width, height, picture->theme);
  tl_view_layout (scene, tl_box (12, 12, width - 24, height - 24), lens, &moment);
  return write_scene (scene, wishes, tile != NULL ? tile->build : NULL, format);
}

static int
draw (const TlFigureWishes *wishes, const TlPicture *picture, const TlRegisterLens *lens, TlRegisterMoment *moment,
      const TlBuild *build, int format)
{
  float width = picture->width > 0 ? picture->width : 1180, height = picture->height > 0 ? picture->height : 640;
  int   status;

  if (!lens->from.valid || (lens->viewed && !lens->to.valid))
    {
      fprintf (stderr, "figure: error: %s\n", lens->from.valid ? lens->to.reason : lens->from.reason);
      return TL_EXIT_WRONG;
    }
  if (wishes->element != NULL
      && (status = read_element (wishes->element, &lens->from.layout, &moment->element)) != TL_GO_ON)
    return status;
  g_autoptr (TlScene) scene = tl_scene_new (width, height, picture->theme);
  tl_view_register (scene, tl_box (12, 12, width - 24, height - 24), lens, moment);
  return write_scene (scene, wishes, build, format);
}

int
tl_cli_figure_lens (TlCli *cli, const TlFigureWishes *wishes, const TlPicture *picture, const char *path, char **sets,
                    int format)
{
  TlRegisterMoment moment = { .element = 0, .notations = TRUE };
  const char      *colon = wishes->as != NULL ? strchr (wishes->as, ':') : NULL;
  g_autofree char *view_type = colon != NULL ? g_strndup (wishes->as, (gsize) (colon - wishes->as)) : NULL;
  int              status;

  if (wishes->as != NULL && colon == NULL)
    return tl_cli_usage (&tl_cli_figure, "--as wants TYPE:EXPR, such as \"i6:local(2,1).spatial(8,4)\"");
  if (wishes->at != NULL || wishes->select != NULL)
    return tl_cli_usage (&tl_cli_figure, "a layout has no moments: leave out --at and --select");
  if (tl_cli_figure_is_layout (wishes))
    {
      g_autoptr (TlOperandTile) shown = NULL;

      if (wishes->layout != NULL || wishes->type != NULL || wishes->as != NULL || wishes->element != NULL)
        return tl_cli_usage (&tl_cli_figure,
                             "--layout, --type, --as and --element go with --view=register; another map of "
                             "an operand is --set \"place.W=layout EXPR\"");
      if (path == NULL && (wishes->operand != NULL || sets != NULL))
        return tl_cli_usage (&tl_cli_figure, "--operand and --set go with the FILE of a program");
      if (path != NULL && (status = open_operand (cli, wishes, path, sets, &shown)) != TL_GO_ON)
        return status;
      return draw_layout (wishes, picture, shown, format);
    }
  if (wishes->layout != NULL)
    {
      if (wishes->operand != NULL || sets != NULL)
        return tl_cli_usage (&tl_cli_figure, "--operand and --set go with the FILE of a program");
      g_autoptr (TlRegisterLens) lens = tl_register_lens_new (
          wishes->layout, wishes->type != NULL ? wishes->type : "u8", view_type, colon != NULL ? colon + 1 : NULL);
      return draw (wishes, picture, lens, &moment, NULL, format);
    }
  if (wishes->type != NULL)
    return tl_cli_usage (&tl_cli_figure, "a program says the types of its operands: leave out --type");
  g_autoptr (TlOperandTile) tile = NULL;
  if ((status = open_operand (cli, wishes, path, sets, &tile)) != TL_GO_ON)
    return status;
  const TlTileMatmul *matmul = &tile->image.matmul;
  gboolean            weights = tile->operand == TL_GEMM_B;
  g_autofree char    *layout = tl_layout_to_product (&tile->image.layout);
  g_autofree char    *type = tl_element_type_name (weights ? matmul->spec.weight : matmul->spec.activation);
  /* The kernel's own View: the weights from the bytes that were loaded. */
  g_autofree char    *bytes = NULL;
  if (weights && wishes->as == NULL && matmul->recipe.owners == 1)
    {
      g_autofree char *load = tl_layout_to_product (&matmul->recipe.load);
      bytes = matmul->spec.tiling.warps_m > 1
                  ? g_strdup_printf ("replicated(1,num_workers=%u).%s", matmul->spec.tiling.warps_m, load)
                  : g_strdup (load);
    }
  g_autoptr (TlRegisterLens) lens = tl_register_lens_new (layout, type, bytes != NULL ? "u8" : view_type,
                                                          bytes != NULL   ? bytes
                                                          : colon != NULL ? colon + 1
                                                                          : NULL);
  moment.chain = tile->chain;
  moment.map = tile->plan->map;
  moment.operand = tile->product.operand[tile->operand];
  return draw (wishes, picture, lens, &moment, tile->build, format);
}
