/* Matrices and semirings by name, for the suites of the closure. */
#pragma once

#include "sim/closure.h"
#include "support/support.h"

TlElementType   type_of       (const char       *name);
/* (transfer full) */
TlSemiring     *semiring_of   (TlOperatorKind    plus,
                               TlOperatorKind    times,
                               const char       *element);
gboolean        is_real       (const char       *element);
/* n x n, for values up to @magnitude. (transfer full) */
TlMatrix       *matrix_with   (const char       *element,
                               guint64           n,
                               guint64           magnitude);
/* For any value. (transfer full) */
TlMatrix       *matrix_of     (const char       *element,
                               guint64           n);
/* Ones on the diagonal, beside it low..high (of a real type sevenths of it) for one in three, else zeros.
 * (transfer full) */
TlMatrix       *random_matrix (const TlSemiring *semiring,
                               const char       *element,
                               guint             n,
                               gint64            low,
                               gint64            high,
                               guint64          *state);
TlClosureResult close_with    (TlMatrix         *matrix,
                               const TlSemiring *semiring,
                               guint             tile,
                               guint             threads,
                               gboolean          careful);
