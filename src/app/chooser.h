/* File dialogs, as GTK 4.8 lets them end. */
#pragma once

#include <gtk/gtk.h>

/* Asks @dialog, whose "response" is connected; it is *chooser until it is ended. */
void  tl_chooser_show   (GObject             **chooser,
                         GtkFileChooserNative *dialog);
/* The path that was chosen, and the end of the dialog. NULL when nothing was, or no file of this machine.
 * (transfer full) */
char *tl_chooser_answer (GObject             **chooser,
                         int                   response);
/* Ends the dialog *chooser, a GtkFileChooserNative or NULL; *chooser becomes NULL. */
void  tl_chooser_end    (GObject             **chooser);
