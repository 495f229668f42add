/* The four flows a recurrence is compared under (models.md section 3, Flows). Each
 * at command level, for small n, and as a closed form, equal there. Times in ps,
 * as doubles: B0's visits hold n/256 segments, not rounded. */
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
/* The same, every row cycle issued one by one. n <= 4096 or so. */
double tl_flow_b0_commands   (const TlPimMachine *machine,
                              guint32             n);

/* B1: affine tiling only: B (0: the largest legal one), Eq. 2 owner, strict barriers,
 * mean tier, operands over the ring one by one, one row at a time. */
double tl_flow_b1            (const TlPimMachine *machine,
                              guint32             n,
                              guint32             tile,
                              guint32             element_bits);
double tl_flow_b1_commands   (const TlPimMachine *machine,
                              guint32             n,
                              guint32             tile,
                              guint32             element_bits);

/* B2: the bound n^3 / (P * lanes) cycles. */
double tl_flow_b2            (const TlPimMachine *machine,
                              guint32             n);
/* The same, counted update by update. */
double tl_flow_b2_commands   (const TlPimMachine *machine,
                              guint32             n);

/* B3: everything: the program's own run. */
typedef struct
{
  double b0;
  double b1;
  double b2;
  double b3;
} TlFlows;

void   tl_flows              (const TlSimRun     *run,
                              TlFlows            *flows);
