/* Subspaces of GF(2)^n by reduced echelon bases, and all of one dimension in turn. */
#include "place/subspace.h"
#include "base/gf2.h"

#include <math.h>

TlSubspace
tl_subspace_span (const guint16 *vectors, guint n)
{
  TlSubspace space = { 0 };

  for (guint i = 0; i < n; i++)
    {
      guint16 v = vectors[i];
      guint   at;

      for (guint k = 0; k < space.dim; k++)
        v = MIN (v, v ^ space.basis[k]);
      if (v == 0)
        continue;
      /* Keep it reduced: the new pivot leaves the larger vectors, which stay in order. */
      guint16 pivot = (guint16) (1u << (31 - __builtin_clz (v)));
      for (at = space.dim; at > 0 && space.basis[at - 1] < v; at--)
        space.basis[at] = space.basis[at - 1];
      space.basis[at] = v;
      space.dim++;
      for (guint k = 0; k < at; k++)
        if (space.basis[k] & pivot)
          space.basis[k] ^= v;
    }
  return space;
}

TlSubspace
tl_subspace_complement (const TlSubspace *space, guint n)
{
  TlSubspace other = { 0 };
  guint32    pivots = 0;

  for (guint i = 0; i < space->dim; i++)
    pivots |= 1u << (31 - __builtin_clz (space->basis[i]));
  for (guint column = 0; column < n; column++)
    {
      if (pivots >> column & 1)
        continue;
      guint16 x = (guint16) (1u << column);
      for (guint i = 0; i < space->dim; i++)
        if (space->basis[i] >> column & 1)
          x |= (guint16) (1u << (31 - __builtin_clz (space->basis[i])));
      other.basis[other.dim++] = x;
    }
  return tl_subspace_span (other.basis, other.dim);
}

void
tl_subspace_vectors (const TlSubspace *space, guint16 *vectors)
{
  guint32 n = 1;

  vectors[0] = 0;
  for (guint k = space->dim; k-- > 0; n *= 2)
    for (guint32 i = 0; i < n; i++)
      vectors[n + i] = vectors[i] ^ space->basis[k];
}

gboolean
tl_subspace_contains (const TlSubspace *space, guint16 vector)
{
  for (guint k = 0; k < space->dim; k++)
    vector = MIN (vector, vector ^ space->basis[k]);
  return vector == 0;
}

gboolean
tl_subspace_inside (const TlSubspace *inner, const TlSubspace *outer)
{
  for (guint k = 0; k < inner->dim; k++)
    if (!tl_subspace_contains (outer, inner->basis[k]))
      return FALSE;
  return TRUE;
}

int
tl_subspace_compare (const TlSubspace *a, const TlSubspace *b)
{
  for (guint k = 0; k < MIN (a->dim, b->dim); k++)
    if (a->basis[k] != b->basis[k])
      return a->basis[k] < b->basis[k] ? -1 : 1;
  return (a->dim > b->dim) - (a->dim < b->dim);
}

double
tl_subspace_count (guint n, guint dim)
{
  double count = 1;

  if (dim > n)
    return 0;
  for (guint i = 0; i < dim; i++)
    count *= (exp2 (n - i) - 1) / (exp2 (i + 1) - 1);
  return round (count);
}

typedef struct
{
  TlSubspace      space;
  guint           n;
  guint32         pivots;
  gboolean        plain;
  TlSubspaceVisit visit;
  gpointer        data;
} Walk;

/* Fills basis[k] downto basis[0]: the vector with the most freedom changes fastest. */
static gboolean
fill (Walk *walk, guint left)
{
  if (left == 0)
    return walk->visit (&walk->space, walk->data);
  guint   k = left - 1;
  guint16 pivot = walk->space.basis[k];
  guint16 free_bits = (guint16) ((pivot - 1u) & ~walk->pivots);
  guint16 value = 0;

  do
    {
      walk->space.basis[k] = pivot | value;
      if (!fill (walk, k))
        return FALSE;
      value = (guint16) (((value | ~free_bits) + 1u) & free_bits);
    }
  while (value != 0 && !walk->plain);
  walk->space.basis[k] = pivot;
  return TRUE;
}

static gboolean
choose_pivots (Walk *walk, guint chosen, guint below)
{
  if (chosen == walk->space.dim)
    return fill (walk, walk->space.dim);
  for (guint bit = walk->space.dim - chosen - 1; bit < below; bit++)
    {
      walk->space.basis[chosen] = (guint16) (1u << bit);
      walk->pivots |= 1u << bit;
      gboolean go_on = choose_pivots (walk, chosen + 1, bit);
      walk->pivots &= ~(1u << bit);
      if (!go_on)
        return FALSE;
    }
  return TRUE;
}

gboolean
tl_subspace_each (guint n, guint dim, TlSubspaceVisit visit, gpointer data)
{
  Walk walk = { { .dim = dim }, n, 0, FALSE, visit, data };

  return dim > n || choose_pivots (&walk, 0, n);
}

gboolean
tl_subspace_each_plain (guint n, guint dim, TlSubspaceVisit visit, gpointer data)
{
  Walk walk = { { .dim = dim }, n, 0, TRUE, visit, data };

  return dim > n || choose_pivots (&walk, 0, n);
}
