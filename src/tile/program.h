/* Tile kernels of programs: C[m,n] = C[m,n] + A[m,k] * W[k,n] over (+, x) with weights of few
 * bits, as place/product.h reads it, made into the kernel that computes it. */
#pragma once

#include "dsl/ast.h"
#include "tile/matmul.h"

typedef struct
{
  TlTileMatmulSpec spec;
  const char      *output; /* C; owned by the tree, as all names here */
  const char      *left;   /* A */
  const char      *right;  /* W */
} TlTileProgram;

/* What is not said: A of f16, 3 stages, tiles of 64 x 128 x 64; the warps that share a tile
 * best; a byte shared where a thread's weights are no whole bytes, so that the tile is the one
 * asked for. FALSE with diagnostics (those of tl_product_read, "tile-types", "tile-sides",
 * "tile-stages") when no tensor core computes it. @ast has passed the checks. */
gboolean tl_tile_program_read (const TlAst   *ast,
                               TlTileProgram *program,
                               TlDiags       *diags);
