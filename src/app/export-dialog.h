/* The export dialog: a figure of the moment as SVG, PDF or PNG, seen before it is saved. */
#pragma once

#include "app/window.h"

void tl_export_dialog_show (TlWindow *window);
