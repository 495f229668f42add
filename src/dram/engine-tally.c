/* The counts: in order and as scheduled, by domain, tier, operand and requester;
 * latency, bandwidth over time, bank parallelism, causes. */
#include "dram/engine-private.h"

static TlShare *
tier_share (TlEngine *engine, const Slot *slot)
{
  return &engine->tiers[slot->tier];
}

static TlShare *
requester_share (TlEngine *engine, guint requester)
{
  if (requester >= engine->room_requesters)
    {
      guint room = MAX (engine->room_requesters, 16);
      while (room <= requester)
        room *= 2;
      engine->requesters = g_renew (TlShare, engine->requesters, room);
      for (guint i = engine->room_requesters; i < room; i++)
        engine->requesters[i] = (TlShare) { .latency = 0 };
      engine->room_requesters = room;
    }
  engine->n_requesters = MAX (engine->n_requesters, requester + 1);
  return &engine->requesters[requester];
}

/* What the request would find were all served in the order given. */
void
tl_engine_count_order (TlEngine *engine, const Slot *slot)
{
  guint64   *held = &engine->ordered[slot->domain];
  TlRowClass row_class = TL_ROW_CONFLICT;

  if (*held == (guint64) slot->row + 1)
    row_class = TL_ROW_HIT;
  else if (*held == 0 || engine->options.pages == TL_PAGES_CLOSED)
    row_class = TL_ROW_MISS;
  *held = (guint64) slot->row + 1;
  engine->counts[slot->domain].share.in_order.of[row_class]++;
  tier_share (engine, slot)->in_order.of[row_class]++;
  engine->operands[slot->operand].in_order.of[row_class]++;
  requester_share (engine, slot->requester)->in_order.of[row_class]++;
  engine->totals.requests++;
  engine->totals.writes += slot->write;
}

/* The class is decided: @slot's first command is about to be issued. */
void
tl_engine_count_class (TlEngine *engine, const Slot *slot)
{
  Domain *domain = &engine->domains[slot->domain];
  guint64 now = engine->now;

  engine->counts[slot->domain].share.scheduled.of[slot->row_class]++;
  tier_share (engine, slot)->scheduled.of[slot->row_class]++;
  engine->operands[slot->operand].scheduled.of[slot->row_class]++;
  engine->requesters[slot->requester].scheduled.of[slot->row_class]++;
  if (slot->row_class == TL_ROW_FORWARDED)
    return;
  if (engine->working++ == 0 && now > engine->data_end)
    {
      engine->totals.active += engine->data_end - engine->active_from;
      engine->active_from = now;
    }
  if (domain->busy_from == TL_TIME_NEVER)
    domain->busy_from = MAX (now, domain->busy_to);
}

/* Twice as wide bins, half as many. */
static void
merge_bins (TlEngine *engine)
{
  for (guint i = 0; i < MAX_BINS; i++)
    {
      TlBandwidthBin sum = { 0 };
      for (guint half = 2 * i; half < MIN (2 * i + 2, MAX_BINS); half++)
        {
          sum.reads += engine->bins[half].reads;
          sum.writes += engine->bins[half].writes;
          sum.conflicts += engine->bins[half].conflicts;
        }
      engine->bins[i] = sum;
    }
  engine->bin_width *= 2;
}

/* The bin of this moment. Moments never run backwards. */
static TlBandwidthBin *
bin_now (TlEngine *engine)
{
  if (G_UNLIKELY (engine->now >= engine->bin_end))
    {
      while (engine->now / engine->bin_width >= MAX_BINS)
        merge_bins (engine);
      engine->bin = (guint) (engine->now / engine->bin_width);
      engine->bin_end = (engine->bin + 1) * engine->bin_width;
    }
  return &engine->bins[engine->bin];
}

static void
count_latency (TlEngine *engine, const Slot *slot, guint64 latency)
{
  tl_latency_add (engine->latency[slot->write], latency);
  engine->counts[slot->domain].share.latency += latency;
  tier_share (engine, slot)->latency += latency;
  engine->operands[slot->operand].latency += latency;
  engine->requesters[slot->requester].latency += latency;
}

void
tl_engine_count_done (TlEngine *engine, const Slot *slot, guint64 data_end)
{
  Domain *domain = &engine->domains[slot->domain];

  count_latency (engine, slot, data_end - slot->entered);
  engine->data_end = MAX (engine->data_end, data_end);
  if (slot->row_class == TL_ROW_FORWARDED)
    return;
  engine->working--;
  if (domain->busy_from != TL_TIME_NEVER && data_end > domain->busy_from)
    engine->totals.busy += data_end - domain->busy_from;
  domain->busy_to = MAX (domain->busy_to, data_end);
  domain->busy_from = TL_TIME_NEVER;
  TlBandwidthBin *bin = bin_now (engine);
  bin->reads += !slot->write;
  bin->writes += slot->write;
}

/* The row that @slot had another closed for is open, and can be read at @readable. */
void
tl_engine_count_cause (TlEngine *engine, const Slot *slot, guint64 readable)
{
  const Domain *domain = &engine->domains[slot->domain];
  TlCause       cause = {
          .time = domain->closed_at,
          .opener = domain->cause_opener,
          .closer = slot->number,
          .opener_unit = domain->cause_unit,
          .closer_unit = slot->unit,
          .lost = readable - domain->closed_at,
          .domain = slot->domain,
          .open_row = domain->cause_row,
          .wanted_row = slot->row,
  };

  tl_causes_add (engine->causes, &cause);
  engine->counts[slot->domain].share.lost += cause.lost;
  tier_share (engine, slot)->lost += cause.lost;
  engine->operands[slot->operand].lost += cause.lost;
  engine->requesters[slot->requester].lost += cause.lost;
  bin_now (engine)->conflicts++;
}
