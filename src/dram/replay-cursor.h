/* Going about in a run: the moment after any event or at any time, steps forward and
 * back, the next or previous event of a sort. A cursor is of one thread; a run may have
 * several. Each keeps the events of the two stretches it was in last. */
#pragma once

#include "dram/replay-run.h"

#include <gio/gio.h>

typedef struct _TlReplayCursor TlReplayCursor;

/* References @run. About 1 MB and 130 bytes an event between checkpoints.
 * Returns: (transfer full) */
TlReplayCursor *tl_replay_cursor_new  (TlReplayRun        *run);
void            tl_replay_cursor_free (TlReplayCursor     *cursor);
TlReplayRun    *tl_replay_cursor_run  (TlReplayCursor     *cursor); /* (transfer none) */

/* The moment just after the first @events events (at most all), with everybody in who came
 * in until then. NULL with @error (G_FILE_ERROR) when the accesses cannot be read.
 * (transfer none): until the next call. */
const TlReplayMoment *tl_replay_cursor_at_event (TlReplayCursor  *cursor,
                                           guint64          events,
                                           GError         **error);
/* The moment when everything at or before @time ps has happened. */
const TlReplayMoment *tl_replay_cursor_at_time  (TlReplayCursor  *cursor,
                                           guint64          time,
                                           GError         **error);
/* Event @index. */
gboolean        tl_replay_cursor_event    (TlReplayCursor  *cursor,
                                           guint64          index,
                                           TlEvent         *event,
                                           GError         **error);

typedef enum
{
  TL_STEP_TO_CYCLE,    /* the next clock edge */
  TL_STEP_TO_COMMAND,  /* the next event */
  TL_STEP_TO_REQUEST,  /* the next request that is served: RD, WR or FORWARD */
  TL_STEP_TO_CONFLICT, /* the next PRE for a conflict */
} TlReplayStep;

/* From where the cursor is. NULL without @error at the end or, going back, at the start
 * of what there is of that sort (a cycle back from the start too). */
const TlReplayMoment *tl_replay_cursor_step     (TlReplayCursor  *cursor,
                                           TlReplayStep     step,
                                           gboolean         forward,
                                           GError         **error);
/* The first event at or after index @from, or the last one before it, that @query means:
 * its index and, if not NULL, itself. FALSE without @error when there is none;
 * G_IO_ERROR_CANCELLED. Stretches whose digest says no are not looked into. */
gboolean        tl_replay_cursor_find     (TlReplayCursor     *cursor,
                                           const TlEventQuery *query,
                                           guint64             from,
                                           gboolean            forward,
                                           guint64            *index,
                                           TlEvent            *event,
                                           GCancellable       *cancellable,
                                           GError            **error);
/* Hands out the events from the first at or after @from ps to the last before @to, some
 * at a time. FALSE when @func said so, or with @error. */
typedef gboolean (*TlReplayWalk) (const TlEvent *events,
                                  gsize          n,
                                  guint64        index, /* of the first of them */
                                  gpointer       data);
gboolean        tl_replay_cursor_walk     (TlReplayCursor  *cursor,
                                           guint64          from,
                                           guint64          to,
                                           TlReplayWalk     func,
                                           gpointer         data,
                                           GError         **error);
/* About how many events lie in that time, without looking: by whole stretches. */
guint64         tl_replay_cursor_events_in (TlReplayCursor *cursor,
                                            guint64         from,
                                            guint64         to);

/* Why a row was closed, in full. */
typedef struct
{
  TlCause  cause;
  guint64  event;       /* of the PRE */
  guint64  opened;      /* ps, of the ACT that had opened the row; 0 when the run began later */
  guint64  entered;     /* ps, when the closer came in */
  TlAccess opener, closer;
  guint64  opener_line; /* in the trace; 0 where it has none */
  guint64  closer_line;
} TlReplayConflict;

/* Of event @index. FALSE when it is no PRE for a conflict, or with @error. */
gboolean        tl_replay_cursor_conflict (TlReplayCursor   *cursor,
                                           guint64           index,
                                           TlReplayConflict *conflict,
                                           GError          **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlReplayCursor, tl_replay_cursor_free)
