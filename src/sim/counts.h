/* What a run counts, by the definitions of models.md section 2, and where. */
#pragma once

#include <glib.h>

/* A request is one beat (column access). Each is a hit, an opening miss or a
 * conflict: hits + misses + conflicts = rd + wr, always. Closed pages: conflicts
 * = 0, pre = closings + refresh_closings = act. Open pages: act = misses +
 * conflicts, pre = conflicts + refresh_closings. */
typedef struct
{
  guint64 act;
  guint64 rd;
  guint64 wr;
  guint64 pre;
  guint64 ref;              /* one a bank group */
  guint64 hits;             /* the row was open */
  guint64 misses;           /* the bank was closed */
  guint64 conflicts;        /* another row was open */
  guint64 closings;         /* PRE after the last wanted beat of a row (closed pages) */
  guint64 refresh_closings; /* PRE that made way for a refresh */
  guint64 bytes_read;       /* whole beats */
  guint64 bytes_written;
} TlSimCounts;

/* *sum += times * *counts */
void     tl_sim_counts_add   (TlSimCounts       *sum,
                              const TlSimCounts *counts,
                              guint64            times);
gboolean tl_sim_counts_equal (const TlSimCounts *a,
                              const TlSimCounts *b);

/* A PU's time, in ps. busy + the waits + idle = makespan; idle is the time after
 * its last operation. computing is part of busy. */
typedef struct
{
  guint64 busy;         /* from an operation's start to its last data beat; overlaps count once */
  guint64 computing;
  guint64 wait_operand; /* for a tile that was not computed yet */
  guint64 wait_ring;    /* for its broadcast: queued, on the links, hopping */
  guint64 wait_barrier; /* for the other PUs and their broadcasts */
  guint64 idle;
} TlPuTimes;
