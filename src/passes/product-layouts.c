/* Layouts of a product's operands: which there are to choose from, and how they are bound. */
#include "passes/passes-private.h"

#include "place/evaluate.h"

#include <string.h>

/* Maps of one tile that are looked at beside PLAN's. */
#define MAX_MAPS 8

typedef struct
{
  TlPlacement placement[MAX_MAPS];
  guint       n;
} Maps;

gboolean
tl_cu_bind (const TlCuLayouts *layouts, const TlCuKnobs *knobs, TlAddressMap *map, TlGemmShape *shape,
            TlGemmPlacing **placing, TlDiags *diags)
{
  const TlPlacement *placements[TL_N_GEMM_OPERANDS];
  gboolean           packed = TRUE;
  guint              placed = 0;

  *placing = NULL;
  for (guint i = 0; i < TL_N_GEMM_OPERANDS; i++)
    {
      placements[i] = layouts->placed[i] ? &layouts->placement[i] : NULL;
      placed += layouts->placed[i];
      packed &= knobs->place[i].rule == TL_CU_PACKED;
    }
  shape->packed = packed && placed > 0;
  if (placed == 0 || shape->packed)
    {
      /* As the stream has it; where that ends must be in the memory. */
      TlGemmTiles tiles;
      tl_gemm_tiles (shape, TL_GEMM_B, &tiles);
      guint64 bytes
          = shape->packed ? tiles.tiles_down * tiles.tiles_across * tiles.tile_bytes : tiles.rows * tiles.row_bytes;
      guint64 last = (tl_gemm_base (shape, TL_GEMM_B) + bytes - 1) / shape->quantum;

      if (last >> tl_address_map_bits (map) == 0)
        return TRUE;
      tl_diag_reason (tl_diags_add (diags, TL_SEVERITY_ERROR, "gemm-memory", NULL, tl_span (0, 0),
                                    "the operands do not fit the memory"),
                      "they end at quantum %" G_GUINT64_FORMAT ", the memory has 2^%u of %u bytes", last,
                      tl_address_map_bits (map), shape->quantum);
      return FALSE;
    }
  *placing = tl_gemm_placing_new (shape, map, placements, layouts->split, diags);
  return *placing != NULL;
}

/* --- candidates --- */

/* The @low lowest unit bits choose the domain, the next ones the column, then further domains and rows: neighbours
 * lie apart, and a row comes round again once all of those domains have had their turn. */
static gboolean
spread (guint bits, guint c, guint d, guint low, TlPlacement *placement)
{
  guint columns = MIN (c, bits), n = 0, domains;

  if (low + columns > bits || low > d)
    return FALSE;
  *placement = (TlPlacement) { .bits = bits, .n_column = columns, .nonzeros = bits };
  domains = MIN (d, bits - columns);
  placement->n_domain = domains;
  placement->n_row = bits - columns - domains;
  for (guint i = 0; i < bits - columns; i++)
    placement->rows[n++] = (guint16) (1u << (i < low ? i : i + columns));
  for (guint i = 0; i < columns; i++)
    placement->rows[n++] = (guint16) (1u << (low + i));
  return TRUE;
}

/* Maps of the tile that tie with @plan in conflicts and domains, itself first. */
static void
collect (const TlSequence *sequence, const TlFreePlan *plan, guint c, guint d, Maps *maps)
{
  maps->n = 0;
  maps->placement[maps->n++] = plan->placement;
  for (guint low = 0; low <= sequence->bits && maps->n < MAX_MAPS; low++)
    {
      TlPlacement      *next = &maps->placement[maps->n];
      TlPlacementCounts counts;
      gboolean          known = FALSE;

      if (!spread (sequence->bits, c, d, low, next))
        break;
      for (guint i = 0; i < maps->n; i++)
        known |= tl_placement_equal (&maps->placement[i], next);
      if (known || !tl_placement_evaluate (next, sequence, &counts) || counts.conflict != plan->conflicts
          || counts.coverage != plan->coverage)
        continue;
      maps->n++;
    }
}

/* Is the layout of @operand PLAN's to choose? If not it is fixed in @layouts. */
static gboolean
fix_operand (const TlCuKnobs *knobs, TlGemmOperand operand, const TlSequence *sequence, guint c, guint d,
             TlCuLayouts *layouts)
{
  const TlCuPlace  *place = &knobs->place[operand];
  TlPlacementCounts counts;

  layouts->placed[operand] = place->rule != TL_CU_IDENTITY;
  if (place->rule == TL_CU_LAYOUT)
    layouts->placement[operand] = place->layout;
  else if (place->rule == TL_CU_PACKED)
    tl_placement_identity (sequence->bits, c, d, &layouts->placement[operand]);
  if (place->rule == TL_CU_LAYOUT || place->rule == TL_CU_PACKED)
    {
      tl_placement_evaluate (&layouts->placement[operand], sequence, &counts);
      layouts->conflicts[operand] = counts.conflict;
      layouts->coverage[operand] = counts.coverage;
    }
  return place->rule == TL_CU_PLAN;
}

static gboolean
go_on (double fraction, gpointer data)
{
  return !g_cancellable_is_cancelled (data);
}

/* One joint choice: counted in order, and kept if it can be bound. */
static void
keep (GArray *found, const TlCuKnobs *knobs, TlAddressMap *map, TlCuLayouts *layouts, TlDiags *refused)
{
  g_autoptr (TlGemmPlacing) placing = NULL;
  TlGemmShape     shape = knobs->product.shape;
  TlInOrderCounts counts;

  for (guint i = 0; i < found->len; i++)
    {
      const TlCuLayouts *old = &g_array_index (found, TlCuLayouts, i);
      gboolean           same = old->split == layouts->split;

      for (guint o = 0; o < TL_N_GEMM_OPERANDS; o++)
        same &= old->placed[o] == layouts->placed[o]
                && (!old->placed[o] || tl_placement_equal (&old->placement[o], &layouts->placement[o]));
      if (same)
        return;
    }
  if (!tl_cu_bind (layouts, knobs, map, &shape, &placing, refused)
      || !tl_gemm_count (&shape, map, placing, TL_CU_SAMPLE, NULL, &counts, refused))
    return;
  layouts->requests = counts.requests;
  layouts->conflict = counts.conflict;
  g_array_append_vals (found, layouts, 1);
}

/* Fewest conflicts first; of equal ones the order in which they were made stands. */
static void
sort_by_conflicts (GArray *found)
{
  for (guint i = 1; i < found->len; i++)
    for (guint j = i;
         j > 0 && g_array_index (found, TlCuLayouts, j).conflict < g_array_index (found, TlCuLayouts, j - 1).conflict;
         j--)
      {
        TlCuLayouts swap = g_array_index (found, TlCuLayouts, j);

        g_array_index (found, TlCuLayouts, j) = g_array_index (found, TlCuLayouts, j - 1);
        g_array_index (found, TlCuLayouts, j - 1) = swap;
      }
}

/* All joint choices of one way to share the domains. */
static void
collect_way (const TlGemmPlan *plan, const TlGemmWay *way, const TlCuKnobs *knobs, const TlPlaceBits *bits, guint most,
             GArray *found, TlDiags *refused)
{
  TlCuLayouts base = { .split = way->split };
  Maps        maps[TL_N_GEMM_OPERANDS];
  guint       n = 1;

  for (TlGemmOperand i = TL_GEMM_A; i < TL_N_GEMM_OPERANDS; i++)
    {
      guint d = bits->n_domain - tl_gemm_share_bits (way->split, i);

      maps[i].n = 0;
      if (!fix_operand (knobs, i, plan->signature[i]->sequence, bits->n_column, d, &base))
        continue;
      collect (plan->signature[i]->sequence, &way->plan[i], bits->n_column, d, &maps[i]);
      base.conflicts[i] = way->plan[i].conflicts;
      base.coverage[i] = way->plan[i].coverage;
      n = MAX (n, maps[i].n);
    }
  /* The same kind of map for both, so that there are few. */
  for (guint m = 0; m < n && found->len < most; m++)
    {
      TlCuLayouts one = base;

      for (guint i = 0; i < TL_N_GEMM_OPERANDS; i++)
        if (maps[i].n > 0)
          one.placement[i] = maps[i].placement[MIN (m, maps[i].n - 1)];
      keep (found, knobs, plan->map, &one, refused);
    }
}

/* The layouts without PLAN's. */
static gboolean
add_unplanned (GArray *found, const TlCuKnobs *knobs, const TlCuTarget *target, TlDiags *refused)
{
  TlCuLayouts one = { 0 };
  TlPlaceBits bits;

  tl_place_bits (target->map, &bits);
  for (TlGemmOperand i = TL_GEMM_A; i < TL_N_GEMM_OPERANDS; i++)
    {
      g_autoptr (TlSignature) signature = tl_signature_of_gemm (&knobs->product.shape, i, refused);

      if (signature == NULL)
        return FALSE;
      if (fix_operand (knobs, i, signature->sequence, bits.n_column, bits.n_domain, &one))
        one.placed[i] = FALSE;
    }
  keep (found, knobs, target->map, &one, refused);
  return found->len > 0;
}

gboolean
tl_cu_unplanned (const TlModule *module, TlCuLayouts *layouts, TlDiags *diags)
{
  g_auto (TlCuTarget) target = { 0 };
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (TlCuLayouts));
  TlCuKnobs knobs;

  if (!tl_cu_knobs_from_module (&knobs, module, diags) || !tl_cu_target_from_module (&target, module, diags)
      || !add_unplanned (found, &knobs, &target, diags))
    return FALSE;
  *layouts = g_array_index (found, TlCuLayouts, 0);
  return TRUE;
}

GArray *
tl_cu_candidates (const TlModule *module, guint most, GCancellable *cancellable, TlDiags *diags)
{
  g_auto (TlCuTarget) target = { 0 };
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (TlCuLayouts));
  g_autoptr (TlDiags) refused = tl_diags_new ();
  g_autoptr (TlGemmPlan) plan = NULL;
  TlGemmPlanOptions options = { TL_PLAN_STEP_LIMIT, TL_CU_SAMPLE, go_on, cancellable };
  TlCuKnobs         knobs;
  TlPlaceBits       bits;

  if (!tl_cu_knobs_from_module (&knobs, module, diags) || !tl_cu_target_from_module (&target, module, diags))
    return NULL;
  tl_place_bits (target.map, &bits);
  if (knobs.place[0].rule != TL_CU_PLAN && knobs.place[1].rule != TL_CU_PLAN)
    {
      if (!add_unplanned (found, &knobs, &target, diags))
        return NULL;
    }
  else if ((plan = tl_gemm_plan_new (&knobs.product.shape, target.map, &options, diags)) == NULL)
    return NULL;
  for (guint w = 0; plan != NULL && w < plan->n_ways && found->len < most; w++)
    if (w == 0 || plan->way[w].conflict == plan->way[0].conflict || found->len == 0
        || plan->way[w].split != plan->way[0].split)
      collect_way (plan, &plan->way[w], &knobs, &bits, most, found, refused);
  if (found->len == 0)
    {
      if (tl_diags_count (refused) > 0)
        tl_diags_copy (diags, tl_diags_get (refused, 0));
      return NULL;
    }
  sort_by_conflicts (found);
  return g_steal_pointer (&found);
}

gboolean
tl_cu_layouts_from_module (TlCuLayouts *layouts, const TlModule *module, TlDiags *diags)
{
  const TlOp *product = tl_module_find (module, "tile.product");

  *layouts = (TlCuLayouts) { .split = product != NULL ? (guint) tl_op_integer (product, "split", 0) : 0 };
  for (guint i = 0; i < TL_N_GEMM_OPERANDS; i++)
    {
      const TlOp *place = product != NULL && product->n_operands == 3 ? product->operands[i + 1]->op : NULL;
      TlNamedAttr items[3];

      if (place == NULL || strcmp (place->name, "tile.place") != 0)
        {
          tl_pass_error (diags, tl_module_op (module)->location, "invalid-ir", "the product's operands are not placed");
          return FALSE;
        }
      items[0] = (TlNamedAttr) { "column", tl_op_attr (place, "column") };
      items[1] = (TlNamedAttr) { "domain", tl_op_attr (place, "domain") };
      items[2] = (TlNamedAttr) { "row", tl_op_attr (place, "row") };
      const TlAttr *const values[] = { items[0].value, items[1].value, items[2].value };
      const char *const   names[] = { "column", "domain", "row" };
      TlAttr              dict = { .kind = TL_ATTR_DICT, .items = values, .names = names, .n_items = 3 };
      if (values[0] == NULL || values[1] == NULL || values[2] == NULL
          || !tl_product_read_masks (&dict, &layouts->placement[i]))
        {
          tl_pass_error (diags, place->location, "invalid-ir", "a place has no lists domain, row and column of masks");
          return FALSE;
        }
      layouts->placed[i] = layouts->placement[i].bits > 0;
      layouts->conflicts[i] = (guint64) tl_op_integer (place, "conflicts", 0);
      layouts->coverage[i] = (guint64) tl_op_integer (place, "domains", 0);
    }
  layouts->requests = (guint64) tl_op_integer (product, "sample", 0);
  layouts->conflict = (guint64) tl_op_integer (product, "conflicts", 0);
  return TRUE;
}
