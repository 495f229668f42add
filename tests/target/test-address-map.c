/* Address maps: the shorthands, bit lists with XOR, what is refused, and that apply,
 * split, join and inverse agree with a bit-by-bit evaluation. */
#include <string.h>

#include "support/support.h"
#include "target/address-map.h"

static TlMemory
organisation (TlMachineKind kind, guint channels, guint pseudo, guint tiers, guint groups, guint banks, guint rows,
              guint columns)
{
  return (TlMemory) {
    .kind = kind,
    .channels = channels,
    .pseudo_channels = pseudo,
    .tiers = tiers,
    .groups = groups,
    .banks = banks,
    .rows = rows,
    .columns = columns,
    .unit_bytes = 64,
    .row_bytes = columns * 64,
  };
}

static const struct
{
  const char *text, *lists; /* lists NULL: refused, then reason holds a part of why */
  const char *reason;
} rows[] = {
  { "RoBaRaCoCh",
    "channel = [b0]\npseudo_channel = [b3]\ntier = [b4, b5]\ngroup = [b6]\nbank = [b7, b8]\nrow = [b9, b10, b11]\n"
    "column = [b1, b2]\n",
    NULL },
  { "RoBaTiCoCh",
    "channel = [b0]\npseudo_channel = [b3]\ntier = [b4, b5]\ngroup = [b6]\nbank = [b7, b8]\nrow = [b9, b10, b11]\n"
    "column = [b1, b2]\n",
    NULL },
  { "ChRaBaRoCo",
    "channel = [b11]\npseudo_channel = [b8]\ntier = [b9, b10]\ngroup = [b5]\nbank = [b6, b7]\nrow = [b2, b3, b4]\n"
    "column = [b0, b1]\n",
    NULL },
  { "RoBgBaTiPcCoCh",
    "channel = [b0]\npseudo_channel = [b3]\ntier = [b4, b5]\ngroup = [b8]\nbank = [b6, b7]\nrow = [b9, b10, b11]\n"
    "column = [b1, b2]\n",
    NULL },
  /* Levels from the channel down above two column bits, each XORed with the column. */
  { "MOP4CLXOR",
    "channel = [b0 ^ b2]\npseudo_channel = [b1 ^ b3]\ntier = [b4, b5]\ngroup = [b6]\nbank = [b7, b8]\nrow = [b9, b10, "
    "b11]\ncolumn = [b0, b1]\n",
    NULL },
  { "row = [b9..b11]; bank = [b7, b8 ^ b1]; group = [6]\n tier=[b4,b5] pseudo_channel=[[b3, b9]]; column = [b1, b2], "
    "channel=[b0]",
    "channel = [b0]\npseudo_channel = [b3 ^ b9]\ntier = [b4, b5]\ngroup = [b6]\nbank = [b7, b1 ^ b8]\nrow = [b9, b10, "
    "b11]\ncolumn = [b1, b2]\n",
    NULL },
  { "RoBaCoCh", NULL, "leaves out the" },
  { "RoBaRaTiCoCh", NULL, "names the tier twice" },
  { "RoBaRaCoCx", NULL, "is no map" },
  { "RoB", NULL, "is no map" },
  { "", NULL, "leaves out" },
  { "channel = [b0]", NULL, "is left out" },
  { "channel = [b0]; channel = [b1]", NULL, "given twice" },
  { "channel = [b0, b1]", NULL, "more than its 1 bits" },
  { "channel = []", NULL, "has 0 of its 1 bits" },
  { "channel = [b12]", NULL, "past the 12 bits" },
  { "channel = [b0 ^ b0]", NULL, "XORed with itself" },
  { "channel = [b3..b1]", NULL, "runs backwards" },
  { "channel = [b0", NULL, "ends where" },
  { "channel = b0", NULL, "where [ is wanted" },
  { "chanel = [b0]", NULL, "where a level" },
  { "row = [b9..b11]; bank = [b7, b8]; group = [b6]; tier=[b4,b5]; pseudo_channel=[b3]; column = [b1, b2]; "
    "channel=[b1]",
    NULL, "b0 is not used" },
  { "row = [b9..b11]; bank = [b7, b8]; group = [b6]; tier=[b4,b5]; pseudo_channel=[b3]; column = [b1, b0 ^ b2]; "
    "channel=[b1 ^ b0 ^ b2]",
    NULL, "depend on each other" },
};

START_TEST (maps_as_written)
{
  TlMemory         memory = organisation (TL_MACHINE_CU, 2, 2, 4, 2, 4, 8, 4);
  g_autofree char *reason = NULL;
  g_autoptr (TlAddressMap) map = tl_address_map_parse (rows[_i].text, &memory, &reason);

  if (rows[_i].lists == NULL)
    {
      ck_assert_ptr_null (map);
      ck_assert_ptr_nonnull (reason);
      ck_assert_msg (strstr (reason, rows[_i].reason) != NULL, "%s: %s", rows[_i].text, reason);
      return;
    }
  ck_assert_msg (map != NULL, "%s: %s", rows[_i].text, reason);
  g_autofree char *lists = tl_address_map_to_text (map);
  ck_assert_str_eq (lists, rows[_i].lists);
  g_autoptr (TlAddressMap) again = tl_address_map_parse (lists, &memory, &reason);
  g_autofree char *lists_again = tl_address_map_to_text (again);
  ck_assert_str_eq (lists, lists_again);
}
END_TEST

START_TEST (odd_counts_have_no_map)
{
  TlMemory         memory = organisation (TL_MACHINE_CU, 1, 1, 1, 1, 3, 8, 4);
  g_autofree char *reason = NULL;

  ck_assert_ptr_null (tl_address_map_parse ("RoBaRaCoCh", &memory, &reason));
  ck_assert_ptr_nonnull (strstr (reason, "3 banks"));
}
END_TEST

/* A random invertible map as lists: a permutation with XORs of bits already placed. */
static char *
random_map (const TlMemory *memory, guint bits, guint64 *state)
{
  guint       order[64];
  guint64     masks[64];
  GString    *text = g_string_new (NULL);
  guint       at = 0;
  const guint counts[] = { memory->channels, memory->pseudo_channels, memory->tiers,  memory->groups,
                           memory->banks,    (guint) memory->rows,    memory->columns };

  for (guint i = 0; i < bits; i++)
    {
      guint j = tl_test_random_below (state, i + 1);
      order[i] = order[j];
      order[j] = i;
    }
  for (guint i = 0; i < bits; i++)
    {
      masks[i] = G_GUINT64_CONSTANT (1) << order[i];
      for (guint j = 0; j < i; j++)
        if (tl_test_random_below (state, 4) == 0)
          masks[i] ^= G_GUINT64_CONSTANT (1) << order[j];
    }
  for (guint level = 0; level < TL_N_LEVELS; level++)
    {
      g_string_append_printf (text, "%s = [", tl_level_name (level));
      for (guint b = 0; 1u << b < counts[level]; b++, at++)
        {
          g_string_append (text, b == 0 ? "" : ", ");
          const char *separator = "";
          for (guint64 mask = masks[at]; mask != 0; mask &= mask - 1, separator = " ^ ")
            g_string_append_printf (text, "%sb%d", separator, __builtin_ctzll (mask));
        }
      g_string_append (text, "]\n");
    }
  return g_string_free (text, FALSE);
}

START_TEST (apply_agrees_with_bits)
{
  guint64 state = tl_test_seed () + _i;

  for (guint round = 0; round < 20; round++)
    {
      guint widths[7];
      guint bits = 0;
      for (guint i = 0; i < 7; i++)
        bits += widths[i] = tl_test_random_below (&state, i < 5 ? 3 : 8);
      TlMemory memory
          = organisation (round % 2 == 0 ? TL_MACHINE_CU : TL_MACHINE_PIM, 1u << widths[0], 1u << widths[1],
                          1u << widths[2], 1u << widths[3], 1u << widths[4], 1u << widths[5], 1u << widths[6]);
      g_autofree char *text = random_map (&memory, bits, &state);
      g_autofree char *reason = NULL;
      g_autoptr (TlAddressMap) map = tl_address_map_parse (text, &memory, &reason);
      ck_assert_msg (map != NULL, "%s: %s", text, reason);
      ck_assert_uint_eq (tl_address_map_bits (map), bits);
      guint64            units = G_GUINT64_CONSTANT (1) << bits;
      g_autofree guint8 *seen = bits <= 16 ? g_new0 (guint8, units) : NULL;
      for (guint n = 0; n < (bits <= 16 ? units : 2000); n++)
        {
          guint64 unit = bits <= 16 ? n : tl_test_random_below (&state, units);
          guint64 place = 0;
          for (guint b = 0; b < bits; b++)
            place |= (guint64) (__builtin_popcountll (tl_address_map_rows (map)[b] & unit) & 1) << b;
          ck_assert_uint_eq (tl_address_map_apply (map, unit), place);
          ck_assert_uint_eq (tl_address_map_unapply (map, place), unit);
          TlPlaceOf split = tl_address_map_split (map, unit);
          ck_assert_uint_eq (tl_address_map_join (map, &split), unit);
          ck_assert_uint_lt (split.at[TL_LEVEL_ROW], memory.rows);
          /* The place above the column is domain and row, numbered as memory.h has it. */
          guint64 domain = split.at[TL_LEVEL_CHANNEL] * memory.pseudo_channels + split.at[TL_LEVEL_PSEUDO_CHANNEL];
          guint64 row = split.at[TL_LEVEL_ROW];
          if (memory.kind == TL_MACHINE_CU)
            domain = domain * memory.tiers + split.at[TL_LEVEL_TIER];
          else
            row += split.at[TL_LEVEL_TIER] * memory.rows;
          domain = (domain * memory.groups + split.at[TL_LEVEL_GROUP]) * memory.banks + split.at[TL_LEVEL_BANK];
          ck_assert_uint_eq (place >> tl_address_map_column_bits (map), domain * tl_memory_domain_rows (&memory) + row);
          ck_assert_uint_lt (domain, tl_memory_domains (&memory));
          ck_assert_uint_eq (tl_memory_tier_of (&memory, domain, row), split.at[TL_LEVEL_TIER]);
          if (seen != NULL)
            ck_assert_uint_eq (seen[place]++, 0);
        }
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("target-address-map");
  TCase *tcase = tcase_create ("address-map");

  tcase_set_timeout (tcase, 120);
  tcase_add_loop_test (tcase, maps_as_written, 0, G_N_ELEMENTS (rows));
  tcase_add_test (tcase, odd_counts_have_no_map);
  tcase_add_loop_test (tcase, apply_agrees_with_bits, 0, 5);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
