/* tierc check: what is wrong with a program, and nothing else. */
#include "cli/cli.h"

#include <glib/gi18n.h>
#include <string.h>

static int
check (TlCli *cli, int argc, char **argv)
{
  g_autofree char *format = NULL;
  g_auto (GStrv) sets = NULL;
  g_auto (GStrv) arguments = NULL;
  gboolean json = FALSE;
  g_auto (TlCliSource) source = { 0 };
  const GOptionEntry entries[] = {
    { "format", 'f', 0, G_OPTION_ARG_STRING, &format, N_ ("How to print: text, json or sarif (default text)"),
      "FORMAT" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, N_ ("The same as --format=json"), NULL },
    { "set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &sets,
      N_ ("Override a config line, or target.KEY a number of the machine"), "KEY=VALUE" },
    G_OPTION_ENTRY_NULL,
  };
  int status = tl_cli_options (&tl_cli_check, entries, argc, argv, &arguments);

  if (status != TL_GO_ON)
    return status;
  if (g_strv_length (arguments) != 1)
    return tl_cli_usage (&tl_cli_check, "one FILE is checked at a time");
  if (format == NULL)
    format = g_strdup (json ? "json" : "text");
  static const char *const formats[] = { "text", "json", "sarif", NULL };
  if (!g_strv_contains (formats, format))
    return tl_cli_usage (&tl_cli_check, "--format is text, json or sarif, not \"%s\"", format);
  if ((status = tl_cli_settings_valid (&tl_cli_check, sets)) != TL_GO_ON)
    return status;
  if (!tl_cli_source_open (&source, arguments[0]))
    return TL_EXIT_WRONG;
  if ((status = tl_cli_source_judge_settings (&source, &tl_cli_check, sets)) != TL_GO_ON)
    return status;
  if (source.stage >= TL_STAGE_G1 && source.stage <= TL_STAGE_G4)
    return tl_cli_usage (&tl_cli_check, "\"%s\" is a module, not a program; \"tierc build --from=g1 %s\" checks it",
                         arguments[0], arguments[0]);

  TlBuildOptions options = { .from = source.stage, .config = (const char *const *) sets };
  g_autoptr (TlBuild) build = tl_cli_source_build (&source, &options, cli->cancellable);
  if (build->cancelled)
    return tl_cli_build_judge (build);
  if (strcmp (format, "text") == 0)
    {
      tl_cli_diags_print (build->diags, build->source);
      guint errors = tl_diags_errors (build->diags);
      guint others = tl_diags_count (build->diags) - errors;
      if (errors > 0 || others > 0)
        fprintf (stderr, "%u error%s, %u other%s\n", errors, errors == 1 ? "" : "s", others, others == 1 ? "" : "s");
      else
        printf ("%s: nothing to say\n", source.name);
    }
  else
    {
      gboolean  sarif = strcmp (format, "sarif") == 0;
      JsonNode *root
          = sarif ? tl_cli_diags_sarif (build->diags, build->source) : tl_cli_diags_json (build->diags, build->source);
      if (tl_cli_write_json ("-", root) != TL_EXIT_FINE)
        return TL_EXIT_WRONG;
    }
  return build->complete ? TL_EXIT_FINE : TL_EXIT_WRONG;
}

const TlCliCommand tl_cli_check = {
  .name = "check",
  .arguments = "FILE",
  .summary = N_ ("Say what is wrong with a program"),
  .run = check,
};
