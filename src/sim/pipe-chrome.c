/* A run of wavefronts in Chrome's trace format: what each PU does, the rows that its bank
 * group has open with their beats inside, the queue's level as a counter. */
#include "dram/chrome.h"
#include "sim/pipe-export-private.h"

enum
{
  THREAD_WORK,
  THREAD_BANK
};

typedef struct
{
  const TlPipeRun    *run;
  const TlPimMachine *machine;
  TlExport export;
  gboolean any;
} Chrome;

static void
append_names (Chrome *chrome)
{
  const TlPimMachine *machine = chrome->machine;

  for (guint32 pu = 0; pu < tl_pipe_stops (machine); pu++)
    {
      g_autofree char *process = g_strdup_printf ("PU %02u %s", pu, tl_pipe_role (chrome->run->program, pu));

      tl_chrome_name (chrome->export.text, &chrome->any, FALSE, pu, 0, process);
      tl_chrome_name (chrome->export.text, &chrome->any, TRUE, pu, THREAD_WORK, "work");
      for (guint32 b = 0; chrome->run->commands != NULL && b < machine->banks; b++)
        {
          g_autofree char *bank = g_strdup_printf ("bank %u", b);
          tl_chrome_name (chrome->export.text, &chrome->any, TRUE, pu, THREAD_BANK + b, bank);
        }
    }
}

static void
append_span (Chrome *chrome, const TlPipeSpan *span)
{
  gint64 read, candidate;

  tl_pipe_subject (chrome->run, span, &read, &candidate);
  tl_chrome_slice (chrome->export.text, &chrome->any, tl_pipe_span_name ((TlPipeSpanKind) span->kind), "pu", span->pu,
                   THREAD_WORK, span->from, span->to);
  g_string_append_printf (chrome->export.text,
                          ",\"args\":{\"read\":%" G_GINT64_FORMAT ",\"candidate\":%" G_GINT64_FORMAT
                          ",\"wave\":%" G_GUINT64_FORMAT "}}",
                          read, candidate, span->wave);
}

/* Rows from ACT to PRE; @opened and @row of each bank, G_MAXUINT64 when closed. */
static void
append_command (Chrome *chrome, const TlCommand *command, guint64 *opened, guint32 *row)
{
  const TlPimMachine *machine = chrome->machine;
  GString            *text = chrome->export.text;
  guint32 domain = command->domain, pid = domain / machine->banks, tid = THREAD_BANK + domain % machine->banks;

  switch ((TlCommandKind) command->kind)
    {
    case TL_COMMAND_ACT:
      opened[domain] = command->time;
      row[domain] = command->row;
      break;
    case TL_COMMAND_RD:
    case TL_COMMAND_WR:
      tl_chrome_slice (text, &chrome->any, tl_command_name ((TlCommandKind) command->kind), "column", pid, tid,
                       command->time, command->time + machine->burst);
      g_string_append_printf (text, ",\"args\":{\"column\":%u}}", command->column);
      break;
    case TL_COMMAND_PRE:
      tl_chrome_slice (text, &chrome->any, "row", "row", pid, tid, opened[domain], command->time);
      g_string_append_printf (text, ",\"args\":{\"tier\":%u,\"row\":%u}}", (guint) (row[domain] / machine->rows),
                              (guint) (row[domain] % machine->rows));
      opened[domain] = G_MAXUINT64;
      break;
    case TL_COMMAND_REF:
      tl_chrome_slice (text, &chrome->any, "REF", "refresh", pid, THREAD_BANK, command->time,
                       command->time + machine->tRFC);
      g_string_append_c (text, '}');
      break;
    }
}

/* Rows that stay open to the end are slices to the end. */
static void
append_commands (Chrome *chrome)
{
  const GArray       *commands = chrome->run->commands;
  const TlPimMachine *machine = chrome->machine;
  gsize               n = (gsize) tl_pipe_stops (machine) * machine->banks;
  g_autofree guint64 *opened = g_new (guint64, n);
  g_autofree guint32 *row = g_new0 (guint32, n);

  for (gsize d = 0; d < n; d++)
    opened[d] = G_MAXUINT64;
  for (guint c = 0; c < commands->len && tl_export_flush (&chrome->export, 1 << 16); c++)
    append_command (chrome, &g_array_index (commands, TlCommand, c), opened, row);
  for (gsize d = 0; d < n; d++)
    if (opened[d] != G_MAXUINT64)
      {
        const TlCommand close = {
          .time = MAX (chrome->run->makespan, opened[d]), .domain = (guint32) d, .row = row[d], .kind = TL_COMMAND_PRE
        };
        append_command (chrome, &close, opened, row);
      }
}

static void
append_levels (Chrome *chrome)
{
  for (guint l = 0; l < chrome->run->levels->len && tl_export_flush (&chrome->export, 1 << 16); l++)
    {
      const TlPipeLevel *level = &g_array_index (chrome->run->levels, TlPipeLevel, l);

      tl_chrome_counter (chrome->export.text, &chrome->any, "queue", tl_pipe_stops (chrome->machine), level->time,
                         "candidates", level->level);
    }
}

gboolean
tl_pipe_export_chrome (const TlPipeRun *run, GOutputStream *stream, GCancellable *cancellable, GError **error)
{
  Chrome chrome = { .run = run, .machine = &run->program->machine };

  tl_export_init (&chrome.export, stream, cancellable, error);
  append_names (&chrome);
  for (guint s = 0; s < run->spans->len && tl_export_flush (&chrome.export, 1 << 16); s++)
    append_span (&chrome, &g_array_index (run->spans, TlPipeSpan, s));
  if (run->commands != NULL)
    append_commands (&chrome);
  append_levels (&chrome);
  tl_chrome_end (chrome.export.text, chrome.any);
  return tl_export_finish (&chrome.export);
}
