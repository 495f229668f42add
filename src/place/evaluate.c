/* A placement counted access by access, bit by bit. */
#include "place/evaluate.h"

static guint32
gather (const guint16 *rows, guint n, guint16 unit)
{
  guint32 value = 0;

  for (guint i = 0; i < n; i++)
    {
      guint bit = 0;
      for (guint b = 0; b < TL_PLACE_MAX_BITS; b++)
        bit ^= (rows[i] >> b & 1u) & (unit >> b & 1u);
      value |= bit << i;
    }
  return value;
}

static gboolean
is_bijection (const TlPlacement *placement)
{
  guint              n = placement->n_domain + placement->n_row + placement->n_column;
  gsize              size = (gsize) 1 << placement->bits;
  g_autofree guint8 *taken = NULL;

  if (n != placement->bits)
    return FALSE;
  taken = g_new0 (guint8, size);
  for (gsize u = 0; u < size; u++)
    {
      guint32 place = gather (placement->rows, n, (guint16) u);
      if (taken[place])
        return FALSE;
      taken[place] = 1;
    }
  return TRUE;
}

gboolean
tl_placement_evaluate (const TlPlacement *placement, const TlSequence *sequence, TlPlacementCounts *counts)
{
  g_return_val_if_fail (placement->bits == sequence->bits, FALSE);
  gsize               n_domains = (gsize) 1 << placement->n_domain;
  g_autofree guint32 *open = g_new (guint32, n_domains);

  *counts = (TlPlacementCounts) { 0 };
  for (gsize i = 0; i < n_domains; i++)
    open[i] = G_MAXUINT32;
  for (guint32 i = 0; i < sequence->length; i++)
    {
      guint32 domain = gather (placement->rows, placement->n_domain, sequence->units[i]);
      guint32 row = gather (placement->rows + placement->n_domain, placement->n_row, sequence->units[i]);

      if (open[domain] == G_MAXUINT32)
        {
          counts->miss++;
          counts->coverage++;
        }
      else if (open[domain] == row)
        counts->hit++;
      else
        counts->conflict++;
      open[domain] = row;
    }
  return is_bijection (placement);
}
