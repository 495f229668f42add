/* Pieces of time that grow with the run. */
#include "dram/time-bins.h"

#define BINS      1024
#define FEW_BINS  256 /* where there are many domains */
#define MANY      512
#define MOST_ROWS 4096

TlTimeBins *
tl_time_bins_new (guint32 n_domains, guint32 clock)
{
  TlTimeBins *bins = g_new0 (TlTimeBins, 1);

  bins->n_domains = n_domains;
  bins->n_bins = n_domains <= MANY ? BINS : FEW_BINS;
  bins->width = MAX (clock, 1);
  bins->domains = g_new0 (TlTimeBin *, n_domains);
  bins->all = g_new0 (TlTimeBin, bins->n_bins);
  return bins;
}

void
tl_time_bins_free (TlTimeBins *bins)
{
  if (bins == NULL)
    return;
  for (guint32 d = 0; d < bins->n_domains; d++)
    g_free (bins->domains[d]);
  g_free (bins->domains);
  g_free (bins->all);
  g_free (bins);
}

static void
halve (TlTimeBin *row, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      TlTimeBin sum = { { 0 }, 0 };
      for (guint half = 2 * i; half < MIN (2 * i + 2, n); half++)
        {
          for (guint c = 0; c < 3; c++)
            sum.of[c] += row[half].of[c];
          sum.columns += row[half].columns;
        }
      row[i] = sum;
    }
}

static void
widen (TlTimeBins *bins)
{
  halve (bins->all, bins->n_bins);
  for (guint32 d = 0; d < bins->n_domains; d++)
    if (bins->domains[d] != NULL)
      halve (bins->domains[d], bins->n_bins);
  bins->width *= 2;
  bins->used = (bins->used + 1) / 2;
}

static void
count (TlTimeBin *bin, const TlEvent *event)
{
  if (event->row_class != TL_CLASS_NONE)
    bin->of[event->row_class == TL_ROW_FORWARDED ? TL_ROW_HIT : event->row_class]++;
  bin->columns += event->kind == TL_EVENT_RD || event->kind == TL_EVENT_WR;
}

void
tl_time_bins_add (TlTimeBins *bins, const TlEvent *event)
{
  guint at;

  if (event->kind == TL_EVENT_REF)
    return;
  while (event->time / bins->width >= bins->n_bins)
    widen (bins);
  at = (guint) (event->time / bins->width);
  bins->used = MAX (bins->used, at + 1);
  count (&bins->all[at], event);
  if (bins->domains[event->domain] == NULL)
    {
      if (bins->n_rows == MOST_ROWS)
        return;
      bins->n_rows++;
      bins->domains[event->domain] = g_new0 (TlTimeBin, bins->n_bins);
    }
  count (&bins->domains[event->domain][at], event);
}
