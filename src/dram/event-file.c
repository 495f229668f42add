/* Reading an event file: by its index, or, when that is not there, chunk after chunk to
 * the first that is not whole. */
#include "dram/event-file-private.h"

#include <string.h>

#define HEADER  32 /* then the text about the run and a check */
#define ENTRY   (16 + TL_EVENT_SUMMARY_BYTES)
#define TRAILER 16

typedef struct
{
  gsize          offset;
  gsize          length;
  TlEventSummary summary;
} Chunk;

struct _TlEventFile
{
  GBytes       *bytes;
  const guint8 *data;
  gsize         size;
  char         *meta;
  guint64       clock;
  guint64       count;
  GArray       *chunks; /* of Chunk */
  char         *problem;
};

static gboolean
read_header (TlEventFile *file, gsize *end, GError **error)
{
  const char *why = "it does not begin as one";
  gsize       length;

  if (file->size < HEADER + 8 || memcmp (file->data, "TLEVENTS", 8) != 0)
    goto wrong;
  why = "its version is not known here";
  if (tl_get_u32 (file->data + 8) != TL_EVENT_VERSION || tl_get_u32 (file->data + 12) != TL_EVENT_CHUNK)
    goto wrong;
  why = "its first bytes are damaged";
  length = tl_get_u32 (file->data + 24);
  if (length > file->size - HEADER - 8)
    goto wrong;
  *end = HEADER + length;
  if (tl_get_u32 (file->data + 28) != 0 || tl_event_check (file->data, *end) != tl_get_u64 (file->data + *end))
    goto wrong;
  file->clock = tl_get_u64 (file->data + 16);
  file->meta = g_utf8_make_valid ((const char *) file->data + HEADER, (gssize) length);
  *end += 8;
  return TRUE;

wrong:
  g_set_error (error, TL_EVENT_FILE_ERROR, TL_EVENT_FILE_ERROR_FORMAT, "no event file: %s", why);
  return FALSE;
}

/* Takes a chunk over that comes right after those before. */
static void
add_chunk (TlEventFile *file, Chunk *chunk)
{
  chunk->summary.first_event = file->count;
  file->count += chunk->summary.n;
  g_array_append_val (file->chunks, *chunk);
}

static gboolean
read_index (TlEventFile *file, gsize start)
{
  const guint8 *trailer, *index;
  guint64       at;
  gsize         length, expected = start;
  guint32       n;

  if (file->size < start + TRAILER + 16)
    return FALSE;
  trailer = file->data + file->size - TRAILER;
  at = tl_get_u64 (trailer);
  if (memcmp (trailer + 8, "TLEVEND1", 8) != 0 || at < start || at > file->size - TRAILER - 16)
    return FALSE;
  index = file->data + at;
  length = file->size - TRAILER - (gsize) at;
  n = tl_get_u32 (index + 4);
  if (memcmp (index, "INDX", 4) != 0 || (length - 16) % ENTRY != 0 || n != (length - 16) / ENTRY
      || tl_event_check (index, length - 8) != tl_get_u64 (index + length - 8))
    return FALSE;
  for (guint32 c = 0; c < n; c++)
    {
      const guint8 *entry = index + 8 + (gsize) c * ENTRY;
      Chunk         chunk = { .offset = (gsize) tl_get_u64 (entry), .length = tl_get_u32 (entry + 12) };

      chunk.summary.n = tl_get_u32 (entry + 8);
      tl_event_summary_get (&chunk.summary, entry + 16);
      if (chunk.offset != expected || chunk.length < TL_EVENT_HEAD_BYTES + 8 || chunk.length > at - chunk.offset
          || chunk.summary.n == 0 || chunk.summary.n > TL_EVENT_CHUNK)
        return FALSE;
      expected += chunk.length;
      add_chunk (file, &chunk);
    }
  return expected == at;
}

/* Without an index. */
static void
scan (TlEventFile *file, gsize at)
{
  Chunk chunk = { .offset = at };

  g_array_set_size (file->chunks, 0);
  file->count = 0;
  while (tl_event_chunk_head (file->data + chunk.offset, file->size - chunk.offset, &chunk.summary, &chunk.length)
         && tl_event_chunk_check (file->data + chunk.offset, chunk.length))
    {
      gsize next = chunk.offset + chunk.length;

      add_chunk (file, &chunk);
      chunk = (Chunk) { .offset = next };
    }
  file->problem = g_strdup_printf ("the file stops being whole at byte %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT
                                   ", after %" G_GUINT64_FORMAT " events",
                                   chunk.offset, file->size, file->count);
}

TlEventFile *
tl_event_file_new (GBytes *bytes, GError **error)
{
  g_autoptr (TlEventFile) file = g_new0 (TlEventFile, 1);
  gsize start = 0;

  file->bytes = g_bytes_ref (bytes);
  file->data = g_bytes_get_data (bytes, &file->size);
  file->chunks = g_array_new (FALSE, TRUE, sizeof (Chunk));
  if (!read_header (file, &start, error))
    return NULL;
  if (!read_index (file, start))
    scan (file, start);
  return g_steal_pointer (&file);
}

TlEventFile *
tl_event_file_open (const char *path, GError **error)
{
  g_autoptr (GMappedFile) map = g_mapped_file_new (path, FALSE, error);
  g_autoptr (GBytes) bytes = map != NULL ? g_mapped_file_get_bytes (map) : NULL;

  return bytes != NULL ? tl_event_file_new (bytes, error) : NULL;
}

void
tl_event_file_free (TlEventFile *file)
{
  if (file == NULL)
    return;
  g_bytes_unref (file->bytes);
  g_array_unref (file->chunks);
  g_free (file->meta);
  g_free (file->problem);
  g_free (file);
}

const char *
tl_event_file_meta (const TlEventFile *file)
{
  return file->meta;
}

guint64
tl_event_file_clock (const TlEventFile *file)
{
  return file->clock;
}

guint64
tl_event_file_count (const TlEventFile *file)
{
  return file->count;
}

guint
tl_event_file_chunks (const TlEventFile *file)
{
  return file->chunks->len;
}

const TlEventSummary *
tl_event_file_summary (const TlEventFile *file, guint chunk)
{
  return &g_array_index (file->chunks, Chunk, chunk).summary;
}

const char *
tl_event_file_problem (const TlEventFile *file)
{
  return file->problem;
}

gboolean
tl_event_file_decode (const TlEventFile *file, TlEventDecoder *decoder, guint chunk, TlEvent *events, GArray *rows,
                      GError **error)
{
  const Chunk   *which;
  TlEventSummary summary;
  const guint8  *data;
  gsize          length;

  g_return_val_if_fail (chunk < file->chunks->len, FALSE);
  which = &g_array_index (file->chunks, Chunk, chunk);
  data = file->data + which->offset;
  if (rows != NULL)
    g_array_set_size (rows, 0);
  if (tl_event_chunk_head (data, which->length, &summary, &length) && length == which->length
      && summary.n == which->summary.n && tl_event_chunk_check (data, length)
      && (events == NULL || tl_event_decoder_read (decoder, data, length, events))
      && (rows == NULL || tl_event_decoder_open (decoder, data, length, rows)))
    return TRUE;
  g_set_error (error, TL_EVENT_FILE_ERROR, TL_EVENT_FILE_ERROR_DAMAGED,
               "events %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT " are damaged, at byte %" G_GSIZE_FORMAT,
               which->summary.first_event, which->summary.first_event + which->summary.n - 1, which->offset);
  return FALSE;
}

gboolean
tl_event_file_read (const TlEventFile *file, guint chunk, TlEvent *events, GError **error)
{
  g_autoptr (TlEventDecoder) decoder = tl_event_decoder_new ();

  return tl_event_file_decode (file, decoder, chunk, events, NULL, error);
}

guint
tl_event_file_find (const TlEventFile *file, guint64 time)
{
  guint low = 0, high = file->chunks->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (file->chunks, Chunk, middle).summary.to < time)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}
