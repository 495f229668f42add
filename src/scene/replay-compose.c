/* Gathering what the views of a replay need, and drawing one. */
#include "scene/replay-compose.h"

#include "base/number.h"
#include "scene/compose-private.h"

#include <string.h>

#define LANE_DOMAINS 9

/* After the @n-th conflict. */
static gboolean
find_conflict (TlReplayCursor *cursor, const char *text, guint64 *event, GError **error)
{
  TlEventQuery query;
  guint64      n, from = 0;
  TlReplayRun *run = tl_replay_cursor_run (cursor);

  tl_event_query_init (&query);
  query.classes = 1u << TL_ROW_CONFLICT;
  if (!tl_compose_number (text, &n) || n == 0)
    return tl_compose_fail (error, "\"conflict:%s\" is not conflict:N, counted from 1", text);
  /* Whole stretches are skipped by what their digests count. */
  for (guint span = 0; span < tl_replay_run_n_spans (run); span++)
    {
      guint64 here = tl_replay_run_digest (run, span)->classes[TL_ROW_CONFLICT];
      if (n > here)
        {
          n -= here;
          continue;
        }
      from = tl_replay_run_span_event (run, span);
      while (tl_replay_cursor_find (cursor, &query, from, TRUE, event, NULL, NULL, error))
        {
          from = *event + 1;
          if (--n == 0)
            {
              *event = from;
              return TRUE;
            }
        }
    }
  return tl_compose_fail (error, "the run has fewer conflicts than \"conflict:%s\"", text);
}

/* The events done by @time, a moment of its own. */
static gboolean
at_time (TlReplayCursor *cursor, guint64 wanted, const char *text, guint64 *event, guint64 *time, GError **error)
{
  const TlReplayMoment *moment;
  guint64               end = tl_replay_run_end (tl_replay_cursor_run (cursor));

  if (wanted > end)
    {
      g_autofree char *last = tl_format_ps (end);
      return tl_compose_fail (error, "\"%s\" lies after the end of the run at %s", text, last);
    }
  moment = tl_replay_cursor_at_time (cursor, wanted, error);
  if (moment == NULL)
    return FALSE;
  *event = moment->event;
  *time = wanted;
  return TRUE;
}

gboolean
tl_replay_moment_parse (TlReplayCursor *cursor, const char *text, guint64 *event, guint64 *time, GError **error)
{
  TlReplayRun     *run = tl_replay_cursor_run (cursor);
  g_autofree char *reason = NULL;
  guint64          number;

  *time = G_MAXUINT64;
  *event = 0;
  if (strcmp (text, "start") == 0)
    return at_time (cursor, 0, text, event, time, error);
  if (strcmp (text, "end") == 0)
    return at_time (cursor, tl_replay_run_end (run), text, event, time, error);
  if (g_str_has_prefix (text, "cycle:"))
    return tl_compose_number (text + 6, &number) && tl_mul_u64 (number, tl_replay_run_memory (run)->clock, &number)
               ? at_time (cursor, number, text, event, time, error)
               : tl_compose_fail (error, "\"%s\" is not cycle:N", text);
  if (g_str_has_prefix (text, "time:"))
    return tl_parse_ps (text + 5, &number, &reason) ? at_time (cursor, number, text, event, time, error)
                                                    : tl_compose_fail (error, "%s", reason);
  if (g_str_has_prefix (text, "conflict:"))
    return find_conflict (cursor, text + 9, event, error);
  if (g_str_has_prefix (text, "event:"))
    {
      if (!tl_compose_number (text + 6, event))
        return tl_compose_fail (error, "\"%s\" is not event:N", text);
      return *event <= tl_replay_run_events (run)
             || tl_compose_fail (error, "the run has %" G_GUINT64_FORMAT " events", tl_replay_run_events (run));
    }
  return tl_compose_fail (
      error, "\"%s\" is no moment of a trace: cycle:N, time:12.5ns, event:N, conflict:N, start or end", text);
}

void
tl_replay_stretch (TlReplayRun *run, guint64 time, guint64 *from, guint64 *to)
{
  guint64 span = (guint64) MAX (tl_replay_run_memory (run)->clock, 1) * 400, end = MAX (tl_replay_run_end (run), 1);

  span = MIN (span, end);
  *from = MIN (time > span / 3 ? time - span / 3 : 0, end - span);
  *to = *from + span;
}

TlScene *
tl_replay_compose (TlReplayCursor *cursor, const char *target, const TlPicture *picture, guint64 event, guint64 time,
                   GError **error)
{
  TlReplayRun *run = tl_replay_cursor_run (cursor);
  float        width = picture->width, height = picture->height;
  guint64      at = 0, from = picture->from, to = picture->to;
  guint32      domains[LANE_DOMAINS], chosen = G_MAXUINT32;
  g_autoptr (TlReplaySpots) spots = tl_replay_spots_new (run);
  g_autoptr (TlLanes) lanes = NULL;
  g_autofree char      *found = NULL;
  TlReplayConflict      conflict;
  gboolean              has_conflict = FALSE;
  const char           *selection = picture->selection;
  const TlReplayMoment *moment;

  if (!tl_view_is_of_replay (picture->kind))
    {
      tl_compose_fail (error, "a trace has no view %s", tl_view_name (picture->kind));
      return NULL;
    }
  if (width <= 0 || height <= 0)
    tl_view_size (picture->kind, &width, &height);
  if (selection == NULL && picture->kind == TL_VIEW_WHY)
    {
      TlEventQuery query;
      tl_event_query_init (&query);
      query.classes = 1u << TL_ROW_CONFLICT;
      if (tl_replay_cursor_find (cursor, &query, event, FALSE, &at, NULL, NULL, NULL)
          || tl_replay_cursor_find (cursor, &query, event, TRUE, &at, NULL, NULL, NULL))
        selection = found = g_strdup_printf ("conflict-%" G_GUINT64_FORMAT, at);
    }
  if (selection != NULL
      && (g_str_has_prefix (selection, "conflict-")
          || (picture->kind == TL_VIEW_WHY && tl_replay_find_of (cursor, spots, selection, event, &at)))
      && tl_replay_find_of (cursor, spots, selection, event, &at))
    has_conflict = tl_replay_cursor_conflict (cursor, at, &conflict, NULL);
  moment = time == G_MAXUINT64 ? tl_replay_cursor_at_event (cursor, event, error)
                               : tl_replay_cursor_at_time (cursor, time, error);
  if (moment == NULL)
    return NULL;
  if (picture->kind == TL_VIEW_WINDOW || picture->kind == TL_VIEW_TIMELINE)
    {
      g_autoptr (TlReplayCursor) other = tl_replay_cursor_new (run);
      if (to <= from)
        tl_replay_stretch (run, moment->time, &from, &to);
      if (has_conflict)
        chosen = conflict.cause.domain;
      else if (!tl_replay_domain_of (run, selection, &chosen) && moment->done.kind < TL_N_EVENTS)
        chosen = moment->done.domain;
      const char *how;
      guint       n = tl_replay_lanes_choose (other, from, to, chosen, NULL, 0, domains, LANE_DOMAINS, &how);
      lanes = tl_replay_lanes_new (other, from, to, (guint) MAX (width - 130, 64), domains, n, error);
      if (lanes == NULL)
        return NULL;
      lanes->how = how;
    }
  TlReplayShown shown = { run, target, moment, spots, has_conflict ? &conflict : NULL };
  TlView        view = { .replay = &shown, .lanes = lanes, .from = from, .to = to, .selection = selection };
  TlScene      *scene = tl_scene_new (width, height, picture->theme);
  tl_view_draw (picture->kind, scene, tl_box (0, 0, width, height), &view);
  return scene;
}
