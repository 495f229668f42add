/* One buffer: operations in program order. A PU's operations never overlap and depend
 * only on what stands before them there, so each is decided once, in that order:
 * for k rising: (k,k); for x != k rising (k,x), (x,k); then the rest, each PU its own
 * row by row, since internal tiles bear on no other PU until the next k. */
#include "sim/machine-private.h"

static void
tell (const TlMachine *machine, const TlTask *task, gint64 ready, const TlPieceTimes *times)
{
  TlOperation operation = {
    .ready = (guint64) ready,
    .start = (guint64) times->first,
    .loaded = (guint64) times->loaded,
    .compute = (guint64) times->loaded,
    .computed = (guint64) (times->loaded + times->compute),
    .end = (guint64) times->end,
    .k = task->k,
    .i = task->i,
    .j = task->j,
    .pu = task->pu,
    .phase = task->phase,
    .copies = task->copies,
  };

  machine->watch->operation (&operation, machine->watch->data);
}

static inline void
perform (TlMachine *machine, TlTask *task, gint64 done, gint64 usable)
{
  TlPu        *pu = &machine->pu[task->pu];
  TlPieceTimes times;

  tl_machine_wait (machine, task, done, usable);
  if (machine->plan->charged)
    tl_machine_first_uses (machine, task);
  tl_machine_run_piece (machine, task, TL_PIECE_WHOLE, pu->gap.ready, 0, &times);

  tl_machine_account (machine, task, pu->gap.ready, times.compute, times.end);
  if (tl_machine_watches_operations (machine, task->pu, times.end))
    tell (machine, task, pu->gap.ready, &times);
  if (machine->part != NULL)
    {
      pu->last = *task;
      pu->started = TRUE;
    }
}

/* A pivot or cross tile: waits for the pivot if it is a cross one, then is sent. */
static void
perform_and_send (TlMachine *machine, TlPhase phase, guint32 k, guint32 i, guint32 j)
{
  guint16 owner = machine->plan->program->owner[(gsize) i * machine->plan->tiles + j];
  TlTask  task = { .k = k, .i = i, .j = j, .pu = owner, .phase = (guint8) phase };
  gint64  done = 0, usable = 0;

  if (!tl_machine_operands (machine, &task, &done, &usable))
    g_assert_not_reached ();
  perform (machine, &task, done, usable);
  machine->pu[owner].last = task;
  machine->pu[owner].started = TRUE;
  tl_machine_done (machine, k, i, j, machine->pu[owner].end);
  tl_machine_broadcast (machine, k, i, j);
}

static void
perform_cross (TlMachine *machine, guint32 k)
{
  for (guint32 x = 0; x < machine->plan->tiles; x++)
    if (x != k)
      {
        perform_and_send (machine, TL_PHASE_CROSS, k, k, x);
        perform_and_send (machine, TL_PHASE_CROSS, k, x, k);
      }
}

static void
perform_internal (TlMachine *machine, guint32 k, guint pu)
{
  const TlSimPlan   *plan = machine->plan;
  const TlStepTiles *tiles = machine->step[k];
  TlTask             task = { .k = k, .pu = (guint16) pu, .phase = TL_PHASE_INTERNAL };
  gboolean           any = FALSE;

  if (machine->part != NULL && machine->part[pu] == TL_REPLAY_CROSS)
    return;
  for (guint32 o = plan->own_start[pu]; o < plan->own_start[pu + 1]; o++)
    {
      gint64 done = 0, usable = 0;

      const guint32 i = plan->own[o] >> 16, j = plan->own[o] & 0xffff;

      if (i == k || j == k)
        continue;
      task.i = i;
      task.j = j;
      /* Late in the step every operand is there: nothing to look up. */
      if (machine->pu[pu].end < tiles->latest && !tl_machine_operands (machine, &task, &done, &usable))
        g_assert_not_reached ();
      perform (machine, &task, done, usable);
      any = TRUE;
      /* A replay has seen enough of this PU: what it does later comes later for all. */
      if (machine->pu[pu].gap.ready > machine->until)
        break;
    }
  if (any)
    {
      machine->pu[pu].last = task;
      machine->pu[pu].started = TRUE;
    }
}

/* A PU at a time is taken by whichever thread is free; each moves that PU alone. */
typedef struct
{
  TlMachine *machine;
  guint32    k;
  gint       next;
} InternalWork;

static gpointer
take_pus (gpointer data)
{
  InternalWork *work = data;

  for (guint pu = (guint) g_atomic_int_add (&work->next, 1); pu < work->machine->plan->pus;
       pu = (guint) g_atomic_int_add (&work->next, 1))
    {
      if (g_cancellable_is_cancelled (work->machine->cancellable))
        break;
      perform_internal (work->machine, work->k, pu);
    }
  return NULL;
}

static gboolean
perform_all_internal (TlMachine *machine, guint32 k)
{
  InternalWork         work = { machine, k, 0 };
  g_autofree GThread **threads = g_new0 (GThread *, machine->threads);

  for (guint t = 1; t < machine->threads; t++)
    threads[t] = g_thread_new ("simulate", take_pus, &work);
  take_pus (&work);
  for (guint t = 1; t < machine->threads; t++)
    g_thread_join (threads[t]);
  return !g_cancellable_is_cancelled (machine->cancellable);
}

/* All PUs and their broadcasts. */
static void
wait_for_all (TlMachine *machine)
{
  gint64 release = MAX (tl_machine_makespan (machine), machine->ring_latest);

  for (guint pu = 0; pu < machine->plan->pus; pu++)
    machine->pu[pu].barrier = release;
}

static gboolean
super_step (TlMachine *machine, guint32 k)
{
  const TlRecipe *recipe = machine->plan->recipe;

  perform_and_send (machine, TL_PHASE_PIVOT, k, k, k);
  if (recipe[TL_PHASE_PIVOT].barrier)
    wait_for_all (machine);

  perform_cross (machine, k);
  if (recipe[TL_PHASE_CROSS].barrier)
    wait_for_all (machine);

  if (!perform_all_internal (machine, k))
    return FALSE;
  if (recipe[TL_PHASE_INTERNAL].barrier)
    wait_for_all (machine);
  tl_step_tiles_drop (machine, k);
  return TRUE;
}

gboolean
tl_schedule_run (TlMachine *machine, TlStepFunc step, gpointer data)
{
  for (; machine->k < machine->plan->tiles; machine->k++)
    {
      tl_machine_settle (machine);
      if (!step (machine, data) || !super_step (machine, machine->k))
        return FALSE;
    }
  machine->finished = TRUE;
  return TRUE;
}
