/* What a frame of the stage costs, in CPU time beside its budget. Prints, never
 * judges. */
#include "base/number.h"
#include "engine/run.h"
#include "figure.h"
#include "scene/compose.h"
#include "scene/paint.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static TlRun *
run_of (const char *text)
{
  g_autoptr (TlInputs) inputs = tl_inputs_new_folder (NULL, NULL);
  g_autoptr (TlBuild) build = tl_build ("stage.gdsl", text, strlen (text), inputs, NULL, NULL, NULL);
  TlRunOptions options = { .skip_values = TRUE };

  return build->complete ? tl_run (build, &options, NULL) : NULL;
}

static void
bench_views (TlFrameSource *source, TlSimRun *run, guint64 time)
{
  static const TlViewKind kinds[] = { TL_VIEW_STACK, TL_VIEW_ISO, TL_VIEW_TILES, TL_VIEW_TIMELINE };
  static const float      sizes[][2] = { { 640, 400 }, { 640, 400 }, { 290, 290 }, { 1280, 182 } };
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) paints = g_array_new (FALSE, FALSE, sizeof (double));
  const guint pus[] = { 0, 1, 2 };
  g_autoptr (TlRunSummary) summary = tl_run_summary_new (run, 400);
  g_autoptr (TlLanes) lanes
      = tl_lanes_new (run, time, time + 200000, 1150, pus, MIN (3, run->program->machine.pus), NULL);

  for (guint v = 0; v < G_N_ELEMENTS (kinds); v++)
    {
      cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) sizes[v][0], (int) sizes[v][1]);
      cairo_t         *cr = cairo_create (surface);
      for (guint i = 0; i < 40; i++)
        {
          g_autoptr (TlFrame) frame = tl_frame_at (source, time + i * 3000, NULL);
          TlView view = { .program = run->program, .run = run, .frame = frame, .lanes = lanes, .summary = summary };
          double from = bench_cpu_seconds ();
          g_autoptr (TlScene) scene = tl_scene_new (sizes[v][0], sizes[v][1], TL_THEME_LIGHT);
          tl_view_draw (kinds[v], scene, tl_box (0, 0, sizes[v][0], sizes[v][1]), &view);
          bench_add_time (times, from);
          from = bench_cpu_seconds ();
          tl_paint_cairo (scene, cr);
          bench_add_time (paints, from);
        }
      cairo_destroy (cr);
      cairo_surface_destroy (surface);
      g_autofree char *what = g_strdup_printf ("  view %s: scene", tl_view_name (kinds[v]));
      bench_report (what, "", times);
      g_autofree char *paint = g_strdup_printf ("  view %s: painted whole", tl_view_name (kinds[v]));
      bench_report (paint, "", paints);
    }
}

static void
bench_program (const char *name, const char *text)
{
  g_autoptr (TlRun) result = run_of (text);
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  guint64 state = 7;

  if (result == NULL || result->sim == NULL)
    return;
  TlSimRun      *run = result->sim;
  TlFrameSource *source = tl_frame_source_new (run);
  printf ("%s\n", name);
  for (guint i = 0; i < 60; i++)
    {
      double from = bench_cpu_seconds ();
      g_autoptr (TlFrame) frame = tl_frame_at (source, tl_test_random_below (&state, run->makespan), NULL);
      bench_add_time (times, from);
    }
  bench_report ("  seek to any time", "16", times);
  guint64 time = tl_moment_telling (run);
  for (guint i = 0; i < 2000; i++)
    {
      double from = bench_cpu_seconds ();
      tl_frame_next (source, time, &time);
      g_autoptr (TlFrame) frame = tl_frame_at (source, time, NULL);
      bench_add_time (times, from);
    }
  bench_report ("  an event on", "", times);
  for (guint i = 0; i < 300; i++)
    {
      double from = bench_cpu_seconds ();
      tl_frame_previous (source, time, &time);
      g_autoptr (TlFrame) frame = tl_frame_at (source, time, NULL);
      bench_add_time (times, from);
    }
  bench_report ("  an event back", "16", times);
  const guint pus[] = { 0, 1, 2 };
  for (guint64 width = 50000; width < run->makespan; width *= 8)
    for (guint i = 0; i < 4; i++)
      {
        double  from = bench_cpu_seconds ();
        guint64 begin = tl_test_random_below (&state, run->makespan - width + 1);
        g_autoptr (TlLanes) lanes = tl_lanes_new (run, begin, begin + width, 1150, pus, 3, NULL);
        bench_add_time (times, from);
      }
  bench_report ("  lanes at any zoom", "", times);
  bench_views (source, run, tl_moment_telling (run));
  tl_frame_source_free (source);
}

int
main (void)
{
  printf ("%-58s %12s %12s %12s\n", "CPU time", "budget, ms", "median", "worst");
  bench_program ("4,096 nodes, open pages", "algorithm apsp\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\n"
                                            "data D: i32 = road(4096, 7)\n"
                                            "config target = gendram, page = open, barriers = superstep\n"
                                            "place D = stripe 0..7\n");
  bench_program ("65,536 nodes", "algorithm apsp\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\n"
                                 "data D: i32 = road(65536, 7)\nconfig target = gendram, values = off\n");
  bench_program ("65,536 nodes, open pages",
                 "algorithm apsp\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\n"
                 "data D: i32 = road(65536, 7)\n"
                 "config target = gendram, values = off, page = open, barriers = superstep\nplace D = stripe 0..7\n");
  return EXIT_SUCCESS;
}
