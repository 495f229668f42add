/* What a checked kernel is: for each instruction, tables that say which of its own locals
 * a thread reads, where elements lie, and where control goes. */
#pragma once

#include "tile/kernel-private.h"
#include "tile/plan.h"

enum
{
  TL_TILE_KEEP = G_MAXUINT32, /* in a gather: the element stays as it is */
  TL_TILE_WARP = 32,
};

/* The local of the operand that becomes local l of thread t: table[(t or 0) * locals + l];
 * no table: the same local. */
typedef struct
{
  guint32 *table;
  gboolean one_row; /* for all threads */
} TlTileGather;

typedef struct
{
  TlTileGather gather[3];
  guint32     *coords;    /* of element (t, l): n dimensions each, of the register that moves */
  guint32     *raw;       /* shared moves and copies: offset of each element while the part begins at 0 */
  guint32     *index;     /* row-major index of element (t, l) of the result (dot: of operand 2 and the result) */
  guint32     *holder[2]; /* of each element of operand 0, 1: thread * locals + local */
  guint32     *codes;     /* casts of up to 8 bits: the new code of each code */
  guint        jump;      /* where control goes: past the loop, to else or end, back to the loop */
  guint64      atoms;
} TlTileStep;

typedef struct
{
  guint  storage; /* from 1; registers that are forms of each other share it */
  guint  bit;     /* where in it the first element begins */
  guint  locals;
  guint  n_dims;
  gint64 shape[TL_LAYOUT_MAX_DIMS];
} TlTileRegisterPlan;

/* A layout as a sum over its dimensions: offset = sum of tables[d][coordinate d]. */
typedef struct
{
  TlShared layout;
  gint64  *tables[TL_LAYOUT_MAX_DIMS];
  guint64  size; /* elements, with what the swizzle reaches */
} TlTileRoot;

/* Dimension i of the tensor is dimension dims[i] of the root. */
typedef struct
{
  gboolean defined;
  guint    root;
  gboolean whole; /* all of the root, in its order */
  guint    n_dims;
  guint    dims[TL_LAYOUT_MAX_DIMS];
  gint64   shape[TL_LAYOUT_MAX_DIMS];
} TlTileSharedPlan;

typedef struct
{
  gboolean defined;
  guint    n_dims;
  gint64   buffer; /* -1: allocated */
  gboolean stored; /* something writes to its buffer */
} TlTileGlobalPlan;

struct _TlTilePlan
{
  const TlTileKernel *kernel;
  guint               threads;
  TlTileStep         *steps;     /* one an instruction */
  TlTileRegisterPlan *registers; /* by tensor */
  TlTileSharedPlan   *shared;
  TlTileGlobalPlan   *globals;
  GArray             *storages;  /* guint: bits of a thread; [0] is a filler */
  GArray             *roots;     /* TlTileRoot */
  gboolean           *stored;    /* by buffer */
  guint               shared_granule; /* bits that lie in one element of whatever type */
  guint               global_granule;
};

typedef struct
{
  TlTilePlan *plan;
  guint       at; /* instruction */
  char      **reason;
} TlTileCheck;

/* Returns FALSE after saying why. */
gboolean tl_tile_refuse        (TlTileCheck *check,
                                const char  *format,
                                ...) G_GNUC_PRINTF (2, 3);
/* The tensor, or NULL after saying that it is none of @space. */
const TlTileTensor *tl_tile_tensor_of (TlTileCheck *check,
                                       guint        tensor,
                                       TlTileSpace  space);
/* Makes sure that @tensor is a register with a storage. */
gboolean tl_tile_use_register  (TlTileCheck *check,
                                guint        tensor);
gboolean tl_tile_check_dims    (TlTileCheck  *check,
                                const gint64 *dims,
                                guint         n,
                                guint         rank);
char    *tl_tile_shape_text    (const gint64 *shape,
                                guint         n);
/* Room for the coordinates of all elements of register @tensor. */
guint32 *tl_tile_coords        (const TlTilePlan *plan,
                                guint             tensor);
guint32 *tl_tile_indices       (const TlTilePlan *plan,
                                guint             tensor);
/* Thread * locals + local of one holder of each element. */
guint32 *tl_tile_holders       (const TlTilePlan *plan,
                                guint             tensor);

gboolean tl_tile_plan_register (TlTileCheck *check); /* plan-register.c */
gboolean tl_tile_plan_memory   (TlTileCheck *check); /* plan-memory.c */
gboolean tl_tile_plan_dot      (TlTileCheck *check); /* plan-dot.c */

static inline const TlTileInstruction *
tl_tile_checked (const TlTileCheck *check)
{
  return &g_array_index (check->plan->kernel->code, TlTileInstruction, check->at);
}
