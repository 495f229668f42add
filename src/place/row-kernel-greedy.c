/* A kernel vector by vector, the largest gain first: what the exact search is compared with. */
#include "place/row-kernel.h"

#include <string.h>

guint64
tl_row_kernel_greedy (const TlHistogram *histogram, guint c, TlSubspace *kernel)
{
  guint32             n = 1u << histogram->bits;
  g_autofree guint64 *gain = g_new (guint64, n);
  guint16             rows[TL_PLACE_MAX_BITS];
  guint64             sum = histogram->weight[0];

  *kernel = (TlSubspace) { 0 };
  for (guint k = 0; k < MIN (c, histogram->bits); k++)
    {
      guint32 best = 0;

      /* A coset of the span is gained as one; its smallest vector stands for it. */
      memset (gain, 0, n * sizeof *gain);
      for (guint32 v = 1; v < n; v++)
        if (histogram->weight[v] > 0)
          {
            guint16 smallest = (guint16) v;
            for (guint i = 0; i < k; i++)
              smallest = MIN (smallest, smallest ^ kernel->basis[i]);
            gain[smallest] += histogram->weight[v];
          }
      gain[0] = 0;
      for (guint32 v = 1; v < n; v++)
        if (gain[v] > gain[best])
          best = v;
      if (best == 0)
        break;
      sum += gain[best];
      rows[k] = (guint16) best;
      *kernel = tl_subspace_span (rows, k + 1);
    }
  return sum;
}
