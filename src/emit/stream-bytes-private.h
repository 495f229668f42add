/* The alphabet of stream files, shared by the formats of both kinds of program: minimal
 * LEB128 numbers, counted texts, sections framed by tag, length and checksum. */
#pragma once

#include "emit/stream-private.h"

#include <stdarg.h>

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
void tl_put_machine (GByteArray *out, const TlPimMachine *m);
void tl_put_sources (GByteArray *out, const GPtrArray *sources);
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
void tl_get_machine (TlStreamReader *reader, TlPimMachine *m);
void tl_get_sources (TlStreamReader *reader, GPtrArray *sources);
TlStreamReader tl_get_section (TlStreamReader *file, const char *tag);
void tl_get_section_end (TlStreamReader *file, TlStreamReader *section);
void tl_get_check (TlStreamReader *file, gboolean fine, char *reason);
guint32 tl_get_header (TlStreamReader *file);
