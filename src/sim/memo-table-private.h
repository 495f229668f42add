/* The inside of a memo: interned states and the table of pieces. */
#pragma once

#include "sim/memo-private.h"

#define TL_MEMO_FIXED 8 /* column, bus, read, act, window[4]; then ready of each bank */

/* Names of open rows in a state: 0 closed, row q of the piece's tile t, or another row,
 * of which only its tier matters. */
#define TL_MEMO_SYMBOL_TILE(t, q)  (((gint64) (t) + 1) << 40 | (q))
#define TL_MEMO_SYMBOL_OTHER(tier) ((G_GINT64_CONSTANT (1) << 50) | (tier))

/* Open pages, from a piece to the next one of its PU: the entry that follows from the
 * state after the one, how the next one's tiles stand to its tiles, the time between
 * them, and what the next one is. */
typedef struct
{
  guint64 relation;
  gint64  later;
  guint64 piece;
  guint32 after;
} TlMemoStep;

struct _TlMemo
{
  const TlSimPlan *plan;
  gboolean         forget;
  guint            width;   /* numbers a state */
  GArray          *values;  /* of gint64, width a state */
  GArray          *longest; /* of gint64, the largest time of each state */
  GArray          *strange; /* of guint8, of each state: a row is open that is none of the piece's own */
  GHashTable      *states;  /* of state number + 1, by content */
  GPtrArray       *entries; /* of TlMemoEntry * */
  guint64         *keys;    /* open addressing: piece, state */
  guint32         *found;   /* entry + 1 */
  guint32          mask;
  guint64          last_key;
  guint32          last; /* entry of last_key + 1 */
  GArray          *patterns; /* of guint32; open pages */
  TlMemoStep      *steps;    /* open addressing; open pages */
  guint32         *step_found;
  guint32          step_mask;
  guint32          n_steps;
  TlMemoStep       last_step;
  guint32          last_found;
  gint64           scratch[TL_MEMO_FIXED + 3 * TL_MAX_BANKS];
};

guint32 tl_memo_intern_values (TlMemo        *memo,
                               const gint64  *values);
/* Number of the entry of @key + 1, 0 when there is none. */
guint32 tl_memo_look_up       (TlMemo        *memo,
                               guint64        key);
/* Takes @entry over; returns its number. */
guint32 tl_memo_insert        (TlMemo        *memo,
                               guint64        key,
                               TlMemoEntry   *entry);
void    tl_memo_times_of      (const TlMemo  *memo,
                               const TlGroup *group,
                               gint64         base,
                               gint64        *values);
void    tl_memo_group_of      (const TlMemo  *memo,
                               const gint64  *values,
                               gint64         base,
                               TlGroup       *group);

/* What a piece is, but for the state it meets. */
static inline guint64
tl_memo_piece (const TlMemo *memo, const TlTask *task, TlPieceKind kind)
{
  G_STATIC_ASSERT (TL_N_PHASES * 32 * TL_MAX_TIERS * TL_MAX_TIERS * TL_MAX_TIERS * 3 <= 1 << 24);
  return (guint64) tl_sim_plan_class (memo->plan, task) * 3 + kind;
}

/* @piece: with open pages, its pattern (see memo-open.c) from bit 24 on. */
static inline guint64
tl_memo_key (const TlMemo *memo, guint64 piece, guint32 state)
{
  return piece << 24 | (memo->forget ? 0 : state);
}
