/* What a piece of an operation takes, by what it is and the bank state it meets. A
 * state is a vector of times not before which things may happen, relative to the
 * piece's start and never below 0, and (open pages) of which rows are open, named by
 * the piece's own tiles. Nothing else decides, so equal keys give equal times. */
#pragma once

#include "sim/plan-private.h"

typedef enum
{
  TL_PIECE_WHOLE, /* loads, computes, stores */
  TL_PIECE_LOAD,
  TL_PIECE_STORE,
} TlPieceKind;

typedef struct
{
  gint64 first;   /* command */
  gint64 loaded;  /* last beat of the loads; STORE: its start */
  gint64 compute; /* how long it computes */
  gint64 end;     /* last beat */
} TlPieceTimes;

/* Counts of the piece's streams, and the tiers they belong to. */
typedef struct
{
  TlSimCounts total;
  guint8      n;
  guint8      tier[7];
  TlSimCounts counts[7];
} TlTally;

/* Runs a piece on @group from @start. @tap may be NULL; @begins (may be NULL, 7 of
 * them) becomes where each stream begins. */
void tl_piece_run (const TlSimPlan *plan,
                   const TlWork    *work,
                   TlPieceKind      kind,
                   gint64           start,
                   TlGroup         *group,
                   TlPieceTimes    *times,
                   TlTally         *tally,
                   TlCommandTap    *tap,
                   gint64          *begins);

typedef struct
{
  TlPieceTimes times; /* relative to the start */
  guint32      after; /* state, relative to the end */
  guint8       phase;
  TlTally      tally;
} TlMemoEntry;

typedef struct _TlMemo TlMemo;

TlMemo            *tl_memo_new     (const TlSimPlan *plan,
                                    gboolean         forget_bank_state);
void               tl_memo_free    (TlMemo          *memo);
guint32            tl_memo_count   (const TlMemo    *memo);
const TlMemoEntry *tl_memo_entry   (const TlMemo    *memo,
                                    guint32          entry);

/* Closed pages: states by number; 0 is the settled one. */
guint32            tl_memo_settle  (TlMemo          *memo,
                                    guint32          state,
                                    gint64           later);
guint32            tl_memo_intern  (TlMemo          *memo,
                                    const TlGroup   *group,
                                    gint64           base);
void               tl_memo_extract (const TlMemo    *memo,
                                    guint32          state,
                                    gint64           base,
                                    TlGroup         *group);
/* Entry of the task's piece from @state. */
guint32            tl_memo_find    (TlMemo          *memo,
                                    const TlTask    *task,
                                    TlPieceKind      kind,
                                    guint32          state);

/* Open pages: a bank group as its last piece left it, by names: @after is a state whose
 * rows are called by that piece's tiles, which begin at rows first[0 .. n-1] (loads, then
 * the store). */
typedef struct
{
  gboolean named; /* else a TlGroup beside it holds */
  guint32  after;
  gint64   base;
  guint8   n;
  guint8   tier[7];  /* of those tiles */
  guint32  first[7];
} TlOpenRows;

/* The entry of a piece at @start, from @rows and, where these are not named, @group; both
 * become what is after it. */
guint32            tl_memo_apply   (TlMemo          *memo,
                                    const TlTask    *task,
                                    TlPieceKind      kind,
                                    gint64           start,
                                    TlOpenRows      *rows,
                                    TlGroup         *group);
/* From names to @group. */
void               tl_memo_spell   (const TlMemo    *memo,
                                    TlOpenRows      *rows,
                                    TlGroup         *group);
