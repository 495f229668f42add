/* The window puts the parts together; each part watches the desk by itself. */
#include "app/window.h"

#include "app/canvas.h"
#include "app/centre.h"
#include "app/left.h"
#include "app/table.h"
#include "app/ticker.h"
#include "app/transport.h"
#include "app/window-files.h"
#include "app/window-session.h"
#include "app/window-shell.h"
#include "base/number.h"

#include <glib/gi18n.h>

struct _TlWindow
{
  AdwApplicationWindow parent_instance;
  TlDesk              *desk;
  TlDocument          *document;
  GtkWidget           *stack_canvas;

  AdwWindowTitle  *title;
  GtkLabel        *state_label;
  AdwToastOverlay *toasts;
  GtkSourceView   *editor;
  GtkListBox      *problems;
  GtkBox          *left;
  GtkWidget       *problems_scroll;
  GtkBox          *choices_slot;
  GtkBox          *lint_card;
  GtkLabel        *choices_summary;
  GtkBox          *run_slot;
  GtkPaned        *rows;
  GtkPaned        *centre;
  AdwBin          *stack_slot;
  GtkLabel        *centre_title;
  GtkWidget       *centre_switch;
  GtkStackPage    *tiles_page;
  GtkInscription  *moment_label;
  GtkInscription  *caption;
  GtkToggleButton *flat_button;
  GtkToggleButton *iso_button;
  AdwBin          *tiles_slot;
  GtkBox          *inspector_slot;
  GtkBox          *passes_slot;
  GtkBox          *table_slot;
  GtkBox          *transport_slot;
  AdwBin          *timeline_slot;
  AdwBin          *status_slot;
  GtkMenuButton   *examples_button;
  GtkBox          *banner_slot;
  GMenu           *recent_menu;
};

G_DEFINE_FINAL_TYPE (TlWindow, tl_window, ADW_TYPE_APPLICATION_WINDOW)

static void
on_text_changed (GtkTextBuffer *buffer, TlWindow *window)
{
  g_autofree char *text = tl_document_text (window->document);

  tl_live_set_text (tl_desk_live (window->desk), tl_document_name (window->document),
                    tl_document_path (window->document), tl_document_folder (window->document), text);
}

static void
show_title (TlWindow *window)
{
  const char      *path = tl_document_path (window->document);
  g_autofree char *folder = path != NULL ? g_path_get_dirname (path) : NULL;
  g_autofree char *place = folder != NULL ? g_filename_display_name (folder) : NULL;
  g_autofree char *title = g_strdup_printf ("%s%s", tl_document_is_modified (window->document) ? "• " : "",
                                            tl_document_name (window->document));

  adw_window_title_set_title (window->title, title);
  adw_window_title_set_subtitle (window->title, place != NULL ? place : "");
  gtk_window_set_title (GTK_WINDOW (window), title);
}

static void
on_opened (TlDocument *document, TlWindow *window)
{
  tl_left_opened (window->editor, tl_document_path (document) == NULL);
}

static void
on_renamed (TlDocument *document, TlWindow *window)
{
  show_title (window);
  on_text_changed (GTK_TEXT_BUFFER (tl_window_buffer (window)), window);
}

/* Inscriptions, since they change with every frame while it plays and a label would lay the whole window out anew. That
 * is not only slow: GTK 4.8 then sends the place of the pointer to a menu that was just closed, frame by frame, and the
 * next clicks go there too. */
static void
show_moment (TlWindow *window)
{
  TlView           view;
  g_autofree char *caption = tl_desk_caption (window->desk);

  gtk_inscription_set_text (window->caption, caption);
  if (!tl_desk_view (window->desk, 0, &view))
    return;
  g_autofree char *time = tl_format_ps (tl_player_time (tl_desk_player (window->desk)));
  g_autofree char *text = view.frame != NULL    ? g_strdup_printf (_ ("row buffers at %s, step %u of %u"), time,
                                                                   view.frame->k + 1, view.program->tiles)
                          : view.replay != NULL ? g_strdup_printf (_ ("row buffers at %s"), time)
                                                : g_strdup_printf (_ ("at %s"), time);
  gtk_inscription_set_text (window->moment_label, text);
}

static void
show_state (TlWindow *window)
{
  TlLive  *live = tl_desk_live (window->desk);
  TlBuild *build = tl_live_build (live);
  TlView   view;
  gboolean seen = tl_desk_view (window->desk, 0, &view);

  if (build != NULL && tl_diags_errors (build->diags) > 0)
    gtk_label_set_text (window->state_label, seen ? _ ("the text has errors; the picture is the last good one")
                                                  : _ ("the text has errors; there is no picture yet"));
  else if (tl_live_run_diags (live) != NULL && tl_diags_errors (tl_live_run_diags (live)) > 0)
    gtk_label_set_text (window->state_label, seen ? _ ("the run has errors; the picture is the last good one")
                                                  : _ ("the run has errors; there is no picture yet"));
  else
    gtk_label_set_text (window->state_label, tl_live_is_stale (live) ? _ ("working…") : _ ("up to date"));
}

static void
on_built (TlWindow *window)
{
  show_moment (window);
  show_state (window);
}

static void
on_desk_changed (TlDesk *desk, guint what, TlWindow *window)
{
  if (what & (TL_DESK_TIME | TL_DESK_RUN))
    show_moment (window);
  if (what & TL_DESK_RUN)
    show_state (window);
}

static void
on_dark (AdwStyleManager *manager, GParamSpec *pspec, TlWindow *window)
{
  gboolean                     dark = adw_style_manager_get_dark (manager);
  GtkSourceStyleSchemeManager *schemes = gtk_source_style_scheme_manager_get_default ();

  tl_desk_set_theme (window->desk, dark ? TL_THEME_DARK : TL_THEME_LIGHT);
  gtk_source_buffer_set_style_scheme (tl_window_buffer (window), gtk_source_style_scheme_manager_get_scheme (
                                                                     schemes, dark ? "Adwaita-dark" : "Adwaita"));
}

TlDesk *
tl_window_desk (TlWindow *window)
{
  return window->desk;
}

GtkSourceBuffer *
tl_window_buffer (TlWindow *window)
{
  return GTK_SOURCE_BUFFER (gtk_text_view_get_buffer (GTK_TEXT_VIEW (window->editor)));
}

AdwToastOverlay *
tl_window_toasts (TlWindow *window)
{
  return window->toasts;
}

void
tl_window_toast (TlWindow *window, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);
  /* A toast reads its text as markup, and file names hold anything. */
  g_autofree char *markup = g_markup_escape_text (text, -1);
  adw_toast_overlay_add_toast (window->toasts, adw_toast_new (markup));
}

void
tl_window_load (TlWindow *window, const char *text, const char *path, const char *folder)
{
  tl_document_begin (window->document, text, path, NULL, folder, NULL);
}

TlDocument *
tl_window_document (TlWindow *window)
{
  return window->document;
}

TlViewKind
tl_window_stack_kind (TlWindow *window)
{
  return tl_canvas_kind (TL_CANVAS (window->stack_canvas));
}

void
tl_window_set_stack_kind (TlWindow *window, TlViewKind kind)
{
  gtk_toggle_button_set_active (kind == TL_VIEW_STACK ? window->flat_button : window->iso_button, TRUE);
}

/* A window that is larger from the first shares its room out as one that grew: the position in the template is of the
 * smallest. @share in percent. */
static void
on_first_room (GtkPaned *paned, GParamSpec *property, gpointer share)
{
  gboolean upright = gtk_orientable_get_orientation (GTK_ORIENTABLE (paned)) == GTK_ORIENTATION_VERTICAL;
  int      room = upright ? gtk_widget_get_height (GTK_WIDGET (paned)) : gtk_widget_get_width (GTK_WIDGET (paned));

  if (room <= 0)
    return;
  g_signal_handlers_disconnect_by_func (paned, on_first_room, share);
  gtk_paned_set_position (paned, MAX (gtk_paned_get_position (paned), room * GPOINTER_TO_INT (share) / 100));
}

static void
tl_window_dispose (GObject *object)
{
  TlWindow *window = TL_WINDOW (object);

  if (window->desk != NULL)
    {
      g_signal_handlers_disconnect_by_data (window->desk, window);
      g_signal_handlers_disconnect_by_data (tl_desk_player (window->desk), window);
      g_signal_handlers_disconnect_by_data (tl_desk_live (window->desk), window);
    }
  g_signal_handlers_disconnect_by_data (adw_style_manager_get_default (), window);
  g_clear_object (&window->desk);
  if (window->document != NULL)
    g_signal_handlers_disconnect_by_data (window->document, window);
  g_clear_object (&window->document);
  G_OBJECT_CLASS (tl_window_parent_class)->dispose (object);
}

static void
tl_window_class_init (TlWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tl_window_dispose;
  g_type_ensure (GTK_SOURCE_TYPE_VIEW);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/tierloom/Tierloom/window.ui");
  gtk_widget_class_bind_template_child (widget_class, TlWindow, title);
  gtk_widget_class_bind_template_child (widget_class, TlWindow, state_label);
  gtk_widget_class_bind_template_child (widget_class, TlWindow, toasts);
  gtk_widget_class_bind_template_child (widget_class, TlWindow, editor);
  gtk_widget_class_bind_template_child (widget_class, TlWindow, problems);
  gtk_widget_class_bind_template_child (widget_class, TlWindow, left);
  gtk_widget_class_bind_template_child (widget_class, TlWindow, problems_scroll);
  gtk_widget_class_bind_template_child (widget_class, TlWindow, lint_card);
  gtk_widget_class_bind_template_child (widget_class, TlWindow, choices_summary);
  gtk_widget_class_bind_template_child (widget_class, TlWindow, run_slot);
  gtk_widget_class_bind_template_child (widget_class, TlWindow, choices_slot);
  gtk_widget_class_bind_template_child (widget_class, TlWindow, rows);
  gtk_widget_class_bind_template_child (widget_class, TlWindow, centre);
  gtk_widget_class_bind_template_child (widget_class, TlWindow, stack_slot);
  gtk_widget_class_bind_template_child (widget_class, TlWindow, centre_title);
  gtk_widget_class_bind_template_child (widget_class, TlWindow, centre_switch);
  gtk_widget_class_bind_template_child (widget_class, TlWindow, tiles_page);
  gtk_widget_class_bind_template_child (widget_class, TlWindow, moment_label);
  gtk_widget_class_bind_template_child (widget_class, TlWindow, caption);
  gtk_widget_class_bind_template_child (widget_class, TlWindow, flat_button);
  gtk_widget_class_bind_template_child (widget_class, TlWindow, iso_button);
  gtk_widget_class_bind_template_child (widget_class, TlWindow, tiles_slot);
  gtk_widget_class_bind_template_child (widget_class, TlWindow, inspector_slot);
  gtk_widget_class_bind_template_child (widget_class, TlWindow, passes_slot);
  gtk_widget_class_bind_template_child (widget_class, TlWindow, table_slot);
  gtk_widget_class_bind_template_child (widget_class, TlWindow, transport_slot);
  gtk_widget_class_bind_template_child (widget_class, TlWindow, timeline_slot);
  gtk_widget_class_bind_template_child (widget_class, TlWindow, status_slot);
  gtk_widget_class_bind_template_child (widget_class, TlWindow, examples_button);
  gtk_widget_class_bind_template_child (widget_class, TlWindow, banner_slot);
  gtk_widget_class_bind_template_child (widget_class, TlWindow, recent_menu);
}

static void
tl_window_init (TlWindow *window)
{
  gtk_widget_init_template (GTK_WIDGET (window));
  window->desk = tl_desk_new ();
  window->document = tl_document_new (gtk_text_view_get_buffer (GTK_TEXT_VIEW (window->editor)));
  window->stack_canvas = tl_canvas_new (window->desk, TL_VIEW_STACK, _ ("Stack"));
  adw_bin_set_child (window->stack_slot, window->stack_canvas);
  GtkWidget *tiles = tl_canvas_new (window->desk, TL_VIEW_TILES, _ ("Tile map"));
  adw_bin_set_child (window->tiles_slot, tiles);
  adw_bin_set_child (window->timeline_slot, tl_canvas_new (window->desk, TL_VIEW_TIMELINE, _ ("Timeline")));
  adw_bin_set_child (window->status_slot, tl_canvas_new (window->desk, TL_VIEW_STATUS, _ ("Counters")));
  GtkWidget *inspector = tl_canvas_new (window->desk, TL_VIEW_INSPECTOR, _ ("Inspector"));
  gtk_widget_set_size_request (inspector, -1, 168);
  gtk_box_append (window->inspector_slot, inspector);
  tl_centre_attach (&(TlCentreParts) { .title = window->centre_title,
                                       .both = window->centre_switch,
                                       .first = window->flat_button,
                                       .second = window->iso_button,
                                       .page = window->tiles_page,
                                       .middle = TL_CANVAS (window->stack_canvas),
                                       .right = TL_CANVAS (tiles),
                                       .desk = window->desk });
  tl_desk_set_focused (window->desk, G_OBJECT (window->stack_canvas));
  tl_table_fill (window->table_slot, window->desk);
  tl_transport_fill (window->transport_slot, tl_desk_player (window->desk));
  tl_left_attach (&(TlLeftParts) { .column = window->left,
                                   .editor = window->editor,
                                   .problems = window->problems,
                                   .problems_frame = window->problems_scroll,
                                   .choices = window->choices_slot,
                                   .card = window->lint_card,
                                   .summary = window->choices_summary,
                                   .run = window->run_slot,
                                   .passes = window->passes_slot,
                                   .desk = window->desk });

  g_signal_connect (tl_window_buffer (window), "changed", G_CALLBACK (on_text_changed), window);
  g_signal_connect (window->desk, "changed", G_CALLBACK (on_desk_changed), window);
  g_signal_connect_swapped (tl_desk_live (window->desk), "built", G_CALLBACK (on_built), window);
  g_signal_connect_swapped (tl_desk_live (window->desk), "valued", G_CALLBACK (show_state), window);
  tl_ticker_add (GTK_WIDGET (window), tl_desk_player (window->desk));
  g_signal_connect (window->rows, "notify::max-position", G_CALLBACK (on_first_room), GINT_TO_POINTER (68));
  g_signal_connect (window->centre, "notify::max-position", G_CALLBACK (on_first_room), GINT_TO_POINTER (70));
  g_signal_connect (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (on_dark), window);
  on_dark (adw_style_manager_get_default (), NULL, window);
  g_signal_connect (window->document, "opened", G_CALLBACK (on_opened), window);
  g_signal_connect (window->document, "renamed", G_CALLBACK (on_renamed), window);
  g_signal_connect_swapped (tl_window_buffer (window), "modified-changed", G_CALLBACK (show_title), window);
  tl_window_files_setup (window, window->banner_slot, window->recent_menu);
  tl_window_session_follow (window);
  tl_window_shell_setup (window, window->examples_button, window->editor);
  gtk_window_set_focus (GTK_WINDOW (window), GTK_WIDGET (window->editor));
}

TlWindow *
tl_window_new (AdwApplication *application)
{
  return g_object_new (TL_TYPE_WINDOW, "application", application, NULL);
}
