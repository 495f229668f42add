/* Lesson pictures: they show what was revealed and hold nothing of what is covered. */
#include "scene/paint.h"
#include "scene/view-lesson.h"
#include "support/support.h"

#include <string.h>

static TlScene *
draw (const TlLesson *lesson, const TlLessonPlay *play, guint revealed, TlThemeKind theme)
{
  TlScene       *scene = tl_scene_new (1000, 420, theme);
  TlLessonMoment moment = { .lesson = lesson, .play = play, .revealed = revealed };

  tl_view_lesson (scene, tl_box (0, 0, 1000, 420), &moment);
  return scene;
}

/* Letters drawn on their own in the history or beside the questions. */
static guint
letters_drawn (const TlScene *scene)
{
  guint n = 0;

  for (guint i = 0; i < scene->primitives->len; i++)
    {
      const TlPrimitive *primitive = &g_array_index (scene->primitives, TlPrimitive, i);
      n += primitive->kind == TL_PRIMITIVE_TEXT && primitive->text.text[1] == '\0'
           && strchr ("HMCAFOSR", primitive->text.text[0]) != NULL && primitive->text.bold;
    }
  return n;
}

START_TEST (what_is_covered_is_not_there)
{
  const char *name = tl_lesson_names ()[_i];
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlLesson) lesson = tl_lesson_load (name, diags);

  for (guint c = 0; c < lesson->cases->len; c++)
    {
      g_autoptr (TlLessonPlay) play = tl_lesson_play (lesson, c, NULL, diags);
      for (guint revealed = 0; revealed <= play->outcomes->len; revealed++)
        {
          g_autoptr (TlScene) scene = draw (lesson, play, revealed, TL_THEME_LIGHT);
          TlLessonMoment   moment = { .lesson = lesson, .play = play, .revealed = revealed };
          g_autofree char *history = tl_lesson_history (&moment);
          g_autofree char *caption = tl_lesson_caption (&moment);
          guint            covered = play->outcomes->len - revealed;
          ck_assert_uint_eq (letters_drawn (scene), revealed);
          ck_assert_int_eq (strchr (history, '?') != NULL, covered > 0);
          ck_assert_uint_eq (strlen (history), MAX (2 * (revealed + (covered > 0)), 1) - 1);
          const TlLessonOutcome *outcome = (const TlLessonOutcome *) play->outcomes->data;
          if (covered > 0 && (revealed == 0 || strcmp (outcome[revealed].value, outcome[revealed - 1].value) != 0))
            ck_assert_ptr_null (strstr (caption, outcome[revealed].value));
          ck_assert_ptr_nonnull (strstr (scene->description, caption));
        }
    }
}
END_TEST

START_TEST (the_row_buffer_follows)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlLesson) lesson = tl_lesson_load ("rows-and-banks", diags);
  g_autoptr (TlLessonPlay) play = tl_lesson_play (lesson, 0, NULL, diags);
  static const char *const titles[] = { "bank 0: closed", "bank 0: row 0 is open", "bank 0: row 1 is open" };

  for (guint revealed = 0; revealed < G_N_ELEMENTS (titles); revealed++)
    {
      g_autoptr (TlScene) scene = draw (lesson, play, revealed, TL_THEME_DARK);
      ck_assert_str_eq (tl_scene_find (scene, "lesson-buffer", NULL)->title, titles[revealed]);
      ck_assert_ptr_nonnull (tl_scene_find (scene, "lesson-request", NULL));
      ck_assert_ptr_nonnull (tl_scene_find (scene, "lesson-history-7", NULL));
    }
}
END_TEST

/* In every theme, and into the box. */
START_TEST (pictures_fit_and_paint)
{
  const char *name = tl_lesson_names ()[_i / 3];
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlLesson) lesson = tl_lesson_load (name, diags);
  g_autoptr (TlLessonPlay) play = tl_lesson_play (lesson, 1, NULL, diags);

  for (guint revealed = 0; revealed <= play->outcomes->len; revealed += play->outcomes->len)
    {
      g_autoptr (TlScene) scene = draw (lesson, play, revealed, _i % 3);
      g_autoptr (GBytes) png = tl_paint_png (scene, 1, NULL);
      g_autoptr (GBytes) svg = tl_paint_svg (scene, NULL, NULL);
      ck_assert_ptr_nonnull (png);
      ck_assert_ptr_nonnull (svg);
      for (guint i = 0; i < scene->primitives->len; i++)
        {
          const TlPrimitive *primitive = &g_array_index (scene->primitives, TlPrimitive, i);
          if (primitive->kind != TL_PRIMITIVE_TEXT)
            continue;
          const TlText *text = &primitive->text;
          float         width = tl_scene_text_width (text->text, text->size, text->bold, text->mono);
          float         left = text->anchor == TL_ANCHOR_START ? text->x
                               : text->anchor == TL_ANCHOR_END ? text->x - width
                                                               : text->x - width / 2;
          ck_assert_msg (left >= -1 && left + width <= 1001 && text->y > 0 && text->y <= 420,
                         "\"%s\" of %s at %.0f..%.0f, %.0f", text->text, name, left, left + width, text->y);
        }
      if (g_getenv ("TL_TEST_PICTURES") != NULL)
        {
          g_autofree char *path = g_strdup_printf ("%s/lesson-%s-%s-%u.png", g_getenv ("TL_TEST_PICTURES"), name,
                                                   tl_theme_name (_i % 3), revealed);
          ck_assert (g_file_set_contents (path, g_bytes_get_data (png, NULL), (gssize) g_bytes_get_size (png), NULL));
        }
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("scene-lesson");
  TCase *tcase = tcase_create ("lesson");

  tcase_add_loop_test (tcase, what_is_covered_is_not_there, 0, 3);
  tcase_add_test (tcase, the_row_buffer_follows);
  tcase_add_loop_test (tcase, pictures_fit_and_paint, 0, 9);
  tcase_set_timeout (tcase, 60);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
