/* tierc replay and target. */
#include "dram/event-file.h"
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

/* --- as scheduled --- */

/* 64 pieces of 128 bytes at a stride of 8,192, then 128 bytes on: half are hits. */
static void
put_tile (const char *name, guint n)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "LD 0x%x\n", i / 128 * 128 + i / 2 % 64 * 8192 + i % 2 * 64);
  put_file (name, text->str, (gssize) text->len);
  g_string_free (text, TRUE);
}

START_TEST (both_counts_and_causes)
{
  put_tile ("tile", 12800);
  g_auto (Tierc) json
      = tierc (NULL, "replay", "--target=cu-t8b16", "--set", "quantum=64", "--refresh=none", "--json", "tile", NULL);
  g_auto (Tierc) text = tierc (NULL, "replay", "--target=cu-t8b16", "--set", "quantum=64", "-r", "none", "tile", NULL);

  ck_assert_msg (json.status == 0, "%s", json.err);
  g_autoptr (JsonNode) root = json_of (json.out);
  ck_assert_int_eq (json_int_at (root, "requests"), 12800);
  ck_assert_int_eq (json_int_at (root, "in_order.hit"), 6400);
  ck_assert_int_eq (json_int_at (root, "scheduled.hit"), 6400);
  ck_assert_int_eq (json_int_at (root, "in_order.conflict"), json_int_at (root, "scheduled.conflict"));
  ck_assert_int_eq (json_int_at (root, "scheduled.forwarded"), 0);
  ck_assert_int_eq (json_int_at (root, "commands.act"),
                    json_int_at (root, "scheduled.miss") + json_int_at (root, "scheduled.conflict"));
  ck_assert_int_eq (json_int_at (root, "commands.pre"), json_int_at (root, "scheduled.conflict"));
  ck_assert_int_eq (json_int_at (root, "causes.count"), json_int_at (root, "scheduled.conflict"));
  ck_assert_int_gt (json_int_at (root, "causes.lost_ps"), 0);
  ck_assert_int_gt (json_int_at (root, "scheduled.cycles"), 12800);
  ck_assert_int_gt (json_int_at (root, "scheduled.p99_latency"), 10);
  ck_assert_msg (text.status == 0, "%s", text.err);
  ck_assert_ptr_nonnull (strstr (text.out, "as scheduled"));
  ck_assert_ptr_nonnull (strstr (text.out, "unit bits in which the two differ"));
  ck_assert_ptr_nonnull (strstr (text.out, "tier 0 bank 0"));
}
END_TEST

START_TEST (one_count_alone)
{
  put_tile ("tile", 1280);
  g_auto (Tierc) scheduled
      = tierc (NULL, "replay", "--target=hbm2", "--scheduled", "--json", "--causes=0", "tile", NULL);
  g_auto (Tierc) ordered = tierc (NULL, "replay", "--target=hbm2", "--in-order", "tile", NULL);

  ck_assert_msg (scheduled.status == 0, "%s", scheduled.err);
  ck_assert_ptr_null (strstr (scheduled.out, "in_order"));
  ck_assert_ptr_null (strstr (scheduled.out, "causes"));
  ck_assert_ptr_null (strstr (ordered.out, "scheduled"));
}
END_TEST

/* The policies in one trace that tells them apart: two rows of one bank, interleaved. */
START_TEST (policies_differ)
{
  static const struct
  {
    const char *policy;
    gint64      hit;
  } rows[] = { { "--policy=fr-fcfs", 6 }, { "--policy=in-order", 0 } };
  g_autofree char *trace = tl_test_source_path ("examples/lesson.trace");
  g_auto (Tierc) run = tierc (NULL, "replay", "--target=lesson", rows[_i].policy, "--json", trace, NULL);
  g_auto (Tierc) again = tierc (NULL, "replay", "--target=lesson", rows[_i].policy, "--json", trace, NULL);

  ck_assert_msg (run.status == 0, "%s", run.err);
  ck_assert_str_eq (run.out, again.out);
  g_autoptr (JsonNode) root = json_of (run.out);
  ck_assert_int_eq (json_int_at (root, "scheduled.hit"), rows[_i].hit);
  ck_assert_int_eq (json_int_at (root, "in_order.hit"), 0);
}
END_TEST

START_TEST (cycles_run_forward)
{
  g_auto (Tierc) back = tierc ("0x0 READ 10\n0x40 READ 5\n", "replay", "--target=lesson", "-", NULL);
  g_auto (Tierc) far = tierc ("0x0 READ 10\n0x40 READ 9000000000000000000\n", "replay", "--target=lesson", "-", NULL);
  g_auto (Tierc) apart = tierc ("0x0 READ 1000\n0x40 READ 100000\n", "replay", "--target=lesson", "--json", "-", NULL);

  ck_assert_int_eq (back.status, 1);
  ck_assert_ptr_nonnull (strstr (back.err, ":2"));
  ck_assert_ptr_nonnull (strstr (back.err, "backwards"));
  ck_assert_int_eq (far.status, 1);
  ck_assert_ptr_nonnull (strstr (far.err, "out of range"));
  ck_assert_msg (apart.status == 0, "%s", apart.err);
  g_autoptr (JsonNode) root = json_of (apart.out);
  /* The second is a hit: its column at once, 10 ns to its data, 1 ns of data. */
  ck_assert_int_eq (json_int_at (root, "makespan_ps"), 100011000);
}
END_TEST

START_TEST (energy_follows_the_target)
{
  g_auto (Tierc) run
      = tierc ("LD 0\nST 64\n", "replay", "--target=lesson", "--json", "--set", "target.activate_energy=100 pJ",
               "--set", "target.dram_energy=1 pJ/bit", "--set", "target.write_energy=2 pJ/bit", "-", NULL);

  ck_assert_msg (run.status == 0, "%s", run.err);
  /* One activation, 512 bits read, 512 written at twice the price. */
  ck_assert_msg (strstr (run.out, "\"energy_pj\" : 1636.0") != NULL, "%s", run.out);
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

/* The lesson's commands: one miss, seven conflicts, so 8 ACT, 7 PRE and 8 RD. */
START_TEST (events_go_to_files)
{
  g_autofree char *trace = tl_test_source_path ("examples/lesson.trace");
  g_auto (Tierc) both = tierc (NULL, "replay", "--target=lesson", "--commands=c.csv", "--trace=c.events", trace, NULL);
  g_auto (Tierc) again = tierc (NULL, "replay", "--target=lesson", "--commands=d.csv", trace, NULL);
  g_auto (Tierc) wrong = tierc (NULL, "replay", "--target=lesson", "--in-order", "--commands=e.csv", trace, NULL);
  g_auto (Tierc) nowhere = tierc (NULL, "replay", "--target=lesson", "--trace=no/such/folder", trace, NULL);
  g_autofree char *csv = get_file ("c.csv", NULL), *csv_again = get_file ("d.csv", NULL);

  ck_assert_msg (both.status == 0, "%s", both.err);
  ck_assert_msg (again.status == 0, "%s", again.err);
  ck_assert_int_eq (wrong.status, 2);
  ck_assert_int_eq (nowhere.status, 1);
  ck_assert_ptr_nonnull (csv);
  ck_assert_str_eq (csv, csv_again);
  ck_assert (g_str_has_prefix (csv, "clock,command,Channel,Bank,Row,Column,type,source,ps,request,class,closed\n"));
  g_auto (GStrv) acts = g_strsplit (csv, ",ACT,", -1);
  g_auto (GStrv) pres = g_strsplit (csv, ",PRE,", -1);
  g_auto (GStrv) reads = g_strsplit (csv, ",RD,", -1);
  ck_assert_uint_eq (g_strv_length (acts), 1 + 8);
  ck_assert_uint_eq (g_strv_length (pres), 1 + 7);
  ck_assert_uint_eq (g_strv_length (reads), 1 + 8);
  ck_assert_ptr_nonnull (strstr (csv, ",conflict,conflict\n"));
  g_autofree char *path = g_build_filename (tl_test_folder (), "c.events", NULL);
  g_autoptr (TlEventFile) file = tl_event_file_open (path, NULL);
  ck_assert_ptr_nonnull (file);
  ck_assert_ptr_null (tl_event_file_problem (file));
  ck_assert_uint_eq (tl_event_file_count (file), 8 + 7 + 8);
}
END_TEST

/* By the ending: waves for GTKWave, slices for Perfetto; twice the same bytes. */
START_TEST (events_go_to_viewers)
{
  g_autofree char *trace = tl_test_source_path ("examples/lesson.trace");
  g_auto (Tierc) first = tierc (NULL, "replay", "--target=lesson", "--commands=v.vcd", "--trace=v.json", trace, NULL);
  g_auto (Tierc) second = tierc (NULL, "replay", "--target=lesson", "--commands=w.json", "--trace=w.vcd", trace, NULL);
  g_autofree char *vcd = get_file ("v.vcd", NULL), *vcd_again = get_file ("w.vcd", NULL);
  g_autofree char *json = get_file ("v.json", NULL), *json_again = get_file ("w.json", NULL);

  ck_assert_msg (first.status == 0 && second.status == 0, "%s%s", first.err, second.err);
  ck_assert_str_eq (vcd, vcd_again);
  ck_assert_str_eq (json, json_again);
  ck_assert (g_str_has_prefix (vcd, "$version Tierloom $end\n$timescale 1 ps $end\n"));
  g_auto (GStrv) opened = g_strsplit (vcd, "\nsopening ", -1);
  g_auto (GStrv) reads = g_strsplit (vcd, "\nsread ", -1);
  ck_assert_uint_eq (g_strv_length (opened), 1 + 8);
  ck_assert_uint_eq (g_strv_length (reads), 1 + 8);
  g_autoptr (JsonParser) parser = json_parser_new ();
  ck_assert (json_parser_load_from_data (parser, json, -1, NULL));
  /* Names of two processes and two threads; 8 openings, 8 rows, 8 reads twice, 7 closings. */
  ck_assert_uint_eq (json_array_get_length (json_node_get_array (json_parser_get_root (parser))), 4 + 8 + 8 + 16 + 7);
}
END_TEST

/* An event file is input too: it counts what was counted, gives its events back, and those that are asked for. */
START_TEST (event_files_are_read)
{
  g_autoptr (GString) trace = g_string_new (NULL);

  for (guint i = 0; i < 600; i++)
    g_string_append_printf (trace, "%s 0x%x\n", i % 7 == 0 ? "ST" : "LD", (i * 0x9340 + i % 3 * 0x20000) & 0xffffff80);
  put_file ("t.trace", trace->str, -1);
  g_auto (Tierc) made
      = tierc (NULL, "replay", "t.trace", "--target=cu-t2b4", "--trace=t.events", "--commands=t.csv", "--json", NULL);
  g_auto (Tierc) read
      = tierc (NULL, "replay", "t.events", "--commands=again.csv", "--trace=again.events", "--json", NULL);
  ck_assert_msg (made.status == 0 && read.status == 0, "%s%s", made.err, read.err);
  static const char *const pairs[][2] = { { "t.events", "again.events" }, { "t.csv", "again.csv" } };
  for (guint p = 0; p < G_N_ELEMENTS (pairs); p++)
    {
      gsize            a, b;
      g_autofree char *first = get_file (pairs[p][0], &a), *second = get_file (pairs[p][1], &b);
      ck_assert_msg (a == b && memcmp (first, second, a) == 0, "%s", pairs[p][0]);
    }
  g_autoptr (JsonNode) counted = json_of (made.out);
  g_autoptr (JsonNode) told = json_of (read.out);
  static const char *const same[] = { "commands.act",  "commands.rd",    "commands.wr",        "commands.pre",
                                      "scheduled.hit", "scheduled.miss", "scheduled.conflict", "scheduled.forwarded" };
  for (guint s = 0; s < G_N_ELEMENTS (same); s++)
    ck_assert_int_eq (json_int_at (told, same[s]), json_int_at (counted, same[s]));
  /* A part, and the other part. */
  g_auto (Tierc) conflicts = tierc (NULL, "replay", "t.events", "--find=conflict", "--json", NULL);
  g_auto (Tierc) shown
      = tierc (NULL, "replay", "t.events", "--find=conflict tier:1", "--list=3", "--commands=c.csv", NULL);
  g_auto (Tierc) early = tierc (NULL, "replay", "t.events", "--between=..500ns", "--json", NULL);
  g_auto (Tierc) late = tierc (NULL, "replay", "t.events", "--between=500001ps..", "--json", NULL);
  g_autoptr (JsonNode) some = json_of (conflicts.out);
  g_autoptr (JsonNode) before = json_of (early.out);
  g_autoptr (JsonNode) after = json_of (late.out);
  gsize            length;
  g_autofree char *lines = get_file ("c.csv", &length);
  ck_assert_int_eq (json_int_at (some, "events"), json_int_at (counted, "scheduled.conflict"));
  ck_assert_int_gt (json_int_at (before, "events"), 0);
  ck_assert_int_eq (json_int_at (before, "events") + json_int_at (after, "events"), json_int_at (told, "events"));
  ck_assert_msg (shown.status == 0 && strstr (shown.out, "tier 1") != NULL && strstr (shown.out, "tier 0") == NULL,
                 "%s", shown.out);
  ck_assert (strstr (lines, ",PRE,") != NULL && strstr (lines, ",RD,") == NULL);
  static const struct
  {
    const char *option;
    int         status;
    const char *said;
  } wrong[] = { { "--find=nothing", 2, "no kind or class" },          { "--between=3", 2, "FROM..TO" },
                { "--target=cu-t8b16", 1, "of another machine" },     { "--in-order", 2, "scheduled already" },
                { "--set=page=closed", 2, "numbers of the machine" }, { "--wrap", 2, "scheduled already" } };
  for (guint w = 0; w < G_N_ELEMENTS (wrong); w++)
    {
      g_auto (Tierc) no = tierc (NULL, "replay", "t.events", wrong[w].option, NULL);
      ck_assert_msg (no.status == wrong[w].status && strstr (no.err, wrong[w].said) != NULL, "%s: %d %s",
                     wrong[w].option, no.status, no.err);
    }
  g_auto (Tierc) waves = tierc (NULL, "replay", "t.events", "--find=conflict", "--trace=x.vcd", NULL);
  g_auto (Tierc) no_events = tierc (NULL, "replay", "t.trace", "--target=cu-t2b4", "--list=3", NULL);
  ck_assert (waves.status == 2 && no_events.status == 2);
  /* Cut, it is read as far as it is whole. */
  g_autofree char *whole = get_file ("t.events", &length);
  put_file ("cut.events", whole, (gssize) length - 40);
  g_auto (Tierc) cut = tierc (NULL, "replay", "cut.events", "--json", NULL);
  ck_assert_msg (cut.status == 0 && strstr (cut.err, "warning") != NULL, "%s", cut.err);
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
  tcase_add_test (tcase, both_counts_and_causes);
  tcase_add_test (tcase, one_count_alone);
  tcase_add_loop_test (tcase, policies_differ, 0, 2);
  tcase_add_test (tcase, events_go_to_files);
  tcase_add_test (tcase, event_files_are_read);
  tcase_add_test (tcase, events_go_to_viewers);
  tcase_add_test (tcase, cycles_run_forward);
  tcase_add_test (tcase, energy_follows_the_target);
  tcase_add_loop_test (tcase, targets_are_listed_shown_and_checked, 0, 4);
  tcase_add_test (tcase, unknown_targets);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
