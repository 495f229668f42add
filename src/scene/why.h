/* Why a bank had to shut one row for another: the two requests of a conflict, and
 * which conflict comes next. Its id is "conflict-PU-BANK-TIME", TIME in ps when the
 * wanted row was opened. */
#pragma once

#include "sim/rows.h"
#include "sim/span.h"

/* What of a tile lies in a row and who asked for it. */
typedef struct
{
  guint32  row;       /* tier * rows + row in the tier */
  guint8   tier;
  TlRowUse use;       /* the tile in it */
  gboolean known;     /* the operation below is known */
  guint8   operand;   /* TlOperand it was to the operation */
  gboolean write;
  guint32  k, i, j;   /* the operation: tile (i,j) at super-step k */
  guint64  opened;    /* ps of its ACT; 0 when long before */
  guint64  last;      /* its last beat's column command before the PRE (wanted: the first) */
} TlConflictSide;

typedef struct
{
  guint32        pu;
  guint32        bank;
  guint64        pre;    /* ps */
  guint64        act;
  guint64        column; /* first column command to the wanted row */
  guint32        tRP;    /* of the row shut */
  guint32        tRCD;   /* of the row opened */
  TlConflictSide open;   /* the row that was in the way */
  TlConflictSide wanted;
} TlConflict;

gboolean tl_conflict_parse (const char       *id,
                            guint32          *pu,
                            guint32          *bank,
                            guint64          *act);
/* (transfer full) */
char    *tl_conflict_id    (guint32           pu,
                            guint32           bank,
                            guint64           act);
/* FALSE when there is no such conflict. */
gboolean tl_conflict_find  (TlSimRun         *run,
                            guint32           pu,
                            guint32           bank,
                            guint64           act,
                            TlConflict       *conflict);
/* The one of that bank at @time: being shut or opened then. */
gboolean tl_conflict_at    (TlSimRun         *run,
                            guint32           pu,
                            guint32           bank,
                            guint64           time,
                            TlConflict       *conflict);
/* The next (previous) conflict after @time in order of time; when @pu, @bank name one
 * at that very time, those after (before) it at that time come first. Looks through
 * a bounded stretch of the run's events. */
gboolean tl_conflict_next  (TlSimRun         *run,
                            guint64           time,
                            guint32           pu,
                            guint32           bank,
                            gboolean          forward,
                            TlConflict       *conflict);
/* Events beside @time of one PU (@bank G_MAXUINT32) or one bank. FALSE when none near. */
gboolean tl_event_of       (TlSimRun         *run,
                            guint64           time,
                            guint32           pu,
                            guint32           bank,
                            gboolean          forward,
                            guint64          *found);
