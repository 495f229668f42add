/* What the wavefront machine keeps of time: its events in their order, stretches of PUs,
 * why it gave up. */
#include "sim/pipe-private.h"

G_DEFINE_QUARK (tl - pipe - error - quark, tl_pipe_error)

const char *
tl_pipe_span_name (TlPipeSpanKind kind)
{
  static const char *const names[TL_PIPE_N_SPANS]
      = { "look up", "send", "stalled", "wait", "sweep", "barrier", "edges" };

  return (guint) kind < TL_PIPE_N_SPANS ? names[kind] : NULL;
}

/* --- Events --- */

static gboolean
is_before (const TlPipeEvent *a, const TlPipeEvent *b)
{
  return a->time != b->time ? a->time < b->time : a->order < b->order;
}

void
tl_pipe_push_event (TlPipeMachine *machine, TlPipeEvent event)
{
  guint        at = machine->events->len;
  TlPipeEvent *heap;

  event.order = machine->order++;
  g_array_append_val (machine->events, event);
  heap = (TlPipeEvent *) (gpointer) machine->events->data;
  for (; at > 0 && is_before (&event, &heap[(at - 1) / 2]); at = (at - 1) / 2)
    heap[at] = heap[(at - 1) / 2];
  heap[at] = event;
}

void
tl_pipe_push (TlPipeMachine *machine, guint64 time, guint32 pu)
{
  tl_pipe_push_event (machine, (TlPipeEvent) { .time = time, .pu = pu, .lane = -1 });
}

gboolean
tl_pipe_pop (TlPipeMachine *machine, TlPipeEvent *event)
{
  TlPipeEvent *heap = (TlPipeEvent *) (gpointer) machine->events->data;
  guint        n = machine->events->len, at = 0;

  if (n == 0)
    return FALSE;
  *event = heap[0];
  TlPipeEvent last = heap[--n];
  for (guint child = 1; child < n; child = 2 * at + 1)
    {
      if (child + 1 < n && is_before (&heap[child + 1], &heap[child]))
        child++;
      if (!is_before (&heap[child], &last))
        break;
      heap[at] = heap[child];
      at = child;
    }
  heap[at] = last;
  g_array_set_size (machine->events, n);
  return TRUE;
}

void
tl_pipe_span (TlPipeMachine *machine, TlPipeSpanKind kind, guint32 pu, guint64 from, guint64 to, guint32 subject,
              guint64 wave)
{
  TlPipeRun     *run = machine->run;
  TlPipeTimes   *times = &run->pu[pu];
  TlPipeSpan     span = { from, to, wave, subject, (guint16) pu, (guint8) kind };
  guint64 *const sums[TL_PIPE_N_SPANS]
      = { &times->busy, &times->busy, &times->stall, &times->wait, &times->busy, &times->barrier, &times->edges };

  if (from == to)
    return;
  *sums[kind] += to - from;
  if (!machine->options->brief && run->spans->len < TL_PIPE_MAX_SPANS)
    g_array_append_val (run->spans, span);
  else
    run->all_spans = FALSE;
}

void
tl_pipe_fail (TlPipeMachine *machine, TlPipeError code, const char *format, ...)
{
  va_list          arguments;
  g_autofree char *message = NULL;

  if (machine->failed)
    return;
  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  machine->failed = TRUE;
  g_set_error_literal (machine->error, TL_PIPE_ERROR, code, message);
}
