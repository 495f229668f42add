#include "travel.h"

#include "support/support.h"

static gboolean
hear (const TlEvent *events, gsize n, gpointer data)
{
  g_array_append_vals (data, events, (guint) n);
  return TRUE;
}

TlAccessLog *
travel_log (const TlAccess *accesses, gsize n, gsize cap)
{
  TlAccessLog *log = tl_access_log_new (cap);

  ck_assert (tl_access_log_add (log, accesses, NULL, n, NULL));
  ck_assert (tl_access_log_close (log, NULL));
  return log;
}

void
travel_make (Travel *made, guint n, guint64 distance, gsize cap, guint64 *state)
{
  audit_random (&made->audit, n, state);
  made->audit.options.keep_causes = 1u << 20;
  made->events = g_array_new (FALSE, FALSE, sizeof (TlEvent));
  g_autoptr (TlAccessLog) log = travel_log (made->audit.accesses, made->audit.n, 1 << 20);
  TlReplayRunOptions options = {
    .name = "random",
    .memory = &made->audit.memory,
    .map = made->audit.map,
    .options = made->audit.options,
    .log = log,
    .distance = distance,
    .memory_cap = cap,
  };
  options.options.sink = hear;
  options.options.sink_data = made->events;
  made->run = tl_replay_run_new (&options, NULL);
  ck_assert_ptr_nonnull (made->run);
  ck_assert_uint_eq (made->events->len, tl_replay_run_events (made->run));
}

void
travel_clear (Travel *made)
{
  tl_replay_run_unref (made->run);
  g_array_unref (made->events);
  audit_clear (&made->audit);
}

void
travel_check_equal (const TlReplayMoment *a, const TlReplayMoment *b, guint64 seed, const char *where)
{
  g_autofree char *what = NULL;

  if (!tl_replay_moment_equal (a, b, &what))
    ck_abort_msg ("%s: moment %" G_GUINT64_FORMAT " at %" G_GUINT64_FORMAT " and %" G_GUINT64_FORMAT
                  " at %" G_GUINT64_FORMAT " differ in %s (seed %" G_GUINT64_FORMAT ")",
                  where, a->event, a->time, b->event, b->time, what, seed);
}

void
travel_step_about (guint rounds, guint jumps, guint n_accesses)
{
  guint64 seed = tl_test_seed (), state = seed;

  for (guint round = 0; round < rounds; round++)
    {
      Travel made;
      travel_make (&made, n_accesses, 500, 0, &state);
      g_autoptr (TlReplayCursor) cursor = tl_replay_cursor_new (made.run);
      guint64 events = tl_replay_run_events (made.run);
      for (guint jump = 0; jump < jumps; jump++)
        {
          TlReplayStep step = tl_test_random_below (&state, 4);
          guint64      at = tl_test_random_below (&state, events + 1);
          guint        n = 1 + (guint) tl_test_random_below (&state, 40), done = 0;
          /* From a moment that the step itself stops at, so that the way back ends there. */
          g_autoptr (TlReplayMoment) start = NULL;
          const TlReplayMoment *moment = tl_replay_cursor_at_event (cursor, at, NULL);
          if (step != TL_STEP_TO_COMMAND)
            moment = tl_replay_cursor_step (cursor, step, TRUE, NULL);
          if (moment == NULL)
            continue;
          start = tl_replay_moment_copy (moment, tl_replay_run_memory (made.run));
          while (done < n && tl_replay_cursor_step (cursor, step, FALSE, NULL) != NULL)
            done++;
          for (; done > 0; done--)
            ck_assert_ptr_nonnull (moment = tl_replay_cursor_step (cursor, step, TRUE, NULL));
          travel_check_equal (moment, start, seed, "back and forward");
        }
      travel_clear (&made);
    }
}
