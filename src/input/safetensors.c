/* The header of a safetensors file: eight bytes of its length, then one JSON object that gives each tensor a dtype, a
 * shape and its part of the bytes behind the header. Read by hand: the text is small and must stay bounded. */
#include "input/tensor.h"

#include <string.h>

#define MAX_HEADER (100u << 20) /* as the format itself limits it */
#define MAX_DEPTH  16           /* of values that are passed over */

typedef struct
{
  TlTensorHeader *header;
  const char     *at, *end;
} Json;

static gboolean fail (Json *json, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
fail (Json *json, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_autofree char *message = g_strdup_vprintf (format, args);
  va_end (args);
  return tl_tensor_fail (json->header, (gsize) ((const guint8 *) json->at - json->header->bytes), NULL,
                         "the header of a safetensors file is JSON, and %s", message);
}

static void
skip_blanks (Json *json)
{
  while (json->at < json->end && strchr (" \t\r\n", *json->at) != NULL && *json->at != '\0')
    json->at++;
}

/* TRUE when the next token is @symbol, which is then taken. */
static gboolean
take (Json *json, char symbol)
{
  skip_blanks (json);
  if (json->at == json->end || *json->at != symbol)
    return FALSE;
  json->at++;
  return TRUE;
}

static gboolean
expect (Json *json, char symbol)
{
  return take (json, symbol) || fail (json, "'%c' is missing here", symbol);
}

/* A string without what escapes mean: names and words of real files have none. */
static gboolean
read_string (Json *json, const char **text, gsize *length)
{
  if (!expect (json, '"'))
    return FALSE;
  *text = json->at;
  while (json->at < json->end && *json->at != '"')
    {
      if ((guint8) *json->at < 0x20)
        return fail (json, "a string holds a control character");
      json->at += *json->at == '\\' && json->at + 1 < json->end ? 2 : 1;
    }
  if (json->at >= json->end)
    return fail (json, "a string does not end");
  *length = (gsize) (json->at - *text);
  json->at++;
  return TRUE;
}

static gboolean
read_number (Json *json, guint64 *number)
{
  const char *start;

  skip_blanks (json);
  start = json->at;
  for (*number = 0; json->at < json->end && g_ascii_isdigit (*json->at); json->at++)
    if (__builtin_mul_overflow (*number, (guint64) 10, number)
        || __builtin_add_overflow (*number, (guint64) (*json->at - '0'), number))
      return fail (json, "this number is too large");
  return json->at > start || fail (json, "a whole number is missing here");
}

static gboolean
read_numbers (Json *json, guint64 *numbers, guint most, guint *n)
{
  *n = 0;
  if (!expect (json, '['))
    return FALSE;
  if (take (json, ']'))
    return TRUE;
  do
    {
      if (*n == most)
        return fail (json, "a list has more than %u numbers", most);
      if (!read_number (json, &numbers[(*n)++]))
        return FALSE;
    }
  while (take (json, ','));
  return expect (json, ']');
}

/* Any value, passed over. */
static gboolean
skip_value (Json *json, guint depth)
{
  const char *text;
  gsize       length;

  skip_blanks (json);
  if (depth == MAX_DEPTH)
    return fail (json, "values are nested too deep");
  if (json->at < json->end && *json->at == '"')
    return read_string (json, &text, &length);
  if (take (json, '{'))
    {
      if (take (json, '}'))
        return TRUE;
      do
        if (!read_string (json, &text, &length) || !expect (json, ':') || !skip_value (json, depth + 1))
          return FALSE;
      while (take (json, ','));
      return expect (json, '}');
    }
  if (take (json, '['))
    {
      if (take (json, ']'))
        return TRUE;
      do
        if (!skip_value (json, depth + 1))
          return FALSE;
      while (take (json, ','));
      return expect (json, ']');
    }
  const char *start = json->at;
  while (json->at < json->end && (g_ascii_isalnum (*json->at) || strchr ("+-.", *json->at) != NULL)
         && *json->at != '\0')
    json->at++;
  return json->at > start || fail (json, "a value is missing here");
}

static gboolean
is_word (const char *text, gsize length, const char *word)
{
  return length == strlen (word) && memcmp (text, word, length) == 0;
}

static gboolean
read_entry (Json *json, const char *name, gsize name_length, guint64 data)
{
  TlTensorEntry entry = { .name = name, .name_length = name_length };
  const char   *key, *text;
  gsize         length;
  guint64       ends[2] = { 0, 0 };
  guint         n_ends = 0;
  gboolean      typed = FALSE, shaped = FALSE;

  entry.told_at = (gsize) ((const guint8 *) name - json->header->bytes);
  if (!expect (json, '{'))
    return FALSE;
  if (!take (json, '}'))
    {
      do
        {
          if (!read_string (json, &key, &length) || !expect (json, ':'))
            return FALSE;
          if (is_word (key, length, "dtype"))
            {
              if (!read_string (json, &text, &length))
                return FALSE;
              g_strlcpy (entry.type, "", sizeof entry.type);
              memcpy (entry.type, text, MIN (length, sizeof entry.type - 1));
              entry.type[MIN (length, sizeof entry.type - 1)] = '\0';
              typed = TRUE;
            }
          else if (is_word (key, length, "shape"))
            {
              if (!read_numbers (json, entry.dims, TL_TENSOR_MAX_DIMS, &entry.n_dims))
                return FALSE;
              shaped = TRUE;
            }
          else if (is_word (key, length, "data_offsets"))
            {
              if (!read_numbers (json, ends, 2, &n_ends))
                return FALSE;
            }
          else if (!skip_value (json, 0))
            return FALSE;
        }
      while (take (json, ','));
      if (!expect (json, '}'))
        return FALSE;
    }
  if (!typed || !shaped || n_ends != 2)
    return fail (json, "the tensor before this has no dtype, shape and two data_offsets");
  if (ends[0] > ends[1] || ends[1] > json->header->length - data)
    return tl_tensor_fail (json->header, entry.told_at, "the file may have been cut; fetch it again",
                           "a tensor has bytes %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT
                           " of the data, and there are %" G_GUINT64_FORMAT,
                           ends[0], ends[1], (guint64) json->header->length - data);
  entry.offset = data + ends[0];
  entry.length = ends[1] - ends[0];
  g_array_append_val (json->header->entries, entry);
  return TRUE;
}

gboolean
tl_safetensors_header (TlTensorHeader *header)
{
  guint64 length = 0;

  if (header->length < 9)
    return tl_tensor_fail (header, 0, "read are safetensors and GGUF",
                           "the file has %" G_GSIZE_FORMAT " bytes, too few for a tensor file", header->length);
  for (guint i = 0; i < 8; i++)
    length |= (guint64) header->bytes[i] << (8 * i);
  if (header->bytes[8] != '{')
    return tl_tensor_fail (header, 8, "read are safetensors, whose header begins with '{' there, and GGUF",
                           "the file is no tensor file known here");
  if (length > header->length - 8 || length > MAX_HEADER)
    return tl_tensor_fail (header, 0, "the file may have been cut; fetch it again",
                           "the header is said to have %" G_GUINT64_FORMAT " bytes, and %" G_GSIZE_FORMAT " follow",
                           length, header->length - 8);
  Json json = { header, (const char *) header->bytes + 8, (const char *) header->bytes + 8 + length };
  if (!expect (&json, '{'))
    return FALSE;
  if (!take (&json, '}'))
    {
      do
        {
          const char *name;
          gsize       name_length;

          if (!read_string (&json, &name, &name_length) || !expect (&json, ':'))
            return FALSE;
          if (is_word (name, name_length, "__metadata__") ? !skip_value (&json, 0)
                                                          : !read_entry (&json, name, name_length, 8 + length))
            return FALSE;
        }
      while (take (&json, ','));
      if (!expect (&json, '}'))
        return FALSE;
    }
  skip_blanks (&json);
  return json.at == json.end || fail (&json, "something stands behind its end");
}
