/* Shared by the rules of the dialects. */
#pragma once

#include "ir/ir-private.h"
#include "ir/schedule.h"

/* The operation that holds @op, or NULL. */
const TlOp *tl_ir_parent       (const TlOp       *op);
/* NULL is nothing. */
gboolean    tl_ir_is           (const TlOp       *op,
                                const char       *name);
/* A machine number of gendram.target, 0 when it is not there. */
gint64      tl_ir_machine      (const TlVerifier *verifier,
                                const char       *key);
/* A knob's word, "" when it is not there. */
const char *tl_ir_knob         (const TlVerifier *verifier,
                                const char       *key);
/* "!gendram.NAME<memref<...>, first : i64, last : i64>" taken apart. */
gboolean    tl_ir_placed_type  (const char       *type,
                                const char       *name,
                                char            **memref,
                                gint64           *first,
                                gint64           *last);
/* -1 when @word is no phase. */
int         tl_ir_phase_number (const char       *word);
/* Is it a list of exactly @length integers? */
gboolean    tl_ir_integer_list (const TlAttr     *attr,
                                guint             length);

/* Parts of several rules. */
gboolean    tl_ir_check_semiring_use  (TlVerifier *verifier, const TlOp *op);
gboolean    tl_ir_check_dependences   (TlVerifier *verifier, const TlOp *op);
gboolean    tl_ir_check_lifetime      (TlVerifier *verifier, const TlOp *op);
/* The attribute shares: [[tier, bytes], ...], tiers rising, together the attribute bytes;
 * *first and *last of them. */
gboolean    tl_ir_check_shares        (TlVerifier *verifier, const TlOp *op, gint64 *first, gint64 *last);

/* One operation's rule each; shapes and attributes are right when they are called. */
gboolean    tl_ir_check_scalar_op     (TlVerifier *verifier, const TlOp *op);
gboolean    tl_ir_check_yield         (TlVerifier *verifier, const TlOp *op);
gboolean    tl_ir_check_semiring      (TlVerifier *verifier, const TlOp *op);
gboolean    tl_ir_check_data          (TlVerifier *verifier, const TlOp *op);
gboolean    tl_ir_check_grid_update   (TlVerifier *verifier, const TlOp *op);
/* A recurrence over constant distances (dialect-grid.c): whole, and in wavefronts. */
gboolean    tl_ir_check_grid          (TlVerifier *verifier, const TlOp *op);
gboolean    tl_ir_check_wavefront     (TlVerifier *verifier, const TlOp *op);
gboolean    tl_ir_check_buffer        (TlVerifier *verifier, const TlOp *op);
gboolean    tl_ir_check_blocked_update (TlVerifier *verifier, const TlOp *op);
gboolean    tl_ir_check_phase         (TlVerifier *verifier, const TlOp *op);
gboolean    tl_ir_check_tile          (TlVerifier *verifier, const TlOp *op);
gboolean    tl_ir_check_place         (TlVerifier *verifier, const TlOp *op);
gboolean    tl_ir_check_reserve       (TlVerifier *verifier, const TlOp *op);
gboolean    tl_ir_check_copy          (TlVerifier *verifier, const TlOp *op);
gboolean    tl_ir_check_broadcast     (TlVerifier *verifier, const TlOp *op);
gboolean    tl_ir_check_barrier       (TlVerifier *verifier, const TlOp *op);
/* Recurrences in wavefronts, mapped (dialect-pipeline.c). */
gboolean    tl_ir_check_object        (TlVerifier *verifier, const TlOp *op);
gboolean    tl_ir_check_queue         (TlVerifier *verifier, const TlOp *op);
gboolean    tl_ir_check_search        (TlVerifier *verifier, const TlOp *op);
gboolean    tl_ir_check_sweep         (TlVerifier *verifier, const TlOp *op);
/* What a module of wavefronts as a whole must hold after its group. */
gboolean    tl_ir_check_waves         (TlVerifier *verifier);
