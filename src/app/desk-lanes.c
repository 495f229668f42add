/* The lanes of the stretch shown, made beside the main thread: which PUs or domains have one, and the work. */
#include "app/desk-private.h"

#include <stdio.h>
#include <string.h>

#define LANE_DOMAINS 20

static gboolean
is_chosen (const guint *chosen, guint n, guint pu)
{
  for (guint i = 0; i < n; i++)
    if (chosen[i] == pu)
      return TRUE;
  return FALSE;
}

/* The PU an id speaks of. */
static gboolean
pu_of (const char *id, const TlPimProgram *program, guint *pu)
{
  guint i, j;

  if (id == NULL)
    return FALSE;
  if (sscanf (id, "tile-%u-%u", &i, &j) == 2 && i < program->tiles && j < program->tiles)
    *pu = program->owner[(gsize) i * program->tiles + j];
  else if (sscanf (id, "pu-%u", pu) != 1 && sscanf (id, "bank-%u-", pu) != 1 && sscanf (id, "lane-pu-%u", pu) != 1
           && sscanf (id, "lane-bank-%u-", pu) != 1 && sscanf (id, "conflict-%u-", pu) != 1)
    return FALSE;
  return *pu < program->machine.pus;
}

/* The PUs with lanes of their own stay as they are; one that is selected takes the
 * first place when it has none. At first: the sender, then those that work. */
static void
choose_lanes (TlDesk *desk)
{
  const TlPimProgram *program = tl_desk_shown_run (desk)->program;
  guint               pus = program->machine.pus, n = 0, pu, chosen[2];

  for (guint i = 0; i < desk->n_lane_pus && n < 2; i++)
    if (desk->lane_pus[i] < pus && !is_chosen (chosen, n, desk->lane_pus[i]))
      chosen[n++] = desk->lane_pus[i];
  if (pu_of (desk->selection, program, &pu) && !is_chosen (chosen, n, pu))
    {
      chosen[1] = n > 0 ? chosen[0] : pu;
      chosen[0] = pu;
      n = MIN (n + 1, 2);
    }
  if (n == 0 && desk->frame != NULL && (desk->frame->moment->sending || desk->frame->moment->hopping))
    chosen[n++] = desk->frame->moment->broadcast.pu;
  for (guint pass = 0; pass < 2; pass++)
    for (pu = 0; pu < pus && n < 2; pu++)
      if (!is_chosen (chosen, n, pu)
          && (pass == 1 || desk->frame == NULL || desk->frame->moment->pu[pu].activity != TL_PU_IDLE))
        chosen[n++] = pu;
  for (guint i = 0; i < n; i++)
    desk->lane_pus[i] = chosen[i];
  desk->n_lane_pus = n;
}

/* What the worker that makes lanes is told. */
typedef struct
{
  TlSimRun    *run;
  TlReplayRun *replay;               /* instead of run */
  guint32      chosen;               /* domain that has a lane in any case */
  guint32      before[LANE_DOMAINS]; /* that have lanes now */
  guint        n_before;
  guint64      from, to;
  guint        columns;
  guint        pus[3];
  guint        n_pus;
  guint        generation;
} LanesWish;

static void
lanes_wish_free (gpointer data)
{
  LanesWish *wish = data;

  g_clear_pointer (&wish->run, tl_sim_run_unref);
  g_clear_pointer (&wish->replay, tl_replay_run_unref);
  g_free (wish);
}

static TlLanes *
replay_lanes (const LanesWish *wish, GError **error)
{
  guint32     domains[LANE_DOMAINS];
  const char *how;
  g_autoptr (TlReplayCursor) cursor = tl_replay_cursor_new (wish->replay);
  guint n = tl_replay_lanes_choose (cursor, wish->from, wish->to, wish->chosen, wish->before, wish->n_before, domains,
                                    LANE_DOMAINS, &how);
  TlLanes *lanes = tl_replay_lanes_new (cursor, wish->from, wish->to, wish->columns, domains, n, error);

  if (lanes != NULL)
    lanes->how = how;
  return lanes;
}

static void
make_lanes (GTask *task, gpointer desk, gpointer data, GCancellable *cancellable)
{
  LanesWish *wish = data;
  g_autoptr (GError) error = NULL;
  TlLanes *lanes = wish->replay != NULL
                       ? replay_lanes (wish, &error)
                       : tl_lanes_new (wish->run, wish->from, wish->to, wish->columns, wish->pus, wish->n_pus, &error);

  if (lanes != NULL)
    g_task_return_pointer (task, lanes, (GDestroyNotify) tl_lanes_free);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static void
on_lanes (GObject *object, GAsyncResult *result, gpointer data)
{
  TlDesk    *desk = TL_DESK (object);
  LanesWish *wish = g_task_get_task_data (G_TASK (result));
  TlLanes   *lanes = g_task_propagate_pointer (G_TASK (result), NULL);

  if (lanes == NULL || wish->generation != desk->lanes_generation)
    {
      tl_lanes_free (lanes);
      return;
    }
  g_clear_pointer (&desk->lanes, tl_lanes_free);
  desk->lanes = lanes;
  tl_desk_changed (desk, TL_DESK_LANES);
}

void
tl_desk_want_lanes (TlDesk *desk, TlSimRun *run, guint columns)
{
  LanesWish *wish = g_new0 (LanesWish, 1);
  g_autoptr (GTask) task = g_task_new (desk, NULL, on_lanes, NULL);

  choose_lanes (desk);
  desk->columns = columns;
  desk->lanes_fit = TRUE;
  *wish = (LanesWish) {
    .run = tl_sim_run_ref (run),
    .from = desk->from,
    .to = desk->to,
    .columns = columns,
    .n_pus = desk->n_lane_pus,
    .generation = ++desk->lanes_generation,
  };
  memcpy (wish->pus, desk->lane_pus, sizeof wish->pus);
  g_task_set_task_data (task, wish, lanes_wish_free);
  g_task_run_in_thread (task, make_lanes);
}

void
tl_desk_want_replay_lanes (TlDesk *desk, guint columns)
{
  LanesWish *wish = g_new0 (LanesWish, 1);
  g_autoptr (GTask) task = g_task_new (desk, NULL, on_lanes, NULL);
  const TlReplayShown *shown = tl_replay_track_shown (desk->replay, desk->selection);

  desk->columns = columns;
  desk->lanes_fit = TRUE;
  wish->replay = tl_replay_run_ref (shown->run);
  wish->from = desk->from;
  wish->to = desk->to;
  wish->columns = columns;
  wish->generation = ++desk->lanes_generation;
  if (shown->conflict != NULL)
    desk->lane_domain = shown->conflict->cause.domain;
  else
    tl_replay_domain_of (shown->run, desk->selection, &desk->lane_domain);
  wish->chosen = desk->lane_domain;
  for (guint l = 0; desk->lanes != NULL && l < desk->lanes->lanes->len && wish->n_before < LANE_DOMAINS; l++)
    {
      const TlLane *lane = g_ptr_array_index (desk->lanes->lanes, l);
      if (lane->rows && !lane->bus)
        wish->before[wish->n_before++] = lane->domain;
    }
  g_task_set_task_data (task, wish, lanes_wish_free);
  g_task_run_in_thread (task, make_lanes);
}

TlLanes *
tl_desk_replay_lanes (TlDesk *desk, TlReplayRun *run, guint columns)
{
  const LanesWish wish
      = { .replay = run, .chosen = desk->lane_domain, .from = desk->from, .to = desk->to, .columns = columns };

  return replay_lanes (&wish, NULL);
}
