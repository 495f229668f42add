/* What a window does with files: new, open, save, save as, recent, dropped files, the
 * question before closing, the banner when the file changed under it. */
#pragma once

#include "app/window.h"

/* Adds the actions win.new, win.open, win.open-path (s), win.save, win.save-as to @window
 * and watches its document. @banner: where a warning about the file stands; @recent: the
 * menu of recent files to be kept. */
void     tl_window_files_setup (TlWindow   *window,
                                GtkBox     *banner,
                                GMenu      *recent);
/* Opens a program or a figure: in @window when that is untouched, else in one more.
 * Answers a failure in words with a toast and returns FALSE. */
gboolean tl_window_open_path   (TlWindow   *window,
                                const char *path);
/* Shows the program in @path as a new one without a file of its own (an example). */
gboolean tl_window_open_example (TlWindow   *window,
                                 const char *path);
