/* Any moment of an event file: what the cursor says there is what all events before make, the
 * next and previous event of a sort is the one that a search through all finds; and the
 * requests of a run, read back from its events, make the same events again. */
#include "dram/event-cursor.h"
#include "dram/event-requests.h"
#include "support/support.h"

#include <string.h>

typedef struct
{
  TlTarget       *target;
  TlEngineOptions options;
  GArray         *events; /* of TlEvent */
  GBytes         *bytes;
  TlEngineTotals  totals;
} Run;

static void
clear_run (Run *run)
{
  g_clear_pointer (&run->target, tl_target_unref);
  g_clear_pointer (&run->events, g_array_unref);
  g_clear_pointer (&run->bytes, g_bytes_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, clear_run)

static gboolean
keep (const TlEvent *events, gsize n, gpointer data)
{
  g_array_append_vals (data, events, (guint) n);
  return TRUE;
}

/* What the engine makes of the accesses. */
static void
run_again (Run *run, const TlAccess *accesses, gsize n, GArray *events)
{
  TlEngineOptions options = run->options;

  options.sink = keep;
  options.sink_data = events;
  g_autoptr (TlEngine) engine = tl_engine_new (tl_target_memory (run->target), tl_target_map (run->target), &options);
  ck_assert (tl_engine_feed (engine, accesses, n, NULL));
  ck_assert (tl_engine_finish (engine));
  tl_engine_totals (engine, &run->totals);
}

static void
record (Run *run, const char *target, TlRefresh refresh, const TlAccess *accesses, gsize n)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (TlEventWriter) writer = NULL;

  run->target = tl_target_load (target, NULL, NULL, NULL, tl_span (0, 0), diags);
  ck_assert_ptr_nonnull (run->target);
  tl_engine_options_init (&run->options, run->target);
  run->options.refresh = refresh;
  run->events = g_array_new (FALSE, FALSE, sizeof (TlEvent));
  run_again (run, accesses, n, run->events);
  writer = tl_event_writer_new (stream, "", tl_target_memory (run->target)->clock, TRUE, NULL);
  ck_assert (tl_event_writer_add (writer, (const TlEvent *) (void *) run->events->data, run->events->len, NULL));
  ck_assert (tl_event_writer_close (writer, NULL));
  g_output_stream_close (stream, NULL, NULL);
  run->bytes = g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (stream));
}

/* Reads and writes all over the units, of some who ask; in bursts, sometimes after a long rest. */
static TlAccess *
draw_accesses (guint64 *state, guint bits, gsize n, guint64 rest)
{
  TlAccess *accesses = g_new0 (TlAccess, n);
  guint64   time = 0, unit = 0;

  for (gsize i = 0; i < n; i++)
    {
      if (tl_test_random_below (state, 40) == 0)
        time += tl_test_random_below (state, 300000);
      if (rest > 0 && tl_test_random_below (state, n / 8) == 0)
        time += rest + tl_test_random_below (state, rest);
      unit = tl_test_random_below (state, 3) == 0 ? tl_test_random_below (state, G_GUINT64_CONSTANT (1) << bits)
                                                  : (unit + 1) % (G_GUINT64_CONSTANT (1) << bits);
      accesses[i] = (TlAccess) { .unit = unit,
                                 .arrival = time,
                                 .requester = (guint16) tl_test_random_below (state, 3),
                                 .operand = (guint8) tl_test_random_below (state, 2),
                                 .write = tl_test_random_below (state, 3) == 0 };
    }
  return accesses;
}

static guint
bits_of (const char *name)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlTarget) target = tl_target_load (name, NULL, NULL, NULL, tl_span (0, 0), diags);

  return tl_address_map_bits (tl_target_map (target));
}

/* The state after the first @n events, the plain way: from the start. */
static void
expect_state (const TlEventCursor *cursor, const TlEvent *events, guint64 n)
{
  TlEventCounts expected = { { 0 } }, counts;
  g_autoptr (GHashTable) open = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) rows = tl_event_cursor_rows (cursor);

  for (guint64 e = 0; e < n; e++)
    {
      expected.kinds[events[e].kind]++;
      if (events[e].row_class < TL_N_ROW_CLASSES)
        expected.classes[events[e].row_class]++;
      if (events[e].kind == TL_EVENT_ACT)
        g_hash_table_insert (open, GUINT_TO_POINTER (events[e].domain), (gpointer) &events[e]);
      else if (events[e].kind == TL_EVENT_PRE)
        g_hash_table_remove (open, GUINT_TO_POINTER (events[e].domain));
    }
  tl_event_cursor_counts (cursor, &counts);
  ck_assert_mem_eq (&counts, &expected, sizeof counts);
  ck_assert_uint_eq (rows->len, g_hash_table_size (open));
  for (guint i = 0; i < rows->len; i++)
    {
      const TlOpenRow *row = &g_array_index (rows, TlOpenRow, i);
      const TlEvent   *act = g_hash_table_lookup (open, GUINT_TO_POINTER (row->domain));
      TlOpenRow        same;

      ck_assert_ptr_nonnull (act);
      ck_assert_uint_eq (row->row, act->row);
      ck_assert_uint_eq (row->opener, act->request);
      ck_assert (i == 0 || row->domain > row[-1].domain);
      ck_assert (tl_event_cursor_row (cursor, row->domain, &same));
      ck_assert_uint_eq (same.row, row->row);
    }
  /* One that is wrong is seen. */
  counts.kinds[TL_EVENT_ACT]++;
  ck_assert (memcmp (&counts, &expected, sizeof counts) != 0);
}

static const char *const targets[] = { "cu-t8b16", "cu-t2b2", "hbm2" };

START_TEST (any_moment_is_as_from_the_start)
{
  guint64              state = tl_test_seed () + (guint64) _i;
  g_autofree TlAccess *accesses = draw_accesses (&state, bits_of (targets[_i]), 60000, 0);
  g_auto (Run) run = { 0 };

  record (&run, targets[_i], _i == 0 ? TL_REFRESH_NONE : TL_REFRESH_ALL_BANK, accesses, 60000);
  const TlEvent *events = (const TlEvent *) (void *) run.events->data;
  guint64        count = run.events->len;
  g_autoptr (TlEventFile) file = tl_event_file_new (run.bytes, NULL);
  g_autoptr (TlEventCursor) cursor = tl_event_cursor_new (file, tl_target_memory (run.target));
  guint n = tl_test_rounds (60);

  ck_assert_uint_ge (tl_event_file_chunks (file), 2);
  expect_state (cursor, events, 0);
  for (guint i = 0; i < n; i++)
    {
      guint64 place = i == 0   ? count
                      : i == 1 ? TL_EVENT_CHUNK
                      : i < n / 2 || tl_event_cursor_place (cursor) == 0
                          ? tl_test_random_below (&state, count + 1)
                          : tl_event_cursor_place (cursor) - tl_test_random_below (&state, 2);
      ck_assert (tl_event_cursor_seek (cursor, place, NULL));
      ck_assert_uint_eq (tl_event_cursor_place (cursor), place);
      expect_state (cursor, events, place);
    }
  for (guint i = 0; i < n; i++)
    {
      guint64 time = tl_test_random_below (&state, events[count - 1].time + 2), place;
      ck_assert (tl_event_cursor_seek_time (cursor, time, NULL));
      place = tl_event_cursor_place (cursor);
      ck_assert (place == count || events[place].time >= time);
      ck_assert (place == 0 || events[place - 1].time < time);
      if (i % 8 == 0)
        expect_state (cursor, events, place);
    }
}
END_TEST

static TlEventQuery
draw_query (guint64 *state, const TlEvent *events, guint64 count)
{
  TlEventQuery   query;
  const TlEvent *event = &events[tl_test_random_below (state, count)];

  tl_event_query_init (&query);
  if (tl_test_random_below (state, 2) == 0)
    query.kinds = 1 + (guint) tl_test_random_below (state, (1u << TL_N_EVENTS) - 1);
  if (tl_test_random_below (state, 3) == 0)
    query.classes = 1 + (guint) tl_test_random_below (state, (1u << TL_N_ROW_CLASSES) - 1);
  if (tl_test_random_below (state, 2) == 0)
    query.domain = event->domain;
  if (tl_test_random_below (state, 2) == 0)
    query.row = event->row;
  if (tl_test_random_below (state, 6) == 0)
    query.request = event->request;
  if (tl_test_random_below (state, 20) == 0)
    query.row = 1 << 30;
  return query;
}

START_TEST (the_next_of_a_sort_is_found)
{
  guint64              state = tl_test_seed () + 7;
  g_autofree TlAccess *accesses = draw_accesses (&state, bits_of ("cu-t8b16"), 80000, 0);
  g_auto (Run) run = { 0 };

  record (&run, "cu-t8b16", TL_REFRESH_PER_BANK, accesses, 80000);
  const TlEvent *events = (const TlEvent *) (void *) run.events->data;
  guint64        count = run.events->len;
  g_autoptr (TlEventFile) file = tl_event_file_new (run.bytes, NULL);
  g_autoptr (TlEventCursor) cursor = tl_event_cursor_new (file, tl_target_memory (run.target));

  for (guint i = 0; i < tl_test_rounds (200); i++)
    {
      TlEventQuery query = draw_query (&state, events, count);
      guint64      from = tl_test_random_below (&state, count + 2), found = 0, e;
      gboolean     back = i % 2 == 1;
      g_autoptr (GError) error = NULL;
      gboolean has = tl_event_cursor_find (cursor, &query, from, back, &found, &error);

      g_assert_no_error (error);
      from = MIN (from, count);
      for (e = back ? from : from + 1; back ? e > 0 : e <= count; e = back ? e - 1 : e + 1)
        if (tl_event_query_matches (&query, tl_target_memory (run.target), &events[e - 1]))
          break;
      ck_assert_msg (has == (back ? e > 0 : e <= count), "query %u", i);
      if (!has)
        continue;
      ck_assert_uint_eq (found, e - 1);
      const TlEvent *event = tl_event_cursor_event (cursor, found, NULL);
      ck_assert_uint_eq (event->time, events[found].time);
      ck_assert_uint_eq (event->domain, events[found].domain);
    }
}
END_TEST

START_TEST (an_empty_file_has_one_moment)
{
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (TlEventWriter) writer = tl_event_writer_new (stream, "", 1000, FALSE, NULL);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlTarget) target = tl_target_load ("cu-t2b2", NULL, NULL, NULL, tl_span (0, 0), diags);
  TlEventQuery query;
  guint64      found;

  tl_event_query_init (&query);
  ck_assert (tl_event_writer_close (writer, NULL));
  g_output_stream_close (stream, NULL, NULL);
  g_autoptr (GBytes) bytes = g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (stream));
  g_autoptr (TlEventFile) file = tl_event_file_new (bytes, NULL);
  g_autoptr (TlEventCursor) cursor = tl_event_cursor_new (file, tl_target_memory (target));
  ck_assert (tl_event_cursor_seek (cursor, 5, NULL));
  ck_assert (tl_event_cursor_seek_time (cursor, 5, NULL));
  ck_assert_uint_eq (tl_event_cursor_place (cursor), 0);
  ck_assert (!tl_event_cursor_find (cursor, &query, 0, FALSE, &found, NULL));
  ck_assert (!tl_event_cursor_find (cursor, &query, 1, TRUE, &found, NULL));
}
END_TEST

/* A chunk that is damaged costs its own moments only. */
START_TEST (beside_a_damaged_chunk)
{
  guint64              state = tl_test_seed () + 8;
  g_autofree TlAccess *accesses = draw_accesses (&state, bits_of ("cu-t8b16"), 90000, 0);
  g_auto (Run) run = { 0 };

  record (&run, "cu-t8b16", TL_REFRESH_NONE, accesses, 90000);
  const TlEvent     *events = (const TlEvent *) (void *) run.events->data;
  gsize              size;
  const guint8      *data = g_bytes_get_data (run.bytes, &size);
  g_autofree guint8 *copy = g_memdup2 (data, size);
  g_autoptr (GError) error = NULL;
  copy[size / 2] ^= 1;
  g_autoptr (GBytes) bent = g_bytes_new (copy, size);
  g_autoptr (TlEventFile) file = tl_event_file_new (bent, NULL);
  g_autoptr (TlEventCursor) cursor = tl_event_cursor_new (file, tl_target_memory (run.target));
  TlEventQuery query;
  guint        chunks = tl_event_file_chunks (file), good = 0;
  guint64      found;

  ck_assert_uint_ge (chunks, 3);
  for (guint c = 0; c < chunks; c++)
    {
      guint64 place = tl_event_file_summary (file, c)->first_event + 50;
      if (!tl_event_cursor_seek (cursor, place, &error))
        {
          ck_assert (g_error_matches (error, TL_EVENT_FILE_ERROR, TL_EVENT_FILE_ERROR_DAMAGED));
          g_clear_error (&error);
          continue;
        }
      good++;
      expect_state (cursor, events, place);
    }
  ck_assert_uint_eq (good, chunks - 1);
  tl_event_query_init (&query);
  query.request = 89999;
  query.kinds = 1 << TL_EVENT_REF;
  ck_assert (!tl_event_cursor_find (cursor, &query, 0, FALSE, &found, &error));
  g_assert_no_error (error);
  tl_event_query_init (&query);
  query.row = 1 << 12;
  query.kinds = 1 << TL_EVENT_PRE;
  while (tl_event_cursor_find (cursor, &query, found = tl_event_cursor_place (cursor), TRUE, &found, &error))
    ck_assert (tl_event_cursor_seek (cursor, found, NULL));
  ck_assert (g_error_matches (error, TL_EVENT_FILE_ERROR, TL_EVENT_FILE_ERROR_DAMAGED));
}
END_TEST

/* --- a run from its own events --- */

static gboolean
same_event (const TlEvent *a, const TlEvent *b)
{
  return a->time == b->time && a->request == b->request && a->entered == b->entered && a->opener == b->opener
         && a->domain == b->domain && a->row == b->row && a->column == b->column && a->requester == b->requester
         && a->operand == b->operand && a->kind == b->kind && a->row_class == b->row_class && a->reason == b->reason;
}

/* Requests from the events of a run, run again: event for event the same, whatever the refresh,
 * and though the machine rested so long between that it refreshed itself. */
START_TEST (a_stored_run_runs_again)
{
  const char          *name = targets[_i / 3];
  TlRefresh            refresh = (TlRefresh) (_i % 3);
  guint64              state = tl_test_seed () + 20 + (guint64) _i, rests = 0;
  gsize                n = 40000, got;
  g_autofree TlAccess *accesses = draw_accesses (&state, bits_of (name), n, G_GUINT64_CONSTANT (40000000000));
  g_autofree TlAccess *back = g_new (TlAccess, n + 1);
  g_autoptr (GArray) again = g_array_new (FALSE, FALSE, sizeof (TlEvent));
  g_autoptr (GError) error = NULL;
  g_auto (Run) run = { 0 };

  record (&run, name, refresh, accesses, n);
  rests = run.totals.self_refreshes;
  ck_assert (refresh == TL_REFRESH_NONE || tl_target_memory (run.target)->tREFI == 0 || rests > 0);
  g_autoptr (TlEventFile) file = tl_event_file_new (run.bytes, NULL);
  g_autoptr (TlEventRequests) requests = tl_event_requests_new (file, tl_target_map (run.target));
  for (got = 0; got <= n;)
    {
      gsize some = tl_event_requests_read (requests, back + got, MIN (1000, n + 1 - got), &error);
      g_assert_no_error (error);
      if (some == 0)
        break;
      got += some;
    }
  ck_assert_uint_eq (got, n);
  for (gsize i = 0; i < n; i++)
    {
      ck_assert_uint_eq (back[i].unit, accesses[i].unit);
      ck_assert_uint_ge (back[i].arrival, accesses[i].arrival);
      ck_assert (back[i].write == accesses[i].write && back[i].requester == accesses[i].requester);
    }
  run_again (&run, back, n, again);
  ck_assert_uint_eq (again->len, run.events->len);
  ck_assert_uint_eq (run.totals.self_refreshes, rests);
  for (guint e = 0; e < again->len; e++)
    ck_assert_msg (same_event (&g_array_index (again, TlEvent, e), &g_array_index (run.events, TlEvent, e)),
                   "event %u of %u", e, again->len);
  /* With one request less it is another run. */
  g_array_set_size (again, 0);
  run_again (&run, back + 1, n - 1, again);
  ck_assert (again->len != run.events->len
             || !same_event (&g_array_index (again, TlEvent, 0), &g_array_index (run.events, TlEvent, 0)));
}
END_TEST

START_TEST (events_of_another_machine_are_refused)
{
  guint64              state = tl_test_seed () + 40;
  g_autofree TlAccess *accesses = draw_accesses (&state, bits_of ("cu-t8b16"), 2000, 0);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlTarget) small = tl_target_load ("cu-t2b2", NULL, NULL, NULL, tl_span (0, 0), diags);
  g_autofree TlAccess *back = g_new (TlAccess, 2000);
  g_autoptr (GError) error = NULL;
  g_auto (Run) run = { 0 };

  record (&run, "cu-t8b16", TL_REFRESH_NONE, accesses, 2000);
  g_autoptr (TlEventFile) file = tl_event_file_new (run.bytes, NULL);
  g_autoptr (TlEventRequests) requests = tl_event_requests_new (file, tl_target_map (small));
  ck_assert_uint_lt (tl_event_requests_read (requests, back, 2000, &error), 2000);
  ck_assert (g_error_matches (error, TL_EVENT_FILE_ERROR, TL_EVENT_FILE_ERROR_EVENT));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("dram-event-cursor");
  TCase *tcase = tcase_create ("event-cursor");

  tcase_set_timeout (tcase, 120);
  tcase_add_loop_test (tcase, any_moment_is_as_from_the_start, 0, G_N_ELEMENTS (targets));
  tcase_add_test (tcase, the_next_of_a_sort_is_found);
  tcase_add_test (tcase, an_empty_file_has_one_moment);
  tcase_add_test (tcase, beside_a_damaged_chunk);
  tcase_add_loop_test (tcase, a_stored_run_runs_again, 0, 3 * G_N_ELEMENTS (targets));
  tcase_add_test (tcase, events_of_another_machine_are_refused);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
