/* Asynchronous copies: they begin when issued, belong to a group when that is committed, and
 * are over when it is waited for; not before, as far as a kernel may know. */
#include "tile/run-private.h"

void
tl_tile_copy_free (gpointer copy)
{
  g_array_unref (((TlTileCopy *) copy)->pieces);
  g_free (copy);
}

static gboolean
begin_copy (TlTileRun *run, TlTileBlock *block)
{
  const TlTileInstruction *at = tl_tile_now (run, block);
  const TlTileSharedPlan  *to = &run->plan->shared[at->operands[1]];
  const TlTileGlobalView  *from = &block->globals[at->operands[0]];
  guint                    bits = tl_tile_tensor (run, at->operands[0])->type.bits;
  gint64                   offsets[TL_LAYOUT_MAX_DIMS] = { 0 };
  guint64                  n = 1;

  if (!from->defined)
    return tl_tile_fault (run, block, TL_TILE_FAULT_LAUNCH, TL_TILE_ALL_THREADS, NULL, "%s is not defined here",
                          tl_tile_tensor (run, at->operands[0])->name);
  if (!tl_tile_shared_ready (run, block, at->operands[1]))
    return FALSE;
  TlTileMemory     *memory = &g_array_index (run->memories, TlTileMemory, from->memory);
  const TlTileStep *step = &run->plan->steps[block->at];
  TlTilePlacer      placer;

  tl_tile_placer_init (run, block, at->operands[1], &placer);
  if (at->op == TL_TILE_COPY_ASYNC)
    tl_tile_offsets (run, block, offsets);
  for (guint d = 0; d < to->n_dims; d++)
    n *= (guint64) to->shape[d];
  TlTileCopy *copy = g_new (TlTileCopy, 1);
  *copy = (TlTileCopy) { block->at, at->operands[1], from->memory, G_MAXUINT,
                         g_array_sized_new (FALSE, FALSE, sizeof (TlTilePiece), (guint) n) };
  g_ptr_array_add (block->copies, copy);
  g_array_set_size (copy->pieces, (guint) n);
  for (guint64 i = 0; i < n; i++)
    {
      TlTilePiece   *piece = &g_array_index (copy->pieces, TlTilePiece, i);
      const guint32 *coords = step->coords + i * to->n_dims;
      guint64        place;
      gboolean       there = at->op == TL_TILE_COPY_ASYNC
                                 ? tl_tile_window_place (run, block, at->operands[0], offsets, coords, &place)
                                 : tl_tile_generic_place (run, block, at->operands[0], coords, to->n_dims, &place);

      *piece = (TlTilePiece) { tl_tile_place (&placer, i), G_MAXUINT64, 0 };
      if (there)
        {
          piece->from = place;
          if (!tl_tile_read (run, block, memory, run->plan->global_granule, place, bits, TL_TILE_ALL_THREADS,
                             &piece->code))
            return FALSE;
        }
      if (!tl_tile_copy_begin (run, block, piece->to, bits))
        return FALSE;
    }
  run->report->copied_bytes += (n * bits + 7) / 8;
  run->report->thread_steps += n;
  return TRUE;
}

static gboolean
end_copy (TlTileRun *run, TlTileBlock *block, const TlTileCopy *copy)
{
  guint         bits = tl_tile_tensor (run, copy->tensor)->type.bits;
  TlTileMemory *memory = &g_array_index (run->memories, TlTileMemory, copy->memory);

  for (guint i = 0; i < copy->pieces->len; i++)
    {
      const TlTilePiece *piece = &g_array_index (copy->pieces, TlTilePiece, i);
      guint32            now = piece->code;

      if (piece->from != G_MAXUINT64 && memory->shadow != NULL
          && !tl_tile_read (run, block, memory, run->plan->global_granule, piece->from, bits, TL_TILE_ALL_THREADS,
                            &now))
        return FALSE;
      if (now != piece->code)
        return tl_tile_fault (run, block, TL_TILE_FAULT_RACE, TL_TILE_ALL_THREADS,
                              &(TlTileTouch) { block->number, block->epoch, TL_TILE_ALL_THREADS, copy->instruction },
                              "waits for a copy whose source changed while it was under way");
      tl_tile_copy_end (run, block, piece->to, bits, copy->instruction, piece->code);
    }
  return TRUE;
}

/* Ends the copies of all but the last @most groups; with @all those of no group too. */
static gboolean
wait_for (TlTileRun *run, TlTileBlock *block, guint64 most, gboolean all)
{
  for (guint i = 0; i < block->copies->len;)
    {
      const TlTileCopy *copy = g_ptr_array_index (block->copies, i);

      if (copy->group == G_MAXUINT ? !all : copy->group + most >= block->groups)
        {
          i++;
          continue;
        }
      if (!end_copy (run, block, copy))
        return FALSE;
      g_ptr_array_remove_index (block->copies, i);
    }
  return TRUE;
}

gboolean
tl_tile_run_copy (TlTileRun *run, TlTileBlock *block)
{
  const TlTileInstruction *at = tl_tile_now (run, block);

  switch (at->op)
    {
    case TL_TILE_COMMIT_GROUP:
      for (guint i = 0; i < block->copies->len; i++)
        {
          TlTileCopy *copy = g_ptr_array_index (block->copies, i);
          if (copy->group == G_MAXUINT)
            copy->group = block->groups;
        }
      block->groups++;
      return TRUE;
    case TL_TILE_WAIT_GROUP:
      return wait_for (run, block, (guint64) at->amount, FALSE);
    case TL_TILE_WAIT_ALL:
      return wait_for (run, block, 0, TRUE);
    default:
      return begin_copy (run, block);
    }
}
