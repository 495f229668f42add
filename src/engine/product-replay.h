/* A run of a product as one that can be gone about in (dram/replay-run.h): its accesses as
 * the closed loop made them, replayed without the loop. */
#pragma once

#include "dram/replay-run.h"
#include "engine/product-run.h"

/* The placed layout of @run, whose accesses must have been recorded. NULL with @error when
 * they cannot be kept, or were not. Any thread. Returns: (transfer full) */
TlReplayRun *tl_product_replay    (const TlProductRun *run,
                                   GError            **error);
/* The same of any layout that was replayed; @sink hears every event as it is made, and may
 * be NULL. */
TlReplayRun *tl_product_replay_of (const TlProductRun *run,
                                   TlProductLayout     layout,
                                   TlEventSink         sink,
                                   gpointer            sink_data,
                                   GError            **error);
