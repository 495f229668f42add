/* Marks as paths. */
#include "scene/marks.h"

#include <math.h>

void
tl_mark_cross (TlScene *scene, float x, float y, float size, TlColor fill, TlColor outline)
{
  float            r = size / 2;
  const TlPathStep steps[]
      = { { 'M', { x - r, y - r } }, { 'L', { x + r, y + r } }, { 'M', { x - r, y + r } }, { 'L', { x + r, y - r } } };

  tl_scene_path (scene, steps, 4, tl_stroke (outline, size * 0.42f));
  tl_scene_path (scene, steps, 4, tl_stroke (fill, size * 0.26f));
}

void
tl_mark_diamond (TlScene *scene, float x, float y, float size, TlColor fill, TlColor outline)
{
  float       r = size / 2;
  const float xy[] = { x, y - r, x + r, y, x, y + r, x - r, y };

  tl_scene_polygon (scene, xy, 4, TRUE, tl_fill_stroke (fill, outline, 1.4f));
}

void
tl_mark_disc (TlScene *scene, float x, float y, float size, TlColor fill, TlColor outline)
{
  tl_scene_ellipse (scene, x, y, size / 2, size / 2, tl_fill_stroke (fill, outline, 1));
}

void
tl_mark_triangle (TlScene *scene, float x, float y, float size, gboolean up, TlColor fill, TlColor outline)
{
  float       r = size / 2, tip = up ? -r : r;
  const float xy[] = { x, y + tip, x + r, y - tip, x - r, y - tip };

  tl_scene_polygon (scene, xy, 3, TRUE, tl_fill_stroke (fill, outline, 1));
}

void
tl_mark_chevron (TlScene *scene, float x, float y, float size, gboolean right, TlColor stroke, float width)
{
  float            half = size / 2, tip = right ? size / 4 : -size / 4;
  const TlPathStep steps[]
      = { { 'M', { x - tip, y - half } }, { 'L', { x + tip, y } }, { 'L', { x - tip, y + half } } };

  tl_scene_path (scene, steps, 3, tl_stroke (stroke, width));
}

void
tl_mark_hexagon (TlScene *scene, float x, float y, float radius, TlStyle style)
{
  float xy[12];

  for (guint i = 0; i < 6; i++)
    {
      xy[2 * i] = x + radius * (float) cos (G_PI / 3 * i);
      xy[2 * i + 1] = y + radius * (float) sin (G_PI / 3 * i);
    }
  tl_scene_polygon (scene, xy, 6, TRUE, style);
}

void
tl_mark_warning (TlScene *scene, float x, float y, float size, TlThemeKind theme)
{
  TlColor ink = tl_theme_color (theme, TL_ROLE_OUTLINE_SOLID);

  tl_mark_triangle (scene, x, y, size, TRUE, tl_theme_color (theme, TL_ROLE_MISS), ink);
  tl_scene_line (scene, x, y - size * 0.18f, x, y + size * 0.14f, tl_stroke (ink, 1.6f));
  tl_scene_line (scene, x, y + size * 0.24f, x, y + size * 0.36f, tl_stroke (ink, 1.6f));
}

static TlBox
grown (TlBox box, float by)
{
  return tl_box (box.x - by, box.y - by, box.width + 2 * by, box.height + 2 * by);
}

void
tl_mark_selected (TlScene *scene, TlBox box, TlThemeKind theme)
{
  TlStyle inner = tl_stroke (tl_theme_color (theme, TL_ROLE_OUTLINE), 2);
  TlStyle paper = tl_stroke (tl_theme_color (theme, TL_ROLE_VIEW), 1.5f);
  TlStyle outer = tl_stroke (tl_theme_color (theme, TL_ROLE_OUTLINE), 1.2f);

  inner.radius = 3;
  paper.radius = 4;
  outer.radius = 5;
  tl_scene_rect (scene, grown (box, 1), inner);
  tl_scene_rect (scene, grown (box, 2.7f), paper);
  tl_scene_rect (scene, grown (box, 4), outer);
}

void
tl_mark_hovered (TlScene *scene, TlBox box, TlThemeKind theme)
{
  TlStyle ring = tl_stroke (tl_theme_color (theme, TL_ROLE_OUTLINE), 1);

  ring.radius = 3;
  tl_scene_rect (scene, grown (box, 1.5f), ring);
}
