/* Address maps: which bits of a unit's number choose the channel, bank, row, ...;
 * each bit of a place is an XOR of unit bits, so a map is a square matrix over
 * GF(2), and only bijections are let in. The unit's number is the byte address
 * divided by the unit (one column access); b0 is its lowest bit. */
#pragma once

#include "target/memory.h"

typedef enum
{
  TL_LEVEL_CHANNEL,
  TL_LEVEL_PSEUDO_CHANNEL,
  TL_LEVEL_TIER,
  TL_LEVEL_GROUP,
  TL_LEVEL_BANK,
  TL_LEVEL_ROW,
  TL_LEVEL_COLUMN,
} TlLevel;
#define TL_N_LEVELS 7

/* "channel", "pseudo_channel", "tier", "group", "bank", "row", "column". */
const char *tl_level_name (TlLevel level);

/* A unit's coordinates, by TlLevel. */
typedef struct
{
  guint64 at[TL_N_LEVELS];
} TlPlaceOf;

/* Immutable. A place is one word: from the bottom column, row (on pim then the
 * tier), bank, group, (tier on cu,) pseudo-channel, channel. So place >> column_bits
 * is domain * rows + row with the numbers of memory.h. */
typedef struct _TlAddressMap TlAddressMap;

/* Reads a map: a shorthand of two-letter levels, highest first ("RoBaTiCoCh",
 * "RoBaRaCoCh", any order of Ro Ba Bg Ti Ra Co Pc Ch; Ba without Bg means the group
 * below the bank, Ti and Ra are one, without Pc the pseudo-channel lies below it),
 * "MOP4CLXOR", or bit lists, lowest bit first:
 * "column = [b0, b1, b2]; bank = [b3, b4 ^ b9, [b5, b8]]; row = [b6..b18]"
 * (^ and a nested list are XOR, .. a range; levels of one part may be left out).
 * NULL when @text is no bijection of @memory's bits, or a level's count is not a
 * power of two; *reason then says why in plain words (transfer full).
 * Returns: (transfer full) */
TlAddressMap *tl_address_map_parse   (const char         *text,
                                      const TlMemory     *memory,
                                      char              **reason);
/* The levels of @map by other rows, as many as it has. NULL with *reason (transfer full, may be
 * NULL) when they are no bijection. (transfer full) */
TlAddressMap *tl_address_map_with_rows (const TlAddressMap *map,
                                        const guint64      *rows,
                                        char              **reason);
TlAddressMap *tl_address_map_ref     (TlAddressMap       *map);
void          tl_address_map_unref   (TlAddressMap       *map);

/* Bits of a unit's number; units are 0 .. 2^bits - 1. */
guint         tl_address_map_bits    (const TlAddressMap *map);
guint         tl_address_map_width   (const TlAddressMap *map,
                                      TlLevel             level);
guint         tl_address_map_column_bits (const TlAddressMap *map);
/* Bits of a row number of a domain: row bits, on pim with the tier's. */
guint         tl_address_map_row_bits (const TlAddressMap *map);
/* The matrix: bit i of a place is the parity of rows[i] & unit. */
const guint64 *tl_address_map_rows   (const TlAddressMap *map);

/* Unit -> place by a few table look-ups; unit < 2^bits. */
guint64       tl_address_map_apply   (const TlAddressMap *map,
                                      guint64             unit);
/* Each of @units becomes its place; quicker than one by one. */
void          tl_address_map_apply_all (const TlAddressMap *map,
                                        guint64            *units,
                                        gsize               n);
guint64       tl_address_map_unapply (const TlAddressMap *map,
                                      guint64             place);
/* The coordinates of a unit, and back. */
TlPlaceOf     tl_address_map_split   (const TlAddressMap *map,
                                      guint64             unit);
guint64       tl_address_map_join    (const TlAddressMap *map,
                                      const TlPlaceOf    *place);
/* As bit lists, one level a line, highest level first; parse gives the same map. (transfer full) */
char         *tl_address_map_to_text (const TlAddressMap *map);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlAddressMap, tl_address_map_unref)
