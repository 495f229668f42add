/* What holds for every module, whatever its operations mean: values are defined before
 * they are used, in sight of their use, blocks and parents agree. The dialects' own
 * rules are in dialect.c. */
#include "ir/ir-private.h"

#include <string.h>

gboolean
tl_ir_reject (TlVerifier *verifier, const TlOp *op, const char *format, ...)
{
  const TlLocation *place = tl_location_first (op->location);
  g_autofree char  *why = NULL;
  va_list           args;

  va_start (args, format);
  why = g_strdup_vprintf (format, args);
  va_end (args);
  tl_diags_add_at (verifier->diags, TL_SEVERITY_ERROR, "invalid-ir", place != NULL ? place->text : "",
                   place != NULL ? place->line : 0, place != NULL ? place->column : 0, "\"%s\": %s", op->name, why);
  return FALSE;
}

static gboolean
check_operands (TlVerifier *verifier, const TlOp *op, GHashTable *seen)
{
  gboolean right = TRUE;

  for (guint i = 0; i < op->n_operands; i++)
    {
      const TlValue *value = op->operands[i];

      if (value == NULL || !g_hash_table_contains (seen, value))
        right = tl_ir_reject (verifier, op, "operand %u is used before its definition or outside its region", i);
    }
  return right;
}

static gboolean
check_attrs (TlVerifier *verifier, const TlOp *op)
{
  for (guint i = 0; i < op->n_attrs; i++)
    {
      if (i > 0 && strcmp (op->attrs[i - 1].name, op->attrs[i].name) >= 0)
        return tl_ir_reject (verifier, op, "the attributes %s and %s are not sorted", op->attrs[i - 1].name,
                             op->attrs[i].name);
      if (op->attrs[i].value->nodes > TL_IR_MAX_ATTR_NODES)
        return tl_ir_reject (verifier, op, "the attribute %s is too large", op->attrs[i].name);
    }
  return TRUE;
}

/* @seen: all values in sight. Those of a region leave it again at its end. */
static gboolean
check_structure (TlVerifier *verifier, const TlOp *op, GHashTable *seen, guint depth)
{
  gboolean right = check_operands (verifier, op, seen) && check_attrs (verifier, op);

  if (depth > TL_IR_MAX_DEPTH)
    return tl_ir_reject (verifier, op, "nested deeper than %d", TL_IR_MAX_DEPTH);
  for (guint i = 0; i < op->n_results; i++)
    if (op->results[i]->op != op || op->results[i]->index != i || op->results[i]->type == NULL)
      return tl_ir_reject (verifier, op, "result %u does not belong to it", i);
  for (guint r = 0; r < op->n_regions; r++)
    {
      const TlRegion *region = op->regions[r];
      const TlBlock  *block = region->n_blocks > 0 ? region->blocks[0] : NULL;

      if (region->op != op || region->n_blocks != 1 || block->region != region)
        return tl_ir_reject (verifier, op, "region %u has %u blocks; one is all that is used", r, region->n_blocks);
      for (guint a = 0; a < block->n_arguments; a++)
        g_hash_table_add (seen, block->arguments[a]);
      for (const TlOp *inner = block->first; inner != NULL; inner = inner->next)
        {
          if (inner->block != block || (inner->next == NULL) != (inner == block->last))
            return tl_ir_reject (verifier, inner, "is not where its block says");
          right &= check_structure (verifier, inner, seen, depth + 1);
          for (guint i = 0; i < inner->n_results; i++)
            g_hash_table_add (seen, inner->results[i]);
        }
      for (guint a = 0; a < block->n_arguments; a++)
        g_hash_table_remove (seen, block->arguments[a]);
      for (const TlOp *inner = block->first; inner != NULL; inner = inner->next)
        for (guint i = 0; i < inner->n_results; i++)
          g_hash_table_remove (seen, inner->results[i]);
    }
  return right;
}

static gboolean
check_all (TlVerifier *verifier, const TlOp *op, gboolean (*check) (TlVerifier *, const TlOp *))
{
  gboolean right = check (verifier, op);

  for (guint r = 0; r < op->n_regions; r++)
    for (const TlOp *inner = op->regions[r]->blocks[0]->first; inner != NULL; inner = inner->next)
      right &= check_all (verifier, inner, check);
  return right;
}

gboolean
tl_module_verify (const TlModule *module, TlDiags *diags)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  TlVerifier verifier = { diags, module, (int) tl_op_integer (module->op, "dp.group", 0) };

  return check_structure (&verifier, module->op, seen, 0) && check_all (&verifier, module->op, tl_ir_check_shape)
         && tl_ir_check_module (&verifier) && check_all (&verifier, module->op, tl_ir_check_meaning);
}
