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

/* Of a wave's tiles, to their owners. */
static guint64
edge_bytes (const TlPipeMachine *machine, guint64 tiles, const TlCode *edge)
{
  guint64 cells = edge->a == 3 ? 1 : machine->tiling.tile;

  return tiles * tl_tile_bytes (cells * machine->program->n_tables, 1, machine->program->element_bits);
}

/* What every Compute PU has to do in the wave. */
static void
find_loads (TlPipeMachine *machine, guint32 job, guint64 wave)
{
  TlPipeLoads         *loads = &machine->loads;
  const TlPipeOptions *options = machine->options;
  const TlPipeJob     *of = &g_array_index (machine->run->jobs, TlPipeJob, job);
  guint32              i = 0, j = 0;
  gint32               di, dj;
  guint32              n = tl_wave_tiles (&machine->tiling, wave, &i, &j, &di, &dj);

  memset (loads->cycles, 0, machine->program->compute * sizeof *loads->cycles);
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
        machine->run->skipped++;
      else
        loads->cycles[pu] += tl_wave_cycles (&machine->tiling, i, j, TRUE);
    }
  /* Each edge that travels does so for the tiles of the wave, as far as they have a neighbour there. */
  for (guint s = 0; s < machine->program->pus[machine->program->search].n_code; s++)
    {
      const TlCode *step = &machine->program->pus[machine->program->search].code[s];
      if (step->kind == TL_PIPE_EDGE && step->b != 0)
        machine->run->edge_bytes += edge_bytes (machine, n, step);
    }
}

guint64
tl_pipe_load (TlPipeMachine *machine, guint32 job, guint32 pu, guint64 wave)
{
  if (!tl_pipe_take_tiling (machine, job))
    return 0;
  if (machine->loads.job != job || machine->loads.wave != wave)
    find_loads (machine, job, wave);
  return machine->loads.cycles[pu - machine->program->search];
}
