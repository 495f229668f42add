/* Tensors of safetensors and GGUF files: every type gives its values exactly, in its own or in another type that holds
 * them, and what a file or a call gets wrong is said with its place. */
#include "input/input.h"
#include "support/support.h"
#include "support/tensor-files.h"

#include <math.h>

/* The tensor @name of @file as the element type @element, "" for the file's own; rows and columns declared or 0. */
static TlInput *
load (GBytes *file, const char *name, const char *element, guint64 rows, guint64 columns, TlDiags *diags)
{
  g_autoptr (TlSource) source = tl_source_new ("t.gdsl", "data W = tensor(\"m\", \"w\")\n", -1);
  TlInputArgument arguments[]
      = { { .kind = TL_ARGUMENT_STRING, .text = "m.file" }, { .kind = TL_ARGUMENT_STRING, .text = name } };
  TlInputCall   call = { .source = source,
                         .span = tl_span (9, 25),
                         .function = "tensor",
                         .arguments = arguments,
                         .n_arguments = G_N_ELEMENTS (arguments),
                         .rows = rows,
                         .columns = columns };
  gsize         length;
  gconstpointer data = g_bytes_get_data (file, &length);

  if (*element != '\0')
    ck_assert (tl_element_type_parse (element, &call.element));
  g_autoptr (TlInputPlan) plan = tl_input_plan (&call, diags);
  ck_assert_ptr_nonnull (plan);
  TlInput *input = tl_input_load (plan, "m.file", data, length, diags);
  ck_assert_uint_eq (input == NULL, tl_diags_errors (diags) > 0);
  return input;
}

static const struct
{
  const char *type;
  guint32     id; /* of GGUF, 99: it has none */
  const char *element;
  guint8      bytes[48];
  guint       length;
  double      values[6]; /* 2 x 3 */
} types[] = {
  { "U8", 99, "u8", { 0, 1, 2, 127, 128, 255 }, 6, { 0, 1, 2, 127, 128, 255 } },
  { "I8", 24, "i8", { 0, 1, 2, 127, 128, 255 }, 6, { 0, 1, 2, 127, -128, -1 } },
  { "BOOL", 99, "bool", { 0, 1, 1, 0, 0, 1 }, 6, { 0, 1, 1, 0, 0, 1 } },
  { "U16", 99, "u16", { 1, 0, 0, 1, 255, 255, 0, 128, 0, 0, 2, 0 }, 12, { 1, 256, 65535, 32768, 0, 2 } },
  { "I16", 25, "i16", { 1, 0, 0, 1, 255, 255, 0, 128, 0, 0, 2, 0 }, 12, { 1, 256, -1, -32768, 0, 2 } },
  { "I32",
    26,
    "i32",
    { 1, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 128, 2, 0, 0, 0, 3, 0, 0, 0, 4, 1, 0, 0 },
    24,
    { 1, -1, -2147483648.0, 2, 3, 260 } },
  { "F16", 1, "f16", { 0, 0x3c, 0, 0xc0, 0, 0, 0xff, 0x7b, 1, 0, 0, 0x38 }, 12, { 1, -2, 0, 65504, 0x1p-24, 0.5 } },
  { "BF16",
    30,
    "bf16",
    { 0x80, 0x3f, 0, 0xc0, 0, 0, 0x7f, 0x7f, 1, 0, 0, 0x3f },
    12,
    { 1, -2, 0, 0x1.fep127, 0x1p-133, 0.5 } },
  { "F32",
    0,
    "f32",
    { 0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0, 0, 0, 0, 0, 0xcd, 0xcc, 0xcc, 0x3d, 1, 0, 0, 0, 0, 0, 0, 0x3f },
    24,
    { 1, -2, 0, (double) 0.1f, 0x1p-149, 0.5 } },
  { "F64",
    28,
    "f64",
    { 0,    0,    0,    0,    0,    0,    0xf0, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0xc0, 0, 0, 0, 0, 0, 0, 0,    0,
      0x9a, 0x99, 0x99, 0x99, 0x99, 0x99, 0xb9, 0x3f, 1, 0, 0, 0, 0, 0, 0, 0,    0, 0, 0, 0, 0, 0, 0xe0, 0x3f },
    48,
    { 1, -2, 0, 0.1, 0x1p-1074, 0.5 } },
  { "F8_E4M3", 99, "f8e4m3", { 0x38, 0xc0, 0, 0x7e, 1, 0x30 }, 6, { 1, -2, 0, 448, 0x1p-9, 0.5 } },
  { "F8_E5M2", 99, "f8e5m2", { 0x3c, 0xc0, 0, 0x7b, 1, 0x38 }, 6, { 1, -2, 0, 57344, 0x1p-16, 0.5 } },
};

static guint
judge_values (guint row, const double *values, gboolean gguf)
{
  const TensorPart parts[]
      = { { "other", "F32", 0, 1, { 1 }, "\0\0\0", 4 },
          { "w", types[row].type, types[row].id, 2, { 2, 3 }, types[row].bytes, types[row].length } };
  g_autoptr (GBytes) file = gguf ? make_gguf (parts, 2, 3) : make_safetensors (parts, 2);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlInput) input = load (file, "w", "", 0, 0, diags);
  guint wrong = 0;

  ck_assert_msg (input != NULL, "%s: %s", types[row].type,
                 tl_diags_count (diags) ? tl_diags_get (diags, 0)->message : "");
  g_autofree char *name = tl_element_type_name (input->element);
  gboolean         real = tl_element_type_is_float (input->element);
  ck_assert_str_eq (name, types[row].element);
  ck_assert_str_eq (input->format, gguf ? "GGUF" : "safetensors");
  ck_assert (input->rows == 2 && input->columns == 3 && input->bounds_known);
  for (guint i = 0; i < 6; i++)
    {
      TlScalar value = tl_matrix_get (input->dense, i / 3, i % 3);
      wrong += (real ? value.r : (double) value.i) != values[i];
    }
  return wrong;
}

START_TEST (types_give_their_values)
{
  ck_assert_uint_eq (judge_values ((guint) _i, types[_i].values, FALSE), 0);
  if (types[_i].id != 99)
    ck_assert_uint_eq (judge_values ((guint) _i, types[_i].values, TRUE), 0);
}
END_TEST

START_TEST (a_wrong_value_fails)
{
  ck_assert_uint_eq (judge_values (0, (const double[6]) { 0, 1, 2, 127, 128, 254 }, FALSE), 1);
}
END_TEST

/* Values go into another type when it has them all, and never by rounding. */
START_TEST (other_types)
{
  static const guint8 small[] = { 1, 2, 253, 4 };                     /* I8: 1 2 -3 4 */
  static const guint8 floats[] = { 0, 0x3c, 0, 0xc0, 0, 0x42, 0, 0 }; /* F16: 1 -2 3 0 */
  static const guint8 parts_of[]
      = { 0, 0, 0, 0x3f, 0, 0, 0x80, 0x3f, 0, 0, 0x40, 0x40, 0, 0, 0, 0 }; /* F32: .5 1 3 0 */
  const TensorPart parts[] = { { "small", "I8", 24, 2, { 2, 2 }, small, 4 },
                               { "floats", "F16", 1, 2, { 2, 2 }, floats, 8 },
                               { "parts", "F32", 0, 2, { 2, 2 }, parts_of, 16 } };
  static const struct
  {
    const char *name, *element;
    const char *refused; /* or NULL */
  } rows[] = {
    { "small", "i4", NULL },
    { "small", "i3", "element [1, 1] of \"small\" is 4, no value of i3" },
    { "small", "u4", "is -3, no value of u4" },
    { "small", "f16", NULL },
    { "small", "f6e3m2", NULL },
    { "small", "f3e1m1", "no value of f3e1m1" },
    { "small", "i64", NULL },
    { "floats", "i3", NULL },
    { "floats", "i2", "element [1, 0] of \"floats\" is 3" },
    { "floats", "f32", NULL },
    { "floats", "f4e2m1", NULL },
    { "parts", "i8", "element [0, 0] of \"parts\" is 0.5, no value of i8" },
    { "parts", "f8e4m3", NULL },
    { "parts", "bool", "is 0.5" },
  };
  g_autoptr (GBytes) file = make_safetensors (parts, G_N_ELEMENTS (parts));

  for (guint r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      g_autoptr (TlDiags) diags = tl_diags_new ();
      g_autoptr (TlInput) input = load (file, rows[r].name, rows[r].element, 2, 2, diags);
      g_autoptr (TlDiags) again = tl_diags_new ();
      g_autoptr (TlInput) own = load (file, rows[r].name, "", 0, 0, again);

      if (rows[r].refused != NULL)
        {
          ck_assert_msg (input == NULL && strstr (tl_diags_get (diags, 0)->message, rows[r].refused) != NULL,
                         "row %u: %s", r, tl_diags_count (diags) ? tl_diags_get (diags, 0)->message : "");
          ck_assert_str_eq (tl_diags_get (diags, 0)->code, "tensor-value");
          continue;
        }
      ck_assert_msg (input != NULL, "row %u: %s", r, tl_diags_count (diags) ? tl_diags_get (diags, 0)->message : "");
      for (guint i = 0; i < 4; i++)
        {
          TlScalar a = tl_matrix_get (input->dense, i / 2, i % 2), b = tl_matrix_get (own->dense, i / 2, i % 2);
          double   x = tl_element_type_is_float (input->element) ? a.r : (double) a.i;
          double   y = tl_element_type_is_float (own->element) ? b.r : (double) b.i;
          ck_assert (x == y);
        }
    }
}
END_TEST

START_TEST (shapes)
{
  static const guint8 bytes[] = { 1, 2, 3, 4, 5, 6, 7, 8 };
  static const struct
  {
    guint   n_dims;
    guint64 dims[4];
    guint64 rows, columns; /* 0: refused */
  } rows[] = {
    { 2, { 2, 4 }, 2, 4 },
    { 2, { 8, 1 }, 8, 1 },
    { 2, { 1, 8 }, 1, 8 },
    { 1, { 8 }, 8, 1 },
    { 3, { 1, 2, 4 }, 2, 4 },
    { 4, { 2, 1, 4, 1 }, 2, 4 },
    { 3, { 2, 2, 2 }, 0, 0 },
    { 2, { 0, 8 }, 0, 0 },
    { 3, { 8, 1, 1 }, 8, 1 },
    { 2, { 3, 3 }, 0, 0 },
    { 2, { G_MAXUINT32, G_MAXUINT32 }, 0, 0 },
    { 2, { 1u << 30, 1u << 30 }, 0, 0 },
  };

  for (guint r = 0; r < G_N_ELEMENTS (rows); r++)
    for (guint gguf = 0; gguf < 2; gguf++)
      {
        TensorPart part = { "w", "I8", 24, rows[r].n_dims, { 0 }, bytes, sizeof bytes };
        memcpy (part.dims, rows[r].dims, sizeof part.dims);
        g_autoptr (GBytes) file = gguf ? make_gguf (&part, 1, 2) : make_safetensors (&part, 1);
        g_autoptr (TlDiags) diags = tl_diags_new ();
        g_autoptr (TlInput) input = load (file, "w", "", 0, 0, diags);

        if (rows[r].rows == 0)
          {
            /* GGUF pads behind its data, where a ninth byte is found. */
            if (gguf && rows[r].dims[0] == 3)
              continue;
            ck_assert_msg (input == NULL, "row %u", r);
            ck_assert_str_eq (tl_diags_get (diags, 0)->code, "bad-tensor");
            continue;
          }
        ck_assert_msg (input != NULL && input->rows == rows[r].rows && input->columns == rows[r].columns, "row %u", r);
        ck_assert (tl_matrix_get (input->dense, 0, input->columns - 1).i == (gint64) input->columns);
      }
}
END_TEST

/* What is wrong with a file: a word of the message, and bytes changed, or cut when @at is the new length. */
START_TEST (broken_files)
{
  static const guint8 bytes[] = { 1, 2, 3, 4 };
  const TensorPart    parts[] = { { "w", "I8", 24, 2, { 2, 2 }, bytes, 4 } };
  static const struct
  {
    gboolean    gguf;
    const char *from, *to; /* the first is replaced; NULL: everything before */
    const char *said;
  } rows[] = {
    { FALSE, "\"I8\"", "\"Q8\"", "holds Q8" },
    { FALSE, "{\"__meta", "[\"__meta", "no tensor file known here" },
    { FALSE, "data_offsets\":[0,4]", "data_offsets\":[0,9]", "and there are 4" },
    { FALSE, "data_offsets\":[0,4]", "data_offsets\":[4,0]", "bytes 4 to 0" },
    { FALSE, "data_offsets\":[0,4]", "data_offsets\":[0,3]", "has 3 bytes of data, its shape and type want 4" },
    { FALSE, "data_offsets\":[0,4]", "data_offsets\":[0  ]", "no dtype, shape and two data_offsets" },
    { FALSE, "\"shape\"", "\"shade\"", "no dtype, shape" },
    { FALSE, "[2,2]", "[2,2 ", "a whole number is missing" },
    { FALSE, "[2,2]", "[2,x]", "a whole number is missing" },
    { FALSE, "\"dtype\"", "\"dty\npe", "control character" },
    { FALSE, "}   ", "}, 1", "stands behind its end" },
    { FALSE, "}   ", "} 12", "stands behind its end" },
    { TRUE, "GGUF\x03", "GGUF\x01", "version 1" },
    { TRUE, "tokens\x09", "tokens\x0d", "a value has type 13" },
    { TRUE, "alignment\x04", "alignment\x09", "a value has type 64" },
  };

  for (guint r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      g_autoptr (GBytes) file = rows[r].gguf ? make_gguf (parts, 1, 3) : make_safetensors (parts, 1);
      gsize              length, n = strlen (rows[r].from);
      g_autofree guint8 *copy = g_bytes_unref_to_data (g_bytes_ref (file), &length);
      guint8            *at = memmem (copy, length, rows[r].from, n);
      g_autoptr (TlDiags) diags = tl_diags_new ();

      ck_assert_msg (at != NULL && strlen (rows[r].to) == n, "row %u", r);
      memcpy (at, rows[r].to, n);
      g_autoptr (GBytes) broken = g_bytes_new (copy, length);
      g_autoptr (TlInput) input = load (broken, "w", "", 0, 0, diags);
      ck_assert_msg (input == NULL && strstr (tl_diags_get (diags, 0)->message, rows[r].said) != NULL, "row %u: %s", r,
                     tl_diags_count (diags) ? tl_diags_get (diags, 0)->message : "it was read");
    }
}
END_TEST

/* Cut anywhere, a file is refused with one error or, behind the tensor, read. */
START_TEST (cut_files)
{
  static const guint8 bytes[] = { 1, 2, 3, 4 };
  const TensorPart    parts[] = { { "w", "I8", 24, 2, { 2, 2 }, bytes, 4 } };

  for (guint gguf = 0; gguf < 2; gguf++)
    {
      g_autoptr (GBytes) file = gguf ? make_gguf (parts, 1, 3) : make_safetensors (parts, 1);
      for (gsize length = 0; length < g_bytes_get_size (file); length++)
        {
          g_autoptr (GBytes) cut = g_bytes_new_from_bytes (file, 0, length);
          g_autoptr (TlDiags) diags = tl_diags_new ();
          g_autoptr (TlInput) input = load (cut, "w", "", 0, 0, diags);

          ck_assert_msg (input != NULL ? gguf == 1 : tl_diags_errors (diags) == 1, "%" G_GSIZE_FORMAT, length);
        }
    }
}
END_TEST

START_TEST (names_and_calls)
{
  static const guint8 bytes[] = { 1, 2, 3, 4 };
  const TensorPart    parts[]
      = { { "model.layers.0.up", "I8", 24, 2, { 2, 2 }, bytes, 4 }, { "b", "I8", 24, 2, { 2, 2 }, bytes, 4 } };
  g_autoptr (GBytes) file = make_gguf (parts, 2, 3);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlDiags) far = tl_diags_new ();
  g_autoptr (TlDiags) other = tl_diags_new ();
  g_autoptr (TlInput) near = load (file, "model.layers.0.pu", "", 0, 0, diags);
  g_autoptr (TlInput) none = load (file, "what else", "", 0, 0, far);
  g_autoptr (TlInput) sized = load (file, "b", "", 3, 2, other);

  ck_assert (near == NULL && strstr (tl_diags_get (diags, 0)->reason, "\"model.layers.0.up\"") != NULL);
  ck_assert (none == NULL && strstr (tl_diags_get (far, 0)->reason, "its 2 tensors are") != NULL);
  ck_assert (sized == NULL && strcmp (tl_diags_get (other, 0)->code, "extents-differ") == 0);
  ck_assert (tl_diags_get (diags, 0)->from.line == 1 && tl_diags_get (diags, 0)->from.column == 10);
  TlInputArgument alone[] = { { .kind = TL_ARGUMENT_STRING, .text = "m.file" }, { .kind = TL_ARGUMENT_INTEGER } };
  for (guint n = 0; n <= 2; n++)
    {
      g_autoptr (TlDiags) said = tl_diags_new ();
      TlInputCall call = { .function = "tensor", .arguments = alone, .n_arguments = n };
      ck_assert_ptr_null (tl_input_plan (&call, said));
      ck_assert_uint_ge (tl_diags_errors (said), 1);
    }
}
END_TEST

START_TEST (infinities_are_told)
{
  static const guint8 bytes[] = { 0, 0x7c, 0, 0xfc, 0, 0x3c, 0, 0 }, nan[] = { 1, 0x7c, 0, 0 };
  const TensorPart    parts[] = { { "w", "F16", 1, 2, { 2, 2 }, bytes, 8 }, { "nan", "F16", 1, 2, { 1, 2 }, nan, 4 } };
  g_autoptr (GBytes) file = make_safetensors (parts, 2);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlDiags) no = tl_diags_new ();
  g_autoptr (TlInput) input = load (file, "w", "", 0, 0, diags);

  ck_assert (input != NULL && input->has_inf && input->has_minus_inf && input->low.r == 0 && input->high.r == 1);
  ck_assert_ptr_null (load (file, "nan", "", 0, 0, no));
  ck_assert_ptr_nonnull (strstr (tl_diags_get (no, 0)->message, "not a number"));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("input-tensor");
  TCase *tcase = tcase_create ("tensor");

  tcase_set_timeout (tcase, 60);
  tcase_add_loop_test (tcase, types_give_their_values, 0, G_N_ELEMENTS (types));
  tcase_add_test (tcase, a_wrong_value_fails);
  tcase_add_test (tcase, other_types);
  tcase_add_test (tcase, shapes);
  tcase_add_test (tcase, broken_files);
  tcase_add_test (tcase, cut_files);
  tcase_add_test (tcase, names_and_calls);
  tcase_add_test (tcase, infinities_are_told);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
