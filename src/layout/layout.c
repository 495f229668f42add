/* Register layouts: what is valid, the canonical form, the primitives. */
#include "layout/layout-private.h"

#include "base/number.h"

#include <string.h>

gboolean
tl_layout_shape_valid (const gint64 *shape, guint n_dims, char **reason)
{
  if (n_dims > TL_LAYOUT_MAX_DIMS)
    return tl_refuse (reason, "a layout has at most %d dimensions, not %u", TL_LAYOUT_MAX_DIMS, n_dims);
  for (guint d = 0; d < n_dims; d++)
    if (shape[d] < 1 || shape[d] > G_MAXINT32)
      return tl_refuse (reason, "dimension %u is %" G_GINT64_FORMAT "; a size is at least 1 and fits 31 bits", d,
                        shape[d]);
  return TRUE;
}

gboolean
tl_layout_choose (const gint64 *dims, guint n, guint n_dims, guint32 *chosen, char **reason)
{
  *chosen = 0;
  for (guint i = 0; i < n; i++)
    {
      if (dims[i] < 0 || dims[i] >= n_dims)
        return tl_refuse (reason, "there is no dimension %" G_GINT64_FORMAT " among %u", dims[i], n_dims);
      if (*chosen & (1u << dims[i]))
        return tl_refuse (reason, "dimension %" G_GINT64_FORMAT " is named twice", dims[i]);
      *chosen |= 1u << dims[i];
    }
  return TRUE;
}

void
tl_layout_pad (TlLayout *layout, guint n_dims)
{
  if (n_dims <= layout->n_dims)
    return;
  guint more = n_dims - layout->n_dims;
  memmove (layout->shape + more, layout->shape, layout->n_dims * sizeof *layout->shape);
  for (guint d = 0; d < more; d++)
    layout->shape[d] = 1;
  for (guint m = 0; m < layout->n_modes; m++)
    layout->dim[m] += more;
  layout->n_dims = n_dims;
}

/* Every mode once, in one of the lists; sizes in range. */
static gboolean
check (const TlLayout *layout, char **reason)
{
  gint64 product[TL_LAYOUT_MAX_DIMS];
  guint8 used[2 * TL_LAYOUT_MAX_MODES] = { 0 };
  gint64 threads = 1, locals = 1;

  for (guint d = 0; d < TL_LAYOUT_MAX_DIMS; d++)
    product[d] = 1;
  for (guint m = 0; m < layout->n_modes; m++)
    {
      guint d = layout->dim[m];
      if (layout->modes[m] < 1)
        return tl_refuse (reason, "mode %u has size %d; a size is at least 1", m, layout->modes[m]);
      product[d] *= layout->modes[m];
      if (product[d] > layout->shape[d])
        break;
    }
  for (guint d = 0; d < layout->n_dims; d++)
    if (product[d] != layout->shape[d])
      return tl_refuse (reason, "the modes of dimension %u do not multiply to its size %d", d, layout->shape[d]);
  for (guint list = 0; list < 2; list++)
    {
      const gint32 *entries = list == 0 ? layout->spatial : layout->local;
      guint         n = list == 0 ? layout->n_spatial : layout->n_local;
      const char   *name = list == 0 ? "spatial" : "local";
      gint64       *total = list == 0 ? &threads : &locals;

      for (guint i = 0; i < n; i++)
        {
          gint64 size;

          if (entries[i] < 0 && list == 1)
            return tl_refuse (reason, "replication (%d) stands among the local modes; only threads replicate",
                              entries[i]);
          if (entries[i] < 0)
            size = -(gint64) entries[i];
          else if (entries[i] >= (gint32) layout->n_modes)
            return tl_refuse (reason, "the %s modes name mode %d, but there are %u modes", name, entries[i],
                              layout->n_modes);
          else if (used[entries[i]]++)
            return tl_refuse (reason, "mode %d is used twice", entries[i]);
          else
            size = layout->modes[entries[i]];
          *total *= size;
          if (*total > TL_LAYOUT_MAX_SIZE)
            return tl_refuse (reason, "more than %d %s", TL_LAYOUT_MAX_SIZE,
                              list == 0 ? "threads" : "locals in a thread");
        }
    }
  for (guint m = 0; m < layout->n_modes; m++)
    if (!used[m] && layout->modes[m] != 1)
      return tl_refuse (reason,
                        "mode %u (size %d) is neither spatial nor local, so its %d elements would share one place", m,
                        layout->modes[m], layout->modes[m]);
  return TRUE;
}

/* Drops mode @m, whose entry is gone from the lists already. */
static void
drop_mode (TlLayout *layout, guint m)
{
  memmove (layout->modes + m, layout->modes + m + 1, (layout->n_modes - m - 1) * sizeof *layout->modes);
  memmove (layout->dim + m, layout->dim + m + 1, (layout->n_modes - m - 1) * sizeof *layout->dim);
  layout->n_modes--;
  for (guint i = 0; i < layout->n_spatial; i++)
    if (layout->spatial[i] > (gint32) m)
      layout->spatial[i]--;
  for (guint i = 0; i < layout->n_local; i++)
    if (layout->local[i] > (gint32) m)
      layout->local[i]--;
}

static void
drop_entry (gint32 *list, guint *n, guint at)
{
  memmove (list + at, list + at + 1, (*n - at - 1) * sizeof *list);
  (*n)--;
}

static void
drop_ones (TlLayout *layout, gint32 *list, guint *n)
{
  guint kept = 0;

  for (guint i = 0; i < *n; i++)
    if (list[i] < 0 ? list[i] != -1 : layout->modes[list[i]] != 1)
      list[kept++] = list[i];
  *n = kept;
}

static void
merge_neighbours (TlLayout *layout, gint32 *list, guint *n)
{
  for (guint i = 0; i + 1 < *n;)
    {
      gint32 outer = list[i], inner = list[i + 1];

      if (outer < 0 && inner < 0)
        {
          list[i] = -(outer * inner);
          drop_entry (list, n, i + 1);
        }
      else if (outer >= 0 && inner == outer + 1 && layout->dim[outer] == layout->dim[inner])
        {
          layout->modes[outer] *= layout->modes[inner];
          drop_entry (list, n, i + 1);
          drop_mode (layout, (guint) inner);
        }
      else
        i++;
    }
}

void
tl_layout_merge (TlLayout *layout)
{
  merge_neighbours (layout, layout->spatial, &layout->n_spatial);
  merge_neighbours (layout, layout->local, &layout->n_local);
}

gboolean
tl_layout_canonicalize (TlLayout *layout, char **reason)
{
  if (!check (layout, reason))
    return FALSE;
  drop_ones (layout, layout->spatial, &layout->n_spatial);
  drop_ones (layout, layout->local, &layout->n_local);
  for (guint m = layout->n_modes; m-- > 0;)
    if (layout->modes[m] == 1)
      drop_mode (layout, m);
  tl_layout_merge (layout);
  if (layout->n_modes > TL_LAYOUT_MAX_MODES || layout->n_spatial > TL_LAYOUT_MAX_SPATIAL)
    return tl_refuse (reason, "a layout has at most %d modes", TL_LAYOUT_MAX_MODES);
  return TRUE;
}

/* Deals the modes out to the dimensions, in order. */
static gboolean
assign_dims (TlLayout *layout, char **reason)
{
  guint m = 0;

  for (guint d = 0; d < layout->n_dims; d++)
    {
      gint64 product = 1;

      while (product < layout->shape[d] && m < layout->n_modes && layout->modes[m] >= 1)
        {
          product *= layout->modes[m];
          layout->dim[m++] = (guint8) d;
        }
      if (product != layout->shape[d])
        return tl_refuse (reason, "the modes of dimension %u multiply to %" G_GINT64_FORMAT ", not to its size %d", d,
                          product, layout->shape[d]);
    }
  for (; m < layout->n_modes; m++)
    {
      if (layout->modes[m] != 1)
        return tl_refuse (reason, "mode %u (size %d) belongs to no dimension: all are full before it", m,
                          layout->modes[m]);
      layout->dim[m] = layout->n_dims > 0 ? (guint8) (layout->n_dims - 1) : 0;
    }
  return TRUE;
}

static gboolean
copy_list (gint32 *to, const gint64 *from, guint n, gint64 least, const char *what, char **reason)
{
  for (guint i = 0; i < n; i++)
    {
      if (from[i] < least || from[i] > G_MAXINT32)
        return tl_refuse (reason, "%s %" G_GINT64_FORMAT " is out of range", what, from[i]);
      to[i] = (gint32) from[i];
    }
  return TRUE;
}

gboolean
tl_layout_init (TlLayout *layout, const gint64 *shape, guint n_dims, const gint64 *modes, guint n_modes,
                const gint64 *spatial, guint n_spatial, const gint64 *local, guint n_local, char **reason)
{
  TlLayout l = { 0 };

  if (!tl_layout_shape_valid (shape, n_dims, reason))
    return FALSE;
  if (n_modes > 2 * TL_LAYOUT_MAX_MODES || n_spatial > 2 * TL_LAYOUT_MAX_SPATIAL || n_local > 2 * TL_LAYOUT_MAX_MODES)
    return tl_refuse (reason, "a layout has at most %d modes", TL_LAYOUT_MAX_MODES);
  l.n_dims = n_dims;
  l.n_modes = n_modes;
  l.n_spatial = n_spatial;
  l.n_local = n_local;
  if (!copy_list (l.shape, shape, n_dims, 1, "size", reason)
      || !copy_list (l.modes, modes, n_modes, 1, "a mode's size", reason)
      || !copy_list (l.spatial, spatial, n_spatial, -TL_LAYOUT_MAX_SIZE, "spatial mode", reason)
      || !copy_list (l.local, local, n_local, 0, "local mode", reason) || !assign_dims (&l, reason)
      || !tl_layout_canonicalize (&l, reason))
    return FALSE;
  *layout = l;
  return TRUE;
}

static gboolean
primitive (TlLayout *layout, gboolean spatial, const gint64 *shape, guint n_dims, const gint64 *ranks, gboolean column,
           gint64 n_threads, char **reason)
{
  TlLayout l = { .n_dims = n_dims, .n_modes = n_dims };
  gint32   order[TL_LAYOUT_MAX_DIMS];
  guint32  seen;

  if (!tl_layout_shape_valid (shape, n_dims, reason))
    return FALSE;
  if (ranks != NULL && !tl_layout_choose (ranks, n_dims, n_dims, &seen, reason))
    {
      if (reason != NULL)
        {
          g_free (*reason);
          *reason = g_strdup_printf ("ranks must name each of 0..%u once", n_dims > 0 ? n_dims - 1 : 0);
        }
      return FALSE;
    }
  if (n_threads < 1 || n_threads > TL_LAYOUT_MAX_SIZE)
    return tl_refuse (reason, "%" G_GINT64_FORMAT " threads; there are 1 to %d", n_threads, TL_LAYOUT_MAX_SIZE);
  for (guint d = 0; d < n_dims; d++)
    {
      l.shape[d] = l.modes[d] = (gint32) shape[d];
      l.dim[d] = (guint8) d;
      order[ranks != NULL ? (guint) ranks[d] : column ? n_dims - 1 - d : d] = (gint32) d;
    }
  if (n_threads > 1)
    l.spatial[l.n_spatial++] = (gint32) -n_threads;
  for (guint i = 0; i < n_dims; i++)
    if (spatial)
      l.spatial[l.n_spatial++] = order[i];
    else
      l.local[l.n_local++] = order[i];
  if (!tl_layout_canonicalize (&l, reason))
    return FALSE;
  *layout = l;
  return TRUE;
}

gboolean
tl_layout_local (TlLayout *layout, const gint64 *shape, guint n_dims, const gint64 *ranks, char **reason)
{
  return primitive (layout, FALSE, shape, n_dims, ranks, FALSE, 1, reason);
}

gboolean
tl_layout_spatial (TlLayout *layout, const gint64 *shape, guint n_dims, const gint64 *ranks, char **reason)
{
  return primitive (layout, TRUE, shape, n_dims, ranks, FALSE, 1, reason);
}

gboolean
tl_layout_column_local (TlLayout *layout, const gint64 *shape, guint n_dims, char **reason)
{
  return primitive (layout, FALSE, shape, n_dims, NULL, TRUE, 1, reason);
}

gboolean
tl_layout_column_spatial (TlLayout *layout, const gint64 *shape, guint n_dims, char **reason)
{
  return primitive (layout, TRUE, shape, n_dims, NULL, TRUE, 1, reason);
}

gboolean
tl_layout_replicated (TlLayout *layout, const gint64 *shape, guint n_dims, gint64 n_threads, char **reason)
{
  return primitive (layout, FALSE, shape, n_dims, NULL, FALSE, n_threads, reason);
}

gboolean
tl_layout_auto (TlLayout *layout, gint64 n_threads, const gint64 *shape, guint n_dims, char **reason)
{
  TlLayout l = { .n_dims = n_dims, .n_modes = 2 * n_dims };
  gint64   left = n_threads;

  if (!tl_layout_shape_valid (shape, n_dims, reason))
    return FALSE;
  if (n_threads < 1 || n_threads > TL_LAYOUT_MAX_SIZE)
    return tl_refuse (reason, "%" G_GINT64_FORMAT " threads; there are 1 to %d", n_threads, TL_LAYOUT_MAX_SIZE);
  for (guint d = n_dims; d-- > 0;)
    {
      gint64 along = (gint64) tl_gcd_u64 ((guint64) left, (guint64) shape[d]);

      l.shape[d] = (gint32) shape[d];
      l.modes[2 * d] = (gint32) (shape[d] / along);
      l.modes[2 * d + 1] = (gint32) along;
      l.dim[2 * d] = l.dim[2 * d + 1] = (guint8) d;
      left /= along;
    }
  if (left > 1)
    l.spatial[l.n_spatial++] = (gint32) -left;
  for (guint d = 0; d < n_dims; d++)
    {
      l.local[l.n_local++] = (gint32) (2 * d);
      l.spatial[l.n_spatial++] = (gint32) (2 * d + 1);
    }
  if (!tl_layout_canonicalize (&l, reason))
    return FALSE;
  *layout = l;
  return TRUE;
}

gboolean
tl_layout_equal (const TlLayout *a, const TlLayout *b)
{
  return a->n_dims == b->n_dims && a->n_modes == b->n_modes && a->n_spatial == b->n_spatial && a->n_local == b->n_local
         && memcmp (a->shape, b->shape, a->n_dims * sizeof *a->shape) == 0
         && memcmp (a->modes, b->modes, a->n_modes * sizeof *a->modes) == 0
         && memcmp (a->dim, b->dim, a->n_modes * sizeof *a->dim) == 0
         && memcmp (a->spatial, b->spatial, a->n_spatial * sizeof *a->spatial) == 0
         && memcmp (a->local, b->local, a->n_local * sizeof *a->local) == 0;
}
