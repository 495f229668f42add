/* Request traces as other simulators write them, told apart by content:
 *   LD 0x2000 / ST 0x2000            (Ramulator's load/store; also R and W)
 *   0x2000 READ 17                   (DRAMsim3: address, kind, cycle)
 *   17: (64) read 0x2000 [data]      (DRAMSys' STL: cycle, length, kind, address)
 * plain, gzip or zstd, also told apart by content. Read as a stream in bounded
 * memory. Kinds in any case; blanks, tabs, CR LF, a BOM, blank lines and # comments
 * are allowed, and the cycle of a DRAMsim3 line may be missing; a hex number needs its
 * 0x. The first request decides the format of all. */
#pragma once

#include <gio/gio.h>

#include "base/diag.h"

typedef enum
{
  TL_TRACE_UNKNOWN, /* no request seen yet */
  TL_TRACE_LOAD_STORE,
  TL_TRACE_DRAMSIM3,
  TL_TRACE_STL,
} TlTraceFormat;

typedef struct
{
  guint64  address; /* bytes */
  guint64  line;    /* where it stands in the trace */
  guint64  cycle;   /* when it is issued; 0 where the format has none */
  guint32  bytes;   /* 0: one unit */
  gboolean write;
} TlRequest;

typedef struct _TlTrace TlTrace;

/* Takes a reference on @stream; @name is what diagnostics name. About 0.5 MiB, and what
 * zstd's window takes (at most 128 MiB). Returns: (transfer full) */
TlTrace      *tl_trace_new       (GInputStream *stream,
                                  const char   *name);
/* Opens a file, "-" standard input. NULL with a diagnostic. (transfer full) */
TlTrace      *tl_trace_open      (const char   *path,
                                  TlDiags      *diags);
void          tl_trace_free      (TlTrace      *trace);
/* Fills up to @max requests, fewer only at the end or a fault. 0 at the end; a fault
 * (once, to @diags, with line and column) ends the trace: see tl_trace_failed. */
gsize         tl_trace_read      (TlTrace      *trace,
                                  TlRequest    *requests,
                                  gsize         max,
                                  TlDiags      *diags);
gboolean      tl_trace_failed    (const TlTrace *trace);
TlTraceFormat tl_trace_format    (const TlTrace *trace);
/* "load/store", "DRAMsim3", "STL", "unknown". */
const char   *tl_trace_format_name (TlTraceFormat format);
const char   *tl_trace_name      (const TlTrace *trace);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlTrace, tl_trace_free)
