/* A product as modules: what each pass group makes of it, and what a module says of its machine and knobs.
 * Between G1 and G4 a module holds all that later groups and the simulator need (ir/DIALECTS.md, dialect tile). */
#pragma once

#include "passes/cu-knobs.h"
#include "place/gemm-plan.h"

#include <gio/gio.h>

/* The machine as a module has it (attribute tile.target). */
typedef struct
{
  char         *name;
  TlMemory      memory;
  TlAddressMap *map;
  TlCuMachine   machine;
  TlDramEnergy  energy;
} TlCuTarget;

void      tl_cu_target_clear       (TlCuTarget       *target);
/* TRUE for the modules of this header. */
gboolean  tl_module_is_product     (const TlModule   *module);
gboolean  tl_cu_target_from_module (TlCuTarget       *target,
                                    const TlModule   *module,
                                    TlDiags          *diags);
/* What the attributes tile.knobs and, after G2, the operations say; names are the module's. */
gboolean  tl_cu_knobs_from_module  (TlCuKnobs        *knobs,
                                    const TlModule   *module,
                                    TlDiags          *diags);

/* Layouts of both operands, chosen together: what G3 places. */
typedef struct
{
  guint       split;                              /* gemm-plan.h */
  gboolean    placed[TL_N_GEMM_OPERANDS];         /* FALSE: row by row */
  TlPlacement placement[TL_N_GEMM_OPERANDS];
  guint64     conflicts[TL_N_GEMM_OPERANDS];      /* of one tile alone, in order */
  guint64     coverage[TL_N_GEMM_OPERANDS];       /* domains that it touches */
  guint64     requests, conflict;                 /* of the sample of the whole product, in order */
} TlCuLayouts;

/* Requests counted to rank ways to share the domains. */
#define TL_CU_SAMPLE (1u << 16)

/* What a module after G2 leaves open, best guess first: ways to share the domains that tie with the best in
 * conflicts, and for each the maps of the tiles that tie with PLAN's in conflicts and domains. When a tile has
 * no layout that is PLAN's to choose there is one. @most: at most so many. NULL with diagnostics when the
 * operands do not fit. Returns: (transfer full) GArray of TlCuLayouts */
GArray   *tl_cu_candidates         (const TlModule   *module,
                                    guint             most,
                                    GCancellable     *cancellable, /* may be NULL */
                                    TlDiags          *diags);
/* What the module asks for with every operand that PLAN would choose a layout for left row by row. FALSE with
 * diagnostics when that cannot be bound. */
gboolean  tl_cu_unplanned          (const TlModule   *module,
                                    TlCuLayouts      *layouts,
                                    TlDiags          *diags);

/* G1's last step for a product. (transfer full) */
TlModule *tl_product_module        (const TlRecurrence *recurrence,
                                    const TlAst        *ast,
                                    const GArray       *facts,
                                    const TlCuKnobs    *knobs,
                                    const TlTarget     *target);
/* One group each, on the module in place. */
gboolean  tl_product_tile          (TlModule          *module,
                                    TlDiags           *diags);
/* @fallback: PLAN's choice was slower than no layout and was given up. */
gboolean  tl_product_place         (TlModule          *module,
                                    const TlCuLayouts *layouts,
                                    gboolean           fallback,
                                    TlDiags           *diags);
gboolean  tl_product_load          (TlModule          *module,
                                    TlDiags           *diags);

/* Binds the layouts that a module after G3 has; both packed operands are the shape's own (shape->packed), both row
 * by row need no placing: *placing is NULL then. FALSE with diagnostics. */
gboolean  tl_cu_bind               (const TlCuLayouts *layouts,
                                    const TlCuKnobs   *knobs,
                                    TlAddressMap      *map,
                                    TlGemmShape       *shape,
                                    TlGemmPlacing    **placing,
                                    TlDiags           *diags);
/* What a module after G3 says. */
gboolean  tl_cu_layouts_from_module (TlCuLayouts      *layouts,
                                     const TlModule   *module,
                                     TlDiags          *diags);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TlCuTarget, tl_cu_target_clear)
