/* Pass group G4 of wavefronts: what ownership and dependences make travel. Candidates go
 * through the queue, edges of tiles to the owners of the tiles that wait for them, and a
 * barrier stands behind each wave. GenMLIR section 3.3; models.md section 4. */
#include "passes/passes-private.h"

#include "ir/wave.h"
#include "passes/wave-schedule.h"

#include <string.h>

static TlOp *
append (TlModule *module, TlBlock *block, const char *name, const TlLocation *location)
{
  TlOp *op = tl_op_new (module, name, location);

  tl_block_append (block, op);
  return op;
}

static void
set_pus (TlModule *module, TlOp *op, guint32 first, guint32 count)
{
  tl_op_set (op, "first", tl_attr_integer (module, first));
  tl_op_set (op, "last", tl_attr_integer (module, (gint64) first + count - 1));
}

/* Search PUs: each read of theirs is looked up, its candidates are sent. */
static void
add_search (TlModule *module, TlOp *update, TlOp *queue, guint32 pus)
{
  const TlAttr     *stream = tl_op_attr (update, "stream"), *sides = tl_op_attr (update, "sides");
  const TlLocation *place = tl_pass_with_knob (module, update->location, "split");
  TlValue          *pointers = update->operands[tl_attr_get (stream, "pointers")->integer];
  TlValue          *positions = update->operands[tl_attr_get (stream, "positions")->integer];
  TlOp             *op = tl_op_new (module, "gendram.search", place);

  tl_op_add_operand (op, update->operands[sides->items[0]->integer]);
  tl_op_add_operand (op, pointers);
  tl_op_add_operand (op, positions);
  set_pus (module, op, 0, pus);
  TlBlock *block = tl_op_add_region (op);
  TlValue *read = tl_block_add_argument (block, tl_type (module, "index"));
  TlOp    *lookup = append (module, block, "gendram.lookup", update->location);
  tl_op_add_operand (lookup, read);
  tl_op_add_operand (lookup, pointers);
  tl_op_add_operand (lookup, positions);
  tl_op_set (lookup, "k", tl_attr_get (stream, "k"));
  TlOp *send = append (module, block, "gendram.send", queue->location);
  tl_op_add_operand (send, tl_op_add_result (lookup, tl_type (module, "!gendram.candidate")));
  tl_op_add_operand (send, queue->results[0]);
  append (module, block, "dp.yield", update->location);
  tl_block_insert (tl_module_body (module), update, op);
}

#define SEEN_TILES 64 /* a side: enough to see whether neighbours ever have two owners */

/* Does a tile's edge leave its PU, for any tile that waits at that distance? All tiles of a
 * row wait for all of the one above where a cell reads the whole of it (@rows). */
static gboolean
travels (const TlWaveOwner *owner, gboolean rows, guint32 down, guint32 right)
{
  for (guint32 j = 1; rows && j < SEEN_TILES; j++)
    if (tl_wave_owner_at (owner, 1, j) != tl_wave_owner_at (owner, 0, j - 1))
      return TRUE;
  for (guint32 i = down; i < SEEN_TILES; i++)
    for (guint32 j = right; j < SEEN_TILES; j++)
      if (tl_wave_owner_at (owner, i, j) != tl_wave_owner_at (owner, i - down, j - right))
        return TRUE;
  return FALSE;
}

static void
add_edges (TlModule *module, TlOp *update, TlBlock *block, const TlWaveOwner *owner)
{
  static const guint8 sides[TL_WAVE_N_EDGES][2] = TL_WAVE_EDGES;
  gboolean            rows = tl_op_attr (update, "emission") != NULL;

  for (guint s = 0; s < TL_WAVE_N_EDGES; s++)
    {
      const gint64 distance[] = { sides[s][0], sides[s][1] };

      if (!tl_wave_waits_for (update, sides[s][0], sides[s][1]))
        continue;
      TlOp *edge = append (module, block, "gendram.edge", update->location);
      tl_op_set (edge, "distance", tl_attr_integers (module, distance, 2));
      tl_op_set (edge, "travels", tl_attr_bool (module, travels (owner, rows, sides[s][0], sides[s][1])));
    }
}

/* Compute PUs: each candidate, or the one grid, wave after wave. */
static gboolean
add_sweep (TlModule *module, TlOp *update, TlOp *queue, const TlPimKnobs *knobs, const TlPimMachine *machine,
           TlDiags *diags)
{
  TlOp            *op = tl_op_new (module, "gendram.sweep", update->location);
  g_autofree char *reason = NULL;
  g_autofree char *text = tl_attr_body (tl_op_attr (update, "owner"), "gendram.owner");
  TlWaveOwner      owner = { .first = knobs->search, .pus = knobs->compute };
  g_autoptr (TlOwnerRule) rule = text != NULL ? tl_owner_rule_parse (text, SEEN_TILES, machine->pus, &reason) : NULL;

  if (rule == NULL)
    {
      tl_pass_error (diags, update->location, "owner-rule", "owner: %s", reason != NULL ? reason : "there is none");
      return FALSE;
    }
  owner.rule = rule;
  tl_op_add_operand (op, update->results[0]);
  set_pus (module, op, knobs->search, knobs->compute);
  TlBlock *block = tl_op_add_region (op);
  tl_block_add_argument (block, tl_type (module, "index"));
  if (queue != NULL)
    {
      TlOp *receive = append (module, block, "gendram.receive", queue->location);
      tl_op_add_operand (receive, queue->results[0]);
      tl_op_add_result (receive, tl_type (module, "!gendram.candidate"));
    }
  add_edges (module, update, block, &owner);
  append (module, block, "gendram.wave_barrier", update->location);
  append (module, block, "dp.yield", update->location);
  tl_block_insert (tl_module_body (module), update->next, op);
  return TRUE;
}

gboolean
tl_g4_wave (TlModule *module, TlDiags *diags)
{
  g_auto (TlPimKnobs) knobs = { 0 };
  TlPimMachine machine;
  TlOp        *update = tl_module_find (module, "dp.wavefront_update"), *queue;

  if (!tl_pass_expect (module, TL_GROUP_G3, diags) || !tl_pim_knobs_from_module (&knobs, module, diags)
      || !tl_machine_from_module (&machine, NULL, module, diags))
    return FALSE;
  queue = tl_module_find (module, "gendram.queue");
  if (queue != NULL)
    add_search (module, update, queue, knobs.search);
  if (!add_sweep (module, update, queue, &knobs, &machine, diags))
    return FALSE;
  tl_pass_done (module, TL_GROUP_G4);
  return TRUE;
}
