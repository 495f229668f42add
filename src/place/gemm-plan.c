/* Both operands of a product, planned together. */
#include "place/gemm-plan.h"
#include "base/number.h"
#include "place/evaluate.h"

#include <stdlib.h>
#include <string.h>

#define BATCH 4096

struct _TlGemmPlacing
{
  TlTileMap   *tile[TL_N_GEMM_OPERANDS]; /* NULL: row by row, at the stream's own addresses */
  guint64     *base[TL_N_GEMM_OPERANDS]; /* of tile outer * k_steps + step */
  guint64      n_tiles[TL_N_GEMM_OPERANDS];
  TlTileRegion region[TL_N_GEMM_OPERANDS][1 << (TL_GEMM_MAX_SPLIT - 1)]; /* of each colour */
  guint        colours[TL_N_GEMM_OPERANDS];
  guint64      k_steps;
  guint        shift; /* of a quantum that is a power of two, else 0 */
  guint32      quantum;
};

void
tl_gemm_placing_free (TlGemmPlacing *placing)
{
  if (placing == NULL)
    return;
  for (guint i = 0; i < TL_N_GEMM_OPERANDS; i++)
    {
      g_free (placing->tile[i]);
      g_free (placing->base[i]);
    }
  g_free (placing);
}

/* Binds the tiles of one operand. The top @split domain bits are the share: the topmost tells A from B, those below it
 * the colours of B. */
static gboolean
bind_operand (TlGemmPlacing *placing, const TlGemmShape *shape, TlGemmOperand operand, TlBinder *binder, guint n_domain,
              guint split, TlDiags *diags)
{
  const TlTileMap *tile = placing->tile[operand];
  guint64 outers = operand == TL_GEMM_A ? tl_ceil_div (shape->m, shape->tile_m) : tl_ceil_div (shape->n, shape->tile_n);
  guint64 colours = operand == TL_GEMM_B ? tl_gemm_colours (split) : 1;
  guint64 top = split > 0 && operand == TL_GEMM_B ? (guint64) 1 << (n_domain - 1) : 0;
  guint   colour_bit = n_domain - split;
  TlTileRegion *region = placing->region[operand];

  placing->colours[operand] = (guint) MIN (colours, outers);
  for (guint64 colour = 0; colour < MIN (colours, outers); colour++)
    if (!tl_binder_allocate (binder, tile, top | (operand == TL_GEMM_B && split > 1 ? colour << colour_bit : 0),
                             tl_ceil_div (outers - colour, colours) * placing->k_steps, &region[colour], diags))
      return FALSE;
  placing->n_tiles[operand] = outers * placing->k_steps;
  placing->base[operand] = g_new (guint64, placing->n_tiles[operand]);
  for (guint64 outer = 0; outer < outers; outer++)
    for (guint64 step = 0; step < placing->k_steps; step++)
      placing->base[operand][outer * placing->k_steps + step]
          = tl_binder_base (binder, tile, &region[outer % colours], outer / colours * placing->k_steps + step);
  return TRUE;
}

/* Keeps the rows of an operand that lies row by row free of tiles. */
static gboolean
stay (const TlGemmShape *shape, TlGemmOperand operand, TlAddressMap *map, const TlPlaceBits *bits, TlBinder *binder,
      TlDiags *diags)
{
  const guint64 *rows = tl_address_map_rows (map);
  guint          low = bits->n_column + bits->n_domain;
  TlGemmTiles    tiles;
  guint64        start = tl_gemm_base (shape, operand);

  for (guint i = 0; i < bits->n_row; i++)
    if (rows[bits->row[i]] != (guint64) 1 << (low + i))
      {
        tl_diag_reason (tl_diags_add (diags, TL_SEVERITY_ERROR, "layout-beside", NULL, tl_span (0, 0),
                                      "operand %c cannot stay row by row beside a placed one", "AB"[operand]),
                        "the machine's map makes row bits of other address bits than the highest, so that its rows "
                        "have no free ones between them; place both operands, or none");
        return FALSE;
      }
  tl_gemm_tiles (shape, operand, &tiles);
  guint64 first = start / shape->quantum, last = (start + tiles.rows * tiles.row_bytes - 1) / shape->quantum;
  return tl_binder_reserve (binder, first >> low, (last >> low) - (first >> low) + 1, diags);
}

TlGemmPlacing *
tl_gemm_placing_new (const TlGemmShape *shape, TlAddressMap *map,
                     const TlPlacement *const placements[TL_N_GEMM_OPERANDS], guint split, TlDiags *diags)
{
  g_autoptr (TlGemmPlacing) placing = g_new0 (TlGemmPlacing, 1);
  g_autoptr (TlBinder) binder = tl_binder_new (map);
  TlPlaceBits bits;

  tl_place_bits (map, &bits);
  if (split > MIN (bits.n_domain, TL_GEMM_MAX_SPLIT))
    {
      tl_diag_reason (tl_diags_add (diags, TL_SEVERITY_ERROR, "layout-illegal", NULL, tl_span (0, 0),
                                    "the operands cannot share the domains so"),
                      "%u domain bits would be kept from the tiles, and the machine has %u; at most %d can be", split,
                      bits.n_domain, TL_GEMM_MAX_SPLIT);
      return NULL;
    }
  placing->k_steps = tl_ceil_div (shape->k, shape->tile_k);
  placing->quantum = shape->quantum;
  if ((shape->quantum & (shape->quantum - 1)) == 0)
    placing->shift = (guint) __builtin_ctz (shape->quantum);
  for (TlGemmOperand operand = TL_GEMM_A; operand < TL_N_GEMM_OPERANDS; operand++)
    if (placements[operand] == NULL && !stay (shape, operand, map, &bits, binder, diags))
      return NULL;
  for (TlGemmOperand operand = TL_GEMM_A; operand < TL_N_GEMM_OPERANDS; operand++)
    {
      g_autofree char *reason = NULL;
      guint            share_bits = tl_gemm_share_bits (split, operand);

      if (placements[operand] == NULL)
        continue;
      guint64 share = (((guint64) 1 << share_bits) - 1) << (bits.n_domain - share_bits);

      placing->tile[operand] = tl_tile_map_new (placements[operand], map, share, &reason);
      if (placing->tile[operand] == NULL)
        {
          tl_diag_reason (tl_diags_add (diags, TL_SEVERITY_ERROR, "layout-illegal", NULL, tl_span (0, 0),
                                        "the layout of operand %c cannot be realised", "AB"[operand]),
                          "%s", reason);
          return NULL;
        }
      if (!bind_operand (placing, shape, operand, binder, bits.n_domain, split, diags))
        return NULL;
    }
  return g_steal_pointer (&placing);
}

void
tl_gemm_placing_apply (const TlGemmPlacing *placing, const TlGemmRequest *requests, gsize n, guint64 *addresses)
{
  for (gsize i = 0; i < n; i++)
    {
      const TlGemmRequest *request = &requests[i];

      if (placing->tile[request->operand] == NULL)
        {
          addresses[i] = request->address;
          continue;
        }
      guint64 base = placing->base[request->operand][request->outer * placing->k_steps + request->step];
      guint64 unit = placing->shift != 0 ? request->offset >> placing->shift : request->offset / placing->quantum;

      addresses[i] = tl_address_of_unit (placing->tile[request->operand], base, (guint32) unit);
    }
}

const guint64 *
tl_gemm_placing_bases (const TlGemmPlacing *placing, TlGemmOperand operand, const TlTileMap **map, guint64 *n_tiles)
{
  *map = placing->tile[operand];
  *n_tiles = placing->n_tiles[operand];
  return placing->base[operand];
}

const TlTileRegion *
tl_gemm_placing_region (const TlGemmPlacing *placing, TlGemmOperand operand, guint colour)
{
  return placing->tile[operand] != NULL && colour < placing->colours[operand] ? &placing->region[operand][colour]
                                                                              : NULL;
}

static gboolean
fits (guint64 address, TlAddressMap *map, TlDiags *diags)
{
  if (address >> tl_address_map_bits (map) == 0)
    return TRUE;
  tl_diag_reason (tl_diags_add (diags, TL_SEVERITY_ERROR, "gemm-memory", NULL, tl_span (0, 0),
                                "the operands do not fit the memory"),
                  "a request goes to quantum %" G_GUINT64_FORMAT ", the memory has 2^%u", address,
                  tl_address_map_bits (map));
  return FALSE;
}

gboolean
tl_gemm_count_operands (const TlGemmShape *shape, TlAddressMap *map, const TlGemmPlacing *placing, guint64 limit,
                        const TlGemmPlanOptions *options, TlInOrderCounts *counts,
                        guint64 classes[TL_N_GEMM_OPERANDS][TL_N_ROW_CLASSES], TlDiags *diags)
{
  g_autoptr (TlInOrder) counter = tl_in_order_new (map, TL_PAGES_OPEN);
  g_autoptr (TlGemmStream) stream = tl_gemm_stream_new (shape);
  g_autofree guint64       *addresses = g_new (guint64, BATCH);
  g_autofree TlGemmRequest *requests = g_new (TlGemmRequest, BATCH);
  g_autofree guint8        *class_of = g_new (guint8, BATCH);
  guint64                   all = tl_gemm_requests (shape), done = 0;
  gsize                     n;

  g_return_val_if_fail (stream != NULL, FALSE);
  memset (classes, 0, sizeof (guint64) * TL_N_GEMM_OPERANDS * TL_N_ROW_CLASSES);
  if (limit != 0)
    all = MIN (all, limit);
  for (; done < all; done += n)
    {
      n = tl_gemm_stream_requests (stream, requests, (gsize) MIN ((guint64) BATCH, all - done));
      if (placing != NULL)
        tl_gemm_placing_apply (placing, requests, n, addresses);
      for (gsize i = 0; placing == NULL && i < n; i++)
        {
          addresses[i] = requests[i].address;
          if (!fits (addresses[i], map, diags))
            return FALSE;
        }
      tl_in_order_classify (counter, addresses, n, class_of);
      for (gsize i = 0; i < n; i++)
        classes[requests[i].operand][class_of[i]]++;
      if (options != NULL && options->progress != NULL && done / BATCH % 64 == 63
          && !options->progress ((double) done / (double) all, options->data))
        return FALSE;
    }
  tl_in_order_counts (counter, counts);
  return TRUE;
}

gboolean
tl_gemm_count (const TlGemmShape *shape, TlAddressMap *map, const TlGemmPlacing *placing, guint64 limit,
               const TlGemmPlanOptions *options, TlInOrderCounts *counts, TlDiags *diags)
{
  g_autoptr (TlInOrder) counter = tl_in_order_new (map, TL_PAGES_OPEN);
  g_autoptr (TlGemmStream) stream = tl_gemm_stream_new (shape);
  g_autofree guint64       *addresses = g_new (guint64, BATCH);
  g_autofree TlGemmRequest *requests = g_new (TlGemmRequest, BATCH);
  guint64                   all = tl_gemm_requests (shape);
  guint64                   done = 0;
  gsize                     n;

  g_return_val_if_fail (stream != NULL, FALSE);
  if (limit != 0)
    all = MIN (all, limit);
  for (; done < all; done += n)
    {
      gsize room = (gsize) MIN ((guint64) BATCH, all - done);

      if (placing != NULL)
        {
          n = tl_gemm_stream_requests (stream, requests, room);
          tl_gemm_placing_apply (placing, requests, n, addresses);
        }
      else
        {
          guint64 largest = 0;

          n = tl_gemm_stream_next (stream, addresses, room);
          for (gsize i = 0; i < n; i++)
            largest = MAX (largest, addresses[i]);
          if (!fits (largest, map, diags))
            return FALSE;
        }
      tl_in_order_feed (counter, addresses, n);
      if (options != NULL && options->progress != NULL && done / BATCH % 64 == 63
          && !options->progress ((double) done / (double) all, options->data))
        return FALSE;
    }
  tl_in_order_counts (counter, counts);
  return TRUE;
}

void
tl_gemm_plan_free (TlGemmPlan *plan)
{
  if (plan == NULL)
    return;
  tl_address_map_unref (plan->map);
  for (guint i = 0; i < TL_N_GEMM_OPERANDS; i++)
    tl_signature_free (plan->signature[i]);
  g_free (plan);
}

static int
compare_ways (const void *a, const void *b)
{
  const TlGemmWay *x = a, *y = b;
  guint64 x_domains = x->plan[0].coverage + x->plan[1].coverage, y_domains = y->plan[0].coverage + y->plan[1].coverage;
  guint   x_terms = x->plan[0].placement.nonzeros + x->plan[1].placement.nonzeros;
  guint   y_terms = y->plan[0].placement.nonzeros + y->plan[1].placement.nonzeros;

  if (x->conflict != y->conflict)
    return x->conflict < y->conflict ? -1 : 1;
  if (x_domains != y_domains)
    return x_domains > y_domains ? -1 : 1;
  if (x_terms != y_terms)
    return x_terms < y_terms ? -1 : 1;
  if (x->split != y->split)
    return x->split < y->split ? -1 : 1;
  return (x->packed != FALSE) - (y->packed != FALSE);
}

/* The plain layout as a plan. */
static void
pack (const TlSequence *sequence, const TlPlanOptions *options, TlFreePlan *plan)
{
  TlPlacementCounts counts;

  *plan = (TlFreePlan) { .exact = TRUE };
  tl_placement_identity (sequence->bits, options->columns, options->domains, &plan->placement);
  tl_placement_evaluate (&plan->placement, sequence, &counts);
  tl_placement_flag (&plan->placement, &plan->kernel, &plan->domain_kernel);
  plan->hits = counts.hit;
  plan->conflicts = counts.conflict;
  plan->coverage = counts.coverage;
}

/* The layouts of one way. */
static void
lay_out (const TlGemmPlan *plan, const TlPlaceBits *bits, const TlGemmPlanOptions *options, TlGemmWay *way)
{
  for (TlGemmOperand operand = TL_GEMM_A; operand < TL_N_GEMM_OPERANDS; operand++)
    {
      const TlSequence *sequence = plan->signature[operand]->sequence;
      guint             taken = tl_gemm_share_bits (way->split, operand);
      TlPlanOptions     own
          = { bits->n_column, bits->n_domain - taken, options->step_limit, options->progress, options->data };

      if (way->packed)
        pack (sequence, &own, &way->plan[operand]);
      else
        tl_plan_free_domains (sequence, &own, &way->plan[operand]);
    }
}

/* Binds and counts one way. FALSE with a diagnostic when it does not fit, or when stopped. */
static gboolean
count_way (const TlGemmPlan *plan, const TlGemmPlanOptions *options, TlGemmWay *way, TlDiags *diags)
{
  const TlPlacement *placements[] = { &way->plan[TL_GEMM_A].placement, &way->plan[TL_GEMM_B].placement };
  g_autoptr (TlGemmPlacing) placing = tl_gemm_placing_new (&plan->shape, plan->map, placements, way->split, diags);
  TlInOrderCounts counts;

  if (placing == NULL || !tl_gemm_count (&plan->shape, plan->map, placing, options->sample, options, &counts, diags))
    return FALSE;
  way->requests = counts.requests;
  way->hit = counts.hit;
  way->miss = counts.miss;
  way->conflict = counts.conflict;
  return TRUE;
}

/* Whether the layouts of two ways are the same ones. */
static gboolean
same_layouts (const TlGemmWay *a, const TlGemmWay *b)
{
  for (guint i = 0; i < TL_N_GEMM_OPERANDS; i++)
    {
      const TlPlacement *x = &a->plan[i].placement, *y = &b->plan[i].placement;

      if (x->n_domain != y->n_domain || x->n_row != y->n_row
          || memcmp (x->rows, y->rows, x->bits * sizeof *x->rows) != 0)
        return FALSE;
    }
  return TRUE;
}

TlGemmPlan *
tl_gemm_plan_new (const TlGemmShape *shape, TlAddressMap *map, const TlGemmPlanOptions *options, TlDiags *diags)
{
  g_autoptr (TlGemmPlan) plan = g_new0 (TlGemmPlan, 1);
  g_autoptr (TlDiags) refused = tl_diags_new ();
  TlPlaceBits bits;
  guint64     neighbours;

  plan->shape = *shape;
  plan->map = tl_address_map_ref (map);
  tl_place_bits (map, &bits);
  for (TlGemmOperand operand = TL_GEMM_A; operand < TL_N_GEMM_OPERANDS; operand++)
    if ((plan->signature[operand] = tl_signature_of_gemm (shape, operand, diags)) == NULL)
      return NULL;
  neighbours = MIN ((guint64) shape->resident, tl_ceil_div (shape->n, shape->tile_n));
  guint most = MIN (MIN (1 + tl_bits_for (neighbours), bits.n_domain), TL_GEMM_MAX_SPLIT);
  for (guint i = 0; i < 2 * (most + 1) && !plan->stopped; i++)
    {
      guint      split = i / 2;
      guint      before = tl_diags_count (refused);
      TlGemmWay *way = &plan->way[plan->n_ways];

      *way = (TlGemmWay) { .split = split, .colours = tl_gemm_colours (split), .packed = i % 2 };
      lay_out (plan, &bits, options, way);
      if (way->packed && plan->n_ways > 0 && way[-1].split == split && same_layouts (&way[-1], way))
        continue;
      if (count_way (plan, options, way, refused))
        plan->n_ways++;
      else
        plan->stopped = tl_diags_count (refused) == before;
    }
  if (plan->n_ways == 0 && !plan->stopped)
    {
      /* The pool is the roomiest way. */
      tl_diags_copy (diags, tl_diags_get (refused, 0));
      return NULL;
    }
  qsort (plan->way, plan->n_ways, sizeof *plan->way, compare_ways);
  return g_steal_pointer (&plan);
}
