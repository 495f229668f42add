/* The pass groups of a product on a compute unit. G2 cuts it into tiles of C, each with a loop along k; G3 gives the
 * operands' tiles their places; G4 makes the reads asynchronous copies by descriptors, into stages. */
#include "passes/passes-private.h"

#include "base/hash.h"
#include "base/number.h"
#include "ir/semiring-op.h"
#include "passes/traversal.h"
#include "place/signature.h"

#include <string.h>

static const char *const operand_names[] = { "left", "right" };

static const TlLocation *
own_place (const TlOp *update, const char *name)
{
  const TlLocation *own = tl_pass_place (update->location, name);

  return own != NULL ? own : update->location;
}

/* The type of an operand's tile. */
static TlType
tile_type (TlModule *module, const TlCuKnobs *knobs, TlGemmOperand operand)
{
  const TlGemmShape *shape = &knobs->product.shape;
  g_autofree char   *word = tl_element_mlir_name (knobs->product.type[operand]);

  if (operand == TL_GEMM_A)
    return tl_type_matrix (module, shape->tile_m, shape->tile_k, word);
  return shape->transposed ? tl_type_matrix (module, shape->tile_n, shape->tile_k, word)
                           : tl_type_matrix (module, shape->tile_k, shape->tile_n, word);
}

/* --- G2 --- */

static void
add_tile (TlModule *module, TlBlock *block, const TlOp *update, const TlCuKnobs *knobs, TlGemmOperand operand,
          TlValue *const index[3], TlValue **tile)
{
  TlOp *op = tl_op_new (module, "tile.operand", own_place (update, operand_names[operand]));

  tl_op_add_operand (op, update->operands[operand + 1]);
  tl_op_add_operand (op, operand == TL_GEMM_A ? index[0] : index[1]);
  tl_op_add_operand (op, index[2]);
  tl_block_append (block, op);
  *tile = tl_op_add_result (op, tile_type (module, knobs, operand));
}

static void
add_loop (TlModule *module, TlOp *op, const TlOp *update, const TlCuKnobs *knobs)
{
  const TlGemmShape *shape = &knobs->product.shape;
  g_autofree char   *word = tl_element_mlir_name (knobs->result);
  TlType             c_type = tl_type_matrix (module, shape->tile_m, shape->tile_n, word);
  TlBlock           *block = tl_op_add_region (op);
  TlValue           *index[3], *tiles[TL_N_GEMM_OPERANDS];

  for (guint i = 0; i < 3; i++)
    index[i] = tl_block_add_argument (block, tl_type (module, "index"));
  TlOp *sums = tl_op_new (module, "tile.accumulator", own_place (update, "C"));
  tl_op_add_operand (sums, index[0]);
  tl_op_add_operand (sums, index[1]);
  tl_op_add_result (sums, c_type);
  tl_block_append (block, sums);
  for (TlGemmOperand i = TL_GEMM_A; i < TL_N_GEMM_OPERANDS; i++)
    add_tile (module, block, update, knobs, i, index, &tiles[i]);
  TlOp *multiply = tl_op_new (module, "dp.grid_update", update->location);
  tl_op_add_operand (multiply, sums->results[0]);
  for (guint i = 0; i < TL_N_GEMM_OPERANDS; i++)
    tl_op_add_operand (multiply, tiles[i]);
  tl_op_add_result (multiply, c_type);
  tl_op_set (multiply, "semiring", tl_op_attr (update, "semiring"));
  tl_block_append (block, multiply);
  tl_block_append (block, tl_op_new (module, "dp.yield", update->location));
}

gboolean
tl_product_tile (TlModule *module, TlDiags *diags)
{
  static const char *const kept[] = { "deps", "maps", "semiring" };
  TlCuKnobs                knobs;

  if (!tl_pass_expect (module, TL_GROUP_G1, diags) || !tl_cu_knobs_from_module (&knobs, module, diags))
    return FALSE;
  TlOp              *update = tl_module_find (module, "dp.grid_update");
  const TlGemmShape *shape = &knobs.product.shape;
  const gint64       size[] = { shape->m, shape->n, shape->k };
  const gint64       tile[] = { shape->tile_m, shape->tile_n, shape->tile_k };
  const gint64       tiles[]
      = { (gint64) tl_ceil_div (shape->m, shape->tile_m), (gint64) tl_ceil_div (shape->n, shape->tile_n),
          (gint64) tl_ceil_div (shape->k, shape->tile_k) };
  TlOp *op = tl_op_new (module, "tile.product", tl_pass_with_knob (module, update->location, "tile"));

  for (guint i = 0; i < 3; i++)
    tl_op_add_operand (op, update->operands[i]);
  tl_op_add_result (op, update->results[0]->type);
  for (guint a = 0; a < G_N_ELEMENTS (kept); a++)
    tl_op_set (op, kept[a], tl_op_attr (update, kept[a]));
  tl_op_set (op, "size", tl_attr_integers (module, size, 3));
  tl_op_set (op, "tile", tl_attr_integers (module, tile, 3));
  tl_op_set (op, "tiles", tl_attr_integers (module, tiles, 3));
  tl_op_set (op, "traversal", tl_attr_string (module, tl_traversal_name (tl_traversal_of (update))));
  add_loop (module, op, update, &knobs);
  tl_block_insert (tl_module_body (module), update, op);
  tl_module_replace (module, update->results[0], op->results[0]);
  tl_op_remove (update);
  const TlLocation *location = tl_module_op (module)->location;
  tl_op_set (tl_module_op (module), "dp.program",
             tl_attr_string (module, location->kind == TL_LOCATION_NAME ? location->text : "program"));
  tl_pass_done (module, TL_GROUP_G2);
  return TRUE;
}

/* --- G3 --- */

static const TlAttr *
rows_attr (TlModule *module, const TlGemmPlacing *placing, TlGemmOperand operand, gboolean first)
{
  gint64 rows[1 << (TL_GEMM_MAX_SPLIT - 1)];
  guint  n = 0;

  for (const TlTileRegion *region;
       n < G_N_ELEMENTS (rows) && placing != NULL && (region = tl_gemm_placing_region (placing, operand, n)) != NULL;
       n++)
    rows[n] = (gint64) (first ? region->first_row : region->rows);
  return tl_attr_integers (module, rows, n);
}

/* One operand's place. */
static TlOp *
place_op (TlModule *module, const TlOp *product, const TlCuKnobs *knobs, const TlCuLayouts *layouts,
          const TlGemmPlacing *placing, const TlGemmShape *shape, TlGemmOperand operand, gboolean fallback,
          TlDiags *diags)
{
  static const TlPlacement none = { 0 };
  const TlCuPlace         *knob = &knobs->place[operand];
  const char              *name = knobs->product.operand[operand];
  g_autofree char         *knob_name = g_strdup_printf ("place %s", name);
  g_autoptr (TlSignature) signature = tl_signature_of_gemm (&knobs->product.shape, operand, diags);
  if (signature == NULL)
    return NULL;
  TlOp            *op = tl_op_new (module, "tile.place",
                                   tl_pass_with_knob (module, product->operands[operand + 1]->op->location, knob_name));
  g_autofree char *hash = tl_hash_text (signature->hash);
  g_autofree char *type = g_strdup_printf ("!tile.placed<%s, %u : i64>", product->operands[operand + 1]->type,
                                           knobs->product.shape.quantum);
  gboolean         given_up = fallback && knob->rule == TL_CU_PLAN;
  gboolean         placed = layouts->placed[operand] && !shape->packed;
  TlNamedAttr      masks[3];

  tl_op_add_operand (op, product->operands[operand + 1]);
  tl_product_add_masks (module, layouts->placed[operand] ? &layouts->placement[operand] : &none, masks);
  for (guint i = 0; i < 3; i++)
    tl_op_set (op, masks[i].name, masks[i].value);
  tl_op_set (op, "accesses", tl_attr_integer (module, signature->sequence->length));
  tl_op_set (op, "base", tl_attr_integer (module, (gint64) (placed ? 0 : tl_gemm_base (shape, operand))));
  tl_op_set (op, "bits", tl_attr_integer (module, signature->sequence->bits));
  tl_op_set (op, "conflicts", tl_attr_integer (module, (gint64) layouts->conflicts[operand]));
  tl_op_set (op, "domains", tl_attr_integer (module, (gint64) layouts->coverage[operand]));
  tl_op_set (op, "first_rows", rows_attr (module, placing, operand, TRUE));
  tl_op_set (op, "name", tl_attr_string (module, name));
  tl_op_set (op, "region_rows", rows_attr (module, placing, operand, FALSE));
  tl_op_set (op, "rule", tl_attr_string (module, given_up ? "identity" : tl_cu_place_name (knob->rule)));
  tl_op_set (op, "signature", tl_attr_string (module, hash));
  tl_op_set (op, "units", tl_attr_integer (module, (gint64) signature->units));
  tl_op_add_result (op, tl_type (module, type));
  return op;
}

gboolean
tl_product_place (TlModule *module, const TlCuLayouts *layouts, gboolean fallback, TlDiags *diags)
{
  g_auto (TlCuTarget) target = { 0 };
  g_autoptr (TlGemmPlacing) placing = NULL;
  TlCuKnobs knobs;
  TlOp     *places[TL_N_GEMM_OPERANDS];

  if (!tl_pass_expect (module, TL_GROUP_G2, diags) || !tl_cu_knobs_from_module (&knobs, module, diags)
      || !tl_cu_target_from_module (&target, module, diags))
    return FALSE;
  TlOp       *product = tl_module_find (module, "tile.product");
  TlGemmShape shape = knobs.product.shape;
  if (!tl_cu_bind (layouts, &knobs, target.map, &shape, &placing, diags))
    return FALSE;
  for (TlGemmOperand i = TL_GEMM_A; i < TL_N_GEMM_OPERANDS; i++)
    if ((places[i] = place_op (module, product, &knobs, layouts, placing, &shape, i, fallback, diags)) == NULL)
      return FALSE;
  for (TlGemmOperand i = TL_GEMM_A; i < TL_N_GEMM_OPERANDS; i++)
    {
      TlValue *whole = product->operands[i + 1];

      tl_block_insert (tl_module_body (module), product, places[i]);
      tl_module_replace (module, whole, places[i]->results[0]);
      places[i]->operands[0] = whole;
    }
  tl_op_set (product, "conflicts", tl_attr_integer (module, (gint64) layouts->conflict));
  tl_op_set (product, "resident", tl_attr_integer (module, shape.resident));
  tl_op_set (product, "sample", tl_attr_integer (module, (gint64) layouts->requests));
  tl_op_set (product, "skew", tl_attr_integer (module, shape.skew));
  tl_op_set (product, "split", tl_attr_integer (module, layouts->split));
  tl_pass_done (module, TL_GROUP_G3);
  return TRUE;
}

/* --- G4 --- */

/* How the tiles of an operand are read: a table of what APPLY needs of each. */
static TlOp *
descriptor_op (TlModule *module, TlValue *placed, const TlCuKnobs *knobs, const TlGemmPlacing *placing,
               const TlGemmShape *shape, TlGemmOperand operand)
{
  TlOp            *op = tl_op_new (module, "tile.descriptor", placed->op->location);
  const TlTileMap *map = NULL;
  guint64          n_tiles;
  TlGemmTiles      tiles;

  tl_gemm_tiles (shape, operand, &tiles);
  if (placing != NULL)
    tl_gemm_placing_bases (placing, operand, &map, &n_tiles);
  g_autofree char *address = map != NULL     ? tl_tile_map_expression (map, "u")
                             : shape->packed ? g_strdup ("u")
                                             : g_strdup_printf ("(u * %u + start) / %u", knobs->product.shape.quantum,
                                                                knobs->product.shape.quantum);
  tl_op_add_operand (op, placed);
  tl_op_set (op, "address", tl_attr_string (module, address));
  tl_op_set (op, "pitch", tl_attr_integer (module, (gint64) tiles.row_bytes));
  tl_op_set (op, "row_bytes", tl_attr_integer (module, (gint64) tiles.tile_row_bytes));
  tl_op_set (op, "rows", tl_attr_integer (module, (gint64) tiles.tile_rows));
  tl_op_set (op, "tiles", tl_attr_integer (module, (gint64) (tiles.tiles_down * tiles.tiles_across)));
  tl_op_add_result (op, tl_type (module, "!tile.descriptor"));
  return op;
}

/* tile.operand becomes a copy that goes on while the core works. */
static void
make_load (TlModule *module, TlOp *tile, TlValue *descriptor, guint stages)
{
  TlOp *load = tl_op_new (module, "tile.load", tl_pass_with_knob (module, tile->location, "stages"));

  tl_op_add_operand (load, descriptor);
  for (guint i = 1; i < 3; i++)
    tl_op_add_operand (load, tile->operands[i]);
  tl_op_set (load, "stages", tl_attr_integer (module, stages));
  tl_op_add_result (load, tile->results[0]->type);
  tl_block_insert (tile->block, tile, load);
  tl_module_replace (module, tile->results[0], load->results[0]);
  tl_op_remove (tile);
}

gboolean
tl_product_load (TlModule *module, TlDiags *diags)
{
  g_auto (TlCuTarget) target = { 0 };
  g_autoptr (TlGemmPlacing) placing = NULL;
  TlCuKnobs   knobs;
  TlCuLayouts layouts;
  TlOp       *tiles[TL_N_GEMM_OPERANDS];

  if (!tl_pass_expect (module, TL_GROUP_G3, diags) || !tl_cu_knobs_from_module (&knobs, module, diags)
      || !tl_cu_target_from_module (&target, module, diags) || !tl_cu_layouts_from_module (&layouts, module, diags))
    return FALSE;
  TlOp       *product = tl_module_find (module, "tile.product");
  TlGemmShape shape = knobs.product.shape;
  if (!tl_cu_bind (&layouts, &knobs, target.map, &shape, &placing, diags))
    return FALSE;
  for (guint i = 0; i < TL_N_GEMM_OPERANDS; i++)
    tiles[i] = tl_pass_inner (product, "tile.operand", i);
  for (TlGemmOperand i = TL_GEMM_A; i < TL_N_GEMM_OPERANDS; i++)
    {
      TlOp *descriptor = descriptor_op (module, product->operands[i + 1], &knobs, placing, &shape, i);

      tl_block_insert (tl_module_body (module), product, descriptor);
      make_load (module, tiles[i], descriptor->results[0], knobs.stages);
    }
  TlOp *multiply = tl_pass_inner (product, "dp.grid_update", 0);
  TlOp *wait = tl_op_new (module, "tile.wait", tl_pass_with_knob (module, multiply->location, "stages"));
  tl_op_set (wait, "pending", tl_attr_integer (module, knobs.stages - 1));
  for (guint i = 0; i < TL_N_GEMM_OPERANDS; i++)
    tl_op_add_operand (wait, multiply->operands[i + 1]);
  tl_block_insert (multiply->block, multiply, wait);
  tl_pass_done (module, TL_GROUP_G4);
  return TRUE;
}
