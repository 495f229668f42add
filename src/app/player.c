/* The time cursor. */
#include "app/player.h"

#include <glib/gi18n.h>

struct _TlPlayer
{
  GObject              parent_instance;
  TlSimRun            *run;
  TlFrameSource       *source;
  const TlPlayerTrack *track; /* instead of a run */
  gpointer             data;  /* its own */
  guint64              time;
  TlStepUnit           unit;
  guint                dwell;
  gboolean             playing;
  gint64               last; /* frame time of the last step, 0 when play has just begun */
};

G_DEFINE_FINAL_TYPE (TlPlayer, tl_player, G_TYPE_OBJECT)

enum
{
  MOVED,
  STATE,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

/* At most so many units a frame, so that a short dwell cannot stall the window. */
#define STEPS_A_FRAME 8

guint64
tl_player_end (TlPlayer *player)
{
  if (player->track != NULL)
    return player->track->end (player->data);
  return player->run != NULL ? player->run->makespan : 0;
}

guint64
tl_player_clock (TlPlayer *player)
{
  if (player->track != NULL)
    return player->track->clock (player->data);
  return player->run != NULL ? MAX (player->run->program->machine.clock, 1u) : 1;
}

const char *const *
tl_player_units (TlPlayer *player)
{
  static const char *const units[] = { N_ ("cycle"), N_ ("event"), N_ ("phase"), NULL };

  return player->track != NULL ? player->track->units : units;
}

void
tl_player_arrive (TlPlayer *player, guint64 time)
{
  player->time = time;
  g_signal_emit (player, signals[MOVED], 0);
}

static void
move_to (TlPlayer *player, guint64 time)
{
  time = MIN (time, tl_player_end (player));
  if (time == player->time)
    return;
  if (player->track != NULL)
    player->track->seek (player->data, time);
  tl_player_arrive (player, time);
}

void
tl_player_set_track (TlPlayer *player, const TlPlayerTrack *track, gpointer data)
{
  tl_player_set_run (player, NULL);
  tl_player_set_playing (player, FALSE);
  player->track = track;
  player->data = data;
  player->time = 0;
  g_signal_emit (player, signals[STATE], 0);
}

void
tl_player_set_run (TlPlayer *player, TlSimRun *run)
{
  double share = player->run != NULL && player->run->makespan > 0 ? (double) player->time / player->run->makespan : 0;

  if (run == player->run)
    return;
  gboolean same_length = run != NULL && player->run != NULL && run->makespan == player->run->makespan;
  if (run != NULL)
    tl_sim_run_ref (run);
  g_clear_pointer (&player->source, tl_frame_source_free);
  g_clear_pointer (&player->run, tl_sim_run_unref);
  player->run = run;
  player->source = run != NULL ? tl_frame_source_new (run) : NULL;
  if (run == NULL)
    player->time = 0;
  else if (!same_length)
    player->time = MIN ((guint64) (share * run->makespan), run->makespan);
  g_signal_emit (player, signals[MOVED], 0);
}

TlSimRun *
tl_player_run (TlPlayer *player)
{
  return player->run;
}

TlFrameSource *
tl_player_source (TlPlayer *player)
{
  return player->source;
}

guint64
tl_player_time (TlPlayer *player)
{
  return player->time;
}

void
tl_player_seek (TlPlayer *player, guint64 time)
{
  move_to (player, time);
}

/* Start of the phase after (before) the one that the latest operation is in: found by
 * looking at the operations of the steps around the time. */
static guint64
phase_edge (TlPlayer *player, gboolean forward)
{
  guint64 best = forward ? player->run->makespan : 0, span = 1000000;

  for (guint grow = 0; grow < 24; grow++, span *= 4)
    {
      guint64 from = forward ? player->time : player->time > span ? player->time - span : 0;
      guint64 to = forward ? MIN (player->time + span, player->run->makespan) : player->time;
      g_autoptr (TlSimWindow) window = tl_sim_window_new (player->run, from, MAX (to, from + 1), 200000, NULL, NULL);
      gboolean found = FALSE;
      if (window == NULL)
        break;
      for (guint b = 0; b < window->broadcasts->len; b++)
        {
          const TlBroadcast *broadcast = &g_array_index (window->broadcasts, TlBroadcast, b);
          guint64            edges[2] = { broadcast->start, broadcast->usable };
          for (guint e = 0; e < 2; e++)
            if (forward ? edges[e] > player->time && edges[e] < best : edges[e] < player->time && edges[e] > best)
              {
                best = edges[e];
                found = TRUE;
              }
        }
      if (found || (forward ? to >= player->run->makespan : from == 0))
        break;
    }
  return best;
}

void
tl_player_step_unit (TlPlayer *player, TlStepUnit unit, gboolean forward)
{
  guint64 clock, next;

  if (player->track != NULL)
    {
      if (player->track->step (player->data, unit, forward, &next))
        tl_player_arrive (player, next);
      else if (forward)
        tl_player_set_playing (player, FALSE);
      return;
    }
  if (player->run == NULL)
    return;
  switch (unit)
    {
    case TL_STEP_CYCLE:
      clock = MAX (player->run->program->machine.clock, 1u);
      move_to (player, forward ? player->time + clock : player->time > clock ? player->time - clock : 0);
      break;
    case TL_STEP_EVENT:
      if (forward)
        move_to (player, tl_frame_next (player->source, player->time, &next) ? next : player->run->makespan);
      else
        move_to (player, tl_frame_previous (player->source, player->time, &next) ? next : 0);
      break;
    case TL_STEP_PHASE:
      move_to (player, phase_edge (player, forward));
      break;
    }
}

void
tl_player_step (TlPlayer *player, gboolean forward)
{
  tl_player_step_unit (player, player->unit, forward);
}

TlStepUnit
tl_player_unit (TlPlayer *player)
{
  return player->unit;
}

void
tl_player_set_unit (TlPlayer *player, TlStepUnit unit)
{
  if (player->unit == unit)
    return;
  player->unit = unit;
  g_signal_emit (player, signals[STATE], 0);
}

gboolean
tl_player_is_playing (TlPlayer *player)
{
  return player->playing;
}

void
tl_player_set_playing (TlPlayer *player, gboolean playing)
{
  if (player->playing == playing)
    return;
  player->playing = playing;
  player->last = 0;
  g_signal_emit (player, signals[STATE], 0);
}

guint
tl_player_dwell (TlPlayer *player)
{
  return player->dwell;
}

void
tl_player_set_dwell (TlPlayer *player, guint ms)
{
  ms = CLAMP (ms, 10, 5000);
  if (player->dwell == ms)
    return;
  player->dwell = ms;
  g_signal_emit (player, signals[STATE], 0);
}

void
tl_player_advance (TlPlayer *player, gint64 now)
{
  gint64 dwell = (gint64) player->dwell * 1000;

  if (!player->playing || (player->run == NULL && player->track == NULL))
    return;
  if (player->last == 0)
    player->last = now;
  for (guint step = 0; step < STEPS_A_FRAME && now - player->last >= dwell && player->playing; step++)
    {
      player->last += dwell;
      tl_player_step (player, TRUE);
    }
  if (now - player->last > dwell)
    player->last = now;
  if (player->track != NULL)
    return;
  tl_frame_look_ahead (player->source, player->time);
  if (player->time >= player->run->makespan)
    tl_player_set_playing (player, FALSE);
}

static void
tl_player_finalize (GObject *object)
{
  g_clear_pointer (&TL_PLAYER (object)->source, tl_frame_source_free);
  g_clear_pointer (&TL_PLAYER (object)->run, tl_sim_run_unref);
  G_OBJECT_CLASS (tl_player_parent_class)->finalize (object);
}

static void
tl_player_class_init (TlPlayerClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tl_player_finalize;
  signals[MOVED] = g_signal_new ("moved", TL_TYPE_PLAYER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[STATE] = g_signal_new ("state", TL_TYPE_PLAYER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
tl_player_init (TlPlayer *player)
{
  player->unit = TL_STEP_EVENT;
  player->dwell = 200;
}

TlPlayer *
tl_player_new (void)
{
  return g_object_new (TL_TYPE_PLAYER, NULL);
}
