/* Operations on the dimensions of a layout: reduce, permute, reshape and their kin. */
#include "layout/layout-private.h"

#include <string.h>

/* Writes the modes of @layout dimension by dimension as @order says (n_order of them),
 * renumbering both lists; @shape is already set in *result. */
static gboolean
reorder (TlLayout *result, const TlLayout *layout, const guint8 *order, guint n_order, char **reason)
{
  gint32 new_of[TL_LAYOUT_MAX_MODES] = { 0 };

  result->n_modes = 0;
  for (guint d = 0; d < n_order; d++)
    for (guint m = 0; m < layout->n_modes; m++)
      if (layout->dim[m] == order[d])
        {
          new_of[m] = (gint32) result->n_modes;
          result->dim[result->n_modes] = (guint8) d;
          result->modes[result->n_modes++] = layout->modes[m];
        }
  result->n_spatial = layout->n_spatial;
  result->n_local = layout->n_local;
  for (guint i = 0; i < layout->n_spatial; i++)
    result->spatial[i] = layout->spatial[i] < 0 ? layout->spatial[i] : new_of[layout->spatial[i]];
  for (guint i = 0; i < layout->n_local; i++)
    result->local[i] = new_of[layout->local[i]];
  return tl_layout_canonicalize (result, reason);
}

gboolean
tl_layout_reduce (TlLayout *result, const TlLayout *layout, const gint64 *dims, guint n, gboolean keep_dims,
                  char **reason)
{
  TlLayout l = *layout;
  guint32  chosen;

  if (!tl_layout_choose (dims, n, l.n_dims, &chosen, reason))
    return FALSE;
  for (guint i = 0; i < l.n_spatial; i++)
    if (l.spatial[i] >= 0 && (chosen & (1u << l.dim[l.spatial[i]])))
      l.spatial[i] = -l.modes[l.spatial[i]];
  guint kept = 0;
  for (guint i = 0; i < l.n_local; i++)
    if (!(chosen & (1u << l.dim[l.local[i]])))
      l.local[kept++] = l.local[i];
  l.n_local = kept;
  for (guint m = 0; m < l.n_modes; m++)
    if (chosen & (1u << l.dim[m]))
      l.modes[m] = 1;
  for (guint d = 0; d < l.n_dims; d++)
    if (chosen & (1u << d))
      l.shape[d] = 1;
  if (!tl_layout_canonicalize (&l, reason))
    return FALSE;
  if (!keep_dims && !tl_layout_squeeze (&l, &l, dims, n, reason))
    return FALSE;
  *result = l;
  return TRUE;
}

gboolean
tl_layout_reduce_to (TlLayout *result, const TlLayout *layout, const gint64 *shape, guint n_dims, char **reason)
{
  TlLayout l = *layout;
  gint64   extra[TL_LAYOUT_MAX_DIMS], ones[TL_LAYOUT_MAX_DIMS];
  guint    n_extra = 0, n_ones = 0;

  if (!tl_layout_shape_valid (shape, n_dims, reason))
    return FALSE;
  if (n_dims > l.n_dims)
    return tl_refuse (reason, "cannot reduce %u dimensions to %u", l.n_dims, n_dims);
  while (n_extra < l.n_dims - n_dims)
    {
      extra[n_extra] = n_extra;
      n_extra++;
    }
  for (guint d = 0; d < n_dims; d++)
    if (shape[d] == 1)
      ones[n_ones++] = n_extra + d;
    else if (shape[d] != l.shape[n_extra + d])
      return tl_refuse (reason, "dimension %u has size %d; it can stay or become 1, not %" G_GINT64_FORMAT, n_extra + d,
                        l.shape[n_extra + d], shape[d]);
  return tl_layout_reduce (&l, &l, ones, n_ones, TRUE, reason)
         && tl_layout_reduce (result, &l, extra, n_extra, FALSE, reason);
}

gboolean
tl_layout_permute (TlLayout *result, const TlLayout *layout, const gint64 *dims, guint n, char **reason)
{
  TlLayout l = { .n_dims = layout->n_dims };
  guint8   order[TL_LAYOUT_MAX_DIMS];
  guint32  chosen;

  if (n != layout->n_dims)
    return tl_refuse (reason, "%u dimensions are listed, the layout has %u", n, layout->n_dims);
  if (!tl_layout_choose (dims, n, n, &chosen, reason))
    return FALSE;
  for (guint d = 0; d < n; d++)
    {
      order[d] = (guint8) dims[d];
      l.shape[d] = layout->shape[dims[d]];
    }
  if (!reorder (&l, layout, order, n, reason))
    return FALSE;
  *result = l;
  return TRUE;
}

gboolean
tl_layout_squeeze (TlLayout *result, const TlLayout *layout, const gint64 *dims, guint n, char **reason)
{
  TlLayout l = { 0 };
  guint8   order[TL_LAYOUT_MAX_DIMS];
  guint32  chosen;

  if (!tl_layout_choose (dims, n, layout->n_dims, &chosen, reason))
    return FALSE;
  for (guint d = 0; d < layout->n_dims; d++)
    if (!(chosen & (1u << d)))
      {
        order[l.n_dims] = (guint8) d;
        l.shape[l.n_dims++] = layout->shape[d];
      }
    else if (layout->shape[d] != 1)
      return tl_refuse (reason, "dimension %u has size %d; only one of size 1 can be taken away", d, layout->shape[d]);
  if (!reorder (&l, layout, order, l.n_dims, reason))
    return FALSE;
  *result = l;
  return TRUE;
}

gboolean
tl_layout_unsqueeze (TlLayout *result, const TlLayout *layout, const gint64 *dims, guint n, char **reason)
{
  TlLayout l = *layout;
  guint8   place[TL_LAYOUT_MAX_DIMS];
  guint32  chosen;
  guint    from = 0;

  if (n > TL_LAYOUT_MAX_DIMS - l.n_dims)
    return tl_refuse (reason, "a layout has at most %d dimensions", TL_LAYOUT_MAX_DIMS);
  l.n_dims += n;
  if (!tl_layout_choose (dims, n, l.n_dims, &chosen, reason))
    return FALSE;
  for (guint d = 0; d < l.n_dims; d++)
    if (chosen & (1u << d))
      l.shape[d] = 1;
    else
      {
        l.shape[d] = layout->shape[from];
        place[from++] = (guint8) d;
      }
  for (guint m = 0; m < l.n_modes; m++)
    l.dim[m] = place[l.dim[m]];
  *result = l;
  return TRUE;
}

gboolean
tl_layout_concat (TlLayout *result, const TlLayout *a, const TlLayout *b, char **reason)
{
  TlLayout l = *a;

  if (a->n_dims + b->n_dims > TL_LAYOUT_MAX_DIMS)
    return tl_refuse (reason, "a layout has at most %d dimensions, not %u", TL_LAYOUT_MAX_DIMS, a->n_dims + b->n_dims);
  for (guint d = 0; d < b->n_dims; d++)
    l.shape[l.n_dims++] = b->shape[d];
  for (guint m = 0; m < b->n_modes; m++)
    {
      l.modes[l.n_modes] = b->modes[m];
      l.dim[l.n_modes++] = (guint8) (b->dim[m] + a->n_dims);
    }
  for (guint i = 0; i < b->n_spatial; i++)
    l.spatial[l.n_spatial++] = b->spatial[i] < 0 ? b->spatial[i] : b->spatial[i] + (gint32) a->n_modes;
  for (guint i = 0; i < b->n_local; i++)
    l.local[l.n_local++] = b->local[i] + (gint32) a->n_modes;
  if (!tl_layout_canonicalize (&l, reason))
    return FALSE;
  *result = l;
  return TRUE;
}

/* Replaces mode @m by an outer one and an inner one of @inner. */
static void
split_mode (TlLayout *layout, guint m, gint32 inner)
{
  memmove (layout->modes + m + 1, layout->modes + m, (layout->n_modes - m) * sizeof *layout->modes);
  memmove (layout->dim + m + 1, layout->dim + m, (layout->n_modes - m) * sizeof *layout->dim);
  layout->n_modes++;
  layout->modes[m] /= inner;
  layout->modes[m + 1] = inner;
  for (guint list = 0; list < 2; list++)
    {
      gint32 *entries = list == 0 ? layout->spatial : layout->local;
      guint  *n = list == 0 ? &layout->n_spatial : &layout->n_local;

      for (guint i = 0; i < *n; i++)
        if (entries[i] > (gint32) m)
          entries[i]++;
        else if (entries[i] == (gint32) m)
          {
            memmove (entries + i + 1, entries + i, (*n - i) * sizeof *entries);
            (*n)++;
            entries[++i] = (gint32) m + 1;
          }
    }
}

gboolean
tl_layout_flatten (TlLayout *result, const TlLayout *layout, gint64 first, gint64 last, char **reason)
{
  TlLayout l = *layout;
  gint64   size = 1;

  first += first < 0 ? l.n_dims : 0;
  last += last < 0 ? l.n_dims : 0;
  if (l.n_dims == 0)
    {
      *result = l;
      result->n_dims = 1;
      result->shape[0] = 1;
      return TRUE;
    }
  if (first < 0 || last >= l.n_dims || first > last)
    return tl_refuse (reason, "dimensions %" G_GINT64_FORMAT "..%" G_GINT64_FORMAT " are no range of %u dimensions",
                      first, last, l.n_dims);
  for (gint64 d = first; d <= last; d++)
    if (__builtin_mul_overflow (size, l.shape[d], &size) || size > G_MAXINT32)
      return tl_refuse (reason, "the flattened dimension does not fit 31 bits");
  guint gone = (guint) (last - first);
  l.shape[first] = (gint32) size;
  for (guint d = (guint) last + 1; d < l.n_dims; d++)
    l.shape[d - gone] = l.shape[d];
  l.n_dims -= gone;
  for (guint m = 0; m < l.n_modes; m++)
    l.dim[m] -= l.dim[m] > last ? gone : l.dim[m] > first ? l.dim[m] - (guint) first : 0;
  if (!tl_layout_canonicalize (&l, reason))
    return FALSE;
  *result = l;
  return TRUE;
}

gboolean
tl_layout_reshape (TlLayout *result, const TlLayout *layout, const gint64 *shape, guint n_dims, char **reason)
{
  TlLayout l = *layout;
  guint64  old_size = 1, new_size = 1;

  if (!tl_layout_shape_valid (shape, n_dims, reason))
    return FALSE;
  for (guint d = 0; d < l.n_dims; d++)
    old_size *= (guint64) l.shape[d];
  for (guint d = 0; d < n_dims; d++)
    if (__builtin_mul_overflow (new_size, (guint64) shape[d], &new_size))
      return tl_refuse (reason, "the new shape has too many elements");
  if (new_size != old_size)
    return tl_refuse (reason, "%" G_GUINT64_FORMAT " elements do not become %" G_GUINT64_FORMAT, old_size, new_size);
  /* As one dimension (of which only the modes count), neighbours merge across the old borders. */
  memset (l.dim, 0, sizeof l.dim);
  l.n_dims = 1;
  l.shape[0] = 1;
  tl_layout_merge (&l);
  guint m = l.n_modes; /* modes from m on are dealt out */
  for (guint d = n_dims; d-- > 0;)
    {
      gint64 need = shape[d];

      while (need > 1)
        {
          gint32 size = l.modes[m - 1];
          if (size > need && size % need == 0 && l.n_modes < 2 * TL_LAYOUT_MAX_MODES)
            {
              split_mode (&l, m - 1, (gint32) need);
              size = (gint32) need;
              m++;
            }
          if (need % size != 0)
            return tl_refuse (reason,
                              "dimension %u of size %" G_GINT64_FORMAT " would cut a mode: %d and %" G_GINT64_FORMAT
                              " do not divide each other",
                              d, shape[d], size, need);
          need /= size;
          l.dim[--m] = (guint8) d;
        }
    }
  l.n_dims = n_dims;
  for (guint d = 0; d < n_dims; d++)
    l.shape[d] = (gint32) shape[d];
  if (!tl_layout_canonicalize (&l, reason))
    return FALSE;
  *result = l;
  return TRUE;
}
