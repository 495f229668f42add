/* A plan of a whole matrix product: layouts of both operands and the domains that their
 * co-resident tiles use, chosen together. A tile is opened while others are: those of the other
 * operand, and of the same one in other resident CTAs. So the domains may be one pool for all, or halves for A
 * and B, or B's half coloured besides by the column of tiles, so that neighbouring CTAs keep off each
 * other's open rows. Each way is planned (place/plan.h), bound and counted in order, and so are plain packed tiles
 * on the same domains: PLAN judges one tile from a closed start, where an opening is free, and a tile that fills
 * part of its rows may be better off in fewer domains when tile follows tile. The ways are handed back best first, for a replay with time to decide among them (models.md section 6, Beyond the paper). */
#pragma once

#include "dram/in-order.h"
#include "place/bind.h"
#include "place/plan.h"
#include "place/signature.h"

/* Ways: the pool, halves, and at most six more domain bits for colours, each planned and packed. */
#define TL_GEMM_MAX_SPLIT 7
#define TL_GEMM_MAX_WAYS  (2 * (TL_GEMM_MAX_SPLIT + 1))

/* Domain bits kept from the tiles of @operand: A has its half to itself, only the topmost bit is its share. */
static inline guint
tl_gemm_share_bits (guint split, TlGemmOperand operand)
{
  return operand == TL_GEMM_A ? MIN (split, 1) : split;
}

/* Colours of B's tiles. */
static inline guint
tl_gemm_colours (guint split)
{
  return split > 1 ? 1u << (split - 1) : 1;
}

typedef struct
{
  guint64  step_limit; /* of each PLAN, as TlPlanOptions */
  guint64  sample;     /* requests counted to compare the ways; 0: all */
  /* As TlPlanOptions; FALSE stops. May be NULL. */
  gboolean (*progress) (double fraction, gpointer data);
  gpointer data;
} TlGemmPlanOptions;

/* One way to share the domains, planned. */
typedef struct
{
  guint      split;   /* domain bits kept from the tiles: 0 the pool, 1 halves, more: B's colours too */
  guint      colours; /* of B's tiles: 1, or 2^(split - 1) */
  gboolean   packed;  /* the layouts are the plain ones */
  TlFreePlan plan[TL_N_GEMM_OPERANDS];
  guint64    requests;  /* of the sample */
  guint64    hit, miss, conflict; /* of the sample, in order */
} TlGemmWay;

typedef struct
{
  TlGemmShape   shape;
  TlAddressMap *map;
  TlSignature  *signature[TL_N_GEMM_OPERANDS];
  guint         n_ways;
  TlGemmWay     way[TL_GEMM_MAX_WAYS]; /* by conflicts, then more domains in use, then fewer terms, then less split,
                                   * then planned before packed */
  gboolean      stopped; /* by @progress: the ways looked at until then */
} TlGemmPlan;

/* NULL with a diagnostic when a tile is too large, or both operands do not fit the memory in any way.
 * shape->packed does not matter. (transfer full) */
TlGemmPlan    *tl_gemm_plan_new        (const TlGemmShape       *shape,
                                        TlAddressMap            *map,
                                        const TlGemmPlanOptions *options,
                                        TlDiags                 *diags);
void           tl_gemm_plan_free       (TlGemmPlan              *plan);

/* All tiles of a product bound: where each request goes. 8 bytes a tile. */
typedef struct _TlGemmPlacing TlGemmPlacing;

/* @placements: of A and of B, of the unit bits of their signatures; NULL leaves an operand row by row where
 * tl_gemm_stream has it, and the other keeps off those rows. NULL with a diagnostic when they are not
 * legal or do not fit, or when @map scatters rows so that one operand cannot stay as it is beside the other
 * ("layout-beside"). (transfer full) */
TlGemmPlacing *tl_gemm_placing_new     (const TlGemmShape       *shape,
                                        TlAddressMap            *map,
                                        const TlPlacement *const placements[TL_N_GEMM_OPERANDS],
                                        guint                    split,
                                        TlDiags                 *diags);
void           tl_gemm_placing_free    (TlGemmPlacing           *placing);
void           tl_gemm_placing_apply   (const TlGemmPlacing     *placing,
                                        const TlGemmRequest     *requests,
                                        gsize                    n,
                                        guint64                 *addresses);

/* The tile map of an operand and the base of each tile, in quanta: of A tile row * tiles along K + step, of B tile
 * column * tiles along K + step. (transfer none) */
const guint64 *tl_gemm_placing_bases   (const TlGemmPlacing     *placing,
                                        TlGemmOperand            operand,
                                        const TlTileMap        **map,
                                        guint64                 *n_tiles);
/* The region of the tiles of @operand that have @colour; NULL for an operand that lies row by row. (transfer none) */
const TlTileRegion *tl_gemm_placing_region (const TlGemmPlacing *placing,
                                        TlGemmOperand        operand,
                                        guint                colour);

/* Counts a product in order, from a closed start: placed, or as shape->packed says when @placing is NULL. @limit:
 * requests at most; 0: all. FALSE when @progress stopped it, or with a diagnostic when an operand passes the
 * memory. @diags may be NULL with a @placing. */
gboolean       tl_gemm_count           (const TlGemmShape       *shape,
                                        TlAddressMap            *map,
                                        const TlGemmPlacing     *placing,
                                        guint64                  limit,
                                        const TlGemmPlanOptions *options,
                                        TlInOrderCounts         *counts,
                                        TlDiags                 *diags);
/* The same, and hits, misses and conflicts (by TlRowClass) of each operand. */
gboolean       tl_gemm_count_operands  (const TlGemmShape       *shape,
                                        TlAddressMap            *map,
                                        const TlGemmPlacing     *placing,
                                        guint64                  limit,
                                        const TlGemmPlanOptions *options,
                                        TlInOrderCounts         *counts,
                                        guint64                  classes[TL_N_GEMM_OPERANDS][TL_N_ROW_CLASSES],
                                        TlDiags                 *diags);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlGemmPlan, tl_gemm_plan_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlGemmPlacing, tl_gemm_placing_free)
