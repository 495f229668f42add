/* The requests of a run back from its events, in the order in which they were given, so that
 * it can be run again. Each arrives when it entered its queue; an engine of the same machine
 * and options then tells the same events, one for one. */
#pragma once

#include "dram/engine.h"
#include "dram/event-file.h"

typedef struct _TlEventRequests TlEventRequests;

/* From the start of @file, which must outlive it, as events of a machine with @map. For one
 * thread. Returns: (transfer full) */
TlEventRequests *tl_event_requests_new  (const TlEventFile *file,
                                         TlAddressMap      *map);
void             tl_event_requests_free (TlEventRequests   *requests);
/* The next up to @n; how many there were. Fewer at the end, which in a file that was cut, or that
 * begins late, is before the first request that has no RD, WR or FORWARD in it. Fewer with
 * an error when a chunk is damaged, or TL_EVENT_FILE_ERROR_EVENT where an event is of no such
 * machine or a request comes twice or 2^20 too soon. */
gsize            tl_event_requests_read (TlEventRequests   *requests,
                                         TlAccess          *accesses,
                                         gsize              n,
                                         GError           **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlEventRequests, tl_event_requests_free)
