/* Event files: what goes in comes out, cut anywhere they are read to the last whole chunk,
 * a flipped byte is never taken for an event; and they are small. */
#include "dram/event-file.h"
#include "dram/replay.h"
#include "support/support.h"

#include <string.h>

static GBytes *
bytes_of (const TlEvent *events, gsize n, guint64 clock, gboolean threaded)
{
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (GError) error = NULL;
  g_autoptr (TlEventWriter) writer = tl_event_writer_new (stream, "run = test\n", clock, threaded, &error);

  g_assert_no_error (error);
  for (gsize at = 0; at < n; at += 1000)
    ck_assert_msg (tl_event_writer_add (writer, events + at, MIN (1000, n - at), &error), "%s",
                   error != NULL ? error->message : "");
  ck_assert (tl_event_writer_close (writer, &error));
  ck_assert (g_output_stream_close (stream, NULL, NULL));
  return g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (stream));
}

static gboolean
same (const TlEvent *a, const TlEvent *b)
{
  return a->time == b->time && a->request == b->request && a->entered == b->entered && a->opener == b->opener
         && a->domain == b->domain && a->row == b->row && a->column == b->column && a->requester == b->requester
         && a->operand == b->operand && a->kind == b->kind && a->row_class == b->row_class && a->reason == b->reason;
}

/* Anything that may be written: mostly odd, so that every guess is wrong at times. */
static void
draw_events (guint64 *state, TlEvent *events, gsize n, guint64 unit)
{
  const guint64 domains = 1 + tl_test_random_below (state, 5000);
  guint64       now = tl_test_random_below (state, 1000) * unit;

  for (gsize e = 0; e < n; e++)
    {
      TlEvent *event = &events[e];

      now += tl_test_random_below (state, 4) == 0 ? tl_test_random_below (state, 90000) * unit : 0;
      memset (event, 0, sizeof *event);
      event->time = now;
      event->kind = (guint8) tl_test_random_below (state, TL_N_EVENTS);
      event->request = tl_test_random_below (state, 5) == 0 ? TL_NO_REQUEST : e / 3 + tl_test_random_below (state, 40);
      if (tl_test_random_below (state, 500) == 0)
        event->request = tl_test_random_below (state, G_GUINT64_CONSTANT (1) << 62);
      event->entered = now - MIN (now, tl_test_random_below (state, 100) * unit);
      event->opener = tl_test_random_below (state, 3) == 0 ? tl_test_random_below (state, e + 1) : TL_NO_REQUEST;
      event->domain = (guint32) tl_test_random_below (state, domains);
      event->row = (guint32) tl_test_random_below (state, tl_test_random_below (state, 9) == 0 ? G_MAXUINT32 : 4096);
      event->column = (guint16) tl_test_random_below (state, tl_test_random_below (state, 9) == 0 ? 65536 : 8);
      event->requester = (guint16) tl_test_random_below (state, 3);
      event->operand = (guint8) tl_test_random_below (state, 256);
      event->row_class = (guint8) tl_test_random_below (state, TL_N_ROW_CLASSES + 1);
      if (event->row_class == TL_N_ROW_CLASSES)
        event->row_class = TL_CLASS_NONE;
      event->reason = (guint8) tl_test_random_below (state, TL_N_CLOSE_REASONS);
    }
}

/* All chunks that the file has hold these events, in order. */
static void
expect_events (const TlEventFile *file, const TlEvent *events, gsize most)
{
  g_autofree TlEvent *read = g_new (TlEvent, TL_EVENT_CHUNK);

  ck_assert_uint_le (tl_event_file_count (file), most);
  for (guint c = 0; c < tl_event_file_chunks (file); c++)
    {
      const TlEventSummary *summary = tl_event_file_summary (file, c);
      g_autoptr (GError) error = NULL;

      ck_assert_msg (tl_event_file_read (file, c, read, &error), "%s", error != NULL ? error->message : "");
      for (guint e = 0; e < summary->n; e++)
        ck_assert_msg (same (&read[e], &events[summary->first_event + e]), "event %lu",
                       (gulong) (summary->first_event + e));
      ck_assert_uint_eq (summary->from, read[0].time);
      ck_assert_uint_eq (summary->to, read[summary->n - 1].time);
    }
}

START_TEST (events_come_back)
{
  static const gsize sizes[] = { 0, 1, 2, 999, TL_EVENT_CHUNK, TL_EVENT_CHUNK + 1, 2 * TL_EVENT_CHUNK + 777 };
  guint64            state = tl_test_seed ();

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      g_autofree TlEvent *events = g_new0 (TlEvent, sizes[s] + 1);
      guint64             unit = s % 2 == 0 ? 1000 : 1 + tl_test_random_below (&state, 3000);

      draw_events (&state, events, sizes[s], unit);
      g_autoptr (GBytes) bytes = bytes_of (events, sizes[s], 1000, FALSE);
      g_autoptr (GBytes) threaded = bytes_of (events, sizes[s], 1000, TRUE);
      g_autoptr (TlEventFile) file = tl_event_file_new (bytes, NULL);
      ck_assert_ptr_nonnull (file);
      ck_assert (g_bytes_equal (bytes, threaded));
      ck_assert_str_eq (tl_event_file_meta (file), "run = test\n");
      ck_assert_uint_eq (tl_event_file_clock (file), 1000);
      ck_assert_ptr_null (tl_event_file_problem (file));
      ck_assert_uint_eq (tl_event_file_count (file), sizes[s]);
      expect_events (file, events, sizes[s]);
      /* One that differs is seen. */
      if (sizes[s] > 0)
        {
          TlEvent wrong = events[0];
          wrong.row ^= 1;
          ck_assert (!same (&wrong, &events[0]));
        }
      for (guint draw = 0; draw < 20 && sizes[s] > 0; draw++)
        {
          guint64 time = tl_test_random_below (&state, events[sizes[s] - 1].time + 2);
          guint   chunk = tl_event_file_find (file, time);

          ck_assert (chunk == 0 || tl_event_file_summary (file, chunk - 1)->to < time);
          ck_assert (chunk == tl_event_file_chunks (file) || tl_event_file_summary (file, chunk)->to >= time);
        }
    }
}
END_TEST

/* Cut at every byte position. Alike events make a chunk of few bytes. */
START_TEST (cut_anywhere_whole_chunks_stay)
{
  const gsize         n = 2 * TL_EVENT_CHUNK + 100;
  g_autofree TlEvent *events = g_new0 (TlEvent, n);

  for (gsize e = 0; e < n; e++)
    events[e] = (TlEvent) { .time = e * 1000,
                            .request = e,
                            .entered = e * 1000,
                            .opener = TL_NO_REQUEST,
                            .kind = TL_EVENT_RD,
                            .row_class = TL_ROW_HIT };
  g_autoptr (GBytes) bytes = bytes_of (events, n, 1000, FALSE);
  gsize size = g_bytes_get_size (bytes);
  guint most = 0;

  ck_assert_uint_le (size, 6000);
  for (gsize cut = 0; cut <= size; cut++)
    {
      g_autoptr (GBytes) part = g_bytes_new_from_bytes (bytes, 0, cut);
      g_autoptr (GError) error = NULL;
      g_autoptr (TlEventFile) file = tl_event_file_new (part, &error);

      if (file == NULL)
        {
          ck_assert (g_error_matches (error, TL_EVENT_FILE_ERROR, TL_EVENT_FILE_ERROR_FORMAT));
          ck_assert_uint_lt (cut, 64);
          continue;
        }
      ck_assert ((tl_event_file_problem (file) == NULL) == (cut == size));
      /* Chunks only ever come more, each one whole. */
      ck_assert_uint_ge (tl_event_file_chunks (file), most);
      if (tl_event_file_chunks (file) > most || cut == size)
        expect_events (file, events, n);
      most = MAX (most, tl_event_file_chunks (file));
    }
  ck_assert_uint_eq (most, 3);
}
END_TEST

START_TEST (a_flipped_byte_is_found)
{
  guint64             state = tl_test_seed () + 1;
  TlEvent             events[60];
  g_autofree TlEvent *read = g_new (TlEvent, TL_EVENT_CHUNK);

  draw_events (&state, events, G_N_ELEMENTS (events), 1000);
  g_autoptr (GBytes) bytes = bytes_of (events, G_N_ELEMENTS (events), 1000, FALSE);
  gsize         size;
  const guint8 *data = g_bytes_get_data (bytes, &size);

  for (gsize at = 0; at < size; at++)
    for (guint bit = 0; bit < 8; bit++)
      {
        g_autofree guint8 *copy = g_memdup2 (data, size);
        g_autoptr (GBytes) bent = NULL;
        g_autoptr (TlEventFile) file = NULL;

        copy[at] ^= (guint8) (1u << bit);
        bent = g_bytes_new (copy, size);
        file = tl_event_file_new (bent, NULL);
        for (guint c = 0; file != NULL && c < tl_event_file_chunks (file); c++)
          if (tl_event_file_read (file, c, read, NULL))
            for (guint e = 0; e < tl_event_file_summary (file, c)->n; e++)
              ck_assert (same (&read[e], &events[e]));
      }
}
END_TEST

/* Once a chunk is refused nothing more is written, and each call says so. */
START_TEST (nothing_follows_an_error)
{
  g_autofree TlEvent *events = g_new0 (TlEvent, 2 * TL_EVENT_CHUNK);
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (GError) error = NULL;
  g_autoptr (TlEventWriter) writer = tl_event_writer_new (stream, "", 0, _i == 1, NULL);
  gsize head = g_memory_output_stream_get_data_size (G_MEMORY_OUTPUT_STREAM (stream));

  for (gsize e = 0; e < 2 * TL_EVENT_CHUNK; e++)
    events[e] = (TlEvent) { .time = e, .entered = e, .opener = TL_NO_REQUEST, .request = e };
  events[1].kind = TL_N_EVENTS;
  tl_event_writer_add (writer, events, TL_EVENT_CHUNK, NULL);
  ck_assert (!tl_event_writer_add (writer, events + TL_EVENT_CHUNK, TL_EVENT_CHUNK, NULL));
  ck_assert (!tl_event_writer_close (writer, &error));
  ck_assert (g_error_matches (error, TL_EVENT_FILE_ERROR, TL_EVENT_FILE_ERROR_EVENT));
  ck_assert_uint_eq (g_memory_output_stream_get_data_size (G_MEMORY_OUTPUT_STREAM (stream)), head);
}
END_TEST

START_TEST (events_that_are_none_are_refused)
{
  TlEvent events[2] = { { .time = 5, .opener = TL_NO_REQUEST }, { .time = 4, .opener = TL_NO_REQUEST } };
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (GError) error = NULL;
  g_autoptr (TlEventWriter) writer = tl_event_writer_new (stream, "", 0, _i == 1, NULL);

  ck_assert (!tl_event_writer_add (writer, events, 2, &error) || !tl_event_writer_close (writer, &error));
  ck_assert (g_error_matches (error, TL_EVENT_FILE_ERROR, TL_EVENT_FILE_ERROR_EVENT));
}
END_TEST

static gboolean
keep (const TlEvent *events, gsize n, gpointer data)
{
  g_array_append_vals (data, events, (guint) n);
  return TRUE;
}

/* What the engine really makes: bytes an event. */
START_TEST (events_are_small)
{
  static const char *const names[] = { "sequential", "tile rows", "random" };
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlTarget) target = tl_target_load ("cu-t8b16", NULL, NULL, NULL, tl_span (0, 0), diags);
  const TlMemory *memory = tl_target_memory (target);
  guint64         state = tl_test_seed () + 2;
  g_autoptr (GArray) kept = g_array_new (FALSE, FALSE, sizeof (TlEvent));
  TlEngineOptions options;

  tl_engine_options_init (&options, target);
  options.sink = keep;
  options.sink_data = kept;
  g_autoptr (TlEngine) engine = tl_engine_new (memory, tl_target_map (target), &options);
  for (guint64 i = 0; i < 60000; i++)
    {
      TlAccess access = { .unit = _i == 0   ? i
                                  : _i == 1 ? i / 64 + i % 64 * 64
                                            : tl_test_random_below (&state, 1 << 23) };
      ck_assert (tl_engine_feed (engine, &access, 1, NULL));
    }
  ck_assert (tl_engine_finish (engine));
  const TlEvent *events = (const TlEvent *) (void *) kept->data;
  g_autoptr (GBytes) bytes = bytes_of (events, kept->len, memory->clock, FALSE);
  g_autoptr (TlEventFile) file = tl_event_file_new (bytes, NULL);
  double each = (double) g_bytes_get_size (bytes) / kept->len;

  expect_events (file, events, kept->len);
  g_print ("%s: %u events, %.2f bytes each\n", names[_i], kept->len, each);
  ck_assert_double_le (each, 3);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("dram-event-file");
  TCase *tcase = tcase_create ("event-file");

  tcase_set_timeout (tcase, 120);
  tcase_add_test (tcase, events_come_back);
  tcase_add_test (tcase, cut_anywhere_whole_chunks_stay);
  tcase_add_test (tcase, a_flipped_byte_is_found);
  tcase_add_loop_test (tcase, nothing_follows_an_error, 0, 2);
  tcase_add_loop_test (tcase, events_that_are_none_are_refused, 0, 2);
  tcase_add_loop_test (tcase, events_are_small, 0, 3);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
