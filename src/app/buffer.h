/* The program text as a text buffer: byte offsets of sources into iterators, and
 * edits as one step of undo. */
#pragma once

#include "base/diag.h"

#include <gtk/gtk.h>

/* (transfer full) */
char     *tl_buffer_text  (GtkTextBuffer *buffer);
/* @iter at byte @offset of @text, which is the buffer's. */
void      tl_buffer_iter  (GtkTextBuffer *buffer,
                           const char    *text,
                           guint32        offset,
                           GtkTextIter   *iter);
/* Byte offset of the caret. */
guint32   tl_buffer_caret (GtkTextBuffer *buffer);
/* Applies @edits (of TlEdit, byte spans of @source) as one user action. FALSE, and
 * nothing changes, when the buffer no longer holds the source's text. */
gboolean  tl_buffer_apply (GtkTextBuffer *buffer,
                           TlSource      *source,
                           const GArray  *edits);
/* Puts the caret at a line and column from 1, shows it in @view and focuses it. */
void      tl_buffer_go    (GtkTextView   *view,
                           guint          line,
                           guint          column);
