/* Command lines: options, help, what to say when they are wrong. */
#include "cli/cli.h"
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

int
tl_cli_options (const TlCliCommand *command, const GOptionEntry *entries, int argc, char **argv, char ***arguments)
{
  gboolean help = FALSE;
  gboolean version = FALSE;
  g_auto (GStrv) rest = NULL;
  g_autoptr (GError) error = NULL;
  GOptionEntry common[] = {
    { "help", 'h', 0, G_OPTION_ARG_NONE, &help, N_ ("Show this help"), NULL },
    { "version", 0, 0, G_OPTION_ARG_NONE, &version, N_ ("Show the version"), NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &rest, NULL, NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autofree char *program = g_strdup_printf ("tierc %s", command->name);
  g_autoptr (GOptionContext) context = g_option_context_new (command->arguments);

  g_option_context_set_help_enabled (context, FALSE);
  g_option_context_set_translation_domain (context, "tierloom");
  g_option_context_set_summary (context, command->summary);
  g_option_context_set_description (context, command->details);
  g_option_context_add_main_entries (context, entries, "tierloom");
  g_option_context_add_main_entries (context, common, "tierloom");

  /* GOption changes the array it is given; the strings stay whose they are. */
  g_autofree char **copy = g_memdup2 (argv, (argc + 1) * sizeof *argv);
  char            **parsed = copy;
  parsed[0] = program;
  if (!g_option_context_parse (context, &argc, &parsed, &error))
    return tl_cli_usage (command, "%s", error->message);
  if (help)
    {
      g_autofree char *text = g_option_context_get_help (context, TRUE, NULL);
      fputs (text, stdout);
      return TL_EXIT_FINE;
    }
  if (version)
    {
      puts ("tierc " TL_VERSION);
      return TL_EXIT_FINE;
    }
  *arguments = rest != NULL ? g_steal_pointer (&rest) : g_new0 (char *, 1);
  return TL_GO_ON;
}

int
tl_cli_usage (const TlCliCommand *command, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);
  const char *name = command != NULL ? command->name : "";
  const char *blank = command != NULL ? " " : "";
  fprintf (stderr, "tierc%s%s: %s\nTry \"tierc%s%s --help\".\n", blank, name, text, blank, name);
  return TL_EXIT_USAGE;
}

int
tl_cli_settings_valid (const TlCliCommand *command, char **sets)
{
  for (guint i = 0; sets != NULL && sets[i] != NULL; i++)
    {
      const char *equals = strchr (sets[i], '=');
      if (equals == NULL || equals == sets[i] || equals[1] == '\0')
        return tl_cli_usage (command, "--set takes KEY=VALUE or target.KEY=VALUE, not \"%s\"", sets[i]);
    }
  return TL_GO_ON;
}
