/* Matrices as files: NumPy's .npy format 1.0 and comma separated text, each whole
 * or not at all. */
#include "sim/matrix-private.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- A file that appears whole --- */

typedef struct
{
  const char *path;
  char       *temporary; /* NULL: written directly */
  int         fd;
  GByteArray *pending;
} Output;

static gboolean
fail (Output *output, int code, GError **error)
{
  g_autofree char *name = g_filename_display_name (output->path);

  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (code), "cannot write %s: %s", name, g_strerror (code));
  return FALSE;
}

static gboolean
output_open (Output *output, const char *path, GError **error)
{
  struct stat info;

  *output = (Output) { .path = path, .fd = -1, .pending = g_byte_array_sized_new (1 << 16) };
  if (stat (path, &info) == 0 && S_ISDIR (info.st_mode))
    return fail (output, EISDIR, error);
  if (stat (path, &info) == 0 && !S_ISREG (info.st_mode))
    {
      output->fd = g_open (path, O_WRONLY | O_CLOEXEC, 0);
      return output->fd >= 0 || fail (output, errno, error);
    }
  if (access (path, F_OK) == 0 && access (path, W_OK) != 0)
    return fail (output, errno, error);
  output->temporary = g_strconcat (path, ".XXXXXX", NULL);
  output->fd = g_mkstemp_full (output->temporary, O_RDWR | O_CLOEXEC, 0666);
  if (output->fd >= 0)
    return TRUE;
  int code = errno;
  g_clear_pointer (&output->temporary, g_free);
  return fail (output, code, error);
}

static gboolean
output_flush (Output *output, GError **error)
{
  for (gsize done = 0; done < output->pending->len;)
    {
      gssize wrote = write (output->fd, output->pending->data + done, output->pending->len - done);
      if (wrote < 0 && errno == EINTR)
        continue;
      if (wrote < 0)
        return fail (output, errno, error);
      done += wrote;
    }
  g_byte_array_set_size (output->pending, 0);
  return TRUE;
}

static gboolean
output_add (Output *output, gconstpointer data, gsize length, GError **error)
{
  g_byte_array_append (output->pending, data, length);
  return output->pending->len < (1 << 16) - 4096 || output_flush (output, error);
}

/* Ends the file: in place when @good, else removed. */
static gboolean
output_close (Output *output, gboolean good, GError **error)
{
  good = good && output_flush (output, error);
  if (output->fd >= 0 && close (output->fd) != 0 && good)
    good = fail (output, errno, error);
  if (output->temporary != NULL)
    {
      if (good && g_rename (output->temporary, output->path) != 0)
        good = fail (output, errno, error);
      if (!good)
        g_unlink (output->temporary);
    }
  g_free (output->temporary);
  g_byte_array_unref (output->pending);
  return good;
}

/* --- .npy --- */

typedef struct
{
  const char *descr;
  guint       bytes;
} NpyType;

static NpyType
npy_type (TlElementType element)
{
  static const char *const ints[] = { "|i1", "<i2", "<i4", "<i8" };
  static const char *const uints[] = { "|u1", "<u2", "<u4", "<u8" };
  guint                    bytes = tl_element_type_bytes (element);
  guint                    log = bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3;

  switch (element.kind)
    {
    case TL_ELEMENT_BOOL:
      return (NpyType) { "|b1", 1 };
    case TL_ELEMENT_INT:
      return (NpyType) { ints[log], bytes };
    case TL_ELEMENT_UINT:
      return (NpyType) { uints[log], bytes };
    default:
      if (element.bits == 64)
        return (NpyType) { "<f8", 8 };
      return element.bits == 16 && element.exponent == 5 ? (NpyType) { "<f2", 2 } : (NpyType) { "<f4", 4 };
    }
}

/* IEEE binary16 of a value that is one (the matrix holds rounded values). */
static guint16
half_bits (float value)
{
  guint32 bits;

  memcpy (&bits, &value, sizeof bits);
  guint16 sign = bits >> 16 & 0x8000;
  int     exponent = (int) (bits >> 23 & 0xff) - 127;
  guint32 fraction = bits & 0x7fffff;
  if (exponent > 15)
    return sign | 0x7c00;
  if (exponent >= -14)
    return sign | (guint16) ((exponent + 15) << 10) | fraction >> 13;
  if (exponent < -24)
    return sign;
  return sign | (fraction | 0x800000) >> (-exponent - 1);
}

gsize
tl_matrix_encode (const TlMatrix *matrix, gsize index, gsize count, guint8 *buffer)
{
  NpyType type = npy_type (matrix->element);

  for (gsize i = 0; i < count; i++)
    {
      TlScalar value = tl_matrix_at (matrix, index + i);
      guint64  bits = 0;
      if (matrix->element.kind == TL_ELEMENT_FLOAT)
        {
          /* One zero: -0 and 0 are the same value. */
          float  single = (float) value.r + 0.0f;
          double twice = value.r + 0.0;
          if (type.bytes == 8)
            memcpy (&bits, &twice, 8);
          else if (type.bytes == 2)
            bits = half_bits (single);
          else
            {
              guint32 word;
              memcpy (&word, &single, 4);
              bits = word;
            }
        }
      else
        bits = (guint64) (value.i == TL_INF    ? tl_element_type_max (matrix->element)
                          : value.i == -TL_INF ? tl_element_type_min (matrix->element)
                                               : value.i);
      for (guint b = 0; b < type.bytes; b++)
        *buffer++ = (guint8) (bits >> (8 * b));
    }
  return count * type.bytes;
}

static gboolean
npy_body (const TlMatrix *matrix, Output *output, GError **error)
{
  g_autofree char *fields = g_strdup_printf ("{'descr': '%s', 'fortran_order': False, 'shape': (%" G_GUINT64_FORMAT
                                             ", %" G_GUINT64_FORMAT "), }",
                                             npy_type (matrix->element).descr, matrix->rows, matrix->columns);
  /* The header and its ten bytes before are a multiple of 64, ending in a newline. */
  gsize            length = (10 + strlen (fields) + 1 + 63) / 64 * 64 - 10;
  guint8           start[10] = { 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (guint8) length, (guint8) (length >> 8) };
  g_autofree char *header = g_strdup_printf ("%-*s\n", (int) length - 1, fields);
  gsize            count = matrix->rows * matrix->columns;
  guint8           buffer[8 * 512];

  if (!output_add (output, start, sizeof start, error) || !output_add (output, header, length, error))
    return FALSE;
  for (gsize i = 0; i < count; i += 512)
    {
      gsize bytes = tl_matrix_encode (matrix, i, MIN (512, count - i), buffer);
      if (!output_add (output, buffer, bytes, error))
        return FALSE;
    }
  return TRUE;
}

/* --- .csv --- */

/* The shortest decimal that reads back to the same value of the type. */
static gsize
float_text (double value, TlElementType element, char *text)
{
  gboolean single = element.bits <= 32;

  if (value != value)
    return g_strlcpy (text, "nan", 40);
  if (value - value != 0)
    return g_strlcpy (text, value > 0 ? "inf" : "-inf", 40);
  for (int digits = 1; digits <= 17; digits++)
    {
      char format[8];
      g_snprintf (format, sizeof format, "%%.%dg", digits);
      g_ascii_formatd (text, 40, format, value + 0.0);
      double back = g_ascii_strtod (text, NULL);
      if (back == value || (single && (float) back == (float) value))
        break;
    }
  return strlen (text);
}

static gsize
integer_text (gint64 value, char *text)
{
  char    digits[24];
  gsize   n = 0, length = 0;
  guint64 rest = value < 0 ? -(guint64) value : (guint64) value;

  if (value == TL_INF || value == -TL_INF)
    return g_strlcpy (text, value > 0 ? "inf" : "-inf", 40);
  do
    digits[n++] = '0' + rest % 10;
  while ((rest /= 10) != 0);
  if (value < 0)
    text[length++] = '-';
  while (n > 0)
    text[length++] = digits[--n];
  return length;
}

static gboolean
csv_body (const TlMatrix *matrix, Output *output, GError **error)
{
  char text[48];

  for (guint64 i = 0; i < matrix->rows; i++)
    for (guint64 j = 0; j < matrix->columns; j++)
      {
        TlScalar value = tl_matrix_at (matrix, i * matrix->columns + j);
        gsize    length = tl_element_type_is_float (matrix->element) ? float_text (value.r, matrix->element, text)
                                                                     : integer_text (value.i, text);
        text[length++] = j + 1 < matrix->columns ? ',' : '\n';
        if (!output_add (output, text, length, error))
          return FALSE;
      }
  return TRUE;
}

static gboolean
write_file (const TlMatrix *matrix, const char *path, gboolean (*body) (const TlMatrix *, Output *, GError **),
            GError **error)
{
  Output   output;
  gboolean good = output_open (&output, path, error) && body (matrix, &output, error);

  return output_close (&output, good, error);
}

gboolean
tl_matrix_write_npy (const TlMatrix *matrix, const char *path, GError **error)
{
  return write_file (matrix, path, npy_body, error);
}

static gboolean
write_csv (const TlMatrix *matrix, const char *path, GError **error)
{
  return write_file (matrix, path, csv_body, error);
}

gboolean
tl_matrix_write (const TlMatrix *matrix, const char *path, GError **error)
{
  if (g_str_has_suffix (path, ".npy"))
    return tl_matrix_write_npy (matrix, path, error);
  if (g_str_has_suffix (path, ".csv"))
    return write_csv (matrix, path, error);
  g_autofree char *name = g_filename_display_name (path);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "a matrix is written as .npy or .csv, not as %s", name);
  return FALSE;
}
