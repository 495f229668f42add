/* The views: pure functions from (program, run, frame, what is chosen) to a scene.
 * Each draws into a box of a scene that may hold others. Ids name things, not
 * places, so that one selection lights up in all views: "tile-3-5", "pu-20",
 * "bank-20-1" (PU, bank), "tier-3", "lane-pu-20", "broadcast"; many at once: "tiles",
 * "tiles-row-3", "tiles-column-3", "tiers" (that hold the matrix), "operand-C",
 * "operand-left", "operand-right" (of the update at this moment). */
#pragma once

#include "scene/frame.h"
#include "scene/lanes.h"
#include "scene/pipe.h"
#include "scene/replay.h"
#include "scene/scene.h"

typedef struct
{
  const TlPimProgram *program;   /* NULL only with replay */
  TlSimRun           *run;       /* NULL: not run yet */
  const TlFrame      *frame;     /* NULL: no moment yet */
  const char         *selection; /* id, or NULL */
  const char         *hover;     /* id, or NULL */
  gboolean            stale;     /* the picture is of an older text */
  const TlLanes      *lanes;     /* what the timeline shows, or NULL; of another stretch than from..to they
                                  * are drawn where they belong until better ones come */
  guint64             from, to;  /* the stretch the timeline shows; to = 0: that of the lanes */
  const TlRunSummary *summary;   /* of the whole run, or NULL */
  const char         *status;    /* of the build, one line, or NULL */
  const char         *statement; /* the update as the program writes it, on one line, or NULL */
  guint               statement_line;
  const TlReplayShown *replay;   /* a run of a trace is shown; program, run, frame, summary are NULL */
  const TlPipeShown   *pipe;     /* a run of wavefronts is shown; the same are NULL */
} TlView;

/* Tiers as strips, one column a bank group, each bank a bar at the tier of its open
 * row; the ring unrolled beneath. Wants at least 420 x 300. */
void tl_view_stack     (TlScene *scene, TlBox box, const TlView *view);
/* The same in parallel projection, the ring on the logic die. At least 480 x 360. */
void tl_view_iso       (TlScene *scene, TlBox box, const TlView *view);
/* The ring alone, as a circle of PUs. */
void tl_view_ring      (TlScene *scene, TlBox box, const TlView *view);
/* All tiles with their owners, the phase of each and what is being worked on. */
void tl_view_tiles     (TlScene *scene, TlBox box, const TlView *view);
/* The whole run above, lanes of from..to below. */
void tl_view_timeline  (TlScene *scene, TlBox box, const TlView *view);
/* One line of counters. */
void tl_view_status    (TlScene *scene, TlBox box, const TlView *view);
/* What the selection is, in a card. */
void tl_view_inspector (TlScene *scene, TlBox box, const TlView *view);
/* Why the selected conflict ("conflict-PU-BANK-TIME") came about; 540 x 330. */
void tl_view_why       (TlScene *scene, TlBox box, const TlView *view);
/* All of them as the window arranges them. */
void tl_view_window    (TlScene *scene, TlBox box, const TlView *view);

/* --view names. */
typedef enum
{
  TL_VIEW_WINDOW,
  TL_VIEW_STACK,
  TL_VIEW_ISO,
  TL_VIEW_RING,
  TL_VIEW_TILES,
  TL_VIEW_TIMELINE,
  TL_VIEW_STATUS,
  TL_VIEW_INSPECTOR,
  TL_VIEW_WHY,
  TL_N_VIEWS,                   /* of a program */
  TL_VIEW_SPOTS = TL_N_VIEWS,   /* what conflicts most; of a trace only */
  TL_VIEW_MATRIX,               /* cells and the alignment; of waves only */
  TL_N_ALL_VIEWS
} TlViewKind;

/* Has a run of a trace such a view? It has no ring, no tiles and no projection. */
gboolean    tl_view_is_of_replay (TlViewKind kind);

gboolean    tl_view_parse (const char  *name,
                           TlViewKind  *kind);
const char *tl_view_name  (TlViewKind   kind);
void        tl_view_draw  (TlViewKind   kind,
                           TlScene     *scene,
                           TlBox        box,
                           const TlView *view);
/* The size a figure of that kind has unless one is asked for. */
void        tl_view_size  (TlViewKind   kind,
                           float       *width,
                           float       *height);
