/* The window: editor and choices left, the stack in the middle, tiles and passes
 * right, transport and timeline below, counters at the bottom. */
#pragma once

#include "app/desk.h"
#include "app/document.h"

#include <adwaita.h>
#include <gtksourceview/gtksource.h>

#define TL_TYPE_WINDOW (tl_window_get_type ())
G_DECLARE_FINAL_TYPE (TlWindow, tl_window, TL, WINDOW, AdwApplicationWindow)

TlWindow        *tl_window_new      (AdwApplication *application);
TlDocument      *tl_window_document (TlWindow     *window); /* (transfer none) */
TlDesk          *tl_window_desk     (TlWindow       *window); /* (transfer none) */
GtkSourceBuffer *tl_window_buffer   (TlWindow       *window); /* (transfer none) */
/* Shows @text as a new document. @path: where it is saved, NULL: nowhere yet; @folder:
 * where its data files are looked for besides. */
void             tl_window_load     (TlWindow       *window,
                                     const char     *text,
                                     const char     *path,
                                     const char     *folder);
void             tl_window_toast    (TlWindow       *window,
                                     const char     *format,
                                     ...) G_GNUC_PRINTF (2, 3);
AdwToastOverlay *tl_window_toasts   (TlWindow       *window); /* (transfer none) */
/* What is in the middle: TL_VIEW_STACK, TL_VIEW_ISO, or of a pipeline TL_VIEW_MATRIX. */
TlViewKind       tl_window_stack_kind     (TlWindow   *window);
void             tl_window_set_stack_kind (TlWindow   *window,
                                           TlViewKind  kind);
