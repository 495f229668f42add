/* From elements to DRAM and back. */
#include "place/chain.h"
#include "base/gf2.h"
#include "base/number.h"

#include <stdlib.h>

typedef struct
{
  guint64 place; /* of the base */
  guint64 tile;
} Base;

struct _TlChain
{
  TlGemmTiles      tiles;
  gboolean         k_down;     /* tiles are numbered column of tiles by column of tiles */
  gboolean         transposed; /* the layout's dimensions are (column, row) of the operand */
  guint64          columns;    /* of the matrix, in elements */
  guint64          tile_columns;
  guint            bits; /* of an element */
  guint32          quantum;
  gboolean         pieces; /* the image is the recipe's */
  TlLoadRecipe     recipe;
  gboolean         told; /* the layout is */
  TlLayout         layout;
  guint            groups;
  guint64          image_bytes;
  const TlTileMap *tile_map;
  const guint64   *bases;
  guint64          n_tiles;
  TlAddressMap    *map;
  Base            *sorted;      /* by place */
  guint64          unit_of[64]; /* place bits of the tile, packed, to the unit's number */
};

static int
compare_bases (const void *a, const void *b)
{
  const Base *x = a, *y = b;

  return x->place < y->place ? -1 : x->place > y->place;
}

/* The bits of @word that @mask has, side by side. */
static guint64
gather (guint64 word, guint64 mask)
{
  guint64 packed = 0;

  for (guint n = 0; mask != 0; mask &= mask - 1, n++)
    packed |= (word >> __builtin_ctzll (mask) & 1) << n;
  return packed;
}

/* The unit's number as a function of the place bits that the tile fills. */
static void
invert_tile_map (TlChain *chain)
{
  const TlTileMap *tile = chain->tile_map;
  guint64          rows[64] = { 0 };

  for (guint i = 0; i < tile->bits; i++)
    {
      guint64 place = gather (tl_address_map_apply (chain->map, tile->image[i]), tile->place);

      for (guint bit = 0; bit < tile->bits; bit++)
        rows[bit] |= (place >> bit & 1) << i;
    }
  /* A tile map exists only of a bijection. */
  if (!tl_gf2_invert (rows, tile->bits, chain->unit_of))
    g_assert_not_reached ();
}

static gboolean
is_of_tile (const TlChain *chain, const TlLayout *layout)
{
  guint64 rows = chain->tiles.tile_rows, columns = chain->tile_columns;

  return layout->n_dims == 2 && (guint64) layout->shape[0] == (chain->transposed ? columns : rows)
         && (guint64) layout->shape[1] == (chain->transposed ? rows : columns);
}

static gboolean
read_image (TlChain *chain, const TlChainSpec *spec, char **reason)
{
  const TlLayout *layout = spec->recipe != NULL ? &spec->recipe->target : spec->layout;

  if (layout != NULL && !is_of_tile (chain, layout))
    return tl_refuse (reason, "the layout is not one of tiles of %" G_GUINT64_FORMAT " x %" G_GUINT64_FORMAT,
                      chain->tiles.tile_rows, chain->tile_columns);
  if (spec->recipe != NULL && spec->recipe->element_bits != chain->bits)
    return tl_refuse (reason, "the recipe loads elements of %u bits, the operand has %u", spec->recipe->element_bits,
                      chain->bits);
  if (layout != NULL)
    chain->layout = *layout;
  chain->told = layout != NULL;
  chain->pieces = spec->recipe != NULL;
  if (chain->pieces)
    chain->recipe = *spec->recipe;
  chain->groups = MAX (spec->groups, 1);
  chain->image_bytes = chain->pieces ? chain->recipe.bytes : chain->tiles.tile_bytes;
  if (tl_ceil_div (chain->image_bytes, chain->quantum) > G_GUINT64_CONSTANT (1) << chain->tile_map->bits)
    return tl_refuse (reason,
                      "the tile's image has %" G_GUINT64_FORMAT " units of %u bytes, the placement 2^%u; take the way "
                      "that neither pads nor repeats",
                      tl_ceil_div (chain->image_bytes, chain->quantum), chain->quantum, chain->tile_map->bits);
  return TRUE;
}

TlChain *
tl_chain_new (const TlChainSpec *spec, const TlGemmPlacing *placing, TlAddressMap *map, char **reason)
{
  g_autoptr (TlChain) chain = g_new0 (TlChain, 1);
  const TlGemmShape *shape = spec->shape;

  chain->k_down = spec->operand == TL_GEMM_B && !shape->transposed;
  chain->transposed = spec->operand == TL_GEMM_B && shape->transposed;
  chain->bits = shape->bits[spec->operand] != 0 ? shape->bits[spec->operand] : 16;
  chain->quantum = shape->quantum;
  chain->columns = chain->k_down ? shape->n : shape->k;
  chain->tile_columns = chain->k_down ? shape->tile_n : shape->tile_k;
  chain->map = tl_address_map_ref (map);
  chain->bases = tl_gemm_placing_bases (placing, spec->operand, &chain->tile_map, &chain->n_tiles);
  if (chain->tile_map == NULL)
    {
      tl_refuse (reason, "the operand lies row by row in its matrix, without a map of its tiles' units");
      return NULL;
    }
  if (!tl_gemm_tiles (shape, spec->operand, &chain->tiles))
    {
      tl_refuse (reason, "tiles of this product cannot be read whole");
      return NULL;
    }
  if (!read_image (chain, spec, reason))
    return NULL;
  invert_tile_map (chain);
  chain->sorted = g_new (Base, chain->n_tiles);
  for (guint64 i = 0; i < chain->n_tiles; i++)
    chain->sorted[i] = (Base) { tl_address_map_apply (map, chain->bases[i]), i };
  qsort (chain->sorted, chain->n_tiles, sizeof *chain->sorted, compare_bases);
  return g_steal_pointer (&chain);
}

void
tl_chain_free (TlChain *chain)
{
  if (chain == NULL)
    return;
  g_clear_pointer (&chain->map, tl_address_map_unref);
  g_free (chain->sorted);
  g_free (chain);
}

void
tl_chain_size (const TlChain *chain, guint64 *rows, guint64 *columns)
{
  *rows = chain->tiles.rows;
  *columns = chain->columns;
}

guint64
tl_chain_units (const TlChain *chain)
{
  return tl_ceil_div (chain->image_bytes, chain->quantum);
}

static guint64
tile_number (const TlChain *chain, guint64 tile_row, guint64 tile_column)
{
  return chain->k_down ? tile_column * chain->tiles.tiles_down + tile_row
                       : tile_row * chain->tiles.tiles_across + tile_column;
}

/* --- Down --- */

/* The bit of the image that holds bit @k of the element. */
static guint64
image_bit (const TlChain *chain, const TlChainElement *element, guint thread, guint k)
{
  if (chain->pieces)
    return tl_load_recipe_place (&chain->recipe, thread, element->local * chain->bits + k);
  return element->inside_row * chain->tiles.tile_row_bytes * 8 + element->inside_column * chain->bits + k;
}

static void
add_parts (const TlChain *chain, TlChainElement *element, guint thread)
{
  guint64 tile = tile_number (chain, element->tile_row, element->tile_column);
  guint64 before = 0;

  for (guint k = 0; k < chain->bits; k++)
    {
      guint64      at = image_bit (chain, element, thread, k);
      TlChainPart *last = k > 0 ? &g_array_index (element->parts, TlChainPart, element->parts->len - 1) : NULL;

      if (last != NULL && at == before + 1 && at / 8 == last->byte)
        last->n_bits++;
      else
        {
          TlChainPart part = { .thread = thread,
                               .local = element->local,
                               .first = k,
                               .n_bits = 1,
                               .register_bit = element->local * chain->bits + k,
                               .byte = at / 8,
                               .bit = (guint) (at % 8),
                               .unit = (guint32) (at / 8 / chain->quantum) };
          part.address = tl_address_of_unit (chain->tile_map, chain->bases[tile], part.unit);
          part.place = tl_address_map_apply (chain->map, part.address);
          g_array_append_val (element->parts, part);
        }
      before = at;
    }
}

gboolean
tl_chain_of_element (const TlChain *chain, guint64 row, guint64 column, TlChainElement *element)
{
  guint copies = 1;

  *element = (TlChainElement) { 0 };
  if (row >= chain->tiles.rows || column >= chain->columns)
    return FALSE;
  element->tile_row = row / chain->tiles.tile_rows;
  element->inside_row = row % chain->tiles.tile_rows;
  element->tile_column = column / chain->tile_columns;
  element->inside_column = column % chain->tile_columns;
  element->parts = g_array_new (FALSE, FALSE, sizeof (TlChainPart));
  if (chain->told)
    {
      guint64 index = chain->transposed ? element->inside_column * chain->tiles.tile_rows + element->inside_row
                                        : element->inside_row * chain->tile_columns + element->inside_column;
      guint   all = tl_layout_threads (&chain->layout);

      element->threads = g_new (guint32, (gsize) tl_layout_copies (&chain->layout) * chain->groups);
      copies = tl_layout_where (&chain->layout, index, element->threads, &element->local);
      for (guint i = copies; i < copies * chain->groups; i++)
        element->threads[i] = element->threads[i - copies] + all;
      element->n_threads = copies * chain->groups;
    }
  /* Of rows there is one copy, whoever holds it; of pieces each thread has its own. */
  for (guint i = 0; i < (chain->pieces ? copies : 1); i++)
    add_parts (chain, element, element->threads != NULL ? element->threads[i] : 0);
  return TRUE;
}

void
tl_chain_element_clear (TlChainElement *element)
{
  g_clear_pointer (&element->threads, g_free);
  g_clear_pointer (&element->parts, g_array_unref);
}

/* --- Back --- */

/* The tile and the unit at an address; FALSE when no tile lies there. */
static gboolean
find_unit (const TlChain *chain, guint64 address, guint64 *tile, guint32 *unit)
{
  guint64     place = tl_address_map_apply (chain->map, address);
  const Base  wanted = { place & ~chain->tile_map->place, 0 };
  const Base *found = bsearch (&wanted, chain->sorted, chain->n_tiles, sizeof wanted, compare_bases);

  if (found == NULL)
    return FALSE;
  *tile = found->tile;
  *unit = (guint32) tl_gf2_apply (chain->unit_of, chain->tile_map->bits, gather (place, chain->tile_map->place));
  return TRUE;
}

/* The element of the tile at a bit of its image; FALSE for padding. */
static gboolean
find_inside (const TlChain *chain, guint64 at, TlChainBit *found, guint64 *row, guint64 *column)
{
  guint64 index;

  if (!chain->pieces)
    {
      guint64 across = chain->tiles.tile_row_bytes * 8;

      *row = at / across;
      *column = at % across / chain->bits;
      found->element_bit = (guint) (at % across % chain->bits);
      if (chain->told)
        {
          g_autofree guint32 *threads = g_new (guint32, tl_layout_copies (&chain->layout));
          index = chain->transposed ? *column * chain->tiles.tile_rows + *row : *row * chain->tile_columns + *column;
          tl_layout_where (&chain->layout, index, threads, &found->local);
          found->thread = threads[0];
          found->register_bit = found->local * chain->bits + found->element_bit;
        }
      return TRUE;
    }
  const TlLoadRecipe *recipe = &chain->recipe;
  guint64             piece = at / recipe->piece_bits;
  found->thread = (guint) (piece % recipe->threads);
  found->register_bit = (guint) (piece / recipe->threads * recipe->piece_bits + at % recipe->piece_bits);
  found->local = found->register_bit / chain->bits;
  found->element_bit = found->register_bit % chain->bits;
  if (found->local >= tl_layout_locals (&recipe->target))
    return FALSE;
  index = tl_layout_index (&recipe->target, found->thread, found->local);
  guint64 across = (guint64) recipe->target.shape[1];
  *row = chain->transposed ? index % across : index / across;
  *column = chain->transposed ? index / across : index % across;
  return TRUE;
}

void
tl_chain_of_address (const TlChain *chain, guint64 address, guint bit, TlChainBit *found)
{
  guint64 tile, row, column;

  *found = (TlChainBit) { .kind = TL_CHAIN_NOTHING };
  if (address >> tl_address_map_bits (chain->map) != 0 || bit / 8 >= chain->quantum
      || !find_unit (chain, address, &tile, &found->unit))
    return;
  found->kind = TL_CHAIN_PADDING;
  found->tile_row = chain->k_down ? tile % chain->tiles.tiles_down : tile / chain->tiles.tiles_across;
  found->tile_column = chain->k_down ? tile / chain->tiles.tiles_down : tile % chain->tiles.tiles_across;
  found->byte = (guint64) found->unit * chain->quantum + bit / 8;
  if (found->byte >= chain->image_bytes || !find_inside (chain, found->byte * 8 + bit % 8, found, &row, &column))
    return;
  found->row = found->tile_row * chain->tiles.tile_rows + row;
  found->column = found->tile_column * chain->tile_columns + column;
  if (found->row < chain->tiles.rows && found->column < chain->columns)
    found->kind = TL_CHAIN_ELEMENT;
}
