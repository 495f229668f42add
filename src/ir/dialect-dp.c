/* Rules of the dialect dp but for the blocked update: operators, semirings, data, whole
 * updates, buffers. */
#include "ir/dialect-private.h"

#include "ir/semiring-op.h"

#include <string.h>

gboolean
tl_ir_check_scalar_op (TlVerifier *verifier, const TlOp *op)
{
  TlType type = op->n_results > 0 ? op->results[0]->type : NULL;

  for (guint i = 0; i < op->n_operands; i++)
    if (op->operands[i]->type != type)
      return tl_ir_reject (verifier, op, "operand %u has the type %s, the result %s", i, op->operands[i]->type, type);
  return TRUE;
}

gboolean
tl_ir_check_yield (TlVerifier *verifier, const TlOp *op)
{
  const TlOp *parent = tl_ir_parent (op);

  if (op->next != NULL)
    return tl_ir_reject (verifier, op, "stands before the end of its region");
  if (tl_ir_is (parent, "dp.semiring"))
    return op->n_operands == 1 || tl_ir_reject (verifier, op, "an operator yields one value, not %u", op->n_operands);
  if (!tl_ir_is (parent, "dp.blocked_update") && !tl_ir_is (parent, "dp.phase") && !tl_ir_is (parent, "gendram.search")
      && !tl_ir_is (parent, "gendram.sweep") && !tl_ir_is (parent, "tile.product"))
    return tl_ir_reject (verifier, op, "does not belong in \"%s\"", parent->name);
  return op->n_operands == 0 || tl_ir_reject (verifier, op, "yields nothing in \"%s\"", parent->name);
}

gboolean
tl_ir_check_semiring (TlVerifier *verifier, const TlOp *op)
{
  g_autofree char *reason = NULL;
  g_autofree char *word = NULL;
  g_autoptr (TlSemiring) semiring = tl_semiring_from_op (op, &reason);

  if (semiring == NULL)
    return tl_ir_reject (verifier, op, "%s", reason);
  word = tl_element_mlir_name (semiring->carrier.element);
  for (guint r = 0; r < 2; r++)
    {
      const TlBlock *block = op->regions[r]->blocks[0];

      for (guint a = 0; a < 2; a++)
        if (!g_str_equal (block->arguments[a]->type, word))
          return tl_ir_reject (verifier, op, "argument %u of region %u has the type %s; elements are %s", a, r,
                               block->arguments[a]->type, word);
      if (!g_str_equal (block->last->operands[0]->type, word))
        return tl_ir_reject (verifier, op, "region %u yields %s; elements are %s", r, block->last->operands[0]->type,
                             word);
    }
  return TRUE;
}

gboolean
tl_ir_check_data (TlVerifier *verifier, const TlOp *op)
{
  guint64       rows;
  guint64       columns;
  const char   *hash = tl_op_text (op, "content_hash");
  TlElementType element;

  if (!tl_type_as_matrix (op->results[0]->type, &rows, &columns, NULL))
    return tl_ir_reject (verifier, op, "the result is a matrix memref<RxCxE>, not %s", op->results[0]->type);
  if (!tl_element_type_parse (tl_op_text (op, "element"), &element))
    return tl_ir_reject (verifier, op, "\"%s\" is no element type", tl_op_text (op, "element"));
  if (strlen (hash) != 16 || strspn (hash, "0123456789abcdef") != 16)
    return tl_ir_reject (verifier, op, "content_hash is 16 lower-case hex digits");
  return TRUE;
}

gboolean
tl_ir_check_semiring_use (TlVerifier *verifier, const TlOp *op)
{
  const char *symbol = tl_op_text (op, "semiring");

  if (!tl_ir_is (tl_module_symbol (verifier->module, symbol), "dp.semiring"))
    return tl_ir_reject (verifier, op, "semiring = @%s names no \"dp.semiring\"", symbol);
  return TRUE;
}

/* What C, the left and the right operand are indexed by, of (i, j, k). */
static const char *const product_maps[] = {
  "(d0, d1, d2) -> (d0, d1)",
  "(d0, d1, d2) -> (d0, d2)",
  "(d0, d1, d2) -> (d2, d1)",
};

/* The right operand of a product kept by its columns, R[j,k]. */
static const char by_columns[] = "(d0, d1, d2) -> (d1, d2)";

gboolean
tl_ir_check_dependences (TlVerifier *verifier, const TlOp *op)
{
  const TlAttr *maps = tl_op_attr (op, "maps");
  const TlAttr *deps = tl_op_attr (op, "deps");

  if (maps == NULL || deps == NULL || tl_op_attr (op, "cycle_check") == NULL)
    return tl_ir_reject (verifier, op, "maps, deps and cycle_check are needed here");
  for (guint m = 0; m < 3; m++)
    if (maps->n_items != 3 || maps->items[m]->kind != TL_ATTR_MAP
        || (!g_str_equal (maps->items[m]->text, product_maps[m])
            && !(m == 2 && tl_ir_is_product (verifier) && g_str_equal (maps->items[m]->text, by_columns))))
      return tl_ir_reject (verifier, op, "maps are those of C[i,j], L[i,k], R[k,j]: number %u is not affine_map<%s>", m,
                           product_maps[m]);
  for (guint d = 0; d < deps->n_items; d++)
    {
      gint64 first = 0;

      if (!tl_ir_integer_list (deps->items[d], 3))
        return tl_ir_reject (verifier, op, "dependence %u is not a distance vector over i, j, k", d);
      for (guint i = 0; i < 3 && first == 0; i++)
        first = deps->items[d]->items[i]->integer;
      if (first <= 0)
        return tl_ir_reject (verifier, op, "dependence %u does not point forwards", d);
    }
  return deps->n_items > 0 || tl_ir_reject (verifier, op, "no dependence: each step of k needs the one before");
}

gboolean
tl_ir_check_grid_update (TlVerifier *verifier, const TlOp *op)
{
  if (tl_op_attr (op, "alternatives") != NULL)
    {
      if (!tl_ir_is (tl_ir_parent (op), "builtin.module") || verifier->group != 1)
        return tl_ir_reject (verifier, op, "a grid is whole in the module and until group 1 alone");
      return tl_ir_check_grid (verifier, op);
    }
  if (op->n_operands != 3)
    return tl_ir_reject (verifier, op, "has %u operands, not 3", op->n_operands);
  if (!tl_ir_check_semiring_use (verifier, op))
    return FALSE;
  if (op->operands[0]->type != op->results[0]->type)
    return tl_ir_reject (verifier, op, "the result has the type %s, the updated operand %s", op->results[0]->type,
                         op->operands[0]->type);
  if (tl_ir_is (tl_ir_parent (op), "dp.phase") || tl_ir_is (tl_ir_parent (op), "tile.product"))
    {
      if (tl_op_attr (op, "maps") != NULL || tl_op_attr (op, "deps") != NULL)
        return tl_ir_reject (verifier, op, "maps and deps of a tile's update stand on \"dp.blocked_update\"");
      return TRUE;
    }
  if (!tl_ir_is (tl_ir_parent (op), "builtin.module"))
    return tl_ir_reject (verifier, op, "does not belong in \"%s\"", tl_ir_parent (op)->name);
  if (verifier->group != 1)
    return tl_ir_reject (verifier, op, "is still whole after group %d; tiling makes it \"dp.blocked_update\"",
                         verifier->group);
  for (guint i = 0; i < 3; i++)
    if (!tl_ir_is (op->operands[i]->op, "dp.data"))
      return tl_ir_reject (verifier, op, "operand %u is not a \"dp.data\"", i);
  return tl_ir_check_dependences (verifier, op);
}

gboolean
tl_ir_check_buffer (TlVerifier *verifier, const TlOp *op)
{
  gint64 sum = 0;
  gint64 bytes;

  for (const TlOp *other = op->block->first; other != NULL; other = other->next)
    if (tl_ir_is (other, "dp.buffer")
        && (__builtin_mul_overflow (tl_op_integer (other, "bytes", 0), tl_op_integer (other, "sets", 1), &bytes)
            || __builtin_add_overflow (sum, bytes, &sum)))
      return tl_ir_reject (verifier, op, "the buffers' bytes do not fit 64 bits");
  if (sum > tl_ir_machine (verifier, "sram_bytes"))
    return tl_ir_reject (verifier, op,
                         "the buffers take %" G_GINT64_FORMAT " bytes together, the PU has %" G_GINT64_FORMAT, sum,
                         tl_ir_machine (verifier, "sram_bytes"));
  return tl_ir_check_lifetime (verifier, op);
}
