/* Writing an event file: events are encoded as they come, and a chunk of them is compressed and
 * written when it is full; on a thread of its own if wished, to which they are handed in
 * pieces through a ring, so that neither side waits for a whole chunk of the other. */
#include "dram/event-file-private.h"

#include <string.h>

#define MOST_META 65536
#define PIECE     2048 /* events */
#define PIECES    16   /* in the ring: what comes in while a chunk is compressed */
G_STATIC_ASSERT (TL_EVENT_CHUNK % PIECE == 0);

typedef struct
{
  guint32 n;
  TlEvent events[PIECE];
} Piece;

struct _TlEventWriter
{
  GOutputStream  *stream;
  TlEventEncoder *encoder;
  guint64         clock;
  guint64         offset;
  guint64         last;  /* time of the last event taken */
  GByteArray     *bytes; /* scratch */
  GByteArray     *index; /* entries so far */
  guint           chunks;
  GError         *error; /* what stopped the writing */
  int             ill;   /* atomic: there is an error */
  gboolean        closed;
  /* A second thread: owns encoder, bytes, index, offset and stream until it is joined. */
  GThread        *thread;
  GMutex          lock;
  GCond           came; /* a piece, or stop */
  GCond           left; /* a piece, or an error */
  Piece          *ring; /* PIECES; written at filled, which only the caller moves */
  guint           filled;
  guint           emptied; /* only the thread moves it; filled - emptied <= PIECES */
  gboolean        stop;    /* the thread leaves once it has done what is there */
  gboolean        drop;    /* or even without */
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
write_chunk (TlEventWriter *writer, GError **error)
{
  TlEventSummary summary;
  guint8         entry[16 + TL_EVENT_SUMMARY_BYTES];

  g_byte_array_set_size (writer->bytes, 0);
  tl_event_encoder_finish (writer->encoder, writer->bytes, &summary);
  tl_put_u64 (entry, writer->offset);
  tl_put_u32 (entry + 8, summary.n);
  tl_put_u32 (entry + 12, writer->bytes->len);
  tl_event_summary_put (&summary, entry + 16);
  g_byte_array_append (writer->index, entry, sizeof entry);
  writer->chunks++;
  return write_bytes (writer, error);
}

/* At most up to the end of the chunk, which is then written. */
static gboolean
encode (TlEventWriter *writer, const TlEvent *events, guint32 n, GError **error)
{
  if (!tl_event_encoder_add (writer->encoder, events, n, error))
    return FALSE;
  return tl_event_encoder_count (writer->encoder) < TL_EVENT_CHUNK || write_chunk (writer, error);
}

static gpointer
work (gpointer data)
{
  TlEventWriter *writer = data;

  g_mutex_lock (&writer->lock);
  while (TRUE)
    {
      GError      *error = NULL;
      const Piece *piece;

      while (writer->filled == writer->emptied && !writer->stop)
        g_cond_wait (&writer->came, &writer->lock);
      if (writer->filled == writer->emptied || writer->drop)
        break;
      gboolean well = writer->error == NULL;
      piece = &writer->ring[writer->emptied % PIECES];
      g_mutex_unlock (&writer->lock);
      /* After an error pieces are taken and forgotten. */
      if (well)
        encode (writer, piece->events, piece->n, &error);
      g_mutex_lock (&writer->lock);
      if (writer->error == NULL)
        writer->error = g_steal_pointer (&error);
      g_clear_error (&error);
      g_atomic_int_set (&writer->ill, writer->error != NULL);
      writer->emptied++;
      g_cond_signal (&writer->left);
    }
  g_mutex_unlock (&writer->lock);
  return NULL;
}

static gboolean
is_well (TlEventWriter *writer, GError **error)
{
  if (!g_atomic_int_get (&writer->ill))
    return TRUE;
  g_mutex_lock (&writer->lock);
  if (error != NULL)
    *error = g_error_copy (writer->error);
  g_mutex_unlock (&writer->lock);
  return FALSE;
}

/* With an error of one's own, which those of the thread go before. */
static gboolean
fall_ill (TlEventWriter *writer, GError *own, GError **error)
{
  g_mutex_lock (&writer->lock);
  if (writer->error == NULL)
    writer->error = g_steal_pointer (&own);
  g_clear_error (&own);
  g_atomic_int_set (&writer->ill, TRUE);
  g_mutex_unlock (&writer->lock);
  return is_well (writer, error);
}

/* Hands over the piece that was filled, and waits until there is room for another. */
static void
hand_over (TlEventWriter *writer)
{
  g_mutex_lock (&writer->lock);
  writer->filled++;
  g_cond_signal (&writer->came);
  while (writer->filled - writer->emptied == PIECES)
    g_cond_wait (&writer->left, &writer->lock);
  writer->ring[writer->filled % PIECES].n = 0;
  g_mutex_unlock (&writer->lock);
}

/* Ends the thread; what was handed over is written first, or not (@drop). */
static void
end_thread (TlEventWriter *writer, gboolean drop)
{
  if (writer->thread == NULL)
    return;
  g_mutex_lock (&writer->lock);
  writer->stop = TRUE;
  writer->drop = drop;
  g_cond_signal (&writer->came);
  g_mutex_unlock (&writer->lock);
  g_thread_join (g_steal_pointer (&writer->thread));
}

static gboolean
write_header (TlEventWriter *writer, const char *meta, GError **error)
{
  const gsize length = strlen (meta);
  guint8      head[32] = "TLEVENTS", check[8];

  tl_put_u32 (head + 8, TL_EVENT_VERSION);
  tl_put_u32 (head + 12, TL_EVENT_CHUNK);
  tl_put_u64 (head + 16, writer->clock);
  tl_put_u32 (head + 24, (guint32) length);
  tl_put_u32 (head + 28, 0);
  g_byte_array_append (writer->bytes, head, sizeof head);
  g_byte_array_append (writer->bytes, (const guint8 *) meta, (guint) length);
  tl_put_u64 (check, tl_event_check (writer->bytes->data, writer->bytes->len));
  g_byte_array_append (writer->bytes, check, sizeof check);
  return write_bytes (writer, error);
}

TlEventWriter *
tl_event_writer_new (GOutputStream *stream, const char *meta, guint64 clock, gboolean threaded, GError **error)
{
  g_autoptr (TlEventWriter) writer = g_new0 (TlEventWriter, 1);

  g_return_val_if_fail (meta != NULL && strlen (meta) <= MOST_META, NULL);
  g_mutex_init (&writer->lock);
  g_cond_init (&writer->came);
  g_cond_init (&writer->left);
  writer->stream = g_object_ref (stream);
  writer->encoder = tl_event_encoder_new (clock);
  writer->clock = clock;
  writer->bytes = g_byte_array_new ();
  writer->index = g_byte_array_new ();
  if (!write_header (writer, meta, error))
    return NULL;
  if (threaded)
    {
      writer->ring = g_new (Piece, PIECES);
      writer->ring[0].n = 0;
      writer->thread = g_thread_new ("event-file", work, writer);
    }
  return g_steal_pointer (&writer);
}

/* Copies them to the thread. */
static void
pass_on (TlEventWriter *writer, const TlEvent *events, gsize n)
{
  while (n > 0)
    {
      Piece  *piece = &writer->ring[writer->filled % PIECES];
      guint32 some = (guint32) MIN (n, PIECE - piece->n);

      memcpy (piece->events + piece->n, events, some * sizeof *events);
      piece->n += some;
      if (piece->n == PIECE)
        hand_over (writer);
      events += some;
      n -= some;
    }
}

gboolean
tl_event_writer_add (TlEventWriter *writer, const TlEvent *events, gsize n, GError **error)
{
  GError *own = NULL;

  g_return_val_if_fail (!writer->closed, FALSE);
  if (!is_well (writer, error))
    return FALSE;
  if (n > 0 && events[0].time < writer->last)
    return fall_ill (
        writer,
        g_error_new_literal (TL_EVENT_FILE_ERROR, TL_EVENT_FILE_ERROR_EVENT, "an event is earlier than the one before"),
        error);
  if (n > 0)
    writer->last = events[n - 1].time;
  if (writer->thread != NULL)
    {
      pass_on (writer, events, n);
      return is_well (writer, error);
    }
  while (n > 0)
    {
      guint32 some = (guint32) MIN (n, TL_EVENT_CHUNK - tl_event_encoder_count (writer->encoder));

      if (!encode (writer, events, some, &own))
        return fall_ill (writer, own, error);
      events += some;
      n -= some;
    }
  return TRUE;
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
  tl_put_u64 (check, tl_event_check (writer->bytes->data, writer->bytes->len));
  g_byte_array_append (writer->bytes, check, sizeof check);
  tl_put_u64 (trailer, at);
  memcpy (trailer + 8, "TLEVEND1", 8);
  g_byte_array_append (writer->bytes, trailer, sizeof trailer);
  return write_bytes (writer, error);
}

gboolean
tl_event_writer_close (TlEventWriter *writer, GError **error)
{
  GError *own = NULL;

  g_return_val_if_fail (!writer->closed, FALSE);
  writer->closed = TRUE;
  if (writer->thread != NULL && writer->ring[writer->filled % PIECES].n > 0)
    hand_over (writer);
  end_thread (writer, FALSE);
  if (!is_well (writer, error))
    return FALSE;
  if (tl_event_encoder_count (writer->encoder) > 0 && !write_chunk (writer, &own))
    return fall_ill (writer, own, error);
  return write_index (writer, error);
}

void
tl_event_writer_free (TlEventWriter *writer)
{
  if (writer == NULL)
    return;
  end_thread (writer, TRUE);
  g_clear_object (&writer->stream);
  tl_event_encoder_free (writer->encoder);
  g_byte_array_unref (writer->bytes);
  g_byte_array_unref (writer->index);
  g_clear_error (&writer->error);
  g_free (writer->ring);
  g_mutex_clear (&writer->lock);
  g_cond_clear (&writer->came);
  g_cond_clear (&writer->left);
  g_free (writer);
}
