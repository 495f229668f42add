/* Register layouts from expressions. */
#include "layout/expr-private.h"
#include "layout/layout.h"

#include <string.h>

static gboolean evaluate (const TlExpr *expr, TlLayout *layout, TlExprError *error);

static gboolean
no_keywords_but (const TlExpr *call, const char *allowed, TlExprError *error)
{
  for (guint i = 0; i < call->children->len; i++)
    {
      const TlExpr *child = g_ptr_array_index (call->children, i);
      if (child->keyword != NULL && g_strcmp0 (child->keyword, allowed) != 0)
        return tl_expr_refuse (error, child, "%s takes no \"%s\"", call->name, child->keyword);
    }
  return TRUE;
}

static gboolean
primitive (const TlExpr *call, gboolean spatial, gboolean column, TlLayout *layout, TlExprError *error)
{
  gint64        sizes[TL_LAYOUT_MAX_DIMS];
  guint         n, n_ranks = 0;
  const gint64 *ranks = NULL;
  const TlExpr *given = tl_expr_keyword (call, "ranks");
  char         *reason = NULL;
  gboolean      fine;

  if (!no_keywords_but (call, column ? NULL : "ranks", error)
      || !tl_expr_sizes (call, sizes, TL_LAYOUT_MAX_DIMS, &n, error)
      || (given != NULL && !tl_expr_ints (given, &ranks, &n_ranks, error)))
    return FALSE;
  if (given != NULL && n_ranks != n)
    return tl_expr_refuse (error, given, "%u ranks for %u dimensions", n_ranks, n);
  if (column)
    fine = spatial ? tl_layout_column_spatial (layout, sizes, n, &reason)
                   : tl_layout_column_local (layout, sizes, n, &reason);
  else
    fine = spatial ? tl_layout_spatial (layout, sizes, n, ranks, &reason)
                   : tl_layout_local (layout, sizes, n, ranks, &reason);
  return tl_expr_judge (fine, call, &reason, error);
}

static gboolean
call_spatial (const TlExpr *call, TlLayout *layout, TlExprError *error)
{
  return primitive (call, TRUE, FALSE, layout, error);
}

static gboolean
call_local (const TlExpr *call, TlLayout *layout, TlExprError *error)
{
  return primitive (call, FALSE, FALSE, layout, error);
}

static gboolean
call_column_spatial (const TlExpr *call, TlLayout *layout, TlExprError *error)
{
  return primitive (call, TRUE, TRUE, layout, error);
}

static gboolean
call_column_local (const TlExpr *call, TlLayout *layout, TlExprError *error)
{
  return primitive (call, FALSE, TRUE, layout, error);
}

static gboolean
call_replicated (const TlExpr *call, TlLayout *layout, TlExprError *error)
{
  gint64        sizes[TL_LAYOUT_MAX_DIMS], n_threads;
  guint         n;
  const TlExpr *given = tl_expr_keyword (call, "num_workers");
  char         *reason = NULL;

  if (!no_keywords_but (call, "num_workers", error) || !tl_expr_sizes (call, sizes, TL_LAYOUT_MAX_DIMS, &n, error))
    return FALSE;
  if (given == NULL)
    return tl_expr_refuse (error, call, "replicated needs num_workers=n, the number of threads");
  return tl_expr_int (given, &n_threads, error)
         && tl_expr_judge (tl_layout_replicated (layout, sizes, n, n_threads, &reason), call, &reason, error);
}

static gboolean
call_register_layout (const TlExpr *call, TlLayout *layout, TlExprError *error)
{
  const TlExpr *arguments[4];
  const gint64 *ints[4];
  guint         n[4];
  char         *reason = NULL;

  if (!tl_expr_bind (call, "shape mode_shape spatial_modes local_modes", arguments, error))
    return FALSE;
  for (guint i = 0; i < 4; i++)
    if (!tl_expr_ints (arguments[i], &ints[i], &n[i], error))
      return FALSE;
  return tl_expr_judge (tl_layout_init (layout, ints[0], n[0], ints[1], n[1], ints[2], n[2], ints[3], n[3], &reason),
                        call, &reason, error);
}

static gboolean
call_auto (const TlExpr *call, TlLayout *layout, TlExprError *error)
{
  const TlExpr *arguments[2];
  const gint64 *shape;
  gint64        n_threads;
  guint         n;
  char         *reason = NULL;

  return tl_expr_bind (call, "num_threads shape", arguments, error) && tl_expr_int (arguments[0], &n_threads, error)
         && tl_expr_ints (arguments[1], &shape, &n, error)
         && tl_expr_judge (tl_layout_auto (layout, n_threads, shape, n, &reason), call, &reason, error);
}

typedef gboolean (*Binary) (TlLayout *result, const TlLayout *a, const TlLayout *b, char **reason);

static gboolean
binary (const TlExpr *call, const char *parameters, Binary operation, TlLayout *layout, TlExprError *error)
{
  const TlExpr *arguments[2];
  TlLayout      a, b;
  char         *reason = NULL;

  return tl_expr_bind (call, parameters, arguments, error) && evaluate (arguments[0], &a, error)
         && evaluate (arguments[1], &b, error)
         && tl_expr_judge (operation (layout, &a, &b, &reason), call, &reason, error);
}

static gboolean
call_compose (const TlExpr *call, TlLayout *layout, TlExprError *error)
{
  return binary (call, "outer inner", tl_layout_compose, layout, error);
}

static gboolean
call_divide (const TlExpr *call, TlLayout *layout, TlExprError *error)
{
  return binary (call, "layout rhs", tl_layout_divide, layout, error);
}

static gboolean
call_left_divide (const TlExpr *call, TlLayout *layout, TlExprError *error)
{
  return binary (call, "layout lhs", tl_layout_left_divide, layout, error);
}

static gboolean
call_concat (const TlExpr *call, TlLayout *layout, TlExprError *error)
{
  return binary (call, "lhs rhs", tl_layout_concat, layout, error);
}

typedef gboolean (*Listed) (TlLayout *result, const TlLayout *layout, const gint64 *ints, guint n, char **reason);

static gboolean
listed (const TlExpr *call, const char *parameters, Listed operation, TlLayout *layout, TlExprError *error)
{
  const TlExpr *arguments[2];
  const gint64 *ints;
  guint         n;
  TlLayout      a;
  char         *reason = NULL;

  return tl_expr_bind (call, parameters, arguments, error) && evaluate (arguments[0], &a, error)
         && tl_expr_ints (arguments[1], &ints, &n, error)
         && tl_expr_judge (operation (layout, &a, ints, n, &reason), call, &reason, error);
}

static gboolean
call_reduce_to (const TlExpr *call, TlLayout *layout, TlExprError *error)
{
  return listed (call, "layout shape", tl_layout_reduce_to, layout, error);
}

static gboolean
call_reshape (const TlExpr *call, TlLayout *layout, TlExprError *error)
{
  return listed (call, "layout shape", tl_layout_reshape, layout, error);
}

static gboolean
call_permute (const TlExpr *call, TlLayout *layout, TlExprError *error)
{
  return listed (call, "layout dims", tl_layout_permute, layout, error);
}

static gboolean
call_squeeze (const TlExpr *call, TlLayout *layout, TlExprError *error)
{
  return listed (call, "layout dims", tl_layout_squeeze, layout, error);
}

static gboolean
call_unsqueeze (const TlExpr *call, TlLayout *layout, TlExprError *error)
{
  return listed (call, "layout dims", tl_layout_unsqueeze, layout, error);
}

static gboolean
call_reduce (const TlExpr *call, TlLayout *layout, TlExprError *error)
{
  const TlExpr *arguments[3];
  const gint64 *dims;
  gint64        keep = 0;
  guint         n;
  TlLayout      a;
  char         *reason = NULL;

  return tl_expr_bind (call, "layout dims keepdims=", arguments, error) && evaluate (arguments[0], &a, error)
         && tl_expr_ints (arguments[1], &dims, &n, error)
         && (arguments[2] == NULL || tl_expr_int (arguments[2], &keep, error))
         && tl_expr_judge (tl_layout_reduce (layout, &a, dims, n, keep != 0, &reason), call, &reason, error);
}

static gboolean
call_flatten (const TlExpr *call, TlLayout *layout, TlExprError *error)
{
  const TlExpr *arguments[3];
  gint64        first = 0, last = -1;
  TlLayout      a;
  char         *reason = NULL;

  return tl_expr_bind (call, "layout start_dim= end_dim=", arguments, error) && evaluate (arguments[0], &a, error)
         && (arguments[1] == NULL || tl_expr_int (arguments[1], &first, error))
         && (arguments[2] == NULL || tl_expr_int (arguments[2], &last, error))
         && tl_expr_judge (tl_layout_flatten (layout, &a, first, last, &reason), call, &reason, error);
}

typedef struct
{
  const char *name;
  gboolean (*run) (const TlExpr *call, TlLayout *layout, TlExprError *error);
} Function;

static const Function functions[] = {
  { "local", call_local },
  { "spatial", call_spatial },
  { "column_local", call_column_local },
  { "column_spatial", call_column_spatial },
  { "replicated", call_replicated },
  { "register_layout", call_register_layout },
  { "auto_local_spatial", call_auto },
  { "compose", call_compose },
  { "divide", call_divide },
  { "left_divide", call_left_divide },
  { "reduce", call_reduce },
  { "reduce_to", call_reduce_to },
  { "permute", call_permute },
  { "reshape", call_reshape },
  { "squeeze", call_squeeze },
  { "unsqueeze", call_unsqueeze },
  { "concat", call_concat },
  { "flatten", call_flatten },
};

static gboolean
evaluate_call (const TlExpr *call, TlLayout *layout, TlExprError *error)
{
  const char *names[G_N_ELEMENTS (functions)];

  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    {
      names[i] = functions[i].name;
      if (strcmp (call->name, functions[i].name) == 0)
        return functions[i].run (call, layout, error);
    }
  return tl_expr_unknown (error, call, "layout", names, G_N_ELEMENTS (names));
}

static gboolean
evaluate (const TlExpr *expr, TlLayout *layout, TlExprError *error)
{
  if (expr->kind == TL_EXPR_CALL)
    return evaluate_call (expr, layout, error);
  if (expr->kind != TL_EXPR_COMPOSE)
    return tl_expr_refuse (error, expr, "a layout is expected here");
  for (guint i = 0; i < expr->children->len; i++)
    {
      const TlExpr *child = g_ptr_array_index (expr->children, i);
      TlLayout      factor;
      char         *reason = NULL;

      if (!evaluate (child, &factor, error))
        return FALSE;
      if (i == 0)
        *layout = factor;
      else if (!tl_layout_compose (layout, layout, &factor, &reason))
        {
          g_autofree char *owned = reason;
          return tl_expr_refuse (error, child, "%s", owned);
        }
    }
  return TRUE;
}

gboolean
tl_layout_parse (TlLayout *layout, const char *text, gssize length, gsize *at, char **reason)
{
  TlExprError error = { 0, reason };
  TlLayout    result;

  if (reason != NULL)
    *reason = NULL;
  g_autoptr (TlExpr) expr = tl_expr_parse (text, length, &error);
  gboolean fine = expr != NULL && evaluate (expr, &result, &error);
  if (at != NULL)
    *at = fine ? 0 : error.at;
  if (fine)
    *layout = result;
  return fine;
}
