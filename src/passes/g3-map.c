/* Pass group G3: how PUs talk, which PU owns a tile, where objects lie. The ownership
 * lint speaks here, before any simulation. GenMLIR section 3.3, Eq. 2; models.md
 * section 3. */
#include "passes/passes-private.h"

#include "base/number.h"
#include "passes/lint.h"
#include "passes/sigma.h"

#include <string.h>

typedef struct
{
  TlModule    *module;
  TlPimKnobs   knobs;
  TlPimMachine machine;
  char        *target;
  TlOp        *blocked;
  TlOp        *data;
  guint32      n;
  guint32      tile;
  guint32      tiles;
  guint32      bits;
  TlOwnerRule *owner;
  const char  *owner_name;         /* as shown */
  guint64      bytes;              /* of D */
  guint64      copies;             /* tiles of which copies are kept */
  guint64      copy_bytes;         /* of one */
  guint64      used[TL_MAX_TIERS]; /* by D */
  guint64      copied[TL_MAX_TIERS];
  TlPlaceRule  place;
} Mapping;

static void
mapping_clear (Mapping *mapping)
{
  tl_pim_knobs_clear (&mapping->knobs);
  g_clear_pointer (&mapping->owner, tl_owner_rule_free);
  g_clear_pointer (&mapping->target, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Mapping, mapping_clear)

static gboolean
mapping_init (Mapping *mapping, TlModule *module, TlDiags *diags)
{
  memset (mapping, 0, sizeof *mapping);
  mapping->module = module;
  if (!tl_pass_expect (module, TL_GROUP_G2, diags) || !tl_pim_knobs_from_module (&mapping->knobs, module, diags)
      || !tl_machine_from_module (&mapping->machine, &mapping->target, module, diags))
    return FALSE;
  mapping->blocked = tl_module_find (module, "dp.blocked_update");
  if (mapping->blocked == NULL)
    return FALSE;
  mapping->data = mapping->blocked->operands[0]->op;
  mapping->n = (guint32) tl_op_integer (mapping->blocked, "n", 0);
  mapping->tile = (guint32) tl_op_integer (mapping->blocked, "tile", 0);
  mapping->tiles = (guint32) tl_op_integer (mapping->blocked, "tiles", 0);
  mapping->bits = (guint32) tl_op_integer (mapping->blocked, "element_bits", 0);
  return TRUE;
}

/* --- owner --- */

/* Both named rules for auto, fewer predicted steps first; else the knob's own. */
static guint
candidates (const Mapping *mapping, TlOwnerKind kinds[2])
{
  g_autofree char *modulo_text = NULL;
  g_autofree char *skewed_text = NULL;
  g_autoptr (TlOwnerRule) modulo = NULL;
  g_autoptr (TlOwnerRule) skewed = NULL;

  kinds[0] = mapping->knobs.owner;
  if (mapping->knobs.owner != TL_OWNER_AUTO)
    return 1;
  modulo_text = tl_owner_modulo_text (mapping->tiles, mapping->machine.pus);
  skewed_text = tl_owner_skewed_text (mapping->tiles, mapping->machine.pus);
  kinds[0] = TL_OWNER_MODULO;
  if (strcmp (modulo_text, skewed_text) == 0)
    return 1;
  modulo = tl_owner_rule_parse (modulo_text, mapping->tiles, mapping->machine.pus, NULL);
  skewed = tl_owner_rule_parse (skewed_text, mapping->tiles, mapping->machine.pus, NULL);
  kinds[0] = tl_owner_steps (skewed) < tl_owner_steps (modulo) ? TL_OWNER_SKEWED : TL_OWNER_MODULO;
  kinds[1] = kinds[0] == TL_OWNER_MODULO ? TL_OWNER_SKEWED : TL_OWNER_MODULO;
  return 2;
}

static const char *
kind_name (const Mapping *mapping, TlOwnerKind kind)
{
  return kind == TL_OWNER_MODULO ? "modulo" : kind == TL_OWNER_SKEWED ? "skewed" : mapping->knobs.owner_text;
}

char **
tl_g3_candidates (const TlModule *module)
{
  g_auto (Mapping) mapping = { 0 };
  g_autoptr (TlDiags) ignored = tl_diags_new ();
  GPtrArray  *names = g_ptr_array_new ();
  TlOwnerKind kinds[2];
  guint       n = mapping_init (&mapping, (TlModule *) module, ignored) ? candidates (&mapping, kinds) : 0;

  for (guint c = 0; c < n; c++)
    g_ptr_array_add (names, g_strdup (kind_name (&mapping, kinds[c])));
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (names, FALSE);
}

/* The rule with numbers in the place of M and P where it is one of the named ones. */
static gboolean
choose_owner (Mapping *mapping, guint candidate, TlDiags *diags)
{
  const TlLocation *place = tl_pass_with_knob (mapping->module, mapping->blocked->location, "owner");
  const TlLocation *knob = tl_pass_place (tl_module_op (mapping->module)->location, "owner");
  TlOwnerKind       kinds[2];
  guint             n = candidates (mapping, kinds);
  TlOwnerKind       kind = kinds[MIN (candidate, n - 1)];
  guint32           pus = mapping->machine.pus;
  g_autofree char  *text = NULL;
  g_autofree char  *reason = NULL;
  guint32           i = 0;
  guint32           j = 0;
  gint64            pu = 0;

  text = kind == TL_OWNER_MODULO   ? tl_owner_modulo_text (mapping->tiles, pus)
         : kind == TL_OWNER_SKEWED ? tl_owner_skewed_text (mapping->tiles, pus)
                                   : g_strdup (mapping->knobs.owner_text);
  mapping->owner_name = kind_name (mapping, kind);
  mapping->owner = tl_owner_rule_parse (text, mapping->tiles, pus, &reason);
  if (mapping->owner == NULL)
    {
      tl_pass_error (diags, knob != NULL ? knob : place, "owner-rule", "owner: %s", reason);
      return FALSE;
    }
  tl_owner_rule_move (mapping->owner, (const TlOwnerMove *) mapping->knobs.moves->data, mapping->knobs.moves->len);
  if (!tl_owner_rule_check (mapping->owner, &i, &j, &pu))
    {
      TlDiag *diag = tl_pass_error (
          diags, knob != NULL ? knob : place, "owner-range",
          i >= mapping->tiles || j >= mapping->tiles ? "there is no tile (%u,%u)" : "tile (%u,%u) gets no owner", i, j);

      if (i >= mapping->tiles || j >= mapping->tiles)
        tl_diag_reason (diag, "there are %u tiles a side, counted from 0", mapping->tiles);
      else if (pu == G_MININT64)
        tl_diag_reason (diag, "the rule %s divides by zero or overflows there", text);
      else
        tl_diag_reason (diag, "the rule %s gives %" G_GINT64_FORMAT " there, the target has PUs 0 to %u", text, pu,
                        pus - 1);
      return FALSE;
    }
  mapping->blocked->location = place;
  {
    g_autofree char *attr = g_strdup_printf ("gendram.owner<%s>", text);

    tl_op_set (mapping->blocked, "owner", tl_attr_opaque (mapping->module, attr));
  }
  tl_op_set (mapping->blocked, "owner_rule", tl_attr_string (mapping->module, mapping->owner_name));
  if (mapping->knobs.moves->len > 0)
    tl_op_set (mapping->blocked, "moves",
               tl_attr_get (tl_op_attr (tl_module_op (mapping->module), "gendram.knobs"), "moves"));
  return TRUE;
}

/* --- placement --- */

static void
too_big (Mapping *mapping, const char *what, guint64 needed, guint64 room, const char *room_name, TlDiags *diags)
{
  g_autofree char *n = tl_format_count (mapping->n);
  g_autofree char *needed_text = tl_format_bytes (needed);
  g_autofree char *room_text = tl_format_bytes (room);
  g_autofree char *largest = tl_format_count (tl_isqrt (room * 8 / mapping->bits));
  TlDiag          *diag
      = tl_pass_error (diags, mapping->blocked->location, "does-not-fit", "n = %s: %s of %s do not fit %s of %s", n,
                       needed_text, what, room_name, mapping->target);

  tl_diag_reason (diag,
                  "%u bits x %s x %s are %s with its edges and copies; %s has %s, enough for n = %s without copies",
                  mapping->bits, n, n, needed_text, room_name, room_text, largest);
}

/* Copies of row and column tiles, in tier 0 of each PU's own group: one slot for each
 * tile row and one for each tile column in which the PU owns a tile. */
static gboolean
reserve_copies (Mapping *mapping, TlDiags *diags)
{
  guint64 most;
  guint64 groups = (guint64) mapping->machine.channels * mapping->machine.groups;
  guint32 side = tl_tile_side (mapping->n, mapping->tile, mapping->knobs.edges, 0);

  mapping->copies = tl_owner_copies (mapping->owner, &most);
  mapping->copy_bytes = tl_tile_bytes (side, side, mapping->bits);
  if (mapping->knobs.copies == TL_COPIES_HOME)
    return TRUE;
  mapping->copied[0] = mapping->copies * mapping->copy_bytes;
  if (most * mapping->copy_bytes > mapping->machine.tier_bytes / groups)
    {
      g_autofree char *count = tl_format_count (most);
      g_autofree char *needed = tl_format_bytes (most * mapping->copy_bytes);
      g_autofree char *room = tl_format_bytes (mapping->machine.tier_bytes / groups);
      TlDiag          *diag = tl_pass_error (
                   diags, tl_pass_with_knob (mapping->module, mapping->blocked->location, "copies"), "copies-do-not-fit",
                   "copies = t0: a PU keeps copies of %s tiles, %s, in tier 0 of its bank group, which has %s", count, needed,
                   room);

      tl_diag_reason (diag,
                      "one for each tile row and column in which it owns a tile; copies = home spreads them over the "
                      "tiers that the tiles lie in");
      return FALSE;
    }
  return TRUE;
}

/* Most tiles of one tier among row k and column k, over all k: what each PU may hold a copy of. */
static void
spread_copies (Mapping *mapping)
{
  gsize               tiles = mapping->tiles;
  g_autofree guint8  *tier = g_new (guint8, tiles * tiles);
  g_autofree guint32 *in_row = g_new0 (guint32, tiles * TL_MAX_TIERS);
  g_autofree guint32 *in_column = g_new0 (guint32, tiles * TL_MAX_TIERS);

  tl_place_tiers (&mapping->place, mapping->n, mapping->tile, mapping->knobs.edges, mapping->bits,
                  mapping->machine.tier_bytes, tier);
  for (gsize i = 0; i < tiles; i++)
    for (gsize j = 0; j < tiles; j++)
      {
        in_row[i * TL_MAX_TIERS + tier[i * tiles + j]]++;
        in_column[j * TL_MAX_TIERS + tier[i * tiles + j]]++;
      }
  for (guint t = 0; t < mapping->machine.tiers; t++)
    {
      guint64 most = 0;

      for (gsize k = 0; k < tiles; k++)
        most = MAX (most, in_row[k * TL_MAX_TIERS + t] + in_column[k * TL_MAX_TIERS + t]);
      mapping->copied[t] = MIN (mapping->copies, mapping->machine.pus * most) * mapping->copy_bytes;
    }
}

static guint64
matrix_bytes (const Mapping *mapping)
{
  guint64     used[TL_MAX_TIERS];
  TlPlaceRule all = { TL_PLACE_TIER };

  tl_place_bytes (&all, mapping->n, mapping->tile, mapping->knobs.edges, mapping->bits, G_MAXUINT64, used);
  return used[0];
}

/* D by sigma into what the copies leave. Its dependent accesses are none: every tile is
 * read and written in order once a super-step. */
static gboolean
place_by_sigma (Mapping *mapping, TlDiags *diags)
{
  g_autoptr (GArray) shares = g_array_new (FALSE, FALSE, sizeof (TlTierShare));
  guint64        room[TL_MAX_TIERS];
  guint64        total = 0;
  guint64        missing;
  TlMemoryObject matrix
      = { tl_op_text (mapping->data, "name"), mapping->bytes, 0, 2 * mapping->tiles * mapping->bytes };

  for (guint t = 0; t < mapping->machine.tiers; t++)
    {
      mapping->place.reserved[t] = mapping->knobs.copies == TL_COPIES_T0 ? mapping->copied[t] : 0;
      room[t] = mapping->machine.tier_bytes - MIN (mapping->place.reserved[t], mapping->machine.tier_bytes);
      total += mapping->machine.tier_bytes;
    }
  if (!tl_sigma_place (&matrix, 1, room, mapping->machine.tiers, shares, &missing))
    {
      too_big (mapping, mapping->copied[0] > 0 ? "matrix and copies" : "the matrix",
               mapping->bytes + mapping->copied[0], total, "the stack", diags);
      return FALSE;
    }
  mapping->place.kind = TL_PLACE_FILL;
  mapping->place.first = g_array_index (shares, TlTierShare, 0).tier;
  /* Whole tiles may need a tier more than bytes do. */
  for (mapping->place.last = g_array_index (shares, TlTierShare, shares->len - 1).tier;
       !tl_place_bytes (&mapping->place, mapping->n, mapping->tile, mapping->knobs.edges, mapping->bits,
                        mapping->machine.tier_bytes, mapping->used);
       mapping->place.last++)
    if (mapping->place.last + 1 >= mapping->machine.tiers)
      {
        too_big (mapping, "whole tiles and copies", mapping->bytes + mapping->copied[0], total, "the stack", diags);
        return FALSE;
      }
  return TRUE;
}

static gboolean
place_as_told (Mapping *mapping, TlDiags *diags)
{
  guint32 span;

  mapping->place = mapping->knobs.place;
  span = mapping->place.last - mapping->place.first + 1;
  if (mapping->place.last >= mapping->machine.tiers)
    {
      tl_pass_error (diags, tl_pass_with_knob (mapping->module, mapping->blocked->location, "place"), "tier-range",
                     "there is no tier %u: the stack of %s has tiers 0 to %u", mapping->place.last, mapping->target,
                     mapping->machine.tiers - 1);
      return FALSE;
    }
  if (tl_place_bytes (&mapping->place, mapping->n, mapping->tile, mapping->knobs.edges, mapping->bits,
                      mapping->machine.tier_bytes, mapping->used))
    return TRUE;
  {
    g_autofree char *name = span == 1 ? g_strdup_printf ("tier %u", mapping->place.first)
                                      : g_strdup_printf ("tiers %u to %u", mapping->place.first, mapping->place.last);

    too_big (mapping, "the matrix", mapping->bytes, span * mapping->machine.tier_bytes, name, diags);
  }
  return FALSE;
}

static void
warn_overfull (const Mapping *mapping, TlDiags *diags)
{
  const TlLocation *where
      = tl_location_first (tl_pass_with_knob (mapping->module, mapping->blocked->location, "place"));

  tl_lint_tiers (mapping->used, mapping->copied, mapping->machine.tiers, mapping->machine.tier_bytes,
                 where != NULL ? where->text : "", where != NULL ? where->line : 0, where != NULL ? where->column : 0,
                 diags);
}

static const TlAttr *
shares_attr (TlModule *module, const guint64 *bytes, gint64 *first, gint64 *last)
{
  const TlAttr *items[TL_MAX_TIERS];
  guint         n = 0;

  for (guint t = 0; t < TL_MAX_TIERS; t++)
    if (bytes[t] > 0)
      {
        gint64 pair[] = { t, (gint64) bytes[t] };

        *first = n == 0 ? t : *first;
        *last = t;
        items[n++] = tl_attr_integers (module, pair, 2);
      }
  return tl_attr_array (module, items, n);
}

static gint64
padded_elements (const Mapping *mapping)
{
  gint64 side = (gint64) mapping->tiles * mapping->tile;

  return side * side;
}

static void
add_place_op (Mapping *mapping)
{
  TlModule *module = mapping->module;
  TlValue  *matrix = mapping->blocked->operands[0];
  TlOp     *op = tl_op_new (module, "gendram.place", tl_pass_with_knob (module, mapping->data->location, "place"));
  gint64    reserved[TL_MAX_TIERS];
  gint64    first = 0;
  gint64    last = 0;
  g_autofree char *type = NULL;
  g_autofree char *tile_type = NULL;
  TlBlock         *phases = mapping->blocked->regions[0]->blocks[0];

  for (guint t = 0; t < mapping->machine.tiers; t++)
    reserved[t] = (gint64) mapping->place.reserved[t];
  tl_op_set (op, "bytes", tl_attr_integer (module, (gint64) mapping->bytes));
  tl_op_set (op, "chosen", tl_attr_string (module, mapping->knobs.place_auto ? "sigma" : "you"));
  tl_op_set (op, "dependent", tl_attr_integer (module, 0));
  tl_op_set (op, "elements", tl_attr_integer (module, (gint64) mapping->n * mapping->n));
  tl_op_set (op, "first", tl_attr_integer (module, mapping->place.first));
  tl_op_set (op, "last", tl_attr_integer (module, mapping->place.last));
  tl_op_set (op, "name", tl_op_attr (mapping->data, "name"));
  tl_op_set (op, "padded_elements", tl_attr_integer (module, padded_elements (mapping)));
  tl_op_set (op, "reserved", tl_attr_integers (module, reserved, mapping->machine.tiers));
  tl_op_set (op, "rule", tl_attr_string (module, tl_place_name (mapping->place.kind)));
  tl_op_set (op, "shares", shares_attr (module, mapping->used, &first, &last));
  tl_op_set (op, "streamed", tl_attr_integer (module, (gint64) (2 * mapping->tiles * mapping->bytes)));
  type = g_strdup_printf ("!gendram.matrix<%s, %d : i64, %d : i64>", matrix->type, (int) first, (int) last);
  tl_op_add_result (op, tl_type (module, type));
  tl_module_replace (module, matrix, op->results[0]);
  tl_op_add_operand (op, matrix);
  tl_block_insert (tl_module_body (module), mapping->blocked, op);
  mapping->blocked->results[0]->type = op->results[0]->type;
  for (TlOp *phase = phases->first; phase != NULL; phase = phase->next)
    if (phase->n_regions == 1)
      for (TlOp *inner = phase->regions[0]->blocks[0]->first; inner != NULL; inner = inner->next)
        if (inner->n_results == 1)
          {
            if (tile_type == NULL)
              tile_type = g_strdup_printf ("!gendram.tile<%s, %d : i64, %d : i64>", inner->results[0]->type,
                                           (int) first, (int) last);
            inner->results[0]->type = tl_type (module, tile_type);
          }
}

static void
add_reserve_op (Mapping *mapping)
{
  TlModule *module = mapping->module;
  TlOp   *op = tl_op_new (module, "gendram.reserve", tl_pass_with_knob (module, mapping->blocked->location, "copies"));
  guint32 side = tl_tile_side (mapping->n, mapping->tile, mapping->knobs.edges, 0);
  guint64 bytes = 0;
  guint64 copies;
  gint64  first;
  gint64  last;

  for (guint t = 0; t < mapping->machine.tiers; t++)
    bytes += mapping->copied[t];
  copies = bytes / mapping->copy_bytes;
  tl_op_set (op, "bytes", tl_attr_integer (module, (gint64) bytes));
  tl_op_set (op, "elements", tl_attr_integer (module, (gint64) copies * side * side));
  tl_op_set (op, "from", tl_attr_string (module, tl_phase_name (TL_PHASE_PIVOT)));
  tl_op_set (op, "name", tl_attr_string (module, "copies"));
  tl_op_set (op, "padded_elements", tl_attr_integer (module, (gint64) copies * mapping->tile * mapping->tile));
  tl_op_set (op, "shares", shares_attr (module, mapping->copied, &first, &last));
  tl_op_set (op, "tiles", tl_attr_integer (module, (gint64) copies));
  tl_op_set (op, "to", tl_attr_string (module, tl_phase_name (TL_PHASE_INTERNAL)));
  tl_block_insert (tl_module_body (module), mapping->blocked, op);
}

/* Said before any simulation; where the program has no owner line, at the update. */
static void
lint_owner (const Mapping *mapping, TlSource *source, TlSpan span, TlDiags *diags)
{
  TlOwnerLint       lint = tl_owner_lint_rule (mapping->owner);
  const TlLocation *update = tl_location_first (mapping->blocked->location);
  TlDiag           *diag = tl_pass_lint_owner (&lint, mapping->owner_name, mapping->tiles, mapping->machine.pus,
                                               mapping->knobs.barriers, source, span, diags);

  if (diag == NULL || span.end > span.start || update == NULL)
    return;
  diag->from = diag->to = (TlPosition) { update->line, update->column };
  if (source == NULL)
    {
      g_free (diag->file);
      diag->file = g_strdup (update->text);
    }
}

gboolean
tl_g3_map (TlModule *module, guint candidate, TlSource *source, TlSpan owner_span, TlDiags *diags)
{
  g_auto (Mapping) mapping = { 0 };

  if (tl_module_find (module, "dp.wavefront_update") != NULL)
    return tl_g3_wave (module, diags);
  if (!mapping_init (&mapping, module, diags) || !choose_owner (&mapping, candidate, diags))
    return FALSE;
  lint_owner (&mapping, source, owner_span, diags);
  mapping.bytes = matrix_bytes (&mapping);
  guint64 stack = mapping.machine.tiers * mapping.machine.tier_bytes;
  if (mapping.bytes > stack)
    {
      too_big (&mapping, "the matrix", mapping.bytes, stack, "the stack", diags);
      return FALSE;
    }
  if (!reserve_copies (&mapping, diags)
      || !(mapping.knobs.place_auto ? place_by_sigma (&mapping, diags) : place_as_told (&mapping, diags)))
    return FALSE;
  if (mapping.knobs.copies == TL_COPIES_HOME)
    spread_copies (&mapping);
  warn_overfull (&mapping, diags);
  add_place_op (&mapping);
  add_reserve_op (&mapping);
  tl_op_set (tl_module_op (module), "gendram.mode", tl_attr_string (module, "broadcast"));
  tl_pass_done (module, TL_GROUP_G3);
  return TRUE;
}
