/* Gaussian elimination over GF(2) on 64-bit rows. */
#include "base/gf2.h"

#include <string.h>

/* Eliminates @rows, doing the same to @twin (may be NULL). Returns the rank. */
static guint
eliminate (guint64 *rows, guint64 *twin, guint n_rows)
{
  guint rank = 0;

  for (int bit = 63; bit >= 0 && rank < n_rows; bit--)
    {
      guint pivot = rank;
      while (pivot < n_rows && !(rows[pivot] >> bit & 1))
        pivot++;
      if (pivot == n_rows)
        continue;
      guint64 row = rows[pivot];
      rows[pivot] = rows[rank];
      rows[rank] = row;
      if (twin != NULL)
        {
          guint64 other = twin[pivot];
          twin[pivot] = twin[rank];
          twin[rank] = other;
        }
      for (guint i = 0; i < n_rows; i++)
        if (i != rank && (rows[i] >> bit & 1))
          {
            rows[i] ^= rows[rank];
            if (twin != NULL)
              twin[i] ^= twin[rank];
          }
      rank++;
    }
  return rank;
}

/* In place to reduced echelon form: pivots descending, zero rows last. Returns the rank. */
static guint
reduce (guint64 *rows, guint n_rows)
{
  return eliminate (rows, NULL, n_rows);
}

guint
tl_gf2_rank (const guint64 *rows, guint n_rows)
{
  g_autofree guint64 *copy = g_memdup2 (rows, n_rows * sizeof *rows);
  return eliminate (copy, NULL, n_rows);
}

guint64
tl_gf2_apply (const guint64 *rows, guint n_rows, guint64 x)
{
  guint64 y = 0;

  for (guint i = 0; i < n_rows; i++)
    y |= (guint64) tl_gf2_parity (rows[i] & x) << i;
  return y;
}

gboolean
tl_gf2_invert (const guint64 *rows, guint n, guint64 *inverse)
{
  guint64 work[64], twin[64];

  g_return_val_if_fail (n <= 64, FALSE);
  for (guint i = 0; i < n; i++)
    {
      work[i] = rows[i];
      twin[i] = G_GUINT64_CONSTANT (1) << i;
    }
  if (eliminate (work, twin, n) < n)
    return FALSE;
  /* Full rank with pivots descending: row 0 is the unit vector of bit n-1. */
  for (guint i = 0; i < n; i++)
    inverse[n - 1 - i] = twin[i];
  return TRUE;
}

guint
tl_gf2_kernel (const guint64 *rows, guint n_rows, guint n_columns, guint64 *kernel)
{
  g_autofree guint64 *work = g_memdup2 (rows, MAX (n_rows, 1) * sizeof *rows);
  guint               rank = eliminate (work, NULL, n_rows);
  guint64             pivots = 0;
  guint               dimension = 0;

  for (guint i = 0; i < rank; i++)
    pivots |= G_GUINT64_CONSTANT (1) << (63 - __builtin_clzll (work[i]));
  for (guint column = 0; column < n_columns; column++)
    {
      if (pivots >> column & 1)
        continue;
      guint64 x = G_GUINT64_CONSTANT (1) << column;
      for (guint i = 0; i < rank; i++)
        if (work[i] >> column & 1)
          x |= G_GUINT64_CONSTANT (1) << (63 - __builtin_clzll (work[i]));
      kernel[dimension++] = x;
    }
  reduce (kernel, dimension);
  return dimension;
}
