/* Products of layouts and their quotients. */
#include "layout/layout-private.h"

gboolean
tl_layout_compose (TlLayout *product, const TlLayout *a, const TlLayout *b, char **reason)
{
  TlLayout x = *a, y = *b, p = { 0 };
  gint32   new_of_x[TL_LAYOUT_MAX_MODES], new_of_y[TL_LAYOUT_MAX_MODES];
  guint    i = 0, j = 0;

  tl_layout_pad (&x, y.n_dims);
  tl_layout_pad (&y, x.n_dims);
  p.n_dims = x.n_dims;
  for (guint d = 0; d < p.n_dims; d++)
    {
      if (__builtin_mul_overflow (x.shape[d], y.shape[d], &p.shape[d]))
        return tl_refuse (reason, "dimension %u of the product, %d x %d, does not fit 31 bits", d, x.shape[d],
                          y.shape[d]);
      for (; i < x.n_modes && x.dim[i] == d; i++)
        {
          new_of_x[i] = (gint32) p.n_modes;
          p.dim[p.n_modes] = (guint8) d;
          p.modes[p.n_modes++] = x.modes[i];
        }
      for (; j < y.n_modes && y.dim[j] == d; j++)
        {
          new_of_y[j] = (gint32) p.n_modes;
          p.dim[p.n_modes] = (guint8) d;
          p.modes[p.n_modes++] = y.modes[j];
        }
    }
  for (guint k = 0; k < x.n_spatial; k++)
    p.spatial[p.n_spatial++] = x.spatial[k] < 0 ? x.spatial[k] : new_of_x[x.spatial[k]];
  for (guint k = 0; k < y.n_spatial; k++)
    p.spatial[p.n_spatial++] = y.spatial[k] < 0 ? y.spatial[k] : new_of_y[y.spatial[k]];
  for (guint k = 0; k < x.n_local; k++)
    p.local[p.n_local++] = new_of_x[x.local[k]];
  for (guint k = 0; k < y.n_local; k++)
    p.local[p.n_local++] = new_of_y[y.local[k]];
  if (!tl_layout_canonicalize (&p, reason))
    return FALSE;
  *product = p;
  return TRUE;
}

/* What is left of one list of @layout when the divisor's list is taken from its end
 * (or, @left, from its start). A product only joins its lists, so entries match one to
 * one; where they meet, neighbours may have merged: that entry alone may be larger.
 * On entry mode m of the divisor is mode partner[m] of the layout. */
static gboolean
divide_list (const gint32 *list, guint n, const gint32 *other, guint n_other, const TlLayout *divisor,
             const gint32 *partner, gint32 *modes, gboolean left, const char *name, gint32 *rest, guint *n_rest,
             char **reason)
{
  gboolean split = FALSE;
  gint32   remainder = 0; /* entry of what the split digit leaves */

  if (n_other > n)
    return tl_refuse (reason, "the divisor has %u %s digits, the layout %u", n_other, name, n);
  guint start = left ? 0 : n - n_other;
  for (guint i = 0; i < n_other; i++)
    {
      gint32   mine = list[start + i], theirs = other[i];
      gboolean meets = left ? i + 1 == n_other : i == 0;

      if (theirs < 0 ? mine >= 0 : mine != partner[theirs])
        return tl_refuse (reason, "%s digit %u of the divisor has no counterpart at the %s of the layout's list", name,
                          i, left ? "start" : "end");
      gint32 size = mine < 0 ? -mine : modes[mine];
      gint32 by = theirs < 0 ? -theirs : divisor->modes[theirs];
      if (size % by != 0)
        return tl_refuse (reason, "a %s digit of size %d is not divisible by %d", name, size, by);
      if (size != by && !meets)
        return tl_refuse (reason, "a %s digit of size %d would have to be split inside the divisor's list", name, size);
      if (mine >= 0)
        modes[mine] = size / by;
      if (size != by)
        {
          split = TRUE;
          remainder = mine < 0 ? -(size / by) : mine;
        }
    }
  if (left && split)
    rest[(*n_rest)++] = remainder;
  for (guint i = left ? n_other : 0; i < (left ? n : start); i++)
    rest[(*n_rest)++] = list[i];
  if (!left && split)
    rest[(*n_rest)++] = remainder;
  return TRUE;
}

static gboolean
divide (TlLayout *quotient, const TlLayout *layout, const TlLayout *other, gboolean left, char **reason)
{
  TlLayout x = *layout, y = *other, again;
  TlLayout q;
  gint32   partner[TL_LAYOUT_MAX_MODES];

  if (y.n_dims > x.n_dims)
    return tl_refuse (reason, "the divisor has %u dimensions, the layout only %u", y.n_dims, x.n_dims);
  tl_layout_pad (&y, x.n_dims);
  q = x;
  q.n_spatial = q.n_local = 0;
  for (guint d = 0, i = 0, j = 0; d < x.n_dims; d++)
    {
      guint n = 0, m = 0;

      while (i + n < x.n_modes && x.dim[i + n] == d)
        n++;
      while (j + m < y.n_modes && y.dim[j + m] == d)
        m++;
      if (x.shape[d] % y.shape[d] != 0)
        return tl_refuse (reason, "dimension %u of size %d is not divisible by %d", d, x.shape[d], y.shape[d]);
      if (m > n)
        return tl_refuse (reason, "dimension %u has %u modes, the divisor's %u", d, n, m);
      q.shape[d] /= y.shape[d];
      for (guint k = 0; k < m; k++)
        partner[j + k] = (gint32) (left ? i + k : i + n - m + k);
      i += n;
      j += m;
    }
  if (!divide_list (x.spatial, x.n_spatial, y.spatial, y.n_spatial, &y, partner, q.modes, left, "spatial", q.spatial,
                    &q.n_spatial, reason)
      || !divide_list (x.local, x.n_local, y.local, y.n_local, &y, partner, q.modes, left, "local", q.local, &q.n_local,
                       reason))
    return FALSE;
  /* A split inside a dimension shows only when multiplied out. */
  if (!tl_layout_canonicalize (&q, reason))
    return FALSE;
  if (!(left ? tl_layout_compose (&again, &y, &q, NULL) : tl_layout_compose (&again, &q, &y, NULL))
      || !tl_layout_equal (&again, layout))
    return tl_refuse (reason, "no layout times the divisor gives this one: its modes interleave with the "
                              "divisor's inside a dimension");
  *quotient = q;
  return TRUE;
}

gboolean
tl_layout_divide (TlLayout *quotient, const TlLayout *layout, const TlLayout *right, char **reason)
{
  return divide (quotient, layout, right, FALSE, reason);
}

gboolean
tl_layout_left_divide (TlLayout *quotient, const TlLayout *layout, const TlLayout *left, char **reason)
{
  return divide (quotient, layout, left, TRUE, reason);
}
