/* Engine events as CSV. */
#include "dram/event-csv.h"

#define PIECE (1u << 16)

enum
{
  CHANNEL,
  PSEUDO_CHANNEL,
  TIER,
  GROUP,
  BANK,
  N_LEVELS
};

struct _TlEventCsv
{
  GOutputStream *stream;
  TlMemory       memory;
  guint32        parts[N_LEVELS];
  gboolean       shown[N_LEVELS];
  GString       *text;
};

TlEventCsv *
tl_event_csv_new (GOutputStream *stream, const TlMemory *memory)
{
  static const char *const names[N_LEVELS] = { "Channel", "PseudoChannel", "Tier", "BankGroup", "Bank" };
  TlEventCsv              *csv = g_new0 (TlEventCsv, 1);

  csv->stream = g_object_ref (stream);
  csv->memory = *memory;
  csv->parts[CHANNEL] = memory->channels;
  csv->parts[PSEUDO_CHANNEL] = memory->pseudo_channels;
  csv->parts[TIER] = memory->kind == TL_MACHINE_CU ? memory->tiers : 1;
  csv->parts[GROUP] = memory->groups;
  csv->parts[BANK] = memory->banks;
  csv->text = g_string_sized_new (PIECE + 256);
  g_string_append (csv->text, "clock,command,");
  for (guint l = 0; l < N_LEVELS; l++)
    {
      csv->shown[l] = csv->parts[l] > 1 || l == CHANNEL || l == BANK;
      if (csv->shown[l])
        g_string_append_printf (csv->text, "%s,", names[l]);
    }
  g_string_append (csv->text, "Row,Column,type,source,ps,request,class,closed\n");
  return csv;
}

static void
append_levels (TlEventCsv *csv, guint32 domain)
{
  guint32 at[N_LEVELS];

  for (guint l = N_LEVELS; l-- > 0;)
    {
      at[l] = domain % csv->parts[l];
      domain /= csv->parts[l];
    }
  for (guint l = 0; l < N_LEVELS; l++)
    if (csv->shown[l])
      g_string_append_printf (csv->text, "%u,", at[l]);
}

static void
append_event (TlEventCsv *csv, const TlEvent *event)
{
  const gboolean column = tl_event_has_column (event->kind);
  GString       *text = csv->text;

  g_string_append_printf (text, "%" G_GUINT64_FORMAT ",%s,", event->time / MAX (csv->memory.clock, 1),
                          tl_event_kind_name ((TlEventKind) event->kind));
  append_levels (csv, event->domain);
  if (event->kind != TL_EVENT_REF)
    g_string_append_printf (text, "%u", event->row);
  g_string_append_c (text, ',');
  if (column)
    g_string_append_printf (text, "%u", event->column);
  g_string_append (text, !column ? ",," : event->kind == TL_EVENT_WR ? ",write," : ",read,");
  if (event->request != TL_NO_REQUEST)
    g_string_append_printf (text, "%u,%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT ",", event->requester, event->time,
                            event->request);
  else
    g_string_append_printf (text, ",%" G_GUINT64_FORMAT ",,", event->time);
  if (event->row_class < TL_N_ROW_CLASSES)
    g_string_append (text, tl_row_class_name ((TlRowClass) event->row_class));
  g_string_append_printf (text, ",%s\n", tl_close_reason_name ((TlCloseReason) event->reason));
}

static gboolean
flush (TlEventCsv *csv, gsize at_least, GError **error)
{
  gboolean done;

  if (csv->text->len == 0 || csv->text->len < at_least)
    return TRUE;
  done = g_output_stream_write_all (csv->stream, csv->text->str, csv->text->len, NULL, NULL, error);
  g_string_truncate (csv->text, 0);
  return done;
}

gboolean
tl_event_csv_add (TlEventCsv *csv, const TlEvent *events, gsize n, GError **error)
{
  for (gsize e = 0; e < n; e++)
    {
      append_event (csv, &events[e]);
      if (!flush (csv, PIECE, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
tl_event_csv_close (TlEventCsv *csv, GError **error)
{
  return flush (csv, 0, error);
}

void
tl_event_csv_free (TlEventCsv *csv)
{
  if (csv == NULL)
    return;
  g_object_unref (csv->stream);
  g_string_free (csv->text, TRUE);
  g_free (csv);
}
