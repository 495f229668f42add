/* The machine's time for a recurrence in wavefront order: for people, as JSON, in files.
 * Private to src/cli. */
#pragma once

#include "cli/run.h"
#include "engine/grid-run.h"

/* Keys from mode to flows. */
void tl_cli_pipe_json    (JsonBuilder     *builder,
                          const TlGridRun *run);
void tl_cli_pipe_summary (const TlGridRun *run);
/* --trace and --commands. Returns an exit status. */
int  tl_cli_pipe_trace   (const TlPipeRun  *run,
                          TlCommandsFormat  format,
                          const char       *path,
                          GCancellable     *cancellable);
