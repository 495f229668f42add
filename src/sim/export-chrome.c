/* Chrome's trace format: rows as slices from ACT to PRE with their beats inside, PU
 * steps as slices, broadcasts as slices of the ring. */
#include "sim/export-private.h"

enum
{
  THREAD_COMPUTE,
  THREAD_LOAD,
  THREAD_BANK
};

/* Microseconds, exact to the picosecond. */
static void
append_time (GString *text, const char *key, guint64 ps)
{
  g_string_append_printf (text, ",\"%s\":%" G_GUINT64_FORMAT ".%06u", key, ps / 1000000, (guint) (ps % 1000000));
}

typedef struct
{
  TlExport export;
  const TlSimTrace   *trace;
  const TlPimMachine *machine;
  gboolean            any;
  guint64            *opened; /* of each bank: ACT, G_MAXUINT64 when closed */
  guint32            *row;
  guint64            *step; /* PU * 2 + thread: start of the step under way, or G_MAXUINT64 */
  TlSimEvent         *what; /* PU * 2 + thread */
} Chrome;

static void
separate (Chrome *chrome)
{
  g_string_append (chrome->export.text, chrome->any ? ",\n" : "[\n");
  chrome->any = TRUE;
}

static void
begin_slice (Chrome *chrome, const char *name, const char *category, guint pid, guint tid, guint64 from, guint64 to)
{
  separate (chrome);
  g_string_append_printf (chrome->export.text, "{\"name\":\"%s\",\"cat\":\"%s\",\"ph\":\"X\",\"pid\":%u,\"tid\":%u",
                          name, category, pid, tid);
  append_time (chrome->export.text, "ts", from);
  append_time (chrome->export.text, "dur", to - from);
}

static void
append_names (Chrome *chrome)
{
  for (guint pu = 0; pu <= chrome->machine->pus; pu++)
    {
      gboolean ring = pu == chrome->machine->pus;

      separate (chrome);
      g_string_append_printf (chrome->export.text,
                              "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%u,\"args\":{\"name\":\"", pu);
      if (ring)
        g_string_append (chrome->export.text, "ring\"}}");
      else
        g_string_append_printf (chrome->export.text, "PU %02u\"}}", pu);
      for (guint t = 0; !ring && t < THREAD_BANK + chrome->machine->banks; t++)
        {
          separate (chrome);
          g_string_append_printf (chrome->export.text,
                                  "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"args\":{\"name\":\"",
                                  pu, t);
          if (t >= THREAD_BANK)
            g_string_append_printf (chrome->export.text, "bank %u\"}}", t - THREAD_BANK);
          else
            g_string_append_printf (chrome->export.text, "%s\"}}", t == THREAD_COMPUTE ? "compute and write" : "load");
        }
    }
}

/* Ends the step that a thread of the PU is in. */
static void
end_step (Chrome *chrome, guint pu, guint thread, guint64 time)
{
  static const char *const operands[] = { "C", "left", "right", "pivot" };
  guint                    at = 2 * pu + thread;
  const TlSimEvent        *what = &chrome->what[at];
  const TlOperation       *operation;

  if (chrome->step[at] == G_MAXUINT64)
    return;
  operation = &g_array_index (tl_sim_trace_operations (chrome->trace), TlOperation, what->subject);
  begin_slice (chrome, tl_event_name (what->kind), "pu", pu, thread, chrome->step[at], time);
  g_string_append_printf (chrome->export.text, ",\"args\":{\"k\":%u,\"i\":%u,\"j\":%u", operation->k, operation->i,
                          operation->j);
  if (what->kind != TL_EVENT_COMPUTE)
    g_string_append_printf (chrome->export.text, ",\"operand\":\"%s\"", operands[what->bank & 3]);
  g_string_append (chrome->export.text, "}}");
  chrome->step[at] = G_MAXUINT64;
}

static void
append_event (Chrome *chrome, const TlSimEvent *event)
{
  const guint banks = chrome->machine->banks, bank = event->pu * banks + event->bank;
  guint       thread = event->kind == TL_EVENT_COPY || event->kind == TL_EVENT_READ ? THREAD_LOAD : THREAD_COMPUTE;

  switch ((TlEventKind) event->kind)
    {
    case TL_EVENT_ACT:
      chrome->opened[bank] = event->time;
      chrome->row[bank] = event->row;
      break;
    case TL_EVENT_RD:
    case TL_EVENT_WR:
      begin_slice (chrome, tl_event_name (event->kind), "column", event->pu, THREAD_BANK + event->bank, event->time,
                   event->time + chrome->machine->burst);
      g_string_append_printf (chrome->export.text, ",\"args\":{\"column\":%u}}", event->column);
      break;
    case TL_EVENT_PRE:
      if (chrome->opened[bank] == G_MAXUINT64)
        break;
      begin_slice (chrome, "row", "row", event->pu, THREAD_BANK + event->bank, chrome->opened[bank], event->time);
      g_string_append_printf (chrome->export.text, ",\"args\":{\"tier\":%u,\"row\":%u}}",
                              (guint) (chrome->row[bank] / chrome->machine->rows),
                              (guint) (chrome->row[bank] % chrome->machine->rows));
      chrome->opened[bank] = G_MAXUINT64;
      break;
    case TL_EVENT_REF:
      begin_slice (chrome, "REF", "refresh", event->pu, THREAD_BANK, event->time, event->time + chrome->machine->tRFC);
      g_string_append_c (chrome->export.text, '}');
      break;
    case TL_EVENT_COPY:
    case TL_EVENT_READ:
    case TL_EVENT_WRITE:
    case TL_EVENT_COMPUTE:
      end_step (chrome, event->pu, thread, event->time);
      /* Loads end when the operation computes, unless they are the next one's. */
      if (event->kind == TL_EVENT_COMPUTE && chrome->step[2 * event->pu + THREAD_LOAD] != G_MAXUINT64
          && chrome->what[2 * event->pu + THREAD_LOAD].subject == event->subject)
        {
          const TlOperation *operation
              = &g_array_index (tl_sim_trace_operations (chrome->trace), TlOperation, event->subject);

          end_step (chrome, event->pu, THREAD_LOAD, operation->loaded > 0 ? operation->loaded : event->time);
        }
      chrome->step[2 * event->pu + thread] = event->time;
      chrome->what[2 * event->pu + thread] = *event;
      break;
    case TL_EVENT_DONE:
      end_step (chrome, event->pu, THREAD_COMPUTE, event->time);
      break;
    case TL_EVENT_SEND:
      {
        const TlBroadcast *tile = &g_array_index (tl_sim_trace_broadcasts (chrome->trace), TlBroadcast, event->subject);

        begin_slice (chrome, "broadcast", "ring", chrome->machine->pus, 0, tile->start, tile->end);
        g_string_append_printf (chrome->export.text, ",\"args\":{\"k\":%u,\"i\":%u,\"j\":%u,\"pu\":%u}}", tile->k,
                                tile->i, tile->j, tile->pu);
        break;
      }
    case TL_EVENT_START:
    case TL_EVENT_RING_FREE:
    case TL_EVENT_RECEIVED:
      break;
    }
}

gboolean
tl_export_chrome (const TlSimTrace *trace, GOutputStream *stream, GCancellable *cancellable, GError **error)
{
  const TlPimMachine *machine = &tl_sim_trace_run (trace)->program->machine;
  gsize               banks = (gsize) machine->pus * machine->banks, count = tl_sim_trace_count (trace);
  Chrome              chrome = { .trace = trace, .machine = machine };
  gboolean            done;

  tl_export_init (&chrome.export, stream, cancellable, error);
  chrome.opened = g_new (guint64, banks);
  chrome.row = g_new0 (guint32, banks);
  chrome.step = g_new (guint64, 2 * (gsize) machine->pus);
  chrome.what = g_new0 (TlSimEvent, 2 * (gsize) machine->pus);
  for (gsize b = 0; b < banks; b++)
    chrome.opened[b] = G_MAXUINT64;
  for (gsize s = 0; s < 2 * (gsize) machine->pus; s++)
    chrome.step[s] = G_MAXUINT64;
  append_names (&chrome);
  for (guint64 e = 0; e < count; e++)
    {
      TlSimEvent event;

      tl_sim_trace_event (trace, e, &event);
      append_event (&chrome, &event);
      if (!tl_export_flush (&chrome.export, 1 << 16))
        break;
    }
  g_string_append (chrome.export.text, "\n]\n");
  done = tl_export_finish (&chrome.export);
  g_free (chrome.opened);
  g_free (chrome.row);
  g_free (chrome.step);
  g_free (chrome.what);
  return done;
}
