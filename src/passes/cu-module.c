/* Knobs and machine numbers of a product as attributes of its module, and back. */
#include "passes/cu-module.h"

#include "dram/engine.h"
#include "passes/dict-private.h"
#include "passes/passes-private.h"

#include <string.h>

#define PS G_MAXINT32

/* clang-format off */
static const TlField memory_fields[] = {
  TL_FIELD (TlMemory, clock, 1, PS), TL_FIELD (TlMemory, channels, 1, 1 << 20), TL_FIELD (TlMemory, pseudo_channels, 1, 1 << 20),
  TL_FIELD (TlMemory, tiers, 1, TL_MAX_TIERS), TL_FIELD (TlMemory, groups, 1, 1 << 20), TL_FIELD (TlMemory, banks, 1, 1 << 20),
  TL_FIELD (TlMemory, rows, 1, G_MAXUINT32), TL_FIELD (TlMemory, columns, 1, 1 << 16), TL_FIELD (TlMemory, unit_bytes, 2, 1 << 16),
  TL_FIELD (TlMemory, burst, 0, PS), TL_FIELD (TlMemory, tCCD, 0, PS), TL_FIELD (TlMemory, tRRD, 0, PS), TL_FIELD (TlMemory, tFAW, 0, PS),
  TL_FIELD (TlMemory, tWTR, 0, PS), TL_FIELD (TlMemory, tREFI, 0, PS), TL_FIELD (TlMemory, tRFC, 0, PS),
};
static const TlField tier_fields[] = {
  TL_FIELD (TlTierTiming, tRCD, 0, PS), TL_FIELD (TlTierTiming, tRAS, 0, PS), TL_FIELD (TlTierTiming, tRP, 0, PS),
  TL_FIELD (TlTierTiming, tRC, 0, PS), TL_FIELD (TlTierTiming, tRTP, 0, PS), TL_FIELD (TlTierTiming, tWR, 0, PS),
  TL_FIELD (TlTierTiming, tCL, 0, PS), TL_FIELD (TlTierTiming, tCWL, 0, PS),
};
static const TlField unit_fields[] = {
  TL_FIELD (TlCuMachine, macs, 1, G_MAXINT32), TL_FIELD (TlCuMachine, issue, 1, 1 << 16), TL_FIELD (TlCuMachine, write_queue, 0, 64),
  TL_FIELD (TlCuMachine, write_high, 0, 64), TL_FIELD (TlCuMachine, write_low, 0, 64), TL_FIELD (TlCuMachine, age, 0, G_MAXINT64),
};
static const TlField energy_fields[] = {
  TL_FIELD (TlDramEnergy, activate, 0, G_MAXINT64), TL_FIELD (TlDramEnergy, read_per_bit, 0, G_MAXINT64),
  TL_FIELD (TlDramEnergy, write_per_bit, 0, G_MAXINT64), TL_FIELD (TlDramEnergy, refresh, 0, G_MAXINT64),
};
/* clang-format on */

#define N_NUMBERS (G_N_ELEMENTS (memory_fields) + G_N_ELEMENTS (unit_fields) + G_N_ELEMENTS (energy_fields))

static void
target_to_module (const TlTarget *target, guint queue, TlModule *module)
{
  const TlMemory    *memory = tl_target_memory (target);
  const TlCuMachine *machine = tl_target_cu_machine (target);
  TlNamedAttr        items[N_NUMBERS + 16];
  g_autofree char   *map = tl_address_map_to_text (tl_target_map (target));
  guint              n = 0;

  g_strdelimit (map, "\n", ';');
  n += tl_dict_fields (module, memory, memory_fields, G_N_ELEMENTS (memory_fields), items + n);
  n += tl_dict_fields (module, machine, unit_fields, G_N_ELEMENTS (unit_fields), items + n);
  n += tl_dict_fields (module, tl_target_energy (target), energy_fields, G_N_ELEMENTS (energy_fields), items + n);
  items[n++] = tl_dict_tiers (module, memory->tier, sizeof *memory->tier, memory->tiers, tier_fields,
                              G_N_ELEMENTS (tier_fields));
  items[n++] = tl_dict_text (module, "name", tl_target_name (target));
  items[n++] = tl_dict_text (module, "map", map);
  items[n++] = tl_dict_text (module, "data_bus", tl_word_scope (memory->data_bus));
  items[n++] = tl_dict_text (module, "tRRD_scope", tl_word_scope (memory->tRRD_scope));
  items[n++] = tl_dict_text (module, "tFAW_scope", tl_word_scope (memory->tFAW_scope));
  items[n++] = tl_dict_text (module, "refresh_scope", tl_word_scope (memory->refresh_scope));
  items[n++] = tl_dict_text (module, "command_bus", tl_word_bus (memory->command_bus));
  items[n++] = tl_dict_text (module, "scheduler", tl_scheduler_name (machine->scheduler));
  items[n++] = tl_dict_number (module, "window", queue);
  tl_op_set (tl_module_op (module), "tile.target", tl_attr_dict (module, items, n));
}

static const TlAttr *
masks_attr (TlModule *module, const guint16 *rows, guint n)
{
  gint64 masks[TL_PLACE_MAX_BITS];

  for (guint i = 0; i < n; i++)
    masks[i] = rows[i];
  return tl_attr_integers (module, masks, n);
}

void
tl_product_add_masks (TlModule *module, const TlPlacement *placement, TlNamedAttr items[3])
{
  const guint16 *rows = placement->rows;

  items[0] = (TlNamedAttr) { "domain", masks_attr (module, rows, placement->n_domain) };
  items[1] = (TlNamedAttr) { "row", masks_attr (module, rows + placement->n_domain, placement->n_row) };
  items[2] = (TlNamedAttr) { "column",
                             masks_attr (module, rows + placement->n_domain + placement->n_row, placement->n_column) };
}

static const TlAttr *
place_attr (TlModule *module, const TlCuPlace *place)
{
  static const TlPlacement none = { 0 };
  TlNamedAttr              items[4];

  tl_product_add_masks (module, place->rule == TL_CU_LAYOUT ? &place->layout : &none, items);
  items[3] = (TlNamedAttr) { "rule", tl_attr_string (module, tl_cu_place_name (place->rule)) };
  return tl_attr_dict (module, items, G_N_ELEMENTS (items));
}

void
tl_product_set_knobs (TlModule *module, const TlCuKnobs *knobs, const TlTarget *target)
{
  const TlGemmShape *shape = &knobs->product.shape;
  const gint64       tile[] = { shape->tile_m, shape->tile_n, shape->tile_k };
  const TlAttr      *places[] = { place_attr (module, &knobs->place[0]), place_attr (module, &knobs->place[1]) };
  TlNamedAttr        items[] = {
           { "page", tl_attr_string (module, tl_page_name (knobs->page)) },
           { "place", tl_attr_array (module, places, 2) },
           { "quantum", tl_attr_integer (module, shape->quantum) },
           { "resident", tl_attr_integer (module, shape->resident) },
           { "seed", tl_attr_integer (module, (gint64) knobs->seed) },
           { "skew", tl_attr_integer (module, shape->skew) },
           { "slab", tl_attr_integer (module, shape->slab) },
           { "stages", tl_attr_integer (module, knobs->stages) },
           { "tile", tl_attr_integers (module, tile, 3) },
           { "values", tl_attr_string (module, tl_values_name (knobs->values)) },
           { "weights", tl_attr_string (module, shape->transposed ? "nxk" : "kxn") },
  };

  tl_op_set (tl_module_op (module), "tile.knobs", tl_attr_dict (module, items, G_N_ELEMENTS (items)));
  target_to_module (target, knobs->queue, module);
}

/* --- and back --- */

void
tl_cu_target_clear (TlCuTarget *target)
{
  g_clear_pointer (&target->name, g_free);
  g_clear_pointer (&target->map, tl_address_map_unref);
}

gboolean
tl_module_is_product (const TlModule *module)
{
  return tl_op_attr (tl_module_op (module), "tile.target") != NULL;
}

/* Sizes that must be powers of two, and together not too large. */
static void
read_map (TlDictReader *reader, TlCuTarget *target)
{
  TlMemory        *memory = &target->memory;
  guint64          domains = (guint64) memory->channels * memory->pseudo_channels;
  g_autofree char *reason = NULL;

  if (!reader->right)
    return;
  if (__builtin_mul_overflow (domains, (guint64) memory->tiers * memory->groups, &domains)
      || __builtin_mul_overflow (domains, (guint64) memory->banks, &domains) || domains > 1 << 20)
    {
      tl_dict_complain (reader, "the domains", "are more than 2^20");
      return;
    }
  memory->row_bytes = memory->columns * memory->unit_bytes;
  if (memory->row_bytes / memory->unit_bytes != memory->columns
      || __builtin_mul_overflow (domains * memory->rows, (guint64) memory->row_bytes, &memory->capacity))
    {
      tl_dict_complain (reader, "the memory", "is too large");
      return;
    }
  g_autofree char *text = g_strdup (tl_dict_read_text (reader, "map"));
  target->map = reader->right ? tl_address_map_parse (text, memory, &reason) : NULL;
  if (target->map == NULL)
    tl_dict_complain (reader, "map", reason != NULL ? reason : "is no map");
}

gboolean
tl_cu_target_from_module (TlCuTarget *target, const TlModule *module, TlDiags *diags)
{
  TlDictReader reader = tl_dict_reader (module, "tile.target", diags);
  TlMemory    *memory = &target->memory;

  *target = (TlCuTarget) { .memory = { .kind = TL_MACHINE_CU } };
  if (!reader.right)
    return FALSE;
  tl_dict_read_fields (&reader, memory, memory_fields, G_N_ELEMENTS (memory_fields));
  tl_dict_read_fields (&reader, &target->machine, unit_fields, G_N_ELEMENTS (unit_fields));
  tl_dict_read_fields (&reader, &target->energy, energy_fields, G_N_ELEMENTS (energy_fields));
  memory->data_bus = tl_dict_read_word (&reader, "data_bus", tl_word_scope);
  memory->tRRD_scope = tl_dict_read_word (&reader, "tRRD_scope", tl_word_scope);
  memory->tFAW_scope = tl_dict_read_word (&reader, "tFAW_scope", tl_word_scope);
  memory->refresh_scope = tl_dict_read_word (&reader, "refresh_scope", tl_word_scope);
  memory->command_bus = tl_dict_read_word (&reader, "command_bus", tl_word_bus);
  target->machine.scheduler = tl_dict_read_word (&reader, "scheduler", tl_word_scheduler);
  target->machine.window = (guint32) tl_dict_read_number (&reader, "window", 1, TL_ENGINE_MAX_QUEUE);
  target->machine.clock = memory->clock;
  if (target->machine.write_low > target->machine.write_high)
    tl_dict_complain (&reader, "write_low", "is above write_high");
  tl_dict_read_tiers (&reader, memory->tier, sizeof *memory->tier, memory->tiers, tier_fields,
                      G_N_ELEMENTS (tier_fields));
  read_map (&reader, target);
  target->name = g_strdup (tl_dict_read_text (&reader, "name"));
  if (!reader.right)
    tl_cu_target_clear (target);
  return reader.right;
}

/* The masks of @dict as a placement; bits 0 when there are none. */
gboolean
tl_product_read_masks (const TlAttr *dict, TlPlacement *placement)
{
  static const char *const names[] = { "domain", "row", "column" };
  guint *const             counts[] = { &placement->n_domain, &placement->n_row, &placement->n_column };
  guint                    n = 0;

  *placement = (TlPlacement) { 0 };
  for (guint part = 0; part < 3; part++)
    {
      const TlAttr *list = dict != NULL ? tl_attr_get (dict, names[part]) : NULL;

      if (list == NULL || list->kind != TL_ATTR_ARRAY || n + list->n_items > TL_PLACE_MAX_BITS)
        return FALSE;
      *counts[part] = list->n_items;
      for (guint i = 0; i < list->n_items; i++)
        {
          if (list->items[i]->kind != TL_ATTR_INTEGER || list->items[i]->integer < 1
              || list->items[i]->integer > G_MAXUINT16)
            return FALSE;
          placement->rows[n++] = (guint16) list->items[i]->integer;
          placement->nonzeros += (guint) __builtin_popcountll ((guint64) list->items[i]->integer);
        }
    }
  placement->bits = n;
  for (guint i = 0; i < n; i++)
    if (placement->rows[i] >> n != 0)
      return FALSE;
  return TRUE;
}

static void
read_places (TlDictReader *reader, TlCuKnobs *knobs)
{
  const TlAttr *list = tl_attr_get (reader->dict, "place");

  for (guint i = 0; i < TL_N_GEMM_OPERANDS; i++)
    {
      const TlAttr *dict = list != NULL && list->kind == TL_ATTR_ARRAY && list->n_items == 2 ? list->items[i] : NULL;
      TlDictReader  place = { dict, "tile.knobs", reader->diags, reader->right };

      if (dict == NULL || dict->kind != TL_ATTR_DICT || !tl_product_read_masks (dict, &knobs->place[i].layout))
        {
          tl_dict_complain (reader, "place", "is not two dictionaries with domain, row, column and rule");
          return;
        }
      knobs->place[i].rule = tl_dict_read_word (&place, "rule", tl_word_cu_place);
      reader->right &= place.right;
    }
}

static void
read_shape (TlDictReader *reader, const TlModule *module, TlCuKnobs *knobs)
{
  TlGemmShape   *shape = &knobs->product.shape;
  const TlAttr  *tile = tl_attr_get (reader->dict, "tile");
  guint32 *const sides[] = { &shape->tile_m, &shape->tile_n, &shape->tile_k };

  for (guint i = 0; i < 3; i++)
    if (tile == NULL || tile->kind != TL_ATTR_ARRAY || tile->n_items != 3 || tile->items[i]->kind != TL_ATTR_INTEGER
        || tile->items[i]->integer < 1 || tile->items[i]->integer > G_MAXINT32)
      {
        tl_dict_complain (reader, "tile", "is not three sides");
        return;
      }
    else
      *sides[i] = (guint32) tile->items[i]->integer;
  shape->quantum = (guint32) tl_dict_read_number (reader, "quantum", 2, 65536);
  shape->resident = (guint32) tl_dict_read_number (reader, "resident", 1, G_MAXINT32);
  shape->skew = (guint32) tl_dict_read_number (reader, "skew", 0, G_MAXINT32);
  shape->slab = (guint32) tl_dict_read_number (reader, "slab", 0, G_MAXINT32);
  shape->transposed = tl_dict_read_word (reader, "weights", tl_word_weights) == 1;
}

/* Names, types and sizes from the data that the product reads. */
static void
read_operands (TlDictReader *reader, const TlModule *module, TlCuKnobs *knobs)
{
  TlProduct  *product = &knobs->product;
  const TlOp *update = tl_module_find (module, "tile.product");
  const TlOp *data[3];
  guint64     extent[3][2];

  if (update == NULL)
    update = tl_module_find (module, "dp.grid_update");
  if (update == NULL || update->n_operands != 3)
    {
      tl_dict_complain (reader, "the product", "is missing");
      return;
    }
  for (guint i = 0; i < 3; i++)
    {
      data[i] = update->operands[i]->op;
      while (data[i] != NULL && strcmp (data[i]->name, "dp.data") != 0 && data[i]->n_operands == 1)
        data[i] = data[i]->operands[0]->op;
      if (data[i] == NULL || strcmp (data[i]->name, "dp.data") != 0 || data[i]->n_results != 1
          || !tl_type_as_matrix (data[i]->results[0]->type, &extent[i][0], &extent[i][1], NULL) || extent[i][0] < 1
          || extent[i][1] < 1 || extent[i][0] > G_MAXINT32 || extent[i][1] > G_MAXINT32
          || tl_op_text (data[i], "name") == NULL)
        {
          tl_dict_complain (reader, "an operand", "is no data of known size");
          return;
        }
    }
  product->name = tl_op_text (tl_module_op (module), "dp.program");
  product->output = tl_op_text (data[0], "name");
  tl_element_type_parse (tl_op_text (data[0], "element"), &knobs->result);
  for (guint i = 0; i < TL_N_GEMM_OPERANDS; i++)
    {
      product->operand[i] = tl_op_text (data[i + 1], "name");
      tl_element_type_parse (tl_op_text (data[i + 1], "element"), &product->type[i]);
      product->shape.bits[i] = product->type[i].bits;
    }
  const TlAttr *maps = tl_op_attr (update, "maps");
  gboolean      by_n = maps != NULL && maps->kind == TL_ATTR_ARRAY && maps->n_items == 3
                  && maps->items[2]->kind == TL_ATTR_MAP
                  && strcmp (maps->items[2]->text, "(d0, d1, d2) -> (d1, d2)") == 0;
  product->shape.m = (guint32) extent[1][0];
  product->shape.k = (guint32) extent[1][1];
  product->shape.n = (guint32) extent[2][by_n ? 0 : 1];
  if (extent[2][by_n ? 1 : 0] != extent[1][1] || extent[0][0] != extent[1][0] || extent[0][1] != product->shape.n)
    tl_dict_complain (reader, "the operands", "do not fit one another");
}

gboolean
tl_cu_knobs_from_module (TlCuKnobs *knobs, const TlModule *module, TlDiags *diags)
{
  TlDictReader reader = tl_dict_reader (module, "tile.knobs", diags);
  TlGemmTiles  tiles;

  *knobs = (TlCuKnobs) { 0 };
  if (!reader.right)
    return FALSE;
  knobs->page = tl_dict_read_word (&reader, "page", tl_word_page);
  knobs->values = tl_dict_read_word (&reader, "values", tl_word_values);
  knobs->seed = tl_dict_read_number (&reader, "seed", 0, G_MAXINT64);
  knobs->stages = (guint) tl_dict_read_number (&reader, "stages", 1, 64);
  read_shape (&reader, module, knobs);
  read_places (&reader, knobs);
  read_operands (&reader, module, knobs);
  for (TlGemmOperand i = TL_GEMM_A; reader.right && i < TL_N_GEMM_OPERANDS; i++)
    if (!tl_gemm_tiles (&knobs->product.shape, i, &tiles))
      tl_dict_complain (&reader, "tile", "cannot be read whole");
  return reader.right;
}
