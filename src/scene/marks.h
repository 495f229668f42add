/* The marks that carry meaning beside colour: paths, never font glyphs. Centred at
 * x, y; @size is the mark's extent in px. */
#pragma once

#include "scene/scene.h"

void tl_mark_cross    (TlScene *scene, float x, float y, float size, TlColor fill, TlColor outline);
void tl_mark_diamond  (TlScene *scene, float x, float y, float size, TlColor fill, TlColor outline);
void tl_mark_disc     (TlScene *scene, float x, float y, float size, TlColor fill, TlColor outline);
/* Points up (ACT) or down (PRE). */
void tl_mark_triangle (TlScene *scene, float x, float y, float size, gboolean up, TlColor fill, TlColor outline);
/* Points right or left. */
void tl_mark_chevron  (TlScene *scene, float x, float y, float size, gboolean right, TlColor stroke, float width);
void tl_mark_hexagon  (TlScene *scene, float x, float y, float radius, TlStyle style);
/* Lint: a warning triangle with its stroke. */
void tl_mark_warning  (TlScene *scene, float x, float y, float size, TlThemeKind theme);
/* Double ring round a selected thing, single round the hovered one. */
void tl_mark_selected (TlScene *scene, TlBox box, TlThemeKind theme);
void tl_mark_hovered  (TlScene *scene, TlBox box, TlThemeKind theme);
