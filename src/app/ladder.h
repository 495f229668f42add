/* The pass ladder: the module after each group, folded where it did not change, linked
 * to the source both ways; and the streams of a PU. */
#pragma once

#include "app/desk.h"

#include <gtksourceview/gtksource.h>

/* Fills @box. Lives as long as it. */
void tl_ladder_attach (GtkBox        *box,
                       GtkSourceView *editor,
                       TlDesk        *desk);
