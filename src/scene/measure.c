/* Where a primitive lies, and what tells it from others: for painters that keep what
 * they drew. */
#include "scene/scene.h"

#include <math.h>
#include <string.h>

static TlBox
around (float x1, float y1, float x2, float y2, float by)
{
  float left = floorf (x1 - by), top = floorf (y1 - by);

  return tl_box (left, top, ceilf (x2 + by) - left, ceilf (y2 + by) - top);
}

static float
stroke_reach (const TlStyle *style)
{
  /* Half the stroke, and some for mitred corners. */
  return (style->stroke & 0xff) != 0 ? style->width + 1 : 1;
}

static TlBox
bounds_of_boxes (const TlBox *boxes, guint n, float by)
{
  float x1 = G_MAXFLOAT, y1 = G_MAXFLOAT, x2 = -G_MAXFLOAT, y2 = -G_MAXFLOAT;

  for (guint i = 0; i < n; i++)
    {
      x1 = MIN (x1, boxes[i].x);
      y1 = MIN (y1, boxes[i].y);
      x2 = MAX (x2, boxes[i].x + boxes[i].width);
      y2 = MAX (y2, boxes[i].y + boxes[i].height);
    }
  return around (x1, y1, x2, y2, by);
}

static TlBox
bounds_of_steps (const TlPathStep *steps, guint n, float by)
{
  float x1 = G_MAXFLOAT, y1 = G_MAXFLOAT, x2 = -G_MAXFLOAT, y2 = -G_MAXFLOAT;

  for (guint i = 0; i < n; i++)
    for (guint c = 0; c < (steps[i].op == 'C' ? 6u : steps[i].op == 'Z' ? 0u : 2u); c += 2)
      {
        x1 = MIN (x1, steps[i].x[c]);
        y1 = MIN (y1, steps[i].x[c + 1]);
        x2 = MAX (x2, steps[i].x[c]);
        y2 = MAX (y2, steps[i].x[c + 1]);
      }
  return around (x1, y1, x2, y2, by);
}

static TlBox
bounds_of_text (const TlText *text)
{
  float width = tl_scene_text_width (text->text, text->size, text->bold, text->mono) * 1.3f + 4;
  float x = text->x - (text->anchor == TL_ANCHOR_START ? 0 : text->anchor == TL_ANCHOR_END ? width : width / 2);

  return around (x, text->y - text->size * 1.2f, x + width, text->y + text->size * 0.45f, 2);
}

TlBox
tl_scene_bounds (const TlScene *scene, const TlPrimitive *primitive)
{
  switch (primitive->kind)
    {
    case TL_PRIMITIVE_RECTS:
      return bounds_of_boxes (&g_array_index (scene->boxes, TlBox, primitive->rects.first), primitive->rects.count,
                              stroke_reach (&primitive->style));
    case TL_PRIMITIVE_PATH:
      return bounds_of_steps (&g_array_index (scene->steps, TlPathStep, primitive->path.first), primitive->path.count,
                              stroke_reach (&primitive->style));
    case TL_PRIMITIVE_TEXT:
      return bounds_of_text (&primitive->text);
    case TL_PRIMITIVE_GRID:
      return bounds_of_boxes (&primitive->grid.box, 1, 1);
    case TL_PRIMITIVE_CLIP_BEGIN:
      return primitive->clip;
    default:
      return tl_box (0, 0, 0, 0);
    }
}

/* FNV-1a over 32-bit words: quick, and clashes among a few thousand primitives are
 * out of the question. */
static guint64
mix (guint64 hash, gconstpointer data, gsize size)
{
  const guint8 *bytes = data;
  guint32       word;

  for (; size >= sizeof word; size -= sizeof word, bytes += sizeof word)
    {
      memcpy (&word, bytes, sizeof word);
      hash = (hash ^ word) * G_GUINT64_CONSTANT (1099511628211);
      hash ^= hash >> 29;
    }
  for (; size > 0; size--, bytes++)
    hash = (hash ^ *bytes) * G_GUINT64_CONSTANT (1099511628211);
  return hash;
}

static guint64
mix_style (guint64 hash, const TlStyle *style)
{
  const guint32 words[]
      = { style->fill, style->stroke, (guint32) style->dash << 16 | (guint32) style->texture << 8 | style->round_cap,
          style->texture_color };
  const float floats[] = { style->width, style->radius };

  return mix (mix (hash, words, sizeof words), floats, sizeof floats);
}

guint64
tl_scene_hash (const TlScene *scene, const TlPrimitive *primitive)
{
  guint64 hash = (G_GUINT64_CONSTANT (14695981039346656037) ^ primitive->kind) * 31;

  switch (primitive->kind)
    {
    case TL_PRIMITIVE_RECTS:
      hash = mix_style (hash, &primitive->style);
      return mix (hash, &g_array_index (scene->boxes, TlBox, primitive->rects.first),
                  primitive->rects.count * sizeof (TlBox));
    case TL_PRIMITIVE_PATH:
      hash = mix_style (hash, &primitive->style);
      for (guint i = 0; i < primitive->path.count; i++)
        {
          const TlPathStep *step = &g_array_index (scene->steps, TlPathStep, primitive->path.first + i);
          hash = mix (hash, &step->op, 1);
          hash = mix (hash, step->x, (step->op == 'C' ? 6u : step->op == 'Z' ? 0u : 2u) * sizeof (float));
        }
      return hash;
    case TL_PRIMITIVE_TEXT:
      {
        const TlText *text = &primitive->text;
        const float   floats[] = { text->x, text->y, text->size };
        const guint32 words[]
            = { (guint32) text->anchor << 24 | (guint32) text->bold << 16 | (guint32) text->mono << 8 | text->italic,
                text->color };
        hash = mix (mix (hash, floats, sizeof floats), words, sizeof words);
        return mix (hash, text->text, strlen (text->text));
      }
    case TL_PRIMITIVE_GRID:
      hash = mix (hash, &primitive->grid.box, sizeof (TlBox));
      hash = mix (hash, &primitive->grid.columns, sizeof (guint32));
      hash = mix (hash, &g_array_index (scene->colors, TlColor, primitive->grid.colors_first),
                  primitive->grid.n_colors * sizeof (TlColor));
      return mix (hash, scene->cells->data + primitive->grid.first,
                  (gsize) primitive->grid.columns * primitive->grid.rows);
    case TL_PRIMITIVE_CLIP_BEGIN:
      return mix (hash, &primitive->clip, sizeof (TlBox));
    default:
      return hash;
    }
}

/* Behind a comma where that is possible, else at a blank, else all of it. */
gsize
tl_scene_text_break (const char *text, float size, float width)
{
  static const char *const breaks[] = { ", ", " " };

  if (tl_scene_text_width (text, size, FALSE, FALSE) <= width)
    return strlen (text);
  for (guint b = 0; b < G_N_ELEMENTS (breaks); b++)
    {
      gsize best = 0;

      for (const char *at = strstr (text, breaks[b]); at != NULL; at = strstr (at + 1, breaks[b]))
        {
          gsize            length = (gsize) (at - text) + strlen (breaks[b]);
          g_autofree char *head = g_strndup (text, length - 1);
          if (tl_scene_text_width (head, size, FALSE, FALSE) > width)
            break;
          best = length;
        }
      if (best > 0)
        return best;
    }
  return strlen (text);
}
