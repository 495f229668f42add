/* FASTA and FASTQ. htslib unpacks (gzip and its blocked form); records are read line by
 * line here, since a fault in a file of 100,000 lines is worth its place. */
#include "input/sequence.h"

#include "base/number.h"
#include "input/gunzip.h"
#include "input/text.h"

#include <htslib/bgzf.h>
#include <htslib/hfile.h>
#include <htslib/hts_log.h>
#include <stdlib.h>
#include <string.h>

/* --- Unpacking --- */

#define STEP (1 << 18)

/* htslib tells what it finds on standard error, which a library here leaves alone. */
static void
be_silent (void)
{
  static gsize once = 0;

  if (g_once_init_enter (&once))
    {
      hts_set_log_level (HTS_LOG_OFF);
      g_once_init_leave (&once, 1);
    }
}

static BGZF *
open_packed (gconstpointer bytes, gsize length)
{
  char *copy = malloc (MAX (length, 1)); /* htslib frees it */
  BGZF *packed = NULL;

  if (copy == NULL)
    return NULL;
  memcpy (copy, bytes, length);
  hFILE *file = hopen ("mem:", "r:", copy, length);
  if (file == NULL)
    free (copy);
  else if ((packed = bgzf_hopen (file, "r")) == NULL)
    hclose_abruptly (file);
  return packed;
}

/* The unpacked text, or NULL with a diagnostic: damaged, cut off, or past @limit. */
static GBytes *
unpack (const char *name, gconstpointer bytes, gsize length, guint64 limit, TlDiags *diags)
{
  g_autoptr (GByteArray) out = g_byte_array_new ();
  BGZF    *packed;
  gboolean good = FALSE;

  be_silent ();
  packed = open_packed (bytes, length);
  while (packed != NULL && out->len < limit && out->len <= G_MAXUINT32 - (guint) STEP)
    {
      guint before = out->len;
      g_byte_array_set_size (out, before + STEP);
      gssize got = bgzf_read (packed, out->data + before, STEP);
      g_byte_array_set_size (out, before + (guint) MAX (got, 0));
      good = got == 0;
      if (got <= 0)
        break;
    }
  if (packed != NULL && bgzf_close (packed) != 0)
    good = FALSE;
  if (good)
    return g_byte_array_free_to_bytes (g_steal_pointer (&out));
  /* What is wrong, and at which byte, the plain gzip reader says; it also takes padding. */
  return tl_gunzip (name, bytes, length, limit, diags);
}

/* --- Records --- */

typedef struct
{
  TlText       text;
  TlSequences *sequences;
  GByteArray  *letters;
} Reader;

static gboolean
takes_letter (char c)
{
  return (c >= 'A' && c <= 'Z') || c == '*';
}

static TlDiag *
fail_letter (Reader *reader, gsize offset, char c)
{
  g_autofree char *shown
      = g_ascii_isprint (c) ? g_strdup_printf ("\"%c\"", c) : g_strdup_printf ("the byte 0x%02x", (guint) (guint8) c);
  TlDiag *diag = tl_text_fail (&reader->text, offset, "bad-letter", "%s is no letter of a sequence", shown);

  return tl_diag_reason (
      diag, c == '-' || c == '.' ? "gaps belong to alignments; give the sequence without them"
                                 : "letters are A to Z in either case, N where a base is not known, and * for a stop");
}

/* The rest of a line as letters. */
static void
read_letters (Reader *reader)
{
  TlToken token;

  while (tl_text_token (&reader->text, 0, &token))
    {
      guint before = reader->letters->len;

      g_byte_array_append (reader->letters, (const guint8 *) token.text, (guint) token.length);
      for (gsize i = 0; i < token.length; i++)
        {
          char c = g_ascii_toupper (token.text[i]);

          if (!takes_letter (c))
            {
              fail_letter (reader, token.offset + i, token.text[i]);
              return;
            }
          reader->letters->data[before + i] = (guint8) c;
          reader->sequences->n_unknown += c == 'N';
        }
    }
}

/* A header line; the text stands at its mark. */
static void
begin_record (Reader *reader)
{
  TlText          *text = &reader->text;
  TlSequenceRecord record = { .start = reader->letters->len, .line = text->line };
  TlToken          token;

  if (!tl_text_token (text, 0, &token) || token.length < 2)
    {
      TlDiag *diag = tl_text_fail (text, token.offset, "no-name", "a record without a name");
      tl_diag_reason (diag, "the name stands right after %c, up to the first blank", token.text[0]);
    }
  record.name = g_strndup (token.text + 1, token.length > 0 ? token.length - 1 : 0);
  for (char *c = record.name; *c != '\0'; c++)
    if (!g_ascii_isgraph (*c) && !((guchar) *c & 0x80))
      *c = '?';
  g_array_append_val (reader->sequences->records, record);
}

static TlSequenceRecord *
last_record (Reader *reader)
{
  return &g_array_index (reader->sequences->records, TlSequenceRecord, reader->sequences->records->len - 1);
}

static void
end_letters (Reader *reader)
{
  TlSequenceRecord *record = last_record (reader);

  record->length = reader->letters->len - record->start;
  if (record->length > 0 || reader->text.errors > 0)
    return;
  TlDiag *diag = tl_diags_add_at (reader->text.diags, TL_SEVERITY_ERROR, "empty-sequence", reader->text.name,
                                  (guint) MIN (record->line, G_MAXUINT), 1, "%s has no letters", record->name);
  tl_diag_reason (diag, "its header is followed by nothing; take the record out or fetch the file again");
  reader->text.errors++;
}

/* Next line that is not blank. FALSE at the end. */
static gboolean
next_filled (TlText *text)
{
  while (tl_text_next_line (text))
    if (tl_text_peek (text) != '\0')
      return TRUE;
  return FALSE;
}

static void
read_fasta (Reader *reader)
{
  TlText  *text = &reader->text;
  gboolean more = TRUE;

  while (more && !tl_text_given_up (text))
    {
      begin_record (reader);
      while ((more = next_filled (text)) && tl_text_peek (text) != '>' && !tl_text_given_up (text))
        read_letters (reader);
      end_letters (reader);
    }
}

/* The line with + after a record's letters: nothing, or its name again. */
static gboolean
read_plus (Reader *reader)
{
  TlText           *text = &reader->text;
  TlSequenceRecord *record = last_record (reader);
  TlToken           token;
  gsize             length = strlen (record->name);

  tl_text_token (text, 0, &token);
  if (token.length == 1 || (token.length == length + 1 && memcmp (token.text + 1, record->name, length) == 0))
    return TRUE;
  g_autofree char *shown = tl_token_text ((TlToken) { token.text + 1, token.length - 1, token.offset + 1 });
  TlDiag *diag = tl_text_fail (text, token.offset + 1, "other-name", "the qualities are of \"%s\", the letters of %s",
                               shown, record->name);
  tl_diag_reason (diag, "the line with + holds nothing or the record's own name; lines may be missing here");
  return FALSE;
}

/* As many quality characters as there are letters, over any number of lines. */
static gboolean
read_qualities (Reader *reader)
{
  TlText *text = &reader->text;
  guint64 wanted = last_record (reader)->length, seen = 0;
  gsize   place = text->at;
  TlToken token;

  while (seen < wanted && next_filled (text))
    while (tl_text_token (text, 0, &token))
      {
        place = token.offset;
        for (gsize i = 0; i < token.length; i++)
          if (token.text[i] < 33 || token.text[i] > 126)
            {
              TlDiag *diag = tl_text_fail (text, token.offset + i, "bad-quality", "this is no quality character");
              tl_diag_reason (diag, "qualities are the characters ! to ~");
              return FALSE;
            }
        seen += token.length;
      }
  if (seen == wanted)
    return TRUE;
  TlDiag *diag = tl_text_fail (text, MAX (place, text->line_start), "quality-count",
                               "%s has %" G_GUINT64_FORMAT " letters and %" G_GUINT64_FORMAT " qualities",
                               last_record (reader)->name, wanted, seen);
  tl_diag_reason (diag, seen < wanted ? "the file ends before them; it may be cut off"
                                      : "each letter has one; a line may be missing or belong to another record");
  return FALSE;
}

static void
read_fastq (Reader *reader)
{
  TlText  *text = &reader->text;
  gboolean more = TRUE;

  while (more)
    {
      if (tl_text_peek (text) != '@')
        {
          TlDiag *diag = tl_text_fail (text, text->at, "no-record", "a record begins here and not with @");
          tl_diag_reason (diag, "the record before is complete; a line may have been added or lost");
          return;
        }
      begin_record (reader);
      while ((more = next_filled (text)) && tl_text_peek (text) != '+')
        {
          read_letters (reader);
          if (text->errors > 0)
            return;
        }
      end_letters (reader);
      if (text->errors > 0)
        return;
      if (!more)
        {
          TlDiag *diag
              = tl_text_fail (text, text->at, "quality-count", "%s has no qualities", last_record (reader)->name);
          tl_diag_reason (diag, "a FASTQ record goes @name, letters, +, qualities; the file may be cut off");
          return;
        }
      if (!read_plus (reader) || !read_qualities (reader))
        return;
      more = next_filled (text);
    }
}

static void
read_records (Reader *reader)
{
  TlText *text = &reader->text;

  while (tl_text_peek (text) == '\0' && tl_text_next_line (text))
    ;
  char mark = tl_text_peek (text);
  if (mark == '>')
    {
      reader->sequences->format = "FASTA";
      read_fasta (reader);
      return;
    }
  if (mark == '@')
    {
      reader->sequences->format = "FASTQ";
      read_fastq (reader);
      return;
    }
  TlToken token;
  tl_text_token (text, 0, &token);
  g_autofree char *shown = tl_token_text (token);
  TlDiag          *diag = tl_text_fail (text, token.offset, "unknown-format",
                                        "the file holds no sequences: it begins with \"%s\"", shown);
  tl_diag_reason (diag, "read are FASTA (>name, then letters) and FASTQ (@name, letters, +, qualities), also gzipped");
}

static TlSequences *
sequences_new (void)
{
  TlSequences *sequences = g_new0 (TlSequences, 1);

  sequences->records = g_array_new (FALSE, TRUE, sizeof (TlSequenceRecord));
  return sequences;
}

TlSequences *
tl_sequences_read (const char *name, gconstpointer bytes, gsize length, guint64 limit, TlDiags *diags)
{
  g_autoptr (GBytes) unpacked = NULL;
  Reader reader = { 0 };

  if (tl_is_gzip (bytes, length))
    {
      unpacked = unpack (name, bytes, length, limit, diags);
      if (unpacked == NULL)
        return NULL;
      bytes = g_bytes_get_data (unpacked, &length);
    }
  if (!tl_text_open (&reader.text, name, bytes, length, diags))
    return NULL;
  g_autoptr (TlSequences) sequences = reader.sequences = sequences_new ();
  reader.letters = g_byte_array_sized_new ((guint) MIN (length, 1u << 24));
  read_records (&reader);
  sequences->n_letters = reader.letters->len;
  sequences->letters = (char *) g_byte_array_free (reader.letters, FALSE);
  return reader.text.errors == 0 ? g_steal_pointer (&sequences) : NULL;
}

/* splitmix64's last step. */
static guint64
mix (guint64 x)
{
  x = (x ^ (x >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return x ^ (x >> 31);
}

TlSequences *
tl_sequences_generate (guint64 n, guint64 seed)
{
  TlSequences     *sequences = sequences_new ();
  TlSequenceRecord record = { .name = g_strdup ("genome"), .length = n, .line = 1 };

  sequences->format = "generated";
  sequences->letters = g_malloc (MAX (n, 1));
  sequences->n_letters = n;
  g_array_append_val (sequences->records, record);
  for (guint64 i = 0; i < n; i++)
    sequences->letters[i] = "ACGT"[mix (seed + (i + 1) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)) >> 62];
  return sequences;
}

void
tl_sequences_free (TlSequences *sequences)
{
  if (sequences == NULL)
    return;
  for (guint i = 0; i < sequences->records->len; i++)
    g_free (tl_sequences_get (sequences, i)->name);
  g_array_unref (sequences->records);
  g_free (sequences->letters);
  g_free (sequences);
}

void
tl_sequence_complement (const char *letters, guint64 n, char *to)
{
  static const char pairs[][2] = { { 'A', 'T' }, { 'C', 'G' }, { 'R', 'Y' }, { 'K', 'M' }, { 'B', 'V' }, { 'D', 'H' } };
  char              table[256];

  for (guint c = 0; c < 256; c++)
    table[c] = (char) c;
  for (guint p = 0; p < G_N_ELEMENTS (pairs); p++)
    {
      table[(guchar) pairs[p][0]] = pairs[p][1];
      table[(guchar) pairs[p][1]] = pairs[p][0];
    }
  table['U'] = 'A';
  for (guint64 i = 0; i < n; i++)
    to[i] = table[(guchar) letters[n - 1 - i]];
}
