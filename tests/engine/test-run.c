/* Runs: streams give what their program gives, values and why there are none,
 * negative cycles, results written whole, sensitivities. */
#include "support-engine.h"

#define APSP "algorithm apsp\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\n"

static TlBuild *
build_stream (GBytes *stream, TlInputs *inputs)
{
  TlBuildOptions options = { .from = TL_STAGE_STREAM };
  gsize          length = 0;
  gconstpointer  data = g_bytes_get_data (stream, &length);

  ck_assert_int_eq (tl_build_sniff (data, length), TL_STAGE_STREAM);
  return tl_build ("x.tls", data, length, inputs, &options, NULL, NULL);
}

START_TEST (streams_run_like_their_programs)
{
  static const char *const texts[] = {
    APSP "data D: i32 = graph(\"g.txt\")\nconfig target = gendram, tile = 4\n",
    APSP "data D: i32 = road(512, 3)\nconfig target = gendram, tile = 64, barriers = strict\n",
    APSP "data D: i32 = random(5, 40)\nconfig target = gendram, tile = 16, copy_writes = charged, buffers = 2\n",
    "algorithm r\n  R[i,j] = R[i,j] or (R[i,k] and R[k,j])  for k, i, j\ndata R: bool = powerlaw(90, 2)\n"
    "config target = gendram, tile = 16, page = open\n",
    APSP "data D: i32 = road(100, 3)\nconfig target = gendram, values = off, baseline = B1\n",
    APSP "data D: i32[30, 30]\nconfig target = gendram, tile = 8, seed = 9\n",
    APSP "data D: i32 = road(65536, 3)\nconfig target = gendram\nplace D = fill 0..7\n",
    APSP "data D: i32 = road(30000, 3)\nconfig target = gendram, owner = j mod 2\n",
  };
  g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();
  const char *graph = "# nodes\n5 9\n9 5\n7 5\n5 11\n11 7\n20 5\n";

  if (_i >= 6 && tl_test_rounds (10) < 10)
    {
      tl_test_skip ("more than 100 tiles a side take minutes under sanitizers");
      return;
    }
  g_autoptr (GBytes) bytes = g_bytes_new_static (graph, strlen (graph));

  tl_inputs_add (inputs, "g.txt", bytes);
  g_autoptr (TlBuild) build = build_text (texts[_i], inputs, NULL);
  g_autoptr (TlRun) run = must_run (build, NULL);
  g_autoptr (TlBuild) again = build_stream (build->stream, inputs);
  g_autoptr (TlRun) run_again = must_run (again, NULL);
  g_autofree char *text = run_text (run);
  g_autofree char *text_again = run_text (run_again);

  ck_assert_str_eq (text, text_again);
  ck_assert_int_eq (run->has_result, _i != 4 && _i < 6);
  ck_assert_uint_eq (run->lints->len, _i < 6 ? run->lints->len : 2);
}
END_TEST

START_TEST (full_and_memo_agree)
{
  g_autoptr (TlBuild) build
      = build_text (APSP "data D: i32 = road(500, 3)\nconfig target = gendram, tile = 32, values = off\n", NULL, NULL);
  g_autoptr (TlRun) memo = must_run (build, &(TlRunOptions) { .mode = TL_RUN_MEMO });
  g_autoptr (TlRun) full = must_run (build, &(TlRunOptions) { .mode = TL_RUN_FULL });

  ck_assert_str_eq (memo->simulation, "memo");
  ck_assert_str_eq (full->simulation, "full");
  ck_assert_uint_eq (memo->makespan_ps, full->makespan_ps);
  ck_assert_uint_eq (memo->commands.act, full->commands.act);
  ck_assert_uint_eq (memo->rows.hit, full->rows.hit);
}
END_TEST

START_TEST (a_changed_file_is_noticed)
{
  g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();
  g_autoptr (TlInputs) none = tl_inputs_new_memory ();
  g_autoptr (GBytes) graph = g_bytes_new_static ("0 1\n1 2\n", 8);
  g_autoptr (GBytes) other = g_bytes_new_static ("0 1\n2 1\n", 8);

  tl_inputs_add (inputs, "g.txt", graph);
  g_autoptr (TlBuild) build
      = build_text (APSP "data D: i32 = graph(\"g.txt\")\nconfig target = gendram\n", inputs, NULL);
  must_be_complete (build);
  tl_inputs_add (inputs, "g.txt", other);
  g_autoptr (TlBuild) stream = build_stream (build->stream, inputs);
  g_autoptr (TlRun) run = tl_run (stream, NULL, NULL);

  ck_assert (!run->complete);
  ck_assert (has_code (run->diags, "content-changed"));

  g_autoptr (TlBuild) lonely = build_stream (build->stream, none);
  g_autoptr (TlRun) missing = tl_run (lonely, NULL, NULL);
  ck_assert (!missing->complete);
  g_autoptr (TlRun) timing = tl_run (lonely, &(TlRunOptions) { .skip_values = TRUE }, NULL);
  ck_assert (timing->complete);
  ck_assert_ptr_nonnull (timing->result_reason);
}
END_TEST

/* A file beside the stream, or in the folder that the stream names. */
START_TEST (base_folders_are_searched)
{
  g_autofree char *data = g_build_filename (tl_test_folder (), "data", NULL);
  g_autofree char *out = g_build_filename (tl_test_folder (), "out", NULL);
  g_autofree char *graph = g_build_filename (data, "g.txt", NULL);
  g_autofree char *program = g_build_filename (data, "p.gdsl", NULL);
  g_autofree char *output = g_build_filename (out, "p.tls", NULL);
  g_autoptr (TlInputs) inputs = tl_inputs_new_folder (data, NULL);
  g_autoptr (TlInputs) beside = tl_inputs_new_folder (out, NULL);
  const char    *text = APSP "data D: i32 = graph(\"g.txt\")\nconfig target = gendram\n";
  TlBuildOptions options = { .path = program, .output = output };

  ck_assert_int_eq (g_mkdir_with_parents (data, 0777), 0);
  ck_assert_int_eq (g_mkdir_with_parents (out, 0777), 0);
  ck_assert (g_file_set_contents (graph, "0 1\n1 2\n", -1, NULL));
  g_autoptr (TlBuild) build = tl_build (program, text, strlen (text), inputs, &options, NULL, NULL);
  must_be_complete (build);
  g_autoptr (TlBuild) stream = build_stream (build->stream, beside);
  g_autoptr (TlRun) run = must_run (stream, NULL);

  ck_assert (run->has_result);
  ck_assert_uint_eq (run->finite, 6);
}
END_TEST

START_TEST (negative_cycles_are_named)
{
  g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();
  const char *gr = "p sp 3 3\na 1 2 5\na 2 3 -4\na 3 1 -2\n";
  g_autoptr (GBytes) bytes = g_bytes_new_static (gr, strlen (gr));

  tl_inputs_add (inputs, "g.gr", bytes);
  g_autoptr (TlBuild) build
      = build_text (APSP "data D: i32 = graph(\"g.gr\")\nconfig target = gendram\n", inputs, NULL);
  must_be_complete (build);
  g_autoptr (TlRun) run = tl_run (build, NULL, NULL);

  ck_assert (!run->complete);
  ck_assert (has_code (run->diags, "negative-cycle"));
  ck_assert (!run->has_result);
  ck_assert_ptr_nonnull (strstr (tl_diags_get (run->diags, 0)->message, "node"));
}
END_TEST

START_TEST (results_are_written)
{
  g_autoptr (TlBuild) build = build_text (APSP "data D: i32 = road(50, 3)\nconfig target = gendram\n", NULL, NULL);
  g_autoptr (TlRun) run = must_run (build, NULL);
  g_autofree char *path = g_build_filename (tl_test_folder (), "d.csv", NULL);
  g_autofree char *text = NULL;
  g_autofree char *first = tl_run_value_text (run, 0, 0);

  ck_assert (tl_run_write_result (run, path, NULL));
  ck_assert (g_file_get_contents (path, &text, NULL, NULL));
  ck_assert_str_eq (first, "0");
  ck_assert_int_eq (text[0], '0');
  ck_assert_ptr_null (tl_run_value_text (run, 50, 0));
}
END_TEST

START_TEST (unasked_values_have_a_reason)
{
  g_autoptr (TlBuild) build = build_text (APSP "data D: i32 = road(9000, 3)\nconfig target = gendram\n", NULL, NULL);
  g_autoptr (TlRun) run = must_run (build, NULL);

  ck_assert (!run->has_result);
  ck_assert_ptr_nonnull (strstr (run->result_reason, "8,192"));
}
END_TEST

START_TEST (sensitivities_rank)
{
  g_autoptr (TlBuild) build
      = build_text (APSP "data D: i32 = road(500, 3)\nconfig target = gendram, tile = 32, values = off\n", NULL, NULL);
  g_autoptr (TlRun) run = must_run (build, &(TlRunOptions) { .sensitivities = TRUE });

  ck_assert_uint_ge (run->sensitivities->len, 3);
  for (guint s = 0; s < run->sensitivities->len; s++)
    {
      const TlSensitivity *sensitivity = &g_array_index (run->sensitivities, TlSensitivity, s);

      g_print ("%s: %s %.3f %s %.3f\n", sensitivity->what, sensitivity->low_text,
               (double) sensitivity->low_ps / (double) run->makespan_ps, sensitivity->high_text,
               (double) sensitivity->high_ps / (double) run->makespan_ps);
      if (s > 0)
        ck_assert (sensitivity->effect <= g_array_index (run->sensitivities, TlSensitivity, s - 1).effect);
    }
}
END_TEST

START_TEST (cancelling_ends_a_run)
{
  g_autoptr (TlBuild) build = build_text (APSP "data D: i32 = road(500, 3)\nconfig target = gendram\n", NULL, NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  must_be_complete (build);
  g_cancellable_cancel (cancellable);
  g_autoptr (TlRun) run = tl_run (build, NULL, cancellable);
  ck_assert (!run->complete);
  ck_assert (run->cancelled);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("engine-run");
  TCase *tcase = tcase_create ("run");

  tcase_set_timeout (tcase, 120);
  tcase_add_loop_test (tcase, streams_run_like_their_programs, 0, 8);
  tcase_add_test (tcase, full_and_memo_agree);
  tcase_add_test (tcase, a_changed_file_is_noticed);
  tcase_add_test (tcase, base_folders_are_searched);
  tcase_add_test (tcase, negative_cycles_are_named);
  tcase_add_test (tcase, results_are_written);
  tcase_add_test (tcase, unasked_values_have_a_reason);
  tcase_add_test (tcase, sensitivities_rank);
  tcase_add_test (tcase, cancelling_ends_a_run);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
