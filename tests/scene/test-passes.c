/* The pass ladder's picture: what each group changed is there, tied to the text it stems from; what does not fit is
 * counted, not lost. */
#include "engine/build.h"
#include "scene/rungs.h"
#include "scene/view-passes.h"
#include "support/support.h"

#include <string.h>

static const char closure[] = "# far?\nalgorithm apsp\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\n"
                              "data D: i32 = road(1024, 7)\n";
static const char product[] = "algorithm up\n  C[m,n] = C[m,n] + A[m,k] * W[k,n]  for m, n, k\n"
                              "data A: f16[64, 128]\ndata W: i6[128, 256]\n"
                              "config target = cu-t8b16, tile = (64, 128, 64)\n";

static TlBuild *
build (const char *text)
{
  g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();
  TlBuildOptions options = { .dumps = TRUE };

  return tl_build ("t.gdsl", text, strlen (text), inputs, &options, NULL, NULL);
}

static TlPassesShown
shown_of (const TlBuild *build, const char *text)
{
  TlPassesShown shown = { .source = text };

  for (guint g = 0; g < TL_N_PASS_GROUPS; g++)
    shown.dump[g] = build->dump[TL_STAGE_G1 + g];
  return shown;
}

static TlScene *
draw (const TlPassesShown *shown, float width, float height, TlThemeKind theme)
{
  TlScene *scene = tl_scene_new (width, height, theme);

  tl_view_passes (scene, tl_box (0, 0, width, height), shown);
  return scene;
}

static gboolean
says (const TlScene *scene, const char *part)
{
  for (guint p = 0; p < scene->primitives->len; p++)
    {
      const TlPrimitive *primitive = &g_array_index (scene->primitives, TlPrimitive, p);
      if (primitive->kind == TL_PRIMITIVE_TEXT && strstr (primitive->text.text, part) != NULL)
        return TRUE;
    }
  return FALSE;
}

START_TEST (lines_in_brief)
{
  static const char *const briefs[][2] = {
    { "  %3 = \"dp.place\"(%2) {bytes = 21 : i64, name = \"D : i64\"} : (memref<4xi32>) -> memref<4xi32>",
      "  %3 = dp.place(%2) {bytes = 21, name = \"D : i64\"} -> memref<4xi32>" },
    { "  %5 = \"dp.tile\"(%3) : (!g.m<i32, 0 : i64>, index) -> !g.t<i32, 0 : i64>",
      "  %5 = dp.tile(%3) -> !g.t<i32, 0>" },
    { "  ^bb0(%arg0: index, %arg1: index):", "  ^bb0(%arg0: index, %arg1: index):" },
    { "  }) {maps = [affine_map<(d0, d1) -> (d0)>], n = 7 : i64} : () -> ()",
      "  }) {maps = [affine_map<(d0, d1) -> (d0)>], n = 7}" },
    { "  %4 = \"dp.phase\"(%arg4) ({", "  %4 = dp.phase(%arg4) ({" },
    { "  %1 = \"dp.const\"() {value = \"a\\\" : (b\"} : () -> i32",
      "  %1 = dp.const() {value = \"a\\\" : (b\"} -> i32" },
    { "", "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (briefs); i++)
    {
      g_autofree char *brief = tl_passes_brief (briefs[i][0]);
      ck_assert_str_eq (brief, briefs[i][1]);
    }
}
END_TEST

START_TEST (every_change_is_drawn)
{
  static const char *const texts[] = { closure, product };

  for (guint t = 0; t < G_N_ELEMENTS (texts); t++)
    {
      g_autoptr (TlBuild) built = build (texts[t]);
      TlPassesShown shown = shown_of (built, texts[t]);
      float         height = tl_view_passes_height (&shown);
      g_autoptr (TlScene) scene = draw (&shown, 1180, height, TL_THEME_LIGHT);
      ck_assert_ptr_nonnull (shown.dump[3]);
      ck_assert (!says (scene, "··· and "));
      for (guint g = 0; g < TL_N_PASS_GROUPS; g++)
        {
          g_autoptr (TlRung) rung = tl_rung_new (shown.dump[g], g > 0 ? shown.dump[g - 1] : NULL);
          for (guint l = 0; l < rung->lines->len; l++)
            {
              const TlRungLine *line = rung->lines->pdata[l];
              g_autofree char  *id = g_strdup_printf ("line-%u-%u", g + 1, l + 1);
              TlBox             box;
              const TlGroup    *group = tl_scene_find (scene, id, &box);
              ck_assert_msg (group != NULL || !line->changed, "%s of %u lines: %s", id, rung->lines->len, line->text);
              if (group != NULL)
                ck_assert (box.y >= 0 && box.y + box.height <= height);
            }
        }
      /* The recurrence's line has a chip in the text: a module's line stems from it. */
      const TlGroup *source = tl_scene_find (scene, t == 0 ? "source-3" : "source-2", NULL);
      ck_assert_ptr_nonnull (source);
      ck_assert (says (scene, "G1  recognised") && says (scene, "G4  communicating"));
    }
}
END_TEST

START_TEST (what_does_not_fit_is_counted)
{
  g_autoptr (TlBuild) built = build (closure);
  TlPassesShown shown = shown_of (built, closure);
  g_autoptr (TlScene) scene = draw (&shown, 600, 420, TL_THEME_DARK);

  ck_assert (says (scene, "··· and "));
  for (guint p = 0; p < scene->primitives->len; p++)
    {
      const TlPrimitive *primitive = &g_array_index (scene->primitives, TlPrimitive, p);
      const TlText      *text = &primitive->text;
      if (primitive->kind != TL_PRIMITIVE_TEXT)
        continue;
      float width
          = text->anchor == TL_ANCHOR_START ? tl_scene_text_width (text->text, text->size, text->bold, text->mono) : 0;
      ck_assert_msg (text->y <= 420 && text->x + width <= 600, "%s", text->text);
    }
}
END_TEST

START_TEST (a_build_that_stopped)
{
  g_autoptr (TlBuild) built = build (closure);
  TlPassesShown shown = shown_of (built, closure);

  for (guint g = 1; g < TL_N_PASS_GROUPS; g++)
    shown.dump[g] = NULL;
  g_autoptr (TlScene) scene = draw (&shown, 900, tl_view_passes_height (&shown), TL_THEME_PRINT);
  ck_assert (says (scene, "the build did not get here"));
  shown.source = "";
  g_autoptr (TlScene) empty = draw (&shown, 480, 240, TL_THEME_LIGHT);
  ck_assert (says (empty, "Program"));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("passes");
  TCase *tcase = tcase_create ("passes");

  tcase_add_test (tcase, lines_in_brief);
  tcase_add_test (tcase, every_change_is_drawn);
  tcase_add_test (tcase, what_does_not_fit_is_counted);
  tcase_add_test (tcase, a_build_that_stopped);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
