#include "audit.h"

#include <string.h>

#include "dram/checker.h"
#include "support/support.h"

/* --- random machines and traces --- */

static guint64
below (guint64 *state, guint64 bound)
{
  return tl_test_random_below (state, bound);
}

static void
random_memory (TlMemory *memory, guint64 *state)
{
  static const TlScope scopes[]
      = { TL_SCOPE_CHANNEL, TL_SCOPE_PSEUDO_CHANNEL, TL_SCOPE_TIER, TL_SCOPE_GROUP, TL_SCOPE_BANK };
  static const guint32 clocks[] = { 1, 3, 1000 };

  *memory = (TlMemory) {
    .kind = below (state, 4) == 0 ? TL_MACHINE_PIM : TL_MACHINE_CU,
    .clock = clocks[below (state, 3)],
    .channels = 1u << below (state, 2),
    .pseudo_channels = 1u << below (state, 2),
    .tiers = 1u << below (state, 3),
    .groups = 1u << below (state, 2),
    .banks = 1u << below (state, 3),
    .rows = 1u << below (state, 4),
    .columns = 1u << below (state, 4),
    .unit_bytes = 64,
  };
  guint64 unit = memory->clock;
  memory->row_bytes = memory->columns * 64;
  memory->burst = (guint32) (unit * (1 + below (state, 4)));
  memory->tCCD = (guint32) (unit * below (state, 4));
  memory->tRRD = (guint32) (unit * below (state, 2) * below (state, 9));
  memory->tFAW = (guint32) (unit * below (state, 2) * below (state, 40));
  memory->tWTR = (guint32) (unit * below (state, 9));
  for (guint t = 0; t < memory->tiers; t++)
    {
      TlTierTiming *tier = &memory->tier[t];
      tier->tRCD = (guint32) (unit * below (state, 20));
      tier->tRAS = tier->tRCD + (guint32) (unit * below (state, 30));
      tier->tRP = (guint32) (unit * below (state, 15));
      tier->tRC = tier->tRAS + tier->tRP + (guint32) (unit * below (state, 2) * below (state, 20));
      tier->tRTP = (guint32) (unit * below (state, 12));
      tier->tWR = (guint32) (unit * below (state, 20));
      tier->tCL = (guint32) (unit * below (state, 20));
      tier->tCWL = (guint32) (unit * below (state, 20));
      /* Half a clock off, so that nothing rests on a grid. */
      if (below (state, 4) == 0 && unit > 1)
        tier->tCL += (guint32) unit / 2, tier->tRAS += (guint32) unit / 2, tier->tRC += (guint32) unit / 2;
    }
  memory->data_bus = scopes[below (state, 5)];
  memory->tRRD_scope = scopes[below (state, 5)];
  memory->tFAW_scope = scopes[below (state, 5)];
  memory->refresh_scope = scopes[below (state, 5)];
  memory->command_bus = (TlCommandBus) below (state, 3);
  memory->tRFC = (guint32) (unit * (20 + below (state, 80)));
  memory->tREFI = (guint32) (unit * (6000 + below (state, 3000)));
  if (memory->kind == TL_MACHINE_PIM)
    memory->pages = TL_PAGES_CLOSED;
}

static void
random_options (TlEngineOptions *options, const TlMemory *memory, guint64 *state)
{
  guint64 longest = 0;

  for (guint t = 0; t < memory->tiers; t++)
    longest = MAX (longest, memory->tier[t].tRC);
  *options = (TlEngineOptions) {
    .scheduler = below (state, 6) == 0   ? TL_SCHEDULER_IN_ORDER
                 : below (state, 4) == 0 ? TL_SCHEDULER_PLAIN_FR_FCFS
                                         : TL_SCHEDULER_FR_FCFS,
    .pages = (TlPages) below (state, 2),
    .refresh = (TlRefresh) below (state, 3),
    .window = (guint) (below (state, 3) == 0 ? 1 + below (state, 64) : 32),
    .write_queue = (guint) (below (state, 3) == 0 ? below (state, 65) : 32),
    .issue = (guint) (1 + below (state, 2) * below (state, 4)),
    .age = below (state, 5) == 0 ? 0 : below (state, 12) * longest,
    .keep_causes = 64,
  };
  options->write_high = options->write_queue - (guint) below (state, options->write_queue + 1) / 4;
  options->write_low = options->write_high / 4;
  options->write_age = options->age * (1 + below (state, 12));
}

/* Walks, strides, jumps and repeats; bursts and pauses; few or many writes. */
static void
random_accesses (AuditRun *run, guint64 *state)
{
  guint64 units = G_GUINT64_CONSTANT (1) << tl_address_map_bits (run->map);
  guint64 at = below (state, units), stride = 1 + below (state, units), time = 0;
  guint   writes = (guint) below (state, 101), timed = (guint) below (state, 2), hot = (guint) below (state, 4);

  for (gsize i = 0; i < run->n; i++)
    {
      switch (below (state, 8))
        {
        case 0:
          at = below (state, units);
          break;
        case 1:
          at = (at + stride) % units;
          break;
        case 2:
          if (hot > 0)
            at = i > 0 ? run->accesses[below (state, i)].unit : at;
          break;
        default:
          at = (at + 1) % units;
        }
      if (timed && below (state, 4) == 0)
        time += below (state, 40) * run->memory.clock;
      if (timed && below (state, 200) == 0)
        time += below (state, 3) * run->memory.tREFI;
      run->accesses[i] = (TlAccess) {
        .unit = at,
        .arrival = time,
        .write = below (state, 100) < writes,
        .operand = (guint8) below (state, 3),
        .requester = (guint16) below (state, 40),
      };
    }
}

void
audit_random (AuditRun *run, guint n, guint64 *state)
{
  static const char *const cu_maps[] = { "RoBaBgTiPcChCo", "RoCoBaBgTiPcCh", "ChPcTiBgBaRoCo" };
  g_autofree char         *reason = NULL;

  memset (run, 0, sizeof *run);
  random_memory (&run->memory, state);
  run->map = tl_address_map_parse (cu_maps[below (state, 3)], &run->memory, &reason);
  ck_assert_msg (run->map != NULL, "%s", reason);
  random_options (&run->options, &run->memory, state);
  run->n = n;
  run->accesses = g_new (TlAccess, n);
  random_accesses (run, state);
}

static gboolean
keep (const TlEvent *events, gsize n, gpointer data)
{
  GArray *kept = data;

  g_array_append_vals (kept, events, (guint) n);
  return TRUE;
}

void
audit_execute (AuditRun *run, guint64 *state)
{
  gsize at = 0;

  run->events = g_array_new (FALSE, FALSE, sizeof (TlEvent));
  run->options.sink = keep;
  run->options.sink_data = run->events;
  run->engine = tl_engine_new (&run->memory, run->map, &run->options);
  tl_engine_memory (&run->memory, &run->options);
  while (at < run->n)
    {
      gsize piece = 1 + below (state, 100), taken;
      piece = MIN (piece, run->n - at);
      ck_assert (tl_engine_feed (run->engine, run->accesses + at, piece, &taken));
      ck_assert_uint_eq (taken, piece);
      at += piece;
    }
  ck_assert (tl_engine_finish (run->engine));
}

void
audit_clear (AuditRun *run)
{
  g_clear_pointer (&run->map, tl_address_map_unref);
  g_clear_pointer (&run->accesses, g_free);
  g_clear_pointer (&run->engine, tl_engine_free);
  if (run->events != NULL)
    g_array_unref (run->events);
  run->events = NULL;
}

/* --- the audit --- */

#define HOLDS(condition)                                                                                               \
  ck_assert_msg (condition, "round %u, event %u of %u: %s", round, at, run->events->len, #condition)

/* The stream is legal, by the checker and by the bank rules. */
static void
check_timing (AuditRun *run, guint round)
{
  g_autoptr (TlChecker) checker = tl_checker_new (&run->memory, 1);
  g_autoptr (TlBankRules) rules = tl_bank_rules_new (&run->memory);
  guint64 last = 0;

  for (guint at = 0; at < run->events->len; at++)
    {
      const TlEvent *event = &g_array_index (run->events, TlEvent, at);
      HOLDS (event->time >= last);
      last = event->time;
      if (event->kind >= TL_N_COMMANDS)
        continue;
      TlCommand command = tl_event_command (event);
      tl_checker_feed (checker, &command);
      if (tl_checker_count (checker) > 0)
        {
          g_autofree char *text = tl_breach_text (tl_checker_breach (checker, 0));
          ck_abort_msg ("round %u, event %u: %s", round, at, text);
        }
      HOLDS (tl_bank_rules_earliest (rules, &command) == command.time);
      tl_bank_rules_apply (rules, &command);
    }
  tl_checker_finish (checker, tl_engine_now (run->engine));
  ck_assert_uint_eq (tl_checker_count (checker), 0);
}

/* What the audit knows of a domain. */
typedef struct
{
  guint64        row; /* + 1; 0 closed */
  guint64        ordered;
  guint64        opener;
  guint64        reserved; /* request + 1 that had the row closed */
  guint64        closed_at;
  guint64        closed_row;
  guint64        closed_opener;
  guint64        busy_from; /* G_MAXUINT64: not working */
  guint64        busy_to;
  TlDomainCounts counts;
} AuditDomain;

typedef struct
{
  AuditRun      *run;
  AuditDomain   *domains;
  guint8        *classes; /* by request, TL_CLASS_NONE at first */
  guint64       *done;
  TlEngineTotals totals;
  TlShare        operands[3];
  GArray        *causes;
  GArray        *latencies[2];
  guint64        working, data_end, active_from;
} Audit;

static void
place_of (const AuditRun *run, guint64 unit, guint32 *domain, guint64 *row)
{
  guint64 key = tl_address_map_apply (run->map, unit) >> tl_address_map_column_bits (run->map);

  *domain = (guint32) (key >> tl_address_map_row_bits (run->map));
  *row = key & ((G_GUINT64_CONSTANT (1) << tl_address_map_row_bits (run->map)) - 1);
}

static void
count_in_order (Audit *audit)
{
  AuditRun *run = audit->run;

  for (gsize i = 0; i < run->n; i++)
    {
      guint32 d;
      guint64 row;
      place_of (run, run->accesses[i].unit, &d, &row);
      AuditDomain *domain = &audit->domains[d];
      TlRowClass   found = TL_ROW_CONFLICT;
      if (domain->ordered == row + 1)
        found = TL_ROW_HIT;
      else if (domain->ordered == 0 || run->options.pages == TL_PAGES_CLOSED)
        found = TL_ROW_MISS;
      domain->ordered = row + 1;
      domain->counts.share.in_order.of[found]++;
      audit->operands[run->accesses[i].operand].in_order.of[found]++;
      audit->totals.share.in_order.of[found]++;
      audit->totals.writes += run->accesses[i].write;
    }
}

/* The first event of a request: its class by the state before it. */
static void
first_event (Audit *audit, const TlEvent *event, guint round, guint at)
{
  AuditRun    *run = audit->run;
  AuditDomain *domain = &audit->domains[event->domain];
  guint32      d;
  guint64      row;
  TlRowClass   found = TL_ROW_CONFLICT;

  place_of (run, run->accesses[event->request].unit, &d, &row);
  HOLDS (d == event->domain);
  if (event->kind == TL_EVENT_FORWARD)
    found = TL_ROW_FORWARDED;
  else if (domain->row == 0)
    found = TL_ROW_MISS;
  else if (domain->row == row + 1)
    found = TL_ROW_HIT;
  HOLDS (event->row_class == found);
  HOLDS (audit->classes[event->request] == TL_CLASS_NONE);
  audit->classes[event->request] = event->row_class;
  domain->counts.share.scheduled.of[found]++;
  audit->operands[event->operand].scheduled.of[found]++;
  audit->totals.share.scheduled.of[found]++;
  if (found == TL_ROW_FORWARDED)
    return;
  if (audit->working++ == 0 && event->time > audit->data_end)
    {
      audit->totals.active += audit->data_end - audit->active_from;
      audit->active_from = event->time;
    }
  if (domain->busy_from == G_MAXUINT64)
    domain->busy_from = MAX (event->time, domain->busy_to);
}

static void
feed_pre (Audit *audit, const TlEvent *event, guint round, guint at)
{
  AuditRun    *run = audit->run;
  AuditDomain *domain = &audit->domains[event->domain];

  HOLDS (domain->row == (guint64) event->row + 1);
  HOLDS (event->opener == domain->opener);
  HOLDS (domain->reserved == 0);
  HOLDS ((event->reason == TL_CLOSE_CONFLICT) == (event->request != TL_NO_REQUEST));
  HOLDS (event->reason != TL_CLOSE_CONFLICT || event->row_class == TL_ROW_CONFLICT);
  HOLDS (event->reason != (run->options.pages == TL_PAGES_OPEN ? TL_CLOSE_PAGE : TL_CLOSE_CONFLICT));
  domain->counts.pre_conflict += event->reason == TL_CLOSE_CONFLICT;
  domain->counts.pre_page += event->reason == TL_CLOSE_PAGE;
  domain->counts.pre_refresh += event->reason == TL_CLOSE_REFRESH;
  if (event->reason == TL_CLOSE_CONFLICT)
    {
      domain->reserved = event->request + 1;
      domain->closed_at = event->time;
      domain->closed_row = domain->row - 1;
      domain->closed_opener = domain->opener;
    }
  domain->row = 0;
}

static void
feed_act (Audit *audit, const TlEvent *event, guint round, guint at)
{
  AuditRun    *run = audit->run;
  AuditDomain *domain = &audit->domains[event->domain];

  HOLDS (domain->reserved == 0 || domain->reserved == event->request + 1);
  HOLDS ((event->row_class == TL_CLASS_NONE) == (domain->reserved != 0));
  if (domain->reserved != 0)
    {
      guint   tier = tl_memory_tier_of (&run->memory, event->domain, event->row);
      TlCause cause = {
        .time = domain->closed_at,
        .opener = domain->closed_opener,
        .closer = event->request,
        .opener_unit = run->accesses[domain->closed_opener].unit,
        .closer_unit = run->accesses[event->request].unit,
        .lost = event->time + run->memory.tier[tier].tRCD - domain->closed_at,
        .domain = event->domain,
        .open_row = (guint32) domain->closed_row,
        .wanted_row = event->row,
      };
      g_array_append_val (audit->causes, cause);
      domain->counts.share.lost += cause.lost;
    }
  domain->reserved = 0;
  domain->row = (guint64) event->row + 1;
  domain->opener = event->request;
  domain->counts.act++;
}

static void
feed_done (Audit *audit, const TlEvent *event, guint round, guint at)
{
  AuditRun       *run = audit->run;
  AuditDomain    *domain = &audit->domains[event->domain];
  const TlAccess *access = &run->accesses[event->request];
  const TlMemory *memory = &run->memory;
  guint           tier = tl_memory_tier_of (memory, event->domain, event->row);
  guint64         end = event->time + memory->clock;

  HOLDS (!audit->done[event->request]);
  HOLDS (event->kind != (access->write ? TL_EVENT_RD : TL_EVENT_WR));
  HOLDS (event->kind != TL_EVENT_FORWARD || !access->write);
  HOLDS (event->entered >= access->arrival && event->entered <= event->time);
  audit->done[event->request] = 1;
  if (event->kind != TL_EVENT_FORWARD)
    end = event->time + (access->write ? memory->tier[tier].tCWL : memory->tier[tier].tCL) + memory->burst;
  guint64 latency = end - event->entered;
  g_array_append_val (audit->latencies[access->write != 0], latency);
  domain->counts.share.latency += latency;
  audit->operands[event->operand].latency += latency;
  audit->data_end = MAX (audit->data_end, end);
  if (event->kind == TL_EVENT_FORWARD)
    return;
  audit->working--;
  if (domain->busy_from != G_MAXUINT64 && end > domain->busy_from)
    audit->totals.busy += end - domain->busy_from;
  domain->busy_to = MAX (domain->busy_to, end);
  domain->busy_from = G_MAXUINT64;
}

static int
by_value (gconstpointer a, gconstpointer b)
{
  guint64 x = *(const guint64 *) a, y = *(const guint64 *) b;

  return (x > y) - (x < y);
}

static void
check_latency (Audit *audit, gboolean writes, guint round)
{
  GArray          *all = audit->latencies[writes];
  const TlLatency *latency = tl_engine_latency (audit->run->engine, writes);
  guint32          clock = audit->run->memory.clock;
  guint64          sum = 0;

  ck_assert_uint_eq (latency->count, all->len);
  if (all->len == 0)
    return;
  g_array_sort (all, by_value);
  for (guint i = 0; i < all->len; i++)
    sum += g_array_index (all, guint64, i);
  ck_assert_uint_eq (latency->sum, sum);
  ck_assert_uint_eq (latency->max, g_array_index (all, guint64, all->len - 1));
  for (guint percent = 1; percent <= 100; percent += 9)
    {
      guint   rank = (all->len * percent + 99) / 100;
      guint64 ps = g_array_index (all, guint64, MAX (rank, 1) - 1), cycles = (ps + clock - 1) / clock;
      guint64 told = tl_latency_percentile (latency, percent);
      ck_assert_msg (told >= cycles && told <= cycles + cycles / 256,
                     "round %u: p%u is %" G_GUINT64_FORMAT ", not %" G_GUINT64_FORMAT, round, percent, told, cycles);
    }
}

static void
check_causes (Audit *audit, guint round)
{
  const TlCauses *causes = tl_engine_causes (audit->run->engine);

  ck_assert_uint_eq (tl_causes_count (causes), audit->causes->len);
  ck_assert_uint_eq (tl_causes_n_kept (causes), MIN (audit->causes->len, audit->run->options.keep_causes));
  for (guint i = 0; i < tl_causes_n_kept (causes); i++)
    {
      const TlCause *told = tl_causes_kept (causes, i), *made = &g_array_index (audit->causes, TlCause, i);
      ck_assert_msg (told->time == made->time && told->opener == made->opener && told->closer == made->closer
                         && told->opener_unit == made->opener_unit && told->closer_unit == made->closer_unit
                         && told->lost == made->lost && told->domain == made->domain && told->open_row == made->open_row
                         && told->wanted_row == made->wanted_row,
                     "round %u, cause %u", round, i);
    }
}

static gboolean
shares_equal (const TlShare *a, const TlShare *b)
{
  return memcmp (&a->in_order, &b->in_order, sizeof a->in_order) == 0
         && memcmp (&a->scheduled, &b->scheduled, sizeof a->scheduled) == 0 && a->latency == b->latency;
}

static void
check_totals (Audit *audit, guint round)
{
  AuditRun      *run = audit->run;
  TlEngineTotals told;
  TlShare        share;
  guint          at = run->events->len;

  tl_engine_totals (run->engine, &told);
  for (guint32 d = 0; d < tl_memory_domains (&run->memory); d++)
    {
      TlDomainCounts counts;
      tl_engine_domain (run->engine, d, &counts);
      const TlDomainCounts *made = &audit->domains[d].counts;
      HOLDS (shares_equal (&counts.share, &made->share));
      HOLDS (counts.share.lost == made->share.lost);
      HOLDS (counts.act == made->act && counts.pre_conflict == made->pre_conflict && counts.pre_page == made->pre_page
             && counts.pre_refresh == made->pre_refresh);
    }
  for (guint i = 0; i < 3; i++)
    {
      tl_engine_operand (run->engine, i, &share);
      HOLDS (shares_equal (&share, &audit->operands[i]));
    }
  HOLDS (told.requests == run->n && told.writes == audit->totals.writes);
  HOLDS (tl_row_counts_sum (&told.share.scheduled) == run->n && tl_row_counts_sum (&told.share.in_order) == run->n);
  HOLDS (memcmp (&told.share.scheduled, &audit->totals.share.scheduled, sizeof told.share.scheduled) == 0);
  HOLDS (told.act == told.share.scheduled.miss + told.share.scheduled.conflict);
  HOLDS (told.pre_conflict == told.share.scheduled.conflict);
  if (run->options.pages == TL_PAGES_CLOSED)
    HOLDS (told.act == told.pre_page + told.pre_refresh && told.share.scheduled.conflict == 0);
  HOLDS (told.makespan == audit->data_end);
  HOLDS (told.busy == audit->totals.busy);
  HOLDS (told.active == audit->totals.active + audit->data_end - audit->active_from);
  HOLDS (told.most_waiting[0] <= run->options.window && told.most_waiting[1] <= run->options.write_queue);
  if (run->options.refresh == TL_REFRESH_NONE)
    HOLDS (told.pre_refresh == 0 && told.refreshes == 0);
  guint                 n;
  guint64               width, moved = 0;
  const TlBandwidthBin *bins = tl_engine_bandwidth (run->engine, &n, &width);
  for (guint i = 0; i < n; i++)
    moved += bins[i].reads + bins[i].writes;
  HOLDS (moved == run->n - told.share.scheduled.forwarded);
  TlShare sum = { .latency = 0 };
  for (guint i = 0; i < tl_engine_n_requesters (run->engine); i++)
    {
      tl_engine_requester (run->engine, i, &share);
      for (guint c = 0; c < TL_N_ROW_CLASSES; c++)
        sum.scheduled.of[c] += share.scheduled.of[c];
      sum.latency += share.latency;
    }
  HOLDS (memcmp (&sum.scheduled, &told.share.scheduled, sizeof sum.scheduled) == 0
         && sum.latency == told.share.latency);
  sum = (TlShare) { .latency = 0 };
  for (guint t = 0; t < run->memory.tiers; t++)
    {
      tl_engine_tier (run->engine, t, &share);
      for (guint c = 0; c < TL_N_ROW_CLASSES; c++)
        sum.scheduled.of[c] += share.scheduled.of[c];
    }
  HOLDS (memcmp (&sum.scheduled, &told.share.scheduled, sizeof sum.scheduled) == 0);
  if (run->options.scheduler == TL_SCHEDULER_IN_ORDER && run->options.refresh == TL_REFRESH_NONE
      && run->options.pages == TL_PAGES_OPEN)
    HOLDS (memcmp (&told.share.scheduled, &told.share.in_order, sizeof told.share.in_order) == 0);
}

void
audit_check (AuditRun *run, guint round)
{
  Audit audit = { .run = run };

  check_timing (run, round);
  audit.domains = g_new0 (AuditDomain, tl_memory_domains (&run->memory));
  for (guint32 d = 0; d < tl_memory_domains (&run->memory); d++)
    audit.domains[d].busy_from = G_MAXUINT64;
  audit.classes = g_malloc (MAX (run->n, 1));
  memset (audit.classes, TL_CLASS_NONE, run->n);
  audit.done = g_new0 (guint64, MAX (run->n, 1));
  audit.causes = g_array_new (FALSE, FALSE, sizeof (TlCause));
  for (guint i = 0; i < 2; i++)
    audit.latencies[i] = g_array_new (FALSE, FALSE, sizeof (guint64));
  count_in_order (&audit);
  for (guint at = 0; at < run->events->len; at++)
    {
      const TlEvent *event = &g_array_index (run->events, TlEvent, at);
      HOLDS (event->request == TL_NO_REQUEST || event->request < run->n);
      if (event->row_class != TL_CLASS_NONE)
        first_event (&audit, event, round, at);
      if (event->kind == TL_EVENT_PRE)
        feed_pre (&audit, event, round, at);
      else if (event->kind == TL_EVENT_ACT)
        feed_act (&audit, event, round, at);
      else if (event->kind != TL_EVENT_REF)
        feed_done (&audit, event, round, at);
    }
  for (gsize i = 0; i < run->n; i++)
    ck_assert_msg (audit.done[i], "round %u: request %" G_GSIZE_FORMAT " was not served", round, i);
  check_totals (&audit, round);
  check_latency (&audit, FALSE, round);
  check_latency (&audit, TRUE, round);
  check_causes (&audit, round);
  g_free (audit.domains);
  g_free (audit.classes);
  g_free (audit.done);
  g_array_unref (audit.causes);
  g_array_unref (audit.latencies[0]);
  g_array_unref (audit.latencies[1]);
}
