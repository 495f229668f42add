/* tierc replay: what the row buffers make of a memory trace. */
#include "base/number.h"
#include "cli/cli.h"
#include "dram/in-order.h"

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
classes_text (const TlInOrderCounts *counts, const guint8 *classes)
{
  static const char letters[TL_N_ROW_CLASSES] = { 'H', 'M', 'C', 'F' };
  GString          *text;

  if (counts->requests > MAX_CLASSES)
    return NULL;
  text = g_string_new (NULL);
  for (guint i = 0; i < counts->requests; i++)
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

static JsonNode *
counts_json (const TlInOrderCounts *counts, const TlTarget *target, const TlTrace *trace, TlPages pages,
             const char *classes)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  tl_json_begin_object (builder, NULL);
  tl_json_text (builder, "trace", tl_trace_name (trace));
  tl_json_text (builder, "format", tl_trace_format_name (tl_trace_format (trace)));
  tl_json_text (builder, "target", tl_target_name (target));
  tl_json_text (builder, "page", pages == TL_PAGES_OPEN ? "open" : "closed");
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

/* Takes the settings apart: "page" is the replay's own, target.KEY the machine's.
 * @overrides (transfer full). Returns TL_GO_ON or an exit status. */
static int
read_settings (char **sets, int *pages, char ***overrides)
{
  g_autoptr (GPtrArray) list = g_ptr_array_new_null_terminated (4, g_free, TRUE);
  int status = tl_cli_settings_valid (&tl_cli_replay, sets);

  if (status != TL_GO_ON)
    return status;
  for (guint i = 0; sets != NULL && sets[i] != NULL; i++)
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
      else if (strcmp (pair[0], "page") == 0 && (strcmp (pair[1], "open") == 0 || strcmp (pair[1], "closed") == 0))
        *pages = strcmp (pair[1], "open") == 0 ? TL_PAGES_OPEN : TL_PAGES_CLOSED;
      else if (strcmp (pair[0], "page") == 0)
        return tl_cli_usage (&tl_cli_replay, "page is open or closed, not \"%s\"", pair[1]);
      else if (g_strv_contains ((const char *const[]) { "queue", "refresh", "scheduler", NULL }, pair[0]))
        return tl_cli_usage (&tl_cli_replay, "%s changes only a scheduled replay, which counts in order do not have",
                             pair[0]);
      else
        return tl_cli_usage (&tl_cli_replay, "a replay has no setting \"%s\"; it has page, quantum and target.KEY",
                             pair[0]);
    }
  *overrides = (char **) g_ptr_array_free (g_steal_pointer (&list), FALSE);
  return TL_GO_ON;
}

static int
replay (TlCli *cli, int argc, char **argv)
{
  g_autofree char *name = NULL;
  g_auto (GStrv) sets = NULL;
  g_auto (GStrv) arguments = NULL;
  g_auto (GStrv) overrides = NULL;
  g_auto (GStrv) folders = NULL;
  gboolean in_order = FALSE;
  gboolean scheduled = FALSE;
  gboolean wrap = FALSE;
  gboolean json = FALSE;
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlTarget) target = NULL;
  g_autoptr (TlTrace) trace = NULL;
  g_autoptr (TlProgress) progress = NULL;
  const GOptionEntry entries[] = {
    { "target", 't', 0, G_OPTION_ARG_STRING, &name, N_ ("The machine"), "NAME|FILE.xml" },
    { "in-order", 0, 0, G_OPTION_ARG_NONE, &in_order, N_ ("Count in the order of the trace (the only count there is)"),
      NULL },
    { "scheduled", 0, 0, G_OPTION_ARG_NONE, &scheduled, N_ ("Not in this version"), NULL },
    { "wrap", 0, 0, G_OPTION_ARG_NONE, &wrap, N_ ("Take addresses past the capacity modulo it"), NULL },
    { "set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &sets, N_ ("page, quantum, or target.KEY a number of the machine"),
      "KEY=VALUE" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, N_ ("Print one JSON object"), NULL },
    G_OPTION_ENTRY_NULL,
  };
  int status = tl_cli_options (&tl_cli_replay, entries, argc, argv, &arguments);

  if (status != TL_GO_ON)
    return status;
  if (g_strv_length (arguments) != 1)
    return tl_cli_usage (&tl_cli_replay, "one TRACE is replayed at a time");
  if (name == NULL)
    return tl_cli_usage (&tl_cli_replay, "on which machine? Add --target=NAME; \"tierc target list\" names them");
  if (scheduled)
    return tl_cli_usage (&tl_cli_replay, "this version counts in order only");
  int pages = -1;
  if ((status = read_settings (sets, &pages, &overrides)) != TL_GO_ON)
    return status;

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
  if (pages < 0)
    pages = tl_target_memory (target)->pages;
  progress = tl_progress_new (arguments[0]);
  Watch           watcher = { cli, progress };
  guint8          classes[MAX_CLASSES];
  TlReplayOptions options = {
    .pages = (TlPages) pages,
    .wrap = wrap,
    .progress = watch,
    .data = &watcher,
    .classes = classes,
    .n_classes = MAX_CLASSES,
  };
  TlInOrderCounts counts = { 0 };
  gboolean        done = tl_replay_in_order (trace, target, &options, &counts, diags);
  g_clear_pointer (&progress, tl_progress_free);
  tl_cli_diags_print (diags, NULL);
  gboolean interrupted = !done && g_cancellable_is_cancelled (cli->cancellable);
  if (!done && !interrupted)
    return TL_EXIT_WRONG;

  g_autofree char *letters = classes_text (&counts, classes);
  if (interrupted)
    fputs ("interrupted; what follows was counted until then\n", stderr);
  if (json)
    status = tl_cli_write_json ("-", counts_json (&counts, target, trace, (TlPages) pages, letters));
  else
    {
      print_counts (&counts, target, trace, (TlPages) pages, letters);
      status = TL_EXIT_FINE;
    }
  return interrupted ? TL_EXIT_INTERRUPTED : status;
}

const TlCliCommand tl_cli_replay = {
  .name = "replay",
  .arguments = "TRACE",
  .summary = N_ ("Count what the row buffers make of a memory trace"),
  .details = N_ ("A trace has lines \"LD 0x2000\", or \"0x2000 READ 17\", or is STL; told apart by content, also when\n"
                 "compressed. An address past the machine's capacity is an error unless --wrap is given."),
  .run = replay,
};
