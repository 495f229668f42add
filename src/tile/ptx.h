/* Kernels of matrix products as PTX text, for sm_80 and sm_90: cp.async to shared memory, ldmatrix where rows of A lie on
 * 16 bytes, registers as strings of bits in 32-bit words, scales of groups, mma.sync. A View is no text at all: the words
 * that were loaded are the words that are taken apart. */
#pragma once

#include "tile/matmul.h"

/* How a View is written; all but the first are for measuring what it costs. */
typedef enum
{
  TL_TILE_PTX_VIEW_NOTHING,
  TL_TILE_PTX_VIEW_COPIES,   /* each word moved to another register: the assembler drops it */
  TL_TILE_PTX_VIEW_PERMUTES, /* bytes of each word in another order: a control that must cost */
} TlTilePtxView;

typedef struct
{
  guint         sm;   /* 80 or 90 */
  TlTilePtxView view;
} TlTilePtxOptions;

/* The entry point is "matmul" with pointers to a, w and c, and with groups to s, all 16-byte aligned; its grid is
 * matmul->grid, its block the kernel's threads, its dynamic shared memory *shared_bytes (may be
 * NULL). NULL with *reason (transfer full, may be NULL) for what it is not written for: integer
 * activations, vectors over 1, and an odd k. (transfer full) */
char *tl_tile_matmul_to_ptx (const TlTileMatmul     *matmul,
                             const TlTilePtxOptions *options,
                             guint64                *shared_bytes,
                             char                  **reason);
