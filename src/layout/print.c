/* Register layouts as text. */
#include "layout/layout.h"

static void
append_list (GString *text, const gint32 *list, guint n)
{
  g_string_append_c (text, '[');
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%d", i > 0 ? "," : "", list[i]);
  g_string_append_c (text, ']');
}

char *
tl_layout_to_text (const TlLayout *layout)
{
  GString *text = g_string_new ("register_layout(");

  append_list (text, layout->shape, layout->n_dims);
  g_string_append_c (text, ',');
  append_list (text, layout->modes, layout->n_modes);
  g_string_append_c (text, ',');
  append_list (text, layout->spatial, layout->n_spatial);
  g_string_append_c (text, ',');
  append_list (text, layout->local, layout->n_local);
  g_string_append_c (text, ')');
  return g_string_free (text, FALSE);
}
