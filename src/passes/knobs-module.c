/* Knobs and machine numbers as attributes of a module, so that a dump holds all that
 * later groups need. */
#include "passes/knobs.h"

#include <string.h>

static const char *const owner_words[] = { "modulo", "skewed", "auto" };

static const TlAttr *
moves_attr (TlModule *module, const GArray *moves)
{
  g_autofree const TlAttr **items = g_new0 (const TlAttr *, moves->len);

  for (guint m = 0; m < moves->len; m++)
    {
      const TlOwnerMove *move = &g_array_index (moves, TlOwnerMove, m);
      gint64             numbers[] = { move->i, move->j, move->pu };

      items[m] = tl_attr_integers (module, numbers, 3);
    }
  return tl_attr_array (module, items, moves->len);
}

static TlNamedAttr
number (TlModule *module, const char *name, guint64 value)
{
  return (TlNamedAttr) { name, tl_attr_integer (module, (gint64) value) };
}

static TlNamedAttr
word (TlModule *module, const char *name, const char *value)
{
  return (TlNamedAttr) { name, tl_attr_string (module, value) };
}

void
tl_pim_knobs_to_module (const TlPimKnobs *knobs, TlModule *module)
{
  const TlPlaceRule *place = &knobs->place;
  const char        *owner = knobs->owner == TL_OWNER_EXPRESSION ? knobs->owner_text : owner_words[knobs->owner];
  TlNamedAttr        items[] = {
           word (module, "barriers", tl_barriers_name (knobs->barriers)),
           word (module, "baseline", tl_baseline_name (knobs->baseline)),
           number (module, "buffers", knobs->buffers),
           number (module, "compute", knobs->compute),
           word (module, "copies", tl_copies_name (knobs->copies)),
           word (module, "copy_writes", tl_copy_writes_name (knobs->copy_writes)),
           word (module, "edges", tl_edges_name (knobs->edges)),
           word (module, "owner", owner),
           word (module, "page", tl_page_name (knobs->page)),
           word (module, "place", knobs->place_auto ? "auto" : tl_place_name (place->kind)),
           number (module, "place_first", knobs->place_auto ? 0 : place->first),
           number (module, "place_last", knobs->place_auto ? 0 : place->last),
           number (module, "precision", knobs->precision),
           word (module, "ring", tl_ring_name (knobs->ring)),
           number (module, "search", knobs->search),
           number (module, "seed", knobs->seed),
           number (module, "tile", knobs->tile),
           word (module, "values", tl_values_name (knobs->values)),
           { "moves", NULL },
           { "queue", NULL },
  };
  guint n_items = G_N_ELEMENTS (items) - 2;

  if (knobs->moves != NULL && knobs->moves->len > 0)
    items[n_items++].value = moves_attr (module, knobs->moves);
  if (knobs->queue > 0)
    items[n_items++] = number (module, "queue", knobs->queue);
  tl_op_set (tl_module_op (module), "gendram.knobs", tl_attr_dict (module, items, n_items));
}

/* Reads the entries of one dictionary; the first that is not as it should be is said. */
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
read_number (Reader *reader, const char *key, guint64 most)
{
  const TlAttr *attr = tl_attr_get (reader->dict, key);

  if (attr == NULL || attr->kind != TL_ATTR_INTEGER)
    complain (reader, key, "is missing or no integer");
  else if (attr->integer < 0 || (guint64) attr->integer > most)
    complain (reader, key, "is out of range");
  else
    return (guint64) attr->integer;
  return 0;
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

#define READ_WORD(reader, key, name, field)                                                                            \
  G_STMT_START                                                                                                         \
  {                                                                                                                    \
    const char *text = read_text (reader, key);                                                                        \
    guint       value = 0;                                                                                             \
    while (name (value) != NULL && strcmp (name (value), text) != 0)                                                   \
      value++;                                                                                                         \
    if (name (value) == NULL)                                                                                          \
      complain (reader, key, "is none of its words");                                                                  \
    else                                                                                                               \
      field = value;                                                                                                   \
  }                                                                                                                    \
  G_STMT_END

static void
read_moves (Reader *reader, GArray *moves)
{
  const TlAttr *list = tl_attr_get (reader->dict, "moves");

  for (guint m = 0; list != NULL && m < list->n_items; m++)
    {
      const TlAttr *triple = list->items[m];
      TlOwnerMove   move;
      guint32      *fields[] = { &move.i, &move.j, &move.pu };

      for (guint n = 0; n < 3; n++)
        {
          if (triple->kind != TL_ATTR_ARRAY || triple->n_items != 3 || triple->items[n]->kind != TL_ATTR_INTEGER
              || triple->items[n]->integer < 0 || triple->items[n]->integer > G_MAXINT32)
            {
              complain (reader, "moves", "is not a list of [i, j, pu]");
              return;
            }
          *fields[n] = (guint32) triple->items[n]->integer;
        }
      g_array_append_val (moves, move);
    }
}

static void
read_owner (Reader *reader, TlPimKnobs *knobs)
{
  const char *text = read_text (reader, "owner");

  for (guint w = 0; w < G_N_ELEMENTS (owner_words); w++)
    if (strcmp (owner_words[w], text) == 0)
      {
        knobs->owner = w;
        return;
      }
  knobs->owner = TL_OWNER_EXPRESSION;
  knobs->owner_text = g_strdup (text);
}

gboolean
tl_pim_knobs_from_module (TlPimKnobs *knobs, const TlModule *module, TlDiags *diags)
{
  Reader reader = { tl_op_attr (tl_module_op (module), "gendram.knobs"), "gendram.knobs", diags, TRUE };

  memset (knobs, 0, sizeof *knobs);
  knobs->moves = g_array_new (FALSE, FALSE, sizeof (TlOwnerMove));
  READ_WORD (&reader, "barriers", tl_barriers_name, knobs->barriers);
  READ_WORD (&reader, "baseline", tl_baseline_name, knobs->baseline);
  READ_WORD (&reader, "copies", tl_copies_name, knobs->copies);
  READ_WORD (&reader, "copy_writes", tl_copy_writes_name, knobs->copy_writes);
  READ_WORD (&reader, "edges", tl_edges_name, knobs->edges);
  READ_WORD (&reader, "page", tl_page_name, knobs->page);
  READ_WORD (&reader, "ring", tl_ring_name, knobs->ring);
  READ_WORD (&reader, "values", tl_values_name, knobs->values);
  knobs->place_auto = strcmp (read_text (&reader, "place"), "auto") == 0;
  if (!knobs->place_auto)
    READ_WORD (&reader, "place", tl_place_name, knobs->place.kind);
  knobs->place.first = (guint32) read_number (&reader, "place_first", TL_MAX_TIERS - 1);
  knobs->place.last = (guint32) read_number (&reader, "place_last", TL_MAX_TIERS - 1);
  knobs->buffers = (guint32) read_number (&reader, "buffers", 2);
  knobs->compute = (guint32) read_number (&reader, "compute", TL_MAX_PUS);
  knobs->search = (guint32) read_number (&reader, "search", TL_MAX_PUS);
  knobs->precision = (guint32) read_number (&reader, "precision", 64);
  knobs->seed = read_number (&reader, "seed", G_MAXINT64);
  knobs->tile = (guint32) read_number (&reader, "tile", G_MAXINT32);
  if (tl_attr_get (reader.dict, "queue") != NULL)
    knobs->queue = (guint32) read_number (&reader, "queue", G_MAXINT32);
  read_owner (&reader, knobs);
  read_moves (&reader, knobs->moves);
  if (knobs->buffers < 1 || knobs->precision < 1)
    complain (&reader, "buffers or precision", "is 0");
  return reader.right;
}

/* --- the machine --- */

typedef struct
{
  const char *key;
  gsize       offset;
  gboolean    wide; /* guint64 */
} Field;

#define NARROW(field)                                                                                                  \
  {                                                                                                                    \
#field, G_STRUCT_OFFSET(TlPimMachine, field), FALSE                                                                \
  }
#define WIDE(field)                                                                                                    \
  {                                                                                                                    \
#field, G_STRUCT_OFFSET(TlPimMachine, field), TRUE                                                                 \
  }

static const Field machine_fields[] = {
  NARROW (clock),
  NARROW (pus),
  NARROW (search_pus),
  NARROW (pes),
  NARROW (channels),
  NARROW (groups),
  NARROW (banks),
  NARROW (tiers),
  WIDE (rows),
  NARROW (row_bytes),
  NARROW (beat_bytes),
  WIDE (tier_bytes),
  WIDE (sram_bytes),
  WIDE (scratchpad_bytes),
  NARROW (ring_bytes),
  NARROW (ring_hop),
  NARROW (burst),
  NARROW (tCCD),
  NARROW (tRRD),
  NARROW (tFAW),
  NARROW (tWTR),
  NARROW (tREFI),
  NARROW (tRFC),
  NARROW (dram_fj_per_bit),
  NARROW (alu_fj),
  NARROW (sram_local_fj),
  NARROW (sram_shared_fj),
  NARROW (hop_fj_per_bit),
};

#define TIER(field)                                                                                                    \
  {                                                                                                                    \
#field, G_STRUCT_OFFSET(TlTierTiming, field), FALSE                                                                \
  }

static const Field tier_fields[] = {
  TIER (tRCD), TIER (tRAS), TIER (tRP), TIER (tRC), TIER (tRTP), TIER (tWR), TIER (tCL), TIER (tCWL),
};

static guint64
get_field (gconstpointer base, const Field *field)
{
  guint64 wide;
  guint32 narrow;

  if (field->wide)
    return memcpy (&wide, (const char *) base + field->offset, sizeof wide), wide;
  return memcpy (&narrow, (const char *) base + field->offset, sizeof narrow), narrow;
}

static void
set_field (gpointer base, const Field *field, guint64 value)
{
  guint32 narrow = (guint32) value;

  if (field->wide)
    memcpy ((char *) base + field->offset, &value, sizeof value);
  else
    memcpy ((char *) base + field->offset, &narrow, sizeof narrow);
}

void
tl_machine_to_module (const TlPimMachine *machine, const char *name, TlModule *module)
{
  TlNamedAttr   items[G_N_ELEMENTS (machine_fields) + 2];
  const TlAttr *tiers[TL_MAX_TIERS];
  guint         n = 0;

  for (guint f = 0; f < G_N_ELEMENTS (machine_fields); f++)
    items[n++] = number (module, machine_fields[f].key, get_field (machine, &machine_fields[f]));
  for (guint t = 0; t < machine->tiers; t++)
    {
      TlNamedAttr timing[G_N_ELEMENTS (tier_fields)];

      for (guint f = 0; f < G_N_ELEMENTS (tier_fields); f++)
        timing[f] = number (module, tier_fields[f].key, get_field (&machine->tier[t], &tier_fields[f]));
      tiers[t] = tl_attr_dict (module, timing, G_N_ELEMENTS (timing));
    }
  items[n++] = word (module, "name", name);
  items[n++] = (TlNamedAttr) { "tier", tl_attr_array (module, tiers, machine->tiers) };
  tl_op_set (tl_module_op (module), "gendram.target", tl_attr_dict (module, items, n));
}

gboolean
tl_machine_from_module (TlPimMachine *machine, char **name, const TlModule *module, TlDiags *diags)
{
  Reader        reader = { tl_op_attr (tl_module_op (module), "gendram.target"), "gendram.target", diags, TRUE };
  const TlAttr *tiers = tl_attr_get (reader.dict, "tier");

  memset (machine, 0, sizeof *machine);
  for (guint f = 0; f < G_N_ELEMENTS (machine_fields); f++)
    set_field (machine, &machine_fields[f],
               read_number (&reader, machine_fields[f].key, machine_fields[f].wide ? G_MAXINT64 : G_MAXUINT32));
  if (machine->tiers < 1 || machine->tiers > TL_MAX_TIERS || machine->pus < 1 || machine->pus > TL_MAX_PUS
      || machine->banks < 1 || machine->banks > TL_MAX_BANKS || machine->clock < 1 || machine->pes < 1
      || machine->row_bytes < 1 || machine->beat_bytes < 1 || machine->channels < 1 || machine->groups < 1)
    complain (&reader, "a size", "is 0 or out of range");
  if (reader.right && (guint64) machine->channels * machine->groups < machine->pus)
    complain (&reader, "pus", "are more than bank groups");
  if (reader.right && (tiers == NULL || tiers->kind != TL_ATTR_ARRAY || tiers->n_items != machine->tiers))
    complain (&reader, "tier", "does not list the timing of each tier");
  for (guint t = 0; reader.right && t < machine->tiers; t++)
    {
      Reader tier = { tiers->items[t], "gendram.target", diags, TRUE };

      for (guint f = 0; f < G_N_ELEMENTS (tier_fields); f++)
        set_field (&machine->tier[t], &tier_fields[f], read_number (&tier, tier_fields[f].key, G_MAXUINT32));
      reader.right = tier.right;
    }
  if (reader.right && name != NULL)
    *name = g_strdup (read_text (&reader, "name"));
  return reader.right;
}
