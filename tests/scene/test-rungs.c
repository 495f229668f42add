/* The pass ladder's lines: what changed, where they stem from, streams of one PU. */
#include "emit/stream.h"
#include "engine/build.h"
#include "scene/rungs.h"
#include "support/support.h"

#include <string.h>

static const char before[] = "\"builtin.module\"() ({\n"
                             "  %0 = \"dp.data\"() {name = \"a loc(b)\"} : () -> i32 loc(\"t.gdsl\":4:1)\n"
                             "  \"dp.result\"(%0) : (i32) -> () loc(fused[\"t.gdsl\":3:3, \"C\"(\"t.gdsl\":2:9)])\n"
                             "}) : () -> () loc(unknown)\n";
static const char after[] = "\"builtin.module\"() ({\n"
                            "  %0 = \"dp.new\"() : () -> i32 loc(\"t.gdsl\":5:8)\n"
                            "  %1 = \"dp.data\"() {name = \"a loc(b)\"} : () -> i32 loc(\"t.gdsl\":4:1)\n"
                            "  \"dp.result\"(%1) : (i32) -> () loc(fused[\"t.gdsl\":3:3, \"C\"(\"t.gdsl\":2:9)])\n"
                            "}) : () -> () loc(unknown)\n";

START_TEST (new_lines_are_told_from_renumbered_ones)
{
  g_autoptr (TlRung) rung = tl_rung_new (after, before);
  g_autoptr (TlRung) first = tl_rung_new (before, NULL);

  ck_assert_uint_eq (first->changed, first->lines->len);
  ck_assert_uint_eq (rung->lines->len, 5);
  ck_assert_uint_eq (rung->changed, 1);
  ck_assert_uint_eq (rung->removed, 0);
  ck_assert (((const TlRungLine *) rung->lines->pdata[1])->changed);
  ck_assert (!((const TlRungLine *) rung->lines->pdata[2])->changed);
}
END_TEST

START_TEST (lines_know_their_source)
{
  g_autoptr (TlRung) rung = tl_rung_new (after, before);
  const TlRungLine *data = rung->lines->pdata[2], *result = rung->lines->pdata[3], *end = rung->lines->pdata[4];

  ck_assert_ptr_null (strstr (result->text, "loc("));
  ck_assert_str_eq (data->text, "  %1 = \"dp.data\"() {name = \"a loc(b)\"} : () -> i32");
  ck_assert_uint_eq (data->line, 4);
  ck_assert_uint_eq (result->line, 3);
  ck_assert_uint_eq (result->column, 3);
  ck_assert (tl_rung_stems (result, 2) && tl_rung_stems (result, 3) && !tl_rung_stems (result, 4));
  ck_assert_uint_eq (end->line, 0);
}
END_TEST

START_TEST (real_modules_and_streams)
{
  static const char text[] = "algorithm apsp\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\n"
                             "data D: i32 = road(1024, 7)\n";
  g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();
  TlBuildOptions options = { .dumps = TRUE };
  g_autoptr (TlBuild) built = tl_build ("t.gdsl", text, strlen (text), inputs, &options, NULL, NULL);

  ck_assert (built->complete);
  for (guint stage = TL_STAGE_G2; stage <= TL_STAGE_G4; stage++)
    {
      g_autoptr (TlRung) rung = tl_rung_new (built->dump[stage], built->dump[stage - 1]);
      g_autoptr (TlRung) same = tl_rung_new (built->dump[stage], built->dump[stage]);
      ck_assert_uint_gt (rung->changed, 0);
      ck_assert_uint_lt (rung->changed, rung->lines->len);
      ck_assert_uint_eq (same->changed, 0);
    }
  g_autofree char *all = tl_stream_print (built->program);
  g_autofree char *one = tl_stream_of_pu (all, 17);
  ck_assert_ptr_nonnull (strstr (one, "\nPU 17:"));
  ck_assert_ptr_null (strstr (one, "\nPU 1:"));
  ck_assert_ptr_nonnull (strstr (one, "code of every PU"));
}
END_TEST

START_TEST (a_wrong_count_fails)
{
  g_autoptr (TlRung) rung = tl_rung_new (after, before);

  ck_assert_uint_ne (rung->changed, 4);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("rungs");
  TCase *tcase = tcase_create ("rungs");

  tcase_add_test (tcase, new_lines_are_told_from_renumbered_ones);
  tcase_add_test (tcase, lines_know_their_source);
  tcase_add_test (tcase, real_modules_and_streams);
  tcase_add_test (tcase, a_wrong_count_fails);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
