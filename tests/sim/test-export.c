/* Exports hold every command once, in order, and are the same bytes every time. */
#include "fixture.h"
#include "sim/export.h"

#include <stdlib.h>
#include <string.h>

typedef gboolean (*Export) (const TlSimTrace *, GOutputStream *, GCancellable *, GError **);

static char *
exported (const TlSimTrace *trace, Export export)
{
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (GError) error = NULL;

  ck_assert (export(trace, stream, NULL, &error));
  ck_assert (g_output_stream_write_all (stream, "", 1, NULL, NULL, NULL));
  ck_assert (g_output_stream_close (stream, NULL, NULL));
  return g_memory_output_stream_steal_data (G_MEMORY_OUTPUT_STREAM (stream));
}

static guint
occurrences (const char *text, const char *word)
{
  guint count = 0;

  for (const char *at = text; (at = strstr (at, word)) != NULL; at += strlen (word))
    count++;
  return count;
}

static TlSimTrace *
trace_of (guint32 buffers, TlPage page)
{
  TlPimMachine     machine = fixture_machine ();
  TlPimProgramSpec spec = { .machine = &machine, .n = 40, .tile = 16, .buffers = buffers, .page = page };
  g_autoptr (TlPimProgram) program = NULL;
  g_autoptr (TlSimRun) run = NULL;

  machine.pus = 4;
  machine.search_pus = 0;
  program = fixture_build (&spec);
  run = tl_sim_run (program, NULL, NULL);
  return tl_sim_trace_new (run, 0, G_MAXUINT64, 1000000, NULL, NULL);
}

START_TEST (csv_holds_every_command)
{
  g_autoptr (TlSimTrace) trace = trace_of (1 + _i % 2, _i / 2);
  const TlSimRun  *run = tl_sim_trace_run (trace);
  g_autofree char *csv = exported (trace, tl_export_csv), *again = exported (trace, tl_export_csv);
  g_auto (GStrv) lines = g_strsplit (csv, "\n", -1);
  guint64 before = 0;

  ck_assert_str_eq (csv, again);
  ck_assert_str_eq (lines[0], "clock,command,Channel,BankGroup,Bank,Row,Column,type,source,ps");
  ck_assert_uint_eq (occurrences (csv, ",ACT,"), run->total.act);
  ck_assert_uint_eq (occurrences (csv, ",RD,"), run->total.rd);
  ck_assert_uint_eq (occurrences (csv, ",WR,"), run->total.wr);
  ck_assert_uint_eq (occurrences (csv, ",PRE,"), run->total.pre);
  for (guint l = 1; lines[l] != NULL && lines[l][0] != '\0'; l++)
    {
      g_auto (GStrv) cells = g_strsplit (lines[l], ",", -1);
      guint64 ps;

      ck_assert_uint_eq (g_strv_length (cells), 10);
      ps = g_ascii_strtoull (cells[9], NULL, 10);
      ck_assert_uint_ge (ps, before);
      ck_assert_uint_eq (g_ascii_strtoull (cells[0], NULL, 10), ps / 1000);
      before = ps;
    }
}
END_TEST

START_TEST (vcd_changes_in_order)
{
  g_autoptr (TlSimTrace) trace = trace_of (1 + _i % 2, _i / 2);
  const TlSimRun  *run = tl_sim_trace_run (trace);
  g_autofree char *vcd = exported (trace, tl_export_vcd);
  g_auto (GStrv) lines = g_strsplit (vcd, "\n", -1);
  guint64 before = 0, times = 0;

  ck_assert (g_str_has_prefix (vcd, "$version Tierloom $end\n$timescale 1 ps $end\n"));
  ck_assert_uint_eq (occurrences (vcd, "$var "), 4 * 9 + 1);
  ck_assert_uint_eq (occurrences (vcd, "\nsACT "), run->total.act);
  ck_assert_uint_eq (occurrences (vcd, "\nsRD "), run->total.rd);
  for (guint l = 0; lines[l] != NULL; l++)
    if (lines[l][0] == '#')
      {
        guint64 time = g_ascii_strtoull (lines[l] + 1, NULL, 10);

        ck_assert (times == 0 || time > before);
        before = time;
        times++;
      }
  ck_assert_uint_gt (times, 100);
}
END_TEST

START_TEST (chrome_slices_are_whole)
{
  g_autoptr (TlSimTrace) trace = trace_of (1 + _i % 2, _i / 2);
  const TlSimRun  *run = tl_sim_trace_run (trace);
  g_autofree char *json = exported (trace, tl_export_chrome);
  guint            braces = 0;

  ck_assert (g_str_has_prefix (json, "[\n{") && g_str_has_suffix (json, "}\n]\n"));
  for (const char *at = json; *at != '\0'; at++)
    {
      braces += *at == '{';
      braces -= *at == '}';
    }
  ck_assert_uint_eq (braces, 0);
  ck_assert_uint_eq (occurrences (json, "\"name\":\"RD\""), run->total.rd);
  ck_assert_uint_eq (occurrences (json, "\"name\":\"row\""), run->total.pre);
  ck_assert_uint_eq (occurrences (json, "\"name\":\"compute\""), 27);
  ck_assert_uint_eq (occurrences (json, "\"name\":\"write\""), 27);
  ck_assert_uint_eq (occurrences (json, "\"name\":\"read\""), 3 + 2 * 12 + 3 * 12);
  ck_assert_uint_eq (occurrences (json, "\"name\":\"broadcast\""), run->broadcasts);
  ck_assert_ptr_null (strstr (json, "\"dur\":18446"));
}
END_TEST

START_TEST (cancelled_exports_say_so)
{
  g_autoptr (TlSimTrace) trace = trace_of (1, TL_PAGE_CLOSED);
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancelled);
  ck_assert (!tl_export_csv (trace, stream, cancelled, &error));
  ck_assert (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED));
}
END_TEST

/* Part by part, however small, the same bytes as at once. */
typedef struct
{
  GString *lines;
  guint    parts;
} Walked;

static void
add_lines (GString *lines, const TlSimTrace *trace)
{
  for (guint64 e = 0; e < tl_sim_trace_count (trace); e++)
    {
      TlSimEvent event;

      tl_sim_trace_event (trace, e, &event);
      g_string_append_printf (lines, "%lu %u %u %u %u %u\n", (gulong) event.time, event.kind, event.pu, event.bank,
                              event.row, event.column);
    }
}

static gboolean
add_part (const TlSimTrace *part, gpointer data, GError **error)
{
  Walked *walked = data;

  add_lines (walked->lines, part);
  walked->parts++;
  return TRUE;
}

START_TEST (parts_make_the_whole)
{
  g_autoptr (TlSimTrace) trace = trace_of (1 + _i % 2, _i / 2);
  TlSimRun     *run = tl_sim_trace_run (trace);
  const Export  exports[] = { tl_export_csv, tl_export_vcd, tl_export_chrome };
  const guint64 sizes[] = { 150, 5000, 10000000 };

  for (guint format = 0; format < G_N_ELEMENTS (exports); format++)
    {
      g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
      g_autofree char *whole = exported (trace, exports[format]);

      ck_assert (tl_export_run (run, (TlExportFormat) format, stream, NULL, NULL));
      ck_assert_uint_eq (g_memory_output_stream_get_data_size (G_MEMORY_OUTPUT_STREAM (stream)), strlen (whole));
      ck_assert_int_eq (
          memcmp (g_memory_output_stream_get_data (G_MEMORY_OUTPUT_STREAM (stream)), whole, strlen (whole)), 0);
    }
  g_autoptr (GString) whole = g_string_new (NULL);
  add_lines (whole, trace);
  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      Walked walked = { g_string_new (NULL), 0 };

      ck_assert (tl_sim_trace_walk (run, 0, G_MAXUINT64, sizes[s], add_part, &walked, NULL, NULL));
      ck_assert_str_eq (walked.lines->str, whole->str);
      ck_assert (sizes[s] >= 10000000 || walked.parts > 2);
      g_string_free (walked.lines, TRUE);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("sim-export");
  TCase *tcase = tcase_create ("export");

  tcase_add_loop_test (tcase, csv_holds_every_command, 0, 4);
  tcase_add_loop_test (tcase, vcd_changes_in_order, 0, 4);
  tcase_add_loop_test (tcase, chrome_slices_are_whole, 0, 4);
  tcase_add_test (tcase, cancelled_exports_say_so);
  tcase_add_loop_test (tcase, parts_make_the_whole, 0, 4);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
