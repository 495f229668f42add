/* The live road: text in, build and run on workers, the newest result out. What is
 * older than the last text is dropped by its generation number; the last good
 * picture stays until a better one is there. All calls from the main thread. */
#pragma once

#include "engine/build.h"
#include "engine/grid-run.h"
#include "engine/product-replay.h"
#include "engine/run.h"

#include <glib-object.h>

#define TL_TYPE_LIVE (tl_live_get_type ())
G_DECLARE_FINAL_TYPE (TlLive, tl_live, TL, LIVE, GObject)

/* Signals, without arguments:
 *   "built"  a build of the newest text is there, right or wrong (tl_live_build)
 *   "ran"    a run of the newest right text is there (tl_live_run)
 *   "valued" the values of that run were computed (tl_live_value_diags)
 *   "stale"  tl_live_is_stale changed */
TlLive  *tl_live_new        (void);
/* @name: what diagnostics call it; @path: of the file, NULL while unsaved; target
 * files and data are looked for beside it, else in @folder (may be NULL). */
void     tl_live_set_text   (TlLive     *live,
                             const char *name,
                             const char *path,
                             const char *folder,
                             const char *text);
/* Newest build, NULL before the first; diagnostics are here. (transfer none) */
TlBuild *tl_live_build      (TlLive     *live);
/* Newest run and the build it is of: the last good picture. (transfer none) */
TlRun   *tl_live_run        (TlLive     *live);
/* The same of a recurrence in wavefront order, its machine's time first, its values some
 * time later ("ran" again); tl_live_run is NULL then. (transfer none) */
const TlGridRun *tl_live_grid (TlLive   *live);
/* The same of a product on a compute unit, of its first CTAs, and that run to go about in;
 * all the others are NULL then. (transfer none) */
const TlProductRun *tl_live_product (TlLive *live);
TlReplayRun *tl_live_replay (TlLive   *live);
/* What the newest build's run said, also one that came to no picture; NULL when it was not
 * run. (transfer none) */
TlDiags *tl_live_run_diags  (TlLive     *live);
/* What is wrong with the values of that run; NULL until they are computed, some time
 * after the picture is there. (transfer none) */
TlDiags *tl_live_value_diags (TlLive    *live);
/* The picture is older than the text: being rebuilt, or the text is wrong. */
gboolean tl_live_is_stale   (TlLive     *live);
/* A build or run is under way. */
gboolean tl_live_is_busy    (TlLive     *live);
