/* Dense matrices: storage, summary, hash, files. */
#include "base/hash.h"
#include "sim/matrix.h"
#include "support/support.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static TlMatrix *
matrix_of (const char *element, guint64 rows, guint64 columns)
{
  TlElementType type;

  ck_assert (tl_element_type_parse (element, &type));
  return tl_matrix_new (type, G_MAXUINT64, rows, columns, 0, NULL);
}

static void
put (TlMatrix *matrix, guint64 index, double value)
{
  TlScalar scalar = { .i = isinf (value) ? (value > 0 ? TL_INF : -TL_INF) : (gint64) value };

  if (tl_element_type_is_float (matrix->element))
    scalar.r = value;
  tl_matrix_set (matrix, index / matrix->columns, index % matrix->columns, scalar);
}

static char *
path_of (const char *name)
{
  return g_build_filename (tl_test_folder (), name, NULL);
}

/* --- Storage --- */

START_TEST (storages_leave_room_for_inf)
{
  static const struct
  {
    const char *element;
    guint64     magnitude;
    TlStorage   storage;
  } rows[] = {
    { "bool", 1, TL_STORAGE_U8 },           { "i1", 1, TL_STORAGE_I16 },
    { "i8", G_MAXUINT64, TL_STORAGE_I16 },  { "u8", G_MAXUINT64, TL_STORAGE_I16 },
    { "i16", G_MAXUINT64, TL_STORAGE_I32 }, { "u16", G_MAXUINT64, TL_STORAGE_I32 },
    { "i32", 2147483646, TL_STORAGE_I32 },  { "i32", 2147483647, TL_STORAGE_I64 },
    { "u32", 5, TL_STORAGE_I64 },           { "i64", 5, TL_STORAGE_I64 },
    { "f16", 0, TL_STORAGE_F32 },           { "f64", 0, TL_STORAGE_F64 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      TlElementType type;
      ck_assert (tl_element_type_parse (rows[i].element, &type));
      ck_assert_msg (tl_storage_for (type, rows[i].magnitude) == rows[i].storage, "row %u", i);
      g_autoptr (TlMatrix) matrix = tl_matrix_new (type, rows[i].magnitude, 2, 2, 0, NULL);
      if (type.kind == TL_ELEMENT_BOOL)
        continue;
      put (matrix, 0, INFINITY);
      put (matrix, 1, -INFINITY);
      put (matrix, 2, 1);
      ck_assert (tl_element_type_is_float (type) ? tl_matrix_get (matrix, 0, 0).r == INFINITY
                                                 : tl_matrix_get (matrix, 0, 0).i == TL_INF);
      ck_assert (tl_element_type_is_float (type) ? tl_matrix_get (matrix, 0, 1).r == -INFINITY
                                                 : tl_matrix_get (matrix, 0, 1).i == -TL_INF);
    }
}
END_TEST

START_TEST (limits_are_kept)
{
  g_autoptr (GError) error = NULL;
  TlElementType type;

  tl_element_type_parse ("i32", &type);
  ck_assert_ptr_null (tl_matrix_new (type, 5, 1024, 1024, 1 << 20, &error));
  ck_assert (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE));
  ck_assert_ptr_nonnull (strstr (error->message, "4 MiB"));
  g_clear_error (&error);
  ck_assert_ptr_null (tl_matrix_new (type, 5, G_MAXUINT64 / 2, 16, 0, &error));
  ck_assert (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE));
  g_clear_error (&error);
  ck_assert_ptr_null (tl_matrix_new (type, 5, 65536, 65536, 0, &error));
  ck_assert_ptr_nonnull (strstr (error->message, "16 GiB"));
}
END_TEST

START_TEST (summaries)
{
  g_autoptr (TlMatrix) matrix = matrix_of ("i32", 2, 3);
  static const double values[] = { INFINITY, 4, -7, 0, INFINITY, 9 };

  for (guint i = 0; i < 6; i++)
    put (matrix, i, values[i]);
  TlMatrixSummary summary = tl_matrix_summary (matrix, (TlScalar) { .i = TL_INF });
  ck_assert_uint_eq (summary.finite, 4);
  ck_assert_uint_eq (summary.reached, 4);
  ck_assert_int_eq (summary.min.i, -7);
  ck_assert_int_eq (summary.max.i, 9);
  ck_assert_uint_eq (tl_matrix_summary (matrix, (TlScalar) { .i = 0 }).reached, 5);
  tl_matrix_fill (matrix, (TlScalar) { .i = TL_INF });
  summary = tl_matrix_summary (matrix, (TlScalar) { .i = TL_INF });
  ck_assert_uint_eq (summary.finite, 0);
  ck_assert_int_eq (summary.max.i, 0);
}
END_TEST

/* --- .npy --- */

static const struct
{
  const char *element;
  const char *descr;
  double      values[4];
  const char *hex; /* of the data */
} npys[] = {
  { "i32", "<i4", { 1, -2, INFINITY, -INFINITY }, "01000000feffffffffffff7f00000080" },
  { "i16", "<i2", { 1, -2, INFINITY, 258 }, "0100feffff7f0201" },
  { "i64", "<i8", { 1, -2, INFINITY, 3 }, "0100000000000000feffffffffffffffffffffffffffff7f0300000000000000" },
  { "i8", "|i1", { 1, -2, INFINITY, 127 }, "01fe7f7f" },
  { "i4", "|i1", { 1, -2, INFINITY, 7 }, "01fe0707" },
  { "u8", "|u1", { 1, 0, INFINITY, 200 }, "0100ffc8" },
  { "u16", "<u2", { 1, 0, INFINITY, 513 }, "01000000ffff0102" },
  { "u32", "<u4", { 1, 0, INFINITY, 513 }, "0100000000000000ffffffff01020000" },
  { "bool", "|b1", { 1, 0, 0, 1 }, "01000001" },
  { "f32", "<f4", { 1, -2, INFINITY, -0.0 }, "0000803f000000c00000807f00000000" },
  { "f64", "<f8", { 1, -2, INFINITY, 0.5 }, "000000000000f03f00000000000000c0000000000000f07f000000000000e03f" },
  { "f16", "<f2", { 1, -2, INFINITY, 5.9604644775390625e-08 }, "003c00c0007c0100" },
  { "bf16", "<f4", { 1, -2, INFINITY, 0.5 }, "0000803f000000c00000807f0000003f" },
};

static char *
npy_data (int row, const char *name)
{
  g_autoptr (TlMatrix) matrix = matrix_of (npys[row].element, 2, 2);
  g_autoptr (GError) error = NULL;
  g_autofree char *path = path_of (name), *bytes = NULL;
  GString         *hex = g_string_new (NULL);
  gsize            length = 0;

  for (guint i = 0; i < 4; i++)
    put (matrix, i, npys[row].values[i]);
  ck_assert (tl_matrix_write (matrix, path, &error));
  ck_assert (g_file_get_contents (path, &bytes, &length, NULL));
  ck_assert (memcmp (bytes, "\x93NUMPY\x01\x00", 8) == 0);
  gsize header = (guchar) bytes[8] + 256u * (guchar) bytes[9];
  ck_assert_uint_eq ((10 + header) % 64, 0);
  g_autofree char *fields = g_strndup (bytes + 10, header);
  g_autofree char *wanted
      = g_strdup_printf ("{'descr': '%s', 'fortran_order': False, 'shape': (2, 2), }", npys[row].descr);
  ck_assert (g_str_has_prefix (fields, wanted));
  ck_assert (g_str_has_suffix (fields, "\n"));
  for (gsize i = 10 + header; i < length; i++)
    g_string_append_printf (hex, "%02x", (guchar) bytes[i]);
  /* The hash is that of these bytes. */
  ck_assert_uint_eq (tl_matrix_hash (matrix), tl_fnv1a64 (TL_FNV1A64_START, bytes + 10 + header, length - 10 - header));
  return g_string_free (hex, FALSE);
}

START_TEST (npy_bytes)
{
  g_autofree char *hex = npy_data (_i, "a.npy");

  ck_assert_str_eq (hex, npys[_i].hex);
}
END_TEST

START_TEST (wrong_npy_fails)
{
  g_autofree char *hex = npy_data (0, "b.npy");

  ck_assert_str_ne (hex, "01000000feffffffffffff7f00000081");
}
END_TEST

/* --- .csv --- */

START_TEST (csv_text)
{
  static const struct
  {
    const char *element;
    double      values[4];
    const char *text;
  } rows[] = {
    { "i32", { 0, -12, INFINITY, -INFINITY }, "0,-12\ninf,-inf\n" },
    { "i8", { 127, -128, INFINITY, 3 }, "127,-128\ninf,3\n" },
    { "bool", { 1, 0, 0, 1 }, "1,0\n0,1\n" },
    { "f64", { 0.1, 1e300, INFINITY, -0.0 }, "0.1,1e+300\ninf,0\n" },
    { "f32", { 0.5, 16777216, 3.4028234663852886e38, 0.1f }, "0.5,16777216\n3.402823e+38,0.1\n" },
  };

  for (guint r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      g_autoptr (TlMatrix) matrix = matrix_of (rows[r].element, 2, 2);
      g_autofree char *path = path_of ("a.csv"), *text = NULL;
      for (guint i = 0; i < 4; i++)
        put (matrix, i, rows[r].values[i]);
      ck_assert (tl_matrix_write (matrix, path, NULL));
      ck_assert (g_file_get_contents (path, &text, NULL, NULL));
      if (r == 4)
        {
          /* The digits are the shortest that read back, whatever they are. */
          double a, b, c, d;
          g_auto (GStrv) cells = g_strsplit_set (text, ",\n", -1);
          a = g_ascii_strtod (cells[0], NULL), b = g_ascii_strtod (cells[1], NULL);
          c = g_ascii_strtod (cells[2], NULL), d = g_ascii_strtod (cells[3], NULL);
          ck_assert ((float) a == 0.5f && (float) b == 16777216 && (float) c == (float) rows[r].values[2]
                     && (float) d == 0.1f);
          ck_assert_str_eq (cells[3], "0.1");
          continue;
        }
      ck_assert_str_eq (text, rows[r].text);
    }
}
END_TEST

/* --- Whole or not at all --- */

static guint
files_in_folder (void)
{
  GDir *dir = g_dir_open (tl_test_folder (), 0, NULL);
  guint count = 0;

  while (g_dir_read_name (dir) != NULL)
    count++;
  g_dir_close (dir);
  return count;
}

START_TEST (unwritable_outputs_are_reported)
{
  g_autoptr (TlMatrix) matrix = matrix_of ("i32", 300, 300);
  g_autoptr (GError) error = NULL;
  g_autofree char *none = path_of ("none/a.npy"), *folder = path_of ("folder.npy"), *old = path_of ("old.npy");
  g_autofree char *text = NULL;

  ck_assert (!tl_matrix_write (matrix, none, &error));
  ck_assert (g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT));
  ck_assert_ptr_nonnull (strstr (error->message, "none/a.npy"));
  g_clear_error (&error);

  ck_assert_int_eq (g_mkdir (folder, 0700), 0);
  ck_assert (!tl_matrix_write (matrix, folder, &error));
  ck_assert (g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_ISDIR));
  g_clear_error (&error);

  ck_assert (!tl_matrix_write (matrix, "result.txt", &error));
  ck_assert (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED));
  g_clear_error (&error);

  if (access ("/dev/full", W_OK) == 0)
    {
      ck_assert (!tl_matrix_write_npy (matrix, "/dev/full", &error));
      ck_assert (g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOSPC));
      g_clear_error (&error);
    }
  else
    tl_test_skip ("/dev/full not there");

  /* An old file is replaced whole, and nothing else is left. */
  ck_assert (g_file_set_contents (old, "old", -1, NULL));
  guint before = files_in_folder ();
  ck_assert (tl_matrix_write (matrix, old, &error));
  ck_assert_uint_eq (files_in_folder (), before);
  gsize length = 0;
  ck_assert (g_file_get_contents (old, &text, &length, NULL));
  ck_assert_uint_eq (length, 128 + 300 * 300 * 4);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("sim-matrix");
  TCase *tcase = tcase_create ("matrix");

  tcase_add_test (tcase, storages_leave_room_for_inf);
  tcase_add_test (tcase, limits_are_kept);
  tcase_add_test (tcase, summaries);
  tcase_add_loop_test (tcase, npy_bytes, 0, G_N_ELEMENTS (npys));
  tcase_add_test (tcase, wrong_npy_fails);
  tcase_add_test (tcase, csv_text);
  tcase_add_test (tcase, unwritable_outputs_are_reported);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
