/* Tokens: kinds, gapless spans, and what is wrong with single characters. */
#include "dsl-test.h"
#include "dsl/lexer.h"

/* "word:abc symbol:= ..." of the tokens that are no space. (transfer full) */
static char *
tokens_text (const char *text, gssize length)
{
  g_autoptr (TlSource) source = tl_source_new ("t", text, length);
  g_autoptr (GArray) tokens = tl_lex (source, NULL);
  GString *result = g_string_new (NULL);

  for (guint i = 0; i < tokens->len; i++)
    {
      const TlToken *token = &g_array_index (tokens, TlToken, i);
      if (token->kind == TL_TOKEN_SPACE || token->kind == TL_TOKEN_END)
        continue;
      g_string_append_printf (result, "%s%s", result->len > 0 ? " " : "", tl_token_kind_name (token->kind));
      if (token->kind != TL_TOKEN_NEWLINE && token->kind != TL_TOKEN_BOM)
        g_string_append_printf (result, ":%.*s", (int) (token->span.end - token->span.start),
                                tl_source_text (source) + token->span.start);
    }
  return g_string_free (result, FALSE);
}

START_TEST (tokens_have_kinds)
{
  static const struct
  {
    const char *text;
    const char *tokens;
  } rows[] = {
    { "0..N", "integer:0 symbol:.. word:N" },
    { "0..=N-1", "integer:0 symbol:..= word:N symbol:- integer:1" },
    { "1_000 0x1F 0.5 1e-3 15% 12.5%", "integer:1_000 integer:0x1F real:0.5 real:1e-3 percent:15% percent:12.5%" },
    { "5ns 768 KiB", "quantity:5ns integer:768 word:KiB" },
    { "min minimum for fore", "reserved:min word:minimum reserved:for word:fore" },
    { "a//b # c", "word:a symbol:// word:b comment:# c" },
    { "cu-t8b16", "word:cu symbol:- word:t8b16" },
    { "\"a\\\"b\" 'c'", "string:\"a\\\"b\" string:'c'" },
    { "\xef\xbb\xbf"
      "a\r\nb\rc\n",
      "bom word:a newline word:b newline word:c newline" },
    { "größe λ", "word:größe word:λ" },
    { "== != <= >= < > = | ^ &",
      "symbol:== symbol:!= symbol:<= symbol:>= symbol:< symbol:> symbol:= symbol:| symbol:^ symbol:&" },
    { "local(2).spatial", "word:local symbol:( integer:2 symbol:) symbol:. word:spatial" },
    { "8%P", "integer:8 symbol:% word:P" },
    { "\t\f a", "word:a" },
    { "", "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *got = tokens_text (rows[i].text, -1);
      ck_assert_str_eq (got, rows[i].tokens);
    }
  g_autofree char *other = tokens_text ("0..N", -1);
  ck_assert_str_ne (other, rows[1].tokens);
}
END_TEST

/* The spans cover any bytes at all, in order and without a gap. */
START_TEST (tokens_are_lossless)
{
  guint64 state = tl_test_seed ();

  for (guint round = 0; round < 3000; round++)
    {
      char  bytes[64];
      gsize length = tl_test_random_below (&state, sizeof bytes);
      for (gsize i = 0; i < length; i++)
        bytes[i] = tl_test_random_below (&state, 3) == 0 ? (char) tl_test_random (&state)
                                                         : "aj1 .\"=#\n\r\t_%([0xe-"[tl_test_random_below (&state, 20)];
      g_autoptr (TlSource) source = tl_source_new ("t", bytes, (gssize) length);
      g_autoptr (TlDiags) diags = tl_diags_new ();
      g_autoptr (GArray) tokens = tl_lex (source, diags);
      guint32 at = 0;
      for (guint i = 0; i < tokens->len; i++)
        {
          const TlToken *token = &g_array_index (tokens, TlToken, i);
          /* check notes each of its assertions in a file, too slow for so many. */
          if (token->span.start != at
              || !(token->span.end > at || (token->kind == TL_TOKEN_END && i + 1 == tokens->len)))
            ck_abort_msg ("token %u of %u", i, tokens->len);
          at = token->span.end;
        }
      ck_assert_uint_eq (at, length);
      for (guint i = 0; i < tl_diags_count (diags); i++)
        ck_assert_uint_le (tl_diags_get (diags, i)->span.end, length);
    }
}
END_TEST

static guint
reports_of (const char *text, gssize length, const char *code)
{
  g_autoptr (TlSource) source = tl_source_new ("t", text, length);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (GArray) tokens = tl_lex (source, diags);
  guint n = 0;

  for (guint i = 0; i < tl_diags_count (diags); i++)
    n += strcmp (tl_diags_get (diags, i)->code, code) == 0;
  ck_assert_uint_eq (n, tl_diags_count (diags));
  return n;
}

START_TEST (bad_bytes_are_said_once_a_run)
{
  ck_assert_uint_eq (reports_of ("a\0\0\0b", 5, "nul-byte"), 1);
  ck_assert_uint_eq (reports_of ("a\xff\xfe"
                                 "b",
                                 4, "bad-utf8"),
                     1);
  ck_assert_uint_eq (reports_of ("\"a\xff"
                                 "b\"",
                                 5, "bad-utf8"),
                     1);
  ck_assert_uint_eq (reports_of ("# caf\xe9", 6, "bad-utf8"), 1);
  ck_assert_uint_eq (reports_of ("a \xc3\xa4 \xe2\x82", 7, "bad-utf8"), 1);
  ck_assert_uint_eq (reports_of ("@ $ ?", 5, "stray-character"), 3);
  ck_assert_uint_eq (reports_of ("1__0 2_ .5 0x", 13, "bad-number"), 4);
}
END_TEST

START_TEST (rubbish_is_bounded)
{
  g_autofree char *text = g_strnfill (100000, '@');
  g_autoptr (TlSource) source = tl_source_new ("t", text, -1);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlAst) ast = tl_parse (source, diags);

  ck_assert_uint_le (tl_diags_count (diags), TL_MAX_MISTAKES + 1);
  ck_assert_ptr_nonnull (find_code (diags, "too-many-mistakes"));
}
END_TEST

START_TEST (huge_texts_are_refused)
{
  g_autofree char *text = g_strnfill (TL_MAX_SOURCE_BYTES + 1, 'a');
  g_autoptr (TlSource) source = tl_source_new ("t", text, -1);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlAst) ast = tl_parse (source, diags);

  ck_assert_uint_eq (tl_diags_count (diags), 1);
  ck_assert_str_eq (tl_diags_get (diags, 0)->code, "too-large");
}
END_TEST

START_TEST (names_follow_the_ruling)
{
  ck_assert (tl_is_name ("D"));
  ck_assert (tl_is_name ("_x9"));
  ck_assert (tl_is_name ("größe"));
  ck_assert (!tl_is_name ("9x"));
  ck_assert (!tl_is_name (""));
  ck_assert (!tl_is_name ("min"));
  ck_assert (!tl_is_name ("a-b"));
  ck_assert (!tl_is_name ("\xff"));
  ck_assert_int_eq (tl_reserved_find ("within", 6), TL_RESERVED_WITHIN);
  ck_assert_int_eq (tl_reserved_find ("withi", 5), TL_RESERVED_NONE);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("dsl-lexer");
  TCase *tcase = tcase_create ("lexer");

  tcase_add_test (tcase, tokens_have_kinds);
  tcase_add_test (tcase, tokens_are_lossless);
  tcase_add_test (tcase, bad_bytes_are_said_once_a_run);
  tcase_add_test (tcase, rubbish_is_bounded);
  tcase_add_test (tcase, huge_texts_are_refused);
  tcase_add_test (tcase, names_follow_the_ruling);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
