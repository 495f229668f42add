/* A machine and a semiring by hand, so that these suites need no target files. */
#pragma once

#include "emit/program-build.h"

/* The numbers of models.md section 1. */
static inline TlPimMachine
fixture_machine (void)
{
  static const guint32 tRCD[] = { 2290, 3920, 5990, 8500, 11440, 14820, 18630, 22880 };
  TlPimMachine         machine = {
    .clock = 1000, .pus = 32, .search_pus = 8, .pes = 16, .channels = 16, .groups = 2, .banks = 4, .tiers = 8,
    .rows = 32768, .row_bytes = 1024, .beat_bytes = 128, .tier_bytes = G_GUINT64_CONSTANT (4) << 30,
    .sram_bytes = 768 << 10, .scratchpad_bytes = 256 << 10, .ring_bytes = 16, .ring_hop = 1, .burst = 1000,
    .tCCD = 1000, .tRRD = 4000, .tFAW = 16000, .tWTR = 5000, .dram_fj_per_bit = 429, .alu_fj = 200,
    .sram_local_fj = 7480, .sram_shared_fj = 320600, .hop_fj_per_bit = 50,
  };

  for (guint t = 0; t < G_N_ELEMENTS (tRCD); t++)
    machine.tier[t] = (TlTierTiming) {
      .tRCD = tRCD[t], .tRAS = tRCD[t] + 27500, .tRP = 4770, .tRC = tRCD[t] + 32270,
      .tRTP = 5000, .tWR = 10000, .tCL = 10000, .tCWL = 8000,
    };
  return machine;
}

/* (min, +) on i32. */
static inline TlSemiring
fixture_semiring (void)
{
  TlSemiring semiring = { 0 };

  tl_element_type_parse ("i32", &semiring.carrier.element);
  semiring.carrier.has_inf = TRUE;
  semiring.carrier.low.i = G_MININT32;
  semiring.carrier.high.i = G_MAXINT32;
  semiring.plus.kind = TL_OPERATOR_MIN;
  semiring.times.kind = TL_OPERATOR_ADD;
  semiring.zero.i = TL_INF;
  return semiring;
}
