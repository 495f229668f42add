/* tierc plan FILE: the operand tiles of a program's matrix product, planned together, bound and counted in order
 * beside what does without a plan. */
#include "base/hash.h"
#include "base/number.h"
#include "cli/build-product.h"
#include "cli/plan.h"
#include "engine/operand.h"
#include "passes/cu-module.h"
#include "place/gemm-plan.h"
#include "place/global-hash.h"
#include "place/product.h"
#include "place/template.h"
#include "place/tile-count.h"

#include <string.h>

typedef struct
{
  TlBuild          *build;
  TlProduct         product;
  TlGemmPlan       *plan;
  TlGemmPlanOptions options;
  guint             domain_bits;
  TlInOrderCounts   conventional, packed, planned;
  TlInOrderCounts   hashed[TL_N_GLOBAL_HASHES];
  TlInOrderCounts   tile_conventional[TL_N_GEMM_OPERANDS]; /* of the first tile alone */
  TlInOrderCounts   tile_packed[TL_N_GEMM_OPERANDS];
} Report;

static void
report_clear (Report *report)
{
  g_clear_pointer (&report->plan, tl_gemm_plan_free);
  g_clear_pointer (&report->build, tl_build_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Report, report_clear)

/* The program up to its target. A quantum of its own makes other rows, so it is a number of the machine. */
static int
build_program (TlCli *cli, const TlPlanWishes *wishes, Report *report)
{
  g_auto (TlCliSource) source = { 0 };
  g_autoptr (GPtrArray) config = g_ptr_array_new_with_free_func (g_free);
  int status;

  if (!tl_cli_source_open (&source, wishes->path))
    return TL_EXIT_WRONG;
  if (source.stage != TL_STAGE_TEXT)
    return tl_cli_usage (&tl_cli_plan, "\"%s\" is compiled already; a plan is made of a program's text", wishes->path);
  for (guint i = 0; wishes->sets != NULL && wishes->sets[i] != NULL; i++)
    g_ptr_array_add (config, g_strdup (wishes->sets[i]));
  g_ptr_array_add (config, NULL);
  for (guint round = 0; round < 2; round++)
    {
      TlBuildOptions   options = { .until = TL_STAGE_TARGET, .config = (const char *const *) config->pdata };
      g_autofree char *bytes = NULL;

      g_clear_pointer (&report->build, tl_build_unref);
      report->build = tl_cli_source_build (&source, &options, cli->cancellable);
      const TlConfigItem *item = report->build->ast != NULL ? tl_ast_config (report->build->ast, "quantum") : NULL;
      if (round > 0 || item == NULL || item->value == NULL)
        break;
      bytes = item->value->kind == TL_EXPR_INTEGER ? g_strdup_printf ("%" G_GINT64_FORMAT " B", item->value->integer)
                                                   : g_strdup (item->value->text);
      g_ptr_array_insert (config, (int) config->len - 1, g_strdup_printf ("target.quantum=%s", bytes));
    }
  if ((status = tl_cli_build_judge (report->build)) != TL_GO_ON)
    return status;
  return TL_GO_ON;
}

static int
read_product (const TlPlanWishes *wishes, Report *report)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  TlTarget *target = report->build->target;
  gboolean  fine
      = tl_product_read_on (report->build->ast, target, tl_operand_facts, report->build, &report->product, diags);

  if (fine && tl_target_kind (target) != TL_MACHINE_CU)
    {
      tl_diag_reason (
          tl_diags_add (diags, TL_SEVERITY_ERROR, "not-on-this-target", NULL, tl_span (0, 0),
                        "operand tiles are placed on cu targets, and %s is none", tl_target_name (target)),
          "units of a tile are quanta of a compute unit's own stack; take cu-t8b16, or --set target=cu-t2b4");
      fine = FALSE;
    }
  if (fine && tl_target_map (target) == NULL)
    {
      tl_diag_reason (tl_diags_add (diags, TL_SEVERITY_ERROR, "no-map", NULL, tl_span (0, 0), "%s has no address map",
                                    tl_target_name (target)),
                      "%s", tl_target_map_reason (target));
      fine = FALSE;
    }
  if (fine && wishes->operand != NULL && strcmp (wishes->operand, report->product.operand[TL_GEMM_A]) != 0
      && strcmp (wishes->operand, report->product.operand[TL_GEMM_B]) != 0)
    return tl_cli_usage (&tl_cli_plan, "the product has no operand \"%s\": they are %s and %s", wishes->operand,
                         report->product.operand[TL_GEMM_A], report->product.operand[TL_GEMM_B]);
  tl_cli_diags_print (diags, report->build->source);
  return fine ? TL_GO_ON : TL_EXIT_WRONG;
}

/* The layouts of a library in the place of a plan. */
static int
take_templates (const char *path, Report *report)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (GPtrArray) templates = tl_templates_load (path, diags);
  TlGemmPlan *plan = report->plan = g_new0 (TlGemmPlan, 1);
  int         split = -1;

  plan->shape = report->product.shape;
  plan->map = tl_address_map_ref (tl_target_map (report->build->target));
  plan->n_ways = 1;
  for (TlGemmOperand i = TL_GEMM_A; templates != NULL && i < TL_N_GEMM_OPERANDS; i++)
    {
      const TlTemplate *found = NULL;

      plan->signature[i] = tl_signature_of_gemm (&plan->shape, i, diags);
      if (plan->signature[i] != NULL)
        found = tl_templates_find (templates, report->product.operand[i], report->build->target, plan->signature[i],
                                   split, diags);
      if (found == NULL)
        break;
      split = (int) found->split;
      plan->way[0].split = found->split;
      plan->way[0].colours = tl_gemm_colours (found->split);
      plan->way[0].plan[i] = (TlFreePlan) { .hits = found->hits,
                                            .conflicts = found->conflicts,
                                            .coverage = found->coverage,
                                            .placement = found->placement,
                                            .exact = found->exact };
      tl_placement_flag (&found->placement, &plan->way[0].plan[i].kernel, &plan->way[0].plan[i].domain_kernel);
    }
  tl_cli_diags_print (diags, NULL);
  return tl_diags_errors (diags) > 0 ? TL_EXIT_WRONG : TL_GO_ON;
}

static int
make_plan (const TlPlanWishes *wishes, Report *report)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();

  if (wishes->templates != NULL)
    return take_templates (wishes->templates, report);
  report->plan
      = tl_gemm_plan_new (&report->product.shape, tl_target_map (report->build->target), &report->options, diags);
  tl_cli_diags_print (diags, NULL);
  if (report->plan == NULL)
    return TL_EXIT_WRONG;
  return report->plan->n_ways == 0 ? TL_EXIT_INTERRUPTED : TL_GO_ON;
}

/* Counts one placement of the whole product. Returns TL_GO_ON, or an exit status. */
static int
count_one (Report *report, TlAddressMap *map, gboolean packed, const TlGemmPlacing *placing, TlInOrderCounts *counts)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  TlGemmShape shape = report->plan->shape;

  shape.packed = packed;
  if (tl_gemm_count (&shape, map, placing, 0, &report->options, counts, diags))
    return TL_GO_ON;
  tl_cli_diags_print (diags, NULL);
  return tl_diags_errors (diags) > 0 ? TL_EXIT_WRONG : TL_EXIT_INTERRUPTED;
}

static int
count_all (Report *report)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  TlAddressMap      *map = tl_target_map (report->build->target);
  const TlGemmWay   *way = &report->plan->way[0];
  const TlPlacement *placements[] = { &way->plan[0].placement, &way->plan[1].placement };
  g_autoptr (TlGemmPlacing) placing = tl_gemm_placing_new (&report->plan->shape, map, placements, way->split, diags);
  int status;

  tl_cli_diags_print (diags, NULL);
  if (placing == NULL)
    return TL_EXIT_WRONG;
  for (TlGemmOperand i = TL_GEMM_A; i < TL_N_GEMM_OPERANDS; i++)
    {
      const TlSequence *sequence = report->plan->signature[i]->sequence;

      tl_gemm_count_tile (&report->plan->shape, i, sequence, map, FALSE, &report->tile_conventional[i]);
      tl_gemm_count_tile (&report->plan->shape, i, sequence, map, TRUE, &report->tile_packed[i]);
    }
  if ((status = count_one (report, map, FALSE, NULL, &report->conventional)) != TL_GO_ON
      || (status = count_one (report, map, TRUE, NULL, &report->packed)) != TL_GO_ON
      || (status = count_one (report, map, FALSE, placing, &report->planned)) != TL_GO_ON)
    return status;
  for (TlGlobalHash hash = 0; hash < TL_N_GLOBAL_HASHES; hash++)
    {
      g_autoptr (TlAddressMap) hashed = tl_global_hash_map (hash, map);

      if ((status = count_one (report, hashed, FALSE, NULL, &report->hashed[hash])) != TL_GO_ON)
        return status;
    }
  return TL_GO_ON;
}

static int
write_templates (const Report *report, const char *path)
{
  g_autoptr (GPtrArray) templates = g_ptr_array_new_with_free_func ((GDestroyNotify) tl_template_free);
  const TlGemmWay *way = &report->plan->way[0];

  for (TlGemmOperand i = TL_GEMM_A; i < TL_N_GEMM_OPERANDS; i++)
    g_ptr_array_add (templates, tl_template_new (report->product.operand[i], report->build->target,
                                                 report->plan->signature[i], &way->plan[i], way->split));
  g_autofree char *text = tl_templates_text (templates);
  return tl_output_write (path, text, -1);
}

static gboolean
is_wanted (const TlPlanWishes *wishes, const Report *report, TlGemmOperand operand)
{
  return wishes->operand == NULL || strcmp (wishes->operand, report->product.operand[operand]) == 0;
}

/* Domain bits that the tiles of an operand may use. */
static guint
domains_of (const Report *report, TlGemmOperand operand)
{
  return report->domain_bits - tl_gemm_share_bits (report->plan->way[0].split, operand);
}

/* Maps that tie with the operand's, itself first. */
static GArray *
candidates_of (const Report *report, TlGemmOperand operand, int most)
{
  TlPlanOptions options = { tl_address_map_column_bits (report->plan->map), domains_of (report, operand),
                            report->options.step_limit, report->options.progress, report->options.data };

  return tl_plan_candidates (report->plan->signature[operand]->sequence, &options, &report->plan->way[0].plan[operand],
                             (guint) most);
}

static void
json_counts (JsonBuilder *builder, const char *name, const TlInOrderCounts *counts)
{
  tl_json_begin_object (builder, name);
  tl_json_int (builder, "hit", counts->hit);
  tl_json_int (builder, "miss", counts->miss);
  tl_json_int (builder, "conflict", counts->conflict);
  json_builder_end_object (builder);
}

static void
json_operand (JsonBuilder *builder, const TlPlanWishes *wishes, const Report *report, TlGemmOperand operand)
{
  const TlSignature *signature = report->plan->signature[operand];
  const TlFreePlan  *plan = &report->plan->way[0].plan[operand];
  g_autoptr (GArray) candidates = candidates_of (report, operand, wishes->candidates);

  tl_json_begin_object (builder, NULL);
  tl_json_text (builder, "operand", report->product.operand[operand]);
  tl_json_hash (builder, "signature", signature->hash);
  tl_json_int (builder, "n", signature->sequence->bits);
  tl_json_int (builder, "c", tl_address_map_column_bits (report->plan->map));
  tl_json_int (builder, "d", domains_of (report, operand));
  tl_json_int (builder, "units", signature->units);
  tl_json_int (builder, "accesses", signature->sequence->length);
  tl_json_int (builder, "hits", plan->hits);
  tl_json_int (builder, "misses", plan->coverage);
  tl_json_int (builder, "conflicts", plan->conflicts);
  json_counts (builder, "baseline", &report->tile_conventional[operand]);
  json_counts (builder, "packed", &report->tile_packed[operand]);
  tl_cli_json_map (builder, plan);
  tl_json_flag (builder, "exact", plan->exact);
  tl_json_int (builder, "blocks", plan->blocks);
  tl_json_int (builder, "nodes", plan->nodes);
  tl_json_text (builder, "replayed_cycles", NULL);
  tl_json_begin_array (builder, "candidates");
  for (guint i = 0; i < candidates->len; i++)
    {
      const TlFreePlan *one = &g_array_index (candidates, TlFreePlan, i);
      tl_json_begin_object (builder, NULL);
      tl_json_int (builder, "conflicts", one->conflicts);
      tl_json_int (builder, "coverage", one->coverage);
      tl_cli_json_map (builder, one);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

static JsonNode *
report_json (const TlPlanWishes *wishes, const Report *report)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  const TlGemmShape *shape = &report->plan->shape;
  const TlGemmPlan  *plan = report->plan;

  tl_cli_product_head (builder, report->product.name, tl_target_name (report->build->target), shape);
  tl_json_int (builder, "quantum", shape->quantum);
  tl_json_text (builder, "weights", shape->transposed ? "nxk" : "kxn");
  tl_json_int (builder, "resident", shape->resident);
  tl_json_int (builder, "skew", shape->skew);
  tl_json_int (builder, "requests", report->planned.requests);
  tl_json_begin_array (builder, "operands");
  for (TlGemmOperand i = TL_GEMM_A; i < TL_N_GEMM_OPERANDS; i++)
    if (is_wanted (wishes, report, i))
      json_operand (builder, wishes, report, i);
  json_builder_end_array (builder);
  tl_json_begin_array (builder, "ways");
  for (guint i = 0; wishes->templates == NULL && i < plan->n_ways; i++)
    {
      tl_json_begin_object (builder, NULL);
      tl_json_int (builder, "split", plan->way[i].split);
      tl_json_int (builder, "colours", plan->way[i].colours);
      tl_json_int (builder, "requests", plan->way[i].requests);
      tl_json_int (builder, "conflicts", plan->way[i].conflict);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  tl_json_begin_object (builder, "in_order");
  json_counts (builder, "conventional", &report->conventional);
  json_counts (builder, "packed", &report->packed);
  json_counts (builder, "planned", &report->planned);
  tl_json_begin_object (builder, "hashes");
  for (TlGlobalHash hash = 0; hash < TL_N_GLOBAL_HASHES; hash++)
    json_counts (builder, tl_global_hash_name (hash), &report->hashed[hash]);
  json_builder_end_object (builder);
  json_builder_end_object (builder);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

static void
print_counts (const char *label, const TlInOrderCounts *counts)
{
  g_autofree char *hits = tl_format_count (counts->hit);
  g_autofree char *misses = tl_format_count (counts->miss);
  g_autofree char *conflicts = tl_format_count (counts->conflict);
  g_autofree char *share
      = tl_format_percent (counts->requests > 0 ? (double) counts->conflict / (double) counts->requests : 0, 1);

  printf ("  %-34s %13s %9s %13s  %7s\n", label, hits, misses, conflicts, share);
}

static const char *
sharing (const TlGemmWay *way)
{
  return way->split == 0   ? "one pool of domains"
         : way->split == 1 ? "a half of the domains for each operand"
                           : "a half of the domains for each operand, neighbouring blocks apart";
}

static void
print_operand (const TlPlanWishes *wishes, const Report *report, TlGemmOperand operand)
{
  const TlSignature *signature = report->plan->signature[operand];
  const TlFreePlan  *plan = &report->plan->way[0].plan[operand];
  g_autofree char   *hash = tl_hash_text (signature->hash);
  TlInOrderCounts    counts = {
       .requests = signature->sequence->length, .hit = plan->hits, .miss = plan->coverage, .conflict = plan->conflicts
  };

  printf ("%s: a tile is %" G_GUINT64_FORMAT " units, read by %u requests, on 2^%u domains; signature %s\n",
          report->product.operand[operand], signature->units, signature->sequence->length, domains_of (report, operand),
          hash);
  print_counts ("one tile, row-major", &report->tile_conventional[operand]);
  print_counts ("one tile, packed", &report->tile_packed[operand]);
  print_counts (plan->exact ? "one tile, planned" : "one tile, planned (not proven)", &counts);
  tl_cli_print_map (&plan->placement);
  if (wishes->candidates == 0)
    return;
  g_autoptr (GArray) candidates = candidates_of (report, operand, wishes->candidates);
  for (guint i = 1; i < candidates->len; i++)
    {
      printf ("  or, as good in conflicts and domains\n");
      tl_cli_print_map (&g_array_index (candidates, TlFreePlan, i).placement);
    }
}

static void
print_report (const TlPlanWishes *wishes, const Report *report)
{
  const TlGemmShape *shape = &report->plan->shape;
  g_autofree char   *requests = tl_format_count (report->planned.requests);

  printf ("%s on %s: %u x %u x %u in tiles of %u x %u x %u, weights %s, %u at a time, quanta of %u bytes\n",
          report->product.name, tl_target_name (report->build->target), shape->m, shape->n, shape->k, shape->tile_m,
          shape->tile_n, shape->tile_k, shape->transposed ? "N x K" : "K x N", shape->resident, shape->quantum);
  printf ("%s requests in order %13s %12s %9s %13s\n", requests, "", "hits", "misses", "conflicts");
  print_counts ("row-major", &report->conventional);
  for (TlGlobalHash hash = 0; hash < TL_N_GLOBAL_HASHES; hash++)
    {
      g_autofree char *label = g_strdup_printf ("row-major, %s hash", tl_global_hash_name (hash));
      print_counts (label, &report->hashed[hash]);
    }
  print_counts ("packed tiles", &report->packed);
  print_counts (wishes->templates != NULL ? "by the templates" : "planned", &report->planned);
  printf ("  %s\n", sharing (&report->plan->way[0]));
  if (wishes->templates == NULL)
    printf (
        "  planned is the first by conflicts; which of those that tie a run takes, a replay decides (tierc build)\n");
  for (TlGemmOperand i = TL_GEMM_A; i < TL_N_GEMM_OPERANDS; i++)
    if (is_wanted (wishes, report, i))
      print_operand (wishes, report, i);
}

int
tl_cli_plan_program (TlCli *cli, const TlPlanWishes *wishes)
{
  g_auto (Report) report = { 0 };
  TlPlaceBits bits;
  int         status;

  if (!tl_output_probe (wishes->output))
    return TL_EXIT_WRONG;
  if ((status = build_program (cli, wishes, &report)) != TL_GO_ON
      || (status = read_product (wishes, &report)) != TL_GO_ON)
    return status;
  tl_place_bits (tl_target_map (report.build->target), &bits);
  report.domain_bits = bits.n_domain;

  g_autoptr (TlProgress) progress = tl_progress_new (report.product.name);
  TlPlanWatch watcher = { cli, progress };
  report.options = (TlGemmPlanOptions) { TL_PLAN_STEP_LIMIT, TL_CU_SAMPLE, tl_cli_plan_watch, &watcher };
  gboolean asks_places = wishes->element != NULL || wishes->at != NULL;
  if ((status = make_plan (wishes, &report)) == TL_GO_ON && !asks_places)
    status = count_all (&report);
  g_clear_pointer (&progress, tl_progress_free);
  if (status != TL_GO_ON)
    {
      if (status == TL_EXIT_INTERRUPTED)
        fputs ("interrupted\n", stderr);
      return status;
    }
  report.options.progress = NULL;
  if (asks_places)
    {
      /* What is asked about are the weights, unless said otherwise. */
      gboolean left = wishes->operand != NULL && strcmp (wishes->operand, report.product.operand[TL_GEMM_A]) == 0;
      return tl_cli_plan_chain (wishes, report.build->ast, &report.product, report.plan, left ? TL_GEMM_A : TL_GEMM_B);
    }
  if (wishes->output != NULL && (status = write_templates (&report, wishes->output)) != TL_EXIT_FINE)
    return status;
  /* Templates on standard output stand there alone. */
  if (wishes->json)
    return tl_cli_write_json ("-", report_json (wishes, &report));
  if (g_strcmp0 (wishes->output, "-") != 0)
    print_report (wishes, &report);
  return TL_EXIT_FINE;
}
