/* What the engine's files share. */
#pragma once

#include "engine/build-data.h"
#include "engine/build.h"

/* Nothing made yet. @inputs may be NULL. (transfer full) */
TlBuild *tl_build_new (TlInputs *inputs);
/* Lints that G3 gives with places in the text, from the program alone. */
void tl_program_lint (const TlPimProgram *program,
                      TlDiags            *diags);
/* Whether every PU's tiles fit its bank group. */
void tl_program_lint_groups (const TlPimProgram *program,
                             TlDiags            *diags);
