/* The timing checker. It keeps what was issued, in lists by domain, bus, window and
 * channel, and holds each new command against every earlier one that could still
 * matter, by a table of pairs. models.md section 2. */
#include "dram/checker.h"

#include "base/number.h"

/* A command with what its pairs need. */
typedef struct
{
  TlCommand command;
  guint64   data_from; /* column commands: when their data lie on the bus */
  guint64   data_to;
  guint8    tier; /* of the row; PRE: of the row that it closes */
} Entry;

/* Commands of one part, oldest first. Those older than the horizon are dropped. */
typedef struct
{
  GArray *entries; /* of Entry */
} History;

typedef struct
{
  Entry    opener; /* the ACT of the open row */
  gboolean open;
} Row;

struct _TlChecker
{
  TlMemory memory;
  guint    max_breaches;
  GArray  *breaches; /* of TlBreach */
  guint64  count;
  guint64  commands;
  guint64  horizon; /* no rule reaches further back, ps */
  guint32  n_domains;
  History *domains;
  Row     *rows;
  History *buses;    /* column commands */
  History *spacings; /* ACT, by tRRD_scope */
  History *windows;  /* ACT, by tFAW_scope */
  History *refreshes;
  History *channels;
  guint64 *refresh_count;
  guint64 *latest; /* time of the last command, by the part whose order must hold */
  TlScope  ordered;
};

static History *
histories_new (const TlMemory *memory, TlScope scope)
{
  return g_new0 (History, tl_memory_scopes (memory, scope));
}

static void
histories_free (History *histories, const TlMemory *memory, TlScope scope)
{
  for (guint32 i = 0; i < tl_memory_scopes (memory, scope); i++)
    if (histories[i].entries != NULL)
      g_array_unref (histories[i].entries);
  g_free (histories);
}

/* The sum of all that a rule may add up. */
static guint64
reach (const TlMemory *memory)
{
  guint64 longest = (guint64) memory->tCCD + memory->tRRD + memory->tFAW + memory->tWTR + memory->tRFC + memory->burst
                    + memory->clock;
  guint64 slowest = 0;

  for (guint t = 0; t < memory->tiers; t++)
    {
      const TlTierTiming *tier = &memory->tier[t];
      guint64             sum
          = (guint64) tier->tRCD + tier->tRAS + tier->tRP + tier->tRC + tier->tRTP + tier->tWR + tier->tCL + tier->tCWL;
      slowest = MAX (slowest, sum);
    }
  return longest + slowest;
}

TlChecker *
tl_checker_new (const TlMemory *memory, guint max_breaches)
{
  TlChecker *checker = g_new0 (TlChecker, 1);

  checker->memory = *memory;
  checker->max_breaches = max_breaches;
  checker->breaches = g_array_new (FALSE, FALSE, sizeof (TlBreach));
  checker->horizon = reach (memory);
  checker->n_domains = tl_memory_domains (memory);
  checker->domains = histories_new (memory, TL_SCOPE_BANK);
  checker->rows = g_new0 (Row, checker->n_domains);
  checker->buses = histories_new (memory, memory->data_bus);
  checker->spacings = histories_new (memory, memory->tRRD_scope);
  checker->windows = histories_new (memory, memory->tFAW_scope);
  checker->refreshes = histories_new (memory, memory->refresh_scope);
  checker->channels = histories_new (memory, TL_SCOPE_CHANNEL);
  checker->refresh_count = g_new0 (guint64, tl_memory_scopes (memory, memory->refresh_scope));
  checker->ordered = memory->kind == TL_MACHINE_PIM ? TL_SCOPE_GROUP : TL_SCOPE_CHANNEL;
  checker->latest = g_new0 (guint64, tl_memory_scopes (memory, checker->ordered));
  return checker;
}

void
tl_checker_free (TlChecker *checker)
{
  const TlMemory *memory = &checker->memory;

  histories_free (checker->domains, memory, TL_SCOPE_BANK);
  histories_free (checker->buses, memory, memory->data_bus);
  histories_free (checker->spacings, memory, memory->tRRD_scope);
  histories_free (checker->windows, memory, memory->tFAW_scope);
  histories_free (checker->refreshes, memory, memory->refresh_scope);
  histories_free (checker->channels, memory, TL_SCOPE_CHANNEL);
  g_array_unref (checker->breaches);
  g_free (checker->rows);
  g_free (checker->refresh_count);
  g_free (checker->latest);
  g_free (checker);
}

static void
breach (TlChecker *checker, const char *rule, const TlCommand *first, const TlCommand *second, guint64 missing)
{
  TlBreach found = { rule, *first, *second, missing };

  if (checker->count++ < checker->max_breaches)
    g_array_append_val (checker->breaches, found);
}

static History *
history_of (TlChecker *checker, History *histories, TlScope scope, guint32 domain)
{
  return &histories[tl_memory_scope_of (&checker->memory, scope, domain)];
}

/* Appends, and drops what no rule can reach any more once that is most of the list. */
static void
remember (TlChecker *checker, History *history, const Entry *entry)
{
  if (history->entries == NULL)
    history->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  GArray *entries = history->entries;
  if (entries->len >= 1024 && (entries->len & (entries->len - 1)) == 0)
    {
      guint old = 0;
      while (old < entries->len
             && g_array_index (entries, Entry, old).command.time + checker->horizon < entry->command.time)
        old++;
      /* The windows count entries, not time: four stay. */
      old = MIN (old, entries->len - 4);
      if (old > entries->len / 2)
        g_array_remove_range (entries, 0, old);
    }
  g_array_append_val (entries, *entry);
}

/* --- pairs --- */

#define ACT (1u << TL_COMMAND_ACT)
#define RD  (1u << TL_COMMAND_RD)
#define WR  (1u << TL_COMMAND_WR)
#define PRE (1u << TL_COMMAND_PRE)
#define REF (1u << TL_COMMAND_REF)
#define ANY (ACT | RD | WR | PRE | REF)

typedef guint64 (*Gap) (const TlMemory *memory, const Entry *first);

static guint64
gap_tRCD (const TlMemory *memory, const Entry *first)
{
  return memory->tier[first->tier].tRCD;
}

static guint64
gap_tRAS (const TlMemory *memory, const Entry *first)
{
  return memory->tier[first->tier].tRAS;
}

static guint64
gap_tRP (const TlMemory *memory, const Entry *first)
{
  return memory->tier[first->tier].tRP;
}

static guint64
gap_tRC (const TlMemory *memory, const Entry *first)
{
  return memory->tier[first->tier].tRC;
}

static guint64
gap_tRTP (const TlMemory *memory, const Entry *first)
{
  return memory->tier[first->tier].tRTP;
}

static guint64
gap_tWR (const TlMemory *memory, const Entry *first)
{
  return first->data_to - first->command.time + memory->tier[first->tier].tWR;
}

static guint64
gap_tWTR (const TlMemory *memory, const Entry *first)
{
  return first->data_to - first->command.time + memory->tWTR;
}

static guint64
gap_tCCD (const TlMemory *memory, const Entry *first)
{
  return memory->tCCD;
}

static guint64
gap_burst (const TlMemory *memory, const Entry *first)
{
  return memory->burst;
}

static guint64
gap_tRRD (const TlMemory *memory, const Entry *first)
{
  return memory->tRRD;
}

static guint64
gap_tRFC (const TlMemory *memory, const Entry *first)
{
  return memory->tRFC;
}

static guint64
gap_clock (const TlMemory *memory, const Entry *first)
{
  return memory->clock;
}

/* @second comes no sooner than gap after @first. */
typedef struct
{
  const char *rule;
  guint       first;
  guint       second;
  Gap         gap;
} Pair;

static const Pair domain_pairs[] = {
  { "tRCD", ACT, RD | WR, gap_tRCD }, { "tRAS", ACT, PRE, gap_tRAS }, { "tRP", PRE, ACT, gap_tRP },
  { "tRC", ACT, ACT, gap_tRC },       { "tRTP", RD, PRE, gap_tRTP },  { "tWR", WR, PRE, gap_tWR },
};
static const Pair bus_pairs[] = { { "tCCD", RD | WR, RD | WR, gap_tCCD },
                                  { "data bus", RD | WR, RD | WR, gap_burst },
                                  { "tWTR", WR, RD, gap_tWTR } };
static const Pair spacing_pairs[] = { { "tRRD", ACT, ACT, gap_tRRD } };
static const Pair refresh_pairs[] = { { "tRFC", REF, ACT | REF, gap_tRFC } };
static const Pair refreshed_pairs[] = { { "tRP", PRE, REF, gap_tRP } };
static const Pair single_pairs[] = { { "command bus", ANY, ANY, gap_clock } };
static const Pair split_pairs[] = { { "command bus", RD | WR, RD | WR, gap_clock },
                                    { "command bus", ACT | PRE | REF, ACT | PRE | REF, gap_clock } };

/* Holds @second against all of @history that is near enough. Only the worst breach of
 * a rule is told. */
static void
check_pairs (TlChecker *checker, const History *history, const Entry *second, const Pair *pairs, guint n_pairs)
{
  for (guint p = 0; p < n_pairs; p++)
    {
      const Entry *worst = NULL;
      guint64      missing = 0;

      if ((pairs[p].second >> second->command.kind & 1) == 0 || history->entries == NULL)
        continue;
      for (guint i = history->entries->len; i-- > 0;)
        {
          const Entry *first = &g_array_index (history->entries, Entry, i);
          if (first->command.time + checker->horizon < second->command.time)
            break;
          if ((pairs[p].first >> first->command.kind & 1) == 0)
            continue;
          guint64 earliest = first->command.time + pairs[p].gap (&checker->memory, first);
          if (earliest > second->command.time && earliest - second->command.time > missing)
            {
              worst = first;
              missing = earliest - second->command.time;
            }
        }
      if (worst != NULL)
        breach (checker, pairs[p].rule, &worst->command, &second->command, missing);
    }
}

/* Data lie on a bus one after the other, in the order of their columns. */
static void
check_data (TlChecker *checker, const History *history, const Entry *second)
{
  const Entry *worst = NULL;

  if (history->entries == NULL)
    return;
  for (guint i = history->entries->len; i-- > 0;)
    {
      const Entry *first = &g_array_index (history->entries, Entry, i);
      if (first->command.time + checker->horizon < second->command.time)
        break;
      if (second->data_from < first->data_to && (worst == NULL || first->data_to > worst->data_to))
        worst = first;
    }
  if (worst != NULL)
    breach (checker, "data bus", &worst->command, &second->command, worst->data_to - second->data_from);
}

/* The fourth activation before this one is tFAW away. */
static void
check_window (TlChecker *checker, const History *history, const Entry *second)
{
  if (checker->memory.tFAW == 0 || history->entries == NULL || history->entries->len < 4)
    return;
  const Entry *first = &g_array_index (history->entries, Entry, history->entries->len - 4);
  guint64      earliest = first->command.time + checker->memory.tFAW;
  if (earliest > second->command.time)
    breach (checker, "tFAW", &first->command, &second->command, earliest - second->command.time);
}

/* --- commands --- */

static gboolean
in_place (const TlChecker *checker, const TlCommand *command)
{
  if (command->kind >= TL_N_COMMANDS || command->domain >= checker->n_domains)
    return FALSE;
  if (command->kind == TL_COMMAND_PRE || command->kind == TL_COMMAND_REF)
    return TRUE;
  if (command->row >= tl_memory_domain_rows (&checker->memory))
    return FALSE;
  return command->kind == TL_COMMAND_ACT || command->column < checker->memory.columns;
}

static void
feed_act (TlChecker *checker, Entry *entry)
{
  const TlMemory  *memory = &checker->memory;
  const TlCommand *command = &entry->command;
  Row             *row = &checker->rows[command->domain];
  History         *spacing = history_of (checker, checker->spacings, memory->tRRD_scope, command->domain);
  History         *window = history_of (checker, checker->windows, memory->tFAW_scope, command->domain);

  if (row->open)
    breach (checker, "two open rows", &row->opener.command, command, 0);
  check_pairs (checker, history_of (checker, checker->refreshes, memory->refresh_scope, command->domain), entry,
               refresh_pairs, G_N_ELEMENTS (refresh_pairs));
  if (memory->tRRD > 0)
    check_pairs (checker, spacing, entry, spacing_pairs, G_N_ELEMENTS (spacing_pairs));
  check_window (checker, window, entry);
  remember (checker, spacing, entry);
  remember (checker, window, entry);
  row->open = TRUE;
  row->opener = *entry;
}

static void
feed_column (TlChecker *checker, Entry *entry)
{
  const TlCommand *command = &entry->command;
  const Row       *row = &checker->rows[command->domain];
  History         *bus = history_of (checker, checker->buses, checker->memory.data_bus, command->domain);

  if (!row->open)
    breach (checker, "closed row", command, command, 0);
  else if (row->opener.command.row != command->row)
    breach (checker, "wrong row", &row->opener.command, command, 0);
  check_pairs (checker, bus, entry, bus_pairs, G_N_ELEMENTS (bus_pairs));
  check_data (checker, bus, entry);
  remember (checker, bus, entry);
}

static void
feed_pre (TlChecker *checker, Entry *entry)
{
  Row *row = &checker->rows[entry->command.domain];

  if (!row->open)
    breach (checker, "closed row", &entry->command, &entry->command, 0);
  else
    entry->tier = row->opener.tier;
  row->open = FALSE;
}

static void
feed_ref (TlChecker *checker, Entry *entry)
{
  const TlMemory *memory = &checker->memory;
  guint32         part = tl_memory_scope_of (memory, memory->refresh_scope, entry->command.domain);
  guint32         size = checker->n_domains / tl_memory_scopes (memory, memory->refresh_scope);
  History        *refresh = &checker->refreshes[part];

  for (guint32 d = part * size; d < (part + 1) * size; d++)
    {
      if (checker->rows[d].open)
        breach (checker, "refresh open", &checker->rows[d].opener.command, &entry->command, 0);
      check_pairs (checker, &checker->domains[d], entry, refreshed_pairs, G_N_ELEMENTS (refreshed_pairs));
    }
  check_pairs (checker, refresh, entry, refresh_pairs, G_N_ELEMENTS (refresh_pairs));
  /* The k-th falls due at k * tREFI and may be late by one tREFI. */
  guint64 latest = (++checker->refresh_count[part] + 1) * (guint64) memory->tREFI;
  if (memory->tREFI > 0 && entry->command.time > latest)
    breach (checker, "refresh late", &entry->command, &entry->command, entry->command.time - latest);
  remember (checker, refresh, entry);
}

void
tl_checker_feed (TlChecker *checker, const TlCommand *command)
{
  const TlMemory *memory = &checker->memory;
  Entry           entry = { .command = *command };

  checker->commands++;
  if (!in_place (checker, command))
    {
      breach (checker, "place", command, command, 0);
      return;
    }
  guint64 *latest = &checker->latest[tl_memory_scope_of (memory, checker->ordered, command->domain)];
  if (command->time < *latest)
    breach (checker, "order", command, command, *latest - command->time);
  *latest = MAX (*latest, command->time);
  if (command->kind != TL_COMMAND_PRE && command->kind != TL_COMMAND_REF)
    entry.tier = tl_memory_tier_of (memory, command->domain, command->row);
  if (command->kind == TL_COMMAND_RD || command->kind == TL_COMMAND_WR)
    {
      const TlTierTiming *tier = &memory->tier[entry.tier];
      entry.data_from = command->time + (command->kind == TL_COMMAND_RD ? tier->tCL : tier->tCWL);
      entry.data_to = entry.data_from + memory->burst;
    }

  History *domain = &checker->domains[command->domain];
  check_pairs (checker, domain, &entry, domain_pairs, G_N_ELEMENTS (domain_pairs));
  if (memory->command_bus != TL_COMMAND_BUS_NONE)
    {
      History *channel = history_of (checker, checker->channels, TL_SCOPE_CHANNEL, command->domain);
      if (memory->command_bus == TL_COMMAND_BUS_SINGLE)
        check_pairs (checker, channel, &entry, single_pairs, G_N_ELEMENTS (single_pairs));
      else
        check_pairs (checker, channel, &entry, split_pairs, G_N_ELEMENTS (split_pairs));
      remember (checker, channel, &entry);
    }
  switch ((TlCommandKind) command->kind)
    {
    case TL_COMMAND_ACT:
      feed_act (checker, &entry);
      break;
    case TL_COMMAND_RD:
    case TL_COMMAND_WR:
      feed_column (checker, &entry);
      break;
    case TL_COMMAND_PRE:
      feed_pre (checker, &entry);
      break;
    case TL_COMMAND_REF:
      feed_ref (checker, &entry);
      break;
    }
  remember (checker, domain, &entry);
}

void
tl_checker_finish (TlChecker *checker, guint64 time)
{
  const TlMemory *memory = &checker->memory;
  guint32         parts = tl_memory_scopes (memory, memory->refresh_scope);

  if (memory->tREFI == 0)
    return;
  for (guint32 part = 0; part < parts; part++)
    {
      guint64 due = (checker->refresh_count[part] + 1) * memory->tREFI;
      if (due + memory->tREFI < time)
        {
          TlCommand missed = { due, part * (checker->n_domains / parts), 0, 0, TL_COMMAND_REF };
          breach (checker, "refresh late", &missed, &missed, time - due - memory->tREFI);
        }
    }
}

guint64
tl_checker_count (const TlChecker *checker)
{
  return checker->count;
}

const TlBreach *
tl_checker_breach (const TlChecker *checker, guint index)
{
  return index < checker->breaches->len ? &g_array_index (checker->breaches, TlBreach, index) : NULL;
}

char *
tl_breach_text (const TlBreach *found)
{
  g_autofree char *first = tl_command_text (&found->first);
  g_autofree char *second = tl_command_text (&found->second);

  if (found->missing == 0)
    return g_strdup_printf ("%s: %s after %s", found->rule, second, first);
  return g_strdup_printf ("%s: %s after %s, off by %" G_GUINT64_FORMAT " ps", found->rule, second, first,
                          found->missing);
}

gboolean
tl_check_commands (const TlMemory *memory, const TlCommand *commands, gsize n, TlBreach *found)
{
  g_autoptr (TlChecker) checker = tl_checker_new (memory, 1);
  g_autofree TlCommand *sorted = g_memdup2 (commands, n * sizeof *commands);

  tl_commands_sort (sorted, n);
  for (gsize i = 0; i < n; i++)
    tl_checker_feed (checker, &sorted[i]);
  tl_checker_finish (checker, n > 0 ? sorted[n - 1].time : 0);
  if (checker->count > 0 && found != NULL)
    *found = *tl_checker_breach (checker, 0);
  return checker->count == 0;
}
