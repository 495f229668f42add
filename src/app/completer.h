/* Completion in the editor: suggest.h as a provider of GtkSourceView. */
#pragma once

#include "app/desk.h"

#include <gtksourceview/gtksource.h>

void   tl_completer_attach (GtkSourceView *view,
                            TlDesk        *desk);
/* Names of targets that can be written beside the program at @path (may be NULL).
 * (transfer full), NULL-terminated */
char **tl_target_names     (const char    *path);
