/* tierc ptx: kernels of programs. */
#include "support/support.h"
#include "tierc.h"

#include <string.h>

#define PRODUCT                                                                                                        \
  "algorithm up\n"                                                                                                     \
  "  C[m,n] = C[m,n] + A[m,k] * W[k,n]  for m, n, k\n"                                                                 \
  "data A: f16[64, 256]\n"                                                                                             \
  "data W: i6[256, 512]\n"                                                                                             \
  "config target = cu-t8b16, tile = (64, 128, 64), stages = 3\n"

START_TEST (texts)
{
  put_file ("up.gdsl", PRODUCT, -1);
  g_auto (Tierc) ptx = tierc (NULL, "ptx", "up.gdsl", NULL);
  g_auto (Tierc) other = tierc (PRODUCT, "ptx", "-", "--sm=90", "--output=up.ptx", NULL);
  g_auto (Tierc) listing = tierc (NULL, "ptx", "up.gdsl", "--listing", NULL);
  g_autofree char *written = NULL;

  ck_assert_msg (ptx.status == 0, "%s", ptx.err);
  ck_assert (g_str_has_prefix (ptx.out, ".version 8.0\n.target sm_80\n"));
  ck_assert_ptr_nonnull (strstr (ptx.out, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"));
  ck_assert_msg (other.status == 0, "%s", other.err);
  ck_assert_str_eq (other.out, "");
  written = get_file ("up.ptx", NULL);
  ck_assert (g_str_has_prefix (written, ".version 8.0\n.target sm_90\n"));
  ck_assert_int_eq (listing.status, 0);
  ck_assert_ptr_nonnull (strstr (listing.out, "w_codes = view w_bytes\n"));
  ck_assert_ptr_nonnull (strstr (listing.out, "register w_codes: i6 "));
}
END_TEST

START_TEST (json)
{
  put_file ("up.gdsl", PRODUCT, -1);
  g_auto (Tierc) run = tierc (NULL, "ptx", "up.gdsl", "--json", "--set", "stages=4", NULL);

  ck_assert_msg (run.status == 0, "%s", run.err);
  g_autoptr (JsonNode) root = json_of (run.out);
  ck_assert_str_eq (json_text_at (root, "weight"), "i6");
  ck_assert_int_eq (json_int_at (root, "threads"), 128);
  ck_assert_int_eq (json_int_at (root, "stages"), 4);
  ck_assert_int_eq (json_int_at (root, "weight_bytes"), 256 * 512 * 6 / 8);
  ck_assert_int_eq (json_int_at (root, "shared_bytes"), 4 * (64 * 64 * 2 + 64 * 128 * 6 / 8));
  ck_assert_ptr_nonnull (strstr (json_text_at (root, "ptx"), "cp.async"));
}
END_TEST

START_TEST (what_is_wrong)
{
  static const struct
  {
    int         status;
    const char *arguments[4], *program, *says;
  } cases[] = {
    { 2, { "ptx" }, NULL, "one FILE" },
    { 2, { "ptx", "-", "--sm=70" }, PRODUCT, "80 or 90" },
    { 1, { "ptx", "-", "--set", "tile=(40, 128, 64)" }, PRODUCT, "tile-sides" },
    { 1,
      { "ptx", "-" },
      "algorithm a\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\ndata D: i32[64, 64]\n",
      "no-product" },
    { 1, { "ptx", "nowhere.gdsl" }, NULL, "nowhere" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *arguments[5] = { NULL };
      for (guint k = 0; k < 4; k++)
        arguments[k] = cases[i].arguments[k];
      g_auto (Tierc) run = tierc_argv (cases[i].program, arguments);

      ck_assert_msg (run.status == cases[i].status, "%u: %d: %s", i, run.status, run.err);
      ck_assert_msg (strstr (run.err, cases[i].says) != NULL, "%u: %s", i, run.err);
      ck_assert_str_eq (run.out, "");
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("cli-ptx");
  TCase *cases = tcase_create ("ptx");

  tcase_set_timeout (cases, 60);
  tcase_add_test (cases, texts);
  tcase_add_test (cases, json);
  tcase_add_test (cases, what_is_wrong);
  suite_add_tcase (suite, cases);
  return tl_test_run (suite);
}
