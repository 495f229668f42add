/* The verifier: every module on the page is right, and each of these changes to one is
 * refused with the operation and the reason. */
#include "ir/page.h"

START_TEST (pages_are_right)
{
  g_autofree char *text = page_module ((guint) _i);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlModule) module = page_parse (text, diags);

  ck_assert_ptr_nonnull (module);
  ck_assert_msg (tl_module_verify (module, diags), "%s",
                 tl_diags_count (diags) > 0 ? tl_diags_get (diags, 0)->message : "");
}
END_TEST

typedef struct
{
  guint       group;
  const char *from;
  const char *to;
  const char *op;     /* the message begins with it */
  const char *reason; /* and holds this */
} Mutation;

static const Mutation mutations[] = {
  /* operands and order of definition */
  { 1, "\"dp.grid_update\"(%2, %2, %2)", "\"dp.grid_update\"(%2, %2)", NULL, "2 operands and 3 operand types" },
  { 1, "%3 = \"dp.grid_update\"(%2, %2, %2)", "%3 = \"dp.grid_update\"(%4, %2, %2)", NULL, "before its definition" },
  { 2, "\"dp.grid_update\"(%5, %6, %7)", "\"dp.grid_update\"(%5, %7, %6)", "dp.grid_update",
    "operand 1 in the phase pivot is not left" },
  { 4, "\"dp.grid_update\"(%18, %21, %22)", "\"dp.grid_update\"(%22, %21, %18)", "dp.grid_update",
    "operand 0 in the phase internal is not C" },
  { 4, "\"dp.grid_update\"(%18, %21, %22)", "\"dp.grid_update\"(%18, %19, %22)", "dp.grid_update",
    "operand 1 in the phase internal is not left" },
  { 2, "%6 = \"dp.tile\"(%2, %arg5, %arg4)", "%6 = \"dp.tile\"(%2, %arg4, %arg5)", "dp.tile",
    "tile of left in the phase pivot is not (i,k)" },
  { 2, "%7 = \"dp.tile\"(%2, %arg4, %arg6)", "%7 = \"dp.tile\"(%2, %arg5, %arg6)", "dp.tile",
    "tile of right in the phase pivot is not (k,j)" },
  { 2, "\"dp.store\"(%8, %2, %arg5, %arg6)", "\"dp.store\"(%8, %2, %arg6, %arg5)", "dp.phase",
    "\"dp.store\" of the updated tile to (i,j)" },
  { 2, "\"dp.store\"(%8, %2, %arg5, %arg6)", "\"dp.store\"(%5, %2, %arg5, %arg6)", "dp.phase",
    "\"dp.store\" of the updated tile" },
  { 4, "\"gendram.broadcast\"(%9)", "\"gendram.broadcast\"(%6)", "dp.phase",
    "\"gendram.broadcast\" of the updated tile in the phase pivot" },
  /* phases */
  { 2, "kind = \"pivot\", reads = [\"C\"]", "kind = \"cross\", reads = [\"C\"]", "dp.phase",
    "phase order: expected the phase pivot" },
  { 2, "\"dp.phase\"(%arg4, %4)", "\"dp.phase\"(%arg4)", NULL, "1 operands and 2 operand types" },
  { 3, "\"dp.phase\"(%arg4, %10)", "\"dp.phase\"(%arg4, %5)", "dp.phase", "the phase internal must wait for cross" },
  { 2, "kind = \"internal\", reads = [\"C\", \"left\", \"right\"]",
    "kind = \"internal\", reads = [\"C\", \"right\", \"left\"]", "dp.phase", "internal reads C, left, right" },
  { 2, "reads = [\"C\", \"pivot\"]", "reads = [\"C\"]", "dp.phase", "cross reads C, pivot" },
  { 2, "kind = \"internal\"", "kind = \"inner\"", "dp.phase", "phase order: expected the phase internal" },
  { 2, "(index) -> !dp.token", "(index) -> !dp.tokens", NULL, "has the type !dp.tokens, not !dp.token" },
  /* tiles */
  { 2, "tiles = 4 : i64", "tiles = 5 : i64", "dp.blocked_update", "tile covering" },
  { 2, "n = 1000 : i64", "n = 1025 : i64", "dp.blocked_update", "tile covering" },
  { 2, "n = 1000 : i64", "n = 1001 : i64", "dp.blocked_update", "is not n x n" },
  { 2, "tile = 256 : i64, tiles = 4", "tile = 257 : i64, tiles = 4", "dp.blocked_update", "above the limit 256" },
  { 2, "tile = 256 : i64, tiles = 4", "tile = 250 : i64, tiles = 4", "dp.tile", "is not 250 elements a side" },
  { 2, "tiles = 4 : i64", "tiles = 0 : i64", "dp.blocked_update", "tiles = 0 is not in 1.." },
  { 2, "traversal = \"blocked\"", "traversal = \"wavefront\"", "dp.blocked_update", "is not \"blocked\"" },
  { 2, "edges = \"trimmed\", element_bits", "edges = \"padded\", element_bits", "dp.blocked_update",
    "is not the knob's" },
  { 2, "deps = [[0, 0, 1]]", "deps = [[0, 0, -1]]", "dp.blocked_update", "does not point forwards" },
  { 2, "deps = [[0, 0, 1]]", "deps = []", "dp.blocked_update", "no dependence" },
  { 2, "deps = [[0, 0, 1]]", "deps = [[0, 1]]", "dp.blocked_update", "not a distance vector" },
  { 1, "(d0, d1, d2) -> (d0, d2)>", "(d0, d1, d2) -> (d2, d0)>", "dp.grid_update", "maps are those of" },
  { 2, "bytes = 262144 : i64, elements = 65536 : i64, from = \"pivot\"",
    "bytes = 262145 : i64, elements = 65536 : i64, from = \"pivot\"", "dp.buffer", "the PU has 786432" },
  { 2, "from = \"cross\", name = \"left\", padded_elements = 65536 : i64, sets = 1 : i64, to = \"internal\"",
    "from = \"internal\", name = \"left\", padded_elements = 65536 : i64, sets = 1 : i64, to = \"cross\"", "dp.buffer",
    "lifetime" },
  { 2, "padded_elements = 65536", "padded_elements = 65535", "dp.buffer", "more elements than padded" },
  { 2, "sets = 1", "sets = 3", "dp.buffer", "sets = 3 is not in 1..2" },
  /* owners */
  { 3, "owner<(i * 5 + j) mod 4>", "owner<(i * 5 + j) mod 6>", "dp.blocked_update", "owner of tile (1,0) is 5" },
  { 3, "owner<(i * 5 + j) mod 4>", "owner<i - j>", "dp.blocked_update", "owner of tile (0,1) is -1" },
  { 3, "owner<(i * 5 + j) mod 4>", "owner<i / j>", "dp.blocked_update", "division by zero" },
  { 3, "owner<(i * 5 + j) mod 4>", "owner<(i * 5 + q) mod 4>", "dp.blocked_update", "expected a value" },
  { 3, "owner = #gendram.owner<(i * 5 + j) mod 4>, ", "", "dp.blocked_update", "owner is missing" },
  { 3, "n = 1000 : i64, owner", "moves = [[0, 0, 4]], n = 1000 : i64, owner", "dp.blocked_update",
    "owner of tile (0,0) is 4" },
  { 3, "n = 1000 : i64, owner", "moves = [[4, 0, 1]], n = 1000 : i64, owner", "dp.blocked_update",
    "owner of tile (4,0)" },
  { 3, "n = 1000 : i64, owner", "moves = [[0, 1]], n = 1000 : i64, owner", "dp.blocked_update", "is not [i, j, pu]" },
  /* tiers */
  { 3, "shares = [[0, 4000000]]", "shares = [[2, 4000000]]", "gendram.place", "the stack has tiers 0 to 1" },
  { 3, "shares = [[0, 4000000]]", "shares = [[0, 3999999]]", "gendram.place", "the shares hold 3999999 bytes" },
  { 3, "shares = [[0, 4000000]]", "shares = []", "gendram.place", "the shares hold 0 bytes" },
  { 3, "shares = [[0, 4000000]]", "shares = [[1, 2000000], [0, 2000000]]", "gendram.place", "do not rise" },
  { 3, "last = 0 : i64, name", "last = 2 : i64, name", "gendram.place", "the stack has tiers 0 to 1" },
  { 3, "first = 0 : i64, last = 0", "first = 1 : i64, last = 0", "gendram.place", "tiers 1..0" },
  { 3, "rule = \"fill\"", "rule = \"random\"", "gendram.place", "is not tier, fill or stripe" },
  { 3, "reserved = [", "reserved = [1, ", "gendram.place", "reserved does not give" },
  { 3, "index, index) -> !gendram.tile<memref<256x256xi32>, 0 : i64, 0 : i64>", "index, index) -> memref<256x256xi32>",
    NULL, "has the type memref<256x256xi32>, not" },
  { 4, "\"gendram.copy\"(%12) {writes = \"free\"}", "\"gendram.copy\"(%12) {writes = \"charged\"}", "gendram.copy",
    "is not the knob's \"free\"" },
  { 4, "copies = \"t0\"", "copies = \"home\"", NULL, NULL }, /* right: D lies in tier 0 as a whole */
  /* communication */
  { 4, "    \"gendram.barrier\"(%17) {number = 0 : i64} : (!dp.token) -> ()\n", "", "dp.phase",
    "superstep needs a barrier" },
  { 4, "barriers = \"superstep\"", "barriers = \"strict\"", "dp.phase", "strict needs a barrier behind this phase" },
  { 4, "barriers = \"superstep\"", "barriers = \"dataflow\"", "dp.phase", "dataflow has no barrier behind this phase" },
  { 4, "\"gendram.barrier\"(%17)", "\"gendram.barrier\"(%10)", "gendram.barrier", "must wait for the phase internal" },
  { 4, "{number = 0 : i64}", "{number = 1 : i64}", "gendram.barrier", "barrier 0" },
  { 4,
    "      \"gendram.broadcast\"(%9) {ring = \"on\"} : (!gendram.tile<memref<256x256xi32>, 0 : i64, 0 : i64>) -> ()\n",
    "", "dp.phase", "expected the \"gendram.broadcast\"" },
  { 4, "{ring = \"on\"}", "{ring = \"free\"}", "gendram.broadcast", "is not the knob's \"on\"" },
  /* semiring, data, symbols */
  { 1, "semiring = @semiring", "semiring = @other", "dp.grid_update", "@other names no" },
  { 1, "sym_name = \"semiring\"", "sym_name = \"rings\"", "dp.grid_update", "@semiring names no" },
  { 1, "\"dp.min\"(%arg0, %arg1)", "\"dp.min\"(%arg1, %arg0)", "dp.semiring", "is not \"dp.min\" of both arguments" },
  { 1, "plus = \"min\"", "plus = \"max\"", "dp.semiring", "is not \"dp.max\"" },
  { 1, "plus = \"min\"", "plus = \"plus\"", "dp.semiring", "is no operator" },
  { 1, "zero = #dp.inf", "zero = 1.0 : f64", "dp.semiring", "not values of the carrier" },
  { 1, "one = 0 : i64, ", "", "dp.semiring", "one is missing" },
  { 1, "low = -2147483648", "low = 2147483648", "dp.semiring", "low is above its high" },
  { 1, "has_minus_inf = false, ", "", "dp.semiring", "carrier has element" },
  { 1, "\"dp.yield\"(%0) : (i32) -> ()", "\"dp.yield\"() : () -> ()", "dp.yield", "yields one value" },
  { 1, "    \"dp.yield\"(%0) : (i32) -> ()\n", "", "dp.semiring", "does not end with \"dp.yield\"" },
  { 1, "^bb0(%arg0: i32, %arg1: i32):", "^bb0(%arg0: i32, %arg1: i32, %arg9: i32):", "dp.semiring",
    "3 arguments, not 2" },
  { 1, "content_hash = \"0000000000001234\"", "content_hash = \"1234\"", "dp.data", "16 lower-case hex digits" },
  { 1, "element = \"i32\", name", "element = \"i33\", name", "dp.data", "no element type" },
  { 1, "name = \"D\", source", "source", "dp.data", "name is missing" },
  { 1, "name = \"D\"", "name = 3 : i64", "dp.data", "name is not a string" },
  { 1, "name = \"D\"", "colour = \"D\", name = \"D\"", "dp.data", "has no attribute colour" },
  /* the module */
  { 1, "dp.group = 1", "dp.group = 5", "builtin.module", "not in 1..4" },
  { 1, "dp.group = 1 : i64, ", "", "builtin.module", "dp.group is missing" },
  { 1, "dp.group = 1", "dp.group = 2", "builtin.module", "dp.program is missing" },
  { 2, "dp.group = 2", "dp.group = 1", "builtin.module", "comes with group 2" },
  { 3, "dp.group = 3", "dp.group = 4", "dp.phase", "barriers = superstep needs a barrier" },
  { 3, "gendram.mode = \"broadcast\"", "gendram.mode = \"pipeline\"", "builtin.module", "a closure broadcasts" },
  { 1, "pus = 4", "pus = 0", "builtin.module", "no sensible pus" },
  { 1, "edges = \"trimmed\"", "edges = \"round\"", "builtin.module", "edges has a value that it cannot have" },
  { 1, "buffers = 1 : i64, ", "", "builtin.module", "buffers is missing" },
  { 1, "  \"dp.result\"(%3) : (memref<1000x1000xi32>) -> ()\n", "", "builtin.module", "holds 0 \"dp.result\"" },
  { 1, "\"dp.result\"(%3)", "\"dp.answer\"(%3)", "dp.answer", "no operation of the dialects" },
  { 2, "    \"dp.yield\"() : () -> ()\n  }) {cycle_check", "  }) {cycle_check", "dp.blocked_update",
    "does not end with" },
};

START_TEST (mutations_are_refused)
{
  const Mutation  *row = &mutations[_i];
  g_autofree char *text = page_module (row->group);
  g_autofree char *mutated = page_edit (text, row->from, row->to);
  g_autofree char *begin = g_strdup_printf ("\"%s\": ", row->op);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlModule) module = page_parse (mutated, diags);
  gboolean right = module != NULL && tl_module_verify (module, diags);

  if (row->reason == NULL)
    {
      ck_assert (right);
      return;
    }
  ck_assert_msg (!right, "row %d: not refused", _i);
  for (guint d = 0; d < tl_diags_count (diags); d++)
    if (strstr (tl_diags_get (diags, d)->message, row->reason) != NULL
        && (row->op == NULL || g_str_has_prefix (tl_diags_get (diags, d)->message, begin)))
      return;
  ck_abort_msg ("row %d: %s", _i, tl_diags_get (diags, 0)->message);
}
END_TEST

/* Faults that no text can hold: made on the module itself. */
START_TEST (broken_structure_is_refused)
{
  g_autofree char *text = page_module (1);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlModule) module = page_parse (text, diags);
  TlOp    *data = tl_module_find (module, "dp.data");
  TlOp    *update = tl_module_find (module, "dp.grid_update");
  TlBlock *body = tl_module_body (module);

  /* Use before definition: the data behind its use. */
  tl_op_remove (data);
  tl_block_insert (body, update->next, data);
  ck_assert (!tl_module_verify (module, diags));
  ck_assert_ptr_nonnull (strstr (tl_diags_get (diags, 0)->message, "\"dp.grid_update\": operand 0 is used before"));
  tl_op_remove (data);
  tl_block_insert (body, update, data);
  ck_assert (tl_module_verify (module, diags));
  /* A value of a region used outside. */
  update->operands[1] = tl_module_find (module, "dp.semiring")->regions[0]->blocks[0]->first->results[0];
  ck_assert (!tl_module_verify (module, diags));
  update->operands[1] = data->results[0];
  /* Attributes out of order. */
  {
    TlNamedAttr swap = update->attrs[0];
    update->attrs[0] = update->attrs[1];
    update->attrs[1] = swap;
    ck_assert (!tl_module_verify (module, diags));
    update->attrs[1] = update->attrs[0];
    update->attrs[0] = swap;
  }
  /* A block that holds an operation of another. */
  update->block = NULL;
  ck_assert (!tl_module_verify (module, diags));
  update->block = body;
  ck_assert (tl_module_verify (module, diags));
}
END_TEST

START_TEST (places_are_the_programs)
{
  static const char text[] = "\"builtin.module\"() ({\n  \"dp.what\"() : () -> () loc(fused[\"n\"(\"a.gdsl\":7:9)])\n"
                             "}) {dp.group = 1 : i64, gendram.knobs = {}, gendram.target = {}} : () -> ()";
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlModule) module = page_parse (text, diags);

  ck_assert_ptr_nonnull (module);
  ck_assert (!tl_module_verify (module, diags));
  ck_assert_str_eq (tl_diags_get (diags, 0)->file, "a.gdsl");
  ck_assert_uint_eq (tl_diags_get (diags, 0)->from.line, 7);
  ck_assert_uint_eq (tl_diags_get (diags, 0)->from.column, 9);
  ck_assert_str_eq (tl_diags_get (diags, 0)->code, "invalid-ir");
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("ir-verify");
  TCase *tcase = tcase_create ("verify");

  tcase_add_loop_test (tcase, pages_are_right, 1, 5);
  tcase_add_loop_test (tcase, mutations_are_refused, 0, G_N_ELEMENTS (mutations));
  tcase_add_test (tcase, broken_structure_is_refused);
  tcase_add_test (tcase, places_are_the_programs);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
