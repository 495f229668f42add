/* Graph files: what is read, and for every kind of bad file the code and the place. */
#include "input/input.h"
#include "support/support.h"

#include <string.h>
#include <time.h>
#include <zlib.h>

static TlInputPlan *
plan_of (const char *function, const char *element, TlDiags *diags)
{
  TlInputArgument file = { .kind = TL_ARGUMENT_STRING, .text = "g.txt" };
  TlInputCall     call = { .function = function, .arguments = &file, .n_arguments = 1, .closure = TRUE };

  ck_assert (tl_element_type_parse (element, &call.element));
  return tl_input_plan (&call, diags);
}

static TlInput *
load_bytes (const char *function, const char *element, gconstpointer bytes, gsize length, TlDiags *diags)
{
  g_autoptr (TlInputPlan) plan = plan_of (function, element, diags);

  ck_assert_ptr_nonnull (plan);
  return tl_input_load (plan, "g.txt", bytes, length, diags);
}

static TlInput *
load_text (const char *element, const char *text, TlDiags *diags)
{
  return load_bytes ("graph", element, text, strlen (text), diags);
}

/* --- Good files --- */

/* "from>to:weight ..." by node number; ids as given. */
static char *
shown (const TlInput *input)
{
  GString       *out = g_string_new (NULL);
  const TlGraph *graph = input->graph;

  g_string_append_printf (out, "%" G_GUINT64_FORMAT ":", graph->n);
  for (guint64 a = 0; a < graph->n_arcs; a++)
    {
      TlScalar weight = graph->weight != NULL ? graph->weight[a] : (TlScalar) { .i = 1 };
      g_string_append_printf (out, " %" G_GINT64_FORMAT ">%" G_GINT64_FORMAT ":",
                              tl_input_node_id (input, graph->from[a]), tl_input_node_id (input, graph->to[a]));
      if (tl_element_type_is_float (input->element))
        g_string_append_printf (out, "%g", graph->weight != NULL ? weight.r : 1.0);
      else
        g_string_append_printf (out, "%" G_GINT64_FORMAT, weight.i);
    }
  return g_string_free (out, FALSE);
}

static const struct
{
  const char *element;
  const char *text;
  const char *format;
  const char *arcs;
} good[] = {
  /* SNAP */
  { "i32", "0 1\n1 2\n", "SNAP edge list", "3: 0>1:1 1>2:1" },
  { "i32", "# c\n10\t30\n30\t20\n", "SNAP edge list", "3: 10>30:1 30>20:1" },
  { "i32", "# c\r\n10\t30\r\n30\t20", "SNAP edge list", "3: 10>30:1 30>20:1" },
  { "i32", "10 30\r30 20\r", "SNAP edge list", "3: 10>30:1 30>20:1" },
  { "i32", "\xef\xbb\xbf# c\n1 2\n", "SNAP edge list", "2: 1>2:1" },
  { "i32",
    "\xef\xbb\xbf"
    "1 2\n",
    "SNAP edge list", "2: 1>2:1" },
  { "i32", "\n\n  1   2  \n\n\t3\t4\t\n\n", "SNAP edge list", "4: 1>2:1 3>4:1" },
  { "i32", "1 2 7\n2 1 -3\n", "SNAP edge list", "2: 1>2:7 2>1:-3" },
  { "i32", "1 2 7.0\n2 1 1e2\n", "SNAP edge list", "2: 1>2:7 2>1:100" },
  { "f32", "1 2 0.5\n2 1 .25\n", "SNAP edge list", "2: 1>2:0.5 2>1:0.25" },
  { "bool", "1 2 0\n2 1 9\n", "SNAP edge list", "2: 1>2:1 2>1:1" },
  { "i32", "1 1\n1 1\n", "SNAP edge list", "1: 1>1:1 1>1:1" },
  { "i32", "9223372036854775807 0\n", "SNAP edge list", "2: 9223372036854775807>0:1" },
  { "i32", "# Nodes: 2 Edges: 1\n5 6\n", "SNAP edge list", "2: 5>6:1" },
  { "i32", "% konect\n5 6\n", "SNAP edge list", "2: 5>6:1" },
  { "i64", "1 2 9223372036854775806\n", "SNAP edge list", "2: 1>2:9223372036854775806" },
  { "i8", "1 2 127\n1 2 -127\n", "SNAP edge list", "2: 1>2:127 1>2:-127" },
  /* DIMACS */
  { "i32", "p sp 3 2\na 1 2 5\na 3 1 0\n", "DIMACS .gr", "3: 1>2:5 3>1:0" },
  { "i32", "c hi\r\nc\r\n\r\np\tsp 3 2\r\na 1 2 5\r\nc mid\r\na 3 1 4", "DIMACS .gr", "3: 1>2:5 3>1:4" },
  { "i32", "\xef\xbb\xbfp sp 1 0\n", "DIMACS .gr", "1:" },
  { "bool", "p sp 2 1\na 1 2 0\n", "DIMACS .gr", "2: 1>2:1" },
  { "f64", "p sp 2 1\na 1 2 0.125\n", "DIMACS .gr", "2: 1>2:0.125" },
  /* MatrixMarket */
  { "i32", "%%MatrixMarket matrix coordinate integer general\n% c\n3 3 2\n1 2 5\n3 1 -4\n", "MatrixMarket",
    "3: 1>2:5 3>1:-4" },
  { "i32", "%%matrixmarket MATRIX Coordinate Real General\r\n\r\n2 2 1\r\n1 2 5.0\r\n", "MatrixMarket", "2: 1>2:5" },
  { "i32", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 3\n", "MatrixMarket",
    "3: 2>1:1 1>2:1 3>3:1" },
  { "i32", "%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 6\n", "MatrixMarket",
    "2: 2>1:6 1>2:-6" },
  { "f32", "%%MatrixMarket matrix array real general\n2 2\n0\n1.5\n2\n0.5\n", "MatrixMarket",
    "2: 1>1:0 2>1:1.5 1>2:2 2>2:0.5" },
  { "i32", "%%MatrixMarket matrix array integer symmetric\n2 2\n1\n2\n3\n", "MatrixMarket",
    "2: 1>1:1 2>1:2 1>2:2 2>2:3" },
  { "bool", "%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 2 0\n2 1 3\n", "MatrixMarket", "2: 2>1:1" },
};

START_TEST (good_files_are_read)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlInput) input = load_text (good[_i].element, good[_i].text, diags);

  for (guint d = 0; d < tl_diags_count (diags); d++)
    {
      g_autofree char *text = tl_diag_to_text (tl_diags_get (diags, d));
      ck_abort_msg ("row %d: %s", _i, text);
    }
  ck_assert_ptr_nonnull (input);
  g_autofree char *arcs = shown (input);
  ck_assert_str_eq (arcs, good[_i].arcs);
  ck_assert_str_eq (input->format, good[_i].format);
  ck_assert_uint_ne (input->content_hash, 0);
}
END_TEST

START_TEST (wrong_golden_fails)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlInput) input = load_text ("i32", "0 1\n1 2\n", diags);
  g_autofree char *arcs = shown (input);

  ck_assert_str_ne (arcs, "3: 0>1:1 2>1:1");
}
END_TEST

/* --- Bad files --- */

#define MM "%%MatrixMarket matrix coordinate integer general\n"

static const struct
{
  const char *element;
  const char *text;
  const char *code;
  guint       line;
  guint       column;
  const char *says; /* must stand in message or reason */
} bad[] = {
  { "i32", "", "empty-file", 1, 1, "empty" },
  { "i32", " \n\t\r\n\n", "empty-file", 1, 1, "empty" },
  { "i32", "\xef\xbb\xbf", "empty-file", 1, 1, "empty" },
  { "i32", "# only\n# comments\n", "empty-file", 3, 1, "only comments" },
  { "i32", "<!DOCTYPE html>\n", "unknown-format", 1, 1, "<!DOCTYPE" },
  { "i32", "\n\n  hello 1\n", "unknown-format", 3, 3, "hello" },
  { "i32", "\xff\xfe\x41\x01\n", "unknown-format", 1, 1, "no graph known here" },
  /* edge lists */
  { "i32", "0 1\n2\n", "bad-columns", 2, 2, "cut off" },
  { "i32", "7\n", "bad-columns", 1, 2, "two columns" },
  { "i32", "0 1\n2 3 4\n", "bad-columns", 2, 5, "line 1" },
  { "i32", "0 1 5\n2 3\n", "bad-columns", 2, 4, "a column is missing" },
  { "i32", "0 1 2 3\n", "bad-columns", 1, 7, "more" },
  { "i32", "0 1\n2 x\n", "bad-number", 2, 3, "\"x\"" },
  { "i32", "0 1\n-2 3\n", "bad-number", 2, 1, "negative" },
  { "i32", "0 1\n2 1.5\n", "bad-number", 2, 3, "1.5" },
  { "i32", "0,1\n", "bad-number", 1, 1, "0,1" },
  { "i32", "0 99999999999999999999\n", "number-too-large", 1, 3, "99999999999999999999" },
  { "i32", "0 1 1.5\n", "not-whole", 1, 5, "f32" },
  { "i32", "0 1 2147483648\n", "value-too-large", 1, 5, "i64" },
  { "i8", "0 1 128\n", "value-too-large", 1, 5, "i16" },
  { "i8", "0 1 70000\n", "value-too-large", 1, 5, "i32" },
  { "u8", "0 1 -1\n", "value-too-large", 1, 5, "i16" },
  { "i64", "0 1 9223372036854775807\n", "value-too-large", 1, 5, "f64" },
  { "i64", "0 1 1e30\n", "value-too-large", 1, 5, "f64" },
  { "f16", "0 1 70000\n", "value-too-large", 1, 5, "f32" },
  { "f32", "0 1 1e39\n", "value-too-large", 1, 5, "f64" },
  { "f64", "0 1 1e999\n", "value-too-large", 1, 5, "" },
  { "f32", "0 1 nan\n", "bad-number", 1, 5, "nan" },
  { "f32", "0 1 inf\n", "bad-number", 1, 5, "leave the line out" },
  { "i32", "0 1 1e\n", "bad-number", 1, 5, "1e" },
  { "i32", "0 1 --3\n", "bad-number", 1, 5, "--3" },
  { "i32", "# \xc3\xa4\n\xc3\xa4\xc3\xb6 1\n", "bad-number", 2, 1, "whole number" },
  { "i32", "0 1\n2 \xc3\xa4\n", "bad-number", 2, 3, "whole number" },
  { "i32", "# Nodes: 2 Edges: 5\n0 1\n1 0\n", "truncated-file", 1, 1, "declares 5 edges and holds 2" },
  /* DIMACS */
  { "i32", "c x\n", "no-problem-line", 2, 1, "p sp" },
  { "i32", "c x\na 1 2 3\np sp 2 1\n", "no-problem-line", 2, 1, "before the problem line" },
  { "i32", "p sp 2 1\na 1 3 5\n", "id-out-of-range", 2, 5, "1 to 2" },
  { "i32", "p sp 2 1\na 0 1 5\n", "id-out-of-range", 2, 3, "from 1" },
  { "i32", "p sp 2 2\na 1 2 5\n", "truncated-file", 1, 1, "declares 2 arcs and holds 1" },
  { "i32", "p sp 2 1\na 1 2 5\na 2 1 5\n", "count-mismatch", 1, 1, "declares 1 arcs and holds 2" },
  { "i32", "p sp 2 1\np sp 2 1\n", "second-problem", 2, 1, "line 1" },
  { "i32", "p edge 2 1\n", "unknown-format", 1, 3, "edge" },
  { "i32", "p sp 2\n", "bad-columns", 1, 7, "p sp NODES ARCS" },
  { "i32", "p sp 2 1 4\n", "bad-columns", 1, 10, "one column too many" },
  { "i32", "p sp 0 0\n", "empty-file", 1, 6, "no nodes" },
  { "i32", "p sp 4000000000 1\na 1 2 3\n", "number-too-large", 1, 6, "4000000000" },
  { "i32", "p sp 2 1\na 1 2\n", "bad-columns", 2, 6, "cut off" },
  { "i32", "p sp 2 1\na 1\n", "bad-columns", 2, 4, "cut off" },
  { "i32", "p sp 2 1\na 1 2 3 4\n", "bad-columns", 2, 9, "one column too many" },
  { "i32", "p sp 2 1\na 1 2 x\n", "bad-number", 2, 7, "\"x\"" },
  { "i32", "p sp 2 1\ne 1 2\n", "unknown-line", 2, 1, "\"e\"" },
  { "i32", "p sp 2 1\na 1 2 99999999999\n", "value-too-large", 2, 7, "i64" },
  /* MatrixMarket */
  { "i32", "%%MatrixMarket matrix coordinate complex general\n1 1 0\n", "unknown-format", 1, 34, "complex" },
  { "i32", "%%MatrixMarket matrix coordinate real hermitian\n1 1 0\n", "unknown-format", 1, 39, "hermitian" },
  { "i32", "%%MatrixMarket vector coordinate real general\n", "unknown-format", 1, 16, "vector" },
  { "i32", "%%MatrixMarket matrix coordinate real\n", "bad-columns", 1, 38, "symmetry" },
  { "i32", "%%MatrixMarket matrix array pattern general\n", "unknown-format", 1, 1, "pattern" },
  { "i32", MM "2 3 1\n1 1 1\n", "not-square", 2, 1, "2 x 3" },
  { "i32", MM, "truncated-file", 2, 1, "size line" },
  { "i32", MM "2 2 3\n1 1 1\n", "truncated-file", 2, 1, "declares 3 entries and holds 1" },
  { "i32", MM "2 2 1\n1 1 1\n2 2 2\n", "count-mismatch", 2, 1, "declares 1 entries and holds 2" },
  { "i32", MM "2 2 1\n1 3 1\n", "id-out-of-range", 3, 3, "column 3" },
  { "i32", MM "2 2 1\n0 1 1\n", "id-out-of-range", 3, 1, "row 0" },
  { "i32", MM "2 2 1\n1 1\n", "bad-columns", 3, 4, "ROW COLUMN VALUE" },
  { "i32", MM "2 2 1\n1 1 1 1\n", "bad-columns", 3, 7, "too many" },
  { "i32", MM "2 2\n", "bad-columns", 2, 4, "ENTRIES" },
  { "i32", MM "0 0 0\n", "empty-file", 2, 1, "no elements" },
  { "i32", MM "99999999999 99999999999 1\n1 1 1\n", "number-too-large", 2, 1, "99999999999" },
  { "i32", MM "2 2 1\n1 1 1.5\n", "not-whole", 3, 5, "1.5" },
  { "i32", "%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n1 1 6\n", "bad-symmetry", 3, 1,
    "diagonal" },
  { "u8", "%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 6\n", "value-too-large", 3, 5,
    "negative" },
  { "i32", "%%MatrixMarket matrix array integer general\n2 2\n1\n2\n3\n", "truncated-file", 2, 1,
    "declares 4 values and holds 3" },
};

/* Whether the first error is that row's. */
static gboolean
is_refused_as (int row, const char *code, guint line, guint column, char **said)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlInput) input = load_text (bad[row].element, bad[row].text, diags);

  if (input != NULL || tl_diags_errors (diags) == 0)
    {
      *said = g_strdup ("it was read");
      return FALSE;
    }
  const TlDiag *diag = tl_diags_get (diags, 0);
  *said = tl_diag_to_text (diag);
  return strcmp (diag->code, code) == 0 && diag->from.line == line && diag->from.column == column
         && diag->reason != NULL && strcmp (diag->file, "g.txt") == 0 && strstr (*said, bad[row].says) != NULL;
}

START_TEST (bad_files_are_refused)
{
  g_autofree char *said = NULL;

  ck_assert_msg (is_refused_as (_i, bad[_i].code, bad[_i].line, bad[_i].column, &said), "row %d (%s %u:%u): %s", _i,
                 bad[_i].code, bad[_i].line, bad[_i].column, said);
}
END_TEST

START_TEST (wrong_place_fails)
{
  g_autofree char *said = NULL;

  ck_assert (!is_refused_as (7, bad[7].code, bad[7].line, bad[7].column + 1, &said));
}
END_TEST

START_TEST (binary_is_refused_with_its_offset)
{
  static const char bytes[] = "0 1\n2 \0003\n";
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlInput) input = load_bytes ("graph", "i32", bytes, sizeof bytes - 1, diags);

  ck_assert_ptr_null (input);
  const TlDiag *diag = tl_diags_get (diags, 0);
  ck_assert_str_eq (diag->code, "binary-file");
  ck_assert_uint_eq (diag->from.line, 2);
  ck_assert_uint_eq (diag->from.column, 3);
  ck_assert_ptr_nonnull (strstr (diag->message, "offset 6"));
}
END_TEST

START_TEST (several_mistakes_are_several_messages)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlInput) input = load_text ("i32", "0 1\n2 x\n3 4\n5\n6 y\n", diags);

  ck_assert_ptr_null (input);
  ck_assert_uint_eq (tl_diags_errors (diags), 3);
  ck_assert_uint_eq (tl_diags_get (diags, 0)->from.line, 2);
  ck_assert_uint_eq (tl_diags_get (diags, 1)->from.line, 4);
  ck_assert_uint_eq (tl_diags_get (diags, 2)->from.line, 5);
}
END_TEST

/* Cut in the middle of a line: the line is wrong, and both counts are named. */
START_TEST (cut_files_name_both_counts)
{
  static const struct
  {
    const char *text;
    const char *says;
  } rows[] = {
    { "# Nodes: 3 Edges: 3\n0 1\n1", "declares 3 edges and holds 2" },
    { "p sp 3 3\na 1 2 5\na 2", "declares 3 arcs and holds 2" },
    { MM "3 3 3\n1 2 5\n2", "declares 3 entries and holds 2" },
  };

  for (guint r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      g_autoptr (TlDiags) diags = tl_diags_new ();
      g_autoptr (TlInput) input = load_text ("i32", rows[r].text, diags);
      ck_assert_ptr_null (input);
      ck_assert_uint_eq (tl_diags_errors (diags), 2);
      ck_assert_str_eq (tl_diags_get (diags, 0)->code, "bad-columns");
      ck_assert_str_eq (tl_diags_get (diags, 1)->code, "truncated-file");
      ck_assert_ptr_nonnull (strstr (tl_diags_get (diags, 1)->message, rows[r].says));
    }
}
END_TEST

START_TEST (errors_are_bounded)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (GString) text = g_string_new ("0 1\n");

  for (guint i = 0; i < 1000; i++)
    g_string_append (text, "x y\n");
  g_autoptr (TlInput) input = load_text ("i32", text->str, diags);
  ck_assert_ptr_null (input);
  ck_assert_uint_eq (tl_diags_errors (diags), 10);
  ck_assert_str_eq (tl_diags_get (diags, 10)->code, "given-up");
}
END_TEST

START_TEST (other_counts_are_said)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlInput) input = load_text ("i32", "# Nodes: 9 Edges: 1\n0 1\n1 0\n", diags);

  ck_assert_ptr_nonnull (input);
  ck_assert_uint_eq (tl_diags_errors (diags), 0);
  ck_assert_uint_eq (tl_diags_count (diags), 2);
  ck_assert_ptr_nonnull (strstr (tl_diags_get (diags, 0)->message, "declares 1 edges and holds 2"));
  ck_assert_ptr_nonnull (strstr (tl_diags_get (diags, 1)->message, "declares 9 nodes and its arcs name 2"));
}
END_TEST

/* --- gzip --- */

static GByteArray *
packed (const char *text)
{
  GByteArray *out = g_byte_array_new ();
  z_stream    stream = { .next_in = (Bytef *) text, .avail_in = (uInt) strlen (text) };

  ck_assert_int_eq (deflateInit2 (&stream, 9, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
  g_byte_array_set_size (out, 1 << 16);
  stream.next_out = out->data;
  stream.avail_out = out->len;
  ck_assert_int_eq (deflate (&stream, Z_FINISH), Z_STREAM_END);
  g_byte_array_set_size (out, out->len - stream.avail_out);
  deflateEnd (&stream);
  return out;
}

START_TEST (gzip_is_unpacked)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (GByteArray) one = packed ("0 1\n1 ");
  GByteArray *two = packed ("2\n");

  g_byte_array_append (one, two->data, two->len); /* two members are one text */
  g_byte_array_unref (two);
  g_autoptr (TlInput) input = load_bytes ("graph", "i32", one->data, one->len, diags);
  ck_assert_ptr_nonnull (input);
  g_autofree char *arcs = shown (input);
  ck_assert_str_eq (arcs, "3: 0>1:1 1>2:1");
}
END_TEST

START_TEST (damaged_gzip_is_refused)
{
  g_autoptr (GByteArray) whole = packed ("0 1\n1 2\n2 3\n3 4\n4 5\n5 6\n6 7\n7 8\n8 9\n9 10\n");

  for (guint cut = 2; cut < whole->len; cut++)
    {
      g_autoptr (TlDiags) diags = tl_diags_new ();
      g_autoptr (TlInput) input = load_bytes ("graph", "i32", whole->data, cut, diags);
      ck_assert_ptr_null (input);
      ck_assert_str_eq (tl_diags_get (diags, 0)->code, "truncated-file");
      ck_assert_ptr_nonnull (strstr (tl_diags_get (diags, 0)->message, "byte offset"));
    }
  for (guint at = 2; at < whole->len; at++)
    {
      g_autoptr (TlDiags) diags = tl_diags_new ();
      whole->data[at] ^= 0x10;
      g_autoptr (TlInput) input = load_bytes ("graph", "i32", whole->data, whole->len, diags);
      whole->data[at] ^= 0x10;
      ck_assert (input != NULL || tl_diags_errors (diags) > 0);
    }
}
END_TEST

/* --- Facts, checks, the matrix --- */

static TlSemiring *
known (TlOperatorKind plus, TlOperatorKind times, const char *element)
{
  TlElementType type;

  ck_assert (tl_element_type_parse (element, &type));
  return tl_semiring_known (plus, times, type);
}

START_TEST (facts_come_from_the_file)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlInput) input = load_text ("i32", "5 7 -3\n7 9 12\n9 5 4\n", diags);
  TlDataFacts facts;

  tl_input_facts (input, "D", &facts);
  ck_assert_str_eq (facts.name, "D");
  ck_assert_uint_eq (facts.rows, 3);
  ck_assert_uint_eq (facts.columns, 3);
  ck_assert (facts.bounds_known);
  ck_assert_int_eq (facts.low.i, -3);
  ck_assert_int_eq (facts.high.i, 12);
  ck_assert_uint_eq (facts.content_hash, input->content_hash);
  ck_assert_uint_eq (input->low_place.line, 1);
  ck_assert_uint_eq (input->low_place.column, 5);
  ck_assert_uint_eq (input->high_place.line, 2);
  ck_assert_uint_eq (input->high_place.column, 5);
  g_free (facts.name);
}
END_TEST

static void
expect_matrix (TlOperatorKind plus, TlOperatorKind times, const char *element, const char *text, const gint64 *wanted,
               guint n)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlInput) input = load_text (element, text, diags);
  g_autoptr (TlSemiring) semiring = known (plus, times, element);

  ck_assert_ptr_nonnull (input);
  ck_assert (tl_input_check (input, semiring, TRUE, diags));
  g_autoptr (TlMatrix) matrix = tl_input_matrix (input, semiring, 0, diags);
  ck_assert_ptr_nonnull (matrix);
  ck_assert_uint_eq (matrix->rows, n);
  for (guint i = 0; i < n * n; i++)
    ck_assert_msg (tl_matrix_get (matrix, i / n, i % n).i == wanted[i], "(%u,%u)", i / n, i % n);
}

#define I TL_INF

START_TEST (matrices_of_graphs)
{
  /* Self-loops, repeated arcs, a missing arc. */
  static const char text[] = "1 1 4\n1 2 7\n1 2 5\n2 3 6\n2 3 9\n3 3 0\n";
  expect_matrix (TL_OPERATOR_MIN, TL_OPERATOR_ADD, "i32", text, (const gint64[]) { 0, 5, I, I, 0, 6, I, I, 0 }, 3);
  expect_matrix (TL_OPERATOR_MAX, TL_OPERATOR_MIN, "i32", text, (const gint64[]) { I, 7, 0, 0, I, 9, 0, 0, I }, 3);
  expect_matrix (TL_OPERATOR_MIN, TL_OPERATOR_MAX, "i32", text, (const gint64[]) { 0, 5, I, I, 0, 6, I, I, 0 }, 3);
  expect_matrix (TL_OPERATOR_OR, TL_OPERATOR_AND, "bool", text, (const gint64[]) { 1, 1, 0, 0, 1, 1, 0, 0, 1 }, 3);
  /* A negative self-loop is below one and kept, for the cycle check to find. */
  expect_matrix (TL_OPERATOR_MIN, TL_OPERATOR_ADD, "i32", "1 1 -4\n", (const gint64[]) { -4 }, 1);
  expect_matrix (TL_OPERATOR_MAX, TL_OPERATOR_ADD, "i32", "1 1 -4\n1 2 -3\n", (const gint64[]) { 0, -3, -I, 0 }, 2);
}
END_TEST

static const struct
{
  TlOperatorKind plus, times;
  const char    *element;
  const char    *text;
  const char    *code; /* NULL: fits */
  guint          line, column;
  const char    *says;
} checks[] = {
  { TL_OPERATOR_MIN, TL_OPERATOR_ADD, "i32", "0 1 1073741823\n1 2 5\n", NULL, 0, 0, "" },
  { TL_OPERATOR_MIN, TL_OPERATOR_ADD, "i32", "0 1 3\n1 2 1073741824\n", "sums-too-large", 2, 5, "i64" },
  { TL_OPERATOR_MIN, TL_OPERATOR_ADD, "i32", "0 1 -1073741824\n1 2 4\n", "sums-too-large", 1, 5, "i64" },
  { TL_OPERATOR_MIN, TL_OPERATOR_ADD, "i32", "0 1 2147483647\n", NULL, 0, 0, "" },
  { TL_OPERATOR_MIN, TL_OPERATOR_ADD, "i8", "0 1 64\n1 2 1\n", "sums-too-large", 1, 5, "2 x 64" },
  { TL_OPERATOR_MIN, TL_OPERATOR_ADD, "i8", "0 1 63\n1 2 1\n", NULL, 0, 0, "" },
  { TL_OPERATOR_MIN, TL_OPERATOR_ADD, "i64", "0 1 9000000000000000000\n1 2 1\n", "sums-too-large", 1, 5, "f64" },
  { TL_OPERATOR_MIN, TL_OPERATOR_ADD, "f16", "0 1 60000\n1 2 1\n", "sums-too-large", 1, 5, "f32" },
  { TL_OPERATOR_MAX, TL_OPERATOR_MIN, "i32", "0 1 2147483647\n1 2 5\n", NULL, 0, 0, "" },
  { TL_OPERATOR_MAX, TL_OPERATOR_MIN, "i32", "0 1 7\n1 2 -5\n", "not-on-carrier", 2, 5, "-5" },
  { TL_OPERATOR_MIN, TL_OPERATOR_MAX, "i32", "0 1 7\n1 2 -5\n", "not-on-carrier", 2, 5, "-5" },
};

START_TEST (bounds_are_checked)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlInput) input = load_text (checks[_i].element, checks[_i].text, diags);
  g_autoptr (TlSemiring) semiring = known (checks[_i].plus, checks[_i].times, checks[_i].element);

  ck_assert_ptr_nonnull (input);
  gboolean fits = tl_input_check (input, semiring, TRUE, diags);
  ck_assert_int_eq (fits, checks[_i].code == NULL);
  if (fits)
    return;
  const TlDiag    *diag = tl_diags_get (diags, 0);
  g_autofree char *said = tl_diag_to_text (diag);
  ck_assert_str_eq (diag->code, checks[_i].code);
  ck_assert_uint_eq (diag->from.line, checks[_i].line);
  ck_assert_uint_eq (diag->from.column, checks[_i].column);
  ck_assert_msg (strstr (said, checks[_i].says) != NULL, "%s", said);
}
END_TEST

START_TEST (large_graphs_make_no_matrix_unasked)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlInput) input = load_text ("i32", "p sp 2000000000 1\na 1 2000000000 3\n", diags);
  g_autoptr (TlSemiring) semiring = known (TL_OPERATOR_MIN, TL_OPERATOR_ADD, "i32");

  ck_assert_ptr_nonnull (input);
  ck_assert_uint_eq (input->rows, 2000000000);
  ck_assert_ptr_null (tl_input_matrix (input, semiring, 0, diags));
  ck_assert_str_eq (tl_diags_get (diags, 0)->code, "matrix-too-large");
}
END_TEST

START_TEST (declared_extents_must_agree)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  TlInputArgument file = { .kind = TL_ARGUMENT_STRING, .text = "g.txt" };
  TlInputCall     call = { .function = "graph", .arguments = &file, .n_arguments = 1, .rows = 4, .columns = 4 };

  tl_element_type_parse ("i32", &call.element);
  g_autoptr (TlInputPlan) plan = tl_input_plan (&call, diags);
  ck_assert_ptr_null (tl_input_load (plan, "g.txt", "0 1\n", 4, diags));
  ck_assert_str_eq (tl_diags_get (diags, 0)->code, "extents-differ");
}
END_TEST

/* --- Speed and size: figures, and the real files' counts --- */

static const struct
{
  const char *file;
  guint64     n;
  guint64     arcs;
} real[] = {
  { "data/ca-GrQc.txt", 5242, 28980 },    { "data/p2p-Gnutella08.txt", 6301, 20777 },
  { "data/iom-osm-256.gr", 256, 518 },    { "data/iom-osm-1024.gr", 1024, 2416 },
  { "data/iom-osm-4096.gr", 4096, 9157 }, { "data/iom-osm-65536.gr", 65536, 134827 },
};

START_TEST (real_files_hold_what_they_should)
{
  g_autofree char *path = tl_test_shared_path (real[_i].file);
  g_autofree char *bytes = NULL;
  gsize            length = 0;

  if (path == NULL)
    {
      tl_test_skip ("%s not there", real[_i].file);
      return;
    }
  ck_assert (g_file_get_contents (path, &bytes, &length, NULL));
  g_autoptr (TlDiags) diags = tl_diags_new ();
  clock_t start = clock ();
  g_autoptr (TlInput) input = load_bytes ("graph", "i32", bytes, length, diags);
  gint64 took = MAX ((gint64) (clock () - start) * 1000000 / CLOCKS_PER_SEC, 1);
  ck_assert_ptr_nonnull (input);
  ck_assert_uint_eq (tl_diags_count (diags), 0);
  ck_assert_uint_eq (input->rows, real[_i].n);
  ck_assert_uint_eq (input->graph->n_arcs, real[_i].arcs);
  g_print ("%s: %" G_GINT64_FORMAT " us, %.0f MB/s\n", real[_i].file, took, (double) length / (double) took);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("input-graph");
  TCase *tcase = tcase_create ("graph");

  tcase_add_loop_test (tcase, good_files_are_read, 0, G_N_ELEMENTS (good));
  tcase_add_test (tcase, wrong_golden_fails);
  tcase_add_loop_test (tcase, bad_files_are_refused, 0, G_N_ELEMENTS (bad));
  tcase_add_test (tcase, wrong_place_fails);
  tcase_add_test (tcase, binary_is_refused_with_its_offset);
  tcase_add_test (tcase, several_mistakes_are_several_messages);
  tcase_add_test (tcase, cut_files_name_both_counts);
  tcase_add_test (tcase, errors_are_bounded);
  tcase_add_test (tcase, other_counts_are_said);
  tcase_add_test (tcase, gzip_is_unpacked);
  tcase_add_test (tcase, damaged_gzip_is_refused);
  tcase_add_test (tcase, facts_come_from_the_file);
  tcase_add_test (tcase, matrices_of_graphs);
  tcase_add_loop_test (tcase, bounds_are_checked, 0, G_N_ELEMENTS (checks));
  tcase_add_test (tcase, large_graphs_make_no_matrix_unasked);
  tcase_add_test (tcase, declared_extents_must_agree);
  tcase_add_loop_test (tcase, real_files_hold_what_they_should, 0, G_N_ELEMENTS (real));
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
