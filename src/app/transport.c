/* Transport: buttons call the player, labels follow it. */
#include "app/transport.h"

#include "base/number.h"

#include <glib/gi18n.h>

typedef struct
{
  TlPlayer          *player;
  GtkWidget         *play;
  GtkInscription    *moment;
  GtkDropDown       *unit;
  const char *const *units; /* in it */
  GtkRange          *dwell;
  GtkLabel          *seconds; /* of the dwell */
} Transport;

static void on_unit (GtkDropDown *unit, GParamSpec *pspec, Transport *transport);

/* The units of what is played now. */
static void
show_units (Transport *transport)
{
  const char *const *units = tl_player_units (transport->player);
  const char        *words[16] = { NULL };

  if (units == transport->units)
    return;
  transport->units = units;
  for (guint i = 0; units[i] != NULL && i + 1 < G_N_ELEMENTS (words); i++)
    words[i] = _ (units[i]);
  g_autoptr (GtkStringList) list = gtk_string_list_new (words);
  /* Another list is no choice of the user's. */
  g_signal_handlers_block_by_func (transport->unit, on_unit, transport);
  gtk_drop_down_set_model (transport->unit, G_LIST_MODEL (list));
  gtk_drop_down_set_selected (transport->unit, tl_player_unit (transport->player));
  g_signal_handlers_unblock_by_func (transport->unit, on_unit, transport);
}

static void
show_state (Transport *transport)
{
  gboolean    playing = tl_player_is_playing (transport->player);
  const char *label = playing ? _ ("Pause") : _ ("Play");

  show_units (transport);
  gtk_button_set_icon_name (GTK_BUTTON (transport->play),
                            playing ? "media-playback-pause-symbolic" : "media-playback-start-symbolic");
  gtk_widget_set_tooltip_text (transport->play, label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (transport->play), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  if (gtk_drop_down_get_selected (transport->unit) != (guint) tl_player_unit (transport->player))
    gtk_drop_down_set_selected (transport->unit, tl_player_unit (transport->player));
  gtk_range_set_value (transport->dwell, tl_player_dwell (transport->player));
  g_autofree char *seconds = g_strdup_printf (_ ("%.2f s"), tl_player_dwell (transport->player) / 1000.0);
  gtk_label_set_text (transport->seconds, seconds);
}

/* With every frame while it plays: nothing here may make the window lay itself out anew. */
static void
show_moment (Transport *transport)
{
  guint64 last = tl_player_end (transport->player);

  if (last == 0)
    {
      gtk_inscription_set_text (transport->moment, "");
      return;
    }
  guint64          clock = tl_player_clock (transport->player);
  g_autofree char *cycle = tl_format_count (tl_player_time (transport->player) / clock);
  g_autofree char *end = tl_format_count (last / clock);
  g_autofree char *markup = g_markup_printf_escaped (_ ("cycle <b>%s</b> of %s"), cycle, end);
  gtk_inscription_set_markup (transport->moment, markup);
}

static void
on_first (GtkButton *button, Transport *transport)
{
  tl_player_seek (transport->player, 0);
}

static void
on_back (GtkButton *button, Transport *transport)
{
  tl_player_set_playing (transport->player, FALSE);
  tl_player_step (transport->player, FALSE);
}

static void
on_play (GtkButton *button, Transport *transport)
{
  tl_player_set_playing (transport->player, !tl_player_is_playing (transport->player));
}

static void
on_step (GtkButton *button, Transport *transport)
{
  tl_player_set_playing (transport->player, FALSE);
  tl_player_step (transport->player, TRUE);
}

static void
on_last (GtkButton *button, Transport *transport)
{
  tl_player_seek (transport->player, G_MAXUINT64);
}

static void
on_unit (GtkDropDown *unit, GParamSpec *pspec, Transport *transport)
{
  if (gtk_drop_down_get_selected (unit) != GTK_INVALID_LIST_POSITION)
    tl_player_set_unit (transport->player, (TlStepUnit) gtk_drop_down_get_selected (unit));
}

static void
on_dwell (GtkRange *range, Transport *transport)
{
  tl_player_set_dwell (transport->player, (guint) gtk_range_get_value (range));
}

static GtkWidget *
button (GtkBox *box, const char *icon, const char *label, GCallback callback, Transport *transport)
{
  GtkWidget *widget = gtk_button_new_from_icon_name (icon);

  gtk_widget_set_tooltip_text (widget, label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  g_signal_connect (widget, "clicked", callback, transport);
  gtk_box_append (box, widget);
  return widget;
}

static void
transport_free (gpointer data)
{
  Transport *transport = data;

  g_signal_handlers_disconnect_by_data (transport->player, transport);
  g_object_unref (transport->player);
  g_free (transport);
}

void
tl_transport_fill (GtkBox *box, TlPlayer *player)
{
  Transport *transport = g_new0 (Transport, 1);

  transport->player = g_object_ref (player);
  button (box, "media-skip-backward-symbolic", _ ("To the start"), G_CALLBACK (on_first), transport);
  button (box, "media-seek-backward-symbolic", _ ("Step back"), G_CALLBACK (on_back), transport);
  transport->play = button (box, "media-playback-start-symbolic", _ ("Play"), G_CALLBACK (on_play), transport);
  gtk_widget_add_css_class (transport->play, "suggested-action");
  gtk_widget_add_css_class (transport->play, "play");
  button (box, "media-seek-forward-symbolic", _ ("Step"), G_CALLBACK (on_step), transport);
  button (box, "media-skip-forward-symbolic", _ ("To the end"), G_CALLBACK (on_last), transport);

  GtkWidget *step = gtk_label_new (_ ("Step"));
  gtk_widget_set_margin_start (step, 12);
  gtk_widget_add_css_class (step, "dim-label");
  gtk_box_append (box, step);
  transport->unit = GTK_DROP_DOWN (gtk_drop_down_new (NULL, NULL));
  show_units (transport);
  gtk_accessible_update_property (GTK_ACCESSIBLE (transport->unit), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Step unit"), -1);
  gtk_box_append (box, GTK_WIDGET (transport->unit));

  GtkWidget *dwell = gtk_label_new (_ ("Dwell"));
  gtk_widget_set_margin_start (dwell, 12);
  gtk_widget_add_css_class (dwell, "dim-label");
  gtk_box_append (box, dwell);
  transport->dwell = GTK_RANGE (gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, 10, 2000, 10));
  gtk_widget_set_size_request (GTK_WIDGET (transport->dwell), 110, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (transport->dwell), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Milliseconds a step is shown"), -1);
  gtk_box_append (box, GTK_WIDGET (transport->dwell));
  transport->seconds = GTK_LABEL (gtk_label_new (""));
  gtk_label_set_width_chars (transport->seconds, 6);
  gtk_label_set_xalign (transport->seconds, 0);
  gtk_box_append (box, GTK_WIDGET (transport->seconds));
  transport->moment = GTK_INSCRIPTION (gtk_inscription_new (""));
  gtk_inscription_set_xalign (transport->moment, 1);
  gtk_inscription_set_min_chars (transport->moment, 16);
  gtk_inscription_set_text_overflow (transport->moment, GTK_INSCRIPTION_OVERFLOW_ELLIPSIZE_END);
  gtk_widget_set_hexpand (GTK_WIDGET (transport->moment), TRUE);
  gtk_box_append (box, GTK_WIDGET (transport->moment));

  g_signal_connect (transport->unit, "notify::selected", G_CALLBACK (on_unit), transport);
  show_state (transport);
  show_moment (transport);
  g_signal_connect (transport->dwell, "value-changed", G_CALLBACK (on_dwell), transport);
  g_signal_connect_swapped (player, "moved", G_CALLBACK (show_moment), transport);
  g_signal_connect_swapped (player, "state", G_CALLBACK (show_state), transport);
  g_object_set_data_full (G_OBJECT (box), "transport", transport, transport_free);
}
