/* A worker reads the trace and runs it; the desk then shows the run as it shows a
 * program's. The last good picture stays until a better one is there. */
#include "app/replay-window.h"

#include "app/canvas.h"
#include "app/chooser.h"
#include "app/export-dialog.h"
#include "app/table.h"
#include "app/ticker.h"
#include "app/transport.h"
#include "app/window-files.h"
#include "app/window.h"
#include "engine/trace-run.h"

#include <glib/gi18n.h>
#include <string.h>

#define FIRST_TARGET "cu-t8b16"

struct _TlReplayWindow
{
  AdwApplicationWindow parent_instance;
  TlDesk              *desk;
  char                *path;
  gboolean             wrap;
  GCancellable        *loading; /* of the work under way, NULL: none */
  GCancellable        *finding;
  GObject             *chooser;  /* file dialog that is open */
  gboolean             choosing; /* the list of targets is being filled */
  int                  done;     /* per mille, of the run; the worker writes it */
  guint                watch;    /* source that shows it */

  AdwWindowTitle  *title;
  GtkDropDown     *target;
  GtkSearchEntry  *find;
  GtkInfoBar      *trouble;
  GtkLabel        *trouble_text;
  GtkButton       *wrap_button;
  GtkProgressBar  *progress;
  AdwToastOverlay *toasts;
  AdwBin          *stack_slot;
  GtkInscription  *caption;
  AdwBin          *inspector_slot;
  AdwBin          *spots_slot;
  GtkBox          *table_slot;
  GtkBox          *transport_slot;
  AdwBin          *timeline_slot;
  AdwBin          *status_slot;
};

G_DEFINE_FINAL_TYPE (TlReplayWindow, tl_replay_window, ADW_TYPE_APPLICATION_WINDOW)

static void
toast (TlReplayWindow *window, const char *text)
{
  g_autofree char *markup = g_markup_escape_text (text, -1);

  adw_toast_overlay_add_toast (window->toasts, adw_toast_new (markup));
}

/* --- running --- */

typedef struct
{
  TlReplayWindow *window; /* the task's source: outlives the work */
  char           *path;
  char           *target;
  gboolean        wrap;
  TlDiags        *diags;
} Work;

static void
work_free (gpointer data)
{
  Work *work = data;

  g_free (work->path);
  g_free (work->target);
  tl_diags_unref (work->diags);
  g_free (work);
}

static void
on_progress (double done, gpointer data)
{
  g_atomic_int_set (&((TlReplayWindow *) data)->done, (int) (done * 1000));
}

static void
work_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Work             *work = data;
  TlTraceRunOptions options;
  g_auto (GStrv) folders = tl_target_folders ();
  TlTargetSearch search = { work->path, (const char *const *) folders };
  g_autoptr (TlTarget) target = tl_target_load (work->target, &search, NULL, NULL, tl_span (0, 0), work->diags);

  tl_trace_run_options_init (&options);
  options.wrap = work->wrap;
  options.progress = on_progress;
  options.data = work->window;
  g_task_return_pointer (
      task, target != NULL ? tl_trace_run_new (work->path, target, &options, work->diags, cancellable) : NULL,
      (GDestroyNotify) tl_replay_run_unref);
}

/* The first fault in words, and what helps. */
static void
show_trouble (TlReplayWindow *window, const Work *work)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean too_small = FALSE;

  for (guint i = 0; i < tl_diags_count (work->diags); i++)
    {
      const TlDiag *diag = tl_diags_get (work->diags, i);
      if (diag->severity != TL_SEVERITY_ERROR || text->len > 0)
        continue;
      too_small = strcmp (diag->code, "trace-address") == 0;
      if (diag->from.line > 0)
        g_string_append_printf (text, _ ("Line %u: "), diag->from.line);
      g_string_append (text, diag->message);
      if (diag->reason != NULL && !too_small)
        g_string_append_printf (text, "\n%s", diag->reason);
      if (too_small)
        g_string_append_printf (text, "\n%s",
                                _ ("Choose a larger target above, or let the addresses wrap round the capacity."));
    }
  gtk_label_set_text (window->trouble_text, text->str);
  gtk_widget_set_visible (GTK_WIDGET (window->wrap_button), too_small && !work->wrap);
  gtk_info_bar_set_revealed (window->trouble, text->len > 0);
}

static void
work_done (GObject *source, GAsyncResult *result, gpointer data)
{
  TlReplayWindow *window = TL_REPLAY_WINDOW (source);
  Work           *work = g_task_get_task_data (G_TASK (result));
  g_autoptr (TlReplayRun) run = g_task_propagate_pointer (G_TASK (result), NULL);

  /* Another one was wished for meanwhile, or the window is gone. */
  if (g_task_get_cancellable (G_TASK (result)) != window->loading)
    return;
  g_clear_object (&window->loading);
  g_clear_handle_id (&window->watch, g_source_remove);
  gtk_widget_set_visible (GTK_WIDGET (window->progress), FALSE);
  if (window->desk == NULL)
    return;
  show_trouble (window, work);
  if (run == NULL)
    return;
  g_autofree char *requests = g_strdup_printf (_ ("on %s"), work->target);
  adw_window_title_set_subtitle (window->title, requests);
  tl_desk_set_replay (window->desk, run, work->target);
  g_log ("tierloom", G_LOG_LEVEL_DEBUG, "replayed: %s on %s", work->path, work->target);
}

static gboolean
on_watch (gpointer data)
{
  TlReplayWindow *window = data;
  double          done = g_atomic_int_get (&window->done) / 1000.0;

  gtk_widget_set_visible (GTK_WIDGET (window->progress), TRUE);
  if (done > 0)
    gtk_progress_bar_set_fraction (window->progress, done);
  else
    gtk_progress_bar_pulse (window->progress);
  return G_SOURCE_CONTINUE;
}

static const char *
chosen_target (TlReplayWindow *window)
{
  GObject *item = gtk_drop_down_get_selected_item (window->target);

  return item != NULL ? gtk_string_object_get_string (GTK_STRING_OBJECT (item)) : FIRST_TARGET;
}

static void
start_work (TlReplayWindow *window)
{
  Work *work = g_new0 (Work, 1);

  g_cancellable_cancel (window->loading);
  g_clear_object (&window->loading);
  window->loading = g_cancellable_new ();
  window->done = 0;
  g_autoptr (GTask) task = g_task_new (window, window->loading, work_done, NULL);
  work->window = window;
  work->path = g_strdup (window->path);
  work->target = g_strdup (chosen_target (window));
  work->wrap = window->wrap;
  work->diags = tl_diags_new ();
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, work, work_free);
  g_task_run_in_thread (task, work_thread);
  if (window->watch == 0)
    window->watch = g_timeout_add (250, on_watch, window);
}

static void
on_target (GtkDropDown *target, GParamSpec *pspec, TlReplayWindow *window)
{
  if (!window->choosing && window->path != NULL)
    start_work (window);
}

static void
on_wrap (GtkButton *button, TlReplayWindow *window)
{
  window->wrap = TRUE;
  start_work (window);
}

/* The targets that can be named, those beside the trace too. */
static void
fill_targets (TlReplayWindow *window)
{
  g_auto (GStrv) folders = tl_target_folders ();
  TlTargetSearch search = { window->path, (const char *const *) folders };
  g_autoptr (GPtrArray) entries = tl_target_list (&search);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  guint first = 0;

  for (guint i = 0; i < entries->len; i++)
    {
      const TlTargetEntry *entry = entries->pdata[i];
      if (strcmp (entry->name, FIRST_TARGET) == 0)
        first = i;
      gtk_string_list_append (names, entry->name);
    }
  window->choosing = TRUE;
  gtk_drop_down_set_model (window->target, G_LIST_MODEL (names));
  gtk_drop_down_set_selected (window->target, first);
  window->choosing = FALSE;
}

/* --- the moment --- */

static void
on_desk_changed (TlDesk *desk, guint what, TlReplayWindow *window)
{
  if ((what & (TL_DESK_TIME | TL_DESK_RUN)) == 0)
    return;
  g_autofree char *caption = tl_desk_caption (desk);
  gtk_inscription_set_text (window->caption, caption);
}

static void
on_dark (AdwStyleManager *manager, GParamSpec *pspec, TlReplayWindow *window)
{
  tl_desk_set_theme (window->desk, adw_style_manager_get_dark (manager) ? TL_THEME_DARK : TL_THEME_LIGHT);
}

/* --- finding --- */

typedef struct
{
  TlReplayRun *run;
  TlEventQuery query;
  guint64      from;
  gboolean     forward;
  guint64      event;
  gboolean     found;
} Find;

static void
find_free (gpointer data)
{
  tl_replay_run_unref (((Find *) data)->run);
  g_free (data);
}

static void
find_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Find *find = data;
  g_autoptr (TlReplayCursor) cursor = tl_replay_cursor_new (find->run);

  find->found
      = tl_replay_cursor_find (cursor, &find->query, find->from, find->forward, &find->event, NULL, cancellable, NULL);
  g_task_return_boolean (task, TRUE);
}

static void
find_done (GObject *source, GAsyncResult *result, gpointer data)
{
  TlReplayWindow *window = TL_REPLAY_WINDOW (source);
  Find           *find = g_task_get_task_data (G_TASK (result));
  TlReplayTrack  *track = window->desk != NULL ? tl_desk_replay (window->desk) : NULL;

  if (g_task_get_cancellable (G_TASK (result)) != window->finding || track == NULL
      || tl_replay_track_run (track) != find->run)
    return;
  g_clear_object (&window->finding);
  if (!find->found)
    toast (window, find->forward ? _ ("There is no such event after this moment.")
                                 : _ ("There is no such event before this moment."));
  else
    tl_desk_go (window->desk, find->event + 1);
}

static void
start_find (TlReplayWindow *window, gboolean forward)
{
  TlReplayTrack   *track = tl_desk_replay (window->desk);
  g_autofree char *reason = NULL;
  Find            *find = g_new0 (Find, 1);

  if (track == NULL
      || !tl_event_query_parse (gtk_editable_get_text (GTK_EDITABLE (window->find)), &find->query, &reason))
    {
      g_free (find);
      if (reason != NULL)
        toast (window, reason);
      return;
    }
  find->run = tl_replay_run_ref (tl_replay_track_run (track));
  find->forward = forward;
  find->from = tl_replay_track_event (track);
  /* Back from what was found is to the one before it. */
  if (!forward && find->from > 0)
    find->from--;
  g_cancellable_cancel (window->finding);
  g_clear_object (&window->finding);
  window->finding = g_cancellable_new ();
  g_autoptr (GTask) task = g_task_new (window, window->finding, find_done, NULL);
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, find, find_free);
  g_task_run_in_thread (task, find_thread);
}

static gboolean
on_find_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, TlReplayWindow *window)
{
  if (key != GDK_KEY_Return && key != GDK_KEY_KP_Enter)
    return FALSE;
  start_find (window, (state & GDK_SHIFT_MASK) == 0);
  return TRUE;
}

/* --- files --- */

static void
open_path (TlReplayWindow *window, const char *path)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (window));

  if (tl_trace_run_is_trace (path))
    tl_replay_window_open (application, path);
  else
    tl_window_open_path (tl_window_new (ADW_APPLICATION (application)), path);
}

static gboolean
on_drop (GtkDropTarget *target, const GValue *value, double x, double y, TlReplayWindow *window)
{
  gboolean any = FALSE;

  for (GSList *item = g_value_get_boxed (value); item != NULL; item = item->next)
    {
      g_autofree char *path = g_file_get_path (item->data);
      if (path == NULL)
        continue;
      open_path (window, path);
      any = TRUE;
    }
  return any;
}

static void
on_open_chosen (GtkNativeDialog *dialog, int response, TlReplayWindow *window)
{
  g_autofree char *path = tl_chooser_answer (&window->chooser, response);

  if (path != NULL)
    open_path (window, path);
}

static void
on_open (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TlReplayWindow *window = data;
  g_autoptr (GtkFileChooserNative) dialog = gtk_file_chooser_native_new (
      _ ("Open a Program or a Trace"), GTK_WINDOW (window), GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Open"), NULL);

  g_signal_connect_object (dialog, "response", G_CALLBACK (on_open_chosen), window, 0);
  tl_chooser_show (&window->chooser, dialog);
}

static void
on_export (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TlReplayWindow  *window = data;
  g_autofree char *name = g_filename_display_basename (window->path);

  tl_export_dialog_show (GTK_WINDOW (window), window->desk, name, window->path, TL_VIEW_WINDOW, window->toasts);
}

static void
on_find (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  gtk_widget_grab_focus (GTK_WIDGET (TL_REPLAY_WINDOW (data)->find));
}

/* --- the window --- */

static void
tl_replay_window_dispose (GObject *object)
{
  TlReplayWindow *window = TL_REPLAY_WINDOW (object);

  g_cancellable_cancel (window->loading);
  g_cancellable_cancel (window->finding);
  g_clear_handle_id (&window->watch, g_source_remove);
  if (window->desk != NULL)
    {
      g_signal_handlers_disconnect_by_data (window->desk, window);
      g_signal_handlers_disconnect_by_data (tl_desk_player (window->desk), window);
    }
  g_signal_handlers_disconnect_by_data (adw_style_manager_get_default (), window);
  tl_chooser_end (&window->chooser);
  g_clear_object (&window->desk);
  G_OBJECT_CLASS (tl_replay_window_parent_class)->dispose (object);
}

static void
tl_replay_window_finalize (GObject *object)
{
  TlReplayWindow *window = TL_REPLAY_WINDOW (object);

  g_clear_object (&window->loading);
  g_clear_object (&window->finding);
  g_free (window->path);
  G_OBJECT_CLASS (tl_replay_window_parent_class)->finalize (object);
}

static void
tl_replay_window_class_init (TlReplayWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tl_replay_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = tl_replay_window_finalize;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/tierloom/Tierloom/replay.ui");
  gtk_widget_class_bind_template_child (widget_class, TlReplayWindow, title);
  gtk_widget_class_bind_template_child (widget_class, TlReplayWindow, target);
  gtk_widget_class_bind_template_child (widget_class, TlReplayWindow, find);
  gtk_widget_class_bind_template_child (widget_class, TlReplayWindow, trouble);
  gtk_widget_class_bind_template_child (widget_class, TlReplayWindow, trouble_text);
  gtk_widget_class_bind_template_child (widget_class, TlReplayWindow, wrap_button);
  gtk_widget_class_bind_template_child (widget_class, TlReplayWindow, progress);
  gtk_widget_class_bind_template_child (widget_class, TlReplayWindow, toasts);
  gtk_widget_class_bind_template_child (widget_class, TlReplayWindow, stack_slot);
  gtk_widget_class_bind_template_child (widget_class, TlReplayWindow, caption);
  gtk_widget_class_bind_template_child (widget_class, TlReplayWindow, inspector_slot);
  gtk_widget_class_bind_template_child (widget_class, TlReplayWindow, spots_slot);
  gtk_widget_class_bind_template_child (widget_class, TlReplayWindow, table_slot);
  gtk_widget_class_bind_template_child (widget_class, TlReplayWindow, transport_slot);
  gtk_widget_class_bind_template_child (widget_class, TlReplayWindow, timeline_slot);
  gtk_widget_class_bind_template_child (widget_class, TlReplayWindow, status_slot);
}

static void
tl_replay_window_init (TlReplayWindow *window)
{
  static const GActionEntry actions[] = {
    { .name = "open", .activate = on_open },
    { .name = "export", .activate = on_export },
    { .name = "find", .activate = on_find },
  };
  GtkDropTarget      *drop = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);
  GtkEventController *key = gtk_event_controller_key_new ();

  gtk_widget_init_template (GTK_WIDGET (window));
  window->desk = tl_desk_new ();
  g_autoptr (GtkExpression) name = gtk_property_expression_new (GTK_TYPE_STRING_OBJECT, NULL, "string");
  gtk_drop_down_set_expression (window->target, name);
  GtkWidget *stack = tl_canvas_new (window->desk, TL_VIEW_STACK, _ ("Stack"));
  adw_bin_set_child (window->stack_slot, stack);
  adw_bin_set_child (window->inspector_slot, tl_canvas_new (window->desk, TL_VIEW_INSPECTOR, _ ("Inspector")));
  adw_bin_set_child (window->spots_slot, tl_canvas_new (window->desk, TL_VIEW_SPOTS, _ ("Hot spots")));
  adw_bin_set_child (window->timeline_slot, tl_canvas_new (window->desk, TL_VIEW_TIMELINE, _ ("Timeline")));
  adw_bin_set_child (window->status_slot, tl_canvas_new (window->desk, TL_VIEW_STATUS, _ ("Counters")));
  tl_desk_set_focused (window->desk, G_OBJECT (stack));
  tl_table_fill (window->table_slot, window->desk);
  tl_transport_fill (window->transport_slot, tl_desk_player (window->desk));
  g_action_map_add_action_entries (G_ACTION_MAP (window), actions, G_N_ELEMENTS (actions), window);
  g_signal_connect (window->target, "notify::selected", G_CALLBACK (on_target), window);
  g_signal_connect (window->wrap_button, "clicked", G_CALLBACK (on_wrap), window);
  g_signal_connect (window->desk, "changed", G_CALLBACK (on_desk_changed), window);
  tl_ticker_add (GTK_WIDGET (window), tl_desk_player (window->desk));
  g_signal_connect (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (on_dark), window);
  on_dark (adw_style_manager_get_default (), NULL, window);
  gtk_event_controller_set_propagation_phase (key, GTK_PHASE_CAPTURE);
  g_signal_connect (key, "key-pressed", G_CALLBACK (on_find_key), window);
  gtk_widget_add_controller (GTK_WIDGET (window->find), key);
  g_signal_connect (drop, "drop", G_CALLBACK (on_drop), window);
  gtk_widget_add_controller (GTK_WIDGET (window), GTK_EVENT_CONTROLLER (drop));
  gtk_window_set_focus (GTK_WINDOW (window), stack);
}

void
tl_replay_window_open (GtkApplication *application, const char *path)
{
  TlReplayWindow  *window = g_object_new (TL_TYPE_REPLAY_WINDOW, "application", application, NULL);
  g_autofree char *name = g_filename_display_basename (path);

  window->path = g_strdup (path);
  adw_window_title_set_title (window->title, name);
  gtk_window_set_title (GTK_WINDOW (window), name);
  fill_targets (window);
  start_work (window);
  gtk_window_present (GTK_WINDOW (window));
}
