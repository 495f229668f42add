/* What both schedulers do to the machine: run pieces, wait, account. */
#include "sim/machine-private.h"

#include <string.h>

/* A memo entry takes some 800 bytes, and 4 more a PU. */
#define MEMO_LIMIT(pus) CLAMP (4000000 / (pus), 4000, 100000)

void
tl_machine_init (TlMachine *machine, const TlSimPlan *plan, gboolean memo, gboolean forget_bank_state)
{
  memset (machine, 0, sizeof *machine);
  machine->plan = plan;
  machine->memo = memo ? tl_memo_new (plan, forget_bank_state) : NULL;
  machine->pu = g_new0 (TlPu, plan->pus);
  machine->shares = g_new0 (TlShares, plan->pus);
  machine->threads = 1;
  machine->until = G_MAXINT64;
  machine->step = g_new0 (TlStepTiles *, plan->tiles);
  machine->used = g_array_new (FALSE, FALSE, sizeof (guint64));
  for (guint pu = 0; pu < plan->pus; pu++)
    {
      tl_group_init (&machine->pu[pu].group, &plan->timings);
      if (plan->charged)
        machine->pu[pu].first_use = g_new0 (guint32, 2 * plan->tiles);
    }
}

void
tl_machine_clear (TlMachine *machine)
{
  for (guint pu = 0; machine->pu != NULL && pu < machine->plan->pus; pu++)
    g_free (machine->pu[pu].first_use);
  for (guint32 k = 0; machine->step != NULL && k < machine->plan->tiles; k++)
    tl_step_tiles_drop (machine, k);
  g_clear_pointer (&machine->memo, tl_memo_free);
  g_clear_pointer (&machine->pu, g_free);
  g_clear_pointer (&machine->shares, g_free);
  g_clear_pointer (&machine->step, g_free);
  g_clear_pointer (&machine->uses, g_free);
  g_clear_pointer (&machine->used, g_array_unref);
}

static void
add_tally (TlMachine *machine, guint pu, guint8 phase, const TlTally *tally, guint64 times)
{
  for (guint s = 0; s < tally->n; s++)
    {
      tl_sim_counts_add (&machine->pu[pu].counts, &tally->counts[s], times);
      tl_sim_counts_add (&machine->shares[pu].phase[phase], &tally->counts[s], times);
      tl_sim_counts_add (&machine->shares[pu].tier[tally->tier[s]], &tally->counts[s], times);
    }
}

static void
make_room (TlMachine *machine, guint32 entry)
{
  guint32  room = MAX (2 * machine->room, MAX (entry + 1, 64));
  guint32 *uses = g_new0 (guint32, (gsize) machine->plan->pus * room);

  for (guint pu = 0; machine->room > 0 && pu < machine->plan->pus; pu++)
    memcpy (uses + (gsize) pu * room, machine->uses + (gsize) pu * machine->room, machine->room * sizeof *uses);
  g_free (machine->uses);
  machine->uses = uses;
  machine->room = room;
}

static inline void
use (TlMachine *machine, guint pu, guint32 entry)
{
  if (G_UNLIKELY (entry >= machine->room))
    make_room (machine, entry);
  if (machine->uses[(gsize) pu * machine->room + entry]++ == 0)
    {
      guint64 key = (guint64) pu << 32 | entry;

      g_array_append_val (machine->used, key);
    }
}

void
tl_machine_group (const TlMachine *machine, guint pu, TlGroup *group)
{
  if (machine->memo != NULL && !machine->plan->timings.open)
    tl_memo_extract (machine->memo, machine->pu[pu].state, machine->pu[pu].base, group);
  else
    {
      TlOpenRows rows = machine->pu[pu].rows;

      *group = machine->pu[pu].group;
      tl_memo_spell (machine->memo, &rows, group);
    }
}

/* Adds up what memo entries were used for. */
static void
add_up (TlMachine *machine)
{
  for (guint u = 0; u < machine->used->len; u++)
    {
      guint64            key = g_array_index (machine->used, guint64, u);
      guint              pu = (guint) (key >> 32);
      guint32            number = (guint32) key;
      guint32           *uses = &machine->uses[(gsize) pu * machine->room + number];
      const TlMemoEntry *entry = tl_memo_entry (machine->memo, number);

      add_tally (machine, pu, entry->phase, &entry->tally, *uses);
      *uses = 0;
    }
  g_array_set_size (machine->used, 0);
}

void
tl_machine_settle (TlMachine *machine)
{
  add_up (machine);
  if (machine->memo == NULL || tl_memo_count (machine->memo) <= MEMO_LIMIT (machine->plan->pus))
    return;

  TlMemo *fresh = tl_memo_new (machine->plan, FALSE);

  for (guint pu = 0; pu < machine->plan->pus; pu++)
    {
      TlGroup group;

      if (machine->plan->timings.open)
        {
          tl_memo_spell (machine->memo, &machine->pu[pu].rows, &machine->pu[pu].group);
          continue;
        }

      tl_machine_group (machine, pu, &group);
      machine->pu[pu].state = tl_memo_intern (fresh, &group, machine->pu[pu].base);
    }
  machine->memo_entries += tl_memo_count (machine->memo);
  tl_memo_free (machine->memo);
  machine->memo = fresh;
  g_clear_pointer (&machine->uses, g_free);
  machine->room = 0;
}

gint64
tl_machine_makespan (const TlMachine *machine)
{
  gint64 latest = 0;

  for (guint pu = 0; pu < machine->plan->pus; pu++)
    latest = MAX (latest, machine->pu[pu].end);
  return latest;
}

void
tl_machine_finish (TlMachine *machine)
{
  gint64 makespan = tl_machine_makespan (machine);

  tl_machine_settle (machine);
  for (guint pu = 0; machine->plan->timings.tREFI > 0 && pu < machine->plan->pus; pu++)
    {
      TlTally tally = { .n = 1 };

      tl_group_refresh (&machine->pu[pu].group, &machine->plan->timings, makespan, &tally.counts[0], NULL);
      add_tally (machine, pu, machine->pu[pu].last.phase, &tally, 1);
    }
}

void
tl_machine_first_uses (TlMachine *machine, TlTask *task)
{
  const TlRecipe *recipe = &machine->plan->recipe[task->phase];
  guint32        *first_use = machine->pu[task->pu].first_use;

  task->copies = 0;
  for (guint c = 0; first_use != NULL && c < recipe->n_copies; c++)
    {
      guint64  x = tl_task_operand (machine->plan, task, recipe->copy[c]);
      guint32  i = (guint32) (x / machine->plan->tiles), j = (guint32) (x % machine->plan->tiles);
      guint32 *use_of = &first_use[tl_step_slot (task->k, i, j)];

      /* The owner received nothing: its own tile is at hand. */
      if (machine->plan->program->owner[x] != task->pu && *use_of != task->k + 1)
        {
          *use_of = task->k + 1;
          task->copies |= 1u << c;
        }
    }
}

static void
run_full (TlMachine *machine, const TlTask *task, TlPieceKind kind, gint64 start, TlPieceTimes *times, TlTally *tally)
{
  TlWork work;

  tl_sim_plan_work (machine->plan, task, &work);
  tl_piece_run (machine->plan, &work, kind, start, &machine->pu[task->pu].group, times, tally, NULL, NULL);
}

/* Returns the number of its entry. */
static inline guint32
run_memo (TlMachine *machine, const TlTask *task, TlPieceKind kind, gint64 start, TlPieceTimes *times)
{
  TlPu              *pu = &machine->pu[task->pu];
  const TlMemoEntry *entry;
  guint32            number;

  if (machine->plan->timings.open)
    {
      number = tl_memo_apply (machine->memo, task, kind, start, &pu->rows, &pu->group);
      entry = tl_memo_entry (machine->memo, number);
    }
  else
    {
      number = tl_memo_find (machine->memo, task, kind, tl_memo_settle (machine->memo, pu->state, start - pu->base));
      entry = tl_memo_entry (machine->memo, number);
      pu->state = entry->after;
      pu->base = start + entry->times.end;
    }
  *times = (TlPieceTimes) {
    .first = start + entry->times.first,
    .loaded = start + entry->times.loaded,
    .compute = entry->times.compute,
    .end = start + entry->times.end,
  };
  return number;
}

static void
run_piece (TlMachine *machine, const TlTask *task, TlPieceKind kind, gint64 start, TlPieceTimes *times)
{
  TlTally tally;

  if (machine->memo != NULL)
    {
      use (machine, task->pu, run_memo (machine, task, kind, start, times));
      return;
    }
  run_full (machine, task, kind, start, times, &tally);
  add_tally (machine, task->pu, task->phase, &tally, 1);
}

/* The same, and the watcher is told. */
static void
run_watched (TlMachine *machine, const TlTask *task, TlPieceKind kind, gint64 start, gint64 compute,
             TlPieceTimes *times)
{
  const TlPu *pu = &machine->pu[task->pu];
  gboolean    by_number = machine->memo != NULL && !machine->plan->timings.open;
  TlPiece     piece = { .machine = machine, .task = task, .kind = kind, .start = start };
  TlGroup     group;
  TlTally     tally;
  guint32     number = 0;
  gboolean    told;

  piece.state = pu->state;
  piece.base = pu->base;
  piece.idle_from = MIN (pu->group.bus, start);
  if (!by_number)
    {
      tl_machine_group (machine, task->pu, &group);
      piece.group = &group;
    }
  piece.tally = &tally;
  if (machine->memo != NULL)
    {
      number = run_memo (machine, task, kind, start, times);
      piece.tally = &tl_memo_entry (machine->memo, number)->tally;
    }
  else
    run_full (machine, task, kind, start, times, &tally);
  told = machine->part == NULL || times->end + machine->plan->horizon > machine->watch->from;
  if (told)
    tl_machine_stand (machine, task->pu, piece.group);
  if (machine->memo != NULL)
    use (machine, task->pu, number);
  else
    add_tally (machine, task->pu, task->phase, &tally, 1);
  if (!told)
    return;
  piece.times = *times;
  piece.compute = kind == TL_PIECE_WHOLE ? times->loaded : compute;
  machine->watch->piece (&piece, machine->watch->data);
}

void
tl_machine_stand (TlMachine *machine, guint pu, const TlGroup *group)
{
  if (machine->stood == NULL || machine->stood[pu])
    return;
  machine->stood[pu] = TRUE;
  if (machine->watch == NULL || machine->watch->stand == NULL)
    return;
  add_up (machine);
  machine->watch->stand (machine, pu, group, machine->watch->data);
}

void
tl_piece_before (const TlPiece *piece, TlGroup *group)
{
  if (piece->group != NULL)
    *group = *piece->group;
  else
    tl_memo_extract (piece->machine->memo, piece->state, piece->base, group);
}

void
tl_machine_run_piece (TlMachine *machine, const TlTask *task, TlPieceKind kind, gint64 start, gint64 compute,
                      TlPieceTimes *times)
{
  gboolean told = machine->watch != NULL && machine->watch->piece != NULL
                  && (machine->part == NULL || machine->part[task->pu] == TL_REPLAY_TELL);

  if (told)
    run_watched (machine, task, kind, start, compute, times);
  else
    run_piece (machine, task, kind, start, times);
}

gboolean
tl_machine_operands (const TlMachine *machine, const TlTask *task, gint64 *done, gint64 *usable)
{
  const TlSimPlan   *plan = machine->plan;
  const TlRecipe    *recipe = &plan->recipe[task->phase];
  const TlStepTiles *tiles = machine->step[task->k];

  for (guint w = 0; w < recipe->n_waits; w++)
    {
      guint64 x = tl_task_operand (plan, task, recipe->wait[w]);
      guint32 i, j, slot;
      gint64  here;

      if (recipe->wait[w] == TL_OPERAND_C)
        continue; /* its owner, this PU, computed it before */
      i = (guint32) (x / plan->tiles);
      j = (guint32) (x % plan->tiles);
      slot = tl_step_slot (task->k, i, j);
      here = tiles == NULL ? -1 : plan->program->owner[x] == task->pu ? tiles->done[slot] : tiles->usable[slot];
      if (here < 0)
        return FALSE;
      if (here > *usable)
        {
          *usable = here;
          *done = MAX (*done, tiles->done[slot]);
        }
    }
  return TRUE;
}

TlStepTiles *
tl_step_tiles (TlMachine *machine, guint32 k)
{
  guint32      count = 2 * machine->plan->tiles;
  TlStepTiles *tiles = machine->step[k];

  if (tiles == NULL)
    {
      tiles = machine->step[k] = g_new0 (TlStepTiles, 1);
      tiles->done = g_new (gint64, 2 * (gsize) count);
      tiles->usable = tiles->done + count;
      tiles->left = machine->active;
      memset (tiles->done, 0xff, 2 * (gsize) count * sizeof (gint64));
    }
  return tiles;
}

void
tl_step_tiles_drop (TlMachine *machine, guint32 k)
{
  if (machine->step[k] == NULL)
    return;
  g_free (machine->step[k]->done);
  g_clear_pointer (&machine->step[k], g_free);
}
