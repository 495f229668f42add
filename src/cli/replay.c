/* tierc replay: what the row buffers make of a memory trace. */
#include "base/number.h"
#include "cli/replay-events.h"

#include <glib/gi18n.h>
#include <string.h>

typedef struct
{
  TlCli      *cli;
  TlProgress *progress;
} Watch;

static gboolean
watch (guint64 requests, gpointer data)
{
  Watch           *self = data;
  g_autofree char *count = tl_format_count (requests);
  g_autofree char *detail = g_strdup_printf ("%s requests", count);

  tl_progress_show (self->progress, -1, detail);
  return !g_cancellable_is_cancelled (self->cli->cancellable);
}

static void
print_share (const char *label, guint64 count, guint64 of)
{
  g_autofree char *digits = tl_format_count (count);
  g_autofree char *share = tl_format_percent (of > 0 ? (double) count / (double) of : 0, 2);

  printf ("  %-16s %15s  %9s\n", label, digits, share);
}

/* A trace of so few requests is a lesson: each class is shown. */
#define MAX_CLASSES 64

/* "M C C H", NULL for a longer trace. (transfer full) */
static char *
classes_text (guint64 requests, const guint8 *classes)
{
  static const char letters[TL_N_ROW_CLASSES] = { 'H', 'M', 'C', 'F' };
  GString          *text;

  if (requests > MAX_CLASSES)
    return NULL;
  text = g_string_new (NULL);
  for (guint i = 0; i < requests; i++)
    g_string_append_printf (text, "%s%c", i > 0 ? " " : "", letters[classes[i]]);
  return g_string_free (text, FALSE);
}

static void
print_counts (const TlInOrderCounts *counts, const TlTarget *target, const TlTrace *trace, TlPages pages,
              const char *classes)
{
  g_autofree char *requests = tl_format_count (counts->requests);
  g_autofree char *reads = tl_format_count (counts->reads);
  g_autofree char *writes = tl_format_count (counts->writes);
  g_autofree char *act = tl_format_count (counts->act);
  g_autofree char *pre = tl_format_count (counts->pre);
  g_autofree char *domains = tl_format_count (counts->domains);
  g_autofree char *all = tl_format_count (tl_memory_domains (tl_target_memory (target)));

  printf ("%s (%s) on %s, in order, pages %s\n", tl_trace_name (trace), tl_trace_format_name (tl_trace_format (trace)),
          tl_target_name (target), pages == TL_PAGES_OPEN ? "open" : "closed");
  printf ("  %-16s %15s  %s reads, %s writes\n", "requests", requests, reads, writes);
  print_share ("hits", counts->hit, counts->requests);
  print_share ("opening misses", counts->miss, counts->requests);
  print_share ("conflicts", counts->conflict, counts->requests);
  printf ("  %-16s %15s\n  %-16s %15s\n  %-16s %15s  of %s\n", "activations", act, "precharges", pre, "domains",
          domains, all);
  if (classes != NULL)
    printf ("  %-16s %s\n", "one by one", classes);
}

void
tl_cli_replay_head (JsonBuilder *builder, const TlTrace *trace, const TlTarget *target, TlPages pages)
{
  tl_json_text (builder, "trace", tl_trace_name (trace));
  tl_json_text (builder, "format", tl_trace_format_name (tl_trace_format (trace)));
  tl_json_text (builder, "target", tl_target_name (target));
  tl_json_text (builder, "page", pages == TL_PAGES_OPEN ? "open" : "closed");
}

static JsonNode *
counts_json (const TlInOrderCounts *counts, const TlTarget *target, const TlTrace *trace, TlPages pages,
             const char *classes)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  tl_json_begin_object (builder, NULL);
  tl_cli_replay_head (builder, trace, target, pages);
  tl_json_int (builder, "requests", counts->requests);
  tl_json_int (builder, "reads", counts->reads);
  tl_json_int (builder, "writes", counts->writes);
  tl_json_begin_object (builder, "in_order");
  tl_json_int (builder, "hit", counts->hit);
  tl_json_int (builder, "miss", counts->miss);
  tl_json_int (builder, "conflict", counts->conflict);
  json_builder_end_object (builder);
  tl_json_int (builder, "act", counts->act);
  tl_json_int (builder, "pre", counts->pre);
  tl_json_int (builder, "domains", counts->domains);
  if (classes != NULL)
    tl_json_text (builder, "classes", classes);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

/* --- what is asked for --- */

/* What the command line says of the controller; -1 or 0: as the target says. */
typedef struct
{
  int   pages;
  int   scheduler;
  int   refresh;
  guint window;
} Wanted;

/* The index of @word in @words, or -1. */
static int
index_of (const char *word, const char *const *words)
{
  for (int i = 0; words[i] != NULL; i++)
    if (strcmp (word, words[i]) == 0)
      return i;
  return -1;
}

static const char *const schedulers[] = { "fr-fcfs", "plain-fr-fcfs", "in-order", NULL };
static const char *const refreshes[] = { "none", "all-bank", "per-bank", NULL };
static const char *const page_words[] = { "open", "closed", NULL };

/* One setting that is the replay's own. Returns TL_GO_ON or an exit status. */
static int
set_own (Wanted *wanted, const char *key, const char *value)
{
  if (strcmp (key, "page") == 0)
    {
      if ((wanted->pages = index_of (value, page_words)) < 0)
        return tl_cli_usage (&tl_cli_replay, "page is open or closed, not \"%s\"", value);
    }
  else if (strcmp (key, "scheduler") == 0)
    {
      if ((wanted->scheduler = index_of (value, schedulers)) < 0)
        return tl_cli_usage (&tl_cli_replay, "scheduler is fr-fcfs, plain-fr-fcfs or in-order, not \"%s\"", value);
    }
  else if (strcmp (key, "refresh") == 0)
    {
      if ((wanted->refresh = index_of (value, refreshes)) < 0)
        return tl_cli_usage (&tl_cli_replay, "refresh is none, all-bank or per-bank, not \"%s\"", value);
    }
  else if (strcmp (key, "queue") == 0)
    {
      guint64 window;
      if (!g_ascii_string_to_unsigned (value, 10, 1, TL_ENGINE_MAX_QUEUE, &window, NULL))
        return tl_cli_usage (&tl_cli_replay, "queue is 1 to %d requests, not \"%s\"", TL_ENGINE_MAX_QUEUE, value);
      wanted->window = (guint) window;
    }
  else
    return tl_cli_usage (
        &tl_cli_replay,
        "a replay has no setting \"%s\"; it has page, quantum, queue, refresh, scheduler and target.KEY", key);
  return TL_GO_ON;
}

/* Takes the settings apart: some are the replay's own, target.KEY the machine's.
 * @overrides (transfer full). Returns TL_GO_ON or an exit status. */
static int
read_settings (char **sets, Wanted *wanted, char ***overrides)
{
  g_autoptr (GPtrArray) list = g_ptr_array_new_null_terminated (4, g_free, TRUE);
  int status = tl_cli_settings_valid (&tl_cli_replay, sets);

  for (guint i = 0; status == TL_GO_ON && sets != NULL && sets[i] != NULL; i++)
    {
      g_auto (GStrv) pair = g_strsplit (sets[i], "=", 2);
      if (g_str_has_prefix (pair[0], "target."))
        g_ptr_array_add (list, g_strdup (sets[i]));
      else if (strcmp (pair[0], "quantum") == 0)
        {
          /* Bytes, where nothing else is said. */
          gboolean bare = strspn (pair[1], "0123456789") == strlen (pair[1]);
          g_ptr_array_add (list, g_strconcat (sets[i], bare ? " B" : NULL, NULL));
        }
      else
        status = set_own (wanted, pair[0], pair[1]);
    }
  /* A target that has refresh off says its tREFI and tRFC only when it is on. */
  if (wanted->refresh > TL_REFRESH_NONE)
    g_ptr_array_add (list, g_strdup ("refresh=on"));
  *overrides = (char **) g_ptr_array_free (g_steal_pointer (&list), FALSE);
  return status;
}

/* What the options say beside --set; they win. Returns TL_GO_ON or an exit status. */
static int
read_options (Wanted *wanted, const char *policy, const char *window, const char *refresh)
{
  int status = TL_GO_ON;

  if (policy != NULL)
    status = set_own (wanted, "scheduler", policy);
  if (status == TL_GO_ON && window != NULL)
    status = set_own (wanted, "queue", window);
  if (status == TL_GO_ON && refresh != NULL)
    status = set_own (wanted, "refresh", refresh);
  return status;
}

/* --- the two ways --- */

typedef struct
{
  TlTarget        *target;
  TlTrace         *trace;
  TlReplayOptions *options;
  TlCli           *cli;
  TlProgress      *progress; /* cleared before anything is printed */
  gboolean         json;
  gboolean         both;
  guint            causes;
  const char      *commands; /* paths, or NULL */
  const char      *events;
} Job;

/* Prints diagnostics; whether what was counted is shown. @done: to the end of the trace. */
static gboolean
settle (Job *job, gboolean done, gboolean *interrupted, TlDiags *diags)
{
  g_clear_pointer (&job->progress, tl_progress_free);
  tl_cli_diags_print (diags, NULL);
  *interrupted = !done && g_cancellable_is_cancelled (job->cli->cancellable);
  if (*interrupted)
    fputs ("interrupted; what follows was counted until then\n", stderr);
  return done || *interrupted;
}

static int
replay_in_order (Job *job, TlDiags *diags)
{
  TlInOrderCounts counts = { 0 };
  gboolean        interrupted;
  int             status = TL_EXIT_FINE;
  gboolean        done = tl_replay_in_order (job->trace, job->target, job->options, &counts, diags);

  if (!settle (job, done, &interrupted, diags))
    return TL_EXIT_WRONG;
  g_autofree char *letters = classes_text (counts.requests, job->options->classes);
  if (job->json)
    status = tl_cli_write_json ("-", counts_json (&counts, job->target, job->trace, job->options->pages, letters));
  else
    print_counts (&counts, job->target, job->trace, job->options->pages, letters);
  return interrupted ? TL_EXIT_INTERRUPTED : status;
}

static int
replay_scheduled (Job *job, const Wanted *wanted, TlDiags *diags)
{
  TlEngineOptions options;
  TlEngineTotals  totals;
  gboolean        interrupted;
  int             status = TL_EXIT_FINE;

  if (!tl_replay_possible (job->target, diags))
    {
      tl_cli_diags_print (diags, NULL);
      return TL_EXIT_WRONG;
    }
  tl_engine_options_init (&options, job->target);
  options.pages = job->options->pages;
  if (wanted->scheduler >= 0)
    options.scheduler = (TlScheduler) wanted->scheduler;
  if (wanted->refresh >= 0)
    options.refresh = (TlRefresh) wanted->refresh;
  if (wanted->window > 0)
    options.window = wanted->window;
  options.keep_causes = job->causes;
  g_autoptr (TlCliEvents) events = NULL;
  if (job->commands != NULL || job->events != NULL)
    {
      events = tl_cli_events_new (job->commands, job->events, tl_trace_name (job->trace), tl_target_name (job->target),
                                  tl_target_memory (job->target));
      if (events == NULL)
        return TL_EXIT_WRONG;
      options.sink = tl_cli_events_add;
      options.sink_data = events;
    }
  g_autoptr (TlEngine) engine = tl_engine_new (tl_target_memory (job->target), tl_target_map (job->target), &options);
  gboolean done = tl_replay_scheduled (job->trace, job->target, job->options, engine, diags);
  gboolean shown_anyway = settle (job, done, &interrupted, diags);
  /* What came before a damaged line is kept too. */
  if (events != NULL && !tl_cli_events_close (events))
    return TL_EXIT_WRONG;
  if (!shown_anyway)
    return TL_EXIT_WRONG;
  tl_engine_totals (engine, &totals);
  g_autofree char *letters = classes_text (totals.requests, job->options->classes);
  TlCliReplay      shown = {
         .target = job->target,
         .trace = job->trace,
         .engine = engine,
         .options = &options,
         .classes = letters,
         .both = job->both,
         .causes = job->causes,
  };
  if (job->json)
    status = tl_cli_write_json ("-", tl_cli_replay_json (&shown));
  else
    tl_cli_replay_print (&shown);
  return interrupted ? TL_EXIT_INTERRUPTED : status;
}

static int
replay (TlCli *cli, int argc, char **argv)
{
  g_autofree char *name = NULL;
  g_autofree char *policy = NULL;
  g_autofree char *window = NULL;
  g_autofree char *refresh = NULL;
  g_autofree char *commands = NULL;
  g_autofree char *events = NULL;
  g_autofree char *find = NULL;
  g_autofree char *between = NULL;
  int              list = -1;
  g_auto (GStrv) sets = NULL;
  g_auto (GStrv) arguments = NULL;
  g_auto (GStrv) overrides = NULL;
  g_auto (GStrv) folders = NULL;
  gboolean in_order = FALSE;
  gboolean scheduled = FALSE;
  gboolean wrap = FALSE;
  gboolean json = FALSE;
  int      causes = 5;
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlTarget) target = NULL;
  g_autoptr (TlTrace) trace = NULL;
  const GOptionEntry entries[] = {
    { "target", 't', 0, G_OPTION_ARG_STRING, &name, N_ ("The machine"), "NAME|FILE.xml" },
    { "in-order", 0, 0, G_OPTION_ARG_NONE, &in_order, N_ ("Only count in the order of the trace"), NULL },
    { "scheduled", 0, 0, G_OPTION_ARG_NONE, &scheduled, N_ ("Only as the memory controller orders them"), NULL },
    { "policy", 'p', 0, G_OPTION_ARG_STRING, &policy, N_ ("How the controller orders requests"),
      "fr-fcfs|plain-fr-fcfs|in-order" },
    { "window", 'w', 0, G_OPTION_ARG_STRING, &window, N_ ("How many requests the controller sees"), "N" },
    { "refresh", 'r', 0, G_OPTION_ARG_STRING, &refresh, N_ ("What is refreshed at a time"), "none|all-bank|per-bank" },
    { "causes", 'c', 0, G_OPTION_ARG_INT, &causes, N_ ("Rows, bits and banks to name that conflict most (5)"), "N" },
    { "commands", 0, 0, G_OPTION_ARG_FILENAME, &commands, N_ ("Write every command of the controller"),
      "OUT.csv|.vcd|.json" },
    { "trace", 0, 0, G_OPTION_ARG_FILENAME, &events,
      N_ ("Write every event of the controller: compressed columns, or by the ending"), "OUT|.csv|.vcd|.json" },
    { "find", 'f', 0, G_OPTION_ARG_STRING, &find,
      N_ ("Of an event file: only such events, as in \"conflict tier:3\" or \"PRE refresh\""), "WORDS" },
    { "between", 0, 0, G_OPTION_ARG_STRING, &between, N_ ("Of an event file: only from..to a time, as in 1us..2us"),
      "FROM..TO" },
    { "list", 'l', 0, G_OPTION_ARG_INT, &list, N_ ("Of an event file: show so many events (20 with --find)"), "N" },
    { "wrap", 0, 0, G_OPTION_ARG_NONE, &wrap, N_ ("Take addresses past the capacity modulo it"), NULL },
    { "set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &sets,
      N_ ("page, quantum, queue, refresh, scheduler, or target.KEY a number of the machine"), "KEY=VALUE" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, N_ ("Print one JSON object"), NULL },
    G_OPTION_ENTRY_NULL,
  };
  Wanted wanted = { -1, -1, -1, 0 };
  int    status = tl_cli_options (&tl_cli_replay, entries, argc, argv, &arguments);

  if (status != TL_GO_ON)
    return status;
  if (g_strv_length (arguments) != 1)
    return tl_cli_usage (&tl_cli_replay, "one TRACE is replayed at a time");
  if (tl_cli_is_event_file (arguments[0]))
    {
      TlEventsWishes wishes = { .path = arguments[0],
                                .target = name,
                                .find = find,
                                .between = between,
                                .list = list >= 0                         ? (guint) list
                                        : find != NULL || between != NULL ? 20
                                                                          : 0,
                                .commands = commands,
                                .trace = events,
                                .json = json };

      if (in_order || scheduled || wrap || policy != NULL || window != NULL || refresh != NULL)
        return tl_cli_usage (&tl_cli_replay,
                             "\"%s\" holds the events of a run that was scheduled already; leave out what "
                             "changes it",
                             arguments[0]);
      if ((status = read_settings (sets, &wanted, &overrides)) != TL_GO_ON)
        return status;
      if (wanted.pages >= 0 || wanted.scheduler >= 0 || wanted.refresh >= 0 || wanted.window > 0)
        return tl_cli_usage (&tl_cli_replay, "of an event file --set changes numbers of the machine alone");
      if (!tl_output_probe (commands) || !tl_output_probe (events))
        return TL_EXIT_WRONG;
      wishes.overrides = (const char *const *) overrides;
      return tl_cli_replay_events (cli, &wishes);
    }
  if (find != NULL || between != NULL || list >= 0)
    return tl_cli_usage (&tl_cli_replay,
                         "--find, --between and --list are for an event file, as --trace=OUT writes it");
  if (name == NULL)
    return tl_cli_usage (&tl_cli_replay, "on which machine? Add --target=NAME; \"tierc target list\" names them");
  if (in_order && scheduled)
    return tl_cli_usage (&tl_cli_replay,
                         "--in-order and --scheduled exclude one another; without either both are shown");
  if (causes < 0 || causes > 10000)
    return tl_cli_usage (&tl_cli_replay, "--causes is 0 to 10000, not %d", causes);
  if ((status = read_settings (sets, &wanted, &overrides)) != TL_GO_ON
      || (status = read_options (&wanted, policy, window, refresh)) != TL_GO_ON)
    return status;
  if (in_order && (wanted.scheduler >= 0 || wanted.refresh >= 0 || wanted.window > 0))
    return tl_cli_usage (&tl_cli_replay,
                         "queue, refresh and scheduler change only a scheduled replay; leave out --in-order");

  if (in_order && (commands != NULL || events != NULL))
    return tl_cli_usage (&tl_cli_replay, "only a scheduled replay has commands; leave out --in-order");
  if (!tl_output_probe (commands) || !tl_output_probe (events))
    return TL_EXIT_WRONG;

  folders = tl_target_folders ();
  TlTargetSearch search = { NULL, (const char *const *) folders };
  target = tl_target_load (name, &search, (const char *const *) overrides, NULL, tl_span (0, 0), diags);
  if (target != NULL)
    trace = tl_trace_open (arguments[0], diags);
  if (trace == NULL)
    {
      tl_cli_diags_print (diags, NULL);
      return TL_EXIT_WRONG;
    }
  Job             job = { target, trace,      NULL,           cli,      tl_progress_new (arguments[0]),
                          json,   !scheduled, (guint) causes, commands, events };
  Watch           watcher = { cli, job.progress };
  guint8          classes[MAX_CLASSES];
  TlReplayOptions options = {
    .pages = wanted.pages >= 0 ? (TlPages) wanted.pages : tl_target_memory (target)->pages,
    .wrap = wrap,
    .progress = watch,
    .data = &watcher,
    .classes = classes,
    .n_classes = MAX_CLASSES,
  };
  job.options = &options;
  status = in_order ? replay_in_order (&job, diags) : replay_scheduled (&job, &wanted, diags);
  g_clear_pointer (&job.progress, tl_progress_free);
  return status;
}

const TlCliCommand tl_cli_replay = {
  .name = "replay",
  .arguments = "TRACE",
  .summary = N_ ("Show what the row buffers make of a memory trace, and why"),
  .details = N_ ("A trace has lines \"LD 0x2000\", or \"0x2000 READ 17\", or is STL; told apart by content, also when\n"
                 "compressed. An address past the machine's capacity is an error unless --wrap is given."),
  .run = replay,
};
