/* The tree's life and the questions that all its readers ask. */
#include "dsl/ast.h"
#include "dsl/arena-private.h"

#include <string.h>

TlAst *
tl_ast_ref (TlAst *ast)
{
  g_atomic_ref_count_inc (&ast->refs);
  return ast;
}

void
tl_ast_unref (TlAst *ast)
{
  if (!g_atomic_ref_count_dec (&ast->refs))
    return;
  tl_source_unref (ast->source);
  tl_arena_free (ast->arena);
  g_free (ast);
}

const TlConfigItem *
tl_ast_config (const TlAst *ast, const char *key)
{
  for (guint i = ast->n_config; i-- > 0;)
    if (strcmp (ast->config[i]->key, key) == 0)
      return ast->config[i];
  return NULL;
}

const TlDataDecl *
tl_ast_data (const TlAst *ast, const char *name)
{
  for (guint i = 0; i < ast->n_data; i++)
    for (guint k = 0; k < ast->data[i]->n_names; k++)
      if (strcmp (ast->data[i]->names[k], name) == 0)
        return ast->data[i];
  return NULL;
}

const TlPlaceDecl *
tl_ast_place (const TlAst *ast, const char *name)
{
  for (guint i = ast->n_places; i-- > 0;)
    if (strcmp (ast->places[i]->name, name) == 0)
      return ast->places[i];
  return NULL;
}

/* Floor division and its remainder, which takes the divisor's sign. */
static gboolean
divide (gint64 a, gint64 b, gint64 *quotient, gint64 *remainder)
{
  if (b == 0 || (a == G_MININT64 && b == -1))
    return FALSE;
  *quotient = a / b;
  *remainder = a % b;
  if (*remainder != 0 && (*remainder < 0) != (b < 0))
    {
      *remainder += b;
      (*quotient)--;
    }
  return TRUE;
}

gboolean
tl_expr_integer (const TlExpr *expr, gint64 *value)
{
  gint64 a = 0, b = 0, quotient = 0, remainder = 0;

  if (expr == NULL)
    return FALSE;
  if (expr->kind == TL_EXPR_INTEGER)
    {
      *value = expr->integer;
      return TRUE;
    }
  if (expr->kind == TL_EXPR_UNARY && strcmp (expr->text, "-") == 0)
    return tl_expr_integer (expr->args[0], &a) && !__builtin_sub_overflow ((gint64) 0, a, value);
  if (expr->kind != TL_EXPR_BINARY || !tl_expr_integer (expr->args[0], &a) || !tl_expr_integer (expr->args[1], &b))
    return FALSE;
  switch (expr->text[0])
    {
    case '+':
      return !__builtin_add_overflow (a, b, value);
    case '-':
      return !__builtin_sub_overflow (a, b, value);
    case '*':
      return !__builtin_mul_overflow (a, b, value);
    case '|':
      *value = a | b;
      return TRUE;
    case '&':
      *value = a & b;
      return TRUE;
    case '^':
      *value = a ^ b;
      return TRUE;
    case '/':
    case 'm':
      if (!divide (a, b, &quotient, &remainder))
        return FALSE;
      *value = expr->text[0] == 'm' ? remainder : quotient;
      /* A plain / that does not come out even is no integer. */
      return expr->text[0] == 'm' || expr->text[1] == '/' || remainder == 0;
    default:
      return FALSE;
    }
}

const TlExpr *
tl_expr_named (const TlExpr *call, const char *name)
{
  for (guint i = 0; i < call->n_args; i++)
    if (call->args[i]->kind == TL_EXPR_NAMED && strcmp (call->args[i]->text, name) == 0)
      return call->args[i]->args[0];
  return NULL;
}

gboolean
tl_function_rounds (const char *name)
{
  static const char *const names[] = { "round", "floor", "ceil", "trunc", "truncate", "quantize", "saturate" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_ascii_strcasecmp (name, names[i]) == 0)
      return TRUE;
  return FALSE;
}
