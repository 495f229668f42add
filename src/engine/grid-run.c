/* Runs of grids: one problem, or one for each read and candidate on all cores. */
#include "engine/grid-run.h"

#include "base/hash.h"
#include "base/number.h"
#include "engine/grid-cells.h"
#include "engine/grid-faults.h"
#include "engine/grid-time.h"
#include "engine/grid-values.h"
#include "engine/recall.h"
#include "sim/seeds.h"

#include <string.h>

#define MAX_QUALITY 60

typedef struct
{
  TlBuild                *build;
  const TlGrid           *grid;
  const TlGridRunOptions *options;
  TlGridValues            values;
  TlGridRun              *run;
  TlSeedIndex            *index; /* NULL: no candidates, all columns */
  GMutex                  lock;
  guint                   next; /* record to be done */
  guint                   done;
  guint                   bad;    /* the first record that went wrong, G_MAXUINT: none */
  TlDiags                *faults; /* of that one; owned */
} Job;

static void
hit_clear (gpointer data)
{
  TlGridHit *hit = data;

  g_free (hit->query);
  g_free (hit->target);
  g_free (hit->score);
  g_free (hit->cigar);
  g_clear_pointer (&hit->touched, g_array_unref);
}

static TlWavePick
pick_of (TlGridPick pick)
{
  static const TlWavePick picks[] = { TL_WAVE_BEST, TL_WAVE_LAST, TL_WAVE_LAST_ROW, TL_WAVE_LAST_COLUMN };

  return picks[pick];
}

static TlWaveOptions
wave_options (const Job *job)
{
  const TlGrid      *grid = job->grid;
  const TlGridTable *table = &grid->tables[grid->pick_table];

  return (TlWaveOptions) {
    .pick = pick_of (grid->pick),
    .table = grid->pick_table,
    .greatest = grid->greatest,
    .plain = job->options->plain,
    .along_row = table->row.expr != NULL && table->row.loop != NULL && tl_grid_names (table->row.expr, table->row.loop),
    .along_column = table->column.expr != NULL && table->column.loop != NULL
                    && tl_grid_names (table->column.expr, table->column.loop),
    .cancellable = job->options->cancellable,
  };
}

/* --- One problem --- */

static void
keep_end (const Job *job, TlGridHit *hit, const TlWaveEnd *end, const TlWaveProblem *problem, guint64 column)
{
  g_clear_pointer (&hit->cigar, g_free);
  g_clear_pointer (&hit->score, g_free);
  hit->found = end->found;
  hit->score = end->found ? tl_scalar_text (&job->grid->semiring->carrier, end->score) : g_strdup ("");
  hit->value = tl_carrier_is_float (&job->grid->semiring->carrier) ? 0 : end->score.i;
  hit->end_i = end->end_i;
  hit->end_j = end->end_j + column;
  hit->traced = end->traced;
  hit->start_i = end->start_i;
  hit->start_j = end->start_j + column;
  hit->cigar = end->traced ? tl_wave_cigar (end, problem, &hit->matches, &hit->length) : g_strdup ("");
}

/* Fills the borders that the problem's size asks for and runs it. FALSE with diagnostics. */
static gboolean
run_problem (Job *job, TlWaveProblem *problem, gboolean trace, const char *query, TlWaveEnd *end, TlDiags *diags)
{
  g_autoptr (GPtrArray) cells = g_ptr_array_new_with_free_func (g_free);
  TlWaveOptions options = wave_options (job);

  options.trace = trace;
  options.keep_rows = problem->adaptive > 0;
  if (!tl_grid_values_borders (&job->values, problem, cells, diags))
    return FALSE;
  tl_wave_run (&job->values.recurrence, problem, &options, end);
  if (end->left.found)
    tl_grid_say_left (job->grid, &job->values.recurrence, problem, end, job->run->reads ? query : NULL, diags);
  return !end->left.found;
}

static void
touched_clear (gpointer data)
{
  g_free (((TlGridTouched *) data)->bits);
}

/* What an adaptive band saved, and which tiles of the candidate it touched. */
static void
add_cost (const Job *job, TlGridHit *hit, const TlWaveEnd *end, const TlWaveProblem *problem, gboolean reverse,
          gint64 diagonal)
{
  TlWaveCost cost;

  hit->cells += end->cells;
  if (problem->adaptive == 0 || job->run->tile == 0)
    return;
  tl_wave_cost (problem, end->rows, job->run->tile, &cost);
  hit->width = problem->adaptive;
  hit->envelope_cells += cost.envelope_cells;
  hit->envelope_tiles += cost.envelope_tiles;
  hit->tiles += cost.tiles;
  const TlGridTouched touched = { reverse, diagonal, cost.tile_columns, cost.touched };
  if (hit->touched == NULL)
    {
      hit->touched = g_array_new (FALSE, FALSE, sizeof (TlGridTouched));
      g_array_set_clear_func (hit->touched, touched_clear);
    }
  g_array_append_val (hit->touched, touched);
}

/* All columns, no candidates. */
static gboolean
run_whole (Job *job, const guint8 *q, guint32 rows, TlGridHit *hit, TlDiags *diags)
{
  const TlGridCodes *r = &job->values.sides[1];
  gint64             band = tl_grid_band (job->grid, rows);
  TlWaveProblem      problem = { .q = q,
                                 .r = r->codes,
                                 .rows = rows,
                                 .columns = (guint32) hit->columns,
                                 .adaptive = tl_grid_adaptive (job->grid, rows),
                                 .steered = job->grid->pick_table };
  g_auto (TlWaveEnd) end = { 0 };

  problem.low = band >= 0 ? -band : -(gint64) rows;
  problem.high = band >= 0 ? band : (gint64) problem.columns;
  if (!run_problem (job, &problem, job->options->trace, hit->query, &end, diags))
    return FALSE;
  add_cost (job, hit, &end, &problem, FALSE, 0);
  keep_end (job, hit, &end, &problem, 0);
  if (job->run->hits->len == 1 && job->options->trace)
    {
      job->run->values = tl_grid_cells (&job->values, &problem, TL_GRID_SHOWN_CELLS);
      job->run->n_values = ((guint64) problem.rows + 1) * ((guint64) problem.columns + 1);
    }
  return TRUE;
}

/* --- One read, its candidates --- */

typedef struct
{
  gboolean      reverse;
  TlSeedPlace   place;
  TlWaveProblem problem;
  guint64       column; /* of the window's first letter, from 0 */
  TlScalar      score;
  gboolean      found;
} Candidate;

/* The window of r that a candidate is computed in: h before its diagonal, rows + 2h long,
 * as far as r reaches. */
static gboolean
place_window (const Job *job, Candidate *candidate, const guint8 *q, guint32 rows, gint64 h)
{
  const TlGridCodes *r = &job->values.sides[1];
  gint64             first = candidate->place.diagonal - h, last = first + rows + 2 * h;
  gint64             from = MAX (first, 0), to = MIN (last, (gint64) r->n);

  if (from >= to)
    return FALSE;
  candidate->column = (guint64) from;
  candidate->problem = (TlWaveProblem) { .q = q,
                                         .r = r->codes + from,
                                         .rows = rows,
                                         .columns = (guint32) (to - from),
                                         .low = first - from,
                                         .high = 2 * h + first - from,
                                         .adaptive = tl_grid_adaptive (job->grid, rows),
                                         .steered = job->grid->pick_table,
                                         .start = candidate->place.start - from };
  return TRUE;
}

static gboolean
is_better (const Job *job, const Candidate *a, const Candidate *b)
{
  int order = tl_scalar_compare (&job->grid->semiring->carrier, a->score, b->score);

  return a->found && (!b->found || (job->grid->greatest ? order > 0 : order < 0));
}

/* How far the second is behind the first: 60 when there is none or it is worth nothing. */
static guint
quality_of (const Job *job, const Candidate *first, const Candidate *second)
{
  gboolean real = tl_carrier_is_float (&job->grid->semiring->carrier);
  double   best = real ? first->score.r : (double) first->score.i;
  double   next = second == NULL ? 0 : real ? second->score.r : (double) second->score.i;

  if (second == NULL)
    return MAX_QUALITY;
  if (!job->grid->greatest)
    return next > 0 ? (guint) CLAMP (MAX_QUALITY * (1 - best / next), 0, MAX_QUALITY) : 0;
  return best > 0 ? (guint) CLAMP (MAX_QUALITY * (1 - MAX (next, 0) / best), 0, MAX_QUALITY) : 0;
}

static gboolean
run_candidates (Job *job, Candidate *all, guint n, TlGridHit *hit, TlDiags *diags)
{
  Candidate *best = NULL, *second = NULL;

  for (guint c = 0; c < n; c++)
    {
      g_auto (TlWaveEnd) end = { 0 };

      if (!run_problem (job, &all[c].problem, n == 1 && job->options->trace, hit->query, &end, diags))
        return FALSE;
      add_cost (job, hit, &end, &all[c].problem, all[c].reverse, all[c].place.diagonal);
      all[c].found = end.found;
      all[c].score = end.score;
      if (n == 1)
        keep_end (job, hit, &end, &all[c].problem, all[c].column);
      if (best == NULL || is_better (job, &all[c], best))
        {
          second = best;
          best = &all[c];
        }
      else if (second == NULL || is_better (job, &all[c], second))
        second = &all[c];
    }
  if (n > 1 && best->found)
    {
      g_auto (TlWaveEnd) end = { 0 };

      if (!run_problem (job, &best->problem, job->options->trace, hit->query, &end, diags))
        return FALSE;
      keep_end (job, hit, &end, &best->problem, best->column);
    }
  hit->reverse = best->reverse;
  hit->quality = hit->found ? quality_of (job, best, second != NULL && second->found ? second : NULL) : 0;
  return TRUE;
}

/* The codes of @letters; letters of a complement that no data holds have none: they are no N here. */
static void
code_letters (const Job *job, const char *letters, guint64 n, guint8 *codes)
{
  guint8 of[256] = { 0 };

  for (guint v = 0; v < job->values.values->len; v++)
    {
      TlScalar value = g_array_index (job->values.values, TlScalar, v);
      of[(guchar) value.i] = (guint8) v;
    }
  for (guint64 i = 0; i < n; i++)
    codes[i] = of[(guchar) letters[i]];
}

static gboolean
run_read (Job *job, const char *letters, const guint8 *q, guint32 rows, TlGridHit *hit, TlDiags *diags)
{
  gint64             h = tl_grid_band (job->grid, rows);
  g_autofree char   *turned = g_malloc (rows);
  g_autofree guint8 *turned_codes = g_malloc (rows);
  TlSeedCandidate    found[TL_SEED_MAX_CANDIDATES];
  Candidate          candidates[TL_SEED_MAX_CANDIDATES];
  guint              n_found, n = 0;

  tl_sequence_complement (letters, rows, turned);
  code_letters (job, turned, rows, turned_codes);
  n_found = tl_seed_candidates (job->index, letters, turned, rows, h, job->values.sides[1].n, found);
  for (guint c = 0; c < n_found; c++)
    {
      Candidate candidate = { .reverse = found[c].reverse, .place = found[c].place };

      if (place_window (job, &candidate, candidate.reverse ? turned_codes : q, rows, h))
        candidates[n++] = candidate;
    }
  hit->candidates = n;
  if (n > 0)
    return run_candidates (job, candidates, n, hit, diags);
  hit->score = g_strdup ("");
  hit->cigar = g_strdup ("");
  return TRUE;
}

/* --- All reads --- */

/* A worker takes the next record until none is left. Of what goes wrong the first record's is
 * said; those before it were all taken. */
static gpointer
work (gpointer data)
{
  Job               *job = data;
  const TlSequences *sequences = job->values.sides[0].input->sequences;

  for (;;)
    {
      g_mutex_lock (&job->lock);
      guint    at = job->next++;
      gboolean stop = at > job->bad;
      g_mutex_unlock (&job->lock);
      if (stop || at >= sequences->records->len || g_cancellable_is_cancelled (job->options->cancellable))
        return NULL;
      const TlSequenceRecord *record = tl_sequences_get (sequences, at);
      TlGridHit              *hit = &g_array_index (job->run->hits, TlGridHit, at);
      const guint8           *q = job->values.sides[0].codes + record->start;
      g_autoptr (TlDiags) diags = tl_diags_new ();
      gboolean good = job->index != NULL
                          ? run_read (job, sequences->letters + record->start, q, (guint32) record->length, hit, diags)
                          : run_whole (job, q, (guint32) record->length, hit, diags);
      g_mutex_lock (&job->lock);
      job->done++;
      if (!good && at < job->bad)
        {
          job->bad = at;
          g_clear_pointer (&job->faults, tl_diags_unref);
          job->faults = g_steal_pointer (&diags);
        }
      g_mutex_unlock (&job->lock);
    }
}

static void
run_reads (Job *job)
{
  const TlSequences   *sequences = job->values.sides[0].input->sequences;
  guint                threads = job->options->threads > 0 ? job->options->threads : g_get_num_processors ();
  guint                n = sequences->records->len;
  g_autofree GThread **workers = NULL;

  threads = CLAMP (threads, 1, MIN (n, 64));
  workers = g_new0 (GThread *, threads);
  for (guint t = 0; t < threads; t++)
    workers[t] = g_thread_new ("align", work, job);
  for (guint shown = 0; job->options->progress != NULL && shown < n;)
    {
      g_usleep (20000);
      g_mutex_lock (&job->lock);
      gboolean ended = job->done == shown && (job->next >= n + threads);
      shown = job->done;
      ended |= job->bad < n || g_cancellable_is_cancelled (job->options->cancellable);
      g_mutex_unlock (&job->lock);
      job->options->progress (shown, n, job->options->user);
      if (ended)
        break;
    }
  for (guint t = 0; t < threads; t++)
    g_thread_join (workers[t]);
  if (job->faults != NULL)
    tl_diags_append (job->run->diags, job->faults);
  g_clear_pointer (&job->faults, tl_diags_unref);
}

/* A hit for each record, before anything is computed. */
static gboolean
prepare_hits (Job *job)
{
  const TlGrid       *grid = job->grid;
  const TlGridCodes  *sides = job->values.sides;
  const TlInput      *rows = sides[0].input, *columns = sides[1].input;
  const TlSequences  *sequences = rows != NULL ? rows->sequences : NULL;
  const TlBuildDatum *own = tl_build_data_find (job->build->data, grid->tables[grid->pick_table].name);
  guint64             extents[2] = { sides[0].n, sides[1].n };

  for (guint side = 0; side < 2; side++)
    if (job->values.sides[side].input == NULL && own != NULL && (side == 0 ? own->rows : own->columns) > 0)
      extents[side] = (side == 0 ? own->rows : own->columns) - 1;
  if ((rows == NULL && extents[0] == 0 && own == NULL) || (columns == NULL && extents[1] == 0 && own == NULL))
    {
      tl_diag_reason (
          tl_diags_add (job->run->diags, TL_SEVERITY_ERROR, "unknown-extent", grid->ast->source, grid->tables[0].span,
                        "the number of %s is not known", rows == NULL && extents[0] == 0 ? "rows" : "columns"),
          "nothing is read along them; declare the table, as in data %s: i32[100, 100]", grid->tables[0].name);
      return FALSE;
    }
  /* A side along which nothing is read has one letter, the same everywhere. */
  for (guint side = 0; side < 2 && !job->options->skip_values; side++)
    if (job->values.sides[side].codes == NULL)
      job->values.sides[side].codes = g_malloc0 (MAX (extents[side], 1));
  for (guint k = 0; k < (sequences != NULL ? sequences->records->len : 1); k++)
    {
      TlGridHit hit = { .rows = extents[0], .columns = extents[1] };

      if (sequences != NULL)
        {
          hit.query = g_strdup (tl_sequences_get (sequences, k)->name);
          hit.rows = tl_sequences_get (sequences, k)->length;
        }
      else
        hit.query = g_strdup (grid->sides[0].name != NULL ? grid->sides[0].name : "rows");
      hit.target
          = g_strdup (columns != NULL && columns->sequences != NULL ? tl_sequences_get (columns->sequences, 0)->name
                      : grid->sides[1].name != NULL                 ? grid->sides[1].name
                                                                    : "columns");
      g_array_append_val (job->run->hits, hit);
    }
  job->run->reads = rows != NULL && rows->kind == TL_INPUT_READS;
  return TRUE;
}

static gboolean
make_index (Job *job)
{
  const TlGrid      *grid = job->grid;
  const TlSequences *r = job->values.sides[1].input->sequences;

  if (r == NULL)
    {
      tl_diag_reason (tl_diags_add (job->run->diags, TL_SEVERITY_ERROR, "bad-stream", grid->ast->source,
                                    grid->sides[1].span, "an index is made of letters, and %s holds numbers",
                                    grid->sides[1].name),
                      "candidates are found by words of A, C, G and T; leave the stream out");
      return FALSE;
    }
  if (grid->band == TL_BAND_NONE)
    {
      tl_diag_reason (
          tl_diags_add (job->run->diags, TL_SEVERITY_ERROR, "bad-band", grid->ast->source, grid->update_span,
                        "candidates need a band"),
          "a candidate's window reaches one band beyond its diagonal: write \"within band\" after the loops "
          "and config band = 15%%");
      return FALSE;
    }
  job->index = tl_seed_index_new (r->letters, (guint32) r->n_letters, (guint) grid->k);
  return TRUE;
}

/* The first hit without a result, where no candidates were looked for. */
static void
say_absent (Job *job)
{
  TlGridRun *run = job->run;

  if (job->index != NULL || tl_diags_errors (run->diags) > 0 || g_cancellable_is_cancelled (job->options->cancellable))
    return;
  for (guint k = 0; k < run->hits->len; k++)
    {
      const TlGridHit *hit = &g_array_index (run->hits, TlGridHit, k);

      if (hit->found)
        continue;
      tl_grid_say_absent (job->grid, hit->rows, hit->columns, run->reads ? hit->query : NULL, run->diags);
      return;
    }
}

static void
run_wave (Job *job)
{
  TlGridRun *run = job->run;

  if (!prepare_hits (job) || (job->grid->stream != NULL && !make_index (job)))
    return;
  const TlInput *rows = job->values.sides[0].input;
  if (job->options->skip_values)
    return;
  if (rows != NULL && rows->sequences != NULL)
    run_reads (job);
  else
    run_whole (job, job->values.sides[0].codes, (guint32) g_array_index (run->hits, TlGridHit, 0).rows,
               &g_array_index (run->hits, TlGridHit, 0), run->diags);
  say_absent (job);
}

static void
run_trellis (Job *job)
{
  TlGridRun *run = job->run;
  g_autoptr (GPtrArray) cells = g_ptr_array_new_with_free_func (g_free);
  g_auto (TlTrellisEnd) end = { 0 };
  TlTrellis trellis;
  TlGridHit hit = { .query = g_strdup (job->grid->loops[0]), .target = g_strdup (job->grid->loops[1]) };

  if (tl_grid_values_trellis (&job->values, job->build->data, &trellis, cells, run->diags))
    {
      tl_trellis_run (&trellis, job->grid->greatest, job->options->cancellable, &end);
      run->states = trellis.states;
      hit.rows = trellis.steps;
      hit.columns = trellis.states;
      hit.found = end.found;
      hit.end_i = trellis.steps - 1;
      hit.end_j = end.state;
      hit.cells = end.cells;
      run->values = tl_grid_trellis_cells (&trellis, &end);
      run->n_values = end.cells;
      hit.value = tl_carrier_is_float (&trellis.semiring->carrier) ? 0 : end.score.i;
      if (end.left)
        tl_grid_say_left_state (job->grid, &trellis, &end, run->diags);
    }
  hit.score = end.found ? tl_scalar_text (&job->grid->semiring->carrier, end.score) : g_strdup ("");
  hit.cigar = g_strdup ("");
  g_array_append_val (run->hits, hit);
  if (end.path != NULL)
    {
      run->path = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_array_append_vals (run->path, end.path, trellis.steps);
    }
}

/* --- The whole --- */

static void
sum_up (TlGridRun *run)
{
  run->hash = TL_FNV1A64_START;
  for (guint k = 0; k < run->hits->len; k++)
    {
      const TlGridHit *hit = &g_array_index (run->hits, TlGridHit, k);
      g_autofree char *line
          = g_strdup_printf ("%s %s %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n",
                             hit->score != NULL ? hit->score : "", hit->reverse ? "-" : "+", hit->end_i, hit->end_j);

      run->hash = tl_fnv1a64 (run->hash, line, strlen (line));
      run->cells += hit->cells;
      run->envelope_cells += hit->envelope_cells;
      run->envelope_tiles += hit->envelope_tiles;
      run->tiles += hit->tiles;
      run->mapped += hit->found;
    }
}

/* Values, and then the time of the same problems. */
static void
run_grid (Job *job)
{
  TlGridRun   *run = job->run;
  TlGridTiming timing = { .run = run, .options = job->options, .program = job->build->pipe };

  if (!tl_grid_values_init (&job->values, job->grid, job->build->data, job->build->inputs, run->diags))
    return;
  run->data = tl_build_data_ref (job->build->data);
  for (guint side = 0; side < 2; side++)
    if (job->values.sides[side].input != NULL)
      run->sides[side] = job->values.sides[side].input->sequences;
  if (job->grid->kind == TL_GRID_TRELLIS)
    run_trellis (job);
  else
    run_wave (job);
  if (!job->options->time || job->build->pipe == NULL || tl_diags_errors (run->diags) > 0)
    return;
  for (guint side = 0; side < 2; side++)
    if (job->values.sides[side].input != NULL)
      timing.sides[side] = job->values.sides[side].input->sequences;
  timing.index = job->index;
  tl_grid_time (&timing);
}

/* A stream brings its machine along. */
static const TlPimMachine *
machine_of (const TlBuild *build)
{
  return build->target != NULL ? tl_target_pim_machine (build->target)
         : build->pipe != NULL ? &build->pipe->machine
                               : NULL;
}

TlGridRun *
tl_grid_run (TlBuild *build, const TlGridRunOptions *options)
{
  TlGridRun *run = g_new0 (TlGridRun, 1);
  Job        job = { .build = build, .grid = build->grid, .options = options, .run = run, .bad = G_MAXUINT };
  gint64     start = g_get_monotonic_time ();
  g_autoptr (TlBuild) recalled = NULL;

  run->diags = tl_diags_new ();
  run->hits = g_array_new (FALSE, TRUE, sizeof (TlGridHit));
  g_array_set_clear_func (run->hits, hit_clear);
  run->program = g_strdup (build->grid != NULL ? build->grid->algorithm : build->pipe->name);
  run->target = g_strdup (build->target != NULL ? tl_target_name (build->target)
                          : build->pipe != NULL ? build->pipe->target
                                                : "");
  g_mutex_init (&job.lock);
  if (build->grid == NULL && !options->skip_values && *build->pipe->text != '\0')
    {
      if ((recalled = tl_build_recall (build, run->diags, options->cancellable)) != NULL)
        job.build = recalled;
      job.grid = job.build->grid;
    }
  if (job.grid != NULL && job.grid->adaptive != TL_BAND_NONE && machine_of (job.build) != NULL)
    run->tile = tl_grid_tile (job.grid, machine_of (job.build));
  if (job.grid != NULL)
    run_grid (&job);
  else if (tl_diags_errors (run->diags) == 0)
    tl_grid_time_stream (build, options, run);
  tl_grid_values_clear (&job.values);
  tl_seed_index_free (job.index);
  g_mutex_clear (&job.lock);
  run->cancelled = g_cancellable_is_cancelled (options->cancellable);
  run->complete = !run->cancelled && tl_diags_errors (run->diags) == 0;
  sum_up (run);
  run->ns = (g_get_monotonic_time () - start) * 1000 - run->sim_ns;
  return run;
}

void
tl_grid_run_free (TlGridRun *run)
{
  if (run == NULL)
    return;
  tl_diags_unref (run->diags);
  g_array_unref (run->hits);
  g_clear_pointer (&run->path, g_array_unref);
  g_clear_pointer (&run->sim, tl_pipe_run_unref);
  for (guint64 c = 0; run->values != NULL && c < run->n_values; c++)
    g_free (run->values[c]);
  g_free (run->values);
  g_clear_pointer (&run->data, tl_build_data_unref);
  g_free (run->sim_reason);
  g_free (run->program);
  g_free (run->target);
  g_free (run);
}

char
tl_grid_run_letter (const TlGridRun *run, guint side, guint hit, gboolean turned, guint64 at)
{
  const TlSequences *letters = run->sides[side];
  guint64            start = 0, length;
  char               letter;

  if (letters == NULL || (side == 0 && hit >= letters->records->len))
    return '\0';
  length = letters->n_letters;
  if (side == 0)
    {
      start = tl_sequences_get (letters, hit)->start;
      length = tl_sequences_get (letters, hit)->length;
    }
  if (at >= length)
    return '\0';
  if (!turned)
    return letters->letters[start + at];
  tl_sequence_complement (letters->letters + start + length - 1 - at, 1, &letter);
  return letter;
}

GBytes *
tl_grid_run_paf (const TlGridRun *run)
{
  GString *text = g_string_new (NULL);

  for (guint k = 0; k < run->hits->len; k++)
    {
      const TlGridHit *hit = &g_array_index (run->hits, TlGridHit, k);
      guint64          from = hit->reverse ? hit->rows - hit->end_i : hit->start_i;
      guint64          to = hit->reverse ? hit->rows - hit->start_i : hit->end_i;

      if (!hit->found || !hit->traced)
        continue;
      g_string_append_printf (text, "%s\t%" G_GUINT64_FORMAT "\t%" G_GUINT64_FORMAT "\t%" G_GUINT64_FORMAT "\t%c\t",
                              hit->query, hit->rows, from, to, hit->reverse ? '-' : '+');
      g_string_append_printf (text, "%s\t%" G_GUINT64_FORMAT "\t%" G_GUINT64_FORMAT "\t%" G_GUINT64_FORMAT "\t",
                              hit->target, hit->columns, hit->start_j, hit->end_j);
      g_string_append_printf (text, "%" G_GUINT64_FORMAT "\t%" G_GUINT64_FORMAT "\t%u\tAS:i:%s\tcg:Z:%s\n",
                              hit->matches, hit->length, hit->quality, hit->score, hit->cigar);
    }
  return g_string_free_to_bytes (text);
}
