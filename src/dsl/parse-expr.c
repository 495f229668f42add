/* Expressions: precedence climbing over the token stream. Recursion is bounded by
 * TL_MAX_EXPR_DEPTH, and so is the depth of the tree that results. */
#include "dsl/parser-private.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* Frames of the recursion a bracket or sign may nest before the text is refused. */
#define MAX_NESTING 150

/* Binary operators, loosest first. Comparisons do not chain. */
enum
{
  LEVEL_OR = 1,
  LEVEL_XOR,
  LEVEL_AND,
  LEVEL_NOT,
  LEVEL_COMPARE,
  LEVEL_BIT_OR,
  LEVEL_BIT_XOR,
  LEVEL_BIT_AND,
  LEVEL_SUM,
  LEVEL_PRODUCT,
};

TlExpr *
tl_parser_new_expr (TlParser *parser, TlExprKind kind, TlSpan span)
{
  TlExpr *expr = tl_arena_new_of (parser->arena, TlExpr, 1);

  expr->kind = kind;
  expr->span = expr->op_span = span;
  expr->depth = 1;
  return expr;
}

static TlExpr *
too_deep (TlParser *parser, TlSpan span)
{
  TlDiag *diag = tl_parser_fail (parser, "too-deep", span, "this expression nests too deeply");
  tl_report_reason (diag, "at most %d brackets and %d operators may stand one in another", MAX_NESTING,
                    TL_MAX_EXPR_DEPTH);
  return NULL;
}

TlExpr *
tl_parser_with_args (TlParser *parser, TlExpr *expr, GPtrArray *args)
{
  for (guint i = 0; i < args->len; i++)
    {
      const TlExpr *arg = g_ptr_array_index (args, i);
      if (arg == NULL)
        return NULL;
      expr->depth = MAX (expr->depth, arg->depth + 1);
    }
  if (expr->depth > TL_MAX_EXPR_DEPTH)
    return too_deep (parser, expr->span);
  expr->args = tl_arena_list (parser->arena, args);
  expr->n_args = args->len;
  return expr;
}

static TlExpr *
with_some (TlParser *parser, TlExpr *expr, TlExpr **args, guint n_args)
{
  for (guint i = 0; i < n_args; i++)
    {
      if (args[i] == NULL)
        return NULL;
      expr->depth = MAX (expr->depth, args[i]->depth + 1);
    }
  if (expr->depth > TL_MAX_EXPR_DEPTH)
    return too_deep (parser, expr->span);
  expr->args = tl_arena_new_of (parser->arena, TlExpr *, n_args);
  memcpy (expr->args, args, sizeof (TlExpr *) * n_args);
  expr->n_args = n_args;
  return expr;
}

TlExpr *
tl_parser_with_1 (TlParser *parser, TlExpr *expr, TlExpr *arg)
{
  return with_some (parser, expr, &arg, 1);
}

TlExpr *
tl_parser_with_2 (TlParser *parser, TlExpr *expr, TlExpr *first, TlExpr *second)
{
  return with_some (parser, expr, (TlExpr *[]) { first, second }, 2);
}

/* From an operand's own brackets, if any: spans exclude them, enclosing ones do not. */
static guint32
outer_start (const TlParser *parser, guint first_token)
{
  return parser->tokens[first_token].token.span.start;
}

static TlExpr *
binary (TlParser *parser, guint first_token, const char *op, TlSpan op_span, TlExpr *left, TlExpr *right)
{
  if (left == NULL || right == NULL)
    return NULL;
  TlSpan  span = tl_span (outer_start (parser, first_token), tl_parser_last_end (parser));
  TlExpr *expr = tl_parser_new_expr (parser, TL_EXPR_BINARY, span);
  expr->text = op;
  expr->op_span = op_span;
  return tl_parser_with_2 (parser, expr, left, right);
}

static TlExpr *parse_level (TlParser *parser, guint level);
static TlExpr *parse_unary (TlParser *parser);

/* --- Numbers and strings --- */

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
static TlExpr *
parse_quantity (TlParser *parser)
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

static TlExpr *
parse_number (TlParser *parser)
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
  TlExpr *minus = tl_parser_new_expr (parser, TL_EXPR_UNARY, tl_span (outer_start (parser, first), span.end));
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

/* --- Primaries --- */

/* Whether a token can start an operand: two operands in a row lack a comma. */
static gboolean
starts_operand (const TlToken *token)
{
  switch (token->kind)
    {
    case TL_TOKEN_WORD:
    case TL_TOKEN_INTEGER:
    case TL_TOKEN_REAL:
    case TL_TOKEN_PERCENT:
    case TL_TOKEN_QUANTITY:
    case TL_TOKEN_STRING:
      return TRUE;
    case TL_TOKEN_RESERVED:
      return token->symbol == TL_RESERVED_MIN || token->symbol == TL_RESERVED_MAX || token->symbol == TL_RESERVED_INF;
    default:
      return token->symbol == '(' || token->symbol == '[';
    }
}

static TlExpr *
parse_argument (TlParser *parser, gboolean named)
{
  const TlToken *next = tl_parser_ahead (parser, 1);

  if (named && tl_parser_token (parser)->kind == TL_TOKEN_WORD && next != NULL && next->symbol == '='
      && next->kind == TL_TOKEN_SYMBOL && !tl_parser_ended (parser))
    {
      TlSpan  name = tl_parser_token (parser)->span;
      TlExpr *expr = tl_parser_new_expr (parser, TL_EXPR_NAMED, name);
      expr->text = tl_parser_text (parser, name);
      parser->at += 2;
      TlExpr *value = tl_parse_expr (parser);
      expr->span.end = tl_parser_last_end (parser);
      return tl_parser_with_1 (parser, expr, value);
    }
  TlExpr *expr = tl_parse_expr (parser);
  if (expr != NULL && parser->layouts && tl_parser_take_symbol (parser, ':'))
    {
      TlExpr *ratio = tl_parser_new_expr (parser, TL_EXPR_RATIO, expr->span);
      TlExpr *stride = tl_parse_expr (parser);
      ratio->span.end = tl_parser_last_end (parser);
      return tl_parser_with_2 (parser, ratio, expr, stride);
    }
  return expr;
}

/* The comma-separated list of an open bracket, up to and with its end. FALSE when failed. */
static gboolean
parse_arguments (TlParser *parser, char bracket, gboolean named, GPtrArray *args)
{
  guint opened = parser->at;

  tl_parser_open (parser);
  if (!tl_parser_is_symbol (parser, bracket))
    for (;;)
      {
        TlExpr *arg = parse_argument (parser, named);
        if (arg == NULL)
          return FALSE;
        g_ptr_array_add (args, arg);
        if (tl_parser_take_symbol (parser, ','))
          {
            if (tl_parser_is_symbol (parser, bracket))
              {
                TlSpan  comma = parser->tokens[parser->at - 1].token.span;
                TlDiag *diag = tl_parser_patch (parser, "missing-operand", comma, "nothing follows this comma");
                tl_report_fix (diag, comma, "", "remove it");
                break;
              }
            continue;
          }
        if (tl_parser_ended (parser) || parser->tokens[parser->at].first || !starts_operand (tl_parser_token (parser)))
          break;
        guint32 place = tl_parser_last_end (parser);
        TlDiag *diag = tl_parser_patch (parser, "missing-comma", tl_span (place, place), "a comma is missing here");
        tl_report_fix (diag, tl_span (place, place), ",", "insert the comma");
      }
  tl_parser_close (parser, opened, bracket);
  return !parser->failed;
}

TlLoopName *
tl_parse_loop_names (TlParser *parser, guint *n_loops)
{
  g_autoptr (GArray) names = g_array_new (FALSE, TRUE, sizeof (TlLoopName));

  for (;;)
    {
      TlLoopName loop = { 0 };
      loop.name = tl_parser_name (parser, "a loop's name", &loop.span);
      if (loop.name == NULL)
        return NULL;
      if (tl_parser_is_reserved (parser, TL_RESERVED_IN))
        {
          parser->at++;
          loop.range = tl_parse_range (parser);
          if (loop.range == NULL)
            return NULL;
        }
      g_array_append_val (names, loop);
      if (tl_parser_take_symbol (parser, ','))
        continue;
      if (tl_parser_ended (parser) || tl_parser_token (parser)->kind != TL_TOKEN_WORD)
        break;
      guint32 place = tl_parser_last_end (parser);
      TlDiag *diag = tl_parser_patch (parser, "missing-comma", tl_span (place, place), "a comma is missing here");
      tl_report_fix (diag, tl_span (place, place), ",", "insert the comma");
    }
  TlLoopName *loops = tl_arena_new_of (parser->arena, TlLoopName, names->len);
  memcpy (loops, names->data, sizeof (TlLoopName) * names->len);
  *n_loops = names->len;
  return loops;
}

/* max over p, q (...) */
static TlExpr *
parse_reduce (TlParser *parser, TlSpan name)
{
  TlExpr *expr = tl_parser_new_expr (parser, TL_EXPR_REDUCE, name);

  expr->text = tl_parser_text (parser, name);
  parser->at++;
  for (g_autoptr (GArray) names = g_array_new (FALSE, TRUE, sizeof (TlLoopName));;)
    {
      TlLoopName loop = { 0 };
      loop.name = tl_parser_name (parser, "the name after over", &loop.span);
      if (loop.name == NULL)
        return NULL;
      g_array_append_val (names, loop);
      if (tl_parser_take_symbol (parser, ','))
        continue;
      expr->loops = tl_arena_new_of (parser->arena, TlLoopName, names->len);
      memcpy (expr->loops, names->data, sizeof (TlLoopName) * names->len);
      expr->n_loops = names->len;
      break;
    }
  if (!tl_parser_is_symbol (parser, '('))
    {
      g_autofree char *found = tl_parser_describe (parser);
      TlDiag          *diag = tl_parser_fail (parser, "missing-bracket", tl_parser_here (parser),
                                              "`(` is missing: %s stands there", found);
      tl_report_reason (diag, "what %s goes over stands in brackets: %s over %s (...)", expr->text, expr->text,
                        expr->loops[0].name);
      return NULL;
    }
  guint opened = parser->at;
  tl_parser_open (parser);
  TlExpr *body = tl_parse_expr (parser);
  tl_parser_close (parser, opened, ')');
  expr->span.end = tl_parser_last_end (parser);
  return parser->failed ? NULL : tl_parser_with_1 (parser, expr, body);
}

static TlExpr *
parse_call (TlParser *parser, TlSpan name)
{
  g_autoptr (GPtrArray) args = g_ptr_array_new ();
  TlExpr *expr = tl_parser_new_expr (parser, TL_EXPR_CALL, name);

  expr->text = tl_parser_text (parser, name);
  if (!parse_arguments (parser, ')', TRUE, args))
    return NULL;
  expr->span.end = tl_parser_last_end (parser);
  return tl_parser_with_args (parser, expr, args);
}

static TlExpr *
parse_subscript (TlParser *parser, TlSpan name)
{
  g_autoptr (GPtrArray) args = g_ptr_array_new ();
  TlExpr *expr = tl_parser_new_expr (parser, TL_EXPR_SUBSCRIPT, name);

  expr->text = tl_parser_text (parser, name);
  if (!parse_arguments (parser, ']', FALSE, args))
    return NULL;
  while (tl_parser_is_symbol (parser, '['))
    {
      TlSpan  joint = tl_span (tl_parser_last_end (parser) - 1, tl_parser_token (parser)->span.end);
      TlDiag *diag = tl_parser_patch (parser, "split-subscripts", joint, "subscripts stand in one pair of brackets");
      tl_report_fix (diag, joint, ",", "write %s[.., ..]", expr->text);
      if (!parse_arguments (parser, ']', FALSE, args))
        return NULL;
    }
  if (args->len == 0)
    {
      tl_parser_fail (parser, "missing-operand", tl_span (name.start, tl_parser_last_end (parser)),
                      "%s has no subscript in its brackets", expr->text);
      return NULL;
    }
  expr->span.end = tl_parser_last_end (parser);
  return tl_parser_with_args (parser, expr, args);
}

/* gf2 [domain: 4 2 | row: 8 | column: 1] */
static TlExpr *
parse_gf2 (TlParser *parser)
{
  static const char *const part_names[] = { "domain", "row", "column", NULL };
  g_autoptr (GPtrArray) parts = g_ptr_array_new ();
  TlExpr *expr = tl_parser_new_expr (parser, TL_EXPR_GF2, tl_parser_token (parser)->span);
  guint   opened = ++parser->at;

  expr->text = "gf2";
  tl_parser_open (parser);
  while (!tl_parser_is_symbol (parser, ']') && !parser->failed)
    {
      g_autoptr (GPtrArray) rows = g_ptr_array_new ();
      TlSpan      span = { 0 };
      const char *name = tl_parser_name (parser, "a part's name (domain, row or column)", &span);
      if (name == NULL)
        return NULL;
      for (guint i = 0; i < parts->len; i++)
        if (strcmp (((TlExpr *) g_ptr_array_index (parts, i))->text, name) == 0)
          tl_parser_fail (parser, "duplicate-part", span, "the part %s stands there twice", name);
      if (!g_strv_contains (part_names, name))
        {
          const char *meant = tl_word_nearest (name, part_names, 3);
          TlDiag     *diag = tl_parser_fail (parser, "unknown-part", span, "a gf2 layout has no part `%s`", name);
          tl_report_reason (diag, "its parts are domain, row and column");
          if (meant != NULL)
            tl_report_fix (diag, span, meant, "write %s", meant);
          return NULL;
        }
      if (!tl_parser_take_symbol (parser, ':'))
        {
          guint32 place = tl_parser_last_end (parser);
          TlDiag *diag
              = tl_parser_patch (parser, "missing-colon", tl_span (place, place), "a colon is missing after %s", name);
          tl_report_fix (diag, tl_span (place, place), ":", "insert the colon");
        }
      while (!tl_parser_ended (parser) && tl_parser_token (parser)->kind == TL_TOKEN_INTEGER)
        g_ptr_array_add (rows, tl_parse_integer (parser));
      TlExpr *part = tl_parser_new_expr (parser, TL_EXPR_PART, span);
      part->text = name;
      part->span.end = tl_parser_last_end (parser);
      part = tl_parser_with_args (parser, part, rows);
      if (part == NULL)
        return NULL;
      g_ptr_array_add (parts, part);
      if (!tl_parser_take_symbol (parser, '|'))
        break;
    }
  tl_parser_close (parser, opened, ']');
  expr->span.end = tl_parser_last_end (parser);
  return parser->failed ? NULL : tl_parser_with_args (parser, expr, parts);
}

static TlExpr *
parse_word (TlParser *parser)
{
  TlSpan         name = tl_parser_token (parser)->span;
  const TlToken *next = tl_parser_ahead (parser, 1);
  const TlToken *after = next == NULL ? NULL : tl_parser_ahead (parser, 2);

  if (next != NULL && next->kind == TL_TOKEN_SYMBOL)
    {
      if (next->symbol == '[' && parser->layouts && tl_parser_is_word (parser, "gf2"))
        return parse_gf2 (parser);
      if (next->symbol == '[' || next->symbol == '(')
        {
          parser->at++;
          return next->symbol == '[' ? parse_subscript (parser, name) : parse_call (parser, name);
        }
      if (next->symbol == '.' && !parser->layouts && after != NULL && after->kind == TL_TOKEN_WORD)
        {
          TlSpan           span = tl_span (name.start, after->span.end);
          TlExpr          *expr = tl_parser_new_expr (parser, TL_EXPR_NAME, span);
          g_autofree char *head = g_strndup (parser->text + name.start, name.end - name.start);
          g_autofree char *tail = g_strndup (parser->text + after->span.start, after->span.end - after->span.start);
          g_autofree char *both = g_strconcat (head, ".", tail, NULL);
          expr->text = tl_arena_text (parser->arena, both, strlen (both));
          parser->at += 3;
          return expr;
        }
    }
  if (next != NULL && next->kind == TL_TOKEN_RESERVED && next->symbol == TL_RESERVED_OVER)
    {
      parser->at++;
      return parse_reduce (parser, name);
    }
  TlExprKind kind = TL_EXPR_NAME;
  if (tl_parser_is_word (parser, "true") || (parser->layouts && tl_parser_is_word (parser, "True")))
    kind = TL_EXPR_TRUE;
  else if (tl_parser_is_word (parser, "false") || (parser->layouts && tl_parser_is_word (parser, "False")))
    kind = TL_EXPR_FALSE;
  TlExpr *expr = tl_parser_new_expr (parser, kind, name);
  expr->text = tl_parser_text (parser, name);
  parser->at++;
  return expr;
}

/* ( expr ), or ( a, b ) */
static TlExpr *
parse_round (TlParser *parser)
{
  g_autoptr (GPtrArray) args = g_ptr_array_new ();
  guint first = parser->at;

  if (!parse_arguments (parser, ')', FALSE, args))
    return NULL;
  TlSpan span = tl_span (outer_start (parser, first), tl_parser_last_end (parser));
  if (args->len == 0)
    {
      tl_parser_fail (parser, "missing-operand", span, "nothing stands in these brackets");
      return NULL;
    }
  if (args->len == 1)
    {
      TlExpr *expr = g_ptr_array_index (args, 0);
      expr->bracketed = TRUE;
      return expr;
    }
  return tl_parser_with_args (parser, tl_parser_new_expr (parser, TL_EXPR_TUPLE, span), args);
}

static TlExpr *
parse_list (TlParser *parser)
{
  g_autoptr (GPtrArray) args = g_ptr_array_new ();
  guint first = parser->at;

  if (!parse_arguments (parser, ']', FALSE, args))
    return NULL;
  TlSpan span = tl_span (outer_start (parser, first), tl_parser_last_end (parser));
  return tl_parser_with_args (parser, tl_parser_new_expr (parser, TL_EXPR_LIST, span), args);
}

static TlExpr *
parse_reserved (TlParser *parser)
{
  const TlToken  token = *tl_parser_token (parser);
  const TlToken *next = tl_parser_ahead (parser, 1);

  if (token.symbol == TL_RESERVED_INF)
    {
      parser->at++;
      return tl_parser_new_expr (parser, TL_EXPR_INF, token.span);
    }
  if (token.symbol == TL_RESERVED_MIN || token.symbol == TL_RESERVED_MAX)
    {
      const char *name = tl_reserved_text (token.symbol);
      parser->at++;
      if (next != NULL && next->kind == TL_TOKEN_RESERVED && next->symbol == TL_RESERVED_OVER)
        return parse_reduce (parser, token.span);
      if (tl_parser_is_symbol (parser, '('))
        return parse_call (parser, token.span);
      TlDiag *diag = tl_parser_fail (parser, "missing-bracket", token.span, "%s needs its operands in brackets", name);
      tl_report_reason (diag, "%s(a, b), or %s over p (...)", name, name);
      return NULL;
    }
  g_autofree char *found = tl_parser_describe (parser);
  TlDiag          *diag = tl_parser_fail (parser, "missing-operand", token.span, "a value is missing before %s", found);
  if (token.symbol == TL_RESERVED_MOD || token.symbol == TL_RESERVED_OR || token.symbol == TL_RESERVED_AND)
    tl_report_reason (diag, "%s stands between two values", found);
  return NULL;
}

static TlExpr *
parse_primary (TlParser *parser)
{
  const TlToken *token = tl_parser_token (parser);

  if (!tl_parser_ended (parser))
    switch (token->kind)
      {
      case TL_TOKEN_INTEGER:
      case TL_TOKEN_REAL:
      case TL_TOKEN_PERCENT:
        return parse_number (parser);
      case TL_TOKEN_QUANTITY:
        return parse_quantity (parser);
      case TL_TOKEN_STRING:
        return tl_parse_string (parser);
      case TL_TOKEN_WORD:
        return parse_word (parser);
      case TL_TOKEN_RESERVED:
        return parse_reserved (parser);
      default:
        if (token->symbol == '(')
          return parse_round (parser);
        if (token->symbol == '[')
          return parse_list (parser);
        break;
      }
  g_autofree char *found = tl_parser_describe (parser);
  TlDiag          *diag
      = tl_parser_fail (parser, "missing-operand", tl_parser_here (parser), "a value is missing before %s", found);
  if (tl_parser_ended (parser) && parser->at > parser->start
      && parser->tokens[parser->at - 1].token.kind == TL_TOKEN_SYMBOL)
    tl_report_reason (diag, "a line that ends in an operator or a comma goes on in the next one");
  else if (parser->at > parser->start && token->symbol == ',' && !tl_parser_ended (parser)
           && parser->tokens[parser->at - 1].token.symbol == ',')
    tl_report_fix (diag, token->span, "", "remove the second comma");
  return NULL;
}

/* Layouts: local(2,1).spatial(8,4) */
static TlExpr *
parse_postfix (TlParser *parser)
{
  guint   first = parser->at;
  TlExpr *expr = parse_primary (parser);

  while (expr != NULL && parser->layouts && tl_parser_is_symbol (parser, '.'))
    {
      g_autoptr (GPtrArray) args = g_ptr_array_new ();
      TlSpan name = { 0 };
      parser->at++;
      const char *text = tl_parser_name (parser, "a layout's name", &name);
      if (text == NULL)
        return NULL;
      g_ptr_array_add (args, expr);
      if (!tl_parser_is_symbol (parser, '('))
        {
          tl_parser_fail (parser, "missing-bracket", tl_parser_here (parser), "%s needs its sizes in brackets", text);
          return NULL;
        }
      if (!parse_arguments (parser, ')', TRUE, args))
        return NULL;
      TlExpr *method = tl_parser_new_expr (parser, TL_EXPR_METHOD,
                                           tl_span (outer_start (parser, first), tl_parser_last_end (parser)));
      method->text = text;
      method->op_span = name;
      expr = tl_parser_with_args (parser, method, args);
    }
  return expr;
}

static TlExpr *
parse_unary (TlParser *parser)
{
  guint    first = parser->at;
  gboolean minus = tl_parser_is_symbol (parser, '-');

  if (parser->failed)
    return NULL;
  if (!minus && !tl_parser_is_symbol (parser, '+'))
    {
      if (parser->nesting >= MAX_NESTING)
        return too_deep (parser, tl_parser_here (parser));
      parser->nesting++;
      TlExpr *expr = parse_postfix (parser);
      parser->nesting--;
      return expr;
    }
  if (parser->nesting >= MAX_NESTING)
    return too_deep (parser, tl_parser_here (parser));
  TlSpan sign = tl_parser_token (parser)->span;
  parser->at++;
  parser->nesting++;
  TlExpr *operand = parse_unary (parser);
  parser->nesting--;
  if (operand == NULL || !minus)
    return operand;
  TlExpr *expr
      = tl_parser_new_expr (parser, TL_EXPR_UNARY, tl_span (outer_start (parser, first), tl_parser_last_end (parser)));
  expr->text = "-";
  expr->op_span = sign;
  return tl_parser_with_1 (parser, expr, operand);
}

/* --- Operators --- */

/* The binary operator at the present token: its level (0: none) and text. */
static guint
operator_here (TlParser *parser, const char **text)
{
  const TlToken *token = tl_parser_token (parser);

  if (tl_parser_ended (parser))
    return 0;
  if (token->kind == TL_TOKEN_WORD)
    {
      *text = "xor";
      return tl_parser_is_word (parser, "xor") ? LEVEL_XOR : 0;
    }
  if (token->kind == TL_TOKEN_RESERVED)
    {
      *text = tl_reserved_text (token->symbol);
      return token->symbol == TL_RESERVED_OR    ? LEVEL_OR
             : token->symbol == TL_RESERVED_AND ? LEVEL_AND
             : token->symbol == TL_RESERVED_MOD ? LEVEL_PRODUCT
                                                : 0;
    }
  if (token->kind != TL_TOKEN_SYMBOL)
    return 0;
  *text = tl_symbol_text (token->symbol);
  switch (token->symbol)
    {
    case '+':
    case '-':
      return LEVEL_SUM;
    case '*':
    case '/':
    case '%':
    case TL_SYMBOL_FLOOR_DIVIDE:
      return LEVEL_PRODUCT;
    case '|':
      return LEVEL_BIT_OR;
    case '^':
      return LEVEL_BIT_XOR;
    case '&':
      return LEVEL_BIT_AND;
    case '<':
    case '>':
    case TL_SYMBOL_EQUAL:
    case TL_SYMBOL_NOT_EQUAL:
    case TL_SYMBOL_LESS_EQUAL:
    case TL_SYMBOL_GREATER_EQUAL:
      return LEVEL_COMPARE;
    default:
      return 0;
    }
}

static TlExpr *
parse_not (TlParser *parser)
{
  guint first = parser->at;

  if (!tl_parser_is_reserved (parser, TL_RESERVED_NOT))
    return parse_level (parser, LEVEL_COMPARE);
  if (parser->nesting >= MAX_NESTING)
    return too_deep (parser, tl_parser_here (parser));
  TlSpan word = tl_parser_token (parser)->span;
  parser->at++;
  parser->nesting++;
  TlExpr *operand = parse_not (parser);
  parser->nesting--;
  if (operand == NULL)
    return NULL;
  TlExpr *expr
      = tl_parser_new_expr (parser, TL_EXPR_UNARY, tl_span (outer_start (parser, first), tl_parser_last_end (parser)));
  expr->text = "not";
  expr->op_span = word;
  return tl_parser_with_1 (parser, expr, operand);
}

static const char *
remainder_reported (TlParser *parser, TlSpan span)
{
  gboolean gap_before = span.start > 0 && parser->text[span.start - 1] == ' ';
  gboolean gap_after = parser->text[span.end] == ' ';
  char    *written = g_strdup_printf ("%smod%s", gap_before ? "" : " ", gap_after ? "" : " ");
  TlDiag  *diag = tl_parser_patch (parser, "foreign-spelling", span, "`%%` is written `mod` here");

  tl_report_fix (diag, span, written, "write mod");
  g_free (written);
  return "mod";
}

static TlExpr *
parse_level (TlParser *parser, guint level)
{
  guint       first = parser->at;
  const char *op = NULL;

  if (parser->failed)
    return NULL;
  if (level > LEVEL_PRODUCT)
    return parse_unary (parser);
  if (level == LEVEL_NOT)
    return parse_not (parser);
  TlExpr *left = parse_level (parser, level + 1);
  guint   n_compared = 0;
  while (left != NULL && operator_here (parser, &op) == level)
    {
      TlSpan op_span = tl_parser_token (parser)->span;
      if (tl_parser_is_symbol (parser, '%'))
        op = remainder_reported (parser, op_span);
      parser->at++;
      TlExpr *right = parse_level (parser, level + 1);
      if (level == LEVEL_COMPARE && n_compared++ > 0 && right != NULL)
        {
          TlSpan           shared = left->args[1]->span;
          g_autofree char *again = g_strndup (parser->text + shared.start, shared.end - shared.start);
          gboolean         wrap = left->args[1]->bracketed;
          g_autofree char *joined = g_strdup_printf (wrap ? " and (%s)" : " and %s", again);
          TlDiag          *diag = tl_parser_patch (parser, "chained-comparison", op_span, "comparisons do not chain");
          tl_report_reason (diag, "a < b < c would compare a truth value with c");
          tl_report_fix (diag, tl_span (left->span.end, left->span.end), joined, "write two comparisons joined by and");
        }
      left = binary (parser, first, op, op_span, left, right);
    }
  return left;
}

static TlExpr *
parse_alternatives (TlParser *parser)
{
  return parse_level (parser, LEVEL_OR);
}

TlExpr *
tl_parse_condition (TlParser *parser)
{
  guint   first = parser->at;
  TlExpr *left = parse_alternatives (parser);

  if (left == NULL || !tl_parser_is_symbol (parser, '='))
    return left;
  TlSpan  span = tl_parser_token (parser)->span;
  TlDiag *diag = tl_parser_patch (parser, "assignment-in-condition", span, "`=` gives a value; `==` compares");
  tl_report_fix (diag, span, "==", "write ==");
  parser->at++;
  return binary (parser, first, "==", span, left, parse_alternatives (parser));
}

TlExpr *
tl_parse_expr (TlParser *parser)
{
  guint first = parser->at;

  if (parser->nesting >= MAX_NESTING)
    return too_deep (parser, tl_parser_here (parser));
  TlExpr *value = parse_alternatives (parser);
  if (value == NULL || !tl_parser_is_reserved (parser, TL_RESERVED_IF))
    return value;

  TlExpr *expr = tl_parser_new_expr (parser, TL_EXPR_CONDITION, value->span);
  expr->op_span = tl_parser_token (parser)->span;
  expr->text = "if";
  parser->at++;
  TlExpr *condition = tl_parse_condition (parser);
  if (condition == NULL)
    return NULL;
  if (!tl_parser_is_reserved (parser, TL_RESERVED_ELSE))
    {
      g_autofree char *found = tl_parser_describe (parser);
      TlDiag          *diag = tl_parser_fail (parser, "missing-else", tl_parser_here (parser),
                                              "a conditional expression needs its else: %s stands there", found);
      tl_report_reason (diag, "a if c else b; a statement that may not happen is written `if c: ...`");
      return NULL;
    }
  parser->at++;
  parser->nesting++;
  TlExpr *otherwise = tl_parse_expr (parser);
  parser->nesting--;
  expr->span = tl_span (outer_start (parser, first), tl_parser_last_end (parser));
  return with_some (parser, expr, (TlExpr *[]) { value, condition, otherwise }, 3);
}

TlExpr *
tl_parse_range (TlParser *parser)
{
  guint   first = parser->at;
  TlExpr *low = parse_level (parser, LEVEL_BIT_OR);

  if (low == NULL)
    return NULL;
  gboolean inclusive = tl_parser_is_symbol (parser, TL_SYMBOL_DOTS_EQUAL);
  if (!inclusive && !tl_parser_is_symbol (parser, TL_SYMBOL_DOTS))
    {
      /* range(N), or a bare N, as elsewhere. */
      TlSpan           span = tl_span (outer_start (parser, first), tl_parser_last_end (parser));
      const TlExpr    *end = low;
      g_autofree char *written = NULL, *found = tl_parser_describe (parser);
      if (low->kind == TL_EXPR_CALL && strcmp (low->text, "range") == 0 && low->n_args == 1)
        end = low->args[0];
      g_autofree char *text = g_strndup (parser->text + end->span.start, end->span.end - end->span.start);
      written = g_strconcat ("0..", text, NULL);
      TlDiag *diag = tl_parser_patch (parser, "not-a-range", span, "a range needs its `..`");
      tl_report_reason (diag, "0..N goes from 0 to N - 1; so does 0..=N-1");
      tl_report_fix (diag, span, written, "write %s", written);
      TlExpr *zero = tl_parser_new_expr (parser, TL_EXPR_INTEGER, tl_span (span.start, span.start));
      return tl_parser_with_2 (parser, tl_parser_new_expr (parser, TL_EXPR_RANGE, span), zero, (TlExpr *) end);
    }
  TlExpr *expr = tl_parser_new_expr (parser, TL_EXPR_RANGE, low->span);
  expr->op_span = tl_parser_token (parser)->span;
  expr->integer = inclusive;
  parser->at++;
  TlExpr *high = parse_level (parser, LEVEL_BIT_OR);
  expr->span = tl_span (outer_start (parser, first), tl_parser_last_end (parser));
  return tl_parser_with_2 (parser, expr, low, high);
}
