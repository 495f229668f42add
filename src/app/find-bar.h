/* Find in the program text: Ctrl+F, Enter and Shift+Enter, Escape. */
#pragma once

#include <gtksourceview/gtksource.h>

/* A bar to put over @view; hidden until asked for. (transfer floating) */
GtkWidget *tl_find_bar_new  (GtkSourceView *view);
void       tl_find_bar_open (GtkWidget     *bar);
