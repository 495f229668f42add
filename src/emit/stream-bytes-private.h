/* The alphabet of stream files, shared by the formats of both kinds of program: minimal
 * LEB128 numbers, counted texts, sections framed by tag, length and checksum. */
#pragma once

#include "emit/stream.h"

#include <stdarg.h>

#define TL_STREAM_MAGIC "\x89TLS\r\n\x1a\n"
#define TL_STREAM_MAGIC_BYTES 8
#define TL_STREAM_VERSION 1
/* Magic, version u32, sections u32, file length u64, FNV-1a 64 of all before it. */
#define TL_STREAM_HEADER_BYTES 32
/* Tag and payload length before, FNV-1a 64 of tag, length and payload after it. */
#define TL_STREAM_FRAME_BYTES 16

#define TL_STREAM_MAX_TEXT (1u << 16)

/* Walks the bytes of one section (or of the file); after the first failure all
 * reads give 0 and @fault says what was wrong at which byte. */
typedef struct
{
  const guint8 *data;
  gsize         at;
  gsize         end;
  char         *fault;
  gsize         fault_at;
} TlStreamReader;

/* --- Writing --- */

void tl_put_varint (GByteArray *out, guint64 value);
void tl_put_signed (GByteArray *out, gint64 value);
void tl_put_fixed (GByteArray *out, guint64 value, guint n_bytes);
void tl_put_text (GByteArray *out, const char *text);
guint tl_put_section (GByteArray *out, const char *tag);
void tl_put_section_end (GByteArray *out, guint start);
void tl_put_header (GByteArray *out, guint32 sections);

/* --- Reading: zeros after the first fault --- */

void tl_get_fail (TlStreamReader *reader, const char *format, ...) G_GNUC_PRINTF (2, 3);
gsize tl_get_left (const TlStreamReader *reader);
const guint8 * tl_get_bytes (TlStreamReader *reader, gsize count);
guint64 tl_get_fixed (TlStreamReader *reader, guint n_bytes);
guint64 tl_get_varint (TlStreamReader *reader);
guint32 tl_get_number (TlStreamReader *reader);
guint32 tl_get_count (TlStreamReader *reader, gsize least);
gint64 tl_get_signed (TlStreamReader *reader);
char * tl_get_text (TlStreamReader *reader);
TlStreamReader tl_get_section (TlStreamReader *file, const char *tag);
void tl_get_section_end (TlStreamReader *file, TlStreamReader *section);
void tl_get_check (TlStreamReader *file, gboolean fine, char *reason);
guint32 tl_get_header (TlStreamReader *file);
