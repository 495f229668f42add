/* A value change dump: open rows and last commands of banks, activities of PUs, the
 * ring's sender. */
#include "dram/vcd.h"
#include "sim/export-private.h"

/* Signals are numbered: PU * (1 + 2 banks) + 0 activity, 1 + 2 b open row, 2 + 2 b
 * command; the last one is the ring. */
static void
append_header (GString *text, const TlPimMachine *machine)
{
  const guint width = 1 + 2 * machine->banks;

  tl_vcd_begin (text);
  g_string_append (text, "$scope module stack $end\n");
  for (guint pu = 0; pu < machine->pus; pu++)
    {
      g_string_append_printf (text, "$scope module pu%02u $end\n", pu);
      tl_vcd_variable (text, "string", 1, pu * width, "activity");
      for (guint32 b = 0; b < machine->banks; b++)
        {
          g_autofree char *row = g_strdup_printf ("bank%u_row", b);
          g_autofree char *command = g_strdup_printf ("bank%u_command", b);

          tl_vcd_variable (text, "wire", 32, pu * width + 1 + 2 * b, row);
          tl_vcd_variable (text, "string", 1, pu * width + 2 + 2 * b, command);
        }
      g_string_append (text, "$upscope $end\n");
    }
  tl_vcd_variable (text, "wire", 32, machine->pus * width, "ring_sender");
  g_string_append (text, "$upscope $end\n$enddefinitions $end\n");
}

static void
append_first_values (GString *text, const TlPimMachine *machine, gboolean known)
{
  const guint width = 1 + 2 * machine->banks;

  g_string_append (text, "$dumpvars\n");
  for (guint pu = 0; pu < machine->pus; pu++)
    {
      tl_vcd_word (text, known ? "idle" : "x", pu * width);
      for (guint32 b = 0; b < machine->banks; b++)
        {
          if (known)
            tl_vcd_none (text, pu * width + 1 + 2 * b);
          else
            tl_vcd_unknown (text, pu * width + 1 + 2 * b);
          tl_vcd_word (text, known ? "none" : "x", pu * width + 2 + 2 * b);
        }
    }
  tl_vcd_none (text, machine->pus * width);
  g_string_append (text, "$end\n");
}

static void
append_event (GString *text, const TlPimMachine *machine, const TlSimEvent *event)
{
  const guint signal = event->pu * (1 + 2 * machine->banks), ring = machine->pus * (1 + 2 * machine->banks);

  switch ((TlSimEventKind) event->kind)
    {
    case TL_SIM_EVENT_ACT:
      tl_vcd_number (text, event->row, signal + 1 + 2 * event->bank);
      tl_vcd_word (text, "ACT", signal + 2 + 2 * event->bank);
      break;
    case TL_SIM_EVENT_PRE:
      tl_vcd_none (text, signal + 1 + 2 * event->bank);
      tl_vcd_word (text, "PRE", signal + 2 + 2 * event->bank);
      break;
    case TL_SIM_EVENT_RD:
    case TL_SIM_EVENT_WR:
      tl_vcd_word (text, tl_sim_event_name (event->kind), signal + 2 + 2 * event->bank);
      break;
    case TL_SIM_EVENT_REF:
      for (guint32 b = 0; b < machine->banks; b++)
        tl_vcd_word (text, "REF", signal + 2 + 2 * b);
      break;
    case TL_SIM_EVENT_START:
      break;
    case TL_SIM_EVENT_COPY:
    case TL_SIM_EVENT_READ:
    case TL_SIM_EVENT_COMPUTE:
    case TL_SIM_EVENT_WRITE:
      tl_vcd_word (text, tl_sim_event_name (event->kind), signal);
      break;
    case TL_SIM_EVENT_DONE:
      tl_vcd_word (text, "idle", signal);
      break;
    case TL_SIM_EVENT_SEND:
      tl_vcd_number (text, event->pu, ring);
      break;
    case TL_SIM_EVENT_RING_FREE:
      tl_vcd_none (text, ring);
      break;
    case TL_SIM_EVENT_RECEIVED:
      break;
    }
}

/* State: the time last written. */
static gpointer
begin (TlExport *export, const TlSimRun *run, gboolean from_start)
{
  guint64 *now = g_new (guint64, 1);

  *now = G_MAXUINT64;
  append_header (export->text, &run->program->machine);
  append_first_values (export->text, &run->program->machine, from_start);
  return now;
}

static gboolean
part (TlExport *export, gpointer state, const TlSimTrace *trace)
{
  const TlPimMachine *machine = &tl_sim_trace_run (trace)->program->machine;
  guint64            *now = state;

  for (guint64 e = 0; e < tl_sim_trace_count (trace); e++)
    {
      TlSimEvent event;

      tl_sim_trace_event (trace, e, &event);
      if (event.time != *now)
        tl_vcd_time (export->text, event.time);
      *now = event.time;
      append_event (export->text, machine, &event);
      if (!tl_export_flush (export, 1 << 16))
        return FALSE;
    }
  return TRUE;
}

static void
end (TlExport *export, gpointer state)
{
  g_free (state);
}

const TlExportKind tl_export_kind_vcd = { begin, part, end };
