/* Memory objects and moves between memory and registers. */
#include "tile/run-private.h"

#include <math.h>

static guint
thread_of (gsize i, guint locals)
{
  return (guint) (i / locals);
}

static gboolean
evaluate_sizes (TlTileRun *run, TlTileBlock *block, TlTileGlobalView *view, guint64 *elements)
{
  const TlTileInstruction *at = tl_tile_now (run, block);
  TlTileScope              scope = { .variables = block->variables };

  *elements = 1;
  for (guint d = at->n_sizes; d-- > 0;)
    {
      double size = tl_tile_evaluate (run->kernel, at->sizes[d], &scope);

      if (!(size >= 0 && size <= (double) (G_GUINT64_CONSTANT (1) << 32)))
        return tl_tile_fault (run, block, TL_TILE_FAULT_LAUNCH, TL_TILE_ALL_THREADS, NULL, "size %u would be %g", d,
                              size);
      view->shape[d] = (gint64) size;
      view->strides[d] = (gint64) *elements;
      if (at->n_strides > 0)
        {
          double stride = tl_tile_evaluate (run->kernel, at->strides[d], &scope);

          if (!(fabs (stride) * size <= (double) (G_GUINT64_CONSTANT (1) << 40)))
            return tl_tile_fault (run, block, TL_TILE_FAULT_LAUNCH, TL_TILE_ALL_THREADS, NULL, "stride %u would be %g",
                                  d, stride);
          view->strides[d] = size > 0 ? (gint64) stride : 0;
        }
      if (__builtin_mul_overflow (*elements, (guint64) size, elements) || *elements > G_GUINT64_CONSTANT (1) << 40)
        return tl_tile_fault (run, block, TL_TILE_FAULT_LAUNCH, TL_TILE_ALL_THREADS, NULL,
                              "there are too many elements");
    }
  return TRUE;
}

/* One for all blocks: the first that comes here makes it. */
static gboolean
allocate_global (TlTileRun *run, TlTileBlock *block)
{
  const TlTileInstruction *at = tl_tile_now (run, block);
  TlTileGlobalView         view = { .defined = TRUE };
  guint64                  elements, bits;

  if (!evaluate_sizes (run, block, &view, &elements))
    return FALSE;
  bits = elements * tl_tile_tensor (run, at->result)->type.bits;
  for (view.memory = 0; view.memory < run->memories->len; view.memory++)
    if (g_array_index (run->memories, TlTileMemory, view.memory).allocated_by == block->at + 1)
      break;
  if (view.memory == run->memories->len)
    {
      TlTileMemory memory = { .bits = (bits + 7) / 8 * 8, .fresh = !at->flag, .allocated_by = block->at + 1 };

      memory.data = g_try_malloc0 (MAX (memory.bits / 8, 1));
      if (!run->launch->unchecked && memory.data != NULL)
        {
          memory.shadow = g_try_new0 (TlTileShadow, memory.bits / run->plan->global_granule + 1);
          if (memory.shadow == NULL)
            g_clear_pointer (&memory.data, g_free);
        }
      if (memory.data == NULL)
        return tl_tile_fault (run, block, TL_TILE_FAULT_MEMORY, TL_TILE_ALL_THREADS, NULL,
                              "wants %" G_GUINT64_FORMAT " bytes of global memory, more than there are",
                              memory.bits / 8);
      g_array_append_val (run->memories, memory);
    }
  else if (g_array_index (run->memories, TlTileMemory, view.memory).bits < bits)
    return tl_tile_fault (run, block, TL_TILE_FAULT_MEMORY, TL_TILE_ALL_THREADS, NULL,
                          "wants more than the block that allocated it first");
  block->globals[at->result] = view;
  return TRUE;
}

static gboolean
slice_global (TlTileRun *run, TlTileBlock *block)
{
  const TlTileInstruction *at = tl_tile_now (run, block);
  const TlTileGlobalView  *from = &block->globals[at->operands[0]];
  TlTileGlobalView         view = { .defined = TRUE, .memory = from->memory, .base = from->base };
  gint64                   offsets[TL_LAYOUT_MAX_DIMS], offset = 0;

  tl_tile_offsets (run, block, offsets);
  for (guint d = 0; d < at->n_offsets; d++)
    {
      gboolean kept = FALSE;

      for (guint i = 0; i < at->n_dims; i++)
        kept |= at->dims[i] == d;
      if (offsets[d] < 0 || offsets[d] > from->shape[d] - !kept)
        return tl_tile_fault (run, block, TL_TILE_FAULT_OUT_OF_BOUNDS, TL_TILE_ALL_THREADS, NULL,
                              "%" G_GINT64_FORMAT " lies outside dimension %u of %" G_GINT64_FORMAT, offsets[d], d,
                              from->shape[d]);
      offset += offsets[d] * from->strides[d];
    }
  view.base += (guint64) offset * tl_tile_tensor (run, at->result)->type.bits;
  for (guint i = 0; i < at->n_dims; i++)
    {
      view.shape[i] = from->shape[at->dims[i]] - offsets[at->dims[i]];
      view.strides[i] = from->strides[at->dims[i]];
    }
  block->globals[at->result] = view;
  return TRUE;
}

/* A block's shared memory comes to be as far as it is used. */
static void
make_room (TlTileRun *run, TlTileBlock *block, guint64 bytes)
{
  guint64 room = block->shared_room, granule = run->plan->shared_granule;

  if (bytes <= room)
    return;
  bytes = MIN (MAX (bytes, 2 * room), block->shared.bits / 8);
  block->shared.data = g_realloc (block->shared.data, bytes);
  memset (block->shared.data + room, 0, bytes - room);
  if (!run->launch->unchecked)
    {
      guint64 old = block->shared.shadow != NULL ? room * 8 / granule + 1 : 0, now = bytes * 8 / granule + 1;

      block->shared.shadow = g_renew (TlTileShadow, block->shared.shadow, now);
      memset (block->shared.shadow + old, 0, (now - old) * sizeof *block->shared.shadow);
    }
  block->shared_room = bytes;
}

/* First fit among the slots that live, each at a multiple of 16 bytes. */
static gboolean
allocate_shared (TlTileRun *run, TlTileBlock *block)
{
  const TlTileInstruction *at = tl_tile_now (run, block);
  const TlTileSharedPlan  *plan = &run->plan->shared[at->result];
  const TlTileRoot        *root = &g_array_index (run->plan->roots, TlTileRoot, plan->root);
  guint64                  bits = (root->size * tl_tile_tensor (run, at->result)->type.bits + 127) / 128 * 128;
  TlTileSlot               slot = { TRUE, 0, bits };
  gboolean                 moved = TRUE;

  while (moved)
    {
      moved = FALSE;
      for (guint i = 0; i < block->slots->len; i++)
        {
          const TlTileSlot *other = &g_array_index (block->slots, TlTileSlot, i);
          if (other->live && slot.base < other->base + other->bits && other->base < slot.base + bits)
            {
              slot.base = other->base + other->bits;
              moved = TRUE;
            }
        }
    }
  if (slot.base + bits > block->shared.bits)
    return tl_tile_fault (run, block, TL_TILE_FAULT_MEMORY, TL_TILE_ALL_THREADS, NULL,
                          "wants %" G_GUINT64_FORMAT " bytes of shared memory at %" G_GUINT64_FORMAT
                          ", and a block has %" G_GUINT64_FORMAT,
                          bits / 8, slot.base / 8, block->shared.bits / 8);
  make_room (run, block, (slot.base + bits) / 8);
  block->shared_used = MAX (block->shared_used, (slot.base + bits) / 8);
  run->report->shared_peak = MAX (run->report->shared_peak, block->shared_used);
  /* What was there before it is nothing of this tensor's. */
  for (guint64 g = slot.base / run->plan->shared_granule;
       block->shared.shadow != NULL && g < (slot.base + bits) / run->plan->shared_granule; g++)
    if (block->shared.shadow[g].write.epoch != block->epoch)
      block->shared.shadow[g].write.epoch = 0;
  guint number = 0;
  while (number < block->slots->len && g_array_index (block->slots, TlTileSlot, number).live)
    number++;
  if (number == block->slots->len)
    g_array_append_val (block->slots, slot);
  else
    g_array_index (block->slots, TlTileSlot, number) = slot;
  block->shareds[at->result] = (TlTileSharedView) { .defined = TRUE, .slot = number };
  return TRUE;
}

static gboolean
form_shared (TlTileRun *run, TlTileBlock *block)
{
  const TlTileInstruction *at = tl_tile_now (run, block);
  const TlTileSharedPlan  *from = &run->plan->shared[at->operands[0]];
  gint64                   offsets[TL_LAYOUT_MAX_DIMS];

  if (!tl_tile_shared_ready (run, block, at->operands[0]))
    return FALSE;
  TlTileSharedView view = block->shareds[at->operands[0]];
  if (at->op == TL_TILE_SLICE_SHARED)
    {
      tl_tile_offsets (run, block, offsets);
      for (guint d = 0; d < from->n_dims; d++)
        {
          gint64 size = 1;

          for (guint i = 0; i < at->n_dims; i++)
            if (at->dims[i] == d)
              size = run->plan->shared[at->result].shape[i];
          if (offsets[d] < 0 || offsets[d] > from->shape[d] - size)
            return tl_tile_fault (run, block, TL_TILE_FAULT_OUT_OF_BOUNDS, TL_TILE_ALL_THREADS, NULL,
                                  "%" G_GINT64_FORMAT " of %s from %" G_GINT64_FORMAT
                                  " on leave dimension %u of %" G_GINT64_FORMAT,
                                  size, tl_tile_tensor (run, at->operands[0])->name, offsets[d], d, from->shape[d]);
          view.offsets[from->dims[d]] += offsets[d];
        }
    }
  block->shareds[at->result] = view;
  return TRUE;
}

static gboolean
move_shared (TlTileRun *run, TlTileBlock *block, guint reg, guint shared, gboolean store)
{
  const TlTileRegisterPlan *plan = &run->plan->registers[reg];
  guint                     bits = tl_tile_tensor (run, reg)->type.bits, granule = run->plan->shared_granule;

  TlTilePlacer placer;

  if (!tl_tile_shared_ready (run, block, shared) || (store && !tl_tile_readable (run, block, reg)))
    return FALSE;
  tl_tile_placer_init (run, block, shared, &placer);
  for (gsize i = 0; i < (gsize) run->plan->threads * plan->locals; i++)
    {
      guint   thread = thread_of (i, plan->locals), local = (guint) (i % plan->locals);
      guint64 place = tl_tile_place (&placer, i);
      guint8 *bytes = tl_tile_bytes (run, block, reg, thread);
      guint32 code;

      if (store)
        {
          if (!tl_tile_write (run, block, &block->shared, granule, place, bits, thread,
                              tl_tile_get (bytes, bits, local)))
            return FALSE;
          continue;
        }
      if (!tl_tile_read (run, block, &block->shared, granule, place, bits, thread, &code))
        return FALSE;
      tl_tile_put (bytes, bits, local, code);
    }
  block->written[plan->storage] |= !store;
  return TRUE;
}

static gboolean
move_global (TlTileRun *run, TlTileBlock *block, guint reg, guint global, gboolean store)
{
  const TlTileInstruction  *at = tl_tile_now (run, block);
  const TlTileStep         *step = &run->plan->steps[block->at];
  const TlTileRegisterPlan *plan = &run->plan->registers[reg];
  guint                     bits = tl_tile_tensor (run, reg)->type.bits, granule = run->plan->global_granule;
  gint64                    offsets[TL_LAYOUT_MAX_DIMS] = { 0 };
  gboolean                  generic = at->op == TL_TILE_LOAD_GLOBAL_GENERIC || at->op == TL_TILE_STORE_GLOBAL_GENERIC;

  if (store && !tl_tile_readable (run, block, reg))
    return FALSE;
  TlTileMemory *memory = &g_array_index (run->memories, TlTileMemory, block->globals[global].memory);
  if (!generic)
    tl_tile_offsets (run, block, offsets);
  for (gsize i = 0; i < (gsize) run->plan->threads * plan->locals; i++)
    {
      const guint32 *coords = step->coords + i * plan->n_dims;
      guint          thread = thread_of (i, plan->locals), local = (guint) (i % plan->locals);
      guint8        *bytes = tl_tile_bytes (run, block, reg, thread);
      guint32        code = 0;
      guint64        place;
      gboolean       there = generic ? tl_tile_generic_place (run, block, global, coords, plan->n_dims, &place)
                                     : tl_tile_window_place (run, block, global, offsets, coords, &place);

      if (there && store
          && !tl_tile_write (run, block, memory, granule, place, bits, thread, tl_tile_get (bytes, bits, local)))
        return FALSE;
      if (there && !store && !tl_tile_read (run, block, memory, granule, place, bits, thread, &code))
        return FALSE;
      if (!store)
        tl_tile_put (bytes, bits, local, code);
    }
  block->written[plan->storage] |= !store;
  return TRUE;
}

/* A block holds all that the blocks it waited for had done. */
static gboolean
semaphore (TlTileRun *run, TlTileBlock *block)
{
  const TlTileInstruction *at = tl_tile_now (run, block);
  const TlTileGlobalView  *view = &block->globals[at->operands[0]];
  TlTileMemory            *memory = &g_array_index (run->memories, TlTileMemory, view->memory);
  TlTileScope              scope = { .variables = block->variables };
  gint32                   wanted = (gint32) CLAMP (tl_tile_evaluate (run->kernel, at->function, &scope), -2e9, 2e9);
  gint64                   offsets[TL_LAYOUT_MAX_DIMS] = { 0 };
  guint64                  place = view->base;

  tl_tile_offsets (run, block, offsets);
  for (guint d = 0; d < at->n_offsets; d++)
    {
      if (offsets[d] < 0 || offsets[d] >= view->shape[d])
        return tl_tile_fault (run, block, TL_TILE_FAULT_OUT_OF_BOUNDS, TL_TILE_ALL_THREADS, NULL,
                              "there is no semaphore %" G_GINT64_FORMAT " among %" G_GINT64_FORMAT, offsets[d],
                              view->shape[d]);
      place += (guint64) (offsets[d] * view->strides[d]) * 32;
    }
  if (place % 8 != 0 || memory->bits < 32 || place > memory->bits - 32)
    return tl_tile_fault (run, block, TL_TILE_FAULT_OUT_OF_BOUNDS, TL_TILE_ALL_THREADS, NULL,
                          "the semaphore lies outside its memory");
  gint64   key = (gint64) (((guint64) view->memory << 48) + place);
  guint32 *clock = g_hash_table_lookup (run->semaphores, &key);
  if (at->op == TL_TILE_LOCK_SEMAPHORE)
    {
      block->waiting = (gint32) tl_tile_get (memory->data + place / 8, 32, 0) != wanted;
      for (guint64 b = 0; !block->waiting && clock != NULL && b < run->n_blocks; b++)
        block->clock[b] = MAX (block->clock[b], clock[b]);
      if (!block->waiting)
        tl_tile_barrier (run, block);
      return TRUE;
    }
  if (clock == NULL)
    {
      clock = g_new0 (guint32, run->n_blocks);
      g_hash_table_insert (run->semaphores, g_memdup2 (&key, sizeof key), clock);
    }
  block->clock[block->number] = block->epoch;
  for (guint64 b = 0; b < run->n_blocks; b++)
    clock[b] = MAX (clock[b], block->clock[b]);
  tl_tile_put (memory->data + place / 8, 32, 0, (guint32) wanted);
  tl_tile_barrier (run, block);
  return TRUE;
}

gboolean
tl_tile_run_memory (TlTileRun *run, TlTileBlock *block)
{
  const TlTileInstruction *at = tl_tile_now (run, block);
  TlTileGlobalView         view = { .defined = TRUE };
  guint64                  elements;

  switch (at->op)
    {
    case TL_TILE_ALLOCATE_GLOBAL:
      return allocate_global (run, block);
    case TL_TILE_GLOBAL_VIEW:
      view.memory = (guint) at->amount;
      if (!evaluate_sizes (run, block, &view, &elements))
        return FALSE;
      block->globals[at->result] = view;
      return TRUE;
    case TL_TILE_ALLOCATE_SHARED:
      return allocate_shared (run, block);
    case TL_TILE_SLICE_SHARED:
    case TL_TILE_RESHAPE_SHARED:
    case TL_TILE_PERMUTE_SHARED:
      return form_shared (run, block);
    case TL_TILE_FREE_SHARED:
      if (!tl_tile_shared_ready (run, block, at->operands[0]))
        return FALSE;
      g_array_index (block->slots, TlTileSlot, block->shareds[at->operands[0]].slot).live = FALSE;
      return TRUE;
    case TL_TILE_LOAD_SHARED:
      return move_shared (run, block, at->result, at->operands[0], FALSE);
    case TL_TILE_STORE_SHARED:
      return move_shared (run, block, at->operands[0], at->operands[1], TRUE);
    default:
      break;
    }
  guint global
      = at->op == TL_TILE_STORE_GLOBAL || at->op == TL_TILE_STORE_GLOBAL_GENERIC ? at->operands[1] : at->operands[0];
  if (!block->globals[global].defined)
    return tl_tile_fault (run, block, TL_TILE_FAULT_LAUNCH, TL_TILE_ALL_THREADS, NULL, "%s is not defined here",
                          tl_tile_tensor (run, global)->name);
  switch (at->op)
    {
    case TL_TILE_SLICE_GLOBAL:
      return slice_global (run, block);
    case TL_TILE_LOAD_GLOBAL:
    case TL_TILE_LOAD_GLOBAL_GENERIC:
      return move_global (run, block, at->result, global, FALSE);
    case TL_TILE_STORE_GLOBAL:
    case TL_TILE_STORE_GLOBAL_GENERIC:
      return move_global (run, block, at->operands[0], global, TRUE);
    default:
      return semaphore (run, block);
    }
}
