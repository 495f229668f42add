/* The register lens in a window: an expression that is edited live, the operand tiles of a program, Views, one layout
 * in four notations to copy. Keys in the picture: arrows follow another element, Page Up and Page Down another
 * slice, Escape none. */
#pragma once

#include "app/lens-window.h"

#define TL_TYPE_REGISTER_WINDOW (tl_register_window_get_type ())
G_DECLARE_FINAL_TYPE (TlRegisterWindow, tl_register_window, TL, REGISTER_WINDOW, TlLensWindow)

/* Shows the weights of @program's product, or a layout to begin with. */
void tl_register_window_open (TlWindow *program);
