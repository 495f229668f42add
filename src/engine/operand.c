/* Operand tiles of builds. */
#include "engine/operand.h"

#include "engine/build-data.h"
#include "passes/cu-module.h"
#include "place/place-line.h"

#include <string.h>

void
tl_operand_facts (const char *name, TlOperandFacts *known, gconstpointer build)
{
  const TlBuildDatum *datum = tl_build_data_find (((const TlBuild *) build)->data, name);

  if (datum == NULL)
    return;
  known->rows = datum->rows;
  known->columns = datum->columns;
  if (datum->input != NULL && datum->input->kind == TL_INPUT_TENSOR)
    known->element = datum->input->element;
}

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
  return tl_product_read_on (build->ast, target, tl_operand_facts, build, product, diags);
}

/* A layout that the program writes for one of the operands has its way over the plan's. */
static gboolean
written_layout (const TlOperandTile *tile, TlGemmOperand operand, TlPlacement *placement)
{
  const TlAst       *ast = tile->build->ast;
  const TlPlaceDecl *line = tl_ast_place (ast, tile->product.operand[operand]);
  g_autofree char   *reason = NULL;
  TlPlaceBits        bits;
  TlSpan             span;

  if (line == NULL || line->value == NULL || g_strcmp0 (line->value->text, "layout") != 0 || line->value->n_args == 0)
    return FALSE;
  tl_place_bits (tile->plan->map, &bits);
  return tl_place_line_read (line->value->args[0], ast->source, tile->plan->signature[operand]->sequence->bits,
                             bits.n_column, bits.n_domain, placement, &reason, &span);
}

/* What the run lays out, where the build has come to its program. */
static gboolean
place_as_run (TlOperandTile *tile, TlDiags *diags)
{
  const TlCuProgram *program = tile->build->product;
  const TlCuLayouts *layouts = &program->layouts;
  const TlPlacement *placements[TL_N_GEMM_OPERANDS] = { NULL, NULL };

  tile->split = layouts->split;
  tile->of_run = TRUE;
  tile->unused = !layouts->placed[tile->operand];
  for (TlGemmOperand i = TL_GEMM_A; i < TL_N_GEMM_OPERANDS; i++)
    if (layouts->placed[i])
      placements[i] = &layouts->placement[i];
  /* What is not used is bound as the plan would have it, so that it can be looked at. */
  if (tile->unused)
    {
      tile->split = tile->plan->way[0].split;
      for (TlGemmOperand i = TL_GEMM_A; i < TL_N_GEMM_OPERANDS; i++)
        placements[i] = &tile->plan->way[0].plan[i].placement;
    }
  tile->placement = *placements[tile->operand];
  tile->written = !tile->unused && program->rule[tile->operand] == TL_CU_LAYOUT;
  tile->placing = tl_gemm_placing_new (&tile->product.shape, tile->plan->map, placements, tile->split, diags);
  return tile->placing != NULL;
}

/* Binds the tiles; a written layout that the plan's share of domains has no room for is left to the plan. */
static gboolean
place (TlOperandTile *tile, TlDiags *diags)
{
  const TlGemmWay *way = &tile->plan->way[0];
  TlPlacement      layouts[TL_N_GEMM_OPERANDS];
  gboolean         written[TL_N_GEMM_OPERANDS];
  g_autoptr (TlDiags) refused = tl_diags_new ();
  const TlPlacement *const placements[] = { &layouts[TL_GEMM_A], &layouts[TL_GEMM_B] };

  tile->split = way->split;
  for (TlGemmOperand i = TL_GEMM_A; i < TL_N_GEMM_OPERANDS; i++)
    {
      written[i] = written_layout (tile, i, &layouts[i]);
      if (!written[i])
        layouts[i] = way->plan[i].placement;
    }
  tile->placing = tl_gemm_placing_new (&tile->product.shape, tile->plan->map, placements, way->split, refused);
  if (tile->placing == NULL)
    {
      for (TlGemmOperand i = TL_GEMM_A; i < TL_N_GEMM_OPERANDS; i++)
        {
          written[i] = FALSE;
          layouts[i] = way->plan[i].placement;
        }
      tile->placing = tl_gemm_placing_new (&tile->product.shape, tile->plan->map, placements, way->split, diags);
    }
  tile->placement = layouts[tile->operand];
  tile->written = written[tile->operand];
  return tile->placing != NULL;
}

TlOperandTile *
tl_operand_tile_new (TlBuild *build, TlGemmOperand operand, gboolean (*progress) (double fraction, gpointer data),
                     gpointer data, TlDiags *diags)
{
  g_autoptr (TlOperandTile) tile = g_new0 (TlOperandTile, 1);
  TlGemmPlanOptions options = { TL_PLAN_STEP_LIMIT, TL_CU_SAMPLE, progress, data };

  tile->build = tl_build_ref (build);
  tile->operand = operand;
  if (!read_product (build, &tile->product, diags))
    return NULL;
  tile->plan = tl_gemm_plan_new (&tile->product.shape, tl_target_map (build->target), &options, diags);
  if (tile->plan == NULL || tile->plan->n_ways == 0)
    return NULL;
  if (!(build->product != NULL ? place_as_run (tile, diags) : place (tile, diags)))
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
