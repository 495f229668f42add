/* GF(2) vectors and matrices of up to 64 columns. A vector is a guint64, bit i
 * its coordinate i; a matrix is an array of such rows. */
#pragma once

#include <glib.h>

guint    tl_gf2_rank    (const guint64 *rows,
                         guint          n_rows);
/* y = M x: bit i of the result is the parity of rows[i] & x. */
guint64  tl_gf2_apply   (const guint64 *rows,
                         guint          n_rows,
                         guint64        x);
/* Inverse of an n x n matrix, n <= 64. FALSE when it is singular. */
gboolean tl_gf2_invert  (const guint64 *rows,
                         guint          n,
                         guint64       *inverse);
/* Basis of the kernel {x : M x = 0} in @n_columns coordinates, reduced echelon.
 * @kernel has room for n_columns rows. Returns its dimension. */
guint    tl_gf2_kernel  (const guint64 *rows,
                         guint          n_rows,
                         guint          n_columns,
                         guint64       *kernel);

static inline guint
tl_gf2_parity (guint64 x)
{
  return (guint) __builtin_parityll (x);
}
