/* tierc plan FILE --element, --at: the way of an element of an operand from its thread to its place in DRAM, and back.
 * Weights of few bits lie as the kernel packs them; what no kernel packs lies row by row. */
#include "cli/chain.h"
#include "cli/plan.h"
#include "layout/convert.h"
#include "place/evaluate.h"
#include "tile/image.h"

#include <string.h>

/* What the copies of a tile of pieces do under this plan. */
static gboolean
count_pieces (const TlTileImage *image, const TlGemmPlan *plan, TlPlacementCounts *counts)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  const TlPlacement *placement = &plan->way[0].plan[TL_GEMM_B].placement;
  g_autoptr (TlSignature) pieces = NULL;

  if (image->spec.recipe == NULL)
    return FALSE;
  pieces = tl_signature_of_pieces (image->spec.recipe, TL_GEMM_B, plan->shape.transposed, plan->shape.quantum, diags);
  return pieces != NULL && pieces->sequence->bits == placement->bits
         && tl_placement_evaluate (placement, pieces->sequence, counts);
}

static void
print_head (const TlTileImage *image, const TlProduct *product, const TlGemmPlan *plan, TlGemmOperand operand)
{
  g_autofree char  *type = tl_element_type_name (product->type[operand]);
  TlPlacementCounts counts;

  if (image->spec.recipe != NULL)
    {
      g_autofree char *layout = tl_layout_to_kronecker (&image->spec.recipe->target, NULL);

      printf ("%s of %s: a tile lies as its %u threads load it, %u pieces of %u bits each: %s\n",
              product->operand[operand], product->type[operand].bits > 0 ? type : "f16", image->spec.recipe->threads,
              image->spec.recipe->pieces, image->spec.recipe->piece_bits, layout != NULL ? layout : "");
      if (count_pieces (image, plan, &counts))
        printf ("copied in that order: %" G_GUINT64_FORMAT " hits, %" G_GUINT64_FORMAT " misses, %" G_GUINT64_FORMAT
                " conflicts\n",
                counts.hit, counts.miss, counts.conflict);
    }
  else if (image->why_not != NULL && operand == TL_GEMM_B)
    printf ("%s of %s: a tile lies row by row, as no kernel packs it: %s\n", product->operand[operand],
            product->type[operand].bits > 0 ? type : "f16", image->why_not);
  else
    printf ("%s of %s: a tile lies row by row\n", product->operand[operand],
            product->type[operand].bits > 0 ? type : "f16");
}

typedef struct
{
  gboolean       has_element, has_at;
  guint64        row, column;
  TlPlaceOf      place;
  TlChainElement element;
} Asked;

static void
asked_clear (Asked *asked)
{
  tl_chain_element_clear (&asked->element);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Asked, asked_clear)

static JsonNode *
chain_json (const Asked *asked, const TlTileImage *image, const TlProduct *product, const TlGemmPlan *plan,
            const TlChain *chain, TlGemmOperand operand)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  TlPlacementCounts counts;

  tl_json_begin_object (builder, NULL);
  tl_json_text (builder, "program", product->name);
  tl_json_text (builder, "operand", product->operand[operand]);
  tl_json_text (builder, "image", image->spec.recipe != NULL ? "pieces" : "rows");
  tl_json_text (builder, "image_reason", image->why_not);
  tl_json_int (builder, "quantum", plan->shape.quantum);
  tl_json_int (builder, "units", tl_chain_units (chain));
  if (operand == TL_GEMM_B && count_pieces (image, plan, &counts))
    {
      tl_json_begin_object (builder, "copied");
      tl_json_int (builder, "hit", counts.hit);
      tl_json_int (builder, "miss", counts.miss);
      tl_json_int (builder, "conflict", counts.conflict);
      json_builder_end_object (builder);
    }
  if (asked->has_element)
    {
      tl_json_begin_object (builder, "element");
      tl_json_int (builder, "row", asked->row);
      tl_json_int (builder, "column", asked->column);
      tl_cli_json_element (builder, plan->map, &asked->element);
      json_builder_end_object (builder);
    }
  if (asked->has_at)
    {
      tl_json_begin_object (builder, "at");
      tl_cli_json_unit (builder, chain, plan->map, plan->shape.quantum, tl_address_map_join (plan->map, &asked->place));
      json_builder_end_object (builder);
    }
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

static int
read_asked (const TlPlanWishes *wishes, const TlChain *chain, const TlGemmPlan *plan, const char *name, Asked *asked)
{
  int status;

  asked->has_element = wishes->element != NULL;
  asked->has_at = wishes->at != NULL;
  if (asked->has_at && (status = tl_cli_read_place (&tl_cli_plan, wishes->at, plan->map, &asked->place)) != TL_GO_ON)
    return status;
  if (!asked->has_element)
    return TL_GO_ON;
  if ((status = tl_cli_read_element (&tl_cli_plan, wishes->element, &asked->row, &asked->column)) != TL_GO_ON)
    return status;
  if (!tl_chain_of_element (chain, asked->row, asked->column, &asked->element))
    {
      guint64 rows, columns;

      tl_chain_size (chain, &rows, &columns);
      return tl_cli_usage (&tl_cli_plan, "%s has no element %s: it is %" G_GUINT64_FORMAT " x %" G_GUINT64_FORMAT, name,
                           wishes->element, rows, columns);
    }
  return TL_GO_ON;
}

int
tl_cli_plan_chain (const TlPlanWishes *wishes, const TlAst *ast, const TlProduct *product, const TlGemmPlan *plan,
                   TlGemmOperand operand)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_auto (TlTileImage) image = { 0 };
  g_auto (Asked) asked = { 0 };
  g_autofree char   *reason = NULL;
  const char        *name = product->operand[operand];
  const TlGemmWay   *way = &plan->way[0];
  const TlPlacement *placements[] = { &way->plan[TL_GEMM_A].placement, &way->plan[TL_GEMM_B].placement };
  g_autoptr (TlGemmPlacing) placing = tl_gemm_placing_new (&plan->shape, plan->map, placements, way->split, diags);
  int status;

  tl_cli_diags_print (diags, NULL);
  if (placing == NULL)
    return TL_EXIT_WRONG;
  tl_tile_image_find (&image, ast, &plan->shape, operand);
  g_autoptr (TlChain) chain = tl_chain_new (&image.spec, placing, plan->map, &reason);
  if (chain == NULL)
    {
      fprintf (stderr, "plan: error: %s\n", reason);
      return TL_EXIT_WRONG;
    }
  if ((status = read_asked (wishes, chain, plan, name, &asked)) != TL_GO_ON)
    return status;
  /* Whoever names no operand asks what lies there, whichever it is. */
  if (wishes->operand == NULL && asked.has_at && !asked.has_element && operand == TL_GEMM_B)
    {
      TlChainBit found;

      tl_chain_of_address (chain, tl_address_map_join (plan->map, &asked.place), 0, &found);
      if (found.kind == TL_CHAIN_NOTHING)
        return tl_cli_plan_chain (wishes, ast, product, plan, TL_GEMM_A);
    }
  if (wishes->json)
    return tl_cli_write_json ("-", chain_json (&asked, &image, product, plan, chain, operand));
  print_head (&image, product, plan, operand);
  if (asked.has_element)
    {
      g_autofree char *which
          = g_strdup_printf ("%s[%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT "]", name, asked.row, asked.column);
      tl_cli_print_element (chain, plan->map, plan->shape.quantum, which, &asked.element);
    }
  if (asked.has_at)
    tl_cli_print_unit (chain, plan->map, plan->shape.quantum, name, tl_address_map_join (plan->map, &asked.place));
  return TL_EXIT_FINE;
}
