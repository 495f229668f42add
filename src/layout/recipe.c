/* Load recipes for every number of bits a thread. */
#include "layout/recipe.h"

#include "base/number.h"
#include "layout/layout-private.h"
#include "layout/packing.h"

#include <string.h>

static const char *const way_names[] = { "repeat", "share", "pad" };

/* local(r, 1, ..) * layout. */
static gboolean
repeat_layout (TlLayout *layout, guint repeat, char **reason)
{
  gint64   shape[TL_LAYOUT_MAX_DIMS];
  TlLayout outer;

  for (guint d = 0; d < TL_LAYOUT_MAX_DIMS; d++)
    shape[d] = d == 0 ? (gint64) repeat : 1;
  return repeat == 1
         || (tl_layout_local (&outer, shape, MAX (layout->n_dims, 1), NULL, reason)
             && tl_layout_compose (layout, &outer, layout, reason));
}

/* The bytes: local(n2).spatial(T).local(n1 bytes), or each byte in g threads. */
static gboolean
load_layout (TlLoadRecipe *recipe, char **reason)
{
  gint64 n2 = recipe->pieces;
  gint64 threads = recipe->threads / recipe->owners;
  gint64 n1 = MAX (recipe->piece_bits / 8, 1);
  gint64 shape = n2 * threads * n1;
  gint64 modes[] = { n2, threads, n1 };
  gint64 spatial[] = { 1, -(gint64) recipe->owners };
  gint64 local[] = { 0, 2 };

  return tl_layout_init (&recipe->load, &shape, 1, modes, 3, spatial, recipe->owners > 1 ? 2 : 1, local, 2, reason);
}

gboolean
tl_load_recipe_make (TlLoadRecipe *recipe, guint element_bits, const TlLayout *target, TlLoadWay way, guint repeat,
                     char **reason)
{
  guint64 bits = (guint64) tl_layout_locals (target) * element_bits;
  guint64 image;
  guint   share;

  g_return_val_if_fail (element_bits >= 1 && element_bits <= 64, FALSE);
  if (bits > TL_LAYOUT_MAX_SIZE)
    return tl_refuse (reason, "%" G_GUINT64_FORMAT " bits of a thread are more than %d", bits, TL_LAYOUT_MAX_SIZE);
  share = 8 / (guint) tl_gcd_u64 (bits, 8);
  if (repeat == 0 || way != TL_LOAD_REPEAT)
    repeat = way == TL_LOAD_REPEAT ? share : 1;
  if (repeat > TL_LAYOUT_MAX_SIZE)
    return tl_refuse (reason, "%u repetitions are more than %d", repeat, TL_LAYOUT_MAX_SIZE);
  image = bits * repeat;
  if (way == TL_LOAD_PAD)
    image = (bits + 7) / 8 * 8;
  if (image > TL_LAYOUT_MAX_SIZE)
    return tl_refuse (reason, "%" G_GUINT64_FORMAT " bits of a thread are more than %d", image, TL_LAYOUT_MAX_SIZE);
  *recipe = (TlLoadRecipe) { .way = way,
                             .threads = tl_layout_threads (target),
                             .element_bits = element_bits,
                             .thread_bits = (guint) bits,
                             .image_bits = (guint) image,
                             .owners = way == TL_LOAD_SHARED_BYTE ? share : 1,
                             .repeat = repeat,
                             .target = *target };
  if (way == TL_LOAD_REPEAT && image % 8 != 0)
    return tl_refuse (reason,
                      "%u x %" G_GUINT64_FORMAT
                      " bits of a thread are no whole bytes; the repetitions must be a multiple "
                      "of %u",
                      repeat, bits, share);
  if (recipe->threads % recipe->owners != 0)
    return tl_refuse (reason, "%u threads share a byte, and %u threads are no multiple of it", recipe->owners,
                      recipe->threads);
  recipe->piece_bits = (guint) tl_gcd_u64 (recipe->image_bits, 128);
  recipe->pieces = recipe->image_bits / recipe->piece_bits;
  recipe->bytes = (guint64) recipe->threads * recipe->image_bits / 8;
  if (!repeat_layout (&recipe->target, repeat, reason) || !load_layout (recipe, reason))
    return FALSE;

  guint words = (recipe->image_bits + 31) / 32;
  recipe->loads = recipe->pieces;
  recipe->width = MAX (recipe->piece_bits / 8, 1);
  recipe->merges = recipe->piece_bits < 32 && recipe->pieces > words ? recipe->pieces - words : 0;
  recipe->shifts = recipe->owners > 1 ? recipe->pieces : 0;
  return TRUE;
}

guint
tl_load_recipe_aligned (guint element_bits, const TlLayout *target)
{
  return 32 / (guint) tl_gcd_u64 ((guint64) tl_layout_locals (target) * element_bits, 32);
}

guint64
tl_load_recipe_place (const TlLoadRecipe *recipe, guint thread, guint bit)
{
  guint n1 = recipe->piece_bits;

  return ((guint64) (bit / n1) * recipe->threads + thread) * n1 + bit % n1;
}

/* An element's bits may lie in several pieces. */
static guint8
element_get (const TlLoadRecipe *recipe, const guint8 *bytes, guint thread, guint local)
{
  guint  bits = recipe->element_bits, from = local * bits;
  guint8 code = 0;

  for (guint done = 0, n; done < bits; done += n)
    {
      n = MIN (bits - done, recipe->piece_bits - (from + done) % recipe->piece_bits);
      code |= (guint8) (tl_bits_get (bytes, tl_load_recipe_place (recipe, thread, from + done), n) << done);
    }
  return code;
}

static void
element_put (const TlLoadRecipe *recipe, guint8 *bytes, guint thread, guint local, guint8 code)
{
  guint bits = recipe->element_bits, from = local * bits;

  for (guint done = 0, n; done < bits; done += n)
    {
      n = MIN (bits - done, recipe->piece_bits - (from + done) % recipe->piece_bits);
      tl_bits_put (bytes, tl_load_recipe_place (recipe, thread, from + done), n, (guint64) code >> done);
    }
}

void
tl_load_recipe_pack (const TlLoadRecipe *recipe, const guint8 *codes, guint8 *bytes)
{
  guint locals = tl_layout_locals (&recipe->target);

  g_return_if_fail (recipe->element_bits <= 8);
  memset (bytes, 0, recipe->bytes);
  for (guint t = 0; t < recipe->threads; t++)
    for (guint l = 0; l < locals; l++)
      element_put (recipe, bytes, t, l, codes[tl_layout_index (&recipe->target, t, l)]);
}

void
tl_load_recipe_unpack (const TlLoadRecipe *recipe, const guint8 *bytes, guint8 *codes)
{
  guint locals = tl_layout_locals (&recipe->target);

  g_return_if_fail (recipe->element_bits <= 8);
  for (guint t = 0; t < recipe->threads; t++)
    for (guint l = 0; l < locals; l++)
      codes[tl_layout_index (&recipe->target, t, l)] = element_get (recipe, bytes, t, l);
}

const char *
tl_load_way_name (TlLoadWay way)
{
  return way_names[way];
}

char *
tl_load_recipe_cost (const TlLoadRecipe *recipe)
{
  return g_strdup_printf ("%u load%s of %u byte%s, %u merge%s, %u shift%s", recipe->loads,
                          recipe->loads == 1 ? "" : "s", recipe->width, recipe->width == 1 ? "" : "s", recipe->merges,
                          recipe->merges == 1 ? "" : "s", recipe->shifts, recipe->shifts == 1 ? "" : "s");
}
