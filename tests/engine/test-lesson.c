/* Lessons: each is played by the machine and must come out as its file expects; what
 * is wrong in a file is said at its line. */
#include "engine/lesson.h"
#include "passes/lint.h"
#include "support-engine.h"

#include <string.h>

#define HEAD "<lesson name=\"x\" scene=\"rows\" version=\"1\"><title>T</title><text>t</text><question>q</question>"
#define ROWS(set, units, expect)                                                                                       \
  HEAD "<knob key=\"target\"/><units>" units "</units><case name=\"a\">" set "<expect>" expect                         \
       "</expect></case></lesson>"
#define LESSON "<set key=\"target\" value=\"lesson\"/>"

static TlLesson *
load (const char *name)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  TlLesson *lesson = tl_lesson_load (name, diags);

  for (guint i = 0; i < tl_diags_count (diags); i++)
    {
      g_autofree char *text = tl_diag_to_text (tl_diags_get (diags, i));
      g_print ("%s", text);
    }
  ck_assert_ptr_nonnull (lesson);
  return lesson;
}

static const char *const answers[][5] = {
  { "rows-and-banks", "MCCCCCCC", "MHHHCHHH" },
  { "owners-and-m", "FA", "AF", "OA", "AO" },
  { "tiers", "", "SR", "SF" },
};

/* What the papers say, told here a second time so that a lesson's file
 * cannot be bent to what the machine gives. */
START_TEST (lessons_come_out_as_they_say)
{
  const char *const *expected = answers[_i];
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlLesson) lesson = load (expected[0]);

  ck_assert_str_eq (lesson->name, expected[0]);
  for (guint c = 0; c < lesson->cases->len; c++)
    {
      const TlLessonCase *at = g_ptr_array_index (lesson->cases, c);
      g_autoptr (TlLessonPlay) play = tl_lesson_play (lesson, c, NULL, diags);
      ck_assert_ptr_nonnull (play);
      g_autofree char *letters = tl_lesson_letters (play);
      ck_assert_str_eq (letters, expected[c + 1]);
      ck_assert_str_eq (at->expect, expected[c + 1]);
      for (guint i = 0; i < play->outcomes->len; i++)
        {
          ck_assert_ptr_nonnull (g_array_index (play->outcomes, TlLessonOutcome, i).what);
          ck_assert_ptr_nonnull (g_array_index (play->outcomes, TlLessonOutcome, i).value);
        }
    }
  ck_assert (tl_lesson_check (lesson, diags));
  ck_assert_uint_eq (tl_diags_count (diags), 0);
}
END_TEST

/* The row that must fail. */
START_TEST (a_wrong_expectation_is_seen)
{
  static const char text[] = ROWS (LESSON, "0 4 1 5 2 6 3 7", "M C C C C C C H");
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlLesson) lesson = tl_lesson_parse ("x.xml", text, strlen (text), diags);

  ck_assert_ptr_nonnull (lesson);
  ck_assert (!tl_lesson_check (lesson, diags));
  ck_assert_uint_eq (tl_diags_errors (diags), 1);
  ck_assert_ptr_nonnull (strstr (tl_diags_get (diags, 0)->message, "MCCCCCCC"));
}
END_TEST

START_TEST (requests_carry_their_rows)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlLesson) lesson = load ("rows-and-banks");
  g_autoptr (TlLessonPlay) play = tl_lesson_play (lesson, 1, NULL, diags);
  const TlLessonOutcome *outcome = (const TlLessonOutcome *) play->outcomes->data;

  ck_assert_ptr_nonnull (play->target);
  ck_assert (!outcome[0].open);
  for (guint i = 0; i < 8; i++)
    {
      guint64 unit = g_array_index (lesson->units, guint64, i);
      ck_assert_uint_eq (outcome[i].unit, unit);
      ck_assert_uint_eq (outcome[i].row, unit >> 1 & 1);
      ck_assert_uint_eq (outcome[i].column, (unit & 1) | (unit >> 2 & 1) << 1);
      ck_assert_uint_eq (outcome[i].domain, 0);
      if (i > 0)
        ck_assert_uint_eq (outcome[i].open_row, outcome[i - 1].row);
    }
}
END_TEST

/* The lesson's counts are the lint's. */
START_TEST (owners_agree_with_the_lint)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlLesson) lesson = load ("owners-and-m");
  static const guint32 sides[] = { 16, 21, 32, 33 };

  for (guint c = 0; c < lesson->cases->len; c++)
    {
      g_autoptr (TlLessonPlay) play = tl_lesson_play (lesson, c, NULL, diags);
      const TlPimProgram *program = play->build->program;
      TlOwnerLint         lint = tl_owner_lint_map (program->owner, program->tiles, program->machine.pus);
      g_autofree char    *value = g_strdup_printf ("%u of %u", lint.owners, lint.wanted);
      ck_assert_uint_eq (program->tiles, sides[c]);
      if (lint.fires)
        ck_assert_str_eq (g_array_index (play->outcomes, TlLessonOutcome, 0).value, value);
      ck_assert_int_eq (lint.fires, g_array_index (play->outcomes, TlLessonOutcome, 0).letter != 'A');
    }
}
END_TEST

START_TEST (programs_carry_the_case)
{
  g_autoptr (TlLesson) tiers = load ("tiers");
  g_autoptr (TlLesson) rows = load ("rows-and-banks");
  g_autofree char *text = tl_lesson_program (tiers, 2);

  ck_assert_ptr_nonnull (strstr (text, "place D = stripe 0..7\n"));
  ck_assert_ptr_nonnull (strstr (text, "algorithm apsp\n"));
  ck_assert_ptr_null (tl_lesson_program (rows, 0));
}
END_TEST

static const struct
{
  const char *text;
  const char *code;
} wrong[] = {
  { "", "xml" },
  { "<lesson", "xml" },
  { "<!DOCTYPE lesson [<!ENTITY e \"x\">]>" ROWS (LESSON, "0", "M"), "xml-doctype" },
  { "<target name=\"x\"/>", "lesson-shape" },
  { HEAD "</lesson>", "lesson-shape" },
  { ROWS (LESSON, "", ""), "lesson-units" },
  { ROWS (LESSON, "0 x", "M"), "lesson-units" },
  { ROWS (LESSON, "0 -1", "M"), "lesson-units" },
  { ROWS (LESSON, "0 99999999999999999999", "M"), "lesson-units" },
  { ROWS (LESSON, "0 1", "M"), "lesson-expect" },
  { ROWS (LESSON, "0 1", "M X"), "lesson-expect" },
  { ROWS (LESSON, "0 1", "M \xc3\xa4"), "lesson-expect" },
  { ROWS ("", "0", "M"), "lesson-knob" },
  { ROWS (LESSON LESSON, "0", "M"), "lesson-knob" },
  { ROWS ("<set key=\"tile\" value=\"4\"/>", "0", "M"), "lesson-knob" },
  { ROWS ("<set key=\"target\" value=\" \"/>", "0", "M"), "lesson-knob" },
  { "<lesson name=\"x\" scene=\"tiers\" version=\"1\"><title/><text/><question/><knob key=\"tile\"/>"
    "<units>1</units><case name=\"a\"><expect/></case></lesson>",
    "lesson-scene" },
  { "<lesson name=\"x\" scene=\"tiers\" version=\"1\"><title/><text/><question/><knob key=\"tile\"/>"
    "<program>\n</program><case name=\"a\"><expect/></case></lesson>",
    "lesson-program" },
};

START_TEST (faults_are_said)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlLesson) lesson = tl_lesson_parse ("x.xml", wrong[_i].text, strlen (wrong[_i].text), diags);

  ck_assert_ptr_null (lesson);
  ck_assert_uint_ge (tl_diags_errors (diags), 1);
  ck_assert_str_eq (tl_diags_get (diags, 0)->code, wrong[_i].code);
  ck_assert_str_eq (tl_diags_get (diags, 0)->file, "x.xml");
}
END_TEST

START_TEST (machines_that_do_not_fit_are_refused)
{
  static const char *const texts[]
      = { ROWS (LESSON, "8", "M"), ROWS ("<set key=\"target\" value=\"nowhere\"/>", "0", "M"),
          "<lesson name=\"x\" scene=\"owners\" version=\"1\"><title/><text/><question/>"
          "<knob key=\"tile\"/><program>algorithm</program><case name=\"a\">"
          "<expect>A A</expect></case></lesson>" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (TlDiags) diags = tl_diags_new ();
      g_autoptr (TlLesson) lesson = tl_lesson_parse ("x.xml", texts[i], strlen (texts[i]), diags);
      ck_assert_ptr_nonnull (lesson);
      ck_assert_ptr_null (tl_lesson_play (lesson, 0, NULL, diags));
      ck_assert_uint_ge (tl_diags_errors (diags), 1);
    }
}
END_TEST

START_TEST (files_are_read_or_refused)
{
  g_autofree char *path = tl_test_source_path ("data/lessons/tiers.xml");
  g_autofree char *folder = tl_test_source_path ("data/lessons/");
  g_autoptr (TlLesson) lesson = load (path);
  g_autoptr (TlDiags) diags = tl_diags_new ();

  ck_assert_str_eq (lesson->name, "tiers");
  ck_assert_ptr_null (tl_lesson_load ("nothing", diags));
  ck_assert_ptr_null (tl_lesson_load ("./nothing.xml", diags));
  ck_assert_ptr_null (tl_lesson_load (folder, diags));
  ck_assert_uint_eq (tl_diags_errors (diags), 3);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("engine-lesson");
  TCase *tcase = tcase_create ("lesson");

  tcase_add_loop_test (tcase, lessons_come_out_as_they_say, 0, G_N_ELEMENTS (answers));
  tcase_add_test (tcase, a_wrong_expectation_is_seen);
  tcase_add_test (tcase, requests_carry_their_rows);
  tcase_add_test (tcase, owners_agree_with_the_lint);
  tcase_add_test (tcase, programs_carry_the_case);
  tcase_add_loop_test (tcase, faults_are_said, 0, G_N_ELEMENTS (wrong));
  tcase_add_test (tcase, machines_that_do_not_fit_are_refused);
  tcase_add_test (tcase, files_are_read_or_refused);
  tcase_set_timeout (tcase, 60);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
