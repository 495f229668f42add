/* Checking a kernel: every operand fits, every layout agrees, every thread has what it
 * reads, so that running it never has to ask. */
#pragma once

#include "tile/kernel.h"

typedef struct _TlTilePlan TlTilePlan;

/* What the plan of @kernel, which must outlive it, is; or NULL with the instruction (may be
 * NULL) that is wrong and the *reason (transfer full, may be NULL). (transfer full) */
TlTilePlan *tl_tile_plan_new     (const TlTileKernel  *kernel,
                                  guint               *instruction,
                                  char               **reason);
void        tl_tile_plan_free    (TlTilePlan          *plan);
/* Tensor-core instructions that the instruction stands for, 0 where it is no dot. */
guint64     tl_tile_plan_atoms   (const TlTilePlan    *plan,
                                  guint                instruction);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlTilePlan, tl_tile_plan_free)
