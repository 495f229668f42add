/* The export dialog: a figure of the moment as SVG, PDF or PNG, seen before it is saved. */
#pragma once

#include "app/desk.h"

#include <adwaita.h>

/* Of what @desk shows. @name: of the document, @path: of its file, NULL: nowhere; @kind: the view that
 * is offered first; @toasts: where it is said that the figure is written. All is copied or referenced. */
void tl_export_dialog_show (GtkWindow       *parent,
                            TlDesk          *desk,
                            const char      *name,
                            const char      *path,
                            TlViewKind       kind,
                            AdwToastOverlay *toasts);
