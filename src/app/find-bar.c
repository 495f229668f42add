/* A search bar over GtkSourceView's own search context. */
#include "app/find-bar.h"

#include <glib/gi18n.h>

typedef struct
{
  GtkSourceView          *view;
  GtkSourceSearchContext *context;
  GtkWidget              *bar;
  GtkEditable            *entry;
  GtkLabel               *count;
} FindBar;

static void
show_count (FindBar *find)
{
  GtkTextBuffer   *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (find->view));
  GtkTextIter      start, end;
  int              all = gtk_source_search_context_get_occurrences_count (find->context);
  g_autofree char *text = NULL;

  gtk_text_buffer_get_selection_bounds (buffer, &start, &end);
  int at = gtk_source_search_context_get_occurrence_position (find->context, &start, &end);
  if (*gtk_editable_get_text (find->entry) == '\0')
    text = g_strdup ("");
  else if (all <= 0)
    text = g_strdup (all == 0 ? _ ("not found") : "");
  else if (at > 0)
    text = g_strdup_printf (_ ("%d of %d"), at, all);
  else
    text = g_strdup_printf ("%d", all);
  gtk_label_set_text (find->count, text);
}

static void
go (FindBar *find, gboolean forward)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (find->view));
  GtkTextIter    from, to, start, end;
  gboolean       wrapped;

  gtk_text_buffer_get_selection_bounds (buffer, &from, &to);
  gboolean found = forward ? gtk_source_search_context_forward (find->context, &to, &start, &end, &wrapped)
                           : gtk_source_search_context_backward (find->context, &from, &start, &end, &wrapped);
  if (found)
    {
      gtk_text_buffer_select_range (buffer, &start, &end);
      gtk_text_view_scroll_to_mark (GTK_TEXT_VIEW (find->view), gtk_text_buffer_get_insert (buffer), 0.1, FALSE, 0, 0);
    }
  show_count (find);
}

static void
on_search (GtkEditable *entry, FindBar *find)
{
  gtk_source_search_settings_set_search_text (gtk_source_search_context_get_settings (find->context),
                                              gtk_editable_get_text (entry));
  show_count (find);
}

static void
on_next (FindBar *find)
{
  go (find, TRUE);
}

static void
on_previous (FindBar *find)
{
  go (find, FALSE);
}

static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, FindBar *find)
{
  if ((key == GDK_KEY_Return || key == GDK_KEY_KP_Enter) && (state & GDK_SHIFT_MASK) != 0)
    {
      go (find, FALSE);
      return TRUE;
    }
  return FALSE;
}

static void
on_mode (GtkSearchBar *bar, GParamSpec *pspec, FindBar *find)
{
  gboolean open = gtk_search_bar_get_search_mode (bar);

  gtk_source_search_context_set_highlight (find->context, open);
  if (!open)
    gtk_widget_grab_focus (GTK_WIDGET (find->view));
}

static GtkWidget *
button (const char *icon, const char *label, GCallback callback, FindBar *find)
{
  GtkWidget *widget = gtk_button_new_from_icon_name (icon);

  gtk_widget_set_tooltip_text (widget, label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  g_signal_connect_swapped (widget, "clicked", callback, find);
  return widget;
}

static void
find_free (gpointer data)
{
  FindBar *find = data;

  g_signal_handlers_disconnect_by_data (find->context, find);
  g_object_unref (find->context);
  g_free (find);
}

GtkWidget *
tl_find_bar_new (GtkSourceView *view)
{
  FindBar   *find = g_new0 (FindBar, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *entry = gtk_search_entry_new ();
  g_autoptr (GtkSourceSearchSettings) settings = gtk_source_search_settings_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_source_search_settings_set_wrap_around (settings, TRUE);
  find->view = view;
  find->context
      = gtk_source_search_context_new (GTK_SOURCE_BUFFER (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view))), settings);
  gtk_source_search_context_set_highlight (find->context, FALSE);
  find->bar = gtk_search_bar_new ();
  find->entry = GTK_EDITABLE (entry);
  find->count = GTK_LABEL (gtk_label_new (""));
  gtk_widget_add_css_class (GTK_WIDGET (find->count), "dim-label");
  gtk_widget_set_hexpand (entry, TRUE);
  gtk_editable_set_width_chars (find->entry, 10);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Find in the program"), -1);
  gtk_box_append (GTK_BOX (box), entry);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (find->count));
  gtk_box_append (GTK_BOX (box), button ("go-up-symbolic", _ ("Previous match"), G_CALLBACK (on_previous), find));
  gtk_box_append (GTK_BOX (box), button ("go-down-symbolic", _ ("Next match"), G_CALLBACK (on_next), find));
  gtk_search_bar_set_child (GTK_SEARCH_BAR (find->bar), box);
  gtk_search_bar_connect_entry (GTK_SEARCH_BAR (find->bar), find->entry);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  gtk_widget_add_controller (entry, keys);

  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), find);
  g_signal_connect (entry, "search-changed", G_CALLBACK (on_search), find);
  g_signal_connect_swapped (entry, "activate", G_CALLBACK (on_next), find);
  g_signal_connect_swapped (find->context, "notify::occurrences-count", G_CALLBACK (show_count), find);
  g_signal_connect (find->bar, "notify::search-mode-enabled", G_CALLBACK (on_mode), find);
  g_object_set_data_full (G_OBJECT (find->bar), "tl-find", find, find_free);
  return find->bar;
}

void
tl_find_bar_open (GtkWidget *bar)
{
  FindBar       *find = g_object_get_data (G_OBJECT (bar), "tl-find");
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (find->view));
  GtkTextIter    start, end;

  if (gtk_text_buffer_get_selection_bounds (buffer, &start, &end)
      && gtk_text_iter_get_line (&start) == gtk_text_iter_get_line (&end))
    {
      g_autofree char *text = gtk_text_iter_get_slice (&start, &end);
      gtk_editable_set_text (find->entry, text);
    }
  gtk_search_bar_set_search_mode (GTK_SEARCH_BAR (bar), TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (find->entry));
  gtk_editable_select_region (find->entry, 0, -1);
}
