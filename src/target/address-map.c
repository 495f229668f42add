/* Address maps as matrices over GF(2): built from bit lists, checked by inverting
 * them, applied by look-up tables. */
#include "target/address-map.h"

#include <string.h>

#include "base/gf2.h"
#include "target/target-private.h"

#define CHUNK_BITS 11 /* 16 KiB a table: three of them fit a first-level cache beside the banks */
#define MAX_CHUNKS 6  /* 64 bits */

struct _TlAddressMap
{
  gatomicrefcount refs;
  guint           bits;
  guint           width[TL_N_LEVELS];
  guint           shift[TL_N_LEVELS]; /* of the level within a place */
  guint           row_bits;
  guint64         rows[64];
  guint64         inverse[64];
  guint           chunk_bits;
  guint           n_chunks;
  guint64        *tables; /* n_chunks of 2^chunk_bits places */
};

/* From the bottom of a place upwards. On pim the tier belongs to the row number. */
static const TlLevel orders[][TL_N_LEVELS] = {
  [TL_MACHINE_PIM] = { TL_LEVEL_COLUMN, TL_LEVEL_ROW, TL_LEVEL_TIER, TL_LEVEL_BANK, TL_LEVEL_GROUP,
                       TL_LEVEL_PSEUDO_CHANNEL, TL_LEVEL_CHANNEL },
  [TL_MACHINE_CU] = { TL_LEVEL_COLUMN, TL_LEVEL_ROW, TL_LEVEL_BANK, TL_LEVEL_GROUP, TL_LEVEL_TIER,
                      TL_LEVEL_PSEUDO_CHANNEL, TL_LEVEL_CHANNEL },
};

const char *
tl_level_name (TlLevel level)
{
  static const char *const names[] = { "channel", "pseudo_channel", "tier", "group", "bank", "row", "column" };

  return level < G_N_ELEMENTS (names) ? names[level] : "?";
}

static guint64
level_count (const TlMemory *memory, TlLevel level)
{
  switch (level)
    {
    case TL_LEVEL_CHANNEL:
      return memory->channels;
    case TL_LEVEL_PSEUDO_CHANNEL:
      return memory->pseudo_channels;
    case TL_LEVEL_TIER:
      return memory->tiers;
    case TL_LEVEL_GROUP:
      return memory->groups;
    case TL_LEVEL_BANK:
      return memory->banks;
    case TL_LEVEL_ROW:
      return memory->rows;
    case TL_LEVEL_COLUMN:
      return memory->columns;
    }
  g_return_val_if_reached (0);
}

static gboolean
level_widths (const TlMemory *memory, TlMapBits *text, guint *bits, char **reason)
{
  *bits = 0;
  for (guint level = 0; level < TL_N_LEVELS; level++)
    {
      guint64 count = level_count (memory, level);
      if (count == 0 || (count & (count - 1)) != 0)
        return tl_refuse (reason, "%" G_GUINT64_FORMAT " %s%s: an address map needs a power of two", count,
                          tl_level_name (level), count == 1 ? "" : "s");
      text->width[level] = __builtin_ctzll (count);
      *bits += text->width[level];
    }
  if (*bits > 62)
    return tl_refuse (reason, "%u address bits are more than can be kept (62)", *bits);
  return TRUE;
}

/* Why the matrix is singular: a bit that no place depends on, else in general. */
static gboolean
refuse_singular (const TlAddressMap *map, char **reason)
{
  guint64 used = 0;

  for (guint i = 0; i < map->bits; i++)
    used |= map->rows[i];
  for (guint b = 0; b < map->bits; b++)
    if ((used >> b & 1) == 0)
      return tl_refuse (reason, "the map is no bijection: b%u is not used, so two units fall on one place", b);
  return tl_refuse (reason, "the map is no bijection: its bits depend on each other, so two units fall on one place");
}

static void
build_tables (TlAddressMap *map)
{
  map->n_chunks = MAX ((map->bits + CHUNK_BITS - 1) / CHUNK_BITS, 1);
  map->chunk_bits = MAX ((map->bits + map->n_chunks - 1) / map->n_chunks, 1);
  gsize size = (gsize) 1 << map->chunk_bits;
  map->tables = g_new0 (guint64, map->n_chunks * size);
  for (guint chunk = 0; chunk < map->n_chunks; chunk++)
    {
      guint64 *table = map->tables + chunk * size;
      for (guint b = 0; b < map->chunk_bits && chunk * map->chunk_bits + b < map->bits; b++)
        {
          guint64 unit = G_GUINT64_CONSTANT (1) << (chunk * map->chunk_bits + b);
          guint64 image = tl_gf2_apply (map->rows, map->bits, unit);
          for (gsize i = 0; i < (gsize) 1 << b; i++)
            table[((gsize) 1 << b) + i] = table[i] ^ image;
        }
    }
}

/* Takes @map, whose rows are set. */
static TlAddressMap *
finish (TlAddressMap *map, char **reason)
{
  if (map->bits > 0 && !tl_gf2_invert (map->rows, map->bits, map->inverse))
    {
      refuse_singular (map, reason);
      tl_address_map_unref (map);
      return NULL;
    }
  build_tables (map);
  return map;
}

TlAddressMap *
tl_address_map_parse (const char *text, const TlMemory *memory, char **reason)
{
  TlMapBits lists = { 0 };
  guint     bits;

  g_return_val_if_fail (text != NULL && memory != NULL, NULL);
  if (reason != NULL)
    *reason = NULL;
  if (!level_widths (memory, &lists, &bits, reason) || !tl_map_read (text, &lists, reason))
    return NULL;

  g_autoptr (TlAddressMap) map = g_new0 (TlAddressMap, 1);
  g_atomic_ref_count_init (&map->refs);
  map->bits = bits;
  guint at = 0;
  for (guint i = 0; i < TL_N_LEVELS; i++)
    {
      TlLevel level = orders[memory->kind][i];
      map->width[level] = lists.width[level];
      map->shift[level] = at;
      for (guint b = 0; b < lists.width[level]; b++)
        map->rows[at++] = lists.bits[level][b];
    }
  map->row_bits = map->width[TL_LEVEL_ROW] + (memory->kind == TL_MACHINE_PIM ? map->width[TL_LEVEL_TIER] : 0);
  return finish (g_steal_pointer (&map), reason);
}

TlAddressMap *
tl_address_map_with_rows (const TlAddressMap *map, const guint64 *rows, char **reason)
{
  TlAddressMap *other = g_new0 (TlAddressMap, 1);

  g_atomic_ref_count_init (&other->refs);
  other->bits = map->bits;
  other->row_bits = map->row_bits;
  memcpy (other->width, map->width, sizeof other->width);
  memcpy (other->shift, map->shift, sizeof other->shift);
  memcpy (other->rows, rows, map->bits * sizeof *rows);
  return finish (other, reason);
}

TlAddressMap *
tl_address_map_ref (TlAddressMap *map)
{
  g_atomic_ref_count_inc (&map->refs);
  return map;
}

void
tl_address_map_unref (TlAddressMap *map)
{
  if (!g_atomic_ref_count_dec (&map->refs))
    return;
  g_free (map->tables);
  g_free (map);
}

guint
tl_address_map_bits (const TlAddressMap *map)
{
  return map->bits;
}

guint
tl_address_map_width (const TlAddressMap *map, TlLevel level)
{
  g_return_val_if_fail (level < TL_N_LEVELS, 0);
  return map->width[level];
}

guint
tl_address_map_column_bits (const TlAddressMap *map)
{
  return map->width[TL_LEVEL_COLUMN];
}

guint
tl_address_map_row_bits (const TlAddressMap *map)
{
  return map->row_bits;
}

const guint64 *
tl_address_map_rows (const TlAddressMap *map)
{
  return map->rows;
}

guint64
tl_address_map_apply (const TlAddressMap *map, guint64 unit)
{
  guint64 mask = (G_GUINT64_CONSTANT (1) << map->chunk_bits) - 1;
  guint64 place = 0;

  for (guint chunk = 0; chunk < map->n_chunks; chunk++)
    place ^= map->tables[(chunk << map->chunk_bits) + (unit >> (chunk * map->chunk_bits) & mask)];
  return place;
}

/* @chunks is a constant at each call, so that the look-ups unroll. */
static inline __attribute__ ((always_inline)) void
apply_all (const TlAddressMap *map, guint64 *units, gsize n, guint chunks)
{
  guint64 mask = (G_GUINT64_CONSTANT (1) << map->chunk_bits) - 1;
  guint   bits = map->chunk_bits;

  for (gsize i = 0; i < n; i++)
    {
      guint64 place = map->tables[units[i] & mask];
      for (guint chunk = 1; chunk < chunks; chunk++)
        place ^= map->tables[((gsize) chunk << bits) + (units[i] >> (chunk * bits) & mask)];
      units[i] = place;
    }
}

void
tl_address_map_apply_all (const TlAddressMap *map, guint64 *units, gsize n)
{
  if (map->n_chunks == 2)
    apply_all (map, units, n, 2);
  else if (map->n_chunks == 3)
    apply_all (map, units, n, 3);
  else
    apply_all (map, units, n, map->n_chunks);
}

guint64
tl_address_map_unapply (const TlAddressMap *map, guint64 place)
{
  return tl_gf2_apply (map->inverse, map->bits, place);
}

TlPlaceOf
tl_address_map_split (const TlAddressMap *map, guint64 unit)
{
  guint64   place = tl_address_map_apply (map, unit);
  TlPlaceOf result;

  for (guint level = 0; level < TL_N_LEVELS; level++)
    result.at[level] = place >> map->shift[level] & ((G_GUINT64_CONSTANT (1) << map->width[level]) - 1);
  return result;
}

guint64
tl_address_map_join (const TlAddressMap *map, const TlPlaceOf *place)
{
  guint64 word = 0;

  for (guint level = 0; level < TL_N_LEVELS; level++)
    word |= place->at[level] << map->shift[level];
  return tl_address_map_unapply (map, word);
}

char *
tl_address_map_to_text (const TlAddressMap *map)
{
  GString *text = g_string_new (NULL);

  for (guint level = 0; level < TL_N_LEVELS; level++)
    {
      if (map->width[level] == 0)
        continue;
      g_string_append_printf (text, "%s = [", tl_level_name (level));
      for (guint b = 0; b < map->width[level]; b++)
        {
          const char *separator = b == 0 ? "" : ", ";
          for (guint64 bits = map->rows[map->shift[level] + b]; bits != 0; bits &= bits - 1)
            {
              g_string_append_printf (text, "%sb%d", separator, __builtin_ctzll (bits));
              separator = " ^ ";
            }
        }
      g_string_append (text, "]\n");
    }
  return g_string_free (text, FALSE);
}
