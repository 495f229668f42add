/* tierloom: the window. */
#include "app/application.h"
#include "config.h"

#include <glib/gi18n.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

/* Without hardware GL, GTK 4.8 would draw with a software GL that takes a core and
 * shows slides; cairo is quicker by far (measured). What the user chose stands. */
static void
choose_renderer (void)
{
  if (g_getenv ("GSK_RENDERER") == NULL && !g_file_test ("/dev/dri", G_FILE_TEST_IS_DIR))
    {
      g_setenv ("GSK_RENDERER", "cairo", TRUE);
      if (g_getenv ("GDK_DEBUG") == NULL)
        g_setenv ("GDK_DEBUG", "gl-disable", TRUE);
    }
}

static int
say_no_display (void)
{
  fputs (_ ("tierloom: there is no display to open a window on (DISPLAY and WAYLAND_DISPLAY name none that answers).\n"
            "The same work is done without one by tierc:\n"
            "  tierc run PROGRAM.gdsl      runs a program and sums the run up\n"
            "  tierc figure PROGRAM.gdsl   writes the picture of the window as figure.svg\n"),
         stderr);
  return 1;
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  bindtextdomain ("tierloom", TL_LOCALEDIR);
  bind_textdomain_codeset ("tierloom", "UTF-8");
  textdomain ("tierloom");
  if (argc > 1 && strcmp (argv[1], "--version") == 0)
    {
      puts ("tierloom " TL_VERSION);
      return 0;
    }
  choose_renderer ();
  if (!gtk_init_check ())
    return say_no_display ();
  g_autoptr (AdwApplication) application = tl_application_new ();
  return g_application_run (G_APPLICATION (application), argc, argv);
}
