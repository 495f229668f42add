/* The engine's events as lines, in Ramulator's column order: the levels of the organisation
 * from the channel down, then what is asked of it.
 *
 *   clock,command,Channel,PseudoChannel,Tier,BankGroup,Bank,Row,Column,type,source,ps,request,class,closed
 *
 * Levels of one part are left out, but for Channel and Bank. clock is ps in clocks of the
 * machine, rounded down; type is "read" or "write" of column commands, and of FORWARD, which
 * is no command and has its line for the request it answers; source is the requester, empty
 * where nobody asks. Row and Column are empty where the command has none. class: hit, miss,
 * conflict or forwarded, on the first line of a request; closed: why a PRE closed its row. */
#pragma once

#include "dram/event.h"
#include "target/memory.h"

#include <gio/gio.h>

typedef struct _TlEventCsv TlEventCsv;

/* Writes the head; @memory is copied, @stream referenced and not closed. (transfer full) */
TlEventCsv *tl_event_csv_new    (GOutputStream  *stream,
                                 const TlMemory *memory);
/* FALSE with an error once the stream refused something. */
gboolean    tl_event_csv_add    (TlEventCsv     *csv,
                                 const TlEvent  *events,
                                 gsize           n,
                                 GError        **error);
/* Writes what is left. */
gboolean    tl_event_csv_close  (TlEventCsv     *csv,
                                 GError        **error);
void        tl_event_csv_free   (TlEventCsv     *csv);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlEventCsv, tl_event_csv_free)
