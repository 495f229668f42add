/* Checkpoints: a packed copy of all that the machine holds at the start of a
 * super-step, and with two buffers within it. That is some 600 bytes a PU, and the
 * times of the tiles of steps under way, which neighbours share while they are equal.
 * All are kept up to a bound, then every second, fourth, ... */
#include "sim/history-private.h"

#include <string.h>

#define CHECKPOINT_BYTES (32u << 20)

/* A PU but for its bank arrays. */
#define PU_BYTES G_STRUCT_OFFSET (TlPu, group.ready)

typedef struct
{
  guint32    mark; /* how many were asked for before it */
  guint32    k;
  gint64    *settled;        /* of each PU: nothing of it before the checkpoint has a command after this */
  gint64     latest_settled; /* of all PUs and the ring */
  TlMachine  machine;        /* scalars only */
  guint8    *pu;             /* PU_BYTES each */
  gint64    *banks;          /* PU * width: ready, and with open pages close and row */
  guint32   *first_use;      /* PU * 2 M when copies are charged */
  GPtrArray *steps;          /* of gint64 *, counted references: 4 M times of step k + index, or NULL; two buffers */
  guint32   *left;           /* of each step */
  GArray    *latest;         /* gint64 of each step */
} TlCheckpoint;

struct _TlHistory
{
  TlSimPlan *plan;
  gboolean   memo;
  GPtrArray *checkpoints; /* of TlCheckpoint *, by mark */
  guint32    asked;       /* for how many */
  guint32    stride;      /* keep those of a mark divisible by it */
  gsize      bytes;       /* of those kept */
  GMutex     lock;
  TlMemo    *kept; /* lent to one replay at a time */
};

static guint
bank_width (const TlSimPlan *plan)
{
  return plan->timings.banks * (plan->timings.open ? 3 : 1);
}

static void
free_checkpoint (TlCheckpoint *checkpoint)
{
  g_free (checkpoint->settled);
  g_free (checkpoint->pu);
  g_free (checkpoint->banks);
  g_free (checkpoint->first_use);
  g_ptr_array_unref (checkpoint->steps);
  g_free (checkpoint->left);
  g_array_unref (checkpoint->latest);
  g_free (checkpoint);
}

TlHistory *
tl_history_new (TlSimPlan *plan, gboolean memo)
{
  TlHistory *history = g_new0 (TlHistory, 1);

  history->plan = plan;
  history->memo = memo;
  history->checkpoints = g_ptr_array_new_with_free_func ((GDestroyNotify) free_checkpoint);
  history->stride = 1;
  g_mutex_init (&history->lock);
  return history;
}

void
tl_history_free (TlHistory *history)
{
  if (history == NULL)
    return;
  g_ptr_array_unref (history->checkpoints);
  tl_memo_free (history->kept);
  g_mutex_clear (&history->lock);
  tl_sim_plan_free (history->plan);
  g_free (history);
}

const TlSimPlan *
tl_history_plan (const TlHistory *history)
{
  return history->plan;
}

guint
tl_history_count (const TlHistory *history)
{
  return history->checkpoints->len;
}

static void
pack_banks (const TlTimings *timings, const TlGroup *group, gint64 *packed)
{
  memcpy (packed, group->ready, timings->banks * sizeof *packed);
  if (!timings->open)
    return;
  memcpy (packed + timings->banks, group->close, timings->banks * sizeof *packed);
  for (guint32 b = 0; b < timings->banks; b++)
    packed[2 * timings->banks + b] = group->row[b];
}

static void
unpack_banks (const TlTimings *timings, const gint64 *packed, TlGroup *group)
{
  memcpy (group->ready, packed, timings->banks * sizeof *packed);
  if (!timings->open)
    return;
  memcpy (group->close, packed + timings->banks, timings->banks * sizeof *packed);
  for (guint32 b = 0; b < timings->banks; b++)
    group->row[b] = (guint32) packed[2 * timings->banks + b];
}

/* Times of step @k in @checkpoint (may be NULL), or NULL. */
static gint64 *
step_times (const TlCheckpoint *checkpoint, guint32 k)
{
  if (checkpoint == NULL || k < checkpoint->k || k - checkpoint->k >= checkpoint->steps->len)
    return NULL;
  return checkpoint->steps->pdata[k - checkpoint->k];
}

static void
free_times (gint64 *times)
{
  if (times != NULL)
    g_rc_box_release (times);
}

/* @step's, those of @before (may be NULL) when they are the same. */
static gint64 *
pack_times (const TlStepTiles *step, gint64 *before, guint32 tiles)
{
  const gsize size = 4 * (gsize) tiles * sizeof (gint64);

  if (before != NULL && memcmp (before, step->done, size) == 0)
    return g_rc_box_acquire (before);
  return g_rc_box_dup (size, step->done);
}

/* Steps under way: times of their tiles. */
static void
pack_steps (TlCheckpoint *checkpoint, const TlCheckpoint *before, const TlMachine *machine)
{
  const guint32 tiles = machine->plan->tiles;
  guint32       end = machine->k;

  for (guint32 k = machine->k; machine->under_way && k < tiles; k++)
    if (machine->step[k] != NULL)
      end = k + 1;
  checkpoint->left = g_new0 (guint32, end - machine->k + 1);
  for (guint32 k = machine->k; k < end; k++)
    {
      const TlStepTiles *step = machine->step[k];
      gint64             latest = step != NULL ? step->latest : 0;

      checkpoint->left[k - machine->k] = step != NULL ? step->left : 0;
      g_ptr_array_add (checkpoint->steps, step != NULL ? pack_times (step, step_times (before, k), tiles) : NULL);
      g_array_append_val (checkpoint->latest, latest);
    }
}

/* What keeping @checkpoint after @before (may be NULL) takes. */
static gsize
checkpoint_bytes (const TlSimPlan *plan, const TlCheckpoint *checkpoint, const TlCheckpoint *before)
{
  gsize bytes = plan->pus * (PU_BYTES + 8 + 8 * bank_width (plan) + (plan->charged ? 8 * plan->tiles : 0))
                + sizeof (TlCheckpoint);

  for (guint s = 0; s < checkpoint->steps->len; s++)
    if (checkpoint->steps->pdata[s] != NULL
        && checkpoint->steps->pdata[s] != (gpointer) step_times (before, checkpoint->k + s))
      bytes += 32 * (gsize) plan->tiles;
  return bytes;
}

static void
thin_out (TlHistory *history)
{
  GPtrArray          *kept = g_ptr_array_new_with_free_func ((GDestroyNotify) free_checkpoint);
  const TlCheckpoint *before = NULL;

  history->stride *= 2;
  history->bytes = 0;
  for (guint c = 0; c < history->checkpoints->len; c++)
    {
      TlCheckpoint *checkpoint = history->checkpoints->pdata[c];

      if (checkpoint->mark % history->stride != 0)
        {
          free_checkpoint (checkpoint);
          continue;
        }
      history->bytes += checkpoint_bytes (history->plan, checkpoint, before);
      g_ptr_array_add (kept, checkpoint);
      before = checkpoint;
    }
  g_ptr_array_set_free_func (history->checkpoints, NULL);
  g_ptr_array_unref (history->checkpoints);
  history->checkpoints = kept;
}

void
tl_history_add (TlHistory *history, const TlMachine *machine)
{
  const TlSimPlan *plan = history->plan;
  const guint      width = bank_width (plan);
  const guint32    mark = history->asked++;
  const guint      n = history->checkpoints->len;
  TlCheckpoint    *before = n > 0 ? history->checkpoints->pdata[n - 1] : NULL;
  TlCheckpoint    *checkpoint;

  if (mark % history->stride != 0)
    return;
  checkpoint = g_new0 (TlCheckpoint, 1);
  checkpoint->mark = mark;
  checkpoint->k = machine->k;
  checkpoint->machine = *machine;
  checkpoint->pu = g_malloc (plan->pus * PU_BYTES);
  checkpoint->banks = g_new (gint64, (gsize) plan->pus * width);
  checkpoint->steps = g_ptr_array_new_with_free_func ((GDestroyNotify) free_times);
  checkpoint->latest = g_array_new (FALSE, TRUE, sizeof (gint64));
  checkpoint->settled = g_new (gint64, plan->pus);
  checkpoint->latest_settled = machine->ring_latest;
  if (plan->charged)
    checkpoint->first_use = g_new (guint32, 2 * (gsize) plan->pus * plan->tiles);
  for (guint pu = 0; pu < plan->pus; pu++)
    {
      TlPu state = machine->pu[pu];

      tl_machine_group (machine, pu, &state.group);
      state.rows.named = FALSE;
      memcpy (checkpoint->pu + pu * PU_BYTES, &state, PU_BYTES);
      pack_banks (&plan->timings, &state.group, &checkpoint->banks[(gsize) pu * width]);
      if (plan->charged)
        memcpy (checkpoint->first_use + 2 * (gsize) pu * plan->tiles, machine->pu[pu].first_use,
                2 * plan->tiles * sizeof (guint32));
      /* What is loaded or computed already was watched before the checkpoint. */
      checkpoint->settled[pu] = MAX (state.end, state.group.bus) + plan->horizon;
      checkpoint->latest_settled = MAX (checkpoint->latest_settled, checkpoint->settled[pu]);
    }
  pack_steps (checkpoint, before, machine);
  history->bytes += checkpoint_bytes (plan, checkpoint, before);
  g_ptr_array_add (history->checkpoints, checkpoint);
  if (history->checkpoints->len > 2 && history->bytes > CHECKPOINT_BYTES)
    thin_out (history);
}

#define KEPT_ENTRIES 4000

void
tl_history_keep_memo (TlHistory *history, TlMemo *memo)
{
  if (memo == NULL)
    return;
  g_mutex_lock (&history->lock);
  if (history->kept == NULL && tl_memo_count (memo) <= KEPT_ENTRIES)
    history->kept = g_steal_pointer (&memo);
  g_mutex_unlock (&history->lock);
  tl_memo_free (memo);
}

static TlMemo *
borrow_memo (TlHistory *history)
{
  TlMemo *memo;

  if (!history->memo)
    return NULL;
  g_mutex_lock (&history->lock);
  memo = g_steal_pointer (&history->kept);
  g_mutex_unlock (&history->lock);
  return memo != NULL ? memo : tl_memo_new (history->plan, FALSE);
}

static void
restore_pus (const TlHistory *history, const TlCheckpoint *checkpoint, TlMachine *machine)
{
  const TlSimPlan *plan = history->plan;
  const guint      width = bank_width (plan);

  for (guint pu = 0; pu < plan->pus; pu++)
    {
      TlPu    *state = &machine->pu[pu];
      guint32 *first_use = state->first_use;

      memcpy (state, checkpoint->pu + pu * PU_BYTES, PU_BYTES);
      state->first_use = first_use;
      if (plan->charged)
        memcpy (first_use, checkpoint->first_use + 2 * (gsize) pu * plan->tiles, 2 * plan->tiles * sizeof (guint32));
      unpack_banks (&plan->timings, &checkpoint->banks[(gsize) pu * width], &state->group);
      if (machine->memo != NULL && !plan->timings.open)
        state->state = tl_memo_intern (machine->memo, &state->group, state->base);
    }
}

static void
restore (TlHistory *history, const TlCheckpoint *checkpoint, TlMachine *machine)
{
  const TlSimPlan *plan = history->plan;
  TlMachine        fresh;

  tl_machine_init (&fresh, plan, FALSE, FALSE);
  *machine = checkpoint->machine;
  machine->memo = borrow_memo (history);
  machine->step = fresh.step;
  machine->used = fresh.used;
  machine->uses = NULL;
  machine->room = 0;
  machine->pu = fresh.pu;
  machine->shares = fresh.shares;
  machine->threads = 1;
  machine->cancellable = NULL;
  machine->watch = NULL;
  restore_pus (history, checkpoint, machine);
  for (guint s = 0; s < checkpoint->steps->len; s++)
    if (checkpoint->steps->pdata[s] != NULL)
      {
        TlStepTiles *step = tl_step_tiles (machine, checkpoint->k + s);

        memcpy (step->done, checkpoint->steps->pdata[s], 4 * (gsize) plan->tiles * sizeof (gint64));
        step->left = checkpoint->left[s];
        step->latest = g_array_index (checkpoint->latest, gint64, s);
      }
}

/* A replay under way. With one buffer a PU that is not wanted, or whose steps are over
 * before the time asked for, runs no internal tiles: at the next step it is taken from
 * the checkpoint there. */
typedef struct
{
  TlHistory      *history;
  gint64          to;
  const gboolean *wanted;
  guint           next;  /* checkpoint after the step under way */
  guint32        *first; /* of each PU: the step from which on it is told */
} Replay;

/* Two buffers: how often a replay asks whether it is past its end. */
#define PAST_PACE 64

/* Is every operation of the PU that may be ready by @time decided? */
static gboolean
is_past (const TlMachine *machine, guint pu, gint64 time)
{
  const TlPu *state = &machine->pu[pu];

  if (machine->plan->own_start[pu] == machine->plan->own_start[pu + 1])
    return TRUE;
  if (machine->plan->program->buffers != 2)
    return state->gap.ready > time;
  switch ((TlFlightStatus) state->flight.status)
    {
    case TL_FLIGHT_LOADED:
      return state->flight.ready > time;
    case TL_FLIGHT_OVER:
      return TRUE;
    case TL_FLIGHT_WAITING:
    default:
      return machine->under_way && state->end > time;
    }
}

static gboolean
go_on (TlMachine *machine, gpointer data)
{
  const Replay *replay = data;

  for (guint pu = 0; pu < machine->plan->pus; pu++)
    if (!is_past (machine, pu, replay->to))
      return TRUE;
  return FALSE;
}

/* One buffer: at the start of a step every PU is where its checkpoint says, whether it
 * was run to there or not. */
static gboolean
go_on_step (TlMachine *machine, gpointer data)
{
  Replay             *replay = data;
  const GPtrArray    *checkpoints = replay->history->checkpoints;
  const TlCheckpoint *next = replay->next < checkpoints->len ? checkpoints->pdata[replay->next] : NULL;

  if (next != NULL && next->k == machine->k)
    {
      restore_pus (replay->history, next, machine);
      next = ++replay->next < checkpoints->len ? checkpoints->pdata[replay->next] : NULL;
    }
  for (guint pu = 0; pu < machine->plan->pus; pu++)
    {
      gboolean wanted = replay->wanted == NULL || replay->wanted[pu];

      if (wanted && machine->k >= replay->first[pu])
        machine->part[pu] = TL_REPLAY_TELL;
      else
        machine->part[pu] = next != NULL && next->k == machine->k + 1 ? TL_REPLAY_CROSS : TL_REPLAY_RUN;
    }
  return go_on (machine, data);
}

/* The last checkpoint whose time is not after @from; of the PU, or of all. */
static guint
last_settled (const TlHistory *history, gint pu, gint64 from)
{
  guint low = 0, high = history->checkpoints->len;

  while (high - low > 1)
    {
      guint               middle = (low + high) / 2;
      const TlCheckpoint *checkpoint = history->checkpoints->pdata[middle];

      if ((pu < 0 ? checkpoint->latest_settled : checkpoint->settled[pu]) <= from)
        low = middle;
      else
        high = middle;
    }
  return low;
}

static void
tell_who_stands (TlMachine *machine, const gboolean *wanted)
{
  for (guint pu = 0; pu < machine->plan->pus; pu++)
    {
      TlGroup group;

      if (wanted != NULL && !wanted[pu])
        continue;
      tl_machine_group (machine, pu, &group);
      tl_machine_stand (machine, pu, &group);
    }
}

gboolean
tl_history_replay (TlHistory *history, gint64 from, gint64 to, const gboolean *wanted, const TlWatch *watch,
                   void (*begin) (TlMachine *, gpointer), void (*end) (TlMachine *, gpointer), gpointer data,
                   GCancellable *cancellable)
{
  const TlSimPlan     *plan = history->plan;
  const gboolean       overlap = plan->program->buffers == 2;
  const guint          start = last_settled (history, -1, from);
  g_autofree guint32  *first = g_new (guint32, plan->pus);
  g_autofree guint8   *part = g_new0 (guint8, plan->pus);
  g_autofree gboolean *stood = g_new0 (gboolean, plan->pus);
  Replay               replay = { history, to, wanted, start + 1, first };
  TlWatch              watcher = { 0 };
  TlMachine            machine;
  gboolean             done;

  for (guint pu = 0; pu < plan->pus; pu++)
    {
      guint settled = MAX (start, last_settled (history, (gint) pu, from));
      first[pu] = ((const TlCheckpoint *) history->checkpoints->pdata[settled])->k;
    }
  restore (history, history->checkpoints->pdata[start], &machine);
  if (watch != NULL)
    {
      watcher = *watch;
      watcher.from = from;
      machine.watch = &watcher;
    }
  machine.stood = stood;
  if (begin != NULL)
    begin (&machine, data);
  machine.part = part;
  if (plan->timings.tREFI == 0)
    machine.until = to;
  machine.cancellable = cancellable;
  machine.pace = PAST_PACE;
  done = overlap ? tl_overlap_run (&machine, go_on, &replay) : tl_schedule_run (&machine, go_on_step, &replay);
  /* Stopped since it is past the end is as good as done. */
  done |= !g_cancellable_is_cancelled (cancellable);
  if (done)
    {
      tl_machine_settle (&machine);
      tell_who_stands (&machine, wanted);
    }
  if (done && end != NULL)
    end (&machine, data);
  tl_history_keep_memo (history, g_steal_pointer (&machine.memo));
  tl_machine_clear (&machine);
  return done;
}

/* A PU at checkpoint @index, but for its bank arrays. */
static TlPu
pu_at (const TlHistory *history, guint index, guint pu)
{
  const TlCheckpoint *checkpoint = history->checkpoints->pdata[index];
  TlPu                state = { 0 };

  memcpy (&state, checkpoint->pu + pu * PU_BYTES, PU_BYTES);
  return state;
}

static guint64
operations_at (const TlHistory *history, guint index, guint pu)
{
  TlPu    state = pu_at (history, index, pu);
  guint64 operations = 0;

  for (guint phase = 0; phase < TL_N_PHASES; phase++)
    operations += state.operations[phase];
  return operations;
}

/* The first checkpoint at which @pu's last operation ended at @time or later; how many
 * there are when none does. */
static guint
first_ended (const TlHistory *history, guint pu, gint64 time)
{
  guint low = 0, high = history->checkpoints->len;

  while (low < high)
    {
      guint middle = (low + high) / 2;

      if (pu_at (history, middle, pu).end < time)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

guint64
tl_history_operations (const TlHistory *history, guint pu, gint64 from, gint64 to)
{
  guint first = first_ended (history, pu, from), end = first_ended (history, pu, to);

  return end <= first + 1 ? 0 : operations_at (history, end - 1, pu) - operations_at (history, first, pu);
}

guint32
tl_history_pu (const TlHistory *history, guint index, guint pu, TlPuTimes *times, gint64 *end)
{
  TlPu state = pu_at (history, index, pu);

  *times = state.times;
  *end = state.end;
  return ((const TlCheckpoint *) history->checkpoints->pdata[index])->k;
}
