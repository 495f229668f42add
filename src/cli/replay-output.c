/* tierc replay --commands and --trace: what the engine tells, into files as it goes. */
#include "cli/replay.h"
#include "dram/event-file.h"
#include "dram/event-text.h"

#include <gio/gunixoutputstream.h>
#include <stdio.h>

/* A file, as text or as our own columns. */
typedef struct
{
  const char    *path;
  TlOutput      *output;
  GOutputStream *stream;
  TlEventText   *text;
  TlEventWriter *writer;
} Sink;

struct _TlCliEvents
{
  Sink        sinks[2]; /* --commands, --trace; without a path where not asked for */
  const char *failed;   /* path */
  GError     *error;
};

char *
tl_cli_organisation (const TlMemory *memory)
{
  return g_strdup_printf ("%u domains of %" G_GUINT64_FORMAT " rows of %u units of %u bytes",
                          tl_memory_domains (memory), (guint64) memory->rows, (guint) memory->columns,
                          memory->unit_bytes);
}

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
  g_clear_pointer (&sink->text, tl_event_text_free);
  g_clear_pointer (&sink->writer, tl_event_writer_free);
  g_clear_object (&sink->stream);
  g_clear_pointer (&sink->output, tl_output_free);
}

TlCliEvents *
tl_cli_events_new (const char *commands, const char *trace, const char *name, const char *target,
                   const TlMemory *memory)
{
  g_autoptr (TlCliEvents) events = g_new0 (TlCliEvents, 1);
  g_autofree char *organisation = tl_cli_organisation (memory);
  g_autofree char *meta = g_strdup_printf ("trace = %s\ntarget = %s\norganisation = %s\n", name, target, organisation);
  TlEventTextKind  kind = TL_EVENT_TEXT_CSV;

  if (!open_sink (&events->sinks[0], commands) || !open_sink (&events->sinks[1], trace))
    return NULL;
  if (commands != NULL)
    {
      tl_event_text_kind (commands, &kind);
      events->sinks[0].text = tl_event_text_new (kind, events->sinks[0].stream, memory);
    }
  if (trace != NULL && tl_event_text_kind (trace, &kind))
    events->sinks[1].text = tl_event_text_new (kind, events->sinks[1].stream, memory);
  else if (trace != NULL)
    events->sinks[1].writer = tl_event_writer_new (events->sinks[1].stream, meta, memory->clock, TRUE, &events->error);
  if (events->error == NULL)
    return g_steal_pointer (&events);
  fprintf (stderr, "%s: error: %s\n", trace, events->error->message);
  return NULL;
}

gboolean
tl_cli_events_add (const TlEvent *some, gsize n, gpointer data)
{
  TlCliEvents *events = data;

  for (guint i = 0; i < G_N_ELEMENTS (events->sinks) && events->failed == NULL; i++)
    {
      Sink *sink = &events->sinks[i];
      if ((sink->text != NULL && !tl_event_text_add (sink->text, some, n, &events->error))
          || (sink->writer != NULL && !tl_event_writer_add (sink->writer, some, n, &events->error)))
        events->failed = sink->path;
    }
  return events->failed == NULL;
}

static gboolean
close_sink (Sink *sink, GError **error)
{
  return sink->text != NULL ? tl_event_text_close (sink->text, error) : tl_event_writer_close (sink->writer, error);
}

gboolean
tl_cli_events_close (TlCliEvents *events)
{
  gboolean done = events->failed == NULL;

  for (guint i = 0; i < G_N_ELEMENTS (events->sinks) && done; i++)
    {
      Sink *sink = &events->sinks[i];
      if (sink->path == NULL)
        continue;
      if (close_sink (sink, &events->error) && g_output_stream_flush (sink->stream, NULL, &events->error))
        done = tl_output_commit (sink->output);
      else
        {
          events->failed = sink->path;
          done = FALSE;
        }
    }
  if (events->error != NULL)
    fprintf (stderr, "%s: error: %s\n", events->failed, events->error->message);
  return done;
}

void
tl_cli_events_free (TlCliEvents *events)
{
  if (events == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (events->sinks); i++)
    clear_sink (&events->sinks[i]);
  g_clear_error (&events->error);
  g_free (events);
}
