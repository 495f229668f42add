/* What a domain could do for its requests, by its own times alone; and the timers that
 * wake the domains whose time has not come. models.md section 2. */
#include "dram/engine-private.h"

/* --- timers --- */

static void
grow (Timers *timers)
{
  Timer *wider = g_new (Timer, MAX (timers->size * 2, 64));

  for (guint32 i = timers->head; i != timers->tail; i++)
    wider[i - timers->head] = timers->timer[i & (timers->size - 1)];
  timers->tail -= timers->head;
  timers->head = 0;
  timers->size = MAX (timers->size * 2, 64);
  g_free (timers->timer);
  timers->timer = wider;
}

/* Before those that are later, and where there is no room. */
static G_GNUC_NO_INLINE void
insert_timer (Timers *timers, guint64 time, guint32 domain)
{
  if (timers->tail - timers->head == timers->size)
    grow (timers);
  guint32 mask = timers->size - 1, at = timers->tail++;
  for (; at != timers->head && timers->timer[(at - 1) & mask].time > time; at--)
    timers->timer[at & mask] = timers->timer[(at - 1) & mask];
  timers->timer[at & mask] = (Timer) { time, domain };
  timers->first = MIN (timers->first, time);
}

/* Latest last; a list holds one kind of time, so that most are the latest. */
static inline void
set_timer (Timers *timers, guint64 time, guint32 domain)
{
  guint32 mask = timers->size - 1, n = timers->tail - timers->head;

  if (G_LIKELY (n - 1 < mask && timers->timer[(timers->tail - 1) & mask].time <= time))
    timers->timer[timers->tail++ & mask] = (Timer) { time, domain };
  else
    insert_timer (timers, time, domain);
}

static inline Timer
pop_timer (Timers *timers)
{
  guint32 mask = timers->size - 1;
  Timer   timer = timers->timer[timers->head++ & mask];

  timers->first = timers->head == timers->tail ? TL_TIME_NEVER : timers->timer[timers->head & mask].time;
  return timer;
}

/* The kind whose first timer rings first. Without branches: which it is cannot be foreseen. */
static guint
first_kind (const Channel *channel)
{
  const Timers *timers = channel->timers;
  guint64       zero = timers[0].first, one = timers[1].first, two = timers[2].first;
  guint         sooner = one < zero, last = two < MIN (zero, one);

  return (sooner & !last) | last << 1;
}

/* Lets @domain be judged again at @time, and no more at any other. */
static inline void
wake_at (Channel *channel, Domain *domain, guint32 index, Can kind, guint64 time)
{
  if (time == domain->timer)
    return;
  domain->timer = time;
  if (time == TL_TIME_NEVER)
    return;
  set_timer (&channel->timers[kind], time, index);
  channel->first_timer = MIN (channel->first_timer, time);
}

/* --- what a domain could do --- */

/* The place that has the domain for itself in @queue, as a mask; 0 none. */
static guint64
holder (const Domain *domain, guint queue)
{
  return domain->hold != HOLD_NONE && domain->holder_queue == queue ? tl_bit (domain->holder) : 0;
}

static guint64
claimer (const Domain *domain, guint queue)
{
  return domain->claimer[queue] != NOBODY ? tl_bit (domain->claimer[queue]) : 0;
}

/* Requests that may have their columns from the open row. */
static guint64
may_read (const Domain *domain, guint queue)
{
  if (domain->draining)
    return holder (domain, queue);
  guint64 claim = claimer (domain, queue);
  return claim != 0 ? domain->hits[queue] & (claim | holder (domain, queue)) : domain->hits[queue];
}

/* Requests that may have the open row closed. */
static guint64
may_close (const TlEngine *engine, const Domain *domain, guint queue)
{
  if (domain->hold != HOLD_NONE || domain->draining)
    return 0;
  guint64 others = domain->wait[queue] & ~domain->hits[queue];
  guint64 claim = claimer (domain, queue);
  if (claim != 0)
    return others & claim;
  if (engine->options.scheduler == TL_SCHEDULER_FR_FCFS && domain->hits[queue] != 0)
    return 0;
  return others;
}

static guint64
may_open (const Domain *domain, guint queue)
{
  if (domain->draining)
    return 0;
  if (domain->hold != HOLD_NONE)
    return holder (domain, queue);
  guint64 claim = claimer (domain, queue);
  return claim != 0 ? claim : domain->wait[queue];
}

/* A row that nobody wants, on closed pages. */
static gboolean
unwanted (const TlEngine *engine, const Domain *domain)
{
  return engine->options.pages == TL_PAGES_CLOSED && domain->open && (domain->wait[READS] | domain->wait[WRITES]) == 0
         && !domain->draining;
}

/* Any domain, whatever is asked of it. */
static void
judge_any (TlEngine *engine, guint32 index)
{
  Domain  *domain = &engine->domains[index];
  Channel *channel = &engine->channels[domain->channel];
  guint64  now = engine->now;
  guint64  next = TL_TIME_NEVER;
  Can      kind = CAN_COLUMN;

  for (guint q = 0; q < N_QUEUES; q++)
    {
      Queue  *queue = &channel->queue[q];
      guint64 wait = domain->wait[q], cols = 0, acts = 0, pres = 0;
      if (wait == 0)
        continue;
      if (!domain->open)
        {
          acts = may_open (domain, q);
          if (acts != 0 && domain->act_ready > now)
            acts = 0, next = domain->act_ready, kind = CAN_ACT;
        }
      else
        {
          cols = may_read (domain, q);
          if (cols != 0 && domain->col_ready > now)
            cols = 0, next = MIN (next, domain->col_ready);
          pres = may_close (engine, domain, q);
          if (pres != 0 && domain->pre_ready > now)
            {
              pres = 0;
              if (domain->pre_ready < next)
                next = domain->pre_ready, kind = CAN_PRE;
            }
        }
      queue->cols = (queue->cols & ~wait) | cols;
      queue->acts = (queue->acts & ~wait) | acts;
      queue->pres = (queue->pres & ~wait) | pres;
    }
  if (unwanted (engine, domain) && !domain->closing)
    {
      if (domain->pre_ready > now)
        next = domain->pre_ready, kind = CAN_PRE;
      else
        {
          domain->closing = TRUE;
          channel->closing[channel->closing_tail++ & (engine->closing_size - 1)] = index;
        }
    }
  wake_at (channel, domain, index, kind, next);
}

/* The usual case: one queue has all requests of the domain and nobody has a claim, so that there is
 * one thing to do. What it is cannot be foreseen: selections do better than branches. */
static inline gboolean
is_usual (const TlEngine *engine, const Domain *domain, guint q)
{
  return (engine->usual & !domain->draining & (domain->wait[!q] == 0) & (domain->claimer[q] == NOBODY)) != 0;
}

static inline void
judge_usual (const TlEngine *engine, Channel *channel, Domain *domain, guint32 index, guint q)
{
  Queue   *queue = &channel->queue[q];
  guint64  wait = domain->wait[q], hits = domain->hits[q], one = tl_bit (domain->holder % RING);
  gboolean open = domain->open, held = domain->hold != HOLD_NONE;
  guint    can = open ? hits == 0 : CAN_ACT;
  guint64  ready = domain->ready[can];
  guint64  rows;

  one &= domain->holder_queue == q ? wait : 0;
  rows = held ? (open ? 0 : one) : wait;
  guint64 all = hits != 0 ? hits : rows;
  guint64 now = ready <= engine->now ? all : 0;
  queue->cols = (queue->cols & ~wait) | (can == CAN_COLUMN ? now : 0);
  queue->pres = (queue->pres & ~wait) | (can == CAN_PRE ? now : 0);
  queue->acts = (queue->acts & ~wait) | (can == CAN_ACT ? now : 0);
  wake_at (channel, domain, index, (Can) can, now == all ? TL_TIME_NEVER : ready);
}

void
tl_engine_judge (TlEngine *engine, guint32 index)
{
  Domain *domain = &engine->domains[index];
  guint   q = domain->wait[READS] == 0 ? WRITES : READS;

  if (is_usual (engine, domain, q))
    judge_usual (engine, &engine->channels[domain->channel], domain, index, q);
  else
    judge_any (engine, index);
}

/* In order of time, since that is the order in which rows are closed that nobody wants. */
static void
ring_in_order (TlEngine *engine, Channel *channel)
{
  guint kind = first_kind (channel);

  do
    {
      Timers *timers = &channel->timers[kind];
      Timer   timer = pop_timer (timers);
      /* One that was overtaken by another is stale. */
      if (engine->domains[timer.domain].timer == timer.time)
        {
          engine->domains[timer.domain].timer = TL_TIME_NEVER;
          tl_engine_judge (engine, timer.domain);
        }
      kind = first_kind (channel);
    }
  while (channel->timers[kind].first <= engine->now);
  channel->first_timer = channel->timers[kind].first;
}

/* As judge_usual, of a domain whose timer of kind @can rings; FALSE when that is not what it can do
 * any more. No other mask has its requests then. */
static inline gboolean
ring_usual (TlEngine *engine, Channel *channel, Domain *domain, Can can)
{
  guint    q = domain->wait[READS] == 0 ? WRITES : READS;
  Queue   *queue = &channel->queue[q];
  guint64  wait = domain->wait[q], hits = domain->hits[q], all;
  gboolean held = domain->hold != HOLD_NONE;

  if (!is_usual (engine, domain, q) || domain->ready[can] > engine->now || domain->open != (can != CAN_ACT))
    return FALSE;
  if (can == CAN_ACT)
    {
      if (held && domain->holder_queue != q)
        return FALSE;
      all = held ? tl_bit (domain->holder) : wait;
    }
  else if (can == CAN_COLUMN)
    {
      if (hits == 0)
        return FALSE;
      all = hits;
    }
  else
    {
      if (held | (hits != 0))
        return FALSE;
      all = wait;
    }
  queue->can[can] |= all;
  return TRUE;
}

static inline __attribute__ ((always_inline)) void
ring_kind (TlEngine *engine, Channel *channel, Can can)
{
  Timers *timers = &channel->timers[can];

  while (timers->first <= engine->now)
    {
      Timer   timer = pop_timer (timers);
      Domain *domain = &engine->domains[timer.domain];
      /* One that was overtaken by another is stale. */
      if (domain->timer != timer.time)
        continue;
      domain->timer = TL_TIME_NEVER;
      if (!ring_usual (engine, channel, domain, can))
        tl_engine_judge (engine, timer.domain);
    }
}

void
tl_engine_ring (TlEngine *engine, Channel *channel)
{
  Timers *timers = channel->timers;

  if (!engine->usual)
    {
      ring_in_order (engine, channel);
      return;
    }
  ring_kind (engine, channel, CAN_COLUMN);
  ring_kind (engine, channel, CAN_PRE);
  ring_kind (engine, channel, CAN_ACT);
  channel->first_timer = MIN (MIN (timers[0].first, timers[1].first), timers[2].first);
}

void
tl_engine_judge_at (TlEngine *engine, guint32 index, Can kind, guint64 time)
{
  Domain *domain = &engine->domains[index];

  if (time <= engine->now)
    tl_engine_judge (engine, index);
  else
    wake_at (&engine->channels[domain->channel], domain, index, kind, time);
}

guint64
tl_engine_judge_entry (TlEngine *engine, guint32 index, guint q, guint place)
{
  Domain  *domain = &engine->domains[index];
  Channel *channel = &engine->channels[domain->channel];
  Queue   *queue = &channel->queue[q];
  guint64  bit = tl_bit (place), now = engine->now;
  guint64  ready, goes;

  if (domain->draining || domain->claimer[q] != NOBODY || engine->options.scheduler != TL_SCHEDULER_FR_FCFS)
    {
      tl_engine_judge (engine, index);
      return now;
    }
  if (!domain->open)
    {
      if (domain->hold != HOLD_NONE)
        return TL_TIME_NEVER;
      ready = domain->act_ready;
      goes = MAX (channel->row_free, engine->spacings[domain->spacing].ready);
      queue->acts |= ready <= now ? bit : 0;
    }
  else if ((domain->hits[q] & bit) != 0)
    {
      /* The row is kept for it from now on. */
      queue->pres &= ~domain->wait[q];
      ready = domain->col_ready;
      goes = MAX (channel->col_free, engine->buses[domain->bus].ready);
      queue->cols |= ready <= now ? bit : 0;
    }
  else
    {
      if (domain->hits[q] != 0 || domain->hold != HOLD_NONE)
        return TL_TIME_NEVER;
      ready = domain->pre_ready;
      goes = channel->row_free;
      queue->pres |= ready <= now ? bit : 0;
    }
  if (ready <= now)
    return MAX (goes, now);
  /* A timer that rings sooner judges anew. */
  if (domain->timer > ready)
    tl_engine_judge (engine, index);
  return channel->first_timer;
}

void
tl_engine_judge_exit (TlEngine *engine, guint32 index, guint q)
{
  Domain *domain = &engine->domains[index];

  if (!domain->draining && domain->claimer[q] == NOBODY && domain->wait[!q] == 0
      && engine->options.scheduler == TL_SCHEDULER_FR_FCFS
      && (domain->hits[q] != 0 || (domain->wait[q] == 0 && engine->options.pages == TL_PAGES_OPEN)))
    return;
  tl_engine_judge (engine, index);
}
