/* Plain, gzip or zstd bytes out of a stream, told apart by their first bytes. */
#include <string.h>

#include <zlib.h>
#include <zstd.h>

#include "dram/trace-private.h"

#define INPUT_BYTES 65536

typedef enum
{
  UNDECIDED,
  PLAIN,
  GZIP,
  ZSTD
} Packing;

struct _TlTraceBytes
{
  GInputStream *stream;
  Packing       packing;
  guint8        input[INPUT_BYTES];
  gsize         at; /* next unread byte of input */
  gsize         end;
  guint64       consumed; /* bytes taken from the stream before input */
  gboolean      stream_end;
  gboolean      in_frame; /* a gzip member or zstd frame is not finished */
  gboolean      ended;    /* nothing but padding may follow */
  z_stream      inflate;
  ZSTD_DStream *zstd;
};

TlTraceBytes *
tl_trace_bytes_new (GInputStream *stream)
{
  TlTraceBytes *bytes = g_new0 (TlTraceBytes, 1);

  bytes->stream = g_object_ref (stream);
  return bytes;
}

void
tl_trace_bytes_free (TlTraceBytes *bytes)
{
  if (bytes->packing == GZIP)
    inflateEnd (&bytes->inflate);
  if (bytes->packing == ZSTD)
    ZSTD_freeDStream (bytes->zstd);
  g_object_unref (bytes->stream);
  g_free (bytes);
}

/* Moves what is unread to the front and reads on until @wanted bytes are there or the
 * stream ends. */
static gboolean
fill (TlTraceBytes *bytes, gsize wanted, char **reason)
{
  g_autoptr (GError) error = NULL;

  memmove (bytes->input, bytes->input + bytes->at, bytes->end - bytes->at);
  bytes->consumed += bytes->at;
  bytes->end -= bytes->at;
  bytes->at = 0;
  while (!bytes->stream_end && bytes->end < wanted)
    {
      gssize n = g_input_stream_read (bytes->stream, bytes->input + bytes->end, INPUT_BYTES - bytes->end, NULL, &error);
      if (n < 0)
        {
          *reason = g_strdup_printf ("it cannot be read: %s", error->message);
          return FALSE;
        }
      bytes->stream_end = n == 0;
      bytes->end += n;
    }
  return TRUE;
}

static gboolean
starts_with (const TlTraceBytes *bytes, const char *magic, gsize length)
{
  return bytes->end - bytes->at >= length && memcmp (bytes->input + bytes->at, magic, length) == 0;
}

/* zstd's own frames, and those it skips. */
static gboolean
is_zstd (const TlTraceBytes *bytes)
{
  return starts_with (bytes, "\x28\xb5\x2f\xfd", 4)
         || (bytes->end - bytes->at >= 4 && (bytes->input[bytes->at] & 0xf0) == 0x50
             && memcmp (bytes->input + bytes->at + 1, "\x2a\x4d\x18", 3) == 0);
}

static gboolean
decide (TlTraceBytes *bytes, char **reason)
{
  if (!fill (bytes, 4, reason))
    return FALSE;
  bytes->packing = PLAIN;
  if (starts_with (bytes, "\x1f\x8b", 2))
    {
      if (inflateInit2 (&bytes->inflate, 15 + 16) != Z_OK)
        {
          *reason = g_strdup ("zlib does not start");
          return FALSE;
        }
      bytes->packing = GZIP;
    }
  else if (is_zstd (bytes))
    {
      bytes->zstd = ZSTD_createDStream ();
      bytes->packing = ZSTD;
    }
  bytes->in_frame = bytes->packing != PLAIN;
  return TRUE;
}

/* Both return -1. */
static gssize
cut_short (TlTraceBytes *bytes, const char *packing, char **reason)
{
  *reason = g_strdup_printf ("the %s data end in the middle, after %" G_GUINT64_FORMAT " bytes", packing,
                             bytes->consumed + bytes->at);
  return -1;
}

static gssize
broken (TlTraceBytes *bytes, const char *packing, const char *why, char **reason)
{
  *reason = g_strdup_printf ("the %s data are broken near byte %" G_GUINT64_FORMAT ": %s", packing,
                             bytes->consumed + bytes->at, why);
  return -1;
}

/* After a member: another one, zero padding, or nothing. */
static gboolean
next_member (TlTraceBytes *bytes, char **reason)
{
  if (!fill (bytes, 2, reason))
    return FALSE;
  if (starts_with (bytes, "\x1f\x8b", 2))
    {
      bytes->in_frame = TRUE;
      if (inflateReset (&bytes->inflate) == Z_OK)
        return TRUE;
      broken (bytes, "gzip", "zlib does not start", reason);
      return FALSE;
    }
  bytes->ended = TRUE;
  while (bytes->at < bytes->end || !bytes->stream_end)
    {
      if (bytes->at == bytes->end && !fill (bytes, 1, reason))
        return FALSE;
      for (; bytes->at < bytes->end; bytes->at++)
        if (bytes->input[bytes->at] != 0)
          {
            broken (bytes, "gzip", "other bytes follow its end", reason);
            return FALSE;
          }
    }
  return TRUE;
}

static gssize
read_gzip (TlTraceBytes *bytes, guint8 *buffer, gsize size, char **reason)
{
  z_stream *inflater = &bytes->inflate;

  inflater->next_out = buffer;
  inflater->avail_out = size;
  while (inflater->avail_out == size && !bytes->ended)
    {
      if (!bytes->in_frame && !next_member (bytes, reason))
        return -1;
      if (bytes->ended)
        break;
      if (bytes->at == bytes->end && !fill (bytes, 1, reason))
        return -1;
      gboolean nothing = bytes->at == bytes->end;
      inflater->next_in = bytes->input + bytes->at;
      inflater->avail_in = bytes->end - bytes->at;
      int status = inflate (inflater, Z_NO_FLUSH);
      bytes->at = bytes->end - inflater->avail_in;
      if (status == Z_STREAM_END)
        bytes->in_frame = FALSE;
      else if (status != Z_OK && status != Z_BUF_ERROR)
        return broken (bytes, "gzip", inflater->msg != NULL ? inflater->msg : "unknown error", reason);
      else if (nothing && inflater->avail_out == size)
        return cut_short (bytes, "gzip", reason);
    }
  return size - inflater->avail_out;
}

static gssize
read_zstd (TlTraceBytes *bytes, guint8 *buffer, gsize size, char **reason)
{
  ZSTD_outBuffer out = { buffer, size, 0 };

  while (out.pos == 0)
    {
      if (bytes->at == bytes->end && !fill (bytes, 1, reason))
        return -1;
      gboolean nothing = bytes->at == bytes->end;
      if (nothing && !bytes->in_frame)
        break;
      ZSTD_inBuffer in = { bytes->input, bytes->end, bytes->at };
      gsize         status = ZSTD_decompressStream (bytes->zstd, &out, &in);
      bytes->at = in.pos;
      if (ZSTD_isError (status))
        return broken (bytes, "zstd", ZSTD_getErrorName (status), reason);
      bytes->in_frame = status != 0;
      if (nothing && out.pos == 0 && bytes->in_frame)
        return cut_short (bytes, "zstd", reason);
    }
  return out.pos;
}

static gssize
read_plain (TlTraceBytes *bytes, guint8 *buffer, gsize size, char **reason)
{
  if (bytes->at == bytes->end && !fill (bytes, 1, reason))
    return -1;
  gsize n = MIN (size, bytes->end - bytes->at);
  memcpy (buffer, bytes->input + bytes->at, n);
  bytes->at += n;
  return n;
}

gssize
tl_trace_bytes_read (TlTraceBytes *bytes, guint8 *buffer, gsize size, char **reason)
{
  if (bytes->packing == UNDECIDED && !decide (bytes, reason))
    return -1;
  switch (bytes->packing)
    {
    case GZIP:
      return read_gzip (bytes, buffer, size, reason);
    case ZSTD:
      return read_zstd (bytes, buffer, size, reason);
    default:
      return read_plain (bytes, buffer, size, reason);
    }
}
