/* The dialect tile: modules of a product as each pass group leaves it are right, and every rule is seen to refuse what
 * breaks it, naming the operation and the reason. The modules are those that the fuzzer starts from. */
#include "ir/page.h"

/* The product's module after @group, 1..4. (transfer full) */
static char *
tile_module (guint group)
{
  g_autofree char *name = g_strdup_printf ("tests/fuzz/corpus/mlir/tile-g%u.mlir", group);
  g_autofree char *path = tl_test_source_path (name);
  char            *text = NULL;

  ck_assert_msg (g_file_get_contents (path, &text, NULL, NULL), "%s", path);
  return text;
}

START_TEST (modules_are_right)
{
  g_autofree char *text = tile_module ((guint) _i);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlModule) module = page_parse (text, diags);

  ck_assert_ptr_nonnull (module);
  ck_assert_msg (tl_module_verify (module, diags), "%s",
                 tl_diags_count (diags) > 0 ? tl_diags_get (diags, 0)->message : "");
  g_autofree char *again = tl_module_print (module, TL_PRINT_DEFAULT);
  ck_assert_str_eq (again, text);
}
END_TEST

typedef struct
{
  guint       group;
  const char *from, *to;
  const char *op;     /* the message begins with it */
  const char *reason; /* and holds this; NULL: it is right */
} Mutation;

static const Mutation mutations[] = {
  /* not everything that differs is wrong */
  { 1, "name = \"A\"", "name = \"X\"", NULL, NULL },
  { 3, "conflicts = 0 : i64, domain = [1],", "conflicts = 3 : i64, domain = [1],", NULL, NULL },
  { 4, "dp.program = \"up\"", "dp.program = \"down\"", NULL, NULL },
  /* the module */
  { 1, "\"dp.result\"(%5)", "\"tile.nothing\"(%5)", "tile.nothing", "no operation of the dialects dp and tile" },
  { 1, "  \"dp.result\"(%5) : (memref<8x64xf32>) -> () loc(\"up.gdsl\":2:3)\n", "", "builtin.module",
    "holds 0 \"dp.result\" after group 1, not 1" },
  { 2, "dp.group = 2 : i64", "dp.group = 1 : i64", "builtin.module", "after group 1" },
  { 1, "dp.group = 1 : i64", "dp.group = 2 : i64", "builtin.module", "dp.program is missing" },
  { 3, "dp.group = 3 : i64", "dp.group = 4 : i64", "builtin.module", "holds 0 \"tile.descriptor\" after group 4" },
  { 1, "tile = [8, 64, 64], values", "tile = [8, 64], values", "builtin.module", "no tile of three sides" },
  { 1, "stages = 3 : i64, ", "", "builtin.module", "or no stages" },
  { 1, "stages = 3 : i64", "stages = \"3\"", "builtin.module", "or no stages" },
  { 1, " banks = 4 : i64,", " banks = 0 : i64,", "builtin.module", "no sensible tiers, banks" },
  { 1, " macs = 2048 : i64,", "", "builtin.module", "no sensible tiers, banks" },
  { 1, "tile.knobs = {", "tile.knots = {", "builtin.module", "tile.knobs is missing" },
  { 2, "dp.program = \"up\", ", "", "builtin.module", "dp.program is missing" },
  { 4, "dp.group = 4 : i64, ", "", "builtin.module", "dp.group" },
  /* tile.product: its numbers */
  { 2, "size = [8, 64, 128]", "size = [8, 64]", "tile.product", "size, tile and tiles are three numbers each" },
  { 2, "tiles = [1, 1, 2]", "tiles = [1, 1, \"2\"]", "tile.product", "three numbers each" },
  { 2, "tiles = [1, 1, 2]", "tiles = [1, 1, 3]", "tile.product",
    "tile covering: 3 tiles of 64 do not cover exactly 128" },
  { 2, "tiles = [1, 1, 2]", "tiles = [1, 2, 2]", "tile.product", "tile covering: 2 tiles of 64" },
  { 2, "size = [8, 64, 128]", "size = [0, 64, 128]", "tile.product", "tile covering" },
  { 2, "size = [8, 64, 128]", "size = [8, 64, 127]", "tile.product", "the operands are not m x n, m x k and k x n" },
  { 2, "tile = [8, 64, 64], tiles = [1, 1, 2]", "tile = [8, 64, 128], tiles = [1, 1, 1]", "tile.product",
    "side 2 of the tile is not the knob's" },
  { 2, "semiring = @semiring, size", "semiring = @other, size", "tile.product", "semiring" },
  { 2, "traversal = \"product\"", "traversal = \"blocked\"", "tile.product", "is not \"product\"" },
  { 2, "affine_map<(d0, d1, d2) -> (d2, d1)>]", "affine_map<(d0, d1, d2) -> (d1, d2)>]", "tile.product",
    "m x k and n x k" },
  { 2, "affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>]",
    "affine_map<(d0, d1, d2) -> (d0, d2)>]", "tile.product", "maps are three affine maps" },
  { 2, "traversal = \"product\"", "surprise, traversal = \"product\"", "tile.product", "surprise" },
  { 3, "resident = 1 : i64, sample", "resident = 0 : i64, sample", "tile.product", "resident" },
  { 3, "skew = 0 : i64, split", "split", "tile.product", "skew is missing" },
  { 3, "split = 0 : i64", "split = 17 : i64", "tile.product", "split" },
  { 3, "\"tile.product\"(%2, %5, %6)", "\"tile.product\"(%2, %5, %5)", NULL, "has the type" },
  /* ... and its loop */
  { 2, "\"tile.accumulator\"(%arg4, %arg5)", "\"tile.accumulator\"(%arg5, %arg4)", "tile.product",
    "\"tile.accumulator\" of tile (m, n)" },
  { 2, "\"tile.operand\"(%3, %arg4, %arg6)", "\"tile.operand\"(%3, %arg6, %arg4)", "tile.product",
    "those of (m, k) and of (n, k)" },
  { 2, "\"dp.grid_update\"(%6, %7, %8)", "\"dp.grid_update\"(%6, %8, %7)", NULL, "type" },
  { 4, "\"tile.wait\"(%11, %12)", "\"tile.wait\"(%12, %11)", NULL, "type" },
  { 2, "    \"dp.yield\"() : () -> ()", "    \"dp.leave\"() : () -> ()", "dp.leave", "no operation of the dialects" },
  /* tile.operand and tile.accumulator */
  { 2, "\"tile.operand\"(%3, %arg4, %arg6) : (memref<8x128xf16>, index, index) -> memref<8x64xf16>",
    "\"tile.operand\"(%2, %arg4, %arg6) : (memref<8x64xf32>, index, index) -> memref<8x64xf16>", "tile.operand",
    "something that the product does not read" },
  { 2, "index, index) -> memref<64x64xi6>", "index, index) -> memref<64x32xi6>", NULL, "type" },
  /* tile.place */
  { 3, "\"tile.place\"(%3) ", "\"tile.place\"() ", NULL, "operand" },
  { 3, ", 128 : i64> loc(\"up.gdsl\":3:1)", ", 64 : i64> loc(\"up.gdsl\":3:1)", NULL, "type" },
  { 3, "name = \"A\", region_rows", "name = \"B\", region_rows", "tile.place", "not that of the data" },
  { 3, "bits = 3 : i64, column = [2, 4]", "bits = 17 : i64, column = [2, 4]", "tile.place", "bits" },
  { 3, "units = 8 : i64", "units = 9 : i64", "tile.place", "9 units is not numbered by 3 bits" },
  { 3, "units = 8 : i64", "units = 0 : i64", "tile.place", "units" },
  { 3, "column = [2, 4], conflicts", "column = [2, 8], conflicts", "tile.place", "column 1 is no mask of 3 unit bits" },
  { 3, "column = [2, 4], conflicts", "column = [2, 0], conflicts", "tile.place", "no mask" },
  { 3, "column = [2, 4], conflicts", "column = [2, 3], conflicts", "tile.place", "no bijection of 3 unit bits" },
  { 3, "column = [2, 4], conflicts", "column = [2], conflicts", "tile.place", "no bijection" },
  { 3, "column = [2, 4], conflicts", "column = [2, \"4\"], conflicts", "tile.place", "no mask" },
  { 3, "rule = \"plan\", signature = \"b43cda5dcc063e06\"", "rule = \"guess\", signature = \"b43cda5dcc063e06\"",
    "tile.place", "not plan, identity, packed or layout" },
  { 3, "rule = \"plan\", signature = \"b43cda5dcc063e06\"", "rule = \"identity\", signature = \"b43cda5dcc063e06\"",
    "tile.place", "row by row has no layout and no region" },
  { 3, "b43cda5dcc063e06", "B43cda5dcc063e06", "tile.place", "16 lower-case hex digits" },
  { 3, "b43cda5dcc063e06", "b43cda5dcc063e0", "tile.place", "16 lower-case hex digits" },
  { 3, "first_rows = [0]", "first_rows = []", "tile.place", "a first row and a number of rows each" },
  { 3, "first_rows = [0]", "first_rows = [8192]", "tile.place", "region 0 passes the 8192 rows" },
  { 3, "first_rows = [0]", "first_rows = [-1]", "tile.place", "region 0 passes" },
  { 3, "region_rows = [1]", "region_rows = [0]", "tile.place", "region 0 passes" },
  { 3, "base = 0 : i64, bits = 3", "base = -1 : i64, bits = 3", "tile.place", "base" },
  /* tile.descriptor */
  { 4, "pitch = 256 : i64", "pitch = 64 : i64", "tile.descriptor", "its rows overlap" },
  { 4, "rows = 8 : i64, tiles", "rows = 16 : i64, tiles", "tile.load", "of other rows" },
  { 4, "row_bytes = 128 : i64", "row_bytes = 64 : i64", "tile.load", "of other rows" },
  { 4, "rows = 8 : i64, tiles = 2", "rows = 8 : i64, tiles = 1", "tile.load", "does not count the product's tiles" },
  { 4, "rows = 8 : i64, tiles = 2", "rows = 0 : i64, tiles = 2", "tile.descriptor", "rows" },
  /* tile.load and tile.wait */
  { 4, "{stages = 3 : i64}", "{stages = 2 : i64}", "tile.load", "its stages are not the knob's" },
  { 4, "{stages = 3 : i64}", "{stages = 65 : i64}", "tile.load", "stages" },
  { 4, "\"tile.load\"(%7, %arg4, %arg6)", "\"tile.load\"(%8, %arg4, %arg6)", "tile.load", "is no tile of" },
  { 4, "pending = 2 : i64", "pending = 3 : i64", "tile.wait", "pending is one less than the stages" },
  { 4, "pending = 2 : i64", "pending = 64 : i64", "tile.wait", "pending" },
};

/* 0 when row @row is judged as it says. */
static guint
judge (guint row, const char *reason)
{
  const Mutation  *mutation = &mutations[row];
  g_autofree char *text = tile_module (mutation->group);
  g_autofree char *mutated = page_edit (text, mutation->from, mutation->to);
  g_autofree char *begin = g_strdup_printf ("\"%s\": ", mutation->op);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlModule) module = page_parse (mutated, diags);
  gboolean right = module != NULL && tl_module_verify (module, diags);

  if (reason == NULL || right)
    return reason == NULL && right ? 0 : 1;
  for (guint d = 0; d < tl_diags_count (diags); d++)
    if (strstr (tl_diags_get (diags, d)->message, reason) != NULL
        && (mutation->op == NULL || g_str_has_prefix (tl_diags_get (diags, d)->message, begin)))
      return 0;
  g_printerr ("row %u: %s\n", row, tl_diags_get (diags, 0)->message);
  return 1;
}

START_TEST (rules_refuse)
{
  ck_assert_msg (judge ((guint) _i, mutations[_i].reason) == 0, "row %d", _i);
}
END_TEST

START_TEST (a_wrong_row_fails)
{
  ck_assert_uint_eq (judge (4, "of which nobody speaks"), 1);
  ck_assert_uint_eq (judge (4, NULL), 1);
  ck_assert_uint_eq (judge (0, "wrong"), 1);
}
END_TEST

/* What a product places is read nowhere else: a pim target's operations have no business in its module. */
START_TEST (foreign_operations)
{
  static const char *const strange[] = { "dp.blocked_update", "dp.buffer", "gendram.place", "gendram.reserve" };

  for (guint s = 0; s < G_N_ELEMENTS (strange); s++)
    {
      g_autofree char *text = tile_module (1);
      g_autofree char *line = g_strdup_printf ("  \"%s\"() : () -> ()\n  \"dp.result\"", strange[s]);
      g_autofree char *mutated = page_edit (text, "  \"dp.result\"", line);
      g_autoptr (TlDiags) diags = tl_diags_new ();
      g_autoptr (TlModule) module = page_parse (mutated, diags);

      ck_assert_ptr_nonnull (module);
      ck_assert (!tl_module_verify (module, diags));
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("ir-tile");
  TCase *tcase = tcase_create ("tile");

  tcase_add_loop_test (tcase, modules_are_right, 1, 5);
  tcase_add_loop_test (tcase, rules_refuse, 0, G_N_ELEMENTS (mutations));
  tcase_add_test (tcase, a_wrong_row_fails);
  tcase_add_test (tcase, foreign_operations);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
