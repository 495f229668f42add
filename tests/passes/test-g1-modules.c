/* Spellings of one recurrence give byte-identical modules without locations, and
 * semirings of every kind survive their way through the text of a module. */
#include "g1-spellings.h"
#include "g1-support.h"
#include "ir/semiring-op.h"
#include "passes/pipeline.h"
#include "target/target.h"

#include <string.h>

#define SPELLINGS 250

/* The module of a program over 64 nodes; NULL when it is not recognised. */
static TlModule *
module_of (const char *text, TlDiags *diags)
{
  g_autoptr (TlSource) source = tl_source_new ("test.gdsl", text, -1);
  g_autoptr (TlAst) ast = tl_parse (source, diags);
  g_autoptr (TlTarget) target = tl_target_load ("gendram", NULL, NULL, NULL, tl_span (0, 0), diags);
  g_autoptr (GArray) facts = g_array_new (FALSE, TRUE, sizeof (TlDataFacts));
  TlDataFacts fact = { .name = (char *) "D", .rows = 64, .columns = 64 };
  g_autoptr (TlRecurrence) recurrence = tl_recognise (ast, g_array_append_val (facts, fact), diags);
  TlPimKnobs knobs;

  if (recurrence == NULL)
    return NULL;
  ck_assert_ptr_nonnull (target);
  tl_pim_knobs_resolve (&knobs, ast, NULL, "D", recurrence->element, target, diags);
  TlModule *module
      = tl_g1_module (recurrence, ast, facts, &knobs, tl_target_pim_machine (target), tl_target_name (target), diags);
  tl_pim_knobs_clear (&knobs);
  return module;
}

static char *
text_of (const char *program, TlPrintFlags flags)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlModule) module = module_of (program, diags);

  return module != NULL ? tl_module_print (module, flags) : NULL;
}

START_TEST (modules_are_identical)
{
  g_autofree char *reference = text_of (spelled_reference (_i), TL_PRINT_NO_LOC);
  guint64          state = tl_test_seed () * 3 + (guint64) _i;
  guint            wrong = 0;

  ck_assert_ptr_nonnull (reference);
  ck_assert_ptr_null (strstr (reference, "apsp"));
  for (guint s = 0; s < SPELLINGS; s++)
    {
      g_autofree char *program = spell (_i, &state);
      g_autofree char *text = text_of (program, TL_PRINT_NO_LOC);
      if (g_strcmp0 (text, reference) != 0 && wrong++ < 3)
        g_printerr ("another module:\n%s%s", program, text ? text : "(none)\n");
    }
  ck_assert_uint_eq (wrong, 0);
}
END_TEST

/* Other recurrences and places do show, so that the equality above can fail. */
START_TEST (other_modules_differ)
{
  g_autofree char *first = text_of (spelled_reference (SPELL_SHORTEST), TL_PRINT_NO_LOC);
  g_autofree char *second = text_of (spelled_reference (SPELL_MINIMAX), TL_PRINT_NO_LOC);
  g_autofree char *placed = text_of (spelled_reference (SPELL_SHORTEST), TL_PRINT_DEFAULT);

  ck_assert_str_ne (first, second);
  ck_assert_str_ne (first, placed);
  ck_assert_ptr_nonnull (strstr (placed, "test.gdsl\":2:"));
}
END_TEST

#define HEAD "algorithm a\n  D[i,j] = f(D[i,j], g(D[i,k], D[k,j]))  for k, i, j\n"

static const char *const programs[] = {
  HEAD
  "op f(a, b) = min(a, b)\nop g(a, b) = min(a + b, 100)\nsemiring (f, g) on 0..100: zero = 100, one = 0\ndata D: u8\n",
  HEAD "op f(a, b) = max(a, b)\nop g(a, b) = a + b - 50 if a + b > 50 else 0\nsemiring (f, g) on 0..50: zero = 0, one "
       "= 50\ndata D: i16\n",
  HEAD "op f(a, b) = min(a, b)\nop g(a, b) = a + b - a * b\nsemiring (f, g) on 0..1: zero = 1, one = 0\ndata D: f32\n",
  HEAD "op f(a, b) = max(a, b)\nop g(a, b) = -max(-a, -b)\ndata D: i32\n",
  (HEAD "op f = table([[0,1,2,3], [1,1,2,3], [2,2,2,3], [3,3,3,3]])\nop g = table([[0,0,0,0], [0,0,1,1], [0,0,2,2], "
        "[0,1,2,3]])\n"
        "data D: u8\n"),
  HEAD "op f(a, b) = max(a, b)\nop g(a, b) = max(0, a // 1 + b mod 1000 - 7)\nsemiring (f, g) on 0..7: zero = 0, one = "
       "7\ndata D: i32\n",
  HEAD "op f(a, b) = a or b\nop g(a, b) = a and b\ndata D: bool\n",
  "algorithm a\n  D[i,j] = max(D[i,j], D[i,k] * D[k,j])  for k, i, j\nsemiring (max, *) on 0..1: zero = 0, one = "
  "1\ndata D: f32\n",
};

START_TEST (semirings_survive)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlModule) module = module_of (programs[_i], diags);
  g_autoptr (TlRecurrence) recurrence = recognise_text (programs[_i], NULL, diags);
  g_autofree char *said = diags_text (diags);

  ck_assert_msg (module != NULL && recurrence != NULL, "%s", said);
  ck_assert_msg (tl_module_verify (module, diags), "does not verify");
  g_autofree char *text = tl_module_print (module, TL_PRINT_DEFAULT);
  g_autoptr (TlSource) source = tl_source_new ("dump.mlir", text, -1);
  g_autoptr (TlModule) again = tl_module_parse (source, diags);
  g_autofree char *reason = NULL;
  ck_assert_ptr_nonnull (again);
  g_autoptr (TlSemiring) semiring = tl_semiring_from_op (tl_module_find (again, "dp.semiring"), &reason);
  ck_assert_msg (semiring != NULL, "%s", reason);
  ck_assert (tl_semiring_equal (semiring, recurrence->semiring));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("passes-g1-modules");
  TCase *tcase = tcase_create ("modules");

  tcase_set_timeout (tcase, 60);
  tcase_add_loop_test (tcase, modules_are_identical, 0, N_SPELLED);
  tcase_add_test (tcase, other_modules_differ);
  tcase_add_loop_test (tcase, semirings_survive, 0, G_N_ELEMENTS (programs));
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
