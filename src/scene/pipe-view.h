/* The views of a run of wavefronts; scene/view.h dispatches to them. */
#pragma once

#include "scene/view.h"

/* Search PUs as hexagons, the queue, Compute PUs as discs, and the reads beneath: a row of
 * boxes to pick one from. At least 420 x 240. */
void tl_pipe_view_pus       (TlScene *scene, TlBox box, const TlView *view);
/* The tiles of the problem shown, their owners, the wave at hand and the way. */
void tl_pipe_view_tiles     (TlScene *scene, TlBox box, const TlView *view);
/* The queue's level and a lane for each PU that has work. */
void tl_pipe_view_timeline  (TlScene *scene, TlBox box, const TlView *view);
void tl_pipe_view_status    (TlScene *scene, TlBox box, const TlView *view);
void tl_pipe_view_inspector (TlScene *scene, TlBox box, const TlView *view);
void tl_pipe_view_window    (TlScene *scene, TlBox box, const TlView *view);
/* The one of that kind; stack, projection and ring are the PUs, other kinds nothing. */
void tl_pipe_view_draw      (TlViewKind kind, TlScene *scene, TlBox box, const TlView *view);
