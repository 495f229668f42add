/* Flows and traffic: each closed form against its step-by-step twin at small sizes,
 * and what of the paper's table is exact. */
#include "fixture.h"
#include "sim/flows.h"
#include "sim/paper.h"
#include "sim/traffic.h"

#include <math.h>
#include <string.h>

static void
assert_close (double a, double b, const char *what, guint32 n)
{
  ck_assert_msg (fabs (a - b) <= 1e-9 * MAX (fabs (a), fabs (b)), "%s, n = %u: %.17g and %.17g", what, n, a, b);
}

START_TEST (closed_forms_equal_steps)
{
  static const guint32 sizes[] = { 1, 17, 64, 256, 300, 500 };
  static const guint32 pus[] = { 1, 5, 32 };

  for (guint p = 0; p < G_N_ELEMENTS (pus); p++)
    for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
      {
        TlPimMachine machine = fixture_machine ();
        guint32      n = sizes[s];

        machine.pus = pus[p];
        assert_close (tl_flow_b0 (&machine, n), tl_flow_b0_commands (&machine, n), "B0", n);
        assert_close (tl_flow_b2 (&machine, n), tl_flow_b2_commands (&machine, n), "B2", n);
        assert_close (tl_flow_b1 (&machine, n, 32, 32), tl_flow_b1_commands (&machine, n, 32, 32), "B1", n);
        assert_close (tl_flow_b1 (&machine, n, 20, 8), tl_flow_b1_commands (&machine, n, 20, 8), "B1", n);
        assert_close (tl_flow_b1 (&machine, n, 0, 32), tl_flow_b1_commands (&machine, n, 0, 32), "B1", n);
      }
}
END_TEST

START_TEST (segment_costs_93_39_cycles)
{
  TlPimMachine machine = fixture_machine ();
  TlB0Costs    costs;

  tl_flow_b0_costs (&machine, &costs);
  assert_close (costs.segment, 93390, "segment", 0);
  assert_close (costs.row, 37445, "row", 0);
}
END_TEST

START_TEST (traffic_is_the_papers)
{
  const double gib = 1073741824.0;
  TlTraffic    replay;

  assert_close (tl_traffic_b0 (65536, 4) / gib, 3145728, "B0", 65536);
  assert_close (tl_traffic_b3 (65536, 256, 4) / gib, 16384, "B3", 65536);
  assert_close (tl_traffic_b0 (65536, 4) / tl_traffic_b3 (65536, 256, 4), 192, "ratio", 65536);
  if (tl_test_rounds (10) < 10)
    {
      tl_test_skip ("replays of 256 tiles a side take minutes under sanitizers");
      return;
    }
  tl_traffic_replay_fast (256, 256, 4, 768 << 10, TL_TOUCH_C_FIRST, &replay);
  ck_assert_double_eq_tol ((double) (replay.read + replay.written) / gib, 1.632e4, 5);
  tl_traffic_replay_fast (256, 256, 4, 768 << 10, TL_TOUCH_OPERANDS_FIRST, &replay);
  ck_assert_double_eq_tol ((double) (replay.read + replay.written) / gib, 1.227e4, 5);
  /* Below the closed form up to B = 256. */
  for (guint32 tile = 16; tile <= 256; tile *= 2)
    {
      tl_traffic_replay_fast (2048 / tile, tile, 4, 768 << 10, TL_TOUCH_C_FIRST, &replay);
      ck_assert_double_lt ((double) (replay.read + replay.written), tl_traffic_b3 (2048, tile, 4));
    }
}
END_TEST

START_TEST (fast_replay_equals_plain)
{
  for (guint32 tiles = 1; tiles <= 24; tiles++)
    for (guint32 room = 0; room <= 40; room += room < 8 ? 1 : 7)
      for (TlTouchOrder order = TL_TOUCH_C_FIRST; order <= TL_TOUCH_OPERANDS_FIRST; order++)
        {
          TlTraffic plain, fast;

          tl_traffic_replay (tiles, 4, 2, room * 32, order, &plain);
          tl_traffic_replay_fast (tiles, 4, 2, room * 32, order, &fast);
          ck_assert_msg (plain.read == fast.read && plain.written == fast.written, "M %u, room %u, order %d", tiles,
                         room, order);
        }
}
END_TEST

/* models.md section 5. */
START_TEST (table_is_reproduced)
{
  static const struct
  {
    const char *figure, *case_name;
    double      model, tolerance;
  } rows[] = {
    { "speed-up B3/B0", "5,242 nodes", 5.04, 0.005 },
    { "speed-up B3/B0", "6,301 nodes", 5.30, 0.005 },
    { "speed-up B3/B0", "65,536 nodes", 5.79, 0.005 },
    { "B3/B2", "5,242 nodes", 0.85, 0.005 },
    { "B3/B2", "6,301 nodes", 0.89, 0.005 },
    { "B3/B2", "65,536 nodes", 0.99, 0.005 },
    { "B3/B2, strict barriers, computing alone", "5,242 nodes", 0.805, 0.0006 },
    { "B3/B2, strict barriers, computing alone", "6,301 nodes", 0.860, 0.0006 },
    { "B3/B2, strict barriers, computing alone", "65,536 nodes", 0.889, 0.0006 },
    { "B3/B2, strict barriers", "5,242 nodes", 0.775, 0.001 },
    { "B3/B2, strict barriers", "6,301 nodes", 0.828, 0.001 },
    { "B3/B2, strict barriers", "65,536 nodes", 0.882, 0.001 },
    { "alignment speed-up B3/B0", "PacBio, 2,000 bases", 2.88, 0.005 },
    { "alignment speed-up B3/B0", "PacBio, 10,000 bases", 9.63, 0.005 },
    { "alignment speed-up B3/B0", "ONT 2D, 2,000 bases", 4.16, 0.005 },
    { "alignment speed-up B3/B0", "ONT 2D, 10,000 bases", 16.60, 0.005 },
    { "last tier of PTR and CAL", "17 GB of tables", 4, 0 },
  };
  TlPimMachine machine = fixture_machine ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) figures = tl_paper_figures (&machine, NULL, &error);

  ck_assert_ptr_nonnull (figures);
  for (guint f = 0; f < figures->len; f++)
    {
      const TlPaperFigure *figure = &g_array_index (figures, TlPaperFigure, f);

      g_print ("%s, %s: paper %g model %.4g %s\n", figure->figure, figure->case_name, figure->paper, figure->model,
               figure->unit);
      if (figure->standing != TL_STANDING_ASSUMPTION)
        ck_assert_msg (fabs (figure->model - figure->paper) <= figure->tolerance * figure->paper + 1e-12, "%s, %s",
                       figure->figure, figure->case_name);
      for (guint r = 0; r < G_N_ELEMENTS (rows); r++)
        if (strcmp (rows[r].figure, figure->figure) == 0 && strcmp (rows[r].case_name, figure->case_name) == 0)
          ck_assert_msg (fabs (figure->model - rows[r].model) <= rows[r].tolerance + 1e-12, "%s, %s: %g",
                         figure->figure, figure->case_name, figure->model);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("sim-flows");
  TCase *tcase = tcase_create ("flows");

  tcase_set_timeout (tcase, 120);
  tcase_add_test (tcase, closed_forms_equal_steps);
  tcase_add_test (tcase, segment_costs_93_39_cycles);
  tcase_add_test (tcase, traffic_is_the_papers);
  tcase_add_test (tcase, fast_replay_equals_plain);
  tcase_add_test (tcase, table_is_reproduced);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
