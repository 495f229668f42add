/* Rules of recurrences over constant distances: dp.grid_update in its grid form, and
 * dp.wavefront_update, what it becomes. */
#include "ir/dialect-private.h"

#include <string.h>

#define MAX_TABLES       4
#define MAX_ALTERNATIVES 16
#define MAX_DISTANCE     8
#define MAX_ADAPTIVE     (1 << 20)

/* [source, di, dj, "terms"]: source a table or -1. */
static gboolean
is_alternative (const TlAttr *step, guint tables)
{
  if (step->kind != TL_ATTR_ARRAY || step->n_items != 4 || step->items[3]->kind != TL_ATTR_STRING)
    return FALSE;
  for (guint i = 0; i < 3; i++)
    if (step->items[i]->kind != TL_ATTR_INTEGER)
      return FALSE;
  gint64 di = step->items[1]->integer, dj = step->items[2]->integer;
  return step->items[0]->integer >= -1 && step->items[0]->integer < (gint64) tables && di >= 0 && di <= MAX_DISTANCE
         && ABS (dj) <= MAX_DISTANCE && (di > 0 || dj >= 0);
}

static gboolean
check_alternatives (TlVerifier *verifier, const TlOp *op)
{
  const TlAttr *tables = tl_op_attr (op, "alternatives");

  if (tables->n_items < 1 || tables->n_items > MAX_TABLES)
    return tl_ir_reject (verifier, op, "alternatives are lists of 1 to %d tables", MAX_TABLES);
  for (guint t = 0; t < tables->n_items; t++)
    {
      const TlAttr *table = tables->items[t];

      if (table->kind != TL_ATTR_ARRAY || table->n_items < 1 || table->n_items > MAX_ALTERNATIVES)
        return tl_ir_reject (verifier, op, "table %u is no list of 1 to %d alternatives", t, MAX_ALTERNATIVES);
      for (guint a = 0; a < table->n_items; a++)
        {
          const TlAttr *step = table->items[a];

          if (!is_alternative (step, tables->n_items))
            return tl_ir_reject (verifier, op, "alternative %u of table %u is not [table, di, dj, \"terms\"]", a, t);
          if (step->items[0]->integer >= (gint64) t && step->items[1]->integer == 0 && step->items[2]->integer == 0)
            return tl_ir_reject (verifier, op, "table %u reads a table of the same cell that is not done yet", t);
        }
    }
  return TRUE;
}

/* Each distance of an alternative is among the dependences. */
static gboolean
names_dependence (const TlAttr *deps, const TlAttr *step)
{
  if (step->items[0]->integer < 0 || (step->items[1]->integer == 0 && step->items[2]->integer == 0))
    return TRUE;
  for (guint d = 0; d < deps->n_items; d++)
    if (deps->items[d]->items[0]->integer == step->items[1]->integer
        && deps->items[d]->items[1]->integer == step->items[2]->integer)
      return TRUE;
  return FALSE;
}

static gboolean
check_distances (TlVerifier *verifier, const TlOp *op)
{
  const TlAttr *deps = tl_op_attr (op, "deps");
  const TlAttr *tables = tl_op_attr (op, "alternatives");

  for (guint d = 0; d < deps->n_items; d++)
    {
      if (!tl_ir_integer_list (deps->items[d], 2))
        return tl_ir_reject (verifier, op, "dependence %u is not a distance vector over i, j", d);
      gint64 first = deps->items[d]->items[0]->integer, second = deps->items[d]->items[1]->integer;
      if (first < 0 || (first == 0 && second <= 0))
        return tl_ir_reject (verifier, op, "dependence %u does not point forwards", d);
    }
  for (guint t = 0; t < tables->n_items; t++)
    for (guint a = 0; a < tables->items[t]->n_items; a++)
      if (!names_dependence (deps, tables->items[t]->items[a]))
        return tl_ir_reject (verifier, op, "alternative %u of table %u is no dependence", a, t);
  return TRUE;
}

static gboolean
check_pick (TlVerifier *verifier, const TlOp *op)
{
  static const char *const words[] = { "best", "last", "last row", "last column", NULL };
  const TlAttr            *pick = tl_op_attr (op, "pick"), *of = tl_attr_get (pick, "of");
  const TlAttr            *table = tl_attr_get (pick, "table"), *greatest = tl_attr_get (pick, "greatest");

  if (of == NULL || of->kind != TL_ATTR_STRING || !g_strv_contains (words, of->text) || greatest == NULL
      || greatest->kind != TL_ATTR_BOOL || table == NULL || table->kind != TL_ATTR_INTEGER || table->integer < 0
      || table->integer >= (gint64) tl_op_attr (op, "alternatives")->n_items)
    return tl_ir_reject (verifier, op, "pick is {greatest, of, table}");
  return TRUE;
}

static gboolean
check_band (TlVerifier *verifier, const TlOp *op)
{
  static const char *const words[] = { "none", "cells", "share", NULL };
  const TlAttr            *band = tl_op_attr (op, "band"), *kind = tl_attr_get (band, "kind");
  const TlAttr            *cells = tl_attr_get (band, "cells"), *share = tl_attr_get (band, "share");

  if (kind == NULL || kind->kind != TL_ATTR_STRING || !g_strv_contains (words, kind->text) || cells == NULL
      || cells->kind != TL_ATTR_INTEGER || cells->integer < 0 || share == NULL || share->kind != TL_ATTR_FLOAT
      || share->real < 0)
    return tl_ir_reject (verifier, op, "band is {cells, kind, share}");
  return TRUE;
}

/* The moving band: as wide as @words say, following a table; along its diagonals no cell waits. */
static gboolean
check_adaptive (TlVerifier *verifier, const TlOp *op)
{
  static const char *const words[] = { "cells", "share", NULL };
  const TlAttr            *adaptive = tl_op_attr (op, "adaptive"), *deps = tl_op_attr (op, "deps");

  if (adaptive == NULL)
    return TRUE;
  const TlAttr *kind = tl_attr_get (adaptive, "kind"), *cells = tl_attr_get (adaptive, "cells");
  const TlAttr *share = tl_attr_get (adaptive, "share"), *follows = tl_attr_get (adaptive, "follows");
  if (kind == NULL || kind->kind != TL_ATTR_STRING || !g_strv_contains (words, kind->text) || cells == NULL
      || cells->kind != TL_ATTR_INTEGER || cells->integer < 0 || cells->integer > MAX_ADAPTIVE || share == NULL
      || share->kind != TL_ATTR_FLOAT || !(share->real >= 0 && share->real <= 1) || follows == NULL
      || follows->kind != TL_ATTR_INTEGER || follows->integer < 0
      || follows->integer >= (gint64) tl_op_attr (op, "alternatives")->n_items
      || (g_str_equal (kind->text, "cells") ? cells->integer < 1 : share->real <= 0))
    return tl_ir_reject (verifier, op, "adaptive is {cells, follows, kind, share}");
  for (guint d = 0; d < deps->n_items; d++)
    if (deps->items[d]->items[1]->integer < 0)
      return tl_ir_reject (verifier, op, "an adaptive band and dependence %u, which points to the right", d);
  return TRUE;
}

static gboolean
check_borders (TlVerifier *verifier, const TlOp *op)
{
  const TlAttr *borders = tl_op_attr (op, "borders");

  if (borders->n_items != tl_op_attr (op, "alternatives")->n_items)
    return tl_ir_reject (verifier, op, "borders are one dictionary a table");
  for (guint t = 0; t < borders->n_items; t++)
    {
      const TlAttr *table = borders->items[t];

      for (guint i = 0; i < table->n_items; i++)
        if (table->kind != TL_ATTR_DICT || table->items[i]->kind != TL_ATTR_STRING)
          return tl_ir_reject (verifier, op, "borders of table %u are no texts", t);
    }
  return TRUE;
}

/* Operands by number: what is read along rows and columns, the tables of an index. */
static gboolean
check_data_numbers (TlVerifier *verifier, const TlOp *op)
{
  static const char *const keys[] = { "pointers", "positions" };
  const TlAttr            *sides = tl_op_attr (op, "sides"), *stream = tl_op_attr (op, "stream");
  const TlAttr            *k = tl_attr_get (stream, "k");

  if (sides != NULL && !tl_ir_integer_list (sides, 2))
    return tl_ir_reject (verifier, op, "sides is the number of two operands, -1 for none");
  for (guint s = 0; sides != NULL && s < 2; s++)
    if (sides->items[s]->integer < -1 || sides->items[s]->integer >= (gint64) op->n_operands)
      return tl_ir_reject (verifier, op, "side %u is no operand", s);
  if (stream == NULL)
    return TRUE;
  if (stream->n_items != 3 || k == NULL || k->kind != TL_ATTR_INTEGER || k->integer < 1 || k->integer > 31
      || sides == NULL || sides->items[0]->integer < 0 || sides->items[1]->integer < 0)
    return tl_ir_reject (verifier, op, "stream is {k, pointers, positions} beside both sides");
  for (guint s = 0; s < G_N_ELEMENTS (keys); s++)
    {
      const TlAttr *operand = tl_attr_get (stream, keys[s]);

      if (operand == NULL || operand->kind != TL_ATTR_INTEGER || operand->integer < 0
          || operand->integer >= (gint64) op->n_operands)
        return tl_ir_reject (verifier, op, "the stream's %s are no operand", keys[s]);
    }
  return TRUE;
}

/* {NAME = [first, last, rule]}: 0 tier, 1 fill, 2 stripe. */
static gboolean
check_places (TlVerifier *verifier, const TlOp *op)
{
  const TlAttr *places = tl_op_attr (op, "places");

  for (guint p = 0; places != NULL && p < places->n_items; p++)
    {
      const TlAttr *place = places->items[p];

      if (!tl_ir_integer_list (place, 3) || place->items[0]->integer < 0
          || place->items[0]->integer > place->items[1]->integer
          || place->items[1]->integer >= tl_ir_machine (verifier, "tiers") || place->items[2]->integer < 0
          || place->items[2]->integer > TL_PLACE_STRIPE)
        return tl_ir_reject (verifier, op, "place of %s is [first, last, rule] of tiers", places->names[p]);
    }
  return TRUE;
}

gboolean
tl_ir_check_grid (TlVerifier *verifier, const TlOp *op)
{
  static const char *const wanted[] = { "alternatives", "band", "borders", "deps", "pick" };

  for (guint w = 0; w < G_N_ELEMENTS (wanted); w++)
    if (tl_op_attr (op, wanted[w]) == NULL)
      return tl_ir_reject (verifier, op, "the attribute %s is missing", wanted[w]);
  for (guint i = 0; i < op->n_operands; i++)
    if (!tl_ir_is (op->operands[i]->op, "dp.data"))
      return tl_ir_reject (verifier, op, "operand %u is not a \"dp.data\"", i);
  return tl_ir_check_semiring_use (verifier, op) && check_alternatives (verifier, op) && check_distances (verifier, op)
         && check_pick (verifier, op) && check_band (verifier, op) && check_adaptive (verifier, op)
         && check_borders (verifier, op) && check_data_numbers (verifier, op) && check_places (verifier, op);
}

/* Shifted by the skew no distance points back, and tiles of one wave do not wait for each
 * other. */
static gboolean
check_tile_order (TlVerifier *verifier, const TlOp *op)
{
  const TlAttr *deps = tl_op_attr (op, "deps"), *order = tl_op_attr (op, "tile_order");
  gint64        skew = tl_op_integer (op, "skew", 0);

  if (!tl_ir_integer_list (order, 2) || order->items[0]->integer < 0 || order->items[0]->integer > 1
      || order->items[1]->integer < 0 || order->items[1]->integer > 1)
    return tl_ir_reject (verifier, op, "tile_order is two numbers 0 or 1");
  for (guint d = 0; d < deps->n_items; d++)
    {
      gint64 down = deps->items[d]->items[0]->integer, right = deps->items[d]->items[1]->integer + skew * down;

      if (right < 0)
        return tl_ir_reject (verifier, op, "skew = %" G_GINT64_FORMAT " leaves dependence %u pointing back", skew, d);
      if ((down > 0 && order->items[0]->integer == 0) || (right > 0 && order->items[1]->integer == 0))
        return tl_ir_reject (verifier, op, "a wave of tiles waits for itself: dependence %u", d);
    }
  return TRUE;
}

gboolean
tl_ir_check_wavefront (TlVerifier *verifier, const TlOp *op)
{
  const TlAttr *deps = tl_op_attr (op, "deps"), *order = tl_op_attr (op, "order");
  gint64        tile = tl_op_integer (op, "tile", 0), bits = tl_op_integer (op, "element_bits", 0);

  if (!tl_ir_check_grid (verifier, op))
    return FALSE;
  if (!g_str_equal (tl_op_text (op, "traversal"), "wavefront"))
    return tl_ir_reject (verifier, op, "traversal = \"%s\": it goes by wavefronts", tl_op_text (op, "traversal"));
  if (!tl_ir_integer_list (order, 2) || order->items[0]->integer < 0 || order->items[1]->integer < 0
      || order->items[0]->integer > 64 || order->items[1]->integer > 64)
    return tl_ir_reject (verifier, op, "order is two numbers from 0 to 64");
  for (guint d = 0; d < deps->n_items; d++)
    if (ABS (deps->items[d]->items[0]->integer) > MAX_DISTANCE || ABS (deps->items[d]->items[1]->integer) > MAX_DISTANCE
        || order->items[0]->integer * deps->items[d]->items[0]->integer
                   + order->items[1]->integer * deps->items[d]->items[1]->integer
               < 1)
      return tl_ir_reject (verifier, op, "a wave of this order waits for itself: dependence %u", d);
  if (tile > tl_op_integer (op, "limit", 0))
    return tl_ir_reject (verifier, op, "tile = %" G_GINT64_FORMAT " is above limit", tile);
  if (tile > G_MAXINT16 || 3 * tile * tile > tl_ir_machine (verifier, "scratchpad_bytes") * 8 / bits)
    return tl_ir_reject (verifier, op, "three tiles of %" G_GINT64_FORMAT " do not fit the scratchpad", tile);
  return check_tile_order (verifier, op);
}
