/* One case: its program built and run as any other, the whole counted in order, the first blocks with time. */
#include "base/hash.h"
#include "engine/product-run.h"
#include "place/global-hash.h"
#include "study/study.h"

#include <string.h>

/* A change of what is counted or replayed is a new version, and stored cases are run again. */
#define VERSION 1

void
tl_study_row_clear (gpointer data)
{
  TlStudyRow *row = data;

  g_clear_pointer (&row->name, g_free);
  g_clear_pointer (&row->layout, g_free);
}

static char *
program_of (const TlStudyCase *one)
{
  return g_strdup_printf ("algorithm product\n  C[m,n] = C[m,n] + A[m,k] * W[k,n]  for m, n, k\n"
                          "data A: f16[%u, %u]\ndata W: f16[%u, %u]\n"
                          "config target = %s, tile = (%u, %u, %u), values = off\n",
                          one->m, one->k, one->k, one->n, one->target, one->tile[0], one->tile[1], one->tile[2]);
}

guint64
tl_study_case_key (const TlStudyCase *one, guint64 ctas, const char *const *config)
{
  g_autofree char *text = program_of (one);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_auto (GStrv) folders = tl_target_folders ();
  TlTargetSearch search = { .folders = (const char *const *) folders };
  g_autoptr (TlTarget) target = tl_target_load (one->target, &search, NULL, NULL, tl_span (0, 0), diags);

  if (target == NULL)
    return 0;
  const guint64 parts[] = { VERSION, ctas, tl_target_hash (target), one->hashes != FALSE };
  guint64       key = tl_fnv1a64 (tl_fnv1a64 (TL_FNV1A64_START, text, strlen (text)), parts, sizeof parts);

  for (guint i = 0; config != NULL && config[i] != NULL; i++)
    key = tl_fnv1a64 (key, config[i], strlen (config[i]) + 1);
  return key;
}

static void
add_row (GArray *rows, const TlStudyCase *one, const char *layout, const TlInOrderCounts *order,
         const TlCuResult *replay, guint32 clock)
{
  const TlRowCounts *counts = &replay->totals.share.scheduled;
  TlStudyRow         row = { .name = g_strdup (one->name),
                             .layout = g_strdup (layout),
                             .requests = order->requests,
                             .hit = order->hit,
                             .miss = order->miss,
                             .conflict = order->conflict,
                             .replayed = replay->totals.requests,
                             .replay_hit = counts->hit,
                             .replay_miss = counts->miss,
                             .replay_conflict = counts->conflict,
                             .kernel = replay->kernel / clock,
                             .compute = replay->compute / clock,
                             .latency = replay->mean_latency };

  g_array_append_val (rows, row);
}

static gboolean
go_on (double fraction, gpointer data)
{
  return !g_cancellable_is_cancelled (data);
}

/* The whole product in order. */
static gboolean
count (const TlCuProgram *program, gboolean packed, const TlGemmPlacing *placing, TlAddressMap *map,
       TlInOrderCounts *counts, GCancellable *cancellable, TlDiags *diags)
{
  TlGemmPlanOptions options = { .progress = go_on, .data = cancellable };
  TlGemmShape       shape = program->shape;

  shape.packed = packed;
  return tl_gemm_count (&shape, map, placing, 0, &options, counts, diags);
}

/* Conventional addresses through fixed global hashes. */
static gboolean
add_hashes (const TlStudyCase *one, TlCuProgram *program, guint64 ctas, GArray *rows, GCancellable *cancellable,
            TlDiags *diags)
{
  for (TlGlobalHash hash = 0; hash < TL_N_GLOBAL_HASHES; hash++)
    {
      g_autoptr (TlAddressMap) map = tl_global_hash_map (hash, program->map);
      g_auto (TlCuResult) result = { 0 };
      TlCuOptions     options = { .cancellable = cancellable };
      TlGemmShape     shape = program->shape;
      TlInOrderCounts counts;
      TlCuWork        work;

      shape.packed = FALSE;
      shape.ctas = ctas;
      if (!count (program, FALSE, NULL, map, &counts, cancellable, diags))
        return FALSE;
      tl_product_work (&work, &shape, NULL, program->stages, program->page, &program->memory, map, &program->machine);
      tl_cu_run (&work, &options, &result);
      if (result.cancelled)
        return FALSE;
      add_row (rows, one, tl_global_hash_name (hash), &counts, &result, program->memory.clock);
    }
  return TRUE;
}

gboolean
tl_study_run_case (const TlStudyCase *one, guint64 ctas, const char *const *config, GArray *rows,
                   GCancellable *cancellable, TlDiags *diags)
{
  static const char *const names[] = { "conventional", "packed", "planned" };
  g_autofree char         *text = program_of (one);
  g_autoptr (TlInputs) inputs = tl_inputs_new_memory ();
  TlBuildOptions wanted = { .config = config };
  g_autoptr (TlBuild) build = tl_build (one->name, text, strlen (text), inputs, &wanted, NULL, cancellable);
  TlProductRunOptions options = { .ctas = ctas, .skip_values = TRUE, .cancellable = cancellable };

  if (!build->complete || build->product == NULL)
    {
      tl_diags_append (diags, build->diags);
      return FALSE;
    }
  TlCuProgram *program = build->product;
  g_autoptr (TlProductRun) run = tl_product_run (build, &options);
  tl_diags_append (diags, run->diags);
  if (!run->complete)
    return FALSE;
  for (TlProductLayout i = TL_PRODUCT_CONVENTIONAL; i < TL_N_PRODUCT_LAYOUTS; i++)
    {
      TlInOrderCounts counts;
      gboolean        own = i == TL_PRODUCT_PLACED && !run->fallback;

      if (!run->of[i].done)
        continue;
      if (!count (program, i == TL_PRODUCT_PACKED || (own && program->shape.packed), own ? program->placing : NULL,
                  program->map, &counts, cancellable, diags))
        return FALSE;
      add_row (rows, one, names[i], &counts, &run->of[i].replay, program->memory.clock);
    }
  return !one->hashes || add_hashes (one, program, ctas, rows, cancellable, diags);
}
