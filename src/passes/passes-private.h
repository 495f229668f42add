/* Shared by the passes: what they read from a module, and where its parts come from. */
#pragma once

#include "passes/cu-module.h"
#include "passes/lint.h"
#include "passes/pipeline.h"

/* The part of @location that is called @name (fused or nested), else NULL. Updates carry
 * one for each access and operator, the module one for each knob the program sets. */
const TlLocation *tl_pass_place      (const TlLocation *location,
                                      const char       *name);
/* An operation's own places and, where the program sets it, the knob's. */
const TlLocation *tl_pass_with_knob  (TlModule         *module,
                                      const TlLocation *location,
                                      const char       *knob);
/* An error at the first place of @location. Returns: (transfer none) */
TlDiag           *tl_pass_error      (TlDiags          *diags,
                                      const TlLocation *location,
                                      const char       *code,
                                      const char       *format,
                                      ...) G_GNUC_PRINTF (4, 5);
/* FALSE with an error unless the module is after @group. */
gboolean          tl_pass_expect     (const TlModule   *module,
                                      TlGroup           group,
                                      TlDiags          *diags);
void              tl_pass_done       (TlModule         *module,
                                      TlGroup           group);
/* The blocked update's owner rule with its moves. NULL with an error. (transfer full) */
TlOwnerRule      *tl_pass_owner      (const TlOp       *blocked,
                                      guint32           pus,
                                      TlDiags          *diags);
/* Where a module's parts stand in @source; @name: what they are called there, or NULL. */
const TlLocation *tl_pass_span       (TlModule         *module,
                                      TlSource         *source,
                                      TlSpan            span,
                                      const char       *name);
/* A "dp.data" with its matrix. @source: its text; @facts: NULL when nothing is known. */
TlOp             *tl_pass_data_op    (TlModule          *module,
                                      const TlLocation  *location,
                                      const char        *name,
                                      TlElementType      element,
                                      const char        *source,
                                      const TlDataFacts *facts,
                                      guint64            rows,
                                      guint64            columns);
/* "dp.grid_update" of a closure or a product, yet without operands and result. */
TlOp             *tl_pass_update_op  (TlModule           *module,
                                      const TlRecurrence *recurrence,
                                      gboolean            cycle_check);
/* Where the module's data come from: TlDataSource * in the order of its "dp.data". (transfer full) */
GPtrArray        *tl_pass_data       (const TlModule   *module);
/* What is known of the data @name, among TlDataFacts (NULL: none), or NULL. */
const TlDataFacts *tl_pass_facts     (const GArray     *facts,
                                      const char       *name);
/* The op at the phase's @index-th place of that name, or NULL. */
TlOp             *tl_pass_inner      (const TlOp       *phase,
                                      const char       *name,
                                      guint             index);
/* G2 of a recurrence over constant distances: @update becomes "dp.wavefront_update". */
/* Side of a wavefront's tile: three of them in the scratchpad, a whole number of PE strips. */
guint32           tl_wave_largest_tile (const TlPimMachine *machine,
                                        guint32             bits);
gboolean          tl_g2_wave         (TlModule            *module,
                                      TlOp                *update,
                                      const TlPimKnobs    *knobs,
                                      const TlPimMachine  *machine,
                                      TlDiags             *diags);
/* G3 and G4 of wavefronts: who computes a tile, where objects lie, how deep the queue of a
 * stream is; then who looks up and sends, who receives, sweeps and hands edges on. */
gboolean          tl_g3_wave         (TlModule            *module,
                                      TlDiags             *diags);
gboolean          tl_g4_wave         (TlModule            *module,
                                      TlDiags             *diags);
/* tl_lint_owner, giving the diagnostic (transfer none) or NULL. */
TlDiag           *tl_pass_lint_owner (const TlOwnerLint *lint,
                                      const char       *rule_name,
                                      guint32           tiles,
                                      guint32           pus,
                                      TlBarriers        barriers,
                                      TlSource         *source,
                                      TlSpan            span,
                                      TlDiags          *diags);

/* --- products (cu-module.c) --- */

/* tile.knobs and tile.target. */
void      tl_product_set_knobs  (TlModule          *module,
                                 const TlCuKnobs   *knobs,
                                 const TlTarget    *target);
/* "domain", "row" and "column" of a layout. */
void      tl_product_add_masks  (TlModule          *module,
                                 const TlPlacement *placement,
                                 TlNamedAttr        items[3]);
/* Back; bits 0 when there are none. FALSE when they are no lists of masks. */
gboolean  tl_product_read_masks (const TlAttr      *dict,
                                 TlPlacement       *placement);
