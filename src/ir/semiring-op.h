/* A semiring as the operation dp.semiring, and back: two regions of scalar operations,
 * so that user-written operators and tables fit. DESIGN.md section 5. */
#pragma once

#include "ir/ir.h"
#include "ir/semiring.h"

/* Appends nothing: the operation is free. @symbol: its sym_name. Locations are those
 * of the tokens that the two operators hang on; may be NULL. */
TlOp       *tl_semiring_to_op     (TlModule         *module,
                                   const TlSemiring *semiring,
                                   const char       *symbol,
                                   const TlLocation *location,
                                   const TlLocation *plus,
                                   const TlLocation *times);
/* NULL, and @reason (transfer full, may be NULL), when the operation is not one that
 * tl_semiring_to_op writes. Returns: (transfer full) */
TlSemiring *tl_semiring_from_op   (const TlOp       *op,
                                   char            **reason);
/* MLIR's word for an element: i32, ui8, f16, bf16, i1 for bool; small floats are kept
 * in integers of their width. (transfer full) */
char       *tl_element_mlir_name  (TlElementType     type);
/* A carrier's value from 0 : i64, 0.5 : f64, #dp.inf or #dp.minus_inf. FALSE when the attribute is none of these or does
 * not suit the carrier. */
gboolean    tl_scalar_from_attr   (const TlCarrier  *carrier,
                                   const TlAttr     *attr,
                                   TlScalar         *value);
