/* From the syntax tree to terms: expressions. */
#include "passes/g1-private.h"

#include <math.h>
#include <string.h>

TlDiag *
tl_g1_error (TlG1 *g1, const char *code, TlSpan span, const char *format, ...)
{
  va_list args;

  if (g1->failed)
    return NULL;
  g1->failed = TRUE;
  va_start (args, format);
  g_autofree char *message = g_strdup_vprintf (format, args);
  va_end (args);
  return tl_diags_add (g1->diags, TL_SEVERITY_ERROR, code, g1->ast->source, span, "%s", message);
}

/* Gives the term its place if it is new and has none. */
static TlTerm *
at (TlTerm *term, TlSpan span)
{
  if (term != NULL && term->span.end == 0)
    term->span = span;
  return term;
}

static gboolean
is_logical (const TlG1 *g1)
{
  return g1->element.kind == TL_ELEMENT_BOOL && !g1->lenient;
}

/* A number used as a condition means "not 0". */
static TlTerm *
to_truth (TlG1 *g1, TlTerm *term)
{
  if (term == NULL || tl_term_is_truth (term) || is_logical (g1) || term->kind == TL_TERM_UNDEFINED)
    return term;
  return at (tl_term_two (&g1->terms, TL_TERM_NOT_EQUAL, term, tl_term_integer (&g1->terms, 0), term->span),
             term->span);
}

static TlTerm *
opaque (TlG1 *g1, const char *name, TlTerm **args, guint n_args, TlSpan span)
{
  TlTerm model
      = { .kind = TL_TERM_OPAQUE, .name = name, .args = args, .n_args = n_args, .span = span, .op_span = span };
  return tl_term_leaf (&g1->terms, &model);
}

TlTerm *
tl_g1_undefined (TlG1 *g1, const char *name, TlSpan span)
{
  TlTerm model = { .kind = TL_TERM_UNDEFINED, .name = name, .span = span };
  return tl_term_leaf (&g1->terms, &model);
}

/* A loop that is entered: its index counts from 0 in terms. */
static TlTerm *
index_term (TlG1 *g1, const TlG1Loop *loop, TlSpan span)
{
  TlTerm  model = { .kind = TL_TERM_INDEX, .role = loop->role, .span = span };
  TlTerm *index = tl_term_leaf (&g1->terms, &model);

  return loop->low == 0 ? index
                        : tl_term_two (&g1->terms, TL_TERM_ADD, index, tl_term_integer (&g1->terms, loop->low), span);
}

static TlTerm *
read_name (TlG1 *g1, GHashTable *names, const TlExpr *expr)
{
  TlTerm *term = names ? g_hash_table_lookup (names, expr->text) : NULL;

  if (term != NULL)
    return term;
  for (guint i = 0; i < g1->depth; i++)
    if (strcmp (g1->loops[i].name, expr->text) == 0)
      return index_term (g1, &g1->loops[i], expr->span);
  if (tl_ast_data (g1->ast, expr->text) != NULL && !g1->lenient)
    {
      tl_g1_error (g1, "operand-names", expr->span, "%s stands here without subscripts", expr->text);
      return NULL;
    }
  if (g1->lenient && (g1->nest->kind == TL_STMT_UPDATE || !tl_g1_assigns (g1->nest, expr->text)))
    return opaque (g1, expr->text, NULL, 0, expr->span);
  return tl_g1_undefined (g1, expr->text, expr->span);
}

static TlTerm *
read_cell (TlG1 *g1, const TlExpr *expr)
{
  TlTerm model = { .kind = TL_TERM_READ,
                   .name = expr->text,
                   .n_subs = expr->n_args,
                   .span = expr->span,
                   .op_span = expr->op_span,
                   .expr = expr };

  for (guint i = 0; i < MIN (expr->n_args, 2); i++)
    model.subs[i] = tl_g1_subscript (g1, expr->args[i]);
  if (strcmp (expr->text, g1->target->text) != 0)
    return tl_term_leaf (&g1->terms, &model);
  TlTerm *cell = tl_term_leaf (&g1->terms, &model);
  if (cell == g1->old)
    {
      if (g1->depth < g1->n_loops && !g1->lenient)
        {
          TlDiag *diag = tl_g1_error (g1, "stale-temporary", expr->span,
                                      "%s[...] is read here, before the innermost loop changes it", expr->text);
          if (diag != NULL)
            tl_diag_reason (diag, "the value kept would be the one from before the loop");
          return NULL;
        }
      return g1->cell;
    }
  if (g1->written && !g1->lenient)
    {
      if (tl_g1_explain_names (g1, g1->cell))
        return NULL;
      TlDiag *diag = tl_g1_error (g1, "second-statement", expr->span,
                                  "%s is read again after the nest has written a cell of it", expr->text);
      if (diag != NULL)
        tl_diag_reason (diag, "the cell just written may be the one read here, so this is no single update");
      return NULL;
    }
  return cell;
}

/* The values of an expression's arguments, NULL when one has none. */
static TlTerm **
arguments (TlG1 *g1, GHashTable *names, const TlExpr *expr)
{
  g_autofree TlTerm **args = g_new0 (TlTerm *, expr->n_args + 1);

  for (guint i = 0; i < expr->n_args; i++)
    {
      const TlExpr *arg = expr->args[i]->kind == TL_EXPR_NAMED ? expr->args[i]->args[0] : expr->args[i];
      if ((args[i] = tl_g1_expression (g1, names, arg)) == NULL)
        return NULL;
    }
  return g_steal_pointer (&args);
}

static TlTerm *
call (TlG1 *g1, GHashTable *names, const TlExpr *expr)
{
  static const struct
  {
    TlOperatorKind op;
    TlTermKind     term;
  } kinds[] = {
    { TL_OPERATOR_MIN, TL_TERM_MIN }, { TL_OPERATOR_MAX, TL_TERM_MAX }, { TL_OPERATOR_ADD, TL_TERM_ADD },
    { TL_OPERATOR_MUL, TL_TERM_MUL }, { TL_OPERATOR_OR, TL_TERM_OR },   { TL_OPERATOR_AND, TL_TERM_AND },
    { TL_OPERATOR_XOR, TL_TERM_XOR },
  };
  g_autofree TlTerm **args = arguments (g1, names, expr);

  if (args == NULL)
    return NULL;
  gboolean      minimum = strcmp (expr->text, "min") == 0;
  const TlG1Op *op = tl_g1_op_named (g1, expr->text);
  if (minimum || strcmp (expr->text, "max") == 0)
    {
      if (expr->n_args == 0)
        {
          tl_g1_error (g1, "no-recurrence", expr->span, "%s of nothing", expr->text);
          return NULL;
        }
      return at (tl_term_many (&g1->terms, minimum ? TL_TERM_MIN : TL_TERM_MAX, args, expr->n_args, expr->op_span),
                 expr->span);
    }
  if (op != NULL && expr->n_args == 2)
    {
      if (!op->ok)
        {
          g1->failed = TRUE; /* said when the operator was read */
          return NULL;
        }
      for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
        if (kinds[i].op == op->op.kind)
          {
            gboolean truth
                = kinds[i].term == TL_TERM_AND || kinds[i].term == TL_TERM_OR || kinds[i].term == TL_TERM_XOR;
            return at (tl_term_two (&g1->terms, kinds[i].term, truth ? to_truth (g1, args[0]) : args[0],
                                    truth ? to_truth (g1, args[1]) : args[1], expr->op_span),
                       expr->span);
          }
      return at (tl_term_call (&g1->terms, op, args[0], args[1], expr->op_span), expr->span);
    }
  if (g1->lenient)
    return opaque (g1, expr->text, args, expr->n_args, expr->span);
  if (tl_function_rounds (expr->text))
    {
      TlDiag *diag = tl_g1_error (g1, "not-associative", expr->op_span, "%s rounds values on their way", expr->text);
      if (diag != NULL)
        tl_diag_reason (diag,
                        "clause (a): rounded sums and products are not associative, so the blocked order would give "
                        "other results; keep exact integers or logarithms and accumulate with min or max");
      return NULL;
    }
  tl_g1_error (g1, "bad-operator", expr->op_span,
               op != NULL ? "%s takes two arguments" : "there is no operator called %s", expr->text);
  return NULL;
}

static TlTerm *
two (TlG1 *g1, GHashTable *names, const TlExpr *expr)
{
  static const struct
  {
    const char *text;
    TlTermKind  kind;
    gboolean    swap;
    gboolean    truth;
    gboolean    arithmetic;
  } signs[] = {
    { "+", TL_TERM_ADD, FALSE, FALSE, TRUE },      { "*", TL_TERM_MUL, FALSE, FALSE, TRUE },
    { "/", TL_TERM_DIVIDE, FALSE, FALSE, TRUE },   { "//", TL_TERM_FLOOR_DIVIDE, FALSE, FALSE, TRUE },
    { "mod", TL_TERM_MODULO, FALSE, FALSE, TRUE }, { "and", TL_TERM_AND, FALSE, TRUE, FALSE },
    { "or", TL_TERM_OR, FALSE, TRUE, FALSE },      { "xor", TL_TERM_XOR, FALSE, TRUE, FALSE },
    { "<", TL_TERM_LESS, FALSE, FALSE, FALSE },    { "<=", TL_TERM_LESS_EQUAL, FALSE, FALSE, FALSE },
    { ">", TL_TERM_LESS, TRUE, FALSE, FALSE },     { ">=", TL_TERM_LESS_EQUAL, TRUE, FALSE, FALSE },
    { "==", TL_TERM_EQUAL, FALSE, FALSE, FALSE },  { "!=", TL_TERM_NOT_EQUAL, FALSE, FALSE, FALSE },
  };
  TlTerm *a = tl_g1_expression (g1, names, expr->args[0]);
  TlTerm *b = a ? tl_g1_expression (g1, names, expr->args[1]) : NULL;

  if (b == NULL)
    return NULL;
  if (is_logical (g1) && strcmp (expr->text, "-") == 0)
    goto arithmetic_on_bool;
  if (strcmp (expr->text, "-") == 0)
    return at (tl_term_two (&g1->terms, TL_TERM_ADD, a, tl_term_negate (&g1->terms, b), expr->op_span), expr->span);
  for (guint i = 0; i < G_N_ELEMENTS (signs); i++)
    if (strcmp (expr->text, signs[i].text) == 0)
      {
        if (is_logical (g1) && signs[i].arithmetic && a->kind != TL_TERM_INDEX && b->kind != TL_TERM_INDEX
            && !(a->kind == TL_TERM_CONSTANT && b->kind == TL_TERM_CONSTANT))
          goto arithmetic_on_bool;
        if (signs[i].truth)
          {
            a = to_truth (g1, a);
            b = to_truth (g1, b);
          }
        TlTermKind kind = signs[i].kind;
        /* On integers / is floor already. */
        if (kind == TL_TERM_DIVIDE && !tl_element_type_is_float (g1->element))
          kind = TL_TERM_FLOOR_DIVIDE;
        return at (tl_term_two (&g1->terms, kind, signs[i].swap ? b : a, signs[i].swap ? a : b, expr->op_span),
                   expr->span);
      }
  tl_g1_error (g1, "no-recurrence", expr->op_span, "%s has no meaning in a recurrence", expr->text);
  return NULL;

arithmetic_on_bool:;
  TlDiag *diag = tl_g1_error (g1, "arithmetic-on-bool", expr->op_span, "%s on bool values", expr->text);
  if (diag != NULL)
    tl_diag_reason (diag, "bool has false and true only: write \"or\", \"and\", \"not\", or give %s a number type",
                    g1->target->text);
  return NULL;
}

TlTerm *
tl_g1_condition (TlG1 *g1, GHashTable *names, const TlExpr *expr)
{
  return to_truth (g1, tl_g1_expression (g1, names, expr));
}

static TlTerm *
conditional (TlG1 *g1, GHashTable *names, const TlExpr *expr)
{
  TlTerm *condition = tl_g1_condition (g1, names, expr->args[1]);
  TlTerm *yes = condition ? tl_g1_expression (g1, names, expr->args[0]) : NULL;
  TlTerm *no = yes ? tl_g1_expression (g1, names, expr->args[2]) : NULL;

  return no == NULL ? NULL : at (tl_term_select (&g1->terms, condition, yes, no, expr->op_span), expr->span);
}

TlTerm *
tl_g1_expression (TlG1 *g1, GHashTable *names, const TlExpr *expr)
{
  TlTerm *inner;

  if (g1->failed)
    return NULL;
  if (g1->terms.full)
    {
      tl_g1_error (g1, "no-recurrence", expr->span, "the update is too large to be recognised");
      return NULL;
    }
  switch (expr->kind)
    {
    case TL_EXPR_INTEGER:
      return at (tl_term_integer (&g1->terms, expr->integer), expr->span);
    case TL_EXPR_REAL:
    case TL_EXPR_PERCENT:
      return at (tl_term_number (&g1->terms, expr->real), expr->span);
    case TL_EXPR_INF:
      return at (tl_term_number (&g1->terms, INFINITY), expr->span);
    case TL_EXPR_TRUE:
    case TL_EXPR_FALSE:
      return at (tl_term_integer (&g1->terms, expr->kind == TL_EXPR_TRUE), expr->span);
    case TL_EXPR_NAME:
      return read_name (g1, names, expr);
    case TL_EXPR_SUBSCRIPT:
      return read_cell (g1, expr);
    case TL_EXPR_CALL:
      return call (g1, names, expr);
    case TL_EXPR_UNARY:
      inner = tl_g1_expression (g1, names, expr->args[0]);
      if (inner == NULL)
        return NULL;
      if (strcmp (expr->text, "not") == 0)
        return at (tl_term_not (&g1->terms, to_truth (g1, inner)), expr->span);
      if (is_logical (g1) && inner->kind != TL_TERM_CONSTANT)
        {
          tl_g1_error (g1, "arithmetic-on-bool", expr->op_span, "%s on bool values", expr->text);
          return NULL;
        }
      return at (tl_term_negate (&g1->terms, inner), expr->span);
    case TL_EXPR_BINARY:
      return two (g1, names, expr);
    case TL_EXPR_CONDITION:
      return conditional (g1, names, expr);
    default:
      if (g1->lenient)
        return opaque (g1, expr->text ? expr->text : "", NULL, 0, expr->span);
      tl_g1_error (g1, "no-recurrence", expr->span, "this is no value of a cell");
      return NULL;
    }
}
