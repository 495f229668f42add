/* Weights of the cosets of a quotient, by number: what the search for a kernel spends its time with, eight at a time
 * where the machine can. Each has a plain twin of the same result. */
#pragma once

#include <glib.h>

/* What a coset with a forbidden vector weighs, and whatever else is below LOWEST: a sum of others
 * has at most 2^27 of either sign (2^20 accesses, transforms summed over a complement of 2^7). */
#define TL_COSET_FORBIDDEN (-(1 << 30))
#define TL_COSET_LOWEST    (-(1 << 29))

/* Whether this machine has the wider instructions. */
gboolean tl_coset_wide       (void);

/* The quotient of @size cosets by one more, @vector: out[i] = the sum of the two that become one, of which that
 * without the highest bit of @vector keeps its number, less that bit; at least FORBIDDEN. Returns the heaviest.
 * @size is a power of two of at least 2, 0 < @vector < @size; @out has half of it. */
gint32   tl_coset_fold       (gboolean      wide,
                              const gint32 *in,
                              guint32       size,
                              guint32       vector,
                              gint32       *out);

/* Cosets but 0 of at least @threshold as keys, in no order that matters. Returns how many. */
guint32  tl_coset_list       (gboolean      wide,
                              const gint32 *weight,
                              guint32       size,
                              gint32        threshold,
                              guint64      *keys);

/* Sorts keys by falling weight, then rising number. */
void     tl_coset_sort       (guint64      *keys,
                              guint32       n);

/* Weights of either sign and numbers below 2^16 as keys that rise with the weight. */
static inline guint64
tl_coset_key (gint32 weight, guint32 number)
{
  return (guint64) ((gint64) weight - TL_COSET_FORBIDDEN) << 16 | (guint16) ~number;
}

static inline gint32
tl_coset_key_weight (guint64 key)
{
  return (gint32) ((gint64) (key >> 16) + TL_COSET_FORBIDDEN);
}

static inline guint32
tl_coset_key_number (guint64 key)
{
  return (guint16) ~key;
}
