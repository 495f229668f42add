/* The semiring of a recognised pair of operators: the user's declaration, a known
 * one, or what the pair itself tells. */
#include "passes/g1-private.h"

#include <math.h>
#include <string.h>

static gboolean
constant_of (TlG1 *g1, const TlExpr *expr, TlScalar *value, const TlCarrier *carrier)
{
  TlTerm *term = tl_g1_expression (g1, NULL, expr);

  if (term == NULL || term->kind != TL_TERM_CONSTANT)
    return FALSE;
  if (tl_carrier_is_float (carrier))
    value->r = term->value;
  else if (isinf (term->value))
    value->i = term->value > 0 ? TL_INF : -TL_INF;
  else if (term->is_whole)
    value->i = term->whole;
  else
    return FALSE;
  return TRUE;
}

static TlDiag *
bad_semiring (TlG1 *g1, TlSpan span, const char *message)
{
  return tl_g1_error (g1, "bad-semiring", span, "%s", message);
}

/* --- Declarations --- */

static gboolean
names_operator (TlG1 *g1, const TlExpr *expr, const TlOperator *op, const TlCarrier *carrier)
{
  static const struct
  {
    const char    *text;
    TlOperatorKind kind;
  } words[] = {
    { "min", TL_OPERATOR_MIN }, { "max", TL_OPERATOR_MAX }, { "+", TL_OPERATOR_ADD },   { "*", TL_OPERATOR_MUL },
    { "or", TL_OPERATOR_OR },   { "and", TL_OPERATOR_AND }, { "xor", TL_OPERATOR_XOR },
  };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (strcmp (expr->text, words[i].text) == 0)
      {
        TlOperatorKind kind = words[i].kind;
        if (g1->element.kind == TL_ELEMENT_BOOL)
          kind = kind == TL_OPERATOR_MIN ? TL_OPERATOR_AND : kind == TL_OPERATOR_MAX ? TL_OPERATOR_OR : kind;
        return kind == op->kind;
      }
  const TlG1Op *named = tl_g1_op_named (g1, expr->text);
  if (named == NULL || !named->ok)
    return FALSE;
  if (tl_operator_equal (&named->op, op, carrier))
    return TRUE;
  /* On bool a table of two values may have become a built-in operator. */
  if (g1->element.kind != TL_ELEMENT_BOOL || (named->op.kind == TL_OPERATOR_TABLE && named->op.size != 2))
    return FALSE;
  for (gint64 i = 0; i < 4; i++)
    {
      TlScalar a = { .i = i / 2 }, b = { .i = i % 2 };
      if (tl_operator_raw (&named->op, carrier, a, b).i != tl_operator_raw (op, carrier, a, b).i)
        return FALSE;
    }
  return TRUE;
}

static const TlSemiringDecl *
find_declaration (TlG1 *g1, const TlG1Match *match)
{
  TlCarrier carrier = tl_carrier_full (g1->element);

  for (guint i = 0; i < g1->ast->n_semirings; i++)
    {
      const TlSemiringDecl *decl = g1->ast->semirings[i];
      if (decl->plus != NULL && decl->times != NULL && names_operator (g1, decl->plus, &match->plus, &carrier)
          && names_operator (g1, decl->times, &match->times, &carrier))
        return decl;
    }
  return NULL;
}

static gboolean
is_infinite (const TlCarrier *carrier, TlScalar value, gboolean minus)
{
  if (tl_carrier_is_float (carrier))
    return isinf (value.r) && (value.r < 0) == minus;
  return value.i == (minus ? -TL_INF : TL_INF);
}

static gboolean
declared_carrier (TlG1 *g1, const TlExpr *expr, TlCarrier *carrier)
{
  TlCarrier     full = *carrier;
  TlScalar      low, high;
  TlElementType type;

  if (expr->kind == TL_EXPR_NAME && tl_element_type_parse (expr->text, &type))
    {
      TlCarrier named = tl_carrier_full (type);
      gboolean  fits = tl_element_type_equal (type, full.element)
                      || (!tl_element_type_is_float (type) && !tl_carrier_is_float (&full)
                          && tl_carrier_contains (&full, named.low) && tl_carrier_contains (&full, named.high));
      if (!fits)
        {
          bad_semiring (g1, expr->span, "the carrier has values that the data's type has not");
          return FALSE;
        }
      carrier->low = named.low;
      carrier->high = named.high;
      return TRUE;
    }
  if (expr->kind != TL_EXPR_RANGE || expr->n_args != 2 || !constant_of (g1, expr->args[0], &low, carrier)
      || !constant_of (g1, expr->args[1], &high, carrier))
    {
      TlDiag *diag = bad_semiring (g1, expr->span, "the carrier is no range of values of the data's type");
      if (diag != NULL)
        tl_diag_reason (diag, "a carrier is a range LOW..HIGH (both belong to it, inf allowed) or a type");
      return FALSE;
    }
  if (is_infinite (carrier, low, TRUE))
    carrier->has_minus_inf = TRUE;
  else
    carrier->low = low;
  if (is_infinite (carrier, high, FALSE))
    carrier->has_inf = TRUE;
  else
    carrier->high = high;
  if (!tl_carrier_contains (&full, carrier->low) || !tl_carrier_contains (&full, carrier->high)
      || tl_scalar_compare (carrier, carrier->low, carrier->high) > 0)
    {
      bad_semiring (g1, expr->span, "the carrier is empty or has values that the data's type has not");
      return FALSE;
    }
  return TRUE;
}

/* --- Zero and one of a pair that does not say them --- */

static GArray *
candidates (const TlSemiring *s)
{
  static const double usual[] = { 0, 1, INFINITY, -INFINITY, -1, 2, 3, 5, -2, 0.5 };
  GArray             *values = g_array_new (FALSE, FALSE, sizeof (TlScalar));
  gboolean            real = tl_carrier_is_float (&s->carrier);

  for (guint i = 0; i < G_N_ELEMENTS (usual); i++)
    {
      TlScalar value = real               ? (TlScalar) { .r = usual[i] }
                       : isinf (usual[i]) ? (TlScalar) { .i = usual[i] > 0 ? TL_INF : -TL_INF }
                                          : (TlScalar) { .i = (gint64) usual[i] };
      if (usual[i] != 0.5 || real)
        g_array_append_val (values, value);
    }
  g_array_append_val (values, s->carrier.low);
  g_array_append_val (values, s->carrier.high);
  for (guint pass = 0; pass < 2; pass++)
    {
      const TlOperator *op = pass == 0 ? &s->plus : &s->times;
      for (guint i = 0; i < op->n_steps; i++)
        if (op->steps[i].kind == TL_STEP_CONSTANT)
          for (int sign = 1; sign >= -1; sign -= 2)
            {
              TlScalar value = op->steps[i].value;
              if (sign < 0)
                value = real ? (TlScalar) { .r = -value.r } : (TlScalar) { .i = -value.i };
              g_array_append_val (values, value);
            }
    }
  if (s->plus.kind == TL_OPERATOR_TABLE || s->times.kind == TL_OPERATOR_TABLE)
    for (gint64 i = s->carrier.low.i; !real && i <= s->carrier.high.i && i < 256; i++)
      {
        TlScalar value = { .i = i };
        g_array_append_val (values, value);
      }
  for (guint i = values->len; i-- > 0;)
    if (!tl_carrier_contains (&s->carrier, g_array_index (values, TlScalar, i)))
      g_array_remove_index (values, i);
  return values;
}

static gboolean
find_neutral (const TlSemiring *s, const TlOperator *op, TlScalar *neutral)
{
  g_autoptr (GArray) values = candidates (s);

  for (guint n = 0; n < values->len; n++)
    {
      TlScalar candidate = g_array_index (values, TlScalar, n);
      gboolean fits = TRUE;
      for (guint i = 0; i < values->len && fits; i++)
        {
          TlScalar value = g_array_index (values, TlScalar, i);
          fits = tl_scalar_equal (&s->carrier, tl_operator_raw (op, &s->carrier, candidate, value), value)
                 && tl_scalar_equal (&s->carrier, tl_operator_raw (op, &s->carrier, value, candidate), value);
        }
      if (fits)
        {
          *neutral = candidate;
          return TRUE;
        }
    }
  return FALSE;
}

/* Zero or one: as declared, else found, else any value: the laws then fail. */
static gboolean
fill_neutral (TlG1 *g1, const TlSemiringDecl *decl, TlSemiring *s, gboolean zero, gboolean *none)
{
  const TlExpr *said = decl == NULL ? NULL : zero ? decl->zero : decl->one;
  TlScalar     *value = zero ? &s->zero : &s->one;

  if (said == NULL)
    {
      *value = s->carrier.low;
      *none = !find_neutral (s, zero ? &s->plus : &s->times, value);
      return TRUE;
    }
  if (constant_of (g1, said, value, &s->carrier) && tl_carrier_contains (&s->carrier, *value))
    return TRUE;
  bad_semiring (g1, said->span, zero ? "zero is no value of the carrier" : "one is no value of the carrier");
  return FALSE;
}

/* A table has values for the numbers of its rows only. */
static gboolean
fit_tables (TlG1 *g1, const TlSemiringDecl *decl, TlSemiring *s)
{
  const TlOperator *ops[2] = { &s->plus, &s->times };

  for (guint i = 0; i < 2; i++)
    {
      if (ops[i]->kind != TL_OPERATOR_TABLE)
        continue;
      gint64   top = (gint64) ops[i]->size - 1;
      TlScalar low = { 0 }, high;
      if (tl_carrier_is_float (&s->carrier))
        high.r = (double) top;
      else
        high.i = top;
      if (tl_carrier_is_float (&s->carrier) || s->carrier.has_inf || s->carrier.has_minus_inf
          || (decl != NULL && decl->carrier != NULL && (s->carrier.low.i != 0 || s->carrier.high.i != top)))
        {
          TlDiag *diag = bad_semiring (g1, decl != NULL && decl->carrier != NULL ? decl->carrier->span : g1->nest->span,
                                       "a table is an operator on whole numbers 0..n-1, the carrier is another");
          if (diag != NULL)
            tl_diag_reason (diag, "the table has %u rows, so its carrier is 0..%" G_GINT64_FORMAT, ops[i]->size, top);
          return FALSE;
        }
      if (i == 1 && ops[0]->kind == TL_OPERATOR_TABLE && ops[0]->size != ops[1]->size)
        {
          bad_semiring (g1, g1->nest->span, "the two tables have different numbers of values");
          return FALSE;
        }
      if (top > tl_carrier_full (s->carrier.element).high.i)
        {
          bad_semiring (g1, g1->data && g1->element_said ? g1->data->type_span : g1->nest->span,
                        "the table has more values than the data's type");
          return FALSE;
        }
      s->carrier.low = low;
      s->carrier.high = high;
    }
  return TRUE;
}

/* --- Without a declaration --- */

static TlSemiring *
known_semiring (TlG1 *g1, const TlG1Match *match, gboolean *wrong_type)
{
  TlElementType wide;

  *wrong_type = FALSE;
  if (match->plus.kind >= TL_OPERATOR_EXPRESSION || match->times.kind >= TL_OPERATOR_EXPRESSION)
    return NULL;
  TlSemiring *known = tl_semiring_known (match->plus.kind, match->times.kind, g1->element);
  if (known != NULL || !tl_element_type_parse ("i64", &wide))
    return known;
  g_autoptr (TlSemiring) elsewhere = tl_semiring_known (match->plus.kind, match->times.kind, wide);
  if (elsewhere == NULL)
    return NULL;
  *wrong_type = TRUE;
  g_autofree char *text = tl_semiring_text (elsewhere);
  g_autofree char *type = tl_element_type_name (g1->element);
  g_autofree char *zero = tl_scalar_text (&elsewhere->carrier, elsewhere->zero);
  g_autofree char *one = tl_scalar_text (&elsewhere->carrier, elsewhere->one);
  TlSpan           span = g1->data != NULL && g1->element_said ? g1->data->type_span : g1->nest->span;
  TlDiag          *diag = tl_g1_error (g1, "wrong-type", span, "%s cannot run on %s values", text, type);
  if (diag != NULL)
    {
      tl_diag_reason (diag, "its zero is %s and its one %s, and %s lacks one of them", zero, one, type);
      if (g1->data != NULL && g1->element_said)
        tl_diag_fix (diag, "make the type i32", g1->data->type_span, "i32");
    }
  return NULL;
}

TlSemiring *
tl_g1_semiring (TlG1 *g1, TlG1Match *match)
{
  const TlSemiringDecl *decl = find_declaration (g1, match);
  gboolean              wrong_type = FALSE;

  if (decl == NULL && g1->ast->n_semirings > 0)
    {
      TlCarrier        full = tl_carrier_full (g1->element);
      g_autofree char *plus = tl_operator_text (&match->plus, &full);
      g_autofree char *times = tl_operator_text (&match->times, &full);
      TlDiag          *diag = tl_g1_error (g1, "bad-semiring", g1->ast->semirings[0]->span,
                                           "the update is over (%s, %s), which no semiring line declares", plus, times);
      if (diag != NULL)
        tl_diag_reason (diag, "a semiring line says on which values the update's own two operators work");
      return NULL;
    }
  TlSemiring *known = known_semiring (g1, match, &wrong_type);
  if (decl == NULL && known != NULL)
    return known;
  if (decl == NULL && wrong_type)
    return NULL;
  TlSemiring s = { .carrier = tl_carrier_full (g1->element), .plus = match->plus, .times = match->times };
  if (known != NULL && decl != NULL && decl->carrier == NULL)
    s.carrier = known->carrier;
  tl_semiring_free (known);
  if (decl != NULL && decl->carrier != NULL)
    {
      if (!declared_carrier (g1, decl->carrier, &s.carrier))
        return NULL;
      const TlExpr *said[2] = { decl->zero, decl->one };
      for (guint i = 0; i < 2; i++)
        if (said[i] != NULL && said[i]->kind == TL_EXPR_INF)
          s.carrier.has_inf = TRUE;
    }
  else if (decl == NULL && match->plus.kind == TL_OPERATOR_MIN && match->times.kind != TL_OPERATOR_TABLE
           && g1->element.kind != TL_ELEMENT_BOOL)
    s.carrier.has_inf = TRUE;
  else if (decl == NULL && match->plus.kind == TL_OPERATOR_MAX && g1->element.kind != TL_ELEMENT_UINT
           && match->times.kind != TL_OPERATOR_TABLE && g1->element.kind != TL_ELEMENT_BOOL)
    s.carrier.has_minus_inf = TRUE;
  match->declared = decl;
  if (!fit_tables (g1, decl, &s) || !fill_neutral (g1, decl, &s, TRUE, &match->no_zero)
      || !fill_neutral (g1, decl, &s, FALSE, &match->no_one))
    return NULL;
  return tl_semiring_copy (&s);
}
