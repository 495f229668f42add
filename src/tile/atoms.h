/* Tensor-core atoms and the layouts of operands tiled from them. A warp of 32 threads
 * multiplies m x k by k x n; the atom says which thread holds what. Tilus, the table of
 * mma layouts. */
#pragma once

#include "layout/element-type.h"
#include "layout/layout.h"

/* m16n8k16 of f16 or bf16 with f32 results, m16n8k32 of i8 or u8 with i32 results. With a
 * vector of v, an operand's k is v times as long and each thread holds v pieces side by side. */
typedef struct
{
  guint    m, n, k; /* of v atoms together */
  guint    vector;
  TlLayout a, b, c;
} TlTileAtom;

/* The atom for operands of @type; FALSE when there is none. @vector 1..4. */
gboolean tl_tile_atom_find   (TlElementType  type,
                              guint          vector,
                              TlTileAtom    *atom);
/* The type of results for operands of @type. */
TlElementType tl_tile_atom_result (TlElementType type);

/* Warps along m and n, and atoms of each warp along m, n and k. */
typedef struct
{
  guint warps_m, warps_n;
  guint repeat_m, repeat_n, repeat_k;
} TlTileTiling;

/* Layouts of a block of warps_m * warps_n * 32 threads:
 *   A = reduce(spatial(wm,1,wn; ranks 1,0,2),[2]).local(rm,rk) * a
 *   B = reduce(spatial(1,wn,wm; ranks 0,2,1),[2]).local(rk,rn) * b
 *   C = spatial(wm,wn).local(rm,rn) * c */
gboolean tl_tile_dot_layouts (const TlTileAtom   *atom,
                              const TlTileTiling *tiling,
                              TlLayout           *a,
                              TlLayout           *b,
                              TlLayout           *c,
                              char              **reason);
