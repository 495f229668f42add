/* Dense matrices: storage, access, summary and hash. Reserved infinities are the
 * storage's largest value and minus it. */
#include "sim/matrix-private.h"

#include "base/hash.h"
#include "base/number.h"

#include <gio/gio.h>
#include <string.h>

static guint
storage_bytes (TlStorage storage)
{
  static const guint bytes[] = { 1, 2, 4, 8, 4, 8 };
  return bytes[storage];
}

TlStorage
tl_storage_for (TlElementType element, guint64 magnitude)
{
  if (element.kind == TL_ELEMENT_BOOL)
    return TL_STORAGE_U8;
  if (element.kind == TL_ELEMENT_FLOAT)
    return element.bits <= 32 ? TL_STORAGE_F32 : TL_STORAGE_F64;
  if (element.bits <= 8)
    return TL_STORAGE_I16;
  if (element.bits <= 16)
    return TL_STORAGE_I32;
  if (element.bits == 32 && element.kind == TL_ELEMENT_INT && magnitude < G_MAXINT32)
    return TL_STORAGE_I32;
  return TL_STORAGE_I64;
}

gint64
tl_storage_inf (TlStorage storage)
{
  switch (storage)
    {
    case TL_STORAGE_I16:
      return G_MAXINT16;
    case TL_STORAGE_I32:
      return G_MAXINT32;
    default:
      return TL_INF;
    }
}

TlMatrix *
tl_matrix_new (TlElementType element, guint64 magnitude, guint64 rows, guint64 columns, guint64 limit, GError **error)
{
  TlStorage storage = tl_storage_for (element, magnitude);
  guint64   bytes = 0;

  if (limit == 0)
    limit = TL_MATRIX_LIMIT;
  if (!tl_mul_u64 (rows, columns, &bytes) || !tl_mul_u64 (bytes, storage_bytes (storage), &bytes) || bytes > limit)
    {
      g_autofree char *allowed = tl_format_bytes (limit);
      g_autofree char *wanted = bytes > 0 && rows < G_MAXUINT32 && columns < G_MAXUINT32
                                    ? tl_format_bytes (bytes)
                                    : g_strdup ("more than can be counted");
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE,
                   "a matrix of %" G_GUINT64_FORMAT " x %" G_GUINT64_FORMAT
                   " elements of %u bytes takes %s, %s are allowed",
                   rows, columns, storage_bytes (storage), wanted, allowed);
      return NULL;
    }
  gpointer data = g_try_malloc0 (MAX (bytes, 1));
  if (data == NULL)
    {
      g_autofree char *wanted = tl_format_bytes (bytes);
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE, "there is no memory for a matrix of %s", wanted);
      return NULL;
    }
  TlMatrix *matrix = g_new0 (TlMatrix, 1);
  *matrix = (TlMatrix) { element, storage, rows, columns, data };
  return matrix;
}

TlMatrix *
tl_matrix_copy (const TlMatrix *matrix)
{
  TlMatrix *copy = g_memdup2 (matrix, sizeof *matrix);

  copy->data = g_memdup2 (matrix->data, MAX (matrix->rows * matrix->columns * storage_bytes (matrix->storage), 1));
  return copy;
}

void
tl_matrix_free (TlMatrix *matrix)
{
  if (matrix == NULL)
    return;
  g_free (matrix->data);
  g_free (matrix);
}

/* Integer element @index with the storage's own infinities. */
static inline gint64
raw_integer (const TlMatrix *matrix, gsize index)
{
  switch (matrix->storage)
    {
    case TL_STORAGE_U8:
      return ((const guint8 *) matrix->data)[index];
    case TL_STORAGE_I16:
      return ((const gint16 *) matrix->data)[index];
    case TL_STORAGE_I32:
      return ((const gint32 *) matrix->data)[index];
    default:
      return ((const gint64 *) matrix->data)[index];
    }
}

TlScalar
tl_matrix_at (const TlMatrix *matrix, gsize index)
{
  if (matrix->storage == TL_STORAGE_F32)
    return (TlScalar) { .r = ((const float *) matrix->data)[index] };
  if (matrix->storage == TL_STORAGE_F64)
    return (TlScalar) { .r = ((const double *) matrix->data)[index] };
  gint64 value = raw_integer (matrix, index), inf = tl_storage_inf (matrix->storage);
  return (TlScalar) { .i = value == inf ? TL_INF : value == -inf ? -TL_INF : value };
}

TlScalar
tl_matrix_get (const TlMatrix *matrix, guint64 row, guint64 column)
{
  g_assert (row < matrix->rows && column < matrix->columns);
  return tl_matrix_at (matrix, row * matrix->columns + column);
}

void
tl_matrix_put (TlMatrix *matrix, gsize index, TlScalar value)
{
  if (matrix->storage == TL_STORAGE_F32)
    ((float *) matrix->data)[index] = (float) value.r;
  else if (matrix->storage == TL_STORAGE_F64)
    ((double *) matrix->data)[index] = value.r;
  else if (matrix->storage == TL_STORAGE_U8)
    ((guint8 *) matrix->data)[index] = value.i != 0;
  else
    {
      gint64 inf = tl_storage_inf (matrix->storage);
      gint64 raw = value.i == TL_INF ? inf : value.i == -TL_INF ? -inf : value.i;
      g_return_if_fail ((raw < inf || value.i == TL_INF) && (raw > -inf || value.i == -TL_INF));
      if (matrix->storage == TL_STORAGE_I16)
        ((gint16 *) matrix->data)[index] = (gint16) raw;
      else if (matrix->storage == TL_STORAGE_I32)
        ((gint32 *) matrix->data)[index] = (gint32) raw;
      else
        ((gint64 *) matrix->data)[index] = raw;
    }
}

void
tl_matrix_set (TlMatrix *matrix, guint64 row, guint64 column, TlScalar value)
{
  g_assert (row < matrix->rows && column < matrix->columns);
  tl_matrix_put (matrix, row * matrix->columns + column, value);
}

void
tl_matrix_fill (TlMatrix *matrix, TlScalar value)
{
  gsize count = matrix->rows * matrix->columns, size = storage_bytes (matrix->storage), done = MIN (count, 1);
  char *data = matrix->data;

  if (count > 0)
    tl_matrix_put (matrix, 0, value);
  while (done < count)
    {
      gsize more = MIN (done, count - done);
      memcpy (data + done * size, data, more * size);
      done += more;
    }
}

gboolean
tl_matrix_equal (const TlMatrix *a, const TlMatrix *b)
{
  if (a->rows != b->rows || a->columns != b->columns || !tl_element_type_equal (a->element, b->element))
    return FALSE;
  gsize count = a->rows * a->columns;
  for (gsize i = 0; i < count; i++)
    {
      TlScalar x = tl_matrix_at (a, i), y = tl_matrix_at (b, i);
      if (tl_element_type_is_float (a->element) ? x.r != y.r : x.i != y.i)
        return FALSE;
    }
  return TRUE;
}

TlMatrixSummary
tl_matrix_summary (const TlMatrix *matrix, TlScalar zero)
{
  TlMatrixSummary summary = { 0 };
  gboolean        real = tl_element_type_is_float (matrix->element);
  gsize           count = matrix->rows * matrix->columns;

  for (gsize i = 0; i < count; i++)
    {
      TlScalar value = tl_matrix_at (matrix, i);
      gboolean infinite = real ? value.r - value.r != 0 : value.i == TL_INF || value.i == -TL_INF;
      summary.reached += real ? value.r != zero.r : value.i != zero.i;
      if (infinite)
        continue;
      if (summary.finite++ == 0)
        summary.min = summary.max = value;
      else if (real ? value.r < summary.min.r : value.i < summary.min.i)
        summary.min = value;
      else if (real ? value.r > summary.max.r : value.i > summary.max.i)
        summary.max = value;
    }
  return summary;
}

guint64
tl_matrix_hash (const TlMatrix *matrix)
{
  guint64 hash = TL_FNV1A64_START;
  gsize   count = matrix->rows * matrix->columns;
  guint8  buffer[8 * 512];

  for (gsize i = 0; i < count; i += 512)
    {
      gsize n = MIN (512, count - i);
      gsize bytes = tl_matrix_encode (matrix, i, n, buffer);
      hash = tl_fnv1a64 (hash, buffer, bytes);
    }
  return hash;
}
