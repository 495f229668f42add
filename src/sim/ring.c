/* The ring: one broadcast at a time, granted in program order. It starts when the
 * tile is done and the ring is free, holds it for bytes / ring width cycles, and the
 * copy is usable pus / 2 hops later by every PU but the owner, which uses its own
 * tile at once. */
#include "sim/machine-private.h"

void
tl_machine_done (TlMachine *machine, guint32 k, guint32 i, guint32 j, gint64 done)
{
  TlStepTiles *tiles = tl_step_tiles (machine, k);

  tiles->done[tl_step_slot (k, i, j)] = done;
  if (i == j)
    tiles->done[2 * i + 1] = done;
}

void
tl_machine_broadcast (TlMachine *machine, guint32 k, guint32 i, guint32 j)
{
  const TlSimPlan *plan = machine->plan;
  TlStepTiles     *tiles = tl_step_tiles (machine, k);
  guint32          slot = tl_step_slot (k, i, j);
  gint64           done = tiles->done[slot];
  gint64           start = plan->ring_free ? done : MAX (done, machine->ring_end);
  gint64           end = start + tl_sim_plan_ring_time (plan, i, j);
  gint64           usable = plan->ring_free ? done : end + plan->ring_hops;

  machine->ring_end = MAX (machine->ring_end, end);
  machine->ring_latest = MAX (machine->ring_latest, usable);
  machine->ring_busy += (guint64) (end - start);
  machine->ring_bytes += plan->shape[i + 1 == plan->tiles][j + 1 == plan->tiles].bytes;
  machine->broadcasts++;
  TlBroadcast broadcast = {
    .k = k,
    .i = i,
    .j = j,
    .pu = plan->program->owner[(gsize) i * plan->tiles + j],
    .done = (guint64) done,
    .start = (guint64) start,
    .end = (guint64) end,
    .usable = (guint64) usable,
  };
  /* With the ring free a later one in program order may be earlier in time. */
  if (broadcast.start >= machine->latest.start)
    machine->latest = broadcast;
  tiles->usable[slot] = usable;
  if (i == j)
    tiles->usable[2 * i + 1] = usable;
  tiles->latest = MAX (tiles->latest, usable);
  if (machine->watch != NULL && machine->watch->broadcast != NULL)
    machine->watch->broadcast (&broadcast, machine->watch->data);
}
