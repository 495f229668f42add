/* Latency histograms: one bucket a cycle, then 256 an octave. */
#include "dram/latency.h"

#include <math.h>

#define STEPS      256
#define STEPS_BITS 8

TlLatency *
tl_latency_new (guint32 clock)
{
  TlLatency *latency = g_new0 (TlLatency, 1);

  latency->clock = MAX (clock, 1);
  return latency;
}

guint
tl_latency_bucket (guint64 cycles)
{
  if (cycles < TL_LATENCY_EXACT)
    return (guint) cycles;
  guint octave = 63 - (guint) __builtin_clzll (cycles) - STEPS_BITS;
  return TL_LATENCY_EXACT + (octave - 1) * STEPS + (guint) (cycles >> octave) - STEPS;
}

guint64
tl_latency_bucket_top (guint bucket)
{
  if (bucket < TL_LATENCY_EXACT)
    return bucket;
  guint   octave = (bucket - TL_LATENCY_EXACT) / STEPS + 1;
  guint64 step = (bucket - TL_LATENCY_EXACT) % STEPS + STEPS;
  return (step << octave) + ((G_GUINT64_CONSTANT (1) << octave) - 1);
}

void
tl_latency_merge (TlLatency *to, const TlLatency *from)
{
  to->count += from->count;
  to->sum += from->sum;
  to->max = MAX (to->max, from->max);
  for (guint i = 0; i < TL_LATENCY_BUCKETS; i++)
    to->bucket[i] += from->bucket[i];
}

double
tl_latency_mean (const TlLatency *latency)
{
  return latency->count > 0 ? (double) latency->sum / (double) latency->count : 0;
}

guint64
tl_latency_percentile (const TlLatency *latency, double percent)
{
  guint64 seen = 0;

  if (latency->count == 0)
    return 0;
  guint64 rank = (guint64) ceil (percent * (double) latency->count / 100);
  for (guint i = 0; i < TL_LATENCY_BUCKETS; i++)
    {
      seen += latency->bucket[i];
      if (seen >= MAX (rank, 1))
        return MIN (tl_latency_bucket_top (i), (latency->max + latency->clock - 1) / latency->clock);
    }
  return (latency->max + latency->clock - 1) / latency->clock;
}
