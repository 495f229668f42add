/* The paper's alignment speed-ups beside the model's. B = 144 was found by search and then
 * explained: a regression value of this model, no confirmation. models.md section 5. */
#include "sim/pipe-export.h"
#include "sim/pipe-flows.h"

#include <string.h>

/* The same machine and tiles without the stream: one problem at a time, no look-ups. */
static TlPipeProgram *
without_stream (const TlPipeProgram *program)
{
  TlPipeProgram *alone = tl_pipe_program_deeper (program, program->depth);

  alone->streams = FALSE;
  for (guint32 pu = 0; pu < program->machine.pus; pu++)
    {
      TlPipeStream *stream = &alone->pus[pu];
      guint         kept = 0;

      for (guint s = 0; s < stream->n_code && pu >= program->search; s++)
        if (stream->code[s].kind != TL_PIPE_RECEIVE)
          stream->code[kept++] = stream->code[s];
      stream->n_code = kept;
    }
  return alone;
}

/* How long a read against as many letters takes with its edges on the ring; 0: it cannot be run. */
static guint64
charged_time (TlPipeProgram *alone, double error, guint32 letters)
{
  const TlPipeRead read = { .rows = letters };
  TlPipeData       data = { .reads = &read, .n_reads = 1, .columns = letters };
  TlPipeOptions    options = { .edges = TL_PIPE_EDGES_CHARGED, .brief = TRUE };
  g_autoptr (TlPipeRun) run = NULL;

  alone->band = (TlWaveBand) { TL_WAVE_BAND_SHARE, error, 0 };
  run = tl_pipe_run (alone, &data, &options, NULL);
  return run != NULL ? run->makespan : 0;
}

void
tl_pipe_paper (const TlPipeProgram *program, TlPipePaper rows[TL_PIPE_N_PAPER])
{
  static const TlPipePaper paper[TL_PIPE_N_PAPER] = { { "PacBio, 2 kbp", 2000, 0.15, 2.8, 0, 0, 0 },
                                                      { "PacBio, 10 kbp", 10000, 0.15, 9.9, 0, 0, 0 },
                                                      { "ONT 2D, 2 kbp", 2000, 0.30, 4.1, 0, 0, 0 },
                                                      { "ONT 2D, 10 kbp", 10000, 0.30, 16.7, 0, 0, 0 } };
  g_autoptr (TlPipeProgram) alone = without_stream (program);

  for (guint r = 0; r < TL_PIPE_N_PAPER; r++)
    {
      TlWaveTiling     tiling = program->tiling;
      const TlWaveBand band = { TL_WAVE_BAND_SHARE, paper[r].error, 0 };
      TlWaveSums       sums;
      guint64          charged = charged_time (alone, paper[r].error, paper[r].letters);

      rows[r] = paper[r];
      tl_wave_fit (&tiling, &band, paper[r].letters, paper[r].letters);
      tl_wave_sums (&tiling, program->compute, &sums);
      if (sums.critical == 0)
        continue;
      rows[r].model = (double) sums.alone / (double) sums.critical;
      rows[r].affine
          = tl_pipe_affine_problem (program, &tiling) / ((double) sums.critical * (double) program->machine.clock);
      rows[r].edges = charged > 0 ? (double) sums.alone * (double) program->machine.clock / (double) charged : 0;
    }
}
