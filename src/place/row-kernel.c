/* The heaviest c-dimensional subspace of a domain kernel.
 *
 * Support vectors stand by falling weight. Each subspace K is met in one branch: the
 * one that takes, again and again, the first vector of K that is outside the span so
 * far; all later vectors of K come after it. So a node's weight and the next 2^c - 2^k
 * weights of the list bound everything below it. */
#include "place/row-kernel.h"

#include <stdlib.h>
#include <string.h>

struct _TlRowKernelSearch
{
  guint64        *keys;    /* weight << 16 | ~vector, falling */
  guint64        *before;  /* before[i]: sum of the first i weights */
  guint16        *vectors; /* as keys */
  guint16        *span;    /* of the branch, its 2^k vectors */
  guint8         *inside;  /* [2^bits]: whether a vector is in the span */
  /* The problem at hand. */
  const guint32  *weight;
  guint32         n;
  guint           c;
  gint64          best;
  guint64         nodes;
  guint64         node_limit;
  guint16         chosen[TL_PLACE_MAX_BITS];
  TlSubspace      kernel;
  TlSubspaceVisit visit;
  gpointer        data;
  gboolean        stopped;
};

TlRowKernelSearch *
tl_row_kernel_search_new (guint bits)
{
  g_return_val_if_fail (bits >= 1 && bits <= TL_PLACE_MAX_BITS, NULL);
  TlRowKernelSearch *search = g_new0 (TlRowKernelSearch, 1);
  gsize              n = (gsize) 1 << bits;

  search->keys = g_new (guint64, n);
  search->before = g_new (guint64, n + 1);
  search->vectors = g_new (guint16, n);
  search->span = g_new (guint16, n);
  search->inside = g_new0 (guint8, n);
  return search;
}

void
tl_row_kernel_search_free (TlRowKernelSearch *search)
{
  if (search == NULL)
    return;
  g_free (search->keys);
  g_free (search->before);
  g_free (search->vectors);
  g_free (search->span);
  g_free (search->inside);
  g_free (search);
}

static int
compare_falling (const void *a, const void *b)
{
  guint64 x = *(const guint64 *) a;
  guint64 y = *(const guint64 *) b;

  return (x < y) - (x > y);
}

/* Few vectors are the common case inside a joint search, called very often. */
static void
sort_falling (guint64 *keys, guint32 n)
{
  if (n > 48)
    {
      qsort (keys, n, sizeof *keys, compare_falling);
      return;
    }
  for (guint32 i = 1; i < n; i++)
    {
      guint64 key = keys[i];
      guint32 at = i;
      for (; at > 0 && keys[at - 1] < key; at--)
        keys[at] = keys[at - 1];
      keys[at] = key;
    }
}

/* Lists the vectors of @space, by weight; those without weight only when asked. */
static void
list_vectors (TlRowKernelSearch *search, const TlHistogram *histogram, const TlSubspace *space, gboolean weightless)
{
  guint32 all = 1u << space->dim;

  search->weight = histogram->weight;
  search->n = 0;
  tl_subspace_vectors (space, search->vectors);
  for (guint32 i = 1; i < all; i++)
    {
      guint16 v = search->vectors[i];
      guint64 weight = histogram->weight[v];
      if (weight > 0 || weightless)
        search->keys[search->n++] = weight << 16 | (guint16) ~v;
    }
  sort_falling (search->keys, search->n);
  search->before[0] = 0;
  for (guint32 i = 0; i < search->n; i++)
    {
      search->vectors[i] = (guint16) ~search->keys[i];
      search->before[i + 1] = search->before[i] + (search->keys[i] >> 16);
    }
}

/* What the next vectors from @from on can add to a span of dimension @k at most. */
static guint64
most_from (const TlRowKernelSearch *search, guint k, guint32 from)
{
  guint32 room = (1u << search->c) - (1u << k);

  return search->before[MIN (search->n, from + room)] - search->before[from];
}

/* Adds @vector to the span of dimension @k. Returns what it gains. */
static guint64
take (TlRowKernelSearch *search, guint k, guint16 vector)
{
  guint32 n = 1u << k;
  guint64 gain = 0;

  for (guint32 i = 0; i < n; i++)
    {
      guint16 v = search->span[i] ^ vector;
      search->span[n + i] = v;
      search->inside[v] = 1;
      gain += search->weight[v];
    }
  search->chosen[k] = vector;
  return gain;
}

static void
put_back (TlRowKernelSearch *search, guint k)
{
  guint32 n = 1u << k;

  for (guint32 i = n; i < 2 * n; i++)
    search->inside[search->span[i]] = 0;
}

static void
branch (TlRowKernelSearch *search, guint k, guint32 from, guint64 sum)
{
  search->nodes++;
  if ((gint64) sum > search->best)
    {
      search->best = (gint64) sum;
      search->kernel = tl_subspace_span (search->chosen, k);
    }
  if (k == search->c)
    return;
  for (guint32 i = from; i < search->n; i++)
    {
      if ((gint64) (sum + most_from (search, k, i)) <= search->best)
        return;
      if (search->inside[search->vectors[i]])
        continue;
      if (search->nodes >= search->node_limit)
        {
          search->stopped = TRUE;
          return;
        }
      branch (search, k + 1, i + 1, sum + take (search, k, search->vectors[i]));
      put_back (search, k);
    }
}

static void
start (TlRowKernelSearch *search, const TlSubspace *domain_kernel, guint c)
{
  search->c = MIN (c, domain_kernel->dim);
  search->nodes = 0;
  search->stopped = FALSE;
  search->span[0] = 0;
  search->inside[0] = 1;
}

void
tl_row_kernel_exact (TlRowKernelSearch *search, const TlHistogram *histogram, const TlSubspace *domain_kernel, guint c,
                     guint64 at_least, guint64 node_limit, TlRowKernel *result)
{
  guint64 repeats = histogram->weight[0];

  list_vectors (search, histogram, domain_kernel, FALSE);
  start (search, domain_kernel, c);
  search->node_limit = node_limit;
  search->best = (gint64) at_least - 1;
  search->kernel = (TlSubspace) { 0 };
  branch (search, 0, 0, repeats);

  *result = (TlRowKernel) { { 0 }, 0, search->nodes, !search->stopped };
  if (search->best < (gint64) at_least)
    return;
  result->weight = (guint64) search->best;
  /* A support that spans less than a row leaves room; any vectors of H fill it. */
  guint16 rows[2 * TL_PLACE_MAX_BITS];
  guint   n = search->kernel.dim;
  memcpy (rows, search->kernel.basis, n * sizeof *rows);
  for (guint k = domain_kernel->dim; k-- > 0 && n < search->c;)
    if (!tl_subspace_contains (&search->kernel, domain_kernel->basis[k]))
      {
        rows[n++] = domain_kernel->basis[k];
        search->kernel = tl_subspace_span (rows, n);
      }
  result->kernel = search->kernel;
}

static void
branch_each (TlRowKernelSearch *search, guint k, guint32 from, guint64 sum, guint64 wanted)
{
  if (k == search->c)
    {
      if (sum == wanted)
        {
          TlSubspace kernel = tl_subspace_span (search->chosen, k);
          search->stopped = !search->visit (&kernel, search->data);
        }
      return;
    }
  for (guint32 i = from; i < search->n && !search->stopped; i++)
    {
      if (sum + most_from (search, k, i) < wanted)
        return;
      if (search->inside[search->vectors[i]])
        continue;
      guint64 next = sum + take (search, k, search->vectors[i]);
      if (next <= wanted)
        branch_each (search, k + 1, i + 1, next, wanted);
      put_back (search, k);
    }
}

gboolean
tl_row_kernel_each (TlRowKernelSearch *search, const TlHistogram *histogram, const TlSubspace *domain_kernel, guint c,
                    guint64 weight, TlSubspaceVisit visit, gpointer data)
{
  list_vectors (search, histogram, domain_kernel, TRUE);
  start (search, domain_kernel, c);
  search->visit = visit;
  search->data = data;
  branch_each (search, 0, 0, histogram->weight[0], weight);
  return !search->stopped;
}

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
