/* tierc run of a product on a compute unit: as its operands are stored, packed and placed, for people and as JSON, and
 * the paper's figures beside. */
#include "cli/run-product.h"
#include "cli/build-product.h"
#include "cli/replay.h"
#include "cli/run.h"

#include "base/hash.h"
#include "base/number.h"
#include "engine/product-replay.h"

#include <string.h>

/* TileDRAM, section 6 and table 3: averages over its own traces. */
static const struct
{
  double hit[2], miss[2], conflict[2], latency[2]; /* conventional, tiled */
  double speed_up, least, most;
} paper = { { 0.193, 0.816 }, { 0.050, 0.032 }, { 0.757, 0.152 }, { 81.0, 40.8 }, 1.77, 1.10, 2.95 };

static const char paper_differs[]
    = "the paper's are averages over 108 cases of its own traces, which are not published; timing, scheduler and the "
      "merging of lanes to requests are assumed here, and tRRD : tCCD : multiply-adds set how much a layout saves";

static double
share (guint64 part, guint64 whole)
{
  return whole > 0 ? (double) part / (double) whole : 0;
}

static guint64
cycles (const TlProductRun *run, guint64 ps)
{
  return tl_ceil_div (ps, run->build->product->memory.clock);
}

/* --- JSON --- */

static void
add_counts (JsonBuilder *builder, const char *name, const guint64 *of, gboolean scheduled)
{
  tl_json_begin_object (builder, name);
  tl_json_int (builder, "hit", of[TL_ROW_HIT]);
  tl_json_int (builder, "miss", of[TL_ROW_MISS]);
  tl_json_int (builder, "conflict", of[TL_ROW_CONFLICT]);
  if (scheduled)
    tl_json_int (builder, "forwarded", of[TL_ROW_FORWARDED]);
}

static void
add_replay (JsonBuilder *builder, const TlProductRun *run, const TlProductReplay *one)
{
  const TlCuProgram    *program = run->build->product;
  const TlCuResult     *replay = &one->replay;
  const TlEngineTotals *totals = &replay->totals;
  const guint64         in_order[] = { one->in_order.hit, one->in_order.miss, one->in_order.conflict };

  tl_json_int (builder, "requests", totals->requests);
  add_counts (builder, "in_order", in_order, FALSE);
  json_builder_end_object (builder);
  add_counts (builder, "scheduled", totals->share.scheduled.of, TRUE);
  tl_json_int (builder, "cycles", cycles (run, totals->makespan));
  tl_json_double (builder, "mean_latency", replay->mean_latency);
  tl_json_int (builder, "p99_latency", replay->p99_latency);
  json_builder_end_object (builder);
  tl_json_begin_object (builder, "kernel");
  tl_json_int (builder, "cycles", cycles (run, replay->kernel));
  tl_json_int (builder, "compute_cycles", cycles (run, replay->compute));
  tl_json_int (builder, "stall_cycles", cycles (run, replay->kernel - replay->compute));
  tl_json_double (builder, "stall_share", tl_product_stalled (one));
  tl_json_int (builder, "steps", replay->steps);
  json_builder_end_object (builder);
  tl_json_begin_object (builder, "commands");
  tl_json_int (builder, "act", totals->act);
  tl_json_int (builder, "rd", totals->reads);
  tl_json_int (builder, "pre", totals->pre_conflict + totals->pre_page + totals->pre_refresh);
  tl_json_int (builder, "ref", totals->refreshes);
  json_builder_end_object (builder);
  tl_json_double (builder, "bandwidth",
                  totals->makespan > 0
                      ? (double) totals->requests * program->memory.unit_bytes / ((double) totals->makespan * 1e-12)
                      : 0);
  tl_json_double (builder, "bank_parallelism",
                  totals->active > 0 ? (double) totals->busy / (double) totals->active : 0);
  tl_json_double (builder, "energy_pj", one->energy_pj);
  tl_json_begin_array (builder, "per_operand");
  for (guint i = 0; i < TL_N_GEMM_OPERANDS; i++)
    {
      tl_json_begin_object (builder, NULL);
      tl_json_text (builder, "operand", program->operand[i]);
      tl_json_int (builder, "requests", replay->requests_of[i]);
      add_counts (builder, "in_order", one->classes[i], FALSE);
      json_builder_end_object (builder);
      add_counts (builder, "scheduled", replay->operand[i].scheduled.of, TRUE);
      json_builder_end_object (builder);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_place (JsonBuilder *builder, const TlProductRun *run)
{
  const TlCuProgram *program = run->build->product;
  const TlCuLayouts *layouts = &program->layouts;

  tl_json_begin_array (builder, "place");
  for (guint i = 0; i < TL_N_GEMM_OPERANDS; i++)
    {
      gboolean given_up = program->rule[i] == TL_CU_PLAN && (run->fallback || !layouts->placed[i]);

      tl_json_begin_object (builder, NULL);
      tl_json_text (builder, "operand", program->operand[i]);
      tl_json_text (builder, "rule", tl_cu_place_name (program->rule[i]));
      tl_json_text (builder, "used", given_up ? "identity" : tl_cu_place_name (program->rule[i]));
      if (layouts->placed[i] && !given_up)
        {
          const TlPlacement       *map = &layouts->placement[i];
          const guint              counts[] = { map->n_domain, map->n_row, map->n_column };
          static const char *const names[] = { "domain", "row", "column" };
          guint                    at = 0;

          tl_json_begin_object (builder, "rows");
          for (guint part = 0; part < 3; part++)
            {
              tl_json_begin_array (builder, names[part]);
              for (guint r = 0; r < counts[part]; r++)
                json_builder_add_int_value (builder, map->rows[at++]);
              json_builder_end_array (builder);
            }
          json_builder_end_object (builder);
          tl_json_int (builder, "split", layouts->split);
        }
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_trials (JsonBuilder *builder, const TlProductRun *run)
{
  const GArray *trials = run->build->layouts;

  tl_json_begin_array (builder, "candidates");
  for (guint i = 0; i < trials->len; i++)
    {
      const TlLayoutTrial *trial = &g_array_index (trials, TlLayoutTrial, i);

      tl_json_begin_object (builder, NULL);
      tl_json_text (builder, "layout", trial->layout);
      tl_json_int (builder, "sample_conflicts", trial->conflicts);
      tl_json_int (builder, "sample_requests", trial->requests);
      tl_json_int (builder, "replayed_cycles", trial->kernel_ps != G_MAXUINT64 ? cycles (run, trial->kernel_ps) : 0);
      tl_json_flag (builder, "chosen", trial->chosen);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_paper (JsonBuilder *builder)
{
  static const char *const names[] = { "conventional", "tiled" };

  tl_json_begin_object (builder, "paper");
  for (guint i = 0; i < 2; i++)
    {
      tl_json_begin_object (builder, names[i]);
      tl_json_double (builder, "hit", paper.hit[i]);
      tl_json_double (builder, "miss", paper.miss[i]);
      tl_json_double (builder, "conflict", paper.conflict[i]);
      tl_json_double (builder, "mean_latency", paper.latency[i]);
      json_builder_end_object (builder);
    }
  tl_json_double (builder, "speed_up_geomean", paper.speed_up);
  tl_json_double (builder, "speed_up_least", paper.least);
  tl_json_double (builder, "speed_up_most", paper.most);
  tl_json_text (builder, "differs", paper_differs);
  json_builder_end_object (builder);
}

static void
add_values (JsonBuilder *builder, const TlProductRun *run)
{
  if (run->values == NULL)
    {
      tl_json_text (builder, "result", NULL);
      tl_json_text (builder, "result_reason", run->values_reason);
      return;
    }
  tl_json_begin_object (builder, "result");
  tl_json_hash (builder, "hash", run->hash);
  tl_json_begin_object (builder, "summary");
  tl_json_double (builder, "min", run->least);
  tl_json_double (builder, "max", run->greatest);
  json_builder_end_object (builder);
  json_builder_end_object (builder);
}

static JsonNode *
product_json (const TlProductRun *run)
{
  const TlCuProgram *program = run->build->product;
  const TlGemmShape *shape = &program->shape;
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  tl_cli_product_head (builder, program->name, program->target, shape);
  tl_json_int (builder, "stages", program->stages);
  tl_json_int (builder, "resident", shape->resident);
  tl_json_int (builder, "skew", shape->skew);
  tl_json_text (builder, "weights", shape->transposed ? "nxk" : "kxn");
  tl_json_int (builder, "quantum", shape->quantum);
  tl_json_int (builder, "ctas", run->ctas);
  tl_json_int (builder, "all_ctas", run->all_ctas);
  add_replay (builder, run, &run->of[TL_PRODUCT_PLACED]);
  for (TlProductLayout i = TL_PRODUCT_CONVENTIONAL; i < TL_PRODUCT_PLACED; i++)
    {
      if (!run->of[i].done)
        {
          tl_json_text (builder, tl_product_layout_name (i), NULL);
          continue;
        }
      tl_json_begin_object (builder, tl_product_layout_name (i));
      add_replay (builder, run, &run->of[i]);
      json_builder_end_object (builder);
    }
  if (run->of[TL_PRODUCT_CONVENTIONAL].done)
    {
      tl_json_double (builder, "speed_up", tl_product_speed_up (run, TL_PRODUCT_CONVENTIONAL, TL_PRODUCT_PLACED));
      tl_json_double (
          builder, "speed_up_packed",
          run->of[TL_PRODUCT_PACKED].done ? tl_product_speed_up (run, TL_PRODUCT_CONVENTIONAL, TL_PRODUCT_PACKED) : 0);
    }
  tl_json_flag (builder, "fallback", run->fallback);
  add_place (builder, run);
  add_trials (builder, run);
  add_paper (builder);
  add_values (builder, run);
  tl_json_begin_array (builder, "lints");
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

/* --- for people --- */

static void
print_what (const TlProductRun *run)
{
  const TlCuProgram *program = run->build->product;
  const TlGemmShape *shape = &program->shape;
  g_autofree char   *left = tl_element_type_name (program->type[0]), *right = tl_element_type_name (program->type[1]);
  g_autofree char   *sums = tl_element_type_name (program->result);
  g_autofree char   *ctas = tl_format_count (run->ctas), *all = tl_format_count (run->all_ctas);

  printf ("%s: %s = %s (%s) x %s (%s), %u x %u x %u, sums in %s, on %s\n", program->name, program->output,
          program->operand[0], left, program->operand[1], right, shape->m, shape->n, shape->k, sums, program->target);
  printf (
      "  tiles of %u x %u x %u, weights %s, %u resident, skew %u, %u stages, quanta of %u bytes, %u multiply-adds a "
      "cycle;\n",
      shape->tile_m, shape->tile_n, shape->tile_k, shape->transposed ? "N x K" : "K x N", shape->resident, shape->skew,
      program->stages, shape->quantum, program->machine.macs);
  if (run->ctas < run->all_ctas)
    printf ("  the first %s of %s blocks (CTAs)\n", ctas, all);
  else
    printf ("  all %s blocks (CTAs)\n", all);
}

/* One row of the table; absent ones are left blank. */
static void
print_row (const TlProductRun *run, const char *label, TlProductLayout layout)
{
  const TlProductReplay *one = &run->of[layout];
  const TlRowCounts     *counts = &one->replay.totals.share.scheduled;
  guint64                requests = one->replay.totals.requests;

  if (!one->done)
    {
      printf ("  %-22s does not fit the memory\n", label);
      return;
    }
  g_autofree char *order = tl_format_percent (share (one->in_order.conflict, one->in_order.requests), 1);
  g_autofree char *hit = tl_format_percent (share (counts->hit, requests), 1);
  g_autofree char *miss = tl_format_percent (share (counts->miss, requests), 1);
  g_autofree char *conflict = tl_format_percent (share (counts->conflict, requests), 1);
  g_autofree char *kernel = tl_format_count (cycles (run, one->replay.kernel));
  g_autofree char *stalled = tl_format_percent (tl_product_stalled (one), 1);
  g_autofree char *speed = run->of[TL_PRODUCT_CONVENTIONAL].done
                               ? g_strdup_printf ("%.2fx", tl_product_speed_up (run, TL_PRODUCT_CONVENTIONAL, layout))
                               : g_strdup ("");
  printf ("  %-22s %8s   %7s %6s %8s %8.1f %13s %8s %8s\n", label, order, hit, miss, conflict, one->replay.mean_latency,
          kernel, stalled, speed);
}

static void
print_table (const TlProductRun *run)
{
  const TlCuProgram *program = run->build->product;
  gboolean           planned = program->rule[0] == TL_CU_PLAN || program->rule[1] == TL_CU_PLAN;
  g_autofree char   *requests = tl_format_count (run->of[TL_PRODUCT_PLACED].replay.totals.requests);

  printf ("\n%s requests\n", requests);
  printf ("  %-22s %8s   %-32s\n", "", "in order", "as scheduled");
  printf ("  %-22s %8s   %7s %6s %8s %8s %13s %8s %8s\n", "", "conflict", "hit", "miss", "conflict", "latency",
          "kernel", "stalled", "speed-up");
  print_row (run, "row-major", TL_PRODUCT_CONVENTIONAL);
  print_row (run, "packed tiles", TL_PRODUCT_PACKED);
  print_row (run, run->fallback ? "no plan (see below)" : planned ? "planned" : "as placed", TL_PRODUCT_PLACED);
  printf ("  %-22s %8s   %7s %6s %8s %8s\n", "paper, conventional", "", "19.3 %", "5.0 %", "75.7 %", "81.0");
  printf ("  %-22s %8s   %7s %6s %8s %8s %13s %8s %8s\n", "paper, tiled", "", "81.6 %", "3.2 %", "15.2 %", "40.8", "",
          "", "1.77x");
  printf ("  latency and kernel in cycles; the kernel ends with the last tensor-core step. %s\n",
          "The paper's are averages\n  over 108 cases of traces it does not publish; how much a layout saves hangs on "
          "tRRD : tCCD : multiply-adds,\n  which are assumed (1.10x to 2.95x there)");
}

static void
print_places (const TlProductRun *run)
{
  const TlCuProgram *program = run->build->product;
  const TlCuLayouts *layouts = &program->layouts;

  printf ("\nLayouts\n");
  if (run->fallback)
    {
      printf ("  planned tiles were slower than none by more than 2 %%, so the operands stay row by row\n");
      if (run->refused_ps > 0)
        {
          g_autofree char *kernel = tl_format_count (cycles (run, run->refused_ps));
          printf ("  (what was planned took %s cycles)\n", kernel);
        }
      return;
    }
  for (guint i = 0; i < TL_N_GEMM_OPERANDS; i++)
    {
      const TlPlacement *map = &layouts->placement[i];

      if (!layouts->placed[i])
        printf ("  %s: row by row, as it is stored\n", program->operand[i]);
      else
        printf ("  %s: %s; %u domain, %u row and %u column bits; one tile: %" G_GUINT64_FORMAT
                " conflicts, %" G_GUINT64_FORMAT " domains\n",
                program->operand[i], tl_cu_place_name (program->rule[i]), map->n_domain, map->n_row, map->n_column,
                layouts->conflicts[i], layouts->coverage[i]);
    }
  const GArray *trials = run->build->layouts;
  if (trials->len > 1)
    printf ("  replayed to choose among them (a part of the product):\n");
  for (guint t = 0; trials->len > 1 && t < trials->len; t++)
    {
      const TlLayoutTrial *trial = &g_array_index (trials, TlLayoutTrial, t);
      g_autofree char     *kernel = trial->kernel_ps != G_MAXUINT64 ? tl_format_count (cycles (run, trial->kernel_ps))
                                                                    : g_strdup ("does not fit");
      printf ("    %-13s %s%s\n", kernel, trial->layout, trial->chosen ? ", chosen" : "");
    }
}

static void
print_values (const TlProductRun *run)
{
  g_autofree char *hash = tl_hash_text (run->hash);

  if (run->values != NULL)
    printf ("\nResult\n  %s from %g to %g, hash %s\n", run->build->product->output, run->least, run->greatest, hash);
  else
    printf ("\nResult\n  none: %s\n", run->values_reason);
}

/* Requests of which events are written: some 20 GB of text. */
#define MAX_EVENTS (G_GUINT64_CONSTANT (1) << 26)

/* The events of one layout, replayed as they were recorded. Returns an exit status. */
static int
write_events (const TlProductRun *run, TlProductLayout layout, const TlRunOutputs *outputs)
{
  const TlCuProgram *program = run->build->product;
  g_autoptr (GError) error = NULL;
  g_autoptr (TlCliEvents) events
      = tl_cli_events_new (outputs->commands, outputs->trace, program->name, program->target, &program->memory);

  if (events == NULL)
    return TL_EXIT_WRONG;
  g_autoptr (TlReplayRun) replay = tl_product_replay_of (run, layout, tl_cli_events_add, events, &error);
  gboolean closed = tl_cli_events_close (events);
  if (replay == NULL && closed)
    fprintf (stderr, "%s: error: %s\n", program->name, error->message);
  return replay != NULL && closed ? TL_EXIT_FINE : TL_EXIT_WRONG;
}

int
tl_cli_run_product (TlCli *cli, TlBuild *build, guint64 ctas, TlProductLayout layout, const TlRunOutputs *outputs)
{
  g_autoptr (TlProgress) progress = NULL;
  gboolean            events = outputs->commands != NULL || outputs->trace != NULL;
  TlProductRunOptions options = { .ctas = ctas,
                                  .record = events ? 1u << layout : 0,
                                  .force_values = outputs->result != NULL,
                                  .cancellable = cli->cancellable,
                                  .progress = tl_progress_count };
  g_autoptr (GError) error = NULL;
  int status = events ? tl_cli_product_judge (build, ctas, MAX_EVENTS) : TL_GO_ON;

  if (status != TL_GO_ON)
    return status;
  options.user = progress = tl_progress_new (build->product->name);
  g_autoptr (TlProductRun) run = tl_product_run (build, &options);
  g_clear_pointer (&progress, tl_progress_free);
  tl_cli_diags_print (run->diags, build->source);
  if (run->cancelled)
    {
      fputs ("interrupted; nothing was written\n", stderr);
      return TL_EXIT_INTERRUPTED;
    }
  if (!run->complete)
    return TL_EXIT_WRONG;
  if (outputs->result != NULL && (run->values == NULL || !tl_matrix_write (run->values, outputs->result, &error)))
    {
      fprintf (stderr, "%s: error: %s\n", outputs->result, error != NULL ? error->message : run->values_reason);
      return TL_EXIT_WRONG;
    }
  if (events && (status = write_events (run, layout, outputs)) != TL_EXIT_FINE)
    return status;
  if (outputs->json)
    return tl_cli_write_json ("-", product_json (run));
  print_what (run);
  print_table (run);
  print_places (run);
  print_values (run);
  return TL_EXIT_FINE;
}
