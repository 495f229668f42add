/* Recognition: which C (+) (L (x) R) a cell's new value is, written as one operation
 * or hidden in conditions. What is hidden is tried (g1-trial.c), so nested conditions
 * and guards that change nothing are seen through, and nothing else is. */
#include "passes/g1-private.h"

#include <math.h>
#include <string.h>

static gboolean
is_read (const TlTerm *term, int first, int second)
{
  return term->kind == TL_TERM_READ && term->n_subs == 2 && term->subs[0].role == first && term->subs[0].offset == 0
         && term->subs[1].role == second && term->subs[1].offset == 0;
}

static gboolean
check_reads (TlG1 *g1, TlTerm *value, TlTerm **left, TlTerm **right)
{
  g_autofree guint8 *marks = tl_term_reach (&g1->terms, value);

  *left = *right = NULL;
  for (guint i = 0; i <= value->number; i++)
    {
      TlTerm *term = g1->terms.terms->pdata[i];
      if (!marks[i] || term->kind != TL_TERM_READ || term == g1->old)
        continue;
      TlTerm **place = is_read (term, TL_LOOP_I, TL_LOOP_K)   ? left
                       : is_read (term, TL_LOOP_K, TL_LOOP_J) ? right
                       : is_read (term, TL_LOOP_J, TL_LOOP_K) && tl_g1_target_is_cu (g1)
                               && strcmp (term->name, g1->target->text) != 0
                           ? right /* weights as rows of N */
                           : NULL;
      if (place == NULL)
        return FALSE;
      if (*place != NULL && *place != term)
        {
          TlDiag *diag = tl_g1_error (g1, "operand-names", term->span, "%s and %s are both read as one operand",
                                      (*place)->name, term->name);
          if (diag != NULL)
            tl_diag_reason (diag, "an update combines one cell of row i with one cell of column j");
          return FALSE;
        }
      *place = term;
    }
  return TRUE;
}

static TlSpan
token (const TlTerm *term)
{
  return term->op_span.end > 0 ? term->op_span : term->span;
}

/* The arguments of an n-ary term but one occurrence of @without, as one term. */
static TlTerm *
rest_of (TlG1 *g1, const TlTerm *term, const TlTerm *without)
{
  g_autoptr (GPtrArray) rest = g_ptr_array_new ();
  gboolean left_out = FALSE;

  for (guint i = 0; i < term->n_args; i++)
    if (term->args[i] == without && !left_out)
      left_out = TRUE;
    else
      g_ptr_array_add (rest, term->args[i]);
  if (!left_out || rest->len == 0)
    return NULL;
  return rest->len == 1 ? rest->pdata[0]
                        : tl_term_many (&g1->terms, term->kind, (TlTerm **) rest->pdata, rest->len, term->op_span);
}

/* C (+) T written as one operation. */
static TlTerm *
direct_times (TlG1 *g1, TlTerm *value, TlOperator *plus)
{
  TlTerm *times = NULL;

  switch (value->kind)
    {
    case TL_TERM_MIN:
    case TL_TERM_MAX:
    case TL_TERM_ADD:
    case TL_TERM_MUL:
      times = rest_of (g1, value, g1->old);
      plus->kind = value->kind == TL_TERM_MIN   ? TL_OPERATOR_MIN
                   : value->kind == TL_TERM_MAX ? TL_OPERATOR_MAX
                   : value->kind == TL_TERM_ADD ? TL_OPERATOR_ADD
                                                : TL_OPERATOR_MUL;
      break;
    case TL_TERM_CALL:
      if (value->args[0] == g1->old || value->args[1] == g1->old)
        {
          times = value->args[value->args[0] == g1->old];
          *plus = tl_operator_copy (&value->op->op);
        }
      break;
    default:
      break;
    }
  if (times != NULL && tl_term_holds (&g1->terms, times, g1->old))
    {
      tl_operator_clear (plus);
      return NULL;
    }
  return times;
}

/* Terms of @value that could be the combination, for one that is hidden in conditions. */
static TlTerm *
hidden_times (TlG1 *g1, TlTerm *value, TlTerm *left, TlTerm *right, TlOperator *plus)
{
  const TlSpan       none = { 0, 0 };
  g_autofree guint8 *marks = tl_term_reach (&g1->terms, value);
  g_autoptr (GPtrArray) found = g_ptr_array_new ();
  TlTerm *lower = tl_term_two (&g1->terms, TL_TERM_MIN, left, right, none);
  TlTerm *upper = tl_term_two (&g1->terms, TL_TERM_MAX, left, right, none);

  for (guint i = 0; i <= value->number; i++)
    {
      TlTerm *term = g1->terms.terms->pdata[i];
      if (marks[i] && term->kind >= TL_TERM_ADD && term->kind <= TL_TERM_CALL && tl_term_holds (&g1->terms, term, left)
          && tl_term_holds (&g1->terms, term, right))
        g_ptr_array_add (found, term);
    }
  g_ptr_array_add (found, lower);
  g_ptr_array_add (found, upper);
  for (guint i = 0; i < found->len && i < 32; i++)
    for (guint minimum = 0; minimum < 2; minimum++)
      {
        TlTerm *times = found->pdata[i];
        if (tl_g1_try_update (g1, value, left, right, times, minimum, times == lower || times == upper))
          {
            plus->kind = minimum ? TL_OPERATOR_MIN : TL_OPERATOR_MAX;
            return times;
          }
      }
  return NULL;
}

/* A token of the comparison that the accumulation hangs on, for hidden forms. */
static TlSpan
comparison_token (TlG1 *g1, TlTerm *value)
{
  g_autofree guint8 *marks = tl_term_reach (&g1->terms, value);

  for (guint i = 0; i <= value->number; i++)
    {
      const TlTerm *term = g1->terms.terms->pdata[i];
      if (marks[i] && term->kind >= TL_TERM_MIN && term->op_span.end > 0 && tl_term_holds (&g1->terms, term, g1->old))
        return term->op_span;
    }
  return token (value);
}

/* Arithmetic beside min or max, or truths beside numbers, in one combination. */
static gboolean
mixes_kinds (TlG1 *g1, TlTerm *times)
{
  g_autofree guint8 *marks = tl_term_reach (&g1->terms, times);
  gboolean           order = FALSE, arithmetic = FALSE;

  for (guint i = 0; i <= times->number; i++)
    {
      const TlTerm *term = g1->terms.terms->pdata[i];
      if (!marks[i])
        continue;
      order |= tl_term_is_ordered (term);
      arithmetic |= term->kind >= TL_TERM_ADD && term->kind <= TL_TERM_CALL;
    }
  return order && arithmetic;
}

gboolean
tl_g1_match (TlG1 *g1, TlTerm *value, TlG1Match *match)
{
  TlTerm  *left, *right, *times;
  gboolean logical = g1->element.kind == TL_ELEMENT_BOOL;

  *match = (TlG1Match) { 0 };
  if (!check_reads (g1, value, &left, &right) || value == g1->old || left == NULL || right == NULL
      || !tl_term_holds (&g1->terms, value, g1->old))
    {
      tl_g1_explain (g1, value, left, right);
      return FALSE;
    }
  match->old = g1->old;
  match->left = left;
  match->right = right;
  if (logical || !tl_element_type_is_float (g1->element))
    if (tl_g1_match_bits (g1, value, left, right, logical, match))
      return TRUE;
  if (logical || g1->failed)
    {
      tl_g1_explain (g1, value, left, right);
      return FALSE;
    }
  times = direct_times (g1, value, &match->plus);
  gboolean hidden = times == NULL;
  if (hidden)
    times = hidden_times (g1, value, left, right, &match->plus);
  if (times == NULL || !tl_g1_operator_from (g1, times, left, right, &match->times))
    {
      tl_g1_match_clear (match);
      tl_g1_explain (g1, value, left, right);
      return FALSE;
    }
  match->plus_name = value->kind == TL_TERM_CALL ? value->op->decl->name : NULL;
  match->times_name = times->kind == TL_TERM_CALL ? times->op->decl->name : NULL;
  match->mixed = times->kind != TL_TERM_CALL && mixes_kinds (g1, times);
  match->plus_span = hidden ? comparison_token (g1, value) : token (value);
  match->times_span = token (times);
  if (match->times_span.end == 0)
    match->times_span = match->plus_span;
  return TRUE;
}

void
tl_g1_match_clear (TlG1Match *match)
{
  tl_operator_clear (&match->plus);
  tl_operator_clear (&match->times);
}
