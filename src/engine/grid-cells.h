/* What pictures show of a grid beside its results: the value of every cell of a single
 * small problem. Private to the engine. */
#pragma once

#include "engine/grid-values.h"

/* Texts of the values of the picked table's cells with both borders, row after row, NULL
 * where a cell is absent. NULL when they are more than @most. (transfer full), of
 * (rows + 1) * (columns + 1) */
char **tl_grid_cells         (const TlGridValues  *values,
                              const TlWaveProblem *problem,
                              guint64              most);
/* The same of a trellis that kept its values: steps * states, no borders. */
char **tl_grid_trellis_cells (const TlTrellis     *trellis,
                              const TlTrellisEnd  *end);
