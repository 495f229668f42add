/* tierc: what the command line says is what is called. */
#include "base/word.h"
#include "cli/cli.h"
#include "config.h"

#include <glib/gi18n.h>
#include <libintl.h>
#include <locale.h>
#include <string.h>

static const TlCliCommand *const commands[]
    = { &tl_cli_check, &tl_cli_build,  &tl_cli_run, &tl_cli_figure, &tl_cli_replay,
        &tl_cli_plan,  &tl_cli_layout, &tl_cli_ptx, &tl_cli_target, &tl_cli_study };

static void
print_help (void)
{
  printf ("%s\n  tierc COMMAND [OPTION…] [ARGUMENT…]\n\n%s\n\n%s\n", _ ("Usage:"),
          _ ("Compiles recurrences for 3D-stacked DRAM and runs them on a simulated stack."), _ ("Commands:"));
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_autofree char *usage = g_strdup_printf ("%s %s", commands[i]->name, commands[i]->arguments);
      printf ("  %-38s %s\n", usage, _ (commands[i]->summary));
    }
  printf ("\n%s\n", _ ("\"tierc COMMAND --help\" tells more; \"man tierc\" tells all. \"-\" reads standard input.\n"
                       "Exit status: 0 fine, 1 the program or an input is wrong, 2 wrong usage, 3 interrupted."));
}

static int
dispatch (TlCli *cli, int argc, char **argv)
{
  if (argc < 2)
    {
      print_help ();
      return TL_EXIT_USAGE;
    }
  const char *word = argv[1];
  if (strcmp (word, "--help") == 0 || strcmp (word, "-h") == 0 || (strcmp (word, "help") == 0 && argc == 2))
    {
      print_help ();
      return TL_EXIT_FINE;
    }
  if (strcmp (word, "--version") == 0)
    {
      puts ("tierc " TL_VERSION);
      return TL_EXIT_FINE;
    }
  char     asked_for_help[] = "--help";
  char    *help_argv[] = { argv[1], asked_for_help, NULL };
  gboolean help = strcmp (word, "help") == 0;
  if (help)
    {
      word = argv[2];
      help_argv[0] = argv[2];
    }
  const char *names[G_N_ELEMENTS (commands)];
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      names[i] = commands[i]->name;
      if (strcmp (word, commands[i]->name) == 0)
        return help ? commands[i]->run (cli, 2, help_argv) : commands[i]->run (cli, argc - 1, argv + 1);
    }
  const char *nearest = tl_word_nearest (word, names, G_N_ELEMENTS (commands));
  return nearest != NULL ? tl_cli_usage (NULL, "there is no command \"%s\"; did you mean \"%s\"?", word, nearest)
                         : tl_cli_usage (NULL, "there is no command \"%s\"", word);
}

int
main (int argc, char **argv)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  TlCli cli = { cancellable };

  /* Words may be translated; numbers are the same everywhere. */
  setlocale (LC_CTYPE, "");
  setlocale (LC_MESSAGES, "");
  bindtextdomain ("tierloom", TL_LOCALEDIR);
  bind_textdomain_codeset ("tierloom", "UTF-8");
  textdomain ("tierloom");
  tl_cli_catch_interrupts (cancellable);

  int status = dispatch (&cli, argc, argv);
  /* Output that did not arrive must not look like success. */
  if ((fflush (stdout) != 0 || ferror (stdout)) && status == TL_EXIT_FINE)
    {
      fputs ("standard output: error: cannot be written\n", stderr);
      status = TL_EXIT_WRONG;
    }
  return status;
}
