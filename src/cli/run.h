/* What `tierc run` shows of a run. Private to src/cli. */
#pragma once

#include "cli/cli.h"
#include "engine/product-run.h"
#include "engine/run.h"

/* The JSON object of cli.md. (transfer full) */
JsonNode *tl_cli_run_json    (const TlRun  *run);
/* For people: what ran, how long, what limits it, rows, values, lints. */
void      tl_cli_run_summary (const TlRun  *run);

typedef enum
{
  TL_COMMANDS_CSV,
  TL_COMMANDS_VCD,
  TL_COMMANDS_CHROME,
  TL_COMMANDS_EVENTS, /* --trace: every event, not only commands, one a line */
} TlCommandsFormat;

/* What is to be written of a run; NULL: not that. */
typedef struct
{
  const char      *result;
  const char      *trace;
  const char      *commands;
  TlCommandsFormat format; /* of commands */
  TlCommandsFormat trace_format;
  gboolean         json;
} TlRunOutputs;

/* A product on a compute unit: its first @ctas blocks (0: all) with and without layouts, printed; its values, and the
 * events of @layout, written. Returns an exit status. */
int       tl_cli_run_product (TlCli              *cli,
                              TlBuild            *build,
                              guint64             ctas,
                              TlProductLayout     layout,
                              const TlRunOutputs *outputs);

/* A recurrence in wavefront order, or a stream of one: values and time, printed and
 * written. Returns an exit status. */
int       tl_cli_run_grid    (TlCli              *cli,
                              TlBuild            *build,
                              const TlRunOutputs *outputs);

/* Writes all events of a run to @path. Returns an exit status, after saying why when
 * it is not TL_EXIT_FINE. */
int       tl_cli_run_events  (const TlRun      *run,
                              TlCommandsFormat  format,
                              const char       *path,
                              GCancellable     *cancellable);
