/* Which tile lies in a DRAM row: the inverse of where the machine puts tiles. */
#pragma once

#include "sim/run.h"

typedef enum
{
  TL_ROW_EMPTY,      /* no tile of this PU lies there */
  TL_ROW_TILE,       /* one of the PU's own tiles */
  TL_ROW_COPY_LEFT,  /* its copy of (i,k), or of the pivot; k changes with the super-step */
  TL_ROW_COPY_RIGHT, /* its copy of (k,j) */
} TlRowKind;

typedef struct
{
  guint8  kind;  /* TlRowKind */
  guint32 i;     /* of the tile; of COPY_RIGHT: k */
  guint32 j;     /* of the tile; of COPY_LEFT: k */
  guint32 index; /* of the row in the tile, 0 .. */
} TlRowUse;

/* @row: tier * rows + row in the tier, of bank @bank of PU @pu's group, during
 * super-step @k. With rows taken modulo (aliased) the lowest tile that may lie there. */
void tl_sim_row_use (TlSimRun  *run,
                     guint32    pu,
                     guint32    bank,
                     guint32    row,
                     guint32    k,
                     TlRowUse  *use);
