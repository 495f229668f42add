/* Small cu machines of the placement suites. */
#pragma once

#include "target/address-map.h"

/* Aborts when @text is no map of the machine. (transfer full) */
TlAddressMap *machine_map (guint tiers, guint banks, guint row_bits, guint column_bits, const char *text);
