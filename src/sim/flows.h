/* The four flows a recurrence is compared under (models.md section 3, Flows; section
 * 4 for alignment). Each at command level, for small n, and as a closed form, equal
 * there. Times in ps, as doubles: B0's visits hold n/256 segments, not rounded. */
#pragma once

#include "sim/run.h"

/* B0: no tiling, no tiers. ps a row visit and a segment of 256 elements. */
typedef struct
{
  double row;     /* tRC, mean over the first four tiers: A_ik */
  double segment; /* tRC for A_kj + max (tRC, tRCD + tCL + 1 + 16 + tCWL + 1 + tWR + tRP) for A_ij */
} TlB0Costs;

void   tl_flow_b0_costs      (const TlPimMachine *machine,
                              TlB0Costs          *costs);
/* ceil (n / P) * n * (row + n / 256 * segment). */
double tl_flow_b0            (const TlPimMachine *machine,
                              guint32             n);
/* The same, every command of a bank issued at its earliest; the part of a segment is
 * charged by its share. */
double tl_flow_b0_commands   (const TlPimMachine *machine,
                              guint32             n);

/* B1: affine tiling only: B (0: the largest legal one), Eq. 2 owner, strict barriers,
 * edges trimmed, mean tier, one row at a time (rows * tRC a tile), nothing overlapped.
 * Operands come over the ring one by one: all PUs fetch at once over P / 4 hops on
 * average, both directions, so a tile takes bytes * P / 4 / (2 * width) cycles. */
double tl_flow_b1            (const TlPimMachine *machine,
                              guint32             n,
                              guint32             tile,
                              guint32             element_bits);
/* The same, operation by operation and row by row, in program order. */
double tl_flow_b1_commands   (const TlPimMachine *machine,
                              guint32             n,
                              guint32             tile,
                              guint32             element_bits);

/* The same schedule with computing alone: no memory, no ring. */
double tl_flow_strict        (const TlPimMachine *machine,
                              guint32             n,
                              guint32             tile,
                              guint32             element_bits);

/* B2: the bound n^3 / (P * lanes) cycles. */
double tl_flow_b2            (const TlPimMachine *machine,
                              guint32             n);
/* The same, update by update dealt to the lanes. */
double tl_flow_b2_commands   (const TlPimMachine *machine,
                              guint32             n);

/* B3: everything: the program's own run. ps each. */
typedef struct
{
  double b0;
  double b1;
  double b2;
  double b3;
} TlFlows;

void   tl_flows              (const TlSimRun     *run,
                              TlFlows            *flows);

/* Speed-up of the banded alignment of @length bases at error rate @error over one PU
 * (section 4): band |i - j| <= round (e L), tiles of the scratchpad's three 4-byte
 * tiles that touch it, anti-diagonals in order, n tiles in ceil (n / compute PUs) rounds
 * of ceil (B / 16) (B + 15) cycles; one PU has no fill. */
double tl_flow_alignment     (const TlPimMachine *machine,
                              guint32             length,
                              double              error);
