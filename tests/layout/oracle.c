/* Reading the tables of outside values. */
#include "oracle.h"

GArray *
oracle_ints (const char *text)
{
  GArray *ints = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (char *at = (char *) text; *at != '\0';)
    {
      gint64 value = g_ascii_strtoll (at, &at, 10);
      g_array_append_val (ints, value);
      while (*at == ' ')
        at++;
    }
  return ints;
}

GPtrArray *
oracle_table (const char *name)
{
  g_autofree char *relative = g_build_filename ("oracle", name, NULL);
  g_autofree char *path = tl_test_shared_path (relative);

  if (path == NULL)
    {
      tl_test_skip ("%s is not here", relative);
      return NULL;
    }
  return tl_test_read_csv (path);
}

void
oracle_append (GString *text, gint64 value)
{
  g_string_append_printf (text, "%s%" G_GINT64_FORMAT, text->len > 0 ? " " : "", value);
}

TlLayout
oracle_layout (const char *text)
{
  TlLayout         layout;
  g_autofree char *reason = NULL;

  if (!tl_layout_parse (&layout, text, -1, NULL, &reason))
    ck_abort_msg ("%s: %s", text, reason);
  return layout;
}
