/* tierc run and build: what comes out of the whole road. */
#include "support/support.h"
#include "tierc.h"

#include <math.h>
#include <string.h>

static const char apsp[] = "algorithm apsp\n"
                           "  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\n"
                           "data D: i32 = graph(\"small.txt\")\n"
                           "config target = gendram, tile = 2\n";
/* A directed ring of five nodes with a shortcut; ids are sparse on purpose. */
static const char small[] = "# five\n10 20\n20 30\n30 40\n40 50\n50 10\n10\t40\n";
static const char distances[] = "0,1,2,1,2\n4,0,1,2,3\n3,4,0,1,2\n2,3,4,0,1\n1,2,3,2,0\n";

static void
put_small (void)
{
  put_file ("small.txt", small, -1);
  put_file ("small.gdsl", apsp, -1);
}

/* The keys that cli.md promises, with the kind of value behind each. */
static const struct
{
  const char *path;
  GType       type;
} keys[] = {
  { "program", G_TYPE_STRING },
  { "target", G_TYPE_STRING },
  { "n", G_TYPE_INT64 },
  { "tile", G_TYPE_INT64 },
  { "tiles_per_side", G_TYPE_INT64 },
  { "mode", G_TYPE_STRING },
  { "owner.rule", G_TYPE_STRING },
  { "owner.fnv1a64", G_TYPE_STRING },
  { "owner.min", G_TYPE_INT64 },
  { "owner.max", G_TYPE_INT64 },
  { "ops.total", G_TYPE_INT64 },
  { "ops.pivot", G_TYPE_INT64 },
  { "ops.rowcol", G_TYPE_INT64 },
  { "ops.internal", G_TYPE_INT64 },
  { "commands.act", G_TYPE_INT64 },
  { "commands.rd", G_TYPE_INT64 },
  { "commands.wr", G_TYPE_INT64 },
  { "commands.pre", G_TYPE_INT64 },
  { "commands.ref", G_TYPE_INT64 },
  { "rows.hit", G_TYPE_INT64 },
  { "rows.miss", G_TYPE_INT64 },
  { "rows.conflict", G_TYPE_INT64 },
  { "bytes.read", G_TYPE_INT64 },
  { "bytes.written", G_TYPE_INT64 },
  { "makespan_ps", G_TYPE_INT64 },
  { "bound_ps", G_TYPE_INT64 },
  { "flows.B0", G_TYPE_INT64 },
  { "flows.B1", G_TYPE_INT64 },
  { "flows.B2", G_TYPE_INT64 },
  { "flows.B3", G_TYPE_INT64 },
  { "result.hash", G_TYPE_STRING },
  { "result.summary.finite", G_TYPE_INT64 },
  { "result.summary.min", G_TYPE_INT64 },
  { "result.summary.max", G_TYPE_INT64 },
};

START_TEST (json_has_its_keys)
{
  put_small ();
  g_auto (Tierc) result = tierc (NULL, "run", "--json", "small.gdsl", NULL);

  ck_assert_msg (result.status == 0, "%s", result.err);
  g_autoptr (JsonNode) root = json_of (result.out);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      JsonNode *node = json_at (root, keys[i].path);
      ck_assert_msg (node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == keys[i].type,
                     "%s\n%s", keys[i].path, result.out);
    }
  ck_assert (JSON_NODE_HOLDS_ARRAY (json_at (root, "lints")));
  ck_assert_ptr_null (json_at (root, "no.such.key"));
  ck_assert_str_eq (json_text_at (root, "program"), "apsp");
  ck_assert_int_eq (json_int_at (root, "n"), 5);
  ck_assert_int_eq (json_int_at (root, "tiles_per_side"), 3);
  /* Per step one pivot, two times two row and column tiles, two times two others. */
  ck_assert_int_eq (json_int_at (root, "ops.total"), 27);
  ck_assert_int_eq (json_int_at (root, "ops.pivot"), 3);
  ck_assert_int_eq (json_int_at (root, "ops.rowcol"), 12);
  ck_assert_int_eq (json_int_at (root, "ops.internal"), 12);
  ck_assert_int_eq (json_int_at (root, "rows.hit") + json_int_at (root, "rows.miss")
                        + json_int_at (root, "rows.conflict"),
                    json_int_at (root, "commands.rd") + json_int_at (root, "commands.wr"));
  ck_assert_int_eq (json_int_at (root, "makespan_ps"), json_int_at (root, "flows.B3"));
  ck_assert_int_eq (json_int_at (root, "result.summary.finite"), 25);
  ck_assert_int_eq (json_int_at (root, "result.summary.min"), 0);
  ck_assert_int_eq (json_int_at (root, "result.summary.max"), 4);
}
END_TEST

START_TEST (values_are_written)
{
  put_small ();
  g_auto (Tierc) csv = tierc (NULL, "run", "--result=out.csv", "small.gdsl", NULL);
  g_auto (Tierc) npy = tierc (NULL, "run", "--result=out.npy", "small.gdsl", NULL);
  gsize            length;
  g_autofree char *text = get_file ("out.csv", NULL);
  g_autofree char *array = get_file ("out.npy", &length);

  ck_assert_msg (csv.status == 0, "%s", csv.err);
  ck_assert_str_eq (text, distances);
  ck_assert_int_eq (npy.status, 0);
  ck_assert (length > 100 && memcmp (array, "\x93NUMPY", 6) == 0);
  ck_assert_ptr_nonnull (strstr (array + 10, "'<i4'"));
  ck_assert_ptr_nonnull (strstr (array + 10, "(5, 5)"));
  gint32 last[5];
  memcpy (last, array + length - sizeof last, sizeof last);
  ck_assert (last[0] == 1 && last[1] == 2 && last[2] == 3 && last[3] == 2 && last[4] == 0);
}
END_TEST

START_TEST (values_off_say_so)
{
  put_small ();
  g_auto (Tierc) result = tierc (NULL, "run", "--json", "--set", "values=off", "small.gdsl", NULL);

  ck_assert_msg (result.status == 0, "%s", result.err);
  g_autoptr (JsonNode) root = json_of (result.out);
  ck_assert (JSON_NODE_HOLDS_NULL (json_at (root, "result")));
  ck_assert_uint_gt (strlen (json_text_at (root, "result_reason")), 3);
}
END_TEST

/* Knobs that change the streams, and some that change the machine. */
static const char *const variants[] = {
  "tile=2",       "tile=1",         "tile=5",          "barriers=strict", "barriers=superstep",  "edges=padded",
  "copies=home",  "ring=free",      "buffers=2",       "owner=skewed",    "owner=auto",          "copy_writes=charged",
  "target.pus=4", "target.banks=2", "target.tRRD=0ns", "page=open",       "owner=(i + j) mod P",
};

START_TEST (memoised_full_and_stream_agree)
{
  put_small ();
  g_auto (Tierc) memo = tierc (NULL, "run", "--json", "--set", variants[_i], "small.gdsl", NULL);
  g_auto (Tierc) full = tierc (NULL, "run", "--json", "--full", "--set", variants[_i], "small.gdsl", NULL);
  g_auto (Tierc) build = tierc (NULL, "build", "-o", "deep/er/small.tls", "--set", variants[_i], "small.gdsl", NULL);
  ck_assert_int_eq (build.status, 1);
  put_file ("deep/er/keep", "", -1);
  g_auto (Tierc) again = tierc (NULL, "build", "-o", "deep/er/small.tls", "--set", variants[_i], "small.gdsl", NULL);
  g_auto (Tierc) stream = tierc (NULL, "run", "--json", "deep/er/small.tls", NULL);

  ck_assert_msg (memo.status == 0, "%s: %s", variants[_i], memo.err);
  ck_assert_str_eq (memo.out, full.out);
  ck_assert_msg (again.status == 0, "%s: %s", variants[_i], again.err);
  ck_assert_msg (stream.status == 0, "%s: %s", variants[_i], stream.err);
  ck_assert_str_eq (memo.out, stream.out);
  /* The next variant finds no folder again. */
  g_autofree char *folder = g_build_filename (tl_test_folder (), "deep", NULL);
  g_autofree char *command = g_strdup_printf ("rm -r '%s'", folder);
  ck_assert (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
}
END_TEST

/* A different knob has to give a different run, or the comparison above says little. */
START_TEST (knobs_matter)
{
  put_small ();
  g_auto (Tierc) plain = tierc (NULL, "run", "--json", "small.gdsl", NULL);
  g_auto (Tierc) strict = tierc (NULL, "run", "--json", "--set", "barriers=strict", "small.gdsl", NULL);
  g_auto (Tierc) slow = tierc (NULL, "run", "--json", "--set", "target.tRRD=40ns", "small.gdsl", NULL);

  ck_assert_str_ne (plain.out, strict.out);
  ck_assert_str_ne (plain.out, slow.out);
}
END_TEST

START_TEST (dumps_go_on_to_the_same_streams)
{
  static const char *const groups[] = { "g1", "g2", "g3", "g4" };

  put_small ();
  g_autofree char *dump = g_strdup_printf ("--dump=%s", groups[_i]);
  g_autofree char *from = g_strdup_printf ("--from=%s", groups[_i]);
  g_auto (Tierc) plain = tierc (NULL, "build", "-o", "plain.tls", "small.gdsl", NULL);
  g_auto (Tierc) module = tierc (NULL, "build", dump, "-o", "module.mlir", "small.gdsl", NULL);
  g_auto (Tierc) on = tierc (NULL, "build", from, "-o", "on.tls", "module.mlir", NULL);
  g_auto (Tierc) shown = tierc (NULL, "build", dump, "small.gdsl", NULL);
  g_auto (Tierc) bare = tierc (NULL, "build", dump, "--no-loc", "small.gdsl", NULL);
  gsize n, m;

  ck_assert_msg (plain.status == 0 && module.status == 0, "%s%s", plain.err, module.err);
  ck_assert_msg (on.status == 0, "%s", on.err);
  g_autofree char *a = get_file ("plain.tls", &n);
  g_autofree char *b = get_file ("on.tls", &m);
  g_autofree char *text = get_file ("module.mlir", NULL);
  ck_assert (n == m && memcmp (a, b, n) == 0);
  ck_assert_str_eq (shown.out, text);
  ck_assert_ptr_nonnull (strstr (shown.out, "small.gdsl\":2:"));
  ck_assert_ptr_null (strstr (bare.out, "loc("));
}
END_TEST

START_TEST (all_dumps_are_split)
{
  put_small ();
  g_auto (Tierc) all = tierc (NULL, "build", "--dump=all", "--no-loc", "small.gdsl", NULL);
  GString *joined = g_string_new (NULL);

  for (guint g = 1; g <= 4; g++)
    {
      g_autofree char *dump = g_strdup_printf ("--dump=g%u", g);
      g_auto (Tierc) one = tierc (NULL, "build", dump, "--no-loc", "small.gdsl", NULL);
      g_string_append_printf (joined, "%s// after g%u\n%s", g > 1 ? "// -----\n" : "", g, one.out);
    }
  ck_assert_str_eq (all.out, joined->str);
  g_string_free (joined, TRUE);
}
END_TEST

START_TEST (build_reports)
{
  put_small ();
  g_auto (Tierc) json = tierc (NULL, "build", "--json", "small.gdsl", NULL);
  g_auto (Tierc) text = tierc (NULL, "build", "small.gdsl", NULL);
  g_auto (Tierc) streams = tierc (NULL, "build", "--emit=streams", "small.gdsl", NULL);
  g_autoptr (JsonNode) root = json_of (json.out);

  ck_assert_int_eq (json_int_at (root, "tiles_per_side"), 3);
  ck_assert_str_eq (json_text_at (root, "semiring"), "(min, +)");
  ck_assert_str_eq (json_text_at (root, "data.0.source"), "graph(\"small.txt\")");
  ck_assert_int_eq (json_int_at (root, "streams.bytes"), (gint64) streams.out_length);
  ck_assert_int_eq (text.status, 0);
  ck_assert_ptr_nonnull (strstr (text.out, "3 x 3 tiles"));
}
END_TEST

/* Lines of a file that contain @what. */
static guint
count_lines (const char *text, const char *what)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  guint n = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    n += strstr (lines[i], what) != NULL;
  return n;
}

START_TEST (commands_are_written)
{
  put_small ();
  g_auto (Tierc) run = tierc (NULL, "run", "--json", "--commands=c.csv", "--trace=t.csv", "small.gdsl", NULL);
  g_auto (Tierc) vcd = tierc (NULL, "run", "--commands=c.vcd", "small.gdsl", NULL);
  g_auto (Tierc) chrome = tierc (NULL, "run", "--commands=c.json", "small.gdsl", NULL);
  g_autofree char *commands = get_file ("c.csv", NULL);
  g_autofree char *events = get_file ("t.csv", NULL);
  g_autofree char *waves = get_file ("c.vcd", NULL);
  g_autofree char *slices = get_file ("c.json", NULL);

  ck_assert_msg (run.status == 0 && vcd.status == 0 && chrome.status == 0, "%s%s%s", run.err, vcd.err, chrome.err);
  g_autoptr (JsonNode) root = json_of (run.out);
  ck_assert_int_eq (count_lines (commands, ",ACT,"), json_int_at (root, "commands.act"));
  ck_assert_int_eq (count_lines (commands, ",RD,"), json_int_at (root, "commands.rd"));
  ck_assert_int_eq (count_lines (commands, ",WR,"), json_int_at (root, "commands.wr"));
  ck_assert_int_eq (count_lines (commands, ",PRE,"), json_int_at (root, "commands.pre"));
  ck_assert_int_eq (count_lines (events, ",ACT,"), json_int_at (root, "commands.act"));
  ck_assert (g_str_has_prefix (events, "time_ps,event,pu,"));
  ck_assert_ptr_nonnull (strstr (waves, "$timescale"));
  ck_assert_int_eq (slices[0], '[');
}
END_TEST

START_TEST (people_get_a_summary)
{
  static const char *const words[]
      = { "(min, +)", "5 nodes", "Time", "B0", "bound", "computing", "20 %", "hits", "finite" };

  put_small ();
  g_auto (Tierc) run = tierc (NULL, "run", "small.gdsl", NULL);
  ck_assert_msg (run.status == 0, "%s", run.err);
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    ck_assert_msg (strstr (run.out, words[i]) != NULL, "no \"%s\" in\n%s", words[i], run.out);
  ck_assert_ptr_null (strstr (run.err, "\r"));
}
END_TEST

START_TEST (a_stream_finds_its_data_or_says_so)
{
  put_small ();
  g_auto (Tierc) build = tierc (NULL, "build", "-o", "s.tls", "small.gdsl", NULL);
  ck_assert_int_eq (build.status, 0);
  put_file ("small.txt", "1 2\n", -1);
  g_auto (Tierc) changed = tierc (NULL, "run", "s.tls", NULL);
  ck_assert_int_eq (changed.status, 1);
  ck_assert_msg (strstr (changed.err, "small.txt") != NULL, "%s", changed.err);
  g_auto (Tierc) timing = tierc (NULL, "run", "--json", "s.tls", NULL);
  ck_assert_int_eq (timing.status, 1);
  ck_assert_str_eq (timing.out, "");
}
END_TEST

START_TEST (compiled_things_take_no_settings)
{
  put_small ();
  g_auto (Tierc) build = tierc (NULL, "build", "-o", "s.tls", "small.gdsl", NULL);
  g_auto (Tierc) dump = tierc (NULL, "build", "-o", "s.mlir", "small.gdsl", NULL);
  g_auto (Tierc) run = tierc (NULL, "run", "--set", "tile=1", "s.tls", NULL);
  g_auto (Tierc) on = tierc (NULL, "build", "--from=g4", "--set", "tile=1", "s.mlir", NULL);

  ck_assert (build.status == 0 && dump.status == 0);
  ck_assert_int_eq (run.status, 2);
  ck_assert_ptr_nonnull (strstr (run.err, "compiled already"));
  ck_assert_int_eq (on.status, 2);
}
END_TEST

START_TEST (a_damaged_stream_is_refused)
{
  put_small ();
  g_auto (Tierc) build = tierc (NULL, "build", "-o", "s.tls", "small.gdsl", NULL);
  gsize            length;
  g_autofree char *bytes = get_file ("s.tls", &length);
  guint64          state = tl_test_seed ();

  ck_assert_int_eq (build.status, 0);
  for (guint i = 0; i < 24; i++)
    {
      gsize at = (gsize) tl_test_random_below (&state, length);
      bytes[at] ^= (char) (1 << tl_test_random_below (&state, 8));
      put_file ("bad.tls", bytes, (gssize) length);
      g_auto (Tierc) run = tierc (NULL, "run", "--json", "bad.tls", NULL);
      /* The first bytes damaged, it may be taken for a program; wrong either way. */
      ck_assert_int_eq (run.status, 1);
      ck_assert_str_eq (run.out, "");
      g_free (bytes);
      bytes = get_file ("s.tls", &length);
    }
  put_file ("bad.tls", bytes, (gssize) length - 1);
  g_auto (Tierc) cut = tierc (NULL, "run", "bad.tls", NULL);
  ck_assert_int_eq (cut.status, 1);
  ck_assert_ptr_nonnull (strstr (cut.err, "bad.tls"));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("cli-run");
  TCase *tcase = tcase_create ("run");

  tcase_set_timeout (tcase, 300);
  tcase_add_test (tcase, json_has_its_keys);
  tcase_add_test (tcase, values_are_written);
  tcase_add_test (tcase, values_off_say_so);
  tcase_add_loop_test (tcase, memoised_full_and_stream_agree, 0, G_N_ELEMENTS (variants));
  tcase_add_test (tcase, knobs_matter);
  tcase_add_loop_test (tcase, dumps_go_on_to_the_same_streams, 0, 4);
  tcase_add_test (tcase, all_dumps_are_split);
  tcase_add_test (tcase, build_reports);
  tcase_add_test (tcase, commands_are_written);
  tcase_add_test (tcase, people_get_a_summary);
  tcase_add_test (tcase, a_stream_finds_its_data_or_says_so);
  tcase_add_test (tcase, compiled_things_take_no_settings);
  tcase_add_test (tcase, a_damaged_stream_is_refused);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
