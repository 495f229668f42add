/* Statements of an algorithm: recurrences in one line, nests by indentation,
 * boundaries, results. language.md, rulings 1 and 4. */
#include "dsl/parser-private.h"

#include <string.h>

static TlStmt *
new_stmt (TlParser *parser, TlStmtKind kind, guint first_token)
{
  TlStmt *stmt = tl_arena_new_of (parser->arena, TlStmt, 1);

  stmt->kind = kind;
  stmt->span = parser->tokens[first_token].token.span;
  return stmt;
}

static void
close_spans (TlParser *parser, TlStmt *stmt)
{
  stmt->span.end = MAX (stmt->span.end, tl_parser_last_end (parser));
  if (stmt->kind != TL_STMT_FOR && stmt->kind != TL_STMT_IF)
    stmt->head_span = stmt->span;
}

static guint32
line_indent (const TlParser *parser)
{
  guint at = parser->at;

  while (at > 0 && !parser->tokens[at].first)
    at--;
  return parser->tokens[at].indent;
}

/* The colon of a header; a forgotten one is put there when the line ends or a
 * statement follows. */
static gboolean
take_header_colon (TlParser *parser, const char *what)
{
  if (tl_parser_take_symbol (parser, ':'))
    return TRUE;
  if (parser->failed)
    return FALSE;
  guint32 place = tl_parser_last_end (parser);
  TlDiag *diag
      = tl_parser_patch (parser, "missing-colon", tl_span (place, place), "a colon is missing after the %s", what);
  tl_report_reason (diag, "a header ends with a colon; what it holds follows, indented or on the same line");
  tl_report_fix (diag, tl_span (place, place), ":", "insert the colon");
  return TRUE;
}

/* What a header holds: the rest of its line and the lines further in. */
static void
parse_body (TlParser *parser, TlStmt *header, guint32 indent, gboolean is_else)
{
  g_autoptr (GPtrArray) body = g_ptr_array_new ();
  guint32 head_end = tl_parser_last_end (parser);
  guint   mistakes = parser->reporter.mistakes;

  if (parser->nest >= TL_MAX_NEST_DEPTH)
    {
      TlDiag *diag = tl_parser_fail (parser, "too-deep", header->head_span, "this nest is too deep");
      tl_report_reason (diag, "at most %d loops and conditions may stand one in another", TL_MAX_NEST_DEPTH);
      tl_parser_finish (parser);
      while (parser->tokens[parser->at].token.kind != TL_TOKEN_END
             && !(parser->tokens[parser->at].first && parser->tokens[parser->at].indent <= indent))
        parser->at++;
      return;
    }
  parser->nest++;
  if (!tl_parser_ended (parser))
    tl_parse_statement (parser, body);
  else
    tl_parser_finish (parser);
  tl_parse_block (parser, indent, body);
  parser->nest--;
  if (body->len == 0 && parser->reporter.mistakes == mistakes)
    {
      TlDiag *diag = tl_report (&parser->reporter, TL_SEVERITY_ERROR, "empty-block", header->head_span,
                                "this header holds no statement");
      tl_report_reason (diag, "what it holds follows its colon, or stands in lines that are indented further");
      parser->damaged = TRUE;
    }
  if (is_else)
    {
      header->otherwise = tl_arena_list (parser->arena, body);
      header->n_otherwise = body->len;
    }
  else
    {
      header->body = tl_arena_list (parser->arena, body);
      header->n_body = body->len;
    }
  header->span.end = MAX (header->span.end, head_end);
  if (body->len > 0)
    header->span.end = MAX (header->span.end, ((TlStmt *) g_ptr_array_index (body, body->len - 1))->span.end);
}

/* After a header that could not be read: what it would hold is read for its own
 * mistakes and left out, since its loops are not known. */
static void
skip_header (TlParser *parser, guint32 indent)
{
  g_autoptr (GPtrArray) lost = g_ptr_array_new ();

  parser->damaged = TRUE;
  tl_parser_finish (parser);
  if (parser->nest >= TL_MAX_NEST_DEPTH)
    return;
  parser->nest++;
  tl_parse_block (parser, indent, lost);
  parser->nest--;
}

static void
parse_for (TlParser *parser, GPtrArray *stmts)
{
  TlStmt    *stmt = new_stmt (parser, TL_STMT_FOR, parser->at);
  TlLoopName loop = { 0 };
  guint32    indent = line_indent (parser);

  parser->at++;
  loop.name = tl_parser_name (parser, "the loop's name", &loop.span);
  if (loop.name == NULL)
    return skip_header (parser, indent);
  if (tl_parser_is_symbol (parser, '='))
    {
      TlSpan  span = tl_parser_token (parser)->span;
      TlDiag *diag = tl_parser_patch (parser, "missing-in", span, "a loop is written with `in`");
      tl_report_fix (diag, span, "in", "write in");
      parser->at++;
    }
  else if (tl_parser_is_symbol (parser, ':') || tl_parser_is_symbol (parser, ',') || tl_parser_ended (parser))
    {
      TlDiag *diag
          = tl_parser_fail (parser, "missing-range", loop.span, "the loop %s of a nest has no range", loop.name);
      tl_report_reason (diag,
                        "each loop of a header says its range, for %s in 0..N:; those of a recurrence stand at the end "
                        "of its own line",
                        loop.name);
      return skip_header (parser, indent);
    }
  else if (tl_parser_is_reserved (parser, TL_RESERVED_IN))
    parser->at++;
  else
    {
      guint32 place = tl_parser_last_end (parser);
      TlDiag *diag = tl_parser_patch (parser, "missing-in", tl_span (place, place), "`in` is missing here");
      tl_report_fix (diag, tl_span (place, place), " in", "insert in");
    }
  loop.range = tl_parse_range (parser);
  if (loop.range == NULL || !take_header_colon (parser, "loop"))
    return skip_header (parser, indent);
  stmt->head_span = tl_span (stmt->span.start, tl_parser_last_end (parser));
  stmt->repaired = parser->guessed;
  stmt->loops = tl_arena_new_of (parser->arena, TlLoopName, 1);
  stmt->loops[0] = loop;
  stmt->n_loops = 1;
  g_ptr_array_add (stmts, stmt);
  parse_body (parser, stmt, indent, FALSE);
}

static void
parse_if (TlParser *parser, GPtrArray *stmts)
{
  TlStmt *stmt = new_stmt (parser, TL_STMT_IF, parser->at);
  guint32 indent = line_indent (parser);

  parser->at++;
  stmt->value = tl_parse_condition (parser);
  if (stmt->value == NULL || !take_header_colon (parser, "condition"))
    return skip_header (parser, indent);
  stmt->head_span = tl_span (stmt->span.start, tl_parser_last_end (parser));
  stmt->repaired = parser->guessed;
  g_ptr_array_add (stmts, stmt);
  TlOpenIf open = { stmt, indent };
  g_array_append_val (parser->open_ifs, open);
  parse_body (parser, stmt, indent, FALSE);
}

/* An else belongs to the last condition whose line is indented alike. */
static void
parse_else (TlParser *parser)
{
  guint     first = parser->at;
  guint32   indent = line_indent (parser);
  TlStmt   *owner = NULL;
  TlOpenIf *last = NULL;

  while (parser->open_ifs->len > 0)
    {
      last = &g_array_index (parser->open_ifs, TlOpenIf, parser->open_ifs->len - 1);
      if (last->indent <= indent)
        break;
      g_array_set_size (parser->open_ifs, parser->open_ifs->len - 1);
      last = NULL;
    }
  if (last != NULL && last->indent == indent && parser->tokens[first].first)
    owner = last->stmt;
  if (owner == NULL)
    {
      TlDiag *diag
          = tl_parser_fail (parser, "stray-else", tl_parser_here (parser), "no condition belongs to this else");
      tl_report_reason (diag, "an else stands on a line of its own, indented like the line of its `if`");
      return skip_header (parser, indent);
    }
  g_array_set_size (parser->open_ifs, parser->open_ifs->len - 1);
  parser->at++;
  if (tl_parser_is_reserved (parser, TL_RESERVED_IF))
    {
      g_autoptr (GPtrArray) nested = g_ptr_array_new ();
      if (parser->nest >= TL_MAX_NEST_DEPTH)
        {
          tl_parser_fail (parser, "too-deep", tl_parser_here (parser), "this chain of conditions is too long");
          return tl_parser_finish (parser);
        }
      parser->nest++;
      parse_if (parser, nested);
      owner->otherwise = tl_arena_list (parser->arena, nested);
      owner->n_otherwise = nested->len;
      return;
    }
  if (!take_header_colon (parser, "else"))
    return skip_header (parser, indent);
  parse_body (parser, owner, indent, TRUE);
}

/* result = max H | last E | max over s (V[last, s]) */
static void
parse_result (TlParser *parser, GPtrArray *stmts)
{
  TlStmt *stmt = new_stmt (parser, TL_STMT_RESULT, parser->at);

  parser->at++;
  if (!tl_parser_is_symbol (parser, '='))
    {
      guint32 place = tl_parser_last_end (parser);
      TlDiag *diag = tl_parser_patch (parser, "missing-equals", tl_span (place, place), "`=` is missing here");
      tl_report_fix (diag, tl_span (place, place), " =", "insert =");
      stmt->assign_span = tl_span (place, place);
    }
  else
    {
      stmt->assign_span = tl_parser_token (parser)->span;
      parser->at++;
    }
  const TlToken *next = tl_parser_ahead (parser, 1);
  TlSpan         word = tl_parser_here (parser);
  gboolean       of_array
      = next != NULL && next->kind == TL_TOKEN_WORD
        && (tl_parser_token (parser)->kind == TL_TOKEN_RESERVED || tl_parser_token (parser)->kind == TL_TOKEN_WORD);
  if (of_array)
    {
      static const char *const forms[] = { "max", "min", "last" };
      const char              *text = tl_parser_text (parser, word);
      if (!tl_parser_is_reserved (parser, TL_RESERVED_MAX) && !tl_parser_is_reserved (parser, TL_RESERVED_MIN)
          && !tl_parser_is_word (parser, "last"))
        {
          const char *meant = tl_word_nearest (text, forms, G_N_ELEMENTS (forms));
          TlDiag     *diag = tl_parser_patch (parser, "unknown-result", word, "a result cannot be `%s %s`", text,
                                              tl_parser_text (parser, next->span));
          tl_report_reason (diag, "it is max H, min H, last E, or max over s (V[last, s])");
          if (meant != NULL)
            tl_report_fix (diag, word, meant, "write %s", meant);
          parser->damaged = TRUE;
          parser->failed = TRUE;
          return tl_parser_finish (parser);
        }
      TlExpr *call = tl_parser_new_expr (parser, TL_EXPR_CALL, tl_span_join (word, next->span));
      TlExpr *array = tl_parser_new_expr (parser, TL_EXPR_NAME, next->span);
      call->text = text;
      call->op_span = word;
      array->text = tl_parser_text (parser, next->span);
      parser->at += 2;
      stmt->value = tl_parser_with_1 (parser, call, array);
    }
  else
    stmt->value = tl_parse_expr (parser);
  close_spans (parser, stmt);
  stmt->repaired = parser->guessed;
  tl_parser_finish (parser);
  if (!parser->failed && stmt->value != NULL)
    g_ptr_array_add (stmts, stmt);
}

/* D[i,j] += x, for which there is no such operator. */
static TlExpr *
parse_compound (TlParser *parser, TlExpr *target, TlSpan span, const char *op)
{
  g_autofree char *place = g_strndup (parser->text + target->span.start, target->span.end - target->span.start);
  g_autofree char *written = g_strdup_printf ("= %s %s", place, op);
  TlDiag          *diag = tl_parser_patch (parser, "foreign-spelling", span, "`%s=` is written out here", op);

  tl_report_reason (diag, "%s = %s %s ... says the same", place, place, op);
  TlExpr *value = tl_parse_expr (parser);
  if (value == NULL)
    return NULL;
  if (diag != NULL)
    {
      TlFix   *fix = tl_diag_fix (diag, "write it out", span, written);
      gboolean loose
          = value->kind == TL_EXPR_CONDITION || (value->kind == TL_EXPR_BINARY && !value->bracketed && *op != '+');
      if (loose)
        {
          guint32 end = tl_parser_last_end (parser);
          tl_fix_edit (fix, tl_span (value->span.start, value->span.start), "(");
          tl_fix_edit (fix, tl_span (end, end), ")");
        }
    }
  TlExpr *binary = tl_parser_new_expr (parser, TL_EXPR_BINARY, tl_span_join (target->span, value->span));
  binary->text = op;
  binary->op_span = span;
  return tl_parser_with_2 (parser, binary, target, value);
}

static gboolean
looks_like_result (const TlParser *parser)
{
  const TlToken   *name = tl_parser_token (parser), *equals = tl_parser_ahead (parser, 1);
  const TlToken   *form = equals == NULL ? NULL : tl_parser_ahead (parser, 2);
  const TlToken   *array = form == NULL ? NULL : tl_parser_ahead (parser, 3);
  g_autofree char *word = NULL;

  if (parser->nest > 0 || name->kind != TL_TOKEN_WORD || array == NULL || equals->symbol != '=')
    return FALSE;
  word = g_strndup (parser->text + name->span.start, name->span.end - name->span.start);
  return tl_word_distance (word, "result") <= 2
         && (array->kind == TL_TOKEN_WORD || (array->kind == TL_TOKEN_RESERVED && array->symbol == TL_RESERVED_OVER))
         && (form->kind == TL_TOKEN_WORD || form->kind == TL_TOKEN_RESERVED);
}

/* for i, j within band */
static void
parse_tail (TlParser *parser, TlStmt *stmt)
{
  if (tl_parser_is_reserved (parser, TL_RESERVED_FOR))
    {
      stmt->kind = TL_STMT_UPDATE;
      parser->at++;
      stmt->loops = tl_parse_loop_names (parser, &stmt->n_loops);
    }
  if (stmt->loops != NULL && tl_parser_is_reserved (parser, TL_RESERVED_WITHIN))
    {
      parser->at++;
      stmt->within = tl_parse_expr (parser);
    }
}

static void
parse_assignment (TlParser *parser, GPtrArray *stmts)
{
  TlStmt *stmt = new_stmt (parser, parser->nest > 0 ? TL_STMT_ASSIGN : TL_STMT_UPDATE, parser->at);

  stmt->target = tl_parse_expr (parser);
  if (stmt->target == NULL)
    return tl_parser_finish (parser);
  if (stmt->target->kind == TL_EXPR_BINARY && strcmp (stmt->target->text, "==") == 0 && !stmt->target->bracketed
      && (stmt->target->args[0]->kind == TL_EXPR_SUBSCRIPT || stmt->target->args[0]->kind == TL_EXPR_NAME))
    {
      TlExpr *comparison = stmt->target;
      TlDiag *diag = tl_parser_patch (parser, "comparison-as-statement", comparison->op_span,
                                      "`==` compares; `=` gives a value");
      tl_report_fix (diag, comparison->op_span, "=", "write =");
      stmt->assign_span = comparison->op_span;
      stmt->target = comparison->args[0];
      stmt->value = comparison->args[1];
    }
  else if (stmt->target->kind != TL_EXPR_SUBSCRIPT && stmt->target->kind != TL_EXPR_NAME)
    {
      TlDiag *diag = tl_parser_fail (parser, "not-assignable", stmt->target->span,
                                     "this is no place to which a value can be given");
      tl_report_reason (diag, "a statement gives a value to an array element or a temporary: D[i,j] = ...");
      return tl_parser_finish (parser);
    }
  else if (tl_parser_is_symbol (parser, '='))
    {
      stmt->assign_span = tl_parser_token (parser)->span;
      parser->at++;
      stmt->value = tl_parse_expr (parser);
    }
  else if (tl_parser_is_symbol (parser, TL_SYMBOL_PLUS_EQUAL) || tl_parser_is_symbol (parser, TL_SYMBOL_MINUS_EQUAL)
           || tl_parser_is_symbol (parser, TL_SYMBOL_TIMES_EQUAL))
    {
      guint16     symbol = tl_parser_token (parser)->symbol;
      const char *op = symbol == TL_SYMBOL_PLUS_EQUAL ? "+" : symbol == TL_SYMBOL_MINUS_EQUAL ? "-" : "*";
      stmt->assign_span = tl_parser_token (parser)->span;
      parser->at++;
      stmt->value = parse_compound (parser, stmt->target, stmt->assign_span, op);
    }
  else
    {
      g_autofree char *found = tl_parser_describe (parser);
      TlDiag          *diag = tl_parser_fail (parser, "missing-equals", tl_parser_here (parser),
                                              "`=` is missing: %s stands there", found);
      tl_report_reason (diag, "a statement gives a value to an array element or a temporary: D[i,j] = ...");
    }
  if (stmt->value != NULL)
    parse_tail (parser, stmt);
  close_spans (parser, stmt);
  stmt->repaired = parser->guessed;
  tl_parser_finish (parser);
  if (!parser->failed && stmt->value != NULL)
    g_ptr_array_add (stmts, stmt);
}

static gboolean
looks_like_else (const TlParser *parser)
{
  const TlToken *word = tl_parser_token (parser), *colon = tl_parser_ahead (parser, 1);

  if (word->kind != TL_TOKEN_WORD || colon == NULL || colon->symbol != ':' || parser->open_ifs->len == 0)
    return FALSE;
  g_autofree char *text = g_strndup (parser->text + word->span.start, word->span.end - word->span.start);
  return tl_word_distance (text, "else") <= 2;
}

void
tl_parse_statement (TlParser *parser, GPtrArray *stmts)
{
  const TlToken *token = tl_parser_token (parser);

  if (tl_parser_is_reserved (parser, TL_RESERVED_ELSE))
    return parse_else (parser);
  if (looks_like_else (parser))
    {
      TlDiag *diag = tl_parser_patch (parser, "unknown-keyword", token->span, "no statement starts with `%s`",
                                      tl_parser_text (parser, token->span));
      tl_report_fix (diag, token->span, "else", "write else");
      return parse_else (parser);
    }
  if (parser->tokens[parser->at].first)
    while (parser->open_ifs->len > 0
           && g_array_index (parser->open_ifs, TlOpenIf, parser->open_ifs->len - 1).indent >= line_indent (parser))
      g_array_set_size (parser->open_ifs, parser->open_ifs->len - 1);
  if (token->kind == TL_TOKEN_RESERVED)
    switch (token->symbol)
      {
      case TL_RESERVED_FOR:
        return parse_for (parser, stmts);
      case TL_RESERVED_IF:
        return parse_if (parser, stmts);
      case TL_RESERVED_RESULT:
        return parse_result (parser, stmts);
      default:
        break;
      }
  if (token->kind == TL_TOKEN_SYMBOL && token->symbol == TL_SYMBOL_FLOOR_DIVIDE)
    {
      TlDiag *diag = tl_parser_fail (parser, "foreign-spelling", token->span, "a comment starts with `#`");
      tl_report_fix (diag, token->span, "#", "write #");
      for (parser->at++; !parser->tokens[parser->at].first;)
        parser->at++;
      return;
    }
  const TlToken *next = tl_parser_ahead (parser, 1);
  if (token->kind == TL_TOKEN_WORD && next != NULL && (next->kind == TL_TOKEN_WORD || next->kind == TL_TOKEN_INTEGER))
    {
      static const char *const starts[] = { "for", "if", "else" };
      const char              *word = tl_parser_text (parser, token->span);
      const char              *meant = strcmp (word, "elif") == 0 ? "else if" : tl_word_nearest (word, starts, 3);
      TlSpan                   span = token->span;
      if (meant == NULL)
        {
          TlDiag *none = tl_parser_fail (parser, "unknown-keyword", span, "no statement starts with `%s`", word);
          tl_report_reason (none, "a statement is an assignment, a for, an if, an else or a result");
          return tl_parser_finish (parser);
        }
      TlDiag *diag = tl_parser_patch (parser, "unknown-keyword", span, "no statement starts with `%s`", word);
      tl_report_fix (diag, span, meant, "write %s", meant);
      if (g_strcmp0 (meant, "for") == 0)
        return parse_for (parser, stmts);
      if (g_strcmp0 (meant, "if") == 0)
        return parse_if (parser, stmts);
      parser->failed = parser->damaged = TRUE;
      return tl_parser_finish (parser);
    }
  if (looks_like_result (parser))
    {
      TlDiag *diag = tl_parser_patch (parser, "unknown-keyword", token->span, "the result is written `result = ...`");
      tl_report_fix (diag, token->span, "result", "write result");
      return parse_result (parser, stmts);
    }
  parse_assignment (parser, stmts);
}

void
tl_parse_block (TlParser *parser, guint32 indent, GPtrArray *stmts)
{
  guint nest = parser->nest;

  while (parser->tokens[parser->at].token.kind != TL_TOKEN_END && parser->tokens[parser->at].indent > indent
         && parser->tokens[parser->at].first && !tl_parser_is_section (parser, parser->at))
    {
      guint          before = parser->at;
      const TlToken *token = tl_parser_token (parser);
      /* Each link of an "else if" chain nests in the one before. */
      if (token->kind != TL_TOKEN_RESERVED || token->symbol != TL_RESERVED_ELSE)
        parser->nest = nest;
      tl_parser_begin (parser);
      tl_parse_statement (parser, stmts);
      if (parser->at == before)
        parser->at++;
    }
  parser->nest = nest;
}
