/* Every kind of wrong input is answered with place, reason, remedy and exit 1, and
 * leaves nothing half-written. */
#include "support/support.h"
#include "tierc.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define UPDATE "  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\n"
#define HEAD   "algorithm apsp\n" UPDATE
#define CONFIG "config target = gendram\n"
#define GRAPH  HEAD "data D: i32 = graph(\"g\")\n" CONFIG

/* Every row runs tierc run on p.gdsl with the file g beside it. */
static const struct
{
  const char *program;
  const char *graph; /* NULL: none */
  const char *place; /* begins the line of the error */
  const char *says;  /* somewhere in the diagnostics; NULL: nothing in particular */
} rows[] = {
  /* syntax */
  { "algorithm apsp\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j]  for k, i, j\ndata D: i32 = road(64, 7)\n" CONFIG, NULL,
    "p.gdsl:2:", NULL },
  { "algorithm apsp\n  D[i,j] = min(D[i,j] D[i,k] + D[k,j])  for k, i, j\ndata D: i32 = road(64, 7)\n" CONFIG, NULL,
    "p.gdsl:2:", NULL },
  { "", NULL, "p.gdsl", NULL },
  { "\x01\x02\x03\xff\xfe", NULL, "p.gdsl", NULL },
  /* names */
  { HEAD "data E: i32 = road(64, 7)\n" CONFIG, NULL, "p.gdsl:1:", "data line" },
  { HEAD "data D: i32 = rode(64, 7)\n" CONFIG, NULL, "p.gdsl:3:", "rode" },
  { HEAD "data D: i33 = road(64, 7)\n" CONFIG, NULL, "p.gdsl:3:", "i33" },
  { HEAD "data D: i32 = road(64, 7)\nconfig target = gendrm\n", NULL, "p.gdsl:4:", "gendrm" },
  { HEAD "data D: i32 = road(64, 7)\nconfig target = gendram, barier = strict\n", NULL, "p.gdsl:4:", "barier" },
  { HEAD "data D: i32 = road(64, 7)\nconfig target = gendram, barriers = strickt\n", NULL, "p.gdsl:4:", "strict" },
  /* sizes */
  { HEAD "data D: i32 = road(1024, 7)\nconfig target = gendram, tile = 300\n", NULL, "p.gdsl:4:", "256" },
  { HEAD "data D: i32 = road(1024, 7)\nconfig target = gendram, tile = 0\n", NULL, "p.gdsl:4:", NULL },
  { HEAD "data D: i32 = road(200000, 7)\n" CONFIG, NULL, "p.gdsl:2:", "149 GiB" },
  /* admission */
  { "algorithm c\n  D[i,j] = D[i,j] + D[i,k] * D[k,j]  for k, i, j\ndata D: i32 = random(1, 64)\n" CONFIG, NULL,
    "p.gdsl:2:", NULL },
  { "algorithm c\n  D[i,j] = min(D[i,j], D[k,i] + D[k,j])  for k, i, j\ndata D: i32 = road(64, 7)\n" CONFIG, NULL,
    "p.gdsl:2:", NULL },
  /* graphs */
  { GRAPH, NULL, "p.gdsl:3:", "g" },
  { GRAPH, "", "g", NULL },
  { GRAPH, "# nothing but a comment\n", "g", NULL },
  { GRAPH, "1 2\n3\n", "g:2:", NULL },
  { GRAPH, "1 2\n3 x\n", "g:2:", NULL },
  { GRAPH, "1 2\n-3 4\n", "g:2:", NULL },
  { GRAPH, "1 2\n99999999999999999999 4\n", "g:2:", NULL },
  { GRAPH,
    "\x7f"
    "ELF\x02\x01\x01\x03 binary",
    "g", NULL },
  { GRAPH, "p sp 3 2\na 1 2 5\na 2 9 5\n", "g:3:", "9" },
  { GRAPH, "p sp 3 2\na 1 2 5\na 2 0 5\n", "g:3:", "0" },
  { GRAPH, "p sp 3 5\na 1 2 5\na 2 3 5\n", "g", "5" },
  { GRAPH, "p sp 3 2\na 1 2\na 2 3 5\n", "g:2:", NULL },
  { GRAPH, "%%MatrixMarket matrix coordinate integer general\n3 3 2\n1 2 5\n4 1 5\n", "g:4:", "4" },
  { GRAPH, "%%MatrixMarket matrix coordinate complex general\n3 3 1\n1 2 5 1\n", "g:1:", "complex" },
  { GRAPH, "%%MatrixMarket matrix coordinate integer general\n3 4 1\n1 2 5\n", "g", NULL },
  /* values */
  { GRAPH, "p sp 3 3\na 1 2 5\na 2 3 -4\na 3 1 -2\n", "", "negative cycle" },
  { GRAPH, "p sp 3 2\na 1 2 2000000000\na 2 3 2000000000\n", "p.gdsl:3:", "i64" },
  { "algorithm w\n  D[i,j] = max(D[i,j], min(D[i,k], D[k,j]))  for k, i, j\ndata D: i32 = graph(\"g\")\n" CONFIG,
    "p sp 3 2\na 1 2 5\na 2 3 -4\n", "p.gdsl:3:", "-4" },
};

/* The last error that a row left, for its check of form. */
static gboolean
has_line_from (const char *text, const char *prefix)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i], prefix) && strstr (lines[i], "error:") != NULL)
      return TRUE;
  return FALSE;
}

START_TEST (wrong_programs_and_graphs)
{
  put_file ("p.gdsl", rows[_i].program, -1);
  if (rows[_i].graph != NULL)
    put_file ("g", rows[_i].graph, -1);
  g_auto (Tierc) run = tierc (NULL, "run", "--json", "--result=out.npy", "--commands=out.csv", "p.gdsl", NULL);
  g_auto (Tierc) build = tierc (NULL, "build", "-o", "out.tls", "p.gdsl", NULL);
  g_autofree char *path = g_build_filename (tl_test_folder (), "g", NULL);
  g_autofree char *files = list_files ();

  g_unlink (path);
  ck_assert_msg (run.status == 1, "row %d: exit %d\n%s", _i, run.status, run.err);
  ck_assert_str_eq (run.out, "");
  ck_assert_msg (has_line_from (run.err, rows[_i].place), "row %d: no error at \"%s\"\n%s", _i, rows[_i].place,
                 run.err);
  ck_assert_msg (rows[_i].says == NULL || strstr (run.err, rows[_i].says) != NULL, "row %d: no \"%s\"\n%s", _i,
                 rows[_i].says, run.err);
  /* The remedy is the fix where one edit is it, else it closes the reason. */
  ck_assert_msg (strstr (run.err, "because: ") != NULL || strstr (run.err, "fix: ") != NULL, "row %d: no reason\n%s",
                 _i, run.err);
  ck_assert_msg (strstr (files, "out.npy") == NULL && strstr (files, "out.csv") == NULL, "row %d: left %s", _i, files);
  /* What is wrong with the values shows only when they are computed. */
  ck_assert_msg (build.status == 1 || strcmp (rows[_i].place, "") == 0, "row %d: exit %d\n%s", _i, build.status,
                 build.err);
}
END_TEST

/* The control: the same frame with nothing wrong in it. */
START_TEST (a_right_program_passes)
{
  put_file ("p.gdsl", GRAPH, -1);
  put_file ("g", "p sp 3 3\na 1 2 5\na 2 3 -4\na 3 1 2\n", -1);
  g_auto (Tierc) run = tierc (NULL, "run", "--json", "--result=fine.csv", "p.gdsl", NULL);
  ck_assert_msg (run.status == 0, "%s", run.err);
  g_autofree char *result = get_file ("fine.csv", NULL);
  ck_assert_str_eq (result, "0,5,1\n-2,0,-4\n2,7,0\n");
}
END_TEST

START_TEST (counts_that_a_file_lacks_are_both_named)
{
  put_file ("p.gdsl", GRAPH, -1);
  put_file ("g", "p sp 3 5\na 1 2 5\na 2 3 5\n", -1);
  g_auto (Tierc) run = tierc (NULL, "run", "p.gdsl", NULL);
  ck_assert_ptr_nonnull (strstr (run.err, "5"));
  ck_assert_ptr_nonnull (strstr (run.err, "2"));
}
END_TEST

START_TEST (three_mistakes_give_three_messages)
{
  static const char text[] = "algorithm apsp\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j]) fro k, i, j\n"
                             "data D: i33 = road(64, 7)\nconfig barier = strict\n";
  g_auto (Tierc) json = tierc (text, "check", "--json", "-", NULL);
  g_auto (Tierc) sarif = tierc (text, "check", "--format=sarif", "-", NULL);

  ck_assert_int_eq (json.status, 1);
  g_autoptr (JsonNode) root = json_of (json.out);
  JsonArray *list = json_node_get_array (json_at (root, "diagnostics"));
  gboolean   seen[5] = { FALSE };
  for (guint i = 0; i < json_array_get_length (list); i++)
    {
      JsonNode                *node = json_array_get_element (list, i);
      gint64                   line = json_int_at (node, "line");
      static const char *const members[] = { "code", "severity", "message" };

      for (guint m = 0; m < G_N_ELEMENTS (members); m++)
        ck_assert_uint_gt (strlen (json_text_at (node, members[m])), 0);
      ck_assert_int_ge (json_int_at (node, "end_line"), line);
      ck_assert_int_ge (json_int_at (node, "column"), 1);
      ck_assert_int_ge (json_int_at (node, "end_column"), 1);
      ck_assert_ptr_nonnull (json_at (node, "reason"));
      ck_assert (JSON_NODE_HOLDS_ARRAY (json_at (node, "fixes")));
      if (line >= 0 && line < (gint64) G_N_ELEMENTS (seen))
        seen[line] = TRUE;
    }
  ck_assert_msg (seen[2] && seen[3] && seen[4], "%s", json.out);
  g_autoptr (JsonNode) log = json_of (sarif.out);
  ck_assert_str_eq (json_text_at (log, "version"), "2.1.0");
  ck_assert_str_eq (json_text_at (log, "runs.0.tool.driver.name"), "tierc");
  ck_assert_uint_eq (json_array_get_length (json_node_get_array (json_at (log, "runs.0.results"))),
                     json_array_get_length (list));
  ck_assert_int_ge (json_int_at (log, "runs.0.results.0.locations.0.physicalLocation.region.startLine"), 1);
}
END_TEST

START_TEST (programs_that_are_no_files)
{
  g_auto (Tierc) missing = tierc (NULL, "run", "nowhere.gdsl", NULL);
  g_auto (Tierc) folder = tierc (NULL, "run", ".", NULL);

  ck_assert_int_eq (missing.status, 1);
  ck_assert (g_str_has_prefix (missing.err, "nowhere.gdsl: error: "));
  ck_assert_ptr_nonnull (strstr (missing.err, "fix: "));
  ck_assert_int_eq (folder.status, 1);
}
END_TEST

START_TEST (a_huge_graph_is_bounded)
{
  /* 64 MB of one line without an end, and a file that is all NULs. */
  gsize            length = 64u << 20;
  g_autofree char *digits = g_malloc (length);

  memset (digits, '1', length);
  put_file ("p.gdsl", GRAPH, -1);
  put_file ("g", digits, (gssize) length);
  g_auto (Tierc) ones = tierc (NULL, "run", "p.gdsl", NULL);
  memset (digits, 0, length);
  put_file ("g", digits, (gssize) length);
  g_auto (Tierc) nuls = tierc (NULL, "run", "p.gdsl", NULL);
  ck_assert_msg (ones.status == 1 && strlen (ones.err) < 4096, "%d", ones.status);
  ck_assert_msg (nuls.status == 1 && strlen (nuls.err) < 4096, "%d", nuls.status);
  put_file ("g", "", 0);
}
END_TEST

START_TEST (hostile_targets)
{
  GString *deep = g_string_new ("<target name=\"t\">");
  GString *huge = g_string_new ("<target name=\"t\">");
  for (guint i = 0; i < 300; i++)
    g_string_append (deep, "<a>");
  for (guint i = 0; i < 300; i++)
    g_string_append (deep, "</a>");
  g_string_append (deep, "</target>");
  while (huge->len < 100u << 20)
    g_string_append (huge, "<note>aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa</note>\n");
  const struct
  {
    const char *name;
    const char *text;
  } files[] = {
    { "broken.xml", "<target name=\"t\"><organisation></target>" },
    { "empty.xml", "" },
    { "doctype.xml", "<!DOCTYPE target [<!ENTITY e \"x\">]><target name=\"&e;\"/>" },
    { "laughs.xml", "<!DOCTYPE t [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\"><!ENTITY c "
                    "\"&b;&b;&b;&b;&b;&b;&b;&b;\">]><target name=\"&c;\"/>" },
    { "external.xml", "<!DOCTYPE t SYSTEM \"file:///etc/hostname\"><target name=\"t\"/>" },
    { "entity.xml", "<target name=\"&unknown;\"/>" },
    { "other.xml", "<html><body/></html>" },
    { "unknown.xml", "<target name=\"t\" base=\"gendram\"><warp speed=\"9\"/></target>" },
    { "loop.xml", "<target name=\"loop\" base=\"loop\"/>" },
    { "orphan.xml", "<target name=\"t\" base=\"nobody\"/>" },
    { "deep.xml", deep->str },
    { "huge.xml", huge->str },
  };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *program
          = g_strdup_printf (HEAD "data D: i32 = road(64, 7)\nconfig target = \"%s\"\n", files[i].name);
      put_file (files[i].name, files[i].text, -1);
      put_file ("p.gdsl", program, -1);
      g_auto (Tierc) check = tierc (NULL, "target", "check", files[i].name, NULL);
      g_auto (Tierc) run = tierc (NULL, "run", "p.gdsl", NULL);

      ck_assert_msg (check.status == 1, "%s: exit %d\n%s", files[i].name, check.status, check.err);
      ck_assert_msg (g_str_has_prefix (check.err, files[i].name), "%s", check.err);
      ck_assert_msg (strstr (check.err, "because: ") != NULL, "%s", check.err);
      ck_assert_msg (strlen (check.err) < 8192, "%s", files[i].name);
      ck_assert_msg (run.status == 1, "%s: exit %d\n%s", files[i].name, run.status, run.err);
    }
  g_string_free (deep, TRUE);
  g_string_free (huge, TRUE);
}
END_TEST

START_TEST (outputs_that_cannot_be_written)
{
  static const char *const options[][2] = {
    { "run", "--result=nowhere/out.npy" },    { "run", "--commands=nowhere/out.csv" },
    { "run", "--trace=nowhere/out.csv" },     { "build", "--output=nowhere/out.tls" },
    { "build", "--output=nowhere/out.mlir" }, { "build", "--output=nowhere/out.json" },
  };

  put_file ("p.gdsl", HEAD "data D: i32 = road(64, 7)\n" CONFIG, -1);
  put_file ("kept.tls", "kept", -1);
  g_autofree char *before = list_files ();
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      g_auto (Tierc) run = tierc (NULL, options[i][0], options[i][1], "p.gdsl", NULL);
      ck_assert_msg (run.status == 1, "%s: exit %d", options[i][1], run.status);
      ck_assert_msg (g_str_has_prefix (run.err, "nowhere/out."), "%s", run.err);
      ck_assert_ptr_nonnull (strstr (run.err, "fix: "));
    }
  g_auto (Tierc) folder = tierc (NULL, "build", "--emit=json", "-o", ".", "p.gdsl", NULL);
  ck_assert_int_eq (folder.status, 1);
  /* A build that fails leaves the file of the one before as it was. */
  put_file ("p.gdsl", HEAD "data D: i32 = rode(64, 7)\n" CONFIG, -1);
  g_auto (Tierc) failed = tierc (NULL, "build", "-o", "kept.tls", "p.gdsl", NULL);
  g_autofree char *kept = get_file ("kept.tls", NULL);
  g_autofree char *after = list_files ();
  ck_assert_int_eq (failed.status, 1);
  ck_assert_str_eq (kept, "kept");
  ck_assert_str_eq (before, after);
}
END_TEST

START_TEST (wrong_settings)
{
  static const char *const sets[]
      = { "tile=300", "tile=many", "nonsense=1", "target.pus=0", "target.warp=9", "target.tRRD=5", "barriers=strickt" };

  put_file ("p.gdsl", HEAD "data D: i32 = road(1024, 7)\n" CONFIG, -1);
  g_auto (Tierc) run = tierc (NULL, "run", "--set", sets[_i], "p.gdsl", NULL);
  ck_assert_msg (run.status == 1, "%s: exit %d\n%s", sets[_i], run.status, run.err);
  ck_assert_ptr_nonnull (strstr (run.err, "error: "));
  ck_assert_msg (strstr (run.err, "because: ") != NULL, "%s", run.err);
}
END_TEST

START_TEST (wrong_modules)
{
  put_file ("p.gdsl", HEAD "data D: i32 = road(64, 7)\n" CONFIG, -1);
  g_auto (Tierc) dump = tierc (NULL, "build", "--dump=g2", "p.gdsl", NULL);
  g_autofree char *half = g_strndup (dump.out, dump.out_length / 2);

  put_file ("half.mlir", half, -1);
  put_file ("right.mlir", dump.out, -1);
  g_auto (Tierc) cut = tierc (NULL, "build", "--from=g2", "-o", "half.tls", "half.mlir", NULL);
  g_auto (Tierc) early = tierc (NULL, "build", "--from=g4", "-o", "early.tls", "right.mlir", NULL);
  g_auto (Tierc) unsaid = tierc (NULL, "build", "-o", "half.tls", "right.mlir", NULL);
  g_auto (Tierc) right = tierc (NULL, "build", "--from=g2", "-o", "fine.tls", "right.mlir", NULL);
  ck_assert_msg (cut.status == 1, "%s", cut.err);
  ck_assert (g_str_has_prefix (cut.err, "half.mlir:"));
  /* The module says itself where it is. */
  ck_assert_msg (early.status == 0 && strstr (early.err, "after g2") != NULL, "%s", early.err);
  ck_assert_int_eq (unsaid.status, 2);
  ck_assert_msg (right.status == 0, "%s", right.err);
  ck_assert (!file_exists ("half.tls"));
}
END_TEST

static const struct
{
  const char *trace;
  const char *place;
} traces[] = {
  { "LD 0x0\nLD\n", "t:2" },
  { "LD 0x0\nLD 64\nXX 0x40\n", "t:3" },
  { "LD 0xzz\n", "t:1" },
  { "0x40 READ 5\n0x80 MAYBE 6\n", "t:2" },
  { "LD 0xffffffffffffffffff\n", "t:1" },
  { "LD 0x0\nLD 0xffffffff00\n", "t:2" },
  { "\x1f\x8b\x08\x00 cut short", "t" },
  { "\x28\xb5\x2f\xfd cut short", "t" },
};

START_TEST (wrong_traces)
{
  put_file ("t", traces[_i].trace, -1);
  g_auto (Tierc) run = tierc (NULL, "replay", "--in-order", "--target=lesson", "t", NULL);
  ck_assert_msg (run.status == 1, "row %d: exit %d\n%s", _i, run.status, run.err);
  ck_assert_msg (g_str_has_prefix (run.err, traces[_i].place), "row %d: %s", _i, run.err);
  ck_assert_str_eq (run.out, "");
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("cli-bad-input");
  TCase *tcase = tcase_create ("bad input");

  tcase_set_timeout (tcase, 300);
  tcase_add_loop_test (tcase, wrong_programs_and_graphs, 0, G_N_ELEMENTS (rows));
  tcase_add_test (tcase, a_right_program_passes);
  tcase_add_test (tcase, counts_that_a_file_lacks_are_both_named);
  tcase_add_test (tcase, three_mistakes_give_three_messages);
  tcase_add_test (tcase, programs_that_are_no_files);
  tcase_add_test (tcase, a_huge_graph_is_bounded);
  tcase_add_test (tcase, hostile_targets);
  tcase_add_test (tcase, outputs_that_cannot_be_written);
  tcase_add_loop_test (tcase, wrong_settings, 0, 7);
  tcase_add_test (tcase, wrong_modules);
  tcase_add_loop_test (tcase, wrong_traces, 0, G_N_ELEMENTS (traces));
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
