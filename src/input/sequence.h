/* Sequences: FASTA and FASTQ, plain or gzip (blocked gzip too), as letters with their
 * names. language.md, Inputs. Within src/input; the door is input.h. */
#pragma once

#include "base/diag.h"

/* One record. Letters are its part of TlSequences.letters. */
typedef struct
{
  char   *name;   /* up to the first blank of its header */
  guint64 start;
  guint64 length; /* at least 1 */
  guint64 line;   /* of its header, from 1 */
} TlSequenceRecord;

typedef struct
{
  const char *format;    /* "FASTA", "FASTQ" or "generated" */
  GArray     *records;   /* of TlSequenceRecord, in the file's order */
  char       *letters;   /* A..Z and '*', upper case, one record after the other; no end mark */
  guint64     n_letters;
  guint64     n_unknown; /* of them N: any nucleotide */
} TlSequences;

/* Reads a whole file, @name being what diagnostics call it. Lower case (soft masked) is
 * the same letter, a FASTQ record may stand on any number of lines, its qualities must be
 * as many as its letters. NULL with line, column and reason. At most @limit bytes, also
 * unpacked. Returns: (transfer full) */
TlSequences *tl_sequences_read       (const char        *name,
                                      gconstpointer      bytes,
                                      gsize              length,
                                      guint64            limit,
                                      TlDiags           *diags);
/* One sequence of @n letters A, C, G, T, each as likely, the same on every machine. */
TlSequences *tl_sequences_generate   (guint64            n,
                                      guint64            seed);
void         tl_sequences_free       (TlSequences       *sequences);
/* Writes the reverse complement of @n letters to @to, which does not overlap them. IUPAC
 * nucleotide codes have their complements (R and Y, K and M, ...; U is A's), N and other
 * letters are kept. */
void         tl_sequence_complement  (const char        *letters,
                                      guint64            n,
                                      char              *to);

static inline const TlSequenceRecord *
tl_sequences_get (const TlSequences *sequences, guint index)
{
  return &g_array_index (sequences->records, TlSequenceRecord, index);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlSequences, tl_sequences_free)
