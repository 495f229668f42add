/* The budgets of tile placement: searches, the plan of a product, and what the address function costs beside plain
 * addresses. Prints, never judges. Times are of the processor, so that a busy machine shows less. */
#include "figure.h"
#include "place/gemm-plan.h"
#include "place/row-kernel.h"
#include "support/support.h"

#include <stdio.h>
#include <sys/resource.h>

#define QUANTUM_SHIFT 7
#define REGION_UNITS  512 /* of 128 bytes: 64 KiB */
#define ALL_UNITS     100000000u
#define ROUNDS        9

static TlSequence *
random_sequence (guint64 *state, guint bits, guint length)
{
  g_autofree guint16 *units = g_new (guint16, length);

  for (guint i = 0; i < length; i++)
    units[i] = (guint16) tl_test_random_below (state, 1u << bits);
  return tl_sequence_new (bits, units, length);
}

/* The heaviest kernel of @histogram, weights as they stand there; ms. */
static double
time_kernel (TlRowKernelSearch *search, const TlHistogram *histogram, const TlSubspace *domain_kernel, guint c)
{
  TlRowKernel kernel;
  double      start = bench_cpu_seconds ();

  tl_row_kernel_exact (search, histogram, domain_kernel, c, 0, TL_ROW_KERNEL_NODE_LIMIT, &kernel);
  return (bench_cpu_seconds () - start) * 1000;
}

/* Dense random orders of 2^12 units. */
static void
bench_fixed (guint n_domain)
{
  const guint n = 12;
  g_autoptr (TlHistogram) histogram = tl_histogram_new (n);
  g_autoptr (TlRowKernelSearch) search = tl_row_kernel_search_new (n);
  guint64 state = tl_test_seed ();
  g_autoptr (GString) times = g_string_new (NULL);

  for (guint c = 2; c <= 7; c++)
    {
      double worst = 0;

      for (guint round = 0; round < 5; round++)
        {
          g_autoptr (TlSequence) sequence = random_sequence (&state, n, 4096 << round);
          guint16 rows[TL_PLACE_MAX_BITS];

          for (guint i = 0; i < n_domain; i++)
            rows[i] = (guint16) tl_test_random_below (&state, 1u << n);
          TlSubspace span = tl_subspace_span (rows, n_domain);
          TlSubspace domain_kernel = tl_subspace_complement (&span, n);
          tl_histogram_count (histogram, sequence, rows, n_domain);
          worst = MAX (worst, time_kernel (search, histogram, &domain_kernel, c));
        }
      g_string_append_printf (times, "%s%.1f", c > 2 ? " " : "", worst);
    }
  g_autofree char *what = g_strdup_printf ("fixed domains, n 12, %u domain bits, c 2 to 7, worst of 5", n_domain);
  bench_figure (what, "10 ms", "%s ms", times->str);
}

/* Weights that no order of accesses has, but that leave the bounds least to hold on to: 0 or 1 by chance, and a
 * little more or less than the number of ones. */
static void
bench_hardest (gboolean counted)
{
  const guint n = 12;
  g_autoptr (TlHistogram) histogram = tl_histogram_new (n);
  g_autoptr (TlRowKernelSearch) search = tl_row_kernel_search_new (n);
  guint64    state = tl_test_seed ();
  TlSubspace whole = { .dim = n };
  g_autoptr (GString) times = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    whole.basis[i] = (guint16) (1u << (n - 1 - i));
  for (guint c = 2; c <= 7; c++)
    {
      double worst = 0;

      for (guint round = 0; round < 3; round++)
        {
          for (guint32 v = 0; v < 1u << n; v++)
            histogram->weight[v] = (guint32) tl_test_random_below (&state, 2)
                                   + (counted ? 100 + 3 * (guint32) __builtin_popcount (v) : 0);
          worst = MAX (worst, time_kernel (search, histogram, &whole, c));
        }
      g_string_append_printf (times, "%s%.1f", c > 2 ? " " : "", worst);
    }
  bench_figure (counted ? "  the same, counted ones and a bit of chance" : "  the same, weights of 0 or 1 by chance",
                "", "%s ms", times->str);
}

static void
bench_joint (guint length)
{
  guint64 state = tl_test_seed ();
  double  worst = 0;

  for (guint c = 1; c <= 4; c++)
    {
      g_autoptr (TlSequence) sequence = random_sequence (&state, 8, length);
      TlPlanOptions options = { .columns = c, .domains = 4, .step_limit = TL_PLAN_STEP_LIMIT };
      TlFreePlan    plan;
      double        start = bench_cpu_seconds ();

      tl_plan_free_domains (sequence, &options, &plan);
      worst = MAX (worst, bench_cpu_seconds () - start);
    }
  g_autofree char *what = g_strdup_printf ("free domains, n 8, d 4, %u random accesses, worst of c 1 to 4", length);
  bench_figure (what, "1000 ms", "%.0f ms", worst * 1000);
}

static TlAddressMap *
stack (void)
{
  TlMemory         memory = { .kind = TL_MACHINE_CU,
                              .channels = 1,
                              .pseudo_channels = 1,
                              .tiers = 8,
                              .groups = 1,
                              .banks = 16,
                              .rows = 1 << 13,
                              .columns = 8 };
  g_autofree char *reason = NULL;

  return tl_address_map_parse ("RoBaTiCoCh", &memory, &reason);
}

static void
bench_product (guint resident, gboolean transposed)
{
  g_autoptr (TlAddressMap) map = stack ();
  g_autoptr (TlDiags) diags = tl_diags_new ();
  TlGemmPlanOptions options = { .step_limit = TL_PLAN_STEP_LIMIT, .sample = 1 << 16 };
  TlGemmShape       shape = { .m = 128,
                              .n = 8192,
                              .k = 5120,
                              .tile_m = 128,
                              .tile_n = 256,
                              .tile_k = 64,
                              .quantum = 128,
                              .transposed = transposed,
                              .resident = resident,
                              .skew = 7 };
  double            start = bench_cpu_seconds ();
  g_autoptr (TlGemmPlan) plan = tl_gemm_plan_new (&shape, map, &options, diags);
  g_autofree char *what
      = g_strdup_printf ("both operands of 128 x 8192 x 5120, tiles 128 x 256 x 64, %u at a time", resident);

  bench_figure (what, "100 ms", "%.1f ms, %u ways", (bench_cpu_seconds () - start) * 1000,
                plan != NULL ? plan->n_ways : 0);
}

/* Layouts as they are emitted, equal to what tl_tile_map_expression gives: arithmetic with constants. */
#define PLANNED(u)   ((u & 0x1ff) << 0)
#define SCRAMBLED(u) ((u & 0x7) << 3) ^ ((u & 0x1c0) << 0) ^ ((u & 0x100) >> 1) ^ ((u & 0x80) >> 2) ^ ((u & 0x38) >> 3)
#define TEXT_(text)  #text
#define TEXT(text)   TEXT_ (text)

/* The sums are never inlined, so that each is compiled for itself; a byte a unit, in the order of the units. One by
 * one, and four to a turn of the loop, where the low bits of a unit are constants. A base has no
 * bit of the span under a plain map, nor have units 1 to 3 one of the others here: plus is exclusive or. */
#define SUM_ONE(name, layout)                                                                                          \
  static __attribute__ ((noinline)) guint64 name (const guint8 *bytes, guint64 base, guint passes)                     \
  {                                                                                                                    \
    guint64 sum = 0;                                                                                                   \
    for (guint pass = 0; pass < passes; pass++)                                                                        \
      for (guint64 u = 0; u < REGION_UNITS; u++)                                                                       \
        sum += bytes[(base + (layout (u))) << QUANTUM_SHIFT];                                                          \
    return sum;                                                                                                        \
  }
#define SUM_FOUR(name, layout)                                                                                         \
  static __attribute__ ((noinline)) guint64 name (const guint8 *bytes, guint64 base, guint passes)                     \
  {                                                                                                                    \
    guint64 sum = 0;                                                                                                   \
    for (guint pass = 0; pass < passes; pass++)                                                                        \
      for (guint64 u = 0; u < REGION_UNITS; u += 4)                                                                    \
        {                                                                                                              \
          guint64 at = (base + (layout (u))) << QUANTUM_SHIFT;                                                         \
          sum += bytes[at];                                                                                            \
          sum += bytes[at + ((guint64) (layout (1)) << QUANTUM_SHIFT)];                                                \
          sum += bytes[at + ((guint64) (layout (2)) << QUANTUM_SHIFT)];                                                \
          sum += bytes[at + ((guint64) (layout (3)) << QUANTUM_SHIFT)];                                                \
        }                                                                                                              \
    return sum;                                                                                                        \
  }
#define PLAIN(u) u
SUM_ONE (plain_by_one, PLAIN)
SUM_FOUR (plain_by_four, PLAIN)
SUM_ONE (planned_by_one, PLANNED)
SUM_FOUR (planned_by_four, PLANNED)
SUM_ONE (scrambled_by_one, SCRAMBLED)
SUM_FOUR (scrambled_by_four, SCRAMBLED)

/* The same by the tables of a tile map that is known only when the program runs. */
static __attribute__ ((noinline)) guint64
looked_up (const guint8 *bytes, const TlTileMap *map, guint64 base, guint passes)
{
  guint64 sum = 0;

  for (guint pass = 0; pass < passes; pass++)
    for (guint32 unit = 0; unit < REGION_UNITS; unit++)
      sum += bytes[tl_address_of_unit (map, base, unit) << QUANTUM_SHIFT];
  return sum;
}

typedef struct
{
  const char *what;
  guint64 (*sum) (const guint8 *bytes, guint64 base, guint passes); /* NULL: by the tables */
  double best;
} Addressing;

static void
show_cost (const char *layout, const TlPlacement *placement, const char *emitted, Addressing *ways, guint n,
           const guint8 *bytes)
{
  g_autoptr (TlAddressMap) map = stack ();
  const guint           passes = ALL_UNITS / REGION_UNITS;
  g_autofree char      *reason = NULL;
  g_autofree TlTileMap *tile = tl_tile_map_new (placement, map, 0, &reason);
  g_autofree char      *expression = tl_tile_map_expression (tile, "u");
  g_autofree char      *title = g_strdup_printf ("10^8 units of 64 KiB, plain addresses (beside %s)", layout);
  guint64               wanted = plain_by_one (bytes, 0, passes);

  if (g_strcmp0 (expression, emitted) != 0)
    printf ("the layout is emitted as %s, measured is %s\n", expression, emitted);
  for (guint i = 0; i < n; i++)
    ways[i].best = G_MAXDOUBLE;
  for (guint round = 0; round < ROUNDS; round++)
    for (guint i = 0; i < n; i++)
      {
        double  start = bench_cpu_seconds ();
        guint64 sum = ways[i].sum != NULL ? ways[i].sum (bytes, 0, passes) : looked_up (bytes, tile, 0, passes);

        ways[i].best = MIN (ways[i].best, bench_cpu_seconds () - start);
        if (sum != wanted)
          printf ("the sums differ: the layout is no bijection\n");
      }
  /* Ways 0 and 1 are plain, of one unit and of four to a turn; like stands beside like. */
  bench_figure (title, "", "%.1f %.1f ms", ways[0].best * 1000, ways[1].best * 1000);
  for (guint i = 2; i < n; i++)
    bench_figure (ways[i].what, i < 4 ? "+5 %" : "", "%+.1f %%", 100 * (ways[i].best / ways[i % 2].best - 1));
}

/* Caches see the units of another layout in another order, which is no cost of the arithmetic; PLAN's
 * layout of a scan on this stack has the order of the units. */
static void
bench_apply (void)
{
  /* Columns from the middle, domain bits of one and of two unit bits. */
  TlPlacement        scrambled = { 9, 6, 0, 3, { 1, 2, 4 ^ 128, 64, 128 ^ 256, 256, 8, 16, 32 }, 11 };
  TlPlanOptions      options = { .columns = 3, .domains = 7, .step_limit = TL_PLAN_STEP_LIMIT };
  g_autofree guint8 *memory = g_malloc ((REGION_UNITS << QUANTUM_SHIFT) + 4096);
  guint8            *bytes = memory + (4096 - (guintptr) memory % 4096);
  guint16            units[REGION_UNITS];
  TlFreePlan         plan;
  Addressing         by_plan[] = { { "", plain_by_one, 0 },
                                   { "", plain_by_four, 0 },
                                   { "  APPLY as emitted, unit by unit", planned_by_one, 0 },
                                   { "  APPLY as emitted, four to a turn", planned_by_four, 0 },
                                   { "  APPLY by tables", NULL, 0 } };
  Addressing         by_scrambling[] = { { "", plain_by_one, 0 },
                                         { "", plain_by_four, 0 },
                                         { "  APPLY as emitted, unit by unit", scrambled_by_one, 0 },
                                         { "  APPLY as emitted, four to a turn", scrambled_by_four, 0 },
                                         { "  APPLY by tables", NULL, 0 } };

  for (guint i = 0; i < REGION_UNITS << QUANTUM_SHIFT; i++)
    bytes[i] = (guint8) (i * 7 + i / 128);
  for (guint i = 0; i < REGION_UNITS; i++)
    units[i] = (guint16) i;
  g_autoptr (TlSequence) scan = tl_sequence_new (9, units, REGION_UNITS);
  tl_plan_free_domains (scan, &options, &plan);
  show_cost ("PLAN's layout", &plan.placement, TEXT (PLANNED (u)), by_plan, G_N_ELEMENTS (by_plan), bytes);
  show_cost ("a scrambled one", &scrambled, TEXT (SCRAMBLED (u)), by_scrambling, G_N_ELEMENTS (by_scrambling), bytes);
}

int
main (void)
{
  struct rusage usage;

  printf ("%-62s %12s %14s\n", "tile placement", "budget", "measured");
  bench_fixed (0);
  bench_fixed (1);
  bench_fixed (3);
  bench_hardest (FALSE);
  bench_hardest (TRUE);
  bench_joint (256);
  bench_joint (1024);
  bench_joint (4096);
  bench_product (1, FALSE);
  bench_product (4, TRUE);
  bench_apply ();
  getrusage (RUSAGE_SELF, &usage);
  bench_figure ("peak memory of all of it", "64 MB", "%.0f MB", (double) usage.ru_maxrss / 1024);
  return 0;
}
