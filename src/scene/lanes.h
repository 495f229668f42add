/* The timeline's lanes, reduced to what one drawing can show: marks that are wide
 * enough stand alone, smaller ones are summed per pixel column, at every zoom from
 * one command to a whole run of 10^10. */
#pragma once

#include "sim/span.h"

/* What a PU or a bank does in a stretch of time. */
typedef enum
{
  TL_LANE_WAIT_OPERAND,
  TL_LANE_WAIT_RING,
  TL_LANE_WAIT_BARRIER,
  TL_LANE_COPY,
  TL_LANE_LOAD,
  TL_LANE_COMPUTE,
  TL_LANE_STORE,
  TL_LANE_CLOSE,    /* PRE, tRP long */
  TL_LANE_OPEN,     /* ACT after a closed bank, tRCD long */
  TL_LANE_REOPEN,   /* ACT after a conflict */
  TL_LANE_READ,     /* a beat, or a run of them */
  TL_LANE_WRITE,
  TL_LANE_ROW,      /* row open, nothing happening */
  TL_LANE_HELD,     /* PRE or ACT is over, what follows has to wait: tRRD, the bus */
  TL_LANE_SEND,     /* ring */
  TL_N_LANE_KINDS
} TlLaneKind;

typedef struct
{
  float   x;     /* px from the lane's start */
  float   width;
  guint8  kind;  /* TlLaneKind */
  guint32 count; /* commands or operations it stands for */
  guint32 i, j, k; /* the operation, of the first */
  guint64 time;    /* it begins, ps */
  guint64 event;   /* of a trace's run: the PRE that it follows from, G_MAXUINT64: none */
} TlLaneMark;

/* Shares of one pixel column, each 0..255, of a lane drawn binned. */
typedef union
{
  struct
  {
    guint8 compute, load, store, wait;
  };
  struct
  {
    guint8 hit, miss, conflict, none; /* of a lane of rows: time for data, openings, conflicts */
  };
} TlLaneBin;

typedef struct
{
  gboolean  ring;   /* the ring's lane */
  guint32   pu;
  gint      bank;   /* -1: the PU's own lane */
  gboolean  rows;   /* of a trace's run: a domain's or a data bus's */
  char     *name;   /* of such a one, and */
  char     *id;     /* "lane-domain-5", "lane-bus-0" */
  guint32   domain; /* or the bus */
  gboolean  bus;
  gboolean  binned; /* bins hold, else marks */
  GArray   *marks;  /* of TlLaneMark by x */
  GArray   *bins;   /* of TlLaneBin, one a column */
} TlLane;

typedef struct
{
  guint64    from, to; /* ps */
  guint      columns;  /* px */
  GPtrArray *lanes;    /* of TlLane *: the ring, then per PU its own and its banks' */
  gboolean   commands; /* single commands are told apart */
  const char *how;     /* what the lanes were chosen by, in words (static), or NULL */
} TlLanes;

/* @pus: which PUs get lanes; @banks: with their banks' lanes where commands can be
 * shown. NULL with @error. Any thread; any stretch of time, the longest ones in
 * milliseconds. Returns: (transfer full) */
TlLanes *tl_lanes_new     (TlSimRun     *run,
                           guint64       from,
                           guint64       to,
                           guint         columns,
                           const guint  *pus,
                           guint         n_pus,
                           GError      **error);
void     tl_lanes_free    (TlLanes      *lanes);

/* Share of PUs computing per column of the whole run, and of those waiting: what the
 * strip above the lanes shows. */
typedef struct
{
  guint      n;
  float     *computing; /* 0..1 */
  float     *busy;
} TlRunSummary;

TlRunSummary *tl_run_summary_new  (TlSimRun     *run,
                                   guint         columns);
void          tl_run_summary_free (TlRunSummary *summary);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlLanes, tl_lanes_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlRunSummary, tl_run_summary_free)
