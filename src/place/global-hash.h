/* Fixed global hashes, the baselines beside a plan for each signature: one frozen rule between the fields of
 * every address, for both operands alike (TileDRAM appendix B.1). A hash is the machine's map followed by XORs
 * between place bits, so it is an address map again and a bijection. Bits of a level count from the lowest
 * address bit, domains as one field (place/address.h). */
#pragma once

#include "target/address-map.h"

typedef enum
{
  TL_HASH_ROW_TO_BANK,    /* domain bit i ^= row bit i */
  TL_HASH_COLUMN_TO_BANK, /* domain bit i ^= column bit i */
  TL_HASH_BANK_TO_ROW,    /* row bit i ^= domain bit i */
  TL_HASH_COLUMN_TO_ROW,  /* row bit i ^= column bit i */
  TL_HASH_COMPOUND,       /* row to bank, then the domains and row bits above those that were used so: row ^= domain */
  TL_HASH_MOP4CLXOR,      /* fields from the bottom: 2 column bits, domains, the other column bits, rows; then row to bank */
} TlGlobalHash;
#define TL_N_GLOBAL_HASHES 6

/* "row-to-bank", "column-to-bank", ... */
const char   *tl_global_hash_name (TlGlobalHash  hash);
/* @map hashed. (transfer full) */
TlAddressMap *tl_global_hash_map  (TlGlobalHash  hash,
                                   TlAddressMap *map);
