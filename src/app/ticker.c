/* A frame, and the next one only after the main loop had nothing else to do: frames go before idle work, and on a machine
 * too slow for them nothing else would be done any more. */
#include "app/ticker.h"

typedef struct
{
  GtkWidget *widget;
  TlPlayer  *player;
  guint      tick;
  guint      rest;
} Ticker;

static gboolean on_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer data);

static gboolean
on_rest (gpointer data)
{
  Ticker *ticker = data;

  ticker->rest = 0;
  if (tl_player_is_playing (ticker->player))
    ticker->tick = gtk_widget_add_tick_callback (ticker->widget, on_tick, ticker, NULL);
  return G_SOURCE_REMOVE;
}

static gboolean
on_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  Ticker *ticker = data;

  ticker->tick = 0;
  tl_player_advance (ticker->player, gdk_frame_clock_get_frame_time (clock));
  if (tl_player_is_playing (ticker->player))
    ticker->rest = g_idle_add_full (G_PRIORITY_LOW, on_rest, ticker, NULL);
  return G_SOURCE_REMOVE;
}

static void
on_state (TlPlayer *player, Ticker *ticker)
{
  if (tl_player_is_playing (player) && ticker->tick == 0 && ticker->rest == 0)
    ticker->tick = gtk_widget_add_tick_callback (ticker->widget, on_tick, ticker, NULL);
}

static void
on_destroy (GtkWidget *widget, Ticker *ticker)
{
  g_signal_handlers_disconnect_by_data (ticker->player, ticker);
  if (ticker->tick != 0)
    gtk_widget_remove_tick_callback (widget, ticker->tick);
  ticker->tick = 0;
  g_clear_handle_id (&ticker->rest, g_source_remove);
}

static void
ticker_free (gpointer data)
{
  Ticker *ticker = data;

  g_signal_handlers_disconnect_by_data (ticker->player, ticker);
  g_object_unref (ticker->player);
  g_free (ticker);
}

void
tl_ticker_add (GtkWidget *widget, TlPlayer *player)
{
  Ticker *ticker = g_new0 (Ticker, 1);

  ticker->widget = widget;
  ticker->player = g_object_ref (player);
  g_object_set_data_full (G_OBJECT (widget), "tl-ticker", ticker, ticker_free);
  g_signal_connect (player, "state", G_CALLBACK (on_state), ticker);
  g_signal_connect (widget, "destroy", G_CALLBACK (on_destroy), ticker);
}
