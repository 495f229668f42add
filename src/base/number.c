/* Formatting and parsing of quantities. Decimal input is handled as digits, so
 * that 2.29 ns is 2290 ps and never 2289. */
#include "base/number.h"

#include "base/diag.h"

#include <math.h>
#include <string.h>

char *
tl_format_count (guint64 count)
{
  char     digits[24];
  int      length = g_snprintf (digits, sizeof digits, "%" G_GUINT64_FORMAT, count);
  GString *text = g_string_new (NULL);

  for (int i = 0; i < length; i++)
    {
      if (i > 0 && (length - i) % 3 == 0)
        g_string_append_c (text, ',');
      g_string_append_c (text, digits[i]);
    }
  return g_string_free (text, FALSE);
}

/* @value scaled by 10^-@decimals, trailing zeros dropped, whole part grouped. */
static char *
format_scaled (guint64 value, int decimals)
{
  guint64 scale = 1;

  for (int i = 0; i < decimals; i++)
    scale *= 10;
  g_autofree char *whole = tl_format_count (value / scale);
  guint64          rest = value % scale;
  if (rest == 0)
    return g_steal_pointer (&whole);
  g_autofree char *fraction = g_strdup_printf ("%0*" G_GUINT64_FORMAT, decimals, rest);
  for (gsize end = strlen (fraction); end > 0 && fraction[end - 1] == '0'; end--)
    fraction[end - 1] = '\0';
  return g_strdup_printf ("%s.%s", whole, fraction);
}

char *
tl_format_bytes (guint64 bytes)
{
  static const char *const units[] = { "bytes", "KiB", "MiB", "GiB", "TiB", "PiB" };
  guint                    unit = 0;

  while (unit + 1 < G_N_ELEMENTS (units) && bytes >> (10 * (unit + 1)) != 0)
    unit++;
  guint64          size = G_GUINT64_CONSTANT (1) << (10 * unit);
  guint64          tenths = bytes / size * 10 + (bytes % size * 10 + size / 2) / size;
  g_autofree char *number = format_scaled (tenths, 1);
  return g_strdup_printf ("%s %s", number, units[unit]);
}

char *
tl_format_ps (guint64 ps)
{
  static const struct
  {
    const char *name;
    guint64     ps;
  } units[] = {
    { "s", G_GUINT64_CONSTANT (1000000000000) },
    { "ms", G_GUINT64_CONSTANT (1000000000) },
    { "us", 1000000 },
    { "ns", 1000 },
    { "ps", 1 },
  };
  guint unit = 0;

  while (unit + 1 < G_N_ELEMENTS (units) && ps < units[unit].ps)
    unit++;
  guint64          size = units[unit].ps;
  guint64          thousandths = ps / size * 1000 + (size >= 1000 ? (ps % size) / (size / 1000) : 0);
  g_autofree char *number = format_scaled (thousandths, 3);
  return g_strdup_printf ("%s %s", number, units[unit].name);
}

char *
tl_format_percent (double fraction, int decimals)
{
  char format[16], digits[64];

  g_snprintf (format, sizeof format, "%%.%df", CLAMP (decimals, 0, 9));
  g_ascii_formatd (digits, sizeof digits, format, fraction * 100.0);
  return g_strdup_printf ("%s %%", digits);
}

typedef struct
{
  const char *name;
  guint64     factor; /* in eighths of the base unit, so that bits are whole */
} Unit;

/* Value times unit, exact: the decimal digits are folded into an integer and the
 * product must be whole in the base unit. Factors are in 1/8 of the base unit so
 * that bits are whole. */
static gboolean
parse_quantity (const char *text, const Unit *units, const char *known, guint64 *result, char **reason)
{
  const char *at = text;
  guint64     digits = 0, scale = 1;
  gboolean    any = FALSE, point = FALSE;

  while (g_ascii_isspace (*at))
    at++;
  if (*at == '-')
    return tl_refuse (reason, "\"%s\" is negative", text);
  for (; g_ascii_isdigit (*at) || (*at == '.' && !point) || (*at == '_' && any); at++)
    {
      if (*at == '.')
        point = TRUE;
      if (!g_ascii_isdigit (*at))
        continue;
      any = TRUE;
      if (!tl_mul_u64 (digits, 10, &digits) || !tl_add_u64 (digits, *at - '0', &digits)
          || (point && !tl_mul_u64 (scale, 10, &scale)))
        return tl_refuse (reason, "\"%s\" has too many digits", text);
    }
  if (!any)
    return tl_refuse (reason, "\"%s\" is not a number", text);
  while (g_ascii_isspace (*at))
    at++;
  g_autofree char *unit = g_strchomp (g_strdup (at));
  for (; units->name != NULL; units++)
    if (strcmp (units->name, unit) == 0)
      {
        unsigned __int128 product = (unsigned __int128) digits * units->factor;
        unsigned __int128 divisor = (unsigned __int128) scale * 8;
        if (product % divisor != 0)
          return tl_refuse (reason, "\"%s\" is not a whole number of the smallest unit", text);
        if (product / divisor > G_MAXINT64)
          return tl_refuse (reason, "\"%s\" is too large", text);
        *result = product / divisor;
        return TRUE;
      }
  if (unit[0] == '\0')
    return tl_refuse (reason, "\"%s\" has no unit (one of %s)", text, known);
  return tl_refuse (reason, "\"%s\" is not a unit known here (one of %s)", unit, known);
}

gboolean
tl_parse_ps (const char *text, guint64 *ps, char **reason)
{
  static const Unit units[] = {
    { "ps", 8 },
    { "ns", 8000 },
    { "us", 8000000 },
    { "ms", G_GUINT64_CONSTANT (8000000000) },
    { "s", G_GUINT64_CONSTANT (8000000000000) },
    { NULL, 0 },
  };
  return parse_quantity (text, units, "ps, ns, us, ms, s", ps, reason);
}

gboolean
tl_parse_bytes (const char *text, guint64 *bytes, char **reason)
{
  static const Unit units[] = {
    { "bits", 1 },
    { "bit", 1 },
    { "B", 8 },
    { "bytes", 8 },
    { "KiB", 8 << 10 },
    { "MiB", 8 << 20 },
    { "GiB", G_GUINT64_CONSTANT (8) << 30 },
    { "TiB", G_GUINT64_CONSTANT (8) << 40 },
    { "Kbit", 1 << 10 },
    { "Mbit", 1 << 20 },
    { "Gbit", G_GUINT64_CONSTANT (1) << 30 },
    { NULL, 0 },
  };
  return parse_quantity (text, units, "bits, B, KiB, MiB, GiB, TiB", bytes, reason);
}

guint64
tl_isqrt (guint64 n)
{
  guint64 root = (guint64) sqrt ((double) n);

  while (root > 0 && (unsigned __int128) root * root > n)
    root--;
  while ((unsigned __int128) (root + 1) * (root + 1) <= n)
    root++;
  return root;
}
