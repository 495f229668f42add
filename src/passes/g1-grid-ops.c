/* Grids: the pair of operators on the ways from a value down to its cells, built in or the
 * program's own, and the semiring that they make: judged by its laws, not looked up. */
#include "passes/g1-grid-private.h"

/* --- The program's own --- */

gboolean
tl_grid_read_ops (TlGridReader *reader)
{
  TlG1   *g1 = reader->g1;
  TlGrid *grid = reader->grid;

  g1->element = grid->element;
  g1->lenient = FALSE;
  tl_terms_clear (&g1->terms);
  tl_terms_init (&g1->terms);
  tl_g1_read_ops (g1);
  for (guint o = 0; o < g1->ops->len && !g1->failed; o++)
    {
      const TlG1Op  *op = g1->ops->pdata[o];
      const TlGridOp kept = { op->decl->name, tl_operator_copy (&op->op) };

      if (op->ok)
        g_array_append_val (grid->ops, kept);
    }
  return !g1->failed;
}

const char *
tl_grid_operator_word (TlGridOperator op)
{
  static const char *const words[] = { "min", "max", "+", "*", "or", "and", "xor" };

  return op.user != NULL ? op.user->decl->name : words[op.kind];
}

/* f (a, b) of an operator that is max, say, is max. */
static TlGridOperator
operator_named (const TlG1Op *op)
{
  return (TlGridOperator) { op->op.kind, op->op.kind >= TL_OPERATOR_EXPRESSION ? op : NULL };
}

gboolean
tl_grid_operator_of (const TlGridReader *reader, const TlExpr *expr, gboolean negative, TlGridOperator *op)
{
  const TlG1Op *named = NULL;

  *op = (TlGridOperator) { 0 };
  if (expr->kind == TL_EXPR_CALL || expr->kind == TL_EXPR_REDUCE)
    {
      named = tl_g1_op_named (reader->g1, expr->text);
      if (named != NULL && named->ok && (expr->kind == TL_EXPR_REDUCE || expr->n_args == 2))
        *op = operator_named (named);
      else if (tl_grid_is_word (expr, "max") || tl_grid_is_word (expr, "min"))
        op->kind = tl_grid_is_word (expr, "max") ? TL_OPERATOR_MAX : TL_OPERATOR_MIN;
      else if (expr->kind == TL_EXPR_REDUCE && tl_grid_is_word (expr, "sum"))
        op->kind = TL_OPERATOR_ADD;
      else
        return FALSE;
    }
  else if (!tl_grid_is_choice (expr, &op->kind) && !tl_grid_operator (expr, &op->kind))
    return FALSE;
  if (negative && op->kind <= TL_OPERATOR_MAX)
    op->kind = op->kind == TL_OPERATOR_MAX ? TL_OPERATOR_MIN : TL_OPERATOR_MAX;
  return TRUE;
}

/* --- Which two --- */

static gboolean
mixed (TlGridReader *reader, const TlExpr *expr, TlGridOperator op)
{
  const char *plus = reader->plus_known ? tl_grid_operator_word (reader->plus) : "another";
  const char *times = reader->times_known ? tl_grid_operator_word (reader->times) : "another";
  TlDiag     *diag = tl_g1_error (reader->g1, "mixed-semirings", tl_grid_token (expr),
                                  "%s beside %s and %s in one recurrence", tl_grid_operator_word (op), plus, times);

  if (diag != NULL)
    tl_diag_reason (diag,
                    "clause (a): cells are accumulated with one operator (here %s) and combined with one (here %s), "
                    "which distributes over it; use one pair throughout",
                    plus, times);
  return FALSE;
}

static gboolean
set_plus (TlGridReader *reader, const TlExpr *expr, TlGridOperator op)
{
  if (!reader->plus_known)
    {
      reader->plus_known = TRUE;
      reader->plus = op;
      reader->plus_span = tl_grid_token (expr);
    }
  return tl_grid_same_operator (reader->plus, op);
}

static gboolean
set_times (TlGridReader *reader, const TlExpr *expr, TlGridOperator op)
{
  if (!reader->times_known)
    {
      reader->times_known = TRUE;
      reader->times = op;
      reader->times_span = tl_grid_token (expr);
    }
  return tl_grid_same_operator (reader->times, op);
}

/* Parts with cells: of a choice its two values. */
static guint
count_own (const TlGridReader *reader, const TlExpr *expr)
{
  guint count = 0;

  for (guint i = 0; i < expr->n_args; i++)
    count += (expr->kind != TL_EXPR_CONDITION || i != 1) && tl_grid_holds_own (reader, expr->args[i]);
  return count;
}

/* min and max where neither has two parts with cells: the outermost accumulates, an inner other
 * one combines. */
static gboolean
note_lattice (TlGridReader *reader, const TlExpr *expr, TlGridOperator op)
{
  return set_plus (reader, expr, op) || (count_own (reader, expr) < 2 && set_times (reader, expr, op))
         || mixed (reader, expr, op);
}

/* What a semiring line says of an operator: accumulates, combines, nothing. */
static gboolean
is_declared (const TlGridReader *reader, const char *name, gboolean times)
{
  const TlAst *ast = reader->g1->ast;

  for (guint s = 0; s < ast->n_semirings; s++)
    {
      const TlExpr *said = times ? ast->semirings[s]->times : ast->semirings[s]->plus;

      if (said != NULL && said->text != NULL && strcmp (said->text, name) == 0)
        return TRUE;
    }
  return FALSE;
}

/* One's own: as its semiring line says, else two parts with cells are accumulated, a cell
 * beside a weight is combined, and what stands around a combination accumulates. */
static gboolean
note_own (TlGridReader *reader, const TlExpr *expr, TlGridOperator op)
{
  const char *name = tl_grid_operator_word (op);
  gboolean    times = is_declared (reader, name, TRUE), plus = is_declared (reader, name, FALSE);

  if (times == plus)
    {
      gboolean direct = FALSE;

      for (guint i = 0; i < expr->n_args; i++)
        direct |= tl_grid_own (reader, expr->args[i]) >= 0;
      plus = count_own (reader, expr) > 1
             || (reader->plus_known ? tl_grid_same_operator (reader->plus, op)
                                    : !direct && !(reader->times_known && tl_grid_same_operator (reader->times, op)));
    }
  return (plus ? set_plus (reader, expr, op) : set_times (reader, expr, op)) || mixed (reader, expr, op);
}

static gboolean find (TlGridReader *reader, const TlExpr *expr, gboolean negative);

static gboolean
find_in_args (TlGridReader *reader, const TlExpr *expr, gboolean negative)
{
  for (guint i = 0; i < expr->n_args; i++)
    if (!find (reader, expr->args[i], negative))
      return FALSE;
  return TRUE;
}

/* + * or and xor: the first with two parts that hold cells accumulates. */
static gboolean
note_sign (TlGridReader *reader, const TlExpr *expr, TlGridOperator op)
{
  guint    own = count_own (reader, expr);
  gboolean sums = reader->plus_known ? tl_grid_same_operator (reader->plus, op) : own > 1;

  return (sums ? set_plus (reader, expr, op) : set_times (reader, expr, op)) || mixed (reader, expr, op);
}

static gboolean
note (TlGridReader *reader, const TlExpr *expr, TlGridOperator op)
{
  if (expr->kind == TL_EXPR_REDUCE)
    return set_plus (reader, expr, op) || mixed (reader, expr, op);
  if (op.user != NULL)
    return note_own (reader, expr, op);
  return op.kind <= TL_OPERATOR_MAX ? note_lattice (reader, expr, op) : note_sign (reader, expr, op);
}

static gboolean
find (TlGridReader *reader, const TlExpr *expr, gboolean negative)
{
  const TlGridOperator sum = { .kind = TL_OPERATOR_ADD };
  TlGridOperator       op;

  if (!tl_grid_holds_own (reader, expr) || tl_grid_own (reader, expr) >= 0)
    return TRUE;
  if (tl_grid_operator_of (reader, expr, negative, &op))
    {
      if (!note (reader, expr, op))
        return FALSE;
      return expr->kind == TL_EXPR_CONDITION
                 ? find (reader, expr->args[0], negative) && find (reader, expr->args[2], negative)
                 : find_in_args (reader, expr, negative);
    }
  if (expr->kind == TL_EXPR_CALL || expr->kind == TL_EXPR_REDUCE)
    return TRUE; /* said when it is flattened */
  if (expr->kind == TL_EXPR_CONDITION)
    return find (reader, expr->args[0], negative) && find (reader, expr->args[2], negative);
  if (expr->kind == TL_EXPR_UNARY)
    return find (reader, expr->args[0], !negative);
  if (expr->kind == TL_EXPR_BINARY && tl_grid_is_word (expr, "-"))
    return (set_times (reader, expr, sum) || mixed (reader, expr, sum)) && find (reader, expr->args[0], negative)
           && find (reader, expr->args[1], !negative);
  return expr->kind == TL_EXPR_BINARY ? find_in_args (reader, expr, negative) : TRUE;
}

/* A reduction, or min, max or one's own of two parts with cells: it accumulates, wherever it stands. */
static const TlExpr *
find_sum (const TlGridReader *reader, const TlExpr *expr, gboolean negative, TlGridOperator *op)
{
  gboolean minus = tl_grid_is_word (expr, "-") && expr->kind != TL_EXPR_CALL;

  if (tl_grid_operator_of (reader, expr, negative, op) && tl_grid_holds_own (reader, expr)
      && (expr->kind == TL_EXPR_REDUCE
          || ((op->user != NULL || op->kind <= TL_OPERATOR_MAX) && count_own (reader, expr) > 1)))
    return expr;
  for (guint i = 0; i < expr->n_args; i++)
    {
      gboolean      turned = minus && (expr->kind == TL_EXPR_UNARY || i == 1);
      const TlExpr *found = find_sum (reader, expr->args[i], negative != turned, op);
      if (found != NULL)
        return found;
    }
  return NULL;
}

gboolean
tl_grid_find_operators (TlGridReader *reader)
{
  TlGridOperator op;

  for (guint u = 0; u < reader->n_updates && !reader->plus_known; u++)
    {
      const TlExpr *sum = find_sum (reader, reader->updates[u].value, FALSE, &op);
      if (sum != NULL)
        set_plus (reader, sum, op);
    }
  for (guint u = 0; u < reader->n_updates; u++)
    if (!find (reader, reader->updates[u].value, FALSE))
      return FALSE;
  return TRUE;
}

gboolean
tl_grid_note_side (TlGridReader *reader, const TlExpr *expr, gboolean second)
{
  if (reader->times.user == NULL || tl_operator_commutes (&reader->times.user->op, &reader->grid->semiring->carrier))
    return TRUE;
  if (!reader->side_known)
    {
      reader->side_known = TRUE;
      reader->turned = second;
    }
  if (reader->turned == second)
    return TRUE;
  TlDiag *diag
      = tl_g1_error (reader->g1, "mixed-semirings", tl_grid_token (expr),
                     "cells stand on both sides of %s, which does not commute", tl_grid_operator_word (reader->times));
  if (diag != NULL)
    tl_diag_reason (diag, "clause (a): a combination that does not commute has its cells always on the same side; "
                          "write all of them first, or all of them second");
  return FALSE;
}

/* --- The semiring --- */

static TlGridOperator
built_in (TlOperatorKind kind)
{
  return (TlGridOperator) { .kind = kind };
}

/* The partner of an operator that stands alone: what its semiring line says, or the usual one. */
static gboolean
find_partner (TlGridReader *reader)
{
  const TlAst *ast = reader->g1->ast;

  for (guint s = 0; s < ast->n_semirings; s++)
    {
      const TlSemiringDecl *decl = ast->semirings[s];
      const TlExpr         *known = reader->plus_known ? decl->plus : decl->times;
      const TlExpr         *other = reader->plus_known ? decl->times : decl->plus;
      const char           *word = tl_grid_operator_word (reader->plus_known ? reader->plus : reader->times);

      if (known == NULL || other == NULL || !tl_grid_is_word (known, word) || other->text == NULL)
        continue;
      const TlG1Op  *named = tl_g1_op_named (reader->g1, other->text);
      TlGridOperator partner = named != NULL && named->ok ? operator_named (named) : built_in (TL_OPERATOR_TABLE);
      for (TlOperatorKind kind = TL_OPERATOR_MIN; named == NULL && kind <= TL_OPERATOR_XOR; kind++)
        if (tl_grid_is_word (other, tl_grid_operator_word (built_in (kind))))
          partner = built_in (kind);
      if (partner.user == NULL && partner.kind == TL_OPERATOR_TABLE)
        continue;
      *(reader->plus_known ? &reader->times : &reader->plus) = partner;
      return TRUE;
    }
  return FALSE;
}

static gboolean
complete_pair (TlGridReader *reader)
{
  TlOperatorKind plus = reader->plus.kind, times = reader->times.kind;

  if (reader->plus_known && reader->times_known)
    return TRUE;
  if ((reader->plus_known || reader->times_known) && find_partner (reader))
    return TRUE;
  if ((reader->plus_known && reader->plus.user != NULL) || (reader->times_known && reader->times.user != NULL))
    {
      gboolean accumulates = reader->plus_known;
      TlDiag  *diag = tl_g1_error (reader->g1, "bad-semiring", accumulates ? reader->plus_span : reader->times_span,
                                  accumulates ? "%s accumulates, and nothing says what combines"
                                               : "%s combines, and nothing says what accumulates",
                                   tl_grid_operator_word (accumulates ? reader->plus : reader->times));
      if (diag != NULL)
        tl_diag_reason (diag, "name both in a line: semiring (f, g) on LOW..HIGH: zero = Z, one = E");
      return FALSE;
    }
  if (!reader->times_known)
    times = reader->plus_known && (plus == TL_OPERATOR_OR || plus == TL_OPERATOR_XOR) ? TL_OPERATOR_AND
            : reader->plus_known && plus == TL_OPERATOR_AND                           ? TL_OPERATOR_OR
            : reader->plus_known && plus == TL_OPERATOR_ADD                           ? TL_OPERATOR_MUL
                                                                                      : TL_OPERATOR_ADD;
  if (!reader->plus_known)
    plus = times == TL_OPERATOR_AND   ? TL_OPERATOR_OR
           : times == TL_OPERATOR_MUL ? TL_OPERATOR_ADD
           : times == TL_OPERATOR_MAX ? TL_OPERATOR_MIN
                                      : TL_OPERATOR_MAX;
  reader->plus = reader->plus_known ? reader->plus : built_in (plus);
  reader->times = reader->times_known ? reader->times : built_in (times);
  return TRUE;
}

static TlOperator
operator_copy (TlGridOperator op)
{
  return op.user != NULL ? tl_operator_copy (&op.user->op) : (TlOperator) { .kind = op.kind };
}

static TlSpan
span_or (TlSpan span, TlSpan other)
{
  return span.end > 0 ? span : other;
}

gboolean
tl_grid_choose_semiring (TlGridReader *reader)
{
  TlG1   *g1 = reader->g1;
  TlGrid *grid = reader->grid;
  g_auto (TlG1Match) match = { 0 };

  if (!complete_pair (reader))
    return FALSE;
  if (reader->plus.kind == TL_OPERATOR_ADD && tl_element_type_is_float (grid->element))
    {
      g_autofree char *sums = tl_g1_float_sums (grid->element);
      TlDiag          *diag = tl_g1_error (g1, "float-order", reader->plus_span, "sums of floats in no fixed order");
      if (diag != NULL)
        tl_diag_reason (diag,
                        "clause (a): float addition is not associative: %s; and a tiled schedule adds in the order in "
                        "which tiles are done; use logarithms with max, or an integer type",
                        sums);
      return FALSE;
    }
  match.plus = operator_copy (reader->plus);
  match.times = operator_copy (reader->times);
  match.plus_name = reader->plus.user != NULL ? reader->plus.user->decl->name : NULL;
  match.times_name = reader->times.user != NULL ? reader->times.user->decl->name : NULL;
  match.plus_span = span_or (reader->plus_span, grid->update_span);
  match.times_span = span_or (reader->times_span, match.plus_span);
  grid->plus_span = reader->plus_span;
  grid->semiring = tl_g1_semiring (g1, &match);
  if (grid->semiring == NULL)
    return FALSE;
  TlRecurrence recurrence = { .semiring = grid->semiring, .element = grid->element };
  return tl_g1_admit (g1, &match, &recurrence);
}

/* The other way round: the cell becomes the first operand. */
static void
turn (TlOperator *op)
{
  if (op->kind == TL_OPERATOR_TABLE)
    for (guint a = 0; a < op->size; a++)
      for (guint b = 0; b < a; b++)
        {
          guint8 cell = op->table[a * op->size + b];
          op->table[a * op->size + b] = op->table[b * op->size + a];
          op->table[b * op->size + a] = cell;
        }
  for (guint s = 0; s < op->n_steps; s++)
    if (op->steps[s].kind == TL_STEP_A || op->steps[s].kind == TL_STEP_B)
      op->steps[s].kind = op->steps[s].kind == TL_STEP_A ? TL_STEP_B : TL_STEP_A;
}

/* Several terms beside a cell are combined with one another before. */
gboolean
tl_grid_admit_terms (TlGridReader *reader)
{
  TlGrid  *grid = reader->grid;
  gboolean several = grid->n_emission > 1;

  if (reader->turned)
    turn (&grid->semiring->times);
  for (guint t = 0; t < grid->n_tables; t++)
    for (guint a = 0; a < grid->tables[t].n_alternatives; a++)
      several |= grid->tables[t].alternatives[a].n_terms > 1;
  if (!several || reader->times.user == NULL)
    return TRUE;
  TlLawVerdict verdict = tl_semiring_law (grid->semiring, TL_LAW_TIMES_ASSOCIATIVE);
  if (verdict.holds)
    return TRUE;
  g_autofree char *text = tl_law_text (grid->semiring, &verdict);
  TlDiag          *diag = tl_g1_error (reader->g1, "not-associative", span_or (reader->times_span, grid->update_span),
                                       "the combination \"%s\" is not associative", tl_grid_operator_word (reader->times));
  if (diag != NULL)
    tl_diag_reason (diag,
                    "clause (a): weights beside one cell are combined with one another first, and %s; give each cell "
                    "one weight",
                    text);
  return FALSE;
}
