/* A run of wavefronts as a value change dump: what each PU does, open rows and last commands
 * of its bank group's banks, the queue's level. */
#include "dram/vcd.h"
#include "sim/pipe-export-private.h"

#include <stdlib.h>

/* Signals are numbered: stop * (1 + 2 banks) + 0 activity, 1 + 2 b open row, 2 + 2 b
 * command; the last one is the queue. */

enum
{
  CHANGE_IDLE,
  CHANGE_SPAN,
  CHANGE_COMMAND,
  CHANGE_LEVEL
};

/* A moment at which something changes: 16 bytes, some two a stretch and one a command. */
typedef struct
{
  guint64 time;
  guint32 number;
  guint8  kind;
} Change;

static int
compare_changes (gconstpointer a, gconstpointer b)
{
  const Change *one = a, *two = b;

  return one->time != two->time   ? (one->time > two->time) - (one->time < two->time)
         : one->kind != two->kind ? one->kind - two->kind
                                  : (one->number > two->number) - (one->number < two->number);
}

static void
add_change (GArray *changes, guint64 time, guint8 kind, guint32 number)
{
  Change change = { time, number, kind };

  g_array_append_val (changes, change);
}

/* A PU is idle from a stretch's end on when no other begins there. */
static void
add_spans (GArray *changes, const TlPipeRun *run)
{
  g_autofree guint64 *next = g_new (guint64, MAX (run->program->machine.pus, 1));

  for (guint32 pu = 0; pu < run->program->machine.pus; pu++)
    next[pu] = G_MAXUINT64;
  for (guint s = run->spans->len; s-- > 0;)
    {
      const TlPipeSpan *span = &g_array_index (run->spans, TlPipeSpan, s);

      if (span->to != next[span->pu])
        add_change (changes, span->to, CHANGE_IDLE, span->pu);
      add_change (changes, span->from, CHANGE_SPAN, s);
      next[span->pu] = span->from;
    }
}

static GArray *
changes_of (const TlPipeRun *run)
{
  GArray *changes = g_array_new (FALSE, FALSE, sizeof (Change));

  add_spans (changes, run);
  for (guint c = 0; run->commands != NULL && c < run->commands->len; c++)
    add_change (changes, g_array_index (run->commands, TlCommand, c).time, CHANGE_COMMAND, c);
  for (guint l = 0; l < run->levels->len; l++)
    add_change (changes, g_array_index (run->levels, TlPipeLevel, l).time, CHANGE_LEVEL, l);
  if (changes->len > 0)
    qsort (changes->data, changes->len, sizeof (Change), compare_changes);
  return changes;
}

static void
append_header (GString *text, const TlPipeRun *run)
{
  const TlPimMachine *machine = &run->program->machine;
  const guint         width = 1 + 2 * machine->banks, stops = tl_pipe_stops (machine);

  tl_vcd_begin (text);
  g_string_append (text, "$scope module stack $end\n");
  for (guint stop = 0; stop < stops; stop++)
    {
      g_string_append_printf (text, "$scope module pu%02u $end\n", stop);
      tl_vcd_variable (text, "string", 1, stop * width, "activity");
      for (guint32 b = 0; b < machine->banks; b++)
        {
          g_autofree char *row = g_strdup_printf ("bank%u_row", b);
          g_autofree char *command = g_strdup_printf ("bank%u_command", b);

          tl_vcd_variable (text, "wire", 32, stop * width + 1 + 2 * b, row);
          tl_vcd_variable (text, "string", 1, stop * width + 2 + 2 * b, command);
        }
      g_string_append (text, "$upscope $end\n");
    }
  tl_vcd_variable (text, "wire", 32, stops * width, "queue");
  g_string_append (text, "$upscope $end\n$enddefinitions $end\n$dumpvars\n");
  for (guint stop = 0; stop < stops; stop++)
    {
      tl_vcd_word (text, "idle", stop * width);
      for (guint32 b = 0; b < machine->banks; b++)
        {
          tl_vcd_none (text, stop * width + 1 + 2 * b);
          tl_vcd_word (text, "none", stop * width + 2 + 2 * b);
        }
    }
  tl_vcd_number (text, 0, stops * width);
  g_string_append (text, "$end\n");
}

static void
append_command (GString *text, const TlPimMachine *machine, const TlCommand *command)
{
  const guint width = 1 + 2 * machine->banks;
  const guint stop = command->domain / machine->banks, bank = command->domain % machine->banks;
  const guint row = stop * width + 1 + 2 * bank;

  switch ((TlCommandKind) command->kind)
    {
    case TL_COMMAND_ACT:
      tl_vcd_number (text, command->row, row);
      break;
    case TL_COMMAND_PRE:
      tl_vcd_none (text, row);
      break;
    case TL_COMMAND_REF:
      for (guint32 b = 0; b < machine->banks; b++)
        tl_vcd_word (text, "REF", stop * width + 2 + 2 * b);
      return;
    case TL_COMMAND_RD:
    case TL_COMMAND_WR:
      break;
    }
  tl_vcd_word (text, tl_command_name ((TlCommandKind) command->kind), row + 1);
}

static void
append_change (GString *text, const TlPipeRun *run, const Change *change)
{
  const TlPimMachine *machine = &run->program->machine;
  const guint         width = 1 + 2 * machine->banks;

  switch (change->kind)
    {
    case CHANGE_IDLE:
      tl_vcd_word (text, "idle", change->number * width);
      break;
    case CHANGE_SPAN:
      {
        const TlPipeSpan *span = &g_array_index (run->spans, TlPipeSpan, change->number);

        tl_vcd_word (text, tl_pipe_span_name ((TlPipeSpanKind) span->kind), span->pu * width);
        break;
      }
    case CHANGE_COMMAND:
      append_command (text, machine, &g_array_index (run->commands, TlCommand, change->number));
      break;
    default:
      tl_vcd_number (text, g_array_index (run->levels, TlPipeLevel, change->number).level,
                     tl_pipe_stops (machine) * width);
    }
}

gboolean
tl_pipe_export_vcd (const TlPipeRun *run, GOutputStream *stream, GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) changes = changes_of (run);
  guint64 now = G_MAXUINT64;
  TlExport export;

  tl_export_init (&export, stream, cancellable, error);
  append_header (export.text, run);
  for (guint c = 0; c < changes->len && tl_export_flush (&export, 1 << 16); c++)
    {
      const Change *change = &g_array_index (changes, Change, c);

      if (change->time != now)
        tl_vcd_time (export.text, change->time);
      now = change->time;
      append_change (export.text, run, change);
    }
  if (now != run->makespan)
    tl_vcd_time (export.text, run->makespan);
  return tl_export_finish (&export);
}
