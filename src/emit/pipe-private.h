/* Shared by the builder and the decoder of wavefront programs. */
#pragma once

#include "emit/pipe-build.h"

/* One reference, all pointers NULL but the empty lists. */
TlPipeProgram *tl_pipe_program_alloc (void);
