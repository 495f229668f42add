/* Text of events to a stream, a big piece at a time. */
#include "dram/event-text-private.h"

#include "dram/event-csv.h"

#include <string.h>

#define PIECE (1u << 16)

struct _TlEventText
{
  TlMemory                 memory;
  TlEventCsv              *csv; /* or */
  const TlEventTextFormat *format;
  gpointer                 state;
  GOutputStream           *stream;
  GString                 *text;
};

gboolean
tl_event_text_kind (const char *path, TlEventTextKind *kind)
{
  static const char *const endings[] = { ".csv", ".vcd", ".json" };
  gsize                    length = strlen (path);

  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    if (length >= strlen (endings[i]) && g_ascii_strcasecmp (path + length - strlen (endings[i]), endings[i]) == 0)
      {
        *kind = i;
        return TRUE;
      }
  return FALSE;
}

TlEventText *
tl_event_text_new (TlEventTextKind kind, GOutputStream *stream, const TlMemory *memory)
{
  TlEventText *text = g_new0 (TlEventText, 1);

  text->memory = *memory;
  text->stream = g_object_ref (stream);
  if (kind == TL_EVENT_TEXT_CSV)
    {
      text->csv = tl_event_csv_new (stream, memory);
      return text;
    }
  text->format = kind == TL_EVENT_TEXT_VCD ? &tl_event_text_vcd : &tl_event_text_chrome;
  text->text = g_string_sized_new (PIECE + 4096);
  text->state = text->format->begin (text->text, &text->memory);
  return text;
}

static gboolean
flush (TlEventText *text, gsize at_least, GError **error)
{
  gboolean done;

  if (text->text->len == 0 || text->text->len < at_least)
    return TRUE;
  done = g_output_stream_write_all (text->stream, text->text->str, text->text->len, NULL, NULL, error);
  g_string_truncate (text->text, 0);
  return done;
}

gboolean
tl_event_text_add (TlEventText *text, const TlEvent *events, gsize n, GError **error)
{
  if (text->csv != NULL)
    return tl_event_csv_add (text->csv, events, n, error);
  for (gsize e = 0; e < n; e++)
    {
      text->format->add (text->state, text->text, &events[e]);
      if (!flush (text, PIECE, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
tl_event_text_close (TlEventText *text, GError **error)
{
  if (text->csv != NULL)
    return tl_event_csv_close (text->csv, error);
  text->format->end (text->state, text->text);
  return flush (text, 0, error);
}

void
tl_event_text_free (TlEventText *text)
{
  if (text == NULL)
    return;
  tl_event_csv_free (text->csv);
  if (text->format != NULL)
    text->format->free (text->state);
  if (text->text != NULL)
    g_string_free (text->text, TRUE);
  g_object_unref (text->stream);
  g_free (text);
}
