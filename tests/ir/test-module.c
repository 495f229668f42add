/* Making modules: values, attributes, types, locations, semirings as operations. */
#include "ir/ir.h"
#include "ir/semiring-op.h"
#include "support/support.h"

#include <string.h>

START_TEST (attributes_are_sorted_and_replaced)
{
  g_autoptr (TlModule) module = tl_module_new ();
  TlOp *op = tl_op_new (module, "dp.test", NULL);

  tl_op_set (op, "zeta", tl_attr_integer (module, 1));
  tl_op_set (op, "alpha", tl_attr_bool (module, TRUE));
  tl_op_set (op, "mid", tl_attr_string (module, "x"));
  tl_op_set (op, "zeta", tl_attr_integer (module, 2));
  ck_assert_uint_eq (op->n_attrs, 3);
  ck_assert_str_eq (op->attrs[0].name, "alpha");
  ck_assert_str_eq (op->attrs[2].name, "zeta");
  ck_assert_int_eq (tl_op_integer (op, "zeta", 0), 2);
  ck_assert_int_eq (tl_op_integer (op, "alpha", 0), 1);
  tl_op_set (op, "mid", NULL);
  tl_op_set (op, "absent", NULL);
  ck_assert_uint_eq (op->n_attrs, 2);
  ck_assert_ptr_null (tl_op_attr (op, "mid"));
  for (guint i = 0; i < 40; i++)
    {
      g_autofree char *name = g_strdup_printf ("k%02u", (i * 7) % 40);
      tl_op_set (op, name, tl_attr_integer (module, i));
    }
  for (guint i = 1; i < op->n_attrs; i++)
    ck_assert_int_lt (strcmp (op->attrs[i - 1].name, op->attrs[i].name), 0);
}
END_TEST

START_TEST (blocks_are_lists)
{
  g_autoptr (TlModule) module = tl_module_new ();
  TlBlock *body = tl_module_body (module);
  TlOp    *a = tl_op_new (module, "dp.a", NULL);
  TlOp    *b = tl_op_new (module, "dp.b", NULL);
  TlOp    *c = tl_op_new (module, "dp.c", NULL);

  tl_block_append (body, a);
  tl_block_append (body, c);
  tl_block_insert (body, c, b);
  ck_assert_ptr_eq (body->first, a);
  ck_assert_ptr_eq (a->next, b);
  ck_assert_ptr_eq (c->prev, b);
  ck_assert_ptr_eq (body->last, c);
  tl_op_remove (c);
  ck_assert_ptr_eq (body->last, b);
  tl_block_insert (body, a, c);
  ck_assert_ptr_eq (body->first, c);
  ck_assert_ptr_eq (tl_module_find (module, "dp.b"), b);
  ck_assert_ptr_null (tl_module_find (module, "dp.d"));
}
END_TEST

START_TEST (uses_are_replaced_inside_regions)
{
  g_autoptr (TlModule) module = tl_module_new ();
  TlOp *old = tl_op_new (module, "dp.old", NULL);
  TlOp *new = tl_op_new (module, "dp.new", NULL);
  TlOp    *outer = tl_op_new (module, "dp.outer", NULL);
  TlOp    *inner = tl_op_new (module, "dp.inner", NULL);
  TlValue *first = tl_op_add_result (old, tl_type (module, "i32"));
  TlValue *second = tl_op_add_result (new, tl_type (module, "i32"));

  tl_op_add_operand (inner, first);
  tl_op_add_operand (inner, second);
  tl_op_add_operand (inner, first);
  tl_block_append (tl_op_add_region (outer), inner);
  tl_block_append (tl_module_body (module), old);
  tl_block_append (tl_module_body (module), new);
  tl_block_append (tl_module_body (module), outer);
  tl_module_replace (module, first, second);
  for (guint i = 0; i < 3; i++)
    ck_assert_ptr_eq (inner->operands[i], second);
}
END_TEST

START_TEST (types_come_apart)
{
  g_autoptr (TlModule) module = tl_module_new ();
  TlType           matrix = tl_type_matrix (module, 5242, 0, "ui8");
  g_autofree char *element = NULL;
  guint64          rows;
  guint64          columns;

  ck_assert_str_eq (matrix, "memref<5242x?xui8>");
  ck_assert (tl_type_as_matrix (matrix, &rows, &columns, &element));
  ck_assert_uint_eq (rows, 5242);
  ck_assert_uint_eq (columns, 0);
  ck_assert_str_eq (element, "ui8");
  ck_assert (!tl_type_as_matrix ("memref<4xi32>", &rows, &columns, NULL));
  ck_assert (!tl_type_as_matrix ("memref<4x4x4xi32>", &rows, &columns, NULL));
  ck_assert (!tl_type_as_matrix ("memref<04x4xi32>", &rows, &columns, NULL));
  ck_assert (!tl_type_as_matrix ("memref<4x99999999999999999999xi32>", &rows, &columns, NULL));
  ck_assert (!tl_type_as_matrix ("memref<4x4x>", &rows, &columns, NULL));
  ck_assert (!tl_type_as_matrix ("tensor<4x4xi32>", &rows, &columns, NULL));
  ck_assert_ptr_eq (tl_type (module, " memref< 4 x 4 x i32 > "), tl_type (module, "memref<4x4xi32>"));
  ck_assert_str_eq (tl_type (module, "!gendram.tile<memref<4x4xi32>,\n  0 : i64>"),
                    "!gendram.tile<memref<4x4xi32>, 0 : i64>");
}
END_TEST

START_TEST (parameters_split_at_the_top)
{
  g_auto (GStrv) parts = tl_type_parameters ("!gendram.tile<memref<4x4xi32>, [1, 2], 0 : i64>", "gendram.tile");
  g_auto (GStrv) none = tl_type_parameters ("!dp.token", "dp.token");

  ck_assert_uint_eq (g_strv_length (parts), 3);
  ck_assert_str_eq (parts[0], "memref<4x4xi32>");
  ck_assert_str_eq (parts[1], "[1, 2]");
  ck_assert_str_eq (parts[2], "0 : i64");
  ck_assert_uint_eq (g_strv_length (none), 0);
  ck_assert_ptr_null (tl_type_parameters ("!gendram.tiles<4>", "gendram.tile"));
  ck_assert_ptr_null (tl_type_parameters ("memref<4x4xi32>", "gendram.tile"));
}
END_TEST

START_TEST (fusing_flattens_and_drops_doubles)
{
  g_autoptr (TlModule) module = tl_module_new ();
  const TlLocation *a = tl_location_file (module, "a.gdsl", 1, 2);
  const TlLocation *same = tl_location_file (module, "a.gdsl", 1, 2);
  const TlLocation *b = tl_location_name (module, "left", tl_location_file (module, "a.gdsl", 3, 4));
  const TlLocation *parts[] = { a, tl_location_unknown (module), same, b };
  const TlLocation *fused = tl_location_fused (module, parts, 4);
  const TlLocation *again[] = { fused, b, NULL, a };
  const TlLocation *twice = tl_location_fused (module, again, 4);

  ck_assert_uint_eq (fused->n_parts, 2);
  ck_assert_uint_eq (twice->n_parts, 2);
  ck_assert_ptr_eq (tl_location_fused (module, parts, 1), a);
  ck_assert_int_eq (tl_location_fused (module, NULL, 0)->kind, TL_LOCATION_UNKNOWN);
  ck_assert_uint_eq (tl_location_first (twice)->line, 1);
  ck_assert_uint_eq (tl_location_first (b)->line, 3);
  ck_assert_ptr_null (tl_location_first (tl_location_unknown (module)));
}
END_TEST

START_TEST (opaque_bodies)
{
  g_autoptr (TlModule) module = tl_module_new ();
  g_autofree char *body = tl_attr_body (tl_attr_opaque (module, "gendram.owner<(i + j) mod 4>"), "gendram.owner");
  g_autofree char *empty = tl_attr_body (tl_attr_opaque (module, "dp.inf"), "dp.inf");

  ck_assert_str_eq (body, "(i + j) mod 4");
  ck_assert_str_eq (empty, "");
  ck_assert_ptr_null (tl_attr_body (tl_attr_opaque (module, "gendram.owners<4>"), "gendram.owner"));
  ck_assert_ptr_null (tl_attr_body (tl_attr_integer (module, 1), "gendram.owner"));
}
END_TEST

/* --- semirings --- */

/* A random postfix expression of @size leaves over the carrier. */
static void
random_steps (GArray *steps, guint size, gboolean real, guint64 *state)
{
  static const TlStepKind binary[] = {
    TL_STEP_ADD,    TL_STEP_SUBTRACT, TL_STEP_MULTIPLY,   TL_STEP_DIVIDE, TL_STEP_FLOOR_DIVIDE,
    TL_STEP_MODULO, TL_STEP_MIN,      TL_STEP_MAX,        TL_STEP_AND,    TL_STEP_OR,
    TL_STEP_XOR,    TL_STEP_LESS,     TL_STEP_LESS_EQUAL, TL_STEP_EQUAL,  TL_STEP_NOT_EQUAL,
  };
  TlStep step = { TL_STEP_A, { 0 } };

  if (size <= 1)
    {
      step.kind = tl_test_random_below (state, 3);
      g_assert (step.kind == TL_STEP_A || step.kind == TL_STEP_B || step.kind == TL_STEP_CONSTANT);
      if (step.kind == TL_STEP_CONSTANT && real)
        step.value.r = (double) tl_test_random_below (state, 1000) / 7;
      else if (step.kind == TL_STEP_CONSTANT)
        step.value.i = tl_test_random_below (state, 8) == 0 ? TL_INF : (gint64) tl_test_random_below (state, 90) - 45;
    }
  else if (tl_test_random_below (state, 5) == 0)
    {
      random_steps (steps, size - 1, real, state);
      step.kind = tl_test_random_below (state, 2) ? TL_STEP_NEGATE : TL_STEP_NOT;
    }
  else if (size >= 3 && tl_test_random_below (state, 4) == 0)
    {
      for (guint part = 0; part < 3; part++)
        random_steps (steps, size / 3, real, state);
      step.kind = TL_STEP_SELECT;
    }
  else
    {
      guint left = 1 + (guint) tl_test_random_below (state, size - 1);

      random_steps (steps, left, real, state);
      random_steps (steps, size - left, real, state);
      step.kind = binary[tl_test_random_below (state, G_N_ELEMENTS (binary))];
    }
  g_array_append_val (steps, step);
}

static void
random_operator (TlOperator *op, gboolean real, guint64 *state)
{
  op->kind = tl_test_random_below (state, real ? TL_OPERATOR_TABLE : TL_OPERATOR_TABLE + 1);
  if (op->kind == TL_OPERATOR_EXPRESSION)
    {
      GArray *steps = g_array_new (FALSE, FALSE, sizeof (TlStep));

      random_steps (steps, 1 + (guint) tl_test_random_below (state, 30), real, state);
      op->n_steps = steps->len;
      op->steps = (TlStep *) g_array_free (steps, FALSE);
    }
  if (op->kind == TL_OPERATOR_TABLE)
    {
      op->size = 1 + (guint32) tl_test_random_below (state, 16);
      op->table = g_malloc (op->size * op->size);
      for (guint c = 0; c < op->size * op->size; c++)
        op->table[c] = (guint8) tl_test_random_below (state, op->size);
    }
}

/* What has no equality in semiring.h is compared by its own text again. */
static char *
print_semiring (const TlSemiring *semiring)
{
  g_autoptr (TlModule) module = tl_module_new ();

  tl_block_append (tl_module_body (module), tl_semiring_to_op (module, semiring, "s", NULL, NULL, NULL));
  return tl_module_print (module, TL_PRINT_NO_LOC);
}

START_TEST (semirings_round_trip)
{
  static const char *const types[] = { "i32", "u8", "bool", "f32", "i5", "f6e3m2", "i64" };
  guint64                  state = tl_test_seed ();

  for (guint round = 0; round < 400; round++)
    {
      g_autoptr (TlSemiring) semiring = g_new0 (TlSemiring, 1);
      g_autoptr (TlSemiring) back = NULL;
      g_autoptr (TlModule) again = NULL;
      g_autoptr (TlDiags) diags = tl_diags_new ();
      g_autoptr (TlSource) source = NULL;
      g_autofree char *text = NULL;
      g_autofree char *text_again = NULL;
      g_autofree char *reason = NULL;
      gboolean         real;

      ck_assert (tl_element_type_parse (types[round % G_N_ELEMENTS (types)], &semiring->carrier.element));
      real = tl_element_type_is_float (semiring->carrier.element);
      semiring->carrier.has_inf = tl_test_random_below (&state, 2);
      semiring->carrier.has_minus_inf = tl_test_random_below (&state, 2);
      if (real)
        {
          semiring->carrier.low.r = -1.0 / 3;
          semiring->carrier.high.r = 1e30 / 7;
          semiring->zero.r = __builtin_inf ();
          semiring->one.r = 0.1;
        }
      else
        {
          semiring->carrier.low.i = tl_element_type_min (semiring->carrier.element);
          semiring->carrier.high.i = tl_element_type_max (semiring->carrier.element) - 1;
          semiring->zero.i = round % 2 ? TL_INF : -TL_INF;
          semiring->one.i = 1;
        }
      random_operator (&semiring->plus, real, &state);
      random_operator (&semiring->times, real, &state);
      text = print_semiring (semiring);
      source = tl_source_new ("s.mlir", text, -1);
      again = tl_module_parse (source, diags);
      ck_assert_ptr_nonnull (again);
      back = tl_semiring_from_op (tl_module_body (again)->first, &reason);
      ck_assert_msg (back != NULL, "%s\n%s", reason, text);
      ck_assert (tl_semiring_equal (semiring, back));
      text_again = print_semiring (back);
      ck_assert_str_eq (text, text_again);
    }
}
END_TEST

START_TEST (differences_are_seen)
{
  /* The deliberately wrong row: a changed table cell must not compare equal. */
  TlSemiring       semiring = { 0 };
  guint8           cells[4] = { 0, 1, 1, 0 };
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  semiring.carrier.element = (TlElementType) { TL_ELEMENT_UINT, 1 };
  semiring.carrier.high.i = 1;
  semiring.plus = (TlOperator) { .kind = TL_OPERATOR_TABLE, .size = 2, .table = cells };
  semiring.times = (TlOperator) { .kind = TL_OPERATOR_AND };
  before = print_semiring (&semiring);
  cells[3] = 1;
  after = print_semiring (&semiring);
  ck_assert_str_ne (before, after);
}
END_TEST

START_TEST (scalars_suit_their_carrier)
{
  g_autoptr (TlModule) module = tl_module_new ();
  TlCarrier whole = { .element = { TL_ELEMENT_INT, 32 } };
  TlCarrier real = { .element = { TL_ELEMENT_FLOAT, 32, 8, 23 } };
  TlScalar  value;

  ck_assert (tl_scalar_from_attr (&whole, tl_attr_integer (module, -3), &value) && value.i == -3);
  ck_assert (!tl_scalar_from_attr (&whole, tl_attr_float (module, 1), &value));
  ck_assert (!tl_scalar_from_attr (&real, tl_attr_integer (module, 1), &value));
  ck_assert (!tl_scalar_from_attr (&real, tl_attr_opaque (module, "dp.infinite"), &value));
  ck_assert (!tl_scalar_from_attr (&real, NULL, &value));
  ck_assert (tl_scalar_from_attr (&real, tl_attr_opaque (module, "dp.minus_inf"), &value) && value.r < -1e300);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("ir-module");
  TCase *tcase = tcase_create ("module");

  tcase_add_test (tcase, attributes_are_sorted_and_replaced);
  tcase_add_test (tcase, blocks_are_lists);
  tcase_add_test (tcase, uses_are_replaced_inside_regions);
  tcase_add_test (tcase, types_come_apart);
  tcase_add_test (tcase, parameters_split_at_the_top);
  tcase_add_test (tcase, fusing_flattens_and_drops_doubles);
  tcase_add_test (tcase, opaque_bodies);
  tcase_add_test (tcase, semirings_round_trip);
  tcase_add_test (tcase, differences_are_seen);
  tcase_add_test (tcase, scalars_suit_their_carrier);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
