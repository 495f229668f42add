/* Each view of one moment of one run: what it is made of, that all of it can be picked, and that its figure opens again.
 * tests/scene/views.csv holds what is expected; after a change that was looked at, TL_GOLDEN=write
 * writes it anew. */
#include "base/hash.h"
#include "moment.h"
#include "scene/paint.h"
#include "support/support.h"

#include <string.h>

typedef struct
{
  guint items, groups, texts, shapes;
  char *hash; /* of the whole list */
} Facts;

static Facts
facts_of (const TlScene *scene)
{
  Facts facts = { 0 };
  g_autoptr (GArray) items = tl_scene_items (scene);
  g_autofree char *dump = tl_scene_dump (scene);

  facts.items = items->len;
  facts.groups = scene->groups->len;
  for (guint i = 0; i < scene->primitives->len; i++)
    {
      TlPrimitiveKind kind = g_array_index (scene->primitives, TlPrimitive, i).kind;
      facts.texts += kind == TL_PRIMITIVE_TEXT;
      facts.shapes += kind == TL_PRIMITIVE_RECTS || kind == TL_PRIMITIVE_PATH || kind == TL_PRIMITIVE_GRID;
    }
  facts.hash = tl_hash_text (tl_fnv1a64 (TL_FNV1A64_START, dump, strlen (dump)));
  return facts;
}

static char *
row_of (TlViewKind kind, TlThemeKind theme)
{
  g_autoptr (TlScene) scene = moment_compose (kind, theme);
  Facts facts = facts_of (scene);
  char *row = g_strdup_printf ("%s,%s,%u,%u,%u,%u,%s", tl_view_name (kind), tl_theme_name (theme), facts.items,
                               facts.groups, facts.texts, facts.shapes, facts.hash);

  g_free (facts.hash);
  return row;
}

static const char golden[] = "tests/scene/views.csv";
static const char header[] = "view,theme,items,groups,texts,shapes,hash\n";

/* Rows of the golden file that are not what is drawn. */
static guint
differing (const char *expected, gboolean say)
{
  g_auto (GStrv) lines = g_strsplit (expected, "\n", -1);
  guint wrong = 0, line = 1;

  for (int kind = 0; kind < TL_N_VIEWS; kind++)
    for (int theme = TL_THEME_LIGHT; theme <= TL_THEME_PRINT; theme++, line++)
      {
        g_autofree char *row = row_of ((TlViewKind) kind, (TlThemeKind) theme);
        if (line < g_strv_length (lines) && strcmp (row, lines[line]) == 0)
          continue;
        wrong++;
        if (say)
          g_printerr ("is        %s\nexpected  %s\n", row, line < g_strv_length (lines) ? lines[line] : "nothing");
      }
  return wrong;
}

START_TEST (views_are_what_they_were)
{
  g_autofree char *path = tl_test_source_path (golden);
  g_autofree char *expected = NULL;

  if (g_strcmp0 (g_getenv ("TL_GOLDEN"), "write") == 0)
    {
      GString *rows = g_string_new (header);
      for (int kind = 0; kind < TL_N_VIEWS; kind++)
        for (int theme = TL_THEME_LIGHT; theme <= TL_THEME_PRINT; theme++)
          {
            g_autofree char *row = row_of ((TlViewKind) kind, (TlThemeKind) theme);
            g_string_append_printf (rows, "%s\n", row);
          }
      ck_assert (g_file_set_contents (path, rows->str, -1, NULL));
      g_string_free (rows, TRUE);
    }
  ck_assert (g_file_get_contents (path, &expected, NULL, NULL));
  ck_assert_uint_eq (differing (expected, TRUE), 0);

  /* The deliberately wrong row: one digit of the first hash, and one item more in the second row. */
  char *digit = strchr (expected + strlen (header), '\n') - 1;
  *digit = *digit == '0' ? '1' : '0';
  ck_assert_uint_eq (differing (expected, FALSE), 1);
  char *item = strchr (strchr (digit, ',') + 1, ',') + 1;
  *item = *item == '9' ? '8' : '9';
  ck_assert_uint_eq (differing (expected, FALSE), 2);
}
END_TEST

/* Somewhere in its hit areas each item is the topmost thing. */
static gboolean
reachable (const TlScene *scene, guint32 group)
{
  for (guint h = 0; h < scene->hits->len; h++)
    {
      const TlHit *hit = &g_array_index (scene->hits, TlHit, h);
      if (hit->group != group)
        continue;
      for (guint step = 0; step < 81; step++)
        {
          float          x = hit->box.x + hit->box.width * ((float) (step % 9) + 0.5f) / 9;
          float          y = hit->box.y + hit->box.height * ((float) (step / 9) + 0.5f) / 9;
          const TlGroup *found = tl_scene_pick (scene, x, y);
          if (found == &g_array_index (scene->groups, TlGroup, group))
            return TRUE;
        }
    }
  return FALSE;
}

START_TEST (items_can_be_picked)
{
  g_autoptr (TlScene) scene = moment_compose ((TlViewKind) _i, TL_THEME_LIGHT);
  g_autoptr (GArray) items = tl_scene_items (scene);
  g_autoptr (GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < items->len; i++)
    {
      guint32        index = g_array_index (items, guint32, i);
      const TlGroup *group = &g_array_index (scene->groups, TlGroup, index);
      TlBox          box;
      ck_assert_msg (reachable (scene, index), "%s of the %s view lies under other things", group->id,
                     tl_view_name ((TlViewKind) _i));
      ck_assert_msg (group->title != NULL && *group->title != '\0', "%s has no words", group->id);
      ck_assert_msg (g_hash_table_add (ids, (gpointer) group->id), "%s is there twice", group->id);
      ck_assert (tl_scene_find (scene, group->id, &box) == group);
      ck_assert_msg (box.x >= -1 && box.y >= -1 && box.x + box.width <= scene->width + 1
                         && box.y + box.height <= scene->height + 1,
                     "%s lies outside the %s view", group->id, tl_view_name ((TlViewKind) _i));
    }
}
END_TEST

static guint
count_prefix (const TlScene *scene, const char *prefix)
{
  g_autoptr (GArray) items = tl_scene_items (scene);
  guint n = 0;

  for (guint i = 0; i < items->len; i++)
    n += g_str_has_prefix (g_array_index (scene->groups, TlGroup, g_array_index (items, guint32, i)).id, prefix);
  return n;
}

/* As many as the machine and the matrix have. */
START_TEST (views_show_all_there_is)
{
  const TlPimMachine *machine = &moment_run->sim->program->machine;
  g_autoptr (TlScene) stack = moment_compose (TL_VIEW_STACK, TL_THEME_LIGHT);
  g_autoptr (TlScene) iso = moment_compose (TL_VIEW_ISO, TL_THEME_LIGHT);
  g_autoptr (TlScene) ring = moment_compose (TL_VIEW_RING, TL_THEME_LIGHT);
  g_autoptr (TlScene) tiles = moment_compose (TL_VIEW_TILES, TL_THEME_LIGHT);

  ck_assert_uint_eq (count_prefix (stack, "pu-"), machine->pus);
  ck_assert_uint_eq (count_prefix (iso, "pu-"), machine->pus);
  ck_assert_uint_eq (count_prefix (ring, "pu-"), machine->pus);
  ck_assert_uint_eq (count_prefix (stack, "tier-"), machine->tiers);
  ck_assert_uint_eq (count_prefix (tiles, "tile-"), moment_run->sim->program->tiles * moment_run->sim->program->tiles);
}
END_TEST

/* The file alone brings back program, view and moment: drawn again it is the same file. */
START_TEST (figures_open_again)
{
  g_autofree char *selection = NULL, *program = NULL, *name = NULL, *state = NULL, *again_selection = NULL;
  g_autoptr (GError) error = NULL;
  TlPicture        picture = moment_picture ((TlViewKind) _i, TL_THEME_LIGHT, &selection), again = { 0 };
  g_autofree char *words = tl_picture_state (&picture);
  TlFigure         figure = { .program = moment_text, .name = "views.gdsl", .state = words, .version = "1" };
  g_autoptr (TlScene) scene = tl_compose (moment_run->sim, &picture, &error);
  g_autoptr (GBytes) svg = tl_paint_svg (scene, &figure, &error);
  gsize       length;
  const char *bytes = g_bytes_get_data (svg, &length);

  ck_assert (tl_figure_read (bytes, length, &program, &name, &state, &error));
  ck_assert_str_eq (program, moment_text);
  tl_picture_parse (state, &again, &again_selection);
  again.selection = again_selection;
  ck_assert_int_eq (again.kind, picture.kind);
  ck_assert_uint_eq (again.time, picture.time);
  ck_assert_str_eq (again.selection, picture.selection);

  g_autoptr (TlRun) second = moment_run_of (program, strlen (program));
  g_autofree char *second_words = tl_picture_state (&again);
  TlFigure         second_figure = { .program = program, .name = name, .state = second_words, .version = "1" };
  g_autoptr (TlScene) second_scene = tl_compose (second->sim, &again, &error);
  g_autoptr (GBytes) second_svg = tl_paint_svg (second_scene, &second_figure, &error);
  ck_assert (g_bytes_equal (svg, second_svg));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("scene-views");
  TCase *tcase = tcase_create ("views");

  tcase_add_unchecked_fixture (tcase, moment_set_up, moment_tear_down);
  tcase_set_timeout (tcase, 120);
  tcase_add_test (tcase, views_are_what_they_were);
  tcase_add_loop_test (tcase, items_can_be_picked, 0, TL_N_VIEWS);
  tcase_add_test (tcase, views_show_all_there_is);
  tcase_add_loop_test (tcase, figures_open_again, 0, TL_N_VIEWS);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
