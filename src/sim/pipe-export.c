/* A run of wavefronts as tables: every stretch of every PU and the queue's level, or the
 * commands of its look-ups. */
#include "sim/pipe-export-private.h"

void
tl_pipe_subject (const TlPipeRun *run, const TlPipeSpan *span, gint64 *read, gint64 *candidate)
{
  *read = *candidate = -1;
  if (span->kind == TL_PIPE_SPAN_LOOKUP)
    *read = span->subject;
  else if (span->subject < run->jobs->len)
    {
      const TlPipeJob *job = &g_array_index (run->jobs, TlPipeJob, span->subject);

      *read = job->read;
      *candidate = job->candidate;
    }
}

static void
append_number (GString *text, gint64 number)
{
  if (number >= 0)
    g_string_append_printf (text, "%" G_GINT64_FORMAT, number);
  g_string_append_c (text, ',');
}

gboolean
tl_pipe_export_spans (const TlPipeRun *run, GOutputStream *stream, GCancellable *cancellable, GError **error)
{
  TlExport export;

  tl_export_init (&export, stream, cancellable, error);
  g_string_append (export.text, "from_ps,to_ps,pu,what,read,candidate,wave,level\n");
  for (guint s = 0; s < run->spans->len && tl_export_flush (&export, 1 << 16); s++)
    {
      const TlPipeSpan *span = &g_array_index (run->spans, TlPipeSpan, s);
      gboolean          waves = span->kind == TL_PIPE_SPAN_SWEEP || span->kind == TL_PIPE_SPAN_BARRIER;
      gint64            read, candidate;

      tl_pipe_subject (run, span, &read, &candidate);
      g_string_append_printf (export.text, "%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT ",%u,%s,", span->from, span->to,
                              span->pu, tl_pipe_span_name ((TlPipeSpanKind) span->kind));
      append_number (export.text, read);
      append_number (export.text, candidate);
      append_number (export.text, waves ? (gint64) span->wave : -1);
      g_string_append_c (export.text, '\n');
    }
  for (guint l = 0; l < run->levels->len && tl_export_flush (&export, 1 << 16); l++)
    {
      const TlPipeLevel *level = &g_array_index (run->levels, TlPipeLevel, l);
      guint64 until = l + 1 < run->levels->len ? g_array_index (run->levels, TlPipeLevel, l + 1).time : run->makespan;

      g_string_append_printf (export.text, "%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT ",,queue,,,,%u\n", level->time,
                              until, level->level);
    }
  return tl_export_finish (&export);
}

gboolean
tl_pipe_export_commands (const TlPipeRun *run, GOutputStream *stream, GCancellable *cancellable, GError **error)
{
  const TlPimMachine *machine = &run->program->machine;
  TlExport export;

  tl_export_init (&export, stream, cancellable, error);
  g_string_append (export.text, "clock,command,Channel,BankGroup,Bank,Row,Column,type,source,ps\n");
  for (guint c = 0; run->commands != NULL && c < run->commands->len && tl_export_flush (&export, 1 << 16); c++)
    {
      const TlCommand *command = &g_array_index (run->commands, TlCommand, c);
      guint32          group = command->domain / machine->banks;

      g_string_append_printf (export.text, "%" G_GUINT64_FORMAT ",%s,%u,%u,", command->time / machine->clock,
                              tl_command_name ((TlCommandKind) command->kind), group / machine->groups,
                              group % machine->groups);
      if (command->kind == TL_COMMAND_REF)
        g_string_append (export.text, ",,,");
      else if (command->kind == TL_COMMAND_PRE)
        g_string_append_printf (export.text, "%u,%u,,", command->domain % machine->banks, command->row);
      else
        g_string_append_printf (export.text, "%u,%u,%u,", command->domain % machine->banks, command->row,
                                command->column);
      g_string_append_printf (export.text, "%s,%u,%" G_GUINT64_FORMAT "\n",
                              command->kind == TL_COMMAND_RD ? "read" : "", group, command->time);
    }
  return tl_export_finish (&export);
}
