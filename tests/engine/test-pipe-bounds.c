/* Wavefront machines of many shapes: what must hold of any of their runs. Work is conserved,
 * nothing is busier than the run is long, nobody waits for ever, values hang on no knob of
 * the machine. */
#include "support-engine.h"

#include "engine/grid-run.h"
#include "input/sequence.h"
#include "sim/pipe-flows.h"

#include <stdio.h>
#include <time.h>

#define PROGRAM                                                                                                        \
  "algorithm align\n  H[i,j] = max(0, H[i-1,j-1] + score(q[i], r[j]), H[i-1,j] - gap, H[i,j-1] - gap)  for i, j "      \
  "within band\ndata q = reads(\"reads\")\ndata r = genome(30000, 5)\ndata PTR, CAL = index(r, k = 11)\n"              \
  "data hits = stream(PTR, CAL, q)\nconfig target = gendram, mode = pipeline\n"                                        \
  "config score = match 2 mismatch -4, gap = 2\n"

/* @n reads of the genome, of up to @longest letters, a letter changed here and there. */
static TlInputs *
reads_of (guint n, guint longest)
{
  g_autoptr (TlSequences) genome = tl_sequences_generate (30000, 5);
  g_autoptr (GString) text = g_string_new (NULL);
  TlInputs *inputs = tl_inputs_new_memory ();
  guint64   state = tl_test_seed ();

  for (guint k = 0; k < n; k++)
    {
      guint            length = longest / 2 + (guint) tl_test_random_below (&state, longest / 2 + 1);
      guint64          at = tl_test_random_below (&state, 30000 - length);
      g_autofree char *letters = g_strndup (genome->letters + at, length);

      for (guint i = 5; i < length; i += 13)
        letters[i] = "ACGT"[tl_test_random_below (&state, 4)];
      g_string_append_printf (text, ">%u\n%s\n", k, letters);
    }
  g_autoptr (GBytes) bytes = g_bytes_new (text->str, text->len);
  tl_inputs_add (inputs, "reads", bytes);
  return inputs;
}

static TlGridRun *
run_of (TlInputs *inputs, const char *band, const char *const *settings, gboolean values)
{
  g_autofree char *text = g_strdup_printf (PROGRAM "config band = %s\n", band);
  g_autoptr (TlBuild) build = build_text (text, inputs, settings);
  g_autofree char *said = diags_text (build->diags);
  TlGridRunOptions options
      = { .time = TRUE, .skip_values = !values, .commands = TRUE, .both_edges = TRUE, .threads = 2 };

  ck_assert_msg (build->complete && build->pipe != NULL, "%.1000s", said);
  TlGridRun       *run = tl_grid_run (build, &options);
  g_autofree char *told = diags_text (run->diags);
  ck_assert_msg (run->complete && run->sim != NULL, "%s: %.1000s", settings[0], told);
  return run;
}

/* Cycles of all tiles of all jobs. */
static guint64
work_of (const TlPipeRun *run)
{
  guint64 cycles = 0;

  for (guint j = 0; j < run->jobs->len; j++)
    {
      TlWaveTiling tiling;

      tl_pipe_job_tiling (run->program, &g_array_index (run->jobs, TlPipeJob, j), &tiling);
      for (guint32 i = 0, from, to; i < tl_wave_tile_rows (&tiling); i++)
        if (tl_wave_row (&tiling, i, &from, &to))
          for (guint32 c = from; c <= to; c++)
            cycles += tl_wave_cycles (&tiling, i, c, TRUE);
    }
  return cycles;
}

static void
must_hold (const TlGridRun *grid, const char *what)
{
  const TlPipeRun     *run = grid->sim;
  const TlPipeProgram *program = run->program;
  const TlPimMachine  *pim = &program->machine;
  g_autofree guint64  *bus = g_new0 (guint64, (gsize) pim->channels * pim->groups);
  g_autofree guint64  *last = g_new0 (guint64, pim->pus);
  guint64              swept = 0, level = 0;

  for (guint32 pu = 0; pu < pim->pus; pu++)
    {
      const TlPipeTimes *times = &run->pu[pu];
      ck_assert_msg (times->busy + times->stall + times->wait + times->barrier + times->edges + times->idle
                         == run->makespan,
                     "%s: PU %u", what, pu);
    }
  for (guint s = 0; s < run->spans->len; s++)
    {
      const TlPipeSpan *span = &g_array_index (run->spans, TlPipeSpan, s);

      ck_assert_msg (span->from >= last[span->pu] && span->to > span->from && span->to <= run->makespan, "%s", what);
      last[span->pu] = span->to;
      swept += span->kind == TL_PIPE_SPAN_SWEEP ? span->to - span->from : 0;
    }
  ck_assert_msg (swept == work_of (run) * pim->clock, "%s: %lu of %lu", what, (gulong) swept, (gulong) work_of (run));
  ck_assert_msg (run->makespan >= run->critical, "%s", what);
  for (guint c = 0; c < run->commands->len; c++)
    bus[g_array_index (run->commands, TlCommand, c).domain / pim->banks]
        += g_array_index (run->commands, TlCommand, c).kind == TL_COMMAND_RD ? pim->burst : 0;
  for (guint32 g = 0; g < pim->channels * pim->groups; g++)
    ck_assert_msg (bus[g] <= run->makespan, "%s: group %u", what, g);
  ck_assert_msg (run->ring_busy <= run->ring_links * run->makespan, "%s", what);
  ck_assert_msg (program->ring == TL_RING_ON || run->ring_busy + run->ring_waited == 0, "%s", what);
  for (guint j = 0; j < run->jobs->len; j++)
    {
      const TlPipeJob *job = &g_array_index (run->jobs, TlPipeJob, j);

      ck_assert_msg (job->offered <= job->sent && job->sent <= job->arrived && job->arrived <= job->taken
                         && job->taken <= job->done && job->done <= run->makespan,
                     "%s: job %u", what, j);
      ck_assert_msg (j == 0 || job[-1].done <= job->taken, "%s: job %u", what, j);
    }
  for (guint l = 0; l < run->levels->len; l++)
    {
      guint now = g_array_index (run->levels, TlPipeLevel, l).level;
      ck_assert_msg ((now == level + 1 || now + 1 == level) && now <= program->depth, "%s", what);
      level = now;
    }
  ck_assert_msg (level == 0 && run->high_water <= program->depth, "%s", what);
  ck_assert_msg (grid->free_ps > 0 && grid->charged_ps > 0, "%s", what);
  ck_assert_msg ((run->charged ? grid->charged_ps : grid->free_ps) == run->makespan, "%s", what);
  ck_assert_msg (run->jobs->len == 0 || tl_pipe_affine (run) > 0, "%s", what);
}

/* The machine in many shapes: scores, ends and ways are always the same. */
START_TEST (machines_of_many_shapes)
{
  static const char *const sets[][4] = {
    { "tile=144" },
    { "queue=1" },
    { "queue=1000" },
    { "split=1 : 31" },
    { "split=31 : 1" },
    { "split=16 : 16", "queue=3", "tile=16" },
    { "target.pus=2", "split=1 : 1" },
    { "target.pus=3", "split=1 : 2", "tile=48" },
    { "target.pus=12", "split=4 : 8", "copy_writes=charged", "tile=32" },
    { "target.channels=1", "target.groups=2", "target.pus=2", "split=1 : 1" },
    { "target.scratchpad=1KiB" },
    { "target.scratchpad=192B" },
    { "tile=7", "edges=trimmed" },
    { "tile=17", "edges=trimmed", "copy_writes=charged" },
    { "tile=16", "copy_writes=charged" },
    { "tile=16", "copy_writes=charged", "ring=free" },
    { "tile=16", "copy_writes=charged", "owner=skewed" },
    { "tile=16", "copy_writes=charged", "owner=8 + (5 * i + 3 * j) mod 24" },
    { "owner=8 + 0 * i" },
    { "target.ring_hop=0" },
    { "target.ring_hop=100" },
    { "target.ring_width=1B", "copy_writes=charged", "tile=16" },
    { "target.ring_width=1KiB" },
    { "target.pes=1" },
    { "target.pes=7", "tile=20" },
    { "target.banks=1", "page=open" },
    { "target.banks=16", "target.refresh=on" },
    { "place.PTR=tier 7", "place.CAL=stripe 0..7" },
    { "precision=64", "copy_writes=charged" },
    { "target.tiers=1" },
    { "target.clock=3ns", "copy_writes=charged", "tile=16" },
    { "target=gendram-stratum", "queue=2" },
  };
  g_autoptr (TlInputs) inputs = reads_of (5, 300);
  guint64 hash = 0;

  for (guint s = 0; s < G_N_ELEMENTS (sets); s++)
    {
      const char *settings[] = { sets[s][0], sets[s][1], sets[s][2], sets[s][3], NULL };
      g_autoptr (TlGridRun) run = run_of (inputs, "15%", settings, TRUE);

      must_hold (run, sets[s][0]);
      hash = s == 0 ? run->hash : hash;
      ck_assert_msg (run->hash == hash && run->mapped == 5, "%s", sets[s][0]);
    }
}
END_TEST

/* No band to speak of, wider than all there is; one read, many, none that finds its place. */
START_TEST (bands_and_reads_at_their_ends)
{
  static const char *const bands[] = { "0", "1", "15%", "100%", "3000" };
  const char              *settings[] = { "tile=48", NULL };

  for (guint b = 0; b < G_N_ELEMENTS (bands); b++)
    {
      g_autoptr (TlInputs) inputs = reads_of (b == 2 ? 1 : 3, 300);
      g_autoptr (TlGridRun) run = run_of (inputs, bands[b], settings, TRUE);
      must_hold (run, bands[b]);
    }
  g_autoptr (TlInputs) lost = tl_inputs_new_memory ();
  g_autofree char *ns = g_strnfill (300, 'N');
  g_autofree char *text = g_strdup_printf (">short\nACG\n>unknown\n%s\n", ns);
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  tl_inputs_add (lost, "reads", bytes);
  g_autoptr (TlGridRun) run = run_of (lost, "15%", settings, TRUE);
  ck_assert_uint_eq (run->sim->jobs->len + run->sim->lookups + run->sim->makespan, 0);
  g_autoptr (TlInputs) many = reads_of (tl_test_rounds (1000), 40);
  g_autoptr (TlGridRun) all = run_of (many, "15%", settings, FALSE);
  must_hold (all, "many");
}
END_TEST

/* With one Search PU nobody contends for banks and links, and a deeper queue cannot be slower;
 * with several it lets them look up at once, which may cost the first candidates a little. */
START_TEST (deeper_queues_are_no_slower)
{
  static const guint depths[] = { 1, 2, 3, 5, 8, 20, 1000 };
  g_autoptr (TlInputs) inputs = reads_of (20, 250);

  for (guint alone = 0; alone < 2; alone++)
    {
      guint64 before = G_MAXUINT64;

      for (guint d = 0; d < G_N_ELEMENTS (depths); d++)
        {
          g_autofree char *queue = g_strdup_printf ("queue=%u", depths[d]);
          const char      *settings[] = { queue, "tile=16", alone ? "split=1 : 31" : "split=8 : 24", NULL };
          g_autoptr (TlGridRun) run = run_of (inputs, "15%", settings, FALSE);

          must_hold (run, queue);
          ck_assert_msg (run->sim->makespan <= (alone ? before : before / 100 * 102), "%s: %lu after %lu", queue,
                         (gulong) run->sim->makespan, (gulong) before);
          before = run->sim->makespan;
        }
    }
}
END_TEST

/* A read of 10,000 letters, as the budget has it. */
START_TEST (long_reads_are_quick)
{
  g_autoptr (TlInputs) inputs = reads_of (1, 10000);
  const char *settings[] = { "tile=144", NULL };
  clock_t     begun = clock ();
  g_autoptr (TlGridRun) run = run_of (inputs, "15%", settings, FALSE);
  clock_t ended = clock ();

  must_hold (run, "10,000 letters");
  printf ("%lu letters: compiled, indexed and simulated with edges free and charged in %.1f ms of processor time\n",
          (gulong) g_array_index (run->hits, TlGridHit, 0).rows, 1e3 * (double) (ended - begun) / CLOCKS_PER_SEC);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("engine-pipe-bounds");
  TCase *tcase = tcase_create ("bounds");

  tcase_set_timeout (tcase, 120);
  tcase_add_test (tcase, machines_of_many_shapes);
  tcase_add_test (tcase, bands_and_reads_at_their_ends);
  tcase_add_test (tcase, deeper_queues_are_no_slower);
  tcase_add_test (tcase, long_reads_are_quick);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
