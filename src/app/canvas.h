/* A lens on the desk: one view of scene/view.h as a widget, with hover, selection,
 * keyboard walking over its items and a description for those who cannot see it. */
#pragma once

#include "app/desk.h"

#include <gtk/gtk.h>

#define TL_TYPE_CANVAS (tl_canvas_get_type ())
G_DECLARE_FINAL_TYPE (TlCanvas, tl_canvas, TL, CANVAS, GtkWidget)

/* Signals: "chosen" (const char *id) when an item is clicked or Enter is pressed on it. */
GtkWidget     *tl_canvas_new       (TlDesk      *desk,
                                    TlViewKind   kind,
                                    const char  *label);
void           tl_canvas_set_kind  (TlCanvas    *canvas,
                                    TlViewKind   kind);
TlViewKind     tl_canvas_kind      (TlCanvas    *canvas);
/* The scene as last drawn; NULL before. (transfer none) */
const TlScene *tl_canvas_scene     (TlCanvas    *canvas);
const char    *tl_canvas_label     (TlCanvas    *canvas);
void           tl_canvas_set_label (TlCanvas    *canvas,
                                    const char  *label);
