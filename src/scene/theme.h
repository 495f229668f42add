/* Colours by role, in three themes. Every colour of every picture comes from here;
 * shapes and textures carry the same meaning a second time. */
#pragma once

#include <glib.h>

typedef enum
{
  TL_THEME_LIGHT,
  TL_THEME_DARK,
  TL_THEME_PRINT, /* black on white, textures for fills */
} TlThemeKind;

/* 0xRRGGBBAA */
typedef guint32 TlColor;

typedef enum
{
  TL_ROLE_WINDOW,
  TL_ROLE_VIEW,        /* canvas, editor */
  TL_ROLE_HEADER,
  TL_ROLE_CARD,
  TL_ROLE_SLOT,        /* an empty cell */
  TL_ROLE_LINE,        /* separators */
  TL_ROLE_INK,
  TL_ROLE_INK2,        /* labels */
  TL_ROLE_INK3,        /* least */
  TL_ROLE_ACCENT,
  TL_ROLE_HIT,
  TL_ROLE_MISS,
  TL_ROLE_CONFLICT,
  TL_ROLE_COMPUTE,
  TL_ROLE_BROADCAST,
  TL_ROLE_BROADCAST_EDGE,
  TL_ROLE_QUEUE,
  TL_ROLE_WAIT,
  TL_ROLE_IDLE,        /* row open, nothing happening */
  TL_ROLE_OUTLINE,     /* round every filled mark */
  TL_ROLE_OUTLINE_SOLID, /* round blocks in projection */
  TL_ROLE_HIT_INK,     /* text in a role's hue */
  TL_ROLE_MISS_INK,
  TL_ROLE_CONFLICT_INK,
  TL_ROLE_COMPUTE_INK,
  TL_ROLE_BROADCAST_INK,
  TL_N_ROLES
} TlRole;

/* Textures a fill may carry; the only fills of the print theme. */
typedef enum
{
  TL_TEXTURE_NONE,
  TL_TEXTURE_SOLID,      /* print: black */
  TL_TEXTURE_DIAGONAL,
  TL_TEXTURE_CROSS,
  TL_TEXTURE_DOTS,
  TL_TEXTURE_HORIZONTAL,
  TL_TEXTURE_VERTICAL,
  TL_TEXTURE_BRICK,
  TL_N_TEXTURES
} TlTexture;

TlColor     tl_theme_color    (TlThemeKind theme,
                               TlRole      role);
/* Ramp of @tiers colours, dark T0 to light; the tokens for 8, between them for others. */
TlColor     tl_theme_tier     (TlThemeKind theme,
                               guint       tier,
                               guint       tiers);
/* One of eight hues, PU mod 8, at full strength: tint it. */
TlColor     tl_theme_owner    (TlThemeKind theme,
                               guint       pu);
/* Texture of PU div 8. */
TlTexture   tl_theme_owner_texture (guint  pu);
/* @share (0..1) of @color over @base, opaque. */
TlColor     tl_color_over     (TlColor     color,
                               TlColor     base,
                               double      share);
/* @color with alpha @alpha (0..1). */
TlColor     tl_color_alpha    (TlColor     color,
                               double      alpha);
const char *tl_theme_name     (TlThemeKind theme); /* "light", "dark", "print" */
gboolean    tl_theme_parse    (const char *name,
                               TlThemeKind *theme);
/* Text on @fill: white or near black, whichever has the larger contrast (WCAG 2.1),
 * always 4:1 or better. */
TlColor     tl_color_ink_on   (TlColor     fill);
/* "#rrggbb" (transfer full) */
char       *tl_color_text     (TlColor     color);
