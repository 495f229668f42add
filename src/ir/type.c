/* Types are canonical text: making them, and taking them apart again. */
#include "ir/ir-private.h"

#include <string.h>

/* Runs of white space become one blank, none stands at the ends or inside a builtin
 * type's brackets, as MLIR prints it. */
TlType
tl_type (TlModule *module, const char *text)
{
  g_autoptr (GString) canonical = g_string_new (NULL);
  gboolean builtin = text[0] != '!';

  for (const char *p = text; *p != '\0'; p++)
    {
      if (!g_ascii_isspace (*p))
        {
          g_string_append_c (canonical, *p);
          continue;
        }
      while (g_ascii_isspace (p[1]))
        p++;
      if (canonical->len > 0 && p[1] != '\0'
          && !(builtin && (strchr ("<x", canonical->str[canonical->len - 1]) != NULL || strchr (">x,", p[1]) != NULL)))
        g_string_append_c (canonical, ' ');
    }
  return tl_module_intern (module, canonical->str);
}

TlType
tl_type_matrix (TlModule *module, guint64 rows, guint64 columns, const char *element)
{
  g_autoptr (GString) text = g_string_new ("memref<");

  for (guint d = 0; d < 2; d++)
    {
      guint64 extent = d == 0 ? rows : columns;

      if (extent == 0)
        g_string_append (text, "?x");
      else
        g_string_append_printf (text, "%" G_GUINT64_FORMAT "x", extent);
    }
  g_string_append_printf (text, "%s>", element);
  return tl_module_intern (module, text->str);
}

static gboolean
read_extent (const char **at, guint64 *extent)
{
  const char *p = *at;

  *extent = 0;
  if (*p == '?')
    p++;
  else
    {
      if (!g_ascii_isdigit (*p) || *p == '0')
        return FALSE;
      for (; g_ascii_isdigit (*p); p++)
        if (__builtin_mul_overflow (*extent, 10, extent)
            || __builtin_add_overflow (*extent, (guint64) (*p - '0'), extent))
          return FALSE;
    }
  if (*p != 'x')
    return FALSE;
  *at = p + 1;
  return TRUE;
}

gboolean
tl_type_as_matrix (const char *type, guint64 *rows, guint64 *columns, char **element)
{
  const char *p;
  gsize       length;

  if (!g_str_has_prefix (type, "memref<"))
    return FALSE;
  p = type + strlen ("memref<");
  if (!read_extent (&p, rows) || !read_extent (&p, columns))
    return FALSE;
  length = strlen (p);
  if (length < 2 || p[length - 1] != '>' || strcspn (p, "x,<> ") != length - 1)
    return FALSE;
  if (element != NULL)
    *element = g_strndup (p, length - 1);
  return TRUE;
}

char **
tl_type_parameters (const char *type, const char *name)
{
  g_autoptr (GPtrArray) parts = NULL;
  gsize       length = strlen (name);
  const char *start;
  const char *p;
  int         depth = 0;

  if (type[0] != '!' || strncmp (type + 1, name, length) != 0)
    return NULL;
  p = type + 1 + length;
  parts = g_ptr_array_new ();
  if (*p == '\0')
    {
      g_ptr_array_add (parts, NULL);
      return (char **) g_ptr_array_free (g_steal_pointer (&parts), FALSE);
    }
  if (*p != '<' || type[strlen (type) - 1] != '>')
    return NULL;
  for (start = ++p; *p != '\0'; p++)
    {
      if (strchr ("<([{", *p) != NULL)
        depth++;
      else if ((*p == ',' && depth == 0) || (*p == '>' && depth == 0 && p[1] == '\0'))
        {
          g_ptr_array_add (parts, g_strstrip (g_strndup (start, p - start)));
          start = p + 1;
        }
      else if (strchr (">)]}", *p) != NULL)
        depth--;
    }
  g_ptr_array_add (parts, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&parts), FALSE);
}
