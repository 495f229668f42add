/* Adding diagnostics under a limit. */
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
