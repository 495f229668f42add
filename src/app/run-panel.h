/* The run section under the choices: what limits the run, the four flows beside the
 * paper's figures, and which assumptions carry the result. */
#pragma once

#include "app/desk.h"

#include <gtk/gtk.h>

void tl_run_panel_attach (GtkBox *box,
                          TlDesk *desk);
