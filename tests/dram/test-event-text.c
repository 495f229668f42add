/* What other viewers get: every change and slice in order and whole, by reading the files
 * back. */
#include "audit.h"
#include "dram/event-text.h"
#include "support/support.h"

#include <string.h>

static char *
text_of (const AuditRun *run, TlEventTextKind kind)
{
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (TlEventText) text = tl_event_text_new (kind, stream, &run->memory);
  gsize done = 0;

  /* In pieces of every size. */
  for (gsize piece = 1; done < run->events->len; piece = piece % 37 + 1)
    {
      gsize n = MIN (piece, run->events->len - done);
      ck_assert (tl_event_text_add (text, &g_array_index (run->events, TlEvent, done), n, NULL));
      done += n;
    }
  ck_assert (tl_event_text_close (text, NULL));
  ck_assert (g_output_stream_write_all (stream, "", 1, NULL, NULL, NULL));
  ck_assert (g_output_stream_close (stream, NULL, NULL));
  return g_memory_output_stream_steal_data (G_MEMORY_OUTPUT_STREAM (stream));
}

static void
run_of (AuditRun *run, guint64 *state)
{
  audit_random (run, 200, state);
  audit_execute (run, state);
}

/* --- VCD --- */

typedef struct
{
  GHashTable *names;  /* identifier -> name */
  GHashTable *values; /* name -> value */
} Dump;

static const char *
value_of (const Dump *dump, const char *prefix, const char *suffix)
{
  g_autofree char *name = g_strdup_printf ("%s_%s", prefix, suffix);
  const char      *value = g_hash_table_lookup (dump->values, name);

  ck_assert_msg (value != NULL, "no signal %s", name);
  return value;
}

/* The rows that the dump has open at a time are those of the events until then. */
static void
check_rows (const AuditRun *run, const Dump *dump, const guint64 *open)
{
  for (guint32 d = 0; d < tl_memory_domains (&run->memory); d++)
    {
      g_autofree char *label = g_strdelimit (tl_memory_domain_label (&run->memory, d), ".", '_');
      const char      *row = value_of (dump, label, "row");

      if (open[d] == G_MAXUINT64)
        ck_assert_str_eq (row, "z");
      else
        ck_assert_uint_eq (g_ascii_strtoull (row, NULL, 2), open[d]);
      const char *state = value_of (dump, label, "state");
      if (open[d] == G_MAXUINT64)
        ck_assert (strcmp (state, "open") != 0 && strcmp (state, "opening") != 0);
      else
        ck_assert (strcmp (state, "open") == 0 || strcmp (state, "opening") == 0);
    }
}

START_TEST (test_vcd)
{
  guint64 state = tl_test_seed () + (guint64) _i;

  for (guint round = 0; round < tl_test_rounds (20); round++)
    {
      AuditRun run;
      run_of (&run, &state);
      g_autofree char *vcd = text_of (&run, TL_EVENT_TEXT_VCD), *again = text_of (&run, TL_EVENT_TEXT_VCD);
      g_auto (GStrv) lines = g_strsplit (vcd, "\n", -1);
      Dump                dump = { g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free),
                                   g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free) };
      guint32             n = tl_memory_domains (&run.memory);
      g_autofree guint64 *open = g_new (guint64, n);
      guint64             time = 0, reads = 0, writes = 0;
      guint               depth = 0, e = 0;
      gboolean            head = TRUE, any = FALSE;

      ck_assert_str_eq (vcd, again);
      memset (open, 0xff, n * sizeof *open);
      for (guint l = 0; lines[l] != NULL && lines[l][0] != '\0'; l++)
        {
          g_auto (GStrv) words = g_strsplit (lines[l], " ", -1);
          if (strcmp (words[0], "$scope") == 0)
            depth++;
          else if (strcmp (words[0], "$upscope") == 0)
            depth--;
          else if (strcmp (words[0], "$var") == 0)
            {
              ck_assert (g_hash_table_insert (dump.names, g_strdup (words[3]), g_strdup (words[4])));
              ck_assert (strcmp (words[1], "string") == 0 || strcmp (words[1], "wire") == 0);
            }
          else if (strcmp (words[0], "$enddefinitions") == 0)
            {
              ck_assert_uint_eq (depth, 0);
              head = FALSE;
            }
          else if (lines[l][0] == '#')
            {
              guint64 next = g_ascii_strtoull (lines[l] + 1, NULL, 10);
              ck_assert (!head && (!any || next > time));
              if (any)
                {
                  /* All events before the next moment are in it. */
                  for (; e < run.events->len && g_array_index (run.events, TlEvent, e).time < next; e++)
                    {
                      const TlEvent *event = &g_array_index (run.events, TlEvent, e);
                      if (event->kind == TL_EVENT_ACT)
                        open[event->domain] = event->row;
                      if (event->kind == TL_EVENT_PRE)
                        open[event->domain] = G_MAXUINT64;
                    }
                  check_rows (&run, &dump, open);
                }
              time = next;
              any = TRUE;
            }
          else if (lines[l][0] == 'b' || lines[l][0] == 's')
            {
              const char *name = g_hash_table_lookup (dump.names, words[1]);
              ck_assert_ptr_nonnull (name);
              reads += strcmp (words[0], "sread") == 0;
              writes += strcmp (words[0], "swrite") == 0;
              g_hash_table_insert (dump.values, g_strdup (name), g_strdup (words[0] + 1));
            }
        }
      guint64 expected_reads = 0, expected_writes = 0;
      for (guint i = 0; i < run.events->len; i++)
        {
          expected_reads += g_array_index (run.events, TlEvent, i).kind == TL_EVENT_RD;
          expected_writes += g_array_index (run.events, TlEvent, i).kind == TL_EVENT_WR;
        }
      ck_assert_uint_eq (reads, expected_reads);
      ck_assert_uint_eq (writes, expected_writes);
      for (guint32 bus = 0; bus < tl_memory_scopes (&run.memory, run.memory.data_bus); bus++)
        {
          g_autofree char *prefix = g_strdup_printf ("bus%u", bus);
          ck_assert_str_eq (value_of (&dump, prefix, "data"), "idle");
          ck_assert_str_eq (value_of (&dump, prefix, "request"), "z");
        }
      g_hash_table_unref (dump.names);
      g_hash_table_unref (dump.values);
      audit_clear (&run);
    }
}
END_TEST

/* --- Chrome --- */

/* The number after @key in @line; aborts without. */
static double
number_of (const char *line, const char *key)
{
  g_autofree char *with = g_strdup_printf ("\"%s\":", key);
  const char      *at = strstr (line, with);

  ck_assert_msg (at != NULL, "no %s in %s", key, line);
  return g_ascii_strtod (at + strlen (with), NULL);
}

START_TEST (test_chrome)
{
  guint64 state = tl_test_seed () + 100 + (guint64) _i;

  for (guint round = 0; round < tl_test_rounds (20); round++)
    {
      AuditRun run;
      guint    kinds[TL_N_EVENTS] = { 0 }, rows = 0, columns = 0, closings = 0, refreshes = 0, forwards = 0, data = 0;
      run_of (&run, &state);
      g_autofree char *json = text_of (&run, TL_EVENT_TEXT_CHROME);
      g_auto (GStrv) lines = g_strsplit (json, "\n", -1);
      gint depth = 0;

      for (guint i = 0; i < run.events->len; i++)
        kinds[g_array_index (run.events, TlEvent, i).kind]++;
      ck_assert_str_eq (lines[0], "[");
      ck_assert (g_str_has_suffix (json, "}\n]\n"));
      for (const char *at = json; *at != '\0'; at++)
        {
          depth += (*at == '{') - (*at == '}');
          ck_assert_int_ge (depth, 0);
        }
      ck_assert_int_eq (depth, 0);
      for (guint l = 1; lines[l][0] != ']'; l++)
        {
          gboolean last = lines[l + 1][0] == ']';
          ck_assert (g_str_has_suffix (lines[l], last ? "}" : "},"));
          if (strstr (lines[l], "\"ph\":\"M\"") != NULL)
            continue;
          ck_assert (number_of (lines[l], "ts") >= 0 && number_of (lines[l], "dur") >= 0);
          ck_assert (number_of (lines[l], "dur") < 1e9);
          rows += strstr (lines[l], "{\"name\":\"row\"") != NULL;
          closings += strstr (lines[l], "{\"name\":\"closing\"") != NULL;
          columns += strstr (lines[l], "\"cat\":\"column\"") != NULL;
          data += strstr (lines[l], "\"cat\":\"data\"") != NULL;
          refreshes += strstr (lines[l], "{\"name\":\"REF\"") != NULL;
          forwards += strstr (lines[l], "{\"name\":\"FORWARD\"") != NULL;
        }
      ck_assert_uint_eq (rows, kinds[TL_EVENT_ACT]);
      ck_assert_uint_eq (closings, kinds[TL_EVENT_PRE]);
      ck_assert_uint_eq (data, kinds[TL_EVENT_RD] + kinds[TL_EVENT_WR]);
      ck_assert_uint_eq (columns, data + kinds[TL_EVENT_FORWARD]);
      ck_assert_uint_eq (refreshes, kinds[TL_EVENT_REF]);
      ck_assert_uint_eq (forwards, kinds[TL_EVENT_FORWARD]);
      audit_clear (&run);
    }
}
END_TEST

START_TEST (test_kinds)
{
  TlEventTextKind kind;

  ck_assert (tl_event_text_kind ("a.vcd", &kind) && kind == TL_EVENT_TEXT_VCD);
  ck_assert (tl_event_text_kind ("a.JSON", &kind) && kind == TL_EVENT_TEXT_CHROME);
  ck_assert (tl_event_text_kind ("a.csv", &kind) && kind == TL_EVENT_TEXT_CSV);
  ck_assert (!tl_event_text_kind ("a.tle", &kind) && !tl_event_text_kind ("v", &kind));
}
END_TEST

/* Lines are those of the writer of lines alone. */
START_TEST (test_csv)
{
  guint64  state = tl_test_seed ();
  AuditRun run;

  run_of (&run, &state);
  g_autofree char *csv = text_of (&run, TL_EVENT_TEXT_CSV);
  guint            lines = 0;
  for (const char *at = csv; *at != '\0'; at++)
    lines += *at == '\n';
  ck_assert_uint_eq (lines, run.events->len + 1);
  audit_clear (&run);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("dram-event-text");
  TCase *tcase = tcase_create ("text");

  tcase_set_timeout (tcase, 60);
  tcase_add_loop_test (tcase, test_vcd, 0, 2);
  tcase_add_loop_test (tcase, test_chrome, 0, 2);
  tcase_add_test (tcase, test_kinds);
  tcase_add_test (tcase, test_csv);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
