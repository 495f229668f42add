/* The problems list under the editor: what the newest build and run have to say, each
 * with its place, reason and fixes. */
#pragma once

#include "app/desk.h"

#include <gtksourceview/gtksource.h>

/* Fills @list, hiding @frame while there is nothing to say. Lives as long as @list. */
void tl_problems_attach (GtkListBox    *list,
                         GtkWidget     *frame,
                         GtkSourceView *view,
                         TlDesk        *desk);
