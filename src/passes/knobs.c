/* From config lines to knobs: each key's meaning for a closure or a wavefront on a pim
 * target, its range there, and why a value is refused. language.md "Config and place". */
#include "passes/knobs.h"

#include "base/number.h"
#include "dsl/knobs.h"
#include "dsl/print.h"
#include "passes/knob-table-private.h"

#include <string.h>

/* What resolving needs at hand. */
typedef struct
{
  TlKnobTake          take; /* first: the table's functions see this part */
  TlPimKnobs         *knobs;
  const TlPimMachine *machine;
  TlElementType       element;
} Resolver;

#define WORD(id, key, member, words, why)                                                                              \
  [id] = { key, TL_KNOB_WORD, { key, G_STRUCT_OFFSET (TlPimKnobs, member), sizeof (int), 0, G_MAXINT32 }, words, why }
#define NUMBER(id, member, low, high, why)                                                                             \
  [id] = { #member, TL_KNOB_NUMBER, TL_FIELD (TlPimKnobs, member, low, high), NULL, why }
#define OWN(id, key, why) [id] = { key, TL_KNOB_OWN, { 0 }, NULL, why }

static const TlKnobRow rows[TL_N_ALL_PIM_KNOBS] = {
  OWN (TL_PIM_TILE, "tile", "the largest of which all that are worked on at once fit the PU's memory"),
  OWN (TL_PIM_MODE, "mode", "follows from the dependences"),
  OWN (TL_PIM_TRAVERSAL, "traversal", "follows from the dependences"),
  WORD (TL_PIM_BARRIERS, "barriers", barriers, tl_word_barriers, "a PU waits for what it reads alone"),
  OWN (TL_PIM_OWNER, "owner", "the paper's equation 2: (i * M + j) mod P"),
  WORD (TL_PIM_EDGES, "edges", edges, tl_word_edges, "edge tiles cost what they hold"),
  WORD (TL_PIM_COPIES, "copies", copies, tl_word_copies, "what all read lies in the quickest tier"),
  WORD (TL_PIM_COPY_WRITES, "copy_writes", copy_writes, tl_word_copy_writes, "as the paper's figures are counted"),
  WORD (TL_PIM_RING, "ring", ring, tl_word_ring, "broadcasts take their time"),
  NUMBER (TL_PIM_BUFFERS, buffers, 1, 2, "one set of tiles, so that tiles are as large as can be"),
  OWN (TL_PIM_SPLIT, "split", "the target's Search PUs, and the rest"),
  OWN (TL_PIM_PRECISION, "precision", "the width of the data's elements"),
  WORD (TL_PIM_PAGE, "page", page, tl_word_page, "all beats of a row are read before it is closed"),
  WORD (TL_PIM_VALUES, "values", values, tl_word_values, "computed where there are at most 8,192 nodes"),
  WORD (TL_PIM_BASELINE, "baseline", baseline, tl_word_baseline, "the whole flow"),
  NUMBER (TL_PIM_SEED, seed, 0, G_MAXINT64, "nothing is drawn anew from run to run"),
  OWN (TL_PIM_PLACE, "place", "dependent accesses over streamed bytes, the lowest tier with room"),
  NUMBER (TL_PIM_QUEUE, queue, 1, G_MAXINT32, "the ratio of what Search and Compute PUs get done"),
};

/* Keys of the language that mean nothing to a closure on a pim target, and why. */
static const TlForeignKey foreign_keys[] = {
  { "stages", "stages are the tiles in flight on a compute unit" },
  { "quantum", "a pim target moves rows in beats of its own; the quantum is a compute unit's" },
  { "resident", "resident blocks of work are a compute unit's" },
  { "skew", "skewed starts are those of a compute unit's resident blocks; owner = skewed is another thing" },
  { "weights", "a closure has no weight matrix" },
  { "slab", "slabs are placed by PLAN, on compute units" },
  { "queue", "queues join the stages of a pipeline; a closure broadcasts" },
  { "band", "a closure computes every cell; bands belong to alignments" },
  { "score", "scores belong to alignments" },
  { "gap", "gaps belong to alignments" },
};

const char *
tl_pim_knob_name (TlPimKnob id)
{
  g_return_val_if_fail (id < TL_N_ALL_PIM_KNOBS, NULL);
  return rows[id].key;
}

const char *
tl_chosen_name (TlChosen chosen)
{
  static const char *const names[] = { "derived", "target", "you", "example" };

  return names[chosen];
}

guint32
tl_largest_tile (guint64 sram_bytes, guint32 bits, guint32 buffers)
{
  guint64 sets = 3 * (guint64) buffers;
  guint64 side;

  g_return_val_if_fail (bits > 0 && buffers > 0, 0);
  side = tl_isqrt (MIN (sram_bytes, G_MAXUINT64 / 8) * 8 / (sets * bits));
  side = MIN (side, (guint64) G_MAXINT32);
  /* A tile's bits are rounded up to bytes: one less may be needed. */
  while (side > 0 && sets * tl_tile_bytes (side, side, bits) > sram_bytes)
    side--;
  return (guint32) side;
}

void
tl_pim_knobs_default (TlPimKnobs *knobs, TlElementType element, const TlPimMachine *machine)
{
  memset (knobs, 0, sizeof *knobs);
  knobs->moves = g_array_new (FALSE, FALSE, sizeof (TlOwnerMove));
  knobs->buffers = 1;
  knobs->search = MIN (machine->search_pus, machine->pus);
  knobs->compute = machine->pus - knobs->search;
  knobs->precision = element.bits;
  knobs->place_auto = TRUE;
  knobs->place.last = machine->tiers - 1;
}

void
tl_pim_knobs_clear (TlPimKnobs *knobs)
{
  g_clear_pointer (&knobs->owner_text, g_free);
  g_clear_pointer (&knobs->moves, g_array_unref);
}

static char *
place_text (const TlPimKnobs *knobs)
{
  if (knobs->place_auto)
    return g_strdup ("auto");
  if (knobs->place.kind == TL_PLACE_TIER)
    return g_strdup_printf ("tier %u", knobs->place.first);
  return g_strdup_printf ("%s %u..%u", tl_place_name (knobs->place.kind), knobs->place.first, knobs->place.last);
}

/* mode and traversal follow from the dependences. */
static const char *
derived_word (const TlPimKnobs *knobs, TlPimKnob id)
{
  if (id == TL_PIM_TRAVERSAL)
    return knobs->wave ? "wavefront" : "blocked";
  return !knobs->wave ? "broadcast" : knobs->stream ? "pipeline" : "none";
}

char *
tl_pim_knob_text (const TlPimKnobs *knobs, TlPimKnob id)
{
  static const char *const owners[] = { "modulo", "skewed", "auto" };

  g_return_val_if_fail (id < TL_N_ALL_PIM_KNOBS, NULL);
  if (rows[id].form != TL_KNOB_OWN && (id != TL_PIM_QUEUE || knobs->queue > 0))
    return tl_knob_row_text (&rows[id], knobs);
  switch (id)
    {
    case TL_PIM_TILE:
      return knobs->tile > 0 ? g_strdup_printf ("%u", knobs->tile) : g_strdup ("derived");
    case TL_PIM_MODE:
    case TL_PIM_TRAVERSAL:
      return g_strdup (derived_word (knobs, id));
    case TL_PIM_OWNER:
      return g_strdup (knobs->owner == TL_OWNER_EXPRESSION ? knobs->owner_text : owners[knobs->owner]);
    case TL_PIM_SPLIT:
      return g_strdup_printf ("%u : %u", knobs->search, knobs->compute);
    case TL_PIM_PRECISION:
      return g_strdup_printf ("%u", knobs->precision);
    case TL_PIM_PLACE:
      return place_text (knobs);
    case TL_PIM_QUEUE:
      return g_strdup ("derived");
    default:
      g_return_val_if_reached (NULL);
    }
}

const char *
tl_pim_knob_rule (TlPimKnob id)
{
  g_return_val_if_fail (id < TL_N_ALL_PIM_KNOBS, NULL);
  return rows[id].rule;
}

char *
tl_pim_knob_legal (const TlPimKnobs *knobs, TlPimKnob id, const TlPimMachine *machine, guint bits)
{
  g_return_val_if_fail (id < TL_N_ALL_PIM_KNOBS, NULL);
  switch (id)
    {
    case TL_PIM_TILE:
      {
        /* Waves work in the scratchpad, in whole strips of lanes. */
        guint64 memory = knobs->wave ? machine->scratchpad_bytes : machine->sram_bytes;
        guint32 limit = tl_largest_tile (memory, knobs->precision, knobs->buffers);

        if (knobs->wave && machine->pes > 0 && limit >= machine->pes)
          limit -= limit % machine->pes;
        return g_strdup_printf ("1 to %u: %u tiles of %u-bit elements within %u KiB", MAX (limit, 1),
                                3 * knobs->buffers, knobs->precision, (guint) (memory / 1024));
      }
    case TL_PIM_MODE:
    case TL_PIM_TRAVERSAL:
      return g_strdup_printf ("%s: %s", derived_word (knobs, id), rows[id].rule);
    case TL_PIM_SPLIT:
      return g_strdup_printf ("SEARCH : COMPUTE, together %u", machine->pus);
    case TL_PIM_PRECISION:
      return g_strdup_printf ("%u to 64 bits", bits);
    case TL_PIM_PLACE:
      return g_strdup_printf ("auto, tier N, fill A..B or stripe A..B within 0 to %u", machine->tiers - 1);
    default:
      return tl_knob_row_legal (&rows[id]);
    }
}

/* --- one value --- */

/* mode and traversal follow from the dependences: what is written must agree. */
static gboolean
take_derived (Resolver *resolver, TlPimKnob id, const TlExpr *value)
{
  gboolean wave = resolver->knobs->wave;
  TlDiag  *diag = tl_knob_agree (&resolver->take, value, rows[id].key, derived_word (resolver->knobs, id),
                                wave ? "recurrence in wavefront order" : "closure");

  if (diag == NULL)
    return TRUE;
  if (wave)
    tl_diag_reason (diag, id == TL_PIM_TRAVERSAL
                              ? "its cells read cells at constant distances, so tiles go by anti-diagonals"
                          : resolver->knobs->stream
                              ? "candidates are streamed from Search to Compute PUs through a queue"
                              : "nothing is streamed: the Compute PUs share one grid and meet behind each wave");
  else if (id == TL_PIM_MODE)
    tl_diag_reason (diag, "every tile of row and column k is read by PUs all over the stack in each step");
  else
    tl_diag_reason (diag, "D[i,k] and D[k,j] are read at the step k that the loop is in, so tiles go by super-steps of "
                          "pivot, row and column, rest");
  return FALSE;
}

static gboolean
take_tile (Resolver *resolver, const TlExpr *value)
{
  gint64 side;

  if (value->kind == TL_EXPR_TUPLE)
    {
      tl_knob_refuse (&resolver->take, "not-on-this-target", value->span, "tiles are square here: tile is one number");
      return FALSE;
    }
  if (!tl_expr_integer (value, &side) || side < 1 || side > G_MAXINT32)
    return FALSE;
  resolver->knobs->tile = (guint32) side;
  return TRUE;
}

static gboolean
take_owner (Resolver *resolver, const TlExpr *value)
{
  static const char *const words[] = { "modulo", "skewed", "auto" };
  g_autofree char         *text = NULL;
  g_autofree char         *reason = NULL;
  g_autoptr (TlOwnerRule) rule = NULL;

  for (guint w = 0; value->kind == TL_EXPR_NAME && w < G_N_ELEMENTS (words); w++)
    if (strcmp (value->text, words[w]) == 0)
      {
        resolver->knobs->owner = w;
        return TRUE;
      }
  text = tl_expr_text (value);
  /* M is not known yet: any stands for it. The owners themselves are checked in G3. */
  rule = tl_owner_rule_parse (text, 2, resolver->machine->pus, &reason);
  if (rule == NULL)
    {
      tl_knob_refuse (&resolver->take, "owner-rule", value->span, "owner: %s", reason);
      return FALSE;
    }
  resolver->knobs->owner = TL_OWNER_EXPRESSION;
  g_free (resolver->knobs->owner_text);
  resolver->knobs->owner_text = g_steal_pointer (&text);
  return TRUE;
}

/* owner = move (RULE, (i, j, pu), ...): tiles moved by hand. */
static gboolean
take_moved_owner (Resolver *resolver, const TlExpr *value)
{
  if (value->kind != TL_EXPR_CALL || strcmp (value->text, "move") != 0)
    return take_owner (resolver, value);
  if (value->n_args < 1 || !take_owner (resolver, value->args[0]))
    return FALSE;
  for (guint m = 1; m < value->n_args; m++)
    {
      const TlExpr *triple = value->args[m];
      gint64        number[3];
      TlOwnerMove   move;

      for (guint n = 0; n < 3; n++)
        if (triple->kind != TL_EXPR_TUPLE || triple->n_args != 3 || !tl_expr_integer (triple->args[n], &number[n])
            || number[n] < 0 || number[n] > G_MAXINT32)
          {
            tl_knob_refuse (&resolver->take, "owner-rule", triple->span, "a moved tile is (i, j, pu)");
            return FALSE;
          }
      if (number[2] >= resolver->machine->pus)
        {
          tl_knob_refuse (&resolver->take, "owner-range", triple->args[2]->span,
                          "there is no PU %d: the target has PUs 0 to %u", (int) number[2], resolver->machine->pus - 1);
          return FALSE;
        }
      move = (TlOwnerMove) { (guint32) number[0], (guint32) number[1], (guint32) number[2] };
      g_array_append_val (resolver->knobs->moves, move);
    }
  return TRUE;
}

static gboolean
take_split (Resolver *resolver, const TlExpr *value)
{
  gint64 search;
  gint64 compute;

  if (value->kind != TL_EXPR_RATIO || !tl_expr_integer (value->args[0], &search)
      || !tl_expr_integer (value->args[1], &compute) || search < 0 || compute < 0 || search > G_MAXINT32
      || compute > G_MAXINT32)
    return FALSE;
  if (search + compute != resolver->machine->pus)
    {
      tl_knob_refuse (&resolver->take, "split-range", value->span, "split = %d : %d makes %d PUs, the target has %u",
                      (int) search, (int) compute, (int) (search + compute), resolver->machine->pus);
      return FALSE;
    }
  resolver->knobs->search = (guint32) search;
  resolver->knobs->compute = (guint32) compute;
  return TRUE;
}

static gboolean
take_precision (Resolver *resolver, const TlExpr *value)
{
  gint64 bits;

  if (!tl_expr_integer (value, &bits) || bits < 1 || bits > 64)
    return FALSE;
  if (bits < resolver->element.bits)
    {
      g_autofree char *name = tl_element_type_name (resolver->element);
      g_autofree char *least = g_strdup_printf ("%u", resolver->element.bits);
      TlDiag          *diag = tl_knob_refuse (&resolver->take, "precision-range", value->span,
                                              "precision = %d: elements of type %s need %u bits", (int) bits, name,
                                              resolver->element.bits);

      tl_diag_reason (diag, "a narrower datapath would cut values; declare the data with a narrower type instead");
      tl_knob_fix (&resolver->take, diag, value->span, "precision", least);
      return FALSE;
    }
  resolver->knobs->precision = (guint32) bits;
  return TRUE;
}

/* --- place --- */

static gboolean
take_place (Resolver *resolver, const TlExpr *value)
{
  TlPlaceRule rule;
  TlPlaceRead read = tl_place_rule_read (&rule, value, resolver->machine->tiers);

  if (read == TL_PLACE_READ_RULE || read == TL_PLACE_READ_AUTO)
    {
      resolver->knobs->place_auto = read == TL_PLACE_READ_AUTO;
      if (read == TL_PLACE_READ_RULE)
        resolver->knobs->place = rule;
      return TRUE;
    }
  if (tl_place_rule_refuse (read, value, resolver->take.target, resolver->take.source, resolver->take.diags) != NULL)
    resolver->take.right = FALSE;
  return FALSE;
}

/* --- layers: target, program --- */

static gboolean
take_own (TlKnobTake *take, guint id, const TlExpr *value)
{
  Resolver *resolver = (Resolver *) take;

  switch (id)
    {
    case TL_PIM_TILE:
      return take_tile (resolver, value);
    case TL_PIM_MODE:
    case TL_PIM_TRAVERSAL:
      return take_derived (resolver, id, value);
    case TL_PIM_OWNER:
      return take_moved_owner (resolver, value);
    case TL_PIM_SPLIT:
      return take_split (resolver, value);
    case TL_PIM_PRECISION:
      return take_precision (resolver, value);
    case TL_PIM_PLACE:
      return take_place (resolver, value);
    default:
      return FALSE;
    }
}

/* Queues belong to wavefronts; copies and steps within a closure do not. Writing a copy is, of wavefronts, handing
 * the edge of a tile on. */
static gboolean
means_something (const TlKnobTake *take, guint id)
{
  if (!((const TlPimKnobs *) take->knobs)->wave)
    return id != TL_PIM_QUEUE;
  return id != TL_PIM_BARRIERS && id != TL_PIM_COPIES && id != TL_PIM_BUFFERS;
}

gboolean
tl_pim_knob_applies (const TlPimKnobs *knobs, TlPimKnob id)
{
  const TlKnobTake take = { .knobs = (gpointer) knobs };

  return means_something (&take, id);
}

static void
take_program (Resolver *resolver, const TlAst *ast, const char *matrix)
{
  const TlPlaceDecl *place = matrix != NULL ? tl_ast_place (ast, matrix) : NULL;

  tl_knob_take_config (&resolver->take, ast);
  if (place != NULL && place->value != NULL)
    tl_knob_take (&resolver->take, TL_PIM_PLACE, place->value, place->value_span);
  if (!resolver->knobs->wave)
    tl_knob_warn_foreign (&resolver->take, ast, foreign_keys, G_N_ELEMENTS (foreign_keys), "a closure");
}

/* The tile must fit with all it works with, and that hangs on two other knobs. */
static void
check_tile (Resolver *resolver)
{
  TlPimKnobs      *knobs = resolver->knobs;
  guint32          largest = tl_largest_tile (resolver->machine->sram_bytes, knobs->precision, knobs->buffers);
  guint64          bytes;
  TlSpan           span = knobs->origin[TL_PIM_TILE].span;
  g_autofree char *size = NULL;
  g_autofree char *count = NULL;
  g_autofree char *room = NULL;
  g_autofree char *legal = NULL;
  TlDiag          *diag;

  resolver->take.by = knobs->origin[TL_PIM_TILE].chosen;
  if (largest == 0)
    {
      tl_knob_refuse (&resolver->take, "tile-too-large", span, "the PU's memory holds not even tiles of one element");
      return;
    }
  if (knobs->tile <= largest)
    return;
  bytes = 3 * (guint64) knobs->buffers * tl_tile_bytes (knobs->tile, knobs->tile, knobs->precision);
  size = knobs->precision % 8 == 0
             ? g_strdup_printf ("%u x %u x %u bytes", knobs->precision / 8, knobs->tile, knobs->tile)
             : g_strdup_printf ("%u x %u elements of %u bits", knobs->tile, knobs->tile, knobs->precision);
  count = tl_format_count ((bytes + 512) / 1024);
  room = tl_format_count (resolver->machine->sram_bytes / 1024);
  legal = g_strdup_printf ("%u", largest);
  diag = tl_knob_refuse (&resolver->take, "tile-too-large", span,
                         "tile = %u: %s tiles of %s are %s KiB, the PU has %s KiB; largest legal %u", knobs->tile,
                         knobs->buffers == 1 ? "three" : "six", size, count, room, largest);
  tl_diag_reason (diag, knobs->buffers == 1
                            ? "a PU works on C, A_ik and A_kj at once"
                            : "a PU works on C, A_ik and A_kj at once, and buffers = 2 holds two sets of them");
  tl_knob_fix (&resolver->take, diag, span, "tile", legal);
  knobs->tile = 0;
  knobs->origin[TL_PIM_TILE] = (TlKnobOrigin) { TL_CHOSEN_DERIVED, { 0, 0 } };
}

static Resolver
resolver_of (TlPimKnobs *knobs, const TlAst *ast, TlElementType element, const TlTarget *target, TlDiags *diags)
{
  TlKnobTake take = { .rows = rows,
                      .n_rows = TL_N_ALL_PIM_KNOBS,
                      .knobs = knobs,
                      .origin = knobs->origin,
                      .own = take_own,
                      .means = means_something,
                      .target = target,
                      .source = ast->source,
                      .diags = diags,
                      .right = TRUE };

  return (Resolver) { take, knobs, tl_target_pim_machine (target), element };
}

gboolean
tl_pim_knobs_resolve_wave (TlPimKnobs *knobs, const TlAst *ast, gboolean stream, TlElementType element,
                           const TlTarget *target, TlDiags *diags)
{
  Resolver resolver = resolver_of (knobs, ast, element, target, diags);

  g_return_val_if_fail (resolver.machine != NULL, FALSE);
  tl_pim_knobs_default (knobs, element, resolver.machine);
  knobs->wave = TRUE;
  knobs->stream = stream;
  knobs->edges = TL_EDGES_PADDED;
  knobs->barriers = TL_BARRIERS_STRICT;
  tl_knob_take_target (&resolver.take);
  take_program (&resolver, ast, NULL);
  for (guint p = 0; p < ast->n_places; p++)
    if (ast->places[p]->value != NULL)
      {
        TlPlaceRule rule;
        TlPlaceRead read = tl_place_rule_read (&rule, ast->places[p]->value, resolver.machine->tiers);

        if (tl_place_rule_refuse (read, ast->places[p]->value, target, ast->source, diags) != NULL)
          resolver.take.right = FALSE;
      }
  return resolver.take.right;
}

gboolean
tl_pim_knobs_resolve (TlPimKnobs *knobs, const TlAst *ast, const TlAst *overrides, const char *matrix,
                      TlElementType element, const TlTarget *target, TlDiags *diags)
{
  Resolver resolver = resolver_of (knobs, ast, element, target, diags);

  g_return_val_if_fail (resolver.machine != NULL, FALSE);
  tl_pim_knobs_default (knobs, element, resolver.machine);
  tl_knob_take_target (&resolver.take);
  take_program (&resolver, ast, matrix);
  if (overrides != NULL)
    take_program (&resolver, overrides, matrix);
  check_tile (&resolver);
  return resolver.take.right;
}
