/* Grids: values and texts of terms. */
#include "passes/g1-grid-private.h"

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

  return tl_operator_raw (&op, &scope->grid->semiring->carrier, a, b);
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

static const TlOperator *
operator_named (const TlGrid *grid, const char *name)
{
  for (guint o = 0; o < grid->ops->len; o++)
    if (strcmp (g_array_index (grid->ops, TlGridOp, o).name, name) == 0)
      return &g_array_index (grid->ops, TlGridOp, o).op;
  return NULL;
}

/* A table has rows for its own values only. */
static gboolean
has_row (const TlOperator *op, gboolean real, TlScalar value)
{
  double row = real ? value.r : (double) value.i;

  return op->kind != TL_OPERATOR_TABLE || (row >= 0 && row < op->size);
}

static gboolean
evaluate_own (TlGridScope *scope, const TlExpr *expr, const TlOperator *op, TlScalar *value)
{
  const TlCarrier *carrier = &scope->grid->semiring->carrier;
  gboolean         real = tl_carrier_is_float (carrier);
  TlScalar         a, b;

  if (expr->n_args != 2 || !tl_grid_evaluate (scope, expr->args[0], &a) || !tl_grid_evaluate (scope, expr->args[1], &b))
    return fault (scope, expr);
  scope->outside = !has_row (op, real, a) || !has_row (op, real, b);
  if (scope->outside)
    {
      scope->value = has_row (op, real, a) ? b : a;
      return fault (scope, expr);
    }
  *value = tl_operator_raw (op, carrier, a, b);
  return TRUE;
}

static gboolean
evaluate_call (TlGridScope *scope, const TlExpr *expr, TlScalar *value)
{
  gboolean          greatest = strcmp (expr->text, "max") == 0;
  const TlOperator *own = operator_named (scope->grid, expr->text);

  if (strcmp (expr->text, "score") == 0)
    return evaluate_read (scope, expr, value);
  if (own != NULL)
    return evaluate_own (scope, expr, own, value);
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
  TlOperatorKind kind;
  TlScalar       a, b;

  if (!tl_grid_evaluate (scope, expr->args[0], &a) || !tl_grid_evaluate (scope, expr->args[1], &b))
    return FALSE;
  if (tl_grid_operator (expr, &kind))
    {
      *value = apply (scope, kind, a, b);
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
      scope->outside = !tl_carrier_contains (&semiring->carrier, term);
      if (scope->outside)
        {
          scope->value = term;
          return fault (scope, terms[t].expr);
        }
      /* One is neutral: the first comes out rounded to the carrier. */
      *value = tl_operator_evaluate (&semiring->times, &semiring->carrier, *value, term);
    }
  return TRUE;
}

/* --- Texts --- */

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static char *term_text (const TlGrid *grid, const TlExpr *expr);

static char *
name_text (const TlGrid *grid, const TlExpr *expr)
{
  gint64 whole;

  for (guint l = 0; l < 2; l++)
    if (grid->loops[l] != NULL && strcmp (expr->text, grid->loops[l]) == 0)
      return g_strdup (l == 0 ? "i" : "j");
  if (grid->over != NULL && strcmp (expr->text, grid->over) == 0)
    return g_strdup ("p");
  return gap_named (grid->ast, expr->text, &whole) ? g_strdup_printf ("%" G_GINT64_FORMAT, whole)
                                                   : g_strdup (expr->text);
}

static gboolean
is_one_of (const char *text, const char *const *words)
{
  return text != NULL && g_strv_contains (words, text);
}

/* The parts of a nest of one operator whose order does not matter. */
static void
collect_operands (const TlGrid *grid, const TlExpr *expr, const char *op, GPtrArray *texts)
{
  if (expr->kind == TL_EXPR_BINARY && strcmp (expr->text, op) == 0)
    {
      collect_operands (grid, expr->args[0], op, texts);
      collect_operands (grid, expr->args[1], op, texts);
    }
  else
    g_ptr_array_add (texts, term_text (grid, expr));
}

/* @sign: the operator, expr->text or another relation. */
static char *
binary_text (const TlGrid *grid, const TlExpr *expr, const char *sign)
{
  static const char *const any_order[] = { "+", "*", "or", "and", "xor", NULL };
  static const char *const equalities[] = { "==", "!=", NULL };
  gboolean                 turned = sign[0] == '>';
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *op = g_strdup (sign);

  if (is_one_of (sign, any_order))
    collect_operands (grid, expr, sign, texts);
  else
    for (guint i = 0; i < 2; i++)
      g_ptr_array_add (texts, term_text (grid, expr->args[turned ? 1 - i : i]));
  if (is_one_of (sign, any_order) || is_one_of (sign, equalities))
    g_ptr_array_sort (texts, compare_texts);
  if (turned)
    op[0] = '<';
  g_ptr_array_add (texts, NULL);
  g_autofree char *between = g_strdup_printf (" %s ", op);
  g_autofree char *joined = g_strjoinv (between, (char **) texts->pdata);
  return g_strdup_printf ("(%s)", joined);
}

static const char *const relations[] = { "==", "!=", "<", "<=", ">", ">=", NULL };

/* "not (a < b)" is "a >= b", "not not a" is a; NULL for other nots. */
static char *
not_text (const TlGrid *grid, const TlExpr *expr)
{
  static const char *const opposites[] = { "!=", "==", ">=", ">", "<=", "<" };
  gboolean                 turned = FALSE;
  const TlExpr            *inner = tl_grid_without_not (expr, &turned);

  if (!turned)
    return term_text (grid, inner);
  for (guint r = 0; inner->kind == TL_EXPR_BINARY && relations[r] != NULL; r++)
    if (strcmp (inner->text, relations[r]) == 0)
      return binary_text (grid, inner, opposites[r]);
  return NULL;
}

/* Turns == into != or back where @text holds one relation alone. */
static gboolean
turn_relation (char *text, gboolean differs)
{
  char *sign = strstr (text, differs ? " != " : " == ");

  if (sign == NULL || strstr (sign + 1, " != ") != NULL || strstr (sign + 1, " == ") != NULL
      || strstr (text, differs ? " == " : " != ") != NULL)
    return FALSE;
  sign[1] = differs ? '=' : '!';
  return TRUE;
}

/* "A if x != y else B" is "B if x == y else A", and "1 if C else 0" is C. */
static char *
condition_text (const TlGrid *grid, const TlExpr *expr)
{
  gboolean         turned = FALSE;
  const TlExpr    *condition = tl_grid_without_not (expr->args[1], &turned);
  gboolean         relation = condition->kind == TL_EXPR_BINARY && is_one_of (condition->text, relations);
  gboolean         differs = relation && strcmp (condition->text, "!=") == 0;
  gboolean         equal = relation && strcmp (condition->text, "==") == 0;
  g_autofree char *yes = term_text (grid, expr->args[turned ? 2 : 0]),
                  *no = term_text (grid, expr->args[turned ? 0 : 2]);
  g_autofree char *asked = term_text (grid, condition);

  if (relation && strcmp (yes, "1") == 0 && strcmp (no, "0") == 0)
    return g_steal_pointer (&asked);
  if ((differs || equal) && strcmp (yes, "0") == 0 && strcmp (no, "1") == 0 && turn_relation (asked, differs))
    return g_steal_pointer (&asked);
  if (differs && turn_relation (asked, TRUE))
    return g_strdup_printf ("(%s if %s else %s)", no, asked, yes);
  return g_strdup_printf ("(%s if %s else %s)", yes, asked, no);
}

static char *
subscript_text (const TlGrid *grid, const TlExpr *expr)
{
  guint  loop = 0;
  gint64 offset = 0;

  if (!tl_grid_subscript (grid, expr, &loop, &offset))
    return term_text (grid, expr);
  return offset == 0 ? g_strdup (loop == 0 ? "i" : "j")
                     : g_strdup_printf ("%c %c %" G_GINT64_FORMAT, "ij"[loop], offset < 0 ? '-' : '+', ABS (offset));
}

static char *
call_text (const TlGrid *grid, const TlExpr *expr)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  gboolean any_order
      = expr->kind == TL_EXPR_CALL && (strcmp (expr->text, "min") == 0 || strcmp (expr->text, "max") == 0);

  for (guint i = 0; i < expr->n_args; i++)
    g_ptr_array_add (texts, expr->kind == TL_EXPR_SUBSCRIPT ? subscript_text (grid, expr->args[i])
                                                            : term_text (grid, expr->args[i]));
  if (any_order)
    g_ptr_array_sort (texts, compare_texts);
  g_ptr_array_add (texts, NULL);
  g_autofree char *joined = g_strjoinv (", ", (char **) texts->pdata);
  return expr->kind == TL_EXPR_SUBSCRIPT ? g_strdup_printf ("%s[%s]", expr->text, joined)
                                         : g_strdup_printf ("%s(%s)", expr->text, joined);
}

static char *
term_text (const TlGrid *grid, const TlExpr *expr)
{
  gint64 whole;

  if (expr->kind == TL_EXPR_NAME)
    return name_text (grid, expr);
  if (tl_expr_integer (expr, &whole))
    return g_strdup_printf ("%" G_GINT64_FORMAT, whole);
  if (expr->n_args == 0)
    return tl_expr_text (expr);
  if (expr->kind == TL_EXPR_UNARY && strcmp (expr->text, "not") == 0)
    {
      char *text = not_text (grid, expr);
      if (text != NULL)
        return text;
    }
  if (expr->kind == TL_EXPR_BINARY)
    return binary_text (grid, expr, expr->text);
  return expr->kind == TL_EXPR_CONDITION ? condition_text (grid, expr) : call_text (grid, expr);
}

/* A whole number made of numbers and gap costs. */
static gboolean
constant_of (const TlGrid *grid, const TlExpr *expr, gint64 *value)
{
  gint64 left, right;

  if (tl_expr_integer (expr, value))
    return TRUE;
  if (expr->kind == TL_EXPR_NAME)
    return gap_named (grid->ast, expr->text, value);
  if (expr->kind == TL_EXPR_UNARY && strcmp (expr->text, "-") == 0)
    return constant_of (grid, expr->args[0], &left) && !__builtin_sub_overflow ((gint64) 0, left, value);
  if (expr->kind != TL_EXPR_BINARY || !constant_of (grid, expr->args[0], &left)
      || !constant_of (grid, expr->args[1], &right))
    return FALSE;
  return strcmp (expr->text, "+") == 0   ? !__builtin_add_overflow (left, right, value)
         : strcmp (expr->text, "-") == 0 ? !__builtin_sub_overflow (left, right, value)
                                         : FALSE;
}

/* Numbers that are added are one number, however they are written. */
char *
tl_grid_terms_text (const TlGrid *grid, const TlGridTerm *terms, guint n_terms)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  gboolean adds = grid->semiring != NULL && grid->semiring->times.kind == TL_OPERATOR_ADD;
  gint64   sum = 0, value;

  for (guint t = 0; t < n_terms; t++)
    if (adds && constant_of (grid, terms[t].expr, &value)
        && !(terms[t].negative ? __builtin_sub_overflow (sum, value, &value)
                               : __builtin_add_overflow (sum, value, &value)))
      sum = value;
    else
      {
        g_autofree char *text = term_text (grid, terms[t].expr);
        g_ptr_array_add (texts, g_strconcat (terms[t].negative ? "-" : "", text, NULL));
      }
  if (grid->semiring == NULL || tl_operator_commutes (&grid->semiring->times, &grid->semiring->carrier))
    g_ptr_array_sort (texts, compare_texts);
  if (adds && (sum != 0 || (texts->len == 0 && n_terms > 0)))
    g_ptr_array_add (texts, g_strdup_printf ("%" G_GINT64_FORMAT, sum));
  g_ptr_array_add (texts, NULL);
  return g_strjoinv (", ", (char **) texts->pdata);
}
