/* Sources: the text once, and the offset of every line's start. */
#include "base/source.h"

#include <string.h>

struct _TlSource
{
  gatomicrefcount refs;
  char           *name;
  char           *text;
  guint32         length;
  GArray         *line_starts; /* of guint32, rising; the first is 0 */
};

TlSource *
tl_source_new (const char *name, const char *text, gssize length)
{
  g_return_val_if_fail (text != NULL || length == 0, NULL);
  gsize bytes = length < 0 ? strlen (text) : (gsize) length;
  g_return_val_if_fail (bytes < G_MAXUINT32, NULL);

  TlSource *source = g_new0 (TlSource, 1);
  g_atomic_ref_count_init (&source->refs);
  source->name = g_strdup (name ? name : "");
  source->text = g_malloc (bytes + 1);
  if (bytes > 0)
    memcpy (source->text, text, bytes);
  source->text[bytes] = '\0';
  source->length = bytes;
  source->line_starts = g_array_new (FALSE, FALSE, sizeof (guint32));

  guint32 start = 0;
  g_array_append_val (source->line_starts, start);
  for (guint32 i = 0; i < bytes; i++)
    if (source->text[i] == '\n' || (source->text[i] == '\r' && source->text[i + 1] != '\n'))
      {
        start = i + 1;
        g_array_append_val (source->line_starts, start);
      }
  return source;
}

TlSource *
tl_source_ref (TlSource *source)
{
  g_atomic_ref_count_inc (&source->refs);
  return source;
}

void
tl_source_unref (TlSource *source)
{
  if (!g_atomic_ref_count_dec (&source->refs))
    return;
  g_array_unref (source->line_starts);
  g_free (source->text);
  g_free (source->name);
  g_free (source);
}

const char *
tl_source_name (const TlSource *source)
{
  return source->name;
}

const char *
tl_source_text (const TlSource *source)
{
  return source->text;
}

guint32
tl_source_length (const TlSource *source)
{
  return source->length;
}

static guint
line_index_of (const TlSource *source, guint32 offset)
{
  guint low = 0, high = source->line_starts->len;

  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;
      if (g_array_index (source->line_starts, guint32, middle) <= offset)
        low = middle;
      else
        high = middle;
    }
  return low;
}

TlPosition
tl_source_position (const TlSource *source, guint32 offset)
{
  offset = MIN (offset, source->length);
  guint       index = line_index_of (source, offset);
  const char *at = source->text + g_array_index (source->line_starts, guint32, index);
  const char *end = source->text + offset;
  guint       column = 1;

  if (index == 0 && end - at >= 3 && memcmp (at, "\xef\xbb\xbf", 3) == 0)
    at += 3;
  while (at < end)
    {
      gunichar c = g_utf8_get_char_validated (at, end - at);
      at += c == (gunichar) -1 || c == (gunichar) -2 ? 1 : g_unichar_to_utf8 (c, NULL);
      column++;
    }
  return (TlPosition) { index + 1, column };
}

char *
tl_source_line (const TlSource *source, guint line)
{
  if (line == 0 || line > source->line_starts->len)
    return NULL;
  guint32 start = g_array_index (source->line_starts, guint32, line - 1);
  guint32 end = line < source->line_starts->len ? g_array_index (source->line_starts, guint32, line) : source->length;

  while (end > start && (source->text[end - 1] == '\n' || source->text[end - 1] == '\r'))
    end--;
  return g_strndup (source->text + start, end - start);
}
