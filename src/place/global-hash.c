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

static void
append_bit (GString *text, guint64 row)
{
  const char *separator = "";

  for (guint b = 0; b < 64; b++)
    if (row >> b & 1)
      {
        g_string_append_printf (text, "%sb%u", separator, b);
        separator = " ^ ";
      }
}

/* The bit lists of these rows. The levels of a place from the bottom: address-map.h. */
static char *
text_of (TlAddressMap *map, const TlMemory *memory, const guint64 *rows)
{
  static const TlLevel cu[] = { TL_LEVEL_COLUMN,         TL_LEVEL_ROW,    TL_LEVEL_BANK, TL_LEVEL_GROUP, TL_LEVEL_TIER,
                                TL_LEVEL_PSEUDO_CHANNEL, TL_LEVEL_CHANNEL };
  static const TlLevel pim[] = { TL_LEVEL_COLUMN,         TL_LEVEL_ROW,    TL_LEVEL_TIER, TL_LEVEL_BANK, TL_LEVEL_GROUP,
                                 TL_LEVEL_PSEUDO_CHANNEL, TL_LEVEL_CHANNEL };
  GString             *text = g_string_new (NULL);
  guint                at = 0;

  for (guint l = 0; l < TL_N_LEVELS; l++)
    {
      TlLevel level = memory->kind == TL_MACHINE_CU ? cu[l] : pim[l];
      guint   width = tl_address_map_width (map, level);

      if (width == 0)
        continue;
      g_string_append_printf (text, "%s%s = [", text->len > 0 ? "; " : "", tl_level_name (level));
      for (guint i = 0; i < width; i++, at++)
        {
          if (i > 0)
            g_string_append (text, ", ");
          append_bit (text, rows[at]);
        }
      g_string_append_c (text, ']');
    }
  return g_string_free (text, FALSE);
}

TlAddressMap *
tl_global_hash_map (TlGlobalHash hash, TlAddressMap *map, const TlMemory *memory, char **reason)
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
  g_autofree char *text = text_of (map, memory, rows);
  return tl_address_map_parse (text, memory, reason);
}
