/* What is refused, with its place, code and words: malformed and hostile XML, wrong
 * numbers, contradictions, bases that run in circles, files that are too large. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "support/support.h"
#include "target/target.h"

#define HEAD "<?xml version='1.0'?>\n"
/* A small machine; %s goes into the organisation, then the timing, then the root. */
#define SMALL(organisation, timing, rest)                                                                              \
  HEAD "<target name='small' machine='cu'>\n<organisation>\n<tiers>1</tiers><banks>1</banks><rows>2</rows>"            \
       "<columns>4</columns><quantum>64 B</quantum>\n" organisation "\n</organisation>\n<timing><clock>1 GHz</clock>"  \
       "<tRCD>14 ns</tRCD><tRAS>34 ns</tRAS><tRP>14 ns</tRP><tRTP>5 ns</tRTP><tWR>10 ns</tWR><tCL>10 ns</tCL>"         \
       "<tCWL>8 ns</tCWL><tCCD>1 ns</tCCD><burst>1 cycle</burst><tRRD>4 ns</tRRD><tFAW>16 ns</tFAW><tWTR>5 "           \
       "ns</tWTR>\n" timing "\n</timing>\n" rest "</target>\n"

static const struct
{
  const char *what, *xml, *code;
  guint       line;
  const char *words; /* in the message or the reason; NULL: accepted */
} rows[] = {
  { "right", SMALL ("", "", ""), NULL, 0, NULL },
  { "CDATA, comments, processing instructions", SMALL ("<!-- a --><?b c?>", "<tRC><![CDATA[48 ns]]></tRC>", ""), NULL,
    0, NULL },
  { "empty", "", "xml", 1, "not well-formed" },
  { "no XML", "target = gendram\n", "xml", 1, "not well-formed" },
  { "cut off", HEAD "<target name='x'>\n<organisation>", "xml", 3, "not well-formed" },
  { "DOCTYPE", HEAD "<!DOCTYPE target>\n<target name='x' machine='cu'/>", "xml-doctype", 2, "no DOCTYPE" },
  { "external entity",
    HEAD "<!DOCTYPE target [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>\n<target name='x' machine='cu'><title>&e;</title>"
         "</target>",
    "xml-doctype", 2, "no DOCTYPE" },
  { "entities of entities",
    HEAD
    "<!DOCTYPE target [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;'>]>\n<target name='&b;'/>",
    "xml-doctype", 2, "no DOCTYPE" },
  { "external subset", HEAD "<!DOCTYPE target SYSTEM 'http://localhost/x.dtd'>\n<target name='x'/>", "xml-doctype", 2,
    "no DOCTYPE" },
  { "entity without DOCTYPE", HEAD "<target name='x' machine='cu'><title>&e;</title></target>", "xml", 2,
    "Entity 'e' not defined" },
  { "XInclude", SMALL ("<xi:include xmlns:xi='http://www.w3.org/2001/XInclude' href='file:///etc/passwd'/>", "", ""),
    "unknown-element", 5, "include" },
  { "wrong encoding", "<?xml version='1.0' encoding='no-such'?>\n<target name='x'/>", "xml", 1, "ncoding" },
  { "bad UTF-8", HEAD "<target name='x' machine='cu'><title>\xff\xfe</title></target>", "xml", 2, "not well-formed" },
  { "other root", HEAD "<machine name='x'/>", "target-shape", 2, "not <target>" },
  { "namespace", HEAD "<target xmlns='urn:x' name='x' machine='cu'/>", "target-shape", 2, "namespace" },
  { "no name", HEAD "<target machine='cu'/>", "target-shape", 2, "no name" },
  { "bad name", HEAD "<target name='../x' machine='cu'/>", "target-shape", 2, "no name for a target" },
  { "no machine", HEAD "<target name='x'/>", "target-shape", 2, "neither a base nor a machine" },
  { "other machine", HEAD "<target name='x' machine='gpu'/>", "target-shape", 2, "pim or cu" },
  { "other version", HEAD "<target name='x' machine='cu' version='2'/>", "target-version", 2, "version 1" },
  { "machine against base", HEAD "<target name='x' base='gendram' machine='cu'/>", "target-shape", 2,
    "the base is a pim" },
  { "unknown attribute", HEAD "<target name='x' machine='cu' colour='red'/>", "unknown-attribute", 2, "colour" },
  { "unknown element", SMALL ("", "<tRDC>3 ns</tRDC>", ""), "unknown-element", 8, "did you mean <tR" },
  { "wrong section", SMALL ("<tRFC>1 ns</tRFC>", "", ""), "target-shape", 5, "belongs into <timing>" },
  { "no section", SMALL ("", "", "<pus>3</pus>"), "target-shape", 10, "belongs into <processing>" },
  { "twice", SMALL ("<tiers>1</tiers>", "", ""), "target-twice", 5, "line 4" },
  { "section twice", SMALL ("", "", "<timing/>"), "target-twice", 10, "twice" },
  { "text between", SMALL ("tiers", "", ""), "target-shape", 5, "text where elements" },
  { "element in a value", SMALL ("<channels><b>1</b></channels>", "", ""), "target-shape", 5, "nothing else" },
  { "no unit", SMALL ("", "<tRC>48</tRC>", ""), "target-value", 8, "no unit" },
  { "wrong unit", SMALL ("", "<tRC>48 KiB</tRC>", ""), "target-value", 8, "not a unit" },
  { "size without unit", SMALL ("<row>256</row>", "", ""), "target-value", 5, "no unit" },
  { "negative", SMALL ("", "<tRC>-1 ns</tRC>", ""), "target-value", 8, "negative" },
  { "too fine", SMALL ("", "<tRC>1.0001 ns</tRC>", ""), "target-value", 8, "finer" },
  { "too long", SMALL ("", "<tRC>5 ms</tRC>", ""), "target-value", 8, "must lie in" },
  { "many digits", SMALL ("", "<tRC>99999999999999999999999 ns</tRC>", ""), "target-value", 8, "too many digits" },
  { "cycles that are too many", SMALL ("", "<tRC>9999999999 cycles</tRC>", ""), "target-value", 8,
    "longer than 4.29 ms" },
  { "no number", SMALL ("<channels>many</channels>", "", ""), "target-value", 5, "not a whole number" },
  { "nothing", SMALL ("<channels> </channels>", "", ""), "target-value", 5, "empty" },
  { "zero", SMALL ("<channels>0</channels>", "", ""), "target-value", 5, "must lie in 1" },
  { "many", SMALL ("<channels>99999999</channels>", "", ""), "target-value", 5, "must lie in" },
  { "no choice", SMALL ("<command_bus>twin</command_bus>", "", ""), "target-value", 5, "none, single, split" },
  { "wrong mark", SMALL ("<channels mark='Q'>1</channels>", "", ""), "target-mark", 5, "P is stated" },
  { "tier of what has none", SMALL ("<channels tier='0'>1</channels>", "", ""), "unknown-attribute", 5, "tier" },
  { "tier past the last", SMALL ("", "<tRC tier='1'>48 ns</tRC>", ""), "target-tier", 8, "there are 1 tiers" },
  { "no tier", SMALL ("", "<tRC tier='x'>48 ns</tRC>", ""), "target-tier", 8, "is no tier" },
  { "list of the wrong length", SMALL ("", "<tRC>48 ns, 49 ns</tRC>", ""), "target-contradiction", 8, "2 times for 1" },
  { "row against columns", SMALL ("<row>512 B</row>", "", ""), "target-contradiction", 5, "which are 256 B" },
  { "capacity against organisation", SMALL ("<capacity>1 KiB</capacity>", "", ""), "target-contradiction", 5,
    "which holds 512 B" },
  { "tRC against tRAS", SMALL ("", "<tRC>47.999 ns</tRC>", ""), "target-contradiction", 8, "shorter than tRAS + tRP" },
  { "refresh without interval", SMALL ("", "<refresh>on</refresh>", ""), "target-missing", 2, "tREFI is missing" },
  { "endless refresh", SMALL ("", "<refresh>on</refresh><tREFI>1 us</tREFI><tRFC>1 us</tRFC>", ""),
    "target-contradiction", 8, "nothing else could run" },
  { "map", SMALL ("<map>RoBa</map>", "", ""), "target-map", 5, "leaves out" },
  { "map of other bits", SMALL ("<map>column = [b0, b1]; row = [b1]</map>", "", ""), "target-map", 5, "no bijection" },
  { "stack that is no power of two", SMALL ("<groups>3</groups>", "", ""), "target-map", 2, "3 groups" },
  { "stack with too many banks", SMALL ("<channels>4096</channels><groups>1024</groups>", "", ""), "target-value", 4,
    "too many banks" },
  { "number of the other machine", SMALL ("", "", "<processing><pus>1</pus></processing>"), "target-foreign", 10,
    "of pim machines" },
  { "knob", SMALL ("", "", "<knobs colour='red'/>"), "target-knob", 10, "colour" },
  { "page", SMALL ("", "", "<knobs page='ajar'/>"), "target-knob", 2, "open or closed" },
  { "queue that cannot drain", SMALL ("", "", "<compute><write_low>30</write_low></compute>"), "target-contradiction",
    10, "cannot be drained" },
  { "missing", HEAD "<target name='x' machine='cu'>\n<organisation><tiers>1</tiers></organisation></target>",
    "target-missing", 2, "is missing" },
  { "unknown base", HEAD "<target name='x' base='no-such'/>", "target-base", 2, "is not known" },
  { "base with a path", HEAD "<target name='x' base='../gendram'/>", "target-base", 2, "is not known" },
  { "PUs without groups", HEAD "<target name='x' base='gendram'>\n<processing><pus>33</pus></processing></target>",
    "target-contradiction", 3, "32 bank groups" },
  { "PUs that search",
    HEAD "<target name='x' base='gendram'>\n<processing><search_pus>33</search_pus></processing></target>",
    "target-contradiction", 3, "cannot search" },
  { "banks of a group",
    HEAD "<target name='x' base='gendram'>\n<organisation><banks>128</banks></organisation></target>", "target-value",
    3, "128 banks a group" },
  { "both, and wrong",
    HEAD "<target name='x' base='gendram'>\n<organisation><rows>8</rows>\n<capacity>1 "
         "GiB</capacity></organisation></target>",
    "target-contradiction", 4, "8 rows" },
  { "bus of a pim machine",
    HEAD "<target name='x' base='gendram'>\n<organisation><data_bus>channel</data_bus></organisation></target>",
    "target-value", 3, "which one PU has" },
};

static TlTarget *
parse (const char *xml, gsize length, TlDiags *diags)
{
  return tl_target_parse ("small.xml", xml, length, NULL, NULL, diags);
}

/* The first diagnostic with @code; aborts when there is none. */
static const TlDiag *
find (const TlDiags *diags, const char *code, const char *what)
{
  for (guint i = 0; i < tl_diags_count (diags); i++)
    if (strcmp (tl_diags_get (diags, i)->code, code) == 0)
      return tl_diags_get (diags, i);
  g_autofree char *text = tl_diags_count (diags) > 0 ? tl_diag_to_text (tl_diags_get (diags, 0)) : g_strdup ("nothing");
  ck_abort_msg ("%s: no %s but %s", what, code, text);
  return NULL;
}

START_TEST (faults_have_place_and_words)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlTarget) target = parse (rows[_i].xml, strlen (rows[_i].xml), diags);

  if (rows[_i].code == NULL)
    {
      g_autofree char *text = tl_diags_count (diags) > 0 ? tl_diag_to_text (tl_diags_get (diags, 0)) : NULL;
      ck_assert_msg (target != NULL && text == NULL, "%s: %s", rows[_i].what, text);
      return;
    }
  ck_assert_msg (target == NULL, "%s was accepted", rows[_i].what);
  const TlDiag    *diag = find (diags, rows[_i].code, rows[_i].what);
  g_autofree char *text = tl_diag_to_text (diag);
  ck_assert_msg (strstr (text, rows[_i].words) != NULL, "%s: %s", rows[_i].what, text);
  ck_assert_msg (diag->from.line == rows[_i].line, "%s: line %u: %s", rows[_i].what, diag->from.line, text);
  ck_assert_str_eq (diag->file, "small.xml");
}
END_TEST

static const struct
{
  const char *override, *words;
} overrides[] = {
  { "pus", "value is missing" },
  { "puss=3", "did you mean target.pus" },
  { "pus=", "empty" },
  { "pus=x", "not a whole number" },
  { "pus=64", "32 bank groups" },
  { "pus.3=64", "same in all tiers" },
  { "tRRD=5", "no unit" },
  { "tRRD=5 apples", "not a unit" },
  { "tRCD.32=5 ns", "no number \"tRCD.32\"" },
  { "tRCD.8=5 ns", "there are 8 tiers" },
  { "macs=64", "of cu machines" },
  { "tRCD=1 ns, 2 ns", "lists 2 times" },
  { "tRAS=1 ns", "shorter than its tRCD" },
  { "tRAS=tRCD", "after tRCD comes" },
  { "tRAS=1 ns + 1 ns", "a tier" },
  { "clock=3 GHz", "whole number of ps" },
  { "beat=100 B", "no whole number of beats" },
  { "map=column = [b0]", "address map" },
  { "capacity=1 B", "no whole number of rows" },
};

START_TEST (overrides_are_checked)
{
  const char *list[] = { overrides[_i].override, NULL };
  g_autoptr (TlDiags) diags = tl_diags_new ();

  ck_assert_msg (tl_target_load ("gendram", NULL, list, NULL, tl_span (0, 0), diags) == NULL, "%s", list[0]);
  g_autofree char *text = tl_diag_to_text (tl_diags_get (diags, 0));
  ck_assert_msg (strstr (text, overrides[_i].words) != NULL, "%s: %s", list[0], text);
  ck_assert_msg (g_str_has_prefix (text, "--set target."), "%s: %s", list[0], text);
}
END_TEST

START_TEST (deep_nesting_is_refused)
{
  GString *xml = g_string_new (HEAD "<target name='x' machine='cu'>");
  g_autoptr (TlDiags) diags = tl_diags_new ();

  for (guint i = 0; i < 300; i++)
    g_string_append (xml, "<organisation>\n");
  for (guint i = 0; i < 300; i++)
    g_string_append (xml, "</organisation>");
  g_string_append (xml, "</target>");
  ck_assert_ptr_null (parse (xml->str, xml->len, diags));
  g_autofree char *text = tl_diag_to_text (tl_diags_get (diags, 0));
  ck_assert_ptr_nonnull (strstr (text, "nested more than 256 deep"));
  g_string_free (xml, TRUE);
}
END_TEST

/* A line past 65,535 is told right. */
START_TEST (late_lines_are_told)
{
  GString *xml = g_string_new (HEAD "<target name='x' base='gendram'>");
  g_autoptr (TlDiags) diags = tl_diags_new ();

  for (guint i = 0; i < 70000; i++)
    g_string_append_c (xml, '\n');
  g_string_append (xml, "<timing><tRRD>5</tRRD></timing></target>");
  ck_assert_ptr_null (parse (xml->str, xml->len, diags));
  ck_assert_uint_eq (tl_diags_get (diags, 0)->from.line, 70002);
  g_string_free (xml, TRUE);
}
END_TEST

START_TEST (huge_files_are_refused_at_once)
{
  g_autofree char *path = g_build_filename (tl_test_folder (), "huge.xml", NULL);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  int fd = g_open (path, O_CREAT | O_WRONLY, 0600);

  ck_assert_int_eq (ftruncate (fd, 100 << 20), 0);
  close (fd);
  gint64 start = g_get_monotonic_time ();
  ck_assert_ptr_null (tl_target_load (path, NULL, NULL, NULL, tl_span (0, 0), diags));
  ck_assert_int_lt (g_get_monotonic_time () - start, 100000);
  g_autofree char *text = tl_diag_to_text (tl_diags_get (diags, 0));
  ck_assert_ptr_nonnull (strstr (text, "too large"));
}
END_TEST

START_TEST (files_that_cannot_be_read)
{
  const char *const names[] = { "/no/such/file.xml", "/", "/dev/null", "no-such-target", "" };
  const char *const words[]
      = { "cannot be read", "not a regular file", "not a regular file", "there is no target", "there is no target" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (TlDiags) diags = tl_diags_new ();
      ck_assert_ptr_null (tl_target_load (names[i], NULL, NULL, NULL, tl_span (0, 0), diags));
      ck_assert_uint_eq (tl_diags_count (diags), 1);
      ck_assert_ptr_nonnull (strstr (tl_diags_get (diags, 0)->message, words[i]));
    }
}
END_TEST

/* Writes NAME.xml deriving from @base. */
static void
derive (const char *name, const char *base)
{
  g_autofree char *leaf = g_strconcat (name, ".xml", NULL);
  g_autofree char *path = g_build_filename (tl_test_folder (), leaf, NULL);
  g_autofree char *xml = g_strdup_printf ("<target name='%s' base='%s'/>\n", name, base);

  g_file_set_contents (path, xml, -1, NULL);
}

START_TEST (bases_end_somewhere)
{
  const char    *folders[] = { tl_test_folder (), NULL };
  TlTargetSearch search = { .folders = folders };
  g_autoptr (TlDiags) diags = tl_diags_new ();

  derive ("self", "self");
  derive ("a", "b");
  derive ("b", "c");
  derive ("c", "a");
  derive ("d1", "gendram");
  for (guint i = 2; i <= 9; i++)
    {
      g_autofree char *name = g_strdup_printf ("d%u", i);
      g_autofree char *base = g_strdup_printf ("d%u", i - 1);
      derive (name, base);
    }
  ck_assert_ptr_null (tl_target_load ("self", &search, NULL, NULL, tl_span (0, 0), diags));
  ck_assert_str_eq (tl_diags_get (diags, 0)->code, "target-cycle");
  ck_assert_ptr_null (tl_target_load ("a", &search, NULL, NULL, tl_span (0, 0), diags));
  ck_assert_str_eq (tl_diags_get (diags, 1)->code, "target-cycle");
  ck_assert_ptr_null (tl_target_load ("d9", &search, NULL, NULL, tl_span (0, 0), diags));
  ck_assert_str_eq (tl_diags_get (diags, 2)->code, "target-depth");
  g_autoptr (TlTarget) deep = tl_target_load ("d8", &search, NULL, NULL, tl_span (0, 0), diags);
  ck_assert_ptr_nonnull (deep);
  ck_assert_str_eq (tl_target_name (deep), "d8");
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("target-hostile");
  TCase *tcase = tcase_create ("hostile");

  tcase_set_timeout (tcase, 60);
  tcase_add_loop_test (tcase, faults_have_place_and_words, 0, G_N_ELEMENTS (rows));
  tcase_add_loop_test (tcase, overrides_are_checked, 0, G_N_ELEMENTS (overrides));
  tcase_add_test (tcase, deep_nesting_is_refused);
  tcase_add_test (tcase, late_lines_are_told);
  tcase_add_test (tcase, huge_files_are_refused_at_once);
  tcase_add_test (tcase, files_that_cannot_be_read);
  tcase_add_test (tcase, bases_end_somewhere);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
