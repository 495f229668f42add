/* The help pages, read in a window of their own: no other program, no network. */
#pragma once

#include <gtk/gtk.h>

/* @page: "start", "language", "refused", "picture", "figures", "lenses", "lessons"; NULL: the first. */
void tl_help_show (GtkWindow  *parent,
                   const char *page);
