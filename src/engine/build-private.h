/* What the engine's files share. */
#pragma once

#include "engine/build-data.h"
#include "engine/build.h"

/* Lints that a program alone tells: the same for a text, a dump and a stream. */
void tl_program_lint (const TlPimProgram *program,
                      TlDiags            *diags);
