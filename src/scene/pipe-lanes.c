/* What each PU did, pixel column by pixel column: shares of its stretches of time. */
#include "scene/pipe.h"

#include <string.h>

#define WHOLE 400

/* How a stretch counts. */
typedef enum
{
  WORK,
  STALLED,
  RESTS
} Class;

static Class
class_of (guint kind)
{
  switch (kind)
    {
    case TL_PIPE_SPAN_STALL:
      return STALLED;
    case TL_PIPE_SPAN_WAIT:
    case TL_PIPE_SPAN_BARRIER:
    case TL_PIPE_SPAN_EDGES:
      return RESTS;
    default:
      return WORK;
    }
}

/* Time of each kind in each column. */
typedef struct
{
  double *share; /* columns * kinds */
  double  step;  /* ps a column */
  guint64 from, to;
  guint   columns;
} Shares;

static void
add (Shares *shares, const TlPipeSpan *span)
{
  if (span->to <= shares->from || span->from >= shares->to)
    return;
  double a = (double) (MAX (span->from, shares->from) - shares->from) / shares->step;
  double b = (double) (MIN (span->to, shares->to) - shares->from) / shares->step;
  for (guint c = (guint) a; c < shares->columns && c < b; c++)
    shares->share[(gsize) c * TL_PIPE_N_SPANS + span->kind] += MIN (b, c + 1) - MAX (a, c);
}

static guint
most_of (const double *share, gboolean work)
{
  guint most = TL_PIPE_N_SPANS;

  for (guint kind = 0; kind < TL_PIPE_N_SPANS; kind++)
    if ((class_of (kind) == WORK) == work && class_of (kind) != STALLED && share[kind] > 0
        && (most == TL_PIPE_N_SPANS || share[kind] > share[most]))
      most = kind;
  return most;
}

static double
sum_of (const double *share, Class class)
{
  double sum = 0;

  for (guint kind = 0; kind < TL_PIPE_N_SPANS; kind++)
    sum += class_of (kind) == class ? share[kind] : 0;
  return MIN (sum, 1);
}

static void
add_pu (TlPipeLanes *lanes, const TlPipeRun *run, const TlPipeIndex *index, guint pu, double *share)
{
  Shares shares
      = { share, (double) MAX (lanes->to - lanes->from, 1) / lanes->columns, lanes->from, lanes->to, lanes->columns };
  gsize base = (gsize) (pu - lanes->first) * lanes->columns;

  memset (share, 0, sizeof (double) * lanes->columns * TL_PIPE_N_SPANS);
  for (guint32 s = index->first[pu]; s < index->first[pu + 1]; s++)
    add (&shares, &g_array_index (run->spans, TlPipeSpan, index->span[s]));
  for (guint c = 0; c < lanes->columns; c++)
    {
      const double *of = &share[(gsize) c * TL_PIPE_N_SPANS];
      guint         work = most_of (of, TRUE), rest = most_of (of, FALSE);

      lanes->busy[base + c] = (guint8) (sum_of (of, WORK) * 255 + 0.5);
      lanes->stall[base + c] = (guint8) (sum_of (of, STALLED) * 255 + 0.5);
      lanes->work[base + c] = (guint8) work;
      lanes->rest[base + c] = (guint8) (rest < TL_PIPE_N_SPANS ? rest + 1 : 0);
    }
}

/* Shares of all PUs of one kind over the whole run. */
static void
add_whole (TlPipeLanes *lanes, const TlPipeRun *run)
{
  gsize              cells = (gsize) lanes->n_whole * TL_PIPE_N_SPANS;
  g_autofree double *share = g_new0 (double, cells);
  Shares             shares
      = { share, (double) MAX (run->makespan, 1) / lanes->n_whole, 0, MAX (run->makespan, 1), lanes->n_whole };
  guint compute = MAX (run->program->compute, 1);

  for (guint s = 0; s < run->spans->len; s++)
    add (&shares, &g_array_index (run->spans, TlPipeSpan, s));
  for (guint c = 0; c < lanes->n_whole; c++)
    {
      const double *of = &share[(gsize) c * TL_PIPE_N_SPANS];
      lanes->sweeping[c] = (guint8) (MIN (of[TL_PIPE_SPAN_SWEEP] / compute, 1) * 255 + 0.5);
    }
}

void
tl_pipe_stretch (const TlPipeRun *run, guint64 *from, guint64 *to)
{
  if (*to <= *from || *from >= run->makespan)
    {
      *from = 0;
      *to = MAX (run->makespan, 1);
    }
  *to = MIN (*to, MAX (run->makespan, *from + 1));
}

TlPipeLanes *
tl_pipe_lanes_new (const TlPipeRun *run, const TlPipeIndex *index, guint64 from, guint64 to, guint columns)
{
  const TlPipeProgram *program = run->program;
  TlPipeLanes         *lanes = g_new0 (TlPipeLanes, 1);
  g_autoptr (TlPipeIndex) own = index == NULL ? tl_pipe_index_new (run) : NULL;

  lanes->from = from;
  lanes->to = to;
  lanes->columns = MAX (columns, 1);
  lanes->first = program->streams ? 0 : program->search;
  lanes->count = program->search + program->compute - lanes->first;
  lanes->n_whole = WHOLE;
  gsize              cells = (gsize) lanes->count * lanes->columns;
  g_autofree double *share = g_new (double, (gsize) lanes->columns *TL_PIPE_N_SPANS);
  lanes->busy = g_new0 (guint8, cells + 1);
  lanes->stall = g_new0 (guint8, cells + 1);
  lanes->work = g_new0 (guint8, cells + 1);
  lanes->rest = g_new0 (guint8, cells + 1);
  lanes->sweeping = g_new0 (guint8, WHOLE);
  for (guint pu = lanes->first; pu < lanes->first + lanes->count; pu++)
    add_pu (lanes, run, index != NULL ? index : own, pu, share);
  add_whole (lanes, run);
  return lanes;
}

void
tl_pipe_lanes_free (TlPipeLanes *lanes)
{
  if (lanes == NULL)
    return;
  g_free (lanes->busy);
  g_free (lanes->stall);
  g_free (lanes->work);
  g_free (lanes->rest);
  g_free (lanes->sweeping);
  g_free (lanes);
}
