/* "The next event where ...": what is asked of events, and a summary of many of them that
 * says at once when none can be meant. */
#pragma once

#include "dram/event.h"

/* All that is said must hold. */
typedef struct
{
  guint   kinds;     /* 1 << TlEventKind, or 0: any */
  guint   classes;   /* 1 << TlRowClass of events that decide a class, or 0: any event */
  guint   reasons;   /* 1 << TlCloseReason, or 0 */
  gint64  domain;    /* or -1, as all below */
  gint64  bank;      /* number in its group, whatever tier, group and channel */
  gint64  tier;
  gint64  channel;
  gint64  row;       /* as in TlEvent */
  gint64  operand;
  gint64  requester;
  guint64 request;   /* or TL_NO_REQUEST: any */
} TlEventQuery;

/* Any event. */
void     tl_event_query_init    (TlEventQuery       *query);
gboolean tl_event_query_matches (const TlEventQuery *query,
                                 const TlMemory     *memory,
                                 const TlEvent      *event);
/* From words: "conflict", "hit", "miss", "forwarded", "ACT", "PRE", "RD", "WR", "REF",
 * "column", "domain:N", "bank:N", "tier:N", "channel:N", "row:N" (decimal or 0x...),
 * "operand:N", "requester:N", "request:N", "refresh", "page"; several kinds or classes are
 * either-or, all else is and. FALSE with *reason (transfer full) saying which word and why. */
gboolean tl_event_query_parse   (const char         *text,
                                 TlEventQuery       *query,
                                 char              **reason);

/* What is in a stretch of events, in 17 KiB. It may say yes in vain, never no. */
#define TL_DIGEST_ROWS 131072
typedef struct
{
  guint64 from;  /* ps, of its first event */
  guint64 to;    /* of its last one */
  guint64 least; /* lowest and highest request, G_MAXUINT64 and 0 when there is none */
  guint64 most;
  guint32 kinds[TL_N_EVENTS];
  guint32 classes[TL_N_ROW_CLASSES];
  guint32 reasons[TL_N_CLOSE_REASONS];
  guint32 tiers;          /* bits */
  guint64 operands[4];    /* bits */
  guint64 requesters[16]; /* bits, modulo 1,024 */
  guint64 domains[64];    /* bits, modulo 4,096 */
  guint64 rows[TL_DIGEST_ROWS / 64]; /* a filter: rows, and rows of domains */
} TlEventDigest;

void     tl_event_digest_init   (TlEventDigest       *digest);
void     tl_event_digest_add    (TlEventDigest       *digest,
                                 const TlMemory      *memory,
                                 const TlEvent       *event);
/* @digest then is of its own events and those of @next, which come after. */
void     tl_event_digest_merge  (TlEventDigest       *digest,
                                 const TlEventDigest *next);
/* FALSE: no event of it matches. */
gboolean tl_event_digest_may    (const TlEventDigest *digest,
                                 const TlEventQuery  *query);
