/* Stretches, made by replaying from the checkpoint before them and walking only what
 * is in sight; and a moment as the shortest stretch. */
#include "sim/span.h"
#include "sim/moment-private.h"

#include <string.h>

/* A moment being made: what is over is counted, what is in sight is walked. */
typedef struct
{
  TlGather     gather;
  TlSimMoment *moment;
  gint64       time;   /* the stretch begins */
  GArray      *waits;  /* of TlSimWait, as watched */
  TlTask      *loaded; /* two buffers: what each PU has loaded, in a piece that is over, */
  gint64      *first;  /* and when it started to; -1: nothing */
} Making;

static void
begin (TlMachine *machine, gpointer data)
{
  Making *making = data;

  making->moment->broadcast = machine->latest;
  making->moment->broadcasts = machine->broadcasts;
}

static void
show_row (const Making *making, TlBankMoment *bank, guint32 row)
{
  *bank = (TlBankMoment) { .open = row != 0 };
  if (row == 0)
    return;
  bank->row = row - 1;
  bank->tier = (guint8) (bank->row / making->gather.plan->timings.rows);
}

/* With open pages a piece that is over leaves its rows open. */
static void
leave_rows (Making *making, guint pu, const TlGroup *group)
{
  TlSimMoment *moment = making->moment;

  for (guint32 b = 0; making->gather.plan->timings.open && b < moment->n_banks; b++)
    show_row (making, &moment->bank[pu * moment->n_banks + b], group->row[b]);
}

/* What is over before the PU's first piece in sight. */
static void
stand (const TlMachine *machine, guint pu, const TlGroup *group, gpointer data)
{
  Making     *making = data;
  const TlPu *state = &machine->pu[pu];
  TlPuMoment *shown = &making->moment->pu[pu];

  tl_moment_count (making->moment, shown, &state->counts);
  if (state->started)
    {
      shown->phase = state->last.phase;
      shown->k = state->last.k;
      shown->i = state->last.i;
      shown->j = state->last.j;
    }
  if (machine->plan->program->buffers == 2 && state->flight.status == TL_FLIGHT_LOADED)
    {
      making->loaded[pu] = state->flight.task;
      making->first[pu] = state->flight.first;
    }
  leave_rows (making, pu, group);
}

/* The parts of a gap that lie in the stretch. */
static void
add_waits (Making *making, const TlTask *task, const TlGap *gap)
{
  const gint64 edges[4] = { gap->from, gap->barrier, gap->operand, gap->ready };

  for (guint w = 0; w < 3; w++)
    {
      TlSimWait wait = { .k = task->k, .i = task->i, .j = task->j, .pu = task->pu };

      if (edges[w + 1] <= MAX (edges[w], making->time) || edges[w] >= making->gather.to)
        continue;
      wait.from = (guint64) edges[w];
      wait.to = (guint64) edges[w + 1];
      wait.wait = (guint8) (w == 0 ? TL_WAIT_BARRIER : w == 1 ? TL_WAIT_OPERAND : TL_WAIT_RING);
      g_array_append_val (making->waits, wait);
    }
}

static void
watch_piece (const TlPiece *piece, gpointer data)
{
  Making *making = data;

  if (piece->kind != TL_PIECE_STORE)
    add_waits (making, piece->task, &piece->machine->pu[piece->task->pu].gap);
  tl_gather_piece (&making->gather, piece);
}

static void
watch_operation (const TlOperation *operation, gpointer data)
{
  tl_gather_operation (&((Making *) data)->gather, operation);
}

static void
leave (guint pu, const guint32 *row, gpointer data)
{
  const Making *making = data;

  for (guint32 b = 0; b < making->moment->n_banks; b++)
    if (row[b] != 0)
      show_row (making, &making->moment->bank[pu * making->moment->n_banks + b], row[b]);
}

/* Commands before the stretch are never walked again: they happen at once. */
static void
happen (const TlSimEvent *event, gpointer data)
{
  Making *making = data;

  tl_moment_apply (making->moment, making->gather.plan, event, NULL, NULL);
}

static void
watch_broadcast (const TlBroadcast *broadcast, gpointer data)
{
  tl_gather_broadcast (&((Making *) data)->gather, broadcast);
}

static void
end (TlMachine *machine, gpointer data)
{
  Making *making = data;

  tl_gather_refresh (&making->gather, machine);
  for (guint pu = 0; pu < making->moment->n_pus; pu++)
    if (making->first[pu] >= 0)
      tl_gather_start (&making->gather, &making->loaded[pu], making->first[pu]);
}

static gint
by_pu_and_time (gconstpointer a, gconstpointer b)
{
  const TlSimWait *x = a, *y = b;

  if (x->pu != y->pu)
    return x->pu < y->pu ? -1 : 1;
  return (x->from > y->from) - (x->from < y->from);
}

static void
index_waits (TlSimSpan *span)
{
  const guint pus = span->base->n_pus;
  guint       at = 0;

  g_array_sort (span->waits, by_pu_and_time);
  span->wait_start = g_new (guint32, pus + 1);
  for (guint pu = 0; pu <= pus; pu++)
    {
      while (at < span->waits->len && g_array_index (span->waits, TlSimWait, at).pu < pu)
        at++;
      span->wait_start[pu] = at;
    }
}

/* Takes over what was gathered. */
static TlSimSpan *
finish (Making *making, guint64 from, guint64 to)
{
  TlSimSpan *span = g_new0 (TlSimSpan, 1);

  for (guint pu = 0; pu < making->moment->n_pus; pu++)
    tl_moment_count (making->moment, &making->moment->pu[pu], &making->gather.skipped[pu]);
  tl_gather_sort (&making->gather);
  span->run = tl_sim_run_ref (making->gather.run);
  span->from = from;
  span->to = to;
  span->events = g_array_ref (making->gather.events);
  span->operations = g_array_ref (making->gather.operations);
  span->broadcasts = g_array_ref (making->gather.broadcasts);
  span->waits = g_array_ref (making->waits);
  span->base = g_steal_pointer (&making->moment);
  span->first = from > 0 ? tl_sim_span_find (span, from - 1) : 0;
  index_waits (span);
  return span;
}

TlSimSpan *
tl_sim_span_new (TlSimRun *run, guint64 from, guint64 to, guint64 limit, GCancellable *cancellable, GError **error)
{
  const TlSimPlan *plan = tl_history_plan (run->history);
  const guint64    last = (guint64) G_MAXINT64 / 2;
  Making           making = { .moment = tl_moment_new (plan), .time = (gint64) MIN (from, last - 1) };
  TlWatch          watch = {
             .piece = watch_piece, .operation = watch_operation, .broadcast = watch_broadcast, .stand = stand, .data = &making
  };
  gint64     end_time = (gint64) CLAMP (to, (guint64) making.time + 1, last);
  TlSimSpan *span = NULL;

  making.loaded = g_new (TlTask, plan->pus);
  making.first = g_new (gint64, plan->pus);
  making.waits = g_array_new (FALSE, FALSE, sizeof (TlSimWait));
  memset (making.first, 0xff, plan->pus * sizeof (gint64));
  tl_gather_init (&making.gather, run, 0, end_time, limit, cancellable);
  making.gather.commands_from = making.time;
  making.gather.early = happen;
  making.gather.left = leave;
  making.gather.early_data = &making;
  making.gather.skipped = g_new0 (TlSimCounts, plan->pus);
  if (tl_history_replay (run->history, making.time, end_time - 1, NULL, &watch, begin, end, &making,
                         making.gather.stop))
    span = finish (&making, (guint64) making.time, (guint64) end_time);
  else if (making.gather.over)
    g_set_error (error, TL_SIM_ERROR, TL_SIM_ERROR_TOO_BIG, "more than %" G_GUINT64_FORMAT " events", limit);
  else
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "cancelled");
  tl_gather_clear (&making.gather);
  g_clear_pointer (&making.moment, tl_sim_moment_free);
  g_array_unref (making.waits);
  g_free (making.gather.skipped);
  g_free (making.loaded);
  g_free (making.first);
  return span;
}

void
tl_sim_span_free (TlSimSpan *span)
{
  if (span == NULL)
    return;
  g_array_unref (span->events);
  g_array_unref (span->operations);
  g_array_unref (span->broadcasts);
  g_array_unref (span->waits);
  g_free (span->wait_start);
  tl_sim_moment_free (span->base);
  tl_sim_run_unref (span->run);
  g_free (span);
}

guint
tl_sim_span_find (const TlSimSpan *span, guint64 time)
{
  guint low = 0, high = span->events->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (span->events, TlSimEvent, middle).time <= time)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

void
tl_sim_span_apply (const TlSimSpan *span, guint index, TlSimMoment *moment)
{
  tl_moment_apply (moment, tl_history_plan (span->run->history), &g_array_index (span->events, TlSimEvent, index),
                   span->operations, span->broadcasts);
}

void
tl_sim_span_settle (const TlSimSpan *span, TlSimMoment *moment, guint64 time)
{
  tl_moment_at_time (moment, time);
  for (guint pu = 0; pu < moment->n_pus; pu++)
    {
      TlPuMoment *state = &moment->pu[pu];

      state->wait = TL_WAIT_NONE;
      if (state->activity != TL_PU_IDLE)
        continue;
      if (time >= span->run->pu[pu].end)
        state->wait = TL_WAIT_END;
      for (guint32 w = span->wait_start[pu]; w < span->wait_start[pu + 1]; w++)
        {
          const TlSimWait *wait = &g_array_index (span->waits, TlSimWait, w);

          if (wait->from <= time && time < wait->to)
            state->wait = wait->wait;
        }
    }
}

TlSimMoment *
tl_sim_moment_at (TlSimRun *run, guint64 time, GCancellable *cancellable, GError **error)
{
  g_autoptr (TlSimSpan) span = tl_sim_span_new (run, time, time + 1, G_MAXUINT64, cancellable, error);
  TlSimMoment *moment;

  if (span == NULL)
    return NULL;
  moment = g_steal_pointer (&span->base);
  for (guint e = 0; e < span->events->len; e++)
    tl_sim_span_apply (span, e, moment);
  tl_sim_span_settle (span, moment, time);
  return moment;
}
