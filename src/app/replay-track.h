/* A run of a trace as a player moves over it and a desk shows it: where it is, what is
 * ranked, the selected conflict. Main thread only. */
#pragma once

#include "app/player.h"
#include "scene/replay.h"

typedef struct _TlReplayTrack TlReplayTrack;

/* References @run. Returns: (transfer full) */
TlReplayTrack *tl_replay_track_new  (TlReplayRun     *run,
                                     const char      *target);
void           tl_replay_track_free (TlReplayTrack   *track);
/* How a player moves over it; the track is the data. Units: cycle, command, request, conflict. */
const TlPlayerTrack *tl_replay_track_ride (void);
TlReplayRun   *tl_replay_track_run  (TlReplayTrack   *track); /* (transfer none) */
/* What the views show with @selection; until the next call. */
const TlReplayShown *tl_replay_track_shown (TlReplayTrack *track,
                                            const char    *selection);
/* Goes to the moment after @events events; *time then is its. FALSE when it cannot. */
gboolean       tl_replay_track_go   (TlReplayTrack   *track,
                                     guint64          events,
                                     guint64         *time);
/* The conflict that @id leads to; of a domain or its lane only one that goes on just now. */
gboolean       tl_replay_track_find (TlReplayTrack   *track,
                                     const char      *id,
                                     guint64         *event);
/* The next (previous) conflict from the one in @selection, or from the moment; with @same only
 * of the domain that @selection is of. */
gboolean       tl_replay_track_next_conflict (TlReplayTrack *track,
                                              const char    *selection,
                                              gboolean       same,
                                              gboolean       forward,
                                              guint64       *event);
/* The next (previous) event of the domain that @selection is of. */
gboolean       tl_replay_track_next_of (TlReplayTrack *track,
                                        const char    *selection,
                                        gboolean       forward,
                                        guint64       *event);
/* How many events are done. */
guint64        tl_replay_track_event (TlReplayTrack *track);
