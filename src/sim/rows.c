/* Slots read backwards: copies first, then the PU's tiles of the tier in order. */
#include "sim/rows.h"
#include "sim/history-private.h"

static gboolean
find_copy (const TlSimPlan *plan, guint32 pu, guint32 slot, guint32 k, TlRowUse *use)
{
  const guint32 *left = &plan->left_slot[(gsize) pu * plan->tiles];
  const guint32 *right = &plan->right_slot[(gsize) pu * plan->tiles];

  for (guint32 x = 0; x < plan->tiles; x++)
    if (left[x] == slot)
      {
        *use = (TlRowUse) { .kind = TL_ROW_COPY_LEFT, .i = x, .j = k };
        return TRUE;
      }
    else if (right[x] == slot)
      {
        *use = (TlRowUse) { .kind = TL_ROW_COPY_RIGHT, .i = k, .j = x };
        return TRUE;
      }
  return FALSE;
}

static gboolean
find_tile (const TlSimPlan *plan, guint32 pu, guint32 tier, guint32 rank, TlRowUse *use)
{
  for (guint32 o = plan->own_start[pu]; o < plan->own_start[pu + 1]; o++)
    {
      guint32 i = plan->own[o] >> 16, j = plan->own[o] & 0xffff;

      if (plan->rank[(gsize) i * plan->tiles + j] != rank || tl_pim_program_tier (plan->program, i, j) != tier)
        continue;
      *use = (TlRowUse) { .kind = TL_ROW_TILE, .i = i, .j = j };
      return TRUE;
    }
  return FALSE;
}

void
tl_sim_row_use (TlSimRun *run, guint32 pu, guint32 bank, guint32 row, guint32 k, TlRowUse *use)
{
  const TlSimPlan *plan = tl_history_plan (run->history);
  guint32          tier = row / plan->timings.rows, in_tier = row % plan->timings.rows;
  guint32          slot = in_tier / plan->slot_rows;
  gboolean         has_copies = tier == 0 || plan->program->copies == TL_COPIES_HOME;

  *use = (TlRowUse) { .kind = TL_ROW_EMPTY };
  if (pu >= plan->pus)
    return;
  if (has_copies && slot < plan->copies[pu])
    find_copy (plan, pu, slot, k, use);
  else
    find_tile (plan, pu, tier, slot - (has_copies ? plan->copies[pu] : 0), use);
  use->index = (in_tier % plan->slot_rows) * plan->timings.banks + bank;
}
