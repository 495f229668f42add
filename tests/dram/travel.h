/* What the suites of time travel share: runs of random machines, and steps about in them. */
#pragma once

#include "audit.h"
#include "dram/replay-cursor.h"

typedef struct
{
  AuditRun     audit;
  TlReplayRun *run;
  GArray      *events; /* of TlEvent, what a sink heard while it was made */
} Travel;

/* A run of @n accesses on a random machine; @distance and @cap as in TlReplayRunOptions. */
void         travel_make        (Travel         *made,
                                 guint           n,
                                 guint64         distance,
                                 gsize           cap,
                                 guint64        *state);
void         travel_clear       (Travel         *made);
/* A closed log of them. (transfer full) */
TlAccessLog *travel_log         (const TlAccess *accesses,
                                 gsize           n,
                                 gsize           cap);
/* Aborts, saying @where, unless they are equal. */
void         travel_check_equal (const TlReplayMoment *a,
                                 const TlReplayMoment *b,
                                 guint64         seed,
                                 const char     *where);
/* @jumps times in each of @rounds runs: back N and forward N from a random moment. */
void         travel_step_about  (guint           rounds,
                                 guint           jumps,
                                 guint           n_accesses);
