/* What goes on in a run of wavefronts at a moment, and where steps lead from it. */
#include "scene/pipe.h"

#include "base/number.h"

#include <stdio.h>
#include <string.h>

const char *
tl_pipe_words (TlPipeSpanKind kind)
{
  static const char *const words[TL_PIPE_N_SPANS] = {
    [TL_PIPE_SPAN_LOOKUP] = "looks words up",     [TL_PIPE_SPAN_SEND] = "sends a candidate",
    [TL_PIPE_SPAN_STALL] = "stalled, queue full", [TL_PIPE_SPAN_WAIT] = "waits for a candidate",
    [TL_PIPE_SPAN_SWEEP] = "sweeps a tile",       [TL_PIPE_SPAN_BARRIER] = "waits at the barrier",
  };

  return kind < TL_PIPE_N_SPANS && words[kind] != NULL ? words[kind] : tl_pipe_span_name (kind);
}

/* --- Stretches by PU --- */

TlPipeIndex *
tl_pipe_index_new (const TlPipeRun *run)
{
  TlPipeIndex        *index = g_new0 (TlPipeIndex, 1);
  guint               pus = run->program->machine.pus;
  g_autofree guint32 *at = g_new0 (guint32, pus + 1);

  index->first = g_new0 (guint32, pus + 1);
  index->span = g_new0 (guint32, run->spans->len + 1);
  for (guint s = 0; s < run->spans->len; s++)
    at[g_array_index (run->spans, TlPipeSpan, s).pu]++;
  for (guint pu = 0; pu < pus; pu++)
    {
      index->first[pu + 1] = index->first[pu] + at[pu];
      at[pu] = index->first[pu];
    }
  for (guint s = 0; s < run->spans->len; s++)
    index->span[at[g_array_index (run->spans, TlPipeSpan, s).pu]++] = s;
  return index;
}

void
tl_pipe_index_free (TlPipeIndex *index)
{
  if (index == NULL)
    return;
  g_free (index->first);
  g_free (index->span);
  g_free (index);
}

static const TlPipeSpan *
span_of (const TlPipeRun *run, const TlPipeIndex *index, guint32 at)
{
  return &g_array_index (run->spans, TlPipeSpan, index->span[at]);
}

/* The first stretch of @pu that ends after @time; first[pu + 1] when there is none. */
static guint32
ends_after (const TlPipeRun *run, const TlPipeIndex *index, guint pu, guint64 time)
{
  guint32 low = index->first[pu], high = index->first[pu + 1];

  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;
      if (span_of (run, index, middle)->to > time)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

/* --- Moments --- */

static guint32
level_at (const TlPipeRun *run, guint64 time)
{
  guint low = 0, high = run->levels->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      if (g_array_index (run->levels, TlPipeLevel, middle).time <= time)
        low = middle + 1;
      else
        high = middle;
    }
  return low > 0 ? g_array_index (run->levels, TlPipeLevel, low - 1).level : 0;
}

void
tl_pipe_moment (const TlPipeRun *run, const TlPipeIndex *index, guint64 time, TlPipeMoment *moment)
{
  guint pus = run->program->machine.pus;
  g_autoptr (TlPipeIndex) own = index == NULL ? tl_pipe_index_new (run) : NULL;

  if (index == NULL)
    index = own;
  *moment = (TlPipeMoment) { .at = g_new0 (TlPipeSpan, pus), .level = level_at (run, time), .job = G_MAXUINT32 };
  for (guint pu = 0; pu < pus; pu++)
    {
      guint32 at = ends_after (run, index, pu, time);

      if (at == index->first[pu + 1] || span_of (run, index, at)->from > time)
        continue;
      const TlPipeSpan *span = span_of (run, index, at);
      moment->at[pu] = *span;
      if (span->kind < TL_PIPE_SPAN_SWEEP)
        continue;
      moment->job = span->subject;
      moment->wave = span->wave;
      moment->sweeping = TRUE;
    }
  for (guint j = 0; !moment->sweeping && j < run->jobs->len; j++)
    if (g_array_index (run->jobs, TlPipeJob, j).done <= time)
      {
        moment->job = j;
        moment->wave = G_MAXUINT64;
      }
}

void
tl_pipe_moment_clear (TlPipeMoment *moment)
{
  g_clear_pointer (&moment->at, g_free);
}

/* The candidate of a read that its alignment lies in, else its first. */
static guint32
job_of_read (const TlGridRun *grid, guint32 read)
{
  const TlGridHit *hit = read < grid->hits->len ? &g_array_index (grid->hits, TlGridHit, read) : NULL;
  guint32          first = G_MAXUINT32;

  for (guint32 j = 0; j < grid->sim->jobs->len; j++)
    {
      const TlPipeJob *job = &g_array_index (grid->sim->jobs, TlPipeJob, j);

      if (job->read != read)
        continue;
      if (first == G_MAXUINT32)
        first = j;
      if (hit != NULL && hit->found && job->reverse == hit->reverse && hit->end_j > job->column
          && hit->end_j <= job->column + job->columns)
        return j;
    }
  return first;
}

guint32
tl_pipe_shown_job (const TlPipeShown *shown, const TlPipeMoment *moment, const char *selection)
{
  guint   read;
  guint32 job = G_MAXUINT32;

  if (selection != NULL && sscanf (selection, "read-%u", &read) == 1)
    job = job_of_read (shown->grid, read);
  return job != G_MAXUINT32                ? job
         : moment->job != G_MAXUINT32      ? moment->job
         : shown->grid->sim->jobs->len > 0 ? 0
                                           : G_MAXUINT32;
}

/* --- Steps --- */

typedef struct
{
  gboolean forward;
  guint64  time;
  guint64  best;
  gboolean any;
} Search;

static void
offer (Search *search, guint64 time)
{
  if (search->forward ? time <= search->time || (search->any && time >= search->best)
                      : time >= search->time || (search->any && time <= search->best))
    return;
  search->best = time;
  search->any = TRUE;
}

/* Where a PU goes over from one of its tiles to the next, within a wave. */
static void
offer_tiles (Search *search, const TlPipeRun *run, const TlPipeSpan *span, TlWaveTiling *tiling, TlWaveOwner *owner)
{
  guint32 i = 0, j = 0, n;
  gint32  di, dj;
  guint64 time = span->from;

  n = tl_wave_tiles (tiling, span->wave, &i, &j, &di, &dj);
  for (guint32 t = 0; t < n; t++, i = (guint32) ((gint32) i + di), j = (guint32) ((gint32) j + dj))
    if (tl_wave_owner_at (owner, i, j) == span->pu)
      {
        offer (search, time);
        time += tl_wave_cycles (tiling, i, j, TRUE) * run->program->machine.clock;
      }
  offer (search, span->to);
}

gboolean
tl_pipe_step (const TlPipeRun *run, TlPipeStep unit, gboolean forward, guint64 time, guint64 *to)
{
  Search       search = { .forward = forward, .time = time };
  guint32      tiled = G_MAXUINT32;
  TlWaveTiling tiling = { 0 };
  TlWaveOwner  owner = { 0 };

  offer (&search, 0);
  offer (&search, run->makespan);
  if (unit == TL_PIPE_STEP_CYCLE)
    {
      search.any = FALSE;
      offer (&search, forward ? MIN (time + run->program->machine.clock, run->makespan)
                              : time - MIN (time, run->program->machine.clock));
    }
  else if (unit == TL_PIPE_STEP_READ)
    for (guint j = 0; j < run->jobs->len; j++)
      offer (&search, g_array_index (run->jobs, TlPipeJob, j).taken);
  else
    for (guint s = 0; s < run->spans->len; s++)
      {
        const TlPipeSpan *span = &g_array_index (run->spans, TlPipeSpan, s);

        /* Spans that cannot be nearer than what was found are passed over. */
        if (span->kind != TL_PIPE_SPAN_SWEEP
            || (search.any
                && (forward ? span->from >= search.best || span->to <= time
                            : span->to <= search.best || span->from >= time)))
          continue;
        offer (&search, span->from);
        if (unit != TL_PIPE_STEP_TILE)
          continue;
        if (span->subject != tiled)
          {
            tl_pipe_job_tiling (run->program, &g_array_index (run->jobs, TlPipeJob, span->subject), &tiling);
            if (owner.rule != NULL)
              tl_owner_rule_free ((TlOwnerRule *) owner.rule);
            tl_pipe_owner (run->program, &tiling, &owner);
            tiled = span->subject;
          }
        offer_tiles (&search, run, span, &tiling, &owner);
      }
  if (owner.rule != NULL)
    tl_owner_rule_free ((TlOwnerRule *) owner.rule);
  *to = search.best;
  return search.any;
}

gboolean
tl_pipe_tile_time (const TlPipeRun *run, const TlPipeIndex *index, guint32 number, guint32 i, guint32 j, guint64 *from,
                   guint64 *to)
{
  const TlPipeJob *job = &g_array_index (run->jobs, TlPipeJob, number);
  TlWaveTiling     tiling;
  TlWaveOwner      owner;
  gboolean         found = FALSE;
  g_autoptr (TlPipeIndex) own = index == NULL ? tl_pipe_index_new (run) : NULL;

  if (index == NULL)
    index = own;
  tl_pipe_job_tiling (run->program, job, &tiling);
  tl_pipe_owner (run->program, &tiling, &owner);
  guint64 wave = (guint64) tiling.order[0] * i + (guint64) tiling.order[1] * j;
  gint64  pu = tl_wave_owner_at (&owner, i, j);
  guint32 last = pu >= 0 && pu < run->program->machine.pus ? index->first[pu + 1] : 0;
  for (guint32 at = last > 0 ? ends_after (run, index, (guint) pu, job->taken) : 0; at < last && !found; at++)
    {
      const TlPipeSpan *span = span_of (run, index, at);
      guint32           ti = 0, tj = 0, n;
      gint32            di, dj;

      if (span->subject > number && span->kind >= TL_PIPE_SPAN_SWEEP)
        break;
      if (span->kind != TL_PIPE_SPAN_SWEEP || span->subject != number || span->wave != wave)
        continue;
      *from = span->from;
      n = tl_wave_tiles (&tiling, wave, &ti, &tj, &di, &dj);
      for (guint32 t = 0; t < n && (ti != i || tj != j);
           t++, ti = (guint32) ((gint32) ti + di), tj = (guint32) ((gint32) tj + dj))
        if (tl_wave_owner_at (&owner, ti, tj) == pu)
          *from += tl_wave_cycles (&tiling, ti, tj, TRUE) * run->program->machine.clock;
      *to = *from + tl_wave_cycles (&tiling, i, j, TRUE) * run->program->machine.clock;
      found = TRUE;
    }
  if (owner.rule != NULL)
    tl_owner_rule_free ((TlOwnerRule *) owner.rule);
  return found;
}

guint64
tl_pipe_cell_cycle (const TlWaveTiling *tiling, guint32 j, guint32 row, guint32 column)
{
  guint64 width = tiling->columns + (guint64) tiling->skew * tiling->rows;
  guint32 pes = MAX (tiling->pes, 1);

  width = tiling->edges == TL_EDGES_PADDED ? tiling->tile : MIN (tiling->tile, width - (guint64) j * tiling->tile);
  if (tiling->reduced > 0)
    return column / pes * (guint64) tiling->reduced;
  return row / pes * (width + tiling->fill) + (guint64) (row % pes) * tiling->fill / MAX (pes - 1, 1) + column;
}

/* Of a problem that is one tile: when its middle cell is reached. */
static guint64
telling_cell (const TlPipeRun *run, const TlPipeJob *job, const TlWaveTiling *tiling)
{
  guint64 cycle = tl_pipe_cell_cycle (tiling, 0, job->rows / 2, job->columns / 2);

  return MIN (job->taken + cycle * run->program->machine.clock, run->makespan);
}

guint64
tl_pipe_telling (const TlPipeRun *run)
{
  guint32 job = run->jobs->len / 2;
  guint64 first = 0, last = 0;

  if (run->jobs->len == 0)
    return 0;
  TlWaveTiling tiling;
  tl_pipe_job_tiling (run->program, &g_array_index (run->jobs, TlPipeJob, job), &tiling);
  tl_wave_range (&tiling, &first, &last);
  if (first == last && tiling.reduced == 0)
    return telling_cell (run, &g_array_index (run->jobs, TlPipeJob, job), &tiling);
  for (guint s = 0; s < run->spans->len; s++)
    {
      const TlPipeSpan *span = &g_array_index (run->spans, TlPipeSpan, s);

      if (span->kind == TL_PIPE_SPAN_SWEEP && span->subject == job && span->wave >= (first + last) / 2)
        return span->from + (span->to - span->from) / 2;
    }
  return run->makespan / 2;
}

/* --- Words --- */

/* "3 PUs", "1 PU" (transfer full) */
static char *
some (guint n, const char *one, const char *many)
{
  return n == 0 ? g_strdup_printf ("no %s", one) : g_strdup_printf ("%u %s", n, n == 1 ? one : many);
}

char *
tl_pipe_caption (const TlPipeShown *shown)
{
  const TlPipeRun *run = shown->grid->sim;
  g_autofree char *time = tl_format_ps (shown->time);
  g_auto (TlPipeMoment) moment = { 0 };
  guint busy = 0, stalled = 0, looking = 0;

  tl_pipe_moment (run, shown->index, shown->time, &moment);
  for (guint32 pu = 0; pu < run->program->machine.pus; pu++)
    {
      busy += moment.at[pu].to > 0 && moment.at[pu].kind == TL_PIPE_SPAN_SWEEP;
      stalled += moment.at[pu].to > 0 && moment.at[pu].kind == TL_PIPE_SPAN_STALL;
      looking += moment.at[pu].to > 0 && moment.at[pu].kind == TL_PIPE_SPAN_LOOKUP;
    }
  g_autofree char *queued = some (moment.level, "candidate is", "candidates are");
  g_autofree char *seeking = some (looking, "Search PU looks", "Search PUs look");
  if (shown->time >= run->makespan)
    return g_strdup_printf ("At %s all is done.", time);
  if (!moment.sweeping && moment.job == G_MAXUINT32)
    return g_strdup_printf ("At %s %s words up; nothing is aligned yet.", time, seeking);
  if (!moment.sweeping)
    return g_strdup_printf ("At %s the Compute PUs wait for a candidate; %s queued.", time, queued);
  const TlPipeJob *job = &g_array_index (run->jobs, TlPipeJob, moment.job);
  const TlGridHit *hit = &g_array_index (shown->grid->hits, TlGridHit, job->read);
  g_autofree char *sweeping = some (busy, "Compute PU", "Compute PUs");
  TlWaveTiling     tiling;
  guint64          first = 0, last = 0;

  tl_pipe_job_tiling (run->program, job, &tiling);
  tl_wave_range (&tiling, &first, &last);
  if (!run->program->streams)
    return g_strdup_printf ("At %s wave %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " is swept on %s.", time,
                            moment.wave - first + 1, last - first + 1, sweeping);
  g_autofree char *held = stalled > 0 ? some (stalled, "Search PU is stalled", "Search PUs are stalled")
                                      : g_strdup_printf ("%s words up", seeking);
  return g_strdup_printf ("At %s wave %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " of read %u (%s) is swept on %s; "
                          "%s queued, %s.",
                          time, moment.wave - first + 1, last - first + 1, job->read, hit->query, sweeping, queued,
                          held);
}
