/* What the files of src/sim that compute on matrices share. */
#pragma once

#include "sim/matrix.h"

/* The integer that stands for inf in a storage; minus it for -inf. */
gint64   tl_storage_inf   (TlStorage       storage);
/* Element by row-major index. */
TlScalar tl_matrix_at     (const TlMatrix *matrix,
                           gsize           index);
void     tl_matrix_put    (TlMatrix       *matrix,
                           gsize           index,
                           TlScalar        value);
/* Writes elements index .. index + count - 1 as a .npy holds them and returns the
 * bytes written; @buffer has room for 8 bytes each. */
gsize    tl_matrix_encode (const TlMatrix *matrix,
                           gsize           index,
                           gsize           count,
                           guint8         *buffer);
