/* Lines are compared with the numbers of values and block arguments masked, since one
 * new operation renumbers all that follow; the longest common subsequence says what
 * stayed. */
#include "scene/rungs.h"

#include <stdlib.h>
#include <string.h>

/* More lines than this (squared) are not compared, all count as changed. */
#define MOST_LINES 4000

static void
line_free (gpointer data)
{
  TlRungLine *line = data;

  g_free (line->text);
  g_array_unref (line->lines);
  g_free (line);
}

/* Where " loc(" begins outside strings, or the end. */
static const char *
location_of (const char *text)
{
  gboolean quoted = FALSE;

  for (const char *at = text; *at != '\0'; at++)
    {
      if (*at == '\\' && quoted && at[1] != '\0')
        at++;
      else if (*at == '"')
        quoted = !quoted;
      else if (!quoted && g_str_has_prefix (at, " loc("))
        return at;
    }
  return text + strlen (text);
}

static int
compare_lines (gconstpointer a, gconstpointer b)
{
  guint first = *(const guint *) a, second = *(const guint *) b;

  return first < second ? -1 : first > second;
}

/* "file":line:column, any number of them, in the text of a location. */
static void
read_places (TlRungLine *line, const char *location)
{
  for (const char *at = strstr (location, "\":"); at != NULL; at = strstr (at + 1, "\":"))
    {
      char *end = NULL;
      guint number = (guint) strtoul (at + 2, &end, 10);

      if (end == at + 2 || *end != ':' || number == 0)
        continue;
      if (line->line == 0)
        {
          line->line = number;
          line->column = (guint) strtoul (end + 1, NULL, 10);
        }
      if (!tl_rung_stems (line, number))
        g_array_append_val (line->lines, number);
    }
  g_array_sort (line->lines, compare_lines);
}

/* %12 and %arg3 become %, so that renumbering is no change. */
static char *
masked (const char *text)
{
  GString *out = g_string_new (NULL);

  for (const char *at = text; *at != '\0'; at++)
    {
      g_string_append_c (out, *at);
      if (*at != '%')
        continue;
      if (g_str_has_prefix (at + 1, "arg"))
        at += 3;
      while (g_ascii_isdigit (at[1]))
        at++;
    }
  return g_string_free (out, FALSE);
}

static GPtrArray *
split (const char *dump)
{
  GPtrArray *lines = g_ptr_array_new_with_free_func (line_free);
  g_auto (GStrv) texts = g_strsplit (dump, "\n", -1);

  for (guint l = 0; texts[l] != NULL; l++)
    {
      if (texts[l][0] == '\0')
        continue;
      const char *location = location_of (texts[l]);
      TlRungLine *line = g_new0 (TlRungLine, 1);
      line->text = g_strndup (texts[l], location - texts[l]);
      line->lines = g_array_new (FALSE, FALSE, sizeof (guint));
      line->changed = TRUE;
      read_places (line, location);
      g_ptr_array_add (lines, line);
    }
  return lines;
}

static char **
keys_of (GPtrArray *lines)
{
  char **keys = g_new0 (char *, lines->len + 1);

  for (guint l = 0; l < lines->len; l++)
    keys[l] = masked (((TlRungLine *) lines->pdata[l])->text);
  return keys;
}

/* Marks what of @after is in @before too; returns how many lines that are. */
static guint
mark_common (GPtrArray *before, GPtrArray *after)
{
  guint n = before->len, m = after->len, common = 0;
  g_auto (GStrv) old = keys_of (before);
  g_auto (GStrv) new = keys_of (after);
  g_autofree guint16 *longest = g_new0 (guint16, (gsize) (n + 1) * (m + 1));

  for (guint i = n; i-- > 0;)
    for (guint j = m; j-- > 0;)
      longest[(gsize) i * (m + 1) + j] = strcmp (old[i], new[j]) == 0 ? longest[(gsize) (i + 1) * (m + 1) + j + 1] + 1
                                                                      : MAX (longest[(gsize) (i + 1) * (m + 1) + j],
                                                                             longest[(gsize) i * (m + 1) + j + 1]);
  for (guint i = 0, j = 0; i < n && j < m;)
    if (strcmp (old[i], new[j]) == 0)
      {
        ((TlRungLine *) after->pdata[j])->changed = FALSE;
        common++;
        i++;
        j++;
      }
    else if (longest[(gsize) (i + 1) * (m + 1) + j] >= longest[(gsize) i * (m + 1) + j + 1])
      i++;
    else
      j++;
  return common;
}

TlRung *
tl_rung_new (const char *dump, const char *before)
{
  TlRung *rung = g_new0 (TlRung, 1);
  guint   common = 0;

  rung->lines = split (dump);
  if (before != NULL)
    {
      g_autoptr (GPtrArray) old = split (before);
      if (old->len <= MOST_LINES && rung->lines->len <= MOST_LINES)
        common = mark_common (old, rung->lines);
      rung->removed = old->len - common;
    }
  rung->changed = rung->lines->len - common;
  return rung;
}

void
tl_rung_free (TlRung *rung)
{
  g_ptr_array_unref (rung->lines);
  g_free (rung);
}

gboolean
tl_rung_stems (const TlRungLine *line, guint source_line)
{
  for (guint l = 0; l < line->lines->len; l++)
    if (g_array_index (line->lines, guint, l) == source_line)
      return TRUE;
  return FALSE;
}

char *
tl_stream_of_pu (const char *printed, guint pu)
{
  GString *out = g_string_new (NULL);
  g_auto (GStrv) lines = g_strsplit (printed, "\n", -1);
  g_autofree char *own = g_strdup_printf ("PU %u:", pu);
  gboolean         shown = TRUE;

  for (guint l = 0; lines[l] != NULL; l++)
    {
      if (g_str_has_prefix (lines[l], "PU "))
        shown = g_str_has_prefix (lines[l], own);
      else if (lines[l][0] != ' ' && lines[l][0] != '\0')
        shown = TRUE;
      if (shown && lines[l][0] != '\0')
        g_string_append_printf (out, "%s\n", lines[l]);
    }
  return g_string_free (out, FALSE);
}

guint
tl_rung_same_until (const TlRung *rung, guint from)
{
  while (from < rung->lines->len && !((const TlRungLine *) rung->lines->pdata[from])->changed)
    from++;
  return from;
}
