/* The bank rules as earliest times: every command moves the times before which later
 * ones may not come, so that a question is a maximum over a few numbers. */
#include "dram/bank-rules.h"

#include "dram/carry-private.h"

#include <assert.h>
#include <string.h>

/* A domain: the row it holds and when it may do what. */
typedef struct
{
  guint64  act_ready; /* PRE + tRP, ACT + tRC */
  guint64  col_ready; /* ACT + tRCD */
  guint64  pre_ready; /* ACT + tRAS, RD + tRTP, end of write data + tWR */
  guint64  ref_ready; /* PRE + tRP */
  guint32  row;
  guint8   tier; /* of that row */
  gboolean open;
} Domain;

/* The parts a domain is in, looked up once. */
typedef struct
{
  guint32 bus, spacing, window, refresh, channel;
} Parts;

/* What shares a data bus. */
typedef struct
{
  guint64 col_ready; /* last column + max (tCCD, burst) */
  guint64 data_end;
  guint64 read_ready; /* end of write data + tWTR */
} Bus;

/* What shares an activation window. */
typedef struct
{
  guint64 act_ready; /* last ACT + tRRD */
  guint64 last[4];   /* ACT times + tFAW, the oldest at next */
  guint   next;
} Window;

/* A channel's command bus. */
typedef struct
{
  guint64 row_ready;
  guint64 col_ready;
} CommandBus;

struct _TlBankRules
{
  TlMemory    memory;
  guint32     n_domains, n_buses, n_spacings, n_windows, n_refreshes, n_channels;
  Domain     *domains;
  Parts      *parts; /* of each domain */
  Bus        *buses;
  Window     *spacings;  /* by tRRD_scope: act_ready only */
  Window     *windows;   /* by tFAW_scope: last only */
  guint64    *refreshed; /* by refresh_scope: REF + tRFC */
  CommandBus *channels;
};

const char *
tl_row_class_name (TlRowClass row_class)
{
  static const char *const names[TL_N_ROW_CLASSES] = { "hit", "miss", "conflict", "forwarded" };

  return row_class < TL_N_ROW_CLASSES ? names[row_class] : "?";
}

TlBankRules *
tl_bank_rules_new (const TlMemory *memory)
{
  TlBankRules *rules = g_new0 (TlBankRules, 1);

  rules->memory = *memory;
  rules->n_domains = tl_memory_domains (memory);
  rules->n_buses = tl_memory_scopes (memory, memory->data_bus);
  rules->n_spacings = tl_memory_scopes (memory, memory->tRRD_scope);
  rules->n_windows = tl_memory_scopes (memory, memory->tFAW_scope);
  rules->n_refreshes = tl_memory_scopes (memory, memory->refresh_scope);
  rules->n_channels = tl_memory_scopes (memory, TL_SCOPE_CHANNEL);
  rules->domains = g_new0 (Domain, rules->n_domains);
  rules->parts = g_new (Parts, rules->n_domains);
  for (guint32 d = 0; d < rules->n_domains; d++)
    rules->parts[d] = (Parts) {
      .bus = tl_memory_scope_of (memory, memory->data_bus, d),
      .spacing = tl_memory_scope_of (memory, memory->tRRD_scope, d),
      .window = tl_memory_scope_of (memory, memory->tFAW_scope, d),
      .refresh = tl_memory_scope_of (memory, memory->refresh_scope, d),
      .channel = tl_memory_scope_of (memory, TL_SCOPE_CHANNEL, d),
    };
  rules->buses = g_new0 (Bus, rules->n_buses);
  rules->spacings = g_new0 (Window, rules->n_spacings);
  rules->windows = g_new0 (Window, rules->n_windows);
  rules->refreshed = g_new0 (guint64, rules->n_refreshes);
  rules->channels = g_new0 (CommandBus, rules->n_channels);
  return rules;
}

void
tl_bank_rules_free (TlBankRules *rules)
{
  g_free (rules->domains);
  g_free (rules->parts);
  g_free (rules->buses);
  g_free (rules->spacings);
  g_free (rules->windows);
  g_free (rules->refreshed);
  g_free (rules->channels);
  g_free (rules);
}

void
tl_bank_rules_reset (TlBankRules *rules)
{
  memset (rules->domains, 0, rules->n_domains * sizeof (Domain));
  memset (rules->buses, 0, rules->n_buses * sizeof (Bus));
  memset (rules->spacings, 0, rules->n_spacings * sizeof (Window));
  memset (rules->windows, 0, rules->n_windows * sizeof (Window));
  memset (rules->refreshed, 0, rules->n_refreshes * sizeof (guint64));
  memset (rules->channels, 0, rules->n_channels * sizeof (CommandBus));
}

void
tl_bank_rules_carry (TlBankRules *rules, TlCarry *carry)
{
  tl_carry (carry, rules->domains, rules->n_domains * sizeof (Domain));
  tl_carry (carry, rules->buses, rules->n_buses * sizeof (Bus));
  tl_carry (carry, rules->spacings, rules->n_spacings * sizeof (Window));
  tl_carry (carry, rules->windows, rules->n_windows * sizeof (Window));
  tl_carry (carry, rules->refreshed, rules->n_refreshes * sizeof (guint64));
  tl_carry (carry, rules->channels, rules->n_channels * sizeof (CommandBus));
}

void
tl_bank_rules_copy (TlBankRules *rules, const TlBankRules *from)
{
  g_return_if_fail (rules->n_domains == from->n_domains && rules->n_buses == from->n_buses
                    && rules->n_spacings == from->n_spacings && rules->n_windows == from->n_windows
                    && rules->n_refreshes == from->n_refreshes);
  memcpy (rules->domains, from->domains, rules->n_domains * sizeof (Domain));
  memcpy (rules->buses, from->buses, rules->n_buses * sizeof (Bus));
  memcpy (rules->spacings, from->spacings, rules->n_spacings * sizeof (Window));
  memcpy (rules->windows, from->windows, rules->n_windows * sizeof (Window));
  memcpy (rules->refreshed, from->refreshed, rules->n_refreshes * sizeof (guint64));
  memcpy (rules->channels, from->channels, rules->n_channels * sizeof (CommandBus));
}

static gboolean
is_column (const TlCommand *command)
{
  return command->kind == TL_COMMAND_RD || command->kind == TL_COMMAND_WR;
}

/* Domains of the refresh scope that @domain is in. */
static void
refreshed_domains (const TlBankRules *rules, guint32 domain, guint32 *from, guint32 *to)
{
  guint32 size = rules->n_domains / rules->n_refreshes;

  *from = domain / size * size;
  *to = *from + size;
}

static guint64
act_earliest (const TlBankRules *rules, guint32 domain)
{
  const Parts  *parts = &rules->parts[domain];
  const Window *spacing = &rules->spacings[parts->spacing];
  const Window *window = &rules->windows[parts->window];
  guint64       time = rules->domains[domain].act_ready;

  if (rules->domains[domain].open)
    return TL_TIME_NEVER;
  time = MAX (time, spacing->act_ready);
  time = MAX (time, window->last[window->next]);
  return MAX (time, rules->refreshed[parts->refresh]);
}

static guint64
column_earliest (const TlBankRules *rules, const TlCommand *command)
{
  const TlMemory     *memory = &rules->memory;
  const Domain       *domain = &rules->domains[command->domain];
  const Bus          *bus = &rules->buses[rules->parts[command->domain].bus];
  const TlTierTiming *tier = &memory->tier[domain->tier];
  guint64             latency = command->kind == TL_COMMAND_RD ? tier->tCL : tier->tCWL;

  if (!domain->open || domain->row != command->row)
    return TL_TIME_NEVER;
  guint64 time = MAX (domain->col_ready, bus->col_ready);
  if (bus->data_end > latency)
    time = MAX (time, bus->data_end - latency);
  return command->kind == TL_COMMAND_RD ? MAX (time, bus->read_ready) : time;
}

static guint64
ref_earliest (const TlBankRules *rules, guint32 domain)
{
  guint64 time = rules->refreshed[rules->parts[domain].refresh];
  guint32 from, to;

  refreshed_domains (rules, domain, &from, &to);
  for (; from < to; from++)
    {
      if (rules->domains[from].open)
        return TL_TIME_NEVER;
      time = MAX (time, rules->domains[from].ref_ready);
    }
  return time;
}

guint64
tl_bank_rules_earliest (const TlBankRules *rules, const TlCommand *command)
{
  guint64 time = TL_TIME_NEVER;

  g_return_val_if_fail (command->domain < rules->n_domains, TL_TIME_NEVER);
  switch ((TlCommandKind) command->kind)
    {
    case TL_COMMAND_ACT:
      time = act_earliest (rules, command->domain);
      break;
    case TL_COMMAND_RD:
    case TL_COMMAND_WR:
      time = column_earliest (rules, command);
      break;
    case TL_COMMAND_PRE:
      if (rules->domains[command->domain].open)
        time = rules->domains[command->domain].pre_ready;
      break;
    case TL_COMMAND_REF:
      time = ref_earliest (rules, command->domain);
      break;
    }
  if (time == TL_TIME_NEVER)
    return time;
  if (rules->memory.command_bus != TL_COMMAND_BUS_NONE)
    {
      const CommandBus *channel = &rules->channels[rules->parts[command->domain].channel];
      time = MAX (time, is_column (command) ? channel->col_ready : channel->row_ready);
    }
  return MAX (time, command->time);
}

guint64
tl_bank_rules_data_end (const TlBankRules *rules, const TlCommand *command)
{
  const TlMemory     *memory = &rules->memory;
  const TlTierTiming *tier = &memory->tier[tl_memory_tier_of (memory, command->domain, command->row)];

  return command->time + (command->kind == TL_COMMAND_RD ? tier->tCL : tier->tCWL) + memory->burst;
}

static void
apply_act (TlBankRules *rules, const TlCommand *command)
{
  const TlMemory *memory = &rules->memory;
  Domain         *domain = &rules->domains[command->domain];

  domain->open = TRUE;
  domain->row = command->row;
  domain->tier = tl_memory_tier_of (memory, command->domain, command->row);
  const TlTierTiming *tier = &memory->tier[domain->tier];
  domain->act_ready = command->time + tier->tRC;
  domain->col_ready = command->time + tier->tRCD;
  domain->pre_ready = command->time + tier->tRAS;
  if (memory->tRRD > 0)
    rules->spacings[rules->parts[command->domain].spacing].act_ready = command->time + memory->tRRD;
  if (memory->tFAW > 0)
    {
      Window *window = &rules->windows[rules->parts[command->domain].window];
      window->last[window->next] = command->time + memory->tFAW;
      window->next = (window->next + 1) % G_N_ELEMENTS (window->last);
    }
}

static void
apply_column (TlBankRules *rules, const TlCommand *command)
{
  const TlMemory     *memory = &rules->memory;
  Domain             *domain = &rules->domains[command->domain];
  Bus                *bus = &rules->buses[rules->parts[command->domain].bus];
  const TlTierTiming *tier = &memory->tier[domain->tier];
  guint64             end = tl_bank_rules_data_end (rules, command);

  bus->col_ready = command->time + MAX (memory->tCCD, memory->burst);
  bus->data_end = end;
  if (command->kind == TL_COMMAND_RD)
    domain->pre_ready = MAX (domain->pre_ready, command->time + tier->tRTP);
  else
    {
      bus->read_ready = end + memory->tWTR;
      domain->pre_ready = MAX (domain->pre_ready, end + tier->tWR);
    }
}

static void
apply_pre (TlBankRules *rules, const TlCommand *command)
{
  Domain *domain = &rules->domains[command->domain];
  guint64 closed = command->time + rules->memory.tier[domain->tier].tRP;

  domain->open = FALSE;
  domain->act_ready = MAX (domain->act_ready, closed);
  domain->ref_ready = closed;
}

void
tl_bank_rules_apply (TlBankRules *rules, const TlCommand *command)
{
  g_return_if_fail (command->domain < rules->n_domains);
  assert (tl_bank_rules_earliest (rules, command) == command->time);
  switch ((TlCommandKind) command->kind)
    {
    case TL_COMMAND_ACT:
      apply_act (rules, command);
      break;
    case TL_COMMAND_RD:
    case TL_COMMAND_WR:
      apply_column (rules, command);
      break;
    case TL_COMMAND_PRE:
      apply_pre (rules, command);
      break;
    case TL_COMMAND_REF:
      rules->refreshed[rules->parts[command->domain].refresh] = command->time + rules->memory.tRFC;
      break;
    }
  if (rules->memory.command_bus == TL_COMMAND_BUS_NONE)
    return;
  CommandBus *channel = &rules->channels[rules->parts[command->domain].channel];
  guint64     next = command->time + rules->memory.clock;
  if (rules->memory.command_bus == TL_COMMAND_BUS_SINGLE || is_column (command))
    channel->col_ready = next;
  if (rules->memory.command_bus == TL_COMMAND_BUS_SINGLE || !is_column (command))
    channel->row_ready = next;
}

gboolean
tl_bank_rules_open_row (const TlBankRules *rules, guint32 domain, guint32 *row)
{
  g_return_val_if_fail (domain < rules->n_domains, FALSE);
  if (rules->domains[domain].open && row != NULL)
    *row = rules->domains[domain].row;
  return rules->domains[domain].open;
}

TlRowClass
tl_bank_rules_classify (const TlBankRules *rules, guint32 domain, guint32 row)
{
  g_return_val_if_fail (domain < rules->n_domains, TL_ROW_MISS);
  if (!rules->domains[domain].open)
    return TL_ROW_MISS;
  return rules->domains[domain].row == row ? TL_ROW_HIT : TL_ROW_CONFLICT;
}
