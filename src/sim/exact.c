/* Values that say when they do not fit their type. */
#include "sim/exact.h"

#include <math.h>

static gboolean
is_infinite (const TlCarrier *carrier, TlScalar value)
{
  return tl_carrier_is_float (carrier) ? isinf (value.r) : value.i == TL_INF || value.i == -TL_INF;
}

static int
sign_of (const TlCarrier *carrier, TlScalar value)
{
  return tl_carrier_is_float (carrier) ? (value.r > 0) - (value.r < 0) : (value.i > 0) - (value.i < 0);
}

/* Whether intermediate values may leave the carrier and come back. */
static gboolean
is_wide (const TlOperator *op, const TlCarrier *carrier)
{
  return op->kind < TL_OPERATOR_EXPRESSION && !tl_carrier_is_float (carrier);
}

static TlExact
apply (const TlOperator *op, const TlCarrier *carrier, TlExact a, TlScalar b)
{
  gboolean finite = !is_infinite (carrier, a.value) && !is_infinite (carrier, b);
  TlExact  result = { tl_operator_raw (op, carrier, a.value, b), a.left };
  int      left = 0;

  if (is_wide (op, carrier))
    {
      if (finite && is_infinite (carrier, result.value))
        result.left = sign_of (carrier, result.value);
      return result;
    }
  result.value = tl_carrier_bring (carrier, result.value, &left);
  if (finite && left != 0)
    result.left = left;
  return result;
}

TlExact
tl_exact_times (const TlSemiring *semiring, TlExact a, TlScalar b)
{
  return apply (&semiring->times, &semiring->carrier, a, b);
}

TlExact
tl_exact_plus (const TlSemiring *semiring, TlExact a, TlExact b, gboolean *second)
{
  const TlCarrier *carrier = &semiring->carrier;
  TlOperatorKind   kind = semiring->plus.kind;

  if (kind == TL_OPERATOR_MIN || kind == TL_OPERATOR_MAX)
    {
      /* A number that left is one still: it counts before an absent value that looks the same. */
      int      order = tl_scalar_compare (carrier, b.value, a.value);
      gboolean better = order == 0 ? b.left != 0 && a.left == 0 : (order > 0) == (kind == TL_OPERATOR_MAX);

      if (second != NULL)
        *second = better;
      return better ? b : a;
    }
  TlExact sum = apply (&semiring->plus, carrier, a, b.value);
  sum.left = sum.left != 0 ? sum.left : b.left;
  if (second != NULL)
    *second = !tl_scalar_equal (carrier, sum.value, a.value);
  return sum;
}

TlScalar
tl_exact_bring (const TlSemiring *semiring, TlExact a, int *left)
{
  int      passed = 0;
  TlScalar value = tl_carrier_bring (&semiring->carrier, a.value, &passed);

  *left = a.left != 0 || is_infinite (&semiring->carrier, a.value) ? a.left : passed;
  return value;
}
