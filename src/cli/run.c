/* tierc run: compile (or take a stream) and simulate. */
#include "cli/run.h"

#include <glib/gi18n.h>
#include <string.h>

/* The format that the ending of --commands=OUT names; -1 for another. */
static int
commands_format (const char *path)
{
  return g_str_has_suffix (path, ".csv")    ? (int) TL_COMMANDS_CSV
         : g_str_has_suffix (path, ".vcd")  ? (int) TL_COMMANDS_VCD
         : g_str_has_suffix (path, ".json") ? (int) TL_COMMANDS_CHROME
                                            : -1;
}

/* Of --trace=OUT: every event as a table, unless the ending asks for another tool's format. */
static TlCommandsFormat
trace_format (const char *path)
{
  int format = commands_format (path);

  return format == TL_COMMANDS_VCD || format == TL_COMMANDS_CHROME ? (TlCommandsFormat) format : TL_COMMANDS_EVENTS;
}

typedef struct
{
  char    *result;
  char    *trace;
  char    *commands;
  int      commands_format;
  gboolean json;
} Outputs;

static void
outputs_clear (Outputs *outputs)
{
  g_free (outputs->result);
  g_free (outputs->trace);
  g_free (outputs->commands);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Outputs, outputs_clear)

/* Everything that a wrong output could spoil is said before the run, not after it. */
static int
outputs_judge (Outputs *outputs)
{
  if (outputs->result != NULL && !g_str_has_suffix (outputs->result, ".npy")
      && !g_str_has_suffix (outputs->result, ".csv") && !g_str_has_suffix (outputs->result, ".paf"))
    return tl_cli_usage (&tl_cli_run, "--result writes .npy, .csv or .paf, and \"%s\" is none of them",
                         outputs->result);
  outputs->commands_format = outputs->commands != NULL ? commands_format (outputs->commands) : 0;
  if (outputs->commands_format < 0)
    return tl_cli_usage (&tl_cli_run, "--commands writes .csv, .vcd or .json, and \"%s\" is none of them",
                         outputs->commands);
  if (!tl_output_probe (outputs->result) || !tl_output_probe (outputs->trace) || !tl_output_probe (outputs->commands))
    return TL_EXIT_WRONG;
  return TL_GO_ON;
}

static int
outputs_write (const Outputs *outputs, const TlRun *run, GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  int status = TL_EXIT_FINE;

  if (outputs->result != NULL && !tl_run_write_result (run, outputs->result, &error))
    {
      fprintf (stderr, "%s: error: %s\n", outputs->result,
               error != NULL                ? error->message
               : run->result_reason != NULL ? run->result_reason
                                            : "there are no values to write");
      return TL_EXIT_WRONG;
    }
  if (outputs->trace != NULL)
    status = tl_cli_run_events (run, trace_format (outputs->trace), outputs->trace, cancellable);
  if (status == TL_EXIT_FINE && outputs->commands != NULL)
    status = tl_cli_run_events (run, (TlCommandsFormat) outputs->commands_format, outputs->commands, cancellable);
  return status;
}

/* A matrix is written as .npy or .csv, alignments as .paf or .csv. */
static int
result_suits (const Outputs *outputs, const TlBuild *build)
{
  gboolean    grid = build->grid != NULL || build->pipe != NULL;
  const char *other = grid ? ".npy" : ".paf";

  if (outputs->result != NULL && g_str_has_suffix (outputs->result, other))
    return tl_cli_usage (&tl_cli_run,
                         grid ? "\"%s\": alignments are written as .paf or .csv"
                              : "\"%s\": a matrix is written as .npy or .csv",
                         outputs->result);
  if (build->grid == NULL && build->pipe != NULL && *build->pipe->text == '\0' && outputs->result != NULL)
    return tl_cli_usage (&tl_cli_run, "this stream was made of a module and does not carry its recurrence; build it "
                                      "from the program, or run that, for values");
  return TL_GO_ON;
}

static int
run (TlCli *cli, int argc, char **argv)
{
  g_auto (Outputs) outputs = { 0 };
  g_auto (GStrv) sets = NULL;
  g_auto (GStrv) arguments = NULL;
  g_autofree char *placement = NULL;
  TlProductLayout  layout = TL_PRODUCT_PLACED;
  gint64           ctas = 0;
  gboolean         full = FALSE;
  gboolean         memo = FALSE;
  g_auto (TlCliSource) source = { 0 };
  g_autoptr (TlProgress) progress = NULL;
  const GOptionEntry entries[] = {
    { "full", 0, 0, G_OPTION_ARG_NONE, &full, N_ ("Simulate every command"), NULL },
    { "memo", 0, 0, G_OPTION_ARG_NONE, &memo, N_ ("Simulate like operations once (the default where that is exact)"),
      NULL },
    { "result", 'r', 0, G_OPTION_ARG_FILENAME, &outputs.result,
      N_ ("Write the computed values: .npy or .csv, alignments as .paf or .csv"), "FILE" },
    { "commands", 'c', 0, G_OPTION_ARG_FILENAME, &outputs.commands,
      N_ ("Write the DRAM commands: .csv, .vcd (waves) or .json (Chrome's trace format)"), "FILE" },
    { "trace", 0, 0, G_OPTION_ARG_FILENAME, &outputs.trace,
      N_ ("Write every event: one a line as CSV, of a product compressed columns, or by the ending (.vcd, .json)"),
      "FILE" },
    { "placement", 0, 0, G_OPTION_ARG_STRING, &placement,
      N_ ("Of a product, whose events are written: placed (default), packed or conventional"), "NAME" },
    { "ctas", 0, 0, G_OPTION_ARG_INT64, &ctas, N_ ("Of a product on a compute unit, replay only the first N blocks"),
      "N" },
    { "set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &sets,
      N_ ("Override a config line, or target.KEY a number of the machine"), "KEY=VALUE" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &outputs.json, N_ ("Print one JSON object"), NULL },
    G_OPTION_ENTRY_NULL,
  };
  int status = tl_cli_options (&tl_cli_run, entries, argc, argv, &arguments);

  if (status != TL_GO_ON)
    return status;
  if (g_strv_length (arguments) != 1)
    return tl_cli_usage (&tl_cli_run, "one FILE is run at a time");
  if (ctas < 0)
    return tl_cli_usage (&tl_cli_run, "--ctas is a number of blocks, 0 for all");
  if (placement != NULL && !tl_product_layout_parse (placement, &layout))
    return tl_cli_usage (&tl_cli_run, "--placement is placed, packed or conventional, not \"%s\"", placement);
  if (full && memo)
    return tl_cli_usage (&tl_cli_run, "--full and --memo exclude each other");
  if ((status = tl_cli_settings_valid (&tl_cli_run, sets)) != TL_GO_ON
      || (status = outputs_judge (&outputs)) != TL_GO_ON)
    return status;
  if (!tl_cli_source_open (&source, arguments[0]))
    return TL_EXIT_WRONG;
  if ((status = tl_cli_source_judge_settings (&source, &tl_cli_run, sets)) != TL_GO_ON)
    return status;
  if (source.stage >= TL_STAGE_G1 && source.stage <= TL_STAGE_G4)
    return tl_cli_usage (&tl_cli_run, "\"%s\" is a module; make a stream of it with \"tierc build --from=gN -o x.tls\"",
                         arguments[0]);

  TlBuildOptions build_options = { .from = source.stage, .config = (const char *const *) sets };
  g_autoptr (TlBuild) build = tl_cli_source_build (&source, &build_options, cli->cancellable);
  if ((status = tl_cli_build_judge (build)) != TL_GO_ON || (status = result_suits (&outputs, build)) != TL_GO_ON)
    return status;
  TlRunOutputs wanted = { outputs.result,
                          outputs.trace,
                          outputs.commands,
                          (TlCommandsFormat) outputs.commands_format,
                          outputs.trace != NULL ? trace_format (outputs.trace) : TL_COMMANDS_EVENTS,
                          outputs.json };
  if (build->product != NULL)
    return full || memo
               ? tl_cli_usage (&tl_cli_run, "every command of a product is simulated: --full and --memo are for "
                                            "closures")
               : tl_cli_run_product (cli, build, (guint64) ctas, layout, &wanted);
  if (placement != NULL)
    return tl_cli_usage (&tl_cli_run, "--placement is for a product on a compute unit, and this is a closure");
  if (ctas > 0)
    return tl_cli_usage (&tl_cli_run, "--ctas counts the blocks of a product on a compute unit, and this is a closure");

  if (build->program == NULL)
    return tl_cli_run_grid (cli, build, &wanted);

  progress = tl_progress_new (build->program->name);
  TlRunOptions run_options = {
    .mode = full   ? TL_RUN_FULL
            : memo ? TL_RUN_MEMO
                   : TL_RUN_AUTO,
    .force_values = outputs.result != NULL,
    .sensitivities = !outputs.json,
    .progress = tl_progress_count,
    .user = progress,
  };
  g_autoptr (TlRun) result = tl_run (build, &run_options, cli->cancellable);
  g_clear_pointer (&progress, tl_progress_free);
  tl_cli_diags_print (result->diags, build->source);
  if (result->cancelled || g_cancellable_is_cancelled (cli->cancellable))
    {
      fputs ("interrupted; nothing was written\n", stderr);
      return TL_EXIT_INTERRUPTED;
    }
  if (!result->complete)
    return TL_EXIT_WRONG;
  if ((status = outputs_write (&outputs, result, cli->cancellable)) != TL_EXIT_FINE)
    return status;
  if (outputs.json)
    return tl_cli_write_json ("-", tl_cli_run_json (result));
  tl_cli_run_summary (result);
  return TL_EXIT_FINE;
}

const TlCliCommand tl_cli_run = {
  .name = "run",
  .arguments = "FILE",
  .summary = N_ ("Compile a program, or take a stream (.tls), and simulate it"),
  .details = N_ ("Values are computed when there are at most 8,192 nodes, or when --result or values = on asks\n"
                 "for them."),
  .run = run,
};
