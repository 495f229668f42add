/* Access signatures: reading, and what is asked of them. */
#include "place/sequence.h"
#include "base/hash.h"

#include <string.h>

TlSequence *
tl_sequence_new (guint bits, const guint16 *units, gsize length)
{
  g_return_val_if_fail (bits >= 1 && bits <= TL_PLACE_MAX_BITS, NULL);
  g_return_val_if_fail (length >= 1 && length <= TL_SEQUENCE_MAX_LENGTH, NULL);
  TlSequence *sequence = g_new (TlSequence, 1);

  sequence->bits = bits;
  sequence->length = (guint32) length;
  sequence->units = g_memdup2 (units, length * sizeof *units);
  return sequence;
}

void
tl_sequence_free (TlSequence *sequence)
{
  if (sequence == NULL)
    return;
  g_free (sequence->units);
  g_free (sequence);
}

/* The value of a word, capped at G_MAXUINT32. FALSE when it is no number. */
static gboolean
read_number (const char *word, gsize length, guint32 *value)
{
  gboolean hexadecimal = length > 2 && word[0] == '0' && (word[1] == 'x' || word[1] == 'X');
  guint64  sum = 0;

  for (gsize i = hexadecimal ? 2 : 0; i < length; i++)
    {
      if (hexadecimal ? !g_ascii_isxdigit (word[i]) : !g_ascii_isdigit (word[i]))
        return FALSE;
      sum = MIN (sum * (hexadecimal ? 16 : 10) + (guint) g_ascii_xdigit_value (word[i]), G_MAXUINT32);
    }
  *value = (guint32) sum;
  return TRUE;
}

/* A word as it may stand in a message: what a user can see of it. (transfer full) */
static char *
show_word (const char *word, gsize length)
{
  g_autofree char *cut = g_strndup (word, MIN (length, 24));
  g_autofree char *valid = g_utf8_make_valid (cut, -1);
  char            *escaped = g_strescape (valid, "\"");
  return escaped;
}

static TlDiag *
bad_word (TlSource *source, gsize at, gsize length, const char *code, const char *what, TlDiags *diags)
{
  g_autofree char *word = show_word (tl_source_text (source) + at, length);

  return tl_diags_add (diags, TL_SEVERITY_ERROR, code, source, tl_span ((guint32) at, (guint32) (at + length)),
                       "\"%s\" %s", word, what);
}

TlSequence *
tl_sequence_parse (TlSource *source, guint bits, TlDiags *diags)
{
  g_return_val_if_fail (bits >= 1 && bits <= TL_PLACE_MAX_BITS, NULL);
  const char *text = tl_source_text (source);
  gsize       length = tl_source_length (source);
  gsize       at = length >= 3 && memcmp (text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  g_autoptr (GArray) units = g_array_new (FALSE, FALSE, sizeof (guint16));

  while (at < length)
    {
      if (g_ascii_isspace (text[at]))
        {
          at++;
          continue;
        }
      if (text[at] == '#')
        {
          const char *end = memchr (text + at, '\n', length - at);
          at = end != NULL ? (gsize) (end - text) : length;
          continue;
        }
      gsize   start = at;
      guint32 value;
      while (at < length && !g_ascii_isspace (text[at]) && text[at] != '#')
        at++;
      if (!read_number (text + start, at - start, &value))
        {
          TlDiag *diag = bad_word (source, start, at - start, "not-a-unit", "is no unit number", diags);
          tl_diag_reason (diag, "a sequence is unit numbers, decimal or 0x hexadecimal, separated by white space; "
                                "\"#\" starts a comment");
          return NULL;
        }
      if (value >> bits != 0)
        {
          TlDiag *diag = bad_word (source, start, at - start, "unit-range", "is no unit of this tile", diags);
          tl_diag_reason (diag, "%u unit bits number the units 0 to %u; give more bits when the tile is larger", bits,
                          (1u << bits) - 1);
          return NULL;
        }
      if (units->len == TL_SEQUENCE_MAX_LENGTH)
        {
          TlDiag *diag = bad_word (source, start, at - start, "sequence-length", "is one access too many", diags);
          tl_diag_reason (diag,
                          "a signature has at most %u accesses; it is the order of one tile instance, "
                          "not of a whole run",
                          TL_SEQUENCE_MAX_LENGTH);
          return NULL;
        }
      guint16 unit = (guint16) value;
      g_array_append_val (units, unit);
    }
  if (units->len == 0)
    {
      TlDiag *diag = tl_diags_add (diags, TL_SEVERITY_ERROR, "empty-sequence", source, tl_span (0, 0),
                                   "there is no access in this sequence");
      tl_diag_reason (diag, "a plan places the units of one tile by the order of their accesses; give at least one "
                            "unit number");
      return NULL;
    }
  return tl_sequence_new (bits, (const guint16 *) (gpointer) units->data, units->len);
}

TlSequence *
tl_sequence_distinct (const TlSequence *sequence)
{
  gsize               n = (gsize) 1 << sequence->bits;
  g_autofree guint8  *seen = g_new0 (guint8, n);
  g_autofree guint16 *units = g_new (guint16, n);
  gsize               length = 0;

  for (guint32 i = 0; i < sequence->length; i++)
    seen[sequence->units[i]] = 1;
  for (gsize u = 0; u < n; u++)
    if (seen[u])
      units[length++] = (guint16) u;
  return tl_sequence_new (sequence->bits, units, length);
}

guint64
tl_sequence_hash (const TlSequence *sequence)
{
  guint8  head[8];
  guint64 hash;

  for (guint i = 0; i < 4; i++)
    {
      head[i] = (guint8) (sequence->bits >> 8 * i);
      head[4 + i] = (guint8) (sequence->length >> 8 * i);
    }
  hash = tl_fnv1a64 (TL_FNV1A64_START, head, sizeof head);
  for (guint32 i = 0; i < sequence->length; i++)
    {
      guint8 pair[2] = { (guint8) sequence->units[i], (guint8) (sequence->units[i] >> 8) };
      hash = tl_fnv1a64 (hash, pair, sizeof pair);
    }
  return hash;
}
