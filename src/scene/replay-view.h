/* The views of a run of a trace; scene/view.h calls them when TlView.replay is there. */
#pragma once

#include "scene/view.h"

/* Tiers as strips (channels where there are several and few tiers), one cell a domain. */
void tl_replay_view_stack     (TlScene *scene, TlBox box, const TlView *view);
/* Both counts, time, latency, bandwidth on one line. */
void tl_replay_view_status    (TlScene *scene, TlBox box, const TlView *view);
/* The selected domain, or the run. */
void tl_replay_view_inspector (TlScene *scene, TlBox box, const TlView *view);
/* The selected conflict. */
void tl_replay_view_why       (TlScene *scene, TlBox box, const TlView *view);
/* Ranked rows, address bits and domains. */
void tl_replay_view_spots     (TlScene *scene, TlBox box, const TlView *view);
/* Any of them, with title and description; nothing but words for a view that a trace has not. */
void tl_replay_view_draw      (TlViewKind kind, TlScene *scene, TlBox box, const TlView *view);
