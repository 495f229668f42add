/* Waves of tiles on the Compute PUs: which problem is at hand, what each PU has to do in
 * one of its waves. */
#include "sim/pipe-private.h"

#include <string.h>

void
tl_pipe_job_tiling (const TlPipeProgram *program, const TlPipeJob *job, TlWaveTiling *tiling)
{
  *tiling = program->tiling;
  tiling->rows = job->rows;
  tiling->columns = job->columns;
  tiling->low = job->low;
  tiling->high = job->high;
  if (tiling->reduced > 0)
    tiling->reduced = MAX (job->columns, 1);
}

void
tl_pipe_owner (const TlPipeProgram *program, const TlWaveTiling *tiling, TlWaveOwner *owner)
{
  gboolean         by_column = program->tiling.order[1] == 0;
  g_autofree char *usual = tl_wave_owner_text (program->search, program->compute, by_column);

  *owner = (TlWaveOwner) { .first = program->search, .pus = program->compute, .by_column = by_column };
  if (strcmp (usual, program->owner) != 0)
    owner->rule = tl_owner_rule_parse (program->owner, MAX (tl_wave_tile_rows (tiling), 1), program->machine.pus, NULL);
}

gboolean
tl_pipe_take_tiling (TlPipeMachine *machine, guint32 job)
{
  TlWaveSums sums;

  if (machine->tiling_of == job)
    return TRUE;
  tl_pipe_job_tiling (machine->program, &g_array_index (machine->run->jobs, TlPipeJob, job), &machine->tiling);
  machine->tiling_of = job;
  if (machine->owner.rule != NULL)
    tl_owner_rule_free ((TlOwnerRule *) machine->owner.rule);
  tl_pipe_owner (machine->program, &machine->tiling, &machine->owner);
  if (!tl_wave_range (&machine->tiling, &machine->first_wave, &machine->last_wave))
    {
      machine->first_wave = 1;
      machine->last_wave = 0;
      return TRUE;
    }
  if (job < machine->counted)
    return TRUE;
  machine->counted = job + 1;
  tl_wave_sums (&machine->tiling, machine->program->compute, &sums);
  if (sums.tiles > TL_PIPE_MAX_TILES)
    {
      tl_pipe_fail (machine, TL_PIPE_ERROR_SIZE,
                    "the band of %u x %u cells touches %" G_GUINT64_FORMAT
                    " tiles; a run takes at most %" G_GUINT64_FORMAT,
                    machine->tiling.rows, machine->tiling.columns, sums.tiles, TL_PIPE_MAX_TILES);
      return FALSE;
    }
  machine->run->waves += sums.waves;
  machine->run->tiles += sums.tiles;
  machine->run->widest = MAX (machine->run->widest, sums.widest);
  machine->run->alone += sums.alone * machine->program->machine.clock;
  machine->run->critical += sums.critical * machine->program->machine.clock;
  return TRUE;
}

/* --- Edges --- */

/* Does the job's band touch tile (i, j)? */
static gboolean
is_there (const TlPipeMachine *machine, const TlPipeJob *of, guint32 i, guint32 j)
{
  const TlPipeOptions *options = machine->options;
  guint32              from, to;

  return i < tl_wave_tile_rows (&machine->tiling) && tl_wave_row (&machine->tiling, i, &from, &to) && from <= j
         && j <= to && (options->skips == NULL || !options->skips (of, i, j, options->skips_data));
}

static guint64
edge_bytes (const TlPipeMachine *machine, guint64 cells)
{
  return tl_tile_bytes (cells * machine->program->n_tables, 1, machine->program->element_bits);
}

static void
add_edge (TlPipeMachine *machine, TlPipeEdge edge, gboolean sums)
{
  if (sums)
    machine->run->edge_bytes += edge.bytes;
  if (!machine->charged)
    return;
  TlPipeLoads *loads = &machine->loads;
  guint32      own = edge.from - machine->program->search;
  g_array_append_val (loads->edges, edge);
  if (loads->first[own] == 0)
    loads->first[own] = loads->edges->len;
  else
    g_array_index (loads->edges, TlPipeEdge, loads->last[own] - 1).next = loads->edges->len;
  loads->last[own] = loads->edges->len;
}

/* What leaves tile (i, j) of @pu on one side: its last row, its last column or its corner,
 * to the tile that waits for it. A row of a trellis is all that the next one reads: each
 * tile's part of it goes to everybody. */
static void
find_edge (TlPipeMachine *machine, const TlPipeJob *of, guint side, guint32 i, guint32 j, guint32 pu, gboolean sums)
{
  const TlWaveTiling *tiling = &machine->tiling;
  guint32             down = side & 1, right = side >> 1, from, to;
  TlPipeEdge          edge = {
             .from = pu, .to = G_MAXUINT32, .side = (guint8) side, .waves = tiling->order[0] * down + tiling->order[1] * right
  };

  if (tiling->reduced > 0)
    {
      edge.bytes = (guint32) edge_bytes (machine, MIN (tiling->tile, tiling->columns - j * tiling->tile));
      if (i + 1 < tl_wave_tile_rows (tiling) && tl_wave_row (tiling, i, &from, &to) && from < to)
        add_edge (machine, edge, sums);
      return;
    }
  gint64 owner = tl_wave_owner_at (&machine->owner, i + down, j + right);
  if (owner == pu || owner < machine->program->search || owner >= machine->program->search + machine->program->compute
      || !is_there (machine, of, i + down, j + right))
    return;
  edge.to = (guint32) owner;
  edge.bytes = (guint32) edge_bytes (machine, side == 3 ? 1 : tiling->tile);
  add_edge (machine, edge, sums);
}

/* --- Loads --- */

/* What every Compute PU has to do in the wave, and what it hands on. */
static void
find_loads (TlPipeMachine *machine, guint32 job, guint64 wave)
{
  TlPipeLoads         *loads = &machine->loads;
  const TlPipeOptions *options = machine->options;
  const TlPipeStream  *code = &machine->program->pus[machine->program->search];
  const TlPipeJob     *of = &g_array_index (machine->run->jobs, TlPipeJob, job);
  guint32              i = 0, j = 0;
  gint32               di, dj;
  guint32              n = tl_wave_tiles (&machine->tiling, wave, &i, &j, &di, &dj);
  gboolean             sums = job >= machine->summed || (job + 1 == machine->summed && wave > machine->summed_wave);

  if (sums)
    {
      machine->summed = job + 1;
      machine->summed_wave = wave;
    }
  memset (loads->cycles, 0, machine->program->compute * sizeof *loads->cycles);
  memset (loads->first, 0, machine->program->compute * sizeof *loads->first);
  g_array_set_size (loads->edges, 0);
  loads->job = job;
  loads->wave = wave;
  for (guint32 t = 0; t < n; t++, i = (guint32) ((gint32) i + di), j = (guint32) ((gint32) j + dj))
    {
      gint64 pu = tl_wave_owner_at (&machine->owner, i, j) - machine->program->search;

      if (pu < 0 || pu >= machine->program->compute)
        {
          tl_pipe_fail (machine, TL_PIPE_ERROR_OWNER, "tile (%u,%u) belongs to no Compute PU: %s gives PU %d", i, j,
                        machine->program->owner, (int) CLAMP (pu + machine->program->search, -1, G_MAXINT32));
          return;
        }
      if (options->skips != NULL && options->skips (of, i, j, options->skips_data))
        {
          machine->run->skipped += sums;
          continue;
        }
      loads->cycles[pu] += tl_wave_cycles (&machine->tiling, i, j, TRUE);
      for (guint s = 0; s < code->n_code; s++)
        if (code->code[s].kind == TL_PIPE_EDGE && code->code[s].b != 0)
          find_edge (machine, of, code->code[s].a, i, j, (guint32) pu + machine->program->search, sums);
    }
}

static gboolean
take_loads (TlPipeMachine *machine, guint32 job, guint64 wave)
{
  if (!tl_pipe_take_tiling (machine, job))
    return FALSE;
  if (machine->loads.job != job || machine->loads.wave != wave)
    find_loads (machine, job, wave);
  return !machine->failed;
}

guint64
tl_pipe_load (TlPipeMachine *machine, guint32 job, guint32 pu, guint64 wave)
{
  return take_loads (machine, job, wave) ? machine->loads.cycles[pu - machine->program->search] : 0;
}

/* --- Handing edges on --- */

static guint64 *
due_of (TlPipeMachine *machine, guint32 pu, guint64 wave)
{
  return &machine->due[wave % TL_PIPE_DUE * machine->program->machine.pus + pu];
}

guint64
tl_pipe_edges_due (TlPipeMachine *machine, guint32 pu, guint64 wave)
{
  guint64 *due = due_of (machine, pu, wave), time = *due;

  *due = 0;
  return time;
}

static void
wait_for (TlPipeMachine *machine, guint32 pu, guint64 wave, guint64 time)
{
  guint64 *due = due_of (machine, pu, wave);

  *due = MAX (*due, time);
}

void
tl_pipe_hand_on (TlPipeMachine *machine, guint32 job, guint32 pu, guint64 wave, guint side, guint64 time)
{
  guint32           first = machine->program->search;
  const TlPipeEdge *edge;

  if (!take_loads (machine, job, wave))
    return;
  for (guint32 e = machine->loads.first[pu - first]; e > 0; e = edge->next)
    {
      guint64 there;

      edge = &g_array_index (machine->loads.edges, TlPipeEdge, e - 1);
      if (edge->side != side)
        continue;
      if (edge->to != G_MAXUINT32)
        {
          there = tl_links_send (&machine->links, pu, edge->to, edge->bytes, time);
          wait_for (machine, edge->to, wave + edge->waves, there);
          continue;
        }
      there = tl_links_broadcast (&machine->links, pu, edge->bytes, time, NULL);
      for (guint32 other = first; other < first + machine->program->compute; other++)
        if (other != pu && machine->loads.cycles[other - first] > 0)
          wait_for (machine, other, wave + edge->waves, there);
    }
}
