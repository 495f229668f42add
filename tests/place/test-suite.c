/* The 96 cases: six models, both projections, eight tiles; M = max(64, tile_m), 16 bits, quanta of 128 bytes, in
 * order, weighted by requests (models.md section 6). Every request is counted. */
#include <stdio.h>

#include "machine.h"
#include "place/gemm-plan.h"
#include "support/support.h"

static const struct
{
  const char *name;
  guint16     hidden, expert;
} models[] = {
  { "Llama 4", 5120, 8192 },      { "Mixtral 8x7B", 4096, 14336 }, { "DeepSeek-V3", 7168, 2048 },
  { "Qwen3-30B-A3B", 2048, 768 }, { "gpt-oss-20b", 2880, 2880 },   { "OLMoE", 2048, 1024 },
};

static const guint16 tiles[][3] = { { 64, 128, 64 }, { 64, 64, 32 },   { 128, 256, 64 }, { 128, 128, 64 },
                                    { 64, 64, 64 },  { 128, 128, 32 }, { 64, 256, 64 },  { 32, 64, 64 } };

typedef struct
{
  guint64 requests;
  guint64 row_major, packed, planned; /* conflicts */
  gint64  slowest;                    /* us of a plan */
} Totals;

static guint64
conflicts (const TlGemmShape *shape, TlAddressMap *map, const TlGemmPlacing *placing, guint64 *requests)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  TlInOrderCounts counts;

  ck_assert (tl_gemm_count (shape, map, placing, 0, NULL, &counts, diags));
  *requests = counts.requests;
  return counts.conflict;
}

static void
count_case (TlGemmShape *shape, TlAddressMap *map, gboolean baselines, Totals *totals)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  TlGemmPlanOptions options = { .step_limit = TL_PLAN_STEP_LIMIT, .sample = 1 << 16 };
  gint64            start = g_get_monotonic_time ();
  g_autoptr (TlGemmPlan) plan = tl_gemm_plan_new (shape, map, &options, diags);
  guint64 requests;

  totals->slowest = MAX (totals->slowest, g_get_monotonic_time () - start);
  ck_assert_msg (plan != NULL, "%s", tl_diags_count (diags) > 0 ? tl_diags_get (diags, 0)->message : "");
  const TlPlacement *placements[] = { &plan->way[0].plan[0].placement, &plan->way[0].plan[1].placement };
  g_autoptr (TlGemmPlacing) placing = tl_gemm_placing_new (shape, map, placements, plan->way[0].split, diags);
  totals->planned += conflicts (shape, map, placing, &requests);
  totals->requests += requests;
  if (!baselines)
    return;
  totals->row_major += conflicts (shape, map, NULL, &requests);
  shape->packed = TRUE;
  totals->packed += conflicts (shape, map, NULL, &requests);
}

static Totals
count_all (gboolean transposed, guint resident, guint skew, gboolean baselines)
{
  g_autoptr (TlAddressMap) map = machine_map (8, 16, 13, 3, "RoBaTiCoCh");
  Totals totals = { 0 };

  for (guint m = 0; m < G_N_ELEMENTS (models); m++)
    for (guint down = 0; down < 2; down++)
      for (guint t = 0; t < G_N_ELEMENTS (tiles); t++)
        {
          TlGemmShape shape = { .m = MAX (64, tiles[t][0]),
                                .n = down ? models[m].hidden : models[m].expert,
                                .k = down ? models[m].expert : models[m].hidden,
                                .tile_m = tiles[t][0],
                                .tile_n = tiles[t][1],
                                .tile_k = tiles[t][2],
                                .quantum = 128,
                                .transposed = transposed,
                                .resident = resident,
                                .skew = skew };
          count_case (&shape, map, baselines, &totals);
        }
  g_print ("%s, %u CTAs, skew %u: %" G_GUINT64_FORMAT " requests, conflicts row-major %.2f %%, packed %.2f %%, "
           "planned %.2f %%; slowest plan %.1f ms\n",
           transposed ? "N x K" : "K x N", resident, skew, totals.requests,
           100.0 * (double) totals.row_major / (double) totals.requests,
           100.0 * (double) totals.packed / (double) totals.requests,
           100.0 * (double) totals.planned / (double) totals.requests, (double) totals.slowest / 1000);
  return totals;
}

/* Whether a rate is within a tenth of a percent of @wanted tenths. */
static gboolean
near (guint64 conflict, guint64 requests, guint wanted)
{
  return conflict * 1000 >= (guint64) (wanted - 1) * requests && conflict * 1000 <= (guint64) (wanted + 1) * requests;
}

START_TEST (one_block)
{
  Totals totals = count_all (FALSE, 1, 0, TRUE);

  ck_assert (near (totals.row_major, totals.requests, 749));
  ck_assert (!near (totals.row_major, totals.requests, 752));
  ck_assert (near (totals.packed, totals.requests, 110));
  ck_assert (near (totals.planned, totals.requests, 110));
}
END_TEST

START_TEST (resident_blocks)
{
  Totals totals = count_all (TRUE, _i == 0 ? 2 : 4, 7, FALSE);

  ck_assert_uint_le (totals.planned * 100, totals.requests * 8);
  ck_assert (near (totals.planned, totals.requests, _i == 0 ? 79 : 68));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("place-suite");
  TCase *cases = tcase_create ("96 cases");

  tcase_set_timeout (cases, 300);
  tcase_add_test (cases, one_block);
  tcase_add_loop_test (cases, resident_blocks, 0, 2);
  suite_add_tcase (suite, cases);
  return tl_test_run (suite);
}
