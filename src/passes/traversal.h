/* Order of tiles, derived from what an update reads and where. */
#pragma once

#include "ir/ir.h"

typedef enum
{
  TL_TRAVERSAL_NONE,      /* not one of these */
  TL_TRAVERSAL_BLOCKED,   /* super-steps of pivot, row and column, rest: the output is read along a loop it is reduced over */
  TL_TRAVERSAL_WAVEFRONT, /* anti-diagonals: only cells at constant distances are read */
  TL_TRAVERSAL_PRODUCT,   /* any order of tiles, k rising: only other matrices are reduced over */
} TlTraversal;

/* From operands, maps and distance vectors of a dp.grid_update. */
TlTraversal tl_traversal_of   (const TlOp  *update);
const char *tl_traversal_name (TlTraversal  traversal);
