/* The token stream of the parser: where statements end, and how mistakes are
 * reported, repaired and stepped over. */
#include "dsl/parser-private.h"

#include <string.h>

static const TlParserToken *
token_at (const TlParser *parser, guint at)
{
  return &parser->tokens[MIN (at, parser->n_tokens - 1)];
}

static gboolean
spelled (const TlParser *parser, const TlToken *token, const char *word)
{
  gsize length = strlen (word);
  return token->span.end - token->span.start == length && memcmp (parser->text + token->span.start, word, length) == 0;
}

gboolean
tl_parser_is_section (const TlParser *parser, guint at)
{
  const TlParserToken *first = token_at (parser, at), *second = token_at (parser, at + 1);
  gboolean             alone = second->first;

  if (first->token.kind != TL_TOKEN_WORD)
    return FALSE;
  if (spelled (parser, &first->token, "semiring"))
    return !alone && second->token.symbol == '(';
  if (!spelled (parser, &first->token, "algorithm") && !spelled (parser, &first->token, "data")
      && !spelled (parser, &first->token, "config") && !spelled (parser, &first->token, "place")
      && !spelled (parser, &first->token, "op"))
    return FALSE;
  /* A section word may be the name of an array or a temporary of an algorithm. */
  if (alone || first->indent == 0 || second->token.kind != TL_TOKEN_SYMBOL)
    return TRUE;
  return second->token.symbol != '[' && second->token.symbol != '=' && second->token.symbol != TL_SYMBOL_PLUS_EQUAL
         && second->token.symbol != TL_SYMBOL_EQUAL;
}

/* A line that ends in an operator or a comma goes on. */
static gboolean
goes_on_after (const TlToken *token)
{
  if (token->kind == TL_TOKEN_RESERVED)
    return token->symbol == TL_RESERVED_OR || token->symbol == TL_RESERVED_AND || token->symbol == TL_RESERVED_NOT
           || token->symbol == TL_RESERVED_MOD;
  if (token->kind != TL_TOKEN_SYMBOL)
    return FALSE;
  return token->symbol >= 256 || strchr ("+-*/|^&<>=,.", (int) token->symbol) != NULL;
}

static gboolean
ends_before (const TlParser *parser, guint at)
{
  const TlParserToken *token = token_at (parser, at);

  if (token->token.kind == TL_TOKEN_END)
    return TRUE;
  if (!token->first || at == parser->start)
    return FALSE;
  if (tl_parser_is_section (parser, at))
    return TRUE;
  /* No bracket holds these: the one that is open was forgotten. */
  if (token->token.kind == TL_TOKEN_RESERVED
      && (token->token.symbol == TL_RESERVED_FOR || token->token.symbol == TL_RESERVED_RESULT))
    return TRUE;
  /* After an operator comes a value, and these start none. */
  if (token->token.kind == TL_TOKEN_RESERVED && goes_on_after (&parser->tokens[at - 1].token)
      && (token->token.symbol == TL_RESERVED_IF || token->token.symbol == TL_RESERVED_ELSE))
    return TRUE;
  return parser->brackets == 0 && !goes_on_after (&parser->tokens[at - 1].token);
}

gboolean
tl_parser_ended (const TlParser *parser)
{
  return ends_before (parser, parser->at);
}

const TlToken *
tl_parser_ahead (const TlParser *parser, guint ahead)
{
  for (guint at = parser->at; at <= parser->at + ahead; at++)
    if (ends_before (parser, at))
      return NULL;
  return &parser->tokens[parser->at + ahead].token;
}

gboolean
tl_parser_is_symbol (const TlParser *parser, guint16 symbol)
{
  const TlToken *token = tl_parser_token (parser);
  return token->kind == TL_TOKEN_SYMBOL && token->symbol == symbol && !tl_parser_ended (parser);
}

gboolean
tl_parser_is_reserved (const TlParser *parser, TlReserved word)
{
  const TlToken *token = tl_parser_token (parser);
  return token->kind == TL_TOKEN_RESERVED && token->symbol == word && !tl_parser_ended (parser);
}

gboolean
tl_parser_is_word (const TlParser *parser, const char *word)
{
  const TlToken *token = tl_parser_token (parser);
  return token->kind == TL_TOKEN_WORD && spelled (parser, token, word) && !tl_parser_ended (parser);
}

gboolean
tl_parser_take_symbol (TlParser *parser, guint16 symbol)
{
  if (!tl_parser_is_symbol (parser, symbol))
    return FALSE;
  parser->at++;
  return TRUE;
}

void
tl_parser_open (TlParser *parser)
{
  parser->at++;
  parser->brackets++;
}

guint32
tl_parser_last_end (const TlParser *parser)
{
  return parser->at == 0 ? 0 : parser->tokens[parser->at - 1].token.span.end;
}

TlSpan
tl_parser_here (const TlParser *parser)
{
  if (tl_parser_ended (parser))
    return tl_span (tl_parser_last_end (parser), tl_parser_last_end (parser));
  return tl_parser_token (parser)->span;
}

const char *
tl_parser_text (TlParser *parser, TlSpan span)
{
  return tl_arena_text (parser->arena, parser->text + span.start, span.end - span.start);
}

#define LONGEST_SHOWN 40

char *
tl_parser_describe (const TlParser *parser)
{
  const TlToken   *token = tl_parser_token (parser);
  guint32          length = token->span.end - token->span.start;
  g_autofree char *shown = NULL;

  if (tl_parser_ended (parser))
    return g_strdup (token->kind == TL_TOKEN_END ? "the end of the text" : "the end of the line");
  shown = g_utf8_make_valid (parser->text + token->span.start, MIN (length, LONGEST_SHOWN));
  switch (token->kind)
    {
    case TL_TOKEN_STRING:
      return g_strdup_printf ("the string %s%s", shown, length > LONGEST_SHOWN ? "..." : "");
    case TL_TOKEN_INTEGER:
    case TL_TOKEN_REAL:
    case TL_TOKEN_PERCENT:
    case TL_TOKEN_QUANTITY:
      return g_strdup_printf ("the number %s%s", shown, length > LONGEST_SHOWN ? "..." : "");
    default:
      return g_strdup_printf ("`%s%s`", shown, length > LONGEST_SHOWN ? "..." : "");
    }
}

/* Whether the lexer has already found fault with the statement up to here: then what
 * the parser stumbles over is an echo. */
static gboolean
lexer_complained (const TlParser *parser)
{
  guint32 start = parser->tokens[parser->start].token.span.start, end = tl_parser_token (parser)->span.start;
  guint   low = 0, high = parser->lexed_mistakes->len;

  while (start > 0 && parser->text[start - 1] != '\n' && parser->text[start - 1] != '\r')
    start--;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      if (g_array_index (parser->lexed_mistakes, guint32, middle) < start)
        low = middle + 1;
      else
        high = middle;
    }
  return low < parser->lexed_mistakes->len && g_array_index (parser->lexed_mistakes, guint32, low) <= end;
}

TlDiag *
tl_parser_fail (TlParser *parser, const char *code, TlSpan span, const char *format, ...)
{
  gboolean silent = parser->failed || parser->patched || lexer_complained (parser);

  parser->failed = TRUE;
  parser->damaged = TRUE;
  if (silent)
    return NULL;
  va_list args;
  va_start (args, format);
  g_autofree char *message = g_strdup_vprintf (format, args);
  va_end (args);
  return tl_report (&parser->reporter, TL_SEVERITY_ERROR, code, span, "%s", message);
}

TlDiag *
tl_parser_patch (TlParser *parser, const char *code, TlSpan span, const char *format, ...)
{
  gboolean silent = parser->failed;

  parser->patched = TRUE;
  /* A text beyond all help is not repaired any further. */
  parser->failed |= tl_report_full (&parser->reporter);
  if (silent)
    return NULL;
  va_list args;
  va_start (args, format);
  g_autofree char *message = g_strdup_vprintf (format, args);
  va_end (args);
  return tl_report (&parser->reporter, TL_SEVERITY_ERROR, code, span, "%s", message);
}

static char
partner_of (guint16 bracket)
{
  return bracket == '(' ? ')' : ']';
}

/* Whether @bracket closes one that was opened before the innermost. */
static gboolean
closes_an_outer (const TlParser *parser, guint opened, char bracket)
{
  guint depth = 0;

  for (guint at = opened; at-- > parser->start;)
    {
      const TlToken *token = &parser->tokens[at].token;
      if (token->kind != TL_TOKEN_SYMBOL)
        continue;
      if (token->symbol == ')' || token->symbol == ']')
        depth++;
      else if ((token->symbol == '(' || token->symbol == '[') && depth-- == 0)
        return partner_of (token->symbol) == bracket;
    }
  return FALSE;
}

void
tl_parser_close (TlParser *parser, guint opened, char bracket)
{
  const char written[] = { bracket, '\0' };

  if (parser->failed)
    return;
  if (tl_parser_take_symbol (parser, bracket))
    {
      parser->brackets--;
      return;
    }
  TlPosition from = tl_source_position (parser->source, parser->tokens[opened].token.span.start);
  if ((tl_parser_is_symbol (parser, ')') || tl_parser_is_symbol (parser, ']'))
      && !closes_an_outer (parser, opened, (char) tl_parser_token (parser)->symbol))
    {
      TlDiag *diag = tl_parser_patch (parser, "wrong-bracket", tl_parser_here (parser), "`%c` closes `%c`, not `%c`",
                                      (char) tl_parser_token (parser)->symbol, bracket == ')' ? '(' : '[',
                                      bracket == ')' ? '[' : '(');
      tl_report_fix (diag, tl_parser_here (parser), written, "write %s", written);
      parser->at++;
      parser->brackets--;
      return;
    }
  if (!tl_parser_ended (parser) && tl_parser_token (parser)->kind != TL_TOKEN_RESERVED
      && !tl_parser_is_symbol (parser, ')') && !tl_parser_is_symbol (parser, ']') && !tl_parser_is_symbol (parser, '=')
      && !tl_parser_is_symbol (parser, ':') && !parser->tokens[parser->at].first)
    {
      g_autofree char *found = tl_parser_describe (parser);
      TlDiag          *diag
          = tl_parser_fail (parser, "unexpected-token", tl_parser_here (parser), "%s was not expected here", found);
      tl_report_reason (diag, "the bracket opened at %u:%u goes on with an operator or a comma, or ends with `%c`",
                        from.line, from.column, bracket);
      return;
    }
  guint32 place = tl_parser_last_end (parser);
  if (parser->bracket_fix != NULL)
    {
      TlEdit *last = &g_array_index (parser->bracket_fix->edits, TlEdit, parser->bracket_fix->edits->len - 1);
      if (last->span.start == place && last->span.end == place)
        {
          char *both = g_strconcat (last->replacement, written, NULL);
          g_free (last->replacement);
          last->replacement = both;
        }
      else if (last->span.end < place)
        tl_fix_edit (parser->bracket_fix, tl_span (place, place), written);
    }
  else
    {
      TlDiag *diag
          = tl_parser_patch (parser, "missing-bracket", tl_span (place, place), "`%c` is missing here", bracket);
      tl_report_reason (diag, "the bracket opened at %u:%u is not closed", from.line, from.column);
      if (diag != NULL)
        parser->bracket_fix = tl_diag_fix (diag, "close the bracket", tl_span (place, place), written);
    }
  parser->patched = parser->guessed = TRUE;
  parser->brackets--;
}

const char *
tl_parser_name (TlParser *parser, const char *what, TlSpan *span)
{
  const TlToken *token = tl_parser_token (parser);

  if (parser->failed)
    return NULL;
  if (tl_parser_ended (parser) || (token->kind != TL_TOKEN_WORD && token->kind != TL_TOKEN_RESERVED))
    {
      g_autofree char *found = tl_parser_describe (parser);
      tl_parser_fail (parser, "missing-name", tl_parser_here (parser), "%s is missing: %s stands there", what, found);
      return NULL;
    }
  *span = token->span;
  const char *name = tl_parser_text (parser, token->span);
  if (token->kind == TL_TOKEN_RESERVED)
    {
      TlDiag *diag = tl_parser_patch (parser, "reserved-name", token->span,
                                      "`%s` is a word of the language and cannot be %s", name, what);
      tl_report_reason (diag,
                        "reserved: min max or and not over for in if else within mod inf result; choose another name");
    }
  parser->at++;
  return name;
}

void
tl_parser_begin (TlParser *parser)
{
  parser->start = parser->at;
  parser->brackets = 0;
  parser->nesting = 0;
  parser->failed = FALSE;
  parser->patched = FALSE;
  parser->guessed = FALSE;
  parser->units = FALSE;
  parser->layouts = FALSE;
  parser->bracket_fix = NULL;
}

/* Whether the line at token @at starts as statements do: then a bracket that is
 * still open was forgotten rather than goes on there. */
static gboolean
looks_like_statement (const TlParser *parser, guint at)
{
  const TlToken *token = &token_at (parser, at)->token;
  guint          depth = 0;

  if (token->kind == TL_TOKEN_RESERVED)
    return token->symbol == TL_RESERVED_FOR || token->symbol == TL_RESERVED_IF || token->symbol == TL_RESERVED_ELSE
           || token->symbol == TL_RESERVED_RESULT;
  if (token->kind != TL_TOKEN_WORD)
    return FALSE;
  if (tl_parser_is_section (parser, at))
    return TRUE;
  for (at++; at < parser->n_tokens && !parser->tokens[at].first; at++)
    {
      token = &parser->tokens[at].token;
      if (token->kind != TL_TOKEN_SYMBOL)
        {
          if (depth == 0)
            return FALSE;
        }
      else if (token->symbol == '[')
        depth++;
      else if (token->symbol == ']' && depth > 0)
        depth--;
      else if (depth == 0)
        return token->symbol == '=';
    }
  return FALSE;
}

void
tl_parser_finish (TlParser *parser)
{
  if (!parser->failed && !tl_parser_ended (parser))
    {
      g_autofree char *found = tl_parser_describe (parser);
      if (tl_parser_is_symbol (parser, ')') || tl_parser_is_symbol (parser, ']'))
        {
          TlDiag *diag = tl_parser_fail (parser, "stray-bracket", tl_parser_here (parser), "%s closes nothing", found);
          tl_report_fix (diag, tl_parser_here (parser), "", "remove it");
        }
      else
        tl_parser_fail (parser, "unexpected-token", tl_parser_here (parser), "the statement ends before %s", found);
    }
  for (; parser->tokens[parser->at].token.kind != TL_TOKEN_END; parser->at++)
    {
      const TlToken *token = tl_parser_token (parser);
      if (parser->tokens[parser->at].first && parser->at > parser->start
          && ((parser->brackets == 0 && !goes_on_after (&parser->tokens[parser->at - 1].token))
              || looks_like_statement (parser, parser->at)))
        break;
      if (token->kind == TL_TOKEN_SYMBOL && (token->symbol == '(' || token->symbol == '['))
        parser->brackets++;
      else if (token->kind == TL_TOKEN_SYMBOL && (token->symbol == ')' || token->symbol == ']') && parser->brackets > 0)
        parser->brackets--;
    }
  parser->brackets = 0;
}
