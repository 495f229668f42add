/* The choices panel: a row a knob, and the ownership card above them. What is chosen
 * here is written into the program text, one step of undo a change. */
#pragma once

#include "app/desk.h"

#include <gtksourceview/gtksource.h>

/* @rows: filled with the rows; @card: with the card while the lint fires; @summary says
 * how many were chosen by whom. Lives as long as @rows. */
void tl_choices_panel_attach (GtkBox        *rows,
                              GtkBox        *card,
                              GtkLabel      *summary,
                              GtkSourceView *editor,
                              TlDesk        *desk);
/* The buffer's text is an example as it came, or (FALSE) a document of the user's. */
void tl_choices_panel_opened (GtkSourceView *editor,
                              gboolean       example);
