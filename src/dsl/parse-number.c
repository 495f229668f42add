/* Numbers, with their units where those may stand, and strings. */
#include "dsl/parser-private.h"

#include <math.h>
#include <string.h>

/* Digits without their underscores; FALSE (failed) when they do not fit. */
static gboolean
integer_value (TlParser *parser, TlSpan span, gint64 *value)
{
  const char *at = parser->text + span.start, *end = parser->text + span.end;
  gint64      base = 10;

  *value = 0;
  if (end - at > 2 && at[0] == '0' && (at[1] | 0x20) == 'x')
    {
      base = 16;
      at += 2;
    }
  for (; at < end; at++)
    {
      int digit = g_ascii_xdigit_value (*at);
      if (digit < 0)
        continue;
      if (__builtin_mul_overflow (*value, base, value) || __builtin_add_overflow (*value, (gint64) digit, value))
        {
          TlDiag *diag = tl_parser_fail (parser, "number-too-large", span, "this number is too large");
          tl_report_reason (diag, "integers go up to 9,223,372,036,854,775,807");
          return FALSE;
        }
    }
  return TRUE;
}

/* The number that @length bytes at @text start with, underscores skipped. */
static double
real_value (const char *text, gsize length, gsize *used)
{
  g_autoptr (GString) digits = g_string_sized_new (length);
  gsize at = 0;

  for (; at < length; at++)
    {
      gboolean sign = (text[at] == '-' || text[at] == '+') && at > 0 && (text[at - 1] | 0x20) == 'e';
      gboolean exponent
          = (text[at] | 0x20) == 'e' && at + 1 < length
            && (g_ascii_isdigit (text[at + 1])
                || ((text[at + 1] == '-' || text[at + 1] == '+') && at + 2 < length && g_ascii_isdigit (text[at + 2])));
      if (g_ascii_isdigit (text[at]) || text[at] == '.' || exponent || sign)
        g_string_append_c (digits, text[at]);
      else if (text[at] != '_')
        break;
    }
  *used = at;
  return g_ascii_strtod (digits->str, NULL);
}

static gboolean
finite_value (TlParser *parser, TlSpan span, double value)
{
  if (isfinite (value))
    return TRUE;
  tl_report_reason (tl_parser_fail (parser, "number-too-large", span, "this number is too large"),
                    "write inf for infinity");
  return FALSE;
}

static const char *const units[] = { "ps", "ns", "us", "ms", "s", "bits", "B", "KiB", "MiB", "GiB", "TiB", NULL };

static TlExpr *
quantity (TlParser *parser, TlSpan number, TlSpan unit)
{
  g_autofree char *word = g_strndup (parser->text + unit.start, unit.end - unit.start);
  TlSpan           span = tl_span_join (number, unit);
  gsize            used = 0;

  if (!g_strv_contains (units, word))
    {
      g_autofree char *known = tl_word_list (units);
      const char      *meant = tl_word_nearest (word, units, G_N_ELEMENTS (units) - 1);
      TlDiag          *diag = tl_parser_fail (parser, "unknown-unit", unit, "`%s` is no unit", word);
      tl_report_reason (diag, "units: %s", known);
      if (meant != NULL)
        tl_report_fix (diag, unit, meant, "write %s", meant);
      return NULL;
    }
  TlExpr *expr = tl_parser_new_expr (parser, TL_EXPR_QUANTITY, span);
  expr->real = real_value (parser->text + number.start, number.end - number.start, &used);
  if (!finite_value (parser, span, expr->real))
    return NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  for (guint32 at = number.start; at < number.end; at++)
    if (parser->text[at] != '_')
      g_string_append_c (text, parser->text[at]);
  g_string_append_printf (text, " %s", word);
  expr->text = tl_arena_text (parser->arena, text->str, text->len);
  return expr;
}

/* A unit in the same word or the next one. */
TlExpr *
tl_parse_quantity (TlParser *parser)
{
  const TlToken token = *tl_parser_token (parser);
  gsize         used = 0;

  real_value (parser->text + token.span.start, token.span.end - token.span.start, &used);
  TlSpan number = tl_span (token.span.start, token.span.start + used);
  TlSpan unit = tl_span (number.end, token.span.end);
  parser->at++;
  if (parser->units)
    return quantity (parser, number, unit);

  g_autofree char *digits = g_strndup (parser->text + number.start, used);
  g_autofree char *word = g_strndup (parser->text + unit.start, unit.end - unit.start);
  TlDiag          *diag = tl_parser_fail (parser, "unit-not-here", token.span, "a number has no unit here");
  tl_report_reason (diag, "units stand in config lines; a name starts with a letter, and a product needs its `*`");
  if (g_strv_contains (units, word))
    tl_report_fix (diag, unit, "", "leave %s out", word);
  else
    tl_report_fix (diag, unit, "", "keep %s", digits);
  return NULL;
}

TlExpr *
tl_parse_number (TlParser *parser)
{
  const TlToken  token = *tl_parser_token (parser);
  const TlToken *next = NULL;
  gsize          used = 0;
  TlExpr        *expr = NULL;

  parser->at++;
  switch (token.kind)
    {
    case TL_TOKEN_INTEGER:
      next = tl_parser_ended (parser) ? NULL : tl_parser_token (parser);
      if (parser->units && next != NULL && next->kind == TL_TOKEN_WORD)
        {
          const TlToken   *after = tl_parser_ahead (parser, 1);
          g_autofree char *word = g_strndup (parser->text + next->span.start, next->span.end - next->span.start);
          if (g_strv_contains (units, word) && (after == NULL || after->symbol != '='))
            {
              parser->at++;
              return quantity (parser, token.span, next->span);
            }
        }
      expr = tl_parser_new_expr (parser, TL_EXPR_INTEGER, token.span);
      if (!integer_value (parser, token.span, &expr->integer))
        return NULL;
      expr->real = (double) expr->integer;
      if (tl_parser_is_symbol (parser, '%'))
        {
          const TlToken *after = tl_parser_ahead (parser, 1);
          if (after == NULL || after->symbol == ',' || after->symbol == ')')
            {
              expr->kind = TL_EXPR_PERCENT;
              expr->real /= 100;
              expr->integer = 0;
              expr->span.end = tl_parser_token (parser)->span.end;
              parser->at++;
            }
        }
      return expr;
    case TL_TOKEN_REAL:
    case TL_TOKEN_PERCENT:
    default:
      next = tl_parser_ended (parser) ? NULL : tl_parser_token (parser);
      if (token.kind == TL_TOKEN_REAL && parser->units && next != NULL && next->kind == TL_TOKEN_WORD)
        {
          g_autofree char *word = g_strndup (parser->text + next->span.start, next->span.end - next->span.start);
          if (g_strv_contains (units, word))
            {
              parser->at++;
              return quantity (parser, token.span, next->span);
            }
        }
      expr = tl_parser_new_expr (parser, token.kind == TL_TOKEN_REAL ? TL_EXPR_REAL : TL_EXPR_PERCENT, token.span);
      expr->real = real_value (parser->text + token.span.start, token.span.end - token.span.start, &used);
      if (!finite_value (parser, token.span, expr->real))
        return NULL;
      if (token.kind == TL_TOKEN_PERCENT)
        expr->real /= 100;
      return expr;
    }
}

TlExpr *
tl_parse_integer (TlParser *parser)
{
  guint    first = parser->at;
  gboolean negative = tl_parser_take_symbol (parser, '-');

  if (parser->failed)
    return NULL;
  if (tl_parser_ended (parser) || tl_parser_token (parser)->kind != TL_TOKEN_INTEGER)
    {
      g_autofree char *found = tl_parser_describe (parser);
      tl_parser_fail (parser, "missing-number", tl_parser_here (parser), "a whole number is missing: %s stands there",
                      found);
      return NULL;
    }
  TlSpan  span = tl_parser_token (parser)->span;
  TlExpr *number = tl_parser_new_expr (parser, TL_EXPR_INTEGER, span);
  parser->at++;
  if (!integer_value (parser, span, &number->integer))
    return NULL;
  number->real = (double) number->integer;
  if (!negative)
    return number;
  TlExpr *minus
      = tl_parser_new_expr (parser, TL_EXPR_UNARY, tl_span (parser->tokens[first].token.span.start, span.end));
  minus->text = "-";
  minus->op_span = parser->tokens[first].token.span;
  return tl_parser_with_1 (parser, minus, number);
}

TlExpr *
tl_parse_string (TlParser *parser)
{
  const TlToken token = *tl_parser_token (parser);

  if (parser->failed)
    return NULL;
  if (tl_parser_ended (parser) || token.kind != TL_TOKEN_STRING)
    {
      g_autofree char *found = tl_parser_describe (parser);
      TlDiag          *diag = tl_parser_fail (parser, "missing-string", tl_parser_here (parser),
                                              "a string is missing: %s stands there", found);
      tl_report_reason (diag, "strings stand in double quotes");
      return NULL;
    }
  parser->at++;
  guint32  start = token.span.start + 1, end = token.span.end;
  gboolean closed = end > start && parser->text[end - 1] == parser->text[token.span.start];
  if (closed)
    end--;
  g_autoptr (GString) text = g_string_sized_new (end - start);
  for (guint32 at = start; at < end; at++)
    {
      char c = parser->text[at];
      if (c == '\\' && at + 1 < end && strchr ("\"\\n", parser->text[at + 1]) != NULL)
        c = parser->text[++at] == 'n' ? '\n' : parser->text[at];
      g_string_append_c (text, c);
    }
  TlExpr *expr = tl_parser_new_expr (parser, TL_EXPR_STRING, token.span);
  expr->text = tl_arena_text (parser->arena, text->str, text->len);
  return expr;
}
