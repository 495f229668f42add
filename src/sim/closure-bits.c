/* Transitive closure on rows of bits: row i takes row k in when D[i,k] holds.
 * Sixty-four nodes at a time are closed among themselves, then every other row takes
 * them in; (or, and) is exact, so this equals any other order. */
#include "sim/closure-private.h"

#include <string.h>

#define WORD 64
/* Rows that one piece of work takes. */
#define ROWS 64

typedef struct
{
  const TlClosureRun *run;
  guint8             *data;
  guint64            *bits; /* n rows of words */
  gsize               n;
  gsize               words; /* a row, a multiple of 8 so that rows vectorise whole */
  gsize               block; /* number of the pivot block */
} Bits;

static guint64 *
row_of (const Bits *bits, gsize row)
{
  return bits->bits + row * bits->words;
}

static void
take_in (guint64 *restrict row, const guint64 *restrict other, gsize words)
{
  for (gsize w = 0; w < words; w += 8)
    for (guint i = 0; i < 8; i++)
      row[w + i] |= other[w + i];
}

static void
pack_rows (gpointer data, guint64 item, guint worker)
{
  Bits *bits = data;

  for (gsize i = item * ROWS; i < MIN ((item + 1) * ROWS, bits->n); i++)
    for (gsize j = 0; j < bits->n; j++)
      row_of (bits, i)[j / WORD] |= (guint64) (bits->data[i * bits->n + j] != 0) << (j % WORD);
}

static void
unpack_rows (gpointer data, guint64 item, guint worker)
{
  Bits *bits = data;

  for (gsize i = item * ROWS; i < MIN ((item + 1) * ROWS, bits->n); i++)
    for (gsize j = 0; j < bits->n; j++)
      bits->data[i * bits->n + j] = row_of (bits, i)[j / WORD] >> (j % WORD) & 1;
}

/* The pivot rows among themselves, full width. */
static void
close_block (Bits *bits)
{
  gsize from = bits->block * WORD, to = MIN (from + WORD, bits->n);

  for (gsize k = from; k < to; k++)
    for (gsize i = from; i < to; i++)
      if (i != k && (row_of (bits, i)[bits->block] >> (k - from) & 1) != 0)
        take_in (row_of (bits, i), row_of (bits, k), bits->words);
}

static void
update_rows (gpointer data, guint64 item, guint worker)
{
  Bits *bits = data;

  for (gsize i = item * ROWS; i < MIN ((item + 1) * ROWS, bits->n); i++)
    {
      if (i / WORD == bits->block)
        continue;
      guint64 *row = row_of (bits, i);
      for (guint64 left = row[bits->block]; left != 0; left &= left - 1)
        take_in (row, row_of (bits, bits->block * WORD + (gsize) __builtin_ctzll (left)), bits->words);
    }
}

TlClosureResult
tl_closure_bits (const TlClosureRun *run)
{
  gsize           n = run->matrix->rows, blocks = (n + WORD - 1) / WORD;
  guint64         pieces = (n + ROWS - 1) / ROWS;
  TlClosureResult result = { .kernel = "bits" };
  Bits            bits = { run, run->matrix->data, NULL, n, (blocks + 7) / 8 * 8, 0 };

  bits.bits = g_try_malloc0_n (n, bits.words * sizeof (guint64));
  if (bits.bits == NULL && n > 0)
    return (TlClosureResult) { TL_CLOSURE_MEMORY, 0, "bits" };
  tl_team_run (run->team, pieces, pack_rows, &bits);
  for (; bits.block < blocks && result.end == TL_CLOSURE_DONE; bits.block++)
    {
      if (!tl_closure_step (run, (double) bits.block / blocks))
        result.end = TL_CLOSURE_CANCELLED;
      close_block (&bits);
      tl_team_run (run->team, pieces, update_rows, &bits);
    }
  tl_team_run (run->team, pieces, unpack_rows, &bits);
  g_free (bits.bits);
  if (result.end == TL_CLOSURE_DONE && !tl_closure_step (run, 1.0))
    result.end = TL_CLOSURE_CANCELLED;
  return result;
}
