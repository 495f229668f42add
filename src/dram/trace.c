/* Request traces as a stream of lines. A trace is bounded by one buffer and the
 * window of its packing, however long it is. */
#include "dram/trace.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <gio/gunixinputstream.h>

#include "dram/trace-private.h"

#define BUFFER_BYTES (1 << 18)
#define MAX_LINE     4096

struct _TlTrace
{
  TlTraceBytes *bytes;
  char         *name;
  TlTraceFormat format;
  guint64       line;   /* lines taken so far */
  char         *buffer; /* BUFFER_BYTES + 1 */
  gsize         at;
  gsize         end;
  gboolean      bytes_end;
  gboolean      finished;
  gboolean      failed;
};

TlTrace *
tl_trace_new (GInputStream *stream, const char *name)
{
  TlTrace *trace = g_new0 (TlTrace, 1);

  trace->bytes = tl_trace_bytes_new (stream);
  trace->name = g_strdup (name);
  trace->buffer = g_malloc (BUFFER_BYTES + 1);
  return trace;
}

TlTrace *
tl_trace_open (const char *path, TlDiags *diags)
{
  g_autoptr (GError) error = NULL;

  if (strcmp (path, "-") == 0)
    {
      g_autoptr (GInputStream) stream = g_unix_input_stream_new (STDIN_FILENO, FALSE);
      return tl_trace_new (stream, "-");
    }
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInputStream) stream = g_file_read (file, NULL, &error);
  if (stream == NULL)
    {
      tl_diags_add_at (diags, TL_SEVERITY_ERROR, "trace-file", path, 0, 0, "the trace cannot be read: %s",
                       error->message);
      return NULL;
    }
  return tl_trace_new (G_INPUT_STREAM (stream), path);
}

void
tl_trace_free (TlTrace *trace)
{
  tl_trace_bytes_free (trace->bytes);
  g_free (trace->name);
  g_free (trace->buffer);
  g_free (trace);
}

static TlDiag *
complain (TlTrace *trace, TlDiags *diags, guint column, const char *message)
{
  trace->failed = TRUE;
  trace->finished = TRUE;
  return tl_diags_add_at (diags, TL_SEVERITY_ERROR, "trace-line", trace->name, MIN (trace->line, G_MAXUINT32), column,
                          "%s", message);
}

/* Moves the unread rest to the front and reads on. FALSE after a fault. */
static gboolean
refill (TlTrace *trace, TlDiags *diags)
{
  g_autofree char *reason = NULL;

  memmove (trace->buffer, trace->buffer + trace->at, trace->end - trace->at);
  trace->end -= trace->at;
  trace->at = 0;
  gssize n
      = tl_trace_bytes_read (trace->bytes, (guint8 *) trace->buffer + trace->end, BUFFER_BYTES - trace->end, &reason);
  if (n < 0)
    {
      trace->failed = trace->finished = TRUE;
      TlDiag *diag = tl_diags_add_at (diags, TL_SEVERITY_ERROR, "trace-file", trace->name,
                                      MIN (trace->line, G_MAXUINT32), 0, "the trace breaks off");
      tl_diag_reason (diag, "%s", reason);
      return FALSE;
    }
  trace->bytes_end = n == 0;
  trace->end += n;
  return TRUE;
}

/* The next line in place, NUL-terminated, its end dropped. NULL at the end or after a
 * fault. */
static char *
next_line (TlTrace *trace, TlDiags *diags)
{
  char *start, *newline;

  for (;;)
    {
      start = trace->buffer + trace->at;
      newline = memchr (start, '\n', trace->end - trace->at);
      if (newline != NULL || trace->bytes_end)
        break;
      if (trace->end - trace->at > MAX_LINE)
        break;
      if (!refill (trace, diags))
        return NULL;
    }
  gsize length = newline != NULL ? (gsize) (newline - start) : trace->end - trace->at;
  if (newline == NULL && trace->bytes_end && length == 0)
    return NULL;
  trace->line++;
  if (length > MAX_LINE)
    {
      TlDiag *diag = complain (trace, diags, MAX_LINE + 1, "the line is longer than 4,096 bytes");
      tl_diag_reason (diag, "a request is one short line; is this a trace?");
      return NULL;
    }
  trace->at += length + (newline != NULL);
  start[length] = '\0';
  if (length > 0 && start[length - 1] == '\r')
    start[--length] = '\0';
  for (gsize i = 0; i < length; i++)
    if ((guchar) start[i] < 0x20 && (start[i] == '\0' || strchr ("\t\f\v", start[i]) == NULL))
      {
        TlDiag *diag = complain (trace, diags, i + 1, "there is a byte that no text has");
        tl_diag_reason (diag, "0x%02x; the file is binary or damaged (gzip and zstd are read as they are)",
                        (guchar) start[i]);
        return NULL;
      }
  return trace->line == 1 && g_str_has_prefix (start, "\xef\xbb\xbf") ? start + 3 : start;
}

gsize
tl_trace_read (TlTrace *trace, TlRequest *requests, gsize max, TlDiags *diags)
{
  gsize n = 0;
  char *line;

  while (n < max && !trace->finished)
    {
      TlLineFault fault = { 0 };
      gboolean    found;

      line = next_line (trace, diags);
      if (line == NULL)
        {
          trace->finished = TRUE;
          break;
        }
      if (!tl_trace_line (line, &trace->format, &requests[n], &found, &fault))
        {
          TlDiag *diag = complain (trace, diags, fault.column, fault.message);
          if (fault.reason != NULL)
            tl_diag_reason (diag, "%s", fault.reason);
          g_free (fault.message);
          g_free (fault.reason);
          break;
        }
      if (found)
        requests[n++].line = trace->line;
    }
  return n;
}

gboolean
tl_trace_failed (const TlTrace *trace)
{
  return trace->failed;
}

TlTraceFormat
tl_trace_format (const TlTrace *trace)
{
  return trace->format;
}

const char *
tl_trace_format_name (TlTraceFormat format)
{
  static const char *const names[] = { "unknown", "load/store", "DRAMsim3", "STL" };

  return format < G_N_ELEMENTS (names) ? names[format] : "?";
}

const char *
tl_trace_name (const TlTrace *trace)
{
  return trace->name;
}
