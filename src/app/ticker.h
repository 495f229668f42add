/* Moves a player on while it plays: a frame at a time, as the window is drawn. */
#pragma once

#include "app/player.h"

#include <gtk/gtk.h>

/* From now on, until @widget is destroyed. */
void tl_ticker_add (GtkWidget *widget,
                    TlPlayer  *player);
