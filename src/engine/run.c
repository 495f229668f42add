/* A simulation of a build: timing on the calling thread, values beside it. */
#include "engine/run.h"

#include "base/hash.h"
#include "engine/build-private.h"
#include "engine/run-values.h"
#include "sim/flows.h"

#include <math.h>
#include <string.h>

static void
lint_free (gpointer data)
{
  TlRunLint *lint = data;

  g_free (lint->code);
  g_free (lint->message);
  g_free (lint);
}

static void
sensitivity_clear (gpointer data)
{
  TlSensitivity *sensitivity = data;

  g_free (sensitivity->what);
  g_free (sensitivity->low_text);
  g_free (sensitivity->high_text);
}

static TlRun *
run_new (TlBuild *build)
{
  const TlPimProgram *program = build->program;
  TlRun              *run = g_new0 (TlRun, 1);

  g_atomic_ref_count_init (&run->references);
  run->build = tl_build_ref (build);
  run->diags = tl_diags_new ();
  run->lints = g_ptr_array_new_with_free_func (lint_free);
  run->sensitivities = g_array_new (FALSE, TRUE, sizeof (TlSensitivity));
  g_array_set_clear_func (run->sensitivities, sensitivity_clear);
  run->program = program->name;
  run->target = program->target;
  run->n = program->n;
  run->tile = program->tile;
  run->tiles_per_side = program->tiles;
  run->mode = program->mode;
  run->owner.rule = program->owner_rule;
  return run;
}

static void
count_owners (TlRun *run)
{
  const TlPimProgram *program = run->build->program;
  gsize               tiles = (gsize) program->tiles * program->tiles;
  g_autofree guint32 *owned = g_new0 (guint32, program->machine.pus);

  for (gsize x = 0; x < tiles; x++)
    owned[program->owner[x]]++;
  run->owner.fnv1a64 = tl_pim_program_owner_hash (program);
  run->owner.min = G_MAXUINT32;
  for (guint32 pu = 0; pu < program->machine.pus; pu++)
    {
      run->owner.min = MIN (run->owner.min, owned[pu]);
      run->owner.max = MAX (run->owner.max, owned[pu]);
    }
}

static void
list_lints (TlRun *run)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();

  tl_program_lint (run->build->program, diags);
  tl_program_lint_groups (run->build->program, diags);
  for (guint d = 0; d < tl_diags_count (diags); d++)
    {
      TlRunLint *lint = g_new0 (TlRunLint, 1);

      lint->code = g_strdup (tl_diags_get (diags, d)->code);
      lint->message = g_strdup (tl_diags_get (diags, d)->message);
      g_ptr_array_add (run->lints, lint);
    }
}

/* Operations done, as the simulator's share of them. */
typedef struct
{
  const TlRunOptions *options;
  guint64             total;
} Progress;

static void
show_progress (double fraction, gpointer data)
{
  const Progress *progress = data;

  progress->options->progress ((guint64) (fraction * (double) progress->total), progress->total,
                               progress->options->user);
}

static gboolean
simulate (TlRun *run, const TlRunOptions *options, GCancellable *cancellable)
{
  TlPimProgram *program = run->build->program;
  guint64       tiles = program->tiles;
  Progress      progress = { options, tiles * tiles * tiles };
  TlSimOptions  sim = {
     .mode = options->mode == TL_RUN_FULL ? TL_SIM_FULL : TL_SIM_MEMO,
     .cancellable = cancellable,
     .progress = options->progress != NULL ? show_progress : NULL,
     .progress_data = &progress,
  };
  g_autoptr (GError) error = NULL;
  gint64 start = g_get_monotonic_time ();

  run->sim = tl_sim_run (program, &sim, &error);
  run->simulate_ns = (g_get_monotonic_time () - start) * 1000;
  if (run->sim == NULL && g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    run->cancelled = TRUE;
  else if (run->sim == NULL)
    tl_diags_add (run->diags, TL_SEVERITY_ERROR, "no-run", NULL, tl_span (0, 0), "the streams cannot be run: %s",
                  error->message);
  else if (options->mode == TL_RUN_MEMO && run->sim->mode != TL_SIM_MEMO)
    tl_diag_reason (tl_diags_add (run->diags, TL_SEVERITY_ERROR, "memo-not-exact", NULL, tl_span (0, 0),
                                  "this run cannot be memoised exactly; leave --memo out"),
                    "%s",
                    run->sim->mode_reason != NULL ? run->sim->mode_reason : "its operations hang on absolute time");
  return run->sim != NULL && tl_diags_errors (run->diags) == 0;
}

static guint64
to_ps (double ps)
{
  return ps > 0 ? (guint64) llround (ps) : 0;
}

static void
take_counts (TlRun *run)
{
  const TlSimRun    *sim = run->sim;
  const TlSimCounts *total = &sim->total;
  TlBaseline         baseline = sim->program->baseline;
  TlFlows            flows = { 0 };

  run->simulation = sim->mode == TL_SIM_FULL ? "full" : "memo";
  run->ops.pivot = sim->operations[TL_PHASE_PIVOT];
  run->ops.rowcol = sim->operations[TL_PHASE_CROSS];
  run->ops.internal = sim->operations[TL_PHASE_INTERNAL];
  run->ops.total = run->ops.pivot + run->ops.rowcol + run->ops.internal;
  run->commands.act = total->act;
  run->commands.rd = total->rd;
  run->commands.wr = total->wr;
  run->commands.pre = total->pre;
  run->commands.ref = total->ref;
  run->rows.hit = total->hits;
  run->rows.miss = total->misses;
  run->rows.conflict = total->conflicts;
  run->bytes.read = total->bytes_read;
  run->bytes.written = total->bytes_written;
  for (guint32 pu = 0; pu < sim->program->machine.pus; pu++)
    run->busy_ps += sim->pu[pu].times.computing;
  run->energy_pj = to_ps (sim->energy.total / 1000);

  tl_flows (sim, &flows);
  run->flows[0] = to_ps (flows.b0);
  run->flows[1] = to_ps (flows.b1);
  run->flows[2] = to_ps (flows.b2);
  run->flows[3] = sim->makespan;
  run->bound_ps = run->flows[2];
  run->makespan_ps = baseline == TL_BASELINE_NONE ? sim->makespan : run->flows[baseline - TL_BASELINE_B0];
}

static void
take_values (TlRun *run, TlValuesJob *job)
{
  const TlSemiring *semiring = run->build->program->semiring;
  TlValuesResult    result = { 0 };
  TlMatrixSummary   summary;

  tl_values_finish (job, &result);
  tl_diags_append (run->diags, result.diags);
  tl_diags_unref (result.diags);
  run->values_ns = result.ns;
  run->result_reason = result.reason;
  if (result.matrix == NULL)
    return;
  run->values = result.matrix;
  run->has_result = TRUE;
  run->result_hash = tl_matrix_hash (result.matrix);
  summary = tl_matrix_summary (result.matrix, semiring->zero);
  run->finite = summary.finite;
  run->min_text = summary.finite > 0 ? tl_scalar_text (&semiring->carrier, summary.min) : g_strdup ("");
  run->max_text = summary.finite > 0 ? tl_scalar_text (&semiring->carrier, summary.max) : g_strdup ("");
}

TlRun *
tl_run (TlBuild *build, const TlRunOptions *options, GCancellable *cancellable)
{
  static const TlRunOptions none = { 0 };
  TlRun                    *run = NULL;
  TlValuesJob              *job = NULL;
  gboolean                  simulated;

  g_return_val_if_fail (build != NULL && build->program != NULL, NULL);
  if (options == NULL)
    options = &none;
  run = run_new (build);
  count_owners (run);
  list_lints (run);
  run->result_reason = tl_values_unwanted (build, options->force_values, options->skip_values);
  if (run->result_reason == NULL)
    job = tl_values_start (build, options->threads, FALSE, cancellable);
  simulated = simulate (run, options, cancellable);
  if (simulated)
    take_counts (run);
  if (job != NULL)
    take_values (run, job);
  if (simulated && options->sensitivities && !g_cancellable_is_cancelled (cancellable))
    {
      g_array_unref (run->sensitivities);
      run->sensitivities = tl_sensitivities (build->program, run->sim->makespan, cancellable);
    }
  run->cancelled |= g_cancellable_is_cancelled (cancellable);
  run->complete = simulated && !run->cancelled && tl_diags_errors (run->diags) == 0;
  return run;
}

TlDiags *
tl_run_check_values (TlBuild *build, GCancellable *cancellable)
{
  TlValuesResult   result = { 0 };
  g_autofree char *unwanted = NULL;

  g_return_val_if_fail (build != NULL && build->program != NULL, NULL);
  unwanted = tl_values_unwanted (build, FALSE, FALSE);
  if (unwanted != NULL)
    return tl_diags_new ();
  tl_values_finish (tl_values_start (build, 0, TRUE, cancellable), &result);
  tl_matrix_free (result.matrix);
  g_free (result.reason);
  if (!g_cancellable_is_cancelled (cancellable))
    return result.diags;
  tl_diags_unref (result.diags);
  return NULL;
}

TlRun *
tl_run_ref (TlRun *run)
{
  g_atomic_ref_count_inc (&run->references);
  return run;
}

void
tl_run_unref (TlRun *run)
{
  if (run == NULL || !g_atomic_ref_count_dec (&run->references))
    return;
  g_clear_pointer (&run->sim, tl_sim_run_unref);
  if (run->values != NULL)
    tl_matrix_free (run->values);
  g_free (run->min_text);
  g_free (run->max_text);
  g_free (run->result_reason);
  g_ptr_array_unref (run->lints);
  g_array_unref (run->sensitivities);
  tl_diags_unref (run->diags);
  tl_build_unref (run->build);
  g_free (run);
}

char *
tl_run_value_text (const TlRun *run, guint32 i, guint32 j)
{
  const TlMatrix *matrix = run->values;

  if (matrix == NULL || i >= matrix->rows || j >= matrix->columns)
    return NULL;
  return tl_scalar_text (&run->build->program->semiring->carrier, tl_matrix_get (matrix, i, j));
}

gboolean
tl_run_write_result (const TlRun *run, const char *path, GError **error)
{
  if (run->values != NULL)
    return tl_matrix_write (run->values, path, error);
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "there are no values to write: %s",
               run->result_reason != NULL ? run->result_reason : "the run did not come to its end");
  return FALSE;
}

guint64
tl_makespan (const TlPimProgram *program, GCancellable *cancellable)
{
  TlSimOptions options = { .mode = TL_SIM_MEMO, .cancellable = cancellable };
  g_autoptr (TlSimRun) sim = tl_sim_run ((TlPimProgram *) program, &options, NULL);

  return sim != NULL ? sim->makespan : G_MAXUINT64;
}
