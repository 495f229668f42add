/* Element types of 1 to 64 bits: their names, widths and ranges. */
#pragma once

#include <glib.h>

typedef enum
{
  TL_ELEMENT_UINT,
  TL_ELEMENT_INT,
  TL_ELEMENT_FLOAT, /* small floats, f16, bf16, f32, f64 */
  TL_ELEMENT_BOOL,
} TlElementKind;

/* A value type; compare with tl_element_type_equal. bits is 0 for "no type". */
typedef struct
{
  TlElementKind kind;
  guint8        bits;     /* 1..64; bool is 1 */
  guint8        exponent; /* floats: exponent bits */
  guint8        mantissa; /* floats: mantissa bits, without the hidden one */
} TlElementType;

/* Accepts u1..u8, i1..i8, i16, i32, i64, u16, u32, u64, f16, bf16, f32, f64,
 * bool, f3e1m1 .. f8e5m2 (bits = 1 + exponent + mantissa) and the long spelling
 * float6_e3m2. FALSE when @name is none of them. */
gboolean     tl_element_type_parse    (const char    *name,
                                       TlElementType *type);
/* The short spelling. (transfer full) */
char        *tl_element_type_name     (TlElementType type);
gboolean     tl_element_type_equal    (TlElementType a,
                                       TlElementType b);
/* Bytes of one element stored apart, a power of two: 1 for 1..8 bits. */
guint        tl_element_type_bytes    (TlElementType type);
/* Least and greatest value of an integer or bool type; the top of u64 is cut to
 * G_MAXINT64. Not for floats. */
gint64       tl_element_type_min      (TlElementType type);
gint64       tl_element_type_max      (TlElementType type);
/* The next wider type of its kind, bits = 0 when there is none: i8 -> i16. */
TlElementType tl_element_type_next    (TlElementType type);

static inline gboolean
tl_element_type_is_float (TlElementType type)
{
  return type.kind == TL_ELEMENT_FLOAT;
}
