/* The diagnostics list and its text form. */
#include "base/diag.h"

#include <string.h>

struct _TlDiags
{
  gatomicrefcount refs;
  GPtrArray      *items; /* of TlDiag *, owned */
  guint           errors;
};

static void
edit_clear (gpointer data)
{
  TlEdit *edit = data;
  g_free (edit->replacement);
}

static void
fix_free (gpointer data)
{
  TlFix *fix = data;
  g_free (fix->title);
  g_array_unref (fix->edits);
  g_free (fix);
}

static void
diag_free (gpointer data)
{
  TlDiag *diag = data;
  g_free (diag->code);
  g_free (diag->file);
  g_free (diag->message);
  g_free (diag->reason);
  g_ptr_array_unref (diag->fixes);
  g_free (diag);
}

TlDiags *
tl_diags_new (void)
{
  TlDiags *diags = g_new0 (TlDiags, 1);
  g_atomic_ref_count_init (&diags->refs);
  diags->items = g_ptr_array_new_with_free_func (diag_free);
  return diags;
}

TlDiags *
tl_diags_ref (TlDiags *diags)
{
  g_atomic_ref_count_inc (&diags->refs);
  return diags;
}

void
tl_diags_unref (TlDiags *diags)
{
  if (!g_atomic_ref_count_dec (&diags->refs))
    return;
  g_ptr_array_unref (diags->items);
  g_free (diags);
}

guint
tl_diags_count (const TlDiags *diags)
{
  return diags->items->len;
}

guint
tl_diags_errors (const TlDiags *diags)
{
  return diags->errors;
}

const TlDiag *
tl_diags_get (const TlDiags *diags, guint index)
{
  g_return_val_if_fail (index < diags->items->len, NULL);
  return g_ptr_array_index (diags->items, index);
}

static int
compare_diags (gconstpointer a, gconstpointer b)
{
  const TlDiag *first = *(TlDiag *const *) a;
  const TlDiag *second = *(TlDiag *const *) b;
  int           order = strcmp (first->file, second->file);

  if (order != 0)
    return order;
  if (first->from.line != second->from.line)
    return first->from.line < second->from.line ? -1 : 1;
  if (first->from.column != second->from.column)
    return first->from.column < second->from.column ? -1 : 1;
  return (int) second->severity - (int) first->severity;
}

void
tl_diags_sort (TlDiags *diags)
{
  /* g_ptr_array_sort is a stable merge sort only by accident: insertion keeps
   * the order of equals, and lists are short. */
  for (guint i = 1; i < diags->items->len; i++)
    {
      gpointer item = diags->items->pdata[i];
      guint    at = i;
      while (at > 0 && compare_diags (&diags->items->pdata[at - 1], &item) > 0)
        {
          diags->items->pdata[at] = diags->items->pdata[at - 1];
          at--;
        }
      diags->items->pdata[at] = item;
    }
}

static TlDiag *
add_new (TlDiags *diags, TlSeverity severity, const char *code, const char *file, char *message)
{
  TlDiag *diag = g_new0 (TlDiag, 1);

  diag->severity = severity;
  diag->code = g_strdup (code);
  diag->file = g_strdup (file ? file : "");
  diag->message = message;
  diag->fixes = g_ptr_array_new_with_free_func (fix_free);
  g_ptr_array_add (diags->items, diag);
  diags->errors += severity == TL_SEVERITY_ERROR;
  return diag;
}

gboolean
tl_refuse (char **reason, const char *format, ...)
{
  va_list args;

  if (reason == NULL)
    return FALSE;
  va_start (args, format);
  *reason = g_strdup_vprintf (format, args);
  va_end (args);
  return FALSE;
}

TlDiag *
tl_diags_add (TlDiags *diags, TlSeverity severity, const char *code, TlSource *source, TlSpan span, const char *format,
              ...)
{
  va_list args;
  va_start (args, format);
  char *message = g_strdup_vprintf (format, args);
  va_end (args);

  TlDiag *diag = add_new (diags, severity, code, source ? tl_source_name (source) : "", message);
  diag->span = span;
  if (source != NULL)
    {
      diag->from = tl_source_position (source, span.start);
      diag->to = tl_source_position (source, MAX (span.start, span.end));
    }
  return diag;
}

TlDiag *
tl_diags_add_at (TlDiags *diags, TlSeverity severity, const char *code, const char *file, guint line, guint column,
                 const char *format, ...)
{
  va_list args;
  va_start (args, format);
  char *message = g_strdup_vprintf (format, args);
  va_end (args);

  TlDiag *diag = add_new (diags, severity, code, file, message);
  diag->from = diag->to = (TlPosition) { line, column };
  return diag;
}

TlDiag *
tl_diag_reason (TlDiag *diag, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_free (diag->reason);
  diag->reason = g_strdup_vprintf (format, args);
  va_end (args);
  return diag;
}

TlFix *
tl_diag_fix (TlDiag *diag, const char *title, TlSpan span, const char *replacement)
{
  TlFix *fix = g_new0 (TlFix, 1);

  fix->title = g_strdup (title);
  fix->edits = g_array_new (FALSE, FALSE, sizeof (TlEdit));
  g_array_set_clear_func (fix->edits, edit_clear);
  tl_fix_edit (fix, span, replacement);
  g_ptr_array_add (diag->fixes, fix);
  return fix;
}

void
tl_fix_edit (TlFix *fix, TlSpan span, const char *replacement)
{
  TlEdit edit = { span, g_strdup (replacement) };
  g_array_append_val (fix->edits, edit);
}

void
tl_diags_copy (TlDiags *diags, const TlDiag *from)
{
  TlDiag *copy = add_new (diags, from->severity, from->code, from->file, g_strdup (from->message));

  copy->span = from->span;
  copy->from = from->from;
  copy->to = from->to;
  copy->reason = g_strdup (from->reason);
  for (guint f = 0; f < from->fixes->len; f++)
    {
      const TlFix *fix = g_ptr_array_index (from->fixes, f);
      TlFix       *new_fix = NULL;

      for (guint e = 0; e < fix->edits->len; e++)
        {
          const TlEdit *edit = &g_array_index (fix->edits, TlEdit, e);
          if (new_fix == NULL)
            new_fix = tl_diag_fix (copy, fix->title, edit->span, edit->replacement);
          else
            tl_fix_edit (new_fix, edit->span, edit->replacement);
        }
    }
}

void
tl_diags_append (TlDiags *diags, const TlDiags *from)
{
  for (guint i = 0; i < from->items->len; i++)
    tl_diags_copy (diags, g_ptr_array_index (from->items, i));
}

const char *
tl_severity_name (TlSeverity severity)
{
  static const char *const names[] = { "note", "warning", "error" };
  return names[severity];
}

char *
tl_diag_to_text (const TlDiag *diag)
{
  GString *text = g_string_new (NULL);

  if (diag->file[0] != '\0')
    {
      g_string_append (text, diag->file);
      if (diag->from.line > 0)
        g_string_append_printf (text, ":%u", diag->from.line);
      if (diag->from.column > 0)
        g_string_append_printf (text, ":%u", diag->from.column);
      g_string_append (text, ": ");
    }
  g_string_append_printf (text, "%s: %s [%s]\n", tl_severity_name (diag->severity), diag->message, diag->code);
  if (diag->reason != NULL)
    g_string_append_printf (text, "  because: %s\n", diag->reason);
  for (guint i = 0; i < diag->fixes->len; i++)
    g_string_append_printf (text, "  fix: %s\n", ((const TlFix *) g_ptr_array_index (diag->fixes, i))->title);
  return g_string_free (text, FALSE);
}
