/* From a text to its tree: the sections of a program, and going on after mistakes
 * at the next line or keyword. */
#include "dsl/parser-private.h"

#include <string.h>

/* What tree lists grow in while parsing; copied into the arena at the end. */
typedef struct
{
  GPtrArray *algorithms;
  GPtrArray *semirings;
  GPtrArray *ops;
  GPtrArray *data;
  GPtrArray *config;
  GPtrArray *places;
  GPtrArray *body;   /* of the present algorithm, or NULL */
  guint32    indent; /* of its header */
} Lists;

static const char *const sections[] = { "algorithm", "data", "config", "place", "semiring", "op" };

/* Drops what the grammar does not see, and notes where lines begin and how far in. */
static void
collect_tokens (TlParser *parser, const GArray *tokens)
{
  gboolean first = TRUE;
  guint32  indent = 0;

  parser->tokens = g_new (TlParserToken, tokens->len);
  for (guint i = 0; i < tokens->len; i++)
    {
      const TlToken *token = &g_array_index (tokens, TlToken, i);
      switch (token->kind)
        {
        case TL_TOKEN_SPACE:
          for (guint32 at = token->span.start; first && at < token->span.end; at++)
            indent = parser->text[at] == '\t' ? (indent / 8 + 1) * 8 : indent + 1;
          break;
        case TL_TOKEN_NEWLINE:
          first = TRUE;
          indent = 0;
          break;
        case TL_TOKEN_BOM:
        case TL_TOKEN_COMMENT:
        case TL_TOKEN_BAD:
          break;
        default:
          parser->tokens[parser->n_tokens++] = (TlParserToken) { *token, indent, first || token->kind == TL_TOKEN_END };
          first = FALSE;
          break;
        }
    }
  parser->tokens[parser->n_tokens - 1].indent = 0;
}

static void
close_algorithm (TlParser *parser, Lists *lists)
{
  if (lists->body == NULL)
    return;
  TlAlgorithm *algorithm = g_ptr_array_index (lists->algorithms, lists->algorithms->len - 1);
  algorithm->body = tl_arena_list (parser->arena, lists->body);
  algorithm->n_body = lists->body->len;
  if (algorithm->n_body > 0)
    algorithm->span.end = MAX (algorithm->span.end, algorithm->body[algorithm->n_body - 1]->span.end);
  g_clear_pointer (&lists->body, g_ptr_array_unref);
}

static void
parse_algorithm (TlParser *parser, Lists *lists)
{
  TlAlgorithm *algorithm = tl_arena_new_of (parser->arena, TlAlgorithm, 1);
  guint32      indent = parser->tokens[parser->start].indent;

  close_algorithm (parser, lists);
  algorithm->span = parser->tokens[parser->start].token.span;
  algorithm->name = tl_parser_name (parser, "the algorithm's name", &algorithm->name_span);
  if (algorithm->name == NULL)
    {
      algorithm->name = "";
      algorithm->name_span = tl_span (tl_parser_last_end (parser), tl_parser_last_end (parser));
    }
  if (tl_parser_is_symbol (parser, ':'))
    {
      TlSpan  colon = tl_parser_here (parser);
      TlDiag *diag = tl_parser_patch (parser, "unexpected-token", colon, "no colon stands after an algorithm's name");
      tl_report_fix (diag, colon, "", "remove it");
      parser->at++;
    }
  algorithm->span.end = tl_parser_last_end (parser);
  tl_parser_finish (parser);
  g_ptr_array_add (lists->algorithms, algorithm);
  lists->body = g_ptr_array_new ();
  lists->indent = indent;
  tl_parse_block (parser, indent, lists->body);
}

static void
add_unless_null (GPtrArray *list, gpointer item)
{
  if (item != NULL)
    g_ptr_array_add (list, item);
}

/* The section that @word starts; the parser stands after it. */
static void
parse_section (TlParser *parser, const char *word, Lists *lists)
{
  parser->at++;
  switch (word[0])
    {
    case 'a':
      parse_algorithm (parser, lists);
      break;
    case 'd':
      add_unless_null (lists->data, tl_parse_data (parser));
      break;
    case 'c':
      tl_parse_config (parser, parser->start, lists->config);
      break;
    case 'p':
      add_unless_null (lists->places, tl_parse_place (parser));
      break;
    case 's':
      add_unless_null (lists->semirings, tl_parse_semiring (parser));
      break;
    default:
      add_unless_null (lists->ops, tl_parse_op (parser));
      break;
    }
}

/* The section word that a mistyped first word of a line meant, or NULL. */
static const char *
meant_section (TlParser *parser)
{
  const TlToken   *first = tl_parser_token (parser), *second = tl_parser_ahead (parser, 1);
  g_autofree char *word = NULL;

  if (first->kind != TL_TOKEN_WORD || second == NULL)
    return NULL;
  word = g_strndup (parser->text + first->span.start, first->span.end - first->span.start);
  const char *meant = tl_word_nearest (word, sections, G_N_ELEMENTS (sections));
  if (meant == NULL)
    return NULL;
  if (strcmp (meant, "semiring") == 0)
    return second->symbol == '(' ? meant : NULL;
  return second->kind == TL_TOKEN_WORD ? meant : NULL;
}

/* A line at the algorithm's own indentation, or before any algorithm. */
static void
parse_stray_line (TlParser *parser, Lists *lists)
{
  const TlParserToken *token = &parser->tokens[parser->at];
  const char          *meant = meant_section (parser);
  gboolean             inside = lists->body != NULL && token->indent > lists->indent;

  if (meant != NULL && !(inside && tl_word_distance ("for", tl_parser_text (parser, token->token.span)) <= 1))
    {
      TlDiag *diag = tl_parser_patch (parser, "unknown-keyword", token->token.span, "no line starts with `%s`",
                                      tl_parser_text (parser, token->token.span));
      tl_report_fix (diag, token->token.span, meant, "write %s", meant);
      return parse_section (parser, meant, lists);
    }
  if (inside)
    return tl_parse_block (parser, lists->indent, lists->body);

  g_autoptr (GPtrArray) lost = g_ptr_array_new ();
  gboolean result = token->token.kind == TL_TOKEN_RESERVED && token->token.symbol == TL_RESERVED_RESULT;
  if (token->token.symbol == TL_SYMBOL_FLOOR_DIVIDE || (lists->body != NULL && result))
    return tl_parse_statement (parser, lists->body != NULL ? lists->body : lost);
  guint   place = token->token.span.start;
  TlDiag *diag = NULL;
  if (lists->body != NULL && (token->token.kind == TL_TOKEN_WORD || token->token.kind == TL_TOKEN_RESERVED))
    {
      diag = tl_parser_patch (parser, "not-indented", token->token.span, "this line stands under no header");
      tl_report_reason (diag, "a line belongs to the nearest header above it that is less indented");
      tl_report_fix (diag, tl_span (place, place), "  ", "indent it");
    }
  else if (token->token.kind == TL_TOKEN_WORD || token->token.kind == TL_TOKEN_RESERVED)
    {
      g_autofree char *list = g_strjoinv (
          ", ", (char **) (const char *[]) { "algorithm", "data", "config", "place", "semiring", "op", NULL });
      diag = tl_parser_patch (parser, "outside-algorithm", token->token.span, "this statement stands in no algorithm");
      tl_report_reason (diag, "a program's sections start with %s", list);
      parser->damaged = TRUE;
    }
  else
    {
      g_autofree char *found = tl_parser_describe (parser);
      tl_parser_fail (parser, "unexpected-token", token->token.span, "no line starts with %s", found);
      return tl_parser_finish (parser);
    }
  tl_parse_statement (parser, lists->body != NULL ? lists->body : lost);
}

static void
parse_program (TlParser *parser, Lists *lists)
{
  while (tl_parser_token (parser)->kind != TL_TOKEN_END)
    {
      guint before = parser->at;
      tl_parser_begin (parser);
      g_array_set_size (parser->open_ifs, 0);
      parser->nest = 0;
      if (tl_parser_is_section (parser, parser->at))
        {
          const TlToken *token = tl_parser_token (parser);
          parse_section (parser, parser->text + token->span.start, lists);
        }
      else
        parse_stray_line (parser, lists);
      if (parser->at == before)
        parser->at++;
    }
  close_algorithm (parser, lists);
}

static int
compare_offsets (gconstpointer a, gconstpointer b)
{
  const guint32 *first = a, *second = b;
  return *first < *second ? -1 : *first > *second;
}

TlAst *
tl_parse (TlSource *source, TlDiags *diags)
{
  g_return_val_if_fail (source != NULL, NULL);

  TlParser parser = {
    .reporter = { source, diags, 0, 0, FALSE },
    .source = source,
    .text = tl_source_text (source),
    .arena = tl_arena_new (),
    .lexed_mistakes = g_array_new (FALSE, FALSE, sizeof (guint32)),
    .open_ifs = g_array_new (FALSE, FALSE, sizeof (TlOpenIf)),
  };
  Lists lists = { g_ptr_array_new (),
                  g_ptr_array_new (),
                  g_ptr_array_new (),
                  g_ptr_array_new (),
                  g_ptr_array_new (),
                  g_ptr_array_new (),
                  NULL,
                  0 };
  guint before = diags == NULL ? 0 : tl_diags_count (diags);
  g_autoptr (GArray) tokens = tl_lex_reporting (&parser.reporter);

  for (guint i = before; diags != NULL && i < tl_diags_count (diags); i++)
    if (tl_diags_get (diags, i)->severity == TL_SEVERITY_ERROR)
      g_array_append_val (parser.lexed_mistakes, tl_diags_get (diags, i)->span.start);
  g_array_sort (parser.lexed_mistakes, compare_offsets);
  collect_tokens (&parser, tokens);
  parse_program (&parser, &lists);

  TlAst *ast = g_new0 (TlAst, 1);
  g_atomic_ref_count_init (&ast->refs);
  ast->source = tl_source_ref (source);
  ast->arena = parser.arena;
  ast->damaged = parser.damaged || parser.reporter.mistakes > 0;
  ast->lost_data = parser.lost_data;
#define KEEP(list, type)                                                                                               \
  ast->list = (type **) tl_arena_list (parser.arena, lists.list);                                                      \
  ast->n_##list = lists.list->len;                                                                                     \
  g_ptr_array_unref (lists.list)
  KEEP (algorithms, TlAlgorithm);
  KEEP (semirings, TlSemiringDecl);
  KEEP (ops, TlOpDecl);
  KEEP (data, TlDataDecl);
  KEEP (config, TlConfigItem);
  KEEP (places, TlPlaceDecl);
#undef KEEP
  g_free (parser.tokens);
  g_array_unref (parser.open_ifs);
  g_array_unref (parser.lexed_mistakes);
  return ast;
}
