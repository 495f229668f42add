/* Pass group G2 for recurrences that read cells at constant distances: the wavefront in
 * which cells and tiles are done follows from the distance vectors, the tile from the
 * PU's scratchpad. GenMLIR section 3.3; models.md section 4. */
#include "passes/passes-private.h"

#include "base/number.h"
#include "passes/grid.h"
#include "passes/traversal.h"

guint32
tl_wave_largest_tile (const TlPimMachine *machine, guint32 bits)
{
  guint32 side = tl_largest_tile (machine->scratchpad_bytes, bits, 1);

  return side >= machine->pes && machine->pes > 0 ? side - side % machine->pes : side;
}

typedef struct
{
  gint64 cells[2]; /* (a, b): cells with equal a i + b j do not wait for each other */
  gint64 skew;     /* columns by which each row is shifted, so that no distance points back */
  gint64 tiles[2]; /* the same of tiles */
} Order;

/* The order in which waves follow one another, from the distances alone. */
static gboolean
order_of (const TlOp *update, Order *order)
{
  const TlAttr *deps = tl_op_attr (update, "deps");
  gint64        vectors[TL_GRID_MAX_DEPENDENCES][2];

  *order = (Order) { 0 };
  if (deps->n_items > TL_GRID_MAX_DEPENDENCES)
    return FALSE;
  for (guint d = 0; d < deps->n_items; d++)
    {
      for (guint i = 0; i < 2; i++)
        vectors[d][i] = deps->items[d]->items[i]->integer;
      if (vectors[d][1] < 0)
        order->skew = MAX (order->skew, (-vectors[d][1] + vectors[d][0] - 1) / MAX (vectors[d][0], 1));
    }
  for (guint d = 0; d < deps->n_items; d++)
    {
      order->tiles[0] |= vectors[d][0] > 0;
      order->tiles[1] |= vectors[d][1] + order->skew * vectors[d][0] > 0;
    }
  if (order->tiles[0] == 0 && order->tiles[1] == 0)
    order->tiles[0] = 1;
  return tl_grid_wave (vectors, deps->n_items, order->cells);
}

/* Cycles until a strip's last lane starts: lanes are rows, and a row that waits for the one
 * above starts a cycle after it. The states of a trellis do not wait for each other. */
static gint64
fill_of (const TlOp *update, const Order *order, const TlPimMachine *machine)
{
  return order->tiles[0] != 0 && tl_op_attr (update, "emission") == NULL ? machine->pes - 1 : 0;
}

/* The tile computed and the edges of the two it waits for, each with the room of a tile. */
static const TlAttr *
buffers_attr (TlModule *module, guint32 tile, guint32 bits)
{
  static const char *const names[] = { "above", "cells", "left" };
  const TlAttr            *buffers[3];

  for (guint b = 0; b < G_N_ELEMENTS (names); b++)
    {
      const TlNamedAttr items[] = { { "bytes", tl_attr_integer (module, (gint64) tl_tile_bytes (tile, tile, bits)) },
                                    { "elements", tl_attr_integer (module, (gint64) tile * tile) },
                                    { "name", tl_attr_string (module, names[b]) } };
      buffers[b] = tl_attr_dict (module, items, G_N_ELEMENTS (items));
    }
  return tl_attr_array (module, buffers, G_N_ELEMENTS (buffers));
}

gboolean
tl_g2_wave (TlModule *module, TlOp *update, const TlPimKnobs *knobs, const TlPimMachine *machine, TlDiags *diags)
{
  static const char *const kept[] = { "adaptive", "alternatives", "band",     "borders", "deps",  "emission",
                                      "pick",     "places",       "semiring", "sides",   "stream" };
  guint32                  limit = tl_wave_largest_tile (machine, knobs->precision);
  guint32                  tile = knobs->tile > 0 ? knobs->tile : limit;
  Order                    order;

  if (limit == 0 || tile > limit)
    {
      tl_pass_error (diags, update->location, "tile-too-large",
                     "tile = %u: three tiles of the PU's scratchpad take at most %u", tile, limit);
      return FALSE;
    }
  if (!order_of (update, &order))
    {
      tl_pass_error (diags, update->location, "not-affine", "no wavefront goes over these dependences");
      return FALSE;
    }
  TlOp *op = tl_op_new (module, "dp.wavefront_update", tl_pass_with_knob (module, update->location, "tile"));
  for (guint o = 0; o < update->n_operands; o++)
    tl_op_add_operand (op, update->operands[o]);
  tl_op_add_result (op, update->results[0]->type);
  for (guint a = 0; a < G_N_ELEMENTS (kept); a++)
    if (tl_op_attr (update, kept[a]) != NULL)
      tl_op_set (op, kept[a], tl_op_attr (update, kept[a]));
  tl_op_set (op, "buffers", buffers_attr (module, tile, knobs->precision));
  tl_op_set (op, "element_bits", tl_attr_integer (module, knobs->precision));
  tl_op_set (op, "fill", tl_attr_integer (module, fill_of (update, &order, machine)));
  tl_op_set (op, "limit", tl_attr_integer (module, limit));
  tl_op_set (op, "order", tl_attr_integers (module, order.cells, 2));
  tl_op_set (op, "skew", tl_attr_integer (module, order.skew));
  tl_op_set (op, "tile", tl_attr_integer (module, tile));
  tl_op_set (op, "tile_order", tl_attr_integers (module, order.tiles, 2));
  tl_op_set (op, "traversal", tl_attr_string (module, tl_traversal_name (TL_TRAVERSAL_WAVEFRONT)));
  tl_block_insert (tl_module_body (module), update, op);
  tl_module_replace (module, update->results[0], op->results[0]);
  tl_op_remove (update);
  return TRUE;
}
