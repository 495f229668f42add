/* Knobs and machine numbers of a product as attributes of its module, and back. */
#include "passes/cu-module.h"

#include "dram/engine.h"
#include "passes/passes-private.h"

#include <string.h>

typedef struct
{
  const char *key;
  gsize       offset;
  guint       bytes;
  guint64     least, most;
} Field;

#define FIELD(type, field, low, high)                                                                                  \
  {                                                                                                                    \
#field, G_STRUCT_OFFSET(type, field), sizeof(((type *) 0)->field), low, high                                       \
  }
#define PS G_MAXINT32

/* clang-format off */
static const Field memory_fields[] = {
  FIELD (TlMemory, clock, 1, PS), FIELD (TlMemory, channels, 1, 1 << 20), FIELD (TlMemory, pseudo_channels, 1, 1 << 20),
  FIELD (TlMemory, tiers, 1, TL_MAX_TIERS), FIELD (TlMemory, groups, 1, 1 << 20), FIELD (TlMemory, banks, 1, 1 << 20),
  FIELD (TlMemory, rows, 1, G_MAXUINT32), FIELD (TlMemory, columns, 1, 1 << 16), FIELD (TlMemory, unit_bytes, 2, 1 << 16),
  FIELD (TlMemory, burst, 0, PS), FIELD (TlMemory, tCCD, 0, PS), FIELD (TlMemory, tRRD, 0, PS), FIELD (TlMemory, tFAW, 0, PS),
  FIELD (TlMemory, tWTR, 0, PS), FIELD (TlMemory, tREFI, 0, PS), FIELD (TlMemory, tRFC, 0, PS),
};
static const Field tier_fields[] = {
  FIELD (TlTierTiming, tRCD, 0, PS), FIELD (TlTierTiming, tRAS, 0, PS), FIELD (TlTierTiming, tRP, 0, PS),
  FIELD (TlTierTiming, tRC, 0, PS), FIELD (TlTierTiming, tRTP, 0, PS), FIELD (TlTierTiming, tWR, 0, PS),
  FIELD (TlTierTiming, tCL, 0, PS), FIELD (TlTierTiming, tCWL, 0, PS),
};
static const Field unit_fields[] = {
  FIELD (TlCuMachine, macs, 1, G_MAXINT32), FIELD (TlCuMachine, issue, 1, 1 << 16), FIELD (TlCuMachine, write_queue, 0, 64),
  FIELD (TlCuMachine, write_high, 0, 64), FIELD (TlCuMachine, write_low, 0, 64), FIELD (TlCuMachine, age, 0, G_MAXINT64),
};
static const Field energy_fields[] = {
  FIELD (TlDramEnergy, activate, 0, G_MAXINT64), FIELD (TlDramEnergy, read_per_bit, 0, G_MAXINT64),
  FIELD (TlDramEnergy, write_per_bit, 0, G_MAXINT64), FIELD (TlDramEnergy, refresh, 0, G_MAXINT64),
};
/* clang-format on */

#define N_NUMBERS (G_N_ELEMENTS (memory_fields) + G_N_ELEMENTS (unit_fields) + G_N_ELEMENTS (energy_fields))

static const char *const scopes[] = { "channel", "pseudo_channel", "tier", "group", "bank", NULL };
static const char *const buses[] = { "none", "single", "split", NULL };

static guint64
get (gconstpointer base, const Field *field)
{
  guint64 wide;
  guint32 narrow;

  if (field->bytes == sizeof wide)
    return memcpy (&wide, (const char *) base + field->offset, sizeof wide), wide;
  return memcpy (&narrow, (const char *) base + field->offset, sizeof narrow), narrow;
}

/* Not inlined: gcc 12 under sanitizers takes the widths of all fields for each one's. */
static void G_GNUC_NO_INLINE
set (gpointer base, const Field *field, guint64 value)
{
  guint32 narrow = (guint32) value;

  if (field->bytes == sizeof value)
    memcpy ((char *) base + field->offset, &value, sizeof value);
  else
    memcpy ((char *) base + field->offset, &narrow, sizeof narrow);
}

static guint
add_numbers (TlModule *module, gconstpointer base, const Field *fields, guint n, TlNamedAttr *items)
{
  for (guint f = 0; f < n; f++)
    items[f] = (TlNamedAttr) { fields[f].key, tl_attr_integer (module, (gint64) get (base, &fields[f])) };
  return n;
}

static void
target_to_module (const TlTarget *target, guint queue, TlModule *module)
{
  const TlMemory    *memory = tl_target_memory (target);
  const TlCuMachine *machine = tl_target_cu_machine (target);
  const TlAttr      *tiers[TL_MAX_TIERS];
  TlNamedAttr        items[N_NUMBERS + 16];
  g_autofree char   *map = tl_address_map_to_text (tl_target_map (target));
  guint              n = 0;

  g_strdelimit (map, "\n", ';');
  n += add_numbers (module, memory, memory_fields, G_N_ELEMENTS (memory_fields), items + n);
  n += add_numbers (module, machine, unit_fields, G_N_ELEMENTS (unit_fields), items + n);
  n += add_numbers (module, tl_target_energy (target), energy_fields, G_N_ELEMENTS (energy_fields), items + n);
  for (guint t = 0; t < memory->tiers; t++)
    {
      TlNamedAttr timing[G_N_ELEMENTS (tier_fields)];

      add_numbers (module, &memory->tier[t], tier_fields, G_N_ELEMENTS (tier_fields), timing);
      tiers[t] = tl_attr_dict (module, timing, G_N_ELEMENTS (timing));
    }
  items[n++] = (TlNamedAttr) { "tier", tl_attr_array (module, tiers, memory->tiers) };
  items[n++] = (TlNamedAttr) { "name", tl_attr_string (module, tl_target_name (target)) };
  items[n++] = (TlNamedAttr) { "map", tl_attr_string (module, map) };
  items[n++] = (TlNamedAttr) { "data_bus", tl_attr_string (module, scopes[memory->data_bus]) };
  items[n++] = (TlNamedAttr) { "tRRD_scope", tl_attr_string (module, scopes[memory->tRRD_scope]) };
  items[n++] = (TlNamedAttr) { "tFAW_scope", tl_attr_string (module, scopes[memory->tFAW_scope]) };
  items[n++] = (TlNamedAttr) { "refresh_scope", tl_attr_string (module, scopes[memory->refresh_scope]) };
  items[n++] = (TlNamedAttr) { "command_bus", tl_attr_string (module, buses[memory->command_bus]) };
  items[n++] = (TlNamedAttr) { "scheduler", tl_attr_string (module, tl_scheduler_name (machine->scheduler)) };
  items[n++] = (TlNamedAttr) { "window", tl_attr_integer (module, queue) };
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

typedef struct
{
  const TlAttr *dict;
  const char   *name;
  TlDiags      *diags;
  gboolean      right;
} Reader;

static void
complain (Reader *reader, const char *key, const char *what)
{
  if (reader->right)
    tl_diags_add_at (reader->diags, TL_SEVERITY_ERROR, "invalid-ir", "", 0, 0, "%s: %s %s", reader->name, key, what);
  reader->right = FALSE;
}

static guint64
read_number (Reader *reader, const char *key, guint64 least, guint64 most)
{
  const TlAttr *attr = tl_attr_get (reader->dict, key);

  if (attr == NULL || attr->kind != TL_ATTR_INTEGER)
    complain (reader, key, "is missing or no integer");
  else if (attr->integer < 0 || (guint64) attr->integer < least || (guint64) attr->integer > most)
    complain (reader, key, "is out of range");
  else
    return (guint64) attr->integer;
  return least;
}

static const char *
read_text (Reader *reader, const char *key)
{
  const TlAttr *attr = tl_attr_get (reader->dict, key);

  if (attr != NULL && attr->kind == TL_ATTR_STRING)
    return attr->text;
  complain (reader, key, "is missing or no string");
  return "";
}

static guint
read_word (Reader *reader, const char *key, const char *const *words)
{
  const char *text = read_text (reader, key);

  for (guint i = 0; words[i] != NULL; i++)
    if (strcmp (words[i], text) == 0)
      return i;
  complain (reader, key, "is none of its words");
  return 0;
}

static void
read_fields (Reader *reader, gpointer base, const Field *fields, guint n)
{
  for (guint f = 0; f < n; f++)
    set (base, &fields[f], read_number (reader, fields[f].key, fields[f].least, fields[f].most));
}

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

static void
read_tiers (Reader *reader, TlMemory *memory)
{
  const TlAttr *tiers = tl_attr_get (reader->dict, "tier");

  if (!reader->right)
    return;
  if (tiers == NULL || tiers->kind != TL_ATTR_ARRAY || tiers->n_items != memory->tiers)
    {
      complain (reader, "tier", "does not list the timing of each tier");
      return;
    }
  for (guint t = 0; t < memory->tiers; t++)
    {
      Reader tier = { tiers->items[t], reader->name, reader->diags, TRUE };

      if (tiers->items[t]->kind != TL_ATTR_DICT)
        complain (&tier, "tier", "is no dictionary");
      else
        read_fields (&tier, &memory->tier[t], tier_fields, G_N_ELEMENTS (tier_fields));
      reader->right &= tier.right;
    }
}

/* Sizes that must be powers of two, and together not too large. */
static void
read_map (Reader *reader, TlCuTarget *target)
{
  TlMemory        *memory = &target->memory;
  guint64          domains = (guint64) memory->channels * memory->pseudo_channels;
  g_autofree char *reason = NULL;

  if (!reader->right)
    return;
  if (__builtin_mul_overflow (domains, (guint64) memory->tiers * memory->groups, &domains)
      || __builtin_mul_overflow (domains, (guint64) memory->banks, &domains) || domains > 1 << 20)
    {
      complain (reader, "the domains", "are more than 2^20");
      return;
    }
  memory->row_bytes = memory->columns * memory->unit_bytes;
  if (memory->row_bytes / memory->unit_bytes != memory->columns
      || __builtin_mul_overflow (domains * memory->rows, (guint64) memory->row_bytes, &memory->capacity))
    {
      complain (reader, "the memory", "is too large");
      return;
    }
  g_autofree char *text = g_strdup (read_text (reader, "map"));
  target->map = reader->right ? tl_address_map_parse (text, memory, &reason) : NULL;
  if (target->map == NULL)
    complain (reader, "map", reason != NULL ? reason : "is no map");
}

gboolean
tl_cu_target_from_module (TlCuTarget *target, const TlModule *module, TlDiags *diags)
{
  static const char *const schedulers[] = { "fr-fcfs", "plain-fr-fcfs", "in-order", NULL };
  Reader                   reader = { tl_op_attr (tl_module_op (module), "tile.target"), "tile.target", diags, TRUE };
  TlMemory                *memory = &target->memory;

  *target = (TlCuTarget) { .memory = { .kind = TL_MACHINE_CU } };
  if (reader.dict == NULL || reader.dict->kind != TL_ATTR_DICT)
    {
      complain (&reader, "the target", "is missing");
      return FALSE;
    }
  read_fields (&reader, memory, memory_fields, G_N_ELEMENTS (memory_fields));
  read_fields (&reader, &target->machine, unit_fields, G_N_ELEMENTS (unit_fields));
  read_fields (&reader, &target->energy, energy_fields, G_N_ELEMENTS (energy_fields));
  memory->data_bus = read_word (&reader, "data_bus", scopes);
  memory->tRRD_scope = read_word (&reader, "tRRD_scope", scopes);
  memory->tFAW_scope = read_word (&reader, "tFAW_scope", scopes);
  memory->refresh_scope = read_word (&reader, "refresh_scope", scopes);
  memory->command_bus = read_word (&reader, "command_bus", buses);
  target->machine.scheduler = read_word (&reader, "scheduler", schedulers);
  target->machine.window = (guint32) read_number (&reader, "window", 1, TL_ENGINE_MAX_QUEUE);
  target->machine.clock = memory->clock;
  if (target->machine.write_low > target->machine.write_high)
    complain (&reader, "write_low", "is above write_high");
  read_tiers (&reader, memory);
  read_map (&reader, target);
  target->name = g_strdup (read_text (&reader, "name"));
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
read_places (Reader *reader, TlCuKnobs *knobs)
{
  static const char *const rules[] = { "plan", "identity", "packed", "layout", NULL };
  const TlAttr            *list = tl_attr_get (reader->dict, "place");

  for (guint i = 0; i < TL_N_GEMM_OPERANDS; i++)
    {
      const TlAttr *dict = list != NULL && list->kind == TL_ATTR_ARRAY && list->n_items == 2 ? list->items[i] : NULL;
      Reader        place = { dict, "tile.knobs", reader->diags, reader->right };

      if (dict == NULL || dict->kind != TL_ATTR_DICT || !tl_product_read_masks (dict, &knobs->place[i].layout))
        {
          complain (reader, "place", "is not two dictionaries with domain, row, column and rule");
          return;
        }
      knobs->place[i].rule = read_word (&place, "rule", rules);
      reader->right &= place.right;
    }
}

static void
read_shape (Reader *reader, const TlModule *module, TlCuKnobs *knobs)
{
  static const char *const orders[] = { "kxn", "nxk", NULL };
  TlGemmShape             *shape = &knobs->product.shape;
  const TlAttr            *tile = tl_attr_get (reader->dict, "tile");
  guint32 *const           sides[] = { &shape->tile_m, &shape->tile_n, &shape->tile_k };

  for (guint i = 0; i < 3; i++)
    if (tile == NULL || tile->kind != TL_ATTR_ARRAY || tile->n_items != 3 || tile->items[i]->kind != TL_ATTR_INTEGER
        || tile->items[i]->integer < 1 || tile->items[i]->integer > G_MAXINT32)
      {
        complain (reader, "tile", "is not three sides");
        return;
      }
    else
      *sides[i] = (guint32) tile->items[i]->integer;
  shape->quantum = (guint32) read_number (reader, "quantum", 2, 65536);
  shape->resident = (guint32) read_number (reader, "resident", 1, G_MAXINT32);
  shape->skew = (guint32) read_number (reader, "skew", 0, G_MAXINT32);
  shape->slab = (guint32) read_number (reader, "slab", 0, G_MAXINT32);
  shape->transposed = read_word (reader, "weights", orders) == 1;
}

/* Names, types and sizes from the data that the product reads. */
static void
read_operands (Reader *reader, const TlModule *module, TlCuKnobs *knobs)
{
  TlProduct  *product = &knobs->product;
  const TlOp *update = tl_module_find (module, "tile.product");
  const TlOp *data[3];
  guint64     extent[3][2];

  if (update == NULL)
    update = tl_module_find (module, "dp.grid_update");
  if (update == NULL || update->n_operands != 3)
    {
      complain (reader, "the product", "is missing");
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
          complain (reader, "an operand", "is no data of known size");
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
    complain (reader, "the operands", "do not fit one another");
}

gboolean
tl_cu_knobs_from_module (TlCuKnobs *knobs, const TlModule *module, TlDiags *diags)
{
  static const char *const pages[] = { "closed", "open", NULL };
  static const char *const values[] = { "auto", "on", "off", NULL };
  Reader                   reader = { tl_op_attr (tl_module_op (module), "tile.knobs"), "tile.knobs", diags, TRUE };
  TlGemmTiles              tiles;

  *knobs = (TlCuKnobs) { 0 };
  if (reader.dict == NULL || reader.dict->kind != TL_ATTR_DICT)
    {
      complain (&reader, "the knobs", "are missing");
      return FALSE;
    }
  knobs->page = read_word (&reader, "page", pages);
  knobs->values = read_word (&reader, "values", values);
  knobs->seed = read_number (&reader, "seed", 0, G_MAXINT64);
  knobs->stages = (guint) read_number (&reader, "stages", 1, 64);
  read_shape (&reader, module, knobs);
  read_places (&reader, knobs);
  read_operands (&reader, module, knobs);
  for (TlGemmOperand i = TL_GEMM_A; reader.right && i < TL_N_GEMM_OPERANDS; i++)
    if (!tl_gemm_tiles (&knobs->product.shape, i, &tiles))
      complain (&reader, "tile", "cannot be read whole");
  return reader.right;
}
