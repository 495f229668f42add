/* Pictures of a run of wavefronts: what can be picked, what a moment says, where steps lead.
 * tests/scene/waves.csv holds each view; TL_GOLDEN=write writes it anew after looking. */
#include "base/hash.h"
#include "input/sequence.h"
#include "scene/compose.h"
#include "scene/paint.h"
#include "support/support.h"

#include <string.h>

static TlGridRun *
grid_run (void)
{
  static const char text[]
      = "algorithm align\n  H[i,j] = max(0, H[i-1,j-1] + score(q[i], r[j]), H[i-1,j] - gap, H[i,j-1] - gap)  for i, j "
        "within band\ndata q = reads(\"reads\")\ndata r = genome(20000, 5)\ndata PTR, CAL = index(r, k = 11)\n"
        "data hits = stream(PTR, CAL, q)\nconfig target = gendram, queue = 3, band = 15%\n"
        "config score = match 2 mismatch -4, gap = 2\n";
  g_autoptr (TlSequences) genome = tl_sequences_generate (20000, 5);
  g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();
  g_autoptr (GString) reads = g_string_new (NULL);
  TlGridRunOptions options = { .trace = TRUE, .time = TRUE };

  for (guint k = 0; k < 6; k++)
    g_string_append_printf (reads, ">read-%u\n%.*s\n", k, 300 + 150 * (int) k, genome->letters + 2500 * k);
  g_autoptr (GBytes) bytes = g_bytes_new (reads->str, reads->len);
  tl_inputs_add (inputs, "reads", bytes);
  g_autoptr (TlBuild) build = tl_build ("p.gdsl", text, strlen (text), inputs, NULL, NULL, NULL);
  ck_assert (build->complete);
  TlGridRun *run = tl_grid_run (build, &options);
  ck_assert (run->complete && run->sim != NULL);
  return run;
}

static const TlViewKind kinds[]
    = { TL_VIEW_WINDOW, TL_VIEW_STACK, TL_VIEW_TILES, TL_VIEW_TIMELINE, TL_VIEW_STATUS, TL_VIEW_INSPECTOR };

static char *
row_of (const TlGridRun *run, TlViewKind kind, TlThemeKind theme)
{
  TlPicture picture = { .kind = kind, .theme = theme, .time = tl_pipe_telling (run->sim), .selection = "read-3" };
  g_autoptr (TlScene) scene = tl_pipe_compose (run, &picture);
  g_autoptr (GArray) items = tl_scene_items (scene);
  g_autofree char *dump = tl_scene_dump (scene);
  g_autofree char *hash = tl_hash_text (tl_fnv1a64 (TL_FNV1A64_START, dump, strlen (dump)));

  return g_strdup_printf ("%s,%s,%u,%u,%s", tl_view_name (kind), tl_theme_name (theme), items->len, scene->groups->len,
                          hash);
}

static guint
differing (const TlGridRun *run, const char *expected, gboolean say)
{
  g_auto (GStrv) lines = g_strsplit (expected, "\n", -1);
  guint wrong = 0, line = 1;

  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    for (int theme = TL_THEME_LIGHT; theme <= TL_THEME_PRINT; theme++, line++)
      {
        g_autofree char *row = row_of (run, kinds[k], (TlThemeKind) theme);
        gboolean         fine = line < g_strv_length (lines) && strcmp (lines[line], row) == 0;

        wrong += !fine;
        if (!fine && say)
          printf ("waves.csv: %s is now %s\n", line < g_strv_length (lines) ? lines[line] : "(no row)", row);
      }
  return wrong;
}

START_TEST (views_are_as_they_were)
{
  g_autoptr (TlGridRun) run = grid_run ();
  g_autofree char *path = tl_test_source_path ("tests/scene/waves.csv");
  g_autofree char *expected = NULL;

  if (g_strcmp0 (g_getenv ("TL_GOLDEN"), "write") == 0)
    {
      g_autoptr (GString) text = g_string_new ("view,theme,items,groups,hash\n");
      for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
        for (int theme = TL_THEME_LIGHT; theme <= TL_THEME_PRINT; theme++)
          {
            g_autofree char *row = row_of (run, kinds[k], (TlThemeKind) theme);
            g_string_append_printf (text, "%s\n", row);
          }
      ck_assert (g_file_set_contents (path, text->str, -1, NULL));
    }
  ck_assert (g_file_get_contents (path, &expected, NULL, NULL));
  ck_assert_uint_eq (differing (run, expected, TRUE), 0);
  /* A row that is wrong must be seen. */
  char *digit = strrchr (g_strchomp (expected), ',') + 1;
  *digit = *digit == '0' ? '1' : '0';
  ck_assert_uint_eq (differing (run, expected, FALSE), 1);
}
END_TEST

START_TEST (everything_can_be_picked)
{
  static const char *const ids[]
      = { "pu-0", "pu-31", "queue", "read-0", "read-5", "tile-0-0", "lane-pu-0", "lane-queue" };
  g_autoptr (TlGridRun) run = grid_run ();
  TlPicture picture = { .kind = TL_VIEW_WINDOW, .time = tl_pipe_telling (run->sim) };
  g_autoptr (TlScene) scene = tl_pipe_compose (run, &picture);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) svg = tl_paint_svg (scene, NULL, &error);

  ck_assert_ptr_nonnull (svg);
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      g_autofree char *id = g_strdup_printf ("id=\"%s\"", ids[i]);
      TlBox            box;

      ck_assert_ptr_nonnull (tl_scene_find (scene, ids[i], &box));
      ck_assert (box.width > 0 && box.height > 0);
      ck_assert_ptr_nonnull (g_strstr_len (g_bytes_get_data (svg, NULL), (gssize) g_bytes_get_size (svg), id));
    }
  ck_assert_ptr_nonnull (tl_scene_find (scene, "way", NULL));
  ck_assert_ptr_nonnull (strstr (scene->description, "is swept on"));
}
END_TEST

/* Forward from the start every step comes later and the last one is the end; back again. */
START_TEST (steps_go_through_the_run)
{
  g_autoptr (TlGridRun) run = grid_run ();
  const TlPipeStep units[] = { TL_PIPE_STEP_TILE, TL_PIPE_STEP_WAVE, TL_PIPE_STEP_READ };
  guint64          time = 0, next = 0;
  guint            counts[2] = { 0 }, jobs = run->sim->jobs->len;

  for (gboolean forward = TRUE;; forward = FALSE)
    {
      while (tl_pipe_step (run->sim, units[_i], forward, time, &next))
        {
          ck_assert (forward ? next > time : next < time);
          time = next;
          counts[forward]++;
        }
      ck_assert_uint_eq (time, forward ? run->sim->makespan : 0);
      if (!forward)
        break;
    }
  ck_assert_uint_eq (counts[0], counts[1]);
  if (units[_i] == TL_PIPE_STEP_READ)
    ck_assert_uint_eq (counts[1], jobs + 1);
  if (units[_i] == TL_PIPE_STEP_WAVE)
    ck_assert_uint_eq (counts[1], run->sim->waves + 1);
  ck_assert (tl_pipe_step (run->sim, TL_PIPE_STEP_CYCLE, TRUE, 0, &next));
  ck_assert_uint_eq (next, run->sim->program->machine.clock);
}
END_TEST

/* What a moment says agrees with the run's own stretches and levels, whichever moment. */
START_TEST (moments_agree_with_the_run)
{
  g_autoptr (TlGridRun) run = grid_run ();
  const TlPipeRun *sim = run->sim;
  guint64          state = tl_test_seed ();

  for (guint round = 0; round < tl_test_rounds (300); round++)
    {
      guint64 time = tl_test_random_below (&state, sim->makespan);
      g_auto (TlPipeMoment) moment = { 0 };
      guint level = 0;

      tl_pipe_moment (sim, NULL, time, &moment);
      for (guint j = 0; j < sim->jobs->len; j++)
        {
          const TlPipeJob *job = &g_array_index (sim->jobs, TlPipeJob, j);
          level += job->sent <= time && time < job->taken;
          if (job->taken < time && time < job->done)
            ck_assert_uint_eq (moment.job, j);
        }
      ck_assert_uint_eq (moment.level, level);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("scene-waves");
  TCase *tcase = tcase_create ("waves");

  tcase_set_timeout (tcase, 60);
  tcase_add_test (tcase, views_are_as_they_were);
  tcase_add_test (tcase, everything_can_be_picked);
  tcase_add_loop_test (tcase, steps_go_through_the_run, 0, 3);
  tcase_add_test (tcase, moments_agree_with_the_run);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
