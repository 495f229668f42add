/* The search against everything there is: on small spaces all maps, on 5 bits all flags. */
#include <stdlib.h>
#include <string.h>

#include "place/coset-weights.h"
#include "place/evaluate.h"
#include "place/plan.h"
#include "place/row-kernel.h"
#include "support/support.h"

static TlSequence *
random_sequence (guint64 *state, guint n, guint most)
{
  guint16 units[256];
  guint   length = 1 + (guint) tl_test_random_below (state, most);
  guint   few = 1 + (guint) tl_test_random_below (state, 1u << n);
  guint   step = 1 + (guint) tl_test_random_below (state, 1u << n);
  guint   style = (guint) tl_test_random_below (state, 3);

  for (guint i = 0; i < length; i++)
    {
      guint32 unit = (guint32) tl_test_random_below (state, few);
      if (style == 1)
        unit = i * step;
      else if (style == 2 && tl_test_random_below (state, 4) != 0)
        unit = i / 2 * step + i % 2;
      units[i] = (guint16) (unit & ((1u << n) - 1));
    }
  return tl_sequence_new (n, units, length);
}

typedef struct
{
  guint64 conflicts, coverage;
  guint   ones;
  /* dim H, then K, then H, as reduced bases with pivots descending. */
  guint   tie[1 + 2 * TL_PLACE_MAX_BITS];
} Keys;

static int
compare_keys (const Keys *a, const Keys *b)
{
  if (a->conflicts != b->conflicts)
    return a->conflicts < b->conflicts ? -1 : 1;
  if (a->coverage != b->coverage)
    return a->coverage > b->coverage ? -1 : 1;
  if (a->ones != b->ones)
    return a->ones < b->ones ? -1 : 1;
  for (guint i = 0; i < G_N_ELEMENTS (a->tie); i++)
    if (a->tie[i] != b->tie[i])
      return a->tie[i] < b->tie[i] ? -1 : 1;
  return 0;
}

static guint
parity_rows (const guint16 *rows, guint n, guint unit)
{
  guint value = 0;

  for (guint i = 0; i < n; i++)
    value |= (guint) __builtin_parity (rows[i] & unit) << i;
  return value;
}

/* The reduced basis of a set closed under XOR, found from the set: from the top, the smallest
 * member with a given leading bit and no other leading bit of the set. */
static guint
basis_of_set (guint64 set, guint n, guint *basis)
{
  guint leads = 0, dim = 0;

  for (guint v = 1; v < 1u << n; v++)
    if (set >> v & 1)
      leads |= 1u << (31 - __builtin_clz (v));
  for (guint bit = n; bit-- > 0;)
    for (guint v = 1u << bit; (leads >> bit & 1) && v < 2u << bit; v++)
      if ((set >> v & 1) && (v & leads) == 1u << bit)
        {
          basis[dim++] = v;
          break;
        }
  return dim;
}

static void
count_map (const TlSequence *sequence, const guint16 *rows, guint n_domain, guint n_row, Keys *keys)
{
  gint open[64];

  memset (open, -1, sizeof open);
  keys->conflicts = keys->coverage = 0;
  for (guint i = 0; i < sequence->length; i++)
    {
      guint domain = parity_rows (rows, n_domain, sequence->units[i]);
      gint  row = (gint) parity_rows (rows + n_domain, n_row, sequence->units[i]);
      keys->coverage += open[domain] < 0;
      keys->conflicts += open[domain] >= 0 && open[domain] != row;
      open[domain] = row;
    }
}

/* Over all invertible n x n matrices, n <= 4. */
static void
best_of_all_maps (const TlSequence *sequence, guint c, guint d, gboolean loose, Keys *best)
{
  guint    n = sequence->bits;
  gboolean first = TRUE;

  for (guint32 matrix = 0; matrix < 1u << n * n; matrix++)
    {
      guint16 rows[4];
      guint32 images = 0;

      for (guint i = 0; i < n; i++)
        rows[i] = (guint16) (matrix >> i * n & ((1u << n) - 1));
      for (guint u = 0; u < 1u << n; u++)
        images |= 1u << parity_rows (rows, n, u);
      if (images != (guint32) ((G_GUINT64_CONSTANT (1) << (1u << n)) - 1))
        continue;
      for (guint n_domain = 0; n_domain <= MIN (d, n); n_domain++)
        {
          guint dim_k = loose ? MIN (c, n - n_domain) : MIN (c, n);
          Keys  keys = { .ones = (guint) __builtin_popcount (matrix) };

          if (n_domain + dim_k > n)
            continue;
          count_map (sequence, rows, n_domain, n - n_domain - dim_k, &keys);
          guint64 kernel = 0, domain_kernel = 0;
          for (guint u = 0; u < 1u << n; u++)
            {
              domain_kernel |= (guint64) (parity_rows (rows, n_domain, u) == 0) << u;
              kernel |= (guint64) (parity_rows (rows, n - dim_k, u) == 0) << u;
            }
          keys.tie[0] = n - n_domain;
          basis_of_set (kernel, n, keys.tie + 1);
          basis_of_set (domain_kernel, n, keys.tie + 1 + TL_PLACE_MAX_BITS);
          if (first || compare_keys (&keys, best) < 0)
            *best = keys;
          first = FALSE;
        }
    }
}

static void
keys_of_plan (const TlFreePlan *plan, Keys *keys)
{
  *keys = (Keys) { plan->conflicts, plan->coverage, plan->placement.nonzeros, { plan->domain_kernel.dim } };
  for (guint i = 0; i < plan->kernel.dim; i++)
    keys->tie[1 + i] = plan->kernel.basis[i];
  for (guint i = 0; i < plan->domain_kernel.dim; i++)
    keys->tie[1 + TL_PLACE_MAX_BITS + i] = plan->domain_kernel.basis[i];
}

static void
check_all_maps (guint64 *state, guint n)
{
  g_autoptr (TlSequence) sequence = random_sequence (state, n, 30);
  TlPlanOptions     options = { .columns = (guint) tl_test_random_below (state, n + 2),
                                .domains = (guint) tl_test_random_below (state, n + 2),
                                .step_limit = TL_PLAN_STEP_LIMIT };
  TlFreePlan        plan;
  TlLoosePlan       loose;
  Keys              ours, wanted = { 0 }, trap = { 0 };
  TlPlacementCounts counts;

  tl_plan_free_domains (sequence, &options, &plan);
  tl_plan_loose (sequence, &options, NULL, &loose);
  keys_of_plan (&plan, &ours);
  best_of_all_maps (sequence, options.columns, options.domains, FALSE, &wanted);
  best_of_all_maps (sequence, options.columns, options.domains, TRUE, &trap);
  ck_assert (plan.exact && loose.exact);
  ck_assert_msg (compare_keys (&ours, &wanted) == 0,
                 "n %u c %u d %u: %" G_GUINT64_FORMAT "/%" G_GUINT64_FORMAT "/%u, not %" G_GUINT64_FORMAT
                 "/%" G_GUINT64_FORMAT "/%u",
                 n, options.columns, options.domains, ours.conflicts, ours.coverage, ours.ones, wanted.conflicts,
                 wanted.coverage, wanted.ones);
  ck_assert_uint_eq (loose.conflicts, trap.conflicts);
  ck_assert_uint_eq (loose.coverage, trap.coverage);
  ck_assert (tl_placement_evaluate (&plan.placement, sequence, &counts));
  ck_assert (counts.conflict == plan.conflicts && counts.miss == plan.coverage && counts.hit == plan.hits);
}

START_TEST (all_maps_of_few_bits)
{
  guint64 state = tl_test_seed ();

  for (guint i = 0; i < 200; i++)
    check_all_maps (&state, 1 + i % 3);
  for (guint i = 0; i < 25; i++)
    check_all_maps (&state, 4);
}
END_TEST

/* All subspaces of GF(2)^n, n <= 5, as sets of vectors, by adding vectors to smaller ones. */
static GArray *
all_subspaces (guint n)
{
  GArray *sets = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 zero = 1;

  g_array_append_val (sets, zero);
  for (guint i = 0; i < sets->len; i++)
    for (guint v = 1; v < 1u << n; v++)
      {
        guint32 set = g_array_index (sets, guint32, i), sum = set;
        if (set >> v & 1)
          continue;
        for (guint u = 0; u < 1u << n; u++)
          if (set >> u & 1)
            sum |= 1u << (u ^ v);
        gboolean known = FALSE;
        for (guint k = 0; k < sets->len && !known; k++)
          known = g_array_index (sets, guint32, k) == sum;
        if (!known)
          g_array_append_val (sets, sum);
      }
  return sets;
}

/* Smallest unit of each coset of a set. */
static void
cosets (guint32 set, guint n, guint8 *of)
{
  for (guint u = 0; u < 1u << n; u++)
    for (of[u] = 0; !(set >> (u ^ of[u]) & 1); of[u]++)
      ;
}

START_TEST (all_flags_of_five_bits)
{
  const guint n = 5;
  guint64     state = tl_test_seed () + 5;
  g_autoptr (GArray) sets = all_subspaces (n);

  ck_assert_uint_eq (sets->len, 374);
  guint8 (*of)[32] = g_malloc (sets->len * sizeof *of);
  for (guint i = 0; i < sets->len; i++)
    cosets (g_array_index (sets, guint32, i), n, of[i]);
  for (guint round = 0; round < tl_test_rounds (1000); round++)
    {
      g_autoptr (TlSequence) sequence = random_sequence (&state, n, 40);
      TlPlanOptions options = { .columns = (guint) tl_test_random_below (&state, n + 1),
                                .domains = (guint) tl_test_random_below (&state, n + 1),
                                .step_limit = TL_PLAN_STEP_LIMIT };
      TlFreePlan    plan;
      guint64       best = G_MAXUINT64, most = 0;

      tl_plan_free_domains (sequence, &options, &plan);
      for (guint h = 0; h < sets->len; h++)
        for (guint k = 0; k < sets->len; k++)
          {
            guint32 big = g_array_index (sets, guint32, h), small = g_array_index (sets, guint32, k);
            if ((small & ~big) != 0 || __builtin_popcount (small) != 1 << options.columns
                || __builtin_popcount (big) << options.domains < 1 << n)
              continue;
            guint8  open[32];
            guint64 conflicts = 0, coverage = 0;
            memset (open, 0xff, sizeof open);
            for (guint i = 0; i < sequence->length; i++)
              {
                guint unit = sequence->units[i], domain = of[h][unit];
                coverage += open[domain] == 0xff;
                conflicts += open[domain] != 0xff && open[domain] != of[k][unit];
                open[domain] = of[k][unit];
              }
            if (conflicts < best || (conflicts == best && coverage > most))
              {
                best = conflicts;
                most = coverage;
              }
          }
      ck_assert_uint_eq (plan.conflicts, best);
      ck_assert_uint_eq (plan.coverage, most);
      ck_assert (plan.exact);
    }
  g_free (of);
}
END_TEST

/* A fixed domain block: exact over all kernels, greedy never above it. */
static void
check_fixed (guint64 *state, guint n, guint rounds)
{
  g_autoptr (GArray) sets = all_subspaces (n);
  g_autoptr (TlHistogram) histogram = tl_histogram_new (n);
  g_autoptr (TlRowKernelSearch) search = tl_row_kernel_search_new (n);

  for (guint round = 0; round < tl_test_rounds (rounds); round++)
    {
      g_autoptr (TlSequence) sequence = random_sequence (state, n, 60);
      guint16 rows[3]
          = { (guint16) tl_test_random_below (state, 1u << n), (guint16) tl_test_random_below (state, 1u << n),
              (guint16) tl_test_random_below (state, 1u << n) };
      guint       n_rows = (guint) tl_test_random_below (state, 4);
      guint       c = (guint) tl_test_random_below (state, n + 1);
      TlSubspace  span = tl_subspace_span (rows, n_rows);
      TlSubspace  domain_kernel = tl_subspace_complement (&span, n);
      TlSubspace  greedy;
      TlRowKernel kernel;
      gint        last[8];
      guint       weight[32] = { 0 };
      guint64     best = 0;
      guint32     inside = 0;

      memset (last, -1, sizeof last);
      for (guint i = 0; i < sequence->length; i++)
        {
          guint domain = parity_rows (rows, n_rows, sequence->units[i]);
          if (last[domain] >= 0)
            weight[sequence->units[i] ^ (guint) last[domain]]++;
          last[domain] = sequence->units[i];
        }
      for (guint u = 0; u < 1u << n; u++)
        inside |= (guint32) (parity_rows (rows, n_rows, u) == 0) << u;
      guint dim = MIN (c, domain_kernel.dim);
      for (guint k = 0; k < sets->len; k++)
        {
          guint32 set = g_array_index (sets, guint32, k);
          guint64 sum = 0;
          if ((set & ~inside) != 0 || __builtin_popcount (set) != 1 << dim)
            continue;
          for (guint u = 0; u < 1u << n; u++)
            sum += set >> u & 1 ? weight[u] : 0;
          best = MAX (best, sum);
        }
      tl_histogram_count (histogram, sequence, rows, n_rows);
      tl_row_kernel_exact (search, histogram, &domain_kernel, c, 0, TL_ROW_KERNEL_NODE_LIMIT, &kernel);
      ck_assert_uint_eq (kernel.weight, best);
      ck_assert_uint_eq (kernel.kernel.dim, dim);
      ck_assert (tl_subspace_inside (&kernel.kernel, &domain_kernel));
      guint64 greedy_weight = tl_row_kernel_greedy (histogram, c, &greedy);
      ck_assert_uint_eq (tl_histogram_over (histogram, &greedy), greedy_weight);
      ck_assert_uint_le (greedy_weight, kernel.weight);
    }
}

START_TEST (fixed_domains)
{
  guint64 state = tl_test_seed () + 9;

  for (guint n = 1; n <= 4; n++)
    check_fixed (&state, n, 250);
  check_fixed (&state, 5, 1000);
}
END_TEST

typedef struct
{
  const TlHistogram *histogram;
  guint64            best;
  guint              n_best;
} Heaviest;

static gboolean
weigh (const TlSubspace *space, gpointer data)
{
  Heaviest *heaviest = data;
  guint64   weight = tl_histogram_over (heaviest->histogram, space);

  if (weight > heaviest->best)
    {
      heaviest->best = weight;
      heaviest->n_best = 0;
    }
  heaviest->n_best += weight == heaviest->best;
  return TRUE;
}

static gboolean
count_kernel (const TlSubspace *space, gpointer data)
{
  ++*(guint *) data;
  return TRUE;
}

static gboolean
refuse (gpointer data)
{
  return ++*(guint *) data < 3;
}

static TlSubspace
whole_space (guint n)
{
  TlSubspace whole = { .dim = n };

  for (guint i = 0; i < n; i++)
    whole.basis[i] = (guint16) (1u << (n - 1 - i));
  return whole;
}

/* Weights of vectors, by what they leave the bounds to hold on to. */
typedef enum
{
  FLAT,    /* hardly differ */
  BINARY,  /* 0 or 1: most bounds tie */
  COUNTED, /* by the number of ones: all large subspaces weigh nearly the same, as seen from one side */
  SPARSE,  /* few, of any size */
  PLANTED, /* a subspace stands out a little */
  N_KINDS,
} Kind;

static void
fill_weights (TlHistogram *histogram, guint64 *state, Kind kind)
{
  guint16    basis[3] = { (guint16) (1 + tl_test_random_below (state, (1u << histogram->bits) - 1)), 3, 12 };
  TlSubspace planted = tl_subspace_span (basis, 3);

  for (guint32 v = 0; v < 1u << histogram->bits; v++)
    {
      guint32 chance = (guint32) tl_test_random_below (state, 12);

      switch (kind)
        {
        case BINARY:
          histogram->weight[v] = chance & 1;
          break;
        case COUNTED:
          histogram->weight[v] = 30 + 5 * (guint32) __builtin_popcount (v) + chance % 3;
          break;
        case SPARSE:
          histogram->weight[v] = chance == 0 ? (guint32) tl_test_random_below (state, 1000) : 0;
          break;
        case PLANTED:
          histogram->weight[v] = 20 + chance + (tl_subspace_contains (&planted, (guint16) v) ? 4 : 0);
          break;
        default:
          histogram->weight[v] = 40 + chance;
        }
    }
}

/* The search against all subspaces. Returns its nodes. */
static guint64
check_weights (guint64 *state, guint n, guint c, Kind kind)
{
  g_autoptr (TlHistogram) histogram = tl_histogram_new (n);
  g_autoptr (TlRowKernelSearch) search = tl_row_kernel_search_new (n);
  TlSubspace  whole = whole_space (n);
  Heaviest    all = { .histogram = histogram };
  TlRowKernel kernel, other;
  TlSubspace  greedy;
  guint       n_each = 0;

  fill_weights (histogram, state, kind);
  tl_subspace_each (n, c, weigh, &all);
  tl_row_kernel_exact (search, histogram, &whole, c, 0, TL_ROW_KERNEL_NODE_LIMIT, &kernel);
  ck_assert (kernel.exact);
  ck_assert_uint_eq (kernel.weight, all.best);
  ck_assert_uint_eq (kernel.kernel.dim, c);
  ck_assert_uint_eq (tl_histogram_over (histogram, &kernel.kernel), all.best);
  ck_assert_uint_le (tl_row_kernel_greedy (histogram, c, &greedy), all.best);
  if (all.n_best < 100000)
    {
      ck_assert (tl_row_kernel_each (search, histogram, &whole, c, all.best, count_kernel, &n_each));
      ck_assert_uint_eq (n_each, all.n_best);
    }
  /* Asked for more than there is, for exactly that, and with an end set to the search. */
  tl_row_kernel_exact (search, histogram, &whole, c, all.best + 1, TL_ROW_KERNEL_NODE_LIMIT, &other);
  ck_assert (other.exact && other.weight == 0 && other.kernel.dim == 0);
  tl_row_kernel_exact (search, histogram, &whole, c, all.best, TL_ROW_KERNEL_NODE_LIMIT, &other);
  ck_assert (other.exact && other.weight == all.best && other.kernel.dim == c);
  tl_row_kernel_exact (search, histogram, &whole, c, 0, 20, &other);
  ck_assert_uint_eq (tl_histogram_over (histogram, &other.kernel), other.weight);
  ck_assert (other.kernel.dim == c && (other.exact ? other.weight == all.best : other.weight <= all.best));
  return kernel.nodes;
}

/* What makes the search climb, turn to the complement, or cover instead of trying the heaviest first. */
START_TEST (hard_weights)
{
  guint64 state = tl_test_seed () + 11;

  for (Kind kind = 0; kind < N_KINDS; kind++)
    for (guint c = 0; c <= 7; c++)
      for (guint round = 0; round < tl_test_rounds (10); round++)
        check_weights (&state, 7, c, kind);
  for (Kind kind = 0; kind < N_KINDS; kind++)
    for (guint c = 3; c <= 5; c++)
      check_weights (&state, 8, c, kind);
  ck_assert_uint_gt (check_weights (&state, 9, 4, FLAT), 100);
}
END_TEST

/* The numbers of cosets and sums of weights, as plainly as by the machine's wider instructions. */
START_TEST (cosets_are_the_same_widely)
{
  guint64 state = tl_test_seed () + 13;
  gint32  in[256], out[2][128];
  guint64 keys[2][256];

  if (!tl_coset_wide ())
    {
      tl_test_skip ("no wider instructions on this machine");
      return;
    }
  for (guint round = 0; round < tl_test_rounds (2000); round++)
    {
      guint32 size = 2u << tl_test_random_below (&state, 8);
      guint32 vector = 1 + (guint32) tl_test_random_below (&state, size - 1);
      gint32  threshold = (gint32) tl_test_random_below (&state, 2000) - 1000;

      for (guint32 i = 0; i < size; i++)
        in[i] = tl_test_random_below (&state, 5) == 0 ? TL_COSET_FORBIDDEN
                                                      : (gint32) tl_test_random_below (&state, 2000) - 1000;
      ck_assert_int_eq (tl_coset_fold (TRUE, in, size, vector, out[1]),
                        tl_coset_fold (FALSE, in, size, vector, out[0]));
      ck_assert_mem_eq (out[0], out[1], size / 2 * sizeof out[0][0]);
      guint32 n = tl_coset_list (FALSE, in, size, threshold, keys[0]);
      ck_assert_uint_eq (tl_coset_list (TRUE, in, size, threshold, keys[1]), n);
      ck_assert_mem_eq (keys[0], keys[1], n * sizeof keys[0][0]);
      tl_coset_sort (keys[0], n);
      for (guint32 i = 0; i < n; i++)
        {
          guint32 number = tl_coset_key_number (keys[0][i]);

          ck_assert (number > 0 && in[number] >= threshold && in[number] == tl_coset_key_weight (keys[0][i]));
          ck_assert (i == 0 || keys[0][i] < keys[0][i - 1]);
        }
    }
}
END_TEST

/* The watch stops a search of one domain map; what was met until then is a kernel. */
START_TEST (a_fixed_search_stops)
{
  const guint n = 12;
  TlSubspace  whole = whole_space (n);
  guint64     state = tl_test_seed () + 12;
  guint       asked = 0;
  TlRowKernel kernel;
  g_autoptr (TlHistogram) histogram = tl_histogram_new (n);
  g_autoptr (TlRowKernelSearch) search = tl_row_kernel_search_new (n);

  for (guint32 v = 0; v < 1u << n; v++)
    histogram->weight[v] = 50 + (guint32) tl_test_random_below (&state, 2);
  tl_row_kernel_search_watch (search, refuse, &asked);
  tl_row_kernel_exact (search, histogram, &whole, 6, 0, TL_ROW_KERNEL_NODE_LIMIT, &kernel);
  ck_assert_uint_eq (asked, 3);
  ck_assert (!kernel.exact && kernel.kernel.dim == 6);
  ck_assert_uint_eq (tl_histogram_over (histogram, &kernel.kernel), kernel.weight);
}
END_TEST

/* Every subspace comes once, and as many as the Gaussian binomial says. */
static gboolean
count_one (const TlSubspace *space, gpointer data)
{
  guint     *count = data;
  TlSubspace again = tl_subspace_span (space->basis, space->dim);

  (*count)++;
  ck_assert_int_eq (tl_subspace_compare (space, &again), 0);
  return TRUE;
}

START_TEST (subspaces_are_counted)
{
  for (guint n = 1; n <= 6; n++)
    for (guint dim = 0; dim <= n; dim++)
      {
        guint count = 0;
        ck_assert (tl_subspace_each (n, dim, count_one, &count));
        ck_assert_uint_eq (count, (guint) tl_subspace_count (n, dim));
      }
}
END_TEST

/* A scan of 64 units on 8 domains with rows of 4 ties however columns and domains are picked; each candidate is
 * another map with the counts it says, and all picks of unit bits that tie are there. */
START_TEST (candidates)
{
  guint16           units[64];
  TlPlanOptions     options = { .columns = 2, .domains = 3, .step_limit = TL_PLAN_STEP_LIMIT };
  TlFreePlan        plan;
  TlPlacementCounts counts;
  guint             ties = 0;

  for (guint i = 0; i < 64; i++)
    units[i] = (guint16) i;
  g_autoptr (TlSequence) scan = tl_sequence_new (6, units, 64);
  tl_plan_free_domains (scan, &options, &plan);
  g_autoptr (GArray) few = tl_plan_candidates (scan, &options, &plan, 3);
  g_autoptr (GArray) all = tl_plan_candidates (scan, &options, &plan, 1000);
  ck_assert_uint_eq (few->len, 3);
  ck_assert (memcmp (few->data, all->data, sizeof (TlFreePlan)) == 0);
  for (guint i = 0; i < all->len; i++)
    {
      const TlFreePlan *one = &g_array_index (all, TlFreePlan, i);
      ck_assert (tl_placement_evaluate (&one->placement, scan, &counts));
      ck_assert (counts.conflict == plan.conflicts && counts.coverage == plan.coverage && counts.hit == one->hits);
      ck_assert (one->conflicts == plan.conflicts && one->coverage == plan.coverage && one->placement.nonzeros == 6);
      for (guint k = 0; k < i; k++)
        {
          const TlFreePlan *other = &g_array_index (all, TlFreePlan, k);
          ck_assert (tl_subspace_compare (&one->kernel, &other->kernel) != 0
                     || tl_subspace_compare (&one->domain_kernel, &other->domain_kernel) != 0);
          if (k > 0)
            ck_assert_uint_ge (one->domain_kernel.dim, other->domain_kernel.dim);
        }
    }
  /* By hand: a column set, and a domain set beside it; what is left is the row. */
  for (guint columns = 0; columns < 64; columns++)
    for (guint domains = 0; domains < 64; domains++)
      {
        guint       picked[3] = { domains, 63 & ~(columns | domains), columns };
        TlPlacement map = { .bits = 6, .n_domain = 3, .n_row = 1, .n_column = 2 };
        guint       n = 0;
        if ((columns & domains) != 0 || __builtin_popcount (columns) != 2 || __builtin_popcount (domains) != 3)
          continue;
        for (guint part = 0; part < 3; part++)
          for (guint b = 0; b < 6; b++)
            if (picked[part] >> b & 1)
              map.rows[n++] = (guint16) (1u << b);
        ck_assert (tl_placement_evaluate (&map, scan, &counts));
        ties += counts.conflict == plan.conflicts && counts.coverage == plan.coverage;
      }
  ck_assert_uint_gt (ties, 1);
  ck_assert_uint_eq (all->len, ties);
}
END_TEST

static gboolean
never (double fraction, gpointer data)
{
  return FALSE;
}

/* Out of steps or stopped: still a right map with right counts, said to be inexact. Large spaces
 * with a plain answer are exact all the same. */
START_TEST (limits)
{
  guint64             state = tl_test_seed () + 16;
  g_autofree guint16 *units = g_new (guint16, 65536);
  TlFreePlan          plan;
  TlPlacementCounts   counts;

  for (guint i = 0; i < 512; i++)
    units[i] = (guint16) tl_test_random_below (&state, 512);
  g_autoptr (TlSequence) hard = tl_sequence_new (9, units, 512);
  for (guint i = 0; i < 3; i++)
    {
      TlPlanOptions options = { .columns = 3,
                                .domains = 3,
                                .step_limit = i == 0   ? 1
                                              : i == 1 ? 2000000
                                                       : G_MAXUINT64,
                                .progress = i == 2 ? never : NULL };
      tl_plan_free_domains (hard, &options, &plan);
      ck_assert (!plan.exact);
      ck_assert (tl_placement_evaluate (&plan.placement, hard, &counts));
      ck_assert (counts.conflict == plan.conflicts && counts.coverage == plan.coverage);
      ck_assert_uint_eq (plan.kernel.dim, 3);
    }
  for (guint i = 0; i < 65536; i++)
    units[i] = (guint16) i;
  g_autoptr (TlSequence) scan = tl_sequence_new (16, units, 65536);
  TlPlanOptions options = { .columns = 3, .domains = 13, .step_limit = TL_PLAN_STEP_LIMIT };
  tl_plan_free_domains (scan, &options, &plan);
  ck_assert (plan.exact && plan.conflicts == 0 && plan.coverage == 8192 && plan.placement.nonzeros == 16);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("place-plan");
  TCase *cases = tcase_create ("search");

  tcase_set_timeout (cases, 100);
  tcase_add_test (cases, all_maps_of_few_bits);
  tcase_add_test (cases, all_flags_of_five_bits);
  tcase_add_test (cases, fixed_domains);
  tcase_add_test (cases, hard_weights);
  tcase_add_test (cases, cosets_are_the_same_widely);
  tcase_add_test (cases, a_fixed_search_stops);
  tcase_add_test (cases, subspaces_are_counted);
  tcase_add_test (cases, candidates);
  tcase_add_test (cases, limits);
  suite_add_tcase (suite, cases);
  return tl_test_run (suite);
}
