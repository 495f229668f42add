/* The desk computes a frame, the lanes and the summary once a moment, however many
 * lenses ask for them. */
#include "app/desk.h"

#include "scene/compose.h"

#include <math.h>
#include <stdio.h>

struct _TlDesk
{
  GObject        parent_instance;
  TlLive        *live;
  TlPlayer      *player;
  char          *selection;
  char          *hover;
  TlThemeKind    theme;
  guint64        from, to;
  TlFrameSource *source;
  TlFrame       *frame;   /* of the player's time, NULL: to be made */
  TlLanes       *lanes;   /* of from..to, NULL: to be made */
  guint          columns; /* they were made for */
  guint          lane_pus[3];
  guint          n_lane_pus;
  TlRunSummary  *summary;
  gboolean       begun; /* a first run was shown */
};

G_DEFINE_FINAL_TYPE (TlDesk, tl_desk, G_TYPE_OBJECT)

static guint changed_signal;

static void
changed (TlDesk *desk, guint what)
{
  g_signal_emit (desk, changed_signal, 0, what);
}

static TlSimRun *
shown_run (TlDesk *desk)
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

static void
on_ran (TlLive *live, TlDesk *desk)
{
  TlSimRun *run = shown_run (desk);

  g_clear_pointer (&desk->frame, tl_frame_free);
  g_clear_pointer (&desk->lanes, tl_lanes_free);
  g_clear_pointer (&desk->summary, tl_run_summary_free);
  g_clear_pointer (&desk->source, tl_frame_source_free);
  tl_player_set_run (desk->player, run);
  if (run == NULL)
    return;
  desk->source = tl_frame_source_new (run);
  if (!desk->begun)
    {
      desk->begun = TRUE;
      tl_player_seek (desk->player, tl_moment_telling (run));
    }
  reset_window (desk);
  changed (desk, TL_DESK_RUN | TL_DESK_TIME | TL_DESK_WINDOW);
}

static void
on_stale (TlLive *live, TlDesk *desk)
{
  changed (desk, TL_DESK_RUN);
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
      g_clear_pointer (&desk->lanes, tl_lanes_free);
      what |= TL_DESK_WINDOW;
    }
  changed (desk, what);
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

const char *
tl_desk_selection (TlDesk *desk)
{
  return desk->selection;
}

void
tl_desk_select (TlDesk *desk, const char *id)
{
  if (g_strcmp0 (desk->selection, id) == 0)
    return;
  g_free (desk->selection);
  desk->selection = g_strdup (id);
  g_clear_pointer (&desk->lanes, tl_lanes_free);
  changed (desk, TL_DESK_SELECTION);
}

const char *
tl_desk_hover (TlDesk *desk)
{
  return desk->hover;
}

void
tl_desk_set_hover (TlDesk *desk, const char *id)
{
  if (g_strcmp0 (desk->hover, id) == 0)
    return;
  g_free (desk->hover);
  desk->hover = g_strdup (id);
  changed (desk, TL_DESK_HOVER);
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
  changed (desk, TL_DESK_THEME);
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
  TlSimRun *run = shown_run (desk);
  guint64   end = run != NULL ? MAX (run->makespan, 1000) : G_MAXUINT64 / 2;
  guint64   span = CLAMP (to > from ? to - from : 1, 1000, end);

  from = MIN (from, end - span);
  if (from == desk->from && from + span == desk->to)
    return;
  desk->from = from;
  desk->to = from + span;
  g_clear_pointer (&desk->lanes, tl_lanes_free);
  changed (desk, TL_DESK_WINDOW);
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

/* The PUs with lanes of their own: what is selected, then the sender, then whoever
 * was there before. */
static void
choose_lanes (TlDesk *desk)
{
  guint pu = 0, n = 0, chosen[3];
  guint pus = shown_run (desk)->program->machine.pus;

  if (desk->selection != NULL
      && (sscanf (desk->selection, "pu-%u", &pu) == 1 || sscanf (desk->selection, "bank-%u-", &pu) == 1
          || sscanf (desk->selection, "lane-pu-%u", &pu) == 1 || sscanf (desk->selection, "lane-bank-%u-", &pu) == 1)
      && pu < pus)
    chosen[n++] = pu;
  if (desk->n_lane_pus == 0 && desk->frame != NULL && (desk->frame->moment->sending || desk->frame->moment->hopping))
    chosen[n++] = desk->frame->moment->broadcast.pu;
  for (guint i = 0; i < desk->n_lane_pus && n < 3; i++)
    if (desk->lane_pus[i] < pus && !(n > 0 && chosen[0] == desk->lane_pus[i])
        && !(n > 1 && chosen[1] == desk->lane_pus[i]))
      chosen[n++] = desk->lane_pus[i];
  for (pu = 0; pu < pus && n < 3; pu++)
    if (!(n > 0 && chosen[0] == pu) && !(n > 1 && chosen[1] == pu)
        && (desk->frame == NULL || desk->frame->moment->pu[pu].activity != TL_PU_IDLE || pus <= 3))
      chosen[n++] = pu;
  if (n == 0)
    chosen[n++] = 0;
  for (guint i = 0; i < n; i++)
    desk->lane_pus[i] = chosen[i];
  desk->n_lane_pus = n;
}

gboolean
tl_desk_view (TlDesk *desk, guint columns, TlView *view)
{
  TlSimRun *run = shown_run (desk);

  if (run == NULL || desk->source == NULL)
    return FALSE;
  if (desk->frame == NULL)
    desk->frame = tl_frame_at (desk->source, tl_player_time (desk->player), NULL);
  if (columns > 0 && (desk->lanes == NULL || desk->columns != columns))
    {
      g_clear_pointer (&desk->lanes, tl_lanes_free);
      choose_lanes (desk);
      desk->columns = columns;
      desk->lanes = tl_lanes_new (run, desk->from, desk->to, columns, desk->lane_pus, desk->n_lane_pus, NULL);
    }
  if (columns > 0 && desk->summary == NULL)
    desk->summary = tl_run_summary_new (run, 400);
  *view = (TlView) {
    .program = run->program,
    .run = run,
    .frame = desk->frame,
    .selection = desk->selection,
    .hover = desk->hover,
    .stale = tl_live_is_stale (desk->live),
    .lanes = desk->lanes,
    .summary = desk->summary,
  };
  return TRUE;
}

char *
tl_desk_caption (TlDesk *desk)
{
  TlView view;

  return tl_desk_view (desk, 0, &view) && view.frame != NULL ? tl_frame_caption (view.frame) : g_strdup ("");
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
  g_clear_pointer (&desk->source, tl_frame_source_free);
  g_clear_object (&desk->player);
  g_clear_object (&desk->live);
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
