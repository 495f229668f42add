/* Semirings as values: carriers, evaluation of operators, equality. */
#include "ir/semiring.h"

#include <float.h>
#include <math.h>
#include <string.h>

gboolean
tl_carrier_is_float (const TlCarrier *carrier)
{
  return tl_element_type_is_float (carrier->element);
}

/* Largest finite value of a float type. Types of up to 8 bits use every exponent
 * for numbers but f8e5m2 (IEEE) and f8e4m3 (one NaN code). */
static double
float_high (TlElementType type)
{
  int    bias = (1 << (type.exponent - 1)) - 1;
  int    top = (1 << type.exponent) - 1 - bias;
  double fraction = 2 - ldexp (1, -type.mantissa);

  if (type.bits == 64)
    return DBL_MAX;
  if (type.bits > 8 || (type.bits == 8 && type.exponent == 5))
    top--;
  else if (type.bits == 8 && type.exponent == 4)
    fraction -= ldexp (1, -type.mantissa);
  return ldexp (fraction, top);
}

TlCarrier
tl_carrier_full (TlElementType element)
{
  TlCarrier carrier = { .element = element };

  if (tl_element_type_is_float (element))
    {
      carrier.high.r = float_high (element);
      carrier.low.r = -carrier.high.r;
    }
  else
    {
      carrier.low.i = MAX (tl_element_type_min (element), -TL_INF + 1);
      carrier.high.i = MIN (tl_element_type_max (element), TL_INF - 1);
    }
  return carrier;
}

int
tl_scalar_compare (const TlCarrier *carrier, TlScalar a, TlScalar b)
{
  if (tl_carrier_is_float (carrier))
    return (a.r > b.r) - (a.r < b.r);
  return (a.i > b.i) - (a.i < b.i);
}

gboolean
tl_scalar_equal (const TlCarrier *carrier, TlScalar a, TlScalar b)
{
  return tl_carrier_is_float (carrier) ? a.r == b.r : a.i == b.i;
}

gboolean
tl_carrier_contains (const TlCarrier *carrier, TlScalar value)
{
  if (tl_carrier_is_float (carrier))
    {
      if (isinf (value.r))
        return value.r > 0 ? carrier->has_inf : carrier->has_minus_inf;
      return value.r >= carrier->low.r && value.r <= carrier->high.r;
    }
  if (value.i == TL_INF)
    return carrier->has_inf;
  if (value.i <= -TL_INF)
    return carrier->has_minus_inf && value.i == -TL_INF;
  return value.i >= carrier->low.i && value.i <= carrier->high.i;
}

static gboolean
carrier_equal (const TlCarrier *a, const TlCarrier *b)
{
  return tl_element_type_equal (a->element, b->element) && a->has_inf == b->has_inf
         && a->has_minus_inf == b->has_minus_inf && tl_scalar_equal (a, a->low, b->low)
         && tl_scalar_equal (a, a->high, b->high);
}

/* --- Integers with infinities: TL_INF and -TL_INF --- */

static gboolean
is_inf (gint64 a)
{
  return a == TL_INF || a <= -TL_INF;
}

static gint64
negate_integer (gint64 a)
{
  return a == TL_INF ? -TL_INF : a <= -TL_INF ? TL_INF : -a;
}

/* Brings a wide result back; what does not fit is an infinity. */
static gint64
narrow (__int128 a)
{
  return a >= TL_INF ? TL_INF : a <= -TL_INF ? -TL_INF : (gint64) a;
}

static gint64
add_integers (const TlCarrier *carrier, gint64 a, gint64 b)
{
  if (is_inf (a) && is_inf (b) && a != b)
    return carrier->has_inf ? TL_INF : -TL_INF;
  if (is_inf (a))
    return a;
  if (is_inf (b))
    return b;
  return narrow ((__int128) a + b);
}

static gint64
multiply_integers (gint64 a, gint64 b)
{
  if (a == 0 || b == 0)
    return 0;
  if (is_inf (a) || is_inf (b))
    return (a > 0) == (b > 0) ? TL_INF : -TL_INF;
  return narrow ((__int128) a * b);
}

static gint64
divide_integers (gint64 a, gint64 b)
{
  if (b == 0)
    return TL_INF;
  if (is_inf (b))
    return 0;
  if (is_inf (a))
    return (a > 0) == (b > 0) ? TL_INF : -TL_INF;
  gint64 quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

static gint64
modulo_integers (gint64 a, gint64 b)
{
  if (b == 0 || is_inf (a))
    return 0;
  if (is_inf (b))
    return a;
  gint64 rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

/* --- Reals --- */

static double
add_reals (const TlCarrier *carrier, double a, double b)
{
  if (isinf (a) && isinf (b) && a != b)
    return carrier->has_inf ? INFINITY : -INFINITY;
  return a + b;
}

static double
multiply_reals (double a, double b)
{
  return a == 0 || b == 0 ? 0 : a * b;
}

static double
divide_reals (double a, double b)
{
  if (b == 0)
    return INFINITY;
  return isinf (b) ? 0 : a / b;
}

static double
modulo_reals (double a, double b)
{
  if (b == 0 || isinf (a))
    return 0;
  return isinf (b) ? a : a - b * floor (a / b);
}

/* --- Operators --- */

static TlScalar
from_gboolean (gboolean real, gboolean value)
{
  return real ? (TlScalar) { .r = value ? 1 : 0 } : (TlScalar) { .i = value ? 1 : 0 };
}

static gboolean
truth (gboolean real, TlScalar a)
{
  return real ? a.r != 0 : a.i != 0;
}

static TlScalar
apply_two (TlStepKind kind, const TlCarrier *carrier, TlScalar a, TlScalar b)
{
  gboolean real = tl_carrier_is_float (carrier);
  int      order = tl_scalar_compare (carrier, a, b);

  switch (kind)
    {
    case TL_STEP_ADD:
      return real ? (TlScalar) { .r = add_reals (carrier, a.r, b.r) }
                  : (TlScalar) { .i = add_integers (carrier, a.i, b.i) };
    case TL_STEP_SUBTRACT:
      return real ? (TlScalar) { .r = add_reals (carrier, a.r, -b.r) }
                  : (TlScalar) { .i = add_integers (carrier, a.i, negate_integer (b.i)) };
    case TL_STEP_MULTIPLY:
      return real ? (TlScalar) { .r = multiply_reals (a.r, b.r) } : (TlScalar) { .i = multiply_integers (a.i, b.i) };
    case TL_STEP_DIVIDE:
      return real ? (TlScalar) { .r = divide_reals (a.r, b.r) } : (TlScalar) { .i = divide_integers (a.i, b.i) };
    case TL_STEP_FLOOR_DIVIDE:
      return real ? (TlScalar) { .r = floor (divide_reals (a.r, b.r)) }
                  : (TlScalar) { .i = divide_integers (a.i, b.i) };
    case TL_STEP_MODULO:
      return real ? (TlScalar) { .r = modulo_reals (a.r, b.r) } : (TlScalar) { .i = modulo_integers (a.i, b.i) };
    case TL_STEP_MIN:
      return order <= 0 ? a : b;
    case TL_STEP_MAX:
      return order >= 0 ? a : b;
    case TL_STEP_AND:
      return from_gboolean (real, truth (real, a) && truth (real, b));
    case TL_STEP_OR:
      return from_gboolean (real, truth (real, a) || truth (real, b));
    case TL_STEP_XOR:
      return from_gboolean (real, truth (real, a) != truth (real, b));
    case TL_STEP_LESS:
      return from_gboolean (real, order < 0);
    case TL_STEP_LESS_EQUAL:
      return from_gboolean (real, order <= 0);
    case TL_STEP_EQUAL:
      return from_gboolean (real, order == 0);
    case TL_STEP_NOT_EQUAL:
      return from_gboolean (real, order != 0);
    default:
      g_assert_not_reached ();
    }
}

/* How many values a step takes from the stack. */
static guint
step_arity (TlStepKind kind)
{
  switch (kind)
    {
    case TL_STEP_A:
    case TL_STEP_B:
    case TL_STEP_CONSTANT:
      return 0;
    case TL_STEP_NEGATE:
    case TL_STEP_NOT:
      return 1;
    case TL_STEP_SELECT:
      return 3;
    default:
      return 2;
    }
}

static TlScalar
evaluate_steps (const TlOperator *op, const TlCarrier *carrier, TlScalar a, TlScalar b)
{
  gboolean             real = tl_carrier_is_float (carrier);
  TlScalar             fixed[64];
  g_autofree TlScalar *heap = op->n_steps > G_N_ELEMENTS (fixed) ? g_new (TlScalar, op->n_steps) : NULL;
  TlScalar            *stack = heap ? heap : fixed;
  guint                depth = 0;

  for (guint s = 0; s < op->n_steps; s++)
    {
      const TlStep *step = &op->steps[s];
      guint         arity = step_arity (step->kind);

      g_return_val_if_fail (depth >= arity, a);
      depth -= arity;
      switch (step->kind)
        {
        case TL_STEP_A:
          stack[depth++] = a;
          break;
        case TL_STEP_B:
          stack[depth++] = b;
          break;
        case TL_STEP_CONSTANT:
          stack[depth++] = step->value;
          break;
        case TL_STEP_NEGATE:
          stack[depth]
              = real ? (TlScalar) { .r = -stack[depth].r } : (TlScalar) { .i = negate_integer (stack[depth].i) };
          depth++;
          break;
        case TL_STEP_NOT:
          stack[depth] = from_gboolean (real, !truth (real, stack[depth]));
          depth++;
          break;
        case TL_STEP_SELECT:
          stack[depth] = truth (real, stack[depth]) ? stack[depth + 1] : stack[depth + 2];
          depth++;
          break;
        default:
          stack[depth] = apply_two (step->kind, carrier, stack[depth], stack[depth + 1]);
          depth++;
        }
    }
  g_return_val_if_fail (depth == 1, a);
  return stack[0];
}

TlScalar
tl_operator_raw (const TlOperator *op, const TlCarrier *carrier, TlScalar a, TlScalar b)
{
  switch (op->kind)
    {
    case TL_OPERATOR_MIN:
      return apply_two (TL_STEP_MIN, carrier, a, b);
    case TL_OPERATOR_MAX:
      return apply_two (TL_STEP_MAX, carrier, a, b);
    case TL_OPERATOR_ADD:
      return apply_two (TL_STEP_ADD, carrier, a, b);
    case TL_OPERATOR_MUL:
      return apply_two (TL_STEP_MULTIPLY, carrier, a, b);
    case TL_OPERATOR_OR:
      return apply_two (TL_STEP_OR, carrier, a, b);
    case TL_OPERATOR_AND:
      return apply_two (TL_STEP_AND, carrier, a, b);
    case TL_OPERATOR_XOR:
      return apply_two (TL_STEP_XOR, carrier, a, b);
    case TL_OPERATOR_EXPRESSION:
      return evaluate_steps (op, carrier, a, b);
    case TL_OPERATOR_TABLE:
      {
        gboolean real = tl_carrier_is_float (carrier);
        double   row = real ? a.r : (double) a.i;
        double   column = real ? b.r : (double) b.i;

        g_return_val_if_fail (row >= 0 && row < op->size && column >= 0 && column < op->size, carrier->low);
        guint8 cell = op->table[(guint32) row * op->size + (guint32) column];
        return real ? (TlScalar) { .r = cell } : (TlScalar) { .i = cell };
      }
    }
  g_assert_not_reached ();
}

/* Nearest value of the float type, ties to even; range not considered. */
static double
round_real (TlElementType type, double value)
{
  int exponent;

  if (type.bits == 64 || value == 0 || !isfinite (value))
    return value;
  frexp (value, &exponent);
  int least = 2 - (1 << (type.exponent - 1));
  int quantum = MAX (exponent - 1, least) - type.mantissa;
  return ldexp (nearbyint (ldexp (value, -quantum)), quantum);
}

TlScalar
tl_carrier_bring (const TlCarrier *carrier, TlScalar value, int *left)
{
  gboolean real = tl_carrier_is_float (carrier), above, below;

  if (real)
    value.r = round_real (carrier->element, value.r);
  above = real ? value.r > carrier->high.r : value.i > carrier->high.i;
  below = real ? value.r < carrier->low.r : value.i < carrier->low.i;
  if (left != NULL)
    *left = above - below;
  if (above && carrier->has_inf)
    return real ? (TlScalar) { .r = INFINITY } : (TlScalar) { .i = TL_INF };
  if (below && carrier->has_minus_inf)
    return real ? (TlScalar) { .r = -INFINITY } : (TlScalar) { .i = -TL_INF };
  return above ? carrier->high : below ? carrier->low : value;
}

TlScalar
tl_operator_evaluate (const TlOperator *op, const TlCarrier *carrier, TlScalar a, TlScalar b)
{
  return tl_carrier_bring (carrier, tl_operator_raw (op, carrier, a, b), NULL);
}

TlOperator
tl_operator_copy (const TlOperator *op)
{
  TlOperator copy = *op;

  copy.table = op->table ? g_memdup2 (op->table, (gsize) op->size * op->size) : NULL;
  copy.steps = op->steps ? g_memdup2 (op->steps, sizeof (TlStep) * op->n_steps) : NULL;
  return copy;
}

void
tl_operator_clear (TlOperator *op)
{
  g_clear_pointer (&op->table, g_free);
  g_clear_pointer (&op->steps, g_free);
  op->size = 0;
  op->n_steps = 0;
}

gboolean
tl_operator_equal (const TlOperator *a, const TlOperator *b, const TlCarrier *carrier)
{
  if (a->kind != b->kind)
    return FALSE;
  if (a->kind == TL_OPERATOR_TABLE)
    return a->size == b->size && memcmp (a->table, b->table, (gsize) a->size * a->size) == 0;
  if (a->kind != TL_OPERATOR_EXPRESSION)
    return TRUE;
  if (a->n_steps != b->n_steps)
    return FALSE;
  for (guint s = 0; s < a->n_steps; s++)
    if (a->steps[s].kind != b->steps[s].kind
        || (a->steps[s].kind == TL_STEP_CONSTANT && !tl_scalar_equal (carrier, a->steps[s].value, b->steps[s].value)))
      return FALSE;
  return TRUE;
}

/* --- What is known of an operator --- */

#define MAX_TRIED 64

/* Whether @wanted holds for all pairs of a small carrier. */
static gboolean
holds_for_all (const TlOperator *op, const TlCarrier *carrier,
               gboolean (*wanted) (const TlOperator *op, const TlCarrier *carrier, TlScalar a, TlScalar b))
{
  TlScalar values[MAX_TRIED + 2];
  guint    n = 0;

  if (op->kind != TL_OPERATOR_TABLE
      && (tl_carrier_is_float (carrier) || (guint64) carrier->high.i - (guint64) carrier->low.i >= MAX_TRIED))
    return FALSE;
  if (op->kind == TL_OPERATOR_TABLE)
    {
      for (guint a = 0; a < op->size; a++)
        for (guint b = 0; b < op->size; b++)
          if (!wanted (op, carrier, (TlScalar) { .i = a }, (TlScalar) { .i = b }))
            return FALSE;
      return TRUE;
    }
  for (gint64 i = carrier->low.i; i <= carrier->high.i; i++)
    values[n++].i = i;
  if (carrier->has_inf)
    values[n++].i = TL_INF;
  if (carrier->has_minus_inf)
    values[n++].i = -TL_INF;
  for (guint a = 0; a < n; a++)
    for (guint b = 0; b < n; b++)
      if (!wanted (op, carrier, values[a], values[b]))
        return FALSE;
  return TRUE;
}

static gboolean
commutes_at (const TlOperator *op, const TlCarrier *carrier, TlScalar a, TlScalar b)
{
  return tl_scalar_equal (carrier, tl_operator_raw (op, carrier, a, b), tl_operator_raw (op, carrier, b, a));
}

static gboolean
selects_at (const TlOperator *op, const TlCarrier *carrier, TlScalar a, TlScalar b)
{
  TlScalar value = tl_operator_raw (op, carrier, a, b);

  return tl_scalar_equal (carrier, value, a) || tl_scalar_equal (carrier, value, b);
}

gboolean
tl_operator_commutes (const TlOperator *op, const TlCarrier *carrier)
{
  return op->kind < TL_OPERATOR_EXPRESSION || holds_for_all (op, carrier, commutes_at);
}

gboolean
tl_operator_selects (const TlOperator *op, const TlCarrier *carrier)
{
  if (op->kind < TL_OPERATOR_EXPRESSION)
    return op->kind == TL_OPERATOR_MIN || op->kind == TL_OPERATOR_MAX || op->kind == TL_OPERATOR_OR
           || op->kind == TL_OPERATOR_AND;
  return holds_for_all (op, carrier, selects_at);
}

TlSemiring *
tl_semiring_copy (const TlSemiring *semiring)
{
  TlSemiring *copy = g_new (TlSemiring, 1);

  *copy = *semiring;
  copy->plus = tl_operator_copy (&semiring->plus);
  copy->times = tl_operator_copy (&semiring->times);
  return copy;
}

void
tl_semiring_free (TlSemiring *semiring)
{
  if (semiring == NULL)
    return;
  tl_operator_clear (&semiring->plus);
  tl_operator_clear (&semiring->times);
  g_free (semiring);
}

gboolean
tl_semiring_equal (const TlSemiring *a, const TlSemiring *b)
{
  return carrier_equal (&a->carrier, &b->carrier) && tl_operator_equal (&a->plus, &b->plus, &a->carrier)
         && tl_operator_equal (&a->times, &b->times, &a->carrier) && tl_scalar_equal (&a->carrier, a->zero, b->zero)
         && tl_scalar_equal (&a->carrier, a->one, b->one);
}
