/* The second worker of a run: reads the matrix, closes it, says why it could not. */
#include "engine/run-values.h"

#include "base/number.h"

#include <sys/resource.h>

struct _TlValuesJob
{
  TlBuild       *build;
  guint          threads;
  gboolean       background;
  GCancellable  *cancellable;
  GThread       *thread;
  TlValuesResult result;
};

char *
tl_values_unwanted (const TlBuild *build, gboolean force, gboolean skip)
{
  const TlPimProgram *program = build->program;
  g_autofree char    *nodes = tl_format_count (program->n);
  g_autofree char    *limit = tl_format_count (TL_VALUES_MAX_AUTO);

  if (force)
    return NULL;
  if (skip || program->values == TL_VALUES_OFF)
    return g_strdup (skip ? "values were not asked for" : "values = off");
  if (program->values == TL_VALUES_ON || program->n <= TL_VALUES_MAX_AUTO)
    return NULL;
  return g_strdup_printf ("%s nodes are more than %s; values = on computes them", nodes, limit);
}

static TlInput *
find_input (TlValuesJob *job)
{
  const TlPimProgram *program = job->build->program;
  const TlDataSource *source = program->data->len > 0 ? program->data->pdata[0] : NULL;
  const TlBuildDatum *datum = source != NULL ? tl_build_data_find (job->build->data, source->name) : NULL;

  if (datum != NULL && datum->input != NULL)
    return tl_input_ref (datum->input);
  return tl_program_input (program, job->build->inputs, job->result.diags, job->cancellable);
}

static void
report_cycle (TlValuesJob *job, const TlInput *input, guint64 node)
{
  const TlPimProgram *program = job->build->program;
  const char         *what = program->semiring->plus.kind == TL_OPERATOR_MAX ? "positive" : "negative";
  gint64              id = tl_input_node_id (input, node);
  TlDiag             *diag;

  diag = tl_diags_add_at (job->result.diags, TL_SEVERITY_ERROR, "negative-cycle", input->name, 0, 0,
                          "there is a %s cycle through node %" G_GUINT64_FORMAT " (id %" G_GINT64_FORMAT ")", what,
                          node, id);
  tl_diag_reason (diag,
                  "each turn round it makes the path %s, so there is no best one; D[%" G_GUINT64_FORMAT
                  ",%" G_GUINT64_FORMAT "] passed the neutral value before super-step %" G_GUINT64_FORMAT
                  ". Change the weights on that cycle, or set values = off to look at timing alone",
                  what[0] == 'n' ? "shorter" : "longer", node, node, node);
  job->result.reason = g_strdup_printf ("a %s cycle through node %" G_GUINT64_FORMAT, what, node);
}

static void
close_matrix (TlValuesJob *job, const TlInput *input, TlMatrix *matrix)
{
  const TlPimProgram *program = job->build->program;
  TlClosureOptions    options = {
       .tile = program->tile,
       .threads = job->threads,
       .cycle_check = program->cycle_check,
       .cancellable = job->cancellable,
  };
  TlClosureResult end = tl_closure_run (matrix, program->semiring, &options);

  switch (end.end)
    {
    case TL_CLOSURE_DONE:
      return;
    case TL_CLOSURE_CYCLE:
      report_cycle (job, input, end.node);
      return;
    case TL_CLOSURE_MEMORY:
      tl_diags_add (job->result.diags, TL_SEVERITY_ERROR, "no-memory", NULL, tl_span (0, 0),
                    "there is no memory for the values; set values = off to look at timing alone");
      job->result.reason = g_strdup ("no memory for the values");
      return;
    case TL_CLOSURE_CANCELLED:
    default:
      job->result.reason = g_strdup ("interrupted");
    }
}

static gpointer
work (gpointer data)
{
  TlValuesJob *job = data;
  gint64       start = g_get_monotonic_time ();
  /* Linux: of the calling thread, and those it starts. */
  if (job->background)
    setpriority (PRIO_PROCESS, 0, 19);
  g_autoptr (TlInput) input = find_input (job);

  if (input != NULL)
    job->result.matrix = tl_input_matrix (input, job->build->program->semiring, 0, job->result.diags);
  if (job->result.matrix != NULL)
    close_matrix (job, input, job->result.matrix);
  else
    job->result.reason = g_strdup (input == NULL ? "its data could not be read" : "its matrix could not be made");
  if (job->result.reason != NULL)
    g_clear_pointer (&job->result.matrix, tl_matrix_free);
  job->result.ns = (g_get_monotonic_time () - start) * 1000;
  return NULL;
}

TlValuesJob *
tl_values_start (TlBuild *build, guint threads, gboolean background, GCancellable *cancellable)
{
  TlValuesJob *job = g_new0 (TlValuesJob, 1);

  job->build = tl_build_ref (build);
  job->threads = threads;
  job->background = background;
  job->cancellable = cancellable;
  job->result.diags = tl_diags_new ();
  job->thread = g_thread_new ("values", work, job);
  return job;
}

void
tl_values_finish (TlValuesJob *job, TlValuesResult *result)
{
  g_thread_join (job->thread);
  *result = job->result;
  tl_build_unref (job->build);
  g_free (job);
}
