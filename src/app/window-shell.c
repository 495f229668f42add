/* Actions of the window that are about no single lens. */
#include "app/window-shell.h"

#include "app/examples.h"
#include "app/export-dialog.h"
#include "app/layout-window.h"
#include "app/print.h"
#include "app/register-window.h"
#include "app/settings.h"

typedef struct
{
  TlWindow       *window;
  GtkSourceView  *editor;
  GtkCssProvider *font;
} Shell;

static void
on_export (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  Shell *shell = data;

  TlDocument *document = tl_window_document (shell->window);

  tl_export_dialog_show (GTK_WINDOW (shell->window), tl_window_desk (shell->window), tl_document_name (document),
                         tl_document_path (document), tl_window_stack_kind (shell->window),
                         tl_window_toasts (shell->window));
}

static void
on_print (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  Shell *shell = data;

  tl_print (shell->window);
}

static void
on_fullscreen (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  Shell     *shell = data;
  GtkWindow *window = GTK_WINDOW (shell->window);

  if (gtk_window_is_fullscreen (window))
    gtk_window_unfullscreen (window);
  else
    gtk_window_fullscreen (window);
}

static void
on_undo (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  Shell *shell = data;

  gtk_text_buffer_undo (GTK_TEXT_BUFFER (tl_window_buffer (shell->window)));
}

static void
on_redo (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  Shell *shell = data;

  gtk_text_buffer_redo (GTK_TEXT_BUFFER (tl_window_buffer (shell->window)));
}

static void
on_example (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  Shell *shell = data;

  tl_examples_open (shell->window, g_variant_get_string (parameter, NULL));
}

static void
on_register_lens (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  Shell *shell = data;

  tl_register_window_open (shell->window);
}

static void
on_layout_lens (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  Shell *shell = data;

  tl_layout_window_open (shell->window);
}

static void
follow_history (Shell *shell)
{
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (tl_window_buffer (shell->window));
  GActionMap    *map = G_ACTION_MAP (shell->window);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (map, "undo")),
                               gtk_text_buffer_get_can_undo (buffer));
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (map, "redo")),
                               gtk_text_buffer_get_can_redo (buffer));
}

static void
use_font (Shell *shell)
{
  g_autofree char *name = tl_settings_string ("editor-font");
  GString         *css = g_string_new (NULL);

  if (*name != '\0')
    {
      PangoFontDescription *font = pango_font_description_from_string (name);
      const char           *family = pango_font_description_get_family (font);
      g_auto (GStrv) parts = g_strsplit (family != NULL ? family : "monospace", "\"", -1);
      g_autofree char *safe = g_strjoinv ("", parts);
      g_string_append_printf (css, "textview.editor { font-family: \"%s\", monospace;", safe);
      if (pango_font_description_get_size (font) > 0)
        g_string_append_printf (css, " font-size: %d%s;", pango_font_description_get_size (font) / PANGO_SCALE,
                                pango_font_description_get_size_is_absolute (font) ? "px" : "pt");
      g_string_append (css, " }");
      pango_font_description_free (font);
    }
  gtk_css_provider_load_from_data (shell->font, css->str, (gssize) css->len);
  g_string_free (css, TRUE);
}

static void
use_autosave (Shell *shell)
{
  tl_document_set_autosave (tl_window_document (shell->window), tl_settings_boolean ("autosave", TRUE));
}

static void
use_dwell (Shell *shell)
{
  if (tl_settings () != NULL)
    tl_player_set_dwell (tl_desk_player (tl_window_desk (shell->window)),
                         g_settings_get_uint (tl_settings (), "dwell"));
}

static void
on_preference (GSettings *settings, const char *key, Shell *shell)
{
  if (g_str_equal (key, "editor-font"))
    use_font (shell);
  else if (g_str_equal (key, "autosave"))
    use_autosave (shell);
  else if (g_str_equal (key, "dwell"))
    use_dwell (shell);
}

static void
shell_free (gpointer data)
{
  Shell *shell = data;

  if (tl_settings () != NULL)
    g_signal_handlers_disconnect_by_data (tl_settings (), shell);
  gtk_style_context_remove_provider_for_display (gdk_display_get_default (), GTK_STYLE_PROVIDER (shell->font));
  g_object_unref (shell->font);
  g_free (shell);
}

static void
disconnect_buffer (GtkWidget *widget, Shell *shell)
{
  g_signal_handlers_disconnect_by_data (gtk_text_view_get_buffer (GTK_TEXT_VIEW (shell->editor)), shell);
}

static gboolean
on_escape (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  gtk_window_close (GTK_WINDOW (widget));
  return TRUE;
}

void
tl_close_on_escape (GtkWidget *window)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (keys),
      gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0), gtk_callback_action_new (on_escape, NULL, NULL)));
  gtk_widget_add_controller (window, keys);
}

void
tl_window_shell_setup (TlWindow *window, GtkMenuButton *examples, GtkSourceView *editor)
{
  static const GActionEntry entries[] = {
    { .name = "export", .activate = on_export },
    { .name = "print", .activate = on_print },
    { .name = "fullscreen", .activate = on_fullscreen },
    { .name = "undo", .activate = on_undo },
    { .name = "redo", .activate = on_redo },
    { .name = "layout-lens", .activate = on_layout_lens },
    { .name = "register-lens", .activate = on_register_lens },
    { .name = "example", .activate = on_example, .parameter_type = "s" },
  };
  Shell *shell = g_new0 (Shell, 1);

  shell->window = window;
  shell->editor = editor;
  shell->font = gtk_css_provider_new ();
  gtk_widget_add_css_class (GTK_WIDGET (editor), "editor");
  gtk_style_context_add_provider_for_display (gdk_display_get_default (), GTK_STYLE_PROVIDER (shell->font),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION + 1);
  g_object_set_data_full (G_OBJECT (window), "tl-window-shell", shell, shell_free);
  g_action_map_add_action_entries (G_ACTION_MAP (window), entries, G_N_ELEMENTS (entries), shell);
  g_signal_connect_swapped (tl_window_buffer (window), "notify::can-undo", G_CALLBACK (follow_history), shell);
  g_signal_connect_swapped (tl_window_buffer (window), "notify::can-redo", G_CALLBACK (follow_history), shell);
  g_signal_connect (window, "destroy", G_CALLBACK (disconnect_buffer), shell);
  if (tl_settings () != NULL)
    g_signal_connect (tl_settings (), "changed", G_CALLBACK (on_preference), shell);
  tl_examples_fill (examples);
  follow_history (shell);
  use_font (shell);
  use_autosave (shell);
  use_dwell (shell);
}
