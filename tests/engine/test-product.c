/* Products on compute units as builds: their modules are those that the fuzzer of modules starts from, and their values
 * those of a product written down plainly, whatever their data came from. */
#include "engine/product-run.h"
#include "support-engine.h"
#include "support/tensor-files.h"

#include <math.h>

#define UPDATE "algorithm up\n  C[m,n] = C[m,n] + A[m,k] * W[k,n]  for m, n, k\n"
#define TURNED "algorithm up\n  C[m,n] = C[m,n] + A[m,k] * W[n,k]  for m, n, k\n"

START_TEST (modules_are_the_kept_ones)
{
  static const char text[] = UPDATE "data A: f16[8, 128]\ndata W: i6[128, 64]\n"
                                    "config target = cu-t2b4, tile = (8, 64, 64)\n";
  g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();
  TlBuildOptions options = { .dumps = TRUE };
  g_autoptr (TlBuild) build = tl_build ("up.gdsl", text, strlen (text), inputs, &options, NULL, NULL);

  ck_assert (build->complete);
  for (guint group = 1; group <= 4; group++)
    {
      g_autofree char *name = g_strdup_printf ("tests/fuzz/corpus/mlir/tile-g%u.mlir", group);
      g_autofree char *path = tl_test_source_path (name);
      g_autofree char *kept = NULL;

      if (g_strcmp0 (g_getenv ("TL_GOLDEN"), "write") == 0)
        ck_assert (g_file_set_contents (path, build->dump[TL_STAGE_G1 + group - 1], -1, NULL));
      ck_assert (g_file_get_contents (path, &kept, NULL, NULL));
      ck_assert_msg (strcmp (kept, build->dump[TL_STAGE_G1 + group - 1]) == 0,
                     "%s is not what the passes make; TL_GOLDEN=write keeps it anew", name);
    }
}
END_TEST

/* --- values --- */

/* Small values that every type here holds: 0 and 1 of one bit, -1 to 1 of two and more. */
static gint64
value_at (guint64 *state, const char *type)
{
  gboolean two = type[0] != 'u' && strcmp (type, "i1") != 0;

  return two ? (gint64) tl_test_random_below (state, 3) - 1 : (gint64) tl_test_random_below (state, 2);
}

/* A tensor file with A in f16 and W in i8, of these values. (transfer full) */
static GBytes *
file_of (const gint64 *a, guint m, guint k, const gint64 *w, guint rows, guint columns, gboolean gguf)
{
  g_autofree guint8 *left = g_new0 (guint8, 2 * m * k), *right = g_new0 (guint8, rows * columns);

  for (guint i = 0; i < m * k; i++)
    left[2 * i + 1] = a[i] == 0 ? 0 : a[i] > 0 ? 0x3c : 0xbc;
  for (guint i = 0; i < rows * columns; i++)
    right[i] = (guint8) w[i];
  const TensorPart parts[] = { { "A", "F16", 1, 2, { m, k }, left, 2 * m * k },
                               { "W", "I8", 24, 2, { rows, columns }, right, rows * columns } };
  return gguf ? make_gguf (parts, 2, 3) : make_safetensors (parts, 2);
}

static const struct
{
  const char *a, *w, *c;
  gboolean    turned, gguf;
  guint       m, n, k;
} products[] = {
  { "", "", "", FALSE, FALSE, 5, 8, 16 },
  { "", "", "", TRUE, TRUE, 7, 24, 16 },
  { ": f16", ": i6", "", FALSE, TRUE, 8, 8, 8 },
  { ": f32", ": i2", "", TRUE, FALSE, 3, 40, 24 },
  { ": i8", ": i4", "i32", FALSE, FALSE, 9, 16, 8 },
  { ": i2", ": i8", "i64", FALSE, TRUE, 4, 8, 64 },
  { ": bf16", ": f8e4m3", "", FALSE, FALSE, 6, 10, 12 },
  { ": f16", ": f6e3m2", "", FALSE, TRUE, 6, 8, 12 },
  { ": f16", ": f3e1m1", "", FALSE, TRUE, 6, 8, 8 },
  { ": f64", ": i3", "f64", TRUE, FALSE, 2, 8, 8 },
};

START_TEST (tensors_are_multiplied)
{
  guint64            state = tl_test_seed () + (guint64) _i;
  guint              m = products[_i].m, n = products[_i].n, k = products[_i].k;
  gboolean           turned = products[_i].turned;
  g_autofree gint64 *a = g_new (gint64, m * k), *w = g_new (gint64, k * n);

  for (guint i = 0; i < m * k; i++)
    a[i] = value_at (&state, "i2");
  for (guint i = 0; i < k * n; i++)
    w[i] = value_at (&state, "i2");
  g_autoptr (GBytes) file = file_of (a, m, k, w, turned ? n : k, turned ? k : n, products[_i].gguf);
  g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();
  tl_inputs_add (inputs, "m.file", file);
  g_autofree char *sums
      = *products[_i].c != '\0' ? g_strdup_printf ("data C: %s[%u, %u]\n", products[_i].c, m, n) : g_strdup ("");
  g_autofree char *text
      = g_strdup_printf ("%sdata A%s = tensor(\"m.file\", \"A\")\ndata W%s = tensor(\"m.file\", \"W\")\n%s"
                         "config target = cu-t2b4, tile = (8, 8, 8)\n",
                         turned ? TURNED : UPDATE, products[_i].a, products[_i].w, sums);
  g_autoptr (TlBuild) build = build_text (text, inputs, NULL);
  g_autofree char *said = diags_text (build->diags);
  ck_assert_msg (build->complete, "%s", said);
  TlProductRunOptions options = { .force_values = TRUE };
  g_autoptr (TlProductRun) run = tl_product_run (build, &options);
  ck_assert_msg (run->complete && run->values != NULL, "%s", run->values_reason);
  for (guint i = 0; i < m; i++)
    for (guint j = 0; j < n; j++)
      {
        gint64 sum = 0;

        for (guint x = 0; x < k; x++)
          sum += a[i * k + x] * (turned ? w[j * k + x] : w[x * n + j]);
        TlScalar value = tl_matrix_get (run->values, i, j);
        ck_assert ((tl_element_type_is_float (run->values->element) ? value.r : (double) value.i) == (double) sum);
      }
}
END_TEST

/* Data that cannot be read are said once, and nothing that follows from them. */
START_TEST (one_mistake_one_message)
{
  static const char *const texts[] = {
    UPDATE "data A: f16[4, 8]\ndata W = tensor(\"none.gguf\", \"W\")\nconfig target = cu-t2b4\n",
    UPDATE "data A: f16[4, 8]\ndata W = tensor(\"m.file\", \"V\")\nconfig target = cu-t2b4\n",
    UPDATE "data A: f16[4, 8]\ndata W = tensor(\"bad.file\", \"W\")\nconfig target = cu-t2b4\n",
    UPDATE "data A: f16[4, 8]\ndata W: i1 = tensor(\"m.file\", \"W\")\nconfig target = cu-t2b4\n",
    UPDATE "data A: f16[4, 8]\ndata W: i8[8, 9] = tensor(\"m.file\", \"W\")\nconfig target = cu-t2b4\n",
  };
  static const gint64 ones[64] = { 1, 1, -1 };
  g_autoptr (GBytes) file = file_of (ones, 4, 8, ones, 8, 8, FALSE);
  g_autoptr (GBytes) bad = g_bytes_new_static ("something else", 14);
  g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();

  tl_inputs_add (inputs, "m.file", file);
  tl_inputs_add (inputs, "bad.file", bad);
  for (guint t = 0; t < G_N_ELEMENTS (texts); t++)
    {
      g_autoptr (TlBuild) build = build_text (texts[t], inputs, NULL);
      g_autofree char *said = diags_text (build->diags);

      ck_assert (!build->complete);
      ck_assert_msg (tl_diags_errors (build->diags) == 1, "%u: %s", t, said);
    }
}
END_TEST

/* Texts of products that are refused: one message each, at its place, with the reason. */
START_TEST (refusals)
{
  static const struct
  {
    const char *text, *code;
    guint       line, column;
    const char *reason;
  } rows[] = {
#define TEXT(a, w, config) UPDATE "data A: " a "\ndata W: " w "\nconfig " config "\n"
    { TEXT ("f16[0, 128]", "i6[128, 256]", "target = cu-t8b16"), "bad-extent", 3, 13, "" },
    { TEXT ("f16[64, 127]", "i6[128, 256]", "target = cu-t8b16"), "two-extents", 2, 32, "127" },
    { TEXT ("f16[64]", "i6[128, 256]", "target = cu-t8b16"), "subscript-count", 2, 21, "line 3" },
    { TEXT ("f16[64, 128]", "i6[128, 256]", "target = cu-t8b16, resident = 0"), "illegal-value", 5, 38, "1 or more" },
    { TEXT ("f16[64, 128]", "i6[128, 256]", "target = cu-t8b16, quantum = 1"), "illegal-value", 5, 37, "2 to 65,536" },
    { TEXT ("f16[64, 128]", "i6[128, 256]", "target = cu-t8b16, quantum = 0"), "illegal-value", 5, 37, "2 to 65,536" },
    { TEXT ("f16[64, 128]", "i6[128, 256]", "target = cu-t8b16, queue = 65"), "illegal-value", 5, 35, "1 to 64" },
    { TEXT ("f16[64, 128]", "i6[128, 256]", "target = nowhere"), "unknown-target", 5, 17, "nowhere.xml" },
    { TEXT ("f16[64, 128]", "i6[128, 256]", "target = lesson"), "layout-illegal", 2, 3, "a larger machine" },
    { TEXT ("f16[64, 100000]", "i6[100000, 1000000]", "target = cu-t8b16, tile = (64, 128, 64)"), "region-full", 5, 34,
      "8192 rows" },
    { TEXT ("f16[64, 128]", "i6[128, 256]", "target = cu-t8b16, tile = (64, 127, 64)"), "product-tile", 5, 34,
      "whole number of bytes" },
    { TEXT ("f16[64, 128]", "i6[128, 256]", "target = cu-t8b16, tile = (8388608, 128, 64)"), "product-tile", 5, 34,
      "65536 units" },
#undef TEXT
  };

  for (guint r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      g_autoptr (TlBuild) build = build_text (rows[r].text, NULL, NULL);
      g_autofree char *said = diags_text (build->diags);

      ck_assert_msg (!build->complete && tl_diags_errors (build->diags) == 1, "row %u: %s", r, said);
      const TlDiag *diag = tl_diags_get (build->diags, 0);
      ck_assert_msg (strcmp (diag->code, rows[r].code) == 0 && diag->from.line == rows[r].line
                         && diag->from.column == rows[r].column && diag->reason != NULL
                         && strstr (diag->reason, rows[r].reason) != NULL,
                     "row %u: %s", r, said);
    }
}
END_TEST

/* Any sizes: what is built verifies, and its run asks for as many requests as the closed form says. */
START_TEST (any_sizes)
{
  static const char *const targets[] = { "cu-t8b16", "cu-t2b4", "cu-t2b2", "cu-t4b16c4" };
  static const char *const weights[] = { "u1", "i3", "i6", "u8", "f8e4m3", "f16" };
  static const guint       sides[] = { 1, 3, 8, 16, 40, 64 }, widths[] = { 8, 16, 64, 72 };
  guint64                  state = tl_test_seed ();

  for (guint round = 0; round < tl_test_rounds (30); round++)
    {
      guint m = 1 + (guint) tl_test_random_below (&state, 70), n = 1 + (guint) tl_test_random_below (&state, 150);
      guint k = 1 + (guint) tl_test_random_below (&state, 120);
      g_autofree char *text = g_strdup_printf (
          UPDATE
          "data A: f16[%u, %u]\ndata W: %s[%u, %u]\nconfig target = %s, tile = (%u, %u, %u), weights = %s, resident = "
          "%u, skew = %u, stages = %u, values = off\n",
          m, k, weights[tl_test_random_below (&state, G_N_ELEMENTS (weights))], k, n,
          targets[tl_test_random_below (&state, G_N_ELEMENTS (targets))],
          sides[tl_test_random_below (&state, G_N_ELEMENTS (sides))],
          widths[tl_test_random_below (&state, G_N_ELEMENTS (widths))],
          widths[tl_test_random_below (&state, G_N_ELEMENTS (widths))],
          tl_test_random_below (&state, 2) ? "kxn" : "nxk", 1 + (guint) tl_test_random_below (&state, 16),
          (guint) tl_test_random_below (&state, 16), 1 + (guint) tl_test_random_below (&state, 8));
      g_autoptr (TlBuild) build = build_text (text, NULL, NULL);
      g_autofree char *said = diags_text (build->diags);
      ck_assert_msg (build->complete, "%s%s", text, said);
      TlProductRunOptions options = { .skip_values = TRUE };
      g_autoptr (TlProductRun) run = tl_product_run (build, &options);
      ck_assert_msg (run->complete, "%s", text);
      for (guint i = 0; i < TL_N_PRODUCT_LAYOUTS; i++)
        {
          const TlInOrderCounts *counts = &run->of[i].in_order;
          ck_assert_msg (counts->hit + counts->miss + counts->conflict == counts->requests
                             && run->of[i].replay.totals.requests == counts->requests
                             && counts->requests == tl_gemm_requests (&build->product->shape),
                         "%s%s", text, tl_product_layout_name (i));
        }
      /* Replayed cycles decide: nothing is slower than as it is stored by more than 2 %. */
      ck_assert_msg (
          !tl_product_slower (run->of[TL_PRODUCT_PLACED].replay.kernel, run->of[TL_PRODUCT_CONVENTIONAL].replay.kernel),
          "%s", text);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("engine-product");
  TCase *tcase = tcase_create ("product");

  tcase_set_timeout (tcase, 60);
  tcase_add_test (tcase, modules_are_the_kept_ones);
  tcase_add_loop_test (tcase, tensors_are_multiplied, 0, G_N_ELEMENTS (products));
  tcase_add_test (tcase, one_mistake_one_message);
  tcase_add_test (tcase, refusals);
  tcase_add_test (tcase, any_sizes);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
