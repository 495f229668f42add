/* A module after G4, taken apart into plain numbers for emission. */
#include "passes/schedule.h"

#include "ir/semiring-op.h"
#include "passes/passes-private.h"

#include <string.h>

static void
read_phase (TlPhaseSchedule *phase, const TlOp *op, TlPhase kind)
{
  const TlAttr *reads = tl_op_attr (op, "reads");
  const TlOp   *update = tl_pass_inner (op, "dp.grid_update", 0);

  phase->kind = kind;
  phase->n_reads = MIN (reads->n_items, G_N_ELEMENTS (phase->reads));
  for (guint r = 0; r < phase->n_reads; r++)
    {
      TlOperand operand = TL_OPERAND_C;

      while (operand < TL_OPERAND_PIVOT && strcmp (tl_operand_name (operand), reads->items[r]->text) != 0)
        operand++;
      phase->reads[r] = operand;
      /* The pivot of a row or column tile stands left or right of it: both come from copies. */
      phase->from_copy[r]
          = operand != TL_OPERAND_C
            && strcmp (update->operands[operand == TL_OPERAND_RIGHT ? 2 : 1]->op->name, "gendram.copy") == 0;
    }
  phase->broadcast = tl_pass_inner (op, "gendram.broadcast", 0) != NULL;
  phase->barrier = -1;
  if (op->next != NULL && strcmp (op->next->name, "gendram.barrier") == 0)
    phase->barrier = (int) tl_op_integer (op->next, "number", 0);
}

static void
read_shares (GArray *objects, const TlOp *op)
{
  const TlAttr *shares = tl_op_attr (op, "shares");

  for (guint s = 0; s < shares->n_items; s++)
    {
      TlObjectShare share = { g_strdup (tl_op_text (op, "name")), (guint32) shares->items[s]->items[0]->integer,
                              (guint64) shares->items[s]->items[1]->integer };

      g_array_append_val (objects, share);
    }
}

static void
read_place (TlPlaceRule *place, const TlOp *op)
{
  const TlAttr *reserved = tl_op_attr (op, "reserved");

  memset (place, 0, sizeof *place);
  while (tl_place_name (place->kind + 1) != NULL && strcmp (tl_place_name (place->kind), tl_op_text (op, "rule")) != 0)
    place->kind++;
  place->first = (guint32) tl_op_integer (op, "first", 0);
  place->last = (guint32) tl_op_integer (op, "last", 0);
  for (guint t = 0; t < reserved->n_items; t++)
    place->reserved[t] = (guint64) reserved->items[t]->integer;
}

static gboolean
read_semiring (TlSchedule *schedule, const TlModule *module, const TlOp *blocked, TlDiags *diags)
{
  g_autofree char *reason = NULL;
  const TlOp      *op = tl_module_symbol (module, tl_op_text (blocked, "semiring"));

  schedule->semiring = op != NULL ? tl_semiring_from_op (op, &reason) : NULL;
  if (schedule->semiring == NULL)
    tl_pass_error (diags, blocked->location, "invalid-ir", "the semiring cannot be read: %s",
                   reason != NULL ? reason : "its symbol is not defined");
  return schedule->semiring != NULL;
}

TlSchedule *
tl_schedule_from_module (const TlModule *module, TlDiags *diags)
{
  g_autoptr (TlSchedule) schedule = g_new0 (TlSchedule, 1);
  const TlOp *blocked;
  const char *program = tl_op_text (tl_module_op (module), "dp.program");

  schedule->data = tl_pass_data (module);
  schedule->objects = g_array_new (FALSE, FALSE, sizeof (TlObjectShare));
  g_array_set_clear_func (schedule->objects, tl_object_share_clear);
  if (!tl_pass_expect (module, TL_GROUP_G4, diags) || !tl_pim_knobs_from_module (&schedule->knobs, module, diags)
      || !tl_machine_from_module (&schedule->machine, &schedule->target, module, diags))
    return NULL;
  blocked = tl_module_find (module, "dp.blocked_update");
  schedule->program = g_strdup (program != NULL ? program : "program");
  schedule->n = (guint32) tl_op_integer (blocked, "n", 0);
  schedule->tile = (guint32) tl_op_integer (blocked, "tile", 0);
  schedule->tiles = (guint32) tl_op_integer (blocked, "tiles", 0);
  schedule->element_bits = (guint32) tl_op_integer (blocked, "element_bits", 0);
  schedule->cycle_check = tl_op_integer (blocked, "cycle_check", 0) != 0;
  schedule->owner_name = g_strdup (tl_op_text (blocked, "owner_rule"));
  schedule->owner = tl_pass_owner (blocked, schedule->machine.pus, diags);
  if (schedule->owner == NULL || !read_semiring (schedule, module, blocked, diags))
    return NULL;
  for (const TlOp *op = tl_module_body (module)->first; op != NULL; op = op->next)
    if (strcmp (op->name, "gendram.reserve") == 0)
      read_shares (schedule->objects, op);
  read_shares (schedule->objects, tl_module_find (module, "gendram.place"));
  read_place (&schedule->place, tl_module_find (module, "gendram.place"));
  for (const TlOp *op = blocked->regions[0]->blocks[0]->first; op != NULL; op = op->next)
    if (strcmp (op->name, "dp.phase") == 0 && schedule->n_phases < TL_N_PHASES)
      {
        read_phase (&schedule->phases[schedule->n_phases], op, schedule->n_phases);
        schedule->n_phases++;
      }
  return g_steal_pointer (&schedule);
}

void
tl_schedule_free (TlSchedule *schedule)
{
  g_free (schedule->program);
  g_free (schedule->target);
  tl_pim_knobs_clear (&schedule->knobs);
  if (schedule->semiring != NULL)
    tl_semiring_free (schedule->semiring);
  g_free (schedule->owner_name);
  if (schedule->owner != NULL)
    tl_owner_rule_free (schedule->owner);
  g_ptr_array_unref (schedule->data);
  g_array_unref (schedule->objects);
  g_free (schedule);
}

void
tl_schedule_owners (const TlSchedule *schedule, guint16 *map)
{
  tl_owner_rule_fill (schedule->owner, map);
}

void
tl_schedule_tiers (const TlSchedule *schedule, guint8 *tier)
{
  tl_place_tiers (&schedule->place, schedule->n, schedule->tile, schedule->knobs.edges, schedule->element_bits,
                  schedule->machine.tier_bytes, tier);
}
