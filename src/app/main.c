/* tierloom: the window. */
#include "app/lesson-window.h"
#include "app/window.h"
#include "config.h"

#include <glib/gi18n.h>
#include <locale.h>

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

static const char first_program[] = "algorithm apsp\n"
                                    "  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\n"
                                    "data D: i32 = road(4096, 7)\n"
                                    "config target = gendram, page = open, barriers = superstep\n"
                                    "place D = stripe 0..7\n";

static void
on_startup (GApplication *application, gpointer data)
{
  GtkCssProvider *css = gtk_css_provider_new ();

  gtk_css_provider_load_from_resource (css, "/io/github/tierloom/Tierloom/style.css");
  gtk_style_context_add_provider_for_display (gdk_display_get_default (), GTK_STYLE_PROVIDER (css),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  g_object_unref (css);
  tl_lessons_add (GTK_APPLICATION (application));
}

static void
on_activate (GApplication *application, gpointer data)
{
  TlWindow *window = tl_window_new (ADW_APPLICATION (application));

  tl_window_load (window, first_program, NULL, NULL);
  tl_player_set_playing (tl_desk_player (tl_window_desk (window)), TRUE);
  gtk_window_present (GTK_WINDOW (window));
}

static void
on_open (GApplication *application, GFile **files, int n_files, const char *hint, gpointer data)
{
  for (int i = 0; i < n_files; i++)
    {
      g_autofree char *path = g_file_get_path (files[i]);
      g_autofree char *text = NULL;
      g_autoptr (GError) error = NULL;
      TlWindow *window = tl_window_new (ADW_APPLICATION (application));
      if (path != NULL && g_file_get_contents (path, &text, NULL, &error) && g_utf8_validate (text, -1, NULL))
        tl_window_load (window, text, path, NULL);
      else
        tl_window_toast (window, "%s", error != NULL ? error->message : _ ("The file is no text in UTF-8."));
      tl_player_set_playing (tl_desk_player (tl_window_desk (window)), TRUE);
      gtk_window_present (GTK_WINDOW (window));
    }
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  bindtextdomain ("tierloom", TL_LOCALEDIR);
  bind_textdomain_codeset ("tierloom", "UTF-8");
  textdomain ("tierloom");
  choose_renderer ();
  g_autoptr (AdwApplication) application
      = adw_application_new ("io.github.tierloom.Tierloom", G_APPLICATION_HANDLES_OPEN | G_APPLICATION_NON_UNIQUE);
  g_signal_connect (application, "startup", G_CALLBACK (on_startup), NULL);
  g_signal_connect (application, "activate", G_CALLBACK (on_activate), NULL);
  g_signal_connect (application, "open", G_CALLBACK (on_open), NULL);
  return g_application_run (G_APPLICATION (application), argc, argv);
}
