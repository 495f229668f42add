/* Reading and writing a program's file. Writing goes to a new file in the same folder,
 * which is made durable and then renamed over the old one: whatever happens between,
 * the old text or the new one is on disk. */
#include "app/document-file.h"

#include "base/hash.h"
#include "scene/paint.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

G_DEFINE_QUARK (tl - document - error - quark, tl_document_error)

static void
close_file (int *fd)
{
  if (*fd >= 0)
    close (*fd);
}

typedef int Descriptor;
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Descriptor, close_file)

static void
stamp_set (TlDocumentStamp *stamp, const struct stat *info, const char *bytes, gsize length)
{
  *stamp = (TlDocumentStamp) {
    .known = TRUE,
    .inode = info->st_ino,
    .size = (guint64) info->st_size,
    .seconds = info->st_mtim.tv_sec,
    .nanoseconds = info->st_mtim.tv_nsec,
    .hash = tl_fnv1a64 (TL_FNV1A64_START, bytes, length),
  };
}

static void
reading_failed (const char *path, int fault, GError **error)
{
  g_autofree char *name = g_filename_display_basename (path);

  if (fault == ENOENT || fault == ENOTDIR)
    g_set_error (error, TL_DOCUMENT_ERROR, TL_DOCUMENT_ERROR_GONE, _ ("“%s” is not there (any more)."), name);
  else if (fault == EACCES || fault == EPERM)
    g_set_error (error, TL_DOCUMENT_ERROR, TL_DOCUMENT_ERROR_UNREADABLE, _ ("You may not read “%s”."), name);
  else
    g_set_error (error, TL_DOCUMENT_ERROR, TL_DOCUMENT_ERROR_UNREADABLE, _ ("“%s” cannot be read: %s."), name,
                 g_strerror (fault));
}

static void
writing_failed (const char *path, int fault, GError **error)
{
  g_autofree char *name = g_filename_display_basename (path);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *shown = g_filename_display_name (folder);

  if (fault == ENOSPC || fault == EDQUOT || fault == EFBIG)
    g_set_error (error, TL_DOCUMENT_ERROR, TL_DOCUMENT_ERROR_FULL,
                 _ ("There is no room left for “%s”. The file is as it was; free some space or save elsewhere."), name);
  else if (fault == EACCES || fault == EPERM || fault == EROFS)
    g_set_error (error, TL_DOCUMENT_ERROR, TL_DOCUMENT_ERROR_READ_ONLY,
                 _ ("The folder “%s” cannot be written. Save “%s” elsewhere."), shown, name);
  else if (fault == ENOENT || fault == ENOTDIR)
    g_set_error (error, TL_DOCUMENT_ERROR, TL_DOCUMENT_ERROR_GONE,
                 _ ("The folder “%s” is not there (any more). Save “%s” elsewhere."), shown, name);
  else
    g_set_error (error, TL_DOCUMENT_ERROR, TL_DOCUMENT_ERROR_UNWRITABLE, _ ("“%s” cannot be written: %s."), name,
                 g_strerror (fault));
}

/* All bytes of a plain file with a NUL after them. Never waits at a pipe or a device. */
static char *
read_bytes (const char *path, gsize *length, struct stat *info, GError **error)
{
  g_auto (Descriptor) fd = g_open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
  g_autofree char *name = g_filename_display_basename (path);

  if (fd < 0 || fstat (fd, info) != 0)
    {
      reading_failed (path, errno, error);
      return NULL;
    }
  if (!S_ISREG (info->st_mode))
    {
      g_set_error (error, TL_DOCUMENT_ERROR, TL_DOCUMENT_ERROR_NO_TEXT,
                   S_ISDIR (info->st_mode) ? _ ("“%s” is a folder, not a program.")
                                           : _ ("“%s” is a device or a pipe, not a program."),
                   name);
      return NULL;
    }
  if (info->st_size > TL_DOCUMENT_MAX_BYTES)
    {
      g_autofree char *size = g_format_size ((guint64) info->st_size);
      g_set_error (error, TL_DOCUMENT_ERROR, TL_DOCUMENT_ERROR_NO_TEXT,
                   _ ("“%s” has %s; a program has at most 16 MB. Graphs are named in the data line instead."), name,
                   size);
      return NULL;
    }
  /* One byte more than there should be: the file may be growing under us. */
  gsize            room = (gsize) info->st_size + 1, have = 0;
  g_autofree char *bytes = g_malloc (room + 1);
  while (have < room)
    {
      gssize got = read (fd, bytes + have, room - have);
      if (got < 0 && errno == EINTR)
        continue;
      if (got < 0)
        {
          reading_failed (path, errno, error);
          return NULL;
        }
      if (got == 0)
        break;
      have += (gsize) got;
    }
  bytes[have] = '\0';
  *length = have;
  return g_steal_pointer (&bytes);
}

static gboolean
is_svg (const char *path, const char *bytes, gsize length)
{
  g_autofree char *lower = g_ascii_strdown (path, -1);

  return g_str_has_suffix (lower, ".svg") || (length > 5 && memcmp (bytes, "<?xml", 5) == 0)
         || (length > 4 && memcmp (bytes, "<svg", 4) == 0);
}

gboolean
tl_document_file_read (const char *path, char **text, char **name, char **state, TlDocumentStamp *stamp, GError **error)
{
  struct stat      info;
  gsize            length = 0;
  g_autofree char *shown = g_filename_display_basename (path);
  g_autofree char *bytes = read_bytes (path, &length, &info, error);
  g_autoptr (GError) inner = NULL;
  const char *stop;

  *name = *state = NULL;
  if (bytes == NULL)
    return FALSE;
  if (is_svg (path, bytes, length))
    {
      *stamp = (TlDocumentStamp) { 0 };
      if (tl_figure_read (bytes, length, text, name, state, &inner))
        return TRUE;
      g_set_error (error, TL_DOCUMENT_ERROR, TL_DOCUMENT_ERROR_NO_TEXT, _ ("“%s” is no figure of Tierloom: %s"), shown,
                   inner->message);
      return FALSE;
    }
  if (!g_utf8_validate (bytes, (gssize) length, &stop))
    {
      g_set_error (error, TL_DOCUMENT_ERROR, TL_DOCUMENT_ERROR_NO_TEXT,
                   _ ("“%s” is no text in UTF-8: byte %u is wrong. It was not opened."), shown, (guint) (stop - bytes));
      return FALSE;
    }
  stamp_set (stamp, &info, bytes, length);
  gsize mark = g_str_has_prefix (bytes, "\xef\xbb\xbf") ? 3 : 0;
  *text = g_strdup (bytes + mark);
  return TRUE;
}

/* FALSE with errno set. */
static gboolean
write_whole (int fd, const char *bytes, gsize length)
{
  while (length > 0)
    {
      gssize put = write (fd, bytes, length);
      if (put < 0 && errno == EINTR)
        continue;
      if (put < 0)
        return FALSE;
      bytes += put;
      length -= (gsize) put;
    }
  return fsync (fd) == 0;
}

/* Where the bytes really go: through symbolic links; the path itself for a new file. */
static char *
real_target (const char *path)
{
  char *real = realpath (path, NULL);
  char *copy = g_strdup (real != NULL ? real : path);

  free (real);
  return copy;
}

static gboolean
replace (const char *path, const char *bytes, gsize length, struct stat *info, GError **error)
{
  g_autofree char *target = real_target (path);
  g_autofree char *name = g_filename_display_basename (path);
  g_autofree char *folder = g_path_get_dirname (target);
  g_autofree char *base = g_path_get_basename (target);
  g_autofree char *fresh = g_strdup_printf ("%s/.%s.XXXXXX", folder, base);
  struct stat      before;
  gboolean         there = stat (target, &before) == 0;

  if (there && !S_ISREG (before.st_mode))
    {
      g_set_error (error, TL_DOCUMENT_ERROR, TL_DOCUMENT_ERROR_UNWRITABLE,
                   _ ("“%s” is a folder or a device; choose another name."), name);
      return FALSE;
    }
  /* Renaming would go through although the file forbids writing, and for root even access() says yes. */
  if (there && ((before.st_mode & 0222) == 0 || g_access (target, W_OK) != 0))
    {
      g_set_error (error, TL_DOCUMENT_ERROR, TL_DOCUMENT_ERROR_READ_ONLY,
                   _ ("“%s” is read-only. Save it under another name."), name);
      return FALSE;
    }
  mode_t mode = there ? before.st_mode & 07777 : 0666;
  int    fd = g_mkstemp_full (fresh, O_WRONLY | O_CLOEXEC, (int) (there ? 0600 : mode));
  if (fd < 0)
    {
      writing_failed (target, errno, error);
      return FALSE;
    }
  gboolean fine = write_whole (fd, bytes, length);
  /* Another group keeps its access where the system lets us; a failure only narrows it. */
  if (fine && there && before.st_gid != getegid () && fchown (fd, (uid_t) -1, before.st_gid) != 0)
    mode &= (mode_t) ~070;
  fine = fine && (!there || fchmod (fd, mode) == 0) && fstat (fd, info) == 0;
  int fault = errno;
  if (close (fd) != 0 && fine)
    {
      fine = FALSE;
      fault = errno;
    }
  if (fine && g_rename (fresh, target) != 0)
    {
      fine = FALSE;
      fault = errno;
    }
  if (!fine)
    {
      g_unlink (fresh);
      writing_failed (target, fault, error);
      return FALSE;
    }
  g_auto (Descriptor) directory = g_open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  if (directory >= 0)
    (void) fsync (directory);
  return TRUE;
}

gboolean
tl_document_file_changed (const char *path, const TlDocumentStamp *stamp, gboolean *gone)
{
  struct stat info;
  gsize       length = 0;
  gboolean    missing = stat (path, &info) != 0 && (errno == ENOENT || errno == ENOTDIR);

  if (gone != NULL)
    *gone = missing;
  if (missing || !stamp->known)
    return FALSE;
  if (info.st_ino == stamp->inode && (guint64) info.st_size == stamp->size && info.st_mtim.tv_sec == stamp->seconds
      && info.st_mtim.tv_nsec == stamp->nanoseconds)
    return FALSE;
  g_autofree char *bytes = read_bytes (path, &length, &info, NULL);
  return bytes == NULL || tl_fnv1a64 (TL_FNV1A64_START, bytes, length) != stamp->hash;
}

gboolean
tl_document_file_write (const char *path, const char *text, const TlDocumentStamp *expected, TlDocumentStamp *stamp,
                        GError **error)
{
  struct stat info;
  gsize       length = strlen (text);

  if (expected != NULL && tl_document_file_changed (path, expected, NULL))
    {
      g_autofree char *name = g_filename_display_basename (path);
      g_set_error (error, TL_DOCUMENT_ERROR, TL_DOCUMENT_ERROR_CHANGED,
                   _ ("Another program changed “%s” since it was opened here."), name);
      return FALSE;
    }
  if (!replace (path, text, length, &info, error))
    return FALSE;
  stamp_set (stamp, &info, text, length);
  return TRUE;
}

gboolean
tl_document_bytes_write (const char *path, GBytes *bytes, GError **error)
{
  struct stat info;
  gsize       length;
  const char *data = g_bytes_get_data (bytes, &length);

  return replace (path, data, length, &info, error);
}
