/* The left column and the passes tab, put together: editor, problems, choices, run,
 * ladder. */
#pragma once

#include "app/desk.h"

#include <gtksourceview/gtksource.h>

typedef struct
{
  GtkBox        *column; /* that holds them all */
  GtkSourceView *editor;
  GtkListBox    *problems;
  GtkWidget     *problems_frame; /* hidden while there are none */
  GtkBox        *choices;
  GtkBox        *card;    /* for the ownership lint */
  GtkLabel      *summary; /* of who chose */
  GtkBox        *run;
  GtkBox        *passes;
  TlDesk        *desk;
} TlLeftParts;

/* All live as long as the widgets they are put in. */
void tl_left_attach (const TlLeftParts *parts);
/* A document was opened: @example when it came with Tierloom, so that its values are
 * the example's until they are changed. */
void tl_left_opened (GtkSourceView     *editor,
                     gboolean           example);
