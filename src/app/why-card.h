/* The card that tells why a conflict came about, over the canvas it was asked on. */
#pragma once

#include "app/desk.h"

#include <gtk/gtk.h>

/* Opens the card of the selected conflict at @x, @y of @canvas; one a canvas. */
void     tl_why_card_show  (GtkWidget *canvas,
                            TlDesk    *desk,
                            double     x,
                            double     y);
/* Selects the next (previous) conflict from the selected one or the moment shown, and
 * goes to its time; @same: of a trace, only one of the selected domain. FALSE when there is none near. */
gboolean tl_why_card_step  (TlDesk    *desk,
                            gboolean   forward,
                            gboolean   same);
/* The conflict that the selection names, or the bank it names is in just now. Selects
 * it. FALSE when there is none. */
gboolean tl_why_card_find  (TlDesk    *desk);
