/* The compute unit beside its stack (models.md section 6): resident thread blocks (CTAs) read their operand tiles
 * row by row, one request a cycle, as asynchronous copies into S stages each; a tensor core takes the k steps whose
 * tiles have come. The DRAM is the scheduled engine (dram/engine.h), and the loop is closed: a stage is loaded again
 * once it has been computed, so what is asked for when depends on how quickly the memory was.
 *
 * - A slot's CTA issues the requests of k step s once stage s mod S is free, that is once step s - S has been
 *   computed; its first step waits for the whole CTA before it.
 * - Turns of one tile row each go round over the slots that may issue; slot i first lets skew * i turns pass.
 * - The port takes one request a cycle and holds one that finds the scheduler's window full.
 * - A step is ready when its last data beat and those of its CTA's steps before it have come. The core takes ready
 *   steps in that order, ties to the lower slot, for ceil (tile_m tile_n tile_k / macs) cycles each; edge tiles are
 *   filled up.
 * - C is neither read nor written. The kernel ends with the last step.
 * Times are picoseconds from 0. */
#pragma once

#include "dram/engine.h"
#include "place/gemm-plan.h"

#include <gio/gio.h>

/* What runs on what. */
typedef struct
{
  TlGemmShape          shape;   /* shape.ctas cuts the run short */
  const TlGemmPlacing *placing; /* NULL: as the shape says; borrowed */
  guint                stages;  /* 1..64 */
  guint32              macs;    /* a cycle */
  guint64              limit;   /* turns are given out until so many requests are; 0: all. The kernel of a run that is
                                 * cut ends with its data, if that is later than the core */
  TlMemory             memory;
  TlAddressMap        *map;     /* borrowed */
  TlEngineOptions      engine;  /* sink and sink_data are the machine's own */
} TlCuWork;

typedef struct
{
  gboolean      record;      /* keep the accesses */
  GCancellable *cancellable; /* may be NULL */
  /* Now and then, with requests issued of all; may be NULL. */
  void (*progress) (guint64 done, guint64 total, gpointer data);
  gpointer data;
} TlCuOptions;

typedef struct
{
  gboolean       cancelled;
  guint64        ctas, steps; /* that were computed */
  guint64        kernel;      /* ps, the end of the last step */
  guint64        compute;     /* ps in which the core worked; the rest of the kernel it stalled */
  TlEngineTotals totals;
  TlShare        operand[TL_N_GEMM_OPERANDS];
  guint64        requests_of[TL_N_GEMM_OPERANDS];
  double         mean_latency; /* cycles */
  guint64        p99_latency;  /* cycles */
  GArray        *accesses;     /* of TlAccess: unit, when it entered the window, operand, CTA (cut to 16 bits) as
                                * requester; the same run without the loop. NULL unless recorded */
} TlCuResult;

/* The shape is one that is admitted, its addresses fit the map. Deterministic. */
void    tl_cu_run          (const TlCuWork    *work,
                            const TlCuOptions *options, /* may be NULL */
                            TlCuResult        *result);
void    tl_cu_result_clear (TlCuResult        *result);
/* Cycles of the core for one k step. */
guint64 tl_cu_step_cycles  (const TlGemmShape *shape,
                            guint32            macs);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TlCuResult, tl_cu_result_clear)
