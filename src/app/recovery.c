/* Unsaved text on disk: ID.recovery is a key file, ID.lock is held for as long as the
 * document lives. A recovery file whose lock can be taken has lost its process. */
#include "app/recovery.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define GROUP "Recovery"

struct _TlRecovery
{
  char *file;
  char *lock_file;
  int   lock; /* -1: not held */
};

char *
tl_recovery_folder (void)
{
  return g_build_filename (g_get_user_state_dir (), "tierloom", "recovery", NULL);
}

static TlRecovery *
recovery_named (const char *folder, const char *id)
{
  TlRecovery *recovery = g_new0 (TlRecovery, 1);

  recovery->file = g_strdup_printf ("%s/%s.recovery", folder, id);
  recovery->lock_file = g_strdup_printf ("%s/%s.lock", folder, id);
  recovery->lock = -1;
  return recovery;
}

TlRecovery *
tl_recovery_new (const char *folder)
{
  g_autofree char *id = g_uuid_string_random ();

  return recovery_named (folder, id);
}

/* FALSE with errno set; EWOULDBLOCK when another process holds it. */
static gboolean
take_lock (TlRecovery *recovery)
{
  if (recovery->lock >= 0)
    return TRUE;
  int fd = g_open (recovery->lock_file, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0)
    return FALSE;
  if (flock (fd, LOCK_EX | LOCK_NB) != 0)
    {
      int fault = errno;
      close (fd);
      errno = fault;
      return FALSE;
    }
  recovery->lock = fd;
  return TRUE;
}

static void
set_text (GKeyFile *keys, const char *key, const char *value)
{
  if (value != NULL)
    g_key_file_set_string (keys, GROUP, key, value);
}

gboolean
tl_recovery_write (TlRecovery *recovery, const TlRecoveryEntry *entry, GError **error)
{
  g_autoptr (GKeyFile) keys = g_key_file_new ();
  g_autoptr (GError) inner = NULL;
  g_autofree char *folder = g_path_get_dirname (recovery->file);

  set_text (keys, "text", entry->text);
  set_text (keys, "path", entry->path);
  set_text (keys, "folder", entry->folder);
  set_text (keys, "name", entry->name);
  if (entry->stamp.known)
    {
      g_key_file_set_uint64 (keys, GROUP, "inode", entry->stamp.inode);
      g_key_file_set_uint64 (keys, GROUP, "size", entry->stamp.size);
      g_key_file_set_int64 (keys, GROUP, "seconds", entry->stamp.seconds);
      g_key_file_set_int64 (keys, GROUP, "nanoseconds", entry->stamp.nanoseconds);
      g_key_file_set_uint64 (keys, GROUP, "hash", entry->stamp.hash);
    }
  gsize            length;
  g_autofree char *bytes = g_key_file_to_data (keys, &length, NULL);
  if (g_mkdir_with_parents (folder, 0700) == 0 && take_lock (recovery)
      && g_file_set_contents_full (recovery->file, bytes, (gssize) length, G_FILE_SET_CONTENTS_CONSISTENT, 0600,
                                   &inner))
    return TRUE;
  g_set_error (error, TL_DOCUMENT_ERROR, TL_DOCUMENT_ERROR_UNWRITABLE,
               _ ("Unsaved changes cannot be kept for a restart: %s. Save the program to be sure of them."),
               inner != NULL ? inner->message : g_strerror (errno));
  return FALSE;
}

void
tl_recovery_clear (TlRecovery *recovery)
{
  if (recovery->lock < 0)
    return;
  g_unlink (recovery->file);
  g_unlink (recovery->lock_file);
  close (recovery->lock);
  recovery->lock = -1;
}

void
tl_recovery_abandon (TlRecovery *recovery)
{
  if (recovery->lock >= 0)
    close (recovery->lock);
  recovery->lock = -1;
  tl_recovery_free (recovery);
}

void
tl_recovery_free (TlRecovery *recovery)
{
  tl_recovery_clear (recovery);
  g_free (recovery->file);
  g_free (recovery->lock_file);
  g_free (recovery);
}

static gboolean
entry_read (const char *file, TlRecoveryEntry *entry)
{
  g_autoptr (GKeyFile) keys = g_key_file_new ();

  if (!g_key_file_load_from_file (keys, file, G_KEY_FILE_NONE, NULL))
    return FALSE;
  entry->text = g_key_file_get_string (keys, GROUP, "text", NULL);
  if (entry->text == NULL)
    return FALSE;
  entry->path = g_key_file_get_string (keys, GROUP, "path", NULL);
  entry->folder = g_key_file_get_string (keys, GROUP, "folder", NULL);
  entry->name = g_key_file_get_string (keys, GROUP, "name", NULL);
  entry->stamp = (TlDocumentStamp) {
    .known = g_key_file_has_key (keys, GROUP, "hash", NULL),
    .inode = g_key_file_get_uint64 (keys, GROUP, "inode", NULL),
    .size = g_key_file_get_uint64 (keys, GROUP, "size", NULL),
    .seconds = g_key_file_get_int64 (keys, GROUP, "seconds", NULL),
    .nanoseconds = g_key_file_get_int64 (keys, GROUP, "nanoseconds", NULL),
    .hash = g_key_file_get_uint64 (keys, GROUP, "hash", NULL),
  };
  return TRUE;
}

static gint64
file_age (const char *file)
{
  GStatBuf info;

  return g_stat (file, &info) == 0 ? (gint64) info.st_mtime : 0;
}

static int
orphan_order (gconstpointer a, gconstpointer b)
{
  const TlOrphan *const *first = a;
  const TlOrphan *const *second = b;
  gint64 first_age = file_age ((*first)->recovery->file), second_age = file_age ((*second)->recovery->file);

  if (first_age != second_age)
    return first_age < second_age ? -1 : 1;
  return strcmp ((*first)->recovery->file, (*second)->recovery->file);
}

GPtrArray *
tl_recovery_orphans (const char *folder)
{
  GPtrArray *orphans = g_ptr_array_new_with_free_func ((GDestroyNotify) tl_orphan_free);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      if (!g_str_has_suffix (name, ".recovery"))
        continue;
      g_autofree char *id = g_strndup (name, strlen (name) - strlen (".recovery"));
      TlOrphan        *orphan = g_new0 (TlOrphan, 1);
      orphan->recovery = recovery_named (folder, id);
      gboolean ours = take_lock (orphan->recovery) && g_file_test (orphan->recovery->file, G_FILE_TEST_EXISTS);
      if (ours && entry_read (orphan->recovery->file, &orphan->entry))
        {
          g_ptr_array_add (orphans, orphan);
          continue;
        }
      if (ours)
        {
          g_autofree char *aside = g_strdup_printf ("%s/%s.broken", folder, id);
          (void) g_rename (orphan->recovery->file, aside);
        }
      tl_orphan_free (orphan);
    }
  g_ptr_array_sort (orphans, orphan_order);
  return orphans;
}

void
tl_orphan_free (TlOrphan *orphan)
{
  if (orphan->recovery != NULL)
    tl_recovery_abandon (orphan->recovery);
  g_free (orphan->entry.text);
  g_free (orphan->entry.path);
  g_free (orphan->entry.folder);
  g_free (orphan->entry.name);
  g_free (orphan);
}
