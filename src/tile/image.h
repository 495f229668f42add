/* What lies in a placed tile of an operand, as the kernel of the program wants it: weights of few bits as their load
 * recipe packs them, everything else row by row. */
#pragma once

#include "place/chain.h"
#include "tile/program.h"

typedef struct
{
  TlChainSpec  spec;     /* for tl_chain_new; points into this */
  TlLayout     layout;   /* in the threads of a block */
  gboolean     told;     /* the layout is: there is a kernel of these tiles */
  char        *why_not;  /* why there is no kernel, in words; NULL */
  TlTileMatmul matmul;
  TlGemmShape  shape;
} TlTileImage;

/* Fills @image, which must stay where it is. @ast has passed the checks and is a product of @shape. */
void tl_tile_image_find  (TlTileImage       *image,
                          const TlAst       *ast,
                          const TlGemmShape *shape,
                          TlGemmOperand      operand);
void tl_tile_image_clear (TlTileImage       *image);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TlTileImage, tl_tile_image_clear)
