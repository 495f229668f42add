/* Products in programs: spellings, sizes, knobs; what is none, and why. */
#include <string.h>

#include "place/product.h"
#include "support/support.h"

static gboolean
read_text (const char *text, TlProduct *product, TlAst **ast, TlDiags *diags)
{
  g_autoptr (TlSource) source = tl_source_new ("p.gdsl", text, -1);

  *ast = tl_parse (source, diags);
  tl_check (*ast, diags);
  ck_assert_msg (tl_diags_errors (diags) == 0, "%s", tl_diags_count (diags) ? tl_diags_get (diags, 0)->message : "");
  return tl_product_read (*ast, 128, product, diags);
}

#define DATA "data A: f16[64, 5120]\ndata W: i6[5120, 8192]\nconfig target = cu-t8b16"

static const struct
{
  const char *text;
  TlGemmShape shape;
} good[] = {
  { "algorithm up\n  C[m,n] = C[m,n] + A[m,k] * W[k,n]  for m, n, k\n" DATA ", tile = (64, 128, 64)\nplace W = plan\n",
    { 64, 8192, 5120, 64, 128, 64, 128, FALSE, 1, 0, FALSE, 0, { 16, 6 } } },
  { "algorithm up\n  C[i,j] = W[k,j] * A[i,k] + C[i,j]  for i, j, k\n" DATA ", resident = 4, skew = 7, slab = 8\n",
    { 64, 8192, 5120, 64, 128, 64, 128, FALSE, 4, 7, FALSE, 8, { 16, 6 } } },
  { "algorithm up\n  for m in 0..64: for n in 0..8192: for k in 0..5120:\n    C[m,n] = C[m,n] + A[m,k] * W[k,n]\n" DATA
    ", weights = nxk, tile = 32\n",
    { 64, 8192, 5120, 32, 32, 32, 128, TRUE, 1, 0, FALSE, 0, { 16, 6 } } },
  { "algorithm up\n  C[m,n] = C[m,n] + A[m,k] * W[n,k]  for m, n, k\ndata A: bf16[32, 256]\ndata W: u8[96, 256]\n",
    { 32, 96, 256, 32, 96, 64, 128, TRUE, 1, 0, FALSE, 0, { 16, 8 } } },
};

START_TEST (products)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlAst) ast = NULL;
  TlProduct product;

  ck_assert (read_text (good[_i].text, &product, &ast, diags));
  ck_assert_str_eq (product.name, "up");
  ck_assert_str_eq (product.output, "C");
  ck_assert_str_eq (product.operand[TL_GEMM_A], "A");
  ck_assert_str_eq (product.operand[TL_GEMM_B], "W");
  ck_assert_int_eq (memcmp (&product.shape, &good[_i].shape, sizeof product.shape), 0);
}
END_TEST

static const struct
{
  const char *text, *code;
} bad[] = {
  { "algorithm p\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\ndata D: i32[8, 8]\n", "no-product" },
  { "algorithm p\n  C[m,n] = C[m,n] + C[m,k] * W[k,n]  for m, n, k\ndata C: f16[8, 8]\ndata W: f16[8, 8]\n",
    "no-product" },
  { "algorithm p\n  C[m,n] = C[m,n] + A[k,m] * W[k,n]  for m, n, k\ndata A: f16[8, 8]\ndata W: f16[8, 8]\n",
    "no-product" },
  { "algorithm p\n  C[m,n] = C[m,n] + A[m,k] * W[k,n]  for m, n, k\ndata A: f16 = matrix(\"a.csv\")\ndata W: f16[8, "
    "8]\n",
    "product-sizes" },
  { "algorithm p\n  C[m,n] = C[m,n] + A[m,k] * W[k,n]  for m, n, k\ndata A: f16[8, 8]\ndata W: f16[9, 8]\n",
    "product-sizes" },
  { "algorithm p\n  C[m,n] = C[m,n] + A[m,k] * W[k,n]  for m, n, k\ndata A: f16[8, 8]\ndata W: i3[8, 9]\nconfig tile = "
    "(8, 9, 8)\n",
    "product-tile" },
};

START_TEST (no_products)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlDiags) checks = tl_diags_new ();
  g_autoptr (TlSource) source = tl_source_new ("p.gdsl", bad[_i].text, -1);
  g_autoptr (TlAst) ast = tl_parse (source, checks);
  TlProduct product;

  ck_assert (!tl_product_read (ast, 128, &product, diags));
  ck_assert_uint_eq (tl_diags_count (diags), 1);
  ck_assert_str_eq (tl_diags_get (diags, 0)->code, bad[_i].code);
  ck_assert_ptr_nonnull (tl_diags_get (diags, 0)->reason);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("place-product");
  TCase *cases = tcase_create ("programs");

  tcase_add_loop_test (cases, products, 0, G_N_ELEMENTS (good));
  tcase_add_loop_test (cases, no_products, 0, G_N_ELEMENTS (bad));
  suite_add_tcase (suite, cases);
  return tl_test_run (suite);
}
