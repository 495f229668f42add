/* The memoised run equals the full one in everything, on random configurations over
 * all knobs; without the bank state in its key it does not. */
#include "fixture.h"

#define CONFIGURATIONS 300

static TlSimRun *
run (TlPimProgram *program, TlSimMode mode, gboolean forget)
{
  TlSimOptions options = { .mode = mode, .forget_bank_state = forget };
  g_autoptr (GError) error = NULL;
  TlSimRun *result = tl_sim_run (program, &options, &error);

  ck_assert_msg (result != NULL, "%s", error != NULL ? error->message : "");
  return result;
}

START_TEST (memo_equals_full)
{
  guint64 state = tl_test_seed ();
  guint   done = 0, small = 0;

  for (guint draw = 0; done < CONFIGURATIONS; draw++)
    {
      g_autofree char *what = NULL, *difference = NULL;
      g_autoptr (TlPimProgram) program = fixture_random (&state, 9, &what);
      g_autoptr (TlSimRun) full = NULL;
      g_autoptr (TlSimRun) memo = NULL;

      ck_assert_uint_lt (draw, 20 * CONFIGURATIONS);
      if (program == NULL)
        continue;
      full = run (program, TL_SIM_FULL, FALSE);
      memo = run (program, TL_SIM_MEMO, FALSE);
      /* An open-page program whose tiles share row numbers is not memoised. */
      if (memo->mode != TL_SIM_MEMO)
        continue;
      ck_assert_msg (tl_sim_run_equal (full, memo, &difference), "%s: %s", what, difference);
      small += program->tiles > 2;
      done++;
    }
  ck_assert_uint_gt (small, CONFIGURATIONS / 2);
}
END_TEST

/* Tiles that do not fit a PU's banks share whole slots of rows: hits between two tiles,
 * which the memo has to see as the full run does. */
START_TEST (memo_with_shared_slots)
{
  guint64 state = tl_test_seed () + 7;
  guint   shared = 0;

  for (guint done = 0; done < 80; done++)
    {
      TlPimMachine     machine = fixture_machine ();
      guint            slots = 2 + (guint) tl_test_random_below (&state, 9);
      TlPimProgramSpec spec = { .machine = &machine, .tile = 32, .page = TL_PAGE_OPEN };
      g_autoptr (TlPimProgram) program = NULL;
      g_autoptr (TlSimRun) full = NULL;
      g_autoptr (TlSimRun) memo = NULL;
      g_autofree char *difference = NULL;

      machine.pus = 1 + (guint) tl_test_random_below (&state, 4);
      machine.search_pus = 0;
      machine.banks = 1 + (guint) tl_test_random_below (&state, 4);
      machine.rows = slots * (guint32) tl_ceil_div (4, machine.banks); /* a tile of 32 x 32 x 4 bytes: 4 rows */
      spec.n = 32 * (2 + (guint) tl_test_random_below (&state, 5)) + (guint) tl_test_random_below (&state, 32);
      spec.buffers = 1 + (guint) tl_test_random_below (&state, 2);
      spec.copies = (guint) tl_test_random_below (&state, 2);
      spec.copy_writes = (guint) tl_test_random_below (&state, 2);
      spec.place.kind = TL_PLACE_STRIPE;
      spec.place.last = (guint) tl_test_random_below (&state, 4);
      program = fixture_build (&spec);
      ck_assert_ptr_nonnull (program);
      full = run (program, TL_SIM_FULL, FALSE);
      memo = run (program, TL_SIM_MEMO, FALSE);
      ck_assert_int_eq (memo->mode, TL_SIM_MEMO);
      ck_assert_msg (tl_sim_run_equal (full, memo, &difference), "n %u pus %u banks %u slots %u buffers %u: %s", spec.n,
                     machine.pus, machine.banks, slots, spec.buffers, difference);
      shared += spec.n * spec.n / 1024 > slots * machine.pus;
    }
  ck_assert_uint_gt (shared, 30);
}
END_TEST

/* Time adds up: a PU works, waits or is through; requests fall into three classes. */
START_TEST (numbers_add_up)
{
  guint64 state = tl_test_seed () + 1;

  for (guint done = 0; done < 60;)
    {
      g_autofree char *what = NULL;
      g_autoptr (TlPimProgram) program = fixture_random (&state, 7, &what);
      g_autoptr (TlSimRun) result = NULL;

      if (program == NULL)
        continue;
      result = run (program, TL_SIM_MEMO, FALSE);
      done++;
      ck_assert_uint_eq (result->total.hits + result->total.misses + result->total.conflicts,
                         result->total.rd + result->total.wr);
      ck_assert_uint_eq (result->total.act, result->total.misses + result->total.conflicts);
      ck_assert_uint_eq (result->total.pre,
                         program->page == TL_PAGE_OPEN ? result->total.conflicts : result->total.act);
      ck_assert_uint_eq (result->operations[0] + result->operations[1] + result->operations[2],
                         (guint64) program->tiles * program->tiles * program->tiles);
      for (guint pu = 0; pu < program->machine.pus; pu++)
        {
          const TlPuTimes *times = &result->pu[pu].times;

          ck_assert_msg (times->busy + times->wait_operand + times->wait_ring + times->wait_barrier + times->idle
                             == result->makespan,
                         "%s: PU %u", what, pu);
          ck_assert_uint_le (times->computing, times->busy);
        }
    }
}
END_TEST

/* The negative control: the comparison above can fail. */
START_TEST (bank_state_matters)
{
  static const TlBarriers barriers[] = { TL_BARRIERS_DATAFLOW, TL_BARRIERS_STRICT };

  for (guint b = 0; b < G_N_ELEMENTS (barriers); b++)
    {
      TlPimMachine     machine = fixture_oracle ();
      TlPimProgramSpec spec = {
        .machine = &machine,
        .n = 512,
        .tile = 32,
        .ring = TL_RING_FREE,
        .edges = TL_EDGES_PADDED,
        .barriers = barriers[b],
        .place = { TL_PLACE_STRIPE, 0, 7, { 0 } },
      };

      machine.pus = 8;
      machine.banks = 2;

      g_autoptr (TlPimProgram) program = fixture_build (&spec);
      g_autoptr (TlSimRun) full = run (program, TL_SIM_FULL, FALSE);
      g_autoptr (TlSimRun) memo = run (program, TL_SIM_MEMO, FALSE);
      g_autoptr (TlSimRun) forgetful = run (program, TL_SIM_MEMO, TRUE);

      ck_assert (tl_sim_run_equal (full, memo, NULL));
      ck_assert (!tl_sim_run_equal (full, forgetful, NULL));
      ck_assert_uint_ne (full->makespan, forgetful->makespan);
    }
}
END_TEST

START_TEST (refresh_falls_back_to_full)
{
  TlPimMachine     machine = fixture_machine ();
  TlPimProgramSpec spec = { .machine = &machine, .n = 256, .tile = 32 };
  g_autoptr (TlPimProgram) program = NULL;
  g_autoptr (TlSimRun) with = NULL;
  guint64 due;

  machine.tREFI = 3900000;
  machine.tRFC = 260000;
  program = fixture_build (&spec);
  with = run (program, TL_SIM_MEMO, FALSE);
  ck_assert_int_eq (with->mode, TL_SIM_FULL);
  ck_assert_ptr_nonnull (with->mode_reason);
  due = with->makespan / machine.tREFI;
  ck_assert_uint_ge (due, 5);
  ck_assert_uint_eq (with->total.ref, due * machine.pus);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("sim-memo");
  TCase *tcase = tcase_create ("memo");

  tcase_set_timeout (tcase, 300);
  tcase_add_test (tcase, memo_equals_full);
  tcase_add_test (tcase, memo_with_shared_slots);
  tcase_add_test (tcase, numbers_add_up);
  tcase_add_test (tcase, bank_state_matters);
  tcase_add_test (tcase, refresh_falls_back_to_full);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
