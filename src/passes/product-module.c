/* Pass group G1, last step, for products: C[i,j] = C[i,j] (+) (A[i,k] (x) W[k,j]) over three matrices as one
 * dp.grid_update, as for closures; what differs is that the operands are not the output, and the machine. */
#include "passes/passes-private.h"

#include "dsl/print.h"
#include "ir/semiring-op.h"

#include <string.h>

/* The algorithm's place, and named ones of the knobs that the program sets. */
static const TlLocation *
module_place (TlModule *module, const TlRecurrence *recurrence, const TlCuKnobs *knobs)
{
  const TlLocation *parts[TL_N_CU_KNOBS + 1];
  guint             n = 0;

  parts[n++] = tl_pass_span (module, recurrence->source, recurrence->algorithm_span, NULL);
  for (guint id = 0; id < TL_N_CU_KNOBS; id++)
    {
      TlSpan           span = knobs->origin[id].span;
      g_autofree char *name = id < TL_CU_PLACE_A
                                  ? g_strdup (tl_cu_knob_name (id))
                                  : g_strdup_printf ("place %s", knobs->product.operand[id - TL_CU_PLACE_A]);

      if (knobs->origin[id].chosen >= TL_CHOSEN_YOU && span.end > span.start)
        parts[n++] = tl_pass_span (module, recurrence->source, span, name);
    }
  return tl_location_name (module, recurrence->algorithm, tl_location_fused (module, parts, n));
}

/* A matrix; C without a data line begins as zeros. */
static TlOp *
data_op (TlModule *module, const TlRecurrence *recurrence, const TlAst *ast, const GArray *facts,
         const TlCuKnobs *knobs, const char *name, TlElementType type, guint64 rows, guint64 columns, TlSpan otherwise)
{
  const TlDataDecl  *decl = tl_ast_data (ast, name);
  const TlDataFacts *known = tl_pass_facts (facts, name);
  gboolean           output = strcmp (name, knobs->product.output) == 0;
  g_autofree char   *source = decl != NULL && decl->source != NULL ? tl_expr_text (decl->source)
                              : output                             ? g_strdup ("zeros")
                                       : g_strdup_printf ("random(%" G_GUINT64_FORMAT ")", knobs->seed);

  return tl_pass_data_op (module,
                          tl_pass_span (module, recurrence->source, decl != NULL ? decl->span : otherwise, NULL), name,
                          type, source, known, rows, columns);
}

TlModule *
tl_product_module (const TlRecurrence *recurrence, const TlAst *ast, const GArray *facts, const TlCuKnobs *knobs,
                   const TlTarget *target)
{
  TlModule          *module = tl_module_new ();
  TlBlock           *body = tl_module_body (module);
  const TlProduct   *product = &knobs->product;
  const TlGemmShape *shape = &product->shape;
  const TlLocation  *plus = tl_pass_span (module, recurrence->source, recurrence->plus_span, NULL);
  const TlLocation  *times = tl_pass_span (module, recurrence->source, recurrence->times_span, NULL);
  const TlLocation  *operators[] = { plus, times };
  guint64            b_rows = recurrence->transposed ? shape->n : shape->k;
  guint64            b_columns = recurrence->transposed ? shape->k : shape->n;
  TlOp              *data[3];

  tl_module_op (module)->location = module_place (module, recurrence, knobs);
  tl_block_append (body, tl_semiring_to_op (module, recurrence->semiring, "semiring",
                                            tl_location_fused (module, operators, 2), plus, times));
  data[0] = data_op (module, recurrence, ast, facts, knobs, product->output, knobs->result, shape->m, shape->n,
                     recurrence->output_span);
  data[1] = data_op (module, recurrence, ast, facts, knobs, product->operand[0], product->type[0], shape->m, shape->k,
                     recurrence->left_span);
  data[2] = data_op (module, recurrence, ast, facts, knobs, product->operand[1], product->type[1], b_rows, b_columns,
                     recurrence->right_span);
  TlOp *update = tl_pass_update_op (module, recurrence, FALSE);
  for (guint i = 0; i < 3; i++)
    {
      tl_block_append (body, data[i]);
      tl_op_add_operand (update, data[i]->results[0]);
    }
  tl_op_add_result (update, data[0]->results[0]->type);
  tl_block_append (body, update);
  TlOp *result
      = tl_op_new (module, "dp.result", tl_pass_span (module, recurrence->source, recurrence->output_span, NULL));
  tl_op_add_operand (result, update->results[0]);
  tl_block_append (body, result);
  tl_product_set_knobs (module, knobs, target);
  tl_pass_done (module, TL_GROUP_G1);
  return module;
}
