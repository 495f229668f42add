/* One tensor of a file as a matrix whose values are the file's, exactly, in the type that is declared. */
#include "input/tensor.h"

#include "base/number.h"
#include "base/word.h"
#include "layout/element-code.h"

#include <math.h>
#include <string.h>

#define MAX_SHOWN 6 /* names of a file, where the wanted one is not there */

/* What the formats call the types there are. */
static const struct
{
  const char *name, *element;
} types[] = {
  { "BOOL", "bool" }, { "U8", "u8" },   { "I8", "i8" },   { "U16", "u16" },        { "I16", "i16" },
  { "U32", "u32" },   { "I32", "i32" }, { "U64", "u64" }, { "I64", "i64" },        { "F16", "f16" },
  { "BF16", "bf16" }, { "F32", "f32" }, { "F64", "f64" }, { "F8_E4M3", "f8e4m3" }, { "F8_E5M2", "f8e5m2" },
};

gboolean
tl_tensor_fail (TlTensorHeader *header, gsize at, const char *reason, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_autofree char *message = g_strdup_vprintf (format, args);
  va_end (args);
  TlDiag *diag = tl_diags_add_at (header->diags, TL_SEVERITY_ERROR, "bad-tensor", header->file, 0, 0,
                                  "byte %" G_GSIZE_FORMAT ": %s", at, message);
  if (reason != NULL)
    tl_diag_reason (diag, "%s", reason);
  return FALSE;
}

/* --- which --- */

static char *
entry_name (const TlTensorEntry *entry)
{
  return g_utf8_make_valid (entry->name, (gssize) entry->name_length);
}

static const TlTensorEntry *
missing (TlTensorHeader *header, const TlInputPlan *plan)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  TlDiag *diag = tl_diags_add (header->diags, TL_SEVERITY_ERROR, "no-tensor", plan->source, plan->span,
                               "\"%s\" holds no tensor \"%s\"", header->file, plan->tensor);

  for (guint e = 0; e < header->entries->len; e++)
    g_ptr_array_add (names, entry_name (&g_array_index (header->entries, TlTensorEntry, e)));
  const char *near = tl_word_nearest (plan->tensor, (const char *const *) names->pdata, names->len);
  if (names->len == 0)
    tl_diag_reason (diag, "it holds none at all");
  else if (near != NULL)
    tl_diag_reason (diag, "there is \"%s\"", near);
  else
    {
      g_autoptr (GString) some = g_string_new (NULL);
      for (guint i = 0; i < MIN (names->len, MAX_SHOWN); i++)
        g_string_append_printf (some, "%s\"%s\"", i > 0 ? ", " : "", (const char *) names->pdata[i]);
      tl_diag_reason (diag, "its %u tensors are %s%s", names->len, some->str, names->len > MAX_SHOWN ? ", ..." : "");
    }
  return NULL;
}

static const TlTensorEntry *
find (TlTensorHeader *header, const TlInputPlan *plan)
{
  for (guint e = 0; e < header->entries->len; e++)
    {
      const TlTensorEntry *entry = &g_array_index (header->entries, TlTensorEntry, e);

      if (entry->name_length == strlen (plan->tensor) && memcmp (entry->name, plan->tensor, entry->name_length) == 0)
        return entry;
    }
  return missing (header, plan);
}

/* --- what --- */

static gboolean
find_type (TlTensorHeader *header, const TlTensorEntry *entry, TlElementType *type)
{
  for (guint t = 0; t < G_N_ELEMENTS (types); t++)
    if (strcmp (types[t].name, entry->type) == 0)
      return tl_element_type_parse (types[t].element, type);
  g_autofree char *name = entry_name (entry);
  return tl_tensor_fail (
      header, entry->told_at,
      "read are whole numbers and floats of one width; where numbers share a scale in blocks, convert "
      "the tensor to F16 first",
      "\"%s\" holds %s, not single numbers of a type known here", name, entry->type);
}

/* Rows and columns; dimensions of one element more do not matter. */
static gboolean
find_shape (TlTensorHeader *header, const TlTensorEntry *entry, guint64 *rows, guint64 *columns)
{
  guint64 dims[2] = { 1, 1 };
  guint   n = 0;

  for (guint d = 0; d < entry->n_dims; d++)
    if (entry->dims[d] != 1 || entry->n_dims <= 2)
      {
        if (n < 2)
          dims[n] = entry->dims[d];
        n++;
      }
  *rows = dims[0];
  *columns = dims[1];
  if (n <= 2 && *rows >= 1 && *columns >= 1 && *rows <= G_MAXINT32 && *columns <= G_MAXINT32)
    return TRUE;
  g_autofree char *name = entry_name (entry);
  g_autoptr (GString) shape = g_string_new (NULL);
  for (guint d = 0; d < entry->n_dims; d++)
    g_string_append_printf (shape, "%s%" G_GUINT64_FORMAT, d > 0 ? " x " : "", entry->dims[d]);
  return tl_tensor_fail (header, entry->told_at, "a matrix has two dimensions of 1 to 2,147,483,647",
                         "\"%s\" is %s, no matrix", name, shape->str);
}

static gboolean
check_length (TlTensorHeader *header, const TlTensorEntry *entry, guint64 rows, guint64 columns, guint bytes)
{
  guint64          wanted;
  g_autofree char *name = entry_name (entry);

  if (!tl_mul_u64 (rows, columns, &wanted) || !tl_mul_u64 (wanted, bytes, &wanted))
    return tl_tensor_fail (header, entry->told_at, NULL, "\"%s\" is larger than any file", name);
  if (entry->length != G_MAXUINT64 && entry->length != wanted)
    return tl_tensor_fail (header, entry->told_at, NULL,
                           "\"%s\" has %" G_GUINT64_FORMAT " bytes of data, its shape and type want %" G_GUINT64_FORMAT,
                           name, entry->length, wanted);
  if (entry->offset <= header->length && wanted <= header->length - entry->offset)
    return TRUE;
  return tl_tensor_fail (header, entry->told_at, "the file may have been cut; fetch it again",
                         "\"%s\" wants bytes %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT
                         ", and the file has %" G_GSIZE_FORMAT,
                         name, entry->offset, entry->offset + wanted, header->length);
}

/* --- values --- */

static guint64
code_at (const guint8 *bytes, guint width)
{
  guint64 code = 0;

  for (guint i = 0; i < width; i++)
    code |= (guint64) bytes[i] << (8 * i);
  return code;
}

/* The value of @code as the type has it; FALSE when whole numbers here do not reach so far. */
static gboolean
decode (TlElementType type, guint64 code, TlScalar *value)
{
  if (tl_element_type_is_float (type))
    value->r = tl_element_decode (type, code);
  else if (type.bits == 64)
    {
      value->i = (gint64) code;
      return type.kind == TL_ELEMENT_INT ? value->i < TL_INF && value->i > -TL_INF : code < (guint64) TL_INF;
    }
  else
    value->i = (gint64) tl_element_decode (type, code);
  return TRUE;
}

/* Whether @value of type @from is one of type @to, which it then is. */
static gboolean
convert (TlElementType from, TlElementType to, TlScalar *value)
{
  gboolean real = tl_element_type_is_float (from), to_real = tl_element_type_is_float (to);
  guint64  code;

  if (!to_real)
    {
      if (real)
        {
          if (!(fabs (value->r) < 9e18) || value->r != trunc (value->r))
            return FALSE;
          value->i = (gint64) value->r;
        }
      return value->i >= tl_element_type_min (to) && value->i <= tl_element_type_max (to);
    }
  double number = real ? value->r : (double) value->i;
  if (!real && (gint64) number != value->i)
    return FALSE;
  if (!isfinite (number))
    {
      value->r = number;
      return isinf (number) && to.bits >= 16;
    }
  if (!tl_element_encode (to, number, &code) || tl_element_decode (to, code) != number)
    return FALSE;
  value->r = number;
  return TRUE;
}

static void
note (TlInput *input, TlScalar value, gboolean real)
{
  if (real && !isfinite (value.r))
    {
      input->has_inf |= value.r > 0;
      input->has_minus_inf |= value.r < 0;
      return;
    }
  if (!input->bounds_known || (real ? value.r < input->low.r : value.i < input->low.i))
    input->low = value;
  if (!input->bounds_known || (real ? value.r > input->high.r : value.i > input->high.i))
    input->high = value;
  input->bounds_known = TRUE;
}

static gboolean
refuse_value (TlTensorHeader *header, const TlInputPlan *plan, const TlTensorEntry *entry, TlElementType from,
              TlElementType to, guint64 code, guint64 row, guint64 column)
{
  g_autofree char *wanted = tl_element_type_name (to), *held = tl_element_type_name (from);
  char             number[G_ASCII_DTOSTR_BUF_SIZE];
  gboolean         real = tl_element_type_is_float (from);
  double           value = real || from.bits < 64        ? tl_element_decode (from, code)
                           : from.kind == TL_ELEMENT_INT ? (double) (gint64) code
                                                         : (double) code;

  g_ascii_formatd (number, sizeof number, "%.9g", value);
  TlDiag *diag = tl_diags_add (header->diags, TL_SEVERITY_ERROR, "tensor-value", plan->source, plan->span,
                               "element [%" G_GUINT64_FORMAT ", %" G_GUINT64_FORMAT "] of \"%s\" is %s, no value of %s",
                               row, column, plan->tensor, isnan (value) ? "not a number" : number, wanted);
  if (isnan (value))
    tl_diag_reason (diag, "matrices hold numbers");
  else
    tl_diag_reason (diag,
                    "the file holds %s (%s), and nothing is rounded on the way: declare the data as %s, or convert "
                    "the tensor",
                    entry->type, held, held);
  return FALSE;
}

static gboolean
read_values (TlTensorHeader *header, TlInput *input, const TlTensorEntry *entry, TlElementType from)
{
  guint         width = tl_element_type_bytes (from);
  gboolean      real = tl_element_type_is_float (input->element);
  const guint8 *at = header->bytes + entry->offset;

  for (guint64 i = 0; i < input->rows; i++)
    for (guint64 j = 0; j < input->columns; j++, at += width)
      {
        guint64  code = code_at (at, width);
        TlScalar value;

        if (from.kind == TL_ELEMENT_BOOL ? code > 1 : FALSE)
          return tl_tensor_fail (header, (gsize) (at - header->bytes), NULL, "a truth value is %u", (guint) code);
        if (!decode (from, code, &value) || !convert (from, input->element, &value))
          return refuse_value (header, input->plan, entry, from, input->element, code, i, j);
        tl_matrix_set (input->dense, i, j, value);
        note (input, value, real);
      }
  return TRUE;
}

gboolean
tl_read_tensor (TlInput *input, const guint8 *bytes, gsize length, TlDiags *diags)
{
  g_autoptr (GArray) entries = g_array_new (FALSE, FALSE, sizeof (TlTensorEntry));
  TlTensorHeader       header = { input->name, bytes, length, diags, entries };
  gboolean             gguf = tl_is_gguf (bytes, length);
  const TlTensorEntry *entry;
  TlElementType        from;
  g_autoptr (GError) error = NULL;

  input->format = gguf ? "GGUF" : "safetensors";
  if (!(gguf ? tl_gguf_header (&header) : tl_safetensors_header (&header))
      || (entry = find (&header, input->plan)) == NULL || !find_type (&header, entry, &from)
      || !find_shape (&header, entry, &input->rows, &input->columns)
      || !check_length (&header, entry, input->rows, input->columns, tl_element_type_bytes (from)))
    return FALSE;
  if (input->element.bits == 0)
    input->element = from;
  input->dense = tl_matrix_new (input->element, G_MAXUINT64, input->rows, input->columns, 0, &error);
  if (input->dense == NULL)
    {
      tl_diag_reason (
          tl_diags_add_at (diags, TL_SEVERITY_ERROR, "matrix-too-large", input->name, 0, 0, "%s", error->message),
          "take a smaller tensor or a narrower type");
      return FALSE;
    }
  return read_values (&header, input, entry, from);
}
