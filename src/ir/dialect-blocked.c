/* Rules of the blocked update: tile covering, owners, phases in their order, and what
 * stands in each. */
#include "ir/dialect-private.h"

#include "ir/owner.h"

#include <string.h>

static gboolean
check_owner (TlVerifier *verifier, const TlOp *op, guint32 tiles)
{
  g_autofree char *body = tl_attr_body (tl_op_attr (op, "owner"), "gendram.owner");
  g_autofree char *reason = NULL;
  g_autoptr (TlOwnerRule) rule = NULL;
  const TlAttr *moves = tl_op_attr (op, "moves");
  gint64        pus = tl_ir_machine (verifier, "pus");
  guint32       i;
  guint32       j;
  gint64        pu;

  if (body == NULL)
    return tl_ir_reject (verifier, op, "owner is not #gendram.owner<RULE>");
  rule = tl_owner_rule_parse (body, tiles, (guint32) pus, &reason);
  if (rule == NULL)
    return tl_ir_reject (verifier, op, "owner: %s", reason);
  for (guint m = 0; moves != NULL && m < moves->n_items; m++)
    {
      TlOwnerMove move;

      if (!tl_ir_integer_list (moves->items[m], 3))
        return tl_ir_reject (verifier, op, "move %u is not [i, j, pu]", m);
      for (guint n = 0; n < 3; n++)
        if (moves->items[m]->items[n]->integer < 0 || moves->items[m]->items[n]->integer > G_MAXINT32)
          return tl_ir_reject (verifier, op, "move %u holds %" G_GINT64_FORMAT, m, moves->items[m]->items[n]->integer);
      move.i = (guint32) moves->items[m]->items[0]->integer;
      move.j = (guint32) moves->items[m]->items[1]->integer;
      move.pu = (guint32) moves->items[m]->items[2]->integer;
      tl_owner_rule_move (rule, &move, 1);
    }
  if (tl_owner_rule_check (rule, &i, &j, &pu))
    return TRUE;
  if (pu == G_MININT64)
    return tl_ir_reject (verifier, op, "owner of tile (%u,%u): division by zero or overflow", i, j);
  return tl_ir_reject (verifier, op,
                       "owner of tile (%u,%u) is %" G_GINT64_FORMAT "; there are %u x %u tiles and %" G_GINT64_FORMAT
                       " PUs",
                       i, j, pu, tiles, tiles, pus);
}

/* Phases in their order, each waiting for the one before, barriers where the knob wants them. */
static gboolean
check_phases (TlVerifier *verifier, const TlOp *op)
{
  const char    *barriers = tl_ir_knob (verifier, "barriers");
  const TlValue *token = NULL;
  const TlOp    *inner = op->regions[0]->blocks[0]->first;
  int            number = 0;

  for (int p = 0; p < TL_N_PHASES; p++, inner = inner->next)
    {
      gboolean wanted = verifier->group >= 4
                        && (g_str_equal (barriers, "strict") || (g_str_equal (barriers, "superstep") && p == 2));

      if (!tl_ir_is (inner, "dp.phase") || tl_ir_phase_number (tl_op_text (inner, "kind")) != p)
        return tl_ir_reject (verifier, inner != NULL ? inner : op, "phase order: expected the phase %s here",
                             tl_phase_name (p));
      if (inner->n_operands != (p > 0 ? 2 : 1) || (p > 0 && inner->operands[1] != token))
        return tl_ir_reject (verifier, inner, "the phase %s must wait for %s", tl_phase_name (p),
                             p > 0 ? tl_phase_name (p - 1) : "nothing but k");
      token = inner->results[0];
      if (wanted != tl_ir_is (inner->next, "gendram.barrier"))
        return tl_ir_reject (verifier, inner,
                             wanted ? "barriers = %s needs a barrier behind this phase"
                                    : "barriers = %s has no barrier behind this phase",
                             barriers);
      if (!wanted)
        continue;
      inner = inner->next;
      if (inner->operands[0] != token || tl_op_integer (inner, "number", -1) != number++)
        return tl_ir_reject (verifier, inner, "barrier %d must wait for the phase %s", number - 1, tl_phase_name (p));
    }
  return tl_ir_is (inner, "dp.yield") || tl_ir_reject (verifier, op, "something stands behind the three phases");
}

gboolean
tl_ir_check_blocked_update (TlVerifier *verifier, const TlOp *op)
{
  gint64           n = tl_op_integer (op, "n", 0);
  gint64           tile = tl_op_integer (op, "tile", 0);
  gint64           tiles = tl_op_integer (op, "tiles", 0);
  gint64           first = 0;
  gint64           last = 0;
  g_autofree char *memref = NULL;
  guint64          rows;
  guint64          columns;

  if (tiles != (n + tile - 1) / tile)
    return tl_ir_reject (verifier, op,
                         "tile covering: %" G_GINT64_FORMAT " tiles of %" G_GINT64_FORMAT
                         " a side do not cover exactly n = %" G_GINT64_FORMAT,
                         tiles, tile, n);
  if (tile > tl_op_integer (op, "limit", 0))
    return tl_ir_reject (verifier, op, "tile = %" G_GINT64_FORMAT " is above the limit %" G_GINT64_FORMAT, tile,
                         tl_op_integer (op, "limit", 0));
  if (!g_str_equal (tl_op_text (op, "traversal"), "blocked"))
    return tl_ir_reject (verifier, op, "traversal = \"%s\" is not \"blocked\"", tl_op_text (op, "traversal"));
  if (!g_str_equal (tl_op_text (op, "edges"), tl_ir_knob (verifier, "edges")))
    return tl_ir_reject (verifier, op, "edges = \"%s\" is not the knob's \"%s\"", tl_op_text (op, "edges"),
                         tl_ir_knob (verifier, "edges"));
  if (op->operands[0] != op->operands[1] || op->operands[0] != op->operands[2])
    return tl_ir_reject (verifier, op, "a closure's three operands are one matrix");
  if (op->operands[0]->type != op->results[0]->type)
    return tl_ir_reject (verifier, op, "the result has the type %s, the matrix %s", op->results[0]->type,
                         op->operands[0]->type);
  if (verifier->group < 3)
    memref = g_strdup (op->operands[0]->type);
  else if (!tl_ir_placed_type (op->operands[0]->type, "gendram.matrix", &memref, &first, &last))
    return tl_ir_reject (verifier, op, "the matrix is not placed: its type is %s", op->operands[0]->type);
  if (!tl_type_as_matrix (memref, &rows, &columns, NULL) || rows != (guint64) n || columns != (guint64) n)
    return tl_ir_reject (verifier, op, "the matrix %s is not n x n", memref);
  if (verifier->group >= 3 && !check_owner (verifier, op, (guint32) tiles))
    return FALSE;
  return tl_ir_check_semiring_use (verifier, op) && tl_ir_check_dependences (verifier, op)
         && check_phases (verifier, op);
}

static gboolean
check_reads (TlVerifier *verifier, const TlOp *op, int phase)
{
  static const guint8 wanted[TL_N_PHASES][3] = {
    { TL_OPERAND_C },
    { TL_OPERAND_C, TL_OPERAND_PIVOT },
    { TL_OPERAND_C, TL_OPERAND_LEFT, TL_OPERAND_RIGHT },
  };
  const TlAttr *reads = tl_op_attr (op, "reads");

  for (int r = 0; r <= phase; r++)
    if (reads->n_items != (guint) phase + 1 || reads->items[r]->kind != TL_ATTR_STRING
        || !g_str_equal (reads->items[r]->text, tl_operand_name (wanted[phase][r])))
      return tl_ir_reject (verifier, op, "the phase %s reads %s", tl_phase_name (phase),
                           phase == 0   ? "C"
                           : phase == 1 ? "C, pivot"
                                        : "C, left, right");
  return TRUE;
}

/* C, L and R as the maps say, then copies, update, store, broadcast. */
gboolean
tl_ir_check_phase (TlVerifier *verifier, const TlOp *op)
{
  static const guint8      index_of[3][2] = { { 0, 1 }, { 0, 2 }, { 2, 1 } };
  static const char *const operand_names[] = { "C", "left", "right" };
  static const char *const index_names[] = { "i", "j", "k" };
  int                      phase = tl_ir_phase_number (tl_op_text (op, "kind"));
  const TlOp              *blocked = tl_ir_parent (op);
  const TlBlock           *block = op->regions[0]->blocks[0];
  const TlValue           *index[3] = { block->arguments[0], block->arguments[1], op->operands[0] };
  const TlValue           *tiles[3];
  const TlOp              *inner = block->first;
  gboolean                 communicates = verifier->group >= 4;

  if (phase < 0)
    return tl_ir_reject (verifier, op, "kind = \"%s\" is no phase", tl_op_text (op, "kind"));
  if (op->operands[0] != blocked->regions[0]->blocks[0]->arguments[0])
    return tl_ir_reject (verifier, op, "the first operand is the step k");
  if (!g_str_equal (op->results[0]->type, "!dp.token"))
    return tl_ir_reject (verifier, op, "the result is a !dp.token, not %s", op->results[0]->type);
  if (!check_reads (verifier, op, phase))
    return FALSE;
  for (guint t = 0; t < 3; t++, inner = inner->next)
    {
      if (!tl_ir_is (inner, "dp.tile"))
        return tl_ir_reject (verifier, op, "expected the \"dp.tile\" of %s", operand_names[t]);
      if (inner->operands[0] != blocked->operands[t] || inner->operands[1] != index[index_of[t][0]]
          || inner->operands[2] != index[index_of[t][1]])
        return tl_ir_reject (verifier, inner, "the tile of %s in the phase %s is not (%s,%s) of the matrix",
                             operand_names[t], tl_phase_name (phase), index_names[index_of[t][0]],
                             index_names[index_of[t][1]]);
      tiles[t] = inner->results[0];
    }
  for (guint t = 1; t < 3 && communicates && phase > 0; t++, inner = inner->next)
    {
      if (!tl_ir_is (inner, "gendram.copy") || inner->operands[0] != tiles[t])
        return tl_ir_reject (verifier, op, "expected the \"gendram.copy\" of %s in the phase %s", operand_names[t],
                             tl_phase_name (phase));
      tiles[t] = inner->results[0];
    }
  if (!tl_ir_is (inner, "dp.grid_update"))
    return tl_ir_reject (verifier, op, "expected \"dp.grid_update\", not \"%s\"", inner->name);
  for (guint t = 0; t < 3; t++)
    if (inner->operands[t] != tiles[t])
      return tl_ir_reject (verifier, inner, "operand %u in the phase %s is not %s", t, tl_phase_name (phase),
                           operand_names[t]);
  if (!tl_ir_is (inner->next, "dp.store") || inner->next->operands[0] != inner->results[0]
      || inner->next->operands[1] != blocked->operands[0] || inner->next->operands[2] != index[0]
      || inner->next->operands[3] != index[1])
    return tl_ir_reject (verifier, op, "expected the \"dp.store\" of the updated tile to (i,j)");
  tiles[0] = inner->results[0];
  inner = inner->next->next;
  if (communicates && phase < 2)
    {
      if (!tl_ir_is (inner, "gendram.broadcast") || inner->operands[0] != tiles[0])
        return tl_ir_reject (verifier, op, "expected the \"gendram.broadcast\" of the updated tile in the phase %s",
                             tl_phase_name (phase));
      inner = inner->next;
    }
  return tl_ir_is (inner, "dp.yield")
         || tl_ir_reject (verifier, op, "\"%s\" does not belong behind the update", inner->name);
}

gboolean
tl_ir_check_tile (TlVerifier *verifier, const TlOp *op)
{
  const TlOp      *blocked = tl_ir_parent (op) != NULL ? tl_ir_parent (tl_ir_parent (op)) : NULL;
  g_autofree char *matrix = NULL;
  g_autofree char *tile = NULL;
  g_autofree char *matrix_element = NULL;
  g_autofree char *tile_element = NULL;
  gint64           tiers[4] = { 0 };
  guint64          rows;
  guint64          columns;
  gint64           side = blocked != NULL ? tl_op_integer (blocked, "tile", 0) : 0;

  if (verifier->group < 3)
    {
      matrix = g_strdup (op->operands[0]->type);
      tile = g_strdup (op->results[0]->type);
    }
  else if (!tl_ir_placed_type (op->operands[0]->type, "gendram.matrix", &matrix, &tiers[0], &tiers[1])
           || !tl_ir_placed_type (op->results[0]->type, "gendram.tile", &tile, &tiers[2], &tiers[3])
           || tiers[0] != tiers[2] || tiers[1] != tiers[3])
    return tl_ir_reject (verifier, op, "tier missing: the tile %s does not lie where the matrix %s does",
                         op->results[0]->type, op->operands[0]->type);
  if (!tl_type_as_matrix (matrix, &rows, &columns, &matrix_element)
      || !tl_type_as_matrix (tile, &rows, &columns, &tile_element) || !g_str_equal (matrix_element, tile_element)
      || rows != (guint64) side || columns != (guint64) side)
    return tl_ir_reject (verifier, op, "the tile %s of the matrix %s is not %" G_GINT64_FORMAT " elements a side", tile,
                         matrix, side);
  for (guint i = 1; i < 3; i++)
    if (!g_str_equal (op->operands[i]->type, "index"))
      return tl_ir_reject (verifier, op, "operand %u is no index", i);
  return TRUE;
}
