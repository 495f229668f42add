/* A placement counted access by access, bit by bit. */
#include "place/evaluate.h"

#include <string.h>

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

static guint
bit_by_bit (guint64 a, guint64 b)
{
  guint sum = 0;

  for (guint64 both = a & b; both != 0; both &= both - 1)
    sum++;
  return sum % 2;
}

guint64
tl_place_of_address (TlAddressMap *map, guint64 address)
{
  const guint64 *rows = tl_address_map_rows (map);
  guint64        place = 0;

  for (guint i = 0; i < tl_address_map_bits (map); i++)
    place |= (guint64) bit_by_bit (rows[i], address) << i;
  return place;
}

/* The (@number + 1)th place bit of first..end - 1 when they are ranked by the lowest address bit
 * in their row of the map, those that @mask takes out of the ranks left out. */
static guint
ranked (const guint64 *rows, guint first, guint end, guint64 mask, guint number)
{
  guint rank = 0;

  for (guint low = 0; low < 64; low++)
    for (guint bit = first; bit < end; bit++)
      {
        gboolean lowest = (rows[bit] & ((((guint64) 1 << low) << 1) - 1)) == (guint64) 1 << low;
        if (!lowest)
          continue;
        if (!(mask >> rank & 1))
          {
            if (number == 0)
              return bit;
            number--;
          }
        rank++;
      }
  g_return_val_if_reached (0);
}

gboolean
tl_placement_equal (const TlPlacement *a, const TlPlacement *b)
{
  return a->n_domain == b->n_domain && a->n_row == b->n_row
         && memcmp (a->rows, b->rows, a->bits * sizeof *a->rows) == 0;
}

guint64
tl_placement_reference (const TlPlacement *placement, TlAddressMap *map, guint64 share_mask, guint64 base, guint32 unit)
{
  const guint64 *rows = tl_address_map_rows (map);
  guint          columns = tl_address_map_column_bits (map);
  guint          domains = columns + tl_address_map_row_bits (map);
  guint64        place = tl_place_of_address (map, base);

  for (guint i = 0; i < placement->bits; i++)
    {
      guint in_level = i;
      guint bit;

      if (i < placement->n_domain)
        bit = ranked (rows, domains, tl_address_map_bits (map), share_mask, in_level);
      else if ((in_level -= placement->n_domain) < placement->n_row)
        bit = ranked (rows, columns, domains, 0, in_level);
      else
        bit = ranked (rows, 0, columns, 0, in_level - placement->n_row);
      place ^= (guint64) bit_by_bit (placement->rows[i], unit) << bit;
    }
  return place;
}
