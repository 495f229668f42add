/* The layout lens in a window: the placement of an operand's tile edited by click, drag and keys, with the exact count
 * after each edit, and written into the program as its place line. Keys in the picture: arrows move, Space or Return
 * toggles, Shift with an arrow changes places with the neighbour, Escape takes the edits back. */
#pragma once

#include "app/lens-window.h"

#define TL_TYPE_LAYOUT_WINDOW (tl_layout_window_get_type ())
G_DECLARE_FINAL_TYPE (TlLayoutWindow, tl_layout_window, TL, LAYOUT_WINDOW, TlLensWindow)

/* Shows the weights of @program's product, or the lesson of eight units. */
void tl_layout_window_open (TlWindow *program);
