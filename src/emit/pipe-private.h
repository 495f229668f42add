/* Shared by the builder and the decoder of wavefront programs. */
#pragma once

#include "emit/pipe-build.h"

#define TL_PIPE_TAGS { "PIPE", "MACH", "DATA", "LAYT", "CODE" }
#define TL_PIPE_N_TAGS 5

/* One reference, all pointers NULL but the empty lists. */
TlPipeProgram *tl_pipe_program_alloc (void);
