/* What a run needs of a program and never changes: timings, shapes of tiles, what an
 * operation of each phase does (read from the loop code), each PU's own tiles in
 * order, and where tiles and copies lie. */
#pragma once

#include "emit/program.h"
#include "sim/group-private.h"

/* One phase's operation as the code says. */
typedef struct
{
  guint8   n_waits;
  guint8   n_copies;
  guint8   n_reads;
  guint8   wait[4];  /* TlOperand */
  guint8   copy[4];
  guint8   read[4];
  gboolean from_copy[4];
  guint32  lanes;
  gboolean broadcast;
  gboolean barrier;  /* after the phase */
} TlRecipe;

/* A tile of the run: operation (i,j) at k. */
typedef struct
{
  guint32 k;
  guint32 i;
  guint32 j;
  guint16 pu;
  guint8  phase;  /* TlPhase */
  guint8  copies; /* first uses, to be written: 1 left or pivot, 2 right */
} TlTask;

/* Rows and beats of a tile, by whether its rows and its columns are the last ones
 * (trimmed there). */
typedef struct
{
  guint32 rows;
  guint32 last_beats;
  guint32 beats;
  guint64 bytes;
} TlTileShape;

/* Everything the memory sees of an operation; equal for all operations of a class. */
typedef struct
{
  TlTileStream load[6];    /* copies first, then what is read */
  guint8       operand[6]; /* TlOperand of each */
  guint8       n_copies;
  guint8       n_loads;
  TlTileStream store;
  gint64       compute;    /* ps */
} TlWork;

typedef struct
{
  TlPimProgram *program;     /* owned reference */
  TlTimings     timings;
  gint64        horizon;     /* see tl_timings_horizon */
  TlRecipe      recipe[TL_N_PHASES];
  TlTileShape   shape[2][2]; /* [last tile row][last tile column] */
  guint32       tiles;       /* M */
  guint32       pus;
  guint32      *own_start;   /* pus + 1 */
  guint32      *own;         /* tiles of each PU, row by row: i << 16 | j */
  gint64        ring_hops;   /* ps from the ring being free again to the copy being usable */
  gboolean      ring_free;
  gboolean      charged;
  /* Addresses: slots of ceil (rows / banks) rows a bank, copies first, then own
   * tiles in order. */
  guint32       slot_rows;
  gboolean      aliased;     /* a PU's slots do not fit its own banks: rows are taken modulo, and two slots may
                              * then share some of their rows, not all or none */
  guint32      *rank;        /* of a tile among its PU's tiles of its tier */
  guint32      *copies;      /* of each PU */
  guint32      *left_slot;   /* PU * M + i: slot of its copy of (i,k); G_MAXUINT32: reads none */
  guint32      *right_slot;  /* PU * M + j */
} TlSimPlan;

/* NULL with TL_SIM_ERROR when the code has not the shape of a pim program. */
TlSimPlan *tl_sim_plan_new       (TlPimProgram    *program,
                                  GError         **error);
void       tl_sim_plan_free      (TlSimPlan       *plan);

/* The work of @task, with addresses. */
void       tl_sim_plan_work      (const TlSimPlan *plan,
                                  const TlTask    *task,
                                  TlWork          *work);
/* Of that work first rows and tiers of its tiles alone: loads, then the store. Returns how
 * many. */
guint      tl_sim_plan_first_rows (const TlSimPlan *plan,
                                   const TlTask    *task,
                                   guint32          first[7],
                                   guint8           tier[7]);
/* Tile that @operand is of @task: tile index i * M + j. */
guint64    tl_task_operand       (const TlSimPlan *plan,
                                  const TlTask    *task,
                                  TlOperand        operand);
gint64     tl_sim_plan_ring_time (const TlSimPlan *plan,
                                  guint32          i,
                                  guint32          j);

static inline guint
tl_sim_plan_is_last (const TlSimPlan *plan, guint32 index)
{
  return index + 1 == plan->tiles;
}

/* A number that tasks of equal work, but for addresses, share. */
static inline guint32
tl_sim_plan_class (const TlSimPlan *plan, const TlTask *task)
{
  const TlPimProgram *program = plan->program;
  gboolean            t0 = program->copies == TL_COPIES_T0;
  guint32             c = tl_pim_program_tier (program, task->i, task->j), left = 0, right = 0;

  if (!t0 && task->phase == TL_PHASE_CROSS)
    left = tl_pim_program_tier (program, task->k, task->k);
  if (!t0 && task->phase == TL_PHASE_INTERNAL)
    {
      left = tl_pim_program_tier (program, task->i, task->k);
      right = tl_pim_program_tier (program, task->k, task->j);
    }
  return ((((((task->phase * 2 + tl_sim_plan_is_last (plan, task->i)) * 2 + tl_sim_plan_is_last (plan, task->j)) * 2 + tl_sim_plan_is_last (plan, task->k))
                * 4
            + task->copies)
               * TL_MAX_TIERS
           + c)
              * TL_MAX_TIERS
          + left)
             * TL_MAX_TIERS
         + right;
}
