/* A popover with the card's view and the two buttons that walk along conflicts. */
#include "app/why-card.h"

#include "app/canvas.h"
#include "scene/why.h"

#include <glib/gi18n.h>
#include <stdio.h>

static void
select_conflict (TlDesk *desk, const TlConflict *conflict)
{
  g_autofree char *id = tl_conflict_id (conflict->pu, conflict->bank, conflict->act);

  tl_desk_select (desk, id);
}

gboolean
tl_why_card_step (TlDesk *desk, gboolean forward, gboolean same)
{
  TlPlayer  *player = tl_desk_player (desk);
  TlSimRun  *run = tl_player_run (player);
  guint32    pu = G_MAXUINT32, bank = G_MAXUINT32;
  guint64    time = tl_player_time (player), act;
  TlConflict conflict;

  if (tl_desk_replay (desk) != NULL)
    {
      if (!tl_replay_track_next_conflict (tl_desk_replay (desk), tl_desk_selection (desk), same, forward, &act))
        return FALSE;
      tl_desk_go_conflict (desk, act);
      return TRUE;
    }
  if (run == NULL)
    return FALSE;
  if (tl_conflict_parse (tl_desk_selection (desk), &pu, &bank, &act))
    time = act;
  if (!tl_conflict_next (run, time, pu, bank, forward, &conflict))
    return FALSE;
  tl_player_set_playing (player, FALSE);
  tl_player_seek (player, conflict.act);
  select_conflict (desk, &conflict);
  return TRUE;
}

gboolean
tl_why_card_find (TlDesk *desk)
{
  TlPlayer   *player = tl_desk_player (desk);
  TlSimRun   *run = tl_player_run (player);
  const char *id = tl_desk_selection (desk);
  guint32     pu, bank;
  guint64     act;
  TlConflict  conflict;

  if (tl_desk_replay (desk) != NULL)
    {
      if (!tl_replay_track_find (tl_desk_replay (desk), id, &act))
        return FALSE;
      tl_desk_go_conflict (desk, act);
      return TRUE;
    }
  if (run == NULL || id == NULL)
    return FALSE;
  if (tl_conflict_parse (id, &pu, &bank, &act))
    return TRUE;
  if ((sscanf (id, "bank-%u-%u", &pu, &bank) != 2 && sscanf (id, "lane-bank-%u-%u", &pu, &bank) != 2)
      || !tl_conflict_at (run, pu, bank, tl_player_time (player), &conflict))
    return FALSE;
  select_conflict (desk, &conflict);
  return TRUE;
}

static void
on_previous (GtkButton *button, TlDesk *desk)
{
  tl_why_card_step (desk, FALSE, FALSE);
}

static void
on_next (GtkButton *button, TlDesk *desk)
{
  tl_why_card_step (desk, TRUE, FALSE);
}

static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, TlDesk *desk)
{
  if ((state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0 || (key != GDK_KEY_n && key != GDK_KEY_p))
    return FALSE;
  tl_why_card_step (desk, key == GDK_KEY_n, FALSE);
  return TRUE;
}

static void
add_button (GtkBox *box, const char *label, const char *tooltip, GCallback callback, TlDesk *desk)
{
  GtkWidget *button = gtk_button_new_with_label (label);

  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, tooltip, -1);
  g_signal_connect_object (button, "clicked", callback, desk, 0);
  gtk_box_append (box, button);
}

static GtkWidget *
make_card (GtkWidget *canvas, TlDesk *desk)
{
  GtkWidget *popover = gtk_popover_new ();
  GtkWidget *column = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *card = tl_canvas_new (desk, TL_VIEW_WHY, _ ("Why the row was shut"));
  GtkEventController *key = gtk_event_controller_key_new ();

  gtk_widget_set_size_request (card, 540, 330);
  add_button (GTK_BOX (row), _ ("P previous"), _ ("Previous conflict"), G_CALLBACK (on_previous), desk);
  add_button (GTK_BOX (row), _ ("N next"), _ ("Next conflict"), G_CALLBACK (on_next), desk);
  gtk_widget_set_halign (row, GTK_ALIGN_END);
  gtk_box_append (GTK_BOX (column), card);
  gtk_box_append (GTK_BOX (column), row);
  gtk_popover_set_child (GTK_POPOVER (popover), column);
  gtk_event_controller_set_propagation_phase (key, GTK_PHASE_CAPTURE);
  g_signal_connect_object (key, "key-pressed", G_CALLBACK (on_key), desk, 0);
  gtk_widget_add_controller (popover, key);
  gtk_widget_set_parent (popover, canvas);
  g_object_set_data (G_OBJECT (canvas), "why-card", popover);
  return popover;
}

void
tl_why_card_show (GtkWidget *canvas, TlDesk *desk, double x, double y)
{
  GtkWidget *popover = g_object_get_data (G_OBJECT (canvas), "why-card");

  if (popover == NULL)
    popover = make_card (canvas, desk);
  /* What lies outside the stretch that is shown is pointed to at the edge: GTK cannot place a popover off the screen. */
  x = CLAMP (x, 0, MAX (gtk_widget_get_width (canvas), 1));
  y = CLAMP (y, 0, MAX (gtk_widget_get_height (canvas), 1));
  gtk_popover_set_pointing_to (GTK_POPOVER (popover), &(GdkRectangle) { (int) x - 4, (int) y - 4, 8, 8 });
  gtk_popover_popup (GTK_POPOVER (popover));
}
