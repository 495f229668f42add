/* Dense matrix files and operator tables: what is read has its values within the
 * bounds; what is not is said. The first byte chooses the type. */
#include "input/input.h"

int LLVMFuzzerTestOneInput (const guint8 *data, size_t size);

static const char *const elements[] = { "i32", "i8", "u8", "i64", "bool", "f32", "f6e3m2" };

static void
check (const TlInput *input)
{
  TlScalar        zero = { .i = 0 };
  TlMatrixSummary summary = tl_matrix_summary (input->dense, zero);

  g_assert_true (input->dense->rows == input->rows && input->dense->columns == input->columns);
  g_assert_true (input->bounds_known == (summary.finite > 0));
  if (!input->bounds_known)
    return;
  if (tl_element_type_is_float (input->element))
    g_assert_true (summary.min.r >= input->low.r && summary.max.r <= input->high.r);
  else
    g_assert_true (summary.min.i >= input->low.i && summary.max.i <= input->high.i);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlDiags) table_diags = tl_diags_new ();
  TlOperator      op = { 0 };
  TlInputArgument file = { .kind = TL_ARGUMENT_STRING, .text = "f" };
  TlInputCall     call = { .function = "matrix", .arguments = &file, .n_arguments = 1 };

  if (size == 0)
    return 0;
  g_assert_true (tl_element_type_parse (elements[data[0] % G_N_ELEMENTS (elements)], &call.element));
  g_autoptr (TlInputPlan) plan = tl_input_plan (&call, diags);
  g_autoptr (TlInput) input = tl_input_load (plan, "f", data + 1, size - 1, diags);
  g_assert_true (input != NULL || tl_diags_errors (diags) > 0);
  if (input != NULL)
    check (input);
  if (tl_input_table ("f", data + 1, size - 1, &op, table_diags))
    for (guint32 i = 0; i < op.size * op.size; i++)
      g_assert_cmpuint (op.table[i], <, op.size);
  else
    g_assert_cmpuint (tl_diags_errors (table_diags), >, 0);
  tl_operator_clear (&op);
  return 0;
}
