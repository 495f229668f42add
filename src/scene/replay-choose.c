/* Which domains get lanes in the stretch of time that is shown. */
#include "scene/replay.h"

#include <string.h>

/* Events that are walked to count them; beyond, the run's own pieces of time have to do. */
#define WALK_LIMIT 1000000
/* What is shown already counts half as much again, so that lanes do not come and go. */
#define KEPT 1.5

static gboolean
is_in (const guint32 *domains, guint n, guint32 domain)
{
  for (guint i = 0; i < n; i++)
    if (domains[i] == domain)
      return TRUE;
  return FALSE;
}

typedef struct
{
  double  conflicts, requests;
  double  score;
  guint32 domain;
} Busy;

static gboolean
count (const TlEvent *events, gsize n, guint64 index, gpointer data)
{
  Busy *busy = data;

  for (gsize i = 0; i < n; i++)
    {
      busy[events[i].domain].requests += events[i].kind == TL_EVENT_RD || events[i].kind == TL_EVENT_WR;
      busy[events[i].domain].conflicts += events[i].kind == TL_EVENT_PRE && events[i].reason == TL_CLOSE_CONFLICT;
    }
  return TRUE;
}

/* From the pieces of time that the run kept. */
static void
count_pieces (TlReplayRun *run, guint64 from, guint64 to, Busy *busy)
{
  const TlTimeBins *bins = tl_replay_run_bins (run);

  for (guint32 d = 0; d < bins->n_domains; d++)
    for (guint b = 0; bins->domains[d] != NULL && b < bins->used; b++)
      if ((b + 1) * bins->width > from && b * bins->width < to)
        {
          busy[d].requests += bins->domains[d][b].columns;
          busy[d].conflicts += bins->domains[d][b].of[TL_ROW_CONFLICT];
        }
}

static int
most_busy (gconstpointer a, gconstpointer b)
{
  const Busy *x = a, *y = b;

  if (x->score != y->score)
    return x->score < y->score ? 1 : -1;
  return (x->domain > y->domain) - (x->domain < y->domain);
}

guint
tl_replay_lanes_choose (TlReplayCursor *cursor, guint64 from, guint64 to, guint32 chosen, const guint32 *before,
                        guint n_before, guint32 *domains, guint n, const char **how)
{
  TlReplayRun     *run = tl_replay_cursor_run (cursor);
  guint32          all = tl_memory_domains (tl_replay_run_memory (run));
  g_autofree Busy *busy = g_new0 (Busy, MAX (all, 1));
  guint            found = 0;
  double           conflicts = 0;

  if (tl_replay_cursor_events_in (cursor, from, to) > WALK_LIMIT
      || tl_replay_cursor_at_time (cursor, from, NULL) == NULL
      || !tl_replay_cursor_walk (cursor, from, to, count, busy, NULL))
    count_pieces (run, from, to, busy);
  for (guint32 d = 0; d < all; d++)
    {
      busy[d].domain = d;
      busy[d].score = (busy[d].conflicts * 1e6 + busy[d].requests) * (is_in (before, n_before, d) ? KEPT : 1);
      conflicts += busy[d].conflicts;
    }
  *how = conflicts > 0 ? "most conflicts in view" : "most requests in view";
  qsort (busy, all, sizeof *busy, most_busy);
  if (chosen < all && n > 0)
    domains[found++] = chosen;
  for (guint32 d = 0; d < all && found < n && busy[d].score > 0; d++)
    if (!is_in (domains, found, busy[d].domain))
      domains[found++] = busy[d].domain;
  /* Where little happens the rest stays as it was. */
  for (guint b = 0; b < n_before && found < n; b++)
    if (before[b] < all && !is_in (domains, found, before[b]))
      domains[found++] = before[b];
  return found;
}
