/* The SVG of a view, drawn by another program, looks like the PNG of our own. */
#include "moment.h"
#include "scene/paint.h"
#include "support/support.h"

#include <stdlib.h>

/* Sum of a channel over the 3 x 3 pixels round (x, y). */
static int
around (const guint8 *data, int stride, int x, int y, int channel)
{
  int sum = 0;

  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      sum += data[(y + dy) * stride + (x + dx) * 4 + channel];
  return sum;
}

/* Share of the pixels that differ by more than 24 of 255 after a 3 x 3 mean, outside the text. */
static double
differing_share (const TlScene *scene, cairo_surface_t *a, cairo_surface_t *b)
{
  int                width = cairo_image_surface_get_width (a), height = cairo_image_surface_get_height (a);
  int                stride = cairo_image_surface_get_stride (a), wrong = 0;
  g_autofree guint8 *text_there = g_new0 (guint8, (gsize) width * (gsize) height);

  ck_assert_int_eq (width, cairo_image_surface_get_width (b));
  ck_assert_int_eq (height, cairo_image_surface_get_height (b));
  ck_assert_int_eq (stride, cairo_image_surface_get_stride (b));
  for (guint i = 0; i < scene->primitives->len; i++)
    {
      const TlPrimitive *primitive = &g_array_index (scene->primitives, TlPrimitive, i);
      if (primitive->kind != TL_PRIMITIVE_TEXT)
        continue;
      TlBox box = tl_scene_bounds (scene, primitive);
      for (int y = MAX ((int) box.y - 2, 0); y < MIN ((int) (box.y + box.height) + 3, height); y++)
        for (int x = MAX ((int) box.x - 2, 0); x < MIN ((int) (box.x + box.width) + 3, width); x++)
          text_there[y * width + x] = 1;
    }
  const guint8 *left = cairo_image_surface_get_data (a), *right = cairo_image_surface_get_data (b);
  for (int y = 1; y < height - 1; y++)
    for (int x = 1; x < width - 1; x++)
      for (int channel = 0; channel < 3 && !text_there[y * width + x]; channel++)
        if (abs (around (left, stride, x, y, channel) - around (right, stride, x, y, channel)) > 9 * 24)
          {
            wrong++;
            break;
          }
  return (double) wrong / ((double) width * height);
}

/* The same pixel format for both, on the background of the picture. */
static cairo_surface_t *
read_png (const char *path)
{
  cairo_surface_t *png = cairo_image_surface_create_from_png (path);
  ck_assert_int_eq (cairo_surface_status (png), CAIRO_STATUS_SUCCESS);
  cairo_surface_t *image = cairo_image_surface_create (CAIRO_FORMAT_RGB24, cairo_image_surface_get_width (png),
                                                       cairo_image_surface_get_height (png));
  cairo_t         *cr = cairo_create (image);
  cairo_set_source_surface (cr, png, 0, 0);
  cairo_paint (cr);
  cairo_destroy (cr);
  cairo_surface_destroy (png);
  cairo_surface_flush (image);
  return image;
}

static char *
write_bytes (const char *name, GBytes *bytes)
{
  gsize         length;
  gconstpointer data = g_bytes_get_data (bytes, &length);
  char         *path = g_build_filename (tl_test_folder (), name, NULL);

  ck_assert (g_file_set_contents (path, data, (gssize) length, NULL));
  return path;
}

static cairo_surface_t *
svg_by_rsvg (GBytes *svg, const TlScene *scene)
{
  g_autofree char *from = write_bytes ("picture.svg", svg);
  g_autofree char *to = g_build_filename (tl_test_folder (), "picture-rsvg.png", NULL);
  g_autofree char *width = g_strdup_printf ("%d", (int) scene->width),
                  *height = g_strdup_printf ("%d", (int) scene->height);
  const char *words[] = { "rsvg-convert", "-w", width, "-h", height, "-o", to, from, NULL };
  int         status;

  ck_assert (g_spawn_sync (NULL, (char **) words, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, &status, NULL));
  ck_assert_int_eq (status, 0);
  return read_png (to);
}

static const struct
{
  TlViewKind  kind;
  TlThemeKind theme;
} shown[] = {
  { TL_VIEW_WINDOW, TL_THEME_LIGHT }, { TL_VIEW_WINDOW, TL_THEME_DARK },    { TL_VIEW_WINDOW, TL_THEME_PRINT },
  { TL_VIEW_STACK, TL_THEME_PRINT },  { TL_VIEW_ISO, TL_THEME_LIGHT },      { TL_VIEW_ISO, TL_THEME_DARK },
  { TL_VIEW_RING, TL_THEME_LIGHT },   { TL_VIEW_TILES, TL_THEME_LIGHT },    { TL_VIEW_TIMELINE, TL_THEME_PRINT },
  { TL_VIEW_WHY, TL_THEME_LIGHT },    { TL_VIEW_INSPECTOR, TL_THEME_DARK },
};

START_TEST (svg_looks_like_png)
{
  g_autofree char *tool = g_find_program_in_path ("rsvg-convert");
  g_autoptr (GError) error = NULL;

  if (tool == NULL)
    {
      tl_test_skip ("rsvg-convert not installed");
      return;
    }
  g_autoptr (TlScene) scene = moment_compose (shown[_i].kind, shown[_i].theme);
  g_autoptr (GBytes) svg = tl_paint_svg (scene, NULL, &error);
  g_autoptr (GBytes) png = tl_paint_png (scene, 1, &error);
  ck_assert (svg != NULL && png != NULL);
  g_autofree char *png_path = write_bytes ("picture.png", png);
  cairo_surface_t *drawn = svg_by_rsvg (svg, scene), *painted = read_png (png_path);
  double           share = differing_share (scene, drawn, painted);
  cairo_surface_destroy (drawn);
  if (g_getenv ("TL_VERBOSE") != NULL)
    g_printerr ("%s %s: %.4f %%\n", tl_view_name (shown[_i].kind), tl_theme_name (shown[_i].theme), 100 * share);
  ck_assert_msg (share <= 0.005, "%.3f %% of the %s view in the %s theme look different", 100 * share,
                 tl_view_name (shown[_i].kind), tl_theme_name (shown[_i].theme));

  /* The measure sees another picture. */
  g_autoptr (TlScene) other
      = moment_compose (shown[_i].kind, shown[_i].theme == TL_THEME_DARK ? TL_THEME_LIGHT : TL_THEME_DARK);
  g_autoptr (GBytes) other_svg = tl_paint_svg (other, NULL, &error);
  cairo_surface_t *wrong = svg_by_rsvg (other_svg, other);
  ck_assert (differing_share (scene, wrong, painted) > 0.05);
  cairo_surface_destroy (wrong);
  cairo_surface_destroy (painted);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("scene-svg");
  TCase *tcase = tcase_create ("svg");

  tcase_add_unchecked_fixture (tcase, moment_set_up, moment_tear_down);
  tcase_set_timeout (tcase, 120);
  tcase_add_loop_test (tcase, svg_looks_like_png, 0, G_N_ELEMENTS (shown));
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
