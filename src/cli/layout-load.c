/* tierc layout: the verdict on a View, and the ways to load a tile. */
#include "cli/layout.h"

#include <string.h>

int
tl_layout_read_type (const char *name, TlElementType *type)
{
  if (tl_element_type_parse (name, type))
    return TL_GO_ON;
  return tl_cli_usage (&tl_cli_layout,
                       "there is no type \"%s\"; u1 to u8, i1 to i8, f3e1m1 to f8e5m2, f16, bf16, f32 are some", name);
}

int
tl_layout_read_side (const char *text, TlElementType *type, TlLayout *layout)
{
  const char *colon = strchr (text, ':');

  if (colon == NULL)
    return tl_cli_usage (&tl_cli_layout, "--view wants TYPE:EXPR, such as \"i6:local(2,1).spatial(8,4)\"");
  g_autofree char *name = g_strndup (text, (gsize) (colon - text));
  int              status = tl_layout_read_type (name, type);
  if (status != TL_GO_ON)
    return status;

  g_autofree char *reason = NULL;
  gsize            at;
  if (tl_layout_parse (layout, colon + 1, -1, &at, &reason))
    return TL_GO_ON;
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlSource) source = tl_source_new ("<view>", colon + 1, -1);
  tl_diags_add (diags, TL_SEVERITY_ERROR, "layout-expression", source, tl_span ((guint32) at, (guint32) at + 1), "%s",
                reason);
  tl_cli_diags_print (diags, source);
  return TL_EXIT_WRONG;
}

void
tl_layout_print_view (const TlView *view)
{
  printf ("%-14s %s", "view", tl_view_verdict_name (view->verdict));
  if (view->condition > 0)
    printf (" (C%u)", view->condition);
  printf (": %s\n", view->message);
}

/* The ways in the order they are shown: the least repetition, the one of whole registers
 * where it is another, a shared byte, padding. Returns how many. */
enum
{
  N_WAYS = 4,
};

static guint
make_recipes (TlElementType type, const TlLayout *layout, TlLoadRecipe *recipes, char **reasons)
{
  const guint aligned = tl_load_recipe_aligned (type.bits, layout);
  const struct
  {
    TlLoadWay way;
    guint     repeat;
  } ways[N_WAYS]
      = { { TL_LOAD_REPEAT, 0 }, { TL_LOAD_REPEAT, aligned }, { TL_LOAD_SHARED_BYTE, 0 }, { TL_LOAD_PAD, 0 } };
  guint n = 0;

  for (guint i = 0; i < N_WAYS; i++)
    {
      reasons[n] = NULL;
      if (!tl_load_recipe_make (&recipes[n], type.bits, layout, ways[i].way, ways[i].repeat, &reasons[n]))
        recipes[n] = (TlLoadRecipe) { .way = ways[i].way, .repeat = ways[i].repeat };
      if (i != 1 || recipes[0].repeat != aligned)
        n++;
      else
        g_clear_pointer (&reasons[n], g_free);
    }
  return n;
}

/* (transfer full) */
static char *
load_text (const TlLoadRecipe *recipe)
{
  char *product = tl_layout_to_kronecker (&recipe->load, NULL);

  return product != NULL ? product : tl_layout_to_text (&recipe->load);
}

void
tl_layout_print_recipe (TlElementType type, const TlLayout *layout)
{
  TlLoadRecipe     recipes[N_WAYS];
  char            *reasons[N_WAYS];
  guint            n = make_recipes (type, layout, recipes, reasons);
  g_autofree char *name = tl_element_type_name (type);

  printf ("%-14s %u threads with %u x %s = %u bits\n", "recipe", tl_layout_threads (layout), tl_layout_locals (layout),
          name, tl_layout_locals (layout) * type.bits);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *reason = reasons[i];
      g_autofree char *label = recipes[i].way == TL_LOAD_REPEAT && recipes[i].repeat > 0
                                   ? g_strdup_printf ("repeat %u", recipes[i].repeat)
                                   : g_strdup (tl_load_way_name (recipes[i].way));
      if (reason != NULL)
        {
          printf ("  %-12s none: %s\n", label, reason);
          continue;
        }
      g_autofree char *cost = tl_load_recipe_cost (&recipes[i]);
      g_autofree char *load = load_text (&recipes[i]);
      printf ("  %-12s %s, %" G_GUINT64_FORMAT " bytes of memory: u8 %s\n", label, cost, recipes[i].bytes, load);
    }
}

void
tl_layout_json_view (JsonBuilder *builder, const TlView *view)
{
  g_autofree char *condition = view->condition > 0 ? g_strdup_printf ("C%u", view->condition) : NULL;

  tl_json_begin_object (builder, "view");
  tl_json_text (builder, "verdict", tl_view_verdict_name (view->verdict));
  tl_json_text (builder, "condition", condition);
  if (view->verdict == TL_VIEW_FREE)
    tl_json_int (builder, "instructions", 0);
  else
    tl_json_text (builder, "instructions", NULL);
  tl_json_text (builder, "message", view->message);
  json_builder_end_object (builder);
}

void
tl_layout_json_recipe (JsonBuilder *builder, TlElementType type, const TlLayout *layout)
{
  TlLoadRecipe recipes[N_WAYS];
  char        *reasons[N_WAYS];
  guint        n = make_recipes (type, layout, recipes, reasons);

  tl_json_begin_array (builder, "recipe");
  for (guint i = 0; i < n; i++)
    {
      const TlLoadRecipe *recipe = &recipes[i];
      g_autofree char    *reason = reasons[i];

      tl_json_begin_object (builder, NULL);
      tl_json_text (builder, "way", tl_load_way_name (recipe->way));
      tl_json_text (builder, "reason", reason);
      if (reason == NULL)
        {
          g_autofree char *load = load_text (recipe);
          g_autofree char *target = tl_layout_to_text (&recipe->target);
          const struct
          {
            const char *name;
            guint64     value;
          } numbers[] = {
            { "threads", recipe->threads },
            { "bits_per_thread", recipe->thread_bits },
            { "image_bits", recipe->image_bits },
            { "n1_bits", recipe->piece_bits },
            { "n2", recipe->pieces },
            { "owners", recipe->owners },
            { "repeat", recipe->repeat },
            { "bytes", recipe->bytes },
            { "loads", recipe->loads },
            { "width", recipe->width },
            { "merges", recipe->merges },
            { "shifts", recipe->shifts },
          };
          for (guint k = 0; k < G_N_ELEMENTS (numbers); k++)
            tl_json_int (builder, numbers[k].name, numbers[k].value);
          tl_json_text (builder, "load", load);
          tl_json_text (builder, "target", target);
        }
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}
