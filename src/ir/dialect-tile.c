/* Rules of the dialect tile: matrix products on a compute unit, their operands' tiles, places, descriptors and
 * copies. A product's module carries tile.knobs and tile.target instead of a pim target's. */
#include "ir/dialect-private.h"

#include "ir/semiring-op.h"

#include <string.h>

#define COUNT 1, G_MAXINT64
#define BITS  16 /* of a unit's number, at most */

static gboolean check_product (TlVerifier *verifier, const TlOp *op);
static gboolean check_accumulator (TlVerifier *verifier, const TlOp *op);
static gboolean check_operand (TlVerifier *verifier, const TlOp *op);
static gboolean check_place (TlVerifier *verifier, const TlOp *op);
static gboolean check_descriptor (TlVerifier *verifier, const TlOp *op);
static gboolean check_load (TlVerifier *verifier, const TlOp *op);
static gboolean check_wait (TlVerifier *verifier, const TlOp *op);

static const TlOpRule rules[] = {
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
      { "tile.knobs", TL_ATTR_DICT, 0 },
      { "tile.target", TL_ATTR_DICT, 0 } },
    NULL },
  { "tile.product",
    "builtin.module",
    3,
    3,
    1,
    1,
    3,
    "dp.yield",
    { { "conflicts", TL_ATTR_INTEGER, 3, 0, G_MAXINT64 },
      { "deps", TL_ATTR_ARRAY, 0 },
      { "maps", TL_ATTR_ARRAY, 0 },
      { "resident", TL_ATTR_INTEGER, 3, 1, G_MAXINT32 },
      { "sample", TL_ATTR_INTEGER, 3, 0, G_MAXINT64 },
      { "semiring", TL_ATTR_SYMBOL, 0 },
      { "size", TL_ATTR_ARRAY, 0 },
      { "skew", TL_ATTR_INTEGER, 3, 0, G_MAXINT32 },
      { "split", TL_ATTR_INTEGER, 3, 0, 16 },
      { "tile", TL_ATTR_ARRAY, 0 },
      { "tiles", TL_ATTR_ARRAY, 0 },
      { "traversal", TL_ATTR_STRING, 0 } },
    check_product },
  { "tile.accumulator", "tile.product", 2, 2, 1, 0, 0, NULL, { { NULL } }, check_accumulator },
  { "tile.operand", "tile.product", 3, 3, 1, 0, 0, NULL, { { NULL } }, check_operand },
  { "tile.place",
    "builtin.module",
    1,
    1,
    1,
    0,
    0,
    NULL,
    { { "accesses", TL_ATTR_INTEGER, 0, COUNT },
      { "base", TL_ATTR_INTEGER, 0, 0, G_MAXINT64 },
      { "bits", TL_ATTR_INTEGER, 0, 1, BITS },
      { "column", TL_ATTR_ARRAY, 0 },
      { "conflicts", TL_ATTR_INTEGER, 0, 0, G_MAXINT64 },
      { "domain", TL_ATTR_ARRAY, 0 },
      { "domains", TL_ATTR_INTEGER, 0, 0, G_MAXINT64 },
      { "first_rows", TL_ATTR_ARRAY, 0 },
      { "name", TL_ATTR_STRING, 0 },
      { "region_rows", TL_ATTR_ARRAY, 0 },
      { "row", TL_ATTR_ARRAY, 0 },
      { "rule", TL_ATTR_STRING, 0 },
      { "signature", TL_ATTR_STRING, 0 },
      { "units", TL_ATTR_INTEGER, 0, COUNT } },
    check_place },
  { "tile.descriptor",
    "builtin.module",
    1,
    1,
    1,
    0,
    0,
    NULL,
    { { "address", TL_ATTR_STRING, 0 },
      { "pitch", TL_ATTR_INTEGER, 0, COUNT },
      { "row_bytes", TL_ATTR_INTEGER, 0, COUNT },
      { "rows", TL_ATTR_INTEGER, 0, COUNT },
      { "tiles", TL_ATTR_INTEGER, 0, COUNT } },
    check_descriptor },
  { "tile.load", "tile.product", 3, 3, 1, 0, 0, NULL, { { "stages", TL_ATTR_INTEGER, 0, 1, 64 } }, check_load },
  { "tile.wait", "tile.product", 2, 2, 0, 0, 0, NULL, { { "pending", TL_ATTR_INTEGER, 0, 0, 63 } }, check_wait },
};

const TlOpRule *
tl_ir_tile_rules (guint *n_rules)
{
  *n_rules = G_N_ELEMENTS (rules);
  return rules;
}

gboolean
tl_ir_is_product (const TlVerifier *verifier)
{
  return tl_op_attr (verifier->module->op, "tile.target") != NULL;
}

static const TlAttr *
knob (const TlVerifier *verifier, const char *key)
{
  return tl_attr_get (tl_op_attr (verifier->module->op, "tile.knobs"), key);
}

static gint64
machine (const TlVerifier *verifier, const char *key)
{
  const TlAttr *number = tl_attr_get (tl_op_attr (verifier->module->op, "tile.target"), key);

  return number != NULL && number->kind == TL_ATTR_INTEGER ? number->integer : 0;
}

gboolean
tl_ir_check_product_module (TlVerifier *verifier)
{
  static const struct
  {
    const char *name;
    guint       count[5]; /* by group; 0 is never reached: dp.group is required */
  } counts[] = {
    { "dp.semiring", { 0, 1, 1, 1, 1 } },    { "dp.data", { 0, 3, 3, 3, 3 } },
    { "dp.grid_update", { 0, 1, 0, 0, 0 } }, { "tile.product", { 0, 0, 1, 1, 1 } },
    { "tile.place", { 0, 0, 0, 2, 2 } },     { "tile.descriptor", { 0, 0, 0, 0, 2 } },
    { "dp.result", { 0, 1, 1, 1, 1 } },
  };
  static const char *const strange[]
      = { "dp.blocked_update", "dp.buffer", "dp.wavefront_update", "gendram.place", "gendram.reserve" };
  const TlOp *op = verifier->module->op;

  for (guint s = 0; s < G_N_ELEMENTS (strange); s++)
    if (tl_module_find (verifier->module, strange[s]) != NULL)
      return tl_ir_reject (verifier, op, "a product's module holds \"%s\", which is a pim target's", strange[s]);
  for (guint c = 0; c < G_N_ELEMENTS (counts); c++)
    {
      guint found = 0;

      for (const TlOp *inner = op->regions[0]->blocks[0]->first; inner != NULL; inner = inner->next)
        found += tl_ir_is (inner, counts[c].name);
      if (found != counts[c].count[verifier->group])
        return tl_ir_reject (verifier, op, "holds %u \"%s\" after group %d, not %u", found, counts[c].name,
                             verifier->group, counts[c].count[verifier->group]);
    }
  const TlAttr *tile = knob (verifier, "tile"), *stages = knob (verifier, "stages");
  if (!tl_ir_integer_list (tile, 3) || stages == NULL || stages->kind != TL_ATTR_INTEGER)
    return tl_ir_reject (verifier, op, "tile.knobs has no tile of three sides, or no stages");
  if (machine (verifier, "tiers") < 1 || machine (verifier, "banks") < 1 || machine (verifier, "columns") < 1
      || machine (verifier, "clock") < 1 || machine (verifier, "macs") < 1)
    return tl_ir_reject (verifier, op, "tile.target has no sensible tiers, banks, columns, clock and macs");
  return TRUE;
}

/* Rows and columns of a matrix, whole or placed. */
static gboolean
extents_of (const char *type, guint64 *rows, guint64 *columns, char **element)
{
  g_auto (GStrv) parts = tl_type_parameters (type, "tile.placed");

  return tl_type_as_matrix (parts != NULL && parts[0] != NULL ? parts[0] : type, rows, columns, element);
}

/* One step of the loop along k: sums, both tiles, (wait,) the update. */
static gboolean
check_loop (TlVerifier *verifier, const TlOp *op)
{
  const char    *tile = verifier->group >= 4 ? "tile.load" : "tile.operand";
  const TlBlock *block = op->regions[0]->blocks[0];
  const TlOp    *sums = block->first, *left, *right, *update;

  if (!tl_ir_is (sums, "tile.accumulator") || sums->operands[0] != block->arguments[0]
      || sums->operands[1] != block->arguments[1])
    return tl_ir_reject (verifier, op, "the loop does not begin with the \"tile.accumulator\" of tile (m, n)");
  left = sums->next;
  right = left != NULL ? left->next : NULL;
  update = right != NULL ? right->next : NULL;
  if (!tl_ir_is (left, tile) || !tl_ir_is (right, tile))
    return tl_ir_reject (verifier, op, "behind the accumulator stand two \"%s\"", tile);
  if (left->operands[1] != block->arguments[0] || left->operands[2] != block->arguments[2]
      || right->operands[1] != block->arguments[1] || right->operands[2] != block->arguments[2])
    return tl_ir_reject (verifier, op, "the tiles are those of (m, k) and of (n, k)");
  if (verifier->group >= 4)
    {
      if (!tl_ir_is (update, "tile.wait") || update->operands[0] != left->results[0]
          || update->operands[1] != right->results[0])
        return tl_ir_reject (verifier, op, "nothing waits for the copies before they are multiplied");
      update = update->next;
    }
  if (!tl_ir_is (update, "dp.grid_update") || update->n_operands != 3 || update->operands[0] != sums->results[0]
      || update->operands[1] != left->results[0] || update->operands[2] != right->results[0])
    return tl_ir_reject (verifier, op, "the loop's update is not of its accumulator and tiles");
  if (!g_str_equal (tl_op_text (update, "semiring"), tl_op_text (op, "semiring")))
    return tl_ir_reject (verifier, update, "its semiring is not the product's");
  return tl_ir_is (update->next, "dp.yield") || tl_ir_reject (verifier, op, "something stands behind the update");
}

static gboolean
check_product (TlVerifier *verifier, const TlOp *op)
{
  const TlAttr *size = tl_op_attr (op, "size"), *tile = tl_op_attr (op, "tile"), *tiles = tl_op_attr (op, "tiles");
  const TlAttr *wanted = knob (verifier, "tile"), *maps = tl_op_attr (op, "maps");
  guint64       extent[3][2];

  if (!tl_ir_integer_list (size, 3) || !tl_ir_integer_list (tile, 3) || !tl_ir_integer_list (tiles, 3))
    return tl_ir_reject (verifier, op, "size, tile and tiles are three numbers each, along m, n and k");
  for (guint i = 0; i < 3; i++)
    {
      gint64 n = size->items[i]->integer, side = tile->items[i]->integer;

      if (n < 1 || side < 1 || n > G_MAXINT32 || side > G_MAXINT32 || tiles->items[i]->integer != (n + side - 1) / side)
        return tl_ir_reject (verifier, op,
                             "tile covering: %" G_GINT64_FORMAT " tiles of %" G_GINT64_FORMAT
                             " do not cover exactly %" G_GINT64_FORMAT,
                             tiles->items[i]->integer, side, n);
      if (wanted->items[i]->integer != side)
        return tl_ir_reject (verifier, op, "side %u of the tile is not the knob's", i);
      if (!extents_of (op->operands[i]->type, &extent[i][0], &extent[i][1], NULL))
        return tl_ir_reject (verifier, op, "operand %u is no matrix but %s", i, op->operands[i]->type);
      if (i > 0 && verifier->group >= 3 && !tl_ir_is (op->operands[i]->op, "tile.place"))
        return tl_ir_reject (verifier, op, "operand %u is not placed", i);
    }
  if (maps->n_items != 3 || maps->items[2]->kind != TL_ATTR_MAP)
    return tl_ir_reject (verifier, op, "maps are three affine maps");
  guint   by_n = g_str_equal (maps->items[2]->text, "(d0, d1, d2) -> (d1, d2)");
  guint64 m = (guint64) size->items[0]->integer, n = (guint64) size->items[1]->integer,
          k = (guint64) size->items[2]->integer;
  if (extent[0][0] != m || extent[0][1] != n || extent[1][0] != m || extent[1][1] != k || extent[2][by_n ? 0 : 1] != n
      || extent[2][by_n ? 1 : 0] != k)
    return tl_ir_reject (verifier, op, "the operands are not m x n, m x k and %s", by_n ? "n x k" : "k x n");
  if (op->results[0]->type != op->operands[0]->type && !g_str_equal (op->results[0]->type, op->operands[0]->type))
    return tl_ir_reject (verifier, op, "the result has not the type of the sums");
  if (!g_str_equal (tl_op_text (op, "traversal"), "product"))
    return tl_ir_reject (verifier, op, "traversal = \"%s\" is not \"product\"", tl_op_text (op, "traversal"));
  return tl_ir_check_semiring_use (verifier, op) && check_loop (verifier, op);
}

/* Whether @op gives a tile of the product's operand @operand (0: C): its sides, and elements as in the matrix. */
static gboolean
check_tile_type (TlVerifier *verifier, const TlOp *op, guint operand)
{
  static const char *const turned = "nxk";
  const TlOp              *product = tl_ir_parent (op);
  const TlAttr            *tile = tl_op_attr (product, "tile"), *weights = knob (verifier, "weights");
  guint                    by_n = weights != NULL && g_strcmp0 (weights->text, turned) == 0;
  const guint              sides[3][2] = { { 0, 1 }, { 0, 2 }, { by_n ? 1 : 2, by_n ? 2 : 1 } };
  guint64                  rows, columns, whole;
  g_autofree char         *element = NULL;
  g_autofree char         *wanted = NULL;

  if (!tl_ir_integer_list (tile, 3) || product->n_operands != 3)
    return tl_ir_reject (verifier, op, "stands in no product of three matrices");
  if (!tl_type_as_matrix (op->results[0]->type, &rows, &columns, &element)
      || !extents_of (product->operands[operand]->type, &whole, &whole, &wanted) || !g_str_equal (element, wanted))
    return tl_ir_reject (verifier, op, "%s is no tile of %s", op->results[0]->type, product->operands[operand]->type);
  if (rows != (guint64) tile->items[sides[operand][0]]->integer
      || columns != (guint64) tile->items[sides[operand][1]]->integer)
    return tl_ir_reject (verifier, op, "%s has not the sides of the product's tile", op->results[0]->type);
  return TRUE;
}

static gboolean
check_accumulator (TlVerifier *verifier, const TlOp *op)
{
  return check_tile_type (verifier, op, 0);
}

static gboolean
check_operand (TlVerifier *verifier, const TlOp *op)
{
  const TlOp *product = tl_ir_parent (op);

  if (op->operands[0] != product->operands[1] && op->operands[0] != product->operands[2])
    return tl_ir_reject (verifier, op, "is a tile of something that the product does not read");
  return check_tile_type (verifier, op, op->operands[0] == product->operands[1] ? 1 : 2);
}

/* Three lists of masks that are together a bijection of the unit bits, or all empty. */
static gboolean
check_masks (TlVerifier *verifier, const TlOp *op)
{
  static const char *const names[] = { "domain", "row", "column" };
  guint64                  basis[BITS] = { 0 };
  gint64                   bits = tl_op_integer (op, "bits", 0);
  guint                    n = 0, rank = 0;

  for (guint part = 0; part < 3; part++)
    {
      const TlAttr *list = tl_op_attr (op, names[part]);

      for (guint i = 0; i < list->n_items; i++, n++)
        {
          guint64 mask = list->items[i]->kind == TL_ATTR_INTEGER ? (guint64) list->items[i]->integer : 0;

          if (mask == 0 || mask >> bits != 0 || n >= BITS)
            return tl_ir_reject (verifier, op, "%s %u is no mask of %" G_GINT64_FORMAT " unit bits", names[part], i,
                                 bits);
          for (int bit = BITS - 1; bit >= 0 && mask != 0; bit--)
            if (mask >> bit & 1)
              {
                if (basis[bit] == 0)
                  {
                    basis[bit] = mask;
                    rank++;
                    mask = 0;
                  }
                else
                  mask ^= basis[bit];
              }
        }
    }
  if (n != 0 && (n != (guint) bits || rank != n))
    return tl_ir_reject (verifier, op, "its layout is no bijection of %" G_GINT64_FORMAT " unit bits", bits);
  return TRUE;
}

static gboolean
check_place (TlVerifier *verifier, const TlOp *op)
{
  static const char *const words[] = { "plan", "identity", "packed", "layout", NULL };
  const TlAttr            *first = tl_op_attr (op, "first_rows"), *rows = tl_op_attr (op, "region_rows");
  const char              *signature = tl_op_text (op, "signature");
  g_auto (GStrv) parts = tl_type_parameters (op->results[0]->type, "tile.placed");

  if (!tl_ir_is (op->operands[0]->op, "dp.data"))
    return tl_ir_reject (verifier, op, "places something that is not a \"dp.data\"");
  if (parts == NULL || g_strv_length (parts) != 2 || !g_str_equal (parts[0], op->operands[0]->type))
    return tl_ir_reject (verifier, op, "the result is !tile.placed<MATRIX, QUANTUM>, not %s", op->results[0]->type);
  if (!g_strv_contains (words, tl_op_text (op, "rule")))
    return tl_ir_reject (verifier, op, "rule = \"%s\" is not plan, identity, packed or layout",
                         tl_op_text (op, "rule"));
  if (strlen (signature) != 16 || strspn (signature, "0123456789abcdef") != 16)
    return tl_ir_reject (verifier, op, "signature is 16 lower-case hex digits");
  if (g_strcmp0 (tl_op_text (op, "name"), tl_op_text (op->operands[0]->op, "name")) != 0)
    return tl_ir_reject (verifier, op, "its name is not that of the data it places");
  if (tl_op_integer (op, "units", 0) > (gint64) 1 << tl_op_integer (op, "bits", 0))
    return tl_ir_reject (verifier, op,
                         "a tile of %" G_GINT64_FORMAT " units is not numbered by %" G_GINT64_FORMAT " bits",
                         tl_op_integer (op, "units", 0), tl_op_integer (op, "bits", 0));
  if (!check_masks (verifier, op))
    return FALSE;
  if (first->n_items != rows->n_items || !tl_ir_integer_list (first, first->n_items)
      || !tl_ir_integer_list (rows, rows->n_items))
    return tl_ir_reject (verifier, op, "regions have a first row and a number of rows each");
  for (guint i = 0; i < rows->n_items; i++)
    if (first->items[i]->integer < 0 || rows->items[i]->integer < 1
        || rows->items[i]->integer > machine (verifier, "rows") - first->items[i]->integer)
      return tl_ir_reject (verifier, op, "region %u passes the %" G_GINT64_FORMAT " rows of a domain", i,
                           machine (verifier, "rows"));
  if (g_str_equal (tl_op_text (op, "rule"), "identity")
      && (tl_op_attr (op, "domain")->n_items + tl_op_attr (op, "row")->n_items + tl_op_attr (op, "column")->n_items > 0
          || rows->n_items > 0))
    return tl_ir_reject (verifier, op, "what lies row by row has no layout and no region");
  return TRUE;
}

static gboolean
check_descriptor (TlVerifier *verifier, const TlOp *op)
{
  if (!tl_ir_is (op->operands[0]->op, "tile.place"))
    return tl_ir_reject (verifier, op, "describes something that is not placed");
  if (!g_str_equal (op->results[0]->type, "!tile.descriptor"))
    return tl_ir_reject (verifier, op, "the result is !tile.descriptor, not %s", op->results[0]->type);
  return TRUE;
}

/* A descriptor's rows and tiles are those of the product that loads by it. */
static gboolean
check_described (TlVerifier *verifier, const TlOp *op, guint operand)
{
  const TlOp      *product = tl_ir_parent (op), *descriptor = op->operands[0]->op;
  const TlAttr    *tiles = tl_op_attr (product, "tiles"), *weights = knob (verifier, "weights");
  guint            along = operand == 1 || (weights != NULL && g_strcmp0 (weights->text, "nxk") == 0) ? 2 : 1;
  g_autofree char *element = NULL;
  guint64          rows, columns, bits;

  tl_type_as_matrix (op->results[0]->type, &rows, &columns, &element);
  if (!tl_ir_integer_list (tiles, 3)
      || !g_ascii_string_to_unsigned (element + strcspn (element, "0123456789"), 10, 1, 64, &bits, NULL))
    return tl_ir_reject (verifier, op, "its elements have no width");
  if ((guint64) tl_op_integer (descriptor, "rows", 0) != rows
      || (guint64) tl_op_integer (descriptor, "row_bytes", 0) * 8 != columns * bits)
    return tl_ir_reject (verifier, op, "its descriptor is of other rows than %s", op->results[0]->type);
  /* A row of the matrix holds those of all tiles beside one another. */
  if (tl_op_integer (descriptor, "pitch", 0) < tl_op_integer (descriptor, "row_bytes", 0)
      && tiles->items[along]->integer > 1)
    return tl_ir_reject (verifier, descriptor, "its rows overlap");
  if (tl_op_integer (descriptor, "tiles", 0) != tiles->items[operand == 1 ? 0 : 1]->integer * tiles->items[2]->integer)
    return tl_ir_reject (verifier, op, "its descriptor does not count the product's tiles");
  return TRUE;
}

static gboolean
check_load (TlVerifier *verifier, const TlOp *op)
{
  const TlOp *product = tl_ir_parent (op);

  if (!tl_ir_is (op->operands[0]->op, "tile.descriptor"))
    return tl_ir_reject (verifier, op, "loads by something that is no \"tile.descriptor\"");
  if (tl_op_integer (op, "stages", 0) != knob (verifier, "stages")->integer)
    return tl_ir_reject (verifier, op, "its stages are not the knob's");
  for (guint operand = 1; operand < product->n_operands; operand++)
    if (op->operands[0]->op->operands[0] == product->operands[operand])
      return check_tile_type (verifier, op, operand) && check_described (verifier, op, operand);
  return tl_ir_reject (verifier, op, "loads what the product does not read");
}

static gboolean
check_wait (TlVerifier *verifier, const TlOp *op)
{
  if (tl_op_integer (op, "pending", -1) != knob (verifier, "stages")->integer - 1)
    return tl_ir_reject (verifier, op, "pending is one less than the stages");
  return TRUE;
}
