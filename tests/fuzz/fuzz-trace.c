/* Traces: any bytes, plain or packed, give requests or one diagnostic. */
#include <stdint.h>
#include <stdlib.h>

#include "dram/trace.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GInputStream) stream = g_memory_input_stream_new_from_data (data, size, NULL);
  g_autoptr (TlTrace) trace = tl_trace_new (stream, "fuzz");
  g_autoptr (TlDiags) diags = tl_diags_new ();
  TlRequest requests[64];
  guint64   line = 0;
  guint     batches = 0;

  /* Packed zeros could go on for long. */
  for (gsize n; batches < 2000 && (n = tl_trace_read (trace, requests, 64, diags)) > 0; batches++)
    for (gsize i = 0; i < n; i++)
      {
        if (requests[i].line <= line)
          abort ();
        line = requests[i].line;
      }
  if (tl_trace_failed (trace) != (tl_diags_count (diags) == 1))
    abort ();
  return 0;
}
