/* The engine's state carried to a block and back. What points somewhere stays where it
 * is and what it points at is carried after it. */
#include "dram/engine-copy.h"

#include "dram/carry-private.h"
#include "dram/engine-private.h"

/* Events wait in no saved engine. */
#define ENGINE_BYTES offsetof (TlEngine, events)

static void
carry_timers (Timers *timers, Timer *own, guint32 own_size, TlCarry *carry)
{
  timers->timer = own;
  if (!tl_carry_is_saving (carry) && timers->size != own_size)
    timers->timer = g_renew (Timer, timers->timer, timers->size);
  for (guint32 i = timers->head; i != timers->tail; i++)
    {
      Timer *timer = &timers->timer[i & (timers->size - 1)];

      tl_carry (carry, &timer->time, sizeof timer->time);
      tl_carry (carry, &timer->domain, sizeof timer->domain);
    }
}

static void
carry_channel (const TlEngine *engine, Channel *channel, TlCarry *carry)
{
  Channel  own = *channel;
  Channel *state = channel;
  Channel  saved;

  if (tl_carry_is_saving (carry))
    {
      saved = own;
      saved.closing = saved.draining = NULL;
      for (guint kind = 0; kind < N_TIMERS; kind++)
        saved.timers[kind].timer = NULL;
      state = &saved;
    }
  tl_carry (carry, state, sizeof *state);
  channel->closing = own.closing;
  channel->draining = own.draining;
  for (guint kind = 0; kind < N_TIMERS; kind++)
    carry_timers (&channel->timers[kind], own.timers[kind].timer, own.timers[kind].size, carry);
  for (guint32 i = channel->closing_head; i != channel->closing_tail; i++)
    tl_carry (carry, &channel->closing[i & (engine->closing_size - 1)], sizeof *channel->closing);
  tl_carry (carry, channel->draining, channel->n_draining * sizeof *channel->draining);
}

/* What is the same in all engines of one kind, and what points. */
static void
keep_own (TlEngine *engine, const TlEngine *own)
{
  engine->memory = own->memory;
  engine->options = own->options;
  engine->map = own->map;
  engine->domains = own->domains;
  engine->channels = own->channels;
  engine->buses = own->buses;
  engine->spacings = own->spacings;
  engine->windows = own->windows;
  engine->refreshes = own->refreshes;
  engine->ordered = own->ordered;
  engine->counts = own->counts;
  engine->requesters = own->requesters;
  engine->latency[FALSE] = own->latency[FALSE];
  engine->latency[TRUE] = own->latency[TRUE];
  engine->causes = own->causes;
}

static void
carry_engine (TlEngine *engine, TlCarry *carry)
{
  g_autofree TlEngine  *own = g_memdup2 (engine, sizeof *engine);
  const TlMemory       *memory = &engine->memory;
  static const TlEngine nothing;

  if (tl_carry_is_saving (carry))
    {
      g_autofree TlEngine *saved = g_memdup2 (engine, sizeof *engine);
      keep_own (saved, &nothing);
      memset (&saved->memory, 0, sizeof saved->memory);
      memset (&saved->options, 0, sizeof saved->options);
      tl_carry (carry, saved, ENGINE_BYTES);
    }
  else
    {
      tl_carry (carry, engine, ENGINE_BYTES);
      keep_own (engine, own);
      engine->n_events = 0;
      if (engine->room_requesters != own->room_requesters)
        engine->requesters = g_renew (TlShare, engine->requesters, engine->room_requesters);
    }
  tl_carry (carry, engine->domains, engine->n_domains * sizeof *engine->domains);
  for (guint32 c = 0; c < engine->n_channels; c++)
    carry_channel (engine, &engine->channels[c], carry);
  tl_carry (carry, engine->buses, tl_memory_scopes (memory, memory->data_bus) * sizeof *engine->buses);
  tl_carry (carry, engine->spacings, tl_memory_scopes (memory, memory->tRRD_scope) * sizeof *engine->spacings);
  tl_carry (carry, engine->windows, tl_memory_scopes (memory, memory->tFAW_scope) * sizeof *engine->windows);
  for (guint32 r = 0; r < engine->n_channels * engine->n_refreshes; r++)
    tl_carry (carry, &engine->refreshes[r], sizeof *engine->refreshes);
  tl_carry (carry, engine->ordered, engine->n_domains * sizeof *engine->ordered);
  tl_carry (carry, engine->counts, engine->n_domains * sizeof *engine->counts);
  tl_carry (carry, engine->requesters, engine->room_requesters * sizeof *engine->requesters);
  tl_carry (carry, engine->latency[FALSE], sizeof *engine->latency[FALSE]);
  tl_carry (carry, engine->latency[TRUE], sizeof *engine->latency[TRUE]);
  tl_causes_carry (engine->causes, carry);
}

gboolean
tl_engine_save (TlEngine *engine, GByteArray *block)
{
  TlCarry carry = { .to = block };

  tl_engine_flush (engine);
  if (engine->stopped)
    return FALSE;
  carry_engine (engine, &carry);
  return TRUE;
}

gsize
tl_engine_load (TlEngine *engine, const guint8 *block, gsize size)
{
  TlCarry carry = { .from = block, .left = size };

  carry_engine (engine, &carry);
  return size - carry.left;
}
