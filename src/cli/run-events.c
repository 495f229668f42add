/* tierc run --commands and --trace: the events of a run in files. */
#include "base/number.h"
#include "cli/run.h"
#include "sim/export.h"

#include <gio/gunixoutputstream.h>
#include <string.h>

/* Commands of a run that is written: some 3 GB. Parts of a run's events are in memory at a time. */
#define MAX_COMMANDS (G_GUINT64_CONSTANT (1) << 26)
#define PART         (1u << 20)

static const char *
operand_name (guint operand)
{
  static const char *const names[] = { "C", "left", "right", "pivot" };
  return operand < G_N_ELEMENTS (names) ? names[operand] : "";
}

/* One event a line; cells that do not apply are empty. */
static gboolean
write_part (const TlSimTrace *trace, gpointer file, GError **error)
{
  const TlPimMachine *machine = &tl_sim_trace_run (trace)->program->machine;
  const GArray       *operations = tl_sim_trace_operations (trace);
  const GArray       *broadcasts = tl_sim_trace_broadcasts (trace);
  guint64             n = tl_sim_trace_count (trace);

  for (guint64 x = 0; x < n; x++)
    {
      TlSimEvent event;

      tl_sim_trace_event (trace, x, &event);
      gboolean command = event.kind <= TL_SIM_EVENT_REF;
      gboolean ring = event.kind >= TL_SIM_EVENT_SEND;
      fprintf (file, "%" G_GUINT64_FORMAT ",%s,%u,", event.time, tl_sim_event_name ((TlSimEventKind) event.kind),
               event.pu);
      if (command)
        fprintf (file, "%u,%u,%u,%u,", event.bank, (guint) (event.row / machine->rows),
                 (guint) (event.row % machine->rows), event.column);
      else
        fputs (",,,,", file);
      if (event.kind == TL_SIM_EVENT_COPY || event.kind == TL_SIM_EVENT_READ)
        fputs (operand_name (event.bank), file);
      if (ring)
        {
          const TlBroadcast *tile = &g_array_index (broadcasts, TlBroadcast, event.subject);
          fprintf (file, ",%u,%u,%u\n", tile->k, tile->i, tile->j);
        }
      else if (event.kind != TL_SIM_EVENT_REF && event.subject < operations->len)
        {
          const TlOperation *tile = &g_array_index (operations, TlOperation, event.subject);
          fprintf (file, ",%u,%u,%u\n", tile->k, tile->i, tile->j);
        }
      else
        fputs (",,,\n", file);
    }
  return TRUE;
}

static gboolean
write_events (TlSimRun *run, FILE *file, GCancellable *cancellable, GError **error)
{
  fputs ("time_ps,event,pu,bank,tier,row,column,operand,k,i,j\n", file);
  return tl_sim_trace_walk (run, 0, G_MAXUINT64, PART, write_part, file, cancellable, error);
}

static gboolean
write_commands (TlSimRun *run, TlCommandsFormat format, FILE *file, GCancellable *cancellable, GError **error)
{
  const TlExportFormat formats[] = {
    [TL_COMMANDS_CSV] = TL_EXPORT_CSV, [TL_COMMANDS_VCD] = TL_EXPORT_VCD, [TL_COMMANDS_CHROME] = TL_EXPORT_CHROME
  };

  fflush (file);
  g_autoptr (GOutputStream) raw = g_unix_output_stream_new (fileno (file), FALSE);
  g_autoptr (GOutputStream) stream = g_buffered_output_stream_new_sized (raw, 1 << 18);
  return tl_export_run (run, formats[format], stream, cancellable, error)
         && g_output_stream_flush (stream, NULL, error);
}

int
tl_cli_run_events (const TlRun *run, TlCommandsFormat format, const char *path, GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TlOutput) output = NULL;

  if (run->sim == NULL)
    {
      fprintf (stderr, "%s: error: this flow is a closed form; it has no commands\n", path);
      return TL_EXIT_WRONG;
    }
  const TlSimCounts *total = &run->sim->total;
  guint64            commands = total->act + total->rd + total->wr + total->pre + total->ref;
  if (commands > MAX_COMMANDS)
    {
      g_autofree char *here = tl_format_count (commands), *most = tl_format_count (MAX_COMMANDS);
      fprintf (stderr,
               "%s: error: the run has more commands than are written to one file\n"
               "  because: it has %s, the limit is %s\n  fix: run a smaller program, for instance road(1024, 7)\n",
               path, here, most);
      return TL_EXIT_WRONG;
    }
  if ((output = tl_output_open (path)) == NULL)
    return TL_EXIT_WRONG;
  if (format == TL_COMMANDS_EVENTS ? write_events (run->sim, tl_output_file (output), cancellable, &error)
                                   : write_commands (run->sim, format, tl_output_file (output), cancellable, &error))
    return tl_output_commit (output) ? TL_EXIT_FINE : TL_EXIT_WRONG;
  if (g_cancellable_is_cancelled (cancellable))
    return TL_EXIT_INTERRUPTED;
  fprintf (stderr, "%s: error: %s\n", path, error != NULL ? error->message : "cannot be written");
  return TL_EXIT_WRONG;
}
