/* Kernels of programs: the sizes that a text gives, and the product it means. */
#include "support/support.h"
#include "tile/program.h"
#include "tile/run.h"

#include <string.h>

#define PRODUCT "algorithm up\n  C[m,n] = C[m,n] + A[m,k] * W[k,n]  for m, n, k\n"
#define TURNED  "algorithm up\n  C[m,n] = C[m,n] + A[m,k] * W[n,k]  for m, n, k\n"

static gboolean
read_program (const char *text, TlTileProgram *program, TlAst **ast, TlDiags *diags)
{
  g_autoptr (TlSource) source = tl_source_new ("test.gdsl", text, -1);

  *ast = tl_parse (source, diags);
  tl_check (*ast, diags);
  ck_assert_uint_eq (tl_diags_errors (diags), 0);
  return tl_tile_program_read (*ast, program, diags);
}

START_TEST (sizes)
{
  static const struct
  {
    const char *text;
    guint       m, n, k, stages, warps_m, warps_n, repeat_m, repeat_n, repeat_k;
    TlLoadWay   way;
  } cases[] = {
    { PRODUCT "data A: f16[64, 5120]\ndata W: i6[5120, 8192]\nconfig tile = (64, 128, 64), stages = 4\n", 64, 8192,
      5120, 4, 2, 2, 2, 8, 4, TL_LOAD_REPEAT },
    { PRODUCT "data A: f16[64, 5120]\ndata W: i6[5120, 8192]\n", 64, 8192, 5120, 3, 2, 2, 2, 8, 4, TL_LOAD_REPEAT },
    { PRODUCT "data A: bf16[5, 40]\ndata W: f6e3m2[40, 24]\n", 5, 24, 40, 3, 1, 1, 1, 3, 3, TL_LOAD_REPEAT },
    { PRODUCT "data A: i8[48, 64]\ndata W: u3[64, 16]\nconfig tile = (48, 8, 32)\n", 48, 16, 64, 3, 1, 1, 3, 1, 1,
      TL_LOAD_REPEAT },
    { PRODUCT "data A: f16[48, 64]\ndata W: u1[64, 16]\nconfig tile = (16, 8, 16)\n", 48, 16, 64, 3, 1, 1, 1, 1, 1,
      TL_LOAD_SHARED_BYTE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TlDiags) diags = tl_diags_new ();
      g_autoptr (TlAst) ast = NULL;
      TlTileProgram program;

      ck_assert_msg (read_program (cases[i].text, &program, &ast, diags), "%u: %s", i,
                     tl_diags_count (diags) > 0 ? tl_diags_get (diags, 0)->message : "");
      const TlTileMatmulSpec *spec = &program.spec;
      ck_assert_str_eq (program.left, "A");
      ck_assert_str_eq (program.right, "W");
      ck_assert_str_eq (program.output, "C");
      ck_assert (spec->m == cases[i].m && spec->n == cases[i].n && spec->k == cases[i].k);
      ck_assert_uint_eq (spec->stages, cases[i].stages);
      ck_assert_uint_eq (spec->tiling.warps_m, cases[i].warps_m);
      ck_assert_uint_eq (spec->tiling.warps_n, cases[i].warps_n);
      ck_assert_uint_eq (spec->tiling.repeat_m, cases[i].repeat_m);
      ck_assert_uint_eq (spec->tiling.repeat_n, cases[i].repeat_n);
      ck_assert_uint_eq (spec->tiling.repeat_k, cases[i].repeat_k);
      ck_assert_uint_eq (spec->way, cases[i].way);
      /* The tile is the one asked for, whatever the way. */
      g_auto (TlTileMatmul) matmul = { 0 };
      g_autofree char *reason = NULL;
      ck_assert_msg (tl_tile_matmul_make (&matmul, spec, &reason), "%s", reason);
      g_autoptr (TlTilePlan) plan = tl_tile_plan_new (matmul.kernel, NULL, &reason);
      ck_assert_msg (plan != NULL, "%s", reason);
      ck_assert_uint_eq (matmul.recipe.repeat, 1);
    }
}
END_TEST

/* Weights as they lie in the file, k x n or n x k, make the same product. */
START_TEST (products)
{
  for (guint turned = 0; turned < 2; turned++)
    {
      g_autofree char *text = g_strdup_printf ("%sdata A: i8[9, 40]\ndata W: i6[%s]\nconfig tile = (16, 8, 32)\n",
                                               turned ? TURNED : PRODUCT, turned ? "24, 40" : "40, 24");
      g_autoptr (TlDiags) diags = tl_diags_new ();
      g_autoptr (TlAst) ast = NULL;
      TlTileProgram program;
      gint8         a[9 * 40];
      guint8        w[40 * 24];
      gint32        result[9 * 24] = { 0 };
      guint64       state = tl_test_seed ();

      ck_assert_msg (read_program (text, &program, &ast, diags), "%s", text);
      for (guint i = 0; i < sizeof a; i++)
        a[i] = (gint8) tl_test_random (&state);
      for (guint i = 0; i < sizeof w; i++)
        w[i] = (guint8) tl_test_random_below (&state, 64);
      g_auto (TlTileMatmul) matmul = { 0 };
      g_auto (TlTileReport) report = { 0 };
      ck_assert (tl_tile_matmul_make (&matmul, &program.spec, NULL));
      g_autoptr (TlTilePlan) plan = tl_tile_plan_new (matmul.kernel, NULL, NULL);
      g_autofree guint8 *packed = g_new (guint8, matmul.weight_bytes);
      tl_tile_matmul_pack (&matmul, w, packed);
      TlTileBuffer buffers[]
          = { { (guint8 *) a, sizeof a }, { packed, matmul.weight_bytes }, { (guint8 *) result, sizeof result } };
      TlTileLaunch launch = { .grid = { matmul.grid[0], matmul.grid[1], 1 }, .buffers = buffers, .n_buffers = 3 };
      ck_assert_msg (tl_tile_run (plan, &launch, &report), "%s", report.fault.message);
      for (guint i = 0; i < 9; i++)
        for (guint j = 0; j < 24; j++)
          {
            gint32 sum = 0;
            for (guint k = 0; k < 40; k++)
              {
                gint32 code = w[turned ? j * 40 + k : k * 24 + j];
                sum += a[i * 40 + k] * (code >= 32 ? code - 64 : code);
              }
            ck_assert_int_eq (result[i * 24 + j], sum);
          }
    }
}
END_TEST

START_TEST (what_is_refused)
{
  static const struct
  {
    const char *text, *code, *fix;
  } cases[] = {
    { PRODUCT "data A: f32[64, 64]\ndata W: i6[64, 64]\n", "tile-types", NULL },
    { PRODUCT "data A: f16[64, 64]\ndata W: f16[64, 64]\n", "tile-types", NULL },
    { PRODUCT "data A: f16[64, 64]\ndata W: i6[64, 64]\ndata C: i32[64, 64]\n", "tile-types", "f32" },
    { PRODUCT "data A: f16[64, 64]\ndata W: i6[64, 64]\nconfig tile = (40, 16, 20)\n", "tile-sides", "(48, 16, 32)" },
    { PRODUCT "data A: f16[64, 64]\ndata W: i6[64, 64]\nconfig stages = 1\n", "tile-stages", NULL },
    { "algorithm apsp\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\ndata D: i32[64, 64]\n", "no-product",
      NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TlDiags) diags = tl_diags_new ();
      g_autoptr (TlAst) ast = NULL;
      TlTileProgram program;

      ck_assert_msg (!read_program (cases[i].text, &program, &ast, diags), "%u", i);
      const TlDiag *diag = tl_diags_get (diags, tl_diags_count (diags) - 1);
      ck_assert_msg (strcmp (diag->code, cases[i].code) == 0, "%u: %s: %s", i, diag->code, diag->message);
      if (cases[i].fix == NULL)
        continue;
      const TlFix *fix = g_ptr_array_index (diag->fixes, 0);
      ck_assert_str_eq (g_array_index (fix->edits, TlEdit, 0).replacement, cases[i].fix);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("tile-program");
  TCase *tcase = tcase_create ("program");

  tcase_add_test (tcase, sizes);
  tcase_add_test (tcase, products);
  tcase_add_test (tcase, what_is_refused);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
