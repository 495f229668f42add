/* The views of a trace's run. tests/scene/replay-views.csv holds what is expected; after a
 * change that was looked at, TL_GOLDEN=write writes it anew. */
#include "base/hash.h"
#include "engine/trace-run.h"
#include "scene/paint.h"
#include "scene/replay-compose.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

static const TlViewKind  kinds[] = { TL_VIEW_WINDOW,    TL_VIEW_STACK, TL_VIEW_TIMELINE, TL_VIEW_STATUS,
                                     TL_VIEW_INSPECTOR, TL_VIEW_WHY,   TL_VIEW_SPOTS };
static const char *const targets[] = { "cu-t8b16", "hbm2", "gendram" };

static TlReplayRun *runs[G_N_ELEMENTS (targets)];

/* Tiles first, then anywhere; reads and writes. */
static void
set_up (void)
{
  g_autofree char *path = g_build_filename (tl_test_folder (), "views.trace", NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  guint64 state = 5;

  for (guint tile = 0; tile < 12; tile++)
    for (guint row = 0; row < 48; row++)
      g_string_append_printf (text, "LD 0x%x\nLD 0x%x\n", tile * 128 + row * 8192, tile * 128 + row * 8192 + 64);
  for (guint i = 0; i < 800; i++)
    g_string_append_printf (text, "%s 0x%x\n", tl_test_random_below (&state, 3) == 0 ? "ST" : "LD",
                            (guint) tl_test_random_below (&state, 1 << 20) * 64);
  ck_assert (g_file_set_contents (path, text->str, -1, NULL));
  for (guint t = 0; t < G_N_ELEMENTS (targets); t++)
    {
      g_autoptr (TlDiags) diags = tl_diags_new ();
      g_autoptr (TlTarget) target = tl_target_load (targets[t], NULL, NULL, NULL, tl_span (0, 0), diags);
      TlTraceRunOptions options;
      tl_trace_run_options_init (&options);
      runs[t] = tl_trace_run_new (path, target, &options, diags, NULL);
      ck_assert_ptr_nonnull (runs[t]);
    }
}

static void
tear_down (void)
{
  for (guint t = 0; t < G_N_ELEMENTS (targets); t++)
    g_clear_pointer (&runs[t], tl_replay_run_unref);
}

static TlScene *
compose (guint t, TlViewKind kind, TlThemeKind theme)
{
  g_autoptr (TlReplayCursor) cursor = tl_replay_cursor_new (runs[t]);
  g_autoptr (GError) error = NULL;
  TlPicture picture = { .kind = kind, .theme = theme };
  TlScene  *scene
      = tl_replay_compose (cursor, targets[t], &picture, tl_trace_run_telling (runs[t]), G_MAXUINT64, &error);

  ck_assert_msg (scene != NULL, "%s", error != NULL ? error->message : "");
  return scene;
}

static char *
row_of (guint t, TlViewKind kind, TlThemeKind theme)
{
  g_autoptr (TlScene) scene = compose (t, kind, theme);
  g_autoptr (GArray) items = tl_scene_items (scene);
  g_autofree char *dump = tl_scene_dump (scene);
  g_autofree char *hash = tl_hash_text (tl_fnv1a64 (TL_FNV1A64_START, dump, strlen (dump)));

  return g_strdup_printf ("%s,%s,%s,%u,%u,%s", targets[t], tl_view_name (kind), tl_theme_name (theme), items->len,
                          scene->primitives->len, hash);
}

static GPtrArray *
all_rows (void)
{
  GPtrArray *rows = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (rows, g_strdup ("target,view,theme,items,primitives,hash"));
  for (guint t = 0; t < G_N_ELEMENTS (targets); t++)
    for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
      for (int theme = TL_THEME_LIGHT; theme <= TL_THEME_PRINT; theme++)
        g_ptr_array_add (rows, row_of (t, kinds[k], (TlThemeKind) theme));
  return rows;
}

static guint
differing (const char *expected, const GPtrArray *rows, gboolean say)
{
  g_auto (GStrv) lines = g_strsplit (expected, "\n", -1);
  guint wrong = 0;

  for (guint i = 0; i < rows->len; i++)
    {
      if (i < g_strv_length (lines) && strcmp (lines[i], rows->pdata[i]) == 0)
        continue;
      wrong++;
      if (say)
        g_printerr ("is        %s\nexpected  %s\n", (char *) rows->pdata[i],
                    i < g_strv_length (lines) ? lines[i] : "nothing");
    }
  return wrong;
}

START_TEST (views_are_what_they_were)
{
  g_autofree char *path = tl_test_source_path ("tests/scene/replay-views.csv");
  g_autofree char *expected = NULL;
  g_autoptr (GPtrArray) rows = all_rows ();

  if (g_strcmp0 (g_getenv ("TL_GOLDEN"), "write") == 0)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      for (guint i = 0; i < rows->len; i++)
        g_string_append_printf (text, "%s\n", (char *) rows->pdata[i]);
      ck_assert (g_file_set_contents (path, text->str, -1, NULL));
    }
  ck_assert (g_file_get_contents (path, &expected, NULL, NULL));
  ck_assert_uint_eq (differing (expected, rows, TRUE), 0);
  /* The deliberately wrong row. */
  char *digit = strrchr (expected, '\n') - 1;
  *digit = *digit == '0' ? '1' : '0';
  ck_assert_uint_eq (differing (expected, rows, FALSE), 1);
}
END_TEST

START_TEST (items_have_words_and_one_name)
{
  for (guint t = 0; t < G_N_ELEMENTS (targets); t++)
    {
      g_autoptr (TlScene) scene = compose (t, kinds[_i], TL_THEME_LIGHT);
      g_autoptr (GArray) items = tl_scene_items (scene);
      g_autoptr (GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);
      for (guint i = 0; i < items->len; i++)
        {
          const TlGroup *group = &g_array_index (scene->groups, TlGroup, g_array_index (items, guint32, i));
          TlBox          box;
          ck_assert_msg (group->title != NULL && *group->title != '\0', "%s has no words", group->id);
          ck_assert_msg (g_hash_table_add (ids, (gpointer) group->id), "%s is there twice", group->id);
          ck_assert (tl_scene_find (scene, group->id, &box) == group);
          ck_assert_msg (box.x >= -1 && box.y >= -1 && box.x + box.width <= scene->width + 1
                             && box.y + box.height <= scene->height + 1,
                         "%s lies outside the %s view", group->id, tl_view_name (kinds[_i]));
        }
    }
}
END_TEST

/* Cells, conflicts and spots lead to a conflict that has to do with them. */
START_TEST (items_lead_somewhere)
{
  g_autoptr (TlReplayCursor) cursor = tl_replay_cursor_new (runs[0]);
  g_autoptr (TlReplaySpots) spots = tl_replay_spots_new (runs[0]);
  g_autoptr (TlScene) scene = compose (0, TL_VIEW_WINDOW, TL_THEME_LIGHT);
  g_autoptr (GArray) items = tl_scene_items (scene);
  guint pairs = 0, differences = 0, domains = 0, conflicts = 0;

  for (guint i = 0; i < items->len; i++)
    {
      const char      *id = g_array_index (scene->groups, TlGroup, g_array_index (items, guint32, i)).id;
      guint64          event = 0, bits;
      guint32          domain, a, b;
      TlReplayConflict conflict;
      gboolean         pair = sscanf (id, "pair-%u-%u-%u", &domain, &a, &b) == 3;
      gboolean         difference = sscanf (id, "difference-%" G_GINT64_MODIFIER "x", &bits) == 1;
      gboolean         most = sscanf (id, "most-%u", &domain) == 1, one = g_str_has_prefix (id, "conflict-");
      if (!pair && !difference && !most && !one)
        continue;
      ck_assert_msg (tl_replay_find_of (cursor, spots, id, 100, &event), "%s leads nowhere", id);
      ck_assert (tl_replay_cursor_conflict (cursor, event, &conflict, NULL));
      if (pair)
        ck_assert (conflict.cause.domain == domain && (conflict.cause.open_row ^ conflict.cause.wanted_row) == (a ^ b));
      if (difference)
        ck_assert_uint_eq (conflict.opener.unit ^ conflict.closer.unit, bits);
      if (most)
        ck_assert_uint_eq (conflict.cause.domain, domain);
      pairs += pair;
      differences += difference;
      domains += most;
      conflicts += one;
    }
  ck_assert (pairs > 0 && differences > 0 && domains > 0 && conflicts > 0);
}
END_TEST

START_TEST (moments_are_named)
{
  g_autoptr (TlReplayCursor) cursor = tl_replay_cursor_new (runs[0]);
  guint64 event, time;

  ck_assert (tl_replay_moment_parse (cursor, "start", &event, &time, NULL) && event <= 1 && time == 0);
  ck_assert (tl_replay_moment_parse (cursor, "end", &event, &time, NULL));
  ck_assert_uint_eq (event, tl_replay_run_events (runs[0]));
  ck_assert (tl_replay_moment_parse (cursor, "event:17", &event, &time, NULL) && event == 17);
  ck_assert (tl_replay_moment_parse (cursor, "cycle:100", &event, &time, NULL) && time == 100000);
  ck_assert (tl_replay_moment_parse (cursor, "conflict:3", &event, &time, NULL));
  TlEvent done;
  ck_assert (tl_replay_cursor_event (cursor, event - 1, &done, NULL) && done.row_class == TL_ROW_CONFLICT);
  static const char *const wrong[]
      = { "event:99999999", "conflict:0", "conflict:99999999", "cycle:x", "time:9s", "phase:1.pivot", "" };
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;
      ck_assert_msg (!tl_replay_moment_parse (cursor, wrong[i], &event, &time, &error) && error != NULL, "%s",
                     wrong[i]);
    }
}
END_TEST

typedef struct
{
  guint conflicts[4096];
  guint columns[4096];
} Counts;

static gboolean
count (const TlEvent *events, gsize n, guint64 index, gpointer data)
{
  Counts *counts = data;

  for (gsize i = 0; i < n; i++)
    {
      counts->conflicts[events[i].domain] += events[i].kind == TL_EVENT_PRE && events[i].reason == TL_CLOSE_CONFLICT;
      counts->columns[events[i].domain] += events[i].kind == TL_EVENT_RD || events[i].kind == TL_EVENT_WR;
    }
  return TRUE;
}

/* Lanes are of those that conflict most in what is shown; nearly equal ones do not change places with those shown. */
START_TEST (lanes_are_of_the_stretch)
{
  g_autoptr (TlReplayCursor) cursor = tl_replay_cursor_new (runs[0]);
  guint64            end = tl_replay_run_end (runs[0]), state = tl_test_seed ();
  guint32            domains[5], again[5], all = tl_memory_domains (tl_replay_run_memory (runs[0]));
  const char        *how;
  g_autofree Counts *counts = g_new (Counts, 1);

  ck_assert_uint_le (all, 4096);
  for (guint round = 0; round < tl_test_rounds (40); round++)
    {
      guint64 from = tl_test_random_below (&state, end),
              to = MIN (from + 1 + tl_test_random_below (&state, end / 8), end);
      guint n = tl_replay_lanes_choose (cursor, from, to, G_MAXUINT32, NULL, 0, domains, 5, &how);
      guint conflicts = 0;

      memset (counts, 0, sizeof *counts);
      ck_assert (tl_replay_cursor_walk (cursor, from, to, count, counts, NULL));
      for (guint32 d = 0; d < all; d++)
        conflicts += counts->conflicts[d];
      ck_assert_str_eq (how, conflicts > 0 ? "most conflicts in view" : "most requests in view");
      for (guint i = 0; i + 1 < n; i++)
        ck_assert_uint_ge (counts->conflicts[domains[i]], counts->conflicts[domains[i + 1]]);
      for (guint32 d = 0; d < all && n == 5; d++)
        {
          gboolean in = FALSE;
          for (guint i = 0; i < n; i++)
            in |= domains[i] == d;
          ck_assert (in || counts->conflicts[d] <= counts->conflicts[domains[n - 1]]);
        }
      ck_assert_uint_eq (tl_replay_lanes_choose (cursor, from, to, G_MAXUINT32, domains, n, again, 5, &how), n);
      ck_assert_mem_eq (domains, again, n * sizeof *domains);
    }
}
END_TEST

/* The lanes of the whole run, of a part and of single commands: sums stay within a lane. */
START_TEST (lanes_at_every_zoom)
{
  g_autoptr (TlReplayCursor) cursor = tl_replay_cursor_new (runs[0]);
  guint32     domains[6];
  guint64     end = tl_replay_run_end (runs[0]);
  const char *how;
  guint       n = tl_replay_lanes_choose (cursor, 0, end, 3, NULL, 0, domains, 6, &how);

  ck_assert_uint_eq (n, 6);
  ck_assert_uint_eq (domains[0], 3);
  for (guint zoom = 1; zoom < 2000; zoom *= 4)
    {
      guint64 from = end / 3, to = MIN (from + end / zoom, end);
      g_autoptr (TlLanes) lanes = tl_replay_lanes_new (cursor, zoom == 1 ? 0 : from, to, 300, domains, n, NULL);
      ck_assert_uint_ge (lanes->lanes->len, n + 1);
      for (guint l = 0; l < lanes->lanes->len; l++)
        {
          const TlLane *lane = lanes->lanes->pdata[l];
          ck_assert (lane->rows && lane->name != NULL && lane->id != NULL);
          for (guint c = 0; c < lane->bins->len; c++)
            {
              const TlLaneBin *bin = &g_array_index (lane->bins, TlLaneBin, c);
              if (!lane->bus)
                ck_assert_uint_le (bin->hit + bin->miss + bin->conflict, 258);
            }
          for (guint m = 0; m < lane->marks->len; m++)
            {
              const TlLaneMark *mark = &g_array_index (lane->marks, TlLaneMark, m);
              ck_assert (mark->x >= 0 && mark->x + mark->width <= 300.01f);
            }
        }
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("scene-replay");
  TCase *tcase = tcase_create ("replay");

  tcase_add_unchecked_fixture (tcase, set_up, tear_down);
  tcase_set_timeout (tcase, 120);
  tcase_add_test (tcase, views_are_what_they_were);
  tcase_add_loop_test (tcase, items_have_words_and_one_name, 0, G_N_ELEMENTS (kinds));
  tcase_add_test (tcase, items_lead_somewhere);
  tcase_add_test (tcase, moments_are_named);
  tcase_add_test (tcase, lanes_at_every_zoom);
  tcase_add_test (tcase, lanes_are_of_the_stretch);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
