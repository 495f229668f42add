/* What Tierloom is, its version and its licence. */
#pragma once

#include <gtk/gtk.h>

void tl_about_show (GtkWindow *parent);
