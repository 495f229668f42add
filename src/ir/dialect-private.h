/* Shared by the rules of the dialects. */
#pragma once

#include "ir/ir-private.h"
#include "ir/schedule.h"

/* An attribute: required from pass group @from on (0: always, 9: never), its kind, and
 * for integers the range. */
typedef struct
{
  const char *name;
  TlAttrKind  kind;
  int         from;
  gint64      low;
  gint64      high;
} TlAttrRule;

typedef struct
{
  const char *name;
  const char *parent; /* operation that must hold it */
  guint       least;  /* operands */
  guint       most;
  guint       results;
  guint       regions;
  guint       arguments;  /* of each region's block */
  const char *terminator; /* of each region, or NULL */
  TlAttrRule  attrs[24];
  gboolean (*check) (TlVerifier *verifier, const TlOp *op);
} TlOpRule;

/* Rules of a product's module (dialect-tile.c); they go before those of the same name. */
const TlOpRule *tl_ir_tile_rules (guint *n_rules);
/* Is it the module of a product on a compute unit? */
gboolean    tl_ir_is_product   (const TlVerifier *verifier);
/* How many operations of a product each group leaves. */
gboolean    tl_ir_check_product_module (TlVerifier *verifier);

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
