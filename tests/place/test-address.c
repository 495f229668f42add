/* Binding and the address function: bijections, agreement with the reference, refusals. */
#include <stdio.h>
#include <string.h>

#include "machine.h"
#include "place/bind.h"
#include "place/evaluate.h"
#include "place/plan.h"
#include "place/signature.h"
#include "support/support.h"

static const struct
{
  guint       tiers, banks, rows, columns;
  const char *map;
} machines[] = {
  { 8, 16, 13, 3, "RoBaTiCoCh" },
  { 2, 4, 13, 2, "RoBaTiCoCh" },
  { 2, 2, 13, 2, "BaRoTiCo" },
  { 4, 4, 6, 3, "column = [b0, b1, b5]; tier = [b2 ^ b9, b3]; bank = [b4 ^ b10 ^ b0, b6]; row = [b7..b12]" },
};

/* A random invertible map of n <= d + r + c unit bits to at most d, r and c bits. */
static void
random_placement (guint64 *state, guint n, guint d, guint r, guint c, TlPlacement *placement)
{
  guint   n_domain, n_column;
  guint64 echelon;

  do
    {
      n_domain = (guint) tl_test_random_below (state, MIN (n, d) + 1);
      n_column = (guint) tl_test_random_below (state, MIN (n - n_domain, c) + 1);
    }
  while (n - n_domain - n_column > r);
  *placement
      = (TlPlacement) { .bits = n, .n_domain = n_domain, .n_row = n - n_domain - n_column, .n_column = n_column };
  do
    {
      guint16 rows[TL_PLACE_MAX_BITS];
      for (guint i = 0; i < n; i++)
        rows[i] = placement->rows[i] = (guint16) tl_test_random_below (state, 1u << n);
      TlSubspace span = tl_subspace_span (rows, n);
      echelon = span.dim;
    }
  while (echelon < n);
}

/* All units of all tiles of a region: each at a place of its own, where the reference says. Returns
 * the mismatches. */
static guint64
check_region (TlAddressMap *map, const TlBinder *binder, const TlPlacement *placement, const TlTileMap *tile,
              const TlTileRegion *region, guint64 *units)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_direct_hash, g_direct_equal);
  guint   columns = tl_address_map_column_bits (map);
  guint64 wrong = 0;

  for (guint64 t = 0; t < region->tiles; t++)
    {
      guint64 base = tl_binder_base (binder, tile, region, t);

      for (guint32 u = 0; u < 1u << placement->bits; u++)
        {
          guint64 address = tl_address_of_unit (tile, base, u);
          guint64 place = tl_placement_reference (placement, map, tile->share, base, u);
          guint64 row = place >> columns & ((1u << tl_address_map_row_bits (map)) - 1);

          wrong += tl_place_of_address (map, address) != place || tl_address_map_apply (map, address) != place;
          ck_assert (g_hash_table_add (seen, GSIZE_TO_POINTER (address)));
          ck_assert (row >= region->first_row && row < region->first_row + region->rows);
          ++*units;
        }
    }
  return wrong;
}

START_TEST (random_placements)
{
  guint64 state = tl_test_seed () + 21;
  guint64 units = 0, wrong = 0;

  for (guint round = 0; round < tl_test_rounds (60); round++)
    {
      guint m = round % G_N_ELEMENTS (machines);
      g_autoptr (TlAddressMap) map
          = machine_map (machines[m].tiers, machines[m].banks, machines[m].rows, machines[m].columns, machines[m].map);
      g_autoptr (TlBinder) binder = tl_binder_new (map);
      g_autoptr (TlDiags) diags = tl_diags_new ();
      g_autofree TlTileMap *tile = NULL;
      g_autofree char      *reason = NULL;
      TlPlaceBits           bits;
      TlPlacement           placement;
      TlTileRegion          first, second;

      tl_place_bits (map, &bits);
      guint64 share = tl_test_random_below (&state, 1u << bits.n_domain);
      guint   open = bits.n_domain - (guint) __builtin_popcountll (share);
      guint   n = 1 + (guint) tl_test_random_below (&state, MIN (8, open + 4 + bits.n_column));
      random_placement (&state, n, open, 4, bits.n_column, &placement);
      tile = tl_tile_map_new (&placement, map, share, &reason);
      ck_assert_msg (tile != NULL, "%s", reason);
      guint64 value = tl_test_random_below (&state, 1u << bits.n_domain) & share;
      guint64 tiles = 1 + tl_test_random_below (&state, 5);
      ck_assert (tl_binder_allocate (binder, tile, value, tiles, &first, diags));
      ck_assert (tl_binder_allocate (binder, tile, value, tiles, &second, diags));
      ck_assert (second.first_row >= first.rows && first.tiles >= tiles && first.first_row == 0);
      wrong += check_region (map, binder, &placement, tile, &first, &units);
      wrong += check_region (map, binder, &placement, tile, &second, &units);
    }
  g_print ("%" G_GUINT64_FORMAT " units, %" G_GUINT64_FORMAT " mismatches\n", units, wrong);
  ck_assert_uint_eq (wrong, 0);
}
END_TEST

/* All signatures of six models' products on all machines: PLAN's map, bound and applied. */
START_TEST (templates_of_the_suite)
{
  static const guint16 tiles[][3]
      = { { 64, 128, 64 },  { 64, 64, 32 },  { 128, 256, 64 }, { 128, 128, 64 }, { 64, 64, 64 },
          { 128, 128, 32 }, { 64, 256, 64 }, { 32, 64, 64 },   { 256, 128, 64 } };
  guint64 units = 0, wrong = 0, templates = 0;

  for (guint m = 0; m < 3; m++)
    for (guint i = 0; i < G_N_ELEMENTS (tiles); i++)
      for (guint which = 0; which < 6; which++)
        {
          g_autoptr (TlAddressMap) map = machine_map (machines[m].tiers, machines[m].banks, machines[m].rows,
                                                      machines[m].columns, machines[m].map);
          g_autoptr (TlBinder) binder = tl_binder_new (map);
          g_autoptr (TlDiags) diags = tl_diags_new ();
          TlGemmShape   shape = { .m = MAX (64, tiles[i][0]),
                                  .n = 1024,
                                  .k = 1024,
                                  .tile_m = tiles[i][0],
                                  .tile_n = tiles[i][1],
                                  .tile_k = tiles[i][2],
                                  .quantum = which < 3 ? 128 : 64,
                                  .transposed = which % 3 == 2,
                                  .resident = 1 };
          TlGemmOperand operand = which % 3 == 0 ? TL_GEMM_A : TL_GEMM_B;
          g_autoptr (TlSignature) signature = tl_signature_of_gemm (&shape, operand, diags);
          TlPlaceBits bits;
          tl_place_bits (map, &bits);
          /* Small machines with many rows a tile: the packed map is as good a test of APPLY. */
          TlPlanOptions    options = { .columns = bits.n_column,
                                       .domains = bits.n_domain,
                                       .step_limit = m == 0 ? TL_PLAN_STEP_LIMIT : 1 << 16 };
          TlFreePlan       plan;
          g_autofree char *reason = NULL;
          TlTileRegion     region;
          tl_plan_free_domains (signature->sequence, &options, &plan);
          g_autofree TlTileMap *tile = tl_tile_map_new (&plan.placement, map, 0, &reason);
          ck_assert_msg (tile != NULL, "%s", reason);
          ck_assert (tl_binder_allocate (binder, tile, 0, 3, &region, diags));
          region.tiles = MIN (region.tiles, 3);
          wrong += check_region (map, binder, &plan.placement, tile, &region, &units);
          templates++;
        }
  g_print ("%" G_GUINT64_FORMAT " templates, %" G_GUINT64_FORMAT " units, %" G_GUINT64_FORMAT " mismatches\n",
           templates, units, wrong);
  ck_assert_uint_eq (wrong, 0);
}
END_TEST

/* One wrong bit of a table is seen. */
START_TEST (a_wrong_map_fails)
{
  g_autoptr (TlAddressMap) map = machine_map (8, 16, 13, 3, "RoBaTiCoCh");
  g_autoptr (TlBinder) binder = tl_binder_new (map);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  TlPlacement      placement;
  TlTileRegion     region;
  guint64          units = 0;
  g_autofree char *reason = NULL;

  tl_placement_identity (7, 3, 7, &placement);
  g_autofree TlTileMap *tile = tl_tile_map_new (&placement, map, 0, &reason);
  ck_assert (tl_binder_allocate (binder, tile, 0, 1, &region, diags));
  region.tiles = 1;
  ck_assert_uint_eq (check_region (map, binder, &placement, tile, &region, &units), 0);
  tile->low[5] ^= 1 << 20;
  ck_assert_uint_eq (check_region (map, binder, &placement, tile, &region, &units), 1);
}
END_TEST

/* A plain map and a packed tile: addresses are base plus unit. Packed tiles follow one another. */
START_TEST (packed_is_plain)
{
  g_autoptr (TlAddressMap) map = machine_map (8, 16, 13, 3, "RoBaTiCoCh");
  g_autoptr (TlBinder) binder = tl_binder_new (map);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  TlPlacement      placement;
  TlTileRegion     region;
  g_autofree char *reason = NULL;

  tl_placement_identity (7, 3, 7, &placement);
  g_autofree TlTileMap *tile = tl_tile_map_new (&placement, map, 0, &reason);
  ck_assert (tl_binder_allocate (binder, tile, 0, 100, &region, diags));
  for (guint64 t = 0; t < 100; t++)
    for (guint32 u = 0; u < 128; u++)
      ck_assert_uint_eq (tl_address_of_unit (tile, tl_binder_base (binder, tile, &region, t), u), t * 128 + u);
  g_autofree char *text = tl_tile_map_expression (tile, "u");
  ck_assert_str_eq (text, "((u & 0x7f) << 0)");
}
END_TEST

/* From bytes of the matrix to bytes of DRAM: every byte of a tile of 6-bit weights with an odd pitch. */
START_TEST (from_source_bytes)
{
  guint64 state = tl_test_seed () + 23;

  for (guint round = 0; round < tl_test_rounds (40); round++)
    {
      g_autoptr (TlAddressMap) map = machine_map (8, 16, 13, 3, "RoBaTiCoCh");
      g_autoptr (TlBinder) binder = tl_binder_new (map);
      g_autoptr (TlDiags) diags = tl_diags_new ();
      TlPlacement      placement;
      TlTileRegion     region;
      TlDescriptor     descriptor;
      g_autofree char *reason = NULL;
      TlSourceInterval source = { .address = tl_test_random_below (&state, 1u << 30),
                                  .row_bytes = 1 + tl_test_random_below (&state, 300),
                                  .rows = 1 + tl_test_random_below (&state, 60) };

      source.pitch = source.row_bytes + 2 + tl_test_random_below (&state, 100000);
      random_placement (&state, 10, 7, 13, 3, &placement);
      g_autofree TlTileMap *tile = tl_tile_map_new (&placement, map, 0, &reason);
      ck_assert (tl_binder_allocate (binder, tile, 0, 5, &region, diags));
      ck_assert (tl_bind (binder, tile, &region, 3, &source, 64, &descriptor, diags));
      for (guint64 row = 0; row < source.rows; row++)
        for (guint64 byte = 0; byte < source.row_bytes; byte++)
          {
            guint64 inside = row * source.row_bytes + byte;
            guint64 address = tl_apply (&descriptor, source.address + row * source.pitch + byte);
            guint64 place = tl_placement_reference (&placement, map, 0, descriptor.base, (guint32) (inside / 64));
            ck_assert_uint_eq (tl_place_of_address (map, address / 64), place);
            ck_assert_uint_eq (address % 64, inside % 64);
          }
    }
}
END_TEST

/* Bases with a bit of the tile's places in them are refused, others taken, under plain and hashed maps. */
START_TEST (random_bases)
{
  guint64          state = tl_test_seed () + 29;
  guint            refused = 0, taken = 0;
  TlSourceInterval source = { 0, 128, 128, 8 };

  for (guint round = 0; round < 1200; round++)
    {
      guint m = round % G_N_ELEMENTS (machines);
      g_autoptr (TlAddressMap) map
          = machine_map (machines[m].tiers, machines[m].banks, machines[m].rows, machines[m].columns, machines[m].map);
      g_autoptr (TlBinder) binder = tl_binder_new (map);
      g_autoptr (TlDiags) diags = tl_diags_new ();
      g_autofree char *reason = NULL;
      TlPlacement      placement;
      TlDescriptor     descriptor;
      TlPlaceBits      bits;

      tl_place_bits (map, &bits);
      random_placement (&state, 4, bits.n_domain, 4, bits.n_column, &placement);
      g_autofree TlTileMap *tile = tl_tile_map_new (&placement, map, 0, &reason);
      guint64               base = tl_test_random_below (&state, G_GUINT64_CONSTANT (1) << tl_address_map_bits (map));
      if (tl_test_random_below (&state, 2) == 0)
        base = tl_address_map_unapply (map, tl_address_map_apply (map, base) & ~tile->place);
      gboolean aligned = (tl_place_of_address (map, base) & tile->place) == 0;
      ck_assert_int_eq (tl_bind_at (binder, tile, base, &source, 64, &descriptor, diags), aligned);
      if (!aligned)
        ck_assert_str_eq (tl_diags_get (diags, 0)->code, "base-align");
      refused += !aligned;
      taken += aligned;
    }
  ck_assert (refused > 300 && taken > 300);
}
END_TEST

START_TEST (illegal_layouts)
{
  g_autoptr (TlAddressMap) map = machine_map (2, 4, 3, 2, "RoBaTiCoCh");
  static const struct
  {
    TlPlacement placement;
    guint64     share;
    const char *reason;
  } rows[] = {
    { { 2, 1, 0, 1, { 1, 1 }, 2 }, 0, "not injective" },
    { { 3, 1, 0, 1, { 1, 2, 4 }, 3 }, 0, "not injective" },
    { { 4, 4, 0, 0, { 1, 2, 4, 8 }, 4 }, 0, "4 domain bits, the machine 3" },
    { { 4, 2, 0, 2, { 1, 2, 4, 8 }, 4 }, 5, "2 domain bits, the machine 1" },
    { { 4, 0, 4, 0, { 1, 2, 4, 8 }, 4 }, 0, "4 row bits" },
    { { 4, 1, 0, 3, { 1, 2, 4, 8 }, 4 }, 0, "3 column bits" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *reason = NULL;
      ck_assert_ptr_null (tl_tile_map_new (&rows[i].placement, map, rows[i].share, &reason));
      ck_assert_msg (strstr (reason, rows[i].reason) != NULL, "%s", reason);
    }
}
END_TEST

static void
expect (TlDiags *diags, guint n, const char *code)
{
  ck_assert_uint_eq (tl_diags_count (diags), n);
  ck_assert_str_eq (tl_diags_get (diags, n - 1)->code, code);
  ck_assert_ptr_nonnull (tl_diags_get (diags, n - 1)->reason);
}

START_TEST (regions)
{
  /* 8 domains of 8 rows; a tile takes 4 domains and 2 rows, so 2 tiles side by side. */
  g_autoptr (TlAddressMap) map = machine_map (2, 4, 3, 2, "RoBaTiCoCh");
  g_autoptr (TlBinder) binder = tl_binder_new (map);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autofree char *reason = NULL;
  TlPlacement      placement;
  TlTileRegion     a, b, c, half[2];
  TlDescriptor     descriptor;

  tl_placement_identity (5, 2, 2, &placement);
  g_autofree TlTileMap *tile = tl_tile_map_new (&placement, map, 0, &reason);
  g_autofree TlTileMap *shared = tl_tile_map_new (&placement, map, 4, &reason);
  ck_assert (tl_binder_allocate (binder, tile, 0, 3, &a, diags));
  ck_assert (a.first_row == 0 && a.rows == 4 && a.tiles == 4);
  ck_assert (tl_binder_allocate (binder, tile, 0, 1, &b, diags));
  ck_assert (b.first_row == 4 && b.rows == 2);
  ck_assert (!tl_binder_allocate (binder, tile, 0, 3, &c, diags));
  expect (diags, 1, "region-full");
  ck_assert (!tl_binder_claim (binder, tile, 0, 3, 1, &c, diags));
  expect (diags, 2, "region-align");
  ck_assert (!tl_binder_claim (binder, tile, 0, 2, 1, &c, diags));
  expect (diags, 3, "region-overlap");
  ck_assert (!tl_binder_claim (binder, tile, 0, 8, 1, &c, diags));
  expect (diags, 4, "region-outside");
  ck_assert (!tl_binder_claim (binder, tile, 1, 0, 1, &c, diags));
  expect (diags, 5, "region-share");
  ck_assert (!tl_binder_allocate (binder, tile, 0, 0, &c, diags));
  expect (diags, 6, "region-full");
  /* What is released is free again; halves of the domains do not stand in each other's way. */
  ck_assert (tl_binder_release (binder, &a) && !tl_binder_release (binder, &a));
  ck_assert (tl_binder_allocate (binder, shared, 4, 2, &half[0], diags));
  ck_assert (tl_binder_allocate (binder, shared, 0, 2, &half[1], diags));
  ck_assert (half[0].first_row == 0 && half[1].first_row == 0 && half[0].tiles == 2);
  ck_assert (!tl_binder_claim (binder, tile, 0, 0, 1, &c, diags));
  expect (diags, 7, "region-overlap");
  TlSourceInterval good = { 0, 256, 128, 32 }, wide = { 0, 256, 257, 2 }, many = { 0, 256, 256, 64 };
  ck_assert (tl_bind (binder, shared, &half[0], 1, &good, 128, &descriptor, diags));
  ck_assert (!tl_bind (binder, shared, &half[0], 2, &good, 128, &descriptor, diags));
  expect (diags, 8, "region-tile");
  ck_assert (!tl_bind (binder, shared, &half[0], 0, &wide, 128, &descriptor, diags));
  expect (diags, 9, "source-interval");
  ck_assert (!tl_bind (binder, shared, &half[0], 0, &many, 128, &descriptor, diags));
  expect (diags, 10, "source-interval");
  ck_assert (!tl_bind (binder, shared, &half[0], 0, &good, 96, &descriptor, diags));
  expect (diags, 11, "source-interval");
  ck_assert (!tl_bind_at (binder, tile, 1u << 20, &good, 128, &descriptor, diags));
  expect (diags, 12, "region-outside");
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("place-address");
  TCase *cases = tcase_create ("places");

  tcase_set_timeout (cases, 60);
  tcase_add_test (cases, random_placements);
  tcase_add_test (cases, templates_of_the_suite);
  tcase_add_test (cases, a_wrong_map_fails);
  tcase_add_test (cases, packed_is_plain);
  tcase_add_test (cases, from_source_bytes);
  tcase_add_test (cases, random_bases);
  tcase_add_test (cases, illegal_layouts);
  tcase_add_test (cases, regions);
  suite_add_tcase (suite, cases);
  return tl_test_run (suite);
}
