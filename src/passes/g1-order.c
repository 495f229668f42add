/* Terms of order and truth: minima and maxima as sets, comparisons with everything
 * positive on its side, negations pushed inward, choices that are minima. */
#include "passes/g1-private.h"

#include <math.h>

static gboolean
is_constant (const TlTerm *term)
{
  return term->kind == TL_TERM_CONSTANT;
}

static gboolean
is_number (const TlTerm *term, double value)
{
  return is_constant (term) && term->value == value;
}

static int
compare_numbers (double a, double b)
{
  return (a > b) - (a < b);
}

/* Minimum and maximum lose what can never be the result, truths what decides nothing. */
static TlTerm *
make_set (TlTerms *terms, TlTermKind kind, TlTerm *const *args, guint n_args, TlSpan op_span)
{
  TlTerm *unused;
  g_autoptr (GPtrArray) flat = tl_term_flatten (terms, kind, args, n_args, &unused);
  gboolean truth = kind == TL_TERM_AND || kind == TL_TERM_OR;
  double   neutral = kind == TL_TERM_MIN ? INFINITY : kind == TL_TERM_MAX ? -INFINITY : kind == TL_TERM_AND;
  double   absorbing = truth ? kind == TL_TERM_OR : -neutral;
  guint    kept = 0;

  g_ptr_array_sort (flat, tl_term_compare_pointers);
  for (guint i = 0; i < flat->len; i++)
    {
      TlTerm *arg = flat->pdata[i];

      if (is_number (arg, absorbing))
        return arg;
      if (is_number (arg, neutral) || (kept > 0 && flat->pdata[kept - 1] == arg))
        continue;
      /* Of two constants (sorted first) one decides. */
      if (!truth && kept > 0 && is_constant (arg) && is_constant (flat->pdata[kept - 1]))
        {
          if (kind == TL_TERM_MAX)
            flat->pdata[kept - 1] = arg;
          continue;
        }
      flat->pdata[kept++] = arg;
    }
  if (kept == 0)
    return tl_term_number (terms, neutral);
  if (kept == 1)
    return flat->pdata[0];
  return tl_term_make (terms, kind, (TlTerm **) flat->pdata, kept, op_span);
}

static TlTerm *
make_xor (TlTerms *terms, TlTerm *a, TlTerm *b, TlSpan op_span)
{
  if (a == b)
    return tl_term_integer (terms, 0);
  if (is_number (a, 0))
    return b;
  if (is_number (b, 0))
    return a;
  if (is_number (a, 1))
    return tl_term_not (terms, b);
  if (is_number (b, 1))
    return tl_term_not (terms, a);
  TlTerm *args[2] = { a, b };
  if (tl_term_compare (a, b) > 0)
    args[0] = b, args[1] = a;
  return tl_term_make (terms, TL_TERM_XOR, args, 2, op_span);
}

TlTerm *
tl_term_many (TlTerms *terms, TlTermKind kind, TlTerm *const *args, guint n_args, TlSpan op_span)
{
  switch (kind)
    {
    case TL_TERM_ADD:
      return tl_term_sum (terms, args, n_args, op_span);
    case TL_TERM_MUL:
      return tl_term_product (terms, args, n_args, op_span);
    default:
      return make_set (terms, kind, args, n_args, op_span);
    }
}

/* Written as the negative of something, minima and choices of negatives too. */
static gboolean
is_negative (const TlTerm *term, guint depth)
{
  guint first = term->kind == TL_TERM_SELECT;

  if (term->kind == TL_TERM_NEGATE)
    return TRUE;
  if (is_constant (term))
    return term->value < 0 && isfinite (term->value);
  if ((term->kind != TL_TERM_MIN && term->kind != TL_TERM_MAX && term->kind != TL_TERM_SELECT)
      || depth >= TL_MAX_PUSHED)
    return FALSE;
  for (guint i = first; i < term->n_args; i++)
    if (!is_negative (term->args[i], depth + 1))
      return FALSE;
  return TRUE;
}

/* Splits x into what stays on its side (positive terms, positive constant) and
 * what moves to the other. */
static void
split_side (TlTerms *terms, TlTerm *x, GPtrArray *stays, GPtrArray *moves)
{
  TlTerm *const *args = x->kind == TL_TERM_ADD ? x->args : &x;
  guint          n = x->kind == TL_TERM_ADD ? x->n_args : 1;

  for (guint i = 0; i < n; i++)
    if (is_negative (args[i], 0))
      g_ptr_array_add (moves, tl_term_negate (terms, args[i]));
    else
      g_ptr_array_add (stays, args[i]);
}

/* Takes a constant off both sides so that one of them has none. */
static void
cancel_constants (TlTerms *terms, GPtrArray *left, GPtrArray *right)
{
  TlTerm *a = NULL, *b = NULL;

  for (guint i = 0; i < left->len; i++)
    if (is_constant (left->pdata[i]))
      a = left->pdata[i];
  for (guint i = 0; i < right->len; i++)
    if (is_constant (right->pdata[i]))
      b = right->pdata[i];
  if (a == NULL || b == NULL || !isfinite (a->value) || !isfinite (b->value) || (left->len == 1 && right->len == 1))
    return;
  TlTerm *parts[2] = { b, tl_term_negate (terms, a) };
  TlTerm *rest = tl_term_sum (terms, parts, 2, b->span);
  g_ptr_array_remove (left, a);
  g_ptr_array_remove (right, b);
  if (rest->value < 0)
    g_ptr_array_add (left, tl_term_negate (terms, rest));
  else if (rest->value > 0)
    g_ptr_array_add (right, rest);
}

/* x < y with everything positive: t - d < 0 becomes t < d, -d < -t too. Terms on
 * both sides are not cancelled, since inf - inf is nothing. */
static TlTerm *
make_compare (TlTerms *terms, TlTermKind kind, TlTerm *x, TlTerm *y, TlSpan op_span)
{
  if (x == y)
    return tl_term_integer (terms, kind == TL_TERM_LESS_EQUAL || kind == TL_TERM_EQUAL);
  const TlSpan nowhere = { 0, 0 };
  g_autoptr (GPtrArray) left = g_ptr_array_new ();
  g_autoptr (GPtrArray) right = g_ptr_array_new ();
  split_side (terms, x, left, right);
  split_side (terms, y, right, left);
  cancel_constants (terms, left, right);
  x = tl_term_sum (terms, (TlTerm **) left->pdata, left->len, nowhere);
  y = tl_term_sum (terms, (TlTerm **) right->pdata, right->len, nowhere);
  if (is_constant (x) && is_constant (y))
    {
      int order = compare_numbers (x->value, y->value);
      return tl_term_integer (terms, kind == TL_TERM_LESS         ? order < 0
                                     : kind == TL_TERM_LESS_EQUAL ? order <= 0
                                     : kind == TL_TERM_EQUAL      ? order == 0
                                                                  : order != 0);
    }
  TlTerm *args[2] = { x, y };
  if ((kind == TL_TERM_EQUAL || kind == TL_TERM_NOT_EQUAL) && tl_term_compare (x, y) > 0)
    args[0] = y, args[1] = x;
  return tl_term_make (terms, kind, args, 2, op_span);
}

TlTerm *
tl_term_two (TlTerms *terms, TlTermKind kind, TlTerm *a, TlTerm *b, TlSpan op_span)
{
  TlTerm *args[2] = { a, b };

  switch (kind)
    {
    case TL_TERM_XOR:
      return make_xor (terms, a, b, op_span);
    case TL_TERM_LESS:
    case TL_TERM_LESS_EQUAL:
    case TL_TERM_EQUAL:
    case TL_TERM_NOT_EQUAL:
      return make_compare (terms, kind, a, b, op_span);
    case TL_TERM_DIVIDE:
    case TL_TERM_FLOOR_DIVIDE:
      if (is_number (b, 1) && kind == TL_TERM_DIVIDE)
        return a;
      return tl_term_make (terms, kind, args, 2, op_span);
    case TL_TERM_MODULO:
      return tl_term_make (terms, kind, args, 2, op_span);
    default:
      return tl_term_many (terms, kind, args, 2, op_span);
    }
}

static TlTerm *
not_at (TlTerms *terms, TlTerm *a, guint depth)
{
  g_autofree TlTerm **args = NULL;

  if (depth >= TL_MAX_PUSHED && (a->kind == TL_TERM_AND || a->kind == TL_TERM_OR))
    return tl_term_make (terms, TL_TERM_NOT, &a, 1, a->span);
  switch (a->kind)
    {
    case TL_TERM_CONSTANT:
      return tl_term_integer (terms, a->value == 0);
    case TL_TERM_NOT:
      return a->args[0];
    case TL_TERM_LESS:
      return make_compare (terms, TL_TERM_LESS_EQUAL, a->args[1], a->args[0], a->op_span);
    case TL_TERM_LESS_EQUAL:
      return make_compare (terms, TL_TERM_LESS, a->args[1], a->args[0], a->op_span);
    case TL_TERM_EQUAL:
      return make_compare (terms, TL_TERM_NOT_EQUAL, a->args[0], a->args[1], a->op_span);
    case TL_TERM_NOT_EQUAL:
      return make_compare (terms, TL_TERM_EQUAL, a->args[0], a->args[1], a->op_span);
    case TL_TERM_AND:
    case TL_TERM_OR:
      args = g_new (TlTerm *, a->n_args);
      for (guint i = 0; i < a->n_args; i++)
        args[i] = not_at (terms, a->args[i], depth + 1);
      return make_set (terms, a->kind == TL_TERM_AND ? TL_TERM_OR : TL_TERM_AND, args, a->n_args, a->op_span);
    default:
      return tl_term_make (terms, TL_TERM_NOT, &a, 1, a->span);
    }
}

TlTerm *
tl_term_not (TlTerms *terms, TlTerm *a)
{
  return not_at (terms, a, 0);
}

TlTerm *
tl_term_select (TlTerms *terms, TlTerm *condition, TlTerm *yes, TlTerm *no, TlSpan op_span)
{
  if (is_constant (condition))
    return condition->value != 0 ? yes : no;
  if (yes == no)
    return yes;
  if (condition->kind == TL_TERM_NOT)
    return tl_term_select (terms, condition->args[0], no, yes, op_span);
  if (condition->kind == TL_TERM_LESS || condition->kind == TL_TERM_LESS_EQUAL)
    {
      TlSpan at = condition->op_span;
      if (condition == make_compare (terms, TL_TERM_LESS, yes, no, at)
          || condition == make_compare (terms, TL_TERM_LESS_EQUAL, yes, no, at))
        return tl_term_two (terms, TL_TERM_MIN, yes, no, at);
      if (condition == make_compare (terms, TL_TERM_LESS, no, yes, at)
          || condition == make_compare (terms, TL_TERM_LESS_EQUAL, no, yes, at))
        return tl_term_two (terms, TL_TERM_MAX, yes, no, at);
    }
  if (yes->kind == TL_TERM_SELECT && yes->args[0] == condition)
    yes = yes->args[1];
  if (no->kind == TL_TERM_SELECT && no->args[0] == condition)
    no = no->args[2];
  TlTerm *args[3] = { condition, yes, no };
  return tl_term_make (terms, TL_TERM_SELECT, args, 3, op_span);
}

TlTerm *
tl_term_call (TlTerms *terms, const TlG1Op *op, TlTerm *a, TlTerm *b, TlSpan op_span)
{
  TlTerm *args[2] = { a, b };
  TlTerm  model = { .kind = TL_TERM_CALL, .op = op, .args = args, .n_args = 2, .span = op_span, .op_span = op_span };

  return tl_term_leaf (terms, &model);
}
