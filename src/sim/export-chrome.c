/* Chrome's trace format: rows as slices from ACT to PRE with their beats inside, PU
 * steps as slices, broadcasts as slices of the ring. */
#include "dram/chrome.h"
#include "sim/export-private.h"

enum
{
  THREAD_COMPUTE,
  THREAD_LOAD,
  THREAD_BANK
};

/* A step of a PU, as long as it takes. */
typedef struct
{
  guint64 since; /* G_MAXUINT64: none */
  guint32 k, i, j;
  guint8  kind;
  guint8  operand;
} Step;

typedef struct
{
  TlExport *export;          /* borrowed */
  const TlSimTrace   *trace; /* the part under way */
  const TlPimMachine *machine;
  gboolean            any;
  guint64            *opened; /* of each bank: ACT, G_MAXUINT64 when closed */
  guint32            *row;
  Step               *step; /* PU * 2 + thread */
} Chrome;

static void
begin_slice (Chrome *chrome, const char *name, const char *category, guint pid, guint tid, guint64 from, guint64 to)
{
  tl_chrome_slice (chrome->export->text, &chrome->any, name, category, pid, tid, from, to);
}

static void
append_names (Chrome *chrome)
{
  GString *text = chrome->export->text;

  for (guint pu = 0; pu <= chrome->machine->pus; pu++)
    {
      gboolean         ring = pu == chrome->machine->pus;
      g_autofree char *process = ring ? g_strdup ("ring") : g_strdup_printf ("PU %02u", pu);

      tl_chrome_name (text, &chrome->any, FALSE, pu, 0, process);
      for (guint t = 0; !ring && t < THREAD_BANK + chrome->machine->banks; t++)
        {
          g_autofree char *bank = g_strdup_printf ("bank %u", t - THREAD_BANK);

          tl_chrome_name (text, &chrome->any, TRUE, pu, t,
                          t >= THREAD_BANK      ? bank
                          : t == THREAD_COMPUTE ? "compute and write"
                                                : "load");
        }
    }
}

/* Ends the step that a thread of the PU is in. */
static void
end_step (Chrome *chrome, guint pu, guint thread, guint64 time)
{
  static const char *const operands[] = { "C", "left", "right", "pivot" };
  Step                    *step = &chrome->step[2 * pu + thread];

  if (step->since == G_MAXUINT64)
    return;
  begin_slice (chrome, tl_sim_event_name (step->kind), "pu", pu, thread, step->since, time);
  g_string_append_printf (chrome->export->text, ",\"args\":{\"k\":%u,\"i\":%u,\"j\":%u", step->k, step->i, step->j);
  if (step->kind != TL_SIM_EVENT_COMPUTE)
    g_string_append_printf (chrome->export->text, ",\"operand\":\"%s\"", operands[step->operand & 3]);
  g_string_append (chrome->export->text, "}}");
  step->since = G_MAXUINT64;
}

static void
begin_step (Chrome *chrome, guint thread, const TlSimEvent *event, const TlOperation *operation)
{
  chrome->step[2 * event->pu + thread] = (Step) {
    .since = event->time,
    .k = operation->k,
    .i = operation->i,
    .j = operation->j,
    .kind = event->kind,
    .operand = event->bank,
  };
}

static void
append_event (Chrome *chrome, const TlSimEvent *event)
{
  const guint banks = chrome->machine->banks, bank = event->pu * banks + event->bank;
  guint thread = event->kind == TL_SIM_EVENT_COPY || event->kind == TL_SIM_EVENT_READ ? THREAD_LOAD : THREAD_COMPUTE;

  switch ((TlSimEventKind) event->kind)
    {
    case TL_SIM_EVENT_ACT:
      chrome->opened[bank] = event->time;
      chrome->row[bank] = event->row;
      break;
    case TL_SIM_EVENT_RD:
    case TL_SIM_EVENT_WR:
      begin_slice (chrome, tl_sim_event_name (event->kind), "column", event->pu, THREAD_BANK + event->bank, event->time,
                   event->time + chrome->machine->burst);
      g_string_append_printf (chrome->export->text, ",\"args\":{\"column\":%u}}", event->column);
      break;
    case TL_SIM_EVENT_PRE:
      if (chrome->opened[bank] == G_MAXUINT64)
        break;
      begin_slice (chrome, "row", "row", event->pu, THREAD_BANK + event->bank, chrome->opened[bank], event->time);
      g_string_append_printf (chrome->export->text, ",\"args\":{\"tier\":%u,\"row\":%u}}",
                              (guint) (chrome->row[bank] / chrome->machine->rows),
                              (guint) (chrome->row[bank] % chrome->machine->rows));
      chrome->opened[bank] = G_MAXUINT64;
      break;
    case TL_SIM_EVENT_REF:
      begin_slice (chrome, "REF", "refresh", event->pu, THREAD_BANK, event->time, event->time + chrome->machine->tRFC);
      g_string_append_c (chrome->export->text, '}');
      break;
    case TL_SIM_EVENT_COPY:
    case TL_SIM_EVENT_READ:
    case TL_SIM_EVENT_WRITE:
    case TL_SIM_EVENT_COMPUTE:
      {
        const TlOperation *operation
            = &g_array_index (tl_sim_trace_operations (chrome->trace), TlOperation, event->subject);
        Step *load = &chrome->step[2 * event->pu + THREAD_LOAD];

        end_step (chrome, event->pu, thread, event->time);
        /* Loads end when the operation computes, unless they are the next one's. */
        if (event->kind == TL_SIM_EVENT_COMPUTE && load->since != G_MAXUINT64 && load->k == operation->k
            && load->i == operation->i && load->j == operation->j)
          end_step (chrome, event->pu, THREAD_LOAD, operation->loaded > 0 ? operation->loaded : event->time);
        begin_step (chrome, thread, event, operation);
        break;
      }
    case TL_SIM_EVENT_DONE:
      end_step (chrome, event->pu, THREAD_COMPUTE, event->time);
      break;
    case TL_SIM_EVENT_SEND:
      {
        const TlBroadcast *tile = &g_array_index (tl_sim_trace_broadcasts (chrome->trace), TlBroadcast, event->subject);

        begin_slice (chrome, "broadcast", "ring", chrome->machine->pus, 0, tile->start, tile->end);
        g_string_append_printf (chrome->export->text, ",\"args\":{\"k\":%u,\"i\":%u,\"j\":%u,\"pu\":%u}}", tile->k,
                                tile->i, tile->j, tile->pu);
        break;
      }
    case TL_SIM_EVENT_START:
    case TL_SIM_EVENT_RING_FREE:
    case TL_SIM_EVENT_RECEIVED:
      break;
    }
}

static gpointer
begin (TlExport *export, const TlSimRun *run, gboolean from_start)
{
  const TlPimMachine *machine = &run->program->machine;
  const gsize         banks = (gsize) machine->pus * machine->banks;
  Chrome             *chrome = g_new0 (Chrome, 1);

  chrome->export = export;
  chrome->machine = machine;
  chrome->opened = g_new (guint64, banks);
  chrome->row = g_new0 (guint32, banks);
  chrome->step = g_new0 (Step, 2 * (gsize) machine->pus);
  for (gsize b = 0; b < banks; b++)
    chrome->opened[b] = G_MAXUINT64;
  for (gsize s = 0; s < 2 * (gsize) machine->pus; s++)
    chrome->step[s].since = G_MAXUINT64;
  append_names (chrome);
  return chrome;
}

static gboolean
part (TlExport *export, gpointer state, const TlSimTrace *trace)
{
  Chrome *chrome = state;

  chrome->trace = trace;
  for (guint64 e = 0; e < tl_sim_trace_count (trace); e++)
    {
      TlSimEvent event;

      tl_sim_trace_event (trace, e, &event);
      append_event (chrome, &event);
      if (!tl_export_flush (export, 1 << 16))
        return FALSE;
    }
  return TRUE;
}

static void
end (TlExport *export, gpointer state)
{
  Chrome *chrome = state;

  tl_chrome_end (export->text, chrome->any);
  g_free (chrome->opened);
  g_free (chrome->row);
  g_free (chrome->step);
  g_free (chrome);
}

const TlExportKind tl_export_kind_chrome = { begin, part, end };
