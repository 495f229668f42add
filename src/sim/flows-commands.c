/* The flows step by step, for small n: what the closed forms are held to. B0 issues
 * the commands of one bank at their earliest, B1 walks every row of every operation,
 * B2 deals every update to a lane. */
#include "sim/flows.h"

#include "base/number.h"
#include "emit/program-build.h"

#include <string.h>

/* One bank whose latencies are the mean over the first four tiers; times in ps. */
typedef struct
{
  double tRCD, tRAS, tRP, tRC, tRTP, tWR, tCL, tCWL;
  double burst;
  double ready; /* earliest next ACT */
} MeanBank;

static void
mean_bank_init (MeanBank *bank, const TlPimMachine *machine)
{
  guint tiers = MIN (machine->tiers, 4);

  memset (bank, 0, sizeof *bank);
  for (guint t = 0; t < tiers; t++)
    {
      const TlTierTiming *tier = &machine->tier[t];

      bank->tRCD += (double) tier->tRCD / tiers;
      bank->tRAS += (double) tier->tRAS / tiers;
      bank->tRP += (double) tier->tRP / tiers;
      bank->tRC += (double) tier->tRC / tiers;
      bank->tRTP += (double) tier->tRTP / tiers;
      bank->tWR += (double) tier->tWR / tiers;
      bank->tCL += (double) tier->tCL / tiers;
      bank->tCWL += (double) tier->tCWL / tiers;
    }
  bank->burst = machine->burst;
}

/* Opens a row, closes it again. */
static void
row_cycle (MeanBank *bank)
{
  double act = bank->ready, read = act + bank->tRCD;
  double pre = MAX (act + bank->tRAS, read + bank->tRTP);

  bank->ready = MAX (pre + bank->tRP, act + bank->tRC);
}

/* Opens a row, reads, computes, writes back, closes it. */
static void
read_modify_write (MeanBank *bank, double compute)
{
  double act = bank->ready, read = act + bank->tRCD;
  double write = read + bank->tCL + bank->burst + compute;
  double pre = MAX (act + bank->tRAS, write + bank->tCWL + bank->burst + bank->tWR);

  bank->ready = MAX (pre + bank->tRP, act + bank->tRC);
}

double
tl_flow_b0_commands (const TlPimMachine *machine, guint32 n)
{
  double compute = (double) tl_ceil_div (256, machine->pes) * machine->clock;
  double latest = 0;

  for (guint32 pu = 0; pu < machine->pus; pu++)
    {
      MeanBank bank;

      mean_bank_init (&bank, machine);
      for (guint32 k = 0; k < n; k++)
        for (guint32 i = pu; i < n; i += machine->pus)
          {
            row_cycle (&bank);
            for (guint32 j = 0; j < n; j += 256)
              {
                double before = bank.ready, share = MIN (n - j, 256) / 256.0;

                row_cycle (&bank);
                read_modify_write (&bank, compute);
                bank.ready = before + share * (bank.ready - before);
              }
          }
      latest = MAX (latest, bank.ready);
    }
  return latest;
}

double
tl_flow_b2_commands (const TlPimMachine *machine, guint32 n)
{
  guint64 lanes = (guint64) machine->pus * machine->pes, busy = 0, cycles = 0;

  for (guint32 k = 0; k < n; k++)
    for (guint32 i = 0; i < n; i++)
      for (guint32 j = 0; j < n; j++)
        if (++busy == lanes)
          {
            busy = 0;
            cycles++;
          }
  /* The last, partly filled cycle counts by its share: the bound is not rounded. */
  return ((double) cycles + (double) busy / (double) lanes) * machine->clock;
}

/* B1: one PU's clock and what it does to it. */
typedef struct
{
  const TlPimMachine *machine;
  guint32             n;
  guint32             tile;
  guint32             element_bits;
  double              row;
  double             *now; /* of each PU */
} Walk;

static guint64
side (const Walk *walk, guint32 index)
{
  return MIN (walk->tile, walk->n - index * walk->tile);
}

static void
stream (Walk *walk, guint32 pu, guint32 i, guint32 j, gboolean from_afar)
{
  guint64 bytes = tl_ceil_div (side (walk, i) * side (walk, j) * walk->element_bits, 8);

  for (guint64 at = 0; at < bytes; at += walk->machine->row_bytes)
    walk->now[pu] += walk->row;
  /* Each link carries its share of every PU's tile: P / 4 hops, two directions. */
  if (from_afar)
    walk->now[pu]
        += (double) bytes * (walk->machine->pus / 4.0) / (2.0 * walk->machine->ring_bytes) * walk->machine->clock;
}

static void
operation (Walk *walk, guint32 pu, guint32 i, guint32 j, guint32 k)
{
  stream (walk, pu, i, j, FALSE);
  if (i == k && j == k)
    ;
  else if (i == k || j == k)
    stream (walk, pu, k, k, TRUE);
  else
    {
      stream (walk, pu, i, k, TRUE);
      stream (walk, pu, k, j, TRUE);
    }
  walk->now[pu] += (double) (side (walk, i) * side (walk, k) * tl_ceil_div (side (walk, j), walk->machine->pes))
                   * walk->machine->clock;
  stream (walk, pu, i, j, FALSE);
}

static void
barrier (Walk *walk)
{
  double latest = 0;

  for (guint32 pu = 0; pu < walk->machine->pus; pu++)
    latest = MAX (latest, walk->now[pu]);
  for (guint32 pu = 0; pu < walk->machine->pus; pu++)
    walk->now[pu] = latest;
}

double
tl_flow_b1_commands (const TlPimMachine *machine, guint32 n, guint32 tile, guint32 element_bits)
{
  MeanBank           bank;
  g_autofree double *now = g_new0 (double, machine->pus);
  Walk               walk = { .machine = machine, .n = n, .tile = tile, .element_bits = element_bits, .now = now };

  mean_bank_init (&bank, machine);
  walk.row = bank.tRC;
  if (tile == 0)
    walk.tile = tl_pim_legal_tile (machine, element_bits, 1);

  guint32 tiles = (guint32) tl_ceil_div (n, walk.tile);
#define OWNER(i, j) tl_pim_owner (i, j, tiles, machine->pus, FALSE)

  for (guint32 k = 0; k < tiles; k++)
    {
      operation (&walk, OWNER (k, k), k, k, k);
      barrier (&walk);
      for (guint32 x = 0; x < tiles; x++)
        if (x != k)
          {
            operation (&walk, OWNER (k, x), k, x, k);
            operation (&walk, OWNER (x, k), x, k, k);
          }
      barrier (&walk);
      for (guint32 i = 0; i < tiles; i++)
        for (guint32 j = 0; j < tiles; j++)
          if (i != k && j != k)
            operation (&walk, OWNER (i, j), i, j, k);
      barrier (&walk);
    }
#undef OWNER
  return now[0];
}
