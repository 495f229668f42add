/* The head of a chunk of an event file, its summary, and the check of its bytes. */
#include "dram/event-file-private.h"

#include <string.h>

G_DEFINE_QUARK (tl - event - file - error - quark, tl_event_file_error)

static inline guint64
turn (guint64 value, guint by)
{
  return value << by | value >> (64 - by);
}

/* One-to-one in the lane and in the word, so that a word that differs is never lost. */
static inline guint64
mix (guint64 lane, guint64 word)
{
  return turn (lane ^ word * G_GUINT64_CONSTANT (0x9fb21c651e98df25), 29) * G_GUINT64_CONSTANT (0xd6e8feb86659fd93);
}

static inline guint64
word_at (const guint8 *data)
{
  guint64 word;

  memcpy (&word, data, sizeof word);
  return GUINT64_FROM_LE (word);
}

guint64
tl_event_check (gconstpointer data, gsize length)
{
  const guint8 *at = data;
  guint64       lanes[4] = { 1, 2, 3, 4 }, check = length;
  gsize         rest = length;

  for (; rest >= 32; rest -= 32, at += 32)
    for (guint lane = 0; lane < 4; lane++)
      lanes[lane] = mix (lanes[lane], word_at (at + 8 * lane));
  for (guint lane = 0; lane < 4; lane++)
    check = mix (check, lanes[lane]);
  for (; rest >= 8; rest -= 8, at += 8)
    check = mix (check, word_at (at));
  for (; rest > 0; rest--, at++)
    check = mix (check, *at);
  return check ^ check >> 32;
}

void
tl_event_summary_put (const TlEventSummary *summary, guint8 *data)
{
  tl_put_u64 (data, summary->from);
  tl_put_u64 (data + 8, summary->to);
  tl_put_u64 (data + 16, summary->least);
  tl_put_u64 (data + 24, summary->most);
  tl_put_u32 (data + 32, summary->low_domain);
  tl_put_u32 (data + 36, summary->high_domain);
  tl_put_u32 (data + 40, summary->low_row);
  tl_put_u32 (data + 44, summary->high_row);
  for (guint k = 0; k < TL_N_EVENTS; k++)
    tl_put_u32 (data + 48 + 4 * k, summary->kinds[k]);
  for (guint c = 0; c < TL_N_ROW_CLASSES; c++)
    tl_put_u32 (data + 72 + 4 * c, summary->classes[c]);
  for (guint w = 0; w < G_N_ELEMENTS (summary->domains); w++)
    tl_put_u64 (data + 88 + 8 * w, summary->domains[w]);
}

void
tl_event_summary_get (TlEventSummary *summary, const guint8 *data)
{
  G_STATIC_ASSERT (48 + 4 * TL_N_EVENTS == 72 && 72 + 4 * TL_N_ROW_CLASSES == 88);
  G_STATIC_ASSERT (88 + 8 * G_N_ELEMENTS (summary->domains) == TL_EVENT_SUMMARY_BYTES);
  summary->from = tl_get_u64 (data);
  summary->to = tl_get_u64 (data + 8);
  summary->least = tl_get_u64 (data + 16);
  summary->most = tl_get_u64 (data + 24);
  summary->low_domain = tl_get_u32 (data + 32);
  summary->high_domain = tl_get_u32 (data + 36);
  summary->low_row = tl_get_u32 (data + 40);
  summary->high_row = tl_get_u32 (data + 44);
  for (guint k = 0; k < TL_N_EVENTS; k++)
    summary->kinds[k] = tl_get_u32 (data + 48 + 4 * k);
  for (guint c = 0; c < TL_N_ROW_CLASSES; c++)
    summary->classes[c] = tl_get_u32 (data + 72 + 4 * c);
  for (guint w = 0; w < G_N_ELEMENTS (summary->domains); w++)
    summary->domains[w] = tl_get_u64 (data + 88 + 8 * w);
}

gboolean
tl_event_chunk_head (const guint8 *data, gsize size, TlEventSummary *summary, gsize *length)
{
  gsize   sum = TL_EVENT_HEAD_BYTES + 8;
  guint32 open;

  if (size < TL_EVENT_HEAD_BYTES + 8 || memcmp (data, "CHNK", 4) != 0)
    return FALSE;
  *length = tl_get_u32 (data + 4);
  *summary = (TlEventSummary) { .n = tl_get_u32 (data + 8) };
  open = tl_get_u32 (data + 12);
  tl_event_summary_get (summary, data + 24);
  for (guint c = 0; c < TL_EVENT_COLUMNS; c++)
    {
      const guint8 *entry = data + 24 + TL_EVENT_SUMMARY_BYTES + 8 * c;
      guint32       most = c == OPEN ? 3 * MIN (open, TL_EVENT_STATE_DOMAINS) : TL_EVENT_CHUNK;

      if (tl_get_u32 (entry) > most * TL_EVENT_VARINT)
        return FALSE;
      sum += tl_get_u32 (entry + 4);
    }
  return summary->n > 0 && summary->n <= TL_EVENT_CHUNK && open <= TL_EVENT_STATE_DOMAINS && *length == sum
         && *length <= size && tl_get_u64 (data + 16) > 0;
}

gboolean
tl_event_chunk_check (const guint8 *data, gsize length)
{
  return tl_event_check (data, length - 8) == tl_get_u64 (data + length - 8);
}
