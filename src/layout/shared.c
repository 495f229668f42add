/* Shared-memory layouts. */
#include "layout/shared.h"
#include "layout/layout-private.h"

#include <string.h>

static const gint64 most_offset = (gint64) 1 << 40;

static void
drop_mode (TlShared *shared, guint m)
{
  guint rest = shared->n_modes - m - 1;

  memmove (shared->modes + m, shared->modes + m + 1, rest * sizeof *shared->modes);
  memmove (shared->dim + m, shared->dim + m + 1, rest * sizeof *shared->dim);
  memmove (shared->strides + m, shared->strides + m + 1, rest * sizeof *shared->strides);
  shared->n_modes--;
}

static void
merge (TlShared *shared)
{
  for (guint m = 0; m < shared->n_modes;)
    if (shared->modes[m] == 1)
      drop_mode (shared, m);
    else if (m + 1 < shared->n_modes && shared->dim[m] == shared->dim[m + 1]
             && shared->strides[m] == shared->strides[m + 1] * shared->modes[m + 1])
      {
        shared->modes[m + 1] *= shared->modes[m];
        drop_mode (shared, m);
        m -= m > 0;
      }
    else
      m++;
}

static gboolean
canonicalize (TlShared *shared, char **reason)
{
  guint64 elements = 1;

  for (guint m = 0; m < shared->n_modes; m++)
    {
      elements *= (guint64) shared->modes[m];
      if (elements > (guint64) most_offset)
        return tl_refuse (reason, "too many elements");
      if (shared->strides[m] < 0 || shared->strides[m] > most_offset / MAX (1, shared->modes[m]))
        return tl_refuse (reason, "stride %" G_GINT64_FORMAT " of mode %u is out of range", shared->strides[m], m);
    }
  if (shared->swizzle.bits > 0
      && (shared->swizzle.base + shared->swizzle.bits > 32 || shared->swizzle.shift < shared->swizzle.bits
          || shared->swizzle.shift > 32))
    return tl_refuse (reason, "a swizzle of %u bits must shift by at least as many and stay within 32 bits",
                      shared->swizzle.bits);
  /* Split neighbours of one dimension may end at a dropped mode: once more from the start. */
  merge (shared);
  if (shared->n_modes > TL_LAYOUT_MAX_MODES)
    return tl_refuse (reason, "a layout has at most %d modes", TL_LAYOUT_MAX_MODES);
  return TRUE;
}

gboolean
tl_shared_init (TlShared *shared, const gint64 *shape, guint n_dims, const gint64 *modes, guint n_modes,
                const gint64 *strides, guint n_strides, TlSwizzle swizzle, char **reason)
{
  TlShared s = { .n_dims = n_dims, .n_modes = n_modes, .swizzle = swizzle };
  guint    m = 0;

  if (!tl_layout_shape_valid (shape, n_dims, reason))
    return FALSE;
  if (n_modes > 2 * TL_LAYOUT_MAX_MODES)
    return tl_refuse (reason, "a layout has at most %d modes", TL_LAYOUT_MAX_MODES);
  if (n_modes != n_strides)
    return tl_refuse (reason, "%u strides for %u modes", n_strides, n_modes);
  for (guint i = 0; i < n_modes; i++)
    {
      if (modes[i] < 1 || modes[i] > G_MAXINT32)
        return tl_refuse (reason, "mode %u has size %" G_GINT64_FORMAT, i, modes[i]);
      s.modes[i] = (gint32) modes[i];
      s.strides[i] = strides[i];
    }
  for (guint d = 0; d < n_dims; d++)
    {
      gint64 product = 1;

      s.shape[d] = (gint32) shape[d];
      while (m < n_modes && (product < shape[d] || modes[m] == 1))
        {
          if (__builtin_mul_overflow (product, modes[m], &product))
            break;
          s.dim[m++] = (guint8) d;
        }
      if (product != shape[d])
        return tl_refuse (
            reason, "the modes of dimension %u multiply to %" G_GINT64_FORMAT ", not to its size %" G_GINT64_FORMAT, d,
            product, shape[d]);
    }
  if (m < n_modes)
    return tl_refuse (reason, "mode %u belongs to no dimension: all are full before it", m);
  if (!canonicalize (&s, reason))
    return FALSE;
  *shared = s;
  return TRUE;
}

gboolean
tl_shared_major (TlShared *shared, const gint64 *shape, guint n_dims, gboolean column, char **reason)
{
  gint64 strides[TL_LAYOUT_MAX_DIMS], stride = 1;

  if (!tl_layout_shape_valid (shape, n_dims, reason))
    return FALSE;
  for (guint i = 0; i < n_dims; i++)
    {
      guint d = column ? i : n_dims - 1 - i;

      strides[d] = stride;
      if (__builtin_mul_overflow (stride, shape[d], &stride) || stride > most_offset)
        return tl_refuse (reason, "too many elements");
    }
  return tl_shared_init (shared, shape, n_dims, shape, n_dims, strides, n_dims, (TlSwizzle) { 0 }, reason);
}

gboolean
tl_shared_row_major_swizzle (TlShared *shared, const gint64 *shape, guint n_dims, gint64 bytes, char **reason)
{
  gint64    modes[TL_LAYOUT_MAX_DIMS + 1], strides[TL_LAYOUT_MAX_DIMS + 1];
  TlSwizzle swizzle = { 0 };

  if (!tl_layout_shape_valid (shape, n_dims, reason))
    return FALSE;
  if (n_dims < 2)
    return tl_refuse (reason, "a swizzled layout has rows and columns, at least 2 dimensions");
  if (bytes < 1 || bytes > 16 || (bytes & (bytes - 1)) != 0)
    return tl_refuse (reason, "an element of %" G_GINT64_FORMAT " bytes; 1, 2, 4, 8 or 16 are possible", bytes);
  gint64 rows = shape[n_dims - 2], columns = shape[n_dims - 1];
  if (rows % 8 != 0)
    return tl_refuse (reason, "%" G_GINT64_FORMAT " rows are no multiple of 8", rows);
  if (columns * bytes % 16 != 0)
    return tl_refuse (reason, "a row of %" G_GINT64_FORMAT " bytes is no multiple of 16", columns * bytes);
  gint64 vector = 128 / bytes;
  while (columns % vector != 0)
    vector /= 2;
  for (guint d = 0; d < n_dims - 1; d++)
    modes[d] = shape[d];
  modes[n_dims - 1] = columns / vector;
  modes[n_dims] = vector;
  /* Slowest first: the head, column blocks, rows, the vector. */
  strides[n_dims] = 1;
  strides[n_dims - 2] = vector;
  gint64 stride = vector * rows;
  strides[n_dims - 1] = stride;
  stride *= columns / vector;
  for (guint d = n_dims - 2; d-- > 0;)
    {
      strides[d] = stride;
      if (__builtin_mul_overflow (stride, shape[d], &stride) || stride > most_offset)
        return tl_refuse (reason, "too many elements");
    }
  guint bits = (guint) __builtin_ctzll ((guint64) (vector * bytes / 16));
  if (bits > 0)
    swizzle = (TlSwizzle) { (guint) __builtin_ctzll ((guint64) (16 / bytes)), bits, 3 };
  return tl_shared_init (shared, shape, n_dims, modes, n_dims + 1, strides, n_dims + 1, swizzle, reason);
}

static void
pad (TlShared *shared, guint n_dims)
{
  if (n_dims <= shared->n_dims)
    return;
  guint more = n_dims - shared->n_dims;
  memmove (shared->shape + more, shared->shape, shared->n_dims * sizeof *shared->shape);
  for (guint d = 0; d < more; d++)
    shared->shape[d] = 1;
  for (guint m = 0; m < shared->n_modes; m++)
    shared->dim[m] += more;
  shared->n_dims = n_dims;
}

gboolean
tl_shared_compose (TlShared *product, const TlShared *outer, const TlShared *inner, char **reason)
{
  TlShared x = *outer, y = *inner, p = { 0 };
  gint64   size = (gint64) tl_shared_size (inner);
  guint    i = 0, j = 0;

  pad (&x, y.n_dims);
  pad (&y, x.n_dims);
  p.n_dims = x.n_dims;
  for (guint d = 0; d < p.n_dims; d++)
    {
      if (__builtin_mul_overflow (x.shape[d], y.shape[d], &p.shape[d]))
        return tl_refuse (reason, "dimension %u of the product does not fit 31 bits", d);
      for (; i < x.n_modes && x.dim[i] == d; i++, p.n_modes++)
        {
          p.dim[p.n_modes] = (guint8) d;
          p.modes[p.n_modes] = x.modes[i];
          if (__builtin_mul_overflow (x.strides[i], size, &p.strides[p.n_modes]))
            return tl_refuse (reason, "an offset of the product is too large");
        }
      for (; j < y.n_modes && y.dim[j] == d; j++, p.n_modes++)
        {
          p.dim[p.n_modes] = (guint8) d;
          p.modes[p.n_modes] = y.modes[j];
          p.strides[p.n_modes] = y.strides[j];
        }
    }
  if (!canonicalize (&p, reason))
    return FALSE;
  *product = p;
  return TRUE;
}

/* Takes the modes of dims order[0..n) as dimensions 0..n). */
static gboolean
select_dims (TlShared *result, const TlShared *shared, const gint64 *order, guint n, char **reason)
{
  TlShared s = { .n_dims = n, .swizzle = shared->swizzle };

  for (guint d = 0; d < n; d++)
    {
      s.shape[d] = shared->shape[order[d]];
      for (guint m = 0; m < shared->n_modes; m++)
        if (shared->dim[m] == order[d])
          {
            s.dim[s.n_modes] = (guint8) d;
            s.modes[s.n_modes] = shared->modes[m];
            s.strides[s.n_modes++] = shared->strides[m];
          }
    }
  if (!canonicalize (&s, reason))
    return FALSE;
  *result = s;
  return TRUE;
}

gboolean
tl_shared_permute (TlShared *result, const TlShared *shared, const gint64 *dims, guint n, char **reason)
{
  guint32 chosen;

  if (n != shared->n_dims)
    return tl_refuse (reason, "%u dimensions are listed, the layout has %u", n, shared->n_dims);
  return tl_layout_choose (dims, n, n, &chosen, reason) && select_dims (result, shared, dims, n, reason);
}

gboolean
tl_shared_slice (TlShared *result, const TlShared *shared, const gint64 *dims, guint n, char **reason)
{
  guint32 chosen;

  if (!tl_layout_choose (dims, n, shared->n_dims, &chosen, reason))
    return FALSE;
  for (guint i = 1; i < n; i++)
    if (dims[i] < dims[i - 1])
      return tl_refuse (reason, "the dimensions to keep must rise");
  return select_dims (result, shared, dims, n, reason);
}

gboolean
tl_shared_unsqueeze (TlShared *result, const TlShared *shared, const gint64 *dims, guint n, char **reason)
{
  TlShared s = *shared;
  guint8   place[TL_LAYOUT_MAX_DIMS];
  guint32  chosen;
  guint    from = 0;

  if (n > TL_LAYOUT_MAX_DIMS - s.n_dims)
    return tl_refuse (reason, "a layout has at most %d dimensions", TL_LAYOUT_MAX_DIMS);
  s.n_dims += n;
  if (!tl_layout_choose (dims, n, s.n_dims, &chosen, reason))
    return FALSE;
  for (guint d = 0; d < s.n_dims; d++)
    if (chosen & (1u << d))
      s.shape[d] = 1;
    else
      {
        s.shape[d] = shared->shape[from];
        place[from++] = (guint8) d;
      }
  for (guint m = 0; m < s.n_modes; m++)
    s.dim[m] = place[s.dim[m]];
  *result = s;
  return TRUE;
}

gboolean
tl_shared_reshape (TlShared *result, const TlShared *shared, const gint64 *shape, guint n_dims, char **reason)
{
  TlShared from = *shared, to = { .n_dims = n_dims, .swizzle = shared->swizzle };
  guint64  size = 1;

  if (!tl_layout_shape_valid (shape, n_dims, reason))
    return FALSE;
  for (guint d = 0; d < n_dims; d++)
    {
      to.shape[d] = (gint32) shape[d];
      if (__builtin_mul_overflow (size, (guint64) shape[d], &size))
        return tl_refuse (reason, "the new shape has too many elements");
    }
  if (size != tl_shared_elements (shared))
    return tl_refuse (reason, "%" G_GUINT64_FORMAT " elements do not become %" G_GUINT64_FORMAT,
                      tl_shared_elements (shared), size);
  /* Digits of the row-major index, whatever dimension they were in; sizes stay below 2^31
   * when borders fall away. */
  for (guint m = 0; m < from.n_modes; m++)
    {
      guint64 joined = (guint64) from.modes[m] * (m + 1 < from.n_modes ? (guint64) from.modes[m + 1] : 1);
      from.dim[m] = joined > G_MAXINT32 ? (guint8) m : 0;
    }
  merge (&from);
  /* Taken from the fastest on; turned round at the end. */
  guint m = from.n_modes;
  for (guint d = n_dims; d-- > 0;)
    for (gint64 need = shape[d]; need > 1;)
      {
        gint32 mode = from.modes[m - 1];
        gint32 take = (gint32) MIN (mode, need);

        if (mode % take != 0 || need % take != 0 || to.n_modes == 2 * TL_LAYOUT_MAX_MODES)
          return tl_refuse (reason,
                            "dimension %u of size %" G_GINT64_FORMAT " would cut a mode: %d and %" G_GINT64_FORMAT
                            " do not divide each other",
                            d, shape[d], mode, need);
        to.dim[to.n_modes] = (guint8) d;
        to.modes[to.n_modes] = take;
        to.strides[to.n_modes++] = from.strides[m - 1];
        from.modes[m - 1] /= take;
        from.strides[m - 1] *= take;
        need /= take;
        m -= from.modes[m - 1] == 1;
      }
  for (guint i = 0; i < to.n_modes / 2; i++)
    {
      guint  j = to.n_modes - 1 - i;
      gint32 mode = to.modes[i];
      guint8 dim = to.dim[i];
      gint64 stride = to.strides[i];

      to.modes[i] = to.modes[j], to.dim[i] = to.dim[j], to.strides[i] = to.strides[j];
      to.modes[j] = mode, to.dim[j] = dim, to.strides[j] = stride;
    }
  if (!canonicalize (&to, reason))
    return FALSE;
  *result = to;
  return TRUE;
}

guint64
tl_shared_elements (const TlShared *shared)
{
  guint64 n = 1;

  for (guint m = 0; m < shared->n_modes; m++)
    n *= (guint64) shared->modes[m];
  return n;
}

guint64
tl_shared_size (const TlShared *shared)
{
  guint64 size = 1;

  for (guint m = 0; m < shared->n_modes; m++)
    size += (guint64) (shared->modes[m] - 1) * (guint64) shared->strides[m];
  return size;
}

guint64
tl_shared_offset (const TlShared *shared, guint64 index)
{
  guint64 offset = 0;

  for (guint m = shared->n_modes; m-- > 0;)
    {
      offset += index % (guint64) shared->modes[m] * (guint64) shared->strides[m];
      index /= (guint64) shared->modes[m];
    }
  guint64 mask = (((guint64) 1 << shared->swizzle.bits) - 1) << shared->swizzle.base;
  return offset ^ ((offset >> shared->swizzle.shift) & mask);
}

TlSwizzlePhases
tl_swizzle_phases (guint columns, guint bits)
{
  guint per_phase = MAX (128 * 8 / MAX (1, columns * bits), 1);

  return (TlSwizzlePhases) { 128 / bits, per_phase, MAX (8 / per_phase, 1) };
}
