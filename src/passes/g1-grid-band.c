/* Grids: the band. A fixed one bounds the work without a look at values; an adaptive one
 * moves with the best cells and is the one control that looks at data which clause (c) lets
 * pass, because it stays inside of an envelope that is known before any value is. GenMLIR
 * section 3.5 names it as the next step; language.md, ruling 2. */
#include "passes/g1-grid-private.h"

#include <math.h>

static gboolean
refuse (TlGridReader *reader, const char *code, TlSpan span, const char *message, const char *reason)
{
  TlDiag *diag = tl_g1_error (reader->g1, code, span, "%s", message);

  if (diag != NULL)
    tl_diag_reason (diag, "%s", reason);
  return FALSE;
}

/* A percentage of the rows or a number of cells. */
static gboolean
read_width (const TlExpr *expr, TlBandKind *kind, double *share, gint64 *cells)
{
  if (expr->kind == TL_EXPR_PERCENT)
    {
      *kind = TL_BAND_SHARE;
      *share = expr->real;
      return expr->real <= 1;
    }
  *kind = TL_BAND_CELLS;
  return tl_expr_integer (expr, cells) && *cells >= 0;
}

/* Cells of one anti-diagonal are computed before it is known where the next one lies: none of
 * them may wait for another, nor do tiles wait for those to their right. */
static const TlGridAlternative *
along_diagonal (const TlGrid *grid)
{
  for (guint t = 0; t < grid->n_tables; t++)
    for (guint a = 0; a < grid->tables[t].n_alternatives; a++)
      {
        const TlGridAlternative *step = &grid->tables[t].alternatives[a];

        if (step->table != TL_GRID_NONE && step->dj < 0)
          return step;
      }
  return NULL;
}

/* What it follows has to be there: the better of two values. */
static gboolean
follows_something (TlGridReader *reader, const TlExpr *expr)
{
  const TlGrid            *grid = reader->grid;
  const TlGridAlternative *step = along_diagonal (grid);
  TlOperatorKind           plus = grid->semiring->plus.kind;

  if (plus != TL_OPERATOR_MIN && plus != TL_OPERATOR_MAX)
    return refuse (reader, "data-dependent", expr->span, "this recurrence has no better and worse cells",
                   "clause (c): an adaptive band goes where the best cell is, which min and max have and other "
                   "accumulations have not; use a fixed band, band = 15%");
  if (step != NULL)
    return refuse (reader, "data-dependent", step->span, "an adaptive band and a cell that waits along its diagonal",
                   "clause (c): the band chooses its place anti-diagonal by anti-diagonal, so a cell may only read "
                   "cells above and to the left of it, [i-a,j-b]; use a fixed band, band = 15%");
  return TRUE;
}

static gboolean
check_widths (TlGridReader *reader, const TlExpr *expr)
{
  TlGrid *grid = reader->grid;

  if (!read_width (expr->args[0], &grid->adaptive, &grid->adaptive_share, &grid->adaptive_cells)
      || (grid->adaptive == TL_BAND_CELLS && (grid->adaptive_cells < 1 || grid->adaptive_cells > TL_ADAPTIVE_MOST))
      || (grid->adaptive == TL_BAND_SHARE && grid->adaptive_share <= 0))
    return refuse (reader, "bad-band", expr->args[0]->span, "an adaptive band is not that wide",
                   "it holds 1 to 1,048,576 cells of each anti-diagonal, or a share of the rows above 0 % and up to "
                   "100 %: band = adaptive(64)");
  if (expr->n_args == 2 && !read_width (expr->args[1], &grid->band, &grid->band_share, &grid->band_cells))
    return refuse (reader, "bad-band", expr->args[1]->span, "the envelope is no width",
                   "it is a share of the rows or a number of cells, as a fixed band is: band = adaptive(64, 15%)");
  return TRUE;
}

/* The envelope: what is said, else for a candidate 15 % of its rows; without candidates every
 * cell. */
static gboolean
read_adaptive (TlGridReader *reader, const TlExpr *expr)
{
  TlGrid *grid = reader->grid;

  if (!follows_something (reader, expr) || !check_widths (reader, expr))
    return FALSE;
  if (expr->n_args == 1 && grid->stream != NULL)
    {
      grid->band = TL_BAND_SHARE;
      grid->band_share = TL_ADAPTIVE_SHARE;
    }
  g_autofree char *envelope
      = grid->band == TL_BAND_NONE ? g_strdup ("the whole grid")
        : grid->band == TL_BAND_CELLS
            ? g_strdup_printf ("%" G_GINT64_FORMAT " cells on both sides of the diagonal", grid->band_cells)
            : g_strdup_printf ("%g %% of the rows on both sides of the diagonal", 100 * grid->band_share);
  tl_diag_reason (tl_diags_add (reader->g1->diags, TL_SEVERITY_NOTE, "adaptive-band", reader->g1->ast->source,
                                expr->span, "the band moves with the best cells of %s",
                                grid->tables[grid->pick_table].name),
                  "clause (c): control flow must not depend on data; this one may, because its envelope, %s, is known "
                  "before any value is: tiles, owners and buffers are those of the envelope, and at run time tiles "
                  "that the band does not touch are skipped",
                  envelope);
  if (grid->band == TL_BAND_CELLS && grid->adaptive == TL_BAND_CELLS && grid->adaptive_cells > grid->band_cells)
    tl_diag_reason (tl_diags_add (reader->g1->diags, TL_SEVERITY_WARNING, "band-fills-envelope",
                                  reader->g1->ast->source, expr->span, "the moving band fills its envelope"),
                    "an anti-diagonal has at most %" G_GINT64_FORMAT " cells in it: band = %" G_GINT64_FORMAT
                    " computes the same cells",
                    grid->band_cells + 1, grid->band_cells);
  return TRUE;
}

gboolean
tl_grid_read_band (TlGridReader *reader)
{
  const TlExpr       *within = reader->g1->nest->within;
  const TlConfigItem *item = tl_ast_config (reader->g1->ast, "band");
  TlGrid             *grid = reader->grid;

  if (within == NULL)
    {
      if (item != NULL)
        tl_diag_reason (tl_diags_add (reader->g1->diags, TL_SEVERITY_WARNING, "band-unused", reader->g1->ast->source,
                                      item->span, "the band is set and no recurrence runs within it"),
                        "write \"within band\" after the loops");
      return TRUE;
    }
  if (grid->kind == TL_GRID_TRELLIS)
    return refuse (reader, "bad-band", within->span, "a reduction over all cells of the row before has no band",
                   "every state of a step is computed; take \"within\" out");
  if (within->kind == TL_EXPR_NAME)
    {
      if (item == NULL || item->value == NULL)
        return refuse (reader, "bad-band", within->span, "the band has no width",
                       "say it in a config line: band = 15% of the rows, or band = 300 cells");
      within = item->value;
    }
  if (within->kind == TL_EXPR_CALL)
    return read_adaptive (reader, within);
  return read_width (within, &grid->band, &grid->band_share, &grid->band_cells)
         || refuse (reader, "bad-band", within->span, "this is no width of a band",
                    "it is a share of the rows, up to 100 %, or a number of cells: band = 15%");
}

/* --- In cells --- */

static gint64
share_of (double share, guint64 rows)
{
  return (gint64) floor (share * (double) rows + 0.5);
}

guint32
tl_grid_adaptive (const TlGrid *grid, guint64 rows)
{
  if (grid->adaptive == TL_BAND_NONE)
    return 0;
  gint64 cells = grid->adaptive == TL_BAND_CELLS ? grid->adaptive_cells : share_of (grid->adaptive_share, rows);
  return (guint32) CLAMP (cells, 1, TL_ADAPTIVE_MOST);
}

gint64
tl_grid_band (const TlGrid *grid, guint64 rows)
{
  if (grid->band == TL_BAND_NONE)
    return -1;
  return grid->band == TL_BAND_CELLS ? grid->band_cells : share_of (grid->band_share, rows);
}
