/* The lexer: bytes to a gapless list of tokens. Everything that is wrong with a
 * character, a number or a string by itself is said here. */
#include "dsl/lexer.h"
#include "dsl/lexer-private.h"

#include <string.h>

typedef struct
{
  TlReporter *reporter;
  const char *text;
  guint32     length;
  guint32     at;
  GArray     *tokens;
} Lexer;

static const char *const reserved_words[]
    = { NULL, "min", "max", "or", "and", "not", "over", "for", "in", "if", "else", "within", "mod", "inf", "result" };

/* Spellings of elsewhere, and what they mean here. Longest first where one starts another. */
static const struct
{
  const char *text;
  const char *meant;
  guint16     kind;
  guint16     symbol;
} foreign[] = {
  { "&&", "and", TL_TOKEN_RESERVED, TL_RESERVED_AND },
  { "||", "or", TL_TOKEN_RESERVED, TL_RESERVED_OR },
  { "!", "not", TL_TOKEN_RESERVED, TL_RESERVED_NOT },
  { ":=", "=", TL_TOKEN_SYMBOL, '=' },
  { "=<", "<=", TL_TOKEN_SYMBOL, TL_SYMBOL_LESS_EQUAL },
  { "=>", ">=", TL_TOKEN_SYMBOL, TL_SYMBOL_GREATER_EQUAL },
  { "<>", "!=", TL_TOKEN_SYMBOL, TL_SYMBOL_NOT_EQUAL },
  { "×", "*", TL_TOKEN_SYMBOL, '*' },
  { "·", "*", TL_TOKEN_SYMBOL, '*' },
  { "⊗", "*", TL_TOKEN_SYMBOL, '*' },
  { "−", "-", TL_TOKEN_SYMBOL, '-' },
  { "–", "-", TL_TOKEN_SYMBOL, '-' },
  { "≤", "<=", TL_TOKEN_SYMBOL, TL_SYMBOL_LESS_EQUAL },
  { "≥", ">=", TL_TOKEN_SYMBOL, TL_SYMBOL_GREATER_EQUAL },
  { "≠", "!=", TL_TOKEN_SYMBOL, TL_SYMBOL_NOT_EQUAL },
  { "…", "..", TL_TOKEN_SYMBOL, TL_SYMBOL_DOTS },
  { "∞", "inf", TL_TOKEN_RESERVED, TL_RESERVED_INF },
  { "∧", "and", TL_TOKEN_RESERVED, TL_RESERVED_AND },
  { "∨", "or", TL_TOKEN_RESERVED, TL_RESERVED_OR },
  { "¬", "not", TL_TOKEN_RESERVED, TL_RESERVED_NOT },
  { "，", ",", TL_TOKEN_SYMBOL, ',' },
  { "（", "(", TL_TOKEN_SYMBOL, '(' },
  { "）", ")", TL_TOKEN_SYMBOL, ')' },
};

static const struct
{
  const char *text;
  guint16     symbol;
} long_symbols[] = {
  { "..=", TL_SYMBOL_DOTS_EQUAL },  { "..", TL_SYMBOL_DOTS },       { "==", TL_SYMBOL_EQUAL },
  { "!=", TL_SYMBOL_NOT_EQUAL },    { "<=", TL_SYMBOL_LESS_EQUAL }, { ">=", TL_SYMBOL_GREATER_EQUAL },
  { "//", TL_SYMBOL_FLOOR_DIVIDE }, { "+=", TL_SYMBOL_PLUS_EQUAL }, { "-=", TL_SYMBOL_MINUS_EQUAL },
  { "*=", TL_SYMBOL_TIMES_EQUAL },
};

TlReserved
tl_reserved_find (const char *word, gsize length)
{
  for (guint i = 1; i < G_N_ELEMENTS (reserved_words); i++)
    if (strlen (reserved_words[i]) == length && memcmp (word, reserved_words[i], length) == 0)
      return i;
  return TL_RESERVED_NONE;
}

const char *
tl_reserved_text (TlReserved word)
{
  g_return_val_if_fail (word > TL_RESERVED_NONE && word <= TL_RESERVED_RESULT, NULL);
  return reserved_words[word];
}

const char *
tl_symbol_text (guint16 symbol)
{
  static const char *const single[]
      = { "+", "-", "*", "/", "|", "^", "&", "<", ">", "=", "(", ")", "[", "]", ",", ":", ".", "%" };

  for (guint i = 0; i < G_N_ELEMENTS (long_symbols); i++)
    if (long_symbols[i].symbol == symbol)
      return long_symbols[i].text;
  for (guint i = 0; i < G_N_ELEMENTS (single); i++)
    if (single[i][0] == symbol)
      return single[i];
  return "?";
}

const char *
tl_token_kind_name (TlTokenKind kind)
{
  static const char *const names[] = { "space", "bom",     "comment",  "newline", "word",   "reserved", "integer",
                                       "real",  "percent", "quantity", "string",  "symbol", "bad",      "end" };
  g_return_val_if_fail (kind <= TL_TOKEN_END, NULL);
  return names[kind];
}

/* Length in bytes of the character at @at and the character, 0 for a byte that is
 * no UTF-8. */
static guint
character_at (const Lexer *lexer, guint32 at, gunichar *character)
{
  guchar byte = (guchar) lexer->text[at];

  if (byte < 0x80)
    {
      *character = byte;
      return 1;
    }
  gunichar c = g_utf8_get_char_validated (lexer->text + at, lexer->length - at);
  if (c == (gunichar) -1 || c == (gunichar) -2)
    return 0;
  *character = c;
  return g_unichar_to_utf8 (c, NULL);
}

static gboolean
starts_name (gunichar c)
{
  return c < 0x80 ? g_ascii_isalpha (c) || c == '_' : g_unichar_isalpha (c);
}

static gboolean
continues_name (gunichar c)
{
  return starts_name (c) || (c < 0x80 && g_ascii_isdigit (c));
}

gboolean
tl_is_name (const char *text)
{
  const char *at = text;

  if (!g_utf8_validate (text, -1, NULL) || !starts_name (g_utf8_get_char (text)))
    return FALSE;
  while (*at != '\0' && continues_name (g_utf8_get_char (at)))
    at = g_utf8_next_char (at);
  return *at == '\0' && tl_reserved_find (text, at - text) == TL_RESERVED_NONE;
}

static char
byte_at (const Lexer *lexer, guint32 at)
{
  return at < lexer->length ? lexer->text[at] : '\0';
}

static gboolean
line_ends_at (const Lexer *lexer, guint32 at)
{
  return at >= lexer->length || lexer->text[at] == '\n' || lexer->text[at] == '\r';
}

static gboolean
text_at (const Lexer *lexer, guint32 at, const char *text)
{
  gsize length = strlen (text);
  return lexer->length - at >= length && memcmp (lexer->text + at, text, length) == 0;
}

static void
emit (Lexer *lexer, guint32 end, TlTokenKind kind, guint16 symbol)
{
  TlToken token = { { lexer->at, end }, kind, symbol };
  g_array_append_val (lexer->tokens, token);
  lexer->at = end;
}

/* NUL bytes and bad UTF-8 between @start and @end: one message a run. In comments
 * they harm nobody, so there they are warnings. */
static void
check_bytes (Lexer *lexer, guint32 start, guint32 end, TlSeverity severity)
{
  for (guint32 at = start; at < end;)
    {
      gunichar c = 0;
      guint    length = character_at (lexer, at, &c);
      guint32  first = at;

      if (length == 0)
        {
          while (at < end && character_at (lexer, at, &c) == 0)
            at++;
          TlDiag *diag = tl_report (lexer->reporter, severity, "bad-utf8", tl_span (first, at),
                                    "%u byte%s here are no UTF-8 text", at - first, at - first == 1 ? "" : "s");
          tl_report_reason (diag, "programs are UTF-8; the first of these bytes is 0x%02X",
                            (guint) (guchar) lexer->text[first]);
        }
      else if (c == 0)
        {
          while (at < end && lexer->text[at] == '\0')
            at++;
          TlDiag *diag = tl_report (lexer->reporter, severity, "nul-byte", tl_span (first, at),
                                    "%u NUL byte%s in the text", at - first, at - first == 1 ? "" : "s");
          tl_report_reason (diag, "a program is plain text; is this another kind of file?");
          tl_report_fix (diag, tl_span (first, at), "", "remove them");
        }
      else
        at += length;
    }
}

static void
lex_word (Lexer *lexer)
{
  guint32  end = lexer->at;
  gunichar c = 0;
  guint    length = 0;

  while (end < lexer->length && (length = character_at (lexer, end, &c)) > 0 && continues_name (c))
    end += length;
  TlReserved reserved = tl_reserved_find (lexer->text + lexer->at, end - lexer->at);
  emit (lexer, end, reserved ? TL_TOKEN_RESERVED : TL_TOKEN_WORD, reserved);
}

/* Digits with single underscores between them. Returns the end; @clean is cleared
 * when an underscore stands elsewhere. */
static guint32
scan_digits (const Lexer *lexer, guint32 at, gboolean hexadecimal, gboolean *clean)
{
  gboolean after_digit = FALSE;

  for (;; at++)
    {
      char c = byte_at (lexer, at);
      if (hexadecimal ? g_ascii_isxdigit (c) : g_ascii_isdigit (c))
        after_digit = TRUE;
      else if (c == '_')
        {
          if (!after_digit)
            *clean = FALSE;
          after_digit = FALSE;
        }
      else
        break;
    }
  if (!after_digit)
    *clean = FALSE;
  return at;
}

static void
lex_number (Lexer *lexer)
{
  guint32     start = lexer->at, end = start;
  gboolean    clean = TRUE;
  TlTokenKind kind = TL_TOKEN_INTEGER;
  gunichar    c = 0;

  if (byte_at (lexer, start) == '0' && (byte_at (lexer, start + 1) | 0x20) == 'x')
    {
      end = scan_digits (lexer, start + 2, TRUE, &clean);
      if (!clean)
        tl_report_reason (tl_report (lexer->reporter, TL_SEVERITY_ERROR, "bad-number", tl_span (start, end),
                                     "this hex number is not well formed"),
                          "after 0x come hex digits, single underscores between them");
      emit (lexer, end, TL_TOKEN_INTEGER, 0);
      return;
    }
  if (byte_at (lexer, start) != '.')
    end = scan_digits (lexer, start, FALSE, &clean);
  if (byte_at (lexer, end) == '.' && g_ascii_isdigit (byte_at (lexer, end + 1)))
    {
      kind = TL_TOKEN_REAL;
      end = scan_digits (lexer, end + 1, FALSE, &clean);
    }
  if ((byte_at (lexer, end) | 0x20) == 'e')
    {
      guint32 digits = end + 1 + (byte_at (lexer, end + 1) == '-' || byte_at (lexer, end + 1) == '+');
      if (g_ascii_isdigit (byte_at (lexer, digits)))
        {
          kind = TL_TOKEN_REAL;
          end = scan_digits (lexer, digits, FALSE, &clean);
        }
    }
  if (!clean)
    {
      TlDiag *diag = tl_report (lexer->reporter, TL_SEVERITY_ERROR, "bad-number", tl_span (start, end),
                                "an underscore in a number stands between two digits");
      g_autoptr (GString) digits = g_string_new (NULL);
      for (guint32 at = start; at < end; at++)
        if (lexer->text[at] != '_')
          g_string_append_c (digits, lexer->text[at]);
      tl_report_fix (diag, tl_span (start, end), digits->str, "write %s", digits->str);
    }
  if (byte_at (lexer, start) == '.')
    tl_report_fix (tl_report (lexer->reporter, TL_SEVERITY_ERROR, "bad-number", tl_span (start, end),
                              "a number does not start with its point"),
                   tl_span (start, start), "0", "write 0 before the point");
  if (byte_at (lexer, end) == '.' && byte_at (lexer, end + 1) != '.'
      && (character_at (lexer, MIN (end + 1, lexer->length), &c) == 0 || !starts_name (c)))
    {
      tl_report_fix (tl_report (lexer->reporter, TL_SEVERITY_ERROR, "bad-number", tl_span (start, end + 1),
                                "a number does not end with its point"),
                     tl_span (end, end + 1), "", "leave the point out");
      end++;
      kind = TL_TOKEN_REAL;
    }

  guint length = end < lexer->length ? character_at (lexer, end, &c) : 0;
  if (length > 0 && starts_name (c))
    {
      while (end < lexer->length && (length = character_at (lexer, end, &c)) > 0 && continues_name (c))
        end += length;
      kind = TL_TOKEN_QUANTITY;
    }
  else if (length > 0 && c == '%')
    {
      /* 8%P is a remainder in another language's spelling, 15% a percentage. */
      gunichar next = 0;
      if (end + 1 >= lexer->length || character_at (lexer, end + 1, &next) == 0
          || !(continues_name (next) || next == '('))
        {
          kind = TL_TOKEN_PERCENT;
          end++;
        }
    }
  emit (lexer, end, kind, 0);
}

static void
lex_string (Lexer *lexer)
{
  char    quote = lexer->text[lexer->at];
  guint32 end = lexer->at + 1;

  while (!line_ends_at (lexer, end) && lexer->text[end] != quote)
    {
      if (lexer->text[end] == '\\' && !line_ends_at (lexer, end + 1))
        {
          if (strchr ("\"\\n", lexer->text[end + 1]) == NULL || lexer->text[end + 1] == '\0')
            {
              TlDiag *diag = tl_report (lexer->reporter, TL_SEVERITY_ERROR, "bad-escape", tl_span (end, end + 2),
                                        "a string knows the escapes \\\", \\\\ and \\n only");
              tl_report_fix (diag, tl_span (end, end + 1), "\\\\", "write \\\\ for a backslash");
              end++;
              continue;
            }
          end++;
        }
      end++;
    }
  check_bytes (lexer, lexer->at, end, TL_SEVERITY_ERROR);
  if (line_ends_at (lexer, end))
    {
      guint32 text_end = end;
      while (text_end > lexer->at + 1 && (lexer->text[text_end - 1] == ' ' || lexer->text[text_end - 1] == '\t'))
        text_end--;
      /* The brackets around it are likelier to be brackets than part of the name. */
      guint32 name_end = text_end;
      while (name_end > lexer->at + 2 && strchr (")] ", lexer->text[name_end - 1]) != NULL)
        name_end--;
      if (name_end < text_end && quote == '"')
        text_end = end = name_end;
      TlDiag *diag = tl_report (lexer->reporter, TL_SEVERITY_ERROR, "open-string", tl_span (lexer->at, end),
                                "this string has no closing quote");
      tl_report_reason (diag, "a string ends on the line it starts on");
      tl_report_fix (diag, tl_span (text_end, text_end), "\"", "close it here");
    }
  else
    {
      end++;
      if (quote == '\'')
        {
          TlDiag *diag = tl_report (lexer->reporter, TL_SEVERITY_ERROR, "single-quotes", tl_span (lexer->at, end),
                                    "strings stand in double quotes");
          tl_report_fix_2 (diag, tl_span (lexer->at, lexer->at + 1), "\"", tl_span (end - 1, end), "\"",
                           "use double quotes");
        }
    }
  emit (lexer, end, TL_TOKEN_STRING, 0);
}

static gboolean
single_quote_closes (const Lexer *lexer)
{
  guint32 at = lexer->at + 1;

  while (!line_ends_at (lexer, at) && lexer->text[at] != '\'')
    at++;
  return !line_ends_at (lexer, at);
}

static gboolean
lex_foreign (Lexer *lexer)
{
  for (guint i = 0; i < G_N_ELEMENTS (foreign); i++)
    if (text_at (lexer, lexer->at, foreign[i].text))
      {
        guint32          end = lexer->at + strlen (foreign[i].text);
        gboolean         word = g_ascii_isalpha (foreign[i].meant[0]);
        gboolean         gap_before = word && lexer->at > 0 && lexer->text[lexer->at - 1] != ' ';
        gboolean         gap_after = word && !line_ends_at (lexer, end) && lexer->text[end] != ' ';
        g_autofree char *written = g_strconcat (gap_before ? " " : "", foreign[i].meant, gap_after ? " " : "", NULL);
        TlDiag *diag = tl_report (lexer->reporter, TL_SEVERITY_ERROR, "foreign-spelling", tl_span (lexer->at, end),
                                  "`%s` is written `%s` here", foreign[i].text, foreign[i].meant);
        tl_report_fix (diag, tl_span (lexer->at, end), written, "write %s", foreign[i].meant);
        emit (lexer, end, foreign[i].kind, foreign[i].symbol);
        return TRUE;
      }
  return FALSE;
}

static void
lex_stray (Lexer *lexer, gunichar c, guint length)
{
  guint32 end = lexer->at + MAX (length, 1);
  TlSpan  span = tl_span (lexer->at, end);

  if (length == 0 || c == 0)
    {
      gunichar next = 0;
      while (end < lexer->length
             && (c == 0 && length > 0 ? lexer->text[end] == '\0' : character_at (lexer, end, &next) == 0))
        end++;
      check_bytes (lexer, lexer->at, end, TL_SEVERITY_ERROR);
    }
  else if (c == ';')
    tl_report_fix (tl_report (lexer->reporter, TL_SEVERITY_ERROR, "stray-character", span,
                              "a statement ends with its line, without `;`"),
                   span, "", "remove it");
  else if (c == '{' || c == '}')
    tl_report_reason (
        tl_report (lexer->reporter, TL_SEVERITY_ERROR, "stray-character", span, "`%c` is no bracket here", (char) c),
        "indentation groups a block; lists stand in square brackets");
  else if (g_unichar_isspace (c) || c == 0xFEFF || c == 0x200B)
    tl_report_fix (tl_report (lexer->reporter, TL_SEVERITY_ERROR, "stray-character", span,
                              "an unusual space (U+%04X) stands here", c),
                   span, c == 0xFEFF || c == 0x200B ? "" : " ", "make it a plain one");
  else if (c == 0x201C || c == 0x201D)
    tl_report_fix (
        tl_report (lexer->reporter, TL_SEVERITY_ERROR, "stray-character", span, "strings stand in plain double quotes"),
        span, "\"", "use a plain quote");
  else if (g_unichar_isprint (c))
    {
      char character[7] = { 0 };
      g_unichar_to_utf8 (c, character);
      tl_report_fix (tl_report (lexer->reporter, TL_SEVERITY_ERROR, "stray-character", span, "`%s` has no meaning here",
                                character),
                     span, "", "remove it");
    }
  else
    tl_report_fix (tl_report (lexer->reporter, TL_SEVERITY_ERROR, "stray-character", span,
                              "the control character U+%04X has no meaning here", c),
                   span, "", "remove it");
  emit (lexer, end, TL_TOKEN_BAD, 0);
}

static void
lex_symbol (Lexer *lexer, gunichar c, guint length)
{
  for (guint i = 0; i < G_N_ELEMENTS (long_symbols); i++)
    if (text_at (lexer, lexer->at, long_symbols[i].text))
      {
        emit (lexer, lexer->at + strlen (long_symbols[i].text), TL_TOKEN_SYMBOL, long_symbols[i].symbol);
        return;
      }
  if (lex_foreign (lexer))
    return;
  if (length == 1 && c != 0 && strchr ("+-*/|^&<>=()[],:.%", (int) c) != NULL)
    emit (lexer, lexer->at + 1, TL_TOKEN_SYMBOL, c);
  else
    lex_stray (lexer, c, length);
}

static void
lex_token (Lexer *lexer)
{
  gunichar c = 0;
  guint    length = character_at (lexer, lexer->at, &c);
  guint32  end = lexer->at + length;

  if (length == 0)
    lex_stray (lexer, 0, 0);
  else if (c == ' ' || c == '\t' || c == '\f' || c == '\v')
    {
      while (end < lexer->length && memchr (" \t\f\v", lexer->text[end], 4) != NULL)
        end++;
      emit (lexer, end, TL_TOKEN_SPACE, 0);
    }
  else if (c == '\n' || c == '\r')
    emit (lexer, end + (c == '\r' && byte_at (lexer, end) == '\n'), TL_TOKEN_NEWLINE, 0);
  else if (c == '#')
    {
      while (!line_ends_at (lexer, end))
        end++;
      check_bytes (lexer, lexer->at, end, TL_SEVERITY_WARNING);
      emit (lexer, end, TL_TOKEN_COMMENT, 0);
    }
  else if (starts_name (c))
    lex_word (lexer);
  else if (g_ascii_isdigit (byte_at (lexer, lexer->at))
           || (c == '.' && g_ascii_isdigit (byte_at (lexer, lexer->at + 1))))
    lex_number (lexer);
  else if (c == '"' || (c == '\'' && single_quote_closes (lexer)))
    lex_string (lexer);
  else
    lex_symbol (lexer, c, length);
}

GArray *
tl_lex_reporting (TlReporter *reporter)
{
  Lexer lexer = { reporter, tl_source_text (reporter->source), tl_source_length (reporter->source), 0, NULL };

  lexer.tokens = g_array_sized_new (FALSE, FALSE, sizeof (TlToken), MIN (lexer.length, TL_MAX_SOURCE_BYTES) / 2 + 8);
  if (lexer.length > TL_MAX_SOURCE_BYTES)
    {
      TlDiag *diag = tl_report (reporter, TL_SEVERITY_ERROR, "too-large", tl_span (0, 0),
                                "the text has %u bytes; a program may have %u", lexer.length, TL_MAX_SOURCE_BYTES);
      tl_report_reason (diag, "inputs stand in files of their own, named by the data section");
      emit (&lexer, lexer.length, TL_TOKEN_BAD, 0);
    }
  else if (text_at (&lexer, 0, "\xef\xbb\xbf"))
    emit (&lexer, 3, TL_TOKEN_BOM, 0);
  while (lexer.at < lexer.length)
    lex_token (&lexer);
  emit (&lexer, lexer.length, TL_TOKEN_END, 0);
  return lexer.tokens;
}

GArray *
tl_lex (TlSource *source, TlDiags *diags)
{
  TlReporter reporter = { source, diags, 0, 0, FALSE };

  g_return_val_if_fail (source != NULL, NULL);
  return tl_lex_reporting (&reporter);
}
