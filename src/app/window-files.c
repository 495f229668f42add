/* Files of a window. Every fault ends in words on the window: a toast where it passes,
 * a banner where it stays. The text is never given up without a question. */
#include "app/window-files.h"

#include "app/chooser.h"
#include "app/replay-window.h"
#include "app/window-session.h"
#include "engine/trace-run.h"

#include <glib/gi18n.h>
#include <string.h>

typedef struct
{
  TlWindow  *window;
  GtkBox    *banner;
  GMenu     *recent;
  GtkWidget *info;    /* the bar in the banner, NULL: none */
  GObject   *chooser; /* file dialog that is open */
  gboolean   closing; /* close once the save as dialog is done */
} Files;

#define FILES      "tl-window-files"
#define MIME_TYPE  "text/x-gendsl"
#define MAX_RECENT 8

static void save_as (Files *files);

static TlDocument *
document_of (Files *files)
{
  return tl_window_document (files->window);
}

static void
remember (const char *path)
{
  g_autofree char *uri = g_filename_to_uri (path, NULL, NULL);
  GtkRecentData    data = {
       .mime_type = (char *) MIME_TYPE,
       .app_name = (char *) "Tierloom",
       .app_exec = (char *) "tierloom %f",
  };

  if (uri != NULL)
    gtk_recent_manager_add_full (gtk_recent_manager_get_default (), uri, &data);
}

static int
newest_first (gconstpointer a, gconstpointer b)
{
  GtkRecentInfo *first = *(GtkRecentInfo *const *) a, *second = *(GtkRecentInfo *const *) b;

  return -g_date_time_compare (gtk_recent_info_get_modified (first), gtk_recent_info_get_modified (second));
}

static void
fill_recent (Files *files)
{
  GList *items = gtk_recent_manager_get_items (gtk_recent_manager_get_default ());
  g_autoptr (GPtrArray) ours = g_ptr_array_new ();

  for (GList *item = items; item != NULL; item = item->next)
    if (gtk_recent_info_has_application (item->data, "Tierloom") && gtk_recent_info_is_local (item->data))
      g_ptr_array_add (ours, item->data);
  g_ptr_array_sort (ours, newest_first);
  g_menu_remove_all (files->recent);
  for (guint i = 0; i < MIN (ours->len, MAX_RECENT); i++)
    {
      g_autofree char *path = g_filename_from_uri (gtk_recent_info_get_uri (ours->pdata[i]), NULL, NULL);
      g_auto (GStrv) parts = g_strsplit (gtk_recent_info_get_display_name (ours->pdata[i]), "_", -1);
      g_autofree char *label = g_strjoinv ("__", parts);
      if (path == NULL)
        continue;
      g_autoptr (GMenuItem) entry = g_menu_item_new (label, NULL);
      g_menu_item_set_action_and_target (entry, "win.open-path", "s", path);
      g_menu_append_item (files->recent, entry);
    }
  if (g_menu_model_get_n_items (G_MENU_MODEL (files->recent)) == 0)
    g_menu_append (files->recent, _ ("No recent programs"), "win.nothing");
  g_list_free_full (items, (GDestroyNotify) gtk_recent_info_unref);
}

/* The window to open something in: @window itself when it is untouched, else a new one,
 * presented by whoever fills it. */
static TlWindow *
window_for_opening (TlWindow *window)
{
  if (!tl_document_is_used (tl_window_document (window)))
    return window;
  return tl_window_new (ADW_APPLICATION (gtk_window_get_application (GTK_WINDOW (window))));
}

gboolean
tl_window_open_path (TlWindow *window, const char *path)
{
  g_autofree char *text = NULL;
  g_autofree char *name = NULL;
  g_autofree char *state = NULL;
  g_autoptr (GError) error = NULL;
  TlDocumentStamp stamp;

  if (tl_trace_run_is_trace (path))
    {
      tl_replay_window_open (gtk_window_get_application (GTK_WINDOW (window)), path);
      return TRUE;
    }
  if (!tl_document_file_read (path, &text, &name, &state, &stamp, &error))
    {
      g_autofree char *uri = g_filename_to_uri (path, NULL, NULL);
      if (uri != NULL && g_error_matches (error, TL_DOCUMENT_ERROR, TL_DOCUMENT_ERROR_GONE))
        gtk_recent_manager_remove_item (gtk_recent_manager_get_default (), uri, NULL);
      tl_window_toast (window, "%s", error->message);
      return FALSE;
    }
  TlWindow        *target = window_for_opening (window);
  g_autofree char *folder = g_path_get_dirname (path);
  /* A figure is a way back to its program, not the program's file. */
  gboolean         figure = !stamp.known;
  tl_document_begin (tl_window_document (target), text, figure ? NULL : path, name, folder, figure ? NULL : &stamp);
  if (state != NULL)
    tl_window_show_state (target, state);
  else
    tl_player_set_playing (tl_desk_player (tl_window_desk (target)), TRUE);
  if (!figure)
    remember (path);
  gtk_window_present (GTK_WINDOW (target));
  return TRUE;
}

gboolean
tl_window_open_example (TlWindow *window, const char *path)
{
  g_autofree char *text = NULL;
  g_autofree char *inner = NULL;
  g_autofree char *state = NULL;
  g_autoptr (GError) error = NULL;
  TlDocumentStamp stamp;

  if (!tl_document_file_read (path, &text, &inner, &state, &stamp, &error))
    {
      tl_window_toast (window, "%s", error->message);
      return FALSE;
    }
  TlWindow        *target = window_for_opening (window);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *name = g_filename_display_basename (path);
  tl_document_begin (tl_window_document (target), text, NULL, name, folder, NULL);
  tl_player_set_playing (tl_desk_player (tl_window_desk (target)), TRUE);
  gtk_window_present (GTK_WINDOW (target));
  return TRUE;
}

/* --- the banner: the file is not what it was --- */

static void
clear_banner (Files *files)
{
  if (files->info != NULL)
    gtk_box_remove (files->banner, files->info);
  files->info = NULL;
}

enum
{
  ANSWER_RELOAD = 1,
  ANSWER_KEEP,
  ANSWER_SAVE,
  ANSWER_SAVE_AS
};

static void
report (Files *files, const GError *error)
{
  tl_window_toast (files->window, "%s", error->message);
}

static gboolean
save_to (Files *files, const char *path, gboolean anyway)
{
  g_autoptr (GError) error = NULL;

  if (tl_document_save (document_of (files), path, anyway, &error))
    {
      clear_banner (files);
      remember (tl_document_path (document_of (files)));
      if (files->closing)
        gtk_window_close (GTK_WINDOW (files->window));
      files->closing = FALSE;
      return TRUE;
    }
  files->closing = FALSE;
  if (g_error_matches (error, TL_DOCUMENT_ERROR, TL_DOCUMENT_ERROR_CHANGED))
    tl_document_check_disk (document_of (files));
  else if (tl_document_is_modified (document_of (files)))
    tl_document_flush (document_of (files));
  report (files, error);
  return FALSE;
}

static void
on_answer (GtkInfoBar *bar, int answer, Files *files)
{
  g_autoptr (GError) error = NULL;

  clear_banner (files);
  if (answer == ANSWER_RELOAD && !tl_document_reload (document_of (files), &error))
    report (files, error);
  else if (answer == ANSWER_KEEP)
    tl_document_keep_mine (document_of (files));
  else if (answer == ANSWER_SAVE)
    save_to (files, NULL, TRUE);
  else if (answer == ANSWER_SAVE_AS)
    save_as (files);
}

static void
on_disk (TlDocument *document, Files *files)
{
  TlDisk      disk = tl_document_disk (document);
  const char *name = tl_document_name (document);

  clear_banner (files);
  if (disk == TL_DISK_SAME)
    return;
  g_autofree char *words
      = disk == TL_DISK_GONE ? g_strdup_printf (_ ("“%s” was removed or renamed. Its text is still here."), name)
        : tl_document_is_modified (document)
            ? g_strdup_printf (_ ("Another program changed “%s”, and so did you. Reloading can be undone."), name)
            : g_strdup_printf (_ ("Another program changed “%s”."), name);
  GtkWidget *bar = gtk_info_bar_new ();
  GtkWidget *label = gtk_label_new (words);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_info_bar_add_child (GTK_INFO_BAR (bar), label);
  gtk_info_bar_set_message_type (GTK_INFO_BAR (bar), GTK_MESSAGE_WARNING);
  if (disk == TL_DISK_GONE)
    {
      gtk_info_bar_add_button (GTK_INFO_BAR (bar), _ ("Save Again"), ANSWER_SAVE);
      gtk_info_bar_add_button (GTK_INFO_BAR (bar), _ ("Save As…"), ANSWER_SAVE_AS);
    }
  else
    {
      gtk_info_bar_add_button (GTK_INFO_BAR (bar), _ ("Reload"), ANSWER_RELOAD);
      gtk_info_bar_add_button (GTK_INFO_BAR (bar), _ ("Keep Mine"), ANSWER_KEEP);
      gtk_info_bar_add_button (GTK_INFO_BAR (bar), _ ("Save As…"), ANSWER_SAVE_AS);
    }
  g_signal_connect (bar, "response", G_CALLBACK (on_answer), files);
  gtk_box_append (files->banner, bar);
  files->info = bar;
}

static void
on_trouble (TlDocument *document, const char *words, Files *files)
{
  tl_window_toast (files->window, "%s", words);
}

/* --- dialogs --- */

static void
add_filters (GtkFileChooser *chooser, gboolean figures)
{
  static const char *const traces[] = { "trace", "trc", "stl", "gz", "zst" };
  g_autoptr (GtkFileFilter) programs = gtk_file_filter_new ();
  g_autoptr (GtkFileFilter) all = gtk_file_filter_new ();

  gtk_file_filter_set_name (programs, figures ? _ ("Programs, figures and traces") : _ ("Programs"));
  gtk_file_filter_add_suffix (programs, "gdsl");
  for (guint i = 0; figures && i < G_N_ELEMENTS (traces); i++)
    gtk_file_filter_add_suffix (programs, traces[i]);
  if (figures)
    gtk_file_filter_add_suffix (programs, "svg");
  gtk_file_filter_set_name (all, _ ("All files"));
  gtk_file_filter_add_pattern (all, "*");
  gtk_file_chooser_add_filter (chooser, programs);
  gtk_file_chooser_add_filter (chooser, all);
}

static void
on_open_chosen (GtkNativeDialog *dialog, int response, Files *files)
{
  g_autofree char *path = tl_chooser_answer (&files->chooser, response);

  if (path != NULL)
    tl_window_open_path (files->window, path);
  else if (response == GTK_RESPONSE_ACCEPT)
    tl_window_toast (files->window, "%s", _ ("Only files of this machine can be opened."));
}

static void
set_folder (Files *files, GtkFileChooser *chooser)
{
  const char      *path = tl_document_path (document_of (files));
  g_autofree char *folder = path != NULL ? g_path_get_dirname (path) : NULL;
  g_autoptr (GFile) file = folder != NULL ? g_file_new_for_path (folder) : NULL;

  if (file != NULL)
    gtk_file_chooser_set_current_folder (chooser, file, NULL);
}

static void
on_open (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  Files *files = data;
  g_autoptr (GtkFileChooserNative) dialog
      = gtk_file_chooser_native_new (_ ("Open a Program, a Figure or a Trace"), GTK_WINDOW (files->window),
                                     GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Open"), NULL);

  add_filters (GTK_FILE_CHOOSER (dialog), TRUE);
  set_folder (files, GTK_FILE_CHOOSER (dialog));
  g_signal_connect (dialog, "response", G_CALLBACK (on_open_chosen), files);
  tl_chooser_show (&files->chooser, dialog);
}

static void
on_save_chosen (GtkNativeDialog *dialog, int response, Files *files)
{
  g_autofree char *path = tl_chooser_answer (&files->chooser, response);

  if (path == NULL)
    {
      files->closing = FALSE;
      return;
    }
  g_autofree char *base = g_path_get_basename (path);
  g_autofree char *full = strchr (base, '.') != NULL ? g_strdup (path) : g_strconcat (path, ".gdsl", NULL);
  /* The dialog has asked about a file of the chosen name, not about one we complete it to. */
  if (strcmp (full, path) != 0 && g_file_test (full, G_FILE_TEST_EXISTS))
    {
      tl_window_toast (files->window, _ ("“%s.gdsl” exists already; choose it by its full name to replace it."), base);
      files->closing = FALSE;
      return;
    }
  save_to (files, full, TRUE);
}

static void
save_as (Files *files)
{
  g_autoptr (GtkFileChooserNative) dialog = gtk_file_chooser_native_new (
      _ ("Save the Program"), GTK_WINDOW (files->window), GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Save"), NULL);

  add_filters (GTK_FILE_CHOOSER (dialog), FALSE);
  set_folder (files, GTK_FILE_CHOOSER (dialog));
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), tl_document_name (document_of (files)));
  g_signal_connect (dialog, "response", G_CALLBACK (on_save_chosen), files);
  tl_chooser_show (&files->chooser, dialog);
}

static void
on_overwrite_answer (AdwMessageDialog *dialog, const char *answer, Files *files)
{
  g_autoptr (GError) error = NULL;

  if (strcmp (answer, "overwrite") == 0)
    {
      save_to (files, NULL, TRUE);
      return;
    }
  files->closing = FALSE;
  if (strcmp (answer, "reload") == 0 && !tl_document_reload (document_of (files), &error))
    report (files, error);
  else if (strcmp (answer, "save-as") == 0)
    save_as (files);
}

static void
ask_overwrite (Files *files)
{
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (files->window), _ ("The File Has Changed"), NULL);

  adw_message_dialog_format_body (ADW_MESSAGE_DIALOG (dialog),
                                  _ ("Another program wrote “%s” since it was opened here. Saving replaces what it "
                                     "wrote; reloading replaces your text, which can be undone."),
                                  tl_document_name (document_of (files)));
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _ ("_Cancel"), "save-as", _ ("Save _As…"),
                                    "reload", _ ("_Reload"), "overwrite", _ ("_Save Mine"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "overwrite", ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  g_signal_connect (dialog, "response", G_CALLBACK (on_overwrite_answer), files);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
save (Files *files)
{
  if (tl_document_path (document_of (files)) == NULL)
    {
      save_as (files);
      return;
    }
  tl_document_check_disk (document_of (files));
  if (tl_document_disk (document_of (files)) == TL_DISK_CHANGED)
    ask_overwrite (files);
  else
    save_to (files, NULL, FALSE);
}

static void
on_save (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  save (data);
}

static void
on_save_as (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  save_as (data);
}

static void
on_open_path (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  Files *files = data;

  tl_window_open_path (files->window, g_variant_get_string (parameter, NULL));
}

static void
on_close_answer (AdwMessageDialog *dialog, const char *answer, Files *files)
{
  if (strcmp (answer, "discard") == 0)
    {
      tl_document_discard (document_of (files));
      gtk_window_close (GTK_WINDOW (files->window));
    }
  else if (strcmp (answer, "save") == 0)
    {
      files->closing = TRUE;
      save (files);
    }
}

static gboolean
on_close_request (GtkWindow *window, Files *files)
{
  TlDocument *document = document_of (files);

  tl_window_session_save (files->window);
  if (!tl_document_is_modified (document))
    return FALSE;
  GtkWidget *dialog = adw_message_dialog_new (window, _ ("Save Changes?"), NULL);
  adw_message_dialog_format_body (ADW_MESSAGE_DIALOG (dialog),
                                  _ ("“%s” has changes that are not saved. Without saving they are lost."),
                                  tl_document_name (document));
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _ ("_Cancel"), "discard", _ ("_Discard"),
                                    "save", _ ("_Save"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "discard", ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "save", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "save");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  g_signal_connect (dialog, "response", G_CALLBACK (on_close_answer), files);
  gtk_window_present (GTK_WINDOW (dialog));
  return TRUE;
}

static gboolean
on_drop (GtkDropTarget *target, const GValue *value, double x, double y, Files *files)
{
  GSList  *dropped = g_value_get_boxed (value);
  gboolean any = FALSE;

  for (GSList *item = dropped; item != NULL; item = item->next)
    {
      g_autofree char *path = g_file_get_path (item->data);
      if (path == NULL)
        tl_window_toast (files->window, "%s", _ ("Only files of this machine can be opened."));
      else
        any |= tl_window_open_path (files->window, path);
    }
  return any;
}

static void
on_active (GtkWindow *window, GParamSpec *pspec, Files *files)
{
  if (gtk_window_is_active (window))
    tl_document_check_disk (document_of (files));
}

static void
files_free (gpointer data)
{
  Files *files = data;

  tl_chooser_end (&files->chooser);
  g_clear_object (&files->recent);
  g_free (files);
}

static void
on_recent_changed (GtkRecentManager *manager, TlWindow *window)
{
  fill_recent (g_object_get_data (G_OBJECT (window), FILES));
}

void
tl_window_files_setup (TlWindow *window, GtkBox *banner, GMenu *recent)
{
  static const GActionEntry entries[] = {
    { .name = "open", .activate = on_open },
    { .name = "open-path", .activate = on_open_path, .parameter_type = "s" },
    { .name = "save", .activate = on_save },
    { .name = "save-as", .activate = on_save_as },
  };
  Files         *files = g_new0 (Files, 1);
  GtkDropTarget *drop = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  files->window = window;
  files->banner = banner;
  files->recent = g_object_ref (recent);
  g_object_set_data_full (G_OBJECT (window), FILES, files, files_free);
  g_action_map_add_action_entries (G_ACTION_MAP (window), entries, G_N_ELEMENTS (entries), files);
  g_signal_connect (document_of (files), "disk", G_CALLBACK (on_disk), files);
  g_signal_connect (document_of (files), "trouble", G_CALLBACK (on_trouble), files);
  g_signal_connect (window, "close-request", G_CALLBACK (on_close_request), files);
  g_signal_connect (window, "notify::is-active", G_CALLBACK (on_active), files);
  g_signal_connect_object (gtk_recent_manager_get_default (), "changed", G_CALLBACK (on_recent_changed), window, 0);
  /* Before the editor, which would paste the file's name. */
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (drop), GTK_PHASE_CAPTURE);
  g_signal_connect (drop, "drop", G_CALLBACK (on_drop), files);
  gtk_widget_add_controller (GTK_WIDGET (window), GTK_EVENT_CONTROLLER (drop));
  fill_recent (files);
}
