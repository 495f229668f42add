/* Predecessor-difference histograms. */
#include "place/histogram.h"

#include <string.h>

TlHistogram *
tl_histogram_new (guint bits)
{
  g_return_val_if_fail (bits >= 1 && bits <= TL_PLACE_MAX_BITS, NULL);
  TlHistogram *histogram = g_new0 (TlHistogram, 1);
  gsize        n = (gsize) 1 << bits;

  histogram->bits = bits;
  /* The upper half takes the first accesses, whose predecessor is the number 2^bits. */
  histogram->weight = g_new (guint32, 2 * n);
  histogram->domain_of = g_new (guint16, n);
  histogram->last = g_new (guint32, n);
  return histogram;
}

void
tl_histogram_free (TlHistogram *histogram)
{
  if (histogram == NULL)
    return;
  g_free (histogram->weight);
  g_free (histogram->domain_of);
  g_free (histogram->last);
  g_free (histogram);
}

/* Domain numbers of all units: linear, so each unit bit doubles the table. Returns the
 * number of domain numbers. */
static guint32
number_domains (TlHistogram *histogram, const guint16 *rows, guint n_rows)
{
  TlSubspace space = tl_subspace_span (rows, n_rows);

  histogram->domain_of[0] = 0;
  for (guint b = 0; b < histogram->bits; b++)
    {
      guint16  image = 0;
      guint32  n = 1u << b;
      guint16 *low = histogram->domain_of;
      guint16 *high = histogram->domain_of + n;

      for (guint i = 0; i < space.dim; i++)
        image |= (guint16) ((space.basis[i] >> b & 1) << i);
      for (guint32 u = 0; u < n; u++)
        high[u] = low[u] ^ image;
    }
  return 1u << space.dim;
}

void
tl_histogram_count (TlHistogram *histogram, const TlSequence *sequence, const guint16 *rows, guint n_rows)
{
  g_return_if_fail (sequence->bits == histogram->bits);
  guint32        n = 1u << histogram->bits;
  guint32        n_domains = number_domains (histogram, rows, n_rows);
  guint32       *weight = histogram->weight;
  guint32       *last = histogram->last;
  const guint16 *domain_of = histogram->domain_of;

  memset (weight, 0, n * sizeof *weight);
  for (guint32 i = 0; i < n_domains; i++)
    last[i] = n;
  for (guint32 i = 0; i < sequence->length; i++)
    {
      guint32 unit = sequence->units[i];
      guint32 domain = domain_of[unit];

      weight[unit ^ last[domain]]++;
      last[domain] = unit;
    }
  histogram->accesses = sequence->length;
  histogram->coverage = 0;
  for (guint32 i = 0; i < n_domains; i++)
    histogram->coverage += last[i] != n;
}

guint64
tl_histogram_over (const TlHistogram *histogram, const TlSubspace *space)
{
  /* Gray order: one vector changes at a time. */
  guint32 vector = 0;
  guint64 sum = histogram->weight[0];

  for (guint32 i = 1; i < 1u << space->dim; i++)
    {
      vector ^= space->basis[__builtin_ctz (i)];
      sum += histogram->weight[vector];
    }
  return sum;
}
