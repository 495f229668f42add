/* Printing and parsing: what goes out comes in again, and bad text is refused with its
 * place. */
#include "ir/page.h"

#include <glib/gstdio.h>

static void
expect_same (const char *text, TlPrintFlags flags)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlModule) module = page_parse (text, diags);
  g_autofree char *again = NULL;

  ck_assert_msg (module != NULL, "%s", tl_diags_count (diags) > 0 ? tl_diags_get (diags, 0)->message : "");
  again = tl_module_print (module, flags);
  ck_assert_str_eq (again, text);
}

START_TEST (pages_print_as_they_are)
{
  g_autofree char *text = page_module ((guint) _i);

  expect_same (text, TL_PRINT_NO_LOC);
}
END_TEST

/* All kinds of attributes, types and locations at once. */
static const char everything[]
    = "\"builtin.module\"() ({\n"
      "  %0:2 = \"x.two\"() {a = true, b = -9223372036854775808 : i64, c = 5 : index, d = 2.5e-01 : f64, e = 1e+300 : "
      "f64,"
      " f = \"q\\22b\\\\s\\0A\\C3\\A9\", g = @sym, h = [1, 2 : i32, [], {}], i = {n = 1 : i64, u}, j = i32,"
      " k = affine_map<(d0, d1) -> (d0 + d1 mod 2)>, l = #gendram.owner<(i * 21 + j) mod 32>, m = #dp.inf, unit,"
      " \"we ird\" = @\"a b\"} : () -> (i32, !gendram.tile<memref<4x4xi32>, 0 : i64>)"
      " loc(fused[\"a.gdsl\":1:2, \"left\"(\"a.gdsl\":3:4), \"bare\"])\n"
      "  \"x.use\"(%0#1, %0#0) ({\n"
      "  ^bb0(%arg0: index):\n"
      "    \"x.end\"(%arg0) : (index) -> () loc(unknown)\n"
      "  }, {\n"
      "  }) : (!gendram.tile<memref<4x4xi32>, 0 : i64>, i32) -> () loc(\"n\"(fused[\"a\":1:1, \"b\":2:2]))\n"
      "}) : () -> () loc(\"apsp\"(\"apsp.gdsl\":1:1))\n";

START_TEST (everything_round_trips)
{
  /* "1e+300" has no point: MLIR would not read it, so it is written with one. */
  g_autofree char *text = page_edit (everything, "1e+300", "1.0e+300");
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlModule) module = page_parse (text, diags);
  g_autofree char *again = NULL;

  ck_assert_msg (module != NULL, "%s", tl_diags_count (diags) > 0 ? tl_diags_get (diags, 0)->message : "");
  again = tl_module_print (module, TL_PRINT_DEFAULT);
  ck_assert_str_eq (again, text);
  ck_assert_str_eq (tl_op_text (tl_module_body (module)->first, "f"), "q\"b\\s\n\xc3\xa9");
}
END_TEST

/* What mlir-opt writes in other words means the same. */
START_TEST (other_spellings)
{
  static const struct
  {
    const char *text;
    const char *printed;
  } rows[] = {
    { "#map = affine_map<(d0) -> (d0)>\n\"builtin.module\"() ({ }) {m = #map} : () -> ()",
      "\"builtin.module\"() ({\n}) {m = affine_map<(d0) -> (d0)>} : () -> () loc(unknown)\n" },
    { "#loc0 = loc(\"a\":1:2)\n\"builtin.module\"() ({ }) : () -> () loc(#loc1)\n#loc1 = loc(fused[#loc0, #loc2])\n"
      "#loc2 = loc(\"n\"(#loc0))",
      "\"builtin.module\"() ({\n}) : () -> () loc(fused[\"a\":1:2, \"n\"(\"a\":1:2)])\n" },
    { "// a comment\n\"builtin.module\"() ({^bb0:\n}) {a = 0x10, b = 1 : i1, c = #dp<\"inf\">, d} : () -> () // end",
      "\"builtin.module\"() ({\n}) {a = 16 : i64, b = true, c = #dp.inf, d} : () -> () loc(unknown)\n" },
    { "\"builtin.module\"() ({%a, %b = \"x.y\"() : () -> (i32, i32)\n\"x.z\"(%b) : (i32) -> ()}) : () -> ()",
      "\"builtin.module\"() ({\n  %0:2 = \"x.y\"() : () -> (i32, i32) loc(unknown)\n"
      "  \"x.z\"(%0#1) : (i32) -> () loc(unknown)\n}) : () -> () loc(unknown)\n" },
    { "\"builtin.module\"() ({}) {b = 1, a = 0x7FF0000000000001} : () -> ()",
      "\"builtin.module\"() ({\n}) {a = 9218868437227405313 : i64, b = 1 : i64} : () -> () loc(unknown)\n" },
    { "\"builtin.module\"() ({}) {a = 0x3FD0000000000000 : f64} : () -> ()",
      "\"builtin.module\"() ({\n}) {a = 2.5e-01 : f64} : () -> () loc(unknown)\n" },
  };
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlModule) module = page_parse (rows[_i].text, diags);
  g_autofree char *again = NULL;

  ck_assert_msg (module != NULL, "%s", tl_diags_count (diags) > 0 ? tl_diags_get (diags, 0)->message : "");
  again = tl_module_print (module, TL_PRINT_DEFAULT);
  ck_assert_str_eq (again, rows[_i].printed);
}
END_TEST

static const struct
{
  const char *text;
  guint       line;
  guint       column;
  const char *message;
} bad[] = {
  { "", 1, 1, "no module" },
  { "module {\n}\n", 1, 1, "generic form" },
  { "\"func.func\"() : () -> ()", 1, 1, "builtin.module" },
  { "\"builtin.module\"() ({\n  \"x.y\"(%0) : (i32) -> ()\n}) : () -> ()", 2, 9, "before its definition" },
  { "\"builtin.module\"() ({\n  %0 = \"x.y\"() : () -> i32\n  %0 = \"x.y\"() : () -> i32\n}) : () -> ()", 3, 3,
    "defined twice" },
  { "\"builtin.module\"() ({\n  %0 = \"x.y\"() : () -> i32\n  \"x.z\"(%0) : (i64) -> ()\n}) : () -> ()", 3, 16,
    "has the type i32, not i64" },
  { "\"builtin.module\"() ({\n  %0 = \"x.y\"() : () -> i32\n  \"x.z\"(%0) : () -> ()\n}) : () -> ()", 3, 17,
    "1 operands and 0 operand types" },
  { "\"builtin.module\"() ({\n  %0 = \"x.y\"() : () -> i32\n  \"x.z\"(%0#1) : (i32) -> ()\n}) : () -> ()", 3, 9,
    "no number 1" },
  { "\"builtin.module\"() ({\n  %0:2 = \"x.y\"() : () -> i32\n}) : () -> ()", 2, 10, "names for 2" },
  { "\"builtin.module\"() ({\n  \"x.y\"() {a = 1, a = 2} : () -> ()\n}) : () -> ()", 2, 19, "given twice" },
  { "\"builtin.module\"() ({\n  \"x.y\"() {a = 99999999999999999999} : () -> ()\n}) : () -> ()", 2, 16,
    "does not fit 64 bits" },
  { "\"builtin.module\"() ({\n  \"x.y\"() {a = 1.0e999} : () -> ()\n}) : () -> ()", 2, 16, "no finite value" },
  { "\"builtin.module\"() ({\n  \"x.y\"() {a = 1 : f64} : () -> ()\n}) : () -> ()", 2, 16, "with a point" },
  { "\"builtin.module\"() ({\n  \"x.y\"() {a = \"no end} : () -> ()\n}) : () -> ()", 2, 16,
    "does not end on its line" },
  { "\"builtin.module\"() ({\n  \"x.y\"() {a = \"\\00\"} : () -> ()\n}) : () -> ()", 2, 17, "unknown escape" },
  { "\"builtin.module\"() ({\n  \"x.y\"() {a = \"\\FF\"} : () -> ()\n}) : () -> ()", 2, 16, "not UTF-8" },
  { "\"builtin.module\"() ({\n  \"x.y\"() {a = \xff} : () -> ()\n}) : () -> ()", 2, 16, "not UTF-8" },
  { "\"builtin.module\"() ({\n  \"x.y\"() {a = #map} : () -> ()\n}) : () -> ()", 2, 16, "#map is not defined" },
  { "\"builtin.module\"() ({\n  \"x.y\"() {a = #d.e<(>} : () -> ()\n}) : () -> ()", 2, 22, "closes nothing" },
  { "\"builtin.module\"() ({\n  \"x.y\"() {a = #d.e<(} : () -> ()\n}) : () -> ()", 2, 22, "closes nothing" },
  { "\"builtin.module\"() ({\n  \"x.y\"()[^bb1] : () -> ()\n}) : () -> ()", 2, 11, "successors" },
  { "\"builtin.module\"() <{a = 1}> ({}) : () -> ()", 1, 22, "properties" },
  { "\"builtin.module\"() ({\n  \"x.y\"() : () -> () loc(#l)\n}) : () -> ()", 3, 14, "#l is used but not defined" },
  { "#l = loc(fused[#l])\n\"builtin.module\"() ({}) : () -> () loc(#l)", 2, 43, "holds itself" },
  { "#l = loc(unknown)\n#l = loc(unknown)", 2, 1, "defined twice" },
  { "#l = 5\n", 1, 6, "only affine maps and locations" },
  { "\"builtin.module\"() ({\n", 2, 1, "ends inside a region" },
  { "\"builtin.module\"() ({}) : () -> ()\n\"x.y\"() : () -> ()", 2, 1, "behind the module" },
  { "\"builtin.module\"() ({}) : () -> () loc(\"a\":1)", 1, 45, "expected ':' behind a line number" },
  { "\"builtin.module\"() ({}) : () -> () loc(callsite(unknown at unknown))", 1, 40, "expected a location" },
  { "\"\"() : () -> ()", 1, 1, "without a name" },
  { "\"builtin.module\"() ({}) {a = i} : () -> ", 1, 41, "expected a type" },
};

START_TEST (faults_have_their_place)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlModule) module = page_parse (bad[_i].text, diags);
  const TlDiag *diag;

  ck_assert_ptr_null (module);
  ck_assert_uint_eq (tl_diags_errors (diags), 1);
  diag = tl_diags_get (diags, 0);
  ck_assert_msg (strstr (diag->message, bad[_i].message) != NULL, "row %d: %s", _i, diag->message);
  ck_assert_msg (diag->from.line == bad[_i].line && diag->from.column == bad[_i].column, "row %d: at %u:%u, not %u:%u",
                 _i, diag->from.line, diag->from.column, bad[_i].line, bad[_i].column);
}
END_TEST

/* @head, @n times @piece, @tail. (transfer full) */
static char *
repeat (const char *head, const char *piece, guint n, const char *tail)
{
  GString *text = g_string_new (head);

  for (guint i = 0; i < n; i++)
    g_string_append (text, piece);
  g_string_append (text, tail);
  return g_string_free (text, FALSE);
}

START_TEST (nesting_is_bounded)
{
  static const struct
  {
    const char *head;
    const char *piece;
    guint       n;
    const char *message;
  } rows[] = {
    { "\"builtin.module\"() (", "{\"x.y\"() (", 100000, "regions nested deeper" },
    { "\"builtin.module\"() ({}) {a = ", "[", 100000, "attributes nested deeper" },
    { "\"builtin.module\"() ({}) {a = ", "{b = ", 100000, "attributes nested deeper" },
    { "\"builtin.module\"() ({}) {a = !x.y<", "<", 100000, "brackets nested deeper" },
    { "\"builtin.module\"() ({}) : () -> () loc(", "fused[", 100000, "locations nested deeper" },
    { "\"builtin.module\"() ({}) : () -> () loc(", "\"a\"(", 100000, "locations nested deeper" },
    { "\"builtin.module\"() ({}) {a = ", "() -> ", 100000, "expected '}'" },
    { "\"builtin.module\"() ({}) {a = [0", ", 0", 1100000, "more than 1048576 attributes" },
  };
  g_autofree char *text = repeat (rows[_i].head, rows[_i].piece, rows[_i].n, "");
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlModule) module = page_parse (text, diags);

  ck_assert_ptr_null (module);
  ck_assert_msg (strstr (tl_diags_get (diags, 0)->message, rows[_i].message) != NULL, "%s",
                 tl_diags_get (diags, 0)->message);
}
END_TEST

/* #l1 holds #l0 twice, #l2 holds #l1 twice, ...: 2^40 places when written out. */
START_TEST (aliases_do_not_explode)
{
  GString         *text = g_string_new ("#l0 = loc(fused[\"a\":1:1, \"b\":1:1])\n");
  g_autofree char *all = NULL;
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlModule) module = NULL;

  for (guint i = 1; i <= 40; i++)
    g_string_append_printf (text, "#l%u = loc(fused[#l%u, #l%u])\n", i, i - 1, i - 1);
  g_string_append (text, "\"builtin.module\"() ({}) : () -> () loc(#l40)\n");
  all = g_string_free (text, FALSE);
  module = page_parse (all, diags);
  ck_assert_ptr_null (module);
  ck_assert_ptr_nonnull (strstr (tl_diags_get (diags, 0)->message, "places in the locations"));
}
END_TEST

START_TEST (floats_read_back)
{
  guint64 state = tl_test_seed ();

  for (guint round = 0; round < tl_test_rounds (2000); round++)
    {
      g_autoptr (TlModule) module = tl_module_new ();
      g_autoptr (TlModule) again = NULL;
      g_autoptr (TlDiags) diags = tl_diags_new ();
      g_autofree char *text = NULL;
      guint64          bits = tl_test_random (&state);
      double           value;
      double           back;

      memcpy (&value, &bits, sizeof value);
      if (!__builtin_isfinite (value))
        continue;
      tl_op_set (tl_module_op (module), "v", tl_attr_float (module, value));
      text = tl_module_print (module, TL_PRINT_NO_LOC);
      again = page_parse (text, diags);
      ck_assert_ptr_nonnull (again);
      back = tl_op_attr (tl_module_op (again), "v")->real;
      ck_assert_msg (memcmp (&back, &value, sizeof value) == 0, "%a became %a in %s", value, back, text);
    }
}
END_TEST

/* Any cut or flipped byte is either refused with a message or read; never a crash. */
START_TEST (damaged_pages_are_survived)
{
  g_autofree char *text = page_module (4);
  gsize            length = strlen (text);
  guint64          state = tl_test_seed ();
  guint            refused = 0;

  for (guint round = 0; round < tl_test_rounds (1500); round++)
    {
      g_autofree char *damaged = g_strdup (text);
      g_autoptr (TlDiags) diags = tl_diags_new ();
      g_autoptr (TlModule) module = NULL;
      gsize at = tl_test_random_below (&state, length);

      if (round % 3 == 0)
        damaged[at] = '\0';
      else
        damaged[at] = (char) (0x20 + tl_test_random_below (&state, 95));
      module = page_parse (damaged, diags);
      if (module == NULL)
        ck_assert_uint_eq (tl_diags_errors (diags), 1);
      else
        tl_module_verify (module, diags);
      refused += tl_diags_errors (diags) > 0;
    }
  ck_assert_uint_gt (refused, tl_test_rounds (1000));
}
END_TEST

/* mlir-opt reads the page, prints it, reads that and prints it the same; and our parser
 * makes of it the module it was. */
START_TEST (mlir_opt_agrees)
{
  static const char *const tools[] = { "mlir-opt-15", "mlir-opt-14" };
  g_autofree char         *tool = g_find_program_in_path (tools[_i / 4]);
  g_autofree char         *text = page_module ((guint) _i % 4 + 1);
  g_autofree char         *once = NULL;
  g_autofree char         *twice = NULL;
  g_autofree char         *again = NULL;
  g_autofree char         *path = g_build_filename (tl_test_folder (), "module.mlir", NULL);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlModule) module = NULL;
  char *argv[] = { tool, (char *) "--allow-unregistered-dialect", (char *) "--mlir-print-op-generic", path, NULL };
  int   status = -1;

  if (tool == NULL)
    {
      tl_test_skip ("%s not installed", tools[_i / 4]);
      return;
    }
  ck_assert (g_file_set_contents (path, text, -1, NULL));
  ck_assert (g_spawn_sync (NULL, argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &once, NULL, &status, NULL) && status == 0);
  ck_assert (g_file_set_contents (path, once, -1, NULL));
  ck_assert (g_spawn_sync (NULL, argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &twice, NULL, &status, NULL) && status == 0);
  ck_assert_str_eq (once, twice);
  module = page_parse (once, diags);
  ck_assert_msg (module != NULL, "%s", tl_diags_count (diags) > 0 ? tl_diags_get (diags, 0)->message : "");
  again = tl_module_print (module, TL_PRINT_NO_LOC);
  ck_assert_str_eq (again, text);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("ir-text");
  TCase *tcase = tcase_create ("text");

  tcase_set_timeout (tcase, 60);
  tcase_add_loop_test (tcase, pages_print_as_they_are, 1, 5);
  tcase_add_test (tcase, everything_round_trips);
  tcase_add_loop_test (tcase, other_spellings, 0, 6);
  tcase_add_loop_test (tcase, faults_have_their_place, 0, G_N_ELEMENTS (bad));
  tcase_add_loop_test (tcase, nesting_is_bounded, 0, 8);
  tcase_add_test (tcase, aliases_do_not_explode);
  tcase_add_test (tcase, floats_read_back);
  tcase_add_test (tcase, damaged_pages_are_survived);
  tcase_add_loop_test (tcase, mlir_opt_agrees, 0, 8);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
