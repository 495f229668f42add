/* The programs that come with Tierloom, in a list under a button. */
#pragma once

#include "app/window.h"

/* Gives @button a popover with them; choosing one activates win.example (s path)
 * or app.lesson (s name). */
void       tl_examples_fill    (GtkMenuButton *button);
/* Opens the example in @path. */
void       tl_examples_open    (TlWindow      *window,
                                const char    *path);
