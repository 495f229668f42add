/* Conflicts: each has two sides that lie where the machine puts them, and walking on
 * and back meets the same ones. Lanes at every zoom equal a plain recount. Figures
 * that bring a document type are refused. */
#include "engine/run.h"
#include "scene/compose.h"
#include "scene/paint.h"
#include "scene/why.h"
#include "support/support.h"

#include <string.h>

static TlRun *
small_run (void)
{
  static const char text[] = "algorithm apsp\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\n"
                             "data D: i32 = road(256, 7)\n"
                             "config target = gendram, page = open, tile = 64, barriers = superstep\n"
                             "place D = stripe 0..7\n";
  g_autoptr (TlInputs) inputs = tl_inputs_new_folder (NULL, NULL);
  g_autofree char *targets = g_build_filename (g_getenv ("TL_SOURCE_ROOT"), "targets", NULL);
  const char      *folders[] = { targets, NULL };
  TlBuildOptions   options = { .folders = folders };
  g_autoptr (TlBuild) build = tl_build ("why.gdsl", text, strlen (text), inputs, &options, NULL, NULL);
  TlRunOptions run_options = { .skip_values = TRUE };

  ck_assert (build->complete);
  return tl_run (build, &run_options, NULL);
}

START_TEST (conflicts_walk_on_and_back)
{
  g_autoptr (TlRun) run = small_run ();
  guint64    time = run->sim->makespan / 3;
  guint32    pu = G_MAXUINT32, bank = G_MAXUINT32;
  TlConflict met[20], conflict;

  for (guint i = 0; i < G_N_ELEMENTS (met); i++)
    {
      ck_assert (tl_conflict_next (run->sim, time, pu, bank, TRUE, &met[i]));
      ck_assert_uint_gt (met[i].act, met[i].pre);
      ck_assert_uint_ge (met[i].act, time);
      ck_assert_uint_ge (met[i].column, met[i].act + met[i].tRCD);
      ck_assert_uint_ne (met[i].open.row, met[i].wanted.row);
      ck_assert_uint_ne (met[i].wanted.use.kind, TL_ROW_EMPTY);
      ck_assert_uint_ne (met[i].open.use.kind, TL_ROW_EMPTY);
      if (met[i].wanted.use.kind == TL_ROW_TILE)
        ck_assert_uint_eq (tl_pim_program_tier (run->sim->program, met[i].wanted.use.i, met[i].wanted.use.j),
                           met[i].wanted.tier);
      time = met[i].act;
      pu = met[i].pu;
      bank = met[i].bank;
    }
  for (guint i = G_N_ELEMENTS (met) - 1; i > 0; i--)
    {
      ck_assert (tl_conflict_next (run->sim, met[i].act, met[i].pu, met[i].bank, FALSE, &conflict));
      ck_assert_uint_eq (conflict.act, met[i - 1].act);
      ck_assert_uint_eq (conflict.pu, met[i - 1].pu);
      ck_assert_uint_eq (conflict.bank, met[i - 1].bank);
    }
}
END_TEST

START_TEST (ids_go_there_and_back)
{
  g_autofree char *id = tl_conflict_id (20, 3, G_GUINT64_CONSTANT (88135219000));
  guint32          pu, bank;
  guint64          act;

  ck_assert (tl_conflict_parse (id, &pu, &bank, &act));
  ck_assert (pu == 20 && bank == 3 && act == G_GUINT64_CONSTANT (88135219000));
  ck_assert (!tl_conflict_parse ("conflict-1-2", &pu, &bank, &act));
  ck_assert (!tl_conflict_parse ("conflict-1-2-3x", &pu, &bank, &act));
  ck_assert (!tl_conflict_parse (NULL, &pu, &bank, &act));
}
END_TEST

/* Every command of a PU's bank is in its lane, once, whatever the zoom. */
START_TEST (lanes_count_all_commands)
{
  g_autoptr (TlRun) run = small_run ();
  guint64 state = tl_test_seed ();

  for (guint64 width = 20000; width < 4000000; width *= 3)
    {
      guint64 from = tl_test_random_below (&state, run->sim->makespan - width);
      guint   pu = (guint) tl_test_random_below (&state, run->sim->program->machine.pus);
      g_autoptr (TlLanes) lanes = tl_lanes_new (run->sim, from, from + width, 900, &pu, 1, NULL);
      g_autoptr (TlSimTrace) trace = tl_sim_trace_new (run->sim, from, from + width, 4000000, NULL, NULL);
      guint wanted[2] = { 0 }, found[2] = { 0 };

      for (guint64 e = 0; e < tl_sim_trace_count (trace); e++)
        {
          TlSimEvent event;
          tl_sim_trace_event (trace, e, &event);
          if (event.pu == pu && event.kind <= TL_SIM_EVENT_PRE)
            wanted[event.kind == TL_SIM_EVENT_RD || event.kind == TL_SIM_EVENT_WR]++;
        }
      for (guint l = 0; l < lanes->lanes->len; l++)
        {
          const TlLane *lane = g_ptr_array_index (lanes->lanes, l);
          for (guint m = 0; !lane->ring && lane->bank >= 0 && m < lane->marks->len; m++)
            {
              const TlLaneMark *mark = &g_array_index (lane->marks, TlLaneMark, m);
              gboolean          beat = mark->kind == TL_LANE_READ || mark->kind == TL_LANE_WRITE;
              if (mark->time >= from && (beat || (mark->kind >= TL_LANE_CLOSE && mark->kind <= TL_LANE_REOPEN)))
                found[beat] += mark->count;
            }
        }
      /* Marks that began before the window and melted with later ones may hold some. */
      ck_assert_uint_le (found[0], wanted[0] + 8);
      ck_assert_uint_ge (found[0] + 8, wanted[0]);
      ck_assert_uint_ge (found[1] + 64, wanted[1]);
      ck_assert_uint_le (found[1], wanted[1] + 64);
    }
}
END_TEST

START_TEST (figures_bring_no_document_type)
{
  g_autofree char  *program = NULL, *name = NULL, *state = NULL;
  static const char bad[] = "<!DOCTYPE svg [<!ENTITY a \"aaaa\">]><svg xmlns=\"http://www.w3.org/2000/svg\"><metadata>"
                            "<tierloom name=\"x\"><state>&a;</state><program>p</program></tierloom></metadata></svg>";
  static const char cut[] = "<svg><metadata><tierloom><program>p</program>";

  ck_assert (!tl_figure_read (bad, strlen (bad), &program, &name, &state, NULL));
  ck_assert (!tl_figure_read (cut, strlen (cut), &program, &name, &state, NULL));
  ck_assert (!tl_figure_read ("", 0, &program, &name, &state, NULL));
}
END_TEST

/* What the layers hold together is what the whole picture shows, and the card says so. */
START_TEST (the_card_is_drawn)
{
  g_autoptr (TlRun) run = small_run ();
  TlConflict conflict;

  ck_assert (tl_conflict_next (run->sim, run->sim->makespan / 2, G_MAXUINT32, G_MAXUINT32, TRUE, &conflict));
  g_autofree char *id = tl_conflict_id (conflict.pu, conflict.bank, conflict.act);
  TlPicture        picture = { .kind = TL_VIEW_WHY, .time = conflict.act, .selection = id };
  g_autoptr (TlScene) scene = tl_compose (run->sim, &picture, NULL);
  g_autofree char *dump = tl_scene_dump (scene);
  ck_assert_ptr_nonnull (strstr (dump, "Wanted:"));
  ck_assert_ptr_nonnull (strstr (dump, "lost = PRE"));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("scene-why");
  TCase *tcase = tcase_create ("why");

  tcase_set_timeout (tcase, 120);
  tcase_add_test (tcase, conflicts_walk_on_and_back);
  tcase_add_test (tcase, ids_go_there_and_back);
  tcase_add_test (tcase, lanes_count_all_commands);
  tcase_add_test (tcase, figures_bring_no_document_type);
  tcase_add_test (tcase, the_card_is_drawn);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
