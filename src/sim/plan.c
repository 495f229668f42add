/* From a decoded program to what the machine does: timings, shapes, recipes,
 * addresses. */
#include "sim/plan-private.h"

#include "base/number.h"
#include "sim/run.h"

#include <string.h>

/* Banks' and buses' numbers, for tools that hold a TlPimMachine only. */
static void
timings_init (TlTimings *timings, const TlPimMachine *machine, gboolean open)
{
  *timings = (TlTimings) {
    .banks = machine->banks,
    .beats = (guint32) tl_ceil_div (machine->row_bytes, machine->beat_bytes),
    .beat_bytes = machine->beat_bytes,
    .rows = (guint32) MIN (machine->rows, G_MAXUINT32 / machine->tiers),
    .open = open,
    .burst = machine->burst,
    .step = MAX (machine->tCCD, machine->burst),
    .tRRD = machine->tRRD,
    .tFAW = machine->tFAW,
    .tWTR = machine->tWTR,
    .tREFI = machine->tREFI,
    .tRFC = machine->tRFC,
  };
  memcpy (timings->tier, machine->tier, sizeof timings->tier);
}

static TlTileShape
shape_of (const TlPimProgram *program, guint32 height, guint32 width)
{
  const TlPimMachine *machine = &program->machine;
  TlTileShape         shape;

  shape.bytes = tl_ceil_div ((guint64) height * width * program->element_bits, 8);
  shape.rows = (guint32) tl_ceil_div (shape.bytes, machine->row_bytes);
  shape.last_beats
      = (guint32) tl_ceil_div (shape.bytes - (guint64) (shape.rows - 1) * machine->row_bytes, machine->beat_bytes);
  shape.beats = (guint32) ((shape.rows - 1) * tl_ceil_div (machine->row_bytes, machine->beat_bytes) + shape.last_beats);
  return shape;
}

static gboolean
bad_code (GError **error, guint at, const char *what)
{
  g_set_error (error, TL_SIM_ERROR, TL_SIM_ERROR_PROGRAM, "step %u of a PU's code: %s", at, what);
  return FALSE;
}

/* One phase's body: WAIT.. COPY.. READ.. COMPUTE WRITE [BROADCAST] END_OWN. */
static gboolean
read_body (TlRecipe *recipe, const TlCode *code, guint n_code, guint *at, GError **error)
{
  gboolean written = FALSE;

  for (; *at < n_code && code[*at].kind != TL_CODE_END_OWN; (*at)++)
    {
      const TlCode *step = &code[*at];

      switch (step->kind)
        {
        case TL_CODE_WAIT:
        case TL_CODE_COPY:
        case TL_CODE_READ:
          if (recipe->lanes != 0)
            return bad_code (error, *at, "it waits or loads after it computed");
          if (step->a > TL_OPERAND_PIVOT || MAX (MAX (recipe->n_waits, recipe->n_copies), recipe->n_reads) == 4)
            return bad_code (error, *at, "no such operand, or too many of them");
          if (step->kind == TL_CODE_WAIT)
            recipe->wait[recipe->n_waits++] = (guint8) step->a;
          else if (step->kind == TL_CODE_COPY && recipe->n_copies < 2 && recipe->n_reads == 0)
            recipe->copy[recipe->n_copies++] = (guint8) step->a;
          else if (step->kind == TL_CODE_READ)
            {
              if ((step->b != 0) != (step->a != TL_OPERAND_C))
                return bad_code (error, *at, "operands are read from copies, C from its tile");
              recipe->from_copy[recipe->n_reads] = step->b != 0;
              recipe->read[recipe->n_reads++] = (guint8) step->a;
            }
          else
            return bad_code (error, *at, "copies are written first, two at most");
          break;
        case TL_CODE_COMPUTE:
          if (step->a == 0 || recipe->lanes != 0 || recipe->n_reads == 0)
            return bad_code (error, *at, "it computes without lanes, twice, or on nothing");
          recipe->lanes = step->a;
          break;
        case TL_CODE_WRITE:
          if (recipe->lanes == 0 || written || step->a != TL_OPERAND_C)
            return bad_code (error, *at, "it writes what it did not compute");
          written = TRUE;
          break;
        case TL_CODE_BROADCAST:
          if (!written || step->a != TL_OPERAND_C)
            return bad_code (error, *at, "it sends what it did not write");
          recipe->broadcast = TRUE;
          break;
        default:
          return bad_code (error, *at, "no step of an operation");
        }
    }
  return written || bad_code (error, *at, "an operation that writes nothing");
}

/* LOOP M { FOR_OWN p body END_OWN [BARRIER] for p = 0, 1, 2 } END_LOOP */
static gboolean
read_code (TlSimPlan *plan, const TlCode *code, guint n_code, TlRecipe recipe[TL_N_PHASES], GError **error)
{
  guint at = 0;

  memset (recipe, 0, TL_N_PHASES * sizeof *recipe);
  if (n_code == 0 || code[0].kind != TL_CODE_LOOP || code[0].a != plan->tiles)
    return bad_code (error, 0, "no loop over the super-steps");
  at++;
  for (guint phase = 0; phase < TL_N_PHASES; phase++)
    {
      if (at >= n_code || code[at].kind != TL_CODE_FOR_OWN || code[at].a != phase)
        return bad_code (error, at, "the phases are not pivot, cross, internal");
      at++;
      if (!read_body (&recipe[phase], code, n_code, &at, error))
        return FALSE;
      at++;
      if (at < n_code && code[at].kind == TL_CODE_BARRIER)
        {
          recipe[phase].barrier = TRUE;
          at++;
        }
    }
  if (at + 1 != n_code || code[at].kind != TL_CODE_END_LOOP)
    return bad_code (error, at, "the loop does not end here");
  if (recipe[TL_PHASE_INTERNAL].broadcast || !recipe[TL_PHASE_PIVOT].broadcast || !recipe[TL_PHASE_CROSS].broadcast)
    return bad_code (error, at, "pivot and cross tiles are sent, internal ones are not");
  return TRUE;
}

static gboolean
read_recipes (TlSimPlan *plan, GError **error)
{
  const TlPimProgram *program = plan->program;

  if (!read_code (plan, program->streams[0].code, program->streams[0].n_code, plan->recipe, error))
    return FALSE;
  for (guint pu = 1; pu < plan->pus; pu++)
    {
      const TlPuStream *stream = &program->streams[pu];
      TlRecipe          recipe[TL_N_PHASES];

      if (!read_code (plan, stream->code, stream->n_code, recipe, error))
        return FALSE;
      if (memcmp (recipe, plan->recipe, sizeof recipe) != 0)
        return bad_code (error, 0, "two PUs' codes differ");
    }
  return TRUE;
}

/* Own tiles of each PU, row by row, from the runs of its stream. */
static int
compare_tiles (gconstpointer a, gconstpointer b)
{
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;

  return (x > y) - (x < y);
}

static void
list_own_tiles (TlSimPlan *plan)
{
  guint32 at = 0;

  plan->own_start = g_new (guint32, plan->pus + 1);
  plan->own = g_new (guint32, (gsize) plan->tiles * plan->tiles);
  for (guint pu = 0; pu < plan->pus; pu++)
    {
      const TlPuStream *stream = &plan->program->streams[pu];

      plan->own_start[pu] = at;
      for (guint32 i = 0; i < plan->tiles; i++)
        {
          guint32 row_start = at;

          for (guint32 r = stream->row_runs[i]; r < stream->row_runs[i + 1]; r++)
            for (guint32 n = 0; n < stream->runs[r].count; n++)
              plan->own[at++] = i << 16 | (stream->runs[r].first + n * stream->runs[r].step);
          if (stream->row_runs[i + 1] - stream->row_runs[i] > 1)
            qsort (plan->own + row_start, at - row_start, sizeof (guint32), compare_tiles);
        }
    }
  plan->own_start[plan->pus] = at;
}

/* A copy for each tile row and each tile column in which the PU owns a tile. */
static void
assign_slots (TlSimPlan *plan)
{
  guint32 tiles = plan->tiles;

  plan->slot_rows = (guint32) tl_ceil_div (plan->shape[0][0].rows, plan->timings.banks);
  plan->rank = g_new (guint32, (gsize) tiles * tiles);
  plan->copies = g_new0 (guint32, plan->pus);
  plan->left_slot = g_new (guint32, (gsize) plan->pus * tiles);
  plan->right_slot = g_new (guint32, (gsize) plan->pus * tiles);
  memset (plan->left_slot, 0xff, (gsize) plan->pus * tiles * sizeof (guint32));
  memset (plan->right_slot, 0xff, (gsize) plan->pus * tiles * sizeof (guint32));
  for (guint pu = 0; pu < plan->pus; pu++)
    {
      guint32 *left = &plan->left_slot[(gsize) pu * tiles], *right = &plan->right_slot[(gsize) pu * tiles];
      guint32  held[TL_MAX_TIERS] = { 0 };

      for (guint32 o = plan->own_start[pu]; o < plan->own_start[pu + 1]; o++)
        {
          guint32 i = plan->own[o] >> 16, j = plan->own[o] & 0xffff;

          plan->rank[(gsize) i * tiles + j] = held[tl_pim_program_tier (plan->program, i, j)]++;
          left[i] = right[j] = 0;
        }
      for (guint32 i = 0; i < tiles; i++)
        if (left[i] == 0)
          left[i] = plan->copies[pu]++;
      for (guint32 j = 0; j < tiles; j++)
        if (right[j] == 0)
          right[j] = plan->copies[pu]++;
      for (guint t = 0; t < TL_MAX_TIERS; t++)
        if (plan->timings.rows % plan->slot_rows != 0
            && held[t] + (guint64) plan->copies[pu] > plan->timings.rows / plan->slot_rows)
          plan->aliased = TRUE;
    }
}

static gboolean
check_refresh (const TlSimPlan *plan, GError **error)
{
  const TlTimings *timings = &plan->timings;

  for (guint t = 0; timings->tREFI > 0 && t < plan->program->machine.tiers; t++)
    if (timings->tREFI <= timings->tRFC + timings->tier[t].tRC)
      {
        g_set_error (error, TL_SIM_ERROR, TL_SIM_ERROR_PROGRAM,
                     "refresh leaves no time for a row: tREFI %" G_GINT64_FORMAT " ps, tRFC %" G_GINT64_FORMAT
                     " ps, tRC of tier %u %u ps",
                     timings->tREFI, timings->tRFC, t, timings->tier[t].tRC);
        return FALSE;
      }
  return TRUE;
}

TlSimPlan *
tl_sim_plan_new (TlPimProgram *program, GError **error)
{
  TlSimPlan *plan = g_new0 (TlSimPlan, 1);
  guint32    edge = tl_pim_program_extent (program, program->tiles - 1);

  plan->program = tl_pim_program_ref (program);
  plan->tiles = program->tiles;
  plan->pus = program->machine.pus;
  plan->charged = program->copy_writes == TL_COPY_WRITES_CHARGED;
  plan->ring_free = program->ring == TL_RING_FREE;
  plan->ring_hops = (gint64) (plan->pus / 2) * program->machine.ring_hop * program->machine.clock;
  timings_init (&plan->timings, &program->machine, program->page == TL_PAGE_OPEN);
  plan->horizon = tl_timings_horizon (&plan->timings);
  for (guint h = 0; h < 2; h++)
    for (guint w = 0; w < 2; w++)
      plan->shape[h][w] = shape_of (program, h ? edge : program->tile, w ? edge : program->tile);
  if (!read_recipes (plan, error) || !check_refresh (plan, error))
    {
      tl_sim_plan_free (plan);
      return NULL;
    }
  list_own_tiles (plan);
  assign_slots (plan);
  return plan;
}

void
tl_sim_plan_free (TlSimPlan *plan)
{
  if (plan == NULL)
    return;
  tl_pim_program_unref (plan->program);
  g_free (plan->own_start);
  g_free (plan->own);
  g_free (plan->rank);
  g_free (plan->copies);
  g_free (plan->left_slot);
  g_free (plan->right_slot);
  g_free (plan);
}

guint64
tl_task_operand (const TlSimPlan *plan, const TlTask *task, TlOperand operand)
{
  switch (operand)
    {
    case TL_OPERAND_LEFT:
      return (guint64) task->i * plan->tiles + task->k;
    case TL_OPERAND_RIGHT:
      return (guint64) task->k * plan->tiles + task->j;
    case TL_OPERAND_PIVOT:
      return (guint64) task->k * plan->tiles + task->k;
    case TL_OPERAND_C:
    default:
      return (guint64) task->i * plan->tiles + task->j;
    }
}

/* Where tile (i,j), operand of @task, begins in the PU's group: the tile itself, or the
 * PU's copy of it. */
static inline guint32
first_row (const TlSimPlan *plan, const TlTask *task, TlOperand operand, guint32 i, guint32 j, gboolean copy,
           guint32 *tier)
{
  const TlPimProgram *program = plan->program;
  guint64             slot;

  *tier = copy && program->copies == TL_COPIES_T0 ? 0 : tl_pim_program_tier (program, i, j);
  if (copy)
    {
      guint32 left = plan->left_slot[(gsize) task->pu * plan->tiles + i];
      guint32 right = plan->right_slot[(gsize) task->pu * plan->tiles + j];

      /* (i,k) is kept by its row, (k,j) by its column, the pivot by whichever the PU has. */
      slot = operand == TL_OPERAND_RIGHT || left == G_MAXUINT32 ? right : left;
    }
  else
    slot = plan->rank[(gsize) i * plan->tiles + j]
           + (*tier == 0 || program->copies == TL_COPIES_HOME ? plan->copies[task->pu] : 0);
  return *tier * plan->timings.rows + (guint32) (slot * plan->slot_rows % plan->timings.rows);
}

static void
place_stream (const TlSimPlan *plan, const TlTask *task, TlOperand operand, gboolean copy, gboolean write,
              TlTileStream *stream)
{
  guint64            x = tl_task_operand (plan, task, operand);
  guint32            i = (guint32) (x / plan->tiles), j = (guint32) (x % plan->tiles), tier;
  const TlTileShape *shape = &plan->shape[tl_sim_plan_is_last (plan, i)][tl_sim_plan_is_last (plan, j)];

  stream->first_row = first_row (plan, task, operand, i, j, copy, &tier);
  stream->rows = shape->rows;
  stream->last_beats = shape->last_beats;
  stream->tier = (guint8) tier;
  stream->write = write;
}

guint
tl_sim_plan_first_rows (const TlSimPlan *plan, const TlTask *task, guint32 first[7], guint8 tier[7])
{
  const TlRecipe *recipe = &plan->recipe[task->phase];
  const guint32   row[] = { task->i, task->i, task->k, task->k }; /* by TlOperand */
  const guint32   column[] = { task->j, task->k, task->j, task->k };
  guint32         where = 0;
  guint           n = 0;

  for (guint c = 0; c < recipe->n_copies; c++)
    if (task->copies & (1u << c))
      {
        TlOperand operand = recipe->copy[c];

        first[n] = first_row (plan, task, operand, row[operand], column[operand], TRUE, &where);
        tier[n++] = (guint8) where;
      }
  for (guint r = 0; r < recipe->n_reads; r++)
    {
      TlOperand operand = recipe->read[r];

      first[n] = first_row (plan, task, operand, row[operand], column[operand], recipe->from_copy[r], &where);
      tier[n++] = (guint8) where;
    }
  first[n] = first_row (plan, task, TL_OPERAND_C, task->i, task->j, FALSE, &where);
  tier[n++] = (guint8) where;
  return n;
}

void
tl_sim_plan_work (const TlSimPlan *plan, const TlTask *task, TlWork *work)
{
  const TlPimProgram *program = plan->program;
  const TlRecipe     *recipe = &plan->recipe[task->phase];
  guint64             height = tl_pim_program_extent (program, task->i);
  guint64             depth = tl_pim_program_extent (program, task->k);
  guint64             width = tl_pim_program_extent (program, task->j);
  guint               n = 0;

  for (guint c = 0; c < recipe->n_copies; c++)
    if (task->copies & (1u << c))
      {
        work->operand[n] = recipe->copy[c];
        place_stream (plan, task, recipe->copy[c], TRUE, TRUE, &work->load[n++]);
      }
  work->n_copies = (guint8) n;
  for (guint r = 0; r < recipe->n_reads; r++)
    {
      work->operand[n] = recipe->read[r];
      place_stream (plan, task, recipe->read[r], recipe->from_copy[r], FALSE, &work->load[n++]);
    }
  work->n_loads = (guint8) n;
  place_stream (plan, task, TL_OPERAND_C, FALSE, TRUE, &work->store);
  work->compute = (gint64) (height * depth * tl_ceil_div (width, recipe->lanes)) * program->machine.clock;
}

gint64
tl_sim_plan_ring_time (const TlSimPlan *plan, guint32 i, guint32 j)
{
  const TlPimMachine *machine = &plan->program->machine;

  if (plan->ring_free)
    return 0;
  return (gint64) tl_ceil_div (plan->shape[tl_sim_plan_is_last (plan, i)][tl_sim_plan_is_last (plan, j)].bytes,
                               machine->ring_bytes)
         * machine->clock;
}
