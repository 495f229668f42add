/* From a module after G4 to the program of a compute unit. */
#include "emit/cu-program.h"

#include "passes/pipeline.h"

#include <string.h>

void
tl_cu_program_unref (TlCuProgram *program)
{
  if (program == NULL || !g_atomic_ref_count_dec (&program->references))
    return;
  g_free (program->name);
  g_free (program->target);
  g_free (program->output);
  for (guint i = 0; i < TL_N_GEMM_OPERANDS; i++)
    g_free (program->operand[i]);
  for (guint i = 0; i < 3; i++)
    g_clear_pointer (&program->source[i], tl_data_source_free);
  tl_gemm_placing_free (program->placing);
  g_clear_pointer (&program->map, tl_address_map_unref);
  g_free (program);
}

TlCuProgram *
tl_cu_program_ref (TlCuProgram *program)
{
  g_atomic_ref_count_inc (&program->references);
  return program;
}

/* The data that an operand of the product is made of. */
static const TlOp *
data_of (const TlOp *product, guint operand)
{
  const TlOp *op = product->operands[operand]->op;

  return operand > 0 ? op->operands[0]->op : op;
}

static TlDataSource *
source_of (const TlOp *data)
{
  TlDataSource *source = g_new0 (TlDataSource, 1);

  source->name = g_strdup (tl_op_text (data, "name"));
  source->source = g_strdup (tl_op_text (data, "source"));
  source->content_hash = g_ascii_strtoull (tl_op_text (data, "content_hash"), NULL, 16);
  return source;
}

TlCuProgram *
tl_cu_program_new (const TlModule *module, TlDiags *diags)
{
  g_autoptr (TlCuProgram) program = g_new0 (TlCuProgram, 1);
  g_auto (TlCuTarget) target = { 0 };
  TlCuKnobs   knobs;
  const TlOp *product = tl_module_find (module, "tile.product");

  g_atomic_ref_count_init (&program->references);
  if (tl_module_group (module) != TL_GROUP_G4 || product == NULL)
    {
      tl_diags_add_at (diags, TL_SEVERITY_ERROR, "invalid-ir", "", 0, 0,
                       "this is no product after the last pass group");
      return NULL;
    }
  if (!tl_cu_knobs_from_module (&knobs, module, diags) || !tl_cu_target_from_module (&target, module, diags)
      || !tl_cu_layouts_from_module (&program->layouts, module, diags))
    return NULL;
  program->shape = knobs.product.shape;
  if (!tl_cu_bind (&program->layouts, &knobs, target.map, &program->shape, &program->placing, diags))
    return NULL;
  const char *map = tl_op_attr (product, "maps")->items[2]->text;
  program->by_columns = map != NULL && strcmp (map, "(d0, d1, d2) -> (d1, d2)") == 0;
  program->name = g_strdup (knobs.product.name);
  program->output = g_strdup (knobs.product.output);
  program->result = knobs.result;
  program->stages = knobs.stages;
  program->page = knobs.page;
  program->values = knobs.values;
  program->seed = knobs.seed;
  for (guint i = 0; i < TL_N_GEMM_OPERANDS; i++)
    {
      program->operand[i] = g_strdup (knobs.product.operand[i]);
      program->type[i] = knobs.product.type[i];
      program->rule[i] = knobs.place[i].rule;
      program->fallback |= knobs.place[i].rule == TL_CU_PLAN && !program->layouts.placed[i];
    }
  for (guint i = 0; i < 3; i++)
    program->source[i] = source_of (data_of (product, i));
  program->target = g_steal_pointer (&target.name);
  program->memory = target.memory;
  program->map = g_steal_pointer (&target.map);
  program->machine = target.machine;
  program->energy = target.energy;
  return g_steal_pointer (&program);
}
