/* Memory, touched with all checks: who else touched the place, and whether anything orders
 * the two. A barrier orders the threads of a block, a semaphore blocks; nothing else does. */
#include "layout/packing.h"
#include "tile/run-private.h"

/* Whether what @touch did comes before what @thread of @block does now. */
static inline gboolean
ordered (const TlTileBlock *block, const TlTileTouch *touch, guint thread)
{
  if (touch->epoch == 0)
    return TRUE;
  if (touch->block == block->number)
    return touch->epoch < block->epoch || (touch->thread == thread && thread != TL_TILE_ALL_THREADS);
  return block->clock != NULL && touch->epoch <= block->clock[touch->block];
}

static gboolean
race (TlTileRun *run, const TlTileBlock *block, guint thread, const TlTileTouch *other, gboolean writes,
      gboolean other_wrote, guint64 at)
{
  return tl_tile_fault (run, block, TL_TILE_FAULT_RACE, thread, other,
                        "%s bit %" G_GUINT64_FORMAT " that another thread %s, and no barrier lies between",
                        writes ? "writes" : "reads", at, other_wrote ? "wrote" : "read");
}

static gboolean
check_read (TlTileRun *run, TlTileBlock *block, TlTileMemory *memory, guint granule, guint64 at, guint bits,
            guint thread)
{
  for (guint64 g = at / granule; g <= (at + bits - 1) / granule; g++)
    {
      TlTileShadow *shadow = &memory->shadow[g];
      TlTileTouch   own = { block->number, block->epoch, thread, block->at };

      if (shadow->copy != 0)
        return tl_tile_fault (run, block, TL_TILE_FAULT_UNDER_WAY, thread,
                              &(TlTileTouch) { block->number, block->epoch, TL_TILE_ALL_THREADS, shadow->copy - 1 },
                              "reads a place while a copy to it is under way; wait for its group");
      if (memory->fresh && shadow->write.epoch == 0)
        return tl_tile_fault (run, block, TL_TILE_FAULT_UNWRITTEN, thread, NULL,
                              "reads bit %" G_GUINT64_FORMAT " of memory that nothing has written", at);
      if (!ordered (block, &shadow->write, thread))
        return race (run, block, thread, &shadow->write, FALSE, TRUE, at);
      /* The first slot keeps a reader that is still unordered, the second another one. */
      if (ordered (block, &shadow->reads[0], thread))
        {
          if (!ordered (block, &shadow->reads[1], thread))
            shadow->reads[0] = shadow->reads[1];
          else
            {
              shadow->reads[0] = own;
              shadow->reads[1].epoch = 0;
              continue;
            }
        }
      shadow->reads[1] = own;
    }
  return TRUE;
}

static gboolean
check_write (TlTileRun *run, TlTileBlock *block, TlTileMemory *memory, guint granule, guint64 at, guint bits,
             guint thread, gboolean same)
{
  for (guint64 g = at / granule; g <= (at + bits - 1) / granule; g++)
    {
      TlTileShadow *shadow = &memory->shadow[g];

      if (shadow->copy != 0)
        return tl_tile_fault (run, block, TL_TILE_FAULT_UNDER_WAY, thread,
                              &(TlTileTouch) { block->number, block->epoch, TL_TILE_ALL_THREADS, shadow->copy - 1 },
                              "writes to a place while a copy to it is under way; wait for its group");
      /* Copies of one element, all written by one instruction, are the same. */
      if (!ordered (block, &shadow->write, thread)
          && !(same && shadow->write.block == block->number && shadow->write.instruction == block->at))
        return race (run, block, thread, &shadow->write, TRUE, TRUE, at);
      for (guint i = 0; i < G_N_ELEMENTS (shadow->reads); i++)
        if (!ordered (block, &shadow->reads[i], thread))
          return race (run, block, thread, &shadow->reads[i], TRUE, FALSE, at);
      shadow->write = (TlTileTouch) { block->number, block->epoch, thread, block->at };
    }
  return TRUE;
}

static gboolean
inside (TlTileRun *run, TlTileBlock *block, const TlTileMemory *memory, guint64 at, guint bits, guint thread)
{
  if (bits <= memory->bits && at <= memory->bits - bits)
    return TRUE;
  return tl_tile_fault (run, block, TL_TILE_FAULT_OUT_OF_BOUNDS, thread, NULL,
                        "touches bit %" G_GUINT64_FORMAT " of a memory of %" G_GUINT64_FORMAT " bits", at,
                        memory->bits);
}

guint32
tl_tile_peek (const guint8 *data, guint64 at, guint bits)
{
  if (at % 8 == 0 && (bits == 8 || bits == 16 || bits == 32))
    return tl_tile_get (data + at / 8, bits, 0);
  return (guint32) tl_bits_get (data, at, bits);
}

void
tl_tile_poke (guint8 *data, guint64 at, guint bits, guint32 code)
{
  if (at % 8 == 0 && (bits == 8 || bits == 16 || bits == 32))
    tl_tile_put (data + at / 8, bits, 0, code);
  else
    tl_bits_put (data, at, bits, code);
}

gboolean
tl_tile_read (TlTileRun *run, TlTileBlock *block, TlTileMemory *memory, guint granule, guint64 at, guint bits,
              guint thread, guint32 *code)
{
  if (!inside (run, block, memory, at, bits, thread))
    return FALSE;
  if (memory->shadow != NULL && !check_read (run, block, memory, granule, at, bits, thread))
    return FALSE;
  *code = tl_tile_peek (memory->data, at, bits);
  return TRUE;
}

gboolean
tl_tile_write (TlTileRun *run, TlTileBlock *block, TlTileMemory *memory, guint granule, guint64 at, guint bits,
               guint thread, guint32 code)
{
  if (!inside (run, block, memory, at, bits, thread))
    return FALSE;
  if (memory->shadow != NULL
      && !check_write (run, block, memory, granule, at, bits, thread, tl_tile_peek (memory->data, at, bits) == code))
    return FALSE;
  tl_tile_poke (memory->data, at, bits, code);
  return TRUE;
}

/* Which thread copies what is open, so a copy is made by all threads. */
gboolean
tl_tile_copy_begin (TlTileRun *run, TlTileBlock *block, guint64 at, guint bits)
{
  guint granule = run->plan->shared_granule;

  if (block->shared.shadow == NULL)
    return TRUE;
  if (!check_write (run, block, &block->shared, granule, at, bits, TL_TILE_ALL_THREADS, FALSE))
    return FALSE;
  for (guint64 g = at / granule; g <= (at + bits - 1) / granule; g++)
    block->shared.shadow[g].copy = block->at + 1;
  return TRUE;
}

void
tl_tile_copy_end (TlTileRun *run, TlTileBlock *block, guint64 at, guint bits, guint instruction, guint32 code)
{
  guint granule = run->plan->shared_granule;

  tl_tile_poke (block->shared.data, at, bits, code);
  for (guint64 g = at / granule; block->shared.shadow != NULL && g <= (at + bits - 1) / granule; g++)
    {
      block->shared.shadow[g].copy = 0;
      block->shared.shadow[g].write = (TlTileTouch) { block->number, block->epoch, TL_TILE_ALL_THREADS, instruction };
    }
}

gboolean
tl_tile_shared_ready (TlTileRun *run, TlTileBlock *block, guint tensor)
{
  const TlTileSharedView *view = &block->shareds[tensor];
  const TlTileSharedPlan *plan = &run->plan->shared[tensor];
  const TlTileRoot       *root = &g_array_index (run->plan->roots, TlTileRoot, plan->root);
  const char             *name = tl_tile_tensor (run, tensor)->name;

  if (!view->defined || !g_array_index (block->slots, TlTileSlot, view->slot).live)
    return tl_tile_fault (run, block, TL_TILE_FAULT_FREED, TL_TILE_ALL_THREADS, NULL,
                          view->defined ? "touches %s, which has been freed" : "touches %s, which is not there yet",
                          name);
  gint64 sizes[TL_LAYOUT_MAX_DIMS];
  for (guint d = 0; d < root->layout.n_dims; d++)
    sizes[d] = 1;
  for (guint i = 0; i < plan->n_dims; i++)
    sizes[plan->dims[i]] = plan->shape[i];
  for (guint d = 0; d < root->layout.n_dims; d++)
    if (view->offsets[d] < 0 || view->offsets[d] > root->layout.shape[d] - sizes[d])
      return tl_tile_fault (run, block, TL_TILE_FAULT_OUT_OF_BOUNDS, TL_TILE_ALL_THREADS, NULL,
                            "%" G_GINT64_FORMAT " of %s from %" G_GINT64_FORMAT " on leave dimension %u of %d",
                            sizes[d], name, view->offsets[d], d, root->layout.shape[d]);
  return TRUE;
}

void
tl_tile_placer_init (const TlTileRun *run, const TlTileBlock *block, guint tensor, TlTilePlacer *placer)
{
  const TlTileSharedView *view = &block->shareds[tensor];
  const TlTileStep       *step = &run->plan->steps[block->at];
  const TlTileSharedPlan *plan = &run->plan->shared[tensor];
  guint                   kept = 0;

  *placer = (TlTilePlacer) { .root = &g_array_index (run->plan->roots, TlTileRoot, plan->root),
                             .raw = step->raw,
                             .coords = step->coords,
                             .plan = plan,
                             .base = g_array_index (block->slots, TlTileSlot, view->slot).base,
                             .bits = tl_tile_tensor (run, tensor)->type.bits };
  for (guint i = 0; i < plan->n_dims; i++)
    kept |= 1u << plan->dims[i];
  for (guint d = 0; d < placer->root->layout.n_dims; d++)
    {
      placer->offsets[d] = view->offsets[d];
      if (!(kept >> d & 1))
        placer->fixed += (guint64) placer->root->tables[d][view->offsets[d]];
      else if (view->offsets[d] != 0)
        placer->raw = NULL;
    }
}

guint64
tl_tile_placer_slow (const TlTilePlacer *placer, gsize element)
{
  const TlTileSharedPlan *plan = placer->plan;
  guint64                 offset = placer->fixed;

  for (guint i = 0; i < plan->n_dims; i++)
    offset += (guint64) placer->root
                  ->tables[plan->dims[i]][placer->offsets[plan->dims[i]] + placer->coords[element * plan->n_dims + i]];
  return offset;
}

void
tl_tile_offsets (const TlTileRun *run, const TlTileBlock *block, gint64 *offsets)
{
  const TlTileInstruction *at = tl_tile_now (run, block);
  TlTileScope              scope = { .variables = block->variables };

  for (guint i = 0; i < at->n_offsets; i++)
    offsets[i] = (gint64) CLAMP (tl_tile_evaluate (run->kernel, at->offsets[i], &scope), -1e15, 1e15);
}

gboolean
tl_tile_window_place (const TlTileRun *run, const TlTileBlock *block, guint global, const gint64 *offsets,
                      const guint32 *coords, guint64 *at)
{
  const TlTileInstruction *now = tl_tile_now (run, block);
  const TlTileGlobalView  *view = &block->globals[global];
  guint                    n = run->plan->globals[global].n_dims;
  gint64                   place[TL_LAYOUT_MAX_DIMS], offset = 0;

  for (guint d = 0; d < n; d++)
    place[d] = offsets[d];
  for (guint i = 0; i < now->n_dims; i++)
    place[now->dims[i]] += coords[i];
  for (guint d = 0; d < n; d++)
    {
      if (place[d] < 0 || place[d] >= view->shape[d])
        return FALSE;
      offset += place[d] * view->strides[d];
    }
  *at = view->base + (guint64) offset * tl_tile_tensor (run, global)->type.bits;
  return TRUE;
}

gboolean
tl_tile_generic_place (const TlTileRun *run, const TlTileBlock *block, guint global, const guint32 *coords, guint n,
                       guint64 *at)
{
  const TlTileInstruction *now = tl_tile_now (run, block);
  TlTileScope              scope = { .variables = block->variables };

  for (guint d = 0; d < n; d++)
    scope.index[d] = coords[d];
  if (now->mask > 0 && tl_tile_evaluate (run->kernel, now->mask, &scope) == 0)
    return FALSE;
  double offset = tl_tile_evaluate (run->kernel, now->function, &scope);
  /* A place before the memory is as far outside as one behind it. */
  *at = G_MAXUINT64 / 2;
  if (offset >= 0 && offset < 1e15)
    *at = block->globals[global].base + (guint64) offset * tl_tile_tensor (run, global)->type.bits;
  return TRUE;
}
