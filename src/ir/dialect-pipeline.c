/* Rules of recurrences in wavefronts once they are mapped: objects in tiers, the queue
 * between Search and Compute PUs, and who does what. */
#include "ir/dialect-private.h"

#include "ir/owner.h"
#include "ir/wave.h"

gboolean
tl_ir_check_object (TlVerifier *verifier, const TlOp *op)
{
  const char *chosen = tl_op_text (op, "chosen");
  gint64      first, last;

  if (!g_str_equal (chosen, "sigma") && !g_str_equal (chosen, "you"))
    return tl_ir_reject (verifier, op, "chosen = \"%s\" is neither sigma nor you", chosen);
  return tl_ir_check_shares (verifier, op, &first, &last);
}

gboolean
tl_ir_check_queue (TlVerifier *verifier, const TlOp *op)
{
  const char *chosen = tl_op_text (op, "chosen");
  gint64      depth = tl_op_integer (op, "depth", 0);
  gint64      derived
      = tl_queue_depth ((guint64) tl_op_integer (op, "search_ps", 1), (guint64) tl_op_integer (op, "sweep_ps", 1));

  if (!g_str_equal (op->results[0]->type, "!gendram.queue"))
    return tl_ir_reject (verifier, op, "the result is a !gendram.queue, not %s", op->results[0]->type);
  if (!g_str_equal (chosen, "ratio") && !g_str_equal (chosen, "you"))
    return tl_ir_reject (verifier, op, "chosen = \"%s\" is neither ratio nor you", chosen);
  if (g_str_equal (chosen, "ratio") && depth != derived)
    return tl_ir_reject (verifier, op, "depth = %" G_GINT64_FORMAT " is not the ratio's %" G_GINT64_FORMAT, depth,
                         derived);
  return TRUE;
}

/* Are these the PUs that the split gives that side? */
static gboolean
check_side (TlVerifier *verifier, const TlOp *op, gint64 from, gint64 count)
{
  if (tl_op_integer (op, "first", -1) != from || tl_op_integer (op, "last", -1) != from + count - 1)
    return tl_ir_reject (verifier, op, "the split gives it PUs %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT, from,
                         from + count - 1);
  return TRUE;
}

static gint64
knob (TlVerifier *verifier, const char *key)
{
  const TlAttr *value = tl_attr_get (tl_op_attr (verifier->module->op, "gendram.knobs"), key);

  return value != NULL && value->kind == TL_ATTR_INTEGER ? value->integer : 0;
}

gboolean
tl_ir_check_search (TlVerifier *verifier, const TlOp *op)
{
  const TlBlock *block = op->regions[0]->blocks[0];
  const TlOp    *lookup = block->first, *send = lookup != NULL ? lookup->next : NULL;

  if (!check_side (verifier, op, 0, knob (verifier, "search")))
    return FALSE;
  if (!tl_ir_is (lookup, "gendram.lookup") || lookup->operands[0] != block->arguments[0]
      || lookup->operands[1] != op->operands[1] || lookup->operands[2] != op->operands[2])
    return tl_ir_reject (verifier, op, "expected the \"gendram.lookup\" of the read in the index");
  if (!g_str_equal (lookup->results[0]->type, "!gendram.candidate"))
    return tl_ir_reject (verifier, lookup, "the result is a !gendram.candidate, not %s", lookup->results[0]->type);
  if (!tl_ir_is (send, "gendram.send") || send->operands[0] != lookup->results[0]
      || !tl_ir_is (send->operands[1]->op, "gendram.queue"))
    return tl_ir_reject (verifier, op, "expected the \"gendram.send\" of the candidates to the queue");
  return tl_ir_is (send->next, "dp.yield")
         || tl_ir_reject (verifier, op, "\"%s\" does not belong behind the send", send->next->name);
}

gboolean
tl_ir_check_sweep (TlVerifier *verifier, const TlOp *op)
{
  static const gint8 sides[3][2] = { { 1, 1 }, { 1, 0 }, { 0, 1 } };
  const TlOp        *inner = op->regions[0]->blocks[0]->first;
  const TlOp        *update = op->operands[0]->op;
  const TlOp        *queue = tl_module_find (verifier->module, "gendram.queue");

  if (!tl_ir_is (update, "dp.wavefront_update"))
    return tl_ir_reject (verifier, op, "sweeps a \"dp.wavefront_update\"");
  if (!check_side (verifier, op, knob (verifier, "search"), knob (verifier, "compute")))
    return FALSE;
  if (queue != NULL)
    {
      if (!tl_ir_is (inner, "gendram.receive") || inner->operands[0]->op != queue)
        return tl_ir_reject (verifier, op, "expected the \"gendram.receive\" of a candidate from the queue");
      inner = inner->next;
    }
  for (guint s = 0; s < G_N_ELEMENTS (sides); s++)
    {
      if (!tl_wave_waits_for (update, sides[s][0], sides[s][1]))
        continue;
      const TlAttr *distance = tl_ir_is (inner, "gendram.edge") ? tl_op_attr (inner, "distance") : NULL;
      if (!tl_ir_integer_list (distance, 2) || distance->items[0]->integer != sides[s][0]
          || distance->items[1]->integer != sides[s][1])
        return tl_ir_reject (verifier, op, "expected the \"gendram.edge\" of distance [%d, %d]", sides[s][0],
                             sides[s][1]);
      inner = inner->next;
    }
  if (!tl_ir_is (inner, "gendram.wave_barrier"))
    return tl_ir_reject (verifier, op, "expected the \"gendram.wave_barrier\" behind each wave");
  return tl_ir_is (inner->next, "dp.yield")
         || tl_ir_reject (verifier, op, "\"%s\" does not belong behind the barrier", inner->next->name);
}

static guint
count (const TlVerifier *verifier, const char *name)
{
  guint found = 0;

  for (const TlOp *inner = verifier->module->op->regions[0]->blocks[0]->first; inner != NULL; inner = inner->next)
    found += tl_ir_is (inner, name);
  return found;
}

gboolean
tl_ir_check_waves (TlVerifier *verifier)
{
  const TlOp *op = verifier->module->op, *update = tl_module_find (verifier->module, "dp.wavefront_update");
  gboolean    streams = tl_op_attr (update, "stream") != NULL;
  gboolean    mapped = verifier->group >= 3, talks = verifier->group >= 4;
  const char *mode = streams ? "pipeline" : "none";

  if (verifier->group < 2)
    return tl_ir_reject (verifier, op, "wavefronts are made by group 2");
  if (count (verifier, "dp.wavefront_update") != 1)
    return tl_ir_reject (verifier, op, "holds more than one \"dp.wavefront_update\"");
  if (tl_module_find (verifier->module, "gendram.place") != NULL
      || tl_module_find (verifier->module, "gendram.reserve") != NULL)
    return tl_ir_reject (verifier, op, "holds a closure's placement beside wavefronts");
  if (mapped && !g_str_equal (tl_op_text (op, "gendram.mode"), mode))
    return tl_ir_reject (verifier, op, "gendram.mode = \"%s\" is not \"%s\"", tl_op_text (op, "gendram.mode"), mode);
  if (mapped != (count (verifier, "gendram.object") > 0))
    return tl_ir_reject (verifier, op, "objects are placed by group 3");
  if (count (verifier, "gendram.queue") != (mapped && streams))
    return tl_ir_reject (verifier, op, "a queue comes with group 3 where candidates are streamed");
  if (count (verifier, "gendram.search") != (talks && streams) || count (verifier, "gendram.sweep") != talks)
    return tl_ir_reject (verifier, op, "Search and Compute PUs get their work in group 4");
  if (mapped && (knob (verifier, "compute") < 1 || (streams && knob (verifier, "search") < 1)))
    return tl_ir_reject (verifier, op, "the split leaves one side without PUs");
  return TRUE;
}
