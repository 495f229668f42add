/* The flow between wavefronts without compiler support (B0, TlPipeRun's alone) and all of
 * it (B3, its makespan). models.md sections 3, Flows, and 4. */
#pragma once

#include "sim/pipe.h"

/* B1, affine tiling only, in ps: G3 and G4 are off, so all PUs are alike and Eq. 2 deals the
 * tiles, (i M + j) mod P of M tile columns; tiles of the program's size go by waves with a
 * barrier behind each. Before a tile each edge that it waits for comes from memory and over the ring,
 * one after the other: ceil (bytes / row) row cycles, tRC's mean over the first four tiers,
 * and bytes * P / 4 / (2 * width) cycles, as of closures (flows.h). Behind it the edges that
 * others wait for are written, by row cycles too. Nothing overlaps. As in B0 and B2, problems
 * follow one another, look-ups take no time, and neither do letters. */
guint64 tl_pipe_affine         (const TlPipeRun     *run);
/* The same of one problem. */
double  tl_pipe_affine_problem (const TlPipeProgram *program,
                                const TlWaveTiling  *tiling);
