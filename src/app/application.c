/* What the application opens when it starts: what a killed session left unsaved, else
 * where the last session stopped, else the first program, moving. */
#include "app/application.h"

#include "app/about.h"
#include "app/help-window.h"
#include "app/lesson-window.h"
#include "app/preferences.h"
#include "app/replay-window.h"
#include "app/settings.h"
#include "app/window-files.h"
#include "app/window-session.h"
#include "config.h"
#include "engine/trace-run.h"

#include <glib/gi18n.h>

#define APPLICATION_ID "io.github.tierloom.Tierloom"

/* The program a new window starts with: four lines that show hits, misses and conflicts. */
static const char *
first_text (void)
{
  return "algorithm apsp\n"
         "  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\n"
         "data D: i32 = road(4096, 7)\n"
         "config target = gendram, page = open, barriers = superstep\n"
         "place D = stripe 0..7\n";
}

static void
open_first_program (GApplication *application)
{
  TlWindow *window = tl_window_new (ADW_APPLICATION (application));

  tl_window_load (window, first_text (), NULL, NULL);
  tl_player_set_playing (tl_desk_player (tl_window_desk (window)), TRUE);
  gtk_window_present (GTK_WINDOW (window));
}

static void
on_new_window (GSimpleAction *action, GVariant *parameter, gpointer application)
{
  open_first_program (application);
}

static void
on_quit (GSimpleAction *action, GVariant *parameter, gpointer application)
{
  g_autoptr (GList) windows = g_list_copy (gtk_application_get_windows (application));

  /* Each asks for itself; the application ends with its last window. */
  for (GList *item = windows; item != NULL; item = item->next)
    if (TL_IS_WINDOW (item->data))
      gtk_window_close (item->data);
}

static void
on_preferences (GSimpleAction *action, GVariant *parameter, gpointer application)
{
  tl_preferences_show (gtk_application_get_active_window (application));
}

static void
on_help (GSimpleAction *action, GVariant *parameter, gpointer application)
{
  tl_help_show (gtk_application_get_active_window (application), NULL);
}

static void
on_about (GSimpleAction *action, GVariant *parameter, gpointer application)
{
  tl_about_show (gtk_application_get_active_window (application));
}

static void
set_keys (GtkApplication *application)
{
  static const struct
  {
    const char *action;
    const char *keys[3];
  } rows[] = {
    { "app.new", { "<Control>n" } },
    { "app.quit", { "<Control>q" } },
    { "app.preferences", { "<Control>comma" } },
    { "app.help", { "F1" } },
    { "win.open", { "<Control>o" } },
    { "win.save", { "<Control>s" } },
    { "win.save-as", { "<Control><Shift>s" } },
    { "win.export", { "<Control>e" } },
    { "win.print", { "<Control>p" } },
    { "win.layout-lens", { "<Control>l" } },
    { "win.register-lens", { "<Control>r" } },
    { "win.find", { "<Control>f" } },
    { "win.fullscreen", { "F11" } },
    { "window.close", { "<Control>w" } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    gtk_application_set_accels_for_action (application, rows[i].action, rows[i].keys);
}

static void
use_color_scheme (GSettings *settings, const char *key, gpointer data)
{
  g_autofree char *scheme = tl_settings_string ("color-scheme");

  adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                      g_str_equal (scheme, "light")  ? ADW_COLOR_SCHEME_FORCE_LIGHT
                                      : g_str_equal (scheme, "dark") ? ADW_COLOR_SCHEME_FORCE_DARK
                                                                     : ADW_COLOR_SCHEME_DEFAULT);
}

/* The desktop may say no animations at any time; a preference can only say no as well. */
static void
use_animations (GSettings *settings, const char *key, gpointer data)
{
  if (!tl_settings_boolean ("animations", TRUE))
    g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
  else
    gtk_settings_reset_property (gtk_settings_get_default (), "gtk-enable-animations");
}

/* Where no desktop says which font it uses GTK falls back to "Sans 10", and the panels would not match the pictures. */
static void
use_font (void)
{
  GtkSettings     *settings = gtk_settings_get_default ();
  g_autofree char *name = NULL;

  g_object_get (settings, "gtk-font-name", &name, NULL);
  if (g_strcmp0 (name, "Sans 10") == 0)
    g_object_set (settings, "gtk-font-name", "Cantarell 11", NULL);
}

/* Without a compositor the shadow of a popover is a black frame. */
static void
use_no_shadows (void)
{
  GdkDisplay     *display = gdk_display_get_default ();
  GtkCssProvider *css;

  if (gdk_display_is_composited (display))
    return;
  css = gtk_css_provider_new ();
  gtk_css_provider_load_from_data (css, "popover > contents { box-shadow: none; border-radius: 0; }", -1);
  gtk_style_context_add_provider_for_display (display, GTK_STYLE_PROVIDER (css),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  g_object_unref (css);
}

static void
on_startup (GApplication *application, gpointer data)
{
  static const GActionEntry entries[] = {
    { .name = "new", .activate = on_new_window },
    { .name = "quit", .activate = on_quit },
    { .name = "preferences", .activate = on_preferences },
    { .name = "help", .activate = on_help },
    { .name = "about", .activate = on_about },
  };
  GtkCssProvider *css = gtk_css_provider_new ();

  use_font ();
  use_no_shadows ();
  gtk_css_provider_load_from_resource (css, "/io/github/tierloom/Tierloom/style.css");
  gtk_style_context_add_provider_for_display (gdk_display_get_default (), GTK_STYLE_PROVIDER (css),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  g_object_unref (css);
  gtk_icon_theme_add_search_path (gtk_icon_theme_get_for_display (gdk_display_get_default ()), TL_SOURCE_ICONS);
  gtk_window_set_default_icon_name (APPLICATION_ID);
  g_action_map_add_action_entries (G_ACTION_MAP (application), entries, G_N_ELEMENTS (entries), application);
  tl_lessons_add (GTK_APPLICATION (application));
  set_keys (GTK_APPLICATION (application));
  if (tl_settings () != NULL)
    {
      g_signal_connect (tl_settings (), "changed::color-scheme", G_CALLBACK (use_color_scheme), NULL);
      g_signal_connect (tl_settings (), "changed::animations", G_CALLBACK (use_animations), NULL);
      use_color_scheme (NULL, NULL, NULL);
      use_animations (NULL, NULL, NULL);
    }
}

/* TRUE when something was left behind and is on screen again. */
static gboolean
restore_unsaved (GApplication *application)
{
  g_autofree char *folder = tl_recovery_folder ();
  g_autoptr (GPtrArray) orphans = tl_recovery_orphans (folder);

  for (guint i = 0; i < orphans->len; i++)
    {
      TlWindow *window = tl_window_new (ADW_APPLICATION (application));
      tl_document_adopt (tl_window_document (window), orphans->pdata[i]);
      tl_window_toast (window, _ ("Unsaved changes to “%s” are back."), tl_document_name (tl_window_document (window)));
      gtk_window_present (GTK_WINDOW (window));
    }
  return orphans->len > 0;
}

static gboolean
restore_session (GApplication *application)
{
  g_autofree char *file = tl_session_file ();
  g_auto (TlSession) session = { 0 };

  if (!tl_session_load (file, &session))
    return FALSE;
  TlWindow *window = tl_window_new (ADW_APPLICATION (application));
  tl_window_session_size (window, &session);
  if (session.path != NULL && tl_settings_boolean ("restore-session", TRUE)
      && tl_window_open_path (window, session.path))
    {
      GtkTextBuffer *buffer = GTK_TEXT_BUFFER (tl_window_buffer (window));
      GtkTextIter    cursor;
      gtk_text_buffer_get_iter_at_offset (buffer, &cursor, session.cursor);
      gtk_text_buffer_place_cursor (buffer, &cursor);
      if (session.state != NULL)
        tl_window_show_state (window, session.state);
      return TRUE;
    }
  tl_window_load (window, first_text (), NULL, NULL);
  tl_player_set_playing (tl_desk_player (tl_window_desk (window)), TRUE);
  gtk_window_present (GTK_WINDOW (window));
  return TRUE;
}

static void
on_activate (GApplication *application, gpointer data)
{
  if (gtk_application_get_windows (GTK_APPLICATION (application)) != NULL || restore_unsaved (application)
      || restore_session (application))
    return;
  open_first_program (application);
}

static void
on_open (GApplication *application, GFile **files, int n_files, const char *hint, gpointer data)
{
  restore_unsaved (application);
  for (int i = 0; i < n_files; i++)
    {
      g_autofree char *path = g_file_get_path (files[i]);
      if (path != NULL && tl_trace_run_is_trace (path))
        {
          tl_replay_window_open (GTK_APPLICATION (application), path);
          continue;
        }
      TlWindow *window = tl_window_new (ADW_APPLICATION (application));
      if (path != NULL && tl_window_open_path (window, path))
        continue;
      /* The words about the fault stand over the first program, not over nothing. */
      tl_window_load (window, first_text (), NULL, NULL);
      if (path == NULL)
        tl_window_toast (window, "%s", _ ("Only files of this machine can be opened."));
      gtk_window_present (GTK_WINDOW (window));
    }
}

AdwApplication *
tl_application_new (void)
{
  AdwApplication *application
      = adw_application_new (APPLICATION_ID, G_APPLICATION_HANDLES_OPEN | G_APPLICATION_NON_UNIQUE);

  g_signal_connect (application, "startup", G_CALLBACK (on_startup), NULL);
  g_signal_connect (application, "activate", G_CALLBACK (on_activate), NULL);
  g_signal_connect (application, "open", G_CALLBACK (on_open), NULL);
  return application;
}
