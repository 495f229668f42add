/* File dialogs, as GTK 4.8 lets them end. */
#pragma once

#include <gtk/gtk.h>

/* Ends the dialog *chooser, a GtkFileChooserNative or NULL; *chooser becomes NULL. */
void tl_chooser_end (GObject **chooser);
