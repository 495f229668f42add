/* One PU's bank group: its state, and the streaming of one tile through it. The
 * timing rules of models.md section 3, in integer picoseconds. */
#pragma once

#include "dram/command.h"
#include "sim/counts.h"
#include "target/pim-machine.h"

/* What of a machine the rows meet, made once a run. */
typedef struct
{
  guint32      banks;
  guint32      beats;      /* of a full row */
  guint32      beat_bytes;
  guint32      rows;       /* a bank and tier, for row numbers */
  gboolean     open;       /* page = open */
  gint64       burst;
  gint64       step;       /* column to column: max (tCCD, burst) */
  gint64       tRRD;
  gint64       tFAW;
  gint64       tWTR;
  gint64       tREFI;      /* 0: no refresh */
  gint64       tRFC;
  TlTierTiming tier[TL_MAX_TIERS];
} TlTimings;

/* "Not before" times, absolute. */
typedef struct
{
  gint64  column;           /* last column + step */
  gint64  bus;              /* end of the last data */
  gint64  read;             /* end of the last write data + tWTR */
  gint64  act;              /* last ACT in program order + tRRD */
  gint64  window[4];        /* the last four ACTs + tFAW, oldest first */
  gint64  refresh;          /* the next one falls due */
  gint64  ready[TL_MAX_BANKS]; /* ACT: PRE + tRP, last ACT + tRC, REF + tRFC */
  gint64  close[TL_MAX_BANKS]; /* open pages: PRE of the open row */
  guint32 row[TL_MAX_BANKS];   /* open pages: its number + 1; 0: closed */
} TlGroup;

/* One tile read or written: row r in bank r mod banks. */
typedef struct
{
  guint32  rows;
  guint32  last_beats; /* of the last row; the others are full */
  guint32  first_row;  /* number of the rows 0 .. banks-1: tier * rows + row in the tier */
  guint8   tier;
  gboolean write;
} TlTileStream;

/* Commands as they are decided, of one PU. */
typedef struct
{
  guint32      first_domain; /* PU * banks */
  GArray      *commands;     /* of TlCommand */
  /* Visits to a row whose commands all lie before from or after to are not tapped;
   * skipped counts those before, and row is the one that the latest of them left open
   * in each bank (open pages), + 1; 0: none was skipped there. Without refresh. */
  gboolean     some;
  gint64       from;
  gint64       to;
  TlSimCounts  skipped;
  guint32      row[TL_MAX_BANKS];
} TlCommandTap;

/* PRE commands of a refresh have this column, to tell them from others. */
#define TL_PRE_FOR_REFRESH 1

void   tl_group_init    (TlGroup            *group,
                         const TlTimings    *timings);
/* Streams a tile not before @start, which is not before the last data beat of the
 * tile before. Returns the end of its last data beat; *first becomes its earliest
 * command. Adds to @counts; @tap may be NULL. */
gint64 tl_group_stream  (TlGroup            *group,
                         const TlTimings    *timings,
                         const TlTileStream *stream,
                         gint64              start,
                         gint64             *first,
                         TlSimCounts        *counts,
                         TlCommandTap       *tap);
/* Refreshes that fall due before or at @time, none of them held up by a command. */
void   tl_group_refresh (TlGroup            *group,
                         const TlTimings    *timings,
                         gint64              time,
                         TlSimCounts        *counts,
                         TlCommandTap       *tap);
/* Longest time from the end of a tile to its last PRE, with closed pages. */
gint64 tl_timings_horizon (const TlTimings  *timings);
