/* The events of a run, or of a window of it, in order of time: DRAM commands and the
 * steps of PUs and ring. Kept as chunked columns, 22 bytes an event. */
#pragma once

#include "dram/command.h"
#include "sim/run.h"

typedef enum
{
  TL_SIM_EVENT_ACT,
  TL_SIM_EVENT_RD,
  TL_SIM_EVENT_WR,
  TL_SIM_EVENT_PRE,
  TL_SIM_EVENT_REF,
  TL_SIM_EVENT_START,     /* of an operation: its first command */
  TL_SIM_EVENT_COPY,      /* starts to write the copy of a received tile; operand says of which */
  TL_SIM_EVENT_READ,      /* starts to read operand */
  TL_SIM_EVENT_COMPUTE,
  TL_SIM_EVENT_WRITE,     /* computed, starts to write C */
  TL_SIM_EVENT_DONE,      /* last data beat: the tile is done */
  TL_SIM_EVENT_SEND,      /* broadcast granted */
  TL_SIM_EVENT_RING_FREE,
  TL_SIM_EVENT_RECEIVED,  /* broadcast usable by every other PU */
} TlSimEventKind;
#define TL_N_SIM_EVENTS 14

typedef struct
{
  guint64 time;
  guint32 row;     /* commands: tier * rows + row in the tier, as in dram/command.h */
  guint32 subject; /* index of the operation or broadcast in the trace's lists */
  guint16 pu;
  guint16 column;  /* of PRE: 1 when it makes way for a refresh */
  guint8  kind;    /* TlSimEventKind */
  guint8  bank;    /* commands; PU steps: TlOperand */
} TlSimEvent;

/* "ACT", "read", "broadcast", ... */
const char     *tl_sim_event_name      (TlSimEventKind     kind);

typedef struct _TlSimTrace TlSimTrace;

/* All events from @from to before @to ps (0, G_MAXUINT64: all of them), made from the run's
 * checkpoints. TL_SIM_ERROR_TOO_BIG when there are more than @limit; G_IO_ERROR_CANCELLED.
 * Returns: (transfer full) */
TlSimTrace     *tl_sim_trace_new       (TlSimRun          *run,
                                        guint64            from,
                                        guint64            to,
                                        guint64            limit,
                                        GCancellable      *cancellable,
                                        GError           **error);
/* The events from @from to before @to in parts of at most @most each, in order, so that
 * memory stays small at any size: @part is called with each (it may be empty) and stops the
 * walk by FALSE, with @error. */
typedef gboolean (*TlSimTraceFunc) (const TlSimTrace *part,
                                    gpointer          data,
                                    GError          **error);
gboolean        tl_sim_trace_walk      (TlSimRun          *run,
                                        guint64            from,
                                        guint64            to,
                                        guint64            most,
                                        TlSimTraceFunc     part,
                                        gpointer           data,
                                        GCancellable      *cancellable,
                                        GError           **error);
TlSimTrace     *tl_sim_trace_ref       (TlSimTrace        *trace);
void            tl_sim_trace_unref     (TlSimTrace        *trace);

TlSimRun       *tl_sim_trace_run       (const TlSimTrace  *trace); /* (transfer none) */
guint64         tl_sim_trace_count     (const TlSimTrace  *trace);
/* Does it hold the run from its start to its end? */
gboolean        tl_sim_trace_is_whole  (const TlSimTrace  *trace);
void            tl_sim_trace_event     (const TlSimTrace  *trace,
                                        guint64            index,
                                        TlSimEvent        *event);
/* First event at or after @time; count when there is none. */
guint64         tl_sim_trace_find      (const TlSimTrace  *trace,
                                        guint64            time);
/* Operations (of TlOperation) and broadcasts (of TlBroadcast) that an event names. Of
 * a window's first and last ones only the times inside it are known. */
const GArray   *tl_sim_trace_operations (const TlSimTrace *trace);
const GArray   *tl_sim_trace_broadcasts (const TlSimTrace *trace);
/* FALSE when the event is no DRAM command. */
gboolean        tl_sim_event_command   (const TlSimEvent  *event,
                                        guint32            banks,
                                        TlCommand         *command);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlSimTrace, tl_sim_trace_unref)
