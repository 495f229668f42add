/* Rows are made anew only while the table can be seen and nothing plays; when it comes
 * into sight, or another picture takes the focus, also while something does. */
#include "app/table.h"

#include "app/canvas.h"
#include "app/text-column.h"

#include <glib/gi18n.h>
#include <string.h>

typedef struct
{
  TlDesk             *desk;
  GtkWidget          *view;
  GtkLabel           *head;
  GtkStringList      *rows; /* "id\trole\ttitle" */
  GtkSingleSelection *selection;
  guint               source;
  gboolean            busy; /* rows are being changed */
} Table;

/* The rows of the focused canvas. (transfer full) */
static GPtrArray *
list_items (TlDesk *desk, guint *selected)
{
  GPtrArray     *rows = g_ptr_array_new_with_free_func (g_free);
  GObject       *lens = tl_desk_focused (desk);
  const TlScene *scene = lens != NULL ? tl_canvas_scene (TL_CANVAS (lens)) : NULL;

  *selected = GTK_INVALID_LIST_POSITION;
  if (scene != NULL)
    {
      g_autoptr (GArray) items = tl_scene_items (scene);
      for (guint i = 0; i < items->len; i++)
        {
          const TlGroup *group = &g_array_index (scene->groups, TlGroup, g_array_index (items, guint32, i));
          if (g_strcmp0 (group->id, tl_desk_selection (desk)) == 0)
            *selected = rows->len;
          g_ptr_array_add (rows, g_strdup_printf ("%s\t%s\t%s", group->id, group->role,
                                                  group->title != NULL ? group->title : group->id));
        }
    }
  g_ptr_array_add (rows, NULL);
  return rows;
}

static gboolean
same_rows (GtkStringList *list, const GPtrArray *rows)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (list));

  if (n != rows->len - 1)
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (strcmp (gtk_string_list_get_string (list, i), rows->pdata[i]) != 0)
      return FALSE;
  return TRUE;
}

static gboolean
refresh (gpointer data)
{
  Table   *table = data;
  GObject *lens = tl_desk_focused (table->desk);
  guint    selected;
  g_autoptr (GPtrArray) rows = list_items (table->desk, &selected);

  table->source = 0;
  table->busy = TRUE;
  if (!same_rows (table->rows, rows))
    gtk_string_list_splice (table->rows, 0, g_list_model_get_n_items (G_LIST_MODEL (table->rows)),
                            (const char *const *) rows->pdata);
  gtk_single_selection_set_selected (table->selection, selected);
  gtk_label_set_text (table->head,
                      lens != NULL ? tl_canvas_label (TL_CANVAS (lens)) : _ ("Focus a picture to list it"));
  table->busy = FALSE;
  return G_SOURCE_REMOVE;
}

static void
want_rows (Table *table)
{
  if (table->source == 0 && gtk_widget_get_mapped (table->view))
    table->source = g_timeout_add (60, refresh, table);
}

static void
want_refresh (Table *table)
{
  if (!tl_player_is_playing (tl_desk_player (table->desk)))
    want_rows (table);
}

static void
on_changed (TlDesk *desk, guint what, Table *table)
{
  if ((what & TL_DESK_FOCUS) != 0)
    want_rows (table);
  else if ((what & ~(guint) TL_DESK_HOVER) != 0)
    want_refresh (table);
}

static void
on_selected (GtkSingleSelection *selection, GParamSpec *pspec, Table *table)
{
  guint at = gtk_single_selection_get_selected (selection);

  if (table->busy || at == GTK_INVALID_LIST_POSITION)
    return;
  g_autofree char *id = tl_text_field (gtk_string_list_get_string (table->rows, at), 0);
  tl_desk_select (table->desk, id);
}

static void
table_free (gpointer data)
{
  Table *table = data;

  g_clear_handle_id (&table->source, g_source_remove);
  g_signal_handlers_disconnect_by_data (table->desk, table);
  g_signal_handlers_disconnect_by_data (tl_desk_player (table->desk), table);
  g_signal_handlers_disconnect_by_data (table->selection, table);
  g_object_unref (table->selection);
  g_object_unref (table->desk);
  g_free (table);
}

void
tl_table_fill (GtkBox *box, TlDesk *desk)
{
  Table     *table = g_new0 (Table, 1);
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  table->desk = g_object_ref (desk);
  table->rows = gtk_string_list_new (NULL);
  table->selection = g_object_ref_sink (gtk_single_selection_new (G_LIST_MODEL (table->rows)));
  gtk_single_selection_set_autoselect (table->selection, FALSE);
  gtk_single_selection_set_can_unselect (table->selection, TRUE);
  table->view = gtk_column_view_new (GTK_SELECTION_MODEL (g_object_ref (table->selection)));
  tl_text_column_add (GTK_COLUMN_VIEW (table->view), _ ("Kind"), 1, FALSE);
  tl_text_column_add (GTK_COLUMN_VIEW (table->view), _ ("What it shows"), 2, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (table->view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Items of the picture in focus"), -1);
  table->head = GTK_LABEL (gtk_label_new (_ ("Focus a picture to list it")));
  gtk_label_set_xalign (table->head, 0);
  gtk_widget_add_css_class (GTK_WIDGET (table->head), "panel-title");
  gtk_box_append (box, GTK_WIDGET (table->head));
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), table->view);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_box_append (box, scrolled);
  g_signal_connect (desk, "changed", G_CALLBACK (on_changed), table);
  g_signal_connect_swapped (tl_desk_player (desk), "state", G_CALLBACK (want_refresh), table);
  g_signal_connect_swapped (table->view, "map", G_CALLBACK (want_rows), table);
  g_signal_connect (table->selection, "notify::selected", G_CALLBACK (on_selected), table);
  g_object_set_data_full (G_OBJECT (box), "table", table, table_free);
}
