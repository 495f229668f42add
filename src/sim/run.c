/* The door of the simulator: from a program to the numbers of its run. */
#include "sim/run.h"

#include "sim/history-private.h"

#include <math.h>
#include <string.h>

G_DEFINE_QUARK (tl - sim - error - quark, tl_sim_error)

/* What is called at every super-step of a run. */
typedef struct
{
  const TlSimOptions *options;
  TlHistory          *history;
} Progress;

/* Two buffers: operations between checkpoints, such that a step has some eight of them
 * and a replay between two takes a millisecond or two at most. */
#define CHECKPOINT_PACE(plan) ((guint) MAX (32, (guint64) (plan)->tiles * (plan)->tiles / 8))

static gboolean
at_step (TlMachine *machine, gpointer data)
{
  Progress *progress = data;

  if (progress->options->progress != NULL)
    progress->options->progress ((double) machine->k / machine->plan->tiles, progress->options->progress_data);
  tl_machine_settle (machine);
  tl_history_add (progress->history, machine);
  return !g_cancellable_is_cancelled (progress->options->cancellable);
}

/* Why a memoised run of @plan would not be exact, or NULL. */
static const char *
memo_reason (const TlSimPlan *plan)
{
  if (plan->timings.tREFI > 0)
    return "refresh falls due at absolute times, which a memo of relative ones does not hold";
  if (plan->timings.open && plan->aliased)
    return "a PU's tiles do not fit its own banks, so parts of two of them share rows' numbers";
  return NULL;
}

/* No time may come near the end of 63 bits: a bound from above, serial and at its
 * slowest. */
static gboolean
check_range (const TlSimPlan *plan, GError **error)
{
  const TlTimings *timings = &plan->timings;
  double           row = 0, tiles = plan->tiles, bound;

  for (guint t = 0; t < plan->program->machine.tiers; t++)
    {
      const TlTierTiming *tier = &timings->tier[t];

      row = MAX (row, 2.0 * tier->tRC + tier->tRCD + tier->tRAS + tier->tRP + tier->tWR + tier->tRTP + tier->tCL
                          + tier->tCWL + timings->tRRD + timings->tFAW + timings->tWTR + 2.0 * timings->tRFC
                          + (double) timings->beats * timings->step + timings->burst);
    }
  bound = tiles * tiles * tiles
          * (6.0 * row * plan->shape[0][0].rows
             + (double) plan->program->tile * plan->program->tile * plan->program->tile * plan->program->machine.clock
             + (double) tl_sim_plan_ring_time (plan, 0, 0) + (double) plan->ring_hops);
  if (bound < ldexp (1, 62))
    return TRUE;
  g_set_error (error, TL_SIM_ERROR, TL_SIM_ERROR_RANGE,
               "the run may take %.3g s, more than 63 bits of picoseconds hold", bound * 1e-12);
  return FALSE;
}

static void
energy_of (TlSimRun *run, const TlSimPlan *plan)
{
  const TlPimProgram *program = run->program;
  const TlPimMachine *machine = &program->machine;
  double              updates = 0, beats = (double) (run->total.rd + run->total.wr), bits;
  double              n = program->edges == TL_EDGES_TRIMMED ? program->n : (double) program->tiles * program->tile;

  updates = n * n * n;
  bits = 8.0 * beats * machine->beat_bytes;
  run->energy.dram = bits * machine->dram_fj_per_bit;
  run->energy.alu = updates * machine->alu_fj;
  /* An update reads its two operands and its own value and writes that, in its PE's
   * memory; a beat passes the shared scratchpad once. */
  run->energy.sram = 4 * updates * machine->sram_local_fj + beats * machine->sram_shared_fj;
  run->energy.ring = plan->ring_free ? 0 : 8.0 * (double) run->ring_bytes * (plan->pus - 1) * machine->hop_fj_per_bit;
  run->energy.total = run->energy.dram + run->energy.alu + run->energy.sram + run->energy.ring;
}

/* The numbers of the machine where it stopped. */
static void
collect (TlSimRun *run, const TlMachine *machine)
{
  const TlSimPlan *plan = machine->plan;

  run->makespan = (guint64) tl_machine_makespan (machine);
  run->broadcasts = machine->broadcasts;
  run->ring_busy = machine->ring_busy;
  run->ring_bytes = machine->ring_bytes;
  run->pu = g_new0 (TlPuReport, plan->pus);
  for (guint pu = 0; pu < plan->pus; pu++)
    {
      for (guint phase = 0; phase < TL_N_PHASES; phase++)
        tl_sim_counts_add (&run->phase[phase], &machine->shares[pu].phase[phase], 1);
      for (guint tier = 0; tier < TL_MAX_TIERS; tier++)
        tl_sim_counts_add (&run->tier[tier], &machine->shares[pu].tier[tier], 1);
    }
  for (guint phase = 0; phase < TL_N_PHASES; phase++)
    tl_sim_counts_add (&run->total, &run->phase[phase], 1);
  for (guint pu = 0; pu < plan->pus; pu++)
    {
      const TlPu *state = &machine->pu[pu];
      TlPuReport *report = &run->pu[pu];

      report->counts = state->counts;
      report->times = state->times;
      report->end = (guint64) state->end;
      report->times.idle = run->makespan - report->end;
      for (guint phase = 0; phase < TL_N_PHASES; phase++)
        {
          report->operations[phase] = state->operations[phase];
          run->operations[phase] += state->operations[phase];
        }
    }
  run->memo_entries = machine->memo_entries + (machine->memo != NULL ? tl_memo_count (machine->memo) : 0);
  energy_of (run, plan);
}

/* Starting threads costs about as much as this many rows. */
#define ROWS_WORTH_THREADS 200000

static double
rows_a_step (const TlSimPlan *plan)
{
  return 4.0 * plan->tiles * plan->tiles * plan->shape[0][0].rows;
}

TlSimRun *
tl_sim_run (TlPimProgram *program, const TlSimOptions *options, GError **error)
{
  static const TlSimOptions none = { 0 };
  TlSimPlan                *plan = tl_sim_plan_new (program, error);
  g_autoptr (TlSimRun) run = NULL;
  TlMachine   machine;
  const char *reason;
  gboolean    memo;

  if (options == NULL)
    options = &none;
  if (plan == NULL)
    return NULL;
  if (!check_range (plan, error))
    {
      tl_sim_plan_free (plan);
      return NULL;
    }
  reason = memo_reason (plan);
  memo = options->mode == TL_SIM_MEMO && reason == NULL;

  run = g_new0 (TlSimRun, 1);
  g_atomic_ref_count_init (&run->references);
  run->program = tl_pim_program_ref (program);
  run->mode = memo ? TL_SIM_MEMO : TL_SIM_FULL;
  run->mode_reason = options->mode == TL_SIM_MEMO ? g_strdup (reason) : NULL;
  run->history = tl_history_new (plan, reason == NULL);

  TlWatch  watch = { .operation = options->operation, .data = options->operation_data };
  Progress progress = { options, run->history };

  tl_machine_init (&machine, plan, memo, options->forget_bank_state);
  machine.watch = &watch;
  machine.cancellable = options->cancellable;
  /* Internal tiles of different PUs have nothing to do with one another. */
  if (!memo && options->operation == NULL && rows_a_step (plan) > ROWS_WORTH_THREADS)
    machine.threads = CLAMP (g_get_num_processors (), 1, plan->pus);
  machine.pace = CHECKPOINT_PACE (plan);
  if (program->buffers == 2)
    tl_overlap_run (&machine, at_step, &progress);
  else
    tl_schedule_run (&machine, at_step, &progress);
  if (g_cancellable_set_error_if_cancelled (options->cancellable, error))
    {
      tl_machine_clear (&machine);
      return NULL;
    }
  tl_machine_finish (&machine);
  collect (run, &machine);
  if (!options->forget_bank_state)
    tl_history_keep_memo (run->history, g_steal_pointer (&machine.memo));
  tl_machine_clear (&machine);
  if (options->progress != NULL)
    options->progress (1, options->progress_data);
  return g_steal_pointer (&run);
}

TlSimRun *
tl_sim_run_ref (TlSimRun *run)
{
  g_atomic_ref_count_inc (&run->references);
  return run;
}

void
tl_sim_run_unref (TlSimRun *run)
{
  if (run == NULL || !g_atomic_ref_count_dec (&run->references))
    return;
  tl_history_free (run->history);
  tl_pim_program_unref (run->program);
  g_free (run->mode_reason);
  g_free (run->pu);
  g_free (run);
}

static gboolean differ (char **what, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
differ (char **what, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  if (what != NULL)
    *what = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return FALSE;
}

gboolean
tl_sim_run_equal (const TlSimRun *a, const TlSimRun *b, char **what)
{
  const guint pus = a->program->machine.pus;

  if (a->makespan != b->makespan)
    return differ (what, "makespan: %" G_GUINT64_FORMAT " and %" G_GUINT64_FORMAT " ps", a->makespan, b->makespan);
  if (memcmp (a->operations, b->operations, sizeof a->operations) != 0)
    return differ (what, "operations");
  if (!tl_sim_counts_equal (&a->total, &b->total))
    return differ (what, "total counts: ACT %" G_GUINT64_FORMAT " and %" G_GUINT64_FORMAT, a->total.act, b->total.act);
  for (guint phase = 0; phase < TL_N_PHASES; phase++)
    if (!tl_sim_counts_equal (&a->phase[phase], &b->phase[phase]))
      return differ (what, "counts of phase %u", phase);
  for (guint tier = 0; tier < TL_MAX_TIERS; tier++)
    if (!tl_sim_counts_equal (&a->tier[tier], &b->tier[tier]))
      return differ (what, "counts of tier %u", tier);
  if (pus != b->program->machine.pus)
    return differ (what, "PUs");
  for (guint pu = 0; pu < pus; pu++)
    if (memcmp (&a->pu[pu], &b->pu[pu], sizeof a->pu[pu]) != 0)
      return differ (what, "PU %u: end %" G_GUINT64_FORMAT " and %" G_GUINT64_FORMAT, pu, a->pu[pu].end, b->pu[pu].end);
  if (a->broadcasts != b->broadcasts || a->ring_busy != b->ring_busy || a->ring_bytes != b->ring_bytes)
    return differ (what, "broadcasts");
  return TRUE;
}
