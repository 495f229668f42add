/* The dialects dp and gendram: a table of operations with their operands, results,
 * regions and attributes, and for each the rule that a table cannot say. DIALECTS.md
 * describes the same for people. */
#include "ir/ir-private.h"

#include "ir/owner.h"
#include "ir/schedule.h"
#include "ir/semiring-op.h"

#include <string.h>

#define ANY_NUMBER  G_MININT64, G_MAXINT64
#define COUNT       1, G_MAXINT64
#define SCALAR_KIND ((TlAttrKind) -1) /* a number or an infinity */

/* An attribute: required from pass group @from on (0: always, 9: never), its kind, and
 * for integers the range. */
typedef struct
{
  const char *name;
  TlAttrKind  kind;
  int         from;
  gint64      low;
  gint64      high;
} AttrRule;

typedef struct
{
  const char *name;
  const char *parent; /* operation that must hold it */
  guint       least;  /* operands */
  guint       most;
  guint       results;
  guint       regions;
  guint       arguments;  /* of each region's block */
  const char *terminator; /* of each region, or NULL */
  AttrRule    attrs[16];
  gboolean (*check) (TlVerifier *verifier, const TlOp *op);
} OpRule;

static const TlOp *
parent_of (const TlOp *op)
{
  return op->block != NULL ? op->block->region->op : NULL;
}

static gboolean
is (const TlOp *op, const char *name)
{
  return op != NULL && g_str_equal (op->name, name);
}

/* A machine number of gendram.target. */
static gint64
machine (const TlVerifier *verifier, const char *key)
{
  const TlAttr *number = tl_attr_get (tl_op_attr (verifier->module->op, "gendram.target"), key);

  return number != NULL && number->kind == TL_ATTR_INTEGER ? number->integer : 0;
}

static const char *
knob (const TlVerifier *verifier, const char *key)
{
  const TlAttr *word = tl_attr_get (tl_op_attr (verifier->module->op, "gendram.knobs"), key);

  return word != NULL && word->kind == TL_ATTR_STRING ? word->text : "";
}

/* "!gendram.NAME<memref<...>, first : i64, last : i64>" taken apart. */
static gboolean
placed_type (const char *type, const char *name, char **memref, gint64 *first, gint64 *last)
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

static int
phase_number (const char *word)
{
  for (int p = 0; p < TL_N_PHASES; p++)
    if (g_strcmp0 (word, tl_phase_name (p)) == 0)
      return p;
  return -1;
}

static gboolean
is_integer_list (const TlAttr *attr, guint length)
{
  if (attr == NULL || attr->kind != TL_ATTR_ARRAY || attr->n_items != length)
    return FALSE;
  for (guint i = 0; i < length; i++)
    if (attr->items[i]->kind != TL_ATTR_INTEGER)
      return FALSE;
  return TRUE;
}

static gboolean
check_scalar_op (TlVerifier *verifier, const TlOp *op)
{
  TlType type = op->n_results > 0 ? op->results[0]->type : NULL;

  for (guint i = 0; i < op->n_operands; i++)
    if (op->operands[i]->type != type)
      return tl_ir_reject (verifier, op, "operand %u has the type %s, the result %s", i, op->operands[i]->type, type);
  return TRUE;
}

static gboolean
check_yield (TlVerifier *verifier, const TlOp *op)
{
  const TlOp *parent = parent_of (op);

  if (op->next != NULL)
    return tl_ir_reject (verifier, op, "stands before the end of its region");
  if (is (parent, "dp.semiring"))
    return op->n_operands == 1 || tl_ir_reject (verifier, op, "an operator yields one value, not %u", op->n_operands);
  if (!is (parent, "dp.blocked_update") && !is (parent, "dp.phase"))
    return tl_ir_reject (verifier, op, "does not belong in \"%s\"", parent->name);
  return op->n_operands == 0 || tl_ir_reject (verifier, op, "yields nothing in \"%s\"", parent->name);
}

static gboolean
check_semiring (TlVerifier *verifier, const TlOp *op)
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

static gboolean
check_data (TlVerifier *verifier, const TlOp *op)
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

static gboolean
check_semiring_use (TlVerifier *verifier, const TlOp *op)
{
  const char *symbol = tl_op_text (op, "semiring");

  if (!is (tl_module_symbol (verifier->module, symbol), "dp.semiring"))
    return tl_ir_reject (verifier, op, "semiring = @%s names no \"dp.semiring\"", symbol);
  return TRUE;
}

/* What C, the left and the right operand are indexed by, of (i, j, k). */
static const char *const product_maps[] = {
  "(d0, d1, d2) -> (d0, d1)",
  "(d0, d1, d2) -> (d0, d2)",
  "(d0, d1, d2) -> (d2, d1)",
};

static gboolean
check_dependences (TlVerifier *verifier, const TlOp *op)
{
  const TlAttr *maps = tl_op_attr (op, "maps");
  const TlAttr *deps = tl_op_attr (op, "deps");

  if (maps == NULL || deps == NULL || tl_op_attr (op, "cycle_check") == NULL)
    return tl_ir_reject (verifier, op, "maps, deps and cycle_check are needed here");
  for (guint m = 0; m < 3; m++)
    if (maps->n_items != 3 || maps->items[m]->kind != TL_ATTR_MAP
        || !g_str_equal (maps->items[m]->text, product_maps[m]))
      return tl_ir_reject (verifier, op, "maps are those of C[i,j], L[i,k], R[k,j]: number %u is not affine_map<%s>", m,
                           product_maps[m]);
  for (guint d = 0; d < deps->n_items; d++)
    {
      gint64 first = 0;

      if (!is_integer_list (deps->items[d], 3))
        return tl_ir_reject (verifier, op, "dependence %u is not a distance vector over i, j, k", d);
      for (guint i = 0; i < 3 && first == 0; i++)
        first = deps->items[d]->items[i]->integer;
      if (first <= 0)
        return tl_ir_reject (verifier, op, "dependence %u does not point forwards", d);
    }
  return deps->n_items > 0 || tl_ir_reject (verifier, op, "no dependence: each step of k needs the one before");
}

static gboolean
check_grid_update (TlVerifier *verifier, const TlOp *op)
{
  if (!check_semiring_use (verifier, op))
    return FALSE;
  if (op->operands[0]->type != op->results[0]->type)
    return tl_ir_reject (verifier, op, "the result has the type %s, the updated operand %s", op->results[0]->type,
                         op->operands[0]->type);
  if (is (parent_of (op), "dp.phase"))
    {
      if (tl_op_attr (op, "maps") != NULL || tl_op_attr (op, "deps") != NULL)
        return tl_ir_reject (verifier, op, "maps and deps of a tile's update stand on \"dp.blocked_update\"");
      return TRUE;
    }
  if (!is (parent_of (op), "builtin.module"))
    return tl_ir_reject (verifier, op, "does not belong in \"%s\"", parent_of (op)->name);
  if (verifier->group != 1)
    return tl_ir_reject (verifier, op, "is still whole after group %d; tiling makes it \"dp.blocked_update\"",
                         verifier->group);
  for (guint i = 0; i < 3; i++)
    if (!is (op->operands[i]->op, "dp.data"))
      return tl_ir_reject (verifier, op, "operand %u is not a \"dp.data\"", i);
  return check_dependences (verifier, op);
}

static gboolean
check_owner (TlVerifier *verifier, const TlOp *op, guint32 tiles)
{
  g_autofree char *body = tl_attr_body (tl_op_attr (op, "owner"), "gendram.owner");
  g_autofree char *reason = NULL;
  g_autoptr (TlOwnerRule) rule = NULL;
  const TlAttr *moves = tl_op_attr (op, "moves");
  gint64        pus = machine (verifier, "pus");
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

      if (!is_integer_list (moves->items[m], 3))
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
  const char    *barriers = knob (verifier, "barriers");
  const TlValue *token = NULL;
  const TlOp    *inner = op->regions[0]->blocks[0]->first;
  int            number = 0;

  for (int p = 0; p < TL_N_PHASES; p++, inner = inner->next)
    {
      gboolean wanted = verifier->group >= 4
                        && (g_str_equal (barriers, "strict") || (g_str_equal (barriers, "superstep") && p == 2));

      if (!is (inner, "dp.phase") || phase_number (tl_op_text (inner, "kind")) != p)
        return tl_ir_reject (verifier, inner != NULL ? inner : op, "phase order: expected the phase %s here",
                             tl_phase_name (p));
      if (inner->n_operands != (p > 0 ? 2 : 1) || (p > 0 && inner->operands[1] != token))
        return tl_ir_reject (verifier, inner, "the phase %s must wait for %s", tl_phase_name (p),
                             p > 0 ? tl_phase_name (p - 1) : "nothing but k");
      token = inner->results[0];
      if (wanted != is (inner->next, "gendram.barrier"))
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
  return is (inner, "dp.yield") || tl_ir_reject (verifier, op, "something stands behind the three phases");
}

static gboolean
check_blocked_update (TlVerifier *verifier, const TlOp *op)
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
  if (!g_str_equal (tl_op_text (op, "edges"), knob (verifier, "edges")))
    return tl_ir_reject (verifier, op, "edges = \"%s\" is not the knob's \"%s\"", tl_op_text (op, "edges"),
                         knob (verifier, "edges"));
  if (op->operands[0] != op->operands[1] || op->operands[0] != op->operands[2])
    return tl_ir_reject (verifier, op, "a closure's three operands are one matrix");
  if (op->operands[0]->type != op->results[0]->type)
    return tl_ir_reject (verifier, op, "the result has the type %s, the matrix %s", op->results[0]->type,
                         op->operands[0]->type);
  if (verifier->group < 3)
    memref = g_strdup (op->operands[0]->type);
  else if (!placed_type (op->operands[0]->type, "gendram.matrix", &memref, &first, &last))
    return tl_ir_reject (verifier, op, "the matrix is not placed: its type is %s", op->operands[0]->type);
  if (!tl_type_as_matrix (memref, &rows, &columns, NULL) || rows != (guint64) n || columns != (guint64) n)
    return tl_ir_reject (verifier, op, "the matrix %s is not n x n", memref);
  if (verifier->group >= 3 && !check_owner (verifier, op, (guint32) tiles))
    return FALSE;
  return check_semiring_use (verifier, op) && check_dependences (verifier, op) && check_phases (verifier, op);
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
static gboolean
check_phase (TlVerifier *verifier, const TlOp *op)
{
  static const guint8      index_of[3][2] = { { 0, 1 }, { 0, 2 }, { 2, 1 } };
  static const char *const operand_names[] = { "C", "left", "right" };
  static const char *const index_names[] = { "i", "j", "k" };
  int                      phase = phase_number (tl_op_text (op, "kind"));
  const TlOp              *blocked = parent_of (op);
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
      if (!is (inner, "dp.tile"))
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
      if (!is (inner, "gendram.copy") || inner->operands[0] != tiles[t])
        return tl_ir_reject (verifier, op, "expected the \"gendram.copy\" of %s in the phase %s", operand_names[t],
                             tl_phase_name (phase));
      tiles[t] = inner->results[0];
    }
  if (!is (inner, "dp.grid_update"))
    return tl_ir_reject (verifier, op, "expected \"dp.grid_update\", not \"%s\"", inner->name);
  for (guint t = 0; t < 3; t++)
    if (inner->operands[t] != tiles[t])
      return tl_ir_reject (verifier, inner, "operand %u in the phase %s is not %s", t, tl_phase_name (phase),
                           operand_names[t]);
  if (!is (inner->next, "dp.store") || inner->next->operands[0] != inner->results[0]
      || inner->next->operands[1] != blocked->operands[0] || inner->next->operands[2] != index[0]
      || inner->next->operands[3] != index[1])
    return tl_ir_reject (verifier, op, "expected the \"dp.store\" of the updated tile to (i,j)");
  tiles[0] = inner->results[0];
  inner = inner->next->next;
  if (communicates && phase < 2)
    {
      if (!is (inner, "gendram.broadcast") || inner->operands[0] != tiles[0])
        return tl_ir_reject (verifier, op, "expected the \"gendram.broadcast\" of the updated tile in the phase %s",
                             tl_phase_name (phase));
      inner = inner->next;
    }
  return is (inner, "dp.yield") || tl_ir_reject (verifier, op, "\"%s\" does not belong behind the update", inner->name);
}

static gboolean
check_tile (TlVerifier *verifier, const TlOp *op)
{
  const TlOp      *blocked = parent_of (op) != NULL ? parent_of (parent_of (op)) : NULL;
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
  else if (!placed_type (op->operands[0]->type, "gendram.matrix", &matrix, &tiers[0], &tiers[1])
           || !placed_type (op->results[0]->type, "gendram.tile", &tile, &tiers[2], &tiers[3]) || tiers[0] != tiers[2]
           || tiers[1] != tiers[3])
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

static gboolean
check_lifetime (TlVerifier *verifier, const TlOp *op)
{
  int from = phase_number (tl_op_text (op, "from"));
  int to = phase_number (tl_op_text (op, "to"));

  if (from < 0 || to < from)
    return tl_ir_reject (verifier, op, "lifetime: from \"%s\" to \"%s\" is not from a phase to the same or a later one",
                         tl_op_text (op, "from"), tl_op_text (op, "to"));
  if (tl_op_integer (op, "elements", 0) > tl_op_integer (op, "padded_elements", 0))
    return tl_ir_reject (verifier, op, "more elements than padded ones");
  return TRUE;
}

static gboolean
check_buffer (TlVerifier *verifier, const TlOp *op)
{
  gint64 sum = 0;
  gint64 bytes;

  for (const TlOp *other = op->block->first; other != NULL; other = other->next)
    if (is (other, "dp.buffer")
        && (__builtin_mul_overflow (tl_op_integer (other, "bytes", 0), tl_op_integer (other, "sets", 1), &bytes)
            || __builtin_add_overflow (sum, bytes, &sum)))
      return tl_ir_reject (verifier, op, "the buffers' bytes do not fit 64 bits");
  if (sum > machine (verifier, "sram_bytes"))
    return tl_ir_reject (verifier, op,
                         "the buffers take %" G_GINT64_FORMAT " bytes together, the PU has %" G_GINT64_FORMAT, sum,
                         machine (verifier, "sram_bytes"));
  return check_lifetime (verifier, op);
}

/* [[tier, bytes], ...], tiers rising, together @bytes; first and last of them. */
static gboolean
check_shares (TlVerifier *verifier, const TlOp *op, gint64 *first, gint64 *last)
{
  const TlAttr *shares = tl_op_attr (op, "shares");
  gint64        tiers = machine (verifier, "tiers");
  gint64        sum = 0;

  *first = *last = -1;
  for (guint s = 0; s < shares->n_items; s++)
    {
      gint64 tier;

      if (!is_integer_list (shares->items[s], 2))
        return tl_ir_reject (verifier, op, "share %u is not [tier, bytes]", s);
      tier = shares->items[s]->items[0]->integer;
      if (tier < 0 || tier >= tiers)
        return tl_ir_reject (verifier, op,
                             "tier %" G_GINT64_FORMAT " of share %u: the stack has tiers 0 to %" G_GINT64_FORMAT, tier,
                             s, tiers - 1);
      if (tier <= *last)
        return tl_ir_reject (verifier, op, "the shares' tiers do not rise");
      if (shares->items[s]->items[1]->integer < 1
          || __builtin_add_overflow (sum, shares->items[s]->items[1]->integer, &sum))
        return tl_ir_reject (verifier, op, "share %u has no bytes", s);
      *first = s == 0 ? tier : *first;
      *last = tier;
    }
  if (sum != tl_op_integer (op, "bytes", 0))
    return tl_ir_reject (verifier, op, "the shares hold %" G_GINT64_FORMAT " bytes, the object has %" G_GINT64_FORMAT,
                         sum, tl_op_integer (op, "bytes", 0));
  return shares->n_items > 0 || tl_ir_reject (verifier, op, "tier missing: the object lies nowhere");
}

static gboolean
check_place (TlVerifier *verifier, const TlOp *op)
{
  const TlAttr    *reserved = tl_op_attr (op, "reserved");
  const char      *rule = tl_op_text (op, "rule");
  gint64           tiers = machine (verifier, "tiers");
  gint64           share_first;
  gint64           share_last;
  gint64           first;
  gint64           last;
  g_autofree char *memref = NULL;

  if (!g_str_equal (rule, "tier") && !g_str_equal (rule, "fill") && !g_str_equal (rule, "stripe"))
    return tl_ir_reject (verifier, op, "rule = \"%s\" is not tier, fill or stripe", rule);
  first = tl_op_integer (op, "first", 0);
  last = tl_op_integer (op, "last", 0);
  if (first > last || last >= tiers)
    return tl_ir_reject (verifier, op,
                         "tiers %" G_GINT64_FORMAT "..%" G_GINT64_FORMAT ": the stack has tiers 0 to %" G_GINT64_FORMAT,
                         first, last, tiers - 1);
  if (!is_integer_list (reserved, (guint) tiers))
    return tl_ir_reject (verifier, op, "reserved does not give the bytes of each of %" G_GINT64_FORMAT " tiers", tiers);
  if (!check_shares (verifier, op, &share_first, &share_last))
    return FALSE;
  if (!placed_type (op->results[0]->type, "gendram.matrix", &memref, &first, &last)
      || !g_str_equal (memref, op->operands[0]->type) || first != share_first || last != share_last)
    return tl_ir_reject (verifier, op,
                         "the result %s is not the operand %s in the tiers %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT,
                         op->results[0]->type, op->operands[0]->type, share_first, share_last);
  return TRUE;
}

static gboolean
check_reserve (TlVerifier *verifier, const TlOp *op)
{
  gint64 first;
  gint64 last;

  return check_shares (verifier, op, &first, &last) && check_lifetime (verifier, op);
}

static gboolean
check_copy (TlVerifier *verifier, const TlOp *op)
{
  g_autofree char *from = NULL;
  g_autofree char *to = NULL;
  gint64           tiers[4];
  gboolean         home = g_str_equal (knob (verifier, "copies"), "home");

  if (!placed_type (op->operands[0]->type, "gendram.tile", &from, &tiers[0], &tiers[1])
      || !placed_type (op->results[0]->type, "gendram.tile", &to, &tiers[2], &tiers[3]) || !g_str_equal (from, to))
    return tl_ir_reject (verifier, op, "tier missing: a copy of %s is not %s", op->operands[0]->type,
                         op->results[0]->type);
  if (home ? tiers[2] != tiers[0] || tiers[3] != tiers[1] : tiers[2] != 0 || tiers[3] != 0)
    return tl_ir_reject (verifier, op,
                         "copies = %s, but the copy lies in the tiers %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT,
                         knob (verifier, "copies"), tiers[2], tiers[3]);
  if (!g_str_equal (tl_op_text (op, "writes"), knob (verifier, "copy_writes")))
    return tl_ir_reject (verifier, op, "writes = \"%s\" is not the knob's \"%s\"", tl_op_text (op, "writes"),
                         knob (verifier, "copy_writes"));
  return TRUE;
}

static gboolean
check_broadcast (TlVerifier *verifier, const TlOp *op)
{
  if (!g_str_equal (tl_op_text (op, "ring"), knob (verifier, "ring")))
    return tl_ir_reject (verifier, op, "ring = \"%s\" is not the knob's \"%s\"", tl_op_text (op, "ring"),
                         knob (verifier, "ring"));
  return TRUE;
}

static gboolean
check_barrier (TlVerifier *verifier, const TlOp *op)
{
  if (!is (op->operands[0]->op, "dp.phase"))
    return tl_ir_reject (verifier, op, "waits for a phase's token, not for %s", op->operands[0]->type);
  return TRUE;
}

#define SCALAR_OP(name, operands)                                                                                      \
  {                                                                                                                    \
    name, "dp.semiring", operands, operands, 1, 0, 0, NULL, { { NULL } }, check_scalar_op                              \
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
    check_semiring },
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
    check_scalar_op },
  { "dp.yield", NULL, 0, 1, 0, 0, 0, NULL, { { NULL } }, check_yield },
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
      { "name", TL_ATTR_STRING, 0 },
      { "source", TL_ATTR_STRING, 0 } },
    check_data },
  { "dp.grid_update",
    NULL,
    3,
    3,
    1,
    0,
    0,
    NULL,
    { { "cycle_check", TL_ATTR_BOOL, 9 },
      { "deps", TL_ATTR_ARRAY, 9 },
      { "maps", TL_ATTR_ARRAY, 9 },
      { "semiring", TL_ATTR_SYMBOL, 0 } },
    check_grid_update },
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
    check_buffer },
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
    check_blocked_update },
  { "dp.phase",
    "dp.blocked_update",
    1,
    2,
    1,
    1,
    2,
    "dp.yield",
    { { "kind", TL_ATTR_STRING, 0 }, { "reads", TL_ATTR_ARRAY, 0 } },
    check_phase },
  { "dp.tile", "dp.phase", 3, 3, 1, 0, 0, NULL, { { NULL } }, check_tile },
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
    check_place },
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
    check_reserve },
  { "gendram.copy", "dp.phase", 1, 1, 1, 0, 0, NULL, { { "writes", TL_ATTR_STRING, 0 } }, check_copy },
  { "gendram.broadcast", "dp.phase", 1, 1, 0, 0, 0, NULL, { { "ring", TL_ATTR_STRING, 0 } }, check_broadcast },
  { "gendram.barrier",
    "dp.blocked_update",
    1,
    1,
    0,
    0,
    0,
    NULL,
    { { "number", TL_ATTR_INTEGER, 0, 0, 2 } },
    check_barrier },
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
  if (rule->parent != NULL && !is (parent_of (op), rule->parent))
    return tl_ir_reject (verifier, op, "belongs in \"%s\", not in \"%s\"", rule->parent,
                         parent_of (op) != NULL ? parent_of (op)->name : "");
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
      if (rule->terminator != NULL && !is (block->last, rule->terminator))
        return tl_ir_reject (verifier, op, "region %u does not end with \"%s\"", r, rule->terminator);
      for (guint a = 0; a < block->n_arguments && !is (op, "dp.semiring"); a++)
        if (!g_str_equal (block->arguments[a]->type, "index"))
          return tl_ir_reject (verifier, op, "argument %u of region %u is no index", a, r);
    }
  return TRUE;
}

static const OpRule *
rule_of (const TlOp *op)
{
  for (guint r = 0; r < G_N_ELEMENTS (rules); r++)
    if (is (op, rules[r].name))
      return &rules[r];
  return NULL;
}

gboolean
tl_ir_check_shape (TlVerifier *verifier, const TlOp *op)
{
  const OpRule *rule = rule_of (op);

  if (rule == NULL)
    return tl_ir_reject (verifier, op, "is no operation of the dialects dp and gendram");
  return check_shape (verifier, op, rule) && check_attrs (verifier, op, rule);
}

gboolean
tl_ir_check_meaning (TlVerifier *verifier, const TlOp *op)
{
  const OpRule *rule = rule_of (op);

  return rule->check == NULL || rule->check (verifier, op);
}

/* Knobs whose values are words; NULL-ended by the naming function. */
static gboolean
is_word (const char *text, const char *(*name) (int) )
{
  const char *word;

  for (int v = 0; (word = name (v)) != NULL; v++)
    if (g_str_equal (word, text))
      return TRUE;
  return FALSE;
}

#define WORDS(function)                                                                                                \
  static const char *word_##function (int value)                                                                       \
  {                                                                                                                    \
    return tl_##function##_name (value);                                                                               \
  }

WORDS (barriers)
WORDS (baseline)
WORDS (copies)
WORDS (copy_writes)
WORDS (edges)
WORDS (page)
WORDS (ring)
WORDS (values)

static const char *
word_place (int value)
{
  return value == 0 ? "auto" : tl_place_name (value - 1);
}

typedef struct
{
  const char *key;
  const char *(*word) (int);
  gint64 low;
  gint64 high;
} KnobRule;

/* owner and moves have rules of their own. */
static const KnobRule knob_rules[] = {
  { "barriers", word_barriers },
  { "baseline", word_baseline },
  { "buffers", NULL, 1, 2 },
  { "compute", NULL, 0, TL_MAX_PUS },
  { "copies", word_copies },
  { "copy_writes", word_copy_writes },
  { "edges", word_edges },
  { "page", word_page },
  { "place", word_place },
  { "place_first", NULL, 0, TL_MAX_TIERS - 1 },
  { "place_last", NULL, 0, TL_MAX_TIERS - 1 },
  { "precision", NULL, 1, 64 },
  { "ring", word_ring },
  { "search", NULL, 0, TL_MAX_PUS },
  { "seed", NULL, ANY_NUMBER },
  { "tile", NULL, 0, G_MAXUINT32 },
  { "values", word_values },
};

static gboolean
check_knobs (TlVerifier *verifier)
{
  const TlOp   *op = verifier->module->op;
  const TlAttr *knobs = tl_op_attr (op, "gendram.knobs");
  const TlAttr *owner = tl_attr_get (knobs, "owner");
  const TlAttr *moves = tl_attr_get (knobs, "moves");
  const guint   wanted = G_N_ELEMENTS (knob_rules) + 1;

  for (guint k = 0; k < G_N_ELEMENTS (knob_rules); k++)
    {
      const KnobRule *rule = &knob_rules[k];
      const TlAttr   *value = tl_attr_get (knobs, rule->key);

      if (value == NULL)
        return tl_ir_reject (verifier, op, "gendram.knobs: %s is missing", rule->key);
      if (rule->word != NULL
              ? value->kind != TL_ATTR_STRING || !is_word (value->text, rule->word)
              : value->kind != TL_ATTR_INTEGER || value->integer < rule->low || value->integer > rule->high)
        return tl_ir_reject (verifier, op, "gendram.knobs: %s has a value that it cannot have", rule->key);
    }
  if (owner == NULL || owner->kind != TL_ATTR_STRING || (moves != NULL && moves->kind != TL_ATTR_ARRAY))
    return tl_ir_reject (verifier, op, "gendram.knobs: owner is a string, moves a list");
  if (knobs->n_items != wanted + (moves != NULL))
    return tl_ir_reject (verifier, op, "gendram.knobs has %u entries, not %u", knobs->n_items, wanted);
  return TRUE;
}

gboolean
tl_ir_check_module (TlVerifier *verifier)
{
  static const struct
  {
    const char *name;
    guint       least[5];
    guint       most[5];
  } counts[] = {
    /* by group; 0 is never reached: dp.group is required */
    { "dp.semiring", { 0, 1, 1, 1, 1 }, { 0, 1, 1, 1, 1 } },
    { "dp.data", { 0, 1, 1, 1, 1 }, { 0, 1024, 1024, 1024, 1024 } },
    { "dp.grid_update", { 0, 1, 0, 0, 0 }, { 0, 1, 0, 0, 0 } },
    { "dp.blocked_update", { 0, 0, 1, 1, 1 }, { 0, 0, 1, 1, 1 } },
    { "dp.buffer", { 0, 0, 3, 3, 3 }, { 0, 0, 3, 3, 3 } },
    { "gendram.place", { 0, 0, 0, 1, 1 }, { 0, 0, 0, 1, 1 } },
    { "gendram.reserve", { 0, 0, 0, 0, 0 }, { 0, 0, 0, 1, 1 } },
    { "dp.result", { 0, 1, 1, 1, 1 }, { 0, 1, 1, 1, 1 } },
  };
  const TlOp *op = verifier->module->op;
  gint64      pus = machine (verifier, "pus");
  gint64      tiers = machine (verifier, "tiers");

  if (pus < 1 || pus > TL_MAX_PUS || tiers < 1 || tiers > TL_MAX_TIERS)
    return tl_ir_reject (verifier, op, "gendram.target has no sensible pus and tiers");
  if (verifier->group >= 3 && !g_str_equal (tl_op_text (op, "gendram.mode"), "broadcast"))
    return tl_ir_reject (verifier, op, "gendram.mode = \"%s\": a closure broadcasts", tl_op_text (op, "gendram.mode"));
  for (guint c = 0; c < G_N_ELEMENTS (counts); c++)
    {
      guint found = 0;

      for (const TlOp *inner = op->regions[0]->blocks[0]->first; inner != NULL; inner = inner->next)
        found += is (inner, counts[c].name);
      if (found < counts[c].least[verifier->group] || found > counts[c].most[verifier->group])
        return tl_ir_reject (verifier, op, "holds %u \"%s\" after group %d, not %u", found, counts[c].name,
                             verifier->group,
                             found < counts[c].least[verifier->group] ? counts[c].least[verifier->group]
                                                                      : counts[c].most[verifier->group]);
    }
  return check_knobs (verifier);
}
