/* The way of an element of a placed operand down to DRAM, and back: tile -> thread and local ->
 * bit of the thread's string of bits -> bit and byte of the tile's image -> unit -> address ->
 * channel, tier, bank, row, column. A tile's image is what its units hold: its rows one after
 * the other, or the pieces of a load recipe, piece by piece for all threads. Elements of odd widths lie
 * across bytes and units and their places are not linear in the element's number, but those of pieces
 * are: so pieces are what is placed, and one map serves all widths. */
#pragma once

#include "layout/recipe.h"
#include "place/gemm-plan.h"

typedef struct
{
  const TlGemmShape  *shape;
  TlGemmOperand       operand;
  const TlLoadRecipe *recipe; /* of a tile, its layout's dimensions k x n for B, m x k for A; NULL: rows */
  const TlLayout     *layout; /* with rows: who holds what of a tile; NULL: not told. Same dimensions */
  guint               groups; /* of threads that each hold all of the recipe's tile; 0: 1 */
} TlChainSpec;

typedef struct _TlChain TlChain;

/* Bits of an element that lie side by side in one byte. */
typedef struct
{
  guint   thread, local; /* both 0 when the layout is not told */
  guint   first, n_bits; /* of the element, bit 0 the lowest */
  guint   register_bit;  /* of the thread's string of bits, of the first */
  guint64 byte;          /* of the tile's image */
  guint   bit;           /* of the byte */
  guint32 unit;          /* of the tile */
  guint64 address;       /* in quanta */
  guint64 place;         /* the address map's word */
} TlChainPart;

/* Where an element is. */
typedef struct
{
  guint64  tile_row, tile_column;     /* of the operand as it is subscripted */
  guint64  inside_row, inside_column; /* in the tile */
  guint    n_threads;                 /* that hold it; 0 when the layout is not told */
  guint    local;
  guint32 *threads;
  GArray  *parts; /* of TlChainPart: the element's bits ascending, copy after copy where the image has several */
} TlChainElement;

typedef enum
{
  TL_CHAIN_ELEMENT,
  TL_CHAIN_PADDING, /* a bit of a tile that no element of the matrix has */
  TL_CHAIN_NOTHING, /* no tile of this operand */
} TlChainKind;

/* What a bit of DRAM holds. */
typedef struct
{
  TlChainKind kind;
  guint64     row, column; /* the element, as it is subscripted */
  guint       element_bit;
  guint       thread, local, register_bit;
  guint64     tile_row, tile_column;
  guint32     unit;
  guint64     byte; /* of the tile's image */
} TlChainBit;

/* @placing and @map are of the whole product and must outlive the chain. NULL with *reason (transfer full, may be
 * NULL) when the operand is not placed, the recipe or the layout is none of its tile, or the image has more units than
 * the placement. (transfer full) */
TlChain    *tl_chain_new           (const TlChainSpec   *spec,
                                    const TlGemmPlacing *placing,
                                    TlAddressMap        *map,
                                    char               **reason);
void        tl_chain_free          (TlChain             *chain);
/* Rows and columns of the operand as it is subscripted. */
void        tl_chain_size          (const TlChain       *chain,
                                    guint64             *rows,
                                    guint64             *columns);
/* Units of a tile's image. */
guint64     tl_chain_units         (const TlChain       *chain);
/* FALSE outside the matrix. Clear the element with tl_chain_element_clear. */
gboolean    tl_chain_of_element    (const TlChain       *chain,
                                    guint64              row,
                                    guint64              column,
                                    TlChainElement      *element);
void        tl_chain_element_clear (TlChainElement      *element);
/* @bit < 8 * quantum, of the quantum at @address. */
void        tl_chain_of_address    (const TlChain       *chain,
                                    guint64              address,
                                    guint                bit,
                                    TlChainBit          *found);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlChain, tl_chain_free)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TlChainElement, tl_chain_element_clear)
