/* The preferences window; every change counts at once. */
#pragma once

#include <gtk/gtk.h>

void tl_preferences_show (GtkWindow *parent);
