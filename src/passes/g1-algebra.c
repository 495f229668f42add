/* What the algebra of the built-in operators proves on a carrier, so that common
 * semirings cost no search: chains (min, max), ordered sums and products, bits. */
#include "passes/g1-private.h"

#include <math.h>

/* A carrier seen as numbers, ends that are the element type's own being no ends:
 * language.md refuses data whose sums could pass them. */
typedef struct
{
  double   least; /* infinities included */
  double   greatest;
  double   low; /* finite; -INFINITY when there is no end */
  double   high;
  gboolean has_inf;
  gboolean has_minus_inf;
  gboolean bits; /* 0 and 1 only */
} Range;

static double
number (const TlCarrier *carrier, TlScalar value)
{
  if (tl_carrier_is_float (carrier))
    return value.r;
  return value.i == TL_INF ? INFINITY : value.i == -TL_INF ? -INFINITY : (double) value.i;
}

static Range
range_of (const TlCarrier *carrier)
{
  TlCarrier full = tl_carrier_full (carrier->element);
  Range     range = { .has_inf = carrier->has_inf, .has_minus_inf = carrier->has_minus_inf };
  double    low = number (carrier, carrier->low);
  double    high = number (carrier, carrier->high);

  range.bits = !tl_carrier_is_float (carrier) && !carrier->has_inf && !carrier->has_minus_inf && carrier->low.i == 0
               && carrier->high.i == 1;
  range.least = carrier->has_minus_inf ? -INFINITY : low;
  range.greatest = carrier->has_inf ? INFINITY : high;
  range.low
      = tl_scalar_equal (carrier, carrier->low, full.low) && carrier->element.kind != TL_ELEMENT_UINT ? -INFINITY : low;
  range.high = tl_scalar_equal (carrier, carrier->high, full.high) ? INFINITY : high;
  return range;
}

/* On bits or, max and and, min, * are the same; elsewhere logical operators and
 * user-written ones have no rules here (-1). */
static int
rule_kind (const TlOperator *op, const Range *range)
{
  switch (op->kind)
    {
    case TL_OPERATOR_OR:
      return range->bits ? TL_OPERATOR_MAX : -1;
    case TL_OPERATOR_AND:
      return range->bits ? TL_OPERATOR_MIN : -1;
    case TL_OPERATOR_XOR:
      return range->bits ? TL_OPERATOR_XOR : -1;
    case TL_OPERATOR_MUL:
      return range->bits ? TL_OPERATOR_MIN : TL_OPERATOR_MUL;
    case TL_OPERATOR_EXPRESSION:
    case TL_OPERATOR_TABLE:
      return -1;
    default:
      return op->kind;
    }
}

static gboolean
not_negative (const Range *range)
{
  return range->low >= 0 && !range->has_minus_inf;
}

/* Monotone in both arguments: then it distributes over min and max of a chain. */
static gboolean
monotone (int kind, const Range *range)
{
  return kind == TL_OPERATOR_MIN || kind == TL_OPERATOR_MAX || kind == TL_OPERATOR_ADD
         || (kind == TL_OPERATOR_MUL && not_negative (range));
}

static gboolean
distributes (int plus, int times, const Range *range)
{
  switch (plus)
    {
    case TL_OPERATOR_MIN:
    case TL_OPERATOR_MAX:
      return monotone (times, range);
    case TL_OPERATOR_ADD:
      return times == TL_OPERATOR_MUL && ((!range->has_inf && !range->has_minus_inf) || not_negative (range));
    case TL_OPERATOR_XOR:
      return times == TL_OPERATOR_MIN;
    default:
      return FALSE;
    }
}

/* a (+) (a (x) c) = a, with min: a (x) c never below a; with max: never above. */
static gboolean
absorbs (int plus, int times, const Range *range)
{
  if (plus == TL_OPERATOR_MIN)
    return times == TL_OPERATOR_MAX || (times == TL_OPERATOR_ADD && not_negative (range))
           || (times == TL_OPERATOR_MUL && range->low >= 1 && !range->has_minus_inf);
  if (plus == TL_OPERATOR_MAX)
    return times == TL_OPERATOR_MIN || (times == TL_OPERATOR_ADD && range->high <= 0 && !range->has_inf)
           || (times == TL_OPERATOR_MUL && not_negative (range) && range->high <= 1 && !range->has_inf);
  return FALSE;
}

static gboolean
closed (int kind, const Range *range)
{
  switch (kind)
    {
    case TL_OPERATOR_MIN:
    case TL_OPERATOR_MAX:
    case TL_OPERATOR_XOR:
      return TRUE;
    case TL_OPERATOR_ADD:
      return (range->low >= 0 || isinf (range->low)) && (range->high <= 0 || isinf (range->high));
    case TL_OPERATOR_MUL:
      /* Signs of infinities multiply too. */
      if ((range->has_minus_inf && !range->has_inf) || (range->has_inf && !range->has_minus_inf && range->low < 0))
        return FALSE;
      return (isinf (range->low) && isinf (range->high)) || (range->low >= 1 && isinf (range->high))
             || (range->low >= 0 && (range->high <= 1 || isinf (range->high)));
    default:
      return FALSE;
    }
}

static gboolean
is_neutral (int kind, double value, const Range *range)
{
  switch (kind)
    {
    case TL_OPERATOR_MIN:
      return value >= range->greatest;
    case TL_OPERATOR_MAX:
      return value <= range->least;
    case TL_OPERATOR_ADD:
    case TL_OPERATOR_XOR:
      return value == 0;
    case TL_OPERATOR_MUL:
      return value == 1;
    default:
      return FALSE;
    }
}

static gboolean
is_absorbing (int kind, double value, const Range *range)
{
  switch (kind)
    {
    case TL_OPERATOR_MIN:
      return value <= range->least;
    case TL_OPERATOR_MAX:
      return value >= range->greatest;
    case TL_OPERATOR_ADD:
      return value == INFINITY ? range->has_inf : value == -INFINITY && !range->has_inf;
    case TL_OPERATOR_MUL:
      return value == 0 || (value == INFINITY && range->has_inf && !range->has_minus_inf && range->low > 0);
    default:
      return FALSE;
    }
}

gboolean
tl_g1_algebra_proves (const TlSemiring *s, TlLaw law)
{
  Range range = range_of (&s->carrier);

  /* Sums of bits are none. */
  range.bits &= s->plus.kind != TL_OPERATOR_ADD && s->times.kind != TL_OPERATOR_ADD;
  int plus = rule_kind (&s->plus, &range);
  int times = rule_kind (&s->times, &range);

  switch (law)
    {
    case TL_LAW_PLUS_ASSOCIATIVE:
    case TL_LAW_PLUS_COMMUTATIVE:
      return plus >= 0;
    case TL_LAW_TIMES_ASSOCIATIVE:
      return times >= 0;
    case TL_LAW_DISTRIBUTES_LEFT:
    case TL_LAW_DISTRIBUTES_RIGHT:
      return plus >= 0 && times >= 0 && distributes (plus, times, &range);
    case TL_LAW_IDEMPOTENT:
      return plus == TL_OPERATOR_MIN || plus == TL_OPERATOR_MAX;
    case TL_LAW_ABSORPTIVE:
    case TL_LAW_ABSORPTIVE_LEFT:
      return plus >= 0 && times >= 0 && absorbs (plus, times, &range);
    case TL_LAW_CLOSED_PLUS:
      return closed (plus, &range);
    case TL_LAW_CLOSED_TIMES:
      return closed (times, &range);
    case TL_LAW_ZERO_NEUTRAL:
      return is_neutral (plus, number (&s->carrier, s->zero), &range);
    case TL_LAW_ZERO_ABSORBING:
    case TL_LAW_ZERO_ABSORBING_RIGHT:
      return is_absorbing (times, number (&s->carrier, s->zero), &range);
    case TL_LAW_ONE_NEUTRAL:
    case TL_LAW_ONE_NEUTRAL_RIGHT:
      return is_neutral (times, number (&s->carrier, s->one), &range);
    case TL_N_LAWS:
      break;
    }
  return FALSE;
}
