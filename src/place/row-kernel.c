/* The heaviest c-dimensional subspace of a domain kernel.
 *
 * A subspace K is chosen vector by vector. Once k are chosen, what is left is the same problem
 * in the quotient by their span: a coset weighs what its vectors weigh together, and a subspace
 * of c - k dimensions of the quotient is wanted. Each K is met in one branch, the one that takes
 * the heaviest coset of K at each step: cosets that stand before it are forbidden below. The
 * heaviest of 2^m - 1 cosets weighs at least their mean, so the lighter ones need not be tried.
 *
 * Where the complement of K is the smaller space it is looked for instead: by Poisson's formula
 * the weight over K is 2^(c - dim H) times that of the Walsh-Hadamard transform over the
 * complement of K.
 *
 * Spaces are numbered by coordinates: bit i of an index stands for a basis vector of H, the smallest first. */
#include "place/row-kernel.h"

#include <stdlib.h>
#include <string.h>

/* What a coset with a forbidden vector weighs, and whatever else is below LOWEST: a sum of others
 * has at most 2^27 of either sign (2^20 accesses, transforms summed over a complement of 2^7). */
#define FORBIDDEN (-(1 << 30))
#define LOWEST    (-(1 << 29))
/* Folds of the small search that is tried before the weights are transformed. */
#define EASY_NODES 300
#define STARTS     4
#define WATCH_WORK (1u << 20)

/* A chosen coset: its number in the quotient before, and the bit of it that goes. */
typedef struct
{
  guint32 vector;
  guint   bit;
} Step;

struct _TlRowKernelSearch
{
  gint32  *fold[TL_PLACE_MAX_BITS + 1];   /* coset weights of the quotient by k vectors, 2^(dim - k) */
  guint64 *sorted[TL_PLACE_MAX_BITS + 1]; /* cosets to try: weight << 16 | ~number, falling */
  gint32  *base;                          /* fold[0] as it was, for local search */
  guint16 *vectors;                       /* of H, by coordinates */
  gboolean (*watch) (gpointer data);
  gpointer          watch_data;
  /* The problem at hand. */
  guint             dim;  /* of the space searched */
  guint             c;    /* vectors to choose */
  gint64            step; /* sums differ by multiples of this */
  Step              steps[TL_PLACE_MAX_BITS];
  gint64            best;
  gboolean          found;
  guint16           best_basis[TL_PLACE_MAX_BITS]; /* coordinates */
  guint64           nodes;
  guint64           node_limit;
  guint64           work;
  gboolean          stopped;
  gboolean          given_up; /* by the watch */
  /* Of each. */
  const TlSubspace *space;
  gint64            wanted;
  TlSubspaceVisit   visit;
  gpointer          data;
};

TlRowKernelSearch *
tl_row_kernel_search_new (guint bits)
{
  g_return_val_if_fail (bits >= 1 && bits <= TL_PLACE_MAX_BITS, NULL);
  TlRowKernelSearch *search = g_new0 (TlRowKernelSearch, 1);

  for (guint k = 0; k <= bits; k++)
    {
      search->fold[k] = g_new (gint32, (gsize) 1 << (bits - k));
      search->sorted[k] = g_new (guint64, (gsize) 1 << (bits - k));
    }
  search->base = g_new (gint32, (gsize) 1 << bits);
  search->vectors = g_new (guint16, (gsize) 1 << bits);
  return search;
}

void
tl_row_kernel_search_free (TlRowKernelSearch *search)
{
  if (search == NULL)
    return;
  for (guint k = 0; k <= TL_PLACE_MAX_BITS; k++)
    {
      g_free (search->fold[k]);
      g_free (search->sorted[k]);
    }
  g_free (search->base);
  g_free (search->vectors);
  g_free (search);
}

void
tl_row_kernel_search_watch (TlRowKernelSearch *search, gboolean (*watch) (gpointer data), gpointer data)
{
  search->watch = watch;
  search->watch_data = data;
}

static guint32
drop_bit (guint32 number, guint bit)
{
  return number >> (bit + 1) << bit | (number & ((1u << bit) - 1));
}

static guint32
insert_bit (guint32 number, guint bit)
{
  return number >> bit << (bit + 1) | (number & ((1u << bit) - 1));
}

/* The number in the quotient by the first @k vectors of a vector of the whole. */
static guint32
project (const TlRowKernelSearch *search, guint k, guint32 number)
{
  for (guint i = 0; i < k; i++)
    {
      if (number >> search->steps[i].bit & 1)
        number ^= search->steps[i].vector;
      number = drop_bit (number, search->steps[i].bit);
    }
  return number;
}

/* A vector of the coset @number of the quotient by the first @k vectors. */
static guint16
lift (const TlRowKernelSearch *search, guint k, guint32 number)
{
  while (k-- > 0)
    number = insert_bit (number, search->steps[k].bit);
  return (guint16) number;
}

/* Four weights at a time; the compiler has an instruction for each line. */
typedef gint32 Four __attribute__ ((vector_size (16)));

static Four
larger (Four a, Four b)
{
  Four first = a > b;
  return (first & a) | (~first & b);
}

/* Adds each four of @in to the four of @high that stand where XOR with @low puts them, each turned
 * inside by a constant. */
#define ADD_TURNED(a, b, c, d)                                                                                         \
  for (guint32 i = 0; i < block; i += 4)                                                                               \
    {                                                                                                                  \
      Four x, y, sum;                                                                                                  \
      memcpy (&x, in + i, sizeof x);                                                                                   \
      memcpy (&y, high + ((i ^ low) & ~3u), sizeof y);                                                                 \
      sum = larger (x + __builtin_shufflevector (y, y, a, b, c, d), forbidden);                                        \
      most = larger (most, sum);                                                                                       \
      memcpy (out + i, &sum, sizeof sum);                                                                              \
    }

/* The quotient by one more coset @vector: adds the weights of the two that become one. Coset 0 is
 * the span. Returns the heaviest of the others. */
static gint32
fold (TlRowKernelSearch *search, guint k, guint32 vector)
{
  guint32 size = 1u << (search->dim - k);
  guint   bit = 31 - (guint) __builtin_clz (vector);
  guint32 block = 1u << bit;
  guint32 low = vector ^ block;
  Four    forbidden = { FORBIDDEN, FORBIDDEN, FORBIDDEN, FORBIDDEN };
  Four    most = forbidden;

  search->nodes++;
  search->work += size / 2 + 32;
  search->steps[k] = (Step) { vector, bit };
  const gint32 *in = search->fold[k];
  gint32       *out = search->fold[k + 1];
  gint32        whole = in[0] + in[vector];
  search->fold[k][0] = FORBIDDEN; /* so that the span is not among the others */
  for (guint32 done = 0; done < size; done += 2 * block, in += 2 * block, out += block)
    {
      const gint32 *high = in + block;

      if (block < 4)
        for (guint32 i = 0; i < block; i++)
          {
            out[i] = MAX (in[i] + high[i ^ low], FORBIDDEN);
            most[0] = MAX (most[0], out[i]);
          }
      else if ((low & 3) == 0)
        ADD_TURNED (0, 1, 2, 3)
      else if ((low & 3) == 1)
        ADD_TURNED (1, 0, 3, 2)
      else if ((low & 3) == 2)
        ADD_TURNED (2, 3, 0, 1)
      else
        ADD_TURNED (3, 2, 1, 0)
    }
  search->fold[k][0] = whole - search->fold[k][vector];
  search->fold[k + 1][0] = whole;
  return MAX (MAX (most[0], most[1]), MAX (most[2], most[3]));
}

static int
compare_falling (const void *a, const void *b)
{
  guint64 x = *(const guint64 *) a;
  guint64 y = *(const guint64 *) b;

  return (x < y) - (x > y);
}

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

/* Weights of either sign as keys that rise with them. */
static guint64
key_of (gint32 weight, guint32 number)
{
  return (guint64) ((gint64) weight - FORBIDDEN) << 16 | (guint16) ~number;
}

static gint32
weight_of (guint64 key)
{
  return (gint32) ((gint64) (key >> 16) + FORBIDDEN);
}

/* Lists the cosets of at least @least by falling weight, then rising number. */
static guint32
list_cosets (TlRowKernelSearch *search, guint k, gint64 least)
{
  const gint32 *weight = search->fold[k];
  guint64      *sorted = search->sorted[k];
  guint32       size = 1u << (search->dim - k);
  gint32        threshold = (gint32) MAX (least, LOWEST);
  guint32       n = 0;

  for (guint32 at = 0; at < size; at += 4)
    {
      guint32 end = MIN (at + 4, size);

      if (size >= 4
          && (weight[at] < threshold) & (weight[at + 1] < threshold) & (weight[at + 2] < threshold)
                 & (weight[at + 3] < threshold))
        continue;
      for (guint32 i = MAX (at, 1); i < end; i++)
        if (weight[i] >= threshold)
          sorted[n++] = key_of (weight[i], i);
    }
  search->work += size;
  sort_falling (sorted, n);
  return n;
}

static gint64
ceil_div (gint64 a, gint64 b)
{
  return a >= 0 ? (a + b - 1) / b : -(-a / b);
}

static gboolean
go_on (TlRowKernelSearch *search)
{
  if (search->work >= WATCH_WORK)
    {
      search->work = 0;
      if (search->watch != NULL && !search->watch (search->watch_data))
        search->stopped = search->given_up = TRUE;
    }
  if (search->nodes >= search->node_limit)
    search->stopped = TRUE;
  return !search->stopped;
}

/* All vectors are chosen, the last being coset @last of the quotient by the others. */
static void
record (TlRowKernelSearch *search, guint32 last, gint64 sum)
{
  if (sum <= search->best)
    return;
  search->best = sum;
  search->found = TRUE;
  for (guint k = 0; k + 1 < search->c; k++)
    search->best_basis[k] = lift (search, k, search->steps[k].vector);
  search->best_basis[search->c - 1] = lift (search, search->c - 1, last);
}

static void
record_heaviest (TlRowKernelSearch *search, gint32 heaviest)
{
  const gint32 *weight = search->fold[search->c - 1];
  guint32       last = 1;

  if ((gint64) weight[0] + heaviest <= search->best)
    return;
  while (weight[last] != heaviest)
    last++;
  record (search, last, (gint64) weight[0] + heaviest);
}

/* The quotient by @k vectors is at hand, @heaviest its heaviest coset. */
static void
branch (TlRowKernelSearch *search, guint k, gint32 heaviest)
{
  gint64  span = search->fold[k][0];
  guint32 others = (1u << (search->c - k)) - 1; /* cosets still to come in K */

  if (span + (gint64) others * heaviest <= search->best)
    return;
  if (k + 1 == search->c)
    {
      record_heaviest (search, heaviest);
      return;
    }
  gint64         least = ceil_div (search->best + search->step - span, others);
  guint32        n = list_cosets (search, k, least);
  const guint64 *sorted = search->sorted[k];
  gint64         bound = 0; /* the heaviest that K can hold from i on */

  for (guint32 i = 0; i < MIN (n, others); i++)
    bound += weight_of (sorted[i]);
  bound += (others - MIN (n, others)) * (least - 1);
  for (guint32 i = 0; i < n && span + bound > search->best && go_on (search); i++)
    {
      guint32 number = (guint16) ~sorted[i];

      branch (search, k + 1, fold (search, k, number));
      search->fold[k][number] = FORBIDDEN;
      bound -= weight_of (sorted[i]);
      bound += i + others < n ? weight_of (sorted[i + others]) : least - 1;
    }
  for (guint32 i = 0; i < n; i++)
    search->fold[k][(guint16) ~sorted[i]] = weight_of (sorted[i]);
}

static gint32
heaviest_of (const TlRowKernelSearch *search, guint k)
{
  const gint32 *weight = search->fold[k];
  gint32        heaviest = FORBIDDEN;

  for (guint32 i = 1; i < 1u << (search->dim - k); i++)
    heaviest = MAX (heaviest, weight[i]);
  return heaviest;
}

/* From @first on the heaviest coset at each step. */
static void
dive (TlRowKernelSearch *search, guint k, gint32 heaviest)
{
  for (; k + 1 < search->c; k++)
    {
      const gint32 *weight = search->fold[k];
      guint32       at = 1;

      while (weight[at] != heaviest)
        at++;
      heaviest = fold (search, k, at);
    }
  record_heaviest (search, heaviest);
}

/* Trades one dimension of the best as long as that gains. */
static void
improve (TlRowKernelSearch *search)
{
  gint64 before;

  do
    {
      guint16 basis[TL_PLACE_MAX_BITS];

      before = search->best;
      memcpy (basis, search->best_basis, sizeof basis);
      /* A hyperplane of K is what one combination of its coordinates annihilates: with a basis
       * vector j of the combination left out, the others of it are taken with j. */
      for (guint32 plane = 1; plane < 1u << search->c && go_on (search); plane++)
        {
          guint  left_out = (guint) __builtin_ctz (plane);
          guint  k = 0;
          gint32 heaviest = FORBIDDEN;

          for (guint i = 0; i < search->c; i++)
            if (i != left_out)
              {
                guint16 vector = plane >> i & 1 ? basis[i] ^ basis[left_out] : basis[i];
                heaviest = fold (search, k, project (search, k, vector));
                k++;
              }
          if (k == 0)
            heaviest = heaviest_of (search, 0);
          record_heaviest (search, heaviest);
        }
    }
  while (search->best > before && !search->stopped);
}

/* Good kernels by climbing from the heaviest vectors, so that the proof starts from one. */
static void
climb (TlRowKernelSearch *search)
{
  guint32  n = list_cosets (search, 0, LOWEST);
  gint64   best = search->best;
  gboolean found = search->found;
  guint16  basis[TL_PLACE_MAX_BITS];

  memcpy (basis, search->best_basis, sizeof basis);
  for (guint32 i = 0; i < MIN (n, STARTS) && go_on (search); i++)
    {
      search->best = G_MININT64;
      dive (search, 1, fold (search, 0, (guint16) ~search->sorted[0][i]));
      improve (search);
      if (search->best > best)
        {
          best = search->best;
          found = TRUE;
          memcpy (basis, search->best_basis, sizeof basis);
        }
    }
  search->best = best;
  search->found = found;
  memcpy (search->best_basis, basis, sizeof basis);
}

/* The weights by coordinates. */
static void
load (TlRowKernelSearch *search, const TlHistogram *histogram, const TlSubspace *space, guint c)
{
  search->dim = space->dim;
  search->c = MIN (c, space->dim);
  search->step = 1;
  search->nodes = 0;
  search->work = 0;
  search->stopped = search->given_up = FALSE;
  search->found = FALSE;
  tl_subspace_vectors (space, search->vectors);
  for (guint32 i = 0; i < 1u << space->dim; i++)
    search->fold[0][i] = (gint32) histogram->weight[search->vectors[i]];
}

static void
transform (gint32 *weight, guint dim)
{
  for (guint32 half = 1; half < 1u << dim; half *= 2)
    for (guint32 at = 0; at < 1u << dim; at += 2 * half)
      for (guint32 i = at; i < at + half; i++)
        {
          gint32 sum = weight[i] + weight[i + half];
          weight[i + half] = weight[i] - weight[i + half];
          weight[i] = sum;
        }
}

/* Proves the best, or betters it; what is known stands in search->best. */
static void
search_all (TlRowKernelSearch *search, guint64 node_limit)
{
  search->node_limit = node_limit;
  search->stopped = search->given_up;
  if (search->c == 0)
    {
      if (search->fold[0][0] > search->best)
        {
          search->best = search->fold[0][0];
          search->found = TRUE;
        }
      return;
    }
  branch (search, 0, heaviest_of (search, 0));
}

/* What was found, in coordinates. */
static TlSubspace
kernel_found (const TlRowKernelSearch *search)
{
  return tl_subspace_span (search->best_basis, search->c);
}

/* The same problem for the complement of K. */
static void
turn_over (TlRowKernelSearch *search)
{
  search->step = (gint64) 1 << (search->dim - search->c);
  search->c = search->dim - search->c;
  search->best *= search->step;
  search->found = FALSE;
  transform (search->fold[0], search->dim);
}

void
tl_row_kernel_exact (TlRowKernelSearch *search, const TlHistogram *histogram, const TlSubspace *domain_kernel, guint c,
                     guint64 at_least, guint64 node_limit, TlRowKernel *result)
{
  TlSubspace found = { 0 };
  gboolean   any;

  load (search, histogram, domain_kernel, c);
  search->best = (gint64) at_least - 1;
  if (search->c > 1)
    {
      gint32 heaviest = heaviest_of (search, 0);
      if (search->fold[0][0] + (((gint64) 1 << search->c) - 1) * heaviest > search->best)
        dive (search, 0, heaviest);
    }
  search_all (search, MIN (node_limit, EASY_NODES));
  any = search->found;
  found = kernel_found (search);
  if (search->stopped && !search->given_up && search->nodes < node_limit)
    {
      guint    dim = search->dim;
      gboolean turned = dim - search->c < search->c;

      if (turned)
        turn_over (search);
      search->node_limit = node_limit;
      search->stopped = FALSE;
      if (search->c > 2)
        climb (search);
      search_all (search, node_limit);
      any = any || search->found;
      if (search->found)
        found = kernel_found (search);
      if (search->found && turned)
        found = tl_subspace_complement (&found, dim);
      search->best /= search->step;
    }
  *result = (TlRowKernel) { { 0 }, 0, search->nodes, !search->stopped };
  if (!any)
    return;
  result->weight = (guint64) search->best;
  for (guint i = 0; i < found.dim; i++)
    found.basis[i] = search->vectors[found.basis[i]];
  result->kernel = tl_subspace_span (found.basis, found.dim);
}

static void
visit_kernel (TlRowKernelSearch *search, guint32 last)
{
  guint16 rows[TL_PLACE_MAX_BITS];

  for (guint k = 0; k + 1 < search->c; k++)
    rows[k] = search->vectors[lift (search, k, search->steps[k].vector)];
  if (search->c > 0)
    rows[search->c - 1] = search->vectors[lift (search, search->c - 1, last)];
  TlSubspace kernel = tl_subspace_span (rows, search->c);
  if (!search->visit (&kernel, search->data))
    search->stopped = TRUE;
}

static void
branch_each (TlRowKernelSearch *search, guint k, gint32 heaviest)
{
  const gint32 *weight = search->fold[k];
  guint32       size = 1u << (search->dim - k);
  gint64        needed = search->wanted - weight[0];
  guint32       others = (1u << (search->c - k)) - 1;

  if ((gint64) others * heaviest < needed)
    return;
  if (k + 1 == search->c)
    {
      for (guint32 i = 1; i < size && !search->stopped; i++)
        if (weight[i] == needed)
          visit_kernel (search, i);
      return;
    }
  gint64         least = ceil_div (needed, others);
  guint32        n = list_cosets (search, k, least);
  const guint64 *sorted = search->sorted[k];
  gint64         bound = 0;

  for (guint32 i = 0; i < MIN (n, others); i++)
    bound += weight_of (sorted[i]);
  bound += (others - MIN (n, others)) * (least - 1);
  for (guint32 i = 0; i < n && bound >= needed && go_on (search); i++)
    {
      guint32 number = (guint16) ~sorted[i];

      branch_each (search, k + 1, fold (search, k, number));
      search->fold[k][number] = FORBIDDEN;
      bound -= weight_of (sorted[i]);
      bound += i + others < n ? weight_of (sorted[i + others]) : least - 1;
    }
  for (guint32 i = 0; i < n; i++)
    search->fold[k][(guint16) ~sorted[i]] = weight_of (sorted[i]);
}

gboolean
tl_row_kernel_each (TlRowKernelSearch *search, const TlHistogram *histogram, const TlSubspace *domain_kernel, guint c,
                    guint64 weight, TlSubspaceVisit visit, gpointer data)
{
  load (search, histogram, domain_kernel, c);
  search->node_limit = G_MAXUINT64;
  search->wanted = (gint64) weight;
  search->visit = visit;
  search->data = data;
  if (search->c > 0)
    branch_each (search, 0, heaviest_of (search, 0));
  else if (search->fold[0][0] == search->wanted)
    visit_kernel (search, 0);
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
