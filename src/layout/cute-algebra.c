/* The algebra of CuTe layouts. */
#include "layout/cute-private.h"
#include "layout/layout-private.h"

typedef GArray Modes; /* of TlCuteMode */

static Modes *
flat (const TlCute *layout)
{
  Modes *modes = g_array_new (FALSE, FALSE, sizeof (TlCuteMode));

  tl_cute_flatten (layout, modes);
  return modes;
}

TlCute *
tl_cute_coalesce (const TlCute *layout)
{
  g_autoptr (GArray) modes = flat (layout);

  return tl_cute_joined ((const TlCuteMode *) (gpointer) modes->data, modes->len);
}

/* a after size:stride; @a is coalesced and flat. */
static TlCute *
compose_leaf (const Modes *a, guint64 size, guint64 stride, char **reason)
{
  g_autoptr (TlCute) result = tl_cute_tuple ();

  if (stride == 0)
    return tl_cute_leaf (size, 0);
  for (guint i = 0; i + 1 < a->len; i++)
    {
      const TlCuteMode *mode = &g_array_index (a, TlCuteMode, i);

      if (mode->size % stride != 0 && stride % mode->size != 0)
        {
          tl_refuse (reason,
                     "stride %" G_GUINT64_FORMAT " and mode %" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT
                     " do not divide each other",
                     stride, mode->size, mode->stride);
          return NULL;
        }
      guint64 part = MIN (MAX (1, mode->size / stride), size);
      if (size % part != 0)
        {
          tl_refuse (reason,
                     "%" G_GUINT64_FORMAT " elements do not split at the %" G_GUINT64_FORMAT
                     " of mode %" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT,
                     size, part, mode->size, mode->stride);
          return NULL;
        }
      if (part != 1)
        g_ptr_array_add (result->parts, tl_cute_leaf (part, stride * mode->stride));
      size /= part;
      stride = stride / mode->size + (stride % mode->size != 0);
    }
  if (size != 1 || result->parts->len == 0)
    g_ptr_array_add (result->parts, tl_cute_leaf (size, stride * g_array_index (a, TlCuteMode, a->len - 1).stride));
  if (result->parts->len == 1)
    return tl_cute_copy (g_ptr_array_index (result->parts, 0));
  return g_steal_pointer (&result);
}

/* Distributes over the modes of @b. */
static TlCute *
compose_tree (const Modes *a, const TlCute *b, char **reason)
{
  if (b->parts == NULL)
    return compose_leaf (a, b->size, b->stride, reason);
  g_autoptr (TlCute) result = tl_cute_tuple ();
  for (guint i = 0; i < b->parts->len; i++)
    {
      TlCute *part = compose_tree (a, g_ptr_array_index (b->parts, i), reason);
      if (part == NULL)
        return NULL;
      g_ptr_array_add (result->parts, part);
    }
  return g_steal_pointer (&result);
}

TlCute *
tl_cute_compose (const TlCute *a, const TlCute *b, char **reason)
{
  g_autoptr (TlCute) joined = tl_cute_coalesce (a);
  g_autoptr (GArray) modes = flat (joined);

  return compose_tree (modes, b, reason);
}

static int
compare_modes (gconstpointer a, gconstpointer b)
{
  const TlCuteMode *x = a, *y = b;

  if (x->stride != y->stride)
    return x->stride < y->stride ? -1 : 1;
  return x->size != y->size ? (x->size < y->size ? -1 : 1) : 0;
}

TlCute *
tl_cute_complement (const TlCute *layout, guint64 size, char **reason)
{
  g_autoptr (GArray) modes = flat (layout);
  g_autoptr (GArray) gaps = g_array_new (FALSE, FALSE, sizeof (TlCuteMode));
  guint64 reached = 1;

  g_array_sort (modes, compare_modes);
  for (guint i = 0; i < modes->len; i++)
    {
      const TlCuteMode *mode = &g_array_index (modes, TlCuteMode, i);

      if (mode->stride == 0 || mode->size == 1)
        continue;
      if (mode->stride % reached != 0)
        {
          tl_refuse (reason,
                     "mode %" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT
                     " overlaps what the modes below it cover (%" G_GUINT64_FORMAT ")",
                     mode->size, mode->stride, reached);
          return NULL;
        }
      TlCuteMode gap = { mode->stride / reached, reached };
      g_array_append_val (gaps, gap);
      reached = mode->size * mode->stride;
    }
  TlCuteMode rest = { size / reached + (size % reached != 0), reached };
  g_array_append_val (gaps, rest);
  return tl_cute_joined ((const TlCuteMode *) (gpointer) gaps->data, gaps->len);
}

static TlCute *
pair (const TlCute *a, TlCute *b)
{
  TlCute *tuple = tl_cute_tuple ();

  g_ptr_array_add (tuple->parts, tl_cute_copy (a));
  g_ptr_array_add (tuple->parts, b);
  return tuple;
}

TlCute *
tl_cute_divide (const TlCute *a, const TlCute *b, char **reason)
{
  TlCute *rest = tl_cute_complement (b, tl_cute_size (a), reason);

  if (rest == NULL)
    return NULL;
  g_autoptr (TlCute) both = pair (b, rest);
  return tl_cute_compose (a, both, reason);
}

TlCute *
tl_cute_product (const TlCute *a, const TlCute *b, char **reason)
{
  guint64 size;

  if (__builtin_mul_overflow (tl_cute_size (a), tl_cute_cosize (b), &size) || size > (guint64) 1 << 40)
    {
      tl_refuse (reason, "the product is too large");
      return NULL;
    }
  g_autoptr (TlCute) rest = tl_cute_complement (a, size, reason);
  TlCute *repeated = rest != NULL ? tl_cute_compose (rest, b, reason) : NULL;
  return repeated != NULL ? pair (a, repeated) : NULL;
}

/* A mode, and the stride that its coordinate has. */
typedef struct
{
  guint64 stride;
  guint64 size;
  guint64 weight;
} Placed;

static int
compare_placed (gconstpointer a, gconstpointer b)
{
  const guint64 *x = a, *y = b;

  for (guint i = 0; i < 3; i++)
    if (x[i] != y[i])
      return x[i] < y[i] ? -1 : 1;
  return 0;
}

TlCute *
tl_cute_right_inverse (const TlCute *layout)
{
  g_autoptr (GArray) modes = flat (layout);
  g_autoptr (GArray) placed = g_array_new (FALSE, FALSE, sizeof (Placed));
  g_autoptr (GArray) result = g_array_new (FALSE, FALSE, sizeof (TlCuteMode));
  guint64 weight = 1, reached = 1;

  for (guint i = 0; i < modes->len; i++)
    {
      const TlCuteMode *mode = &g_array_index (modes, TlCuteMode, i);
      Placed            place = { mode->stride, mode->size, weight };

      g_array_append_val (placed, place);
      weight *= mode->size;
    }
  g_array_sort (placed, compare_placed);
  for (guint i = 0; i < placed->len; i++)
    {
      const Placed *place = &g_array_index (placed, Placed, i);
      TlCuteMode    mode = { place->size, place->weight };

      if (place->size == 1)
        continue;
      if (place->stride != reached)
        break;
      g_array_append_val (result, mode);
      reached *= place->size;
    }
  return tl_cute_joined ((const TlCuteMode *) (gpointer) result->data, result->len);
}

TlCute *
tl_cute_left_inverse (const TlCute *layout, char **reason)
{
  TlCute *rest = tl_cute_complement (layout, 1, reason);

  if (rest == NULL)
    return NULL;
  g_autoptr (TlCute) both = pair (layout, rest);
  return tl_cute_right_inverse (both);
}
