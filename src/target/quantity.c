/* Values of target files and of --set: numbers with their units, lists and the two
 * relative forms of a tier's time. Decimals are folded as digits, so that 2.29 ns is
 * 2290 ps and never 2289. */
#include <string.h>

#include "base/number.h"
#include "target/target-private.h"

static gboolean
fail (char **reason, char *text)
{
  g_free (*reason);
  *reason = text;
  return FALSE;
}

void
tl_fact_clear (TlFact *fact)
{
  g_free (fact->text);
  g_free (fact->origin);
  g_free (fact->file);
  memset (fact, 0, sizeof *fact);
}

/* "8", "1_000", "2^13". */
static gboolean
parse_count (const char *text, guint64 *count, char **reason)
{
  guint64     value = 0;
  gboolean    any = FALSE;
  const char *at = text;

  if (*at == '-')
    return fail (reason, g_strdup_printf ("\"%s\" is negative", text));
  for (; g_ascii_isdigit (*at) || (*at == '_' && any); at++)
    if (*at != '_')
      {
        any = TRUE;
        if (!tl_mul_u64 (value, 10, &value) || !tl_add_u64 (value, *at - '0', &value))
          return fail (reason, g_strdup_printf ("\"%s\" is too large", text));
      }
  if (any && value == 2 && *at == '^' && g_ascii_isdigit (at[1]))
    {
      guint64 power = 0;
      for (at++; g_ascii_isdigit (*at) && power < 100; at++)
        power = power * 10 + (*at - '0');
      if (power > 62)
        return fail (reason, g_strdup_printf ("\"%s\" is too large", text));
      value = G_GUINT64_CONSTANT (1) << power;
    }
  if (!any || *at != '\0')
    return fail (reason, g_strdup_printf ("\"%s\" is not a whole number", text));
  *count = value;
  return TRUE;
}

/* Splits "1.0895 ns" into digits (10895), decimals (4) and the unit. */
static gboolean
split_decimal (const char *text, guint64 *digits, guint *decimals, char **unit, char **reason)
{
  const char *at = text;
  gboolean    any = FALSE, point = FALSE;

  *digits = 0;
  *decimals = 0;
  for (; g_ascii_isdigit (*at) || (*at == '.' && !point) || (*at == '_' && any); at++)
    {
      point |= *at == '.';
      if (!g_ascii_isdigit (*at))
        continue;
      any = TRUE;
      *decimals += point;
      if (*decimals > 12 || !tl_mul_u64 (*digits, 10, digits) || !tl_add_u64 (*digits, *at - '0', digits))
        return fail (reason, g_strdup_printf ("\"%s\" has too many digits", text));
    }
  if (!any)
    return fail (reason, g_strdup_printf (*text == '-' ? "\"%s\" is negative" : "\"%s\" is not a number", text));
  *unit = g_strstrip (g_strdup (at));
  return TRUE;
}

static guint64
power_of_ten (guint n)
{
  guint64 power = 1;

  while (n-- > 0)
    power *= 10;
  return power;
}

/* digits / 10^decimals * factor, which must be whole. */
static gboolean
scale (const char *text, guint64 digits, guint decimals, guint64 factor, guint64 *value, char **reason)
{
  unsigned __int128 product = (unsigned __int128) digits * factor;
  guint64           divisor = power_of_ten (decimals);

  if (product % divisor != 0)
    return fail (reason, g_strdup_printf ("\"%s\" is finer than can be kept", text));
  if (product / divisor > G_MAXINT64)
    return fail (reason, g_strdup_printf ("\"%s\" is too large", text));
  *value = product / divisor;
  return TRUE;
}

typedef struct
{
  const char *name;
  guint64     factor;
} Unit;

static gboolean
parse_unit (const char *text, const Unit *units, const char *known, guint64 *value, char **reason)
{
  g_autofree char *unit = NULL;
  guint64          digits;
  guint            decimals;

  if (!split_decimal (text, &digits, &decimals, &unit, reason))
    return FALSE;
  for (; units->name != NULL; units++)
    if (strcmp (units->name, unit) == 0)
      return scale (text, digits, decimals, units->factor, value, reason);
  if (*unit == '\0')
    return fail (reason, g_strdup_printf ("\"%s\" has no unit (%s)", text, known));
  return fail (reason, g_strdup_printf ("\"%s\" is not a unit that is known here (%s)", unit, known));
}

static gboolean
parse_time (const char *text, TlQuantity *quantity, char **reason)
{
  static const Unit units[] = {
    { "cycles", 1 },
    { "cycle", 1 },
    { "ps", 1 },
    { "ns", 1000 },
    { "us", 1000000 },
    { "ms", 1000000000 },
    { "s", G_GUINT64_CONSTANT (1000000000000) },
    { NULL, 0 },
  };

  quantity->cycles = g_str_has_suffix (text, "cycles") || g_str_has_suffix (text, "cycle");
  return parse_unit (text, units, "ps, ns, us, ms, s or cycles", &quantity->value, reason);
}

/* A frequency or a period, as a period in ps. */
static gboolean
parse_clock (const char *text, guint64 *period, char **reason)
{
  static const Unit units[] = {
    { "Hz", 1 }, { "kHz", 1000 }, { "MHz", 1000000 }, { "GHz", 1000000000 }, { NULL, 0 },
  };
  guint64 hertz;

  if (!g_str_has_suffix (text, "Hz"))
    {
      TlQuantity quantity = { 0 };
      if (!parse_time (text, &quantity, reason) || quantity.cycles)
        return fail (reason, g_strdup_printf ("\"%s\" is neither a frequency nor a period (1 GHz, 1 ns)", text));
      *period = quantity.value;
      return TRUE;
    }
  if (!parse_unit (text, units, "Hz, kHz, MHz, GHz", &hertz, reason))
    return FALSE;
  guint64 second = power_of_ten (12);
  if (hertz == 0 || second % hertz != 0)
    return fail (reason, g_strdup_printf ("\"%s\" has a period that is not a whole number of ps%s", text,
                                          hertz == 0 ? "" : "; give the period instead"));
  *period = second / hertz;
  return TRUE;
}

static gboolean
parse_choice (const char *text, const TlKey *key, guint64 *index, char **reason)
{
  g_auto (GStrv) words = g_strsplit (key->choices, " ", -1);

  for (guint i = 0; words[i] != NULL; i++)
    if (strcmp (words[i], text) == 0)
      {
        *index = i;
        return TRUE;
      }
  g_autofree char *list = g_strjoinv (", ", words);
  return fail (reason, g_strdup_printf ("\"%s\" is not one of %s", text, list));
}

static gboolean
parse_fs (const char *text, guint64 *fs, char **reason)
{
  static const Unit units[] = { { "fs", 1 }, { "ps", 1000 }, { "ns", 1000000 }, { "us", 1000000000 }, { NULL, 0 } };

  return parse_unit (text, units, "ps, ns or us", fs, reason);
}

/* "a + b a tier": @text up to the "+" and what follows, the unit words dropped. */
static gboolean
parse_stepped (TlFact *fact, const char *text, char **reason)
{
  g_auto (GStrv) parts = g_strsplit (text, "+", 2);
  g_autofree char *first = g_strstrip (g_strdup (parts[0] != NULL ? parts[0] : ""));

  if (parts[0] != NULL && parts[1] != NULL)
    {
      g_autofree char *step = g_strstrip (g_strdup (parts[1]));
      gsize            length = strlen (step);
      if (g_str_has_suffix (step, " a tier"))
        step[length - strlen (" a tier")] = '\0';
      else if (g_str_has_suffix (step, " per tier"))
        step[length - strlen (" per tier")] = '\0';
      else
        return fail (reason, g_strdup_printf ("\"%s\" is no time: after + comes TIME a tier", text));
      if (!parse_time (step, &fact->step, reason))
        return FALSE;
      fact->has_step = TRUE;
    }
  return parse_time (first, &fact->list[0], reason);
}

static gboolean
parse_tier_time (TlFact *fact, const TlKey *key, gboolean one_tier, const char *text, char **reason)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);
  guint n = g_strv_length (parts);

  if (one_tier)
    {
      fact->n = 1;
      return parse_time (text, &fact->list[0], reason);
    }
  if (n > TL_MAX_TIERS)
    return fail (reason, g_strdup_printf ("%u times for at most %d tiers", n, TL_MAX_TIERS));
  fact->n = MAX (n, 1);
  if (n <= 1)
    {
      const char *at = text;
      if (g_str_has_prefix (at, "tRCD") && strcmp (key->name, "tRCD") != 0)
        {
          fact->above_trcd = TRUE;
          for (at += strlen ("tRCD"); *at == ' '; at++)
            ;
          if (*at != '+')
            return fail (reason, g_strdup_printf ("\"%s\" is no time: after tRCD comes + TIME", text));
          for (at++; *at == ' '; at++)
            ;
        }
      return parse_stepped (fact, at, reason);
    }
  for (guint i = 0; i < n; i++)
    {
      g_strstrip (parts[i]);
      if (!parse_time (parts[i], &fact->list[i], reason))
        return FALSE;
    }
  return TRUE;
}

static gboolean
parse_curve (TlFact *fact, const char *text, char **reason)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);

  if (g_strv_length (parts) != 3)
    return fail (reason, g_strdup_printf ("\"%s\" is not three times a, b, c", text));
  for (guint i = 0; i < 3; i++)
    {
      g_strstrip (parts[i]);
      if (!parse_fs (parts[i], &fact->list[i].value, reason))
        return FALSE;
    }
  fact->n = 3;
  return TRUE;
}

static char *
fold_blanks (const char *text)
{
  GString *folded = g_string_new (NULL);

  for (; *text != '\0'; text++)
    if (!g_ascii_isspace (*text))
      g_string_append_c (folded, *text);
    else if (folded->len > 0 && folded->str[folded->len - 1] != ' ')
      g_string_append_c (folded, ' ');
  if (folded->len > 0 && folded->str[folded->len - 1] == ' ')
    g_string_truncate (folded, folded->len - 1);
  return g_string_free (folded, FALSE);
}

static gboolean
in_range (const TlKey *key, guint64 value, char **reason)
{
  if (value >= key->min && value <= key->max)
    return TRUE;
  g_autofree char *least = NULL, *most = NULL;
  switch (key->kind)
    {
    case TL_KEY_COUNT:
      least = tl_format_count (key->min);
      most = tl_format_count (key->max);
      break;
    case TL_KEY_SIZE:
      least = tl_quantity_size (key->min);
      most = tl_quantity_size (key->max);
      break;
    case TL_KEY_ENERGY:
    case TL_KEY_BIT_ENERGY:
      least = tl_quantity_energy (key->min, FALSE);
      most = tl_quantity_energy (key->max, FALSE);
      break;
    default:
      least = tl_quantity_time (key->min);
      most = tl_quantity_time (key->max);
      break;
    }
  return fail (reason, g_strdup_printf ("it must lie in %s .. %s", least, most));
}

gboolean
tl_fact_parse (TlFact *fact, const TlKey *key, gboolean one_tier, const char *text, char **reason)
{
  static const Unit energies[] = { { "fJ", 1 }, { "pJ", 1000 }, { "nJ", 1000000 }, { NULL, 0 } };
  static const Unit bit_energies[] = { { "fJ/bit", 1 }, { "pJ/bit", 1000 }, { NULL, 0 } };
  gboolean          good = FALSE;

  g_clear_pointer (reason, g_free);
  if (!g_utf8_validate (text, -1, NULL))
    return fail (reason, g_strdup ("it is not UTF-8"));
  if (strlen (text) > 65536)
    return fail (reason, g_strdup ("it is longer than 64 KiB"));
  fact->text = key->kind == TL_KEY_MAP ? g_strstrip (g_strdup (text)) : fold_blanks (text);
  if (*fact->text == '\0')
    return fail (reason, g_strdup ("it is empty"));
  fact->n = 1;
  switch (key->kind)
    {
    case TL_KEY_COUNT:
      good = parse_count (fact->text, &fact->list[0].value, reason);
      break;
    case TL_KEY_TIME:
      good = parse_time (fact->text, &fact->list[0], reason);
      break;
    case TL_KEY_TIER_TIME:
      good = parse_tier_time (fact, key, one_tier, fact->text, reason);
      break;
    case TL_KEY_CURVE:
      return parse_curve (fact, fact->text, reason);
    case TL_KEY_CLOCK:
      good = parse_clock (fact->text, &fact->list[0].value, reason);
      break;
    case TL_KEY_SIZE:
      good = tl_parse_bytes (fact->text, &fact->list[0].value, reason);
      break;
    case TL_KEY_ENERGY:
      good = parse_unit (fact->text, energies, "fJ, pJ or nJ", &fact->list[0].value, reason);
      break;
    case TL_KEY_BIT_ENERGY:
      good = parse_unit (fact->text, bit_energies, "fJ/bit or pJ/bit", &fact->list[0].value, reason);
      break;
    case TL_KEY_CHOICE:
      return parse_choice (fact->text, key, &fact->list[0].value, reason);
    case TL_KEY_MAP:
      return TRUE;
    }
  if (!good)
    return FALSE;
  for (guint i = 0; i < fact->n; i++)
    if (!fact->list[i].cycles && !in_range (key, fact->list[i].value, reason))
      return FALSE;
  return TRUE;
}

/* @value / 10^@decimals, trailing zeros dropped. */
static char *
decimal (guint64 value, guint decimals, const char *unit)
{
  guint64  divisor = power_of_ten (decimals);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%" G_GUINT64_FORMAT, value / divisor);
  if (value % divisor != 0)
    {
      g_string_append_printf (text, ".%0*" G_GUINT64_FORMAT, (int) decimals, value % divisor);
      while (text->str[text->len - 1] == '0')
        g_string_truncate (text, text->len - 1);
    }
  g_string_append (text, unit);
  return g_string_free (text, FALSE);
}

char *
tl_quantity_time (guint64 ps)
{
  return decimal (ps, 3, " ns");
}

char *
tl_quantity_size (guint64 bytes)
{
  static const char *const units[] = { " B", " KiB", " MiB", " GiB", " TiB" };
  guint                    unit = 0;

  while (bytes != 0 && bytes % 1024 == 0 && unit + 1 < G_N_ELEMENTS (units))
    {
      bytes /= 1024;
      unit++;
    }
  return g_strdup_printf ("%" G_GUINT64_FORMAT "%s", bytes, units[unit]);
}

char *
tl_quantity_energy (guint64 fj, gboolean per_bit)
{
  return decimal (fj, 3, per_bit ? " pJ/bit" : " pJ");
}
