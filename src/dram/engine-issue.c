/* Commands: what each does to its domain, to what it shares, and to the counts. They
 * are issued at engine->now, which must be legal. */
#include "dram/engine-private.h"

static void
take_bus (const TlEngine *engine, Channel *channel, gboolean column)
{
  guint64 next = engine->now + engine->memory.clock;

  if (engine->memory.command_bus == TL_COMMAND_BUS_NONE)
    return;
  if (engine->memory.command_bus == TL_COMMAND_BUS_SINGLE || column)
    channel->col_free = next;
  if (engine->memory.command_bus == TL_COMMAND_BUS_SINGLE || !column)
    channel->row_free = next;
}

/* Decides the class of @slot unless an earlier command has. Returns it where this is
 * the first command, else TL_CLASS_NONE. */
static guint8
decide (TlEngine *engine, Slot *slot, TlRowClass row_class)
{
  if (slot->row_class != TL_CLASS_NONE)
    return TL_CLASS_NONE;
  slot->row_class = (guint8) row_class;
  tl_engine_count_class (engine, slot);
  return slot->row_class;
}

static void
release (Channel *channel, Domain *domain)
{
  if (domain->hold != HOLD_NONE)
    channel->queue[domain->holder_queue].held &= ~tl_bit (domain->holder);
  domain->hold = HOLD_NONE;
}

static void
hold (Channel *channel, Domain *domain, Hold how, guint queue, guint place)
{
  release (channel, domain);
  domain->hold = (guint8) how;
  domain->holder = (guint8) place;
  domain->holder_queue = (guint8) queue;
  channel->queue[queue].held |= tl_bit (place);
}

/* Requests of @domain that want its open row. */
static guint64
wanting (const Queue *queue, guint64 wait, guint32 row)
{
  guint64 hits = 0;

  for (; wait != 0; wait &= wait - 1)
    {
      guint place = (guint) __builtin_ctzll (wait);
      if (queue->slot[place].row == row)
        hits |= tl_bit (place);
    }
  return hits;
}

void
tl_engine_issue_act (TlEngine *engine, Channel *channel, guint q, guint place)
{
  const TlMemory *memory = &engine->memory;
  Slot           *slot = &channel->queue[q].slot[place];
  Domain         *domain = &engine->domains[slot->domain];
  guint64         now = engine->now;
  guint8          first = decide (engine, slot, TL_ROW_MISS);

  domain->open = TRUE;
  domain->row = slot->row;
  domain->tier = slot->tier;
  const TlTierTiming *tier = &memory->tier[domain->tier];
  domain->act_ready = now + tier->tRC;
  domain->col_ready = now + tier->tRCD;
  domain->pre_ready = now + tier->tRAS;
  engine->spacings[domain->spacing].ready = now + memory->tRRD;
  ActWindow *window = &engine->windows[domain->window];
  window->last[window->next] = now + memory->tFAW;
  window->next = (window->next + 1) % G_N_ELEMENTS (window->last);
  if (engine->refresh)
    engine->refreshes[domain->refresh].open++;
  engine->open_rows++;
  take_bus (engine, channel, FALSE);

  for (guint other = 0; other < N_QUEUES; other++)
    {
      domain->hits[other] = wanting (&channel->queue[other], domain->wait[other], domain->row);
      channel->queue[other].acts &= ~domain->wait[other];
    }
  hold (channel, domain, HOLD_OWED, q, place);
  domain->opener = slot->number;
  domain->opener_unit = slot->unit;
  engine->counts[slot->domain].act++;
  if (slot->row_class == TL_ROW_CONFLICT)
    tl_engine_count_cause (engine, slot, domain->col_ready);
  if (engine->options.sink != NULL)
    tl_engine_tell (engine, TL_EVENT_ACT, slot->domain, slot->row, slot, first, TL_CLOSE_NONE);
  tl_engine_judge_at (engine, slot->domain, CAN_COLUMN, domain->col_ready);
}

void
tl_engine_issue_column (TlEngine *engine, Channel *channel, guint q, guint place)
{
  const TlMemory *memory = &engine->memory;
  Queue          *queue = &channel->queue[q];
  Slot           *slot = &queue->slot[place];
  guint32         index = slot->domain;
  Domain         *domain = &engine->domains[index];
  Part           *bus = &engine->buses[domain->bus];
  guint64         now = engine->now;
  guint8          first = decide (engine, slot, TL_ROW_HIT);

  const TlTierTiming *tier = &memory->tier[domain->tier];
  guint64             end = now + (slot->write ? tier->tCWL : tier->tCL) + memory->burst;
  bus->ready = now + MAX (memory->tCCD, memory->burst);
  bus->data_end = end;
  if (slot->write)
    {
      bus->read_ready = end + memory->tWTR;
      domain->pre_ready = MAX (domain->pre_ready, end + tier->tWR);
    }
  else
    domain->pre_ready = MAX (domain->pre_ready, now + tier->tRTP);
  take_bus (engine, channel, TRUE);

  if (domain->hold != HOLD_NONE && domain->holder == place && domain->holder_queue == q)
    release (channel, domain);
  gboolean claimed = queue->claimed == place;
  if (claimed)
    {
      queue->claimed = NOBODY;
      domain->claimer[q] = NOBODY;
    }
  if (engine->options.sink != NULL)
    {
      if (slot->write)
        tl_engine_tell (engine, TL_EVENT_WR, index, slot->row, slot, first, TL_CLOSE_NONE);
      else
        tl_engine_tell (engine, TL_EVENT_RD, index, slot->row, slot, first, TL_CLOSE_NONE);
    }
  tl_engine_count_done (engine, slot, end);
  tl_engine_leave (engine, channel, q, place);
  if (claimed)
    tl_engine_judge (engine, index);
  else
    tl_engine_judge_exit (engine, index, q);
}

/* The open row of @domain is closed. */
static void
close_row (TlEngine *engine, Channel *channel, Domain *domain)
{
  domain->open = FALSE;
  domain->act_ready = MAX (domain->act_ready, engine->now + engine->memory.tier[domain->tier].tRP);
  domain->hits[READS] = domain->hits[WRITES] = 0;
  if (engine->refresh)
    {
      RefreshPart *part = &engine->refreshes[domain->refresh];
      part->open--;
      part->ready = MAX (part->ready, engine->now + engine->memory.tier[domain->tier].tRP);
    }
  engine->open_rows--;
  take_bus (engine, channel, FALSE);
}

void
tl_engine_issue_pre (TlEngine *engine, Channel *channel, guint q, guint place)
{
  Slot   *slot = &channel->queue[q].slot[place];
  guint32 index = slot->domain;
  Domain *domain = &engine->domains[index];

  if (engine->options.pages == TL_PAGES_CLOSED)
    {
      tl_engine_issue_close (engine, channel, index, TL_CLOSE_PAGE);
      return;
    }
  guint8 first = decide (engine, slot, TL_ROW_CONFLICT);
  domain->cause_opener = domain->opener;
  domain->cause_unit = domain->opener_unit;
  domain->cause_row = domain->row;
  domain->closed_at = engine->now;
  close_row (engine, channel, domain);
  hold (channel, domain, HOLD_RESERVED, q, place);
  engine->counts[index].pre_conflict++;
  if (engine->options.sink != NULL)
    tl_engine_tell (engine, TL_EVENT_PRE, index, domain->row, slot, first, TL_CLOSE_CONFLICT);
  for (guint other = 0; other < N_QUEUES; other++)
    {
      channel->queue[other].cols &= ~domain->wait[other];
      channel->queue[other].pres &= ~domain->wait[other];
    }
  tl_engine_judge_at (engine, index, CAN_ACT, domain->act_ready);
}

void
tl_engine_issue_close (TlEngine *engine, Channel *channel, guint32 index, TlCloseReason reason)
{
  Domain *domain = &engine->domains[index];

  close_row (engine, channel, domain);
  if (reason == TL_CLOSE_PAGE)
    engine->counts[index].pre_page++;
  else
    engine->counts[index].pre_refresh++;
  if (engine->options.sink != NULL)
    tl_engine_tell (engine, TL_EVENT_PRE, index, domain->row, NULL, TL_CLASS_NONE, reason);
  tl_engine_judge (engine, index);
}

void
tl_engine_issue_ref (TlEngine *engine, Channel *channel, guint32 index)
{
  RefreshPart *part = &engine->refreshes[index];
  guint64      ready = engine->now + engine->memory.tRFC;

  part->draining = FALSE;
  part->ready = ready;
  engine->totals.refreshes++;
  take_bus (engine, channel, FALSE);
  if (engine->options.sink != NULL)
    tl_engine_tell (engine, TL_EVENT_REF, part->first, 0, NULL, TL_CLASS_NONE, TL_CLOSE_NONE);
  for (guint32 d = part->first; d < part->first + part->count; d++)
    {
      engine->domains[d].draining = FALSE;
      engine->domains[d].act_ready = MAX (engine->domains[d].act_ready, ready);
      tl_engine_judge (engine, d);
    }
}
