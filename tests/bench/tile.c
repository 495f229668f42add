/* The budgets of tile kernels: the interpreter with and without its checks, layouts, the step that is checked at each key
 * press. Prints, never judges. Times are of the processor; best of several. */
#include "figure.h"
#include "layout/convert.h"
#include "scene/layout-lens.h"
#include "scene/register-lens.h"
#include "support/support.h"
#include "tile/matmul.h"
#include "tile/run.h"

#include <stdio.h>

#define ROUNDS 5

/* One tile of 64 x 128 along a k of 64 * @steps. Returns seconds, and thread instructions a second in *rate. */
static double
run_kernel (const char *weight, guint steps, gboolean unchecked, double *rate)
{
  TlTileMatmulSpec spec = {
    .m = 64, .n = 128, .k = 64 * steps, .tiling = { 2, 2, 2, 8, 4 }, .vector = 1, .stages = 3, .way = TL_LOAD_REPEAT
  };
  g_auto (TlTileMatmul) matmul = { 0 };
  g_autofree char *reason = NULL;
  double           best = G_MAXDOUBLE;

  if (!tl_element_type_parse ("f16", &spec.activation) || !tl_element_type_parse (weight, &spec.weight)
      || !tl_tile_matmul_make (&matmul, &spec, &reason))
    return 0;
  g_autoptr (TlTilePlan) plan = tl_tile_plan_new (matmul.kernel, NULL, NULL);
  gsize              a_bytes = 64 * spec.k * 2, c_bytes = 64 * 128 * 4;
  g_autofree guint8 *a = g_malloc0 (a_bytes), *w = g_malloc0 (matmul.weight_bytes), *c = g_malloc0 (c_bytes);
  TlTileBuffer       buffers[] = { { a, a_bytes }, { w, matmul.weight_bytes }, { c, c_bytes } };
  guint64            state = tl_test_seed ();

  for (guint64 i = 0; i < matmul.weight_bytes; i++)
    w[i] = (guint8) tl_test_random (&state);
  for (guint round = 0; round < ROUNDS; round++)
    {
      TlTileLaunch launch = { .grid = { matmul.grid[0], matmul.grid[1], 1 },
                              .buffers = buffers,
                              .n_buffers = G_N_ELEMENTS (buffers),
                              .unchecked = unchecked };
      TlTileReport report;
      double       start = bench_cpu_seconds ();

      if (!tl_tile_run (plan, &launch, &report))
        printf ("%s\n", report.fault.message);
      double seconds = bench_cpu_seconds () - start;
      if (seconds < best)
        {
          best = seconds;
          *rate = (double) report.thread_steps / seconds / 1e6;
        }
      tl_tile_report_clear (&report);
    }
  return best;
}

static void
bench_kernel (const char *weight)
{
  double           rate = 0;
  g_autofree char *checked = g_strdup_printf ("interpreter, f16 x %s, checking races and bounds", weight);
  g_autofree char *unchecked = g_strdup ("the same, unchecked");

  run_kernel (weight, 16, FALSE, &rate);
  bench_figure (checked, "50 M/s", "%.0f M thread instructions a second", rate);
  run_kernel (weight, 16, TRUE, &rate);
  bench_figure (unchecked, "50 M/s", "%.0f M thread instructions a second", rate);
}

static void
bench_layouts (void)
{
  TlLayout            a, b, product, quotient;
  double              start, made = G_MAXDOUBLE, mapped = G_MAXDOUBLE, lens = G_MAXDOUBLE, flip = G_MAXDOUBLE;
  g_autofree guint64 *map = g_new (guint64, 1 << 15);

  tl_layout_parse (&a, "spatial(4,4).local(2,4)", -1, NULL, NULL);
  tl_layout_parse (&b, "spatial(2,4).local(2,4)", -1, NULL, NULL);
  for (guint round = 0; round < ROUNDS; round++)
    {
      start = bench_cpu_seconds ();
      for (guint i = 0; i < 1000; i++)
        {
          tl_layout_compose (&product, &a, &b, NULL);
          tl_layout_divide (&quotient, &product, &b, NULL);
          g_free (tl_layout_to_kronecker (&product, NULL));
        }
      made = MIN (made, (bench_cpu_seconds () - start) / 1000);
      tl_layout_parse (&product, "spatial(4,8).local(32,32)", -1, NULL, NULL);
      start = bench_cpu_seconds ();
      tl_layout_map (&product, map);
      mapped = MIN (mapped, bench_cpu_seconds () - start);
      start = bench_cpu_seconds ();
      g_autoptr (TlRegisterLens) of
          = tl_register_lens_new ("spatial(4,8).local(32,32)", "u4", "u8", "local(512).spatial(32)");
      g_autoptr (TlScene) scene = tl_scene_new (1180, 640, TL_THEME_LIGHT);
      TlRegisterMoment moment = { .element = 77 };
      tl_view_register (scene, tl_box (12, 12, 1156, 616), of, &moment);
      lens = MIN (lens, bench_cpu_seconds () - start);
    }
  bench_figure ("compose, divide, to a product: 128 threads x 64 locals", "1 ms", "%.3f ms", made * 1000);
  bench_figure ("map of 128 x 256 elements", "1 ms", "%.3f ms", mapped * 1000);
  bench_figure ("register lens of 128 x 256: text to scene", "3 ms", "%.2f ms", lens * 1000);

  g_autofree guint16 *units = g_new (guint16, 8192);
  for (guint i = 0; i < 8192; i++)
    units[i] = (guint16) (i * 37 % 4096);
  g_autoptr (TlSequence) sequence = tl_sequence_new (12, units, 8192);
  const guint room[] = { 7, 13, 3 };
  TlPlacement placement;
  tl_placement_identity (12, 3, 7, &placement);
  g_autoptr (TlLayoutLens) layout = tl_layout_lens_new ("bench", sequence, room, &placement);
  for (guint round = 0; round < ROUNDS; round++)
    {
      start = bench_cpu_seconds ();
      for (guint i = 0; i < 100; i++)
        tl_layout_lens_toggle (layout, i % 12, i % 11);
      flip = MIN (flip, (bench_cpu_seconds () - start) / 100);
    }
  bench_figure ("layout lens: a flip, 2^12 units, 8,192 accesses", "1 ms", "%.3f ms", flip * 1000);
}

int
main (void)
{
  double rate = 0;

  bench_kernel ("u4");
  bench_kernel ("i6");
  bench_kernel ("u1");
  bench_figure ("one step of 64 x 128 x 64, f16 x i6, checked", "a key press", "%.1f ms",
                run_kernel ("i6", 1, FALSE, &rate) * 1000);
  bench_layouts ();
  return 0;
}
