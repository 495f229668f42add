/* Shared by the files that read traces. */
#pragma once

#include "dram/trace.h"

/* --- trace-bytes.c: the plain bytes of a stream that may be compressed --- */

typedef struct _TlTraceBytes TlTraceBytes;

TlTraceBytes *tl_trace_bytes_new  (GInputStream *stream);
void          tl_trace_bytes_free (TlTraceBytes *bytes);
/* Fills @buffer with up to @size bytes, 0 at the end; -1 on a fault, *reason then says
 * which (transfer full). */
gssize        tl_trace_bytes_read (TlTraceBytes *bytes,
                                   guint8       *buffer,
                                   gsize         size,
                                   char        **reason);

/* --- trace-line.c: one line of any format --- */

typedef struct
{
  guint column;  /* from 1, in bytes */
  char *message; /* transfer full */
  char *reason;  /* or NULL; transfer full */
} TlLineFault;

/* Parses @line (NUL-terminated, no line end). TRUE with *found FALSE for blank lines
 * and comments. *format is decided by the first request. FALSE with *fault. */
gboolean tl_trace_line (const char    *line,
                        TlTraceFormat *format,
                        TlRequest     *request,
                        gboolean      *found,
                        TlLineFault   *fault);
