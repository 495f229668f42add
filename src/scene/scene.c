/* Building the display list. Everything is kept in flat arrays and one string
 * chunk, so that a scene of tens of thousands of boxes costs a few allocations. */
#include "scene/scene.h"

#include <math.h>
#include <string.h>

TlScene *
tl_scene_new (float width, float height, TlThemeKind theme)
{
  TlScene *scene = g_new0 (TlScene, 1);

  scene->width = width;
  scene->height = height;
  scene->theme = theme;
  scene->primitives = g_array_sized_new (FALSE, FALSE, sizeof (TlPrimitive), 256);
  scene->boxes = g_array_sized_new (FALSE, FALSE, sizeof (TlBox), 256);
  scene->steps = g_array_sized_new (FALSE, FALSE, sizeof (TlPathStep), 256);
  scene->groups = g_array_new (FALSE, FALSE, sizeof (TlGroup));
  scene->hits = g_array_new (FALSE, FALSE, sizeof (TlHit));
  scene->cells = g_byte_array_new ();
  scene->colors = g_array_new (FALSE, FALSE, sizeof (TlColor));
  scene->strings = g_string_chunk_new (4096);
  scene->open = g_array_new (FALSE, FALSE, sizeof (guint32));
  return scene;
}

void
tl_scene_free (TlScene *scene)
{
  if (scene == NULL)
    return;
  g_array_unref (scene->primitives);
  g_array_unref (scene->boxes);
  g_array_unref (scene->steps);
  g_array_unref (scene->groups);
  g_array_unref (scene->hits);
  g_byte_array_unref (scene->cells);
  g_array_unref (scene->colors);
  g_array_unref (scene->open);
  g_string_chunk_free (scene->strings);
  g_free (scene->title);
  g_free (scene->description);
  g_free (scene);
}

void
tl_scene_describe (TlScene *scene, const char *title, const char *description)
{
  g_free (scene->title);
  g_free (scene->description);
  scene->title = g_strdup (title);
  scene->description = g_strdup (description);
}

static const char *
string_at (TlScene *scene, const char *text)
{
  return g_string_chunk_insert_const (scene->strings, text);
}

static TlPrimitive *
add (TlScene *scene, TlPrimitiveKind kind)
{
  g_array_set_size (scene->primitives, scene->primitives->len + 1);
  TlPrimitive *primitive = &g_array_index (scene->primitives, TlPrimitive, scene->primitives->len - 1);

  memset (primitive, 0, sizeof *primitive);
  primitive->kind = kind;
  primitive->layer = scene->layer;
  return primitive;
}

guint32
tl_scene_begin (TlScene *scene, const char *role, const char *title, guint64 data, const char *id_format, ...)
{
  va_list args;
  va_start (args, id_format);
  g_autofree char *id = g_strdup_vprintf (id_format, args);
  va_end (args);

  TlGroup group = {
    .id = g_string_chunk_insert (scene->strings, id),
    .role = string_at (scene, role),
    .title = title != NULL ? g_string_chunk_insert (scene->strings, title) : NULL,
    .data = data,
  };
  guint32 index = scene->groups->len;
  g_array_append_val (scene->groups, group);
  g_array_append_val (scene->open, index);
  add (scene, TL_PRIMITIVE_GROUP_BEGIN)->group = index;
  return index;
}

void
tl_scene_end (TlScene *scene)
{
  g_return_if_fail (scene->open->len > 0);
  guint32 index = g_array_index (scene->open, guint32, scene->open->len - 1);

  g_array_set_size (scene->open, scene->open->len - 1);
  add (scene, TL_PRIMITIVE_GROUP_END)->group = index;
}

TlLayer
tl_scene_layer (TlScene *scene, TlLayer layer)
{
  TlLayer before = scene->layer;

  scene->layer = layer;
  return before;
}

void
tl_scene_clip (TlScene *scene, TlBox box)
{
  add (scene, TL_PRIMITIVE_CLIP_BEGIN)->clip = box;
}

void
tl_scene_unclip (TlScene *scene)
{
  add (scene, TL_PRIMITIVE_CLIP_END);
}

void
tl_scene_rects (TlScene *scene, const TlBox *boxes, guint n_boxes, TlStyle style)
{
  if (n_boxes == 0)
    return;
  TlPrimitive *primitive = add (scene, TL_PRIMITIVE_RECTS);

  primitive->style = style;
  primitive->rects.first = scene->boxes->len;
  primitive->rects.count = n_boxes;
  g_array_append_vals (scene->boxes, boxes, n_boxes);
}

void
tl_scene_rect (TlScene *scene, TlBox box, TlStyle style)
{
  tl_scene_rects (scene, &box, 1, style);
}

void
tl_scene_path (TlScene *scene, const TlPathStep *steps, guint n_steps, TlStyle style)
{
  if (n_steps == 0)
    return;
  TlPrimitive *primitive = add (scene, TL_PRIMITIVE_PATH);

  primitive->style = style;
  primitive->path.first = scene->steps->len;
  primitive->path.count = n_steps;
  g_array_append_vals (scene->steps, steps, n_steps);
}

void
tl_scene_line (TlScene *scene, float x1, float y1, float x2, float y2, TlStyle style)
{
  const TlPathStep steps[] = { { 'M', { x1, y1 } }, { 'L', { x2, y2 } } };

  tl_scene_path (scene, steps, 2, style);
}

void
tl_scene_polygon (TlScene *scene, const float *xy, guint n, gboolean closed, TlStyle style)
{
  g_autofree TlPathStep *steps = g_new0 (TlPathStep, n + 1);

  for (guint i = 0; i < n; i++)
    {
      steps[i].op = i == 0 ? 'M' : 'L';
      steps[i].x[0] = xy[2 * i];
      steps[i].x[1] = xy[2 * i + 1];
    }
  steps[n].op = 'Z';
  tl_scene_path (scene, steps, closed ? n + 1 : n, style);
}

void
tl_scene_ellipse (TlScene *scene, float cx, float cy, float rx, float ry, TlStyle style)
{
  /* Four cubic arcs; the constant makes them meet the ellipse to 3 parts in 10,000. */
  const float      k = 0.5522848f;
  const TlPathStep steps[] = {
    { 'M', { cx + rx, cy } },
    { 'C', { cx + rx, cy + k * ry, cx + k * rx, cy + ry, cx, cy + ry } },
    { 'C', { cx - k * rx, cy + ry, cx - rx, cy + k * ry, cx - rx, cy } },
    { 'C', { cx - rx, cy - k * ry, cx - k * rx, cy - ry, cx, cy - ry } },
    { 'C', { cx + k * rx, cy - ry, cx + rx, cy - k * ry, cx + rx, cy } },
    { 'Z', { 0 } },
  };

  tl_scene_path (scene, steps, G_N_ELEMENTS (steps), style);
}

void
tl_scene_text (TlScene *scene, const TlText *text)
{
  TlPrimitive *primitive = add (scene, TL_PRIMITIVE_TEXT);

  primitive->text = *text;
  primitive->text.text = string_at (scene, text->text);
}

void
tl_scene_label (TlScene *scene, float x, float y, TlAnchor anchor, float size, gboolean bold, TlColor color,
                const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);

  tl_scene_text (
      scene, &(TlText) { .x = x, .y = y, .size = size, .anchor = anchor, .bold = bold, .color = color, .text = text });
}

void
tl_scene_grid (TlScene *scene, TlBox box, guint32 columns, guint32 rows, const guint8 *cells, const TlColor *colors,
               guint n_colors)
{
  g_return_if_fail (scene->colors->len + n_colors <= G_MAXUINT16);
  TlPrimitive *primitive = add (scene, TL_PRIMITIVE_GRID);

  primitive->grid.box = box;
  primitive->grid.columns = columns;
  primitive->grid.rows = rows;
  primitive->grid.first = scene->cells->len;
  primitive->grid.colors_first = scene->colors->len;
  primitive->grid.n_colors = n_colors;
  g_byte_array_append (scene->cells, cells, columns * rows);
  g_array_append_vals (scene->colors, colors, n_colors);
}

void
tl_scene_hit (TlScene *scene, TlBox box)
{
  g_return_if_fail (scene->open->len > 0);
  TlHit hit = { .group = g_array_index (scene->open, guint32, scene->open->len - 1), .box = box };

  g_array_append_val (scene->hits, hit);
}

void
tl_scene_hit_quad (TlScene *scene, const float corner[8])
{
  g_return_if_fail (scene->open->len > 0);
  TlHit hit = { .group = g_array_index (scene->open, guint32, scene->open->len - 1), .quad = TRUE };
  float x1 = corner[0], x2 = corner[0], y1 = corner[1], y2 = corner[1];

  for (guint i = 0; i < 8; i += 2)
    {
      hit.corner[i] = corner[i];
      hit.corner[i + 1] = corner[i + 1];
      x1 = MIN (x1, corner[i]);
      x2 = MAX (x2, corner[i]);
      y1 = MIN (y1, corner[i + 1]);
      y2 = MAX (y2, corner[i + 1]);
    }
  hit.box = tl_box (x1, y1, x2 - x1, y2 - y1);
  g_array_append_val (scene->hits, hit);
}

/* Advance widths in thousandths of an em: Cantarell's classes, rounded up a little
 * so that other fonts fit too. */
static guint
advance_of (gunichar c)
{
  if (c >= '0' && c <= '9')
    return 565;
  if (c < 0x80 && strchr ("iljI.,:;'|!", (int) c) != NULL)
    return 270;
  if (c < 0x80 && strchr ("frt()[]{}/-\" ", (int) c) != NULL)
    return 370;
  if (c < 0x80 && strchr ("mwMW%@", (int) c) != NULL)
    return 860;
  if (c >= 'A' && c <= 'Z')
    return 660;
  return 560;
}

float
tl_scene_text_width (const char *text, float size, gboolean bold, gboolean mono)
{
  guint thousandths = 0;

  for (const char *at = text; *at != '\0'; at = g_utf8_next_char (at))
    thousandths += mono ? 602 : advance_of (g_utf8_get_char (at));
  return thousandths * size / 1000.0f * (bold && !mono ? 1.07f : 1.0f);
}

static void
dump_style (GString *out, const TlStyle *style)
{
  g_string_append_printf (out, " fill=%08x stroke=%08x width=%g radius=%g dash=%u texture=%u", style->fill,
                          style->stroke, style->width, style->radius, style->dash, style->texture);
}

char *
tl_scene_dump (const TlScene *scene)
{
  GString *out = g_string_new (NULL);

  g_string_append_printf (out, "scene %g x %g %s\n", scene->width, scene->height, tl_theme_name (scene->theme));
  for (guint i = 0; i < scene->primitives->len; i++)
    {
      const TlPrimitive *primitive = &g_array_index (scene->primitives, TlPrimitive, i);
      switch (primitive->kind)
        {
        case TL_PRIMITIVE_RECTS:
          g_string_append (out, "rects");
          dump_style (out, &primitive->style);
          for (guint b = 0; b < primitive->rects.count; b++)
            {
              const TlBox *box = &g_array_index (scene->boxes, TlBox, primitive->rects.first + b);
              g_string_append_printf (out, " [%g %g %g %g]", box->x, box->y, box->width, box->height);
            }
          break;
        case TL_PRIMITIVE_PATH:
          g_string_append (out, "path");
          dump_style (out, &primitive->style);
          for (guint s = 0; s < primitive->path.count; s++)
            {
              const TlPathStep *step = &g_array_index (scene->steps, TlPathStep, primitive->path.first + s);
              guint             n = step->op == 'C' ? 6 : step->op == 'Z' ? 0 : 2;
              g_string_append_printf (out, " %c", step->op);
              for (guint x = 0; x < n; x++)
                g_string_append_printf (out, " %g", step->x[x]);
            }
          break;
        case TL_PRIMITIVE_TEXT:
          g_string_append_printf (out, "text %g %g size=%g anchor=%u bold=%u mono=%u color=%08x \"%s\"",
                                  primitive->text.x, primitive->text.y, primitive->text.size, primitive->text.anchor,
                                  primitive->text.bold, primitive->text.mono, primitive->text.color,
                                  primitive->text.text);
          break;
        case TL_PRIMITIVE_GRID:
          g_string_append_printf (out, "grid %u x %u", primitive->grid.columns, primitive->grid.rows);
          for (guint c = 0; c < primitive->grid.columns * primitive->grid.rows; c++)
            g_string_append_printf (out, " %u", scene->cells->data[primitive->grid.first + c]);
          break;
        case TL_PRIMITIVE_GROUP_BEGIN:
          {
            const TlGroup *group = &g_array_index (scene->groups, TlGroup, primitive->group);
            g_string_append_printf (out, "begin %s %s \"%s\"", group->role, group->id,
                                    group->title ? group->title : "");
            break;
          }
        case TL_PRIMITIVE_GROUP_END:
          g_string_append (out, "end");
          break;
        case TL_PRIMITIVE_CLIP_BEGIN:
          g_string_append_printf (out, "clip %g %g %g %g", primitive->clip.x, primitive->clip.y, primitive->clip.width,
                                  primitive->clip.height);
          break;
        case TL_PRIMITIVE_CLIP_END:
          g_string_append (out, "unclip");
          break;
        }
      g_string_append_c (out, '\n');
    }
  return g_string_free (out, FALSE);
}
