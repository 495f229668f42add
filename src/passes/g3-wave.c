/* Pass group G3 of wavefronts: which Compute PU owns a tile, where tables, sequences and
 * edges lie by what hangs on them, how deep the queue of a stream is. GenMLIR sections
 * 3.3 and 3.5; models.md sections 3 (placement of objects) and 4. */
#include "passes/passes-private.h"

#include "base/number.h"
#include "passes/grid.h"
#include "passes/sigma.h"
#include "passes/wave-schedule.h"

#include <string.h>

#define MAX_OBJECTS 1032

typedef struct
{
  TlModule    *module;
  TlPimKnobs   knobs;
  TlPimMachine machine;
  char        *target;
  TlOp        *update;
  gboolean     streams;
  guint        k;
  gint64       pointers, positions; /* operands; -1: none */
  gint64       sides[2];
  guint64      records; /* problems, as far as is known: 1 without reads */
  guint64      letters; /* of all of them */
  TlWaveTiling tiling;  /* of a typical one */
  TlWaveBand   band;
  TlWaveSums   sums;
  GArray      *objects; /* of TlMemoryObject */
  GArray      *placed;  /* of gboolean, beside objects: by a place line */
  guint64      room[TL_MAX_TIERS];
  GArray      *shares; /* of TlTierShare */
} Mapping;

static void
mapping_clear (Mapping *mapping)
{
  tl_pim_knobs_clear (&mapping->knobs);
  g_clear_pointer (&mapping->target, g_free);
  g_clear_pointer (&mapping->objects, g_array_unref);
  g_clear_pointer (&mapping->placed, g_array_unref);
  g_clear_pointer (&mapping->shares, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Mapping, mapping_clear)

static TlOp *
operand_op (const Mapping *mapping, gint64 at)
{
  return at >= 0 ? mapping->update->operands[at]->op : NULL;
}

/* Elements of a data operation as far as they are known. */
static guint64
elements_of (const TlOp *data)
{
  guint64 rows = 0, columns = 0;

  return data != NULL && tl_type_as_matrix (data->results[0]->type, &rows, &columns, NULL) ? rows * columns : 0;
}

/* One read of mean length in its window, or the one grid. */
static void
find_tiling (Mapping *mapping)
{
  TlOp   *reads = operand_op (mapping, mapping->sides[0]);
  guint64 rows = 0, columns = 0, first = 0, records = reads != NULL ? (guint64) tl_op_integer (reads, "records", 0) : 0;

  tl_type_as_matrix (mapping->update->results[0]->type, &rows, &columns, NULL);
  rows -= rows > 0;
  mapping->records = MAX (records, 1);
  mapping->letters = rows;
  if (records > 0)
    {
      mapping->letters = elements_of (reads);
      rows = MAX (mapping->letters / records, 1);
    }
  if (tl_op_attr (mapping->update, "emission") == NULL)
    columns -= columns > 0;
  tl_wave_read_update (mapping->update, &mapping->machine, mapping->knobs.edges, &mapping->tiling, &mapping->band);
  /* More tiles than this say nothing new about a ratio. */
  rows = MIN (rows, 1u << 20);
  columns = MIN (columns, 1u << 20);
  if (mapping->streams)
    tl_wave_fit_window (&mapping->tiling, &mapping->band, (guint32) rows, rows, 4 * rows, &first);
  else
    tl_wave_fit (&mapping->tiling, &mapping->band, (guint32) rows, (guint32) columns);
  tl_wave_sums (&mapping->tiling, MAX (mapping->knobs.compute, 1), &mapping->sums);
}

static gboolean
mapping_init (Mapping *mapping, TlModule *module, TlDiags *diags)
{
  const TlAttr *stream, *sides;

  *mapping = (Mapping) { .module = module, .pointers = -1, .positions = -1 };
  mapping->objects = g_array_new (FALSE, TRUE, sizeof (TlMemoryObject));
  mapping->placed = g_array_new (FALSE, TRUE, sizeof (gboolean));
  mapping->shares = g_array_new (FALSE, TRUE, sizeof (TlTierShare));
  if (!tl_pass_expect (module, TL_GROUP_G2, diags) || !tl_pim_knobs_from_module (&mapping->knobs, module, diags)
      || !tl_machine_from_module (&mapping->machine, &mapping->target, module, diags))
    return FALSE;
  mapping->update = tl_module_find (module, "dp.wavefront_update");
  sides = tl_op_attr (mapping->update, "sides");
  for (guint s = 0; s < 2; s++)
    mapping->sides[s] = sides->items[s]->integer;
  stream = tl_op_attr (mapping->update, "stream");
  mapping->streams = stream != NULL;
  if (stream != NULL)
    {
      mapping->k = (guint) tl_attr_get (stream, "k")->integer;
      mapping->pointers = tl_attr_get (stream, "pointers")->integer;
      mapping->positions = tl_attr_get (stream, "positions")->integer;
    }
  for (guint t = 0; t < mapping->machine.tiers; t++)
    mapping->room[t] = mapping->machine.tier_bytes;
  find_tiling (mapping);
  return TRUE;
}

static gboolean
check_split (Mapping *mapping, TlDiags *diags)
{
  const TlPimKnobs *knobs = &mapping->knobs;
  TlDiag           *diag;

  if (knobs->compute > 0 && (knobs->search > 0 || !mapping->streams)
      && knobs->search + knobs->compute <= mapping->machine.pus)
    return TRUE;
  diag = tl_pass_error (diags, tl_pass_with_knob (mapping->module, mapping->update->location, "split"), "split-range",
                        "split = %u : %u leaves %s", knobs->search, knobs->compute,
                        knobs->compute == 0 ? "nobody to compute" : "nobody to search, and candidates are streamed");
  tl_diag_reason (diag, "%s has %u PUs; Search PUs make the candidates that Compute PUs take", mapping->target,
                  mapping->machine.pus);
  return FALSE;
}

/* --- Owner --- */

#define CHECKED_TILES 256 /* a side */

static gboolean
check_owner (const Mapping *mapping, const char *text, const TlLocation *place, TlDiags *diags)
{
  guint32          first = mapping->knobs.search, pus = mapping->knobs.compute;
  guint32          rows = MAX (tl_wave_tile_rows (&mapping->tiling), 1);
  guint32          columns = MAX (tl_wave_tile_columns (&mapping->tiling), 1);
  g_autofree char *reason = NULL;
  g_autoptr (TlOwnerRule) rule = tl_owner_rule_parse (text, rows, mapping->machine.pus, &reason);

  if (rule == NULL)
    {
      tl_pass_error (diags, place, "owner-rule", "owner: %s", reason);
      return FALSE;
    }
  for (guint32 i = 0; i < MIN (rows, CHECKED_TILES); i++)
    for (guint32 j = 0; j < MIN (columns, CHECKED_TILES); j++)
      {
        gint64 pu = tl_owner_rule_at (rule, i, j);

        if (pu >= first && pu < (gint64) first + pus)
          continue;
        TlDiag *diag = tl_pass_error (diags, place, "owner-range", "tile (%u,%u) is given to PU %" G_GINT64_FORMAT, i,
                                      j, pu == G_MININT64 ? -1 : pu);
        tl_diag_reason (diag, "the split leaves PUs %u to %u to compute; owner = %s counts from %u", first,
                        first + pus - 1, text, first);
        return FALSE;
      }
  return TRUE;
}

static gboolean
choose_owner (Mapping *mapping, TlDiags *diags)
{
  TlModule         *module = mapping->module;
  const TlPimKnobs *knobs = &mapping->knobs;
  const TlLocation *place = tl_pass_with_knob (module, mapping->update->location, "owner");
  gboolean          by_column = mapping->tiling.order[1] == 0;
  g_autofree char  *text = NULL;
  const char       *name = "modulo";

  if (knobs->moves->len > 0)
    {
      tl_diag_reason (tl_pass_error (diags, place, "not-on-this-target", "tiles of a wavefront are not moved by hand"),
                      "how many there are hangs on each problem; owner = an expression in i and j moves whole rows");
      return FALSE;
    }
  if (knobs->owner == TL_OWNER_EXPRESSION)
    {
      text = g_strdup (knobs->owner_text);
      name = knobs->owner_text;
      if (!check_owner (mapping, text, place, diags))
        return FALSE;
    }
  else if (knobs->owner == TL_OWNER_SKEWED)
    {
      name = "skewed";
      text = g_strdup_printf ("(2 * i + j) mod %u + %u", knobs->compute, knobs->search);
    }
  else
    text = tl_wave_owner_text (knobs->search, knobs->compute, by_column);
  g_autofree char *attr = g_strdup_printf ("gendram.owner<%s>", text);
  mapping->update->location = place;
  tl_op_set (mapping->update, "owner", tl_attr_opaque (module, attr));
  tl_op_set (mapping->update, "owner_rule", tl_attr_string (module, name));
  return TRUE;
}

/* --- Queue --- */

#define ENTRY_BYTES 16 /* read, strand, diagonal, hits */

/* Until a word's entry is there: its row is opened, its beat comes. */
static guint64
latency_of (const Mapping *mapping, const char *name)
{
  guint tier = 0;

  for (guint s = 0; s < mapping->shares->len; s++)
    {
      const TlTierShare *share = &g_array_index (mapping->shares, TlTierShare, s);

      if (strcmp (g_array_index (mapping->objects, TlMemoryObject, share->object).name, name) == 0)
        tier = MAX (tier, share->tier);
    }
  return (guint64) mapping->machine.tier[tier].tRCD + mapping->machine.tier[tier].tCL + mapping->machine.burst;
}

/* Words of both strands of a typical read, on as many lanes as a PU has: how often all
 * Search PUs together have a candidate. */
static guint64
search_time (const Mapping *mapping)
{
  guint64 rows = mapping->tiling.rows, words = 2 * (rows >= mapping->k ? rows - mapping->k + 1 : 1);
  guint64 word = latency_of (mapping, tl_op_text (operand_op (mapping, mapping->pointers), "name"))
                 + latency_of (mapping, tl_op_text (operand_op (mapping, mapping->positions), "name"));

  return MAX (words * word / ((guint64) mapping->machine.pes * mapping->knobs.search), 1);
}

static void
add_queue (Mapping *mapping)
{
  TlModule *module = mapping->module;
  TlOp     *op
      = tl_op_new (module, "gendram.queue",
                   tl_pass_with_knob (module, tl_pass_with_knob (module, mapping->update->location, "queue"), "split"));
  guint64 search = search_time (mapping), sweep = MAX (mapping->sums.critical * mapping->machine.clock, 1);
  guint32 depth = mapping->knobs.queue > 0 ? mapping->knobs.queue : tl_queue_depth (search, sweep);

  tl_op_set (op, "chosen", tl_attr_string (module, mapping->knobs.queue > 0 ? "you" : "ratio"));
  tl_op_set (op, "depth", tl_attr_integer (module, depth));
  tl_op_set (op, "entry_bytes", tl_attr_integer (module, ENTRY_BYTES));
  tl_op_set (op, "search_ps", tl_attr_integer (module, (gint64) search));
  tl_op_set (op, "sweep_ps", tl_attr_integer (module, (gint64) sweep));
  tl_op_add_result (op, tl_type (module, "!gendram.queue"));
  tl_block_insert (tl_module_body (module), mapping->update, op);
}

/* --- Objects --- */

static void
add_object (Mapping *mapping, const char *name, guint64 bytes, guint64 dependent, guint64 streamed)
{
  TlMemoryObject object = { name, bytes, dependent, streamed };
  gboolean       placed = FALSE;

  if (bytes == 0 || mapping->objects->len >= MAX_OBJECTS)
    return;
  g_array_append_val (mapping->objects, object);
  g_array_append_val (mapping->placed, placed);
}

/* The tables of an index: every word of both strands is looked up in the first, and where
 * to look in the second hangs on what it says. */
static void
add_index (Mapping *mapping)
{
  guint64 entries = G_GUINT64_CONSTANT (1) << tl_index_bits (mapping->k);
  guint64 letters = elements_of (operand_op (mapping, mapping->sides[1]));
  guint64 words = letters >= mapping->k ? letters - mapping->k + 1 : 1, asked = 2 * MAX (mapping->letters, 1);

  add_object (mapping, tl_op_text (operand_op (mapping, mapping->pointers), "name"), 4 * (entries + 1), asked, 0);
  add_object (mapping, tl_op_text (operand_op (mapping, mapping->positions), "name"), 4 * words, asked,
              (guint64) (4.0 * (double) asked * (double) words / (double) entries) + 1);
}

/* Sequences are streamed; where a window of the second one begins hangs on the candidate. */
static void
add_data (Mapping *mapping)
{
  guint64 rows = tl_wave_tile_rows (&mapping->tiling);

  for (guint o = 0; o < mapping->update->n_operands; o++)
    {
      TlOp            *data = operand_op (mapping, o);
      const char      *name = tl_op_text (data, "name");
      guint64          elements = elements_of (data), bytes;
      TlElementType    element;
      g_autofree char *text = g_strdup (tl_op_text (data, "element"));

      if (o == (guint64) mapping->pointers || o == (guint64) mapping->positions)
        continue;
      bytes = tl_element_type_parse (text, &element) ? tl_tile_bytes (elements, 1, element.bits) : elements;
      if (mapping->streams && o == (guint64) mapping->sides[1])
        add_object (mapping, name, bytes, mapping->records, mapping->records * mapping->tiling.columns);
      else if (o == (guint64) mapping->sides[0])
        add_object (mapping, name, bytes, 0, (mapping->streams ? 3 : 1) * bytes);
      else
        add_object (mapping, name, bytes, 0, bytes * MAX (rows, 1));
    }
}

/* What one wave hands on to the next, twice over: a row of cells for each column and a
 * column for each row of the band. Every tile waits for the edges it reads. */
static void
add_edges (Mapping *mapping)
{
  const TlWaveTiling *tiling = &mapping->tiling;
  guint64             tables = tl_op_attr (mapping->update, "alternatives")->n_items;
  guint64             cells = 2 * tables * ((guint64) tiling->rows + tiling->columns + 2);
  guint64             read = mapping->records * mapping->sums.tiles * 2 * tiling->tile * tables;

  add_object (mapping, TL_GRID_EDGES, tl_tile_bytes (cells, 1, mapping->knobs.precision), read,
              2 * tl_tile_bytes (MAX (read, 1), 1, mapping->knobs.precision));
}

static gboolean
does_not_fit (Mapping *mapping, const char *name, guint64 bytes, TlDiags *diags)
{
  g_autofree char *size = tl_format_bytes (bytes);
  g_autofree char *tier = tl_format_bytes (mapping->machine.tier_bytes);
  TlDiag          *diag = tl_pass_error (diags, mapping->update->location, "does-not-fit",
                                         "%s of %s do not fit where they would lie", size, name);

  tl_diag_reason (diag, "%s has %u tiers of %s, and other objects lie there too", mapping->target,
                  mapping->machine.tiers, tier);
  return FALSE;
}

static gboolean
take_room (Mapping *mapping, guint object, guint tier, guint64 bytes)
{
  TlTierShare share = { object, tier, bytes };

  if (bytes > mapping->room[tier])
    return FALSE;
  mapping->room[tier] -= bytes;
  if (bytes > 0)
    g_array_append_val (mapping->shares, share);
  return TRUE;
}

/* Objects with a place line come first. */
static gboolean
place_told (Mapping *mapping, TlDiags *diags)
{
  const TlAttr *places = tl_op_attr (mapping->update, "places");

  for (guint o = 0; places != NULL && o < mapping->objects->len; o++)
    {
      const TlMemoryObject *object = &g_array_index (mapping->objects, TlMemoryObject, o);
      const TlAttr         *place = tl_attr_get (places, object->name);
      guint64               left = object->bytes;

      if (place == NULL)
        continue;
      guint       first = (guint) place->items[0]->integer, last = (guint) place->items[1]->integer;
      TlPlaceKind kind = (TlPlaceKind) place->items[2]->integer;
      for (guint t = first; t <= last && left > 0; t++)
        {
          guint64 here = kind == TL_PLACE_FILL ? MIN (left, mapping->room[t]) : left / (last - t + 1);

          if (!take_room (mapping, o, t, here))
            break;
          left -= here;
        }
      if (left > 0)
        return does_not_fit (mapping, object->name, object->bytes, diags);
      g_array_index (mapping->placed, gboolean, o) = TRUE;
    }
  return TRUE;
}

static gboolean
place_rest (Mapping *mapping, TlDiags *diags)
{
  g_autofree TlMemoryObject *rest = g_new (TlMemoryObject, mapping->objects->len + 1);
  g_autofree guint          *number = g_new (guint, mapping->objects->len + 1);
  g_autoptr (GArray) shares = g_array_new (FALSE, FALSE, sizeof (TlTierShare));
  guint64 bytes = 0, missing = 0;
  guint   n = 0;

  for (guint o = 0; o < mapping->objects->len; o++)
    if (!g_array_index (mapping->placed, gboolean, o))
      {
        number[n] = o;
        rest[n++] = g_array_index (mapping->objects, TlMemoryObject, o);
        bytes += rest[n - 1].bytes;
      }
  if (!tl_sigma_place (rest, n, mapping->room, mapping->machine.tiers, shares, &missing))
    return does_not_fit (mapping, "tables, sequences and edges", bytes, diags);
  for (guint s = 0; s < shares->len; s++)
    {
      TlTierShare share = g_array_index (shares, TlTierShare, s);

      share.object = number[share.object];
      g_array_append_val (mapping->shares, share);
    }
  return TRUE;
}

static void
add_object_op (Mapping *mapping, guint o)
{
  TlModule             *module = mapping->module;
  const TlMemoryObject *object = &g_array_index (mapping->objects, TlMemoryObject, o);
  TlOp                 *op = tl_op_new (module, "gendram.object", mapping->update->location);
  const TlAttr         *items[TL_MAX_TIERS];
  guint                 n = 0;

  for (guint t = 0; t < mapping->machine.tiers; t++)
    for (guint s = 0; s < mapping->shares->len; s++)
      {
        const TlTierShare *share = &g_array_index (mapping->shares, TlTierShare, s);
        gint64             pair[] = { t, (gint64) share->bytes };

        if (share->object == o && share->tier == t)
          items[n++] = tl_attr_integers (module, pair, 2);
      }
  tl_op_set (op, "bytes", tl_attr_integer (module, (gint64) object->bytes));
  tl_op_set (op, "chosen", tl_attr_string (module, g_array_index (mapping->placed, gboolean, o) ? "you" : "sigma"));
  tl_op_set (op, "dependent", tl_attr_integer (module, (gint64) object->dependent));
  tl_op_set (op, "name", tl_attr_string (module, object->name));
  tl_op_set (op, "shares", tl_attr_array (module, items, n));
  tl_op_set (op, "streamed", tl_attr_integer (module, (gint64) object->streamed));
  tl_block_insert (tl_module_body (module), mapping->update, op);
}

gboolean
tl_g3_wave (TlModule *module, TlDiags *diags)
{
  g_auto (Mapping) mapping = { 0 };

  if (!mapping_init (&mapping, module, diags) || !check_split (&mapping, diags) || !choose_owner (&mapping, diags))
    return FALSE;
  if (mapping.streams)
    add_index (&mapping);
  add_data (&mapping);
  add_edges (&mapping);
  if (!place_told (&mapping, diags) || !place_rest (&mapping, diags))
    return FALSE;
  for (guint o = 0; o < mapping.objects->len; o++)
    add_object_op (&mapping, o);
  if (mapping.streams)
    add_queue (&mapping);
  tl_op_set (tl_module_op (module), "gendram.mode", tl_attr_string (module, mapping.streams ? "pipeline" : "none"));
  tl_pass_done (module, TL_GROUP_G3);
  return TRUE;
}
