/* tierc replay and target. */
#include "support/support.h"
#include "tierc.h"

#include <string.h>

START_TEST (the_lesson)
{
  static const struct
  {
    const char *target;
    gint64      hit;
    gint64      conflict;
    const char *classes;
  } rows[] = {
    { "--target=lesson", 0, 7, "M C C C C C C C" },
    { "--target=lesson-c1", 6, 1, "M H H H C H H H" },
  };
  g_autofree char *trace = tl_test_source_path ("examples/lesson.trace");
  g_auto (Tierc) json = tierc (NULL, "replay", "--in-order", "--json", rows[_i].target, trace, NULL);
  g_auto (Tierc) text = tierc (NULL, "replay", rows[_i].target, trace, NULL);

  ck_assert_msg (json.status == 0, "%s", json.err);
  g_autoptr (JsonNode) root = json_of (json.out);
  ck_assert_int_eq (json_int_at (root, "requests"), 8);
  ck_assert_int_eq (json_int_at (root, "in_order.hit"), rows[_i].hit);
  ck_assert_int_eq (json_int_at (root, "in_order.miss"), 1);
  ck_assert_int_eq (json_int_at (root, "in_order.conflict"), rows[_i].conflict);
  ck_assert_str_eq (json_text_at (root, "classes"), rows[_i].classes);
  ck_assert_int_eq (text.status, 0);
  ck_assert_ptr_nonnull (strstr (text.out, "in order"));
  ck_assert_ptr_nonnull (strstr (text.out, rows[_i].classes));
}
END_TEST

/* Two addresses that differ by the capacity are one address under --wrap. */
START_TEST (wrapping)
{
  static const char trace[] = "LD 0x0\nLD 0x100000000000\n";
  put_file ("t", trace, -1);
  g_auto (Tierc) strict = tierc (NULL, "replay", "--target=lesson", "t", NULL);
  g_auto (Tierc) wrapped = tierc (NULL, "replay", "--target=lesson", "--wrap", "--json", "t", NULL);

  ck_assert_int_eq (strict.status, 1);
  ck_assert_ptr_nonnull (strstr (strict.err, "t:2"));
  ck_assert_msg (wrapped.status == 0, "%s", wrapped.err);
  g_autoptr (JsonNode) root = json_of (wrapped.out);
  ck_assert_int_eq (json_int_at (root, "in_order.hit"), 1);
}
END_TEST

START_TEST (pages_are_a_setting)
{
  g_autofree char *trace = tl_test_source_path ("examples/lesson.trace");
  g_auto (Tierc) closed = tierc (NULL, "replay", "--target=lesson", "--set", "page=closed", "--json", trace, NULL);
  g_autoptr (JsonNode) root = json_of (closed.out);

  ck_assert_int_eq (json_int_at (root, "in_order.conflict"), 0);
  ck_assert_int_eq (json_int_at (root, "in_order.miss"), 8);
}
END_TEST

START_TEST (standard_input_is_a_trace)
{
  g_auto (Tierc) run = tierc ("ST 0\nLD 0\n", "replay", "--target=lesson", "--json", "-", NULL);

  ck_assert_msg (run.status == 0, "%s", run.err);
  g_autoptr (JsonNode) root = json_of (run.out);
  ck_assert_int_eq (json_int_at (root, "reads"), 1);
  ck_assert_int_eq (json_int_at (root, "writes"), 1);
}
END_TEST

START_TEST (targets_are_listed_shown_and_checked)
{
  static const char *const names[] = { "gendram", "gendram-stratum", "lesson", "lesson-c1" };
  g_auto (Tierc) list = tierc (NULL, "target", "list", NULL);
  g_auto (Tierc) show = tierc (NULL, "target", "show", names[_i], NULL);
  g_auto (Tierc) json = tierc (NULL, "target", "show", "--json", names[_i], NULL);
  g_autofree char *relative = g_strdup_printf ("targets/%s.xml", names[_i]);
  g_autofree char *file = tl_test_source_path (relative);
  g_auto (Tierc) check = tierc (NULL, "target", "check", file, NULL);
  g_autofree char *line = g_strdup_printf ("%s ", names[_i]);

  ck_assert_int_eq (list.status, 0);
  ck_assert_msg (strstr (list.out, line) != NULL, "%s", list.out);
  ck_assert_msg (show.status == 0, "%s", show.err);
  ck_assert_ptr_nonnull (strstr (show.out, "tRCD"));
  g_autoptr (JsonNode) root = json_of (json.out);
  ck_assert_str_eq (json_text_at (root, "name"), names[_i]);
  ck_assert_int_gt (json_int_at (root, "capacity"), 0);
  ck_assert_msg (check.status == 0, "%s", check.err);
}
END_TEST

START_TEST (unknown_targets)
{
  g_auto (Tierc) show = tierc (NULL, "target", "show", "gendrm", NULL);
  g_auto (Tierc) replay = tierc ("LD 0\n", "replay", "--target=gendrm", "-", NULL);
  g_auto (Tierc) keys = tierc (NULL, "target", "keys", NULL);

  ck_assert_int_eq (show.status, 1);
  ck_assert_ptr_nonnull (strstr (show.err, "gendram"));
  ck_assert_int_eq (replay.status, 1);
  ck_assert_int_eq (keys.status, 0);
  ck_assert_ptr_nonnull (strstr (keys.out, "tRRD"));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("cli-replay");
  TCase *tcase = tcase_create ("replay");

  tcase_add_loop_test (tcase, the_lesson, 0, 2);
  tcase_add_test (tcase, wrapping);
  tcase_add_test (tcase, pages_are_a_setting);
  tcase_add_test (tcase, standard_input_is_a_trace);
  tcase_add_loop_test (tcase, targets_are_listed_shown_and_checked, 0, 4);
  tcase_add_test (tcase, unknown_targets);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
