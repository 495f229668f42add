/* From elements to DRAM and back: all elements of products of every width, by brute force; distinct places; predicted
 * conflicts. */
#include <stdio.h>
#include <string.h>

#include "base/gf2.h"
#include "layout/packing.h"
#include "machine.h"
#include "place/chain.h"
#include "place/evaluate.h"
#include "support/support.h"

/* The B operand of one warp's tile: 16 r x 8 q, and the A operand of 16 s x 16 r. */
static const char b_atom[] = "local(2,1).column_spatial(4,8).local(2,1)";

typedef struct
{
  guint     bits;
  gboolean  transposed;
  guint     warps_n, repeat_k, repeat_n;
  guint64   k, n;
  guint32   quantum;
  TlLoadWay way;
  gboolean  pieces;
} Case;

typedef struct
{
  TlGemmShape    shape;
  TlLayout       layout;
  TlLoadRecipe   recipe;
  TlAddressMap  *map;
  TlGemmPlan    *plan;
  TlGemmPlacing *placing;
  TlChain       *chain;
} Fixture;

static void
fixture_clear (Fixture *fixture)
{
  tl_chain_free (fixture->chain);
  tl_gemm_placing_free (fixture->placing);
  tl_gemm_plan_free (fixture->plan);
  tl_address_map_unref (fixture->map);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fixture, fixture_clear)

static void
set_up (Fixture *fixture, const Case *at, const char *map)
{
  g_autofree char *text
      = g_strdup_printf ("spatial(1,%u).local(%u,%u).%s", at->warps_n, at->repeat_k, at->repeat_n, b_atom);
  g_autofree char *reason = NULL;
  g_autoptr (TlDiags) diags = tl_diags_new ();
  TlGemmPlanOptions options = { .step_limit = 1 << 20, .sample = 1 << 14 };

  *fixture = (Fixture) { .map = machine_map (4, 8, 12, 3, map) };
  ck_assert_msg (tl_layout_parse (&fixture->layout, text, -1, NULL, &reason), "%s", reason);
  ck_assert_msg (tl_load_recipe_make (&fixture->recipe, at->bits, &fixture->layout, at->way, 0, &reason), "%s", reason);
  fixture->shape = (TlGemmShape) { .m = 16,
                                   .n = (guint32) at->n,
                                   .k = (guint32) at->k,
                                   .tile_m = 16,
                                   .tile_n = (guint32) fixture->recipe.target.shape[1],
                                   .tile_k = (guint32) fixture->recipe.target.shape[0],
                                   .quantum = at->quantum,
                                   .transposed = at->transposed,
                                   .resident = 1,
                                   .bits = { 16, at->bits } };
  fixture->plan = tl_gemm_plan_new (&fixture->shape, fixture->map, &options, diags);
  ck_assert_ptr_nonnull (fixture->plan);
  const TlGemmWay   *way = &fixture->plan->way[0];
  const TlPlacement *placements[] = { &way->plan[0].placement, &way->plan[1].placement };
  fixture->placing = tl_gemm_placing_new (&fixture->shape, fixture->map, placements, way->split, diags);
  ck_assert_ptr_nonnull (fixture->placing);
  TlChainSpec spec = { .shape = &fixture->shape,
                       .operand = TL_GEMM_B,
                       .recipe = at->pieces ? &fixture->recipe : NULL,
                       .layout = &fixture->recipe.target,
                       .groups = 2 };
  fixture->chain = tl_chain_new (&spec, fixture->placing, fixture->map, &reason);
  ck_assert_msg (fixture->chain != NULL, "%s", reason);
}

/* Every way of loading, both orders of the codes, edges that stick out. */
static Case
random_case (guint i, guint64 *state)
{
  Case at = { .bits = i % 8 + 1,
              .transposed = i / 8 % 2,
              .warps_n = 1 + (guint) tl_test_random_below (state, 2),
              .repeat_k = 1 + (guint) tl_test_random_below (state, 3),
              .repeat_n = 1 + (guint) tl_test_random_below (state, 3),
              .quantum = 32u << tl_test_random_below (state, 3),
              .way = i % 3 == 0 ? TL_LOAD_REPEAT : TL_LOAD_SHARED_BYTE,
              .pieces = i % 5 != 4 };

  at.k = 1 + tl_test_random_below (state, 80);
  at.n = 8 * (1 + tl_test_random_below (state, 5));
  if (!at.pieces || at.transposed)
    at.k = 8 * (1 + at.k / 8);
  return at;
}

/* Every element goes to bits of DRAM of its own, as the address map of the machine has them, and each of them leads
 * back to it; what else a tile has is padding. */
static guint64
round_trip (const Case *at, const char *map)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (GHashTable) taken = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  guint64 rows, columns, bits = 0;

  set_up (&fixture, at, map);
  tl_chain_size (fixture.chain, &rows, &columns);
  ck_assert_uint_eq (rows, at->transposed ? at->n : at->k);
  ck_assert_uint_eq (columns, at->transposed ? at->k : at->n);
  for (guint64 row = 0; row < rows; row++)
    for (guint64 column = 0; column < columns; column++)
      {
        g_auto (TlChainElement) element = { 0 };
        guint next = 0;

        ck_assert (tl_chain_of_element (fixture.chain, row, column, &element));
        ck_assert_uint_eq (element.n_threads, 2);
        ck_assert_uint_eq (element.threads[1], element.threads[0] + at->warps_n * 32);
        for (guint i = 0; i < element.parts->len; i++)
          {
            const TlChainPart *part = &g_array_index (element.parts, TlChainPart, i);

            ck_assert_uint_eq (part->first, next);
            ck_assert_uint_eq (part->unit, part->byte / at->quantum);
            ck_assert_uint_le (part->bit + part->n_bits, 8);
            ck_assert_uint_eq (part->place, tl_place_of_address (fixture.map, part->address));
            for (guint k = 0; k < part->n_bits; k++)
              {
                guint      in_unit = (guint) (part->byte % at->quantum) * 8 + part->bit + k;
                gint64    *key = g_new (gint64, 1);
                TlChainBit found;

                *key = (gint64) (part->address * at->quantum * 8 + in_unit);
                ck_assert_msg (g_hash_table_add (taken, key), "two elements have bit %" G_GINT64_FORMAT, *key);
                tl_chain_of_address (fixture.chain, part->address, in_unit, &found);
                ck_assert_int_eq (found.kind, TL_CHAIN_ELEMENT);
                ck_assert (found.row == row && found.column == column);
                ck_assert_uint_eq (found.element_bit, part->first + k);
                ck_assert_uint_eq (found.thread, element.threads[0]);
                ck_assert_uint_eq (found.local, element.local);
                ck_assert_uint_eq (found.register_bit, part->register_bit + k);
                ck_assert_uint_eq (found.unit, part->unit);
                bits++;
              }
            next += part->n_bits;
          }
        ck_assert_uint_eq (next, at->bits);
      }
  ck_assert_uint_eq (bits, rows * columns * at->bits);
  TlChainElement none;
  ck_assert (!tl_chain_of_element (fixture.chain, rows, 0, &none));
  ck_assert (!tl_chain_of_element (fixture.chain, 0, columns, &none));
  return bits;
}

START_TEST (every_bit_of_every_element)
{
  guint64 bits = 0, state = tl_test_seed ();

  for (guint i = 0; i < tl_test_rounds (240); i++)
    {
      Case at = random_case (i, &state);
      bits += round_trip (&at, i % 4 == 3 ? "column = [b0, b1 ^ b7, b2]; bank = [b3, b4, b5]; tier = [b6, b7 ^ b12]; "
                                            "row = [b8 .. b19]"
                                          : "RoBaTiCoCh");
    }
  printf ("%" G_GUINT64_FORMAT " bits of elements there and back\n", bits);
}
END_TEST

/* The image that the chain reads is the one that the recipe packs: codes written where the chain says are the packed
 * bytes. */
START_TEST (chain_and_recipe_agree_on_bytes)
{
  guint64 state = tl_test_seed ();

  for (guint bits = 1; bits <= 8; bits++)
    {
      Case at = { bits, bits % 2, 2, 2, 2, 32, 32, 64, bits % 8 == 0 ? TL_LOAD_REPEAT : TL_LOAD_SHARED_BYTE, TRUE };
      g_auto (Fixture) fixture = { 0 };
      guint64 rows, columns;

      set_up (&fixture, &at, "RoBaTiCoCh");
      tl_chain_size (fixture.chain, &rows, &columns);
      gsize              n = (gsize) (rows * columns);
      g_autofree guint8 *codes = g_new (guint8, n);
      g_autofree guint8 *packed = g_new0 (guint8, fixture.recipe.bytes);
      g_autofree guint8 *written = g_new0 (guint8, fixture.recipe.bytes);
      ck_assert_uint_eq (n, tl_layout_elements (&fixture.layout));
      for (guint64 row = 0; row < rows; row++)
        for (guint64 column = 0; column < columns; column++)
          {
            g_auto (TlChainElement) element = { 0 };
            guint8 code = (guint8) tl_test_random_below (&state, 1u << bits);

            codes[at.transposed ? column * rows + row : row * columns + column] = code;
            ck_assert (tl_chain_of_element (fixture.chain, row, column, &element));
            for (guint i = 0; i < element.parts->len; i++)
              {
                const TlChainPart *part = &g_array_index (element.parts, TlChainPart, i);
                tl_bits_put (written, part->byte * 8 + part->bit, part->n_bits, code >> part->first);
              }
          }
      tl_load_recipe_pack (&fixture.recipe, codes, packed);
      ck_assert_mem_eq (packed, written, fixture.recipe.bytes);
    }
}
END_TEST

/* PLAN of pieces: every unit at an address of its own, and counted at the machine what was predicted of the order. */
START_TEST (placed_pieces_conflict_as_predicted)
{
  static const guint machines[][4] = { { 2, 4, 10, 3 }, { 1, 2, 10, 2 }, { 8, 16, 13, 3 } };

  for (guint i = 0; i < 8 * G_N_ELEMENTS (machines); i++)
    {
      guint            bits = i % 8 + 1;
      const guint     *machine = machines[i / 8];
      g_autofree char *text = g_strdup_printf ("spatial(1,4).local(4,4).%s", b_atom);
      g_autofree char *reason = NULL;
      g_autoptr (TlDiags) diags = tl_diags_new ();
      g_autoptr (TlAddressMap) map = machine_map (machine[0], machine[1], machine[2], machine[3], "RoBaTiCoCh");
      TlLayout     layout;
      TlLoadRecipe recipe;
      TlPlaceBits  place_bits;
      TlFreePlan   plan;

      ck_assert (tl_layout_parse (&layout, text, -1, NULL, NULL));
      ck_assert (tl_load_recipe_make (&recipe, bits, &layout, TL_LOAD_REPEAT, 0, NULL));
      g_autoptr (TlSignature) signature = tl_signature_of_pieces (&recipe, TL_GEMM_B, FALSE, 32, diags);
      ck_assert_ptr_nonnull (signature);
      ck_assert_uint_eq (signature->units, signature->sequence->length);
      ck_assert_uint_eq (signature->units, (64 * 128 * bits / 8 + 31) / 32);
      tl_place_bits (map, &place_bits);
      TlPlanOptions options = { place_bits.n_column, place_bits.n_domain, TL_PLAN_STEP_LIMIT, NULL, NULL };
      tl_plan_free_domains (signature->sequence, &options, &plan);
      g_autofree TlTileMap *tile = tl_tile_map_new (&plan.placement, map, 0, &reason);
      g_autoptr (TlBinder) binder = tl_binder_new (map);
      TlTileRegion region;
      ck_assert (tl_binder_allocate (binder, tile, 0, 3, &region, diags));
      g_autoptr (GHashTable) taken = g_hash_table_new (NULL, NULL);
      for (guint64 t = 0; t < 3; t++)
        {
          g_autoptr (TlInOrder) counter = tl_in_order_new (map, TL_PAGES_OPEN);
          guint64         base = tl_binder_base (binder, tile, &region, t);
          TlInOrderCounts counts;

          for (guint32 u = 0; u < signature->sequence->length; u++)
            {
              guint64 address = tl_address_of_unit (tile, base, signature->sequence->units[u]);
              ck_assert (g_hash_table_add (taken, GSIZE_TO_POINTER (address)));
              tl_in_order_feed (counter, &address, 1);
            }
          tl_in_order_counts (counter, &counts);
          ck_assert_uint_eq (counts.hit, plan.hits);
          ck_assert_uint_eq (counts.miss, plan.coverage);
          ck_assert_uint_eq (counts.conflict, plan.conflicts);
        }
    }
}
END_TEST

START_TEST (what_is_no_tile_is_refused)
{
  Case at = { 6, FALSE, 2, 1, 1, 32, 16, 32, TL_LOAD_REPEAT, TRUE };
  g_auto (Fixture) fixture = { 0 };
  g_autofree char *reason = NULL;
  TlChainSpec      spec = { .shape = &fixture.shape, .operand = TL_GEMM_B, .recipe = &fixture.recipe };
  TlChainBit       found;

  set_up (&fixture, &at, "RoBaTiCoCh");
  fixture.shape.bits[TL_GEMM_B] = 4;
  ck_assert_ptr_null (tl_chain_new (&spec, fixture.placing, fixture.map, &reason));
  ck_assert_ptr_nonnull (strstr (reason, "6 bits"));
  g_clear_pointer (&reason, g_free);
  fixture.shape.bits[TL_GEMM_B] = 6;
  fixture.shape.tile_k = 32;
  ck_assert_ptr_null (tl_chain_new (&spec, fixture.placing, fixture.map, &reason));
  ck_assert_ptr_nonnull (strstr (reason, "not one of tiles"));
  tl_chain_of_address (fixture.chain, G_GUINT64_CONSTANT (1) << 40, 0, &found);
  ck_assert_int_eq (found.kind, TL_CHAIN_NOTHING);
  tl_chain_of_address (fixture.chain, 0, 8 * 32, &found);
  ck_assert_int_eq (found.kind, TL_CHAIN_NOTHING);
  /* Rows of the last domain that no tile has. */
  tl_chain_of_address (fixture.chain, (G_GUINT64_CONSTANT (1) << 20) - 1, 0, &found);
  ck_assert_int_eq (found.kind, TL_CHAIN_NOTHING);
}
END_TEST

/* A chain of a wrong width must not agree with itself. */
START_TEST (a_wrong_width_is_noticed)
{
  Case at = { 6, FALSE, 1, 1, 1, 32, 16, 8, TL_LOAD_REPEAT, TRUE };
  g_auto (Fixture) right = { 0 }, wrong = { 0 };
  guint differ = 0;

  set_up (&right, &at, "RoBaTiCoCh");
  at.bits = 5;
  at.way = TL_LOAD_SHARED_BYTE;
  set_up (&wrong, &at, "RoBaTiCoCh");
  for (guint64 x = 0; x < 128; x++)
    {
      g_auto (TlChainElement) one = { 0 }, other = { 0 };

      ck_assert (tl_chain_of_element (right.chain, x / 8, x % 8, &one));
      ck_assert (tl_chain_of_element (wrong.chain, x / 8, x % 8, &other));
      differ += g_array_index (one.parts, TlChainPart, 0).byte != g_array_index (other.parts, TlChainPart, 0).byte;
    }
  ck_assert_uint_gt (differ, 64);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("place-chain");
  TCase *tests = tcase_create ("chain");

  tcase_set_timeout (tests, 120);
  tcase_add_test (tests, every_bit_of_every_element);
  tcase_add_test (tests, chain_and_recipe_agree_on_bytes);
  tcase_add_test (tests, placed_pieces_conflict_as_predicted);
  tcase_add_test (tests, what_is_no_tile_is_refused);
  tcase_add_test (tests, a_wrong_width_is_noticed);
  suite_add_tcase (suite, tests);
  return tl_test_run (suite);
}
