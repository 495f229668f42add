/* Expressions: precedence climbing over the token stream. Recursion is bounded by
 * TL_MAX_EXPR_DEPTH, and so is the depth of the tree that results. */
#include "dsl/parser-private.h"

#include <string.h>

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
  tl_report_reason (diag, "at most %d brackets and %d operators may stand one in another", TL_MAX_NESTING,
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

static TlExpr *
parse_unary (TlParser *parser)
{
  guint    first = parser->at;
  gboolean minus = tl_parser_is_symbol (parser, '-');

  if (parser->failed)
    return NULL;
  if (!minus && !tl_parser_is_symbol (parser, '+'))
    {
      if (parser->nesting >= TL_MAX_NESTING)
        return too_deep (parser, tl_parser_here (parser));
      parser->nesting++;
      TlExpr *expr = tl_parse_operand (parser);
      parser->nesting--;
      return expr;
    }
  if (parser->nesting >= TL_MAX_NESTING)
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
  if (parser->nesting >= TL_MAX_NESTING)
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

  if (parser->nesting >= TL_MAX_NESTING)
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
      g_autofree char *written = NULL;
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
