/* Grids: V[t,s] = (+) over p of (V[t-1,p] (x) A[p,s]) (x) B[s,o[t]]: every state of a step
 * from all states of the one before, as in Viterbi's recurrence. */
#include "passes/g1-grid-private.h"

#include <string.h>

static gboolean
refuse (TlGridReader *reader, TlSpan span, const char *what)
{
  TlDiag *diag = tl_g1_error (reader->g1, "not-affine", span, "%s", what);

  if (diag != NULL)
    tl_diag_reason (
        diag, "clause (b): a reduction over a name is taken where it goes over all cells of the row before, as in "
              "V[t,s] = max over p (V[t-1,p] + A[p,s]) + B[s,o[t]]  for t, s");
  return FALSE;
}

/* @expr's (x)-operands: the one with cells of the recurrence, which is returned, and the
 * others as terms, those nearest to the cell first. */
static const TlExpr *
split (TlGridReader *reader, const TlExpr *expr, TlGridTerm *terms, guint *n_terms)
{
  gboolean       minus = expr->kind == TL_EXPR_BINARY && tl_grid_is_word (expr, "-");
  const TlExpr  *own = NULL;
  TlGridOperator op;
  guint          at = 0;

  if (minus ? reader->times.kind != TL_OPERATOR_ADD
            : expr->kind == TL_EXPR_REDUCE || !tl_grid_operator_of (reader, expr, FALSE, &op)
                  || !tl_grid_same_operator (op, reader->times))
    return expr;
  for (guint i = 0; i < expr->n_args; i++)
    if (tl_grid_holds_own (reader, expr->args[i]))
      {
        if (own != NULL || (minus && i == 1))
          {
            refuse (reader, expr->args[i]->span, "two parts with cells of the recurrence are combined");
            return NULL;
          }
        own = expr->args[i];
        at = i;
      }
  own = own != NULL ? split (reader, own, terms, n_terms) : expr;
  if (own == NULL || own == expr || (!minus && op.user != NULL && !tl_grid_note_side (reader, expr, at == 1)))
    return own == expr ? expr : NULL;
  for (guint i = 0; i < expr->n_args; i++)
    if (i != at && *n_terms == TL_GRID_MAX_TERMS)
      {
        refuse (reader, expr->span, "too many terms are combined");
        return NULL;
      }
    else if (i != at)
      terms[(*n_terms)++] = (TlGridTerm) { expr->args[i], minus && i == 1 };
  return own;
}

static gboolean
read_cell (TlGridReader *reader, const TlExpr *cell, const TlExpr *reduce)
{
  TlGrid *grid = reader->grid;
  guint   loop = 0;
  gint64  offset = 0;

  if (tl_grid_own (reader, cell) != 0 || cell->n_args != 2 || !tl_grid_subscript (grid, cell->args[0], &loop, &offset)
      || loop != 0 || offset != -1 || cell->args[1]->kind != TL_EXPR_NAME
      || strcmp (cell->args[1]->text, reduce->loops[0].name) != 0)
    return refuse (reader, cell->span, "the reduction does not go over the row before");
  return TRUE;
}

/* What stands inside the reduction but does not hang on its name may stand outside too. */
static gboolean
sort_terms (TlGridReader *reader, const TlGridTerm *inner, guint n_inner)
{
  TlGrid            *grid = reader->grid;
  TlGridAlternative *step = &grid->tables[0].alternatives[0];

  for (guint k = 0; k < n_inner; k++)
    {
      gboolean over = tl_grid_names (inner[k].expr, grid->over);

      if (over && tl_grid_names (inner[k].expr, grid->loops[0]))
        return refuse (reader, inner[k].expr->span, "a transition that changes from step to step");
      /* It would move past what hangs on the name. */
      if (!over && k + 1 < n_inner && reader->times.user != NULL
          && !tl_operator_commutes (&grid->semiring->times, &grid->semiring->carrier))
        return refuse (reader, inner[k].expr->span, "a term that does not hang on the reduction's name stands inside");
      if (!over && grid->n_emission == TL_GRID_MAX_TERMS)
        return refuse (reader, inner[k].expr->span, "too many terms are combined");
      if (over)
        step->terms[step->n_terms++] = inner[k];
      else
        grid->emission[grid->n_emission++] = inner[k];
    }
  return TRUE;
}

gboolean
tl_grid_read_trellis (TlGridReader *reader)
{
  TlGrid       *grid = reader->grid;
  TlGridUpdate *update = &reader->updates[0];
  TlGridTerm    inner[TL_GRID_MAX_TERMS];
  guint         n_inner = 0;

  grid->kind = TL_GRID_TRELLIS;
  if (reader->n_updates != 1)
    return refuse (reader, reader->updates[1].span, "a second table beside a reduction");
  const TlExpr *reduce = split (reader, update->value, grid->emission, &grid->n_emission);
  if (reduce == NULL)
    return FALSE;
  if (reduce->kind != TL_EXPR_REDUCE || reduce->n_loops != 1)
    return refuse (reader, update->value->span, "a reduction beside other alternatives");
  const TlExpr *cell = split (reader, reduce->args[0], inner, &n_inner);
  grid->over = reduce->loops[0].name;
  if (cell == NULL || !read_cell (reader, cell, reduce))
    return FALSE;
  grid->n_tables = 1;
  grid->tables[0].name = update->name;
  grid->tables[0].span = update->target->span;
  grid->tables[0].n_alternatives = 1;
  grid->tables[0].alternatives[0] = (TlGridAlternative) { .table = 0, .di = 1, .span = cell->span };
  grid->n_dependences = 1;
  grid->dependences[0][0] = grid->wave[0] = 1;
  return sort_terms (reader, inner, n_inner);
}
