/* Pass group G1, last step: the recognised recurrence as a module. One dp.grid_update
 * over a named semiring, its accesses as affine maps, its dependences as distance
 * vectors; names of loops, temporaries and the algorithm are not in it, so that all
 * spellings of one recurrence give the same text without locations. GenMLIR section
 * 3.3; DESIGN.md section 5. */
#include "passes/passes-private.h"

#include "base/number.h"
#include "dsl/print.h"
#include "ir/semiring-op.h"

#include <string.h>

/* Largest side: tile indices and sizes stay far inside 32 and 64 bits. */
#define MAX_SIDE G_MAXINT32

/* The matrix's side, from the input or from the declaration. 0 with an error. */
static guint64
find_side (const TlRecurrence *recurrence, const TlDataDecl *decl, const TlDataFacts *facts, TlDiags *diags)
{
  guint64 extent[2] = { facts != NULL ? facts->rows : 0, facts != NULL ? facts->columns : 0 };
  TlSpan  span = decl != NULL ? decl->span : recurrence->output_span;
  gint64  number;

  for (guint d = 0; d < 2; d++)
    if (extent[d] == 0 && decl != NULL && decl->n_shape == 2 && tl_expr_integer (decl->shape[d], &number) && number > 0)
      extent[d] = (guint64) number;
  if (extent[0] == 0 || extent[1] == 0)
    {
      TlDiag *diag = tl_diags_add (diags, TL_SEVERITY_ERROR, "unknown-extent", recurrence->source, span,
                                   "the number of rows of %s is not known", recurrence->output);

      tl_diag_reason (diag,
                      "neither its source nor its shape says it; write it as %s: i32[1024, 1024] or give a source",
                      recurrence->output);
      return 0;
    }
  if (extent[0] != extent[1])
    {
      tl_diag_reason (tl_diags_add (diags, TL_SEVERITY_ERROR, "not-square", recurrence->source, span,
                                    "%s has %" G_GUINT64_FORMAT " rows and %" G_GUINT64_FORMAT " columns",
                                    recurrence->output, extent[0], extent[1]),
                      "its closure goes over paths from row to column and back, so both are the same nodes");
      return 0;
    }
  if (extent[0] > MAX_SIDE)
    {
      g_autofree char *side = tl_format_count (extent[0]);

      tl_diag_reason (tl_diags_add (diags, TL_SEVERITY_ERROR, "too-large", recurrence->source, span, "%s has %s rows",
                                    recurrence->output, side),
                      "at most 2,147,483,647 can be told apart");
      return 0;
    }
  return extent[0];
}

/* The module's location: the algorithm's name, its place, and those of the knobs that
 * the program sets, by which later groups know what they stem from. */
static const TlLocation *
module_place (TlModule *module, const TlRecurrence *recurrence, const TlPimKnobs *knobs)
{
  const TlLocation *parts[TL_N_PIM_KNOBS + 1];
  guint             n = 0;

  parts[n++] = tl_pass_span (module, recurrence->source, recurrence->algorithm_span, NULL);
  for (guint id = 0; id < TL_N_PIM_KNOBS; id++)
    if (knobs->origin[id].chosen >= TL_CHOSEN_YOU && knobs->origin[id].span.end > knobs->origin[id].span.start)
      parts[n++] = tl_pass_span (module, recurrence->source, knobs->origin[id].span, tl_pim_knob_name (id));
  return tl_location_name (module, recurrence->algorithm, tl_location_fused (module, parts, n));
}

static TlOp *
data_op (TlModule *module, const TlRecurrence *recurrence, const TlDataDecl *decl, const TlDataFacts *facts,
         const TlPimKnobs *knobs, guint64 side)
{
  TlSpan           span = decl != NULL ? decl->span : recurrence->output_span;
  g_autofree char *source = decl != NULL && decl->source != NULL
                                ? tl_expr_text (decl->source)
                                : g_strdup_printf ("random(%" G_GUINT64_FORMAT ")", knobs->seed);

  return tl_pass_data_op (module, tl_pass_span (module, recurrence->source, span, NULL), recurrence->output,
                          recurrence->element, source, facts, side, side);
}

TlOp *
tl_pass_update_op (TlModule *module, const TlRecurrence *recurrence, gboolean cycle_check)
{
  static const gint64 along_k[] = { 0, 0, 1 };
  const TlLocation   *places[] = {
      tl_pass_span (module, recurrence->source, recurrence->update_span, NULL),
      tl_pass_span (module, recurrence->source, recurrence->output_span, "C"),
      tl_pass_span (module, recurrence->source, recurrence->left_span, "left"),
      tl_pass_span (module, recurrence->source, recurrence->right_span, "right"),
      tl_pass_span (module, recurrence->source, recurrence->plus_span, "plus"),
      tl_pass_span (module, recurrence->source, recurrence->times_span, "times"),
  };
  const TlAttr *maps[] = {
    tl_attr_map (module, "(d0, d1, d2) -> (d0, d1)"),
    tl_attr_map (module, "(d0, d1, d2) -> (d0, d2)"),
    tl_attr_map (module, recurrence->transposed ? "(d0, d1, d2) -> (d1, d2)" : "(d0, d1, d2) -> (d2, d1)"),
  };
  const TlAttr *dependences[] = { tl_attr_integers (module, along_k, 3) };
  TlOp         *op = tl_op_new (module, "dp.grid_update", tl_location_fused (module, places, G_N_ELEMENTS (places)));

  tl_op_set (op, "cycle_check", tl_attr_bool (module, cycle_check));
  tl_op_set (op, "deps", tl_attr_array (module, dependences, G_N_ELEMENTS (dependences)));
  tl_op_set (op, "maps", tl_attr_array (module, maps, G_N_ELEMENTS (maps)));
  tl_op_set (op, "semiring", tl_attr_symbol (module, "semiring"));
  return op;
}

TlModule *
tl_g1_module (const TlRecurrence *recurrence, const TlAst *ast, const GArray *facts, const TlPimKnobs *knobs,
              const TlPimMachine *machine, const char *target, TlDiags *diags)
{
  g_autoptr (TlModule) module = NULL;
  const TlDataDecl  *decl = tl_ast_data (ast, recurrence->output);
  const TlDataFacts *known = tl_pass_facts (facts, recurrence->output);
  const TlLocation  *operators[2];
  TlBlock           *body;
  TlOp              *op;
  guint64            side;

  if (!recurrence->closure)
    {
      tl_diag_reason (
          tl_diags_add (diags, TL_SEVERITY_ERROR, "not-on-this-target", recurrence->source, recurrence->update_span,
                        "a product of distinct matrices does not run on %s", target),
          "pim targets run closures (one matrix on both sides); products run on compute units: config target "
          "= cu-t8b16");
      return NULL;
    }
  side = find_side (recurrence, decl, known, diags);
  if (side == 0)
    return NULL;
  module = tl_module_new ();
  body = tl_module_body (module);
  tl_module_op (module)->location = module_place (module, recurrence, knobs);
  operators[0] = tl_pass_span (module, recurrence->source, recurrence->plus_span, NULL);
  operators[1] = tl_pass_span (module, recurrence->source, recurrence->times_span, NULL);
  tl_block_append (body, tl_semiring_to_op (module, recurrence->semiring, "semiring",
                                            tl_location_fused (module, operators, 2), operators[0], operators[1]));
  op = data_op (module, recurrence, decl, known, knobs, side);
  tl_block_append (body, op);
  TlValue *matrix = op->results[0];
  op = tl_pass_update_op (module, recurrence, recurrence->cycle_check);
  for (guint i = 0; i < 3; i++)
    tl_op_add_operand (op, matrix);
  tl_op_add_result (op, matrix->type);
  tl_block_append (body, op);
  {
    TlOp *result
        = tl_op_new (module, "dp.result", tl_pass_span (module, recurrence->source, recurrence->output_span, NULL));

    tl_op_add_operand (result, op->results[0]);
    tl_block_append (body, result);
  }
  tl_pim_knobs_to_module (knobs, module);
  tl_machine_to_module (machine, target, module);
  tl_pass_done (module, TL_GROUP_G1);
  return g_steal_pointer (&module);
}
