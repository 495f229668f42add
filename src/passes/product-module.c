/* Pass group G1, last step, for products: C[i,j] = C[i,j] (+) (A[i,k] (x) W[k,j]) over three matrices as one
 * dp.grid_update, as for closures; what differs is that the operands are not the output, and the machine. */
#include "passes/passes-private.h"

#include "base/hash.h"
#include "dsl/print.h"
#include "ir/semiring-op.h"

#include <string.h>

static const TlLocation *
place (TlModule *module, const TlRecurrence *recurrence, TlSpan span, const char *name)
{
  const TlLocation *location = tl_location_span (module, recurrence->source, span);

  return name != NULL ? tl_location_name (module, name, location) : location;
}

/* The algorithm's place, and named ones of the knobs that the program sets. */
static const TlLocation *
module_place (TlModule *module, const TlRecurrence *recurrence, const TlCuKnobs *knobs)
{
  const TlLocation *parts[TL_N_CU_KNOBS + 1];
  guint             n = 0;

  parts[n++] = place (module, recurrence, recurrence->algorithm_span, NULL);
  for (guint id = 0; id < TL_N_CU_KNOBS; id++)
    {
      TlSpan           span = knobs->origin[id].span;
      g_autofree char *name = id < TL_CU_PLACE_A
                                  ? g_strdup (tl_cu_knob_name (id))
                                  : g_strdup_printf ("place %s", knobs->product.operand[id - TL_CU_PLACE_A]);

      if (knobs->origin[id].chosen >= TL_CHOSEN_YOU && span.end > span.start)
        parts[n++] = place (module, recurrence, span, name);
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
  TlOp *op = tl_op_new (module, "dp.data", place (module, recurrence, decl != NULL ? decl->span : otherwise, NULL));
  g_autofree char *element = tl_element_type_name (type);
  g_autofree char *word = tl_element_mlir_name (type);
  g_autofree char *hash = tl_hash_text (known != NULL ? known->content_hash : 0);
  g_autofree char *source = decl != NULL && decl->source != NULL ? tl_expr_text (decl->source)
                            : output                             ? g_strdup ("zeros")
                                     : g_strdup_printf ("random(%" G_GUINT64_FORMAT ")", knobs->seed);

  tl_op_set (op, "content_hash", tl_attr_string (module, hash));
  tl_op_set (op, "element", tl_attr_string (module, element));
  tl_op_set (op, "name", tl_attr_string (module, name));
  tl_op_set (op, "source", tl_attr_string (module, source));
  tl_op_add_result (op, tl_type_matrix (module, rows, columns, word));
  return op;
}

static TlOp *
update_op (TlModule *module, const TlRecurrence *recurrence)
{
  static const gint64 along_k[] = { 0, 0, 1 };
  const TlLocation   *places[] = {
      place (module, recurrence, recurrence->update_span, NULL),
      place (module, recurrence, recurrence->output_span, "C"),
      place (module, recurrence, recurrence->left_span, "left"),
      place (module, recurrence, recurrence->right_span, "right"),
      place (module, recurrence, recurrence->plus_span, "plus"),
      place (module, recurrence, recurrence->times_span, "times"),
  };
  const TlAttr *maps[] = {
    tl_attr_map (module, "(d0, d1, d2) -> (d0, d1)"),
    tl_attr_map (module, "(d0, d1, d2) -> (d0, d2)"),
    tl_attr_map (module, recurrence->transposed ? "(d0, d1, d2) -> (d1, d2)" : "(d0, d1, d2) -> (d2, d1)"),
  };
  const TlAttr *dependences[] = { tl_attr_integers (module, along_k, 3) };
  TlOp         *op = tl_op_new (module, "dp.grid_update", tl_location_fused (module, places, G_N_ELEMENTS (places)));

  tl_op_set (op, "cycle_check", tl_attr_bool (module, FALSE));
  tl_op_set (op, "deps", tl_attr_array (module, dependences, G_N_ELEMENTS (dependences)));
  tl_op_set (op, "maps", tl_attr_array (module, maps, G_N_ELEMENTS (maps)));
  tl_op_set (op, "semiring", tl_attr_symbol (module, "semiring"));
  return op;
}

TlModule *
tl_product_module (const TlRecurrence *recurrence, const TlAst *ast, const GArray *facts, const TlCuKnobs *knobs,
                   const TlTarget *target)
{
  TlModule          *module = tl_module_new ();
  TlBlock           *body = tl_module_body (module);
  const TlProduct   *product = &knobs->product;
  const TlGemmShape *shape = &product->shape;
  const TlLocation  *plus = place (module, recurrence, recurrence->plus_span, NULL);
  const TlLocation  *times = place (module, recurrence, recurrence->times_span, NULL);
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
  TlOp *update = update_op (module, recurrence);
  for (guint i = 0; i < 3; i++)
    {
      tl_block_append (body, data[i]);
      tl_op_add_operand (update, data[i]->results[0]);
    }
  tl_op_add_result (update, data[0]->results[0]->type);
  tl_block_append (body, update);
  TlOp *result = tl_op_new (module, "dp.result", place (module, recurrence, recurrence->output_span, NULL));
  tl_op_add_operand (result, update->results[0]);
  tl_block_append (body, result);
  tl_product_set_knobs (module, knobs, target);
  tl_pass_done (module, TL_GROUP_G1);
  return module;
}
