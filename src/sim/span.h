/* A stretch of a run with the machine at every event of it: one replay, then any
 * moment of the stretch in microseconds. What plays, steps and draws lanes asks for
 * a stretch and walks along it; tl_sim_moment_at is a stretch of one picosecond. */
#pragma once

#include "sim/moment.h"

/* A PU with nothing to do: what its next operation waits for. */
typedef struct
{
  guint64 from;
  guint64 to;
  guint32 k; /* the operation that waits */
  guint32 i;
  guint32 j;
  guint16 pu;
  guint8  wait; /* TlPuWait */
} TlSimWait;

typedef struct
{
  TlSimRun    *run;        /* owned reference */
  guint64      from;       /* ps; every event at from .. before to is here */
  guint64      to;
  GArray      *events;     /* of TlSimEvent by time; first the steps before from of what is under way there */
  guint        first;      /* the first one at or after from */
  GArray      *operations; /* of TlOperation: what events name; of those that began before the stretch or end
                            * after it only the times inside are known */
  GArray      *broadcasts; /* of TlBroadcast */
  GArray      *waits;      /* of TlSimWait by PU and time */
  guint32     *wait_start; /* PU's waits: wait_start[pu] .. before wait_start[pu + 1] */
  TlSimMoment *base;       /* the machine before events[0] */
} TlSimSpan;

/* At most @limit events, else TL_SIM_ERROR_TOO_BIG; G_IO_ERROR_CANCELLED. Any thread.
 * Returns: (transfer full) */
TlSimSpan   *tl_sim_span_new    (TlSimRun         *run,
                                 guint64           from,
                                 guint64           to,
                                 guint64           limit,
                                 GCancellable     *cancellable,
                                 GError          **error);
void         tl_sim_span_free   (TlSimSpan        *span);
/* Index of the first event after @time. */
guint        tl_sim_span_find   (const TlSimSpan  *span,
                                 guint64           time);
/* Events[index] happens to @moment, which stands before it. */
void         tl_sim_span_apply  (const TlSimSpan  *span,
                                 guint             index,
                                 TlSimMoment      *moment);
/* Sets what time alone changes: the broadcast's progress and what idle PUs wait for.
 * @time in from .. before to. */
void         tl_sim_span_settle (const TlSimSpan  *span,
                                 TlSimMoment      *moment,
                                 guint64           time);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlSimSpan, tl_sim_span_free)
