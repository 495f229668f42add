/* What a run of a grid says: values that do not fit their type, results that are absent.
 * Private to the engine. */
#pragma once

#include "passes/grid.h"
#include "sim/trellis.h"
#include "sim/wavefront.h"

/* Code sums-overflow: @end->left, a cell of @problem whose value is none of its type. @query: the
 * read, or NULL. Proposes the narrowest type that is sure to hold all values. */
void tl_grid_say_left         (const TlGrid           *grid,
                               const TlWaveRecurrence *recurrence,
                               const TlWaveProblem    *problem,
                               const TlWaveEnd        *end,
                               const char             *query,
                               TlDiags                *diags);
/* The same of a state. */
void tl_grid_say_left_state   (const TlGrid           *grid,
                               const TlTrellis        *trellis,
                               const TlTrellisEnd     *end,
                               TlDiags                *diags);
/* Code data-outside-carrier: a weight or border at @span, whose value @scope found to be none
 * of the carrier. */
void tl_grid_say_outside      (const TlGrid           *grid,
                               const TlGridScope      *scope,
                               TlSpan                  span,
                               TlDiags                *diags);
/* Code no-result (warning): the cell that the result asks for is absent. */
void tl_grid_say_absent       (const TlGrid           *grid,
                               guint64                 rows,
                               guint64                 columns,
                               const char             *query,
                               TlDiags                *diags);
