/* Engine events in Chrome's trace format. Slices of one thread nest: a row's slice ends
 * where its PRE is, what the PRE takes follows it. */
#include "dram/event-text-private.h"

#include "dram/chrome.h"

#define CLOSED G_MAXUINT64

typedef struct
{
  const TlMemory *memory;
  gboolean        any;
  guint32         n_domains;
  guint32         tier_domains; /* a process has so many threads */
  guint64        *opened;       /* of each domain: its ACT, CLOSED */
  guint32        *row;
  guint64        *opener;
  guint64         last; /* the latest that something ends */
} Chrome;

static void
slice (Chrome *chrome, GString *text, const char *name, const char *category, guint32 domain, guint64 from, guint64 to)
{
  chrome->last = MAX (chrome->last, to);
  tl_chrome_slice (text, &chrome->any, name, category, domain / chrome->tier_domains, domain % chrome->tier_domains,
                   from, to);
}

static void
row_slice (Chrome *chrome, GString *text, guint32 domain, guint64 to)
{
  slice (chrome, text, "row", "row", domain, chrome->opened[domain], to);
  g_string_append_printf (text, ",\"args\":{\"tier\":%u,\"row\":%u,\"opened_for\":%" G_GUINT64_FORMAT "}}",
                          tl_memory_tier_of (chrome->memory, domain, chrome->row[domain]), chrome->row[domain],
                          chrome->opener[domain]);
  chrome->opened[domain] = CLOSED;
}

static void
add_pre (Chrome *chrome, GString *text, const TlEvent *event)
{
  const TlMemory *memory = chrome->memory;
  guint64         end = event->time + memory->tier[tl_memory_tier_of (memory, event->domain, event->row)].tRP;

  if (chrome->opened[event->domain] != CLOSED)
    row_slice (chrome, text, event->domain, event->time);
  slice (chrome, text, "closing", tl_close_reason_name (event->reason), event->domain, event->time, end);
  g_string_append_printf (text, ",\"args\":{\"row\":%u,\"why\":\"%s\"", event->row,
                          tl_close_reason_name (event->reason));
  if (event->reason == TL_CLOSE_CONFLICT)
    g_string_append_printf (text, ",\"opened_for\":%" G_GUINT64_FORMAT ",\"closed_for\":%" G_GUINT64_FORMAT,
                            event->opener, event->request);
  g_string_append (text, "}}");
}

static void
append_request (GString *text, const TlEvent *event)
{
  g_string_append_printf (text,
                          ",\"args\":{\"request\":%" G_GUINT64_FORMAT
                          ",\"column\":%u,\"operand\":%u,\"requester\":%u,\"class\":\"%s\"}}",
                          event->request, event->column, event->operand, event->requester,
                          event->row_class < TL_N_ROW_CLASSES ? tl_row_class_name (event->row_class) : "");
}

/* The command in its domain, its data on their bus. */
static void
add_column (Chrome *chrome, GString *text, const TlEvent *event)
{
  const TlMemory     *memory = chrome->memory;
  const TlTierTiming *tier = &memory->tier[tl_memory_tier_of (memory, event->domain, event->row)];
  const char         *name = tl_event_kind_name (event->kind);
  guint64             data = event->time + (event->kind == TL_EVENT_WR ? tier->tCWL : tier->tCL);

  slice (chrome, text, name, "column", event->domain, event->time, event->time + memory->clock);
  append_request (text, event);
  tl_chrome_slice (text, &chrome->any, event->kind == TL_EVENT_WR ? "write" : "read", "data",
                   chrome->n_domains / chrome->tier_domains,
                   tl_memory_scope_of (memory, memory->data_bus, event->domain), data, data + memory->burst);
  g_string_append_printf (text, ",\"args\":{\"request\":%" G_GUINT64_FORMAT "}}", event->request);
}

static void
add (gpointer state, GString *text, const TlEvent *event)
{
  Chrome         *chrome = state;
  const TlMemory *memory = chrome->memory;
  guint32         domain = event->domain;

  switch ((TlEventKind) event->kind)
    {
    case TL_EVENT_ACT:
      chrome->opened[domain] = event->time;
      chrome->row[domain] = event->row;
      chrome->opener[domain] = event->request;
      slice (chrome, text, "opening", event->row_class == TL_ROW_MISS ? "miss" : "conflict", domain, event->time,
             event->time + memory->tier[tl_memory_tier_of (memory, domain, event->row)].tRCD);
      g_string_append_printf (text, ",\"args\":{\"row\":%u,\"request\":%" G_GUINT64_FORMAT "}}", event->row,
                              event->request);
      break;
    case TL_EVENT_PRE:
      add_pre (chrome, text, event);
      break;
    case TL_EVENT_RD:
    case TL_EVENT_WR:
      add_column (chrome, text, event);
      break;
    case TL_EVENT_REF:
      slice (chrome, text, "REF", "refresh", domain, event->time, event->time + memory->tRFC);
      g_string_append_c (text, '}');
      break;
    case TL_EVENT_FORWARD:
      slice (chrome, text, "FORWARD", "column", domain, event->time, event->time + memory->clock);
      append_request (text, event);
      break;
    }
}

static gpointer
begin (GString *text, const TlMemory *memory)
{
  Chrome *chrome = g_new0 (Chrome, 1);

  chrome->memory = memory;
  chrome->n_domains = tl_memory_domains (memory);
  chrome->tier_domains = chrome->n_domains / tl_memory_scopes (memory, TL_SCOPE_TIER);
  chrome->opened = g_new (guint64, chrome->n_domains);
  chrome->row = g_new0 (guint32, chrome->n_domains);
  chrome->opener = g_new0 (guint64, chrome->n_domains);
  for (guint32 d = 0; d < chrome->n_domains; d++)
    {
      g_autofree char *name = tl_memory_domain_name (memory, d);

      chrome->opened[d] = CLOSED;
      if (d % chrome->tier_domains == 0)
        {
          guint32          channel = tl_memory_scope_of (memory, TL_SCOPE_PSEUDO_CHANNEL, d);
          g_autofree char *process
              = g_strdup_printf ("channel %u.%u tier %u", channel / memory->pseudo_channels,
                                 channel % memory->pseudo_channels, tl_memory_tier_of (memory, d, 0));
          tl_chrome_name (text, &chrome->any, FALSE, d / chrome->tier_domains, 0, process);
        }
      tl_chrome_name (text, &chrome->any, TRUE, d / chrome->tier_domains, d % chrome->tier_domains, name);
    }
  tl_chrome_name (text, &chrome->any, FALSE, chrome->n_domains / chrome->tier_domains, 0, "data buses");
  for (guint32 bus = 0; bus < tl_memory_scopes (memory, memory->data_bus); bus++)
    {
      g_autofree char *name = g_strdup_printf ("bus %u", bus);
      tl_chrome_name (text, &chrome->any, TRUE, chrome->n_domains / chrome->tier_domains, bus, name);
    }
  return chrome;
}

/* Rows that stay open end with the last of all. */
static void
end (gpointer state, GString *text)
{
  Chrome *chrome = state;
  guint64 last = chrome->last;

  for (guint32 d = 0; d < chrome->n_domains; d++)
    if (chrome->opened[d] != CLOSED)
      row_slice (chrome, text, d, last);
  tl_chrome_end (text, chrome->any);
}

static void
chrome_free (gpointer state)
{
  Chrome *chrome = state;

  g_free (chrome->opened);
  g_free (chrome->row);
  g_free (chrome->opener);
  g_free (chrome);
}

const TlEventTextFormat tl_event_text_chrome = { begin, add, end, chrome_free };
