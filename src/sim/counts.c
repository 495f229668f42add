/* Sums of counts. */
#include "sim/counts.h"

void
tl_sim_counts_add (TlSimCounts *sum, const TlSimCounts *counts, guint64 times)
{
  sum->act += counts->act * times;
  sum->rd += counts->rd * times;
  sum->wr += counts->wr * times;
  sum->pre += counts->pre * times;
  sum->ref += counts->ref * times;
  sum->hits += counts->hits * times;
  sum->misses += counts->misses * times;
  sum->conflicts += counts->conflicts * times;
  sum->closings += counts->closings * times;
  sum->refresh_closings += counts->refresh_closings * times;
  sum->bytes_read += counts->bytes_read * times;
  sum->bytes_written += counts->bytes_written * times;
}

gboolean
tl_sim_counts_equal (const TlSimCounts *a, const TlSimCounts *b)
{
  return a->act == b->act && a->rd == b->rd && a->wr == b->wr && a->pre == b->pre && a->ref == b->ref
         && a->hits == b->hits && a->misses == b->misses && a->conflicts == b->conflicts && a->closings == b->closings
         && a->refresh_closings == b->refresh_closings && a->bytes_read == b->bytes_read
         && a->bytes_written == b->bytes_written;
}
