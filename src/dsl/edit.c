/* Setting config and place lines in a text without touching the rest of it. */
#include "dsl/edit.h"

#include <string.h>

#define LONGEST_LINE 80

static void
add_edit (GArray *edits, guint32 start, guint32 end, char *replacement)
{
  TlEdit edit = { { start, end }, replacement };
  g_array_append_val (edits, edit);
}

static void
clear_edit (gpointer data)
{
  g_free (((TlEdit *) data)->replacement);
}

static int
compare_edits (gconstpointer a, gconstpointer b)
{
  const TlEdit *first = a, *second = b;

  if (first->span.start != second->span.start)
    return first->span.start < second->span.start ? -1 : 1;
  return first->span.end < second->span.end ? -1 : first->span.end > second->span.end;
}

static GArray *
new_edits (void)
{
  GArray *edits = g_array_new (FALSE, FALSE, sizeof (TlEdit));
  g_array_set_clear_func (edits, clear_edit);
  return edits;
}

/* The line end that the text uses. */
static const char *
line_end (const char *text)
{
  const char *newline = strpbrk (text, "\r\n");

  if (newline == NULL || *newline == '\n')
    return "\n";
  return newline[1] == '\n' ? "\r\n" : "\r";
}

static guint32
line_start_of (const char *text, guint32 at)
{
  while (at > 0 && text[at - 1] != '\n' && text[at - 1] != '\r')
    at--;
  return at;
}

/* Offset just past the end of the line that holds @at, its line end included. */
static guint32
line_end_of (const char *text, guint32 length, guint32 at)
{
  while (at < length && text[at] != '\n' && text[at] != '\r')
    at++;
  if (at < length && text[at] == '\r' && at + 1 < length && text[at + 1] == '\n')
    at++;
  return MIN (at + 1, length);
}

/* A whole new line below the one that holds @after, indented as it is. */
static void
add_line (GArray *edits, const TlAst *ast, guint32 after, char *line)
{
  const char      *text = tl_source_text (ast->source);
  guint32          length = tl_source_length (ast->source);
  guint32          start = line_start_of (text, after), end = line_end_of (text, length, after), in = start;
  gboolean         ended = end > start && (text[end - 1] == '\n' || text[end - 1] == '\r');
  g_autofree char *written = line;

  if (start == 0 && length >= 3 && memcmp (text, "\xef\xbb\xbf", 3) == 0)
    in = start = 3;
  while (in < length && (text[in] == ' ' || text[in] == '\t'))
    in++;
  g_autofree char *indent = g_strndup (text + start, in - start);
  add_edit (edits, end, end,
            length == 0 ? g_strconcat (written, line_end (text), NULL)
            : ended     ? g_strconcat (indent, written, line_end (text), NULL)
                        : g_strconcat (line_end (text), indent, written, NULL));
}

/* Where a new config or place line goes: below the last one of its kind, else below
 * the last section. */
static guint32
last_section_end (const TlAst *ast)
{
  guint32 end = 0;

  for (guint i = 0; i < ast->n_places; i++)
    end = MAX (end, ast->places[i]->span.end);
  for (guint i = 0; i < ast->n_config; i++)
    end = MAX (end, ast->config[i]->line_span.end);
  for (guint i = 0; i < ast->n_data && end == 0; i++)
    end = MAX (end, ast->data[ast->n_data - 1 - i]->span.end);
  for (guint i = 0; i < ast->n_algorithms; i++)
    end = MAX (end, ast->algorithms[i]->span.end);
  for (guint i = 0; i < ast->n_data; i++)
    end = MAX (end, ast->data[i]->span.end);
  if (end == 0)
    end = tl_source_length (ast->source);
  return end;
}

/* Cuts from @start to @end, the whole line when nothing else is on it. */
static void
cut_statement (GArray *edits, const TlAst *ast, guint32 start, guint32 end)
{
  const char *text = tl_source_text (ast->source);
  guint32     length = tl_source_length (ast->source), line = line_start_of (text, start), rest = end;
  gboolean    leads = TRUE, alone = FALSE;

  for (guint32 at = line; at < start; at++)
    leads &= text[at] == ' ' || text[at] == '\t';
  while (rest < length && (text[rest] == ' ' || text[rest] == '\t'))
    rest++;
  alone = leads && (rest == length || text[rest] == '\n' || text[rest] == '\r');
  if (alone)
    add_edit (edits, line, line_end_of (text, length, end), g_strdup (""));
  else
    add_edit (edits, start, leads ? rest : end, g_strdup (""));
}

static gboolean
same_line (const TlConfigItem *a, const TlConfigItem *b)
{
  return a != NULL && b != NULL && a->line_span.start == b->line_span.start;
}

/* Takes the items @first..@last out, neighbours on one line, with the commas that
 * join them to it. */
static void
cut_items (GArray *edits, const TlAst *ast, guint first, guint last)
{
  const TlConfigItem *before = first > 0 ? ast->config[first - 1] : NULL;
  const TlConfigItem *after = last + 1 < ast->n_config ? ast->config[last + 1] : NULL;

  if (same_line (after, ast->config[last]))
    add_edit (edits, ast->config[first]->span.start, after->span.start, g_strdup (""));
  else if (same_line (before, ast->config[first]))
    add_edit (edits, before->span.end, ast->config[last]->span.end, g_strdup (""));
  else
    cut_statement (edits, ast, ast->config[first]->line_span.start, ast->config[last]->line_span.end);
}

static void
add_item (GArray *edits, const TlAst *ast, const char *key, const char *value)
{
  const char         *text = tl_source_text (ast->source);
  const TlConfigItem *last = ast->n_config > 0 ? ast->config[ast->n_config - 1] : NULL;

  if (last == NULL)
    {
      add_line (edits, ast, last_section_end (ast), g_strdup_printf ("config %s = %s", key, value));
      return;
    }
  guint32 line = line_start_of (text, last->span.end);
  gsize   needed = last->span.end - line + strlen (key) + strlen (value) + 5;
  if (needed <= LONGEST_LINE && last->line_span.end == last->span.end)
    add_edit (edits, last->span.end, last->span.end, g_strdup_printf (", %s = %s", key, value));
  else
    add_line (edits, ast, last->line_span.end, g_strdup_printf ("config %s = %s", key, value));
}

static gboolean
says_already (const TlAst *ast, TlSpan span, const char *value)
{
  return strlen (value) == span.end - span.start
         && memcmp (tl_source_text (ast->source) + span.start, value, span.end - span.start) == 0;
}

GArray *
tl_edit_config (const TlAst *ast, const char *key, const char *value)
{
  g_return_val_if_fail (ast != NULL && key != NULL, NULL);
  GArray *edits = new_edits ();
  guint   kept = G_MAXUINT;

  for (guint i = ast->n_config; value != NULL && kept == G_MAXUINT && i-- > 0;)
    if (strcmp (ast->config[i]->key, key) == 0)
      kept = i;
  for (guint i = 0; i < ast->n_config; i++)
    {
      guint last = i;
      if (strcmp (ast->config[i]->key, key) != 0)
        continue;
      if (i == kept)
        {
          if (!says_already (ast, ast->config[i]->value_span, value))
            add_edit (edits, ast->config[i]->value_span.start, ast->config[i]->value_span.end, g_strdup (value));
          continue;
        }
      while (last + 1 < ast->n_config && last + 1 != kept && same_line (ast->config[i], ast->config[last + 1])
             && strcmp (ast->config[last + 1]->key, key) == 0)
        last++;
      cut_items (edits, ast, i, last);
      i = last;
    }
  if (value != NULL && kept == G_MAXUINT)
    add_item (edits, ast, key, value);
  g_array_sort (edits, compare_edits);
  return edits;
}

GArray *
tl_edit_place (const TlAst *ast, const char *name, const char *value)
{
  g_return_val_if_fail (ast != NULL && name != NULL, NULL);
  GArray            *edits = new_edits ();
  const TlPlaceDecl *kept = value != NULL ? tl_ast_place (ast, name) : NULL;

  for (guint i = 0; i < ast->n_places; i++)
    if (strcmp (ast->places[i]->name, name) == 0)
      {
        if (ast->places[i] != kept)
          cut_statement (edits, ast, ast->places[i]->span.start, ast->places[i]->span.end);
        else if (!says_already (ast, kept->value_span, value))
          add_edit (edits, kept->value_span.start, kept->value_span.end, g_strdup (value));
      }
  if (value != NULL && kept == NULL)
    add_line (edits, ast, last_section_end (ast), g_strdup_printf ("place %s = %s", name, value));
  g_array_sort (edits, compare_edits);
  return edits;
}

char *
tl_edit_apply (const TlSource *source, const GArray *edits, gsize *length)
{
  g_return_val_if_fail (source != NULL && edits != NULL, NULL);
  const char *text = tl_source_text (source);
  guint32     end = tl_source_length (source), at = 0;
  g_autoptr (GArray) sorted = g_array_sized_new (FALSE, FALSE, sizeof (TlEdit), edits->len);
  GString *result = g_string_sized_new (end + 64);

  if (edits->len > 0)
    g_array_append_vals (sorted, edits->data, edits->len);
  g_array_sort (sorted, compare_edits);
  for (guint i = 0; i < sorted->len; i++)
    {
      const TlEdit *edit = &g_array_index (sorted, TlEdit, i);
      if (edit->span.start < at || edit->span.end < edit->span.start || edit->span.end > end)
        continue;
      g_string_append_len (result, text + at, edit->span.start - at);
      g_string_append (result, edit->replacement);
      at = edit->span.end;
    }
  g_string_append_len (result, text + at, end - at);
  if (length != NULL)
    *length = result->len;
  return g_string_free (result, FALSE);
}

TlSource *
tl_source_with_config (TlSource *source, const char *key, const char *value)
{
  g_return_val_if_fail (source != NULL && key != NULL, NULL);
  g_autoptr (TlAst) ast = tl_parse (source, NULL);
  g_autoptr (GArray) edits = tl_edit_config (ast, key, value);
  gsize            length = 0;
  g_autofree char *text = tl_edit_apply (source, edits, &length);

  return tl_source_new (tl_source_name (source), text, (gssize) length);
}
