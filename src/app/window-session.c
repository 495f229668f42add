/* The session is written when something settles, never while playing and never while
 * nothing happens. */
#include "app/window-session.h"

#include "app/canvas.h"
#include "scene/compose.h"

typedef struct
{
  TlWindow *window;
  char     *wanted; /* state to show as soon as there is a run */
  guint     write;  /* source of the next write */
} Follower;

#define FOLLOWER "tl-session-follower"

/* "view=stack;time=...": what is shown now. (transfer full) */
static char *
state_of (TlWindow *window)
{
  TlDesk   *desk = tl_window_desk (window);
  TlPicture picture = {
    .kind = tl_window_stack_kind (window),
    .theme = tl_desk_theme (desk),
    .selection = tl_desk_selection (desk),
    .time = tl_player_time (tl_desk_player (desk)),
  };

  tl_desk_window (desk, &picture.from, &picture.to);
  return tl_picture_state (&picture);
}

static gboolean
show_now (TlWindow *window, const char *state)
{
  TlDesk          *desk = tl_window_desk (window);
  TlPlayer        *player = tl_desk_player (desk);
  TlPicture        picture = { .kind = TL_VIEW_STACK };
  g_autofree char *selection = NULL;

  tl_picture_parse (state, &picture, &selection);
  tl_window_set_stack_kind (window, picture.kind == TL_VIEW_ISO || picture.kind == TL_VIEW_MATRIX ? picture.kind
                                                                                                  : TL_VIEW_STACK);
  if (tl_live_is_stale (tl_desk_live (desk)) || tl_player_run (player) == NULL)
    return FALSE;
  tl_player_set_playing (player, FALSE);
  tl_player_seek (player, picture.time);
  if (picture.to > picture.from)
    tl_desk_set_window (desk, picture.from, picture.to);
  tl_desk_select (desk, selection);
  return TRUE;
}

static gboolean
on_write (gpointer data)
{
  Follower *follower = data;

  follower->write = 0;
  tl_window_session_save (follower->window);
  return G_SOURCE_REMOVE;
}

static void
write_soon (Follower *follower)
{
  if (follower->write == 0 && !tl_player_is_playing (tl_desk_player (tl_window_desk (follower->window))))
    follower->write = g_timeout_add_seconds (2, on_write, follower);
}

static void
on_changed (TlDesk *desk, guint what, Follower *follower)
{
  if ((what & TL_DESK_RUN) != 0 && follower->wanted != NULL && show_now (follower->window, follower->wanted))
    g_clear_pointer (&follower->wanted, g_free);
  if (what & (TL_DESK_TIME | TL_DESK_SELECTION | TL_DESK_WINDOW))
    write_soon (follower);
}

static void
follower_free (gpointer data)
{
  Follower *follower = data;

  g_clear_handle_id (&follower->write, g_source_remove);
  g_free (follower->wanted);
  g_free (follower);
}

static void
on_destroy (GtkWidget *widget, Follower *follower)
{
  TlDesk *desk = tl_window_desk (TL_WINDOW (widget));

  if (desk != NULL)
    {
      g_signal_handlers_disconnect_by_data (desk, follower);
      g_signal_handlers_disconnect_by_data (tl_desk_player (desk), follower);
    }
  g_clear_handle_id (&follower->write, g_source_remove);
}

void
tl_window_session_follow (TlWindow *window)
{
  Follower *follower = g_new0 (Follower, 1);

  follower->window = window;
  g_object_set_data_full (G_OBJECT (window), FOLLOWER, follower, follower_free);
  g_signal_connect (tl_window_desk (window), "changed", G_CALLBACK (on_changed), follower);
  g_signal_connect_swapped (tl_desk_player (tl_window_desk (window)), "state", G_CALLBACK (write_soon), follower);
  g_signal_connect_object (tl_window_document (window), "renamed", G_CALLBACK (tl_window_session_save), window,
                           G_CONNECT_SWAPPED);
  g_signal_connect (window, "destroy", G_CALLBACK (on_destroy), follower);
}

void
tl_window_show_state (TlWindow *window, const char *state)
{
  Follower *follower = g_object_get_data (G_OBJECT (window), FOLLOWER);

  tl_player_set_playing (tl_desk_player (tl_window_desk (window)), FALSE);
  if (!show_now (window, state) && follower != NULL)
    {
      g_free (follower->wanted);
      follower->wanted = g_strdup (state);
    }
}

void
tl_window_session_save (TlWindow *window)
{
  Follower        *follower = g_object_get_data (G_OBJECT (window), FOLLOWER);
  g_autofree char *file = tl_session_file ();
  g_autofree char *state = NULL;
  GtkTextBuffer   *buffer = GTK_TEXT_BUFFER (tl_window_buffer (window));
  GtkTextIter      cursor;

  state = follower != NULL && follower->wanted != NULL ? g_strdup (follower->wanted) : state_of (window);
  gtk_text_buffer_get_iter_at_mark (buffer, &cursor, gtk_text_buffer_get_insert (buffer));
  TlSession session = {
    .path = (char *) tl_document_path (tl_window_document (window)),
    .state = state,
    .maximized = gtk_window_is_maximized (GTK_WINDOW (window)),
    .cursor = gtk_text_iter_get_offset (&cursor),
  };
  gtk_window_get_default_size (GTK_WINDOW (window), &session.width, &session.height);
  tl_session_save (file, &session);
}

void
tl_window_session_size (TlWindow *window, const TlSession *session)
{
  if (session->width > 0 && session->height > 0)
    gtk_window_set_default_size (GTK_WINDOW (window), session->width, session->height);
  if (session->maximized)
    gtk_window_maximize (GTK_WINDOW (window));
}
