/* Reading whole inputs and writing outputs that are never half there. */
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct _TlOutput
{
  char *path;
  char *temporary; /* NULL: written directly, or renamed already */
  FILE *file;
};

static gboolean
say_unwritable (const char *path, int error)
{
  fprintf (stderr, "%s: error: cannot be written\n  because: %s\n  fix: %s\n", path, g_strerror (error),
           error == ENOSPC ? "make room on the disk" : "name a file in a folder that is there and may be written");
  return FALSE;
}

static void
say_unreadable (const char *path, int error)
{
  fprintf (stderr, "%s: error: cannot be read\n  because: %s\n  fix: name a file that is there and may be read\n", path,
           g_strerror (error));
}

/* What the path names is there and no regular file: renaming over it would replace a device or a pipe. */
static gboolean
is_special (const char *path)
{
  GStatBuf status;

  return g_stat (path, &status) == 0 && !S_ISREG (status.st_mode) && !S_ISDIR (status.st_mode);
}

/* A link is kept and the file it leads to is replaced. */
static char *
resolve (const char *path)
{
  char *real = realpath (path, NULL);

  if (real == NULL)
    return g_strdup (path);
  char *copy = g_strdup (real);
  free (real);
  return copy;
}

TlOutput *
tl_output_open (const char *path)
{
  g_autoptr (TlOutput) output = g_new0 (TlOutput, 1);

  output->path = resolve (path);
  if (strcmp (path, "-") == 0)
    output->file = stdout;
  else if (is_special (path))
    {
      output->file = g_fopen (path, "we");
      if (output->file == NULL)
        return say_unwritable (path, errno), NULL;
    }
  else
    {
      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        return say_unwritable (path, EISDIR), NULL;
      output->temporary = g_strdup_printf ("%s.XXXXXX", output->path);
      int descriptor = g_mkstemp_full (output->temporary, O_WRONLY | O_CLOEXEC, 0666);
      if (descriptor < 0)
        {
          int error = errno;
          g_clear_pointer (&output->temporary, g_free);
          return say_unwritable (path, error), NULL;
        }
      output->file = fdopen (descriptor, "w");
    }
  return g_steal_pointer (&output);
}

FILE *
tl_output_file (TlOutput *output)
{
  return output->file;
}

gboolean
tl_output_commit (TlOutput *output)
{
  FILE *file = g_steal_pointer (&output->file);
  int   failed = ferror (file) ? EIO : 0;

  /* A full disk shows itself here at the latest. */
  if (fflush (file) != 0)
    failed = errno;
  if (file != stdout && fclose (file) != 0 && failed == 0)
    failed = errno;
  if (failed == 0 && output->temporary != NULL && g_rename (output->temporary, output->path) != 0)
    failed = errno;
  if (failed != 0)
    return say_unwritable (output->path, failed);
  g_clear_pointer (&output->temporary, g_free);
  return TRUE;
}

void
tl_output_free (TlOutput *output)
{
  if (output == NULL)
    return;
  if (output->file != NULL && output->file != stdout)
    fclose (output->file);
  if (output->temporary != NULL)
    g_unlink (output->temporary);
  g_free (output->temporary);
  g_free (output->path);
  g_free (output);
}

int
tl_output_write (const char *path, gconstpointer data, gssize length)
{
  g_autoptr (TlOutput) output = tl_output_open (path);

  if (output == NULL)
    return TL_EXIT_WRONG;
  fwrite (data, 1, length < 0 ? strlen (data) : (gsize) length, output->file);
  return tl_output_commit (output) ? TL_EXIT_FINE : TL_EXIT_WRONG;
}

gboolean
tl_output_probe (const char *path)
{
  if (path == NULL || strcmp (path, "-") == 0)
    return TRUE;
  if (is_special (path))
    return g_access (path, W_OK) == 0 || say_unwritable (path, errno);
  g_autoptr (TlOutput) output = tl_output_open (path);
  return output != NULL;
}

int
tl_cli_write_json (const char *path, JsonNode *root)
{
  g_autoptr (JsonGenerator) generator = json_generator_new ();

  json_generator_set_pretty (generator, TRUE);
  json_generator_set_root (generator, root);
  g_autofree char *text = json_generator_to_data (generator, NULL);
  g_autofree char *line = g_strconcat (text, "\n", NULL);
  json_node_unref (root);
  return tl_output_write (path, line, -1);
}

GBytes *
tl_cli_read (const char *path, gsize limit)
{
  gboolean    standard = strcmp (path, "-") == 0;
  const char *shown = standard ? "standard input" : path;
  int         descriptor = standard ? STDIN_FILENO : g_open (path, O_RDONLY | O_CLOEXEC, 0);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint8 block[65536];
  gssize got;

  if (descriptor < 0)
    return say_unreadable (shown, errno), NULL;
  while ((got = read (descriptor, block, sizeof block)) != 0)
    {
      if (got < 0 && errno == EINTR)
        continue;
      if (got < 0 || bytes->len + got > limit)
        {
          if (got < 0)
            say_unreadable (shown, errno);
          else
            fprintf (stderr,
                     "%s: error: too long\n  because: at most %" G_GSIZE_FORMAT " bytes are read\n"
                     "  fix: name a program, a stream or a target\n",
                     shown, limit);
          if (!standard)
            close (descriptor);
          return NULL;
        }
      g_byte_array_append (bytes, block, (guint) got);
    }
  if (!standard)
    close (descriptor);
  /* The bytes of an empty array have no data at all; those who parse want some. */
  if (bytes->len == 0)
    return g_bytes_new_static ("", 0);
  return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
}
