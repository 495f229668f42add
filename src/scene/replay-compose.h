/* From a run of a trace and a few words to a finished picture: what `tierc figure TRACE`
 * calls, as scene/compose.h is for programs. */
#pragma once

#include "scene/compose.h"

/* "cycle:N", "time:12.5ns", "event:N" (after N events), "conflict:N" (the N-th, from 1),
 * "start", "end". FALSE with @error in words. */
gboolean tl_replay_moment_parse (TlReplayCursor  *cursor,
                                 const char      *text,
                                 guint64         *event,
                                 guint64         *time,
                                 GError         **error);
/* Draws the moment after @event events at @time (as tl_replay_moment_parse gives them);
 * picture->time does not count. The card why is of the selected conflict, else of the
 * nearest one. NULL with @error. Returns: (transfer full) */
TlScene *tl_replay_compose      (TlReplayCursor  *cursor,
                                 const char      *target,
                                 const TlPicture *picture,
                                 guint64          event,
                                 guint64          time,
                                 GError         **error);
/* What the timeline shows unless it is told: some 400 cycles round @time. */
void     tl_replay_stretch      (TlReplayRun     *run,
                                 guint64          time,
                                 guint64         *from,
                                 guint64         *to);
