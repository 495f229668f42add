/* Engine events as a value change dump. What a command brings about later (a row is open,
 * data lie on the bus) waits in a heap until its time has come. */
#include "dram/event-text-private.h"

#include "dram/vcd.h"

/* In the order in which changes of one time are written. */
typedef enum
{
  STATE,      /* of a domain */
  DATA_BEGIN, /* on a bus */
  DATA_END,
} ChangeKind;

typedef struct
{
  guint64 time;
  guint64 number; /* of the change; for DATA_END that of its beginning */
  guint64 request;
  guint32 of;    /* domain or bus */
  guint8  kind;  /* ChangeKind */
  guint8  state; /* State, or whether it is a write */
} Change;

typedef enum
{
  CLOSED,
  OPENING,
  OPEN,
  CLOSING,
  REFRESHING,
} State;

typedef struct
{
  const TlMemory *memory;
  guint32         n_domains, n_buses;
  GArray         *heap;   /* of Change, the soonest first */
  guint64         number; /* of the latest change */
  guint64        *latest; /* change that the state of each domain waits for */
  guint64        *beat;   /* change that each bus is busy with, 0: none */
  guint64         now;    /* time written */
} Vcd;

/* Signals: 2 d row and 2 d + 1 state of domain d; after them two of each bus. */
static guint
bus_signal (const Vcd *vcd, guint32 bus)
{
  return 2 * vcd->n_domains + 2 * bus;
}

static const char *
state_name (State state)
{
  static const char *const names[] = { "closed", "opening", "open", "closing", "refreshing" };

  return names[state];
}

/* --- the heap --- */

static gboolean
sooner (const Change *a, const Change *b)
{
  if (a->time != b->time)
    return a->time < b->time;
  return a->kind != b->kind ? a->kind < b->kind : a->number < b->number;
}

static void
push (Vcd *vcd, const Change *change)
{
  guint at = vcd->heap->len;

  g_array_append_val (vcd->heap, *change);
  Change *heap = (Change *) (gpointer) vcd->heap->data;
  for (; at > 0 && sooner (change, &heap[(at - 1) / 2]); at = (at - 1) / 2)
    heap[at] = heap[(at - 1) / 2];
  heap[at] = *change;
}

static Change
pop (Vcd *vcd)
{
  Change *heap = (Change *) (gpointer) vcd->heap->data;
  Change  first = heap[0], last = heap[vcd->heap->len - 1];
  guint   n = vcd->heap->len - 1, at = 0;

  g_array_set_size (vcd->heap, n);
  while (2 * at + 1 < n)
    {
      guint child = 2 * at + 1;
      if (child + 1 < n && sooner (&heap[child + 1], &heap[child]))
        child++;
      if (!sooner (&heap[child], &last))
        break;
      heap[at] = heap[child];
      at = child;
    }
  if (n > 0)
    heap[at] = last;
  return first;
}

/* --- changes --- */

static void
write_time (Vcd *vcd, GString *text, guint64 time)
{
  if (time != vcd->now)
    tl_vcd_time (text, time);
  vcd->now = time;
}

static void
write_change (Vcd *vcd, GString *text, const Change *change)
{
  guint signal = bus_signal (vcd, change->of);

  switch ((ChangeKind) change->kind)
    {
    case STATE:
      /* A later command has decided otherwise. */
      if (vcd->latest[change->of] != change->number)
        return;
      write_time (vcd, text, change->time);
      tl_vcd_word (text, state_name (change->state), 2 * change->of + 1);
      return;
    case DATA_BEGIN:
      vcd->beat[change->of] = change->number;
      write_time (vcd, text, change->time);
      tl_vcd_word (text, change->state ? "write" : "read", signal);
      tl_vcd_number (text, change->request, signal + 1);
      return;
    case DATA_END:
      /* The next data follow at once. */
      if (vcd->beat[change->of] != change->number)
        return;
      vcd->beat[change->of] = 0;
      write_time (vcd, text, change->time);
      tl_vcd_word (text, "idle", signal);
      tl_vcd_none (text, signal + 1);
    }
}

/* All that has come about by @time. */
static void
write_until (Vcd *vcd, GString *text, guint64 time)
{
  while (vcd->heap->len > 0 && g_array_index (vcd->heap, Change, 0).time <= time)
    {
      Change change = pop (vcd);
      write_change (vcd, text, &change);
    }
}

/* @domain is in @state from @time on, unless another command comes before. */
static void
later (Vcd *vcd, guint32 domain, State state, guint64 time)
{
  Change change = { .time = time, .number = ++vcd->number, .of = domain, .kind = STATE, .state = state };

  vcd->latest[domain] = change.number;
  push (vcd, &change);
}

static void
data (Vcd *vcd, const TlEvent *event)
{
  const TlMemory     *memory = vcd->memory;
  const TlTierTiming *tier = &memory->tier[tl_memory_tier_of (memory, event->domain, event->row)];
  gboolean            write = event->kind == TL_EVENT_WR;
  Change              change = {
                 .time = event->time + (write ? tier->tCWL : tier->tCL),
                 .number = ++vcd->number,
                 .request = event->request,
                 .of = tl_memory_scope_of (memory, memory->data_bus, event->domain),
                 .kind = DATA_BEGIN,
                 .state = write,
  };

  push (vcd, &change);
  change.time += memory->burst;
  change.kind = DATA_END;
  push (vcd, &change);
}

static void
add (gpointer state, GString *text, const TlEvent *event)
{
  Vcd            *vcd = state;
  const TlMemory *memory = vcd->memory;
  guint32         domain = event->domain;
  guint           signal = 2 * domain;

  write_until (vcd, text, event->time);
  switch ((TlEventKind) event->kind)
    {
    case TL_EVENT_ACT:
      write_time (vcd, text, event->time);
      tl_vcd_number (text, event->row, signal);
      tl_vcd_word (text, state_name (OPENING), signal + 1);
      later (vcd, domain, OPEN, event->time + memory->tier[tl_memory_tier_of (memory, domain, event->row)].tRCD);
      break;
    case TL_EVENT_PRE:
      write_time (vcd, text, event->time);
      tl_vcd_none (text, signal);
      tl_vcd_word (text, state_name (CLOSING), signal + 1);
      later (vcd, domain, CLOSED, event->time + memory->tier[tl_memory_tier_of (memory, domain, event->row)].tRP);
      break;
    case TL_EVENT_RD:
    case TL_EVENT_WR:
      data (vcd, event);
      break;
    case TL_EVENT_REF:
      write_time (vcd, text, event->time);
      for (guint32 d = domain; d < vcd->n_domains
                               && tl_memory_scope_of (memory, memory->refresh_scope, d)
                                      == tl_memory_scope_of (memory, memory->refresh_scope, domain);
           d++)
        {
          tl_vcd_word (text, state_name (REFRESHING), 2 * d + 1);
          later (vcd, d, CLOSED, event->time + memory->tRFC);
        }
      break;
    case TL_EVENT_FORWARD:
      break;
    }
}

/* --- the head --- */

/* The levels that have more than one part are scopes. */
static void
declare (Vcd *vcd, GString *text)
{
  const TlMemory *memory = vcd->memory;
  guint32         tier_domains = vcd->n_domains / tl_memory_scopes (memory, TL_SCOPE_TIER);

  tl_vcd_begin (text);
  g_string_append (text, "$scope module stack $end\n");
  for (guint32 d = 0; d < vcd->n_domains; d++)
    {
      g_autofree char *name = tl_memory_domain_label (memory, d);
      g_autofree char *row = g_strdelimit (g_strdup_printf ("%s_row", name), ".", '_');
      g_autofree char *state = g_strdelimit (g_strdup_printf ("%s_state", name), ".", '_');

      if (d % tier_domains == 0)
        {
          guint32 tier = tl_memory_tier_of (memory, d, 0);
          guint32 channel = tl_memory_scope_of (memory, TL_SCOPE_PSEUDO_CHANNEL, d);
          g_string_append_printf (text, "$scope module channel%u_%u_tier%u $end\n", channel / memory->pseudo_channels,
                                  channel % memory->pseudo_channels, tier);
        }
      tl_vcd_variable (text, "wire", 32, 2 * d, row);
      tl_vcd_variable (text, "string", 1, 2 * d + 1, state);
      if ((d + 1) % tier_domains == 0)
        g_string_append (text, "$upscope $end\n");
    }
  for (guint32 bus = 0; bus < vcd->n_buses; bus++)
    {
      g_autofree char *carries = g_strdup_printf ("bus%u_data", bus);
      g_autofree char *request = g_strdup_printf ("bus%u_request", bus);

      tl_vcd_variable (text, "string", 1, bus_signal (vcd, bus), carries);
      tl_vcd_variable (text, "wire", 64, bus_signal (vcd, bus) + 1, request);
    }
  g_string_append (text, "$upscope $end\n$enddefinitions $end\n");
}

static gpointer
begin (GString *text, const TlMemory *memory)
{
  Vcd *vcd = g_new0 (Vcd, 1);

  vcd->memory = memory;
  vcd->n_domains = tl_memory_domains (memory);
  vcd->n_buses = tl_memory_scopes (memory, memory->data_bus);
  vcd->heap = g_array_new (FALSE, FALSE, sizeof (Change));
  vcd->latest = g_new0 (guint64, vcd->n_domains);
  vcd->beat = g_new0 (guint64, vcd->n_buses);
  declare (vcd, text);
  tl_vcd_time (text, 0);
  g_string_append (text, "$dumpvars\n");
  for (guint32 d = 0; d < vcd->n_domains; d++)
    {
      tl_vcd_none (text, 2 * d);
      tl_vcd_word (text, state_name (CLOSED), 2 * d + 1);
    }
  for (guint32 bus = 0; bus < vcd->n_buses; bus++)
    {
      tl_vcd_word (text, "idle", bus_signal (vcd, bus));
      tl_vcd_none (text, bus_signal (vcd, bus) + 1);
    }
  g_string_append (text, "$end\n");
  return vcd;
}

static void
end (gpointer state, GString *text)
{
  write_until (state, text, G_MAXUINT64);
}

static void
vcd_free (gpointer state)
{
  Vcd *vcd = state;

  g_array_unref (vcd->heap);
  g_free (vcd->latest);
  g_free (vcd->beat);
  g_free (vcd);
}

const TlEventTextFormat tl_event_text_vcd = { begin, add, end, vcd_free };
