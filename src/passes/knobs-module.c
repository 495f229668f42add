/* Knobs and machine numbers as attributes of a module, so that a dump holds all that
 * later groups need. */
#include "passes/knobs.h"

#include "passes/dict-private.h"

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

void
tl_pim_knobs_to_module (const TlPimKnobs *knobs, TlModule *module)
{
  const TlPlaceRule *place = &knobs->place;
  const char        *owner = knobs->owner == TL_OWNER_EXPRESSION ? knobs->owner_text : owner_words[knobs->owner];
  TlNamedAttr        items[] = {
           tl_dict_text (module, "barriers", tl_barriers_name (knobs->barriers)),
           tl_dict_text (module, "baseline", tl_baseline_name (knobs->baseline)),
           tl_dict_number (module, "buffers", knobs->buffers),
           tl_dict_number (module, "compute", knobs->compute),
           tl_dict_text (module, "copies", tl_copies_name (knobs->copies)),
           tl_dict_text (module, "copy_writes", tl_copy_writes_name (knobs->copy_writes)),
           tl_dict_text (module, "edges", tl_edges_name (knobs->edges)),
           tl_dict_text (module, "owner", owner),
           tl_dict_text (module, "page", tl_page_name (knobs->page)),
           tl_dict_text (module, "place", knobs->place_auto ? "auto" : tl_place_name (place->kind)),
           tl_dict_number (module, "place_first", knobs->place_auto ? 0 : place->first),
           tl_dict_number (module, "place_last", knobs->place_auto ? 0 : place->last),
           tl_dict_number (module, "precision", knobs->precision),
           tl_dict_text (module, "ring", tl_ring_name (knobs->ring)),
           tl_dict_number (module, "search", knobs->search),
           tl_dict_number (module, "seed", knobs->seed),
           tl_dict_number (module, "tile", knobs->tile),
           tl_dict_text (module, "values", tl_values_name (knobs->values)),
           { "moves", NULL },
           { "queue", NULL },
  };
  guint n_items = G_N_ELEMENTS (items) - 2;

  if (knobs->moves != NULL && knobs->moves->len > 0)
    items[n_items++].value = moves_attr (module, knobs->moves);
  if (knobs->queue > 0)
    items[n_items++] = tl_dict_number (module, "queue", knobs->queue);
  tl_op_set (tl_module_op (module), "gendram.knobs", tl_attr_dict (module, items, n_items));
}

static void
read_moves (TlDictReader *reader, GArray *moves)
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
              tl_dict_complain (reader, "moves", "is not a list of [i, j, pu]");
              return;
            }
          *fields[n] = (guint32) triple->items[n]->integer;
        }
      g_array_append_val (moves, move);
    }
}

static void
read_owner (TlDictReader *reader, TlPimKnobs *knobs)
{
  const char *text = tl_dict_read_text (reader, "owner");

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
  TlDictReader reader = tl_dict_reader (module, "gendram.knobs", diags);

  memset (knobs, 0, sizeof *knobs);
  knobs->moves = g_array_new (FALSE, FALSE, sizeof (TlOwnerMove));
  if (!reader.right)
    return FALSE;
  knobs->barriers = tl_dict_read_word (&reader, "barriers", tl_word_barriers);
  knobs->baseline = tl_dict_read_word (&reader, "baseline", tl_word_baseline);
  knobs->copies = tl_dict_read_word (&reader, "copies", tl_word_copies);
  knobs->copy_writes = tl_dict_read_word (&reader, "copy_writes", tl_word_copy_writes);
  knobs->edges = tl_dict_read_word (&reader, "edges", tl_word_edges);
  knobs->page = tl_dict_read_word (&reader, "page", tl_word_page);
  knobs->ring = tl_dict_read_word (&reader, "ring", tl_word_ring);
  knobs->values = tl_dict_read_word (&reader, "values", tl_word_values);
  knobs->place_auto = strcmp (tl_dict_read_text (&reader, "place"), "auto") == 0;
  if (!knobs->place_auto)
    knobs->place.kind = tl_dict_read_word (&reader, "place", tl_word_place);
  knobs->place.first = (guint32) tl_dict_read_number (&reader, "place_first", 0, TL_MAX_TIERS - 1);
  knobs->place.last = (guint32) tl_dict_read_number (&reader, "place_last", 0, TL_MAX_TIERS - 1);
  knobs->buffers = (guint32) tl_dict_read_number (&reader, "buffers", 1, 2);
  knobs->compute = (guint32) tl_dict_read_number (&reader, "compute", 0, TL_MAX_PUS);
  knobs->search = (guint32) tl_dict_read_number (&reader, "search", 0, TL_MAX_PUS);
  knobs->precision = (guint32) tl_dict_read_number (&reader, "precision", 1, 64);
  knobs->seed = tl_dict_read_number (&reader, "seed", 0, G_MAXINT64);
  knobs->tile = (guint32) tl_dict_read_number (&reader, "tile", 0, G_MAXINT32);
  if (tl_attr_get (reader.dict, "queue") != NULL)
    knobs->queue = (guint32) tl_dict_read_number (&reader, "queue", 0, G_MAXINT32);
  read_owner (&reader, knobs);
  read_moves (&reader, knobs->moves);
  return reader.right;
}

/* --- the machine --- */

#define NARROW(field) TL_FIELD (TlPimMachine, field, 0, G_MAXUINT32)
#define WIDE(field)   TL_FIELD (TlPimMachine, field, 0, G_MAXINT64)
#define TIER(field)   TL_FIELD (TlTierTiming, field, 0, G_MAXUINT32)

static const TlField machine_fields[] = {
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

static const TlField tier_fields[] = {
  TIER (tRCD), TIER (tRAS), TIER (tRP), TIER (tRC), TIER (tRTP), TIER (tWR), TIER (tCL), TIER (tCWL),
};

void
tl_machine_to_module (const TlPimMachine *machine, const char *name, TlModule *module)
{
  TlNamedAttr items[G_N_ELEMENTS (machine_fields) + 2];
  guint       n = tl_dict_fields (module, machine, machine_fields, G_N_ELEMENTS (machine_fields), items);

  items[n++] = tl_dict_text (module, "name", name);
  items[n++] = tl_dict_tiers (module, machine->tier, sizeof *machine->tier, machine->tiers, tier_fields,
                              G_N_ELEMENTS (tier_fields));
  tl_op_set (tl_module_op (module), "gendram.target", tl_attr_dict (module, items, n));
}

gboolean
tl_machine_from_module (TlPimMachine *machine, char **name, const TlModule *module, TlDiags *diags)
{
  TlDictReader reader = tl_dict_reader (module, "gendram.target", diags);

  memset (machine, 0, sizeof *machine);
  if (!reader.right)
    return FALSE;
  tl_dict_read_fields (&reader, machine, machine_fields, G_N_ELEMENTS (machine_fields));
  if (machine->tiers < 1 || machine->tiers > TL_MAX_TIERS || machine->pus < 1 || machine->pus > TL_MAX_PUS
      || machine->banks < 1 || machine->banks > TL_MAX_BANKS || machine->clock < 1 || machine->pes < 1
      || machine->row_bytes < 1 || machine->beat_bytes < 1 || machine->channels < 1 || machine->groups < 1)
    tl_dict_complain (&reader, "a size", "is 0 or out of range");
  if (reader.right && (guint64) machine->channels * machine->groups < machine->pus)
    tl_dict_complain (&reader, "pus", "are more than bank groups");
  tl_dict_read_tiers (&reader, machine->tier, sizeof *machine->tier, machine->tiers, tier_fields,
                      G_N_ELEMENTS (tier_fields));
  if (reader.right && name != NULL)
    *name = g_strdup (tl_dict_read_text (&reader, "name"));
  return reader.right;
}
