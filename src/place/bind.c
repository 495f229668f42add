/* Regions and descriptors. */
#include "place/bind.h"
#include "base/number.h"

struct _TlBinder
{
  TlAddressMap *map;
  TlPlaceBits   bits;
  guint64       rows;    /* of a domain */
  GArray       *regions; /* of TlTileRegion, live */
};

TlBinder *
tl_binder_new (TlAddressMap *map)
{
  TlBinder *binder = g_new (TlBinder, 1);

  binder->map = tl_address_map_ref (map);
  tl_place_bits (map, &binder->bits);
  binder->rows = G_GUINT64_CONSTANT (1) << binder->bits.n_row;
  binder->regions = g_array_new (FALSE, FALSE, sizeof (TlTileRegion));
  return binder;
}

void
tl_binder_free (TlBinder *binder)
{
  if (binder == NULL)
    return;
  tl_address_map_unref (binder->map);
  g_array_unref (binder->regions);
  g_free (binder);
}

static TlDiag *
refuse (TlDiags *diags, const char *code, const char *message)
{
  return tl_diags_add (diags, TL_SEVERITY_ERROR, code, NULL, tl_span (0, 0), "%s", message);
}

/* Domain bits that neither the share nor the tile takes. */
static guint
free_domain_bits (const TlBinder *binder, const TlTileMap *tile)
{
  return binder->bits.n_domain - (guint) __builtin_popcountll (tile->share) - tile->n_domain;
}

static guint
free_column_bits (const TlBinder *binder, const TlTileMap *tile)
{
  return binder->bits.n_column - tile->n_column;
}

/* Tiles that lie side by side in the same rows. */
static guint64
tiles_abreast (const TlBinder *binder, const TlTileMap *tile)
{
  return G_GUINT64_CONSTANT (1) << (free_column_bits (binder, tile) + free_domain_bits (binder, tile));
}

static gboolean
disjoint (const TlTileRegion *a, const TlTileRegion *b)
{
  if (((a->share.value ^ b->share.value) & a->share.mask & b->share.mask) != 0)
    return TRUE;
  return a->first_row + a->rows <= b->first_row || b->first_row + b->rows <= a->first_row;
}

/* A region of @tiles tiles whose place is still open. */
static gboolean
measure (const TlBinder *binder, const TlTileMap *tile, guint64 value, guint64 tiles, TlTileRegion *region,
         TlDiags *diags)
{
  guint64 abreast = tiles_abreast (binder, tile);

  if ((tile->share >> binder->bits.n_domain) != 0 || (value & ~tile->share) != 0)
    {
      tl_diag_reason (refuse (diags, "region-share", "the share is none of this machine's domains"),
                      "domain bits 0x%" G_GINT64_MODIFIER "x are to have the value 0x%" G_GINT64_MODIFIER
                      "x; the machine has %u",
                      tile->share, value, binder->bits.n_domain);
      return FALSE;
    }
  region->share = (TlDomainShare) { tile->share, value };
  if (tiles == 0 || tl_ceil_div (tiles, abreast) > binder->rows >> tile->n_row)
    {
      tl_diag_reason (refuse (diags, "region-full", tiles == 0 ? "a region of no tiles" : "the memory is too small"),
                      "%" G_GUINT64_FORMAT " tiles, %" G_GUINT64_FORMAT " side by side in %u rows each, need more than "
                      "the %" G_GUINT64_FORMAT " rows of a domain",
                      tiles, abreast, 1u << tile->n_row, binder->rows);
      return FALSE;
    }
  region->rows = tl_ceil_div (tiles, abreast) << tile->n_row;
  region->tiles = (region->rows >> tile->n_row) * abreast;
  return TRUE;
}

static const TlTileRegion *
region_in_the_way (const TlBinder *binder, const TlTileRegion *region)
{
  for (guint i = 0; i < binder->regions->len; i++)
    {
      const TlTileRegion *live = &g_array_index (binder->regions, TlTileRegion, i);
      if (!disjoint (region, live))
        return live;
    }
  return NULL;
}

gboolean
tl_binder_allocate (TlBinder *binder, const TlTileMap *tile, guint64 share_value, guint64 tiles, TlTileRegion *region,
                    TlDiags *diags)
{
  const TlTileRegion *live;

  if (!measure (binder, tile, share_value, tiles, region, diags))
    return FALSE;
  region->first_row = 0;
  while ((live = region_in_the_way (binder, region)) != NULL)
    {
      guint64 step = (guint64) 1 << tile->n_row;
      region->first_row = tl_ceil_div (live->first_row + live->rows, step) * step;
    }
  if (region->first_row + region->rows > binder->rows)
    {
      tl_diag_reason (refuse (diags, "region-full", "the memory has no room beside the tiles that live in it"),
                      "%" G_GUINT64_FORMAT " rows from row %" G_GUINT64_FORMAT " on pass the %" G_GUINT64_FORMAT
                      " rows of a domain",
                      region->rows, region->first_row, binder->rows);
      return FALSE;
    }
  g_array_append_val (binder->regions, *region);
  return TRUE;
}

/* Lets a region live whose rows are decided. */
static gboolean
settle (TlBinder *binder, const TlTileRegion *region, TlDiags *diags)
{
  const TlTileRegion *live;

  if (region->first_row > binder->rows || region->rows > binder->rows - region->first_row)
    {
      tl_diag_reason (refuse (diags, "region-outside", "the region passes the end of the memory"),
                      "%" G_GUINT64_FORMAT " rows from row %" G_GUINT64_FORMAT " on; a domain has %" G_GUINT64_FORMAT,
                      region->rows, region->first_row, binder->rows);
      return FALSE;
    }
  if ((live = region_in_the_way (binder, region)) != NULL)
    {
      tl_diag_reason (refuse (diags, "region-overlap", "the region is not disjoint from one that lives"),
                      "rows %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT " of the same domains are taken",
                      live->first_row, live->first_row + live->rows - 1);
      return FALSE;
    }
  g_array_append_val (binder->regions, *region);
  return TRUE;
}

gboolean
tl_binder_claim (TlBinder *binder, const TlTileMap *tile, guint64 share_value, guint64 first_row, guint64 tiles,
                 TlTileRegion *region, TlDiags *diags)
{
  if (!measure (binder, tile, share_value, tiles, region, diags))
    return FALSE;
  region->first_row = first_row;
  if (first_row % ((guint64) 1 << tile->n_row) != 0)
    {
      tl_diag_reason (refuse (diags, "region-align", "the region is not aligned to its tiles"),
                      "a tile takes %u rows of a domain, so a region starts at a multiple of that, not at row "
                      "%" G_GUINT64_FORMAT,
                      1u << tile->n_row, first_row);
      return FALSE;
    }
  return settle (binder, region, diags);
}

gboolean
tl_binder_reserve (TlBinder *binder, guint64 first_row, guint64 rows, TlDiags *diags)
{
  TlTileRegion region = { .first_row = first_row, .rows = rows };

  return settle (binder, &region, diags);
}

gboolean
tl_binder_release (TlBinder *binder, const TlTileRegion *region)
{
  for (guint i = 0; i < binder->regions->len; i++)
    {
      const TlTileRegion *live = &g_array_index (binder->regions, TlTileRegion, i);
      if (live->first_row == region->first_row && live->rows == region->rows && live->share.mask == region->share.mask
          && live->share.value == region->share.value)
        {
          g_array_remove_index (binder->regions, i);
          return TRUE;
        }
    }
  return FALSE;
}

/* Moves the low bits of *number into the free ones of @n place bits. */
static guint64
deposit (const guint8 *bits, guint n, guint64 taken, guint64 *number)
{
  guint64 place = 0;

  for (guint i = 0; i < n; i++)
    if (!(taken >> bits[i] & 1))
      {
        place |= (*number & 1) << bits[i];
        *number >>= 1;
      }
  return place;
}

guint64
tl_binder_base (const TlBinder *binder, const TlTileMap *tile, const TlTileRegion *region, guint64 index)
{
  const TlPlaceBits *bits = &binder->bits;
  guint64            taken = tile->place;
  guint64            place = 0;

  for (guint i = 0; i < bits->n_domain; i++)
    if (region->share.mask >> i & 1)
      {
        taken |= (guint64) 1 << bits->domain[i];
        place |= (region->share.value >> i & 1) << bits->domain[i];
      }
  place |= deposit (bits->column, bits->n_column, taken, &index);
  place |= deposit (bits->domain, bits->n_domain, taken, &index);
  index += region->first_row >> tile->n_row;
  place |= deposit (bits->row, bits->n_row, taken, &index);
  return tl_address_map_unapply (binder->map, place);
}

/* What does not hang on the place. */
static gboolean
describe (const TlTileMap *tile, guint64 base, const TlSourceInterval *source, guint32 quantum,
          TlDescriptor *descriptor, TlDiags *diags)
{
  guint64     bytes, end;
  const char *wrong = NULL;

  if (quantum == 0 || (quantum & (quantum - 1)) != 0)
    wrong = "a quantum is a power of two";
  else if (source->rows == 0 || source->row_bytes == 0 || source->pitch < source->row_bytes)
    wrong = "rows do not overlap, and a tile has at least one";
  else if (source->pitch < 2 || source->pitch > G_MAXUINT32)
    wrong = "rows are 2 to 4,294,967,295 bytes apart";
  else if (!tl_mul_u64 (source->rows, source->pitch, &end) || end > G_MAXUINT32
           || !tl_add_u64 (end, source->address, &end))
    wrong = "a tile spans less than 4 GiB of its operand";
  else if (!tl_mul_u64 (source->rows, source->row_bytes, &bytes)
           || tl_ceil_div (bytes, quantum) > (guint64) 1 << tile->bits)
    wrong = "the tile has more units than the layout";
  if (wrong != NULL)
    {
      tl_diag_reason (refuse (diags, "source-interval", "this is no tile of the layout"), "%s", wrong);
      return FALSE;
    }
  *descriptor = (TlDescriptor) { tile,
                                 base,
                                 source->address,
                                 source->pitch,
                                 G_MAXUINT64 / source->pitch + 1,
                                 source->row_bytes,
                                 source->rows,
                                 (guint) __builtin_ctz (quantum) };
  return TRUE;
}

gboolean
tl_bind (const TlBinder *binder, const TlTileMap *tile, const TlTileRegion *region, guint64 index,
         const TlSourceInterval *source, guint32 quantum, TlDescriptor *descriptor, TlDiags *diags)
{
  if (index >= region->tiles)
    {
      tl_diag_reason (refuse (diags, "region-tile", "the region has no such tile"),
                      "tile %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT, index, region->tiles);
      return FALSE;
    }
  return describe (tile, tl_binder_base (binder, tile, region, index), source, quantum, descriptor, diags);
}

gboolean
tl_bind_at (const TlBinder *binder, const TlTileMap *tile, guint64 base, const TlSourceInterval *source,
            guint32 quantum, TlDescriptor *descriptor, TlDiags *diags)
{
  if (base >> tl_address_map_bits (binder->map) != 0)
    {
      tl_diag_reason (refuse (diags, "region-outside", "the base lies outside the memory"), "an address has %u bits",
                      tl_address_map_bits (binder->map));
      return FALSE;
    }
  if ((tl_address_map_apply (binder->map, base) & tile->place) != 0)
    {
      tl_diag_reason (refuse (diags, "base-align", "the base is not aligned to the tile"),
                      "its place has bits that the tile's units turn over (0x%" G_GINT64_MODIFIER
                      "x), so the tile would run into its neighbours",
                      tl_address_map_apply (binder->map, base) & tile->place);
      return FALSE;
    }
  return describe (tile, base, source, quantum, descriptor, diags);
}
