/* The dialects dp and gendram: a table of operations with their operands, results,
 * regions and attributes, and for each the rule that a table cannot say (the other
 * dialect-*.c). DIALECTS.md describes the same for people. */
#include "ir/dialect-private.h"

#define ANY_NUMBER  G_MININT64, G_MAXINT64
#define COUNT       1, G_MAXINT64
#define SCALAR_KIND ((TlAttrKind) -1) /* a number or an infinity */

typedef TlAttrRule AttrRule;
typedef TlOpRule   OpRule;

#define SCALAR_OP(name, operands)                                                                                      \
  {                                                                                                                    \
    name, "dp.semiring", operands, operands, 1, 0, 0, NULL, { { NULL } }, tl_ir_check_scalar_op                        \
  }

static const OpRule rules[] = {
  { "builtin.module",
    NULL,
    0,
    0,
    0,
    1,
    0,
    NULL,
    { { "dp.group", TL_ATTR_INTEGER, 0, 1, 4 },
      { "dp.program", TL_ATTR_STRING, 2 },
      { "gendram.knobs", TL_ATTR_DICT, 0 },
      { "gendram.mode", TL_ATTR_STRING, 3 },
      { "gendram.target", TL_ATTR_DICT, 0 } },
    NULL },
  { "dp.semiring",
    "builtin.module",
    0,
    0,
    0,
    2,
    2,
    "dp.yield",
    { { "carrier", TL_ATTR_DICT, 0 },
      { "one", SCALAR_KIND, 0 },
      { "plus", TL_ATTR_STRING, 0 },
      { "sym_name", TL_ATTR_STRING, 0 },
      { "times", TL_ATTR_STRING, 0 },
      { "zero", SCALAR_KIND, 0 } },
    tl_ir_check_semiring },
  SCALAR_OP ("dp.negate", 1),
  SCALAR_OP ("dp.not", 1),
  SCALAR_OP ("dp.add", 2),
  SCALAR_OP ("dp.subtract", 2),
  SCALAR_OP ("dp.mul", 2),
  SCALAR_OP ("dp.divide", 2),
  SCALAR_OP ("dp.floor_divide", 2),
  SCALAR_OP ("dp.modulo", 2),
  SCALAR_OP ("dp.min", 2),
  SCALAR_OP ("dp.max", 2),
  SCALAR_OP ("dp.and", 2),
  SCALAR_OP ("dp.or", 2),
  SCALAR_OP ("dp.xor", 2),
  SCALAR_OP ("dp.less", 2),
  SCALAR_OP ("dp.less_equal", 2),
  SCALAR_OP ("dp.equal", 2),
  SCALAR_OP ("dp.not_equal", 2),
  SCALAR_OP ("dp.select", 3),
  { "dp.constant", "dp.semiring", 0, 0, 1, 0, 0, NULL, { { "value", SCALAR_KIND, 0 } }, NULL },
  { "dp.table",
    "dp.semiring",
    2,
    2,
    1,
    0,
    0,
    NULL,
    { { "cells", TL_ATTR_STRING, 0 }, { "size", TL_ATTR_INTEGER, 0, 1, 256 } },
    tl_ir_check_scalar_op },
  { "dp.yield", NULL, 0, 1, 0, 0, 0, NULL, { { NULL } }, tl_ir_check_yield },
  { "dp.data",
    "builtin.module",
    0,
    0,
    1,
    0,
    0,
    NULL,
    { { "content_hash", TL_ATTR_STRING, 0 },
      { "element", TL_ATTR_STRING, 0 },
      { "longest", TL_ATTR_INTEGER, 9, COUNT },
      { "name", TL_ATTR_STRING, 0 },
      { "records", TL_ATTR_INTEGER, 9, COUNT },
      { "source", TL_ATTR_STRING, 0 } },
    tl_ir_check_data },
  { "dp.grid_update",
    NULL,
    0,
    1024,
    1,
    0,
    0,
    NULL,
    { { "adaptive", TL_ATTR_DICT, 9 },
      { "alternatives", TL_ATTR_ARRAY, 9 },
      { "band", TL_ATTR_DICT, 9 },
      { "borders", TL_ATTR_ARRAY, 9 },
      { "cycle_check", TL_ATTR_BOOL, 9 },
      { "deps", TL_ATTR_ARRAY, 9 },
      { "emission", TL_ATTR_STRING, 9 },
      { "maps", TL_ATTR_ARRAY, 9 },
      { "pick", TL_ATTR_DICT, 9 },
      { "places", TL_ATTR_DICT, 9 },
      { "semiring", TL_ATTR_SYMBOL, 0 },
      { "sides", TL_ATTR_ARRAY, 9 },
      { "stream", TL_ATTR_DICT, 9 } },
    tl_ir_check_grid_update },
  { "dp.wavefront_update",
    "builtin.module",
    0,
    1024,
    1,
    0,
    0,
    NULL,
    { { "adaptive", TL_ATTR_DICT, 9 },
      { "alternatives", TL_ATTR_ARRAY, 0 },
      { "band", TL_ATTR_DICT, 0 },
      { "borders", TL_ATTR_ARRAY, 0 },
      { "buffers", TL_ATTR_ARRAY, 0 },
      { "deps", TL_ATTR_ARRAY, 0 },
      { "element_bits", TL_ATTR_INTEGER, 0, 1, 64 },
      { "emission", TL_ATTR_STRING, 9 },
      { "fill", TL_ATTR_INTEGER, 0, 0, G_MAXINT16 },
      { "limit", TL_ATTR_INTEGER, 0, 1, G_MAXINT16 },
      { "order", TL_ATTR_ARRAY, 0 },
      { "owner", TL_ATTR_OPAQUE, 3 },
      { "owner_rule", TL_ATTR_STRING, 3 },
      { "pick", TL_ATTR_DICT, 0 },
      { "places", TL_ATTR_DICT, 9 },
      { "semiring", TL_ATTR_SYMBOL, 0 },
      { "sides", TL_ATTR_ARRAY, 0 },
      { "skew", TL_ATTR_INTEGER, 0, 0, 64 },
      { "stream", TL_ATTR_DICT, 9 },
      { "tile", TL_ATTR_INTEGER, 0, 1, G_MAXINT16 },
      { "tile_order", TL_ATTR_ARRAY, 0 },
      { "traversal", TL_ATTR_STRING, 0 } },
    tl_ir_check_wavefront },
  { "dp.result", "builtin.module", 1, 1, 0, 0, 0, NULL, { { NULL } }, NULL },
  { "dp.buffer",
    "builtin.module",
    0,
    0,
    0,
    0,
    0,
    NULL,
    { { "bytes", TL_ATTR_INTEGER, 0, COUNT },
      { "elements", TL_ATTR_INTEGER, 0, COUNT },
      { "from", TL_ATTR_STRING, 0 },
      { "name", TL_ATTR_STRING, 0 },
      { "padded_elements", TL_ATTR_INTEGER, 0, COUNT },
      { "sets", TL_ATTR_INTEGER, 0, 1, 2 },
      { "to", TL_ATTR_STRING, 0 } },
    tl_ir_check_buffer },
  { "dp.blocked_update",
    "builtin.module",
    3,
    3,
    1,
    1,
    1,
    "dp.yield",
    { { "cycle_check", TL_ATTR_BOOL, 0 },
      { "deps", TL_ATTR_ARRAY, 0 },
      { "edges", TL_ATTR_STRING, 0 },
      { "element_bits", TL_ATTR_INTEGER, 0, 1, 64 },
      { "limit", TL_ATTR_INTEGER, 0, 1, G_MAXUINT32 },
      { "maps", TL_ATTR_ARRAY, 0 },
      { "moves", TL_ATTR_ARRAY, 9 },
      { "n", TL_ATTR_INTEGER, 0, 1, G_MAXUINT32 },
      { "owner", TL_ATTR_OPAQUE, 3 },
      { "owner_rule", TL_ATTR_STRING, 3 },
      { "semiring", TL_ATTR_SYMBOL, 0 },
      { "tile", TL_ATTR_INTEGER, 0, 1, G_MAXUINT32 },
      { "tiles", TL_ATTR_INTEGER, 0, 1, TL_MAX_TILES },
      { "traversal", TL_ATTR_STRING, 0 } },
    tl_ir_check_blocked_update },
  { "dp.phase",
    "dp.blocked_update",
    1,
    2,
    1,
    1,
    2,
    "dp.yield",
    { { "kind", TL_ATTR_STRING, 0 }, { "reads", TL_ATTR_ARRAY, 0 } },
    tl_ir_check_phase },
  { "dp.tile", "dp.phase", 3, 3, 1, 0, 0, NULL, { { NULL } }, tl_ir_check_tile },
  { "dp.store", "dp.phase", 4, 4, 0, 0, 0, NULL, { { NULL } }, NULL },
  { "gendram.place",
    "builtin.module",
    1,
    1,
    1,
    0,
    0,
    NULL,
    { { "bytes", TL_ATTR_INTEGER, 0, COUNT },
      { "chosen", TL_ATTR_STRING, 0 },
      { "dependent", TL_ATTR_INTEGER, 0, ANY_NUMBER },
      { "elements", TL_ATTR_INTEGER, 0, COUNT },
      { "first", TL_ATTR_INTEGER, 0, 0, TL_MAX_TIERS - 1 },
      { "last", TL_ATTR_INTEGER, 0, 0, TL_MAX_TIERS - 1 },
      { "name", TL_ATTR_STRING, 0 },
      { "padded_elements", TL_ATTR_INTEGER, 0, COUNT },
      { "reserved", TL_ATTR_ARRAY, 0 },
      { "rule", TL_ATTR_STRING, 0 },
      { "shares", TL_ATTR_ARRAY, 0 },
      { "streamed", TL_ATTR_INTEGER, 0, ANY_NUMBER } },
    tl_ir_check_place },
  { "gendram.reserve",
    "builtin.module",
    0,
    0,
    0,
    0,
    0,
    NULL,
    { { "bytes", TL_ATTR_INTEGER, 0, COUNT },
      { "elements", TL_ATTR_INTEGER, 0, COUNT },
      { "from", TL_ATTR_STRING, 0 },
      { "name", TL_ATTR_STRING, 0 },
      { "padded_elements", TL_ATTR_INTEGER, 0, COUNT },
      { "shares", TL_ATTR_ARRAY, 0 },
      { "tiles", TL_ATTR_INTEGER, 0, COUNT },
      { "to", TL_ATTR_STRING, 0 } },
    tl_ir_check_reserve },
  { "gendram.copy", "dp.phase", 1, 1, 1, 0, 0, NULL, { { "writes", TL_ATTR_STRING, 0 } }, tl_ir_check_copy },
  { "gendram.broadcast", "dp.phase", 1, 1, 0, 0, 0, NULL, { { "ring", TL_ATTR_STRING, 0 } }, tl_ir_check_broadcast },
  { "gendram.barrier",
    "dp.blocked_update",
    1,
    1,
    0,
    0,
    0,
    NULL,
    { { "number", TL_ATTR_INTEGER, 0, 0, 2 } },
    tl_ir_check_barrier },
  { "gendram.object",
    "builtin.module",
    0,
    0,
    0,
    0,
    0,
    NULL,
    { { "bytes", TL_ATTR_INTEGER, 0, COUNT },
      { "chosen", TL_ATTR_STRING, 0 },
      { "dependent", TL_ATTR_INTEGER, 0, 0, G_MAXINT64 },
      { "name", TL_ATTR_STRING, 0 },
      { "shares", TL_ATTR_ARRAY, 0 },
      { "streamed", TL_ATTR_INTEGER, 0, 0, G_MAXINT64 } },
    tl_ir_check_object },
  { "gendram.queue",
    "builtin.module",
    0,
    0,
    1,
    0,
    0,
    NULL,
    { { "chosen", TL_ATTR_STRING, 0 },
      { "depth", TL_ATTR_INTEGER, 0, 1, G_MAXINT32 },
      { "entry_bytes", TL_ATTR_INTEGER, 0, 1, G_MAXINT16 },
      { "search_ps", TL_ATTR_INTEGER, 0, COUNT },
      { "sweep_ps", TL_ATTR_INTEGER, 0, COUNT } },
    tl_ir_check_queue },
  { "gendram.search",
    "builtin.module",
    3,
    3,
    0,
    1,
    1,
    "dp.yield",
    { { "first", TL_ATTR_INTEGER, 0, 0, TL_MAX_PUS - 1 }, { "last", TL_ATTR_INTEGER, 0, 0, TL_MAX_PUS - 1 } },
    tl_ir_check_search },
  { "gendram.lookup", "gendram.search", 3, 3, 1, 0, 0, NULL, { { "k", TL_ATTR_INTEGER, 0, 1, 31 } }, NULL },
  { "gendram.send", "gendram.search", 2, 2, 0, 0, 0, NULL, { { NULL } }, NULL },
  { "gendram.sweep",
    "builtin.module",
    1,
    1,
    0,
    1,
    1,
    "dp.yield",
    { { "first", TL_ATTR_INTEGER, 0, 0, TL_MAX_PUS - 1 }, { "last", TL_ATTR_INTEGER, 0, 0, TL_MAX_PUS - 1 } },
    tl_ir_check_sweep },
  { "gendram.receive", "gendram.sweep", 1, 1, 1, 0, 0, NULL, { { NULL } }, NULL },
  { "gendram.edge",
    "gendram.sweep",
    0,
    0,
    0,
    0,
    0,
    NULL,
    { { "distance", TL_ATTR_ARRAY, 0 }, { "travels", TL_ATTR_BOOL, 0 } },
    NULL },
  { "gendram.wave_barrier", "gendram.sweep", 0, 0, 0, 0, 0, NULL, { { NULL } }, NULL },
};

static const char *
kind_name (TlAttrKind kind)
{
  static const char *const names[]
      = { "a unit",       "a bool", "an i64 integer", "an f64 number",       "a string", "a symbol", "a list",
          "a dictionary", "a type", "an affine map",  "a #dialect attribute" };

  return (guint) kind < G_N_ELEMENTS (names) ? names[kind] : "a number or an infinity";
}

static gboolean
suits (const AttrRule *rule, const TlAttr *attr)
{
  if (rule->kind == SCALAR_KIND)
    return attr->kind == TL_ATTR_INTEGER || attr->kind == TL_ATTR_FLOAT || attr->kind == TL_ATTR_OPAQUE;
  return attr->kind == rule->kind && (attr->kind != TL_ATTR_INTEGER || g_str_equal (attr->type, "i64"));
}

static gboolean
check_attrs (TlVerifier *verifier, const TlOp *op, const OpRule *rule)
{
  gboolean right = TRUE;
  guint    known = 0;

  for (const AttrRule *wanted = rule->attrs; wanted < rule->attrs + G_N_ELEMENTS (rule->attrs) && wanted->name != NULL;
       wanted++)
    {
      const TlAttr *attr = tl_op_attr (op, wanted->name);

      known += attr != NULL;
      if (attr == NULL && wanted->from <= verifier->group)
        right = tl_ir_reject (verifier, op, "the attribute %s is missing", wanted->name);
      else if (attr != NULL && !suits (wanted, attr))
        right = tl_ir_reject (verifier, op, "the attribute %s is not %s", wanted->name, kind_name (wanted->kind));
      else if (attr != NULL && attr->kind == TL_ATTR_INTEGER && wanted->kind == TL_ATTR_INTEGER
               && (attr->integer < wanted->low || attr->integer > wanted->high))
        right
            = tl_ir_reject (verifier, op, "%s = %" G_GINT64_FORMAT " is not in %" G_GINT64_FORMAT "..%" G_GINT64_FORMAT,
                            wanted->name, attr->integer, wanted->low, wanted->high);
      else if (attr != NULL && wanted->from != 9 && wanted->from > verifier->group)
        right = tl_ir_reject (verifier, op, "the attribute %s comes with group %d, this module is after group %d",
                              wanted->name, wanted->from, verifier->group);
    }
  if (right && known < op->n_attrs)
    for (guint i = 0; i < op->n_attrs; i++)
      {
        gboolean found = FALSE;

        for (guint a = 0; a < G_N_ELEMENTS (rule->attrs) && rule->attrs[a].name != NULL; a++)
          found |= g_str_equal (rule->attrs[a].name, op->attrs[i].name);
        if (!found)
          right = tl_ir_reject (verifier, op, "has no attribute %s", op->attrs[i].name);
      }
  return right;
}

static gboolean
check_shape (TlVerifier *verifier, const TlOp *op, const OpRule *rule)
{
  if (rule->parent != NULL && !tl_ir_is (tl_ir_parent (op), rule->parent))
    return tl_ir_reject (verifier, op, "belongs in \"%s\", not in \"%s\"", rule->parent,
                         tl_ir_parent (op) != NULL ? tl_ir_parent (op)->name : "");
  if (op->n_operands < rule->least || op->n_operands > rule->most)
    return tl_ir_reject (verifier, op, "has %u operands, not %u", op->n_operands,
                         op->n_operands < rule->least ? rule->least : rule->most);
  if (op->n_results != rule->results)
    return tl_ir_reject (verifier, op, "has %u results, not %u", op->n_results, rule->results);
  if (op->n_regions != rule->regions)
    return tl_ir_reject (verifier, op, "has %u regions, not %u", op->n_regions, rule->regions);
  for (guint r = 0; r < op->n_regions; r++)
    {
      const TlBlock *block = op->regions[r]->blocks[0];

      if (block->n_arguments != rule->arguments)
        return tl_ir_reject (verifier, op, "region %u has %u arguments, not %u", r, block->n_arguments,
                             rule->arguments);
      if (rule->terminator != NULL && !tl_ir_is (block->last, rule->terminator))
        return tl_ir_reject (verifier, op, "region %u does not end with \"%s\"", r, rule->terminator);
      for (guint a = 0; a < block->n_arguments && !tl_ir_is (op, "dp.semiring"); a++)
        if (!g_str_equal (block->arguments[a]->type, "index"))
          return tl_ir_reject (verifier, op, "argument %u of region %u is no index", a, r);
    }
  return TRUE;
}

static const OpRule *
rule_of (const TlVerifier *verifier, const TlOp *op)
{
  guint         n;
  const OpRule *own = tl_ir_tile_rules (&n);

  /* The module of a product, and its own operations. */
  for (guint r = 0; tl_ir_is_product (verifier) && r < n; r++)
    if (tl_ir_is (op, own[r].name))
      return &own[r];
  for (guint r = 0; r < G_N_ELEMENTS (rules); r++)
    if (tl_ir_is (op, rules[r].name))
      return &rules[r];
  return NULL;
}

gboolean
tl_ir_check_shape (TlVerifier *verifier, const TlOp *op)
{
  const OpRule *rule = rule_of (verifier, op);

  if (rule == NULL)
    return tl_ir_reject (verifier, op, "is no operation of the dialects %s",
                         tl_ir_is_product (verifier) ? "dp and tile in a product" : "dp and gendram");
  return check_shape (verifier, op, rule) && check_attrs (verifier, op, rule);
}

gboolean
tl_ir_check_meaning (TlVerifier *verifier, const TlOp *op)
{
  const OpRule *rule = rule_of (verifier, op);

  return rule->check == NULL || rule->check (verifier, op);
}
