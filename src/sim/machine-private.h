/* The machine in motion: PUs, ring and the tiles of the super-steps under way. The
 * two schedulers (program order for one buffer, order of time for two) move it by
 * the same few functions. */
#pragma once

#include "sim/memo-private.h"
#include "sim/run.h"

/* When the broadcast tiles of one k were done by their owner and usable by others;
 * -1: not known yet. Index 2 x for (k,x), 2 x + 1 for (x,k); both for the pivot. */
typedef struct
{
  gint64 *done;
  gint64 *usable;
  gint64  latest;  /* usable or done, of all known */
  guint32 left;    /* PUs that own tiles and have not passed it (two buffers) */
} TlStepTiles;

/* Why a PU waited before an operation: it was free at from, let go by the barrier,
 * its last operand was done, then usable. from <= barrier <= operand <= ready. */
typedef struct
{
  gint64 from;
  gint64 barrier;
  gint64 operand;
  gint64 ready;
} TlGap;

typedef enum
{
  TL_FLIGHT_WAITING, /* for an operand or a barrier */
  TL_FLIGHT_LOADED,  /* loads decided; computes at .compute */
  TL_FLIGHT_OVER,
} TlFlightStatus;

/* Two buffers: the operation that a PU loads or waits to load. */
typedef struct
{
  TlTask  task;
  guint8  status;   /* TlFlightStatus */
  guint32 next;     /* pivot 0, cross 1 + slot, own tiles after: where to look for the one after */
  guint32 barriers; /* that stand before it in the program */
  gint64  ready;
  gint64  first;
  gint64  loaded;
  gint64  compute;  /* starts */
  gint64  duration; /* of computing */
} TlFlight;

typedef struct
{
  guint32   state;        /* memo with closed pages: as of base */
  gint64    base;
  gint64    end;          /* of its last operation */
  gint64    barrier;      /* let go by the last barrier */
  TlGap     gap;          /* before its last operation */
  TlTask    last;         /* the last operation that started */
  gboolean  started;
  TlPuTimes times;
  guint64   operations[TL_N_PHASES];
  TlSimCounts counts;
  TlFlight  flight;       /* two buffers */
  guint32  *first_use;    /* copies charged: 2 M, k + 1 when the copy of (i,k), (k,j) was written */
  TlOpenRows rows;        /* memo with open pages */
  TlGroup   group;        /* full runs, and memo with open pages; last, for its bank arrays are packed apart */
} TlPu;

typedef struct _TlMachine TlMachine;

/* A piece of an operation as it was run, for whoever watches. */
typedef struct
{
  const TlMachine *machine;
  const TlTask    *task;
  TlPieceKind      kind;
  gint64           start;     /* asked for */
  TlPieceTimes     times;     /* absolute; compute a duration */
  gint64           compute;   /* WHOLE, STORE: when it starts to compute */
  gint64           idle_from; /* the end of the piece before it: with refresh, commands lie between */
  const TlTally   *tally;
  /* The bank group before it: see tl_piece_before. */
  const TlGroup   *group;
  guint32          state;
  gint64           base;
} TlPiece;

void tl_piece_before (const TlPiece *piece,
                      TlGroup       *group);

typedef struct
{
  void   (*piece)     (const TlPiece *piece, gpointer data);
  void   (*operation) (const TlOperation *operation, gpointer data);
  void   (*broadcast) (const TlBroadcast *broadcast, gpointer data);
  /* In a replay, of each PU once: how it stands before the first piece that is told, with
   * everything before it counted. @group as it is then (closed pages: undefined). */
  void   (*stand)     (const TlMachine *machine, guint pu, const TlGroup *group, gpointer data);
  /* In a replay: what has its last command before this is not told. */
  gint64   from;
  gpointer data;
} TlWatch;

/* How much of a PU a replay runs. */
typedef enum
{
  TL_REPLAY_TELL,  /* all, and the watcher is told */
  TL_REPLAY_RUN,   /* all */
  TL_REPLAY_CROSS, /* pivot and cross tiles: the rest of the step is in the next checkpoint */
} TlReplayPart;

/* What a PU counted, by phase and by tier. */
typedef struct
{
  TlSimCounts phase[TL_N_PHASES];
  TlSimCounts tier[TL_MAX_TIERS];
} TlShares;

struct _TlMachine
{
  const TlSimPlan *plan;
  TlMemo          *memo;     /* NULL: full */
  TlPu            *pu;
  guint32          k;        /* the next super-step (program order); the lowest under way */
  TlStepTiles    **step;     /* of each k, NULL when not under way */
  gint64           ring_end; /* the ring is free from here */
  gint64           ring_latest; /* all broadcasts so far are usable */
  TlBroadcast      latest;   /* the broadcast granted last */
  guint64          broadcasts;
  guint64          ring_busy;
  guint64          ring_bytes;
  TlShares        *shares;   /* of each PU */
  gint64           until;    /* one buffer: internal tiles of a PU that waits past this are left out */
  guint            threads;  /* full runs: how many take the internal tiles' PUs */
  /* Memo: uses of entry e by PU p since they were last added up, at p * room + e. */
  guint32         *uses;
  guint32          room;
  /* Two buffers. */
  gint64          *computes; /* of each PU with its loads decided: when it computes; G_MAXINT64 */
  guint32          ring_k;    /* next broadcast in program order: of k, */
  guint32          ring_slot; /* 0 the pivot, 1 + slot a cross tile */
  guint32          active;    /* PUs that own a tile */
  guint32          released;  /* barriers */
  gint64           release;   /* when the last one let go */
  guint            pace;     /* operations between two calls of step, beside those when k rises; 0: no others */
  gboolean         under_way; /* first operations are looked up */
  gboolean         finished;  /* every operation is decided */
  GArray          *used;     /* of guint64: pu << 32 | entry with uses > 0 */
  guint64          memo_entries; /* of memos dropped since they grew too big */
  const TlWatch   *watch;    /* or NULL */
  guint8          *part;     /* in a replay: TlReplayPart of each PU; NULL: all told */
  gboolean        *stood;    /* in a replay: of each PU, whether watch->stand was called */
  GCancellable    *cancellable;
};

void         tl_machine_init         (TlMachine        *machine,
                                      const TlSimPlan  *plan,
                                      gboolean          memo,
                                      gboolean          forget_bank_state);
void         tl_machine_clear        (TlMachine        *machine);
/* Adds up what memo entries were used for; drops a memo that has grown too big. */
void         tl_machine_settle       (TlMachine        *machine);
/* The bank group's state as it is. */
void         tl_machine_group        (const TlMachine  *machine,
                                      guint             pu,
                                      TlGroup          *group);
/* Refreshes to the end of the run. */
void         tl_machine_finish       (TlMachine        *machine);
gint64       tl_machine_makespan     (const TlMachine  *machine);

/* Marks which copies @task must write first. */
void         tl_machine_first_uses   (TlMachine        *machine,
                                      TlTask           *task);
/* Tells the watcher, once, how the PU stands. */
void         tl_machine_stand        (TlMachine        *machine,
                                      guint             pu,
                                      const TlGroup    *group);
/* Runs a piece of @task from @start. */
void         tl_machine_run_piece    (TlMachine        *machine,
                                      const TlTask     *task,
                                      TlPieceKind       kind,
                                      gint64            start,
                                      gint64            compute,
                                      TlPieceTimes     *times);
/* When @task's operands are done, and usable by its PU; FALSE when one is not known
 * yet. Neither is below what it was. */
gboolean     tl_machine_operands     (const TlMachine  *machine,
                                      const TlTask     *task,
                                      gint64           *done,
                                      gint64           *usable);
TlStepTiles *tl_step_tiles           (TlMachine        *machine,
                                      guint32           k);
void         tl_step_tiles_drop      (TlMachine        *machine,
                                      guint32           k);
static inline guint32
tl_step_slot (guint32 k, guint32 i, guint32 j)
{
  return i == k ? 2 * j : 2 * i + 1;
}
/* Tile (i,j) of k, a pivot or cross tile, is done: known to its owner. */
void         tl_machine_done         (TlMachine        *machine,
                                      guint32           k,
                                      guint32           i,
                                      guint32           j,
                                      gint64            done);
/* Grants the ring to the next tile in program order. */
void         tl_machine_broadcast    (TlMachine        *machine,
                                      guint32           k,
                                      guint32           i,
                                      guint32           j);

/* Called at the start of every super-step (program order), or when the lowest k under
 * way rises and every machine->pace operations (order of time); FALSE stops. */
typedef gboolean (*TlStepFunc) (TlMachine *machine,
                                gpointer   data);

/* Super-steps machine->k .. in program order, one buffer. FALSE when stopped. */
gboolean     tl_schedule_run         (TlMachine        *machine,
                                      TlStepFunc        step,
                                      gpointer          data);
/* The same in order of time, two buffers. */
gboolean     tl_overlap_run          (TlMachine        *machine,
                                      TlStepFunc        step,
                                      gpointer          data);

/* The gap before an operation that may start at @usable; adds it to the PU's times. */
static inline void
tl_machine_wait (TlMachine *machine, const TlTask *task, gint64 done, gint64 usable)
{
  TlPu  *pu = &machine->pu[task->pu];
  TlGap *gap = &pu->gap;

  gap->from = pu->end;
  gap->barrier = MAX (gap->from, pu->barrier);
  gap->ready = MAX (gap->barrier, usable);
  gap->operand = CLAMP (done, gap->barrier, gap->ready);
  pu->times.wait_barrier += (guint64) (gap->barrier - gap->from);
  pu->times.wait_operand += (guint64) (gap->operand - gap->barrier);
  pu->times.wait_ring += (guint64) (gap->ready - gap->operand);
}

/* Counts a finished operation. */
static inline void
tl_machine_account (TlMachine *machine, const TlTask *task, gint64 ready, gint64 computing, gint64 end)
{
  TlPu *pu = &machine->pu[task->pu];

  pu->operations[task->phase]++;
  pu->times.computing += (guint64) computing;
  pu->times.busy += (guint64) (end - MAX (ready, pu->end));
  pu->end = end;
}

/* Is the watcher told of @pu's operation that ended at @end? */
static inline gboolean
tl_machine_watches_operations (const TlMachine *machine, guint pu, gint64 end)
{
  return machine->watch != NULL && machine->watch->operation != NULL
         && (machine->part == NULL
             || (machine->part[pu] == TL_REPLAY_TELL && end + machine->plan->horizon > machine->watch->from));
}
