/* tierc study: a suite run case by case, kept in a store, and its figures beside the paper's. */
#include "study/study.h"

#include "base/number.h"
#include "cli/cli.h"

#include <glib/gi18n.h>
#include <string.h>

#define CTAS 16 /* blocks that are replayed with time */

/* TileDRAM's figures of a suite; what the paper does not say is NULL. */
static const struct
{
  const char *suite, *before, *after, *speed_up, *differs;
} papers[] = {
  { "moe108", "75.7 %", "15.2 %", "1.77x (1.10x to 2.95x)",
    "its 108 cases are of traces that are not published: its ninth configuration, the merging of lanes to requests and "
    "the timings are unknown. Ours: six models x up and down x nine tiles, M = max (64, tile_m), 16 bits, weights K x "
    "N, "
    "one resident block" },
  { "retarget36", "84.3 %", "17.6 %", "2.20x (six-stream geomeans 1.52x to 2.77x)",
    "its six streams are not named; ours are the up projections of six models in tiles of 64 x 64 x 32, on its two "
    "named "
    "organisations and four of ours" },
  { "hashes", NULL, NULL, "its best fixed hash: 0.09 % fewer conflicts, 0.01 % faster",
    "its hashes are described in words; ours go by the lowest bits of each field" },
};

typedef struct
{
  char    *shard;
  char    *store;
  char   **sets;
  int      jobs;
  gint64   ctas;
  gboolean json;
} Wishes;

static void
wishes_clear (Wishes *wishes)
{
  g_free (wishes->shard);
  g_free (wishes->store);
  g_strfreev (wishes->sets);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Wishes, wishes_clear)

/* One case under way, and what came of it. */
typedef struct
{
  const TlStudyCase *one;
  guint64            key, ctas;
  GArray            *rows;
  TlDiags           *diags;
  gboolean           done;
  const char *const *config;
  GCancellable      *cancellable;
  GAsyncQueue       *back;
} Work;

static void
work_free (gpointer data)
{
  Work *work = data;

  g_array_unref (work->rows);
  tl_diags_unref (work->diags);
  g_free (work);
}

static void
run_case (gpointer data, gpointer pool_data)
{
  Work *work = data;

  work->done = !g_cancellable_is_cancelled (work->cancellable)
               && tl_study_run_case (work->one, work->ctas, work->config, work->rows, work->cancellable, work->diags);
  g_async_queue_push (work->back, work);
}

/* "2/8": the second of eight parts. */
static gboolean
read_shard (const char *text, guint *shard, guint *of)
{
  g_auto (GStrv) parts = g_strsplit (text != NULL ? text : "1/1", "/", -1);
  guint64 numbers[2];

  if (g_strv_length (parts) != 2 || !g_ascii_string_to_unsigned (parts[0], 10, 1, 100000, &numbers[0], NULL)
      || !g_ascii_string_to_unsigned (parts[1], 10, 1, 100000, &numbers[1], NULL) || numbers[0] > numbers[1])
    return FALSE;
  *shard = (guint) numbers[0] - 1;
  *of = (guint) numbers[1];
  return TRUE;
}

/* Runs what the store lacks. Returns TL_GO_ON, or an exit status. */
static int
run_suite (TlCli *cli, const char *suite, const GPtrArray *cases, const Wishes *wishes, guint shard, guint of,
           TlStudyStore *store)
{
  g_autoptr (GAsyncQueue) back = g_async_queue_new ();
  g_autoptr (TlProgress) progress = tl_progress_new (suite);
  GThreadPool *pool = g_thread_pool_new (run_case, NULL, wishes->jobs, FALSE, NULL);
  guint        sent = 0;
  int          status = TL_GO_ON;

  for (guint i = shard; i < cases->len; i += of)
    {
      const TlStudyCase *one = g_ptr_array_index (cases, i);
      guint64            key = tl_study_case_key (one, (guint64) wishes->ctas, (const char *const *) wishes->sets);

      if (tl_study_store_has (store, suite, one->name, key))
        continue;
      Work *work = g_new0 (Work, 1);
      *work = (Work) { .one = one,
                       .key = key,
                       .ctas = (guint64) wishes->ctas,
                       .rows = g_array_new (FALSE, TRUE, sizeof (TlStudyRow)),
                       .diags = tl_diags_new (),
                       .config = (const char *const *) wishes->sets,
                       .cancellable = cli->cancellable,
                       .back = back };
      g_array_set_clear_func (work->rows, tl_study_row_clear);
      g_thread_pool_push (pool, work, NULL);
      sent++;
    }
  for (guint done = 0; done < sent; done++)
    {
      g_autoptr (GError) error = NULL;
      Work *work = g_async_queue_pop (back);

      if (work->done && !tl_study_store_put (store, suite, work->key, work->rows, &error))
        {
          fprintf (stderr, "error: %s\n", error->message);
          status = TL_EXIT_WRONG;
        }
      else if (!work->done && !g_cancellable_is_cancelled (cli->cancellable))
        {
          fprintf (stderr, "%s:\n", work->one->name);
          tl_cli_diags_print (work->diags, NULL);
          status = TL_EXIT_WRONG;
        }
      tl_progress_show (progress, (double) (done + 1) / sent, NULL);
      work_free (work);
    }
  g_thread_pool_free (pool, FALSE, TRUE);
  g_clear_pointer (&progress, tl_progress_free);
  if (!g_cancellable_is_cancelled (cli->cancellable))
    return status;
  fputs ("interrupted; what was done is kept where --store names a file\n", stderr);
  return TL_EXIT_INTERRUPTED;
}

static guint
distinct_cases (const GArray *rows)
{
  guint n = 0;

  for (guint i = 0; i < rows->len; i++)
    n += i == 0 || strcmp (g_array_index (rows, TlStudyRow, i).name, g_array_index (rows, TlStudyRow, i - 1).name) != 0;
  return n;
}

/* --- the report --- */

static void
print_report (const char *suite, const GArray *rows, guint of)
{
  g_autoptr (GArray) totals = tl_study_totals (rows);

  printf ("%s: %u of %u cases\n", suite, distinct_cases (rows), of);
  printf ("  %-18s %9s   %7s %7s %8s %8s %9s   %s\n", "", "conflicts", "hit", "miss", "conflict", "latency", "speed-up",
          "range");
  printf ("  %-18s %9s   %-33s\n", "", "in order", "as scheduled, first blocks");
  for (guint t = 0; t < totals->len; t++)
    {
      const TlStudyTotal *total = &g_array_index (totals, TlStudyTotal, t);
      g_autofree char    *conflict = tl_format_percent (total->conflict, 1);
      g_autofree char    *hit = tl_format_percent (total->replay_hit, 1);
      g_autofree char    *miss = tl_format_percent (total->replay_miss, 1);
      g_autofree char    *scheduled = tl_format_percent (total->replay_conflict, 1);

      printf ("  %-18s %9s   %7s %7s %8s %8.1f %8.2fx   %.2fx to %.2fx\n", total->layout, conflict, hit, miss,
              scheduled, total->latency, total->speed_up, total->least, total->most);
    }
  printf ("  rates are weighted by requests, speed-ups are geometric means over cases\n");
  for (guint p = 0; p < G_N_ELEMENTS (papers); p++)
    {
      if (strcmp (papers[p].suite, suite) != 0)
        continue;
      if (papers[p].before != NULL)
        printf ("  paper: conflicts %s before, %s after; %s\n", papers[p].before, papers[p].after, papers[p].speed_up);
      else
        printf ("  paper: %s\n", papers[p].speed_up);
      printf ("  what differs: %s\n", papers[p].differs);
    }
}

static JsonNode *
report_json (const char *suite, const GArray *rows, guint of)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (GArray) totals = tl_study_totals (rows);

  tl_json_begin_object (builder, NULL);
  tl_json_text (builder, "suite", suite);
  tl_json_int (builder, "cases", of);
  tl_json_int (builder, "done", distinct_cases (rows));
  tl_json_begin_array (builder, "layouts");
  for (guint t = 0; t < totals->len; t++)
    {
      const TlStudyTotal *total = &g_array_index (totals, TlStudyTotal, t);

      tl_json_begin_object (builder, NULL);
      tl_json_text (builder, "layout", total->layout);
      tl_json_int (builder, "cases", total->cases);
      tl_json_double (builder, "conflict", total->conflict);
      tl_json_double (builder, "replay_hit", total->replay_hit);
      tl_json_double (builder, "replay_miss", total->replay_miss);
      tl_json_double (builder, "replay_conflict", total->replay_conflict);
      tl_json_double (builder, "mean_latency", total->latency);
      tl_json_double (builder, "speed_up_geomean", total->speed_up);
      tl_json_double (builder, "speed_up_least", total->least);
      tl_json_double (builder, "speed_up_most", total->most);
      tl_json_text (builder, "least_case", total->least_case);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  tl_json_begin_array (builder, "rows");
  for (guint i = 0; i < rows->len; i++)
    {
      const TlStudyRow *row = &g_array_index (rows, TlStudyRow, i);

      tl_json_begin_object (builder, NULL);
      tl_json_text (builder, "case", row->name);
      tl_json_text (builder, "layout", row->layout);
      tl_json_int (builder, "requests", row->requests);
      tl_json_int (builder, "hit", row->hit);
      tl_json_int (builder, "miss", row->miss);
      tl_json_int (builder, "conflict", row->conflict);
      tl_json_int (builder, "replayed", row->replayed);
      tl_json_int (builder, "replay_hit", row->replay_hit);
      tl_json_int (builder, "replay_miss", row->replay_miss);
      tl_json_int (builder, "replay_conflict", row->replay_conflict);
      tl_json_int (builder, "kernel_cycles", row->kernel);
      tl_json_int (builder, "compute_cycles", row->compute);
      tl_json_double (builder, "mean_latency", row->latency);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  for (guint p = 0; p < G_N_ELEMENTS (papers); p++)
    if (strcmp (papers[p].suite, suite) == 0)
      {
        tl_json_begin_object (builder, "paper");
        tl_json_text (builder, "conflict_before", papers[p].before);
        tl_json_text (builder, "conflict_after", papers[p].after);
        tl_json_text (builder, "speed_up", papers[p].speed_up);
        tl_json_text (builder, "differs", papers[p].differs);
        json_builder_end_object (builder);
      }
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

static int
study (TlCli *cli, int argc, char **argv)
{
  g_auto (Wishes) wishes = { .jobs = 2, .ctas = CTAS };
  g_auto (GStrv) arguments = NULL;
  g_autoptr (GError) error = NULL;
  guint              shard, of;
  const GOptionEntry entries[] = {
    { "store", 0, 0, G_OPTION_ARG_FILENAME, &wishes.store,
      N_ ("Keep results in this SQLite file, and run only what it lacks"), "FILE" },
    { "shard", 0, 0, G_OPTION_ARG_STRING, &wishes.shard, N_ ("Run only the I-th of N parts"), "I/N" },
    { "jobs", 'j', 0, G_OPTION_ARG_INT, &wishes.jobs, N_ ("Cases at a time (default 2)"), "N" },
    { "ctas", 0, 0, G_OPTION_ARG_INT64, &wishes.ctas,
      N_ ("Blocks of each case that are replayed with time (default 16, 0: all)"), "N" },
    { "set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &wishes.sets,
      N_ ("Override a config line, or target.KEY a number of the machine"), "KEY=VALUE" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &wishes.json, N_ ("Print one JSON object"), NULL },
    G_OPTION_ENTRY_NULL,
  };
  int status = tl_cli_options (&tl_cli_study, entries, argc, argv, &arguments);

  if (status != TL_GO_ON)
    return status;
  guint            n = g_strv_length (arguments);
  gboolean         report = n == 2 && strcmp (arguments[0], "report") == 0;
  const char      *suite = report ? arguments[1] : n == 1 ? arguments[0] : NULL;
  g_autofree char *known = g_strjoinv (", ", (char **) tl_study_suites ());
  if (suite == NULL)
    return tl_cli_usage (&tl_cli_study, "one suite is run at a time: %s; or \"report\" and a suite", known);
  g_autoptr (GPtrArray) cases = tl_study_cases (suite);
  if (cases == NULL)
    return tl_cli_usage (&tl_cli_study, "there is no suite \"%s\"; there are %s", suite, known);
  if ((status = tl_cli_settings_valid (&tl_cli_study, wishes.sets)) != TL_GO_ON)
    return status;
  if (!read_shard (wishes.shard, &shard, &of))
    return tl_cli_usage (&tl_cli_study, "--shard is I/N, as in 2/8");
  if (wishes.jobs < 1 || wishes.jobs > 256)
    return tl_cli_usage (&tl_cli_study, "--jobs is 1 to 256");
  if (wishes.ctas < 0)
    return tl_cli_usage (&tl_cli_study, "--ctas is a number of blocks, 0 for all");
  if (report && wishes.store == NULL)
    return tl_cli_usage (&tl_cli_study, "a report is made of a store: add --store=FILE");
  g_autoptr (TlStudyStore) store = tl_study_store_open (wishes.store != NULL ? wishes.store : ":memory:", &error);
  if (store == NULL)
    {
      fprintf (stderr, "error: %s\n", error->message);
      return TL_EXIT_WRONG;
    }
  if (!report && (status = run_suite (cli, suite, cases, &wishes, shard, of, store)) != TL_GO_ON)
    return status;
  g_autoptr (GArray) rows = tl_study_store_rows (store, suite, &error);
  if (rows == NULL)
    {
      fprintf (stderr, "error: %s\n", error->message);
      return TL_EXIT_WRONG;
    }
  if (wishes.json)
    return tl_cli_write_json ("-", report_json (suite, rows, cases->len));
  print_report (suite, rows, cases->len);
  return TL_EXIT_FINE;
}

const TlCliCommand tl_cli_study = {
  .name = "study",
  .arguments = "NAME",
  .summary = N_ ("Run a suite of matrix products and show its figures beside the paper's"),
  .details
  = N_ ("NAME is moe108, retarget36 or hashes; \"report NAME\" shows what a store holds. With --store a study goes\n"
        "on where it was, and shards may share the file."),
  .run = study,
};
