/* APPLY: where a unit of a placed tile lies (TileDRAM section 5.2). A placement is realised
 * under the fixed address map of a machine: its domain, row and column bits become bits of a
 * place, and the inverse of the map makes them bits of an address. All of it is linear over
 * GF(2), so a tile's address is base XOR (map applied to the unit), by two table look-ups, without
 * a branch: extraction (source address to unit), transformation, reconstruction (unit to
 * address). tl_placement_reference is the evaluator that shares no code with it.
 *
 * Addresses are in quanta (units of the machine) unless bytes are said. */
#pragma once

#include "place/completion.h"
#include "target/address-map.h"

/* The place bits of a map in the order in which layouts number them: each level by the lowest
 * address bit that it hangs on; domains hold channel, tier, group and bank alike. */
typedef struct
{
  guint  n_domain, n_row, n_column;
  guint8 domain[64];
  guint8 row[64];
  guint8 column[64];
} TlPlaceBits;

void tl_place_bits (TlAddressMap *map,
                    TlPlaceBits  *bits);

/* Domains that only some tiles may use: those whose numbers (in layout order) have @value under @mask.
 * {0, 0} is all of them. */
typedef struct
{
  guint64 mask;
  guint64 value;
} TlDomainShare;

/* A placement under a map, for the tiles of one share's mask. */
typedef struct
{
  guint   bits;                      /* of a unit's number */
  guint   n_domain, n_row, n_column; /* of the placement */
  guint64 share;                     /* the mask */
  guint64 image[TL_PLACE_MAX_BITS];  /* address bits that unit bit i turns over */
  guint64 place;                     /* place bits that the tile fills */
  guint64 span;                      /* address bits that any unit turns over */
  guint64 low[256];                  /* address of the unit's low byte, and of its high byte */
  guint64 high[256];
} TlTileMap;

/* NULL when the placement is not legal under @map, with *reason (transfer full): not injective, more domain
 * bits than the share leaves, more row or column bits than there are. (transfer full), free with g_free. */
TlTileMap *tl_tile_map_new (const TlPlacement *placement,
                            TlAddressMap      *map,
                            guint64            share_mask,
                            char             **reason);

/* One tile bound to its region (bind.h). */
typedef struct
{
  const TlTileMap *map;        /* borrowed */
  guint64          base;       /* quanta; no bit of the tile's span under a plain map */
  guint64          source;     /* bytes: address of the tile's first byte in its operand */
  guint64          pitch;      /* bytes from row to row of the operand, 2..2^32 - 1 */
  guint64          reciprocal; /* 2^64 / pitch, rounded up */
  guint64          row_bytes;  /* of the tile */
  guint64          rows;
  guint            shift;      /* a quantum is 2^shift bytes */
} TlDescriptor;

static inline guint64
tl_address_of_unit (const TlTileMap *map, guint64 base, guint32 unit)
{
  return base ^ map->low[unit & 0xff] ^ map->high[unit >> 8];
}

/* From a byte address of the tile in its operand to the byte address in DRAM. */
static inline guint64
tl_apply (const TlDescriptor *descriptor, guint64 address)
{
  guint64 offset = address - descriptor->source;
  guint64 row = (guint64) ((unsigned __int128) offset * descriptor->reciprocal >> 64);
  guint64 inside = offset - row * (descriptor->pitch - descriptor->row_bytes);
  guint64 quantum = tl_address_of_unit (descriptor->map, descriptor->base, (guint32) (inside >> descriptor->shift));

  return quantum << descriptor->shift | (inside & ((G_GUINT64_CONSTANT (1) << descriptor->shift) - 1));
}

/* The map as integer arithmetic for emitted code, to be added to a base under a plain map and XORed with it under a
 * hashed one, "((u & 0x7) << 0) ^ ((u & 0x18) << 7)": one term
 * for each distance that bits of u travel; "0" for none. (transfer full) */
char      *tl_tile_map_expression (const TlTileMap *map,
                                   const char      *unit);
