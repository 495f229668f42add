/* The position is the cursor's: an event and a time. */
#include "app/replay-track.h"

#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>

struct _TlReplayTrack
{
  TlReplayRun          *run;
  TlReplayCursor       *cursor;
  TlReplayCursor       *finder; /* looks elsewhere, so that the moment stays */
  TlReplaySpots        *spots;
  char                 *target;
  const TlReplayMoment *moment;
  guint64               conflict_event; /* of conflict, G_MAXUINT64: none */
  TlReplayConflict      conflict;
  TlReplayShown         shown;
};

TlReplayTrack *
tl_replay_track_new (TlReplayRun *run, const char *target)
{
  TlReplayTrack *track = g_new0 (TlReplayTrack, 1);

  track->run = tl_replay_run_ref (run);
  track->cursor = tl_replay_cursor_new (run);
  track->finder = tl_replay_cursor_new (run);
  track->spots = tl_replay_spots_new (run);
  track->target = g_strdup (target);
  track->conflict_event = G_MAXUINT64;
  track->moment = tl_replay_cursor_at_event (track->cursor, 0, NULL);
  return track;
}

void
tl_replay_track_free (TlReplayTrack *track)
{
  if (track == NULL)
    return;
  tl_replay_cursor_free (track->cursor);
  tl_replay_cursor_free (track->finder);
  tl_replay_spots_free (track->spots);
  tl_replay_run_unref (track->run);
  g_free (track->target);
  g_free (track);
}

/* What cannot be read leaves the moment as it was. */
static gboolean
arrive (TlReplayTrack *track, const TlReplayMoment *moment)
{
  if (moment != NULL)
    track->moment = moment;
  return moment != NULL;
}

static guint64
ride_end (gpointer data)
{
  return tl_replay_run_end (((TlReplayTrack *) data)->run);
}

static guint64
ride_clock (gpointer data)
{
  return MAX (tl_replay_run_memory (((TlReplayTrack *) data)->run)->clock, 1);
}

static void
ride_seek (gpointer data, guint64 time)
{
  TlReplayTrack *track = data;

  arrive (track, tl_replay_cursor_at_time (track->cursor, time, NULL));
}

static gboolean
ride_step (gpointer data, guint unit, gboolean forward, guint64 *time)
{
  TlReplayTrack *track = data;

  if (!arrive (track,
               tl_replay_cursor_step (track->cursor, (TlReplayStep) MIN (unit, TL_STEP_TO_CONFLICT), forward, NULL)))
    return FALSE;
  *time = track->moment->time;
  return TRUE;
}

const TlPlayerTrack *
tl_replay_track_ride (void)
{
  static const char *const   units[] = { N_ ("cycle"), N_ ("command"), N_ ("request"), N_ ("conflict"), NULL };
  static const TlPlayerTrack ride = { units, ride_end, ride_clock, ride_seek, ride_step };

  return &ride;
}

TlReplayRun *
tl_replay_track_run (TlReplayTrack *track)
{
  return track->run;
}

guint64
tl_replay_track_event (TlReplayTrack *track)
{
  return track->moment->event;
}

const TlReplayShown *
tl_replay_track_shown (TlReplayTrack *track, const char *selection)
{
  guint64 event = G_MAXUINT64;

  if (selection == NULL || sscanf (selection, "conflict-%" G_GUINT64_FORMAT, &event) != 1)
    event = G_MAXUINT64;
  if (event != track->conflict_event)
    track->conflict_event
        = event != G_MAXUINT64 && tl_replay_cursor_conflict (track->finder, event, &track->conflict, NULL)
              ? event
              : G_MAXUINT64;
  track->shown = (TlReplayShown) {
    .run = track->run,
    .target = track->target,
    .moment = track->moment,
    .spots = track->spots,
    .conflict = track->conflict_event != G_MAXUINT64 ? &track->conflict : NULL,
  };
  return &track->shown;
}

gboolean
tl_replay_track_go (TlReplayTrack *track, guint64 events, guint64 *time)
{
  if (!arrive (track, tl_replay_cursor_at_event (track->cursor, events, NULL)))
    return FALSE;
  *time = track->moment->time;
  return TRUE;
}

gboolean
tl_replay_track_find (TlReplayTrack *track, const char *id, guint64 *event)
{
  guint32 domain;

  if (id == NULL)
    return FALSE;
  if ((g_str_has_prefix (id, "domain-") || g_str_has_prefix (id, "lane-"))
      && (!tl_replay_domain_of (track->run, id, &domain)
          || track->moment->domains[domain].last_class != TL_ROW_CONFLICT))
    return FALSE;
  return tl_replay_find_of (track->finder, track->spots, id, track->moment->event, event);
}

/* The domain that @selection is of. */
static gboolean
domain_of (TlReplayTrack *track, const char *selection, guint32 *domain)
{
  const TlReplayShown *shown = tl_replay_track_shown (track, selection);

  if (shown->conflict == NULL)
    return tl_replay_domain_of (track->run, selection, domain);
  *domain = shown->conflict->cause.domain;
  return TRUE;
}

gboolean
tl_replay_track_next_conflict (TlReplayTrack *track, const char *selection, gboolean same, gboolean forward,
                               guint64 *event)
{
  guint64      from = track->moment->event, at;
  guint32      domain;
  TlEventQuery query;

  tl_event_query_init (&query);
  query.classes = 1u << TL_ROW_CONFLICT;
  if (same && domain_of (track, selection, &domain))
    query.domain = domain;
  if (selection != NULL && sscanf (selection, "conflict-%" G_GUINT64_FORMAT, &at) == 1)
    from = forward ? at + 1 : at;
  return tl_replay_cursor_find (track->finder, &query, from, forward, event, NULL, NULL, NULL);
}

gboolean
tl_replay_track_next_of (TlReplayTrack *track, const char *selection, gboolean forward, guint64 *event)
{
  guint32      domain;
  guint64      from = track->moment->event;
  TlEventQuery query;

  tl_event_query_init (&query);
  if (!domain_of (track, selection, &domain))
    return FALSE;
  query.domain = domain;
  if (!forward && from > 0 && tl_event_query_matches (&query, tl_replay_run_memory (track->run), &track->moment->done))
    from--;
  return tl_replay_cursor_find (track->finder, &query, from, forward, event, NULL, NULL, NULL);
}
