/* The row of transport buttons over a player. */
#pragma once

#include "app/player.h"

#include <gtk/gtk.h>

/* Fills @box (a horizontal GtkBox) with first, back, play, step, last, the unit, the
 * dwell and the moment in figures. */
void tl_transport_fill (GtkBox   *box,
                        TlPlayer *player);
