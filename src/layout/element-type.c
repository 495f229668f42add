/* Names and ranges of element types. */
#include "layout/element-type.h"

#include <string.h>

static const struct
{
  const char   *name;
  TlElementType type;
} named[] = {
  { "bool", { TL_ELEMENT_BOOL, 1, 0, 0 } },    { "f16", { TL_ELEMENT_FLOAT, 16, 5, 10 } },
  { "bf16", { TL_ELEMENT_FLOAT, 16, 8, 7 } },  { "f32", { TL_ELEMENT_FLOAT, 32, 8, 23 } },
  { "f64", { TL_ELEMENT_FLOAT, 64, 11, 52 } },
};

/* Reads decimal digits without a leading zero; 0 when there are none. */
static guint
read_number (const char **at)
{
  guint number = 0;

  if (**at == '0')
    return 0;
  while (g_ascii_isdigit (**at) && number < 1000)
    number = number * 10 + (guint) (*(*at)++ - '0');
  return number;
}

static gboolean
parse_small_float (const char *at, TlElementType *type)
{
  gboolean long_form = g_str_has_prefix (at, "float");

  at += long_form ? 5 : 1;
  guint bits = read_number (&at);
  if (long_form && *at++ != '_')
    return FALSE;
  if (*at++ != 'e')
    return FALSE;
  guint exponent = read_number (&at);
  if (*at++ != 'm')
    return FALSE;
  guint mantissa = read_number (&at);
  if (*at != '\0' || bits < 3 || bits > 8 || exponent < 1 || exponent > 5 || mantissa < 1
      || bits != 1 + exponent + mantissa)
    return FALSE;
  *type = (TlElementType) { TL_ELEMENT_FLOAT, bits, exponent, mantissa };
  return TRUE;
}

gboolean
tl_element_type_parse (const char *name, TlElementType *type)
{
  for (guint i = 0; i < G_N_ELEMENTS (named); i++)
    if (strcmp (name, named[i].name) == 0)
      {
        *type = named[i].type;
        return TRUE;
      }
  if (name[0] == 'f')
    return parse_small_float (name, type);
  if (name[0] != 'u' && name[0] != 'i')
    return FALSE;
  const char *at = name + 1;
  guint       bits = read_number (&at);
  if (*at != '\0' || bits == 0 || !(bits <= 8 || bits == 16 || bits == 32 || bits == 64))
    return FALSE;
  *type = (TlElementType) { name[0] == 'u' ? TL_ELEMENT_UINT : TL_ELEMENT_INT, bits, 0, 0 };
  return TRUE;
}

char *
tl_element_type_name (TlElementType type)
{
  for (guint i = 0; i < G_N_ELEMENTS (named); i++)
    if (tl_element_type_equal (type, named[i].type))
      return g_strdup (named[i].name);
  if (type.kind == TL_ELEMENT_FLOAT)
    return g_strdup_printf ("f%ue%um%u", type.bits, type.exponent, type.mantissa);
  return g_strdup_printf ("%c%u", type.kind == TL_ELEMENT_UINT ? 'u' : 'i', type.bits);
}

gboolean
tl_element_type_equal (TlElementType a, TlElementType b)
{
  return a.kind == b.kind && a.bits == b.bits && a.exponent == b.exponent && a.mantissa == b.mantissa;
}

guint
tl_element_type_bytes (TlElementType type)
{
  guint bytes = 1;

  while (bytes * 8 < type.bits)
    bytes *= 2;
  return bytes;
}

gint64
tl_element_type_min (TlElementType type)
{
  g_return_val_if_fail (type.kind != TL_ELEMENT_FLOAT, 0);
  if (type.kind != TL_ELEMENT_INT)
    return 0;
  return type.bits == 64 ? G_MININT64 : -(G_GINT64_CONSTANT (1) << (type.bits - 1));
}

gint64
tl_element_type_max (TlElementType type)
{
  g_return_val_if_fail (type.kind != TL_ELEMENT_FLOAT, 0);
  guint value_bits = type.kind == TL_ELEMENT_INT ? type.bits - 1u : type.bits;
  return value_bits >= 63 ? G_MAXINT64 : (G_GINT64_CONSTANT (1) << value_bits) - 1;
}

TlElementType
tl_element_type_next (TlElementType type)
{
  const TlElementType none = { type.kind, 0, 0, 0 };

  switch (type.kind)
    {
    case TL_ELEMENT_BOOL:
      return none;
    case TL_ELEMENT_FLOAT:
      return type.bits < 32 ? named[3].type : type.bits == 32 ? named[4].type : none;
    default:
      if (type.bits == 64)
        return none;
      type.bits = type.bits < 8 ? 8 : type.bits * 2;
      return type;
    }
}
