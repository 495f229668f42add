/* The palette holds for four kinds of colour vision: CIE76 distances in CIELAB
 * under Machado, Oliveira and Fernandes 2009 at severity 1.0. */
#include "scene/theme.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>

/* Their published matrices, on linear RGB. */
static const double visions[4][9] = {
  { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
  { 0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998 },
  { 0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881 },
  { 1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900 },
};

static double
linear (double value)
{
  return value <= 0.04045 ? value / 12.92 : pow ((value + 0.055) / 1.055, 2.4);
}

static double
lab_curve (double t)
{
  return t > 216.0 / 24389.0 ? cbrt (t) : (24389.0 / 27.0 * t + 16.0) / 116.0;
}

static void
to_lab (TlColor color, const double *vision, double lab[3])
{
  double rgb[3] = { linear ((color >> 24 & 0xff) / 255.0), linear ((color >> 16 & 0xff) / 255.0),
                    linear ((color >> 8 & 0xff) / 255.0) };
  double seen[3];

  for (int i = 0; i < 3; i++)
    seen[i] = CLAMP (vision[3 * i] * rgb[0] + vision[3 * i + 1] * rgb[1] + vision[3 * i + 2] * rgb[2], 0.0, 1.0);
  double x = (0.4124564 * seen[0] + 0.3575761 * seen[1] + 0.1804375 * seen[2]) / 0.95047;
  double y = 0.2126729 * seen[0] + 0.7151522 * seen[1] + 0.0721750 * seen[2];
  double z = (0.0193339 * seen[0] + 0.1191920 * seen[1] + 0.9503041 * seen[2]) / 1.08883;
  lab[0] = 116 * lab_curve (y) - 16;
  lab[1] = 500 * (lab_curve (x) - lab_curve (y));
  lab[2] = 200 * (lab_curve (y) - lab_curve (z));
}

static double
distance (TlColor a, TlColor b, const double *vision)
{
  double first[3], second[3];

  to_lab (a, vision, first);
  to_lab (b, vision, second);
  return sqrt (pow (first[0] - second[0], 2) + pow (first[1] - second[1], 2) + pow (first[2] - second[2], 2));
}

static double
luminance (TlColor color)
{
  return 0.2126 * linear ((color >> 24 & 0xff) / 255.0) + 0.7152 * linear ((color >> 16 & 0xff) / 255.0)
         + 0.0722 * linear ((color >> 8 & 0xff) / 255.0);
}

static const TlRole seven[]
    = { TL_ROLE_HIT, TL_ROLE_MISS, TL_ROLE_CONFLICT, TL_ROLE_COMPUTE, TL_ROLE_BROADCAST, TL_ROLE_QUEUE, TL_ROLE_IDLE };

/* Smallest distance of any two of the first @n roles, over all visions. */
static double
smallest (TlThemeKind theme, guint n)
{
  double least = INFINITY;

  for (guint v = 0; v < 4; v++)
    for (guint i = 0; i < n; i++)
      for (guint j = 0; j < i; j++)
        least = MIN (least, distance (tl_theme_color (theme, seven[i]), tl_theme_color (theme, seven[j]), visions[v]));
  return least;
}

START_TEST (roles_stay_apart)
{
  double light = smallest (TL_THEME_LIGHT, 7), dark = smallest (TL_THEME_DARK, 7);

  printf ("seven roles: light %.1f, dark %.1f\n", light, dark);
  ck_assert (light >= 15.0);
  ck_assert (dark >= 13.0);
  ck_assert (smallest (TL_THEME_LIGHT, 3) >= 17.0);
  ck_assert (smallest (TL_THEME_DARK, 3) >= 17.0);
}
END_TEST

START_TEST (a_pale_grey_would_fail)
{
  /* The measure itself can fail: this grey is close to broadcast for deutan eyes. */
  ck_assert (distance (0xA0A0A0ff, tl_theme_color (TL_THEME_LIGHT, TL_ROLE_BROADCAST), visions[2]) < 15.0);
}
END_TEST

START_TEST (outlines_stand_out)
{
  for (TlThemeKind theme = TL_THEME_LIGHT; theme <= TL_THEME_PRINT; theme++)
    {
      double a = luminance (tl_theme_color (theme, TL_ROLE_OUTLINE)),
             b = luminance (tl_theme_color (theme, TL_ROLE_VIEW));
      ck_assert ((MAX (a, b) + 0.05) / (MIN (a, b) + 0.05) >= 3.0);
    }
}
END_TEST

START_TEST (tiers_climb)
{
  for (guint tiers = 2; tiers <= 32; tiers++)
    for (guint t = 1; t < tiers; t++)
      ck_assert (luminance (tl_theme_tier (TL_THEME_LIGHT, t, tiers))
                 > luminance (tl_theme_tier (TL_THEME_LIGHT, t - 1, tiers)));
  ck_assert_uint_eq (tl_theme_tier (TL_THEME_LIGHT, 3, 8), 0x7470B0ff);
}
END_TEST

/* A word can be read on every fill it may stand on. */
START_TEST (words_stand_out)
{
  for (guint i = 0; i < 4096; i++)
    {
      TlColor fill = (TlColor) ((i & 15) * 17u << 24 | (i >> 4 & 15) * 17u << 16 | (i >> 8) * 17u << 8 | 0xff);
      double  a = luminance (tl_color_ink_on (fill)), b = luminance (fill);
      ck_assert_msg ((MAX (a, b) + 0.05) / (MIN (a, b) + 0.05) >= 4.0, "%08x", fill);
    }
  ck_assert_uint_eq (tl_color_ink_on (tl_theme_color (TL_THEME_LIGHT, TL_ROLE_HIT)), 0xFFFFFFff);
  ck_assert_uint_eq (tl_color_ink_on (tl_theme_color (TL_THEME_LIGHT, TL_ROLE_MISS)), 0x1E1E1Eff);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("scene-theme");
  TCase *tcase = tcase_create ("theme");

  tcase_add_test (tcase, roles_stay_apart);
  tcase_add_test (tcase, a_pale_grey_would_fail);
  tcase_add_test (tcase, outlines_stand_out);
  tcase_add_test (tcase, tiers_climb);
  tcase_add_test (tcase, words_stand_out);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
