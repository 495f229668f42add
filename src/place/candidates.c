/* Maps that tie with the best one in conflicts and domains, among those that pick unit bits. */
#include "place/histogram.h"
#include "place/plan.h"

typedef struct
{
  const TlSequence    *sequence;
  const TlPlanOptions *options;
  const TlFreePlan    *plan;
  TlHistogram         *histogram;
  TlSubspace           domain_kernel;
  GArray              *found; /* of TlFreePlan; only the subspaces of each are set */
  guint                c;     /* dim K */
  guint64              steps;
  gboolean             stopped;
} Picking;

static gboolean
go_on (Picking *picking, guint64 steps)
{
  const TlPlanOptions *options = picking->options;
  guint64              before = picking->steps;

  picking->steps += steps;
  if (picking->steps > options->step_limit
      || (before >> 22 != picking->steps >> 22 && options->progress != NULL && !options->progress (-1, options->data)))
    picking->stopped = TRUE;
  return !picking->stopped;
}

/* @choice picks the basis vectors of H, unit vectors, that span K. */
static gboolean
pick_kernel (const TlSubspace *choice, gpointer data)
{
  Picking   *picking = data;
  TlFreePlan one = { .domain_kernel = picking->domain_kernel };
  guint      dim = picking->domain_kernel.dim;

  for (guint i = 0; i < choice->dim; i++)
    one.kernel.basis[i] = picking->domain_kernel.basis[dim - 1 - (guint) __builtin_ctz (choice->basis[i])];
  one.kernel.dim = choice->dim;
  if (tl_histogram_over (picking->histogram, &one.kernel) != picking->plan->hits)
    return go_on (picking, 1u << picking->c);
  if (tl_subspace_compare (&one.kernel, &picking->plan->kernel) != 0
      || tl_subspace_compare (&one.domain_kernel, &picking->plan->domain_kernel) != 0)
    g_array_append_val (picking->found, one);
  return go_on (picking, 1u << picking->c);
}

static gboolean
pick_domains (const TlSubspace *rows, gpointer data)
{
  Picking *picking = data;
  guint    n = picking->sequence->bits;

  tl_histogram_count (picking->histogram, picking->sequence, rows->basis, rows->dim);
  if (!go_on (picking, picking->sequence->length + (1u << n) / 8))
    return FALSE;
  if (picking->histogram->coverage != picking->plan->coverage)
    return TRUE;
  picking->domain_kernel = tl_subspace_complement (rows, n);
  if (picking->c == 0)
    {
      TlSubspace none = { 0 };
      return pick_kernel (&none, picking);
    }
  return tl_subspace_each_plain (n - rows->dim, picking->c, pick_kernel, picking);
}

static int
compare_flags (gconstpointer a, gconstpointer b)
{
  const TlFreePlan *x = a, *y = b;
  int               order;

  if (x->domain_kernel.dim != y->domain_kernel.dim)
    return x->domain_kernel.dim < y->domain_kernel.dim ? -1 : 1;
  order = tl_subspace_compare (&x->kernel, &y->kernel);
  return order != 0 ? order : tl_subspace_compare (&x->domain_kernel, &y->domain_kernel);
}

GArray *
tl_plan_candidates (const TlSequence *sequence, const TlPlanOptions *options, const TlFreePlan *plan, guint most)
{
  guint n = sequence->bits;
  g_autoptr (TlHistogram) histogram = tl_histogram_new (n);
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (TlFreePlan));
  g_autoptr (TlByOnes) order = tl_by_ones_new (n);
  GArray *candidates = g_array_new (FALSE, FALSE, sizeof (TlFreePlan));
  Picking picking = { .sequence = sequence,
                      .options = options,
                      .plan = plan,
                      .histogram = histogram,
                      .found = found,
                      .c = plan->kernel.dim };

  /* More domain bits stand before fewer, so the rest is only looked at where there are too few. */
  for (guint n_domain = MIN (options->domains, n - picking.c) + 1; n_domain-- > 0 && found->len + 1 < most;)
    if (!picking.stopped)
      tl_subspace_each_plain (n, n_domain, pick_domains, &picking);
  g_array_sort (found, compare_flags);
  if (most > 0)
    g_array_append_val (candidates, *plan);
  for (guint i = 0; i < found->len && candidates->len < most; i++)
    {
      TlFreePlan one = *plan;

      one.kernel = g_array_index (found, TlFreePlan, i).kernel;
      one.domain_kernel = g_array_index (found, TlFreePlan, i).domain_kernel;
      tl_completion_of_flag (order, &one.kernel, &one.domain_kernel, &one.placement);
      g_array_append_val (candidates, one);
    }
  return candidates;
}
