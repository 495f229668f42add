/* Windows of a run of any size: operations and broadcasts that overlap a time, the
 * events beside it, and a PU's lane in shares between checkpoints. */
#include "sim/moment-private.h"

typedef struct
{
  TlSimWindow    *window;
  guint64         limit;
  gboolean        over;
  GCancellable   *stop;
  GCancellable   *user;
  const gboolean *wanted; /* or NULL */
} Filling;

static void
fill_operation (const TlOperation *operation, gpointer data)
{
  Filling *filling = data;

  if (g_cancellable_is_cancelled (filling->user))
    g_cancellable_cancel (filling->stop);
  if (operation->end <= filling->window->from || operation->ready >= filling->window->to || filling->over
      || (filling->wanted != NULL && !filling->wanted[operation->pu]))
    return;
  g_array_append_vals (filling->window->operations, operation, 1);
  if (filling->window->operations->len > filling->limit)
    {
      filling->over = TRUE;
      g_cancellable_cancel (filling->stop);
    }
}

static void
fill_broadcast (const TlBroadcast *broadcast, gpointer data)
{
  Filling *filling = data;

  if (broadcast->usable > filling->window->from && broadcast->start < filling->window->to)
    g_array_append_vals (filling->window->broadcasts, broadcast, 1);
}

static gint
by_pu_and_start (gconstpointer a, gconstpointer b)
{
  const TlOperation *x = a, *y = b;

  if (x->pu != y->pu)
    return x->pu < y->pu ? -1 : 1;
  return (x->start > y->start) - (x->start < y->start);
}

static gint
by_start (gconstpointer a, gconstpointer b)
{
  const TlBroadcast *x = a, *y = b;

  return (x->start > y->start) - (x->start < y->start);
}

/* Do the checkpoints alone tell that there are more than @limit operations? */
static gboolean
are_too_many (TlSimRun *run, const gboolean *wanted, gint64 from, gint64 to, guint64 limit)
{
  guint64 operations = 0;

  for (guint pu = 0; pu < run->program->machine.pus; pu++)
    if (wanted == NULL || wanted[pu])
      operations += tl_history_operations (run->history, pu, from, to);
  return operations > limit;
}

static TlSimWindow *
window_new (TlSimRun *run, const gboolean *wanted, guint64 from, guint64 to, guint64 limit, GCancellable *cancellable,
            GError **error)
{
  g_autoptr (TlSimWindow) window = g_new0 (TlSimWindow, 1);
  g_autoptr (GCancellable) stop = g_cancellable_new ();
  Filling filling = { window, limit, FALSE, stop, cancellable, wanted };
  TlWatch watch = { .operation = fill_operation, .broadcast = fill_broadcast, .data = &filling };

  window->from = from;
  window->to = MIN (to, (guint64) G_MAXINT64 / 2);
  window->operations = g_array_new (FALSE, FALSE, sizeof (TlOperation));
  window->broadcasts = g_array_new (FALSE, FALSE, sizeof (TlBroadcast));
  filling.over = are_too_many (run, wanted, (gint64) MIN (from, window->to), (gint64) window->to, limit);
  if (!filling.over)
    tl_history_replay (run->history, (gint64) MIN (from, window->to), (gint64) window->to, wanted, &watch, NULL, NULL,
                       NULL, stop);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  if (filling.over)
    {
      g_set_error (error, TL_SIM_ERROR, TL_SIM_ERROR_TOO_BIG, "more than %" G_GUINT64_FORMAT " operations", limit);
      return NULL;
    }
  g_array_sort (window->operations, by_pu_and_start);
  g_array_sort (window->broadcasts, by_start);
  return g_steal_pointer (&window);
}

TlSimWindow *
tl_sim_window_new (TlSimRun *run, guint64 from, guint64 to, guint64 limit, GCancellable *cancellable, GError **error)
{
  return window_new (run, NULL, from, to, limit, cancellable, error);
}

TlSimWindow *
tl_sim_window_new_of (TlSimRun *run, const guint *pus, guint n_pus, guint64 from, guint64 to, guint64 limit,
                      GCancellable *cancellable, GError **error)
{
  g_autofree gboolean *wanted = g_new0 (gboolean, run->program->machine.pus);

  for (guint p = 0; p < n_pus; p++)
    if (pus[p] < run->program->machine.pus)
      wanted[pus[p]] = TRUE;
  return window_new (run, wanted, from, to, limit, cancellable, error);
}

void
tl_sim_window_free (TlSimWindow *window)
{
  if (window == NULL)
    return;
  g_array_unref (window->operations);
  g_array_unref (window->broadcasts);
  g_free (window);
}

/* The first event after a time: of pieces in sight all commands, of later ones their
 * first. */
typedef struct
{
  TlGather gather;
  gint64   time;
  gint64   next;
} Search;

static void
consider (Search *search, gint64 time)
{
  if (time > search->time)
    search->next = MIN (search->next, time);
}

static void
search_piece (const TlPiece *piece, gpointer data)
{
  Search *search = data;

  if (piece->start <= search->time || search->gather.plan->timings.tREFI > 0)
    tl_gather_piece (&search->gather, piece);
  else
    {
      consider (search, piece->times.first);
      if (piece->kind == TL_PIECE_STORE)
        {
          consider (search, piece->compute);
          consider (search, piece->start);
        }
    }
  for (guint e = 0; e < search->gather.events->len; e++)
    consider (search, (gint64) g_array_index (search->gather.events, TlSimEvent, e).time);
  g_array_set_size (search->gather.events, 0);
  /* What comes after it is of no more interest. */
  search->gather.to = MIN (search->gather.to, search->next);
}

static void
search_broadcast (const TlBroadcast *broadcast, gpointer data)
{
  consider (data, (gint64) broadcast->start);
  consider (data, (gint64) broadcast->end);
  consider (data, (gint64) broadcast->usable);
}

static void
search_refresh (TlMachine *machine, gpointer data)
{
  Search *search = data;

  tl_gather_refresh (&search->gather, machine);
  for (guint e = 0; e < search->gather.events->len; e++)
    consider (search, (gint64) g_array_index (search->gather.events, TlSimEvent, e).time);
}

gboolean
tl_sim_next_event (TlSimRun *run, guint64 time, guint64 *next)
{
  Search  search = { .time = (gint64) MIN (time, (guint64) G_MAXINT64 / 4), .next = G_MAXINT64 };
  TlWatch watch = { .piece = search_piece, .broadcast = search_broadcast, .data = &search };

  tl_gather_init (&search.gather, run, search.time + 1, G_MAXINT64 / 2, G_MAXUINT64, NULL);
  tl_history_replay (run->history, search.time, search.time, NULL, &watch, NULL, search_refresh, &search, NULL);
  tl_gather_clear (&search.gather);
  *next = (guint64) search.next;
  return search.next != G_MAXINT64;
}

/* The last event before a time, in two replays: the first, of that time alone, finds one
 * that is not far from it; the second looks at what lies between. */
typedef struct
{
  TlGather gather;
  gint64   time;
  gint64   best; /* -1: none */
} Backward;

static void
consider_before (Backward *backward, gint64 time)
{
  if (time < backward->time)
    backward->best = MAX (backward->best, time);
}

static void
near_stand (const TlMachine *machine, guint pu, const TlGroup *group, gpointer data)
{
  /* A PU's last operation is done when it ends. */
  if (machine->pu[pu].end > 0)
    consider_before (data, machine->pu[pu].end);
}

static void
near_piece (const TlPiece *piece, gpointer data)
{
  if (piece->kind != TL_PIECE_STORE)
    consider_before (data, piece->times.first);
  else
    consider_before (data, piece->compute);
  if (piece->kind != TL_PIECE_LOAD)
    consider_before (data, piece->times.end);
}

static void
near_broadcast (const TlBroadcast *broadcast, gpointer data)
{
  consider_before (data, (gint64) broadcast->start);
  consider_before (data, (gint64) broadcast->end);
  consider_before (data, (gint64) broadcast->usable);
}

/* Looks at what was gathered; earlier events are of no more interest. */
static void
take_events (Backward *backward)
{
  TlGather *gather = &backward->gather;

  for (guint e = 0; e < gather->events->len; e++)
    consider_before (backward, (gint64) g_array_index (gather->events, TlSimEvent, e).time);
  g_array_set_size (gather->events, 0);
  gather->from = gather->commands_from = MAX (backward->best, 0);
}

static void
back_piece (const TlPiece *piece, gpointer data)
{
  Backward *backward = data;

  tl_gather_piece (&backward->gather, piece);
  take_events (backward);
}

static void
back_refresh (TlMachine *machine, gpointer data)
{
  Backward *backward = data;

  tl_gather_refresh (&backward->gather, machine);
  take_events (backward);
}

gboolean
tl_sim_previous_event (TlSimRun *run, guint64 time, guint64 *previous)
{
  const gint64 horizon = tl_history_plan (run->history)->horizon;
  Backward     backward = { .time = (gint64) MIN (time, run->makespan + (guint64) horizon + 1), .best = -1 };
  TlWatch      near = { .piece = near_piece, .broadcast = near_broadcast, .stand = near_stand, .data = &backward };
  TlWatch      between = { .piece = back_piece, .broadcast = near_broadcast, .data = &backward };
  gint64       from;

  if (backward.time == 0)
    return FALSE;
  tl_history_replay (run->history, backward.time - 1, backward.time - 1, NULL, &near, NULL, NULL, &backward, NULL);
  from = MAX (backward.best, 0);
  tl_gather_init (&backward.gather, run, from, backward.time, G_MAXUINT64, NULL);
  tl_history_replay (run->history, from, backward.time - 1, NULL, &between, NULL, back_refresh, &backward, NULL);
  tl_gather_clear (&backward.gather);
  *previous = (guint64) MAX (backward.best, 0);
  return backward.best >= 0;
}

static guint64
between (guint64 before, guint64 after)
{
  return after - before;
}

GArray *
tl_sim_lane (TlSimRun *run, guint32 pu)
{
  const TlHistory *history = run->history;
  GArray          *lane = g_array_new (FALSE, TRUE, sizeof (TlLaneShare));
  TlPuTimes        before;
  gint64           end;
  guint32          k = tl_history_pu (history, 0, pu, &before, &end);

  for (guint c = 1; c <= tl_history_count (history); c++)
    {
      gboolean    last = c == tl_history_count (history);
      TlPuTimes   after = run->pu[pu].times;
      gint64      after_end = (gint64) run->pu[pu].end;
      guint32     after_k = last ? run->program->tiles : tl_history_pu (history, c, pu, &after, &after_end);
      TlLaneShare share = { .from = (guint64) end, .to = (guint64) after_end, .k = k, .k_end = after_k };

      /* A checkpoint within a step ends nothing. */
      if (after_k == k)
        continue;
      end = after_end;
      k = after_k;
      share.times = (TlPuTimes) {
        .busy = between (before.busy, after.busy),
        .computing = between (before.computing, after.computing),
        .wait_operand = between (before.wait_operand, after.wait_operand),
        .wait_ring = between (before.wait_ring, after.wait_ring),
        .wait_barrier = between (before.wait_barrier, after.wait_barrier),
      };
      g_array_append_val (lane, share);
      before = after;
    }
  return lane;
}
