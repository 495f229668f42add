/* Tensor files in the making: safetensors and GGUF, with one or more tensors. */
#pragma once

#include <glib.h>
#include <string.h>

typedef struct
{
  const char   *name;
  const char   *type; /* of safetensors */
  guint32       id;   /* of GGUF */
  guint         n_dims;
  guint64       dims[4];
  gconstpointer data;
  gsize         length;
} TensorPart;

static inline void
put_number (GByteArray *file, guint64 number, guint bytes)
{
  for (guint i = 0; i < bytes; i++)
    g_byte_array_append (file, &(guint8) { (guint8) (number >> (8 * i)) }, 1);
}

static inline void
put_text (GByteArray *file, const char *text)
{
  put_number (file, strlen (text), 8);
  g_byte_array_append (file, (const guint8 *) text, (guint) strlen (text));
}

/* (transfer full) */
static inline GBytes *
make_safetensors (const TensorPart *parts, guint n)
{
  GByteArray *file = g_byte_array_new ();
  g_autoptr (GString) head = g_string_new ("{\"__metadata__\":{\"format\":\"pt\",\"list\":[1,{\"a\":null}]}");
  gsize at = 0;

  for (guint p = 0; p < n; p++)
    {
      g_string_append_printf (head, ",\n \"%s\" : {\"dtype\":\"%s\", \"shape\":[", parts[p].name, parts[p].type);
      for (guint d = 0; d < parts[p].n_dims; d++)
        g_string_append_printf (head, "%s%" G_GUINT64_FORMAT, d > 0 ? "," : "", parts[p].dims[d]);
      g_string_append_printf (head, "],\"data_offsets\":[%" G_GSIZE_FORMAT ",%" G_GSIZE_FORMAT "]}", at,
                              at + parts[p].length);
      at += parts[p].length;
    }
  g_string_append (head, "}   ");
  put_number (file, head->len, 8);
  g_byte_array_append (file, (const guint8 *) head->str, (guint) head->len);
  for (guint p = 0; p < n; p++)
    if (parts[p].length > 0)
      g_byte_array_append (file, parts[p].data, (guint) parts[p].length);
  return g_byte_array_free_to_bytes (file);
}

/* (transfer full) */
static inline GBytes *
make_gguf (const TensorPart *parts, guint n, guint version)
{
  GByteArray *file = g_byte_array_new ();
  gsize       at = 0;
  const guint alignment = 64;

  g_byte_array_append (file, (const guint8 *) "GGUF", 4);
  put_number (file, version, 4);
  put_number (file, n, 8);
  put_number (file, 3, 8);
  put_text (file, "general.architecture");
  put_number (file, 8, 4);
  put_text (file, "llama");
  put_text (file, "general.alignment");
  put_number (file, 4, 4);
  put_number (file, alignment, 4);
  put_text (file, "tokens");
  put_number (file, 9, 4);
  put_number (file, 8, 4);
  put_number (file, 2, 8);
  put_text (file, "a");
  put_text (file, "bc");
  for (guint p = 0; p < n; p++)
    {
      put_text (file, parts[p].name);
      put_number (file, parts[p].n_dims, 4);
      for (guint d = parts[p].n_dims; d > 0; d--)
        put_number (file, parts[p].dims[d - 1], 8);
      put_number (file, parts[p].id, 4);
      put_number (file, at, 8);
      at += (parts[p].length + alignment - 1) / alignment * alignment;
    }
  while (file->len % alignment != 0)
    put_number (file, 0, 1);
  for (guint p = 0; p < n; p++)
    {
      if (parts[p].length > 0)
        g_byte_array_append (file, parts[p].data, (guint) parts[p].length);
      while (file->len % alignment != 0)
        put_number (file, 0, 1);
    }
  return g_byte_array_free_to_bytes (file);
}
