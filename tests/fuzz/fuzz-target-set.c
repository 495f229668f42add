/* Overrides of numbers, one a line, on both kinds of machine. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "target/target.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = g_strndup ((const char *) data, size);
  g_auto (GStrv) lines = g_strsplit (text, "\n", 8);
  static const char *const names[] = { "gendram", "cu-t8b16" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (TlDiags) diags = tl_diags_new ();
      g_autoptr (TlTarget) target
          = tl_target_load (names[i], NULL, (const char *const *) lines, NULL, tl_span (0, 0), diags);
      if ((target == NULL) != (tl_diags_errors (diags) > 0))
        abort ();
    }
  return 0;
}
