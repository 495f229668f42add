/* B0, B1 and B2 in closed form, and the alignment's wavefront. */
#include "sim/flows.h"

#include "base/number.h"
#include "emit/program-build.h"

#include <math.h>

#define SEGMENT 256 /* elements: one 1 KB row of 4-byte ones */

/* The matrix lies striped over the first four tiers: each latency is their mean. */
static double
mean (const TlPimMachine *machine, double (*of) (const TlTierTiming *tier))
{
  guint  tiers = MIN (machine->tiers, 4);
  double sum = 0;

  for (guint t = 0; t < tiers; t++)
    sum += of (&machine->tier[t]);
  return sum / tiers;
}

static double
row_cycle (const TlTierTiming *tier)
{
  return tier->tRC;
}

static double
latencies (const TlTierTiming *tier)
{
  return (double) tier->tRCD + tier->tCL + tier->tCWL + tier->tWR + tier->tRP;
}

void
tl_flow_b0_costs (const TlPimMachine *machine, TlB0Costs *costs)
{
  double compute = (double) tl_ceil_div (SEGMENT, machine->pes) * machine->clock;
  double modify = mean (machine, latencies) + 2.0 * machine->burst + compute;

  costs->row = mean (machine, row_cycle);
  costs->segment = costs->row + MAX (costs->row, modify);
}

double
tl_flow_b0 (const TlPimMachine *machine, guint32 n)
{
  TlB0Costs costs;

  tl_flow_b0_costs (machine, &costs);
  return (double) tl_ceil_div (n, machine->pus) * n * (costs.row + (double) n / SEGMENT * costs.segment);
}

double
tl_flow_b2 (const TlPimMachine *machine, guint32 n)
{
  return (double) n * n * n / ((double) machine->pus * machine->pes) * machine->clock;
}

/* Costs of B1's operation on a tile of the given sides. */
typedef struct
{
  const TlPimMachine *machine;
  guint32             tile;
  guint32             edge; /* side of the last tiles */
  guint32             tiles;
  guint32             element_bits;
  double              row;
  gboolean            compute_only;
} B1;

static double
tile_bytes (const B1 *b1, gboolean last_i, gboolean last_j)
{
  guint64 height = last_i ? b1->edge : b1->tile, width = last_j ? b1->edge : b1->tile;

  return (double) tl_ceil_div (height * width * b1->element_bits, 8);
}

static double
tile_rows (const B1 *b1, gboolean last_i, gboolean last_j)
{
  return ceil (tile_bytes (b1, last_i, last_j) / b1->machine->row_bytes) * b1->row;
}

static double
fetch (const B1 *b1, gboolean last_i, gboolean last_j)
{
  double hops = b1->machine->pus / 4.0;

  if (b1->compute_only)
    return 0;
  return tile_rows (b1, last_i, last_j)
         + tile_bytes (b1, last_i, last_j) * hops / (2.0 * b1->machine->ring_bytes) * b1->machine->clock;
}

static double
compute (const B1 *b1, gboolean last_i, gboolean last_j, gboolean last_k)
{
  double height = last_i ? b1->edge : b1->tile, depth = last_k ? b1->edge : b1->tile;

  return height * depth * (double) tl_ceil_div (last_j ? b1->edge : b1->tile, b1->machine->pes) * b1->machine->clock;
}

static double
pivot_time (const B1 *b1, gboolean k)
{
  return 2 * tile_rows (b1, k, k) + compute (b1, k, k, k);
}

static double
cross_time (const B1 *b1, gboolean i, gboolean j, gboolean k)
{
  return 2 * tile_rows (b1, i, j) + fetch (b1, k, k) + compute (b1, i, j, k);
}

static double
internal_time (const B1 *b1, gboolean i, gboolean j, gboolean k)
{
  return 2 * tile_rows (b1, i, j) + fetch (b1, i, k) + fetch (b1, k, j) + compute (b1, i, j, k);
}

static void
b1_init (B1 *b1, const TlPimMachine *machine, guint32 n, guint32 tile, guint32 element_bits)
{
  if (tile == 0)
    tile = tl_pim_legal_tile (machine, element_bits, 1);
  *b1 = (B1) {
    .machine = machine,
    .tile = tile,
    .tiles = (guint32) tl_ceil_div (n, tile),
    .element_bits = element_bits,
    .row = mean (machine, row_cycle),
  };
  b1->edge = n - (b1->tiles - 1) * tile;
}

static inline guint32
owner (const B1 *b1, guint32 i, guint32 j)
{
  return tl_pim_owner (i, j, b1->tiles, b1->machine->pus, FALSE);
}

/* Own tiles of each PU by class: inner, last row, last column, corner. */
typedef guint32 ClassCounts[4];

static ClassCounts *
count_classes (const B1 *b1)
{
  ClassCounts *counts = g_new0 (ClassCounts, b1->machine->pus);

  for (guint32 i = 0; i < b1->tiles; i++)
    for (guint32 j = 0; j < b1->tiles; j++)
      counts[owner (b1, i, j)][2 * (i + 1 == b1->tiles) + (j + 1 == b1->tiles)]++;
  return counts;
}

/* Largest loads of one super-step: row and column tiles, and the rest. */
static void
largest_loads (const B1 *b1, ClassCounts *counts, guint32 k, double *cross, double *internal)
{
  const guint32           pus = b1->machine->pus, tiles = b1->tiles;
  const gboolean          last_k = k + 1 == tiles;
  g_autofree double      *load = g_new0 (double, pus);
  g_autofree ClassCounts *left = g_memdup2 (counts, pus * sizeof *counts);

  *cross = *internal = 0;
  left[owner (b1, k, k)][2 * last_k + last_k]--;
  for (guint32 x = 0; x < tiles; x++)
    if (x != k)
      {
        const gboolean last_x = x + 1 == tiles;

        load[owner (b1, k, x)] += cross_time (b1, last_k, last_x, last_k);
        load[owner (b1, x, k)] += cross_time (b1, last_x, last_k, last_k);
        left[owner (b1, k, x)][2 * last_k + last_x]--;
        left[owner (b1, x, k)][2 * last_x + last_k]--;
      }
  for (guint32 pu = 0; pu < pus; pu++)
    {
      double inner = 0;

      for (guint c = 0; c < 4; c++)
        inner += left[pu][c] * internal_time (b1, c / 2, c % 2, last_k);
      *cross = MAX (*cross, load[pu]);
      *internal = MAX (*internal, inner);
    }
}

static double
strict_time (const B1 *b1)
{
  g_autofree ClassCounts *counts = count_classes (b1);
  double                  total = 0;

  for (guint32 k = 0; k < b1->tiles; k++)
    {
      double cross, internal;

      largest_loads (b1, counts, k, &cross, &internal);
      total += pivot_time (b1, k + 1 == b1->tiles) + cross + internal;
    }
  return total;
}

double
tl_flow_b1 (const TlPimMachine *machine, guint32 n, guint32 tile, guint32 element_bits)
{
  B1 b1;

  b1_init (&b1, machine, n, tile, element_bits);
  return strict_time (&b1);
}

double
tl_flow_strict (const TlPimMachine *machine, guint32 n, guint32 tile, guint32 element_bits)
{
  B1 b1;

  b1_init (&b1, machine, n, tile, element_bits);
  b1.row = 0;
  b1.compute_only = TRUE;
  return strict_time (&b1);
}

void
tl_flows (const TlSimRun *run, TlFlows *flows)
{
  const TlPimProgram *program = run->program;

  flows->b0 = tl_flow_b0 (&program->machine, program->n);
  flows->b1 = tl_flow_b1 (&program->machine, program->n, 0, program->element_bits);
  flows->b2 = tl_flow_b2 (&program->machine, program->n);
  flows->b3 = (double) run->makespan;
}

double
tl_flow_alignment (const TlPimMachine *machine, guint32 length, double error)
{
  /* Three 4-byte tiles in the scratchpad, down to whole 16-lane strips: 144. */
  guint32 tile = (guint32) tl_isqrt (machine->scratchpad_bytes / (3 * 4)) / machine->pes * machine->pes;
  gint64  band = llround (error * length), side = (gint64) tl_ceil_div (length, MAX (tile, 1));
  double  strips, rounds = 0, all = 0;
  guint32 pus = machine->pus - machine->search_pus;

  g_return_val_if_fail (tile > 0 && pus > 0, 0);
  strips = (double) tl_ceil_div (tile, machine->pes);
  for (gint64 diagonal = 0; diagonal < 2 * side - 1; diagonal++)
    {
      gint64 touched = 0;

      for (gint64 i = MAX (0, diagonal - side + 1); i <= MIN (diagonal, side - 1); i++)
        {
          gint64 apart = ABS (diagonal - 2 * i); /* tile columns from the main diagonal */

          /* Nearest cells of tiles d apart are (d - 1) tile + 1 apart. */
          touched += apart == 0 || (apart - 1) * (gint64) tile + 1 <= band;
        }
      all += (double) touched;
      rounds += (double) tl_ceil_div ((guint64) touched, pus);
    }
  return all * strips * tile / (rounds * strips * (tile + machine->pes - 1));
}
