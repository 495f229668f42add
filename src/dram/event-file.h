/* A file of the engine's events (dram/event.h): chunks of columns, each compressed and
 * checked by itself, with a summary, and an index at the end. EVENT-FILE.md says what the
 * bytes are. A file that was cut or damaged is read up to the last whole chunk. */
#pragma once

#include "dram/event.h"

#include <gio/gio.h>

#define TL_EVENT_CHUNK 65536 /* events; the last chunk may have fewer */

/* What a chunk holds, without reading it. */
typedef struct
{
  guint64 first_event; /* number of its first event in the file */
  guint32 n;           /* events, 1 .. TL_EVENT_CHUNK */
  guint64 from;        /* ps, of its first event */
  guint64 to;          /* ps, of its last one */
  guint64 least;       /* lowest and highest request, TL_NO_REQUEST and 0 when there is none */
  guint64 most;
  guint32 low_domain;
  guint32 high_domain;
  guint32 low_row; /* no row is lower or higher, REF aside; 2^32-1 and 0 when there is none */
  guint32 high_row;
  guint32 kinds[TL_N_EVENTS];
  guint32 classes[TL_N_ROW_CLASSES];
  guint64 domains[4]; /* bit d modulo 256 of the domains that have an event */
} TlEventSummary;

/* A row that is open. */
typedef struct
{
  guint32 domain;
  guint32 row;
  guint64 opener; /* the request it was opened for, or TL_NO_REQUEST */
} TlOpenRow;

typedef enum
{
  TL_EVENT_FILE_ERROR_FORMAT,  /* no event file, or of another version */
  TL_EVENT_FILE_ERROR_DAMAGED, /* a chunk's bytes are not what was written */
  TL_EVENT_FILE_ERROR_EVENT,   /* an event that no engine makes cannot be written */
} TlEventFileError;
#define TL_EVENT_FILE_ERROR (tl_event_file_error_quark ())
GQuark tl_event_file_error_quark (void);

typedef struct _TlEventWriter TlEventWriter;

/* Writes to @stream (referenced, not closed). @meta is any text about the run, at most
 * 64 KiB. @clock in ps (0: unknown): times that are multiples of it take less. @threaded:
 * all but a copy of the events is done on a second thread, which may be 30,000 events behind.
 * The bytes are the same either way. Returns: (transfer full) */
TlEventWriter *tl_event_writer_new   (GOutputStream  *stream,
                                      const char     *meta,
                                      guint64         clock,
                                      gboolean        threaded,
                                      GError        **error);
/* Events in order of time. FALSE with an error, of an earlier chunk perhaps; nothing more is
 * written then. */
gboolean       tl_event_writer_add   (TlEventWriter  *writer,
                                      const TlEvent  *events,
                                      gsize           n,
                                      GError        **error);
/* Writes what is left and the index. */
gboolean       tl_event_writer_close (TlEventWriter  *writer,
                                      GError        **error);
/* Without close the file has no index and lacks its last events. */
void           tl_event_writer_free  (TlEventWriter  *writer);

typedef struct _TlEventFile TlEventFile;

/* Opens; G_FILE_ERROR or TL_EVENT_FILE_ERROR_FORMAT. Of bytes: referenced.
 * Returns: (transfer full) */
TlEventFile   *tl_event_file_open    (const char     *path,
                                      GError        **error);
TlEventFile   *tl_event_file_new     (GBytes         *bytes,
                                      GError        **error);
void           tl_event_file_free    (TlEventFile    *file);
/* What the writer was told. (transfer none) */
const char    *tl_event_file_meta    (const TlEventFile *file);
guint64        tl_event_file_clock   (const TlEventFile *file);
guint64        tl_event_file_count   (const TlEventFile *file);
guint          tl_event_file_chunks  (const TlEventFile *file);
const TlEventSummary *tl_event_file_summary (const TlEventFile *file,
                                             guint              chunk);
/* NULL when the index is there; else in words where the file stops being whole. Its chunks
 * are those before. (transfer none) */
const char    *tl_event_file_problem (const TlEventFile *file);
/* The chunk's events into @events, room for its n. Any thread.
 * TL_EVENT_FILE_ERROR_DAMAGED when its bytes are not right. */
gboolean       tl_event_file_read    (const TlEventFile *file,
                                      guint              chunk,
                                      TlEvent           *events,
                                      GError           **error);
/* First chunk that has an event at or after @time; the number of chunks when there is none. */
guint          tl_event_file_find    (const TlEventFile *file,
                                      guint64            time);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlEventWriter, tl_event_writer_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlEventFile, tl_event_file_free)
