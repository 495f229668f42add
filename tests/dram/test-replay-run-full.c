/* Back and forward ten thousand times, and a run of ten million events. */
#include "travel.h"

#include "support/support.h"

START_TEST (test_ten_thousand)
{
  travel_step_about (tl_test_rounds (100), 100, 3000);
}
END_TEST

/* Anywhere in a long run: the moments by two cursors that went different ways. */
START_TEST (test_long)
{
  guint64 seed = tl_test_seed (), state = seed;
  Travel  made;

  travel_make (&made, tl_test_rounds (2000000), 0, 8 << 20, &state);
  g_autoptr (TlReplayCursor) a = tl_replay_cursor_new (made.run);
  g_autoptr (TlReplayCursor) b = tl_replay_cursor_new (made.run);
  ck_assert_uint_le (tl_replay_run_bytes (made.run), 8 << 20);
  for (guint i = 0; i < 100; i++)
    {
      guint64 at = tl_test_random_below (&state, tl_replay_run_events (made.run) + 1);
      guint64 from = at > 2000 ? at - 2000 : 0;
      tl_replay_cursor_at_event (b, from, NULL);
      while (from++ < at)
        tl_replay_cursor_step (b, TL_STEP_TO_COMMAND, TRUE, NULL);
      travel_check_equal (tl_replay_cursor_at_event (a, at, NULL), tl_replay_cursor_at_event (b, at, NULL), seed,
                          "long");
    }
  travel_clear (&made);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("dram-replay-run-full");
  TCase *tcase = tcase_create ("run");

  tcase_set_timeout (tcase, 600);
  tcase_add_test (tcase, test_ten_thousand);
  tcase_add_test (tcase, test_long);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
