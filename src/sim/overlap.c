/* Two buffers: operations in order of time. An operation's loads start when the one
 * before begins to compute, if all it reads is usable by then; else after that one's
 * write-back. The write-back follows the loads on the group's bus; an operation
 * computes after its loads and the write-back of the one before. What is usable "by
 * then" may hang on any PU, so the starts of computing are taken as events, earliest
 * first: whatever is done by a time was decided at an earlier one. */
#include "sim/machine-private.h"

/* The next own operation after flight->next; FALSE when there is none. */
static gboolean
next_task (const TlMachine *machine, guint pu, TlTask *task, guint32 *next)
{
  const TlSimPlan *plan = machine->plan;
  const guint32    tiles = plan->tiles, owned = plan->own_start[pu + 1] - plan->own_start[pu];
  const guint16   *owner = plan->program->owner;

  for (; task->k < tiles; task->k++, *next = 0)
    {
      const guint32 k = task->k;

      for (; *next < 1 + 2 * tiles; (*next)++)
        {
          guint32 slot = *next - 1, x = slot / 2;

          task->phase = *next == 0 ? TL_PHASE_PIVOT : TL_PHASE_CROSS;
          task->i = *next == 0 || slot % 2 == 0 ? k : x;
          task->j = *next == 0 || slot % 2 == 1 ? k : x;
          if ((*next == 0 || x != k) && owner[(gsize) task->i * tiles + task->j] == pu)
            {
              (*next)++;
              return TRUE;
            }
        }
      for (; *next < 1 + 2 * tiles + owned; (*next)++)
        {
          guint32 own = plan->own[plan->own_start[pu] + *next - 1 - 2 * tiles];

          task->phase = TL_PHASE_INTERNAL;
          task->i = own >> 16;
          task->j = own & 0xffff;
          if (task->i != k && task->j != k)
            {
              (*next)++;
              return TRUE;
            }
        }
    }
  return FALSE;
}

/* Barriers that stand before @task. */
static guint32
barriers_before (const TlMachine *machine, const TlTask *task)
{
  const TlRecipe *recipe = machine->plan->recipe;
  guint32         all = 0, before = 0;

  for (guint phase = 0; phase < TL_N_PHASES; phase++)
    {
      all += recipe[phase].barrier;
      before += phase < task->phase && recipe[phase].barrier;
    }
  return task->k * all + before;
}

/* Moves on to the next operation. */
static gboolean
advance (TlMachine *machine, guint pu)
{
  TlFlight *flight = &machine->pu[pu].flight;

  flight->task.pu = (guint16) pu;
  flight->task.copies = 0;
  if (!next_task (machine, pu, &flight->task, &flight->next))
    {
      flight->status = TL_FLIGHT_OVER;
      flight->barriers = G_MAXUINT32;
      machine->computes[pu] = G_MAXINT64;
      return FALSE;
    }
  flight->status = TL_FLIGHT_WAITING;
  machine->computes[pu] = G_MAXINT64;
  flight->barriers = barriers_before (machine, &flight->task);
  return TRUE;
}

static void
load (TlMachine *machine, guint pu, gint64 start)
{
  TlFlight    *flight = &machine->pu[pu].flight;
  TlPieceTimes times;

  if (machine->plan->charged)
    tl_machine_first_uses (machine, &flight->task);
  tl_machine_run_piece (machine, &flight->task, TL_PIECE_LOAD, start, 0, &times);
  flight->status = TL_FLIGHT_LOADED;
  flight->ready = start;
  flight->first = times.first;
  flight->loaded = flight->compute = times.loaded;
  flight->duration = times.compute;
  machine->computes[pu] = flight->compute;
  machine->pu[pu].last = flight->task;
  machine->pu[pu].started = TRUE;
}

/* Loads what a waiting PU waits to load, if all of it is known to become usable. */
static void
try_load (TlMachine *machine, guint pu)
{
  TlPu  *state = &machine->pu[pu];
  gint64 done = 0, usable = 0;

  if (state->flight.status != TL_FLIGHT_WAITING || machine->released < state->flight.barriers
      || !tl_machine_operands (machine, &state->flight.task, &done, &usable))
    return;
  if (state->flight.barriers > 0)
    state->barrier = machine->release;
  tl_machine_wait (machine, &state->flight.task, done, usable);
  load (machine, pu, state->gap.ready);
}

static gboolean
all_arrived (const TlMachine *machine)
{
  gboolean any = FALSE;

  for (guint pu = 0; pu < machine->plan->pus; pu++)
    {
      if (machine->pu[pu].flight.barriers <= machine->released)
        return FALSE;
      any |= machine->pu[pu].flight.status != TL_FLIGHT_OVER;
    }
  return any;
}

/* A barrier lets go when every PU's next operation stands behind it. */
static void
release_barriers (TlMachine *machine)
{
  const TlRecipe *recipe = machine->plan->recipe;

  if (!recipe[TL_PHASE_PIVOT].barrier && !recipe[TL_PHASE_CROSS].barrier && !recipe[TL_PHASE_INTERNAL].barrier)
    return;
  while (all_arrived (machine))
    {
      machine->release = MAX (machine->release, MAX (tl_machine_makespan (machine), machine->ring_latest));
      machine->released++;
    }
}

/* Grants the ring as long as the next tile in program order is known to be done; a
 * free ring lets the tile of @task go at once. TRUE when any went. */
static gboolean
grant (TlMachine *machine, const TlTask *task)
{
  const guint32 tiles = machine->plan->tiles;
  gboolean      granted = FALSE;

  if (machine->plan->ring_free)
    {
      tl_machine_broadcast (machine, task->k, task->i, task->j);
      return TRUE;
    }
  while (machine->ring_k < tiles)
    {
      const guint32      k = machine->ring_k;
      const TlStepTiles *step = machine->step[k];
      /* Position 0 is the pivot, 1 + slot a cross tile. */
      const guint32      slot = machine->ring_slot == 0 ? 2 * k : machine->ring_slot - 1, x = slot / 2;
      const guint32      i = slot % 2 == 0 ? k : x, j = slot % 2 == 0 ? x : k;

      if (machine->ring_slot == 0 || x != k)
        {
          if (step == NULL || step->done[slot] < 0)
            return granted;
          tl_machine_broadcast (machine, k, i, j);
          granted = TRUE;
        }
      if (++machine->ring_slot == 1 + 2 * tiles)
        {
          machine->ring_slot = 0;
          machine->ring_k++;
        }
    }
  return granted;
}

static void
pass_step (TlMachine *machine, guint32 k)
{
  TlStepTiles *tiles = machine->step[k];

  if (tiles != NULL && --tiles->left == 0)
    tl_step_tiles_drop (machine, k);
}

/* Is all that the next operation reads usable by @time, with no barrier before it? */
static gboolean
may_prefetch (const TlMachine *machine, const TlFlight *next, const TlFlight *current, gint64 time)
{
  gint64 done = 0, usable = 0;

  return next->barriers == current->barriers && (next->task.i != current->task.i || next->task.j != current->task.j)
         && tl_machine_operands (machine, &next->task, &done, &usable) && usable <= time;
}

static void
tell (const TlMachine *machine, const TlFlight *current, gint64 end)
{
  TlOperation operation = {
    .ready = (guint64) current->ready,
    .start = (guint64) current->first,
    .loaded = (guint64) current->loaded,
    .compute = (guint64) current->compute,
    .computed = (guint64) (current->compute + current->duration),
    .end = (guint64) end,
    .k = current->task.k,
    .i = current->task.i,
    .j = current->task.j,
    .pu = current->task.pu,
    .phase = current->task.phase,
    .copies = current->task.copies,
  };

  machine->watch->operation (&operation, machine->watch->data);
}

/* A PU begins to compute: decides the loads of the operation after, and the
 * write-back of this one. */
static void
compute (TlMachine *machine, guint pu)
{
  TlPu        *state = &machine->pu[pu];
  TlFlight     current = state->flight;
  gint64       computed = current.compute + current.duration, store = computed;
  gboolean     more = advance (machine, pu), prefetch, granted = FALSE;
  TlPieceTimes times;

  prefetch = more && may_prefetch (machine, &state->flight, &current, current.compute);
  if (prefetch)
    {
      load (machine, pu, current.compute);
      store = MAX (computed, state->flight.loaded);
    }
  tl_machine_run_piece (machine, &current.task, TL_PIECE_STORE, store, current.compute, &times);

  tl_machine_account (machine, &current.task, current.ready, current.duration, times.end);
  if (tl_machine_watches_operations (machine, pu, times.end))
    tell (machine, &current, times.end);
  if (prefetch)
    {
      state->flight.compute = MAX (state->flight.loaded, times.end);
      machine->computes[pu] = state->flight.compute;
      state->gap = (TlGap) { times.end, times.end, times.end, times.end };
    }
  if (machine->plan->recipe[current.task.phase].broadcast)
    {
      tl_machine_done (machine, current.task.k, current.task.i, current.task.j, times.end);
      granted = grant (machine, &current.task);
    }
  guint32 released = machine->released;

  release_barriers (machine);
  if (granted || released != machine->released)
    for (guint other = 0; other < machine->plan->pus; other++)
      try_load (machine, other);
  else
    try_load (machine, pu);
  for (guint32 k = current.task.k; k < (more ? state->flight.task.k : machine->plan->tiles); k++)
    pass_step (machine, k);
}

/* The PU that computes next; the lower one of two at once. */
static guint
earliest (const TlMachine *machine)
{
  guint  first = G_MAXUINT;
  gint64 time = G_MAXINT64;

  for (guint pu = 0; pu < machine->plan->pus; pu++)
    if (machine->computes[pu] < time)
      {
        time = machine->computes[pu];
        first = pu;
      }
  return first;
}

static void
start (TlMachine *machine)
{
  for (guint pu = 0; pu < machine->plan->pus; pu++)
    machine->active += machine->plan->own_start[pu] < machine->plan->own_start[pu + 1];
  for (guint pu = 0; pu < machine->plan->pus; pu++)
    advance (machine, pu);
  release_barriers (machine);
  for (guint pu = 0; pu < machine->plan->pus; pu++)
    try_load (machine, pu);
  machine->under_way = TRUE;
}

static guint32
lowest_step (const TlMachine *machine)
{
  guint32 lowest = machine->plan->tiles;

  for (guint pu = 0; pu < machine->plan->pus; pu++)
    if (machine->pu[pu].flight.status != TL_FLIGHT_OVER)
      lowest = MIN (lowest, machine->pu[pu].flight.task.k);
  return lowest;
}

static gboolean
run (TlMachine *machine, TlStepFunc step, gpointer data)
{
  guint n = 0;

  if (!machine->under_way)
    {
      if (!step (machine, data))
        return FALSE;
      start (machine);
    }
  for (guint pu = earliest (machine); pu != G_MAXUINT; pu = earliest (machine))
    {
      guint32 before = machine->k, k = machine->pu[pu].flight.task.k;

      compute (machine, pu);
      if (++n % 256 == 0 && g_cancellable_is_cancelled (machine->cancellable))
        return FALSE;
      const TlFlight *flight = &machine->pu[pu].flight;

      if (k == before && (flight->task.k != k || flight->status == TL_FLIGHT_OVER))
        machine->k = lowest_step (machine);
      if ((machine->k != before || (machine->pace > 0 && n >= machine->pace)) && machine->k < machine->plan->tiles)
        {
          n = 0;
          if (!step (machine, data))
            return FALSE;
        }
    }
  machine->finished = TRUE;
  return TRUE;
}

gboolean
tl_overlap_run (TlMachine *machine, TlStepFunc step, gpointer data)
{
  g_autofree gint64 *computes = g_new (gint64, machine->plan->pus);
  gboolean           done;

  for (guint pu = 0; pu < machine->plan->pus; pu++)
    {
      const TlFlight *flight = &machine->pu[pu].flight;

      computes[pu] = machine->under_way && flight->status == TL_FLIGHT_LOADED ? flight->compute : G_MAXINT64;
    }
  machine->computes = computes;
  done = run (machine, step, data);
  machine->computes = NULL;
  return done;
}
