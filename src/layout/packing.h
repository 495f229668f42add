/* Dense packing: elements of any width side by side in a string of bits. Bit k (0 is the
 * lowest) of element i of b bits is bit i*b + k. In memory, bit a is bit a mod 8 of byte
 * a div 8; in registers, bit a mod 32 of word a div 32. */
#pragma once

#include <glib.h>

/* @bits (1..64) from bit @at of bytes; bytes that hold none of them are not touched. */
guint64 tl_bits_get        (const guint8 *bytes,
                            guint64       at,
                            guint         bits);
/* Writes the low @bits of @value; the other bits of the bytes stay. */
void    tl_bits_put        (guint8       *bytes,
                            guint64       at,
                            guint         bits,
                            guint64       value);

/* Where else elements might lie in registers; only the dense one makes every View free. */
typedef enum
{
  TL_PACKING_DENSE,
  TL_PACKING_WHOLE_IN_WORD, /* as many whole elements as fit a 32-bit word */
  TL_PACKING_BYTE_EACH,     /* an element a byte */
  TL_PACKING_WORD_EACH,     /* an element a 32-bit word */
} TlPacking;

/* The place, in bits from the first word, of bit @bit of element @element of @bits bits. */
guint64 tl_packing_place   (TlPacking     packing,
                            guint         bits,
                            guint64       element,
                            guint         bit);
