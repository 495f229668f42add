/* Decoding and encoding of element types, by integer arithmetic on the bits of a
 * double, so that every result is exact or rounded once. */
#include "layout/element-code.h"

#include <math.h>
#include <string.h>

enum
{
  DOUBLE_MANTISSA = 52,
  DOUBLE_BIAS = 1023,
};

static guint64
low_bits (guint n)
{
  return n >= 64 ? G_MAXUINT64 : (G_GUINT64_CONSTANT (1) << n) - 1;
}

static guint64
double_bits (double value)
{
  guint64 bits;

  memcpy (&bits, &value, sizeof bits);
  return bits;
}

static double
bits_double (guint64 bits)
{
  double value;

  memcpy (&value, &bits, sizeof value);
  return value;
}

static int
bias_of (TlElementType type)
{
  return (1 << (type.exponent - 1)) - 1;
}

static gboolean
has_infinity (TlElementType type)
{
  return type.bits > 8 || (type.bits == 8 && type.exponent == 5);
}

static gboolean
has_nan (TlElementType type)
{
  return has_infinity (type) || (type.bits == 8 && type.exponent == 4);
}

/* The greatest finite code without its sign. */
static guint64
greatest_code (TlElementType type)
{
  guint64 all = low_bits (type.bits - 1u);

  if (has_infinity (type))
    return all - (low_bits (type.mantissa) + 1);
  return has_nan (type) ? all - 1 : all;
}

gboolean
tl_element_type_exact (TlElementType type)
{
  return type.bits > 0 && (type.kind == TL_ELEMENT_FLOAT || type.bits < 64);
}

/* A float's value of a code without sign that is neither infinity nor NaN. */
static double
decode_finite (TlElementType type, guint64 code)
{
  guint64 fraction = code & low_bits (type.mantissa);
  int     exponent = (int) (code >> type.mantissa);

  if (exponent == 0)
    return ldexp ((double) fraction, 1 - bias_of (type) - type.mantissa);
  return ldexp ((double) (fraction + low_bits (type.mantissa) + 1), exponent - bias_of (type) - type.mantissa);
}

double
tl_element_decode (TlElementType type, guint64 code)
{
  g_return_val_if_fail (tl_element_type_exact (type), 0);
  code &= low_bits (type.bits);
  if (type.kind == TL_ELEMENT_INT)
    {
      guint64 sign = G_GUINT64_CONSTANT (1) << (type.bits - 1);
      return (double) ((gint64) (code & ~sign) - (gint64) (code & sign));
    }
  if (type.kind != TL_ELEMENT_FLOAT)
    return (double) code;
  if (type.bits == 64)
    return bits_double (code);

  guint64  magnitude = code & low_bits (type.bits - 1u);
  gboolean negative = magnitude != code;
  double   value;

  if (magnitude <= greatest_code (type))
    value = decode_finite (type, magnitude);
  else
    value = has_infinity (type) && (magnitude & low_bits (type.mantissa)) == 0 ? HUGE_VAL : (double) NAN;
  return negative ? -value : value;
}

/* The code, without sign, nearest to the finite @magnitude; may lie beyond the greatest. */
static guint64
nearest_code (TlElementType type, guint64 magnitude)
{
  int     exponent = (int) (magnitude >> DOUBLE_MANTISSA);
  guint64 fraction = magnitude & low_bits (DOUBLE_MANTISSA);

  if (exponent == 0)
    exponent = 1;
  else
    fraction |= low_bits (DOUBLE_MANTISSA) + 1;
  /* value = fraction * 2^(exponent - bias - 52); the unit of the target's last place is
   * 2^(place - its bias - its mantissa) with place its exponent field, at least 1. */
  int own = exponent - DOUBLE_BIAS + bias_of (type);
  int place = MAX (own, 1);
  int drop = DOUBLE_MANTISSA - type.mantissa + (place - own);

  if (drop > DOUBLE_MANTISSA + 1)
    return 0;
  guint64 kept = fraction >> drop;
  guint64 rest = fraction & low_bits ((guint) drop);
  guint64 half = drop > 0 ? G_GUINT64_CONSTANT (1) << (drop - 1) : 0;

  if (drop > 0 && (rest > half || (rest == half && (kept & 1))))
    kept++;
  /* The hidden bit of kept counts one up from the exponent field place - 1; a carry out
   * of the mantissa is the next exponent by itself. */
  return ((guint64) (place - 1) << type.mantissa) + kept;
}

static guint64
encode_integer (TlElementType type, double value)
{
  double lowest = tl_element_type_lowest (type), greatest = tl_element_type_greatest (type);

  /* Adding and taking off 2^52 rounds to nearest even whatever the library does. */
  if (fabs (value) < 4503599627370496.0)
    {
      volatile double shifted = fabs (value) + 4503599627370496.0;
      value = copysign (shifted - 4503599627370496.0, value);
    }
  value = CLAMP (value, lowest, greatest);
  return (guint64) (gint64) value & low_bits (type.bits);
}

/* @ieee: past the range lies infinity. */
static gboolean
encode (TlElementType type, double value, gboolean ieee, guint64 *code)
{
  g_return_val_if_fail (tl_element_type_exact (type), FALSE);
  gboolean nan = isnan (value) != 0;

  if (type.kind != TL_ELEMENT_FLOAT)
    {
      *code = nan ? 0 : encode_integer (type, value);
      return !nan;
    }
  guint64 bits = double_bits (value), magnitude = bits & low_bits (63);
  guint64 sign = bits >> 63 << (type.bits - 1), all = low_bits (type.bits - 1u);

  if (nan)
    {
      /* The quiet one: for a type with infinities the top bit of the mantissa. */
      *code = !has_nan (type)        ? 0
              : !has_infinity (type) ? all
                                     : all - low_bits (type.mantissa) + (G_GUINT64_CONSTANT (1) << (type.mantissa - 1));
      return ieee ? has_nan (type) : type.bits > 8;
    }
  if (type.bits == 64)
    {
      *code = bits;
      return TRUE;
    }
  guint64  greatest = greatest_code (type);
  gboolean infinite = isinf (value) != 0;
  guint64  own = infinite ? greatest + 1 : nearest_code (type, magnitude);
  if (own > greatest)
    own = has_infinity (type) && (ieee || (infinite && type.bits > 8)) ? greatest + 1 : greatest;
  *code = sign | own;
  return TRUE;
}

gboolean
tl_element_encode (TlElementType type, double value, guint64 *code)
{
  return encode (type, value, FALSE, code);
}

guint64
tl_element_round (TlElementType type, double value)
{
  guint64 code = 0;

  encode (type, value, TRUE, &code);
  return code;
}

double
tl_element_type_lowest (TlElementType type)
{
  if (type.kind != TL_ELEMENT_FLOAT)
    return (double) tl_element_type_min (type);
  return -tl_element_type_greatest (type);
}

double
tl_element_type_greatest (TlElementType type)
{
  if (type.kind != TL_ELEMENT_FLOAT)
    return (double) tl_element_type_max (type);
  return tl_element_decode (type, greatest_code (type));
}

double
tl_element_type_smallest (TlElementType type)
{
  if (type.kind == TL_ELEMENT_FLOAT)
    return tl_element_decode (type, 1);
  return 1;
}

gboolean
tl_element_type_fits (TlElementType type, TlElementType wide, double *value)
{
  g_return_val_if_fail (type.bits <= 16, FALSE);
  for (guint64 code = 0; code <= low_bits (type.bits); code++)
    {
      double  own = tl_element_decode (type, code);
      guint64 other = tl_element_round (wide, own);

      if (isnan (own) ? isnan (tl_element_decode (wide, other)) != 0 : tl_element_decode (wide, other) == own)
        continue;
      if (value != NULL)
        *value = own;
      return FALSE;
    }
  return TRUE;
}
