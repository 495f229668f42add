/* tierc replay of an event file: what it holds, which of its events are asked for, and the same in other formats. */
#include "cli/replay-events.h"
#include "base/number.h"
#include "dram/event-file.h"
#include "dram/event-query.h"

#include <stdio.h>
#include <string.h>

typedef struct
{
  guint64 events, kinds[TL_N_EVENTS], classes[TL_N_ROW_CLASSES], reasons[TL_N_CLOSE_REASONS];
  guint64 from, to; /* ps, of the first and last one */
} Counts;

typedef struct
{
  TlCli                *cli;
  const TlEventsWishes *wishes;
  TlEventFile          *file;
  TlTarget             *target;
  gboolean              filtered;
  TlEventQuery          query;
  guint64               from, to; /* ps */
  Counts                counts;
  GArray               *listed; /* of TlEvent */
  TlCliEvents          *output; /* or NULL */
} Reading;

static void
reading_clear (Reading *reading)
{
  g_clear_pointer (&reading->file, tl_event_file_free);
  g_clear_pointer (&reading->target, tl_target_unref);
  g_clear_pointer (&reading->listed, g_array_unref);
  g_clear_pointer (&reading->output, tl_cli_events_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reading, reading_clear)

gboolean
tl_cli_is_event_file (const char *path)
{
  char start[8] = { 0 };
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInputStream) stream
      = strcmp (path, "-") != 0 && g_file_test (path, G_FILE_TEST_IS_REGULAR) ? g_file_read (file, NULL, NULL) : NULL;

  return stream != NULL && g_input_stream_read_all (G_INPUT_STREAM (stream), start, sizeof start, NULL, NULL, NULL)
         && memcmp (start, "TLEVENTS", sizeof start) == 0;
}

/* The value of "key = value" in the file's text. (transfer full), NULL when it is not there. */
static char *
told (const TlEventFile *file, const char *key)
{
  g_auto (GStrv) lines = g_strsplit (tl_event_file_meta (file), "\n", 64);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      char *equals = strstr (lines[i], " = ");
      if (equals != NULL && (gsize) (equals - lines[i]) == strlen (key) && g_str_has_prefix (lines[i], key))
        return g_strdup (equals + 3);
    }
  return NULL;
}

/* The machine whose events they are: the one that is said, else the one that the file names. */
static int
find_target (Reading *reading)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_auto (GStrv) folders = tl_target_folders ();
  TlTargetSearch   search = { NULL, (const char *const *) folders };
  g_autofree char *named = told (reading->file, "target");
  g_autofree char *organisation = told (reading->file, "organisation");
  const char      *name = reading->wishes->target != NULL ? reading->wishes->target : named;

  if (name == NULL)
    return tl_cli_usage (&tl_cli_replay, "the file does not say whose events it holds: add --target=NAME");
  reading->target = tl_target_load (name, &search, reading->wishes->overrides, NULL, tl_span (0, 0), diags);
  tl_cli_diags_print (diags, NULL);
  if (reading->target == NULL)
    return TL_EXIT_WRONG;
  g_autofree char *own = tl_cli_organisation (tl_target_memory (reading->target));
  if (organisation == NULL || strcmp (organisation, own) == 0)
    return TL_GO_ON;
  fprintf (stderr,
           "%s: error: its events are of another machine than %s\n  because: it has %s, and %s has %s\n"
           "  fix: add the --target or the --set with which it was made\n",
           reading->wishes->path, name, organisation, name, own);
  return TL_EXIT_WRONG;
}

static gboolean
is_meant (const Reading *reading, const TlEvent *event)
{
  return event->time >= reading->from && event->time <= reading->to
         && (!reading->filtered || tl_event_query_matches (&reading->query, tl_target_memory (reading->target), event));
}

static void
count (Reading *reading, const TlEvent *event)
{
  Counts *counts = &reading->counts;

  if (counts->events++ == 0)
    counts->from = event->time;
  counts->to = event->time;
  counts->kinds[event->kind]++;
  if (event->row_class < TL_N_ROW_CLASSES)
    counts->classes[event->row_class]++;
  if (event->kind == TL_EVENT_PRE)
    counts->reasons[event->reason]++;
  if (reading->listed->len < reading->wishes->list)
    g_array_append_vals (reading->listed, event, 1);
}

/* All chunks in turn. Returns TL_GO_ON or an exit status. */
static int
walk (Reading *reading)
{
  g_autofree TlEvent *events = g_new (TlEvent, TL_EVENT_CHUNK);
  guint32             domains = tl_memory_domains (tl_target_memory (reading->target));
  g_autoptr (GError) error = NULL;

  for (guint chunk = 0; chunk < tl_event_file_chunks (reading->file); chunk++)
    {
      const TlEventSummary *summary = tl_event_file_summary (reading->file, chunk);
      guint32               kept = 0;

      if (g_cancellable_is_cancelled (reading->cli->cancellable))
        return TL_EXIT_INTERRUPTED;
      if (summary->to < reading->from || summary->from > reading->to)
        continue;
      if (!tl_event_file_read (reading->file, chunk, events, &error))
        {
          fprintf (stderr, "%s: error: %s\n", reading->wishes->path, error->message);
          return TL_EXIT_WRONG;
        }
      for (guint32 e = 0; e < summary->n; e++)
        {
          if (events[e].domain >= domains)
            {
              fprintf (stderr, "%s: error: an event is of domain %u, and %s has %u\n", reading->wishes->path,
                       events[e].domain, tl_target_name (reading->target), domains);
              return TL_EXIT_WRONG;
            }
          if (!is_meant (reading, &events[e]))
            continue;
          count (reading, &events[e]);
          events[kept++] = events[e];
        }
      if (reading->output != NULL && kept > 0)
        tl_cli_events_add (events, kept, reading->output);
    }
  return TL_GO_ON;
}

/* --- what is shown --- */

static const char *const class_names[TL_N_ROW_CLASSES] = { "hit", "miss", "conflict", "forwarded" };

static JsonNode *
report_json (const Reading *reading)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autofree char *trace = told (reading->file, "trace");
  const Counts    *counts = &reading->counts;

  tl_json_begin_object (builder, NULL);
  tl_json_text (builder, "trace", trace);
  tl_json_text (builder, "target", tl_target_name (reading->target));
  tl_json_int (builder, "clock_ps", tl_event_file_clock (reading->file));
  tl_json_int (builder, "all_events", tl_event_file_count (reading->file));
  tl_json_int (builder, "events", counts->events);
  tl_json_int (builder, "from_ps", counts->from);
  tl_json_int (builder, "to_ps", counts->to);
  tl_json_begin_object (builder, "commands");
  for (guint k = 0; k < TL_N_EVENTS; k++)
    {
      g_autofree char *name = g_ascii_strdown (tl_event_kind_name (k), -1);
      tl_json_int (builder, name, counts->kinds[k]);
    }
  json_builder_end_object (builder);
  tl_json_begin_object (builder, "scheduled");
  for (guint c = 0; c < TL_N_ROW_CLASSES; c++)
    tl_json_int (builder, class_names[c], counts->classes[c]);
  json_builder_end_object (builder);
  tl_json_begin_object (builder, "closings");
  for (guint r = TL_CLOSE_CONFLICT; r < TL_N_CLOSE_REASONS; r++)
    tl_json_int (builder, tl_close_reason_name (r), counts->reasons[r]);
  json_builder_end_object (builder);
  tl_json_text (builder, "problem", tl_event_file_problem (reading->file));
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

static void
print_event (const Reading *reading, const TlEvent *event)
{
  const TlMemory  *memory = tl_target_memory (reading->target);
  g_autofree char *time = tl_format_ps (event->time), *domain = tl_memory_domain_name (memory, event->domain);

  printf ("  %14s  %-7s %-18s", time, tl_event_kind_name (event->kind), domain);
  if (event->kind != TL_EVENT_REF)
    printf (" row %u", event->row);
  if (tl_event_has_column (event->kind))
    printf (", column %u", event->column);
  if (event->request != TL_NO_REQUEST)
    printf (", for request %" G_GUINT64_FORMAT, event->request);
  if (event->row_class < TL_N_ROW_CLASSES)
    printf (", %s", class_names[event->row_class]);
  if (event->kind == TL_EVENT_PRE)
    printf (", closed by %s", tl_close_reason_name (event->reason));
  putchar ('\n');
}

static void
print_report (const Reading *reading)
{
  const Counts    *counts = &reading->counts;
  g_autofree char *trace = told (reading->file, "trace");
  g_autofree char *all = tl_format_count (tl_event_file_count (reading->file));
  g_autofree char *some = tl_format_count (counts->events);
  g_autofree char *from = tl_format_ps (counts->from), *to = tl_format_ps (counts->to);

  printf ("%s: events of %s on %s\n", reading->wishes->path, trace != NULL ? trace : "a run",
          tl_target_name (reading->target));
  printf ("  %-16s %15s%s%s\n", "events", some,
          reading->counts.events < tl_event_file_count (reading->file) ? "  of " : "",
          reading->counts.events < tl_event_file_count (reading->file) ? all : "");
  if (counts->events > 0)
    printf ("  %-16s %s to %s\n", "from", from, to);
  for (guint k = 0; k < TL_N_EVENTS; k++)
    {
      g_autofree char *digits = tl_format_count (counts->kinds[k]);
      if (counts->kinds[k] > 0)
        printf ("  %-16s %15s\n", tl_event_kind_name (k), digits);
    }
  for (guint c = 0; c < TL_N_ROW_CLASSES; c++)
    {
      g_autofree char *digits = tl_format_count (counts->classes[c]);
      if (counts->classes[c] > 0)
        printf ("  %-16s %15s\n", class_names[c], digits);
    }
  for (guint e = 0; e < reading->listed->len; e++)
    print_event (reading, &g_array_index (reading->listed, TlEvent, e));
  if (reading->listed->len > 0 && reading->listed->len < counts->events)
    printf ("  ... and %" G_GUINT64_FORMAT " more; --list=N shows more, --commands=OUT.csv writes all\n",
            counts->events - reading->listed->len);
}

/* "12.5ns..3us", one of both may be missing. Returns TL_GO_ON or an exit status. */
static int
read_between (Reading *reading)
{
  const char      *text = reading->wishes->between, *dots = text != NULL ? strstr (text, "..") : NULL;
  g_autofree char *from = dots != NULL ? g_strndup (text, (gsize) (dots - text)) : NULL;

  reading->to = G_MAXUINT64;
  if (text == NULL)
    return TL_GO_ON;
  if (dots == NULL || (*from != '\0' && !tl_parse_ps (from, &reading->from, NULL))
      || (dots[2] != '\0' && !tl_parse_ps (dots + 2, &reading->to, NULL)))
    return tl_cli_usage (&tl_cli_replay, "--between is FROM..TO, as in 1us..12.5us, not \"%s\"", text);
  return TL_GO_ON;
}

static int
open_file (Reading *reading)
{
  const TlEventsWishes *wishes = reading->wishes;
  g_autoptr (GError) error = NULL;
  g_autofree char *reason = NULL;
  int              status;

  reading->filtered = wishes->find != NULL;
  if (reading->filtered && !tl_event_query_parse (wishes->find, &reading->query, &reason))
    return tl_cli_usage (&tl_cli_replay, "%s", reason);
  if ((status = read_between (reading)) != TL_GO_ON)
    return status;
  if ((reading->file = tl_event_file_open (wishes->path, &error)) == NULL)
    {
      fprintf (stderr, "%s: error: %s\n", wishes->path, error->message);
      return TL_EXIT_WRONG;
    }
  if (tl_event_file_problem (reading->file) != NULL)
    fprintf (stderr, "%s: warning: %s; what came before is read\n", wishes->path,
             tl_event_file_problem (reading->file));
  return find_target (reading);
}

int
tl_cli_replay_events (TlCli *cli, const TlEventsWishes *wishes)
{
  g_auto (Reading) reading = { .cli = cli, .wishes = wishes, .listed = g_array_new (FALSE, FALSE, sizeof (TlEvent)) };
  gboolean part = wishes->find != NULL || wishes->between != NULL;
  int      status;

  /* Waves of rows that nobody opened would be wrong. */
  if (part
      && ((wishes->commands != NULL && !g_str_has_suffix (wishes->commands, ".csv"))
          || (wishes->trace != NULL && !g_str_has_suffix (wishes->trace, ".csv"))))
    return tl_cli_usage (&tl_cli_replay, "a part of the events is written as .csv alone: waves need all of them");
  if ((status = open_file (&reading)) != TL_GO_ON)
    return status;
  if (wishes->commands != NULL || wishes->trace != NULL)
    {
      g_autofree char *trace = told (reading.file, "trace");

      reading.output = tl_cli_events_new (wishes->commands, wishes->trace, trace != NULL ? trace : wishes->path,
                                          tl_target_name (reading.target), tl_target_memory (reading.target));
      if (reading.output == NULL)
        return TL_EXIT_WRONG;
    }
  if ((status = walk (&reading)) != TL_GO_ON)
    return status;
  if (reading.output != NULL && !tl_cli_events_close (reading.output))
    return TL_EXIT_WRONG;
  if (wishes->json)
    return tl_cli_write_json ("-", report_json (&reading));
  print_report (&reading);
  return TL_EXIT_FINE;
}
