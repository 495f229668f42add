/* Grids: expressions made by recognition, compared, and looked into. */
#include "passes/g1-grid-private.h"

#include <string.h>

TlExpr *
tl_grid_make (TlGrid *grid, TlExprKind kind, const char *text, TlSpan span, guint n_args)
{
  TlExpr *expr = g_malloc0 (sizeof *expr + n_args * sizeof *expr->args);

  expr->kind = kind;
  expr->text = text;
  expr->span = expr->op_span = span;
  expr->args = (TlExpr **) (expr + 1);
  expr->n_args = n_args;
  expr->depth = 1;
  g_ptr_array_add (grid->made, expr);
  return expr;
}

const TlExpr *
tl_grid_with_args (TlGrid *grid, const TlExpr *expr, const TlExpr *const *args)
{
  gboolean changed = FALSE;

  for (guint i = 0; i < expr->n_args; i++)
    changed |= args[i] != expr->args[i];
  if (!changed)
    return expr;
  TlExpr *copy = tl_grid_make (grid, expr->kind, expr->text, expr->span, expr->n_args);
  copy->op_span = expr->op_span;
  copy->integer = expr->integer;
  copy->real = expr->real;
  copy->loops = expr->loops;
  copy->n_loops = expr->n_loops;
  for (guint i = 0; i < expr->n_args; i++)
    {
      copy->args[i] = (TlExpr *) args[i];
      copy->depth = MAX (copy->depth, args[i]->depth + 1);
    }
  return copy;
}

const TlExpr *
tl_grid_substitute (TlGrid *grid, const TlExpr *expr, GHashTable *names)
{
  const TlExpr *found = expr->kind == TL_EXPR_NAME ? g_hash_table_lookup (names, expr->text) : NULL;

  if (found != NULL)
    return found;
  g_autofree const TlExpr **args = g_new (const TlExpr *, expr->n_args);
  for (guint i = 0; i < expr->n_args; i++)
    args[i] = tl_grid_substitute (grid, expr->args[i], names);
  return tl_grid_with_args (grid, expr, args);
}

gboolean
tl_grid_same (const TlExpr *a, const TlExpr *b)
{
  if (a == b)
    return TRUE;
  if (a->kind != b->kind || a->n_args != b->n_args || a->integer != b->integer || a->real != b->real
      || a->n_loops != b->n_loops || g_strcmp0 (a->text, b->text) != 0)
    return FALSE;
  for (guint i = 0; i < a->n_loops; i++)
    if (strcmp (a->loops[i].name, b->loops[i].name) != 0)
      return FALSE;
  for (guint i = 0; i < a->n_args; i++)
    if (!tl_grid_same (a->args[i], b->args[i]))
      return FALSE;
  return TRUE;
}

gboolean
tl_grid_subscript (const TlGrid *grid, const TlExpr *expr, guint *loop, gint64 *offset)
{
  TlAffine form = tl_affine_of (grid->loops, 2, expr);
  int      found;

  if (!tl_affine_is_loop (&form, &found, offset) || found < 0)
    return FALSE;
  *loop = (guint) found;
  return TRUE;
}

int
tl_grid_own (const TlGridReader *reader, const TlExpr *expr)
{
  for (guint u = 0; expr->kind == TL_EXPR_SUBSCRIPT && u < reader->n_updates; u++)
    if (strcmp (expr->text, reader->updates[u].name) == 0)
      return (int) u;
  return -1;
}

gboolean
tl_grid_holds_own (const TlGridReader *reader, const TlExpr *expr)
{
  if (tl_grid_own (reader, expr) >= 0)
    return TRUE;
  for (guint i = 0; i < expr->n_args; i++)
    if (tl_grid_holds_own (reader, expr->args[i]))
      return TRUE;
  return FALSE;
}

gboolean
tl_grid_operator (const TlExpr *expr, TlOperatorKind *kind)
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

  for (guint s = 0; expr->kind == TL_EXPR_BINARY && s < G_N_ELEMENTS (signs); s++)
    if (strcmp (expr->text, signs[s].text) == 0)
      {
        *kind = signs[s].kind;
        return TRUE;
      }
  return FALSE;
}

const TlExpr *
tl_grid_without_not (const TlExpr *expr, gboolean *turned)
{
  while (expr->kind == TL_EXPR_UNARY && strcmp (expr->text, "not") == 0)
    {
      expr = expr->args[0];
      *turned = !*turned;
    }
  return expr;
}

gboolean
tl_grid_is_choice (const TlExpr *expr, TlOperatorKind *kind)
{
  if (expr->kind != TL_EXPR_CONDITION)
    return FALSE;
  gboolean      turned = FALSE;
  const TlExpr *condition = tl_grid_without_not (expr->args[1], &turned);
  if (condition->kind != TL_EXPR_BINARY)
    return FALSE;
  gboolean more = condition->text[0] == (turned ? '<' : '>'), less = condition->text[0] == (turned ? '>' : '<');
  gboolean straight
      = tl_grid_same (condition->args[0], expr->args[0]) && tl_grid_same (condition->args[1], expr->args[2]);
  gboolean crossed
      = tl_grid_same (condition->args[0], expr->args[2]) && tl_grid_same (condition->args[1], expr->args[0]);

  if ((!more && !less) || (!straight && !crossed))
    return FALSE;
  *kind = more == straight ? TL_OPERATOR_MAX : TL_OPERATOR_MIN;
  return TRUE;
}

gboolean
tl_grid_names (const TlExpr *expr, const char *name)
{
  if (expr->kind == TL_EXPR_NAME && strcmp (expr->text, name) == 0)
    return TRUE;
  for (guint i = 0; i < expr->n_args; i++)
    if (tl_grid_names (expr->args[i], name))
      return TRUE;
  return FALSE;
}

gboolean
tl_grid_reads (const TlGrid *grid, const TlExpr *expr)
{
  if (expr->kind == TL_EXPR_SUBSCRIPT || (expr->kind == TL_EXPR_CALL && strcmp (expr->text, "score") == 0))
    return TRUE;
  for (guint i = 0; i < expr->n_args; i++)
    if (tl_grid_reads (grid, expr->args[i]))
      return TRUE;
  return FALSE;
}
