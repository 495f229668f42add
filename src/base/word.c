/* Guessing what a mistyped word meant. */
#include "base/word.h"

#include <string.h>

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
