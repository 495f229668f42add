/* The table twin of the canvases: what the canvas that last had the keyboard shows, as
 * rows that a screen reader can walk. */
#pragma once

#include "app/desk.h"

#include <gtk/gtk.h>

/* Fills @box with the table; choosing a row selects its item everywhere. */
void tl_table_fill (GtkBox *box,
                    TlDesk *desk);
