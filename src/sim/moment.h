/* Any moment of a run again: what every bank, PU and the ring do at a time, after all
 * events at or before it. Made from checkpoints (state of the machine at the start of
 * super-steps) by replaying a few steps and walking only the operations in sight, so
 * it takes milliseconds wherever it lies; from a trace (sim/trace.h) by the trace's
 * own checkpoints, in microseconds. */
#pragma once

#include "sim/trace.h"

typedef struct
{
  gboolean open;
  gboolean fresh;    /* opened, and nothing read or written yet */
  gboolean reserved; /* closed for a row that conflicts, which opens next */
  guint32  row;      /* tier * rows + row in the tier; holds when open */
  guint8   tier;
} TlBankMoment;

typedef enum
{
  TL_PU_IDLE,      /* before its first and after its last operation, and between: waiting */
  TL_PU_COPYING,   /* writes the copy of a received tile */
  TL_PU_READING,
  TL_PU_COMPUTING, /* with two buffers it may read the next operation's tiles meanwhile */
  TL_PU_WRITING,
} TlPuActivity;

typedef enum
{
  TL_WAIT_NONE,
  TL_WAIT_OPERAND,
  TL_WAIT_RING,
  TL_WAIT_BARRIER,
  TL_WAIT_END, /* it has nothing more to do */
} TlPuWait;

typedef struct
{
  guint8  activity;  /* TlPuActivity */
  guint8  operand;   /* TlOperand being copied, read or written */
  guint8  wait;      /* TlPuWait; only when idle, and only from tl_sim_moment_at (a trace's moment: NONE) */
  guint8  phase;     /* TlPhase of the operation, or of the latest one when idle */
  guint32 k;         /* the operation, or the latest one; G_MAXUINT32 before the first */
  guint32 i;
  guint32 j;
  gboolean prefetching; /* two buffers: reads (or copies) the tiles of next while this one computes */
  guint32 next_k;
  guint32 next_i;
  guint32 next_j;
  TlSimCounts counts; /* so far: commands at or before this time */
} TlPuMoment;

typedef struct
{
  guint64       time;
  guint64       event;     /* events at or before: index of the next one; from a trace only */
  guint32       n_pus;
  guint32       n_banks;   /* a PU */
  TlPuMoment   *pu;
  TlBankMoment *bank;      /* PU * n_banks + bank */
  gboolean      sending;   /* a broadcast holds the ring */
  gboolean      hopping;   /* the latest broadcast has left its owner, not all have it */
  TlBroadcast   broadcast; /* that, or the latest one; all 0 before the first */
  double        progress;  /* of it: 0 granted .. 1 usable everywhere */
  TlSimCounts   counts;    /* of all PUs */
  guint64       broadcasts; /* granted so far */
} TlSimMoment;

/* The machine just after all events at or before @time. G_IO_ERROR_CANCELLED only.
 * Returns: (transfer full) */
TlSimMoment *tl_sim_moment_at       (TlSimRun          *run,
                                     guint64            time,
                                     GCancellable      *cancellable,
                                     GError           **error);
void         tl_sim_moment_free     (TlSimMoment       *moment);
TlSimMoment *tl_sim_moment_copy     (const TlSimMoment *moment);
/* Equal but for event, and for what only one of the two ways knows (wait). */
gboolean     tl_sim_moment_equal    (const TlSimMoment *a,
                                     const TlSimMoment *b,
                                     char             **what);

/* Of a whole run's trace: the moment after its first @index events. */
TlSimMoment *tl_sim_trace_moment    (TlSimTrace        *trace,
                                     guint64            index);
/* Steps to the moment after the next event (FALSE at the end). */
gboolean     tl_sim_trace_step      (TlSimTrace        *trace,
                                     TlSimMoment       *moment);

/* Time of the first event after @time, of the last one before it; FALSE when there
 * is none. For runs of any size. */
gboolean     tl_sim_next_event      (TlSimRun          *run,
                                     guint64            time,
                                     guint64           *next);
gboolean     tl_sim_previous_event  (TlSimRun          *run,
                                     guint64            time,
                                     guint64           *previous);

/* What a drawing of @from..@to needs. */
typedef struct
{
  guint64 from;
  guint64 to;
  GArray *operations; /* of TlOperation that overlap it, by PU and start */
  GArray *broadcasts; /* of TlBroadcast that overlap it, by start */
} TlSimWindow;

/* At most @limit operations (else TL_SIM_ERROR_TOO_BIG: draw a summary, see
 * tl_sim_lane). Returns: (transfer full) */
TlSimWindow *tl_sim_window_new      (TlSimRun          *run,
                                     guint64            from,
                                     guint64            to,
                                     guint64            limit,
                                     GCancellable      *cancellable,
                                     GError           **error);
/* The same with the operations of some PUs alone, quicker by as much. */
TlSimWindow *tl_sim_window_new_of   (TlSimRun          *run,
                                     const guint       *pus,
                                     guint              n_pus,
                                     guint64            from,
                                     guint64            to,
                                     guint64            limit,
                                     GCancellable      *cancellable,
                                     GError           **error);
void         tl_sim_window_free     (TlSimWindow       *window);

/* Shares of one PU's time between two checkpoints: what a lane shows when operations
 * are too small to draw. */
typedef struct
{
  guint64   from;
  guint64   to;
  guint32   k;     /* super-steps k .. k_end - 1 */
  guint32   k_end;
  TlPuTimes times;
} TlLaneShare;

/* Lane of @pu: of TlLaneShare, ascending. (transfer full) */
GArray      *tl_sim_lane            (TlSimRun          *run,
                                     guint32            pu);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlSimMoment, tl_sim_moment_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlSimWindow, tl_sim_window_free)
