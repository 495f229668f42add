/* The machine's time for the problems of a grid. Private to the engine. */
#pragma once

#include "engine/grid-run.h"
#include "input/sequence.h"

/* The tiles that an adaptive band touched in one candidate's window, as TlWaveCost has them. */
typedef struct
{
  gboolean reverse;
  gint64   diagonal; /* 0 without candidates */
  guint32  tile_columns;
  guint8  *bits;     /* owned */
} TlGridTouched;

typedef struct
{
  TlGridRun              *run;      /* its hits say the problems' sizes */
  const TlGridRunOptions *options;
  TlPipeProgram          *program;
  const TlSequences      *sides[2]; /* letters of rows and columns; NULL: numbers, or nothing */
  const TlSeedIndex      *index;    /* of the columns; NULL without a stream */
} TlGridTiming;

/* Fills run->sim, or sim_reason; an error goes to run->diags. */
void tl_grid_time        (const TlGridTiming     *timing);
/* The same of a stream file: its data are read again. */
void tl_grid_time_stream (TlBuild                *build,
                          const TlGridRunOptions *options,
                          TlGridRun              *run);
