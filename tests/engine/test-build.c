/* The road from text to streams: four closures, every dump, overrides, rebuilds,
 * owner = auto, bad input. */
#include "support-engine.h"

#include "emit/stream.h"

static const char *const closures[] = {
  "algorithm apsp\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\n"
  "data D: i32 = road(300, 7)\nconfig target = gendram, tile = 32\n",
  "algorithm reach\n  R[i,j] = R[i,j] or (R[i,k] and R[k,j])  for k, i, j\n"
  "data R: bool = powerlaw(200, 3)\nconfig target = gendram, tile = 32, barriers = strict\n",
  "algorithm widest\n  W[i,j] = max(W[i,j], min(W[i,k], W[k,j]))  for k, i, j\n"
  "data W: i32 = road(150, 1)\nconfig target = gendram, tile = 16, copies = home\n",
  "algorithm minimax\n  W[i,j] = min(W[i,j], max(W[i,k], W[k,j]))  for k, i, j\n"
  "data W: i32 = road(150, 1)\nconfig target = gendram, tile = 16, buffers = 2\nplace W = fill 0..7\n",
};

START_TEST (closures_compile)
{
  g_autoptr (TlBuild) build = build_text (closures[_i], NULL, NULL);

  must_be_complete (build);
  ck_assert_ptr_nonnull (build->program);
  ck_assert_ptr_nonnull (build->stream);
  ck_assert_str_eq (build->program->target, "gendram");
  ck_assert_uint_eq (build->program->machine.pus, 32);
  for (guint s = 0; s < TL_N_STAGES; s++)
    ck_assert_uint_ne (build->key[s], 0);
}
END_TEST

START_TEST (bytes_repeat)
{
  g_autoptr (TlBuild) first = build_text (closures[_i], NULL, NULL);
  g_autoptr (TlBuild) second = build_text (closures[_i], NULL, NULL);

  must_be_complete (first);
  ck_assert (g_bytes_equal (first->stream, second->stream));
}
END_TEST

/* Every dump of every closure goes on to the same streams, with and without locations. */
START_TEST (dumps_end_in_identical_streams)
{
  g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();

  for (int no_loc = 0; no_loc < 2; no_loc++)
    {
      TlBuildOptions options = { .dumps = TRUE, .no_loc = no_loc };
      const char    *text = closures[_i];
      g_autoptr (TlBuild) build = tl_build ("test.gdsl", text, strlen (text), inputs, &options, NULL, NULL);

      must_be_complete (build);
      for (TlStage stage = TL_STAGE_G1; stage <= TL_STAGE_G4; stage++)
        {
          TlBuildOptions from = { .from = stage };
          const char    *dump = build->dump[stage];

          ck_assert_ptr_nonnull (dump);
          ck_assert_int_eq (tl_build_sniff (dump, strlen (dump)), TL_STAGE_G1);
          g_autoptr (TlBuild) again = tl_build ("dump.mlir", dump, strlen (dump), inputs, &from, NULL, NULL);
          must_be_complete (again);
          if (no_loc && !g_bytes_equal (build->stream, again->stream))
            {
              /* G1 without locations has lost the algorithm's name, and nothing else. */
              g_autofree char *was = tl_stream_print (build->program);
              g_autofree char *is = tl_stream_print (again->program);

              ck_assert_str_eq (again->program->name, "program");
              ck_assert (strcmp (strchr (was, '\n'), strchr (is, '\n')) == 0);
            }
          else
            ck_assert (g_bytes_equal (build->stream, again->stream));
        }
    }
}
END_TEST

START_TEST (settings_override)
{
  g_autoptr (TlBuild) build = build_text (closures[0], NULL,
                                          SETS ("tile=64", "barriers=strict", "target.pus=8", "target.tRRD=5ns",
                                                "target.search_pus=2", "place.D=stripe 0..3"));

  must_be_complete (build);
  ck_assert_uint_eq (build->program->tile, 64);
  ck_assert_int_eq (build->program->barriers, TL_BARRIERS_STRICT);
  ck_assert_uint_eq (build->program->machine.pus, 8);
  ck_assert_uint_eq (build->program->machine.tRRD, 5000);
  ck_assert_int_eq (build->program->place.kind, TL_PLACE_STRIPE);
  ck_assert_uint_eq (build->program->place.last, 3);
}
END_TEST

static TlBuild *
rebuild (const char *text, TlInputs *inputs, TlBuild *previous)
{
  return tl_build ("test.gdsl", text, strlen (text), inputs, NULL, previous, NULL);
}

START_TEST (a_rebuild_redoes_what_the_edit_touches)
{
  g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();
  const char *graph = "0 1\n1 2\n2 3\n3 0\n";
  g_autoptr (GBytes) bytes = g_bytes_new_static (graph, strlen (graph));
  const char      *text = "algorithm apsp\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\n"
                          "data D: i32 = graph(\"g.txt\")\nconfig target = gendram, tile = 2\n";
  g_autofree char *comment = g_strconcat ("# a remark\n", text, NULL);
  g_autofree char *knob = g_strconcat (text, "config barriers = strict\n", NULL);

  tl_inputs_add (inputs, "g.txt", bytes);
  g_autoptr (TlBuild) first = rebuild (text, inputs, NULL);
  must_be_complete (first);
  ck_assert (!first->reused[TL_STAGE_STREAM]);

  g_autoptr (TlBuild) same = rebuild (text, inputs, first);
  must_be_complete (same);
  for (guint s = 0; s < TL_N_STAGES; s++)
    ck_assert_msg (same->reused[s], "stage %s was made again", tl_stage_name (s));
  ck_assert_ptr_eq (same->program, first->program);
  ck_assert_ptr_eq (same->ast, first->ast);

  g_autoptr (TlBuild) remark = rebuild (comment, inputs, same);
  must_be_complete (remark);
  ck_assert (!remark->reused[TL_STAGE_TEXT]);
  ck_assert (remark->reused[TL_STAGE_INPUTS]);
  ck_assert (remark->reused[TL_STAGE_TARGET]);
  ck_assert (remark->reused[TL_STAGE_STREAM]);
  ck_assert_ptr_eq (remark->program, first->program);

  g_autoptr (TlBuild) changed = rebuild (knob, inputs, remark);
  must_be_complete (changed);
  ck_assert (changed->reused[TL_STAGE_INPUTS]);
  ck_assert (!changed->reused[TL_STAGE_STREAM]);
  ck_assert_int_eq (changed->program->barriers, TL_BARRIERS_STRICT);

  const char *other = "0 1\n1 2\n2 3\n3 0\n0 2\n4 1\n";
  g_autoptr (GBytes) other_bytes = g_bytes_new_static (other, strlen (other));
  tl_inputs_add (inputs, "g.txt", other_bytes);
  g_autoptr (TlBuild) content = rebuild (knob, inputs, changed);
  must_be_complete (content);
  ck_assert (content->reused[TL_STAGE_TEXT]);
  ck_assert (!content->reused[TL_STAGE_INPUTS]);
  ck_assert_uint_eq (content->program->n, 5);

  /* A rebuild gives what a first build gives. */
  g_autoptr (TlBuild) fresh = rebuild (knob, inputs, NULL);
  ck_assert (g_bytes_equal (fresh->stream, content->stream));
}
END_TEST

/* M = 16 and P = 32: the modulo rule gives a column two owners. */
START_TEST (auto_is_never_slower)
{
  static const char *const rows[][2] = {
    { "64", "strict" }, { "64", "dataflow" }, { "48", "strict" }, { "32", "superstep" }, { "128", "strict" },
  };
  g_autofree char *tile = g_strconcat ("tile=", rows[_i][0], NULL);
  g_autofree char *barriers = g_strconcat ("barriers=", rows[_i][1], NULL);
  const char      *text = "algorithm apsp\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\n"
                          "data D: i32 = road(1024, 7)\nconfig target = gendram\n";
  guint64          makespan[3];

  for (guint r = 0; r < 3; r++)
    {
      static const char *const rules[] = { "owner=modulo", "owner=skewed", "owner=auto" };
      g_autoptr (TlBuild) build = build_text (text, NULL, SETS (tile, barriers, rules[r]));

      must_be_complete (build);
      makespan[r] = tl_makespan (build->program, NULL);
      ck_assert_uint_eq (build->trials->len, r == 2 ? 2 : 0);
      for (guint t = 0; t < build->trials->len; t++)
        {
          const TlOwnerTrial *trial = &g_array_index (build->trials, TlOwnerTrial, t);

          if (trial->chosen)
            {
              ck_assert_uint_eq (trial->makespan_ps, makespan[2]);
              ck_assert_str_eq (trial->rule, build->program->owner_rule);
            }
        }
    }
  ck_assert_uint_eq (makespan[2], MIN (makespan[0], makespan[1]));
}
END_TEST

START_TEST (bad_programs_are_answered)
{
  static const struct
  {
    const char *text;
    const char *code; /* NULL: any error */
    guint       line;
  } rows[] = {
    { "", NULL, 0 },
    { "algorithm a\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\ndata D: i32 = graph(\"no.txt\")\n", NULL, 3 },
    { "algorithm a\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\ndata D: i32 = road(64, 1)\n"
      "config tile = 300\n",
      NULL, 4 },
    { "algorithm a\n  D[i,j] = D[i,j] + D[i,k] * D[k,j]  for k, i, j\ndata D: f32 = random(1, 64)\n", NULL, 2 },
    { "algorithm a\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\ndata D: i32 = road(64, 1)\n"
      "config target = nowhere\n",
      NULL, 4 },
    { "algorithm a\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\ndata D: i32 = index(q, k = 11)\n", NULL, 3 },
    { "algorithm a\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\ndata D: i32 = road(200000, 1)\n", NULL, 0 },
    { "algorithm a\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\ndata D: i32 = road(64, 1)\n"
      "config target.tRRD = purple\n",
      NULL, 0 },
  };
  g_autoptr (TlBuild) build = build_text (rows[_i].text, NULL, NULL);

  ck_assert (!build->complete);
  ck_assert_uint_gt (tl_diags_errors (build->diags), 0);
  ck_assert_ptr_null (build->stream);
  if (rows[_i].line > 0)
    ck_assert_uint_eq (tl_diags_get (build->diags, 0)->from.line, rows[_i].line);
}
END_TEST

START_TEST (settings_must_be_pairs)
{
  g_autoptr (TlBuild) build = build_text (closures[0], NULL, SETS ("tile"));

  ck_assert (!build->complete);
  ck_assert (has_code (build->diags, "bad-setting"));
}
END_TEST

/* The stream says how its data lie seen from where it is written, from a dump too. */
START_TEST (streams_remember_the_way)
{
  g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();
  const char *text = "algorithm apsp\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\n"
                     "data D: i32 = graph(\"g.txt\")\nconfig target = gendram\n";
  g_autoptr (GBytes) graph = g_bytes_new_static ("0 1\n1 2\n", 8);
  TlBuildOptions options = { .path = "a/b/p.gdsl", .output = "a/c/x.tls", .dumps = TRUE };

  tl_inputs_add (inputs, "g.txt", graph);
  g_autoptr (TlBuild) build = tl_build ("a/b/p.gdsl", text, strlen (text), inputs, &options, NULL, NULL);
  must_be_complete (build);
  ck_assert_str_eq (build->program->base, "../b");
  TlBuildOptions from = { .from = TL_STAGE_G2, .path = "elsewhere/p.mlir", .output = "a/c/x.tls" };
  g_autoptr (TlBuild) again = tl_build ("elsewhere/p.mlir", build->dump[TL_STAGE_G2], strlen (build->dump[TL_STAGE_G2]),
                                        inputs, &from, NULL, NULL);
  must_be_complete (again);
  ck_assert (g_bytes_equal (build->stream, again->stream));
}
END_TEST

START_TEST (files_appear_whole)
{
  g_autofree char *path = g_build_filename (tl_test_folder (), "x.tls", NULL);
  g_autofree char *nowhere = g_build_filename (tl_test_folder (), "none", "x.tls", NULL);
  g_autoptr (GBytes) bytes = g_bytes_new_static ("abc", 3);
  g_autoptr (GError) error = NULL;
  g_autofree char *read = NULL;

  ck_assert (tl_write_file (path, bytes, &error));
  ck_assert (tl_write_file (path, bytes, &error));
  ck_assert (g_file_get_contents (path, &read, NULL, NULL));
  ck_assert_str_eq (read, "abc");
  ck_assert (!tl_write_file (nowhere, bytes, &error));
  ck_assert_ptr_nonnull (error);
  g_clear_error (&error);
  ck_assert (!tl_write_file (tl_test_folder (), bytes, &error));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("engine-build");
  TCase *tcase = tcase_create ("build");

  tcase_set_timeout (tcase, 120);
  tcase_add_loop_test (tcase, closures_compile, 0, 4);
  tcase_add_loop_test (tcase, bytes_repeat, 0, 4);
  tcase_add_loop_test (tcase, dumps_end_in_identical_streams, 0, 4);
  tcase_add_test (tcase, settings_override);
  tcase_add_test (tcase, a_rebuild_redoes_what_the_edit_touches);
  tcase_add_loop_test (tcase, auto_is_never_slower, 0, 5);
  tcase_add_loop_test (tcase, bad_programs_are_answered, 0, 8);
  tcase_add_test (tcase, settings_must_be_pairs);
  tcase_add_test (tcase, streams_remember_the_way);
  tcase_add_test (tcase, files_appear_whole);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
