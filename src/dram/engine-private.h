/* State of the engine, shared by its files. All in flat arrays: domains by number, the
 * parts of buses and windows by number, two queues a channel.
 *
 * A queue is a ring of 64 places in order of age, so that sets of requests are masks of
 * one word and the oldest of a set is its first bit from the head. What a domain could
 * do for its requests by its own times alone stands in the masks cols, acts, pres; a
 * domain whose time has not come has a timer. What is shared (buses, windows of
 * activations) is asked when a command is chosen. */
#pragma once

#include "dram/engine.h"

#define RING      64
#define READS     0 /* the window; all requests when there is no write queue */
#define WRITES    1
#define N_QUEUES  2
#define NOBODY    0xff
#define N_TIMERS  N_CANS /* a list for each kind, so that each is nearly sorted as it grows */
#define MAX_BINS  1024

typedef enum
{
  HOLD_NONE,
  HOLD_RESERVED, /* its row was closed for one request, which opens the next */
  HOLD_OWED,     /* a row was opened for one request, which has not had its column */
} Hold;

typedef struct
{
  guint64 unit;
  guint64 number;
  guint64 entered;
  guint32 row;
  guint32 domain;
  guint16 column;
  guint16 requester;
  guint8  operand;
  guint8  tier;
  guint8  row_class; /* TL_CLASS_NONE before its first command */
  guint8  write;
} Slot;

/* What a domain can do next, and the kinds of timers. */
typedef enum
{
  CAN_COLUMN,
  CAN_PRE,
  CAN_ACT,
} Can;
#define N_CANS 3

typedef struct
{
  guint64 live;
  union
  {
    struct
    {
      guint64 cols; /* could have their column, by their domain */
      guint64 pres;
      guint64 acts;
    };
    guint64 can[N_CANS];
  };
  guint64 held;    /* hold their domain */
  guint32 head;    /* place = number modulo RING; [head, tail) holds all, with holes */
  guint32 tail;
  guint32 count;
  guint32 room;
  guint8  claimed; /* place of the request whose age gives it its domain */
  Slot    slot[RING];
} Queue;

/* In lines of the cache: its times and requests, what it is and holds, what it is counted by. */
typedef struct
{
  _Alignas(64) union
  {
    struct
    {
      guint64 col_ready;
      guint64 pre_ready;
      guint64 act_ready;
    };
    guint64 ready[N_CANS];
  };
  guint64 timer; /* when it is judged again, TL_TIME_NEVER */
  guint64 wait[N_QUEUES];
  guint64 hits[N_QUEUES]; /* of wait, those of the open row */

  guint32 row;
  guint8  tier; /* of row */
  guint8  open;
  guint8  hold; /* Hold */
  guint8  holder;
  guint8  holder_queue;
  guint8  claimer[N_QUEUES]; /* or NOBODY */
  guint8  draining; /* for a refresh */
  guint8  closing;  /* in the list of rows nobody wants */
  guint8  fixed_tier; /* on cu */
  guint16 channel;
  guint32 bus;
  guint32 spacing;
  guint32 window;
  guint32 refresh;
  guint64 opener;
  guint64 opener_unit;

  guint64 cause_opener; /* of the row last closed by a conflict */
  guint64 cause_unit;
  guint64 closed_at;
  guint32 cause_row;
  guint64 busy_from;
  guint64 busy_to;
} Domain;

/* What shares a data bus, or a spacing of activations. */
typedef struct
{
  guint64 ready;
  guint64 data_end;
  guint64 read_ready;
  guint64 slots[N_QUEUES]; /* the requests in its domains */
} Part;

typedef struct
{
  guint64 last[4]; /* ACT + tFAW, the oldest at next */
  guint32 next;
  guint64 slots[N_QUEUES];
} ActWindow;

typedef struct
{
  guint64 due;
  guint64 ready; /* REF not before */
  guint32 first;
  guint32 count;
  guint32 open; /* domains */
  guint32 behind; /* fell due again before it was done */
  gboolean draining;
} RefreshPart;

typedef struct
{
  guint64 time;
  guint32 domain;
} Timer;

/* A sorted ring that grows. */
typedef struct
{
  Timer  *timer;
  guint64 first; /* time of the first, TL_TIME_NEVER */
  guint32 size;  /* power of two */
  guint32 head;
  guint32 tail;
} Timers;

typedef struct
{
  Queue   queue[N_QUEUES];
  Timers  timers[N_TIMERS];
  guint64 next;     /* nothing happens before */
  guint64 first_timer;
  guint64 deadline; /* nobody's time is up before */
  guint64 wake;     /* of what was tried and came too soon */
  guint64 col_free; /* command bus */
  guint64 row_free;
  guint64 refresh_next;
  guint32 refresh_turn; /* part that falls due then, from the channel's first */
  guint32 n_draining;
  guint32 *draining; /* parts that are due, n_refreshes of room */
  guint32 first_refresh;
  guint32 first_bus, first_spacing;
  guint8  mode; /* READS or WRITES */
  guint8  drain;
  guint32 *closing; /* domains whose row nobody wants, a ring of closing_size */
  guint32 closing_head;
  guint32 closing_tail;
} Channel;

struct _TlEngine
{
  TlMemory        memory;
  TlEngineOptions options;
  TlAddressMap   *map;
  guint           column_bits;
  guint           row_bits;
  guint32         n_domains, n_channels;
  guint32         n_buses, n_spacings, n_refreshes; /* a channel */
  guint32         closing_size; /* power of two */
  guint           tier_shift; /* of a row, on pim; else 0 */
  gboolean        refresh;
  gboolean        split_writes; /* there is a write queue */
  gboolean        usual;        /* rows with waiting hits are kept, and all others too */
  gboolean        stopped;
  guint64         now;
  guint64         door;       /* the next request enters no sooner */
  guint32         door_count; /* entered at that time */
  guint64         waiting;    /* in all queues */
  guint64         open_rows;
  Domain         *domains;
  Channel        *channels;
  Part           *buses;
  Part           *spacings;
  ActWindow      *windows;
  RefreshPart    *refreshes;
  guint64        *ordered; /* row + 1 that each domain holds in source order, 0 closed */

  TlEngineTotals  totals;
  guint64         working;  /* requests with a command and without a column */
  guint64         data_end; /* latest */
  guint64         active_from;
  TlDomainCounts *counts;
  TlShare         tiers[TL_MAX_TIERS];
  TlShare         operands[TL_ENGINE_MAX_OPERANDS];
  TlShare        *requesters;
  guint           n_requesters; /* seen */
  guint           room_requesters;
  TlLatency      *latency[2];
  TlCauses       *causes;
  TlBandwidthBin  bins[MAX_BINS];
  guint           bin;
  guint64         bin_width;
  guint64         bin_end;
  TlEvent         events[TL_EVENT_BATCH];
  guint           n_events;
};

/* --- engine-judge.c: what a domain could do, and timers --- */

/* Sets the masks of @domain's requests by its state at engine->now, and its timer. */
void     tl_engine_judge        (TlEngine   *engine,
                                 guint32     domain);
/* The same after something that leaves only one thing to be done, at @time; the
 * masks are set. */
void     tl_engine_judge_at     (TlEngine   *engine,
                                 guint32     domain,
                                 Can         can,
                                 guint64     time);
/* The same after request @place of @queue has entered; returns when it could go at the
 * earliest by what it changed, TL_TIME_NEVER when it changed nothing. And after one has
 * left by its column. */
guint64  tl_engine_judge_entry  (TlEngine   *engine,
                                 guint32     domain,
                                 guint       queue,
                                 guint       place);
void     tl_engine_judge_exit   (TlEngine   *engine,
                                 guint32     domain,
                                 guint       queue);
/* Judges the domains of @channel whose time has come; there is one. */
void     tl_engine_ring         (TlEngine   *engine,
                                 Channel    *channel);

/* --- engine-queue.c: entering and leaving --- */

/* Returns as tl_engine_judge_entry. */
guint64  tl_engine_enter        (TlEngine   *engine,
                                 Channel    *channel,
                                 guint       queue,
                                 const Slot *slot);
void     tl_engine_leave        (TlEngine   *engine,
                                 Channel    *channel,
                                 guint       queue,
                                 guint       place);

/* --- engine-issue.c: commands at engine->now --- */

void     tl_engine_issue_act    (TlEngine   *engine,
                                 Channel    *channel,
                                 guint       queue,
                                 guint       place);
void     tl_engine_issue_column (TlEngine   *engine,
                                 Channel    *channel,
                                 guint       queue,
                                 guint       place);
/* For a request. */
void     tl_engine_issue_pre    (TlEngine   *engine,
                                 Channel    *channel,
                                 guint       queue,
                                 guint       place);
/* For nobody. */
void     tl_engine_issue_close  (TlEngine     *engine,
                                 Channel      *channel,
                                 guint32       domain,
                                 TlCloseReason reason);
void     tl_engine_issue_ref    (TlEngine   *engine,
                                 Channel    *channel,
                                 guint32     part);
/* --- engine-tally.c: counts --- */

void     tl_engine_count_order  (TlEngine   *engine,
                                 const Slot *slot);
void     tl_engine_count_class  (TlEngine   *engine,
                                 const Slot *slot);
void     tl_engine_count_done   (TlEngine   *engine,
                                 const Slot *slot,
                                 guint64     data_end);
void     tl_engine_count_cause  (TlEngine   *engine,
                                 const Slot *slot,
                                 guint64     readable);

/* --- engine.c --- */

/* Hands the events so far to the sink, which there is when there are some. */
void     tl_engine_flush        (TlEngine   *engine);

/* --- engine-step.c --- */

/* Everything that @channel does at channel->next. */
void     tl_engine_step         (TlEngine   *engine,
                                 Channel    *channel);
/* Lets @channel look again after something entered that could go at @time. */
void     tl_engine_stir         (TlEngine   *engine,
                                 Channel    *channel,
                                 guint64     time);

/* Tells the sink, which there is, what was issued on behalf of @slot, or of nobody (NULL). @kind is
 * a constant at each call, so that nothing is asked. */
static inline __attribute__ ((always_inline)) void
tl_engine_tell (TlEngine *engine, guint8 kind, guint32 domain, guint32 row, const Slot *slot, guint8 row_class,
                TlCloseReason reason)
{
  TlEvent *event = &engine->events[engine->n_events];

  event->time = engine->now;
  event->request = slot != NULL ? slot->number : TL_NO_REQUEST;
  event->entered = slot != NULL ? slot->entered : engine->now;
  event->opener = kind == TL_EVENT_PRE ? engine->domains[domain].opener : TL_NO_REQUEST;
  event->domain = domain;
  event->row = row;
  event->column = slot != NULL && tl_event_has_column (kind) ? slot->column : 0;
  event->requester = slot != NULL ? slot->requester : 0;
  event->operand = slot != NULL ? slot->operand : 0;
  event->kind = kind;
  event->row_class = row_class;
  event->reason = (guint8) reason;
  if (G_UNLIKELY (++engine->n_events == TL_EVENT_BATCH))
    tl_engine_flush (engine);
}

/* The place of the oldest of @mask, which is not empty. */
static inline guint
tl_queue_oldest (const Queue *queue, guint64 mask)
{
  guint   head = queue->head % RING;
  guint64 turned = mask >> head | mask << (-head & (RING - 1));

  return ((guint) __builtin_ctzll (turned) + head) % RING;
}

static inline guint64
tl_bit (guint place)
{
  return G_GUINT64_CONSTANT (1) << place;
}
