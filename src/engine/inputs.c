/* Files by the names a program gives them. A folder resolver remembers what it read
 * under the file's identity (device, inode, size, times). */
#include "engine/inputs.h"

#include "base/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_FILE_BYTES (G_GUINT64_CONSTANT (4) << 30)
#define CHUNK_BYTES    (1u << 20)

typedef struct
{
  GBytes     *bytes;
  guint64     hash;
  struct stat identity; /* all 0 in memory */
} File;

struct _TlInputs
{
  gatomicrefcount references;
  gboolean        memory;
  TlInputs       *under;  /* asked instead of files, for the name and then for that in fallback; or NULL */
  char           *folder; /* NULL: the current one */
  char           *fallback;
  GMutex          lock;  /* of files */
  GHashTable     *files; /* path (memory: name) -> File */
};

static void
file_free (gpointer data)
{
  File *file = data;

  g_bytes_unref (file->bytes);
  g_free (file);
}

static TlInputs *
inputs_new (void)
{
  TlInputs *inputs = g_new0 (TlInputs, 1);

  g_atomic_ref_count_init (&inputs->references);
  g_mutex_init (&inputs->lock);
  inputs->files = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, file_free);
  return inputs;
}

TlInputs *
tl_inputs_new_folder (const char *folder, const char *fallback)
{
  TlInputs *inputs = inputs_new ();

  inputs->folder = g_strdup (folder);
  inputs->fallback = g_strdup (fallback);
  return inputs;
}

TlInputs *
tl_inputs_new_based (TlInputs *under, const char *base)
{
  TlInputs *inputs = inputs_new ();

  inputs->under = tl_inputs_ref (under);
  inputs->fallback = g_strdup (base);
  return inputs;
}

TlInputs *
tl_inputs_new_memory (void)
{
  TlInputs *inputs = inputs_new ();

  inputs->memory = TRUE;
  return inputs;
}

void
tl_inputs_add (TlInputs *inputs, const char *name, GBytes *bytes)
{
  File         *file = g_new0 (File, 1);
  gsize         length = 0;
  gconstpointer data = g_bytes_get_data (bytes, &length);

  g_return_if_fail (inputs->memory);
  file->bytes = g_bytes_ref (bytes);
  file->hash = tl_fnv1a64 (TL_FNV1A64_START, data, length);
  g_mutex_lock (&inputs->lock);
  g_hash_table_replace (inputs->files, g_strdup (name), file);
  g_mutex_unlock (&inputs->lock);
}

TlInputs *
tl_inputs_ref (TlInputs *inputs)
{
  g_atomic_ref_count_inc (&inputs->references);
  return inputs;
}

void
tl_inputs_unref (TlInputs *inputs)
{
  if (inputs == NULL || !g_atomic_ref_count_dec (&inputs->references))
    return;
  g_hash_table_unref (inputs->files);
  g_mutex_clear (&inputs->lock);
  g_clear_pointer (&inputs->under, tl_inputs_unref);
  g_free (inputs->folder);
  g_free (inputs->fallback);
  g_free (inputs);
}

static char *
join (const char *folder, const char *name)
{
  return folder == NULL || *folder == '\0' || g_path_is_absolute (name) ? g_strdup (name)
                                                                        : g_build_filename (folder, name, NULL);
}

/* The path that was or would be opened, for messages. (transfer full) */
static char *
path_of (TlInputs *inputs, const char *name)
{
  g_autofree char *second = NULL;
  char            *first;

  if (inputs->under != NULL)
    return path_of (inputs->under, name);
  if (inputs->memory)
    return g_strdup (name);
  first = join (inputs->folder, name);
  if (inputs->fallback == NULL || g_file_test (first, G_FILE_TEST_EXISTS))
    return first;
  second = join (inputs->fallback, name);
  if (!g_file_test (second, G_FILE_TEST_EXISTS))
    return first;
  g_free (first);
  return g_steal_pointer (&second);
}

static gboolean
same_file (const struct stat *a, const struct stat *b)
{
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size
         && a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec
         && a->st_ctim.tv_sec == b->st_ctim.tv_sec && a->st_ctim.tv_nsec == b->st_ctim.tv_nsec;
}

static GBytes *
fail (GError **error, int code, const char *path)
{
  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (code), "%s: %s", path, g_strerror (code));
  return NULL;
}

static GBytes *
read_open_file (int fd, const char *path, goffset size, GCancellable *cancellable, GError **error)
{
  g_autoptr (GByteArray) all = g_byte_array_sized_new ((guint) CLAMP (size, 0, 1 << 30));
  guint64 total = 0;

  for (;;)
    {
      gssize got;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      if (total + CHUNK_BYTES > MAX_FILE_BYTES - 1)
        {
          g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOSPC, "%s: more than %u GiB", path,
                       (guint) (MAX_FILE_BYTES >> 30));
          return NULL;
        }
      g_byte_array_set_size (all, (guint) (total + CHUNK_BYTES));
      got = read (fd, all->data + total, CHUNK_BYTES);
      if (got < 0 && errno == EINTR)
        continue;
      if (got < 0)
        return fail (error, errno, path);
      if (got == 0)
        break;
      total += (guint64) got;
    }
  g_byte_array_set_size (all, (guint) total);
  return g_byte_array_free_to_bytes (g_steal_pointer (&all));
}

/* A folder or a device is no file; a pipe is. */
static GBytes *
read_file (const char *path, struct stat *identity, GCancellable *cancellable, GError **error)
{
  int     fd = g_open (path, O_RDONLY | O_CLOEXEC, 0);
  GBytes *bytes;

  if (fd < 0)
    return fail (error, errno, path);
  if (fstat (fd, identity) != 0)
    bytes = fail (error, errno, path);
  else if (S_ISDIR (identity->st_mode))
    bytes = fail (error, EISDIR, path);
  else if (!S_ISREG (identity->st_mode) && !S_ISFIFO (identity->st_mode))
    bytes = fail (error, ENXIO, path);
  else
    bytes = read_open_file (fd, path, identity->st_size, cancellable, error);
  close (fd);
  return bytes;
}

static GBytes *
take (const File *file, guint64 *content_hash)
{
  if (content_hash != NULL)
    *content_hash = file->hash;
  return g_bytes_ref (file->bytes);
}

static GBytes *
load_based (TlInputs *inputs, const char *name, guint64 *content_hash, GCancellable *cancellable, GError **error)
{
  g_autoptr (GError) own = NULL;
  GBytes *bytes = tl_inputs_load (inputs->under, name, content_hash, cancellable, &own);

  if (bytes == NULL && *inputs->fallback != '\0' && !g_path_is_absolute (name)
      && g_error_matches (own, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    {
      g_autofree char *other = g_build_filename (inputs->fallback, name, NULL);

      bytes = tl_inputs_load (inputs->under, other, content_hash, cancellable, NULL);
    }
  if (bytes == NULL)
    g_propagate_error (error, g_steal_pointer (&own));
  return bytes;
}

GBytes *
tl_inputs_load (TlInputs *inputs, const char *name, guint64 *content_hash, GCancellable *cancellable, GError **error)
{
  if (inputs->under != NULL)
    return load_based (inputs, name, content_hash, cancellable, error);

  g_autofree char *path = path_of (inputs, name);
  struct stat      identity = { 0 };
  GBytes          *bytes = NULL;
  File            *file;
  gsize            length = 0;
  gconstpointer    data;

  if (!inputs->memory && g_stat (path, &identity) != 0)
    return fail (error, errno, path);
  g_mutex_lock (&inputs->lock);
  file = g_hash_table_lookup (inputs->files, path);
  if (file != NULL && (inputs->memory || (S_ISREG (identity.st_mode) && same_file (&file->identity, &identity))))
    bytes = take (file, content_hash);
  g_mutex_unlock (&inputs->lock);
  if (bytes != NULL)
    return bytes;
  if (inputs->memory)
    return fail (error, ENOENT, path);

  bytes = read_file (path, &identity, cancellable, error);
  if (bytes == NULL)
    return NULL;
  data = g_bytes_get_data (bytes, &length);
  file = g_new0 (File, 1);
  file->bytes = bytes;
  file->hash = tl_fnv1a64 (TL_FNV1A64_START, data, length);
  file->identity = identity;
  bytes = take (file, content_hash);
  g_mutex_lock (&inputs->lock);
  g_hash_table_replace (inputs->files, g_steal_pointer (&path), file);
  g_mutex_unlock (&inputs->lock);
  return bytes;
}
