/* PLAN with free domains: domain maps of the most domain bits first, seeded by those
 * that pick unit bits, then all of them, then those of fewer bits where they could
 * still win by ones. */
#include "place/plan.h"
#include "place/row-kernel.h"

#include <math.h>
#include <string.h>

typedef struct
{
  const TlSequence    *sequence;
  TlSequence          *distinct;
  const TlPlanOptions *options;
  TlHistogram         *histogram;
  TlRowKernelSearch   *kernels;
  TlByOnes            *order;
  guint                n;
  guint                c; /* dim K */
  TlFreePlan          *best;
  gboolean             settled; /* the first two keys are final: only ones and ties are open */
  guint64              steps;
  double               expected; /* blocks of the enumeration under way */
  guint64              done;
  gboolean             stopped;
  /* The domain map at hand. */
  TlSubspace           domain_kernel;
  guint16              rows[TL_PLACE_MAX_BITS]; /* its domain rows, fewest ones */
  guint                ones;                    /* in them */
} Search;

static gboolean
go_on (Search *search, guint64 steps)
{
  search->steps += steps;
  if (search->steps > search->options->step_limit)
    search->stopped = TRUE;
  return !search->stopped;
}

/* What the rows of this domain map may hold at most for it to matter: later keys
 * break a tie only against a domain kernel that is not smaller. */
static guint
ones_allowed (const Search *search)
{
  const TlFreePlan *best = search->best;
  guint             others = search->domain_kernel.dim;
  gboolean          strictly = best->domain_kernel.dim < search->domain_kernel.dim;
  guint             most = best->placement.nonzeros - strictly;

  return most >= others ? most - others : 0;
}

static gboolean
comes_before (const TlSubspace *kernel, const TlSubspace *domain_kernel, const TlFreePlan *best)
{
  if (domain_kernel->dim != best->domain_kernel.dim)
    return domain_kernel->dim < best->domain_kernel.dim;
  int order = tl_subspace_compare (kernel, &best->kernel);
  return order != 0 ? order < 0 : tl_subspace_compare (domain_kernel, &best->domain_kernel) < 0;
}

/* A flag with the best first two keys. */
static gboolean
judge_kernel (const TlSubspace *kernel, gpointer data)
{
  Search     *search = data;
  TlFreePlan *best = search->best;
  guint       fixed = search->ones + search->c;
  guint16     rows[TL_PLACE_MAX_BITS];
  guint       n_domain = search->n - search->domain_kernel.dim;

  gboolean more_steps = go_on (search, 32);

  if (fixed > best->placement.nonzeros)
    return more_steps;
  memcpy (rows, search->rows, sizeof rows);
  guint more = tl_completion_extend (search->order, kernel, rows, n_domain, best->placement.nonzeros - fixed);
  if (more == G_MAXUINT)
    return more_steps;
  if (fixed + more == best->placement.nonzeros && !comes_before (kernel, &search->domain_kernel, best))
    return more_steps;
  best->kernel = *kernel;
  best->domain_kernel = search->domain_kernel;
  best->placement.nonzeros = fixed + more;
  return more_steps;
}

/* Kernels spanned by unit vectors, of exactly @weight, inside a domain kernel that is. */
static void
judge_plain_kernels (Search *search, guint64 weight)
{
  guint16 units[TL_PLACE_MAX_BITS];
  guint   n = search->domain_kernel.dim;

  for (guint i = 0; i < n; i++)
    units[i] = search->domain_kernel.basis[n - 1 - i];
  for (guint32 choice = (1u << search->c) - 1; choice < 1u << n;)
    {
      TlSubspace kernel = { 0 };

      for (guint i = n; i-- > 0;)
        if (choice >> i & 1)
          kernel.basis[kernel.dim++] = units[i];
      if (!go_on (search, 1u << search->c))
        return;
      if (tl_histogram_over (search->histogram, &kernel) == weight)
        judge_kernel (&kernel, search);
      if (choice == 0)
        return;
      /* The next number with as many ones. */
      guint32 low = choice & -choice;
      guint32 ripple = choice + low;
      choice = ripple | ((choice ^ ripple) >> 2) / low;
    }
}

static void
judge_kernels (Search *search, guint64 weight)
{
  guint n_domain = search->n - search->domain_kernel.dim;

  search->ones = tl_completion_extend (search->order, &search->domain_kernel, search->rows, 0, ones_allowed (search));
  if (search->ones == G_MAXUINT)
    return;
  if (search->domain_kernel.dim == search->c)
    {
      judge_kernel (&search->domain_kernel, search);
      return;
    }
  if (search->ones == n_domain)
    judge_plain_kernels (search, weight);
  /* One 1 a row is the least there is: only unit vectors reach it. */
  if (search->best->placement.nonzeros == search->n)
    return;
  if (!tl_row_kernel_each (search->kernels, search->histogram, &search->domain_kernel, search->c, weight, judge_kernel,
                           search))
    search->stopped = TRUE;
}

static gboolean
tell (Search *search)
{
  const TlPlanOptions *options = search->options;

  if (options->progress != NULL
      && !options->progress (MIN (1.0, (double) search->done / search->expected), options->data))
    search->stopped = TRUE;
  return !search->stopped;
}

static gboolean
tell_search (gpointer data)
{
  return tell (data);
}

/* One domain map, by the span of its rows. */
static gboolean
judge_domains (const TlSubspace *rows, gpointer data)
{
  Search           *search = data;
  TlFreePlan       *best = search->best;
  gboolean          fills_row = search->n - rows->dim == search->c;
  /* Where a domain is one row nothing conflicts, and only which units occur matters. */
  const TlSequence *sequence = fills_row ? search->distinct : search->sequence;
  guint64           length = search->sequence->length;

  if ((++search->done & 0xfff) == 0)
    tell (search);
  search->domain_kernel = tl_subspace_complement (rows, search->n);
  if (search->settled)
    {
      guint16 scratch[TL_PLACE_MAX_BITS];
      if (!go_on (search, 16))
        return FALSE;
      if (tl_completion_extend (search->order, &search->domain_kernel, scratch, 0, ones_allowed (search)) == G_MAXUINT)
        return TRUE;
    }
  best->blocks++;
  tl_histogram_count (search->histogram, sequence, rows->basis, rows->dim);
  if (!go_on (search, sequence->length + (1u << search->n) / 8 + 32) && best->conflicts != G_MAXUINT64)
    return FALSE;

  guint64     coverage = search->histogram->coverage;
  guint64     needed = length - coverage > best->conflicts ? length - coverage - best->conflicts : 0;
  guint64     conflicts = 0;
  guint64     weight = 0;
  TlRowKernel kernel = { .kernel = search->domain_kernel };
  if (!fills_row)
    {
      needed += coverage < best->coverage;
      tl_row_kernel_exact (search->kernels, search->histogram, &search->domain_kernel, search->c, needed,
                           MIN (TL_ROW_KERNEL_NODE_LIMIT, search->options->step_limit / 8 + 1000), &kernel);
      best->nodes += kernel.nodes;
      go_on (search, 8 * kernel.nodes);
      if (!kernel.exact)
        search->stopped = TRUE;
      if (kernel.kernel.dim != search->c)
        return !search->stopped;
      weight = kernel.weight;
      conflicts = length - coverage - weight;
    }
  if (conflicts > best->conflicts || (conflicts == best->conflicts && coverage < best->coverage))
    return !search->stopped;
  if (conflicts < best->conflicts || coverage > best->coverage)
    {
      best->conflicts = conflicts;
      best->coverage = coverage;
      best->placement.nonzeros = G_MAXUINT16;
      best->domain_kernel.dim = search->n;
      search->ones = tl_completion_extend (search->order, &search->domain_kernel, search->rows, 0, G_MAXUINT16);
      judge_kernel (&kernel.kernel, search);
    }
  judge_kernels (search, weight);
  return !search->stopped;
}

typedef struct
{
  Search    *search;
  TlSubspace rows; /* of the map whose neighbours are looked at */
} Neighbours;

/* @part picks all but one dimension of the rows; a vector outside fills it up again. */
static gboolean
exchange (const TlSubspace *part, gpointer data)
{
  Neighbours *around = data;
  Search     *search = around->search;
  guint16     left[TL_PLACE_MAX_BITS] = { 0 };

  for (guint i = 0; i < part->dim; i++)
    for (guint k = 0; k < around->rows.dim; k++)
      if (part->basis[i] >> k & 1)
        left[i] ^= around->rows.basis[k];
  TlSubspace others = tl_subspace_span (left, part->dim);
  for (guint32 v = 1; v < 1u << search->n && !search->stopped; v++)
    {
      guint16 smallest = (guint16) v;
      for (guint k = 0; k < others.dim; k++)
        smallest = MIN (smallest, smallest ^ others.basis[k]);
      if (smallest != v)
        continue;
      left[part->dim] = (guint16) v;
      TlSubspace next = tl_subspace_span (left, part->dim + 1);
      judge_domains (&next, search);
    }
  return !search->stopped;
}

/* Goes to the best domain map that differs in one dimension until none is better. */
static void
improve (Search *search, guint n_domain)
{
  Neighbours around = { .search = search };
  TlFreePlan before;

  if (n_domain == 0)
    return;
  do
    {
      before = *search->best;
      around.rows = tl_subspace_complement (&before.domain_kernel, search->n);
      search->expected = tl_subspace_count (n_domain, 1) * exp2 (search->n - n_domain + 1);
      search->done = 0;
      tl_subspace_each (n_domain, n_domain - 1, exchange, &around);
    }
  while (!search->stopped
         && (before.conflicts != search->best->conflicts || before.coverage != search->best->coverage
             || before.placement.nonzeros != search->best->placement.nonzeros));
}

/* Whether all domain maps of @n_domain rows can be looked at within what is left. */
static gboolean
affordable (Search *search, guint n_domain, guint32 length)
{
  double blocks = tl_subspace_count (search->n, n_domain);
  double each = search->settled ? 32 : length + (1u << search->n) / 8.0 + 64;

  search->expected = MAX (blocks, 1);
  search->done = 0;
  return search->steps + blocks * each <= (double) search->options->step_limit;
}

static void
search_all (Search *search)
{
  TlFreePlan *best = search->best;
  guint       most = MIN (search->options->domains, search->n - search->c);
  gboolean    fills_row = search->n - most == search->c;
  guint64     all = MIN ((guint64) search->distinct->length, G_GUINT64_CONSTANT (1) << most);

  search->expected = 1e9;
  tl_subspace_each_plain (search->n, most, judge_domains, search);
  /* An activation serves at most a row of the units that occur, and no more than all domains open
   * without a conflict: as good as that is as good as it gets. */
  guint64 rows = (search->distinct->length + ((G_GUINT64_CONSTANT (1) << search->c) - 1)) >> search->c;
  search->settled = best->coverage == all && best->conflicts == (rows > all ? rows - all : 0);
  if (!(search->settled && best->placement.nonzeros == search->n))
    {
      if (affordable (search, most, fills_row ? search->distinct->length : search->sequence->length))
        tl_subspace_each (search->n, most, judge_domains, search);
      else
        {
          improve (search, most);
          best->exact = FALSE;
        }
    }
  search->settled = TRUE;
  for (guint n_domain = most; n_domain-- > 0 && !search->stopped;)
    {
      /* Fewer domains than are in use cannot hold the coverage. */
      if (best->placement.nonzeros == search->n || best->coverage > 1u << n_domain)
        break;
      search->expected = 1e9;
      tl_subspace_each_plain (search->n, n_domain, judge_domains, search);
      if (best->placement.nonzeros == search->n)
        break;
      if (affordable (search, n_domain, search->sequence->length))
        tl_subspace_each (search->n, n_domain, judge_domains, search);
      else
        best->exact = FALSE;
    }
}

void
tl_plan_free_domains (const TlSequence *sequence, const TlPlanOptions *options, TlFreePlan *plan)
{
  g_autoptr (TlSequence) distinct = tl_sequence_distinct (sequence);
  g_autoptr (TlHistogram) histogram = tl_histogram_new (sequence->bits);
  g_autoptr (TlRowKernelSearch) kernels = tl_row_kernel_search_new (sequence->bits);
  g_autoptr (TlByOnes) order = tl_by_ones_new (sequence->bits);
  Search search = {
    .sequence = sequence,
    .distinct = distinct,
    .options = options,
    .histogram = histogram,
    .kernels = kernels,
    .order = order,
    .n = sequence->bits,
    .c = MIN (options->columns, sequence->bits),
    .best = plan,
    .expected = 1,
  };

  *plan = (TlFreePlan) { .conflicts = G_MAXUINT64, .exact = TRUE };
  plan->placement.nonzeros = G_MAXUINT16;
  plan->domain_kernel.dim = search.n;
  tl_row_kernel_search_watch (kernels, tell_search, &search);
  search_all (&search);
  if (search.stopped)
    plan->exact = FALSE;
  plan->hits = sequence->length - plan->coverage - plan->conflicts;
  tl_completion_of_flag (order, &plan->kernel, &plan->domain_kernel, &plan->placement);
}

typedef struct
{
  const TlSequence    *distinct;
  const TlPlanOptions *options;
  TlHistogram         *histogram;
  guint64              coverage;
  guint64              most;
  guint64              steps;
  guint64              done;
  gboolean             stopped;
} Spread;

static gboolean
judge_spread (const TlSubspace *rows, gpointer data)
{
  Spread *spread = data;

  tl_histogram_count (spread->histogram, spread->distinct, rows->basis, rows->dim);
  spread->coverage = MAX (spread->coverage, spread->histogram->coverage);
  spread->steps += spread->distinct->length + (1u << spread->distinct->bits) / 8;
  spread->stopped = spread->steps > spread->options->step_limit
                    || ((++spread->done & 0xfff) == 0 && spread->options->progress != NULL
                        && !spread->options->progress (-1, spread->options->data));
  return !spread->stopped && spread->coverage < spread->most;
}

void
tl_plan_loose (const TlSequence *sequence, const TlPlanOptions *options, const TlFreePlan *plan, TlLoosePlan *loose)
{
  guint n = sequence->bits;
  guint c = MIN (options->columns, n);
  guint n_domain = MIN (options->domains, n);

  if (n_domain <= n - c)
    {
      TlFreePlan own;

      if (plan == NULL)
        {
          tl_plan_free_domains (sequence, options, &own);
          plan = &own;
        }
      *loose = (TlLoosePlan) { plan->conflicts, plan->coverage, plan->exact };
      return;
    }
  /* A domain kernel smaller than a row is a row: no conflicts, as many domains as can be touched. */
  g_autoptr (TlSequence) distinct = tl_sequence_distinct (sequence);
  g_autoptr (TlHistogram) histogram = tl_histogram_new (n);
  Spread spread = { .distinct = distinct,
                    .options = options,
                    .histogram = histogram,
                    .most = MIN ((guint64) distinct->length, G_GUINT64_CONSTANT (1) << n_domain) };
  tl_subspace_each_plain (n, n_domain, judge_spread, &spread);
  if (spread.coverage < spread.most && !spread.stopped)
    tl_subspace_each (n, n_domain, judge_spread, &spread);
  *loose = (TlLoosePlan) { 0, spread.coverage, !spread.stopped || spread.coverage == spread.most };
}
