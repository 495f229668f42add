/* Shared-memory layouts from expressions, and back. */
#include "layout/expr-private.h"
#include "layout/shared.h"

#include <string.h>

static gboolean evaluate (const TlExpr *expr, TlShared *shared, TlExprError *error);

static gboolean
major (const TlExpr *call, gboolean column, TlShared *shared, TlExprError *error)
{
  gint64 sizes[TL_LAYOUT_MAX_DIMS];
  guint  n;
  char  *reason = NULL;

  if (call->children->len > 0 && ((TlExpr *) g_ptr_array_index (call->children, 0))->keyword != NULL)
    return tl_expr_refuse (error, call, "%s takes sizes only", call->name);
  return tl_expr_sizes (call, sizes, TL_LAYOUT_MAX_DIMS, &n, error)
         && tl_expr_judge (tl_shared_major (shared, sizes, n, column, &reason), call, &reason, error);
}

static gboolean
call_row_major (const TlExpr *call, TlShared *shared, TlExprError *error)
{
  return major (call, FALSE, shared, error);
}

static gboolean
call_column_major (const TlExpr *call, TlShared *shared, TlExprError *error)
{
  return major (call, TRUE, shared, error);
}

static gboolean
call_row_major_swizzle (const TlExpr *call, TlShared *shared, TlExprError *error)
{
  const TlExpr *arguments[2];
  const gint64 *shape;
  gint64        bytes;
  guint         n;
  char         *reason = NULL;

  return tl_expr_bind (call, "shape dtype_nbytes", arguments, error) && tl_expr_ints (arguments[0], &shape, &n, error)
         && tl_expr_int (arguments[1], &bytes, error)
         && tl_expr_judge (tl_shared_row_major_swizzle (shared, shape, n, bytes, &reason), call, &reason, error);
}

static gboolean
read_swizzle (const TlExpr *expr, TlSwizzle *swizzle, TlExprError *error)
{
  const TlExpr *arguments[3];
  gint64        numbers[3];

  if (expr->kind != TL_EXPR_CALL || strcmp (expr->name, "Swizzle") != 0)
    return tl_expr_refuse (error, expr, "Swizzle(base=..,bits=..,shift=..) is expected here");
  if (!tl_expr_bind (expr, "base bits shift", arguments, error))
    return FALSE;
  for (guint i = 0; i < 3; i++)
    if (!tl_expr_int (arguments[i], &numbers[i], error))
      return FALSE;
    else if (numbers[i] < 0 || numbers[i] > 32)
      return tl_expr_refuse (error, arguments[i], "a swizzle's numbers are 0 to 32");
  *swizzle = (TlSwizzle) { (guint) numbers[0], (guint) numbers[1], (guint) numbers[2] };
  return TRUE;
}

static gboolean
call_shared_layout (const TlExpr *call, TlShared *shared, TlExprError *error)
{
  const TlExpr *arguments[4];
  const gint64 *ints[3];
  guint         n[3];
  TlSwizzle     swizzle = { 0 };
  char         *reason = NULL;

  if (!tl_expr_bind (call, "shape mode_shape mode_strides optional_swizzle=", arguments, error))
    return FALSE;
  for (guint i = 0; i < 3; i++)
    if (!tl_expr_ints (arguments[i], &ints[i], &n[i], error))
      return FALSE;
  if (arguments[3] != NULL && !read_swizzle (arguments[3], &swizzle, error))
    return FALSE;
  return tl_expr_judge (tl_shared_init (shared, ints[0], n[0], ints[1], n[1], ints[2], n[2], swizzle, &reason), call,
                        &reason, error);
}

static gboolean
call_compose (const TlExpr *call, TlShared *shared, TlExprError *error)
{
  const TlExpr *arguments[2];
  TlShared      a, b;
  char         *reason = NULL;

  return tl_expr_bind (call, "outer inner", arguments, error) && evaluate (arguments[0], &a, error)
         && evaluate (arguments[1], &b, error)
         && tl_expr_judge (tl_shared_compose (shared, &a, &b, &reason), call, &reason, error);
}

typedef gboolean (*Listed) (TlShared *result, const TlShared *shared, const gint64 *ints, guint n, char **reason);

static gboolean
listed (const TlExpr *call, const char *parameters, Listed operation, TlShared *shared, TlExprError *error)
{
  const TlExpr *arguments[2];
  const gint64 *ints;
  guint         n;
  TlShared      a;
  char         *reason = NULL;

  return tl_expr_bind (call, parameters, arguments, error) && evaluate (arguments[0], &a, error)
         && tl_expr_ints (arguments[1], &ints, &n, error)
         && tl_expr_judge (operation (shared, &a, ints, n, &reason), call, &reason, error);
}

static gboolean
call_permute (const TlExpr *call, TlShared *shared, TlExprError *error)
{
  return listed (call, "layout dims", tl_shared_permute, shared, error);
}

static gboolean
call_reshape (const TlExpr *call, TlShared *shared, TlExprError *error)
{
  return listed (call, "layout shape", tl_shared_reshape, shared, error);
}

static gboolean
call_slice (const TlExpr *call, TlShared *shared, TlExprError *error)
{
  return listed (call, "layout dims", tl_shared_slice, shared, error);
}

static gboolean
call_unsqueeze (const TlExpr *call, TlShared *shared, TlExprError *error)
{
  return listed (call, "layout dims", tl_shared_unsqueeze, shared, error);
}

typedef struct
{
  const char *name;
  gboolean (*run) (const TlExpr *call, TlShared *shared, TlExprError *error);
} Function;

static const Function functions[] = {
  { "row_major", call_row_major },
  { "column_major", call_column_major },
  { "row_major_swizzle", call_row_major_swizzle },
  { "shared_layout", call_shared_layout },
  { "compose", call_compose },
  { "permute", call_permute },
  { "reshape", call_reshape },
  { "slice", call_slice },
  { "unsqueeze", call_unsqueeze },
};

static gboolean
evaluate_call (const TlExpr *call, TlShared *shared, TlExprError *error)
{
  const char *names[G_N_ELEMENTS (functions)];

  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    {
      names[i] = functions[i].name;
      if (strcmp (call->name, functions[i].name) == 0)
        return functions[i].run (call, shared, error);
    }
  return tl_expr_unknown (error, call, "shared layout", names, G_N_ELEMENTS (names));
}

static gboolean
evaluate (const TlExpr *expr, TlShared *shared, TlExprError *error)
{
  if (expr->kind == TL_EXPR_CALL)
    return evaluate_call (expr, shared, error);
  if (expr->kind != TL_EXPR_COMPOSE)
    return tl_expr_refuse (error, expr, "a shared layout is expected here");
  for (guint i = 0; i < expr->children->len; i++)
    {
      TlShared factor;
      char    *reason = NULL;

      if (!evaluate (g_ptr_array_index (expr->children, i), &factor, error))
        return FALSE;
      if (i == 0)
        *shared = factor;
      else if (!tl_expr_judge (tl_shared_compose (shared, shared, &factor, &reason), expr, &reason, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
tl_shared_parse (TlShared *shared, const char *text, gssize length, gsize *at, char **reason)
{
  TlExprError error = { 0, reason };
  TlShared    result;

  if (reason != NULL)
    *reason = NULL;
  g_autoptr (TlExpr) expr = tl_expr_parse (text, length, &error);
  gboolean fine = expr != NULL && evaluate (expr, &result, &error);
  if (at != NULL)
    *at = fine ? 0 : error.at;
  if (fine)
    *shared = result;
  return fine;
}

char *
tl_shared_to_text (const TlShared *shared)
{
  GString *text = g_string_new ("shared_layout([");

  for (guint d = 0; d < shared->n_dims; d++)
    g_string_append_printf (text, "%s%d", d > 0 ? "," : "", shared->shape[d]);
  g_string_append (text, "],[");
  for (guint m = 0; m < shared->n_modes; m++)
    g_string_append_printf (text, "%s%d", m > 0 ? "," : "", shared->modes[m]);
  g_string_append (text, "],[");
  for (guint m = 0; m < shared->n_modes; m++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, m > 0 ? "," : "", shared->strides[m]);
  g_string_append_c (text, ']');
  if (shared->swizzle.bits > 0)
    g_string_append_printf (text, ",Swizzle(base=%u,bits=%u,shift=%u)", shared->swizzle.base, shared->swizzle.bits,
                            shared->swizzle.shift);
  g_string_append_c (text, ')');
  return g_string_free (text, FALSE);
}
