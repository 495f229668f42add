/* The scheduled DRAM engine: requests in, commands out, both counts, and why. From
 * event to event, never a tick. models.md section 2; the words there are meant here.
 *
 * Each channel has a controller with a window of requests and, beside it, a queue of
 * writes. Requests come through one door in the order of the trace, `issue` a clock; one
 * whose queue is full waits there, and all behind it. A request enters in the clock it
 * arrives if there is room. It leaves with its column command; its latency runs from
 * entering to its last data beat.
 *
 * The controller serves the window, and the write queue from write_high down to
 * write_low, when no read waits, or when a write's time is up (write_age, unless a read's was up sooner).
 * Order of service: ready columns, oldest first, then the oldest ready ACT or PRE.
 *   fr-fcfs        never closes a row for which a request waits in the queue that is served
 *   plain-fr-fcfs  does
 *   in-order       one queue; only the oldest request of a channel gets commands
 * Once the oldest request has waited past age, its bank works for it alone and its
 * command goes first. Whoever had a row opened keeps it until its own column, so that
 * each conflict is one PRE and one ACT, each miss one ACT:
 *   ACT = misses + conflicts; PRE = conflicts + closings of the page + of the refresh.
 * A read that finds its unit in the write queue is forwarded: one clock, no command. A
 * write waits at the door while an older read of its unit is in the window.
 * Open pages: a row stays open. Closed pages: it is closed as soon as nobody in a queue wants
 * it; no request is a conflict.
 *
 * Refresh falls due at k * tREFI for each part of refresh_scope, the parts of a channel
 * staggered over half of tREFI; the rows of the part are closed, then REF. A machine
 * without requests for longer than 4,096 tREFI refreshes itself: counted, but no commands
 * and so no events; how often follows from the times, so that a run made again from its
 * own events (dram/event-requests.h) is the same, event for event.
 *
 * A command bus keeps commands one clock apart; there is no other grid of clocks. */
#pragma once

#include "dram/causes.h"
#include "dram/event.h"
#include "dram/latency.h"
#include "target/target.h"

/* A queue holds no more. */
#define TL_ENGINE_MAX_QUEUE 64
#define TL_ENGINE_MAX_OPERANDS 256
/* Later requests than this (ps) arrive then: 53 days. */
#define TL_ENGINE_MAX_TIME (G_GUINT64_CONSTANT (1) << 62)

typedef enum
{
  TL_REFRESH_NONE,
  TL_REFRESH_ALL_BANK, /* by the target's refresh_scope; a channel where that is a bank */
  TL_REFRESH_PER_BANK, /* every bank by itself, each once a tREFI, with the target's tRFC */
} TlRefresh;

typedef struct
{
  TlScheduler scheduler;
  TlPages     pages;
  TlRefresh   refresh;
  guint       window;      /* 1..TL_ENGINE_MAX_QUEUE */
  guint       write_queue; /* 0..TL_ENGINE_MAX_QUEUE; 0: writes share the window */
  guint       write_high;  /* a drain starts here ... */
  guint       write_low;   /* ... and stops here */
  guint       issue;       /* requests a clock through the door, at least 1 */
  guint64     age;         /* ps; 0: the oldest always goes first */
  guint64     write_age;   /* ps after which a write may start a drain */
  guint       keep_causes; /* how many cause records are kept whole */
  TlEventSink sink;        /* or NULL */
  gpointer    sink_data;
} TlEngineOptions;

/* A unit read or written. */
typedef struct
{
  guint64  unit;    /* below 2^bits of the map */
  guint64  arrival; /* ps; 0 or anything past: as soon as the door lets it */
  guint16  requester;
  guint8   operand;
  gboolean write;
} TlAccess;

typedef union
{
  struct
  {
    guint64 hit, miss, conflict, forwarded;
  };
  guint64 of[TL_N_ROW_CLASSES]; /* the same by TlRowClass */
} TlRowCounts;

/* What a domain, tier, operand, requester or the whole has. */
typedef struct
{
  TlRowCounts in_order;  /* in the order given, from a closed start, no refresh; nothing forwarded */
  TlRowCounts scheduled; /* in the controller's order */
  guint64     latency;   /* ps, sum over its requests */
  guint64     lost;      /* ps, sum over its conflicts; see TlCause */
} TlShare;

typedef struct
{
  TlShare share;
  guint64 act;
  guint64 pre_conflict;
  guint64 pre_page;
  guint64 pre_refresh; /* rows closed by a refresh */
} TlDomainCounts;

typedef struct
{
  TlShare share;
  guint64 requests;
  guint64 reads;        /* forwarded ones too */
  guint64 writes;
  guint64 act, pre_conflict, pre_page, pre_refresh;
  guint64 refreshes;    /* REF commands */
  guint64 self_refreshes; /* those the idle machine did by itself */
  guint64 makespan;     /* ps, the end of the last data */
  guint64 active;       /* ps in which at least one domain worked for a request */
  guint64 busy;         /* the same summed over domains: busy / active is the bank parallelism */
  guint64 most_waiting[2]; /* the most requests that were in one window, one write queue */
  guint64 longest_wait; /* ps, the longest latency */
} TlEngineTotals;

/* A piece of the bandwidth over time. */
typedef struct
{
  guint64 reads;  /* units whose column command was issued in it */
  guint64 writes;
  guint64 conflicts;
} TlBandwidthBin;

typedef struct _TlEngine TlEngine;

/* What @target says: its compute unit's scheduler, window and write queue, pages, and
 * refresh as its scope has it. Machines without a compute unit get the defaults of
 * models.md. */
void      tl_engine_options_init (TlEngineOptions       *options,
                                  const TlTarget        *target);
/* The same of the target's numbers; @cu may be NULL. */
void      tl_engine_options_for  (TlEngineOptions       *options,
                                  const TlMemory        *memory,
                                  const TlCuMachine     *cu);
/* Sets what the options imply for a checker or bank rules: refresh_scope, tREFI, pages. */
void      tl_engine_memory       (TlMemory              *memory,
                                  const TlEngineOptions *options);

/* All rows closed, time 0. @map is of @memory. About 300 bytes a domain, 0.8 MiB.
 * Returns: (transfer full) */
TlEngine *tl_engine_new          (const TlMemory        *memory,
                                  TlAddressMap          *map,
                                  const TlEngineOptions *options);
void      tl_engine_free         (TlEngine              *engine);

/* Takes the next @n requests through the door, running as far as that needs. FALSE when
 * the sink stopped it; *taken, if not NULL, is how many are in. */
gboolean  tl_engine_feed         (TlEngine              *engine,
                                  const TlAccess        *accesses,
                                  gsize                  n,
                                  gsize                 *taken);
/* Runs everything that happens before @time; what enters later enters no sooner.
 * Events so far are handed to the sink. */
gboolean  tl_engine_run_until    (TlEngine              *engine,
                                  guint64                time);
/* Serves all that waits (on closed pages until all rows are closed) and flushes. More
 * may be fed afterwards. */
gboolean  tl_engine_finish       (TlEngine              *engine);
/* Time of the latest decision, ps, and how many requests wait for theirs. */
guint64   tl_engine_now          (const TlEngine        *engine);
guint64   tl_engine_waiting      (const TlEngine        *engine);

/* --- what came of it --- */

const TlMemory       *tl_engine_get_memory (const TlEngine *engine);
void                  tl_engine_totals     (const TlEngine *engine,
                                            TlEngineTotals *totals);
void                  tl_engine_domain     (const TlEngine *engine,
                                            guint32         domain,
                                            TlDomainCounts *counts);
void                  tl_engine_tier       (const TlEngine *engine,
                                            guint           tier,
                                            TlShare        *share);
void                  tl_engine_operand    (const TlEngine *engine,
                                            guint           operand,
                                            TlShare        *share);
/* Requesters are 0 .. n - 1. */
guint                 tl_engine_n_requesters (const TlEngine *engine);
void                  tl_engine_requester  (const TlEngine *engine,
                                            guint           requester,
                                            TlShare        *share);
/* Of the reads (forwarded ones too), or of the writes. */
const TlLatency      *tl_engine_latency    (const TlEngine *engine,
                                            gboolean        writes);
/* At most 1,024 bins of *width ps, the first from 0, the last that has something. */
const TlBandwidthBin *tl_engine_bandwidth  (const TlEngine *engine,
                                            guint          *n_bins,
                                            guint64        *width);
const TlCauses       *tl_engine_causes     (const TlEngine *engine);
/* hit + miss + conflict + forwarded. */
guint64               tl_row_counts_sum    (const TlRowCounts *counts);
/* "none", "all-bank", "per-bank"; "fr-fcfs", "plain-fr-fcfs", "in-order". */
const char           *tl_refresh_name      (TlRefresh       refresh);
const char           *tl_scheduler_name    (TlScheduler     scheduler);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlEngine, tl_engine_free)
