/* The paper's alignment speed-ups beside the model's. B = 144 was found by search and then
 * explained: a regression value of this model, no confirmation. models.md section 5. */
#include "sim/pipe-export.h"

void
tl_pipe_paper (const TlPipeProgram *program, TlPipePaper rows[TL_PIPE_N_PAPER])
{
  static const TlPipePaper paper[TL_PIPE_N_PAPER] = { { "PacBio, 2 kbp", 2000, 0.15, 2.8, 0 },
                                                      { "PacBio, 10 kbp", 10000, 0.15, 9.9, 0 },
                                                      { "ONT 2D, 2 kbp", 2000, 0.30, 4.1, 0 },
                                                      { "ONT 2D, 10 kbp", 10000, 0.30, 16.7, 0 } };

  for (guint r = 0; r < TL_PIPE_N_PAPER; r++)
    {
      TlWaveTiling     tiling = program->tiling;
      const TlWaveBand band = { TL_WAVE_BAND_SHARE, paper[r].error, 0 };
      TlWaveSums       sums;

      rows[r] = paper[r];
      tl_wave_fit (&tiling, &band, paper[r].letters, paper[r].letters);
      tl_wave_sums (&tiling, program->compute, &sums);
      rows[r].model = sums.critical > 0 ? (double) sums.alone / (double) sums.critical : 0;
    }
}
