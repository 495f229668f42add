/* The declarations: data, semiring, op. */
#include "dsl/parser-private.h"

#include <string.h>

static void
parse_type (TlParser *parser, TlDataDecl *data)
{
  TlSpan      span = { 0 };
  const char *word = tl_parser_name (parser, "the element type", &span);

  if (word == NULL)
    return;
  data->type_span = span;
  if (!tl_element_type_parse (word, &data->type))
    {
      static const char *const types[]
          = { "i32", "f32", "bool", "i64", "i16", "i8", "i7", "i6",  "i5",  "i4",   "i3",     "i2",     "i1",    "u8",
              "u7",  "u6",  "u5",   "u4",  "u3",  "u2", "u1", "f16", "f64", "bf16", "f8e4m3", "f8e5m2", "f6e3m2" };
      const char *meant = strcmp (word, "int") == 0      ? "i32"
                          : strcmp (word, "float") == 0  ? "f32"
                          : strcmp (word, "double") == 0 ? "f64"
                                                         : tl_word_nearest (word, types, G_N_ELEMENTS (types));
      TlDiag     *diag = tl_parser_patch (parser, "unknown-type", span, "`%s` is no element type", word);
      tl_report_reason (diag, "types: u1..u8, i1..i8, i16, i32, i64, f16, bf16, f32, f64, bool, f3e1m1..f8e5m2");
      if (meant != NULL)
        tl_report_fix (diag, span, meant, "write %s", meant);
      data->damaged = parser->damaged = TRUE;
    }
  if (!tl_parser_is_symbol (parser, '['))
    return;
  g_autoptr (GPtrArray) shape = g_ptr_array_new ();
  guint opened = parser->at;
  tl_parser_open (parser);
  do
    {
      TlExpr *extent = tl_parse_expr (parser);
      if (extent == NULL)
        return;
      g_ptr_array_add (shape, extent);
    }
  while (tl_parser_take_symbol (parser, ','));
  tl_parser_close (parser, opened, ']');
  data->shape = tl_arena_list (parser->arena, shape);
  data->n_shape = shape->len;
}

/* data names [: type [shape]] [= source] */
TlDataDecl *
tl_parse_data (TlParser *parser)
{
  TlDataDecl *data = tl_arena_new_of (parser->arena, TlDataDecl, 1);
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (TlSpan));
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  data->span = parser->tokens[parser->start].token.span;
  do
    {
      TlSpan      span = { 0 };
      const char *name = tl_parser_name (parser, "the data's name", &span);
      if (name == NULL)
        {
          parser->lost_data = TRUE;
          tl_parser_finish (parser);
          return NULL;
        }
      g_ptr_array_add (names, (gpointer) name);
      g_array_append_val (spans, span);
    }
  while (tl_parser_take_symbol (parser, ','));
  data->names = tl_arena_list (parser->arena, names);
  data->n_names = names->len;
  data->name_spans = tl_arena_new_of (parser->arena, TlSpan, spans->len);
  memcpy (data->name_spans, spans->data, sizeof (TlSpan) * spans->len);

  guint32        place = tl_parser_last_end (parser);
  const TlToken *next = tl_parser_ahead (parser, 1);
  if (tl_parser_take_symbol (parser, ':'))
    parse_type (parser, data);
  else if (!tl_parser_ended (parser) && tl_parser_token (parser)->kind == TL_TOKEN_WORD
           && (next == NULL || next->symbol != '('))
    {
      TlDiag *diag = tl_parser_patch (parser, "missing-colon", tl_span (place, place),
                                      "a colon is missing between name and type");
      tl_report_fix (diag, tl_span (place, place), ":", "insert the colon");
      parse_type (parser, data);
    }
  else if (!tl_parser_is_symbol (parser, '=')
           && (tl_parser_ended (parser) || tl_parser_token (parser)->kind != TL_TOKEN_WORD))
    {
      g_autofree char *found = tl_parser_describe (parser);
      TlDiag          *diag = tl_parser_fail (parser, "missing-source", tl_parser_here (parser),
                                              "data needs a type or a source after its name: %s stands there", found);
      tl_report_reason (diag, "data D: i32 = graph(\"FILE\"), data A: f16[64, 5120], data q = reads(\"FILE\")");
    }

  place = tl_parser_last_end (parser);
  gboolean source = tl_parser_take_symbol (parser, '=');
  if (!source && !parser->failed && !tl_parser_ended (parser) && tl_parser_token (parser)->kind == TL_TOKEN_WORD)
    {
      TlDiag *diag
          = tl_parser_patch (parser, "missing-equals", tl_span (place, place), "`=` is missing before the source");
      tl_report_fix (diag, tl_span (place, place), " =", "insert =");
      source = TRUE;
    }
  if (source && !parser->failed)
    data->source = tl_parse_expr (parser);
  data->span.end = tl_parser_last_end (parser);
  tl_parser_finish (parser);
  data->damaged |= parser->failed || parser->guessed;
  return data;
}

/* --- semiring (max, *) on 0..1: zero = 0, one = 1 --- */

static TlExpr *
parse_operator (TlParser *parser)
{
  const TlToken token = *tl_parser_token (parser);
  gboolean      symbol
      = token.kind == TL_TOKEN_SYMBOL && strchr ("+*-/|&^", (int) (token.symbol & 0xff)) != NULL && token.symbol < 256;
  gboolean word
      = token.kind == TL_TOKEN_WORD
        || (token.kind == TL_TOKEN_RESERVED
            && (token.symbol == TL_RESERVED_MIN || token.symbol == TL_RESERVED_MAX || token.symbol == TL_RESERVED_OR
                || token.symbol == TL_RESERVED_AND || token.symbol == TL_RESERVED_MOD));

  if (parser->failed)
    return NULL;
  if (tl_parser_ended (parser) || (!symbol && !word))
    {
      g_autofree char *found = tl_parser_describe (parser);
      TlDiag          *diag = tl_parser_fail (parser, "missing-operator", tl_parser_here (parser),
                                              "an operator is missing: %s stands there", found);
      tl_report_reason (diag, "a semiring's operators are min, max, +, *, or, and, xor, or one declared by op");
      return NULL;
    }
  TlExpr *expr = tl_parser_new_expr (parser, TL_EXPR_NAME, token.span);
  expr->text = token.kind == TL_TOKEN_WORD       ? tl_parser_text (parser, token.span)
               : token.kind == TL_TOKEN_RESERVED ? tl_reserved_text (token.symbol)
                                                 : tl_symbol_text (token.symbol);
  parser->at++;
  return expr;
}

static void
parse_neutrals (TlParser *parser, TlSemiringDecl *semiring)
{
  static const char *const words[] = { "zero", "one" };

  do
    {
      TlSpan      span = { 0 };
      const char *word = tl_parser_name (parser, "zero or one", &span);
      if (word == NULL)
        return;
      if (strcmp (word, "zero") != 0 && strcmp (word, "one") != 0)
        {
          const char *meant = tl_word_nearest (word, words, 2);
          TlDiag     *diag = tl_parser_patch (parser, "unknown-key", span, "a semiring has no `%s`", word);
          tl_report_reason (diag, "after the colon stand zero = and one =");
          if (meant == NULL)
            {
              parser->failed = parser->damaged = TRUE;
              return;
            }
          tl_report_fix (diag, span, meant, "write %s", meant);
          word = meant;
        }
      guint32 place = tl_parser_last_end (parser);
      if (!tl_parser_take_symbol (parser, '='))
        {
          TlDiag *diag = tl_parser_patch (parser, "missing-equals", tl_span (place, place), "`=` is missing here");
          tl_report_fix (diag, tl_span (place, place), " =", "insert =");
        }
      TlExpr **place_of = strcmp (word, "zero") == 0 ? &semiring->zero : &semiring->one;
      if (*place_of != NULL)
        {
          tl_parser_fail (parser, "duplicate-key", span, "%s stands there twice", word);
          return;
        }
      *place_of = tl_parse_expr (parser);
    }
  while (tl_parser_take_symbol (parser, ','));
}

TlSemiringDecl *
tl_parse_semiring (TlParser *parser)
{
  TlSemiringDecl *semiring = tl_arena_new_of (parser->arena, TlSemiringDecl, 1);
  guint           opened = parser->at;

  semiring->span = parser->tokens[parser->start].token.span;
  if (tl_parser_is_symbol (parser, '('))
    tl_parser_open (parser);
  else
    {
      g_autofree char *found = tl_parser_describe (parser);
      tl_parser_fail (parser, "missing-bracket", tl_parser_here (parser), "`(` is missing: %s stands there", found);
    }
  semiring->plus = parse_operator (parser);
  if (!parser->failed && !tl_parser_take_symbol (parser, ','))
    {
      guint32 place = tl_parser_last_end (parser);
      TlDiag *diag = tl_parser_patch (parser, "missing-comma", tl_span (place, place), "a comma is missing here");
      tl_report_fix (diag, tl_span (place, place), ",", "insert the comma");
    }
  semiring->times = parse_operator (parser);
  tl_parser_close (parser, opened, ')');
  if (tl_parser_is_word (parser, "on"))
    {
      const TlToken *after = tl_parser_ahead (parser, 2);
      parser->at++;
      if (!tl_parser_ended (parser) && tl_parser_token (parser)->kind == TL_TOKEN_WORD
          && (after == NULL || after->symbol != TL_SYMBOL_DOTS))
        semiring->carrier = tl_parse_expr (parser);
      else
        semiring->carrier = tl_parse_range (parser);
    }
  if (!parser->failed && tl_parser_take_symbol (parser, ':'))
    parse_neutrals (parser, semiring);
  else if (!parser->failed && tl_parser_is_word (parser, "zero"))
    {
      guint32 place = tl_parser_last_end (parser);
      TlDiag *diag = tl_parser_patch (parser, "missing-colon", tl_span (place, place), "a colon is missing here");
      tl_report_fix (diag, tl_span (place, place), ":", "insert the colon");
      parse_neutrals (parser, semiring);
    }
  semiring->span.end = tl_parser_last_end (parser);
  tl_parser_finish (parser);
  return parser->failed ? NULL : semiring;
}

/* --- op f(a, b) = expr, op f = table("f.csv") --- */

TlOpDecl *
tl_parse_op (TlParser *parser)
{
  TlOpDecl *op = tl_arena_new_of (parser->arena, TlOpDecl, 1);
  guint     n_parameters = 0;

  op->span = parser->tokens[parser->start].token.span;
  op->name = tl_parser_name (parser, "the operator's name", &op->name_span);
  if (op->name != NULL && tl_parser_is_symbol (parser, '('))
    {
      guint opened = parser->at;
      tl_parser_open (parser);
      do
        {
          TlSpan      span = { 0 };
          const char *name = tl_parser_name (parser, "the operand's name", &span);
          if (name != NULL && n_parameters < 2)
            {
              op->parameters[n_parameters] = name;
              op->parameter_spans[n_parameters] = span;
            }
          n_parameters++;
        }
      while (!parser->failed && tl_parser_take_symbol (parser, ','));
      tl_parser_close (parser, opened, ')');
      if (!parser->failed && n_parameters != 2)
        tl_parser_fail (parser, "operand-count",
                        tl_span (parser->tokens[opened].token.span.start, tl_parser_last_end (parser)),
                        "an operator of a semiring has two operands, %s has %u", op->name, n_parameters);
    }
  if (!parser->failed && !tl_parser_take_symbol (parser, '='))
    {
      g_autofree char *found = tl_parser_describe (parser);
      TlDiag          *diag = tl_parser_fail (parser, "missing-equals", tl_parser_here (parser),
                                              "`=` is missing: %s stands there", found);
      tl_report_reason (diag, "op f(a, b) = expression, or op f = table(\"FILE.csv\")");
    }
  op->value = tl_parse_expr (parser);
  op->span.end = tl_parser_last_end (parser);
  op->repaired = parser->guessed;
  tl_parser_finish (parser);
  return op->name == NULL || op->value == NULL || parser->failed ? NULL : op;
}
