/* What the scheduled engine (dram/engine.h) tells while it runs: one event for each
 * command it issues, and one for each request served without any. A recorder, the
 * checker and exporters take the same stream; a command alone (dram/command.h) is
 * tl_event_command of it.
 *
 * Events come in order of time; those of one time in the order in which the controller
 * decided on them. A request is one unit; requests are numbered from 0 in the order
 * in which they were given. Every request has exactly one RD, WR or FORWARD event, and
 * exactly one event with a class, its first. */
#pragma once

#include "dram/bank-rules.h"

typedef enum
{
  /* The first five are TlCommandKind. */
  TL_EVENT_ACT = TL_COMMAND_ACT,
  TL_EVENT_RD = TL_COMMAND_RD,
  TL_EVENT_WR = TL_COMMAND_WR,
  TL_EVENT_PRE = TL_COMMAND_PRE,
  TL_EVENT_REF = TL_COMMAND_REF,
  TL_EVENT_FORWARD, /* a read was served from the write queue; no command */
} TlEventKind;
#define TL_N_EVENTS 6

/* Why a PRE closed its row. */
typedef enum
{
  TL_CLOSE_NONE,     /* not a PRE */
  TL_CLOSE_CONFLICT, /* a request wants another row (open pages) */
  TL_CLOSE_PAGE,     /* nobody wants the row any more (closed pages) */
  TL_CLOSE_REFRESH,
} TlCloseReason;
#define TL_N_CLOSE_REASONS 4

/* No request: REF, and PRE for a refresh or a closed page. */
#define TL_NO_REQUEST G_MAXUINT64
/* TlEvent.row_class where the event is not its request's first. */
#define TL_CLASS_NONE 0xff

typedef struct
{
  guint64 time;      /* ps, when the command is issued */
  guint64 request;   /* on whose behalf, or TL_NO_REQUEST */
  guint64 entered;   /* ps: when that request entered its queue; time where there is none */
  guint64 opener;    /* PRE: the request that had opened the row; else TL_NO_REQUEST */
  guint32 domain;    /* as in TlCommand */
  guint32 row;       /* PRE: the row that is closed; REF: 0 */
  guint16 column;    /* RD, WR, FORWARD; else 0 */
  guint16 requester; /* of the request: who asks (a CTA, a core) */
  guint8  operand;   /* of the request: which array */
  guint8  kind;      /* TlEventKind */
  guint8  row_class; /* TlRowClass, or TL_CLASS_NONE */
  guint8  reason;    /* TlCloseReason */
} TlEvent;

/* Takes @n events, in order; the engine calls it with up to TL_EVENT_BATCH at a time
 * and hands over what is left when it is asked to flush. FALSE stops the run. */
typedef gboolean (*TlEventSink) (const TlEvent *events,
                                 gsize          n,
                                 gpointer       data);
#define TL_EVENT_BATCH 256

/* The command of an event that has one (kind < TL_N_COMMANDS). */
static inline TlCommand
tl_event_command (const TlEvent *event)
{
  return (TlCommand) { event->time, event->domain, event->row, event->column, event->kind };
}

/* Does an event of @kind name a column? */
static inline gboolean
tl_event_has_column (guint kind)
{
  return kind == TL_EVENT_RD || kind == TL_EVENT_WR || kind == TL_EVENT_FORWARD;
}

/* "ACT", "RD", "WR", "PRE", "REF", "FORWARD". */
const char *tl_event_kind_name   (TlEventKind   kind);
/* "", "conflict", "page", "refresh". */
const char *tl_close_reason_name (TlCloseReason reason);
