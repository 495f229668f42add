/* The register lens: both grids show the layout's own map, brackets its modes, the ruler and the verdict the View; what
 * is pointed at is what is drawn. */
#include "layout/convert.h"
#include "scene/paint.h"
#include "scene/register-lens.h"
#include "sheet.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

#define MMA "local(2,1).column_spatial(4,8).local(2,1)"

static const TlBox box = { 12, 12, 1156, 616 };

static TlScene *
draw (const TlRegisterLens *lens, gint64 element, TlThemeKind theme)
{
  TlScene         *scene = tl_scene_new (1180, 640, theme);
  TlRegisterMoment moment = { .element = element, .notations = TRUE };

  tl_view_register (scene, box, lens, &moment);
  return scene;
}

/* Index of the element of the group that lies at a point; G_MAXUINT64 for none. */
static guint64
drawn_at (const TlScene *scene, const char *id)
{
  TlBox          where;
  const TlGroup *group = tl_scene_find (scene, id, &where);

  if (group == NULL)
    return G_MAXUINT64;
  const TlGroup *there = tl_scene_pick (scene, where.x + where.width / 2, where.y + where.height / 2);
  return there == group ? group->data : G_MAXUINT64;
}

/* Every cell of every layout of the outside table that is small enough to have cells of its own. */
START_TEST (cells_are_the_map)
{
  g_autoptr (GPtrArray) table = tl_test_shared_csv ("oracle/tilus-layouts.csv");
  guint layouts = 0, cells = 0;

  if (table == NULL)
    return;
  for (guint row = 1; row < table->len; row++)
    {
      const char *expression = tl_test_cell (table, row, "expr");
      g_autoptr (TlRegisterLens) lens = tl_register_lens_new (expression, "u8", NULL, NULL);
      g_autoptr (TlScene) scene = draw (lens, -1, TL_THEME_LIGHT);

      if (!lens->from.valid)
        {
          ck_assert_ptr_nonnull (lens->from.reason);
          ck_assert_ptr_nonnull (tl_scene_find (scene, "register-problem", NULL));
          continue;
        }
      const TlLayout     *layout = &lens->from.layout;
      g_autofree guint32 *threads = g_new (guint32, tl_layout_copies (layout));
      TlRegisterMoment    moment = { .element = -1 };
      if (tl_scene_find (scene, "element-0", NULL) == NULL)
        continue;
      layouts++;
      for (guint64 x = 0; x < tl_layout_elements (layout) / tl_register_lens_slices (lens); x++)
        {
          g_autofree char *id = g_strdup_printf ("element-%" G_GUINT64_FORMAT, x);
          guint            local, n = tl_layout_where (layout, x, threads, &local);
          TlBox            where;
          const TlGroup   *group = tl_scene_find (scene, id, &where);

          ck_assert_uint_eq (drawn_at (scene, id), x);
          g_autofree char *thread = g_strdup_printf ("thread %u", threads[0]);
          g_autofree char *as = g_strdup_printf ("local %u", local);
          ck_assert (strstr (group->title, thread) != NULL && g_str_has_suffix (group->title, as));
          ck_assert (n == 1 || strstr (group->title, "more") != NULL);
          ck_assert_int_eq (
              tl_view_register_at (box, lens, &moment, where.x + where.width / 2, where.y + where.height / 2),
              (gint64) x);
          cells++;
        }
    }
  printf ("%u cells of %u layouts\n", cells, layouts);
  ck_assert_uint_gt (layouts, 40);
}
END_TEST

/* Pointing anywhere into the registers' grid gives the element that the thread of that row holds. */
START_TEST (registers_can_be_pointed_at)
{
  static const char *const expressions[] = { MMA, "spatial(4,8).local(32,32)", "spatial(2,3).local(3,4)" };

  for (guint i = 0; i < G_N_ELEMENTS (expressions); i++)
    {
      g_autoptr (TlRegisterLens) lens = tl_register_lens_new (expressions[i], "u4", NULL, NULL);
      g_autoptr (TlScene) scene = draw (lens, -1, TL_THEME_DARK);
      const TlLayout  *layout = &lens->from.layout;
      TlRegisterMoment moment = { .element = -1 };
      TlBox            grid;

      ck_assert_ptr_nonnull (tl_scene_find (scene, "register-threads", &grid));
      guint threads = tl_layout_threads (layout), locals = tl_layout_locals (layout);
      for (guint t = 0; t < threads; t++)
        for (guint l = 0; l < locals; l += MAX (locals / 16, 1))
          {
            float x = grid.x + ((float) l + 0.5f) * grid.width / (float) locals;
            float y = grid.y + ((float) t + 0.5f) * grid.height / (float) threads;
            ck_assert_int_eq (tl_view_register_at (box, lens, &moment, x, y), (gint64) tl_layout_index (layout, t, l));
          }
      ck_assert_int_eq (tl_view_register_at (box, lens, &moment, 2, 2), -1);
    }
}
END_TEST

static const struct
{
  const char *layout, *type, *view_type, *view_layout;
  gboolean    free;
  guint       condition;
  const char *says;  /* the scene's words */
  const char *moves; /* the first line of what moves, or NULL */
} views[] = {
  { "local(3).spatial(32).local(1)", "u8", "i6", MMA, TRUE, 0, "0 instructions", NULL },
  { MMA, "u1", "u1", "local(4).spatial(32)", TRUE, 0, "0 instructions", NULL },
  { MMA, "u8", "i6", MMA, FALSE, 2, "Not free (C2)", NULL },
  { "spatial(2)", "u8", "u8", "replicated(1, num_workers=2)", FALSE, 3, "Ill-defined (C3)", NULL },
  { "spatial(2).local(3)", "u8", "i6", "spatial(1).local(8)", FALSE, 1, "Not free (C1)",
    "bits 0-23 of thread 1 to thread 0, bit 24 on" },
};

START_TEST (views_are_judged_in_the_picture)
{
  g_autoptr (TlRegisterLens) lens
      = tl_register_lens_new (views[_i].layout, views[_i].type, views[_i].view_type, views[_i].view_layout);
  g_autoptr (TlScene) scene = draw (lens, 0, TL_THEME_LIGHT);
  g_autofree char *dump = tl_scene_dump (scene);
  g_autoptr (GPtrArray) moves = tl_register_lens_moves (lens, 4);

  ck_assert (lens->judged);
  ck_assert_int_eq (lens->free, views[_i].free);
  ck_assert_uint_eq (lens->condition, views[_i].condition);
  ck_assert_ptr_nonnull (strstr (dump, views[_i].says));
  ck_assert_ptr_nonnull (tl_scene_find (scene, "register-verdict", NULL));
  ck_assert_int_eq (moves->len > 0, views[_i].moves != NULL);
  if (views[_i].moves != NULL)
    ck_assert_str_eq (moves->pdata[0], views[_i].moves);
}
END_TEST

/* The worked example: bytes 12 34 56 are the codes 18, 16, 35 and 21, as i6 18, 16, -29 and 21. */
START_TEST (ruler_of_three_bytes)
{
  static const char *const targets[] = { "value 18", "value 16", "value -29", "value 21" };
  g_autoptr (TlRegisterLens) lens = tl_register_lens_new ("local(3).spatial(32)", "u8", "i6", MMA);
  g_autoptr (TlScene) scene = draw (lens, 0, TL_THEME_LIGHT);

  for (guint e = 0; e < 4; e++)
    {
      g_autofree char *id = g_strdup_printf ("target-%u-0", e);
      g_autofree char *bits = g_strdup_printf ("bits %u to %u", 6 * e, 6 * e + 5);
      const TlGroup   *group = tl_scene_find (scene, id, NULL);
      ck_assert_ptr_nonnull (group);
      ck_assert (strstr (group->title, targets[e]) != NULL && strstr (group->title, bits) != NULL);
    }
  ck_assert_ptr_null (tl_scene_find (scene, "target-4-0", NULL));
  ck_assert_ptr_nonnull (tl_scene_find (scene, "source-2-0", NULL));
  ck_assert_ptr_null (tl_scene_find (scene, "source-3-0", NULL));
}
END_TEST

/* All that there are parse back to the same layout; what there is not says why. */
START_TEST (notations_are_one_layout)
{
  static const char *const expressions[]
      = { MMA, "spatial(2,3).local(3,4)", "register_layout([16,2],[2,8,2],[1,2],[0])",
          "register_layout([6],[2,3],[1,0],[])", "local(2).spatial(3)" };

  for (guint i = 0; i < G_N_ELEMENTS (expressions); i++)
    {
      g_autoptr (TlRegisterLens) lens = tl_register_lens_new (expressions[i], "u8", NULL, NULL);

      ck_assert (lens->from.valid);
      for (TlNotation n = 0; n < TL_N_NOTATIONS; n++)
        {
          TlLayout back;

          ck_assert ((lens->notation[n] != NULL) != (lens->why_not[n] != NULL));
          if (n > TL_NOTATION_MODES || lens->notation[n] == NULL)
            continue;
          ck_assert (tl_layout_parse (&back, lens->notation[n], -1, NULL, NULL));
          ck_assert (tl_layout_equal (&back, &lens->from.layout));
        }
    }
  g_autoptr (TlRegisterLens) cyclic = tl_register_lens_new ("register_layout([6],[2,3],[1,0],[])", "u8", NULL, NULL);
  ck_assert (cyclic->notation[TL_NOTATION_KRONECKER] == NULL && cyclic->notation[TL_NOTATION_BASES] == NULL);
}
END_TEST

/* 128 x 256 elements: two textures, not thirty thousand cells, and the same bytes each time; what moves on a hover is
 * not of the static layer. */
START_TEST (large_tiles_are_textures)
{
  g_autoptr (TlRegisterLens) lens = tl_register_lens_new ("spatial(4,8).local(32,32)", "u4", NULL, NULL);
  guint grids = 0, moving[2] = { 0, 0 };

  for (guint hover = 0; hover < 2; hover++)
    {
      g_autoptr (TlScene) scene = draw (lens, hover == 0 ? 100 : 31000, TL_THEME_LIGHT);
      g_autoptr (TlScene) again = draw (lens, hover == 0 ? 100 : 31000, TL_THEME_LIGHT);
      g_autoptr (GBytes) svg = tl_paint_svg (scene, NULL, NULL);
      g_autoptr (GBytes) same = tl_paint_svg (again, NULL, NULL);

      ck_assert (g_bytes_equal (svg, same));
      ck_assert_uint_lt (g_bytes_get_size (svg), 1 << 20);
      ck_assert_uint_lt (scene->primitives->len, 1500);
      for (guint i = 0; i < scene->primitives->len; i++)
        {
          const TlPrimitive *primitive = &g_array_index (scene->primitives, TlPrimitive, i);
          grids += primitive->kind == TL_PRIMITIVE_GRID;
          moving[hover] += primitive->layer == TL_LAYER_MOVING;
        }
    }
  ck_assert_uint_eq (grids, 4);
  ck_assert (moving[0] > 0 && moving[0] < 500 && moving[1] < 500);
}
END_TEST

START_TEST (every_text_stays_in_the_picture)
{
  static const TlThemeKind themes[] = { TL_THEME_LIGHT, TL_THEME_DARK, TL_THEME_PRINT };
  static const char *const layouts[] = { MMA,
                                         "spatial(4,8).local(32,32)",
                                         "local(3).spatial(32)",
                                         "replicated(4,4,num_workers=64)",
                                         "spatial(2,2,2).local(2,2,3)",
                                         "local(",
                                         "local(1)" };

  for (guint i = 0; i < G_N_ELEMENTS (layouts) * G_N_ELEMENTS (themes); i++)
    {
      g_autoptr (TlRegisterLens) lens
          = tl_register_lens_new (layouts[i / G_N_ELEMENTS (themes)], "u8", "u4", "spatial(32).local(6)");
      g_autoptr (TlScene) scene = draw (lens, 5, themes[i % G_N_ELEMENTS (themes)]);

      ck_assert_ptr_nonnull (scene->description);
      all_text_is_readable (scene, layouts[i / G_N_ELEMENTS (themes)]);
    }
}
END_TEST

/* A lens of another layout must not pass for this one. */
START_TEST (another_layout_looks_different)
{
  g_autoptr (TlRegisterLens) one = tl_register_lens_new (MMA, "u8", NULL, NULL);
  g_autoptr (TlRegisterLens) other = tl_register_lens_new ("local(2,1).spatial(4,8).local(2,1)", "u8", NULL, NULL);
  g_autoptr (TlScene) a = draw (one, 3, TL_THEME_LIGHT);
  g_autoptr (TlScene) b = draw (other, 3, TL_THEME_LIGHT);
  const TlGroup *x = tl_scene_find (a, "element-3", NULL), *y = tl_scene_find (b, "element-3", NULL);

  ck_assert_str_ne (x->title, y->title);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("scene-register");
  TCase *cases = tcase_create ("lens");

  tcase_add_test (cases, cells_are_the_map);
  tcase_add_test (cases, registers_can_be_pointed_at);
  tcase_add_loop_test (cases, views_are_judged_in_the_picture, 0, G_N_ELEMENTS (views));
  tcase_add_test (cases, ruler_of_three_bytes);
  tcase_add_test (cases, notations_are_one_layout);
  tcase_add_test (cases, large_tiles_are_textures);
  tcase_add_test (cases, every_text_stays_in_the_picture);
  tcase_add_test (cases, another_layout_looks_different);
  suite_add_tcase (suite, cases);
  return tl_test_run (suite);
}
