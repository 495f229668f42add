/* The last session as a key file of a few lines. */
#include "app/session.h"

#include <glib/gstdio.h>

#define GROUP "Session"

char *
tl_session_file (void)
{
  return g_build_filename (g_get_user_state_dir (), "tierloom", "session", NULL);
}

/* A size no screen has comes from a damaged file. */
static int
sane_size (int size)
{
  return size >= 100 && size <= 32767 ? size : 0;
}

gboolean
tl_session_load (const char *file, TlSession *session)
{
  g_autoptr (GKeyFile) keys = g_key_file_new ();

  *session = (TlSession) { 0 };
  if (!g_key_file_load_from_file (keys, file, G_KEY_FILE_NONE, NULL) || !g_key_file_has_group (keys, GROUP))
    return FALSE;
  session->path = g_key_file_get_string (keys, GROUP, "path", NULL);
  session->state = g_key_file_get_string (keys, GROUP, "state", NULL);
  session->width = sane_size (g_key_file_get_integer (keys, GROUP, "width", NULL));
  session->height = sane_size (g_key_file_get_integer (keys, GROUP, "height", NULL));
  session->maximized = g_key_file_get_boolean (keys, GROUP, "maximized", NULL);
  session->cursor = MAX (0, g_key_file_get_integer (keys, GROUP, "cursor", NULL));
  return TRUE;
}

gboolean
tl_session_save (const char *file, const TlSession *session)
{
  g_autoptr (GKeyFile) keys = g_key_file_new ();
  g_autofree char *folder = g_path_get_dirname (file);

  if (session->path != NULL)
    g_key_file_set_string (keys, GROUP, "path", session->path);
  if (session->state != NULL)
    g_key_file_set_string (keys, GROUP, "state", session->state);
  g_key_file_set_integer (keys, GROUP, "width", session->width);
  g_key_file_set_integer (keys, GROUP, "height", session->height);
  g_key_file_set_boolean (keys, GROUP, "maximized", session->maximized);
  g_key_file_set_integer (keys, GROUP, "cursor", session->cursor);
  return g_mkdir_with_parents (folder, 0700) == 0 && g_key_file_save_to_file (keys, file, NULL);
}

void
tl_session_clear (TlSession *session)
{
  g_clear_pointer (&session->path, g_free);
  g_clear_pointer (&session->state, g_free);
}
