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

/* Two words with open gaps; a trellis of six steps and three states. */
static TlGridRun *
small_run (gboolean trellis)
{
  static const char pair[]
      = "algorithm global\n  H[i,j] = max(H[i-1,j-1] + score(q[i], r[j]), E[i,j], F[i,j])  for i, j\n"
        "  E[i,j] = max(H[i,j-1] - gap.open - gap.extend, E[i,j-1] - gap.extend)  for i, j\n"
        "  F[i,j] = max(H[i-1,j] - gap.open - gap.extend, F[i-1,j] - gap.extend)  for i, j\n  H[0,0] = 0\n"
        "  H[i,0] = -gap.open - gap.extend * i\n  H[0,j] = -gap.open - gap.extend * j\ndata q = sequence(\"q\")\n"
        "data r = sequence(\"r\")\nconfig target = gendram\nconfig score = match 3 mismatch -2, gap = open 3 extend "
        "1\n";
  static const char viterbi[]
      = "algorithm viterbi\n  V[t,s] = max over p (V[t-1,p] + logA[p,s]) + logB[s,o[t]]  for t, s\n"
        "  V[0,s] = init[s] + logB[s,o[0]]\ndata logA = matrix(\"a.csv\")\ndata logB = matrix(\"b.csv\")\n"
        "data init = matrix(\"i.csv\")\ndata o = matrix(\"o.csv\")\nconfig target = gendram\n";
  static const char *const files[][2] = { { "q", ">word-q\nGATTACAGATT\n" },
                                          { "r", ">word-r\nGCATGCATT\n" },
                                          { "a.csv", "-1,-3,-2\n-4,-1,-2\n-2,-2,-1\n" },
                                          { "b.csv", "-1,-5\n-5,-1\n-2,-2\n" },
                                          { "i.csv", "-1,-1,-2\n" },
                                          { "o.csv", "0,1,1,0,0,1\n" } };
  const char              *text = trellis ? viterbi : pair;
  g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();
  TlGridRunOptions options = { .trace = TRUE, .time = TRUE };

  for (guint f = 0; f < G_N_ELEMENTS (files); f++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new_static (files[f][1], strlen (files[f][1]));
      tl_inputs_add (inputs, files[f][0], bytes);
    }
  g_autoptr (TlBuild) build = tl_build ("p.gdsl", text, strlen (text), inputs, NULL, NULL, NULL);
  ck_assert (build->complete);
  TlGridRun *run = tl_grid_run (build, &options);
  ck_assert (run->complete && run->sim != NULL);
  return run;
}

enum
{
  READS,
  PAIR,
  TRELLIS,
  N_PROGRAMS
};

static TlGridRun *
run_of (guint program)
{
  return program == READS ? grid_run () : small_run (program == TRELLIS);
}

static const TlViewKind kinds[] = { TL_VIEW_WINDOW, TL_VIEW_STACK,  TL_VIEW_TILES,    TL_VIEW_TIMELINE,
                                    TL_VIEW_STATUS, TL_VIEW_MATRIX, TL_VIEW_INSPECTOR };

static char *
row_of (const TlGridRun *run, guint program, TlViewKind kind, TlThemeKind theme)
{
  static const char *const names[N_PROGRAMS] = { "reads", "pair", "trellis" };
  TlPicture picture = { .kind = kind, .theme = theme, .time = tl_pipe_telling (run->sim), .selection = "read-3" };
  g_autoptr (TlScene) scene = tl_pipe_compose (run, &picture);
  g_autoptr (GArray) items = tl_scene_items (scene);
  g_autofree char *dump = tl_scene_dump (scene);
  g_autofree char *hash = tl_hash_text (tl_fnv1a64 (TL_FNV1A64_START, dump, strlen (dump)));

  return g_strdup_printf ("%s,%s,%s,%u,%u,%s", names[program], tl_view_name (kind), tl_theme_name (theme), items->len,
                          scene->groups->len, hash);
}

/* All rows of the table as they are now. (transfer full) */
static GPtrArray *
rows_now (void)
{
  GPtrArray *rows = g_ptr_array_new_with_free_func (g_free);

  for (guint program = 0; program < N_PROGRAMS; program++)
    {
      g_autoptr (TlGridRun) run = run_of (program);
      for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
        for (int theme = TL_THEME_LIGHT; theme <= TL_THEME_PRINT; theme++)
          g_ptr_array_add (rows, row_of (run, program, kinds[k], (TlThemeKind) theme));
    }
  return rows;
}

static guint
differing (const GPtrArray *rows, const char *expected, gboolean say)
{
  g_auto (GStrv) lines = g_strsplit (expected, "\n", -1);
  guint wrong = 0;

  for (guint r = 0; r < rows->len; r++)
    {
      gboolean fine = r + 1 < g_strv_length (lines) && strcmp (lines[r + 1], rows->pdata[r]) == 0;

      wrong += !fine;
      if (!fine && say)
        printf ("waves.csv: %s is now %s\n", r + 1 < g_strv_length (lines) ? lines[r + 1] : "(no row)",
                (char *) rows->pdata[r]);
    }
  return wrong;
}

START_TEST (views_are_as_they_were)
{
  g_autoptr (GPtrArray) rows = rows_now ();
  g_autofree char *path = tl_test_source_path ("tests/scene/waves.csv");
  g_autofree char *expected = NULL;

  if (g_strcmp0 (g_getenv ("TL_GOLDEN"), "write") == 0)
    {
      g_autoptr (GString) text = g_string_new ("program,view,theme,items,groups,hash\n");
      for (guint r = 0; r < rows->len; r++)
        g_string_append_printf (text, "%s\n", (char *) rows->pdata[r]);
      ck_assert (g_file_set_contents (path, text->str, -1, NULL));
    }
  ck_assert (g_file_get_contents (path, &expected, NULL, NULL));
  ck_assert_uint_eq (differing (rows, expected, TRUE), 0);
  /* A row that is wrong must be seen. */
  char *digit = strrchr (g_strchomp (expected), ',') + 1;
  *digit = *digit == '0' ? '1' : '0';
  ck_assert_uint_eq (differing (rows, expected, FALSE), 1);
}
END_TEST

/* Every cell of a small problem is drawn with its value once the lanes have been there, and as many are computed in a
 * cycle as there are lanes at most. */
START_TEST (cells_march)
{
  g_autoptr (TlGridRun) run = small_run (FALSE);
  const TlPipeRun *sim = run->sim;
  const TlPipeJob *job = &g_array_index (sim->jobs, TlPipeJob, 0);
  TlWaveTiling     tiling;
  guint            in_cycle[4096] = { 0 };

  ck_assert_ptr_nonnull (run->values);
  ck_assert_uint_eq (run->n_values, 12 * 10);
  tl_pipe_job_tiling (sim->program, job, &tiling);
  for (guint32 i = 0; i < job->rows; i++)
    for (guint32 j = 0; j < job->columns; j++)
      {
        guint64 cycle = tl_pipe_cell_cycle (&tiling, 0, i, j);
        ck_assert_uint_lt (cycle, tl_wave_cycles (&tiling, 0, 0, TRUE));
        ck_assert_uint_lt (cycle, G_N_ELEMENTS (in_cycle));
        ck_assert_uint_le (++in_cycle[cycle], tiling.pes);
        ck_assert (i == 0 || j == 0 || cycle > tl_pipe_cell_cycle (&tiling, 0, i - 1, j - 1));
      }
  TlPicture picture = { .kind = TL_VIEW_MATRIX, .time = sim->makespan };
  g_autoptr (TlScene) scene = tl_pipe_compose (run, &picture);
  const TlGroup   *last = tl_scene_find (scene, "cell-11-9", NULL);
  const TlGridHit *hit = &g_array_index (run->hits, TlGridHit, 0);
  ck_assert_ptr_nonnull (last);
  g_autofree char *told = g_strdup_printf ("cell (11,9): %s,", hit->score);
  ck_assert_msg (g_str_has_prefix (last->title, told), "%s", last->title);
  ck_assert_int_eq (tl_grid_run_letter (run, 0, 0, FALSE, 0), 'G');
  ck_assert_int_eq (tl_grid_run_letter (run, 0, 0, TRUE, 0), 'A');
  ck_assert_int_eq (tl_grid_run_letter (run, 1, 0, FALSE, 8), 'T');
  ck_assert_int_eq (tl_grid_run_letter (run, 1, 0, FALSE, 9), 0);
}
END_TEST

/* Found by PU or one after the other, a moment is the same; a tile's time is that of its wave's stretch. */
START_TEST (an_index_changes_nothing)
{
  g_autoptr (TlGridRun) run = grid_run ();
  g_autoptr (TlPipeIndex) index = tl_pipe_index_new (run->sim);
  guint64 state = tl_test_seed (), from, to;

  for (guint round = 0; round < tl_test_rounds (200); round++)
    {
      guint64 time = tl_test_random_below (&state, run->sim->makespan);
      g_auto (TlPipeMoment) one = { 0 };

      tl_pipe_moment (run->sim, index, time, &one);
      for (guint pu = 0; pu < run->sim->program->machine.pus; pu++)
        {
          TlPipeSpan found = { 0 };
          for (guint s = 0; s < run->sim->spans->len; s++)
            {
              const TlPipeSpan *span = &g_array_index (run->sim->spans, TlPipeSpan, s);
              if (span->pu == pu && span->from <= time && time < span->to)
                found = *span;
            }
          ck_assert_uint_eq (found.from, one.at[pu].from);
          ck_assert_uint_eq (found.to, one.at[pu].to);
          ck_assert_uint_eq (found.kind, one.at[pu].kind);
        }
    }
  ck_assert (tl_pipe_tile_time (run->sim, index, 0, 0, 0, &from, &to));
  ck_assert_uint_ge (from, g_array_index (run->sim->jobs, TlPipeJob, 0).taken);
  ck_assert_uint_le (to, g_array_index (run->sim->jobs, TlPipeJob, 0).done);
  ck_assert (!tl_pipe_tile_time (run->sim, index, 0, 40, 0, &from, &to));
}
END_TEST

START_TEST (everything_can_be_picked)
{
  static const char *const ids[]
      = { "pu-0", "pu-31", "queue", "read-0", "read-5", "tile-0-0", "lane-pu-0", "lane-queue", "whole-run" };
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
  tcase_add_test (tcase, cells_march);
  tcase_add_test (tcase, an_index_changes_nothing);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
