/* Event files: whatever is read as whole is written again as the same events; the rest is
 * refused without harm. */
#include "dram/event-file-private.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
check (uint8_t *bytes, size_t from, size_t to)
{
  tl_put_u64 (bytes + to, tl_event_check (bytes + from, to - from));
}

/* Checksums would hide everything behind them from the fuzzer: they are made right, as far
 * as lengths allow; the index is dropped, so that chunks are found one by one. */
static void
repair (uint8_t *bytes, size_t size)
{
  size_t at, length;

  if (size < 40)
    return;
  memcpy (bytes, "TLEVENTS\2\0\0\0\0\0\1\0", 16);
  memset (bytes + 28, 0, 4);
  length = tl_get_u32 (bytes + 24);
  if (length > size - 40)
    return;
  at = 32 + length;
  check (bytes, 0, at);
  at += 8;
  while (size - at >= 24)
    {
      length = tl_get_u32 (bytes + at + 4);
      if (length < 24 || length > size - at)
        return;
      memcpy (bytes + at, "CHNK", 4);
      check (bytes, at, at + length - 8);
      at += length;
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree uint8_t *copy = g_memdup2 (data, size);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (TlEventFile) file = NULL;
  g_autofree TlEvent *events = NULL;

  if (size > 65536)
    return 0;
  repair (copy, size);
  bytes = g_bytes_new (copy, size);
  file = tl_event_file_new (bytes, NULL);
  if (file == NULL)
    return 0;
  events = g_new (TlEvent, TL_EVENT_CHUNK);
  for (guint c = 0; c < tl_event_file_chunks (file) && c < 4; c++)
    {
      const TlEventSummary *summary = tl_event_file_summary (file, c);
      g_autoptr (GOutputStream) stream = NULL;
      g_autoptr (TlEventWriter) writer = NULL;
      g_autoptr (TlEventFile) again = NULL;
      g_autoptr (GBytes) written = NULL;
      g_autofree TlEvent *read = NULL;

      if (!tl_event_file_read (file, c, events, NULL))
        continue;
      stream = g_memory_output_stream_new_resizable ();
      writer = tl_event_writer_new (stream, "", 1, FALSE, NULL);
      g_assert (tl_event_writer_add (writer, events, summary->n, NULL) && tl_event_writer_close (writer, NULL));
      g_output_stream_close (stream, NULL, NULL);
      written = g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (stream));
      again = tl_event_file_new (written, NULL);
      read = g_new (TlEvent, TL_EVENT_CHUNK);
      g_assert (again != NULL && tl_event_file_problem (again) == NULL && tl_event_file_read (again, 0, read, NULL));
      g_assert (memcmp (read, events, summary->n * sizeof *read) == 0);
    }
  return 0;
}
