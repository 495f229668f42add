/* Trace readers: formats told apart by content, what is tolerated, what is refused and
 * where, packed data, long inputs in small pieces. */
#include <string.h>

#include <zlib.h>
#include <zstd.h>

#include "dram/trace.h"
#include "support/support.h"

/* All requests as "R address/cycle/bytes;" text; NULL after a fault. */
static char *
read_stream (GInputStream *stream, TlTraceFormat *format, TlDiags *diags)
{
  g_autoptr (TlTrace) trace = tl_trace_new (stream, "t");
  TlRequest requests[7];
  GString  *text = g_string_new (NULL);
  gsize     n;

  while ((n = tl_trace_read (trace, requests, 7, diags)) > 0)
    for (gsize i = 0; i < n; i++)
      g_string_append_printf (text, "%c%" G_GINT64_MODIFIER "x/%" G_GUINT64_FORMAT "/%u;",
                              requests[i].write ? 'W' : 'R', requests[i].address, requests[i].cycle, requests[i].bytes);
  if (format != NULL)
    *format = tl_trace_format (trace);
  ck_assert_int_eq (tl_trace_failed (trace), tl_diags_count (diags) > 0);
  return g_string_free (text, tl_trace_failed (trace));
}

static char *
read_bytes (const void *bytes, gsize length, TlTraceFormat *format, TlDiags *diags)
{
  g_autoptr (GInputStream) stream = g_memory_input_stream_new_from_data (bytes, length, NULL);

  return read_stream (stream, format, diags);
}

/* The last row is wrong on purpose and must fail. */
static const struct
{
  const char   *text;
  TlTraceFormat format;
  const char   *requests;
} good[] = {
  { "LD 0x2000\nST 0x40\n", TL_TRACE_LOAD_STORE, "R2000/0/0;W40/0/0;" },
  { "\xef\xbb\xbf# made by hand\r\n\r\n  ld\t8192  # first\r\nst 0X40", TL_TRACE_LOAD_STORE, "R2000/0/0;W40/0/0;" },
  { "READ 1\nwrite 2\nR 3\nW 4\nLoad 5\nstore 6\n", TL_TRACE_LOAD_STORE, "R1/0/0;W2/0/0;R3/0/0;W4/0/0;R5/0/0;W6/0/0;" },
  { "0x2000 READ 0\n0x40 WRITE 17\n64 read 18\n", TL_TRACE_DRAMSIM3, "R2000/0/0;W40/17/0;R40/18/0;" },
  { "0x2000 READ\n0x40 P_MEM_WR 3\n", TL_TRACE_DRAMSIM3, "R2000/0/0;W40/3/0;" },
  { "31:\t(64)\tread\t0x400140\n33: write 0x40 0xdeadbeefdeadbeefdeadbeef\n", TL_TRACE_STL, "R400140/31/64;W40/33/0;" },
  { "0: Read 0x0\n5 : ( 32 ) WRITE 0x20 12\n", TL_TRACE_STL, "R0/0/0;W20/5/32;" },
  { "LD 0xffffffffffffffff\nLD 18446744073709551615", TL_TRACE_LOAD_STORE,
    "Rffffffffffffffff/0/0;Rffffffffffffffff/0/0;" },
  { "\n\n# nothing\n \t \n", TL_TRACE_UNKNOWN, "" },
  { "", TL_TRACE_UNKNOWN, "" },
  { "LD 0x2000\n", TL_TRACE_LOAD_STORE, "W2000/0/0;" },
};

START_TEST (formats_are_told_apart)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  TlTraceFormat    format;
  g_autofree char *requests = read_bytes (good[_i].text, strlen (good[_i].text), &format, diags);

  ck_assert_ptr_nonnull (requests);
  ck_assert_int_eq (format, good[_i].format);
  if (_i + 1 < G_N_ELEMENTS (good))
    ck_assert_str_eq (requests, good[_i].requests);
  else
    ck_assert_str_ne (requests, good[_i].requests);
}
END_TEST

static const struct
{
  const char *text;
  guint       line, column;
  const char *words;
} bad[] = {
  { "LD 0x2000\nhello world\n", 2, 1, "\"hello\" is neither read nor write" },
  { "hello\n", 1, 1, "LD 0x2000, or 0x2000 READ 17, or 17: (64) read 0x2000" },
  { "LD\n", 1, 3, "the address is missing" },
  { "LD  # none\n", 1, 5, "the address is missing" },
  { "LD 2f00\n", 1, 4, "a hex number needs its 0x" },
  { "ff00 READ 1\n", 1, 1, "a hex number needs its 0x" },
  { "LD 0x\n", 1, 4, "is no address" },
  { "LD -4\n", 1, 4, "is no address" },
  { "LD 0x10000000000000000\n", 1, 4, "does not fit 64 bits" },
  { "LD 18446744073709551616\n", 1, 4, "does not fit 64 bits" },
  { "LD 0x20 0x40\n", 1, 9, "too much on this line" },
  { "R 0,0,0,0,12,3\n", 1, 4, "address vectors are not read" },
  { "0x2000 READ 1\nLD 0x40\n", 2, 1, "is no address" },
  { "0x2000 FETCH 1\n", 1, 8, "neither read nor write" },
  { "0x2000\n", 1, 7, "read or write is missing" },
  { "0x2000 READ x\n", 1, 13, "is no cycle" },
  { "0x2000 READ 1 2\n", 1, 15, "too much" },
  { "1: read\n", 1, 8, "the address is missing" },
  { "1: (0) read 0x20\n", 1, 4, "the length is out of range" },
  { "1: (64 read 0x20\n", 1, 8, "bracket is missing" },
  { "1: (9999999) read 0x20\n", 1, 4, "the length is out of range" },
  { "1: read 0x20\n2 read 0x40\n", 2, 3, "colon is missing" },
  { "x: read 0x20\n", 1, 1, "is no cycle" },
  { "1: read 0x20 zzz\n", 1, 14, "is no data" },
};

START_TEST (faults_have_line_and_column)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autofree char *requests = read_bytes (bad[_i].text, strlen (bad[_i].text), NULL, diags);

  ck_assert_ptr_null (requests);
  ck_assert_uint_eq (tl_diags_count (diags), 1);
  const TlDiag    *diag = tl_diags_get (diags, 0);
  g_autofree char *text = tl_diag_to_text (diag);
  ck_assert_msg (strstr (text, bad[_i].words) != NULL, "%s", text);
  ck_assert_msg (diag->from.line == bad[_i].line && diag->from.column == bad[_i].column, "%s", text);
}
END_TEST

static void
refused (const void *bytes, gsize length, const char *words)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autofree char *requests = read_bytes (bytes, length, NULL, diags);

  ck_assert_ptr_null (requests);
  g_autofree char *text = tl_diag_to_text (tl_diags_get (diags, 0));
  ck_assert_msg (strstr (text, words) != NULL, "%s", text);
}

START_TEST (binary_and_endless_lines_are_refused)
{
  g_autofree char *line = g_strnfill (1 << 20, '1');
  g_autofree char *comment = g_strnfill (5000, '#');

  refused ("LD 1\nLD\0 2\n", 11, "binary");
  refused ("\x7f"
           "ELF\x02\x01\x01\0\0\0",
           10, "binary");
  refused ("LD \x1b[1m4\n", 9, "binary");
  refused ("LD \xff\xfe\n", 6, "is no address");
  refused (line, 1 << 20, "longer than 4,096 bytes");
  refused (comment, 5000, "longer than 4,096 bytes");
}
END_TEST

/* --- packed --- */

static gsize
gzip (const char *text, gsize length, guint8 *out, gsize room)
{
  z_stream stream = { 0 };

  ck_assert_int_eq (deflateInit2 (&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  stream.next_in = (guint8 *) text;
  stream.avail_in = length;
  stream.next_out = out;
  stream.avail_out = room;
  ck_assert_int_eq (deflate (&stream, Z_FINISH), Z_STREAM_END);
  deflateEnd (&stream);
  return room - stream.avail_out;
}

/* 100,000 lines, all different. */
static char *
long_text (gsize *length)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < 100000; i++)
    g_string_append_printf (text, "%s 0x%x\n", i % 3 == 0 ? "ST" : "LD", i * 0x9e37 % 0x7fffffff);
  *length = text->len;
  return g_string_free (text, FALSE);
}

START_TEST (packed_traces_read_as_plain_ones)
{
  gsize              length;
  g_autofree char   *text = long_text (&length);
  g_autofree guint8 *packed = g_malloc (4 << 20);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autofree char *plain = read_bytes (text, length, NULL, diags);

  gsize            n = gzip (text, length, packed, 4 << 20);
  g_autofree char *unzipped = read_bytes (packed, n, NULL, diags);
  ck_assert_str_eq (unzipped, plain);
  /* Two members and padding. */
  gsize half = (char *) memchr (text + length / 2, '\n', length / 2) + 1 - text;
  n = gzip (text, half, packed, 4 << 20);
  n += gzip (text + half, length - half, packed + n, 2 << 20);
  memset (packed + n, 0, 100);
  g_autofree char *members = read_bytes (packed, n + 100, NULL, diags);
  ck_assert_str_eq (members, plain);

  n = ZSTD_compress (packed, 4 << 20, text, length, 3);
  g_autofree char *unpacked = read_bytes (packed, n, NULL, diags);
  ck_assert_str_eq (unpacked, plain);
  n = ZSTD_compress (packed, 4 << 20, text, half, 3);
  n += ZSTD_compress (packed + n, 2 << 20, text + half, length - half, 3);
  g_autofree char *frames = read_bytes (packed, n, NULL, diags);
  ck_assert_str_eq (frames, plain);
  ck_assert_uint_eq (tl_diags_count (diags), 0);
}
END_TEST

START_TEST (damaged_packing_is_refused)
{
  gsize              length;
  g_autofree char   *text = long_text (&length);
  g_autofree guint8 *packed = g_malloc (4 << 20);

  gsize n = gzip (text, length, packed, 4 << 20);
  refused (packed, n / 2, "gzip data end in the middle");
  refused (packed, n - 1, "gzip data end in the middle");
  refused (packed, 2, "gzip data end in the middle");
  packed[n] = 'x';
  refused (packed, n + 1, "other bytes follow its end");
  packed[n / 2] ^= 0x55;
  packed[n / 2 + 1] ^= 0x55;
  refused (packed, n, ""); /* broken data, or text that is no trace */
  n = ZSTD_compress (packed, 4 << 20, text, length, 3);
  refused (packed, n / 2, "zstd data end in the middle");
  refused (packed, 4, "zstd data end in the middle");
  memset (packed + n, 'x', 8);
  refused (packed, n + 8, "zstd data are broken");
}
END_TEST

/* A million lines out of 8 KiB of gzip, in bounded memory: nothing but counting. */
START_TEST (long_traces_stream)
{
  g_autofree char   *block = g_malloc (10000 * 9);
  g_autofree guint8 *packed = g_malloc (64 << 20);
  gsize              n = 0;

  for (guint i = 0; i < 10000; i++)
    memcpy (block + 9 * i, "LD 0x100\n", 9);
  for (guint i = 0; i < 100; i++)
    n += gzip (block, 90000, packed + n, 1 << 20);
  g_autoptr (GInputStream) stream = g_memory_input_stream_new_from_data (packed, n, NULL);
  g_autoptr (TlTrace) trace = tl_trace_new (stream, "t");
  g_autoptr (TlDiags) diags = tl_diags_new ();
  TlRequest requests[1000];
  guint64   count = 0, line = 0;
  for (gsize m; (m = tl_trace_read (trace, requests, 1000, diags)) > 0; count += m)
    line = requests[m - 1].line;
  ck_assert_uint_eq (count, 1000000);
  ck_assert_uint_eq (line, 1000000);
  ck_assert (!tl_trace_failed (trace));
}
END_TEST

START_TEST (files_that_cannot_be_read)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();

  ck_assert_ptr_null (tl_trace_open ("/no/such/file", diags));
  ck_assert_str_eq (tl_diags_get (diags, 0)->code, "trace-file");
  g_autofree char *path = g_build_filename (tl_test_folder (), "t.ld", NULL);
  g_file_set_contents (path, "LD 1\n", -1, NULL);
  g_autoptr (TlTrace) trace = tl_trace_open (path, diags);
  TlRequest request;
  ck_assert_uint_eq (tl_trace_read (trace, &request, 1, diags), 1);
  ck_assert_uint_eq (tl_trace_read (trace, &request, 1, diags), 0);
  ck_assert_uint_eq (tl_diags_count (diags), 1);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("dram-trace");
  TCase *tcase = tcase_create ("trace");

  tcase_set_timeout (tcase, 60);
  tcase_add_loop_test (tcase, formats_are_told_apart, 0, G_N_ELEMENTS (good));
  tcase_add_loop_test (tcase, faults_have_line_and_column, 0, G_N_ELEMENTS (bad));
  tcase_add_test (tcase, binary_and_endless_lines_are_refused);
  tcase_add_test (tcase, packed_traces_read_as_plain_ones);
  tcase_add_test (tcase, damaged_packing_is_refused);
  tcase_add_test (tcase, long_traces_stream);
  tcase_add_test (tcase, files_that_cannot_be_read);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
