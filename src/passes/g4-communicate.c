/* Pass group G4: communication. Ownership and dependences say what must travel: every
 * pivot, row and column tile is broadcast and read from a local copy; barriers stand
 * where the knob wants them, else each operation waits for what it reads. GenMLIR
 * section 3.3; models.md section 3. */
#include "passes/passes-private.h"

#include <string.h>

/* The tile as the reading PU finds it: a copy in its own bank group, in tier 0 or in
 * the tile's home tiers. */
static void
add_copy (TlModule *module, TlOp *update, guint operand, const TlPimKnobs *knobs)
{
  TlValue *tile = update->operands[operand];
  TlOp    *op
      = tl_op_new (module, "gendram.copy",
                   tl_pass_with_knob (module, tl_pass_with_knob (module, tile->op->location, "copies"), "copy_writes"));
  g_auto (GStrv) parts = tl_type_parameters (tile->type, "gendram.tile");
  g_autofree char *near = g_strdup_printf ("!gendram.tile<%s, 0 : i64, 0 : i64>", parts[0]);

  tl_op_add_operand (op, tile);
  tl_op_set (op, "writes", tl_attr_string (module, tl_copy_writes_name (knobs->copy_writes)));
  update->operands[operand]
      = tl_op_add_result (op, knobs->copies == TL_COPIES_T0 ? tl_type (module, near) : tile->type);
  tl_block_insert (update->block, update, op);
}

static void
add_broadcast (TlModule *module, TlOp *update, const TlPimKnobs *knobs)
{
  TlOp *op = tl_op_new (module, "gendram.broadcast", tl_pass_with_knob (module, update->location, "ring"));

  tl_op_add_operand (op, update->results[0]);
  tl_op_set (op, "ring", tl_attr_string (module, tl_ring_name (knobs->ring)));
  tl_block_insert (update->block, update->block->last, op);
}

static gboolean
wants_barrier (TlPhase phase, TlBarriers barriers)
{
  return barriers == TL_BARRIERS_STRICT || (barriers == TL_BARRIERS_SUPERSTEP && phase == TL_PHASE_INTERNAL);
}

gboolean
tl_g4_communicate (TlModule *module, TlDiags *diags)
{
  g_auto (TlPimKnobs) knobs = { 0 };
  TlOp   *blocked;
  TlOp   *op;
  TlOp   *next;
  TlPhase phase = TL_PHASE_PIVOT;
  guint   number = 0;

  if (tl_module_find (module, "dp.wavefront_update") != NULL)
    return tl_g4_wave (module, diags);
  if (!tl_pass_expect (module, TL_GROUP_G3, diags) || !tl_pim_knobs_from_module (&knobs, module, diags))
    return FALSE;
  blocked = tl_module_find (module, "dp.blocked_update");
  for (op = blocked->regions[0]->blocks[0]->first; op != NULL; op = next)
    {
      TlOp *update;

      next = op->next;
      if (strcmp (op->name, "dp.phase") != 0)
        continue;
      update = tl_pass_inner (op, "dp.grid_update", 0);
      for (guint operand = 1; phase != TL_PHASE_PIVOT && operand < 3; operand++)
        add_copy (module, update, operand, &knobs);
      if (phase != TL_PHASE_INTERNAL)
        add_broadcast (module, update, &knobs);
      if (wants_barrier (phase, knobs.barriers))
        {
          TlOp *barrier = tl_op_new (module, "gendram.barrier", tl_pass_with_knob (module, op->location, "barriers"));

          tl_op_add_operand (barrier, op->results[0]);
          tl_op_set (barrier, "number", tl_attr_integer (module, number++));
          tl_block_insert (op->block, next, barrier);
        }
      phase++;
    }
  tl_pass_done (module, TL_GROUP_G4);
  return TRUE;
}
