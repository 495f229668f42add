/* Small cu machines. */
#include "machine.h"
#include "support/support.h"

TlAddressMap *
machine_map (guint tiers, guint banks, guint row_bits, guint column_bits, const char *text)
{
  g_autofree char *reason = NULL;
  TlMemory         memory = { .kind = TL_MACHINE_CU,
                              .channels = 1,
                              .pseudo_channels = 1,
                              .tiers = tiers,
                              .groups = 1,
                              .banks = banks,
                              .rows = 1u << row_bits,
                              .columns = 1u << column_bits };
  TlAddressMap    *map = tl_address_map_parse (text, &memory, &reason);

  ck_assert_msg (map != NULL, "%s", reason);
  return map;
}
