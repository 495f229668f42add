/* Numbers, texts and sections of stream files: written in their one spelling, read with
 * nothing believed. */
#include "emit/stream-bytes-private.h"

#include "base/hash.h"

#include <string.h>

void
tl_put_varint (GByteArray *out, guint64 value)
{
  guint8 bytes[10];
  guint  n = 0;

  do
    {
      bytes[n] = value & 0x7f;
      value >>= 7;
      if (value != 0)
        bytes[n] |= 0x80;
      n++;
    }
  while (value != 0);
  g_byte_array_append (out, bytes, n);
}

void
tl_put_signed (GByteArray *out, gint64 value)
{
  tl_put_varint (out, ((guint64) value << 1) ^ (guint64) (value >> 63));
}

void
tl_put_fixed (GByteArray *out, guint64 value, guint n_bytes)
{
  guint8 bytes[8];

  for (guint b = 0; b < n_bytes; b++)
    bytes[b] = (guint8) (value >> (8 * b));
  g_byte_array_append (out, bytes, n_bytes);
}

void
tl_put_text (GByteArray *out, const char *text)
{
  gsize length = strlen (text);

  tl_put_varint (out, length);
  g_byte_array_append (out, (const guint8 *) text, (guint) length);
}

/* Leaves room for the frame; end_section fills it in. */
guint
tl_put_section (GByteArray *out, const char *tag)
{
  guint start = out->len;

  g_byte_array_append (out, (const guint8 *) tag, 4);
  tl_put_fixed (out, 0, 4);
  return start;
}

void
tl_put_section_end (GByteArray *out, guint start)
{
  guint32 length = out->len - start - 8;

  for (guint b = 0; b < 4; b++)
    out->data[start + 4 + b] = (guint8) (length >> (8 * b));
  tl_put_fixed (out, tl_fnv1a64 (TL_FNV1A64_START, out->data + start, out->len - start), 8);
}

void
tl_put_header (GByteArray *out, guint32 sections)
{
  g_autoptr (GByteArray) header = g_byte_array_new ();

  g_byte_array_append (header, (const guint8 *) TL_STREAM_MAGIC, TL_STREAM_MAGIC_BYTES);
  tl_put_fixed (header, TL_STREAM_VERSION, 4);
  tl_put_fixed (header, sections, 4);
  tl_put_fixed (header, out->len, 8);
  tl_put_fixed (header, tl_fnv1a64 (TL_FNV1A64_START, header->data, header->len), 8);
  memcpy (out->data, header->data, TL_STREAM_HEADER_BYTES);
}

void
tl_get_fail (TlStreamReader *reader, const char *format, ...)
{
  va_list arguments;

  if (reader->fault != NULL)
    return;
  va_start (arguments, format);
  reader->fault = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  reader->fault_at = reader->at;
}

gsize
tl_get_left (const TlStreamReader *reader)
{
  return reader->end - reader->at;
}

const guint8 *
tl_get_bytes (TlStreamReader *reader, gsize count)
{
  if (reader->fault == NULL && count > tl_get_left (reader))
    tl_get_fail (reader, "%" G_GSIZE_FORMAT " bytes are missing", count - tl_get_left (reader));
  if (reader->fault != NULL)
    return NULL;
  reader->at += count;
  return reader->data + (reader->at - count);
}

guint64
tl_get_fixed (TlStreamReader *reader, guint n_bytes)
{
  const guint8 *bytes = tl_get_bytes (reader, n_bytes);
  guint64       value = 0;

  for (guint b = 0; bytes != NULL && b < n_bytes; b++)
    value |= (guint64) bytes[b] << (8 * b);
  return value;
}

guint64
tl_get_varint (TlStreamReader *reader)
{
  guint64 value = 0;

  for (guint shift = 0; shift < 70; shift += 7)
    {
      const guint8 *byte = tl_get_bytes (reader, 1);

      if (byte == NULL)
        return 0;
      if (shift == 63 && *byte > 1)
        break;
      value |= (guint64) (*byte & 0x7f) << shift;
      if (*byte < 0x80)
        {
          if (*byte == 0 && shift > 0)
            tl_get_fail (reader, "a number has idle bytes");
          return value;
        }
    }
  tl_get_fail (reader, "a number has more than 64 bits");
  return 0;
}

guint32
tl_get_number (TlStreamReader *reader)
{
  guint64 value = tl_get_varint (reader);

  if (value > G_MAXUINT32)
    tl_get_fail (reader, "%" G_GUINT64_FORMAT " is out of range", value);
  return reader->fault == NULL ? (guint32) value : 0;
}

/* A count of things of at least @least bytes each, held against what is left. */
guint32
tl_get_count (TlStreamReader *reader, gsize least)
{
  guint64 value = tl_get_varint (reader);

  if (value > tl_get_left (reader) / least)
    tl_get_fail (reader, "%" G_GUINT64_FORMAT " entries are announced, there is no room for them", value);
  return reader->fault == NULL ? (guint32) value : 0;
}

gint64
tl_get_signed (TlStreamReader *reader)
{
  guint64 value = tl_get_varint (reader);

  return (gint64) ((value >> 1) ^ (0 - (value & 1)));
}

char *
tl_get_text (TlStreamReader *reader)
{
  guint32       length = tl_get_count (reader, 1);
  const guint8 *bytes;

  if (length > TL_STREAM_MAX_TEXT)
    tl_get_fail (reader, "a text of %u bytes", length);
  bytes = tl_get_bytes (reader, length);
  if (bytes != NULL && !g_utf8_validate_len ((const char *) bytes, length, NULL))
    tl_get_fail (reader, "a text is not UTF-8");
  return reader->fault == NULL ? g_strndup ((const char *) bytes, length) : g_strdup ("");
}

/* Opens the next section: tag, length and checksum must be right. */
TlStreamReader
tl_get_section (TlStreamReader *file, const char *tag)
{
  gsize          start = file->at;
  const guint8  *found = tl_get_bytes (file, 4);
  guint32        length = (guint32) tl_get_fixed (file, 4);
  TlStreamReader section = { .data = file->data, .at = file->at, .end = file->at };

  if (found != NULL && memcmp (found, tag, 4) != 0)
    tl_get_fail (file, "section %.4s expected", tag);
  if (tl_get_bytes (file, length) == NULL)
    return section;
  section.end = file->at;
  if (tl_get_fixed (file, 8) != tl_fnv1a64 (TL_FNV1A64_START, file->data + start, 8 + (gsize) length))
    tl_get_fail (file, "section %.4s is damaged: its checksum differs", tag);
  return section;
}

void
tl_get_section_end (TlStreamReader *file, TlStreamReader *section)
{
  if (section->fault == NULL && section->at != section->end)
    tl_get_fail (section, "bytes are left over at the end of a section");
  if (section->fault == NULL)
    return;
  if (file->fault == NULL)
    {
      file->fault = section->fault;
      file->fault_at = section->fault_at;
    }
  else
    g_free (section->fault);
}

void
tl_get_check (TlStreamReader *file, gboolean fine, char *reason)
{
  if (!fine)
    tl_get_fail (file, "%s", reason);
  g_free (reason);
}

guint32
tl_get_header (TlStreamReader *file)
{
  const guint8 *magic = tl_get_bytes (file, TL_STREAM_MAGIC_BYTES);
  guint32       version, sections;
  guint64       length, check;

  if (magic == NULL || memcmp (magic, TL_STREAM_MAGIC, TL_STREAM_MAGIC_BYTES) != 0)
    {
      file->at = 0;
      tl_get_fail (file, "the file does not begin like a stream");
      return 0;
    }
  version = (guint32) tl_get_fixed (file, 4);
  sections = (guint32) tl_get_fixed (file, 4);
  length = tl_get_fixed (file, 8);
  check = tl_get_fixed (file, 8);
  if (file->fault != NULL)
    return 0;
  if (check != tl_fnv1a64 (TL_FNV1A64_START, file->data, TL_STREAM_HEADER_BYTES - 8))
    tl_get_fail (file, "the header is damaged: its checksum differs");
  if (version != TL_STREAM_VERSION)
    tl_get_fail (file, "version %u; this Tierloom reads version %u", version, TL_STREAM_VERSION);
  if (length != file->end)
    tl_get_fail (file, "%" G_GUINT64_FORMAT " bytes are announced, there are %" G_GSIZE_FORMAT, length, file->end);
  return sections;
}
