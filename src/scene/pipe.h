/* A run of wavefronts as the views show it: Search PUs, the queue, Compute PUs and the
 * tiles of the problem at hand with the way through it. Views take it in TlView.pipe;
 * program, run and frame are NULL then. Ids: "pu-3", "queue", "read-5", "tile-2-3",
 * "lane-pu-3", "lane-queue". */
#pragma once

#include "engine/grid-run.h"
#include "scene/scene.h"

/* The stretches of each PU in order of time, found once a run. */
typedef struct
{
  guint32 *first; /* of PU p: span[first[p]]..span[first[p + 1] - 1] */
  guint32 *span;  /* numbers of run->spans */
} TlPipeIndex;

/* What each PU did in a stretch of time, pixel column by pixel column, and what all did
 * over the whole run. */
typedef struct
{
  guint64 from, to;
  guint   columns;
  guint   first, count; /* PUs with lanes */
  guint8 *busy;         /* count * columns: share of 255 that it looks up, sends or sweeps */
  guint8 *stall;        /* that it is stalled */
  guint8 *work;         /* TlPipeSpanKind of most of busy */
  guint8 *rest;         /* TlPipeSpanKind of most of the other time + 1; 0: nothing at all */
  guint   n_whole;
  guint8 *sweeping;     /* n_whole: share of 255 of the Compute PUs' time, over the whole run */
} TlPipeLanes;

typedef struct
{
  const TlGridRun   *grid;  /* with sim */
  guint64            time;  /* ps */
  const TlPipeIndex *index; /* NULL: looked for anew */
  const TlPipeLanes *lanes; /* NULL, or of another stretch or width than is drawn: made anew */
} TlPipeShown;

/* What goes on at that moment. */
typedef struct
{
  TlPipeSpan *at;      /* of each PU; from = to: nothing */
  guint32     level;   /* of the queue */
  guint32     job;     /* whose waves are swept, else the last that was, G_MAXUINT32: none yet */
  guint64     wave;    /* of that job; behind its last one when it is done */
  gboolean    sweeping;
} TlPipeMoment;

/* Returns: (transfer full) */
TlPipeIndex *tl_pipe_index_new   (const TlPipeRun    *run);
void        tl_pipe_index_free   (TlPipeIndex        *index);
/* The stretch that a timeline draws when *from..*to is asked for: the whole run when that is none of it. */
void        tl_pipe_stretch      (const TlPipeRun    *run,
                                  guint64            *from,
                                  guint64            *to);
/* Returns: (transfer full) */
TlPipeLanes *tl_pipe_lanes_new   (const TlPipeRun    *run,
                                  const TlPipeIndex  *index,
                                  guint64             from,
                                  guint64             to,
                                  guint               columns);
void        tl_pipe_lanes_free   (TlPipeLanes        *lanes);
/* @index may be NULL. Call tl_pipe_moment_clear. */
void        tl_pipe_moment       (const TlPipeRun    *run,
                                  const TlPipeIndex  *index,
                                  guint64             time,
                                  TlPipeMoment       *moment);
void        tl_pipe_moment_clear (TlPipeMoment       *moment);
/* The job that is shown: of the selected read ("read-5") its best candidate, else the one
 * at hand. G_MAXUINT32: none. */
guint32     tl_pipe_shown_job    (const TlPipeShown  *shown,
                                  const TlPipeMoment *moment,
                                  const char         *selection);
/* Steps by which a person goes through it: "cycle", "tile", "diagonal", "read". */
typedef enum { TL_PIPE_STEP_CYCLE, TL_PIPE_STEP_TILE, TL_PIPE_STEP_WAVE, TL_PIPE_STEP_READ } TlPipeStep;
/* Where a step leads from @time; FALSE: nowhere. */
gboolean    tl_pipe_step         (const TlPipeRun    *run,
                                  TlPipeStep          unit,
                                  gboolean            forward,
                                  guint64             time,
                                  guint64            *to);
/* A moment worth looking at: in the middle of the widest wave of a job in the middle. */
guint64     tl_pipe_telling      (const TlPipeRun    *run);
/* Of tile (i, j) of a job: when its PU begins and ends to sweep it. FALSE: it is not in the run's stretches. */
gboolean    tl_pipe_tile_time    (const TlPipeRun    *run,
                                  const TlPipeIndex  *index,
                                  guint32             job,
                                  guint32             i,
                                  guint32             j,
                                  guint64            *from,
                                  guint64            *to);
/* Cycles after its tile is begun at which a cell is computed: strips of as many rows as there are
 * lanes, each lane a step behind the one above. @row, @column: within tile (., @j), from 0. */
guint64     tl_pipe_cell_cycle   (const TlWaveTiling *tiling,
                                  guint32             j,
                                  guint32             row,
                                  guint32             column);
/* The moment in one plain sentence. (transfer full) */
char       *tl_pipe_caption      (const TlPipeShown  *shown);
/* What a PU does then, as a person says it: "looks words up", "waits at the barrier". */
const char *tl_pipe_words        (TlPipeSpanKind      kind);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TlPipeMoment, tl_pipe_moment_clear)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlPipeIndex, tl_pipe_index_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlPipeLanes, tl_pipe_lanes_free)
