/* From an operand's plan to its lens. */
#include "scene/operand-lens.h"

#include "place/tile-count.h"

#include <string.h>

/* Maps that tie with PLAN's. */
#define TIES 4

/* "as good, %u" with its number. (transfer full) */
static char *
numbered (const char *words, guint number)
{
  g_auto (GStrv) parts = g_strsplit (words, "%u", 2);

  return g_strdup_printf ("%s%u%s", parts[0], number, parts[0] != NULL && parts[1] != NULL ? parts[1] : "");
}

TlLayoutLens *
tl_layout_lens_of_operand (const TlOperandTile *tile, const char *name, const TlOperandLensNames *names)
{
  const TlGemmWay  *way = &tile->plan->way[0];
  const TlFreePlan *plan = &way->plan[tile->operand];
  const TlSequence *sequence = tile->plan->signature[tile->operand]->sequence;
  TlPlaceBits       bits;
  TlPlacement       identity;
  TlInOrderCounts   stored;

  tl_place_bits (tile->plan->map, &bits);
  guint         domains = bits.n_domain - tl_gemm_share_bits (tile->split, tile->operand);
  const guint   room[] = { domains, bits.n_row, bits.n_column };
  TlPlanOptions options = { bits.n_column, bits.n_domain - tl_gemm_share_bits (way->split, tile->operand),
                            TL_PLAN_STEP_LIMIT, NULL, NULL };
  TlLayoutLens *lens = tl_layout_lens_new (name, sequence, room, &tile->placement);
  g_autoptr (GArray) ties = tl_plan_candidates (sequence, &options, plan, TIES);

  tl_gemm_count_tile (&tile->product.shape, tile->operand, sequence, tile->plan->map, FALSE, &stored);
  lens->stored_told = TRUE;
  lens->stored_hits = stored.hit;
  lens->stored_misses = stored.miss;
  lens->stored_conflicts = stored.conflict;
  tl_placement_identity (sequence->bits, bits.n_column, domains, &identity);
  if (tile->written)
    tl_layout_lens_add (lens, names->written, &tile->placement);
  else if (tile->of_run && !tile->unused)
    tl_layout_lens_add (lens, names->run, &tile->placement);
  tl_layout_lens_add (lens, way->packed ? names->packed : names->plan, &plan->placement);
  tl_layout_lens_add (lens, names->identity, &identity);
  for (guint i = 1; i < ties->len; i++)
    {
      g_autofree char *label = numbered (names->tie, i);
      tl_layout_lens_add (lens, label, &g_array_index (ties, TlFreePlan, i).placement);
    }
  return lens;
}
