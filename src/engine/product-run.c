/* A product, counted and replayed as stored, packed and placed; its values beside that. */
#include "engine/product-run.h"

#include "base/number.h"
#include "dram/replay.h"
#include "engine/build-data.h"
#include "sim/product.h"

#include <string.h>

/* Values are computed unasked up to so many products. */
#define MAX_AUTO_PRODUCTS (G_GUINT64_CONSTANT (1) << 28)

typedef struct
{
  TlProductRun              *run;
  const TlProductRunOptions *options;
  guint                      at;  /* layouts done */
  guint                      all; /* to do */
} Job;

const char *
tl_product_layout_name (TlProductLayout layout)
{
  static const char *const names[] = { "conventional", "packed", "placed" };

  return (guint) layout < G_N_ELEMENTS (names) ? names[layout] : NULL;
}

gboolean
tl_product_layout_parse (const char *text, TlProductLayout *layout)
{
  for (*layout = TL_PRODUCT_CONVENTIONAL; *layout < TL_N_PRODUCT_LAYOUTS; (*layout)++)
    if (strcmp (tl_product_layout_name (*layout), text) == 0)
      return TRUE;
  return FALSE;
}

gboolean
tl_product_slower (guint64 kernel, guint64 conventional)
{
  return conventional != G_MAXUINT64 && kernel > conventional && kernel - conventional > conventional / 50;
}

void
tl_product_work (TlCuWork *work, const TlGemmShape *shape, const TlGemmPlacing *placing, guint stages, TlPage page,
                 const TlMemory *memory, TlAddressMap *map, const TlCuMachine *machine)
{
  *work = (TlCuWork) {
    .shape = *shape, .placing = placing, .stages = stages, .macs = machine->macs, .memory = *memory, .map = map
  };
  tl_engine_options_for (&work->engine, memory, machine);
  work->engine.pages = page == TL_PAGE_OPEN ? TL_PAGES_OPEN : TL_PAGES_CLOSED;
  work->engine.keep_causes = 0;
  tl_engine_memory (&work->memory, &work->engine);
}

double
tl_product_speed_up (const TlProductRun *run, TlProductLayout before, TlProductLayout after)
{
  guint64 kernel = run->of[after].replay.kernel;

  return kernel > 0 ? (double) run->of[before].replay.kernel / (double) kernel : 0;
}

double
tl_product_stalled (const TlProductReplay *replay)
{
  guint64 kernel = replay->replay.kernel;

  return kernel > 0 ? (double) (kernel - replay->replay.compute) / (double) kernel : 0;
}

/* --- replays --- */

static void
show_progress (guint64 done, guint64 total, gpointer data)
{
  const Job *job = data;

  job->options->progress (job->at * total + done, job->all * total, job->options->user);
}

/* Do the operands as @shape has them end inside the memory? */
static gboolean
fits (const TlGemmShape *shape, const TlAddressMap *map)
{
  TlGemmTiles tiles;

  if (!tl_gemm_tiles (shape, TL_GEMM_B, &tiles))
    return FALSE;
  guint64 bytes
      = shape->packed ? tiles.tiles_down * tiles.tiles_across * tiles.tile_bytes : tiles.rows * tiles.row_bytes;
  return (tl_gemm_base (shape, TL_GEMM_B) + bytes - 1) / shape->quantum >> tl_address_map_bits (map) == 0;
}

/* A placed one may turn out to be the conventional one. */
static gboolean
recorded (const TlProductRunOptions *options, TlProductLayout layout)
{
  guint kept = options->record;

  return (kept >> layout & 1) != 0 || (layout == TL_PRODUCT_CONVENTIONAL && (kept >> TL_PRODUCT_PLACED & 1) != 0);
}

static void
replay_layout (Job *job, TlProductLayout layout)
{
  TlProductRun        *run = job->run;
  TlCuProgram         *program = run->build->product;
  TlProductReplay     *replay = &run->of[layout];
  const TlGemmPlacing *placing = layout == TL_PRODUCT_PLACED ? program->placing : NULL;
  TlGemmShape          shape = program->shape;
  TlCuOptions          options = { .record = recorded (job->options, layout),
                                   .cancellable = job->options->cancellable,
                                   .progress = job->options->progress != NULL ? show_progress : NULL,
                                   .data = job };
  TlCuWork             work;

  if (layout != TL_PRODUCT_PLACED)
    shape.packed = layout == TL_PRODUCT_PACKED;
  shape.ctas = run->ctas;
  if (placing == NULL && !fits (&shape, program->map))
    return;
  if (!tl_gemm_count_operands (&shape, program->map, placing, 0, NULL, &replay->in_order, replay->classes, run->diags))
    return;
  tl_product_work (&work, &shape, placing, program->stages, program->page, &program->memory, program->map,
                   &program->machine);
  tl_cu_run (&work, &options, &replay->replay);
  run->cancelled |= replay->replay.cancelled;
  replay->energy_pj = tl_totals_energy (&replay->replay.totals, program->memory.unit_bytes, &program->energy);
  replay->done = !run->cancelled;
  job->at++;
}

/* What was planned is given up where it is slower than nothing at all. */
static void
judge (TlProductRun *run)
{
  TlCuProgram     *program = run->build->product;
  TlProductReplay *placed = &run->of[TL_PRODUCT_PLACED], *plain = &run->of[TL_PRODUCT_CONVENTIONAL];

  run->fallback = program->fallback;
  if (!plain->done || !placed->done || program->rule[0] != TL_CU_PLAN || program->rule[1] != TL_CU_PLAN
      || !tl_product_slower (placed->replay.kernel, plain->replay.kernel))
    return;
  run->fallback = TRUE;
  run->refused_ps = placed->replay.kernel;
  tl_cu_result_clear (&placed->replay);
  *placed = *plain;
  plain->replay.accesses = NULL;
}

/* Those that are asked for, as bits. */
static guint
wanted (const TlProductRunOptions *options)
{
  return options->only != 0     ? options->only & ((1u << TL_N_PRODUCT_LAYOUTS) - 1)
         : options->placed_only ? 1u << TL_PRODUCT_PLACED
                                : (1u << TL_N_PRODUCT_LAYOUTS) - 1;
}

static void
simulate (Job *job)
{
  TlProductRun *run = job->run;
  gint64        start = g_get_monotonic_time ();
  guint         layouts = wanted (job->options);

  job->all = (guint) __builtin_popcount (layouts);
  for (TlProductLayout layout = TL_PRODUCT_CONVENTIONAL; layout < TL_N_PRODUCT_LAYOUTS && !run->cancelled; layout++)
    if (layouts >> layout & 1)
      replay_layout (job, layout);
  run->simulate_ns = (g_get_monotonic_time () - start) * 1000;
  if (!run->cancelled)
    judge (run);
}

/* The placed one must be there where it is asked for, else one of the others. */
static gboolean
enough (const TlProductRun *run, guint layouts)
{
  if (layouts >> TL_PRODUCT_PLACED & 1)
    return run->of[TL_PRODUCT_PLACED].done;
  for (guint i = 0; i < TL_N_PRODUCT_LAYOUTS; i++)
    if ((layouts >> i & 1) && run->of[i].done)
      return TRUE;
  return FALSE;
}

/* --- values --- */

/* Why there are to be no values; NULL when there are. (transfer full) */
static char *
unwanted (const TlProductRun *run, const TlProductRunOptions *options)
{
  const TlCuProgram *program = run->build->product;
  guint64            products = (guint64) program->shape.m * program->shape.n;

  if (options->force_values)
    return NULL;
  if (options->skip_values || program->values == TL_VALUES_OFF)
    return g_strdup (options->skip_values ? "values were not asked for" : "values = off");
  if (program->values == TL_VALUES_ON
      || (tl_mul_u64 (products, program->shape.k, &products) && products <= MAX_AUTO_PRODUCTS))
    return NULL;
  g_autofree char *count = tl_format_count (products), *limit = tl_format_count (MAX_AUTO_PRODUCTS);
  return g_strdup_printf ("%s products are more than %s; values = on computes them", count, limit);
}

/* One operand as numbers. NULL with *reason. */
static TlMatrix *
load_matrix (TlProductRun *run, const TlDataSource *source, guint64 rows, guint64 columns, char **reason)
{
  const TlBuildDatum *datum = tl_build_data_find (run->build->data, source->name);
  TlMatrix           *matrix = NULL;

  if (datum == NULL || datum->input == NULL)
    {
      *reason = g_strdup_printf ("the data of %s could not be read", source->name);
      return NULL;
    }
  g_autoptr (TlSemiring) semiring = tl_semiring_known (TL_OPERATOR_ADD, TL_OPERATOR_MUL, datum->input->element);
  if (semiring == NULL)
    {
      const TlElementType wide = { TL_ELEMENT_INT, 32, 0, 0 };
      semiring = tl_semiring_known (TL_OPERATOR_ADD, TL_OPERATOR_MUL, wide);
    }
  if (datum->input->rows != rows || datum->input->columns != columns)
    *reason = g_strdup_printf ("%s is not %" G_GUINT64_FORMAT " x %" G_GUINT64_FORMAT, source->name, rows, columns);
  else if (datum->input->sequences != NULL)
    *reason = g_strdup_printf ("%s holds letters", source->name);
  else if (tl_build_datum_check (datum, semiring, FALSE, run->diags))
    matrix = tl_input_matrix (datum->input, semiring, 0, run->diags);
  if (matrix == NULL && *reason == NULL)
    *reason = g_strdup_printf ("the matrix of %s could not be made", source->name);
  return matrix;
}

static TlMatrix *
start_matrix (TlProductRun *run, char **reason)
{
  const TlCuProgram *program = run->build->product;
  g_autoptr (GError) error = NULL;
  TlMatrix *matrix;

  if (strcmp (program->source[0]->source, "zeros") != 0)
    return load_matrix (run, program->source[0], program->shape.m, program->shape.n, reason);
  matrix = tl_matrix_new (program->result, G_MAXUINT64, program->shape.m, program->shape.n, 0, &error);
  if (matrix == NULL)
    *reason = g_strdup (error->message);
  return matrix;
}

static void
summarise (TlProductRun *run)
{
  TlMatrixSummary summary = tl_matrix_summary (run->values, (TlScalar) { .i = 0 });
  gboolean        real = tl_element_type_is_float (run->values->element);

  run->hash = tl_matrix_hash (run->values);
  run->least = real ? summary.min.r : (double) summary.min.i;
  run->greatest = real ? summary.max.r : (double) summary.max.i;
}

static void
compute (TlProductRun *run, const TlProductRunOptions *options)
{
  const TlCuProgram *program = run->build->product;
  g_autoptr (TlMatrix) a = NULL;
  g_autoptr (TlMatrix) b = NULL;
  g_autoptr (TlMatrix) c = NULL;
  guint64 n = program->shape.n, k = program->shape.k;
  gint64  start = g_get_monotonic_time ();

  if ((c = start_matrix (run, &run->values_reason)) == NULL
      || (a = load_matrix (run, program->source[1], program->shape.m, k, &run->values_reason)) == NULL
      || (b = load_matrix (run, program->source[2], program->by_columns ? n : k, program->by_columns ? k : n,
                           &run->values_reason))
             == NULL)
    return;
  switch (tl_product_values (a, b, program->by_columns, c, 0, options->cancellable))
    {
    case TL_PRODUCT_DONE:
      run->values = g_steal_pointer (&c);
      summarise (run);
      break;
    case TL_PRODUCT_OVERFLOW:
      {
        g_autofree char *type = tl_element_type_name (program->result);
        tl_diag_reason (tl_diags_add (run->diags, TL_SEVERITY_ERROR, "sums-overflow", NULL, tl_span (0, 0),
                                      "a sum of %s does not fit %s", program->output, type),
                        "sums never wrap: declare %s as i64 or f64, or scale the data down; values = off looks at time "
                        "alone",
                        program->output);
        run->values_reason = g_strdup ("a sum does not fit its type");
        break;
      }
    default:
      run->values_reason = g_strdup ("interrupted");
      run->cancelled = TRUE;
    }
  run->values_ns = (g_get_monotonic_time () - start) * 1000;
}

/* --- all of it --- */

TlProductRun *
tl_product_run (TlBuild *build, const TlProductRunOptions *options)
{
  static const TlProductRunOptions none = { 0 };
  TlProductRun                    *run = g_new0 (TlProductRun, 1);
  Job                              job = { .run = run, .options = options != NULL ? options : &none };

  g_return_val_if_fail (build != NULL && build->product != NULL, run);
  run->build = tl_build_ref (build);
  run->diags = tl_diags_new ();
  run->all_ctas = tl_gemm_ctas (&build->product->shape);
  run->ctas = job.options->ctas != 0 ? MIN (job.options->ctas, run->all_ctas) : run->all_ctas;
  simulate (&job);
  if (!run->cancelled && (run->values_reason = unwanted (run, job.options)) == NULL)
    compute (run, job.options);
  run->cancelled |= g_cancellable_is_cancelled (job.options->cancellable);
  run->complete = !run->cancelled && enough (run, wanted (job.options)) && tl_diags_errors (run->diags) == 0;
  return run;
}

void
tl_product_run_free (TlProductRun *run)
{
  if (run == NULL)
    return;
  for (guint i = 0; i < TL_N_PRODUCT_LAYOUTS; i++)
    tl_cu_result_clear (&run->of[i].replay);
  g_clear_pointer (&run->values, tl_matrix_free);
  g_free (run->values_reason);
  g_clear_pointer (&run->diags, tl_diags_unref);
  g_clear_pointer (&run->build, tl_build_unref);
  g_free (run);
}
