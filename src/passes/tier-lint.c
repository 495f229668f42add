/* The placement lint: says before any simulation when a tier holds more than it can. */
#include "passes/lint.h"

#include "base/number.h"

gboolean
tl_lint_tiers (const guint64 *matrix, const guint64 *copies, guint32 tiers, guint64 tier_bytes, const char *file,
               guint line, guint column, TlDiags *diags)
{
  for (guint32 t = 0; t < tiers; t++)
    if (matrix[t] + copies[t] > tier_bytes)
      {
        g_autofree char *placed = tl_format_bytes (matrix[t]);
        g_autofree char *copied = tl_format_bytes (copies[t]);
        g_autofree char *room = tl_format_bytes (tier_bytes);

        tl_diag_reason (tl_diags_add_at (diags, TL_SEVERITY_WARNING, "tier-overfull", file, line, column,
                                         "tier %u holds %s of the matrix and %s of copies, and has %s", t, placed,
                                         copied, room),
                        "the run is timed as placed; place = auto with copies = t0 keeps room for the copies");
        return TRUE;
      }
  return FALSE;
}
