/* Requests are served out of order; those that came too soon wait in a ring for the ones
 * before them. */
#include "dram/event-requests.h"

#include "dram/event-file-private.h"

#define MOST_WAITING (1u << 20)

typedef struct
{
  TlAccess access;
  gboolean here;
} Waiting;

struct _TlEventRequests
{
  const TlEventFile *file;
  TlAddressMap      *map;
  TlEventDecoder    *decoder;
  TlEvent           *events; /* TL_EVENT_CHUNK */
  guint              chunk;  /* the next to be decoded */
  guint32            n, at;  /* of events */
  guint64            next;   /* request */
  Waiting           *ring;   /* by request modulo */
  guint32            size;   /* power of two */
};

TlEventRequests *
tl_event_requests_new (const TlEventFile *file, TlAddressMap *map)
{
  TlEventRequests *requests = g_new0 (TlEventRequests, 1);

  requests->file = file;
  requests->map = tl_address_map_ref (map);
  requests->decoder = tl_event_decoder_new ();
  requests->events = g_new (TlEvent, TL_EVENT_CHUNK);
  requests->size = 1024;
  requests->ring = g_new0 (Waiting, requests->size);
  return requests;
}

void
tl_event_requests_free (TlEventRequests *requests)
{
  if (requests == NULL)
    return;
  tl_address_map_unref (requests->map);
  tl_event_decoder_free (requests->decoder);
  g_free (requests->events);
  g_free (requests->ring);
  g_free (requests);
}

static void
grow (TlEventRequests *requests)
{
  Waiting *ring = g_new0 (Waiting, requests->size * 2);

  for (guint64 r = requests->next; r < requests->next + requests->size; r++)
    ring[r % (requests->size * 2)] = requests->ring[r % requests->size];
  g_free (requests->ring);
  requests->ring = ring;
  requests->size *= 2;
}

/* The unit that @event reads or writes; FALSE when the machine has none such. */
static gboolean
unit_of (const TlAddressMap *map, const TlEvent *event, guint64 *unit)
{
  guint   row_bits = tl_address_map_row_bits (map), column_bits = tl_address_map_column_bits (map);
  guint   domain_bits = tl_address_map_bits (map) - row_bits - column_bits;
  guint64 key = ((guint64) event->domain << row_bits | event->row);

  if ((guint64) event->domain >> domain_bits != 0 || (guint64) event->row >> row_bits != 0
      || event->column >> column_bits != 0)
    return FALSE;
  *unit = tl_address_map_unapply (map, key << column_bits | event->column);
  return TRUE;
}

/* Takes an event that serves a request. */
static gboolean
take (TlEventRequests *requests, const TlEvent *event, GError **error)
{
  const char *why = "is of another machine";
  guint64     unit, ahead = event->request - requests->next;

  if (!unit_of (requests->map, event, &unit))
    goto wrong;
  why = "serves a request that has been served, or one that is far ahead of those before";
  if (event->request == TL_NO_REQUEST || ahead >= MOST_WAITING)
    goto wrong;
  while (ahead >= requests->size)
    grow (requests);
  Waiting *waiting = &requests->ring[event->request % requests->size];
  if (waiting->here)
    goto wrong;
  waiting->here = TRUE;
  waiting->access = (TlAccess) { .unit = unit,
                                 .arrival = event->entered,
                                 .requester = event->requester,
                                 .operand = event->operand,
                                 .write = event->kind == TL_EVENT_WR };
  return TRUE;

wrong:
  g_set_error (error, TL_EVENT_FILE_ERROR, TL_EVENT_FILE_ERROR_EVENT,
               "an event at %" G_GUINT64_FORMAT " ps, of request %" G_GUINT64_FORMAT ", %s", event->time,
               event->request, why);
  return FALSE;
}

/* Takes events until the next request is here. FALSE at the end, or with an error. */
static gboolean
advance (TlEventRequests *requests, GError **error)
{
  while (!requests->ring[requests->next % requests->size].here)
    {
      if (requests->at == requests->n)
        {
          if (requests->chunk == tl_event_file_chunks (requests->file))
            return FALSE;
          if (!tl_event_file_decode (requests->file, requests->decoder, requests->chunk, requests->events, NULL, error))
            return FALSE;
          requests->n = tl_event_file_summary (requests->file, requests->chunk++)->n;
          requests->at = 0;
        }
      const TlEvent *event = &requests->events[requests->at++];
      if (tl_event_has_column (event->kind) && !take (requests, event, error))
        return FALSE;
    }
  return TRUE;
}

gsize
tl_event_requests_read (TlEventRequests *requests, TlAccess *accesses, gsize n, GError **error)
{
  gsize i = 0;

  for (; i < n && advance (requests, error); i++)
    {
      Waiting *waiting = &requests->ring[requests->next++ % requests->size];
      accesses[i] = waiting->access;
      waiting->here = FALSE;
    }
  return i;
}
