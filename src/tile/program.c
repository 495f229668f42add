/* From a program's product to the kernel's numbers. */
#include "tile/program.h"

#include "place/product.h"

#include <string.h>

enum
{
  QUANTUM = 32, /* bytes; placement's, of no meaning to a kernel */
  STAGES = 3,
  SIDE_M = 64,
  SIDE_N = 128,
  SIDE_K = 64,
};

static TlSpan
span_of_data (const TlAst *ast, const char *name)
{
  const TlDataDecl *data = tl_ast_data (ast, name);

  if (data == NULL)
    return tl_span (0, 0);
  return data->type.bits > 0 ? data->type_span : data->span;
}

static gboolean
check_types (const TlAst *ast, const TlProduct *product, TlTileMatmulSpec *spec, TlDiags *diags)
{
  const TlElementType f16 = { TL_ELEMENT_FLOAT, 16, 5, 10 };
  const TlDataDecl   *output = tl_ast_data (ast, product->output);
  TlTileAtom          atom;

  spec->activation = product->type[TL_GEMM_A].bits > 0 ? product->type[TL_GEMM_A] : f16;
  spec->weight = product->type[TL_GEMM_B].bits > 0 ? product->type[TL_GEMM_B] : f16;
  g_autofree char *activation = tl_element_type_name (spec->activation);
  g_autofree char *weight = tl_element_type_name (spec->weight);
  if (!tl_tile_atom_find (spec->activation, 1, &atom))
    {
      TlDiag *diag = tl_diags_add (diags, TL_SEVERITY_ERROR, "tile-types", ast->source,
                                   span_of_data (ast, product->operand[TL_GEMM_A]),
                                   "no tensor core multiplies rows of %s", activation);
      tl_diag_reason (diag, "A is f16, bf16, i8 or u8");
      return FALSE;
    }
  if (spec->weight.bits > 8)
    {
      TlDiag *diag
          = tl_diags_add (diags, TL_SEVERITY_ERROR, "tile-types", ast->source,
                          span_of_data (ast, product->operand[TL_GEMM_B]), "weights of %s are not packed", weight);
      tl_diag_reason (diag, "a kernel of few bits has weights of 1 to 8 bits, as in: data %s: i6[5120, 8192]",
                      product->operand[TL_GEMM_B]);
      return FALSE;
    }
  TlElementType result = tl_tile_atom_result (spec->activation);
  if (output != NULL && output->type.bits > 0 && !tl_element_type_equal (output->type, result))
    {
      g_autofree char *name = tl_element_type_name (result);
      TlDiag          *diag = tl_diags_add (diags, TL_SEVERITY_ERROR, "tile-types", ast->source, output->type_span,
                                            "products of %s are summed in %s", activation, name);
      tl_diag_fix (diag, "take that type", output->type_span, name);
      return FALSE;
    }
  return TRUE;
}

/* The first of these that cuts the tile evenly. */
static void
choose_warps (guint atoms_m, guint atoms_n, TlTileTiling *tiling)
{
  static const guint warps[][2] = { { 2, 2 }, { 1, 4 }, { 4, 1 }, { 1, 2 }, { 2, 1 }, { 1, 1 } };
  guint              i = 0;

  while (atoms_m % warps[i][0] != 0 || atoms_n % warps[i][1] != 0)
    i++;
  tiling->warps_m = warps[i][0];
  tiling->warps_n = warps[i][1];
  tiling->repeat_m = atoms_m / warps[i][0];
  tiling->repeat_n = atoms_n / warps[i][1];
}

static guint32
next_multiple (guint32 value, guint32 of)
{
  return MAX ((value + of - 1) / of, 1) * of;
}

static gboolean
read_tile (const TlAst *ast, const TlProduct *product, TlTileMatmulSpec *spec, TlDiags *diags)
{
  const TlConfigItem *item = tl_ast_config (ast, "tile");
  const TlGemmShape  *shape = &product->shape;
  TlTileAtom          atom;

  if (!tl_tile_atom_find (spec->activation, 1, &atom))
    return FALSE;
  /* A default that was cut to a small matrix is a whole tile here: edges are filled with zeros. */
  guint32 sides[] = { item != NULL ? shape->tile_m : next_multiple (MIN (shape->m, SIDE_M), atom.m),
                      item != NULL ? shape->tile_n : next_multiple (MIN (shape->n, SIDE_N), atom.n),
                      item != NULL ? shape->tile_k : next_multiple (MIN (shape->k, SIDE_K), atom.k) };
  guint32 whole[]
      = { next_multiple (sides[0], atom.m), next_multiple (sides[1], atom.n), next_multiple (sides[2], atom.k) };
  if (memcmp (sides, whole, sizeof sides) != 0 || MAX (sides[0], MAX (sides[1], sides[2])) > 512)
    {
      TlDiag *diag = tl_diags_add (
          diags, TL_SEVERITY_ERROR, "tile-sides", ast->source, item != NULL ? item->value_span : tl_span (0, 0),
          "a tile of %u x %u x %u is not made of tensor-core products", sides[0], sides[1], sides[2]);
      tl_diag_reason (diag, "they are %u x %u x %u, and a side is at most 512", atom.m, atom.n, atom.k);
      if (item != NULL && MAX (whole[0], MAX (whole[1], whole[2])) <= 512)
        {
          g_autofree char *text = g_strdup_printf ("(%u, %u, %u)", whole[0], whole[1], whole[2]);
          tl_diag_fix (diag, "take the next whole tile", item->value_span, text);
        }
      return FALSE;
    }
  choose_warps (sides[0] / atom.m, sides[1] / atom.n, &spec->tiling);
  spec->tiling.repeat_k = sides[2] / atom.k;
  guint bits = spec->weight.bits * tl_layout_locals (&atom.b) * spec->tiling.repeat_n * spec->tiling.repeat_k;
  spec->way = bits % 8 == 0 ? TL_LOAD_REPEAT : TL_LOAD_SHARED_BYTE;
  return TRUE;
}

static gboolean
read_stages (const TlAst *ast, TlTileMatmulSpec *spec, TlDiags *diags)
{
  const TlConfigItem *item = tl_ast_config (ast, "stages");
  gint64              stages = STAGES;

  if (item != NULL && item->value != NULL && !tl_expr_integer (item->value, &stages))
    stages = STAGES;
  spec->stages = (guint) CLAMP (stages, 0, 1000);
  if (spec->stages >= 2 && spec->stages <= 16)
    return TRUE;
  TlDiag *diag = tl_diags_add (diags, TL_SEVERITY_ERROR, "tile-stages", ast->source, item->value_span,
                               "%u stages cannot overlap copies with products", spec->stages);
  tl_diag_reason (diag, "one tile is computed while others are copied: 2 to 16 stages");
  return FALSE;
}

gboolean
tl_tile_program_read (const TlAst *ast, TlTileProgram *program, TlDiags *diags)
{
  TlTileMatmulSpec *spec = &program->spec;
  TlProduct         product;

  *program = (TlTileProgram) { .spec = { .vector = 1 } };
  if (!tl_product_read (ast, QUANTUM, &product, diags))
    return FALSE;
  program->output = product.output;
  program->left = product.operand[TL_GEMM_A];
  program->right = product.operand[TL_GEMM_B];
  spec->m = product.shape.m;
  spec->n = product.shape.n;
  spec->k = product.shape.k;
  spec->transposed = product.shape.transposed;
  return check_types (ast, &product, spec, diags) && read_tile (ast, &product, spec, diags)
         && read_stages (ast, spec, diags);
}
