/* The tables of both kinds of target, asked of one build. */
#include "engine/knob-list.h"

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
           &knobs.origin[id], tl_pim_knob_rule (id), tl_pim_knob_legal (&knobs, id, machine, element.bits));
    }
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
