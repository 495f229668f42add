/* Words, numbers and places of text files. Numbers are read as digits, so that whole
 * ones are exact up to the type's width and 3.0e2 is one of them. */
#include "input/text.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

static gboolean
is_blank (char c)
{
  return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

static gboolean
is_line_end (char c)
{
  return c == '\n' || c == '\r';
}

gboolean
tl_text_open (TlText *text, const char *name, const char *bytes, gsize length, TlDiags *diags)
{
  *text = (TlText) { .name = name, .bytes = bytes, .length = length, .line = 1, .diags = diags };
  if (length >= 3 && memcmp (bytes, "\xef\xbb\xbf", 3) == 0)
    text->at = text->line_start = 3;
  const char *nul = length > 0 ? memchr (bytes, '\0', length) : NULL;
  if (nul != NULL)
    {
      gsize offset = (gsize) (nul - bytes);
      while (text->at < offset && (tl_text_token (text, 0, &(TlToken) { 0 }) || tl_text_next_line (text)))
        ;
      TlDiag *diag = tl_text_fail (text, MAX (offset, text->line_start), "binary-file",
                                   "the file is binary: a zero byte at offset %" G_GSIZE_FORMAT, offset);
      tl_diag_reason (diag, "data files are text (plain or gzip); export the graph or matrix as text");
      return FALSE;
    }
  for (gsize i = text->at; i < length; i++)
    if (!is_blank (bytes[i]) && !is_line_end (bytes[i]))
      return TRUE;
  TlDiag *diag = tl_text_fail (text, text->at, "empty-file", "the file is empty");
  tl_diag_reason (diag, "it has %" G_GSIZE_FORMAT " bytes and nothing in them; was it written to the end?", length);
  return FALSE;
}

gboolean
tl_text_token (TlText *text, char also, TlToken *token)
{
  const char *bytes = text->bytes;
  gsize       at = text->at, length = text->length;

  while (at < length && is_blank (bytes[at]))
    at++;
  gsize start = at;
  while (at < length && !is_blank (bytes[at]) && !is_line_end (bytes[at]) && (also == 0 || bytes[at] != also))
    at++;
  text->at = at;
  *token = (TlToken) { bytes + start, at - start, start };
  return at > start;
}

char
tl_text_peek (TlText *text)
{
  while (text->at < text->length && is_blank (text->bytes[text->at]))
    text->at++;
  return text->at < text->length && !is_line_end (text->bytes[text->at]) ? text->bytes[text->at] : '\0';
}

gboolean
tl_text_next_line (TlText *text)
{
  const char *bytes = text->bytes;
  gsize       at = text->at;

  while (at < text->length && !is_line_end (bytes[at]))
    at++;
  if (at < text->length)
    {
      at += bytes[at] == '\r' && at + 1 < text->length && bytes[at + 1] == '\n' ? 2 : 1;
      text->line_start = at;
      text->line++;
    }
  text->at = at;
  return at < text->length;
}

gboolean
tl_token_is (TlToken token, const char *word)
{
  return token.length == strlen (word) && memcmp (token.text, word, token.length) == 0;
}

gboolean
tl_token_is_word (TlToken token, const char *word)
{
  return token.length == strlen (word) && g_ascii_strncasecmp (token.text, word, token.length) == 0;
}

char *
tl_token_text (TlToken token)
{
  char *copy = g_strndup (token.text, MIN (token.length, 40));

  for (char *c = copy; *c != '\0'; c++)
    if (!g_ascii_isprint (*c))
      *c = '?';
  if (token.length <= 40)
    return copy;
  char *cut = g_strconcat (copy, "...", NULL);
  g_free (copy);
  return cut;
}

/* Column (from 1, in characters) of an offset in the current line. */
static guint64
column_of (const TlText *text, gsize offset)
{
  guint64 column = 1;

  for (gsize i = text->line_start; i < offset && i < text->length; i++)
    column += (text->bytes[i] & 0xc0) != 0x80;
  return column;
}

TlDiag *
tl_text_fail (TlText *text, gsize offset, const char *code, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_autofree char *message = g_strdup_vprintf (format, args);
  va_end (args);
  text->errors++;
  return tl_diags_add_at (text->diags, TL_SEVERITY_ERROR, code, text->name, (guint) MIN (text->line, G_MAXUINT),
                          (guint) MIN (column_of (text, offset), G_MAXUINT), "%s", message);
}

gboolean
tl_text_given_up (const TlText *text)
{
  return text->errors >= TL_TEXT_MAX_ERRORS;
}

/* --- Numbers --- */

/* Up to 18 decimal digits and nothing else: most numbers are that. */
static inline gboolean
plain_digits (TlToken token, guint64 *number)
{
  guint64 sum = 0;

  if (token.length == 0 || token.length > 18)
    return FALSE;
  for (gsize i = 0; i < token.length; i++)
    {
      guint digit = (guint) (guchar) token.text[i] - '0';
      if (digit > 9)
        return FALSE;
      sum = sum * 10 + digit;
    }
  *number = sum;
  return TRUE;
}

gboolean
tl_text_whole (TlText *text, TlToken token, const char *what, guint64 max, guint64 *value)
{
  guint64  number = 0;
  gboolean over = FALSE;

  if (plain_digits (token, value) && *value <= max)
    return TRUE;

  for (gsize i = 0; i < token.length; i++)
    {
      if (!g_ascii_isdigit (token.text[i]))
        {
          g_autofree char *shown = tl_token_text (token);
          TlDiag          *diag
              = tl_text_fail (text, token.offset, "bad-number", "%s is \"%s\", not a whole number", what, shown);
          tl_diag_reason (diag, token.text[0] == '-' ? "it cannot be negative; write a whole number from 0"
                                                     : "write it as decimal digits alone");
          return FALSE;
        }
      over = over || __builtin_mul_overflow (number, 10, &number)
             || __builtin_add_overflow (number, (guint64) (token.text[i] - '0'), &number);
    }
  if (over || number > max)
    {
      g_autofree char *shown = tl_token_text (token);
      TlDiag *diag = tl_text_fail (text, token.offset, "number-too-large", "%s is %s, past %" G_GUINT64_FORMAT, what,
                                   shown, max);
      tl_diag_reason (diag, "that is the largest one read here");
      return FALSE;
    }
  *value = number;
  return TRUE;
}

/* A decimal number taken apart: digits with leading and trailing zeros dropped. */
typedef struct
{
  gboolean negative;
  guint64  digits;     /* at most 19 significant ones */
  gboolean many;       /* there were more */
  gint64   exponent;   /* value = digits * 10^exponent */
  gboolean whole_text; /* neither point nor exponent */
} Decimal;

static gboolean
parse_decimal (TlToken token, Decimal *decimal)
{
  gsize    i = 0;
  gboolean any = FALSE, point = FALSE;
  guint    significant = 0;

  *decimal = (Decimal) { .whole_text = TRUE };
  if (i < token.length && (token.text[i] == '-' || token.text[i] == '+'))
    decimal->negative = token.text[i++] == '-';
  for (; i < token.length; i++)
    {
      char c = token.text[i];
      if (c == '.' && !point)
        {
          point = TRUE;
          decimal->whole_text = FALSE;
          continue;
        }
      if (!g_ascii_isdigit (c))
        break;
      any = TRUE;
      if (significant < 19)
        {
          decimal->digits = decimal->digits * 10 + (guint64) (c - '0');
          significant += decimal->digits != 0;
          decimal->exponent -= point;
        }
      else
        {
          decimal->many |= c != '0';
          decimal->exponent += !point;
        }
    }
  if (!any)
    return FALSE;
  if (i < token.length && (token.text[i] == 'e' || token.text[i] == 'E'))
    {
      gint64   exponent = 0;
      gboolean minus = FALSE;
      decimal->whole_text = FALSE;
      if (++i < token.length && (token.text[i] == '-' || token.text[i] == '+'))
        minus = token.text[i++] == '-';
      if (i == token.length)
        return FALSE;
      for (; i < token.length && g_ascii_isdigit (token.text[i]); i++)
        exponent = MIN (exponent * 10 + (token.text[i] - '0'), 1000000);
      decimal->exponent += minus ? -exponent : exponent;
    }
  if (i != token.length)
    return FALSE;
  while (decimal->digits != 0 && decimal->digits % 10 == 0)
    {
      decimal->digits /= 10;
      decimal->exponent++;
    }
  return TRUE;
}

static void
propose_type (TlDiag *diag, TlElementType element, gboolean negative, TlElementType next)
{
  g_autofree char *name = tl_element_type_name (element);

  if (negative && element.kind == TL_ELEMENT_UINT)
    {
      tl_diag_reason (diag, "%s holds no negative values; declare the data as %s", name,
                      element.bits < 16   ? "i16"
                      : element.bits < 32 ? "i32"
                                          : "i64");
      return;
    }
  if (next.bits == 0)
    {
      tl_diag_reason (diag, "%s is the widest type of its kind; declare the data as f64 if rounding is no harm", name);
      return;
    }
  g_autofree char *wider = tl_element_type_name (next);
  tl_diag_reason (diag, "%s does not hold it; declare the data as %s", name, wider);
}

static gboolean
too_large (TlText *text, TlToken token, TlElementType element, gboolean negative, TlElementType next)
{
  g_autofree char *shown = tl_token_text (token);
  g_autofree char *name = tl_element_type_name (element);
  TlDiag *diag = tl_text_fail (text, token.offset, "value-too-large", "the value %s does not fit %s", shown, name);

  propose_type (diag, element, negative, next);
  return FALSE;
}

/* The narrowest type of the kind from @element on that holds @magnitude. */
static TlElementType
type_for (TlElementType element, guint64 magnitude, gboolean negative)
{
  while (element.bits != 0)
    {
      guint64 top = negative ? -(guint64) tl_element_type_min (element) : (guint64) tl_element_type_max (element);
      if (magnitude <= top && magnitude < (guint64) TL_INF)
        break;
      element = tl_element_type_next (element);
    }
  return element;
}

static gboolean
whole_value (TlText *text, TlToken token, const Decimal *decimal, TlElementType element, TlScalar *value)
{
  guint64  magnitude = decimal->digits;
  gboolean over = decimal->many;

  if (decimal->exponent < 0 && decimal->digits != 0)
    {
      g_autofree char *shown = tl_token_text (token);
      g_autofree char *name = tl_element_type_name (element);
      TlDiag *diag = tl_text_fail (text, token.offset, "not-whole", "the value %s is not a whole number", shown);
      tl_diag_reason (diag, "the data is declared %s; declare it as f32 or f64, or scale the values", name);
      return FALSE;
    }
  for (gint64 e = 0; e < decimal->exponent && magnitude != 0 && !over; e++)
    over = __builtin_mul_overflow (magnitude, 10, &magnitude);
  TlElementType fits = over ? (TlElementType) { element.kind, 0, 0, 0 }
                            : type_for (element, magnitude, decimal->negative && magnitude != 0);
  if (!tl_element_type_equal (fits, element))
    return too_large (text, token, element, decimal->negative, fits);
  value->i = decimal->negative ? -(gint64) magnitude : (gint64) magnitude;
  return TRUE;
}

static gboolean
real_value (TlText *text, TlToken token, TlElementType element, TlScalar *value)
{
  char             small[64];
  g_autofree char *large = token.length >= sizeof small ? g_strndup (token.text, token.length) : NULL;
  TlCarrier        carrier = tl_carrier_full (element);
  TlOperator       greater = { .kind = TL_OPERATOR_MAX };

  if (large == NULL)
    {
      memcpy (small, token.text, token.length);
      small[token.length] = '\0';
    }
  TlScalar exact = { .r = g_ascii_strtod (large != NULL ? large : small, NULL) };
  /* Rounds to the element; past its range both infinities are told. */
  carrier.has_inf = carrier.has_minus_inf = TRUE;
  *value = tl_operator_evaluate (&greater, &carrier, exact, exact);
  if (!isinf (value->r))
    return TRUE;
  TlElementType next = tl_element_type_next (element);
  while (next.bits != 0 && fabs (exact.r) > tl_carrier_full (next).high.r)
    next = tl_element_type_next (next);
  return too_large (text, token, element, exact.r < 0, next);
}

gboolean
tl_text_value (TlText *text, TlToken token, TlElementType element, gboolean infinite, TlScalar *value)
{
  gboolean real = tl_element_type_is_float (element), boolean = element.kind == TL_ELEMENT_BOOL;
  Decimal  decimal;
  gboolean minus = token.length > 0 && token.text[0] == '-';
  TlToken  bare = token;
  guint64  digits;

  if (!real && !boolean && plain_digits (token, &digits) && digits <= (guint64) tl_element_type_max (element))
    {
      value->i = (gint64) digits;
      return TRUE;
    }
  if (minus || (token.length > 0 && token.text[0] == '+'))
    {
      bare.text++;
      bare.length--;
    }
  if (tl_token_is_word (bare, "inf") || tl_token_is_word (bare, "infinity"))
    {
      if (infinite && !boolean)
        {
          *value
              = real ? (TlScalar) { .r = minus ? -INFINITY : INFINITY } : (TlScalar) { .i = minus ? -TL_INF : TL_INF };
          return TRUE;
        }
      TlDiag *diag = tl_text_fail (text, token.offset, "bad-number", "an infinity is no value here");
      tl_diag_reason (diag, boolean ? "a bool is 0 or 1" : "an arc of infinite weight is no arc; leave the line out");
      return FALSE;
    }
  if (boolean && (tl_token_is_word (token, "true") || tl_token_is_word (token, "false")))
    {
      value->i = tl_token_is_word (token, "true");
      return TRUE;
    }
  if (!parse_decimal (token, &decimal))
    {
      g_autofree char *shown = tl_token_text (token);
      TlDiag          *diag = tl_text_fail (text, token.offset, "bad-number", "\"%s\" is not a number", shown);
      tl_diag_reason (diag, "write decimal numbers: 12, -3, 0.5, 1e6%s", infinite && !boolean ? ", or inf" : "");
      return FALSE;
    }
  if (boolean)
    {
      value->i = decimal.digits != 0;
      return TRUE;
    }
  return real ? real_value (text, token, element, value) : whole_value (text, token, &decimal, element, value);
}
