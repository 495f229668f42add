/* The desk computes a frame, the lanes and the summary once a moment, however many
 * lenses ask for them. */
#include "app/desk-private.h"

#include <glib/gi18n.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

G_DEFINE_FINAL_TYPE (TlDesk, tl_desk, G_TYPE_OBJECT)

static guint changed_signal;

void
tl_desk_changed (TlDesk *desk, guint what)
{
  g_signal_emit (desk, changed_signal, 0, what);
}

TlSimRun *
tl_desk_shown_run (TlDesk *desk)
{
  TlRun *run = tl_live_run (desk->live);

  return run != NULL ? run->sim : NULL;
}

/* Default stretch: what single commands can be told apart in. */
static void
reset_window (TlDesk *desk)
{
  guint64 time = tl_player_time (desk->player);

  desk->from = time > 60000 ? time - 60000 : 0;
  desk->to = desk->from + 200000;
}

/* --- wavefronts: the desk itself is what the player moves over --- */

static const TlPipeRun *
waves_of (gpointer desk)
{
  return tl_live_grid (TL_DESK (desk)->live)->sim;
}

static guint64
waves_end (gpointer desk)
{
  return waves_of (desk)->makespan;
}

static guint64
waves_clock (gpointer desk)
{
  return MAX (waves_of (desk)->program->machine.clock, 1);
}

static void
waves_seek (gpointer desk, guint64 time)
{
}

static gboolean
waves_step (gpointer desk, guint unit, gboolean forward, guint64 *time)
{
  return tl_pipe_step (waves_of (desk), (TlPipeStep) MIN (unit, TL_PIPE_STEP_READ), forward,
                       tl_player_time (TL_DESK (desk)->player), time);
}

static void
show_waves (TlDesk *desk, const TlPipeRun *run)
{
  static const char *const   units[] = { N_ ("cycle"), N_ ("tile"), N_ ("diagonal"), N_ ("read"), NULL };
  static const TlPlayerTrack track = { units, waves_end, waves_clock, waves_seek, waves_step };
  guint64                    time = MIN (tl_player_time (desk->player), run->makespan);

  if (!desk->waves)
    {
      time = tl_pipe_telling (run);
      desk->waves = TRUE;
      desk->begun = TRUE;
      desk->from = 0;
      desk->to = MAX (run->makespan, 1000);
      tl_player_set_track (desk->player, &track, desk);
    }
  tl_player_arrive (desk->player, time);
  tl_desk_changed (desk, TL_DESK_RUN | TL_DESK_TIME | TL_DESK_WINDOW);
}

static void
on_ran (TlLive *live, TlDesk *desk)
{
  TlSimRun *run = tl_desk_shown_run (desk);

  g_clear_pointer (&desk->frame, tl_frame_free);
  g_clear_pointer (&desk->lanes, tl_lanes_free);
  desk->lanes_fit = FALSE;
  desk->lanes_generation++;
  g_clear_pointer (&desk->summary, tl_run_summary_free);
  g_clear_pointer (&desk->statement, g_free);
  g_clear_pointer (&desk->index, tl_pipe_index_free);
  g_clear_pointer (&desk->pipe_lanes, tl_pipe_lanes_free);
  if (tl_live_replay (live) != NULL)
    {
      desk->waves = desk->begun = FALSE;
      tl_desk_set_replay (desk, tl_live_replay (live), tl_live_product (live)->build->product->target);
      return;
    }
  if (desk->replay != NULL)
    tl_desk_set_replay (desk, NULL, NULL);
  if (tl_live_grid (live) != NULL)
    {
      show_waves (desk, tl_live_grid (live)->sim);
      return;
    }
  if (desk->waves)
    {
      desk->waves = desk->begun = FALSE;
      tl_player_set_track (desk->player, NULL, NULL);
    }
  tl_player_set_run (desk->player, run);
  if (run == NULL)
    return;
  if (!desk->begun)
    {
      desk->begun = TRUE;
      tl_player_seek (desk->player, tl_moment_telling (run));
    }
  reset_window (desk);
  tl_desk_changed (desk, TL_DESK_RUN | TL_DESK_TIME | TL_DESK_WINDOW);
}

static void
on_stale (TlLive *live, TlDesk *desk)
{
  tl_desk_changed (desk, TL_DESK_RUN);
}

static void
on_moved (TlPlayer *player, TlDesk *desk)
{
  guint64 time = tl_player_time (player);
  guint   what = TL_DESK_TIME;

  g_clear_pointer (&desk->frame, tl_frame_free);
  if (time < desk->from || time >= desk->to)
    {
      guint64 span = desk->to - desk->from;
      desk->from = time > span / 4 ? time - span / 4 : 0;
      desk->to = desk->from + span;
      desk->lanes_fit = FALSE;
      what |= TL_DESK_WINDOW;
    }
  tl_desk_changed (desk, what);
}

TlLive *
tl_desk_live (TlDesk *desk)
{
  return desk->live;
}

TlPlayer *
tl_desk_player (TlDesk *desk)
{
  return desk->player;
}

/* Whether it was another one. */
static gboolean
take_id (char **id, const char *taken)
{
  if (g_strcmp0 (*id, taken) == 0)
    return FALSE;
  g_free (*id);
  *id = g_strdup (taken);
  return TRUE;
}

const char *
tl_desk_selection (TlDesk *desk)
{
  return desk->selection;
}

void
tl_desk_select (TlDesk *desk, const char *id)
{
  if (!take_id (&desk->selection, id))
    return;
  desk->lanes_fit = FALSE;
  tl_desk_changed (desk, TL_DESK_SELECTION);
}

const char *
tl_desk_hover (TlDesk *desk)
{
  return desk->hover;
}

void
tl_desk_set_hover (TlDesk *desk, const char *id)
{
  if (!take_id (&desk->hover, id))
    return;
  tl_desk_changed (desk, TL_DESK_HOVER);
}

TlThemeKind
tl_desk_theme (TlDesk *desk)
{
  return desk->theme;
}

void
tl_desk_set_theme (TlDesk *desk, TlThemeKind theme)
{
  if (desk->theme == theme)
    return;
  desk->theme = theme;
  tl_desk_changed (desk, TL_DESK_THEME);
}

void
tl_desk_window (TlDesk *desk, guint64 *from, guint64 *to)
{
  *from = desk->from;
  *to = desk->to;
}

void
tl_desk_set_window (TlDesk *desk, guint64 from, guint64 to)
{
  guint64 last = tl_player_end (desk->player);
  guint64 end = last > 0 ? MAX (last, 1000) : G_MAXUINT64 / 2;
  guint64 span = CLAMP (to > from ? to - from : 1, 1000, end);

  from = MIN (from, end - span);
  if (from == desk->from && from + span == desk->to)
    return;
  desk->from = from;
  desk->to = from + span;
  desk->lanes_fit = FALSE;
  tl_desk_changed (desk, TL_DESK_WINDOW);
}

void
tl_desk_zoom (TlDesk *desk, double factor, double anchor)
{
  double span = (double) (desk->to - desk->from), middle = desk->from + span * anchor;
  double from = middle - span * factor * anchor;

  tl_desk_set_window (desk, from > 0 ? (guint64) from : 0, (guint64) (MAX (from, 0) + MAX (span * factor, 1000)));
}

void
tl_desk_pan (TlDesk *desk, double widths)
{
  double span = (double) (desk->to - desk->from), from = MAX (desk->from + widths * span, 0);

  tl_desk_set_window (desk, (guint64) from, (guint64) (from + span));
}

/* --- a trace --- */

void
tl_desk_set_replay (TlDesk *desk, TlReplayRun *run, const char *target)
{
  TlReplayTrack *before = desk->replay;
  guint64        time = 0;

  g_clear_pointer (&desk->lanes, tl_lanes_free);
  desk->lanes_fit = FALSE;
  desk->lanes_generation++;
  desk->lane_domain = G_MAXUINT32;
  desk->replay = run != NULL ? tl_replay_track_new (run, target) : NULL;
  tl_player_set_track (desk->player, run != NULL ? tl_replay_track_ride () : NULL, desk->replay);
  tl_replay_track_free (before);
  g_clear_pointer (&desk->selection, g_free);
  if (run != NULL)
    {
      tl_replay_track_go (desk->replay, tl_trace_run_telling (run), &time);
      desk->lane_domain = tl_replay_track_shown (desk->replay, NULL)->moment->done.domain;
      tl_replay_stretch (run, time, &desk->from, &desk->to);
      tl_player_arrive (desk->player, time);
    }
  tl_desk_changed (desk, TL_DESK_RUN | TL_DESK_TIME | TL_DESK_WINDOW | TL_DESK_SELECTION);
}

TlReplayTrack *
tl_desk_replay (TlDesk *desk)
{
  return desk->replay;
}

void
tl_desk_go (TlDesk *desk, guint64 events)
{
  guint64 time;

  tl_player_set_playing (desk->player, FALSE);
  if (desk->replay != NULL && tl_replay_track_go (desk->replay, events, &time))
    tl_player_arrive (desk->player, time);
}

void
tl_desk_go_conflict (TlDesk *desk, guint64 event)
{
  g_autofree char *id = g_strdup_printf ("conflict-%" G_GUINT64_FORMAT, event);

  tl_desk_go (desk, event + 1);
  tl_desk_select (desk, id);
}

GObject *
tl_desk_focused (TlDesk *desk)
{
  return desk->focused;
}

void
tl_desk_set_focused (TlDesk *desk, GObject *lens)
{
  if (desk->focused == lens)
    return;
  g_set_weak_pointer (&desk->focused, lens);
  tl_desk_changed (desk, TL_DESK_FOCUS);
}

/* The update as the program writes it, on one line. */
static void
look_up_statement (TlDesk *desk)
{
  const TlAst *ast = tl_live_run (desk->live)->build->ast;

  if (ast == NULL || ast->n_algorithms == 0)
    return;
  for (guint s = 0; s < ast->algorithms[0]->n_body; s++)
    {
      const TlStmt *statement = ast->algorithms[0]->body[s];
      guint32       length = tl_source_length (ast->source);
      if (statement->kind != TL_STMT_UPDATE || statement->span.end > length)
        continue;
      g_auto (GStrv) words = NULL;
      g_autofree char *text = g_strndup (tl_source_text (ast->source) + statement->span.start,
                                         statement->span.end - statement->span.start);
      words = g_strsplit_set (text, " \n\t\r", -1);
      g_autoptr (GString) line = g_string_new (NULL);
      for (guint w = 0; words[w] != NULL; w++)
        if (words[w][0] != '\0')
          g_string_append_printf (line, "%s%s", line->len > 0 ? " " : "", words[w]);
      desk->statement = g_string_free (g_steal_pointer (&line), FALSE);
      desk->statement_line = tl_source_position (ast->source, statement->span.start).line;
      return;
    }
}

/* What the views of a run of wavefronts share, found once a run and a stretch. */
static void
show_pipe (TlDesk *desk, guint columns)
{
  const TlPipeRun *run = waves_of (desk);
  guint64          from = desk->from, to = desk->to;

  if (desk->index == NULL)
    desk->index = tl_pipe_index_new (run);
  tl_pipe_stretch (run, &from, &to);
  if (columns > 0
      && (desk->pipe_lanes == NULL || desk->pipe_lanes->from != from || desk->pipe_lanes->to != to
          || desk->pipe_lanes->columns != columns))
    {
      g_clear_pointer (&desk->pipe_lanes, tl_pipe_lanes_free);
      desk->pipe_lanes = tl_pipe_lanes_new (run, desk->index, from, to, columns);
    }
  desk->pipe
      = (TlPipeShown) { tl_live_grid (desk->live), tl_player_time (desk->player), desk->index, desk->pipe_lanes };
}

gboolean
tl_desk_view (TlDesk *desk, guint columns, TlView *view)
{
  TlSimRun *run = tl_desk_shown_run (desk);

  if (desk->replay != NULL)
    {
      if (columns > 0 && (!desk->lanes_fit || desk->columns != columns))
        tl_desk_want_replay_lanes (desk, columns);
      *view = (TlView) {
        .replay = tl_replay_track_shown (desk->replay, desk->selection),
        .selection = desk->selection,
        .hover = desk->hover,
        .stale = tl_live_is_stale (desk->live),
        .lanes = desk->lanes,
        .from = desk->from,
        .to = desk->to,
      };
      return TRUE;
    }
  if (desk->waves && tl_live_grid (desk->live) != NULL)
    {
      show_pipe (desk, columns);
      *view = (TlView) {
        .pipe = &desk->pipe,
        .selection = desk->selection,
        .hover = desk->hover,
        .stale = tl_live_is_stale (desk->live),
        .from = desk->from,
        .to = desk->to,
      };
      return TRUE;
    }
  if (run == NULL || tl_player_source (desk->player) == NULL)
    return FALSE;
  if (desk->frame == NULL)
    desk->frame = tl_frame_at (tl_player_source (desk->player), tl_player_time (desk->player), NULL);
  if (columns > 0 && (!desk->lanes_fit || desk->columns != columns))
    tl_desk_want_lanes (desk, run, columns);
  if (columns > 0 && desk->summary == NULL)
    desk->summary = tl_run_summary_new (run, 400);
  if (desk->statement == NULL)
    look_up_statement (desk);
  *view = (TlView) {
    .statement = desk->statement,
    .statement_line = desk->statement_line,
    .program = run->program,
    .run = run,
    .frame = desk->frame,
    .selection = desk->selection,
    .hover = desk->hover,
    .stale = tl_live_is_stale (desk->live),
    .lanes = desk->lanes,
    .from = desk->from,
    .to = desk->to,
    .summary = desk->summary,
  };
  return TRUE;
}

TlScene *
tl_desk_picture (TlDesk *desk, TlViewKind kind, TlThemeKind theme)
{
  TlView   view;
  TlScene *scene;
  float    width, height;

  if (!tl_desk_view (desk, 0, &view))
    return NULL;
  tl_view_size (kind, &width, &height);
  scene = tl_scene_new (width, height, theme);
  view.hover = NULL;
  view.stale = FALSE;
  g_autoptr (TlLanes) lanes = NULL;
  if (view.replay != NULL && (kind == TL_VIEW_WINDOW || kind == TL_VIEW_TIMELINE))
    view.lanes = lanes = tl_desk_replay_lanes (desk, view.replay->run, (guint) MAX (width - 130, 64));
  tl_view_draw (kind, scene, tl_box (0, 0, width, height), &view);
  return scene;
}

/* The first error of a list in a sentence, or NULL. */
static char *
first_error (const TlDiags *diags)
{
  for (guint d = 0; diags != NULL && d < tl_diags_count (diags); d++)
    {
      const TlDiag *diag = tl_diags_get (diags, d);
      if (diag->severity == TL_SEVERITY_ERROR && diag->from.line > 0)
        return g_strdup_printf (_ ("No picture yet. Line %u: %s."), diag->from.line, diag->message);
      if (diag->severity == TL_SEVERITY_ERROR)
        return g_strdup_printf (_ ("No picture yet: %s."), diag->message);
    }
  return NULL;
}

/* Why there is nothing to see. */
static char *
reason_of_nothing (TlDesk *desk)
{
  TlBuild *build = tl_live_build (desk->live);
  char    *reason = build != NULL ? first_error (build->diags) : NULL;

  if (reason == NULL)
    reason = first_error (tl_live_run_diags (desk->live));
  return reason != NULL ? reason : g_strdup ("");
}

char *
tl_desk_caption (TlDesk *desk)
{
  TlView view;

  if (!tl_desk_view (desk, 0, &view))
    return reason_of_nothing (desk);
  if (view.replay != NULL)
    return tl_replay_caption (view.replay);
  if (view.pipe != NULL)
    return tl_pipe_caption (view.pipe);
  return view.frame != NULL ? tl_frame_caption (view.frame) : g_strdup ("");
}

static void
tl_desk_finalize (GObject *object)
{
  TlDesk *desk = TL_DESK (object);

  g_signal_handlers_disconnect_by_data (desk->live, desk);
  g_signal_handlers_disconnect_by_data (desk->player, desk);
  g_clear_pointer (&desk->frame, tl_frame_free);
  g_clear_pointer (&desk->lanes, tl_lanes_free);
  g_clear_pointer (&desk->summary, tl_run_summary_free);
  g_clear_pointer (&desk->index, tl_pipe_index_free);
  g_clear_pointer (&desk->pipe_lanes, tl_pipe_lanes_free);
  g_clear_object (&desk->player);
  g_clear_pointer (&desk->replay, tl_replay_track_free);
  g_clear_object (&desk->live);
  g_clear_weak_pointer (&desk->focused);
  g_free (desk->statement);
  g_free (desk->selection);
  g_free (desk->hover);
  G_OBJECT_CLASS (tl_desk_parent_class)->finalize (object);
}

static void
tl_desk_class_init (TlDeskClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tl_desk_finalize;
  changed_signal
      = g_signal_new ("changed", TL_TYPE_DESK, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
tl_desk_init (TlDesk *desk)
{
  desk->live = tl_live_new ();
  desk->player = tl_player_new ();
  desk->to = 200000;
  g_signal_connect (desk->live, "ran", G_CALLBACK (on_ran), desk);
  g_signal_connect (desk->live, "stale", G_CALLBACK (on_stale), desk);
  g_signal_connect (desk->player, "moved", G_CALLBACK (on_moved), desk);
}

TlDesk *
tl_desk_new (void)
{
  return g_object_new (TL_TYPE_DESK, NULL);
}
