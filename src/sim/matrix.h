/* Dense matrices of carrier values: what a functional run computes on and what
 * --result writes. language.md, Values. */
#pragma once

#include "ir/semiring.h"

#include <glib.h>

/* How elements lie in memory, row by row without gaps. An infinity of an integer
 * type is the storage's largest value (minus it for -inf), so a storage is one
 * step wider than the type wherever the type could need that value itself. */
typedef enum
{
  TL_STORAGE_U8,  /* bool: 0 and 1, no infinities */
  TL_STORAGE_I16, /* integers of 1..8 bits */
  TL_STORAGE_I32, /* 16 bits; i32 when no finite value reaches 2^31 - 1 */
  TL_STORAGE_I64, /* other i32, u32, i64, u64 */
  TL_STORAGE_F32, /* floats of up to 32 bits, IEEE infinities */
  TL_STORAGE_F64,
} TlStorage;
#define TL_N_STORAGES 6

/* Read by anyone, changed through the functions below and by tl_closure_run. */
typedef struct
{
  TlElementType element;
  TlStorage     storage;
  guint64       rows;
  guint64       columns;
  gpointer      data; /* rows * columns elements of the storage */
} TlMatrix;

/* Default for the limits below: 4 GiB of elements. */
#define TL_MATRIX_LIMIT (G_GUINT64_CONSTANT (4) << 30)

/* A matrix of zeros (the number 0, not the semiring's). @magnitude: no finite value
 * stored will be larger in absolute value (for a closure (n - 1) max|w|);
 * G_MAXUINT64 when not known, then every value of the type has room. Ignored for
 * floats. @limit: bytes allowed, 0 for TL_MATRIX_LIMIT. G_IO_ERROR_NO_SPACE when
 * the elements take more or memory is not to be had. Returns: (transfer full) */
TlMatrix   *tl_matrix_new           (TlElementType   element,
                                     guint64         magnitude,
                                     guint64         rows,
                                     guint64         columns,
                                     guint64         limit,
                                     GError        **error);
TlMatrix   *tl_matrix_copy          (const TlMatrix *matrix);
void        tl_matrix_free          (TlMatrix       *matrix);

/* The storage that tl_matrix_new chooses. */
TlStorage   tl_storage_for          (TlElementType   element,
                                     guint64         magnitude);

/* Integers in @i with TL_INF and -TL_INF, floats in @r. No bounds check but in
 * g_assert. Setting a finite value that the storage cannot tell from an infinity
 * is the caller's mistake (critical, nothing is set). */
TlScalar    tl_matrix_get           (const TlMatrix *matrix,
                                     guint64         row,
                                     guint64         column);
void        tl_matrix_set           (TlMatrix       *matrix,
                                     guint64         row,
                                     guint64         column,
                                     TlScalar        value);
void        tl_matrix_fill          (TlMatrix       *matrix,
                                     TlScalar        value);
/* Same shape and same values, whatever the storage. */
gboolean    tl_matrix_equal         (const TlMatrix *a,
                                     const TlMatrix *b);

/* FNV-1a 64 over the elements as tl_matrix_write_npy writes them: row by row,
 * little-endian, the type's own width, inf as the type's largest value. Anyone can
 * recompute it from the data part of the file. */
guint64     tl_matrix_hash          (const TlMatrix *matrix);

typedef struct
{
  guint64  finite;  /* elements that are not an infinity */
  guint64  reached; /* elements that are not @zero */
  TlScalar min;     /* least and greatest finite element; 0 when there is none */
  TlScalar max;
} TlMatrixSummary;

TlMatrixSummary tl_matrix_summary   (const TlMatrix *matrix,
                                     TlScalar        zero);

/* Writers. The file appears whole or not at all: a temporary beside it is renamed
 * over it (a path that is no regular file, like a pipe, is written directly).
 * GError of G_FILE_ERROR when it cannot be written.
 * npy: version 1.0, C order, descr "<i4" and so on ("|b1" for bool; bf16 and floats
 * below 16 bits as "<f4"); inf is the type's largest value and -inf its least,
 * IEEE's for floats.
 * csv: one row a line, "inf" and "-inf", bool as 0 and 1, floats so that they read
 * back to the same value. */
gboolean    tl_matrix_write_npy     (const TlMatrix *matrix,
                                     const char     *path,
                                     GError        **error);
/* By the ending, .npy or .csv; G_IO_ERROR_NOT_SUPPORTED for another. */
gboolean    tl_matrix_write         (const TlMatrix *matrix,
                                     const char     *path,
                                     GError        **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlMatrix, tl_matrix_free)
