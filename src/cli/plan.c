/* tierc plan: where the units of a tile best lie in DRAM, by the order of their
 * accesses: its options, and the bare problem of a sequence and the numbers of a machine. */
#include "cli/plan.h"
#include "base/hash.h"
#include "base/number.h"
#include "cli/cli.h"
#include "place/evaluate.h"
#include "place/row-kernel.h"

#include <glib/gi18n.h>
#include <string.h>

#define MAX_LEVEL_BITS 32

typedef struct
{
  int     bits;
  int     columns;
  int     domains;
  guint16 map[TL_PLACE_MAX_BITS]; /* row masks of the fixed domain map */
  guint   n_map;
} Problem;

typedef struct
{
  guint64           accesses;
  guint64           signature;
  guint64           fixed_coverage;
  guint64           greedy_weight;
  TlRowKernel       fixed;
  TlPlacementCounts identity;
  TlFreePlan        best;
  TlLoosePlan       loose;
} Answer;

gboolean
tl_cli_plan_watch (double fraction, gpointer data)
{
  TlPlanWatch *self = data;

  tl_progress_show (self->progress, fraction, NULL);
  return !g_cancellable_is_cancelled (self->cli->cancellable);
}

static gboolean
watch_fixed (gpointer data)
{
  TlPlanWatch *self = data;

  return !g_cancellable_is_cancelled (self->cli->cancellable);
}

/* Row masks: "2,14" or "0x2,0xe". Without @text the bits above the column bits. Returns TL_GO_ON
 * or an exit status. */
static int
read_map (Problem *problem, const char *text)
{
  problem->n_map = 0;
  if (text == NULL)
    {
      for (int bit = problem->columns; bit < MIN (problem->columns + problem->domains, problem->bits); bit++)
        problem->map[problem->n_map++] = (guint16) (1u << bit);
      return TL_GO_ON;
    }
  g_auto (GStrv) masks = g_strsplit (text, ",", -1);
  if ((int) g_strv_length (masks) > problem->domains)
    return tl_cli_usage (&tl_cli_plan, "--domain-map has %u masks, one a domain bit, but --domains=%d",
                         g_strv_length (masks), problem->domains);
  for (guint i = 0; masks[i] != NULL; i++)
    {
      const char *digits = g_strstrip (masks[i]);
      gboolean    hexadecimal = g_ascii_strncasecmp (digits, "0x", 2) == 0;
      guint64     mask;

      if (!g_ascii_string_to_unsigned (digits + (hexadecimal ? 2 : 0), hexadecimal ? 16 : 10, 0,
                                       (1u << problem->bits) - 1, &mask, NULL))
        return tl_cli_usage (&tl_cli_plan,
                             "--domain-map takes masks of the %d unit bits, 0 to %u, separated by commas; "
                             "\"%s\" is none",
                             problem->bits, (1u << problem->bits) - 1, digits);
      /* A domain map of more masks than unit bits repeats itself. */
      if (problem->n_map < TL_PLACE_MAX_BITS)
        problem->map[problem->n_map++] = (guint16) mask;
      else
        return tl_cli_usage (&tl_cli_plan, "--domain-map takes at most %d masks", TL_PLACE_MAX_BITS);
    }
  return TL_GO_ON;
}

static int
read_number (const char *name, int value, int low, int high)
{
  if (value < 0)
    return tl_cli_usage (&tl_cli_plan, "a sequence is planned for a machine: --%s is missing", name);
  if (value < low || value > high)
    return tl_cli_usage (&tl_cli_plan, "--%s is %d to %d, not %d", name, low, high, value);
  return TL_GO_ON;
}

static int
read_problem (Problem *problem, const char *map)
{
  int status;

  if ((status = read_number ("bits", problem->bits, 1, TL_PLACE_MAX_BITS)) != TL_GO_ON
      || (status = read_number ("columns", problem->columns, 0, MAX_LEVEL_BITS)) != TL_GO_ON
      || (status = read_number ("domains", problem->domains, 0, MAX_LEVEL_BITS)) != TL_GO_ON)
    return status;
  return read_map (problem, map);
}

static TlSequence *
read_sequence (const char *path, guint bits)
{
  g_autoptr (GBytes) bytes = tl_cli_read (path, TL_SEQUENCE_MAX_BYTES);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  gsize length;

  if (bytes == NULL)
    return NULL;
  const char *text = g_bytes_get_data (bytes, &length);
  g_autoptr (TlSource) source = tl_source_new (strcmp (path, "-") == 0 ? "<stdin>" : path, text, (gssize) length);
  g_clear_pointer (&bytes, g_bytes_unref);
  TlSequence *sequence = tl_sequence_parse (source, bits, diags);
  tl_cli_diags_print (diags, source);
  return sequence;
}

static void
solve (const Problem *problem, const TlSequence *sequence, TlPlanOptions *options, Answer *answer)
{
  guint n = sequence->bits;
  g_autoptr (TlHistogram) histogram = tl_histogram_new (n);
  g_autoptr (TlRowKernelSearch) search = tl_row_kernel_search_new (n);
  TlSubspace  rows = tl_subspace_span (problem->map, problem->n_map);
  TlSubspace  domain_kernel = tl_subspace_complement (&rows, n);
  TlSubspace  greedy;
  TlPlacement identity;

  answer->accesses = sequence->length;
  answer->signature = tl_sequence_hash (sequence);
  tl_histogram_count (histogram, sequence, problem->map, problem->n_map);
  answer->fixed_coverage = histogram->coverage;
  tl_row_kernel_search_watch (search, watch_fixed, options->data);
  tl_row_kernel_exact (search, histogram, &domain_kernel, options->columns, 0, TL_ROW_KERNEL_NODE_LIMIT,
                       &answer->fixed);
  answer->greedy_weight = tl_row_kernel_greedy (histogram, options->columns, &greedy);
  tl_placement_identity (n, options->columns, options->domains, &identity);
  tl_placement_evaluate (&identity, sequence, &answer->identity);
  tl_plan_free_domains (sequence, options, &answer->best);
  tl_plan_loose (sequence, options, &answer->best, &answer->loose);
}

static void
json_vectors (JsonBuilder *builder, const char *name, const guint16 *vectors, guint n)
{
  tl_json_begin_array (builder, name);
  for (guint i = 0; i < n; i++)
    json_builder_add_int_value (builder, vectors[i]);
  json_builder_end_array (builder);
}

void
tl_cli_json_map (JsonBuilder *builder, const TlFreePlan *plan)
{
  const TlPlacement *placement = &plan->placement;

  json_vectors (builder, "kernel", plan->kernel.basis, plan->kernel.dim);
  json_vectors (builder, "domain_kernel", plan->domain_kernel.basis, plan->domain_kernel.dim);
  tl_json_begin_object (builder, "rows");
  json_vectors (builder, "domain", placement->rows, placement->n_domain);
  json_vectors (builder, "row", placement->rows + placement->n_domain, placement->n_row);
  json_vectors (builder, "column", placement->rows + placement->n_domain + placement->n_row, placement->n_column);
  json_builder_end_object (builder);
  tl_json_int (builder, "nonzeros", placement->nonzeros);
}

static void
json_counts (JsonBuilder *builder, const char *name, const TlPlacementCounts *counts)
{
  tl_json_begin_object (builder, name);
  tl_json_int (builder, "hit", counts->hit);
  tl_json_int (builder, "miss", counts->miss);
  tl_json_int (builder, "conflict", counts->conflict);
  json_builder_end_object (builder);
}

static JsonNode *
answer_json (const Problem *problem, const Answer *answer)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  const TlFreePlan  *best = &answer->best;
  const TlPlacement *placement = &best->placement;
  guint64            pairs = answer->accesses - answer->fixed_coverage;

  tl_json_begin_object (builder, NULL);
  tl_json_hash (builder, "signature", answer->signature);
  tl_json_int (builder, "n", (guint) problem->bits);
  tl_json_int (builder, "c", (guint) problem->columns);
  tl_json_int (builder, "d", (guint) problem->domains);
  tl_json_int (builder, "accesses", answer->accesses);
  tl_json_begin_object (builder, "fixed");
  json_vectors (builder, "domain_map", problem->map, problem->n_map);
  tl_json_int (builder, "coverage", answer->fixed_coverage);
  tl_json_int (builder, "pairs", pairs);
  tl_json_int (builder, "weight", answer->fixed.weight);
  tl_json_int (builder, "greedy_weight", answer->greedy_weight);
  tl_json_int (builder, "conflicts", pairs - answer->fixed.weight);
  json_vectors (builder, "kernel", answer->fixed.kernel.basis, answer->fixed.kernel.dim);
  tl_json_flag (builder, "exact", answer->fixed.exact);
  tl_json_int (builder, "nodes", answer->fixed.nodes);
  json_builder_end_object (builder);
  json_counts (builder, "identity", &answer->identity);
  tl_json_begin_object (builder, "best");
  tl_json_int (builder, "conflicts", best->conflicts);
  tl_json_int (builder, "coverage", best->coverage);
  tl_json_int (builder, "nonzeros", placement->nonzeros);
  json_builder_end_object (builder);
  tl_json_begin_object (builder, "loose");
  tl_json_int (builder, "conflicts", answer->loose.conflicts);
  tl_json_int (builder, "coverage", answer->loose.coverage);
  tl_json_flag (builder, "exact", answer->loose.exact);
  json_builder_end_object (builder);
  tl_json_int (builder, "hits", best->hits);
  tl_json_int (builder, "misses", best->coverage);
  tl_json_int (builder, "conflicts", best->conflicts);
  json_counts (builder, "baseline", &answer->identity);
  tl_cli_json_map (builder, best);
  tl_json_flag (builder, "exact", best->exact);
  tl_json_int (builder, "blocks", best->blocks);
  tl_json_int (builder, "nodes", best->nodes);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

static void
print_counts (const char *label, guint64 hit, guint64 miss, guint64 conflict)
{
  g_autofree char *hits = tl_format_count (hit);
  g_autofree char *misses = tl_format_count (miss);
  g_autofree char *conflicts = tl_format_count (conflict);

  printf ("  %-34s %11s %11s %11s\n", label, hits, misses, conflicts);
}

/* "domain  u3  u4 ^ u5": the unit bits whose XOR is each bit. */
static void
print_rows (const char *label, const guint16 *rows, guint n)
{
  printf ("  %-8s", label);
  for (guint i = 0; i < n; i++)
    {
      const char *separator = i > 0 ? ",  " : " ";

      for (guint bit = 0; bit < TL_PLACE_MAX_BITS; bit++)
        if (rows[i] >> bit & 1)
          {
            printf ("%sb%u", separator, bit);
            separator = " ^ ";
          }
    }
  puts (n == 0 ? " none" : "");
}

void
tl_cli_print_map (const TlPlacement *placement)
{
  print_rows ("domain", placement->rows, placement->n_domain);
  print_rows ("row", placement->rows + placement->n_domain, placement->n_row);
  print_rows ("column", placement->rows + placement->n_domain + placement->n_row, placement->n_column);
}

static void
print_answer (const Problem *problem, const Answer *answer, const char *name)
{
  const TlFreePlan  *best = &answer->best;
  const TlPlacement *placement = &best->placement;
  g_autofree char   *accesses = tl_format_count (answer->accesses);
  g_autofree char   *signature = tl_hash_text (answer->signature);
  g_autofree char   *blocks = tl_format_count (best->blocks);
  g_autofree char   *nodes = tl_format_count (best->nodes);
  g_autofree char   *ones = tl_format_count (placement->nonzeros);
  guint64            pairs = answer->accesses - answer->fixed_coverage;

  printf ("%s: %s accesses to 2^%d units, 2^%d a row, 2^%d domains; signature %s\n", name, accesses, problem->bits,
          problem->columns, problem->domains, signature);
  printf ("  %-34s %11s %11s %11s\n", "", "hits", "misses", "conflicts");
  print_counts ("in order of the units (identity)", answer->identity.hit, answer->identity.miss,
                answer->identity.conflict);
  print_counts ("this domain map, best rows", answer->fixed.weight, answer->fixed_coverage,
                pairs - answer->fixed.weight);
  print_counts ("this domain map, greedy rows", answer->greedy_weight, answer->fixed_coverage,
                pairs - answer->greedy_weight);
  print_counts ("best domain map and rows", best->hits, best->coverage, best->conflicts);
  printf ("the best map, bits of a unit's number (%s ones)\n", ones);
  tl_cli_print_map (placement);
  printf ("  %s: %s domain maps, %s nodes\n", best->exact ? "exact" : "not exact, the best that was met", blocks,
          nodes);
  if (!answer->fixed.exact)
    puts ("  the rows of this domain map are the best that were met, not proven");
}

/* What a program may be asked and a sequence not, and the other way round. Returns TL_GO_ON or an exit status. */
static int
judge_wishes (const TlPlanWishes *wishes, const Problem *problem, const char *sequence, const char *map,
              char **arguments)
{
  if (sequence == NULL && arguments[0] == NULL)
    return tl_cli_usage (&tl_cli_plan, "what is planned? Give the FILE of a program, or --sequence=FILE");
  if (sequence == NULL)
    {
      if (problem->bits >= 0 || problem->columns >= 0 || problem->domains >= 0 || map != NULL)
        return tl_cli_usage (&tl_cli_plan,
                             "a program's target says its columns and domains; --bits, --columns, --domains "
                             "and --domain-map go with --sequence");
      if (arguments[1] != NULL)
        return tl_cli_usage (&tl_cli_plan, "one FILE is planned at a time");
      if ((wishes->element != NULL || wishes->at != NULL) && wishes->output != NULL)
        return tl_cli_usage (&tl_cli_plan, "--element and --at show places; leave out --output");
      if (wishes->candidates < 0 || wishes->candidates > 10000)
        return tl_cli_usage (&tl_cli_plan, "--candidates is 0 to 10000, not %d", wishes->candidates);
      return tl_cli_settings_valid (&tl_cli_plan, wishes->sets);
    }
  if (arguments[0] != NULL)
    return tl_cli_usage (&tl_cli_plan, "a sequence is planned by itself; leave out \"%s\"", arguments[0]);
  if (wishes->sets != NULL)
    return tl_cli_usage (&tl_cli_plan, "a bare sequence has no settings; --bits, --columns and --domains say all");
  if (wishes->operand != NULL || wishes->output != NULL || wishes->templates != NULL || wishes->candidates > 0
      || wishes->element != NULL || wishes->at != NULL)
    return tl_cli_usage (&tl_cli_plan, "--operand, --output, --templates, --candidates, --element and --at go with the "
                                       "FILE of a program");
  return TL_GO_ON;
}

static int
plan (TlCli *cli, int argc, char **argv)
{
  g_autofree char *path = NULL;
  g_autofree char *map = NULL;
  g_autofree char *operand = NULL;
  g_autofree char *output = NULL;
  g_autofree char *templates = NULL;
  g_autofree char *element = NULL;
  g_autofree char *at = NULL;
  g_auto (GStrv) sets = NULL;
  g_auto (GStrv) arguments = NULL;
  int                candidates = 0;
  Problem            problem = { -1, -1, -1, { 0 }, 0 };
  gboolean           json = FALSE;
  const GOptionEntry entries[] = {
    { "operand", 0, 0, G_OPTION_ARG_STRING, &operand, N_ ("Show only this operand of the program"), "NAME" },
    { "candidates", 0, 0, G_OPTION_ARG_INT, &candidates, N_ ("Show up to K maps that tie, of each operand"), "K" },
    { "element", 0, 0, G_OPTION_ARG_STRING, &element,
      N_ ("Follow this element of the operand, by default the weights, to thread, bit, byte, unit and place"),
      "ROW,COLUMN" },
    { "at", 0, 0, G_OPTION_ARG_STRING, &at, N_ ("Show the elements that lie at a place: tier=0,bank=1,row=0,column=2"),
      "PLACE" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, N_ ("Write the layouts as a library of templates"), "FILE" },
    { "templates", 0, 0, G_OPTION_ARG_FILENAME, &templates, N_ ("Take the layouts from a library, not from a search"),
      "FILE" },
    { "sequence", 0, 0, G_OPTION_ARG_FILENAME, &path, N_ ("Plan for this order of unit numbers"), "FILE" },
    { "bits", 0, 0, G_OPTION_ARG_INT, &problem.bits, N_ ("Bits of a unit's number"), "N" },
    { "columns", 0, 0, G_OPTION_ARG_INT, &problem.columns, N_ ("Column bits: a row holds 2^C units"), "C" },
    { "domains", 0, 0, G_OPTION_ARG_INT, &problem.domains, N_ ("Domain bits: 2^D rows are open at a time"), "D" },
    { "domain-map", 0, 0, G_OPTION_ARG_STRING, &map,
      N_ ("The fixed domain map, a mask of unit bits for each domain bit; by default the bits above the column bits"),
      "MASK,…" },
    { "set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &sets, N_ ("Override a config line of a program; a sequence has none"),
      "KEY=VALUE" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, N_ ("Print one JSON object"), NULL },
    G_OPTION_ENTRY_NULL,
  };
  int status = tl_cli_options (&tl_cli_plan, entries, argc, argv, &arguments);

  if (status != TL_GO_ON)
    return status;
  TlPlanWishes wishes = { arguments[0], sets, operand, output, templates, candidates, element, at, json };
  if ((status = judge_wishes (&wishes, &problem, path, map, arguments)) != TL_GO_ON)
    return status;
  if (path == NULL)
    return tl_cli_plan_program (cli, &wishes);
  if ((status = read_problem (&problem, map)) != TL_GO_ON)
    return status;

  g_autoptr (TlSequence) sequence = read_sequence (path, (guint) problem.bits);
  if (sequence == NULL)
    return TL_EXIT_WRONG;
  const char *name = strcmp (path, "-") == 0 ? "<stdin>" : path;
  g_autoptr (TlProgress) progress = tl_progress_new (name);
  TlPlanWatch   watcher = { cli, progress };
  TlPlanOptions options
      = { (guint) problem.columns, (guint) problem.domains, TL_PLAN_STEP_LIMIT, tl_cli_plan_watch, &watcher };
  Answer answer;
  solve (&problem, sequence, &options, &answer);
  g_clear_pointer (&progress, tl_progress_free);

  gboolean interrupted = g_cancellable_is_cancelled (cli->cancellable);
  if (interrupted)
    fputs ("interrupted; what follows is the best that was met until then\n", stderr);
  status = TL_EXIT_FINE;
  if (json)
    status = tl_cli_write_json ("-", answer_json (&problem, &answer));
  else
    print_answer (&problem, &answer, name);
  return interrupted ? TL_EXIT_INTERRUPTED : status;
}

const TlCliCommand tl_cli_plan = {
  .name = "plan",
  .arguments = "FILE | --sequence=FILE",
  .summary = N_ ("Find where the units of a tile best lie, by their accesses"),
  .details
  = N_ ("FILE is a program with a matrix product on a cu target; both operands are planned together and counted in\n"
        "order. A sequence is unit numbers separated by white space, in the order in which they are read. The plan\n"
        "is the map of unit bits to domain, row and column with the fewest conflicts, then the most domains,\n"
        "then the fewest ones."),
  .run = plan,
};
