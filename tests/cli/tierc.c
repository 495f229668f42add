/* Running the built tierc: see tierc.h. */
#include "tierc.h"

#include "support/support.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

char *
tierc_path (void)
{
  return g_build_filename (g_getenv ("TL_BUILD_ROOT"), "src", "cli", "tierc", NULL);
}

/* What a pipe gave, as text; empty bytes have no data at all. */
static char *
text_of (GBytes *bytes, gsize *length)
{
  gsize       n;
  const char *data = g_bytes_get_data (bytes, &n);

  if (length != NULL)
    *length = n;
  return n > 0 ? g_strndup (data, n) : g_strdup ("");
}

Tierc
tierc_argv (const char *input, const char *const *arguments)
{
  Tierc self = { 0 };
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (
      G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autofree char *path = tierc_path ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) out = NULL;
  g_autoptr (GBytes) err = NULL;
  g_autoptr (GBytes) in = g_bytes_new (input, input != NULL ? strlen (input) : 0);

  g_ptr_array_add (argv, path);
  for (guint i = 0; arguments[i] != NULL; i++)
    g_ptr_array_add (argv, (gpointer) arguments[i]);
  g_ptr_array_add (argv, NULL);
  g_subprocess_launcher_set_cwd (launcher, tl_test_folder ());
  g_autoptr (GSubprocess) process = g_subprocess_launcher_spawnv (launcher, (const char *const *) argv->pdata, &error);
  ck_assert_msg (process != NULL, "%s", error != NULL ? error->message : "");
  ck_assert (g_subprocess_communicate (process, in, NULL, &out, &err, &error));
  self.status = g_subprocess_get_if_exited (process) ? g_subprocess_get_exit_status (process)
                                                     : -g_subprocess_get_term_sig (process);
  self.out = text_of (out, &self.out_length);
  self.err = text_of (err, NULL);
  return self;
}

Tierc
tierc (const char *input, ...)
{
  g_autoptr (GPtrArray) arguments = g_ptr_array_new ();
  va_list args;

  va_start (args, input);
  for (char *argument = va_arg (args, char *); argument != NULL; argument = va_arg (args, char *))
    g_ptr_array_add (arguments, argument);
  va_end (args);
  g_ptr_array_add (arguments, NULL);
  return tierc_argv (input, (const char *const *) arguments->pdata);
}

void
tierc_clear (Tierc *self)
{
  g_clear_pointer (&self->out, g_free);
  g_clear_pointer (&self->err, g_free);
}

void
put_file (const char *name, const char *data, gssize length)
{
  g_autofree char *path = g_build_filename (tl_test_folder (), name, NULL);
  g_autofree char *folder = g_path_get_dirname (path);

  ck_assert_int_eq (g_mkdir_with_parents (folder, 0700), 0);
  ck_assert (g_file_set_contents (path, data, length, NULL));
}

gboolean
file_exists (const char *name)
{
  g_autofree char *path = g_build_filename (tl_test_folder (), name, NULL);
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

char *
get_file (const char *name, gsize *length)
{
  g_autofree char *path = g_build_filename (tl_test_folder (), name, NULL);
  char            *data = NULL;

  return g_file_get_contents (path, &data, length, NULL) ? data : NULL;
}

static int
by_name (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

char *
list_files (void)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (tl_test_folder (), 0, NULL);

  for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir))
    g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, by_name);
  g_ptr_array_add (names, NULL);
  return g_strjoinv (" ", (char **) names->pdata);
}

JsonNode *
json_of (const char *text)
{
  g_autoptr (GError) error = NULL;
  JsonNode *root = json_from_string (text, &error);

  ck_assert_msg (root != NULL && JSON_NODE_HOLDS_OBJECT (root), "no JSON object: %s\n%s",
                 error != NULL ? error->message : "", text);
  return root;
}

JsonNode *
json_at (JsonNode *root, const char *path)
{
  g_auto (GStrv) parts = g_strsplit (path, ".", -1);
  JsonNode *node = root;

  for (guint i = 0; parts[i] != NULL && node != NULL; i++)
    {
      if (JSON_NODE_HOLDS_OBJECT (node))
        node = json_object_get_member (json_node_get_object (node), parts[i]);
      else if (JSON_NODE_HOLDS_ARRAY (node) && g_ascii_isdigit (parts[i][0])
               && (guint) atoi (parts[i]) < json_array_get_length (json_node_get_array (node)))
        node = json_array_get_element (json_node_get_array (node), (guint) atoi (parts[i]));
      else
        node = NULL;
    }
  return node;
}

gint64
json_int_at (JsonNode *root, const char *path)
{
  JsonNode *node = json_at (root, path);

  ck_assert_msg (node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_INT64,
                 "%s is no integer", path);
  return json_node_get_int (node);
}

const char *
json_text_at (JsonNode *root, const char *path)
{
  JsonNode *node = json_at (root, path);

  ck_assert_msg (node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING,
                 "%s is no text", path);
  return json_node_get_string (node);
}
