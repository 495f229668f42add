/* A value change dump: open rows and last commands of banks, activities of PUs, the
 * ring's sender. */
#include "sim/export-private.h"

/* Signals are numbered: PU * (1 + 2 banks) + 0 activity, 1 + 2 b open row, 2 + 2 b
 * command; the last one is the ring. Identifiers are their numbers in printable
 * characters. */
static void
append_identifier (GString *text, guint signal)
{
  do
    {
      g_string_append_c (text, (gchar) ('!' + signal % 94));
      signal /= 94;
    }
  while (signal > 0);
}

static void
append_number (GString *text, guint32 value, guint signal)
{
  gboolean any = FALSE;

  g_string_append_c (text, 'b');
  for (gint bit = 31; bit >= 0; bit--)
    if ((any |= (value >> bit) & 1) || bit == 0)
      g_string_append_c (text, (value >> bit) & 1 ? '1' : '0');
  g_string_append_c (text, ' ');
  append_identifier (text, signal);
  g_string_append_c (text, '\n');
}

static void
append_word (GString *text, const char *word, guint signal)
{
  g_string_append_c (text, 's');
  for (; *word != '\0'; word++)
    g_string_append_c (text, *word == ' ' ? '_' : *word);
  g_string_append_c (text, ' ');
  append_identifier (text, signal);
  g_string_append_c (text, '\n');
}

static void
append_variable (GString *text, const char *kind, guint width, guint signal, const char *name)
{
  g_string_append_printf (text, "$var %s %u ", kind, width);
  append_identifier (text, signal);
  g_string_append_printf (text, " %s $end\n", name);
}

static void
append_header (GString *text, const TlPimMachine *machine)
{
  const guint width = 1 + 2 * machine->banks;

  g_string_append (text, "$version Tierloom $end\n$timescale 1 ps $end\n$scope module stack $end\n");
  for (guint pu = 0; pu < machine->pus; pu++)
    {
      g_string_append_printf (text, "$scope module pu%02u $end\n", pu);
      append_variable (text, "string", 1, pu * width, "activity");
      for (guint32 b = 0; b < machine->banks; b++)
        {
          g_autofree char *row = g_strdup_printf ("bank%u_row", b);
          g_autofree char *command = g_strdup_printf ("bank%u_command", b);

          append_variable (text, "wire", 32, pu * width + 1 + 2 * b, row);
          append_variable (text, "string", 1, pu * width + 2 + 2 * b, command);
        }
      g_string_append (text, "$upscope $end\n");
    }
  append_variable (text, "wire", 32, machine->pus * width, "ring_sender");
  g_string_append (text, "$upscope $end\n$enddefinitions $end\n");
}

static void
append_closed (GString *text, guint signal)
{
  g_string_append (text, "bz ");
  append_identifier (text, signal);
  g_string_append_c (text, '\n');
}

static void
append_first_values (GString *text, const TlPimMachine *machine, gboolean known)
{
  const guint width = 1 + 2 * machine->banks;

  g_string_append (text, "$dumpvars\n");
  for (guint pu = 0; pu < machine->pus; pu++)
    {
      append_word (text, known ? "idle" : "x", pu * width);
      for (guint32 b = 0; b < machine->banks; b++)
        {
          if (known)
            append_closed (text, pu * width + 1 + 2 * b);
          else
            {
              g_string_append (text, "bx ");
              append_identifier (text, pu * width + 1 + 2 * b);
              g_string_append_c (text, '\n');
            }
          append_word (text, known ? "none" : "x", pu * width + 2 + 2 * b);
        }
    }
  append_closed (text, machine->pus * width);
  g_string_append (text, "$end\n");
}

static void
append_event (GString *text, const TlPimMachine *machine, const TlSimEvent *event)
{
  const guint signal = event->pu * (1 + 2 * machine->banks), ring = machine->pus * (1 + 2 * machine->banks);

  switch ((TlSimEventKind) event->kind)
    {
    case TL_SIM_EVENT_ACT:
      append_number (text, event->row, signal + 1 + 2 * event->bank);
      append_word (text, "ACT", signal + 2 + 2 * event->bank);
      break;
    case TL_SIM_EVENT_PRE:
      append_closed (text, signal + 1 + 2 * event->bank);
      append_word (text, "PRE", signal + 2 + 2 * event->bank);
      break;
    case TL_SIM_EVENT_RD:
    case TL_SIM_EVENT_WR:
      append_word (text, tl_sim_event_name (event->kind), signal + 2 + 2 * event->bank);
      break;
    case TL_SIM_EVENT_REF:
      for (guint32 b = 0; b < machine->banks; b++)
        append_word (text, "REF", signal + 2 + 2 * b);
      break;
    case TL_SIM_EVENT_START:
      break;
    case TL_SIM_EVENT_COPY:
    case TL_SIM_EVENT_READ:
    case TL_SIM_EVENT_COMPUTE:
    case TL_SIM_EVENT_WRITE:
      append_word (text, tl_sim_event_name (event->kind), signal);
      break;
    case TL_SIM_EVENT_DONE:
      append_word (text, "idle", signal);
      break;
    case TL_SIM_EVENT_SEND:
      append_number (text, event->pu, ring);
      break;
    case TL_SIM_EVENT_RING_FREE:
      append_closed (text, ring);
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
        g_string_append_printf (export->text, "#%" G_GUINT64_FORMAT "\n", event.time);
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
