/* What was said, for messages of failing tests. */
#pragma once

#include "base/diag.h"

/* All diagnostics as one text. (transfer full) */
static inline char *
diags_text (const TlDiags *diags)
{
  GString *text = g_string_new (NULL);

  for (guint d = 0; d < tl_diags_count (diags); d++)
    {
      g_autofree char *one = tl_diag_to_text (tl_diags_get (diags, d));

      g_string_append (text, one);
    }
  return g_string_free (text, FALSE);
}
