/* One tile, counted in order. */
#include "place/tile-count.h"

void
tl_gemm_count_tile (const TlGemmShape *shape, TlGemmOperand operand, const TlSequence *sequence, TlAddressMap *map,
                    gboolean packed, TlInOrderCounts *counts)
{
  g_autoptr (TlInOrder) counter = tl_in_order_new (map, TL_PAGES_OPEN);
  TlGemmTiles tiles;

  tl_gemm_tiles (shape, operand, &tiles);
  for (guint32 i = 0; i < sequence->length; i++)
    {
      guint64 inside = (guint64) sequence->units[i] * shape->quantum;
      guint64 row = inside / tiles.tile_row_bytes;
      guint64 byte = packed ? inside : row * tiles.row_bytes + inside % tiles.tile_row_bytes;
      guint64 address = byte / shape->quantum & (((guint64) 1 << tl_address_map_bits (map)) - 1);

      tl_in_order_feed (counter, &address, 1);
    }
  tl_in_order_counts (counter, counts);
}
