/* The key map of the canvases; the editor keeps its letters. */
#include "app/canvas-private.h"
#include "app/why-card.h"
#include "scene/why.h"

#include <stdio.h>

static void
step (TlDesk *desk, TlStepUnit unit, gboolean forward)
{
  tl_player_set_playing (tl_desk_player (desk), FALSE);
  tl_player_step_unit (tl_desk_player (desk), unit, forward);
}

/* To the next event of what is selected. */
static void
step_selection (TlDesk *desk, gboolean forward)
{
  TlPlayer   *player = tl_desk_player (desk);
  const char *id = tl_desk_selection (desk);
  guint32     pu, bank = G_MAXUINT32;
  guint64     found;

  if (tl_desk_replay (desk) != NULL)
    {
      if (tl_replay_track_next_of (tl_desk_replay (desk), id, forward, &found))
        tl_desk_go (desk, found + 1);
      else
        step (desk, TL_STEP_EVENT, forward);
      return;
    }
  if (id == NULL || tl_player_run (player) == NULL
      || (sscanf (id, "bank-%u-%u", &pu, &bank) != 2 && sscanf (id, "lane-bank-%u-%u", &pu, &bank) != 2
          && sscanf (id, "conflict-%u-%u", &pu, &bank) != 2 && sscanf (id, "pu-%u", &pu) != 1
          && sscanf (id, "lane-pu-%u", &pu) != 1))
    {
      step (desk, TL_STEP_EVENT, forward);
      return;
    }
  tl_player_set_playing (player, FALSE);
  if (tl_event_of (tl_player_run (player), tl_player_time (player), pu, bank, forward, &found))
    tl_player_seek (player, found);
}

static void
change_dwell (TlDesk *desk, double factor)
{
  TlPlayer *player = tl_desk_player (desk);

  tl_player_set_dwell (player, (guint) (tl_player_dwell (player) * factor + 0.5));
}

/* The lanes show what is selected, or the moment. */
static void
focus (TlDesk *desk)
{
  guint64 from, to, time = tl_player_time (tl_desk_player (desk)), act;
  guint32 pu, bank;

  tl_desk_window (desk, &from, &to);
  if (tl_conflict_parse (tl_desk_selection (desk), &pu, &bank, &act))
    {
      tl_player_seek (tl_desk_player (desk), act);
      time = act;
      to = from + 160000;
    }
  guint64 span = to - from;
  tl_desk_set_window (desk, time > span / 3 ? time - span / 3 : 0, (time > span / 3 ? time - span / 3 : 0) + span);
}

/* @same: of the selected domain, where a trace is shown. */
static void
walk_conflicts (TlCanvas *canvas, TlDesk *desk, gboolean forward, gboolean same)
{
  if (tl_why_card_step (desk, forward, same))
    tl_canvas_why (canvas);
  else
    gtk_widget_error_bell (GTK_WIDGET (canvas));
}

static gboolean
play_key (TlDesk *desk, guint key, GdkModifierType state)
{
  TlPlayer *player = tl_desk_player (desk);
  gboolean  forward = key == GDK_KEY_Right || key == GDK_KEY_KP_Right;

  switch (key)
    {
    case GDK_KEY_space:
    case GDK_KEY_F6:
      tl_player_set_playing (player, !tl_player_is_playing (player));
      return TRUE;
    case GDK_KEY_Left:
    case GDK_KEY_Right:
    case GDK_KEY_KP_Left:
    case GDK_KEY_KP_Right:
      if (state & GDK_CONTROL_MASK)
        step (desk, TL_STEP_PHASE, forward);
      else if (state & GDK_SHIFT_MASK)
        step_selection (desk, forward);
      else
        step (desk, tl_player_unit (player), forward);
      return TRUE;
    case GDK_KEY_F3:
      tl_player_set_playing (player, FALSE);
      tl_player_seek (player, 0);
      return TRUE;
    case GDK_KEY_F4:
    case GDK_KEY_F5:
      step (desk, tl_player_unit (player), key == GDK_KEY_F5);
      return TRUE;
    case GDK_KEY_bracketleft:
      change_dwell (desk, 1.5);
      return TRUE;
    case GDK_KEY_bracketright:
      change_dwell (desk, 1 / 1.5);
      return TRUE;
    default:
      return FALSE;
    }
}

static gboolean
lanes_key (TlDesk *desk, guint key)
{
  switch (key)
    {
    case GDK_KEY_w:
      tl_desk_zoom (desk, 0.8, 0.3);
      return TRUE;
    case GDK_KEY_s:
      tl_desk_zoom (desk, 1.25, 0.3);
      return TRUE;
    case GDK_KEY_a:
      tl_desk_pan (desk, -0.25);
      return TRUE;
    case GDK_KEY_d:
      tl_desk_pan (desk, 0.25);
      return TRUE;
    case GDK_KEY_f:
      focus (desk);
      return TRUE;
    case GDK_KEY_F:
      if (tl_player_end (tl_desk_player (desk)) > 0)
        tl_desk_set_window (desk, 0, tl_player_end (tl_desk_player (desk)));
      return TRUE;
    default:
      return FALSE;
    }
}

static gboolean
item_key (TlCanvas *canvas, TlDesk *desk, guint key)
{
  switch (key)
    {
    case GDK_KEY_Down:
    case GDK_KEY_KP_Down:
    case GDK_KEY_Up:
    case GDK_KEY_KP_Up:
      tl_canvas_walk (canvas, 0, key == GDK_KEY_Down || key == GDK_KEY_KP_Down ? 1 : -1);
      return TRUE;
    case GDK_KEY_period:
      tl_canvas_turn (canvas, 1);
      return TRUE;
    case GDK_KEY_comma:
      tl_canvas_turn (canvas, -1);
      return TRUE;
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
      if (tl_why_card_find (desk))
        tl_canvas_why (canvas);
      return TRUE;
    case GDK_KEY_Escape:
      tl_desk_select (desk, NULL);
      return TRUE;
    case GDK_KEY_n:
    case GDK_KEY_N:
    case GDK_KEY_p:
    case GDK_KEY_P:
      walk_conflicts (canvas, desk, key == GDK_KEY_n || key == GDK_KEY_N, key == GDK_KEY_N || key == GDK_KEY_P);
      return TRUE;
    default:
      return FALSE;
    }
}

gboolean
tl_canvas_key (TlCanvas *canvas, TlDesk *desk, guint key, GdkModifierType state)
{
  if ((state & GDK_ALT_MASK) != 0)
    return FALSE;
  if (play_key (desk, key, state))
    return TRUE;
  if ((state & GDK_CONTROL_MASK) != 0)
    return FALSE;
  return item_key (canvas, desk, key) || lanes_key (desk, key);
}
