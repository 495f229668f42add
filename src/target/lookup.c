/* Names to bytes: where targets are looked up, and the bounded reading of a file. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config.h"
#include "target/target-private.h"
#include "target/target-resource.h"

#define BUILT_IN "/tierloom/targets/"
#define SHOWN    "(built in)/"

void
tl_target_file_free (TlTargetFile *file)
{
  g_free (file->file);
  g_clear_pointer (&file->bytes, g_bytes_unref);
  g_free (file);
}

char **
tl_target_folders (void)
{
  const char *value = g_getenv ("TIERLOOM_TARGETS");
  g_auto (GStrv) parts = g_strsplit (value != NULL ? value : "", G_SEARCHPATH_SEPARATOR_S, -1);
  g_autoptr (GStrvBuilder) folders = g_strv_builder_new ();

  for (guint i = 0; parts[i] != NULL; i++)
    if (*parts[i] != '\0')
      g_strv_builder_add (folders, parts[i]);
  return g_strv_builder_end (folders);
}

/* Reads a regular file of at most TL_TARGET_MAX_BYTES; the size is asked first, so that a huge
 * one is refused at once. */
static GBytes *
read_bounded (const char *path, TlDiags *diags)
{
  int         fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat status;

  if (fd < 0 || fstat (fd, &status) != 0)
    {
      tl_diags_add_at (diags, TL_SEVERITY_ERROR, "target-file", path, 0, 0, "the file cannot be read: %s",
                       g_strerror (errno));
      if (fd >= 0)
        close (fd);
      return NULL;
    }
  if (!S_ISREG (status.st_mode) || status.st_size > TL_TARGET_MAX_BYTES)
    {
      TlDiag *diag = tl_diags_add_at (diags, TL_SEVERITY_ERROR, "target-file", path, 0, 0,
                                      S_ISREG (status.st_mode) ? "the file is too large for a target"
                                                               : "this is not a regular file");
      if (S_ISREG (status.st_mode))
        tl_diag_reason (diag, "it has %" G_GINT64_FORMAT " bytes; a target has at most %d", (gint64) status.st_size,
                        TL_TARGET_MAX_BYTES);
      close (fd);
      return NULL;
    }
  GByteArray *bytes = g_byte_array_new ();
  guint8      chunk[16384];
  gssize      n = 0;
  while (bytes->len <= TL_TARGET_MAX_BYTES && (n = read (fd, chunk, sizeof chunk)) > 0)
    g_byte_array_append (bytes, chunk, n);
  close (fd);
  if (n < 0 || bytes->len > TL_TARGET_MAX_BYTES)
    {
      tl_diags_add_at (diags, TL_SEVERITY_ERROR, "target-file", path, 0, 0, "the file cannot be read: %s",
                       n < 0 ? g_strerror (errno) : "it grows while it is read");
      g_byte_array_unref (bytes);
      return NULL;
    }
  return g_byte_array_free_to_bytes (bytes);
}

static TlTargetFile *
open_file (const char *path, TlDiags *diags)
{
  GBytes *bytes = read_bounded (path, diags);

  if (bytes == NULL)
    return NULL;
  TlTargetFile *file = g_new0 (TlTargetFile, 1);
  file->file = g_strdup (path);
  file->bytes = bytes;
  return file;
}

static char *
folder_of (const char *path)
{
  return path != NULL && strcmp (path, "-") != 0 ? g_path_get_dirname (path) : NULL;
}

/* FOLDER/NAME.xml, "./" left out. */
static char *
join (const char *folder, const char *name)
{
  g_autofree char *leaf = g_str_has_suffix (name, ".xml") ? g_strdup (name) : g_strconcat (name, ".xml", NULL);

  return strcmp (folder, ".") == 0 ? g_steal_pointer (&leaf) : g_build_filename (folder, leaf, NULL);
}

TlTargetFile *
tl_lookup_file (const char *path, const TlTargetSearch *search, TlDiags *diags)
{
  g_autofree char *folder = search != NULL ? folder_of (search->program) : NULL;

  if (g_path_is_absolute (path) || folder == NULL)
    return open_file (path, diags);
  g_autofree char *beside = join (folder, path);
  return open_file (beside, diags);
}

static TlTargetFile *
built_in (const char *name)
{
  g_autofree char *path = g_strconcat (BUILT_IN, name, ".xml", NULL);
  GBytes          *bytes = g_resource_lookup_data (tl_target_get_resource (), path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);

  if (bytes == NULL)
    return NULL;
  TlTargetFile *file = g_new0 (TlTargetFile, 1);
  file->file = g_strconcat (SHOWN, name, ".xml", NULL);
  file->bytes = bytes;
  return file;
}

gboolean
tl_lookup_is_built_in (const char *file)
{
  return g_str_has_prefix (file, SHOWN);
}

static gboolean
good_name (const char *name)
{
  return *name != '\0' && *name != '.' && strlen (name) <= 64
         && strspn (name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-_.") == strlen (name);
}

/* The folders in order; (transfer full), of char *. */
static GPtrArray *
search_folders (const TlTargetSearch *search, const char *beside)
{
  GPtrArray *folders = g_ptr_array_new_with_free_func (g_free);
  char      *program = search != NULL ? folder_of (search->program) : NULL;

  if (program != NULL)
    g_ptr_array_add (folders, program);
  if (beside != NULL && !tl_lookup_is_built_in (beside))
    g_ptr_array_add (folders, g_path_get_dirname (beside));
  for (guint i = 0; search != NULL && search->folders != NULL && search->folders[i] != NULL; i++)
    g_ptr_array_add (folders, g_strdup (search->folders[i]));
  g_ptr_array_add (folders, g_build_filename (TL_PKGDATADIR, "targets", NULL));
  return folders;
}

TlTargetFile *
tl_lookup_name (const char *name, const TlTargetSearch *search, const char *beside, TlDiags *diags, gboolean *failed)
{
  *failed = FALSE;
  if (!good_name (name))
    return NULL;
  g_autoptr (GPtrArray) folders = search_folders (search, beside);
  for (guint i = 0; i < folders->len; i++)
    {
      g_autofree char *path = join (g_ptr_array_index (folders, i), name);
      if (!g_file_test (path, G_FILE_TEST_EXISTS))
        continue;
      TlTargetFile *file = open_file (path, diags);
      *failed = file == NULL;
      return file;
    }
  return built_in (name);
}

static void
add_folder (GHashTable *names, const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *leaf;

  while (dir != NULL && (leaf = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (leaf, ".xml"))
      g_hash_table_add (names, g_strndup (leaf, strlen (leaf) - strlen (".xml")));
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

GPtrArray *
tl_lookup_names (const TlTargetSearch *search)
{
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) folders = search_folders (search, NULL);
  g_auto (GStrv) leaves
      = g_resource_enumerate_children (tl_target_get_resource (), BUILT_IN, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);

  for (guint i = 0; i < folders->len; i++)
    add_folder (names, g_ptr_array_index (folders, i));
  for (guint i = 0; leaves != NULL && leaves[i] != NULL; i++)
    if (g_str_has_suffix (leaves[i], ".xml"))
      g_hash_table_add (names, g_strndup (leaves[i], strlen (leaves[i]) - strlen (".xml")));

  GPtrArray     *sorted = g_ptr_array_new_with_free_func (g_free);
  GHashTableIter iter;
  gpointer       name;
  g_hash_table_iter_init (&iter, names);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    if (good_name (name))
      g_ptr_array_add (sorted, g_strdup (name));
  g_ptr_array_sort (sorted, compare_names);
  return sorted;
}
