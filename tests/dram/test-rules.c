/* Bank rules and checker, held against each other: random legal streams made by the
 * rules pass the checker; a stream mutated against one rule is refused under that
 * rule's name; the earliest time is tight (one ps sooner is refused). */
#include <string.h>

#include "dram/bank-rules.h"
#include "dram/checker.h"
#include "support/support.h"

/* A small machine whose rules all differ, so that each can be the one that binds. */
static TlMemory
small (TlMachineKind kind)
{
  TlMemory memory = {
    .kind = kind,
    .clock = 1000,
    .channels = 2,
    .pseudo_channels = kind == TL_MACHINE_CU ? 2 : 1,
    .tiers = 3,
    .groups = 2,
    .banks = 3,
    .rows = 8,
    .columns = 8,
    .unit_bytes = 64,
    .row_bytes = 512,
    .burst = 2000,
    .tCCD = 3000,
    .tRRD = 4100,
    .tFAW = 23000,
    .tWTR = 6300,
    .data_bus = kind == TL_MACHINE_CU ? TL_SCOPE_PSEUDO_CHANNEL : TL_SCOPE_GROUP,
    .tRRD_scope = kind == TL_MACHINE_CU ? TL_SCOPE_TIER : TL_SCOPE_GROUP,
    .tFAW_scope = kind == TL_MACHINE_CU ? TL_SCOPE_PSEUDO_CHANNEL : TL_SCOPE_GROUP,
    .refresh_scope = kind == TL_MACHINE_CU ? TL_SCOPE_TIER : TL_SCOPE_GROUP,
    .command_bus = TL_COMMAND_BUS_NONE,
  };

  for (guint t = 0; t < memory.tiers; t++)
    memory.tier[t] = (TlTierTiming) { .tRCD = 2290 + 1700 * t,
                                      .tRAS = 29790 + 1700 * t,
                                      .tRP = 4770 + 110 * t,
                                      .tRC = 40000 + 1900 * t,
                                      .tRTP = 5000 + 70 * t,
                                      .tWR = 10000 + 30 * t,
                                      .tCL = 10000 + 500 * t,
                                      .tCWL = 8000 + 300 * t };
  return memory;
}

static void
vary (TlMemory *memory, guint64 *state)
{
  static const TlScope scopes[]
      = { TL_SCOPE_CHANNEL, TL_SCOPE_PSEUDO_CHANNEL, TL_SCOPE_TIER, TL_SCOPE_GROUP, TL_SCOPE_BANK };

  memory->tRRD = tl_test_random_below (state, 2) * 4100;
  memory->tFAW = tl_test_random_below (state, 2) * tl_test_random_below (state, 60000);
  memory->tCCD = tl_test_random_below (state, 6000);
  memory->burst = 1 + tl_test_random_below (state, 6000);
  memory->tWTR = tl_test_random_below (state, 9000);
  for (guint t = 0; t < memory->tiers; t++)
    {
      TlTierTiming *tier = &memory->tier[t];
      tier->tRCD = tl_test_random_below (state, 20000);
      tier->tRAS = tier->tRCD + tl_test_random_below (state, 30000);
      tier->tRP = tl_test_random_below (state, 15000);
      tier->tRC = tier->tRAS + tier->tRP + tl_test_random_below (state, 2) * tl_test_random_below (state, 9000);
      tier->tRTP = tl_test_random_below (state, 20000);
      tier->tWR = tl_test_random_below (state, 20000);
      tier->tCL = tl_test_random_below (state, 20000);
      tier->tCWL = tl_test_random_below (state, 20000);
    }
  if (memory->kind == TL_MACHINE_PIM)
    return;
  memory->data_bus = scopes[tl_test_random_below (state, 5)];
  memory->tRRD_scope = scopes[tl_test_random_below (state, 5)];
  memory->tFAW_scope = scopes[tl_test_random_below (state, 5)];
  memory->refresh_scope = scopes[tl_test_random_below (state, 5)];
  memory->command_bus = tl_test_random_below (state, 3);
}

/* A random legal stream of about @n commands: a random domain each time, a random
 * thing that its state allows, at the earliest time, sometimes later. */
static GArray *
legal_stream (const TlMemory *memory, guint n, gboolean refresh, guint64 *state)
{
  g_autoptr (TlBankRules) rules = tl_bank_rules_new (memory);
  GArray *commands = g_array_new (FALSE, FALSE, sizeof (TlCommand));
  guint32 domains = tl_memory_domains (memory);
  /* With a command bus or shared windows the commands of a channel come in order of time. */
  guint64 now = 0;

  while (commands->len < n)
    {
      TlCommand command = { .domain = tl_test_random_below (state, domains),
                            .row = tl_test_random_below (state, tl_memory_domain_rows (memory)),
                            .column = tl_test_random_below (state, memory->columns),
                            .time = memory->kind == TL_MACHINE_CU ? now : 0 };
      guint     choice = tl_test_random_below (state, 16);
      guint32   row;
      if (!tl_bank_rules_open_row (rules, command.domain, &row))
        command.kind = refresh && choice == 0 ? TL_COMMAND_REF : TL_COMMAND_ACT;
      else
        {
          command.row = row;
          command.kind = choice < 7 ? TL_COMMAND_RD : choice < 12 ? TL_COMMAND_WR : TL_COMMAND_PRE;
        }
      guint64 earliest = tl_bank_rules_earliest (rules, &command);
      if (earliest == TL_TIME_NEVER)
        continue;
      command.time = earliest + (tl_test_random_below (state, 5) == 0 ? tl_test_random_below (state, 30000) : 0);
      tl_bank_rules_apply (rules, &command);
      now = MAX (now, command.time);
      g_array_append_val (commands, command);
    }
  return commands;
}

START_TEST (legal_streams_pass)
{
  guint64 state = tl_test_seed () + _i;

  for (guint round = 0; round < tl_test_rounds (40); round++)
    {
      TlMemory memory = small (round % 2 == 0 ? TL_MACHINE_CU : TL_MACHINE_PIM);
      if (round >= 2)
        vary (&memory, &state);
      memory.tRFC = 50000;
      g_autoptr (GArray) commands = legal_stream (&memory, 1500, TRUE, &state);
      TlBreach breach;
      if (!tl_check_commands (&memory, (TlCommand *) commands->data, commands->len, &breach))
        {
          g_autofree char *text = tl_breach_text (&breach);
          ck_abort_msg ("round %u: %s", round, text);
        }
    }
}
END_TEST

/* The latest time of the commands before the @i-th in the part of the machine whose
 * order counts. */
static guint64
latest (const TlMemory *memory, const TlCommand *commands, guint i)
{
  TlScope scope = memory->kind == TL_MACHINE_PIM ? TL_SCOPE_GROUP : TL_SCOPE_CHANNEL;
  guint32 part = tl_memory_scope_of (memory, scope, commands[i].domain);
  guint64 time = 0;

  for (guint j = 0; j < i; j++)
    if (tl_memory_scope_of (memory, scope, commands[j].domain) == part)
      time = MAX (time, commands[j].time);
  return time;
}

/* Where a command comes last, checker and rules agree to the ps: it is legal at the
 * rules' earliest time and refused one ps before. (Before others the rules, which go by
 * program order, may be stricter.) */
START_TEST (earliest_times_are_tight)
{
  guint64 state = tl_test_seed () + 100 + _i;
  guint   bound = 0;

  for (guint round = 0; round < tl_test_rounds (25); round++)
    {
      TlMemory memory = small (round % 2 == 0 ? TL_MACHINE_CU : TL_MACHINE_PIM);
      if (round >= 2)
        vary (&memory, &state);
      memory.tRFC = 50000;
      /* Without an order between banks the window of the rules counts in program order. */
      if (memory.kind == TL_MACHINE_PIM && memory.tRRD == 0)
        memory.tFAW = 0;
      g_autoptr (GArray) commands = legal_stream (&memory, 300, TRUE, &state);
      TlCommand *all = (TlCommand *) commands->data;
      g_autoptr (TlBankRules) rules = tl_bank_rules_new (&memory);
      for (guint i = 0; i < commands->len; i++)
        {
          TlCommand kept = all[i];
          all[i].time = 0;
          guint64 earliest = tl_bank_rules_earliest (rules, &all[i]);
          ck_assert_uint_le (earliest, kept.time);
          if (earliest > latest (&memory, all, i))
            {
              g_autofree char *text = tl_command_text (&kept);
              all[i].time = earliest;
              ck_assert_msg (tl_check_commands (&memory, all, i + 1, NULL), "round %u: %s", round, text);
              all[i].time = earliest - 1;
              ck_assert_msg (!tl_check_commands (&memory, all, i + 1, NULL),
                             "round %u: %s is legal sooner than %" G_GUINT64_FORMAT, round, text, earliest);
              bound++;
            }
          all[i] = kept;
          tl_bank_rules_apply (rules, &kept);
        }
    }
  ck_assert_uint_gt (bound, tl_test_rounds (300));
}
END_TEST

/* --- one mutated stream a rule --- */

typedef struct
{
  const char *rule;
  TlCommand   commands[8]; /* until one with kind TL_N_COMMANDS */
  guint64     missing;
  guint64     end; /* 0: at the last command */
} Mutation;

#define ACT(d, r, t)                                                                                                   \
  {                                                                                                                    \
    .time = t, .domain = d, .row = r, .kind = TL_COMMAND_ACT                                                           \
  }
#define RD(d, r, c, t)                                                                                                 \
  {                                                                                                                    \
    .time = t, .domain = d, .row = r, .column = c, .kind = TL_COMMAND_RD                                               \
  }
#define WR(d, r, c, t)                                                                                                 \
  {                                                                                                                    \
    .time = t, .domain = d, .row = r, .column = c, .kind = TL_COMMAND_WR                                               \
  }
#define PRE(d, t)                                                                                                      \
  {                                                                                                                    \
    .time = t, .domain = d, .kind = TL_COMMAND_PRE                                                                     \
  }
#define REF(d, t)                                                                                                      \
  {                                                                                                                    \
    .time = t, .domain = d, .kind = TL_COMMAND_REF                                                                     \
  }
#define END                                                                                                            \
  {                                                                                                                    \
    .kind = TL_N_COMMANDS                                                                                              \
  }

/* On the small cu machine: domains 0..2 group 0, 3..5 group 1 of tier 0; 6..11 tier 1.
 * Each would be legal with its last command later by missing. */
static const Mutation mutations[] = {
  { "tRCD", { ACT (0, 1, 0), RD (0, 1, 0, 2289), END }, 1, 0 },
  { "tRCD", { ACT (6, 1, 0), WR (6, 1, 0, 3989), END }, 1, 0 },
  { "tRAS", { ACT (0, 1, 0), PRE (0, 29789), END }, 1, 0 },
  { "tRP", { ACT (0, 1, 0), PRE (0, 36000), ACT (0, 2, 40769), END }, 1, 0 },
  { "tRC", { ACT (0, 1, 0), PRE (0, 29790), ACT (0, 2, 39999), END }, 1, 0 },
  { "tCCD", { ACT (0, 1, 0), RD (0, 1, 0, 10000), RD (0, 1, 1, 12999), END }, 1, 0 },
  { "tRRD", { ACT (0, 1, 0), ACT (3, 1, 4099), END }, 1, 0 },
  { "tFAW", { ACT (0, 1, 0), ACT (1, 1, 5000), ACT (2, 1, 10000), ACT (3, 1, 15000), ACT (4, 1, 22999), END }, 1, 0 },
  { "tRTP", { ACT (0, 1, 0), RD (0, 1, 0, 26000), PRE (0, 30999), END }, 1, 0 },
  { "tWR", { ACT (0, 1, 0), WR (0, 1, 0, 20000), PRE (0, 39999), END }, 1, 0 },
  { "tWTR", { ACT (0, 1, 0), WR (0, 1, 0, 10000), RD (0, 1, 1, 26299), END }, 1, 0 },
  { "tRFC", { REF (0, 1000), ACT (2, 1, 50999), END }, 1, 0 },
  { "tRFC", { REF (0, 1000), REF (3, 50999), END }, 1, 0 },
  { "tRP", { ACT (0, 1, 0), PRE (0, 30000), REF (1, 34769), END }, 1, 0 },
  { "data bus", { ACT (6, 1, 0), ACT (0, 1, 5000), RD (6, 1, 0, 10000), WR (0, 1, 0, 13999), END }, 501, 0 },
  { "closed row", { RD (0, 1, 0, 0), END }, 0, 0 },
  { "closed row", { ACT (0, 1, 0), PRE (0, 30000), WR (0, 1, 0, 50000), END }, 0, 0 },
  { "closed row", { PRE (0, 0), END }, 0, 0 },
  { "wrong row", { ACT (0, 1, 0), RD (0, 2, 0, 10000), END }, 0, 0 },
  { "two open rows", { ACT (0, 1, 0), ACT (0, 2, 50000), END }, 0, 0 },
  { "refresh open", { ACT (0, 1, 0), REF (1, 50000), END }, 0, 0 },
  { "place", { ACT (1000, 1, 0), END }, 0, 0 },
  { "place", { ACT (0, 8, 0), END }, 0, 0 },
  { "place", { ACT (0, 1, 0), RD (0, 1, 8, 10000), END }, 0, 0 },
};

static guint
length (const TlCommand *commands)
{
  guint n = 0;

  while (commands[n].kind != TL_N_COMMANDS)
    n++;
  return n;
}

/* The breaches are all of one rule. Returns how many. */
static guint
breaches (const TlMemory *memory, const TlCommand *commands, guint n, guint64 end, const char *rule, guint64 missing)
{
  g_autoptr (TlChecker) checker = tl_checker_new (memory, 10);

  for (guint i = 0; i < n; i++)
    tl_checker_feed (checker, &commands[i]);
  tl_checker_finish (checker, end != 0 ? end : commands[n - 1].time);
  for (guint i = 0; i < tl_checker_count (checker); i++)
    {
      const TlBreach  *breach = tl_checker_breach (checker, i);
      g_autofree char *text = tl_breach_text (breach);
      ck_assert_msg (strcmp (breach->rule, rule) == 0 && breach->missing == missing, "wanted %s off by %u, got %s",
                     rule, (guint) missing, text);
    }
  return tl_checker_count (checker);
}

START_TEST (each_rule_refuses)
{
  const Mutation *mutation = &mutations[_i];
  TlMemory        memory = small (TL_MACHINE_CU);
  TlCommand       commands[8];
  guint           n = length (mutation->commands);

  memory.tRFC = 50000;
  /* Writes finish sooner than tWTR, so that data of a write can meet those of a read. */
  memcpy (commands, mutation->commands, sizeof commands);
  ck_assert_uint_eq (breaches (&memory, commands, n, mutation->end, mutation->rule, mutation->missing), 1);
  if (mutation->missing > 0)
    {
      commands[n - 1].time += mutation->missing;
      ck_assert_uint_eq (breaches (&memory, commands, n, mutation->end, "none", 0), 0);
    }
  /* The rules forbid the same command at the same time. */
  g_autoptr (TlBankRules) rules = tl_bank_rules_new (&memory);
  for (guint i = 0; i + 1 < n; i++)
    tl_bank_rules_apply (rules, &commands[i]);
  commands[n - 1].time = 0;
  if (strcmp (mutation->rule, "place") != 0)
    ck_assert_uint_eq (tl_bank_rules_earliest (rules, &commands[n - 1]),
                       mutation->missing > 0 ? mutation->commands[n - 1].time + mutation->missing : TL_TIME_NEVER);
}
END_TEST

START_TEST (command_buses_take_one_a_clock)
{
  TlMemory        memory = small (TL_MACHINE_CU);
  const TlCommand rows[] = { ACT (0, 1, 0), ACT (6, 1, 999), END };
  const TlCommand mixed[] = { ACT (0, 1, 0), RD (0, 1, 0, 10000), ACT (6, 1, 10999), END };
  const TlCommand apart[] = { ACT (0, 1, 0), ACT (36, 1, 0), END };

  ck_assert_uint_eq (breaches (&memory, rows, 2, 0, "none", 0), 0);
  memory.command_bus = TL_COMMAND_BUS_SPLIT;
  ck_assert_uint_eq (breaches (&memory, rows, 2, 0, "command bus", 1), 1);
  ck_assert_uint_eq (breaches (&memory, mixed, 3, 0, "none", 0), 0);
  memory.command_bus = TL_COMMAND_BUS_SINGLE;
  ck_assert_uint_eq (breaches (&memory, mixed, 3, 0, "command bus", 1), 1);
  /* Channels have buses of their own. */
  ck_assert_uint_eq (breaches (&memory, apart, 2, 0, "none", 0), 0);
}
END_TEST

START_TEST (refreshes_fall_due)
{
  TlMemory memory = small (TL_MACHINE_CU);

  memory.channels = memory.pseudo_channels = memory.tiers = 1;
  memory.tREFI = 1000000;
  memory.tRFC = 50000;
  /* The first is due at 1,000,000 and may wait until 2,000,000. */
  const TlCommand timely[] = { REF (0, 2000000), REF (3, 3000000), END };
  const TlCommand late[] = { REF (0, 2000001), END };
  const TlCommand second[] = { REF (0, 1000000), REF (0, 3000007), END };
  ck_assert_uint_eq (breaches (&memory, timely, 2, 4000000, "none", 0), 0);
  ck_assert_uint_eq (breaches (&memory, timely, 2, 4000005, "refresh late", 5), 1);
  ck_assert_uint_eq (breaches (&memory, late, 1, 0, "refresh late", 1), 1);
  ck_assert_uint_eq (breaches (&memory, second, 2, 0, "refresh late", 7), 1);
}
END_TEST

START_TEST (time_runs_forward)
{
  TlMemory        memory = small (TL_MACHINE_PIM);
  const TlCommand back[] = { ACT (0, 1, 50000), ACT (1, 1, 40000), END };
  const TlCommand groups[] = { ACT (0, 1, 50000), ACT (3, 1, 40000), END };

  memory.tRRD = memory.tFAW = 0;
  ck_assert_uint_eq (breaches (&memory, back, 2, 0, "order", 10000), 1);
  ck_assert_uint_eq (breaches (&memory, groups, 2, 0, "none", 0), 0);
  ck_assert (tl_check_commands (&memory, back, 2, NULL));
}
END_TEST

/* A row of eight beats as section 3 of the models has it, by hand. */
START_TEST (a_tile_row_by_hand)
{
  TlMemory memory = small (TL_MACHINE_PIM);
  g_autoptr (TlBankRules) rules = NULL;

  memory.burst = memory.tCCD = 1000;
  memory.tRRD = 4000;
  memory.tFAW = 16000;
  rules = tl_bank_rules_new (&memory);
  TlCommand act = ACT (0, 3, 0);
  ck_assert_uint_eq (tl_bank_rules_earliest (rules, &act), 0);
  ck_assert_int_eq (tl_bank_rules_classify (rules, 0, 3), TL_ROW_MISS);
  tl_bank_rules_apply (rules, &act);
  ck_assert_int_eq (tl_bank_rules_classify (rules, 0, 3), TL_ROW_HIT);
  ck_assert_int_eq (tl_bank_rules_classify (rules, 0, 4), TL_ROW_CONFLICT);
  TlCommand other = ACT (1, 3, 0);
  ck_assert_uint_eq (tl_bank_rules_earliest (rules, &other), 4000);
  TlCommand away = ACT (3, 3, 0);
  ck_assert_uint_eq (tl_bank_rules_earliest (rules, &away), 0);
  for (guint beat = 0; beat < 8; beat++)
    {
      TlCommand read = RD (0, 3, beat, 0);
      read.time = tl_bank_rules_earliest (rules, &read);
      ck_assert_uint_eq (read.time, 2290 + 1000 * beat);
      ck_assert_uint_eq (tl_bank_rules_data_end (rules, &read), read.time + 11000);
      tl_bank_rules_apply (rules, &read);
    }
  TlCommand write = WR (0, 3, 0, 0);
  /* Data of the last read end at 20,290; a write's begin 8,000 after its column. */
  ck_assert_uint_eq (tl_bank_rules_earliest (rules, &write), 12290);
  write.time = 40000;
  tl_bank_rules_apply (rules, &write);
  TlCommand read = RD (0, 3, 1, 0);
  ck_assert_uint_eq (tl_bank_rules_earliest (rules, &read), 40000 + 8000 + 1000 + 6300);
  TlCommand pre = PRE (0, 0);
  pre.time = tl_bank_rules_earliest (rules, &pre);
  ck_assert_uint_eq (pre.time, 40000 + 8000 + 1000 + 10000);
  tl_bank_rules_apply (rules, &pre);
  TlCommand again = ACT (0, 9, 0);
  ck_assert_uint_eq (tl_bank_rules_earliest (rules, &again), pre.time + 4770);
  /* A copy goes on from the same state; a reset from none. */
  g_autoptr (TlBankRules) copy = tl_bank_rules_new (&memory);
  tl_bank_rules_copy (copy, rules);
  ck_assert_uint_eq (tl_bank_rules_earliest (copy, &again), pre.time + 4770);
  tl_bank_rules_reset (rules);
  ck_assert_uint_eq (tl_bank_rules_earliest (rules, &again), 0);
}
END_TEST

START_TEST (sorting_is_stable)
{
  guint64               state = tl_test_seed ();
  g_autofree TlCommand *commands = g_new0 (TlCommand, 10000);

  for (guint i = 0; i < 10000; i++)
    {
      commands[i].time = tl_test_random_below (&state, 100);
      commands[i].domain = i;
    }
  tl_commands_sort (commands, 10000);
  for (guint i = 1; i < 10000; i++)
    ck_assert (commands[i - 1].time < commands[i].time
               || (commands[i - 1].time == commands[i].time && commands[i - 1].domain < commands[i].domain));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("dram-rules");
  TCase *tcase = tcase_create ("rules");

  tcase_set_timeout (tcase, 120);
  tcase_add_loop_test (tcase, legal_streams_pass, 0, 4);
  tcase_add_loop_test (tcase, earliest_times_are_tight, 0, 2);
  tcase_add_loop_test (tcase, each_rule_refuses, 0, G_N_ELEMENTS (mutations));
  tcase_add_test (tcase, command_buses_take_one_a_clock);
  tcase_add_test (tcase, refreshes_fall_due);
  tcase_add_test (tcase, time_runs_forward);
  tcase_add_test (tcase, a_tile_row_by_hand);
  tcase_add_test (tcase, sorting_is_stable);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
