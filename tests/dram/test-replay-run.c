/* Time travel: a moment restored equals the moment reached by running, whichever way it
 * is reached; what the moments count equals what the engine counts; searches find what a
 * walk over all events finds. */
#include "travel.h"

#include "dram/engine-copy.h"
#include "support/support.h"

#include <string.h>

/* The run made as a stream of events is the same as one of an engine fed at once, and what
 * its last moment counts is what the engine counts. */
START_TEST (test_same_run)
{
  guint64 seed = tl_test_seed (), state = seed;

  for (guint round = 0; round < tl_test_rounds (60); round++)
    {
      Travel made;
      travel_make (&made, 400, 100, 0, &state);
      g_autoptr (TlReplayCursor) cursor = tl_replay_cursor_new (made.run);
      audit_execute (&made.audit, &state);
      ck_assert_uint_eq (made.audit.events->len, made.events->len);
      for (guint i = 0; i < made.events->len; i++)
        {
          const TlEvent *a = &g_array_index (made.audit.events, TlEvent, i);
          const TlEvent *b = &g_array_index (made.events, TlEvent, i);
          ck_assert (a->time == b->time && a->kind == b->kind && a->request == b->request && a->domain == b->domain);
        }
      const TlReplayMoment *moment = tl_replay_cursor_at_time (cursor, tl_replay_run_end (made.run), NULL);
      TlEngineTotals        totals;
      tl_engine_totals (tl_replay_run_engine (made.run), &totals);
      ck_assert_uint_eq (moment->requests, totals.requests);
      ck_assert_uint_eq (moment->writes, totals.writes);
      ck_assert_uint_eq (moment->act, totals.act);
      ck_assert_uint_eq (moment->pre_conflict, totals.pre_conflict);
      ck_assert_uint_eq (moment->pre_page, totals.pre_page);
      ck_assert_uint_eq (moment->pre_refresh, totals.pre_refresh);
      ck_assert_uint_eq (moment->refreshes, totals.refreshes);
      ck_assert_uint_eq (moment->data_end, totals.makespan);
      ck_assert_uint_eq (tl_replay_moment_waiting (moment), 0);
      ck_assert_int_eq (memcmp (&moment->share, &totals.share, sizeof totals.share), 0);
      for (guint32 d = 0; d < moment->n_domains; d++)
        {
          TlDomainCounts counts;
          tl_engine_domain (tl_replay_run_engine (made.run), d, &counts);
          ck_assert_int_eq (memcmp (&moment->domains[d].counts, &counts, sizeof counts), 0);
        }
      travel_clear (&made);
    }
}
END_TEST

/* An engine loaded from a block goes on as the one that was saved, byte for byte. */
START_TEST (test_save_load)
{
  guint64 state = tl_test_seed ();

  for (guint round = 0; round < tl_test_rounds (60); round++)
    {
      AuditRun run;
      g_autoptr (GByteArray) block = g_byte_array_new ();
      g_autoptr (GByteArray) again = g_byte_array_new ();
      g_autoptr (GByteArray) end_a = g_byte_array_new ();
      g_autoptr (GByteArray) end_b = g_byte_array_new ();
      audit_random (&run, 300, &state);
      TlEngineOptions options = run.options;
      options.sink = NULL;
      g_autoptr (TlEngine) a = tl_engine_new (&run.memory, run.map, &options);
      g_autoptr (TlEngine) b = tl_engine_new (&run.memory, run.map, &options);
      gsize at = tl_test_random_below (&state, run.n);
      ck_assert (tl_engine_feed (a, run.accesses, at, NULL));
      ck_assert (tl_engine_save (a, block));
      /* It may be anywhere before. */
      ck_assert (tl_engine_feed (b, run.accesses + at, run.n - at, NULL));
      ck_assert_uint_eq (tl_engine_load (b, block->data, block->len), block->len);
      ck_assert (tl_engine_save (b, again));
      ck_assert_uint_eq (block->len, again->len);
      ck_assert_int_eq (memcmp (block->data, again->data, block->len), 0);
      ck_assert (tl_engine_feed (a, run.accesses + at, run.n - at, NULL) && tl_engine_finish (a));
      ck_assert (tl_engine_feed (b, run.accesses + at, run.n - at, NULL) && tl_engine_finish (b));
      ck_assert (tl_engine_save (a, end_a) && tl_engine_save (b, end_b));
      ck_assert_uint_eq (end_a->len, end_b->len);
      ck_assert_int_eq (memcmp (end_a->data, end_b->data, end_a->len), 0);
      audit_clear (&run);
    }
}
END_TEST

/* Every moment of a run with checkpoints equals that of a run with a single one, by event
 * and by time; thinning changes nothing. */
START_TEST (test_every_moment)
{
  guint64 seed = tl_test_seed (), state = seed;

  for (guint round = 0; round < tl_test_rounds (40); round++)
    {
      Travel  made, whole, thin;
      guint64 before = state, again = state, third = state;
      travel_make (&made, 300, 20 + tl_test_random_below (&seed, 60), 0, &before);
      travel_make (&whole, 300, G_MAXUINT64 / 2, 0, &again);
      travel_make (&thin, 300, 20, 100 << 10, &third);
      state = before;
      ck_assert_uint_eq (tl_replay_run_n_spans (whole.run), 1);
      ck_assert_uint_gt (tl_replay_run_n_spans (made.run), 2);
      ck_assert (tl_replay_run_n_spans (thin.run) <= 3 || tl_replay_run_bytes (thin.run) <= 100 << 10);
      g_autoptr (TlReplayCursor) a = tl_replay_cursor_new (made.run);
      g_autoptr (TlReplayCursor) b = tl_replay_cursor_new (whole.run);
      g_autoptr (TlReplayCursor) c = tl_replay_cursor_new (thin.run);
      guint64 last = 0;
      for (guint64 e = 0; e <= tl_replay_run_events (made.run); e++)
        {
          const TlReplayMoment *moment = tl_replay_cursor_at_event (b, e, NULL);
          travel_check_equal (tl_replay_cursor_at_event (a, e, NULL), moment, seed, "event");
          travel_check_equal (tl_replay_cursor_at_event (c, e, NULL), moment, seed, "thinned");
          guint64 time = moment->time > last ? last + tl_test_random_below (&state, moment->time - last) : last;
          last = moment->time;
          travel_check_equal (tl_replay_cursor_at_time (a, time, NULL), tl_replay_cursor_at_time (b, time, NULL), seed,
                              "time");
        }
      travel_clear (&made);
      travel_clear (&whole);
      travel_clear (&thin);
    }
}
END_TEST

/* Back N and forward N from random moments is the same moment, by cycle, command, request
 * and conflict. */
START_TEST (test_back_and_forward)
{
  travel_step_about (tl_test_rounds (10), 50, 2000);
}
END_TEST

START_TEST (test_find)
{
  guint64 seed = tl_test_seed (), state = seed;

  for (guint round = 0; round < tl_test_rounds (30); round++)
    {
      Travel made;
      travel_make (&made, 600, 60, 0, &state);
      g_autoptr (TlReplayCursor) cursor = tl_replay_cursor_new (made.run);
      const TlMemory *memory = tl_replay_run_memory (made.run);
      guint64         n = made.events->len;
      for (guint i = 0; i < 60; i++)
        {
          TlEventQuery   query;
          guint64        from = tl_test_random_below (&state, n + 1), found = 0, expected = G_MAXUINT64;
          gboolean       forward = tl_test_random_below (&state, 2);
          const TlEvent *like = &g_array_index (made.events, TlEvent, tl_test_random_below (&state, n));
          tl_event_query_init (&query);
          if (tl_test_random_below (&state, 3) == 0)
            query.kinds = 1u << like->kind;
          if (tl_test_random_below (&state, 3) == 0)
            query.classes = 1u << tl_test_random_below (&state, 4);
          if (tl_test_random_below (&state, 3) == 0)
            query.domain = like->domain;
          if (tl_test_random_below (&state, 3) == 0)
            query.row = like->row;
          if (tl_test_random_below (&state, 4) == 0)
            query.requester = like->requester;
          if (tl_test_random_below (&state, 4) == 0)
            query.operand = like->operand;
          if (tl_test_random_below (&state, 5) == 0)
            query.tier = tl_memory_tier_of (memory, like->domain, like->row);
          if (tl_test_random_below (&state, 5) == 0)
            query.bank = like->domain % memory->banks;
          if (tl_test_random_below (&state, 6) == 0)
            query.request = like->request;
          if (tl_test_random_below (&state, 6) == 0)
            query.reasons = 1u << like->reason;
          for (guint64 e = 0; e < n; e++)
            {
              gboolean means = tl_event_query_matches (&query, memory, &g_array_index (made.events, TlEvent, e));
              if (means && forward && e >= from)
                {
                  expected = e;
                  break;
                }
              if (means && !forward && e < from)
                expected = e;
            }
          gboolean got = tl_replay_cursor_find (cursor, &query, from, forward, &found, NULL, NULL, NULL);
          ck_assert_msg (got == (expected != G_MAXUINT64) && (!got || found == expected),
                         "round %u query %u from %" G_GUINT64_FORMAT " (seed %" G_GUINT64_FORMAT ")", round, i, from,
                         seed);
        }
      travel_clear (&made);
    }
}
END_TEST

START_TEST (test_conflicts)
{
  guint64 state = tl_test_seed ();
  guint   seen = 0;

  for (guint round = 0; round < tl_test_rounds (30); round++)
    {
      Travel made;
      travel_make (&made, 300, 64, 0, &state);
      g_autoptr (TlReplayCursor) cursor = tl_replay_cursor_new (made.run);
      const TlCauses *causes = tl_engine_causes (tl_replay_run_engine (made.run));
      for (guint64 e = 0; e < made.events->len; e++)
        {
          const TlEvent   *event = &g_array_index (made.events, TlEvent, e);
          TlReplayConflict conflict;
          gboolean         is = tl_replay_cursor_conflict (cursor, e, &conflict, NULL);
          ck_assert_int_eq (is, event->kind == TL_EVENT_PRE && event->reason == TL_CLOSE_CONFLICT);
          if (!is)
            continue;
          seen++;
          /* Records are in the order of the ACTs. */
          const TlCause *kept = NULL;
          for (guint k = 0; k < tl_causes_n_kept (causes) && kept == NULL; k++)
            if (tl_causes_kept (causes, k)->closer == event->request)
              kept = tl_causes_kept (causes, k);
          ck_assert_ptr_nonnull (kept);
          ck_assert (kept->time == conflict.cause.time && kept->opener == conflict.cause.opener
                     && kept->opener_unit == conflict.cause.opener_unit
                     && kept->closer_unit == conflict.cause.closer_unit && kept->lost == conflict.cause.lost
                     && kept->domain == conflict.cause.domain && kept->open_row == conflict.cause.open_row
                     && kept->wanted_row == conflict.cause.wanted_row);
        }
      travel_clear (&made);
    }
  ck_assert_uint_gt (seen, 100);
}
END_TEST

/* What comes next by the moment is not later than what came. */
START_TEST (test_next_allowed)
{
  guint64 state = tl_test_seed ();

  for (guint round = 0; round < tl_test_rounds (20); round++)
    {
      Travel made;
      travel_make (&made, 200, 64, 0, &state);
      g_autoptr (TlReplayCursor) cursor = tl_replay_cursor_new (made.run);
      for (guint64 e = 0; e < made.events->len; e++)
        {
          const TlEvent        *event = &g_array_index (made.events, TlEvent, e);
          const TlReplayMoment *moment = tl_replay_cursor_at_event (cursor, e, NULL);
          guint64               ready, close;
          tl_replay_moment_next (moment, event->domain, &ready, &close);
          if (event->kind == TL_EVENT_ACT)
            ck_assert_uint_le (ready, event->time);
          if (event->kind == TL_EVENT_PRE)
            ck_assert_uint_le (close, event->time);
        }
      travel_clear (&made);
    }
}
END_TEST

/* The log gives back what was put in, from memory and from its file. */
START_TEST (test_log)
{
  guint64 state = tl_test_seed ();

  for (guint round = 0; round < 6; round++)
    {
      gsize                n = 1 + tl_test_random_below (&state, 20000);
      g_autofree TlAccess *accesses = g_new0 (TlAccess, n);
      g_autofree guint64  *lines = g_new0 (guint64, n);
      g_autofree TlAccess *read = g_new (TlAccess, TL_ACCESS_BLOCK);
      g_autofree guint64  *read_lines = g_new (guint64, TL_ACCESS_BLOCK);
      g_autoptr (TlAccessLog) log = tl_access_log_new (round % 2 == 0 ? 1 << 24 : 4096);
      for (gsize i = 0; i < n; i++)
        {
          accesses[i] = (TlAccess) {
            .unit = tl_test_random (&state) >> tl_test_random_below (&state, 64),
            .arrival = tl_test_random (&state) >> tl_test_random_below (&state, 64),
            .requester = (guint16) (tl_test_random_below (&state, 2) * tl_test_random (&state)),
            .operand = (guint8) tl_test_random_below (&state, 3),
            .write = (gboolean) tl_test_random_below (&state, 2),
          };
          if (i > 0 && tl_test_random_below (&state, 2))
            accesses[i].unit = accesses[i - 1].unit + 1;
          lines[i] = i > 0 ? lines[i - 1] + tl_test_random_below (&state, 4) : 1;
        }
      for (gsize i = 0; i < n;)
        {
          gsize some = MIN (n - i, 1 + tl_test_random_below (&state, 3000));
          ck_assert (tl_access_log_add (log, accesses + i, lines + i, some, NULL));
          i += some;
        }
      ck_assert (tl_access_log_close (log, NULL));
      ck_assert_uint_eq (tl_access_log_count (log), n);
      if (round % 2 == 1 && n > 4096)
        ck_assert (tl_access_log_is_on_disk (log));
      for (gsize i = 0; i < n; i += TL_ACCESS_BLOCK)
        {
          guint got = tl_access_log_read (log, i / TL_ACCESS_BLOCK, read, read_lines, NULL);
          ck_assert_uint_eq (got, MIN (n - i, TL_ACCESS_BLOCK));
          for (guint k = 0; k < got; k++)
            ck_assert (read[k].unit == accesses[i + k].unit && read[k].arrival == accesses[i + k].arrival
                       && read[k].requester == accesses[i + k].requester && read[k].operand == accesses[i + k].operand
                       && read[k].write == accesses[i + k].write && read_lines[k] == lines[i + k]);
        }
      TlAccess one;
      guint64  line;
      ck_assert (!tl_access_log_get (log, n + TL_ACCESS_BLOCK, &one, &line, NULL));
      ck_assert (tl_access_log_get (log, n - 1, &one, &line, NULL) && line == lines[n - 1]);
    }
}
END_TEST

START_TEST (test_query_words)
{
  TlEventQuery query;
  char        *reason = NULL;

  ck_assert (tl_event_query_parse ("conflict domain:12 row:0x1f", &query, NULL));
  ck_assert_uint_eq (query.classes, 1u << TL_ROW_CONFLICT);
  ck_assert_int_eq (query.domain, 12);
  ck_assert_int_eq (query.row, 31);
  ck_assert (tl_event_query_parse ("ACT,pre tier:3 bank:2 channel:1 operand:1 requester:7 request:99", &query, NULL));
  ck_assert_uint_eq (query.kinds, 1u << TL_EVENT_ACT | 1u << TL_EVENT_PRE);
  ck_assert_uint_eq (query.request, 99);
  ck_assert (!tl_event_query_parse ("conflict colour:3", &query, &reason));
  ck_assert (strstr (reason, "colour") != NULL);
  g_clear_pointer (&reason, g_free);
  ck_assert (!tl_event_query_parse ("row:x", &query, &reason));
  g_clear_pointer (&reason, g_free);
  ck_assert (!tl_event_query_parse ("tier:99", &query, &reason));
  g_clear_pointer (&reason, g_free);
  ck_assert (!tl_event_query_parse ("sideways", &query, &reason));
  g_clear_pointer (&reason, g_free);
}
END_TEST

/* A sink that stops, stops the run. */
static gboolean
stop (const TlEvent *events, gsize n, gpointer data)
{
  return FALSE;
}

START_TEST (test_stopped)
{
  guint64  state = tl_test_seed ();
  AuditRun audit;
  g_autoptr (GError) error = NULL;

  audit_random (&audit, 400, &state);
  g_autoptr (TlAccessLog) log = travel_log (audit.accesses, audit.n, 1 << 20);
  TlReplayRunOptions options
      = { .name = "x", .memory = &audit.memory, .map = audit.map, .options = audit.options, .log = log };
  options.options.sink = stop;
  ck_assert_ptr_null (tl_replay_run_new (&options, &error));
  ck_assert (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED));
  audit_clear (&audit);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("dram-replay-run");
  TCase *tcase = tcase_create ("run");

  tcase_set_timeout (tcase, 120);
  tcase_add_test (tcase, test_same_run);
  tcase_add_test (tcase, test_save_load);
  tcase_add_test (tcase, test_every_moment);
  tcase_add_test (tcase, test_back_and_forward);
  tcase_add_test (tcase, test_find);
  tcase_add_test (tcase, test_conflicts);
  tcase_add_test (tcase, test_next_allowed);
  tcase_add_test (tcase, test_log);
  tcase_add_test (tcase, test_query_words);
  tcase_add_test (tcase, test_stopped);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
