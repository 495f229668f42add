/* A module of wavefronts taken apart into plain numbers. */
#include "passes/wave-schedule.h"

#include "passes/passes-private.h"

#include <string.h>

static TlWaveBand
read_band (const TlAttr *attr)
{
  static const char *const words[] = { "none", "cells", "share" };
  TlWaveBand band = { .share = tl_attr_get (attr, "share")->real, .cells = tl_attr_get (attr, "cells")->integer };

  for (guint w = 0; w < G_N_ELEMENTS (words); w++)
    if (strcmp (tl_attr_get (attr, "kind")->text, words[w]) == 0)
      band.kind = (TlWaveBandKind) w;
  return band;
}

void
tl_wave_read_update (const TlOp *update, const TlPimMachine *machine, TlEdges edges, TlWaveTiling *tiling,
                     TlWaveBand *band)
{
  const TlAttr *order = tl_op_attr (update, "tile_order");

  *tiling = (TlWaveTiling) {
    .tile = (guint32) tl_op_integer (update, "tile", 1),
    .pes = MAX (machine->pes, 1),
    .fill = (guint32) tl_op_integer (update, "fill", 0),
    .skew = (guint32) tl_op_integer (update, "skew", 0),
    .order = { (guint8) order->items[0]->integer, (guint8) order->items[1]->integer },
    .edges = edges,
    .reduced = tl_op_attr (update, "emission") != NULL,
  };
  *band = read_band (tl_op_attr (update, "band"));
}

static void
object_clear (gpointer data)
{
  g_free (((TlWaveObject *) data)->name);
}

static void
read_objects (TlWaveSchedule *schedule, const TlModule *module)
{
  for (const TlOp *op = tl_module_body (module)->first; op != NULL; op = op->next)
    {
      const TlAttr *shares = tl_op_attr (op, "shares");
      TlWaveObject  object = { 0 };

      if (strcmp (op->name, "gendram.object") != 0)
        continue;
      object.name = g_strdup (tl_op_text (op, "name"));
      object.bytes = (guint64) tl_op_integer (op, "bytes", 0);
      object.dependent = (guint64) tl_op_integer (op, "dependent", 0);
      object.streamed = (guint64) tl_op_integer (op, "streamed", 0);
      for (guint s = 0; s < shares->n_items; s++)
        object.in_tier[shares->items[s]->items[0]->integer] = (guint64) shares->items[s]->items[1]->integer;
      g_array_append_val (schedule->objects, object);
    }
}

/* The object of an operand's data; FALSE: it has none. */
static gboolean
object_of (const TlWaveSchedule *schedule, const TlOp *update, gint64 operand, guint *at)
{
  const char *name = tl_op_text (update->operands[operand]->op, "name");

  for (*at = 0; *at < schedule->objects->len; (*at)++)
    if (strcmp (g_array_index (schedule->objects, TlWaveObject, *at).name, name) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
read_stream (TlWaveSchedule *schedule, const TlModule *module, const TlOp *update, TlDiags *diags)
{
  const TlAttr *stream = tl_op_attr (update, "stream");
  const TlOp   *queue = tl_module_find (module, "gendram.queue");

  schedule->streams = stream != NULL;
  if (stream == NULL)
    return TRUE;
  schedule->k = (guint) tl_attr_get (stream, "k")->integer;
  schedule->depth = (guint32) tl_op_integer (queue, "depth", 1);
  schedule->entry_bytes = (guint32) tl_op_integer (queue, "entry_bytes", 1);
  schedule->depth_told = strcmp (tl_op_text (queue, "chosen"), "you") == 0;
  schedule->search_ps = (guint64) tl_op_integer (queue, "search_ps", 1);
  schedule->sweep_ps = (guint64) tl_op_integer (queue, "sweep_ps", 1);
  if (object_of (schedule, update, tl_attr_get (stream, "pointers")->integer, &schedule->pointers)
      && object_of (schedule, update, tl_attr_get (stream, "positions")->integer, &schedule->positions))
    return TRUE;
  tl_pass_error (diags, update->location, "invalid-ir", "a table of the index lies nowhere");
  return FALSE;
}

static void
read_edges (TlWaveSchedule *schedule, const TlOp *sweep)
{
  for (const TlOp *op = sweep->regions[0]->blocks[0]->first; op != NULL; op = op->next)
    if (strcmp (op->name, "gendram.edge") == 0 && schedule->n_edges < TL_WAVE_N_EDGES)
      {
        const TlAttr *distance = tl_op_attr (op, "distance");

        schedule->edges[schedule->n_edges++]
            = (TlWaveEdge) { (guint8) distance->items[0]->integer, (guint8) distance->items[1]->integer,
                             tl_op_integer (op, "travels", 0) != 0 };
      }
}

static void
read_size (TlWaveSchedule *schedule, const TlOp *update)
{
  gboolean trellis = schedule->tiling.reduced > 0;

  tl_type_as_matrix (update->results[0]->type, &schedule->rows, &schedule->columns, NULL);
  schedule->rows -= schedule->rows > 0;
  schedule->columns -= schedule->columns > 0 && !trellis;
}

TlWaveSchedule *
tl_wave_schedule_from_module (const TlModule *module, TlDiags *diags)
{
  g_autoptr (TlWaveSchedule) schedule = g_new0 (TlWaveSchedule, 1);
  const TlOp *update = tl_module_find (module, "dp.wavefront_update");
  const char *program = tl_op_text (tl_module_op (module), "dp.program");

  schedule->data = tl_pass_data (module);
  schedule->objects = g_array_new (FALSE, TRUE, sizeof (TlWaveObject));
  g_array_set_clear_func (schedule->objects, object_clear);
  if (!tl_pass_expect (module, TL_GROUP_G4, diags) || !tl_pim_knobs_from_module (&schedule->knobs, module, diags)
      || !tl_machine_from_module (&schedule->machine, &schedule->target, module, diags))
    return NULL;
  schedule->program = g_strdup (program != NULL ? program : "program");
  schedule->element_bits = (guint32) tl_op_integer (update, "element_bits", 1);
  schedule->n_tables = tl_op_attr (update, "alternatives")->n_items;
  tl_wave_read_update (update, &schedule->machine, schedule->knobs.edges, &schedule->tiling, &schedule->band);
  read_size (schedule, update);
  for (guint side = 0; side < 2; side++)
    schedule->sides[side] = (guint32) (tl_op_attr (update, "sides")->items[side]->integer + 1);
  schedule->owner = tl_attr_body (tl_op_attr (update, "owner"), "gendram.owner");
  schedule->owner_name = g_strdup (tl_op_text (update, "owner_rule"));
  read_objects (schedule, module);
  read_edges (schedule, tl_module_find (module, "gendram.sweep"));
  if (!read_stream (schedule, module, update, diags))
    return NULL;
  if (schedule->owner != NULL)
    return g_steal_pointer (&schedule);
  tl_pass_error (diags, update->location, "invalid-ir", "the owner is no rule");
  return NULL;
}

void
tl_wave_schedule_free (TlWaveSchedule *schedule)
{
  g_free (schedule->program);
  g_free (schedule->target);
  tl_pim_knobs_clear (&schedule->knobs);
  g_free (schedule->owner);
  g_free (schedule->owner_name);
  g_ptr_array_unref (schedule->data);
  g_array_unref (schedule->objects);
  g_free (schedule);
}
