/* The scheduled engine: goldens, timing, what starves, what the policies differ in,
 * and that the checker refuses its streams once they are bent. */
#include <string.h>

#include "audit.h"
#include "dram/checker.h"
#include "dram/replay.h"
#include "golden.h"
#include "support/support.h"

static TlEngine *
run_pattern (TlTarget *target, const char *name, guint64 n, const TlEngineOptions *options)
{
  const TlMemory *memory = tl_target_memory (target);
  TlEngine       *engine = tl_engine_new (memory, tl_target_map (target), options);

  for (guint64 i = 0; i < n; i++)
    {
      TlAccess access = { .unit = golden_address (name, i, memory->unit_bytes) / memory->unit_bytes };
      ck_assert (tl_engine_feed (engine, &access, 1, NULL));
    }
  ck_assert (tl_engine_finish (engine));
  return engine;
}

/* 1,000,000 reads (a tenth in a build with sanitizers: all but the misses grow with the
 * number), refresh off: the counts of both orders, and cycles where another simulator
 * gives them (0: not). The last two rows are wrong on purpose and must fail. */
static const struct
{
  const char *target, *override, *pattern;
  guint64     hit, miss, conflict, cycles;
} goldens[] = {
  { "peer-tier8", NULL, "seq", 875000, 128, 124872, 1999947 },
  { "peer-tier8", NULL, "tile", 500000, 128, 499872, 2935537 },
  { "cu-t8b16", "quantum=64 B", "tile", 500000, 128, 499872, 0 },
  { "peer-hbm2", NULL, "seq", 968750, 32, 31218, 0 },
  { "peer-hbm2", NULL, "tile", 750000, 32, 249968, 0 },
  { "peer-hbm2-128", NULL, "tile", 500000, 16, 499984, 0 },
  { "peer-tier8", NULL, "tile", 500010, 128, 499862, 0 },
  { "peer-tier8", NULL, "tile", 500000, 128, 499872, 3100000 },
};

START_TEST (counts_and_cycles_are_golden)
{
  g_autoptr (TlTarget) target = golden_target (goldens[_i].target, goldens[_i].override);
  TlEngineOptions options;
  TlEngineTotals  totals;

  tl_engine_options_init (&options, target);
  options.refresh = TL_REFRESH_NONE;
  guint64 n = tl_test_rounds (1000000);
  g_autoptr (TlEngine) engine = run_pattern (target, goldens[_i].pattern, n, &options);
  tl_engine_totals (engine, &totals);
  const TlRowCounts *a = &totals.share.in_order, *b = &totals.share.scheduled;
  guint64            hit = goldens[_i].hit * n / 1000000, miss = goldens[_i].miss;
  double             cycles = (double) totals.makespan / tl_target_memory (target)->clock * 1e6 / (double) n;
  double             off = goldens[_i].cycles > 0 ? cycles / (double) goldens[_i].cycles - 1 : 0;
  gboolean           equal = a->hit == hit && a->miss == miss && a->conflict == n - hit - miss
                   && goldens[_i].conflict == 1000000 - goldens[_i].hit - miss && memcmp (a, b, sizeof *a) == 0
                   && off > -0.02 && off < 0.02;
  ck_assert_msg (equal == (_i + 2 < (int) G_N_ELEMENTS (goldens)),
                 "%" G_GUINT64_FORMAT " / %" G_GUINT64_FORMAT " / %" G_GUINT64_FORMAT ", %.0f cycles", b->hit, b->miss,
                 b->conflict, cycles);
  ck_assert_uint_eq (tl_row_counts_sum (b), n);
  ck_assert_uint_eq (totals.act, b->miss + b->conflict);
  ck_assert_uint_eq (totals.pre_conflict, b->conflict);
  ck_assert_uint_eq (totals.pre_page + totals.pre_refresh, 0);
}
END_TEST

/* --- a hand's worth of commands --- */

typedef struct
{
  TlEvent event[64];
  guint   n;
} Few;

static gboolean
keep_few (const TlEvent *events, gsize n, gpointer data)
{
  Few *few = data;

  for (gsize i = 0; i < n && few->n < G_N_ELEMENTS (few->event); i++)
    few->event[few->n++] = events[i];
  return TRUE;
}

/* Two reads of one row, then one of another in the same bank: 14-14-34, single bus. */
START_TEST (a_conflict_by_hand)
{
  static const struct
  {
    guint64 time;
    guint8  kind, row_class;
    guint64 request;
  } wanted[] = {
    { 0, TL_EVENT_ACT, TL_ROW_MISS, 0 },       { 14000, TL_EVENT_RD, TL_CLASS_NONE, 0 },
    { 16000, TL_EVENT_RD, TL_ROW_HIT, 1 },     { 34000, TL_EVENT_PRE, TL_ROW_CONFLICT, 2 },
    { 48000, TL_EVENT_ACT, TL_CLASS_NONE, 2 }, { 62000, TL_EVENT_RD, TL_CLASS_NONE, 2 },
  };
  g_autoptr (TlTarget) target = golden_target ("peer-tier8", NULL);
  TlEngineOptions options;
  TlEngineTotals  totals;
  Few             few = { .n = 0 };
  TlAccess        accesses[] = { { .unit = 0 }, { .unit = 1 }, { .unit = 1 << 10, .requester = 7, .operand = 2 } };

  tl_engine_options_init (&options, target);
  options.sink = keep_few;
  options.sink_data = &few;
  g_autoptr (TlEngine) engine = tl_engine_new (tl_target_memory (target), tl_target_map (target), &options);
  ck_assert (tl_engine_feed (engine, accesses, 3, NULL));
  ck_assert (tl_engine_finish (engine));
  ck_assert_uint_eq (few.n, G_N_ELEMENTS (wanted));
  for (guint i = 0; i < few.n; i++)
    {
      ck_assert_uint_eq (few.event[i].time, wanted[i].time);
      ck_assert_uint_eq (few.event[i].kind, wanted[i].kind);
      ck_assert_uint_eq (few.event[i].row_class, wanted[i].row_class);
      ck_assert_uint_eq (few.event[i].request, wanted[i].request);
    }
  ck_assert_uint_eq (few.event[3].opener, 0);
  ck_assert_uint_eq (few.event[5].requester, 7);
  ck_assert_uint_eq (few.event[5].operand, 2);
  tl_engine_totals (engine, &totals);
  /* Data: 62 + 14 + 2. */
  ck_assert_uint_eq (totals.makespan, 78000);
  /* From 32 ns, the last data of the first row, nobody works until the PRE. */
  ck_assert_uint_eq (totals.active, 76000);
  ck_assert_uint_eq (totals.busy, 76000);
  const TlCauses *causes = tl_engine_causes (engine);
  ck_assert_uint_eq (tl_causes_count (causes), 1);
  const TlCause *cause = tl_causes_kept (causes, 0);
  ck_assert_uint_eq (cause->opener, 0);
  ck_assert_uint_eq (cause->closer, 2);
  ck_assert_uint_eq (cause->opener_unit ^ cause->closer_unit, 1 << 10);
  ck_assert_uint_eq (cause->lost, 28000);
  TlShare share;
  tl_engine_requester (engine, 7, &share);
  ck_assert_uint_eq (share.scheduled.conflict, 1);
  ck_assert_uint_eq (share.lost, 28000);
}
END_TEST

/* A read of a unit that waits to be written is served from the queue, at once. */
START_TEST (reads_are_forwarded)
{
  g_autoptr (TlTarget) target = golden_target ("peer-tier8", NULL);
  TlEngineOptions options;
  TlEngineTotals  totals;
  /* The first two keep the window from running dry, so that the write waits. */
  TlAccess        accesses[]
      = { { .unit = 0 }, { .unit = 1 << 12 }, { .unit = 77, .write = TRUE }, { .unit = 77 }, { .unit = 78 } };

  tl_engine_options_init (&options, target);
  g_autoptr (TlEngine) engine = tl_engine_new (tl_target_memory (target), tl_target_map (target), &options);
  ck_assert (tl_engine_feed (engine, accesses, G_N_ELEMENTS (accesses), NULL));
  ck_assert (tl_engine_finish (engine));
  tl_engine_totals (engine, &totals);
  ck_assert_uint_eq (totals.share.scheduled.forwarded, 1);
  ck_assert_uint_eq (tl_row_counts_sum (&totals.share.scheduled), 5);
  ck_assert_uint_eq (tl_latency_percentile (tl_engine_latency (engine, FALSE), 1), 1);
}
END_TEST

/* --- pages and policies --- */

/* GenDRAM's rule: all its wanted beats, then PRE; no conflicts. */
START_TEST (closed_pages_close)
{
  g_autoptr (TlTarget) target = golden_target ("gendram", NULL);
  TlEngineOptions options;
  TlEngineTotals  totals;
  guint64         state = tl_test_seed ();

  tl_engine_options_init (&options, target);
  ck_assert_int_eq (options.pages, TL_PAGES_CLOSED);
  options.issue = 8;
  g_autoptr (TlEngine) engine = tl_engine_new (tl_target_memory (target), tl_target_map (target), &options);
  for (guint row = 0; row < 7680; row++)
    {
      TlPlaceOf place = { .at = { tl_test_random_below (&state, 16), 0, tl_test_random_below (&state, 8),
                                  tl_test_random_below (&state, 2), tl_test_random_below (&state, 4), row, 0 } };
      for (guint beat = 0; beat < 8; beat++)
        {
          place.at[TL_LEVEL_COLUMN] = beat;
          TlAccess access = { .unit = tl_address_map_join (tl_target_map (target), &place) };
          ck_assert (tl_engine_feed (engine, &access, 1, NULL));
        }
    }
  ck_assert (tl_engine_finish (engine));
  tl_engine_totals (engine, &totals);
  ck_assert_uint_eq (totals.share.in_order.hit, 53760);
  ck_assert_uint_eq (totals.share.scheduled.hit, 53760);
  ck_assert_uint_eq (totals.share.scheduled.miss, 7680);
  ck_assert_uint_eq (totals.share.scheduled.conflict, 0);
  ck_assert_uint_eq (totals.act, 7680);
  ck_assert_uint_eq (totals.pre_page, 7680);
  ck_assert_uint_eq (totals.pre_conflict, 0);
}
END_TEST

/* The lesson: in order both maps differ; a scheduler that seeks hits hides it. */
START_TEST (the_lesson_needs_its_order)
{
  static const struct
  {
    const char *target;
    TlScheduler scheduler;
    guint64     hit;
  } rows[] = {
    { "lesson", TL_SCHEDULER_IN_ORDER, 0 },
    { "lesson-c1", TL_SCHEDULER_IN_ORDER, 6 },
    { "lesson", TL_SCHEDULER_FR_FCFS, 6 },
    { "lesson-c1", TL_SCHEDULER_FR_FCFS, 6 },
  };
  static const guint64 order[8] = { 0, 4, 1, 5, 2, 6, 3, 7 };
  g_autoptr (TlTarget) target = golden_target (rows[_i].target, NULL);
  TlEngineOptions options;
  TlEngineTotals  totals;

  tl_engine_options_init (&options, target);
  ck_assert_int_eq (options.scheduler, TL_SCHEDULER_IN_ORDER);
  options.scheduler = rows[_i].scheduler;
  g_autoptr (TlEngine) engine = tl_engine_new (tl_target_memory (target), tl_target_map (target), &options);
  for (guint i = 0; i < 8; i++)
    {
      TlAccess access = { .unit = order[i] };
      ck_assert (tl_engine_feed (engine, &access, 1, NULL));
    }
  ck_assert (tl_engine_finish (engine));
  tl_engine_totals (engine, &totals);
  ck_assert_uint_eq (totals.share.scheduled.hit, rows[_i].hit);
  ck_assert_uint_eq (totals.share.scheduled.miss, 1);
}
END_TEST

/* Four banks of two rows each: while hits of one bank wait for the bus, closing their
 * row for another request costs them an opening. */
START_TEST (keeping_rows_keeps_hits)
{
  g_autoptr (TlTarget) target = golden_target ("peer-tier8", NULL);
  guint64 hit[2];

  for (guint plain = 0; plain < 2; plain++)
    {
      guint64         state = tl_test_seed ();
      TlEngineOptions options;
      TlEngineTotals  totals;
      tl_engine_options_init (&options, target);
      options.scheduler = plain ? TL_SCHEDULER_PLAIN_FR_FCFS : TL_SCHEDULER_FR_FCFS;
      g_autoptr (TlEngine) engine = tl_engine_new (tl_target_memory (target), tl_target_map (target), &options);
      for (guint i = 0; i < 20000; i++)
        {
          TlAccess access = { .unit = tl_test_random (&state) & (7 | 3 << 6 | 1 << 10) };
          ck_assert (tl_engine_feed (engine, &access, 1, NULL));
        }
      ck_assert (tl_engine_finish (engine));
      tl_engine_totals (engine, &totals);
      hit[plain] = totals.share.scheduled.hit;
      ck_assert_uint_eq (totals.act, totals.share.scheduled.miss + totals.share.scheduled.conflict);
    }
  ck_assert_uint_lt (hit[1], hit[0]);
}
END_TEST

/* --- loads, and who waits --- */

/* Percent of writes; all requests are served, and the queues hold what they may. */
static const guint mixes[] = { 0, 10, 50, 90, 100 };

START_TEST (every_mix_completes)
{
  g_autoptr (TlTarget) target = golden_target ("cu-t8b16", NULL);
  const TlMemory *memory = tl_target_memory (target);
  guint64         units = memory->capacity / memory->unit_bytes, state = tl_test_seed () + (guint64) _i;
  guint           n = tl_test_rounds (60000);
  TlEngineOptions options;
  TlEngineTotals  totals;

  tl_engine_options_init (&options, target);
  g_autoptr (TlEngine) engine = tl_engine_new (memory, tl_target_map (target), &options);
  for (guint i = 0; i < n; i++)
    {
      TlAccess access = { .unit = i % 3 == 0 ? tl_test_random_below (&state, units) : i,
                          .write = tl_test_random_below (&state, 100) < mixes[_i] };
      ck_assert (tl_engine_feed (engine, &access, 1, NULL));
      ck_assert_uint_le (tl_engine_waiting (engine), options.window + options.write_queue);
    }
  ck_assert (tl_engine_finish (engine));
  ck_assert_uint_eq (tl_engine_waiting (engine), 0);
  tl_engine_totals (engine, &totals);
  ck_assert_uint_eq (tl_row_counts_sum (&totals.share.scheduled), n);
  ck_assert_uint_le (totals.most_waiting[0], options.window);
  ck_assert_uint_le (totals.most_waiting[1], options.write_queue);
  if (mixes[_i] == 50)
    ck_assert_uint_ge (totals.most_waiting[1], options.write_high);
  ck_assert_uint_gt (totals.refreshes, 0);
}
END_TEST

/* One request against an endless stream of hits to another row of its bank: with an
 * age it waits for little more than that; without, as long as the stream. */
static guint64
lonely_wait (TlTarget *target, gboolean write, gboolean stream_of_writes, guint64 age, guint64 write_age)
{
  TlEngineOptions options;
  guint           columns = tl_target_memory (target)->columns;

  tl_engine_options_init (&options, target);
  options.refresh = TL_REFRESH_NONE;
  options.age = age;
  options.write_age = write_age;
  g_autoptr (TlEngine) engine = tl_engine_new (tl_target_memory (target), tl_target_map (target), &options);
  for (guint i = 0; i < 20000; i++)
    {
      TlAccess access = { .unit = i == 100 ? 1 << 12 : i % columns,
                          .write = i == 100 ? write : stream_of_writes,
                          .requester = i == 100 };
      ck_assert (tl_engine_feed (engine, &access, 1, NULL));
    }
  ck_assert (tl_engine_finish (engine));
  TlShare share;
  tl_engine_requester (engine, 1, &share);
  return share.latency;
}

START_TEST (nothing_starves)
{
  static const struct
  {
    gboolean write, stream;
  } rows[] = { { FALSE, FALSE }, { FALSE, TRUE }, { TRUE, FALSE }, { TRUE, TRUE } };
  g_autoptr (TlTarget) target = golden_target ("cu-t8b16", NULL);
  gboolean write = rows[_i].write;
  guint64  age = 200000, write_age = 700000;
  /* What one conflict takes, and what is ahead in its queue: a window of hits. */
  guint64  slack = 200000;

  ck_assert_uint_le (lonely_wait (target, write, rows[_i].stream, age, write_age), (write ? write_age : age) + slack);
  /* The bound is the age's doing, except for a read among writes, which no read window is in the way of. */
  guint64 never = G_MAXUINT64;
  if (write || !rows[_i].stream)
    ck_assert_uint_gt (lonely_wait (target, write, rows[_i].stream, never, never), 5000000);
}
END_TEST

/* No latency beyond the age and a full window's worth of conflicts, whatever comes. */
START_TEST (waits_are_bounded)
{
  g_autoptr (TlTarget) target = golden_target ("cu-t4b16c4", NULL);
  const TlMemory *memory = tl_target_memory (target);
  guint64         state = tl_test_seed () + (guint64) _i, longest = 0;
  guint64         units = memory->capacity / memory->unit_bytes;
  TlEngineOptions options;
  TlEngineTotals  totals;

  tl_engine_options_init (&options, target);
  for (guint t = 0; t < memory->tiers; t++)
    longest = MAX (longest, (guint64) memory->tier[t].tRC + memory->tier[t].tCL + memory->tier[t].tWR);
  g_autoptr (TlEngine) engine = tl_engine_new (memory, tl_target_map (target), &options);
  for (guint i = 0; i < tl_test_rounds (40000); i++)
    {
      /* Mostly one bank: the worst there is. */
      guint64  unit = tl_test_random_below (&state, units);
      TlAccess access = { .unit = tl_test_random_below (&state, 4) == 0 ? unit : unit & ~G_GUINT64_CONSTANT (0x3f0),
                          .write = tl_test_random_below (&state, 100) < 30 };
      ck_assert (tl_engine_feed (engine, &access, 1, NULL));
    }
  ck_assert (tl_engine_finish (engine));
  tl_engine_totals (engine, &totals);
  guint64 waits = options.window + options.write_queue;
  ck_assert_uint_le (tl_engine_latency (engine, FALSE)->max, options.age + waits * longest + 4 * memory->tRFC);
  ck_assert_uint_le (tl_engine_latency (engine, TRUE)->max, options.write_age + waits * longest + 4 * memory->tRFC);
}
END_TEST

/* --- refresh and rest --- */

START_TEST (refresh_is_on_time)
{
  static const TlRefresh refreshes[] = { TL_REFRESH_NONE, TL_REFRESH_ALL_BANK, TL_REFRESH_PER_BANK };
  g_autoptr (TlTarget) target = golden_target ("cu-t8b16", NULL);
  const TlMemory *memory = tl_target_memory (target);
  TlEngineOptions options;
  TlEngineTotals  totals;

  tl_engine_options_init (&options, target);
  ck_assert_int_eq (options.refresh, TL_REFRESH_ALL_BANK);
  options.refresh = refreshes[_i];
  g_autoptr (TlEngine) engine = run_pattern (target, "tile", 40000, &options);
  tl_engine_totals (engine, &totals);
  guint64 parts = _i == 2 ? tl_memory_domains (memory) : 1;
  guint64 due = tl_engine_now (engine) / memory->tREFI * parts;
  if (_i == 0)
    ck_assert_uint_eq (totals.refreshes, 0);
  else
    {
      ck_assert_uint_le (totals.refreshes, due);
      ck_assert_uint_ge (totals.refreshes + parts, due);
      ck_assert_uint_gt (totals.pre_refresh, 0);
      ck_assert_uint_ge (totals.share.scheduled.miss, totals.pre_refresh - 128);
    }
}
END_TEST

/* 50 days between two requests take no time to run. */
START_TEST (a_long_rest_is_skipped)
{
  g_autoptr (TlTarget) target = golden_target ("cu-t8b16", NULL);
  const TlMemory *memory = tl_target_memory (target);
  guint64         late = G_GUINT64_CONSTANT (4000000000000000000);
  TlEngineOptions options;
  TlEngineTotals  totals;
  TlAccess        accesses[] = { { .unit = 0 }, { .unit = 0, .arrival = late }, { .unit = 1, .arrival = late } };

  tl_engine_options_init (&options, target);
  g_autoptr (TlEngine) engine = tl_engine_new (memory, tl_target_map (target), &options);
  ck_assert (tl_engine_feed (engine, accesses, 3, NULL));
  ck_assert (tl_engine_finish (engine));
  tl_engine_totals (engine, &totals);
  ck_assert_uint_eq (totals.share.scheduled.miss, 2);
  ck_assert_uint_eq (totals.share.scheduled.hit, 1);
  guint64 due = late / memory->tREFI;
  ck_assert_uint_le (totals.refreshes + totals.self_refreshes, due);
  ck_assert_uint_ge (totals.refreshes + totals.self_refreshes + 2, due);
  ck_assert_uint_lt (totals.refreshes, 100);
  ck_assert_uint_ge (totals.makespan, late);
  ck_assert_uint_lt (totals.active, 1000000);
}
END_TEST

/* --- doors --- */

static gboolean
stop_soon (const TlEvent *events, gsize n, gpointer data)
{
  guint *calls = data;

  return ++*calls < 3;
}

START_TEST (a_sink_stops_it)
{
  g_autoptr (TlTarget) target = golden_target ("cu-t8b16", NULL);
  TlEngineOptions      options;
  guint                calls = 0;
  gsize                taken = 0;
  g_autofree TlAccess *accesses = g_new0 (TlAccess, 100000);

  tl_engine_options_init (&options, target);
  options.sink = stop_soon;
  options.sink_data = &calls;
  g_autoptr (TlEngine) engine = tl_engine_new (tl_target_memory (target), tl_target_map (target), &options);
  for (guint i = 0; i < 100000; i++)
    accesses[i].unit = i;
  ck_assert (!tl_engine_feed (engine, accesses, 100000, &taken));
  ck_assert_uint_eq (calls, 3);
  ck_assert_uint_lt (taken, 5000);
  ck_assert (!tl_engine_finish (engine));
  ck_assert_uint_eq (calls, 3);
}
END_TEST

/* Running until a time gives what running at once gives, when nothing enters later for it. */
START_TEST (it_can_be_run_in_steps)
{
  g_autoptr (TlTarget) target = golden_target ("cu-t8b16", NULL);
  TlEngineTotals totals[2];

  for (guint stepped = 0; stepped < 2; stepped++)
    {
      TlEngineOptions options;
      tl_engine_options_init (&options, target);
      g_autoptr (TlEngine) engine = tl_engine_new (tl_target_memory (target), tl_target_map (target), &options);
      for (guint i = 0; i < 5000; i++)
        {
          TlAccess access = { .unit = i * 37 % 100000, .arrival = i * 20000 };
          ck_assert (tl_engine_feed (engine, &access, 1, NULL));
          if (stepped)
            ck_assert (tl_engine_run_until (engine, i * 20000 + 7000));
        }
      ck_assert (tl_engine_finish (engine));
      tl_engine_totals (engine, &totals[stepped]);
    }
  ck_assert_uint_eq (totals[0].makespan, totals[1].makespan);
  ck_assert_int_eq (memcmp (&totals[0].share, &totals[1].share, sizeof totals[0].share), 0);
}
END_TEST

/* --- bent streams --- */

static const char *const timing_rules[] = { "tRCD", "tRAS", "tRP",  "tRC",  "tCCD",     "tRRD",       "tFAW",
                                            "tRTP", "tWR",  "tWTR", "tRFC", "data bus", "command bus" };

/* Feeds the events with the @at-th @sooner by that many ps. The rule that was broken, or NULL. */
static const char *
broken_rule (const AuditRun *run, guint at, guint64 sooner)
{
  g_autoptr (TlChecker) checker = tl_checker_new (&run->memory, 64);
  g_autofree TlCommand *commands = g_new (TlCommand, run->events->len);
  guint                 n = 0;

  for (guint i = 0; i < run->events->len; i++)
    {
      const TlEvent *event = &g_array_index (run->events, TlEvent, i);
      if (event->kind >= TL_N_COMMANDS)
        continue;
      commands[n] = tl_event_command (event);
      commands[n].time -= i == at ? sooner : 0;
      n++;
    }
  tl_commands_sort (commands, n);
  for (guint i = 0; i < n; i++)
    tl_checker_feed (checker, &commands[i]);
  return tl_checker_count (checker) > 0 ? tl_checker_breach (checker, 0)->rule : NULL;
}

/* What the engine issues as soon as it may is refused when it comes a ps sooner; every
 * rule is the one that binds somewhere. */
START_TEST (bent_streams_are_refused)
{
  guint64 state = tl_test_seed ();
  guint   seen[G_N_ELEMENTS (timing_rules)] = { 0 };

  for (guint round = 0; round < 60; round++)
    {
      AuditRun run;
      audit_random (&run, 120, &state);
      run.memory.tREFI = 900 * run.memory.clock;
      run.memory.tRFC = 300 * run.memory.clock;
      audit_execute (&run, &state);
      for (guint i = 0; i < 25 && run.events->len > 1; i++)
        {
          guint          at = 1 + (guint) tl_test_random_below (&state, run.events->len - 1);
          const TlEvent *event = &g_array_index (run.events, TlEvent, at);
          /* Early enough that some rule is broken, not so early that order is. */
          guint64        gap = event->time - g_array_index (run.events, TlEvent, at - 1).time;
          if (event->kind >= TL_N_COMMANDS || event->time == 0 || gap == 0)
            continue;
          const char *rule = broken_rule (&run, at, 1);
          for (guint r = 0; rule != NULL && r < G_N_ELEMENTS (timing_rules); r++)
            seen[r] += strcmp (rule, timing_rules[r]) == 0;
        }
      audit_clear (&run);
    }
  for (guint r = 0; r < G_N_ELEMENTS (timing_rules); r++)
    ck_assert_msg (seen[r] > 0, "no stream broke %s", timing_rules[r]);
}
END_TEST

/* The same for what a stream may not leave out or change. */
START_TEST (lost_commands_are_missed)
{
  static const struct
  {
    guint8      kind;
    const char *rule;
  } rows[] = { { TL_COMMAND_ACT, "closed row" },
               { TL_COMMAND_PRE, "two open rows" },
               { TL_COMMAND_REF, "refresh late" },
               { TL_COMMAND_RD, "wrong row" } };
  g_autoptr (TlTarget) target = golden_target ("cu-t8b16", NULL);
  const TlMemory *memory = tl_target_memory (target);
  AuditRun        run = { .memory = *memory, .map = tl_address_map_ref (tl_target_map (target)), .n = 8000 };
  guint64         state = tl_test_seed ();

  tl_engine_options_init (&run.options, target);
  run.accesses = g_new0 (TlAccess, run.n);
  for (guint i = 0; i < run.n; i++)
    run.accesses[i].unit = tl_test_random_below (&state, memory->capacity / memory->unit_bytes);
  audit_execute (&run, &state);
  for (guint bent = 0; bent < 2; bent++)
    {
      g_autoptr (TlChecker) checker = tl_checker_new (&run.memory, 1000);
      gboolean done = FALSE, found = FALSE;
      for (guint i = 0; i < run.events->len; i++)
        {
          TlCommand command = tl_event_command (&g_array_index (run.events, TlEvent, i));
          if (bent && !done && i > 1000 && command.kind == rows[_i].kind)
            {
              done = TRUE;
              if (command.kind != TL_COMMAND_RD)
                continue;
              command.row ^= 1;
            }
          tl_checker_feed (checker, &command);
        }
      tl_checker_finish (checker, tl_engine_now (run.engine));
      for (guint i = 0; tl_checker_breach (checker, i) != NULL; i++)
        found |= strcmp (tl_checker_breach (checker, i)->rule, rows[_i].rule) == 0;
      ck_assert_int_eq (found, bent);
      ck_assert_int_eq (tl_checker_count (checker) > 0, bent);
    }
  audit_clear (&run);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("dram-engine");
  TCase *tcase = tcase_create ("engine");

  tcase_set_timeout (tcase, 120);
  tcase_add_loop_test (tcase, counts_and_cycles_are_golden, 0, G_N_ELEMENTS (goldens));
  tcase_add_test (tcase, a_conflict_by_hand);
  tcase_add_test (tcase, reads_are_forwarded);
  tcase_add_test (tcase, closed_pages_close);
  tcase_add_loop_test (tcase, the_lesson_needs_its_order, 0, 4);
  tcase_add_test (tcase, keeping_rows_keeps_hits);
  tcase_add_loop_test (tcase, every_mix_completes, 0, G_N_ELEMENTS (mixes));
  tcase_add_loop_test (tcase, nothing_starves, 0, 4);
  tcase_add_loop_test (tcase, waits_are_bounded, 0, 4);
  tcase_add_loop_test (tcase, refresh_is_on_time, 0, 3);
  tcase_add_test (tcase, a_long_rest_is_skipped);
  tcase_add_test (tcase, a_sink_stops_it);
  tcase_add_test (tcase, it_can_be_run_in_steps);
  tcase_add_test (tcase, bent_streams_are_refused);
  tcase_add_loop_test (tcase, lost_commands_are_missed, 0, 4);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
