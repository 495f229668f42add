/* What the layout lens knows: the map, its legality, and what it makes of the accesses. */
#include "scene/layout-lens.h"

#include "base/gf2.h"
#include "place/evaluate.h"
#include "place/place-line.h"

#include <stdlib.h>
#include <string.h>

/* Accesses whose letters are kept. */
#define MOST_LETTERS 4096

static void
candidate_free (gpointer data)
{
  TlLayoutCandidate *candidate = data;

  g_free (candidate->name);
  g_free (candidate);
}

TlLayoutPart
tl_layout_lens_part (const TlLayoutLens *lens, guint row)
{
  return row < lens->placement.n_domain                           ? TL_PART_DOMAIN
         : row < lens->placement.n_domain + lens->placement.n_row ? TL_PART_ROW
                                                                  : TL_PART_COLUMN;
}

char *
tl_layout_lens_row_name (const TlLayoutLens *lens, guint row)
{
  const TlPlacement *placement = &lens->placement;

  switch (tl_layout_lens_part (lens, row))
    {
    case TL_PART_DOMAIN:
      return g_strdup_printf ("domain %u", row);
    case TL_PART_ROW:
      return placement->n_row == 1 ? g_strdup ("row") : g_strdup_printf ("row %u", row - placement->n_domain);
    default:
      return g_strdup_printf ("column %u", row - placement->n_domain - placement->n_row);
    }
}

/* --- Legality --- */

/* A set of rows whose XOR is zero, as a mask of row numbers; 0 when they are independent. */
static guint32
dependent_rows (const TlPlacement *placement)
{
  guint16 echelon[TL_PLACE_MAX_BITS];
  guint32 made_of[TL_PLACE_MAX_BITS];
  guint   n = 0;

  for (guint row = 0; row < placement->bits; row++)
    {
      guint16 v = placement->rows[row];
      guint32 of = 1u << row;

      for (guint k = 0; k < n; k++)
        if ((v ^ echelon[k]) < v)
          {
            v ^= echelon[k];
            of ^= made_of[k];
          }
      if (v == 0)
        return of;
      echelon[n] = v;
      made_of[n++] = of;
    }
  return 0;
}

static void
judge (TlLayoutLens *lens)
{
  static const char *const parts[] = { "domain", "row", "column" };
  const TlPlacement       *placement = &lens->placement;
  const guint              used[] = { placement->n_domain, placement->n_row, placement->n_column };
  guint32                  dependent = dependent_rows (placement);
  guint64                  rows[TL_PLACE_MAX_BITS] = { 0 }, kernel[64];

  g_clear_pointer (&lens->reason, g_free);
  for (guint i = 0; i < placement->bits; i++)
    rows[i] = placement->rows[i];
  lens->rank = tl_gf2_rank (rows, placement->bits);
  lens->legal = dependent == 0;
  if (dependent != 0)
    {
      GString *text = g_string_new (NULL);
      guint    n = (guint) __builtin_popcount (dependent), at = 0;

      tl_gf2_kernel (rows, placement->bits, placement->bits, kernel);
      for (guint row = 0; row < placement->bits; row++)
        if (dependent >> row & 1)
          {
            g_autofree char *name = tl_layout_lens_row_name (lens, row);
            g_string_append_printf (text, "%s%s", at == 0 ? "" : at + 1 == n ? " and " : ", ", name);
            at++;
          }
      g_string_append (text, n == 1 ? " depends on no bit" : n == 2 ? " are the same" : " cancel out");
      lens->reason = g_strdup_printf ("Rank %u of %u: %s, so units 0 and %u would share a place.", lens->rank,
                                      placement->bits, text->str, (guint) kernel[0]);
      g_string_free (text, TRUE);
    }
  for (TlLayoutPart part = 0; part < TL_N_PARTS && lens->legal; part++)
    if (used[part] > lens->room[part])
      {
        lens->legal = FALSE;
        lens->reason = g_strdup_printf ("%u %s bits are more than the machine's %u: %s bit %u has no place.",
                                        used[part], parts[part], lens->room[part], parts[part], lens->room[part]);
      }
}

/* --- Counting --- */

static int
compare_bars (gconstpointer a, gconstpointer b)
{
  const TlLayoutBar *x = a, *y = b;

  if (x->weight != y->weight)
    return x->weight > y->weight ? -1 : 1;
  return (int) x->difference - (int) y->difference;
}

static gboolean
in_kernel (const TlPlacement *placement, guint difference)
{
  for (guint i = 0; i < placement->n_row; i++)
    if (tl_gf2_parity (placement->rows[placement->n_domain + i] & difference))
      return FALSE;
  return TRUE;
}

static void
count (TlLayoutLens *lens)
{
  const TlHistogram *histogram = lens->histogram;

  g_array_set_size (lens->bars, 0);
  lens->hits = 0;
  for (guint d = 0; d < 1u << histogram->bits; d++)
    if (histogram->weight[d] > 0)
      {
        TlLayoutBar bar = { (guint16) d, histogram->weight[d], in_kernel (&lens->placement, d) };
        g_array_append_val (lens->bars, bar);
        lens->hits += bar.inside ? bar.weight : 0;
      }
  g_array_sort (lens->bars, compare_bars);
  lens->misses = histogram->coverage;
  lens->conflicts = histogram->accesses - lens->misses - lens->hits;
}

/* The accesses one by one, each domain with one open row. */
static void
write_letters (TlLayoutLens *lens)
{
  const TlPlacement  *placement = &lens->placement;
  g_autofree guint32 *open = g_new0 (guint32, (gsize) 1 << placement->n_domain);

  g_string_truncate (lens->letters, 0);
  for (guint32 i = 0; i < MIN (lens->sequence->length, MOST_LETTERS); i++)
    {
      guint   unit = lens->sequence->units[i];
      guint32 domain = 0, row = 0;

      for (guint b = 0; b < placement->n_domain; b++)
        domain |= (guint32) tl_gf2_parity (placement->rows[b] & unit) << b;
      for (guint b = 0; b < placement->n_row; b++)
        row |= (guint32) tl_gf2_parity (placement->rows[placement->n_domain + b] & unit) << b;
      g_string_append_c (lens->letters, open[domain] == 0 ? 'M' : open[domain] == row + 1 ? 'H' : 'C');
      open[domain] = row + 1;
    }
}

static void
recount (TlLayoutLens *lens, gboolean domains)
{
  guint ones = 0;

  for (guint i = 0; i < lens->placement.bits; i++)
    ones += (guint) __builtin_popcount (lens->placement.rows[i]);
  lens->placement.nonzeros = ones;
  if (domains)
    tl_histogram_count (lens->histogram, lens->sequence, lens->placement.rows, lens->placement.n_domain);
  judge (lens);
  count (lens);
  write_letters (lens);
}

/* --- Making and editing --- */

TlLayoutLens *
tl_layout_lens_new (const char *name, const TlSequence *sequence, const guint room[TL_N_PARTS],
                    const TlPlacement *placement)
{
  TlLayoutLens *lens = g_new0 (TlLayoutLens, 1);

  g_return_val_if_fail (placement->bits == sequence->bits, NULL);
  lens->name = g_strdup (name);
  lens->sequence = tl_sequence_new (sequence->bits, sequence->units, sequence->length);
  memcpy (lens->room, room, sizeof lens->room);
  lens->placement = *placement;
  lens->histogram = tl_histogram_new (sequence->bits);
  lens->bars = g_array_new (FALSE, FALSE, sizeof (TlLayoutBar));
  lens->letters = g_string_new (NULL);
  lens->candidates = g_ptr_array_new_with_free_func (candidate_free);
  recount (lens, TRUE);
  return lens;
}

void
tl_layout_lens_free (TlLayoutLens *lens)
{
  if (lens == NULL)
    return;
  g_free (lens->name);
  g_free (lens->reason);
  tl_sequence_free (lens->sequence);
  tl_histogram_free (lens->histogram);
  g_array_unref (lens->bars);
  g_string_free (lens->letters, TRUE);
  g_ptr_array_unref (lens->candidates);
  g_free (lens);
}

TlLayoutLens *
tl_layout_lens_lesson (void)
{
  static const guint16 order[] = { 0, 4, 1, 5, 2, 6, 3, 7 };
  static const guint   room[] = { 0, 1, 2 };
  const TlPlacement    written = { 3, 0, 1, 2, { 4, 1, 2 }, 3 }, other = { 3, 0, 1, 2, { 2, 1, 4 }, 3 };
  g_autoptr (TlSequence) sequence = tl_sequence_new (3, order, G_N_ELEMENTS (order));
  TlLayoutLens *lens = tl_layout_lens_new ("8 units, one bank, order 0 4 1 5 2 6 3 7", sequence, room, &written);

  tl_layout_lens_add (lens, "row = c2", &written);
  tl_layout_lens_add (lens, "row = c1", &other);
  return lens;
}

void
tl_layout_lens_set (TlLayoutLens *lens, const TlPlacement *placement)
{
  g_return_if_fail (placement->bits == lens->placement.bits);
  lens->placement = *placement;
  recount (lens, TRUE);
}

void
tl_layout_lens_toggle (TlLayoutLens *lens, guint row, guint bit)
{
  g_return_if_fail (row < lens->placement.bits && bit < lens->placement.bits);
  lens->placement.rows[row] ^= (guint16) (1u << bit);
  recount (lens, row < lens->placement.n_domain);
}

void
tl_layout_lens_swap_rows (TlLayoutLens *lens, guint a, guint b)
{
  g_return_if_fail (a < lens->placement.bits && b < lens->placement.bits);
  guint16 kept = lens->placement.rows[a];

  lens->placement.rows[a] = lens->placement.rows[b];
  lens->placement.rows[b] = kept;
  recount (lens, MIN (a, b) < lens->placement.n_domain);
}

void
tl_layout_lens_swap_bits (TlLayoutLens *lens, guint a, guint b)
{
  g_return_if_fail (a < lens->placement.bits && b < lens->placement.bits);
  for (guint i = 0; i < lens->placement.bits; i++)
    {
      guint16 row = lens->placement.rows[i];

      if ((row >> a & 1) != (row >> b & 1))
        lens->placement.rows[i] = row ^ (guint16) (1u << a | 1u << b);
    }
  recount (lens, TRUE);
}

void
tl_layout_lens_add (TlLayoutLens *lens, const char *name, const TlPlacement *placement)
{
  TlPlacementCounts counts;

  for (guint i = 0; i < lens->candidates->len; i++)
    {
      const TlPlacement *other = &((const TlLayoutCandidate *) lens->candidates->pdata[i])->placement;
      if (other->n_domain == placement->n_domain && other->n_row == placement->n_row
          && memcmp (other->rows, placement->rows, placement->bits * sizeof *placement->rows) == 0)
        return;
    }
  TlLayoutCandidate *candidate = g_new0 (TlLayoutCandidate, 1);
  candidate->name = g_strdup (name);
  candidate->placement = *placement;
  tl_placement_evaluate (placement, lens->sequence, &counts);
  candidate->hits = counts.hit;
  candidate->misses = counts.miss;
  candidate->conflicts = counts.conflict;
  g_ptr_array_add (lens->candidates, candidate);
}

char *
tl_layout_lens_line (const TlLayoutLens *lens)
{
  return tl_place_line_text (&lens->placement);
}
