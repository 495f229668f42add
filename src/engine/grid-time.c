/* From the data of a grid to what the simulated memory holds, and the simulation. */
#include "engine/grid-time.h"

#include "engine/build-data.h"

#include <string.h>

/* Letters of all reads turned round, one after the other as they lie. (transfer full) */
static char *
turn_reads (const TlSequences *sequences)
{
  char *turned = g_malloc (MAX (sequences->n_letters, 1));

  for (guint r = 0; r < sequences->records->len; r++)
    {
      const TlSequenceRecord *record = tl_sequences_get (sequences, r);
      tl_sequence_complement (sequences->letters + record->start, record->length, turned + record->start);
    }
  return turned;
}

static const char *
error_code (const GError *error)
{
  static const char *const codes[] = { "deadlock", "owner-range", "too-large" };

  return error->domain == TL_PIPE_ERROR && (guint) error->code < G_N_ELEMENTS (codes) ? codes[error->code] : "no-run";
}

static void
say (TlGridRun *run, const GError *error)
{
  TlDiag *diag;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  run->sim_reason = g_strdup (error->message);
  /* Values of a grid that is too large to be timed are values all the same. */
  diag = tl_diags_add (
      run->diags, g_error_matches (error, TL_PIPE_ERROR, TL_PIPE_ERROR_SIZE) ? TL_SEVERITY_WARNING : TL_SEVERITY_ERROR,
      error_code (error), NULL, tl_span (0, 0), "the streams cannot be run: %s", error->message);
  if (g_error_matches (error, TL_PIPE_ERROR, TL_PIPE_ERROR_DEADLOCK))
    tl_diag_reason (diag, "streams that the passes make receive all that is sent and meet at every barrier; this one "
                          "was made or changed by something else");
}

/* Rows of each problem, with letters where there are some. (transfer full) */
static TlPipeRead *
reads_of (const TlGridTiming *timing, const char *turned)
{
  TlPipeRead *reads = g_new0 (TlPipeRead, timing->run->hits->len + 1);
  gboolean    trellis = timing->program->tiling.reduced > 0;

  for (guint k = 0; k < timing->run->hits->len; k++)
    {
      const TlGridHit   *hit = &g_array_index (timing->run->hits, TlGridHit, k);
      const TlSequences *letters = timing->sides[0];

      reads[k].rows = (guint32) hit->rows - (trellis && hit->rows > 0);
      if (turned == NULL || letters == NULL)
        continue;
      reads[k].letters = letters->letters + tl_sequences_get (letters, k)->start;
      reads[k].turned = turned + tl_sequences_get (letters, k)->start;
    }
  return reads;
}

/* Tiles that an adaptive band did not touch when the values were computed. */
static gboolean
is_left_out (const TlPipeJob *job, guint32 i, guint32 j, gpointer data)
{
  const TlGridTiming *timing = data;
  const TlGridHit    *hit = &g_array_index (timing->run->hits, TlGridHit, job->read);

  for (guint t = 0; hit->touched != NULL && t < hit->touched->len; t++)
    {
      const TlGridTouched *touched = &g_array_index (hit->touched, TlGridTouched, t);
      guint64              bit = (guint64) i * touched->tile_columns + j;

      if (touched->reverse == job->reverse && touched->diagonal == job->diagonal)
        return j < touched->tile_columns && !(touched->bits[bit / 8] >> bit % 8 & 1);
    }
  return FALSE;
}

/* Both makespans: edges of tiles free and charged. */
static void
count_edges (const TlGridTiming *timing, const TlPipeData *data, TlPipeOptions options)
{
  TlGridRun *run = timing->run;
  guint64   *own = run->sim->charged ? &run->charged_ps : &run->free_ps;
  guint64   *other = run->sim->charged ? &run->free_ps : &run->charged_ps;

  options.commands = FALSE;
  options.brief = TRUE;
  options.edges = run->sim->charged ? TL_PIPE_EDGES_FREE : TL_PIPE_EDGES_CHARGED;
  g_autoptr (TlPipeRun) again = tl_pipe_run (timing->program, data, &options, NULL);
  *own = run->sim->makespan;
  *other = again != NULL ? again->makespan : 0;
}

void
tl_grid_time (const TlGridTiming *timing)
{
  TlGridRun             *run = timing->run;
  gboolean               streams = timing->program->streams;
  g_autofree char       *turned = streams && timing->sides[0] != NULL ? turn_reads (timing->sides[0]) : NULL;
  g_autofree TlPipeRead *reads = reads_of (timing, turned);
  TlPipeData             data = { .reads = reads, .n_reads = run->hits->len, .index = timing->index };
  TlPipeOptions options = { .commands = timing->options->commands, .cancellable = timing->options->cancellable };
  g_autoptr (GError) error = NULL;
  gint64 start = g_get_monotonic_time ();

  if (run->tile > 0)
    {
      options.skips = is_left_out;
      options.skips_data = (gpointer) timing;
    }
  if (run->hits->len > 0)
    data.columns = g_array_index (run->hits, TlGridHit, 0).columns;
  if (streams && timing->sides[1] != NULL)
    data.columns = timing->sides[1]->n_letters;
  run->sim = tl_pipe_run (timing->program, &data, &options, &error);
  run->sim_ns = (g_get_monotonic_time () - start) * 1000;
  if (run->sim == NULL)
    say (run, error);
  else if (timing->options->both_edges)
    count_edges (timing, &data, options);
}

static void
add_problem (TlGridRun *run, const TlInput *rows, guint record, guint64 n_rows, guint64 columns)
{
  TlGridHit hit = { .rows = n_rows, .columns = columns, .score = g_strdup (""), .cigar = g_strdup ("") };

  hit.query
      = g_strdup (rows != NULL && rows->sequences != NULL ? tl_sequences_get (rows->sequences, record)->name : "rows");
  hit.target = g_strdup ("columns");
  g_array_append_val (run->hits, hit);
}

void
tl_grid_time_stream (TlBuild *build, const TlGridRunOptions *options, TlGridRun *run)
{
  TlPipeProgram *program = build->pipe;
  g_autoptr (TlInput) rows = tl_pipe_input (program, 0, build->inputs, run->diags, options->cancellable);
  g_autoptr (TlInput) columns = tl_pipe_input (program, 1, build->inputs, run->diags, options->cancellable);
  g_autoptr (TlSeedIndex) index = NULL;
  const TlSequences *letters = columns != NULL ? columns->sequences : NULL;
  TlGridTiming       timing = { .run = run, .options = options, .program = program };
  guint64            width = letters != NULL ? letters->n_letters : program->columns;

  if (tl_diags_errors (run->diags) > 0)
    return;
  if (program->streams && (letters == NULL || rows == NULL || rows->sequences == NULL))
    {
      tl_diags_add (run->diags, TL_SEVERITY_ERROR, "bad-stream", NULL, tl_span (0, 0),
                    "an index is made of letters, and the stream names data that are none");
      return;
    }
  run->reads = rows != NULL && rows->kind == TL_INPUT_READS;
  if (rows != NULL && rows->sequences != NULL)
    for (guint r = 0; r < rows->sequences->records->len; r++)
      add_problem (run, rows, r, tl_sequences_get (rows->sequences, r)->length, width);
  else
    add_problem (run, rows, 0, program->rows + (program->tiling.reduced > 0), width);
  timing.sides[0] = rows != NULL ? rows->sequences : NULL;
  timing.sides[1] = letters;
  if (program->streams)
    timing.index = index = tl_seed_index_new (letters->letters, (guint32) letters->n_letters, program->k);
  tl_grid_time (&timing);
}
