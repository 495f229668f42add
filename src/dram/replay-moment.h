/* The machine at a moment of a run, as a person asks for it: what each domain holds and
 * may do next, who waits, what was counted until then. Made from what the engine tells
 * (dram/event.h) and who came in, so that every event has a moment of its own. */
#pragma once

#include "dram/engine.h"

/* A request that came in, as it stood at the door. */
typedef struct
{
  guint64 request;  /* its number */
  guint64 unit;
  guint64 entered;  /* ps */
  guint64 position; /* events told before it came in */
  guint32 domain;
  guint32 row;
  guint16 column;
  guint16 requester;
  guint8  operand;
  guint8  write;
  guint8  in_order; /* TlRowClass it has in the order given */
  guint8  state;    /* TlWaitState */
} TlEntry;

typedef enum
{
  TL_WAIT_ASKED,  /* nothing was done for it yet */
  TL_WAIT_CLOSED, /* a row was closed for it */
  TL_WAIT_OPENED, /* a row was opened for it, or for another and it is its own */
} TlWaitState;

typedef struct
{
  guint8  open;
  guint8  tier;      /* of row */
  guint8  reserved;  /* closed for a conflict, and the row wanted is not open yet */
  guint8  last_kind; /* TlEventKind of the last command, TL_CLASS_NONE before the first */
  guint8  last_class; /* TlRowClass of the last request whose class was decided here, or TL_CLASS_NONE */
  guint32 row;       /* open or last open */
  guint32 wanted;    /* reserved: the row that comes */
  guint64 since;     /* ps, of the ACT that opened or the PRE that closed; 0 before the first */
  guint64 last;      /* ps, of the last command */
  guint64 opener;    /* the request that opened row, TL_NO_REQUEST before the first */
  guint64 closer;    /* the request for which it was closed last, or TL_NO_REQUEST */
  TlDomainCounts counts; /* until now */
} TlDomainMoment;

typedef struct
{
  guint64         event;    /* events done: the index of the next one */
  guint64         time;     /* ps */
  guint64         requests; /* that came in */
  guint64         writes;   /* of them */
  guint64         refreshes;
  guint64         data_end; /* latest, ps */
  TlEvent         done;     /* the event just done; kind TL_N_EVENTS before the first */
  TlShare         share;    /* of all */
  guint64         act, pre_conflict, pre_page, pre_refresh;
  guint32         n_domains;
  TlDomainMoment *domains;
  guint32         n_channels;
  /* Who waits: channel c's window is lists[2 * c], its write queue lists[2 * c + 1]; of
   * TlEntry, oldest first. */
  GArray        **lists;
  TlBankRules    *rules;    /* what is legal next */
} TlReplayMoment;

/* Before everything. Returns: (transfer full) */
TlReplayMoment *tl_replay_moment_new (const TlMemory *memory);
TlReplayMoment *tl_replay_moment_copy (const TlReplayMoment *moment,
                                       const TlMemory       *memory);
/* Makes @to the same as @from, of the same machine. */
void tl_replay_moment_assign (TlReplayMoment       *to,
                              const TlReplayMoment *from);
void tl_replay_moment_free (TlReplayMoment *moment);
/* Somebody came in and waits; @split_writes: there is a write queue. */
void tl_replay_moment_enter (TlReplayMoment *moment,
                             const TlEntry  *entry,
                             gboolean        split_writes);
/* The next event, in order. */
void tl_replay_moment_apply (TlReplayMoment *moment,
                             const TlMemory *memory,
                             const TlEvent  *event);
/* When @domain may get what it could get next: a column command of its open row, or an
 * ACT when it is closed; and a PRE (TL_TIME_NEVER when it is closed). ps, not before
 * the moment. */
void tl_replay_moment_next (const TlReplayMoment *moment,
                            guint32               domain,
                            guint64              *ready,
                            guint64              *close);
/* Requests that wait, all queues. */
guint64 tl_replay_moment_waiting (const TlReplayMoment *moment);
/* Alike in everything; *what (transfer full, may be NULL) names the first difference. */
gboolean tl_replay_moment_equal (const TlReplayMoment *a,
                                 const TlReplayMoment *b,
                                 char                **what);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlReplayMoment, tl_replay_moment_free)
