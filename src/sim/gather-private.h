/* Watches a replay and writes down the events of a window. */
#pragma once

#include "sim/history-private.h"
#include "sim/trace.h"

typedef struct
{
  const TlSimPlan *plan;
  gint64           from;       /* events at from .. before to */
  gint64           to;
  gint64           commands_from; /* those of tiles that are over before this are left out */
  TlSimCounts     *skipped;    /* and counted here, of each PU; or NULL */
  /* Or NULL: gets the commands before commands_from instead of the list, ... */
  void           (*early) (const TlSimEvent *event, gpointer data);
  /* ... but for those that were only counted: which rows they left open (+ 1, of each
   * bank; 0: as it was). Called first. */
  void           (*left) (guint pu, const guint32 *row, gpointer data);
  gpointer         early_data;
  guint64          limit;
  gboolean         over;       /* there were more */
  GArray          *events;     /* of TlSimEvent */
  GArray          *operations; /* of TlOperation */
  GArray          *broadcasts; /* of TlBroadcast */
  GCancellable    *stop;       /* cancelled when over */
  GCancellable    *user;       /* or NULL */
  /* Private. */
  GArray          *commands;   /* of TlCommand */
  guint32         *pending;    /* PU * 2: operations whose end is not known yet + 1 */
  TlSimRun        *run;
} TlGather;

void     tl_gather_init      (TlGather      *gather,
                              TlSimRun      *run,
                              gint64         from,
                              gint64         to,
                              guint64        limit,
                              GCancellable  *cancellable);
void     tl_gather_clear     (TlGather      *gather);
/* The events of a piece that fall into the window. */
void     tl_gather_piece     (TlGather      *gather,
                              const TlPiece *piece);
/* The start of an operation whose loads are over. */
void     tl_gather_start     (TlGather      *gather,
                              const TlTask  *task,
                              gint64         first);
void     tl_gather_operation (TlGather      *gather,
                              const TlOperation *operation);
void     tl_gather_broadcast (TlGather      *gather,
                              const TlBroadcast *broadcast);
/* Refreshes of groups that have nothing more to do. */
void     tl_gather_refresh   (TlGather      *gather,
                              TlMachine     *machine);
/* By time; at one time a PU's steps before its commands, and the ring last. */
void     tl_gather_sort      (TlGather      *gather);
