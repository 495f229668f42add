/* The pipeline of Search and Compute PUs: queues shallow and deep, who waits for whom,
 * look-ups through the bank rules and over the ring. */
#include "support-pipe.h"

#include "dram/checker.h"

/* --- The pipeline --- */

/* What was sent, by read and candidate. */
static char *
sent_text (const TlPipeRun *run)
{
  GString *text = g_string_new (NULL);

  for (guint r = 0; r < run->searches->len; r++)
    for (guint j = 0; j < run->jobs->len; j++)
      {
        const TlPipeJob *job = &g_array_index (run->jobs, TlPipeJob, j);
        if (job->read == r)
          g_string_append_printf (text, "%u.%u %d %d %u\n", r, job->candidate, job->reverse, (int) job->diagonal,
                                  job->columns);
      }
  return g_string_free (text, FALSE);
}

/* Times and levels that must hold in any run. */
static void
must_add_up (const TlPipeRun *run)
{
  const TlPipeProgram *program = run->program;
  guint                level = 0;

  for (guint32 pu = 0; pu < program->machine.pus; pu++)
    {
      const TlPipeTimes *times = &run->pu[pu];
      guint64            last = 0;

      ck_assert_uint_eq (times->busy + times->stall + times->wait + times->barrier + times->edges + times->idle,
                         run->makespan);
      for (guint s = 0; s < run->spans->len; s++)
        {
          const TlPipeSpan *span = &g_array_index (run->spans, TlPipeSpan, s);
          if (span->pu != pu)
            continue;
          ck_assert (span->from >= last && span->to > span->from && span->to <= run->makespan);
          last = span->to;
        }
    }
  for (guint j = 0; j < run->jobs->len; j++)
    {
      const TlPipeJob *job = &g_array_index (run->jobs, TlPipeJob, j);
      ck_assert (job->offered <= job->sent && job->sent < job->arrived && job->arrived <= job->taken
                 && job->taken < job->done);
      ck_assert (j == 0 || job[-1].done <= job->taken);
    }
  for (guint l = 0; l < run->levels->len; l++)
    {
      guint now = g_array_index (run->levels, TlPipeLevel, l).level;
      ck_assert (now == level + 1 || now + 1 == level);
      ck_assert_uint_le (now, program->depth);
      level = now;
    }
  ck_assert_uint_eq (level, 0);
  ck_assert_uint_le (run->high_water, program->depth);
}

/* A queue of one place and one of a thousand: the same results, other times. */
START_TEST (depth_changes_times_and_nothing_else)
{
  static const guint lengths[] = { 3000, 40, 45, 50, 60, 55, 40, 45, 50, 60, 55, 40, 45, 50, 60,  55, 40, 45,
                                   50,   60, 55, 40, 45, 50, 60, 55, 40, 45, 50, 60, 55, 40, 300, 45, 50, 60 };
  g_autoptr (TlInputs) inputs = reads_of (lengths, G_N_ELEMENTS (lengths));
  g_autoptr (TlBuild) shallow = must_make (STREAM, inputs, SETS ("queue=1", "tile=16", "split=1 : 31"));
  g_autoptr (TlBuild) deep = must_make (STREAM, inputs, SETS ("queue=1000", "tile=16", "split=1 : 31"));
  g_autoptr (TlGridRun) one = must_time (shallow, TRUE);
  g_autoptr (TlGridRun) many = must_time (deep, TRUE);
  g_autoptr (GBytes) paf = tl_grid_run_paf (one);
  g_autoptr (GBytes) other_paf = tl_grid_run_paf (many);
  g_autofree char *sent = sent_text (one->sim), *other_sent = sent_text (many->sim);
  guint            candidates = 0;

  for (guint k = 0; k < one->hits->len; k++)
    candidates += g_array_index (one->hits, TlGridHit, k).candidates;
  ck_assert_uint_eq (one->sim->jobs->len, candidates);
  ck_assert_uint_eq (one->hash, many->hash);
  ck_assert (g_bytes_equal (paf, other_paf));
  ck_assert (strcmp (sent, other_sent) == 0);
  ck_assert_uint_eq (one->sim->lookups, many->sim->lookups);
  ck_assert_uint_gt (one->sim->makespan, many->sim->makespan);
  ck_assert_uint_eq (one->sim->high_water, 1);
  ck_assert_uint_gt (many->sim->high_water, 1);
  must_add_up (one->sim);
  must_add_up (many->sim);
}
END_TEST

static guint64
sum_of (const TlPipeRun *run, TlPipeSpanKind kind, guint32 first, guint32 count)
{
  guint64 sum = 0;

  for (guint s = 0; s < run->spans->len; s++)
    {
      const TlPipeSpan *span = &g_array_index (run->spans, TlPipeSpan, s);
      if (span->kind == kind && span->pu >= first && span->pu < first + count && span->subject < run->jobs->len)
        sum += span->to - span->from;
    }
  return sum;
}

/* Long alignments behind a shallow queue stall the Search PUs; one Search PU with one slow
 * look-up after the other starves the Compute PUs between candidates. */
START_TEST (each_side_waits_where_it_should)
{
  static const guint long_reads[] = { 2000, 2000, 2000, 2000, 2000, 2000, 2000, 2000, 2000, 2000, 2000, 2000 };
  static const guint short_reads[] = { 120, 120, 120, 120, 120, 120 };
  g_autoptr (TlInputs) many = reads_of (long_reads, G_N_ELEMENTS (long_reads));
  g_autoptr (TlInputs) few = reads_of (short_reads, G_N_ELEMENTS (short_reads));
  g_autoptr (TlBuild) producers = must_make (STREAM, many, SETS ("queue=1"));
  /* A machine of one lane: words one after the other. */
  g_autoptr (TlBuild) consumers
      = must_make (STREAM, few, SETS ("split=1 : 31", "target.pes=1", "place.CAL=tier 7", "tile=8"));
  g_autoptr (TlGridRun) stalled = must_time (producers, FALSE);
  g_autoptr (TlGridRun) starved = must_time (consumers, FALSE);
  const TlPipeRun *a = stalled->sim, *b = starved->sim;

  must_add_up (a);
  must_add_up (b);
  ck_assert_uint_gt (sum_of (a, TL_PIPE_SPAN_STALL, 0, 8), 4 * sum_of (a, TL_PIPE_SPAN_LOOKUP, 0, 8));
  ck_assert_uint_eq (sum_of (b, TL_PIPE_SPAN_STALL, 0, 1), 0);
  /* The Compute PUs wait for each candidate but the first nowhere in the first run, everywhere in the second. */
  for (guint s = 0; s < a->spans->len; s++)
    {
      const TlPipeSpan *span = &g_array_index (a->spans, TlPipeSpan, s);
      ck_assert (span->kind != TL_PIPE_SPAN_WAIT || span->subject == 0 || span->subject == a->jobs->len);
    }
  for (guint32 j = 1; j < b->jobs->len; j++)
    {
      gboolean waited = FALSE;

      for (guint s = 0; s < b->spans->len; s++)
        {
          const TlPipeSpan *span = &g_array_index (b->spans, TlPipeSpan, s);
          waited |= span->kind == TL_PIPE_SPAN_WAIT && span->subject == j;
        }
      ck_assert (waited);
    }
}
END_TEST

/* Every word of both strands asks for its pointers, those that stand somewhere for their
 * positions; every command is legal to a checker that shares nothing with the bank rules. */
START_TEST (look_ups_are_real)
{
  static const guint       lengths[] = { 500, 300, 800, 120, 90, 1000 };
  static const char *const pages[] = { "page=closed", "page=open" };
  g_autoptr (TlInputs) inputs = reads_of (lengths, G_N_ELEMENTS (lengths));
  g_autoptr (TlSequences) genome = tl_sequences_generate (30000, 5);
  g_autoptr (TlBuild) build = must_make (
      STREAM, inputs,
      SETS (pages[_i % 2], "place.PTR=fill 1..2", _i < 2 ? NULL : "target.refresh=on", "target.tREFI=900ns"));
  g_autoptr (TlGridRun) run = must_time (build, FALSE);
  const TlPipeRun *sim = run->sim;
  g_autoptr (TlSeedIndex) index = tl_seed_index_new (genome->letters, 30000, 11);
  guint64  words = 0, known = 0, beats = 0;
  TlMemory memory;
  TlBreach breach;

  tl_memory_from_pim (&memory, &build->pipe->machine);
  memory.pages = _i % 2 ? TL_PAGES_OPEN : TL_PAGES_CLOSED;
  gboolean legal
      = tl_check_commands (&memory, (TlCommand *) (gpointer) sim->commands->data, sim->commands->len, &breach);
  g_autofree char *what = legal ? NULL : tl_breach_text (&breach);
  ck_assert_msg (legal, "%s", what);
  g_autoptr (GBytes) bytes = tl_inputs_load (build->inputs, "reads", NULL, NULL, NULL);
  g_autofree char *reads = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_auto (GStrv) lines = g_strsplit (reads, "\n", -1);
  for (guint k = 0; k < G_N_ELEMENTS (lengths); k++)
    {
      g_autofree char    *turned = g_malloc (lengths[k]);
      g_autofree guint32 *entries = g_new (guint32, lengths[k]);

      tl_sequence_complement (lines[2 * k + 1], lengths[k], turned);
      for (guint strand = 0; strand < 2; strand++)
        {
          guint32 n = tl_seed_entries (index, strand == 0 ? lines[2 * k + 1] : turned, lengths[k], entries);

          words += n;
          for (guint32 e = 0; e < n; e++)
            {
              guint32 first = index->ptr[entries[e]], last = index->ptr[entries[e] + 1];
              guint64 at = 4 * (guint64) entries[e];

              beats += (at + 7) / 128 - at / 128 + 1;
              known += last > first;
              if (last > first)
                beats += (4 * (guint64) last - 1) / 128 - 4 * (guint64) first / 128 + 1;
            }
        }
    }
  ck_assert_uint_eq (sim->lookups, words + known);
  ck_assert_uint_eq (sim->total.rd, beats);
  ck_assert_uint_eq (sim->total.hits + sim->total.misses + sim->total.conflicts, beats);
  ck_assert_uint_eq (sim->total.act, sim->total.misses + sim->total.conflicts);
  ck_assert_uint_eq (sim->total.conflicts > 0, _i % 2);
  ck_assert_uint_eq (sim->total.ref > 0, _i >= 2);
  ck_assert_uint_gt (sim->acts_in_tier[1], 0);
  ck_assert_uint_eq (sim->acts_in_tier[0] + sim->acts_in_tier[1], sim->total.act);
}
END_TEST

/* One lane, one word after the other, by hand: a request of 8 bytes round the shorter way, the
 * row's ACT as early as its bank may, the data of the beats asked for, and back. */
START_TEST (a_look_up_goes_there_and_back)
{
  static const guint       lengths[] = { 150 };
  static const char *const sets[][6] = { { "target.pes=1", "split=1 : 31", "tile=8", NULL },
                                         { "target.pes=1", "split=1 : 31", "tile=8", "target.ring_hop=3", NULL },
                                         { "target.pes=1", "split=1 : 31", "tile=8", "target.ring_width=1B", NULL },
                                         { "target.pes=1", "split=1 : 31", "tile=8", "ring=free", NULL },
                                         { "target.pes=1", "split=1 : 31", "tile=8", "place.CAL=tier 7", NULL } };
  g_autoptr (TlInputs) inputs = reads_of (lengths, 1);
  g_autoptr (TlSequences) genome = tl_sequences_generate (30000, 5);
  g_autoptr (TlSeedIndex) index = tl_seed_index_new (genome->letters, 30000, 11);
  g_autoptr (TlBuild) build = must_make (STREAM, inputs, sets[_i]);
  g_autoptr (TlGridRun) run = must_time (build, FALSE);
  const TlPipeProgram *program = build->pipe;
  const TlPimMachine  *pim = &program->machine;
  g_autoptr (GBytes) bytes = tl_inputs_load (build->inputs, "reads", NULL, NULL, NULL);
  g_autofree char *text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autofree char    *turned = g_malloc (lengths[0]);
  g_autofree guint64 *ready = g_new0 (guint64, pim->channels * pim->groups * pim->banks);
  guint32             entries[300], n, hits = 0;
  guint64             now = 0;

  tl_sequence_complement (lines[1], lengths[0], turned);
  n = tl_seed_entries (index, lines[1], lengths[0], entries);
  n += tl_seed_entries (index, turned, lengths[0], entries + n);
  for (guint32 e = 0; e < n; e++)
    for (guint table = 0; table < 2; table++)
      {
        guint64 at = 4 * (guint64) (table == 0 ? entries[e] : index->ptr[entries[e]]), row, back = 0, busy = 0,
                set_out = 0, held = 0;
        guint64  length = table == 0 ? 8 : 4 * (guint64) (index->ptr[entries[e] + 1] - index->ptr[entries[e]]);
        gboolean rising = FALSE;

        hits += table == 1 ? (guint32) length / 4 : 0;
        /* Of an access to two rows the second request follows the first, where both go the same way. */
        for (guint64 end = at + length; at < end; at = MIN (end, (at / 1024 + 1) * 1024))
          {
            guint64 last = MIN (end, (at / 1024 + 1) * 1024) - 1, there = now, act, read;
            guint32 group, bank, tier, hops;

            tl_pipe_object_row (program, table == 0 ? program->pointers : program->positions, at, &group, &bank, &tier,
                                &row);
            const TlTierTiming *timing = &pim->tier[tier];
            hops = MIN (group, 32 - group);
            if (hops > 0 && program->ring == TL_RING_ON)
              {
                there += (hops * pim->ring_hop + (8 + pim->ring_bytes - 1) / pim->ring_bytes) * pim->clock;
                there += rising == (group <= 16) ? busy : 0;
                rising = group <= 16;
                busy = (8 + pim->ring_bytes - 1) / pim->ring_bytes * pim->clock;
              }
            guint64 *bank_ready = &ready[group * pim->banks + bank];
            act = MAX (there, *bank_ready);
            read = act + timing->tRCD + (last / 128 - at / 128) * MAX (pim->tCCD, pim->burst);
            *bank_ready = MAX (act + timing->tRC, MAX (act + timing->tRAS, read + timing->tRTP) + timing->tRP);
            there = read + timing->tCL + pim->burst;
            if (hops > 0 && program->ring == TL_RING_ON)
              {
                guint64 length_of = (last - at + pim->ring_bytes) / pim->ring_bytes * pim->clock;
                guint64 hop = pim->ring_hop * pim->clock;

                /* A part that set out before is ahead: at its own stop from below 16, one hop on from above;
                 * 15's goes the other way round than 16's. */
                guint64 meets = group < 16 ? there + hop : there;
                guint64 free = group == 16 || set_out > there ? 0 : group < 16 ? held : held + hop;
                there += free > meets ? free - meets : 0;
                set_out = there;
                held = there + length_of;
                there += hops * hop + length_of;
              }
            back = MAX (back, there);
          }
        now = MAX (now, back);
      }
  const TlPipeSearch *search = &g_array_index (run->sim->searches, TlPipeSearch, 0);
  ck_assert_uint_eq (search->hits, hits);
  ck_assert_uint_eq (search->to, now + hits * pim->clock);
  ck_assert_uint_eq (search->words, n);
}
END_TEST

/* More lanes than the ring has room for: they wait for each other, on a wider one less. */
START_TEST (look_ups_share_the_ring)
{
  static const guint lengths[] = { 900, 900, 900, 900, 900, 900, 900, 900 };
  g_autoptr (TlInputs) inputs = reads_of (lengths, G_N_ELEMENTS (lengths));
  static const char *const sets[][2]
      = { { "target.ring_width=1B", NULL }, { NULL }, { "target.ring_width=128B", NULL }, { "ring=free", NULL } };
  guint64 waited[4], searched[4];

  for (guint b = 0; b < 4; b++)
    {
      g_autoptr (TlBuild) build = must_make (STREAM, inputs, sets[b]);
      g_autoptr (TlGridRun) run = must_time (build, FALSE);

      waited[b] = run->sim->ring_waited;
      searched[b] = g_array_index (run->sim->searches, TlPipeSearch, 0).to;
      ck_assert_uint_le (run->sim->ring_busy, run->sim->ring_links * run->sim->makespan);
      ck_assert_uint_gt (run->sim->ring_messages, run->sim->lookups);
    }
  for (guint b = 1; b < 4; b++)
    {
      ck_assert_uint_le (waited[b], waited[b - 1]);
      ck_assert_uint_le (searched[b], searched[b - 1]);
    }
  ck_assert_uint_lt (waited[1], waited[0]);
  ck_assert_uint_eq (waited[3], 0);
}
END_TEST

/* A farther tier takes longer, a free ring less. */
START_TEST (tiers_and_ring_set_the_pace)
{
  static const guint lengths[] = { 2000 };
  g_autoptr (TlInputs) inputs = reads_of (lengths, 1);
  static const char *const sets[][3]
      = { { "ring=free", NULL, NULL }, { NULL, NULL, NULL }, { "place.PTR=tier 7", "place.CAL=tier 7", NULL } };
  guint64 searched[3];

  for (guint b = 0; b < 3; b++)
    {
      g_autoptr (TlBuild) build = must_make (STREAM, inputs, sets[b]);
      g_autoptr (TlGridRun) run = must_time (build, FALSE);
      const TlPipeSearch *search = &g_array_index (run->sim->searches, TlPipeSearch, 0);

      searched[b] = search->to - search->from;
      ck_assert_uint_gt (run->sim->makespan, run->sim->critical);
    }
  ck_assert_uint_lt (searched[0], searched[1]);
  ck_assert_uint_lt (searched[1], searched[2]);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("engine-pipeline");
  TCase *tcase = tcase_create ("pipe");

  tcase_set_timeout (tcase, 120);
  tcase_add_test (tcase, depth_changes_times_and_nothing_else);
  tcase_add_test (tcase, each_side_waits_where_it_should);
  tcase_add_loop_test (tcase, look_ups_are_real, 0, 4);
  tcase_add_loop_test (tcase, a_look_up_goes_there_and_back, 0, 5);
  tcase_add_test (tcase, look_ups_share_the_ring);
  tcase_add_test (tcase, tiers_and_ring_set_the_pace);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
