/* Rows come from the resolved knobs where there is a pim target, else from what the
 * text says. GenMLIR section 3.3 for the card. */
#include "app/choices.h"

#include "app/places.h"
#include "base/number.h"
#include "dsl/knobs.h"
#include "dsl/print.h"
#include "engine/knob-list.h"
#include "passes/lint.h"

#include <glib/gi18n.h>
#include <string.h>

static void
choice_free (gpointer data)
{
  TlChoice *choice = data;

  g_free (choice->key);
  g_free (choice->label);
  g_free (choice->value);
  g_strfreev (choice->words);
  g_free (choice->legal);
  g_free (choice->summary);
  g_free (choice->problem);
  g_free (choice);
}

/* In the order of the panel: what is turned most, first. */
static const struct
{
  TlPimKnob   id;
  const char *label;
} rows[] = {
  { TL_PIM_TILE, N_ ("Tile B") },
  { TL_PIM_OWNER, N_ ("Owner") },
  { TL_PIM_BARRIERS, N_ ("Barriers") },
  { TL_PIM_PAGE, N_ ("Page") },
  { TL_PIM_PLACE, N_ ("Place") },
  { TL_PIM_COPIES, N_ ("Copies") },
  { TL_PIM_COPY_WRITES, N_ ("Copy writes") },
  { TL_PIM_RING, N_ ("Ring") },
  { TL_PIM_BUFFERS, N_ ("Buffers") },
  { TL_PIM_EDGES, N_ ("Edges") },
  { TL_PIM_PRECISION, N_ ("Precision") },
  { TL_PIM_SPLIT, N_ ("Split") },
  { TL_PIM_MODE, N_ ("Mode") },
  { TL_PIM_TRAVERSAL, N_ ("Traversal") },
  { TL_PIM_VALUES, N_ ("Values") },
  { TL_PIM_BASELINE, N_ ("Baseline") },
  { TL_PIM_SEED, N_ ("Seed") },
};

/* Knobs that a recurrence in wavefront order has no use for. */
static gboolean
is_of_closures (TlPimKnob id)
{
  return id == TL_PIM_BARRIERS || id == TL_PIM_COPIES || id == TL_PIM_BUFFERS;
}

static char *
span_text (const TlAst *ast, TlSpan span)
{
  guint32 length = tl_source_length (ast->source);

  if (span.end > length || span.start >= span.end)
    return NULL;
  return g_strndup (tl_source_text (ast->source) + span.start, span.end - span.start);
}

/* The value as the text has it, NULL when it does not say. (transfer full) */
static char *
written_value (const TlAst *ast, const char *key, gboolean place)
{
  if (ast == NULL)
    return NULL;
  if (place)
    {
      const TlPlaceDecl *decl = tl_ast_place (ast, key);
      return decl != NULL ? span_text (ast, decl->value_span) : NULL;
    }
  const TlConfigItem *item = tl_ast_config (ast, key);
  return item != NULL ? span_text (ast, item->value_span) : NULL;
}

/* The first diagnostic of that severity whose place lies in the knob's item. */
static const TlDiag *
diag_on (const TlBuild *build, TlSpan span, TlSeverity severity)
{
  for (guint d = 0; span.end > span.start && d < tl_diags_count (build->diags); d++)
    {
      const TlDiag *diag = tl_diags_get (build->diags, d);
      TlSpan        place;

      if (diag->severity != severity || build->source == NULL)
        continue;
      place = tl_place_span (build->source, diag);
      if (place.end > 0 && place.start >= span.start && place.end <= span.end)
        return diag;
    }
  return NULL;
}

/* Message and reason in one. (transfer full) */
static char *
whole_message (const TlDiag *diag)
{
  return diag->reason != NULL ? g_strdup_printf ("%s: %s", diag->message, diag->reason) : g_strdup (diag->message);
}

static TlSpan
written_span (const TlAst *ast, const char *key, gboolean place)
{
  const TlPlaceDecl  *decl = place ? tl_ast_place (ast, key) : NULL;
  const TlConfigItem *item = place ? NULL : tl_ast_config (ast, key);

  return decl != NULL ? decl->span : item != NULL ? item->span : tl_span (0, 0);
}

static TlChoice *
new_choice (const TlBuild *build, const TlAst *original, const char *key, gboolean place, char *label)
{
  TlChoice        *choice = g_new0 (TlChoice, 1);
  g_autofree char *said = written_value (build->ast, key, place);
  g_autofree char *came = written_value (original, key, place);

  choice->key = g_strdup (key);
  choice->place = place;
  choice->label = label;
  if (said != NULL)
    {
      const TlDiag *error = diag_on (build, written_span (build->ast, key, place), TL_SEVERITY_ERROR);
      choice->written = TRUE;
      choice->chosen = came != NULL && strcmp (came, said) == 0 ? TL_CHOSEN_EXAMPLE : TL_CHOSEN_YOU;
      choice->problem = error != NULL ? whole_message (error) : NULL;
    }
  return choice;
}

static char **
places (guint32 tiers)
{
  GPtrArray *words = g_ptr_array_new ();

  g_ptr_array_add (words, g_strdup ("auto"));
  g_ptr_array_add (words, g_strdup_printf ("fill 0..%u", tiers - 1));
  g_ptr_array_add (words, g_strdup_printf ("stripe 0..%u", tiers - 1));
  for (guint32 tier = 0; tier < tiers; tier++)
    g_ptr_array_add (words, g_strdup_printf ("tier %u", tier));
  g_ptr_array_add (words, NULL);
  return (char **) g_ptr_array_free (words, FALSE);
}

/* A value that is none of the words is one more of them, so that it can be shown. */
static void
add_word (TlChoice *choice)
{
  if (g_strv_contains ((const char *const *) choice->words, choice->value))
    return;
  guint n = g_strv_length (choice->words);
  choice->words = g_renew (char *, choice->words, n + 2);
  choice->words[n] = g_strdup (choice->value);
  choice->words[n + 1] = NULL;
}

static void
bound_tile (TlChoice *choice, const TlPimKnobs *knobs, const TlPimMachine *machine)
{
  /* Waves work in the scratchpad, in whole strips of lanes. */
  guint64 memory = knobs->wave ? machine->scratchpad_bytes : machine->sram_bytes;
  guint32 limit = MAX (tl_largest_tile (memory, knobs->precision, knobs->buffers), 1);

  if (knobs->wave && machine->pes > 0 && limit >= machine->pes)
    limit -= limit % machine->pes;
  choice->kind = TL_CHOICE_NUMBER;
  choice->least = 1;
  choice->limit = limit;
  choice->most = limit + MAX (limit / 2, 1);
  choice->legal = g_strdup_printf (_ ("1 to %u: %u tiles of %u-bit elements within %u KiB"), limit, 3 * knobs->buffers,
                                   knobs->precision, (guint) (memory / 1024));
}

static void
bound_number (TlChoice *choice, const TlKnob *knob, const TlPimKnobs *knobs, TlPimKnob id, TlElementType element)
{
  choice->kind = TL_CHOICE_TEXT;
  if (id == TL_PIM_PRECISION)
    choice->legal = g_strdup_printf (_ ("%u to 64 bits"), element.bits);
  else
    choice->legal = g_strdup (knob->grammar);
}

static TlChoice *
knob_row (const TlBuild *build, const TlAst *original, const TlBuild *last, const TlTarget *target,
          const TlPimKnobs *knobs, TlPimKnob id, const char *label, const char *matrix, TlElementType element)
{
  const TlPimMachine *machine = tl_target_pim_machine (target);
  const TlKnob       *knob = tl_knob_find (tl_pim_knob_name (id));
  gboolean            place = id == TL_PIM_PLACE;
  TlChoice           *choice = new_choice (build, original, place ? matrix : tl_pim_knob_name (id), place,
                                 place ? g_strdup_printf (_ ("Place %s"), matrix) : g_strdup (_ (label)));

  choice->value = tl_pim_knob_text (knobs, id);
  if (choice->written && choice->problem != NULL)
    {
      g_free (choice->value);
      choice->value = written_value (build->ast, choice->key, place);
    }
  else if (!choice->written)
    choice->chosen = knobs->origin[id].chosen;
  choice->summary = g_strdup (place ? _ ("which tiers its tiles lie in") : knob != NULL ? knob->summary : "");
  if (id == TL_PIM_TILE)
    {
      const TlPimProgram *program = build->program != NULL ? build->program : last != NULL ? last->program : NULL;
      if (knobs->tile == 0 && choice->problem == NULL)
        {
          g_free (choice->value);
          choice->value
              = build->pipe != NULL ? g_strdup_printf ("%u", build->pipe->tiling.tile)
                : program != NULL
                    ? g_strdup_printf ("%u", program->tile)
                    : g_strdup_printf ("%u", tl_largest_tile (machine->sram_bytes, knobs->precision, knobs->buffers));
        }
      bound_tile (choice, knobs, machine);
    }
  else if (place)
    {
      choice->words = places (machine->tiers);
      choice->legal = g_strdup_printf (_ ("auto, tier N, fill A..B or stripe A..B within 0 to %u"), machine->tiers - 1);
      add_word (choice);
    }
  else if (id == TL_PIM_OWNER)
    {
      choice->kind = TL_CHOICE_OWNER;
      choice->words = g_strdupv ((char **) knob->words);
      choice->legal = g_strdup (knob->grammar);
      if (choice->written && knobs->moves->len > 0)
        {
          g_free (choice->value);
          choice->value = written_value (build->ast, "owner", FALSE);
        }
    }
  else if (id == TL_PIM_MODE || id == TL_PIM_TRAVERSAL)
    {
      char *only[] = { choice->value, NULL };
      choice->words = g_strdupv (only);
      choice->legal = g_strdup (_ ("follows from the dependences"));
    }
  else if (id == TL_PIM_BUFFERS)
    {
      static const char *const counts[] = { "1", "2", NULL };
      choice->words = g_strdupv ((char **) counts);
      choice->legal = g_strdup (knob->grammar);
      add_word (choice);
    }
  else if (knob != NULL && knob->words != NULL)
    {
      choice->words = g_strdupv ((char **) knob->words);
      choice->legal = g_strjoinv (", ", choice->words);
      if (id == TL_PIM_BASELINE)
        {
          g_clear_pointer (&choice->value, g_free);
          choice->value = g_strdup (knobs->baseline == TL_BASELINE_NONE ? "B3" : tl_baseline_name (knobs->baseline));
        }
      add_word (choice);
    }
  else
    bound_number (choice, knob, knobs, id, element);
  return choice;
}

/* Of wavefronts each object has a place: tables of the index, data, what waves hand on. */
static void
add_place_rows (GPtrArray *choices, const TlBuild *build, const TlAst *original, const TlTarget *target)
{
  g_autoptr (GPtrArray) states = tl_build_knobs (build, target);

  for (guint s = 0; s < states->len; s++)
    {
      const TlKnobState *state = states->pdata[s];

      if (state->operand == NULL)
        continue;
      TlChoice *choice
          = new_choice (build, original, state->operand, TRUE, g_strdup_printf (_ ("Place %s"), state->operand));
      if (!choice->written)
        choice->chosen = state->chosen;
      choice->value = choice->problem != NULL ? written_value (build->ast, choice->key, TRUE) : g_strdup (state->value);
      choice->summary = g_strdup_printf (_ ("which tiers it lies in: %s"), state->detail);
      choice->words = places (tl_target_pim_machine (target)->tiers);
      choice->legal = g_strdup_printf (_ ("auto, tier N, fill A..B or stripe A..B within 0 to %u"),
                                       tl_target_pim_machine (target)->tiers - 1);
      add_word (choice);
      g_ptr_array_add (choices, choice);
    }
}

static TlChoice *
target_row (const TlBuild *build, const TlAst *original, const char *const *targets)
{
  TlChoice        *choice = new_choice (build, original, "target", FALSE, g_strdup (_ ("Target")));
  g_autofree char *said = written_value (build->ast, "target", FALSE);

  choice->value = said != NULL ? g_steal_pointer (&said)
                               : g_strdup (build->target != NULL ? tl_target_name (build->target) : "gendram");
  choice->words = targets != NULL ? g_strdupv ((char **) targets) : g_new0 (char *, 1);
  choice->summary = g_strdup (_ ("the machine"));
  choice->legal = g_strdup (_ ("a target's name, or a file in quotes"));
  add_word (choice);
  return choice;
}

/* Without a target all that can be shown is what the text says. */
static void
add_said_rows (GPtrArray *choices, const TlBuild *build, const TlAst *original)
{
  for (guint c = 0; c < build->ast->n_config; c++)
    {
      const TlConfigItem *item = build->ast->config[c];
      const TlKnob       *knob = item->key != NULL ? tl_knob_find (item->key) : NULL;

      if (knob == NULL || knob->kind == TL_KNOB_TARGET || tl_ast_config (build->ast, item->key) != item)
        continue;
      TlChoice *choice = new_choice (build, original, item->key, FALSE, g_strdup (item->key));
      choice->value = span_text (build->ast, item->value_span);
      if (choice->value == NULL)
        choice->value = g_strdup ("");
      choice->kind = knob->words != NULL && knob->kind == TL_KNOB_WORDS ? TL_CHOICE_WORDS : TL_CHOICE_TEXT;
      choice->words = knob->words != NULL ? g_strdupv ((char **) knob->words) : g_new0 (char *, 1);
      choice->summary = g_strdup (knob->summary);
      choice->legal = knob->grammar != NULL ? g_strdup (knob->grammar) : g_strjoinv (", ", choice->words);
      if (choice->kind == TL_CHOICE_WORDS)
        add_word (choice);
      g_ptr_array_add (choices, choice);
    }
}

static const char *
matrix_of (const TlBuild *build, TlElementType *element)
{
  const char       *name = build->recurrence != NULL                                    ? build->recurrence->output
                           : build->ast->n_data > 0 && build->ast->data[0]->n_names > 0 ? build->ast->data[0]->names[0]
                                                                                        : NULL;
  const TlDataDecl *decl = name != NULL ? tl_ast_data (build->ast, name) : NULL;

  if (build->recurrence != NULL)
    *element = build->recurrence->element;
  else if (decl != NULL && decl->type.bits > 0)
    *element = decl->type;
  return name;
}

/* In the order of the panel; places of operands go behind the tile. */
static const struct
{
  const char *key, *label;
} product_rows[] = {
  { "tile", N_ ("Tile") },       { "place", N_ ("Place %s") },    { "weights", N_ ("Weights") },
  { "stages", N_ ("Stages") },   { "resident", N_ ("Resident") }, { "skew", N_ ("Skew") },
  { "quantum", N_ ("Quantum") }, { "slab", N_ ("Slab") },         { "page", N_ ("Page") },
  { "queue", N_ ("Queue") },     { "values", N_ ("Values") },     { "seed", N_ ("Seed") },
};

static TlChoice *
product_row (const TlBuild *build, const TlAst *original, const TlKnobState *state, const char *label)
{
  static const char *const rules[] = { "plan", "packed", "identity", NULL };
  gboolean                 place = state->operand != NULL;
  const TlKnob            *knob = tl_knob_find (state->key);
  TlChoice                *choice = new_choice (build, original, place ? state->operand : state->key, place,
                                 place ? g_strdup_printf (_ ("Place %s"), state->operand) : g_strdup (_ (label)));

  if (!choice->written)
    choice->chosen = state->chosen;
  choice->value = choice->problem != NULL ? written_value (build->ast, choice->key, place) : g_strdup (state->value);
  choice->summary = g_strdup (place ? _ ("where the units of its tiles lie") : knob != NULL ? knob->summary : "");
  choice->legal = g_strdup (state->legal);
  choice->kind = place ? TL_CHOICE_OWNER : knob != NULL && knob->words != NULL ? TL_CHOICE_WORDS : TL_CHOICE_TEXT;
  choice->words = place                             ? g_strdupv ((char **) rules)
                  : choice->kind == TL_CHOICE_WORDS ? g_strdupv ((char **) knob->words)
                                                    : g_new0 (char *, 1);
  if (choice->kind == TL_CHOICE_WORDS)
    add_word (choice);
  return choice;
}

/* Of a product on a compute unit; FALSE when the build has got to none. */
static gboolean
add_product_rows (GPtrArray *choices, const TlBuild *build, const TlAst *original, const TlTarget *target,
                  const char *const *targets)
{
  g_autoptr (GPtrArray) states
      = target != NULL && tl_target_kind (target) != TL_MACHINE_PIM ? tl_build_knobs (build, target) : NULL;

  if (states == NULL || states->len == 0)
    return FALSE;
  for (guint r = 0; r < G_N_ELEMENTS (product_rows); r++)
    for (guint s = 0; s < states->len; s++)
      {
        const TlKnobState *state = states->pdata[s];

        if (strcmp (state->key, product_rows[r].key) == 0
            && (strcmp (state->key, "place") != 0 || state->operand != NULL))
          g_ptr_array_add (choices, product_row (build, original, state, product_rows[r].label));
      }
  g_ptr_array_insert (choices, MIN (choices->len, 3), target_row (build, original, targets));
  return TRUE;
}

GPtrArray *
tl_choices_new (const TlBuild *build, const TlAst *original, const TlBuild *last, const char *const *targets)
{
  TlTarget     *target = last != NULL ? last->target : NULL;
  GPtrArray    *choices = g_ptr_array_new_with_free_func (choice_free);
  TlElementType element = { 0 };

  if (build->ast == NULL)
    return choices;
  tl_element_type_parse ("i32", &element);
  const char *matrix = matrix_of (build, &element);
  if (build->target != NULL)
    target = build->target;
  if (add_product_rows (choices, build, original, target, targets))
    return choices;
  if (target == NULL || tl_target_kind (target) != TL_MACHINE_PIM || matrix == NULL)
    {
      g_ptr_array_add (choices, target_row (build, original, targets));
      add_said_rows (choices, build, original);
      return choices;
    }
  g_auto (TlPimKnobs) knobs = { 0 };
  g_autoptr (TlDiags) diags = tl_diags_new ();
  if (build->grid != NULL)
    tl_pim_knobs_resolve_wave (&knobs, build->ast, build->grid->stream != NULL, build->grid->element, target, diags);
  else
    tl_pim_knobs_resolve (&knobs, build->ast, NULL, matrix, element, target, diags);
  for (guint r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      if (build->grid != NULL && is_of_closures (rows[r].id))
        continue;
      if (build->grid != NULL && rows[r].id == TL_PIM_PLACE && build->pipe != NULL)
        add_place_rows (choices, build, original, target);
      else
        g_ptr_array_add (choices,
                         knob_row (build, original, last, target, &knobs, rows[r].id, rows[r].label, matrix, element));
      if (rows[r].id == TL_PIM_PLACE)
        g_ptr_array_add (choices, target_row (build, original, targets));
    }
  if (build->grid != NULL && build->grid->stream != NULL)
    {
      TlChoice *queue = knob_row (build, original, last, target, &knobs, TL_PIM_QUEUE, N_ ("Queue"), matrix, element);

      if (knobs.queue == 0 && build->pipe != NULL)
        {
          g_free (queue->value);
          queue->value = g_strdup_printf ("%u", build->pipe->depth);
        }
      g_ptr_array_insert (choices, 1, queue);
    }
  if (build->program != NULL)
    {
      TlOwnerLint lint = tl_owner_lint_map (build->program->owner, build->program->tiles, build->program->machine.pus);
      for (guint c = 0; lint.fires && c < choices->len; c++)
        if (strcmp (((TlChoice *) choices->pdata[c])->key, "owner") == 0)
          ((TlChoice *) choices->pdata[c])->warned = TRUE;
    }
  return choices;
}

guint
tl_choices_by (const GPtrArray *choices, TlChosen chosen)
{
  guint n = 0;

  for (guint c = 0; c < choices->len; c++)
    n += ((const TlChoice *) choices->pdata[c])->chosen == chosen;
  return n;
}

char *
tl_few_owners (const TlPimProgram *program, gboolean by_rows)
{
  guint32             best = 0, fewest = G_MAXUINT32;
  g_autofree guint32 *seen = g_new0 (guint32, program->machine.pus);

  for (guint32 line = 0; line < program->tiles; line++)
    {
      guint32 owners = 0;
      for (guint32 t = 0; t < program->tiles; t++)
        {
          guint pu = program->owner[by_rows ? (gsize) line * program->tiles + t : (gsize) t * program->tiles + line];
          owners += seen[pu] != line + 1;
          seen[pu] = line + 1;
        }
      if (owners < fewest)
        {
          fewest = owners;
          best = line;
        }
    }
  return g_strdup_printf ("tiles-%s-%u", by_rows ? "row" : "column", best);
}

TlOwnerCard *
tl_owner_card_new (const TlPimProgram *program)
{
  TlOwnerLint lint = tl_owner_lint_map (program->owner, program->tiles, program->machine.pus);

  if (!lint.fires)
    return NULL;
  TlOwnerCard     *card = g_new0 (TlOwnerCard, 1);
  g_autofree char *loss = tl_format_percent (lint.loss, 0);
  gboolean         serial = lint.owners * 4 <= lint.wanted;
  card->title = g_strdup (lint.rows ? serial ? _ ("Row phase nearly serial") : _ ("Row phase short of owners")
                          : serial ? _ ("Column phase nearly serial")
                                    : _ ("Column phase short of owners"));
  card->body = g_strdup_printf (
      lint.rows
          ? ngettext ("A tile row has %u owner where %u could share it: %s of the steps are lost.",
                      "A tile row has %u owners where %u could share it: %s of the steps are lost.", lint.owners)
          : ngettext ("A tile column has %u owner where %u could share it: %s of the steps are lost.",
                      "A tile column has %u owners where %u could share it: %s of the steps are lost.", lint.owners),
      lint.owners, lint.wanted, loss);
  card->gain = lint.skewed_steps > 0 ? (double) lint.steps / lint.skewed_steps : 1;
  card->tiles = tl_few_owners (program, lint.rows);
  return card;
}

void
tl_owner_card_free (TlOwnerCard *card)
{
  g_free (card->title);
  g_free (card->body);
  g_free (card->tiles);
  g_free (card);
}
