/* What a placement makes of a sequence, counted access by access with one open row a
 * domain: independent of histograms, kernels and the search, to check them. */
#pragma once

#include "place/address.h"

typedef struct
{
  guint64 hit;
  guint64 miss;
  guint64 conflict;
  guint64 coverage; /* domains touched; equals miss, as all start closed */
} TlPlacementCounts;

/* FALSE when the rows are no bijection of the unit bits; *counts is set all the same. */
gboolean tl_placement_evaluate (const TlPlacement *placement,
                                const TlSequence  *sequence,
                                TlPlacementCounts *counts);
/* The same map of a tile's unit bits. */
gboolean tl_placement_equal    (const TlPlacement *a,
                                const TlPlacement *b);
/* The reference of APPLY: the place word (address-map.h) where @unit of a tile lies whose base is the
 * address @base, bit by bit from the placement and the map's rows. @share as the tile map's. */
guint64  tl_placement_reference (const TlPlacement *placement,
                                 TlAddressMap      *map,
                                 guint64            share_mask,
                                 guint64            base,
                                 guint32            unit);
/* The place word of an address by the rows of the map, bit by bit. */
guint64  tl_place_of_address   (TlAddressMap      *map,
                                guint64            address);
