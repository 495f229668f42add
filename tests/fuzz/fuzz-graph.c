/* Graph files: whatever is read has arcs between its nodes, weights within its bounds
 * and a matrix; whatever is not read is said. The first byte chooses the type. */
#include "input/input.h"

int LLVMFuzzerTestOneInput (const guint8 *data, size_t size);

static const char *const elements[] = { "i32", "i8", "u8", "i64", "bool", "f32", "f16" };

static gboolean
within (const TlInput *input, TlScalar weight)
{
  if (tl_element_type_is_float (input->element))
    return weight.r >= input->low.r && weight.r <= input->high.r;
  return weight.i >= input->low.i && weight.i <= input->high.i;
}

static void
check (const TlInput *input, TlDiags *diags)
{
  const TlGraph *graph = input->graph;
  gboolean       boolean = input->element.kind == TL_ELEMENT_BOOL;

  for (guint64 a = 0; a < graph->n_arcs; a++)
    {
      g_assert_true (graph->from[a] < graph->n && graph->to[a] < graph->n);
      g_assert_true (graph->weight == NULL || within (input, graph->weight[a]));
    }
  for (guint64 v = 1; v < graph->n && graph->ids != NULL; v++)
    g_assert_cmpint (tl_input_node_id (input, v - 1), <, tl_input_node_id (input, v));
  g_autoptr (TlSemiring) semiring = tl_semiring_known (boolean ? TL_OPERATOR_OR : TL_OPERATOR_MIN,
                                                       boolean ? TL_OPERATOR_AND : TL_OPERATOR_ADD, input->element);
  if (semiring == NULL || !tl_input_check (input, semiring, TRUE, diags))
    return;
  tl_matrix_free (tl_input_matrix (input, semiring, 1 << 16, diags));
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  TlInputArgument file = { .kind = TL_ARGUMENT_STRING, .text = "f" };
  TlInputCall     call = { .function = "graph", .arguments = &file, .n_arguments = 1, .closure = TRUE };

  if (size == 0)
    return 0;
  g_assert_true (tl_element_type_parse (elements[data[0] % G_N_ELEMENTS (elements)], &call.element));
  g_autoptr (TlInputPlan) plan = tl_input_plan (&call, diags);
  g_autoptr (TlInput) input = tl_input_load (plan, "f", data + 1, size - 1, diags);
  g_assert_true (input != NULL || tl_diags_errors (diags) > 0);
  if (input != NULL)
    check (input, diags);
  return 0;
}
