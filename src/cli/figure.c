/* tierc figure: a picture of a run at a moment, as SVG, PDF or PNG. */
#include "cli/figure.h"
#include "base/number.h"
#include "config.h"
#include "engine/grid-run.h"
#include "engine/run.h"
#include "engine/trace-run.h"
#include "scene/compose.h"
#include "scene/paint.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

static const char views[]
    = "window, stack, iso, ring, tiles, timeline, status, inspector, why, passes, register, layout, spots "
      "of a trace, or matrix of waves";

static void
wishes_clear (TlFigureWishes *wishes)
{
  g_free (wishes->view);
  g_free (wishes->at);
  g_free (wishes->size);
  g_free (wishes->theme);
  g_free (wishes->output);
  g_free (wishes->select);
  g_free (wishes->layout);
  g_free (wishes->type);
  g_free (wishes->as);
  g_free (wishes->element);
  g_free (wishes->operand);
  g_free (wishes->target);
  g_free (wishes->placement);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TlFigureWishes, wishes_clear)

static int
format_of (const char *path)
{
  return g_str_has_suffix (path, ".svg")   ? (int) TL_FORMAT_SVG
         : g_str_has_suffix (path, ".pdf") ? (int) TL_FORMAT_PDF
         : g_str_has_suffix (path, ".png") ? (int) TL_FORMAT_PNG
                                           : -1;
}

/* "1280x800" or "84mm". */
static gboolean
parse_size (const char *text, TlPicture *picture, double *mm)
{
  char  *end;
  double width = g_ascii_strtod (text, &end);

  if (end == text || !isfinite (width) || width <= 0)
    return FALSE;
  if (strcmp (end, "mm") == 0)
    {
      *mm = width;
      return width >= 20 && width <= 2000;
    }
  if (*end != 'x')
    return FALSE;
  const char *second = end + 1;
  double      height = g_ascii_strtod (second, &end);
  picture->width = (float) width;
  picture->height = (float) height;
  return end != second && *end == '\0' && width >= 100 && width <= 8192 && height >= 80 && height <= 8192;
}

static int
wishes_judge (TlFigureWishes *wishes, TlPicture *picture, int *format)
{
  picture->kind = TL_VIEW_WINDOW;
  if (wishes->view != NULL && !tl_cli_figure_is_lens (wishes) && !tl_cli_figure_is_passes (wishes)
      && !tl_view_parse (wishes->view, &picture->kind))
    return tl_cli_usage (&tl_cli_figure, "there is no view \"%s\": %s", wishes->view, views);
  if (wishes->theme != NULL && !tl_theme_parse (wishes->theme, &picture->theme))
    return tl_cli_usage (&tl_cli_figure, "there is no theme \"%s\": light, dark or print", wishes->theme);
  if (wishes->size != NULL && !parse_size (wishes->size, picture, &wishes->width_mm))
    return tl_cli_usage (&tl_cli_figure, "\"%s\" is no size: 1280x800 (100 to 8192 px) or 84mm (20 to 2000)",
                         wishes->size);
  if (wishes->ctas < 0)
    return tl_cli_usage (&tl_cli_figure, "--ctas is a number of blocks, 0 for all");
  if (wishes->scale < 0 || wishes->scale > 16)
    return tl_cli_usage (&tl_cli_figure, "--scale goes up to 16 device pixels a px");
  if (wishes->output == NULL)
    wishes->output = g_strdup ("figure.svg");
  *format = strcmp (wishes->output, "-") == 0 ? (int) TL_FORMAT_SVG : format_of (wishes->output);
  if (*format < 0)
    return tl_cli_usage (&tl_cli_figure, "a figure is .svg, .pdf or .png, and \"%s\" is none of them", wishes->output);
  picture->selection = wishes->select;
  return tl_output_probe (wishes->output) ? TL_GO_ON : TL_EXIT_WRONG;
}

int
tl_cli_figure_write (const TlScene *scene, const TlFigureWishes *wishes, const TlFigure *figure, int format)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = format == TL_FORMAT_PNG
                                 ? tl_paint_png (scene, wishes->scale > 0 ? wishes->scale : 1, &error)
                             : format == TL_FORMAT_PDF ? tl_paint_pdf (scene, figure, &error)
                                                       : tl_paint_svg (scene, figure, &error);
  if (bytes == NULL)
    {
      fprintf (stderr, "figure: error: %s\n", error->message);
      return TL_EXIT_WRONG;
    }
  gsize         length;
  gconstpointer data = g_bytes_get_data (bytes, &length);
  int           status = tl_output_write (wishes->output, data, (gssize) length);
  if (status == TL_EXIT_FINE && strcmp (wishes->output, "-") != 0)
    printf ("%s: %s\n", wishes->output, scene->title);
  return status;
}

static int
paint (const TlScene *scene, const TlFigureWishes *wishes, const TlPicture *picture, const TlBuild *build, int format)
{
  g_autofree char *state = tl_picture_state (picture);
  g_autofree char *name
      = build->source != NULL ? g_path_get_basename (tl_source_name (build->source)) : g_strdup ("program.gdsl");
  TlFigure figure = {
    .width_mm = wishes->width_mm,
    .program = build->source != NULL ? tl_source_text (build->source) : NULL,
    .name = name,
    .state = state,
    .version = TL_VERSION,
  };

  return tl_cli_figure_write (scene, wishes, &figure, format);
}

static int
draw (const TlRun *run, TlFigureWishes *wishes, TlPicture *picture, int format)
{
  g_autoptr (GError) error = NULL;

  if (run->sim == NULL)
    {
      fputs ("figure: error: this flow is computed in closed form and has no moments\n", stderr);
      return TL_EXIT_WRONG;
    }
  if (wishes->at == NULL && wishes->moment_known)
    picture->time = MIN (picture->time, run->sim->makespan);
  else if (wishes->at == NULL)
    picture->time = tl_moment_telling (run->sim);
  else if (!tl_moment_parse (run->sim, wishes->at, &picture->time, &error))
    return tl_cli_usage (&tl_cli_figure, "%s", error->message);
  if (picture->kind >= TL_N_VIEWS)
    return tl_cli_usage (&tl_cli_figure,
                         picture->kind == TL_VIEW_MATRIX ? "only waves have the view %s"
                                                         : "only a trace has the view %s: add --target",
                         tl_view_name (picture->kind));
  g_autoptr (TlScene) scene = tl_compose (run->sim, picture, &error);
  if (scene == NULL)
    {
      fprintf (stderr, "figure: error: %s\n", error->message);
      return TL_EXIT_WRONG;
    }
  return paint (scene, wishes, picture, run->build, format);
}

/* The moment of waves: a time or a cycle, a read's beginning, start or end. */
static gboolean
pipe_moment (const TlPipeRun *run, const char *text, guint64 *time)
{
  guint64 number = 0;

  if (strcmp (text, "end") == 0)
    *time = run->makespan;
  else if (strcmp (text, "start") == 0)
    *time = 0;
  else if (g_str_has_prefix (text, "time:"))
    return tl_parse_ps (text + 5, time, NULL) && *time <= run->makespan;
  else if (g_str_has_prefix (text, "cycle:")
           && g_ascii_string_to_unsigned (text + 6, 10, 0, G_MAXINT64 / 1000000, &number, NULL))
    *time = number * run->program->machine.clock;
  else if (g_str_has_prefix (text, "read:") && g_ascii_string_to_unsigned (text + 5, 10, 0, G_MAXUINT32, &number, NULL))
    {
      for (guint j = 0; j < run->jobs->len; j++)
        if (g_array_index (run->jobs, TlPipeJob, j).read == number)
          {
            *time = g_array_index (run->jobs, TlPipeJob, j).taken;
            return TRUE;
          }
      return FALSE;
    }
  else
    return FALSE;
  return *time <= run->makespan;
}

static int
draw_pipe (TlCli *cli, TlBuild *build, TlFigureWishes *wishes, TlPicture *picture, int format)
{
  TlGridRunOptions options = { .trace = TRUE, .time = TRUE, .cancellable = cli->cancellable };
  g_autoptr (TlGridRun) grid = tl_grid_run (build, &options);

  if (grid->cancelled)
    return TL_EXIT_INTERRUPTED;
  if (!grid->complete || grid->sim == NULL)
    {
      tl_cli_diags_print (grid->diags, build->source);
      return TL_EXIT_WRONG;
    }
  if (picture->kind == TL_VIEW_SPOTS || picture->kind == TL_VIEW_WHY)
    return tl_cli_usage (&tl_cli_figure, "waves have no view %s", tl_view_name (picture->kind));
  if (wishes->at == NULL && wishes->moment_known)
    picture->time = MIN (picture->time, grid->sim->makespan);
  else if (wishes->at == NULL)
    picture->time = tl_pipe_telling (grid->sim);
  else if (!pipe_moment (grid->sim, wishes->at, &picture->time))
    return tl_cli_usage (&tl_cli_figure, "\"%s\" is no moment of waves: cycle:N, time:12.5us, read:N, start or end",
                         wishes->at);
  g_autoptr (TlScene) scene = tl_pipe_compose (grid, picture);
  return paint (scene, wishes, picture, build, format);
}

/* A figure brings its program and what it showed, of which what is wished for has its way. TL_GO_ON or an exit status. */
static int
reopen (TlCliSource *source, TlFigureWishes *wishes, TlPicture *picture)
{
  gsize            length;
  const char      *bytes = g_bytes_get_data (source->bytes, &length);
  g_autofree char *program = NULL, *name = NULL, *state = NULL, *selection = NULL;
  g_autoptr (GError) error = NULL;
  TlPicture shown = *picture;

  if (source->stage != TL_STAGE_TEXT || source->path == NULL || !g_str_has_suffix (source->path, ".svg"))
    return TL_GO_ON;
  if (!tl_figure_read (bytes, length, &program, &name, &state, &error))
    {
      fprintf (stderr, "figure: error: %s is no figure of Tierloom: %s\n", source->name, error->message);
      return TL_EXIT_WRONG;
    }
  g_autofree char *folder = g_path_get_dirname (source->path);
  g_free (source->name);
  source->name = g_build_filename (folder, name != NULL ? name : "program.gdsl", NULL);
  g_free (source->path);
  source->path = g_strdup (source->name);
  g_bytes_unref (source->bytes);
  source->bytes = g_bytes_new (program, strlen (program));
  if (state != NULL)
    tl_picture_parse (state, &shown, &selection);
  const char *placement = state != NULL ? strstr (state, ";placement=") : NULL;
  if (placement != NULL && wishes->placement == NULL)
    wishes->placement
        = g_strndup (placement + strlen (";placement="), strcspn (placement + 1, ";") - strlen ("placement="));
  if (wishes->view == NULL)
    picture->kind = shown.kind;
  if (wishes->theme == NULL)
    picture->theme = shown.theme;
  if (picture->width <= 0)
    {
      picture->width = shown.width;
      picture->height = shown.height;
    }
  if (wishes->at == NULL)
    {
      wishes->moment_known = TRUE;
      picture->time = shown.time;
      picture->from = shown.from;
      picture->to = shown.to;
    }
  if (wishes->select == NULL)
    picture->selection = wishes->select = g_steal_pointer (&selection);
  return TL_GO_ON;
}

static int
run (TlCli *cli, int argc, char **argv)
{
  g_auto (TlFigureWishes) wishes = { 0 };
  g_auto (GStrv) sets = NULL;
  g_auto (GStrv) arguments = NULL;
  g_auto (TlCliSource) source = { 0 };
  TlPicture          picture = { 0 };
  int                format = TL_FORMAT_SVG;
  const GOptionEntry entries[] = {
    { "view", 'v', 0, G_OPTION_ARG_STRING, &wishes.view,
      N_ ("window (default), stack, iso, ring, tiles, timeline, status, inspector, why, passes, register, layout, "
          "spots of a "
          "trace, or matrix of waves"),
      "NAME" },
    { "at", 'a', 0, G_OPTION_ARG_STRING, &wishes.at,
      N_ ("The moment: cycle:N, time:12.5ns, event:N, phase:K.internal, conflict:N of a trace, start or end"),
      "MOMENT" },
    { "size", 0, 0, G_OPTION_ARG_STRING, &wishes.size, N_ ("1280x800 (px) or 84mm (width on paper)"), "SIZE" },
    { "theme", 't', 0, G_OPTION_ARG_STRING, &wishes.theme, N_ ("light (default), dark or print"), "NAME" },
    { "select", 0, 0, G_OPTION_ARG_STRING, &wishes.select, N_ ("What is selected: tile-3-5, pu-20, bank-20-1"), "ID" },
    { "layout", 'l', 0, G_OPTION_ARG_STRING, &wishes.layout,
      N_ ("View register: this layout, such as local(2,1).spatial(8,4), instead of a program's"), "EXPR" },
    { "type", 0, 0, G_OPTION_ARG_STRING, &wishes.type, N_ ("View register: type of its elements (u8)"), "TYPE" },
    { "as", 0, 0, G_OPTION_ARG_STRING, &wishes.as, N_ ("View register: the same bits read as other elements"),
      "TYPE:EXPR" },
    { "operand", 0, 0, G_OPTION_ARG_STRING, &wishes.operand,
      N_ ("Views register and layout: which operand of the program, by default the weights"), "NAME" },
    { "element", 0, 0, G_OPTION_ARG_STRING, &wishes.element, N_ ("View register: the element that is followed"),
      "ROW,COLUMN" },
    { "scale", 0, 0, G_OPTION_ARG_DOUBLE, &wishes.scale, N_ ("PNG: device pixels a px"), "FACTOR" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &wishes.output,
      N_ ("FILE.svg (figure.svg), .pdf or .png; - is SVG on standard output"), "FILE" },
    { "target", 0, 0, G_OPTION_ARG_STRING, &wishes.target, N_ ("FILE is a memory trace, replayed on this machine"),
      "NAME|FILE.xml" },
    { "placement", 0, 0, G_OPTION_ARG_STRING, &wishes.placement,
      N_ ("Of a product: placed (default), packed or conventional, row by row"), "NAME" },
    { "ctas", 0, 0, G_OPTION_ARG_INT64, &wishes.ctas, N_ ("Of a product: only the first N blocks"), "N" },
    { "wrap", 0, 0, G_OPTION_ARG_NONE, &wishes.wrap, N_ ("Take addresses past the capacity modulo it"), NULL },
    { "set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &sets,
      N_ ("Override a config line, or target.KEY a number of the machine"), "KEY=VALUE" },
    G_OPTION_ENTRY_NULL,
  };
  int status = tl_cli_options (&tl_cli_figure, entries, argc, argv, &arguments);

  if (status != TL_GO_ON)
    return status;
  gboolean alone = tl_cli_figure_is_layout (&wishes) && g_strv_length (arguments) == 0;
  if (!alone && g_strv_length (arguments) != (wishes.layout != NULL ? 0 : 1))
    return tl_cli_usage (&tl_cli_figure,
                         wishes.layout != NULL ? "--layout is drawn without a FILE" : "one FILE is drawn at a time");
  if ((status = tl_cli_settings_valid (&tl_cli_figure, sets)) != TL_GO_ON
      || (status = wishes_judge (&wishes, &picture, &format)) != TL_GO_ON)
    return status;
  if (tl_cli_figure_is_lens (&wishes))
    return tl_cli_figure_lens (cli, &wishes, &picture, arguments[0], sets, format);
  if (wishes.layout != NULL || wishes.type != NULL || wishes.as != NULL || wishes.operand != NULL
      || wishes.element != NULL)
    return tl_cli_usage (&tl_cli_figure, "--layout, --type, --as, --operand and --element go with --view=register");
  if (wishes.target != NULL)
    return tl_cli_figure_replay (cli, &wishes, &picture, arguments[0], sets, format);
  if (tl_trace_run_is_trace (arguments[0]))
    return tl_cli_usage (&tl_cli_figure, "on which machine is the trace drawn? Add --target=NAME");
  if (!tl_cli_source_open (&source, arguments[0]))
    return TL_EXIT_WRONG;
  if ((status = reopen (&source, &wishes, &picture)) != TL_GO_ON)
    return status;
  if (tl_cli_figure_is_passes (&wishes))
    return tl_cli_figure_passes (cli, &wishes, &picture, &source, sets, format);
  TlBuildOptions build_options = { .from = source.stage, .config = (const char *const *) sets };
  g_autoptr (TlBuild) build = tl_cli_source_build (&source, &build_options, cli->cancellable);
  if ((status = tl_cli_build_judge (build)) != TL_GO_ON)
    return status;
  if (build->product == NULL && (wishes.placement != NULL || wishes.ctas > 0))
    return tl_cli_usage (&tl_cli_figure, "--placement and --ctas are for products on a compute unit");
  if (build->pipe != NULL)
    return draw_pipe (cli, build, &wishes, &picture, format);
  if (build->product != NULL)
    return tl_cli_figure_product (cli, &wishes, &picture, build, format);
  TlRunOptions run_options = { .skip_values = TRUE };
  g_autoptr (TlRun) result = tl_run (build, &run_options, cli->cancellable);
  if (result->cancelled || g_cancellable_is_cancelled (cli->cancellable))
    return TL_EXIT_INTERRUPTED;
  if (!result->complete)
    {
      tl_cli_diags_print (result->diags, build->source);
      return TL_EXIT_WRONG;
    }
  return draw (result, &wishes, &picture, format);
}

const TlCliCommand tl_cli_figure = {
  .name = "figure",
  .arguments = "FILE",
  .summary = N_ ("Draw a moment of a run as SVG, PDF or PNG"),
  .details = N_ (
      "Without --at it is a moment worth looking at. An SVG carries its program and opens again: FILE may be one, and "
      "what is not said is as it was."),
  .run = run,
};
