/* The commands of a run, one by one: each comes at the earliest time that the bank
 * rules of src/dram allow, not before its tile may begin; and the timing checker,
 * which shares nothing with either, finds no breach. */
#include "dram/bank-rules.h"
#include "dram/checker.h"
#include "fixture.h"
#include "sim/history-private.h"
#include "sim/trace.h"

#include <string.h>

typedef struct
{
  const TlSimPlan *plan;
  TlBankRules     *rules;
  GArray          *commands; /* of one stream */
  guint64         *due;      /* refreshes so far, of each PU */
  guint64          checked;
  const char      *what;
  gint64           late; /* added to every expected time: the control */
  guint64          wrong;
} Feed;

static void
feed_stream (Feed *feed, guint pu, gint64 start)
{
  for (guint c = 0; c < feed->commands->len; c++)
    {
      TlCommand command = g_array_index (feed->commands, TlCommand, c), asked = command;
      guint64   due = (feed->due[pu] + 1) * (guint64) feed->plan->timings.tREFI;

      asked.time = (guint64) start;
      if (command.kind == TL_COMMAND_REF || (command.kind == TL_COMMAND_PRE && command.column == TL_PRE_FOR_REFRESH))
        asked.time = due;
      asked.column = command.kind == TL_COMMAND_PRE ? 0 : command.column;
      feed->due[pu] += command.kind == TL_COMMAND_REF;
      feed->checked++;
      if (tl_bank_rules_earliest (feed->rules, &asked) != command.time + (guint64) feed->late)
        {
          g_autofree char *text = tl_command_text (&command);

          feed->wrong++;
          ck_assert_msg (feed->late != 0, "%s: %s, by the rules at %" G_GUINT64_FORMAT " ps", feed->what, text,
                         tl_bank_rules_earliest (feed->rules, &asked));
        }
      asked.time = command.time;
      tl_bank_rules_apply (feed->rules, &asked);
    }
  g_array_set_size (feed->commands, 0);
}

static void
feed_piece (const TlPiece *piece, gpointer data)
{
  Feed        *feed = data;
  TlCommandTap tap = { .first_domain = piece->task->pu * feed->plan->timings.banks, .commands = feed->commands };
  gint64       now = piece->start, first;
  TlSimCounts  counts = { 0 };
  TlGroup      group;
  TlWork       work;

  tl_piece_before (piece, &group);
  tl_sim_plan_work (feed->plan, piece->task, &work);
  for (guint s = 0; piece->kind != TL_PIECE_STORE && s < work.n_loads; s++)
    {
      gint64 start = now;

      now = tl_group_stream (&group, &feed->plan->timings, &work.load[s], now, &first, &counts, &tap);
      feed_stream (feed, piece->task->pu, start);
    }
  if (piece->kind != TL_PIECE_LOAD)
    {
      gint64 start = piece->kind == TL_PIECE_WHOLE ? now + work.compute : now;

      now = tl_group_stream (&group, &feed->plan->timings, &work.store, start, &first, &counts, &tap);
      feed_stream (feed, piece->task->pu, start);
    }
  ck_assert_int_eq (now, piece->times.end);
  ck_assert (tl_sim_counts_equal (&counts, &piece->tally->total));
}

static guint64
check_rules (TlSimRun *run, const char *what, gint64 late)
{
  TlMemory memory;
  g_autoptr (TlBankRules) rules = NULL;
  g_autoptr (GArray) commands = g_array_new (FALSE, FALSE, sizeof (TlCommand));
  g_autofree guint64 *due = g_new0 (guint64, run->program->machine.pus);
  Feed                feed = { .plan = tl_history_plan (run->history), .commands = commands, .due = due, .what = what };
  TlWatch             watch = { .piece = feed_piece, .data = &feed };

  tl_memory_from_pim (&memory, &run->program->machine);
  memory.pages = run->program->page == TL_PAGE_OPEN ? TL_PAGES_OPEN : TL_PAGES_CLOSED;
  feed.rules = rules = tl_bank_rules_new (&memory);
  feed.late = late;
  tl_history_replay (run->history, 0, G_MAXINT64 / 2, NULL, &watch, NULL, NULL, NULL, NULL);
  ck_assert_uint_gt (feed.checked, 0);
  return feed.wrong;
}

/* All commands of the run in order of time, to the checker. */
static guint64
check_stream (TlSimRun *run, guint64 seed, char **text)
{
  TlMemory memory;
  g_autoptr (GError) error = NULL;
  g_autoptr (TlSimTrace) trace = tl_sim_trace_new (run, 0, G_MAXUINT64, 3000000, NULL, &error);
  g_autoptr (TlChecker) checker = NULL;
  guint64    n = 0, move = G_MAXUINT64;
  TlSimEvent event;
  TlCommand  command;

  ck_assert_msg (trace != NULL, "%s", error != NULL ? error->message : "");
  tl_memory_from_pim (&memory, &run->program->machine);
  memory.pages = run->program->page == TL_PAGE_OPEN ? TL_PAGES_OPEN : TL_PAGES_CLOSED;
  checker = tl_checker_new (&memory, 1);
  if (seed != 0)
    move = tl_test_random_below (&seed, tl_sim_trace_count (trace));
  for (guint64 e = 0; e < tl_sim_trace_count (trace); e++)
    {
      tl_sim_trace_event (trace, e, &event);
      if (!tl_sim_event_command (&event, memory.banks, &command))
        continue;
      n++;
      if (command.kind == TL_COMMAND_PRE)
        command.column = 0;
      /* The control: the first read from here on comes a picosecond early. */
      if (e >= move && command.kind == TL_COMMAND_RD)
        {
          command.time--;
          move = G_MAXUINT64;
        }
      tl_checker_feed (checker, &command);
    }
  tl_checker_finish (checker, run->makespan);
  ck_assert_uint_eq (n, run->total.act + run->total.rd + run->total.wr + run->total.pre + run->total.ref);
  if (tl_checker_count (checker) > 0 && text != NULL)
    *text = tl_breach_text (tl_checker_breach (checker, 0));
  return tl_checker_count (checker);
}

START_TEST (commands_obey_both)
{
  guint64 state = tl_test_seed () + 6;

  for (guint done = 0; done < tl_test_rounds (120);)
    {
      g_autofree char *what = NULL, *breach = NULL;
      g_autoptr (TlPimProgram) program = fixture_random (&state, 6, &what);
      g_autoptr (TlSimRun) run = NULL;

      if (program == NULL)
        continue;
      run = tl_sim_run (program, &(TlSimOptions) { .mode = TL_SIM_FULL }, NULL);
      ck_assert_uint_eq (check_rules (run, what, 0), 0);
      ck_assert_msg (check_stream (run, 0, &breach) == 0, "%s: %s", what, breach);
      done++;
    }
}
END_TEST

static TlSimRun *
standard_run (guint32 n, guint32 tile, guint32 buffers, TlPage page, gboolean refresh)
{
  TlPimMachine     machine = fixture_machine ();
  TlPimProgramSpec spec = {
    .machine = &machine,
    .n = n,
    .tile = tile,
    .buffers = buffers,
    .page = page,
    .place = { TL_PLACE_STRIPE, 0, 7, { 0 } },
  };
  g_autoptr (TlPimProgram) program = NULL;

  if (refresh)
    {
      machine.tREFI = 3900000;
      machine.tRFC = 260000;
    }
  program = fixture_build (&spec);
  return tl_sim_run (program, &(TlSimOptions) { .mode = TL_SIM_FULL }, NULL);
}

/* The product's machine, up to n = 1,024. */
START_TEST (the_product_obeys_both)
{
  static const struct
  {
    guint32  n, tile, buffers;
    TlPage   page;
    gboolean refresh;
  } rows[] = {
    { 1024, 128, 1, TL_PAGE_CLOSED, FALSE }, { 1024, 64, 2, TL_PAGE_CLOSED, FALSE },
    { 600, 100, 1, TL_PAGE_OPEN, FALSE },    { 300, 30, 1, TL_PAGE_CLOSED, TRUE },
    { 300, 30, 2, TL_PAGE_CLOSED, TRUE },    { 300, 30, 1, TL_PAGE_OPEN, TRUE },
    { 300, 30, 2, TL_PAGE_OPEN, TRUE },
  };
  if (rows[_i].n > 600 && tl_test_rounds (10) < 10)
    {
      tl_test_skip ("n = %u takes minutes under sanitizers", rows[_i].n);
      return;
    }
  g_autoptr (TlSimRun) run
      = standard_run (rows[_i].n, rows[_i].tile, rows[_i].buffers, rows[_i].page, rows[_i].refresh);
  g_autofree char *breach = NULL;

  ck_assert_uint_eq (check_rules (run, "product", 0), 0);
  ck_assert_msg (check_stream (run, 0, &breach) == 0, "row %d: %s", _i, breach);
  ck_assert_int_eq (run->total.ref > 0, rows[_i].refresh);
}
END_TEST

START_TEST (both_can_fail)
{
  g_autoptr (TlSimRun) run = standard_run (128, 32, 1, TL_PAGE_CLOSED, FALSE);

  ck_assert_uint_gt (check_rules (run, "control", 1), 0);
  ck_assert_uint_gt (check_stream (run, 7, NULL), 0);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("sim-commands");
  TCase *tcase = tcase_create ("commands");

  tcase_set_timeout (tcase, 300);
  tcase_add_test (tcase, commands_obey_both);
  tcase_add_loop_test (tcase, the_product_obeys_both, 0, 7);
  tcase_add_test (tcase, both_can_fail);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
