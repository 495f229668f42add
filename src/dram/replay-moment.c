/* A moment goes from event to event; what the engine counts while it decides is counted
 * here from what it told. models.md section 2. */
#include "dram/replay-moment.h"

#include "dram/carry-private.h"
#include "dram/replay-moment-private.h"

#include <string.h>

TlReplayMoment *
tl_replay_moment_new (const TlMemory *memory)
{
  TlReplayMoment *moment = g_new0 (TlReplayMoment, 1);

  moment->n_domains = tl_memory_domains (memory);
  moment->domains = g_new0 (TlDomainMoment, moment->n_domains);
  for (guint32 d = 0; d < moment->n_domains; d++)
    {
      TlDomainMoment *domain = &moment->domains[d];
      domain->opener = domain->closer = TL_NO_REQUEST;
      domain->last_kind = domain->last_class = TL_CLASS_NONE;
      domain->tier = (guint8) tl_memory_tier_of (memory, d, 0);
    }
  moment->n_channels = tl_memory_scopes (memory, TL_SCOPE_CHANNEL);
  moment->lists = g_new0 (GArray *, 2 * (gsize) moment->n_channels);
  for (guint32 q = 0; q < 2 * moment->n_channels; q++)
    moment->lists[q] = g_array_new (FALSE, FALSE, sizeof (TlEntry));
  moment->rules = tl_bank_rules_new (memory);
  moment->done.kind = TL_N_EVENTS;
  return moment;
}

void
tl_replay_moment_free (TlReplayMoment *moment)
{
  if (moment == NULL)
    return;
  for (guint32 q = 0; q < 2 * moment->n_channels; q++)
    g_array_unref (moment->lists[q]);
  tl_bank_rules_free (moment->rules);
  g_free (moment->lists);
  g_free (moment->domains);
  g_free (moment);
}

void
tl_replay_moment_assign (TlReplayMoment *to, const TlReplayMoment *from)
{
  TlDomainMoment *domains = to->domains;
  GArray        **lists = to->lists;
  TlBankRules    *rules = to->rules;

  g_return_if_fail (to->n_domains == from->n_domains && to->n_channels == from->n_channels);
  *to = *from;
  to->domains = domains;
  to->lists = lists;
  to->rules = rules;
  memcpy (domains, from->domains, from->n_domains * sizeof *domains);
  for (guint32 q = 0; q < 2 * from->n_channels; q++)
    {
      g_array_set_size (lists[q], 0);
      if (from->lists[q]->len > 0)
        g_array_append_vals (lists[q], from->lists[q]->data, from->lists[q]->len);
    }
  tl_bank_rules_copy (rules, from->rules);
}

TlReplayMoment *
tl_replay_moment_copy (const TlReplayMoment *moment, const TlMemory *memory)
{
  TlReplayMoment *copy = tl_replay_moment_new (memory);

  tl_replay_moment_assign (copy, moment);
  return copy;
}

void
tl_replay_moment_carry (TlReplayMoment *moment, TlCarry *carry)
{
  /* All of it up to what points. */
  tl_carry (carry, moment, offsetof (TlReplayMoment, n_domains));
  tl_carry (carry, moment->domains, moment->n_domains * sizeof *moment->domains);
  for (guint32 q = 0; q < 2 * moment->n_channels; q++)
    {
      guint n = moment->lists[q]->len;

      tl_carry (carry, &n, sizeof n);
      g_array_set_size (moment->lists[q], n);
      tl_carry (carry, moment->lists[q]->data, n * sizeof (TlEntry));
    }
  tl_bank_rules_carry (moment->rules, carry);
}

/* --- events --- */

static GArray *
list_of (TlReplayMoment *moment, guint32 domain, gboolean writes)
{
  guint32 channel = moment->n_channels == 1 ? 0 : domain / (moment->n_domains / moment->n_channels);

  return moment->lists[2 * channel + (writes != FALSE)];
}

void
tl_replay_moment_enter (TlReplayMoment *moment, const TlEntry *entry, gboolean split_writes)
{
  moment->requests++;
  moment->writes += entry->write;
  moment->domains[entry->domain].counts.share.in_order.of[entry->in_order]++;
  moment->share.in_order.of[entry->in_order]++;
  if (entry->state != TL_ENTRY_FORWARDED)
    g_array_append_val (list_of (moment, entry->domain, split_writes && entry->write), *entry);
}

/* @request, which waits in a list of @domain's channel; NULL when it does not. */
static TlEntry *
find (TlReplayMoment *moment, guint32 domain, guint64 request, GArray **list, guint *index)
{
  for (guint writes = 0; writes < 2; writes++)
    {
      *list = list_of (moment, domain, writes);
      for (*index = 0; *index < (*list)->len; ++*index)
        {
          TlEntry *entry = &g_array_index (*list, TlEntry, *index);
          if (entry->request == request)
            return entry;
        }
    }
  return NULL;
}

static void
add_latency (TlReplayMoment *moment, TlDomainMoment *domain, guint64 data_end, guint64 entered)
{
  domain->counts.share.latency += data_end - entered;
  moment->share.latency += data_end - entered;
  moment->data_end = MAX (moment->data_end, data_end);
}

static void
apply_act (TlReplayMoment *moment, const TlMemory *memory, TlDomainMoment *domain, const TlEvent *event)
{
  GArray  *list;
  guint    index;
  TlEntry *entry = find (moment, event->domain, event->request, &list, &index);
  guint8   tier = (guint8) tl_memory_tier_of (memory, event->domain, event->row);

  if (domain->reserved)
    {
      guint64 lost = event->time + memory->tier[tier].tRCD - domain->since;
      domain->counts.share.lost += lost;
      moment->share.lost += lost;
    }
  if (entry != NULL)
    entry->state = TL_WAIT_OPENED;
  domain->open = TRUE;
  domain->reserved = FALSE;
  domain->row = event->row;
  domain->tier = tier;
  domain->since = event->time;
  domain->opener = event->request;
  domain->counts.act++;
  moment->act++;
}

static void
apply_pre (TlReplayMoment *moment, TlDomainMoment *domain, const TlEvent *event)
{
  GArray  *list;
  guint    index;
  TlEntry *entry = NULL;

  domain->open = FALSE;
  domain->since = event->time;
  domain->closer = event->request;
  if (event->reason == TL_CLOSE_CONFLICT)
    {
      entry = find (moment, event->domain, event->request, &list, &index);
      domain->reserved = TRUE;
      domain->counts.pre_conflict++;
      moment->pre_conflict++;
    }
  else if (event->reason == TL_CLOSE_PAGE)
    {
      domain->counts.pre_page++;
      moment->pre_page++;
    }
  else
    {
      domain->counts.pre_refresh++;
      moment->pre_refresh++;
    }
  if (entry != NULL)
    {
      entry->state = TL_WAIT_CLOSED;
      domain->wanted = entry->row;
    }
}

static void
apply_column (TlReplayMoment *moment, TlDomainMoment *domain, const TlEvent *event)
{
  TlCommand command = tl_event_command (event);
  GArray   *list;
  guint     index;

  if (find (moment, event->domain, event->request, &list, &index) != NULL)
    g_array_remove_index (list, index);
  add_latency (moment, domain, tl_bank_rules_data_end (moment->rules, &command), event->entered);
}

void
tl_replay_moment_apply (TlReplayMoment *moment, const TlMemory *memory, const TlEvent *event)
{
  TlDomainMoment *domain = &moment->domains[event->domain];

  moment->event++;
  moment->time = MAX (moment->time, event->time);
  moment->done = *event;
  if (event->row_class != TL_CLASS_NONE)
    {
      domain->last_class = event->row_class;
      domain->counts.share.scheduled.of[event->row_class]++;
      moment->share.scheduled.of[event->row_class]++;
    }
  if (event->kind < TL_N_COMMANDS)
    {
      TlCommand command = tl_event_command (event);
      tl_bank_rules_apply (moment->rules, &command);
      domain->last_kind = event->kind;
      domain->last = event->time;
    }
  switch ((TlEventKind) event->kind)
    {
    case TL_EVENT_ACT:
      apply_act (moment, memory, domain, event);
      break;
    case TL_EVENT_PRE:
      apply_pre (moment, domain, event);
      break;
    case TL_EVENT_RD:
    case TL_EVENT_WR:
      apply_column (moment, domain, event);
      break;
    case TL_EVENT_REF:
      moment->refreshes++;
      break;
    case TL_EVENT_FORWARD:
      add_latency (moment, domain, event->time + memory->clock, event->entered);
      break;
    }
}

/* --- asking --- */

void
tl_replay_moment_next (const TlReplayMoment *moment, guint32 domain, guint64 *ready, guint64 *close)
{
  const TlDomainMoment *state = &moment->domains[domain];
  TlCommand             command = { moment->time, domain, state->row, 0, TL_COMMAND_PRE };

  *close = state->open ? tl_bank_rules_earliest (moment->rules, &command) : TL_TIME_NEVER;
  command.kind = state->open ? TL_COMMAND_RD : TL_COMMAND_ACT;
  if (state->reserved)
    command.row = state->wanted;
  *ready = tl_bank_rules_earliest (moment->rules, &command);
}

guint64
tl_replay_moment_waiting (const TlReplayMoment *moment)
{
  guint64 n = 0;

  for (guint32 q = 0; q < 2 * moment->n_channels; q++)
    n += moment->lists[q]->len;
  return n;
}

static gboolean
differs (char **what, const char *format, guint32 at)
{
  if (what != NULL)
    *what = g_strdup_printf ("%s %u", format, at);
  return FALSE;
}

static gboolean
same_event (const TlEvent *a, const TlEvent *b)
{
  return a->time == b->time && a->request == b->request && a->entered == b->entered && a->opener == b->opener
         && a->domain == b->domain && a->row == b->row && a->column == b->column && a->requester == b->requester
         && a->operand == b->operand && a->kind == b->kind && a->row_class == b->row_class && a->reason == b->reason;
}

static gboolean
same_head (const TlReplayMoment *a, const TlReplayMoment *b)
{
  return a->event == b->event && a->time == b->time && a->requests == b->requests && a->writes == b->writes
         && a->refreshes == b->refreshes && a->data_end == b->data_end && same_event (&a->done, &b->done)
         && memcmp (&a->share, &b->share, sizeof a->share) == 0 && a->act == b->act
         && a->pre_conflict == b->pre_conflict && a->pre_page == b->pre_page && a->pre_refresh == b->pre_refresh;
}

static gboolean
same_domain (const TlDomainMoment *a, const TlDomainMoment *b)
{
  return a->open == b->open && a->tier == b->tier && a->reserved == b->reserved && a->last_kind == b->last_kind
         && a->last_class == b->last_class && a->row == b->row && a->wanted == b->wanted && a->since == b->since
         && a->last == b->last && a->opener == b->opener && a->closer == b->closer
         && memcmp (&a->counts, &b->counts, sizeof a->counts) == 0;
}

static gboolean
same_entry (const TlEntry *a, const TlEntry *b)
{
  return a->request == b->request && a->unit == b->unit && a->entered == b->entered && a->position == b->position
         && a->domain == b->domain && a->row == b->row && a->column == b->column && a->requester == b->requester
         && a->operand == b->operand && a->write == b->write && a->in_order == b->in_order && a->state == b->state;
}

gboolean
tl_replay_moment_equal (const TlReplayMoment *a, const TlReplayMoment *b, char **what)
{
  g_autoptr (GByteArray) rules_a = g_byte_array_new ();
  g_autoptr (GByteArray) rules_b = g_byte_array_new ();
  TlCarry carry_a = { .to = rules_a }, carry_b = { .to = rules_b };

  if (a->n_domains != b->n_domains || a->n_channels != b->n_channels)
    return differs (what, "machines", 0);
  if (!same_head (a, b))
    return differs (what, "whole", 0);
  for (guint32 d = 0; d < a->n_domains; d++)
    if (!same_domain (&a->domains[d], &b->domains[d]))
      return differs (what, "domain", d);
  for (guint32 q = 0; q < 2 * a->n_channels; q++)
    {
      gboolean same = a->lists[q]->len == b->lists[q]->len;

      for (guint i = 0; same && i < a->lists[q]->len; i++)
        same = same_entry (&g_array_index (a->lists[q], TlEntry, i), &g_array_index (b->lists[q], TlEntry, i));
      if (!same)
        return differs (what, "queue", q);
    }
  /* The rules' bytes are all fields but for what lies between them, which is zero. */
  tl_bank_rules_carry (a->rules, &carry_a);
  tl_bank_rules_carry (b->rules, &carry_b);
  if (rules_a->len != rules_b->len || memcmp (rules_a->data, rules_b->data, rules_a->len) != 0)
    return differs (what, "rules", 0);
  return TRUE;
}
