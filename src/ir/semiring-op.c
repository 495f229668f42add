/* dp.semiring: its regions hold one operation for a named operator, one a step for an
 * expression, one with all cells for a table. DESIGN.md section 5. */
#include "ir/semiring-op.h"

#include <math.h>
#include <string.h>

#define MAX_STACK 4096

/* Operation of each operator that is a word. */
static const char *
operator_op (TlOperatorKind kind)
{
  switch (kind)
    {
    case TL_OPERATOR_MIN:
      return "dp.min";
    case TL_OPERATOR_MAX:
      return "dp.max";
    case TL_OPERATOR_ADD:
      return "dp.add";
    case TL_OPERATOR_MUL:
      return "dp.mul";
    case TL_OPERATOR_OR:
      return "dp.or";
    case TL_OPERATOR_AND:
      return "dp.and";
    case TL_OPERATOR_XOR:
      return "dp.xor";
    case TL_OPERATOR_TABLE:
      return "dp.table";
    case TL_OPERATOR_EXPRESSION:
      break;
    }
  return NULL;
}

/* Words of plus and times, in the order of TlOperatorKind. */
static const char *const operator_words[] = { "min", "max", "add", "mul", "or", "and", "xor", "expression", "table" };

typedef struct
{
  TlStepKind  kind;
  const char *name;
  guint       operands;
} StepOp;

static const StepOp step_ops[] = {
  { TL_STEP_NEGATE, "dp.negate", 1 },
  { TL_STEP_NOT, "dp.not", 1 },
  { TL_STEP_ADD, "dp.add", 2 },
  { TL_STEP_SUBTRACT, "dp.subtract", 2 },
  { TL_STEP_MULTIPLY, "dp.mul", 2 },
  { TL_STEP_DIVIDE, "dp.divide", 2 },
  { TL_STEP_FLOOR_DIVIDE, "dp.floor_divide", 2 },
  { TL_STEP_MODULO, "dp.modulo", 2 },
  { TL_STEP_MIN, "dp.min", 2 },
  { TL_STEP_MAX, "dp.max", 2 },
  { TL_STEP_AND, "dp.and", 2 },
  { TL_STEP_OR, "dp.or", 2 },
  { TL_STEP_XOR, "dp.xor", 2 },
  { TL_STEP_LESS, "dp.less", 2 },
  { TL_STEP_LESS_EQUAL, "dp.less_equal", 2 },
  { TL_STEP_EQUAL, "dp.equal", 2 },
  { TL_STEP_NOT_EQUAL, "dp.not_equal", 2 },
  { TL_STEP_SELECT, "dp.select", 3 },
};

char *
tl_element_mlir_name (TlElementType type)
{
  switch (type.kind)
    {
    case TL_ELEMENT_BOOL:
      return g_strdup ("i1");
    case TL_ELEMENT_UINT:
      return g_strdup_printf ("ui%u", type.bits);
    case TL_ELEMENT_FLOAT:
      if (type.bits >= 16)
        return tl_element_type_name (type);
      break;
    case TL_ELEMENT_INT:
      break;
    }
  return g_strdup_printf ("i%u", type.bits);
}

static const TlAttr *
scalar_to_attr (TlModule *module, const TlCarrier *carrier, TlScalar value)
{
  if (tl_element_type_is_float (carrier->element))
    {
      if (isinf (value.r))
        return tl_attr_opaque (module, value.r > 0 ? "dp.inf" : "dp.minus_inf");
      return tl_attr_float (module, value.r);
    }
  if (value.i == TL_INF || value.i == -TL_INF)
    return tl_attr_opaque (module, value.i > 0 ? "dp.inf" : "dp.minus_inf");
  return tl_attr_integer (module, value.i);
}

gboolean
tl_scalar_from_attr (const TlCarrier *carrier, const TlAttr *attr, TlScalar *value)
{
  gboolean real = tl_element_type_is_float (carrier->element);

  if (attr == NULL)
    return FALSE;
  if (attr->kind == TL_ATTR_OPAQUE && (g_str_equal (attr->text, "dp.inf") || g_str_equal (attr->text, "dp.minus_inf")))
    {
      gboolean minus = attr->text[3] == 'm';

      if (real)
        value->r = minus ? -INFINITY : INFINITY;
      else
        value->i = minus ? -TL_INF : TL_INF;
      return TRUE;
    }
  if (real && attr->kind == TL_ATTR_FLOAT && g_str_equal (attr->type, "f64"))
    {
      value->r = attr->real;
      return TRUE;
    }
  if (!real && attr->kind == TL_ATTR_INTEGER && g_str_equal (attr->type, "i64"))
    {
      value->i = attr->integer;
      return TRUE;
    }
  return FALSE;
}

static TlOp *
append (TlBlock *block, const char *name, const TlLocation *location)
{
  TlOp *op = tl_op_new (block->region->op->module, name, location);

  tl_block_append (block, op);
  return op;
}

static TlValue *
expression_body (TlBlock *block, const TlOperator *op, const TlCarrier *carrier, TlType type,
                 const TlLocation *location)
{
  TlModule *module = block->region->op->module;
  TlValue  *stack[MAX_STACK];
  guint     top = 0;

  for (guint s = 0; s < op->n_steps; s++)
    {
      const TlStep *step = &op->steps[s];
      const StepOp *known = NULL;
      TlOp         *inner;

      for (guint i = 0; i < G_N_ELEMENTS (step_ops); i++)
        if (step_ops[i].kind == step->kind)
          known = &step_ops[i];
      if (step->kind == TL_STEP_A || step->kind == TL_STEP_B)
        {
          g_return_val_if_fail (top < MAX_STACK, NULL);
          stack[top++] = block->arguments[step->kind == TL_STEP_B];
          continue;
        }
      inner = append (block, known != NULL ? known->name : "dp.constant", location);
      if (known == NULL)
        tl_op_set (inner, "value", scalar_to_attr (module, carrier, step->value));
      g_return_val_if_fail (top >= (known != NULL ? known->operands : 0) && top < MAX_STACK, NULL);
      for (guint i = 0; known != NULL && i < known->operands; i++)
        tl_op_add_operand (inner, stack[top - known->operands + i]);
      top -= known != NULL ? known->operands : 0;
      stack[top++] = tl_op_add_result (inner, type);
    }
  g_return_val_if_fail (top == 1, NULL);
  return stack[0];
}

static void
operator_region (TlOp *semiring_op, const TlOperator *op, const TlCarrier *carrier, TlType type,
                 const TlLocation *location)
{
  TlModule *module = semiring_op->module;
  TlBlock  *block = tl_op_add_region (semiring_op);
  TlValue  *result;
  TlOp     *inner;

  tl_block_add_argument (block, type);
  tl_block_add_argument (block, type);
  if (op->kind == TL_OPERATOR_EXPRESSION)
    result = expression_body (block, op, carrier, type, location);
  else
    {
      inner = append (block, operator_op (op->kind), location);
      tl_op_add_operand (inner, block->arguments[0]);
      tl_op_add_operand (inner, block->arguments[1]);
      if (op->kind == TL_OPERATOR_TABLE)
        {
          GString *cells = g_string_sized_new (2 * (gsize) op->size * op->size);

          for (gsize c = 0; c < (gsize) op->size * op->size; c++)
            g_string_append_printf (cells, "%02x", op->table[c]);
          tl_op_set (inner, "cells", tl_attr_string (module, cells->str));
          tl_op_set (inner, "size", tl_attr_integer (module, op->size));
          g_string_free (cells, TRUE);
        }
      result = tl_op_add_result (inner, type);
    }
  inner = append (block, "dp.yield", location);
  tl_op_add_operand (inner, result);
}

TlOp *
tl_semiring_to_op (TlModule *module, const TlSemiring *semiring, const char *symbol, const TlLocation *location,
                   const TlLocation *plus, const TlLocation *times)
{
  const TlCarrier *carrier = &semiring->carrier;
  g_autofree char *element = tl_element_type_name (carrier->element);
  g_autofree char *word = tl_element_mlir_name (carrier->element);
  TlType           type = tl_type (module, word);
  TlOp            *op = tl_op_new (module, "dp.semiring", location);
  TlNamedAttr      parts[] = {
         { "element", tl_attr_string (module, element) },
         { "has_inf", tl_attr_bool (module, carrier->has_inf) },
         { "has_minus_inf", tl_attr_bool (module, carrier->has_minus_inf) },
         { "high", scalar_to_attr (module, carrier, carrier->high) },
         { "low", scalar_to_attr (module, carrier, carrier->low) },
  };

  operator_region (op, &semiring->plus, carrier, type, plus);
  operator_region (op, &semiring->times, carrier, type, times);
  tl_op_set (op, "carrier", tl_attr_dict (module, parts, G_N_ELEMENTS (parts)));
  tl_op_set (op, "one", scalar_to_attr (module, carrier, semiring->one));
  tl_op_set (op, "plus", tl_attr_string (module, operator_words[semiring->plus.kind]));
  tl_op_set (op, "sym_name", tl_attr_string (module, symbol));
  tl_op_set (op, "times", tl_attr_string (module, operator_words[semiring->times.kind]));
  tl_op_set (op, "zero", scalar_to_attr (module, carrier, semiring->zero));
  return op;
}

static gboolean refuse (char **reason, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
refuse (char **reason, const char *format, ...)
{
  va_list args;

  if (reason != NULL && *reason == NULL)
    {
      va_start (args, format);
      *reason = g_strdup_vprintf (format, args);
      va_end (args);
    }
  return FALSE;
}

/* The steps that make @value, in postfix order: those of its operands, then its own.
 * Counts the operations it went through. */
static gboolean
read_value (const TlBlock *block, const TlValue *value, const TlCarrier *carrier, GArray *steps, guint depth,
            guint *visited, char **reason)
{
  const TlOp   *inner = value->op;
  const StepOp *known = NULL;
  TlStep        step = { TL_STEP_CONSTANT, { 0 } };

  if (steps->len >= MAX_STACK || depth >= MAX_STACK)
    return refuse (reason, "the expression has more than %d steps", MAX_STACK);
  if (value->block == block)
    {
      step.kind = value->index == 0 ? TL_STEP_A : TL_STEP_B;
      g_array_append_val (steps, step);
      return TRUE;
    }
  if (inner == NULL || inner->block != block)
    return refuse (reason, "the region uses a value from outside");
  for (guint i = 0; i < G_N_ELEMENTS (step_ops); i++)
    if (g_str_equal (step_ops[i].name, inner->name))
      known = &step_ops[i];
  if (known == NULL && !g_str_equal (inner->name, "dp.constant"))
    return refuse (reason, "\"%s\" is no step of an expression", inner->name);
  if (known == NULL && !tl_scalar_from_attr (carrier, tl_op_attr (inner, "value"), &step.value))
    return refuse (reason, "the value of \"dp.constant\" does not suit the carrier");
  if (inner->n_operands != (known != NULL ? known->operands : 0))
    return refuse (reason, "\"%s\" has %u operands", inner->name, inner->n_operands);
  for (guint i = 0; i < inner->n_operands; i++)
    if (!read_value (block, inner->operands[i], carrier, steps, depth + 1, visited, reason))
      return FALSE;
  if (known != NULL)
    step.kind = known->kind;
  g_array_append_val (steps, step);
  ++*visited;
  return TRUE;
}

static gboolean
read_expression (const TlBlock *block, const TlCarrier *carrier, TlOperator *op, char **reason)
{
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (TlStep));
  const TlOp *yield = block->last;
  guint       visited = 0;
  guint       inside = 0;

  if (!g_str_equal (yield->name, "dp.yield") || yield->n_operands != 1)
    return refuse (reason, "no \"dp.yield\" of one value ends the region");
  if (!read_value (block, yield->operands[0], carrier, steps, 0, &visited, reason))
    return FALSE;
  for (const TlOp *inner = block->first; inner != yield; inner = inner->next)
    inside++;
  if (inside != visited)
    return refuse (reason, "each value of an expression is used exactly once");
  op->n_steps = steps->len;
  op->steps = g_memdup2 (steps->data, steps->len * sizeof (TlStep));
  return TRUE;
}

static gboolean
read_table (const TlOp *inner, TlOperator *op, char **reason)
{
  gint64      size = tl_op_integer (inner, "size", 0);
  const char *cells = tl_op_text (inner, "cells");

  if (size < 1 || size > 256 || cells == NULL || strlen (cells) != (gsize) (2 * size * size))
    return refuse (reason, "a table of side %" G_GINT64_FORMAT " needs two hex digits a cell and a side of 1 to 256",
                   size);
  op->size = (guint32) size;
  op->table = g_malloc ((gsize) (size * size));
  for (gint64 c = 0; c < size * size; c++)
    {
      int high = g_ascii_xdigit_value (cells[2 * c]);
      int low = g_ascii_xdigit_value (cells[2 * c + 1]);

      if (high < 0 || low < 0 || 16 * high + low >= size)
        return refuse (reason, "cell %" G_GINT64_FORMAT " of the table is no value below %" G_GINT64_FORMAT, c, size);
      op->table[c] = (guint8) (16 * high + low);
    }
  return TRUE;
}

static gboolean
read_operator (const TlOp *semiring_op, guint region, const char *key, const TlCarrier *carrier, TlOperator *op,
               char **reason)
{
  const TlBlock *block = semiring_op->regions[region]->n_blocks == 1 ? semiring_op->regions[region]->blocks[0] : NULL;
  const char    *word = tl_op_text (semiring_op, key);
  const TlOp    *inner;

  if (block == NULL || block->n_arguments != 2 || block->first == NULL)
    return refuse (reason, "region %u is not one block of two arguments", region);
  for (op->kind = 0; op->kind < G_N_ELEMENTS (operator_words); op->kind++)
    if (g_strcmp0 (word, operator_words[op->kind]) == 0)
      break;
  if (op->kind == G_N_ELEMENTS (operator_words))
    return refuse (reason, "%s = \"%s\" is no operator", key, word != NULL ? word : "");
  if (op->kind == TL_OPERATOR_EXPRESSION)
    return read_expression (block, carrier, op, reason);
  inner = block->first;
  if (!g_str_equal (inner->name, operator_op (op->kind)) || inner->n_operands != 2 || inner->n_results != 1
      || inner->operands[0] != block->arguments[0] || inner->operands[1] != block->arguments[1] || inner->next == NULL
      || !g_str_equal (inner->next->name, "dp.yield") || inner->next->n_operands != 1
      || inner->next->operands[0] != inner->results[0] || inner->next->next != NULL)
    return refuse (reason, "%s = \"%s\", but its region is not \"%s\" of both arguments", key, word,
                   operator_op (op->kind));
  return op->kind != TL_OPERATOR_TABLE || read_table (inner, op, reason);
}

static gboolean
read_carrier (const TlOp *op, TlCarrier *carrier, char **reason)
{
  const TlAttr *parts = tl_op_attr (op, "carrier");
  const TlAttr *element = tl_attr_get (parts, "element");
  const TlAttr *has_inf = tl_attr_get (parts, "has_inf");
  const TlAttr *has_minus_inf = tl_attr_get (parts, "has_minus_inf");

  if (element == NULL || element->kind != TL_ATTR_STRING || !tl_element_type_parse (element->text, &carrier->element))
    return refuse (reason, "the carrier names no element type");
  if (has_inf == NULL || has_inf->kind != TL_ATTR_BOOL || has_minus_inf == NULL || has_minus_inf->kind != TL_ATTR_BOOL
      || parts->n_items != 5)
    return refuse (reason, "the carrier has element, has_inf, has_minus_inf, low and high");
  carrier->has_inf = (gboolean) has_inf->integer;
  carrier->has_minus_inf = (gboolean) has_minus_inf->integer;
  if (!tl_scalar_from_attr (carrier, tl_attr_get (parts, "low"), &carrier->low)
      || !tl_scalar_from_attr (carrier, tl_attr_get (parts, "high"), &carrier->high))
    return refuse (reason, "low and high of the carrier are values of its element type");
  if (tl_element_type_is_float (carrier->element) ? carrier->low.r > carrier->high.r : carrier->low.i > carrier->high.i)
    return refuse (reason, "the carrier's low is above its high");
  return TRUE;
}

TlSemiring *
tl_semiring_from_op (const TlOp *op, char **reason)
{
  g_autoptr (TlSemiring) semiring = g_new0 (TlSemiring, 1);

  if (reason != NULL)
    *reason = NULL;
  if (!g_str_equal (op->name, "dp.semiring") || op->n_regions != 2)
    {
      refuse (reason, "\"%s\" is not \"dp.semiring\" with two regions", op->name);
      return NULL;
    }
  if (!read_carrier (op, &semiring->carrier, reason)
      || !read_operator (op, 0, "plus", &semiring->carrier, &semiring->plus, reason)
      || !read_operator (op, 1, "times", &semiring->carrier, &semiring->times, reason))
    return NULL;
  if (!tl_scalar_from_attr (&semiring->carrier, tl_op_attr (op, "zero"), &semiring->zero)
      || !tl_scalar_from_attr (&semiring->carrier, tl_op_attr (op, "one"), &semiring->one))
    {
      refuse (reason, "zero and one are not values of the carrier");
      return NULL;
    }
  return g_steal_pointer (&semiring);
}
