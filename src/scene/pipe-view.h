/* The views of a run of wavefronts; scene/view.h dispatches to them. */
#pragma once

#include "scene/view.h"

/* Search PUs and what each looks up, the queue with the reads in it, Compute PUs with the
 * tile each sweeps, and the reads beneath: a row of boxes to pick one from. Without a stream
 * the matrix above the Compute PUs. At least 420 x 240. */
void tl_pipe_view_pus       (TlScene *scene, TlBox box, const TlView *view);
/* The tiles of the problem shown, their owners, the wave at hand and the way. */
void tl_pipe_view_tiles     (TlScene *scene, TlBox box, const TlView *view);
/* The same with room: letter by letter and with its values where it is small enough, and
 * the alignment as text. */
void tl_pipe_view_matrix    (TlScene *scene, TlBox box, const TlView *view);
/* The whole run, the queue's level and a lane for each PU that has work. */
void tl_pipe_view_timeline  (TlScene *scene, TlBox box, const TlView *view);
void tl_pipe_view_status    (TlScene *scene, TlBox box, const TlView *view);
void tl_pipe_view_inspector (TlScene *scene, TlBox box, const TlView *view);
void tl_pipe_view_window    (TlScene *scene, TlBox box, const TlView *view);
/* The one of that kind; stack, projection and ring are the PUs, other kinds nothing. */
void tl_pipe_view_draw      (TlViewKind kind, TlScene *scene, TlBox box, const TlView *view);
