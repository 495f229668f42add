/* Machines, programs and random configurations for the simulator's suites. */
#pragma once

#include "base/number.h"
#include "emit/program-build.h"
#include "sim/run.h"
#include "support/support.h"

/* The product's numbers, models.md section 1. */
TlPimMachine  fixture_machine (void);
/* The oracle preset's, oracle/README.md. */
TlPimMachine  fixture_oracle  (void);
/* Builds @spec over (min, +) on i32; aborts with the reason when it is refused. */
TlPimProgram *fixture_build   (TlPimProgramSpec *spec);
/* A small program with every knob drawn at random, refresh off; @most_tiles a side.
 * NULL when the draw is not legal. *what (transfer full) says what was drawn. */
TlPimProgram *fixture_random  (guint64          *state,
                               guint32           most_tiles,
                               char            **what);
