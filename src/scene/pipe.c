/* What goes on in a run of wavefronts at a moment, and where steps lead from it. */
#include "scene/pipe.h"

#include "base/number.h"

#include <stdio.h>
#include <string.h>

void
tl_pipe_moment (const TlPipeRun *run, guint64 time, TlPipeMoment *moment)
{
  *moment = (TlPipeMoment) { .at = g_new0 (TlPipeSpan, run->program->machine.pus), .job = G_MAXUINT32 };
  for (guint s = 0; s < run->spans->len; s++)
    {
      const TlPipeSpan *span = &g_array_index (run->spans, TlPipeSpan, s);

      if (span->from <= time && time < span->to)
        moment->at[span->pu] = *span;
    }
  for (guint l = 0; l < run->levels->len && g_array_index (run->levels, TlPipeLevel, l).time <= time; l++)
    moment->level = g_array_index (run->levels, TlPipeLevel, l).level;
  for (guint32 pu = 0; pu < run->program->machine.pus; pu++)
    {
      const TlPipeSpan *span = &moment->at[pu];

      if (span->to == 0 || (span->kind != TL_PIPE_SPAN_SWEEP && span->kind != TL_PIPE_SPAN_BARRIER))
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
  for (guint s = 0; s < run->spans->len; s++)
    {
      const TlPipeSpan *span = &g_array_index (run->spans, TlPipeSpan, s);

      if (span->kind == TL_PIPE_SPAN_SWEEP && span->subject == job && span->wave >= (first + last) / 2)
        return span->from + (span->to - span->from) / 2;
    }
  return run->makespan / 2;
}

/* --- Words --- */

char *
tl_pipe_caption (const TlPipeShown *shown)
{
  const TlPipeRun *run = shown->grid->sim;
  g_autofree char *time = tl_format_ps (shown->time);
  g_auto (TlPipeMoment) moment = { 0 };
  guint busy = 0, stalled = 0;

  tl_pipe_moment (run, shown->time, &moment);
  for (guint32 pu = 0; pu < run->program->machine.pus; pu++)
    {
      busy += moment.at[pu].to > 0 && moment.at[pu].kind == TL_PIPE_SPAN_SWEEP;
      stalled += moment.at[pu].to > 0 && moment.at[pu].kind == TL_PIPE_SPAN_STALL;
    }
  if (!moment.sweeping)
    return moment.job == G_MAXUINT32
               ? g_strdup_printf ("At %s words are looked up; nothing is aligned yet.", time)
               : g_strdup_printf ("At %s the Compute PUs wait; %u candidates are queued.", time, moment.level);
  const TlPipeJob *job = &g_array_index (run->jobs, TlPipeJob, moment.job);
  const TlGridHit *hit = &g_array_index (shown->grid->hits, TlGridHit, job->read);
  if (!run->program->streams)
    return g_strdup_printf ("At %s wave %" G_GUINT64_FORMAT " is swept on %u Compute PUs.", time, moment.wave, busy);
  return g_strdup_printf ("At %s wave %" G_GUINT64_FORMAT " of %s is swept on %u Compute PUs; %u candidates are "
                          "queued, %u Search PUs stalled.",
                          time, moment.wave, hit->query, busy, moment.level, stalled);
}
