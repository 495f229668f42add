/* Config and place lines. The grammar of a config value is chosen by its key; an
 * item ends at a comma outside brackets followed by KEY =. language.md, ruling 3. */
#include "dsl/knobs.h"
#include "dsl/parser-private.h"

#include <string.h>

/* Whether KEY = (or target.KEY =, copy-writes =) starts at @ahead tokens from here. */
static gboolean
item_starts (const TlParser *parser, guint ahead)
{
  const TlToken *token = tl_parser_ahead (parser, ahead);

  if (token == NULL || (token->kind != TL_TOKEN_WORD && token->kind != TL_TOKEN_RESERVED))
    return FALSE;
  for (guint words = 0; words < 4; words++)
    {
      token = tl_parser_ahead (parser, ++ahead);
      if (token == NULL || token->kind != TL_TOKEN_SYMBOL)
        return FALSE;
      if (token->symbol == '=')
        return TRUE;
      if (token->symbol != '.' && token->symbol != '-')
        return FALSE;
      token = tl_parser_ahead (parser, ++ahead);
      if (token == NULL || token->kind != TL_TOKEN_WORD)
        return FALSE;
    }
  return FALSE;
}

/* gendram, cu-t8b16, lesson-c1: words and numbers joined by hyphens without gaps. */
static TlExpr *
parse_target (TlParser *parser)
{
  const TlToken first = *tl_parser_token (parser);

  if (!tl_parser_ended (parser) && first.kind == TL_TOKEN_STRING)
    return tl_parse_string (parser);
  if (tl_parser_ended (parser) || first.kind != TL_TOKEN_WORD)
    {
      g_autofree char *found = tl_parser_describe (parser);
      TlDiag          *diag = tl_parser_fail (parser, "missing-name", tl_parser_here (parser),
                                              "a target's name is missing: %s stands there", found);
      tl_report_reason (diag, "target = NAME, or target = \"FILE.xml\"");
      return NULL;
    }
  gboolean path = FALSE;
  do
    {
      const TlToken *token = tl_parser_token (parser);
      path |= token->kind == TL_TOKEN_SYMBOL && token->symbol != '-';
      parser->at++;
    }
  while (!tl_parser_ended (parser) && tl_parser_token (parser)->span.start == tl_parser_last_end (parser)
         && (tl_parser_token (parser)->kind != TL_TOKEN_SYMBOL
             || strchr ("-./", (int) (tl_parser_token (parser)->symbol & 0xff)))
         && tl_parser_token (parser)->kind != TL_TOKEN_STRING);
  TlSpan  span = tl_span (first.span.start, tl_parser_last_end (parser));
  TlExpr *expr = tl_parser_new_expr (parser, TL_EXPR_NAME, span);
  expr->text = tl_parser_text (parser, span);
  if (path)
    {
      g_autofree char *quoted = g_strdup_printf ("\"%s\"", expr->text);
      TlDiag          *diag = tl_parser_patch (parser, "unquoted-path", span, "a target's file stands in quotes");
      tl_report_fix (diag, span, quoted, "quote it");
      expr->kind = TL_EXPR_STRING;
    }
  return expr;
}

/* match 2 mismatch -4 | matrix "FILE" | open 5 extend 1: each word with its value. */
static TlExpr *
parse_words (TlParser *parser)
{
  g_autoptr (GPtrArray) pairs = g_ptr_array_new ();
  TlExpr *words = tl_parser_new_expr (parser, TL_EXPR_WORDS, tl_parser_here (parser));

  while (!tl_parser_ended (parser) && tl_parser_token (parser)->kind == TL_TOKEN_WORD && !item_starts (parser, 0))
    {
      TlExpr *pair = tl_parser_new_expr (parser, TL_EXPR_NAMED, tl_parser_token (parser)->span);
      pair->text = tl_parser_text (parser, pair->span);
      parser->at++;
      TlExpr *value = !tl_parser_ended (parser) && tl_parser_token (parser)->kind == TL_TOKEN_STRING
                          ? tl_parse_string (parser)
                          : tl_parse_integer (parser);
      pair->span.end = tl_parser_last_end (parser);
      pair = tl_parser_with_1 (parser, pair, value);
      if (pair == NULL)
        return NULL;
      g_ptr_array_add (pairs, pair);
    }
  words->span.end = MAX (words->span.start, tl_parser_last_end (parser));
  return tl_parser_with_args (parser, words, pairs);
}

/* Any value: an expression, a ratio a : b, or sizes that lack their brackets. */
static TlExpr *
parse_value (TlParser *parser)
{
  guint   first = parser->at;
  TlExpr *value = NULL;

  parser->units = TRUE;
  value = tl_parse_expr (parser);
  if (value != NULL && tl_parser_is_symbol (parser, ':'))
    {
      TlExpr *ratio = tl_parser_new_expr (parser, TL_EXPR_RATIO, value->span);
      ratio->op_span = tl_parser_token (parser)->span;
      parser->at++;
      TlExpr *second = tl_parse_expr (parser);
      ratio->span = tl_span (parser->tokens[first].token.span.start, tl_parser_last_end (parser));
      value = tl_parser_with_2 (parser, ratio, value, second);
    }
  if (value != NULL && tl_parser_is_symbol (parser, ',') && !item_starts (parser, 1)
      && tl_parser_ahead (parser, 1) != NULL)
    {
      g_autoptr (GPtrArray) parts = g_ptr_array_new ();
      guint32 start = parser->tokens[first].token.span.start;
      g_ptr_array_add (parts, value);
      while (tl_parser_is_symbol (parser, ',') && !item_starts (parser, 1))
        {
          parser->at++;
          TlExpr *part = tl_parse_expr (parser);
          if (part == NULL)
            return NULL;
          g_ptr_array_add (parts, part);
        }
      TlSpan  span = tl_span (start, tl_parser_last_end (parser));
      TlDiag *diag = tl_parser_patch (parser, "missing-bracket", span, "several values stand in brackets");
      tl_report_reason (diag, "a comma ends the item unless it is followed by KEY =");
      tl_report_fix_2 (diag, tl_span (span.start, span.start), "(", tl_span (span.end, span.end), ")",
                       "put them in brackets");
      value = tl_parser_with_args (parser, tl_parser_new_expr (parser, TL_EXPR_TUPLE, span), parts);
    }
  parser->units = FALSE;
  return value;
}

static TlExpr *
parse_value_of (TlParser *parser, const char *key)
{
  const TlKnob  *knob = tl_knob_find (key);
  gboolean       word = !tl_parser_ended (parser) && tl_parser_token (parser)->kind == TL_TOKEN_WORD;
  const TlToken *next = tl_parser_ahead (parser, 1);

  if (knob != NULL && knob->kind == TL_KNOB_TARGET)
    return parse_target (parser);
  if (knob != NULL && word && next != NULL && (knob->kind == TL_KNOB_SCORE || knob->kind == TL_KNOB_GAP)
      && next->symbol != '(' && next->symbol != ',' && !item_starts (parser, 0))
    return parse_words (parser);
  return parse_value (parser);
}

/* The item's key; FALSE when there is none. */
static gboolean
parse_key (TlParser *parser, TlConfigItem *item)
{
  const TlToken *token = tl_parser_token (parser);

  if (tl_parser_ended (parser) || (token->kind != TL_TOKEN_WORD && token->kind != TL_TOKEN_RESERVED))
    {
      g_autofree char *found = tl_parser_describe (parser);
      TlDiag          *diag = tl_parser_fail (parser, "missing-name", tl_parser_here (parser),
                                              "a key is missing: %s stands there", found);
      tl_report_reason (diag, "config KEY = VALUE, KEY = VALUE");
      return FALSE;
    }
  item->key_span = token->span;
  parser->at++;
  /* No key has a hyphen, but who writes one is told which is meant. */
  while ((tl_parser_is_symbol (parser, '.') || tl_parser_is_symbol (parser, '-')) && tl_parser_ahead (parser, 1) != NULL
         && tl_parser_ahead (parser, 1)->kind == TL_TOKEN_WORD
         && tl_parser_token (parser)->span.start == tl_parser_last_end (parser)
         && tl_parser_ahead (parser, 1)->span.start == tl_parser_token (parser)->span.end)
    {
      parser->at += 2;
      item->key_span.end = tl_parser_last_end (parser);
    }
  item->key = tl_parser_text (parser, item->key_span);
  return TRUE;
}

/* Whether a value can start here. */
static gboolean
value_starts (const TlParser *parser)
{
  const TlToken *token = tl_parser_token (parser);

  return !tl_parser_ended (parser)
         && (token->kind != TL_TOKEN_SYMBOL || token->symbol == '(' || token->symbol == '-' || token->symbol == '[');
}

static void
take_equals (TlParser *parser, const TlConfigItem *item)
{
  guint32 place = tl_parser_last_end (parser);

  if (tl_parser_take_symbol (parser, '=') || parser->failed)
    return;
  if (tl_parser_is_symbol (parser, ':') || tl_parser_is_symbol (parser, TL_SYMBOL_EQUAL))
    {
      TlSpan  span = tl_parser_token (parser)->span;
      TlDiag *diag = tl_parser_patch (parser, "missing-equals", span, "a config item is written KEY = VALUE");
      tl_report_fix (diag, span, parser->text[place] == ' ' ? "=" : " =", "write =");
      parser->at++;
    }
  else if (value_starts (parser))
    {
      TlDiag *diag
          = tl_parser_patch (parser, "missing-equals", tl_span (place, place), "`=` is missing after %s", item->key);
      tl_report_fix (diag, tl_span (place, place), " =", "insert =");
    }
  else
    {
      g_autofree char *found = tl_parser_describe (parser);
      tl_parser_fail (parser, "missing-equals", tl_parser_here (parser), "`=` is missing after %s: %s stands there",
                      item->key, found);
    }
}

/* After a mistake: to the comma before the next item, or the statement's end. */
static void
skip_item (TlParser *parser)
{
  while (!tl_parser_ended (parser) && !(tl_parser_is_symbol (parser, ',') && item_starts (parser, 1)))
    parser->at++;
}

void
tl_parse_config (TlParser *parser, guint config_at, GPtrArray *items)
{
  guint    first = items->len;
  gboolean any_failed = FALSE;
  TlSpan   line = parser->tokens[config_at].token.span;

  for (;;)
    {
      TlConfigItem *item = tl_arena_new_of (parser->arena, TlConfigItem, 1);
      parser->failed = parser->patched = FALSE;
      parser->bracket_fix = NULL;
      if (parse_key (parser, item))
        {
          take_equals (parser, item);
          guint value_at = parser->at;
          item->value = parser->failed ? NULL : parse_value_of (parser, item->key);
          item->value_span = tl_span (parser->tokens[value_at].token.span.start, tl_parser_last_end (parser));
        }
      parser->brackets = 0;
      if (item->value != NULL && !parser->failed)
        {
          item->span = tl_span_join (item->key_span, item->value_span);
          g_ptr_array_add (items, item);
        }
      if (tl_parser_ended (parser) && !parser->failed)
        break;
      if (!parser->failed && !tl_parser_is_symbol (parser, ','))
        {
          if (item_starts (parser, 0))
            {
              guint32 place = tl_parser_last_end (parser);
              TlDiag *diag = tl_parser_patch (parser, "missing-comma", tl_span (place, place),
                                              "a comma is missing between two items");
              tl_report_fix (diag, tl_span (place, place), ",", "insert the comma");
              continue;
            }
          g_autofree char *found = tl_parser_describe (parser);
          tl_parser_fail (parser, "unexpected-token", tl_parser_here (parser), "the value of %s ends before %s",
                          item->key, found);
        }
      any_failed |= parser->failed;
      if (parser->failed)
        skip_item (parser);
      if (!tl_parser_take_symbol (parser, ','))
        break;
      if (tl_parser_ended (parser))
        {
          TlSpan  comma = parser->tokens[parser->at - 1].token.span;
          TlDiag *diag = tl_parser_patch (parser, "missing-name", comma, "no item follows this comma");
          tl_report_fix (diag, comma, "", "remove it");
          break;
        }
    }
  parser->failed |= any_failed;
  line.end = tl_parser_last_end (parser);
  for (guint i = first; i < items->len; i++)
    ((TlConfigItem *) g_ptr_array_index (items, i))->line_span = line;
  tl_parser_finish (parser);
}

/* --- place X = auto | plan | identity | packed | tier 3 | fill 0..7 | stripe 0..3 | layout EXPR --- */

static TlExpr *
parse_placement (TlParser *parser)
{
  static const char *const words[] = { "auto", "plan", "identity", "packed", "tier", "fill", "stripe", "layout" };
  TlSpan                   span = { 0 };
  const char              *word = tl_parser_name (parser, "a placement", &span);
  guint                    kind = 0;

  if (word == NULL)
    return NULL;
  while (kind < G_N_ELEMENTS (words) && strcmp (words[kind], word) != 0)
    kind++;
  if (kind == G_N_ELEMENTS (words))
    {
      const char *meant = tl_word_nearest (word, words, G_N_ELEMENTS (words));
      TlDiag     *diag = tl_parser_patch (parser, "unknown-placement", span, "`%s` is no placement", word);
      tl_report_reason (diag,
                        "placements: auto, plan, identity, packed, tier 3, fill 0..7, stripe 0..3, layout EXPRESSION");
      if (meant == NULL)
        {
          parser->failed = parser->damaged = TRUE;
          return NULL;
        }
      tl_report_fix (diag, span, meant, "write %s", meant);
      word = meant;
      for (kind = 0; strcmp (words[kind], meant) != 0;)
        kind++;
    }
  TlExpr *expr = tl_parser_new_expr (parser, kind < 4 ? TL_EXPR_NAME : TL_EXPR_CALL, span);
  TlExpr *arg = NULL;
  expr->text = word;
  switch (kind)
    {
    case 4:
      arg = tl_parse_integer (parser);
      break;
    case 5:
    case 6:
      arg = tl_parse_range (parser);
      break;
    case 7:
      {
        guint first = parser->at;
        parser->layouts = TRUE;
        arg = tl_parse_expr (parser);
        if (arg != NULL && tl_parser_is_symbol (parser, ':'))
          {
            TlExpr *ratio = tl_parser_new_expr (parser, TL_EXPR_RATIO, arg->span);
            ratio->op_span = tl_parser_token (parser)->span;
            parser->at++;
            TlExpr *stride = tl_parse_expr (parser);
            ratio->span = tl_span (parser->tokens[first].token.span.start, tl_parser_last_end (parser));
            arg = tl_parser_with_2 (parser, ratio, arg, stride);
          }
        parser->layouts = FALSE;
        break;
      }
    default:
      return expr;
    }
  expr->span.end = tl_parser_last_end (parser);
  return arg == NULL ? NULL : tl_parser_with_1 (parser, expr, arg);
}

TlPlaceDecl *
tl_parse_place (TlParser *parser)
{
  TlPlaceDecl *place = tl_arena_new_of (parser->arena, TlPlaceDecl, 1);

  place->span = parser->tokens[parser->start].token.span;
  place->name = tl_parser_name (parser, "the name of what to place", &place->name_span);
  if (place->name != NULL && !tl_parser_take_symbol (parser, '='))
    {
      guint32 at = tl_parser_last_end (parser);
      if (!tl_parser_ended (parser) && tl_parser_token (parser)->kind == TL_TOKEN_WORD)
        {
          TlDiag *diag
              = tl_parser_patch (parser, "missing-equals", tl_span (at, at), "`=` is missing after %s", place->name);
          tl_report_fix (diag, tl_span (at, at), " =", "insert =");
        }
      else
        {
          g_autofree char *found = tl_parser_describe (parser);
          tl_parser_fail (parser, "missing-equals", tl_parser_here (parser), "`=` is missing after %s: %s stands there",
                          place->name, found);
        }
    }
  guint value_at = parser->at;
  if (!parser->failed)
    place->value = parse_placement (parser);
  if (place->value != NULL)
    place->value_span = tl_span (parser->tokens[value_at].token.span.start, tl_parser_last_end (parser));
  place->span.end = tl_parser_last_end (parser);
  tl_parser_finish (parser);
  return place->value == NULL || parser->failed ? NULL : place;
}
