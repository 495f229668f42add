/* Traffic: closed forms, and an LRU memory of whole tiles replayed plainly or with
 * rows of internal tiles that repeat taken at once. */
#include "sim/traffic.h"

#include "base/number.h"

#include <string.h>

double
tl_traffic_b0 (guint64 n, guint32 bytes)
{
  return 3.0 * bytes * (double) n * (double) n * (double) n;
}

double
tl_traffic_b3 (guint64 n, guint32 tile, guint32 bytes)
{
  return 4.0 * bytes * (double) n * (double) n * (double) n / tile;
}

#define NOWHERE G_MAXUINT32

/* Tiles i * M + j in a list from the one touched last to the one touched first. */
typedef struct
{
  guint32      tiles;
  guint64      room; /* tiles that fit */
  guint64      held;
  guint32      newest;
  guint32      oldest;
  guint32     *newer; /* of each tile; NOWHERE at the end */
  guint32     *older;
  guint8      *flags;   /* HELD, DIRTY */
  guint64      fetched; /* tiles */
  guint64      returned;
  TlTouchOrder order;
} Lru;

enum
{
  HELD = 1,
  DIRTY = 2
};

static void
lru_init (Lru *lru, guint32 tiles, guint64 room, TlTouchOrder order)
{
  gsize count = (gsize) tiles * tiles;

  *lru = (Lru) { .tiles = tiles, .room = room, .newest = NOWHERE, .oldest = NOWHERE, .order = order };
  lru->newer = g_new (guint32, count);
  lru->older = g_new (guint32, count);
  lru->flags = g_new0 (guint8, count);
}

static void
lru_clear (Lru *lru)
{
  g_free (lru->newer);
  g_free (lru->older);
  g_free (lru->flags);
}

static void
unlink_tile (Lru *lru, guint32 x)
{
  if (lru->newer[x] != NOWHERE)
    lru->older[lru->newer[x]] = lru->older[x];
  else
    lru->newest = lru->older[x];
  if (lru->older[x] != NOWHERE)
    lru->newer[lru->older[x]] = lru->newer[x];
  else
    lru->oldest = lru->newer[x];
}

static void
push_tile (Lru *lru, guint32 x)
{
  lru->newer[x] = NOWHERE;
  lru->older[x] = lru->newest;
  if (lru->newest != NOWHERE)
    lru->newer[lru->newest] = x;
  else
    lru->oldest = x;
  lru->newest = x;
}

static void
evict (Lru *lru)
{
  guint32 x = lru->oldest;

  unlink_tile (lru, x);
  lru->returned += (lru->flags[x] & DIRTY) != 0;
  lru->flags[x] = 0;
  lru->held--;
}

static void
touch (Lru *lru, guint32 x, gboolean write)
{
  if (lru->flags[x] & HELD)
    unlink_tile (lru, x);
  else
    {
      lru->fetched++;
      if (lru->held == lru->room)
        evict (lru);
      lru->held++;
    }
  push_tile (lru, x);
  lru->flags[x] |= HELD | (write ? DIRTY : 0);
}

/* An operation: C is read, then the operands, then C is written; or the operands
 * first. */
static void
operate (Lru *lru, guint32 c, guint32 n_operands, guint32 left, guint32 right)
{
  if (lru->room == 0)
    {
      lru->fetched += 1 + n_operands;
      lru->returned++;
      return;
    }
  if (lru->order == TL_TOUCH_C_FIRST)
    touch (lru, c, FALSE);
  if (n_operands > 0)
    touch (lru, left, FALSE);
  if (n_operands > 1)
    touch (lru, right, FALSE);
  touch (lru, c, TRUE);
}

static void
pivot_and_cross (Lru *lru, guint32 k)
{
  const guint32 tiles = lru->tiles, pivot = k * tiles + k;

  operate (lru, pivot, 0, 0, 0);
  for (guint32 x = 0; x < tiles; x++)
    if (x != k)
      {
        operate (lru, k * tiles + x, 1, pivot, 0);
        operate (lru, x * tiles + k, 1, pivot, 0);
      }
}

static void
internal_row (Lru *lru, guint32 k, guint32 i)
{
  for (guint32 j = 0; j < lru->tiles; j++)
    if (j != k)
      operate (lru, i * lru->tiles + j, 2, i * lru->tiles + k, k * lru->tiles + j);
}

static void
finish (Lru *lru, guint32 tile, guint32 bytes, TlTraffic *traffic)
{
  guint64 size = (guint64) tile * tile * bytes;

  while (lru->held > 0)
    evict (lru);
  traffic->read = lru->fetched * size;
  traffic->written = lru->returned * size;
  lru_clear (lru);
}

void
tl_traffic_replay (guint32 tiles, guint32 tile, guint32 bytes, guint64 sram, TlTouchOrder order, TlTraffic *traffic)
{
  Lru lru;

  lru_init (&lru, tiles, sram / ((guint64) tile * tile * bytes), order);
  for (guint32 k = 0; k < tiles; k++)
    {
      pivot_and_cross (&lru, k);
      for (guint32 i = 0; i < tiles; i++)
        if (i != k)
          internal_row (&lru, k, i);
    }
  finish (&lru, tile, bytes, traffic);
}

/* What is held, in order, with rows named by their distance from row @i; row k keeps
 * its name. Rows that lie beyond @i, or on the other side of k, do not shift with the
 * rows to come: then FALSE. */
static gboolean
name_state (const Lru *lru, guint32 k, guint32 i, GArray *names)
{
  g_array_set_size (names, 0);
  for (guint32 x = lru->newest; x != NOWHERE; x = lru->older[x])
    {
      guint32 row = x / lru->tiles, column = x % lru->tiles;
      guint64 name = (guint64) column << 8 | lru->flags[x];

      if (row == k)
        name |= G_GUINT64_CONSTANT (1) << 63;
      else if (row >= i || (row < k) != (i < k))
        return FALSE;
      else
        name |= (guint64) (i - row) << 32;
      g_array_append_val (names, name);
    }
  return TRUE;
}

/* Moves all rows but k down by @rows. The list is rebuilt from its oldest on. */
static void
shift_rows (Lru *lru, guint32 k, guint32 rows, GArray *moved)
{
  g_array_set_size (moved, 0);
  for (guint32 x = lru->oldest; x != NOWHERE; x = lru->newer[x])
    {
      guint64 tile = (guint64) lru->flags[x] << 32 | (x / lru->tiles == k ? x : x + rows * lru->tiles);

      g_array_append_val (moved, tile);
      lru->flags[x] = 0;
    }
  lru->newest = lru->oldest = NOWHERE;
  for (guint m = 0; m < moved->len; m++)
    {
      guint64 tile = g_array_index (moved, guint64, m);

      push_tile (lru, (guint32) tile);
      lru->flags[(guint32) tile] = (guint8) (tile >> 32);
    }
}

/* Rows first .. last - 1, all on one side of k. Once the state before a row is that
 * before the row above, shifted, so is all that follows. */
static void
internal_rows (Lru *lru, guint32 k, guint32 first, guint32 last, GArray *before, GArray *after)
{
  gboolean named = FALSE;

  for (guint32 i = first; i < last; i++)
    {
      guint64 fetched = lru->fetched, returned = lru->returned;

      internal_row (lru, k, i);
      if (!name_state (lru, k, i + 1, after))
        {
          named = FALSE;
          continue;
        }
      if (named && before->len == after->len
          && (after->len == 0 || memcmp (before->data, after->data, after->len * sizeof (guint64)) == 0))
        {
          guint64 rows = last - 1 - i;

          lru->fetched += rows * (lru->fetched - fetched);
          lru->returned += rows * (lru->returned - returned);
          shift_rows (lru, k, (guint32) rows, before);
          return;
        }
      named = TRUE;
      g_array_set_size (before, 0);
      g_array_append_vals (before, after->data, after->len);
    }
}

void
tl_traffic_replay_fast (guint32 tiles, guint32 tile, guint32 bytes, guint64 sram, TlTouchOrder order,
                        TlTraffic *traffic)
{
  g_autoptr (GArray) before = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autoptr (GArray) after = g_array_new (FALSE, FALSE, sizeof (guint64));
  Lru lru;

  lru_init (&lru, tiles, sram / ((guint64) tile * tile * bytes), order);
  for (guint32 k = 0; k < tiles; k++)
    {
      pivot_and_cross (&lru, k);
      internal_rows (&lru, k, 0, k, before, after);
      internal_rows (&lru, k, k + 1, tiles, before, after);
    }
  finish (&lru, tile, bytes, traffic);
}
