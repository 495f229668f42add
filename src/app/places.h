/* Where a diagnostic is in a program text. Without a display. */
#pragma once

#include "base/diag.h"

/* The bytes of @source that @diag is about: its span, else (it came back from a module
 * with a line and a column alone) the token there. Empty at {0,0} when its place is
 * not in this text. */
TlSpan tl_place_span (TlSource     *source,
                      const TlDiag *diag);
/* Whether it has a place in this text. */
gboolean tl_place_is_in (const TlSource *source,
                         const TlDiag   *diag);
