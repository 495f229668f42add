/* Where tiles lie: first fit done tile by tile is the reference. */
#include "ir/schedule.h"
#include "support/support.h"

#include <string.h>

/* First fit as the words say it. */
static gboolean
plain_fill (const TlPlaceRule *rule, guint32 n, guint32 tile, TlEdges edges, guint32 bits, guint64 capacity,
            guint8 *tier)
{
  guint32  m = (guint32) tl_ceil_div (n, tile);
  guint64  used[TL_MAX_TIERS] = { 0 };
  gboolean fits = TRUE;

  for (guint32 i = 0; i < m; i++)
    for (guint32 j = 0; j < m; j++)
      {
        guint64 h = edges == TL_EDGES_TRIMMED && i == m - 1 ? n - (m - 1) * tile : tile;
        guint64 w = edges == TL_EDGES_TRIMMED && j == m - 1 ? n - (m - 1) * tile : tile;
        guint64 size = (h * w * bits + 7) / 8;
        guint32 t = rule->first;

        while (t <= rule->last && used[t] + size + rule->reserved[t] > capacity)
          t++;
        fits &= t <= rule->last;
        tier[i * m + j] = (guint8) MIN (t, rule->last);
        used[MIN (t, rule->last)] += size;
      }
  return fits;
}

START_TEST (fill_is_first_fit)
{
  guint64 state = tl_test_seed ();

  for (guint round = 0; round < 400; round++)
    {
      guint32            n = 1 + (guint32) tl_test_random_below (&state, 200);
      guint32            tile = 1 + (guint32) tl_test_random_below (&state, 40);
      guint32            bits = 1 + (guint32) tl_test_random_below (&state, 40);
      TlEdges            edges = tl_test_random_below (&state, 2);
      guint32            m = (guint32) tl_ceil_div (n, tile);
      guint64            capacity = 1 + tl_test_random_below (&state, 1 + (guint64) n * n * bits / 8);
      TlPlaceRule        rule = { TL_PLACE_FILL, (guint32) tl_test_random_below (&state, 3),
                                  3 + (guint32) tl_test_random_below (&state, 5) };
      g_autofree guint8 *tier = g_malloc (m * m);
      g_autofree guint8 *plain = g_malloc (m * m);
      guint64            bytes[TL_MAX_TIERS];
      guint64            sum[TL_MAX_TIERS] = { 0 };
      gboolean           fits;

      for (guint t = 0; t < 8; t++)
        rule.reserved[t] = tl_test_random_below (&state, 3) == 0 ? tl_test_random_below (&state, capacity + 1) : 0;
      fits = plain_fill (&rule, n, tile, edges, bits, capacity, plain);
      ck_assert_int_eq (tl_place_tiers (&rule, n, tile, edges, bits, capacity, tier), fits);
      ck_assert_int_eq (tl_place_bytes (&rule, n, tile, edges, bits, capacity, bytes), fits);
      ck_assert (memcmp (tier, plain, m * m) == 0);
      for (guint32 i = 0; i < m; i++)
        for (guint32 j = 0; j < m; j++)
          sum[tier[i * m + j]]
              += tl_tile_bytes (tl_tile_side (n, tile, edges, i), tl_tile_side (n, tile, edges, j), bits);
      ck_assert (memcmp (sum, bytes, sizeof sum) == 0);
    }
}
END_TEST

START_TEST (stripes_and_single_tiers)
{
  TlPlaceRule stripe = { TL_PLACE_STRIPE, 1, 3 };
  TlPlaceRule single = { TL_PLACE_TIER, 5, 5 };
  guint8      tier[25];
  guint64     bytes[TL_MAX_TIERS];

  ck_assert (tl_place_tiers (&stripe, 10, 2, TL_EDGES_PADDED, 32, 1000, tier));
  for (guint x = 0; x < 25; x++)
    ck_assert_uint_eq (tier[x], 1 + x % 3);
  ck_assert (tl_place_tiers (&single, 10, 2, TL_EDGES_PADDED, 32, 400, tier));
  ck_assert (!tl_place_tiers (&single, 10, 2, TL_EDGES_PADDED, 32, 399, tier));
  ck_assert (tl_place_bytes (&single, 9, 2, TL_EDGES_TRIMMED, 32, 324, bytes) && bytes[5] == 324);
}
END_TEST

START_TEST (words_are_those_of_programs)
{
  ck_assert_str_eq (tl_barriers_name (TL_BARRIERS_SUPERSTEP), "superstep");
  ck_assert_str_eq (tl_baseline_name (TL_BASELINE_B3), "B3");
  ck_assert_str_eq (tl_phase_name (TL_PHASE_CROSS), "cross");
  ck_assert_ptr_null (tl_phase_name (3));
  ck_assert_ptr_null (tl_place_name (-1));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("ir-schedule");
  TCase *tcase = tcase_create ("schedule");

  tcase_add_test (tcase, fill_is_first_fit);
  tcase_add_test (tcase, stripes_and_single_tiers);
  tcase_add_test (tcase, words_are_those_of_programs);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
