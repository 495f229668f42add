/* Adding diagnostics under a limit, and guessing what a mistyped word meant. */
#include "dsl/lexer.h"
#include "dsl/report-private.h"

#include <string.h>

static char *format_valid (const char *format, va_list args) G_GNUC_PRINTF (1, 0);

/* Texts quoted from a program may hold any bytes; messages are UTF-8. (transfer full) */
static char *
format_valid (const char *format, va_list args)
{
  char *text = g_strdup_vprintf (format, args);

  if (g_utf8_validate (text, -1, NULL))
    return text;
  char *valid = g_utf8_make_valid (text, -1);
  g_free (text);
  return valid;
}

gboolean
tl_report_full (const TlReporter *reporter)
{
  return reporter->mistakes > TL_MAX_MISTAKES;
}

TlDiag *
tl_report (TlReporter *reporter, TlSeverity severity, const char *code, TlSpan span, const char *format, ...)
{
  if (reporter->diags == NULL || reporter->muted || reporter->mistakes > TL_MAX_MISTAKES)
    return NULL;
  if (severity != TL_SEVERITY_ERROR && reporter->warnings++ >= TL_MAX_MISTAKES)
    return NULL;
  if (severity == TL_SEVERITY_ERROR && reporter->mistakes++ == TL_MAX_MISTAKES)
    {
      TlDiag *last = tl_diags_add (reporter->diags, TL_SEVERITY_ERROR, "too-many-mistakes", reporter->source, span,
                                   "more than %d mistakes; the rest is not listed", TL_MAX_MISTAKES);
      tl_diag_reason (last, "a text with so many is seldom a GenDSL program");
      return NULL;
    }

  va_list args;
  va_start (args, format);
  g_autofree char *message = format_valid (format, args);
  va_end (args);
  return tl_diags_add (reporter->diags, severity, code, reporter->source, span, "%s", message);
}

void
tl_report_reason (TlDiag *diag, const char *format, ...)
{
  if (diag == NULL)
    return;
  va_list args;
  va_start (args, format);
  g_autofree char *reason = format_valid (format, args);
  va_end (args);
  tl_diag_reason (diag, "%s", reason);
}

void
tl_report_fix (TlDiag *diag, TlSpan span, const char *replacement, const char *title_format, ...)
{
  if (diag == NULL)
    return;
  va_list args;
  va_start (args, title_format);
  g_autofree char *title = format_valid (title_format, args);
  va_end (args);
  tl_diag_fix (diag, title, span, replacement);
}

void
tl_report_fix_2 (TlDiag *diag, TlSpan first, const char *first_replacement, TlSpan second,
                 const char *second_replacement, const char *title)
{
  if (diag == NULL)
    return;
  TlFix *fix = tl_diag_fix (diag, title, first, first_replacement);
  tl_fix_edit (fix, second, second_replacement);
}

#define LONGEST_WORD 32

static char
folded (char c)
{
  return c == '-' ? '_' : g_ascii_tolower (c);
}

/* Optimal string alignment: Levenshtein with swaps of neighbours. */
guint
tl_word_distance (const char *a, const char *b)
{
  gsize length_a = strlen (a), length_b = strlen (b);
  guint rows[3][LONGEST_WORD + 1];

  if (length_a > LONGEST_WORD || length_b > LONGEST_WORD)
    return G_MAXUINT;
  for (gsize j = 0; j <= length_b; j++)
    rows[0][j] = j;
  for (gsize i = 1; i <= length_a; i++)
    {
      guint *row = rows[i % 3], *above = rows[(i + 2) % 3], *above_2 = rows[(i + 1) % 3];
      row[0] = i;
      for (gsize j = 1; j <= length_b; j++)
        {
          gboolean same = folded (a[i - 1]) == folded (b[j - 1]);
          row[j] = MIN (MIN (row[j - 1], above[j]) + 1, above[j - 1] + !same);
          if (i > 1 && j > 1 && folded (a[i - 1]) == folded (b[j - 2]) && folded (a[i - 2]) == folded (b[j - 1]))
            row[j] = MIN (row[j], above_2[j - 2] + 1);
        }
    }
  return rows[length_a % 3][length_b];
}

const char *
tl_word_nearest (const char *word, const char *const *candidates, guint n)
{
  const char *best = NULL;
  gsize       length = strlen (word);
  guint       limit = length <= 2 ? 1 : length <= 5 ? 2 : 3, best_distance = limit + 1;

  for (guint i = 0; i < n; i++)
    {
      if (candidates[i] == NULL)
        continue;
      guint distance = tl_word_distance (word, candidates[i]);
      /* Every letter changed is no typing mistake. */
      if (distance < best_distance && distance < MAX (length, strlen (candidates[i])))
        {
          best = candidates[i];
          best_distance = distance;
        }
    }
  return best;
}

char *
tl_word_list (const char *const *words)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; words[i] != NULL; i++)
    g_string_append_printf (text, "%s%s", i == 0 ? "" : words[i + 1] == NULL ? " or " : ", ", words[i]);
  return g_string_free (text, FALSE);
}
