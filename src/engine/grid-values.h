/* A grid and its data as numbers: what the evaluators of src/sim take. Private to the
 * engine. */
#pragma once

#include "engine/build-data.h"
#include "passes/grid.h"
#include "sim/trellis.h"
#include "sim/wavefront.h"

/* Letters or numbers along one side, as codes. */
typedef struct
{
  const TlInput *input; /* NULL: nothing is read along this side */
  guint8        *codes; /* of all records, one after the other; owned */
  guint64        n;
} TlGridCodes;

typedef struct
{
  const TlGrid     *grid;
  TlWaveRecurrence  recurrence; /* WAVE */
  TlGridCodes       sides[2];
  GArray           *values;     /* of TlScalar: what each code stands for */
  gboolean          letters;    /* codes stand for letters, not for numbers */
} TlGridValues;

/* FALSE with diagnostics when data are missing or too many. */
gboolean tl_grid_values_init   (TlGridValues      *values,
                                const TlGrid      *grid,
                                const TlBuildData *data,
                                TlInputs          *inputs,
                                TlDiags           *diags);
void     tl_grid_values_clear  (TlGridValues      *values);

/* Borders of a grid of that size, filled in @problem; *@cells holds the arrays. FALSE
 * with diagnostics. */
gboolean tl_grid_values_borders (const TlGridValues *values,
                                 TlWaveProblem      *problem,
                                 GPtrArray          *cells,
                                 TlDiags            *diags);
/* Steps and states from the data, then all values. FALSE with diagnostics. The arrays go
 * to @cells. */
gboolean tl_grid_values_trellis (const TlGridValues *values,
                                 const TlBuildData  *data,
                                 TlTrellis          *trellis,
                                 GPtrArray          *cells,
                                 TlDiags            *diags);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TlGridValues, tl_grid_values_clear)
