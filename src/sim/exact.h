/* Values of grids and trellises as they would be without an end of their type, so that one
 * which does not fit is seen and never clamped in silence: language.md, Values. Whole numbers
 * under built-in operators are calculated in 64 bits and brought onto the carrier once a cell
 * is done; all others step by step. */
#pragma once

#include "ir/semiring.h"

typedef struct
{
  TlScalar value;
  int      left; /* 1 or -1: it passed the greatest or the least number there is; 0: it holds */
} TlExact;

/* A value of the carrier. */
static inline TlExact
tl_exact (TlScalar value)
{
  return (TlExact) { value, 0 };
}

/* Is it no value at all? A zero that is a number, as that of (+, x), is one. */
static inline gboolean
tl_exact_is_absent (const TlSemiring *semiring, TlScalar value)
{
  const TlScalar zero = semiring->zero;
  gboolean       infinite = tl_carrier_is_float (&semiring->carrier) ? zero.r - zero.r != 0 : ABS (zero.i) == TL_INF;

  return infinite && tl_scalar_equal (&semiring->carrier, value, zero);
}

/* @a (x) @b, @b on the carrier. Infinities are no numbers that leave. */
TlExact  tl_exact_times (const TlSemiring *semiring,
                         TlExact           a,
                         TlScalar          b);
/* @a (+) @b; *@second (may be NULL): not @a was taken. */
TlExact  tl_exact_plus  (const TlSemiring *semiring,
                         TlExact           a,
                         TlExact           b,
                         gboolean         *second);
/* The value on the carrier; *@left: 1 or -1 where the true one is none of it. */
TlScalar tl_exact_bring (const TlSemiring *semiring,
                         TlExact           a,
                         int              *left);
