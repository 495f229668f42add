/* What holds of every text of every picture. */
#pragma once

#include "scene/scene.h"
#include "support/support.h"

#include <string.h>

/* All of it lies on the sheet, and can be read: a dot that stands for nothing may be smaller. @of: which picture. */
static inline void
all_text_is_readable (const TlScene *scene, const char *of)
{
  for (guint k = 0; k < scene->primitives->len; k++)
    {
      const TlPrimitive *primitive = &g_array_index (scene->primitives, TlPrimitive, k);
      const TlText      *text = &primitive->text;

      if (primitive->kind != TL_PRIMITIVE_TEXT)
        continue;
      float width = tl_scene_text_width (text->text, text->size, text->bold, text->mono);
      float left = text->anchor == TL_ANCHOR_START    ? text->x
                   : text->anchor == TL_ANCHOR_MIDDLE ? text->x - width / 2
                                                      : text->x - width;
      ck_assert_msg (left >= 0 && left + width <= scene->width && text->y > 0 && text->y <= scene->height,
                     "\"%s\" of %s at %g,%g", text->text, of, left, text->y);
      ck_assert_msg (text->size >= 8.9f || strcmp (text->text, "·") == 0, "\"%s\" of %s, %g px", text->text, of,
                     text->size);
    }
}
