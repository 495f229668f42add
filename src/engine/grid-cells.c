/* Values of small grids as text, computed once more than the run does: only where there
 * are few. */
#include "engine/grid-cells.h"

static char **
texts_of (const TlSemiring *semiring, const TlScalar *cells, guint64 n)
{
  char **texts = g_new0 (char *, n + 1);

  for (guint64 c = 0; c < n; c++)
    if (!tl_scalar_equal (&semiring->carrier, cells[c], semiring->zero))
      texts[c] = tl_scalar_text (&semiring->carrier, cells[c]);
  return texts;
}

char **
tl_grid_cells (const TlGridValues *values, const TlWaveProblem *problem, guint64 most)
{
  guint64       n = ((guint64) problem->rows + 1) * ((guint64) problem->columns + 1);
  TlWaveProblem again = *problem; /* its borders went with the run */
  g_autoptr (GPtrArray) borders = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (TlDiags) diags = tl_diags_new ();

  if (n > most || !tl_grid_values_borders (values, &again, borders, diags))
    return NULL;
  g_autofree TlScalar *cells = tl_wave_cells (&values->recurrence, &again, values->grid->pick_table, FALSE);
  return cells != NULL ? texts_of (values->recurrence.semiring, cells, n) : NULL;
}

char **
tl_grid_trellis_cells (const TlTrellis *trellis, const TlTrellisEnd *end)
{
  return end->values != NULL ? texts_of (trellis->semiring, end->values, end->cells) : NULL;
}
