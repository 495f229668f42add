/* Kernels of matrix products with weights of few bits, C[m,n] = sum over k of A[m,k] * W[k,n]:
 * copies ahead of the loop, then in it wait, copy, load, view, cast, scale, dot, commit. The
 * weights come packed: each tile in the bytes of its load recipe, so that no bit has to move
 * after loading where the View is free. Tilus, the matrix product of the evaluation. */
#pragma once

#include "layout/recipe.h"
#include "tile/atoms.h"
#include "tile/kernel.h"

typedef struct
{
  TlElementType activation; /* of A: f16, bf16, i8 or u8 */
  TlElementType weight;     /* of W: up to 8 bits, all of its values in the activation's type */
  guint64       m, n, k;    /* any; tiles that stick out are filled with zeros */
  guint64       group;      /* rows of W that share a scale, 0 for no scales; floats only */
  TlTileTiling  tiling;     /* the block's tile is made of */
  guint         vector;     /* 1..4 */
  guint         stages;     /* of shared memory: 2 and more; stages - 1 tiles are under way */
  gboolean      transposed; /* the codes that are packed are n x k, not k x n */
  TlLoadWay     way;        /* of loading weights, where a thread's bits are no whole bytes */
} TlTileMatmulSpec;

/* With buffers a (m x k of activation), w (packed), c (m x n of f32 or i32), all row-major,
 * and with scales s (ceil (k / group) x n of activation). A scaled weight is rounded to the
 * activation's type before it is multiplied. */
typedef struct
{
  TlTileKernel    *kernel;
  TlTileMatmulSpec spec;
  TlLoadRecipe     recipe;      /* of one tile of weights */
  TlLayout         a, w, c;     /* of the operands and the result in the threads of a block */
  guint            tile_m, tile_n, tile_k;
  guint            tiles_m, tiles_n, tiles_k;
  guint64          weight_bytes;
  guint            grid[3];     /* tiles_n, tiles_m, 1 */
} TlTileMatmul;

/* FALSE and *reason (transfer full, may be NULL): a weight that the activation cannot hold,
 * a tile that no recipe loads. */
gboolean tl_tile_matmul_make  (TlTileMatmul           *matmul,
                               const TlTileMatmulSpec *spec,
                               char                  **reason);
void     tl_tile_matmul_clear (TlTileMatmul           *matmul);
/* @codes of W, k x n row-major (n x k when transposed), to @bytes of weight_bytes. */
void     tl_tile_matmul_pack  (const TlTileMatmul     *matmul,
                               const guint8           *codes,
                               guint8                 *bytes);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TlTileMatmul, tl_tile_matmul_clear)
