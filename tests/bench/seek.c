/* What any moment of a run costs at size, in CPU time beside its budget: going there, the
 * scene of the stack and of the timeline at five zooms, an event on and back. Prints,
 * never judges. */
#include "base/number.h"
#include "engine/run.h"
#include "figure.h"
#include "scene/compose.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static TlRun *
run_of (const char *data, const char *config)
{
  g_autofree char *text = g_strdup_printf ("algorithm apsp\n"
                                           "  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\n"
                                           "data D: i32 = %s\n"
                                           "config target = gendram, values = off%s\n",
                                           data, config);
  g_autoptr (TlInputs) inputs = tl_inputs_new_folder (NULL, NULL);
  g_autoptr (TlBuild) build = tl_build ("seek.gdsl", text, strlen (text), inputs, NULL, NULL, NULL);
  TlRunOptions options = { .skip_values = TRUE };

  return build->complete ? tl_run (build, &options, NULL) : NULL;
}

/* The flat stack at moments all over the run: the frame, then its scene. */
static void
bench_stack (TlSimRun *run, GArray *times, guint64 *state)
{
  g_autoptr (GArray) scenes = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (TlFrameSource) source = tl_frame_source_new (run);

  for (guint i = 0; i < 60; i++)
    {
      double from = bench_cpu_seconds ();
      g_autoptr (TlFrame) frame = tl_frame_at (source, tl_test_random_below (state, run->makespan + 1), NULL);
      bench_add_time (times, from);
      from = bench_cpu_seconds ();
      TlView view = { .program = run->program, .run = run, .frame = frame };
      g_autoptr (TlScene) scene = tl_scene_new (640, 400, TL_THEME_LIGHT);
      tl_view_draw (TL_VIEW_STACK, scene, tl_box (0, 0, 640, 400), &view);
      bench_add_time (scenes, from);
    }
  bench_report ("  any moment", "16", times);
  bench_report ("  its stack as a scene", "3", scenes);
}

static void
bench_steps (TlSimRun *run, GArray *times, guint64 *state)
{
  g_autoptr (TlFrameSource) source = tl_frame_source_new (run);
  guint64 time = tl_moment_telling (run);

  for (guint i = 0; i < 2000; i++)
    {
      double from = bench_cpu_seconds ();
      if (!tl_frame_next (source, time, &time))
        break;
      g_autoptr (TlFrame) frame = tl_frame_at (source, time, NULL);
      bench_add_time (times, from);
    }
  bench_report ("  an event on, 2,000 in a row", "3", times);
  for (guint i = 0; i < 200; i++)
    {
      double from = bench_cpu_seconds ();
      time = tl_test_random_below (state, run->makespan + 1);
      tl_frame_next (source, time, &time);
      g_autoptr (TlFrame) frame = tl_frame_at (source, time, NULL);
      bench_add_time (times, from);
    }
  bench_report ("  the event after any moment", "16", times);
  for (guint i = 0; i < 100; i++)
    {
      double from = bench_cpu_seconds ();
      time = tl_test_random_below (state, run->makespan + 1);
      tl_frame_previous (source, time, &time);
      g_autoptr (TlFrame) frame = tl_frame_at (source, time, NULL);
      bench_add_time (times, from);
    }
  bench_report ("  the event before any moment", "16", times);
}

/* Lanes from single commands to the whole run, in five zooms of equal factor. */
static void
bench_lanes (TlSimRun *run, GArray *times, guint64 *state)
{
  const guint pus[] = { 0, 1, 2 };
  const guint columns = 1150;
  TlViewKind  kind = TL_VIEW_TIMELINE;
  g_autoptr (TlFrameSource) source = tl_frame_source_new (run);
  g_autoptr (TlRunSummary) summary = tl_run_summary_new (run, 400);
  double narrow = MIN (200000, (double) run->makespan), widen = (double) run->makespan / narrow;

  for (guint zoom = 0; zoom < 5; zoom++)
    {
      guint64 width = (guint64) (narrow * (zoom == 4 ? widen : pow (widen, zoom / 4.0)));

      width = CLAMP (width, 1, run->makespan);
      for (guint i = 0; i < 12; i++)
        {
          guint64 begin = tl_test_random_below (state, run->makespan - width + 1);
          g_autoptr (TlFrame) frame = tl_frame_at (source, begin, NULL);
          double from = bench_cpu_seconds ();
          g_autoptr (TlLanes) lanes = tl_lanes_new (run, begin, begin + width, columns, pus, 3, NULL);
          TlView view = { .program = run->program,
                          .run = run,
                          .frame = frame,
                          .lanes = lanes,
                          .summary = summary,
                          .from = begin,
                          .to = begin + width };
          g_autoptr (TlScene) scene = tl_scene_new (1280, 182, TL_THEME_LIGHT);
          tl_view_draw (kind, scene, tl_box (0, 0, 1280, 182), &view);
          bench_add_time (times, from);
        }
      g_autofree char *ps = tl_format_ps (width);
      g_autofree char *what = g_strdup_printf ("  lanes and their scene, %s", ps);
      bench_report (what, "16", times);
    }
}

static void
bench_program (const char *name, const char *data, const char *config)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  double from = bench_cpu_seconds ();
  g_autoptr (TlRun) result = run_of (data, config);
  guint64 state = 7;

  if (result == NULL || result->sim == NULL)
    {
      printf ("%s: no run\n", name);
      return;
    }
  bench_add_time (times, from);
  printf ("%s\n", name);
  bench_report ("  built and run", "", times);
  bench_stack (result->sim, times, &state);
  bench_steps (result->sim, times, &state);
  bench_lanes (result->sim, times, &state);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name, *data, *config;
  } programs[] = {
    { "64 nodes, open pages", "road(64, 7)", ", page = open, tile = 8\nplace D = stripe 0..7" },
    { "4,096 nodes, open pages", "road(4096, 7)", ", page = open\nplace D = stripe 0..7" },
    { "65,536 nodes", "road(65536, 7)", "" },
    { "65,536 nodes, open pages", "road(65536, 7)", ", page = open\nplace D = stripe 0..7" },
    { "65,536 nodes, open pages, strict barriers", "road(65536, 7)",
      ", page = open, barriers = strict\nplace D = stripe 0..7" },
    { "65,536 nodes, two buffers", "road(65536, 7)", ", buffers = 2" },
  };

  printf ("%-58s %12s %12s %12s\n", "CPU time", "budget, ms", "median", "worst");
  for (guint p = 0; p < G_N_ELEMENTS (programs); p++)
    if (argc < 2 || g_ascii_strtoull (argv[1], NULL, 10) == p)
      bench_program (programs[p].name, programs[p].data, programs[p].config);
  return EXIT_SUCCESS;
}
