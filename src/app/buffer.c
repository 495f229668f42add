/* Offsets count bytes in sources and characters in buffers. */
#include "app/buffer.h"

#include <string.h>

char *
tl_buffer_text (GtkTextBuffer *buffer)
{
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  return gtk_text_buffer_get_text (buffer, &start, &end, TRUE);
}

void
tl_buffer_iter (GtkTextBuffer *buffer, const char *text, guint32 offset, GtkTextIter *iter)
{
  gtk_text_buffer_get_iter_at_offset (buffer, iter, (int) g_utf8_pointer_to_offset (text, text + offset));
}

guint32
tl_buffer_caret (GtkTextBuffer *buffer)
{
  GtkTextIter start, caret;

  gtk_text_buffer_get_start_iter (buffer, &start);
  gtk_text_buffer_get_iter_at_mark (buffer, &caret, gtk_text_buffer_get_insert (buffer));
  g_autofree char *before = gtk_text_buffer_get_text (buffer, &start, &caret, TRUE);
  return (guint32) strlen (before);
}

gboolean
tl_buffer_apply (GtkTextBuffer *buffer, TlSource *source, const GArray *edits)
{
  g_autofree char *text = tl_buffer_text (buffer);

  if (strcmp (text, tl_source_text (source)) != 0)
    return FALSE;
  gtk_text_buffer_begin_user_action (buffer);
  /* From the last to the first, so that earlier offsets stay right. */
  for (guint e = edits->len; e-- > 0;)
    {
      const TlEdit *edit = &g_array_index (edits, TlEdit, e);
      GtkTextIter   start, end;

      tl_buffer_iter (buffer, text, edit->span.start, &start);
      tl_buffer_iter (buffer, text, edit->span.end, &end);
      gtk_text_buffer_delete (buffer, &start, &end);
      gtk_text_buffer_insert (buffer, &start, edit->replacement, -1);
    }
  gtk_text_buffer_end_user_action (buffer);
  return TRUE;
}

void
tl_buffer_go (GtkTextView *view, guint line, guint column)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (view);
  GtkTextIter    iter;

  if (line == 0)
    return;
  gtk_text_buffer_get_iter_at_line (buffer, &iter, (int) line - 1);
  for (guint c = 1; c < column && !gtk_text_iter_ends_line (&iter); c++)
    gtk_text_iter_forward_char (&iter);
  gtk_text_buffer_place_cursor (buffer, &iter);
  gtk_text_view_scroll_to_mark (view, gtk_text_buffer_get_insert (buffer), 0.1, FALSE, 0, 0);
  gtk_widget_grab_focus (GTK_WIDGET (view));
}
