/* gzip, member after member, never more than the limit in memory. */
#include "input/gunzip.h"

#include "base/number.h"

#include <zlib.h>

#define STEP (1 << 18)

gboolean
tl_is_gzip (gconstpointer bytes, gsize length)
{
  const guint8 *b = bytes;
  return length >= 2 && b[0] == 0x1f && b[1] == 0x8b;
}

static GBytes *
refuse (GByteArray *out, z_stream *stream, const char *name, TlDiags *diags, const char *code, const char *message,
        const char *reason)
{
  inflateEnd (stream);
  g_byte_array_unref (out);
  TlDiag *diag = tl_diags_add_at (diags, TL_SEVERITY_ERROR, code, name, 0, 0, "%s", message);
  tl_diag_reason (diag, "%s", reason);
  return NULL;
}

GBytes *
tl_gunzip (const char *name, gconstpointer bytes, gsize length, guint64 limit, TlDiags *diags)
{
  GByteArray *out = g_byte_array_new ();
  z_stream    stream = { 0 };
  gsize       fed = 0;

  if (inflateInit2 (&stream, 31) != Z_OK)
    return refuse (out, &stream, name, diags, "no-memory", "there is no memory to unpack the file", "try again");
  for (;;)
    {
      if (stream.avail_in == 0 && fed < length)
        {
          gsize more = MIN (length - fed, 1u << 30);
          stream.next_in = (Bytef *) bytes + fed;
          stream.avail_in = (uInt) more;
          fed += more;
        }
      guint before = out->len;
      if (before + (guint64) STEP > G_MAXUINT32 || before >= limit)
        {
          g_autofree char *allowed = tl_format_bytes (limit);
          g_autofree char *reason = g_strdup_printf ("readers take at most %s of text; cut the file down", allowed);
          return refuse (out, &stream, name, diags, "file-too-large", "the unpacked file is too large", reason);
        }
      g_byte_array_set_size (out, before + STEP);
      stream.next_out = out->data + before;
      stream.avail_out = STEP;
      int status = inflate (&stream, Z_NO_FLUSH);
      g_byte_array_set_size (out, before + STEP - stream.avail_out);
      gsize at = fed - stream.avail_in;
      if (status == Z_STREAM_END)
        {
          if (at == length)
            break;
          if (tl_is_gzip ((const guint8 *) bytes + at, length - at) && inflateReset (&stream) == Z_OK)
            continue;
          break; /* padding after the last member, as gzip itself allows */
        }
      if (status == Z_OK && (at < length || stream.avail_out == 0))
        continue;
      g_autofree char *message = status == Z_OK || status == Z_BUF_ERROR
                                     ? g_strdup_printf ("the gzip file ends early, at byte offset %" G_GSIZE_FORMAT, at)
                                     : g_strdup_printf ("the gzip file is damaged at byte offset %" G_GSIZE_FORMAT, at);
      return refuse (out, &stream, name, diags,
                     status == Z_OK || status == Z_BUF_ERROR ? "truncated-file" : "damaged-file", message,
                     "fetch or pack the file again");
    }
  inflateEnd (&stream);
  return g_byte_array_free_to_bytes (out);
}
