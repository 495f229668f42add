/* A cell that is too narrow tells the whole of its text when pointed at. */
#include "app/text-column.h"

char *
tl_text_field (const char *row, guint field)
{
  g_auto (GStrv) fields = g_strsplit (row, "\t", -1);

  return g_strdup (field < g_strv_length (fields) ? fields[field] : "");
}

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_list_item_set_child (item, label);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer field)
{
  GtkStringObject *row = gtk_list_item_get_item (item);
  g_autofree char *text = tl_text_field (gtk_string_object_get_string (row), GPOINTER_TO_UINT (field));

  gtk_label_set_text (GTK_LABEL (gtk_list_item_get_child (item)), text);
  gtk_widget_set_tooltip_text (gtk_list_item_get_child (item), text);
}

void
tl_text_column_add (GtkColumnView *view, const char *title, guint field, gboolean expand)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), GUINT_TO_POINTER (field));
  GtkColumnViewColumn *column = gtk_column_view_column_new (title, factory);
  gtk_column_view_column_set_expand (column, expand);
  gtk_column_view_append_column (view, column);
  g_object_unref (column);
}
