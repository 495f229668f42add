/* Without a portal a file dialog is GTK's own, whose list of files may outlive it: when a
 * file of the folder is looked up as the dialog goes, GTK 4.8 tells freed memory that its
 * row changed. So the list is made deaf to the dialog first. */
#include "app/chooser.h"

static void
deafen (GtkWidget *widget, GtkWidget *chooser)
{
  if (g_str_equal (G_OBJECT_TYPE_NAME (widget), "GtkFileChooserWidget"))
    chooser = widget;
  if (chooser != NULL && GTK_IS_TREE_VIEW (widget) && gtk_tree_view_get_model (GTK_TREE_VIEW (widget)) != NULL)
    g_signal_handlers_disconnect_by_data (gtk_tree_view_get_model (GTK_TREE_VIEW (widget)), chooser);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    deafen (child, chooser);
}

void
tl_chooser_end (GObject **chooser)
{
  if (*chooser == NULL)
    return;

  GtkWindow  *parent = gtk_native_dialog_get_transient_for (GTK_NATIVE_DIALOG (*chooser));
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint w = 0; w < g_list_model_get_n_items (windows); w++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (windows, w);

      if (GTK_IS_FILE_CHOOSER_DIALOG (window) && gtk_window_get_transient_for (window) == parent)
        deafen (GTK_WIDGET (window), NULL);
    }
  g_clear_object (chooser);
}

void
tl_chooser_show (GObject **chooser, GtkFileChooserNative *dialog)
{
  g_set_object (chooser, G_OBJECT (dialog));
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

char *
tl_chooser_answer (GObject **chooser, int response)
{
  g_autoptr (GFile) file
      = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (*chooser)) : NULL;

  tl_chooser_end (chooser);
  return file != NULL ? g_file_get_path (file) : NULL;
}
