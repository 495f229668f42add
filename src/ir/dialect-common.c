/* What the rules of both dialects ask of an operation, its module and its types. */
#include "ir/dialect-private.h"

#include <string.h>

const TlOp *
tl_ir_parent (const TlOp *op)
{
  return op->block != NULL ? op->block->region->op : NULL;
}

gboolean
tl_ir_is (const TlOp *op, const char *name)
{
  return op != NULL && g_str_equal (op->name, name);
}

/* A machine number of gendram.target. */
gint64
tl_ir_machine (const TlVerifier *verifier, const char *key)
{
  const TlAttr *number = tl_attr_get (tl_op_attr (verifier->module->op, "gendram.target"), key);

  return number != NULL && number->kind == TL_ATTR_INTEGER ? number->integer : 0;
}

const char *
tl_ir_knob (const TlVerifier *verifier, const char *key)
{
  const TlAttr *word = tl_attr_get (tl_op_attr (verifier->module->op, "gendram.knobs"), key);

  return word != NULL && word->kind == TL_ATTR_STRING ? word->text : "";
}

/* "!gendram.NAME<memref<...>, first : i64, last : i64>" taken apart. */
gboolean
tl_ir_placed_type (const char *type, const char *name, char **memref, gint64 *first, gint64 *last)
{
  g_auto (GStrv) parts = tl_type_parameters (type, name);
  gint64 *const numbers[] = { first, last };

  if (parts == NULL || g_strv_length (parts) != 3)
    return FALSE;
  for (guint i = 0; i < 2; i++)
    {
      char *end;

      *numbers[i] = g_ascii_strtoll (parts[i + 1], &end, 10);
      if (end == parts[i + 1] || !g_str_equal (end, " : i64"))
        return FALSE;
    }
  *memref = g_strdup (parts[0]);
  return TRUE;
}

int
tl_ir_phase_number (const char *word)
{
  for (int p = 0; p < TL_N_PHASES; p++)
    if (g_strcmp0 (word, tl_phase_name (p)) == 0)
      return p;
  return -1;
}

gboolean
tl_ir_integer_list (const TlAttr *attr, guint length)
{
  if (attr == NULL || attr->kind != TL_ATTR_ARRAY || attr->n_items != length)
    return FALSE;
  for (guint i = 0; i < length; i++)
    if (attr->items[i]->kind != TL_ATTR_INTEGER)
      return FALSE;
  return TRUE;
}

gboolean
tl_ir_check_lifetime (TlVerifier *verifier, const TlOp *op)
{
  int from = tl_ir_phase_number (tl_op_text (op, "from"));
  int to = tl_ir_phase_number (tl_op_text (op, "to"));

  if (from < 0 || to < from)
    return tl_ir_reject (verifier, op, "lifetime: from \"%s\" to \"%s\" is not from a phase to the same or a later one",
                         tl_op_text (op, "from"), tl_op_text (op, "to"));
  if (tl_op_integer (op, "elements", 0) > tl_op_integer (op, "padded_elements", 0))
    return tl_ir_reject (verifier, op, "more elements than padded ones");
  return TRUE;
}
