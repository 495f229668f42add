/* Fixed global hashes: rows of the machine's map, XORed with one another. */
#include "place/global-hash.h"
#include "place/address.h"

const char *
tl_global_hash_name (TlGlobalHash hash)
{
  static const char *const names[TL_N_GLOBAL_HASHES]
      = { "row-to-bank", "column-to-bank", "bank-to-row", "column-to-row", "compound", "mop4clxor-like" };

  return names[hash];
}

static void
add_field (guint64 *rows, const guint8 *to, guint n_to, const guint8 *from, guint n_from)
{
  for (guint i = 0; i < MIN (n_to, n_from); i++)
    rows[to[i]] ^= rows[from[i]];
}

/* The place bits take the address bits anew, from the bottom in this order. */
static void
swizzle (guint64 *rows, const TlPlaceBits *bits)
{
  guint64 bit = 1;
  guint   low = MIN (2, bits->n_column);

  for (guint i = 0; i < low; i++, bit <<= 1)
    rows[bits->column[i]] = bit;
  for (guint i = 0; i < bits->n_domain; i++, bit <<= 1)
    rows[bits->domain[i]] = bit;
  for (guint i = low; i < bits->n_column; i++, bit <<= 1)
    rows[bits->column[i]] = bit;
  for (guint i = 0; i < bits->n_row; i++, bit <<= 1)
    rows[bits->row[i]] = bit;
}

TlAddressMap *
tl_global_hash_map (TlGlobalHash hash, TlAddressMap *map)
{
  TlPlaceBits bits;
  guint64     rows[64];

  tl_place_bits (map, &bits);
  for (guint i = 0; i < tl_address_map_bits (map); i++)
    rows[i] = tl_address_map_rows (map)[i];
  switch (hash)
    {
    case TL_HASH_ROW_TO_BANK:
      add_field (rows, bits.domain, bits.n_domain, bits.row, bits.n_row);
      break;
    case TL_HASH_COLUMN_TO_BANK:
      add_field (rows, bits.domain, bits.n_domain, bits.column, bits.n_column);
      break;
    case TL_HASH_BANK_TO_ROW:
      add_field (rows, bits.row, bits.n_row, bits.domain, bits.n_domain);
      break;
    case TL_HASH_COLUMN_TO_ROW:
      add_field (rows, bits.row, bits.n_row, bits.column, bits.n_column);
      break;
    case TL_HASH_COMPOUND:
      add_field (rows, bits.domain, bits.n_domain, bits.row, bits.n_row);
      if (bits.n_row > bits.n_domain)
        add_field (rows, bits.row + bits.n_domain, bits.n_row - bits.n_domain, bits.domain, bits.n_domain);
      break;
    case TL_HASH_MOP4CLXOR:
      swizzle (rows, &bits);
      add_field (rows, bits.domain, bits.n_domain, bits.row, bits.n_row);
      break;
    default:
      g_return_val_if_reached (NULL);
    }
  return tl_address_map_with_rows (map, rows, NULL);
}
