/* Operand tiles of builds. */
#include "engine/operand.h"

#include <string.h>

/* Requests that are counted to choose among the ways to share the domains. */
#define SAMPLE (1u << 18)

static gboolean
read_product (TlBuild *build, TlProduct *product, TlDiags *diags)
{
  TlTarget *target = build->target;

  if (build->ast == NULL || target == NULL)
    {
      tl_diags_add (diags, TL_SEVERITY_ERROR, "no-product", build->source, tl_span (0, 0),
                    "the program cannot be read, so it has no operand tiles");
      return FALSE;
    }
  if (tl_target_kind (target) != TL_MACHINE_CU || tl_target_map (target) == NULL)
    {
      tl_diag_reason (tl_diags_add (diags, TL_SEVERITY_ERROR, "not-on-this-target", build->source, tl_span (0, 0),
                                    "operand tiles are placed on cu targets, and %s is none", tl_target_name (target)),
                      "units of a tile are quanta of a compute unit's own stack, such as cu-t8b16");
      return FALSE;
    }
  return tl_product_read (build->ast, tl_target_memory (target)->unit_bytes, product, diags);
}

TlOperandTile *
tl_operand_tile_new (TlBuild *build, TlGemmOperand operand, gboolean (*progress) (double fraction, gpointer data),
                     gpointer data, TlDiags *diags)
{
  g_autoptr (TlOperandTile) tile = g_new0 (TlOperandTile, 1);
  TlGemmPlanOptions options = { TL_PLAN_STEP_LIMIT, SAMPLE, progress, data };

  tile->build = tl_build_ref (build);
  tile->operand = operand;
  if (!read_product (build, &tile->product, diags))
    return NULL;
  tile->plan = tl_gemm_plan_new (&tile->product.shape, tl_target_map (build->target), &options, diags);
  if (tile->plan == NULL || tile->plan->n_ways == 0)
    return NULL;
  const TlGemmWay   *way = &tile->plan->way[0];
  const TlPlacement *placements[] = { &way->plan[TL_GEMM_A].placement, &way->plan[TL_GEMM_B].placement };
  tile->placing = tl_gemm_placing_new (&tile->product.shape, tile->plan->map, placements, way->split, diags);
  if (tile->placing == NULL)
    return NULL;
  tl_tile_image_find (&tile->image, build->ast, &tile->product.shape, operand);
  tile->chain = tl_chain_new (&tile->image.spec, tile->placing, tile->plan->map, &tile->no_chain);
  return g_steal_pointer (&tile);
}

void
tl_operand_tile_free (TlOperandTile *tile)
{
  if (tile == NULL)
    return;
  tl_chain_free (tile->chain);
  g_free (tile->no_chain);
  tl_gemm_placing_free (tile->placing);
  tl_gemm_plan_free (tile->plan);
  tl_tile_image_clear (&tile->image);
  tl_build_unref (tile->build);
  g_free (tile);
}

gboolean
tl_operand_find (const TlBuild *build, const char *name, TlGemmOperand *operand)
{
  g_autoptr (TlDiags) ignored = tl_diags_new ();
  TlProduct product;

  if (build->ast == NULL || !tl_product_read (build->ast, 2, &product, ignored))
    return FALSE;
  for (*operand = TL_GEMM_A; *operand < TL_N_GEMM_OPERANDS; (*operand)++)
    if (strcmp (product.operand[*operand], name) == 0)
      return TRUE;
  return FALSE;
}
