/* Random machines, policies and traces through the engine, each run audited. The full
 * suite makes 10,000, the quick one 1,000. */
#include "audit.h"
#include "support/support.h"

#ifndef ROUNDS
#define ROUNDS 1000
#endif

START_TEST (random_runs_hold)
{
  guint64 seed = tl_test_seed () + (guint64) _i;

  for (guint round = 0; round < tl_test_rounds (ROUNDS / 4); round++)
    {
      guint64  state = seed * 1000003 + round;
      AuditRun run;
      audit_random (&run, 20 + (guint) tl_test_random_below (&state, 400), &state);
      audit_execute (&run, &state);
      audit_check (&run, round);
      audit_clear (&run);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("dram-engine-random");
  TCase *tcase = tcase_create ("random");

  tcase_set_timeout (tcase, 300);
  tcase_add_loop_test (tcase, random_runs_hold, 0, 4);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
