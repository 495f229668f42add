/* Tensor files: a tensor that is read has its shape's values within the bounds; what is not read is said once. The
 * first byte chooses the type, the second the name. */
#include "input/input.h"

int LLVMFuzzerTestOneInput (const guint8 *data, size_t size);

static const char *const elements[] = { NULL, "f32", "i8", "u4", "f16", "i64", "f6e3m2", "bool" };
static const char *const names[] = { "w", "A", "layer.W" };

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  TlScalar zero = { .i = 0 };

  if (size < 2)
    return 0;
  const char     *element = elements[data[0] % G_N_ELEMENTS (elements)];
  TlInputArgument arguments[] = { { .kind = TL_ARGUMENT_STRING, .text = "f" },
                                  { .kind = TL_ARGUMENT_STRING, .text = names[data[1] % G_N_ELEMENTS (names)] } };
  TlInputCall     call = { .function = "tensor", .arguments = arguments, .n_arguments = 2 };
  if (element != NULL)
    g_assert_true (tl_element_type_parse (element, &call.element));
  g_autoptr (TlInputPlan) plan = tl_input_plan (&call, diags);
  g_autoptr (TlInput) input = tl_input_load (plan, "f", data + 2, size - 2, diags);
  g_assert_true ((input == NULL) == (tl_diags_errors (diags) == 1));
  if (input == NULL)
    return 0;
  TlMatrixSummary summary = tl_matrix_summary (input->dense, zero);
  g_assert_true (input->dense->rows == input->rows && input->dense->columns == input->columns);
  g_assert_true (input->bounds_known == (summary.finite > 0));
  if (input->bounds_known && tl_element_type_is_float (input->element))
    g_assert_true (summary.min.r == input->low.r && summary.max.r == input->high.r);
  else if (input->bounds_known)
    g_assert_true (summary.min.i == input->low.i && summary.max.i == input->high.i);
  return 0;
}
