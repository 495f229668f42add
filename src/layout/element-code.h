/* Codes and values of element types: what each bit pattern means, exactly, and which
 * pattern a value becomes. Integers are two's complement (i1 is 0 and -1). Floats are
 * sign, exponent, mantissa with bias 2^(exponent-1) - 1 and subnormals; below 8 bits
 * no code is an infinity or a NaN; f8e4m3 has NaN (all ones) only; f8e5m2 and wider
 * types have both. */
#pragma once

#include "layout/element-type.h"

/* Whether a double holds every value of @type: all but i64 and u64. */
gboolean tl_element_type_exact      (TlElementType type);
/* The value of the low bits of @code; higher bits do not matter. For exact types. */
double   tl_element_decode          (TlElementType type,
                                     guint64       code);
/* Nearest value, ties to the even code, beyond the range the nearest finite code; the
 * sign of zero is kept. An infinity stays one in types of 16 bits and more and is cut
 * to the range below. FALSE for NaN into a type of up to 8 bits or an integer. */
gboolean tl_element_encode          (TlElementType type,
                                     double        value,
                                     guint64      *code);
/* As arithmetic rounds: beyond the range an infinity where @type has one (f8e5m2 has),
 * NaN where it has one, 0 for NaN elsewhere. Integers as tl_element_encode. */
guint64  tl_element_round           (TlElementType type,
                                     double        value);
/* Least finite value, greatest finite value, and smallest above zero. For exact types. */
double   tl_element_type_lowest     (TlElementType type);
double   tl_element_type_greatest   (TlElementType type);
double   tl_element_type_smallest   (TlElementType type);
/* FALSE when there is a code of @type whose value @wide cannot hold; its value is then
 * in *value (may be NULL). @type has at most 16 bits. */
gboolean tl_element_type_fits       (TlElementType type,
                                     TlElementType wide,
                                     double       *value);
