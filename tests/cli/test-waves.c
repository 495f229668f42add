/* tierc on recurrences in wavefront order: what a run says of its time, streams that bring
 * their values, what is written of it. */
#include "support/support.h"
#include "tierc.h"

#include <string.h>

static void
put_program (void)
{
  g_autoptr (GString) letters = g_string_new (NULL);
  g_autoptr (GString) reads = g_string_new (NULL);
  guint64 state = tl_test_seed ();

  for (guint i = 0; i < 4000; i++)
    g_string_append_c (letters, "ACGT"[tl_test_random_below (&state, 4)]);
  for (guint k = 0; k < 4; k++)
    g_string_append_printf (reads, ">%u\n%.*s\n", k, 300, letters->str + 700 * k);
  g_string_prepend (letters, ">g\n");
  g_string_append_c (letters, '\n');
  put_file ("g.fa", letters->str, -1);
  put_file ("reads.fa", reads->str, -1);
  put_file ("p.gdsl",
            "algorithm align\n"
            "  H[i,j] = max(0, H[i-1,j-1] + score(q[i], r[j]), H[i-1,j] - gap, H[i,j-1] - gap)  for i, j within band\n"
            "data q = reads(\"reads.fa\")\ndata r = sequence(\"g.fa\")\ndata PTR, CAL = index(r, k = 11)\n"
            "data hits = stream(PTR, CAL, q)\nconfig target = gendram, mode = pipeline, tile = 48\n"
            "config score = match 2 mismatch -4, gap = 2\nconfig band = 15%\n",
            -1);
}

/* All flows are numbers, edges stand both ways, the table is beside the paper's. */
START_TEST (a_run_says_what_its_time_counts)
{
  put_program ();
  g_auto (Tierc) run = tierc (NULL, "run", "--json", "p.gdsl", NULL);
  ck_assert_msg (run.status == 0, "%s", run.err);
  g_autoptr (JsonNode) root = json_of (run.out);
  g_auto (Tierc) charged = tierc (NULL, "run", "--json", "--set", "copy_writes=charged", "p.gdsl", NULL);
  g_autoptr (JsonNode) other = json_of (charged.out);
  g_auto (Tierc) words = tierc (NULL, "run", "p.gdsl", NULL);

  for (guint f = 0; f < 4; f++)
    {
      g_autofree char *flow = g_strdup_printf ("flows.B%u", f);
      ck_assert_int_gt (json_int_at (root, flow), 0);
    }
  ck_assert_int_eq (json_int_at (root, "edges.free_ps"), json_int_at (root, "makespan_ps"));
  ck_assert_int_eq (json_int_at (root, "edges.charged_ps"), json_int_at (other, "makespan_ps"));
  ck_assert_int_eq (json_int_at (root, "edges.free_ps"), json_int_at (other, "edges.free_ps"));
  ck_assert_str_eq (json_text_at (root, "edges.copy_writes"), "free");
  ck_assert_ptr_nonnull (strstr (json_text_at (root, "edges.rule"), "models.md section 4"));
  ck_assert_int_gt (json_int_at (root, "ring.messages"), json_int_at (root, "ops.lookups"));
  ck_assert_int_eq (json_int_at (root, "result.summary.mapped"), 4);
  ck_assert_ptr_nonnull (strstr (words.out, "with edges on the ring"));
  ck_assert_ptr_nonnull (strstr (words.out, "B1  affine tiling only"));
  ck_assert_ptr_nonnull (strstr (words.out, "over B1"));
  g_auto (Tierc) affine = tierc (NULL, "run", "--json", "--set", "baseline=B1", "p.gdsl", NULL);
  g_autoptr (JsonNode) base = json_of (affine.out);
  ck_assert_int_eq (json_int_at (base, "makespan_ps"), json_int_at (root, "flows.B1"));
}
END_TEST

/* The same object but for the program's name, from another folder too; results are written. */
START_TEST (a_stream_gives_what_its_program_gives)
{
  g_autofree char *folder = g_build_filename (tl_test_folder (), "far", "off", NULL);

  put_program ();
  ck_assert_int_eq (g_mkdir_with_parents (folder, 0700), 0);
  g_auto (Tierc) build = tierc (NULL, "build", "-o", "far/off/p.tls", "p.gdsl", NULL);
  ck_assert_msg (build.status == 0, "%s", build.err);
  g_auto (Tierc) run = tierc (NULL, "run", "--json", "--result=a.paf", "p.gdsl", NULL);
  g_auto (Tierc) stream = tierc (NULL, "run", "--json", "--result=b.paf", "far/off/p.tls", NULL);
  g_autofree char *a = get_file ("a.paf", NULL), *b = get_file ("b.paf", NULL);

  ck_assert_msg (stream.status == 0, "%s", stream.err);
  ck_assert_str_eq (stream.out, run.out);
  ck_assert_str_eq (a, b);
  ck_assert_uint_gt (strlen (a), 0);
  put_file ("reads.fa", ">0\nACGTACGTACGTACGTACGTACGT\n", -1);
  g_auto (Tierc) changed = tierc (NULL, "run", "far/off/p.tls", NULL);
  ck_assert_int_eq (changed.status, 1);
  ck_assert_ptr_nonnull (strstr (changed.err, "content-changed"));

  put_program ();
  g_auto (Tierc) dump = tierc (NULL, "build", "--dump=g3", "p.gdsl", NULL);
  put_file ("p.mlir", dump.out, -1);
  g_auto (Tierc) module = tierc (NULL, "build", "--from=g3", "-o", "m.tls", "p.mlir", NULL);
  ck_assert_msg (module.status == 0, "%s", module.err);
  g_auto (Tierc) bare = tierc (NULL, "run", "--json", "m.tls", NULL);
  g_autoptr (JsonNode) root = json_of (bare.out);
  ck_assert_ptr_nonnull (strstr (json_text_at (root, "result_reason"), "made of a module"));
  g_auto (Tierc) asked = tierc (NULL, "run", "--result=c.paf", "m.tls", NULL);
  ck_assert_int_eq (asked.status, 2);
}
END_TEST

START_TEST (every_format_is_written)
{
  put_program ();
  g_auto (Tierc) one = tierc (NULL, "run", "--json", "--commands=w.vcd", "--trace=t.json", "p.gdsl", NULL);
  g_auto (Tierc) two = tierc (NULL, "run", "--json", "--commands=w.json", "--trace=t.vcd", "p.gdsl", NULL);
  g_auto (Tierc) three = tierc (NULL, "run", "--json", "--commands=w.csv", "--trace=t.csv", "p.gdsl", NULL);
  g_autofree char *vcd = get_file ("w.vcd", NULL), *same = get_file ("t.vcd", NULL);
  g_autofree char *chrome = get_file ("w.json", NULL), *slices = get_file ("t.json", NULL);
  g_autofree char *commands = get_file ("w.csv", NULL), *stretches = get_file ("t.csv", NULL);

  ck_assert_int_eq (one.status + two.status + three.status, 0);
  ck_assert_str_eq (vcd, same);
  ck_assert_str_eq (chrome, slices);
  ck_assert (g_str_has_prefix (vcd, "$version Tierloom $end\n$timescale 1 ps $end\n"));
  ck_assert (g_str_has_prefix (commands, "clock,command,Channel,BankGroup,Bank,Row,Column,type,source,ps\n"));
  ck_assert (g_str_has_prefix (stretches, "from_ps,to_ps,pu,what,read,candidate,wave,level\n"));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("cli-waves");
  TCase *tcase = tcase_create ("waves");

  tcase_set_timeout (tcase, 120);
  tcase_add_test (tcase, a_run_says_what_its_time_counts);
  tcase_add_test (tcase, a_stream_gives_what_its_program_gives);
  tcase_add_test (tcase, every_format_is_written);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
