/* Target files: any bytes give a target or diagnostics; a target shows itself. */
#include <stdint.h>
#include <stdlib.h>

#include "target/target.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlTarget) target = tl_target_parse ("fuzz.xml", (const char *) data, size, NULL, NULL, diags);

  if ((target == NULL) != (tl_diags_errors (diags) > 0))
    abort ();
  if (target != NULL)
    {
      g_autofree char *text = tl_target_show (target);
      TlAddressMap    *map = tl_target_map (target);
      if (map != NULL)
        {
          guint64 last = (G_GUINT64_CONSTANT (1) << tl_address_map_bits (map)) - 1;
          if (tl_address_map_unapply (map, tl_address_map_apply (map, last)) != last)
            abort ();
        }
    }
  return 0;
}
