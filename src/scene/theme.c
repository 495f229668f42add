/* The palette: Okabe-Ito hues, checked in tests for three kinds of colour vision. */
#include "scene/theme.h"

#include <math.h>
#include <string.h>

#define OPAQUE(rgb) (((TlColor) (rgb) << 8) | 0xff)

static const guint32 roles[TL_N_ROLES][3] = {
  [TL_ROLE_WINDOW] = { 0xFAFAFA, 0x242424, 0xFFFFFF },
  [TL_ROLE_VIEW] = { 0xFFFFFF, 0x1E1E1E, 0xFFFFFF },
  [TL_ROLE_HEADER] = { 0xEBEBEB, 0x303030, 0xFFFFFF },
  [TL_ROLE_CARD] = { 0xFFFFFF, 0x2D2D2D, 0xFFFFFF },
  [TL_ROLE_SLOT] = { 0xF1F2F4, 0x2A2B2E, 0xFFFFFF },
  [TL_ROLE_LINE] = { 0xD5D5D5, 0x454545, 0x000000 },
  [TL_ROLE_INK] = { 0x222222, 0xF2F2F2, 0x000000 },
  [TL_ROLE_INK2] = { 0x5E5C64, 0xB5B5BA, 0x000000 },
  [TL_ROLE_INK3] = { 0x77767B, 0x8E8E94, 0x000000 },
  [TL_ROLE_ACCENT] = { 0x1C71D8, 0x78AEED, 0x000000 },
  [TL_ROLE_HIT] = { 0x0072B2, 0x3B9ADB, 0x000000 },
  [TL_ROLE_MISS] = { 0xE69F00, 0xF0B030, 0x000000 },
  [TL_ROLE_CONFLICT] = { 0xD55E00, 0xF0743A, 0x000000 },
  [TL_ROLE_COMPUTE] = { 0x009E73, 0x21B98C, 0x000000 },
  [TL_ROLE_BROADCAST] = { 0xCC79A7, 0xDE94BC, 0x000000 },
  [TL_ROLE_BROADCAST_EDGE] = { 0xA03E76, 0xEBA9CC, 0x000000 },
  [TL_ROLE_QUEUE] = { 0x56B4E9, 0x7CC6F0, 0x000000 },
  [TL_ROLE_WAIT] = { 0xE4E4E4, 0x4A4A4A, 0xFFFFFF },
  [TL_ROLE_IDLE] = { 0x666F78, 0x6A727A, 0xFFFFFF },
  [TL_ROLE_OUTLINE] = { 0x222222, 0xDDDDDD, 0x000000 },
  [TL_ROLE_OUTLINE_SOLID] = { 0x222222, 0x1E1E1E, 0x000000 },
  [TL_ROLE_HIT_INK] = { 0x00588A, 0x7CC0F0, 0x000000 },
  [TL_ROLE_MISS_INK] = { 0x8A5A00, 0xF0B030, 0x000000 },
  [TL_ROLE_CONFLICT_INK] = { 0xB84A00, 0xFF9A66, 0x000000 },
  [TL_ROLE_COMPUTE_INK] = { 0x00704F, 0x4FD6AC, 0x000000 },
  [TL_ROLE_BROADCAST_INK] = { 0xA03E76, 0xEBA9CC, 0x000000 },
};

#define N_TIER_STOPS 8
static const guint32 tier_stops[3][N_TIER_STOPS] = {
  { 0x2E2A63, 0x443F80, 0x5B579A, 0x7470B0, 0x8F8CC4, 0xAAA8D6, 0xC6C5E6, 0xE2E2F4 },
  { 0x4A4296, 0x615AA4, 0x7873B2, 0x8F8BC0, 0xA7A3CF, 0xBEBBDD, 0xD5D4EB, 0xECECF9 },
  { 0x000000, 0x1C1C1C, 0x383838, 0x555555, 0x717171, 0x8D8D8D, 0xAAAAAA, 0xC6C6C6 },
};

static const guint32 owner_hues[8] = { 0x0072B2, 0xE69F00, 0x009E73, 0xCC79A7, 0x56B4E9, 0xD55E00, 0xF0E442, 0x999999 };

TlColor
tl_theme_color (TlThemeKind theme, TlRole role)
{
  return OPAQUE (roles[role][theme]);
}

static guint
channel (TlColor color, int shift)
{
  return color >> shift & 0xff;
}

TlColor
tl_color_over (TlColor color, TlColor base, double share)
{
  TlColor mixed = 0xff;

  share = CLAMP (share, 0.0, 1.0);
  for (int shift = 8; shift <= 24; shift += 8)
    {
      double value = channel (color, shift) * share + channel (base, shift) * (1.0 - share);
      mixed |= (TlColor) (value + 0.5) << shift;
    }
  return mixed;
}

TlColor
tl_color_alpha (TlColor color, double alpha)
{
  return (color & 0xffffff00u) | (TlColor) (CLAMP (alpha, 0.0, 1.0) * 255.0 + 0.5);
}

TlColor
tl_theme_tier (TlThemeKind theme, guint tier, guint tiers)
{
  const guint32 *stops = tier_stops[theme];

  if (tiers <= 1)
    return OPAQUE (stops[0]);
  double at = (double) MIN (tier, tiers - 1) / (tiers - 1) * (N_TIER_STOPS - 1);
  guint  below = MIN ((guint) at, N_TIER_STOPS - 2u);
  return tl_color_over (OPAQUE (stops[below + 1]), OPAQUE (stops[below]), at - below);
}

TlColor
tl_theme_owner (TlThemeKind theme, guint pu)
{
  return theme == TL_THEME_PRINT ? OPAQUE (0x000000) : OPAQUE (owner_hues[pu % G_N_ELEMENTS (owner_hues)]);
}

TlTexture
tl_theme_owner_texture (guint pu)
{
  static const TlTexture textures[] = { TL_TEXTURE_NONE, TL_TEXTURE_DIAGONAL, TL_TEXTURE_DOTS, TL_TEXTURE_HORIZONTAL };

  return textures[pu / 8 % G_N_ELEMENTS (textures)];
}

static const char *const theme_names[] = { "light", "dark", "print" };

const char *
tl_theme_name (TlThemeKind theme)
{
  return theme_names[theme];
}

gboolean
tl_theme_parse (const char *name, TlThemeKind *theme)
{
  for (guint i = 0; i < G_N_ELEMENTS (theme_names); i++)
    if (strcmp (name, theme_names[i]) == 0)
      {
        *theme = i;
        return TRUE;
      }
  return FALSE;
}

/* Relative luminance, WCAG 2.1. */
static double
luminance (TlColor color)
{
  static const double weight[] = { 0.0722, 0.7152, 0.2126 }; /* blue, green, red */
  double              sum = 0;

  for (int c = 0; c < 3; c++)
    {
      double value = channel (color, 8 * (c + 1)) / 255.0;
      sum += weight[c] * (value <= 0.04045 ? value / 12.92 : pow ((value + 0.055) / 1.055, 2.4));
    }
  return sum;
}

TlColor
tl_color_ink_on (TlColor fill)
{
  const TlColor white = OPAQUE (0xFFFFFF), black = OPAQUE (0x1E1E1E);
  double        behind = luminance (fill) + 0.05;

  return (luminance (white) + 0.05) / behind > behind / (luminance (black) + 0.05) ? white : black;
}

char *
tl_color_text (TlColor color)
{
  return g_strdup_printf ("#%06x", color >> 8);
}
