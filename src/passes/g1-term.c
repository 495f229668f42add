/* The normal form: a value-numbered graph of the cell's new value in which
 * min/max of swapped operands, negated comparisons, conditions that choose the
 * smaller and sums in any order are one and the same term. */
#include "passes/g1-private.h"

#include <math.h>
#include <string.h>

static guint
term_hash (gconstpointer data)
{
  const TlTerm *term = data;
  guint         hash = term->kind * 2654435761u + (guint) (term->role + 7)
               + (guint) (gint64) (isfinite (term->value) ? fmod (term->value, 1e9) * 16 : 5);

  if (term->name != NULL)
    hash = hash * 31 + g_str_hash (term->name);
  for (guint i = 0; i < MIN (term->n_subs, 2); i++)
    hash = hash * 31 + (guint) term->subs[i].role * 17 + (guint) term->subs[i].offset;
  for (guint i = 0; i < term->n_args; i++)
    hash = hash * 31 + term->args[i]->number + 1;
  return hash;
}

static gboolean
term_same (gconstpointer left, gconstpointer right)
{
  const TlTerm *a = left, *b = right;

  if (a->kind != b->kind || a->n_args != b->n_args || a->role != b->role || a->op != b->op || a->n_subs != b->n_subs
      || a->is_whole != b->is_whole || a->whole != b->whole || a->value != b->value
      || g_strcmp0 (a->name, b->name) != 0)
    return FALSE;
  for (guint i = 0; i < MIN (a->n_subs, 2); i++)
    if (a->subs[i].role != b->subs[i].role || a->subs[i].offset != b->subs[i].offset)
      return FALSE;
  /* Subscripts that are no loop plus a number are never known to be equal. */
  if (a->kind == TL_TERM_READ && a->expr != b->expr)
    for (guint i = 0; i < a->n_subs; i++)
      if (i >= 2 || a->subs[i].role < TL_ROLE_CONSTANT)
        return FALSE;
  for (guint i = 0; i < a->n_args; i++)
    if (a->args[i] != b->args[i])
      return FALSE;
  return TRUE;
}

static void
term_free (gpointer data)
{
  TlTerm *term = data;

  g_free (term->args);
  g_free (term);
}

void
tl_terms_init (TlTerms *terms)
{
  terms->terms = g_ptr_array_new_with_free_func (term_free);
  terms->known = g_hash_table_new (term_hash, term_same);
  terms->full = FALSE;
}

void
tl_terms_clear (TlTerms *terms)
{
  g_clear_pointer (&terms->known, g_hash_table_unref);
  g_clear_pointer (&terms->terms, g_ptr_array_unref);
}

TlTerm *
tl_term_leaf (TlTerms *terms, const TlTerm *model)
{
  TlTerm *term = g_hash_table_lookup (terms->known, model);

  if (term != NULL)
    {
      /* Made on the way to another term first, now written by the user. */
      if (term->op_span.end == 0)
        term->op_span = model->op_span;
      if (term->span.end == 0)
        term->span = model->span;
      return term;
    }
  if (terms->terms->len >= TL_MAX_TERMS && !terms->full)
    terms->full = TRUE;
  term = g_new (TlTerm, 1);
  *term = *model;
  term->args = model->n_args > 0 ? g_memdup2 (model->args, model->n_args * sizeof (TlTerm *)) : NULL;
  term->number = terms->terms->len;
  g_ptr_array_add (terms->terms, term);
  g_hash_table_add (terms->known, term);
  return term;
}

TlTerm *
tl_term_integer (TlTerms *terms, gint64 value)
{
  TlTerm model = { .kind = TL_TERM_CONSTANT, .value = (double) value, .whole = value, .is_whole = TRUE };
  return tl_term_leaf (terms, &model);
}

TlTerm *
tl_term_number (TlTerms *terms, double value)
{
  if (value == floor (value) && fabs (value) < 9e15)
    return tl_term_integer (terms, (gint64) value);
  TlTerm model = { .kind = TL_TERM_CONSTANT, .value = value };
  return tl_term_leaf (terms, &model);
}

TlTerm *
tl_term_make (TlTerms *terms, TlTermKind kind, TlTerm **args, guint n_args, TlSpan op_span)
{
  TlTerm model = { .kind = kind, .args = args, .n_args = n_args, .op_span = op_span };
  return tl_term_leaf (terms, &model);
}

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

gboolean
tl_term_is_truth (const TlTerm *term)
{
  return (term->kind >= TL_TERM_AND && term->kind <= TL_TERM_NOT_EQUAL) || is_number (term, 0) || is_number (term, 1);
}

static int
compare_numbers (double a, double b)
{
  return (a > b) - (a < b);
}

/* A total order that depends on structure alone, not on when terms were made. */
int
tl_term_compare (const TlTerm *a, const TlTerm *b)
{
  int order;

  if (a == b)
    return 0;
  if (a->kind != b->kind)
    return a->kind < b->kind ? -1 : 1;
  if ((order = compare_numbers (a->value, b->value)) != 0)
    return order;
  if (a->whole != b->whole)
    return a->whole < b->whole ? -1 : 1;
  if (a->role != b->role)
    return a->role < b->role ? -1 : 1;
  for (guint i = 0; i < MIN (a->n_subs, 2) && i < b->n_subs; i++)
    {
      if (a->subs[i].role != b->subs[i].role)
        return a->subs[i].role < b->subs[i].role ? -1 : 1;
      if (a->subs[i].offset != b->subs[i].offset)
        return a->subs[i].offset < b->subs[i].offset ? -1 : 1;
    }
  if ((order = g_strcmp0 (a->name, b->name)) != 0)
    return order;
  if (a->op != b->op)
    return strcmp (a->op->decl->name, b->op->decl->name);
  for (guint i = 0; i < a->n_args && i < b->n_args; i++)
    if ((order = tl_term_compare (a->args[i], b->args[i])) != 0)
      return order;
  if (a->n_args != b->n_args)
    return a->n_args < b->n_args ? -1 : 1;
  return a->number < b->number ? -1 : 1;
}

int
tl_term_compare_pointers (gconstpointer a, gconstpointer b)
{
  return tl_term_compare (*(TlTerm *const *) a, *(TlTerm *const *) b);
}

/* --- Sums and products --- */

static gboolean
add_whole (gint64 a, gint64 b, gint64 *sum)
{
  return !__builtin_add_overflow (a, b, sum);
}

static TlTerm *
fold_two (TlTerms *terms, TlTermKind kind, const TlTerm *a, const TlTerm *b)
{
  gint64 whole;

  if (a->is_whole && b->is_whole)
    {
      if (kind == TL_TERM_ADD && add_whole (a->whole, b->whole, &whole))
        return tl_term_integer (terms, whole);
      if (kind == TL_TERM_MUL && !__builtin_mul_overflow (a->whole, b->whole, &whole))
        return tl_term_integer (terms, whole);
    }
  double value = kind == TL_TERM_ADD ? a->value + b->value : a->value == 0 || b->value == 0 ? 0 : a->value * b->value;
  return isnan (value) ? NULL : tl_term_number (terms, value);
}

/* Arguments of @kind, those of the same kind taken apart; constants folded into
 * one, or kept apart where they cannot be. */
GPtrArray *
tl_term_flatten (TlTerms *terms, TlTermKind kind, TlTerm *const *args, guint n_args, TlTerm **constant)
{
  GPtrArray *flat = g_ptr_array_new ();

  *constant = NULL;
  for (guint i = 0; i < n_args; i++)
    {
      gboolean inner = args[i]->kind == kind && args[i]->n_args + flat->len + n_args <= TL_MAX_TERM_ARGS;
      guint    count = inner ? args[i]->n_args : 1;

      for (guint a = 0; a < count; a++)
        {
          TlTerm *arg = inner ? args[i]->args[a] : args[i];
          TlTerm *folded = NULL;

          if (is_constant (arg) && (kind == TL_TERM_ADD || kind == TL_TERM_MUL))
            {
              folded = *constant == NULL ? arg : fold_two (terms, kind, *constant, arg);
              if (folded != NULL)
                *constant = folded;
            }
          if (folded == NULL)
            g_ptr_array_add (flat, arg);
        }
    }
  return flat;
}

TlTerm *
tl_term_sum (TlTerms *terms, TlTerm *const *args, guint n_args, TlSpan op_span)
{
  TlTerm *constant;
  g_autoptr (GPtrArray) flat = tl_term_flatten (terms, TL_TERM_ADD, args, n_args, &constant);

  if (constant != NULL && constant->value != 0)
    g_ptr_array_add (flat, constant);
  if (flat->len == 0)
    return tl_term_integer (terms, 0);
  if (flat->len == 1)
    return flat->pdata[0];
  g_ptr_array_sort (flat, tl_term_compare_pointers);
  return tl_term_make (terms, TL_TERM_ADD, (TlTerm **) flat->pdata, flat->len, op_span);
}

TlTerm *
tl_term_product (TlTerms *terms, TlTerm *const *args, guint n_args, TlSpan op_span)
{
  TlTerm *constant;
  g_autoptr (GPtrArray) flat = tl_term_flatten (terms, TL_TERM_MUL, args, n_args, &constant);
  gboolean negative = FALSE;

  /* Signs go outside: (-a) * b = -(a * b). */
  for (guint i = 0; i < flat->len; i++)
    {
      TlTerm *arg = flat->pdata[i];
      if (arg->kind == TL_TERM_NEGATE)
        {
          negative = !negative;
          flat->pdata[i] = arg->args[0];
        }
    }
  if (constant != NULL && constant->value < 0)
    {
      negative = !negative;
      constant = constant->is_whole && constant->whole != G_MININT64 ? tl_term_integer (terms, -constant->whole)
                                                                     : tl_term_number (terms, -constant->value);
    }
  if (constant != NULL && constant->value != 1)
    g_ptr_array_add (flat, constant);
  TlTerm *product;
  if (flat->len == 0)
    product = constant != NULL ? constant : tl_term_integer (terms, 1);
  else if (flat->len == 1)
    product = flat->pdata[0];
  else
    {
      g_ptr_array_sort (flat, tl_term_compare_pointers);
      product = tl_term_make (terms, TL_TERM_MUL, (TlTerm **) flat->pdata, flat->len, op_span);
    }
  return negative ? tl_term_negate (terms, product) : product;
}

static TlTerm *
negate_at (TlTerms *terms, TlTerm *a, guint depth)
{
  g_autofree TlTerm **args = NULL;
  TlTermKind          kind = a->kind;

  if (depth >= TL_MAX_PUSHED && a->n_args > 1)
    return tl_term_make (terms, TL_TERM_NEGATE, &a, 1, a->span);
  switch (kind)
    {
    case TL_TERM_CONSTANT:
      return a->is_whole && a->whole != G_MININT64 ? tl_term_integer (terms, -a->whole)
                                                   : tl_term_number (terms, -a->value);
    case TL_TERM_NEGATE:
      return a->args[0];
    case TL_TERM_ADD:
    case TL_TERM_MIN:
    case TL_TERM_MAX:
      args = g_new (TlTerm *, a->n_args);
      for (guint i = 0; i < a->n_args; i++)
        args[i] = negate_at (terms, a->args[i], depth + 1);
      return tl_term_many (terms,
                           a->kind == TL_TERM_MIN   ? TL_TERM_MAX
                           : a->kind == TL_TERM_MAX ? TL_TERM_MIN
                                                    : TL_TERM_ADD,
                           args, a->n_args, a->op_span);
    case TL_TERM_SELECT:
      return tl_term_select (terms, a->args[0], negate_at (terms, a->args[1], depth + 1),
                             negate_at (terms, a->args[2], depth + 1), a->op_span);
    default:
      return tl_term_make (terms, TL_TERM_NEGATE, &a, 1, a->span);
    }
}

TlTerm *
tl_term_negate (TlTerms *terms, TlTerm *a)
{
  return negate_at (terms, a, 0);
}

/* --- Looking around --- */

guint8 *
tl_term_reach (const TlTerms *terms, const TlTerm *root)
{
  guint8 *marks = g_new0 (guint8, terms->terms->len);

  marks[root->number] = 1;
  for (guint n = root->number + 1; n-- > 0;)
    if (marks[n])
      {
        const TlTerm *term = terms->terms->pdata[n];
        for (guint i = 0; i < term->n_args; i++)
          marks[term->args[i]->number] = 1;
      }
  return marks;
}

gboolean
tl_term_holds (const TlTerms *terms, const TlTerm *root, const TlTerm *inner)
{
  g_autofree guint8 *marks = tl_term_reach (terms, root);
  return marks[inner->number];
}
