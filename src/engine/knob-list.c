/* The tables of both kinds of target, asked of one build. */
#include "engine/knob-list.h"

#include "base/number.h"
#include "engine/build-data.h"
#include "passes/cu-knobs.h"

#include <string.h>

static void
state_free (gpointer data)
{
  TlKnobState *state = data;

  g_free (state->key);
  g_free (state->operand);
  g_free (state->value);
  g_free (state->legal);
  g_free (state->detail);
  g_free (state);
}

static TlKnobState *
add (GPtrArray *states, const char *key, const char *operand, char *value, const TlKnobOrigin *origin, const char *rule,
     char *legal)
{
  TlKnobState *state = g_new0 (TlKnobState, 1);

  state->key = g_strdup (key);
  state->operand = g_strdup (operand);
  state->value = value;
  state->chosen = origin->chosen;
  state->span = origin->span;
  state->rule = rule;
  state->legal = legal;
  g_ptr_array_add (states, state);
  return state;
}

/* --- products --- */

static void
add_product (GPtrArray *states, const TlBuild *build, const TlTarget *target)
{
  g_autoptr (GArray) facts = build->data != NULL ? tl_build_data_facts (build->data) : NULL;
  g_autoptr (TlDiags) ignored = tl_diags_new ();
  TlCuKnobs knobs;

  if (tl_target_map (target) == NULL)
    return;
  tl_cu_knobs_resolve (&knobs, build->ast, build->recurrence, facts, target, ignored);
  for (guint id = 0; id < TL_N_CU_KNOBS; id++)
    {
      const char *operand = id >= TL_CU_PLACE_A ? knobs.product.operand[id - TL_CU_PLACE_A] : NULL;

      add (states, tl_cu_knob_name (id), operand, tl_cu_knob_text (&knobs, id), &knobs.origin[id], tl_cu_knob_rule (id),
           tl_cu_knob_legal (&knobs, id));
    }
}

/* --- closures and waves --- */

/* What G2 and G3 derived is in the program alone. (transfer full) */
static char *
pim_value (const TlBuild *build, const TlPimKnobs *knobs, TlPimKnob id)
{
  guint32 derived = id == TL_PIM_TILE && knobs->tile == 0 ? build->pipe != NULL      ? build->pipe->tiling.tile
                                                            : build->program != NULL ? build->program->tile
                                                                                     : 0
                    : id == TL_PIM_QUEUE && knobs->queue == 0 && build->pipe != NULL ? build->pipe->depth
                                                                                     : 0;

  if (derived > 0)
    return g_strdup_printf ("%u", derived);
  if (id == TL_PIM_BASELINE && knobs->baseline == TL_BASELINE_NONE)
    return g_strdup (tl_baseline_name (TL_BASELINE_B3));
  return tl_pim_knob_text (knobs, id);
}

/* Where an object lies, as one would write it. (transfer full) */
static char *
span_text (const TlWaveObject *object, guint tiers)
{
  guint first = 0, last = 0;

  for (guint t = tiers; t-- > 0;)
    if (object->in_tier[t] > 0)
      first = t;
  for (guint t = 0; t < tiers; t++)
    if (object->in_tier[t] > 0)
      last = t;
  return first == last ? g_strdup_printf ("tier %u", first) : g_strdup_printf ("fill %u..%u", first, last);
}

static char *
shares_text (const TlWaveObject *object, guint tiers)
{
  g_autofree char *all = tl_format_bytes (object->bytes);
  GString         *text = g_string_new (all);
  const char      *mark = ": ";

  for (guint t = 0; t < tiers; t++)
    if (object->in_tier[t] > 0)
      {
        g_autofree char *bytes = tl_format_bytes (object->in_tier[t]);

        if (object->in_tier[t] == object->bytes)
          g_string_append_printf (text, " in T%u", t);
        else
          g_string_append_printf (text, "%sT%u %s", mark, t, bytes);
        mark = ", ";
      }
  return g_string_free (text, FALSE);
}

/* A place for each object of wavefronts: tables of the index, data, what waves hand on. */
static void
add_objects (GPtrArray *states, const TlBuild *build, const TlTarget *target)
{
  const TlPimMachine *machine = tl_target_pim_machine (target);

  for (guint o = 0; o < build->pipe->objects->len; o++)
    {
      const TlWaveObject *object = &g_array_index (build->pipe->objects, TlWaveObject, o);
      const TlPlaceDecl  *decl = tl_grid_place (build->grid, object->name);
      gboolean            edges = strcmp (object->name, TL_GRID_EDGES) == 0;
      TlKnobOrigin        origin = { .chosen = TL_CHOSEN_DERIVED };
      TlPlaceRule         rule;
      gboolean            told = decl != NULL && decl->value != NULL
                      && tl_place_rule_read (&rule, decl->value, machine->tiers) == TL_PLACE_READ_RULE;

      if (told)
        origin = (TlKnobOrigin) { TL_CHOSEN_YOU, decl->value_span };
      add (states, tl_pim_knob_name (TL_PIM_PLACE),
           decl != NULL ? decl->name
           : edges      ? build->grid->tables[0].name
                        : object->name,
           told ? g_strndup (tl_source_text (build->source) + origin.span.start, origin.span.end - origin.span.start)
                : span_text (object, machine->tiers),
           &origin,
           object->dependent > 0 ? "by what hangs on it, the fastest tiers with room"
                                 : "only streamed, behind what reads hang on",
           tl_pim_knob_legal (NULL, TL_PIM_PLACE, machine, 0))
          ->detail
          = shares_text (object, machine->tiers);
    }
}

/* What some knobs follow from among waves. */
static const char *
rule_of (const TlPimKnobs *knobs, TlPimKnob id)
{
  if (!knobs->wave)
    return tl_pim_knob_rule (id);
  switch (id)
    {
    case TL_PIM_OWNER:
      return "a row of tiles is one PU's, in turn";
    case TL_PIM_EDGES:
      return "the paper's alignment counts whole tiles";
    case TL_PIM_COPY_WRITES:
      return "edges of tiles travel while tiles are computed";
    case TL_PIM_RING:
      return "messages hold the links of their way";
    default:
      return tl_pim_knob_rule (id);
    }
}

static void
add_pim (GPtrArray *states, const TlBuild *build, const TlTarget *target)
{
  g_auto (TlPimKnobs) knobs = { 0 };
  g_autoptr (TlDiags) ignored = tl_diags_new ();
  const TlPimMachine *machine = tl_target_pim_machine (target);
  const char         *matrix = build->recurrence != NULL ? build->recurrence->output : NULL;
  TlElementType       element = build->grid != NULL ? build->grid->element : build->recurrence->element;

  if (build->grid != NULL)
    tl_pim_knobs_resolve_wave (&knobs, build->ast, build->grid->stream != NULL, element, target, ignored);
  else
    tl_pim_knobs_resolve (&knobs, build->ast, NULL, matrix, element, target, ignored);
  for (guint id = 0; id < TL_N_ALL_PIM_KNOBS; id++)
    {
      if (!tl_pim_knob_applies (&knobs, id) || (id == TL_PIM_QUEUE && !knobs.stream)
          || (id == TL_PIM_PLACE && matrix == NULL))
        continue;
      add (states, tl_pim_knob_name (id), id == TL_PIM_PLACE ? matrix : NULL, pim_value (build, &knobs, id),
           &knobs.origin[id], rule_of (&knobs, id), tl_pim_knob_legal (&knobs, id, machine, element.bits));
    }
  if (build->grid != NULL && build->pipe != NULL)
    add_objects (states, build, target);
}

GPtrArray *
tl_build_knobs (const TlBuild *build, const TlTarget *target)
{
  GPtrArray *states = g_ptr_array_new_with_free_func (state_free);

  if (build->target != NULL)
    target = build->target;
  if (build->ast == NULL || target == NULL || (build->recurrence == NULL && build->grid == NULL))
    return states;
  if (tl_target_kind (target) == TL_MACHINE_PIM)
    {
      if (build->grid != NULL || build->recurrence->closure)
        add_pim (states, build, target);
    }
  else if (build->recurrence != NULL && !build->recurrence->closure)
    add_product (states, build, target);
  return states;
}

char *
tl_knob_state_name (const TlKnobState *state)
{
  return state->operand != NULL ? g_strconcat (state->key, " ", state->operand, NULL) : g_strdup (state->key);
}
