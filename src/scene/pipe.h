/* A run of wavefronts as the views show it: Search PUs, the queue, Compute PUs and the
 * tiles of the problem at hand with the way through it. Views take it in TlView.pipe;
 * program, run and frame are NULL then. Ids: "pu-3", "queue", "read-5", "tile-2-3",
 * "lane-pu-3", "lane-queue". */
#pragma once

#include "engine/grid-run.h"
#include "scene/scene.h"

typedef struct
{
  const TlGridRun *grid; /* with sim */
  guint64          time; /* ps */
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

/* Call tl_pipe_moment_clear. */
void        tl_pipe_moment       (const TlPipeRun    *run,
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
/* The moment in one plain sentence. (transfer full) */
char       *tl_pipe_caption      (const TlPipeShown  *shown);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TlPipeMoment, tl_pipe_moment_clear)
