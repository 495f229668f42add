/* What windows of a single lens share: a menu of the program's operands in the header, their plans made beside the main
 * thread, the picture and what is said below it. A lens derives from it, fills it once and answers the two calls of its
 * class. */
#pragma once

#include "app/lens-area.h"
#include "app/window.h"
#include "engine/operand.h"

#include <adwaita.h>

#define TL_TYPE_LENS_WINDOW (tl_lens_window_get_type ())
G_DECLARE_DERIVABLE_TYPE (TlLensWindow, tl_lens_window, TL, LENS_WINDOW, AdwWindow)

struct _TlLensWindowClass
{
  AdwWindowClass parent_class;
  /* The first line of the menu was chosen: what the lens shows of its own. NULL: it goes on with what it shows. */
  void (*show_own)  (TlLensWindow  *window);
  /* An operand was chosen and planned; @tile is (transfer full). What it says is (transfer full): NULL, or why the lens
   * cannot show it, after which the menu is back at its first line. */
  char *(*show_tile) (TlLensWindow  *window,
                      TlOperandTile *tile);
};

/* To be called once, in init. @own: the first line of the menu; @label: what a screen reader calls the picture. */
void              tl_lens_window_fill       (TlLensWindow      *window,
                                             const char        *own,
                                             const TlLensCalls *calls,
                                             const char        *label);
/* Where further buttons go. */
AdwHeaderBar     *tl_lens_window_header     (TlLensWindow      *window);
/* Where all goes that stands below the header, the picture too. */
GtkBox           *tl_lens_window_box        (TlLensWindow      *window);
TlLensArea       *tl_lens_window_area       (TlLensWindow      *window);
/* NULL after it was closed. */
TlWindow         *tl_lens_window_program    (TlLensWindow      *window);
void              tl_lens_window_say        (TlLensWindow      *window,
                                             const char        *text);
/* The menu stands at its first line, without a call of show_own: what is shown is no operand of the program now. */
void              tl_lens_window_leave_tile (TlLensWindow      *window);
/* A new window of @type for @program, its weights first where it has some. */
void              tl_lens_window_open       (GType              type,
                                             TlWindow          *program);
