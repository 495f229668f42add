/* Values of a matrix product, C[m,n] = C[m,n] + A[m,k] * B[k,n], k rising, each product and each sum rounded once to
 * C's type: the order is the definition (language.md, What is admitted), so the same bits result on any number of
 * threads. Sums of whole numbers into whole numbers are exact, or refused. */
#pragma once

#include "sim/matrix.h"

#include <gio/gio.h>

typedef enum
{
  TL_PRODUCT_DONE,
  TL_PRODUCT_CANCELLED,
  TL_PRODUCT_OVERFLOW, /* a sum of whole numbers does not fit C's type; C is then not to be used */
} TlProductEnd;

/* @a is m x k, @b k x n, or n x k when @by_columns; @c m x n holds what the sums start from. C is f32, f64, or a
 * signed integer of 32 or 64 bits with operands of whole numbers. @threads: 0 for all cores. */
TlProductEnd tl_product_values (const TlMatrix *a,
                                const TlMatrix *b,
                                gboolean        by_columns,
                                TlMatrix       *c,
                                guint           threads,
                                GCancellable   *cancellable);
