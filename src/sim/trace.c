/* A trace: gathered events in chunked columns, and moments along it, every few
 * thousand events one kept. */
#include "sim/moment-private.h"

#include <string.h>

#define CHUNK        65536
#define MOMENT_EVERY 4096

typedef struct
{
  guint64 time[CHUNK];
  guint32 row[CHUNK];
  guint32 subject[CHUNK];
  guint16 pu[CHUNK];
  guint16 column[CHUNK];
  guint8  kind[CHUNK];
  guint8  bank[CHUNK];
} Chunk;

struct _TlSimTrace
{
  gatomicrefcount references;
  TlSimRun       *run;
  guint64         count;
  GPtrArray      *chunks;
  GArray         *operations;
  GArray         *broadcasts;
  GPtrArray      *moments; /* of a whole run: before events 0, every, 2 every, ... */
  guint64         every;
};

const char *
tl_sim_event_name (TlSimEventKind kind)
{
  static const char *const names[TL_N_SIM_EVENTS] = {
    "ACT",  "RD",      "WR",    "PRE",  "REF",  "start",     "copy",
    "read", "compute", "write", "done", "send", "ring free", "received",
  };

  return kind < TL_N_SIM_EVENTS ? names[kind] : "?";
}

static void
store (TlSimTrace *trace, const GArray *events)
{
  trace->count = events->len;
  for (guint64 e = 0; e < trace->count; e++)
    {
      const TlSimEvent *event = &g_array_index (events, TlSimEvent, e);
      Chunk            *chunk;
      guint             at = e % CHUNK;

      if (at == 0)
        g_ptr_array_add (trace->chunks, g_new (Chunk, 1));
      chunk = trace->chunks->pdata[trace->chunks->len - 1];
      chunk->time[at] = event->time;
      chunk->row[at] = event->row;
      chunk->subject[at] = event->subject;
      chunk->pu[at] = event->pu;
      chunk->column[at] = event->column;
      chunk->kind[at] = event->kind;
      chunk->bank[at] = event->bank;
    }
}

static void
keep_moments (TlSimTrace *trace)
{
  const TlSimPlan *plan = tl_history_plan (trace->run->history);
  g_autoptr (TlSimMoment) moment = tl_moment_new (plan);

  /* A moment of a big machine is worth many events. */
  trace->every = MAX (MOMENT_EVERY, (guint64) plan->pus * (32 + plan->timings.banks));
  g_ptr_array_add (trace->moments, tl_sim_moment_copy (moment));
  for (guint64 e = 0; e < trace->count; e++)
    {
      tl_sim_trace_step (trace, moment);
      if (moment->event % trace->every == 0)
        g_ptr_array_add (trace->moments, tl_sim_moment_copy (moment));
    }
}

static void
watch_piece (const TlPiece *piece, gpointer data)
{
  tl_gather_piece (data, piece);
}

static void
watch_operation (const TlOperation *operation, gpointer data)
{
  tl_gather_operation (data, operation);
}

static void
watch_broadcast (const TlBroadcast *broadcast, gpointer data)
{
  tl_gather_broadcast (data, broadcast);
}

static void
end (TlMachine *machine, gpointer data)
{
  tl_gather_refresh (data, machine);
}

TlSimTrace *
tl_sim_trace_new (TlSimRun *run, guint64 from, guint64 to, guint64 limit, GCancellable *cancellable, GError **error)
{
  g_autoptr (TlSimTrace) trace = g_new0 (TlSimTrace, 1);
  TlGather gather;
  TlWatch  watch = {
     .piece = watch_piece,
     .operation = watch_operation,
     .broadcast = watch_broadcast,
     .data = &gather,
  };
  gboolean whole = from == 0 && to == G_MAXUINT64, over;

  g_atomic_ref_count_init (&trace->references);
  trace->run = tl_sim_run_ref (run);
  trace->chunks = g_ptr_array_new_with_free_func (g_free);
  trace->moments = g_ptr_array_new_with_free_func ((GDestroyNotify) tl_sim_moment_free);
  tl_gather_init (&gather, run, (gint64) MIN (from, (guint64) G_MAXINT64 / 2),
                  (gint64) MIN (to, (guint64) G_MAXINT64 / 2), limit, cancellable);
  tl_history_replay (run->history, gather.from, gather.to, NULL, &watch, NULL, end, &gather, gather.stop);
  over = gather.over;
  if (!over && !g_cancellable_is_cancelled (gather.stop))
    {
      tl_gather_sort (&gather);
      store (trace, gather.events);
    }
  trace->operations = g_array_ref (gather.operations);
  trace->broadcasts = g_array_ref (gather.broadcasts);
  tl_gather_clear (&gather);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  if (over)
    {
      g_set_error (error, TL_SIM_ERROR, TL_SIM_ERROR_TOO_BIG, "more than %" G_GUINT64_FORMAT " events", limit);
      return NULL;
    }
  if (whole)
    keep_moments (trace);
  return g_steal_pointer (&trace);
}

/* How long a part may be is not known beforehand: one that is too big is halved, after
 * small ones the next is longer. */
gboolean
tl_sim_trace_walk (TlSimRun *run, guint64 from, guint64 to, guint64 most, TlSimTraceFunc part, gpointer data,
                   GCancellable *cancellable, GError **error)
{
  const guint64 end = run->makespan + (guint64) tl_history_plan (run->history)->horizon;
  guint64       length = 1000000;

  while (from < to)
    {
      /* After the end of the run nothing but what is left of it. */
      guint64 until = from > end || to - from <= length ? to : from + length;
      g_autoptr (GError) problem = NULL;
      g_autoptr (TlSimTrace) trace
          = tl_sim_trace_new (run, from, until, length > 1 ? most : G_MAXUINT64, cancellable, &problem);

      if (trace == NULL && length > 1 && g_error_matches (problem, TL_SIM_ERROR, TL_SIM_ERROR_TOO_BIG))
        {
          length /= 2;
          continue;
        }
      if (trace == NULL)
        {
          g_propagate_error (error, g_steal_pointer (&problem));
          return FALSE;
        }
      if (!part (trace, data, error))
        return FALSE;
      from = until;
      if (trace->count <= most / 4)
        length = MIN (length, G_MAXUINT64 / 4) * 2;
    }
  return TRUE;
}

TlSimTrace *
tl_sim_trace_ref (TlSimTrace *trace)
{
  g_atomic_ref_count_inc (&trace->references);
  return trace;
}

void
tl_sim_trace_unref (TlSimTrace *trace)
{
  if (trace == NULL || !g_atomic_ref_count_dec (&trace->references))
    return;
  tl_sim_run_unref (trace->run);
  g_ptr_array_unref (trace->chunks);
  g_ptr_array_unref (trace->moments);
  g_clear_pointer (&trace->operations, g_array_unref);
  g_clear_pointer (&trace->broadcasts, g_array_unref);
  g_free (trace);
}

TlSimRun *
tl_sim_trace_run (const TlSimTrace *trace)
{
  return trace->run;
}

guint64
tl_sim_trace_count (const TlSimTrace *trace)
{
  return trace->count;
}

gboolean
tl_sim_trace_is_whole (const TlSimTrace *trace)
{
  return trace->moments->len > 0;
}

void
tl_sim_trace_event (const TlSimTrace *trace, guint64 index, TlSimEvent *event)
{
  const Chunk *chunk;
  guint        at = index % CHUNK;

  g_return_if_fail (index < trace->count);
  chunk = trace->chunks->pdata[index / CHUNK];
  *event = (TlSimEvent) {
    .time = chunk->time[at],
    .row = chunk->row[at],
    .subject = chunk->subject[at],
    .pu = chunk->pu[at],
    .column = chunk->column[at],
    .kind = chunk->kind[at],
    .bank = chunk->bank[at],
  };
}

guint64
tl_sim_trace_find (const TlSimTrace *trace, guint64 time)
{
  guint64 low = 0, high = trace->count;

  while (low < high)
    {
      guint64      middle = low + (high - low) / 2;
      const Chunk *chunk = trace->chunks->pdata[middle / CHUNK];

      if (chunk->time[middle % CHUNK] < time)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

const GArray *
tl_sim_trace_operations (const TlSimTrace *trace)
{
  return trace->operations;
}

const GArray *
tl_sim_trace_broadcasts (const TlSimTrace *trace)
{
  return trace->broadcasts;
}

gboolean
tl_sim_event_command (const TlSimEvent *event, guint32 banks, TlCommand *command)
{
  if (event->kind > TL_SIM_EVENT_REF)
    return FALSE;
  *command = (TlCommand) {
    .time = event->time,
    .domain = event->pu * banks + event->bank,
    .row = event->row,
    .column = event->column,
    .kind = event->kind,
  };
  return TRUE;
}

gboolean
tl_sim_trace_step (TlSimTrace *trace, TlSimMoment *moment)
{
  TlSimEvent event;

  if (moment->event >= trace->count)
    return FALSE;
  tl_sim_trace_event (trace, moment->event, &event);
  tl_moment_apply (moment, tl_history_plan (trace->run->history), &event, trace->operations, trace->broadcasts);
  moment->event++;
  tl_moment_at_time (moment, event.time);
  return TRUE;
}

TlSimMoment *
tl_sim_trace_moment (TlSimTrace *trace, guint64 index)
{
  TlSimMoment *moment;

  g_return_val_if_fail (trace->moments->len > 0, NULL);
  index = MIN (index, trace->count);
  moment = tl_sim_moment_copy (trace->moments->pdata[MIN (index / trace->every, trace->moments->len - 1)]);
  while (moment->event < index)
    tl_sim_trace_step (trace, moment);
  return moment;
}
