/* The kernel's layouts of operand tiles. */
#include "tile/image.h"

static gboolean
find_kernel (TlTileImage *image, const TlAst *ast)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  const TlGemmShape  *shape = &image->shape;
  const TlTileMatmul *matmul = &image->matmul;
  TlTileProgram       program;

  if (!tl_tile_program_read (ast, &program, diags))
    {
      image->why_not = g_strdup (tl_diags_count (diags) > 0 ? tl_diags_get (diags, 0)->message : "");
      return FALSE;
    }
  if (!tl_tile_matmul_make (&image->matmul, &program.spec, &image->why_not))
    return FALSE;
  if (matmul->tile_m == shape->tile_m && matmul->tile_n == shape->tile_n && matmul->tile_k == shape->tile_k)
    return TRUE;
  image->why_not
      = g_strdup_printf ("the kernel's tiles are %u x %u x %u, those that are placed %u x %u x %u", matmul->tile_m,
                         matmul->tile_n, matmul->tile_k, shape->tile_m, shape->tile_n, shape->tile_k);
  return FALSE;
}

void
tl_tile_image_find (TlTileImage *image, const TlAst *ast, const TlGemmShape *shape, TlGemmOperand operand)
{
  *image = (TlTileImage) { .shape = *shape };
  image->spec = (TlChainSpec) { .shape = &image->shape, .operand = operand };
  image->told = find_kernel (image, ast);
  if (!image->told)
    return;
  image->layout = operand == TL_GEMM_A ? image->matmul.a : image->matmul.w;
  if (operand == TL_GEMM_A)
    image->spec.layout = &image->layout;
  else
    {
      image->spec.recipe = &image->matmul.recipe;
      image->spec.groups = image->matmul.spec.tiling.warps_m;
    }
}

void
tl_tile_image_clear (TlTileImage *image)
{
  tl_tile_matmul_clear (&image->matmul);
  g_clear_pointer (&image->why_not, g_free);
}
