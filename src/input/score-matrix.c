/* Substitution matrices. */
#include "input/score-matrix.h"

#include "input/text.h"

#include <string.h>

/* Henikoff and Henikoff 1992, in half bits, as all aligners have it. */
static const char blosum62[] = "   A  R  N  D  C  Q  E  G  H  I  L  K  M  F  P  S  T  W  Y  V  B  Z  X  *\n"
                               "A  4 -1 -2 -2  0 -1 -1  0 -2 -1 -1 -1 -1 -2 -1  1  0 -3 -2  0 -2 -1  0 -4\n"
                               "R -1  5  0 -2 -3  1  0 -2  0 -3 -2  2 -1 -3 -2 -1 -1 -3 -2 -3 -1  0 -1 -4\n"
                               "N -2  0  6  1 -3  0  0  0  1 -3 -3  0 -2 -3 -2  1  0 -4 -2 -3  3  0 -1 -4\n"
                               "D -2 -2  1  6 -3  0  2 -1 -1 -3 -4 -1 -3 -3 -1  0 -1 -4 -3 -3  4  1 -1 -4\n"
                               "C  0 -3 -3 -3  9 -3 -4 -3 -3 -1 -1 -3 -1 -2 -3 -1 -1 -2 -2 -1 -3 -3 -2 -4\n"
                               "Q -1  1  0  0 -3  5  2 -2  0 -3 -2  1  0 -3 -1  0 -1 -2 -1 -2  0  3 -1 -4\n"
                               "E -1  0  0  2 -4  2  5 -2  0 -3 -3  1 -2 -3 -1  0 -1 -3 -2 -2  1  4 -1 -4\n"
                               "G  0 -2  0 -1 -3 -2 -2  6 -2 -4 -4 -2 -3 -3 -2  0 -2 -2 -3 -3 -1 -2 -1 -4\n"
                               "H -2  0  1 -1 -3  0  0 -2  8 -3 -3 -1 -2 -1 -2 -1 -2 -2  2 -3  0  0 -1 -4\n"
                               "I -1 -3 -3 -3 -1 -3 -3 -4 -3  4  2 -3  1  0 -3 -2 -1 -3 -1  3 -3 -3 -1 -4\n"
                               "L -1 -2 -3 -4 -1 -2 -3 -4 -3  2  4 -2  2  0 -3 -2 -1 -2 -1  1 -4 -3 -1 -4\n"
                               "K -1  2  0 -1 -3  1  1 -2 -1 -3 -2  5 -1 -3 -1  0 -1 -3 -2 -2  0  1 -1 -4\n"
                               "M -1 -1 -2 -3 -1  0 -2 -3 -2  1  2 -1  5  0 -2 -1 -1 -1 -1  1 -3 -1 -1 -4\n"
                               "F -2 -3 -3 -3 -2 -3 -3 -3 -1  0  0 -3  0  6 -4 -2 -2  1  3 -1 -3 -3 -1 -4\n"
                               "P -1 -2 -2 -1 -3 -1 -1 -2 -2 -3 -3 -1 -2 -4  7 -1 -1 -4 -3 -2 -2 -1 -2 -4\n"
                               "S  1 -1  1  0 -1  0  0  0 -1 -2 -2  0 -1 -2 -1  4  1 -3 -2 -2  0  0  0 -4\n"
                               "T  0 -1  0 -1 -1 -1 -1 -2 -2 -1 -1 -1 -1 -2 -1  1  5 -2 -2  0 -1 -1  0 -4\n"
                               "W -3 -3 -4 -4 -2 -2 -3 -2 -2 -3 -2 -3 -1  1 -4 -3 -2 11  2 -3 -4 -3 -2 -4\n"
                               "Y -2 -2 -2 -3 -2 -1 -2 -3  2 -1 -1 -2 -1  3 -3 -2 -2  2  7 -1 -3 -2 -1 -4\n"
                               "V  0 -3 -3 -3 -1 -2 -2 -3 -3  3  1 -2  1 -1 -2 -2  0 -3 -1  4 -3 -2 -1 -4\n"
                               "B -2 -1  3  4 -3  0  1 -1  0 -3 -4  0 -3 -3 -2  0 -1 -4 -3 -3  4  1 -1 -4\n"
                               "Z -1  0  0  1 -3  3  4 -2  0 -3 -3  1 -1 -3 -1  0 -1 -3 -2 -2  1  4 -1 -4\n"
                               "X  0 -1 -1 -1 -2 -1 -1 -1 -1 -1 -1 -1 -1 -1 -2  0  0 -2 -1 -1 -1 -1 -1 -4\n"
                               "* -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4  1\n";

static TlDiag *
wrong (TlText *text, gsize offset, const char *what)
{
  return tl_diag_reason (tl_text_fail (text, offset, "bad-matrix", "%s", what),
                         "a score matrix has a line of letters, then for each letter a line that begins with it and "
                         "holds a whole number for each letter of the first line; # begins a comment");
}

static gboolean
read_letter (TlText *text, TlToken token, guchar *letter)
{
  *letter = (guchar) g_ascii_toupper (token.text[0]);
  if (token.length == 1 && (g_ascii_isupper ((char) *letter) || *letter == '*'))
    return TRUE;
  wrong (text, token.offset, "this is no letter of a sequence");
  return FALSE;
}

static gboolean
next_line (TlText *text, gboolean *more)
{
  while (*more && (tl_text_peek (text) == '\0' || tl_text_peek (text) == '#'))
    *more = tl_text_next_line (text);
  return *more;
}

static gboolean
read_score (TlText *text, TlToken token, gint32 *score)
{
  g_autofree char *digits = g_strndup (token.text, MIN (token.length, 16));
  char            *end;
  gint64           value = g_ascii_strtoll (digits, &end, 10);

  *score = (gint32) value;
  if (token.length <= 8 && end != digits && *end == '\0' && value >= -1000000 && value <= 1000000)
    return TRUE;
  wrong (text, token.offset, "this is no whole number from -1,000,000 to 1,000,000");
  return FALSE;
}

static gboolean
read_rows (TlText *text, TlScoreMatrix *matrix)
{
  guchar   columns[256];
  guint    n = 0;
  gboolean seen[256] = { FALSE }, more = TRUE;
  TlToken  token;

  if (!next_line (text, &more))
    return wrong (text, text->at, "the file has no line of letters"), FALSE;
  while (tl_text_token (text, 0, &token))
    {
      guchar letter;

      if (!read_letter (text, token, &letter))
        return FALSE;
      if (matrix->known[letter])
        return wrong (text, token.offset, "this letter stands twice"), FALSE;
      matrix->known[letter] = TRUE;
      columns[n++] = letter;
    }
  more = tl_text_next_line (text);
  for (guint row = 0; row < n; row++)
    {
      guchar letter;

      if (!next_line (text, &more) || !tl_text_token (text, 0, &token))
        return wrong (text, text->at, "lines are missing: there are fewer than letters"), FALSE;
      if (!read_letter (text, token, &letter))
        return FALSE;
      if (!matrix->known[letter] || seen[letter])
        return wrong (text, token.offset, "this letter has no column, or a line already"), FALSE;
      seen[letter] = TRUE;
      for (guint c = 0; c < n; c++)
        {
          if (!tl_text_token (text, 0, &token))
            return wrong (text, token.offset, "this line has fewer scores than there are letters"), FALSE;
          if (!read_score (text, token, &matrix->scores[letter * 256 + columns[c]]))
            return FALSE;
        }
      if (tl_text_token (text, 0, &token))
        return wrong (text, token.offset, "this line has more scores than there are letters"), FALSE;
      more = tl_text_next_line (text);
    }
  if (next_line (text, &more))
    return wrong (text, text->at, "there are more lines than letters"), FALSE;
  return TRUE;
}

TlScoreMatrix *
tl_score_matrix_read (const char *name, gconstpointer bytes, gsize length, TlDiags *diags)
{
  g_autofree TlScoreMatrix *matrix = g_new0 (TlScoreMatrix, 1);
  TlText                    text;

  if (!tl_text_open (&text, name, bytes, length, diags) || !read_rows (&text, matrix))
    return NULL;
  return g_steal_pointer (&matrix);
}

TlScoreMatrix *
tl_score_matrix_named (const char *name)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();

  if (g_ascii_strcasecmp (name, "BLOSUM62") != 0)
    return NULL;
  return tl_score_matrix_read ("BLOSUM62", blosum62, strlen (blosum62), diags);
}
