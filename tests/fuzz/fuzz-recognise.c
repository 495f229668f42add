/* Programs, right and wrong, through parser and recognition: one diagnostic or a
 * recurrence comes out, in bounded time. */
#include "passes/recurrence.h"

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  if (size > 20000)
    return 0;
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlSource) source = tl_source_new ("fuzz.gdsl", (const char *) data, (gssize) size);
  g_autoptr (TlAst) ast = tl_parse (source, diags);
  guint before = tl_diags_errors (diags);
  g_autoptr (TlRecurrence) recurrence = tl_recognise (ast, NULL, diags);

  g_assert (tl_diags_errors (diags) - before <= 1);
  g_assert (recurrence == NULL || tl_diags_errors (diags) == before);
  return 0;
}
