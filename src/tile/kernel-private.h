/* What a kernel is made of. */
#pragma once

#include "tile/kernel.h"

enum
{
  TL_TILE_MAX_EXPR = 4096, /* nodes of an expression written out */
};

typedef struct
{
  TlTileExprKind kind;
  double         value; /* of a constant */
  guint          a, b, c;
  guint          size;   /* nodes, written out as a tree */
  gboolean       varies; /* names an index or an element */
  gboolean       named;  /* names a variable */
} TlTileExpr;

typedef enum
{
  TL_TILE_VARIABLE_BLOCK,
  TL_TILE_VARIABLE_LOOP,
} TlTileVariableKind;

typedef struct
{
  TlTileVariableKind kind;
  char              *name;
} TlTileVariable;

/* Expression 0 and tensor 0 are fillers; variables 0..2 are the block's indices, those of loops follow. */
struct _TlTileKernel
{
  char         *name;
  guint         threads;
  GArray       *exprs;     /* of TlTileExpr, operands before what uses them */
  GArray       *variables; /* of TlTileVariable */
  GArray       *tensors;   /* of TlTileTensor */
  GArray       *code;      /* of TlTileInstruction */
  GPtrArray    *buffers;   /* names */
  GStringChunk *texts;
};

/* Values of what an expression may name. */
typedef struct
{
  const double *variables;
  gint64        index[TL_LAYOUT_MAX_DIMS];
  double        elements[2];
} TlTileScope;

/* Whether the result is another form of the operand's bits, and nothing moves. */
static inline gboolean
tl_tile_is_form (TlTileOp op)
{
  return op == TL_TILE_VIEW || (op >= TL_TILE_SQUEEZE && op <= TL_TILE_RESHAPE);
}

/* Registers that an instruction on registers reads. */
static inline guint
tl_tile_n_operands (TlTileOp op)
{
  if (op == TL_TILE_ALLOCATE_REGISTER)
    return 0;
  if (op == TL_TILE_WHERE)
    return 3;
  return (op >= TL_TILE_ADD && op <= TL_TILE_MOD) || op == TL_TILE_BINARY ? 2 : 1;
}

double tl_tile_evaluate (const TlTileKernel *kernel,
                         guint               expr,
                         const TlTileScope  *scope);
/* Whether the expression names an index or an element. */
gboolean tl_tile_expr_varies (const TlTileKernel *kernel,
                              guint               expr);
/* Its value when it names nothing. */
gboolean tl_tile_expr_constant (const TlTileKernel *kernel,
                                guint               expr,
                                double             *value);
