/* Placements under a fixed address map. */
#include "place/address.h"
#include "base/gf2.h"

#include <string.h>

static void
insert_by_lowest (guint8 *list, guint *n, const guint64 *rows, guint bit)
{
  guint at = (*n)++;

  for (; at > 0 && __builtin_ctzll (rows[list[at - 1]]) > __builtin_ctzll (rows[bit]); at--)
    list[at] = list[at - 1];
  list[at] = (guint8) bit;
}

void
tl_place_bits (TlAddressMap *map, TlPlaceBits *bits)
{
  const guint64 *rows = tl_address_map_rows (map);
  guint          n = tl_address_map_bits (map);
  guint          columns = tl_address_map_column_bits (map);
  guint          row_bits = tl_address_map_row_bits (map);

  *bits = (TlPlaceBits) { 0 };
  for (guint bit = 0; bit < n; bit++)
    if (bit < columns)
      insert_by_lowest (bits->column, &bits->n_column, rows, bit);
    else if (bit < columns + row_bits)
      insert_by_lowest (bits->row, &bits->n_row, rows, bit);
    else
      insert_by_lowest (bits->domain, &bits->n_domain, rows, bit);
}

static gboolean
is_bijection (const TlPlacement *placement)
{
  guint64 rows[TL_PLACE_MAX_BITS];

  if (placement->n_domain + placement->n_row + placement->n_column != placement->bits)
    return FALSE;
  for (guint i = 0; i < placement->bits; i++)
    rows[i] = placement->rows[i];
  return tl_gf2_rank (rows, placement->bits) == placement->bits;
}

/* The place bits that take the placement's rows, in their order. FALSE with *reason when there are too few. */
static gboolean
choose_places (const TlPlacement *placement, const TlPlaceBits *bits, guint64 share, guint8 *places, char **reason)
{
  guint n = 0, open = 0;

  for (guint i = 0; i < bits->n_domain && open < placement->n_domain; i++)
    if (!(share >> i & 1))
      {
        places[n++] = bits->domain[i];
        open++;
      }
  if (open < placement->n_domain)
    {
      *reason
          = g_strdup_printf ("the layout has %u domain bits, the machine %u for this tile", placement->n_domain, open);
      return FALSE;
    }
  if (placement->n_row > bits->n_row)
    {
      *reason = g_strdup_printf ("the layout has %u row bits, the machine %u", placement->n_row, bits->n_row);
      return FALSE;
    }
  if (placement->n_column > bits->n_column)
    {
      *reason = g_strdup_printf ("the layout has %u column bits, a row of the machine %u", placement->n_column,
                                 bits->n_column);
      return FALSE;
    }
  for (guint i = 0; i < placement->n_row; i++)
    places[n++] = bits->row[i];
  for (guint i = 0; i < placement->n_column; i++)
    places[n++] = bits->column[i];
  return TRUE;
}

TlTileMap *
tl_tile_map_new (const TlPlacement *placement, TlAddressMap *map, guint64 share_mask, char **reason)
{
  TlPlaceBits bits;
  guint8      places[TL_PLACE_MAX_BITS];

  g_return_val_if_fail (placement->bits >= 1 && placement->bits <= TL_PLACE_MAX_BITS, NULL);
  tl_place_bits (map, &bits);
  if (!is_bijection (placement))
    {
      *reason = g_strdup ("the layout is not injective: two units would share a place");
      return NULL;
    }
  if (!choose_places (placement, &bits, share_mask, places, reason))
    return NULL;

  TlTileMap *tile = g_new0 (TlTileMap, 1);
  tile->bits = placement->bits;
  tile->n_domain = placement->n_domain;
  tile->n_row = placement->n_row;
  tile->n_column = placement->n_column;
  tile->share = share_mask;
  for (guint i = 0; i < placement->bits; i++)
    {
      guint64 place = 0;

      for (guint row = 0; row < placement->bits; row++)
        place |= (guint64) (placement->rows[row] >> i & 1) << places[row];
      tile->image[i] = tl_address_map_unapply (map, place);
      tile->place |= G_GUINT64_CONSTANT (1) << places[i];
      tile->span |= tile->image[i];
    }
  for (guint i = 0; i < 256; i++)
    for (guint b = 0; b < 8; b++)
      if (i >> b & 1)
        {
          tile->low[i] ^= tile->image[b];
          tile->high[i] ^= tile->image[b + 8];
        }
  return tile;
}

char *
tl_tile_map_expression (const TlTileMap *map, const char *unit)
{
  GString *text = g_string_new (NULL);

  for (gint distance = 63; distance > -64; distance--)
    {
      guint mask = 0;

      for (gint i = 0; i < (gint) map->bits; i++)
        if (i + distance >= 0 && i + distance < 64 && map->image[i] >> (i + distance) & 1)
          mask |= 1u << i;
      if (mask != 0)
        g_string_append_printf (text, "%s((%s & 0x%x) %s %d)", text->len > 0 ? " ^ " : "", unit, mask,
                                distance >= 0 ? "<<" : ">>", ABS (distance));
    }
  if (text->len == 0)
    g_string_append_c (text, '0');
  return g_string_free (text, FALSE);
}
