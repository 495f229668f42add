/* Programs of wavefronts from modules. */
#pragma once

#include "emit/pipe-program.h"
#include "passes/wave-schedule.h"

/* From a module after G4. The stream's data folder is @base. NULL with an error.
 * Returns: (transfer full) */
TlPipeProgram *tl_pipe_program_build  (const TlWaveSchedule *schedule,
                                       const char           *base,
                                       char                **reason);
/* A module of wavefronts after G4 as bytes; @base as in tl_emit_module. NULL with errors
 * on @diags. Returns: (transfer full) */
GBytes        *tl_pipe_emit           (const TlModule      *module,
                                       const char          *base,
                                       TlDiags             *diags);
