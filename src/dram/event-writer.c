/* Writing an event file: a buffer fills while the one before it is compressed and written,
 * on a thread of its own if wished. */
#include "dram/event-file-private.h"

#include "base/hash.h"

#include <string.h>

#define MOST_META 65536

struct _TlEventWriter
{
  GOutputStream *stream;
  TlEventCodec  *codec;
  guint64        clock;
  guint64        offset;
  guint64        count;
  guint64        last;  /* time of the last event taken */
  GByteArray    *bytes; /* scratch */
  GByteArray    *index; /* entries so far */
  guint          chunks;
  TlEvent       *filling; /* TL_EVENT_CHUNK */
  guint32        n;
  GError        *error; /* what stopped the writing */
  gboolean       closed;
  /* A second thread: owns codec, bytes, index, offset and stream while busy. */
  GThread       *thread;
  GMutex         lock;
  GCond          changed;
  TlEvent       *writing;   /* TL_EVENT_CHUNK */
  guint32        n_writing; /* > 0: busy */
  gboolean       stop;
};

static gboolean
write_bytes (TlEventWriter *writer, GError **error)
{
  if (!g_output_stream_write_all (writer->stream, writer->bytes->data, writer->bytes->len, NULL, NULL, error))
    return FALSE;
  writer->offset += writer->bytes->len;
  return TRUE;
}

static gboolean
write_chunk (TlEventWriter *writer, const TlEvent *events, guint32 n, GError **error)
{
  TlEventSummary summary;
  guint8         entry[16 + TL_EVENT_SUMMARY_BYTES];

  g_byte_array_set_size (writer->bytes, 0);
  if (!tl_event_codec_encode (writer->codec, events, n, writer->clock, writer->bytes, &summary, error))
    return FALSE;
  tl_put_u64 (entry, writer->offset);
  tl_put_u32 (entry + 8, n);
  tl_put_u32 (entry + 12, writer->bytes->len);
  tl_event_summary_put (&summary, entry + 16);
  g_byte_array_append (writer->index, entry, sizeof entry);
  writer->chunks++;
  return write_bytes (writer, error);
}

static gpointer
work (gpointer data)
{
  TlEventWriter *writer = data;

  g_mutex_lock (&writer->lock);
  while (TRUE)
    {
      GError  *error = NULL;
      gboolean done;

      while (writer->n_writing == 0 && !writer->stop)
        g_cond_wait (&writer->changed, &writer->lock);
      if (writer->n_writing == 0)
        break;
      g_mutex_unlock (&writer->lock);
      done = write_chunk (writer, writer->writing, writer->n_writing, &error);
      g_mutex_lock (&writer->lock);
      if (!done)
        writer->error = error;
      writer->n_writing = 0;
      g_cond_broadcast (&writer->changed);
    }
  g_mutex_unlock (&writer->lock);
  return NULL;
}

/* Waits until the thread has nothing to do. */
static void
wait_for_thread (TlEventWriter *writer)
{
  if (writer->thread == NULL)
    return;
  g_mutex_lock (&writer->lock);
  while (writer->n_writing > 0)
    g_cond_wait (&writer->changed, &writer->lock);
  g_mutex_unlock (&writer->lock);
}

static gboolean
is_well (const TlEventWriter *writer, GError **error)
{
  if (writer->error == NULL)
    return TRUE;
  if (error != NULL)
    *error = g_error_copy (writer->error);
  return FALSE;
}

/* Hands over what was filled. */
static gboolean
hand_over (TlEventWriter *writer, GError **error)
{
  if (writer->n == 0)
    return TRUE;
  wait_for_thread (writer);
  if (writer->error == NULL && writer->thread == NULL)
    write_chunk (writer, writer->filling, writer->n, &writer->error);
  else if (writer->error == NULL)
    {
      TlEvent *filled = writer->filling;

      g_mutex_lock (&writer->lock);
      writer->filling = writer->writing;
      writer->writing = filled;
      writer->n_writing = writer->n;
      g_cond_broadcast (&writer->changed);
      g_mutex_unlock (&writer->lock);
    }
  writer->n = 0;
  /* With a thread the error of this chunk comes with a later call. */
  return writer->thread != NULL || is_well (writer, error);
}

static gboolean
write_header (TlEventWriter *writer, const char *meta, GError **error)
{
  const gsize length = strlen (meta);
  guint8      head[32] = "TLEVENTS", check[8];

  tl_put_u32 (head + 8, 1);
  tl_put_u32 (head + 12, TL_EVENT_CHUNK);
  tl_put_u64 (head + 16, writer->clock);
  tl_put_u32 (head + 24, (guint32) length);
  tl_put_u32 (head + 28, 0);
  g_byte_array_append (writer->bytes, head, sizeof head);
  g_byte_array_append (writer->bytes, (const guint8 *) meta, (guint) length);
  tl_put_u64 (check, tl_fnv1a64 (TL_FNV1A64_START, writer->bytes->data, writer->bytes->len));
  g_byte_array_append (writer->bytes, check, sizeof check);
  return write_bytes (writer, error);
}

TlEventWriter *
tl_event_writer_new (GOutputStream *stream, const char *meta, guint64 clock, gboolean threaded, GError **error)
{
  g_autoptr (TlEventWriter) writer = g_new0 (TlEventWriter, 1);

  g_return_val_if_fail (meta != NULL && strlen (meta) <= MOST_META, NULL);
  g_mutex_init (&writer->lock);
  g_cond_init (&writer->changed);
  writer->stream = g_object_ref (stream);
  writer->codec = tl_event_codec_new ();
  writer->clock = clock;
  writer->bytes = g_byte_array_new ();
  writer->index = g_byte_array_new ();
  writer->filling = g_new (TlEvent, TL_EVENT_CHUNK);
  if (!write_header (writer, meta, error))
    return NULL;
  if (threaded)
    {
      writer->writing = g_new (TlEvent, TL_EVENT_CHUNK);
      writer->thread = g_thread_new ("event-file", work, writer);
    }
  return g_steal_pointer (&writer);
}

gboolean
tl_event_writer_add (TlEventWriter *writer, const TlEvent *events, gsize n, GError **error)
{
  g_return_val_if_fail (!writer->closed, FALSE);
  while (n > 0)
    {
      guint32 some = (guint32) MIN (n, TL_EVENT_CHUNK - writer->n);

      if (events[0].time < writer->last)
        {
          wait_for_thread (writer);
          if (writer->error == NULL)
            g_set_error_literal (&writer->error, TL_EVENT_FILE_ERROR, TL_EVENT_FILE_ERROR_EVENT,
                                 "an event is earlier than the one before");
          return is_well (writer, error);
        }
      memcpy (writer->filling + writer->n, events, some * sizeof *events);
      writer->n += some;
      writer->last = events[some - 1].time;
      events += some;
      n -= some;
      if (writer->n == TL_EVENT_CHUNK && !hand_over (writer, error))
        return FALSE;
    }
  if (writer->thread != NULL)
    {
      g_mutex_lock (&writer->lock);
      gboolean well = is_well (writer, error);
      g_mutex_unlock (&writer->lock);
      return well;
    }
  return is_well (writer, error);
}

static gboolean
write_index (TlEventWriter *writer, GError **error)
{
  const guint64 at = writer->offset;
  guint8        head[8] = "INDX", check[8], trailer[16];

  g_byte_array_set_size (writer->bytes, 0);
  tl_put_u32 (head + 4, writer->chunks);
  g_byte_array_append (writer->bytes, head, sizeof head);
  g_byte_array_append (writer->bytes, writer->index->data, writer->index->len);
  tl_put_u64 (check, tl_fnv1a64 (TL_FNV1A64_START, writer->bytes->data, writer->bytes->len));
  g_byte_array_append (writer->bytes, check, sizeof check);
  tl_put_u64 (trailer, at);
  memcpy (trailer + 8, "TLEVEND1", 8);
  g_byte_array_append (writer->bytes, trailer, sizeof trailer);
  return write_bytes (writer, error);
}

gboolean
tl_event_writer_close (TlEventWriter *writer, GError **error)
{
  g_return_val_if_fail (!writer->closed, FALSE);
  writer->closed = TRUE;
  if (!hand_over (writer, error))
    return FALSE;
  wait_for_thread (writer);
  return is_well (writer, error) && write_index (writer, error);
}

void
tl_event_writer_free (TlEventWriter *writer)
{
  if (writer == NULL)
    return;
  if (writer->thread != NULL)
    {
      g_mutex_lock (&writer->lock);
      writer->stop = TRUE;
      g_cond_broadcast (&writer->changed);
      g_mutex_unlock (&writer->lock);
      g_thread_join (writer->thread);
    }
  g_clear_object (&writer->stream);
  tl_event_codec_free (writer->codec);
  g_byte_array_unref (writer->bytes);
  g_byte_array_unref (writer->index);
  g_clear_error (&writer->error);
  g_free (writer->filling);
  g_free (writer->writing);
  g_mutex_clear (&writer->lock);
  g_cond_clear (&writer->changed);
  g_free (writer);
}
