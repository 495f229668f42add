/* What the register lens knows. */
#include "scene/register-lens.h"

#include "layout/convert.h"
#include "layout/recipe.h"
#include "layout/view.h"

static void
read_side (TlLensSide *side, const char *layout, const char *type)
{
  if (!tl_element_type_parse (type, &side->type))
    side->reason = g_strdup_printf ("there is no type \"%s\"; u1 to u8, i1 to i8, f16 and f6e3m2 are some", type);
  else
    side->valid = tl_layout_parse (&side->layout, layout, -1, &side->at, &side->reason);
}

static void
write_notations (TlRegisterLens *lens)
{
  const TlLayout *layout = &lens->from.layout;
  TlLayoutBases   bases;

  lens->notation[TL_NOTATION_KRONECKER] = tl_layout_to_kronecker (layout, &lens->why_not[TL_NOTATION_KRONECKER]);
  lens->notation[TL_NOTATION_MODES] = tl_layout_to_text (layout);
  lens->notation[TL_NOTATION_STRIDES] = tl_layout_to_cute (layout);
  if (tl_layout_to_bases (layout, &bases, &lens->why_not[TL_NOTATION_BASES]))
    lens->notation[TL_NOTATION_BASES] = tl_layout_bases_to_text (&bases);
}

TlRegisterLens *
tl_register_lens_new (const char *layout, const char *type, const char *view_type, const char *view_layout)
{
  TlRegisterLens *lens = g_new0 (TlRegisterLens, 1);

  read_side (&lens->from, layout, type);
  if (lens->from.valid)
    write_notations (lens);
  lens->viewed = view_type != NULL && *view_type != '\0' && view_layout != NULL && *view_layout != '\0';
  if (!lens->viewed)
    return lens;
  read_side (&lens->to, view_layout, view_type);
  lens->judged = lens->from.valid && lens->to.valid;
  if (lens->judged)
    {
      TlView view;

      tl_view_judge (&view, (TlViewSide) { lens->from.type, &lens->from.layout },
                     (TlViewSide) { lens->to.type, &lens->to.layout }, 0, FALSE);
      lens->free = view.verdict == TL_VIEW_FREE;
      lens->condition = view.condition;
      lens->message = g_steal_pointer (&view.message);
    }
  return lens;
}

void
tl_register_lens_free (TlRegisterLens *lens)
{
  if (lens == NULL)
    return;
  g_free (lens->from.reason);
  g_free (lens->to.reason);
  g_free (lens->message);
  for (TlNotation n = 0; n < TL_N_NOTATIONS; n++)
    {
      g_free (lens->notation[n]);
      g_free (lens->why_not[n]);
    }
  g_free (lens);
}

const char *
tl_notation_name (TlNotation notation)
{
  static const char *const names[] = { "Kronecker", "modes", "shape:stride", "GF(2)" };

  return names[notation];
}

guint64
tl_register_lens_slices (const TlRegisterLens *lens)
{
  const TlLayout *layout = &lens->from.layout;
  guint64         slices = 1;

  for (guint d = 0; lens->from.valid && d + 2 < layout->n_dims; d++)
    slices *= (guint64) layout->shape[d];
  return slices;
}

char *
tl_register_lens_coordinates (const TlRegisterLens *lens, guint64 element)
{
  const TlLayout *layout = &lens->from.layout;
  guint64         at[TL_LAYOUT_MAX_DIMS];
  GString        *text = g_string_new (NULL);

  for (guint d = layout->n_dims; d > 0; d--)
    {
      at[d - 1] = element % (guint64) layout->shape[d - 1];
      element /= (guint64) layout->shape[d - 1];
    }
  for (guint d = 0; d < layout->n_dims; d++)
    g_string_append_printf (text, "%s%" G_GUINT64_FORMAT, d > 0 ? "," : "", at[d]);
  return g_string_free (text, FALSE);
}

/* Bits @at of all threads' strings, one thread's after the other's, whose thread the View would change. */
static void
list_thread_moves (const TlRegisterLens *lens, GPtrArray *lines, guint most)
{
  guint64 from_bits = (guint64) tl_layout_locals (&lens->from.layout) * lens->from.type.bits;
  guint64 to_bits = (guint64) tl_layout_locals (&lens->to.layout) * lens->to.type.bits;
  guint64 all = from_bits * tl_layout_threads (&lens->from.layout);
  guint64 moved = 0, runs = 0;

  if (all != to_bits * tl_layout_threads (&lens->to.layout) || from_bits == 0 || to_bits == 0)
    return;
  for (guint64 at = 0, end; at < all; at = end)
    {
      guint64 from = at / from_bits, to = at / to_bits;

      end = MIN ((from + 1) * from_bits, (to + 1) * to_bits);
      if (from == to)
        continue;
      moved += end - at;
      if (runs++ < most)
        g_ptr_array_add (
            lines, g_strdup_printf ("bits %" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT " of thread %" G_GUINT64_FORMAT
                                    " to thread %" G_GUINT64_FORMAT ", bit %" G_GUINT64_FORMAT " on",
                                    at % from_bits, at % from_bits + end - at - 1, from, to, at % to_bits));
    }
  if (runs > most)
    g_ptr_array_add (lines, g_strdup_printf ("and %" G_GUINT64_FORMAT " more: %" G_GUINT64_FORMAT " bits change thread",
                                             runs - most, moved));
}

GPtrArray *
tl_register_lens_moves (const TlRegisterLens *lens, guint most)
{
  GPtrArray *lines = g_ptr_array_new_with_free_func (g_free);

  if (lens->judged && !lens->free && lens->condition < 3)
    list_thread_moves (lens, lines, most);
  return lines;
}

/* --- The way of an element --- */

static char *
range (guint64 first, guint64 n)
{
  return n > 1 ? g_strdup_printf ("%" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT, first, first + n - 1)
               : g_strdup_printf ("%" G_GUINT64_FORMAT, first);
}

static void
add_placed (GPtrArray *lines, const TlRegisterMoment *moment, const TlChainElement *element)
{
  for (guint i = 0; i < element->parts->len; i++)
    {
      const TlChainPart *part = &g_array_index (element->parts, TlChainPart, i);
      TlPlaceOf          place = tl_address_map_split (moment->map, part->address);
      g_autofree char   *bits = range (part->first, part->n_bits), *in = range (part->bit, part->n_bits);

      g_ptr_array_add (lines, g_strdup_printf ("bits %s: byte %" G_GUINT64_FORMAT " bits %s of the tile, unit %u", bits,
                                               part->byte, in, part->unit));
      g_ptr_array_add (lines, g_strdup_printf ("  tier %" G_GUINT64_FORMAT ", bank %" G_GUINT64_FORMAT
                                               ", row %" G_GUINT64_FORMAT ", column %" G_GUINT64_FORMAT,
                                               place.at[TL_LEVEL_TIER], place.at[TL_LEVEL_BANK], place.at[TL_LEVEL_ROW],
                                               place.at[TL_LEVEL_COLUMN]));
    }
}

/* Where the recipe that repeats nothing, or shares a byte, would have the element's bits. */
static void
add_bytes (GPtrArray *lines, const TlRegisterLens *lens, guint thread, guint local)
{
  const TlLayout *layout = &lens->from.layout;
  guint           bits = lens->from.type.bits;
  gboolean        whole = (guint64) tl_layout_locals (layout) * bits % 8 == 0;
  TlLoadRecipe    recipe;

  if (!tl_load_recipe_make (&recipe, bits, layout, whole ? TL_LOAD_REPEAT : TL_LOAD_SHARED_BYTE, 0, NULL))
    return;
  for (guint k = 0, run; k < bits; k += run)
    {
      guint64 at = tl_load_recipe_place (&recipe, thread, local * bits + k);

      for (run = 1; k + run < bits && (at + run) % 8 != 0
                    && tl_load_recipe_place (&recipe, thread, local * bits + k + run) == at + run;)
        run++;
      g_autofree char *own = range (k, run), *in = range (at % 8, run);
      g_ptr_array_add (lines,
                       g_strdup_printf ("bits %s: byte %" G_GUINT64_FORMAT " bits %s of the tile", own, at / 8, in));
    }
}

GPtrArray *
tl_register_lens_trace (const TlRegisterLens *lens, const TlRegisterMoment *moment)
{
  GPtrArray      *lines = g_ptr_array_new_with_free_func (g_free);
  const TlLayout *layout = &lens->from.layout;

  if (!lens->from.valid || moment->element < 0 || (guint64) moment->element >= tl_layout_elements (layout))
    return lines;
  guint64             element = (guint64) moment->element;
  g_autofree guint32 *threads = g_new (guint32, tl_layout_copies (layout));
  guint               local, n = tl_layout_where (layout, element, threads, &local);
  g_autofree char    *at = tl_register_lens_coordinates (lens, element);
  g_autofree char    *bits = range ((guint64) local * lens->from.type.bits, lens->from.type.bits);
  GString            *holders = g_string_new (n > 1 ? "threads" : "thread");

  for (guint i = 0; i < MIN (n, 8); i++)
    g_string_append_printf (holders, "%s %u", i > 0 ? "," : "", threads[i]);
  if (n > 8)
    g_string_append_printf (holders, " and %u more", n - 8);
  g_ptr_array_add (lines, moment->operand != NULL ? g_strdup_printf ("%s[%s]", moment->operand, at)
                                                  : g_strdup_printf ("element %s", at));
  g_string_append_printf (holders, ", local %u: bits %s", local, bits);
  g_ptr_array_add (lines, g_string_free (holders, FALSE));
  if (moment->chain != NULL && moment->map != NULL && layout->n_dims == 2)
    {
      g_auto (TlChainElement) found = { 0 };
      if (tl_chain_of_element (moment->chain, element / (guint64) layout->shape[1],
                               element % (guint64) layout->shape[1], &found))
        add_placed (lines, moment, &found);
    }
  else
    add_bytes (lines, lens, threads[0], local);
  return lines;
}
