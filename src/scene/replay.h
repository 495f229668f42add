/* A run of the memory engine as the views show it: a trace's, or whatever else was
 * recorded as accesses (dram/replay-run.h). Views take it in TlView.replay; program, run
 * and frame are NULL then. Ids: "domain-5", "lane-domain-5", "lane-bus-0", "tier-3",
 * "conflict-EVENT" (index of its PRE), "pair-DOMAIN-ROW-ROW", "difference-BITS" (hex),
 * "most-DOMAIN". */
#pragma once

#include "dram/replay.h"
#include "dram/replay-cursor.h"
#include "scene/lanes.h"
#include "scene/scene.h"

/* What conflicts most, each list most first. */
typedef struct
{
  GArray *pairs;       /* of TlRowPair */
  GArray *differences; /* of TlDifference */
  GArray *domains;     /* of TlRankedDomain */
} TlReplaySpots;

/* Returns: (transfer full) */
TlReplaySpots *tl_replay_spots_new  (const TlReplayRun *run);
void           tl_replay_spots_free (TlReplaySpots     *spots);

typedef struct
{
  TlReplayRun            *run;
  const char             *target;   /* name of the machine */
  const TlReplayMoment         *moment;
  const TlReplaySpots    *spots;    /* or NULL */
  const TlReplayConflict *conflict; /* the selected one, or NULL */
} TlReplayShown;

/* Lanes of @from..@to: the data buses that the domains use, at most two, then the domains.
 * Single commands while they can be told apart, else shares of time per pixel column.
 * NULL with @error. Any thread with a cursor of its own. Returns: (transfer full) */
TlLanes       *tl_replay_lanes_new  (TlReplayCursor    *cursor,
                                     guint64            from,
                                     guint64            to,
                                     guint              columns,
                                     const guint32     *domains,
                                     guint              n_domains,
                                     GError           **error);
/* The at most @n domains whose lanes tell most of @from..@to: @chosen first (unless it is no domain), then those with most conflicts in it, then those with
 * most requests. Of nearly equal ones those in @before stay. *@how (static) says in words what they were
 * chosen by. Any thread with a cursor of its own. Returns how many. */
guint          tl_replay_lanes_choose (TlReplayCursor *cursor,
                                       guint64         from,
                                       guint64         to,
                                       guint32         chosen,
                                       const guint32  *before,
                                       guint           n_before,
                                       guint32        *domains,
                                       guint           n,
                                       const char    **how);
/* The domain that an id speaks of; FALSE when none. */
gboolean       tl_replay_domain_of  (const TlReplayRun *run,
                                     const char        *id,
                                     guint32           *domain);
/* What Enter on @id leads to: the event of a conflict of it, the nearest one at or before
 * @from, else the first after it. FALSE when there is none. */
gboolean       tl_replay_find_of    (TlReplayCursor      *cursor,
                                     const TlReplaySpots *spots,
                                     const char          *id,
                                     guint64              from,
                                     guint64             *event);
/* The moment in one or two plain sentences. (transfer full) */
char          *tl_replay_caption    (const TlReplayShown *shown);
/* "b3, b9" (transfer full) */
char          *tl_replay_bits       (guint64            bits);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlReplaySpots, tl_replay_spots_free)
