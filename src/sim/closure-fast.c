/* The blocked closure over vectorised kernels. The matrix stays where it is, row by
 * row; per step of the pivot block the pivot tile, the row panel (as strips of 256
 * columns) and single row blocks are packed beside it.
 *
 * Exact kernels choose their own block of 256 and may update the row and column
 * panels from unmodified copies: a closed pivot P holds one on its diagonal, so
 * C (+) P (x) C is what the in-place order gives. Float sums are not exact: there the
 * block is the program's tile and the order is the machine's, k outermost, in place. */
#include "sim/closure-private.h"

#include <string.h>

#define ROW_BLOCK 64

typedef struct
{
  const TlClosureRun *run;
  const TlKernel     *kernel;
  const TlRounding   *rounding;
  gconstpointer       zero;
  gconstpointer       one;
  char               *data; /* the matrix */
  gsize               n;
  gsize               size;         /* bytes of an element */
  gsize               from;         /* first node of the pivot block */
  guint               depth;        /* its nodes */
  guint               deep;         /* depth padded to TL_DEPTH */
  guint               wide;         /* depth padded to TL_LANE */
  char               *pivot;        /* depth x wide, row stride wide */
  char               *packed_pivot; /* exact: strips of deep x TL_STRIP */
  char               *panel;        /* the row panel: strips of deep x TL_STRIP */
  char              **scratch;      /* one a worker */
} Fast;

/* Range @index of the columns (or rows) outside the pivot block, cut to @most. */
typedef struct
{
  gsize at;
  guint count;
} Range;

static guint64
outer_ranges (const Fast *fast, guint most)
{
  gsize after = fast->n - fast->from - fast->depth;
  return (fast->from + most - 1) / most + (after + most - 1) / most;
}

static Range
outer_range (const Fast *fast, guint most, guint64 index)
{
  gsize before = (fast->from + most - 1) / most;
  gsize at, end;

  if (index < before)
    {
      at = index * most;
      end = MIN (at + most, fast->from);
    }
  else
    {
      at = fast->from + fast->depth + (index - before) * most;
      end = MIN (at + most, fast->n);
    }
  return (Range) { at, (guint) (end - at) };
}

static char *
element (const Fast *fast, gsize row, gsize column)
{
  return fast->data + (row * fast->n + column) * fast->size;
}

static void
fill_zero (const Fast *fast, char *to, gsize count)
{
  for (gsize i = 0; i < count; i++)
    memcpy (to + i * fast->size, fast->zero, fast->size);
}

static guint
padded (guint count, guint unit)
{
  return (count + unit - 1) / unit * unit;
}

/* Copies a block of the matrix to rows of @stride, the rest of each row up to
 * @width zero. */
static void
gather (const Fast *fast, char *to, gsize stride, Range rows, Range columns, guint width)
{
  for (guint i = 0; i < rows.count; i++)
    {
      char *row = to + i * stride * fast->size;
      memcpy (row, element (fast, rows.at + i, columns.at), columns.count * fast->size);
      fill_zero (fast, row + columns.count * fast->size, width - columns.count);
    }
}

static void
scatter (const Fast *fast, const char *from, gsize stride, Range rows, Range columns)
{
  for (guint i = 0; i < rows.count; i++)
    memcpy (element (fast, rows.at + i, columns.at), from + i * stride * fast->size, columns.count * fast->size);
}

/* c[0..width) = c (+) c[at] (x) b: one step of k on one row. The factor is copied, as
 * it lies in the row that changes. */
static void
relax_row (const Fast *fast, char *c, const char *factor, const char *b, guint width)
{
  guint64 copy;

  memcpy (&copy, factor, fast->size);
  fast->kernel->relax (c, &copy, b, width, fast->rounding);
}

static Range
pivot_range (const Fast *fast)
{
  return (Range) { fast->from, fast->depth };
}

/* The pivot tile, k outermost, in place. Row k itself is left: D[k,k] has been seen
 * not to pass one, so nothing in it would change. Returns FALSE and *@node when
 * D[k,k] passed one. */
static gboolean
close_pivot (Fast *fast, guint64 *node)
{
  gsize stride = fast->wide * fast->size;

  gather (fast, fast->pivot, fast->wide, pivot_range (fast), pivot_range (fast), fast->wide);
  for (guint k = 0; k < fast->depth; k++)
    {
      const char *row = fast->pivot + k * stride;
      if (fast->one != NULL && fast->kernel->passed (row + k * fast->size, fast->one))
        {
          *node = fast->from + k;
          return FALSE;
        }
      for (guint i = 0; i < fast->depth; i++)
        if (i != k)
          relax_row (fast, fast->pivot + i * stride, fast->pivot + i * stride + k * fast->size, row, fast->wide);
    }
  scatter (fast, fast->pivot, fast->wide, pivot_range (fast), pivot_range (fast));
  return TRUE;
}

/* Rows depth..deep of a packed strip, zero: what pads the depth. */
static void
pad_depth (const Fast *fast, char *strip, guint width)
{
  for (guint k = fast->depth; k < fast->deep; k++)
    fill_zero (fast, strip + (gsize) k * TL_STRIP * fast->size, width);
}

/* One strip of the row panel: (k, x). It ends packed in the panel. */
static void
row_strip (gpointer data, guint64 item, guint worker)
{
  Fast *fast = data;
  Range columns = outer_range (fast, TL_STRIP, item);
  guint width = padded (columns.count, TL_LANE);
  gsize row_bytes = TL_STRIP * fast->size;
  char *strip = fast->panel + item * fast->deep * row_bytes;

  gather (fast, strip, TL_STRIP, pivot_range (fast), columns, width);
  pad_depth (fast, strip, width);
  if (fast->kernel->exact)
    {
      for (guint i = 0; i < fast->depth; i += ROW_BLOCK)
        {
          Range rows = { fast->from + i, MIN (ROW_BLOCK, fast->depth - i) };
          char *block = fast->scratch[worker];
          gather (fast, block, TL_STRIP, rows, columns, width);
          fast->kernel->update (block, TL_STRIP, fast->pivot + (gsize) i * fast->wide * fast->size, fast->wide, strip,
                                rows.count, fast->deep, width, fast->rounding);
          scatter (fast, block, TL_STRIP, rows, columns);
        }
      gather (fast, strip, TL_STRIP, pivot_range (fast), columns, width);
      return;
    }
  for (guint k = 0; k < fast->depth; k++)
    for (guint i = 0; i < fast->depth; i++)
      if (i != k)
        relax_row (fast, strip + i * row_bytes, fast->pivot + ((gsize) i * fast->wide + k) * fast->size,
                   strip + k * row_bytes, width);
  scatter (fast, strip, TL_STRIP, pivot_range (fast), columns);
}

/* One block of rows of the column panel: (x, k). */
static void
column_block (gpointer data, guint64 item, guint worker)
{
  Fast *fast = data;
  Range rows = outer_range (fast, ROW_BLOCK, item);
  char *old = fast->scratch[worker];
  gsize stride = fast->wide * fast->size;

  gather (fast, old, fast->wide, rows, pivot_range (fast), fast->wide);
  if (!fast->kernel->exact)
    {
      for (guint i = 0; i < rows.count; i++)
        for (guint k = 0; k < fast->depth; k++)
          relax_row (fast, old + i * stride, old + i * stride + k * fast->size, fast->pivot + k * stride, fast->wide);
      scatter (fast, old, fast->wide, rows, pivot_range (fast));
      return;
    }
  for (guint j = 0; j < fast->depth; j += TL_STRIP)
    {
      Range columns = { fast->from + j, MIN (TL_STRIP, fast->depth - j) };
      guint width = padded (columns.count, TL_LANE);
      char *block = old + ROW_BLOCK * stride;
      gather (fast, block, TL_STRIP, rows, columns, width);
      fast->kernel->update (block, TL_STRIP, old, fast->wide,
                            fast->packed_pivot + (gsize) (j / TL_STRIP) * fast->deep * TL_STRIP * fast->size,
                            rows.count, fast->deep, width, fast->rounding);
      scatter (fast, block, TL_STRIP, rows, columns);
    }
}

/* One internal tile: a strip of columns by four row blocks, so that the strip stays
 * in the cache. */
#define TILE_BLOCKS 4

static void
internal_tile (gpointer data, guint64 item, guint worker)
{
  Fast         *fast = data;
  GCancellable *cancellable = fast->run->options->cancellable;
  guint64       blocks = outer_ranges (fast, ROW_BLOCK);
  guint64       groups = (blocks + TILE_BLOCKS - 1) / TILE_BLOCKS;
  guint64       first = item % groups * TILE_BLOCKS;
  Range         columns = outer_range (fast, TL_STRIP, item / groups);
  guint         width = padded (columns.count, TL_LANE);
  const char   *strip = fast->panel + item / groups * fast->deep * TL_STRIP * fast->size;
  char         *left = fast->scratch[worker];
  char         *block = left + (gsize) ROW_BLOCK * fast->wide * fast->size;

  if (cancellable != NULL && g_cancellable_is_cancelled (cancellable))
    return;
  for (guint64 b = first; b < MIN (first + TILE_BLOCKS, blocks); b++)
    {
      Range rows = outer_range (fast, ROW_BLOCK, b);
      gather (fast, left, fast->wide, rows, pivot_range (fast), fast->deep);
      if (width == columns.count)
        {
          fast->kernel->update (element (fast, rows.at, columns.at), fast->n, left, fast->wide, strip, rows.count,
                                fast->deep, width, fast->rounding);
          continue;
        }
      gather (fast, block, TL_STRIP, rows, columns, width);
      fast->kernel->update (block, TL_STRIP, left, fast->wide, strip, rows.count, fast->deep, width, fast->rounding);
      scatter (fast, block, TL_STRIP, rows, columns);
    }
}

static void
pack_pivot (Fast *fast)
{
  for (guint j = 0; j < fast->depth; j += TL_STRIP)
    {
      Range columns = { fast->from + j, MIN (TL_STRIP, fast->depth - j) };
      guint width = padded (columns.count, TL_LANE);
      char *strip = fast->packed_pivot + (gsize) (j / TL_STRIP) * fast->deep * TL_STRIP * fast->size;
      gather (fast, strip, TL_STRIP, pivot_range (fast), columns, width);
      pad_depth (fast, strip, width);
    }
}

TlClosureResult
tl_closure_fast (const TlClosureRun *run, const TlKernel *kernel, const TlRounding *rounding, gconstpointer zero,
                 gconstpointer one)
{
  gsize           n = run->matrix->rows;
  gsize           block = kernel->exact ? TL_STRIP : MAX (run->options->tile, 1);
  gsize           size = kernel->size;
  guint           workers = tl_team_size (run->team);
  TlClosureResult result = { .kernel = kernel->name };

  block = MIN (block, MAX (n, 1));
  gsize deep = padded (block, TL_DEPTH), wide = padded (block, TL_LANE);
  gsize strips = n / TL_STRIP + 2;
  Fast  fast = { run, kernel, rounding, zero, one, run->matrix->data, n, size };

  /* Vectors that lie across two cache lines halve the speed. */
  fast.pivot = g_aligned_alloc (block * wide, size, 64);
  fast.packed_pivot = g_aligned_alloc ((block / TL_STRIP + 1) * deep * TL_STRIP, size, 64);
  fast.panel = g_aligned_alloc (strips * deep * TL_STRIP, size, 64);
  fast.scratch = g_new (char *, workers);
  for (guint w = 0; w < workers; w++)
    fast.scratch[w] = g_aligned_alloc ((gsize) ROW_BLOCK * (wide + TL_STRIP), size, 64);

  for (fast.from = 0; fast.from < n; fast.from += block)
    {
      fast.depth = MIN (block, n - fast.from);
      fast.deep = padded (fast.depth, TL_DEPTH);
      fast.wide = padded (fast.depth, TL_LANE);
      if (!tl_closure_step (run, (double) fast.from / n))
        {
          result.end = TL_CLOSURE_CANCELLED;
          break;
        }
      if (!close_pivot (&fast, &result.node))
        {
          result.end = TL_CLOSURE_CYCLE;
          break;
        }
      pack_pivot (&fast);
      guint64 columns = outer_ranges (&fast, TL_STRIP), rows = outer_ranges (&fast, ROW_BLOCK);
      tl_team_run (run->team, columns, row_strip, &fast);
      tl_team_run (run->team, rows, column_block, &fast);
      tl_team_run (run->team, columns * ((rows + TILE_BLOCKS - 1) / TILE_BLOCKS), internal_tile, &fast);
    }
  if (result.end == TL_CLOSURE_DONE && !tl_closure_step (run, 1.0))
    result.end = TL_CLOSURE_CANCELLED;
  for (guint w = 0; w < workers; w++)
    g_aligned_free (fast.scratch[w]);
  g_free (fast.scratch);
  g_aligned_free (fast.panel);
  g_aligned_free (fast.packed_pivot);
  g_aligned_free (fast.pivot);
  return result;
}
