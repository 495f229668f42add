/* Recurrences of bits, recognised by truth table: whatever is written with and,
 * or, not, min, max, conditions and comparisons of true and false is one of 256
 * functions of C, L and R. */
#include "passes/g1-private.h"

#include <string.h>

/* A function of C, L, R as bits: bit 4C + 2L + R. */
typedef guint8 Function;

static gboolean
is_comparison (const TlTerm *term)
{
  return term->kind >= TL_TERM_LESS && term->kind <= TL_TERM_NOT_EQUAL;
}

/* On numbers: nothing but 0 and 1, compared with values, chosen and combined by
 * truth, never two cells compared with each other. */
static gboolean
only_bits (TlG1 *g1, TlTerm *value)
{
  g_autofree guint8 *marks = tl_term_reach (&g1->terms, value);

  for (guint i = 0; i <= value->number; i++)
    {
      const TlTerm *term = g1->terms.terms->pdata[i];
      if (!marks[i])
        continue;
      if (term->kind == TL_TERM_CONSTANT && term->value != 0 && term->value != 1)
        return FALSE;
      if ((term->kind >= TL_TERM_ADD && term->kind <= TL_TERM_MAX) || term->kind == TL_TERM_OPAQUE
          || term->kind == TL_TERM_UNDEFINED)
        return FALSE;
      if (is_comparison (term) && term->args[0]->kind == TL_TERM_READ && term->args[1]->kind == TL_TERM_READ)
        return FALSE;
    }
  return TRUE;
}

static gboolean
only_logic (TlG1 *g1, TlTerm *value)
{
  g_autofree guint8 *marks = tl_term_reach (&g1->terms, value);

  for (guint i = 0; i <= value->number; i++)
    {
      const TlTerm *term = g1->terms.terms->pdata[i];
      if (marks[i]
          && ((term->kind >= TL_TERM_ADD && term->kind < TL_TERM_CALL) || term->kind == TL_TERM_OPAQUE
              || term->kind == TL_TERM_UNDEFINED
              || (term->kind == TL_TERM_CALL && term->op->op.kind == TL_OPERATOR_TABLE && term->op->op.size != 2)))
        return FALSE;
    }
  return TRUE;
}

static gint
argument (const TlTerm *term, guint at, const gint *values, guint index_case)
{
  const TlTerm *arg = term->args[at];
  return arg->kind == TL_TERM_INDEX ? (gint) tl_g1_index_value (index_case, arg->role) : values[arg->number];
}

static gint
evaluate (TlG1 *g1, const TlTerm *term, const gint *values, guint index_case)
{
  gint a = term->n_args > 0 ? argument (term, 0, values, index_case) : 0;
  gint b = term->n_args > 1 ? argument (term, 1, values, index_case) : 0;
  gint result = a;

  switch (term->kind)
    {
    case TL_TERM_CONSTANT:
      return term->value > 1 ? 2 : term->value < 0 ? -1 : (gint) term->value;
    case TL_TERM_AND:
    case TL_TERM_OR:
    case TL_TERM_MIN:
    case TL_TERM_MAX:
      for (guint i = 1; i < term->n_args; i++)
        {
          gint next = argument (term, i, values, index_case);
          result = term->kind == TL_TERM_AND || term->kind == TL_TERM_MIN ? MIN (result, next) : MAX (result, next);
        }
      return result;
    case TL_TERM_XOR:
      return a != b;
    case TL_TERM_NOT:
      return a == 0;
    case TL_TERM_LESS:
      return a < b;
    case TL_TERM_LESS_EQUAL:
      return a <= b;
    case TL_TERM_EQUAL:
      return a == b;
    case TL_TERM_NOT_EQUAL:
      return a != b;
    case TL_TERM_SELECT:
      return argument (term, a != 0 ? 1 : 2, values, index_case);
    case TL_TERM_CALL:
      {
        TlCarrier carrier = tl_carrier_full (g1->element);
        return tl_operator_raw (&term->op->op, &carrier, (TlScalar) { .i = a != 0 }, (TlScalar) { .i = b != 0 }).i != 0;
      }
    default:
      return 0;
    }
}

static Function
function_of (TlG1 *g1, TlTerm *value, const guint8 *marks, const TlTerm *left, const TlTerm *right, guint index_case)
{
  g_autofree gint *values = g_new0 (gint, value->number + 1);
  Function         function = 0;

  for (guint bits = 0; bits < 8; bits++)
    {
      for (guint i = 0; i <= value->number; i++)
        {
          const TlTerm *term = g1->terms.terms->pdata[i];
          if (!marks[i] || term->kind == TL_TERM_INDEX)
            continue;
          values[i] = term == g1->old ? bits >> 2 & 1
                      : term == left  ? bits >> 1 & 1
                      : term == right ? bits & 1
                                      : evaluate (g1, term, values, index_case);
        }
      if (values[value->number] != 0)
        function |= (Function) (1u << bits);
    }
  return function;
}

static guint
apply (TlOperatorKind kind, guint a, guint b)
{
  return kind == TL_OPERATOR_OR ? a | b : kind == TL_OPERATOR_AND ? a & b : a ^ b;
}

static Function
compose (TlOperatorKind plus, TlOperatorKind times)
{
  Function function = 0;

  for (guint bits = 0; bits < 8; bits++)
    function |= (Function) (apply (plus, bits >> 2, apply (times, bits >> 1 & 1, bits & 1)) << bits);
  return function;
}

static TlOperator
built_in_or_table (const guint8 cells[4])
{
  static const TlOperatorKind kinds[] = { TL_OPERATOR_OR, TL_OPERATOR_AND, TL_OPERATOR_XOR };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      gboolean same = TRUE;
      for (guint ab = 0; ab < 4; ab++)
        same &= apply (kinds[i], ab >> 1, ab & 1) == cells[ab];
      if (same)
        return (TlOperator) { .kind = kinds[i] };
    }
  return (TlOperator) { .kind = TL_OPERATOR_TABLE, .size = 2, .table = g_memdup2 (cells, 4) };
}

/* p, whose results over C = 0, 1 are the bits of @zero where t is 0, of @one where it is 1. */
static TlOperator
accumulation (gint zero, gint one)
{
  const guint8 cells[4] = { zero & 1, one & 1, zero >> 1 & 1, one >> 1 & 1 };
  return built_in_or_table (cells);
}

/* Any function p(C, t(L,R)) of two-valued tables: t tells apart the at most two
 * ways in which the result depends on C. */
static gboolean
decompose (Function function, TlG1Match *match)
{
  guint8 times[4] = { 0 };
  gint   first = -1, second = -1;

  for (guint lr = 0; lr < 4; lr++)
    {
      gint of_c = (function >> lr & 1) | (function >> (4 + lr) & 1) << 1;
      if (first < 0 || of_c == first)
        first = of_c;
      else if (second < 0 || of_c == second)
        {
          second = of_c;
          times[lr] = 1;
        }
      else
        return FALSE;
    }
  if (second < 0 || (times[0] == times[1] && times[2] == times[3]) || (times[0] == times[2] && times[1] == times[3]))
    return FALSE;
  /* Of the two ways to name t's values the one that makes p a built-in operator. */
  TlOperator plain = accumulation (first, second);
  TlOperator turned = accumulation (second, first);
  gboolean   turn = plain.kind == TL_OPERATOR_TABLE && turned.kind != TL_OPERATOR_TABLE;
  for (guint lr = 0; lr < 4 && turn; lr++)
    times[lr] = !times[lr];
  tl_operator_clear (turn ? &plain : &turned);
  match->plus = turn ? turned : plain;
  match->times = built_in_or_table (times);
  return TRUE;
}

static void
find_tokens (TlG1 *g1, TlTerm *value, TlG1Match *match)
{
  g_autofree guint8 *marks = tl_term_reach (&g1->terms, value);

  match->plus_span = value->op_span.end > 0 ? value->op_span : value->span;
  match->times_span = match->plus_span;
  for (guint i = value->number + 1; i-- > 0;)
    {
      const TlTerm *term = g1->terms.terms->pdata[i];
      if (marks[i] && term->n_args > 1 && term->op_span.end > 0 && !tl_term_holds (&g1->terms, term, g1->old)
          && tl_term_holds (&g1->terms, term, match->left) && tl_term_holds (&g1->terms, term, match->right))
        {
          match->times_span = term->op_span;
          return;
        }
    }
}

gboolean
tl_g1_match_bits (TlG1 *g1, TlTerm *value, TlTerm *left, TlTerm *right, gboolean all_pairs, TlG1Match *match)
{
  static const TlOperatorKind kinds[][2] = {
    { TL_OPERATOR_OR, TL_OPERATOR_AND },  { TL_OPERATOR_AND, TL_OPERATOR_OR },  { TL_OPERATOR_XOR, TL_OPERATOR_AND },
    { TL_OPERATOR_OR, TL_OPERATOR_OR },   { TL_OPERATOR_AND, TL_OPERATOR_AND }, { TL_OPERATOR_OR, TL_OPERATOR_XOR },
    { TL_OPERATOR_AND, TL_OPERATOR_XOR }, { TL_OPERATOR_XOR, TL_OPERATOR_OR },  { TL_OPERATOR_XOR, TL_OPERATOR_XOR },
  };
  g_autofree guint8 *marks = tl_term_reach (&g1->terms, value);
  gboolean           indexed;
  gboolean           closure = strcmp (left->name, g1->old->name) == 0 && strcmp (right->name, g1->old->name) == 0;
  const guint        apart = 0 + 3 * 1 + 9 * 2; /* i, j, k all different */
  const Function     keep = 0xf0;               /* the function C */

  if (!(all_pairs ? only_logic (g1, value) : only_bits (g1, value)) || !tl_g1_indices_plain (g1, value, &indexed))
    return FALSE;
  const Function function = function_of (g1, value, marks, left, right, apart);
  for (guint c = 0; indexed && c < 27; c++)
    {
      Function here = function_of (g1, value, marks, left, right, c);
      if (here != function && !(here == keep && tl_g1_may_skip (g1, c, closure)))
        return FALSE;
    }
  for (guint p = 0; p < (all_pairs ? G_N_ELEMENTS (kinds) : 3); p++)
    if (compose (kinds[p][0], kinds[p][1]) == function)
      {
        match->plus.kind = kinds[p][0];
        match->times.kind = kinds[p][1];
        match->logical = !all_pairs;
        find_tokens (g1, value, match);
        return TRUE;
      }
  if (!all_pairs || !decompose (function, match))
    return FALSE;
  find_tokens (g1, value, match);
  return TRUE;
}
