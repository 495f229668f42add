/* Streams: whatever decodes encodes to the same bytes, prints and is whole. */
#include "base/hash.h"
#include "emit/pipe-program.h"
#include "emit/program-build.h"
#include "emit/stream.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

/* Checksums would hide everything behind them from the fuzzer: they are made right. */
static void
repair (uint8_t *bytes, size_t size)
{
  size_t at = 32;

  while (at + 16 <= size)
    {
      guint32 length = bytes[at + 4] | bytes[at + 5] << 8 | bytes[at + 6] << 16 | (guint32) bytes[at + 7] << 24;
      guint64 check;

      if (length > size - at - 16)
        break;
      check = tl_fnv1a64 (TL_FNV1A64_START, bytes + at, 8 + (gsize) length);
      for (guint b = 0; b < 8; b++)
        bytes[at + 8 + length + b] = (guint8) (check >> (8 * b));
      at += 16 + (size_t) length;
    }
  for (guint b = 0; size >= 32 && b < 8; b++)
    bytes[16 + b] = (guint8) ((guint64) size >> (8 * b));
  for (guint b = 0; size >= 32 && b < 8; b++)
    bytes[24 + b] = (guint8) (tl_fnv1a64 (TL_FNV1A64_START, bytes, 24) >> (8 * b));
}

/* A stream of waves. */
static int
check_pipe (const uint8_t *bytes, size_t size, TlDiags *diags)
{
  g_autoptr (TlPipeProgram) program = tl_pipe_decode (bytes, size, "fuzz.tls", diags);

  if (program == NULL)
    {
      g_assert (tl_diags_errors (diags) == 1);
      return 0;
    }
  g_autoptr (GBytes) again = tl_pipe_encode (program);
  g_autofree char *text = tl_pipe_print (program);

  g_assert (g_bytes_get_size (again) == size && memcmp (g_bytes_get_data (again, NULL), bytes, size) == 0);
  g_assert (tl_pipe_program_check (program, NULL));
  return 0;
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree uint8_t *bytes = g_memdup2 (data, size);
  g_autoptr (TlDiags) diags = tl_diags_new ();

  repair (bytes, size);
  if (tl_pipe_is_one (bytes, size))
    return check_pipe (bytes, size, diags);
  g_autoptr (TlPimProgram) program = tl_stream_decode (bytes, size, "fuzz.tls", diags);
  if (program == NULL)
    {
      g_assert (tl_diags_errors (diags) == 1);
      return 0;
    }
  g_autoptr (GBytes) again = tl_stream_encode (program);
  g_autofree char *text = program->tiles <= 64 ? tl_stream_print (program) : NULL;

  g_assert (g_bytes_get_size (again) == size && memcmp (g_bytes_get_data (again, NULL), bytes, size) == 0);
  g_assert (tl_pim_program_check (program, NULL));
  return 0;
}
