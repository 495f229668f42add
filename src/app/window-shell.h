/* The rest of a window's frame: examples, export, print, full screen, undo and redo,
 * and what the preferences say about it. */
#pragma once

#include "app/window.h"

void tl_window_shell_setup (TlWindow      *window,
                            GtkMenuButton *examples,
                            GtkSourceView *editor);
/* Escape closes @window, as it does dialogs. */
void tl_close_on_escape    (GtkWidget     *window);
