/* Sequence files: what is read has letters only, and records that cover them in order;
 * what is not read is said. */
#include "input/input.h"

#include <string.h>

int LLVMFuzzerTestOneInput (const guint8 *data, size_t size);

static void
check (const TlSequences *sequences)
{
  guint64 at = 0;

  for (guint r = 0; r < sequences->records->len; r++)
    {
      const TlSequenceRecord *record = tl_sequences_get (sequences, r);

      g_assert_cmpuint (record->start, ==, at);
      g_assert_cmpuint (record->length, >, 0);
      g_assert_true (record->name[0] != '\0');
      at += record->length;
    }
  g_assert_cmpuint (at, ==, sequences->n_letters);
  for (guint64 i = 0; i < at; i++)
    g_assert_true (g_ascii_isupper (sequences->letters[i]) || sequences->letters[i] == '*');
  g_autofree char *there = g_malloc (at), *back = g_malloc (at);
  tl_sequence_complement (sequences->letters, at, there);
  tl_sequence_complement (there, at, back);
  for (guint64 i = 0; i < at; i++)
    g_assert_true (back[i] == sequences->letters[i] || (sequences->letters[i] == 'U' && back[i] == 'T'));
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlSequences) sequences = tl_sequences_read ("f", data, size, 1 << 20, diags);

  g_assert_true ((sequences != NULL) == (tl_diags_errors (diags) == 0));
  if (sequences != NULL)
    check (sequences);
  return 0;
}
