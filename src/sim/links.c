/* Messages on the ring's links, each computed whole when it is sent. */
#include "sim/links.h"

#include "base/number.h"

void
tl_links_init (TlLinks *links, const TlPimMachine *machine, gboolean free)
{
  guint32 stops = MAX (machine->pus, machine->channels * machine->groups);

  *links = (TlLinks) {
    .stops = stops,
    .hop = (guint64) machine->ring_hop * machine->clock,
    .clock = machine->clock,
    .cycle_bytes = MAX (machine->ring_bytes, 1),
    .free = free,
    .until = g_new0 (guint64, 2 * (gsize) MAX (stops, 1)),
  };
}

void
tl_links_clear (TlLinks *links)
{
  g_clear_pointer (&links->until, g_free);
}

/* Over @hops links from @from on. *gone: the tail has left @from. */
static guint64
travel (TlLinks *links, guint32 from, guint32 hops, gboolean rising, guint64 bytes, guint64 ready, guint64 *gone)
{
  guint64 length = tl_ceil_div (bytes, links->cycle_bytes) * links->clock, head = ready;
  guint32 at = from;

  for (guint32 h = 0; h < hops; h++)
    {
      guint64 *until = &links->until[2 * (gsize) at + !rising];

      links->waited += *until > head ? *until - head : 0;
      head = MAX (head, *until);
      *until = head + length;
      if (h == 0)
        *gone = *until;
      head += links->hop;
      at = rising ? (at + 1 == links->stops ? 0 : at + 1) : (at == 0 ? links->stops : at) - 1;
    }
  links->busy += hops * length;
  return hops > 0 ? head + length : ready;
}

static void
count (TlLinks *links, guint64 bytes)
{
  links->messages++;
  links->bytes += bytes;
}

guint64
tl_links_send (TlLinks *links, guint32 from, guint32 to, guint64 bytes, guint64 ready)
{
  guint32 up = to >= from ? to - from : links->stops - (from - to), down = links->stops - up;
  guint64 gone = ready;

  if (from == to)
    return ready;
  count (links, bytes);
  if (links->free)
    return ready;
  return travel (links, from, MIN (up, down), up <= down, bytes, ready, &gone);
}

guint64
tl_links_broadcast (TlLinks *links, guint32 from, guint64 bytes, guint64 ready, guint64 *gone)
{
  guint64 left[2] = { ready, ready }, there = ready;

  count (links, bytes);
  if (!links->free)
    {
      guint64 up = travel (links, from, links->stops / 2, TRUE, bytes, ready, &left[0]);
      guint64 down = travel (links, from, (links->stops - 1) / 2, FALSE, bytes, ready, &left[1]);

      there = MAX (up, down);
    }
  if (gone != NULL)
    *gone = MAX (left[0], left[1]);
  return there;
}
