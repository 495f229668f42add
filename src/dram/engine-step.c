/* What a controller does at a moment: which queue it serves, which command goes next,
 * and when it has to look again. models.md section 2, "Scheduler". */
#include "dram/engine-private.h"

/* Requests that the scheduler may consider at all. */
static guint64
eligible (const TlEngine *engine, const Queue *queue)
{
  if (engine->options.scheduler != TL_SCHEDULER_IN_ORDER)
    return G_MAXUINT64;
  return queue->count > 0 ? tl_bit (queue->head % RING) : 0;
}

/* --- reads or writes --- */

static guint64
deadline (const Queue *queue, guint64 age)
{
  return queue->count > 0 ? queue->slot[queue->head % RING].entered + age : TL_TIME_NEVER;
}

/* Whoever's time was up sooner goes first, so that neither queue starves. */
static void
choose_queue (const TlEngine *engine, Channel *channel)
{
  guint8       before = channel->mode;
  const Queue *reads = &channel->queue[READS], *writes = &channel->queue[WRITES];
  guint64      now = engine->now;

  if (writes->count == 0)
    {
      if (channel->mode != READS)
        channel->deadline = now;
      channel->mode = READS;
      channel->drain = FALSE;
      return;
    }
  guint64  read_by = deadline (reads, engine->options.age), write_by = deadline (writes, engine->options.write_age);
  gboolean reads_urgent = read_by <= now && read_by <= write_by;
  gboolean writes_urgent = write_by <= now && write_by < read_by;
  if (channel->mode == READS || !channel->drain)
    {
      channel->drain = writes_urgent || (writes->count >= engine->options.write_high && !reads_urgent);
      channel->mode = channel->drain || reads->count == 0 ? WRITES : READS;
    }
  else if (reads->count > 0 && (reads_urgent || (writes->count <= engine->options.write_low && !writes_urgent)))
    {
      channel->mode = READS;
      channel->drain = FALSE;
    }
  /* Its oldest may have a claim to make. */
  if (channel->mode != before)
    channel->deadline = now;
}

/* Reads alone go on as they are. */
static gboolean
may_change_queue (const Channel *channel)
{
  return channel->mode != READS || channel->queue[WRITES].count > 0;
}

/* --- columns --- */

static inline gboolean
try_columns (TlEngine *engine, Channel *channel, guint q, guint64 candidates)
{
  Queue  *queue = &channel->queue[q];
  guint64 now = engine->now;

  while (candidates != 0)
    {
      guint               place = tl_queue_oldest (queue, candidates);
      const Slot         *slot = &queue->slot[place];
      const Domain       *domain = &engine->domains[slot->domain];
      const Part         *bus = &engine->buses[domain->bus];
      const TlTierTiming *tier = &engine->memory.tier[domain->tier];
      guint64             latency = slot->write ? tier->tCWL : tier->tCL;
      guint64             time = bus->ready;

      if (bus->data_end > time + latency)
        time = bus->data_end - latency;
      if (!slot->write)
        time = MAX (time, bus->read_ready);
      if (time <= now)
        {
          tl_engine_issue_column (engine, channel, q, place);
          return TRUE;
        }
      /* Until the bus is ready nobody on it goes; then reads and writes, and tiers, differ. */
      if (bus->ready > now)
        {
          channel->wake = MIN (channel->wake, bus->ready);
          candidates &= ~bus->slots[q];
        }
      else
        {
          channel->wake = MIN (channel->wake, time);
          candidates &= ~tl_bit (place);
        }
    }
  return FALSE;
}

/* --- rows --- */

static inline gboolean
try_rows (TlEngine *engine, Channel *channel, guint q, guint64 acts, guint64 pres)
{
  Queue  *queue = &channel->queue[q];
  guint64 candidates = acts | pres;

  while (candidates != 0)
    {
      guint   place = tl_queue_oldest (queue, candidates);
      guint64 bit = tl_bit (place);
      if ((pres & bit) != 0)
        {
          tl_engine_issue_pre (engine, channel, q, place);
          return TRUE;
        }
      const Domain    *domain = &engine->domains[queue->slot[place].domain];
      const Part      *spacing = &engine->spacings[domain->spacing];
      const ActWindow *window = &engine->windows[domain->window];
      guint64          now = engine->now;
      if (spacing->ready <= now && window->last[window->next] <= now)
        {
          tl_engine_issue_act (engine, channel, q, place);
          return TRUE;
        }
      /* All that would open a row in the same part wait as well. */
      guint64 alike;
      if (spacing->ready > now)
        {
          channel->wake = MIN (channel->wake, spacing->ready);
          alike = spacing->slots[q];
        }
      else
        {
          channel->wake = MIN (channel->wake, window->last[window->next]);
          alike = window->slots[q];
        }
      candidates &= ~(alike & acts);
    }
  return FALSE;
}

/* Rows that nobody wants any more, on closed pages. */
static gboolean
try_closing (TlEngine *engine, Channel *channel)
{
  while (channel->closing_head != channel->closing_tail)
    {
      guint32 index = channel->closing[channel->closing_head++ & (engine->closing_size - 1)];
      Domain *domain = &engine->domains[index];

      domain->closing = FALSE;
      if (!domain->open || domain->draining || (domain->wait[READS] | domain->wait[WRITES]) != 0)
        continue;
      if (domain->pre_ready > engine->now)
        {
          tl_engine_judge (engine, index);
          continue;
        }
      tl_engine_issue_close (engine, channel, index, TL_CLOSE_PAGE);
      return TRUE;
    }
  return FALSE;
}

/* --- a request past its age --- */

/* Gives the oldest request of the queue that is served its domain once it has waited long enough. */
static void
claim (TlEngine *engine, Channel *channel)
{
  Queue *queue = &channel->queue[channel->mode];

  if (queue->count == 0 || queue->claimed != NOBODY
      || queue->slot[queue->head % RING].entered + engine->options.age > engine->now)
    return;
  guint   place = queue->head % RING;
  Domain *domain = &engine->domains[queue->slot[place].domain];
  queue->claimed = (guint8) place;
  domain->claimer[channel->mode] = (guint8) place;
  tl_engine_judge (engine, queue->slot[place].domain);
}

/* A row command for it goes before columns; that of its domain's holder too, which stands in its way. */
static gboolean
try_claimed (TlEngine *engine, Channel *channel)
{
  guint   q = channel->mode;
  Queue  *queue = &channel->queue[q];
  guint64 bit;

  if (queue->claimed == NOBODY)
    return FALSE;
  const Domain *domain = &engine->domains[queue->slot[queue->claimed].domain];
  if (domain->hold != HOLD_NONE)
    {
      q = domain->holder_queue;
      bit = tl_bit (domain->holder);
    }
  else
    bit = tl_bit (queue->claimed);
  return try_rows (engine, channel, q, channel->queue[q].acts & bit, channel->queue[q].pres & bit);
}

/* --- refresh --- */

static void
begin_refresh (TlEngine *engine, Channel *channel, guint32 index)
{
  RefreshPart *part = &engine->refreshes[index];

  part->draining = TRUE;
  channel->draining[channel->n_draining++] = index;
  for (guint32 d = part->first; d < part->first + part->count; d++)
    {
      engine->domains[d].draining = TRUE;
      tl_engine_judge (engine, d);
    }
}

/* Parts that fall due now. */
static void
due_refreshes (TlEngine *engine, Channel *channel)
{
  while (channel->refresh_next <= engine->now)
    {
      guint32      index = channel->first_refresh + channel->refresh_turn;
      RefreshPart *part = &engine->refreshes[index];
      part->due += engine->memory.tREFI;
      if (part->draining)
        part->behind++;
      else
        begin_refresh (engine, channel, index);
      channel->refresh_turn = (channel->refresh_turn + 1) % engine->n_refreshes;
      channel->refresh_next = engine->refreshes[channel->first_refresh + channel->refresh_turn].due;
    }
}

/* Closes the rows of parts that are due, and refreshes those whose rows are closed. */
static gboolean
try_refresh (TlEngine *engine, Channel *channel)
{
  for (guint32 i = 0; i < channel->n_draining; i++)
    {
      RefreshPart *part = &engine->refreshes[channel->draining[i]];
      if (part->open == 0 && part->ready <= engine->now)
        {
          guint32 index = channel->draining[i];
          channel->draining[i] = channel->draining[--channel->n_draining];
          tl_engine_issue_ref (engine, channel, index);
          if (part->behind > 0)
            {
              part->behind--;
              begin_refresh (engine, channel, index);
            }
          return TRUE;
        }
      if (part->open == 0)
        {
          channel->wake = MIN (channel->wake, part->ready);
          continue;
        }
      for (guint32 d = part->first; d < part->first + part->count; d++)
        {
          const Domain *domain = &engine->domains[d];
          if (!domain->open || domain->hold != HOLD_NONE)
            continue;
          if (domain->pre_ready <= engine->now)
            {
              tl_engine_issue_close (engine, channel, d, TL_CLOSE_REFRESH);
              return TRUE;
            }
          channel->wake = MIN (channel->wake, domain->pre_ready);
        }
    }
  return FALSE;
}

/* --- a moment --- */

/* One command of each sort that the bus takes now. */
static gboolean
try_all (TlEngine *engine, Channel *channel)
{
  guint64  now = engine->now;
  gboolean issued = FALSE;

  channel->wake = TL_TIME_NEVER;
  if (may_change_queue (channel))
    choose_queue (engine, channel);
  if (channel->deadline <= now)
    claim (engine, channel);
  if (channel->col_free > now && channel->row_free > now)
    return FALSE;
  guint        q = channel->mode, other = !q;
  const Queue *queue = &channel->queue[q], *beside = &channel->queue[other];
  if (G_UNLIKELY (channel->n_draining > 0) && channel->row_free <= now)
    issued |= try_refresh (engine, channel);
  if (G_UNLIKELY (queue->claimed != NOBODY) && channel->row_free <= now)
    issued |= try_claimed (engine, channel);
  /* Those that have a row in the queue that is not served stand in the way of others. */
  guint64 cols = queue->cols & eligible (engine, queue), owed = beside->cols & beside->held;
  if (channel->col_free <= now && (cols | owed) != 0)
    {
      gboolean done = channel->n_draining > 0 && try_columns (engine, channel, other, owed);
      done = done || try_columns (engine, channel, q, cols);
      issued |= done || try_columns (engine, channel, other, owed);
    }
  if (channel->row_free <= now)
    {
      guint64  mask = eligible (engine, queue);
      guint64  acts = queue->acts & mask, pres = queue->pres & mask, owed_acts = beside->acts & beside->held;
      gboolean done = (acts | pres) != 0 && try_rows (engine, channel, q, acts, pres);
      done = done || (owed_acts != 0 && try_rows (engine, channel, other, owed_acts, 0));
      issued |= done || (channel->closing_head != channel->closing_tail && try_closing (engine, channel));
    }
  return issued;
}

/* Nothing that could go by its domain goes before this. @all: or only of sorts whose
 * bus is busy now, the others having been tried. */
static guint64
look_again (const TlEngine *engine, const Channel *channel, gboolean all)
{
  const Queue *queue = &channel->queue[channel->mode], *beside = &channel->queue[!channel->mode];
  guint64      now = engine->now;
  guint64      column = channel->col_free, row = channel->row_free, act = channel->row_free;
  guint64      cols = queue->cols, acts = queue->acts;

  if (beside->count > 0)
    {
      cols |= beside->cols & beside->held;
      acts |= beside->acts & beside->held;
    }
  /* What goes first cannot be foreseen, so that selections do better than branches here. */
  if (engine->n_buses == 1)
    column = MAX (column, engine->buses[channel->first_bus].ready);
  if (engine->n_spacings == 1)
    act = MAX (act, engine->spacings[channel->first_spacing].ready);
  gboolean rows = (queue->pres | channel->n_draining | (channel->closing_head ^ channel->closing_tail)) != 0;
  row = rows ? row : act;
  column = (cols != 0) & (all | (channel->col_free > now)) ? column : TL_TIME_NEVER;
  row = (rows | (acts != 0)) & (all | (channel->row_free > now)) ? row : TL_TIME_NEVER;
  column = MIN (column, row);
  return MAX (column, now);
}

/* When somebody's time is up, which may change what goes first. */
static guint64
next_deadline (const TlEngine *engine, const Channel *channel)
{
  guint64 next = TL_TIME_NEVER;

  for (guint q = 0; q <= engine->split_writes; q++)
    {
      const Queue *queue = &channel->queue[q];
      if (queue->count == 0)
        continue;
      guint64 entered = queue->slot[queue->head % RING].entered;
      guint64 time = entered + engine->options.age;
      /* One whose queue has just become the one that is served has its claim yet to make. */
      if (queue->claimed == NOBODY && (q == channel->mode || time > engine->now))
        next = MIN (next, MAX (time, engine->now));
      time = entered + engine->options.write_age;
      if (q == WRITES && time > engine->now)
        next = MIN (next, time);
    }
  return next;
}

/* The deadline is found again only when it is reached: those who came later have later ones. */
static guint64
meet_deadline (const TlEngine *engine, Channel *channel, guint64 next)
{
  if (channel->deadline <= engine->now)
    channel->deadline = next_deadline (engine, channel);
  return MIN (next, channel->deadline);
}

/* --- the usual moment --- */

/* Reads are served, nobody's time is up, nothing is refreshed and no row has to be closed for nobody. */
static inline gboolean
is_usual (const TlEngine *engine, const Channel *channel)
{
  const Queue *reads = &channel->queue[READS];

  return (engine->usual & (channel->deadline > engine->now) & (channel->mode == READS)
          & (channel->queue[WRITES].count == 0) & (channel->n_draining == 0) & (reads->claimed == NOBODY))
         != 0;
}

/* As the general one below, with what cannot be there left out. *next becomes when to look again;
 * or FALSE when somebody's time was up between two commands, so that the rest is for the general one. */
static gboolean
step_usual (TlEngine *engine, Channel *channel, guint64 *next)
{
  const Queue *queue = &channel->queue[READS];
  guint64      now = engine->now, column, row;
  gboolean     issued;

  do
    {
      issued = FALSE;
      channel->wake = TL_TIME_NEVER;
      column = channel->col_free;
      if (engine->n_buses == 1)
        column = MAX (column, engine->buses[channel->first_bus].ready);
      if (queue->cols != 0 && column <= now)
        issued = try_columns (engine, channel, READS, queue->cols);
      if ((queue->acts | queue->pres) != 0 && channel->row_free <= now)
        issued |= try_rows (engine, channel, READS, queue->acts, queue->pres);
    }
  while (issued && (channel->col_free <= now || channel->row_free <= now) && channel->deadline > now);
  if (issued && (channel->col_free <= now || channel->row_free <= now))
    return FALSE;

  /* What was tried has said when; what was not waits for its bus. */
  column = channel->col_free;
  row = channel->row_free;
  guint64 act = row;
  if (engine->n_buses == 1)
    column = MAX (column, engine->buses[channel->first_bus].ready);
  if (engine->n_spacings == 1)
    act = MAX (act, engine->spacings[channel->first_spacing].ready);
  column = ((queue->cols != 0) & (column > now)) ? column : TL_TIME_NEVER;
  act = ((queue->acts != 0) & (row > now)) ? act : TL_TIME_NEVER;
  row = ((queue->pres != 0) & (row > now)) ? row : TL_TIME_NEVER;
  *next = MIN (MIN (column, channel->wake), MIN (act, row));
  return TRUE;
}

void
tl_engine_step (TlEngine *engine, Channel *channel)
{
  guint64 now = channel->next, next;

  engine->now = now;
  if (channel->first_timer <= now)
    tl_engine_ring (engine, channel);
  if (channel->refresh_next <= now)
    due_refreshes (engine, channel);
  if (!is_usual (engine, channel) || !step_usual (engine, channel, &next))
    {
      while (try_all (engine, channel) && (channel->col_free <= now || channel->row_free <= now))
        ;
      if (may_change_queue (channel))
        choose_queue (engine, channel);
      next = MIN (look_again (engine, channel, FALSE), channel->wake);
    }
  next = MIN (next, channel->first_timer);
  next = MIN (next, channel->refresh_next);
  channel->next = meet_deadline (engine, channel, next);
}

void
tl_engine_stir (TlEngine *engine, Channel *channel, guint64 time)
{
  guint8 mode = channel->mode;

  if (may_change_queue (channel))
    choose_queue (engine, channel);
  if (channel->mode != mode)
    time = look_again (engine, channel, TRUE);
  time = MIN (time, channel->first_timer);
  time = MIN (time, channel->next);
  channel->next = meet_deadline (engine, channel, time);
}
