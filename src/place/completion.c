/* Minimum-weight completion of a flag to an invertible map. */
#include "place/completion.h"
#include "base/gf2.h"

TlByOnes *
tl_by_ones_new (guint bits)
{
  g_return_val_if_fail (bits >= 1 && bits <= TL_PLACE_MAX_BITS, NULL);
  TlByOnes *order = g_new (TlByOnes, 1);
  guint32   n = 0;

  order->bits = bits;
  order->n = (1u << bits) - 1;
  order->vectors = g_new (guint16, order->n);
  for (guint ones = 1; ones <= bits; ones++)
    for (guint32 v = 1; v <= order->n; v++)
      if ((guint) __builtin_popcount (v) == ones)
        order->vectors[n++] = (guint16) v;
  return order;
}

void
tl_by_ones_free (TlByOnes *order)
{
  if (order == NULL)
    return;
  g_free (order->vectors);
  g_free (order);
}

static gboolean
annihilates (guint16 vector, const TlSubspace *space)
{
  for (guint k = 0; k < space->dim; k++)
    if (tl_gf2_parity (vector & space->basis[k]))
      return FALSE;
  return TRUE;
}

guint
tl_completion_extend (const TlByOnes *order, const TlSubspace *space, guint16 *rows, guint n_rows, guint at_most)
{
  guint16 echelon[TL_PLACE_MAX_BITS];
  guint   n_echelon = 0;
  guint   target = order->bits - space->dim;
  guint   ones = 0;

  for (guint i = 0; i < n_rows; i++)
    {
      guint16 v = rows[i];
      for (guint k = 0; k < n_echelon; k++)
        v = MIN (v, v ^ echelon[k]);
      echelon[n_echelon++] = v;
    }
  for (guint32 i = 0; n_rows < target; i++)
    {
      guint16 candidate = order->vectors[i];
      guint16 v = candidate;
      guint   more = (guint) __builtin_popcount (candidate);

      if (ones + more * (target - n_rows) > at_most)
        return G_MAXUINT;
      if (!annihilates (candidate, space))
        continue;
      for (guint k = 0; k < n_echelon; k++)
        v = MIN (v, v ^ echelon[k]);
      if (v == 0)
        continue;
      echelon[n_echelon++] = v;
      rows[n_rows++] = candidate;
      ones += more;
    }
  return ones;
}

void
tl_completion_of_flag (const TlByOnes *order, const TlSubspace *kernel, const TlSubspace *domain_kernel,
                       TlPlacement *placement)
{
  TlSubspace zero = { 0 };
  guint      n = order->bits;

  g_return_if_fail (tl_subspace_inside (kernel, domain_kernel));
  placement->bits = n;
  placement->n_domain = n - domain_kernel->dim;
  placement->n_row = domain_kernel->dim - kernel->dim;
  placement->n_column = kernel->dim;
  placement->nonzeros = tl_completion_extend (order, domain_kernel, placement->rows, 0, G_MAXUINT16);
  placement->nonzeros += tl_completion_extend (order, kernel, placement->rows, placement->n_domain, G_MAXUINT16);
  placement->nonzeros += tl_completion_extend (order, &zero, placement->rows, n - kernel->dim, G_MAXUINT16);
}

void
tl_placement_flag (const TlPlacement *placement, TlSubspace *kernel, TlSubspace *domain_kernel)
{
  TlSubspace domains = tl_subspace_span (placement->rows, placement->n_domain);
  TlSubspace rows = tl_subspace_span (placement->rows, placement->n_domain + placement->n_row);

  *domain_kernel = tl_subspace_complement (&domains, placement->bits);
  *kernel = tl_subspace_complement (&rows, placement->bits);
}

void
tl_placement_identity (guint bits, guint c, guint d, TlPlacement *placement)
{
  guint column = MIN (c, bits);
  guint domain = MIN (d, bits - column);
  guint at = 0;

  *placement = (TlPlacement) { bits, domain, bits - column - domain, column, { 0 }, bits };
  for (guint i = 0; i < domain; i++)
    placement->rows[at++] = (guint16) (1u << (column + i));
  for (guint i = column + domain; i < bits; i++)
    placement->rows[at++] = (guint16) (1u << i);
  for (guint i = 0; i < column; i++)
    placement->rows[at++] = (guint16) (1u << i);
}
