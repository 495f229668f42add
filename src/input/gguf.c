/* The header of a GGUF file, versions 2 and 3, little-endian: key-value pairs, of which only the alignment matters
 * here, then name, shape, type and offset of each tensor. */
#include "input/tensor.h"

#include "base/number.h"

#include <string.h>

#define DEFAULT_ALIGNMENT 32
#define MAX_DEPTH         4 /* of arrays in arrays */

enum
{
  VALUE_STRING = 8,
  VALUE_ARRAY = 9,
  N_VALUES = 13
};

/* Bytes of a value; 0: it says itself. */
static const guint8 value_bytes[N_VALUES] = { 1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8 };

static const struct
{
  guint       id;
  const char *name;
} types[] = {
  { 0, "F32" },     { 1, "F16" },    { 2, "Q4_0" },     { 3, "Q4_1" },    { 6, "Q5_0" },     { 7, "Q5_1" },
  { 8, "Q8_0" },    { 9, "Q8_1" },   { 10, "Q2_K" },    { 11, "Q3_K" },   { 12, "Q4_K" },    { 13, "Q5_K" },
  { 14, "Q6_K" },   { 15, "Q8_K" },  { 16, "IQ2_XXS" }, { 17, "IQ2_XS" }, { 18, "IQ3_XXS" }, { 19, "IQ1_S" },
  { 20, "IQ4_NL" }, { 21, "IQ3_S" }, { 22, "IQ2_S" },   { 23, "IQ4_XS" }, { 24, "I8" },      { 25, "I16" },
  { 26, "I32" },    { 27, "I64" },   { 28, "F64" },     { 29, "IQ1_M" },  { 30, "BF16" },    { 34, "TQ1_0" },
  { 35, "TQ2_0" },  { 39, "MXFP4" },
};

gboolean
tl_is_gguf (const guint8 *bytes, gsize length)
{
  return length >= 4 && memcmp (bytes, "GGUF", 4) == 0;
}

/* @n bytes at *at, which goes on; NULL with a diagnostic when there are not so many. */
static const guint8 *
take (TlTensorHeader *header, gsize *at, guint64 n)
{
  const guint8 *here = header->bytes + *at;

  if (n > header->length - *at)
    {
      tl_tensor_fail (header, *at, "the file may have been cut; fetch it again",
                      "the header wants %" G_GUINT64_FORMAT " bytes more, and there are %" G_GSIZE_FORMAT, n,
                      header->length - *at);
      return NULL;
    }
  *at += n;
  return here;
}

static gboolean
read_number (TlTensorHeader *header, gsize *at, guint bytes, guint64 *number)
{
  const guint8 *here = take (header, at, bytes);

  *number = 0;
  for (guint i = 0; here != NULL && i < bytes; i++)
    *number |= (guint64) here[i] << (8 * i);
  return here != NULL;
}

static gboolean
read_string (TlTensorHeader *header, gsize *at, const char **text, gsize *length)
{
  guint64 n;

  if (!read_number (header, at, 8, &n) || (*text = (const char *) take (header, at, n)) == NULL)
    return FALSE;
  *length = n;
  return TRUE;
}

/* One value of @type; a number is handed out. */
static gboolean
read_value (TlTensorHeader *header, gsize *at, guint64 type, guint depth, guint64 *number)
{
  const char *text;
  gsize       length;
  guint64     item, n;

  *number = 0;
  if (type >= N_VALUES)
    return tl_tensor_fail (header, *at, "values have types 0 to 12", "a value has type %" G_GUINT64_FORMAT, type);
  if (type == VALUE_STRING)
    return read_string (header, at, &text, &length);
  if (type != VALUE_ARRAY)
    return read_number (header, at, value_bytes[type], number);
  if (!read_number (header, at, 4, &item) || !read_number (header, at, 8, &n))
    return FALSE;
  if (item < N_VALUES && value_bytes[item] > 0)
    return tl_mul_u64 (n, value_bytes[item], &n)
               ? take (header, at, n) != NULL
               : tl_tensor_fail (header, *at, NULL, "an array has more items than the file bytes");
  if (depth == MAX_DEPTH)
    return tl_tensor_fail (header, *at, NULL, "arrays are nested too deep");
  /* Each string or array takes eight bytes and more, so that a count past the file ends at its end. */
  for (guint64 i = 0; i < n; i++)
    if (!read_value (header, at, item, depth + 1, number))
      return FALSE;
  return TRUE;
}

static void
type_name (guint64 id, char *name, gsize room)
{
  g_snprintf (name, room, "type %" G_GUINT64_FORMAT, id);
  for (guint t = 0; t < G_N_ELEMENTS (types); t++)
    if (types[t].id == id)
      g_strlcpy (name, types[t].name, room);
}

static gboolean
read_entry (TlTensorHeader *header, gsize *at)
{
  TlTensorEntry entry = { .told_at = *at, .length = G_MAXUINT64 };
  guint64       n_dims, type;

  if (!read_string (header, at, &entry.name, &entry.name_length) || !read_number (header, at, 4, &n_dims))
    return FALSE;
  if (n_dims > TL_TENSOR_MAX_DIMS)
    return tl_tensor_fail (header, *at - 4, NULL, "a tensor has %" G_GUINT64_FORMAT " dimensions", n_dims);
  entry.n_dims = (guint) n_dims;
  for (guint d = 0; d < entry.n_dims; d++)
    if (!read_number (header, at, 8, &entry.dims[entry.n_dims - 1 - d]))
      return FALSE;
  if (!read_number (header, at, 4, &type) || !read_number (header, at, 8, &entry.offset))
    return FALSE;
  type_name (type, entry.type, sizeof entry.type);
  g_array_append_val (header->entries, entry);
  return TRUE;
}

gboolean
tl_gguf_header (TlTensorHeader *header)
{
  gsize   at = 4;
  guint64 version, n_tensors, n_pairs, alignment = DEFAULT_ALIGNMENT;

  if (!read_number (header, &at, 4, &version))
    return FALSE;
  if (version != 2 && version != 3)
    return tl_tensor_fail (header, 4, "read are versions 2 and 3, the lowest byte first",
                           "this GGUF file is of version %" G_GUINT64_FORMAT, version);
  if (!read_number (header, &at, 8, &n_tensors) || !read_number (header, &at, 8, &n_pairs))
    return FALSE;
  for (guint64 p = 0; p < n_pairs; p++)
    {
      const char *key;
      gsize       length;
      guint64     type, number;

      if (!read_string (header, &at, &key, &length) || !read_number (header, &at, 4, &type)
          || !read_value (header, &at, type, 0, &number))
        return FALSE;
      if (length == strlen ("general.alignment") && memcmp (key, "general.alignment", length) == 0)
        alignment = number;
    }
  if (alignment == 0 || alignment > 1 << 20 || (alignment & (alignment - 1)) != 0)
    return tl_tensor_fail (header, at, NULL, "general.alignment is %" G_GUINT64_FORMAT ", no power of two up to 2^20",
                           alignment);
  for (guint64 t = 0; t < n_tensors; t++)
    if (!read_entry (header, &at))
      return FALSE;
  guint64 data = (at + alignment - 1) & ~(alignment - 1);
  for (guint e = 0; e < header->entries->len; e++)
    {
      TlTensorEntry *entry = &g_array_index (header->entries, TlTensorEntry, e);

      if (!tl_add_u64 (entry->offset, data, &entry->offset))
        return tl_tensor_fail (header, entry->told_at, NULL, "a tensor's offset is past any file");
    }
  return TRUE;
}
