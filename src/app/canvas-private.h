/* What the canvas's files share. */
#pragma once

#include "app/canvas.h"

/* The keys of the canvases; TRUE when it was one. */
gboolean tl_canvas_key  (TlCanvas        *canvas,
                         TlDesk          *desk,
                         guint            key,
                         GdkModifierType  state);
/* Moves the selection to the next item that lies that way on the canvas. */
void     tl_canvas_walk (TlCanvas        *canvas,
                         int              dx,
                         int              dy);
/* To the item @by places on in reading order. */
void     tl_canvas_turn (TlCanvas        *canvas,
                         int              by);
/* Opens the card of the selected conflict, where the selection lies. */
void     tl_canvas_why  (TlCanvas        *canvas);
