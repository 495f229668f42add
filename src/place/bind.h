/* BIND: regions of DRAM for the tiles of operands, and the descriptor of one tile (TileDRAM
 * section 5.2). A region is a range of rows of the domains of one share, so that what is open
 * at a time of two regions can be kept apart; regions of live tiles are disjoint. Within a region
 * tile t takes the t-th coset of the tile's places: free column bits first, then free domain
 * bits, then rows, so that a plain layout is packed. */
#pragma once

#include "base/diag.h"
#include "place/address.h"

typedef struct
{
  guint64       first_row; /* a multiple of the rows that a tile takes */
  guint64       rows;
  TlDomainShare share;
  guint64       tiles;     /* that have room */
} TlTileRegion;

typedef struct _TlBinder TlBinder;

/* All of the memory of @map is free. (transfer full) */
TlBinder *tl_binder_new      (TlAddressMap        *map);
void      tl_binder_free     (TlBinder            *binder);
/* The lowest rows where @tiles tiles fit beside all live regions. FALSE with a diagnostic when there is no
 * room (code "region-full"), or when @value is no value of the tile map's share ("region-share"). The
 * region lives until it is released. */
gboolean  tl_binder_allocate (TlBinder            *binder,
                              const TlTileMap     *tile,
                              guint64              share_value,
                              guint64              tiles,
                              TlTileRegion            *region,
                              TlDiags             *diags);
/* The same at rows of one's own choice. Refused besides when they are not aligned to the tile ("region-align"),
 * outside the memory ("region-outside") or not disjoint from a live region ("region-overlap"). */
gboolean  tl_binder_claim    (TlBinder            *binder,
                              const TlTileMap     *tile,
                              guint64              share_value,
                              guint64              first_row,
                              guint64              tiles,
                              TlTileRegion            *region,
                              TlDiags             *diags);
/* Takes rows of all domains out of what is free, for what lies there without a tile map. FALSE with a diagnostic
 * when they pass the memory ("region-outside") or a region lives there ("region-overlap"). */
gboolean  tl_binder_reserve  (TlBinder            *binder,
                              guint64              first_row,
                              guint64              rows,
                              TlDiags             *diags);
/* FALSE when no such region is live. */
gboolean  tl_binder_release  (TlBinder            *binder,
                              const TlTileRegion      *region);

/* Where a tile is read from in its operand. */
typedef struct
{
  guint64 address;   /* bytes: of its first byte */
  guint64 pitch;     /* bytes from row to row */
  guint64 row_bytes; /* of the tile */
  guint64 rows;
} TlSourceInterval;

/* The base of tile @index of @region, in quanta; @index < region->tiles. */
guint64   tl_binder_base     (const TlBinder      *binder,
                              const TlTileMap     *tile,
                              const TlTileRegion      *region,
                              guint64              index);
/* The descriptor of tile @index. FALSE with a diagnostic when the region has no such tile ("region-tile"), or the
 * source interval has not the units of the tile map or is no interval ("source-interval"). @quantum: bytes. */
gboolean  tl_bind            (const TlBinder         *binder,
                              const TlTileMap        *tile,
                              const TlTileRegion         *region,
                              guint64                 index,
                              const TlSourceInterval *source,
                              guint32                 quantum,
                              TlDescriptor           *descriptor,
                              TlDiags                *diags);
/* The same at an address of one's own choice. Refused besides when a place bit of the tile is set in it
 * ("base-align"): the tile's places would run into those of its neighbour; or when the tile would
 * not lie in the memory ("region-outside"). */
gboolean  tl_bind_at         (const TlBinder         *binder,
                              const TlTileMap        *tile,
                              guint64                 base,
                              const TlSourceInterval *source,
                              guint32                 quantum,
                              TlDescriptor           *descriptor,
                              TlDiags                *diags);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlBinder, tl_binder_free)
