/* From config lines to knobs: each key's meaning for a closure or a wavefront on a pim
 * target, its range there, and why a value is refused. language.md "Config and place". */
#include "passes/knobs.h"

#include "base/number.h"
#include "dsl/knobs.h"
#include "dsl/print.h"

#include <string.h>

/* What resolving needs at hand. */
typedef struct
{
  TlPimKnobs         *knobs;
  const TlTarget     *target;
  const TlPimMachine *machine;
  TlElementType       element;
  TlSource           *source; /* of the value at hand */
  TlChosen            by;
  TlDiags            *diags;
  gboolean            right;
} Resolver;

static const char *const keys[TL_N_ALL_PIM_KNOBS] = {
  [TL_PIM_TILE] = "tile",           [TL_PIM_MODE] = "mode",
  [TL_PIM_TRAVERSAL] = "traversal", [TL_PIM_BARRIERS] = "barriers",
  [TL_PIM_OWNER] = "owner",         [TL_PIM_EDGES] = "edges",
  [TL_PIM_COPIES] = "copies",       [TL_PIM_COPY_WRITES] = "copy_writes",
  [TL_PIM_RING] = "ring",           [TL_PIM_BUFFERS] = "buffers",
  [TL_PIM_SPLIT] = "split",         [TL_PIM_PRECISION] = "precision",
  [TL_PIM_PAGE] = "page",           [TL_PIM_VALUES] = "values",
  [TL_PIM_BASELINE] = "baseline",   [TL_PIM_SEED] = "seed",
  [TL_PIM_PLACE] = "place",         [TL_PIM_QUEUE] = "queue",
};

/* Keys of the language that mean nothing to a closure on a pim target, and why. */
static const struct
{
  const char *key;
  const char *reason;
} foreign_keys[] = {
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
  return keys[id];
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

static const char *
barriers_word (int value)
{
  return tl_barriers_name (value);
}

static const char *
edges_word (int value)
{
  return tl_edges_name (value);
}

static const char *
copies_word (int value)
{
  return tl_copies_name (value);
}

static const char *
copy_writes_word (int value)
{
  return tl_copy_writes_name (value);
}

static const char *
ring_word (int value)
{
  return tl_ring_name (value);
}

static const char *
page_word (int value)
{
  return tl_page_name (value);
}

static const char *
values_word (int value)
{
  return tl_values_name (value);
}

static const char *
baseline_word (int value)
{
  return tl_baseline_name (value);
}

/* Knobs that are one word of a list. */
typedef struct
{
  TlPimKnob id;
  gsize     offset; /* of the enum in TlPimKnobs */
  const char *(*word) (int);
} WordKnob;

static const WordKnob word_knobs[] = {
  { TL_PIM_BARRIERS, G_STRUCT_OFFSET (TlPimKnobs, barriers), barriers_word },
  { TL_PIM_EDGES, G_STRUCT_OFFSET (TlPimKnobs, edges), edges_word },
  { TL_PIM_COPIES, G_STRUCT_OFFSET (TlPimKnobs, copies), copies_word },
  { TL_PIM_COPY_WRITES, G_STRUCT_OFFSET (TlPimKnobs, copy_writes), copy_writes_word },
  { TL_PIM_RING, G_STRUCT_OFFSET (TlPimKnobs, ring), ring_word },
  { TL_PIM_PAGE, G_STRUCT_OFFSET (TlPimKnobs, page), page_word },
  { TL_PIM_VALUES, G_STRUCT_OFFSET (TlPimKnobs, values), values_word },
  { TL_PIM_BASELINE, G_STRUCT_OFFSET (TlPimKnobs, baseline), baseline_word },
};

static const WordKnob *
find_word_knob (TlPimKnob id)
{
  for (guint i = 0; i < G_N_ELEMENTS (word_knobs); i++)
    if (word_knobs[i].id == id)
      return &word_knobs[i];
  return NULL;
}

/* All of them are plain C enums, as wide as an int. */
static int *
word_value (const TlPimKnobs *knobs, const WordKnob *knob)
{
  return (int *) ((char *) knobs + knob->offset);
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
  const WordKnob          *word = find_word_knob (id);

  if (word != NULL)
    return g_strdup (word->word (*word_value (knobs, word)));
  switch (id)
    {
    case TL_PIM_TILE:
      return knobs->tile > 0 ? g_strdup_printf ("%u", knobs->tile) : g_strdup ("derived");
    case TL_PIM_MODE:
    case TL_PIM_TRAVERSAL:
      return g_strdup (derived_word (knobs, id));
    case TL_PIM_OWNER:
      return g_strdup (knobs->owner == TL_OWNER_EXPRESSION ? knobs->owner_text : owners[knobs->owner]);
    case TL_PIM_BUFFERS:
      return g_strdup_printf ("%u", knobs->buffers);
    case TL_PIM_SPLIT:
      return g_strdup_printf ("%u : %u", knobs->search, knobs->compute);
    case TL_PIM_PRECISION:
      return g_strdup_printf ("%u", knobs->precision);
    case TL_PIM_SEED:
      return g_strdup_printf ("%" G_GUINT64_FORMAT, knobs->seed);
    case TL_PIM_PLACE:
      return place_text (knobs);
    case TL_PIM_QUEUE:
      return knobs->queue > 0 ? g_strdup_printf ("%u", knobs->queue) : g_strdup ("derived");
    default:
      g_return_val_if_reached (NULL);
    }
}

/* --- one value --- */

static TlDiag *refuse (Resolver *resolver, const char *code, TlSpan span, const char *format, ...) G_GNUC_PRINTF (4, 5);

static TlDiag *
refuse (Resolver *resolver, const char *code, TlSpan span, const char *format, ...)
{
  va_list          args;
  g_autofree char *message = NULL;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  resolver->right = FALSE;
  if (resolver->by == TL_CHOSEN_TARGET)
    return tl_diags_add_at (resolver->diags, TL_SEVERITY_ERROR, code, tl_target_file (resolver->target), 0, 0, "%s",
                            message);
  return tl_diags_add (resolver->diags, TL_SEVERITY_ERROR, code, resolver->source, span, "%s", message);
}

static void
fix_value (Resolver *resolver, TlDiag *diag, TlSpan span, const char *key, const char *value)
{
  g_autofree char *title = g_strdup_printf ("set %s = %s", key, value);

  if (resolver->by != TL_CHOSEN_TARGET)
    tl_diag_fix (diag, title, span, value);
}

static gboolean
take_word (const WordKnob *knob, TlPimKnobs *knobs, const char *text)
{
  const char *word;

  for (int value = 0; (word = knob->word (value)) != NULL; value++)
    if (strcmp (word, text) == 0)
      {
        *word_value (knobs, knob) = value;
        return TRUE;
      }
  return FALSE;
}

/* mode and traversal follow from the dependences: what is written must agree. */
static gboolean
take_derived (Resolver *resolver, TlPimKnob id, const TlExpr *value)
{
  const char *derived = derived_word (resolver->knobs, id);
  gboolean    wave = resolver->knobs->wave;
  TlDiag     *diag;

  if (value->kind == TL_EXPR_NAME && strcmp (value->text, derived) == 0)
    return TRUE;
  diag = refuse (resolver, "not-on-this-target", value->span, "%s = %s does not suit a %s; its %s is %s", keys[id],
                 value->text, wave ? "recurrence in wavefront order" : "closure", keys[id], derived);
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
  fix_value (resolver, diag, value->span, keys[id], derived);
  return FALSE;
}

static gboolean
take_tile (Resolver *resolver, const TlExpr *value)
{
  gint64 side;

  if (value->kind == TL_EXPR_TUPLE)
    {
      refuse (resolver, "not-on-this-target", value->span, "tiles are square here: tile is one number");
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
      refuse (resolver, "owner-rule", value->span, "owner: %s", reason);
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
            refuse (resolver, "owner-rule", triple->span, "a moved tile is (i, j, pu)");
            return FALSE;
          }
      if (number[2] >= resolver->machine->pus)
        {
          refuse (resolver, "owner-range", triple->args[2]->span, "there is no PU %d: the target has PUs 0 to %u",
                  (int) number[2], resolver->machine->pus - 1);
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
      refuse (resolver, "split-range", value->span, "split = %d : %d makes %d PUs, the target has %u", (int) search,
              (int) compute, (int) (search + compute), resolver->machine->pus);
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
      TlDiag          *diag
          = refuse (resolver, "precision-range", value->span, "precision = %d: elements of type %s need %u bits",
                    (int) bits, name, resolver->element.bits);

      tl_diag_reason (diag, "a narrower datapath would cut values; declare the data with a narrower type instead");
      fix_value (resolver, diag, value->span, "precision", least);
      return FALSE;
    }
  resolver->knobs->precision = (guint32) bits;
  return TRUE;
}

static gboolean
take_value (Resolver *resolver, TlPimKnob id, const TlExpr *value)
{
  const WordKnob *word = find_word_knob (id);
  gint64          number;

  if (word != NULL)
    return value->kind == TL_EXPR_NAME && take_word (word, resolver->knobs, value->text);
  switch (id)
    {
    case TL_PIM_TILE:
      return take_tile (resolver, value);
    case TL_PIM_MODE:
    case TL_PIM_TRAVERSAL:
      return take_derived (resolver, id, value);
    case TL_PIM_OWNER:
      return take_moved_owner (resolver, value);
    case TL_PIM_BUFFERS:
      if (!tl_expr_integer (value, &number) || number < 1 || number > 2)
        return FALSE;
      resolver->knobs->buffers = (guint32) number;
      return TRUE;
    case TL_PIM_SPLIT:
      return take_split (resolver, value);
    case TL_PIM_PRECISION:
      return take_precision (resolver, value);
    case TL_PIM_QUEUE:
      if (!tl_expr_integer (value, &number) || number < 1 || number > G_MAXINT32)
        return FALSE;
      resolver->knobs->queue = (guint32) number;
      return TRUE;
    case TL_PIM_SEED:
      if (!tl_expr_integer (value, &number) || number < 0)
        return FALSE;
      resolver->knobs->seed = (guint64) number;
      return TRUE;
    default:
      return FALSE;
    }
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
  if (tl_place_rule_refuse (read, value, resolver->target, resolver->source, resolver->diags) != NULL)
    resolver->right = FALSE;
  return FALSE;
}

/* --- layers: target, program --- */

static void
take_item (Resolver *resolver, TlPimKnob id, const TlExpr *value, TlSpan span)
{
  gboolean taken = id == TL_PIM_PLACE ? take_place (resolver, value) : take_value (resolver, id, value);

  if (!taken)
    {
      resolver->right = FALSE;
      return;
    }
  resolver->knobs->origin[id].chosen = resolver->by;
  resolver->knobs->origin[id].span = resolver->by == TL_CHOSEN_TARGET ? tl_span (0, 0) : span;
}

/* Queues belong to wavefronts; copies and steps within a closure do not. */
static gboolean
means_something (const Resolver *resolver, guint id)
{
  if (!resolver->knobs->wave)
    return id != TL_PIM_QUEUE;
  return id != TL_PIM_BARRIERS && id != TL_PIM_COPIES && id != TL_PIM_COPY_WRITES && id != TL_PIM_BUFFERS;
}

/* A target's default is read as if it stood in a config line. */
static void
take_target (Resolver *resolver)
{
  resolver->by = TL_CHOSEN_TARGET;
  for (guint i = 0; i < tl_target_n_knobs (resolver->target); i++)
    {
      const char      *key;
      const char      *text;
      g_autofree char *line = NULL;
      g_autofree char *reason = NULL;
      g_autoptr (TlSource) source = NULL;
      g_autoptr (TlDiags) diags = tl_diags_new ();
      g_autoptr (TlAst) ast = NULL;
      const TlConfigItem *item;
      guint               id = 0;

      tl_target_get_knob (resolver->target, i, &key, &text);
      line = g_strdup_printf ("config %s = %s\n", key, text);
      source = tl_source_new (tl_target_file (resolver->target), line, -1);
      ast = tl_parse (source, diags);
      item = tl_ast_config (ast, key);
      while (id < TL_N_ALL_PIM_KNOBS && strcmp (keys[id], key) != 0)
        id++;
      if (item == NULL || item->value == NULL || tl_diags_errors (diags) > 0
          || !tl_knob_admits (tl_knob_find (key), item->value, &reason, NULL))
        refuse (resolver, "target-knob", tl_span (0, 0), "the target's default %s = %s is not legal: %s", key, text,
                reason != NULL ? reason : "it is no value");
      else if (id < TL_N_ALL_PIM_KNOBS && means_something (resolver, id))
        take_item (resolver, id, item->value, tl_span (0, 0));
    }
}

static void
take_program (Resolver *resolver, const TlAst *ast, const char *matrix)
{
  const TlPlaceDecl *place = matrix != NULL ? tl_ast_place (ast, matrix) : NULL;

  resolver->by = TL_CHOSEN_YOU;
  resolver->source = ast->source;
  for (guint id = 0; id < TL_N_ALL_PIM_KNOBS; id++)
    {
      const TlConfigItem *item = tl_ast_config (ast, keys[id]);
      const TlKnob       *knob = tl_knob_find (keys[id]);

      if (item == NULL || item->value == NULL || knob == NULL || !means_something (resolver, id))
        continue;
      if (tl_knob_admits (knob, item->value, NULL, NULL))
        take_item (resolver, id, item->value, item->value_span);
      else
        resolver->right = FALSE;
    }
  if (place != NULL && place->value != NULL)
    take_item (resolver, TL_PIM_PLACE, place->value, place->value_span);
  for (guint f = 0; f < G_N_ELEMENTS (foreign_keys) && !resolver->knobs->wave; f++)
    {
      const TlConfigItem *item = tl_ast_config (ast, foreign_keys[f].key);

      if (item != NULL)
        tl_diag_reason (tl_diags_add (resolver->diags, TL_SEVERITY_WARNING, "not-on-this-target", ast->source,
                                      item->span, "%s does nothing for a closure on %s", foreign_keys[f].key,
                                      tl_target_name (resolver->target)),
                        "%s", foreign_keys[f].reason);
    }
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

  resolver->by = knobs->origin[TL_PIM_TILE].chosen;
  if (largest == 0)
    {
      refuse (resolver, "tile-too-large", span, "the PU's memory holds not even tiles of one element");
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
  diag = refuse (resolver, "tile-too-large", span,
                 "tile = %u: %s tiles of %s are %s KiB, the PU has %s KiB; largest legal %u", knobs->tile,
                 knobs->buffers == 1 ? "three" : "six", size, count, room, largest);
  tl_diag_reason (diag, knobs->buffers == 1
                            ? "a PU works on C, A_ik and A_kj at once"
                            : "a PU works on C, A_ik and A_kj at once, and buffers = 2 holds two sets of them");
  fix_value (resolver, diag, span, "tile", legal);
  knobs->tile = 0;
  knobs->origin[TL_PIM_TILE] = (TlKnobOrigin) { TL_CHOSEN_DERIVED, { 0, 0 } };
}

gboolean
tl_pim_knobs_resolve_wave (TlPimKnobs *knobs, const TlAst *ast, gboolean stream, TlElementType element,
                           const TlTarget *target, TlDiags *diags)
{
  Resolver resolver = {
    .knobs = knobs,
    .target = target,
    .machine = tl_target_pim_machine (target),
    .element = element,
    .source = ast->source,
    .diags = diags,
    .right = TRUE,
  };

  g_return_val_if_fail (resolver.machine != NULL, FALSE);
  tl_pim_knobs_default (knobs, element, resolver.machine);
  knobs->wave = TRUE;
  knobs->stream = stream;
  knobs->edges = TL_EDGES_PADDED;
  knobs->barriers = TL_BARRIERS_STRICT;
  take_target (&resolver);
  take_program (&resolver, ast, NULL);
  for (guint p = 0; p < ast->n_places; p++)
    if (ast->places[p]->value != NULL)
      {
        TlPlaceRule rule;
        TlPlaceRead read = tl_place_rule_read (&rule, ast->places[p]->value, resolver.machine->tiers);

        if (tl_place_rule_refuse (read, ast->places[p]->value, target, ast->source, diags) != NULL)
          resolver.right = FALSE;
      }
  return resolver.right;
}

gboolean
tl_pim_knobs_resolve (TlPimKnobs *knobs, const TlAst *ast, const TlAst *overrides, const char *matrix,
                      TlElementType element, const TlTarget *target, TlDiags *diags)
{
  Resolver resolver = {
    .knobs = knobs,
    .target = target,
    .machine = tl_target_pim_machine (target),
    .element = element,
    .source = ast->source,
    .diags = diags,
    .right = TRUE,
  };

  g_return_val_if_fail (resolver.machine != NULL, FALSE);
  tl_pim_knobs_default (knobs, element, resolver.machine);
  take_target (&resolver);
  take_program (&resolver, ast, matrix);
  if (overrides != NULL)
    take_program (&resolver, overrides, matrix);
  check_tile (&resolver);
  return resolver.right;
}
