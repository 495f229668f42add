/* Programs of wavefronts from modules. */
#pragma once

#include "emit/pipe-program.h"
#include "passes/wave-schedule.h"

/* From a module after G4. The stream's data folder is @base, its recurrence's text @text or
 * NULL. NULL with an error.
 * Returns: (transfer full) */
TlPipeProgram *tl_pipe_program_build (const TlWaveSchedule *schedule,
                                      const char           *base,
                                      const char           *text,
                                      char                **reason);
