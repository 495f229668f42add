/* Grids: values and texts of terms. */
#include "passes/grid.h"

#include "dsl/print.h"

#include <math.h>
#include <string.h>

/* --- Config values that terms name --- */

gboolean
tl_grid_match_scores (const TlAst *ast, gint64 *match, gint64 *mismatch, const char **matrix)
{
  const TlConfigItem *item = tl_ast_config (ast, "score");
  const TlExpr       *words = item != NULL ? item->value : NULL;

  *matrix = NULL;
  if (words == NULL || words->kind != TL_EXPR_WORDS)
    return FALSE;
  const TlExpr *file = tl_expr_named (words, "matrix");
  if (file != NULL)
    {
      *matrix = file->text;
      return FALSE;
    }
  const TlExpr *equal = tl_expr_named (words, "match"), *other = tl_expr_named (words, "mismatch");
  return equal != NULL && other != NULL && tl_expr_integer (equal, match) && tl_expr_integer (other, mismatch);
}

/* gap, gap.open, gap.extend, and the latter two without their first word. */
static gboolean
gap_named (const TlAst *ast, const char *name, gint64 *value)
{
  const TlConfigItem *item = tl_ast_config (ast, "gap");

  if (item == NULL || item->value == NULL)
    return FALSE;
  if (strcmp (name, "gap") == 0)
    return tl_expr_integer (item->value, value);
  if (g_str_has_prefix (name, "gap."))
    name += strlen ("gap.");
  const TlExpr *word = item->value->kind == TL_EXPR_WORDS ? tl_expr_named (item->value, name) : NULL;
  return word != NULL && tl_expr_integer (word, value);
}

/* --- Values --- */

static gboolean
fault (TlGridScope *scope, const TlExpr *expr)
{
  if (scope->fault == NULL)
    scope->fault = expr;
  return FALSE;
}

static TlScalar
number (const TlGridScope *scope, gint64 value)
{
  return tl_carrier_is_float (&scope->grid->semiring->carrier) ? (TlScalar) { .r = (double) value }
                                                               : (TlScalar) { .i = value };
}

static TlScalar
apply (const TlGridScope *scope, TlOperatorKind kind, TlScalar a, TlScalar b)
{
  TlOperator op = { .kind = kind };

  return tl_operator_evaluate (&op, &scope->grid->semiring->carrier, a, b);
}

static TlScalar
negated (const TlGridScope *scope, TlScalar value)
{
  if (tl_carrier_is_float (&scope->grid->semiring->carrier))
    return (TlScalar) { .r = -value.r };
  return (TlScalar) { .i = value.i == G_MININT64 ? G_MAXINT64 : -value.i };
}

static gboolean
truth (const TlGridScope *scope, TlScalar value)
{
  return tl_carrier_is_float (&scope->grid->semiring->carrier) ? value.r != 0 : value.i != 0;
}

static gboolean
evaluate_name (TlGridScope *scope, const TlExpr *expr, TlScalar *value)
{
  gint64 whole;

  for (guint n = 0; n < scope->n_names; n++)
    if (scope->names[n] != NULL && strcmp (scope->names[n], expr->text) == 0)
      {
        *value = number (scope, scope->values[n]);
        return TRUE;
      }
  if (!gap_named (scope->grid->ast, expr->text, &whole))
    return fault (scope, expr);
  *value = number (scope, whole);
  return TRUE;
}

static gboolean
evaluate_read (TlGridScope *scope, const TlExpr *expr, TlScalar *value)
{
  TlScalar subscripts[2];

  if (expr->n_args > 2 || scope->read == NULL)
    return fault (scope, expr);
  for (guint i = 0; i < expr->n_args; i++)
    if (!tl_grid_evaluate (scope, expr->args[i], &subscripts[i]))
      return FALSE;
  return scope->read (expr->text, subscripts, expr->n_args, value, scope->data) || fault (scope, expr);
}

static gboolean
evaluate_call (TlGridScope *scope, const TlExpr *expr, TlScalar *value)
{
  gboolean greatest = strcmp (expr->text, "max") == 0;

  if (strcmp (expr->text, "score") == 0)
    return evaluate_read (scope, expr, value);
  if ((!greatest && strcmp (expr->text, "min") != 0) || expr->n_args == 0)
    return fault (scope, expr);
  for (guint i = 0; i < expr->n_args; i++)
    {
      TlScalar next;

      if (!tl_grid_evaluate (scope, expr->args[i], &next))
        return FALSE;
      *value = i == 0 ? next : apply (scope, greatest ? TL_OPERATOR_MAX : TL_OPERATOR_MIN, *value, next);
    }
  return TRUE;
}

static gboolean
evaluate_binary (TlGridScope *scope, const TlExpr *expr, TlScalar *value)
{
  static const struct
  {
    const char    *text;
    TlOperatorKind kind;
  } signs[] = { { "+", TL_OPERATOR_ADD },
                { "*", TL_OPERATOR_MUL },
                { "or", TL_OPERATOR_OR },
                { "and", TL_OPERATOR_AND },
                { "xor", TL_OPERATOR_XOR } };
  TlScalar a, b;

  if (!tl_grid_evaluate (scope, expr->args[0], &a) || !tl_grid_evaluate (scope, expr->args[1], &b))
    return FALSE;
  for (guint s = 0; s < G_N_ELEMENTS (signs); s++)
    if (strcmp (expr->text, signs[s].text) == 0)
      {
        *value = apply (scope, signs[s].kind, a, b);
        return TRUE;
      }
  if (strcmp (expr->text, "-") == 0)
    {
      *value = apply (scope, TL_OPERATOR_ADD, a, negated (scope, b));
      return TRUE;
    }
  int order = tl_scalar_compare (&scope->grid->semiring->carrier, a, b);
  const struct
  {
    const char *text;
    gboolean    holds;
  } relations[] = { { "==", order == 0 }, { "!=", order != 0 }, { "<", order < 0 },
                    { "<=", order <= 0 }, { ">", order > 0 },   { ">=", order >= 0 } };
  for (guint r = 0; r < G_N_ELEMENTS (relations); r++)
    if (strcmp (expr->text, relations[r].text) == 0)
      {
        *value = number (scope, relations[r].holds);
        return TRUE;
      }
  return fault (scope, expr);
}

gboolean
tl_grid_evaluate (TlGridScope *scope, const TlExpr *expr, TlScalar *value)
{
  gboolean real = tl_carrier_is_float (&scope->grid->semiring->carrier);
  TlScalar inner;

  switch (expr->kind)
    {
    case TL_EXPR_INTEGER:
      *value = number (scope, expr->integer);
      return TRUE;
    case TL_EXPR_REAL:
    case TL_EXPR_PERCENT:
      if (!real && expr->real != floor (expr->real))
        return fault (scope, expr);
      *value = real ? (TlScalar) { .r = expr->real } : (TlScalar) { .i = (gint64) CLAMP (expr->real, -1e15, 1e15) };
      return TRUE;
    case TL_EXPR_INF:
      *value = real ? (TlScalar) { .r = INFINITY } : (TlScalar) { .i = TL_INF };
      return TRUE;
    case TL_EXPR_TRUE:
    case TL_EXPR_FALSE:
      *value = number (scope, expr->kind == TL_EXPR_TRUE);
      return TRUE;
    case TL_EXPR_NAME:
      return evaluate_name (scope, expr, value);
    case TL_EXPR_SUBSCRIPT:
      return evaluate_read (scope, expr, value);
    case TL_EXPR_CALL:
      return evaluate_call (scope, expr, value);
    case TL_EXPR_UNARY:
      if (!tl_grid_evaluate (scope, expr->args[0], &inner))
        return FALSE;
      *value = strcmp (expr->text, "not") == 0 ? number (scope, !truth (scope, inner))
               : strcmp (expr->text, "-") == 0 ? negated (scope, inner)
                                               : inner;
      return TRUE;
    case TL_EXPR_BINARY:
      return evaluate_binary (scope, expr, value);
    case TL_EXPR_CONDITION:
      return tl_grid_evaluate (scope, expr->args[1], &inner)
             && tl_grid_evaluate (scope, expr->args[truth (scope, inner) ? 0 : 2], value);
    default:
      return fault (scope, expr);
    }
}

gboolean
tl_grid_combine (TlGridScope *scope, const TlGridTerm *terms, guint n_terms, TlScalar *value)
{
  const TlSemiring *semiring = scope->grid->semiring;

  *value = semiring->one;
  for (guint t = 0; t < n_terms; t++)
    {
      TlScalar term;

      if (!tl_grid_evaluate (scope, terms[t].expr, &term))
        return FALSE;
      if (terms[t].negative)
        term = negated (scope, term);
      *value = t == 0 ? term : tl_operator_evaluate (&semiring->times, &semiring->carrier, *value, term);
    }
  return TRUE;
}

/* --- Texts --- */

static void
append_text (GString *text, const TlGrid *grid, const TlExpr *expr)
{
  gint64 whole;

  if (expr->kind == TL_EXPR_NAME)
    {
      for (guint l = 0; l < 2; l++)
        if (grid->loops[l] != NULL && strcmp (expr->text, grid->loops[l]) == 0)
          {
            g_string_append_c (text, "ij"[l]);
            return;
          }
      if (grid->over != NULL && strcmp (expr->text, grid->over) == 0)
        g_string_append_c (text, 'p');
      else if (gap_named (grid->ast, expr->text, &whole))
        g_string_append_printf (text, "%" G_GINT64_FORMAT, whole);
      else
        g_string_append (text, expr->text);
      return;
    }
  if (expr->n_args == 0)
    {
      g_autofree char *own = tl_expr_text (expr);
      g_string_append (text, own);
      return;
    }
  const char *open = expr->kind == TL_EXPR_SUBSCRIPT ? "[" : "(", *close = expr->kind == TL_EXPR_SUBSCRIPT ? "]" : ")";
  gboolean    named = expr->kind == TL_EXPR_SUBSCRIPT || expr->kind == TL_EXPR_CALL || expr->kind == TL_EXPR_UNARY;
  if (named)
    g_string_append (text, expr->text);
  g_string_append (text, open);
  for (guint i = 0; i < expr->n_args; i++)
    {
      if (i > 0 && named)
        g_string_append (text, ", ");
      else if (i > 0)
        g_string_append_printf (text, " %s ", expr->kind == TL_EXPR_CONDITION ? (i == 1 ? "if" : "else") : expr->text);
      append_text (text, grid, expr->args[i]);
    }
  g_string_append (text, close);
}

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

char *
tl_grid_terms_text (const TlGrid *grid, const TlGridTerm *terms, guint n_terms)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);

  for (guint t = 0; t < n_terms; t++)
    {
      GString *text = g_string_new (terms[t].negative ? "-" : NULL);
      append_text (text, grid, terms[t].expr);
      g_ptr_array_add (texts, g_string_free (text, FALSE));
    }
  g_ptr_array_sort (texts, compare_texts);
  g_ptr_array_add (texts, NULL);
  return g_strjoinv (", ", (char **) texts->pdata);
}
