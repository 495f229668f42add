/* The life of a program of wavefronts, its loop code, where its objects lie, and what of
 * it must hold. */
#include "emit/pipe-private.h"

#include "base/number.h"
#include "emit/program-private.h"

#include <string.h>

static void
object_clear (gpointer data)
{
  g_free (((TlWaveObject *) data)->name);
}

TlPipeProgram *
tl_pipe_program_alloc (void)
{
  TlPipeProgram *program = g_new0 (TlPipeProgram, 1);

  g_atomic_ref_count_init (&program->references);
  program->data = g_ptr_array_new_with_free_func ((GDestroyNotify) tl_data_source_free);
  program->objects = g_array_new (FALSE, TRUE, sizeof (TlWaveObject));
  g_array_set_clear_func (program->objects, object_clear);
  return program;
}

TlPipeProgram *
tl_pipe_program_ref (TlPipeProgram *program)
{
  g_atomic_ref_count_inc (&program->references);
  return program;
}

void
tl_pipe_program_unref (TlPipeProgram *program)
{
  if (program == NULL || !g_atomic_ref_count_dec (&program->references))
    return;
  for (guint32 pu = 0; program->pus != NULL && pu < program->machine.pus; pu++)
    g_free (program->pus[pu].code);
  g_free (program->pus);
  g_free (program->name);
  g_free (program->target);
  g_free (program->mode);
  g_free (program->owner_rule);
  g_free (program->owner);
  g_free (program->base);
  g_free (program->text);
  g_ptr_array_unref (program->data);
  g_array_unref (program->objects);
  g_free (program);
}

const char *
tl_pipe_code_name (guint kind)
{
  static const char *const names[TL_PIPE_N_CODES]
      = { "for-reads", "end-reads", "lookup",    "send",  "for-jobs", "end-jobs",
          "receive",   "for-waves", "end-waves", "sweep", "edge",     "barrier" };

  return kind < TL_PIPE_N_CODES ? names[kind] : NULL;
}

/* --- Code --- */

static void
add (TlPipeStream *stream, TlPipeCode kind, guint32 a, guint32 b)
{
  stream->code[stream->n_code++] = (TlCode) { (guint8) kind, a, b };
}

static void
fill_code (TlPipeProgram *program, const TlWaveSchedule *schedule)
{
  program->pus = g_new0 (TlPipeStream, program->machine.pus);
  for (guint32 pu = 0; pu < program->machine.pus; pu++)
    {
      TlPipeStream *stream = &program->pus[pu];

      stream->code = g_new0 (TlCode, TL_PIPE_MAX_CODE);
      if (pu < program->search)
        {
          if (!program->streams)
            continue;
          add (stream, TL_PIPE_FOR_READS, 0, 0);
          add (stream, TL_PIPE_LOOKUP, program->pointers, program->positions);
          add (stream, TL_PIPE_SEND, 0, 0);
          add (stream, TL_PIPE_END_READS, 0, 0);
        }
      else if (pu < program->search + program->compute)
        {
          add (stream, TL_PIPE_FOR_JOBS, 0, 0);
          if (program->streams)
            add (stream, TL_PIPE_RECEIVE, 0, 0);
          add (stream, TL_PIPE_FOR_WAVES, 0, 0);
          add (stream, TL_PIPE_SWEEP, 0, 0);
          for (guint e = 0; e < schedule->n_edges; e++)
            add (stream, TL_PIPE_EDGE, schedule->edges[e].down | (guint32) schedule->edges[e].right << 1,
                 schedule->edges[e].travels != FALSE);
          add (stream, TL_PIPE_BARRIER, 0, 0);
          add (stream, TL_PIPE_END_WAVES, 0, 0);
          add (stream, TL_PIPE_END_JOBS, 0, 0);
        }
    }
}

/* --- Building --- */

static void
copy_lists (TlPipeProgram *program, const GPtrArray *data, const GArray *objects)
{
  for (guint d = 0; d < data->len; d++)
    {
      const TlDataSource *from = data->pdata[d];
      TlDataSource       *to = g_new0 (TlDataSource, 1);

      *to = (TlDataSource) { g_strdup (from->name), g_strdup (from->source), from->content_hash };
      g_ptr_array_add (program->data, to);
    }
  for (guint o = 0; o < objects->len; o++)
    {
      TlWaveObject object = g_array_index (objects, TlWaveObject, o);

      object.name = g_strdup (object.name);
      g_array_append_val (program->objects, object);
    }
}

TlPipeProgram *
tl_pipe_program_build (const TlWaveSchedule *schedule, const char *base, const char *text, char **reason)
{
  g_autoptr (TlPipeProgram) program = tl_pipe_program_alloc ();

  program->name = g_strdup (schedule->program);
  program->target = g_strdup (schedule->target);
  program->mode = g_strdup (schedule->streams ? "pipeline" : "none");
  program->owner_rule = g_strdup (schedule->owner_name);
  program->owner = g_strdup (schedule->owner);
  program->machine = schedule->machine;
  program->element_bits = schedule->element_bits;
  program->n_tables = schedule->n_tables;
  program->tiling = schedule->tiling;
  program->band = schedule->band;
  program->rows = schedule->rows;
  program->columns = schedule->columns;
  program->sides[0] = schedule->sides[0];
  program->sides[1] = schedule->sides[1];
  program->search = schedule->knobs.search;
  program->compute = schedule->knobs.compute;
  program->page = schedule->knobs.page;
  program->ring = schedule->knobs.ring;
  program->copy_writes = schedule->knobs.copy_writes;
  program->values = schedule->knobs.values;
  program->baseline = schedule->knobs.baseline;
  program->seed = schedule->knobs.seed;
  program->streams = schedule->streams;
  program->k = schedule->k;
  program->pointers = schedule->pointers;
  program->positions = schedule->positions;
  program->depth = schedule->depth;
  program->entry_bytes = schedule->entry_bytes;
  program->depth_told = schedule->depth_told;
  program->search_ps = schedule->search_ps;
  program->sweep_ps = schedule->sweep_ps;
  program->base = g_strdup (base != NULL ? base : "");
  program->text = g_strdup (text != NULL && strlen (text) <= TL_PIPE_MAX_TEXT ? text : "");
  copy_lists (program, schedule->data, schedule->objects);
  fill_code (program, schedule);
  return tl_pipe_program_check (program, reason) ? g_steal_pointer (&program) : NULL;
}

TlPipeProgram *
tl_pipe_program_deeper (const TlPipeProgram *program, guint32 depth)
{
  TlPipeProgram *copy = tl_pipe_program_alloc ();
  GPtrArray     *data = copy->data;
  GArray        *objects = copy->objects;

  *copy = *program;
  g_atomic_ref_count_init (&copy->references);
  copy->data = data;
  copy->objects = objects;
  copy_lists (copy, program->data, program->objects);
  copy->name = g_strdup (program->name);
  copy->target = g_strdup (program->target);
  copy->mode = g_strdup (program->mode);
  copy->owner_rule = g_strdup (program->owner_rule);
  copy->owner = g_strdup (program->owner);
  copy->base = g_strdup (program->base);
  copy->text = g_strdup (program->text);
  copy->pus = g_new0 (TlPipeStream, program->machine.pus);
  for (guint32 pu = 0; pu < program->machine.pus; pu++)
    {
      copy->pus[pu].n_code = program->pus[pu].n_code;
      copy->pus[pu].code = g_new0 (TlCode, TL_PIPE_MAX_CODE);
      memcpy (copy->pus[pu].code, program->pus[pu].code, program->pus[pu].n_code * sizeof (TlCode));
    }
  copy->depth = depth;
  copy->depth_told = TRUE;
  return copy;
}

/* --- Where bytes lie --- */

void
tl_pipe_object_row (const TlPipeProgram *program, guint object, guint64 at, guint32 *group, guint32 *bank,
                    guint32 *tier, guint64 *row)
{
  const TlPimMachine *machine = &program->machine;
  guint64             groups = (guint64) machine->channels * machine->groups;
  const TlWaveObject *wanted = &g_array_index (program->objects, TlWaveObject, object);
  guint64             before = 0;

  *tier = 0;
  for (guint32 t = 0; t < machine->tiers; t++)
    {
      if (wanted->in_tier[t] == 0)
        continue;
      *tier = t;
      if (at < wanted->in_tier[t])
        break;
      at -= wanted->in_tier[t];
    }
  /* Objects lie one behind the other in a tier, each from a row of its own on. */
  for (guint o = 0; o < object; o++)
    before += tl_ceil_div (g_array_index (program->objects, TlWaveObject, o).in_tier[*tier], machine->row_bytes);
  guint64 number = before + at / machine->row_bytes;
  *group = (guint32) (number % groups);
  *bank = (guint32) (number / groups % machine->banks);
  *row = number / groups / machine->banks % machine->rows;
}

/* --- Checks --- */

static gboolean
check_objects (const TlPipeProgram *program, char **reason)
{
  guint64 used[TL_MAX_TIERS] = { 0 };

  if (program->objects->len > 1040)
    return tl_refuse (reason, "%u objects", program->objects->len);
  for (guint o = 0; o < program->objects->len; o++)
    {
      const TlWaveObject *object = &g_array_index (program->objects, TlWaveObject, o);
      guint64             sum = 0;

      for (guint t = 0; t < program->machine.tiers; t++)
        if (!tl_add_u64 (sum, object->in_tier[t], &sum) || !tl_add_u64 (used[t], object->in_tier[t], &used[t])
            || used[t] > program->machine.tier_bytes)
          return tl_refuse (reason, "tier %u does not hold what lies in it", t);
      if (sum != object->bytes || sum == 0)
        return tl_refuse (reason, "the shares of %s are not its bytes", object->name);
    }
  return TRUE;
}

/* Loops nest, and each step stands in a loop of its kind. */
static gboolean
check_code (const TlPipeProgram *program, const TlPipeStream *stream, char **reason)
{
  guint8 open[3];
  guint  depth = 0;

  if (stream->n_code > TL_PIPE_MAX_CODE)
    return tl_refuse (reason, "%u steps of code", stream->n_code);
  for (guint s = 0; s < stream->n_code; s++)
    {
      const TlCode *step = &stream->code[s];
      guint8        inside = depth > 0 ? open[depth - 1] : G_MAXUINT8;
      gboolean      fine = FALSE;

      switch ((TlPipeCode) step->kind)
        {
        case TL_PIPE_FOR_READS:
        case TL_PIPE_FOR_JOBS:
          fine = depth == 0;
          open[0] = step->kind;
          depth = 1;
          break;
        case TL_PIPE_FOR_WAVES:
          fine = inside == TL_PIPE_FOR_JOBS;
          open[1] = step->kind;
          depth = 2;
          break;
        case TL_PIPE_END_READS:
        case TL_PIPE_END_JOBS:
        case TL_PIPE_END_WAVES:
          fine = inside + 1 == step->kind;
          depth -= depth > 0;
          break;
        case TL_PIPE_LOOKUP:
          fine = inside == TL_PIPE_FOR_READS && program->streams && step->a < program->objects->len
                 && step->b < program->objects->len;
          break;
        case TL_PIPE_SEND:
          fine = inside == TL_PIPE_FOR_READS && program->streams;
          break;
        case TL_PIPE_RECEIVE:
          fine = inside == TL_PIPE_FOR_JOBS && program->streams;
          break;
        case TL_PIPE_EDGE:
          fine = inside == TL_PIPE_FOR_WAVES && step->a >= 1 && step->a <= 3 && step->b <= 1;
          break;
        case TL_PIPE_SWEEP:
        case TL_PIPE_BARRIER:
          fine = inside == TL_PIPE_FOR_WAVES;
          break;
        }
      if (step->kind != TL_PIPE_LOOKUP && step->kind != TL_PIPE_EDGE)
        fine &= step->a == 0 && step->b == 0;
      if (!fine)
        return tl_refuse (reason, "step %u of a code does not belong where it stands", s);
    }
  return depth == 0 || tl_refuse (reason, "a code ends within a loop");
}

static gboolean
check_tiling (const TlPipeProgram *program, char **reason)
{
  const TlWaveTiling *tiling = &program->tiling;

  if (tiling->tile < 1 || tiling->tile > G_MAXINT16 || tiling->pes != program->machine.pes || tiling->fill > G_MAXINT16
      || tiling->skew > 64 || tiling->order[0] > 1 || tiling->order[1] > 1 || tiling->order[0] + tiling->order[1] == 0
      || tiling->edges > TL_EDGES_PADDED || tiling->reduced > 1 || (tiling->reduced > 0 && tiling->order[1] != 0))
    return tl_refuse (reason, "the tiles are out of range");
  if (program->band.kind > TL_WAVE_BAND_SHARE || !(program->band.share >= 0 && program->band.share < 1e9)
      || program->band.cells < 0)
    return tl_refuse (reason, "the band is out of range");
  if (program->rows > G_MAXINT32 || program->columns > G_MAXINT32)
    return tl_refuse (reason, "the grid is out of range");
  for (guint side = 0; side < 2; side++)
    if (program->sides[side] > program->data->len || (program->streams && program->sides[side] == 0))
      return tl_refuse (reason, "there is no data along %s", side == 0 ? "the rows" : "the columns");
  return TRUE;
}

gboolean
tl_pipe_program_check (const TlPipeProgram *program, char **reason)
{
  char *why = NULL;

  if (!tl_pim_machine_ranges (&program->machine, reason) || !check_tiling (program, reason)
      || !check_objects (program, reason))
    return FALSE;
  if (program->element_bits < 1 || program->element_bits > 64 || program->n_tables < 1 || program->n_tables > 16)
    return tl_refuse (reason, "the elements are out of range");
  if (program->compute < 1 || (program->streams && program->search < 1)
      || (guint64) program->search + program->compute > program->machine.pus)
    return tl_refuse (reason, "%u Search and %u Compute PUs of %u", program->search, program->compute,
                      program->machine.pus);
  if (program->page > TL_PAGE_OPEN || program->ring > TL_RING_FREE || program->copy_writes > TL_COPY_WRITES_CHARGED
      || program->values > TL_VALUES_OFF || program->baseline > TL_BASELINE_B3 || (guint) program->streams > 1
      || (guint) program->depth_told > 1)
    return tl_refuse (reason, "a knob has a value that it cannot have");
  if (strcmp (program->mode, program->streams ? "pipeline" : "none") != 0)
    return tl_refuse (reason, "mode %s does not suit the stream", program->mode);
  if (program->streams
      && (program->k < 1 || program->k > 31 || program->depth < 1 || program->depth > G_MAXINT32
          || program->entry_bytes < 1 || program->entry_bytes > G_MAXINT16 || program->pointers >= program->objects->len
          || program->positions >= program->objects->len))
    return tl_refuse (reason, "the stream's index or queue is out of range");
  g_autoptr (TlOwnerRule) rule = tl_owner_rule_parse (program->owner, 1, program->machine.pus, &why);
  if (rule == NULL)
    {
      tl_refuse (reason, "the owner is no rule: %s", why);
      g_free (why);
      return FALSE;
    }
  for (guint32 pu = 0; pu < program->machine.pus; pu++)
    if (!check_code (program, &program->pus[pu], reason))
      return FALSE;
  return TRUE;
}
