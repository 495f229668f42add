/* The engine's door: requests come in, channels run from moment to moment, counts are read. */
#include "dram/engine-private.h"

#include <string.h>

/* A machine that rests for longer refreshes itself. */
#define REST 4096

/* Accesses whose places are found together. */
#define FEED_BATCH 64

const char *
tl_refresh_name (TlRefresh refresh)
{
  static const char *const names[] = { "none", "all-bank", "per-bank" };

  return refresh < G_N_ELEMENTS (names) ? names[refresh] : "?";
}

const char *
tl_scheduler_name (TlScheduler scheduler)
{
  static const char *const names[] = { "fr-fcfs", "plain-fr-fcfs", "in-order" };

  return scheduler < G_N_ELEMENTS (names) ? names[scheduler] : "?";
}

guint64
tl_row_counts_sum (const TlRowCounts *counts)
{
  return counts->hit + counts->miss + counts->conflict + counts->forwarded;
}

void
tl_engine_options_init (TlEngineOptions *options, const TlTarget *target)
{
  tl_engine_options_for (options, tl_target_memory (target), tl_target_cu_machine (target));
}

void
tl_engine_options_for (TlEngineOptions *options, const TlMemory *memory, const TlCuMachine *cu)
{
  guint64 longest = 0;

  for (guint t = 0; t < memory->tiers; t++)
    longest = MAX (longest, memory->tier[t].tRC);
  *options = (TlEngineOptions) {
    .scheduler = cu != NULL ? cu->scheduler : TL_SCHEDULER_FR_FCFS,
    .pages = memory->pages,
    .refresh = memory->tREFI == 0                       ? TL_REFRESH_NONE
               : memory->refresh_scope == TL_SCOPE_BANK ? TL_REFRESH_PER_BANK
                                                        : TL_REFRESH_ALL_BANK,
    .window = cu != NULL ? cu->window : 32,
    .write_queue = cu != NULL ? cu->write_queue : 32,
    .write_high = cu != NULL ? cu->write_high : 26,
    .write_low = cu != NULL ? cu->write_low : 6,
    .issue = cu != NULL ? cu->issue : 1,
    .age = cu != NULL ? cu->age : 10 * longest,
    .keep_causes = 1024,
  };
  options->write_age = 10 * options->age;
}

void
tl_engine_memory (TlMemory *memory, const TlEngineOptions *options)
{
  memory->pages = options->pages;
  if (options->refresh == TL_REFRESH_NONE)
    memory->tREFI = 0;
  else if (options->refresh == TL_REFRESH_PER_BANK)
    memory->refresh_scope = TL_SCOPE_BANK;
  else if (memory->refresh_scope == TL_SCOPE_BANK)
    memory->refresh_scope = TL_SCOPE_CHANNEL;
}

/* --- making and freeing --- */

static guint32
next_power_of_two (guint32 n)
{
  guint32 power = 1;

  while (power < n)
    power *= 2;
  return power;
}

static void
new_domains (TlEngine *engine)
{
  const TlMemory *memory = &engine->memory;

  engine->domains = g_aligned_alloc0 (engine->n_domains, sizeof (Domain), _Alignof(Domain));
  for (guint32 d = 0; d < engine->n_domains; d++)
    {
      Domain *domain = &engine->domains[d];
      domain->timer = TL_TIME_NEVER;
      domain->claimer[READS] = domain->claimer[WRITES] = NOBODY;
      domain->busy_from = TL_TIME_NEVER;
      domain->opener = TL_NO_REQUEST;
      domain->channel = (guint16) tl_memory_scope_of (memory, TL_SCOPE_CHANNEL, d);
      domain->bus = tl_memory_scope_of (memory, memory->data_bus, d);
      domain->spacing = tl_memory_scope_of (memory, memory->tRRD_scope, d);
      domain->window = tl_memory_scope_of (memory, memory->tFAW_scope, d);
      domain->fixed_tier = (guint8) tl_memory_tier_of (memory, d, 0);
      domain->refresh = tl_memory_scope_of (memory, memory->refresh_scope, d);
    }
}

/* The parts of a channel fall due one after the other within half of tREFI, so that
 * each still has its tREFI to be late. */
static void
new_refreshes (TlEngine *engine)
{
  const TlMemory *memory = &engine->memory;
  guint32         n = tl_memory_scopes (memory, memory->refresh_scope);

  engine->n_refreshes = n / engine->n_channels;
  engine->refreshes = g_new0 (RefreshPart, n);
  for (guint32 i = 0; i < n; i++)
    {
      RefreshPart *part = &engine->refreshes[i];
      part->count = engine->n_domains / n;
      part->first = i * part->count;
      part->due = memory->tREFI + (guint64) memory->tREFI / 2 * (i % engine->n_refreshes) / engine->n_refreshes;
    }
}

static void
new_channels (TlEngine *engine)
{
  const TlEngineOptions *options = &engine->options;

  engine->closing_size = next_power_of_two (engine->n_domains / engine->n_channels);
  engine->channels = g_new0 (Channel, engine->n_channels);
  for (guint32 c = 0; c < engine->n_channels; c++)
    {
      Channel *channel = &engine->channels[c];
      channel->queue[READS].room = options->window;
      channel->queue[WRITES].room = options->write_queue;
      channel->queue[READS].claimed = channel->queue[WRITES].claimed = NOBODY;
      channel->first_refresh = c * engine->n_refreshes;
      channel->first_bus = c * engine->n_buses;
      channel->first_spacing = c * engine->n_spacings;
      channel->closing = g_new (guint32, engine->closing_size);
      channel->draining = g_new (guint32, engine->n_refreshes);
      channel->refresh_next = engine->refresh ? engine->refreshes[channel->first_refresh].due : TL_TIME_NEVER;
      channel->next = channel->refresh_next;
      channel->first_timer = TL_TIME_NEVER;
      for (guint kind = 0; kind < N_TIMERS; kind++)
        channel->timers[kind].first = TL_TIME_NEVER;
      channel->deadline = TL_TIME_NEVER;
    }
}

TlEngine *
tl_engine_new (const TlMemory *memory, TlAddressMap *map, const TlEngineOptions *options)
{
  TlEngine *engine = g_new0 (TlEngine, 1);

  engine->memory = *memory;
  engine->options = *options;
  TlEngineOptions *own = &engine->options;
  own->window = CLAMP (own->window, 1, TL_ENGINE_MAX_QUEUE);
  own->write_queue = MIN (own->write_queue, TL_ENGINE_MAX_QUEUE);
  if (own->scheduler == TL_SCHEDULER_IN_ORDER)
    own->write_queue = 0;
  own->write_high = CLAMP (own->write_high, 1, MAX (own->write_queue, 1));
  own->write_low = MIN (own->write_low, own->write_high - 1);
  own->issue = MAX (own->issue, 1);
  own->age = MIN (own->age, TL_ENGINE_MAX_TIME);
  own->write_age = MIN (own->write_age, TL_ENGINE_MAX_TIME);
  tl_engine_memory (&engine->memory, own);
  engine->refresh = engine->memory.tREFI > 0;
  engine->split_writes = own->write_queue > 0;
  engine->usual = own->scheduler == TL_SCHEDULER_FR_FCFS && own->pages == TL_PAGES_OPEN;

  engine->map = tl_address_map_ref (map);
  engine->column_bits = tl_address_map_column_bits (map);
  engine->row_bits = tl_address_map_row_bits (map);
  if (memory->kind == TL_MACHINE_PIM)
    engine->tier_shift = (guint) __builtin_ctzll (memory->rows);
  engine->n_domains = tl_memory_domains (memory);
  engine->n_channels = tl_memory_scopes (memory, TL_SCOPE_CHANNEL);
  guint32 buses = tl_memory_scopes (memory, memory->data_bus);
  guint32 spacings = tl_memory_scopes (memory, memory->tRRD_scope);
  guint32 windows = tl_memory_scopes (memory, memory->tFAW_scope);
  engine->n_buses = buses / engine->n_channels;
  engine->n_spacings = spacings / engine->n_channels;
  engine->buses = g_new0 (Part, buses);
  engine->spacings = g_new0 (Part, spacings);
  engine->windows = g_new0 (ActWindow, windows);
  new_domains (engine);
  new_refreshes (engine);
  new_channels (engine);

  engine->ordered = g_new0 (guint64, engine->n_domains);
  engine->counts = g_new0 (TlDomainCounts, engine->n_domains);
  engine->latency[FALSE] = tl_latency_new (memory->clock);
  engine->latency[TRUE] = tl_latency_new (memory->clock);
  engine->causes = tl_causes_new (own->keep_causes);
  engine->bin_width = MAX (memory->clock, 1);
  engine->bin_end = engine->bin_width;
  return engine;
}

void
tl_engine_free (TlEngine *engine)
{
  for (guint32 c = 0; c < engine->n_channels; c++)
    {
      g_free (engine->channels[c].closing);
      g_free (engine->channels[c].draining);
      for (guint kind = 0; kind < N_TIMERS; kind++)
        g_free (engine->channels[c].timers[kind].timer);
    }
  tl_address_map_unref (engine->map);
  g_aligned_free (engine->domains);
  g_free (engine->channels);
  g_free (engine->buses);
  g_free (engine->spacings);
  g_free (engine->windows);
  g_free (engine->refreshes);
  g_free (engine->ordered);
  g_free (engine->counts);
  g_free (engine->requesters);
  g_free (engine->latency[FALSE]);
  g_free (engine->latency[TRUE]);
  tl_causes_free (engine->causes);
  g_free (engine);
}

/* --- running --- */

static inline Channel *
first_channel (TlEngine *engine)
{
  Channel *first = &engine->channels[0];

  for (guint32 c = 1; c < engine->n_channels; c++)
    if (engine->channels[c].next < first->next)
      first = &engine->channels[c];
  return first;
}

static void
run_before (TlEngine *engine, guint64 time)
{
  Channel *channel;

  while ((channel = first_channel (engine))->next < time && !engine->stopped)
    tl_engine_step (engine, channel);
}

void
tl_engine_flush (TlEngine *engine)
{
  if (engine->n_events > 0 && !engine->stopped
      && !engine->options.sink (engine->events, engine->n_events, engine->options.sink_data))
    engine->stopped = TRUE;
  engine->n_events = 0;
}

/* A machine that nobody asks for long refreshes itself: all that falls due until shortly before @time. */
static void
rest (TlEngine *engine, guint64 time)
{
  guint64 tREFI = engine->memory.tREFI;

  if (!engine->refresh || time < engine->now || time - engine->now < REST * tREFI)
    return;
  while (engine->waiting > 0 && !engine->stopped)
    tl_engine_step (engine, first_channel (engine));
  run_before (engine, engine->now + 3 * tREFI);
  for (guint32 c = 0; c < engine->n_channels; c++)
    if (engine->channels[c].n_draining > 0 || engine->channels[c].refresh_next > time)
      return;
  if (time - engine->now < REST / 2 * tREFI)
    return;
  guint64 periods = (time - engine->now) / tREFI - 3;
  for (guint32 i = 0; i < engine->n_channels * engine->n_refreshes; i++)
    {
      engine->refreshes[i].due += periods * tREFI;
      engine->totals.self_refreshes += periods;
    }
  for (guint32 c = 0; c < engine->n_channels; c++)
    {
      Channel *channel = &engine->channels[c];
      channel->refresh_next += periods * tREFI;
      channel->next = MIN (channel->refresh_next, channel->first_timer);
    }
}

/* The request in @queue that has @unit, or NULL. */
static const Slot *
find_unit (const Queue *queue, guint64 wait, guint64 unit)
{
  for (; wait != 0; wait &= wait - 1)
    {
      const Slot *slot = &queue->slot[__builtin_ctzll (wait)];
      if (slot->unit == unit)
        return slot;
    }
  return NULL;
}

/* A write whose unit an older read still wants, or a full queue. */
static gboolean
has_to_wait (const TlEngine *engine, const Channel *channel, guint q, const Slot *slot)
{
  const Domain *domain = &engine->domains[slot->domain];

  if (q == WRITES && find_unit (&channel->queue[READS], domain->wait[READS], slot->unit) != NULL)
    return TRUE;
  return channel->queue[q].count >= channel->queue[q].room;
}

/* @slot's read is served from the write queue. */
static void
forward (TlEngine *engine, Slot *slot)
{
  slot->row_class = TL_ROW_FORWARDED;
  tl_engine_count_class (engine, slot);
  tl_engine_count_done (engine, slot, engine->now + engine->memory.clock);
  if (engine->options.sink != NULL)
    tl_engine_tell (engine, TL_EVENT_FORWARD, slot->domain, slot->row, slot, TL_ROW_FORWARDED, TL_CLOSE_NONE);
}

/* When the door lets the next one in. */
static guint64
door_time (const TlEngine *engine)
{
  return engine->door_count < engine->options.issue ? engine->door : engine->door + engine->memory.clock;
}

static void
pass_door (TlEngine *engine, guint64 time)
{
  if (engine->totals.requests == 0 || time >= engine->door + engine->memory.clock)
    {
      engine->door = time;
      engine->door_count = 0;
    }
  engine->door_count++;
}

static void
take (TlEngine *engine, const TlAccess *access, guint64 place)
{
  guint64 key = place >> engine->column_bits;
  Slot    slot = {
       .unit = access->unit,
       .number = engine->totals.requests,
       .row = (guint32) (key & (tl_bit (engine->row_bits) - 1)),
       .domain = (guint32) (key >> engine->row_bits),
       .column = (guint16) (place & (tl_bit (engine->column_bits) - 1)),
       .requester = access->requester,
       .operand = access->operand,
       .row_class = TL_CLASS_NONE,
       .write = access->write != FALSE,
  };
  guint64 time = door_time (engine);

  time = MAX (time, MIN (access->arrival, TL_ENGINE_MAX_TIME));
  time = MAX (time, engine->now);
  slot.tier = engine->memory.kind == TL_MACHINE_PIM ? (guint8) (slot.row >> engine->tier_shift)
                                                    : engine->domains[slot.domain].fixed_tier;
  rest (engine, time);
  run_before (engine, time);
  Channel     *channel = &engine->channels[engine->domains[slot.domain].channel];
  guint        q = engine->split_writes && slot.write ? WRITES : READS;
  const Slot  *source = NULL;
  const Queue *writes = &channel->queue[WRITES];
  if (!slot.write && writes->count > 0)
    source = find_unit (writes, engine->domains[slot.domain].wait[WRITES], slot.unit);
  while (source == NULL && has_to_wait (engine, channel, q, &slot) && !engine->stopped)
    {
      tl_engine_step (engine, first_channel (engine));
      time = MAX (time, engine->now);
    }
  if (engine->stopped)
    return;
  engine->now = time;
  slot.entered = time;
  pass_door (engine, time);
  tl_engine_count_order (engine, &slot);
  if (source != NULL)
    forward (engine, &slot);
  else
    {
      guint64 could_go = tl_engine_enter (engine, channel, q, &slot);
      tl_engine_stir (engine, channel, could_go);
    }
}

gboolean
tl_engine_feed (TlEngine *engine, const TlAccess *accesses, gsize n, gsize *taken)
{
  guint64 places[FEED_BATCH];
  gsize   done = 0;

  while (done < n && !engine->stopped)
    {
      gsize some = MIN (n - done, FEED_BATCH), i;
      for (i = 0; i < some; i++)
        places[i] = accesses[done + i].unit;
      tl_address_map_apply_all (engine->map, places, some);
      for (i = 0; i < some && !engine->stopped; i++)
        take (engine, &accesses[done + i], places[i]);
      done += i;
    }
  if (taken != NULL)
    *taken = done;
  return !engine->stopped;
}

gboolean
tl_engine_run_until (TlEngine *engine, guint64 time)
{
  run_before (engine, time);
  engine->now = MAX (engine->now, time);
  if (time > door_time (engine))
    {
      engine->door = time;
      engine->door_count = 0;
    }
  tl_engine_flush (engine);
  return !engine->stopped;
}

gboolean
tl_engine_finish (TlEngine *engine)
{
  while (!engine->stopped
         && (engine->waiting > 0 || (engine->options.pages == TL_PAGES_CLOSED && engine->open_rows > 0)))
    tl_engine_step (engine, first_channel (engine));
  tl_engine_flush (engine);
  return !engine->stopped;
}

/* --- what came of it --- */

guint64
tl_engine_now (const TlEngine *engine)
{
  return engine->now;
}

guint64
tl_engine_waiting (const TlEngine *engine)
{
  return engine->waiting;
}

const TlMemory *
tl_engine_get_memory (const TlEngine *engine)
{
  return &engine->memory;
}

static void
add_share (TlShare *to, const TlShare *from)
{
  for (guint c = 0; c < TL_N_ROW_CLASSES; c++)
    {
      to->in_order.of[c] += from->in_order.of[c];
      to->scheduled.of[c] += from->scheduled.of[c];
    }
  to->latency += from->latency;
  to->lost += from->lost;
}

void
tl_engine_totals (const TlEngine *engine, TlEngineTotals *totals)
{
  *totals = engine->totals;
  for (guint32 d = 0; d < engine->n_domains; d++)
    {
      const TlDomainCounts *counts = &engine->counts[d];
      add_share (&totals->share, &counts->share);
      totals->act += counts->act;
      totals->pre_conflict += counts->pre_conflict;
      totals->pre_page += counts->pre_page;
      totals->pre_refresh += counts->pre_refresh;
    }
  totals->reads = totals->requests - totals->writes;
  totals->makespan = engine->data_end;
  totals->active += engine->data_end - MIN (engine->active_from, engine->data_end);
  totals->longest_wait = MAX (engine->latency[FALSE]->max, engine->latency[TRUE]->max);
}

void
tl_engine_domain (const TlEngine *engine, guint32 domain, TlDomainCounts *counts)
{
  g_return_if_fail (domain < engine->n_domains);
  *counts = engine->counts[domain];
}

void
tl_engine_tier (const TlEngine *engine, guint tier, TlShare *share)
{
  g_return_if_fail (tier < TL_MAX_TIERS);
  *share = engine->tiers[tier];
}

void
tl_engine_operand (const TlEngine *engine, guint operand, TlShare *share)
{
  g_return_if_fail (operand < TL_ENGINE_MAX_OPERANDS);
  *share = engine->operands[operand];
}

guint
tl_engine_n_requesters (const TlEngine *engine)
{
  return engine->n_requesters;
}

void
tl_engine_requester (const TlEngine *engine, guint requester, TlShare *share)
{
  g_return_if_fail (requester < engine->n_requesters);
  *share = engine->requesters[requester];
}

const TlLatency *
tl_engine_latency (const TlEngine *engine, gboolean writes)
{
  return engine->latency[writes != FALSE];
}

const TlBandwidthBin *
tl_engine_bandwidth (const TlEngine *engine, guint *n_bins, guint64 *width)
{
  const TlBandwidthBin *bins = engine->bins;
  guint                 n = MAX_BINS;

  while (n > 0 && bins[n - 1].reads + bins[n - 1].writes + bins[n - 1].conflicts == 0)
    n--;
  *n_bins = n;
  *width = engine->bin_width;
  return bins;
}

const TlCauses *
tl_engine_causes (const TlEngine *engine)
{
  return engine->causes;
}
