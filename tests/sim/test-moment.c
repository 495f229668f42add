/* Any moment again: made from checkpoints it equals the one reached by stepping
 * through the trace; and it takes the same time wherever it lies. */
#include "fixture.h"
#include "sim/span.h"

static TlSimRun *
run_of (TlPimProgram *program, TlSimMode mode)
{
  TlSimOptions options = { .mode = mode };
  g_autoptr (GError) error = NULL;
  TlSimRun *run = tl_sim_run (program, &options, &error);

  ck_assert_msg (run != NULL, "%s", error != NULL ? error->message : "");
  return run;
}

static TlSimTrace *
whole_trace (TlSimRun *run)
{
  g_autoptr (GError) error = NULL;
  TlSimTrace *trace = tl_sim_trace_new (run, 0, G_MAXUINT64, 4000000, NULL, &error);

  ck_assert_msg (trace != NULL, "%s", error != NULL ? error->message : "");
  return trace;
}

/* Steps through the whole trace; at random times on the way compares with the moment
 * made from the run's checkpoints. */
static void
compare_moments (TlSimRun *run, guint64 *state, guint stops, const char *what)
{
  g_autoptr (TlSimTrace) trace = whole_trace (run);
  g_autoptr (TlSimMoment) stepped = tl_sim_trace_moment (trace, 0);
  guint64 count = tl_sim_trace_count (trace);

  for (guint s = 0; s < stops; s++)
    {
      guint64 skip = tl_test_random_below (state, 2 * count / stops + 1), time;
      g_autoptr (TlSimMoment) made = NULL;
      g_autoptr (TlSimMoment) kept = NULL;
      g_autofree char *difference = NULL;
      TlSimEvent       event;

      while (skip-- > 0 && tl_sim_trace_step (trace, stepped))
        ;
      if (stepped->event == 0)
        tl_sim_trace_step (trace, stepped);
      time = stepped->time;
      /* All events at this time, not some. */
      while (stepped->event < count)
        {
          tl_sim_trace_event (trace, stepped->event, &event);
          if (event.time != time)
            break;
          tl_sim_trace_step (trace, stepped);
        }
      made = tl_sim_moment_at (run, time, NULL, NULL);
      kept = tl_sim_trace_moment (trace, stepped->event);
      ck_assert_msg (tl_sim_moment_equal (stepped, kept, &difference), "%s: kept, event %lu: %s", what,
                     (gulong) stepped->event, difference);
      ck_assert_msg (tl_sim_moment_equal (stepped, made, &difference), "%s: made, time %lu event %lu of %lu: %s", what,
                     (gulong) time, (gulong) stepped->event, (gulong) count, difference);
    }
  /* At the end of the trace all counts are the run's. */
  while (tl_sim_trace_step (trace, stepped))
    ;
  ck_assert_msg (tl_sim_counts_equal (&stepped->counts, &run->total), "%s", what);
}

START_TEST (moments_equal_stepping)
{
  guint64 state = tl_test_seed () + 2;

  for (guint done = 0; done < 120;)
    {
      g_autofree char *what = NULL;
      g_autoptr (TlPimProgram) program = fixture_random (&state, 6, &what);
      g_autoptr (TlSimRun) run = NULL;

      if (program == NULL)
        continue;
      run = run_of (program, done % 4 == 0 ? TL_SIM_FULL : TL_SIM_MEMO);
      compare_moments (run, &state, 12, what);
      done++;
    }
}
END_TEST

START_TEST (moments_with_refresh)
{
  guint64 state = tl_test_seed () + 3;

  for (guint buffers = 1; buffers <= 2; buffers++)
    for (guint page = 0; page < 2; page++)
      {
        TlPimMachine     machine = fixture_machine ();
        TlPimProgramSpec spec = { .machine = &machine, .n = 150, .tile = 25, .buffers = buffers, .page = page };
        g_autoptr (TlPimProgram) program = NULL;
        g_autoptr (TlSimRun) run = NULL;

        machine.tREFI = 1700000;
        machine.tRFC = 260000;
        program = fixture_build (&spec);
        run = run_of (program, TL_SIM_FULL);
        compare_moments (run, &state, 25, page ? "refresh, open" : "refresh, closed");
      }
}
END_TEST

/* Two buffers, and so many tiles that a step has several checkpoints. */
START_TEST (moments_within_steps)
{
  guint64 state = tl_test_seed () + 8;

  for (guint round = 0; round < 8; round++)
    {
      TlPimMachine     machine = fixture_machine ();
      TlPimProgramSpec spec = {
        .machine = &machine,
        .n = 64,
        .tile = 4,
        .buffers = 2,
        .page = round % 2,
        .barriers = round / 2 % 3,
      };
      g_autofree char *what = g_strdup_printf ("page %d barriers %d", spec.page, spec.barriers);
      g_autoptr (TlPimProgram) program = fixture_build (&spec);
      g_autoptr (TlSimRun) run = run_of (program, round < 6 ? TL_SIM_MEMO : TL_SIM_FULL);

      compare_moments (run, &state, tl_test_rounds (40), what);
    }
}
END_TEST

/* Walking along a stretch passes through the moments made one by one, waits included. */
START_TEST (stretches_hold_the_moments)
{
  guint64 state = tl_test_seed () + 6;

  for (guint done = 0; done < 60;)
    {
      g_autofree char *what = NULL;
      g_autoptr (TlPimProgram) program = fixture_random (&state, 6, &what);
      g_autoptr (TlSimRun) run = NULL;

      if (program == NULL)
        continue;
      run = run_of (program, TL_SIM_MEMO);
      done++;
      for (guint w = 0; w < 3; w++)
        {
          guint64 from = tl_test_random_below (&state, run->makespan + 1);
          guint64 to = from + 1 + tl_test_random_below (&state, run->makespan / 8 + 2), time = from;
          g_autoptr (TlSimSpan) span = tl_sim_span_new (run, from, to, 4000000, NULL, NULL);
          guint at = 0;

          for (guint stop = 0; stop < 8; stop++)
            {
              g_autoptr (TlSimMoment) made = NULL;
              g_autofree char *difference = NULL;

              time += tl_test_random_below (&state, (to - time) / 4 + 1);
              if (time >= to)
                break;
              for (guint past = tl_sim_span_find (span, time); at < past; at++)
                tl_sim_span_apply (span, at, span->base);
              tl_sim_span_settle (span, span->base, time);
              made = tl_sim_moment_at (run, time, NULL, NULL);
              ck_assert_msg (tl_sim_moment_equal (span->base, made, &difference), "%s: %lu in %lu..%lu: %s", what,
                             (gulong) time, (gulong) from, (gulong) to, difference);
              for (guint pu = 0; pu < made->n_pus; pu++)
                ck_assert_msg (span->base->pu[pu].wait == made->pu[pu].wait, "%s: PU %u waits for %u, not %u", what, pu,
                               span->base->pu[pu].wait, made->pu[pu].wait);
            }
        }
    }
}
END_TEST

/* Windows' traces are parts of the whole one; next and previous agree with it. */
START_TEST (windows_are_parts)
{
  guint64 state = tl_test_seed () + 4;

  for (guint done = 0; done < 40;)
    {
      g_autofree char *what = NULL;
      g_autoptr (TlPimProgram) program = fixture_random (&state, 5, &what);
      g_autoptr (TlSimRun) run = NULL;
      g_autoptr (TlSimTrace) trace = NULL;

      if (program == NULL)
        continue;
      run = run_of (program, TL_SIM_MEMO);
      trace = whole_trace (run);
      done++;
      for (guint w = 0; w < 6; w++)
        {
          guint64 from = tl_test_random_below (&state, run->makespan + 1);
          guint64 to = from + tl_test_random_below (&state, run->makespan / 4 + 2);
          g_autoptr (TlSimTrace) part = tl_sim_trace_new (run, from, to, 4000000, NULL, NULL);
          guint64    first = tl_sim_trace_find (trace, from), past = tl_sim_trace_find (trace, to), next;
          TlSimEvent a, b;

          ck_assert_uint_eq (tl_sim_trace_count (part), past - first);
          for (guint64 e = first; e < past; e++)
            {
              tl_sim_trace_event (trace, e, &a);
              tl_sim_trace_event (part, e - first, &b);
              ck_assert_msg (a.time == b.time && a.kind == b.kind && a.pu == b.pu && a.bank == b.bank && a.row == b.row,
                             "%s: event %lu", what, (gulong) e);
            }
          past = tl_sim_trace_find (trace, from + 1);
          ck_assert_int_eq (tl_sim_next_event (run, from, &next), past < tl_sim_trace_count (trace));
          if (past < tl_sim_trace_count (trace))
            {
              tl_sim_trace_event (trace, past, &a);
              ck_assert_msg (a.time == next, "%s: next after %lu: %lu, not %lu", what, (gulong) from, (gulong) next,
                             (gulong) a.time);
            }
          ck_assert_int_eq (tl_sim_previous_event (run, from, &next), first > 0);
          if (first > 0)
            {
              tl_sim_trace_event (trace, first - 1, &a);
              ck_assert_uint_eq (a.time, next);
            }
        }
    }
}
END_TEST

static void
collect (const TlOperation *operation, gpointer data)
{
  g_array_append_vals (data, operation, 1);
}

START_TEST (windows_hold_the_operations)
{
  guint64 state = tl_test_seed () + 5;

  for (guint done = 0; done < 40;)
    {
      g_autofree char *what = NULL;
      g_autoptr (TlPimProgram) program = fixture_random (&state, 7, &what);
      g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (TlOperation));
      TlSimOptions options = { .operation = collect, .operation_data = all };
      g_autoptr (TlSimRun) run = NULL;

      if (program == NULL)
        continue;
      run = tl_sim_run (program, &options, NULL);
      done++;
      for (guint w = 0; w < 6; w++)
        {
          guint64 from = tl_test_random_below (&state, run->makespan + 1);
          guint64 to = from + 1 + tl_test_random_below (&state, run->makespan / 4 + 2);
          g_autoptr (TlSimWindow) window = tl_sim_window_new (run, from, to, 1000000, NULL, NULL);
          guint expected = 0;

          for (guint o = 0; o < all->len; o++)
            {
              const TlOperation *operation = &g_array_index (all, TlOperation, o);

              expected += operation->end > from && operation->ready < to;
            }
          ck_assert_msg (window->operations->len == expected, "%s: %u of %u", what, window->operations->len, expected);
          g_autoptr (TlSimWindow) just = tl_sim_window_new (run, from, to, expected, NULL, NULL);
          g_autoptr (TlSimWindow) over
              = expected > 0 ? tl_sim_window_new (run, from, to, expected - 1, NULL, NULL) : NULL;
          ck_assert_msg (just != NULL && over == NULL, "%s: a limit of %u", what, expected);
        }
      for (guint pu = 0; pu < program->machine.pus; pu++)
        {
          g_autoptr (GArray) lane = tl_sim_lane (run, pu);
          guint64 busy = 0;

          for (guint s = 0; s < lane->len; s++)
            busy += g_array_index (lane, TlLaneShare, s).times.busy;
          ck_assert_uint_eq (busy, run->pu[pu].times.busy);
        }
    }
}
END_TEST

static int
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;

  return (x > y) - (x < y);
}

/* Microseconds of the median restore among @n positions from @low of the events on. */
static gint64
median_restore (TlSimRun *run, TlSimTrace *trace, double low, double high, guint n, guint64 *state, gboolean from_run)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (gint64));
  guint64 count = tl_sim_trace_count (trace);

  for (guint s = 0; s < n; s++)
    {
      guint64 index
          = (guint64) (low * (double) count) + tl_test_random_below (state, (guint64) ((high - low) * (double) count));
      g_autoptr (TlSimMoment) moment = NULL;
      TlSimEvent event;
      gint64     start, took;

      tl_sim_trace_event (trace, MIN (index, count - 1), &event);
      start = g_get_monotonic_time ();
      moment = from_run ? tl_sim_moment_at (run, event.time, NULL, NULL) : tl_sim_trace_moment (trace, index);
      took = g_get_monotonic_time () - start;
      g_array_append_val (times, took);
    }
  g_array_sort (times, compare_times);
  return g_array_index (times, gint64, n / 2);
}

#if defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__)
#define SLOWER 30 /* a build that is not meant to be quick */
#else
#define SLOWER 1
#endif

/* A run of 10^6 events. The bound on the ratio is loose here, since other work shares
 * the machine; the bench prints the figures. */
START_TEST (restoring_is_quick_anywhere)
{
  TlPimMachine     machine = fixture_machine ();
  TlPimProgramSpec spec = { .machine = &machine, .n = 640, .tile = 32, .place = { TL_PLACE_STRIPE, 0, 7, { 0 } } };
  g_autoptr (TlPimProgram) program = fixture_build (&spec);
  g_autoptr (TlSimRun) run = run_of (program, TL_SIM_MEMO);
  g_autoptr (TlSimTrace) trace = whole_trace (run);
  guint64 state = tl_test_seed ();

  ck_assert_uint_ge (tl_sim_trace_count (trace), 1000000);
  for (guint from_run = 0; from_run < 2; from_run++)
    {
      gint64 first = median_restore (run, trace, 0, 0.1, 41, &state, from_run);
      gint64 last = median_restore (run, trace, 0.9, 1, 41, &state, from_run);

      g_print ("%s: %" G_GUINT64_FORMAT " events, first tenth %" G_GINT64_FORMAT " us, last tenth %" G_GINT64_FORMAT
               " us\n",
               from_run ? "from the run" : "from the trace", tl_sim_trace_count (trace), first, last);
      ck_assert_int_le (last, 16000 * SLOWER);
      ck_assert_int_le (last, 3 * first + 1000 * SLOWER);
    }
}
END_TEST

START_TEST (limits_are_kept)
{
  TlPimMachine     machine = fixture_machine ();
  TlPimProgramSpec spec = { .machine = &machine, .n = 256, .tile = 32 };
  g_autoptr (TlPimProgram) program = fixture_build (&spec);
  g_autoptr (TlSimRun) run = run_of (program, TL_SIM_MEMO);
  g_autoptr (GError) error = NULL;
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();

  ck_assert_ptr_null (tl_sim_trace_new (run, 0, G_MAXUINT64, 1000, NULL, &error));
  ck_assert (g_error_matches (error, TL_SIM_ERROR, TL_SIM_ERROR_TOO_BIG));
  g_clear_error (&error);
  ck_assert_ptr_null (tl_sim_window_new (run, 0, G_MAXUINT64, 100, NULL, &error));
  ck_assert (g_error_matches (error, TL_SIM_ERROR, TL_SIM_ERROR_TOO_BIG));
  g_clear_error (&error);
  g_cancellable_cancel (cancelled);
  ck_assert_ptr_null (tl_sim_run (program, &(TlSimOptions) { .cancellable = cancelled }, &error));
  ck_assert (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED));
  g_clear_error (&error);
  ck_assert_ptr_null (tl_sim_moment_at (run, 1000000, cancelled, &error));
  ck_assert (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("sim-moment");
  TCase *tcase = tcase_create ("moment");

  tcase_set_timeout (tcase, 300);
  tcase_add_test (tcase, moments_equal_stepping);
  tcase_add_test (tcase, moments_with_refresh);
  tcase_add_test (tcase, moments_within_steps);
  tcase_add_test (tcase, stretches_hold_the_moments);
  tcase_add_test (tcase, windows_are_parts);
  tcase_add_test (tcase, windows_hold_the_operations);
  tcase_add_test (tcase, restoring_is_quick_anywhere);
  tcase_add_test (tcase, limits_are_kept);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
