/* Shared by the exports of wavefront runs. */
#pragma once

#include "sim/export-private.h"
#include "sim/pipe-export.h"

/* What a stretch is about: a read, or a job's read and candidate; -1: no such thing. */
void tl_pipe_subject (const TlPipeRun  *run,
                      const TlPipeSpan *span,
                      gint64           *read,
                      gint64           *candidate);

/* Bank groups and PUs, which lie at the first of them. */
static inline guint32
tl_pipe_stops (const TlPimMachine *machine)
{
  return MAX (machine->pus, machine->channels * machine->groups);
}

static inline const char *
tl_pipe_role (const TlPipeProgram *program, guint32 pu)
{
  return program->streams && pu < program->search                                  ? "Search"
         : pu >= program->search && pu < program->search + program->compute ? "Compute"
         : pu < program->machine.pus                                               ? "idle"
                                                                                   : "no PU";
}
