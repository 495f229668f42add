/* Which files have marked text, and whether po/POTFILES.in lists exactly them. */
#include "project/translations.h"

#include <string.h>

/* TRUE at a use of the macro @name: not the tail of a longer name, a string in its brackets. */
static gboolean
uses_macro (const char *text, const char *name)
{
  for (const char *at = strstr (text, name); at != NULL; at = strstr (at + 1, name))
    {
      const char *after = at + strlen (name);

      if (at > text && (g_ascii_isalnum (at[-1]) || at[-1] == '_'))
        continue;
      while (*after == ' ')
        after++;
      if (*after++ != '(')
        continue;
      while (g_ascii_isspace (*after))
        after++;
      if (*after == '"')
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_marked (const char *path)
{
  g_autofree char *text = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return FALSE;
  if (g_str_has_suffix (path, ".ui"))
    return strstr (text, "translatable=\"yes\"") != NULL || strstr (text, "translatable=\"true\"") != NULL;
  if (g_str_has_suffix (path, ".in"))
    return TRUE;
  static const char *const macros[] = { "_", "N_", "C_", "NC_", "ngettext", "dngettext", "g_dngettext" };
  for (guint i = 0; i < G_N_ELEMENTS (macros); i++)
    if (uses_macro (text, macros[i]))
      return TRUE;
  return FALSE;
}

static void
collect (const char *root, const char *relative, GPtrArray *marked)
{
  g_autofree char *path = g_build_filename (root, relative, NULL);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);

  if (dir != NULL)
    {
      for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir))
        {
          g_autofree char *child = g_build_filename (relative, name, NULL);
          collect (root, child, marked);
        }
      return;
    }
  gboolean looked_at = g_str_has_prefix (relative, "src/")
                           ? g_str_has_suffix (relative, ".c") || g_str_has_suffix (relative, ".h")
                           : g_str_has_suffix (relative, ".ui") || g_str_has_suffix (relative, ".in");
  if (looked_at && is_marked (path))
    g_ptr_array_add (marked, g_strdup (relative));
}

GPtrArray *
tl_translations_check (const char *root, guint *n_marked)
{
  g_autofree char *list_path = g_build_filename (root, "po", "POTFILES.in", NULL);
  g_autofree char *list = NULL;
  g_autoptr (GPtrArray) marked = g_ptr_array_new_with_free_func (g_free);
  GPtrArray *faults = g_ptr_array_new_with_free_func (g_free);

  collect (root, "src", marked);
  collect (root, "ui", marked);
  collect (root, "data", marked);
  *n_marked = marked->len;
  if (!g_file_get_contents (list_path, &list, NULL, NULL))
    {
      g_ptr_array_add (faults, g_strdup ("po/POTFILES.in is missing"));
      return faults;
    }
  g_auto (GStrv) lines = g_strsplit (list, "\n", -1);
  const char *before = "";
  for (guint i = 0; lines[i] != NULL; i++)
    {
      if (lines[i][0] == '#' || lines[i][0] == '\0')
        continue;
      if (strcmp (before, lines[i]) >= 0)
        g_ptr_array_add (faults, g_strdup_printf ("%s: twice or out of order", lines[i]));
      before = lines[i];
      if (!g_ptr_array_find_with_equal_func (marked, lines[i], g_str_equal, NULL))
        g_ptr_array_add (faults, g_strdup_printf ("%s: listed, but has nothing marked", lines[i]));
    }
  for (guint i = 0; i < marked->len; i++)
    if (!g_strv_contains ((const char *const *) lines, g_ptr_array_index (marked, i)))
      g_ptr_array_add (faults, g_strdup_printf ("%s: not listed", (char *) g_ptr_array_index (marked, i)));
  return faults;
}
