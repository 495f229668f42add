/* Questions about events: any bytes are a question or refused with a reason. */
#include <stdint.h>
#include <stdlib.h>

#include "dram/event-query.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = g_strndup ((const char *) data, size);
  g_autofree char *reason = NULL;
  TlEventQuery     query;

  if (tl_event_query_parse (text, &query, &reason) != (reason == NULL))
    abort ();
  return 0;
}
