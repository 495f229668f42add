/* The known semirings of language.md, "Values". */
#include "ir/semiring.h"

#include <math.h>

static TlScalar
truth_value (gboolean real, gboolean value)
{
  return real ? (TlScalar) { .r = value ? 1 : 0 } : (TlScalar) { .i = value ? 1 : 0 };
}

/* What a known pair needs of its carrier, zero and one. */
typedef enum
{
  ZERO,
  ONE,
  INF,
  MINUS_INF
} Special;
typedef enum
{
  ALL,
  NOT_NEGATIVE,
  LOGICAL
} Range;

static const struct
{
  TlOperatorKind plus, times;
  Range          range;
  Special        zero, one;
} known[] = {
  { TL_OPERATOR_MIN, TL_OPERATOR_ADD, ALL, INF, ZERO },
  { TL_OPERATOR_MAX, TL_OPERATOR_ADD, ALL, MINUS_INF, ZERO },
  { TL_OPERATOR_MAX, TL_OPERATOR_MIN, NOT_NEGATIVE, ZERO, INF },
  { TL_OPERATOR_MIN, TL_OPERATOR_MAX, NOT_NEGATIVE, INF, ZERO },
  { TL_OPERATOR_ADD, TL_OPERATOR_MUL, ALL, ZERO, ONE },
  { TL_OPERATOR_OR, TL_OPERATOR_AND, LOGICAL, ZERO, ONE },
  { TL_OPERATOR_AND, TL_OPERATOR_OR, LOGICAL, ONE, ZERO },
  { TL_OPERATOR_XOR, TL_OPERATOR_AND, LOGICAL, ZERO, ONE },
};

static TlScalar
special (TlCarrier *carrier, Special kind)
{
  gboolean real = tl_carrier_is_float (carrier);

  switch (kind)
    {
    case INF:
      carrier->has_inf = TRUE;
      return real ? (TlScalar) { .r = INFINITY } : (TlScalar) { .i = TL_INF };
    case MINUS_INF:
      carrier->has_minus_inf = TRUE;
      return real ? (TlScalar) { .r = -INFINITY } : (TlScalar) { .i = -TL_INF };
    default:
      return truth_value (real, kind == ONE);
    }
}

TlSemiring *
tl_semiring_known (TlOperatorKind plus, TlOperatorKind times, TlElementType element)
{
  gboolean logical = element.kind == TL_ELEMENT_BOOL;

  if (logical)
    {
      plus = plus == TL_OPERATOR_MIN ? TL_OPERATOR_AND : plus == TL_OPERATOR_MAX ? TL_OPERATOR_OR : plus;
      times = times == TL_OPERATOR_MIN ? TL_OPERATOR_AND : times == TL_OPERATOR_MAX ? TL_OPERATOR_OR : times;
    }
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    {
      if (known[i].plus != plus || known[i].times != times)
        continue;
      TlSemiring semiring
          = { .carrier = tl_carrier_full (element), .plus = { .kind = plus }, .times = { .kind = times } };
      TlCarrier *carrier = &semiring.carrier;
      gboolean   real = tl_carrier_is_float (carrier);

      if ((logical && known[i].range != LOGICAL) || (real && known[i].range == LOGICAL)
          || (known[i].zero == MINUS_INF && element.kind == TL_ELEMENT_UINT))
        return NULL;
      if (known[i].range == LOGICAL && carrier->high.i >= 1)
        carrier->high.i = 1;
      if (known[i].range != ALL)
        carrier->low = truth_value (real, FALSE);
      semiring.zero = special (carrier, known[i].zero);
      semiring.one = special (carrier, known[i].one);
      if (!tl_carrier_contains (carrier, semiring.zero) || !tl_carrier_contains (carrier, semiring.one))
        return NULL;
      return tl_semiring_copy (&semiring);
    }
  return NULL;
}
