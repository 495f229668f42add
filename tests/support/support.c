/* Test support: see support.h. */
#include "support/support.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static guint skipped;

int
tl_test_run (Suite *suite)
{
  SRunner *runner = srunner_create (suite);

  srunner_run_all (runner, CK_NORMAL);
  int failed = srunner_ntests_failed (runner);
  int run = srunner_ntests_run (runner);
  srunner_free (runner);
  printf ("tests: %d passed, %d failed, %u skipped\n", run - failed - (int) MIN (skipped, (guint) (run - failed)),
          failed, skipped);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

void
tl_test_skip (const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);
  printf ("skipped: %s\n", text);
  skipped++;
}

static const char *
source_root (void)
{
  const char *root = g_getenv ("TL_SOURCE_ROOT");
  return root != NULL ? root : ".";
}

char *
tl_test_source_path (const char *relative)
{
  return g_build_filename (source_root (), relative, NULL);
}

char *
tl_test_shared_path (const char *relative)
{
  g_autofree char *path = g_build_filename (source_root (), "..", "shared", relative, NULL);
  return g_file_test (path, G_FILE_TEST_EXISTS) ? g_steal_pointer (&path) : NULL;
}

static char *folder;

static void
remove_tree (const char *path)
{
  GDir *dir = g_dir_open (path, 0, NULL);

  if (dir != NULL)
    {
      for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir))
        {
          g_autofree char *child = g_build_filename (path, name, NULL);
          remove_tree (child);
        }
      g_dir_close (dir);
    }
  g_remove (path);
}

static void
remove_folder (void)
{
  remove_tree (folder);
  g_free (folder);
}

const char *
tl_test_folder (void)
{
  if (folder == NULL)
    {
      folder = g_dir_make_tmp ("tierloom-test-XXXXXX", NULL);
      g_assert_nonnull (folder);
      atexit (remove_folder);
    }
  return folder;
}

GPtrArray *
tl_test_read_csv (const char *path)
{
  g_autofree char *text = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    g_error ("cannot read %s", path);
  GPtrArray *table = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  GPtrArray *row = g_ptr_array_new_with_free_func (g_free);
  GString   *cell = g_string_new (NULL);
  gboolean   quoted = FALSE;

  for (const char *at = text;; at++)
    {
      if (quoted && *at != '\0')
        {
          if (*at == '"' && at[1] == '"')
            g_string_append_c (cell, *at++);
          else if (*at == '"')
            quoted = FALSE;
          else
            g_string_append_c (cell, *at);
          continue;
        }
      if (*at == '"')
        quoted = TRUE;
      else if (*at == ',' || *at == '\n' || *at == '\0')
        {
          if (*at == '\0' && row->len == 0 && cell->len == 0)
            break;
          g_ptr_array_add (row, g_strdup (cell->str));
          g_string_truncate (cell, 0);
          if (*at != ',')
            {
              g_ptr_array_add (table, row);
              row = g_ptr_array_new_with_free_func (g_free);
            }
          if (*at == '\0')
            break;
        }
      else if (*at != '\r')
        g_string_append_c (cell, *at);
    }
  g_ptr_array_unref (row);
  g_string_free (cell, TRUE);
  return table;
}

GPtrArray *
tl_test_shared_csv (const char *relative)
{
  g_autofree char *path = tl_test_shared_path (relative);

  if (path != NULL)
    return tl_test_read_csv (path);
  tl_test_skip ("%s is not there", relative);
  return NULL;
}

const char *
tl_test_cell (const GPtrArray *table, guint row, const char *name)
{
  const GPtrArray *header = g_ptr_array_index (table, 0);
  const GPtrArray *cells = g_ptr_array_index (table, row);

  for (guint i = 0; i < header->len; i++)
    if (strcmp (g_ptr_array_index (header, i), name) == 0)
      return g_ptr_array_index (cells, i);
  g_error ("no column %s", name);
}

char *
tl_test_pair (const char *pairs, const char *key)
{
  g_auto (GStrv) parts = g_strsplit (pairs, ";", -1);
  gsize length = strlen (key);

  for (guint i = 0; parts[i] != NULL; i++)
    if (strncmp (parts[i], key, length) == 0 && parts[i][length] == '=')
      return g_strdup (parts[i] + length + 1);
  return NULL;
}

guint
tl_test_rounds (guint rounds)
{
#ifdef __SANITIZE_ADDRESS__
  return MAX (rounds / 10, 1);
#else
  return rounds;
#endif
}

guint64
tl_test_seed (void)
{
  static guint64 seed;

  if (seed == 0)
    {
      const char *text = g_getenv ("TL_TEST_SEED");
      seed = text != NULL ? g_ascii_strtoull (text, NULL, 0) : 20240607;
      printf ("seed: %" G_GUINT64_FORMAT "\n", seed);
    }
  return seed;
}

guint64
tl_test_random (guint64 *state)
{
  guint64 z = (*state += G_GUINT64_CONSTANT (0x9e3779b97f4a7c15));

  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return z ^ (z >> 31);
}

guint64
tl_test_random_below (guint64 *state, guint64 bound)
{
  return (guint64) (((unsigned __int128) tl_test_random (state) * bound) >> 64);
}
