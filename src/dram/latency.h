/* A histogram of latencies in bounded memory: exact below 512 cycles, above that in
 * 256 steps an octave (0.4 %). */
#pragma once

#include <glib.h>

#define TL_LATENCY_EXACT   512
#define TL_LATENCY_BUCKETS (TL_LATENCY_EXACT + 256 * 55)

typedef struct
{
  guint64 count;
  guint64 sum; /* ps, exact */
  guint64 max; /* ps */
  guint32 clock; /* ps a cycle */
  guint64 bucket[TL_LATENCY_BUCKETS];
} TlLatency;

/* @clock in ps, at least 1. Returns: (transfer full), free with g_free */
TlLatency *tl_latency_new        (guint32          clock);
/* Bucket of a latency of @cycles, and the largest latency that falls into @bucket. */
guint      tl_latency_bucket     (guint64          cycles);
guint64    tl_latency_bucket_top (guint            bucket);
/* Adds what @from counted to @to; both of the same clock. */
void       tl_latency_merge      (TlLatency       *to,
                                  const TlLatency *from);
/* Mean in ps; 0 of nothing. */
double     tl_latency_mean       (const TlLatency *latency);
/* The nearest-rank percentile in cycles, @percent in (0, 100]: the smallest latency
 * that @percent of the requests do not exceed. 0 of nothing. */
guint64    tl_latency_percentile (const TlLatency *latency,
                                  double           percent);

/* A latency of @ps; cycles are rounded up. */
static inline void
tl_latency_add (TlLatency *latency, guint64 ps)
{
  /* A division of 32 bits is several times faster. */
  guint64 cycles = (ps | latency->clock) < (1u << 31) ? ((guint32) ps + latency->clock - 1) / latency->clock
                                   : (ps + latency->clock - 1) / latency->clock;

  latency->count++;
  latency->sum += ps;
  latency->max = MAX (latency->max, ps);
  latency->bucket[cycles < TL_LATENCY_EXACT ? (guint) cycles : tl_latency_bucket (cycles)]++;
}
