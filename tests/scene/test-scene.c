/* The list, picking, and the painters on a small picture of every primitive. */
#include "scene/paint.h"
#include "support/support.h"

#include <libxml/parser.h>
#include <string.h>

static TlScene *
sample (TlThemeKind theme)
{
  TlScene      *scene = tl_scene_new (200, 120, theme);
  TlColor       ink = tl_theme_color (theme, TL_ROLE_INK), hit = tl_theme_color (theme, TL_ROLE_HIT);
  const guint8  cells[] = { 0, 1, 1, 0, 1, 0 };
  const TlColor colors[] = { 0xff0000ff, 0x00ff00ff };
  const float   quad[] = { 150, 10, 190, 20, 180, 60, 140, 50 };

  tl_scene_describe (scene, "Sample <picture>", "Every primitive once");
  tl_scene_begin (scene, "panel", "Left & right", 7, "panel-1");
  tl_scene_rect (scene, tl_box (10, 10, 40, 20), tl_fill_stroke (hit, ink, 1));
  tl_scene_hit (scene, tl_box (10, 10, 40, 20));
  tl_scene_begin (scene, "bank", "bank T0", 8, "bank-T0-B3");
  TlStyle textured = tl_fill_stroke (tl_theme_color (theme, TL_ROLE_MISS), ink, 1);
  textured.texture = TL_TEXTURE_DIAGONAL;
  textured.texture_color = ink;
  tl_scene_rect (scene, tl_box (20, 15, 10, 10), textured);
  tl_scene_hit (scene, tl_box (20, 15, 10, 10));
  tl_scene_end (scene);
  tl_scene_end (scene);
  tl_scene_begin (scene, "tile", NULL, 9, "tile-%u-%u", 3u, 5u);
  tl_scene_polygon (scene, quad, 4, TRUE, tl_stroke (ink, 1.2f));
  tl_scene_hit_quad (scene, quad);
  tl_scene_end (scene);
  tl_scene_grid (scene, tl_box (10, 50, 60, 40), 3, 2, cells, colors, 2);
  tl_scene_clip (scene, tl_box (80, 50, 20, 20));
  tl_scene_ellipse (scene, 90, 60, 20, 20, tl_fill (hit));
  tl_scene_unclip (scene);
  tl_scene_label (scene, 100, 110, TL_ANCHOR_MIDDLE, 12, TRUE, ink, "T%u \302\267 tRCD %s", 0u, "2.29 ns");
  return scene;
}

START_TEST (the_topmost_is_picked)
{
  g_autoptr (TlScene) scene = sample (TL_THEME_LIGHT);
  TlBox box;

  ck_assert_str_eq (tl_scene_pick (scene, 12, 12)->id, "panel-1");
  ck_assert_str_eq (tl_scene_pick (scene, 25, 20)->id, "bank-T0-B3");
  ck_assert_str_eq (tl_scene_pick (scene, 165, 35)->id, "tile-3-5");
  ck_assert_ptr_null (tl_scene_pick (scene, 142, 12));
  ck_assert_ptr_nonnull (tl_scene_find (scene, "tile-3-5", &box));
  ck_assert_float_eq (box.width, 50);
  ck_assert_ptr_null (tl_scene_find (scene, "tile-9-9", NULL));
  g_autoptr (GArray) items = tl_scene_items (scene);
  ck_assert_uint_eq (items->len, 3);
}
END_TEST

START_TEST (figures_repeat_and_reopen)
{
  g_autoptr (TlScene) scene = sample (_i);
  g_autoptr (TlScene) again = sample (_i);
  const TlFigure figure = { .width_mm = 84,
                            .program = "algorithm a\n  D[i,j] = 1 < 2 & \"x\"\n",
                            .name = "a.gdsl",
                            .state = "view=stack;at=12",
                            .version = "1" };
  g_autoptr (GBytes) svg = tl_paint_svg (scene, &figure, NULL);
  g_autoptr (GBytes) other = tl_paint_svg (again, &figure, NULL);
  g_autofree char *program = NULL, *name = NULL, *state = NULL;
  gsize            length;
  const char      *text = g_bytes_get_data (svg, &length);

  ck_assert (g_bytes_equal (svg, other));
  ck_assert (tl_figure_read (text, length, &program, &name, &state, NULL));
  ck_assert_str_eq (program, figure.program);
  ck_assert_str_eq (name, "a.gdsl");
  ck_assert_str_eq (state, "view=stack;at=12");
  g_autofree char *whole = g_strndup (text, length);
  ck_assert_ptr_nonnull (strstr (whole, "<g id=\"bank-T0-B3\"><title>bank T0</title>"));
  ck_assert_ptr_nonnull (strstr (whole, "width=\"84mm\""));
  ck_assert_ptr_nonnull (strstr (whole, "tRCD 2.29 ns</text>"));
  ck_assert (!tl_figure_read ("<svg/>", 6, &program, &name, &state, NULL));

  g_autoptr (GBytes) png = tl_paint_png (scene, 2, NULL);
  g_autoptr (GBytes) pdf = tl_paint_pdf (scene, &figure, NULL);
  g_autoptr (GBytes) pdf_again = tl_paint_pdf (again, &figure, NULL);
  ck_assert_uint_gt (g_bytes_get_size (png), 200);
  ck_assert (g_bytes_equal (pdf, pdf_again));
}
END_TEST

START_TEST (dumps_tell_scenes_apart)
{
  g_autoptr (TlScene) scene = sample (TL_THEME_LIGHT);
  g_autoptr (TlScene) dark = sample (TL_THEME_DARK);
  g_autofree char *a = tl_scene_dump (scene), *b = tl_scene_dump (dark);

  ck_assert_str_ne (a, b);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("scene-scene");
  TCase *tcase = tcase_create ("scene");

  tcase_add_test (tcase, the_topmost_is_picked);
  tcase_add_loop_test (tcase, figures_repeat_and_reopen, TL_THEME_LIGHT, TL_THEME_PRINT + 1);
  tcase_add_test (tcase, dumps_tell_scenes_apart);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
