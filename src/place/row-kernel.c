/* The heaviest c-dimensional subspace of a domain kernel.
 *
 * A subspace K is chosen vector by vector. Once k are chosen, what is left is the same problem
 * in the quotient by their span: a coset weighs what its vectors weigh together, and a subspace
 * of c - k dimensions of the quotient is wanted. Each K is met in one branch, the one that takes
 * the heaviest coset of K at each step: cosets that stand before it are forbidden below. The
 * heaviest of 2^m - 1 cosets weighs at least their mean, so the lighter ones need not be tried.
 * Where that leaves many, K is met otherwise: it has a vector in every subspace of dim H - c + 1
 * dimensions, so trying those of one is enough.
 *
 * Before a coset x is folded the pairs y, y + x are looked at that weigh their mean or more: one of
 * the two weighs half of it, and there are few that do.
 *
 * Where the complement of K is the smaller space, or the one with fewer cosets to try, it is looked
 * for instead: by Poisson's formula the weight over K is 2^(c - dim H) times that of the
 * Walsh-Hadamard transform over the complement of K.
 *
 * Spaces are numbered by coordinates: bit i of an index stands for a basis vector of H, the smallest first. */
#include "place/row-kernel.h"
#include "place/coset-weights.h"

#include <string.h>

/* Folds of the small search that is tried before the weights are transformed. */
#define EASY_NODES 100
#define STARTS     4
/* Pairs with a coset are looked at before it is folded where K has at most so many, and few have to be looked up. */
#define MAX_PAIRS 7
/* With more to try the other side is looked at. */
#define MANY_TRIES 64
/* Cosets looked at on one side before the other has its turn, to begin with. */
#define TURN_WORK  (1u << 28)
#define WATCH_WORK (1u << 20)

/* A chosen coset: its number in the quotient before, and the bit of it that goes. */
typedef struct
{
  guint32 vector;
  guint   bit;
} Step;

struct _TlRowKernelSearch
{
  gint32  *fold[TL_PLACE_MAX_BITS + 1];     /* coset weights of the quotient by k vectors, 2^(dim - k) */
  guint64 *sorted[TL_PLACE_MAX_BITS + 1];   /* cosets to try: keys, falling */
  guint64 *covering[TL_PLACE_MAX_BITS + 1]; /* those of a subspace that meets every K */
  gint32  *sums;                            /* of pairs of a coset and one that is listed */
  guint16 *vectors;                         /* of H, by coordinates */
  gboolean wide;                            /* instructions */
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
  guint64           work_left;
  gboolean          stopped;
  gboolean          given_up; /* by the watch */
  /* Of each. */
  const TlSubspace *space;
  TlSubspaceVisit   visit; /* of kernels that weigh one more than the best; NULL: a heavier one is looked for */
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
      search->covering[k] = g_new (guint64, (gsize) 1 << (bits - k));
    }
  search->sums = g_new (gint32, (gsize) 1 << bits);
  search->wide = tl_coset_wide ();
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
      g_free (search->covering[k]);
    }
  g_free (search->sums);
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

/* The quotient by one more coset @vector: adds the weights of the two that become one. Coset 0 is
 * the span. Returns the heaviest of the others. */
static gint32
fold (TlRowKernelSearch *search, guint k, guint32 vector)
{
  guint32 size = 1u << (search->dim - k);
  gint32 *in = search->fold[k];
  gint32 *out = search->fold[k + 1];
  gint32  span = in[0];

  search->nodes++;
  search->work += size / 2 + 32;
  search->steps[k] = (Step) { vector, 31 - (guint) __builtin_clz (vector) };
  in[0] = TL_COSET_FORBIDDEN; /* so that the span is not among the others */
  gint32 heaviest = tl_coset_fold (search->wide, in, size, vector, out);
  in[0] = span;
  out[0] = span + in[vector];
  return heaviest;
}

/* Lists the cosets of at least @least by falling weight, then rising number. */
static guint32
list_cosets (TlRowKernelSearch *search, guint k, gint64 least)
{
  guint32 size = 1u << (search->dim - k);
  gint32  threshold = (gint32) CLAMP (least, TL_COSET_LOWEST, G_MAXINT32);
  guint32 n = tl_coset_list (search->wide, search->fold[k], size, threshold, search->sorted[k]);

  search->work += size / 2;
  search->work += 8 * (guint64) n;
  tl_coset_sort (search->sorted[k], n);
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
      if (search->work >= search->work_left)
        search->stopped = TRUE;
      search->work_left -= MIN (search->work, search->work_left);
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

/* All but one vector are chosen, @heaviest is the heaviest that the last may be. */
static void
finish (TlRowKernelSearch *search, gint32 heaviest)
{
  const gint32 *weight = search->fold[search->c - 1];
  gint64        last = search->best + 1 - weight[0];

  if (search->visit == NULL)
    record_heaviest (search, heaviest);
  else
    for (guint32 i = 1; i < 1u << (search->dim - search->c + 1) && !search->stopped; i++)
      if (weight[i] == last)
        visit_kernel (search, i);
}

/* The cosets that may be the heaviest of K in the quotient by some vectors, first in search->sorted. */
typedef struct
{
  guint32 others; /* cosets still to come in K */
  gint64  needed; /* that they must weigh together */
  gint64  least;  /* their mean, at least */
  guint32 all;    /* listed: down to what may be the heavier of a pair */
  guint32 n;      /* of at least the mean */
  gint64  bound;  /* the heaviest others that there are */
  guint32 tries;  /* of the n, until those left are too light together */
} Candidates;

/* What the bound loses when the @i-th is forbidden. */
static gint64
loss (const TlRowKernelSearch *search, guint k, const Candidates *candidates, guint32 i)
{
  const guint64 *sorted = search->sorted[k];
  guint32        next = i + candidates->others;

  return tl_coset_key_weight (sorted[i])
         - (next < candidates->n ? tl_coset_key_weight (sorted[next]) : candidates->least - 1);
}

static Candidates
list_candidates (TlRowKernelSearch *search, guint k, gint32 heaviest)
{
  const guint64 *sorted = search->sorted[k];
  Candidates     it = { .others = (1u << (search->c - k)) - 1 };
  guint32        pairs = it.others / 2;
  gint64         bound;

  it.needed = search->best + search->step - search->fold[k][0];
  it.least = ceil_div (it.needed, it.others);
  it.all = list_cosets (search, k, MIN (it.least, ceil_div (ceil_div (it.needed - heaviest, pairs), 2)));
  while (it.n < it.all && tl_coset_key_weight (sorted[it.n]) >= it.least)
    it.n++;
  for (guint32 i = 0; i < MIN (it.n, it.others); i++)
    it.bound += tl_coset_key_weight (sorted[i]);
  it.bound += (it.others - MIN (it.n, it.others)) * (it.least - 1);
  bound = it.bound;
  for (; it.tries < it.n && bound >= it.needed; it.tries++)
    bound -= loss (search, k, &it, it.tries);
  return it;
}

/* Keeps the heaviest PAIRS of the sums that come by and what they are over the least, together. */
typedef struct
{
  guint32 n;
  gint64  over;
  gint64  sums[MAX_PAIRS];
} Heaviest;

static void
keep (Heaviest *top, guint32 pairs, gint64 sum)
{
  if (top->n == pairs && sum <= top->sums[pairs - 1])
    return;
  if (top->n < pairs)
    top->n++;
  else
    top->over -= top->sums[pairs - 1];
  top->over += sum;
  guint32 at = top->n - 1;
  for (; at > 0 && top->sums[at - 1] < sum; at--)
    top->sums[at] = top->sums[at - 1];
  top->sums[at] = sum;
}

/* Whether K through the forbidden coset @x, which weighs @own, may be heavy enough: it has @x and pairs y, y + x.
 * Those of the pairs that weigh their mean or more are found by their heavier one, among those listed from
 * @from on; the rest of K is below the mean. */
static gboolean
promises (TlRowKernelSearch *search, guint k, const Candidates *candidates, guint32 from, guint32 x, gint32 own)
{
  const gint32  *weight = search->fold[k];
  const guint64 *sorted = search->sorted[k];
  guint32        pairs = candidates->others / 2;
  gint64         needed = candidates->needed - own;
  gint64         least = ceil_div (needed, pairs);
  guint64        last = tl_coset_key ((gint32) MAX (ceil_div (least, 2), TL_COSET_LOWEST), G_MAXUINT16);
  gint32        *sums = search->sums;
  guint32        n = 0;
  Heaviest       top = { 0 };

  /* Without branches: which pairs count is as good as random. */
  for (guint32 i = from; i < candidates->all && sorted[i] >= last; i++)
    {
      guint32 y = tl_coset_key_number (sorted[i]);
      gint32  one = tl_coset_key_weight (sorted[i]);
      gint32  other = weight[y ^ x];

      sums[n] = one + other;
      n += (sums[n] >= least) & (weight[y] == one) & ((other < one) | ((other == one) & (y < (y ^ x))));
    }
  search->work += candidates->all - MIN (from, candidates->all) + 16;
  for (guint32 i = 0; i < n; i++)
    keep (&top, pairs, sums[i] - (least - 1));
  return top.over + (gint64) pairs * (least - 1) >= needed;
}

static void branch (TlRowKernelSearch *search, guint k, gint32 heaviest);

/* All K through @x, which is forbidden afterwards. */
static void
try_coset (TlRowKernelSearch *search, guint k, const Candidates *candidates, guint32 from, guint64 key)
{
  guint32 x = tl_coset_key_number (key);
  gint32 *weight = search->fold[k] + x;

  *weight = TL_COSET_FORBIDDEN;
  if (candidates->others / 2 <= MAX_PAIRS && candidates->all <= 1u << (search->dim - k) >> 3
      && !promises (search, k, candidates, from, x, tl_coset_key_weight (key)))
    return;
  *weight = tl_coset_key_weight (key);
  branch (search, k + 1, fold (search, k, x));
  *weight = TL_COSET_FORBIDDEN;
}

static void
allow (TlRowKernelSearch *search, guint k, const guint64 *keys, guint32 n)
{
  for (guint32 i = 0; i < n; i++)
    search->fold[k][tl_coset_key_number (keys[i])] = tl_coset_key_weight (keys[i]);
}

/* The quotient by @k vectors is at hand, @heaviest its heaviest coset. */
static void
branch (TlRowKernelSearch *search, guint k, gint32 heaviest)
{
  if (search->fold[k][0] + (((gint64) 1 << (search->c - k)) - 1) * heaviest <= search->best)
    return;
  if (k + 1 == search->c)
    {
      finish (search, heaviest);
      return;
    }
  Candidates candidates = list_candidates (search, k, heaviest);
  guint32    cover = 1u << (search->dim - search->c + 1);

  if (candidates.tries <= 2 * cover)
    {
      const guint64 *keys = search->sorted[k];
      gint64         bound = candidates.bound;
      guint32        i = 0;

      for (; i < candidates.n && bound >= candidates.needed && go_on (search); i++)
        {
          try_coset (search, k, &candidates, i + 1, keys[i]);
          bound -= loss (search, k, &candidates, i);
        }
      allow (search, k, keys, i);
    }
  else
    {
      guint64 *keys = search->covering[k];
      guint32  n = tl_coset_list (search->wide, search->fold[k], cover, TL_COSET_LOWEST, keys);
      guint32  i = 0;

      tl_coset_sort (keys, n);
      for (; i < n && go_on (search); i++)
        try_coset (search, k, &candidates, 0, keys[i]);
      allow (search, k, keys, i);
    }
}

static gint32
heaviest_of (const TlRowKernelSearch *search, guint k)
{
  const gint32 *weight = search->fold[k];
  gint32        heaviest = TL_COSET_FORBIDDEN;

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
          gint32 heaviest = TL_COSET_FORBIDDEN;

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
  guint32  n = list_cosets (search, 0, TL_COSET_LOWEST);
  gint64   best = search->best;
  gboolean found = search->found;
  guint16  basis[TL_PLACE_MAX_BITS];

  memcpy (basis, search->best_basis, sizeof basis);
  for (guint32 i = 0; i < MIN (n, STARTS) && go_on (search); i++)
    {
      search->best = G_MININT64;
      dive (search, 1, fold (search, 0, tl_coset_key_number (search->sorted[0][i])));
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
  search->work_left = G_MAXUINT64;
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

/* The problem from the other side or back: for the complement of K if @turned, for K itself if not. The best stays
 * what is to be beaten. */
static void
turn (TlRowKernelSearch *search, const TlHistogram *histogram, const TlSubspace *space, guint c, gboolean turned)
{
  gint64   best = search->best / search->step;
  guint64  nodes = search->nodes;
  gboolean given_up = search->given_up;

  load (search, histogram, space, c);
  if (turned)
    {
      search->step = (gint64) 1 << (search->dim - search->c);
      search->c = search->dim - search->c;
      transform (search->fold[0], search->dim);
    }
  search->best = best * search->step;
  search->nodes = nodes;
  search->stopped = search->given_up = given_up;
}

/* Cosets to try first, of all there are: what a side costs. */
static guint32
first_tries (TlRowKernelSearch *search)
{
  return search->c < 2 ? 0 : list_candidates (search, 0, heaviest_of (search, 0)).tries;
}

/* What was found since, if anything, by coordinates. */
static gboolean
take (TlRowKernelSearch *search, gboolean turned, TlSubspace *found)
{
  gboolean any = search->found;

  search->found = FALSE;
  if (!any)
    return FALSE;
  *found = tl_subspace_span (search->best_basis, search->c);
  if (turned)
    *found = tl_subspace_complement (found, search->dim);
  return TRUE;
}

/* The search from the side that has less to try, and from the other in turn where that takes long. Returns whether
 * one better than the best was found. */
static gboolean
search_from_sides (TlRowKernelSearch *search, const TlHistogram *histogram, const TlSubspace *space, guint c,
                   guint64 node_limit, TlSubspace *found)
{
  guint    small = MIN (search->c, space->dim - search->c);
  guint    large = space->dim - small;
  gboolean turned = small < search->c;
  gboolean both, any;
  gint64   total = 0;

  /* Sums over the larger side must stay below 2^27 too. */
  for (guint32 i = 0; i < 1u << search->dim; i++)
    total += search->fold[0][i];
  both = total <= (1 << 27) >> large;
  search->node_limit = node_limit;
  search->stopped = FALSE;
  if (turned)
    turn (search, histogram, space, c, TRUE);
  if (search->c > 2)
    climb (search);
  any = take (search, turned, found);
  if (both && first_tries (search) > MANY_TRIES)
    {
      guint32 tries = first_tries (search);

      turn (search, histogram, space, c, !turned);
      if ((guint64) first_tries (search) << (2 * (large - small)) < tries)
        turned = !turned;
      else
        turn (search, histogram, space, c, turned);
    }
  for (guint64 turn_work = TURN_WORK;; turn_work *= 2)
    {
      search->work_left = both ? turn_work : G_MAXUINT64;
      search_all (search, node_limit);
      any = take (search, turned, found) || any;
      if (!search->stopped || search->given_up || search->nodes >= node_limit)
        break;
      turned = !turned;
      turn (search, histogram, space, c, turned);
    }
  search->best /= search->step;
  return any;
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
  any = take (search, FALSE, &found);
  if (search->stopped && !search->given_up && search->nodes < node_limit)
    any = search_from_sides (search, histogram, domain_kernel, c, node_limit, &found) || any;
  *result = (TlRowKernel) { { 0 }, 0, search->nodes, !search->stopped };
  if (!any)
    return;
  result->weight = (guint64) search->best;
  for (guint i = 0; i < found.dim; i++)
    found.basis[i] = search->vectors[found.basis[i]];
  result->kernel = tl_subspace_span (found.basis, found.dim);
}

gboolean
tl_row_kernel_each (TlRowKernelSearch *search, const TlHistogram *histogram, const TlSubspace *domain_kernel, guint c,
                    guint64 weight, TlSubspaceVisit visit, gpointer data)
{
  load (search, histogram, domain_kernel, c);
  search->node_limit = G_MAXUINT64;
  search->best = (gint64) weight - 1;
  search->visit = visit;
  search->data = data;
  if (search->c > 0)
    branch (search, 0, heaviest_of (search, 0));
  else if (search->fold[0][0] == (gint64) weight)
    visit_kernel (search, 0);
  search->visit = NULL;
  return !search->stopped;
}
