/* Geometry of wavefronts. Both ends of a tile row's stretch rise from row to row, so a
 * wave's tiles are one stretch of an anti-diagonal and are found by bisection. */
#include "ir/wave.h"

#include <math.h>

gint64
tl_wave_half (const TlWaveBand *band, guint64 rows)
{
  switch (band->kind)
    {
    case TL_WAVE_BAND_CELLS:
      return band->cells;
    case TL_WAVE_BAND_SHARE:
      return (gint64) floor (band->share * (double) rows + 0.5);
    case TL_WAVE_BAND_NONE:
    default:
      return -1;
    }
}

void
tl_wave_fit (TlWaveTiling *tiling, const TlWaveBand *band, guint32 rows, guint32 columns)
{
  gint64 half = tl_wave_half (band, rows);

  tiling->rows = rows;
  tiling->columns = columns;
  tiling->low = half >= 0 ? -half : -(gint64) rows;
  tiling->high = half >= 0 ? half : (gint64) columns;
  if (tiling->reduced > 0)
    tiling->reduced = MAX (columns, 1);
}

gboolean
tl_wave_fit_window (TlWaveTiling *tiling, const TlWaveBand *band, guint32 rows, gint64 diagonal, guint64 letters,
                    guint64 *column)
{
  gint64 half = MAX (tl_wave_half (band, rows), 0);
  gint64 first = diagonal - half, last = first + rows + 2 * half;
  gint64 from = MAX (first, 0), to = MIN (last, (gint64) letters);

  if (from >= to || to - from > G_MAXUINT32)
    return FALSE;
  *column = (guint64) from;
  tiling->rows = rows;
  tiling->columns = (guint32) (to - from);
  tiling->low = first - from;
  tiling->high = 2 * half + first - from;
  return TRUE;
}

guint32
tl_wave_tile_rows (const TlWaveTiling *tiling)
{
  return tiling->reduced > 0 ? tiling->rows : tiling->rows / tiling->tile + (tiling->rows % tiling->tile != 0);
}

guint32
tl_wave_tile_columns (const TlWaveTiling *tiling)
{
  guint64 columns = tiling->columns + (guint64) tiling->skew * tiling->rows;

  return (guint32) ((columns + tiling->tile - 1) / tiling->tile);
}

gboolean
tl_wave_row (const TlWaveTiling *tiling, guint32 i, guint32 *from, guint32 *to)
{
  gint64 height = tiling->reduced > 0 ? 1 : tiling->tile;
  gint64 first = (gint64) i * height + 1, last = MIN (first + height - 1, (gint64) tiling->rows);

  /* Rows that have a cell in the band: i + high >= 1 and i + low <= columns. */
  first = MAX (first, 1 - tiling->high);
  last = MIN (last, (gint64) tiling->columns - tiling->low);
  if (first > last || tiling->columns == 0 || tiling->low > tiling->high)
    return FALSE;
  gint64 left = MAX (1, first + tiling->low) + tiling->skew * first;
  gint64 right = MIN ((gint64) tiling->columns, last + tiling->high) + tiling->skew * last;
  *from = (guint32) ((left - 1) / tiling->tile);
  *to = (guint32) ((right - 1) / tiling->tile);
  return TRUE;
}

/* Tile rows with tiles are one stretch too. */
static gboolean
row_range (const TlWaveTiling *tiling, guint32 *first, guint32 *last)
{
  gint64 height = tiling->reduced > 0 ? 1 : tiling->tile;
  gint64 top = MAX (1, 1 - tiling->high), bottom = MIN ((gint64) tiling->rows, (gint64) tiling->columns - tiling->low);

  if (top > bottom || tiling->columns == 0 || tiling->low > tiling->high)
    return FALSE;
  *first = (guint32) ((top - 1) / height);
  *last = (guint32) ((bottom - 1) / height);
  return TRUE;
}

gboolean
tl_wave_range (const TlWaveTiling *tiling, guint64 *first, guint64 *last)
{
  guint32 top, bottom, from, to;

  if (!row_range (tiling, &top, &bottom))
    return FALSE;
  tl_wave_row (tiling, top, &from, &to);
  *first = (guint64) tiling->order[0] * top + (guint64) tiling->order[1] * from;
  tl_wave_row (tiling, bottom, &from, &to);
  *last = (guint64) tiling->order[0] * bottom + (guint64) tiling->order[1] * to;
  return TRUE;
}

/* Where a tile row stands in its stretch of waves: the first or the last of them. */
static guint64
wave_at (const TlWaveTiling *tiling, guint32 i, gboolean end)
{
  guint32 from = 0, to = 0;

  tl_wave_row (tiling, i, &from, &to);
  return (guint64) tiling->order[0] * i + (end ? to : from);
}

/* The first tile row of @top..@bottom + 1 whose wave at that end is at least @w. */
static guint32
bisect (const TlWaveTiling *tiling, guint32 top, guint32 bottom, guint64 w, gboolean end)
{
  guint32 low = top, high = bottom + 1;

  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;

      if (wave_at (tiling, middle, end) >= w)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

guint32
tl_wave_tiles (const TlWaveTiling *tiling, guint64 w, guint32 *i0, guint32 *j0, gint32 *di, gint32 *dj)
{
  guint32 top, bottom, from, to;

  *di = tiling->order[1] != 0;
  *dj = tiling->order[0] == 0 ? 0 : tiling->order[1] != 0 ? -1 : 1;
  if (!row_range (tiling, &top, &bottom))
    return 0;
  if (tiling->order[1] == 0)
    {
      if (w < top || w > bottom || !tl_wave_row (tiling, (guint32) w, &from, &to))
        return 0;
      *i0 = (guint32) w;
      *j0 = from;
      return to - from + 1;
    }
  guint32 first = bisect (tiling, top, bottom, w, TRUE);
  guint32 past = bisect (tiling, top, bottom, w + 1, FALSE);
  if (first >= past)
    return 0;
  *i0 = first;
  *j0 = (guint32) (w - (guint64) tiling->order[0] * first);
  return past - first;
}

/* Cells of one side of tile @at, of @count in all. */
static guint64
extent (const TlWaveTiling *tiling, guint32 at, guint64 count)
{
  guint64 start = (guint64) at * tiling->tile;

  return tiling->edges == TL_EDGES_PADDED || start + tiling->tile <= count ? tiling->tile : count - start;
}

guint64
tl_wave_cycles (const TlWaveTiling *tiling, guint32 i, guint32 j, gboolean fill)
{
  guint64 width = extent (tiling, j, tiling->columns + (guint64) tiling->skew * tiling->rows);
  guint64 height, strips;

  if (tiling->reduced > 0)
    return (width + tiling->pes - 1) / tiling->pes * tiling->reduced;
  height = extent (tiling, i, tiling->rows);
  strips = (height + tiling->pes - 1) / tiling->pes;
  return strips * (width + (fill ? tiling->fill : 0));
}

/* Cycles of all tiles of a wave and of its largest one. Only the first and the last of them may
 * be cut short by the grid's end, or all of them alike. */
static void
wave_cycles (const TlWaveTiling *tiling, guint64 n, guint32 i, guint32 j, gint32 di, gint32 dj, gboolean fill,
             guint64 *all, guint64 *largest)
{
  guint64 first = tl_wave_cycles (tiling, i, j, fill), last = 0, middle = 0;

  if (n > 1)
    last = tl_wave_cycles (tiling, (guint32) (i + (n - 1) * di), (guint32) ((gint64) j + (gint64) (n - 1) * dj), fill);
  if (n > 2)
    middle = tl_wave_cycles (tiling, (guint32) (i + di), (guint32) ((gint64) j + dj), fill);
  *all = first + last + (n > 2 ? (n - 2) * middle : 0);
  *largest = MAX (first, MAX (middle, last));
}

void
tl_wave_sums (const TlWaveTiling *tiling, guint32 pus, TlWaveSums *sums)
{
  guint64 first, last;

  *sums = (TlWaveSums) { 0 };
  if (!tl_wave_range (tiling, &first, &last))
    return;
  for (guint64 w = first; w <= last; w++)
    {
      guint32 i, j;
      gint32  di, dj;
      guint64 n = tl_wave_tiles (tiling, w, &i, &j, &di, &dj);

      sums->waves += n > 0;
      sums->tiles += n;
      sums->widest = MAX (sums->widest, n);
      if (n == 0)
        continue;
      guint64 all, largest, bare, ignored;
      wave_cycles (tiling, n, i, j, di, dj, TRUE, &all, &largest);
      wave_cycles (tiling, n, i, j, di, dj, FALSE, &bare, &ignored);
      sums->critical
          += tiling->edges == TL_EDGES_PADDED ? (n + pus - 1) / pus * largest : MAX (largest, (all + pus - 1) / pus);
      sums->alone += bare;
    }
}

char *
tl_wave_owner_text (guint32 first, guint32 pus, gboolean by_column)
{
  char side = by_column ? 'j' : 'i';

  return first > 0 ? g_strdup_printf ("(%c mod %u) + %u", side, pus, first) : g_strdup_printf ("%c mod %u", side, pus);
}

gint64
tl_wave_owner_at (const TlWaveOwner *owner, guint32 i, guint32 j)
{
  return owner->rule != NULL ? tl_owner_rule_at (owner->rule, i, j)
                             : owner->first + (owner->by_column ? j : i) % owner->pus;
}

gboolean
tl_wave_waits_for (const TlOp *update, gint64 down, gint64 right)
{
  const TlAttr *deps = tl_op_attr (update, "deps");
  gint64        skew = tl_op_integer (update, "skew", 0);

  for (guint d = 0; d < deps->n_items; d++)
    {
      gint64 i = deps->items[d]->items[0]->integer, j = deps->items[d]->items[1]->integer + skew * i;

      if ((down == 0 || i > 0) && (right == 0 || j > 0))
        return TRUE;
    }
  return FALSE;
}
