/* Counting in source order: the goldens, the eight-unit lesson, closed pages, and a
 * plain model that shares no code with the counter. */
#include <string.h>

#include "dram/in-order.h"
#include "golden.h"
#include "support/support.h"

/* 1,000,000 reads. The last row is wrong on purpose and must fail. */
static const struct
{
  const char *target, *override, *pattern;
  guint64     hit, miss, conflict;
} goldens[] = {
  { "cu-t8b16", "quantum=64 B", "seq", 875000, 128, 124872 },
  { "cu-t8b16", "quantum=64 B", "tile", 500000, 128, 499872 },
  { "peer-hbm2", NULL, "seq", 968750, 32, 31218 },
  { "peer-hbm2", NULL, "tile", 750000, 32, 249968 },
  { "peer-hbm2-128", NULL, "tile", 500000, 16, 499984 },
  { "cu-t8b16", "quantum=64 B", "seq", 875001, 128, 124871 },
};

START_TEST (counts_are_golden)
{
  g_autoptr (TlTarget) target = golden_target (goldens[_i].target, goldens[_i].override);
  const TlMemory     *memory = tl_target_memory (target);
  g_autofree guint64 *units = g_new (guint64, 1000000);
  g_autoptr (TlInOrder) counter = tl_in_order_new (tl_target_map (target), TL_PAGES_OPEN);
  TlInOrderCounts counts;

  for (guint i = 0; i < 1000000; i++)
    {
      guint64 address = golden_address (goldens[_i].pattern, i, memory->unit_bytes);
      ck_assert_uint_lt (address, memory->capacity);
      units[i] = address / memory->unit_bytes;
    }
  tl_in_order_feed (counter, units, 1000000);
  tl_in_order_counts (counter, &counts);
  gboolean equal
      = counts.hit == goldens[_i].hit && counts.miss == goldens[_i].miss && counts.conflict == goldens[_i].conflict;
  ck_assert_msg (equal == (_i + 1 < G_N_ELEMENTS (goldens)),
                 "%" G_GUINT64_FORMAT " / %" G_GUINT64_FORMAT " / %" G_GUINT64_FORMAT, counts.hit, counts.miss,
                 counts.conflict);
  ck_assert_uint_eq (counts.requests, 1000000);
  ck_assert_uint_eq (counts.hit + counts.miss + counts.conflict, counts.requests);
  ck_assert_uint_eq (counts.act, counts.miss + counts.conflict);
  ck_assert_uint_eq (counts.pre, counts.conflict);
  ck_assert_uint_eq (counts.domains, counts.miss);
}
END_TEST

static const struct
{
  const char *target, *classes;
} lessons[] = { { "lesson", "MCCCCCCC" }, { "lesson-c1", "MHHHCHHH" }, { "lesson", "MHHHCHHH" } };

START_TEST (eight_units_teach)
{
  static const guint64 order[8] = { 0, 4, 1, 5, 2, 6, 3, 7 };
  g_autoptr (TlTarget) target = golden_target (lessons[_i].target, NULL);
  g_autoptr (TlInOrder) counter = tl_in_order_new (tl_target_map (target), tl_target_memory (target)->pages);
  guint8 classes[8];
  char   letters[9] = { 0 };

  tl_in_order_classify (counter, order, 8, classes);
  for (guint i = 0; i < 8; i++)
    letters[i] = "HMC"[classes[i]];
  if (_i + 1 < G_N_ELEMENTS (lessons))
    ck_assert_str_eq (letters, lessons[_i].classes);
  else
    ck_assert_str_ne (letters, lessons[_i].classes);
}
END_TEST

/* Independent: each level's bits by division of the place, rows in a hash table. */
START_TEST (a_plain_model_agrees)
{
  static const char *const maps[] = {
    "RoBaRaCoCh",
    "MOP4CLXOR",
    "ChRaBaRoCo",
    "RoBgBaTiPcCoCh",
    ("column = [b0, b4]; row = [b1, b2 ^ b0, b11, b10]; bank = [b3 ^ b11, b5]; group = [b6]; tier = [b7 ^ b10]; "
     "channel = [b8]; pseudo_channel = [b9 ^ b2]"),
  };
  guint64          state = tl_test_seed () + _i;
  TlMemory         memory = { .kind = _i % 2 == 0 ? TL_MACHINE_CU : TL_MACHINE_PIM,
                              .channels = 2,
                              .pseudo_channels = 2,
                              .tiers = 2,
                              .groups = 2,
                              .banks = 4,
                              .rows = 16,
                              .columns = 4 };
  g_autofree char *reason = NULL;
  g_autoptr (TlAddressMap) map = tl_address_map_parse (maps[_i / 2], &memory, &reason);
  ck_assert_msg (map != NULL, "%s", reason);
  for (guint pages = 0; pages < 2; pages++)
    {
      g_autoptr (TlInOrder) counter = tl_in_order_new (map, pages == 0 ? TL_PAGES_OPEN : TL_PAGES_CLOSED);
      g_autoptr (GHashTable) open = g_hash_table_new (NULL, NULL);
      guint64         counted[3] = { 0 };
      TlInOrderCounts counts;
      for (guint i = 0; i < 5000; i++)
        {
          /* Walks and jumps, so that hits occur. */
          guint64   unit = (tl_test_random_below (&state, 3) == 0 ? tl_test_random_below (&state, 4096) : i) % 4096;
          guint8    row_class;
          TlPlaceOf place = tl_address_map_split (map, unit);
          guint     domain = 1, row = place.at[TL_LEVEL_ROW] + 1;
          for (guint level = 0; level < TL_LEVEL_ROW; level++)
            if (level != TL_LEVEL_TIER || memory.kind == TL_MACHINE_CU)
              domain = domain * 16 + place.at[level];
          if (memory.kind == TL_MACHINE_PIM)
            row += 1000 * place.at[TL_LEVEL_TIER];
          guint held = GPOINTER_TO_UINT (g_hash_table_lookup (open, GUINT_TO_POINTER (domain)));
          guint wanted = held == row ? TL_ROW_HIT : held == 0 || pages == 1 ? TL_ROW_MISS : TL_ROW_CONFLICT;
          g_hash_table_insert (open, GUINT_TO_POINTER (domain), GUINT_TO_POINTER (row));
          tl_in_order_classify (counter, &unit, 1, &row_class);
          ck_assert_uint_eq (row_class, wanted);
          counted[wanted]++;
        }
      tl_in_order_counts (counter, &counts);
      ck_assert_uint_eq (counts.hit, counted[TL_ROW_HIT]);
      ck_assert_uint_eq (counts.miss, counted[TL_ROW_MISS]);
      ck_assert_uint_eq (counts.conflict, counted[TL_ROW_CONFLICT]);
      ck_assert_uint_eq (counts.domains, g_hash_table_size (open));
      ck_assert_uint_eq (counts.pre, pages == 0 ? counts.conflict : counts.act);
    }
}
END_TEST

/* GenDRAM's rule: a row of 8 beats is one opening and 7 hits, whatever else runs. */
START_TEST (closed_pages_have_no_conflicts)
{
  g_autoptr (TlTarget) target = golden_target ("gendram", NULL);
  g_autoptr (TlInOrder) counter = tl_in_order_new (tl_target_map (target), tl_target_memory (target)->pages);
  guint64         state = tl_test_seed ();
  TlInOrderCounts counts;

  for (guint row = 0; row < 7680; row++)
    {
      TlPlaceOf place = { .at = { tl_test_random_below (&state, 16), 0, tl_test_random_below (&state, 8),
                                  tl_test_random_below (&state, 2), tl_test_random_below (&state, 4), row, 0 } };
      for (guint beat = 0; beat < 8; beat++)
        {
          place.at[TL_LEVEL_COLUMN] = beat;
          guint64 unit = tl_address_map_join (tl_target_map (target), &place);
          tl_in_order_feed (counter, &unit, 1);
        }
    }
  tl_in_order_counts (counter, &counts);
  ck_assert_uint_eq (counts.requests, 61440);
  ck_assert_uint_eq (counts.hit, 53760);
  ck_assert_uint_eq (counts.miss, 7680);
  ck_assert_uint_eq (counts.conflict, 0);
  ck_assert_uint_eq (counts.act, 7680);
  ck_assert_uint_eq (counts.pre, 7680);
}
END_TEST

/* More than 31 bits of domain and row take the wide keys. */
START_TEST (wide_keys_count_alike)
{
  g_autoptr (TlTarget) wide = golden_target ("hbm2", "rows=2^24");
  g_autoptr (TlTarget) narrow = golden_target ("hbm2", NULL);
  g_autoptr (TlInOrder) a = tl_in_order_new (tl_target_map (wide), TL_PAGES_OPEN);
  g_autoptr (TlInOrder) b = tl_in_order_new (tl_target_map (narrow), TL_PAGES_OPEN);
  guint64         state = tl_test_seed ();
  TlInOrderCounts counts_a, counts_b;

  ck_assert_uint_gt (tl_address_map_bits (tl_target_map (wide)) - tl_address_map_column_bits (tl_target_map (wide)),
                     31);
  for (guint i = 0; i < 100000; i++)
    {
      guint64 unit = i % 3 == 0 ? tl_test_random_below (&state, 1 << 28) : i;
      tl_in_order_feed (a, &unit, 1);
      tl_in_order_feed (b, &unit, 1);
    }
  tl_in_order_counts (a, &counts_a);
  tl_in_order_counts (b, &counts_b);
  ck_assert_int_eq (memcmp (&counts_a, &counts_b, sizeof counts_a), 0);
}
END_TEST

/* --- whole traces --- */

static gboolean
replay (const char *text, TlTarget *target, gboolean wrap, TlInOrderCounts *counts, TlDiags *diags)
{
  g_autoptr (GInputStream) stream = g_memory_input_stream_new_from_data (text, strlen (text), NULL);
  g_autoptr (TlTrace) trace = tl_trace_new (stream, "t");
  TlReplayOptions options = { .pages = tl_target_memory (target)->pages, .wrap = wrap };

  return tl_replay_in_order (trace, target, &options, counts, diags);
}

START_TEST (traces_are_replayed)
{
  g_autoptr (TlTarget) target = golden_target ("lesson", NULL);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  TlInOrderCounts counts;

  ck_assert (replay ("LD 0\nLD 0x100\nST 64\nLD 320\n", target, FALSE, &counts, diags));
  ck_assert_uint_eq (counts.miss, 1);
  ck_assert_uint_eq (counts.conflict, 3);
  ck_assert_uint_eq (counts.writes, 1);
  ck_assert_uint_eq (counts.reads, 3);
  /* A request of 256 bytes at 0x20 touches five units, the last in the other row. */
  ck_assert (replay ("1: (256) read 0x20\n", target, FALSE, &counts, diags));
  ck_assert_uint_eq (counts.requests, 5);
  ck_assert_uint_eq (counts.hit, 3);
  ck_assert_uint_eq (counts.conflict, 1);
  ck_assert (replay ("LD 0x200\nLD 0x3c0\n", target, TRUE, &counts, diags));
  ck_assert_uint_eq (counts.miss, 1);
  ck_assert_uint_eq (counts.conflict, 1);
  ck_assert_uint_eq (tl_diags_count (diags), 0);
  ck_assert (!replay ("LD 0x1ff\nLD 0x200\n", target, FALSE, &counts, diags));
  ck_assert_uint_eq (tl_diags_get (diags, 0)->from.line, 2);
  ck_assert_uint_eq (counts.requests, 1);
  ck_assert (!replay ("LD 0xffffffffffffffff\n", target, FALSE, &counts, diags));
  ck_assert (!replay ("1: (64) read 0x1e0\n", target, FALSE, &counts, diags));
  ck_assert_uint_eq (tl_diags_count (diags), 3);
  ck_assert (replay ("", target, FALSE, &counts, diags));
  ck_assert_uint_eq (counts.requests, 0);
}
END_TEST

START_TEST (targets_without_a_map_say_so)
{
  g_autoptr (TlTarget) target = golden_target ("gendram", "banks=3");
  g_autoptr (TlDiags) diags = tl_diags_new ();
  TlInOrderCounts counts;

  ck_assert (!replay ("LD 0\n", target, FALSE, &counts, diags));
  ck_assert_str_eq (tl_diags_get (diags, 0)->code, "target-map");
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("dram-in-order");
  TCase *tcase = tcase_create ("in-order");

  tcase_set_timeout (tcase, 60);
  tcase_add_loop_test (tcase, counts_are_golden, 0, G_N_ELEMENTS (goldens));
  tcase_add_loop_test (tcase, eight_units_teach, 0, G_N_ELEMENTS (lessons));
  tcase_add_loop_test (tcase, a_plain_model_agrees, 0, 10);
  tcase_add_test (tcase, closed_pages_have_no_conflicts);
  tcase_add_test (tcase, wide_keys_count_alike);
  tcase_add_test (tcase, traces_are_replayed);
  tcase_add_test (tcase, targets_without_a_map_say_so);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
