/* From lines to the fields of a table's rows. */
#include "passes/knob-table-private.h"

#include "base/number.h"
#include "base/word.h"
#include "dsl/knobs.h"

#include <string.h>

TlDiag *
tl_knob_refuse (TlKnobTake *take, const char *code, TlSpan span, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list          args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  take->right = FALSE;
  if (take->by == TL_CHOSEN_TARGET)
    return tl_diags_add_at (take->diags, TL_SEVERITY_ERROR, code, tl_target_file (take->target), 0, 0, "%s", message);
  return tl_diags_add (take->diags, TL_SEVERITY_ERROR, code, take->source, span, "%s", message);
}

void
tl_knob_fix (TlKnobTake *take, TlDiag *diag, TlSpan span, const char *key, const char *value)
{
  g_autofree char *title = g_strdup_printf ("set %s = %s", key, value);

  if (take->by != TL_CHOSEN_TARGET)
    tl_diag_fix (diag, title, span, value);
}

static gboolean
take_number (TlKnobTake *take, const TlKnobRow *row, const TlExpr *value)
{
  gint64 number;

  if (!tl_expr_integer (value, &number))
    return FALSE;
  if (number >= 0 && (guint64) number >= row->field.least && (guint64) number <= row->field.most)
    {
      tl_field_set (take->knobs, &row->field, (guint64) number);
      return TRUE;
    }
  g_autofree char *legal = tl_knob_row_legal (row);
  tl_diag_reason (
      tl_knob_refuse (take, "illegal-value", value->span, "%s cannot be %" G_GINT64_FORMAT, row->key, number),
      "%s is %s here", row->key, legal);
  return FALSE;
}

static gboolean
take_word (TlKnobTake *take, const TlKnobRow *row, const TlExpr *value)
{
  int word = value->kind == TL_EXPR_NAME ? tl_word_find (row->word, value->text) : -1;

  if (word >= 0)
    tl_field_set (take->knobs, &row->field, (guint64) word);
  return word >= 0;
}

void
tl_knob_take (TlKnobTake *take, guint id, const TlExpr *value, TlSpan span)
{
  const TlKnobRow *row = &take->rows[id];
  gboolean         taken = row->form == TL_KNOB_WORD     ? take_word (take, row, value)
                           : row->form == TL_KNOB_NUMBER ? take_number (take, row, value)
                                                         : take->own (take, id, value);

  if (!taken)
    {
      take->right = FALSE;
      return;
    }
  take->origin[id].chosen = take->by;
  take->origin[id].span = take->by == TL_CHOSEN_TARGET ? tl_span (0, 0) : span;
}

static gboolean
means_something (const TlKnobTake *take, guint id)
{
  return take->means == NULL || take->means (take, id);
}

void
tl_knob_take_target (TlKnobTake *take)
{
  take->by = TL_CHOSEN_TARGET;
  for (guint i = 0; i < tl_target_n_knobs (take->target); i++)
    {
      const char      *key, *text;
      g_autofree char *reason = NULL;
      guint            id = 0;

      tl_target_get_knob (take->target, i, &key, &text);
      g_autoptr (TlAst) line = tl_knob_default (take->target, key, &reason);
      while (id < take->n_rows && strcmp (take->rows[id].key, key) != 0)
        id++;
      if (line == NULL)
        tl_knob_refuse (take, "target-knob", tl_span (0, 0), "the target's default %s = %s is not legal: %s", key, text,
                        reason);
      else if (id < take->n_rows && means_something (take, id))
        tl_knob_take (take, id, tl_ast_config (line, key)->value, tl_span (0, 0));
    }
}

void
tl_knob_take_config (TlKnobTake *take, const TlAst *ast)
{
  take->by = TL_CHOSEN_YOU;
  take->source = ast->source;
  for (guint id = 0; id < take->n_rows; id++)
    {
      const TlConfigItem *item = tl_ast_config (ast, take->rows[id].key);
      const TlKnob       *knob = tl_knob_find (take->rows[id].key);

      if (item == NULL || item->value == NULL || knob == NULL || !means_something (take, id))
        continue;
      if (tl_knob_admits (knob, item->value, NULL, NULL))
        tl_knob_take (take, id, item->value, item->value_span);
      else
        take->right = FALSE; /* the checks of the text have said why */
    }
}

void
tl_knob_warn_foreign (TlKnobTake *take, const TlAst *ast, const TlForeignKey *foreign, guint n, const char *what)
{
  for (guint f = 0; f < n; f++)
    {
      const TlConfigItem *item = tl_ast_config (ast, foreign[f].key);

      if (item != NULL)
        tl_diag_reason (tl_diags_add (take->diags, TL_SEVERITY_WARNING, "not-on-this-target", ast->source, item->span,
                                      "%s does nothing for %s on %s", foreign[f].key, what,
                                      tl_target_name (take->target)),
                        "%s", foreign[f].reason);
    }
}

TlDiag *
tl_knob_agree (TlKnobTake *take, const TlExpr *value, const char *key, const char *derived, const char *what)
{
  if (value->kind == TL_EXPR_NAME && strcmp (value->text, derived) == 0)
    return NULL;
  TlDiag *diag = tl_knob_refuse (take, "not-on-this-target", value->span, "%s = %s does not suit a %s; its %s is %s",
                                 key, value->text, what, key, derived);
  tl_knob_fix (take, diag, value->span, key, derived);
  return diag;
}

char *
tl_knob_row_text (const TlKnobRow *row, gconstpointer knobs)
{
  guint64 value = row->form != TL_KNOB_OWN ? tl_field_get (knobs, &row->field) : 0;

  switch (row->form)
    {
    case TL_KNOB_WORD:
      return g_strdup (row->word ((int) value));
    case TL_KNOB_NUMBER:
      return g_strdup_printf ("%" G_GUINT64_FORMAT, value);
    case TL_KNOB_OWN:
    default:
      return NULL;
    }
}

char *
tl_knob_row_legal (const TlKnobRow *row)
{
  const TlKnob *knob = tl_knob_find (row->key);

  if (row->form == TL_KNOB_WORD && knob != NULL && knob->words != NULL)
    return tl_word_list (knob->words);
  if (row->form != TL_KNOB_NUMBER
      || (knob != NULL && knob->grammar != NULL && row->field.least == (guint64) knob->least
          && row->field.most == (guint64) knob->most))
    return knob != NULL && knob->grammar != NULL ? g_strdup (knob->grammar) : NULL;
  if (row->field.most >= G_MAXINT32)
    return g_strdup_printf ("%" G_GUINT64_FORMAT " or more", row->field.least);
  return g_strdup_printf ("%" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT, row->field.least, row->field.most);
}
