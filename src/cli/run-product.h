/* Runs of products on compute units for run and figure. Private to src/cli. */
#pragma once

#include "cli/cli.h"
#include "dram/replay-run.h"
#include "engine/product-run.h"

/* Whether the first @ctas blocks (0: all) of the product in @build have at most @most requests. Returns TL_GO_ON, or
 * an exit status after saying why. */
int       tl_cli_product_judge  (const TlBuild     *build,
                                 guint64            ctas,
                                 guint64            most);
/* Runs them as @layout lets them go, and gives that as a run to go about in; @sink hears every event, and may be NULL.
 * Prints what is wrong. Returns TL_GO_ON or an exit status. */
int       tl_cli_product_replay (TlCli             *cli,
                                 TlBuild           *build,
                                 guint64            ctas,
                                 TlProductLayout    layout,
                                 guint64            most,
                                 TlEventSink        sink,
                                 gpointer           sink_data,
                                 TlReplayRun      **replay);
