/* The launch: blocks one after the other, control flow, and what a fault says. */
#include "tile/run-private.h"

#include "base/number.h"

enum
{
  SHARED_BYTES = 227 * 1024, /* of a block, without another wish */
  MAX_BLOCKS = 1 << 20,
  MAX_CLOCKED = 4096, /* blocks of a kernel with semaphores */
};

const char *
tl_tile_fault_kind_name (TlTileFaultKind kind)
{
  static const char *const names[] = { "race",       "out-of-bounds", "unwritten", "under-way", "freed",
                                       "arithmetic", "memory",        "deadlock",  "launch",    "too-long" };

  return names[kind];
}

static void
block_index (const TlTileRun *run, guint64 number, guint *index)
{
  for (guint d = 0; d < 3; d++)
    {
      index[d] = (guint) (number % run->launch->grid[d]);
      number /= run->launch->grid[d];
    }
}

/* "thread 3 of block (0, 1, 0)" */
static void
append_who (GString *text, guint thread, const guint *block)
{
  if (thread == TL_TILE_ALL_THREADS)
    g_string_append (text, "all threads");
  else
    g_string_append_printf (text, "thread %u", thread);
  g_string_append_printf (text, " of block (%u, %u, %u)", block[0], block[1], block[2]);
}

gboolean
tl_tile_fault (TlTileRun *run, const TlTileBlock *block, TlTileFaultKind kind, guint thread, const TlTileTouch *other,
               const char *format, ...)
{
  TlTileFault     *fault = &run->report->fault;
  GString         *text = g_string_new (NULL);
  g_autofree char *what = NULL;
  va_list          arguments;

  va_start (arguments, format);
  what = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  run->report->faulty = TRUE;
  *fault = (TlTileFault) { .kind = kind, .instruction = block->at, .thread = thread };
  memcpy (fault->block, block->index, sizeof fault->block);
  if (block->at < run->kernel->code->len)
    g_string_append_printf (text, "instruction %u (%s), ", block->at, tl_tile_op_name (tl_tile_now (run, block)->op));
  append_who (text, thread, block->index);
  g_string_append_printf (text, ": %s", what);
  if (other != NULL)
    {
      fault->has_other = TRUE;
      fault->other_instruction = other->instruction;
      fault->other_thread = other->thread;
      block_index (run, other->block, fault->other_block);
      g_string_append_printf (text, "; the other is instruction %u (%s), ", other->instruction,
                              tl_tile_op_name (tl_tile_kernel_at (run->kernel, other->instruction)->op));
      append_who (text, other->thread, fault->other_block);
    }
  fault->message = g_string_free (text, FALSE);
  return FALSE;
}

static void
block_free (gpointer data)
{
  TlTileBlock *block = data;

  for (guint i = 0; block->storages[i] != NULL || i == 0; i++)
    g_free (block->storages[i]);
  g_free (block->storages);
  g_free (block->written);
  g_free (block->globals);
  g_free (block->shareds);
  g_free (block->variables);
  g_free (block->clock);
  g_array_unref (block->slots);
  g_ptr_array_unref (block->copies);
  g_free (block->shared.data);
  g_free (block->shared.shadow);
  g_free (block);
}

static TlTileBlock *
block_new (TlTileRun *run)
{
  const TlTilePlan *plan = run->plan;
  TlTileBlock      *block = g_new0 (TlTileBlock, 1);
  guint64           bytes = run->launch->shared_bytes > 0 ? run->launch->shared_bytes : SHARED_BYTES;

  block->storages = g_new0 (guint8 *, plan->storages->len + 1);
  for (guint i = 1; i < plan->storages->len; i++)
    block->storages[i] = g_malloc0 (plan->threads * run->strides[i]);
  block->storages[0] = g_malloc0 (1);
  block->written = g_new0 (gboolean, plan->storages->len);
  block->globals = g_new0 (TlTileGlobalView, run->kernel->tensors->len);
  block->shareds = g_new0 (TlTileSharedView, run->kernel->tensors->len);
  block->variables = g_new0 (double, run->kernel->variables->len);
  block->slots = g_array_new (FALSE, FALSE, sizeof (TlTileSlot));
  block->copies = g_ptr_array_new_with_free_func (tl_tile_copy_free);
  block->shared = (TlTileMemory) { .bits = bytes * 8, .fresh = TRUE };
  if (run->has_semaphores)
    block->clock = g_new0 (guint32, run->n_blocks);
  return block;
}

static void
block_start (TlTileRun *run, TlTileBlock *block, guint64 number)
{
  const TlTilePlan *plan = run->plan;

  block->number = (guint) number;
  block_index (run, number, block->index);
  block->at = 0;
  block->epoch = 1;
  block->done = block->waiting = FALSE;
  block->groups = 0;
  g_ptr_array_set_size (block->copies, 0);
  g_array_set_size (block->slots, 0);
  memset (block->written, 0, plan->storages->len * sizeof *block->written);
  memset (block->globals, 0, run->kernel->tensors->len * sizeof *block->globals);
  memset (block->shareds, 0, run->kernel->tensors->len * sizeof *block->shareds);
  if (block->shared.shadow != NULL)
    memset (block->shared.shadow, 0,
            (block->shared_used * 8 / plan->shared_granule + 1) * sizeof *block->shared.shadow);
  block->shared_used = 0;
  if (block->clock != NULL)
    memset (block->clock, 0, run->n_blocks * sizeof *block->clock);
  for (guint v = 0; v < run->kernel->variables->len; v++)
    {
      TlTileVariableKind kind = g_array_index (run->kernel->variables, TlTileVariable, v).kind;

      block->variables[v] = kind == TL_TILE_VARIABLE_BLOCK ? block->index[v] : 0;
    }
}

/* Whether the loop at @begin goes round with its variable as it is. */
static gboolean
loop_goes (TlTileRun *run, TlTileBlock *block, const TlTileInstruction *loop, double *step)
{
  TlTileScope scope = { .variables = block->variables };
  double      end = tl_tile_evaluate (run->kernel, loop->offsets[1], &scope);

  *step = tl_tile_evaluate (run->kernel, loop->offsets[2], &scope);
  return block->variables[loop->amount] < end;
}

static gboolean
run_loop (TlTileRun *run, TlTileBlock *block)
{
  const TlTileInstruction *at = tl_tile_now (run, block);
  const TlTileStep        *step = &run->plan->steps[block->at];
  TlTileScope              scope = { .variables = block->variables };
  double                   by;

  if (at->op == TL_TILE_FOR)
    {
      block->variables[at->amount] = tl_tile_evaluate (run->kernel, at->offsets[0], &scope);
      gboolean goes = loop_goes (run, block, at, &by);
      if (!(by > 0))
        return tl_tile_fault (run, block, TL_TILE_FAULT_LAUNCH, TL_TILE_ALL_THREADS, NULL,
                              "a loop by steps of %g never ends", by);
      block->at = goes ? block->at + 1 : step->jump;
      return TRUE;
    }
  const TlTileInstruction *loop = &g_array_index (run->kernel->code, TlTileInstruction, step->jump);
  loop_goes (run, block, loop, &by);
  block->variables[loop->amount] += by;
  block->at = loop_goes (run, block, loop, &by) ? step->jump + 1 : block->at + 1;
  return TRUE;
}

static gboolean
run_control (TlTileRun *run, TlTileBlock *block)
{
  const TlTileInstruction *at = tl_tile_now (run, block);
  guint                    jump = run->plan->steps[block->at].jump;
  TlTileScope              scope = { .variables = block->variables };

  switch (at->op)
    {
    case TL_TILE_FOR:
      return run_loop (run, block);
    case TL_TILE_IF:
      block->at = tl_tile_evaluate (run->kernel, at->function, &scope) != 0 ? block->at + 1 : jump;
      return TRUE;
    case TL_TILE_ELSE:
      block->at = jump;
      return TRUE;
    case TL_TILE_END:
      if (jump <= block->at)
        return run_loop (run, block);
      block->at = jump;
      return TRUE;
    default:
      block->done = TRUE;
      return TRUE;
    }
}

static void
print_text (TlTileRun *run, TlTileBlock *block)
{
  const TlTileInstruction *at = tl_tile_now (run, block);
  TlTileScope              scope = { .variables = block->variables };
  char                     number[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (run->printed, at->text);
  if (at->function > 0)
    {
      g_ascii_formatd (number, sizeof number, "%.9g", tl_tile_evaluate (run->kernel, at->function, &scope));
      g_string_append_printf (run->printed, " %s", number);
    }
  g_string_append_c (run->printed, '\n');
}

/* Work of threads, for the figure; dots and copies count their own. */
static guint64
thread_steps (const TlTileRun *run, const TlTileInstruction *at)
{
  guint reg = at->op == TL_TILE_STORE_SHARED || at->op == TL_TILE_STORE_GLOBAL || at->op == TL_TILE_STORE_GLOBAL_GENERIC
                  ? at->operands[0]
                  : at->result;
  gboolean moves = (at->op >= TL_TILE_ALLOCATE_REGISTER && at->op <= TL_TILE_SHUFFLE_UP)
                   || at->op == TL_TILE_LOAD_GLOBAL || at->op == TL_TILE_LOAD_GLOBAL_GENERIC
                   || at->op == TL_TILE_LOAD_SHARED || reg == at->operands[0];

  if (at->op == TL_TILE_SYNC_THREADS)
    return run->plan->threads;
  if (!moves || tl_tile_is_form (at->op))
    return 0;
  return (guint64) run->plan->threads * run->plan->registers[reg].locals;
}

/* One instruction of all threads of a block. */
static gboolean
block_step (TlTileRun *run, TlTileBlock *block)
{
  const TlTileInstruction *at = tl_tile_now (run, block);
  gboolean                 fine = TRUE;

  run->report->steps++;
  run->report->thread_steps += thread_steps (run, at);
  switch (at->op)
    {
    case TL_TILE_FOR:
    case TL_TILE_IF:
    case TL_TILE_ELSE:
    case TL_TILE_END:
    case TL_TILE_EXIT:
      return run_control (run, block);
    case TL_TILE_SYNC_THREADS:
      tl_tile_barrier (run, block);
      break;
    case TL_TILE_DOT:
      fine = tl_tile_run_dot (run, block);
      break;
    case TL_TILE_PRINT_TENSOR:
      fine = tl_tile_readable (run, block, at->operands[0]);
      if (fine)
        tl_tile_print_tensor (run, block, at->operands[0]);
      break;
    case TL_TILE_FORMAT_PRINT:
      print_text (run, block);
      break;
    case TL_TILE_ANNOTATE_LAYOUT:
      break;
    case TL_TILE_COPY_ASYNC:
    case TL_TILE_COPY_ASYNC_GENERIC:
    case TL_TILE_COMMIT_GROUP:
    case TL_TILE_WAIT_GROUP:
    case TL_TILE_WAIT_ALL:
      fine = tl_tile_run_copy (run, block);
      break;
    default:
      fine = at->op <= TL_TILE_SHUFFLE_UP ? tl_tile_run_register (run, block) : tl_tile_run_memory (run, block);
    }
  if (fine && !block->waiting)
    block->at++;
  return fine;
}

/* Until it is done or waits. */
static gboolean
block_run (TlTileRun *run, TlTileBlock *block)
{
  block->waiting = FALSE;
  while (!block->done && !block->waiting)
    {
      if (block->at >= run->kernel->code->len)
        {
          block->done = TRUE;
          return TRUE;
        }
      if (run->launch->most_steps > 0 && run->report->steps >= run->launch->most_steps)
        return tl_tile_fault (run, block, TL_TILE_FAULT_TOO_LONG, TL_TILE_ALL_THREADS, NULL,
                              "more than %" G_GUINT64_FORMAT " instructions", run->launch->most_steps);
      if (run->launch->cancellable != NULL && g_cancellable_is_cancelled (run->launch->cancellable))
        {
          run->report->cancelled = TRUE;
          return FALSE;
        }
      if (!block_step (run, block))
        return FALSE;
    }
  return TRUE;
}

/* Blocks that wait for a semaphore stand aside until others have gone on. */
static gboolean
run_blocks (TlTileRun *run)
{
  g_autoptr (GPtrArray) waiting = g_ptr_array_new_with_free_func (block_free);
  g_autoptr (GPtrArray) idle = g_ptr_array_new_with_free_func (block_free);
  guint64 next = 0;

  while (next < run->n_blocks)
    {
      if (idle->len == 0)
        g_ptr_array_add (idle, block_new (run));
      TlTileBlock *block = g_ptr_array_index (idle, idle->len - 1);
      block_start (run, block, next++);
      if (!block_run (run, block))
        return FALSE;
      if (!block->done)
        g_ptr_array_add (waiting, g_ptr_array_steal_index (idle, idle->len - 1));
    }
  while (waiting->len > 0)
    {
      gboolean moved = FALSE;

      for (guint i = 0; i < waiting->len;)
        {
          TlTileBlock *block = g_ptr_array_index (waiting, i);
          guint        at = block->at;
          guint64      steps = run->report->steps;

          if (!block_run (run, block))
            return FALSE;
          /* A wait that goes on is one step at the same place. */
          moved |= block->done || block->at != at || run->report->steps > steps + 1;
          if (block->done)
            g_ptr_array_remove_index (waiting, i);
          else
            i++;
        }
      if (!moved)
        return tl_tile_fault (run, g_ptr_array_index (waiting, 0), TL_TILE_FAULT_DEADLOCK, TL_TILE_ALL_THREADS, NULL,
                              "%u blocks wait for semaphores that nobody will set", waiting->len);
    }
  return TRUE;
}

static gboolean
refuse_launch (TlTileRun *run, const char *what, guint64 given, guint64 wanted)
{
  TlTileBlock nowhere = { .at = run->kernel->code->len };

  return tl_tile_fault (run, &nowhere, TL_TILE_FAULT_LAUNCH, TL_TILE_ALL_THREADS, NULL,
                        "%" G_GUINT64_FORMAT " %s, and there may be %" G_GUINT64_FORMAT, given, what, wanted);
}

static gboolean
check_launch (TlTileRun *run)
{
  run->n_blocks = 1;
  for (guint d = 0; d < 3; d++)
    if (!tl_mul_u64 (run->n_blocks, run->launch->grid[d], &run->n_blocks) || run->n_blocks > MAX_BLOCKS)
      return refuse_launch (run, "blocks and more", run->launch->grid[d], MAX_BLOCKS);
  if (run->launch->n_buffers != run->kernel->buffers->len)
    return refuse_launch (run, "buffers are given", run->launch->n_buffers, run->kernel->buffers->len);
  if (run->launch->shared_bytes > G_GUINT64_CONSTANT (1) << 26)
    return refuse_launch (run, "bytes of shared memory are wanted", run->launch->shared_bytes, 1 << 26);
  for (guint i = 0; i < run->kernel->code->len; i++)
    run->has_semaphores |= g_array_index (run->kernel->code, TlTileInstruction, i).op == TL_TILE_LOCK_SEMAPHORE
                           || g_array_index (run->kernel->code, TlTileInstruction, i).op == TL_TILE_RELEASE_SEMAPHORE;
  if (run->has_semaphores && run->n_blocks > MAX_CLOCKED)
    return refuse_launch (run, "blocks wait for each other", run->n_blocks, MAX_CLOCKED);
  return TRUE;
}

static void
clear_memory (gpointer data)
{
  TlTileMemory *memory = data;

  g_free (memory->shadow);
  if (memory->allocated_by > 0)
    g_free (memory->data);
}

/* Only what the kernel writes to needs to be watched. */
static void
add_buffers (TlTileRun *run)
{
  for (guint i = 0; i < run->launch->n_buffers; i++)
    {
      const TlTileBuffer *buffer = &run->launch->buffers[i];
      TlTileMemory        memory = { .data = buffer->data, .bits = (guint64) buffer->size * 8 };

      if (run->plan->stored[i] && !run->launch->unchecked)
        memory.shadow = g_new0 (TlTileShadow, memory.bits / run->plan->global_granule + 1);
      g_array_append_val (run->memories, memory);
    }
}

gboolean
tl_tile_run (const TlTilePlan *plan, const TlTileLaunch *launch, TlTileReport *report)
{
  TlTileRun run = { .plan = plan, .kernel = plan->kernel, .launch = launch, .report = report };
  guint     locals = 1;

  *report = (TlTileReport) { 0 };
  run.printed = g_string_new (NULL);
  run.memories = g_array_new (FALSE, FALSE, sizeof (TlTileMemory));
  g_array_set_clear_func (run.memories, clear_memory);
  run.semaphores = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  run.strides = g_new0 (gsize, plan->storages->len);
  /* Eight bytes more, so that any element can be read as part of a 64-bit word. */
  for (guint i = 1; i < plan->storages->len; i++)
    run.strides[i] = (g_array_index (plan->storages, guint, i) + 31) / 32 * 4 + 8;
  for (guint i = 1; i < plan->kernel->tensors->len; i++)
    locals = MAX (locals, plan->registers[i].locals);
  for (guint k = 0; k < G_N_ELEMENTS (run.values); k++)
    {
      run.values[k] = g_new0 (double, locals);
      run.integers[k] = g_new0 (gint64, locals);
    }

  gboolean fine = check_launch (&run);
  if (fine)
    {
      add_buffers (&run);
      fine = run_blocks (&run);
    }
  for (guint k = 0; k < G_N_ELEMENTS (run.values); k++)
    {
      g_free (run.values[k]);
      g_free (run.integers[k]);
    }
  g_free (run.strides);
  g_hash_table_unref (run.semaphores);
  g_array_unref (run.memories);
  report->printed = g_string_free (run.printed, FALSE);
  return fine;
}

void
tl_tile_report_clear (TlTileReport *report)
{
  g_clear_pointer (&report->fault.message, g_free);
  g_clear_pointer (&report->printed, g_free);
}
