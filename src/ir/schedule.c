/* Words of a schedule, and where tiles lie under a placement rule. models.md
 * section 3, "Placement of tiles". */
#include "ir/schedule.h"

void
tl_object_share_clear (gpointer share)
{
  g_free (((TlObjectShare *) share)->name);
}

void
tl_data_source_free (TlDataSource *source)
{
  g_free (source->name);
  g_free (source->source);
  g_free (source);
}

/* First fit of @count equal tiles of @size bytes into @room, lowest tier first.
 * Writes their tiers at @tier if it is not NULL, adds their bytes to @used. */
static gboolean
fit_run (const TlPlaceRule *rule, guint64 *room, guint64 size, guint32 count, guint8 *tier, guint64 *used)
{
  for (guint32 t = rule->first; t <= rule->last && count > 0; t++)
    {
      guint32 here = (guint32) MIN ((guint64) count, size > 0 ? room[t] / size : count);

      room[t] -= here * size;
      used[t] += here * size;
      count -= here;
      for (guint32 x = 0; tier != NULL && x < here; x++)
        *tier++ = (guint8) t;
    }
  used[rule->last] += count * size;
  for (guint32 x = 0; tier != NULL && x < count; x++)
    tier[x] = (guint8) rule->last;
  return count == 0;
}

/* Bytes of D's tiles and, where @tier is not NULL, the tier of each. A tile row is
 * a run of equal tiles and one at the edge: first fit of equals is a division. */
static gboolean
place (const TlPlaceRule *rule, guint32 n, guint32 tile, TlEdges edges, guint32 bits, guint64 tier_bytes, guint8 *tier,
       guint64 *used)
{
  guint32  tiles = (guint32) tl_ceil_div (n, tile);
  guint32  edge = tl_tile_side (n, tile, edges, tiles - 1);
  guint64  room[TL_MAX_TIERS];
  gboolean fits = TRUE;

  for (guint32 t = 0; t < TL_MAX_TIERS; t++)
    {
      room[t] = tier_bytes > rule->reserved[t] ? tier_bytes - rule->reserved[t] : 0;
      used[t] = 0;
    }
  for (guint32 i = 0; i < tiles; i++)
    {
      guint32 height = i + 1 == tiles ? edge : tile;
      guint64 whole = tl_tile_bytes (height, tile, bits);
      guint64 last = tl_tile_bytes (height, edge, bits);
      guint8 *row = tier != NULL ? tier + (gsize) i * tiles : NULL;
      guint32 span = rule->last - rule->first + 1;

      switch (rule->kind)
        {
        case TL_PLACE_TIER:
          used[rule->first] += (tiles - 1) * whole + last;
          for (guint32 j = 0; row != NULL && j < tiles; j++)
            row[j] = (guint8) rule->first;
          break;
        case TL_PLACE_FILL:
          fits &= fit_run (rule, room, whole, tiles - 1, row, used);
          fits &= fit_run (rule, room, last, 1, row != NULL ? row + tiles - 1 : NULL, used);
          break;
        case TL_PLACE_STRIPE:
          for (guint32 j = 0; j < tiles; j++)
            {
              guint32 t = rule->first + (guint32) (((guint64) i * tiles + j) % span);

              used[t] += j + 1 == tiles ? last : whole;
              if (row != NULL)
                row[j] = (guint8) t;
            }
          break;
        }
    }
  for (guint32 t = 0; t < TL_MAX_TIERS; t++)
    fits &= used[t] <= tier_bytes;
  return fits;
}

gboolean
tl_place_tiers (const TlPlaceRule *rule, guint32 n, guint32 tile, TlEdges edges, guint32 element_bits,
                guint64 tier_bytes, guint8 *tier)
{
  guint64 used[TL_MAX_TIERS];

  g_return_val_if_fail (n > 0 && tile > 0 && rule->first <= rule->last && rule->last < TL_MAX_TIERS, FALSE);
  return place (rule, n, tile, edges, element_bits, tier_bytes, tier, used);
}

gboolean
tl_place_bytes (const TlPlaceRule *rule, guint32 n, guint32 tile, TlEdges edges, guint32 element_bits,
                guint64 tier_bytes, guint64 *bytes)
{
  g_return_val_if_fail (n > 0 && tile > 0 && rule->first <= rule->last && rule->last < TL_MAX_TIERS, FALSE);
  return place (rule, n, tile, edges, element_bits, tier_bytes, NULL, bytes);
}

#define WORDS(function, type, ...)                                                                                     \
  const char *function (type value)                                                                                    \
  {                                                                                                                    \
    static const char *const words[] = { __VA_ARGS__ };                                                                \
    return (guint) value < G_N_ELEMENTS (words) ? words[value] : NULL;                                                 \
  }

WORDS (tl_edges_name, TlEdges, "trimmed", "padded")
WORDS (tl_copies_name, TlCopies, "t0", "home")
WORDS (tl_copy_writes_name, TlCopyWrites, "free", "charged")
WORDS (tl_ring_name, TlRing, "on", "free")
WORDS (tl_barriers_name, TlBarriers, "dataflow", "superstep", "strict")
WORDS (tl_page_name, TlPage, "closed", "open")
WORDS (tl_values_name, TlValues, "auto", "on", "off")
WORDS (tl_baseline_name, TlBaseline, "none", "B0", "B1", "B2", "B3")
WORDS (tl_phase_name, TlPhase, "pivot", "cross", "internal")
WORDS (tl_operand_name, TlOperand, "C", "left", "right", "pivot")
WORDS (tl_place_name, TlPlaceKind, "tier", "fill", "stripe")
