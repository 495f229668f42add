/* Commands as lines in Ramulator's column order. */
#include "sim/export-private.h"

static gpointer
begin (TlExport *export, const TlSimRun *run, gboolean from_start)
{
  g_string_append (export->text, "clock,command,Channel,BankGroup,Bank,Row,Column,type,source,ps\n");
  return NULL;
}

static gboolean
part (TlExport *export, gpointer state, const TlSimTrace *trace)
{
  const TlPimMachine *machine = &tl_sim_trace_run (trace)->program->machine;

  for (guint64 e = 0; e < tl_sim_trace_count (trace); e++)
    {
      TlSimEvent event;
      TlCommand  command;

      tl_sim_trace_event (trace, e, &event);
      if (!tl_sim_event_command (&event, machine->banks, &command))
        continue;
      g_string_append_printf (export->text, "%" G_GUINT64_FORMAT ",%s,%u,%u,", command.time / machine->clock,
                              tl_command_name (command.kind), event.pu / machine->groups, event.pu % machine->groups);
      if (command.kind == TL_COMMAND_REF)
        g_string_append (export->text, ",,,");
      else if (command.kind == TL_COMMAND_PRE)
        g_string_append_printf (export->text, "%u,%u,,", event.bank, command.row);
      else
        g_string_append_printf (export->text, "%u,%u,%u,", event.bank, command.row, command.column);
      g_string_append_printf (export->text, "%s,%u,%" G_GUINT64_FORMAT "\n",
                              command.kind == TL_COMMAND_RD   ? "read"
                              : command.kind == TL_COMMAND_WR ? "write"
                                                              : "",
                              event.pu, command.time);
      if (!tl_export_flush (export, 1 << 16))
        return FALSE;
    }
  return TRUE;
}

static void
end (TlExport *export, gpointer state)
{
}

const TlExportKind tl_export_kind_csv = { begin, part, end };
