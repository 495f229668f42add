/* A stretch between two checkpoints is run again from the first of them, and its events
 * are kept; moments are folded from there. */
#include "dram/replay-cursor.h"

#include "dram/engine-private.h"
#include "dram/replay-run-private.h"

#define N_SPANS 2

/* The events of a stretch, and who came in. */
typedef struct
{
  guint           index;   /* G_MAXUINT: holds nothing */
  guint64         used;    /* when last, in calls */
  guint64         first;   /* event */
  GArray         *events;  /* of TlEvent */
  GArray         *entries; /* of TlEntry */
  TlReplayMoment *start;   /* at its checkpoint */
} Span;

struct _TlReplayCursor
{
  TlReplayRun    *run;
  TlEngine       *engine;
  GByteArray     *room;
  TlAccess       *accesses; /* TL_ACCESS_BLOCK */
  guint64         block;    /* what is in accesses, G_MAXUINT64: nothing */
  guint           n_accesses;
  Span            spans[N_SPANS];
  guint64         calls;
  TlReplayMoment *moment; /* where it is */
  guint           in;     /* stretch the moment was folded in, G_MAXUINT: none */
  Span           *filling;
  guint64         told; /* events of the stretch being filled, flushed */
};

static gboolean
hear (const TlEvent *events, gsize n, gpointer data)
{
  TlReplayCursor *cursor = data;

  g_array_append_vals (cursor->filling->events, events, (guint) n);
  cursor->told += n;
  return TRUE;
}

TlReplayCursor *
tl_replay_cursor_new (TlReplayRun *run)
{
  TlReplayCursor *cursor = g_new0 (TlReplayCursor, 1);
  TlEngineOptions options = run->options;

  cursor->run = tl_replay_run_ref (run);
  options.sink = hear;
  options.sink_data = cursor;
  cursor->engine = tl_engine_new (&run->memory, run->map, &options);
  cursor->room = g_byte_array_new ();
  cursor->accesses = g_new (TlAccess, TL_ACCESS_BLOCK);
  cursor->block = G_MAXUINT64;
  for (guint i = 0; i < N_SPANS; i++)
    cursor->spans[i] = (Span) {
      .index = G_MAXUINT,
      .events = g_array_new (FALSE, FALSE, sizeof (TlEvent)),
      .entries = g_array_new (FALSE, FALSE, sizeof (TlEntry)),
      .start = tl_replay_moment_new (&run->memory),
    };
  cursor->moment = tl_replay_moment_new (&run->memory);
  cursor->in = G_MAXUINT;
  return cursor;
}

void
tl_replay_cursor_free (TlReplayCursor *cursor)
{
  if (cursor == NULL)
    return;
  for (guint i = 0; i < N_SPANS; i++)
    {
      g_array_unref (cursor->spans[i].events);
      g_array_unref (cursor->spans[i].entries);
      tl_replay_moment_free (cursor->spans[i].start);
    }
  tl_replay_moment_free (cursor->moment);
  tl_engine_free (cursor->engine);
  g_byte_array_unref (cursor->room);
  g_free (cursor->accesses);
  tl_replay_run_unref (cursor->run);
  g_free (cursor);
}

TlReplayRun *
tl_replay_cursor_run (TlReplayCursor *cursor)
{
  return cursor->run;
}

/* --- stretches --- */

static const TlCheckpoint *
checkpoint (const TlReplayCursor *cursor, guint index)
{
  return &g_array_index (cursor->run->checkpoints, TlCheckpoint, index);
}

static gboolean
feed (TlReplayCursor *cursor, guint64 from, guint64 to, Span *span, GError **error)
{
  TlReplayRun *run = cursor->run;

  for (guint64 access = from; access < to; access++)
    {
      TlEntry entry;

      if (access / TL_ACCESS_BLOCK != cursor->block)
        {
          cursor->block = G_MAXUINT64;
          if (tl_access_log_read (run->log, access / TL_ACCESS_BLOCK, cursor->accesses, NULL, error) == 0)
            return FALSE;
          cursor->block = access / TL_ACCESS_BLOCK;
        }
      if (!tl_replay_feed (cursor->engine, &run->memory, run->map, &cursor->accesses[access % TL_ACCESS_BLOCK],
                           &cursor->told, &entry))
        g_assert_not_reached ();
      g_array_append_val (span->entries, entry);
    }
  return TRUE;
}

/* Stretch @index with its events. NULL with @error. */
static Span *
span_of (TlReplayCursor *cursor, guint index, GError **error)
{
  const TlCheckpoint *from = checkpoint (cursor, index);
  gboolean            last = index + 1 == cursor->run->checkpoints->len;
  guint64             to = last ? tl_access_log_count (cursor->run->log) : checkpoint (cursor, index + 1)->access;
  Span               *span = &cursor->spans[0];

  cursor->calls++;
  for (guint i = 0; i < N_SPANS; i++)
    {
      if (cursor->spans[i].index == index)
        {
          cursor->spans[i].used = cursor->calls;
          return &cursor->spans[i];
        }
      if (cursor->spans[i].used < span->used)
        span = &cursor->spans[i];
    }
  span->index = G_MAXUINT;
  span->used = cursor->calls;
  span->first = from->event;
  g_array_set_size (span->events, 0);
  g_array_set_size (span->entries, 0);
  cursor->filling = span;
  cursor->told = from->event;
  tl_replay_run_restore (cursor->run, index, cursor->engine, span->start, cursor->room);
  if (!feed (cursor, from->access, to, span, error))
    return NULL;
  if (last)
    tl_engine_finish (cursor->engine);
  else
    tl_engine_flush (cursor->engine);
  span->index = index;
  return span;
}

/* The stretch that event @event is in; the last one for the end. */
static guint
span_index (const TlReplayCursor *cursor, guint64 event)
{
  guint low = 0, high = cursor->run->checkpoints->len;

  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;
      if (checkpoint (cursor, middle)->event <= event)
        low = middle;
      else
        high = middle;
    }
  return low;
}

/* --- moments --- */

/* Everybody who came in before the last of @event events, and after it until @time. */
static guint
entered_by (const Span *span, guint64 event, guint64 time)
{
  guint low = 0, high = span->entries->len;

  while (low < high)
    {
      guint          middle = low + (high - low) / 2;
      const TlEntry *entry = &g_array_index (span->entries, TlEntry, middle);
      if (entry->position < event || (entry->position == event && entry->entered <= time))
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static void
fold (TlReplayCursor *cursor, const Span *span, guint64 event, guint64 time)
{
  const TlMemory *memory = &cursor->run->memory;
  TlReplayMoment *moment = cursor->moment;
  guint           want = entered_by (span, event, time);

  if (cursor->in != span->index || moment->event > event || moment->requests - span->start->requests > want)
    tl_replay_moment_assign (moment, span->start);
  cursor->in = span->index;
  guint taken = (guint) (moment->requests - span->start->requests);
  while (moment->event < event)
    {
      for (; taken < want; taken++)
        {
          const TlEntry *entry = &g_array_index (span->entries, TlEntry, taken);
          if (entry->position > moment->event)
            break;
          tl_replay_moment_enter (moment, entry, cursor->run->split_writes);
        }
      tl_replay_moment_apply (moment, memory, &g_array_index (span->events, TlEvent, moment->event - span->first));
    }
  for (; taken < want; taken++)
    tl_replay_moment_enter (moment, &g_array_index (span->entries, TlEntry, taken), cursor->run->split_writes);
  moment->time = time;
}

/* After @event events at @time; G_MAXUINT64: the time of the last of them. */
static const TlReplayMoment *
go (TlReplayCursor *cursor, guint64 event, guint64 time, GError **error)
{
  guint   index = span_index (cursor, event);
  TlEvent last;
  Span   *span;

  if (time == G_MAXUINT64 && event == 0)
    time = 0;
  else if (time == G_MAXUINT64)
    {
      if (!tl_replay_cursor_event (cursor, event - 1, &last, error))
        return NULL;
      time = last.time;
    }
  /* A checkpoint knows more than its last event: who came in after it. */
  if (index > 0 && checkpoint (cursor, index)->event == event && checkpoint (cursor, index)->time > time)
    index--;
  span = span_of (cursor, index, error);
  if (span == NULL)
    return NULL;
  fold (cursor, span, event, time);
  return cursor->moment;
}

const TlReplayMoment *
tl_replay_cursor_at_event (TlReplayCursor *cursor, guint64 events, GError **error)
{
  return go (cursor, MIN (events, cursor->run->events), G_MAXUINT64, error);
}

/* How many events lie at or before @time. */
static gboolean
events_by (TlReplayCursor *cursor, guint64 time, guint64 *events, GError **error)
{
  guint low = 0, high = cursor->run->checkpoints->len;
  Span *span;

  *events = 0;
  /* The last stretch that begins by then. */
  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;
      if (checkpoint (cursor, middle)->digest->from <= time)
        low = middle;
      else
        high = middle;
    }
  span = span_of (cursor, low, error);
  if (span == NULL)
    return FALSE;
  guint from = 0, to = span->events->len;
  while (from < to)
    {
      guint middle = from + (to - from) / 2;
      if (g_array_index (span->events, TlEvent, middle).time <= time)
        from = middle + 1;
      else
        to = middle;
    }
  *events = span->first + from;
  return TRUE;
}

const TlReplayMoment *
tl_replay_cursor_at_time (TlReplayCursor *cursor, guint64 time, GError **error)
{
  guint64 events;

  if (!events_by (cursor, time, &events, error))
    return NULL;
  return go (cursor, events, time, error);
}

gboolean
tl_replay_cursor_event (TlReplayCursor *cursor, guint64 index, TlEvent *event, GError **error)
{
  Span *span;

  if (index >= cursor->run->events)
    return FALSE;
  span = span_of (cursor, span_index (cursor, index), error);
  if (span == NULL)
    return FALSE;
  *event = g_array_index (span->events, TlEvent, index - span->first);
  return TRUE;
}

/* --- searching --- */

/* Looks through @span from @from on, or back before it. */
static gboolean
find_in (const TlReplayCursor *cursor, const Span *span, const TlEventQuery *query, guint64 from, gboolean forward,
         guint64 *index)
{
  const TlMemory *memory = &cursor->run->memory;
  guint64         end = span->first + span->events->len;

  if (forward)
    {
      for (guint64 e = MAX (from, span->first); e < end; e++)
        if (tl_event_query_matches (query, memory, &g_array_index (span->events, TlEvent, e - span->first)))
          {
            *index = e;
            return TRUE;
          }
      return FALSE;
    }
  for (guint64 e = MIN (from, end); e > span->first; e--)
    if (tl_event_query_matches (query, memory, &g_array_index (span->events, TlEvent, e - 1 - span->first)))
      {
        *index = e - 1;
        return TRUE;
      }
  return FALSE;
}

gboolean
tl_replay_cursor_find (TlReplayCursor *cursor, const TlEventQuery *query, guint64 from, gboolean forward,
                       guint64 *index, TlEvent *event, GCancellable *cancellable, GError **error)
{
  guint n = cursor->run->checkpoints->len;
  guint at;

  if (forward ? from >= cursor->run->events : from == 0)
    return FALSE;
  at = span_index (cursor, forward ? from : MIN (from, cursor->run->events) - 1);
  while (at < n)
    {
      if (tl_event_digest_may (checkpoint (cursor, at)->digest, query))
        {
          Span *span;

          if (g_cancellable_set_error_if_cancelled (cancellable, error))
            return FALSE;
          span = span_of (cursor, at, error);
          if (span == NULL)
            return FALSE;
          if (find_in (cursor, span, query, from, forward, index))
            {
              if (event != NULL)
                *event = g_array_index (span->events, TlEvent, *index - span->first);
              return TRUE;
            }
        }
      /* Below 0 it is past the last one too. */
      at = forward ? at + 1 : at - 1;
    }
  return FALSE;
}

/* --- stepping --- */

static const TlReplayMoment *
step_cycle (TlReplayCursor *cursor, gboolean forward, GError **error)
{
  guint64 clock = MAX (cursor->run->memory.clock, 1), time = cursor->moment->time;

  if (forward && time >= cursor->run->end)
    return NULL;
  if (!forward && time == 0)
    return NULL;
  return tl_replay_cursor_at_time (cursor, forward ? (time / clock + 1) * clock : (time - 1) / clock * clock, error);
}

const TlReplayMoment *
tl_replay_cursor_step (TlReplayCursor *cursor, TlReplayStep step, gboolean forward, GError **error)
{
  guint64      event = cursor->moment->event, found;
  TlEventQuery query;

  tl_event_query_init (&query);
  switch (step)
    {
    case TL_STEP_TO_CYCLE:
      return step_cycle (cursor, forward, error);
    case TL_STEP_TO_COMMAND:
      if (forward ? event >= cursor->run->events : event == 0)
        return NULL;
      return tl_replay_cursor_at_event (cursor, forward ? event + 1 : event - 1, error);
    case TL_STEP_TO_REQUEST:
      query.kinds = 1u << TL_EVENT_RD | 1u << TL_EVENT_WR | 1u << TL_EVENT_FORWARD;
      break;
    case TL_STEP_TO_CONFLICT:
      query.classes = 1u << TL_ROW_CONFLICT;
      break;
    }
  /* Back from an event that was just done is to the one before it. */
  if (!forward && event > 0 && tl_event_query_matches (&query, &cursor->run->memory, &cursor->moment->done))
    event--;
  if (!tl_replay_cursor_find (cursor, &query, event, forward, &found, NULL, NULL, error))
    return NULL;
  return tl_replay_cursor_at_event (cursor, found + 1, error);
}

/* --- stretches of time --- */

gboolean
tl_replay_cursor_walk (TlReplayCursor *cursor, guint64 from, guint64 to, TlReplayWalk func, gpointer data,
                       GError **error)
{
  guint64 first, end;

  if (to == 0)
    return TRUE;
  if ((from > 0 && !events_by (cursor, from - 1, &first, error)) || !events_by (cursor, to - 1, &end, error))
    return FALSE;
  if (from == 0)
    first = 0;
  while (first < end)
    {
      Span   *span = span_of (cursor, span_index (cursor, first), error);
      guint64 upto;

      if (span == NULL)
        return FALSE;
      upto = MIN (end, span->first + span->events->len);
      if (!func (&g_array_index (span->events, TlEvent, first - span->first), upto - first, first, data))
        return FALSE;
      first = upto;
    }
  return TRUE;
}

guint64
tl_replay_cursor_events_in (TlReplayCursor *cursor, guint64 from, guint64 to)
{
  const GArray *checkpoints = cursor->run->checkpoints;
  guint64       n = 0;

  for (guint i = 0; i < checkpoints->len; i++)
    {
      const TlEventDigest *digest = checkpoint (cursor, i)->digest;
      guint64              last = i + 1 < checkpoints->len ? checkpoint (cursor, i + 1)->event : cursor->run->events;

      if (digest->from < to && digest->to >= from)
        n += last - checkpoint (cursor, i)->event;
    }
  return n;
}

/* --- conflicts --- */

gboolean
tl_replay_cursor_conflict (TlReplayCursor *cursor, guint64 index, TlReplayConflict *conflict, GError **error)
{
  TlAccessLog    *log = cursor->run->log;
  const TlMemory *memory = &cursor->run->memory;
  TlEvent         pre, act;
  TlEventQuery    query;
  guint64         found;

  if (!tl_replay_cursor_event (cursor, index, &pre, error) || pre.kind != TL_EVENT_PRE
      || pre.reason != TL_CLOSE_CONFLICT)
    return FALSE;
  *conflict = (TlReplayConflict) { .event = index, .entered = pre.entered };
  if (!tl_access_log_get (log, pre.opener, &conflict->opener, &conflict->opener_line, error)
      || !tl_access_log_get (log, pre.request, &conflict->closer, &conflict->closer_line, error))
    return FALSE;
  tl_event_query_init (&query);
  query.kinds = 1u << TL_EVENT_ACT;
  query.request = pre.opener;
  query.domain = pre.domain;
  if (tl_replay_cursor_find (cursor, &query, index, FALSE, &found, &act, NULL, NULL))
    conflict->opened = act.time;
  query.request = pre.request;
  conflict->cause = (TlCause) {
    .time = pre.time,
    .opener = pre.opener,
    .closer = pre.request,
    .opener_unit = conflict->opener.unit,
    .closer_unit = conflict->closer.unit,
    .domain = pre.domain,
    .open_row = pre.row,
  };
  if (tl_replay_cursor_find (cursor, &query, index, TRUE, &found, &act, NULL, error))
    {
      conflict->cause.wanted_row = act.row;
      conflict->cause.lost = act.time + memory->tier[tl_memory_tier_of (memory, act.domain, act.row)].tRCD - pre.time;
    }
  return TRUE;
}
