/* Moments of an event file: a chunk is decoded, its open rows are taken over, and its events
 * happen up to the place. */
#include "dram/event-cursor.h"

#include "dram/event-file-private.h"

#include <string.h>

#define SLOTS   2 /* so that steps across the edge of a chunk decode nothing */
#define NOTHING G_MAXUINT

/* A chunk that was decoded. */
typedef struct
{
  guint    chunk; /* or NOTHING */
  guint64  used;
  TlEvent *events; /* TL_EVENT_CHUNK */
  GArray  *rows;   /* open before, of TlOpenRow */
} Slot;

typedef struct
{
  guint64  opener;
  guint32  row;
  gboolean open;
} Domain;

struct _TlEventCursor
{
  const TlEventFile *file;
  const TlMemory    *memory;
  TlEventDecoder    *decoder;
  Slot               slots[SLOTS];
  guint64            uses;
  TlEventCounts     *before; /* each chunk, and all */
  guint64            place;
  /* What has happened, from the first event of a chunk on. */
  guint              chunk; /* NOTHING: the file has none */
  guint32            done;  /* events of it */
  TlEventCounts      counts;
  Domain            *domains;
  guint32            n_domains;
};

TlEventCursor *
tl_event_cursor_new (const TlEventFile *file, const TlMemory *memory)
{
  TlEventCursor *cursor = g_new0 (TlEventCursor, 1);
  guint          n = tl_event_file_chunks (file);

  cursor->file = file;
  cursor->memory = memory;
  cursor->decoder = tl_event_decoder_new ();
  for (guint s = 0; s < SLOTS; s++)
    cursor->slots[s].chunk = NOTHING;
  cursor->chunk = NOTHING;
  cursor->before = g_new0 (TlEventCounts, n + 1);
  for (guint c = 0; c < n; c++)
    {
      const TlEventSummary *summary = tl_event_file_summary (file, c);

      cursor->before[c + 1] = cursor->before[c];
      for (guint k = 0; k < TL_N_EVENTS; k++)
        cursor->before[c + 1].kinds[k] += summary->kinds[k];
      for (guint k = 0; k < TL_N_ROW_CLASSES; k++)
        cursor->before[c + 1].classes[k] += summary->classes[k];
    }
  return cursor;
}

void
tl_event_cursor_free (TlEventCursor *cursor)
{
  if (cursor == NULL)
    return;
  for (guint s = 0; s < SLOTS; s++)
    {
      g_free (cursor->slots[s].events);
      g_clear_pointer (&cursor->slots[s].rows, g_array_unref);
    }
  tl_event_decoder_free (cursor->decoder);
  g_free (cursor->before);
  g_free (cursor->domains);
  g_free (cursor);
}

/* The chunk that has event @number, below the count. */
static guint
chunk_of (const TlEventCursor *cursor, guint64 number)
{
  guint low = 0, high = tl_event_file_chunks (cursor->file) - 1;

  while (low < high)
    {
      guint middle = high - (high - low) / 2;

      if (tl_event_file_summary (cursor->file, middle)->first_event <= number)
        low = middle;
      else
        high = middle - 1;
    }
  return low;
}

/* @chunk, decoded; the one that was used least lately gives way. */
static Slot *
load (TlEventCursor *cursor, guint chunk, GError **error)
{
  Slot *slot = &cursor->slots[0];

  for (guint s = 0; s < SLOTS; s++)
    if (cursor->slots[s].chunk == chunk)
      {
        cursor->slots[s].used = ++cursor->uses;
        return &cursor->slots[s];
      }
    else if (cursor->slots[s].used < slot->used)
      slot = &cursor->slots[s];
  if (slot->events == NULL)
    {
      slot->events = g_new (TlEvent, TL_EVENT_CHUNK);
      slot->rows = g_array_new (FALSE, FALSE, sizeof (TlOpenRow));
    }
  slot->chunk = NOTHING;
  if (!tl_event_file_decode (cursor->file, cursor->decoder, chunk, slot->events, slot->rows, error))
    return NULL;
  slot->chunk = chunk;
  slot->used = ++cursor->uses;
  return slot;
}

/* --- what happens --- */

static Domain *
domain_of (TlEventCursor *cursor, guint32 index)
{
  guint32 n = MAX (cursor->n_domains, 64);

  if (index >= TL_EVENT_STATE_DOMAINS)
    return NULL;
  while (n <= index)
    n *= 2;
  if (n > cursor->n_domains)
    {
      cursor->domains = g_renew (Domain, cursor->domains, n);
      memset (cursor->domains + cursor->n_domains, 0, (n - cursor->n_domains) * sizeof *cursor->domains);
      cursor->n_domains = n;
    }
  return &cursor->domains[index];
}

static void
happen (TlEventCursor *cursor, const TlEvent *event)
{
  cursor->counts.kinds[event->kind]++;
  if (event->row_class < TL_N_ROW_CLASSES)
    cursor->counts.classes[event->row_class]++;
  if (event->kind != TL_EVENT_ACT && event->kind != TL_EVENT_PRE)
    return;
  Domain *domain = domain_of (cursor, event->domain);
  if (domain != NULL)
    *domain = (Domain) { .opener = event->request, .row = event->row, .open = event->kind == TL_EVENT_ACT };
}

/* To before the first event of the chunk in @slot. */
static void
rewind_to (TlEventCursor *cursor, const Slot *slot)
{
  for (guint32 d = 0; d < cursor->n_domains; d++)
    cursor->domains[d].open = FALSE;
  for (guint i = 0; i < slot->rows->len; i++)
    {
      const TlOpenRow *row = &g_array_index (slot->rows, TlOpenRow, i);
      *domain_of (cursor, row->domain) = (Domain) { .opener = row->opener, .row = row->row, .open = TRUE };
    }
  cursor->chunk = slot->chunk;
  cursor->done = 0;
  cursor->counts = cursor->before[slot->chunk];
}

/* --- moving --- */

guint64
tl_event_cursor_place (const TlEventCursor *cursor)
{
  return cursor->place;
}

gboolean
tl_event_cursor_seek (TlEventCursor *cursor, guint64 place, GError **error)
{
  guint64 count = tl_event_file_count (cursor->file);

  place = MIN (place, count);
  if (count == 0 || (place == 0 && cursor->chunk == NOTHING))
    return TRUE;
  guint   chunk = chunk_of (cursor, MIN (place, count - 1));
  guint32 wanted = (guint32) (place - tl_event_file_summary (cursor->file, chunk)->first_event);
  Slot   *slot = load (cursor, chunk, error);
  if (slot == NULL)
    return FALSE;
  if (cursor->chunk != chunk || cursor->done > wanted)
    rewind_to (cursor, slot);
  for (; cursor->done < wanted; cursor->done++)
    happen (cursor, &slot->events[cursor->done]);
  cursor->place = place;
  return TRUE;
}

gboolean
tl_event_cursor_seek_time (TlEventCursor *cursor, guint64 time, GError **error)
{
  guint chunk = tl_event_file_find (cursor->file, time);

  if (chunk == tl_event_file_chunks (cursor->file))
    return tl_event_cursor_seek (cursor, tl_event_file_count (cursor->file), error);
  const TlEventSummary *summary = tl_event_file_summary (cursor->file, chunk);
  if (summary->from >= time)
    return tl_event_cursor_seek (cursor, summary->first_event, error);
  const Slot *slot = load (cursor, chunk, error);
  if (slot == NULL)
    return FALSE;
  /* The first event at or after it, which is there. */
  guint32 low = 0, high = summary->n - 1;
  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;

      if (slot->events[middle].time < time)
        low = middle + 1;
      else
        high = middle;
    }
  return tl_event_cursor_seek (cursor, summary->first_event + low, error);
}

/* --- at its place --- */

gboolean
tl_event_cursor_row (const TlEventCursor *cursor, guint32 domain, TlOpenRow *row)
{
  if (domain >= cursor->n_domains || !cursor->domains[domain].open)
    return FALSE;
  *row = (TlOpenRow) { domain, cursor->domains[domain].row, cursor->domains[domain].opener };
  return TRUE;
}

GArray *
tl_event_cursor_rows (const TlEventCursor *cursor)
{
  GArray   *rows = g_array_new (FALSE, FALSE, sizeof (TlOpenRow));
  TlOpenRow row;

  for (guint32 d = 0; d < cursor->n_domains; d++)
    if (tl_event_cursor_row (cursor, d, &row))
      g_array_append_val (rows, row);
  return rows;
}

void
tl_event_cursor_counts (const TlEventCursor *cursor, TlEventCounts *counts)
{
  *counts = cursor->counts;
}

/* --- anywhere --- */

const TlEvent *
tl_event_cursor_event (TlEventCursor *cursor, guint64 number, GError **error)
{
  g_return_val_if_fail (number < tl_event_file_count (cursor->file), NULL);
  guint       chunk = chunk_of (cursor, number);
  const Slot *slot = load (cursor, chunk, error);
  return slot != NULL ? &slot->events[number - tl_event_file_summary (cursor->file, chunk)->first_event] : NULL;
}

/* May a chunk hold such an event? */
static gboolean
may_hold (const TlEventSummary *summary, const TlEventQuery *query)
{
  guint kinds = 0, classes = 0;

  for (guint k = 0; k < TL_N_EVENTS; k++)
    kinds |= (guint) (summary->kinds[k] > 0) << k;
  for (guint k = 0; k < TL_N_ROW_CLASSES; k++)
    classes |= (guint) (summary->classes[k] > 0) << k;
  kinds &= query->kinds != 0 ? query->kinds : kinds;
  if (kinds == 0 || (query->classes != 0 && (query->classes & classes) == 0))
    return FALSE;
  /* A REF is of other domains than the one it names. */
  if (query->domain >= 0 && (kinds & 1 << TL_EVENT_REF) == 0
      && (query->domain < summary->low_domain || query->domain > summary->high_domain
          || (summary->domains[query->domain / 64 % 4] >> (query->domain % 64) & 1) == 0))
    return FALSE;
  if (query->row >= 0 && (query->row < summary->low_row || query->row > summary->high_row))
    return FALSE;
  return query->request == TL_NO_REQUEST || (query->request >= summary->least && query->request <= summary->most);
}

/* Looks through events [from, to) of the chunk in @slot. */
static gboolean
find_in (const TlEventCursor *cursor, const Slot *slot, const TlEventQuery *query, guint32 from, guint32 to,
         gboolean back, guint32 *found)
{
  for (guint32 i = 0; i < to - from; i++)
    {
      guint32 e = back ? to - 1 - i : from + i;
      if (tl_event_query_matches (query, cursor->memory, &slot->events[e]))
        {
          *found = e;
          return TRUE;
        }
    }
  return FALSE;
}

gboolean
tl_event_cursor_find (TlEventCursor *cursor, const TlEventQuery *query, guint64 from, gboolean back, guint64 *number,
                      GError **error)
{
  guint64 count = tl_event_file_count (cursor->file);
  guint   n = tl_event_file_chunks (cursor->file);

  g_return_val_if_fail (cursor->memory != NULL, FALSE);
  from = MIN (from, count);
  if (back ? from == 0 : from == count)
    return FALSE;
  for (guint c = chunk_of (cursor, back ? from - 1 : from); c < n; c = back ? c - 1 : c + 1)
    {
      const TlEventSummary *summary = tl_event_file_summary (cursor->file, c);
      guint32               low = 0, high = summary->n, found;
      const Slot           *slot;

      if (!may_hold (summary, query))
        continue;
      slot = load (cursor, c, error);
      if (slot == NULL)
        return FALSE;
      if (back && from - summary->first_event < high)
        high = (guint32) (from - summary->first_event);
      if (!back && from > summary->first_event)
        low = (guint32) (from - summary->first_event);
      if (find_in (cursor, slot, query, low, high, back, &found))
        {
          *number = summary->first_event + found;
          return TRUE;
        }
    }
  return FALSE;
}
