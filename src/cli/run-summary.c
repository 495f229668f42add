/* tierc run for people: what ran, how long it took, what limits it, what the rows
 * saw, what came out. */
#include "base/hash.h"
#include "base/number.h"
#include "cli/run.h"
#include "sim/paper.h"

static double
share (guint64 part, guint64 whole)
{
  return whole > 0 ? (double) part / (double) whole : 0;
}

static void
print_what (const TlRun *run)
{
  const TlPimProgram      *program = run->build->program;
  g_autofree char         *nodes = tl_format_count (run->n);
  g_autofree char         *semiring = tl_semiring_text (program->semiring);
  static const char *const barriers[] = { "dataflow", "superstep", "strict" };

  printf ("%s: a closure over %s, %s nodes, on %s\n", run->program, semiring, nodes, run->target);
  printf ("  %u x %u tiles of %u x %u (%u-bit elements) on %u PUs of %u lanes; owner %s, %u to %u tiles a PU;\n"
          "  barriers %s, %s simulation\n",
          run->tiles_per_side, run->tiles_per_side, run->tile, run->tile, program->element_bits, program->machine.pus,
          program->machine.pes, run->owner.rule, run->owner.min, run->owner.max, barriers[program->barriers],
          g_strcmp0 (run->simulation, "memo") == 0 ? "memoised (exact)" : "command by command");
}

/* Where the PUs' time went, all of them together. */
static void
print_waits (const TlSimRun *sim)
{
  TlPuTimes sum = { 0 };
  guint32   pus = sim->program->machine.pus;
  guint64   all;

  for (guint32 p = 0; p < pus; p++)
    {
      const TlPuTimes *times = &sim->pu[p].times;
      sum.busy += times->busy;
      sum.computing += times->computing;
      sum.wait_operand += times->wait_operand;
      sum.wait_ring += times->wait_ring;
      sum.wait_barrier += times->wait_barrier;
      sum.idle += times->idle;
    }
  if (!tl_mul_u64 (sim->makespan, pus, &all) || all == 0)
    return;
  const struct
  {
    const char *label;
    guint64     time;
  } rows[] = {
    { "computing", sum.computing },
    { "moving tiles only", sum.busy - MIN (sum.computing, sum.busy) },
    { "waiting for a tile", sum.wait_operand },
    { "waiting for the ring", sum.wait_ring },
    { "waiting at barriers", sum.wait_barrier },
    { "idle at the end", sum.idle },
  };
  guint loss = 1;
  printf ("\nThe PUs' time\n");
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      if (i > 0 && rows[i].time > rows[loss].time)
        loss = i;
      g_autofree char *text = tl_format_percent (share (rows[i].time, all), 1);
      printf ("  %-22s %8s\n", rows[i].label, text);
    }
  g_autofree char *ring = tl_format_percent (share (sim->ring_busy, sim->makespan), 1);
  printf ("  what is not computing is mostly %s; the ring is in use for %s of the run\n", rows[loss].label, ring);
}

static void
print_time (const TlRun *run)
{
  static const char *const flows[] = {
    "B0  no tiles, no tiers",
    "B1  tiles, no tiers, strict",
    "B2  bound N^3 / (PUs x lanes)",
    "B3  this program",
  };
  g_autofree char *time = tl_format_ps (run->makespan_ps);

  printf ("\nTime %s\n", time);
  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *flow = tl_format_ps (run->flows[i]);
      if (run->flows[i] > 0)
        printf ("  %-30s %12s  %6.2f x\n", flows[i], flow, (double) run->flows[i] / (double) MAX (run->makespan_ps, 1));
    }
}

static void
print_sensitivities (const TlRun *run)
{
  if (run->sensitivities == NULL || run->sensitivities->len == 0)
    return;
  printf ("\nWhat carries it: the time with 20 %% less and 20 %% more of\n");
  for (guint i = 0; i < MIN (3, run->sensitivities->len); i++)
    {
      const TlSensitivity *row = &g_array_index (run->sensitivities, TlSensitivity, i);
      double               low = (double) row->low_ps / (double) MAX (run->makespan_ps, 1) - 1;
      double               high = (double) row->high_ps / (double) MAX (run->makespan_ps, 1) - 1;

      printf ("  %-14s %+7.2f %%  %-22s  %+7.2f %%  %s\n", row->what, low * 100, row->low_text, high * 100,
              row->high_text);
    }
}

static void
print_rows (const TlRun *run)
{
  guint64          requests = run->rows.hit + run->rows.miss + run->rows.conflict;
  g_autofree char *count = tl_format_count (requests);
  g_autofree char *hit = tl_format_percent (share (run->rows.hit, requests), 1);
  g_autofree char *miss = tl_format_percent (share (run->rows.miss, requests), 1);
  g_autofree char *conflict = tl_format_percent (share (run->rows.conflict, requests), 1);
  g_autofree char *act = tl_format_count (run->commands.act);
  g_autofree char *pre = tl_format_count (run->commands.pre);
  g_autofree char *ref = tl_format_count (run->commands.ref);
  g_autofree char *bytes_read = tl_format_bytes (run->bytes.read);
  g_autofree char *written = tl_format_bytes (run->bytes.written);

  if (requests == 0)
    return;
  printf ("\nRows\n  %s requests: hits %s, opening misses %s, conflicts %s\n", count, hit, miss, conflict);
  printf ("  %s activations, %s precharges, %s refreshes; read %s, written %s\n", act, pre, ref, bytes_read, written);
  if (run->energy_pj > 0)
    {
      static const struct
      {
        const char *name;
        double      pj;
      } units[] = { { "J", 1e12 }, { "mJ", 1e9 }, { "uJ", 1e6 }, { "nJ", 1e3 } };
      guint u = 0;

      while (u + 1 < G_N_ELEMENTS (units) && (double) run->energy_pj < units[u].pj)
        u++;
      printf ("  energy %.1f %s (by assumed figures)\n", (double) run->energy_pj / units[u].pj, units[u].name);
    }
}

/* The paper ran (min, +) on its own machine; beside any other run its figures would mean nothing. */
static void
print_paper (const TlRun *run)
{
  const TlSemiring   *semiring = run->build->program->semiring;
  const TlPaperGraph *paper = tl_paper_graph (run->n);

  if (paper == NULL || g_strcmp0 (run->target, "gendram") != 0 || semiring->plus.kind != TL_OPERATOR_MIN
      || semiring->times.kind != TL_OPERATOR_ADD || run->flows[0] == 0 || run->flows[2] == 0 || run->flows[3] == 0)
    return;
  double over_b0 = (double) run->flows[0] / (double) run->flows[3];
  double of_bound = (double) run->flows[2] / (double) run->flows[3];
  printf ("\nBeside the paper                 paper    model\n"
          "  speed-up B3 over B0          %7.1f  %7.2f   carried by what a row costs B0 (4.7 to 7.2)\n"
          "  share of the bound, B3 / B2  %7.2f  %7.2f   carried by barriers and owner rule\n",
          paper->speed_up, over_b0, paper->bound, of_bound);
}

static void
print_result (const TlRun *run)
{
  if (!run->has_result)
    {
      printf ("\nNo values: %s\n", run->result_reason != NULL ? run->result_reason : "not asked for");
      return;
    }
  g_autofree char *finite = tl_format_count (run->finite);
  g_autofree char *hash = tl_hash_text (run->result_hash);
  printf ("\nResult\n  %s finite values", finite);
  if (run->min_text != NULL && run->min_text[0] != '\0')
    printf (" from %s to %s", run->min_text, run->max_text);
  printf ("; hash %s\n", hash);
}

void
tl_cli_run_summary (const TlRun *run)
{
  print_what (run);
  print_time (run);
  if (run->sim != NULL)
    print_waits (run->sim);
  print_sensitivities (run);
  print_rows (run);
  print_paper (run);
  print_result (run);
  if (run->lints->len > 0)
    printf ("\nLints\n");
  for (guint i = 0; i < run->lints->len; i++)
    {
      const TlRunLint *lint = g_ptr_array_index (run->lints, i);
      printf ("  %s [%s]\n", lint->message, lint->code);
    }
}
