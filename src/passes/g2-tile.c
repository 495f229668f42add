/* Pass group G2: tile size, tile order and dependences. The order follows from what is
 * read where, not from the problem's name; the blocked one becomes three phases, each
 * waiting for the one before. GenMLIR section 3.3, Eq. 3; models.md section 3. */
#include "passes/passes-private.h"

#include "base/number.h"
#include "passes/traversal.h"

#include <string.h>

typedef struct
{
  TlModule    *module;
  TlPimKnobs   knobs;
  TlPimMachine machine;
  TlOp        *update;  /* the whole one */
  TlOp        *blocked; /* what it becomes */
  TlType       tile_type;
  guint32      n;
  guint32      tile;
  guint32      limit;
} Tiling;

/* Positions of i, j in an affine map's two results: "(d0, d1, d2) -> (d0, d2)". */
static gboolean
map_results (const TlAttr *map, guint results[2])
{
  const char *arrow = map->kind == TL_ATTR_MAP ? strstr (map->text, "-> (d") : NULL;
  const char *comma = arrow != NULL ? strstr (arrow, ", d") : NULL;

  if (comma == NULL || comma != arrow + 6)
    return FALSE;
  results[0] = (guint) (arrow[5] - '0');
  results[1] = (guint) (comma[3] - '0');
  return results[0] < 3 && results[1] < 3;
}

TlTraversal
tl_traversal_of (const TlOp *update)
{
  const TlAttr *maps = tl_op_attr (update, "maps");
  guint         output[2];
  gboolean      reduces = FALSE;
  gboolean      feeds_back = FALSE;

  if (maps == NULL && tl_op_attr (update, "alternatives") != NULL && tl_op_attr (update, "deps") != NULL)
    return TL_TRAVERSAL_WAVEFRONT;
  if (maps == NULL || maps->kind != TL_ATTR_ARRAY || maps->n_items != update->n_operands || maps->n_items == 0
      || !map_results (maps->items[0], output))
    return TL_TRAVERSAL_NONE;
  for (guint m = 1; m < maps->n_items; m++)
    {
      guint read[2];

      if (!map_results (maps->items[m], read))
        return TL_TRAVERSAL_NONE;
      /* A loop that the output is not indexed by is summed over. */
      for (guint r = 0; r < 2; r++)
        if (read[r] != output[0] && read[r] != output[1])
          {
            reduces = TRUE;
            feeds_back |= update->operands[m] == update->operands[0];
          }
    }
  if (reduces)
    return feeds_back ? TL_TRAVERSAL_BLOCKED : TL_TRAVERSAL_PRODUCT;
  return tl_op_attr (update, "deps") != NULL ? TL_TRAVERSAL_WAVEFRONT : TL_TRAVERSAL_NONE;
}

const char *
tl_traversal_name (TlTraversal traversal)
{
  static const char *const names[] = { "none", "blocked", "wavefront", "product" };

  return names[traversal];
}

/* The tile side: the knob's, or the largest that the PU's memory takes. */
static gboolean
choose_tile (Tiling *tiling, TlDiags *diags)
{
  TlModule *module = tiling->module;
  guint64   tiles;

  tiling->limit = tl_largest_tile (tiling->machine.sram_bytes, tiling->knobs.precision, tiling->knobs.buffers);
  tiling->tile = tiling->knobs.tile > 0 ? tiling->knobs.tile : tiling->limit;
  if (tiling->limit == 0 || tiling->tile > tiling->limit)
    {
      tl_pass_error (diags, tl_pass_with_knob (module, tiling->update->location, "tile"), "tile-too-large",
                     "tile = %u: the PU's memory takes at most %u", tiling->tile, tiling->limit);
      return FALSE;
    }
  tiles = tl_ceil_div (tiling->n, tiling->tile);
  if (tiles > TL_MAX_TILES)
    {
      g_autofree char *count = tl_format_count (tiles);
      TlDiag          *diag
          = tl_pass_error (diags, tl_pass_with_knob (module, tiling->update->location, "tile"), "tile-too-small",
                           "tile = %u: %s tiles a side, at most %u can be scheduled; smallest legal %" G_GUINT64_FORMAT,
                           tiling->tile, count, TL_MAX_TILES, tl_ceil_div (tiling->n, TL_MAX_TILES));

      tl_diag_reason (diag, "n = %u nodes in tiles of %u a side", tiling->n, tiling->tile);
      return FALSE;
    }
  return TRUE;
}

/* One set of three tiles, C, left and right; the pivot of row and column tiles takes
 * the place of left or right. Bytes are packed. */
static void
add_buffers (Tiling *tiling)
{
  static const struct
  {
    const char *name;
    TlPhase     from;
  } buffers[] = { { "C", TL_PHASE_PIVOT }, { "left", TL_PHASE_CROSS }, { "right", TL_PHASE_CROSS } };
  TlModule *module = tiling->module;
  guint32   side = tl_tile_side (tiling->n, tiling->tile, tiling->knobs.edges, 0);

  for (guint b = 0; b < G_N_ELEMENTS (buffers); b++)
    {
      const TlLocation *own = tl_pass_place (tiling->update->location, buffers[b].name);
      TlOp             *op = tl_op_new (module, "dp.buffer", own != NULL ? own : tiling->update->location);

      tl_op_set (
          op, "bytes",
          tl_attr_integer (module, (gint64) tl_tile_bytes (tiling->tile, tiling->tile, tiling->knobs.precision)));
      tl_op_set (op, "elements", tl_attr_integer (module, (gint64) side * side));
      tl_op_set (op, "from", tl_attr_string (module, tl_phase_name (buffers[b].from)));
      tl_op_set (op, "name", tl_attr_string (module, buffers[b].name));
      tl_op_set (op, "padded_elements", tl_attr_integer (module, (gint64) tiling->tile * tiling->tile));
      tl_op_set (op, "sets", tl_attr_integer (module, tiling->knobs.buffers));
      tl_op_set (op, "to", tl_attr_string (module, tl_phase_name (TL_PHASE_INTERNAL)));
      tl_block_insert (tl_module_body (module), tiling->update, op);
    }
}

/* The tile of operand @name: rows and columns by the values that its map picks. */
static TlValue *
add_tile (Tiling *tiling, TlBlock *block, guint operand, TlValue *const index[3], const TlLocation *location)
{
  const TlAttr *map = tl_op_attr (tiling->update, "maps")->items[operand];
  TlOp         *op = tl_op_new (tiling->module, "dp.tile", location);
  guint         results[2];

  map_results (map, results);
  tl_op_add_operand (op, tiling->update->operands[operand]);
  tl_op_add_operand (op, index[results[0]]);
  tl_op_add_operand (op, index[results[1]]);
  tl_block_append (block, op);
  return tl_op_add_result (op, tiling->tile_type);
}

static void
add_reads (TlModule *module, TlOp *op, TlPhase phase)
{
  static const TlOperand order[TL_N_PHASES][3] = {
    [TL_PHASE_PIVOT] = { TL_OPERAND_C },
    [TL_PHASE_CROSS] = { TL_OPERAND_C, TL_OPERAND_PIVOT },
    [TL_PHASE_INTERNAL] = { TL_OPERAND_C, TL_OPERAND_LEFT, TL_OPERAND_RIGHT },
  };
  const TlAttr *reads[3];

  for (guint r = 0; r <= phase; r++)
    reads[r] = tl_attr_string (module, tl_operand_name (order[phase][r]));
  tl_op_set (op, "reads", tl_attr_array (module, reads, phase + 1));
}

/* One phase: all (i,j) of its kind; it waits for the phase before, whose token it takes. */
static TlOp *
add_phase (Tiling *tiling, TlPhase phase, TlValue *k, TlValue *token)
{
  static const char *const operands[] = { "C", "left", "right" };
  TlModule                *module = tiling->module;
  TlOp                    *op = tl_op_new (module, "dp.phase", tiling->update->location);
  TlBlock                 *block = tl_op_add_region (op);
  TlValue                 *i = tl_block_add_argument (block, tl_type (module, "index"));
  TlValue                 *j = tl_block_add_argument (block, tl_type (module, "index"));
  TlValue                 *index[] = { i, j, k };
  TlValue                 *tiles[3];
  TlOp                    *update;
  TlOp                    *store;

  for (guint o = 0; o < 3; o++)
    {
      const TlLocation *own = tl_pass_place (tiling->update->location, operands[o]);

      tiles[o] = add_tile (tiling, block, o, index, own != NULL ? own : tiling->update->location);
    }
  update = tl_op_new (module, "dp.grid_update", tiling->update->location);
  for (guint o = 0; o < 3; o++)
    tl_op_add_operand (update, tiles[o]);
  tl_op_add_result (update, tiling->tile_type);
  tl_op_set (update, "semiring", tl_op_attr (tiling->update, "semiring"));
  tl_block_append (block, update);
  store = tl_op_new (module, "dp.store", update->location);
  tl_op_add_operand (store, update->results[0]);
  tl_op_add_operand (store, tiling->update->operands[0]);
  tl_op_add_operand (store, i);
  tl_op_add_operand (store, j);
  tl_block_append (block, store);
  tl_block_append (block, tl_op_new (module, "dp.yield", update->location));
  tl_op_add_operand (op, k);
  if (token != NULL)
    tl_op_add_operand (op, token);
  tl_op_add_result (op, tl_type (module, "!dp.token"));
  tl_op_set (op, "kind", tl_attr_string (module, tl_phase_name (phase)));
  add_reads (module, op, phase);
  return op;
}

static void
add_blocked (Tiling *tiling)
{
  static const char *const kept[] = { "cycle_check", "deps", "maps", "semiring" };
  TlModule                *module = tiling->module;
  TlOp    *op = tl_op_new (module, "dp.blocked_update", tl_pass_with_knob (module, tiling->update->location, "tile"));
  TlBlock *block = tl_op_add_region (op);
  TlValue *k = tl_block_add_argument (block, tl_type (module, "index"));
  TlValue *token = NULL;

  for (guint o = 0; o < 3; o++)
    tl_op_add_operand (op, tiling->update->operands[o]);
  tl_op_add_result (op, tiling->update->results[0]->type);
  for (guint a = 0; a < G_N_ELEMENTS (kept); a++)
    tl_op_set (op, kept[a], tl_op_attr (tiling->update, kept[a]));
  tl_op_set (op, "edges", tl_attr_string (module, tl_edges_name (tiling->knobs.edges)));
  tl_op_set (op, "element_bits", tl_attr_integer (module, tiling->knobs.precision));
  tl_op_set (op, "limit", tl_attr_integer (module, tiling->limit));
  tl_op_set (op, "n", tl_attr_integer (module, tiling->n));
  tl_op_set (op, "tile", tl_attr_integer (module, tiling->tile));
  tl_op_set (op, "tiles", tl_attr_integer (module, (gint64) tl_ceil_div (tiling->n, tiling->tile)));
  tl_op_set (op, "traversal", tl_attr_string (module, tl_traversal_name (TL_TRAVERSAL_BLOCKED)));
  for (TlPhase phase = TL_PHASE_PIVOT; phase <= TL_PHASE_INTERNAL; phase++)
    {
      TlOp *inner = add_phase (tiling, phase, k, token);

      tl_block_append (block, inner);
      token = inner->results[0];
    }
  tl_block_append (block, tl_op_new (module, "dp.yield", op->location));
  tl_block_insert (tl_module_body (module), tiling->update, op);
  tl_module_replace (module, tiling->update->results[0], op->results[0]);
  tl_op_remove (tiling->update);
}

static gboolean
check_traversal (Tiling *tiling, TlDiags *diags)
{
  TlTraversal traversal = tl_traversal_of (tiling->update);
  TlDiag     *diag;

  if (traversal == TL_TRAVERSAL_BLOCKED)
    return TRUE;
  diag = tl_pass_error (diags, tiling->update->location, "not-on-this-target",
                        "a recurrence in %s order does not run here yet", tl_traversal_name (traversal));
  tl_diag_reason (diag, "its dependences are not those of a closure, which goes by super-steps");
  return FALSE;
}

/* The algorithm's name, which until now only the module's location holds. */
static void
name_program (TlModule *module)
{
  const TlLocation *location = tl_module_op (module)->location;

  tl_op_set (tl_module_op (module), "dp.program",
             tl_attr_string (module, location->kind == TL_LOCATION_NAME ? location->text : "program"));
}

gboolean
tl_g2_tile (TlModule *module, TlDiags *diags)
{
  g_auto (TlPimKnobs) knobs = { 0 };
  Tiling           tiling = { .module = module };
  g_autofree char *element = NULL;
  g_autofree char *tile_text = NULL;
  guint64          rows;
  guint64          columns;

  if (!tl_pass_expect (module, TL_GROUP_G1, diags) || !tl_pim_knobs_from_module (&knobs, module, diags)
      || !tl_machine_from_module (&tiling.machine, NULL, module, diags))
    return FALSE;
  tiling.knobs = knobs;
  tiling.update = tl_module_find (module, "dp.grid_update");
  if (tl_traversal_of (tiling.update) == TL_TRAVERSAL_WAVEFRONT && tl_op_attr (tiling.update, "alternatives") != NULL)
    {
      if (!tl_g2_wave (module, tiling.update, &tiling.knobs, &tiling.machine, diags))
        return FALSE;
      name_program (module);
      tl_pass_done (module, TL_GROUP_G2);
      return TRUE;
    }
  if (!check_traversal (&tiling, diags))
    return FALSE;
  if (!tl_type_as_matrix (tiling.update->results[0]->type, &rows, &columns, &element) || rows == 0 || rows != columns
      || rows > G_MAXINT32)
    {
      tl_pass_error (diags, tiling.update->location, "unknown-extent", "the matrix %s is not n x n with a known n",
                     tiling.update->results[0]->type);
      return FALSE;
    }
  tiling.n = (guint32) rows;
  if (!choose_tile (&tiling, diags))
    return FALSE;
  tiling.tile_type = tl_type_matrix (module, tiling.tile, tiling.tile, element);
  add_buffers (&tiling);
  add_blocked (&tiling);
  name_program (module);
  tl_pass_done (module, TL_GROUP_G2);
  return TRUE;
}
