/* Files that appear whole or not at all. */
#include "engine/build.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static gboolean
fail (const char *path, int code, GError **error)
{
  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (code), "%s: %s", path, g_strerror (code));
  return FALSE;
}

static gboolean
write_all (int fd, const char *path, GBytes *bytes, GError **error)
{
  gsize       length = 0;
  const char *data = g_bytes_get_data (bytes, &length);

  while (length > 0)
    {
      gssize wrote = write (fd, data, length);

      if (wrote < 0 && errno == EINTR)
        continue;
      if (wrote < 0)
        return fail (path, errno, error);
      data += wrote;
      length -= (gsize) wrote;
    }
  return TRUE;
}

/* A pipe or a device is written as it is: there is nothing to rename over. */
static gboolean
write_through (const char *path, GBytes *bytes, GError **error)
{
  int      fd = g_open (path, O_WRONLY | O_CLOEXEC, 0);
  gboolean fine;

  if (fd < 0)
    return fail (path, errno, error);
  fine = write_all (fd, path, bytes, error);
  return close (fd) == 0 ? fine : fine && fail (path, errno, error);
}

gboolean
tl_write_file (const char *path, GBytes *bytes, GError **error)
{
  struct stat      there;
  g_autofree char *temporary = NULL;
  gboolean         exists, fine;
  mode_t           mask, mode;
  int              fd;

  if (strcmp (path, "-") == 0)
    return write_all (STDOUT_FILENO, "standard output", bytes, error);
  exists = g_stat (path, &there) == 0;
  if (exists && S_ISDIR (there.st_mode))
    return fail (path, EISDIR, error);
  if (exists && !S_ISREG (there.st_mode))
    return write_through (path, bytes, error);
  temporary = g_strconcat (path, ".XXXXXX", NULL);
  fd = g_mkstemp_full (temporary, O_RDWR | O_CLOEXEC, 0666);
  if (fd < 0)
    return fail (path, errno, error);
  /* A file written over keeps its permissions; the process' mask has seen to a new one. */
  mask = exists ? 0 : 0777;
  mode = there.st_mode & 0777;
  fine = write_all (fd, path, bytes, error) && (mask != 0 || fchmod (fd, mode) == 0 || fail (path, errno, error));
  if (close (fd) != 0 && fine)
    fine = fail (path, errno, error);
  if (fine && g_rename (temporary, path) != 0)
    fine = fail (path, errno, error);
  if (!fine)
    g_unlink (temporary);
  return fine;
}
