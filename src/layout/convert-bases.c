/* Modes <-> GF(2) bases, which exist when every size is a power of two. */
#include "layout/convert.h"
#include "layout/layout-private.h"

#include <string.h>

static gboolean
is_power (gint32 n)
{
  return (n & (n - 1)) == 0;
}

/* Appends the bits of one list, slowest first; the caller reverses. */
static gboolean
list_bases (const TlLayout *layout, const gint32 *list, guint n, gint32 (*bases)[TL_LAYOUT_MAX_DIMS], guint *n_bits,
            char **reason)
{
  for (guint i = n; i-- > 0;)
    {
      gint32 m = list[i];
      gint32 size = m < 0 ? -m : layout->modes[m];

      if (!is_power (size))
        return m < 0 ? tl_refuse (reason, "the replication over %d threads is no power of two", size)
                     : tl_refuse (reason, "mode %d of dimension %u has size %d, no power of two", m, layout->dim[m],
                                  size);
      /* Weight of the mode's lowest bit inside its dimension. */
      gint32 weight = 1;
      for (guint k = (guint) m + 1; m >= 0 && k < layout->n_modes && layout->dim[k] == layout->dim[m]; k++)
        {
          if (!is_power (layout->modes[k]))
            return tl_refuse (reason, "mode %u of dimension %u has size %d, no power of two", k, layout->dim[k],
                              layout->modes[k]);
          weight *= layout->modes[k];
        }
      for (gint32 bit = 1; bit < size; bit *= 2)
        {
          memset (bases[*n_bits], 0, sizeof *bases);
          if (m >= 0)
            bases[*n_bits][layout->dim[m]] = weight * bit;
          (*n_bits)++;
        }
    }
  return TRUE;
}

gboolean
tl_layout_to_bases (const TlLayout *layout, TlLayoutBases *bases, char **reason)
{
  memset (bases, 0, sizeof *bases);
  bases->n_dims = layout->n_dims;
  memcpy (bases->shape, layout->shape, sizeof bases->shape);
  return list_bases (layout, layout->spatial, layout->n_spatial, bases->thread, &bases->n_thread, reason)
         && list_bases (layout, layout->local, layout->n_local, bases->local, &bases->n_local, reason);
}

gboolean
tl_layout_from_bases (TlLayout *layout, const TlLayoutBases *bases, char **reason)
{
  TlLayout l = { .n_dims = bases->n_dims };
  guint    first[TL_LAYOUT_MAX_DIMS]; /* mode of a dimension's top bit */
  gboolean seen[2 * TL_LAYOUT_MAX_MODES] = { FALSE };

  /* One mode a bit; the canonical form joins them. */
  for (guint d = 0; d < l.n_dims; d++)
    {
      l.shape[d] = bases->shape[d];
      if (l.shape[d] < 1 || !is_power (l.shape[d]))
        return tl_refuse (reason, "dimension %u has size %d, no power of two", d, l.shape[d]);
      first[d] = l.n_modes;
      for (gint32 size = l.shape[d]; size > 1; size /= 2)
        {
          if (l.n_modes == 2 * TL_LAYOUT_MAX_MODES)
            return tl_refuse (reason, "more than %d bits", 2 * TL_LAYOUT_MAX_MODES);
          l.modes[l.n_modes] = 2;
          l.dim[l.n_modes++] = (guint8) d;
        }
    }
  for (guint list = 0; list < 2; list++)
    {
      const char *name = list == 0 ? "thread" : "local";
      guint       n = list == 0 ? bases->n_thread : bases->n_local;

      for (guint k = n; k-- > 0;)
        {
          const gint32 *basis = list == 0 ? bases->thread[k] : bases->local[k];
          int           at = -1;

          for (guint d = 0; d < l.n_dims; d++)
            if (basis[d] != 0)
              {
                if (at >= 0 || basis[d] < 0 || !is_power (basis[d]))
                  return tl_refuse (reason, "the basis of %s bit %u has more than one bit", name, k);
                if (basis[d] >= l.shape[d])
                  return tl_refuse (reason, "the basis of %s bit %u leaves dimension %u", name, k, d);
                at = (int) first[d] + __builtin_ctz ((guint) l.shape[d]) - 1 - __builtin_ctz ((guint) basis[d]);
              }
          if (at < 0 && list == 1)
            return tl_refuse (reason, "local bit %u moves nothing; only threads can replicate", k);
          if (at >= 0 && seen[at])
            return tl_refuse (reason, "the basis of %s bit %u is that of another bit", name, k);
          if (at >= 0)
            seen[at] = TRUE;
          /* Most significant first. */
          if (list == 0)
            l.spatial[l.n_spatial++] = at < 0 ? -2 : at;
          else
            l.local[l.n_local++] = at;
        }
    }
  for (guint m = 0; m < l.n_modes; m++)
    if (!seen[m])
      return tl_refuse (reason, "no bit reaches coordinate %d of dimension %u",
                        1 << (first[l.dim[m]] + (guint) __builtin_ctz ((guint) l.shape[l.dim[m]]) - 1 - m), l.dim[m]);
  if (!tl_layout_canonicalize (&l, reason))
    return FALSE;
  *layout = l;
  return TRUE;
}

char *
tl_layout_bases_to_text (const TlLayoutBases *bases)
{
  GString *text = g_string_new (NULL);

  for (guint list = 0; list < 2; list++)
    for (guint k = 0; k < (list == 0 ? bases->n_thread : bases->n_local); k++)
      {
        g_string_append_printf (text, "%s%c%u=", text->len > 0 ? " " : "", list == 0 ? 't' : 'l', 1u << k);
        for (guint d = 0; d < bases->n_dims; d++)
          g_string_append_printf (text, "%s%d", d > 0 ? "." : "", (list == 0 ? bases->thread : bases->local)[k][d]);
      }
  return g_string_free (text, FALSE);
}
