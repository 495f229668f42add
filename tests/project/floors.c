/* Floors: see floors.h and the table in src/DESIGN.md. */
#include "project/floors.h"

#include <string.h>

typedef struct
{
  char *name;      /* "base" */
  char *libraries; /* the row's last cell */
} Floor;

/* Headers of libraries, and the word by which the table allows them. */
static const struct
{
  const char *prefix;
  const char *word;
} libraries[] = {
  { "libxml/", "libxml2" }, { "zstd", "zstd" },   { "zlib.h", "zlib" },          { "json-glib/", "json-glib" },
  { "sqlite3", "SQLite" },  { "cairo", "cairo" }, { "pango/", "pango" },         { "gtk/", "GTK" },
  { "gdk/", "GTK" },        { "gsk/", "GTK" },    { "adwaita.h", "libadwaita" }, { "gtksourceview/", "GtkSourceView" },
  { "htslib/", "htslib" },
};

static void
floor_free (gpointer data)
{
  Floor *floor = data;

  g_free (floor->name);
  g_free (floor->libraries);
  g_free (floor);
}

static GPtrArray *
read_table (const char *root)
{
  GPtrArray       *floors = g_ptr_array_new_with_free_func (floor_free);
  g_autofree char *path = g_build_filename (root, "src", "DESIGN.md", NULL);
  g_autofree char *text = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return floors;
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      if (!g_str_has_prefix (lines[i], "| `src/"))
        continue;
      g_auto (GStrv) cells = g_strsplit (lines[i], "|", -1);
      char  *name = cells[1] + strlen (" `src/");
      Floor *floor = g_new0 (Floor, 1);

      floor->name = g_strndup (name, strcspn (name, "`"));
      floor->libraries = g_strdup (g_strv_length (cells) > 3 ? cells[3] : "");
      g_ptr_array_add (floors, floor);
    }
  return floors;
}

static int
floor_index (const GPtrArray *floors, const char *name, gsize length)
{
  for (guint i = 0; i < floors->len; i++)
    {
      const Floor *floor = g_ptr_array_index (floors, i);
      if (strlen (floor->name) == length && strncmp (floor->name, name, length) == 0)
        return (int) i;
    }
  return -1;
}

/* Why a file on @floor, of folder @room, may not have the line's include; NULL when it may. */
static char *
judge (const GPtrArray *floors, int floor, const char *room, const char *line, gboolean in_tests, guint *n_includes)
{
  const char *at = line;

  while (*at == ' ' || *at == '\t')
    at++;
  if (*at++ != '#')
    return NULL;
  while (*at == ' ' || *at == '\t')
    at++;
  if (!g_str_has_prefix (at, "include"))
    return NULL;
  at += strlen ("include");
  while (*at == ' ' || *at == '\t')
    at++;
  if (*at != '"' && *at != '<')
    return g_strdup ("an include that is no plain name cannot be judged");
  gboolean         quoted = *at == '"';
  g_autofree char *name = g_strndup (at + 1, strcspn (at + 1, quoted ? "\"" : ">"));

  (*n_includes)++;
  if (!quoted)
    {
      const Floor *row = g_ptr_array_index (floors, floor);
      for (guint i = 0; i < G_N_ELEMENTS (libraries); i++)
        if (!in_tests && g_str_has_prefix (name, libraries[i].prefix)
            && strstr (row->libraries, libraries[i].word) == NULL)
          return g_strdup_printf ("<%s> is of %s, which the row of src/%s does not name", name, libraries[i].word,
                                  room);
      return NULL;
    }
  if (strcmp (name, "config.h") == 0)
    return NULL;
  const char *slash = strchr (name, '/');
  /* A suite's helpers lie beside it. */
  if (slash == NULL && in_tests)
    return NULL;
  if (slash == NULL || name[0] == '.')
    return g_strdup_printf ("\"%s\" is not written from src/", name);
  gsize length = slash - name;
  if (in_tests
      && (strncmp (name, "support/", 8) == 0 || (strlen (room) == length && strncmp (name, room, length) == 0)))
    return NULL;
  int other = floor_index (floors, name, length);
  if (other < 0)
    return g_strdup_printf ("\"%s\" is in no folder of the table", name);
  if (other > floor)
    return g_strdup_printf ("\"%s\" is of a floor above src/%s", name, room);
  if (other != floor && g_str_has_suffix (name, "-private.h"))
    return g_strdup_printf ("\"%s\" is private to its folder", name);
  return NULL;
}

static void
check_file (const GPtrArray *floors, int floor, const char *room, const char *path, const char *shown,
            gboolean in_tests, GPtrArray *faults, guint *n_includes)
{
  g_autofree char *text = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    {
      g_ptr_array_add (faults, g_strdup_printf ("%s: cannot be read", shown));
      return;
    }
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autofree char *why = judge (floors, floor, room, lines[i], in_tests, n_includes);
      if (why != NULL)
        g_ptr_array_add (faults, g_strdup_printf ("%s:%u: %s", shown, i + 1, why));
    }
}

static int
by_name (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* (transfer full) names in a folder, sorted; empty when there is none. */
static GPtrArray *
list (const char *path)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);

  for (const char *name = dir != NULL ? g_dir_read_name (dir) : NULL; name != NULL; name = g_dir_read_name (dir))
    g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, by_name);
  return names;
}

static void
check_side (const GPtrArray *floors, const char *root, const char *side, GPtrArray *faults, guint *n_includes)
{
  gboolean         in_tests = strcmp (side, "tests") == 0;
  g_autofree char *top = g_build_filename (root, side, NULL);
  g_autoptr (GPtrArray) rooms = list (top);

  for (guint i = 0; i < rooms->len; i++)
    {
      const char      *room = g_ptr_array_index (rooms, i);
      g_autofree char *folder = g_build_filename (top, room, NULL);
      int              floor = floor_index (floors, room, strlen (room));

      if (!g_file_test (folder, G_FILE_TEST_IS_DIR))
        continue;
      if (floor < 0 && !in_tests)
        g_ptr_array_add (faults, g_strdup_printf ("src/%s: the table of src/DESIGN.md has no row for it", room));
      /* What tests have beside mirrored folders (support, fuzz, bench) stands above all floors. */
      if (floor < 0)
        continue;
      g_autoptr (GPtrArray) files = list (folder);
      for (guint f = 0; f < files->len; f++)
        {
          const char      *file = g_ptr_array_index (files, f);
          g_autofree char *path = g_build_filename (folder, file, NULL);
          g_autofree char *shown = g_build_filename (side, room, file, NULL);

          if (g_file_test (path, G_FILE_TEST_IS_DIR) && !in_tests)
            g_ptr_array_add (faults, g_strdup_printf ("%s: a folder within a folder has no floor", shown));
          else if (g_str_has_suffix (file, ".c") || g_str_has_suffix (file, ".h"))
            check_file (floors, floor, room, path, shown, in_tests, faults, n_includes);
        }
    }
}

GPtrArray *
tl_floors_check (const char *root, guint *n_includes)
{
  g_autoptr (GPtrArray) floors = read_table (root);
  GPtrArray *faults = g_ptr_array_new_with_free_func (g_free);

  *n_includes = 0;
  if (floors->len == 0)
    g_ptr_array_add (faults, g_strdup ("src/DESIGN.md: no table of floors"));
  check_side (floors, root, "src", faults, n_includes);
  check_side (floors, root, "tests", faults, n_includes);
  return faults;
}
