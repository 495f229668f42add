/* The queues: rings in order of age with holes, which are packed when the ring is full. */
#include "dram/engine-private.h"

#include <string.h>

/* A request's bit in the masks of its domain and of the parts it uses. */
static void
set_bits (TlEngine *engine, Domain *domain, guint queue, guint64 bit, gboolean hit)
{
  domain->wait[queue] |= bit;
  if (hit)
    domain->hits[queue] |= bit;
  engine->buses[domain->bus].slots[queue] |= bit;
  engine->spacings[domain->spacing].slots[queue] |= bit;
  engine->windows[domain->window].slots[queue] |= bit;
}

static void
clear_bits (TlEngine *engine, Domain *domain, guint queue, guint64 bits)
{
  domain->wait[queue] &= ~bits;
  domain->hits[queue] &= ~bits;
  engine->buses[domain->bus].slots[queue] &= ~bits;
  engine->spacings[domain->spacing].slots[queue] &= ~bits;
  engine->windows[domain->window].slots[queue] &= ~bits;
}

static guint64
moved (guint64 mask, const guint8 *to)
{
  guint64 result = 0;

  for (; mask != 0; mask &= mask - 1)
    result |= tl_bit (to[__builtin_ctzll (mask)]);
  return result;
}

/* Moves the requests of @queue together, the oldest to place 0; order stays. */
static void
pack (TlEngine *engine, Queue *queue, guint q)
{
  Slot    slots[RING];
  guint8  to[RING];
  guint64 hits = 0;
  guint   n = 0;

  for (guint32 i = queue->head; i != queue->tail; i++)
    if ((queue->live & tl_bit (i % RING)) != 0)
      {
        Slot *slot = &queue->slot[i % RING];
        if ((engine->domains[slot->domain].hits[q] & tl_bit (i % RING)) != 0)
          hits |= tl_bit (n);
        to[i % RING] = (guint8) n;
        slots[n++] = *slot;
      }
  for (guint i = 0; i < n; i++)
    clear_bits (engine, &engine->domains[slots[i].domain], q, G_MAXUINT64);
  for (guint i = 0; i < n; i++)
    set_bits (engine, &engine->domains[slots[i].domain], q, tl_bit (i), (hits & tl_bit (i)) != 0);
  queue->cols = moved (queue->cols, to);
  queue->acts = moved (queue->acts, to);
  queue->pres = moved (queue->pres, to);
  queue->held = moved (queue->held, to);
  for (guint64 held = queue->held; held != 0; held &= held - 1)
    {
      guint place = (guint) __builtin_ctzll (held);
      engine->domains[slots[place].domain].holder = (guint8) place;
    }
  if (queue->claimed != NOBODY)
    {
      queue->claimed = to[queue->claimed];
      engine->domains[slots[queue->claimed].domain].claimer[q] = queue->claimed;
    }
  queue->live = n == RING ? G_MAXUINT64 : tl_bit (n) - 1;
  queue->head = 0;
  queue->tail = n;
  memcpy (queue->slot, slots, n * sizeof *slots);
}

/* The oldest of @queue is another one, whose time may be up sooner than anybody's. */
static void
next_oldest (const TlEngine *engine, Channel *channel, const Queue *queue)
{
  guint64 entered = queue->slot[queue->head % RING].entered;

  channel->deadline = MIN (channel->deadline, entered + MIN (engine->options.age, engine->options.write_age));
}

guint64
tl_engine_enter (TlEngine *engine, Channel *channel, guint q, const Slot *slot)
{
  Queue  *queue = &channel->queue[q];
  Domain *domain = &engine->domains[slot->domain];

  if (queue->tail - queue->head == RING)
    pack (engine, queue, q);
  guint place = queue->tail++ % RING;
  queue->slot[place] = *slot;
  queue->live |= tl_bit (place);
  queue->count++;
  engine->waiting++;
  engine->totals.most_waiting[q] = MAX (engine->totals.most_waiting[q], queue->count);
  set_bits (engine, domain, q, tl_bit (place), domain->open && domain->row == slot->row);
  if (queue->count == 1)
    next_oldest (engine, channel, queue);
  return tl_engine_judge_entry (engine, slot->domain, q, place);
}

void
tl_engine_leave (TlEngine *engine, Channel *channel, guint q, guint place)
{
  Queue  *queue = &channel->queue[q];
  guint64 bit = tl_bit (place);

  clear_bits (engine, &engine->domains[queue->slot[place].domain], q, bit);
  queue->live &= ~bit;
  queue->cols &= ~bit;
  queue->acts &= ~bit;
  queue->pres &= ~bit;
  queue->held &= ~bit;
  queue->count--;
  engine->waiting--;
  if (queue->head % RING != place)
    return;
  while (queue->head != queue->tail && (queue->live & tl_bit (queue->head % RING)) == 0)
    queue->head++;
  if (queue->count > 0)
    next_oldest (engine, channel, queue);
}
