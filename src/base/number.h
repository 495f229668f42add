/* Numbers for people: the one place that formats with units, and checked
 * arithmetic for counts. All text is in the C locale. */
#pragma once

#include <glib.h>

/* 8192 -> "8 KiB", 1080000 -> "1,054.7 KiB"; binary units, at most one decimal. (transfer full) */
char    *tl_format_bytes    (guint64 bytes);
/* Picoseconds with the unit that reads best: "12.5 ns", "1.054 ms". (transfer full) */
char    *tl_format_ps       (guint64 ps);
/* Digits grouped by three: "16,777,216". (transfer full) */
char    *tl_format_count    (guint64 count);
/* "12.5 %" of a fraction, @decimals after the point. (transfer full) */
char    *tl_format_percent  (double fraction,
                             int    decimals);

/* Parses a time with its unit ("2.29 ns", "4.77ns", "1us", "15 ps") exactly into
 * integer picoseconds. FALSE (and @reason, transfer full, if not NULL) when it is
 * no number, has no known unit, is negative, finer than 1 ps or too large. */
gboolean tl_parse_ps        (const char *text,
                             guint64    *ps,
                             char      **reason);
/* Parses a size ("768 KiB", "32GiB", "8192 bits", "128 B") into bytes. */
gboolean tl_parse_bytes     (const char *text,
                             guint64    *bytes,
                             char      **reason);

/* FALSE on overflow, *result then unset. */
static inline gboolean
tl_mul_u64 (guint64 a, guint64 b, guint64 *result)
{
  return !__builtin_mul_overflow (a, b, result);
}

static inline gboolean
tl_add_u64 (guint64 a, guint64 b, guint64 *result)
{
  return !__builtin_add_overflow (a, b, result);
}

static inline guint64
tl_ceil_div (guint64 a, guint64 b)
{
  return a / b + (a % b != 0);
}

/* Bits that tell @many things apart: the least b with 2^b >= many. */
static inline guint
tl_bits_for (guint64 many)
{
  return many <= 1 ? 0 : 64 - (guint) __builtin_clzll (many - 1);
}

/* Greatest common divisor; that of 0 and n is n. */
static inline guint64
tl_gcd_u64 (guint64 a, guint64 b)
{
  while (b != 0)
    {
      guint64 rest = a % b;
      a = b;
      b = rest;
    }
  return a;
}

/* Largest r with r * r <= n. */
guint64  tl_isqrt           (guint64 n);
