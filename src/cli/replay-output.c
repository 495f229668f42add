/* tierc replay --commands and --trace: what the engine tells, into files as it goes. */
#include "cli/replay.h"
#include "dram/event-csv.h"
#include "dram/event-file.h"

#include <gio/gunixoutputstream.h>
#include <stdio.h>

typedef struct
{
  const char    *path;
  TlOutput      *output;
  GOutputStream *stream;
} Sink;

struct _TlCliEvents
{
  Sink           commands, trace;
  TlEventCsv    *csv;
  TlEventWriter *writer;
  const char    *failed; /* path */
  GError        *error;
};

static gboolean
open_sink (Sink *sink, const char *path)
{
  g_autoptr (GOutputStream) raw = NULL;

  if (path == NULL)
    return TRUE;
  sink->path = path;
  sink->output = tl_output_open (path);
  if (sink->output == NULL)
    return FALSE;
  raw = g_unix_output_stream_new (fileno (tl_output_file (sink->output)), FALSE);
  sink->stream = g_buffered_output_stream_new_sized (raw, 1 << 18);
  return TRUE;
}

static void
clear_sink (Sink *sink)
{
  g_clear_object (&sink->stream);
  g_clear_pointer (&sink->output, tl_output_free);
}

TlCliEvents *
tl_cli_events_new (const char *commands, const char *trace, const char *name, const TlTarget *target)
{
  g_autoptr (TlCliEvents) events = g_new0 (TlCliEvents, 1);
  const TlMemory  *memory = tl_target_memory (target);
  g_autofree char *meta = g_strdup_printf ("trace = %s\ntarget = %s\n", name, tl_target_name (target));

  if (!open_sink (&events->commands, commands) || !open_sink (&events->trace, trace))
    return NULL;
  if (commands != NULL)
    events->csv = tl_event_csv_new (events->commands.stream, memory);
  if (trace != NULL)
    events->writer = tl_event_writer_new (events->trace.stream, meta, memory->clock, TRUE, &events->error);
  if (events->error == NULL)
    return g_steal_pointer (&events);
  fprintf (stderr, "%s: error: %s\n", trace, events->error->message);
  return NULL;
}

gboolean
tl_cli_events_add (const TlEvent *some, gsize n, gpointer data)
{
  TlCliEvents *events = data;

  if (events->csv != NULL && !tl_event_csv_add (events->csv, some, n, &events->error))
    events->failed = events->commands.path;
  else if (events->writer != NULL && !tl_event_writer_add (events->writer, some, n, &events->error))
    events->failed = events->trace.path;
  return events->failed == NULL;
}

static gboolean
commit (TlCliEvents *events, Sink *sink, gboolean written)
{
  if (written && g_output_stream_flush (sink->stream, NULL, &events->error))
    return tl_output_commit (sink->output);
  events->failed = sink->path;
  return FALSE;
}

gboolean
tl_cli_events_close (TlCliEvents *events)
{
  gboolean done = events->failed == NULL;

  if (done && events->csv != NULL)
    done = commit (events, &events->commands, tl_event_csv_close (events->csv, &events->error));
  if (done && events->writer != NULL)
    done = commit (events, &events->trace, tl_event_writer_close (events->writer, &events->error));
  if (events->error != NULL)
    fprintf (stderr, "%s: error: %s\n", events->failed, events->error->message);
  return done;
}

void
tl_cli_events_free (TlCliEvents *events)
{
  if (events == NULL)
    return;
  tl_event_csv_free (events->csv);
  tl_event_writer_free (events->writer);
  clear_sink (&events->commands);
  clear_sink (&events->trace);
  g_clear_error (&events->error);
  g_free (events);
}
