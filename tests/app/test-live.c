/* The live road without a window: the newest text wins, the last good picture stays,
 * and how long a key press takes until the new run is there, for every example. */
#include "app/live.h"
#include "support/support.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define PATIENCE_S 60

typedef struct
{
  GMainLoop *loop;
  gboolean   timed_out;
  guint      built, ran;
} Waiter;

static gboolean
on_patience (gpointer data)
{
  Waiter *waiter = data;

  waiter->timed_out = TRUE;
  g_main_loop_quit (waiter->loop);
  return G_SOURCE_CONTINUE;
}

static void
on_built (TlLive *live, Waiter *waiter)
{
  waiter->built++;
  if (!tl_live_build (live)->complete)
    g_main_loop_quit (waiter->loop);
}

static void
on_ran (TlLive *live, Waiter *waiter)
{
  waiter->ran++;
  g_main_loop_quit (waiter->loop);
}

/* Until the newest text is built and, where it is right, run. */
static void
wait_for (Waiter *waiter)
{
  guint patience = g_timeout_add_seconds (PATIENCE_S, on_patience, waiter);

  g_main_loop_run (waiter->loop);
  g_source_remove (patience);
  ck_assert (!waiter->timed_out);
}

static TlLive *
new_live (Waiter *waiter)
{
  TlLive *live = tl_live_new ();

  *waiter = (Waiter) { .loop = g_main_loop_new (NULL, FALSE) };
  g_signal_connect (live, "built", G_CALLBACK (on_built), waiter);
  g_signal_connect (live, "ran", G_CALLBACK (on_ran), waiter);
  return live;
}

static void
drop_live (TlLive *live, Waiter *waiter)
{
  g_signal_handlers_disconnect_by_data (live, waiter);
  g_object_unref (live);
  g_main_loop_unref (waiter->loop);
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static double
cpu_ms (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

#define RIGHT "algorithm a\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\ndata D: i32 = road(1024, 7)\n"

START_TEST (the_newest_text_wins)
{
  Waiter  waiter;
  TlLive *live = new_live (&waiter);

  for (guint side = 16; side <= 256; side *= 2)
    {
      g_autofree char *text = g_strdup_printf (RIGHT "config tile = %u\n", side);
      tl_live_set_text (live, "t.gdsl", NULL, NULL, text);
    }
  wait_for (&waiter);
  ck_assert_uint_eq (tl_live_run (live)->tile, 256);
  ck_assert (!tl_live_is_stale (live));
  /* All came in one turn of the loop: one build. */
  ck_assert_uint_eq (waiter.built, 1);
  drop_live (live, &waiter);
}
END_TEST

START_TEST (the_last_good_picture_stays)
{
  Waiter  waiter;
  TlLive *live = new_live (&waiter);

  tl_live_set_text (live, "t.gdsl", NULL, NULL, RIGHT);
  wait_for (&waiter);
  TlRun *good = tl_live_run (live);
  tl_live_set_text (live, "t.gdsl", NULL, NULL, RIGHT "config tile = 9999\n");
  wait_for (&waiter);
  ck_assert_ptr_eq (tl_live_run (live), good);
  ck_assert (tl_live_is_stale (live));
  ck_assert_uint_gt (tl_diags_errors (tl_live_build (live)->diags), 0);
  tl_live_set_text (live, "t.gdsl", NULL, NULL, RIGHT);
  wait_for (&waiter);
  ck_assert (!tl_live_is_stale (live));
  drop_live (live, &waiter);
}
END_TEST

static void
on_valued (TlLive *live, Waiter *waiter)
{
  g_main_loop_quit (waiter->loop);
}

/* Values come after the picture, and only what is wrong with them is kept. */
START_TEST (values_are_looked_at_later)
{
  Waiter           waiter;
  TlLive          *live = new_live (&waiter);
  g_autofree char *folder = g_dir_make_tmp ("tierloom-XXXXXX", NULL), *data = g_build_filename (folder, "g.csv", NULL);

  ck_assert (g_file_set_contents (data, "0,1\n-3,0\n", -1, NULL));
  g_signal_connect (live, "valued", G_CALLBACK (on_valued), &waiter);
  tl_live_set_text (live, "t.gdsl", NULL, folder,
                    "algorithm a\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\n"
                    "data D: i32 = matrix(\"g.csv\")\n");
  wait_for (&waiter);
  ck_assert_ptr_nonnull (tl_live_run (live));
  ck_assert_ptr_null (tl_live_value_diags (live));
  wait_for (&waiter);
  TlDiags *diags = tl_live_value_diags (live);
  ck_assert_ptr_nonnull (diags);
  ck_assert_uint_eq (tl_diags_count (diags), 1);
  ck_assert_str_eq (tl_diags_get (diags, 0)->code, "negative-cycle");
  drop_live (live, &waiter);
  g_unlink (data);
  g_rmdir (folder);
}
END_TEST

/* A product shows the requests that its operands made, one kind of run in the other's place. */
START_TEST (products_run_too)
{
  static const char product[] = "algorithm p\n  C[m,n] = C[m,n] + A[m,k] * W[k,n]  for m, n, k\n"
                                "data A: f16[64, 256]\ndata W: i6[256, 256]\nconfig target = cu-t8b16\n";
  Waiter            waiter;
  TlLive           *live = new_live (&waiter);

  tl_live_set_text (live, "p.gdsl", NULL, NULL, product);
  wait_for (&waiter);
  ck_assert_ptr_nonnull (tl_live_product (live));
  ck_assert_ptr_nonnull (tl_live_replay (live));
  ck_assert_ptr_null (tl_live_run (live));
  const TlProductReplay *placed = &tl_live_product (live)->of[TL_PRODUCT_PLACED];
  ck_assert_uint_eq (tl_access_log_count (tl_replay_run_log (tl_live_replay (live))), placed->replay.totals.requests);
  /* The recorded accesses make the same run without the loop. */
  TlEngineTotals totals;
  tl_engine_totals (tl_replay_run_engine (tl_live_replay (live)), &totals);
  ck_assert_uint_eq (totals.makespan, placed->replay.totals.makespan);
  ck_assert_uint_eq (totals.share.scheduled.conflict, placed->replay.totals.share.scheduled.conflict);
  tl_live_set_text (live, "t.gdsl", NULL, NULL, RIGHT);
  wait_for (&waiter);
  ck_assert_ptr_nonnull (tl_live_run (live));
  ck_assert_ptr_null (tl_live_product (live));
  ck_assert_ptr_null (tl_live_replay (live));
  drop_live (live, &waiter);
}
END_TEST

/* From the text to the run: wall and processor time of both edits. Values are left
 * out: they come later, from a worker of their own. */
static void
measure (const char *folder, const char *name, double *worst)
{
  static const char *const edits[]
      = { "config values = off, tile = 128\n", "config values = off, tile = 64, barriers = strict\n" };
  g_autofree char *path = g_build_filename (folder, name, NULL), *text = NULL;
  Waiter           waiter;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return;
  TlLive          *live = new_live (&waiter);
  g_autofree char *first = g_strconcat (text, "config values = off\n", NULL);
  tl_live_set_text (live, name, path, NULL, first);
  wait_for (&waiter);
  if (tl_live_run (live) != NULL)
    {
      double wall[2], cpu[2];
      for (guint e = 0; e < 2; e++)
        {
          g_autofree char *edited = g_strconcat (text, edits[e], NULL);
          gint64           start = g_get_monotonic_time ();
          cpu[e] = cpu_ms ();
          tl_live_set_text (live, name, path, NULL, edited);
          wait_for (&waiter);
          wall[e] = (g_get_monotonic_time () - start) / 1e3;
          cpu[e] = cpu_ms () - cpu[e];
          *worst = MAX (*worst, wall[e]);
        }
      printf ("%-24s tile = 128: %5.1f ms (cpu %5.1f), tile = 64, strict: %5.1f ms (cpu %5.1f)\n", name, wall[0],
              cpu[0], wall[1], cpu[1]);
    }
  drop_live (live, &waiter);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

START_TEST (key_press_to_new_picture)
{
  g_autofree char *folder = tl_test_source_path ("examples");
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  double worst = 0;

  for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir))
    if (g_str_has_suffix (name, ".gdsl"))
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  for (guint n = 0; n < names->len; n++)
    measure (folder, names->pdata[n], &worst);
  printf ("longest: %.1f ms\n", worst);
  /* No verdict on time here: the machine may be busy. That it moved at all is one. */
  ck_assert_double_gt (worst, 0);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("live");
  TCase *tcase = tcase_create ("live");

  tcase_set_timeout (tcase, 110);
  tcase_add_test (tcase, the_newest_text_wins);
  tcase_add_test (tcase, the_last_good_picture_stays);
  tcase_add_test (tcase, values_are_looked_at_later);
  tcase_add_test (tcase, products_run_too);
  tcase_add_test (tcase, key_press_to_new_picture);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
