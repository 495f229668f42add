/* Lanes say what the events say: drawn binned they hold, column by column, the time that
 * counting event by event gives; summed from checkpoints they hold the run's whole time. */
#include "engine/run.h"
#include "scene/lanes.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

#define MOST_PUS 32

static TlRun *
run_of (guint n, guint tile, const char *config)
{
  g_autofree char *text = g_strdup_printf ("algorithm apsp\n"
                                           "  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\n"
                                           "data D: i32 = road(%u, 7)\n"
                                           "config target = gendram, values = off, tile = %u%s\n",
                                           n, tile, config);
  g_autoptr (TlInputs) inputs = tl_inputs_new_folder (NULL, NULL);
  g_autoptr (TlBuild) build = tl_build ("lanes.gdsl", text, strlen (text), inputs, NULL, NULL, NULL);
  TlRunOptions options = { .skip_values = TRUE };

  ck_assert (build->complete);
  return tl_run (build, &options, NULL);
}

/* ps of from..to that lie in each column of the lanes. */
static void
count_time (const TlLanes *lanes, double *sums, guint64 from, guint64 to)
{
  double width = (double) (lanes->to - lanes->from) / lanes->columns;

  for (gint c = 0; c < lanes->columns; c++)
    {
      double begin = MAX ((double) from, (double) lanes->from + c * width);
      double end = MIN ((double) to, (double) lanes->from + (c + 1) * width);
      sums[c] += MAX (end - begin, 0) / width;
    }
}

/* From the trace: what @pu does in each column. */
static void
count_events (TlSimTrace *trace, const TlLanes *lanes, guint pu, double *compute, double *load, double *store)
{
  guint64 since = 0;
  guint8  doing = TL_SIM_EVENT_DONE;

  for (guint64 e = 0; e < tl_sim_trace_count (trace); e++)
    {
      TlSimEvent event;
      tl_sim_trace_event (trace, e, &event);
      if (event.pu != pu || event.kind < TL_SIM_EVENT_START || event.kind > TL_SIM_EVENT_DONE)
        continue;
      if (event.kind == TL_SIM_EVENT_COPY || event.kind == TL_SIM_EVENT_READ)
        continue;
      if (doing == TL_SIM_EVENT_START)
        count_time (lanes, load, since, event.time);
      else if (doing == TL_SIM_EVENT_COMPUTE)
        count_time (lanes, compute, since, event.time);
      else if (doing == TL_SIM_EVENT_WRITE)
        count_time (lanes, store, since, event.time);
      doing = event.kind;
      since = event.time;
    }
}

static gboolean
is_near (guint8 bin, double counted, double off)
{
  return fabs (bin / 255.0 - CLAMP (counted, 0, 1)) <= off + 1.0 / 255;
}

START_TEST (binned_lanes_equal_counted_events)
{
  static const char *const configs[] = { "", ", page = open", ", barriers = strict", ", page = open, copies = home" };
  guint64                  state = tl_test_seed ();
  guint                    binned = 0;

  for (guint c = 0; c < G_N_ELEMENTS (configs); c++)
    {
      g_autoptr (TlRun) run = run_of (100, 4, configs[c]);
      g_autoptr (TlSimTrace) trace = tl_sim_trace_new (run->sim, 0, G_MAXUINT64, 4000000, NULL, NULL);
      const guint pus[] = { 0, 5, 31 };

      for (guint draw = 0; draw < 6; draw++)
        {
          guint64 span = run->sim->makespan / 4 + tl_test_random_below (&state, run->sim->makespan * 3 / 4);
          guint64 from = tl_test_random_below (&state, run->sim->makespan - span + 1);
          gint    columns = 1 + (gint) tl_test_random_below (&state, 120);
          g_autoptr (TlLanes) lanes
              = tl_lanes_new (run->sim, from, MAX (from + span, from + 7000000), (guint) columns, pus, 3, NULL);
          ck_assert_ptr_nonnull (lanes);
          for (guint l = 0; l < lanes->lanes->len; l++)
            {
              const TlLane *lane = g_ptr_array_index (lanes->lanes, l);
              double        compute[128] = { 0 }, load[128] = { 0 }, store[128] = { 0 };
              if (!lane->binned)
                continue;
              binned++;
              count_events (trace, lanes, lane->pu, compute, load, store);
              for (gint column = 0; column < columns; column++)
                {
                  const TlLaneBin *bin = &g_array_index (lane->bins, TlLaneBin, column);
                  ck_assert_msg (is_near (bin->compute, compute[column], 0.001)
                                     && is_near (bin->load, load[column], 0.001)
                                     && is_near (bin->store, store[column], 0.001),
                                 "%s: PU %u column %d of %d: compute %u/%.1f load %u/%.1f store %u/%.1f", configs[c],
                                 lane->pu, column, columns, bin->compute, compute[column] * 255, bin->load,
                                 load[column] * 255, bin->store, store[column] * 255);
                  /* A count that is wrong is found. */
                  ck_assert (!is_near (bin->compute, compute[column] > 0.5 ? 0.1 : 0.9, 0.001));
                }
            }
        }
    }
  ck_assert_uint_gt (binned, 20);
}
END_TEST

/* Too many operations to look at: the sums come from checkpoints. */
START_TEST (summed_lanes_hold_the_whole_time)
{
  g_autoptr (TlRun) run = run_of (400, 8, "");
  const gint columns = 97;
  guint      pus[MOST_PUS];

  for (guint p = 0; p < MOST_PUS; p++)
    pus[p] = p;
  g_autoptr (TlLanes) lanes = tl_lanes_new (run->sim, 0, run->sim->makespan, (guint) columns, pus, MOST_PUS, NULL);
  ck_assert_ptr_nonnull (lanes);
  ck_assert_uint_eq (lanes->lanes->len, MOST_PUS + 1);
  for (guint l = 1; l < lanes->lanes->len; l++)
    {
      const TlLane    *lane = g_ptr_array_index (lanes->lanes, l);
      double           computing = 0, waiting = 0, width = (double) run->sim->makespan / columns;
      const TlPuTimes *times = &run->sim->pu[lane->pu].times;

      ck_assert (lane->binned);
      for (gint c = 0; c < columns; c++)
        {
          computing += g_array_index (lane->bins, TlLaneBin, c).compute / 255.0 * width;
          waiting += g_array_index (lane->bins, TlLaneBin, c).wait / 255.0 * width;
        }
      ck_assert_double_le (fabs (computing - (double) times->computing), 0.003 * columns * width);
      ck_assert_double_le (fabs (waiting - (double) (times->wait_operand + times->wait_ring + times->wait_barrier)),
                           0.003 * columns * width);
    }
}
END_TEST

typedef struct
{
  TlPuTimes *times; /* PU * steps + k */
  guint      steps;
} Steps;

static void
add_operation (const TlOperation *operation, gpointer data)
{
  Steps *steps = data;

  steps->times[operation->pu * steps->steps + operation->k].computing += operation->computed - operation->compute;
  steps->times[operation->pu * steps->steps + operation->k].busy += operation->end - operation->ready;
}

/* The shares that sums are made from: exact, step by step. */
START_TEST (shares_equal_operations)
{
  g_autoptr (TlRun) run = run_of (130, 8, "");
  const guint           pus = run->sim->program->machine.pus, tiles = run->sim->program->tiles;
  g_autofree TlPuTimes *times = g_new0 (TlPuTimes, (gsize) pus * tiles);
  Steps                 steps = { times, tiles };
  TlSimOptions          options = { .operation = add_operation, .operation_data = &steps };
  g_autoptr (TlSimRun) watched = tl_sim_run (run->sim->program, &options, NULL);

  ck_assert_ptr_nonnull (watched);
  for (guint pu = 0; pu < pus; pu++)
    {
      g_autoptr (GArray) lane = tl_sim_lane (run->sim, pu);

      for (guint s = 0; s < lane->len; s++)
        {
          const TlLaneShare *share = &g_array_index (lane, TlLaneShare, s);
          guint64            computing = 0, busy = 0;

          for (guint32 k = share->k; k < share->k_end; k++)
            {
              computing += times[pu * tiles + k].computing;
              busy += times[pu * tiles + k].busy;
            }
          ck_assert_uint_eq (computing, share->times.computing);
          ck_assert_uint_eq (busy, share->times.busy);
        }
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("scene-lanes");
  TCase *tcase = tcase_create ("lanes");

  tcase_set_timeout (tcase, 120);
  tcase_add_test (tcase, binned_lanes_equal_counted_events);
  tcase_add_test (tcase, summed_lanes_hold_the_whole_time);
  tcase_add_test (tcase, shares_equal_operations);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
