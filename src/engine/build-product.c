/* Products on compute units: from the recurrence to the program of the machine, and the layouts that only a run can
 * tell apart. PLAN hands back what ties; each is replayed on a part of the product, and the fastest is taken. */
#include "engine/build-road.h"

#include "base/number.h"
#include "emit/cu-program.h"
#include "engine/product-run.h"
#include "passes/cu-module.h"

#include <string.h>

/* Layouts that are replayed. */
#define MAX_TRIALS 12

static void
keep_dump (TlRoad *road, const TlModule *module)
{
  TlStage stage = tl_stage_of_group (tl_module_group (module));

  if (!road->options->dumps || stage > tl_road_last (road))
    return;
  g_free (road->build->dump[stage]);
  road->build->dump[stage] = tl_module_print (module, road->options->no_loc ? TL_PRINT_NO_LOC : TL_PRINT_DEFAULT);
}

/* One group more, verified and dumped. */
static gboolean
next_group (TlRoad *road, TlModule *module, gboolean (*group) (TlModule *, TlDiags *), gint64 *since, TlDiags *diags)
{
  gint64 now;

  if (!group (module, diags) || !tl_module_verify (module, diags))
    return FALSE;
  keep_dump (road, module);
  now = tl_road_now ();
  road->build->ns[tl_stage_of_group (tl_module_group (module))] += now - *since;
  *since = now;
  return !tl_road_cancelled (road);
}

/* "4 domain bits kept apart; quanta 0-2 spread": what tells one trial from another. (transfer full) */
static char *
describe (const TlCuLayouts *layouts, gboolean planned)
{
  GString *text = g_string_new (NULL);

  if (!planned)
    return g_string_free (g_string_assign (text, "row by row"), FALSE);
  g_string_append (text, layouts->split == 0   ? "one pool of domains"
                         : layouts->split == 1 ? "a half of the domains each"
                                               : "a half each, neighbouring blocks apart");
  for (guint i = 0; i < TL_N_GEMM_OPERANDS; i++)
    {
      const TlPlacement *placement = &layouts->placement[i];
      guint16            columns = 0;

      if (!layouts->placed[i])
        {
          g_string_append_printf (text, "; %c row by row", "AB"[i]);
          continue;
        }
      for (guint c = 0; c < placement->n_column; c++)
        columns |= placement->rows[placement->n_domain + placement->n_row + c];
      g_string_append_printf (text, "; %c in rows by bits", "AB"[i]);
      for (guint b = 0; b < placement->bits; b++)
        if (columns >> b & 1)
          g_string_append_printf (text, " %u", b);
    }
  return g_string_free (text, FALSE);
}

/* Replays the layouts on the first CTAs; ps of the kernel, G_MAXUINT64 when they cannot be bound. */
static guint64
replay (TlRoad *road, const TlCuTarget *target, const TlCuKnobs *knobs, const TlCuLayouts *layouts)
{
  g_autoptr (TlDiags) refused = tl_diags_new ();
  g_autoptr (TlGemmPlacing) placing = NULL;
  TlGemmShape shape = knobs->product.shape;
  TlCuOptions options = { .cancellable = road->cancellable };
  g_auto (TlCuResult) result = { 0 };
  TlCuWork work;

  if (!tl_cu_bind (layouts, knobs, target->map, &shape, &placing, refused))
    return G_MAXUINT64;
  tl_product_work (&work, &shape, placing, knobs->stages, knobs->page, &target->memory, target->map, &target->machine);
  work.limit = TL_PRODUCT_SAMPLE;
  tl_cu_run (&work, &options, &result);
  return result.cancelled ? G_MAXUINT64 : result.kernel;
}

static void
add_trial (TlBuild *build, const TlCuLayouts *layouts, gboolean planned, guint64 kernel)
{
  TlLayoutTrial trial = { .layout = describe (layouts, planned),
                          .kernel_ps = kernel,
                          .requests = layouts->requests,
                          .conflicts = layouts->conflict };

  g_array_append_val (build->layouts, trial);
}

/* The candidate whose replay ends first, ties to the first; row by row where even that is quicker by more than 2 %. */
static gboolean
choose (TlRoad *road, TlModule *module, TlCuLayouts *chosen, gboolean *fallback, TlDiags *diags)
{
  TlBuild *build = road->build;
  g_auto (TlCuTarget) target = { 0 };
  g_autoptr (GArray) candidates = tl_cu_candidates (module, MAX_TRIALS, road->cancellable, diags);
  TlCuLayouts none;
  TlCuKnobs   knobs;
  guint64     best_time = G_MAXUINT64;
  guint       best = 0;

  *fallback = FALSE;
  if (candidates == NULL || !tl_cu_knobs_from_module (&knobs, module, diags)
      || !tl_cu_target_from_module (&target, module, diags))
    return FALSE;
  gboolean planned = knobs.place[0].rule == TL_CU_PLAN || knobs.place[1].rule == TL_CU_PLAN;
  for (guint c = 0; planned && c < candidates->len && !tl_road_cancelled (road); c++)
    {
      const TlCuLayouts *layouts = &g_array_index (candidates, TlCuLayouts, c);
      guint64            time = replay (road, &target, &knobs, layouts);

      add_trial (build, layouts, TRUE, time);
      if (time < best_time)
        {
          best = c;
          best_time = time;
        }
    }
  if (tl_road_cancelled (road))
    return FALSE;
  *chosen = g_array_index (candidates, TlCuLayouts, best);
  if (planned && tl_cu_unplanned (module, &none, diags))
    {
      guint64 time = replay (road, &target, &knobs, &none);

      add_trial (build, &none, FALSE, time);
      *fallback = tl_product_slower (best_time, time);
      if (*fallback)
        {
          *chosen = none;
          best = build->layouts->len - 1;
        }
    }
  if (build->layouts->len > best)
    g_array_index (build->layouts, TlLayoutTrial, best).chosen = TRUE;
  return TRUE;
}

static void
go_on (TlRoad *road, TlModule *module, TlDiags *diags)
{
  TlBuild    *build = road->build;
  gint64      since = tl_road_now ();
  TlCuLayouts layouts;
  gboolean    fallback;

  if (!tl_module_verify (module, diags))
    return;
  keep_dump (road, module);
  if (tl_module_group (module) == TL_GROUP_G1)
    if (tl_road_last (road) <= TL_STAGE_G1 || !next_group (road, module, tl_product_tile, &since, diags))
      return;
  if (tl_module_group (module) == TL_GROUP_G2)
    {
      if (tl_road_last (road) <= TL_STAGE_G2 || !choose (road, module, &layouts, &fallback, diags)
          || !tl_product_place (module, &layouts, fallback, diags) || !tl_module_verify (module, diags))
        return;
      keep_dump (road, module);
      build->ns[TL_STAGE_G3] += tl_road_now () - since;
      since = tl_road_now ();
    }
  if (tl_module_group (module) == TL_GROUP_G3)
    if (tl_road_last (road) <= TL_STAGE_G3 || !next_group (road, module, tl_product_load, &since, diags))
      return;
  if (tl_road_last (road) < TL_STAGE_STREAM)
    return;
  build->product = tl_cu_program_new (module, tl_road_diags (road, TL_STAGE_STREAM));
  build->ns[TL_STAGE_STREAM] = tl_road_now () - since;
}

/* What the search and the binding say has no place of its own: it is about the tiles, else about the product. */
void
tl_road_go_on_product (TlRoad *road, TlModule *module)
{
  const TlBuild      *build = road->build;
  TlDiags            *diags = tl_road_diags (road, TL_STAGE_G4);
  const TlConfigItem *tile = build->ast != NULL ? tl_ast_config (build->ast, "tile") : NULL;
  g_autoptr (TlDiags) own = tl_diags_new ();

  go_on (road, module, own);
  for (guint d = 0; d < tl_diags_count (own); d++)
    {
      const TlDiag *one = tl_diags_get (own, d);

      if ((one->file != NULL && *one->file != '\0') || build->recurrence == NULL)
        tl_diags_copy (diags, one);
      else
        tl_diag_reason (
            tl_diags_add (diags, one->severity, one->code, build->source,
                          tile != NULL && tile->value != NULL ? tile->value_span : build->recurrence->update_span, "%s",
                          one->message),
            "%s; take smaller matrices or tiles, or a larger machine",
            one->reason != NULL ? one->reason : "it cannot be placed");
    }
}

/* Whether an operand's data were to be read and could not: that has been said, and all that follows from it need not. */
static gboolean
lacks_data (const TlBuild *build)
{
  const char *const names[] = { build->recurrence->left, build->recurrence->right };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const TlBuildDatum *datum = tl_build_data_find (build->data, names[i]);

      if (datum != NULL && datum->input == NULL && tl_diags_errors (datum->diags) > 0)
        return TRUE;
    }
  return FALSE;
}

/* A product's knobs, its module, and all groups. */
void
tl_road_make_product (TlRoad *road)
{
  TlBuild *build = road->build;
  TlDiags *diags = tl_road_diags (road, TL_STAGE_G1);
  g_autoptr (GArray) facts = tl_build_data_facts (build->data);
  g_autoptr (TlDiags) said = tl_diags_new ();
  g_autoptr (TlModule) module = NULL;
  gint64    start = tl_road_now ();
  TlCuKnobs knobs;

  if (lacks_data (build))
    return;
  if (tl_target_map (build->target) == NULL)
    {
      tl_diag_reason (tl_diags_add (diags, TL_SEVERITY_ERROR, "no-map", build->source, build->recurrence->update_span,
                                    "%s has no address map", tl_target_name (build->target)),
                      "%s", tl_target_map_reason (build->target));
      return;
    }
  gboolean earlier = tl_road_errors (road) > 0;
  gboolean right = tl_cu_knobs_resolve (&knobs, build->ast, build->recurrence, facts, build->target, said);
  /* Sizes that were wrong before are not wrong again. */
  for (guint d = 0; d < tl_diags_count (said); d++)
    if (!earlier || !g_str_has_prefix (tl_diags_get (said, d)->code, "product-"))
      tl_diags_copy (diags, tl_diags_get (said, d));
  if (!right || tl_road_errors (road) > 0)
    return;
  module = tl_product_module (build->recurrence, build->ast, facts, &knobs, build->target);
  build->ns[TL_STAGE_G1] += tl_road_now () - start;
  tl_road_go_on_product (road, module);
}
