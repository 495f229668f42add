/* Operands: names, elements, calls, reductions, brackets, and the layout notations.
 * The lists in brackets repair a missing comma and a missing end. */
#include "dsl/parser-private.h"

#include <string.h>

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
        parser->guessed = TRUE;
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
      while (!parser->failed && !tl_parser_ended (parser) && tl_parser_token (parser)->kind == TL_TOKEN_INTEGER)
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
  expr->text = kind == TL_EXPR_TRUE ? "true" : kind == TL_EXPR_FALSE ? "false" : tl_parser_text (parser, name);
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
  TlSpan span = tl_span (parser->tokens[first].token.span.start, tl_parser_last_end (parser));
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
  TlSpan span = tl_span (parser->tokens[first].token.span.start, tl_parser_last_end (parser));
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
        return tl_parse_number (parser);
      case TL_TOKEN_QUANTITY:
        return tl_parse_quantity (parser);
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
TlExpr *
tl_parse_operand (TlParser *parser)
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
      TlExpr *method = tl_parser_new_expr (
          parser, TL_EXPR_METHOD, tl_span (parser->tokens[first].token.span.start, tl_parser_last_end (parser)));
      method->text = text;
      method->op_span = name;
      expr = tl_parser_with_args (parser, method, args);
    }
  return expr;
}
