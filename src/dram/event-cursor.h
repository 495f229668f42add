/* Any moment of an event file (dram/event-file.h), at once: the rows that are open then, what has
 * happened by then, the event there, and the next or previous one of some sort. A moment
 * costs the decoding of one chunk, wherever it lies; one in a chunk that was read lately
 * costs none. Chunks that cannot hold what is looked for are passed over by their
 * summaries. */
#pragma once

#include "dram/event-file.h"
#include "dram/event-query.h"

typedef struct _TlEventCursor TlEventCursor;

/* How many events of each kind and class. */
typedef struct
{
  guint64 kinds[TL_N_EVENTS];
  guint64 classes[TL_N_ROW_CLASSES];
} TlEventCounts;

/* Before the first event. @file must outlive it, and @memory, the machine whose events they are, which
 * only searches need (NULL: none are made). 8 MB; for one thread. Returns: (transfer full) */
TlEventCursor    *tl_event_cursor_new       (const TlEventFile   *file,
                                             const TlMemory      *memory);
void              tl_event_cursor_free      (TlEventCursor       *cursor);

/* So many events have happened; the event of that number, if there is one, is the next. */
guint64           tl_event_cursor_place     (const TlEventCursor *cursor);
/* To where the first @place events have happened, at most all. FALSE with
 * TL_EVENT_FILE_ERROR_DAMAGED where the chunk is damaged; the cursor stays. */
gboolean          tl_event_cursor_seek      (TlEventCursor       *cursor,
                                             guint64              place,
                                             GError             **error);
/* To where all events before @time (ps) have happened. */
gboolean          tl_event_cursor_seek_time (TlEventCursor       *cursor,
                                             guint64              time,
                                             GError             **error);

/* --- at its place --- */

/* The row that @domain holds; FALSE when none is open. Domains from 2^20 on are not told. */
gboolean          tl_event_cursor_row       (const TlEventCursor *cursor,
                                             guint32              domain,
                                             TlOpenRow           *row);
/* All of them in order of domain. (transfer full), of TlOpenRow */
GArray           *tl_event_cursor_rows      (const TlEventCursor *cursor);
/* What has happened by then. */
void              tl_event_cursor_counts    (const TlEventCursor *cursor,
                                             TlEventCounts       *counts);

/* --- anywhere --- */

/* Event @number, below the count of the file; NULL with an error as above. (transfer none), until
 * the next call that takes a TlEventCursor which is not const. */
const TlEvent    *tl_event_cursor_event     (TlEventCursor       *cursor,
                                             guint64              number,
                                             GError             **error);
/* The first event from number @from on that @query means, or with @back the last one before @from.
 * FALSE without an error when there is none. The cursor stays. */
gboolean          tl_event_cursor_find      (TlEventCursor       *cursor,
                                             const TlEventQuery  *query,
                                             guint64              from,
                                             gboolean             back,
                                             guint64             *number,
                                             GError             **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlEventCursor, tl_event_cursor_free)
