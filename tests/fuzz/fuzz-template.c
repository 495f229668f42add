/* Template libraries: any bytes give a library or diagnostics; a library is written as it is read, and its
 * layouts are realised or refused with a reason. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "place/address.h"
#include "place/template.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
realise (const TlTemplate *template)
{
  TlMemory         memory = { .kind = TL_MACHINE_CU,
                              .channels = 1,
                              .pseudo_channels = 1,
                              .tiers = 8,
                              .groups = 1,
                              .banks = 16,
                              .rows = 16,
                              .columns = 8 };
  g_autofree char *no_map = NULL;
  g_autofree char *reason = NULL;
  g_autoptr (TlAddressMap) map = tl_address_map_parse ("RoBaTiCoCh", &memory, &no_map);
  g_autofree TlTileMap *tile = tl_tile_map_new (&template->placement, map, 0, &reason);

  if ((tile == NULL) != (reason != NULL))
    abort ();
  if (tile != NULL && tl_address_of_unit (tile, 0, (1u << tile->bits) - 1) >> tl_address_map_bits (map) != 0)
    abort ();
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (GPtrArray) templates = tl_templates_parse ("fuzz.xml", (const char *) data, size, diags);

  if ((templates == NULL) != (tl_diags_errors (diags) > 0))
    abort ();
  if (templates == NULL)
    return 0;
  g_autofree char *text = tl_templates_text (templates);
  g_autoptr (GPtrArray) again = tl_templates_parse ("again.xml", text, strlen (text), diags);
  if (again == NULL)
    abort ();
  g_autofree char *same = tl_templates_text (again);
  if (strcmp (text, same) != 0)
    abort ();
  for (guint i = 0; i < templates->len; i++)
    realise (g_ptr_array_index (templates, i));
  return 0;
}
